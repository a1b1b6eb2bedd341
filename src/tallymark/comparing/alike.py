"""Evaluations of as many cases of each class: perhaps of the same cases, which they do not hold."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import isclose

from .. import text
from ..evaluation import Evaluation
from ..validate import shown

Sizes = dict[str, float]
ROUNDING = 1e-9  # of a sum of weights
SHOWN = 5  # the number of cases, and of four classes


def alike(evaluations: Sequence[Evaluation]) -> tuple[int, int] | None:
    """The places of the first two that have as many cases of each class; None where all differ."""
    sizes = [_sizes(one) for one in evaluations]
    return next(((i, j) for i, j in combinations(range(len(sizes)), 2) if _equal(sizes[i], sizes[j])), None)


def _equal(one: Sizes, other: Sizes) -> bool:
    """But for rounding: the sum of weights depends on their order."""
    return one.keys() == other.keys() and all(isclose(number, other[of], rel_tol=ROUNDING) for of, number in one.items())


def cases_of(e: Evaluation) -> str:
    """How many cases there are of each class, in words."""
    words = [f"{text.count(number)} {of}" for of, number in _sizes(e).items()]
    return ", ".join(words[1:SHOWN]) + ", ..." * (len(words) > SHOWN) if len(words) > 1 else words[0]


def _sizes(e: Evaluation) -> Sizes:
    """The rows, and the weight of each class."""
    classes = {f"of {shown(label)}": float(counts.positives) for label, counts in e.class_counts.items()}
    if not classes and e.data.positives is not None and e.data.negatives is not None:
        classes = {"positive": float(e.data.positives), "negative": float(e.data.negatives)}
    return {"cases": float(e.data.rows), **classes}
