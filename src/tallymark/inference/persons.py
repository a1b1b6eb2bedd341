"""Intervals for comparisons of persons, which depend on each other where they share a person.

The variance is the sum of the squared totals of the persons, less that of the pairs of persons, which it
counts twice: Aronow, Samii and Assenova (2015), Political Analysis 23, 564-577. The total of a person is the
change where this person is left out (the jackknife), which is unbiased for a mean over all pairs.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from math import inf
from typing import Any

import numpy as np

from .. import kernels
from ..input.messages.notes import Note
from ..measures.registry import Measure
from ..summaries import Counts
from ..summaries.cases import ScoredCases
from .effective_units import Resting, widened
from .intervals import proportion
from .intervals.kinds import ROUNDING, Settings
from .intervals.of_counts import parts
from .intervals.scale import Scale
from .results import Interval, no_interval
from .units import InUnits, Units, influences, is_proportion

METHOD, OF_FEW = "person-jackknife", "wilson of persons"
NO_SPREAD = Note("persons-alike")
MATED, NON_MATED = np.array([1, 0, 1, 0]), np.array([0, 1, 0, 1])  # of the four counts


class Persons(InUnits):
    """Comparisons of persons.

    cases: mated (positive) and non-mated ones; first, second: the numbers of the two persons of each, from 0
    on, equal where it is mated.
    """

    what, doubted = "persons", (METHOD,)

    def __init__(self, cases: ScoredCases, first: np.ndarray, second: np.ndarray):
        self.cases, self.first, self.second = cases, first, second
        self.number = int(max(first.max(), second.max())) + 1
        self.units = Units(cases, self.number, first, np.where(first == second, -1, second))

    def __reduce__(self) -> tuple[Any, ...]:
        return Persons, (self.cases, self.first, self.second)

    @cached_property
    def pairs(self) -> Units:
        """The pairs of persons as units, including each person with itself."""
        low, high = np.minimum(self.first, self.second), np.maximum(self.first, self.second)
        found, number = np.unique(low.astype(np.int64) * self.number + high, return_inverse=True)
        self._alone = found // self.number == found % self.number
        return Units(self.cases, len(found), number)

    def independent(self, mated: np.ndarray, non_mated: np.ndarray) -> float:
        """The number of independent comparisons with the same variance.

        Comparisons of the same persons are assumed to be alike, and those that share one person of two to
        have a correlation of 1/2. mated, non_mated: the weight of each person's comparisons. For all pairs of
        n persons it is n / 2, the number of pairs without a person in common; for mated ones n.
        """
        total, of_person = float(mated.sum() + non_mated.sum() / 2), mated + non_mated / np.sqrt(2)
        return total * total / kernels.dot(of_person, of_person) if total else 0.0

    @property
    def of_class(self) -> dict[str, float]:
        """The number of independent comparisons among the mated and the non-mated ones."""
        mated, non_mated = (self.units.sizes[name] for name in ("positives", "negatives"))
        return {
            "mated": self.independent(mated, 0 * mated),
            "non-mated": self.independent(0 * mated, non_mated),
        }

    def _interval(
        self,
        entry: Measure,
        function: Callable[..., Any],
        value: float,
        settings: Settings,
        threshold: float | None,
        rests: Resting,
    ) -> Interval:
        """value +- t * the standard error, on the scale of the range.

        Where the value has no place on this scale, the bounds are clipped to the range.
        """
        for ends in (entry.range, (-inf, inf)):
            scale = Scale(ends)
            error = self.error(entry, function, threshold, scale)
            if scale.inside(value) and np.isfinite(error) and error > ROUNDING:
                low, high = scale.around(
                    value, widened(error, rests.effective, settings.level), settings.level
                )
                low, high = max(low, entry.range[0]), min(high, entry.range[1])
                return Interval(low, high, METHOD, standard_error=error / scale.slope(value))
            if is_proportion(entry):
                return self._of_few(function, settings.level, threshold)
        return no_interval(NO_SPREAD)

    def error(
        self, entry: Measure, function: Callable[..., Any], threshold: float | None, scale: Scale
    ) -> float:
        """The standard error on the scale; NaN where the measure without a person is at an end of it."""
        with np.errstate(invalid="ignore"):
            shifts = self.units.shifts(entry, function, threshold, scale)
            if not np.isfinite(shifts).all():
                return np.nan
            of_pairs = self.pairs.totals(influences(self.pairs, entry, function, threshold, scale), threshold)
            squares = of_pairs * of_pairs
            shared = (1 - 1 / self.number) * kernels.dot(shifts, shifts) - float(squares[~self._alone].sum())
            return float(np.sqrt(max(shared, float(squares.sum()))))

    def _of_few(self, function: Callable[..., Any], level: float, threshold: float | None) -> Interval:
        """Wilson's interval of a proportion, with the number of independent comparisons."""
        x, n = parts(function, Counts.of(*self.units.whole(threshold)))
        cells = self.units.counts(threshold)
        alike = self.independent(
            *(parts(function, Counts.of(*(cells * some).T))[1] for some in (MATED, NON_MATED))
        )
        low, high = proportion.wilson(alike * float(x / n), alike, level)
        return Interval(low, high, OF_FEW, Note("persons-as-comparisons", comparisons=alike))
