"""Labels: which are equal, of which kind they are, and which of two is the positive one."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from numbers import Number
from typing import Any, NamedTuple, NoReturn

import numpy as np

from .columns import ANSWERS, Column, Understood, from_objects, is_gap, read, understood
from .errors import InputError, LabelError, UnclearLabels, assigned, option
from .validate import WHOLE_BELOW, label_of, labels as labels_of, nearest, no_gaps, shown

Array = np.ndarray[Any, np.dtype[Any]]
MANY = 6  # labels that a message lists
MOST_CODES, FEW_CODES = 1 << 22, 1 << 10  # whole numbers in a range of this size are counted, not sorted
MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)  # of a hash of text; equal hashes are compared as text
NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?|[+-]?inf", re.IGNORECASE)


def plain(label: Any) -> Any:
    """A scalar of NumPy as a Python value, which compares exactly with whole numbers and with floats.

    Bytes are text, as in a column.
    """
    label = label.item() if isinstance(label, np.generic) else label
    return label.decode("utf-8", "backslashreplace") if isinstance(label, bytes) else label


def number_of(text: str) -> int | float | str:
    """The number that a text represents, else the text itself."""
    if not NUMBER.fullmatch(text):
        return text
    try:
        return int(text)
    except ValueError:
        return float(text)


def as_number(label: Any, dtype: np.dtype[Any]) -> float | int | None:
    """The label as a number of that type ("1" as an integer, "yes" as a boolean), or None if it has none."""
    if isinstance(label, str):
        label = _word(label) if dtype.kind == "b" else number_of(label)
    try:
        with np.errstate(over="ignore"):
            held = dtype.type(label).item()
        return held if held == plain(label) else None
    except (TypeError, ValueError, OverflowError):
        return None


def known_as(wanted: Any, labels: Sequence[Any]) -> Any:
    """The one of these labels that a text or a number means, as "1" for 1.0; None if there is none."""
    wanted = plain(wanted)
    exact = next((label for label in labels if label == wanted or _stands_for(wanted, label)), None)
    return same_word(wanted, labels) if exact is None else exact


def _stands_for(wanted: Any, label: Any) -> bool:
    """Whether one is the text of the other, a number or a boolean."""
    if isinstance(label, str) or not isinstance(wanted, str):
        return isinstance(label, str) and label == str(wanted)
    return bool(label == (_word(wanted) if isinstance(label, bool) else number_of(wanted)))


def _word(text: str) -> int | float | str:
    """The number that a text means among booleans: 1 for "yes", "true" and "1"."""
    return WORDS.get(text.lower(), number_of(text))


def named_classes(classes: Any, where: Any, found: Sequence[Any]) -> list[Any]:
    """The labels in `classes=`, all different, which must include every label that occurs.

    where: the column of the labels; found: those that occur. A text may mean a number. Raises InputError.
    """
    if isinstance(classes, (str, bytes)) or not hasattr(classes, "__iter__"):
        raise LabelError(
            "labels",
            "classes",
            f"{shown(classes)} is not a list of labels",
            "give every label once",
            value=classes,
        )
    numbers = bool(found) and not isinstance(found[0], str)
    given = [plain(label) for label in labels_of(classes, "classes")]
    labels = [_meant(label, found[0]) if numbers and isinstance(label, str) else label for label in given]
    odd = next((label for label in labels if not isinstance(label, (str, bool, int, float))), None)
    if odd is not None or len({isinstance(label, str) for label in labels}) > 1:
        raise LabelError(
            "labels", "classes", f"{shown(given)} are not labels", "give numbers or text, as truth has them"
        )
    if len(set(labels)) < len(labels):
        raise LabelError("repeated", "classes", f"{shown(labels)} has a label twice", "give every label once")
    strange = next((one for one in found if one not in labels and same_word(one, labels) is None), None)
    if strange is not None:
        part = isinstance(where, Column) and (where.file or where.first_row)  # of many rows
        place = f", in {where.row(int(np.argmax(where.values == strange)))}," if part else ""
        raise LabelError(
            "unknown-name",
            where,
            f"{shown(strange)}{place} is not one of the classes in {option('classes')} ({brief(labels)})",
            "name all that occur"
            + f", or in {option('not_an_answer')} those that are no class" * ("predicted" in str(where)),
            value=strange,
        )
    return labels


def _meant(text: str, other: Any) -> Any:
    """The number or boolean that a text means among labels as another one."""
    value = _word(text) if isinstance(other, bool) else number_of(text)
    return bool(value) if isinstance(other, bool) and value in (0, 1) else value


def is_label(values: Array, label: Any) -> Array:
    """True where a value is that label."""
    if values.dtype.kind not in "buif":
        return np.asarray(values == label, bool)
    number = as_number(label, values.dtype)
    return np.zeros(len(values), bool) if number is None else np.asarray(values == number)


def together(*arrays: Array) -> tuple[list[Any], list[Array]]:
    """The sorted labels of these arrays together, and for each array the indices of its values."""
    if arrays[0].dtype.kind != "O" and len({array.dtype for array in arrays}) == 1:  # at once is faster
        values, codes = coded(np.concatenate(arrays))
        return values.tolist(), np.split(codes, np.cumsum([len(array) for array in arrays])[:-1])
    arrays = tuple(as_text(array) for array in arrays)
    occurring = [distinct(array) for array in arrays]
    labels = sorted(set().union(*occurring))
    return labels, [places(array, labels, own) for array, own in zip(arrays, occurring, strict=True)]


def as_text(values: Array) -> Array:
    """Days and times of any unit in ISO 8601, without zeros at the end; other values as they are."""
    return np.datetime_as_string(values, unit="auto") if values.dtype.kind == "M" else values


def coded(values: Array) -> tuple[Array, Array]:
    """The distinct values of an array that holds no objects, sorted, and the index of each value.

    Whole numbers in a range are counted, not sorted; of text hashes are sorted, which are checked.
    """
    kind = values.dtype.kind
    if kind == "b":
        found, codes = coded(values.view(np.uint8))
        return found.view(bool), codes
    if kind in "iu" and len(values):
        low = values.min()
        reach = int(values.max()) - int(low)
        if reach < min(MOST_CODES, 4 * len(values) + FEW_CODES):
            shifted = np.subtract(values, low, dtype=np.int64, casting="unsafe")  # int8 has no 200
            there = np.bincount(shifted, minlength=reach + 1) > 0
            return np.flatnonzero(there).astype(values.dtype) + low, (np.cumsum(there) - 1)[shifted]
    if kind == "U" and len(values):
        letters = np.ascontiguousarray(values).view(np.uint32).reshape(len(values), -1)
        keys = np.zeros(len(values), np.uint64)
        for place in range(letters.shape[1]):
            keys = (keys ^ letters[:, place]) * MULTIPLIER
        distinct_keys, codes = np.unique(keys, return_inverse=True)
        first = np.empty(len(distinct_keys), np.int64)
        first[codes] = np.arange(len(codes))
        texts = values[first]
        if (texts[codes] == values).all():  # no two texts have one hash
            order = np.argsort(texts)
            place_of = np.empty(len(order), np.int64)
            place_of[order] = np.arange(len(order))
            return texts[order], place_of[codes]
    return np.unique(values, return_inverse=True)


def places(values: Array, labels: Sequence[Any], occurring: Sequence[Any] | None = None) -> Array:
    """The index of each value among the labels; -1 where it is none of them.

    occurring: the distinct values, sorted, where they are known.
    """
    place = {label: index for index, label in enumerate(labels)}
    if values.dtype.kind == "O" or not len(values):
        return np.fromiter((place.get(value, -1) for value in values.tolist()), np.int64, len(values))
    known = distinct(values) if occurring is None else occurring
    of_each = np.fromiter((place.get(label, -1) for label in known), np.int64, len(known))
    return of_each[np.searchsorted(np.array(known, values.dtype), values)]


def differ(one: Array, other: Array) -> Array:
    """True where two columns of the same rows have different values."""
    _, (first, second) = together(one, other)
    return np.asarray(first != second)


def distinct(array: Array) -> list[Any]:
    """The labels that occur, sorted, without NaN."""
    if array.dtype.kind == "O":
        return sorted(set(array.tolist()))
    return np.unique(array[array == array]).tolist()


def brief(labels: Sequence[Any]) -> str:
    """The first labels, and how many more there are."""
    some = ", ".join(shown(label) for label in list(labels)[:MANY])
    return some if len(labels) <= MANY else f"{some} and {len(labels) - MANY} more"


FEWEST_CASES = 20  # in which so many labels that they must be amounts are refused
SOME = 1000  # number of predicted labels that are checked first


def kind_of(column: Column) -> str:
    """ "numbers" (booleans included) or "text". Raises InputError on gaps and on anything else."""
    if column.missing is not None:
        no_gaps(column)
    if column.values.dtype.kind not in "buifOUT":
        raise LabelError("labels", column, f"labels are booleans, numbers or text, not {column.values.dtype}")
    return "numbers" if column.values.dtype.kind in "buif" else "text"


def same_kind(truth: Column, predicted: Column) -> None:
    """Checks that both columns are text, or both numbers or booleans."""
    kinds = kind_of(truth), kind_of(predicted)
    if kinds[0] != kinds[1]:
        raise LabelError(
            "labels",
            None,
            f"{truth} holds {kinds[0]} and {predicted} holds {kinds[1]}",
            "write their labels in one way, or say which predicted label means positive with"
            f" {option('predicted_positive')}",
        )


def not_swapped(truth: Column, score: Column) -> None:
    """Raises InputError for many numbers as truth and text as score, which are probably swapped."""
    if (
        kind_of(truth) == "numbers"
        and score.values.dtype.kind == "O"
        and len(np.unique(truth.values[:1000])) > 2
    ):
        raise LabelError(
            "ambiguous",
            None,
            f"{truth} holds numbers and {score} holds text: they seem to be swapped",
            f"{option('truth')} takes the labels",
        )


def not_scores(
    predicted: Any, values: Sequence[Any] | np.ndarray, truth: Sequence[Any] | np.ndarray = ()
) -> None:
    """Raises InputError for fractional numbers as labels, which are probably scores.

    They are refused where there are many, or where all labels of truth are whole numbers. truth: the actual
    labels, or none where these are not all known.
    """
    if not _fractional(values):
        return
    if len(np.unique(values)) > MANY:
        raise LabelError(
            "ambiguous",
            predicted,
            "these fractional numbers look like scores, not labels",
            f"pass them as {option('score')}, or say {option('regression', True)} if they are predicted"
            " amounts",
        )
    if len(truth) and not _fractional(truth):
        raise LabelError(
            "ambiguous",
            predicted,
            "these fractional numbers look like scores, since truth has whole numbers only",
            f"pass them as {option('score')}, say {option('regression', True)} if they are predicted "
            f"amounts, or name all labels with {option('classes')}",
        )


def _fractional(values: Sequence[Any] | np.ndarray) -> bool:
    """Whether a number is not whole."""
    some = np.asarray(values)
    return some.dtype.kind == "f" and bool((some != np.rint(some)).any())


def look_like_amounts(labels: Sequence[Any], cases: int) -> bool:
    """Whether there are so many different numbers for this many cases that they are probably amounts."""
    return cases >= FEWEST_CASES and 2 * len(labels) > cases and not isinstance(labels[0], str)


def not_amounts(where: Any, labels: Sequence[Any], cases: int) -> None:
    """Raises InputError for many different numbers in few cases, which are probably amounts."""
    if look_like_amounts(labels, cases):
        raise LabelError(
            "ambiguous",
            where,
            f"{len(labels)} different numbers in {cases} cases look like amounts, not classes",
            f"say {option('regression', True)} if they are amounts, or name all classes with"
            f" {option('classes')}",
        )


ZEROS = re.compile(r"0*([0-9]+)(\.0*)?")  # as 01 and 1.0
# what a difference is in, and the text without it
FORMS: Mapping[str, Callable[[str], str]] = {
    "the Unicode form": lambda text: unicodedata.normalize("NFKC", text),
    "blanks": lambda text: "".join(text.split()),
    "case": str.casefold,
    "zeros": lambda text: whole[1] if (whole := ZEROS.fullmatch(text)) else text,
}
LIKE_MISSING = frozenset({".", "-", "--", "?", "na", "n.a.", "missing"})


def like_missing(labels: Iterable[Any]) -> list[str]:
    """The labels that may stand for missing values; not those of a pair of + and -."""
    texts = [label for label in labels if isinstance(label, str)]
    return [] if "+" in texts else [text for text in texts if text.casefold() in LIKE_MISSING]


def similar(labels: Iterable[Any]) -> dict[tuple[str, str], str]:
    """By pair of labels that differ only in case, blanks, zeros or the Unicode form, what they differ in."""
    first: dict[str, str] = {}
    result = {}
    for text in labels:
        if isinstance(text, str):
            other = first.setdefault(_without(text), text)
            if other != text:
                needed = [name for name in FORMS if _without(text, name) != _without(other, name)]
                result[other, text] = " and ".join(needed)
    return result


def _without(text: str, but: str = "") -> str:
    """The text without differences of any kind but one."""
    for name, form in FORMS.items():
        text = text if name == but else form(text)
    return text


def only_in(labels: Iterable[Any]) -> str:
    """As "; 'Cat' and 'cat' differ only in case" for the first such pair, else an empty text."""
    for (one, other), what in similar(labels).items():
        return f"; {shown_apart(one, other)} differ only in {what}"
    return ""


def shown_apart(one: str, other: str) -> str:
    """Two texts in a message; those that look the same with their code points."""
    if unicodedata.normalize("NFKC", one) == unicodedata.normalize("NFKC", other):
        return f"{one!a} and {other!a}"
    return f"{shown(one)} and {shown(other)}"


KNOWN_PAIRS = ({0, 1}, {-1, 1})  # {False, True} is equal to the first
KNOWN_WORDS = {"false": 0.0, "f": 0.0, "no": 0.0, "true": 1.0, "t": 1.0, "yes": 1.0}
WORDS = KNOWN_WORDS | {"n": 0.0, "y": 1.0}  # that name a boolean
DIGITS = {"0": 0.0, "1": 1.0}  # booleans together with a word
VALUES = KNOWN_WORDS | DIGITS
SIGNS = {"negative": 0.0, "positive": 1.0}
OPPOSITES = {"no": "yes", "false": "true", "f": "t", "negative": "positive"}
FIRST_WORDS = 100  # rows that show whether labels may be words
OPPOSITES |= {yes: no for no, yes in OPPOSITES.items()}


def _values_in(words: Mapping[str, float], labels: Iterable[Any]) -> dict[Any, float]:
    """The value of each label, where all are texts among these words, in any case; else none."""
    texts = dict.fromkeys(labels)
    known = all(isinstance(text, str) and text.casefold() in words for text in texts)
    return {text: words[text.casefold()] for text in texts} if known else {}


def truth_values(labels: Iterable[Any]) -> dict[Any, float]:
    """1 for each that means yes or true, 0 for no and false, where all mean one of these; else none.

    "0" and "1" do together with a word.
    """
    values = _values_in(VALUES, labels)
    return {} if values.keys() <= DIGITS.keys() else values


def signs(labels: Iterable[Any]) -> dict[Any, float]:
    """1 for "positive" and 0 for "negative", where they are one or both of these; else none."""
    values = _values_in(SIGNS, labels)
    return values if len(values) <= 2 else {}


def usual_positive(labels: Iterable[Any]) -> Any:
    """The positive label, where labels show it; else None.

    They do if they are 0/1, -1/1, false/true, no/yes or negative/positive, or one of two.
    """
    found = sorted({*labels}, key=str)
    if any(set(found) <= pair for pair in KNOWN_PAIRS):
        return next((label for label in found if label == 1), type(found[0])(1) if found else 1)
    values = truth_values(found) or signs(found)
    positive = [label for label, value in values.items() if value]
    return positive[0] if positive else opposite(found[0]) if values else None


def same_word(wanted: Any, labels: Iterable[Any]) -> Any:
    """The label that means the same, as "yes" for "TRUE", where all labels mean yes or no; else None."""
    value = WORDS.get(str(wanted).casefold(), DIGITS.get(str(wanted)))
    return next((label for label, one in truth_values(labels).items() if one == value), None)


def opposite(label: Any) -> Any:
    """The other label of a known pair of words, in the same case; None for other labels."""
    text = str(label)
    word = OPPOSITES.get(text.casefold())
    if word is None:
        return None
    return word.upper() if text.isupper() else word.title() if text.istitle() else word


def declared_texts(positive: Any, classes: Any) -> frozenset[str]:
    """The texts among the labels that are named, which are no missing values."""
    named = [positive, *(() if classes is None else labels_of(classes, "classes"))]
    return frozenset(label for label in named if isinstance(label, str))


def read_labels(positive: Any, classes: Any, not_an_answer: Any = None, **given: Any) -> dict[str, Column]:
    """Columns of labels that are compared, by role; yes and no are written in one way."""
    texts = declared_texts(positive, classes)
    own = {"predicted": not_an_answer}
    columns = {
        role: read(values, role, classes=texts, not_an_answer=own.get(role)) for role, values in given.items()
    }
    return in_one_spelling(columns, spelling_of(classes))


def spelling_of(classes: Any) -> dict[float, str]:
    """By truth value the words that `classes` names."""
    return {value: label for label, value in truth_values(declared_texts(None, classes)).items()}


def in_one_spelling(columns: Mapping[str, Column], spelled: dict[float, str]) -> dict[str, Column]:
    """The columns; labels that mean yes or no are written in all of them as where they come first.

    spelled: by truth value the word in earlier rows, to which those of these rows are added.
    """
    of_text = {
        role: column.values
        for role, column in columns.items()
        if role.split()[0] in ANSWERS and column.values.dtype.kind in "OU"
    }
    some = {label for values in of_text.values() for label in values[:FIRST_WORDS].tolist()} - {None}
    if some and not _values_in(VALUES, some):
        return dict(columns)  # without a look at all rows
    texts = {role: {*values.tolist()} - {None} for role, values in of_text.items()}
    value_of = truth_values(set().union(*texts.values()))
    if not value_of:
        return dict(columns)
    in_turn = [label for found in texts.values() for label in sorted(found)]
    for label in sorted(in_turn, key=DIGITS.__contains__):  # words first
        spelled.setdefault(value_of[label], label)
    word_of: dict[Any, Any] = {label: spelled[value] for label, value in value_of.items()} | {None: None}
    if all(label == word for label, word in word_of.items()):
        return dict(columns)
    return {
        role: replace(column, values=np.array([word_of[label] for label in column.values.tolist()], object))
        if role in texts
        else column
        for role, column in columns.items()
    }


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
        result = copy(self)
        if self.dtype is None or other.dtype is None:
            vars(result).update(vars(other if self.dtype is None else self))
            return result
        kinds = {one.dtype.kind in "buif" for one in (self, other) if one.dtype is not None}
        known = {one.negative for one in (self, other) if one.negative is not None}
        if len(known) > 1 and {same_word(label, known) for label in known} <= known:
            known = {min(known)}
        positives = {one.positive for one in (self, other) if one.found_positive or one.wanted is None}
        if len(kinds) > 1 or len(known) > 1:
            labels = sorted({*self._known, *other._known}, key=str)
            raise LabelError("labels", "truth", *_too_many(labels))
        result.dtype = np.result_type(self.dtype, other.dtype)
        result.negative = min(known, default=None)
        result.positive = min(positives - {None}, default=self.positive)
        result.found_positive |= other.found_positive
        result.levels = self.levels if self.levels == other.levels else ()
        return result

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
        kind, beyond = column.values.dtype.kind, False
        if kind in "buif" and self.wanted is not None:
            beyond = abs(as_number(self.wanted, column.values.dtype) or 0) >= WHOLE_BELOW
        if kind not in "buif" or beyond:
            return
        if kind == "b" and negative is not None:
            negative = bool(negative)
        self._note(column, negative, any_positive)

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
            f"There are {len(labels)} classes ({brief(labels)}): two are needed for four counts",
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
            f"{len(labels)} classes ({brief(labels)}) where two are needed",
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
        f"{len(labels)} classes ({brief(labels)}) where two are needed{only_in(labels)}",
        (
            f"for many classes pass {option('truth')} and {option('predicted')} to evaluate, which measures "
            "every class and averages, or turn the labels into "
            "one class against the rest; "
        )
        + (
            f"if they are amounts, pass {option('predicted')} and {option('regression', True)}"
            if len(labels) > AMOUNTS and all(isinstance(one, Number) for one in labels)
            else f"predicted values that name no class go to {option('not_an_answer')}"
        ),
    )


def _name_the_positive(labels: Sequence[Any]) -> tuple[str, str]:
    ways = " or ".join(assigned("positive", shown(label)) for label in labels)
    return "it does not say which label is the positive one", f"pass {ways}"


def _unknown_positive(wanted: Any, labels: Sequence[Any]) -> tuple[str, str]:
    return (
        f"the positive label {shown(wanted)} does not occur{nearest(wanted, labels)}"
        f"{only_in([wanted, *labels])}",
        f"the labels are {brief(labels)}; if it is a class without cases here, name both classes with"
        f" {option('classes')}",
    )


# Predicted labels in other words than the truth, and answers that are no class
# --------------------------------------------------------------------------------------------------

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
            f"next to {shown(predicted_positive)} it holds {brief(words)}, where one is needed for negative",
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
        f"the predicted labels are {brief(called)}, and {truth} holds {brief(actual)}: none is in both"
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
