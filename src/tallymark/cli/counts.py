"""tallymark counts --tp 70 --fp 20 --fn 30 --tn 80"""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

from ..input.validate import InputError
from . import evaluate, options

if TYPE_CHECKING:
    from ..evaluation.prevalence import AtPrevalence
    from ..summaries import Counts

CELLS = {"tp": "true positives", "fp": "false positives", "fn": "false negatives", "tn": "true negatives"}
VALUES = ("precision", "negative_predictive_value", "predicted_prevalence", "prevalence", "cases")
WAYS = "give all of --tp --fp --fn --tn, or --precision and --npv with --predicted-prevalence or --prevalence"

EXAMPLES = (
    "counts --tp 40 --fp 5 --fn 10 --tn 45",
    "counts --tp 40 --fp 5 --fn 10 --tn 45 --measure f1 --json",
    "counts --precision 0.75 --npv 0.67 --predicted-prevalence 0.4 --cases 100",
)


def add(commands: Any) -> None:
    """Enters the command."""
    command = commands.add_parser(
        "counts", help="measure a two-by-two table, or that of predictive values", examples=EXAMPLES
    )
    command.set_defaults(run=run)
    for name, meaning in CELLS.items():
        command.add_argument(f"--{name}", type=float, metavar="N", help=meaning)
    add_predictive(command)
    evaluate.add_measures(command)
    options.add_intervals(command)
    options.add_output(command)


def add_predictive(command: argparse.ArgumentParser) -> None:
    """The values that determine a table, in place of its cells."""
    share: dict[str, Any] = {"type": float, "metavar": "SHARE"}
    command.add_argument("--precision", "--ppv", help="the table of predictive values: PPV", **share)
    npv = ("--npv", "--negative-predictive-value")
    command.add_argument(*npv, dest="negative_predictive_value", help="and NPV", **share)
    command.add_argument("--predicted-prevalence", help="with these: of cases predicted positive", **share)
    command.add_argument("--prevalence", help="or of actual positives", **share)
    command.add_argument(
        "--cases", type=float, metavar="N", help="with these: how many; without it there are no intervals"
    )


def run(given: argparse.Namespace) -> None:
    """Measures the table and shows it."""
    import tallymark

    options.check_output(given)
    counts = _table(given)
    if given.tp is None and given.cases is None:
        _show_values(counts, given)
        return
    found = tallymark.evaluate(counts=counts, measures=given.measure, **options.intervals(given))
    options.show(found, given)


def _table(given: argparse.Namespace) -> Counts:
    """The table of the cells, or of the predictive values. Raises InputError for neither and for both."""
    import tallymark

    cells = {name: getattr(given, name) for name in CELLS if getattr(given, name) is not None}
    values = {name: getattr(given, name) for name in VALUES if getattr(given, name) is not None}
    if len(cells) == len(CELLS) and not values:
        return tallymark.Counts(**cells)
    if cells or not set(VALUES[:2]) <= set(values):
        missing = [f"--{name}" for name in CELLS if name not in cells]
        problem = f"{', '.join(missing)} missing" if missing else "both are given"
        raise InputError("needed", "counts", problem if cells else "they are incomplete", WAYS)
    return tallymark.convert.from_predictive_values(**values)


def _show_values(counts: Counts, given: argparse.Namespace) -> None:
    """The measures of a table in shares, without intervals: these need the number of cases."""
    if given.measure is not None and (given.markdown or given.report is not None):
        problem = "without the number of cases a file and Markdown have every measure"
        raise InputError("conflict", "--measure", problem, "give --cases, or leave it out")
    found = _without_size(counts)
    if given.report is not None:
        options.write(found, given.report)
    if given.measure is None:
        print(options.answer(found, given))
        return
    from ..input import text
    from ..measures import registry

    chosen = {registry.get(name).name: found[name] for name in given.measure}
    if given.json:
        measures = {name: one.to_dict() for name, one in chosen.items()}
        print(json.dumps({**found.to_dict(), "measures": measures}, indent=2, allow_nan=False))
    else:
        rows = [[name, text.number(float(one))] for name, one in chosen.items()]
        print(text.blocks(["measure", "value"], rows))


def _without_size(counts: Counts) -> AtPrevalence:
    import tallymark
    from tallymark import measures

    return tallymark.at_prevalence(
        sensitivity=measures.sensitivity(counts),
        specificity=measures.specificity(counts),
        prevalence=counts.positives,
    )
