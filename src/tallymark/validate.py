"""Every check of input, each with its text: what, where, the value, and the way out. Behind this door nothing is checked."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

if TYPE_CHECKING:
    from .columns import Column

KNOWN_NEGATIVES = (0, -1)  # of the label pairs {0, 1}, {False, True} and {-1, 1}
MANY = 6  # labels that a message lists


class InputError(ValueError):
    """The input or the call is wrong; the text is one sentence that says what, where and what to do."""


# Arguments ------------------------------------------------------------------------------------------------------------


def level(value: float) -> float:
    """A confidence level, above 0 and below 1."""
    if not isinstance(value, (int, float)) or isinstance(value, bool) or not 0 < value < 1:
        raise InputError(f"level: {value!r} does not lie between 0 and 1; for 95 % pass 0.95.")
    return float(value)


def choice(value: Any, options: Iterable[str], role: str) -> str:
    """One of some names."""
    options = list(options)
    if value not in options:
        raise InputError(f"{role}: {value!r} is not known{nearest(value, options)}; choose from {', '.join(options)}.")
    return value


def threshold(value: Any) -> float:
    """A number, infinity included."""
    if isinstance(value, bool) or not isinstance(value, (int, float, np.integer, np.floating)) or np.isnan(value):
        raise InputError(f"threshold: {value!r} is not a number; cases with score >= threshold are predicted positive.")
    return float(value)


def nearest(value: Any, options: Iterable[str]) -> str:
    """', did you mean …?' where something is close."""
    found = get_close_matches(str(value), list(options), n=1, cutoff=0.6)
    return f", did you mean {found[0]!r}?" if found else ""


def one_of(wanted: dict[str, Any]) -> str:
    """The single argument that was given."""
    given = [name for name, value in wanted.items() if value is not None]
    if len(given) != 1:
        said = " and ".join(f"{name}=" for name in given) if given else "none"
        raise InputError(f"Give exactly one of {', '.join(f'{name}=' for name in wanted)}; given: {said}.")
    return given[0]


def only(counts: Any, **others: Any) -> None:
    """Counts leave no room for cases beside them."""
    if not hasattr(counts, "tp"):
        raise InputError(f"counts: a tallymark.Counts is needed, not a {type(counts).__name__}; as Counts(tp=, fp=, fn=, tn=).")
    for name, value in others.items():
        if value is not None:
            raise InputError(f"{name}: counts hold all that is measured, so {name} has no meaning beside them; leave it out.")


def seed(value: Any) -> int:
    """A whole number that is not negative."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 0:
        raise InputError(f"rng: {value!r} is no seed; give a whole number from 0 on, or a numpy.random.Generator.")
    return int(value)


# Cells of counts ------------------------------------------------------------------------------------------------------


def cell(value: Any, role: str) -> float | np.ndarray:
    """A weight, or an array of weights: numbers, finite, not negative."""
    if type(value) is float or type(value) is int:
        if not 0 <= value < np.inf:
            raise InputError(f"{role}: {value} cannot be a count; give a finite number that is not negative.")
        return float(value)
    array = np.asarray(value)
    if array.dtype.kind not in "buif":
        raise InputError(f"{role}: {value!r} is not a number.")
    bad = ~(array >= 0) | np.isinf(array)
    if bad.any():
        raise InputError(f"{role}: {array[bad].flat[0]} cannot be a count; give finite numbers that are not negative.")
    return _frozen(array.astype(np.float64)) if array.ndim else float(array)


def cells(*values: Any) -> list[float | np.ndarray]:
    """The four cells, of one shape."""
    checked = [cell(value, role) for value, role in zip(values, ("tp", "fp", "fn", "tn"), strict=True)]
    if all(type(value) is float for value in checked):
        return checked
    try:
        return [_frozen(array) for array in np.broadcast_arrays(*checked)]
    except ValueError:
        shapes = ", ".join(str(np.shape(value)) for value in checked)
        raise InputError(f"tp, fp, fn, tn: their shapes {shapes} do not fit together.") from None


def _frozen(array):
    array.flags.writeable = False
    return array


# Columns --------------------------------------------------------------------------------------------------------------


def same_length(*columns: Column | None) -> None:
    """All columns have as many rows as the first, and there is at least one row."""
    first, *others = columns
    assert first is not None
    if not len(first):
        raise InputError(f"{first}: there are no rows; at least one case is needed.")
    for other in others:
        if other is not None and len(other) != len(first):
            raise InputError(f"{first} has {len(first)} rows and {other} has {len(other)}; give one value per case to each.")


def no_gaps(column: Column) -> None:
    """No value is missing."""
    gaps = column.gaps()
    if gaps.any():
        number, row = int(gaps.sum()), column.row(int(gaps.argmax()))
        values = "1 value is" if number == 1 else f"{number} values are"
        raise InputError(f"{column}: {values} missing (NaN or null), the first in {row}; pass missing='drop' to leave them out.")


