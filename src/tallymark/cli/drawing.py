"""curve and plot: the points of a curve, and figures."""

from __future__ import annotations

import argparse
import sys
from typing import Any

import tallymark

from ..input.data_info import conditions
from ..input.errors import InputError
from ..input.labels import known_as
from ..input.terminal import without_controls
from ..input.text import paragraph
from . import options
from .options import Command, number, text

PICTURES = (".png", ".svg", ".pdf")
TABLE, PAIRS = "table", "pairs"


# curve
# --------------------------------------------------------------------------------------------------


def curve_names() -> list[str]:
    """The names of the curves, and of the tables."""
    from ..curves import CURVES

    return [*CURVES, TABLE, PAIRS]


def curve_words() -> str:
    """The help of CURVE."""
    names = ", ".join(curve_names()[:-2])
    tables = f"{TABLE}: every threshold with its counts, {PAIRS}: every positive against every negative"
    return f"{names}, a measure of counts; {tables}"


def curve(given: argparse.Namespace) -> None:
    """Measures, draws, writes."""
    from ..evaluation.threshold_table import PairsMatrix
    from ..report.files import as_csv

    drawn = given.curve == PAIRS and str(given.out).lower().endswith(PICTURES)
    kinds = {TABLE: tallymark.OperatingPoints, PAIRS: PairsMatrix}
    options.check(given, out=PICTURES if drawn else kinds.get(given.curve, tallymark.Curve))
    if given.curve in kinds:
        _table(given, drawn)
        return
    of_curve, given.parameters = _of_curve(given)
    evaluation = _evaluated(given)
    range_of = options.thresholds(given)
    how = {**of_curve, **options.arguments(given, ("level",))}
    how |= {} if range_of is None else {"thresholds": range_of}
    result = evaluation.curve(given.curve, ties=given.ties, band=given.band, **how)
    result = result.simplify() if given.simplify else result
    if given.out is None:
        print(as_csv(result), end="")
        say(result, sys.stderr)  # which no column can
    else:
        options.write(result, given.out)
        print(f"{given.out}: {len(result)} points")
        say(result, sys.stdout)


def _of_curve(given: argparse.Namespace) -> tuple[dict[str, Any], list[str]]:
    """The parameters of the curve, as pr_interpolated.per_positive, and what is set of measures."""
    from ..curves import CURVES, plain

    name = plain(given.curve)
    of_it = [one for one in given.parameters if name in CURVES and plain(one.partition(".")[0]) == name]
    parameters = options.parameters_of(of_it)
    return {key: value for one in parameters.values() for key, value in one.items()}, [
        one for one in given.parameters if one not in of_it
    ]


def say(drawn: Any, where: Any) -> None:
    """What the band of a curve is, if it has one."""
    about = drawn.about
    if about is not None:
        method = f"{about}: {about.method}" if about.method else None
        line = "; ".join(part for part in (method, about.note) if part)
        for one in (line, conditions(about.design, about.weight_kind)):
            print(paragraph(one, first=""), file=where)


def _table(given: argparse.Namespace, drawn: bool) -> None:
    """Every threshold with its counts, or every pair: printed, or as a file."""
    for name in ("simplify", "ties", "band", "level", "thresholds"):
        if getattr(given, name) not in (None, False, "together"):
            what = "threshold" if given.curve == TABLE else "pair"
            problem = f"the table holds every {what} as it is"
            raise InputError("conflict", f"--{name}", problem, "leave it out, or take a curve, as gain")
    evaluation = _evaluated(given)
    table = evaluation.operating_points() if given.curve == TABLE else evaluation.pairs_matrix
    if given.out is None:
        print(table)
        return
    (options.picture if drawn else options.write)(table, given.out)
    size = f"{len(table['threshold'])} thresholds" if given.curve == TABLE else f"{table.cells.size} pairs"
    print(f"{given.out}: {size}")


def _evaluated(given: argparse.Namespace) -> Any:
    found = options.measured(given, level=0.95)  # --level is that of the band
    if given.label is None:
        return found
    if not isinstance(found, tallymark.MulticlassEvaluation) or found.scores is None:
        raise InputError("needed", "class", "it needs a score per class", "repeat --score, once for each")
    known = known_as(given.label, found.scores.labels)
    return found.one_vs_rest(given.label if known is None else known)


# plot
# --------------------------------------------------------------------------------------------------


def plot_names() -> list[str]:
    """The names of the kinds."""
    from ..report.figures import KINDS

    return sorted(KINDS)


