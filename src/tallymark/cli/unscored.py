"""tallymark unscored FILE --truth COLUMN --score COLUMN --share 0.1 [--plot area.svg]"""

from __future__ import annotations

import argparse
from typing import Any

from . import cases, options, progress

COLUMNS = ("truth", "score", "weight", "weight_kind", "positive", "score_kind", "missing")
SHARES = ("share", "of_positives", "of_negatives")

EXAMPLES = (
    "unscored cases.csv --truth y --score p --share 0.1",
    "unscored cases.csv --truth y --score p --of-positives 0.3 --of-negatives 0.1 --plot area.svg",
)


def add(commands: Any) -> None:
    """Enters the command."""
    command = commands.add_parser(
        "unscored",
        help="the ROC area where cases without a score get one constant score",
        examples=EXAMPLES,
    )
    command.set_defaults(run=run)
    cases.add_files(command, "the cases that have a score: CSV, Parquet or JSON lines; - for standard input")
    cases.add(command, COLUMNS, {"truth": {"required": True}, "score": {"required": True}})
    command.add_argument("--share", type=float, help="of all cases, in both classes alike, without a score")
    command.add_argument("--of-positives", type=float, metavar="SHARE", help="in its place: of the positives")
    command.add_argument("--of-negatives", type=float, metavar="SHARE", help="and of the negatives")
    command.add_argument(
        "--plot", metavar="FILE", help="write the area against the constant: .svg, .csv, .json or .parquet"
    )
    command.add_argument(
        "-o", "--out", metavar="FILE", help="write the areas: .csv, .json, .parquet, .xlsx, .md, .html, ..."
    )
    command.add_argument(
        "--json", action="store_true", help="write JSON, and nothing else, to standard output"
    )


def run(given: argparse.Namespace) -> None:
    """Computes, writes, shows."""
    import tallymark

    from ..curves import Curve
    from ..input.results import Result

    kinds: dict[str, type[Result]] = {"plot": Curve, "out": tallymark.Unscored}
    for role, kind in kinds.items():
        if getattr(given, role) is not None:
            kind.check_path(getattr(given, role), role)
            options.spare(getattr(given, role), given.file, role)
    shares = {name: getattr(given, name) for name in SHARES}
    with progress.bar() as counted:
        found = tallymark.unscored(cases.file_of(given), **cases.arguments(given), **shares, progress=counted)
    if given.out is not None:
        options.write(found, given.out)
    if given.plot is not None:
        options.write(found.curve, given.plot)
    print(options.answer(found, given))
    if given.plot is not None and not given.json:
        print(f"\nArea against the constant: {given.plot}")
