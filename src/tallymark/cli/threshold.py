"""tallymark threshold FILE --truth COLUMN --score COLUMN --rule youden"""

from __future__ import annotations

import argparse
from typing import Any

from . import cases, options, progress

DEFAULT = "youden"

EXAMPLES = (
    "threshold cases.csv --truth y --score p --rule f1",
    'threshold cases.csv --truth y --score p --rule "sensitivity>=0.9"',
)


def add(commands: Any) -> None:
    """Enters the command."""
    command = commands.add_parser(
        "threshold", help="choose a threshold by a rule, and see how far to trust it", examples=EXAMPLES
    )
    command.set_defaults(run=run)
    clusters = {"help": "with --replicates 0 only: resamples take every case by itself"}
    cases.add_all(command, changes={"clusters": clusters})
    command.late[command.add_argument("--rule", default=DEFAULT)] = rules
    command.add_argument("--cost-fp", type=float, metavar="COST", help="of one false positive")
    command.add_argument("--cost-fn", type=float, metavar="COST", help="of one false negative")
    command.add_argument(
        "--prevalence", type=float, metavar="SHARE", help="of positives where the classifier will work"
    )
    command.add_argument("--slope", type=float, help="of the ROC curve, for roc_slope")
    command.add_argument("--k", type=float, metavar="CASES", help="so many are predicted positive, for top_k")
    command.add_argument(
        "--replicates", type=int, default=1000, help="bootstrap resamples, 0 for none (default: %(default)s)"
    )
    chosen = command.add_mutually_exclusive_group()
    chosen.add_argument(
        "--measure", action="append", metavar="NAME", help="only this; may be repeated (default: a few)"
    )
    chosen.add_argument("--all", action="store_true", help="every measure, with notes, and all notices")
    options.add_intervals(command)
    command.add_argument(
        "--json", action="store_true", help="write JSON, and nothing else, to standard output"
    )


def rules() -> str:
    """The help of --rule."""
    from ..evaluation.thresholds.rules import NAMED

    names = ", ".join(f"{name} (default)" if name == DEFAULT else name for name in NAMED)
    return (
        f'{names}, a measure of counts, as f1, or constraints, as "sensitivity>=0.95" or "precision>=0.9'
        ' and recall>=0.8", also with an objective, as "f1 where precision>=0.9"; or'
        ' "sensitivity.low>=0.95" on the confidence bound'
    )


def run(given: argparse.Namespace) -> None:
    """Chooses, shows."""
    import tallymark

    rule = {
        name: getattr(given, name)
        for name in ("rule", "cost_fp", "cost_fn", "prevalence", "slope", "k", "replicates")
    }
    with progress.bar() as counted:
        choice = tallymark.choose_threshold(
            cases.file_of(given),
            **cases.arguments(given),
            **rule,
            measures=given.measure,
            progress=counted,
            **options.intervals(given),
        )
    print(options.answer(choice.all if given.all else choice, given))
