"""The four counts at one threshold or, with arrays in the cells, at many."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .. import kernels
from ..input import columns, validate, weighting
from ..input.arguments import WeightKind
from ..input.calls import constructor, public
from ..input.labels import (
    BinaryLabels,
    NotAnAnswer,
    distinct,
    in_words_of_truth,
    kind_of,
    never_positive,
    read_labels,
    same_words,
    with_actual,
)
from ..input.score_columns import labels_met, score_of
from .value import Value


def squared(weights: np.ndarray | None, weight_kind: WeightKind | None) -> np.ndarray | None:
    """The squares of weights; None where they are not needed: weights that are counts, or all 1."""
    if weights is None or weight_kind == "count" or (weights == 1).all():
        return None
    return np.square(weights)


def of_labels(
    weight_kind: WeightKind | None, weight: columns.Column | None, *labels: columns.Column
) -> WeightKind | None:
    """The kind of the weights of labels: as passed, else "count" for the whole weights of a table's cells."""
    if weight_kind is not None or weight is None or weight.weight_kind is not None:
        return weight_kind or (None if weight is None else weight.weight_kind)
    whole = weighting.are_whole(np.asarray(weighting.weights(weight)))
    return "count" if whole and weighting.distinct_cells(labels) else None


Cell = Any  # a float, or a float64 array
FEW_ENTRIES = 4  # that the short form lists
NAMES = ("tp", "fp", "fn", "tn")


