"""The effective class sizes of weighted cases for measures of a ranking.

Kish's effective size holds where weights do not depend on the scores. Where cases with large weights lie
apart from the others, as in two-phase verification, the variance is larger. The design effect of a class is
the ratio of the linearised variance of the AUC to that with Kish's size. Korn and Graubard (1998), Survey
Methodology 24, 193-201.
"""

from __future__ import annotations

from math import isfinite

import numpy as np

from ...input.messages.notes import Note
from ...measures.families.ranking import roc_auc
from ...measures.registry import ratio
from ...summaries import RankingTable
from ...summaries.squares import Squares
from ..degrees_of_freedom import few_deciding
from .delong import delong_freedom
from .scale import normal_quantile, student_quantile

ALIKE = 1e-9  # relative difference of weights due to rounding


def in_effect(table: RankingTable, level: float) -> tuple[RankingTable, Note | None]:
    """The table with the effective class sizes, and the note if few degrees of freedom decide.

    As many cases as give the variance of the weighted ones, and the width of Student's t where that is larger
    than with Kish's size.
    """
    if not table.weighted or table.squares is None or all(map(_alike, table.squared, _weights(table))):
        return table, None
    area = float(roc_auc(table))
    df = delong_freedom(table, area)
    wider = (student_quantile(level, df) / normal_quantile(level)) ** 2 if isfinite(df) else 1.0
    parts = zip(_weights(table), table.squared, _placements(table), strict=True)
    effects = (_effect(*part) for part in parts)
    made = with_effects(table, *(effect * wider ** min(effect - 1, 1.0) for effect in effects))
    return made, few_deciding(df, made.total)


def with_effects(table: RankingTable, positive: float, negative: float) -> RankingTable:
    """The table with the effective numbers of cases of each class divided by these numbers."""
    squares = Squares(table.squared.positive * positive, table.squared.negative * negative)
    return table.of(table.score, table.positive * 1.0, table.negative * 1.0, squares)


def _weights(table: RankingTable) -> tuple[np.ndarray, np.ndarray]:
    return table.positive, table.negative


def _alike(squares: np.ndarray, weight: np.ndarray) -> bool:
    of_each = ratio(squares[weight > 0], weight[weight > 0])
    return bool(np.ptp(of_each) <= ALIKE * of_each.max()) if len(of_each) else True


def _placements(table: RankingTable) -> tuple[np.ndarray, np.ndarray]:
    """By score the proportion of negatives below it, and that of positives above it; a tie counts 1/2."""
    counts = table.sweep()
    beaten = (counts.tn[1:] + counts.tn[:-1]) / 2 / float(table.negatives)
    beating = (counts.tp[1:] + counts.tp[:-1]) / 2 / float(table.positives)
    return beaten, beating


def _effect(weight: np.ndarray, squares: np.ndarray, placement: np.ndarray) -> float:
    """The variance of the weighted mean over that with Kish's effective size, at least 1."""
    total = float(weight.sum())
    away = (placement - float(weight @ placement) / total) ** 2
    alone = float(squares.sum()) * float(weight @ away) / total
    return max(float(squares @ away) / alone, 1.0) if alone > 0 else 1.0
