"""Cells of a confusion matrix, counted from two columns of labels."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import kernels
from ..input import validate
from ..input.columns import Column
from ..input.errors import InputError, LabelError
from ..input.labels import BinaryLabels, together
from ..input.spelling import option

MOST_CLASSES = 10_000
Crossed = tuple[tuple[Any, ...], np.ndarray]  # the labels, and the cells


def counted(truth: Column, predicted: Column, weights: np.ndarray | None) -> Crossed:
    """The labels and the cells. Raises InputError for gaps, and for too many labels."""
    found = _two_classes(truth, predicted, weights) if predicted.unanswered is None else None
    return found or _many_classes(truth, predicted, weights)


def _two_classes(truth: Column, predicted: Column, weights: np.ndarray | None) -> Crossed | None:
    """The usual case of boolean, 0/1 or -1/1 labels, in one pass of the kernel; None for other labels."""
    if truth.values.dtype.kind not in "biuf" or predicted.values.dtype.kind not in "biuf":
        return None
    usual = BinaryLabels()
    try:
        codes, called = usual.encode(truth)[0], usual.encode(predicted)[0]
    except InputError:
        return None
    found = kernels.tally(codes, called, weights, 1.0, 1.0)
    if found is None:
        return None
    tp, fp, fn, tn, *negatives = found
    columns_of = zip((truth, predicted), negatives, strict=True)
    others = {_python(column, label) for column, label in columns_of if label is not None}
    positive = _python(truth, 1)
    if not others:
        return (positive,), np.array([[tp]])
    if len(others) > 1 or positive in others:
        return None
    if tp == fp == fn == 0:
        return (others.pop(),), np.array([[tn]])
    return (others.pop(), positive), np.array([[tn, fp], [fn, tp]])


def _python(column: Column, label: Any) -> Any:
    """A label that a kernel returns, as a Python value of the type of the column."""
    return bool(label) if column.values.dtype.kind == "b" else column.values.dtype.type(label).item()


def _many_classes(truth: Column, predicted: Column, weights: np.ndarray | None) -> Crossed:
    validate.no_gaps(truth)
    validate.no_gaps(predicted)
    found, (rows, called) = together(truth.values, predicted.values)
    k = len(found)
    if k > MOST_CLASSES:
        raise LabelError(
            "ambiguous",
            predicted,
            f"{k:,} classes are too many for a matrix",
            f"pass them as {option('score')} if they are scores, or say {option('regression', True)} if they"
            " are amounts",
        )
    size = k
    if predicted.unanswered is not None:
        size, called = k + 1, np.where(predicted.unanswered, k, called)
    cell = rows * size + called
    cells = np.bincount(cell, minlength=size**2) if weights is None else kernels.sums(cell, weights, size**2)
    return tuple(found), cells.reshape(size, size)
