"""Degrees of freedom of a variance that is a sum of squares.

They are few where a few cases with large weights or values make up most of it. With the contributions d of n
cases to an estimate, V = sum d^2 estimates its variance, and sum d^4 - V^2 / n the variance of V. For a
multiple of chi-square that is 2 V^2 / df, so that df = 2 V^2 / (sum d^4 - V^2 / n): n for normal
contributions with equal weights, fewer for heavy tails or unequal weights. Where class sizes are fixed both
sums are added over the classes. Sources: Satterthwaite (1946), Biometrics Bulletin 2, 110-114; by the fourth
moment: Box (1953), Biometrika 40, 318-335.
"""

from __future__ import annotations

from math import inf

import numpy as np

from .. import kernels
from ..input.messages.notes import Note
from ..input.weighting import effective

FEW_DECIDING = 30  # degrees of freedom, below which there is a note
ROUNDING = 1e-12


def degrees_of_freedom(
    influence: np.ndarray,
    weight: np.ndarray,
    squares: np.ndarray | None = None,
    classes: np.ndarray | None = None,
) -> float:
    """The degrees of freedom of the variance of a weighted mean.

    They are above 2, and infinite where all cases contribute the same.

    Parameters
    ----------
    influence : shape (entries,)
        What a case of each entry does to the mean, in any unit: about 0, with `classes` about 0 in each.
    weight, squares : shape (entries,)
        Of the cases of an entry the sum of the weights and of their squares; without squares weights are
        numbers of cases. Cases of an entry are taken to weigh the same.
    classes : shape (entries,), whole numbers from 0 on
        Where the sizes of classes are fixed.
    """
    largest = float(max(influence.max(initial=0.0), -influence.min(initial=0.0))) or 1.0
    number = 1 if classes is None else int(classes.max(initial=0)) + 1

    def of_rows(some: slice) -> list[np.ndarray]:
        there = np.flatnonzero(weight[some] > 0)
        own, cases = _contributions(
            influence[some][there] / largest,
            weight[some][there],
            squares if squares is None else squares[some][there],
        )
        code = (
            np.zeros(len(there), np.int64) if classes is None else np.asarray(classes[some][there], np.int64)
        )
        return [np.bincount(code, part, number) for part in (own, own**2 / cases, cases)]

    sums = [np.zeros((3, number)), *kernels.stretches(of_rows, len(weight))]
    return freedom(*np.add.reduce(sums))


def freedom(second: np.ndarray, fourth: np.ndarray, size: np.ndarray) -> float:
    """The degrees of freedom from sums over the cases of each class.

    second, fourth: of the second and fourth powers of the contributions; size: the numbers of cases.
    """
    total = float(second.sum())
    excess = float(fourth.sum() - (second[size > 0] ** 2 / size[size > 0]).sum())
    return 2 * total**2 / excess if excess > ROUNDING * total**2 else inf


def _contributions(
    influence: np.ndarray, weight: np.ndarray, squares: np.ndarray | None
) -> tuple[np.ndarray, np.ndarray]:
    """The squared contributions of entries, added over their cases, and the numbers of these cases."""
    cases = weight.astype(float) if squares is None else effective(weight, squares)
    return (weight if squares is None else squares) * np.square(influence), cases


def few_deciding(df: float, cases: float = inf) -> Note | None:
    """The note, if there are fewer than 30 degrees of freedom; of so many cases no more can decide."""
    return Note("few-deciding", cases=min(df, cases)) if df < FEW_DECIDING else None