def scores(column: Column) -> np.ndarray:
    """float32 or float64, native; a NaN is left to the kernel, which sees it anyway."""
    array, kind = column.values, column.values.dtype.kind
    if column.missing is not None:
        no_gaps(column)
    if kind not in "buif":
        raise InputError(_not_numeric(column))
    if array.dtype in (np.float64, np.float32) and array.dtype.isnative:
        return array
    return array.astype(np.float32 if array.dtype == np.float16 else np.float64)


def _not_numeric(column):
    row = next((i for i, value in enumerate(column.values.tolist()) if not _is_number(value)), 0)
    value = column.values[row].item() if hasattr(column.values[row], "item") else column.values[row]
    if all(_is_number(value) for value in column.values[:100].tolist()):
        return f"{column}: numbers written as text, as {value!r} in {column.row(row)}; convert the column to numbers."
    return f"{column}: {value!r} in {column.row(row)} is not a number; scores are numbers, and labels go to predicted=."


def _is_number(value):
    try:
        float(value)
    except (TypeError, ValueError):
        return False
    return not isinstance(value, complex)


def weights(column: Column | None) -> np.ndarray | None:
    """float64, finite, not negative, not all zero; None stands for one each."""
    if column is None:
        return None
    if column.missing is not None or column.values.dtype.kind not in "buif":
        column = _numeric_weights(column)
    array = column.values.astype(np.float64, copy=False)
    total = array.sum()
    if not (total < np.inf and array.min() >= 0):
        bad = ~(array >= 0) | np.isinf(array)
        if not bad.any():
            raise InputError(f"{column}: the weights add up to more than a float can hold; divide them by a constant.")
        row = int(bad.argmax())
        raise InputError(f"{column}: {array[row]} in {column.row(row)} cannot be a weight; give finite numbers, none negative.")
    if not total:
        raise InputError(f"{column}: every weight is 0, so no case counts; give at least one positive weight.")
    return array


def _numeric_weights(column):
    if column.values.dtype.kind not in "buifO":
        raise InputError(_not_numeric(column).replace("scores are numbers, and labels go to predicted=", "weights are numbers"))
    gaps = column.gaps()
    if gaps.any():
        raise InputError(f"{column}: the weight in {column.row(gaps.argmax())} is missing; give every case a weight.")
    return column


# Labels of two classes ------------------------------------------------------------------------------------------------


class BinaryLabels:
    """Which label is the positive one, and what the other is: found batch by batch, judged at the end.

    Without a name for the positive label, {0, 1}, {False, True} and {-1, 1} are understood and nothing else.
    """

    def __init__(self, positive: Any = None):
        self.wanted = positive
        self.negative: Any = None
        self.found_positive = False

    def encode(self, column: Column) -> tuple[np.ndarray, float]:
        """The labels as booleans or numbers, and the number that means positive."""
        if column.missing is not None:
            no_gaps(column)
        array = column.values
        if array.dtype.kind in "buif":
            return self._numbers(column)
        if array.dtype.kind not in "OUST":
            raise InputError(f"{column}: labels are booleans, numbers or text, not {array.dtype}.")
        if self.wanted is None:
            raise InputError(_name_the_positive(column, distinct(array)))
        return self._text(column), 1.0

    def learn(self, column: Column, negative: Any, any_positive: bool) -> None:
        """Takes note of what a kernel met: the negative label (None: there was none) and whether a positive one occurred.

        Text never reaches a kernel: `encode` has taken note of it.
        """
        if column.values.dtype.kind not in "buif":
            return
        self._note(column, negative, any_positive)

    def _note(self, column, negative, any_positive):
        self.found_positive |= any_positive
        if negative is None:
            return
        if column.values.dtype.kind == "b":
            negative = bool(negative)
        if self.negative is None:
            self.negative = negative
        if negative != self.negative:
            labels = [self.negative, negative, 1 if self.wanted is None else self.wanted]
            raise InputError(_too_many(column, labels))
        if self.wanted is None and negative not in KNOWN_NEGATIVES:
            raise InputError(_name_the_positive(column, [negative, 1] if any_positive else [negative]))

    def pair(self) -> tuple:
        """The labels as they were written: the negative one (or "negative" where none occurred) and the positive one."""
        positive = self.wanted if self.wanted is not None else True if isinstance(self.negative, bool) else 1
        return ("negative" if self.negative is None else self.negative), positive

    def judge(self, column: Column) -> None:
        """After the last batch: a positive label that was named and never met is a slip of the pen."""
        known = self.wanted is None or (self.wanted == 1 and self.negative in KNOWN_NEGATIVES)
        if not self.found_positive and not known:
            raise InputError(_unknown_positive(column, self.wanted, [self.negative]))

    def _text(self, column):
        array = column.values
        hits = np.asarray(array == str(self.wanted), bool)
        others = array[~hits]
        if len(others) and not (others == others[0]).all():
            raise InputError(_explain(column, distinct(array), self.wanted))
        self._note(column, str(others[0]) if len(others) else None, bool(hits.any()))
        return hits

    def _numbers(self, column):
        array = column.values
        if (array.dtype.kind == "f" and array.dtype.itemsize not in (4, 8)) or not array.dtype.isnative:
            array = array.astype(array.dtype.newbyteorder("=") if array.dtype.kind != "f" else np.float64)
        if self.wanted is None:
            return array, 1.0
        number = as_number(self.wanted, array.dtype)
        if number is None:
            raise InputError(_unknown_positive(column, self.wanted, distinct(array)))
        return array, number

    def refuse(self, *of_labels: Column | None, score: Column | None = None) -> NoReturn:
        """Says why a kernel refused these labels: a gap, a third class, swapped columns."""
        for column in of_labels:
            if column is not None and column.values.dtype.kind in "buif":
                self._look(column, score)
        raise AssertionError("a kernel refused labels that are fine")

    def _look(self, column, score):
        no_gaps(column)
        labels = distinct(column.values)
        if score is not None and len(labels) > 2 and _looks_like_truth(score):
            raise InputError(
                f"{column} holds {len(labels)} different numbers and {score} holds two: they seem to be swapped; "
                f"truth= takes the labels and score= the scores."
            )
        if len(labels) > 2 or (self.wanted is not None and as_number(self.wanted, column.values.dtype) not in labels):
            raise InputError(_explain(column, labels, self.wanted))


