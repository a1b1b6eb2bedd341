"""Sums over the rows of a ranking table, collected in one pass over its blocks, and sums of powers."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from inspect import signature
from math import comb, isqrt
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

import numpy as np

from .. import kernels
from ..input import validate
from ..input.weighting import effective
from ..kernels import CurveSums
from .counts import Counts
from .value import cached

if TYPE_CHECKING:
    pass  # GONE
    from .ranking import RankingTable


# Sums of powers of a value over cases, by class: its mean and the variance of the mean follow from them
# --------------------------------------------------------------------------------------------------

ORDER = 4  # the highest power: the variance of a variance needs it
POWERS = np.arange(ORDER + 1)
WEIGHT, SPREAD, FOURTH, CASES = range(4)  # by what the powers are multiplied
Array = np.ndarray
BINOMIAL = np.array([[comb(power, lower) for lower in POWERS] for power in POWERS])
STEPS = np.maximum(np.subtract.outer(POWERS, POWERS), 0)  # the powers that they are times


@dataclass(frozen=True, eq=False)
class PowerSums:
    """Sums over cases of powers 0 to 4 of a value less the mean of the class; those of parts of cases merge.

    centre : shape (classes,)
        What is subtracted in each class.
    sums : shape (4, classes, 5)
        The powers of (value - centre) / unit times the weight w of an entry; times the sum s of the squared
        weights of its cases, as in a variance; times s^3 / w^2, as in the variance of that; times w^2 / s,
        their number. All four are the same where weights are numbers of cases.
    unit : float
        So large that no power overflows; in `Entries.sums_of` a power of two, so that nothing is rounded.
    """

    centre: Array
    sums: Array
    unit: float

    @property
    def total(self) -> float:
        """The weighted sum of the value over all cases."""
        of_class = self.sums[WEIGHT, :, 0] * self.centre + self.unit * self.sums[WEIGHT, :, 1]
        return float(of_class.sum())

    def linear(self, factor: Array | float, centre: Array) -> PowerSums:
        """The sums of factor * (value - old centre) + new centre; the factor may be one for each class."""
        largest = float(np.abs(factor).max()) or 1.0
        powers = np.power(np.reshape(factor / largest, (-1, 1)), POWERS)
        return PowerSums(centre, self.sums * powers, self.unit * largest)

    def weighted(self, factor: Array | float, times: float = 1.0) -> PowerSums:
        """The sums of `times` as many cases, with every weight times a factor, perhaps one of each class."""
        factors = times * np.power(factor, [[1], [2], [4], [0]])
        return PowerSums(self.centre, self.sums * factors[..., None], self.unit)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PowerSums) and all(
            map(np.array_equal, vars(self).values(), vars(other).values())
        )

    def about(self, centre: Array) -> PowerSums:
        """The sums of the powers of the value less another centre of each class."""
        with np.errstate(over="ignore", invalid="ignore"):
            step = self.centre - centre
            unit = max(self.unit, kernels.power_of_two(step))
            powers = np.power((step / unit)[:, None], POWERS)
            sums = self.sums * (self.unit / unit) ** POWERS
            return PowerSums(centre, np.einsum("kpl,wkl->wkp", BINOMIAL * powers[:, STEPS], sums), unit)


def merged(parts: Sequence[PowerSums]) -> PowerSums:
    """The sums over the cases of all parts."""
    if len(parts) == 1:
        return parts[0]
    units, centres = np.array([one.unit for one in parts]), np.stack([one.centre for one in parts])
    sums, unit = np.stack([one.sums for one in parts], 1), float(units.max())
    shape, weight = sums.shape, sums[WEIGHT, :, :, 0]
    with np.errstate(over="ignore", invalid="ignore"):
        total, first = weight.sum(0), (centres * weight).sum(0)
        centre = np.divide(first, total, out=np.zeros_like(total), where=total > 0)
        # of a class without cases in a part, whose centre is 0, nothing is moved
        near = np.where(weight > 0, centres, centre).ravel()
        scaled = sums * np.power((units / unit)[:, None, None], POWERS)
        moved = PowerSums(near, scaled.reshape(len(sums), -1, ORDER + 1), unit).about(
            np.tile(centre, len(parts))
        )
        return PowerSums(centre, moved.sums.reshape(shape).sum(1), moved.unit)


@dataclass(frozen=True, eq=False)
class Entries:
    """Entries of cases that share a value, in the order of their classes.

    order: that sorts them; present: the classes that occur; starts: the first entry of each; weights: one row
    where weights are numbers of cases, else the four of `PowerSums`.
    """

    order: Array
    present: Array
    starts: Array
    weights: Array
    classes: int

    @classmethod
    def of(cls, weight: Array, squares: Array | None, of_class: Array, classes: int) -> Entries:
        """of_class: whole numbers from 0, or booleans."""
        kind = bool if of_class.dtype == bool else np.min_scalar_type(max(classes - 1, 0))
        order = np.argsort(of_class.astype(kind), kind="stable")  # short ones are sorted without comparisons
        ordered = of_class[order]
        starts = kernels.starts_of_runs(ordered)
        present = ordered[starts].astype(np.int64)
        w = np.asarray(weight, float)[order]
        if squares is None:
            return cls(order, present, starts, w[None], classes)
        s = np.asarray(squares, float)[order]
        unit = np.divide(s, w, out=np.zeros_like(w), where=w > 0)
        return cls(order, present, starts, np.stack([w, s, s * np.square(unit), effective(w, s)]), classes)

    def sums_of(self, values: Array) -> PowerSums:
        """The sums of the powers of a value of each entry."""
        shape = len(self.weights), self.classes, ORDER + 1
        centre, sums, unit = np.zeros(self.classes), np.zeros(shape), 1.0
        if len(self.order):
            mean, unit, found = kernels.powers(values[self.order], self.weights, self.starts)
            centre[self.present], sums[:, self.present] = mean, found
        return PowerSums(centre, np.broadcast_to(sums, (4, *shape[1:])), unit)


# Sums over the rows of a ranking table: all that are asked for are collected in one pass over its blocks
# --------------------------------------------------------------------------------------------------
#
# A sum says what it takes of a block and how the parts of the blocks merge. What several sums need of a block
# is computed once. Blocks are read by several threads; where they begin does not depend on the threads, and
# so neither does the result.

ROWS = 1 << 15  # of a block, at least


class Sum(Hashable, Protocol):
    """What is collected of the rows of a table without replicates, and the name under which it is kept."""

    def part(self, block: Block) -> Any:
        """What a block adds."""

    def merged(self, table: RankingTable, parts: list[Any]) -> Any:
        """The result, from the parts of all blocks, in their order."""


class Block:
    """Consecutive rows of a ranking table.

    rows: which; above: the positives and the negatives with higher scores; prepared: what sums compute of the
    table before the pass.
    """

    def __init__(
        self, table: RankingTable, rows: slice, above: tuple[float, float], prepared: dict[Sum, Any]
    ):
        self.table, self.rows, self.above, self.prepared = table, rows, above, prepared

    @cached
    def given(self) -> OutcomeProbabilities:
        """The predicted probabilities of the actual classes."""
        return self.table.given.part(self.rows)

    @cached
    def positive(self) -> np.ndarray:
        return self.table.positive[self.rows].astype(np.float64)

    @cached
    def negative(self) -> np.ndarray:
        return self.table.negative[self.rows].astype(np.float64)

    @cached
    def probability(self) -> np.ndarray:
        return self.table.probability[self.rows]

    @cached
    def tp(self) -> np.ndarray:
        """The true positives at each score."""
        return self._running(self.positive, 0)

    @cached
    def fp(self) -> np.ndarray:
        """The false positives at each score."""
        return self._running(self.negative, 1)

    @property
    def curve(self) -> tuple[np.ndarray, np.ndarray]:
        """The true and the false positives above the first score, then at each."""
        return np.append(self.above[0], self.tp), np.append(self.above[1], self.fp)

    @cached
    def curve_sums(self) -> CurveSums:
        """What the block adds to the sums along the curves."""
        part, totals = self.table.part(self.rows), (float(self.table.positives), float(self.table.negatives))
        return kernels.curve_sums(part.positive, part.negative, part.squares, self.above, totals)

    def _running(self, weight: np.ndarray, number: int) -> np.ndarray:
        """Sums in the order of the rows."""
        sums = weight.copy()
        sums[:1] += self.above[number]
        return np.add.accumulate(sums, out=sums)

    @property
    def squares(self) -> tuple[np.ndarray, ...]:
        """The squared weights of the positives and of the negatives; none of numbers of cases."""
        return tuple(one[self.rows] for one in self.table.squares or ())


def collect(table: RankingTable, wanted: Iterable[Sum]) -> None:
    """Keeps these sums with the table, those that are not kept yet, in one pass."""
    new = [one for one in dict.fromkeys(wanted) if one not in table.kept]
    if not new:
        return
    prepared = {one: one.prepare(table) for one in new if hasattr(one, "prepare")}
    step = rows_of_blocks(len(table))
    starts = range(0, max(len(table), 1), step)
    above = [one.tolist() for one in table.above_blocks] if len(starts) > 1 else [[0.0], [0.0]]

    def parts_of(i: int) -> list[Any]:
        rows = slice(starts[i], min(starts[i] + step, len(table)))
        block = Block(table, rows, (above[0][i], above[1][i]), prepared)
        return [one.part(block) for one in new]

    first = parts_of(0)  # before the others, so that what the table caches is computed once
    parts = [first, *kernels.each(lambda i: parts_of(i + 1), len(starts) - 1)]
    merged = ((one, list(of_one)) for one, of_one in zip(new, zip(*parts, strict=True), strict=True))
    table.kept.update({one: one.merged(table, of_one) for one, of_one in merged})


def collected(table: RankingTable, one: Sum) -> Any:
    """A sum, from what is kept or in a pass of its own."""
    result = table.kept.get(one)
    if result is None:
        collect(table, (one,))
        result = table.kept[one]
    return result


def has_blocks(table: RankingTable) -> bool:
    """Whether a table without replicates has more rows than the smallest block."""
    return table.positive.ndim == 1 and len(table) > ROWS


def rows_of_blocks(rows: int) -> int:
    """The number of rows of a block of a table with so many.

    It grows with the square root, so that there are enough blocks for many threads, which rarely wait for the
    interpreter's lock: 2^15 up to half a million rows, 2^18 of ten million.
    """
    return ROWS * max(1, isqrt(rows // (4 * ROWS)))


# The rows of a ranking table in their order: pairs, overlap, groups, hulls, and logits
# --------------------------------------------------------------------------------------------------
#
# Sums of smooth functions of the logit, as logistic regression needs them at each of its steps, are taken
# over the points: per interval of `WIDTH` the weights of `POINTS` Chebyshev nodes that give the sums of all
# polynomials up to that degree. Source: Trefethen (2013), Approximation Theory and Approximation Practice,
# theorem 8.2: for the logistic function with a slope up to `STEEPEST` the relative error is below 1e-14.


class Pairs(NamedTuple):
    """The weight of the pairs of a positive and a negative, by which scores higher."""

    concordant: float
    discordant: float
    tied: float


def pairs_of(positive: np.ndarray, negative: np.ndarray, positives: float, negatives: float) -> Pairs:
    """Exact for whole weights of fewer than 2^62 pairs. positives, negatives: the sums of the weights."""
    if 2.0 * positives * negatives >= 2.0**63:
        positive, negative = positive.astype(float), negative.astype(float)
    right, wrong = kernels.concordance(positive, negative), kernels.concordance(negative, positive)
    tied = (positive * negative).sum().item()
    half: Callable[[Any], Any] = (
        (lambda twice: twice // 2) if isinstance(tied, int) else (lambda twice: twice / 2)
    )
    return Pairs(half(right - tied), half(wrong - tied), tied)


@dataclass(frozen=True)
class PairSums:
    """The weights of the pairs in the right order, in the wrong order and tied, of a single table."""

    def part(self, block: Block) -> tuple[float, float, float]:
        sums = block.curve_sums
        return sums.concordant, sums.discordant, sums.tied

    def merged(self, table: RankingTable, parts: list[tuple[float, float, float]]) -> Any:
        return np.add.reduce(parts)


PAIRS = PairSums()


def overlap_of(positive: np.ndarray, negative: np.ndarray) -> Any:
    """1 where the ranges of the scores of both classes overlap, else 0; one per replicate."""
    if not positive.shape[-1]:
        return _plain(np.zeros(positive.shape[:-1]))
    if positive.ndim == 1:
        ends = [ends_of(weight) for weight in (positive, negative)]
        return float(all(ends) and ends[0][1] > ends[1][0] and ends[1][1] > ends[0][0])
    sums = (np.cumsum(part, axis=-1) for part in (positive, negative))
    of_rows = [
        (np.argmax(part > 0, -1), np.argmax(part == part[..., -1:], -1), part[..., -1] > 0) for part in sums
    ]
    (first, last, some), (other_first, other_last, others) = of_rows
    return _plain(((last > other_first) & (other_last > first) & some & others).astype(float))


def ends_of(weight: np.ndarray) -> tuple[int, ...]:
    """The first and the last row with a case; nothing without cases."""
    first, last = _first(weight), _first(weight[::-1])
    return () if first is None or last is None else (first, len(weight) - 1 - last)


def _first(weight: np.ndarray) -> int | None:
    for some in kernels.blocks(len(weight)):
        place = int((weight[some] > 0).argmax())
        if weight[some][place] > 0:
            return int(some.start) + place
    return None


def split(by_class: tuple[np.ndarray, np.ndarray], above: int) -> Counts:
    """The four counts if the `above` highest scores are predicted positive."""
    tp, fn, fp, tn = (float(part.sum()) for weight in by_class for part in (weight[:above], weight[above:]))
    return Counts.of(tp, fp, fn, tn)


def _plain(value: Any) -> Any:
    return value if np.ndim(value) else float(value)


def starts_of_groups(positive: np.ndarray, negative: np.ndarray, fineness: float) -> np.ndarray:
    """The first rows of groups, each with about the square root of the cases of a class further out."""
    return kernels.distinct(np.concatenate([_starts(weight, fineness) for weight in (positive, negative)]))


def _starts(weight: np.ndarray, fineness: float) -> np.ndarray:
    """The rows at which the square root of the weight from the nearer end passes a multiple of 1 / (2 f)."""
    above = above_blocks(weight)
    total = float(above[-1])
    ends = np.square(np.arange(1, int(2 * fineness * np.sqrt(total)) + 1) / (2 * fineness))
    ends = ends[ends <= total / 2]
    top = _rows_to(weight, above, ends, "left")
    middle, *bottom = _rows_to(weight, above, np.append(total / 2, (total - ends)[::-1]), "right")
    rows = np.concatenate([[0], top[top < middle], [middle], bottom]).astype(np.int64)
    return rows[rows < len(weight)]


def above_blocks(weight: np.ndarray) -> np.ndarray:
    """The weight above each block of rows, and the whole weight."""
    of_blocks = kernels.stretches(
        lambda rows: weight[rows].sum(dtype=np.float64), len(weight), rows_of_blocks(len(weight))
    )
    return np.append(0.0, np.add.accumulate(np.array(of_blocks, np.float64)))


def running(weight: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
    """The weight down to each row, that of the row included."""
    above, result = above_blocks(weight), np.empty(len(weight)) if out is None else out

    def of_block(rows: slice) -> None:
        np.add.accumulate(weight[rows], dtype=np.float64, out=result[rows])
        result[rows] += above[rows.start // rows_of_blocks(len(weight))]

    kernels.stretches(of_block, len(weight), rows_of_blocks(len(weight)))
    return result


def _rows_to(
    weight: np.ndarray, above: np.ndarray, sums: np.ndarray, side: Literal["left", "right"]
) -> np.ndarray:
    """The number of rows down to each of the ascending sums of the weight, as np.searchsorted gives it."""
    rows, block = np.full(len(sums), len(weight)), np.searchsorted(above[1:], sums, side)
    firsts = np.searchsorted(block, np.arange(len(above)))

    def of_block(those: slice) -> None:
        i = those.start // rows_of_blocks(len(weight))
        some = slice(firsts[i], firsts[i + 1])
        if some.start < some.stop:
            down_to = above[i] + np.add.accumulate(weight[those], dtype=np.float64)
            rows[some] = those.start + np.searchsorted(down_to, sums[some], side)

    kernels.stretches(of_block, len(weight), rows_of_blocks(len(weight)))
    return rows


FEWEST_STEPS = 8  # that NumPy adds in parallel


def padded(corner: np.ndarray, many: np.ndarray) -> np.ndarray:
    """The corners alone, of the indices of corners and their number along the last axis.

    A row has one entry more than a power of two, so that sums over the steps have the same digits with any
    other rows: the last corner is repeated.
    """
    steps = max(FEWEST_STEPS, 1 << int(many.max(initial=2) - 2).bit_length())
    place = np.minimum(np.arange(1 + steps), many[..., None] - 1)
    return np.take_along_axis(corner, place, -1)


def at_places(counts: Counts, place: np.ndarray) -> Counts:
    """The counts at these indices along the last axis; at the last threshold all are predicted positive."""
    tp, fp = (np.take_along_axis(part, place, -1) for part in (counts.tp, counts.fp))
    return Counts.of(tp, fp, tp[..., -1:] - tp, fp[..., -1:] - fp)


class Corners(NamedTuple):
    """The corners of the convex hull of a ROC curve: indices in the sweep, true and false positives there."""

    place: np.ndarray
    tp: np.ndarray
    fp: np.ndarray

    @property
    def counts(self) -> Counts:
        """The counts there; the last corner is repeated as by `padded`."""
        at = padded(np.arange(len(self.place)), np.asarray(len(self.place)))
        tp, fp = self.tp[at], self.fp[at]
        return Counts.of(tp, fp, tp[-1] - tp, fp[-1] - fp)


@dataclass(frozen=True)
class HullSums:
    """The corners of the hull, which lie among those of all parts: the blocks of isotonic regression."""

    def part(self, block: Block) -> Corners:
        tp, fp = block.curve
        return _corners(np.arange(block.rows.start, block.rows.start + len(tp)), tp, fp)

    def merged(self, table: RankingTable, parts: list[Corners]) -> Corners:
        if len(parts) == 1:
            return parts[0]
        # a block begins where the one before ends
        all_of = (np.concatenate([of[0][:1], *(one[1:] for one in of)]) for of in zip(*parts, strict=True))
        return _corners(*all_of)


HULL = HullSums()


def _corners(place: np.ndarray, tp: np.ndarray, fp: np.ndarray) -> Corners:
    """Those of these points, with the first and the last of them."""
    corner, many = kernels.corners(tp, fp)
    at = corner[: int(many)]
    if at[-1] < len(tp) - 1:
        at = np.append(at, len(tp) - 1)
    return Corners(place[at], tp[at], fp[at])


WIDTH, POINTS = 0.125, kernels.DEGREES
STEEPEST = 4.0


class FiniteLogits(NamedTuple):
    """Logits, the weight of both classes at each, and the sums of squared case weights.

    Weights of points may be negative; their sums are those of the cases.
    """

    x: np.ndarray
    positive: np.ndarray
    negative: np.ndarray
    squares: tuple[np.ndarray, np.ndarray]

    @property
    def total(self) -> np.ndarray:
        """The weight of both classes."""
        return self.positive + self.negative


def finite_logits(t: RankingTable) -> FiniteLogits:
    """Those of every score. Leading axes of the weights are kept."""
    there, parts = t.has_finite_logit, (t.positive, t.negative, *t.squared)
    weights = [np.asarray(part[..., there], float) for part in parts]
    return FiniteLogits(t.logit[there], weights[0], weights[1], (weights[2], weights[3]))


def points_of(t: RankingTable) -> FiniteLogits | None:
    """The points of a large table; None of a small one, or where there would be nearly as many points."""
    if not has_blocks(t):
        return None
    return collected(t, LOGITS)


@dataclass(frozen=True)
class LogitSums:
    """The weights at the points, from the sums of the weights times each polynomial in each interval."""

    def part(self, block: Block) -> tuple[np.ndarray, np.ndarray]:
        """The intervals with cases, (intervals,), and the sums there, (intervals, parts, degrees)."""
        t, there = block.table, block.table.has_finite_logit
        first, last = max(block.rows.start, there.start), min(block.rows.stop, there.stop)
        weights = (t.positive, t.negative) if t.squares is None else (t.positive, t.negative, *t.squared)
        if first >= last:
            return np.empty(0), np.empty((0, len(weights), POINTS))
        rows = slice(first, last)
        return _of_rows(t.part(rows).logit, [one[rows] for one in weights])

    def merged(self, table: RankingTable, parts: list[tuple[np.ndarray, np.ndarray]]) -> FiniteLogits | None:
        numbers, sums = (np.concatenate(of_all) for of_all in zip(*parts, strict=True))
        first = kernels.starts_of_runs(numbers)
        return _points(table, numbers[first], np.add.reduceat(sums, first, axis=0) if len(first) else sums)


LOGITS = LogitSums()


def _points(t: RankingTable, first: np.ndarray, sums: np.ndarray) -> FiniteLogits | None:
    if not len(first) or 2 * sums[:, 0].size * POINTS > len(t):
        return None
    degree, node = np.arange(POINTS), np.cos(np.pi * (np.arange(POINTS) + 0.5) / POINTS)
    share = np.cos(degree[:, None] * np.arccos(node)) * np.where(degree, 2.0, 1.0)[:, None] / POINTS
    x = ((first + 0.5)[:, None] + node / 2) * WIDTH
    weights = [np.einsum("ik,km->im", one, share).ravel() for one in np.moveaxis(sums, 1, 0)]
    positive, negative = weights[:2]
    squares = (positive, negative) if t.squares is None else (weights[2], weights[3])
    return FiniteLogits(x.ravel(), positive, negative, squares)


def _of_rows(logit: np.ndarray, parts: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    number = np.floor(logit / WIDTH)
    starts = kernels.starts_of_runs(number)
    weights = np.stack([part.astype(np.float64) for part in parts])
    return number[starts], kernels.polynomials(2 * (logit / WIDTH - number) - 1, weights, starts)


# The predicted probabilities of the actual classes, and the losses of cases that depend on them
# --------------------------------------------------------------------------------------------------

Loss = Callable[["OutcomeProbabilities"], Any]


class OutcomeProbabilities:
    """The predicted probability of the actual class: p for positives, 1 - p for negatives.

    p: float64, one entry per score and class, of a single table only where that class has cases; weight: of
    the cases there, along the last axis. prior: the proportion of positives, one per replicate; `at_prior`
    replaces it.
    """

    def __init__(self, table: Any, prior: Any = None):
        self.table, self._prior = table, prior
        self.depends_on_prior = False  # whether anything asked for the proportion of positives so far
        self._varying: dict[LossSums, bool] = {}  # by the loss whether it depends on the proportion
        self._last_log: tuple[float | None, np.ndarray] | None = None

    def sum(self, function: Callable[[OutcomeProbabilities], Any]) -> float:
        """The weighted sum of a function of each entry, of a single table."""
        parts = [*self._parts()]
        sums = kernels.each(lambda i: kernels.dot(parts[i].weight, function(parts[i])), len(parts))
        return float(np.add.reduce(sums))

    def mean(self, function: Callable[[OutcomeProbabilities], Any]) -> float:
        """The weighted mean of a function of each entry, of a single table; NaN without cases."""
        total = float(self.table.total)
        kept = self.table.kept  # nothing of a table that is measured once
        known = kept.get(sums_of_loss(function)) if kept and self._prior is None else None
        return (self.sum(function) if known is None else known[0]) / total if total else np.nan

    def mean_at(self, loss: Loss, prior: float) -> float:
        """The weighted mean of a loss that depends on the proportion of positives, at this proportion."""
        total: float = collected(self.table, sums_of_loss(loss, prior))[0]
        return total / float(self.table.total)

    def sums_of(self, loss: Loss) -> PowerSums:
        """The sums of the powers of a loss, of a single table; negatives are class 0."""
        return collected(self.table, sums_of_loss(loss))[1]

    def varies_with_prior(self, loss: Loss) -> bool:
        """Whether a loss depends on the proportion of positives."""
        key = sums_of_loss(loss)
        if key not in self._varying:
            first = next(self._parts()).at_prior(self._share)
            loss(first)
            self._varying[key] = first.depends_on_prior
        return self._varying[key]

    @cached
    def by_class(self) -> Entries:
        """The entries in the order of their classes."""
        return Entries.of(self.weight, self.squares, self.positive, 2)

    def _parts(self) -> Iterator[OutcomeProbabilities]:
        """The entries of blocks of rows, of a single table."""
        rows = len(self.table)
        step = rows_of_blocks(rows)
        return (self.part(slice(start, start + step)) for start in range(0, max(rows, 1), step))

    def part(self, rows: slice) -> OutcomeProbabilities:
        """The entries of a block of rows, which stay in the cache; of a small table all."""
        return type(self)(self.table.part(rows), self._share) if has_blocks(self.table) else self

    @cached
    def _occurs(self) -> np.ndarray:
        """Whether there are cases of each score and class; all of them for replicates."""
        t = self.table
        return t.positive.ndim > 1 or both_classes(t.positive > 0, t.negative > 0)

    @cached
    def _entries(self) -> tuple[np.ndarray, np.ndarray]:
        t = self.table
        if t.positive.ndim > 1:
            p, weight = both_classes(t.probability, 1 - t.probability), both_classes(t.positive, t.negative)
        else:
            inside = not len(t) or (t.score[0] <= 1 and t.score[-1] >= 0)
            p, weight = kernels.given_to_truth(t.score if inside else t.probability, t.positive, t.negative)
        return validate.frozen(p), validate.frozen(weight)

    @property
    def p(self) -> np.ndarray:
        return self._entries[0]

    @property
    def weight(self) -> np.ndarray:
        """The weight of the cases of each entry."""
        return self._entries[1]

    @cached
    def positive(self) -> np.ndarray:
        """Whether each entry is one of positives."""
        t, rows = self.table, len(self.table)
        if t.positive.ndim == 1 and ((t.positive > 0) != (t.negative > 0)).all():  # an entry for each score
            return t.positive > 0
        return self._there(np.ones(rows, bool), np.zeros(rows, bool))

    @cached
    def squares(self) -> np.ndarray | None:
        """The sum of squared case weights of each entry; None where that is the weight itself."""
        return None if self.table.squares is None else self._there(*self.table.squares)

    @cached
    def of_positive(self) -> np.ndarray:
        """The predicted probability of being positive; of negatives not rounded to 1 - (1 - p)."""
        probability = self.table.probability
        return self._there(probability, probability)

    @cached
    def margin(self) -> np.ndarray:
        """The score, negated for negatives: the distance of a case from 0 on the right side."""
        score = self.table.score.astype(np.float64)
        return self._there(score, 0.0 - score)

    @property
    def _share(self) -> Any:
        return self.table.prior if self._prior is None else self._prior

    @property
    def prior(self) -> Any:
        """The proportion of positives, of replicates one row each."""
        self.depends_on_prior = True
        return self._share[..., None] if np.ndim(self._share) else self._share

    def at_prior(self, prior: float) -> OutcomeProbabilities:
        """The same with another proportion of positives; cached values do not depend on it."""
        new = type(self)(self.table, prior)
        new.__dict__.update({name: self.__dict__[name] for name in CACHED if name in self.__dict__})
        return new

    def log(self, clip: float | None = None) -> np.ndarray:
        """The natural logarithm of p, with p at least `clip`, by default the precision of the scores.

        The last one of a single table is kept, since several losses of a block use it.
        """
        if self.table.positive.ndim > 1:
            return self._log(clip)
        last = self._last_log
        if last is None or last[0] != clip:
            last = self._last_log = clip, validate.frozen(self._log(clip))
        return last[1]

    def _log(self, clip: float | None) -> np.ndarray:
        with np.errstate(divide="ignore"):
            logs: np.ndarray = np.log(np.maximum(self.p, self.table.epsilon if clip is None else clip))
        return logs

    def _there(self, of_positives: np.ndarray, of_negatives: np.ndarray) -> np.ndarray:
        """The entries with cases, of the values of both classes at each score."""
        entries = both_classes(of_positives, of_negatives)
        return entries if self._occurs is True else entries[self._occurs]


CACHED = [name for name, one in vars(OutcomeProbabilities).items() if isinstance(one, cached)]


@dataclass(frozen=True)
class LossSums:
    """The sum of a loss over all cases, and the sums of its powers by class.

    function, parameters: of the loss; prior: the proportion of positives on which it depends, None
    for that of the table.
    """

    function: Callable[..., Any]
    parameters: tuple[tuple[str, Any], ...]
    prior: float | None
    loss: Loss = field(compare=False)

    def part(self, block: Block) -> tuple[float, PowerSums]:
        given = block.given
        values = self.loss(given if self.prior is None else given.at_prior(self.prior))
        return kernels.dot(given.weight, values), given.by_class.sums_of(values)

    def merged(self, table: Any, parts: list[tuple[float, PowerSums]]) -> tuple[float, PowerSums]:
        totals, sums = zip(*parts, strict=True)
        return float(np.add.reduce(totals)), merged(sums)


def sums_of_loss(loss: Loss, prior: float | None = None) -> LossSums:
    """The sums, which are the same for the same function with the same parameters."""
    function, given = (loss.func, loss.keywords) if isinstance(loss, partial) else (loss, {})
    return LossSums(function, tuple(sorted((_defaults(function) | given).items())), prior, loss)


@lru_cache(maxsize=64)
def _defaults(function: Loss) -> dict[str, Any]:
    """The parameters of a loss that have a default."""
    every = signature(function).parameters.values()
    return {one.name: one.default for one in every if one.default is not one.empty}


def both_classes(positive: np.ndarray, negative: np.ndarray) -> np.ndarray:
    """The values of positives and of negatives, interleaved score by score."""
    found = np.empty((*positive.shape, 2), np.result_type(positive, negative))
    found[..., 0], found[..., 1] = positive, negative
    return found.reshape(*positive.shape[:-1], 2 * positive.shape[-1])


def squared_error(given: OutcomeProbabilities) -> Any:
    """(1 - p)^2."""
    return np.square(1 - given.p)


def absolute_error(given: OutcomeProbabilities) -> Any:
    """1 - p."""
    return 1 - given.p


def predicted(given: OutcomeProbabilities) -> Any:
    """The predicted probability of being positive."""
    return given.of_positive


def log_error(given: OutcomeProbabilities, base: float = np.e, clip: float | None = None) -> Any:
    """-log p, with p no smaller than `clip`, by default the precision of the scores."""
    return -given.log(clip) / np.log(base)


def balanced_log_error(
    given: OutcomeProbabilities, alpha: float | None = None, base: float = np.e, clip: float | None = None
) -> Any:
    """-log p, times alpha for positives and 1 - alpha for negatives."""
    return _times(
        _of_classes(given, 1 - given.prior if alpha is None else alpha), log_error(given, base, clip)
    )


def focal_error(
    given: OutcomeProbabilities,
    gamma: float = 2.0,
    alpha: float | None = None,
    base: float = np.e,
    clip: float | None = None,
) -> Any:
    """-(1 - p)^gamma log p."""
    charges = np.power(1 - given.p, gamma) * log_error(given, base, clip)
    return charges if alpha is None else _times(_of_classes(given, alpha), charges)


def _times(factor: Any, charges: Any) -> Any:
    """The product, and 0 where the factor is 0 and the loss infinite."""
    return np.where(factor > 0, factor, 0.0) * np.where(factor > 0, charges, 0.0)


def _of_classes(given: OutcomeProbabilities, alpha: Any) -> Any:
    return np.where(given.positive, alpha, 1 - alpha)


def information(given: OutcomeProbabilities, base: float = np.e, prior: float | None = None) -> Any:
    """log(p / prior of the class) where p is above the prior, else log((1 - prior) / (1 - p))."""
    return information_of(given.p, _of_classes(given, given.prior if prior is None else prior), base)


def information_of(p: Any, own: Any, base: float) -> Any:
    """The same of the probability p of a class whose proportion is `own`."""
    with np.errstate(divide="ignore", invalid="ignore"):
        gained = np.log(np.maximum(p, own) / own)
        lost = np.log((1 - own) / (1 - np.minimum(p, own)))
    return (gained + lost) / np.log(base)


def spherical_reward(given: OutcomeProbabilities) -> Any:
    """p / sqrt(p^2 + (1 - p)^2)."""
    return given.p / np.sqrt(np.square(given.p) + np.square(1 - given.p))


def share_of_probability(given: OutcomeProbabilities) -> Any:
    """The contribution of a case to the difference of the mean probabilities of the two classes."""
    p = np.where(given.positive, given.p, given.p - 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return p / _of_classes(given, given.prior)


def hinge(given: OutcomeProbabilities) -> Any:
    """max(0, 1 - margin)."""
    return np.maximum(0.0, 1 - given.margin)


def missing_information(given: OutcomeProbabilities) -> Any:
    """log2(1 + exp(-margin)) / 2, over the share of the actual class, so that both classes count equally."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.logaddexp(0.0, -given.margin) / (2 * np.log(2) * _of_classes(given, given.prior))


def entropy(prior: Any) -> Any:
    """The entropy of two classes, in nats."""
    shares = np.stack([prior, 1 - np.asarray(prior)])
    terms = -shares * np.log(shares, where=shares > 0, out=np.zeros_like(shares, float))
    return terms[0] + terms[1]
