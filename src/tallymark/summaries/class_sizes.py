"""The weights of the cases and of the classes, and how many cases of equal weight they are worth."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import kernels
from ..input import validate
from ..input.options import WeightKind
from ..input.weighting import effective
from .cached import cached


class ClassSizes:
    """Sums of the weights of cases, in all and of each class."""

    labels: tuple[Any, ...]
    truth: np.ndarray
    weight: np.ndarray
    weight_kind: WeightKind | None

    @cached
    def total(self) -> Any:
        return self.weight.sum(-1) if self.weight.ndim > 1 else kernels.total(self.weight)

    @cached
    def squares(self) -> np.ndarray | None:
        """The squared weight of every case; None if weights are numbers of cases."""
        if self.weight_kind == "count" or (self.weight_kind is None and (self.weight == 1).all()):
            return None
        squares: np.ndarray = np.square(self.weight)
        return squares

    @cached
    def effective_total(self) -> float:
        """The effective number of cases: how many cases of equal weight are equivalent to all."""
        total: float = self.total
        if self.squares is not None:
            total = effective(total, kernels.total(self.squares))
        return total

    @cached
    def effective_sizes(self) -> np.ndarray:
        """The effective number of cases of each class."""
        if self.squares is None:
            sizes: np.ndarray = self.sizes
            return sizes
        return validate.frozen(
            effective(self.sizes, kernels.sums(self.truth, self.squares, len(self.labels)))
        )

    @cached
    def sizes(self) -> np.ndarray:
        """The weight of each class."""
        sums = kernels.sums_of_each if self.weight.ndim > 1 else kernels.sums
        sizes: np.ndarray = validate.frozen(sums(self.truth, self.weight, len(self.labels)))
        return sizes

    @property
    def represented(self) -> Any:
        """The number of classes with cases, minus one."""
        found = np.maximum((self.sizes > 0).sum(-1) - 1.0, 0.0)
        return found if found.ndim else float(found)
