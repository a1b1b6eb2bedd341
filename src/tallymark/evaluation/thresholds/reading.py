"""Rules read from text: a rule by name, a measure to optimise, limits on measures, or a limit on a bound.

Limits are joined with "and"; "where" puts them after a rule by name or a measure, as "f1 where
precision>=0.9".
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from statistics import NormalDist
from typing import Any

import numpy as np

from ...input import validate
from ...input.spelling import option
from ...input.validate import InputError
from ...measures import registry
from ...measures.families.combined import youden_j
from ...measures.families.rates import sensitivity, specificity
from ...measures.registry import Measure
from ...summaries import Counts
from . import bounds
from .bounds import OfCounts, RuleError
from .rules import NAMED, Limit, Named, Rule, needed, parameters_of
from .rulespec import RuleSpec

WHERE = re.compile(r"\s+where\s+")
AND = re.compile(r"\s+and\s+")
CONSTRAINT = re.compile(r"\s*([A-Za-z][\w -]*?)(?:\.(low|high))?\s*(>=|<=)\s*(\S+)\s*")
ROUNDING = 1e-12
LIMITS = {"cost_fp": (0.0, 1e100), "cost_fn": (1e-100, 1e100), "slope": (0.0, 1e100)}


def read(
    rule: str,
    parameters: Mapping[str, Mapping[str, float]] | None = None,
    level: float = 0.95,
    **options: float | None,
) -> Rule:
    """The rule from its text: a name, a measure of counts, or a limit, as "sensitivity.low>=0.95".

    parameters: of measures, by their names; level: the confidence level of a bound; options: cost_fp,
    cost_fn, prevalence, slope, k; None where not given. Raises InputError for unknown names and for options
    that do not fit.
    """
    given = {name: _option(name, value) for name, value in options.items() if value is not None}
    if not isinstance(rule, str):
        raise _unknown(rule, constrained=False)
    first, last = WHERE.split(rule, 1) if WHERE.search(rule) else (rule, "")
    several = AND.split(last or first)
    limited = bool(last) or any(map(CONSTRAINT.fullmatch, several))
    limits = [_limited(one, parameters or {}, level) for one in several] if limited else []
    if limits and not last:
        _refuse_options(given, rule, None)
        return limits[0] if len(limits) == 1 else _all_of(limits)
    best = _best(first, parameters or {}, given)
    return _where(best, limits) if limits else best


def _best(rule: str, parameters: Mapping[str, Mapping[str, float]], given: dict[str, float]) -> Rule:
    """The rule by name, or the best value of a measure."""
    entered = NAMED.get(rule)
    # before the options are checked, since a misspelt name is more likely
    entry = None if entered else _measure(rule, constrained=False)
    _refuse_options(given, rule, entered)
    if entered is None:
        assert entry is not None
        return _of_measure(entry, _function(entry, parameters))
    missing = [option(name) for name in needed(rule) if name not in given]
    if missing:
        raise RuleError(f"{rule!r} needs {' and '.join(missing)}")
    if "slope" in given and len(given) > 1:
        raise InputError(
            "conflict", "slope", "it follows from costs and prevalence", "give either it or these"
        )
    allowed = partial(entered.allowed, **given) if entered.allowed else None
    spec = RuleSpec(rule, **given)
    return Rule(
        spec,
        partial(entered.function, **given),
        allowed=allowed,
        exact=entered.exact,
        measures=tuple(parameters_of(spec))[:1] or entered.measures,
    )


def _refuse_options(given: Mapping[str, float], rule: str, entered: Named | None) -> None:
    """Raises InputError for an option that the rule does not use."""
    for name in given:
        if entered is None or name not in entered.options:
            users = ", ".join(other for other, one in NAMED.items() if name in one.options)
            raise InputError(
                "unsupported",
                name,
                f"the rule {validate.shown(rule)} does not use it",
                f"it belongs to {users}",
                value=rule,
            )


def _function(entry: Measure, parameters: Mapping[str, Mapping[str, float]]) -> partial[Any]:
    return partial(entry.function, **entry.checked(dict(parameters.get(entry.name, {}))))


def _limited(text: str, parameters: Mapping[str, Mapping[str, float]], level: float) -> Rule:
    """The rule of one constraint, on an estimate or on its bound."""
    constraint = CONSTRAINT.fullmatch(text)
    entry = _measure(constraint[1] if constraint else text, bool(constraint))
    if constraint is None:
        raise RuleError(f'{validate.shown(text)} is no constraint; write one as "precision>=0.9"')
    _, side, sign, limit = constraint.groups()
    of = _function(entry, parameters)
    return _of_bound(entry, of, side, sign, limit, level) if side else _of_constraint(entry, of, sign, limit)


def _all_of(limits: list[Rule]) -> Rule:
    """Of the thresholds that meet all constraints the best for the other class, or the largest Youden index.

    The other class is that of every single constraint, where they agree.
    """
    wanted = {rule.objective for rule in limits}
    best = wanted.pop() if len(wanted) == 1 else youden_j
    shown = dict.fromkeys([*(name for rule in limits for name in rule.measures[:1]), best.__name__])
    return _limited_by(limits, Rule(RuleSpec("all-of"), best, measures=tuple(shown)))


def _where(best: Rule, limits: list[Rule]) -> Rule:
    """The best threshold of those that meet the constraints."""
    shown = dict.fromkeys([*best.measures, *(name for rule in limits for name in rule.measures[:1])])
    return _limited_by(
        limits, replace(best, spec=RuleSpec("where", objective=best.spec), measures=tuple(shown))
    )


def _limited_by(limits: list[Rule], rule: Rule) -> Rule:
    """The rule, with these constraints."""
    bound = next((one.spec for one in limits if one.of_bound), None)
    if bound is not None:
        raise RuleError(
            f"{str(bound)!r} guarantees a limit for one threshold only, the best for the other class; use it"
            " alone, or limit the estimates"
        )
    met = tuple(one for one in (rule.allowed, *(limit.allowed for limit in limits)) if one is not None)
    spec = rule.spec.but(constraints=tuple(limit.spec for limit in limits))
    return replace(
        rule,
        spec=spec,
        allowed=partial(_all_met, met),
        limits=tuple(limit for one in limits for limit in one.limits),
    )


def _all_met(several: tuple[OfCounts, ...], c: Counts) -> Any:
    return np.logical_and.reduce([one(c) for one in several])


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
        raise RuleError(
            f"{entry.name} is a measure of which neither a higher nor a lower value is better; choose another"
        )
    given = {name: value for name, value in (entry.defaults | of.keywords).items() if value is not None}
    spec = RuleSpec("objective", measure=entry.name, better=entry.better, **given)
    return Rule(spec, partial(_signed, entry.sign, of), measures=(entry.name,))


def _measure(name: str, constrained: bool) -> Measure:
    if registry.known(name):
        entry = registry.get(name, Counts)
        if entry.summary is Counts:
            return entry
        raise RuleError(
            f"{validate.shown(name)} is not a measure of the counts at a threshold; take one of these"
        )
    raise _unknown(name, constrained)


def _unknown(name: Any, constrained: bool) -> RuleError:
    known = [one.name for one in registry.find(Counts)]
    hint = validate.nearest(name, known if constrained else [*NAMED, *known])
    if isinstance(name, str) and re.search(r"[<>]", name):
        hint = "; a bound is written with >= or <="
    elif isinstance(name, str) and "%" in name:
        way = "a share of predicted positives is limited as in alert_rate<=0.1, a number of them by top_k"
        return RuleError(f"{validate.shown(name)} is not known; {way}", name)
    return RuleError(
        f"{validate.shown(name)} is not known{hint}; choose from {', '.join(NAMED)}, a measure of counts, "
        'or a constraint as "sensitivity>=0.95"',
        name,
    )


def _of_constraint(entry: Measure, of: OfCounts, sign: str, limit: str) -> Rule:
    """Of the thresholds that meet the limit, the best one for the other class.

    A limit that lower thresholds meet more easily, as on sensitivity, takes the largest specificity; one that
    higher thresholds meet more easily, as on precision, the largest sensitivity. Where neither holds, the
    largest Youden index decides. Of equally good thresholds the best in the constrained measure is taken. A
    threshold that does not meet the limit is not allowed, even if it dominates those that do, as with
    "sensitivity<=0.5".
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
    shown = tuple(dict.fromkeys([entry.name, wanted.__name__]))
    return Rule(spec, wanted, then, met, limits=(Limit(spec, safer),), measures=shown)


