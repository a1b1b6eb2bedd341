"""A smooth family of score distributions through a ranking table, from no discrimination to perfect separation, and its samples.

What a measure of the ranking depends on is how likely a case is to be positive, by the rank u of its score, 0 < u < 1, when both
classes weigh the same. A polynomial in the normal quantile of u is fitted to the log odds (logistic regression, drawn in a little
towards 0); scores that many cases share keep the odds that they have. The log odds times a tilt are the family: 0 is chance, 1 the
fit. So every member has a true value of every measure, and as large samples of it as the one at hand show the bias and the spread of
the measure there.

Exponential families through the data to invert a bootstrap: Efron (1981), Canadian Journal of Statistics 9, 139-172; DiCiccio and
Romano (1990), International Statistical Review 58, 59-76.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import expit, logit, ndtri

from ..summaries import RankingTable

CELLS = 400  # of balanced ranks, where scores are not tied
FINEST, GROWTH = 0.1, 1.15  # the outermost cell, in cases, and how much wider the next ones are
MOST_IN_ORDER = 1_000  # cases that are drawn one by one, and so without ties
PENALTY = (0.0, 0.02, 1.0, 1.0)  # of the squares of the coefficients of the Hermite polynomials
ROUNDS = 25  # of Newton's method
TIED = 4.0  # further cases at a score that count as much as the smooth fit
STEEPEST = 12.0  # log odds of the fit
TILTS = np.concatenate([[0.0], np.geomspace(0.01, 100.0, 160)])
ERRORS = np.array([-7.0, -5.0, -3.5, -2.5, -1.75, -1.0, -0.25, 0.5, 1.25, 2.0, 3.0, 4.5, 6.5])  # of the area: where samples are drawn
REPLICATES = 200  # of each tilt


@dataclass(frozen=True, slots=True)
class Family:
    """width: of each cell in balanced ranks, from the highest score; odds: the log odds of the fit there."""

    width: np.ndarray
    odds: np.ndarray
    positives: float
    negatives: float
    tied: bool

    def shares(self, tilt: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Of the positives and of the negatives, those in each cell: one row per tilt."""
        chance = expit(_balanced(self.width, tilt[:, None] * self.odds))
        return 2 * self.width * chance, 2 * self.width * (1 - chance)

    def populations(self, tilt: np.ndarray) -> RankingTable:
        """What samples would be without chance."""
        positive, negative = self.shares(tilt)
        return _table(self.positives * positive, self.negatives * negative)


def family(table: RankingTable) -> Family:
    """The family through a table of two classes."""
    positive, negative = (np.asarray(part, float) for part in (table.positive, table.negative))
    cases, share = positive + negative, (positive / positive.sum() + negative / negative.sum()) / 2
    edges = np.append(0.0, np.cumsum(share))
    edges /= edges[-1]
    wide = (cases > 1) & (share > 1 / CELLS)
    cells = _edges(edges, wide, min(table.positives, table.negatives))
    middle = (cells[1:] + cells[:-1]) / 2
    fitted = _polynomial(middle) @ _fit((edges[1:] + edges[:-1]) / 2, positive, negative)
    at = np.minimum(np.searchsorted(edges, middle) - 1, len(cases) - 1)
    further = np.where(wide, cases - 1, 0.0)[at]
    own = (positive / positive.sum() / 2 / share)[at]
    odds = logit((further * own + TIED * expit(fitted)) / (further + TIED))
    return Family(np.diff(cells), np.clip(odds, -STEEPEST, STEEPEST), float(table.positives), float(table.negatives), bool(wide.any()))


def _edges(edges, wide, smaller):
    """Of the cells: fine at both ends, but for scores that many cases share, which are cells of their own."""
    steps = np.minimum(FINEST / smaller * GROWTH ** np.arange(200), 1 / CELLS)
    steps = steps[: int(np.searchsorted(np.cumsum(steps), 0.5)) + 1]
    outer = np.cumsum(steps)
    outer = outer[outer < 0.5]
    if outer[-1] < 0.5 - 1 / CELLS:
        outer = np.append(outer, np.arange(outer[-1] + 1 / CELLS, 0.5, 1 / CELLS))
    free = np.concatenate([outer, [0.5], 1 - outer])
    inside = wide[np.clip(np.searchsorted(edges, free) - 1, 0, len(wide) - 1)]
    own = np.append(edges[:-1][wide], edges[1:][wide])
    found = np.unique(np.concatenate([[0.0, 1.0], free[~inside], own]))
    return np.append(found[:-1][np.diff(found) > 1e-12], 1.0)


