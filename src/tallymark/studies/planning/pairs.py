"""The predictions of two models on the same cases, compared by McNemar's test."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist
from typing import Any, Literal, get_args

import numpy as np

from ...inference.intervals.scale import normal_quantile
from ...input import validate
from ...input.calls import public
from ...input.options import Design
from ...input.validate import InputError
from .clusters import clusters_of, in_clusters
from .design import is_fixed
from .plan import ASSURANCE, INDEPENDENT, Plan, power_of, share_of
from .proportions import WITHIN, collected
from .search import distribution, fewest, smallest, upper_tail

PlannedTest = Literal["mid-p", "exact"]
TESTS = get_args(PlannedTest)
GOAL = "McNemar's test finds the first better"
CLOSE = 3  # error, in wins, of the normal approximation of the number needed
BEYOND = 200  # numbers of cases that are tried after the first sufficient one
EXACT = f"The power is exact, and for the next {BEYOND} numbers of cases not below {{power:g}} either"


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
    wanted, assured = power_of(power), None if is_fixed(design) else share_of(assurance, "assurance")
    group = clusters_of(cluster_size, icc, cv)
    apart, level = _discordant(discordant, p, q), validate.level(level)
    test = McNemar(
        apart,
        (apart + p - q) / 2 / apart,
        (1 - level) / 2,
        validate.choice(method, TESTS, "method"),
    )
    n = test.lasting(wanted)
    found = Plan(
        f"Shares of right answers expected to be {p:g} and {q:g}, on the same cases: {GOAL} at"
        f" {1 - level:.4g}",
        n,
        level,
        f"mcnemar {method}",
        power=test.power(n),
        design=design,
        assumptions=(
            *([WITHIN] if assured is None else []),
            _said(apart, discordant is None),
            EXACT.format(power=wanted),
            INDEPENDENT,
        ),
    )
    found = found if share is None else collected(found, share_of(share, "share"), assured)
    return in_clusters(found, group, normal_quantile(level), wanted)


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
        guess = (pairs + NormalDist().inv_cdf(1 - self.tail) * np.sqrt(pairs)) / 2
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


def _discordant(given: Any, p: float, q: float) -> float:
    if given is None:
        return p * (1 - q) + q * (1 - p)
    least, most = p - q, min(p + q, 2 - p - q)
    found = validate.number(
        given, "discordant", round(least, 12), round(most, 12)
    )  # rounded, as users write decimals
    return min(max(found, least), most)


def _said(apart: float, independent: bool) -> str:
    why = (
        ", their errors assumed to be independent; with the share of discordant cases given, it is that"
        if independent
        else ""
    )
    return f"Only one of the models has {apart:.4g} of the cases right{why}"
