"""The table of cases that may have several labels at once, or none."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from ..input import columns, text, validate, weighting
from ..input.arguments import WeightKind
from ..input.calls import constructor, public
from ..input.labels import brief
from ..input.validate import InputError, shown
from .counts import Counts, squared
from .value import Value


def names_and_order(
    labels: Any, truth: Any, predicted: Any
) -> tuple[tuple[Any, ...] | None, list[int] | None]:
    """The labels, and the order of the columns of predicted by those of truth; None where it is the same."""
    if labels is not None:
        labels = validate.labels(list(labels) if isinstance(labels, str) else labels, "labels")
    of_truth, of_predicted = _columns(truth), _columns(predicted)
    order = None
    if of_truth and of_predicted and of_truth != of_predicted:
        if sorted(of_truth) != sorted(of_predicted) or len(set(of_truth)) < len(of_truth):
            raise InputError(
                "mismatch",
                None,
                f"truth has the columns {brief(of_truth)} and predicted {brief(of_predicted)}",
                "give both the same names",
            )
        order = [of_predicted.index(name) for name in of_truth]
    return (of_truth or of_predicted if labels is None else tuple(labels)), order


def _columns(values: Any) -> tuple[str, ...] | None:
    # a lazy frame would have to compute its columns
    if not isinstance(getattr(values, "shape", None), tuple):
        return None
    named = getattr(values, "column_names", getattr(values, "columns", None))
    return None if named is None else tuple(str(name) for name in named)


def indicators(values: Any, role: str) -> np.ndarray:
    """The values as booleans, shape (cases, labels). Raises InputError for anything but 0 and 1."""
    array = validate.plain_array(values, role, "give one column per label")
    if array.ndim == 2 and not len(array):
        raise InputError("empty", role, "there are no rows", "at least one case is needed")
    if array.ndim != 2 or not array.size:
        raise InputError(
            "wrong-shape",
            role,
            f"shape {array.shape} where (cases, labels) is needed",
            "give one row per case and one column per label",
        )
    gaps = np.ma.getmaskarray(values) if validate.is_masked(values) else np.zeros(array.shape, bool)
    if array.dtype.kind == "O":
        array = _from_objects(array, role)
    if array.dtype.kind not in "buif":
        kind = "text" if array.dtype.kind in "UST" else array.dtype
        raise InputError("invalid-value", role, f"{kind} where 0 and 1, or booleans, are needed")
    if array.dtype.kind == "f":
        gaps = gaps | np.isnan(array)
    if gaps.any():
        row, column = np.argwhere(gaps)[0]
        raise InputError(
            "missing-value",
            role,
            f"the value in {_place(row, column)} is missing (NaN or null)",
            "leave out such rows, or fill them",
        )
    wrong = (array != 0) & (array != 1)
    if wrong.any():
        row, column = np.argwhere(wrong)[0]
        raise InputError(
            "invalid-value",
            role,
            f"{array[row, column]} in {_place(row, column)} is neither 0 nor 1",
            "threshold scores first",
            value=array[row, column],
        )
    return array.astype(bool)


def _place(row: int, column: int) -> str:
    return f"row {row}, column {column} (counted from 0)"


def _from_objects(array: np.ndarray, role: str) -> np.ndarray:
    """Booleans and numbers of any library as floats, and what is missing as NaN."""
    numbers = np.empty(array.shape)
    for (row, column), value in np.ndenumerate(array):
        if value is None or columns.is_gap(value):
            numbers[row, column] = np.nan
        elif isinstance(value, (Real, np.bool_)):
            numbers[row, column] = value
        else:
            raise InputError(
                "invalid-value",
                role,
                f"{shown(value)} in {_place(row, column)} is neither 0 nor 1",
                "give 0 and 1, or booleans",
                value=value,
            )
    return numbers


CELLS_AT_ONCE = 10_000_000  # of indicators, held as floats


@constructor
@dataclass(frozen=True, eq=False, repr=False)
class IndicatorTable(Value):
    """Counts of correct, wrong and missed labels, of single labels and of pairs.

    Parameters
    ----------
    labels : tuple of labels
        L distinct names.
    together : array of float64, shape (3 L, 3 L)
        The weight of the cases in which two outcomes occur together, among: true positive of each label,
        false positive of each, false negative of each. Its diagonal holds the counts.
    total : float
        The weight of all cases.
    exact : float
        The weight of the cases without a mistake.
    squares : IndicatorTable or None
        The same for the squared weights of the cases; None where weights are numbers of cases.

    Raises
    ------
    InputError
        If the shape, the labels or the weights are not valid.

    Notes
    -----
    Adds with `+` if the labels are the same, in any order.

    Examples
    --------
    >>> import tallymark as tm
    >>> table = tm.IndicatorTable.from_arrays(
    ...     truth=[[1, 0], [1, 1]], predicted=[[1, 0], [0, 1]], labels=["news", "sport"]
    ... )
    >>> table.total, table.exact
    (2.0, 1.0)
    >>> table.one_vs_rest().fn.tolist()
    [1.0, 0.0]
    """

    ENTRIES = ("labels", "together")
    CELLS = ("together", "total", "exact")
    FIELDS = ("labels", *CELLS, "squares")

    labels: tuple[Any, ...]
    together: np.ndarray
    total: float
    exact: float
    squares: IndicatorTable | None = None

    def __post_init__(self) -> None:
        labels = validate.labels(self.labels, "labels")
        together = np.array(
            validate.cell(validate.plain_array(self.together, "together"), "together"), dtype=np.float64
        )
        if together.shape != 2 * (3 * len(labels),):
            raise InputError(
                "wrong-shape",
                "together",
                f"shape {together.shape} for {len(labels)} labels",
                "three rows and columns are needed for each",
            )
        if len(set(map(str, labels))) < len(labels):
            raise InputError(
                "invalid-value", "labels", f"{shown(self.labels)}", "give one name per column, all different"
            )
        together.flags.writeable = False
        for name in ("total", "exact"):
            object.__setattr__(self, name, validate.number(getattr(self, name), name, 0.0, validate.LARGEST))
        if self.squares is not None:
            validate.of_type(self.squares, IndicatorTable, "squares")
            if self.squares.labels != labels:
                raise InputError(
                    "mismatch",
                    "squares",
                    f"the labels {shown(self.squares.labels)} are not {shown(labels)}",
                    "give the same",
                )
        elif weighting.are_whole(together):
            weighting.countable("total", self.total)
        object.__setattr__(self, "labels", labels)
        object.__setattr__(self, "together", together)

    @classmethod
    @public()
    def from_arrays(
        cls,
        *,
        truth: Any,
        predicted: Any,
        weight: Any = None,
        labels: Any = None,
        weight_kind: WeightKind | None = None,
    ) -> IndicatorTable:
        """Count indicators: 0 and 1, or booleans.

        Parameters
        ----------
        truth, predicted : array or data frame, shape (cases, labels)
            Which labels a case actually has, and which are predicted. Where both are data frames, the columns
            of predicted are matched by name to those of truth.
        weight : array, list or series, or None
            The weight of each case, >= 0.
        labels : sequence of labels, or None
            The names of the labels, else those of the columns.
        weight_kind : {"count", "importance"} or None
            "count", a case of weight 2 is two cases, or "importance", the default.

        Raises
        ------
        InputError
            For other values, with row and column, for shapes that differ, and for bad weights.
        """
        given = {"truth": truth, "predicted": predicted, "weight": weight}
        validate.same_order({name: validate.index_of(one) for name, one in given.items()})
        names, order = names_and_order(labels, truth, predicted)
        truth, predicted = indicators(truth, "truth"), indicators(predicted, "predicted")
        predicted = predicted if order is None else predicted[:, order]
        if truth.shape != predicted.shape:
            raise InputError(
                "wrong-shape",
                None,
                f"truth has shape {truth.shape} and predicted {predicted.shape}",
                "give both a row per case and a column per label",
            )
        names = tuple(range(truth.shape[1])) if names is None else names
        if len(names) != truth.shape[1] or len(set(names)) < len(names):
            raise InputError(
                "wrong-shape",
                "labels",
                f"{shown(names)} for {truth.shape[1]} columns",
                "give one name per column, all different",
            )
        column = None if weight is None else columns.read(weight, "weight")
        kind = weighting.weight_kind(weight_kind) or (None if column is None else column.weight_kind)
        if column is not None and len(column) != len(truth):
            raise InputError(
                "wrong-shape",
                None,
                f"truth has {len(truth)} rows and weight has {len(column)}",
                "give one value per case to each",
            )
        weights = weighting.weights(column, kind)
        if weights is not None:
            weighting.some_weight(weights.sum(), column)
        if weights is not None and not weights.all():
            truth, predicted, weights = (part[weights > 0] for part in (truth, predicted, weights))
        square = squared(weights, kind)
        squares = None if square is None else cls.of(names, *_count(truth, predicted, square))
        together, total, exact = _count(truth, predicted, weights)
        return cls(names, together, total, exact, squares)

    def one_vs_rest(self) -> Counts:
        """`Counts` with one array entry per label."""
        tp, fp, fn = self.together.diagonal().reshape(3, -1)
        rest = self.total - tp - fp - fn
        rounding = 8 * np.finfo(float).eps * self.total  # of fractional weights
        squares = None if self.squares is None else self.squares.one_vs_rest()
        return Counts.of(
            tp.copy(), fp.copy(), fn.copy(), np.where(rest > rounding, rest, 0.0), squares=squares
        )

    def by_cell(self, outcomes: np.ndarray) -> np.ndarray:
        """The sum over the labels of a value of each outcome, for what a case counts in.

        As for a ConfusionMatrix: in the cell of all cases, that of cases without a mistake, and those of the
        true positives, false positives and false negatives of each label.
        """
        rest = outcomes[:, 3]
        return np.concatenate([[rest.sum(), 0.0], (outcomes[:, :3] - rest[:, None]).T.ravel()])

    def __len__(self) -> int:
        return len(self.labels)

    def _plus(self, other: IndicatorTable) -> IndicatorTable:
        if len(other) != len(self) or set(other.labels) != set(self.labels):
            raise InputError(
                "mismatch",
                "labels",
                f"{shown(self.labels)} and {shown(other.labels)} differ",
                "add tables of the same labels",
            )
        order = [other.labels.index(label) for label in self.labels]
        cells = (np.arange(3)[:, None] * len(self) + order).ravel()

        def added(one: IndicatorTable, more: IndicatorTable) -> tuple[np.ndarray, float, float]:
            together = one.together + more.together[np.ix_(cells, cells)]
            return together, one.total + more.total, one.exact + more.exact

        squares = self._squares_with(other, added)
        of_squares = squares and IndicatorTable.of(self.labels, *squares, None)
        return IndicatorTable(self.labels, *added(self, other), of_squares)

    def __repr__(self) -> str:
        return f"IndicatorTable({len(self)} labels, {self.total:g} cases)"

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers and lists."""
        labels = [text.json_label(label) for label in self.labels]
        plain = {
            "labels": labels,
            "together": self.together.tolist(),
            "total": self.total,
            "exact": self.exact,
        }
        return plain if self.squares is None else {**plain, "squares": self.squares.to_dict()}

    @property
    def table(self) -> list[dict[str, Any]]:
        """One row per label, as plain values: its four counts."""
        return [
            {"label": label, **row} for label, row in zip(self.labels, self.one_vs_rest().table, strict=True)
        ]

    @classmethod
    def from_dict(cls, table: dict[str, Any]) -> IndicatorTable:
        """Make the summary from the result of `to_dict`."""
        squares = None if table.get("squares") is None else cls.from_dict(table["squares"])
        return cls(
            text.read_labels(table["labels"]),
            np.array(table["together"]),
            table["total"],
            table["exact"],
            squares,
        )


def _count(
    truth: np.ndarray, predicted: np.ndarray, weight: np.ndarray | None
) -> tuple[np.ndarray, float, float]:
    """The cells, the total and the exact matches, by batches of rows."""
    labels, w = truth.shape[1], np.ones(len(truth)) if weight is None else weight
    together = np.zeros((3 * labels, 3 * labels))
    rows = max(CELLS_AT_ONCE // (3 * labels), 1)
    for start in range(0, len(truth), rows):
        some = slice(start, start + rows)
        t, p = truth[some], predicted[some]
        kinds = np.hstack([t & p, ~t & p, t & ~p]).astype(np.float64)
        together += kinds.T @ (kinds * w[some, None])
    return together, float(w.sum()), float(w[(truth == predicted).all(1)].sum())
