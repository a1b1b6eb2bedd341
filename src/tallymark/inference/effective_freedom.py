"""Degrees of freedom of proportions with importance weights, and the factors for Student's t."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..summaries import ConfusionMatrix, Counts
from .effective import (
    NEARLY,
    REAL_POSITIVES,
    RIGHT,
    ROUNDING,
    TRUE_POSITIVES,
    _share,
    cells_of,
    effective_parts_of,
    spread,
    squares_of,
    units,
)
from .intervals.scale import normal_quantile, student_quantiles


def parts_at_level(above: np.ndarray, below: np.ndarray, counts: Counts, level: float) -> tuple[Any, Any]:
    """The same, with a factor (z / t)^2 where the weights vary.

    It makes the interval as wide as Student's t does. Source: Korn and Graubard (1998), Survey Methodology
    24, 193-201.
    """
    x, n = effective_parts_of(above, below, counts)
    times = factor_of_freedom(above, below, counts, level)
    return x * times, n * times


def factor_of_freedom(above: np.ndarray, below: np.ndarray, counts: Counts, level: float) -> Any:
    """(z / t)^2 at this level; 1 without importance weights."""
    if counts.squares is None:
        return 1.0
    return (normal_quantile(level) / student_quantiles(level, freedom_of_parts(above, below, counts))) ** 2


def factor_of_recalls(matrix: ConfusionMatrix, level: float) -> np.ndarray:
    """The factor (z / t)^2 for the recall of each class; 1 for three and more classes."""
    if len(matrix) != 2:
        return np.ones(len(matrix))
    found: np.ndarray = factor_of_freedom(
        TRUE_POSITIVES, REAL_POSITIVES, matrix.one_vs_rest(), level
    ) * np.ones(2)
    return found


def factor_of_right(matrix: ConfusionMatrix, level: float) -> float:
    """The factor (z / t)^2 for the proportion of correct cases."""
    if len(matrix) != 2:
        return 1.0
    return float(np.ravel(factor_of_freedom(RIGHT, np.ones(4), matrix.one_vs_rest(), level))[0])


def freedom_of_parts(above: np.ndarray, below: np.ndarray, counts: Counts) -> np.ndarray:
    """The degrees of freedom of the linearised variance of a proportion.

    They are infinite where class and prediction determine the weights. The variance is a sum of two parts,
    from the cases in the numerator and from the others. Each part has as many degrees of freedom as effective
    cases, as a sum of squares of normal contributions (Satterthwaite 1946, Biometrics Bulletin 2, 110-114).
    If one of the two has no cases, it is the effective number less 1. Where the weights of cells differ by
    less than 2 % it is larger, up to infinity for equal weights.
    """
    cells, squares, rest = cells_of(counts), squares_of(counts), below - above
    x, y, of_x, of_y = above @ cells, rest @ cells, above @ squares, rest @ squares
    part, other = y**2 * of_x, x**2 * of_y
    second = part**2 * _share(of_x, x**2) + other**2 * _share(of_y, y**2)
    alone = effective_parts_of(above, below, counts)[1] - 1
    df = np.where((x > 0) & (y > 0), _share((part + other) ** 2, second), alone)
    unlike_by = np.where(spread(counts, below) > 1 + ROUNDING, _unexplained(counts), 0.0)
    hardly = np.where(unlike_by > ROUNDING, np.minimum(unlike_by, NEARLY) / NEARLY, 0.0) ** 2
    with np.errstate(divide="ignore"):
        found: np.ndarray = np.maximum(df, 1.0) / hardly
        return found


def _unexplained(counts: Counts) -> np.ndarray:
    """The log ratio of a case's weight to that implied by class and prediction.

    Where a cell is empty, to that implied by one of these, whichever is nearer.
    """
    cells = cells_of(counts)
    tp, fp, fn, tn = np.log(np.where(cells > 0, units(counts), np.nan))
    both = np.abs(tp + tn - fp - fn)
    one = np.fmin.reduce(np.abs([tp - fn, fp - tn, tp - fp, fn - tn]))
    found: np.ndarray = np.nan_to_num(np.where(np.isnan(both), one, both))
    return found
