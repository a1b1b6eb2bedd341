"""tallymark counts --tp 70 --fp 20 --fn 30 --tn 80"""

from __future__ import annotations

import argparse
from typing import Any

from . import evaluate, options

EXAMPLES = (
    "counts --tp 40 --fp 5 --fn 10 --tn 45",
    "counts --tp 40 --fp 5 --fn 10 --tn 45 --measure f1 --json",
)


def add(commands: Any) -> None:
    """Enters the command."""
    command = commands.add_parser("counts", help="measure a two-by-two table", examples=EXAMPLES)
    command.set_defaults(run=run)
    names = {"tp": "true positives", "fp": "false positives", "fn": "false negatives", "tn": "true negatives"}
    for name, meaning in names.items():
        command.add_argument(f"--{name}", type=float, required=True, metavar="N", help=meaning)
    evaluate.add_measures(command)
    options.add_intervals(command)
    options.add_output(command)


def run(given: argparse.Namespace) -> None:
    """Measures the table and shows it."""
    import tallymark

    options.check_output(given)
    counts = tallymark.Counts(tp=given.tp, fp=given.fp, fn=given.fn, tn=given.tn)
    found = tallymark.evaluate(counts=counts, measures=given.measure, **options.intervals(given))
    options.show(found, given)
