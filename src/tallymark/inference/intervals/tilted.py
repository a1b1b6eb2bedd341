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

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ...input.weighting import effective
from ...measures.families.ranking import roc_auc
from ...measures.registry import ratio
from ...summaries import RankingTable
from ...summaries.logits import logit, sigmoid
from .controls import Controls
from .delong import hanley_mcneil_variance
from .scale import normal_quantiles

CELLS = 300  # of balanced ranks, where scores are not tied
# width of the outermost cell, in cases, and the ratio of the next ones
FINEST, GROWTH, MOST_STEPS = 0.1, 1.15, 200
MOST_IN_ORDER = 300  # cases, up to which these are drawn one by one, without ties
REPLICATES = 70  # samples of each member
EDGES = np.array([0.05, 0.15, 0.3, 0.5, 0.7, 0.85, 0.95])  # balanced ranks, between which cases are counted
# cases of a class that are drawn one by one into cells; by numbers of 16 bits
MOST_CASE_BY_CASE, SLOTS = 1_000, 1 << 16
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
        return _table(*(weight * share for weight, share in zip(self.weights, shares, strict=True)))

    def at_shares(self, tilt: float, prior: np.ndarray) -> RankingTable:
        """One member with other proportions of positives: one row for each of these."""
        positive, negative = self.shares(np.array([tilt]))
        total = sum(self.weights)
        return _table(total * prior[:, None] * positive, total * (1 - prior[:, None]) * negative)


def sizes(table: RankingTable) -> tuple[float, float]:
    """The effective numbers of positives and negatives in a table."""
    return float(table.effective_positives), float(table.effective_negatives)


def family(table: RankingTable) -> Family:
    """The family through a table of two classes."""
    positive, negative = (np.asarray(part, float) for part in (table.positive, table.negative))
    share = (positive / positive.sum() + negative / negative.sum()) / 2
    edges = _ends(share)
    tied = _tied(table)
    wide = (tied > JITTER) & (share > 1 / CELLS)
    cells = _cells(edges, wide, min(sizes(table)))
    middle = (cells[1:] + cells[:-1]) / 2
    at = np.minimum(np.searchsorted(edges, middle) - 1, len(share) - 1)
    polynomial = _polynomial(middle)
    odds = _odds(positive, negative, edges, polynomial, np.where(wide, tied, 0.0)[at], at)
    weights = float(table.positives), float(table.negatives)
    return Family(np.diff(cells), odds, polynomial[:, 1], weights, sizes(table), bool(wide.any()))


def _odds(
    positive: np.ndarray,
    negative: np.ndarray,
    edges: np.ndarray,
    polynomial: np.ndarray,
    further: np.ndarray,
    at: np.ndarray,
) -> np.ndarray:
    """The log odds of the fit where both classes have the same weight; a score with many cases keeps its own.

    further: the number of cases beyond one at the score of each row of the polynomial; at: this score.
    """
    fitted = sigmoid(polynomial @ _fit(*_points(edges, positive, negative)))
    own = (positive / positive.sum() / 2 / np.maximum(np.diff(edges), ROUNDING))[at]
    odds = logit((further * own + TIED * fitted) / (further + TIED))
    found: np.ndarray = np.clip(odds, -STEEPEST, STEEPEST)
    return found


def rates(table: RankingTable) -> np.ndarray:
    """The proportion of positives at each score, by the smooth fit."""
    positive, negative = (np.asarray(part, float) for part in (table.positive, table.negative))
    edges = _ends((positive / positive.sum() + negative / negative.sum()) / 2)
    tied = np.where(np.diff(edges) > 1 / CELLS, _tied(table), 0.0)
    polynomial = _polynomial((edges[1:] + edges[:-1]) / 2)
    odds = _odds(positive, negative, edges, polynomial, tied, np.arange(len(table)))
    found: np.ndarray = sigmoid(odds + logit(np.float64(table.prior)))
    return found