def plot(given: argparse.Namespace) -> None:
    """Checks the kind and where the figure goes, measures, draws."""
    from ..report.figures import KINDS, known
    from ..report.plots import load

    known(given.kind)
    options.check(given, out=PICTURES)
    load("matplotlib").use("agg")  # no window is opened
    of_comparison = given.kind in KINDS and all(one.of == ("comparison",) for one in KINDS[given.kind])
    compared = {"measures": given.measure} if of_comparison else {}
    verb = tallymark.compare if of_comparison else tallymark.evaluate
    found = options.call(verb, given, **compared)
    display = found.plot(
        given.kind,
        band=None if given.band == "none" else given.band,
        measures=options.single(given.measure),
        classes=_classes(given, found),
        bins=given.drawn_bins,
        ties=given.ties,
    )
    display.save(given.out, dpi=given.dpi)
    print(without_controls(f"{given.out}: {display.figures[0].heading.splitlines()[0]}"))
    if display.figures[0].name == "roc" and isinstance(found, tallymark.EvaluationTable) and len(found) == 2:
        for low, high, better in found.crossings().regions:
            print(f"false positive rate {low:.4g} to {high:.4g}: {better} is higher")


def _classes(given: argparse.Namespace, found: Any) -> Any:
    """The labels as the data have them."""
    if given.label is None:
        return None
    first = next(iter(found.values())) if hasattr(found, "evaluations") else found
    labels = first.matrix.labels if hasattr(first, "matrix") else ()
    known = [known_as(one, labels) for one in given.label]
    return [one if label is None else label for one, label in zip(given.label, known, strict=True)]


COMMANDS = {
    "curve": Command(
        "the points of a curve, the whole ranking table, or the pairs, as a file or a picture",
        (
            "curve roc cases.csv --truth y --score p --out roc.csv",
            "curve table cases.csv --truth y --score p",
            "curve pr_interpolated cases.csv --truth y --score p --set pr_interpolated.per_positive=2",
            "curve decision cases.csv --truth y --score p --band pointwise --out decision.svg",
        ),
        {
            "curve": {"metavar": "CURVE", "late": curve_words},
            **options.files(),
            **options.cases(options.without("regression")),
            "--ties": text("together (default), optimistic or pessimistic", "HOW", default="together"),
            "--simplify": options.flag("leave out points on a straight line between their neighbours"),
            "--class": text("of a score per class: the class, against all others", "LABEL", dest="label"),
            "--band": text(
                "pointwise, simultaneous or kolmogorov-smirnov: low and high of each point", "KIND"
            ),
            "--level": number("confidence level of the band (default: 0.95)", "LEVEL"),
            **options.thresholds_option(
                "the range of the decision curve, for which a simultaneous band holds"
            ),
            **options.DESIGN,
            **options.SEED,
            **options.PARAMETERS,
            "--out": text(
                ".csv, .json, .parquet or .svg, of pairs .png and .pdf, too; without it CSV on standard"
                " output",
                "FILE",
            ),
        },
        curve,
        words=curve_names,
    ),
    "plot": Command(
        "a figure with matplotlib: curves, confusion matrix, reliability, forest, residuals, ...",
        (
            "plot roc cases.csv --truth y --model old=p --model new=q -o roc.png",
            "plot confusion cases.csv --truth y --score p --threshold 0.3 -o matrix.pdf",
        ),
        {
            "kind": {
                "metavar": "KIND",
                "late": lambda: f"{', '.join(plot_names())}, or a measure of counts, as f1",
            },
            **options.files(),
            **options.cases(),
            **options.MODELS,
            "-o --out": text("the figure: .png, .svg or .pdf", "FILE", required=True),
            **options.THRESHOLD,
            "--measure": text("of thresholds, forest, differences; may be repeated", "NAME", action="append"),
            "--class": text("a class to draw; may be repeated", "LABEL", dest="label", action="append"),
            "--band": text(
                "pointwise, simultaneous, kolmogorov-smirnov or none (default: pointwise, of up to five"
                " curves)",
                "KIND",
                default="auto",
            ),
            "--bins": {
                "dest": "drawn_bins",
                "type": int,
                "help": "number of bins, of reliability and density",
            },
            "--ties": options.flag("of roc: the area of tied scores in other orders"),
            "--dpi": {
                "type": int,
                "default": 150,
                "help": "pixels per inch of a .png (default: %(default)s)",
            },
            **options.INTERVALS,
        },
        plot,
        words=plot_names,
    ),
}
