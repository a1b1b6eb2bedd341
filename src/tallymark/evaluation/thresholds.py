"""Rules for a threshold: what each looks for, how it is read from its text, and how it is written.

A rule gives every threshold a value from its counts; the highest is best, NaN is never chosen. A rule that
optimises chooses among the thresholds that no other one dominates (`choice`); a constraint restricts them,
and one that is not allowed dominates none. `top_k`, `prevalence_matched` and `equal_error` are `exact`: they
promise a number or equal rates, and return that, dominated or not.

A rule by name is a function of counts whose cells have one entry per threshold along the last axis, so that
the same function serves a table and thousands of resamples. `measures` of its entry names what it is about,
with the parameters that follow from its options: the evaluation at the threshold measures these with them.

In a text, limits are joined with "and"; "where" puts them after a rule by name or a measure, as "f1 where
precision>=0.9".

Rules on a confidence bound, as "sensitivity.low>=0.95", are limits that hold for other cases. A rate of one
class is monotonic in the threshold. The thresholds are tested in that order, beginning with the one at which
the limit is easiest to meet, each at the full level and up to the first failure. Then all that pass meet the
limit simultaneously at the confidence level (fixed-sequence testing; Bauer 1991, Angelopoulos et al.
2021). The test is the exact binomial one of Clopper and Pearson (1934), so that the threshold is an order
statistic of the scores of one class, a distribution-free tolerance limit (Wilks 1941). A measure that is not
monotonic in the threshold, as precision, has no such order.

A threshold is dominated if another one has at least its true positives and at most its false positives, and
not both equal. Of the thresholds that a rule allows, it takes the best that no other allowed one dominates;
an exact rule takes the best of all that it allows, and dominance decides among equally good ones only. Of
several, a constraint takes the one that is best in the constrained measure. Then the highest score is taken.

The rule chooses a threshold on one half of the cases, and its rates are counted there and on the other half.
The difference is the optimism of a choice on half as many cases. The optimism of an empirical maximum falls
with n to the power of -2/3 (Kim and Pollard 1990), that of a quantile, where a constraint is just met, with 1
/ n; so it is multiplied with 2 ** (-2/3), or with 1/2. docs/thresholds.md compares this with cross-validation
and the bootstrap, by simulation.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from math import ceil, isclose, isfinite, log, nan
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np

from ..inference import Estimate, Settings, estimate, interval
from ..inference.clustered import DependentCases
from ..inference.covariance import as_cases, cells_of, sampling_of
from ..inference.interval import reorders
from ..inference.linear import parts, parts_of, unit_weights
from ..inference.replicates import Draws
from ..inference.resampled import multinomial, thins
from ..input import validate
from ..input.arguments import Design
from ..input.errors import option
from ..input.messages import Message, Note, joined
from ..input.names import listed
from ..input.results import Result
from ..input.text import exact
from ..input.validate import InputError
from ..measures import registry
from ..measures.families.combined import youden_j
from ..measures.families.cost import expected_cost
from ..measures.families.rates import false_negative_rate, false_positive_rate, sensitivity, specificity
from ..measures.registry import Measure
from ..summaries import Counts, RankingTable
from ..summaries.ranking import Squares


class RuleSpec(Message):
    """The origin of a threshold: a rule or a default, with its parameters.

    Attributes
    ----------
    code : str
        The kind: "given", "default", "predicted" (labels, which have no threshold), "highest-score" (a score
        per class), "one-class" (the median score, with cases of one class only), "on-all-groups" (chosen on
        all cases, of which these are a group), "stated" (a description in words), "objective" (the best value
        of a measure), "constraint" (a limit on a measure), "bound" (a limit on a confidence bound), "all-of"
        (several constraints), "where" (an objective or a rule by name, with constraints), or a rule by its
        name, as "youden" or "cost".
    fields : tuple of pairs (name, value)
        The parameters. A rule by name has its options, as `cost_fp`; an objective `measure`, `better` and the
        parameters of the measure; a constraint `measure`, `sign` (">=" or "<=") and `limit`; a bound these
        and `side` ("low" or "high"); several constraints `constraints`, and "where" also `objective`;
        "on-all-groups" has the `rule`.

    Examples
    --------
    >>> rule = RuleSpec("constraint", measure="sensitivity", sign=">=", limit=0.95)
    >>> rule["limit"], rule.text
    (0.95, 'sensitivity >= 0.95')
    """

    __slots__ = ()

    @property
    def text(self) -> str:
        """The description."""
        words = WORDS.get(self.code, _by_name)
        return words if isinstance(words, str) else words(self)

    @property
    def is_limit(self) -> bool:
        """Whether it is a limit on a measure, or on its bound, and does not optimise an objective."""
        return self.code in ("constraint", "bound")

    @property
    def requested(self) -> str:
        """The text for `rule=` and for requirements of `check`, without the options of a rule by name."""
        if self.is_limit:
            return _limit(self)
        if self.code in ("all-of", "where"):
            limits = " and ".join(one.requested for one in self["constraints"])
            return limits if self.code == "all-of" else f"{self['objective'].requested} where {limits}"
        return str(self["measure"]) if self.code == "objective" else self.code

    @property
    def chosen(self) -> bool:
        """Whether the threshold was chosen on the cases that are measured."""
        return self.code not in NOT_CHOSEN


def _objective(rule: RuleSpec) -> str:
    given = ", ".join(f"{name} = {exact(rule[name])}" for name in rule if name not in ("measure", "better"))
    return (
        f"{'largest' if rule['better'] == 'higher' else 'smallest'}"
        f" {rule['measure']}{f' ({given})' if given else ''}"
    )


def _limit(rule: RuleSpec) -> str:
    side = f".{rule['side']}" if rule.code == "bound" else ""
    return f"{rule['measure']}{side} {rule['sign']} {exact(rule['limit'])}"


def _by_name(rule: RuleSpec) -> str:
    return ", ".join([rule.code, *(f"{name} = {exact(rule[name])}" for name in rule)])


WORDS: dict[str, str | Callable[[RuleSpec], str]] = {
    "given": "given",
    "default": "default",
    "predicted": "predicted",
    "highest-score": "highest score",
    "one-class": "median score (one class only)",
    "on-all-groups": lambda rule: f"chosen on all cases: {rule['rule']}",
    "stated": lambda rule: rule["words"],
    "objective": _objective,
    "constraint": _limit,
    "bound": _limit,
    "all-of": lambda rule: " and ".join(map(str, rule["constraints"])),
    "where": lambda rule: f"{rule['objective']} where {' and '.join(map(str, rule['constraints']))}",
}
NOT_CHOSEN = ("given", "default", "predicted", "highest-score", "one-class")
GIVEN, DEFAULT, PREDICTED = RuleSpec("given"), RuleSpec("default"), RuleSpec("predicted")
HIGHEST_SCORE, ONE_CLASS = RuleSpec("highest-score"), RuleSpec("one-class")


OfCounts = Callable[[Counts], Any]  # a measure, with its parameters
BOUNDS = {">=": "low", "<=": "high"}  # the end of the interval that a sign limits
ROUNDING = 1e-12  # of a limit or an objective, relative to the largest
# of tp, fp, fn and tn those in the denominator of a share of one class
OF_ONE_CLASS = ((1, 0, 1, 0), (0, 1, 0, 1))
OF_CLUSTERS = "is valid for independent cases only; take another rule, or choose the threshold on other cases"


def monotonic(entry: Measure, function: OfCounts) -> bool:
    """Whether the measure is a share of one class, and so monotonic in the threshold."""
    if entry.interval is None or entry.interval.kind != "proportion":
        return False
    below = parts_of(function)[1]
    if tuple(below) not in OF_ONE_CLASS:
        return False
    steps = np.concatenate([np.diff(parts(function, counts)[0]) for counts in USUAL])
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


def bound_met(c: Counts, function: OfCounts, side: str, limit: float, level: float) -> Any:
    """Where the exact one-sided bound of a share x of n meets the limit: where the binomial test rejects."""
    from scipy.special import betainc

    x, n = parts(function, c)
    good, share = (x, limit) if side == "low" else (n - x, 1 - limit)
    with np.errstate(invalid="ignore"):
        p = np.where(good > 0, betainc(np.maximum(good, ROUNDING), n - good + 1, share), 1.0)
    return p <= (1 - level) * (1 + ROUNDING)


def too_few(rule: RuleSpec, level: float, function: OfCounts, c: Counts) -> Note:
    """Why no threshold meets the rule, with the fewest cases that can: 59 for 0.95 at a level of 0.95."""
    share = rule["limit"] if rule["side"] == "low" else 1 - rule["limit"]
    return Note(
        "too-few-for-bound",
        rule=rule,
        level=level,
        cases=ceil(log(1 - level) / log(share) - ROUNDING),
        there=float(np.max(parts(function, c)[1])),
    )


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
    options = dict(rule.fields)
    if rule.code == "cost" or (options and "slope" not in options):
        return {"cost_fp": 1.0, "cost_fn": 1.0, **options}
    return {"cost_fp": options.get("slope", 1.0), "cost_fn": 1.0, "prevalence": 0.5}


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
    options = {name: value for name, value in rule.fields if name not in ("measure", "better")}
    parameters = {rule["measure"]: options} if options else {}
    if rule["measure"] == "net_benefit":
        odds = options["threshold"] / (1 - options["threshold"]) if options["threshold"] < 1 else np.inf
        return parameters | ({"expected_cost": {"cost_fp": odds, "cost_fn": 1.0}} if odds < np.inf else {})
    return parameters | ({"net_benefit": _at_odds(options)} if rule["measure"] == "expected_cost" else {})


def _at_odds(costs: Mapping[str, float]) -> dict[str, float]:
    return {"threshold": costs["cost_fp"] / (costs["cost_fp"] + costs["cost_fn"])}


WHERE = re.compile(r"\s+where\s+")
AND = re.compile(r"\s+and\s+")
CONSTRAINT = re.compile(r"\s*([A-Za-z][\w -]*?)(?:\.(low|high))?\s*(>=|<=)\s*(\S+)\s*")
OPTION_LIMITS = {"cost_fp": (0.0, 1e100), "cost_fn": (1e-100, 1e100), "slope": (0.0, 1e100)}


def read_rule(
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
    limits = [_limited(each, parameters or {}, level) for each in several] if limited else []
    if limits and not last:
        _refuse_options(given, rule, None)
        if len(limits) == 1:
            return limits[0]
        # the best for the other class, that of every single constraint, where they agree; else Youden's index
        wanted = {limit.objective for limit in limits}
        best = wanted.pop() if len(wanted) == 1 else youden_j
        names = dict.fromkeys([*(name for limit in limits for name in limit.measures[:1]), best.__name__])
        chosen = Rule(RuleSpec("all-of"), best, measures=tuple(names))
    else:
        chosen = _best(first, parameters or {}, given)
        if not limits:
            return chosen
        names = dict.fromkeys([*chosen.measures, *(name for limit in limits for name in limit.measures[:1])])
        chosen = replace(chosen, spec=RuleSpec("where", objective=chosen.spec), measures=tuple(names))
    bound = next((limit.spec for limit in limits if limit.of_bound), None)
    if bound is not None:
        raise RuleError(
            f"{str(bound)!r} guarantees a limit for one threshold only, the best for the other class; use it"
            " alone, or limit the estimates"
        )
    met = tuple(rule.allowed for rule in (chosen, *limits) if rule.allowed is not None)
    return replace(
        chosen,
        spec=chosen.spec.but(constraints=tuple(limit.spec for limit in limits)),
        allowed=partial(_all_met, met),
        limits=tuple(each for limit in limits for each in limit.limits),
    )


def _best(rule: str, parameters: Mapping[str, Mapping[str, float]], given: dict[str, float]) -> Rule:
    """The rule by name, or the best value of a measure."""
    entered = NAMED.get(rule)
    # before the options are checked, since a misspelt name is more likely
    entry = None if entered else _measure(rule, constrained=False)
    _refuse_options(given, rule, entered)
    if entered is None:
        assert entry is not None
        of = _function(entry, parameters)
        if entry.better is None:
            raise RuleError(
                f"{entry.name} is a measure of which neither a higher nor a lower value is better; choose"
                " another"
            )
        options = {name: value for name, value in (entry.defaults | of.keywords).items() if value is not None}
        spec = RuleSpec("objective", measure=entry.name, better=entry.better, **options)
        return Rule(spec, partial(_signed, entry.sign, of), measures=(entry.name,))
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
    """The rule of one constraint, on an estimate or on its bound.

    Of the thresholds that meet the limit, the best one for the other class: a limit that lower thresholds
    meet more easily, as on sensitivity, takes the largest specificity; one that higher thresholds meet more
    easily, as on precision, the largest sensitivity. Where neither holds, the largest Youden index decides.
    Of equally good thresholds the best in the constrained measure is taken. A threshold that does not meet
    the limit is not allowed, even if it dominates those that do, as with "sensitivity<=0.5".
    """
    constraint = CONSTRAINT.fullmatch(text)
    entry = _measure(constraint[1] if constraint else text, bool(constraint))
    if constraint is None:
        raise RuleError(f'{validate.shown(text)} is no constraint; write one as "precision>=0.9"')
    name, (_, side, sign, number) = entry.name, constraint.groups()
    of = _function(entry, parameters)
    try:
        limit = float(number)
    except ValueError:
        limit = np.nan
    low, high = entry.range
    if np.isnan(limit):
        raise RuleError(f"{number!r} in the constraint on {name} is not a number; as {name}{sign}0.95")
    if not low <= limit <= high:
        raise RuleError(
            f"{name} lies from {low:g} to {high:g}, so that {sign}{number} is not possible; give a bound in"
            " between"
        )
    way = 1 if sign == ">=" else -1
    change = np.concatenate([np.diff(of(counts)) for counts in USUAL])
    change = change[np.isfinite(change)] * way
    if (np.abs(change) <= ROUNDING).all():
        raise RuleError(f"{name} is the same at every threshold; choose another measure")
    other = (
        specificity
        if (change <= ROUNDING).all()
        else sensitivity
        if (change >= -ROUNDING).all()
        else youden_j
    )
    orderly, then = monotonic(entry, of), partial(_signed, way, of)
    bound = RuleSpec("bound", measure=name, side=side or BOUNDS[sign], sign=sign, limit=limit)
    shown = tuple(dict.fromkeys([name, other.__name__]))
    if not side:
        spec = RuleSpec("constraint", measure=name, sign=sign, limit=limit)
        met = partial(_met, way=way, of=of, bound=limit)
        limits = (Limit(spec, bound if orderly else None),)
        return Rule(spec, other, then, met, limits=limits, measures=shown)
    if not orderly:
        names = [each.name for each in registry.find(Counts) if monotonic(each, each.function)]
        raise RuleError(
            f"{name} is not monotonic in the threshold, so that a bound at the best threshold is not valid;"
            f" rules on a bound are of {', '.join(names)}. Choose on other cases, and see the interval of"
            f" {name} here"
        )
    if BOUNDS[sign] != side:
        raise RuleError(
            f"{name}.{side}{sign}{limit:g} guarantees nothing about {name}; a lower bound takes >=, as"
            f" {name}.low>={limit:g}, and an upper one <=, as {name}.high<={limit:g}"
        )
    if limit in (0.0, 1.0):
        raise RuleError(
            f"no number of cases shows that {name} {sign} {limit:g}; give a limit between 0 and 1"
        )
    met = partial(bound_met, function=of, side=side, limit=limit, level=level)
    return Rule(bound, other, then, met, partial(too_few, bound, level, of), of_bound=True, measures=shown)


def _all_met(several: tuple[OfCounts, ...], c: Counts) -> Any:
    return np.logical_and.reduce([each(c) for each in several])


def _option(name: str, value: Any) -> float:
    if name == "k":
        return float(validate.whole(value, name, 1, 1e15))
    if name != "prevalence":
        return validate.number(value, name, *OPTION_LIMITS[name])
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


# The threshold that a rule takes, all equally good ones, and those that it takes on resamples
# --------------------------------------------------------------------------------------------------


class Picked(NamedTuple):
    """The threshold taken, and those that are equally good.

    good: which thresholds are as good by the rule as the one taken; at: the index of that one, 0 where there
    is none.
    """

    good: np.ndarray
    at: np.ndarray


def pick(rule: Rule, table: RankingTable) -> Picked:
    """The threshold that the rule takes, of the table or of each of its resamples (along the last axis)."""
    counts = table.sweep()
    allowed = _allowed(rule, counts, table)
    objective = np.where(allowed, _known(rule.objective, counts), -np.inf)
    if rule.exact:
        good = equally_good(objective)
        left = good & undominated(counts, good)
    else:
        candidates = undominated(counts, allowed)
        good = equally_good(objective, candidates)
        left = good & candidates
        good = left if rule.limits or rule.of_bound else good
    if rule.then is not None:
        better = left & equally_good(np.where(left, _known(rule.then, counts), -np.inf))
        left = np.where(better.any(-1, keepdims=True), better, left)
    # a threshold without predicted positives only where no other one is as good
    some = left & (counts.tp + counts.fp > 0)
    return Picked(good, np.argmax(np.where(some.any(-1, keepdims=True), some, left), -1))


def equally_good(objective: np.ndarray, candidates: np.ndarray | None = None) -> np.ndarray:
    """Which thresholds are as good as the best of the candidates, up to rounding.

    None where the objective is -inf.
    """
    best = (objective if candidates is None else np.where(candidates, objective, -np.inf)).max(
        -1, keepdims=True
    )
    room = ROUNDING * np.abs(np.where(np.isfinite(objective), objective, 0.0)).max(-1, keepdims=True)
    return (objective >= best - room) & (objective <= best + room) & (objective > -np.inf)


def undominated(counts: Counts, allowed: np.ndarray) -> np.ndarray:
    """The allowed thresholds that no other allowed one dominates; of those with the same counts the highest.

    From one threshold to the next lower one no count of positives falls. So one is dominated by a higher one
    only with as many true positives, and by a lower one only with as many false positives.
    """
    tp, fp = counts.tp, counts.fp
    above = np.maximum.accumulate(np.where(allowed, tp, -1.0), -1)
    left = np.array(np.broadcast_to(allowed, above.shape))
    left[..., 1:] &= tp[..., 1:] > above[..., :-1]
    below = np.minimum.accumulate(np.where(left, fp, np.inf)[..., ::-1], -1)[..., ::-1]
    left[..., :-1] &= fp[..., :-1] < below[..., 1:]
    return left


def _allowed(rule: Rule, counts: Counts, table: RankingTable) -> np.ndarray:
    with np.errstate(invalid="ignore", divide="ignore"):
        allowed = np.ones(counts.tp.shape, bool) if rule.allowed is None else np.array(rule.allowed(counts))
    if len(table) and np.isposinf(table.score[0]):
        allowed[..., 0] = False  # no threshold is above an infinite score
    return allowed


def _known(function: OfCounts, counts: Counts) -> np.ndarray:
    with np.errstate(invalid="ignore", divide="ignore"):
        value = np.asarray(function(counts), float)
    return np.where(np.isnan(value), -np.inf, value)


HALF = 0.5
SPLITS = 50  # of the cases into halves: both are used for the choice, and for the count


def cases_of_each_class(table: RankingTable) -> RankingTable:
    """The table with weights that add up to the effective number of cases in each class."""
    by_class = [
        (weight, squares, float(weight.sum() / squares.sum()) if squares.any() else 1.0)
        for weight, squares in weights_by_class(table)
    ]
    positive, negative = (weight * factor for weight, _, factor in by_class)
    return table.of(
        table.score, positive, negative, Squares(*(squares * factor**2 for _, squares, factor in by_class))
    )


def weights_by_class(table: RankingTable) -> list[tuple[np.ndarray, np.ndarray]]:
    """By class, the weights at each score, and their squares."""
    return [
        (np.asarray(a, float), np.asarray(b, float))
        for a, b in zip((table.positive, table.negative), table.squared, strict=True)
    ]


@dataclass(frozen=True, slots=True)
class Threshold(Result):
    """A threshold: cases with score >= value are predicted positive.

    value: None where labels were predicted. rule: how it was chosen, a `RuleSpec`, whose `text` describes it;
    by: the rule that chose it on these cases, None where none did, or where it is not known; splits: of the
    cases into halves, on which the choice is repeated, 0 for none.
    """

    PLAIN = "value rule"
    INFINITE = True

    value: float | None
    rule: RuleSpec
    by: Rule | None = field(default=None, compare=False, repr=False)
    splits: int = field(default=SPLITS, compare=False, repr=False)

    @property
    def chosen(self) -> bool:
        """Whether it was chosen on the cases that are measured."""
        return self.value is not None and self.rule.chosen


def default_threshold(
    table: RankingTable, in_unit_interval: bool, score_kind: str | None = None
) -> Threshold:
    """0 for logits and margins, 0.5 if all scores lie in [0, 1], else that of the largest Youden index."""
    if score_kind in ("logit", "margin"):
        return Threshold(0.0, DEFAULT)
    return Threshold(HALF, DEFAULT) if in_unit_interval else largest_youden(table)


def largest_youden(table: RankingTable) -> Threshold:
    """The threshold with the largest sensitivity + specificity - 1; of several equally good ones the highest.

    With one class only there is no Youden index: the median of the distinct scores, and said so.
    """
    if not (table.positives and table.negatives):
        return Threshold(float(table.score[len(table) // 2]), ONE_CLASS)
    rule = read_rule("youden")
    return Threshold(float(table.score[highest_of_the_best(youden_j(table.sweep()))]), rule.spec, rule)


def highest_of_the_best(values: np.ndarray) -> int:
    """The place of the highest score with the largest value, up to rounding.

    values: at the thresholds of a sweep, of which the first is above every score; it is not taken, even where
    no other is better.
    """
    return int(np.argmax(equally_good(values[1:])))


@dataclass(frozen=True, eq=False)
class Choice:
    """The threshold that a rule chose on a table, and those that it chose on resamples of it.

    index: of the threshold in `ranking.thresholds`; equally_good: intervals (low, high] of thresholds with
    the same objective, the highest first; thresholds: those chosen on the resamples, ascending; resampled:
    the counts of the resample at each of these; nothing_allowed: the share of resamples on which the rule
    allows no threshold, among those with cases of both classes, NaN without resamples; replicates: the number
    of resamples requested.
    """

    ranking: RankingTable
    rule: Rule
    index: int
    equally_good: tuple[tuple[float, float], ...]
    thresholds: np.ndarray
    resampled: Counts
    nothing_allowed: float
    replicates: int

    @property
    def value(self) -> float:
        return float(self.ranking.thresholds[self.index])

    @property
    def counts(self) -> Counts:
        return self.ranking.sweep()[self.index]

    def interval(self, level: float) -> tuple[float, float]:
        """The percentile interval of the thresholds chosen on resamples."""
        if not len(self.thresholds):
            return float("nan"), float("nan")
        tail = (1 - level) / 2
        ends = np.clip(
            np.round(np.array([tail, 1 - tail]) * (len(self.thresholds) - 1)), 0, len(self.thresholds) - 1
        )
        low, high = self.thresholds[ends.astype(int)].tolist()
        return min(low, self.value), max(high, self.value)

    def share_between(self, level: float) -> float:
        """The share of all cases between the ends of the interval."""
        if not len(self.thresholds):
            return 1.0
        low, high = (self.ranking.counts_at(end) for end in self.interval(level))
        return float((low.tp + low.fp - high.tp - high.fp) / self.ranking.total)


def by_rule(table: RankingTable, rule: Rule) -> Threshold:
    """The threshold that the rule chooses. Raises InputError where it allows none."""
    return Threshold(float(table.thresholds[_picked(table, rule).at]), rule.spec, rule)


def choose(
    table: RankingTable,
    rule: Rule,
    seed: int,
    replicates: int,
    design: Design = "cohort",
    clusters: DependentCases | None = None,
) -> Choice:
    """Applies the rule to the table and to bootstrap resamples of it.

    replicates: 0 for none. design: "cohort", the class mix varies from resample to resample, or
    "case-control", the class sizes are fixed. With importance weights the resamples have the effective number
    of cases of each class. clusters: those that are drawn as wholes. Raises InputError where the rule allows
    no threshold.
    """
    if clusters is not None and rule.of_bound:
        raise InputError("unsupported", "rule", f"{rule.text!r} {OF_CLUSTERS}")
    good, index = _picked(table, rule)
    base = table
    resamples: Iterator[RankingTable] = iter(())
    if replicates and clusters is not None:
        base, resamples = clusters.resamples(Draws(replicates, design, seed=seed))
    elif replicates:
        of_rule = cases_of_each_class(table) if rule.of_bound else table
        base, resamples = multinomial(of_rule, seed, replicates, design)
    of_both, chosen, cells = 0, [np.empty(0, int)], [np.empty((4, 0))]
    for some in resamples:
        sweep, there = some.sweep(), pick(rule, some)
        both = (sweep.tp[..., -1] > 0) & (sweep.fp[..., -1] > 0)
        allowed = there.good.any(-1) & both
        at = there.at[allowed]
        of_both += int(both.sum())
        chosen.append(at)
        every = (sweep.tp, sweep.fp, sweep.fn, sweep.tn)
        cells.append(np.array([cell[np.flatnonzero(allowed), at] for cell in every]))
    places = np.concatenate(chosen)
    return Choice(
        table, rule, int(index), _same(table, np.flatnonzero(good)),
        np.sort(base.thresholds[places].astype(float)), Counts.of(*np.concatenate(cells, -1)),
        1 - len(places) / max(of_both, 1) if replicates else nan, replicates,
    )  # fmt: skip


def depends_on_mix(rule: Rule) -> bool:
    """Whether the rule may choose another threshold of the same scores if the class mix changes.

    A bound is on the rate of one class; `top_k` on a number of cases of both.
    """
    if rule.of_bound:
        return False
    limited = (registry.get(limit.spec["measure"], Counts) for limit in rule.limits)
    return (
        (rule.allowed is not None and not rule.limits)
        or reorders(rule.objective)
        or any(interval.depends_on_mix(entry.function) for entry in limited)
    )


def _picked(table: RankingTable, rule: Rule) -> Picked:
    """The threshold that the rule takes. Raises InputError where there is none."""
    if not (table.positives and table.negatives):
        raise RuleError(Note("threshold-of-one-class"))
    table = cases_of_each_class(table) if rule.of_bound else table
    picked = pick(rule, table)
    if picked.good.any():
        return picked
    if rule.why_nothing:
        raise RuleError(rule.why_nothing(table.sweep()))
    raise RuleError(Note("rule-without-value" if rule.allowed is None else "rule-never-met", rule=rule.spec))


def _same(table: RankingTable, good: np.ndarray) -> tuple[tuple[float, float], ...]:
    """(low, high] for each run of neighbouring thresholds that are equally good."""
    limits = np.append(table.thresholds.astype(float), -np.inf)
    runs = np.split(good, np.flatnonzero(np.diff(good) > 1) + 1)
    return tuple((float(limits[run[-1] + 1]), float(limits[run[0]])) for run in runs)


# The optimism of a threshold chosen on the cases measured: choose on a random half, count the other half
# --------------------------------------------------------------------------------------------------


OF_A_MAXIMUM, OF_A_QUANTILE = 2.0 ** (-2 / 3), 0.5  # share of the optimism that remains with all the cases
FEW = 30  # cases of a class; with fewer, intervals cover 89 % in some settings (docs/thresholds.md)
FEWEST = 2  # cases of a class, needed for two halves
ENOUGH = 0.9  # share of the halves on which the rule must find a threshold
MOST_UNITS = 10**8  # units that are drawn; more cases are drawn in groups
TOO_FEW = Note("chosen-on-too-few", limit=FEWEST)
NOT_FOUND = Note("choice-rarely-possible")


class Optimism(NamedTuple):
    """How much larger sensitivity and specificity are on the cases of the choice than on other cases.

    few: whether a class has fewer than 30 cases.
    """

    sensitivity: float
    specificity: float
    few: bool = False


def optimism(table: RankingTable, rule: Rule, seed: int, splits: int = SPLITS) -> Optimism | Note:
    """The optimism of a rule on a table, from so many splits of the cases; or why it is unknown."""
    base = table.thinned() if thins(table) else table
    fewest = min(_cases(*pair).sum() for pair in weights_by_class(base))
    if fewest < FEWEST:
        return TOO_FEW
    if rule.of_bound:
        base = cases_of_each_class(base)
    chosen_on, counted_on = _halves(base, np.random.default_rng(seed), splits)
    # scaled to the whole class, so that rules on numbers of cases choose as for all cases
    positive, negative = (
        part * (whole.sum() / part.sum(-1, keepdims=True))
        for part, (whole, _) in zip(chosen_on, weights_by_class(base), strict=True)
    )
    picked = pick(rule, base.of(base.score, positive, negative))
    there = picked.good.any(-1)
    if there.mean() < ENOUGH:
        return NOT_FOUND
    gained = [
        _share_above(a, picked.at) - _share_above(b, picked.at)
        for a, b in zip(chosen_on, counted_on, strict=True)
    ]
    left = (
        OF_A_QUANTILE if rule.exact or rule.spec.code in ("constraint", "bound", "all-of") else OF_A_MAXIMUM
    )
    of_positives, of_negatives = (float(part[there].mean()) * left for part in gained)
    return Optimism(of_positives, -of_negatives, bool(fewest < FEW))


def less(counts: Counts, gained: Optimism) -> Counts:
    """The counts corrected for the optimism of both rates; the totals of both classes stay the same."""
    tp = float(np.clip(counts.tp - gained.sensitivity * counts.positives, 0.0, counts.positives))
    tn = float(np.clip(counts.tn - gained.specificity * counts.negatives, 0.0, counts.negatives))
    corrected = Counts.of(tp, counts.negatives - tn, counts.positives - tp, tn)
    if counts.squares is None:
        return corrected
    squares = cells_of(corrected) * unit_weights(sampling_of(counts))
    return Counts.of(
        corrected.tp, corrected.fp, corrected.fn, corrected.tn, squares=Counts.of(*map(float, squares))
    )


def _cases(weight: np.ndarray, squares: np.ndarray) -> np.ndarray:
    """The effective number of cases at each score, at least 1 where there is one."""
    with np.errstate(invalid="ignore"):
        cases = np.maximum(
            np.rint(np.divide(weight**2, squares, out=np.zeros_like(weight), where=squares > 0)), 1
        )
    return np.where(weight > 0, cases, 0)


def _halves(
    base: RankingTable, random: np.random.Generator, splits: int
) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """By class, the weights of the half for the choice and of the other half.

    Each is an array of shape (2 * splits, scores).
    """
    pairs = [
        _split(weight, _cases(weight, squares), random, splits) for weight, squares in weights_by_class(base)
    ]
    return [np.concatenate(pair) for pair in pairs], [np.concatenate(pair[::-1]) for pair in pairs]


def _split(
    weight: np.ndarray, cases: np.ndarray, random: np.random.Generator, splits: int
) -> tuple[np.ndarray, np.ndarray]:
    """Each case, or group of cases, is put into one of two halves of equal size."""
    packet = max(1.0, cases.sum() / MOST_UNITS)
    units = np.where(cases > 0, np.maximum(np.rint(cases / packet), 1), 0).astype(np.int64)
    first = random.multivariate_hypergeometric(units, int(units.sum()) // 2, size=splits, method="marginals")
    of_one = np.divide(weight, units, out=np.zeros_like(weight), where=units > 0)
    return first * of_one, (units - first) * of_one


def _share_above(part: np.ndarray, at: np.ndarray) -> np.ndarray:
    """The share of the weight at the threshold with this index in the sweep."""
    above = np.concatenate([np.zeros((len(part), 1)), np.cumsum(part, axis=-1)], axis=-1)
    return np.take_along_axis(above, at[:, None], -1)[:, 0] / above[:, -1]


BEFORE_METHOD = "corrected-"
CORRECTED = (
    "corrected: minus the optimism of a threshold that was chosen on these cases, found by choices on random"
    " halves of them. The intervals are those of the corrected values."
)
GROUPED = Note("chosen-in-clusters")
NOT_REPEATED = Note("choice-not-repeated")
NO_RULE = Note("rule-unknown")
ON_ALL = Note("chosen-on-all-groups")
APPROXIMATE = Note("chosen-on-few", limit=FEW)
OPTIMISM = "optimism of a chosen threshold"  # where a table keeps it
AT_AN_END = Note("corrected-undefined")


def optimism_of(threshold: Threshold, table: RankingTable, seed: int, grouped: bool) -> Optimism | Note:
    """The optimism of the choice of this threshold on this table, or why it is unknown.

    The weights of the table must be numbers of cases.
    """
    if threshold.rule.code == "on-all-groups":
        return ON_ALL
    if grouped:
        return GROUPED
    if threshold.by is None:
        return NO_RULE
    if not threshold.splits:
        return NOT_REPEATED
    # the last one of a table is kept: notices need it again, with settings of their own
    arguments = threshold.by, seed, threshold.splits
    if OPTIMISM not in table.kept or table.kept[OPTIMISM][0] != arguments:
        table.kept[OPTIMISM] = arguments, optimism(table, *arguments)
    return table.kept[OPTIMISM][1]


def estimate_at_chosen(
    entry: Measure, counts: Counts, gained: Optimism | Note, settings: Settings, **parameters: Any
) -> Estimate:
    """The value on these cases, and the value and interval at the rates corrected for optimism.

    gained: the optimism, or why it is unknown; then there is no interval. The interval is extended where it
    would not contain the value on these cases.
    """
    here = estimate(entry, counts, settings, **parameters)
    if here.undefined or not depends_on_threshold(partial(entry.function, **parameters), counts):
        return here
    if isinstance(gained, Note):
        return Estimate(here.value, level=settings.level, notes=(gained,))
    return around_corrected(here, estimate(entry, less(counts, gained), settings, **parameters), gained)


def around_corrected(here: Estimate, expected: Estimate, gained: Optimism) -> Estimate:
    """The value on these cases, with the corrected value and its interval.

    expected: the estimate from the counts corrected for optimism.
    """
    if not isfinite(expected.value):
        return Estimate(here.value, level=here.level, notes=(AT_AN_END,))
    notes = joined(expected.notes, APPROXIMATE if gained.few else None)
    estimate = replace(expected, value=here.value, corrected=expected.value, notes=notes)
    if not estimate.has_interval:
        return estimate
    low, high = min(estimate.low, here.value), max(estimate.high, here.value)
    return replace(estimate, low=low, high=high, method=f"{BEFORE_METHOD}{estimate.method}")


def depends_on_threshold(function: OfCounts, counts: Counts) -> bool:
    """Whether the measure depends on the predictions, and so on the threshold, unlike the prevalence."""
    cases = as_cases(counts)
    p, n = cases.positives, cases.negatives
    values = [
        float(function(Counts.of(p * x, n * y, p * (1 - x), n * (1 - y))))
        for x, y in ((0.75, 0.25), (0.5, 0.125), (0.875, 0.625))  # on no line
    ]
    return not all(isclose(values[0], one, rel_tol=1e-9) for one in values[1:])
