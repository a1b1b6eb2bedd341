"""tallymark tally FILE --truth COLUMN --score COLUMN -o part.tally"""

from __future__ import annotations

import argparse
from typing import Any

from . import cases, merge, models, options, progress

EXAMPLES = ("tally cases.csv --truth y --score p -o part.tally",)


def add(commands: Any) -> None:
    """Enters the command."""
    command = commands.add_parser(
        "tally",
        help="sum the cases of files into a small file, which `merge` adds to others and `evaluate` measures",
        examples=EXAMPLES,
    )
    command.set_defaults(run=run)
    cases.add_all(command, without=("clusters",), changes={"truth": {"required": True}})
    models.add(command)
    merge.add_output(command)


def run(given: argparse.Namespace) -> None:
    """Checks where the sums go, reads, writes."""
    from tallymark import Accumulator

    from ..evaluation.case_sums import SETTINGS

    Accumulator.check_path(given.output, "output")
    options.spare(given.output, given.file, "output")
    described = {**cases.arguments(given), **models.scores_of(given)}
    found = Accumulator(**{name: described.pop(name) for name in (*SETTINGS, "memory") if name in described})
    with progress.bar() as counted:
        found.update(cases.file_of(given), **described, progress=counted)
    merge.write(found, given.output)
