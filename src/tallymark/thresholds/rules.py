"""The rules: each turns the counts at every threshold into how good that threshold is. The highest wins; NaN is never chosen.

Of equally good thresholds `picking` leaves out the dominated ones. Most objectives grow with sensitivity and with specificity, so
that no threshold at all that is allowed dominates the best one. Five do not, and are followed as they are: `equal_error`,
`prevalence_matched` and `top_k` (see there), the measures `optimization_precision`, which takes off the distance of both rates, and
`uncertainty_coefficient`, which is the same for a classifier and for its opposite.

A rule by name is a function of counts whose cells hold one entry per threshold along the last axis, so that one line serves the
sweep of a table and of a thousand resamples.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from statistics import NormalDist
from typing import Any

import numpy as np

from .. import registry, validate
from ..measures.combined import youden_j
from ..measures.rates import false_negative_rate, false_positive_rate, sensitivity, specificity
from ..summaries import Counts
from ..text import exact
from ..validate import InputError

CONSTRAINT = re.compile(r"\s*([A-Za-z][\w -]*?)\s*(>=|<=)\s*(\S+)\s*")
ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule as it was asked for: its text, how good each threshold is, and what decides between equally good ones (`picking`)."""

    text: str
    worth: Callable[[Counts], Any]  # a function with a name, or a partial of one, so that a rule can be pickled
    then: Callable[[Counts], Any] | None = None


NAMED: dict[str, tuple[Callable[..., Any], tuple[str, ...]]] = {}  # the function, and the options that it takes


def named(*options: str) -> Callable:
    """Enters a rule under the function's name."""

    def enter(function: Callable[..., Any]) -> Callable[..., Any]:
        NAMED[function.__name__] = function, options
        return function

    return enter


@named()
def youden(c: Counts) -> Any:
    """The largest sensitivity + specificity - 1. Source: Berrar, Def. 8; Youden (1950)."""
    return youden_j(c)


@named()
def closest_to_corner(c: Counts) -> Any:
    """The point of the ROC curve closest to (0, 1). Source: Tharwat, section 3; Perkins and Schisterman (2006) on its weakness."""
    return -(np.square(false_positive_rate(c)) + np.square(false_negative_rate(c)))


@named("cost_fp", "cost_fn", "prevalence", "slope")
def roc_slope(c: Counts, slope: float | None = None, **of_costs: Any) -> Any:
    """Where a line of this slope touches the ROC curve: 1, or (cost_fp / cost_fn) (1 - prevalence) / prevalence.

    Source: Metz (1978); Zweig and Campbell (1993).
    """
    if slope is None:
        slope = 1.0 if all(value is None for value in of_costs.values()) else _slope(c, **of_costs)
    return sensitivity(c) - slope * false_positive_rate(c)


def _slope(c, cost_fp=None, cost_fn=None, prevalence=None):
    odds = c.negatives / c.positives if prevalence is None else (1 - prevalence) / prevalence
    return (1.0 if cost_fp is None else cost_fp) / (1.0 if cost_fn is None else cost_fn) * odds


@named()
def equal_error(c: Counts) -> Any:
    """Where both classes have the same rate of mistakes, as nearly as there is a threshold. Source: Tharwat, section 6.

    How near the two rates are is all that counts: a threshold with fewer mistakes of one kind, but less equal rates, is not taken.
    """
    return -np.abs(false_positive_rate(c) - false_negative_rate(c))


@named("cost_fp", "cost_fn", "prevalence")
def cost(c: Counts, cost_fp: float, cost_fn: float, prevalence: float | None = None) -> Any:
    """The smallest mean cost per case, at the class mix of the data or another one. Source: Elkan (2001)."""
    share = c.positives / c.total if prevalence is None else prevalence
    return -(cost_fn * share * false_negative_rate(c) + cost_fp * (1 - share) * false_positive_rate(c))


@named("prevalence")
def prevalence_matched(c: Counts, prevalence: float | None = None) -> Any:
    """As many predicted as real positives, or as the prevalence says. Source: Freeman and Moisen (2008).

    The number of predicted positives is given, whatever the truth of the cases that it takes in or leaves out.
    """
    return -np.abs(c.tp + c.fp - (c.positives if prevalence is None else prevalence * c.total))


@named("k")
def top_k(c: Counts, k: float) -> Any:
    """The lowest threshold that calls no more than k cases positive: fewer, where the next ones are tied.

    The k cases are a capacity to be used, so that the last ones are taken in even where they are negatives.
    """
    called = c.tp + c.fp
    return np.where(called <= k, called, np.nan)


LIMITS = {"cost_fp": (0.0, 1e100), "cost_fn": (1e-100, 1e100), "slope": (0.0, 1e100)}
NEEDED = {"cost": ("cost_fp", "cost_fn"), "top_k": ("k",)}


