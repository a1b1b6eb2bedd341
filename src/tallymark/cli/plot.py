"""tallymark plot roc FILE --truth COLUMN --score COLUMN -o roc.png"""

from __future__ import annotations

import argparse
from typing import Any

from ..input.errors import InputError
from ..input.labels import known_as
from ..input.terminal import without_controls
from . import cases, evaluate, models, options, progress

ENDINGS = (".png", ".svg", ".pdf")
AUTOMATIC, NONE = "auto", "none"

EXAMPLES = (
    "plot roc cases.csv --truth y --model old=p --model new=q -o roc.png",
    "plot confusion cases.csv --truth y --score p --threshold 0.3 -o matrix.pdf",
)


def add(commands: Any) -> None:
    """Enters the command."""
    command = commands.add_parser(
        "plot",
        help="a figure with matplotlib: curves, confusion matrix, reliability, forest, residuals, ...",
        examples=EXAMPLES,
    )
    command.set_defaults(run=run)
    command.late[command.add_argument("kind", metavar="KIND")] = kinds
    command.words = names
    cases.add_all(command)
    models.add(command)
    command.add_argument("-o", "--out", required=True, metavar="FILE", help="the figure: .png, .svg or .pdf")
    evaluate.add_threshold(command)
    command.add_argument(
        "--measure",
        action="append",
        metavar="NAME",
        help="of thresholds, forest, differences; may be repeated",
    )
    command.add_argument(
        "--class", dest="label", action="append", metavar="LABEL", help="a class to draw; may be repeated"
    )
    command.add_argument(
        "--band", default=AUTOMATIC, metavar="KIND",
        help="pointwise, simultaneous, kolmogorov-smirnov or none (default: pointwise, of up to five curves)",
    )  # fmt: skip
    command.add_argument("--bins", type=int, help="number of bins, of reliability and density")
    command.add_argument(
        "--ties", action="store_true", help="of roc: the area of tied scores in other orders"
    )
    command.add_argument(
        "--dpi", type=int, default=150, help="pixels per inch of a .png (default: %(default)s)"
    )
    options.add_intervals(command)


def names() -> list[str]:
    """The names of the kinds."""
    from ..report.plots import KINDS

    return sorted(KINDS)


def kinds() -> str:
    """The help of KIND."""
    return f"{', '.join(names())}, or a measure of counts, as f1"


def run(given: argparse.Namespace) -> None:
    """Checks the kind and where the figure goes, measures, draws."""
    from ..evaluation.results import EvaluationTable
    from ..report import writing
    from ..report.plots import known
    from ..report.plots.loading import load

    known(given.kind)
    writing.check(given.out, "out", ENDINGS)
    options.spare(given.out, given.file, "out")
    load("matplotlib").use("agg")  # no window is opened
    found = _compared(given) if _compares(given.kind) else evaluate.measured(given)
    band = None if given.band == NONE else given.band
    with progress.bar():
        display = found.plot(
            given.kind, band=band, measures=cases.single(given.measure), classes=_classes(given, found),
            bins=given.bins, ties=given.ties,
        )  # fmt: skip
        display.save(given.out, dpi=given.dpi)
    print(without_controls(f"{given.out}: {display.picture.heading.splitlines()[0]}"))
    if display.picture.kind == "roc" and isinstance(found, EvaluationTable) and len(found) == 2:
        for low, high, better in found.crossings().regions:
            print(f"false positive rate {low:.4g} to {high:.4g}: {better} is higher")


def _compares(kind: str) -> bool:
    """Whether it is a figure of comparisons alone."""
    from ..report.plots import KINDS
    from ..studies.compare import Comparison

    return kind in KINDS and all(one.of == (Comparison,) for one in KINDS[kind])


def _compared(given: argparse.Namespace) -> Any:
    """The comparison of the models, for its figures."""
    import tallymark

    scores = models.scores_of(given)
    if not scores:
        raise InputError(
            "needed",
            models.OPTION,
            f"{given.kind} compares models",
            "name two, as --model old=a --model new=b",
        )
    with progress.bar():
        return tallymark.compare(
            cases.file_of(given), **cases.arguments(given), **scores, measures=given.measure,
            level=given.level, rng=given.seed, design=given.design, threshold=given.threshold,
            parameters=options.parameters_of(given.set),
        )  # fmt: skip


def _classes(given: argparse.Namespace, found: Any) -> Any:
    """The labels as the data have them."""
    if given.label is None:
        return None
    first = next(iter(found.values())) if hasattr(found, "evaluations") else found
    labels = first.matrix.labels if hasattr(first, "matrix") else ()
    known = [known_as(one, labels) for one in given.label]
    return [one if label is None else label for one, label in zip(given.label, known, strict=True)]