def _of_bound(entry: Measure, of: OfCounts, side: str, sign: str, limit: str, level: float) -> Rule:
    """The same for a confidence bound, which holds at every allowed threshold."""
    bound, plain = _limit(entry, sign, limit), _of_constraint(entry, of, sign, limit)
    if not bounds.parts_along(entry, of, USUAL):
        raise bounds.no_order(
            entry, [one.name for one in registry.find(Counts) if bounds.parts_along(one, one.function, USUAL)]
        )
    bounds.check_side(entry.name, side, sign, bound)
    spec = RuleSpec("bound", measure=entry.name, side=side, sign=sign, limit=bound)
    met = partial(bounds.met, function=of, side=side, limit=bound, level=level)
    why = partial(bounds.too_few, spec, level, of)
    return Rule(spec, plain.objective, plain.then, met, why, of_bound=True, measures=plain.measures)


def _limit(entry: Measure, sign: str, limit: str) -> float:
    """The limit as a number. Raises InputError for a value that the measure cannot have."""
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
            f"{entry.name} lies from {low:g} to {high:g}, so that {sign}{limit} is not possible; give a bound"
            " in between"
        )
    return bound


def _met(c: Counts, way: int, of: OfCounts, bound: float) -> Any:
    return way * of(c) >= way * bound - ROUNDING


def _signed(sign: int, of: OfCounts, c: Counts) -> Any:
    return sign * of(c)


def _usual(positives: float, negatives: float) -> Counts:
    """The counts of a useful classifier at its thresholds, from low to high."""
    x = np.linspace(-3, 3, 25).tolist()
    tpr, fpr = (1 - np.array([NormalDist(mean).cdf(limit) for limit in x]) for mean in (0.7, -0.7))
    return Counts(tp=positives * tpr, fp=negatives * fpr, fn=positives * (1 - tpr), tn=negatives * (1 - fpr))


# A measure that rises or falls along all of these is taken as monotonic.
USUAL = [_usual(*sizes) for sizes in ((100, 100), (100, 2000), (2000, 100))]
