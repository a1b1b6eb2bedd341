"""The confusion matrix of K classes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from .. import kernels
from ..input import columns, text, validate, weighting
from ..input.arguments import WeightKind
from ..input.calls import constructor, public
from ..input.columns import Column
from ..input.errors import InputError, LabelError, option
from ..input.labels import (
    BinaryLabels,
    NotAnAnswer,
    named_classes,
    positive_of,
    read_labels,
    same_kind,
    same_words,
    together,
    with_actual,
)
from ..input.names import listed
from ..input.score_columns import labels_of_both, mixed
from ..input.spec import CaseSpec
from .counts import Counts, of_labels, plain_cells, squared
from .value import Value, both


def one_vs_rest(weights: np.ndarray) -> Counts:
    """Each class in turn against all others."""
    tp = weights.diagonal(axis1=-2, axis2=-1).copy()
    fp, fn = weights.sum(-2) - tp, weights.sum(-1) - tp
    there = weights > 0
    # the number of cells that are neither in the row nor in the column of the class
    of_class = there.sum(-2) + there.sum(-1) - there.diagonal(axis1=-2, axis2=-1)
    outside = there.sum((-2, -1))[..., None] - of_class
    total = weights.sum((-2, -1))[..., None]
    tn = np.where(outside > 0, np.maximum(total - tp - fp - fn, 0.0), 0.0)
    return Counts.of(tp, fp, fn, tn)


def two_by_two(weights: np.ndarray, where: list[bool]) -> Counts:
    """The counts of two classes. where: which of the labels is the positive one.

    A case whose answer is no class is wrong, whichever class it is of.
    """
    size, of_class = len(where), np.stack([where, np.logical_not(where)]).astype(float)
    tp, fn, fp, tn = (of_class @ weights[:size, :size] @ of_class.T).ravel().tolist()
    missed, called = (of_class @ weights[:size, size:].sum(1)).tolist()
    return Counts.of(tp, fp + called, fn + missed, tn)


def but_one(weights: np.ndarray, chosen_by: np.ndarray) -> float:
    """The sum of all weights but that of the largest `chosen_by`; 0 if there are none."""
    return float(np.delete(weights, chosen_by.argmax()).sum()) if weights.size else 0.0


MOST_CLASSES = 10_000
Crossed = tuple[tuple[Any, ...], np.ndarray]  # the labels, and the cells


def counted(truth: Column, predicted: Column, weights: np.ndarray | None) -> Crossed:
    """The labels and the cells. Raises InputError for gaps, and for too many labels."""
    found = _two_classes(truth, predicted, weights) if predicted.unanswered is None else None
    return found or _many_classes(truth, predicted, weights)


def _two_classes(truth: Column, predicted: Column, weights: np.ndarray | None) -> Crossed | None:
    """The usual case of boolean, 0/1 or -1/1 labels, in one pass of the kernel; None for other labels."""
    if truth.values.dtype.kind not in "biuf" or predicted.values.dtype.kind not in "biuf":
        return None
    usual = BinaryLabels()
    try:
        codes, called = usual.encode(truth)[0], usual.encode(predicted)[0]
    except InputError:
        return None
    found = kernels.tally(codes, called, weights, 1.0, 1.0)
    if found is None:
        return None
    tp, fp, fn, tn, *negatives = found
    columns_of = zip((truth, predicted), negatives, strict=True)
    others = {_python(column, label) for column, label in columns_of if label is not None}
    positive = _python(truth, 1)
    if not others:
        return (positive,), np.array([[tp]])
    if len(others) > 1 or positive in others:
        return None
    if tp == fp == fn == 0:
        return (others.pop(),), np.array([[tn]])
    return (others.pop(), positive), np.array([[tn, fp], [fn, tp]])


def _python(column: Column, label: Any) -> Any:
    """A label that a kernel returns, as a Python value of the type of the column."""
    return bool(label) if column.values.dtype.kind == "b" else column.values.dtype.type(label).item()


def _many_classes(truth: Column, predicted: Column, weights: np.ndarray | None) -> Crossed:
    validate.no_gaps(truth)
    validate.no_gaps(predicted)
    found, (rows, called) = together(truth.values, predicted.values)
    k = len(found)
    if k > MOST_CLASSES:
        raise LabelError(
            "ambiguous",
            predicted,
            f"{k:,} classes are too many for a matrix",
            f"pass them as {option('score')} if they are scores, or say {option('regression', True)} if they"
            " are amounts",
        )
    size = k
    if predicted.unanswered is not None:
        size, called = k + 1, np.where(predicted.unanswered, k, called)
    cell = rows * size + called
    cells = kernels.sums(cell, weighting.ones(len(cell)) if weights is None else weights, size**2)
    return tuple(found), cells.reshape(size, size)


Label = bool | int | float | str
NO_ANSWER = "(no answer)"


@listed(
    "function",
    "tm.ConfusionMatrix.from_arrays(...)",
    name="confusion_matrix",
    aka=("error_matrix",),
    terms=("multi_class_confusion_matrix",),
)
@constructor
@dataclass(frozen=True, eq=False, repr=False)
class ConfusionMatrix(Value):
    """Weights by actual class (rows) and predicted class (columns), both in the order of `labels`.

    Parameters
    ----------
    labels : tuple of bool, int, float or str
        K distinct labels, all numbers (booleans included) or all text.
    weights : array of float64, shape (K, K) or (K + 1, K + 1)
        Numbers >= 0; read-only. With one more row and column than labels, the last column has the cases
        whose answer is no class, and the last row is 0.
    squares : array of float64, of the same shape, or None
        The sums of the squared weights of the cases in each cell; None where weights are numbers of cases.
    ordered : bool or None
        Whether the labels are given in the order of the classes, such as "low", "mid", "high". With False
        they are sorted; with None they stay as given, but have no order.

    Raises
    ------
    InputError
        If the shape, the labels or the weights are not valid.

    Notes
    -----
    Adds with `+`: the sum has the classes of both. An ordered matrix must have all classes.

    Examples
    --------
    >>> import tallymark as tm
    >>> matrix = tm.ConfusionMatrix.from_arrays(truth=["cat", "dog", "dog"], predicted=["cat", "dog", "cat"])
    >>> matrix.labels, matrix.weights.tolist()
    (('cat', 'dog'), [[1.0, 0.0], [1.0, 1.0]])
    >>> matrix.counts(positive="dog") == tm.Counts(tp=1, fp=0, fn=1, tn=1)
    True
    """

    FORM = "evaluations.confusion"

    ENTRIES = ("labels", "rows")
    FIELDS = ("labels", "weights", "squares", "ordered")
    CELLS = ("weights",)

    labels: tuple[Label, ...]
    weights: np.ndarray
    squares: np.ndarray | None = None
    ordered: bool | None = False

    def __post_init__(self) -> None:
        weights = _cells(self.weights, "weights")
        squares = None if self.squares is None else _cells(self.squares, "squares")
        labels = validate.labels(list(self.labels) if isinstance(self.labels, str) else self.labels, "labels")
        size = len(weights) if weights.ndim else 0
        square = weights.shape == (size, size) and size in (len(labels), len(labels) + 1)
        if not square or len(set(labels)) < len(labels) or weights[len(labels) :].any():
            raise validate.InputError(
                "wrong-shape",
                "weights",
                f"shape {weights.shape} for {len(labels)} labels",
                "give one row and column per label",
            )
        if squares is not None and squares.shape != weights.shape:
            raise validate.InputError(
                "wrong-shape",
                "squares",
                f"shape {squares.shape} for weights of shape {weights.shape}",
                "give one per cell",
            )
        if len({isinstance(label, str) for label in labels}) > 1:
            raise mixed()
        if squares is None and weighting.are_whole(weights):
            weighting.countable("weights", float(weights.sum()))
        places = range(len(labels))
        as_given = self.ordered is None or validate.flag(self.ordered, "ordered")
        order = list(places) if as_given else sorted(places, key=labels.__getitem__)
        if self.ordered is None and list(labels) == sorted(labels):
            object.__setattr__(self, "ordered", False)
        object.__setattr__(self, "labels", tuple(labels[i] for i in order))
        order += range(len(labels), size)
        for name, cells in (("weights", weights), ("squares", squares)):
            if cells is not None and order != list(range(size)):
                cells = cells[np.ix_(order, order)]
            object.__setattr__(self, name, None if cells is None else validate.frozen(cells))

    @classmethod
    def empty(cls) -> ConfusionMatrix:
        """No classes and no cases: adding it changes nothing."""
        return cls((), np.empty((0, 0)))

    @classmethod
    @public()
    def from_arrays(
        cls,
        *,
        truth: Any,
        predicted: Any,
        weight: Any = None,
        weight_kind: WeightKind | None = None,
        classes: Sequence[Any] | None = None,
        not_an_answer: Sequence[Any] | None = None,
        ordered: bool = False,
    ) -> ConfusionMatrix:
        """Count labels of any type: booleans, numbers or text.

        Parameters
        ----------
        truth, predicted : array, list or series
            The actual and the predicted label of every case.
        weight : array, list or series, or None
            The weight of each case, >= 0.
        weight_kind : {"count", "importance"} or None
            "count", a case of weight 2 is two cases, or "importance", weights of sampling or of classes; by
            default "importance", but "count" where they are whole and no two rows have both labels the same.
        classes : sequence of labels, or None
            All labels, also those without cases.
        not_an_answer : sequence, or None
            Predicted values that name no class, as for `evaluate`.
        ordered : bool
            Whether classes are in their order, for measures of ordered classes: text has none of its own.

        Raises
        ------
        InputError
            On missing values, lengths that differ, and text against numbers.
        """
        kind = weighting.weight_kind(weight_kind)
        of_weight = None if weight is None else columns.read(weight, "weight")
        validate.flag(ordered, "ordered")
        words = NotAnAnswer.of(not_an_answer)
        answers = read_labels(None, classes, words, truth=truth, predicted=predicted)
        actual = answers["truth"]
        called = with_actual(answers["predicted"], actual)
        found = cls.from_columns(actual, called, of_weight, of_labels(kind, of_weight, actual, called))
        true, said = (_occurring(found, axis) for axis in (1, 0))
        if classes is None and len(true) == 2:  # parts of cases, which are added, may have one
            same_words(actual, true, said)
        levels = CaseSpec(classes=classes, ordered=ordered).levels(actual, found.labels)
        return found if levels is None else found.with_classes(*levels)

    @classmethod
    def from_columns(
        cls,
        truth: columns.Column,
        predicted: columns.Column,
        weight: columns.Column | None = None,
        weight_kind: WeightKind | None = None,
    ) -> ConfusionMatrix:
        """One batch of cases.

        Parameters
        ----------
        truth, predicted, weight : Column
            The actual labels, the predicted ones, and the weights, which may be None.
        weight_kind : {"count", "importance"} or None
            None keeps the squares of all weights but 1; `without_squares` drops them.
        """
        validate.same_length(truth, predicted, weight)
        same_kind(truth, predicted)
        truth, predicted, weight = columns.that_count(weight, truth, predicted)
        weight_kind = weight_kind or (None if weight is None else weight.weight_kind)
        weights = weighting.weights(weight, weight_kind)
        labels, cells = counted(truth, predicted, weights)
        square = squared(weights, weight_kind)
        return cls(labels, cells, None if square is None else counted(truth, predicted, square)[1])

    def with_classes(self, classes: Any, ordered: bool = False) -> ConfusionMatrix:
        """With all these classes, also without cases, in this order; numbers that have none by value.

        Raises InputError where a class is missing, or given twice.
        """
        labels = named_classes(classes, "truth, predicted", self.labels)
        as_given = ordered or (None if isinstance(labels[0], str) else False)
        return self + ConfusionMatrix(tuple(labels), np.zeros(2 * [len(labels)]), ordered=as_given)

    def with_weights(self, weights: np.ndarray, squares: np.ndarray | None = None) -> ConfusionMatrix:
        """Other cases of the same classes."""
        return ConfusionMatrix(self.labels, weights, squares, self.ordered)

    @property
    def unanswered(self) -> np.ndarray | None:
        """The weight of the cases of each class whose answer is no class; None where there are none."""
        return self.weights[: len(self), -1] if len(self.weights) > len(self) else None

    @property
    def class_sizes(self) -> Any:
        """The weight of the cases of each class."""
        return self.weights.sum(1)[: len(self)]

    @property
    def answers(self) -> tuple[Label, ...]:
        """The names of the columns."""
        return self.labels if self.unanswered is None else (*self.labels, NO_ANSWER)

    @property
    def has_order(self) -> bool:
        """Whether the classes have an order: numbers, or text whose order was given.

        Answers that are no class have no place in it.
        """
        return self.unanswered is None and (
            bool(self.ordered) or not any(isinstance(label, str) for label in self.labels)
        )

    @property
    def total(self) -> Any:
        total = self.weights.sum((-2, -1))
        return total if total.ndim else float(total)

    @property
    def other_true(self) -> float:
        """The weight of the cases that are actually of another class than the most frequent one."""
        return but_one(self.weights.sum(1), self.weights.sum(1))

    @property
    def other_predicted(self) -> float:
        """The weight of the cases that are predicted as another class than the one predicted most."""
        return but_one(self.weights.sum(0), self.weights.sum(0))

    @property
    def not_of_one_class(self) -> float:
        """The weight of the cases outside the largest cell of the diagonal."""
        return but_one(self.weights.ravel(), np.diag(self.weights.diagonal()).ravel())

    def one_vs_rest(self) -> Counts:
        """`Counts` with one array entry per class, which is the positive one, in the order of `labels`."""
        counts, squares = both(one_vs_rest, self.weights, self.squares)
        return counts.with_squares(squares)[..., : len(self)]

    def by_cell(self, outcomes: np.ndarray) -> np.ndarray:
        """The sum over the classes of a value of each outcome, for a case in each cell in turn.

        outcomes: shape (K, 4), of a true positive, false positive, false negative and true negative of a
        class. A case is a true positive of one class, or a false negative of one and a false positive of
        another; of the others it is a true negative.
        """
        rest = outcomes[:, 3]
        more = np.zeros((len(self.weights) - len(self), 3))
        right, called, missed = np.vstack([outcomes[:, :3] - rest[:, None], more]).T
        sums = missed[:, None] + called + rest.sum()
        np.fill_diagonal(sums, right + rest.sum())
        return sums.ravel()

    def counts(self, positive: Any = None) -> Counts:
        """The four counts of two classes.

        A case whose answer is no class is a false negative if it is positive, a false positive if it is
        negative. Raises InputError where there are more, or where the positive one must be named.
        """
        positive = positive_of(self.labels, positive)
        where = [label == positive for label in self.labels]
        counts, squares = both(partial(two_by_two, where=where), self.weights, self.squares)
        return counts.with_squares(squares)

    def __len__(self) -> int:
        """The number of classes."""
        return len(self.labels)

    def _plus(self, other: ConfusionMatrix) -> ConfusionMatrix:
        more = any(one.unanswered is not None for one in (self, other))
        ordered = [one.labels for one in (self, other) if one.ordered is not False]
        labels = labels_of_both(self.labels, other.labels, ordered)

        def added(cells: np.ndarray, others: np.ndarray) -> np.ndarray:
            return self._spread(labels, cells, more) + other._spread(labels, others, more)

        weights, squares = added(self.weights, other.weights), self._squares_with(other, added)
        as_given = None if None in (self.ordered, other.ordered) else False
        return ConfusionMatrix(labels, weights, squares, self.ordered or other.ordered or as_given)

    def _scaled(self, factor: Any, of_squares: Any) -> ConfusionMatrix:
        return self.with_weights(
            self.weights * factor, None if self.squares is None else self.squares * of_squares
        )

    @property
    def squared(self) -> np.ndarray:
        """The squares, or the weights where these are their squares."""
        return self.weights if self.squares is None else self.squares

    def _spread(self, labels: Sequence[Label], cells: np.ndarray, more: bool) -> np.ndarray:
        """The cells among these labels. more: with the cases whose answer is no class."""
        spread = np.zeros(2 * [len(labels) + more])
        place = {label: index for index, label in enumerate(labels)}
        at = [place[label] for label in self.labels] + [len(labels)] * (len(cells) - len(self))
        spread[np.ix_(at, at)] = cells
        return spread

    def __repr__(self) -> str:
        return f"ConfusionMatrix({len(self)} classes, {self.total:g} cases)"

    @property
    def table(self) -> list[dict[str, Any]]:
        """One row per cell, as plain values; `predicted` is None for answers that are no class."""
        rows = zip(self.labels, self.weights.tolist(), strict=False)
        return [
            {"true": true, "predicted": predicted, "weight": weight}
            for true, row in rows
            for predicted, weight in zip(self.labels + (None,) * (len(row) - len(self)), row, strict=True)
        ]

    def to_dict(self) -> dict[str, Any]:
        """Plain values; "squares" only if there are any, "ordered" if the order of the labels was given."""
        plain: dict[str, Any] = {
            "labels": [text.json_label(label) for label in self.labels],
            "rows": plain_cells(self.weights),
        }
        plain |= {"ordered": self.ordered} if self.ordered is not False else {}
        return plain if self.squares is None else {**plain, "squares": plain_cells(self.squares)}

    @classmethod
    def from_dict(cls, matrix: dict[str, Any]) -> ConfusionMatrix:
        """Make the summary from the result of `to_dict`."""
        labels = text.read_labels(matrix["labels"])
        rows, squares = (
            None if cells is None else np.array(cells, dtype=np.float64, order="C").reshape(2 * [len(cells)])
            for cells in (matrix["rows"], matrix.get("squares"))
        )
        return cls(labels, rows, squares, matrix.get("ordered", False))  # type: ignore[arg-type]


def _occurring(matrix: ConfusionMatrix, axis: int) -> list[Label]:
    sizes = zip(matrix.labels, matrix.weights.sum(axis), strict=False)
    return [label for label, size in sizes if size]


def _cells(values: Any, role: str) -> np.ndarray:
    cells = validate.cell(validate.plain_array(values, role), role)
    return np.array(cells, dtype=np.float64, order="C")
