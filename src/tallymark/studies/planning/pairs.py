"""Two models' answers on the same cases: which is right more often."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np

from ...inference.intervals.scale import normal_quantile
from ...input import validate
from ...input.calls import public
from ...input.validate import InputError
from .clusters import clusters_of, in_clusters
from .design import is_fixed
from .plan import ASSURANCE, INDEPENDENT, Plan, power_of, share_of
from .proportions import WITHIN, collected
from .search import distribution, fewest, smallest, upper_tail

TESTS = ("mid-p", "exact")
GOAL = "McNemar's test finds the first better"
CLOSE = 3  # wins, by which the normal approximation of the number needed is off at most, or nearly always
BEYOND = 200  # numbers of cases that are tried beyond one that does
EXACT = f"The power is exact, and for the next {BEYOND} numbers of cases not below {{power:g}} either"


@public()
def paired_proportions(
    *,
    first: float,
    second: float,
    discordant: float | None = None,
    power: float | None = None,
    level: float = 0.95,
    method: str = "mid-p",
    share: float | None = None,
    assurance: float = ASSURANCE,
    design: str = "cohort",
    cluster_size: float | None = None,
    icc: float | None = None,
    cv: float | None = None,
) -> Plan:
    """Number of cases that show that the first of two models is right more often, on the same cases:
    McNemar's test.

    Parameters
    ----------
    first, second : float
        True shares of right predictions, as sensitivities where the cases are the positives.
    discordant : float, optional
        Share of cases that only one of them has right, no less than first - second. Unless given that of
        models whose mistakes are independent, which is cautious, since most share some.
    power : float, optional
        Chance that the two-sided test at 1 - level finds the first better, 0.8 unless given.
    level : float, default 0.95
        One less the level of the test.
    method : {"mid-p", "exact"}
        Form of McNemar's test.
    share, assurance, design, cluster_size, icc, cv
        As for `proportion`; icc is that of the difference between the models.

    Returns
    -------
    Plan

    Raises
    ------
    InputError
        Where first is not above second, and for shares that contradict each other.

    Notes
    -----
    The power is summed over the number of discordant cases and their split; like that of a proportion it goes
    up and down a little.

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
    apart = _discordant(discordant, p, q)
    test = McNemar(
        apart,
        (apart + p - q) / 2 / apart,
        (1 - validate.level(level)) / 2,
        validate.choice(method, TESTS, "method"),
    )
    n = test.lasting(wanted)
    found = Plan(
        f"Shares of right answers expected to be {p:g} and {q:g}, on the same cases: {GOAL} at"
        f" {1 - level:.4g}",
        n,
        float(level),
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
    """discordant: their share; won: of these by the first; tail: what the test allows on one side."""

    discordant: float
    won: float
    tail: float
    method: str

    def power(self, n: int) -> float:
        """With n cases."""
        pairs, chances = distribution(n, self.discordant)
        return float(chances @ self.wins(pairs))

    def wins(self, pairs: np.ndarray) -> np.ndarray:
        """The power with so many discordant cases."""
        return upper_tail(self.needed(pairs), pairs, self.won)

    def needed(self, pairs: np.ndarray) -> np.ndarray:
        """How many of the discordant cases the first must win; one more than there are where no number
        does."""

        def rejects(k: np.ndarray) -> np.ndarray:
            tail = upper_tail(k, pairs, 0.5)
            return (
                tail if self.method == "exact" else (tail + upper_tail(k + 1, pairs, 0.5)) / 2
            ) <= self.tail

        # close, so that few steps are left
        guess = (pairs + NormalDist().inv_cdf(1 - self.tail) * np.sqrt(pairs)) / 2
        low, high = (
            np.maximum(guess.astype(int) - CLOSE, pairs // 2),
            np.minimum(guess.astype(int) + CLOSE, pairs + 1),
        )
        return fewest(
            rejects, np.where(rejects(low), pairs // 2, low), np.where(rejects(high), high, pairs + 1)
        )

    def lasting(self, power: float) -> int:
        """The smallest number with this power, and with it for the next ones, too."""
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
    found = validate.number(given, "discordant", round(least, 12), round(most, 12))  # as decimals are written
    return min(max(found, least), most)


def _said(apart: float, independent: bool) -> str:
    why = (
        ", their mistakes taken to be independent; with the share of discordant cases given, it is that"
        if independent
        else ""
    )
    return f"Only one of the models has {apart:.4g} of the cases right{why}"
