"""A smooth family of score distributions through a ranking table, and its samples.

A measure of the ranking depends on the probability that a case is positive, given the rank u of its score, 0
< u < 1, where both classes have the same weight. A polynomial in the normal quantile of u is fitted to the
log odds by penalised logistic regression; a score with many ties keeps its own odds. The family is the log
odds times a tilt: 0 means no discrimination, 1 the fit; beyond both a multiple of the normal quantile is
added, up to perfect separation, in the right order or the wrong one. So every member has a true value of
every measure, and samples of it, of the same size as the data, show the bias and the spread of the measure
there.

Families through the data on which a bootstrap is inverted: Efron (1981), Canadian Journal of Statistics 9,
139-172; DiCiccio and Romano (1990), International Statistical Review 58, 59-76.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ... import kernels
from ...input.weighting import effective
from ...measures.families.ranking import roc_auc
from ...measures.registry import ratio
from ...summaries import RankingTable
from ...summaries.by_score import distinct
from ...summaries.logits import logit, sigmoid
from .delong import hanley_mcneil_variance

CELLS = 300  # of balanced ranks, where scores are not tied
# width of the outermost cell, in cases, and the ratio of the next ones
FINEST, GROWTH, MOST_STEPS = 0.1, 1.15, 200
POINTS = 1_000  # of the fit
PENALTY = np.array([0.0, 0.02, 3.0, 3.0])  # of the squares of the coefficients of the Hermite polynomials
ROUNDS, LONGEST_STEP, CONVERGED = 25, 2.0, 1e-15  # of Newton's method
NEAR, HALF, MOST_STEPS_TO_BALANCE = 1e-7, 0.5, 60  # a step of Newton's method, after which one more is enough
TIED = 4.0  # the weight of the smooth fit at a score, in cases
STEEPEST = 12.0  # log odds of the fit
ROUNDING, JITTER = 1e-12, 1e-9
STEPS = np.geomspace(0.03, 60.0, 25)
TILTS = np.concatenate([-STEPS[::-1], [0.0], STEPS])
# Members that samples are drawn of: how far their area is from that of the fit, in its standard errors on the
# logit scale.
ERRORS = np.array([-6.0, -4.5, -3.3, -2.5, -1.8, -1.1, -0.4, 0.3, 1.0, 1.8, 2.7, 4.0, 6.0])
LARGEST_ERROR = 1.0


@dataclass(frozen=True, slots=True)
class Family:
    """A family of score distributions over cells of ranks.

    width: of each cell in balanced ranks, from the highest score; odds: the log odds of the fit there;
    quantile: the normal quantile of the rank; weights: of the positives and of the negatives of a sample;
    sizes: their numbers of cases; tied: whether many cases share a score.
    """

    width: np.ndarray
    odds: np.ndarray
    quantile: np.ndarray
    weights: tuple[float, float]
    sizes: tuple[float, float]
    tied: bool

    @property
    def side(self) -> float:
        """The tilt of the fit: 1, or -1 where its order is wrong."""
        return 1.0 if float(self.width @ (self.odds * self.quantile)) >= 0 else -1.0

    def shares(self, tilt: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The proportions of the positives and of the negatives in each cell: one row per tilt."""
        own = np.clip(self.side * tilt, 0.0, 1.0)
        odds = own[:, None] * self.odds + (tilt - self.side * own)[:, None] * self.quantile
        chance = sigmoid(_balanced(self.width, odds))
        return 2 * self.width * chance, 2 * self.width * (1 - chance)

    def populations(self, shares: tuple[np.ndarray, np.ndarray]) -> RankingTable:
        """The populations that samples are drawn from. shares: of members."""
        return table_of(*(weight * share for weight, share in zip(self.weights, shares, strict=True)))

    def at_shares(self, tilt: float, prior: np.ndarray) -> RankingTable:
        """One member with other proportions of positives: one row for each of these."""
        positive, negative = self.shares(np.array([tilt]))
        total = sum(self.weights)
        return table_of(total * prior[:, None] * positive, total * (1 - prior[:, None]) * negative)


def sizes(table: RankingTable) -> tuple[float, float]:
    """The effective numbers of positives and negatives in a table."""
    return float(table.effective_positives), float(table.effective_negatives)


