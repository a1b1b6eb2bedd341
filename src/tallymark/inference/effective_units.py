"""The number of units (clusters or persons) that contribute to an estimate, and its effective size."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from .. import kernels
from ..input.messages import Note
from .doubt import deciding
from .intervals.kinds import ROUNDING

ENOUGH = 30  # units in effect (docs/intervals.md)


def effective_number(sizes: np.ndarray) -> float:
    """The number of units of equal size with the same variance.

    It is (sum of sizes)^2 / (sum of squared sizes), and G / (1 + Gamma) of Carter, Schnepel and Steigerwald
    (2017), Review of Economics and Statistics 99, 698-709, Eq. 6, with variances in proportion to the sizes.
    With variances in proportion to their squares (all cases of a unit alike) intervals would be conservative,
    two to five times as wide (docs/intervals.md).
    """
    sizes = np.asarray(sizes, float)
    total = float(sizes.sum())
    return total * total / kernels.dot(sizes, sizes) if total else 0.0


@dataclass(frozen=True, slots=True)
class Resting:
    """The units that contribute to a measure.

    number: how many; effective: their effective number; name: what they are.
    """

    number: int
    effective: float
    name: str

    @classmethod
    def of(cls, sizes: np.ndarray, name: str) -> Resting:
        """Units of these sizes; those of size 0 do not count."""
        return cls(int((sizes > 0).sum()), effective_number(sizes), name)

    @property
    def text(self) -> str:
        """The name; with the effective number where it is lower."""
        if self.effective > self.number - 0.5:
            return self.name
        return f"{self.name} in effect ({self.number:,} of unlike size count as {self.effective:.3g})"


def least(found: list[Resting]) -> Resting:
    """The one with the smallest effective number."""
    return min(found, key=lambda one: (one.effective, one.number, one.name))


def resting_units(
    units: np.ndarray, weight: np.ndarray, classes: Mapping[str, np.ndarray], what: str = "clusters"
) -> Resting:
    """All units, or those with cases of a class, whichever are fewest in effect.

    units: the cluster of each case, or in two rows its two persons, who may be one; classes: by name, which
    cases; what: the name of the units.
    """
    first, *others = np.atleast_2d(units)

    def sums(sizes: np.ndarray) -> np.ndarray:
        both = (np.bincount(other, sizes * (other != first), units.max() + 1) for other in others)
        return sum(both, np.bincount(first, sizes, units.max() + 1))

    of = {what: weight} | {f"{what} with {name}": weight * some for name, some in classes.items()}
    return least([Resting.of(sums(sizes), name) for name, sizes in of.items()])


def few_units(rests: Resting) -> Note | None:
    """The note, if there are few units."""
    return deciding(rests.effective, rests.name) if rests.effective < ENOUGH - ROUNDING else None
