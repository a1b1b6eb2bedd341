"""tallymark demo: the main job on the data that come with the package."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from . import evaluate, options

DATA = Path(__file__).parent.parent / "data" / "screening.csv"

EXAMPLES = ("demo",)


def add(commands: Any) -> None:
    """Enters the command."""
    command = commands.add_parser(
        "demo", help="measure the sample data, and write a report page", examples=EXAMPLES
    )
    command.set_defaults(run=run)
    command.add_argument("--all", action="store_true", help="every measure, with the method of its interval")
    evaluate.add_style(command)
    options.add_intervals(command)
    options.add_output(command)
    command.set_defaults(report="tallymark-demo.html")


def run(given: argparse.Namespace) -> None:
    """Measures the sample, as a user would measure a file of his own, and says how."""
    import tallymark

    options.check_output(given)
    if options.plain(given):
        print(
            f"$ tallymark evaluate {DATA} --truth disease --score risk --positive present --report"
            f" {given.report}\n"
        )
    evaluation = tallymark.evaluate(
        str(DATA), truth="disease", score="risk", positive="present", **options.intervals(given)
    )
    options.show(evaluation, given)
