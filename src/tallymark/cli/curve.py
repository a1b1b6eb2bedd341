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
from . import cases, options, plot, progress

TABLE, PAIRS = "table", "pairs"

EXAMPLES = (
    "curve roc cases.csv --truth y --score p --out roc.csv",
    "curve table cases.csv --truth y --score p",
    "curve pr_interpolated cases.csv --truth y --score p --set pr_interpolated.per_positive=2",
    "curve decision cases.csv --truth y --score p --band pointwise --out decision.svg",
)


def add(commands: Any) -> None:
    """Enters the command."""
    command = commands.add_parser(
        "curve",
        help="the points of a curve, the whole ranking table, or the pairs, as a file or a picture",
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
    options.add_thresholds(command, "the range of the decision curve, for which a simultaneous band holds")
    options.add_design(command)
    command.add_argument(
        "--seed", type=int, default=0, help="of the resampling of the band (default: %(default)s)"
    )
    options.add_parameters(command)
    command.add_argument(
        "--out",
        metavar="FILE",
        help=".csv, .json, .parquet or .svg, of pairs .png and .pdf, too; without it CSV on standard output",
    )


def names() -> list[str]:
    """The names of the curves, and of the tables."""
    from ..curves import CURVES

    return [*CURVES, TABLE, PAIRS]


def curves() -> str:
    """The help of CURVE."""
    from ..curves import CURVES

    tables = f"{TABLE}: every threshold with its counts, {PAIRS}: every positive against every negative"
    return f"{', '.join(CURVES)}, a measure of counts; {tables}"


def run(given: argparse.Namespace) -> None:
    """Measures, draws, writes."""
    if given.out is not None:
        from ..curves import Curve
        from ..evaluation.threshold_table import OperatingPoints, PairsMatrix
        from ..input.results import Result
        from ..report import writing

        kinds: dict[str, type[Result]] = {TABLE: OperatingPoints, PAIRS: PairsMatrix}
        if _is_picture(given):
            writing.check(given.out, "out", plot.ENDINGS)
        else:
            kinds.get(given.curve, Curve).check_path(given.out, "out")
        options.spare(given.out, given.file, "out")
    if given.curve in (TABLE, PAIRS):
        _table(given)
        return
    of_curve, given.set = _of_curve(given)
    found = _evaluated(given)
    level = {} if given.level is None else {"level": given.level}
    between = options.thresholds(given)
    parameters = of_curve | ({} if between is None else {"thresholds": between})
    with progress.bar():
        curve = found.curve(given.curve, ties=given.ties, band=given.band, **level, **parameters)
    curve = curve.simplify() if given.simplify else curve
    if given.out is None:
        print(csv.as_text(curve), end="")
        say(curve, sys.stderr)  # which no column can
    else:
        options.write(curve, given.out)
        print(f"{given.out}: {len(curve)} points")
        say(curve, sys.stdout)


def _of_curve(given: argparse.Namespace) -> tuple[dict[str, Any], list[str]]:
    """The parameters of the curve, as pr_interpolated.per_positive, and what is set of measures."""
    from ..curves import CURVES, plain

    name = plain(given.curve)
    of_it = [one for one in given.set if name in CURVES and plain(one.partition(".")[0]) == name]
    found = options.parameters_of(of_it)
    return {key: value for one in found.values() for key, value in one.items()}, [
        one for one in given.set if one not in of_it
    ]


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
    """Every threshold with its counts, or every pair: printed, or as a file."""
    for name, value in {
        "simplify": given.simplify,
        "ties": given.ties != "together",
        "band": given.band,
        "level": given.level,
        "thresholds": given.thresholds,
    }.items():
        if value not in (None, False):
            what = "threshold" if given.curve == TABLE else "pair"
            problem = f"the table holds every {what} as it is"
            raise InputError("conflict", f"--{name}", problem, "leave it out, or take a curve, as gain")
    found = _evaluated(given)
    table = found.operating_points() if given.curve == TABLE else found.pairs_matrix
    if given.out is None:
        print(table)
        return
    if _is_picture(given):
        from ..report.plots.loading import load

        load("matplotlib").use("agg")
        table.plot().save(given.out)
    else:
        options.write(table, given.out)
    number = f"{len(table['threshold'])} thresholds" if given.curve == TABLE else f"{table.cells.size} pairs"
    print(f"{given.out}: {number}")


def _is_picture(given: argparse.Namespace) -> bool:
    """Whether the pairs are drawn."""
    return given.curve == PAIRS and str(given.out).lower().endswith(plot.ENDINGS)


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
