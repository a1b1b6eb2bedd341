"""The number of cases that an evaluation needs, and the precision that the data at hand give.

    tm.planning.sensitivity(expected=0.9, at_least=0.85, prevalence=0.1)
    tm.planning.roc_auc(expected=0.8, width=0.1)
    tm.planning.paired_roc_auc(first=0.85, second=0.80, correlation=0.5)
    tm.planning.external_validation(prevalence=0.1, auc=0.8)
    tm.planning.present(evaluation, measures="roc_auc", width=0.02)

Power is the probability that the interval of `evaluate` lies on the right side of a limit, as a release gate
requires.

Proportions: the power is a sum over the binomial distribution. As a function of n it has a sawtooth shape,
since the critical number of right predictions is a whole number; the n returned is the smallest from which on
the power never falls below the one planned for. Two smooth curves enclose all teeth: the power for the
critical number if it need not be whole, and that for this number plus 1. So only the sizes between the roots
of these two are tried, each of them.

Areas: the variance of an area, or the covariance of two, has three parts: of pairs of cases, of pairs that
share their negative, and of pairs that share their positive; Var = (pair + (positives - 1) same_negative +
(negatives - 1) same_positive) / (positives negatives), and that is exact. Source: Bamber (1975), Journal of
Mathematical Psychology 12, 387-415; Hanley and McNeil (1982), Radiology 143, 29-36, Eq. 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from functools import cache
from math import asin, asinh, ceil, exp, inf, isfinite, log, pi, sqrt
from statistics import NormalDist
from typing import Any, Literal, get_args, get_origin, get_type_hints

import numpy as np

from ..evaluation.evaluate import EvaluationOptions, names_of_measures
from ..evaluation.notices import Notice
from ..evaluation.results import Evaluation, refuse_answers
from ..inference import Estimate, Settings, estimate
from ..inference.covariance import as_cases, effective_rows
from ..inference.interval import FEW_MISPLACED, HELD, METHODS, detectable, newcombe_variance, normal_quantile
from ..input import columns, text, validate
from ..input.arguments import DESIGNS, Design
from ..input.calls import public
from ..input.errors import option
from ..input.messages import Note, Noted, Notes, joined
from ..input.results import Answer, ByName, Entry, Readable, Result, Tabular, rows_of
from ..input.sample import conditions
from ..input.validate import InputError
from ..measures import registry
from ..measures.families.ranking import roc_auc as area_of
from ..summaries import ConfusionMatrix, Counts, RankingTable

__all__ = [
    "Criterion", "ExternalPlan", "Plan", "Present", "Reach", "external_validation", "paired_proportions",
    "paired_roc_auc", "present", "proportion", "roc_auc", "sensitivity", "specificity", "unpaired_roc_auc",
]  # fmt: skip


POWER, ASSURANCE = 0.8, 0.95
LONGEST = 80  # characters of the goal in the short form
MOST = 10**9  # cases that a plan may ask for
TOO_MANY = "more than 10^9 cases would be needed"
FEWEST = 2  # cases of a class: a single one has no variance
FAR = 9.0  # standard deviations, beyond which binomial probabilities are below rounding
FEW_MORE = 40  # and further cases, for a skewed distribution
ROUNDS = 100  # of an iteration: the number of clusters and Student's quantile depend on each other
FEW = 40  # clusters, below which intervals are noted as approximate
ENOUGH = 3.0  # effective clusters, from which a variance can be estimated
NORMAL = NormalDist()
INDEPENDENT = "Cases are assumed to be independent; several of one patient or site count for less"
ROUGH = "The power is that of many clusters; with fewer than 50 it is up to 0.04 lower"


@dataclass(frozen=True, repr=False)
class Plan(Readable):
    """The number of cases that a goal needs.

    Attributes
    ----------
    goal : str
        The goal in words.
    n : int
        Number of cases of the class in question, or of both classes.
    positives, negatives : int or None
        Number of cases of each class, None for a class that is not in question.
    power : float or None
        Probability to reach the goal with them, None where it is reached on expectation.
    interval : pair of float
        The interval to expect.
    level : float
        Its confidence level, above 0 and below 1.
    method : str
        Its method.
    assumptions : tuple of str
        What must hold.
    prevalence : float or None
        Proportion of positives, or of the class in question, where cases are taken as they come.
    on_average : int or None
        Number of cases that holds the numbers above on average.
    cases : int or None
        Number of cases that holds them with the probability `assurance`.
    assurance : float or None
        This probability.
    design_effect, clusters : float and int, or None
        The factor on the number of cases, and the number of clusters, where cases come in clusters.
    sets : int
        Number of data sets that each have the numbers above: 2 where two models score different cases.
    design : str
        "cohort", cases are taken as they come, or "case-control", the class sizes are fixed.
    """

    ANSWER = "plan"
    FORM = "studies.plan"

    goal: str
    n: int
    level: float
    method: str
    positives: int | None = None
    negatives: int | None = None
    power: float | None = None
    interval: tuple[float, float] | None = None
    prevalence: float | None = None
    on_average: int | None = None
    cases: int | None = None
    assurance: float | None = None
    design_effect: float | None = None
    clusters: int | None = None
    sets: int = 1
    design: str = "cohort"
    assumptions: tuple[str, ...] = ()

    @classmethod
    def from_dict(cls, plain: dict[str, Any]) -> Plan:
        """The plan of a mapping that `to_dict` returned. Raises TypeError for values of other types."""
        tuples = {
            name: None if plain[name] is None else tuple(plain[name]) for name in ("interval", "assumptions")
        }
        plan = cls(**{field.name: plain[field.name] for field in fields(cls)} | tuples)
        for name, kind in get_type_hints(cls).items():
            if (
                hasattr(plan, name)
                and name in cls.__dataclass_fields__
                and not _is_of(getattr(plan, name), kind)
            ):
                raise TypeError(name)
        return plan

    def __repr__(self) -> str:
        return (
            f"<Plan of {text.count(self.n if self.cases is None else self.cases)} cases:"
            f" {text.label(self.goal, LONGEST)}>"
        )


def _is_of(value: Any, kind: Any) -> bool:
    """Whether it is of a type of a field above; a number must be finite, and a whole one positive."""
    parts = get_args(kind)
    if get_origin(kind) is tuple:
        of_each = [parts[0]] * len(value) if parts[-1] is ... else parts
        return isinstance(value, tuple) and len(value) == len(of_each) and all(map(_is_of, value, of_each))
    if parts:  # a union
        return any(_is_of(value, part) for part in parts)
    if kind is int:
        return type(value) is int and 0 < value < 2**63
    if kind is float:
        return type(value) in (int, float) and abs(value) < inf
    return isinstance(value, kind)


def share_of(value: float | None, role: str) -> float:
    """A proportion above 0 and below 1."""
    share = validate.number(value, role, 0.0, 1.0)
    if share < validate.SMALLEST or share == 1.0:
        raise InputError(
            "invalid-value", role, f"{share:g} leaves nothing to plan", "give a share between 0 and 1"
        )
    return share


def power_of(value: float | None) -> float:
    """The power, checked."""
    return POWER if value is None else share_of(value, "power")


def not_beyond(limit: float, expected: float, role: str, below: bool) -> None:
    """Raises InputError where the expected value does not lie beyond the limit."""
    if (expected <= limit) if below else (expected >= limit):
        side = "above" if below else "below"
        raise InputError(
            "no-result",
            role,
            f"no number of cases can show it, since {expected:g} is expected, not {side} {limit:g}",
            "change one of them",
        )


def upper_tail(k: Any, n: Any, chance: float) -> np.ndarray:
    """P(X >= k) of binomial X, elementwise; the beta function interpolates between whole k."""
    from scipy.special import betainc

    k, n = np.broadcast_arrays(np.asarray(k, float), np.asarray(n, float))
    inside = (k > 0) & (k <= n)
    return np.where(
        inside, betainc(np.where(inside, k, 1.0), np.where(inside, n - k + 1, 1.0), chance), k <= 0
    )


def distribution(n: int, chance: float) -> tuple[np.ndarray, np.ndarray]:
    """The likely values of a binomial variable, and their probabilities.

    Left out are values whose probability is below rounding.
    """
    middle, reach = n * chance, FAR * np.sqrt(n * chance * (1 - chance)) + FEW_MORE
    k = np.arange(max(int(middle - reach), 0), min(int(middle + reach), n) + 1)
    return k, -np.diff(upper_tail(np.append(k, k[-1] + 1), n, chance))


def smallest(enough: Callable[[int], Any], argument: str, low: int = 1) -> int:
    """The smallest whole number from `low` on that is enough.

    enough: a condition that stays true for larger numbers. Raises InputError beyond 10^9.
    """
    below, above = low - 1, low
    while not enough(above):
        if above > MOST:
            raise InputError("no-result", argument, TOO_MANY, "expect more, or ask for less")
        below, above = above, 2 * above
    while above - below > 1:
        middle = (below + above) // 2
        below, above = (below, middle) if enough(middle) else (middle, above)
    return above


def fewest(ok: Callable[[np.ndarray], np.ndarray], low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Elementwise the smallest whole number above `low` that is ok; `high` where no smaller one is."""
    low, high = np.array(low, np.int64), np.array(high, np.int64)
    while (high - low > 1).any():
        middle = (low + high) // 2
        good = ok(middle) & (middle > low)
        low, high = np.where(good | (middle == low), low, middle), np.where(good, middle, high)
    return high


