"""The columns of scores: of several models, of two classes, or of one class each; checks of probabilities."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, TypeVar

import numpy as np

from . import columns, validate
from .columns import Column
from .errors import InputError, assigned, either, option
from .labels import (
    VALUES,
    BinaryLabels,
    as_number,
    brief,
    distinct,
    kind_of,
    known_as,
    named_classes,
    number_of,
    same_word,
    usual_positive,
)
from .messages import Note
from .validate import LabelError, names_of_models, nearest, no_gaps, on_host, refuse_rows, scores, shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .columns import Column


# Checks of probabilities: of one per case, and of one per class, which must add up to 1
# --------------------------------------------------------------------------------------------------

# that rounding, also in single precision, may leave a probability outside [0, 1], or a sum away from 1
SLACK = 1e-6
FEWEST_DECIMALS = 2  # with a single one, numbers that add up to 0.9 may be anything
# by which rounding to decimals may leave a sum away from 1: coarser numbers are not probabilities
ROUGHEST = 0.1
HALF_PRECISION = float(np.finfo(np.float16).eps)  # by which float16 may leave a sum away from 1
FIRST = 1000  # numbers that are looked at before all others
DIVIDED = "divide each row by its sum"
PERCENTS = 2.0  # from where on the largest score may be one


def check(column: Column) -> None:
    """Raises InputError unless all numbers lie in [0, 1], up to rounding."""
    array = scores(column)
    bad = ~((array >= -SLACK) & (array <= 1 + SLACK))
    if bad.any():
        percents = np.nanmin(array) >= 0 and PERCENTS <= np.nanmax(array) <= 100
        by = f", or divide percents by 100{either(' (tallymark.convert.linear with low=0, high=100)', '')}"
        problem = "{value} in {row} is not a probability"
        refuse_rows(column, bad, problem, _turned("sigmoid") + by * bool(percents), array)


def no_distribution(table: np.ndarray, epsilon: float = np.finfo(float).eps) -> np.ndarray:
    """For each row, whether a number is outside [0, 1] or the sum is not 1, up to rounding.

    epsilon: the precision of the numbers.
    """
    with np.errstate(invalid="ignore"):
        off = np.abs(table.sum(axis=1) - 1)
        inside = ((table >= -SLACK) & (table <= 1 + SLACK)).all(axis=1)
    bad: np.ndarray = ~inside | ~(off <= SLACK)
    if (inside & bad).any():
        bad = ~inside | ~(off <= _slack_of_sums(table, epsilon))
    return bad


def _slack_of_sums(table: np.ndarray, epsilon: float) -> float:
    """The tolerance of sums: half a unit of the last decimal per column, or that of float16."""
    columns = table.shape[1]
    most = int(np.log10(columns / 2 / SLACK))  # with more decimals the rounding error is below SLACK
    with np.errstate(over="ignore"):
        half = bool((table.astype(np.float16) == table).all())
    epsilon = HALF_PRECISION if half else epsilon
    decimals = next((d for d in range(FEWEST_DECIMALS, most + 1) if _has_decimals(table, d, epsilon)), None)
    by_decimals = 0.0 if decimals is None else min(columns / 2 / 10**decimals, ROUGHEST)
    return max(by_decimals * (1 + SLACK), HALF_PRECISION if half else SLACK)


def _has_decimals(table: np.ndarray, decimals: int, epsilon: float) -> bool:
    """Whether all numbers have at most so many decimals, up to their precision."""
    unit = 10.0**decimals
    if unit * epsilon > 1 / 8:
        return False
    with np.errstate(invalid="ignore"):  # of infinity
        parts = (part * unit for part in (table.ravel()[:FIRST], table))
        return all(bool((np.abs(part - np.rint(part)) <= unit * epsilon).all()) for part in parts)


def why_no_distribution(row: np.ndarray) -> Note:
    """Why a row is not a distribution."""
    outside = row[~((row >= -SLACK) & (row <= 1 + SLACK))]
    return (
        Note("score-outside", score=float(outside[0]))
        if len(outside)
        else Note("scores-of-a-case", sum=float(row.sum()))
    )


def nearly_distributions(table: np.ndarray) -> bool:
    """Whether all numbers lie in [0, 1] and every row adds up to about 1, as the votes of a forest may."""
    inside = bool(((table >= -SLACK) & (table <= 1 + SLACK)).all())
    return inside and bool((np.abs(table.sum(axis=1) - 1) <= ROUGHEST).all())


def check_rows(columns: list[Column], called: str = "score") -> None:
    """Raises InputError unless every row lies in [0, 1] and adds up to 1. called: in messages."""
    held = np.stack([scores(column) for column in columns], axis=1)
    table = held.astype(np.float64)
    bad = no_distribution(table, float(np.finfo(held.dtype).eps))
    if bad.any():
        row = int(bad.argmax())
        raise InputError(
            "invalid-value",
            called,
            f"in {columns[0].row(row)} {why_no_distribution(table[row])}, so they are not probabilities",
            DIVIDED if nearly_distributions(table) else _turned("softmax"),
            row=columns[0].number(row),
        )


def some_finite(columns: list[Column], called: str = "score") -> None:
    """Raises InputError unless the maximum of every row is finite, as softmax requires."""
    highest = np.max([scores(column) for column in columns], axis=0)
    bad = np.isinf(highest)
    if bad.any():
        row = int(bad.argmax())
        raise InputError(
            "invalid-value",
            called,
            f"in {columns[0].row(row)} the highest logit is {highest[row]:g}",
            "give finite logits, or -inf for some classes",
            row=columns[0].number(row),
            value=highest[row],
        )


def check_two(both: Sequence[Column], role: str, alone: str) -> None:
    """Raises InputError unless the two numbers of each row are probabilities that add up to 1.

    Up to rounding. alone: how to pass the column of the positive class only.
    """
    for column in both:
        no_gaps(column)
    if _add_up(*(scores(column) for column in both)):
        return
    held = np.stack([scores(column) for column in both], axis=1)
    table = held.astype(np.float64)
    bad = no_distribution(table, float(np.finfo(held.dtype).eps))
    if bad.any():
        row = int(bad.argmax())
        one, other = table[row]
        raise InputError(
            "invalid-value",
            role,
            f"in {both[0].row(row)} the two columns hold {one:.10g} and {other:.10g}, not the probabilities"
            " of two classes, which add up to 1",
            f"{DIVIDED * nearly_distributions(table)}{', or ' * nearly_distributions(table)}"
            f"pass the column of the positive class alone, as {alone}",
            row=both[0].number(row),
        )


def _add_up(one: np.ndarray, other: np.ndarray) -> bool:
    """Whether all pairs lie in [0, 1] and add up to 1, within less than any rounding error."""
    if not len(one):
        return True
    with np.errstate(invalid="ignore"):  # of infinities
        off = np.abs(np.add(one, other, dtype=np.float64) - 1)
    return bool(
        off.max() <= SLACK
        and min(one.min(), other.min()) >= -SLACK
        and max(one.max(), other.max()) <= 1 + SLACK
    )


def _turned(into: str) -> str:
    """What to do with scores that are not probabilities."""
    how = either(f" (tallymark.convert.{into})", "")
    return f"turn scores into probabilities first{how}, or pass {option('score_kind', 'logit')}"


# The columns of scores: of several models, of two classes, or of one class each
# --------------------------------------------------------------------------------------------------

Affix = tuple[str, str]  # the text before and after a label
NUMBER_GOES_ON = re.compile(r"[.,]?[0-9]|[eE][+-]?[0-9]")  # after a number, characters that would continue it


class Matched(NamedTuple):
    """The classes of columns.

    labels: of the columns; order: the columns in the order of the labels; affix: the text before and after
    the label in the name of every column, None where the names are the labels, or there are none.
    """

    labels: list[Any]
    order: list[int]
    affix: Affix | None = None

    def sorted(self, key: Callable[[Any], Any] | None) -> Matched:
        """The same in the order of the labels by a key."""
        labels = sorted(self.labels, key=key)
        return Matched(labels, [self.order[self.labels.index(label)] for label in labels], self.affix)


def matched(
    truth: Column, found: list[Any], names: Sequence[str | None], classes: Any, role: str = "score"
) -> Matched:
    """The classes of the columns of scores.

    With `classes`, in the order of the columns; without, by the names of the columns, and then sorted;
    columns without names are for the labels of truth, sorted. found: these labels; role: for messages. Raises
    InputError where a name fits no label, or a label no name.
    """
    if not names:
        raise InputError("empty", role, "there are no columns", "give one for each class")
    twice = next((name for name in names if name is not None and names.count(name) > 1), None)
    if twice is not None:
        raise InputError(
            "repeated",
            role,
            f"the column {shown(twice)} is named twice",
            "every class has one of its own",
            value=twice,
        )
    if classes is None and names[0] is not None:
        return _by_name(truth, found, [str(name) for name in names], role)
    labels = sorted(found) if classes is None else named_classes(classes, truth, found)
    if len(labels) != len(names):
        there = "there is 1 class" if len(labels) == 1 else f"there are {len(labels)} classes"
        raise LabelError(
            "wrong-shape",
            None,
            f"{role} has {len(names)} columns, one per class, but {there} ({brief(labels)})",
            f"name the class of every column in {option('classes')}, in their order",
        )
    return (
        _in_order(truth, labels, names) if names[0] is not None else Matched(labels, list(range(len(labels))))
    )


def _in_order(truth: Column, labels: list[Any], names: Sequence[str | None]) -> Matched:
    """The columns in the order of `classes`.

    By their names where these are the classes, too; else in the order given.
    """
    try:
        by_name = _by_name(truth, labels, [str(name) for name in names])
    except InputError:
        return Matched(labels, list(range(len(labels))))
    return Matched(labels, [by_name.order[by_name.labels.index(label)] for label in labels], by_name.affix)


def _by_name(truth: Column, found: list[Any], names: list[str], role: str = "score") -> Matched:
    """The columns where every name is that of one label, alone or with an affix common to all names.

    Every label of truth must have a column; further columns are for classes that do not occur.
    """
    place = {label: i for i, label in enumerate(found)}
    ways = (
        [("", "")] if any(_label(name, found) in place for name in names) else _affixes(names, found, place)
    )
    fits = {way: [_label(core, found) for core in _cores(names, way)] for way in ways}
    whole = {way: labels for way, labels in fits.items() if _has_all(labels, found)}
    if len({tuple(labels) for labels in whole.values()}) != 1:
        raise LabelError(
            "labels",
            role,
            f"{_why_not(names, found, fits, whole, role)}, so that the columns cannot be matched by name to"
            f" the classes of {truth} ({brief(found)})",
            f"name the class of every column in {option('classes')}, in the order of the columns; for several"
            f" models pass {either('score={NAME: COLUMN, ...}', '--model NAME=COLUMN for each')}",
        )
    way, labels = next(iter(whole.items()))
    order = sorted(range(len(labels)), key=labels.__getitem__)
    known = [found[place[label]] if label in place else label for label in labels]
    return Matched([known[i] for i in order], order, None if way == ("", "") else way)


def _has_all(labels: Sequence[Any], found: Sequence[Any]) -> bool:
    """Whether every label has its own column, and all columns are named by text, or all by numbers."""
    kinds = {isinstance(label, str) for label in (*labels, *found)}
    return len(kinds) == 1 and len(set(labels)) == len(labels) and set(found) <= set(labels)


def _label(name: str, found: Sequence[Any]) -> Any:
    """The label that a name states: a text, or a number where labels are numbers."""
    if isinstance(found[0], str):
        word = None if name in found else same_word(name, found)
        return name if word is None else word
    word = VALUES.get(name.casefold()) if set(found) <= {0, 1} else None
    return number_of(name) if word is None else bool(word)


def _affixes(names: Sequence[str], found: Sequence[Any], place: Mapping[Any, int]) -> list[Affix]:
    """The common beginning and end of all names, with a label between them in one of the names.

    The label may not be a part of a word or number.
    """
    numbers = not isinstance(found[0], str)
    if numbers and not any(isinstance(number_of(name), str) for name in names):
        return []  # the names are numbers, and none of them is a label
    before, after = _common(names), _common([name[::-1] for name in names])[::-1]
    return list(
        dict.fromkeys(
            (name[:start], name[end:])
            for name in names
            for start in range(len(before) + 1)
            for end in range(len(name) - len(after), len(name) + 1)
            if start < end and _label(name[start:end], found) in place and _apart(name, start, end, numbers)
        )
    )


def _common(names: Sequence[str]) -> str:
    """The common beginning of all: that of the first and the last in order."""
    first, last = min(names), max(names)
    return first[
        : next((i for i, pair in enumerate(zip(first, last, strict=False)) if len(set(pair)) > 1), len(first))
    ]


def _apart(name: str, start: int, end: int, numbers: bool) -> bool:
    """Whether a label within a name is separated from the rest of it."""
    before, after = name[:start], name[end:]
    if numbers:
        return not re.search(r"[0-9][.,]?$", before) and not NUMBER_GOES_ON.match(after)
    edges = ((before[-1:], name[start]), (name[end - 1], after[:1]))
    return not any(
        (one.isalpha() and other.isalpha()) or (one.isdigit() and other.isdigit()) for one, other in edges
    )


def _cores(names: Sequence[str], way: Affix) -> list[str]:
    return [name[len(way[0]) : len(name) - len(way[1])] for name in names]


def _why_not(
    names: Sequence[str],
    found: Sequence[Any],
    fits: Mapping[Affix, list[Any]],
    whole: Mapping[Affix, list[Any]],
    role: str,
) -> str:
    """The problem, in words."""
    if len(whole) > 1:
        return "their names can be read in several ways"
    labels = fits.get(("", ""), [])
    strange = [name for name, label in zip(names, labels, strict=False) if label not in found]
    if strange:
        return f"the column {shown(strange[0])} is named like no class"
    again = next((name for i, name in enumerate(names[: len(labels)]) if labels[i] in labels[:i]), None)
    if again is not None:
        return f"the column {shown(again)} is named like a class that has a column already"
    lost = [label for label in found if label not in labels]
    return f"the class {shown(lost[0])} has no column" if labels else _unnamed(names, role)


def _unnamed(names: Sequence[str], role: str) -> str:
    """The error where no name is a label. Two columns of a named model may be meant as two models."""
    two = len(names) == 2 and " " in role  # as "score old"
    said = "there are 2 columns, one per class (another model has another name), and " if two else ""
    return f"{said}the names {brief(names)} are none of the labels"


def mixed() -> LabelError:
    """The error for text and numbers as labels."""
    return LabelError("labels", "labels", "text and numbers are mixed", "write all labels in one way")


def labels_of_both(
    first: Sequence[Any], second: Sequence[Any], orders: Sequence[tuple[Any, ...]]
) -> tuple[Any, ...]:
    """The classes of two matrices together, in the order of one of them, else sorted.

    orders: those that were given. Raises LabelError where text and numbers are mixed, an order lacks a class,
    or two orders differ.
    """
    both = {*first, *second}
    if len({isinstance(label, str) for label in both}) > 1:
        raise mixed()
    if not orders:
        return tuple(sorted(both))
    longest = max(orders, key=len)
    strange = next((label for label in sorted(both) if label not in longest), None)
    if strange is not None:
        raise LabelError(
            "unknown-name",
            "labels",
            f"{shown(strange)} is not in the order {brief(longest)}",
            "name every class in it",
            value=strange,
        )
    if any([label for label in longest if label in order] != list(order) for order in orders):
        raise LabelError(
            "mismatch",
            "labels",
            f"{brief(orders[0])} and {brief(orders[1])} are two orders",
            "give both the same one",
        )
    return longest


ROLE = "score "
NAMES = (str, int, np.integer, tuple)  # types of names of columns
TWO = 2  # number of classes with one score per case
WORTH_A_THREAD = 1 << 16  # scores
ROWS_AT_ONCE = 1024  # rows that are transposed together: their scores fit into the cache


def several_columns(score: Any, arrays: bool) -> bool:
    """Whether there are three or more columns of scores."""
    return number_of_columns(score, arrays) > TWO


def number_of_columns(score: Any, arrays: bool) -> int:
    """The number of columns of scores, in a two-dimensional array or a list of names; else 1."""
    if isinstance(score, (list, tuple)):
        if not arrays:
            return len(score) if len(score) > 1 and all(isinstance(name, NAMES) for name in score) else 1
        first = score[0] if len(score) else None
        if isinstance(first, np.ndarray):
            return first.size
        return len(first) if isinstance(first, (list, tuple)) else 1
    return score.shape[1] if _dimensions(score) == 2 else 1


def turned(table: np.ndarray) -> np.ndarray:
    """The columns of an array as rows of another, written in blocks.

    Writing a whole column at once would touch another page of memory for each value.
    """
    result = np.empty(table.shape[::-1], table.dtype)
    for start in range(0, len(table), ROWS_AT_ONCE):
        result[:, start : start + ROWS_AT_ONCE] = table[start : start + ROWS_AT_ONCE].T
    return result


def stacked(rows: Sequence[np.ndarray]) -> np.ndarray:
    """One-dimensional arrays as rows of an array, without a copy where they are the rows of one in order."""
    base = rows[0].base
    like = isinstance(base, np.ndarray) and base.shape == (len(rows), len(rows[0]))
    if base is not None and like and base.flags.c_contiguous:
        first, step = base.__array_interface__["data"][0], base.strides[0]
        places = [row.__array_interface__["data"][0] for row in rows]
        if all(row.dtype == base.dtype and row.strides == base.strides[1:] for row in rows) and places == [
            first + i * step for i in range(len(rows))
        ]:
            return base
    return np.asarray(rows)


def _dimensions(score: Any) -> int:
    shape = getattr(score, "shape", None)
    return len(shape) if isinstance(shape, tuple) else 0


def score_columns(score: Any, arrays: bool, role: str = "score") -> dict[str, Any]:
    """The columns, or their names, by role: "score 1", "score 2", ... Raises InputError.

    role: the argument that an error names.
    """
    if not arrays:
        parts = list(score)
    elif _dimensions(score) == 2 and hasattr(score, "columns"):
        # Arrow's columns are the arrays themselves
        parts = _of_frame(score, list(getattr(score, "column_names", score.columns)), role)
    else:
        table = _table(score, role)
        parts = list(table.T if validate.is_masked(table) else turned(table))
    return {f"{ROLE}{i + 1}": part for i, part in enumerate(parts)}


def _of_frame(frame: Any, names: list[Any], role: str) -> list[Any]:
    """Names and columns; without the names where they are the default numbers of pandas."""
    texts = list(map(str, names))
    twice = next((name for name in texts if texts.count(name) > 1), None)
    if twice is not None:
        raise InputError(
            "repeated",
            role,
            f"the column {shown(twice)} is named twice",
            "every class has one of its own",
            value=twice,
        )
    numbered = all(type(name) is int for name in names) and names == list(range(len(names)))
    return [frame[name] if numbered else (text, frame[name]) for name, text in zip(names, texts, strict=True)]


def named(values: Any, role: str) -> columns.Column:
    """A column of an array, or one of a frame with its name."""
    return (
        columns.read(values[1], role, values[0]) if isinstance(values, tuple) else columns.read(values, role)
    )


def rows_of(values: Any, role: str) -> np.ndarray:
    """An array of two dimensions, of objects if it is a list of rows. Raises InputError for anything else."""
    try:
        values = on_host(values)
        table = np.asanyarray(values, None if hasattr(values, "dtype") else object)
    except ValueError:
        table = np.empty(0)
    except Exception as reason:  # any exception of a foreign type
        raise InputError(
            "unreadable",
            role,
            f"a {type(values).__name__} that NumPy cannot read ({shown(reason)})",
            "convert it to an array",
        ) from reason
    if table.ndim != 2:
        raise InputError(
            "wrong-shape",
            role,
            "a row of numbers per case is needed, one for each class",
            "give an array of two dimensions, or rows of one length",
        )
    return table


def _table(score: Any, role: str) -> np.ndarray:
    """An array of two dimensions, of numbers if it is a list of rows."""
    table = rows_of(score, role)
    if table.dtype == object:
        table = np.stack([columns.read(part.tolist(), ROLE.strip()).values for part in table.T], axis=1)
    return table


def is_indicator(values: Any) -> bool:
    """Whether these are two-dimensional, with one column per label."""
    return number_of_columns(values, True) > 1


Named = dict[str | None, Any]  # by the name of a model; None for the only model, which has no name
Arguments = TypeVar("Arguments", bound=Mapping[str, Any])

SCORES = ("score", "baseline_score")  # arguments that may have a column per class
ANSWERS = ("score", "predicted", "baseline_score")
Roles = dict[str | None, tuple[str, ...]]  # of the columns of each model; None of one without a name
SHOWN = 4  # names of models in a message


def by_name(values: Any) -> Named:
    """The argument of each model, by its name."""
    return dict(values) if isinstance(values, Mapping) else {None: values}


def role_of(kind: str, name: str | None) -> str:
    """The role of the score or labels of a model: "score", or "score NAME". kind: score or predicted."""
    return kind if name is None else f"{kind} {name}"


def roles_of(kind: str, values: Any, arrays: bool) -> Roles:
    """By model the roles of its columns: "score", or per class "score 1", ..., or "score 1 of NAME"."""
    result: Roles = {}
    for name, one in by_name(values).items():
        number = number_of_columns(one, arrays) if kind in SCORES else 1
        of_model = "" if name is None else f" of {name}"
        several = tuple(f"{kind} {i + 1}{of_model}" for i in range(number))
        result[name] = (role_of(kind, name),) if number < TWO else several
    return result


def columns_of(values: Any, arrays: bool, found: Roles) -> list[tuple[str, Any]]:
    """The columns to read, by role. arrays: whether they are arrays, and not names of columns."""
    given, columns = by_name(values), []
    for name, roles in found.items():
        if len(roles) < TWO:
            alone = not arrays and isinstance(given[name], list) and len(given[name]) == 1
            columns.append((roles[0], given[name][0] if alone else given[name]))
        else:
            parts = score_columns(given[name], arrays).values()
            columns += [
                (role, named(part, role) if arrays else part) for role, part in zip(roles, parts, strict=True)
            ]
    return columns


def refuse_twice(roles: Iterable[str]) -> None:
    """Raises InputError where columns of two models get one role, as column 2 of "a" and that of "2 of a"."""
    times = Counter(roles)
    if times.total() > len(times):
        role = times.most_common(1)[0][0]
        raise InputError(
            "repeated",
            "score",
            f"two models have a column that is called {shown(role)}",
            "give one of them another name",
            value=role,
        )


def of_one_model(
    verb: str, given: Arguments, otherwise: str = "evaluate and compare take several"
) -> Arguments:
    """The same arguments, with a mapping of one model replaced by its columns.

    verb: the function that takes one model; otherwise: what to use for several. Raises InputError for several
    models.
    """
    several = {kind: given[kind] for kind in ANSWERS if isinstance(given.get(kind), Mapping)}
    for kind, models in several.items():
        names_of_models(kind, models)
        if len(models) > 1:
            some = ", ".join(map(shown, list(models)[:SHOWN])) + ", ..." * (len(models) > SHOWN)
            raise InputError(
                "conflict",
                kind,
                f"{verb} is of one model, and {len(models)} are named ({some}); call it for each of them, as"
                f" {{name: tm.{verb}(..., {kind}=one) for name, one in models.items()}}",
                otherwise,
            )
    return {**given, **{kind: next(iter(models.values())) for kind, models in several.items()}}  # type: ignore[return-value]


def thresholds_of(given: Any, names: Sequence[str | None]) -> Named:
    """The threshold of each model: one for all, or one each. Raises InputError for any other number."""
    if list(names) == [None]:
        return {None: given}
    if isinstance(given, Mapping):
        unknown = [name for name in given if name not in names]
        if unknown:
            raise InputError(
                "unknown-name",
                "threshold",
                f"{shown(unknown[0])} is not a model here",
                f"the models are {', '.join(map(str, names))}",
                value=unknown[0],
            )
        return {name: given.get(name) for name in names}
    if isinstance(given, (list, tuple)) or np.ndim(given):
        if len(given) != len(names):
            raise InputError(
                "conflict",
                "threshold",
                f"{len(given)} thresholds for {len(names)} models",
                "give one, or one for each",
            )
        return dict(zip(names, given, strict=True))
    return dict.fromkeys(names, given)


PROBABILITIES = "score"


def labels_met(truth: Column, before: Sequence[Any] = ()) -> tuple[Any, ...]:
    """The labels of these and earlier rows, sorted. Raises InputError for a missing one."""
    kind_of(truth)
    validate.no_gaps(truth)
    found = distinct(truth.values)
    alike = not before or not found or isinstance(before[0], str) == isinstance(found[0], str)
    return tuple(sorted({*before, *found}) if alike else found)


def positive_column(
    truth: Column,
    both: Sequence[Column],
    labels: Sequence[Any],
    positive: Any,
    classes: Any,
    role: str = PROBABILITIES,
) -> Column:
    """The column of the positive class, under the role of a score.

    truth, both: the same rows; labels: those found so far. The columns are for `classes`, in their order;
    without `classes`, for the labels in their names; without names for the sorted labels. Raises InputError
    where columns and labels do not fit, where the positive label is not known, and where the two numbers of a
    row are not probabilities that add up to 1.
    """
    validate.same_length(truth, *both)
    wanted = _wanted(truth, labels, positive, classes)
    names = [column.name for column in both]
    fits = matched(truth, _classes(labels, wanted, names), names, classes, role)
    if wanted not in fits.labels:
        _refuse(truth, fits.labels, positive)
    place = fits.order[fits.labels.index(wanted)]
    check_two(
        both, role, f"score[:, {place}]" if names[place] is None else assigned("score", shown(names[place]))
    )
    return replace(both[place], role=role)


def score_of(truth: Column, score: Any, positive: Any, classes: Any = None) -> Column:
    """The scores of arrays: one column, or the one of the positive class of two. Raises InputError."""
    if number_of_columns(score, True) != TWO:
        return columns.read(score, PROBABILITIES)
    both = [named(values, role) for role, values in score_columns(score, True).items()]
    return positive_column(truth, both, labels_met(truth), positive, classes)


def _wanted(truth: Column, labels: Sequence[Any], positive: Any, classes: Any) -> Any:
    """The positive label as in the data; None where it is not known."""
    if positive is None:
        return usual_positive(labels if classes is None else named_classes(classes, truth, labels))
    named_so = BinaryLabels(positive).wanted
    if kind_of(truth) == "text":
        return known_as(named_so, labels) or str(named_so)
    return as_number(named_so, truth.values.dtype)


def _classes(labels: Sequence[Any], wanted: Any, names: Sequence[str | None]) -> list[Any]:
    """The labels found, and the positive one; for columns without names, and 1 alone, also 0."""
    if wanted is None or (names[0] is None and len(labels) == TWO):
        return sorted(labels)
    found = {*labels, wanted}
    return sorted({0, *found} if found == {1} and names[0] is None else found)


def _refuse(truth: Column, classes: Sequence[Any], positive: Any) -> NoReturn:
    """Raises InputError for a positive label that is not one of the two classes, or is not known."""
    known = BinaryLabels(positive)
    known.encode(truth)
    if positive is not None:
        hint = nearest(positive, classes)
        raise LabelError(
            "unknown-name",
            "positive",
            f"{shown(positive)} is none of the classes of the two columns ({brief(classes)}){hint}",
            value=positive,
        )
    known.refuse(truth)
