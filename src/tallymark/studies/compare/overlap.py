"""Checks whether evaluations, or data sets, may be of the same cases.

They may be where they have as many cases of each class, or the same labels row by row.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import singledispatch
from itertools import combinations, pairwise
from math import isclose
from typing import Any

import numpy as np

from ...evaluation.results import (
    BinaryEvaluation,
    ClasswiseEvaluation,
    Evaluation,
    MultilabelEvaluation,
    RegressionEvaluation,
)
from ...input import text
from ...input.labels import differ
from ...input.spelling import option
from ...input.validate import InputError, shown

Sizes = dict[str, float]
ROUNDING = 1e-9  # of a sum of weights
SHOWN = 5  # numbers in a message: of all cases, and of four classes


def of_equal_sizes(evaluations: Sequence[Evaluation]) -> tuple[int, int] | None:
    """The indices of the first two that have as many cases of each class; None if there are none."""
    sizes = [_sizes(one) for one in evaluations]
    return next(((i, j) for i, j in combinations(range(len(sizes)), 2) if _equal(sizes[i], sizes[j])), None)


def _equal(one: Sizes, other: Sizes) -> bool:
    """Equal up to rounding, since a sum of weights depends on their order."""
    return one.keys() == other.keys() and all(
        isclose(number, other[of], rel_tol=ROUNDING) for of, number in one.items()
    )


def refuse_one_truth(truths: Mapping[str, np.ndarray], kind: str) -> None:
    """Raises InputError where two data sets, by name, have the same labels in the same order.

    Such data sets are probably of the same cases.
    """
    for (first, one), (second, other) in combinations(truths.items(), 2):
        if one_truth(one, other):
            raise InputError(
                "ambiguous",
                "paired",
                f"{first} and {second} have the same truth in each of {len(one):,} rows, so that they seem"
                " the same cases",
                f"put both in one data set and pass {kind}=[...] for the paired comparison, or "
                f"{option('paired', False)} if they differ",
            )


def refuse_other_classes(evaluations: Mapping[str, Evaluation]) -> None:
    """Raises InputError where two evaluations, by name of the model, have different classes.

    Evaluations of amounts have none.
    """
    of_classes = {name: e for name, e in evaluations.items() if not isinstance(e, RegressionEvaluation)}
    for (first, one), (name, other) in pairwise(of_classes.items()):
        if one.task != other.task or _labels(one) != _labels(other):
            problem = (
                f"{first} is of {_classes(one)} and {name} is of {_classes(other)}, whose measures cannot be"
                " compared"
            )
            way_out = (
                "evaluate both on the same classes, and name those that do not occur with"
                f" {option('classes')}"
            )
            raise InputError("mismatch", "data", problem, way_out)


def _labels(e: Evaluation) -> set[Any]:
    """The labels, where there are more than two classes."""
    return {*e.class_counts} if isinstance(e, ClasswiseEvaluation) else set()


def _classes(e: Evaluation) -> str:
    """The classes in words."""
    if not isinstance(e, ClasswiseEvaluation):
        return "two classes"
    labels = list(e.class_counts)
    some = ", ".join(map(shown, labels[:SHOWN])) + ", ..." * (len(labels) > SHOWN)
    return f"{len(labels)} {'labels per case' if isinstance(e, MultilabelEvaluation) else 'classes'} ({some})"


def paired_instead(e: Evaluation) -> str:
    """How to pass the cases of such evaluations, so that they are compared case by case."""
    if isinstance(e, RegressionEvaluation):
        return (
            f"pass the cases with {option('predicted', ...)}, {option('regression', True)} for the paired"
            " comparison"
        )
    if isinstance(e, MultilabelEvaluation):
        return (
            f"pass the cases of one label at a time with {option('predicted', ...)} for the paired comparison"
        )
    scored = isinstance(e, BinaryEvaluation) and e.ranking is not None
    return f"pass the cases with {option('score' if scored else 'predicted', ...)} for the paired comparison"


def one_truth(one: np.ndarray, other: np.ndarray) -> bool:
    """Whether two data sets have the same labels in the same order."""
    comparable = len(one) == len(other) and (one.dtype.kind == "O") == (other.dtype.kind == "O")
    return comparable and not differ(one, other).any()


def cases_of(e: Evaluation) -> str:
    """The number of cases of each class, in words."""
    words = [f"{text.count(number)} {of}" for of, number in _sizes(e).items()]
    return ", ".join(words[1:SHOWN]) + ", ..." * (len(words) > SHOWN) if len(words) > 1 else words[0]


def _sizes(e: Evaluation) -> Sizes:
    """The number of rows, and the weight of each class."""
    return {"cases": float(e.data.rows), **_of_classes(e)}


@singledispatch
def _of_classes(e: Evaluation) -> Sizes:
    return {}


@_of_classes.register
def _(e: BinaryEvaluation) -> Sizes:
    return {"positive": float(e.data.positives or 0.0), "negative": float(e.data.negatives or 0.0)}


@_of_classes.register
def _(e: ClasswiseEvaluation) -> Sizes:
    return {f"of {shown(label)}": float(counts.positives) for label, counts in e.class_counts.items()}
