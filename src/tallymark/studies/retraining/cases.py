"""Cases with their features, from arrays, lists, data frames or sparse matrices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...input import CaseSpec, columns, validate
from ...input import read as read_cases
from ...input.columns import Column
from ...input.errors import InputError
from ...input.labels import BinaryLabels, distinct, kind_of, listed, look_like_amounts, places, positive_of
from ...input.score_columns import is_indicator
from ...input.sources import Batch
from ...input.values import shown
from ...summaries import RankingTable


@dataclass(frozen=True, slots=True, eq=False)
class Cases:
    """Features and labels of cases.

    X: the features, a row per case; labels: the distinct labels, sorted; truth: for each case the index of
    its label; positive: the index of the positive label, None for more than two.
    """

    X: Any
    truth: np.ndarray
    labels: np.ndarray
    positive: int | None

    @property
    def y(self) -> np.ndarray:
        """The labels of the cases, as they are passed to an estimator."""
        return np.asarray(self.labels[self.truth])

    def take(self, index: np.ndarray) -> Cases:
        """Some rows, in this order."""
        return replace(self, X=rows(self.X, index), truth=self.truth[index])

    def relabelled(self, truth: np.ndarray) -> Cases:
        """The same features with other labels."""
        return replace(self, truth=truth)

    def __len__(self) -> int:
        return len(self.truth)


def read(
    X: Any,
    y: Any,
    positive: Any = None,
    clusters: Any = None,
    role: str = "clusters",
    classes: Sequence[Any] | None = None,
) -> tuple[Cases, np.ndarray | None]:
    """The cases, and for each one the number of its cluster, counted from 0; None without clusters.

    role: the argument that clusters were given as; classes: those of an estimator that is fitted already, of
    which some may not occur. Raises InputError for lengths that differ, missing values,
    one class only, and two classes that are not named.
    """
    if is_indicator(y):
        raise InputError(
            "unsupported",
            "y",
            "several labels per case are not supported here",
            "take one label at a time, as y[:, 0]",
        )
    together = None if clusters is None else columns.read(clusters, role)
    found = _columns(CaseSpec(truth=columns.read(y, "y"), clusters=together, positive=positive))
    numbered = None if together is None else np.unique(found["clusters"].values, return_inverse=True)[1]
    return _cases(X, found["truth"], positive, classes), numbered


def _columns(spec: CaseSpec) -> Batch:
    """The columns of the cases, with labels that are booleans, numbers or text."""
    found = read_cases(None, spec).columns()
    kind_of(found["truth"])
    return found


def _cases(X: Any, column: Column, positive: Any, classes: Sequence[Any] | None) -> Cases:
    features = readable(X, column, "X", "y")
    found = distinct(column.values)
    if classes is not None and isinstance(found[0], str) == any(isinstance(one, str) for one in classes):
        found = sorted({*found, *classes})
        place = None if len(found) > 2 else found.index(positive_of(found, positive))
        return Cases(features, places(column.values, found), np.array(found), place)
    if len(found) < 2:
        raise InputError(
            "empty",
            "y",
            f"every label is {shown(found[0])}, and a classifier needs two classes",
            "add cases of another",
            value=found[0],
        )
    if look_like_amounts(found, len(column)):
        raise InputError(
            "ambiguous",
            "y",
            f"{len(found)} different numbers in {len(column)} cases look like amounts, and estimators of"
            " amounts are not supported here",
            "pass labels of classes",
        )
    labels = np.array(found, dtype=column.values.dtype)
    return Cases(features, np.searchsorted(labels, column.values), labels, _positive(column, found, positive))


def _positive(column: Column, found: list[Any], positive: Any) -> int | None:
    if len(found) > 2:
        if positive is not None:
            raise InputError(
                "labels",
                "positive",
                f"y has {len(found)} classes ({listed(found)}), not two",
                "leave it out or correct the labels",
            )
        return None
    labels = BinaryLabels(positive)
    # raises InputError for wrong labels
    RankingTable.from_columns(labels, column, columns.read(np.zeros(len(column)), "X"))
    labels.judge(column)
    return found.index(labels.pair()[1])


def read_more(X: Any, y: Any, like: Cases) -> Cases:
    """Test cases for the training cases `like`. Raises InputError for labels that do not occur there."""
    column = _columns(CaseSpec(truth=columns.read(y, "y_test")))["truth"]
    features = readable(X, column, "X_test", "y_test")
    codes = codes_of(column, like.labels)
    return replace(like, X=features, truth=codes)


def codes_of(column: Column, labels: np.ndarray) -> np.ndarray:
    """The index of each label. Raises InputError with the first that is none of these."""
    values = column.values
    if (values.dtype.kind in "OU") != (labels.dtype.kind in "OU"):
        raise InputError(
            "unknown-name",
            column,
            f"{shown(values[:1].tolist()[0])} is none of the labels of y, {listed(labels.tolist())}",
        )
    place = places(values, labels.tolist())
    strange = place < 0
    if strange.any():
        row = int(strange.argmax())
        value = shown(values[row : row + 1].tolist()[0])
        raise InputError(
            "unknown-name",
            column,
            f"{value} in {column.row(row)} is none of the labels of y, {listed(labels.tolist())}",
            row=row,
        )
    return place


# Rows
# --------------------------------------------------------------------------------------------------


def readable(X: Any, y: Column, role: str, labels: str) -> Any:
    """X in a form whose rows can be taken. Raises InputError.

    A sparse matrix by columns or coordinates is converted to one by rows.
    """
    if isinstance(X, (str, bytes, dict)) or not (hasattr(X, "shape") or hasattr(X, "__len__")):
        raise InputError(
            "invalid-value",
            role,
            f"features are an array, a list, a data frame or a sparse matrix, not {shown(X)}",
        )
    found = _number_of(X, role)
    if found != len(y):
        raise InputError(
            "wrong-shape",
            None,
            f"{role} has {found} rows and {labels} has {len(y)}",
            "give one row and one label per case",
        )
    validate.same_order({role: validate.index_of(X), labels: y.index})
    return X.tocsr() if hasattr(X, "tocsr") else X


def _number_of(X: Any, role: str) -> int:
    """The number of rows. Raises InputError with the error that a foreign type raises."""
    try:
        return int(X.shape[0] if len(getattr(X, "shape", ())) else len(X))
    except Exception as reason:
        what = f"the rows of a {type(X).__name__} cannot be counted ({shown(reason)})"
        raise InputError("invalid-value", role, what, "give a row per case") from None


def rows(X: Any, index: np.ndarray) -> Any:
    """Some rows of X, of any of these types."""
    if hasattr(X, "iloc"):  # pandas
        return X.iloc[index]
    if isinstance(X, (list, tuple)):
        return [X[i] for i in index.tolist()]
    if hasattr(X, "column_names") and hasattr(X, "take"):  # pyarrow
        return X.take(index)
    return X[index]
