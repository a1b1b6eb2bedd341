"""The number of cases for sensitivity, specificity, and any other proportion of cases.

The power is a sum over the binomial distribution. As a function of n it has a sawtooth shape, since the
critical number of right predictions is a whole number; the n returned is the smallest from which on the power
never falls below the one asked for. Two smooth curves enclose all teeth: the power for the critical number if
it need not be whole, and that for this number plus 1. So only the sizes between the roots of these two are
tried, each of them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

import numpy as np

from ...inference.intervals.proportion import METHODS
from ...inference.intervals.scale import normal_quantile
from ...input import validate
from ...input.calls import public
from ...input.options import Design
from ...input.validate import InputError
from .clusters import clusters_of, in_clusters
from .design import is_fixed
from .plan import ASSURANCE, INDEPENDENT, Plan, not_beyond, power_of, share_of
from .search import fewest, smallest, to_collect, upper_tail

# which is undefined where all cases are on one side
PlannedInterval = Literal["wilson", "clopper-pearson", "jeffreys", "agresti-coull"]
USABLE = get_args(PlannedInterval)
HALVINGS = 50
ON_EXPECTATION = (
    "About half of all samples give a wider interval than expected; plan with a power to make that rare"
)
WITHIN = (
    "It is a proportion of one class; one of both, as precision, has no meaning for a population without a"
    " prevalence"
)
NEVER_LOWER = "The power is exact, and for any larger number not below {power:g} either"


@public()
def proportion(
    *,
    expected: float,
    width: float | None = None,
    at_least: float | None = None,
    at_most: float | None = None,
    power: float | None = None,
    level: float = 0.95,
    method: PlannedInterval = "wilson",
    share: float | None = None,
    assurance: float = ASSURANCE,
    design: Design = "cohort",
    cluster_size: float | None = None,
    icc: float | None = None,
    cv: float | None = None,
) -> Plan:
    """Number of cases needed to estimate a proportion.

    Parameters
    ----------
    expected : float
        True proportion, in [0, 1].
    width : float, optional
        Goal: an interval of at most this width, from its low to its high end.
    at_least, at_most : float, optional
        The other goals: the low end is at least, or the high end at most, this limit.
    power : float, optional
        Probability to reach the goal, by default 0.8 for a limit. For a width there is none by default: the
        width is then that at the expected proportion, and about half of all samples give a wider interval.
    level : float, default 0.95
        Confidence level of the two-sided interval.
    method : {"wilson", "clopper-pearson", "jeffreys", "agresti-coull"}, default "wilson"
        Interval of the proportion, as for `evaluate`.
    share : float, optional
        Proportion of the cases in question among all cases, for the number of cases to collect.
    assurance : float, default 0.95
        Probability with which the cases to collect hold enough of those in question.
    design : {"cohort", "case-control"}, default "cohort"
        "case-control": the class sizes are fixed by `share`, so that n / share cases are enough.
    cluster_size, icc, cv : float, optional
        Cases that come in clusters: see `roc_auc`. cluster_size counts the cases in question, as the
        positives for a sensitivity, and icc is the correlation of correct predictions.

    Returns
    -------
    Plan

    Raises
    ------
    InputError
        Unless exactly one goal is given, where the expected proportion does not lie beyond the limit, and
        where more than 10^9 cases would be needed.

    Notes
    -----
    at_least and at_most correspond to a test against the limit, two-sided at 1 - level: the score test with
    method="wilson", the exact one with "clopper-pearson". With share the cases to collect hold enough of
    those in question with the probability assurance; the plan also has n / share, which is enough in only
    about half of all studies. With design="case-control" the proportion is one within a class: a proportion
    over both classes, as precision, has no meaning for a population without a prevalence. With clusters the
    power is that of large samples.

    Differs: Buderer and Flahault use one-sided limits, Wald's intervals, and half the width.

    References
    ----------
    Buderer (1996), Academic Emergency Medicine 3, 895-900, for n / share. Flahault, Cadilhac and Thomas
    (2005), Journal of Clinical Epidemiology 58, 859-862, for the binomial power.

    Examples
    --------
    >>> from tallymark import planning
    >>> planning.proportion(expected=0.9, at_least=0.8).n
    112
    """
    expected = validate.number(expected, "expected", 0.0, 1.0)
    goal = _goal({"width": width, "at_least": at_least, "at_most": at_most}, expected, level, method)
    wanted = None if width is not None and power is None else power_of(power)
    assured, group = (
        None if is_fixed(design) else share_of(assurance, "assurance"),
        clusters_of(cluster_size, icc, cv),
    )
    n = goal.on_expectation() if wanted is None else goal.lasting(wanted)
    low, high = METHODS[method](n * expected, float(n), goal.level)
    found = Plan(
        f"A proportion expected to be {expected:g}: {goal.words}",
        n,
        goal.level,
        method,
        power=None if wanted is None else float(goal.power(goal.fewest(np.array([n])), n)[0]),
        interval=(float(low), float(high)),
        design=design,
        assumptions=(
            *([WITHIN] if assured is None else []),
            ON_EXPECTATION if wanted is None else NEVER_LOWER.format(power=wanted),
            INDEPENDENT,
        ),
    )
    found = found if share is None else collected(found, share_of(share, "share", 1.0), assured)
    return in_clusters(found, group, normal_quantile(goal.level), wanted)


@public(also=proportion, but=("share",))
def sensitivity(*, expected: float, prevalence: float | None = None, **goal: Any) -> Plan:
    """Number of positives needed to estimate a sensitivity.

    With prevalence also the number of cases to collect.

    Parameters
    ----------
    expected : float
        True sensitivity, in [0, 1].
    prevalence : float, optional
        Proportion of positives, for the number of cases to collect.
    width, at_least, at_most, power, level, method, assurance, design, cluster_size, icc, cv
        As for `proportion`.

    Returns
    -------
    Plan

    Raises
    ------
    InputError
        As for `proportion`.

    Examples
    --------
    >>> from tallymark import planning
    >>> planning.sensitivity(expected=0.9, at_least=0.8).positives
    112
    """
    found = proportion(expected=expected, share=_prevalence(prevalence), **goal)
    return replace(
        _within(found), positives=found.n, goal=found.goal.replace("A proportion", "A sensitivity", 1)
    )


@public(also=proportion, but=("share",))
def specificity(*, expected: float, prevalence: float | None = None, **goal: Any) -> Plan:
    """Number of negatives needed to estimate a specificity.

    With prevalence also the number of cases to collect.

    Parameters
    ----------
    expected : float
        True specificity, in [0, 1].
    prevalence : float, optional
        Proportion of positives, for the number of cases to collect.
    width, at_least, at_most, power, level, method, assurance, design, cluster_size, icc, cv
        As for `proportion`.

    Returns
    -------
    Plan

    Raises
    ------
    InputError
        As for `proportion`.

    Examples
    --------
    >>> from tallymark import planning
    >>> planning.specificity(expected=0.9, at_least=0.8).negatives
    112
    """
    share = None if prevalence is None else 1 - share_of(prevalence, "prevalence")
    found = proportion(expected=expected, share=share, **goal)
    return replace(
        _within(found), negatives=found.n, goal=found.goal.replace("A proportion", "A specificity", 1)
    )


def _within(found: Plan) -> Plan:
    """The plan of a measure that is a proportion within one class."""
    return replace(found, assumptions=tuple(one for one in found.assumptions if one != WITHIN))


def _prevalence(value: float | None) -> float | None:
    return None if value is None else share_of(value, "prevalence")


def collected(found: Plan, share: float, assurance: float | None) -> Plan:
    """The plan with the number of cases to collect, for the proportion of those in question.

    assurance: the probability with which they are enough, where cases are taken as they come; None where the
    proportion is fixed.
    """
    average = int(np.ceil(found.n / share - 1e-9))
    if assurance is None:
        return replace(found, prevalence=share, cases=average)
    cases = to_collect(
        lambda of_class, others: of_class >= found.n, share, assurance, found.n, "cases to collect"
    )
    return replace(found, prevalence=share, on_average=average, cases=cases, assurance=assurance)


@dataclass(frozen=True)
class Goal:
    """The goal for the interval of x of n: it is reached from some x on.

    chance: the probability that a case adds 1 to x; both: whether it must be reached with n - x, too (for a
    width).

    chance: of a case that brings x nearer; both: whether many of the other cases do as well (of a width).
    """

    kind: str
    limit: float
    expected: float
    level: float
    method: str

    @property
    def words(self) -> str:
        """The goal as the end of a sentence."""
        interval = f"{100 * self.level:.4g}% interval"
        if self.kind == "width":
            return f"a {interval} no wider than {self.limit:g} (from low to high)"
        return (
            f"the {'low' if self.kind == 'at_least' else 'high'} end of the {interval}"
            f" {self.kind.replace('_', ' ')} {self.limit:g}"
        )

    def ok(self, x: Any, n: Any) -> Any:
        """Whether x of n cases reach the goal: true from some x on."""
        if self.kind == "at_most":
            return METHODS[self.method](n - x, n, self.level)[1] <= self.limit
        low, high = METHODS[self.method](x, n, self.level)
        return (x >= n / 2) & (high - low <= self.limit) if self.kind == "width" else low >= self.limit

    def power(self, x: Any, n: Any) -> Any:
        """The probability of x or more; for a width also of at most n - x."""
        chance = 1 - self.expected if self.kind == "at_most" else self.expected
        found = upper_tail(x, n, chance)
        return np.minimum(found + upper_tail(x, n, 1 - chance), 1.0) if self.kind == "width" else found

    def edge(self, n: int) -> float:
        """The x from which on the goal is reached, if x need not be whole; infinite where none does."""
        low, high = 0.0, float(n)
        if not self.ok(high, float(n)):
            return np.inf
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            low, high = (low, middle) if self.ok(middle, float(n)) else (middle, high)
        return high

    def fewest(self, n: np.ndarray) -> np.ndarray:
        """The smallest whole x that reaches the goal, for each n; n + 1 where none does."""
        return fewest(
            lambda x: np.asarray(self.ok(x.astype(float), n.astype(float))), np.full(len(n), -1), n + 1
        )

    def lasting(self, power: float) -> int:
        """The smallest n from which on the power never falls below this one."""
        surely = smallest(lambda n: self.power(self.edge(n) + 1, n) >= power, self.kind)
        perhaps = smallest(lambda n: self.power(self.edge(n), n) >= power, self.kind)
        sizes = np.arange(perhaps, surely + 1)
        short = np.flatnonzero(self.power(self.fewest(sizes), sizes) < power)
        return int(sizes[short[-1]]) + 1 if len(short) else perhaps

    def on_expectation(self) -> int:
        """The smallest n at which the interval is narrow enough for the expected proportion."""

        def narrow(n: int) -> bool:
            low, high = METHODS[self.method](n * self.expected, float(n), self.level)
            return bool(high - low <= self.limit)

        return smallest(narrow, self.kind)


def _goal(goals: dict[str, Any], expected: float, level: float, method: str) -> Goal:
    kind = validate.one_of(goals)
    limit = share_of(goals[kind], kind)
    level = validate.level(level)
    if isinstance(method, str) and method == "wald":
        raise InputError(
            "no-result",
            "method",
            "wald has no interval where all cases are on one side",
            "plan with wilson or another one",
        )
    validate.choice(method, USABLE, "method")
    if kind != "width":
        not_beyond(limit, expected, kind, kind == "at_least")
    return Goal(kind, limit, expected, float(level), method)