def family(table: RankingTable) -> Family:
    """The family through a table of two classes."""
    positive, negative = table.positive, table.negative
    totals = float(positive.sum()), float(negative.sum())
    share = _share(positive, negative, *totals)
    edges = _ends(share)
    large = np.flatnonzero(share > 1 / CELLS)
    tied = _tied(table, large)
    wide, tied = large[tied > JITTER], tied[tied > JITTER]
    cells = _cells(edges, wide, min(sizes(table)))
    middle = (cells[1:] + cells[:-1]) / 2
    at = np.minimum(np.searchsorted(edges, middle) - 1, len(share) - 1)
    polynomial = _polynomial(middle)
    own = positive[at] / totals[0] / 2 / np.maximum(share[at], ROUNDING)
    fitted = sigmoid(polynomial @ _fit(*_points(edges, positive, negative)))
    odds = _odds(fitted, own, _further(at, wide, tied))
    weights = float(table.positives), float(table.negatives)
    return Family(np.diff(cells), odds, polynomial[:, 1], weights, sizes(table), bool(len(wide)))


def _share(positive: np.ndarray, negative: np.ndarray, positives: float, negatives: float) -> np.ndarray:
    """The share of each score in balanced ranks, block by block: fresh memory costs more than division."""
    found = np.empty(len(positive))
    for some in kernels.blocks(len(found)):
        found[some] = (positive[some] / positives + negative[some] / negatives) / 2
    return found


def _odds(fitted: np.ndarray, own: np.ndarray, further: np.ndarray) -> np.ndarray:
    """The log odds of the fit where both classes have the same weight; a score with many cases keeps its own.

    further: the number of cases beyond one at the score.
    """
    odds = logit((further * own + TIED * fitted) / (further + TIED))
    found: np.ndarray = np.clip(odds, -STEEPEST, STEEPEST)
    return found


def rates(table: RankingTable) -> np.ndarray:
    """The proportion of positives at each score, by the smooth fit."""
    positive, negative = (np.asarray(part, float) for part in (table.positive, table.negative))
    share = _share(positive, negative, positive.sum(), negative.sum())
    edges = _ends(share)
    polynomial = _polynomial((edges[1:] + edges[:-1]) / 2)
    fitted = sigmoid(polynomial @ _fit(*_points(edges, positive, negative)))
    further = np.where(share > 1 / CELLS, _tied(table, np.arange(len(share))), 0.0)
    odds = _odds(fitted, positive / positive.sum() / 2 / np.maximum(share, ROUNDING), further)
    found: np.ndarray = sigmoid(odds + logit(np.float64(table.prior)))
    return found


def _tied(table: RankingTable, rows: np.ndarray) -> np.ndarray:
    """The effective number of cases at each of these scores beyond one."""
    weight = np.asarray(table.positive[rows] + table.negative[rows], float)
    squares = sum(part[rows] for part in table.squared)
    cases = weight if table.squares is None else effective(weight, squares)
    found: np.ndarray = np.maximum(cases - 1, 0.0)
    return found


def _ends(share: np.ndarray) -> np.ndarray:
    edges = np.zeros(len(share) + 1)
    np.add.accumulate(share, out=edges[1:])
    edges /= edges[-1]
    return edges


def _further(rows: np.ndarray, wide: np.ndarray, tied: np.ndarray) -> np.ndarray:
    """The value of `tied` for the rows that are among the wide ones, which ascend, and 0 for others."""
    if not len(wide):
        return np.zeros(len(rows))
    place = np.minimum(np.searchsorted(wide, rows), len(wide) - 1)
    return np.where(wide[place] == rows, tied[place], 0.0)


def _cells(edges: np.ndarray, wide: np.ndarray, smaller: float) -> np.ndarray:
    """The edges of the cells: fine outside; a score with many ties is a cell of its own.

    wide: the rows of such scores.
    """
    outer = np.cumsum(np.minimum(FINEST / smaller * GROWTH ** np.arange(MOST_STEPS), 1 / CELLS))
    outer = np.append(outer, np.arange(outer[-1] + 1 / CELLS, 0.5, 1 / CELLS))
    outer = outer[outer < 0.5]
    free = np.concatenate([outer, [0.5], 1 - outer])
    below = np.clip(np.searchsorted(edges, free) - 1, 0, len(edges) - 2)
    inside = _further(below, wide, np.ones(len(wide))) > 0
    found = distinct(np.concatenate([[0.0], free[~inside], edges[wide], edges[wide + 1]]))
    return np.append(found[:-1][(np.diff(found) > ROUNDING) & (found[:-1] < 1 - ROUNDING)], 1.0)


