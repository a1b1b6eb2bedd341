"""tallymark advise FILE --truth COLUMN --score COLUMN [--need ranking] [--cost-fp 1 --cost-fn 20]"""

from __future__ import annotations

import argparse
from contextlib import nullcontext
from typing import Any

from . import cases, evaluate, options, progress
from .spelling import in_python

EXAMPLES = (
    "advise cases.csv --truth y --score p",
    "advise cases.csv --truth y --score p --need decision --cost-fp 1 --cost-fn 5",
)


def add(commands: Any) -> None:
    """Enters the command."""
    command = commands.add_parser(
        "advise", help="say which measures to use on a file of labels, and which mislead", examples=EXAMPLES
    )
    command.set_defaults(run=run)
    cases.add_all(command)
    command.add_argument(
        "--need",
        metavar="WHAT",
        help="decision, ranking, early_retrieval or probabilities; default: all but early_retrieval",
    )
    command.add_argument("--cost-fp", type=float, metavar="COST", help="of one false positive")
    command.add_argument("--cost-fn", type=float, metavar="COST", help="of one false negative")
    command.add_argument("--all", action="store_true", help="every measure and every reason")
    options.add_intervals(command)
    command.add_argument(
        "--json", action="store_true", help="write JSON, and nothing else, to standard output"
    )


def run(given: argparse.Namespace) -> None:
    """Measures, advises, shows."""
    import tallymark

    measured = evaluate.measured(given)
    with in_python() if given.json else nullcontext(), progress.bar():  # its sentences are made here
        advice = tallymark.advise(measured, need=given.need, cost_fp=given.cost_fp, cost_fn=given.cost_fn)
    print(options.answer(advice.all if given.all else advice, given))
