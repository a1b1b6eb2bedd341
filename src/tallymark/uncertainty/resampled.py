"""Resamples of a ranking table: what other samples of as many positives and negatives could have given.

Only the weights are drawn anew; the scores stay in order, so nothing is sorted. A table of very many scores is thinned first: the
cost of a resample does not depend on the number of cases.
"""

from __future__ import annotations

import weakref

import numpy as np

from ..summaries import RankingTable
from .bootstrap import HALF_A_CASE, MOST_CASES

REPLICATES = 1_000
FEWEST_REPLICATES = 200
CELLS, MOST_DRAWN = 1_000_000, 20_000_000  # of a resampled column that are worth their time, and their memory
MOST_SCORES = 1_000  # that are resampled one by one
MOST_WHOLE = 5_000  # that are, where each of them counts


def multinomial(table: RankingTable, seed: int, replicates: int = REPLICATES) -> tuple[RankingTable, RankingTable]:
    """The table, thinned where it must be, and bootstrap resamples: cases of each class drawn with replacement. Efron (1979)."""
    base = _base(table)
    random = np.random.default_rng(seed)
    weights = []
    for weight in (base.positive, base.negative):
        total = float(weight.sum())
        size = (min(replicates, max(FEWEST_REPLICATES, MOST_DRAWN // (len(base) + 1))),)
        if not total:
            weights.append(np.zeros((*size, len(base))))
            continue
        cases = round(min(max(total, 1.0), MOST_CASES))
        drawn = random.multinomial(cases, weight / total, size=size).astype(np.float64)
        weights.append(drawn * (total / cases))
    return base, RankingTable.of(base.score, *weights)


def bayesian(table: RankingTable, seed: int, whole: bool = False) -> tuple[RankingTable, RankingTable]:
    """The table, thinned where it must be, and its Bayesian bootstrap: every case gets an exponential weight. Rubin (1981).

    whole: every score by itself. No score ever loses all its cases. The last resamples are kept, since all measures of a table
    share them.
    """
    global _last
    if whole and thins(table):
        return _bayesian(table, seed)
    if _last is not None and _last[0]() is table and _last[1] == seed:
        return _last[2]
    found = _bayesian(_base(table), seed)
    _last = weakref.ref(table), seed, found
    return found


def with_halves(table: RankingTable, seed: int) -> tuple[RankingTable, RankingTable]:
    """The same with half a negative above all scores and half a positive below, so that not even a perfect order is certain."""
    base = _base(table)
    ends = [base.score[:1], base.score, base.score[-1:]]
    positive = np.concatenate([[0.0], base.positive, [HALF_A_CASE]])
    negative = np.concatenate([[HALF_A_CASE], base.negative, [0.0]])
    return _bayesian(RankingTable.of(np.concatenate(ends), positive, negative), seed)


def _bayesian(base, seed):
    random = np.random.default_rng(seed)
    weights = []
    for weight in (base.positive, base.negative):
        drawn = random.standard_gamma(np.broadcast_to(weight.astype(np.float64), (_replicates(base, REPLICATES), len(base))))
        sums = drawn.sum(-1, keepdims=True)
        weights.append(drawn * np.divide(float(weight.sum()), sums, out=np.zeros_like(sums), where=sums > 0))
    return base, RankingTable.of(base.score, *weights)


_last: tuple | None = None


def thins(table: RankingTable) -> bool:
    """Whether the table has too many scores to resample each."""
    return len(table) > MOST_SCORES


def _base(table):
    return table.thinned() if thins(table) else table


def _replicates(table, wanted):
    return int(min(wanted, max(FEWEST_REPLICATES, CELLS // (len(table) + 1))))
