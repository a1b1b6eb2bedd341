"""tally and merge: the sums of cases in small files."""

from __future__ import annotations

import argparse
from typing import Any

from . import options, progress
from .options import Command, text

OUTPUT: options.Options = {"-o --output": text("the .tally file to write", "FILE", required=True)}


def tally(given: argparse.Namespace) -> None:
    """Checks where the sums go, reads, writes."""
    from tallymark import Accumulator

    from ..evaluation.case_sums import SETTINGS

    options.check(given, output=Accumulator)
    described = {**options.arguments(given), **options.scores_of(given)}
    settings = {name: described.pop(name) for name in (*SETTINGS, "memory") if name in described}
    sums = Accumulator(**settings)
    with progress.bar() as counted:
        sums.update(options.single(given.file), **described, progress=counted)
    _write(sums, given.output)


def merge(given: argparse.Namespace) -> None:
    """Checks where the sum goes, adds, writes."""
    from tallymark import Accumulator

    Accumulator.check_path(given.output, "output")  # which may be one of the files
    _write(Accumulator.load(given.file), given.output)


def _write(sums: Any, path: str) -> None:
    """Writes the sums, and says of how many cases they are."""
    sums.save(path)
    print(f"{path}: {sums.rows:,} cases")


COMMANDS = {
    "tally": Command(
        "sum the cases of files into a small file, which `merge` adds to others and `evaluate` measures",
        ("tally cases.csv --truth y --score p -o part.tally",),
        {
            **options.files(),
            **options.cases(options.without("clusters"), truth={"required": True}),
            **options.MODELS,
            **OUTPUT,
        },
        tally,
    ),
    "merge": Command(
        "add up .tally files of parts of the cases, in any order",
        ('merge "part*.tally" -o all.tally',),
        {
            "file": {"nargs": "+", "help": "files that `tallymark tally` wrote, or patterns"},
            **OUTPUT,
        },
        merge,
    ),
}
