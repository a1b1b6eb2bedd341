"""The result of a plan, and what every plan does.

That is the search for the smallest sufficient number, for classes that are sampled separately or as they
come, and for cases in clusters.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, fields, replace
from math import ceil, inf
from statistics import NormalDist
from typing import Any, get_args, get_origin, get_type_hints

import numpy as np

from ...inference.fixed_sizes import HELD
from ...input import text, validate
from ...input.options import DESIGNS, Design
from ...input.results import Readable, head
from ...input.spelling import option
from ...input.validate import InputError

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

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        plain = asdict(self)
        plain["interval"] = None if self.interval is None else list(self.interval)
        return {**head(self.ANSWER), **plain, "assumptions": list(self.assumptions)}

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


def share_of(value: float | None, role: str, most: float = 1.0) -> float:
    """A proportion above 0 and below 1."""
    share = validate.number(value, role, 0.0, most)
    if share < validate.SMALLEST or share == 1.0:
        raise InputError(
            "invalid-value", role, f"{share:g} leaves nothing to plan", "give a share between 0 and 1"
        )
    return share


def power_of(value: float | None) -> float:
    """The power, checked."""
    return POWER if value is None else share_of(value, "power")


def is_fixed(design: Design) -> bool:
    """Whether the class sizes are fixed."""
    return validate.choice(design, DESIGNS, "design") == HELD


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


def to_collect(
    enough: Callable[[Any, Any], Any], share: float, assurance: float, start: int, argument: str
) -> int:
    """The smallest number of cases for which enough(of the class, of the others) is likely.

    share: the proportion of the class among the cases; assurance: the probability that it holds; start: a
    number that is too small.
    """

    def assured(total: int) -> bool:
        k, chances = distribution(total, share)
        return float(chances[np.asarray(enough(k, total - k))].sum()) >= assurance

    return smallest(assured, argument, max(start, 1))


def class_sizes(
    enough: Callable[[Any, Any], Any],
    argument: str,
    *,
    prevalence: float | None,
    negatives_per_positive: float | None,
    assurance: float,
    design: Design,
) -> dict[str, Any]:
    """The fields of a plan with the smallest numbers of positives and negatives that are enough.

    enough: a condition on both that stays true for larger numbers.
    """
    fixed = is_fixed(design)
    if prevalence is not None and negatives_per_positive is not None:
        raise InputError(
            "conflict",
            "negatives_per_positive",
            f"{option('prevalence')} already determines the number of negatives",
            "leave one of them out",
        )
    ratio = (
        1.0
        if negatives_per_positive is None
        else validate.number(negatives_per_positive, "negatives_per_positive", 1e-6, 1e6)
    )
    share = None if prevalence is None else share_of(prevalence, "prevalence")
    assurance = share_of(assurance, "assurance")

    def good(positives: Any, negatives: Any) -> Any:
        return (np.minimum(positives, negatives) >= FEWEST) & enough(
            np.maximum(positives, FEWEST), np.maximum(negatives, FEWEST)
        )

    def split(total: int) -> tuple[int, int]:
        """As many of each class as there are on average, or by the ratio."""
        positives = total if share is None else round(total * share)
        return positives, ceil(positives * ratio - 1e-9) if share is None else total - positives

    total = smallest(lambda n: good(*split(n)), argument)
    positives, negatives = split(total)
    sizes = {"n": positives + negatives, "positives": positives, "negatives": negatives, "design": design}
    if share is None:
        return sizes
    if fixed:
        return {**sizes, "prevalence": share, "cases": total}
    cases = to_collect(good, share, assurance, FEWEST, argument)
    return {**sizes, "prevalence": share, "on_average": total, "cases": cases, "assurance": assurance}


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


def in_clusters(plan: Plan, clusters: Clusters | None, z: float, power: float | None) -> Plan:
    """The plan for clustered cases.

    z: the normal quantile of the level; power: the one planned for, None where a width is.

    The power is then the one planned for: the excess from rounding up independent cases does not carry over.
    """
    if clusters is None:
        return plan
    n = clusters.cases(plan.n, z, 0.0 if power is None else max(NORMAL.inv_cdf(power), 0.0))
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
