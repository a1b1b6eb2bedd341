"""The class of each column of scores, by its name or by its position."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from .columns import Column
from .labels import listed, named_classes, number_of, same_word
from .labels.words import VALUES
from .spelling import either, option
from .validate import InputError, LabelError, shown

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
            f"{role} has {len(names)} columns, one per class, but {there} ({listed(labels)})",
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
            f" the classes of {truth} ({listed(found)})",
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
    return f"{said}the names {listed(names)} are none of the labels"


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
            f"{shown(strange)} is not in the order {listed(longest)}",
            "name every class in it",
            value=strange,
        )
    if any([label for label in longest if label in order] != list(order) for order in orders):
        raise LabelError(
            "mismatch",
            "labels",
            f"{listed(orders[0])} and {listed(orders[1])} are two orders",
            "give both the same one",
        )
    return longest
