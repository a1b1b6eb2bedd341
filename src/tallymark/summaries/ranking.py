"""The ranking table: the counts at all thresholds together, as in Figure 2 of Berrar."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, ClassVar, NamedTuple

import numpy as np

from .. import kernels
from ..input import columns, score_columns, validate, weighting
from ..input.arguments import WeightKind
from ..input.calls import constructor, public
from ..input.labels import BinaryLabels, Coded, not_swapped, read_labels
from ..input.messages import Note
from ..input.score_columns import score_of
from ..input.weighting import effective
from .counts import Counts, squared
from .passes import (
    HULL,
    Corners,
    OutcomeProbabilities,
    Pairs,
    above_blocks,
    at_places,
    collected,
    overlap_of,
    padded,
    pairs_of,
    split,
    starts_of_groups,
)
from .value import Value, both, cached, in_lists, scores_of

ALIKE = 1e-9  # relative rounding error of equal weights


class Squares(NamedTuple):
    """The sums of squared weights of the positives and of the negatives at each score, on the last axis."""

    positive: np.ndarray
    negative: np.ndarray

    def each(self, change: Callable[[np.ndarray], np.ndarray]) -> Squares:
        """Both arrays, changed by a function."""
        return Squares(change(self.positive), change(self.negative))


def checked_squares(values: Any, shape: tuple[int, ...], role: str) -> np.ndarray:
    """The values as an array of this shape. Raises InputError where they are not sums of squares."""
    array = np.array(validate.cell(validate.plain_array(values, role), role), np.float64)
    if array.shape != shape:
        raise validate.InputError(
            "wrong-shape",
            role,
            f"{array.shape} and {shape} differ in shape",
            "give one sum of squared weights per weight",
        )
    return array


def row_sum(weight: np.ndarray) -> Any:
    """The sum along the last axis, a Python number for a single table."""
    if weight.ndim > 1:
        return np.add.reduce(weight, axis=-1)
    return np.add.reduce(kernels.stretches(lambda rows: np.add.reduce(weight[rows]), len(weight))).item()


def compact(arrays: tuple[Any, ...], squares: Squares | None, counts: bool) -> tuple[Any, ...]:
    """Without the scores at which every weight is 0.

    counts: whether whole weights are held as integers, so that a weight of 2 is the row twice.
    """
    score, positive, negative = arrays
    there = (positive > 0) | (negative > 0)
    if not there.all():
        score, positive, negative = (part[there] for part in arrays)
        squares = squares and squares.each(lambda part: part[there])
    return score, *(_whole(positive, negative) if counts else (positive, negative)), squares


def _whole(positive: np.ndarray, negative: np.ndarray) -> tuple[np.ndarray, ...]:
    both = positive, negative
    if all(weighting.are_whole(weight) and weight.sum() <= validate.WHOLE_BELOW for weight in both):
        return tuple(weight.astype(np.int64) for weight in both)
    return both


def between(values: np.ndarray, low: float, high: float) -> slice:
    """The rows of descending values that lie above `low` and below `high`."""
    ascending = values[::-1]
    ends = np.searchsorted(ascending, high, "left"), np.searchsorted(ascending, low, "right")
    return slice(*(len(values) - int(end) for end in ends))


Answers = tuple[np.ndarray, np.ndarray, np.ndarray]  # scores, and the weights of right and of wrong answers


def of_answers(
    kind: type[RankingTable],
    confidence: np.ndarray,
    right: np.ndarray,
    wrong: np.ndarray,
    squares: Squares | None = None,
) -> RankingTable:
    """The table of answers in any order, with leading axes for replicates.

    right, wrong: their weights, which become positives and negatives; squares: of both.
    """
    if squares is None and right.ndim == 1 and (table := _ranked(confidence, right, wrong)):
        return kind.of(*table)
    order = np.argsort(confidence)[::-1]
    score = confidence[order]
    new = kernels.starts_of_runs(score)

    def held(weight: np.ndarray) -> np.ndarray:
        return np.add.reduceat(weight[..., order], new, axis=-1)

    return kind.of(score[new], held(right), held(wrong), squares and squares.each(held))


def _ranked(confidence: np.ndarray, right: np.ndarray, wrong: np.ndarray) -> Answers | None:
    """The arrays of the table by the kernel, which is faster; None where a weight is not 1."""
    hit = right == 1
    if not len(hit) or not ((right == hit).all() and (wrong == ~hit).all()):
        return None
    found = kernels.rank(hit, confidence, 1)
    return found and (found[0], found[1].astype(np.float64), found[2].astype(np.float64))


def _of_class(
    kind: type[RankingTable],
    there: np.ndarray,
    score: np.ndarray,
    weight: np.ndarray,
    squares: np.ndarray | None,
    positive: bool,
) -> RankingTable:
    """The table of the cases of one class, which are positives or negatives, with weights."""
    rows = np.flatnonzero(there)
    rows = rows[np.argsort(score[rows])[::-1]]
    ordered = score[rows]
    first = kernels.starts_of_runs(ordered)

    def by_class(each: np.ndarray) -> Squares:
        held, none = np.add.reduceat(each[rows], first), np.zeros(len(first))
        return Squares(held, none) if positive else Squares(none, held)

    weights, squared = both(by_class, weight, squares)
    return kind.of(ordered[first], *weights, squared)


def of_two_sides(table: RankingTable, score: np.ndarray) -> RankingTable:
    """The table of answers of a table without replicates, by merging both sides of the middle.

    score: descending; from the middle on the positive class is predicted.
    """
    middle = table.MIDDLE
    rows = len(score) - int(np.searchsorted(score[::-1], middle, side="left"))
    squares = table.squares

    def part(rows: slice, score: np.ndarray, order: int) -> RankingTable:
        weights = (table.positive, table.negative)[::order]
        held = squares and Squares(*squares[::order]).each(lambda one: one[rows][::order].copy())
        right, wrong = (one[rows][::order].copy() for one in weights)
        return distinct(table.of(score[::order].copy(), right, wrong, held))

    above, below = slice(0, rows), slice(rows, len(score))
    return part(above, score[above], 1) + part(below, 2 * middle - score[below], -1)


def distinct(table: RankingTable) -> RankingTable:
    """The table with equal scores, which are neighbours, joined."""
    new = kernels.starts_of_runs(table.score)
    return table if len(new) == len(table) else table.grouped(new)


def _typed(score_type: Any, weight_type: Any, table: RankingTable, weights: Iterable[np.ndarray]) -> Any:
    """The scores of a table and weights of both classes, in these types."""
    return table.score.astype(score_type, copy=False), *(w.astype(weight_type, copy=False) for w in weights)


def _swept(by_class: tuple[np.ndarray, np.ndarray]) -> Counts:
    """The counts at every threshold, of the weights of both classes at each score."""
    if by_class[0].ndim > 1:
        (tp, fn), (fp, tn) = map(kernels.sweep, by_class)
        return Counts.of(tp, fp, fn, tn)
    tp, fp = np.zeros((2, len(by_class[0]) + 1))
    for weight, above in zip(by_class, (tp, fp), strict=True):
        np.add.accumulate(weight, dtype=np.float64, out=above[1:])
    # by subtraction from the last sum, so that no difference is negative
    return Counts.of(tp, fp, tp[-1] - tp, fp[-1] - fp)


HALF = 0.5
IN_PART = 1 << 9  # groups that a thread sums at once


class ScoreTable(Value):
    """The weights of the positives and of the negatives in each row, of one score or of a range."""

    CELLS = ("positive", "negative")
    ROWS: ClassVar[str]  # what they are, in the plural

    positive: np.ndarray
    negative: np.ndarray
    squares: Squares | None

    @cached
    def positives(self) -> Any:
        """The weight of all positives."""
        return row_sum(self.positive)

    @cached
    def negatives(self) -> Any:
        """The weight of all negatives."""
        return row_sum(self.negative)

    @cached
    def total(self) -> Any:
        """The weight of all cases."""
        return self.positives + self.negatives

    @property
    def squared(self) -> Squares:
        """The sums of squared case weights at each score; the weights if they are numbers of cases."""
        return self.squares or Squares(self.positive, self.negative)

    def __repr__(self) -> str:
        cases = f"{self.positives:,.10g} positives, {self.negatives:,.10g} negatives"
        return f"{type(self).__name__}({len(getattr(self, self.ENTRIES[0]))} {self.ROWS}, {cases})"

    @property
    def _columns(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.ENTRIES}

    def to_dict(self) -> dict[str, Any]:
        """Lists and the type of the scores; infinite scores as the text "inf" or "-inf"."""
        columns = self._columns
        lists = {name: in_lists(values) for name, values in columns.items()}
        squares = {"squares": [part.tolist() for part in self.squares]} if self.squares else {}
        return {**lists, **squares, "score_type": columns[self.ENTRIES[0]].dtype.name, **self._kind}


@constructor
class RankingTable(ScoreTable):
    """The distinct scores, highest first, with the weight of the positives and of the negatives at each.

    Parameters
    ----------
    score : array of float16, float32 or float64, shape (n,)
        Strictly descending; thresholds and the edges of bins are rounded to its type.
    positive, negative : array, shape (n,)
        Weights >= 0: without squares numbers of cases, held as int64 where all are whole (so that areas are
        exact), else as float64. Where `of` makes the table they may have leading axes, one entry per
        replicate: a measure of such a table is an array.
    squares : pair of arrays, or None
        The sums of the squared weights of the cases, of the positives and of the negatives at each score:
        needed where weights are not numbers of cases.

    Raises
    ------
    InputError
        If the arrays are not valid.

    Notes
    -----
    The arrays are read-only. Adds with `+`: the sum is the table of all the cases together. Arrays of float64
    with squares hold importance weights; those without squares are numbers of cases. `squared` holds the sums
    for variances. Labels are not held: that the positive class of tables is the same one is for the caller to
    check before adding them.

    Examples
    --------
    >>> import tallymark as tm
    >>> table = tm.RankingTable.from_arrays(truth=[1, 0, 1, 0], score=[0.9, 0.8, 0.8, 0.1])
    >>> table.score.tolist(), table.positive.tolist(), table.negative.tolist()
    ([0.9, 0.8, 0.1], [1, 1, 0], [0, 1, 1])
    >>> tm.measures.roc_auc(table)
    0.875
    """

    ENTRIES = ("score", *ScoreTable.CELLS)
    FIELDS = (*ENTRIES, "squares")
    ROWS = "scores"
    ENDS, MIDDLE = (0.0, 1.0), 0.5  # the scores of which the probabilities are 0 and 1, and 1/2
    GIVEN = OutcomeProbabilities

    def __init__(self, score: Any, positive: Any, negative: Any, squares: Any = None):
        score = validate.scores(columns.read(score, "score")).copy()
        given = (("positive", positive), ("negative", negative))
        weights = [np.array(validate.cell(validate.plain_array(part, role), role)) for role, part in given]
        if any(weight.shape != score.shape for weight in weights):
            raise validate.InputError(
                "wrong-shape", "score, positive, negative", "one weight of each class is needed per score"
            )
        if not (score[1:] < score[:-1]).all() or np.isnan(score).any():
            raise validate.InputError(
                "invalid-value",
                "score",
                "the scores of a table are distinct and descend",
                "build one with RankingTable.from_arrays",
            )
        held = None if squares is None else Squares(*checked_squares(squares, (2, *score.shape), "squares"))
        if held is not None:
            weights = [weight.astype(np.float64) for weight in weights]
        elif all(map(weighting.are_whole, weights)):
            weighting.countable("positive, negative", float(sum(weight.sum() for weight in weights)))
        self._set(*compact((score, *weights), held, held is None))

    score: np.ndarray

    @classmethod
    def empty(cls) -> RankingTable:
        """No cases: adding it changes nothing."""
        return cls.of(np.empty(0, np.float32), np.empty(0, np.int64), np.empty(0, np.int64))

    @classmethod
    @public()
    def from_arrays(
        cls,
        *,
        truth: Any,
        score: Any,
        weight: Any = None,
        positive: Any = None,
        weight_kind: WeightKind | None = None,
        classes: Sequence[Any] | None = None,
    ) -> RankingTable:
        """Make a table of arrays, by one sort of the scores; a higher score means positive.

        Parameters
        ----------
        truth, weight : array, list or series
            The actual label and the weight, >= 0, of every case; weight may be None.
        score : array, list or series
            A number per case; or two columns, the probabilities of two classes, of which that of the positive
            one is taken.
        positive : label or None
            The positive label; 0/1, -1/1, false/true and no/yes are known without it.
        weight_kind : {"count", "importance"} or None
            "count", a case of weight 2 is two cases, or "importance", the default.
        classes : sequence of labels, or None
            Both labels, where one of them may have no cases, in the order of two columns of scores; by
            default the names of these, or the labels of truth, sorted.

        Raises
        ------
        InputError
            On NaN or missing values, labels that are not two classes, lengths that differ, and two columns
            that do not add up to 1.
        """
        labels = BinaryLabels(positive, classes)
        of_truth = read_labels(positive, classes, truth=truth)["truth"]
        of_score = score_of(of_truth, score, positive, classes)
        of_weight = columns.read_weights(weight, weight_kind)
        table = cls.from_columns(labels, of_truth, of_score, of_weight)
        if of_weight is not None:
            weighting.some_weight(table.total, of_weight)
        labels.judge(of_truth)
        return table

    @classmethod
    def from_columns(
        cls,
        labels: BinaryLabels,
        truth: columns.Column,
        score: columns.Column,
        weight: columns.Column | None = None,
    ) -> RankingTable:
        """One batch of cases.

        Parameters
        ----------
        labels : BinaryLabels
            Collects the labels of the cases, over all batches.
        truth, score, weight : Column
            The actual labels, the scores, and the weights, which may be None.
        """
        validate.same_length(truth, score, weight)
        not_swapped(truth, score)
        truth, score, weight = columns.that_count(weight, truth, score)
        return cls.from_coded(labels, labels.coded(truth), score, weight)

    @classmethod
    def from_coded(
        cls, labels: BinaryLabels, coded: Coded, score: columns.Column, weight: columns.Column | None = None
    ) -> RankingTable:
        """The table of cases with encoded labels and no weight 0, as for several models of the same cases."""
        truth, codes, positive = coded
        numbers, weights = validate.scores(score), weighting.weights(weight)
        if weight is None or weights is None:
            ranked = kernels.rank(codes, numbers, positive)
        else:
            ranked = (
                None if np.isnan(numbers).any() else kernels.tally(codes, codes, None, positive, positive)
            )
        if ranked is None:
            validate.no_gaps(score)
            labels.refuse(truth, score=score)
        if weight is None or weights is None:
            *arrays, negative = ranked
            table = cls.of(*arrays)
            table.__dict__["total"] = len(numbers)
        else:
            negative, squares = ranked[4], squared(weights, weight.weight_kind)
            classes = [
                partial(_of_class, cls, part, numbers + numbers.dtype.type(0), weights, squares, hits)
                for part, hits in ((codes == positive, True), (codes != positive, False))
            ]
            table = cls.joined(kernels.together(*classes, when=len(numbers) >= kernels.BLOCK))
            table = cls.of(*compact(table._fields()[:3], table.squares, weighting.are_counts(weight)))
        labels.learn(truth, negative, bool(table.positives))
        return table

    @property
    def range_of_scores(self) -> float:
        """Half the highest score minus half the lowest; 0 where one is infinite, or without cases."""
        ends = self.score[[0, -1]].astype(float) / 2 if len(self.score) else np.zeros(2)
        return float(ends[0] - ends[1]) if np.isfinite(ends).all() else 0.0

    @property
    def prior(self) -> Any:
        """The proportion of positives, one per replicate; NaN without cases."""
        with np.errstate(invalid="ignore"):
            return np.divide(self.positives, self.total) if np.ndim(self.total) or self.total else np.nan

    @cached
    def confidence(self) -> RankingTable:
        """The probability of the predicted class, or its logit, as scores; right answers are positives."""
        held = np.clip(self.score, *self.ENDS)
        if self.positive.ndim == 1:
            return of_two_sides(self, held)
        yes = held >= self.MIDDLE

        def both(one: np.ndarray, other: np.ndarray) -> Squares:
            return Squares(np.where(yes, one, other), np.where(yes, other, one))

        return of_answers(
            type(self), np.where(yes, held, 2 * self.MIDDLE - held), *both(self.positive, self.negative),
            self.squares and both(*self.squares),
        )  # fmt: skip

    @property
    def pairs(self) -> Pairs:
        """The pairs of a positive and a negative, exact for whole weights of fewer than 2^62 pairs."""
        return pairs_of(self.positive, self.negative, self.positives, self.negatives)

    def part(self, rows: slice) -> RankingTable:
        """The table of some rows."""
        return self._changed(lambda one: one[rows], score=self.score[rows])

    def turned(self) -> RankingTable:
        """The same cases with their scores negated: the lowest becomes the highest."""
        return self._changed(lambda weight: weight[..., ::-1].copy(), score=0.0 - self.score[::-1])

    def thinned(self, fineness: float = 1.0) -> RankingTable:
        """The table with neighbouring scores joined, for approximations that are repeated many times.

        Per class a group has about the square root of the number of cases further out, which is the standard
        error of a rank there: fine at both ends, coarse in the middle. Each keeps its highest score.
        """
        if fineness not in self._thinned:
            self._thinned[fineness] = self.grouped(starts_of_groups(self.positive, self.negative, fineness))
        return self._thinned[fineness]

    @cached
    def above_blocks(self) -> tuple[np.ndarray, np.ndarray]:
        """The weight of the positives, and of the negatives, above each block of rows, and the whole."""
        return above_blocks(self.positive), above_blocks(self.negative)

    @cached
    def _thinned(self) -> dict[float, RankingTable]:
        return {}

    def grouped(self, first: np.ndarray) -> RankingTable:
        """The table with scores joined, from each of these rows to the next; a group has its first score."""
        return self._changed(partial(self._in_groups, first=first), score=self.score[first])

    def _in_groups(self, weight: np.ndarray, first: np.ndarray) -> np.ndarray:
        """The sums of consecutive rows, each from one of these on."""
        ends = np.append(first, len(self)).tolist()

        def of_groups(some: slice) -> np.ndarray:
            rows = slice(ends[some.start], ends[some.stop])
            return np.add.reduceat(weight[rows], first[some] - rows.start)

        parts = [slice(at, min(at + IN_PART, len(first))) for at in range(0, len(first), IN_PART)]
        return np.concatenate(
            kernels.each(lambda i: of_groups(parts[i]), len(parts), len(self) > kernels.MANY)
        )

    @property
    def epsilon(self) -> float:
        """The relative precision of the scores: 2.2e-16, in single precision 1.2e-7, in half 9.8e-4."""
        return float(np.finfo(self.score.dtype).eps)

    def __len__(self) -> int:
        """The number of distinct scores."""
        return len(self.score)

    @classmethod
    def joined(cls, tables: Sequence[RankingTable]) -> RankingTable:
        """The table of all cases of several. Raises InputError where some hold logits and others do not."""
        first = tables[0]
        if any(type(one) is not type(first) for one in tables):
            raise validate.InputError(
                "mismatch", "score", "one table holds logits and the other does not", "make both in one way"
            )
        scores = np.result_type(*(one.score for one in tables))
        weights = np.result_type(*(one.positive for one in tables))
        if weights.kind != "f":
            weighting.countable("positive, negative", sum(one.total for one in tables))
        squares = None
        if any(one.squares is not None for one in tables):
            every = (_typed(scores, np.float64, one, one.squared) for one in tables)
            squares = Squares(*kernels.merge(*every)[1:])
        both = ((one, (one.positive, one.negative)) for one in tables)
        return first.of(*kernels.merge(*(_typed(scores, weights, *one) for one in both)), squares)

    @classmethod
    def from_dict(cls, table: dict[str, Any]) -> RankingTable:
        """Make the summary from the result of `to_dict`."""
        cls._check_kind(table)
        return cls(scores_of(table, "score"), table["positive"], table["negative"], table.get("squares"))

    @property
    def thresholds(self) -> np.ndarray:
        """The thresholds of `sweep`: infinity, then every score, descending. Shape (len + 1,)."""
        return np.concatenate([[np.inf], self.score]).astype(self.score.dtype)

    def sweep(self) -> Counts:
        """The counts at every threshold of `thresholds`, each cell an array, from none to all positive."""
        return self._sweep

    @cached
    def _sweep(self) -> Counts:
        return _swept((self.positive, self.negative))

    @cached
    def hull(self) -> Counts:
        """The convex hull of the ROC curve, with each point of the sweep moved to the corner before it."""
        return at_places(self._sweep, kernels.hull(self._sweep.tp, self._sweep.fp))

    @cached
    def corners(self) -> Counts:
        """The corners of the hull; the last one is repeated until all rows are of equal length."""
        if self.positive.ndim == 1:
            return self.ends_of_blocks.counts
        sweep = self._sweep
        return at_places(sweep, padded(*kernels.corners(sweep.tp, sweep.fp)))

    @property
    def ends_of_blocks(self) -> Corners:
        """The corners of a table without replicates: between two of them isotonic regression is constant."""
        return collected(self, HULL)

    @property
    def steps(self) -> int:
        """The number of thresholds between the highest and the lowest score."""
        return max(len(self.score) - 1, 0)

    @cached
    def twice_concordant(self) -> float:
        """Twice the pairs in the right order, a tie counting once, of a table without replicates."""
        return kernels.concordance(self.positive, self.negative)

    def sweep_with_squares(self) -> Counts:
        """The counts of `sweep`, with the sums of squared weights where they differ from the weights."""
        return self._sweep.with_squares(self.squares and _swept(self.squares))

    def counts_at(self, threshold: float | np.ndarray) -> Counts:
        """The counts where score >= threshold, rounded to the type of the scores, is predicted positive.

        threshold: a number, or an array, which gives arrays.
        """
        every = threshold if np.ndim(threshold) else validate.threshold(threshold)
        with np.errstate(over="ignore"):  # infinity for a threshold beyond float32
            limit = np.asarray(every).astype(self.score.dtype)
        above = len(self.score) - np.searchsorted(self.score[::-1], limit, side="left")
        if np.ndim(above):
            return self.sweep_with_squares()[above]
        counts, squares = both(partial(split, above=int(above)), (self.positive, self.negative), self.squares)
        return counts.with_squares(squares)

    @cached
    def in_unit_interval(self) -> bool:
        """Whether every score lies in [0, 1], but for rounding, so that it may be a probability."""
        if not len(self.score):
            return True
        low, high = float(self.score[-1]), float(self.score[0])
        return low >= self.ENDS[0] - score_columns.SLACK and high <= self.ENDS[1] + score_columns.SLACK

    @property
    def why_no_probabilities(self) -> Note:
        """Why the scores are not probabilities."""
        return Note("scores-range", low=float(self.score[-1]), high=float(self.score[0]))

    def check_probabilities(self, score: Any) -> None:
        """Raises InputError with the first score that is not a probability.

        score: the scores from which the table was made.
        """
        if not self.in_unit_interval:
            score_columns.check(columns.read(score, "score"))

    @cached
    def probability(self) -> np.ndarray:
        """The scores as probabilities of the positive class, float64, clipped to [0, 1]."""
        p = self.score
        inside = self.positive.ndim == 1 and len(self) and p[0] <= 1 and p[-1] >= 0
        return validate.frozen(
            p if inside and p.dtype == np.float64 else np.clip(p.astype(np.float64), 0.0, 1.0)
        )

    def as_probabilities(self) -> Any:
        """The table whose scores are the probabilities: this one, or for logits another one."""
        return self

    @cached
    def logit(self) -> np.ndarray:
        """log(p / (1 - p)) of every probability: infinite for 0 and 1."""
        return validate.frozen(logit(self.probability))

    @property
    def has_finite_logit(self) -> slice:
        """The rows with a probability above 0 and below 1, which are consecutive."""
        return between(self.score, *self.ENDS)

    @cached
    def given(self) -> OutcomeProbabilities:
        """The predicted probabilities of the actual classes."""
        return self.GIVEN(self)

    @property
    def logit_positives(self) -> Any:
        """The weight of the positives with a finite logit."""
        return row_sum(self.positive[..., self.has_finite_logit])

    @property
    def logit_negatives(self) -> Any:
        """The weight of the negatives with a finite logit."""
        return row_sum(self.negative[..., self.has_finite_logit])

    @property
    def expected_positives(self) -> Any:
        """The number of positives that the probabilities add up to."""
        return row_sum((self.positive + self.negative) * self.probability)

    @property
    def logit_overlap(self) -> Any:
        """1 where the finite logits of both classes overlap, so that a logistic regression exists, else 0."""
        there = self.has_finite_logit
        return overlap_of(self.positive[..., there], self.negative[..., there])

    @property
    def weighted(self) -> bool:
        """Whether weights are not numbers of cases."""
        return self.positive.dtype.kind == "f"

    def _effective(self, weight: Any, *squares: np.ndarray) -> Any:
        return weight if self.squares is None else effective(weight, sum(map(row_sum, squares)))

    @cached
    def effective_positives(self) -> Any:
        """The effective number of positives: (sum of weights)^2 / sum of squared weights."""
        return self._effective(self.positives, self.squared.positive)

    @cached
    def effective_negatives(self) -> Any:
        """The effective number of negatives."""
        return self._effective(self.negatives, self.squared.negative)

    @cached
    def effective_total(self) -> Any:
        """The effective number of cases."""
        return self._effective(self.total, *self.squared)

    @cached
    def as_cases(self) -> Any:
        """The table with weights scaled to add up to the effective number of cases.

        Equal weights become whole numbers of cases, so that the table is that of the cases without weights.
        """
        if self.effective_total == self.total:
            return self
        result = self._whole or self * (self.effective_total / self.total)
        result.__dict__["as_cases"] = result
        return result

    @property
    def _whole(self) -> Any:
        """The table with whole numbers of cases; None where weights differ."""
        if not self.equally_weighted:
            return None
        cases = [part * (self.effective_total / self.total) for part in (self.positive, self.negative)]
        whole = [np.rint(part) for part in cases]
        if not np.allclose(cases, whole, rtol=ALIKE, atol=0):
            return None
        return self.of(self.score, *(part.astype(np.int64) for part in whole))

    @property
    def equally_weighted(self) -> bool:
        """Whether every case has the same weight."""
        if self.squared.positive is self.positive:
            return True
        unit, parts = (
            self.total / self.effective_total,
            zip(self.squared, (self.positive, self.negative), strict=True),
        )
        return all(np.allclose(squares, unit * weight, rtol=ALIKE, atol=0) for squares, weight in parts)

    def with_class_sizes(self, positives: float, negatives: float) -> Any:
        """The table with the classes scaled to these total weights; a class without cases stays empty."""
        wanted, there = (
            (positives, negatives),
            (self.positive.sum(-1, keepdims=True), self.negative.sum(-1, keepdims=True)),
        )
        factors = [
            np.divide(size, held, out=np.zeros(held.shape), where=held > 0)
            for size, held in zip(wanted, there, strict=True)
        ]
        squares = self.squares and Squares(
            *(part * factor**2 for part, factor in zip(self.squares, factors, strict=True))
        )
        return self.of(self.score, self.positive * factors[0], self.negative * factors[1], squares)

    def in_effective_cases(self) -> Any:
        """The table with the weights of each class scaled to its effective number of cases."""
        if self.squares is None:
            return self
        return self.with_class_sizes(self.effective_positives, self.effective_negatives).without_squares()


class GivenLogits(OutcomeProbabilities):
    """The predicted probabilities of the actual classes, of logits."""

    @cached
    def _entries(self) -> tuple[np.ndarray, np.ndarray]:
        weight = self._there(self.table.positive, self.table.negative)
        return sigmoid(self.margin), weight.astype(np.float64)

    def _log(self, clip: float | None) -> np.ndarray:
        """-log(1 + exp(-margin)), at least log(clip) if clip is given."""
        logs: np.ndarray = -np.logaddexp(0.0, -self.margin)
        with np.errstate(divide="ignore"):
            return logs if clip is None else np.maximum(logs, np.log(clip))


def sigmoid(z: Any) -> Any:
    """1 / (1 + exp(-z)), without overflow; in NumPy, since loading SciPy takes longer than an evaluation."""
    small = np.exp(-np.abs(z))
    return np.where(np.less(z, 0), small, 1.0) / (1.0 + small)


def logit(p: Any) -> Any:
    """log(p / (1 - p)), without a division: infinite for 0 and 1."""
    with np.errstate(divide="ignore"):
        return np.log(p) - np.log1p(-np.asarray(p))


class LogitTable(RankingTable):
    """The distinct logits, highest first, with the weight of the positives and of the negatives at each.

    Parameters
    ----------
    score : array of float32 or float64, shape (n,)
        The logits z = log(p / (1 - p)), strictly descending.
    positive, negative, squares
        As for `RankingTable`.

    Notes
    -----
    A `RankingTable`: ranking measures and curves use z, and probabilistic measures p = 1 / (1 + exp(-z)).
    Nothing overflows or is clipped: the logarithm of p is computed from z.
    """

    SCORE_KIND = "logit"
    ENDS, MIDDLE = (-np.inf, np.inf), 0.0
    GIVEN = GivenLogits

    @cached
    def probability(self) -> np.ndarray:
        """1 / (1 + exp(-z))."""
        return validate.frozen(sigmoid(self.logit))

    @cached
    def logit(self) -> np.ndarray:
        """The scores, float64."""
        return validate.frozen(self.score.astype(np.float64, copy=False))

    def as_probabilities(self) -> RankingTable:
        """The table of p; logits with the same rounded p become one score."""
        p = self.probability
        new = kernels.starts_of_runs(p)
        same = self.grouped(new)
        return RankingTable.of(p[new], same.positive, same.negative, same.squares)


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
