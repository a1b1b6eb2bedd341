"""The rank correlation of two orders of the same cases."""

from __future__ import annotations

from math import sqrt

import numpy as np

from .. import kernels


def kendall_tau_b(one: np.ndarray, other: np.ndarray) -> float:
    """Kendall's tau-b; NaN where all cases are tied in one of the orders.

    The pairs in opposite order are the inversions of the second ranks, with the cases in the order of the
    first. one, other: ranks, whole numbers from 0 on. Sources: Kendall (1945), Biometrika 33, 239-251; Knight
    (1966), Journal of the American Statistical Association 61, 436-439.
    """
    one, other = one.astype(np.int64), other.astype(np.int64)  # products of two ranks exceed 32 bits
    size = int(other.max(initial=0)) + 1
    both = np.sort(one * size + other)
    pairs, tied_in_both = len(both) * (len(both) - 1) // 2, _tied(np.bincount(_runs(both)))
    free = [pairs - _tied(np.bincount(ranks)) for ranks in (one, other)]
    if not min(free):
        return float("nan")
    opposite = kernels.inversions(both % size)
    same = sum(free) - pairs + tied_in_both - opposite
    return float(same - opposite) / (sqrt(free[0]) * sqrt(free[1]))


def _runs(ordered: np.ndarray) -> np.ndarray:
    """The number of the run of equal values, from 0 on."""
    found: np.ndarray = np.cumsum(np.append(False, ordered[1:] != ordered[:-1]))
    return found


def _tied(sizes: np.ndarray) -> int:
    """The number of pairs of tied cases."""
    return int((sizes * (sizes - 1) // 2).sum())
