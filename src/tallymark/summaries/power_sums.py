"""Sums of powers of a value over cases, by class: its mean and the variance of the mean follow from them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import comb

import numpy as np

from ..input.weighting import effective

ORDER = 4  # the highest power: the variance of a variance needs it
WEIGHT, SPREAD, FOURTH, CASES = range(4)  # by what the powers are multiplied
Array = np.ndarray
BINOMIAL = np.array([[comb(power, lower) for lower in range(ORDER + 1)] for power in range(ORDER + 1)])
STEPS = np.maximum(np.subtract.outer(range(ORDER + 1), range(ORDER + 1)), 0)  # the powers that they are times


@dataclass(frozen=True, eq=False)
class PowerSums:
    """Sums over cases of powers 0 to 4 of a value less the mean of the class; those of parts of cases merge.

    centre : shape (classes,)
        What is subtracted in each class.
    sums : shape (4, classes, 5)
        The powers times the weight w of an entry; times the sum s of the squared weights of its cases, as in
        a variance; times s^3 / w^2, as in the variance of that; times w^2 / s, their number. All four are
        the same where weights are numbers of cases.
    """

    centre: Array
    sums: Array

    @property
    def mean(self) -> float:
        """The weighted mean of the value; NaN without cases."""
        total = float(self.sums[WEIGHT, :, 0].sum())
        return float(self.totals.sum()) / total if total else np.nan

    @property
    def totals(self) -> Array:
        """The weighted sum of the value in each class."""
        found: Array = self.sums[WEIGHT, :, 1] + self.centre * self.sums[WEIGHT, :, 0]
        return found

    def linear(self, factor: float, centre: Array) -> PowerSums:
        """The sums of factor * (value - old centre) + new centre of the class."""
        return PowerSums(centre, self.sums * factor ** np.arange(ORDER + 1))

    def about(self, centre: Array) -> Array:
        """The sums of the powers of the value less another centre of each class."""
        with np.errstate(over="ignore", invalid="ignore"):
            powers = np.power((self.centre - centre)[:, None], np.arange(ORDER + 1))
            found: Array = np.einsum("kpl,wkl->wkp", BINOMIAL * powers[:, STEPS], self.sums)
        return found


def merged(parts: Sequence[PowerSums]) -> PowerSums:
    """The sums over the cases of all parts."""
    if len(parts) == 1:
        return parts[0]
    total = np.add.reduce([one.sums[WEIGHT, :, 0] for one in parts])
    with np.errstate(over="ignore", invalid="ignore"):
        first = np.add.reduce([one.totals for one in parts])
        centre = np.divide(first, total, out=np.zeros_like(total), where=total > 0)
        return PowerSums(centre, np.add.reduce([one.about(centre) for one in parts]))


@dataclass(frozen=True, eq=False)
class Entries:
    """Entries of cases that share a value, in the order of their classes.

    order: that sorts them; present: the classes that occur; starts: the first entry of each; weights: one row
    where weights are numbers of cases, else the four of `PowerSums`.
    """

    order: Array
    present: Array
    starts: Array
    weights: Array
    classes: int

    @classmethod
    def of(cls, weight: Array, squares: Array | None, of_class: Array, classes: int) -> Entries:
        """of_class: whole numbers from 0, or booleans."""
        order = np.argsort(of_class, kind="stable")
        ordered = of_class[order]
        starts = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1]))
        present = ordered[starts].astype(np.int64)
        w = np.asarray(weight, float)[order]
        if squares is None:
            return cls(order, present, starts, w[None], classes)
        s = np.asarray(squares, float)[order]
        there = w > 0
        fourth = np.divide(s**3, w**2, out=np.zeros_like(w), where=there)
        return cls(order, present, starts, np.stack([w, s, fourth, effective(w, s)]), classes)

    def sums_of(self, values: Array) -> PowerSums:
        """The sums of the powers of a value of each entry."""
        values = values[self.order]
        total = self._by_class(self.weights[WEIGHT])
        with np.errstate(over="ignore", invalid="ignore"):  # not finite then, as the caller sees
            first = self._by_class(self.weights[WEIGHT] * values)
            mean = np.divide(first, total, out=np.zeros_like(total), where=total > 0)
            off = values - np.repeat(mean, np.diff(self.starts, append=len(values)))
            centre, sums = np.zeros(self.classes), np.zeros((len(self.weights), self.classes, ORDER + 1))
            centre[self.present], product = mean, self.weights
            for power in range(ORDER + 1):
                sums[:, self.present, power] = np.add.reduceat(product, self.starts, axis=-1)
                product = product * off
        return PowerSums(centre, np.broadcast_to(sums, (4, *sums.shape[1:])))

    def _by_class(self, values: Array) -> Array:
        found: Array = np.add.reduceat(values, self.starts)
        return found


def merged_by_value(parts: Iterable[Sequence[PowerSums]]) -> list[PowerSums]:
    """Of several values, from the sums of each over parts of the cases."""
    return [merged(of_one) for of_one in zip(*parts, strict=True)]
