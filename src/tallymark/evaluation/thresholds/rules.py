"""The rules: each gives every threshold a value from its counts; the highest is best, NaN is never chosen.

A rule chooses among the thresholds that no other one dominates (`picking`). Most objectives increase with
sensitivity and with specificity, so that this makes no difference. It matters for `equal_error`,
`prevalence_matched`, `top_k`, and for the measures `optimization_precision`, which subtracts the difference
of both rates, and `uncertainty_coefficient`, which is the same for reversed predictions. A constraint, and
the k of `top_k`, restrict the allowed thresholds: one that is not allowed dominates none.

A rule by name is a function of counts whose cells have one entry per threshold along the last axis, so that
the same function serves a table and thousands of resamples.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ...input.listed import listed
from ...input.messages.notes import Note
from ...measures.families.combined import youden_j
from ...measures.families.rates import false_negative_rate, false_positive_rate, sensitivity
from ...summaries import Counts
from .bounds import OfCounts
from .rulespec import RuleSpec


class Limit(NamedTuple):
    """A limit on the estimate of a measure, at least or at most the value.

    safer: the rule on its confidence bound, if there is one.
    """

    measure: str
    at_least: bool
    value: float
    safer: RuleSpec | None

    def met_by(self, low: float, high: float) -> bool:
        """Whether a whole interval meets it."""
        return low >= self.value if self.at_least else high <= self.value


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule: its value for each threshold, the allowed thresholds, and what decides between ties.

    spec: the rule as plain values; objective: how good each threshold is; then: what decides between equally
    good ones; allowed: which thresholds are allowed; why_nothing: of the counts, why no threshold is allowed,
    where there is a special reason; of_bound: whether a confidence bound is limited, so that weights must be
    numbers of cases; limit: on the estimate of a measure. The functions have a name, or are partials of such
    functions, so that a rule can be pickled.
    """

    spec: RuleSpec
    objective: OfCounts
    then: OfCounts | None = None
    allowed: OfCounts | None = None
    why_nothing: Callable[[Counts], Note] | None = None
    of_bound: bool = False
    limit: Limit | None = None

    @property
    def text(self) -> str:
        """The rule in words."""
        return self.spec.text


class Named(NamedTuple):
    """A rule by name: its function, the options of this, and which thresholds are allowed.

    allowed: a function with the same options.
    """

    function: Callable[..., Any]
    options: tuple[str, ...]
    allowed: Callable[..., Any] | None = None


NAMED: dict[str, Named] = {}


def needed(rule: str) -> list[str]:
    """The required options of a rule by name."""
    if rule not in NAMED:
        return []
    taken = inspect.signature(NAMED[rule].function).parameters
    return [
        name
        for name in NAMED[rule].options
        if name in taken and taken[name].default is inspect.Parameter.empty
    ]


def named(
    *options: str, allowed: Callable[..., Any] | None = None, aka: tuple[str, ...] = ()
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Registers a rule under the name of the function. aka: other names, for the catalogue."""

    def enter(function: Callable[..., Any]) -> Callable[..., Any]:
        name = function.__name__
        NAMED[name] = Named(function, options, allowed)
        use, command = f'tm.choose_threshold(..., rule="{name}")', f"tallymark threshold --rule {name}"
        return listed("rule", use, aka=aka, command=command)(function)

    return enter


@named(aka=("youden_threshold", "youden_cutoff"))
def youden(c: Counts) -> Any:
    """The largest sensitivity + specificity - 1. Source: Berrar, Def. 8; Youden (1950)."""
    return youden_j(c)


@named(aka=("closest_topleft", "closest_to_0_1", "top_left_corner", "closest_to_perfect"))
def closest_to_corner(c: Counts) -> Any:
    """The point of the ROC curve closest to (0, 1).

    Source: Tharwat, section 3; Perkins and Schisterman (2006) on its weakness.
    """
    return -(np.square(false_positive_rate(c)) + np.square(false_negative_rate(c)))


@named(
    "cost_fp",
    "cost_fn",
    "prevalence",
    "slope",
    aka=("slope_of_the_roc_curve", "iso_performance_line", "slope_1"),
)
def roc_slope(c: Counts, slope: float | None = None, **of_costs: Any) -> Any:
    """The point where a line of this slope touches the ROC curve.

    The slope is 1, or (cost_fp / cost_fn) (1 - prevalence) / prevalence.

    Source: Metz (1978); Zweig and Campbell (1993).
    """
    if slope is None:
        slope = 1.0 if all(value is None for value in of_costs.values()) else _slope(c, **of_costs)
    return sensitivity(c) - slope * false_positive_rate(c)


def _slope(
    c: Counts, cost_fp: float | None = None, cost_fn: float | None = None, prevalence: float | None = None
) -> Any:
    odds = c.negatives / c.positives if prevalence is None else (1 - prevalence) / prevalence
    return (1.0 if cost_fp is None else cost_fp) / (1.0 if cost_fn is None else cost_fn) * odds


@named(aka=("equal_error_threshold",))
def equal_error(c: Counts) -> Any:
    """The threshold at which the error rates of both classes are as equal as possible.

    Only thresholds that no other one dominates: of two thresholds with the same error rate of one class, only
    the one with fewer errors of the other class can be chosen, even where its rates are less equal. Source:
    Tharwat, section 6.
    """
    return -np.abs(false_positive_rate(c) - false_negative_rate(c))


@named("cost_fp", "cost_fn", "prevalence", aka=("minimum_cost", "cost_threshold"))
def cost(c: Counts, cost_fp: float, cost_fn: float, prevalence: float | None = None) -> Any:
    """The smallest mean cost per case, at the class mix of the data or another one. Source: Elkan (2001)."""
    share = c.positives / c.total if prevalence is None else prevalence
    return -(cost_fn * share * false_negative_rate(c) + cost_fp * (1 - share) * false_positive_rate(c))


@named("prevalence", aka=("prevalence_matching", "predicted_prevalence_matched"))
def prevalence_matched(c: Counts, prevalence: float | None = None) -> Any:
    """As many predicted as actual positives, or as many as the prevalence states.

    Only thresholds that no other one dominates, so that the number may be missed by cases that are all of one
    class. Source: Freeman and Moisen (2008).
    """
    return -np.abs(c.tp + c.fp - (c.positives if prevalence is None else prevalence * c.total))


def at_most_k(c: Counts, k: float) -> Any:
    """Where at most k cases are predicted positive."""
    return c.tp + c.fp <= k


@named("k", allowed=at_most_k, aka=("k_highest",))
def top_k(c: Counts, k: float) -> Any:
    """The most predicted positives, but at most k.

    Fewer than k where the next cases are tied, or are all negatives: only thresholds with at most k predicted
    positives that no other one of these dominates. So the threshold is the score of a positive: of the first
    k cases, the negatives after the last positive are left out. Where none of the first k is positive, no
    case is predicted positive (an infinite threshold).
    """
    return c.tp + c.fp