@dataclass(frozen=True)
class Clusters:
    """The sizes of clusters, and the correlation within them.

    size: mean number of the cases in question per cluster; icc: correlation within a cluster; cv: standard
    deviation of the sizes over their mean.
    """

    size: float
    icc: float
    cv: float = 0.0

    @classmethod
    def of(cls, cluster_size: float | None, icc: float | None, cv: float | None) -> Clusters | None:
        """The clusters, or None where no argument is given. Raises InputError where one is missing."""
        if cluster_size is None and icc is None and cv is None:
            return None
        if cluster_size is None:
            raise InputError(
                "conflict",
                "icc" if icc is not None else "cv",
                "it is of cases in clusters",
                f"give {option('cluster_size')}, the cases per cluster, or leave it out",
            )
        if icc is None:
            raise InputError(
                "needed",
                "icc",
                "how strongly do the cases of a cluster correlate? Give their correlation, from 0 to 1, as"
                f" {option('icc', 0.1)}",
            )
        size = validate.number(cluster_size, "cluster_size", 1.0, 1e6)
        spread = 0.0 if cv is None else validate.number(cv, "cv", 0.0, 10.0)
        return cls(size, validate.number(icc, "icc", 0.0, 1.0), spread)

    @property
    def effect(self) -> float:
        """The design effect: the variance of a mean over that of as many independent cases."""
        return 1 + ((self.cv**2 + 1) * self.size - 1) * self.icc

    def number(self, cases: int) -> int:
        """The number of clusters that hold so many cases on average."""
        return ceil(cases / self.size - 1e-9)

    def cases(self, independent: int, z: float, more: float = 0.0) -> int:
        """The number of cases that is worth so many independent ones.

        z, more: the normal quantiles of the level and of the power. Intervals of clustered cases use
        Student's t in place of z, with one degree of freedom less than clusters, or than clusters /
        (1 + cv^2) where their sizes differ; the number allows for that.
        """
        from scipy.special import ndtr, stdtrit

        cases = wanted = independent * self.effect
        for _ in range(ROUNDS):
            count = max(wanted / self.size / (1 + self.cv**2), ENOUGH)
            t = float(stdtrit(count - 1, ndtr(z)))
            before, wanted = wanted, cases * ((t + more) / (z + more)) ** 2
            if abs(wanted - before) < 0.01:
                break
        if wanted > MOST:
            raise InputError("no-result", "icc", TOO_MANY, "expect less, or take smaller clusters")
        return ceil(max(wanted, ENOUGH * self.size) - 1e-6)

    def assumptions(self, cases: int) -> tuple[str, ...]:
        """What is assumed about this number of cases."""
        unequal = f", whose sizes vary by {100 * self.cv:g} %" if self.cv else ""
        clusters = self.number(cases)
        sizes = (
            f"Cases come in clusters of {self.size:g} on average{unequal}, with a correlation of"
            f" {self.icc:g} within a cluster: {self.effect:.4g} times as many as independent ones (the"
            f" design effect), in {clusters:,} clusters or more"
        )
        many = clusters / (1 + self.cv**2) >= FEW
        return (sizes,) if many else (sizes, f"Intervals from fewer than {FEW} clusters are approximate")


@dataclass(frozen=True)
class Sampling:
    """How cases are taken, which is the same for every goal.

    share: the proportion of the class in question where cases are taken as they come; None where that class
    is sampled by itself. ratio: of the negatives to the positives where each class is sampled by itself.
    """

    share: float | None
    ratio: float
    assurance: float
    design: Design
    clusters: Clusters | None

    @classmethod
    def of(
        cls,
        share: float | None,
        assurance: float,
        design: Design,
        cluster_size: float | None,
        icc: float | None,
        cv: float | None,
        ratio: float | None = None,
        role: str = "prevalence",
    ) -> Sampling:
        """From arguments that are checked here. role: the argument that the share was given as."""
        validate.choice(design, DESIGNS, "design")
        if share is not None and ratio is not None:
            raise InputError(
                "conflict",
                "negatives_per_positive",
                f"{option(role)} already determines the number of negatives",
                "leave one of them out",
            )
        return cls(
            None if share is None else share_of(share, role),
            1.0 if ratio is None else validate.number(ratio, "negatives_per_positive", 1e-6, 1e6),
            share_of(assurance, "assurance"),
            design,
            Clusters.of(cluster_size, icc, cv),
        )

    def split(self, total: int) -> tuple[int, int]:
        """So many cases by class, as on average; without a share so many positives, and their negatives."""
        if self.share is None:
            return total, ceil(total * self.ratio - 1e-9)
        positives = round(total * self.share)
        return positives, total - positives

    def collected(
        self, plan: Plan, enough: Callable[[Any, Any], Any], average: int, argument: str, power: float | None
    ) -> Plan:
        """The plan with the number of cases to collect, where they are of a share, and of clusters.

        enough: whether so many cases of the class in question, and so many others, are; average: the number
        that holds enough on average; power: the one planned for.
        """

        share = self.share

        def assured(total: int, share: float) -> bool:
            k, chances = distribution(total, share)
            return float(chances[np.asarray(enough(k, total - k))].sum()) >= self.assurance

        plan = replace(plan, design=self.design)
        if share is not None and self.design == HELD:
            plan = replace(plan, prevalence=share, cases=average)
        elif share is not None:
            cases = smallest(lambda total: assured(total, share), argument)
            plan = replace(plan, prevalence=share, on_average=average, cases=cases, assurance=self.assurance)
        return plan if self.clusters is None else in_clusters(plan, self.clusters, power)


def in_clusters(plan: Plan, clusters: Clusters, power: float | None) -> Plan:
    """The plan for clustered cases. power: the one planned for, None where a width is.

    The power is then the one planned for: the excess from rounding up independent cases does not carry over.
    """
    more = 0.0 if power is None else max(NORMAL.inv_cdf(power), 0.0)
    n = clusters.cases(plan.n, normal_quantile(plan.level), more)
    names = ("positives", "negatives", "on_average", "cases")
    sizes = {
        name: ceil(size * n / plan.n - 1e-6) for name in names if (size := getattr(plan, name)) is not None
    }
    total = sizes["positives"] + sizes["negatives"] if plan.positives and plan.negatives else n
    others = [
        each for each in plan.assumptions if each != INDEPENDENT and not each.startswith("The power is")
    ]
    return replace(
        plan,
        n=total,
        power=power,
        design_effect=clusters.effect,
        clusters=clusters.number(total),
        assumptions=(*others, *([] if power is None else [ROUGH]), *clusters.assumptions(total)),
        **sizes,
    )


