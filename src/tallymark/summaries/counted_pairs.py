"""The pairs of positives and negatives, counted without a ranking table where this is faster."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import kernels
from ..input import columns, validate
from ..input.labels import BinaryLabels, Coded
from .ranking import RankingTable


def table_for_pairs(**given: Any) -> RankingTable:
    """A table for measures that need `positives`, `negatives` and `twice_concordant` alone.

    It has no rows where these are counted without a sort; else it is the whole table. Nobody else is handed
    one. given: as for `RankingTable.from_arrays`.
    """
    return _CountedPairs.from_arrays(**given)


class _CountedPairs(RankingTable):
    @classmethod
    def from_coded(
        cls, labels: BinaryLabels, coded: Coded, score: columns.Column, weight: columns.Column | None = None
    ) -> RankingTable:
        """As for the base class."""
        truth, codes, positive = coded
        found = None if weight is not None else kernels.pairs(codes, validate.scores(score), positive)
        if found is None:
            return RankingTable.from_coded(labels, coded, score, weight)
        twice, positives, negatives, negative = found
        new = cls.of(np.empty(0), np.empty(0, np.int64), np.empty(0, np.int64))
        new.__dict__.update(positives=positives, negatives=negatives, twice_concordant=twice)
        labels.learn(truth, negative, bool(positives))
        return new
