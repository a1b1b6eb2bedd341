"""tallymark class-mix FILE --truth COLUMN --score COLUMN, or of a table: --tp 70 --fp 20 --fn 30 --tn 80"""

from __future__ import annotations

import argparse
from typing import Any

from ..input.errors import InputError
from . import cases, evaluate, options, progress
from .counts import CELLS

EXAMPLES = (
    "class-mix cases.csv --truth y --score p",
    "class-mix --tp 70 --fp 20 --fn 30 --tn 80 --growth 1 10",
)


def add(commands: Any) -> None:
    """Enters the command."""
    command = commands.add_parser(
        "class-mix", help="which measures and curves change as one class grows", examples=EXAMPLES
    )
    command.set_defaults(run=run)
    command.add_argument(
        "file",
        nargs="*",
        help="CSV, Parquet or JSON lines; or give --tp --fp --fn --tn, which have no curves",
    )
    cases.add(command, [name for name in cases.OF_ONE_MODEL if name not in ("regression", "clusters")])
    for name, meaning in CELLS.items():
        command.add_argument(f"--{name}", type=float, metavar="N", help=meaning)
    evaluate.add_threshold(command)
    command.add_argument(
        "--growth", type=float, nargs="+", metavar="TIMES", help="of the class (default: 1 2 5 10 100)"
    )
    command.add_argument(
        "--grown", default="negative", metavar="CLASS", help="negative (default) or positive: which one grows"
    )
    command.add_argument(
        "-o", "--out", metavar="FILE", help="write the values: .csv, .json, .parquet, .xlsx, .md, .html, ..."
    )
    command.add_argument(
        "--json", action="store_true", help="write JSON, and nothing else, to standard output"
    )


def run(given: argparse.Namespace) -> None:
    """Computes, writes, shows."""
    import tallymark

    from ..evaluation.class_mix import ClassMix

    if given.out is not None:
        ClassMix.check_path(given.out, "out")
        options.spare(given.out, given.file, "out")
    growth = {} if given.growth is None else {"growth": tuple(given.growth)}
    found = tallymark.class_mix_sensitivity(_of(given), grown=given.grown, **growth)
    if given.out is not None:
        options.write(found, given.out)
    print(options.answer(found, given))


def _of(given: argparse.Namespace) -> Any:
    """The table, or the evaluation of the file. Raises InputError unless one of the two is given."""
    import tallymark

    cells = {name: getattr(given, name) for name in CELLS if getattr(given, name) is not None}
    if bool(given.file) == bool(cells) or (cells and len(cells) < len(CELLS)):
        raise InputError(
            "needed", "file", "give a file with --truth and --score, or all of --tp --fp --fn --tn"
        )
    if cells:
        return tallymark.Counts(**cells)
    asked = {**cases.arguments(given), **evaluate.decided(given)}
    with progress.bar() as counted:
        return tallymark.evaluate(cases.file_of(given), **asked, progress=counted)
