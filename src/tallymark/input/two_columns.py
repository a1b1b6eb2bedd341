"""Two columns of probabilities, one per class, as from predict_proba; one of them is the score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NoReturn

from . import columns, probabilities, validate
from .class_names import matched
from .columns import Column
from .labels import (
    BinaryLabels,
    as_number,
    distinct,
    kind_of,
    known_as,
    listed,
    named_classes,
    usual_positive,
)
from .score_columns import TWO, named, number_of_columns, score_columns
from .spelling import assigned
from .validate import LabelError, nearest, shown

ROLE = "score"


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
    role: str = ROLE,
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
    probabilities.check_two(
        both, role, f"score[:, {place}]" if names[place] is None else assigned("score", shown(names[place]))
    )
    return replace(both[place], role=role)


def score_of(truth: Column, score: Any, positive: Any, classes: Any = None) -> Column:
    """The scores of arrays: one column, or the one of the positive class of two. Raises InputError."""
    if number_of_columns(score, True) != TWO:
        return columns.read(score, ROLE)
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
            f"{shown(positive)} is none of the classes of the two columns ({listed(classes)}){hint}",
            value=positive,
        )
    known.refuse(truth)
