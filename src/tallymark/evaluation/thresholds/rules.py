"""The rules: each turns the counts at every threshold into how good that threshold is. The highest wins; NaN
is never chosen.

A rule chooses among the thresholds that no other one dominates (`picking`). Most objectives grow with
sensitivity and with specificity, so that this changes nothing. It matters for `equal_error`,
`prevalence_matched`, `top_k`, and for the measures `optimization_precision`, which subtracts the difference
of both rates, and `uncertainty_coefficient`, which is the same for a classifier and for its opposite. A
constraint, and the k of `top_k`, say which thresholds are allowed: one that is not allowed dominates none.

A rule by name is a function of counts whose cells hold one entry per threshold along the last axis, so that
one line serves the sweep of a table and of a thousand resamples.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np

from ...input import validate
from ...input.messages.notes import Note
from ...input.spelling import option
from ...input.validate import InputError
from ...measures import registry
from ...measures.families.combined import youden_j
from ...measures.families.rates import false_negative_rate, false_positive_rate, sensitivity, specificity
from ...measures.registry import Measure
from ...summaries import Counts
from . import bounds
from .bounds import OfCounts, RuleError
from .rulespec import RuleSpec

CONSTRAINT = re.compile(r"\s*([A-Za-z][\w -]*?)(?:\.(low|high))?\s*(>=|<=)\s*(\S+)\s*")
ROUNDING = 1e-12


class Limit(NamedTuple):
    """A limit on the estimate of a measure, at least or at most the value. safer: the rule on its bound, if
    there is one."""

    measure: str
    at_least: bool
    value: float
    safer: RuleSpec | None

    def met_by(self, low: float, high: float) -> bool:
        """Whether a whole interval meets it."""
        return low >= self.value if self.at_least else high <= self.value


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule: what it is, as a value, how good each threshold is, what decides between equally good ones,
    which are allowed.

    why_nothing: of the counts, why no threshold is allowed, where there is a special reason. of_bound:
    whether a confidence bound is limited, so that weights must be numbers of cases. limit: on the estimate of
    a measure. The functions have a name, or are a partial of one that has, so that a rule can be pickled.
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
        """In words."""
        return self.spec.text


class Named(NamedTuple):
    """A rule by name: how good each threshold is, the options of this function, and which thresholds are
    allowed (same options)."""

    function: Callable[..., Any]
    options: tuple[str, ...]
    allowed: Callable[..., Any] | None = None


NAMED: dict[str, Named] = {}


def needed(rule: str) -> list[str]:
    """The options that a rule by name cannot do without."""
    if rule not in NAMED:
        return []
    taken = inspect.signature(NAMED[rule].function).parameters
    return [
        name
        for name in NAMED[rule].options
        if name in taken and taken[name].default is inspect.Parameter.empty
    ]


def named(
    *options: str, allowed: Callable[..., Any] | None = None
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Enters a rule under the function's name."""

    def enter(function: Callable[..., Any]) -> Callable[..., Any]:
        NAMED[function.__name__] = Named(function, options, allowed)
        return function

    return enter


@named()
def youden(c: Counts) -> Any:
    """The largest sensitivity + specificity - 1. Source: Berrar, Def. 8; Youden (1950)."""
    return youden_j(c)


@named()
def closest_to_corner(c: Counts) -> Any:
    """The point of the ROC curve closest to (0, 1). Source: Tharwat, section 3; Perkins and Schisterman
    (2006) on its weakness."""
    return -(np.square(false_positive_rate(c)) + np.square(false_negative_rate(c)))


