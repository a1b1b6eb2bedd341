"""tallymark roc-points FILE --truth COLUMN --predicted A --predicted B [--plot points.png]"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

from ..input.errors import InputError
from . import cases, evaluate, models, options, progress
from .plot import ENDINGS

COLUMNS = (
    "truth", "predicted", "weight", "weight_kind", "clusters", "positive", "predicted_positive",
    "not_an_answer", "missing",
)  # fmt: skip
SEVERAL = {"help": "predicted labels; repeated, once per classifier", "action": "append"}

EXAMPLES = (
    "roc-points cases.csv --truth y --model old=p --model new=q",
    "roc-points cases.csv --truth y --model old=p --model new=q --plot points.png",
)


def add(commands: Any) -> None:
    """Enters the command."""
    command = commands.add_parser(
        "roc-points",
        help="classifiers without scores as points in ROC space, and which dominate which",
        examples=EXAMPLES,
    )
    command.set_defaults(run=run)
    cases.add_files(command)
    cases.add(command, COLUMNS, {"truth": {"required": True}, "predicted": SEVERAL})
    models.add(command)
    evaluate.add_threshold(command)
    command.add_argument("--level", type=float, default=0.95, help="of the intervals (default: %(default)s)")
    command.add_argument("--plot", metavar="FILE", help="draw the points: .png, .svg or .pdf")
    command.add_argument(
        "-o", "--out", metavar="FILE", help="write the points: .csv, .json, .parquet, .xlsx, .md, .html, ..."
    )
    command.add_argument(
        "--json", action="store_true", help="write JSON, and nothing else, to standard output"
    )


def run(given: argparse.Namespace) -> None:
    """Measures, writes, draws, shows."""
    import tallymark

    from ..report import writing

    if given.out is not None:
        tallymark.RocPoints.check_path(given.out, "out")
        options.spare(given.out, given.file, "out")
    if given.plot is not None:
        writing.check(given.plot, "plot", ENDINGS)
        options.spare(given.plot, given.file, "plot")
    found = tallymark.roc_points(_evaluated(given), level=given.level)
    if given.out is not None:
        options.write(found, given.out)
    if given.plot is not None:
        _draw(found, given.plot)
    print(options.answer(found, given))


def _draw(found: Any, path: str) -> None:
    from ..report.plots.loading import load

    load("matplotlib").use("agg")  # no window is opened
    with progress.bar():
        found.plot().save(path)


def _evaluated(given: argparse.Namespace) -> Any:
    """The evaluation of each classifier by name. Raises InputError without any."""
    import tallymark

    arguments = {**cases.arguments(given), **models.scores_of(given), **evaluate.decided(given)}
    if given.predicted is not None:
        arguments["predicted"] = _distinct(given.predicted)
    elif given.model is None:
        problem = "the classifiers are missing"
        raise InputError(
            "needed", "predicted", problem, "repeat --predicted, or --model NAME=COLUMN, once for each"
        )
    with progress.bar() as counted:
        found = tallymark.evaluate(cases.file_of(given), **arguments, level=given.level, progress=counted)
    for name, one in found.items():
        _of_two_classes(name, one)
    return found


def _of_two_classes(name: str, one: Any) -> None:
    """Raises InputError for the predictions of more classes."""
    if one.task != "binary":
        problem = f"the column {name!r} and the actual labels have more than two classes"
        raise InputError("unsupported", "predicted", problem, "a point in ROC space is of two classes")


def _distinct(names: Sequence[str]) -> dict[str, str]:
    """The columns by their names. Raises InputError for one that is named twice."""
    for i, name in enumerate(names):
        if name in names[:i]:
            raise InputError("repeated", "predicted", f"the column {name!r} is named twice", "name it once")
    return {name: name for name in names}
