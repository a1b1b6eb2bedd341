"""Small tables of cases whose scores are known to lie in bins only, made to break bounds: many at once."""

from typing import NamedTuple

import numpy as np

from tallymark import BinnedTable, RankingTable

CASES, PLACES = 12, 16
GRIDS = (
    np.arange(PLACES) / (PLACES - 1),
    np.arange(PLACES) * 1e-300,
    np.array([-np.inf, *np.linspace(-3, 3, PLACES - 2), np.inf]),
)


class Tables(NamedTuple):
    """Tables, one per row, with a column per case: whether it is positive, its weight, the place of its score
    among the scores of the grid, and those of the ends of its bin."""

    grid: np.ndarray
    positive: np.ndarray
    weight: np.ndarray
    score: np.ndarray
    low: np.ndarray
    high: np.ndarray

    def placed(self, of_positives, of_negatives):
        """All tables as one with a leading axis, with these scores of the cases of each class."""
        weights = [
            self._at(np.where(self.positive == yes, self.weight, 0), place)
            for yes, place in ((True, of_positives), (False, of_negatives))
        ]
        return RankingTable.of(self.grid[::-1].copy(), *(part[:, ::-1] * 1.0 for part in weights))

    def _at(self, weight, place):
        rows = np.arange(len(weight))[:, None]
        sums = np.zeros((len(weight), PLACES))
        np.add.at(sums, (np.broadcast_to(rows, place.shape), place), weight)
        return sums

    @property
    def exact(self):
        return self.placed(self.score, self.score)

    @property
    def bracket(self):
        return self.placed(self.low, self.high), self.placed(self.high, self.low)

    def table(self, row):
        """One of the tables, exact."""
        one = Tables(self.grid, *(part[row : row + 1] for part in self[1:]))
        positive, negative = _of_one(one.exact)
        squares = None if self.whole else _of_one(one._replace(weight=one.weight**2).exact)
        return RankingTable(self.grid[::-1].copy(), positive, negative, squares)

    def binned(self, row):
        """One of the tables, in bins."""
        yes, weight = self.positive[row], self.weight[row]
        classes = np.where(yes, weight, 0), np.where(yes, 0, weight)
        squares = None if self.whole else [part**2 for part in classes]
        return BinnedTable(self.grid[self.low[row]], self.grid[self.high[row]], *classes, squares)

    @property
    def whole(self):
        """Whether weights are numbers of cases."""
        return self.weight.dtype.kind == "i"


def _of_one(table):
    return table.positive[0], table.negative[0]


def tables(rng, rows, grid=0, whole=True):
    """Tables of up to 12 cases: scores that differ or are tied, below the diagonal too; bins that overlap or
    do not, of single scores, one of them all."""
    shape = rows, CASES
    positive = rng.random(shape) < rng.choice([0.15, 0.5, 0.85], (rows, 1))
    score = rng.integers(0, rng.choice([1, 2, 4, PLACES], (rows, 1)), shape)
    score = np.where(rng.random((rows, 1)) < 0.2, np.where(positive, score // 2, score), score)
    score = np.where(rng.random((rows, 1)) < 0.3, PLACES - 1 - score, score)
    other, another = rng.integers(0, PLACES, (2, *shape))
    low, high = np.minimum(score, other), np.maximum(score, another)
    cuts = np.sort(rng.integers(0, PLACES, (rows, 3)), axis=1)
    bin_ = (score[:, :, None] >= cuts[:, None, :]).sum(-1)
    ends = np.concatenate([np.zeros((rows, 1), int), cuts, np.full((rows, 1), PLACES)], axis=1)
    apart = [np.take_along_axis(ends, bin_ + i, 1) - i for i in (0, 1)]
    kind = rng.integers(0, 5, (rows, 1))
    low = np.select([kind == 1, kind == 2, kind == 3], [apart[0], score, np.zeros_like(score)], low)
    high = np.select(
        [kind == 1, kind == 2, kind == 3], [apart[1], high, np.full_like(score, PLACES - 1)], high
    )
    single = rng.random(shape) < rng.choice([0, 0.5], (rows, 1))
    low, high = np.where(single, score, low), np.where(single, score, high)
    weight = rng.integers(0, 3, shape)
    if not whole:
        weight = weight * rng.choice([1e-3, 1.0, 7.0], shape) * rng.random(shape)
    return Tables(GRIDS[grid], positive, weight, score, low, high)
