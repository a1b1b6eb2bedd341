"""Sums of squared case weights, from which the effective number of cases follows.

Cases with the weights w are worth (sum w)^2 / sum w^2 cases of equal weight. Where each case counts once,
or weights are numbers of cases, both sums are the same and squares are not stored.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from .. import kernels
from ..input import columns, validate
from ..input.weighting import effective
from .cached import cached

ALIKE = 1e-9  # relative rounding error of equal weights


class Squares(NamedTuple):
    """The sums of squared weights of the positives and of the negatives at each score, on the last axis."""

    positive: np.ndarray
    negative: np.ndarray

    def each(self, change: Callable[[np.ndarray], np.ndarray]) -> Squares:
        """Both arrays, changed by a function."""
        return Squares(change(self.positive), change(self.negative))


def needed(column: columns.Column | None, weights: np.ndarray | None) -> bool:
    """Whether the squares of these weights may differ from the weights."""
    if weights is None or column is None or column.weight_kind == "count":
        return False
    return column.weight_kind == "importance" or bool((weights != 1).any())


def at_each_score(codes: np.ndarray, score: np.ndarray, weights: np.ndarray, positive: Any) -> Squares:
    """The sums of squared weights at each score, of labels and scores that `kernels.rank` accepts."""
    found = kernels.rank(codes, score, np.square(weights), positive)
    assert found is not None
    return Squares(*found[1:3])


def checked(values: Any, shape: tuple[int, ...], role: str) -> np.ndarray:
    """The values as an array of this shape. Raises InputError where they are not sums of squares."""
    array = np.array(validate.cell(validate.plain_array(values, role), role), np.float64)
    if array.shape != shape:
        raise validate.InputError(
            "wrong-shape",
            role,
            f"{array.shape} and {shape} differ in shape",
            "give one sum of squared weights per weight",
        )
    return array


class EffectiveSizes:
    """The effective numbers of cases of a table of two classes."""

    of: Callable[..., Any]
    score: np.ndarray
    positive: np.ndarray
    negative: np.ndarray
    positives: Any
    negatives: Any
    total: Any
    __mul__: Callable[..., Any]
    _arrays: Callable[..., tuple[Any, ...]]
    squares: Squares | None

    @property
    def weighted(self) -> bool:
        """Whether weights are not numbers of cases."""
        return self.positive.dtype.kind == "f"

    @property
    def squared(self) -> Squares:
        """The sums of squared case weights at each score; the weights if they are numbers of cases."""
        return (
            Squares(self.positive, self.negative)
            if self.squares is None or not self.weighted
            else self.squares
        )

    @cached
    def effective_positives(self) -> Any:
        """The effective number of positives: (sum of weights)^2 / sum of squared weights."""
        return (
            self.positives
            if self.squared.positive is self.positive
            else effective(self.positives, row_sum(self.squared.positive))
        )

    @cached
    def effective_negatives(self) -> Any:
        """The effective number of negatives."""
        return (
            self.negatives
            if self.squared.negative is self.negative
            else effective(self.negatives, row_sum(self.squared.negative))
        )

    @cached
    def as_cases(self) -> Any:
        """The table with weights scaled to add up to the effective number of cases.

        Equal weights become whole numbers of cases, so that the table is that of the cases without weights.
        """
        if self.effective_total == self.total:
            return self
        found = self._whole or self * (self.effective_total / self.total)
        found.__dict__["as_cases"] = found
        return found

    @property
    def _whole(self) -> Any:
        """The table with whole numbers of cases; None where weights differ."""
        if not self.equally_weighted:
            return None
        cases = [part * (self.effective_total / self.total) for part in (self.positive, self.negative)]
        whole = [np.rint(part) for part in cases]
        if not np.allclose(cases, whole, rtol=ALIKE, atol=0):
            return None
        return self.of(self.score, *(part.astype(np.int64) for part in whole))

    @property
    def equally_weighted(self) -> bool:
        """Whether every case has the same weight."""
        if self.squared.positive is self.positive:
            return True
        unit, parts = (
            self.total / self.effective_total,
            zip(self.squared, (self.positive, self.negative), strict=True),
        )
        return all(np.allclose(squares, unit * weight, rtol=ALIKE, atol=0) for squares, weight in parts)

    def with_class_sizes(self, positives: float, negatives: float) -> Any:
        """The table with the classes scaled to these total weights; a class without cases stays empty."""
        wanted, there = (
            (positives, negatives),
            (self.positive.sum(-1, keepdims=True), self.negative.sum(-1, keepdims=True)),
        )
        factors = [
            np.divide(size, held, out=np.zeros(held.shape), where=held > 0)
            for size, held in zip(wanted, there, strict=True)
        ]
        squares = self.squares and Squares(
            *(part * factor**2 for part, factor in zip(self.squares, factors, strict=True))
        )
        return self.of(self.score, self.positive * factors[0], self.negative * factors[1], squares)

    def repeated(self, times: float) -> Any:
        """The same cases, `times` times as many."""
        squares = self.squares.each(lambda part: part * times) if self.squares and self.weighted else None
        return self.of(self.score, self.positive * times, self.negative * times, squares)

    def in_effective_cases(self) -> Any:
        """The table with the weights of each class scaled to its effective number of cases."""
        if self.squared.positive is self.positive:
            return self
        return self.of(
            *self.with_class_sizes(self.effective_positives, self.effective_negatives)._arrays()[:3]
        )

    @cached
    def effective_total(self) -> Any:
        """The effective number of cases."""
        if self.squared.positive is self.positive:
            return self.total
        return effective(self.total, row_sum(self.squared.positive) + row_sum(self.squared.negative))


def row_sum(weight: np.ndarray) -> Any:
    """The sum along the last axis, a Python number for a single table."""
    if weight.ndim > 1:
        return np.add.reduce(weight, axis=-1)
    return np.add.reduce(kernels.stretches(lambda rows: np.add.reduce(weight[rows]), len(weight))).item()
