"""tallymark calibration FILE --truth COLUMN --score COLUMN [--plot reliability.svg]"""

from __future__ import annotations

import argparse
from typing import Any

from ..input.errors import InputError
from ..input.sources.tally import ENDING
from . import cases, options, progress

EXAMPLES = (
    "calibration cases.csv --truth y --score p",
    "calibration cases.csv --truth y --score p --plot reliability.svg",
)


def add(commands: Any) -> None:
    """Enters the command."""
    command = commands.add_parser(
        "calibration",
        help="check whether predicted probabilities match observed frequencies",
        examples=EXAMPLES,
    )
    command.set_defaults(run=run)
    kinds = {"help": "probability (default), or logit"}
    hidden = {"help": argparse.SUPPRESS}  # refused, with the reason
    cases.add_all(command, without=cases.OF_LABELS, changes={"score_kind": kinds, "clusters": hidden})
    command.add_argument(
        "--bins", type=int, default=10, help="of the errors and the reliability curve (default: %(default)s)"
    )
    command.add_argument(
        "--hl-groups",
        type=int,
        default=10,
        metavar="N",
        help="of equal mass, in Hosmer and Lemeshow's test (default: %(default)s)",
    )
    command.add_argument("--fitted", action="store_true", help="the model was fitted to these same cases")
    command.add_argument(
        "--how", metavar="HOW", help="of the curve: equal_width (default), equal_mass or isotonic"
    )
    command.add_argument(
        "--plot", metavar="FILE", help="write the reliability curve: .svg, .csv, .json or .parquet"
    )
    options.add_intervals(command)
    command.add_argument(
        "--json", action="store_true", help="write JSON, and nothing else, to standard output"
    )


def run(given: argparse.Namespace) -> None:
    """Checks where the picture goes, measures, shows."""
    import tallymark

    from ..curves import Curve

    if given.how is not None and given.plot is None:
        raise InputError(
            "conflict", "--how", "it is for the curve that --plot writes", "give --plot, or leave it out"
        )
    if given.score is None and not given.file[0].endswith(ENDING):
        raise InputError(
            "needed",
            "--score",
            "the column of the probabilities is missing",
            "with a score per class repeat it, once for each",
        )
    if given.plot is not None:
        Curve.check_path(given.plot, "plot")
        options.spare(given.plot, given.file, "plot")
    asked = {name: getattr(given, name) for name in ("bins", "hl_groups", "fitted")}
    with progress.bar() as counted:
        found = tallymark.calibration(
            cases.file_of(given),
            **cases.arguments(given),
            **asked,
            progress=counted,
            **options.intervals(given),
        )
    curve = found.curve(given.how or "equal_width")
    if given.plot is not None:
        options.write(curve, given.plot)
    print(options.answer(found, given))
    if given.plot is not None and not given.json:
        print(f"\nReliability curve: {given.plot}")