# Proportions: sensitivity, specificity, any other, and two of the same cases
# --------------------------------------------------------------------------------------------------


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
        Sampling.of(share, assurance, design, cluster_size, icc, cv, role="share"),
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
        Sampling.of(share, assurance, design, cluster_size, icc, cv, role="share"),
    )


def _collected(plan: Plan, power: float | None, sampling: Sampling) -> Plan:
    """The plan with the number of cases to collect, for the proportion of those in question."""
    if sampling.design == HELD:
        plan = replace(plan, assumptions=(WITHIN, *plan.assumptions))
    average = plan.n if sampling.share is None else ceil(plan.n / sampling.share - 1e-9)
    return sampling.collected(
        plan, lambda of_class, others: of_class >= plan.n, average, "cases to collect", power
    )


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


# Areas under the ROC curve: of one model, and the difference of two
# --------------------------------------------------------------------------------------------------


NODES = 64  # of the quadrature
NEAREST = 1e-12  # distance of an area from 0 and 1
AreaVariance = Literal["binormal", "hanley-mcneil"]
VARIANCES = get_args(AreaVariance)
LARGE_SAMPLE = "The power is that of large samples; that of small ones is up to 0.03 higher"
DELONG = "The power is that of large samples, of DeLong's two-sided test; that of small ones is higher"
FEWER = (
    "Fewer cases may be enough, but then few are misplaced and evaluate gives another, wider interval, for"
    " which there is no plan"
)


@public()
def roc_auc(
    *,
    expected: float,
    width: float | None = None,
    at_least: float | None = None,
    power: float | None = None,
    level: float = 0.95,
    variance: AreaVariance = "binormal",
    spread_ratio: float = 1.0,
    prevalence: float | None = None,
    negatives_per_positive: float | None = None,
    assurance: float = ASSURANCE,
    design: Design = "cohort",
    cluster_size: float | None = None,
    icc: float | None = None,
    cv: float | None = None,
) -> Plan:
    """Number of cases needed to estimate an area under the ROC curve.

    Parameters
    ----------
    expected : float
        True area, in (0, 1).
    width : float, optional
        Goal: an interval of at most this width, from its low to its high end, for the expected area.
    at_least : float, optional
        The other goal: the low end of the interval reaches this limit (0.5: better than guessing).
    power : float, default 0.8
        Probability of that; not used with width.
    level : float, default 0.95
        Confidence level of the two-sided interval.
    variance : {"binormal", "hanley-mcneil"}, default "binormal"
        "binormal": exact for scores that on some scale are normal in each class; "hanley-mcneil": for
        exponential ones.
    spread_ratio : float, default 1
        Standard deviation of the scores of the positives over that of the negatives, for binormal scores.
    prevalence : float, optional
        Proportion of positives where cases are taken as they come: the plan then has the number of cases to
        collect.
    negatives_per_positive : float, default 1
        Ratio of the class sizes; not used with prevalence.
    assurance : float, default 0.95
        Probability with which the cases to collect hold enough of each class.
    design : {"cohort", "case-control"}, default "cohort"
        "case-control": the class sizes are fixed, by prevalence or negatives_per_positive, and no assurance
        is needed.
    cluster_size, icc : float, optional
        Where cases come in clusters, as several of one patient: the mean number of cases in question per
        cluster, and their correlation within a cluster.
    cv : float, default 0
        Standard deviation of the cluster sizes over their mean.

    Returns
    -------
    Plan

    Raises
    ------
    InputError
        Unless exactly one goal is given, for power with width, where the limit is not below the expected
        area, and where more than 10^9 cases would be needed.

    Notes
    -----
    The interval is that of `evaluate`: DeLong's on the logit scale. Its estimated standard error depends on
    the estimated area, which the power allows for to first order; in simulations the power in small samples
    is up to 0.03 higher (docs/planning.md). Where fewer than two cases of the smaller class are misplaced,
    `evaluate` gives another, wider interval, so every plan has at least two on average. The variance of an
    area is conditional on the class sizes, so that the numbers of each class hold for both designs.

    With clusters the numbers are multiplied by the design effect 1 + ((cv^2 + 1) cluster_size - 1) icc, and
    increased for Student's t with that many clusters. The cases of a cluster are assumed to be of one class,
    and icc is the correlation of the proportions of the other class that they exceed. Where clusters hold
    both classes the number is conservative, since an effect common to all scores of a cluster changes the
    area less.

    Differs: pROC's power.roc.test plans a test on the untransformed scale, with the variance of ordinal
    ratings.

    References
    ----------
    Obuchowski, Lieber and Wians (2004), Clinical Chemistry 50, 1118-1125, for planning with a variance
    function. Eldridge, Ashby and Kerry (2006), International Journal of Epidemiology 35, 1292-1300, for
    clusters of unequal size.

    Examples
    --------
    >>> from tallymark import planning
    >>> plan = planning.roc_auc(expected=0.85, at_least=0.75)
    >>> plan.positives, plan.negatives
    (80, 80)
    """
    area = share_of(expected, "expected")
    kind = validate.one_of({"width": width, "at_least": at_least})
    limit = share_of(width if kind == "width" else at_least, kind)
    areas = Areas.of({"expected": area}, variance, spread_ratio, level)
    if kind == "at_least":
        not_beyond(limit, area, kind, True)
    sampling = Sampling.of(prevalence, assurance, design, cluster_size, icc, cv, ratio=negatives_per_positive)
    return _plan(areas, kind, limit, power, sampling)


@public()
def paired_roc_auc(
    *,
    first: float,
    second: float,
    correlation: float | tuple[float, float],
    width: float | None = None,
    margin: float = 0.0,
    power: float | None = None,
    level: float = 0.95,
    spread_ratio: float = 1.0,
    prevalence: float | None = None,
    negatives_per_positive: float | None = None,
    assurance: float = ASSURANCE,
    design: Design = "cohort",
    cluster_size: float | None = None,
    icc: float | None = None,
    cv: float | None = None,
) -> Plan:
    """Number of cases needed to show a difference of two areas under the ROC curve on the same cases.

    The goal is that the first model has the larger area, or, with a margin, that it is not inferior.

    Parameters
    ----------
    first, second : float
        True areas, in (0, 1).
    correlation : float or (float, float)
        Correlation of the two models' scores within the positives and within the negatives, one number for
        both or a pair, from 0 to below 1. It is that on the scale on which scores are normal in each class,
        where a Spearman correlation r corresponds to 2 sin(pi r / 6).
    width : float, optional
        Goal: an interval of first - second of at most this width, from its low to its high end.
    margin : float, default 0
        The other goal, where no width is given: the interval lies above -margin (with a margin above 0: the
        first is not inferior).
    power : float, default 0.8
        Probability of that; not used with width.
    level : float, default 0.95
        Confidence level of the two-sided interval.
    spread_ratio, prevalence, negatives_per_positive, assurance, design, cluster_size, icc, cv
        As for `roc_auc`; icc is that of the difference between the models.

    Returns
    -------
    Plan

    Raises
    ------
    InputError
        For margin or power with width, where the expected difference does not lie above -margin, and where
        more than 10^9 cases would be needed.

    Notes
    -----
    The interval is DeLong's; its variance is the exact one of the bivariate binormal model. The power is that
    of large samples; in simulations with 36 cases of each class it is 0.05 higher (docs/planning.md).

    Differs: Hanley and McNeil (1983) take the correlation of the areas from a table; here it is computed
    from that of the scores.

    References
    ----------
    DeLong, DeLong and Clarke-Pearson (1988) for the interval. Obuchowski and McClish (1997), Statistics in
    Medicine 16, 1529-1542, for planning with binormal scores.

    Examples
    --------
    >>> from tallymark import planning
    >>> planning.paired_roc_auc(first=0.9, second=0.85, correlation=0.5).positives
    213
    """
    sampling = Sampling.of(prevalence, assurance, design, cluster_size, icc, cv, ratio=negatives_per_positive)
    areas = Areas.of({"first": first, "second": second}, "binormal", spread_ratio, level, correlation)
    return _difference(areas, width, margin, power, sampling)