@named("cost_fp", "cost_fn", "prevalence", "slope")
def roc_slope(c: Counts, slope: float | None = None, **of_costs: Any) -> Any:
    """Where a line of this slope touches the ROC curve: 1, or (cost_fp / cost_fn) (1 - prevalence) /
    prevalence.

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


@named()
def equal_error(c: Counts) -> Any:
    """Where both classes have the same rate of mistakes, as nearly as there is a threshold. Source: Tharwat,
    section 6.

    Of the thresholds that no other one dominates: of two thresholds with the same rate of one kind of
    mistakes, only the one with fewer mistakes of the other kind can be taken, even where its rates are less
    equal.
    """
    return -np.abs(false_positive_rate(c) - false_negative_rate(c))


@named("cost_fp", "cost_fn", "prevalence")
def cost(c: Counts, cost_fp: float, cost_fn: float, prevalence: float | None = None) -> Any:
    """The smallest mean cost per case, at the class mix of the data or another one. Source: Elkan (2001)."""
    share = c.positives / c.total if prevalence is None else prevalence
    return -(cost_fn * share * false_negative_rate(c) + cost_fp * (1 - share) * false_positive_rate(c))


@named("prevalence")
def prevalence_matched(c: Counts, prevalence: float | None = None) -> Any:
    """As many predicted as actual positives, or as the prevalence says. Source: Freeman and Moisen (2008).

    Of the thresholds that no other one dominates, so that the number may be missed by cases that are all of
    one class.
    """
    return -np.abs(c.tp + c.fp - (c.positives if prevalence is None else prevalence * c.total))


def at_most_k(c: Counts, k: float) -> Any:
    """Where no more than k cases are predicted positive."""
    return c.tp + c.fp <= k


@named("k", allowed=at_most_k)
def top_k(c: Counts, k: float) -> Any:
    """The most cases, but no more than k, predicted positive; fewer where the next ones are tied, or are all
    negatives.

    Of the thresholds with at most k predicted positives that no other one of these dominates. So the
    threshold is the score of a case that is positive: of the first k cases, the negatives after the last
    positive are left out. Where none of the first k is positive, no case is predicted positive (an infinite
    threshold): these scores find nothing within that capacity.
    """
    return c.tp + c.fp


LIMITS = {"cost_fp": (0.0, 1e100), "cost_fn": (1e-100, 1e100), "slope": (0.0, 1e100)}


def read(
    rule: str,
    parameters: Mapping[str, Mapping[str, float]] | None = None,
    level: float = 0.95,
    **options: float | None,
) -> Rule:
    """The rule of this name, of this measure of counts, or of this limit: "sensitivity>=0.95",
    "sensitivity.low>=0.95".

    parameters: of measures, by their names; level: the confidence level of a bound; options: cost_fp,
    cost_fn, prevalence, slope, k; None where not given. Raises InputError for what is unknown, or does not
    fit.
    """
    given = {name: _option(name, value) for name, value in options.items() if value is not None}
    written = rule if isinstance(rule, str) else validate.shown(rule)
    rule_named = NAMED.get(written)
    constraint = CONSTRAINT.fullmatch(written)
    if rule_named is None:  # before the options are looked at: a slip in the name is the likelier one
        entry = _measure(constraint[1] if constraint else rule, bool(constraint))
    for name in given:
        if rule_named is None or name not in rule_named.options:
            users = ", ".join(other for other, entered in NAMED.items() if name in entered.options)
            raise InputError(
                "unsupported",
                name,
                f"the rule {validate.shown(rule)} does not use it",
                f"it belongs to {users}",
                value=rule,
            )
    if rule_named is None:
        of = partial(entry.function, **entry.checked(dict((parameters or {}).get(entry.name, {}))))
        if not constraint:
            return _of_measure(entry, of)
        _, side, sign, limit = constraint.groups()
        return (
            _of_bound(entry, of, side, sign, limit, level) if side else _of_constraint(entry, of, sign, limit)
        )
    missing = [option(name) for name in needed(rule) if name not in given]
    if missing:
        raise RuleError(f"{rule!r} needs {' and '.join(missing)}")
    if "slope" in given and len(given) > 1:
        raise InputError(
            "conflict", "slope", "it follows from costs and prevalence", "give either it or these"
        )
    allowed = partial(rule_named.allowed, **given) if rule_named.allowed else None
    return Rule(RuleSpec(rule, **given), partial(rule_named.function, **given), allowed=allowed)


def _option(name: str, value: Any) -> float:
    if name == "k":
        return float(validate.whole(value, name, 1, 1e15))
    if name != "prevalence":
        return validate.number(value, name, *LIMITS[name])
    share = validate.number(value, name, 0.0, 1.0)
    if not 0 < share < 1:
        raise InputError(
            "invalid-value",
            "prevalence",
            f"{validate.shown(value)} is not possible",
            "give a share above 0 and below 1",
            value=value,
        )
    return share


def _of_measure(entry: Measure, of: partial[Any]) -> Rule:
    """The largest value, or the smallest where lower is better."""
    if entry.better is None:
        raise RuleError(f"{entry.name} is neither better high nor better low; choose another measure")
    sign = 1 if entry.better == "higher" else -1
    given = {name: value for name, value in (entry.defaults | of.keywords).items() if value is not None}
    spec = RuleSpec("objective", measure=entry.name, better=entry.better, **given)
    return Rule(spec, partial(_signed, sign, of))


def _measure(name: Any, constrained: bool) -> Measure:
    if registry.known(name):
        entry = registry.get(name, Counts)
        if entry.summary is Counts:
            return entry
        raise RuleError(
            f"{validate.shown(name)} is no measure of the counts at a threshold; take one of these"
        )
    known = [one.name for one in registry.find(Counts)]
    hint = validate.nearest(name, known if constrained else [*NAMED, *known])
    if isinstance(name, str) and re.search(r"[<>]", name):
        hint = "; a bound is written with >= or <="
    raise RuleError(
        f"{validate.shown(name)} is not known{hint}; choose from {', '.join(NAMED)}, a measure of counts, "
        'or a constraint as "sensitivity>=0.95"',
        name,
    )


def _of_constraint(entry: Measure, of: OfCounts, sign: str, limit: str) -> Rule:
    """Of the thresholds that meet it, the one that gives most to the other class; of those the best in the
    constrained measure.

    A bound that a lower threshold meets more easily, as on sensitivity, takes the largest specificity; one
    that a higher threshold meets more easily, as on precision, the largest sensitivity. Where neither holds,
    the largest Youden index decides. A threshold that does not meet the bound is not allowed, even if it
    dominates those that do, as under "sensitivity<=0.5".
    """
    bound = _limit(entry, sign, limit)
    way = 1 if sign == ">=" else -1
    change = np.concatenate([np.diff(of(counts)) for counts in USUAL])
    change = change[np.isfinite(change)] * way
    if (np.abs(change) <= ROUNDING).all():
        raise RuleError(f"{entry.name} is the same at every threshold; choose another measure")

    wanted = (
        specificity
        if (change <= ROUNDING).all()
        else sensitivity
        if (change >= -ROUNDING).all()
        else youden_j
    )

    met = partial(_met, way=way, of=of, bound=bound)
    side, orderly = "low" if way > 0 else "high", bounds.parts_along(entry, of, USUAL)
    safer = RuleSpec("bound", measure=entry.name, side=side, sign=sign, limit=bound) if orderly else None
    then = partial(_signed, way, of)
    spec = RuleSpec("constraint", measure=entry.name, sign=sign, limit=bound)
    return Rule(spec, wanted, then, met, limit=Limit(entry.name, way > 0, bound, safer))


def _of_bound(entry: Measure, of: OfCounts, side: str, sign: str, limit: str, level: float) -> Rule:
    """The same of a confidence bound: its promise holds at whichever of the allowed thresholds is taken."""
    bound, plain = _limit(entry, sign, limit), _of_constraint(entry, of, sign, limit)
    if not bounds.parts_along(entry, of, USUAL):
        raise bounds.no_order(
            entry, [one.name for one in registry.find(Counts) if bounds.parts_along(one, one.function, USUAL)]
        )
    bounds.check_side(entry.name, side, sign, bound)
    spec = RuleSpec("bound", measure=entry.name, side=side, sign=sign, limit=bound)
    met = partial(bounds.met, function=of, side=side, limit=bound, level=level)
    why = partial(bounds.too_few, spec, level, of)
    return Rule(spec, plain.objective, plain.then, met, why, of_bound=True)


def _limit(entry: Measure, sign: str, limit: str) -> float:
    """Raises InputError where it is no number that the measure can have."""
    try:
        bound = float(limit)
        if bound != bound:
            raise ValueError
    except ValueError:
        raise RuleError(
            f"{limit!r} in the constraint on {entry.name} is not a number; as {entry.name}{sign}0.95"
        ) from None
    if not entry.range[0] <= bound <= entry.range[1]:
        low, high = entry.range
        raise RuleError(
            f"{entry.name} lies from {low:g} to {high:g}, so that {sign}{limit} cannot be; give a bound in"
            " between"
        )
    return bound


def _met(c: Counts, way: int, of: OfCounts, bound: float) -> Any:
    return way * of(c) >= way * bound - ROUNDING


def _signed(sign: int, of: OfCounts, c: Counts) -> Any:
    return sign * of(c)


def _usual(positives: float, negatives: float) -> Counts:
    """The counts of a classifier of some use along its thresholds, from low to high."""
    x = np.linspace(-3, 3, 25).tolist()
    tpr, fpr = (1 - np.array([NormalDist(mean).cdf(limit) for limit in x]) for mean in (0.7, -0.7))
    return Counts(tp=positives * tpr, fp=negatives * fpr, fn=positives * (1 - tpr), tn=negatives * (1 - fpr))


# What rises or falls along them all, and what does neither.
USUAL = [_usual(*sizes) for sizes in ((100, 100), (100, 2000), (2000, 100))]
