"""Sums of squared case weights: with the sums of the weights they say how many cases a weight stands for.

A set of cases of the weights w is worth (sum w)^2 / sum w^2 cases of one weight. Where each case counts once,
or weights are numbers of cases, both sums are the same and squares need not be held.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from .. import kernels
from ..input import columns, validate
from ..input.weighting import effective
from .cached import cached

ALIKE = 1e-9  # relative difference that rounding may leave between equal weights


class Squares(NamedTuple):
    """Along the last axis one sum per score, of the squared weights of the positives and of the negatives
    there."""

    positive: np.ndarray
    negative: np.ndarray

    def each(self, change: Callable[[np.ndarray], np.ndarray]) -> Squares:
        """Both arrays, changed."""
        return Squares(change(self.positive), change(self.negative))


def needed(column: columns.Column | None, weights: np.ndarray | None) -> bool:
    """Whether squares of these weights may differ from the weights."""
    if weights is None or column is None or column.weight_kind == "count":
        return False
    return column.weight_kind == "importance" or bool((weights != 1).any())


def at_each_score(codes: np.ndarray, score: np.ndarray, weights: np.ndarray, positive: Any) -> Squares:
    """The sums of squared weights at each score, of labels and scores that `kernels.rank` has taken."""
    found = kernels.rank(codes, score, np.square(weights), positive)
    assert found is not None
    return Squares(*found[1:3])


def checked(values: Any, shape: tuple[int, ...], role: str) -> np.ndarray:
    """As an array of this shape. Raises InputError for what is no sum of squares."""
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
    """Of a table of two classes, how many cases its weights stand for."""

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
        """Whether weights are no numbers of cases."""
        return self.positive.dtype.kind == "f"

    @property
    def squared(self) -> Squares:
        """The sums of squared case weights at each score; of numbers of cases the weights themselves."""
        return (
            Squares(self.positive, self.negative)
            if self.squares is None or not self.weighted
            else self.squares
        )

    @cached
    def effective_positives(self) -> Any:
        """How many positives of one weight are worth as much: (sum of weights)^2 / sum of squares."""
        return (
            self.positives
            if self.squared.positive is self.positive
            else effective(self.positives, row_sum(self.squared.positive))
        )

    @cached
    def effective_negatives(self) -> Any:
        """How many negatives of one weight are worth as much."""
        return (
            self.negatives
            if self.squared.negative is self.negative
            else effective(self.negatives, row_sum(self.squared.negative))
        )

    @cached
    def as_cases(self) -> Any:
        """The table with weights divided by a constant, so that they add up to the effective number of cases.

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
        """The same with each class weighing so much in all, of replicates each of them; a class without cases
        keeps none."""
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
        """So many times as many cases of the same kind."""
        squares = self.squares.each(lambda part: part * times) if self.squares and self.weighted else None
        return self.of(self.score, self.positive * times, self.negative * times, squares)

    def in_effective_cases(self) -> Any:
        """The table with the weights of each class as numbers of cases, as many as they are worth."""
        if self.squared.positive is self.positive:
            return self
        return self.of(
            *self.with_class_sizes(self.effective_positives, self.effective_negatives)._arrays()[:3]
        )

    @cached
    def effective_total(self) -> Any:
        """How many cases of one weight are worth as much as all."""
        if self.squared.positive is self.positive:
            return self.total
        return effective(self.total, row_sum(self.squared.positive) + row_sum(self.squared.negative))


def row_sum(weight: np.ndarray) -> Any:
    """Along the last axis; a number of a single table."""
    total = np.add.reduce(weight, axis=-1)
    return total.item() if weight.ndim == 1 else total
