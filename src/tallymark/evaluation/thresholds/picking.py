"""The threshold that a rule takes, on a table and on all its resamples at once.

A threshold is dominated if another one has at least its true positives and at most its false positives, and
not both equal. Of the thresholds that a rule allows, it takes the best that no other allowed one dominates;
an exact rule takes the best of all that it allows, and dominance decides among equally good ones only. Of
several, a constraint takes the one that is best in the constrained measure. Then the highest score is taken.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...summaries import Counts, RankingTable
from .bounds import OfCounts
from .rules import Rule

Shared = tuple[np.ndarray, np.ndarray, np.ndarray]  # the row, true positives, false positives
ROUNDING = 1e-12  # largest difference of equally good thresholds, relative to the largest objective


class Picked(NamedTuple):
    """The threshold taken, and those that are equally good.

    good: which thresholds are as good by the rule as the one taken; at: the index of that one, 0 where there
    is none.
    """

    good: np.ndarray
    at: np.ndarray


def pick(rule: Rule, table: RankingTable) -> Picked:
    """The threshold that the rule takes, of the table or of each of its resamples (along the last axis)."""
    counts = table.sweep()
    allowed = _allowed(rule, counts, table)
    objective = np.where(allowed, _known(rule.objective, counts), -np.inf)
    if rule.exact:
        good = equally_good(objective)
        left = good & undominated(counts, good)
    else:
        candidates = undominated(counts, allowed)
        good = equally_good(objective, candidates)
        left = good & candidates
        good = left if rule.limits or rule.of_bound else good
    if rule.then is not None:
        better = left & equally_good(np.where(left, _known(rule.then, counts), -np.inf))
        left = np.where(better.any(-1, keepdims=True), better, left)
    # a threshold without predicted positives only where no other one is as good
    some = left & (counts.tp + counts.fp > 0)
    return Picked(good, np.argmax(np.where(some.any(-1, keepdims=True), some, left), -1))


def equally_good(objective: np.ndarray, candidates: np.ndarray | None = None) -> np.ndarray:
    """Which thresholds are as good as the best of the candidates, up to rounding.

    None where the objective is -inf.
    """
    best = (objective if candidates is None else np.where(candidates, objective, -np.inf)).max(
        -1, keepdims=True
    )
    room = ROUNDING * np.abs(np.where(np.isfinite(objective), objective, 0.0)).max(-1, keepdims=True)
    found: np.ndarray = (objective >= best - room) & (objective <= best + room) & (objective > -np.inf)
    return found


def undominated(counts: Counts, allowed: np.ndarray) -> np.ndarray:
    """The allowed thresholds that no other allowed one dominates; of those with the same counts the highest.

    From one threshold to the next lower one no count of positives falls, so that it is enough to look at the
    neighbours.
    """
    place = np.flatnonzero(allowed)
    place, (same_row, same_tp, same_fp) = _without_repeats(place, counts)
    dominated = np.zeros(len(place), bool)
    dominated[:-1] |= same_row & same_fp  # by the next threshold, which has more true positives
    dominated[1:] |= same_row & same_tp  # by the previous threshold, which has fewer false positives
    left = np.zeros(allowed.shape, bool)
    left.reshape(-1)[place] = ~dominated
    return left


def _allowed(rule: Rule, counts: Counts, table: RankingTable) -> np.ndarray:
    with np.errstate(invalid="ignore", divide="ignore"):
        allowed = np.ones(counts.tp.shape, bool) if rule.allowed is None else np.array(rule.allowed(counts))
    if len(table) and np.isposinf(table.score[0]):
        allowed[..., 0] = False  # no threshold is above an infinite score
    return allowed


def _known(function: OfCounts, counts: Counts) -> np.ndarray:
    with np.errstate(invalid="ignore", divide="ignore"):
        value = np.asarray(function(counts), float)
    return np.where(np.isnan(value), -np.inf, value)


def _without_repeats(place: np.ndarray, counts: Counts) -> tuple[np.ndarray, Shared]:
    """The places where the counts differ from those before, and what each shares with the next."""
    row, tp, fp = _shared(place, counts)
    same = row & tp & fp
    if not same.any():
        return place, (row, tp, fp)
    place = place[np.append(True, ~same)[: len(place)]]
    return place, _shared(place, counts)


def _shared(place: np.ndarray, counts: Counts) -> Shared:
    """For each two neighbours, whether they are of one row, and whether tp, and fp, are equal.

    place: ascending, counted over all rows.
    """
    every = len(place) == np.size(counts.tp)
    tp, fp = (np.ravel(part) if every else np.ravel(part)[place] for part in (counts.tp, counts.fp))
    row = np.ones(max(len(place) - 1, 0), bool)
    ends = np.arange(1, np.size(counts.tp) // counts.tp.shape[-1]) * counts.tp.shape[-1]
    first = np.searchsorted(place, ends)  # the first places of the rows after the first one
    row[first[(first > 0) & (first < len(place))] - 1] = False
    return row, tp[1:] == tp[:-1], fp[1:] == fp[:-1]
