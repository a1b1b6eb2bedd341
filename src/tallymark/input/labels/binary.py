"""Which of two labels is the positive one, and the messages of errors."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from numbers import Number
from typing import Any, NamedTuple, NoReturn

import numpy as np

from ..columns import Column
from ..errors import LabelError, UnclearLabels
from ..spelling import assigned, option
from ..validate import WHOLE_BELOW, nearest, no_gaps
from ..values import label_of, shown
from .equal import as_number, distinct, known_as, listed, named_classes, number_of, plain
from .kinds import kind_of
from .similar import only_in
from .words import opposite, same_word, usual_positive

BOTH = "truth, predicted"
FIRST = 1000  # rows in which a positive label is likely
AMOUNTS = 20  # distinct numbers above which they may be amounts


class Coded(NamedTuple):
    """Labels of two classes as a kernel takes them.

    codes: booleans or numbers; positive: the code of the positive label.
    """

    column: Column
    codes: np.ndarray
    positive: float

    @property
    def is_positive(self) -> np.ndarray:
        return np.asarray(self.codes == self.positive)


class BinaryLabels:
    """The positive and the negative label, found batch by batch and checked at the end.

    Without a given positive label, only 0/1, -1/1, and the words that mean no and yes are accepted. classes:
    both labels, with or without cases; without these, those that the type of the labels declares.
    """

    def __init__(self, positive: Any = None, classes: Any = None):
        self.classes = None if classes is None else _two(classes)
        self.wanted = plain(label_of(positive, "positive"))
        if self.classes is not None and self.wanted is None:
            self.wanted = usual_positive(map(_number, self.classes))
        elif self.classes is not None:
            self.wanted = positive_of(self.classes, self.wanted)
        self.forget()

    def forget(self) -> None:
        """Starts again, with no label seen."""
        self.dtype: np.dtype[Any] | None = None
        self.positive: Any = self.wanted  # as it is written
        self.negative: Any = None
        self.found_positive = False
        self.levels: tuple[Any, ...] = ()

    def __add__(self, other: BinaryLabels) -> BinaryLabels:
        """The labels of both sets of cases. Raises InputError where these are more than two."""
        found = copy(self)
        if self.dtype is None or other.dtype is None:
            vars(found).update(vars(other if self.dtype is None else self))
            return found
        kinds = {one.dtype.kind in "buif" for one in (self, other) if one.dtype is not None}
        known = {one.negative for one in (self, other) if one.negative is not None}
        if len(known) > 1 and {same_word(label, known) for label in known} <= known:
            known = {min(known)}
        positives = {one.positive for one in (self, other) if one.found_positive or one.wanted is None}
        if len(kinds) > 1 or len(known) > 1:
            labels = sorted({*self._known, *other._known}, key=str)
            raise LabelError("labels", "truth", *_too_many(labels))
        found.dtype = np.result_type(self.dtype, other.dtype)
        found.negative = min(known, default=None)
        found.positive = min(positives - {None}, default=self.positive)
        found.found_positive |= other.found_positive
        found.levels = self.levels if self.levels == other.levels else ()
        return found

    @property
    def _known(self) -> set[Any]:
        """The labels that occurred so far."""
        positive = 1 if self.positive is None else self.positive
        return ({positive} if self.found_positive else set()) | {self.negative} - {None}

    def encode(self, column: Column) -> tuple[np.ndarray, float]:
        """The labels as booleans or numbers for a kernel, and the value that means positive."""
        kind = kind_of(column)
        self.dtype = column.values.dtype
        self.levels = () if column.levels is None else column.levels.labels
        if self.classes is not None:
            named_classes(self.classes, column, distinct(column.values))
            if self.wanted is None:
                raise LabelError("labels", BOTH, *_name_the_positive(self.classes))
        if kind == "text":
            return self._compared(column, self._as_written(column)), 1.0
        if self.wanted is None:
            return _plain_numbers(column.values), 1.0
        number = as_number(self.wanted, column.values.dtype)
        if number is None:
            raise _never_met(column, self.wanted, distinct(column.values))
        if abs(number) >= WHOLE_BELOW:
            return self._compared(column, number), 1.0
        return _plain_numbers(column.values), float(number)

    def _as_written(self, column: Column) -> str:
        """The positive label, as a text of the column."""
        if self.wanted is not None and str(self.wanted) in column.values[:FIRST]:
            self.positive = str(self.wanted)
        else:
            labels = distinct(column.values)
            seen = {*labels, *(one for one in (self.positive, self.negative) if isinstance(one, str))}
            word = usual_positive(seen) if self.wanted is None else known_as(self.wanted, labels)
            if word is None and self.wanted is None:
                raise self._unclear(column)
            self.positive = word or self.positive
        return str(self.positive)

    def coded(self, column: Column) -> Coded:
        """The column with its codes."""
        return Coded(column, *self.encode(column))

    def learn(self, column: Column, negative: Any, any_positive: bool) -> None:
        """Records the negative label that a kernel found, None for none, and whether a positive one occurred.

        Labels that were compared here reached the kernel as booleans, and are known already.
        """
        kind = column.values.dtype.kind
        if kind not in "buif" or (self.wanted is not None and self._needs_comparing(column)):
            return
        if kind == "b" and negative is not None:
            negative = bool(negative)
        self._note(column, negative, any_positive)

    def _needs_comparing(self, column: Column) -> bool:
        return abs(as_number(self.wanted, column.values.dtype) or 0) >= WHOLE_BELOW

    def pair(self) -> tuple[Any, Any]:
        """The negative label ("negative" where it is not known) and the positive one, as in the data."""
        assert self.dtype is not None
        kind = {"b": bool, "f": float, "i": int, "u": int}.get(self.dtype.kind, str)
        wanted = 1 if self.positive is None else self.positive
        positive = kind(wanted if kind is str else as_number(wanted, self.dtype))
        negative = self.negative if self.negative is not None else self._without_cases(positive)
        return ("negative" if negative is None else kind(negative)), positive

    def _without_cases(self, positive: Any) -> Any:
        """The negative label of cases that are all positive, where it is known."""
        others = [label for label in self.classes or self.levels if known_as(self.wanted, [label]) is None]
        return others[0] if len(others) == 1 else opposite(positive)

    def judge(self, column: Column) -> None:
        """Called after the last batch. Raises InputError where the given positive label does not occur.

        It need not where all classes are named, or where it is the other one of a known pair.
        """
        if (
            self.wanted is None
            or self.found_positive
            or known_as(self.wanted, self.classes or self.levels) is not None
        ):
            return
        if usual_positive({self.negative, self.wanted} - {None}) is None:
            raise _never_met(column, self.wanted, [self.negative])

    def refuse(self, *of_labels: Column | None, score: Column | None = None) -> NoReturn:
        """Raises InputError for labels that a kernel refused: missing, a third one, or no known pair."""
        for column in of_labels:
            if column is not None and column.values.dtype.kind in "buif":
                self._look(column, score)
        raise LabelError(
            "labels", None, "labels or scores changed while they were read", "pass copies to other threads"
        )

    def _compared(self, column: Column, wanted: Any) -> np.ndarray:
        """True where the label is the positive one, by comparison; for text, and numbers beyond floats."""
        hits = np.asarray(column.values == wanted, bool)
        others = column.values[~hits]
        if len(others) and not (others == others[0]).all():
            raise self._unclear(column)
        self._note(column, others[:1].tolist()[0] if len(others) else None, bool(hits.any()))
        return hits

    def _note(self, column: Column, negative: Any, any_positive: bool) -> None:
        odd = self.wanted is None and usual_positive([negative]) in (None, negative)
        if negative is not None and (odd or self.negative not in (None, negative)):
            raise self._unclear(column)
        self.found_positive |= any_positive
        self.negative = self.negative if negative is None else negative

    def _look(self, column: Column, score: Column | None) -> None:
        no_gaps(column)
        labels = distinct(column.values)
        if score is not None and len(labels) > 2 and _looks_like_truth(score):
            raise LabelError(
                "ambiguous",
                None,
                f"{column} holds {len(labels)} different numbers and {score} holds two: they seem to be"
                " swapped",
                f"{option('truth')} takes the labels and {option('score')} the scores",
            )
        if self.wanted is None:
            fine = usual_positive(labels) is not None
        else:
            fine = len(labels) <= 2 and as_number(self.wanted, column.values.dtype) in labels
        if not fine:
            raise self._unclear(column)

    def _unclear(self, column: Column) -> UnclearLabels:
        """The error for these labels, with those of earlier rows; it says where another one begins."""
        here, known = distinct(column.values), self._known
        labels = sorted({*here, *known}, key=lambda one: (isinstance(one, str), one))
        if len(labels) <= 2 and self.wanted is not None:
            return _never_met(column, self.wanted, labels)
        problem, remedy = _too_many(labels) if len(labels) > 2 else _name_the_positive(labels)
        if len(labels) > 2 and (known or (len(labels) == 3 and (column.first_row or column.file))):
            first = {label: int(np.argmax(column.values == label)) for label in here}
            last = max(here, key=lambda label: (label not in known, first[label]))
            problem += f", {shown(last)} from {column.row(first[last])} on"
        return UnclearLabels(problem, remedy, column, labels, self.wanted)


def positive_of(labels: Sequence[Any], positive: Any) -> Any:
    """Which of at most two labels is the positive one."""
    if len(labels) > 2:
        raise LabelError(
            "labels",
            None,
            f"There are {len(labels)} classes ({listed(labels)}): two are needed for four counts",
        )
    if positive is None:
        usual = usual_positive(labels)
        if usual is None:
            raise LabelError("labels", BOTH, *_name_the_positive(labels))
        return usual
    positive, found = plain(positive), known_as(positive, labels)
    if found is None and usual_positive({*labels, positive}) is None:
        raise LabelError("labels", BOTH, *_unknown_positive(positive, labels))
    return positive if found is None else found


def _number(label: Any) -> Any:
    return number_of(label) if isinstance(label, str) else label


def _two(classes: Any) -> list[Any]:
    """The labels in `classes=`. Raises InputError unless there are two."""
    labels = named_classes(classes, "truth", ())
    if len(labels) != 2:
        raise LabelError(
            "labels",
            "classes",
            f"{len(labels)} classes ({listed(labels)}) where two are needed",
            f"name both; for many classes pass a score per class, or {option('predicted')}",
        )
    return labels


def _plain_numbers(array: np.ndarray) -> np.ndarray:
    """The numbers as a type that the kernels accept: native, and of at most 64 bits."""
    if array.dtype.kind == "f" and array.dtype.itemsize not in (4, 8):
        with np.errstate(over="ignore"):  # what is beyond all floats is infinite
            return array.astype(np.float64)
    return array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))


def _looks_like_truth(column: Column) -> bool:
    return column.values.dtype.kind in "buif" and len(np.unique(column.values[:10_000])) <= 2


def _never_met(column: Column, wanted: Any, labels: list[Any]) -> UnclearLabels:
    return UnclearLabels(*_unknown_positive(wanted, labels), column, labels, wanted)


def _too_many(labels: Sequence[Any]) -> tuple[str, str]:
    return (
        f"{len(labels)} classes ({listed(labels)}) where two are needed{only_in(labels)}",
        (
            f"for many classes pass {option('truth')} and {option('predicted')} to evaluate, which measures "
            "every class and averages, or turn the labels into "
            "one class against the rest; "
        )
        + (
            f"if they are amounts, pass {option('predicted')} and {option('regression', True)}"
            if _many_numbers(labels)
            else f"predicted values that name no class go to {option('not_an_answer')}"
        ),
    )


def _many_numbers(labels: Sequence[Any]) -> bool:
    return len(labels) > AMOUNTS and all(isinstance(one, Number) for one in labels)


def _name_the_positive(labels: Sequence[Any]) -> tuple[str, str]:
    ways = " or ".join(assigned("positive", shown(label)) for label in labels)
    return "it does not say which label is the positive one", f"pass {ways}"


def _unknown_positive(wanted: Any, labels: Sequence[Any]) -> tuple[str, str]:
    return (
        f"the positive label {shown(wanted)} does not occur{nearest(wanted, labels)}"
        f"{only_in([wanted, *labels])}",
        f"the labels are {listed(labels)}; if it is a class without cases here, name both classes with"
        f" {option('classes')}",
    )
