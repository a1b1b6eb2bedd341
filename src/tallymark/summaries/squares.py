"""Sums of squared case weights: with the sums of the weights they say how many cases a weight stands for.

A set of cases of the weights w is worth (sum w)^2 / sum w^2 cases of one weight. Where each case counts once, or weights are
numbers of cases, both sums are the same and squares need not be held.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from .. import columns, validate
from .once import once


class Squares(NamedTuple):
    """Along the last axis one sum per score, of the squared weights of the positives and of the negatives there."""

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


def effective(total: Any, squares: Any) -> Any:
    """How many cases of one weight are worth as much; 0 of none."""
    total = np.asarray(total, np.float64)
    found = np.divide(total * total, squares, out=np.zeros_like(total), where=np.asarray(squares) > 0)
    return found if found.ndim else found.item()


def checked(values: Any, shape: tuple[int, ...], role: str) -> np.ndarray:
    """As an array of this shape. Raises InputError for what is no sum of squares."""
    array = np.array(validate.plain_array(values, role), np.float64)
    if array.shape != shape:
        raise validate.InputError(f"{role}: {array.shape} and {shape} differ in shape; give one sum of squared weights per weight.")
    if not (np.isfinite(array) & (array >= 0)).all():
        raise validate.InputError(f"{role}: sums of squared weights are finite numbers, none negative.")
    return array


class EffectiveSizes:
    """Of a table of two classes, how many cases its weights stand for."""

    positive: np.ndarray
    negative: np.ndarray
    positives: Any
    negatives: Any
    total: Any
    squares: Squares | None

    @property
    def weighted(self) -> bool:
        """Whether weights are no numbers of cases."""
        return self.positive.dtype.kind == "f"

    @property
    def squared(self) -> Squares:
        """The sums of squared case weights at each score; of numbers of cases the weights themselves."""
        return Squares(self.positive, self.negative) if self.squares is None or not self.weighted else self.squares

    @once
    def effective_positives(self) -> Any:
        """How many positives of one weight are worth as much: (sum of weights)^2 / sum of squares."""
        return (
            self.positives if self.squared.positive is self.positive else effective(self.positives, row_sum(self.squared.positive))
        )

    @once
    def effective_negatives(self) -> Any:
        """How many negatives of one weight are worth as much."""
        return (
            self.negatives if self.squared.negative is self.negative else effective(self.negatives, row_sum(self.squared.negative))
        )

    @once
    def effective_total(self) -> Any:
        """How many cases of one weight are worth as much as all."""
        if self.squared.positive is self.positive:
            return self.total
        return effective(self.total, row_sum(self.squared.positive) + row_sum(self.squared.negative))


def row_sum(weight: np.ndarray) -> Any:
    """Along the last axis; a number of a single table."""
    total = np.add.reduce(weight, axis=-1)
    return total.item() if weight.ndim == 1 else total
