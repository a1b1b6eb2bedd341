"""The rows of a ranking table: checks of arrays that a user passes, and the rows that are kept."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..input import columns, validate, weighting
from .squares import Squares
from .squares import checked as checked_squares

SCORE_TYPES = ("float16", "float32", "float64")


def checked(score: Any, positive: Any, negative: Any, squares: Any = None) -> tuple[Any, ...]:
    """The arrays of a table. Raises InputError where they are not valid."""
    score = validate.scores(columns.read(score, "score")).copy()
    given = (("positive", positive), ("negative", negative))
    weights = [np.array(validate.cell(validate.plain_array(part, role), role)) for role, part in given]
    if any(weight.shape != score.shape for weight in weights):
        raise validate.InputError(
            "wrong-shape", "score, positive, negative", "one weight of each class is needed per score"
        )
    if not (score[1:] < score[:-1]).all() or np.isnan(score).any():
        raise validate.InputError(
            "invalid-value",
            "score",
            "the scores of a table are distinct and descend",
            "build one with RankingTable.from_arrays",
        )
    held = None if squares is None else Squares(*checked_squares(squares, (2, *score.shape), "squares"))
    if held is not None:
        weights = [weight.astype(np.float64) for weight in weights]
    elif all(map(weighting.are_whole, weights)):
        weighting.countable("positive, negative", float(sum(weight.sum() for weight in weights)))
    return compact((score, *weights), held, held is None)


def compact(arrays: tuple[Any, ...], squares: Squares | None, counts: bool) -> tuple[Any, ...]:
    """Without the scores at which every weight is 0.

    counts: whether whole weights are held as integers, so that a weight of 2 is the row twice.
    """
    score, positive, negative = arrays
    there = (positive > 0) | (negative > 0)
    if not there.all():
        score, positive, negative = (part[there] for part in arrays)
        squares = squares and squares.each(lambda part: part[there])
    return score, *(_whole(positive, negative) if counts else (positive, negative)), squares


def _whole(positive: np.ndarray, negative: np.ndarray) -> tuple[np.ndarray, ...]:
    both = positive, negative
    if all(weighting.are_whole(weight) and weight.sum() <= validate.WHOLE_BELOW for weight in both):
        return tuple(weight.astype(np.int64) for weight in both)
    return both