def read(rule: str, parameters: Mapping[str, Mapping[str, float]] | None = None, **options: float | None) -> Rule:
    """The rule of this name, of this measure of counts, or of this constraint, as "sensitivity>=0.95".

    parameters: of measures, by their names; options: cost_fp, cost_fn, prevalence, slope, k; None where not given. Raises
    InputError for what is unknown, or does not fit.
    """
    given = {name: _option(name, value) for name, value in options.items() if value is not None}
    written = rule if isinstance(rule, str) else validate.shown(rule)
    function, takes = NAMED.get(written, (None, ()))
    constraint = CONSTRAINT.fullmatch(written)
    if function is None:  # before the options are looked at: a slip in the name is the likelier one
        entry = _measure(constraint[1] if constraint else rule, bool(constraint))
    for name in given:
        if name not in takes:
            users = ", ".join(other for other, (_, taken) in NAMED.items() if name in taken)
            raise InputError(f"{name}: the rule {validate.shown(rule)} does not use it; it belongs to {users}.")
    if function is None:
        of = partial(entry.function, **entry.checked(dict((parameters or {}).get(entry.name, {}))))
        return _of_constraint(entry, of, constraint[2], constraint[3]) if constraint else _of_measure(entry, of)
    missing = [f"{name}=" for name in NEEDED.get(rule, ()) if name not in given]
    if missing:
        raise InputError(f"rule: {rule!r} needs {' and '.join(missing)}.")
    if "slope" in given and len(given) > 1:
        raise InputError("slope: it follows from costs and prevalence; give either it or these.")
    text = ", ".join([rule, *(f"{name} = {exact(value)}" for name, value in given.items())])
    return Rule(text, partial(function, **given))


def _option(name, value):
    if name == "k":
        return float(validate.whole(value, name, 1, 1e15))
    if name != "prevalence":
        return validate.number(value, name, *LIMITS[name])
    share = validate.number(value, name, 0.0, 1.0)
    if not 0 < share < 1:
        raise InputError(f"prevalence: {validate.shown(value)} is not possible; give a share above 0 and below 1.")
    return share


def _of_measure(entry, of):
    """The largest value, or the smallest where lower is better."""
    if entry.better is None:
        raise InputError(f"rule: {entry.name} is neither better high nor better low; choose another measure.")
    sign = 1 if entry.better == "higher" else -1
    given = ", ".join(f"{name} = {exact(value)}" for name, value in (entry.defaults | of.keywords).items() if value is not None)
    text = f"{'largest' if sign > 0 else 'smallest'} {entry.name}{f' ({given})' if given else ''}"
    return Rule(text, partial(_signed, sign, of))


def _measure(name, constrained):
    if registry.known(name):
        entry = registry.get(name, Counts)
        if entry.summary is Counts:
            return entry
        raise InputError(f"rule: {validate.shown(name)} is no measure of the counts at a threshold; take one of these.")
    known = [one.name for one in registry.find(Counts)]
    hint = validate.nearest(name, known if constrained else [*NAMED, *known])
    if isinstance(name, str) and re.search(r"[<>]", name):
        hint = "; a bound is written with >= or <="
    raise InputError(
        f"rule: {validate.shown(name)} is not known{hint}; choose from {', '.join(NAMED)}, a measure of counts, "
        'or a constraint as "sensitivity>=0.95".'
    )


def _of_constraint(entry, of, sign, limit):
    """Of the thresholds that meet it, the one that gives most to the other class; of those the best in the constrained measure.

    A bound that a lower threshold meets more easily, as on sensitivity, takes the largest specificity; one that a higher threshold
    meets more easily, as on precision, the largest sensitivity. Where neither holds, the largest Youden index decides. A
    threshold that does not meet the bound is not allowed, even if it dominates those that do, as under "sensitivity<=0.5".
    """
    try:
        bound = float(limit)
        if bound != bound:
            raise ValueError
    except ValueError:
        raise InputError(f"rule: {limit!r} in the constraint on {entry.name} is not a number; as {entry.name}{sign}0.95.") from None
    if not entry.range[0] <= bound <= entry.range[1]:
        low, high = entry.range
        raise InputError(
            f"rule: {entry.name} lies from {low:g} to {high:g}, so that {sign}{limit} cannot be; give a bound in between."
        )
    way = 1 if sign == ">=" else -1
    change = np.concatenate([np.diff(of(counts)) for counts in USUAL])
    change = change[np.isfinite(change)] * way
    if (np.abs(change) <= ROUNDING).all():
        raise InputError(f"rule: {entry.name} is the same at every threshold; choose another measure.")

    wanted = specificity if (change <= ROUNDING).all() else sensitivity if (change >= -ROUNDING).all() else youden_j

    worth = partial(_where_met, way=way, of=of, bound=bound, wanted=wanted)
    return Rule(f"{entry.name} {sign} {exact(bound)}", worth, then=partial(_signed, way, of))


def _where_met(c, way, of, bound, wanted):
    """What is wanted at the thresholds that meet the bound; NaN at the others."""
    return np.where(way * of(c) >= way * bound - ROUNDING, wanted(c), np.nan)


def _signed(sign, of, c):
    return sign * of(c)


def _usual(positives, negatives):
    """The counts of a classifier of some use along its thresholds, from low to high."""
    x = np.linspace(-3, 3, 25).tolist()
    tpr, fpr = (1 - np.array([NormalDist(mean).cdf(limit) for limit in x]) for mean in (0.7, -0.7))
    return Counts(tp=positives * tpr, fp=negatives * fpr, fn=positives * (1 - tpr), tn=negatives * (1 - fpr))


# What rises or falls along them all, and what does neither.
USUAL = [_usual(*sizes) for sizes in ((100, 100), (100, 2000), (2000, 100))]
