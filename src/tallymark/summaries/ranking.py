"""The ranking table: the counts at all thresholds together, as in Figure 2 of Berrar."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from .. import kernels
from ..input import columns, validate, weighting
from ..input.calls import constructor, public
from ..input.labels import BinaryLabels, Coded, not_swapped, read_labels
from ..input.options import WeightKind
from ..input.two_columns import score_of
from .by_score import Pairs, above_blocks, backwards, pairs_of, starts_of_groups
from .cached import cached
from .probabilities_of_tables import Probabilities
from .rows import SCORE_TYPES as SCORE_TYPES
from .rows import checked, compact
from .squares import EffectiveSizes, Squares, at_each_score, needed, row_sum
from .sweeps import Sweeps
from .top_label import of_answers, of_two_sides
from .value import Value

HALF = 0.5
IN_PART = 1 << 9  # groups that a thread sums at once
Arrays = tuple[np.ndarray, np.ndarray, np.ndarray]  # scores, and the weights of positives and of negatives


@constructor
class RankingTable(Sweeps, Probabilities, EffectiveSizes, Value):
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

    said_of_it = "A RankingTable is"
    ENTRIES = ("score", "positive", "negative")
    ENDS = (0.0, 1.0)  # of the scores that may be probabilities

    def __init__(self, score: Any, positive: Any, negative: Any, squares: Any = None):
        self._set(*checked(score, positive, negative, squares))

    def _set(
        self, score: np.ndarray, positive: np.ndarray, negative: np.ndarray, squares: Squares | None
    ) -> None:
        for array in (score, positive, negative, *(squares or ())):
            array.setflags(write=False)
        self.__dict__.update(score=score, positive=positive, negative=negative, squares=squares)

    score: np.ndarray
    positive: np.ndarray
    negative: np.ndarray
    squares: Squares | None

    @classmethod
    def of(
        cls, score: np.ndarray, positive: np.ndarray, negative: np.ndarray, squares: Squares | None = None
    ) -> RankingTable:
        """A table of valid arrays, as for the class, that nothing else uses: they are made read-only."""
        new = object.__new__(cls)
        new._set(score, positive, negative, squares)
        return new

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
        ranked = kernels.rank(codes, numbers, weights, positive)
        if ranked is None:
            validate.no_gaps(score)
            labels.refuse(truth, score=score)
        *arrays, negative = ranked
        if weights is not None:
            squares = at_each_score(codes, numbers, weights, positive) if needed(weight, weights) else None
            arrays = compact(arrays, squares, weighting.are_counts(weight))
        table = cls.of(*arrays)
        if weights is None:
            table.__dict__["total"] = len(numbers)
        labels.learn(truth, negative, bool(table.positives))
        return table

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
        """The probability of the predicted class as scores; right answers are positives."""
        held = self.probability.astype(self.score.dtype)
        if self.positive.ndim == 1:
            return of_two_sides(self, held, HALF, lambda p: 1 - p)
        yes = held >= HALF
        right, wrong = (
            np.where(yes, self.positive, self.negative),
            np.where(yes, self.negative, self.positive),
        )
        squares = self.squares and Squares(
            *(np.where(yes, *order) for order in (self.squares, self.squares[::-1]))
        )
        return of_answers(RankingTable, np.where(yes, held, 1 - held), right, wrong, squares)

    @property
    def pairs(self) -> Pairs:
        """The pairs of a positive and a negative, exact for whole weights of fewer than 2^62 pairs."""
        return pairs_of(self.positive, self.negative, self.positives, self.negatives)

    def turned(self) -> RankingTable:
        """The same cases with their scores negated: the lowest becomes the highest."""
        squares = self.squares and self.squares.each(backwards)
        return self.of(0.0 - self.score[::-1], backwards(self.positive), backwards(self.negative), squares)

    def thinned(self, fineness: float = 1.0) -> RankingTable:
        """The table with neighbouring scores joined, for approximations that are repeated many times.

        Per class a group has about the square root of the number of cases further out, which is the standard
        error of a rank there: fine at both ends, coarse in the middle. Each keeps its highest score.
        """
        if fineness not in self._thinned:
            self._thinned[fineness] = self.grouped(starts_of_groups(self.positive, self.negative, fineness))
        found: RankingTable = self._thinned[fineness]
        return found

    @cached
    def above_blocks(self) -> tuple[np.ndarray, np.ndarray]:
        """The weight of the positives, and of the negatives, above each block of rows, and the whole."""
        return above_blocks(self.positive), above_blocks(self.negative)

    @cached
    def _thinned(self) -> dict[float, RankingTable]:
        return {}

    def grouped(self, first: np.ndarray) -> RankingTable:
        """The table with scores joined, from each of these rows to the next; a group has its first score."""
        held = partial(np.add.reduceat, indices=first, axis=-1)
        positive, negative = (self._in_groups(one, first) for one in (self.positive, self.negative))
        return self.of(self.score[first], positive, negative, self.squares and self.squares.each(held))

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
            squares = Squares(*kernels.merge(*(one._squares_as(scores) for one in tables))[1:])
        score, positive, negative = kernels.merge(*(one._as(scores, weights) for one in tables))
        return first.of(score, positive, negative, squares)

    def __add__(self, other: RankingTable) -> RankingTable:
        if not isinstance(other, RankingTable):
            return self if isinstance(other, int) and other == 0 else NotImplemented  # sum() starts at 0
        return self.joined((self, other))

    __radd__ = __add__

    def _as(self, score_type: np.dtype[Any], weight_type: np.dtype[Any]) -> Arrays:
        positive, negative = (part.astype(weight_type, copy=False) for part in (self.positive, self.negative))
        return self.score.astype(score_type, copy=False), positive, negative

    def _squares_as(self, score_type: np.dtype[Any]) -> Arrays:
        held = self.squares or Squares(self.positive, self.negative)
        positive, negative = held.each(lambda part: part.astype(np.float64, copy=False))
        return self.score.astype(score_type, copy=False), positive, negative

    def __mul__(self, factor: float) -> RankingTable:
        """Every weight times a number above 0; the effective number of weighted cases is unchanged."""
        factor = float(factor)
        squares = self.squares.each(lambda part: part * factor**2) if self.squares and self.weighted else None
        return self.of(self.score, self.positive * factor, self.negative * factor, squares)

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return False
        same = all(map(np.array_equal, self._arrays()[:3], other._arrays()[:3]))
        return same and (
            not (self.weighted or other.weighted) or all(map(np.array_equal, self.squared, other.squared))
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return (
            f"{type(self).__name__}({len(self)} scores, {self.positives:,.10g} positives,"
            f" {self.negatives:,.10g} negatives)"
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._arrays()

    @property
    def _columns(self) -> dict[str, Any]:
        """One row per distinct score."""
        return {"score": self.score, "positive": self.positive, "negative": self.negative}

    def to_dict(self) -> dict[str, Any]:
        """Lists and the type of the scores; infinite scores as the text "inf" or "-inf"."""
        score = [value if np.isfinite(value) else str(value) for value in self.score.tolist()]
        weights = {"positive": self.positive.tolist(), "negative": self.negative.tolist()}
        squares = {"squares": [part.tolist() for part in self.squares]} if self.squares else {}
        return {"score": score, **weights, **squares, "score_type": self.score.dtype.name, **self._kind}

    @classmethod
    def from_dict(cls, table: dict[str, Any]) -> RankingTable:
        """Make the summary from the result of `to_dict`."""
        cls._check_kind(table)
        kind = validate.choice(table["score_type"], SCORE_TYPES, "score_type")
        score = np.array([float(value) for value in table["score"]], kind)
        return cls(score, table["positive"], table["negative"], table.get("squares"))

    def _arrays(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, Squares | None]:
        return self.score, self.positive, self.negative, self.squares
