"""Rules on a confidence bound, as "sensitivity.low>=0.95": limits that hold for other cases.

A rate of one class is monotonic in the threshold. The thresholds are tested in that order, beginning with the
one at which the limit is easiest to meet, each at the full level and up to the first failure. Then all
thresholds that pass meet the limit simultaneously at the confidence level (fixed-sequence testing; Bauer
1991, Angelopoulos et al. 2021). The test is the exact binomial one of Clopper and Pearson (1934), so that the
threshold is an order statistic of the scores of one class, a distribution-free tolerance limit (Wilks 1941).
A measure that is not monotonic in the threshold, as precision, has no such order.
"""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, log
from typing import Any

import numpy as np

from ...inference.intervals.of_counts import parts, parts_of
from ...input.messages import Note
from ...input.validate import InputError
from ...measures.registry import Measure
from ...summaries import Counts
from .rulespec import RuleSpec

OfCounts = Callable[[Counts], Any]  # a measure, with its parameters
SIGNS = {"low": ">=", "high": "<="}
ROUNDING = 1e-12
# of tp, fp, fn and tn those in the denominator
ONE_CLASS = ((1, 0, 1, 0), (0, 1, 0, 1))
OF_CLUSTERS = "is valid for independent cases only; take another rule, or choose the threshold on other cases"


def parts_along(entry: Measure, function: OfCounts, usual: list[Counts]) -> bool:
    """Whether the measure is a share of one class, and so monotonic in the threshold."""
    if entry.interval is None or entry.interval.kind != "proportion":
        return False
    below = parts_of(function)[1]
    if tuple(below) not in ONE_CLASS:
        return False
    steps = np.concatenate([np.diff(parts(function, counts)[0]) for counts in usual])
    return bool(steps.min() >= -ROUNDING or steps.max() <= ROUNDING)


class RuleError(InputError):
    """A rule is wrong, or allows no threshold.

    why: without the name of the argument and without a full stop; a note where no threshold of these cases is
    allowed; unknown: a name that is not known.
    """

    def __init__(self, why: str | Note, unknown: Any = None):
        self.why = why
        code = (
            "no-result" if isinstance(why, Note) else "invalid-value" if unknown is None else "unknown-name"
        )
        super().__init__(code, "rule", str(why), value=unknown)


def check_side(name: str, side: str, sign: str, limit: float) -> None:
    """Raises InputError for a bound that guarantees nothing."""
    if SIGNS[side] != sign:
        raise RuleError(
            f"{name}.{side}{sign}{limit:g} guarantees nothing about {name}; a lower bound takes >=, as"
            f" {name}.low>={limit:g}, and an upper one <=, as {name}.high<={limit:g}"
        )
    if limit in (0.0, 1.0):
        raise RuleError(
            f"no number of cases shows that {name} {sign} {limit:g}; give a limit between 0 and 1"
        )


def no_order(entry: Measure, named: list[str]) -> RuleError:
    """The error for a measure that is not monotonic in the threshold."""
    return RuleError(
        f"{entry.name} is not monotonic in the threshold, so that a bound at the best threshold is not valid;"
        f" rules on a bound are of {', '.join(named)}. Choose on other cases, and see the interval of "
        f"{entry.name} here"
    )


def met(c: Counts, function: OfCounts, side: str, limit: float, level: float) -> Any:
    """Where the exact one-sided bound of a share x of n meets the limit: where the binomial test rejects."""
    from scipy.special import betainc

    x, n = parts(function, c)
    good, share = (x, limit) if side == "low" else (n - x, 1 - limit)
    with np.errstate(invalid="ignore"):
        p = np.where(good > 0, betainc(np.maximum(good, ROUNDING), n - good + 1, share), 1.0)
    return p <= (1 - level) * (1 + ROUNDING)


def needed(side: str, limit: float, level: float) -> int:
    """The fewest cases with which the bound can meet the limit: 59 for 0.95 at a level of 0.95."""
    return ceil(log(1 - level) / log(limit if side == "low" else 1 - limit) - ROUNDING)


def too_few(rule: RuleSpec, level: float, function: OfCounts, c: Counts) -> Note:
    """Why no threshold meets the rule."""
    there = float(np.max(parts(function, c)[1]))
    return Note(
        "too-few-for-bound",
        rule=rule,
        level=level,
        cases=needed(rule["side"], rule["limit"], level),
        there=there,
    )
