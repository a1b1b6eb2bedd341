"""tallymark bootstrap FILE --truth COLUMN --score COLUMN [--clusters COLUMN]"""

from __future__ import annotations

import argparse
from typing import Any

from . import cases, options, progress

EXAMPLES = (
    "bootstrap cases.csv --truth y --score p --measure roc_auc --measure f1",
    "bootstrap cases.csv --truth y --score p --clusters person --replicates 1000",
)


def add(commands: Any) -> None:
    """Enters the command."""
    command = commands.add_parser(
        "bootstrap",
        help="intervals of any measure from resampled cases, or clusters of cases",
        examples=EXAMPLES,
    )
    command.set_defaults(run=run)
    cases.add_all(command, without=(*cases.OF_LABELS, "ordered"))
    command.add_argument(
        "--threshold", type=float, help="positive when score >= threshold (default: as in evaluate)"
    )
    command.add_argument(
        "--measure", action="append", metavar="NAME", help="may be repeated; all: every one (default: a few)"
    )
    command.add_argument("--method", default="bca", help="percentile, basic, bca (default) or studentised")
    options.add_design(command)
    add_resampling(command)
    command.add_argument(
        "--level", type=float, default=0.95, help="confidence level of the intervals (default: %(default)s)"
    )
    options.add_parameters(command)
    command.add_argument(
        "--json", action="store_true", help="write JSON, and nothing else, to standard output"
    )


def add_resampling(command: argparse.ArgumentParser) -> None:
    """How resamples are drawn."""
    command.add_argument(
        "--resampling",
        default="bootstrap",
        metavar="NAME",
        help="bootstrap (default) or poisson-bootstrap, faster",
    )
    command.add_argument(
        "--replicates", type=int, default=1000, metavar="N", help="resamples (default: %(default)s)"
    )
    command.add_argument("--seed", type=int, default=0, help="of the resampling (default: %(default)s)")
    command.add_argument(
        "--threads", type=int, metavar="N", help="default: one per processor; the answer is the same"
    )


def run(given: argparse.Namespace) -> None:
    """Resamples, shows."""
    import tallymark

    names = ("resampling", "replicates", "threads", "method", "design", "level")
    asked = {name: getattr(given, name) for name in names} | {
        "rng": given.seed,
        "parameters": options.parameters_of(given.set),
    }
    if given.threshold is not None:
        asked["threshold"] = given.threshold
    measures = "all" if given.measure == ["all"] else given.measure
    with progress.bar("resamples", given.replicates) as counted:
        found = tallymark.bootstrap(
            cases.file_of(given), **cases.arguments(given), measures=measures, progress=counted, **asked
        )
        answer = options.answer(found, given)
    print(answer)
