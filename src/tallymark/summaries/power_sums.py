"""Sums of powers of a value over cases, by class: its mean and the variance of the mean follow from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb

import numpy as np

from .. import kernels
from ..input.weighting import effective

ORDER = 4  # the highest power: the variance of a variance needs it
POWERS = np.arange(ORDER + 1)
WEIGHT, SPREAD, FOURTH, CASES = range(4)  # by what the powers are multiplied
Array = np.ndarray
BINOMIAL = np.array([[comb(power, lower) for lower in POWERS] for power in POWERS])
STEPS = np.maximum(np.subtract.outer(POWERS, POWERS), 0)  # the powers that they are times


@dataclass(frozen=True, eq=False)
class PowerSums:
    """Sums over cases of powers 0 to 4 of a value less the mean of the class; those of parts of cases merge.

    centre : shape (classes,)
        What is subtracted in each class.
    sums : shape (4, classes, 5)
        The powers of (value - centre) / unit times the weight w of an entry; times the sum s of the squared
        weights of its cases, as in a variance; times s^3 / w^2, as in the variance of that; times w^2 / s,
        their number. All four are the same where weights are numbers of cases.
    unit : float
        So large that no power overflows; in `Entries.sums_of` a power of two, so that nothing is rounded.
    """

    centre: Array
    sums: Array
    unit: float

    @property
    def total(self) -> float:
        """The weighted sum of the value over all cases."""
        of_class = self.sums[WEIGHT, :, 0] * self.centre + self.unit * self.sums[WEIGHT, :, 1]
        return float(of_class.sum())

    def linear(self, factor: Array | float, centre: Array) -> PowerSums:
        """The sums of factor * (value - old centre) + new centre; the factor may be one for each class."""
        largest = float(np.abs(factor).max()) or 1.0
        powers = np.power(np.reshape(factor / largest, (-1, 1)), POWERS)
        return PowerSums(centre, self.sums * powers, self.unit * largest)

    def weighted(self, factor: Array | float, times: float = 1.0) -> PowerSums:
        """The sums of `times` as many cases, with every weight times a factor, perhaps one of each class."""
        factors = times * np.power(factor, [[1], [2], [4], [0]])
        return PowerSums(self.centre, self.sums * factors[..., None], self.unit)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PowerSums) and all(
            map(np.array_equal, vars(self).values(), vars(other).values())
        )

    def about(self, centre: Array) -> PowerSums:
        """The sums of the powers of the value less another centre of each class."""
        with np.errstate(over="ignore", invalid="ignore"):
            step = self.centre - centre
            unit = max(self.unit, kernels.power_of_two(step))
            powers = np.power((step / unit)[:, None], POWERS)
            sums = self.sums * (self.unit / unit) ** POWERS
            return PowerSums(centre, np.einsum("kpl,wkl->wkp", BINOMIAL * powers[:, STEPS], sums), unit)


def merged(parts: Sequence[PowerSums]) -> PowerSums:
    """The sums over the cases of all parts."""
    if len(parts) == 1:
        return parts[0]
    units, centres = np.array([one.unit for one in parts]), np.stack([one.centre for one in parts])
    sums, unit = np.stack([one.sums for one in parts], 1), float(units.max())
    shape, weight = sums.shape, sums[WEIGHT, :, :, 0]
    with np.errstate(over="ignore", invalid="ignore"):
        total, first = weight.sum(0), (centres * weight).sum(0)
        centre = np.divide(first, total, out=np.zeros_like(total), where=total > 0)
        # of a class without cases in a part, whose centre is 0, nothing is moved
        near = np.where(weight > 0, centres, centre).ravel()
        scaled = sums * np.power((units / unit)[:, None, None], POWERS)
        moved = PowerSums(near, scaled.reshape(len(sums), -1, ORDER + 1), unit).about(
            np.tile(centre, len(parts))
        )
        return PowerSums(centre, moved.sums.reshape(shape).sum(1), moved.unit)


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
        kind = bool if of_class.dtype == bool else np.min_scalar_type(max(classes - 1, 0))
        order = np.argsort(of_class.astype(kind), kind="stable")  # short ones are sorted without comparisons
        ordered = of_class[order]
        starts = kernels.starts_of_runs(ordered)
        present = ordered[starts].astype(np.int64)
        w = np.asarray(weight, float)[order]
        if squares is None:
            return cls(order, present, starts, w[None], classes)
        s = np.asarray(squares, float)[order]
        unit = np.divide(s, w, out=np.zeros_like(w), where=w > 0)
        return cls(order, present, starts, np.stack([w, s, s * np.square(unit), effective(w, s)]), classes)

    def sums_of(self, values: Array) -> PowerSums:
        """The sums of the powers of a value of each entry."""
        shape = len(self.weights), self.classes, ORDER + 1
        centre, sums, unit = np.zeros(self.classes), np.zeros(shape), 1.0
        if len(self.order):
            mean, unit, found = kernels.powers(values[self.order], self.weights, self.starts)
            centre[self.present], sums[:, self.present] = mean, found
        return PowerSums(centre, np.broadcast_to(sums, (4, *shape[1:])), unit)
