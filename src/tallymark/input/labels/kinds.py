"""The kind of labels: numbers or text; checks that they are neither scores nor amounts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..columns import Column
from ..errors import LabelError
from ..spelling import option
from ..validate import no_gaps
from .equal import MANY

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
