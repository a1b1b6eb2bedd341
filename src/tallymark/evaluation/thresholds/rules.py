"""The rules: each gives every threshold a value from its counts; the highest is best, NaN is never chosen.

A rule that optimises chooses among the thresholds that no other one dominates (`picking`); a constraint
restricts them, and one that is not allowed dominates none. `top_k`, `prevalence_matched` and `equal_error`
are `exact`: they promise a number or equal rates, and return that, dominated or not.

A rule by name is a function of counts whose cells have one entry per threshold along the last axis, so that
the same function serves a table and thousands of resamples. `measures` of its entry names what it is about,
with the parameters that follow from its options: the evaluation at the threshold measures these with them.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ...input.messages import Note
from ...input.names import listed
from ...measures.families.combined import youden_j
from ...measures.families.cost import expected_cost
from ...measures.families.rates import false_negative_rate, false_positive_rate
from ...summaries import Counts
from .bounds import OfCounts
from .rulespec import RuleSpec


class Limit(NamedTuple):
    """A limit on the estimate of a measure.

    spec: the constraint, with `measure`, `sign` and `limit`; safer: the rule on its confidence bound, if
    there is one.
    """

    spec: RuleSpec
    safer: RuleSpec | None

    def met_by(self, low: float, high: float) -> bool:
        """Whether a whole interval meets it."""
        return bool(low >= self.spec["limit"] if self.spec["sign"] == ">=" else high <= self.spec["limit"])


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule: its value for each threshold, the allowed thresholds, and what decides between ties.

    spec: the rule as plain values; objective: how good each threshold is; then: what decides between equally
    good ones; allowed: which thresholds are allowed; why_nothing: of the counts, why no threshold is allowed,
    where there is a special reason; of_bound: whether a confidence bound is limited, so that weights must be
    numbers of cases; limits: on the estimates of measures; exact: whether a dominated threshold may be
    chosen, as the one with the right number of predicted positives; measures: what the rule is about, first
    what it optimises. The functions have a name, or are partials of such functions, so that a rule can be
    pickled.
    """

    spec: RuleSpec
    objective: OfCounts
    then: OfCounts | None = None
    allowed: OfCounts | None = None
    why_nothing: Callable[[Counts], Note] | None = None
    of_bound: bool = False
    limits: tuple[Limit, ...] = ()
    exact: bool = False
    measures: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The rule in words."""
        return self.spec.text


class Named(NamedTuple):
    """A rule by name: its function, the options of this, and which thresholds are allowed.

    allowed: a function with the same options; exact: as in a `Rule`; measures: what it is about.
    """

    function: Callable[..., Any]
    options: tuple[str, ...]
    allowed: Callable[..., Any] | None
    exact: bool
    measures: tuple[str, ...]


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
    *options: str,
    measures: tuple[str, ...] = ("sensitivity", "specificity"),
    allowed: Callable[..., Any] | None = None,
    exact: bool = False,
    aka: tuple[str, ...] = (),
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Registers a rule under the name of the function. aka: other names, for the catalogue."""

    def enter(function: Callable[..., Any]) -> Callable[..., Any]:
        name = function.__name__
        NAMED[name] = Named(function, options, allowed, exact, measures)
        use, command = f'tm.choose_threshold(..., rule="{name}")', f"tallymark threshold --rule {name}"
        return listed("rule", use, aka=aka, command=command)(function)

    return enter


@named(measures=("youden_j",), aka=("youden_threshold", "youden_cutoff"))
def youden(c: Counts) -> Any:
    """The largest sensitivity + specificity - 1. Source: Berrar, Def. 8; Youden (1950)."""
    return youden_j(c)


@named(
    aka=(
        "closest_topleft",
        "closest_to_0_1",
        "top_left_corner",
        "closest_to_perfect",
        "ideal_operating_point",
    )
)
def closest_to_corner(c: Counts) -> Any:
    """The point of the ROC curve closest to (0, 1), often near the highest curvature.

    Source: Tharwat, section 3; Perkins and Schisterman (2006) on its weakness.
    """
    return -(np.square(false_positive_rate(c)) + np.square(false_negative_rate(c)))


