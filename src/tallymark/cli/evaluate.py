"""tallymark evaluate FILE --truth COLUMN --score COLUMN"""

from __future__ import annotations

import argparse
import sys
from contextlib import contextmanager
from typing import Any

from . import models, options


def add(commands: Any) -> None:
    """Enters the command."""
    command = commands.add_parser("evaluate", help="measure a file of labels and scores, or of labels and predicted labels")
    command.set_defaults(run=run)
    add_cases(command)
    models.add(command)
    add_clusters(command)
    add_threshold(command)
    options.add_intervals(command)
    options.add_output(command)


def add_cases(command: argparse.ArgumentParser, labels: bool = True) -> None:
    """Where the cases are, and what their columns mean; labels: whether predicted ones will do instead of scores."""
    command.add_argument("file", nargs="+", help="CSV, Parquet or JSON lines, one or several; - for standard input")
    command.add_argument("--truth", required=True, metavar="COLUMN", help="the real labels")
    command.add_argument(
        "--score",
        action="append",
        metavar="COLUMN",
        help="a number per case, higher meaning more positive; with more than two classes repeated, one column per class",
    )
    command.add_argument(
        "--classes",
        nargs="+",
        metavar="LABEL",
        help="of these columns (default: their names), or of --predicted",
    )
    if labels:
        command.add_argument("--predicted", metavar="COLUMN", help="predicted labels, instead of scores")
    command.add_argument("--weight", metavar="COLUMN", help="what each case counts")
    command.add_argument(
        "--weight-kind",
        metavar="KIND",
        help="count (a case of weight 2 is two cases) or importance (sampling or class weights); default: count if all are whole",
    )
    command.add_argument("--positive", metavar="LABEL", help="the positive label, where labels are not 0/1, -1/1 or false/true")
    command.add_argument("--lower-is-positive", action="store_true", help="a lower score means more positive")
    command.add_argument("--missing", default="reject", metavar="WHAT", help="rows with a missing value: reject (default) or drop")


def add_clusters(command: argparse.ArgumentParser) -> None:
    """Which cases are not independent of each other."""
    command.add_argument(
        "--clusters", metavar="COLUMN", help="which cases belong together, as of one patient: whole clusters are resampled"
    )


def add_threshold(command: argparse.ArgumentParser) -> None:
    """Where the scores become decisions."""
    command.add_argument(
        "--threshold",
        type=float,
        help="positive when score >= threshold (default: 0.5 for scores in [0, 1], 0 for logits, else by Youden's index)",
    )
    command.add_argument("--rule", help='choose it here, as youden, f1 or "sensitivity>=0.95" (see tallymark threshold)')
    command.add_argument(
        "--replicates",
        type=int,
        metavar="N",
        help="splits of the cases into halves, on which the choice is repeated (default: 50), or 0: no intervals at the threshold",
    )
    command.add_argument(
        "--score-kind",
        metavar="KIND",
        help="what the scores are: probability, logit, margin or llr (natural logarithms of likelihood ratios)",
    )
    command.add_argument("--regression", action="store_true", help="truth and predicted are amounts, not labels")


def run(given: argparse.Namespace) -> None:
    """Checks where the report goes, measures, shows."""
    options.check_output(given, given.file)
    options.show(measured(given), given)


def measured(given: argparse.Namespace) -> Any:
    """The evaluation of the cases."""
    import tallymark

    with progress_bar() as progress:
        return tallymark.evaluate(
            file_of(given),
            **(cases_of(given) | models.scores_of(given)),
            progress=progress,
            clusters=getattr(given, "clusters", None),
            **options.intervals(given),
        )


def file_of(given: argparse.Namespace) -> Any:
    """One file, or several."""
    return given.file if len(given.file) > 1 else given.file[0]


def cases_of(given: argparse.Namespace) -> dict[str, Any]:
    """The arguments of `evaluate` that say what the cases are."""
    cases = ("truth", "predicted", "weight", "weight_kind", "positive", "missing", "classes")
    names = (*cases, "threshold", "rule", "score_kind", "replicates")
    said = {name: getattr(given, name, None) for name in names}
    score = given.score[0] if given.score and len(given.score) == 1 else given.score
    return {
        **{name: value for name, value in said.items() if value is not None},
        "score": score,
        **({"regression": True} if getattr(given, "regression", False) else {}),
        "higher_is_positive": not given.lower_is_positive,
    }


@contextmanager
def progress_bar(unit: str = "rows", total: int | None = None):
    """A count of what is done, on a terminal; nothing in a pipe."""
    try:
        from tqdm import tqdm
    except ImportError:
        yield None
        return
    silent = sys.stderr is None or not sys.stderr.isatty()
    with tqdm(total=total, unit=f" {unit}", unit_scale=total is None, delay=0.5, leave=False, disable=silent) as bar:
        yield lambda done: bar.update(done - bar.n)