def _polynomial(u):
    """Hermite polynomials in the normal quantile, high where the score is."""
    z = -ndtri(np.clip(u, 1e-12, 1 - 1e-12))
    return np.stack([np.ones_like(z), z, (z**2 - 1) / np.sqrt(2), (z**3 - 3 * z) / np.sqrt(6)], axis=-1)


def _fit(u, positive, negative):
    """Penalised logistic regression with classes of equal weight, together as many as the harmonic mean of their sizes twice."""
    size = 2 / (1 / positive.sum() + 1 / negative.sum())
    yes, no = positive / positive.sum() * size, negative / negative.sum() * size
    x, found = _polynomial(u), np.zeros(4)
    for _ in range(ROUNDS):
        chance = expit(np.clip(x @ found, -30, 30))
        slope = np.einsum("ij,i->j", x, yes - (yes + no) * chance) - PENALTY * found
        bent = np.einsum("ij,i,ik->jk", x, (yes + no) * chance * (1 - chance), x) + np.diag(PENALTY) + 1e-9 * np.eye(4)
        step = np.linalg.solve(bent, slope)
        found = found + step * min(1.0, 2.0 / max(np.abs(step).max(), 1e-300))
    return found


def _balanced(width, odds):
    """The log odds moved so that both classes weigh the same: by bisection, row by row."""
    low, high = -odds.max(-1) - 1e-9, -odds.min(-1) + 1e-9
    for _ in range(60):
        middle = (low + high) / 2
        above = np.einsum("j,ij->i", width, expit(odds + middle[:, None])) > 0.5
        low, high = np.where(above, low, middle), np.where(above, middle, high)
    return odds + ((low + high) / 2)[:, None]


def _table(positive, negative):
    return RankingTable.of(np.arange(positive.shape[-1], 0.0, -1.0), positive, negative)


def tilts(known: Family) -> np.ndarray:
    """Where samples are drawn: by how far the area is from that of the fit, in its standard errors on the logit scale."""
    from ..measures.ranking import roc_auc
    from .delong import hanley_mcneil_variance

    area = roc_auc(known.populations(TILTS))
    fit = float(np.clip(np.interp(1.0, TILTS, area), 0.5, 1 - 0.1 / known.positives / known.negatives))
    error = np.sqrt(hanley_mcneil_variance(fit, known.positives, known.negatives)) / (fit * (1 - fit))
    wanted = np.interp(expit(logit(fit) + ERRORS * min(error, 1.0)), np.maximum.accumulate(area), TILTS)
    return np.unique(wanted)


def samples(known: Family, tilt: np.ndarray, seed: Any, design: str) -> RankingTable:
    """As large samples of each member: axes tilt, replicate."""
    random = np.random.default_rng(seed)
    shares, size = known.shares(tilt), round(known.positives + known.negatives)
    shape = (len(tilt), REPLICATES)
    if design == "cohort":
        positives = random.binomial(size, known.positives / (known.positives + known.negatives), shape)
    else:
        positives = np.full(shape, round(known.positives))
    if known.tied or size > MOST_IN_ORDER:
        drawn = (random.multinomial(of, share[:, None]) for of, share in zip((positives, size - positives), shares, strict=True))
        return _table(*(part.astype(float) for part in drawn))
    return _in_order(random, known, shares, positives, size)


def _in_order(random, known, shares, positives, size):
    """Case by case: ranks from the inverse distribution functions, sorted, the class in the last bit."""
    positive = np.arange(size) < positives[..., None]
    row = np.arange(len(positives))[:, None, None] * 1.0
    edges = np.append(0.0, np.cumsum(known.width))
    edges /= edges[-1]
    of = [np.concatenate([np.zeros((len(row), 1)), np.cumsum(share, -1)], -1) for share in shares]
    of = [np.minimum(one / one[:, -1:], 1 - 1e-15) + row[:, :, 0] for one in of]
    place = np.tile(edges, len(row))
    drawn = random.random(positive.shape) + row
    rank = np.where(positive, *(np.interp(drawn, one.ravel(), place) for one in of))
    key = (rank.view(np.int64) & ~1) | positive
    key.sort(axis=-1)
    positive = (key & 1).astype(float)
    return _table(positive, 1 - positive)
