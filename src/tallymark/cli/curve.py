"""tallymark curve roc FILE --truth COLUMN --score COLUMN [--band simultaneous] [--out roc.csv]"""

from __future__ import annotations

import argparse
import sys
from typing import Any

from ..input import text
from ..input.data_info import conditions
from ..input.errors import InputError
from ..input.labels import known_as
from ..report.exporters import csv
from . import cases, options, progress

TABLE = "table"

EXAMPLES = (
    "curve roc cases.csv --truth y --score p --out roc.csv",
    "curve decision cases.csv --truth y --score p --band pointwise --out decision.svg",
)


def add(commands: Any) -> None:
    """Enters the command."""
    command = commands.add_parser(
        "curve",
        help="the points of a curve, or the whole ranking table, as a file or a picture",
        examples=EXAMPLES,
    )
    command.set_defaults(run=run)
    command.late[command.add_argument("curve", metavar="CURVE")] = curves
    command.words = names
    cases.add_all(command, without=("regression",))
    command.add_argument(
        "--ties", default="together", metavar="HOW", help="together (default), optimistic or pessimistic"
    )
    command.add_argument(
        "--simplify", action="store_true", help="leave out points on a straight line between their neighbours"
    )
    command.add_argument(
        "--class", dest="label", metavar="LABEL", help="of a score per class: the class, against all others"
    )
    command.add_argument(
        "--band",
        metavar="KIND",
        help="pointwise, simultaneous or kolmogorov-smirnov: low and high of each point",
    )
    command.add_argument(
        "--level", type=float, metavar="LEVEL", help="confidence level of the band (default: 0.95)"
    )
    options.add_design(command)
    command.add_argument(
        "--seed", type=int, default=0, help="of the resampling of the band (default: %(default)s)"
    )
    options.add_parameters(command)
    command.add_argument(
        "--out", metavar="FILE", help=".csv, .json, .parquet or .svg; without it CSV on standard output"
    )


def names() -> list[str]:
    """The names of the curves, and of the table."""
    from ..curves import CURVES

    return [*CURVES, TABLE]


def curves() -> str:
    """The help of CURVE."""
    from ..curves import CURVES

    return f"{', '.join(CURVES)}, a measure of counts, or {TABLE}: every threshold with its counts"


def run(given: argparse.Namespace) -> None:
    """Measures, draws, writes."""
    if given.out is not None:
        from ..curves import Curve
        from ..evaluation.threshold_table import OperatingPoints

        (OperatingPoints if given.curve == TABLE else Curve).check_path(given.out, "out")
        options.spare(given.out, given.file, "out")
    if given.curve == TABLE:
        _table(given)
        return
    found = _evaluated(given)
    level = {} if given.level is None else {"level": given.level}
    with progress.bar():
        curve = found.curve(given.curve, ties=given.ties, band=given.band, **level)
    curve = curve.simplify() if given.simplify else curve
    if given.out is None:
        print(csv.as_text(curve), end="")
        say(curve, sys.stderr)  # which no column can
    else:
        options.write(curve, given.out)
        print(f"{given.out}: {len(curve)} points")
        say(curve, sys.stdout)


def say(curve: Any, where: Any) -> None:
    """What its band is, if one was asked for."""
    if curve.about is not None:
        about = curve.about
        said = f"{about}: {about.method}" if about.method else None
        for line in (
            "; ".join(part for part in (said, about.note) if part),
            conditions(about.design, about.weight_kind),
        ):
            print(text.paragraph(line, first=""), file=where)


def _table(given: argparse.Namespace) -> None:
    """Every threshold with its counts: printed, or as a file."""
    for name, value in {
        "simplify": given.simplify,
        "ties": given.ties != "together",
        "band": given.band,
        "level": given.level,
    }.items():
        if value not in (None, False):
            raise InputError(
                "conflict",
                f"--{name}",
                "the table holds every threshold as it is",
                "leave it out, or take a curve, as gain",
            )
    points = _evaluated(given).operating_points()
    if given.out is None:
        print(points)
    else:
        options.write(points, given.out)
        print(f"{given.out}: {len(points['threshold'])} thresholds")


def _evaluated(given: argparse.Namespace) -> Any:
    import tallymark

    with progress.bar() as counted:
        parameters = options.parameters_of(given.set)
        how = {"parameters": parameters, "rng": given.seed, "design": given.design}
        found = tallymark.evaluate(cases.file_of(given), **cases.arguments(given), **how, progress=counted)
    if given.label is None:
        return found
    if not isinstance(found, tallymark.MulticlassEvaluation) or found.scores is None:
        raise InputError("needed", "class", "it needs a score per class", "repeat --score, once for each")
    known = known_as(given.label, found.scores.labels)
    return found.one_vs_rest(given.label if known is None else known)