@public()
def unpaired_roc_auc(
    *,
    first: float,
    second: float,
    width: float | None = None,
    margin: float = 0.0,
    power: float | None = None,
    level: float = 0.95,
    variance: AreaVariance = "binormal",
    spread_ratio: float = 1.0,
    prevalence: float | None = None,
    negatives_per_positive: float | None = None,
    assurance: float = ASSURANCE,
    design: Design = "cohort",
    cluster_size: float | None = None,
    icc: float | None = None,
    cv: float | None = None,
) -> Plan:
    """Number of cases needed to show a difference of two areas under the ROC curve on different cases.

    The goal is that the first model has the larger area, or, with a margin, that it is not inferior. Each
    model scores a data set of its own, as from two hospitals or two periods; the numbers are those of each
    set, and both sets have the same.

    Parameters
    ----------
    first, second : float
        Expected areas, in (0, 1).
    width : float, optional
        Goal: an interval of first - second of at most this width, from its low to its high end.
    margin : float, default 0
        The other goal, where no width is given: the interval lies above -margin (with a margin above 0: the
        first is not inferior).
    power : float, default 0.8
        Probability of that; not used with width.
    level : float, default 0.95
        Confidence level of the two-sided interval.
    variance, spread_ratio, prevalence, negatives_per_positive, assurance, design, cluster_size, icc, cv
        As for `roc_auc`.

    Returns
    -------
    Plan
        Its `sets` is 2.

    Raises
    ------
    InputError
        For margin or power with width, where the expected difference does not lie above -margin, and where
        more than 10^9 cases would be needed.

    Notes
    -----
    The interval is that of `compare` on different cases: both DeLong intervals on the logit scale, combined
    by MOVER. The power is that of large samples: the low end is approximately normal, with the variances of
    both areas.

    References
    ----------
    Zou and Donner (2008), Statistics in Medicine 27, 1693-1702. Obuchowski, Lieber and Wians (2004), Clinical
    Chemistry 50, 1118-1125.

    Examples
    --------
    >>> from tallymark import planning
    >>> planning.unpaired_roc_auc(first=0.9, second=0.8).positives
    110
    """
    sampling = Sampling.of(prevalence, assurance, design, cluster_size, icc, cv, ratio=negatives_per_positive)
    areas = Areas.of({"first": first, "second": second}, variance, spread_ratio, level)
    return _difference(areas, width, margin, power, sampling)


def _difference(
    areas: Areas, width: float | None, margin: float, power: float | None, sampling: Sampling
) -> Plan:
    """The plan for first - second."""
    (a, b), margin = areas.values, validate.number(margin, "margin", 0.0, 1.0)
    if width is not None:
        if margin:
            raise InputError("conflict", "margin", "it is of a test", f"with {option('width')} leave it out")
        return _plan(areas, "width", validate.number(width, "width", 1e-9, 2.0), power, sampling)
    if a - b + margin <= 0:
        smaller = f"{b:g} - {margin:g}" if margin else f"{b:g}"
        way_out = "" if margin else f"exchange the two, or give a {option('margin')}"
        if a == b:
            way_out = f"give a {option('margin')} that it may fall short by"
        raise InputError(
            "no-result",
            "margin" if margin else "first",
            f"{a:g} is not above {smaller}, and no number of cases can show it",
            way_out,
        )
    return _plan(areas, "first", 0.0 - margin, power, sampling)


def _plan(areas: Areas, kind: str, limit: float, power: float | None, sampling: Sampling) -> Plan:
    """The plan for an interval that is no wider than the limit, or else lies above it with the power.

    kind: "width", or the argument that an error names.
    """
    of_width = kind == "width"
    if of_width and power is not None:
        raise InputError(
            "conflict",
            "power",
            "a width is planned for what is expected",
            "leave power out, or plan for a limit instead",
        )
    wanted, least = None if of_width else power_of(power), max(areas.fewest, FEWEST)

    def enough(positives: Any, negatives: Any) -> Any:
        p, n = np.maximum(positives, least), np.maximum(negatives, least)
        if wanted is None:
            low, high = areas.ends(p, n)
            reached = high - low <= limit
        else:
            reached = areas.power(p, n, limit) >= wanted
        return (np.minimum(positives, negatives) >= least) & reached

    both = sampling.split(smallest(lambda total: enough(*sampling.split(total)), kind))
    low, high = areas.ends(*both)
    plan = Plan(
        areas.goal(limit, of_width),
        sum(both),
        areas.level,
        areas.method,
        *both,
        None if of_width else float(areas.power(*both, limit)),
        (float(max(low, -1.0)), float(min(high, 1.0))),
        sets=2 if areas.method.startswith("mover") else 1,
        assumptions=(
            areas.scores,
            *areas.correlated(*both),
            *([] if of_width else [LARGE_SAMPLE if areas.shared is None else DELONG]),
            *([FEWER] if len(areas.values) == 1 and min(both) == areas.fewest else []),
            INDEPENDENT,
        ),
    )
    return sampling.collected(plan, enough, sum(both), kind, wanted)