@named(
    "cost_fp",
    "cost_fn",
    "prevalence",
    "slope",
    measures=("youden_j",),
    aka=("slope_of_the_roc_curve", "iso_performance_line", "slope_1", "slope_close_to_1"),
)
def roc_slope(c: Counts, **options: Any) -> Any:
    """The point where a line of this slope touches the ROC curve.

    The slope is 1, or (cost_fp / cost_fn) (1 - prevalence) / prevalence: the smallest expected cost.
    Flemming's point of high curvature is not a rule here: curvature depends on how the steps are smoothed.

    Source: Metz (1978); Zweig and Campbell (1993).
    """
    return -expected_cost(c, **costs_of(RuleSpec("roc_slope", **options)))


@named(measures=("false_positive_rate", "false_negative_rate"), exact=True, aka=("equal_error_threshold",))
def equal_error(c: Counts) -> Any:
    """The threshold at which the error rates of both classes are as equal as possible.

    Source: Tharwat, section 6.
    """
    return -np.abs(false_positive_rate(c) - false_negative_rate(c))


@named(
    "cost_fp", "cost_fn", "prevalence", measures=("expected_cost",), aka=("minimum_cost", "cost_threshold")
)
def cost(c: Counts, cost_fp: float, cost_fn: float, prevalence: float | None = None) -> Any:
    """The smallest mean cost per case, at the class mix of the data or another one. Source: Elkan (2001)."""
    return -expected_cost(c, cost_fp=cost_fp, cost_fn=cost_fn, prevalence=prevalence)


@named(
    "prevalence",
    measures=("predicted_prevalence",),
    exact=True,
    aka=("prevalence_matching", "predicted_prevalence_matched"),
)
def prevalence_matched(c: Counts, prevalence: float | None = None) -> Any:
    """As many predicted as actual positives, or as many as the prevalence states, as nearly as possible.

    Source: Freeman and Moisen (2008).
    """
    return -np.abs(c.tp + c.fp - (c.positives if prevalence is None else prevalence * c.total))


def at_most_k(c: Counts, k: float) -> Any:
    """Where at most k cases are predicted positive."""
    return c.tp + c.fp <= k


@named("k", measures=("precision", "sensitivity"), allowed=at_most_k, exact=True, aka=("k_highest",))
def top_k(c: Counts, k: float) -> Any:
    """The k cases with the highest scores; fewer where the next ones are tied, and k would be exceeded."""
    return c.tp + c.fp


def costs_of(rule: RuleSpec) -> dict[str, float]:
    """The costs, and where there is one the prevalence, at which the rule has the smallest expected cost.

    A slope of the ROC curve is the ratio of the costs at a prevalence of 1/2.
    """
    given = dict(rule.fields)
    if rule.code == "cost" or (given and "slope" not in given):
        return {"cost_fp": 1.0, "cost_fn": 1.0, **given}
    return {"cost_fp": given.get("slope", 1.0), "cost_fn": 1.0, "prevalence": 0.5}


def parameters_of(rule: RuleSpec) -> dict[str, dict[str, float]]:
    """By measure, the parameters with which the rule optimises it.

    The ratio of costs is the odds of the net benefit, and the other way round.
    """
    if rule.code == "where":
        return parameters_of(rule["objective"])
    if rule.code == "on-all-groups":
        return parameters_of(rule["rule"])
    if rule.code in ("cost", "roc_slope") and rule.fields:
        costs = costs_of(rule)
        return {"expected_cost": costs} | ({} if "slope" in rule else {"net_benefit": _at_odds(costs)})
    if rule.code != "objective":
        return {}
    given = {name: value for name, value in rule.fields if name not in ("measure", "better")}
    found = {rule["measure"]: given} if given else {}
    if rule["measure"] == "net_benefit":
        odds = given["threshold"] / (1 - given["threshold"]) if given["threshold"] < 1 else np.inf
        return found | ({"expected_cost": {"cost_fp": odds, "cost_fn": 1.0}} if odds < np.inf else {})
    return found | ({"net_benefit": _at_odds(given)} if rule["measure"] == "expected_cost" else {})


def _at_odds(costs: Mapping[str, float]) -> dict[str, float]:
    return {"threshold": costs["cost_fp"] / (costs["cost_fp"] + costs["cost_fn"])}