@constructor
@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Counts(Value):
    """The weight of the true positives, false positives, false negatives and true negatives.

    Parameters
    ----------
    tp, fp, fn, tn : float or array of float
        Numbers >= 0, or arrays of them, all of one shape: one entry per threshold, class, group or replicate,
        so that a formula applies to all of them. Held as floats: whole numbers are exact up to 2**53, and
        no product overflows.
    squares : Counts or None
        The sums of the squared weights of the cases, from which variances are computed. None where every case
        has weight 1, or weights are numbers of cases.

    Raises
    ------
    InputError
        For cells that are negative, NaN or infinite, or whose shapes do not fit together.

    Notes
    -----
    Adds with `+`.

    Examples
    --------
    >>> import tallymark as tm
    >>> counts = tm.Counts(tp=40, fp=5, fn=10, tn=45)
    >>> counts.positives, counts.total
    (50.0, 100.0)
    >>> tm.measures.sensitivity(counts)
    0.8
    >>> counts + tm.Counts(tp=1, fp=0, fn=0, tn=0) == tm.Counts(tp=41, fp=5, fn=10, tn=45)
    True
    """

    FORM = "evaluations.counts"

    ENTRIES = CELLS = NAMES
    FIELDS = (*NAMES, "squares")

    tp: Cell
    fp: Cell
    fn: Cell
    tn: Cell
    squares: Counts | None = None

    def __post_init__(self) -> None:
        for name, value in zip(NAMES, validate.cells(self.tp, self.fp, self.fn, self.tn), strict=True):
            object.__setattr__(self, name, value)
        self._countable()
        squares = validate.of_type(self.squares, (Counts, type(None)), "squares")
        if squares is not None and np.shape(squares.tp) != np.shape(self.tp):
            raise validate.InputError(
                "wrong-shape",
                "squares",
                f"cells of shape {np.shape(squares.tp)} for counts of shape {np.shape(self.tp)}",
                "give one for each",
            )

    @classmethod
    def of(cls, *cells: Cell, squares: Counts | None = None) -> Counts:
        """Make counts of cells that are known to be valid, without checks.

        Parameters
        ----------
        *cells : float, or array of float64
            Those of the class, in its order. Arrays are of one shape.
        squares : Counts or None
            As for the class; or behind the cells.
        """
        for cell in cells:
            if type(cell) is np.ndarray:
                cell.setflags(write=False)
        tp, fp, fn, tn, *more = cells
        new = object.__new__(cls)
        new.__dict__.update(tp=tp, fp=fp, fn=fn, tn=tn, squares=more[0] if more else squares)
        return new

    @classmethod
    def zero(cls) -> Counts:
        """No cases: adding it changes nothing."""
        return cls.of(0.0, 0.0, 0.0, 0.0)

    @classmethod
    @public()
    def from_arrays(
        cls,
        *,
        truth: Any,
        predicted: Any = None,
        score: Any = None,
        threshold: float | None = None,
        weight: Any = None,
        positive: Any = None,
        weight_kind: WeightKind | None = None,
        predicted_positive: Any = None,
        not_an_answer: Sequence[Any] | None = None,
        classes: Sequence[Any] | None = None,
    ) -> Counts:
        """Count actual against predicted labels, or against scores at a threshold.

        Parameters
        ----------
        truth : array, list or series
            The actual label of every case.
        predicted : array, list or series, or None
            The predicted label of every case. Either this or the score is given.
        score : array, list or series, or None
            A number per case, or two columns, as for a `RankingTable`.
        threshold : float or None
            With a score: cases with score >= threshold are predicted positive.
        weight : array, list or series, or None
            The weight of each case, >= 0.
        positive : label or None
            The positive label; 0/1, -1/1, false/true and no/yes are known without it.
        weight_kind : {"count", "importance"} or None
            "count", a case of weight 2 is two cases, or "importance", weights of sampling or of classes; by
            default "importance", but "count" where they are whole and no two rows have both labels the same.
        predicted_positive : label or None
            The predicted label that means positive, where predicted labels have other words.
        not_an_answer : sequence, or None
            Predicted values that name no class: false negatives of positives, false positives of negatives.
        classes : sequence of labels, or None
            Both labels, where one of them may have no cases.

        Raises
        ------
        InputError
            Unless there are two classes, and for missing values and lengths that differ.
        """
        weighting.weight_kind(weight_kind)
        labels = BinaryLabels(positive, classes)
        of_weight = None if weight is None else columns.read(weight, "weight")
        if validate.one_of({"predicted": predicted, "score": score}) == "predicted":
            answers = read_labels(
                positive, classes, NotAnAnswer.of(not_an_answer), truth=truth, predicted=predicted
            )
            of_truth, called = answers["truth"], answers["predicted"]
            validate.same_length(of_truth, called, of_weight)
            of_truth, called, of_weight = columns.that_count(of_weight, of_truth, called)
            if predicted_positive is not None:
                met = labels_met(of_truth)
                called, there = in_words_of_truth(
                    called, of_truth, positive, predicted_positive, met, classes
                )
                if not there:
                    raise never_positive(called, predicted_positive)
            called = with_actual(called, of_truth)
            kind = of_labels(weight_kind, of_weight, of_truth, called)
            if kind_of(of_truth) == kind_of(called) == "text":
                same_words(of_truth, distinct(of_truth.values), distinct(called.values), positive)
            result = tally(labels, of_truth, called, *labels.encode(called), of_weight, kind)
            if called.unanswered is None:
                return result
            yes, as_yes = labels.coded(of_truth).is_positive, labels.coded(called).is_positive
            as_yes = np.where(called.unanswered, ~yes, as_yes)  # wrong, whichever class the case is of
            return tally(labels, of_truth, None, as_yes, 1.0, of_weight, kind)
        of_truth = read_labels(positive, classes, truth=truth)["truth"]
        of_score = score_of(of_truth, score, positive, classes)
        validate.same_length(of_truth, of_score, of_weight)
        validate.no_gaps(of_score)
        of_truth, of_score, of_weight = columns.that_count(of_weight, of_truth, of_score)
        with np.errstate(over="ignore"):  # a threshold beyond what float32 holds
            above = validate.scores(of_score) >= validate.threshold(threshold)
        return tally(labels, of_truth, None, above, 1.0, of_weight, weight_kind)

    @property
    def positives(self) -> Cell:
        return self.tp + self.fn

    @property
    def negatives(self) -> Cell:
        return self.fp + self.tn

    @property
    def total(self) -> Cell:
        return self.tp + self.fp + self.fn + self.tn

    def swap_classes(self) -> Counts:
        """The same cases with the negative class as the positive one."""
        return Counts.of(
            self.tn, self.fn, self.fp, self.tp, squares=self.squares and self.squares.swap_classes()
        )

    def swap_truth(self) -> Counts:
        """The same cases with actual and predicted labels swapped."""
        return Counts.of(
            self.tp, self.fn, self.fp, self.tn, squares=self.squares and self.squares.swap_truth()
        )

    def with_class_sizes(self, positives: Cell, negatives: Cell) -> Counts:
        """Counts with these class sizes and the same rates; NaN for a class without cases."""
        with np.errstate(divide="ignore", invalid="ignore"):
            p, n = np.divide(positives, self.positives), np.divide(negatives, self.negatives)
            squares = self.squares and self.squares._by_class(p**2, n**2)
            return Counts.of(*self._by_class(p, n)._cells(), squares=squares)

    def _by_class(self, p: Cell, n: Cell) -> Counts:
        return Counts.of(self.tp * p, self.fp * n, self.fn * p, self.tn * n)

    def sum(self) -> Counts:
        """The entries of the arrays added up along the last axis."""
        return self._changed(lambda cell: np.sum(cell, axis=-1, dtype=float)[()])

    def _plus(self, other: Counts) -> Counts:
        squares = self._squares_with(other, lambda a, b: a.without_squares() + b.without_squares())
        cells = (a + b for a, b in zip(self._cells(), other._cells(), strict=True))
        return Counts.of(*cells, squares=squares)._countable()

    def _scaled(self, factor: Any, of_squares: Any) -> Counts:
        return super()._scaled(factor, of_squares)._countable()

    def __getitem__(self, index: Any) -> Counts:
        return self._changed(lambda cell: value if np.ndim(value := cell[index]) else float(value))

    def __hash__(self) -> int:
        return hash(
            (*(cell if isinstance(cell, float) else cell.tobytes() for cell in self._cells()), self.squares)
        )

    def __repr__(self) -> str:
        if np.size(self.tp) > FEW_ENTRIES:
            return f"Counts({np.size(self.tp):,} entries)"
        cells = ", ".join(
            f"{name}={plain_cells(cell)}" for name, cell in zip(NAMES, self._cells(), strict=True)
        )
        return f"Counts({cells})" if self.squares is None else f"Counts({cells}, squares={self.squares!r})"

    @property
    def _columns(self) -> dict[str, Any]:
        """One row per entry of the arrays, or one."""
        return {name: np.ravel(cell) for name, cell in zip(NAMES, self._cells(), strict=True)}

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers and lists; whole numbers as integers; squares only where there are any."""
        cells = {name: plain_cells(cell) for name, cell in zip(NAMES, self._cells(), strict=True)}
        return cells if self.squares is None else {**cells, "squares": self.squares.to_dict()}

    @classmethod
    def from_dict(cls, cells: dict[str, Any]) -> Counts:
        """Make the summary from the result of `to_dict`."""
        squares = cells.get("squares")
        return cls(**cells) if squares is None else cls(**{**cells, "squares": cls.from_dict(squares)})

    def _countable(self) -> Counts:
        """These counts.

        Raises InputError where all cells are whole and add up to more cases than a float counts exactly.
        """
        total = np.asarray(self.total)
        far = total > validate.WHOLE_BELOW
        if far.any():
            whole = np.logical_and.reduce([np.asarray(cell) == np.rint(cell) for cell in self._cells()])
            weighting.countable("tp, fp, fn, tn", float(np.max(total, where=far & whole, initial=0.0)))
        return self

    def _cells(self) -> tuple[Cell, Cell, Cell, Cell]:
        return self.tp, self.fp, self.fn, self.tn


def tally(
    labels: Any,
    truth: Any,
    predicted: Any,
    called: Any,
    called_positive: float,
    weight: Any,
    weight_kind: WeightKind | None = None,
) -> Counts:
    """The counts of columns of labels; `predicted` is None if the predictions were made here, from scores."""
    codes, positive = labels.encode(truth)
    weights = weighting.weights(weight, weight_kind)
    counted = kernels.tally(codes, called, weights, positive, called_positive)
    if counted is None:
        labels.refuse(truth, predicted)
    tp, fp, fn, tn, negative, called_negative = counted
    labels.learn(truth, negative, tp + fn > 0)
    if predicted is not None:
        labels.learn(predicted, called_negative, tp + fp > 0)
    weighting.some_weight(tp + fp + fn + tn, weight)
    labels.judge(truth)
    square = squared(weights, weight_kind)
    if square is None:
        return Counts.of(tp, fp, fn, tn)
    of_squares = kernels.tally(codes, called, square, positive, called_positive)
    return Counts.of(tp, fp, fn, tn, squares=Counts.of(*of_squares[:4]))


def plain_cells(cell: Any) -> Any:
    """Plain numbers, whole ones as integers; of an array nested lists."""
    if isinstance(cell, np.ndarray):
        return [plain_cells(entry) for entry in cell.tolist()] if cell.ndim else plain_cells(cell.item())
    if isinstance(cell, list):
        return [plain_cells(entry) for entry in cell]
    return int(cell) if cell == int(cell) else cell
