"""Ranking tables of predicted classes by their probability, in which right answers are the positives."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import kernels
from .cached import cached
from .squares import Squares

if TYPE_CHECKING:
    from .ranking import RankingTable

Arrays = tuple[np.ndarray, np.ndarray, np.ndarray]  # scores, and the weights of right and of wrong answers
CASES_AT_ONCE = 1 << 10  # whose scores fit into the cache


def of_answers(
    kind: type[RankingTable],
    confidence: np.ndarray,
    right: np.ndarray,
    wrong: np.ndarray,
    squares: Squares | None = None,
) -> RankingTable:
    """The table of answers in any order, with leading axes for replicates.

    right, wrong: their weights, which become positives and negatives; squares: of both.
    """
    if squares is None and right.ndim == 1 and (table := _ranked(confidence, right, wrong)):
        return kind.of(*table)
    order = np.argsort(-confidence, kind="stable")
    score = confidence[order]
    new = np.flatnonzero(np.append(True, score[1:] != score[:-1])) if len(score) else np.empty(0, np.int64)

    def held(weight: np.ndarray) -> np.ndarray:
        found: np.ndarray = np.add.reduceat(weight[..., order], new, axis=-1)
        return found

    return kind.of(score[new], held(right), held(wrong), squares and squares.each(held))


def _ranked(confidence: np.ndarray, right: np.ndarray, wrong: np.ndarray) -> Arrays | None:
    """The arrays of the table by the kernel, which is faster; None where a weight is not 1."""
    hit = right == 1
    if not len(hit) or not ((right == hit).all() and (wrong == ~hit).all()):
        return None
    found = kernels.rank(hit, confidence, None, 1)
    return found and (found[0], found[1].astype(np.float64), found[2].astype(np.float64))


def of_two_sides(
    table: RankingTable, score: np.ndarray, middle: float, mirrored: Callable[[np.ndarray], np.ndarray]
) -> RankingTable:
    """The table of answers of a table without replicates, by merging both sides of the middle.

    score: descending; from the middle on the positive class is predicted. mirrored: the scores of the
    negative class.
    """
    rows = len(score) - int(np.searchsorted(score[::-1], middle, side="left"))
    squares = table.squares

    def part(rows: slice, score: np.ndarray, order: int) -> RankingTable:
        weights = (table.positive, table.negative)[::order]
        held = squares and Squares(*squares[::order]).each(lambda one: one[rows][::order].copy())
        right, wrong = (one[rows][::order].copy() for one in weights)
        return distinct(table.of(score[::order].copy(), right, wrong, held))

    above, below = slice(0, rows), slice(rows, len(score))
    return part(above, score[above], 1) + part(below, mirrored(score[below]), -1)


def distinct(table: RankingTable) -> RankingTable:
    """The table with equal scores, which are neighbours, joined."""
    new = np.flatnonzero(np.append(True, table.score[1:] != table.score[:-1])) if len(table) else table.score
    return table if len(new) == len(table) else table.grouped(new)


class PredictedClasses:
    """The predicted class of every case, with its probability."""

    truth: np.ndarray
    score: np.ndarray
    weight: np.ndarray
    squares: np.ndarray | None
    highest: Any
    kind_of_table: type[RankingTable]

    def predicted(self) -> tuple[np.ndarray, float]:
        """The index of the class with the highest score, the first of several equal ones.

        Also the weight of the cases with several highest scores.
        """
        found: tuple[np.ndarray, float] = self._predicted
        return found

    @cached
    def _predicted(self) -> tuple[np.ndarray, float]:
        if not len(self.truth):
            return np.empty(0, np.int64), 0.0
        answer, ambiguous = np.empty(len(self.truth), np.int64), np.zeros(len(self.truth), bool)
        for start in range(0, len(answer), CASES_AT_ONCE):
            rows = slice(start, start + CASES_AT_ONCE)
            some = self.score[rows]
            highest = some == some.max(axis=1, keepdims=True)
            answer[rows] = highest.argmax(axis=1)
            if np.count_nonzero(highest) > len(some):
                ambiguous[rows] = np.count_nonzero(highest, axis=1) > 1
        return answer, kernels.total(self.weight[ambiguous])

    @cached
    def confidence(self) -> RankingTable:
        """The highest probability of every case, or its logit, as scores; right answers are the positives."""
        answer, _ = self.predicted()
        right = np.where(answer == self.truth, self.weight, 0.0)
        return of_answers(
            self.kind_of_table, self.highest, right, self.weight - right, self._squares_of(answer)
        )

    def _squares_of(self, answer: np.ndarray) -> Squares | None:
        """The squared weights of right and of wrong answers; None where `squares` is None."""
        if self.squares is None:
            return None
        return Squares(
            *(np.where(part, self.squares, 0.0) for part in (answer == self.truth, answer != self.truth))
        )
