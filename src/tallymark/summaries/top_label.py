"""Ranking tables of predicted classes by their probability, in which right answers are the positives."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .squares import Squares

if TYPE_CHECKING:
    from .ranking import RankingTable


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
    order = np.argsort(-confidence, kind="stable")
    score = confidence[order]
    new = np.flatnonzero(np.append(True, score[1:] != score[:-1])) if len(score) else np.empty(0, np.int64)

    def held(weight: np.ndarray) -> np.ndarray:
        found: np.ndarray = np.add.reduceat(weight[..., order], new, axis=-1)
        return found

    return kind.of(score[new], held(right), held(wrong), squares and squares.each(held))
