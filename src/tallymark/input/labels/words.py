"""Pairs of labels that show which one is positive: 0/1, -1/1, and the words for yes and no."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ..columns import ANSWERS, Column, read
from ..values import labels as labels_of

KNOWN_PAIRS = ({0, 1}, {-1, 1})  # {False, True} is equal to the first
KNOWN_WORDS = {"false": 0.0, "f": 0.0, "no": 0.0, "true": 1.0, "t": 1.0, "yes": 1.0}
WORDS = KNOWN_WORDS | {"n": 0.0, "y": 1.0}  # that name a boolean
DIGITS = {"0": 0.0, "1": 1.0}  # booleans together with a word
VALUES = KNOWN_WORDS | DIGITS
SIGNS = {"negative": 0.0, "positive": 1.0}
OPPOSITES = {"no": "yes", "false": "true", "f": "t", "negative": "positive"}
FIRST = 100  # rows that show whether labels may be words
OPPOSITES |= {yes: no for no, yes in OPPOSITES.items()}


def truth_value(word: Any) -> float | None:
    """1 for "yes" and "true", 0 for "no" and "false", in any case; None for other labels."""
    return KNOWN_WORDS.get(word.casefold()) if isinstance(word, str) else None


def are_words(labels: Iterable[Any]) -> bool:
    """Whether these texts all mean yes or no; "0" and "1" do together with a word."""
    values = {label: truth_value(label) for label in labels}
    known = [value for value in values.values() if value is not None]
    return bool(known) and all(value is not None or label in DIGITS for label, value in values.items())


def are_signs(labels: Iterable[Any]) -> bool:
    """Whether they are "negative" and "positive", or one of them."""
    found = {*labels}
    return 0 < len(found) <= 2 and all(isinstance(one, str) and one.casefold() in SIGNS for one in found)


def usual_positive(labels: Iterable[Any]) -> Any:
    """The positive label, where labels show it; else None.

    They do if they are 0/1, -1/1, false/true, no/yes or negative/positive, or one of two.
    """
    found = sorted({*labels}, key=str)
    if any(set(found) <= pair for pair in KNOWN_PAIRS):
        return next((label for label in found if label == 1), type(found[0])(1) if found else 1)
    if are_words(found):
        positive = [label for label in found if VALUES[label.casefold()]]
    elif are_signs(found):
        positive = [label for label in found if SIGNS[label.casefold()]]
    else:
        return None
    return positive[0] if positive else opposite(found[0])


def same_word(wanted: Any, labels: Iterable[Any]) -> Any:
    """The label that means the same, as "yes" for "TRUE", where all labels mean yes or no; else None."""
    value = WORDS.get(str(wanted).casefold(), DIGITS.get(str(wanted)))
    found = list(labels)
    if value is None or not are_words(found):
        return None
    return next((label for label in found if VALUES[label.casefold()] == value), None)


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
    named = declared_texts(None, classes)
    return {VALUES[label.casefold()]: label for label in named} if are_words(named) else {}


def in_one_spelling(columns: Mapping[str, Column], spelled: dict[float, str]) -> dict[str, Column]:
    """The columns; labels that mean yes or no are written in all of them as where they come first.

    spelled: by truth value the word in earlier rows, to which those of these rows are added.
    """
    of_text = {
        role: column.values
        for role, column in columns.items()
        if role.split()[0] in ANSWERS and column.values.dtype.kind in "OU"
    }
    some = {label for values in of_text.values() for label in values[:FIRST].tolist()} - {None}
    if some and not all(truth_value(label) is not None or label in DIGITS for label in some):
        return dict(columns)  # without a look at all rows
    texts = {role: {*values.tolist()} - {None} for role, values in of_text.items()}
    labels: set[str] = set().union(*texts.values())
    if not are_words(labels):
        return dict(columns)
    value_of = {label: VALUES[label.casefold()] for label in labels}
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