def as_number(label: Any, dtype: np.dtype) -> float | None:
    """The label as a number of that type, or None if the type cannot hold it: '1' as an integer, 'true' as a boolean."""
    if isinstance(label, str):
        words = {"true": 1.0, "false": 0.0} if dtype.kind == "b" else {}
        label = words.get(label.lower(), label)
    try:
        number = float(label)
        return number if float(dtype.type(number)) == number else None
    except (TypeError, ValueError, OverflowError):
        return None


def distinct(array: np.ndarray) -> list:
    """The labels that occur, sorted."""
    return np.unique(array.astype(str) if array.dtype == object else array).tolist()


def _looks_like_truth(column):
    return column.values.dtype.kind in "buif" and len(np.unique(column.values[:10_000])) <= 2


def _listed(labels):
    shown = ", ".join(repr(label) for label in labels[:MANY])
    return shown if len(labels) <= MANY else f"{shown} and {len(labels) - MANY} more"


def _explain(column, labels, wanted):
    if wanted is not None and len(labels) <= 2:
        return _unknown_positive(column, wanted, labels)
    return _too_many(column, labels) if len(labels) > 2 else _name_the_positive(column, labels)


def _too_many(column, labels):
    return (
        f"{column}: {len(labels)} classes ({_listed(labels)}) where two are needed; for many classes pass predicted= instead of "
        "score=, or turn the labels into one class against the rest."
    )


def _name_the_positive(column, labels):
    return f"{column}: which label is the positive one? It holds {_listed(labels)}; pass positive={labels[-1]!r}, for example."


def _unknown_positive(column, wanted, labels):
    hint = nearest(wanted, map(str, labels))
    return f"{column}: the positive label {wanted!r} does not occur; the labels are {_listed(labels)}{hint}."


# Labels of many classes -----------------------------------------------------------------------------------------------


def same_kind_of_label(truth: Column, predicted: Column) -> None:
    """Both columns hold text, or both numbers or booleans."""
    kinds = [_kind_of_label(column) for column in (truth, predicted)]
    if kinds[0] != kinds[1]:
        raise InputError(f"{truth} holds {kinds[0]} and {predicted} holds {kinds[1]}; write their labels in one way.")


def _kind_of_label(column):
    if column.missing is not None:
        no_gaps(column)
    if column.values.dtype.kind not in "buifOUST":
        raise InputError(f"{column}: labels are booleans, numbers or text, not {column.values.dtype}.")
    return "numbers" if column.values.dtype.kind in "buif" else "text"


def positive_of(labels: tuple, positive: Any) -> Any:
    """Which of at most two labels is the positive one."""
    if len(labels) > 2:
        raise InputError(f"There are {len(labels)} classes ({_listed(list(labels))}): two are needed for four counts.")
    if positive is None:
        if set(labels) <= {0, 1} or set(labels) <= {-1, 1}:
            return 1
        raise InputError(_name_the_positive("The labels", list(labels)))
    found = next((label for label in labels if label == positive or str(label) == str(positive)), None)
    if found is None:
        raise InputError(_unknown_positive("The labels", positive, list(labels)))
    return found
