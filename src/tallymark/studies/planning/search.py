"""Binomial probabilities, and searches for the smallest sufficient number."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...input.validate import InputError

MOST = 10**9  # cases that a plan may ask for
FAR = 9.0  # standard deviations, beyond which binomial probabilities are below rounding
FEW_MORE = 40  # and further cases, for a skewed distribution


def upper_tail(k: Any, n: Any, chance: float) -> np.ndarray:
    """P(X >= k) of binomial X, elementwise; the beta function interpolates between whole k."""
    from scipy.special import betainc

    k, n = np.broadcast_arrays(np.asarray(k, float), np.asarray(n, float))
    inside = (k > 0) & (k <= n)
    found = betainc(np.where(inside, k, 1.0), np.where(inside, n - k + 1, 1.0), chance)
    tail: np.ndarray = np.where(inside, found, (k <= 0).astype(float))
    return tail


def distribution(n: int, chance: float) -> tuple[np.ndarray, np.ndarray]:
    """The likely values of a binomial variable, and their probabilities.

    Left out are values whose probability is below rounding.
    """
    middle, reach = n * chance, FAR * np.sqrt(n * chance * (1 - chance)) + FEW_MORE
    k = np.arange(max(int(middle - reach), 0), min(int(middle + reach), n) + 1)
    return k, -np.diff(upper_tail(np.append(k, k[-1] + 1), n, chance))


def smallest(enough: Callable[[int], Any], asked: str, low: int = 1) -> int:
    """The smallest whole number from `low` on that is enough.

    enough: a condition that stays true for larger numbers. Raises InputError beyond 10^9.
    """
    below, above = low - 1, low
    while not enough(above):
        if above > MOST:
            raise InputError(
                "no-result", asked, "more than 10^9 cases would be needed", "expect more, or ask for less"
            )
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
    enough: Callable[[Any, Any], Any], share: float, assurance: float, start: int, asked: str
) -> int:
    """The smallest number of cases for which enough(of the class, of the others) is likely.

    share: the proportion of the class among the cases; assurance: the probability that it holds; start: a
    number that is too small.
    """

    def assured(total: int) -> bool:
        k, chances = distribution(total, share)
        return float(chances[np.asarray(enough(k, total - k))].sum()) >= assurance

    return smallest(assured, asked, max(start, 1))