@dataclass(frozen=True)
class Areas:
    """One expected area, or two that are subtracted, with the variances of their estimates.

    values: the areas; variances: the parts of the variance of each; slopes: their derivatives by the area;
    shared: the parts of the covariance of two areas of the same cases; scores: what is assumed about them.
    """

    values: tuple[float, ...]
    variances: tuple[np.ndarray, ...]
    slopes: tuple[np.ndarray, ...]
    shared: np.ndarray | None
    correlations: tuple[float, float]
    level: float
    scores: str

    @classmethod
    def of(
        cls,
        areas: dict[str, float],
        variance: str,
        spread_ratio: float,
        level: float,
        correlation: Any = None,
    ) -> Areas:
        """From arguments that are checked here; areas: by the name of their argument."""
        values = tuple(share_of(area, role) for role, area in areas.items())
        validate.choice(variance, VARIANCES, "variance")
        spread = validate.number(spread_ratio, "spread_ratio", 0.01, 100.0)
        binormal = variance == "binormal"
        if spread != 1 and not binormal:
            raise InputError(
                "conflict",
                "spread_ratio",
                "it is of normal scores",
                f"with {option('variance', 'hanley-mcneil')} leave it out",
            )
        for role, area in zip(areas, values, strict=True):
            if correlation is None and FEW_MISPLACED / min(area, 1 - area) > MOST:
                raise InputError(
                    "no-result",
                    role,
                    f"{area:g} would need more than {MOST:.0e} cases",
                    "give an area that is further from 0 and 1",
                )
            if not NEAREST <= area <= 1 - NEAREST:
                raise InputError(
                    "invalid-value",
                    role,
                    f"{area:g} is too close to 0 or 1",
                    f"give an area from {NEAREST:g} to 1 - {NEAREST:g}",
                )
        parts = [variance_parts(area, spread if binormal else None) for area in values]
        pair = (0.0, 0.0) if correlation is None else _correlations(correlation)
        spreads = (
            "with the same spread"
            if spread == 1
            else f"the positives' with {spread:g} times the standard deviation"
        )
        return cls(
            values,
            tuple(variance for variance, _ in parts),
            tuple(slope for _, slope in parts),
            None if correlation is None else binormal_covariance(values, pair, spread),  # type: ignore[arg-type]
            pair,
            validate.level(level),
            f"On some scale the scores are normal in each class, {spreads}"
            if binormal
            else "On some scale the scores are exponential in each class",
        )

    @property
    def z(self) -> float:
        """The normal quantile of the level."""
        return normal_quantile(self.level)

    def goal(self, limit: float, of_width: bool) -> str:
        """What is expected, and what is planned for, in words."""
        interval = f"{100 * self.level:.4g}% interval"
        if len(self.values) == 1:
            expected = f"An area under the ROC curve expected to be {self.values[0]:g}"
            above = f"low end of the {interval} at least"
        else:
            interval += " of their difference"
            cases = "different" if self.shared is None else "the same"
            a, b = self.values
            expected = f"Areas under the ROC curve expected to be {a:g} and {b:g}, on {cases} cases"
            above = f"{interval} above"
        if of_width:
            return f"{expected}: a {interval} no wider than {limit:g} (from low to high)"
        return f"{expected}: the {above} {limit:g}"

    @property
    def method(self) -> str:
        """The method of the interval."""
        if self.shared is not None:
            return "delong"
        return "delong-logit" if len(self.values) == 1 else "mover of delong-logit"

    @property
    def fewest(self) -> int:
        """The fewest cases of the smaller class: with fewer misplaced ones the interval is another one."""
        if self.shared is not None:
            return 0
        return max(int(np.ceil(FEW_MISPLACED / min(a, 1 - a) - 1e-9)) for a in self.values)

    def error(self, positives: Any, negatives: Any) -> Any:
        """The standard error of the area, or of the difference."""
        parts = sum(self.variances) - (0.0 if self.shared is None else 2 * self.shared)
        return np.sqrt(variance_of(parts, positives, negatives))

    def ends(self, positives: Any, negatives: Any) -> tuple[Any, Any]:
        """The interval to expect.

        DeLong's; on the logit scale, and with two of them by MOVER, unless both are of the same cases.
        """
        from scipy.special import expit, logit

        if self.shared is not None:
            difference, step = self.values[0] - self.values[1], self.z * self.error(positives, negatives)
            return difference - step, difference + step
        steps = [
            self.z * np.sqrt(variance_of(parts, positives, negatives)) / (a * (1 - a))
            for a, parts in zip(self.values, self.variances, strict=True)
        ]
        ends = [
            (expit(logit(a) - step), expit(logit(a) + step))
            for a, step in zip(self.values, steps, strict=True)
        ]
        if len(ends) == 1:
            return ends[0]
        (a, b), (one, other) = self.values, ends
        return a - b - np.hypot(a - one[0], other[1] - b), a - b + np.hypot(one[1] - a, b - other[0])

    def power(self, positives: Any, negatives: Any, limit: Any) -> Any:
        """The probability that the low end of the interval reaches the limit.

        The low end is about normal around the expected one, with the standard error of the estimate. On the
        logit scale it is u - z s(u): to first order it changes by 1 - z s' when u changes by 1; where that is
        0 or less there are too few cases for this approximation, and the power is 0.
        """
        from scipy.special import logit, ndtr

        low, error = self.ends(positives, negatives)[0], self.error(positives, negatives)
        if len(self.values) > 1:
            return ndtr((low - limit) / error)
        area, change = self.values[0], variance_of(self.slopes[0], positives, negatives)
        of_logit = error / (area * (1 - area))
        follows = 1 - self.z * (change / (2 * error) - of_logit * (1 - 2 * area))
        room = logit(low) - logit(limit)
        return np.where(follows > 0, ndtr(room / (of_logit * np.where(follows > 0, follows, 1.0))), 0.0)

    def correlated(self, positives: int, negatives: int) -> list[str]:
        """The correlations of the scores and of the areas, in words."""
        if self.shared is None:
            return []
        one, other, both = (variance_of(p, positives, negatives) for p in (*self.variances, self.shared))
        a, b = self.correlations
        scores = f"{a:g} in each class" if a == b else f"{a:g} among positives and {b:g} among negatives"
        return [
            f"The models' scores correlate by {scores}, and so the areas by {both / np.sqrt(one * other):.2f}"
        ]


def variance_of(parts: Any, positives: Any, negatives: Any) -> Any:
    """The variance of its parts for these class sizes, numbers or arrays."""
    pair, same_negative, same_positive = parts
    many = pair + (positives - 1) * same_negative + (negatives - 1) * same_positive
    return many / (positives * negatives)


def variance_parts(area: float, spread_ratio: float | None) -> tuple[np.ndarray, np.ndarray]:
    """The parts of the variance of an area, and their derivatives by the area.

    spread_ratio: of scores that are normal in each class, None for exponential ones. Source of those: Hanley
    and McNeil (1982), Eq. 1 and 2.
    """
    from scipy.special import ndtr

    a = area
    if spread_ratio is None:
        slopes = [1 - 2 * a, 2 / (2 - a) ** 2 - 2 * a, 2 * a * (2 + a) / (1 + a) ** 2 - 2 * a]
        return a * (1 - a) * np.array([1.0, (1 - a) / (2 - a), a / (1 + a)]), np.array(slopes)
    share = spread_ratio**2 / (1 + spread_ratio**2)
    r = np.array([1.0, 1 - share, share])
    slopes = 2 * (ndtr(NORMAL.inv_cdf(a) * np.sqrt((1 - r) / (1 + r))) - a)
    return binormal_covariance((a, a), (1.0, 1.0), spread_ratio), slopes


def binormal_covariance(
    areas: tuple[float, float], correlations: tuple[float, float], spread_ratio: float
) -> np.ndarray:
    """The parts of the covariance of two areas, for scores that are normal and correlate within each class.

    spread_ratio: the standard deviation of the positives' scores over that of the negatives'. With two equal
    areas and correlations of 1 it is the variance.

    Whether a pair is in order depends on the difference of its scores, which is normal. The differences of
    two pairs that share a case, or both, correlate by the share of their variance that is of this case, times
    the correlation of its two scores.
    """
    h, k = (NORMAL.inv_cdf(area) for area in areas)
    share = spread_ratio**2 / (1 + spread_ratio**2)  # the positives' part of the variance of a difference
    by_positive, by_negative = share * correlations[0], (1 - share) * correlations[1]
    return np.array([joint_excess(h, k, r) for r in (by_positive + by_negative, by_negative, by_positive)])


def joint_excess(h: float, k: float, correlation: float) -> float:
    """P(X <= h, Y <= k) - P(X <= h) P(Y <= k) of standard normal X and Y.

    1 / (2 pi) times the integral of exp(-(h^2 + k^2 - 2 h k sin t) / (2 cos^2 t)) from 0 to
    arcsin(correlation).
    Source: Drezner and Wesolowsky (1990), Journal of Statistical Computation and
    Simulation 35, 101-107, Eq. 3.
    """
    nodes, weights = _gauss()
    top = asin(min(correlation, 1.0))
    t = top / 2 * (1 + nodes)
    return (
        float(weights @ np.exp(-(h * h + k * k - 2 * h * k * np.sin(t)) / (2 * np.cos(t) ** 2)))
        * top
        / (4 * pi)
    )


@cache
def _gauss() -> tuple[np.ndarray, np.ndarray]:
    return np.polynomial.legendre.leggauss(NODES)


