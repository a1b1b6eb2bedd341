"""What labels mean: which of two is the positive one, and whether there are more than two. The texts of what can be wrong."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, NoReturn

import numpy as np

from .columns import Column
from .errors import UnclearLabels
from .validate import LabelError, label_of, nearest, no_gaps, shown
from .validate import labels as labels_of

KNOWN_PAIRS = ({0, 1}, {-1, 1})  # {False, True} equals the first
FEWEST_CASES = 20  # in which so many labels that they must be amounts are refused
MANY = 6  # labels that a message lists
SOME = 1000  # predicted labels that are looked at first
EXACT_BELOW = 2**53  # whole numbers that a float holds
NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?|[+-]?inf", re.IGNORECASE)
WORDS = {**dict.fromkeys(("true", "t", "yes", "y"), 1.0), **dict.fromkeys(("false", "f", "no", "n"), 0.0)}


class Coded(NamedTuple):
    """Labels of two classes as a kernel takes them: booleans or numbers, and the number that means positive there."""

    column: Column
    codes: np.ndarray
    positive: float

    @property
    def is_positive(self) -> np.ndarray:
        return self.codes == self.positive


class BinaryLabels:
    """Which label is the positive one, and what the other is: found batch by batch, judged at the end.

    Without a name for the positive label, {0, 1}, {False, True} and {-1, 1} are understood and nothing else.
    """

    def __init__(self, positive: Any = None):
        self.wanted = plain(label_of(positive, "positive"))
        self.forget()

    def forget(self) -> None:
        """Nothing was met yet."""
        self.dtype: np.dtype | None = None
        self.negative: Any = None
        self.found_positive = False

    def encode(self, column: Column) -> tuple[np.ndarray, float]:
        """The labels as booleans or numbers for a kernel, and the number that means positive there."""
        kind = kind_of(column)
        self.dtype = column.values.dtype
        if kind == "text" and self.wanted is None:
            raise _unclear(column, distinct(column.values), None)
        if kind == "text":
            return self._compared(column, str(self.wanted)), 1.0
        if self.wanted is None:
            return _plain_numbers(column.values), 1.0
        number = as_number(self.wanted, column.values.dtype)
        if number is None:
            raise _never_met(column, self.wanted, distinct(column.values))
        if abs(number) >= EXACT_BELOW:
            return self._compared(column, number), 1.0
        return _plain_numbers(column.values), float(number)

    def coded(self, column: Column) -> Coded:
        """The column with its codes."""
        return Coded(column, *self.encode(column))

    def learn(self, column: Column, negative: Any, any_positive: Callable[[], bool]) -> None:
        """Takes note of what a kernel met: the negative label (None: there was none) and whether a positive one occurred.

        Labels that were compared here came to the kernel as booleans, and are known already. Whether a positive label occurred
        is asked only where one was named: without a name, 1 is the positive label anyway.
        """
        kind = column.values.dtype.kind
        if kind not in "buif" or (self.wanted is not None and self._needs_comparing(column)):
            return
        if kind == "b" and negative is not None:
            negative = bool(negative)
        self._note(column, negative, self.wanted is not None and any_positive())

    def _needs_comparing(self, column):
        return abs(as_number(self.wanted, column.values.dtype) or 0) >= EXACT_BELOW

    def pair(self) -> tuple:
        """The labels as the data have them: the negative one (or "negative" where none occurred) and the positive one."""
        assert self.dtype is not None
        kind = {"b": bool, "f": float, "i": int, "u": int}.get(self.dtype.kind, str)
        wanted = 1 if self.wanted is None else self.wanted
        positive = kind(wanted if kind is str else as_number(wanted, self.dtype))
        return ("negative" if self.negative is None else kind(self.negative)), positive

    def judge(self, column: Column) -> None:
        """After the last batch: a positive label that was named and never met is a slip of the pen."""
        usual = self.wanted is None or any({self.negative, self.wanted} == pair for pair in KNOWN_PAIRS)
        if not self.found_positive and not usual:
            raise _never_met(column, self.wanted, [self.negative])

    def refuse(self, *of_labels: Column | None, score: Column | None = None) -> NoReturn:
        """Says why a kernel refused these labels: a gap, a third class, swapped columns, no usual pair."""
        for column in of_labels:
            if column is not None and column.values.dtype.kind in "buif":
                self._look(column, score)
        raise AssertionError("a kernel refused labels that are fine")

    def _compared(self, column, wanted):
        """True where the label is the positive one, found by comparing: for text, and numbers that a float cannot hold."""
        hits = np.asarray(column.values == wanted, bool)
        others = column.values[~hits]
        if len(others) and not (others == others[0]).all():
            raise _unclear(column, distinct(column.values), self.wanted)
        self._note(column, others[:1].tolist()[0] if len(others) else None, bool(hits.any()))
        return hits

    def _note(self, column, negative, any_positive):
        self.found_positive |= any_positive
        if negative is None:
            return
        if self.negative is None:
            self.negative = negative
        if negative != self.negative:
            raise _unclear(column, sorted({self.negative, *distinct(column.values)}), self.wanted)
        if self.wanted is None and negative not in (0, -1):
            raise _unclear(column, distinct(column.values), None)

    def _look(self, column, score):
        no_gaps(column)
        labels = distinct(column.values)
        if score is not None and len(labels) > 2 and _looks_like_truth(score):
            raise LabelError(
                f"{column} holds {len(labels)} different numbers and {score} holds two: they seem to be swapped; "
                f"truth= takes the labels and score= the scores."
            )
        if self.wanted is None:
            fine = _is_usual(labels)
        else:
            fine = len(labels) <= 2 and as_number(self.wanted, column.values.dtype) in labels
        if not fine:
            raise _unclear(column, labels, self.wanted)


def kind_of(column: Column) -> str:
    """ "numbers" (booleans included) or "text". Raises InputError on gaps and on anything else."""
    if column.missing is not None:
        no_gaps(column)
    if column.values.dtype.kind not in "buifOUT":
        raise LabelError(f"{column}: labels are booleans, numbers or text, not {column.values.dtype}.")
    return "numbers" if column.values.dtype.kind in "buif" else "text"


def same_kind(truth: Column, predicted: Column) -> None:
    """Both columns hold text, or both numbers or booleans."""
    kinds = kind_of(truth), kind_of(predicted)
    if kinds[0] != kinds[1]:
        raise LabelError(f"{truth} holds {kinds[0]} and {predicted} holds {kinds[1]}; write their labels in one way.")


def not_swapped(truth: Column, score: Column) -> None:
    """Many numbers as truth and text as score were meant the other way round."""
    if kind_of(truth) == "numbers" and score.values.dtype.kind == "O" and len(np.unique(truth.values[:1000])) > 2:
        raise LabelError(f"{truth} holds numbers and {score} holds text: they seem to be swapped; truth= takes the labels.")


def not_scores(predicted: Any, values: Sequence | np.ndarray, truth: Sequence | np.ndarray = ()) -> None:
    """Fractional numbers are scores, not labels, where there are many, or where all labels of truth are whole numbers.

    truth: the real labels, or none where these are not all known. Raises InputError.
    """
    if not _fractional(values):
        return
    if len(np.unique(values)) > MANY:
        raise LabelError(
            f"{predicted}: these fractional numbers look like scores, not labels; pass them as score=, or say regression=True if "
            "they are predicted amounts."
        )
    if len(truth) and not _fractional(truth):
        raise LabelError(
            f"{predicted}: these fractional numbers look like scores, since truth has whole numbers only; pass them as score=, say "
            "regression=True if they are predicted amounts, or name all labels with classes=."
        )


def _fractional(values):
    """Whether a number is not whole."""
    some = np.asarray(values)
    return some.dtype.kind == "f" and bool((some != np.rint(some)).any())


def positive_of(labels: Sequence, positive: Any) -> Any:
    """Which of at most two labels is the positive one."""
    if len(labels) > 2:
        raise LabelError(f"There are {len(labels)} classes ({listed(labels)}): two are needed for four counts.")
    if positive is None:
        if _is_usual(labels):
            return next((label for label in labels if label == 1), type(labels[0])(1) if labels else 1)
        raise LabelError(_name_the_positive("truth, predicted", labels))
    positive, found = plain(positive), known_as(positive, labels)
    if found is None and not _is_usual({*labels, positive}):
        raise LabelError(_unknown_positive("truth, predicted", positive, labels))
    return positive if found is None else found


# Labels that are equal ------------------------------------------------------------------------------------------------
# Numbers compare as Python's do: 1, 1.0, np.uint64(1) and True are one label, 2**53 + 1 and 2.0**53 are two.


def plain(label: Any) -> Any:
    """A scalar of NumPy as a Python value, which compares exactly with whole numbers and with floats."""
    return label.item() if isinstance(label, np.generic) else label


def number_of(text: str) -> int | float | str:
    """The number that a text stands for; the text itself if it is none."""
    if not NUMBER.fullmatch(text):
        return text
    try:
        return int(text)
    except ValueError:
        return float(text)


def as_number(label: Any, dtype: np.dtype) -> float | int | None:
    """The label as a number of that type, or None if the type cannot hold it: "1" as an integer, "yes" or "1" as a boolean."""
    if isinstance(label, str):
        label = _word(label) if dtype.kind == "b" else number_of(label)
    try:
        with np.errstate(over="ignore"):
            held = dtype.type(label).item()
        return held if held == plain(label) else None
    except (TypeError, ValueError, OverflowError):
        return None


def known_as(wanted: Any, labels: Sequence) -> Any:
    """The one of these labels that is meant by a text or a number, as "1" for 1.0; None if none is."""
    wanted = plain(wanted)
    return next((label for label in labels if label == wanted or _stands_for(wanted, label)), None)


def _stands_for(wanted, label):
    """Whether a text stands for a number, or a number for a text."""
    if isinstance(label, str) or not isinstance(wanted, str):
        return isinstance(label, str) and label == str(wanted)
    return label == (_word(wanted) if isinstance(label, bool) else number_of(wanted))


def _word(text):
    """The number that a text stands for among booleans: "yes", "true" and "1" for 1."""
    return WORDS.get(text.lower(), number_of(text))


def named_classes(classes: Any, where: Any, found: Sequence) -> list:
    """`classes=`: a list of labels, all different, with every label that occurs among them. A text may stand for a number.

    where: the column of the labels; found: those that occur. Raises InputError.
    """
    if isinstance(classes, (str, bytes)) or not hasattr(classes, "__iter__"):
        raise LabelError(f"classes: {shown(classes)} is no list of labels; give every label once.")
    numbers = bool(found) and not isinstance(found[0], str)
    given = [plain(label) for label in labels_of(classes, "classes")]
    labels = [number_of(label) if numbers and isinstance(label, str) else label for label in given]
    odd = next((label for label in labels if not isinstance(label, (str, bool, int, float))), None)
    if odd is not None or len({isinstance(label, str) for label in labels}) > 1:
        raise LabelError(f"classes: {shown(given)} are no labels; give numbers or text, as truth has them.")
    if len(set(labels)) < len(labels):
        raise LabelError(f"classes: {shown(labels)} has a label twice; give every label once.")
    strange = next((label for label in found if label not in labels), None)
    if strange is not None:
        raise LabelError(f"{where}: {shown(strange)} is no class of those in classes= ({listed(labels)}); name all that occur.")
    return labels


def look_like_amounts(labels: Sequence, cases: int) -> bool:
    """Whether these are many different numbers for so many cases."""
    return cases >= FEWEST_CASES and 2 * len(labels) > cases and not isinstance(labels[0], str)


def not_amounts(where: Any, labels: Sequence, cases: int) -> None:
    """Many different numbers in few cases are amounts, not classes. Raises InputError."""
    if look_like_amounts(labels, cases):
        raise LabelError(
            f"{where}: {len(labels)} different numbers in {cases} cases look like amounts, not classes; say regression=True if "
            "they are amounts, or name all classes with classes=."
        )


def is_label(values: np.ndarray, label: Any) -> np.ndarray:
    """True where a value is that label."""
    if values.dtype.kind not in "buif":
        return np.asarray(values == label, bool)
    number = as_number(label, values.dtype)
    return np.zeros(len(values), bool) if number is None else np.asarray(values == number)


def together(*arrays: np.ndarray) -> tuple[list, list[np.ndarray]]:
    """The labels that occur in any of these arrays, sorted, and for each array the places of its values among them."""
    if arrays[0].dtype.kind != "O" and len({array.dtype for array in arrays}) == 1:  # one sort is faster
        values, codes = np.unique(np.concatenate(arrays), return_inverse=True)
        return values.tolist(), np.split(codes, np.cumsum([len(array) for array in arrays])[:-1])
    found = [distinct(array) for array in arrays]
    labels = sorted(set().union(*found))
    return labels, [_places(array, there, labels) for array, there in zip(arrays, found, strict=True)]


def places(values: np.ndarray, labels: Sequence) -> np.ndarray:
    """The place of each value among the labels; -1 where it is none of them."""
    return _places(values, distinct(values), labels)


def _places(values, found, labels):
    """found: the distinct values, sorted."""
    place = {label: index for index, label in enumerate(labels)}
    if values.dtype.kind == "O":
        return np.fromiter((place.get(value, -1) for value in values.tolist()), np.int64, len(values))
    of_found = np.fromiter((place.get(label, -1) for label in found), np.int64, len(found))
    return of_found[np.searchsorted(np.array(found, values.dtype), values)] if len(found) else np.empty(0, np.int64)


def differ(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """True where two columns of the same rows have different values."""
    _, (first, second) = together(one, other)
    return first != second


def distinct(array: np.ndarray) -> list:
    """The labels that occur, sorted; a NaN is none."""
    if array.dtype.kind == "O":
        return sorted(set(array.tolist()))
    return np.unique(array[array == array]).tolist()


def _is_usual(labels):
    return any(set(labels) <= pair for pair in KNOWN_PAIRS)


def _plain_numbers(array):
    """Of a type that the kernels know: native, and no longer than 64 bits."""
    if array.dtype.kind == "f" and array.dtype.itemsize not in (4, 8):
        with np.errstate(over="ignore"):  # what is beyond all floats is infinite
            return array.astype(np.float64)
    return array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))


def _looks_like_truth(column):
    return column.values.dtype.kind in "buif" and len(np.unique(column.values[:10_000])) <= 2


def listed(labels: Sequence) -> str:
    """The first labels, and how many more there are."""
    some = ", ".join(shown(label) for label in list(labels)[:MANY])
    return some if len(labels) <= MANY else f"{some} and {len(labels) - MANY} more"


def _unclear(column: Column, labels: list[Any], wanted: Any) -> UnclearLabels:
    if len(labels) <= 2 and wanted is not None:
        return _never_met(column, wanted, labels)
    text = _too_many(column, labels) if len(labels) > 2 else _name_the_positive(column, labels)
    return UnclearLabels(text, column, labels, wanted)


def _never_met(column: Column, wanted: Any, labels: list[Any]) -> UnclearLabels:
    return UnclearLabels(_unknown_positive(column, wanted, labels), column, labels, wanted)


def _too_many(column: Column, labels: Sequence[Any]) -> str:
    return (
        f"{column}: {len(labels)} classes ({listed(labels)}) where two are needed; for many classes pass truth= and "
        "predicted= to evaluate, which measures every class and averages, or turn the labels into one class against the rest."
    )


def _name_the_positive(column: Any, labels: Sequence[Any]) -> str:
    ways = " or ".join(f"positive={shown(label)}" for label in labels)
    return f"{column}: which label is the positive one? Pass {ways}."


def _unknown_positive(column: Any, wanted: Any, labels: Sequence[Any]) -> str:
    hint = nearest(wanted, labels)
    return f"{column}: the positive label {shown(wanted)} does not occur{hint}; the labels are {listed(labels)}."