def _tied(table: RankingTable) -> np.ndarray:
    """The effective number of cases at each score beyond one."""
    weight = np.asarray(table.positive + table.negative, float)
    cases = weight if table.squares is None else effective(weight, sum(table.squared))
    found: np.ndarray = np.maximum(cases - 1, 0.0)
    return found


def _ends(share: np.ndarray) -> np.ndarray:
    edges = np.append(0.0, np.cumsum(share))
    found: np.ndarray = edges / edges[-1]
    return found


def _cells(edges: np.ndarray, wide: np.ndarray, smaller: float) -> np.ndarray:
    """The edges of the cells: fine outside; a score with many ties is a cell of its own."""
    outer = np.cumsum(np.minimum(FINEST / smaller * GROWTH ** np.arange(MOST_STEPS), 1 / CELLS))
    outer = np.append(outer, np.arange(outer[-1] + 1 / CELLS, 0.5, 1 / CELLS))
    outer = outer[outer < 0.5]
    free = np.concatenate([outer, [0.5], 1 - outer])
    inside = wide[np.clip(np.searchsorted(edges, free) - 1, 0, len(wide) - 1)]
    found = np.unique(np.concatenate([[0.0], free[~inside], edges[:-1][wide], edges[1:][wide]]))
    return np.append(found[:-1][(np.diff(found) > ROUNDING) & (found[:-1] < 1 - ROUNDING)], 1.0)


def _points(edges: np.ndarray, positive: np.ndarray, negative: np.ndarray) -> tuple[np.ndarray, ...]:
    """Ranks, and the weight of both classes there; neighbouring scores are merged where there are many."""
    middle = (edges[1:] + edges[:-1]) / 2
    first = np.flatnonzero(np.diff(np.floor(middle * POINTS), prepend=-1.0))
    last = np.append(first[1:], len(middle)) - 1
    return (edges[first] + edges[last + 1]) / 2, *(
        np.add.reduceat(weight, first) for weight in (positive, negative)
    )


def _polynomial(u: np.ndarray) -> np.ndarray:
    """Hermite polynomials in the normal quantile, which increases with the score."""
    z = -normal_quantiles(np.clip(u, ROUNDING, 1 - ROUNDING))
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


def _table(positive: np.ndarray, negative: np.ndarray) -> RankingTable:
    return RankingTable.of(np.arange(positive.shape[-1], 0.0, -1.0), positive, negative)


def tilts(known: Family) -> np.ndarray:
    """The ascending tilts of the members: no discrimination, the fit, those around it, and both ends."""
    area = np.maximum.accumulate(roc_auc(known.populations(known.shares(TILTS))))
    least = 0.1 / known.sizes[0] / known.sizes[1]
    fit = float(np.clip(np.interp(known.side, TILTS, area), least, 1 - least))
    error = np.sqrt(hanley_mcneil_variance(fit, *known.sizes)) / (fit * (1 - fit))
    around = np.interp(sigmoid(logit(fit) + ERRORS * min(error, LARGEST_ERROR)), area, TILTS)
    return np.unique(np.concatenate([around, [TILTS[0], 0.0, known.side, TILTS[-1]]]))


class Samples(NamedTuple):
    """Of each member as many positives and negatives: axes member, replicate; and their controls."""

    table: RankingTable
    controls: Controls


def samples(known: Family, shares: tuple[np.ndarray, np.ndarray], seed: int) -> Samples:
    """The samples of members with these shares in the cells."""
    random = np.random.default_rng(seed)
    cases = [max(round(size), 1) for size in known.sizes]
    first, second = (share / share.sum(-1, keepdims=True) for share in shares)
    factors = [weight / size for weight, size in zip(known.weights, cases, strict=True)]
    group = np.searchsorted(EDGES, np.cumsum(known.width) - known.width / 2)
    groups = np.empty((2, len(first), REPLICATES, len(EDGES) + 1))
    draw = _in_cells if known.tied or sum(cases) > MOST_IN_ORDER else _in_order
    drawn = draw(random, (first, second), cases, group, groups)
    expected = _by_group(first, group), _by_group(second, group)
    table = _table(
        *(np.multiply(part, factor, out=part) for part, factor in zip(drawn, factors, strict=True))
    )
    return Samples(table, Controls(groups, expected))