def _correlations(value: Any) -> tuple[float, float]:
    pair = value if isinstance(value, (tuple, list)) else (value, value)
    if len(pair) != 2:
        raise InputError(
            "invalid-value",
            "correlation",
            "give one number, or two: within the positives and within the negatives",
        )
    a, b = (validate.number(each, "correlation", 0.0, 1.0) for each in pair)
    if 1.0 in (a, b):
        raise InputError(
            "invalid-value",
            "correlation",
            "1 means that both models rank a class alike",
            "give numbers below 1",
        )
    return a, b


# External validation: calibration, area and net benefit, from the distribution of the probabilities
# --------------------------------------------------------------------------------------------------


POINTS = 20_001  # quantiles that approximate a distribution
MIDDLES = (np.arange(POINTS) + 0.5) / POINTS
CALIBRATED = "The probabilities are calibrated: a slope of 1, and as many positives as they add up to"
LARGE = (
    "The intervals are those of large samples, value +- z standard errors; of observed/expected on the log"
    " scale"
)
NO_MIX = "calibration and net benefit depend on the prevalence, which a case-control design fixes"
APART = 0.1  # relative difference of mean probability and prevalence, from which on there is a note


@dataclass(frozen=True, repr=False)
class Criterion(Result):
    """The number of cases that one measure needs.

    Attributes
    ----------
    measure : str
        Its name.
    expected : float
        Its expected value.
    width : float
        The width asked for, from the low to the high end of the interval.
    standard_error : float
        The standard error that gives this width, of observed/expected on the log scale.
    n : int
        Number of cases.
    interval : pair of float
        The interval to expect with n cases.
    """

    measure: str
    expected: float
    width: float
    standard_error: float
    n: int
    interval: tuple[float, float]


