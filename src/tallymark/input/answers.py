"""Predicted labels in other words than the truth, and answers that are no class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .arrays import Understood, from_objects, is_gap, understood
from .columns import Column
from .errors import InputError, LabelError
from .labels import (
    BinaryLabels,
    as_number,
    distinct,
    is_label,
    kind_of,
    listed,
    not_scores,
    number_of,
    only_in,
    plain,
    similar,
    usual_positive,
)
from .spelling import option
from .validate import labels as labels_of, nearest, shown

ROLES = ("predicted", "baseline_score")


@dataclass(frozen=True)
class NotAnAnswer:
    """The values of predicted labels that name no class.

    texts, values: as text, and as they are; none: whether None, any missing value, is one, too.
    """

    texts: frozenset[str]
    values: frozenset[Any]
    none: bool

    @classmethod
    def of(cls, given: Any) -> NotAnAnswer | None:
        """From the argument. Raises InputError for anything but labels and None."""
        if given is None:
            return None
        listed_so = [given] if isinstance(given, str) else given
        known = [plain(one) for one in labels_of(listed_so, "not_an_answer")]
        if not known:
            raise InputError("needed", "not_an_answer", "no value is named", "name some, or leave it out")
        present = [one for one in known if one is not None and not is_gap(one)]
        texts = frozenset(one.decode() if isinstance(one, bytes) else str(one) for one in present)
        numbers = (number_of(one) for one in present if isinstance(one, str))
        return cls(texts, frozenset((*present, *texts, *numbers)), len(present) < len(known))

    @property
    def gaps(self) -> bool:
        """Whether a missing value is one; an empty text stands for it."""
        return self.none or "" in self.texts

    def taken_out(self, values: Any, role: str) -> tuple[Any, np.ndarray | None]:
        """Values in which these are None, or NaN, and where they were; None where there are none."""
        array, missing = understood(values, role, _as_they_are)
        numbers = array.dtype.kind in "buif"
        there = (
            np.isin(array, [one for one in self.values if not isinstance(one, str)])
            if numbers
            else self.among(array.tolist())
        )
        if self.gaps and numbers:
            gaps = np.zeros(len(array), bool) if missing is None else missing
            there |= gaps | (np.isnan(array) if array.dtype.kind == "f" else False)
        if not there.any():
            return values, None
        whole = array.astype(object)
        whole[there if missing is None else there | missing] = None
        return whole.tolist(), there

    def among(self, values: Sequence[Any]) -> np.ndarray:
        """True for each value that is none."""
        hits = {one for one in {*values} if self._is_one(one)}
        return np.fromiter((one in hits for one in values), bool, len(values))

    def _is_one(self, value: Any) -> bool:
        if value is None or is_gap(value):
            return self.gaps
        return value in self.values or (isinstance(value, str) and number_of(value) in self.values)


def _as_they_are(values: list[Any], role: str) -> Understood:
    """Objects of any types, among which text and numbers may be mixed."""
    return np.fromiter(values, object, len(values)), None


def with_actual(column: Column, truth: Column) -> Column:
    """Predicted labels in which cases without an answer have their actual label, so that they add no class.

    `Column.unanswered` says which ones these are.
    """
    there = column.unanswered
    if there is None:
        return column
    values = column.values
    if all(one.values.dtype.kind in "buif" for one in (truth, column)):
        missing = None if column.missing is None else column.missing & ~there
        return replace(column, values=np.where(there, truth.values, values), missing=missing)
    known = values[~(there | column.gaps())]
    text = [len(some) > 0 and isinstance(some[0], str) for some in (truth.values, known)]
    other = (
        truth.values if len(set(text)) == 1 or not len(known) else known[:1]
    )  # text against numbers is refused
    array, missing = from_objects(
        np.where(there, other.astype(object), values.astype(object)).tolist(), column.role
    )
    return replace(column, values=array, missing=missing)


def in_words_of_truth(
    column: Column, truth: Column, positive: Any, predicted_positive: Any, labels: Sequence[Any], classes: Any
) -> tuple[Column, bool]:
    """Predicted labels, of which one means positive, as labels of the truth; whether that one occurs.

    labels: of the truth, in these and earlier rows; classes: all of them, if they are named. Raises
    InputError where the truth has three classes, or the predicted labels three words.
    """
    known = BinaryLabels(positive, classes)
    known.encode(truth)  # refuses labels of which none is positive
    numbers = kind_of(truth) == "numbers"
    yes = (
        as_number(1 if known.wanted is None else known.wanted, truth.values.dtype)
        if numbers
        else known.positive
    )
    others = [label for label in labels if label != yes]
    if len(others) > 1 or (known.wanted is None and usual_positive({yes, *others}) is None):
        known.refuse(truth)
    there = ~(column.gaps() | column.without_answer)
    hit = is_label(column.values, predicted_positive) & there
    words = [one for one in distinct(column.values[there & ~hit]) if one is not None]
    if len(words) > 1 and not hit.any():
        raise never_positive(column, predicted_positive)
    if len(words) > 1:
        raise LabelError(
            "labels",
            column,
            f"next to {shown(predicted_positive)} it holds {listed(words)}, where one is needed for negative",
            f"name those that are no result in {option('not_an_answer')}",
        )
    named = [label for label in (classes or ()) if label != yes]
    no = (others or named or ([0] if numbers else words or ["negative"]))[0]
    pair = np.array([no, yes], truth.values.dtype) if numbers else np.array([no, yes], object)
    return replace(column, values=pair[hit.astype(np.int64)], missing=None if there.all() else ~there), bool(
        hit.any()
    )


def never_positive(column: Column, predicted_positive: Any) -> LabelError:
    """The error where the predicted label that means positive does not occur."""
    return LabelError(
        "unknown-name",
        "predicted_positive",
        f"the label {shown(predicted_positive)} does not occur in {column}"
        f"{nearest(predicted_positive, distinct(column.values[~column.gaps()]))}",
        "name the predicted label that means positive",
        value=predicted_positive,
    )


def same_words(truth: Column, actual: Sequence[Any], called: Sequence[Any], positive: Any = None) -> None:
    """Raises InputError where no predicted label is an actual one, as where they are written in another way.

    Two labels may be those of two classes that are known.
    """
    labels = [*actual, *called]
    if not actual or not called or {*actual} & {*called}:
        return
    numbers = [number_of(one) if isinstance(one, str) else one for one in called]
    if not any(isinstance(one, str) for one in numbers):
        not_scores("predicted", numbers)
    known = positive is not None or usual_positive(labels) is not None
    if len(labels) == 2 and known and not similar(labels):
        return
    what = (
        f"the predicted labels are {listed(called)}, and {truth} holds {listed(actual)}: none is in both"
        f"{only_in(labels)}"
    )
    if len(actual) == 2 and not similar(labels):
        raise LabelError(
            "labels",
            "predicted_positive",
            what,
            f"say which predicted label means positive with {option('predicted_positive', called[-1])}",
        )
    amounts = "" if isinstance(actual[0], str) else f"; say {option('regression', True)} if they are amounts"
    raise LabelError(
        "labels",
        "predicted",
        what,
        f"write both in one way, or name all classes with {option('classes')}{amounts}",
    )


def of_answers(role: str, not_an_answer: NotAnAnswer | None) -> NotAnAnswer | None:
    """The same for predicted labels; None for other columns."""
    return not_an_answer if role.split()[0] in (*ROLES, "judge") else None
