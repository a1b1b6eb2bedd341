"""tallymark prevalence --sensitivity 0.99 --specificity 0.99 --prevalence 0.05"""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

from ..input.validate import InputError
from . import progress

if TYPE_CHECKING:
    from ..evaluation.prevalence import AtPrevalence
    from ..inference import Estimate
    from ..summaries import Counts

CELLS, RATES = ("tp", "fp", "fn", "tn"), ("sensitivity", "specificity")

EXAMPLES = (
    "prevalence --tp 40 --fp 5 --fn 10 --tn 45 --prevalence 0.01 0.1",
    "prevalence --sensitivity 0.8 --specificity 0.9 --prevalence 0.05 --cases 1000",
)


def add(commands: Any) -> None:
    """Enters the command."""
    command = commands.add_parser(
        "prevalence", help="predictive values, and all the rest, at another class mix", examples=EXAMPLES
    )
    command.set_defaults(run=run)
    for name in CELLS:
        command.add_argument(
            f"--{name}", type=float, metavar="N", help="a count of the table that was measured"
        )
    for name in RATES:
        command.add_argument(
            f"--{name}", type=float, metavar="SHARE", help="instead of the counts; without intervals"
        )
    command.add_argument(
        "--prevalence", type=float, nargs="+", metavar="SHARE", help="of positives, one or several"
    )
    command.add_argument(
        "--prevalence-counts", type=float, nargs=2, metavar=("POSITIVES", "CASES"),
        help="positives and cases of the sample used to estimate the prevalence; its uncertainty is included",
    )  # fmt: skip
    command.add_argument(
        "--npr",
        type=float,
        nargs="+",
        metavar="RATIO",
        help="negatives per positive, instead of the prevalence",
    )
    command.add_argument(
        "--cases", type=float, metavar="N", help="with rates: cases of the table of expected counts"
    )
    command.add_argument(
        "--level", type=float, default=0.95, help="confidence level of the intervals (default: %(default)s)"
    )
    command.add_argument("--seed", type=int, default=0, help="of the simulation (default: %(default)s)")
    command.add_argument(
        "--json", action="store_true", help="write JSON, and nothing else, to standard output"
    )


def run(given: argparse.Namespace) -> None:
    """One prevalence in full, or several side by side."""
    with progress.bar():
        found = _asked(given)
    if given.json:
        from ..input.results import head

        print(
            json.dumps(
                {**head("prevalence"), "at": [one.to_dict() for one in found]}, indent=2, allow_nan=False
            )
        )
    else:
        print(str(found[0]) if len(found) == 1 else _side_by_side(found))


def _asked(given: argparse.Namespace) -> list[AtPrevalence]:
    import tallymark

    if sum(one is not None for one in (given.prevalence, given.prevalence_counts, given.npr)) != 1:
        raise InputError(
            "needed",
            "prevalence",
            "give one of --prevalence, shares between 0 and 1, --prevalence-counts, positives and cases, and"
            " --npr, negatives per positive",
        )
    measured = _measured(given)
    rates = {} if measured else {name: getattr(given, name) for name in RATES}
    role = "npr" if given.npr is not None else "prevalence"
    values: list[Any] = (
        [tuple(given.prevalence_counts)] if given.prevalence_counts is not None else getattr(given, role)
    )
    arguments = rates | {"cases": given.cases, "level": given.level, "rng": given.seed}
    return [
        tallymark.at_prevalence(*([measured] if measured else []), **arguments, **{role: value})
        for value in values
    ]


def _measured(given: argparse.Namespace) -> Counts | None:
    import tallymark

    cells = {name: getattr(given, name) for name in CELLS}
    missing = [f"--{name}" for name, value in cells.items() if value is None]
    if len(missing) == len(CELLS):
        if all(getattr(given, name) is None for name in RATES):
            raise InputError(
                "needed",
                "counts",
                "none",
                "give all of --tp --fp --fn --tn, or --sensitivity and --specificity alone",
            )
        return None
    if missing or any(getattr(given, name) is not None for name in RATES):
        wrong = f"{', '.join(missing)} missing" if missing else "rates with them"
        raise InputError(
            "needed",
            "counts",
            wrong,
            "give all of --tp --fp --fn --tn, or --sensitivity and --specificity alone",
        )
    return tallymark.Counts(**cells)


def _side_by_side(found: list[AtPrevalence]) -> str:
    from ..input import text

    counts = [[name, *(text.count(getattr(one.counts, name)) for one in found)] for name in CELLS]
    rows = counts if found[0].measured is None and found[0].counts.total != 1 else []
    rows += [[name, *(_brief(one[name]) for one in found)] for name in found[0]]
    first = found[0]
    rates = ", ".join(f"{name} {first[name]:.4g}" for name in RATES)
    known = (
        f"{100 * first.settings.level:.4g}% intervals"
        if first.measured
        else "no intervals, for want of counts"
    )
    head = "\n".join(
        text.paragraph(line, first="") for line in (f"{rates}; {known}", first.conditions) if line
    )
    return f"{head}\n\n" + text.blocks(["prevalence", *(text.number(one.prevalence) for one in found)], rows)


def _brief(found: Estimate) -> str:
    from ..input import text

    if not found.has_interval:
        return text.number(found.value)
    return f"{text.number(found.value)} ({text.number(found.low, 3)}-{text.number(found.high, 3)})"
