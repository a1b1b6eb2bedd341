"""Which of several equally good thresholds is taken, on a table and on all its resamples at once.

A threshold is dominated where another one has at least its sensitivity and its specificity, and more of one of them. Of the
thresholds that are equal in a rule's objective, those that another of them dominates are left out. Of the rest a constraint takes
the one that is best in the constrained measure. Then the highest score is taken.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..summaries import Counts, RankingTable
from .rules import Rule

ROUNDING = 1e-12  # by which two thresholds may differ in worth and still be as good, relative to the largest worth


def worth_of(rule: Rule, table: RankingTable) -> np.ndarray:
    """How good each threshold of the table, or of its resamples, is by the rule; -inf where it is not allowed."""
    worth = _known(rule.worth, table.sweep())
    if len(table) and np.isposinf(table.score[0]):
        worth[..., 0] = -np.inf  # no threshold lies above an infinite score
    return worth


def equally_good(worth: np.ndarray) -> np.ndarray:
    """Which thresholds are the best, except for rounding; none where no threshold is allowed."""
    best = worth.max(-1, keepdims=True)
    size = np.abs(np.where(np.isfinite(worth), worth, 0.0)).max(-1, keepdims=True)
    return (worth >= np.where(np.isfinite(best), best - ROUNDING * size, best)) & (worth > -np.inf)


def picked(rule: Rule, counts: Counts, good: np.ndarray) -> np.ndarray:
    """The index of the threshold that is taken of the good ones, along the last axis; 0 where there are none."""
    left = _undominated(counts, good)
    if rule.then is not None:
        better = left & equally_good(np.where(left, _known(rule.then, counts), -np.inf))
        left = np.where(better.any(-1, keepdims=True), better, left)
    later = left[..., 1:]  # infinity, which predicts nobody positive, only where no score is as good
    return np.where(later.any(-1), np.argmax(later, -1) + 1, 0)


def _known(function: Any, counts: Counts) -> np.ndarray:
    with np.errstate(invalid="ignore", divide="ignore"):
        value = np.asarray(function(counts), float)
    return np.where(np.isnan(value), -np.inf, value)


def _undominated(counts: Counts, good: np.ndarray) -> np.ndarray:
    """The good thresholds that no other good one dominates; of those with the same counts the highest.

    From one threshold to the next lower one no count of positives falls, so that it is enough to look at the neighbours.
    """
    place = np.nonzero(good)
    place, (same_row, same_tp, same_fp) = _without_repeats(place, counts)
    dominated = np.zeros(len(place[0]), bool)
    dominated[:-1] |= same_row & same_fp  # by the next one, which has more true positives
    dominated[1:] |= same_row & same_tp  # by the one before, which has fewer false positives
    left = np.zeros(good.shape, bool)
    left[place] = ~dominated
    return left


def _without_repeats(place, counts):
    """The places whose counts differ from those of the one before, and what each shares with the next."""
    row, tp, fp = _shared(place, counts)
    kept = np.append(True, ~(row & tp & fp))[: len(place[0])]
    place = tuple(axis[kept] for axis in place)
    return place, _shared(place, counts)


def _shared(place, counts):
    """Of each two neighbours: whether they are of the same row, and have the same true and the same false positives."""
    row = np.ones(max(len(place[0]) - 1, 0), bool)
    for axis in place[:-1]:
        row &= np.diff(axis) == 0
    return row, *(np.diff(cell[place]) == 0 for cell in (counts.tp, counts.fp))
