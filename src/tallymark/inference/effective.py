"""Effective numbers of cases, from the sums of the weights and of their squares.

A cell whose cases have total weight w, and total squared weight w2, has the variance of w^2 / w2 cases of
weight w2 / w each. The variance of a proportion p is linearised: sum of w_i^2 (y_i - p)^2 / (sum of w_i)^2,
over the cases in the denominator. Source: Korn and Graubard (1998); Dean and Pacheco (2015).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from ..input.messages.notes import Note
from ..summaries import ClassScores, Counts, RankingTable, Residuals

HALF = 0.5  # of a case, added where a count is 0
UNLIKE = 2.0  # ratio of weights (docs/intervals.md)
ROUNDING = 1e-9
NEARLY = 0.02  # relative difference of weights that counts as none
LEAST = 2  # cases, in effective numbers, without which there is no spread
ONE_CASE = Note("weights-of-one-case")
OPPOSITE = [3, 2, 1, 0]  # for each cell the one with the other class and the other prediction
TRUE_POSITIVES, REAL_POSITIVES, RIGHT = (
    np.array(cells, float) for cells in ((1, 0, 0, 0), (1, 0, 1, 0), (1, 0, 0, 1))
)
SAME_TRUTH, SAME_PREDICTION = [2, 3, 0, 1], [1, 0, 3, 2]


def as_cases(summary: Any) -> Any:
    """The summary with its weights scaled to add up to the effective number of cases.

    Measures that depend on the number of cases use this number, so that a constant factor on all weights has
    no effect.
    """
    if isinstance(summary, (ClassScores, Residuals)):  # whose intervals do not depend on the scale of weights
        return summary
    if isinstance(summary, RankingTable):
        return summary.as_cases
    squares = getattr(summary, "squares", None)
    if squares is None:
        return summary
    total = summary.total if hasattr(summary, "total") else summary.weights.sum()
    of_squares = squares.sum() if isinstance(squares, np.ndarray) else squares.total
    factor = np.divide(
        total, of_squares, out=np.ones_like(np.asarray(total, float)), where=np.asarray(of_squares) > 0
    )
    return summary * (factor if np.ndim(factor) else float(factor))


def effective_rows(summary: Any) -> float | None:
    """The effective number of cases, None where weights are numbers of cases."""
    if getattr(summary, "squares", None) is None:
        return None
    if isinstance(summary, (RankingTable, ClassScores, Residuals)):
        return None if summary.effective_total == summary.total else float(summary.effective_total)
    return float(as_cases(summary).total)


def of_one_case(summary: Any) -> bool:
    """Whether one case has nearly all the weight, so that the cases show no spread."""
    if getattr(summary, "squares", None) is None:
        return False
    if isinstance(summary, RankingTable) and summary.squared.positive is summary.positive:
        return False
    kept = isinstance(summary, (RankingTable, ClassScores, Residuals))
    return float(summary.effective_total if kept else as_cases(summary).total) < LEAST


def cases_of_share(table: RankingTable) -> float:
    """The effective number of cases for the proportion p of positives.

    It is p (1 - p) over the linearised variance.
    """
    if table.squared.positive is table.positive or not table.positives or not table.negatives:
        return float(table.effective_total)
    p, (positive, negative) = float(table.prior), (float(part.sum()) for part in table.squared)
    return float(p * (1 - p) * table.total**2 / (positive * (1 - p) ** 2 + negative * p**2))


def effective_positives(counts: Counts) -> np.ndarray:
    """The effective number of actual positives."""
    return (
        counts.positives if counts.squares is None else _share(counts.positives**2, counts.squares.positives)
    )


def cells_of(counts: Counts) -> np.ndarray:
    """True positives, false positives, false negatives and true negatives, along a first axis."""
    return np.array([counts.tp, counts.fp, counts.fn, counts.tn])


def squares_of(counts: Counts) -> np.ndarray:
    """The sums of the squared weights, as `cells_of`."""
    return cells_of(counts if counts.squares is None else counts.squares)


def numbers(counts: Counts) -> np.ndarray:
    """The effective number of cases in each cell."""
    cells = cells_of(counts)
    return cells if counts.squares is None else _share(cells**2, squares_of(counts))


def units(counts: Counts) -> np.ndarray:
    """The weight of a case in each cell; for an empty cell the weight implied by class and prediction.

    That is the weight where it is a product of a factor of the class and one of the prediction, as for class
    weights, and for verification of only some of those predicted negative. Where two cells are empty, it is
    the weight in the same class, or else with the same prediction.
    """
    cells = cells_of(counts)
    if counts.squares is None:
        return np.ones_like(cells)
    squares = squares_of(counts)
    with np.errstate(divide="ignore", invalid="ignore"):
        # a difference of sums may have lost small squares
        known = np.where((cells > 0) & (squares > 0), squares / cells, np.nan)
        found = known
        for other in (
            known[SAME_TRUTH] * known[SAME_PREDICTION] / known[OPPOSITE],
            known[SAME_TRUTH],
            known[SAME_PREDICTION],
        ):
            found = np.where(np.isnan(found), other, found)
    return np.where(np.isnan(found), 1.0, found)


def with_halves(counts: Counts, where: np.ndarray) -> Counts:
    """Half a case added to each cell of these tables."""
    unit = HALF * units(counts) * where
    if counts.squares is None:
        return Counts.of(*(cells_of(counts) + unit))
    squares = Counts.of(*(squares_of(counts) + unit**2 / HALF))
    return Counts.of(*(cells_of(counts) + unit), squares=squares)


def parts(function: Callable[..., Any], counts: Counts) -> tuple[Any, Any]:
    """Numerator and denominator of a measure that is a proportion of counts.

    They follow from the measure of a single case of each kind: 1 if it counts in both, 0 if only in the
    denominator, and NaN if it does not count.
    """
    above, below = of_single_cases(function)
    cells = cells_of(counts)
    return above @ cells, below @ cells


@cache
def of_single_cases(function: Callable[..., Any]) -> tuple[np.ndarray, np.ndarray]:
    """Which cells count in the numerator, and which in the denominator, as 1 and 0."""
    single = function(Counts.of(*np.eye(4)))
    return (single == 1).astype(float), (~np.isnan(single)).astype(float)


def spread(counts: Counts, counted: np.ndarray) -> np.ndarray:
    """The ratio of the largest to the smallest weight of a case in the cells that count; 1 for no cell.

    Empty cells count, too.
    """
    unit = units(counts)[counted > 0]
    return unit.max(0) / unit.min(0) if len(unit) else np.ones(np.shape(counts.tp))


def unlike(function: Callable[..., Any], counts: Counts) -> np.ndarray:
    """Whether the weights in the numerator, or in the rest, differ so much that no binomial is near.

    That is so for accuracy with class weights, where a few errors have large weights and many have small
    ones.
    """
    above, below = of_single_cases(function)
    if counts.squares is None:
        return np.zeros(np.shape(counts.tp), bool)
    found: np.ndarray = np.maximum(spread(counts, above), spread(counts, below - above)) > UNLIKE
    return found


def effective_parts(function: Callable[..., Any], counts: Counts) -> tuple[Any, Any]:
    """Numerator and denominator, scaled to the effective number of cases for this proportion."""
    return effective_parts_of(*of_single_cases(function), counts)


def effective_parts_of(above: np.ndarray, below: np.ndarray, counts: Counts) -> tuple[Any, Any]:
    """The same for the cells that count in the numerator, and for those in the rest."""
    cells = cells_of(counts)
    if counts.squares is None:
        return above @ cells, below @ cells
    squares, rest = squares_of(counts), below - above
    unit = units(counts)
    weights = [
        np.divide(side @ unit**2, side @ unit) if side.any() else np.ones(np.shape(counts.tp))
        for side in (above, rest)
    ]
    return effective(above @ cells, rest @ cells, above @ squares, rest @ squares, *weights)


def effective(x: Any, y: Any, of_x: Any, of_y: Any, unit_x: Any, unit_y: Any) -> tuple[Any, Any]:
    """x of x + y in effective numbers; of_x and of_y: the sums of squared weights.

    Where x or y is 0 the variance is 0; then the number is that if all cases had the weight of a case there.
    """
    n = np.add(x, y)
    p, q = _share(x, n), _share(y, n)
    spread = q**2 * of_x + p**2 * of_y
    size = np.where(np.equal(y, 0), _share(n, unit_y), np.where(np.equal(x, 0), _share(n, unit_x), 0.0))
    size = np.where(spread > 0, _share(p * q * n**2, spread), size)
    return np.where(np.equal(y, 0), size, p * size), size


def _share(part: Any, whole: Any) -> np.ndarray:
    """The quotient; 0 for 0 / 0."""
    part = np.asarray(part, float)
    found: np.ndarray = np.divide(part, whole, out=np.zeros_like(part), where=np.asarray(whole) > 0)
    return found