def _points(edges: np.ndarray, positive: np.ndarray, negative: np.ndarray) -> tuple[np.ndarray, ...]:
    """Ranks, and the weight of both classes there; neighbouring scores are merged where there are many."""
    starts, before = [], -1.0
    for some in kernels.blocks(len(positive)):
        point = np.floor((edges[1:][some] + edges[:-1][some]) / 2 * POINTS)
        starts.append(some.start + np.flatnonzero(np.diff(point, prepend=before)))
        before = point[-1]
    first = np.concatenate(starts)
    last = np.append(first[1:], len(positive)) - 1
    return (edges[first] + edges[last + 1]) / 2, *(
        np.add.reduceat(weight, first) for weight in (positive, negative)
    )


def _polynomial(u: np.ndarray) -> np.ndarray:
    """Hermite polynomials in the normal quantile, which increases with the score."""
    z = -kernels.inverse_normal_cdf(np.clip(u, ROUNDING, 1 - ROUNDING))
    return np.stack([np.ones_like(z), z, (z**2 - 1) / np.sqrt(2), (z**3 - 3 * z) / np.sqrt(6)], axis=-1)


def _fit(u: np.ndarray, positive: np.ndarray, negative: np.ndarray) -> np.ndarray:
    """Penalised logistic regression by Newton's method.

    Each class has a weight of the harmonic mean of both sizes.
    """
    size = 2 / (1 / positive.sum() + 1 / negative.sum())
    yes, all_ = (
        positive / positive.sum() * size,
        (positive / positive.sum() + negative / negative.sum()) * size,
    )
    x, found = _polynomial(u), np.zeros(len(PENALTY))
    for _ in range(ROUNDS):
        chance = sigmoid(x @ found)
        slope = np.einsum("ij,i->j", x, yes - all_ * chance) - PENALTY * found
        bent = (
            np.einsum("ij,i,ik->jk", x, all_ * chance * (1 - chance), x)
            + np.diag(PENALTY)
            + 1e-9 * np.eye(len(PENALTY))
        )
        step = np.linalg.solve(bent, slope)
        longest = float(np.abs(step).max())
        found = found + step * min(1.0, LONGEST_STEP / max(longest, ROUNDING))
        if longest < CONVERGED:
            break
    return found


def _balanced(width: np.ndarray, odds: np.ndarray) -> np.ndarray:
    """The log odds, shifted so that both classes have the same weight.

    Row by row, by Newton's method on the logit scale, and by bisection where a step leaves the bracket.
    """
    low, high = -odds.max(-1) - ROUNDING, -odds.min(-1) + ROUNDING
    move, near = -np.einsum("j,ij->i", width, odds), np.zeros(len(odds), bool)
    for _ in range(MOST_STEPS_TO_BALANCE):
        chance = sigmoid(odds + move[:, None])
        share, steepness = (np.einsum("j,ij->i", width, part) for part in (chance, chance * (1 - chance)))
        low, high = np.where(share > HALF, low, move), np.where(share > HALF, move, high)
        with np.errstate(invalid="ignore"):  # infinity * 0
            step = ratio(logit(share) * share * (1 - share), steepness)
        further = np.where((low <= move - step) & (move - step <= high), move - step, (low + high) / 2)
        move, near = np.where(near, move, further), near | (np.abs(step) <= NEAR)
        if near.all():
            break
    found: np.ndarray = odds + move[:, None]
    return found


def table_of(positive: np.ndarray, negative: np.ndarray) -> RankingTable:
    """A table of cells, from the highest."""
    return RankingTable.of(np.arange(positive.shape[-1], 0.0, -1.0), positive, negative)


def tilts(known: Family) -> np.ndarray:
    """The ascending tilts of the members: no discrimination, the fit, those around it, and both ends."""
    area = np.maximum.accumulate(roc_auc(known.populations(known.shares(TILTS))))
    least = 0.1 / known.sizes[0] / known.sizes[1]
    fit = float(np.clip(np.interp(known.side, TILTS, area), least, 1 - least))
    error = np.sqrt(hanley_mcneil_variance(fit, *known.sizes)) / (fit * (1 - fit))
    around = np.interp(sigmoid(logit(fit) + ERRORS * min(error, LARGEST_ERROR)), area, TILTS)
    return distinct(np.concatenate([around, [TILTS[0], 0.0, known.side, TILTS[-1]]]))
