"""The number of cases for sensitivity, specificity, any other proportion, and two of the same cases.

The power is a sum over the binomial distribution. As a function of n it has a sawtooth shape, since the
critical number of right predictions is a whole number; the n returned is the smallest from which on the power
never falls below the one planned for. Two smooth curves enclose all teeth: the power for the critical number
if it need not be whole, and that for this number plus 1. So only the sizes between the roots of these two are
tried, each of them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil
from typing import Any, Literal, get_args

import numpy as np

from ...inference.intervals.proportion import METHODS
from ...inference.intervals.scale import normal_quantile
from ...input import validate
from ...input.calls import public
from ...input.options import Design
from ...input.validate import InputError
from .plan import (
    ASSURANCE,
    INDEPENDENT,
    NORMAL,
    Clusters,
    Plan,
    distribution,
    fewest,
    in_clusters,
    is_fixed,
    not_beyond,
    power_of,
    share_of,
    smallest,
    to_collect,
    upper_tail,
)

# which is undefined where all cases are on one side
PlannedInterval = Literal["wilson", "clopper-pearson", "jeffreys", "agresti-coull"]
PlannedTest = Literal["mid-p", "exact"]
HALVINGS = 50
CLOSE = 3  # error, in wins, of the normal approximation of the number needed
BEYOND = 200  # numbers of cases that are tried after the first sufficient one
ON_EXPECTATION = (
    "About half of all samples give a wider interval than expected; plan with a power to make that rare"
)
WITHIN = (
    "It is a proportion of one class; one of both, as precision, has no meaning for a population without a"
    " prevalence"
)


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
    kind = validate.one_of(goals := {"width": width, "at_least": at_least, "at_most": at_most})
    limit, level = share_of(goals[kind], kind), validate.level(level)
    if str(method) == "wald":
        raise InputError(
            "no-result",
            "method",
            "wald has no interval where all cases are on one side",
            "plan with wilson or another one",
        )
    validate.choice(method, get_args(PlannedInterval), "method")
    if kind != "width":
        not_beyond(limit, expected, kind, kind == "at_least")
    goal = Goal(kind, limit, expected, float(level), method)
    wanted = None if width is not None and power is None else power_of(power)
    n = goal.on_expectation() if wanted is None else goal.lasting(wanted)
    low, high = METHODS[method](n * expected, float(n), goal.level)
    return _collected(
        Plan(
            f"A proportion expected to be {expected:g}: {goal.words}",
            n,
            goal.level,
            method,
            power=None if wanted is None else float(goal.power(goal.fewest(np.array([n])), n)[0]),
            interval=(float(low), float(high)),
            assumptions=(
                ON_EXPECTATION
                if wanted is None
                else f"The power is exact, and for any larger number not below {wanted:g} either",
                INDEPENDENT,
            ),
        ),
        wanted,
        None if share is None else share_of(share, "share", 1.0),
        assurance,
        design,
        Clusters.of(cluster_size, icc, cv),
    )


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
    return _of_class("sensitivity", "positives", prevalence, expected, goal)


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
    return _of_class("specificity", "negatives", prevalence, expected, goal)


def _of_class(
    measure: str, cases: str, prevalence: float | None, expected: float, goal: dict[str, Any]
) -> Plan:
    """The plan of a measure that is the proportion within one class."""
    share = None if prevalence is None else share_of(prevalence, "prevalence")
    if share is not None and cases == "negatives":
        share = 1 - share
    plan = proportion(expected=expected, share=share, **goal)
    numbers: dict[str, Any] = {cases: plan.n}
    return replace(
        plan,
        **numbers,
        goal=plan.goal.replace("proportion", measure, 1),
        assumptions=tuple(each for each in plan.assumptions if each != WITHIN),
    )


@public()
def paired_proportions(
    *,
    first: float,
    second: float,
    discordant: float | None = None,
    power: float | None = None,
    level: float = 0.95,
    method: PlannedTest = "mid-p",
    share: float | None = None,
    assurance: float = ASSURANCE,
    design: Design = "cohort",
    cluster_size: float | None = None,
    icc: float | None = None,
    cv: float | None = None,
) -> Plan:
    """Number of cases needed to show that the first of two models is correct more often.

    Both models predict the same cases, and the test is McNemar's.

    Parameters
    ----------
    first, second : float
        True proportions of correct predictions, as sensitivities where the cases are the positives.
    discordant : float, optional
        Proportion of cases that only one of the models has right, at least first - second. By default that of
        models whose errors are independent, which is conservative, since most models share some.
    power : float, default 0.8
        Probability that the two-sided test finds the first better.
    level : float, default 0.95
        One minus the significance level of the test.
    method : {"mid-p", "exact"}, default "mid-p"
        Form of McNemar's test.
    share, assurance, design, cluster_size, icc, cv
        As for `proportion`; icc is that of the difference between the models.

    Returns
    -------
    Plan

    Raises
    ------
    InputError
        Where first is not above second, and for proportions that contradict each other.

    Notes
    -----
    The power is a sum over the number of discordant cases and their split; as for a proportion, it is not
    monotonic in the number of cases.

    References
    ----------
    Connor (1987), Biometrics 43, 207-211, whose formula approximates it. McNemar (1947).

    Examples
    --------
    >>> from tallymark import planning
    >>> planning.paired_proportions(first=0.9, second=0.8).n
    198
    """
    p, q = validate.number(first, "first", 0.0, 1.0), validate.number(second, "second", 0.0, 1.0)
    if p <= q:
        raise InputError(
            "no-result",
            "first",
            f"{p:g} is not above {q:g}, so no number of cases can show it",
            "exchange the two, or expect more",
        )
    wanted, level = power_of(power), validate.level(level)
    least, most = p - q, min(p + q, 2 - p - q)
    apart = p * (1 - q) + q * (1 - p)
    if discordant is not None:  # rounded, as users write decimals
        apart = validate.number(discordant, "discordant", round(least, 12), round(most, 12))
        apart = min(max(apart, least), most)
    validate.choice(method, get_args(PlannedTest), "method")
    test = McNemar(apart, (apart + p - q) / 2 / apart, (1 - level) / 2, method)
    n = test.lasting(wanted)
    why = ", their errors assumed to be independent; with the share of discordant cases given, it is that"
    right = f"Only one of the models has {apart:.4g} of the cases right"
    return _collected(
        Plan(
            f"Shares of right answers expected to be {p:g} and {q:g}, on the same cases: McNemar's test finds"
            f" the first better at {1 - level:.4g}",
            n,
            level,
            f"mcnemar {method}",
            power=test.power(n),
            assumptions=(
                right + why if discordant is None else right,
                f"The power is exact, and for the next {BEYOND} numbers of cases not below {wanted:g} either",
                INDEPENDENT,
            ),
        ),
        wanted,
        None if share is None else share_of(share, "share"),
        assurance,
        design,
        Clusters.of(cluster_size, icc, cv),
    )


def _collected(
    plan: Plan,
    power: float | None,
    share: float | None,
    assurance: float,
    design: Design,
    clusters: Clusters | None,
) -> Plan:
    """The plan with the number of cases to collect, for the proportion of those in question.

    assurance: the probability with which they are enough, where cases are taken as they come.
    """
    plan = replace(plan, design=design)
    if fixed := is_fixed(design):
        plan = replace(plan, assumptions=(WITHIN, *plan.assumptions))
    else:
        assurance = share_of(assurance, "assurance")
    if share is not None:
        average = ceil(plan.n / share - 1e-9)
        if fixed:
            plan = replace(plan, prevalence=share, cases=average)
        else:
            cases = to_collect(
                lambda of_class, others: of_class >= plan.n, share, assurance, plan.n, "cases to collect"
            )
            plan = replace(plan, prevalence=share, on_average=average, cases=cases, assurance=assurance)
    return in_clusters(plan, clusters, normal_quantile(plan.level), power)


@dataclass(frozen=True)
class Goal:
    """The goal for the interval of x of n: it is reached from some x on.

    For a width it must be reached with n - x, too.
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

    def reached(self, x: Any, n: Any) -> Any:
        """Whether x of n cases reach the goal: true from some x on."""
        if self.kind == "at_most":
            return METHODS[self.method](n - x, n, self.level)[1] <= self.limit
        low, high = METHODS[self.method](x, n, self.level)
        return (x >= n / 2) & (high - low <= self.limit) if self.kind == "width" else low >= self.limit

    def power(self, x: Any, n: Any) -> Any:
        """The probability of x or more; for a width also of at most n - x."""
        chance = 1 - self.expected if self.kind == "at_most" else self.expected
        power = upper_tail(x, n, chance)
        return np.minimum(power + upper_tail(x, n, 1 - chance), 1.0) if self.kind == "width" else power

    def edge(self, n: int) -> float:
        """The x from which on the goal is reached, if x need not be whole; infinite where none does."""
        low, high = 0.0, float(n)
        if not self.reached(high, float(n)):
            return np.inf
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            low, high = (low, middle) if self.reached(middle, float(n)) else (middle, high)
        return high

    def fewest(self, n: np.ndarray) -> np.ndarray:
        """The smallest whole x that reaches the goal, for each n; n + 1 where none does."""
        return fewest(
            lambda x: np.asarray(self.reached(x.astype(float), n.astype(float))), np.full(len(n), -1), n + 1
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


@dataclass(frozen=True)
class McNemar:
    """McNemar's test of two expected proportions.

    discordant: the proportion of discordant cases; won: the proportion of these that the first has right;
    tail: the level of the test on one side.
    """

    discordant: float
    won: float
    tail: float
    method: str

    def power(self, n: int) -> float:
        """The power with n cases."""
        pairs, chances = distribution(n, self.discordant)
        return float(chances @ self.wins(pairs))

    def wins(self, pairs: np.ndarray) -> np.ndarray:
        """The power with so many discordant cases."""
        return upper_tail(self.needed(pairs), pairs, self.won)

    def needed(self, pairs: np.ndarray) -> np.ndarray:
        """How many discordant cases the first must have right, for the test to reject.

        One more than there are where no number suffices.
        """

        def rejects(k: np.ndarray) -> np.ndarray:
            tail = upper_tail(k, pairs, 0.5)
            return (
                tail if self.method == "exact" else (tail + upper_tail(k + 1, pairs, 0.5)) / 2
            ) <= self.tail

        # close, so that few steps remain
        guess = (pairs + NORMAL.inv_cdf(1 - self.tail) * np.sqrt(pairs)) / 2
        low, high = (
            np.maximum(guess.astype(int) - CLOSE, pairs // 2),
            np.minimum(guess.astype(int) + CLOSE, pairs + 1),
        )
        return fewest(
            rejects, np.where(rejects(low), pairs // 2, low), np.where(rejects(high), high, pairs + 1)
        )

    def lasting(self, power: float) -> int:
        """The smallest number of cases that has this power, as have the next ones."""
        n = smallest(lambda n: self.power(n) >= power, "first")
        while True:
            first, last = (
                distribution(n + 1, self.discordant)[0][0],
                distribution(n + BEYOND, self.discordant)[0][-1],
            )
            wins = self.wins(np.arange(first, last + 1))
            nexts = ((more, *distribution(more, self.discordant)) for more in range(n + 1, n + 1 + BEYOND))
            short = [more for more, pairs, chances in nexts if chances @ wins[pairs - first] < power]
            if not short:
                return n
            n = short[-1] + 1
