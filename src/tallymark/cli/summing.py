"""tally and merge: the sums of cases in small files."""

from __future__ import annotations

import argparse
from typing import Any

import tallymark

from . import options
from .options import Command, text

OUTPUT: options.Options = {"-o --output": text("the .tally file to write", "FILE", required=True)}


def tally(given: argparse.Namespace) -> None:
    """Checks where the sums go, reads, writes."""
    options.check(given, output=tallymark.Accumulator)
    sums = options.call(tallymark.Accumulator, given)
    options.call(sums.update, given)
    _write(sums, given.output)


def merge(given: argparse.Namespace) -> None:
    """Checks where the sum goes, adds, writes."""
    tallymark.Accumulator.check_path(given.output, "output")  # which may be one of the files
    _write(tallymark.Accumulator.load(given.file), given.output)


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
