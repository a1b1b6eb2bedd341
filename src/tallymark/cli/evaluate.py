"""tallymark evaluate FILE --truth COLUMN --score COLUMN"""

from __future__ import annotations

import argparse
import sys
from contextlib import contextmanager
from typing import Any

from . import options


def add(commands: Any) -> None:
    """Enters the command."""
    command = commands.add_parser("evaluate", help="measure a file of labels and scores, or of labels and predicted labels")
    command.set_defaults(run=run)
    add_cases(command)
    options.add_intervals(command)
    options.add_output(command)


def add_cases(command: argparse.ArgumentParser) -> None:
    """Where the cases are, and what their columns mean."""
    command.add_argument("file", nargs="+", help="CSV, Parquet or JSON lines, one or several")
    command.add_argument("--truth", required=True, metavar="COLUMN", help="the real labels")
    command.add_argument("--score", metavar="COLUMN", help="a number per case, higher meaning more positive")
    command.add_argument("--predicted", metavar="COLUMN", help="predicted labels, instead of scores")
    command.add_argument("--weight", metavar="COLUMN", help="how many times each case counts")
    command.add_argument(
        "--threshold",
        type=float,
        help="positive when score >= threshold (default: 0.5 for scores in [0, 1], else the largest Youden index)",
    )
    command.add_argument("--positive", metavar="LABEL", help="the positive label, where labels are not 0/1, -1/1 or false/true")
    command.add_argument("--lower-is-positive", action="store_true", help="a lower score means more positive")
    command.add_argument("--missing", default="reject", metavar="WHAT", help="rows with a missing value: reject (default) or drop")


def run(given: argparse.Namespace) -> None:
    """Checks where the report goes, measures, shows."""
    options.check_output(given, given.file)
    options.show(measured(given), given)


def measured(given: argparse.Namespace) -> Any:
    """The evaluation of the cases."""
    import tallymark

    columns = {role: getattr(given, role) for role in ("truth", "score", "predicted", "weight")}
    with _progress() as progress:
        return tallymark.evaluate(
            given.file if len(given.file) > 1 else given.file[0],
            **columns,
            threshold=given.threshold,
            positive=given.positive,
            higher_is_positive=not given.lower_is_positive,
            missing=given.missing,
            progress=progress,
            **options.intervals(given),
        )


@contextmanager
def _progress():
    """A count of rows on a terminal, nothing in a pipe."""
    try:
        from tqdm import tqdm
    except ImportError:
        yield None
        return
    with tqdm(unit=" rows", unit_scale=True, delay=0.5, leave=False, disable=not sys.stderr.isatty()) as bar:
        yield lambda rows: bar.update(rows - bar.n)