@dataclass(frozen=True, repr=False)
class ExternalPlan(ByName, Answer, Tabular):
    """The number of cases that an external validation needs.

    `plan["roc_auc"]` is the criterion of that measure.

    Attributes
    ----------
    n : int
        Number of cases, the largest of any criterion.
    events : int
        Positives among them on average.
    prevalence : float
        Proportion of positives.
    criteria : tuple of Criterion
        One per measure.
    level : float
        Confidence level of the intervals, above 0 and below 1.
    assumptions : tuple of str
        What must hold.
    design_effect, clusters : float and int, or None
        The factor on the number of cases, and the number of clusters, where cases come in clusters.
    design : str
        Always "cohort".
    """

    ANSWER = "external_validation"
    FORM = "studies.external_plan"
    HOLDS = None  # it has no estimates
    PARTS = "criteria"

    n: int
    events: int
    prevalence: float
    level: float
    criteria: tuple[Criterion, ...]
    design_effect: float | None = None
    clusters: int | None = None
    design: str = "cohort"
    assumptions: tuple[str, ...] = ()

    @classmethod
    def rows_in(cls, plain: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The rows of `table`, one per criterion."""
        return rows_of(
            {**each, **dict(zip(("low", "high"), each["interval"], strict=True))}
            for each in plain["criteria"]
        )


@public()
def external_validation(
    *,
    prevalence: float | None = None,
    auc: float | None = None,
    logit_normal: tuple[float, float] | None = None,
    probability_beta: tuple[float, float] | None = None,
    probabilities: object = None,
    ratio_width: float | None = 0.2,
    slope_width: float | None = 0.2,
    auc_width: float | None = 0.1,
    threshold: float | None = None,
    sensitivity: float | None = None,
    specificity: float | None = None,
    net_benefit_width: float = 0.2,
    level: float = 0.95,
    cluster_size: float | None = None,
    icc: float | None = None,
    cv: float | None = None,
    design: Design = "cohort",
) -> ExternalPlan:
    """Number of cases needed for the external validation of a prediction model.

    The outcome is binary. There are four criteria, each the width of an interval; the largest number counts.
    Calibration is assumed to be perfect.

    Parameters
    ----------
    prevalence : float, optional
        Proportion of positives in the population of the validation, by default the mean of the probabilities.
    auc : float, optional
        Expected area under the ROC curve, by default the one that the distribution of the probabilities
        implies.
    logit_normal : (mean, standard deviation), optional
        Parameters of a normal distribution of the logits of the probabilities in that population.
    probability_beta : (a, b), optional
        Parameters of a beta distribution of the probabilities.
    probabilities : array_like, optional
        Probabilities of a sample of that population. Without any of these three `prevalence` and `auc` are
        needed, and the logits are assumed to be normal in each class, with the same variance.
    ratio_width, slope_width, auc_width : float or None, default 0.2, 0.2 and 0.1
        Largest widths, from low to high, of the intervals of observed/expected, of the calibration slope and
        of the area; None leaves one out.
    threshold : float, optional
        Threshold of the probability at which the model will be used: adds the standardised net benefit (net
        benefit / prevalence).
    sensitivity, specificity : float, optional
        Expected rates at the threshold, by default those which the distribution implies.
    net_benefit_width : float, default 0.2
        Largest width of the interval of the standardised net benefit.
    level : float, default 0.95
        Confidence level of the intervals.
    cluster_size, icc, cv : float, optional
        Cases that come in clusters, such as hospitals: see `roc_auc`.
    design : {"cohort"}, default "cohort"
        Observed/expected, the intercept and net benefit have no meaning where the class sizes are fixed, so
        that "case-control" is refused; `roc_auc` plans for the area.

    Returns
    -------
    ExternalPlan

    Raises
    ------
    InputError
        Where the distribution is not given in one way, where nothing is planned, for sensitivity without
        threshold, where more than 10^9 cases would be needed, and for design="case-control".

    Notes
    -----
    SE(log O/E)^2 = (1 - prevalence) / (n prevalence); SE(slope)^2 = I_a / (n (I_a I_b - I_ab^2)) with the
    information I = E p(1-p) (1, logit p, (logit p)^2) of one case; the area by Newcombe's variance; of the
    net benefit SE^2 = (se (1 - se) / prevalence + w^2 sp (1 - sp) / (1 - prevalence) + w^2 (1 - sp)^2 /
    (prevalence (1 - prevalence))) / n with w = (1 - prevalence) / prevalence * threshold / (1 - threshold).
    `roc_auc` plans for the interval of the area that `evaluate` gives.

    References
    ----------
    Riley, Debray, Collins et al. (2021), Statistics in Medicine 40, 4230-4251. Newcombe (2006), Statistics in
    Medicine 25, 559-573.

    Examples
    --------
    >>> from tallymark import planning
    >>> planning.external_validation(prevalence=0.2, auc=0.8).n
    2671
    """
    if validate.choice(design, DESIGNS, "design") == HELD:
        raise InputError("unsupported", "design", NO_MIX, "plan a cohort, or the area alone with roc_auc")
    level = validate.level(level)
    z, clusters = normal_quantile(level), Clusters.of(cluster_size, icc, cv)
    area = None if auc is None else share_of(auc, "auc")
    share = None if prevalence is None else share_of(prevalence, "prevalence")
    risks = risks_of(share, area, logit_normal, probability_beta, probabilities)
    share = risks.mean if share is None else share
    area = risks.area if area is None else area
    a, both, b = risks.information
    # by argument the measure, its value, its width, and the variance with n cases
    wanted: dict[str, tuple[str, float, float | None, Callable[[int], float]]] = {
        "ratio_width": ("observed/expected", 1.0, ratio_width, lambda n: (1 - share) / share / n),
        "slope_width": ("calibration_slope", 1.0, slope_width, lambda n: a / (a * b - both**2) / n),
        "auc_width": (
            "roc_auc", area, auc_width, lambda n: newcombe_variance(area, n * share, n * (1 - share))
        ),
    }  # fmt: skip
    if threshold is not None:
        at = risks.table.counts_at(share_of(threshold, "threshold"))
        sens, spec = (
            implied if value is None else validate.number(value, role, 0.0, 1.0)
            for role, value, implied in zip(
                ("sensitivity", "specificity"),
                (sensitivity, specificity),
                (at.tp / at.positives, at.tn / at.negatives),
                strict=True,
            )
        )
        w, wrong = (1 - share) / share * threshold / (1 - threshold), 1 - spec
        of_one = sens * (1 - sens) / share + w**2 * (
            spec * wrong / (1 - share) + wrong**2 / share / (1 - share)
        )
        net_benefit = "standardised net benefit", sens - w * wrong
        wanted["net_benefit_width"] = (*net_benefit, net_benefit_width, lambda n: of_one / n)
    for role, value in (("sensitivity", sensitivity), ("specificity", specificity)):
        if threshold is None and value is not None:
            raise InputError(
                "conflict", role, "it is that at a threshold", f"give {option('threshold')}, or leave it out"
            )
    criteria = []
    for argument, (measure, value, width, variance) in wanted.items():
        if width is None:
            continue
        half = validate.number(width, argument, 1e-6, 1.0 if argument == "auc_width" else 100.0) / 2
        log = argument == "ratio_width"  # exp(z SE) - exp(-z SE) = width
        step = asinh(half) if log else half
        least = (step / z) ** 2 * (1 + 1e-12)
        n = smallest(lambda n, at=variance, least=least: bool(at(n) <= least), argument, 2)  # type: ignore[misc]
        n = n if clusters is None else clusters.cases(n, z)
        ends = (exp(-step), exp(step)) if log else (value - step, value + step)
        criteria.append(Criterion(measure, value, float(width), step / z, n, ends))
    if not criteria:
        raise InputError(
            "needed",
            "ratio_width, slope_width, auc_width",
            "nothing is planned",
            f"give one of them, or {option('threshold')}",
        )
    n = max(criterion.n for criterion in criteria)
    mean = f"The probabilities have a mean of {risks.mean:.4g}, which is not the prevalence given: check both"
    return ExternalPlan(
        n,
        ceil(n * share - 1e-9),
        share,
        float(level),
        tuple(criteria),
        None if clusters is None else clusters.effect,
        None if clusters is None else clusters.number(n),
        design,
        (
            risks.assumption,
            *([mean] if abs(risks.mean - share) > APART * share else []),
            CALIBRATED,
            LARGE,
            *((INDEPENDENT,) if clusters is None else clusters.assumptions(n)),
        ),
    )


@dataclass(frozen=True, eq=False)
class Risks:
    """The distribution of the predicted probabilities of a model, if they are calibrated.

    table: the probabilities with the shares of positives and of negatives among all cases; assumption: what
    they are based on, in words.
    """

    table: RankingTable
    assumption: str

    @classmethod
    def of(cls, probability: np.ndarray, assumption: str, weight: np.ndarray | None = None) -> Risks:
        """Sorted, with ties merged."""
        values, place = np.unique(probability, return_inverse=True)
        p, weights = values[::-1], np.bincount(place, weight, len(values))[::-1]
        shares = weights / weights.sum()
        return cls(RankingTable.of(p, shares * p, shares * (1 - p)), assumption)

    @property
    def mean(self) -> float:
        """The prevalence."""
        return float(self.table.positives)

    @property
    def area(self) -> float:
        """The area under the ROC curve."""
        return float(area_of(self.table))

    @property
    def information(self) -> tuple[float, float, float]:
        """The information of one case on the logistic recalibration: intercept, both, and slope.

        It is E p(1-p) (1, logit p, (logit p)^2).
        """
        from scipy.special import logit

        inside = (self.table.score > 0) & (self.table.score < 1)
        p, negative = self.table.score[inside], self.table.negative[inside]
        known, x = negative * p, logit(p)
        return float(known.sum()), float(known @ x), float(known @ x**2)


def risks_of(
    share: float | None, area: float | None, logit_normal: Any, probability_beta: Any, probabilities: Any
) -> Risks:
    """The distribution, from the arguments given."""
    from scipy.special import betaincinv, expit, logit, ndtri

    given = {
        "logit_normal": logit_normal,
        "probability_beta": probability_beta,
        "probabilities": probabilities,
    }
    if any(value is not None for value in given.values()):
        kind = validate.one_of(given)
        if kind == "logit_normal":
            mean, spread = _pair(logit_normal, kind, (-50.0, 1e-6), (50.0, 50.0))
            words = (
                f"The logits of the probabilities are normal with mean {mean:g} and standard deviation"
                f" {spread:g}"
            )
            return Risks.of(expit(mean + spread * ndtri(MIDDLES)), words)
        if kind == "probability_beta":
            a, b = _pair(probability_beta, kind, (1e-3, 1e-3), (1e6, 1e6))
            words = f"The probabilities follow a beta distribution with parameters {a:g} and {b:g}"
            return Risks.of(betaincinv(a, b, MIDDLES), words)
        return _sample(probabilities)
    if share is None or area is None:
        raise InputError(
            "needed",
            "prevalence, auc",
            "both are needed where the distribution of the probabilities is not given",
            f"or give it, as {option('logit_normal', (-2, 1))}",
        )
    if area <= 0.5:
        raise InputError(
            "invalid-value",
            "auc",
            f"{area:g} does not determine the probabilities",
            "give one above 0.5, or their distribution",
        )
    apart = 2 * ndtri(area) ** 2  # the variance, and the distance of the means
    values = logit(share) - apart / 2 + sqrt(apart) * ndtri(MIDDLES)
    words = (
        "The logits of the probabilities are normal in each class with the same variance, as the prevalence"
        " and the area imply"
    )
    weights = np.repeat([1 - share, share], POINTS)
    return Risks.of(expit(np.concatenate([values, values + apart])), words, weights)


def _sample(given: Any) -> Risks:
    column = columns.read(given, "probabilities")
    values = np.asarray(validate.scores(column), np.float64)
    if len(values) < 2:
        raise InputError(
            "invalid-value",
            "probabilities",
            f"{validate.shown(given)} is not a sample",
            "give the probabilities of 2 cases or more",
        )
    outside = ~((values >= 0) & (values <= 1))
    problem = "{value:g} in {row} is not a probability"
    validate.refuse_rows(column, outside, problem, "give numbers from 0 to 1", values)
    if len(np.unique(values[(values > 0) & (values < 1)])) < 2:
        raise InputError(
            "invalid-value",
            "probabilities",
            "no two different ones lie between 0 and 1, and a slope needs them",
            "give others",
        )
    return Risks.of(values, f"The probabilities are distributed as in the sample of {len(values):,}")


def _pair(
    given: Any, role: str, least: tuple[float, float], most: tuple[float, float]
) -> tuple[float, float]:
    if not isinstance(given, (tuple, list)) or len(given) != 2:
        raise InputError(
            "invalid-value",
            role,
            f"{validate.shown(given)} is not two numbers",
            f"give two, as {role}=(-2, 1)",
        )
    first, second = (validate.number(one, role, *ends) for one, *ends in zip(given, least, most, strict=True))
    return first, second


# The precision that the data at hand give, and how many more cases another precision needs
# --------------------------------------------------------------------------------------------------


SIZED = Note("depends-on-size")
NEARLY = 1e-4  # relative difference from the width asked for
TRIALS = 12
USUAL = {
    Counts: ("sensitivity", "specificity", "accuracy"),
    RankingTable: ("roc_auc", "average_precision"),
    ConfusionMatrix: ("accuracy", "balanced_accuracy"),
}
GROUPED = Note("by-square-root-of-clusters")
MORE_THAN_ANY = Note("more-than-any-cases", limit=MOST)
NO_WIDTH = Note("no-finite-width")


@dataclass(frozen=True, repr=False)
class Reach(Noted, Result):
    """The precision of a measure now, and the number of cases that gives the precision asked for.

    Attributes
    ----------
    measure : str
        Its name.
    estimate : Estimate
        Its value and interval now.
    wanted : float or None
        The width asked for, from the low to the high end of the interval.
    factor : float or None
        The number of cases needed, over the present one.
    cases : int or None
        Number of cases needed.
    detectable : float or None
        The smallest difference from a fixed value that these data show with the power asked for.
    notes : tuple of Note
        Why a number is None, and what makes it approximate.
    """

    PLAIN = "measure estimate wanted factor cases detectable note width notes"

    measure: str
    estimate: Estimate
    wanted: float | None = None
    factor: float | None = None
    cases: int | None = None
    detectable: float | None = None
    notes: Notes = ()

    @property
    def width(self) -> float:
        """The width of the interval now, from low to high."""
        return self.estimate.high - self.estimate.low


@dataclass(frozen=True, repr=False)
class Present(ByName, Answer, Tabular):
    """The precision of the measures of some data.

    Attributes
    ----------
    cases : float
        Number of cases.
    level, power : float
        Confidence level of the intervals, and the power for `detectable`.
    reach : tuple of Reach
        One per measure. `present["roc_auc"]` is that of this measure.
    design, weight_kind : str or None
        As in the intervals of `evaluate`.
    notices : tuple of Notice
        On the data.
    """

    ANSWER = "precision"
    FORM = "studies.present"
    PARTS = "reach"
    PLAIN = "notices? cases level power design? weight_kind measures=reach"

    cases: float
    level: float
    power: float
    reach: tuple[Reach, ...]
    design: str | None = "cohort"
    weight_kind: str | None = None
    notices: tuple[Notice, ...] = ()

    def _name_of(self, name: Any) -> Any:
        names = {form.name for form in registry.forms(name)}
        return next((one.measure for one in self.reach if one.measure in names), name)

    @property
    def conditions(self) -> str:
        """The design and the kind of the weights, as a line of text."""
        return conditions(self.design, self.weight_kind)

    @classmethod
    def entries_in(cls, plain: Mapping[str, Any]) -> Iterator[Entry]:
        """By measure, with what another width needs."""
        for one in plain["measures"]:
            yield one["measure"], one["estimate"], [{"measure": one["measure"], **one["estimate"], **one}]


@public()
def present(
    data: Any,
    *,
    measures: str | tuple[str, ...] | None = None,
    width: float | None = None,
    power: float = POWER,
    settings: Settings | None = None,
) -> Present:
    """Precision of the measures of some data, and number of cases needed for another precision.

    Parameters
    ----------
    data : Evaluation, Counts, RankingTable or ConfusionMatrix
        The results of the data at hand.
    measures : str or tuple of str, optional
        Names of measures; by default a few usual ones.
    width : float, optional
        The width asked for, from the low to the high end of the interval; by default half the present one.
    power : float, default 0.8
        Power for the detectable difference, see `Reach`.
    settings : Settings, optional
        How the intervals of a summary are made, by default `Settings()`; an evaluation has its own.

    Returns
    -------
    Present
        With a `Reach` for each measure.

    Raises
    ------
    InputError
        For a measure that the data do not allow, for other kinds of data, and for settings with an
        evaluation, which has its own.

    Notes
    -----
    The interval is computed from the summary times k, with k such that the width is the one asked for, to a
    relative error of 1e-4. k is about (width now / width asked for)^2; it differs from that where cases are
    few. For cases in clusters, and at a threshold chosen on these cases, it is this ratio. The class mix, the
    scores and the threshold are assumed to stay the same.

    Examples
    --------
    >>> import tallymark as tm
    >>> result = tm.planning.present(tm.Counts(tp=90, fp=20, fn=10, tn=80), measures="sensitivity", width=0.1)
    >>> result.cases, result.reach[0].cases
    (200, 282)
    """
    wanted = None if width is None else validate.number(width, "width", 1e-9, 1e9)
    chance = power_of(power)
    if isinstance(data, Evaluation) and settings is not None:
        raise InputError("conflict", "settings", "the evaluation has its own", "leave it out")
    refuse_answers(data)
    if not isinstance(data, (Evaluation, *USUAL)):
        raise InputError(
            "unsupported",
            "data",
            f"a {type(data).__name__} has no measures",
            "pass an Evaluation, as tallymark.evaluate gives it, or a summary",
        )
    if settings is not None:
        validate.of_type(settings, Settings, "settings")
    e = data if isinstance(data, Evaluation) else _of_summary(data, settings or Settings())
    kinds = [usual for kind, usual in USUAL.items() if isinstance(data, (Evaluation, kind))]
    usual = dict.fromkeys(name for names in kinds for name in names if name in e)
    if measures is None and not usual:
        raise InputError(
            "needed",
            "measures",
            "none is named",
            f"name one or several of these data, as {option('measures', [next(iter(e), 'accuracy')])}",
        )
    names = list(usual) if measures is None else names_of_measures(measures)
    first = as_cases(e.summaries[0])
    cases = text.whole(effective_rows(first) or float(first.total))
    reach = tuple(_reach(e, cases, name, wanted, chance) for name in names)
    return Present(cases, e.settings.level, chance, reach, e.design, e.data.weight_kind, e.notices_of_data)


def _of_summary(summary: Any, settings: Settings) -> Evaluation:
    from ..evaluation.evaluate import evaluate_summary

    return evaluate_summary(summary, EvaluationOptions(settings, {}), None, None, True)


def _reach(e: Evaluation, cases: float, name: str, width: float | None, power: float) -> Reach:
    """The precision of one measure; its interval is of the summary with the effective number of cases."""
    chosen, entry = e[name].corrected is not None, e.entry(name)  # raises InputError with the reason
    summary, parameters = as_cases(e.summary_of(entry.name)), e.parameters_of(entry)
    clustered = e.clusters is not None

    def times(k: float) -> Estimate:
        return estimate(entry, summary.repeated(k) if k != 1 else summary, e.settings, **parameters)

    now = e[entry.name] if clustered or chosen else times(1)
    wide = now.high - now.low
    twice = float(entry.function(summary * 2, **parameters))
    if now.undefined:
        return Reach(entry.name, now, notes=joined(now.undefined))
    if abs(twice - now.value) > 1e-9 * max(abs(now.value), 1.0):
        return Reach(entry.name, now, notes=joined(SIZED))
    if not isfinite(wide) or wide <= 0:
        return Reach(entry.name, now, notes=now.notes or joined(NO_WIDTH))
    error = wide / 2 / normal_quantile(e.settings.level)
    shown = detectable(error, error, e.settings.level, power)
    wanted = wide / 2 if width is None else width
    factor = (wide / wanted) ** 2 if clustered or chosen else _factor(times, wide, wanted)
    if factor is None or factor * cases > MOST:
        return Reach(entry.name, now, wanted, detectable=shown, notes=(MORE_THAN_ANY,))
    notes = (GROUPED,) if clustered else now.notes
    return Reach(entry.name, now, wanted, factor, ceil(factor * cases - NEARLY), shown, notes)


def _factor(times: Callable[[float], Estimate], wide: float, wanted: float) -> float | None:
    """The factor on the number of cases that makes the interval as narrow.

    First by the rule of the square root, then by the rate at which it was found to shrink.
    """
    k, width, power = 1.0, wide, -0.5
    for _ in range(TRIALS):
        if abs(width / wanted - 1) <= NEARLY:
            break
        step = min((wanted / width) ** (1 / power), MOST)
        before, k = width, k * step
        if not 1e-9 < k < MOST:
            return None
        now = times(k)
        width = now.high - now.low
        if not isfinite(width) or width <= 0:
            return None
        if abs(step - 1) > NEARLY:  # without cases on one side the width is proportional to 1 / k
            power = min(max(log(width / before) / log(step), -1.0), -0.25)
    return k
