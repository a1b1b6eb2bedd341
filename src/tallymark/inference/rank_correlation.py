"""The rank correlation of two orders of the same cases."""

from __future__ import annotations

from math import sqrt

import numpy as np

from .. import kernels


def kendall_tau_b(one: np.ndarray, other: np.ndarray) -> float:
    """Kendall's tau-b; NaN where all cases are tied in one of the orders.

    The pairs in opposite order are the inversions of the second ranks, with the cases in the order of the
    first. one, other: ranks, whole numbers from 0 on without gaps. Sources: Kendall (1945), Biometrika 33,
    239-251; Knight (1966), Journal of the American Statistical Association 61, 436-439.
    """
    one, other = one.astype(np.int64), other.astype(np.int64)  # products of two ranks exceed 32 bits
    size, pairs = int(other.max(initial=0)) + 1, len(one) * (len(one) - 1) // 2
    tied, tied_in_both = [_tied(np.bincount(ranks)) for ranks in (one, other)], 0
    free = [pairs - number for number in tied]
    if not min(free):
        return float("nan")
    if tied[0]:
        both = np.sort(one * size + other)
        tied_in_both, ordered = _tied(np.bincount(_runs(both))), both % size
    else:
        ordered = np.empty_like(other)
        ordered[one] = other
    opposite = kernels.inversions(ordered)
    same = sum(free) - pairs + tied_in_both - opposite
    return float(same - opposite) / (sqrt(free[0]) * sqrt(free[1]))


def _runs(ordered: np.ndarray) -> np.ndarray:
    """The number of the run of equal values, from 0 on."""
    return np.cumsum(np.append(False, ordered[1:] != ordered[:-1]))


def _tied(sizes: np.ndarray) -> int:
    """The number of pairs of tied cases."""
    return int((sizes * (sizes - 1) // 2).sum())