def _by_group(cells: np.ndarray, group: np.ndarray) -> np.ndarray:
    """The sums over the cells of each group, along the last axis."""
    member = np.equal(group[:, None], np.arange(len(EDGES) + 1)).astype(float)
    found: np.ndarray = cells @ member
    return found


def _in_cells(
    random: np.random.Generator,
    shares: Sequence[np.ndarray],
    cases: Sequence[int],
    group: np.ndarray,
    groups: np.ndarray,
) -> list[np.ndarray]:
    """The samples, one member at a time, which needs half the memory."""
    found = []
    for share, size, counts in zip(shares, cases, groups, strict=True):
        drawn = np.empty((len(share), REPLICATES, share.shape[-1]))
        draw = _case_by_case if size <= MOST_CASE_BY_CASE else _cell_by_cell
        for each, part, held in zip(share, drawn, counts, strict=True):
            part[:] = draw(random, each, size)
            held[:] = _by_group(part, group)
        found.append(drawn)
    return found


def _cell_by_cell(random: np.random.Generator, share: np.ndarray, size: int) -> np.ndarray:
    return random.multinomial(size, share, REPLICATES)


def _case_by_case(random: np.random.Generator, share: np.ndarray, size: int) -> np.ndarray:
    """The same for fewer cases."""
    return counted(cells_of_cases(random, share, size), len(share))


def counted(place: np.ndarray, places: int) -> np.ndarray:
    """How many of each row are at each place."""
    found = place + np.arange(len(place))[:, None] * places
    return np.bincount(found.ravel(), minlength=len(place) * places).reshape(len(place), places)


def cells_of_cases(
    random: np.random.Generator, share: np.ndarray, size: int, replicates: int = REPLICATES
) -> np.ndarray:
    """The cell of each case, from a table of slots for the random number: axes replicate, case.

    Where a slot has several cells, from the position in the slot.
    """
    edges = np.cumsum(share)[:-1] * SLOTS
    meeting = np.minimum(edges.astype(np.int64), SLOTS - 1)
    few = np.int16 if len(share) < SLOTS // 2 else np.int64  # of 128 KB, which needs no fresh pages
    cells = np.repeat(np.arange(len(share), dtype=few), np.diff(meeting + 1, prepend=0, append=SLOTS))
    cells[meeting] = -1
    slot = random.integers(0, SLOTS, replicates * size, np.uint16)
    found: np.ndarray = cells[slot]
    unclear = np.flatnonzero(found < 0)
    found[unclear] = np.searchsorted(edges, slot[unclear] + random.random(len(unclear)), side="right")
    return found.reshape(replicates, size)


def _in_order(
    random: np.random.Generator,
    shares: Sequence[np.ndarray],
    cases: Sequence[int],
    group: np.ndarray,
    groups: np.ndarray,
) -> list[np.ndarray]:
    """The cases, sorted by the cell and at random within it, with the class in the last bit."""
    key = np.empty((len(shares[0]), REPLICATES, sum(cases)), np.int64)
    for i, one in enumerate(key):
        parts = np.split(one, cases[:1], axis=-1)
        for is_positive, part, share, size, held in zip((1, 0), parts, shares, cases, groups, strict=True):
            cell = cells_of_cases(random, share[i], size)
            held[i] = counted(group[cell], held.shape[-1])
            place = 1 + cell + random.random(part.shape)
            part[:] = (place.view(np.int64) & ~1) | is_positive
    key.sort(axis=-1)
    positive = (key & 1).astype(float)
    return [positive, 1 - positive]
