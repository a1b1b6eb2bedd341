"""Cases by unit (cluster or person): sums per unit, and measures with one unit left out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cached_property, partial
from math import isinf, isnan
from typing import Any

import numpy as np

from ..input.messages.notes import Note, joined
from ..measures.registry import Measure
from ..summaries import Counts, RankingTable
from ..summaries.cases import ScoredCases
from . import with_parameters
from .bootstrap import limits, resampled
from .effective import as_cases
from .effective_units import Resting, least
from .functions_in_units import of_another
from .intervals.kinds import ROUNDING, Settings
from .intervals.of_counts import parts
from .intervals.scale import Scale
from .results import Estimate, Interval, no_interval, with_interval

MOST_KEPT = 1_000  # scores, of tables with more weight at each that are kept
AT_ONCE = 500  # units left out at a time, in tables with a leading axis
MOST_LEFT_OUT = 1_000  # units left out one by one; with more, influence values are summed
# kinds for which the jackknife is valid
SMOOTH = ("delong-logit", "average-precision", "mean", "mean-of-prior", "fisher", "level")
MOST_SHARE = 0.9  # largest proportion of the total weight in a unit that is left out
STEP = 1e-6  # of a numerical derivative by a cell of counts, relative to the total weight
CLASSES = ("positives", "negatives")


def estimated(
    entry: Measure,
    summary: Any,
    settings: Settings,
    parameters: dict[str, Any],
    interval: Callable[[Callable[..., Any], float], Interval],
) -> Estimate:
    """The measure of a summary of all cases, with its interval if the value is finite.

    interval: from the function and its value.
    """
    function = partial(entry.function, **entry.checked(parameters)) if parameters else entry.function
    value, level = float(function(summary)), settings.level
    if isnan(value):
        return Estimate(value, level=level, undefined=entry.why_undefined(summary))
    if isinf(value):
        return Estimate(value, level=level, notes=(Note("infinite"),))
    found = interval(function, value)
    return with_interval(value, found, level, with_parameters(entry, found.notes, parameters))


class InUnits:
    """Cases of two classes in units, whose number determines the precision of a measure.

    what: the name of the units; doubted: methods that need many of them; cases: the cases; units: the same by
    unit.
    """

    what: str
    doubted: tuple[str, ...]
    cases: ScoredCases
    units: Units
    _interval: Callable[..., Interval]

    def estimate(
        self,
        entry: Measure,
        summary: Any,
        settings: Settings,
        parameters: dict[str, Any],
        threshold: float | None,
    ) -> Estimate:
        """The measure of a summary of all cases, with its interval.

        threshold: for measures of Counts, on the scale of the table.
        """
        made = partial(self._limited, entry, settings, parameters, threshold)
        return estimated(entry, summary, settings, parameters, made)

    def _limited(
        self,
        entry: Measure,
        settings: Settings,
        parameters: dict[str, Any],
        threshold: float | None,
        function: Callable[..., Any],
        value: float,
    ) -> Interval:
        other = of_another(self._limited, self.units.base, entry, settings, parameters, value)
        if other is not None:
            return other
        rests = self.units.resting(entry, function, threshold, self.what)
        given = entry, parameters, self.cases.table
        reason = limits.why_none(*given, rests.number, rests.name)
        if reason:
            return no_interval(reason)
        found = self._interval(entry, function, value, settings, threshold, rests)
        doubt = limits.doubt(*given, rests.effective, rests.text) if found.method in self.doubted else None
        return replace(found, notes=joined(found.notes, doubt))


class Units:
    """Cases of two classes in units.

    of: arrays with the number of a unit for each case, -1 for none; a case may have several.
    """

    def __init__(self, cases: ScoredCases, number: int, *of: np.ndarray):
        self.cases, self.number, self.of = cases, number, of

    @cached_property
    def weight(self) -> np.ndarray:
        """The weight of each case; importance weights add up to the effective number of cases."""
        if self.cases.weight is None:
            return np.ones(len(self.cases))
        found: np.ndarray = self.cases.weight * (self.table.total / self.cases.table.total)
        return found

    @cached_property
    def table(self) -> Any:
        """The ranking table of the cases, with these weights."""
        return as_cases(self.cases.table)

    @cached_property
    def sizes(self) -> dict[str, np.ndarray]:
        """The weight of each unit's positives, and of its negatives."""
        masks = dict(zip(CLASSES, (self.cases.positive, ~self.cases.positive), strict=True))
        return {
            name: sum((self._sums(unit, mask * self.weight) for unit in self.of), np.zeros(self.number))
            for name, mask in masks.items()
        }

    def counts(self, threshold: float | None) -> np.ndarray:
        """The four counts of each unit, shape (units, 4)."""
        return np.reshape(
            sum(self._sums(4 * unit + self._cell(threshold), self.weight, unit >= 0, 4) for unit in self.of),
            (-1, 4),
        )

    def whole(self, threshold: float | None) -> np.ndarray:
        """The four counts of all cases."""
        return np.bincount(self._cell(threshold), self.weight, 4)

    def _cell(self, threshold: float | None) -> np.ndarray:
        assert threshold is not None
        with np.errstate(over="ignore"):  # beyond the range of float32: infinity
            called = self.cases.score >= self.cases.score.dtype.type(threshold)
        found: np.ndarray = 2 * ~called + ~self.cases.positive  # tp, fp, fn, tn
        return found

    def _sums(
        self, place: np.ndarray, weight: np.ndarray, there: np.ndarray | None = None, times: int = 1
    ) -> np.ndarray:
        there = place >= 0 if there is None else there
        return np.bincount(place[there], weight[there], times * self.number)

    @cached_property
    def rows(self) -> tuple[Any, list[Any]]:
        """The table, thinned where necessary, and the weights of each unit at each of its scores.

        They are those of its positives, and of its negatives.
        """
        from scipy.sparse import csr_array

        table = self.table
        base = table.thinned() if resampled.thins(table) else table
        # merged scores keep the highest
        below = np.searchsorted(base.score[::-1], self.cases.score, side="left")
        row, shape = len(base) - 1 - below, (self.number, len(base))
        masks = self.cases.positive, ~self.cases.positive

        def summed(mask: np.ndarray, unit: np.ndarray) -> Any:
            there = mask & (unit >= 0)
            return csr_array((self.weight[there], (unit[there], row[there])), shape=shape)

        return base, [
            sum(summed(mask, unit) for unit in self.of[1:]) + summed(mask, self.of[0]) for mask in masks
        ]

    def base(self, entry: Measure, threshold: float | None) -> Any:
        """The summary of all cases that units are left out of."""
        if entry.summary is Counts:
            return Counts.of(*self.whole(threshold).tolist())
        return self.rows[0]

    def shifts(
        self, entry: Measure, function: Callable[..., Any], threshold: float | None, scale: Scale
    ) -> np.ndarray:
        """The change of the measure, on the scale, where a unit is left out: shape (units,).

        It is not finite at an end of the scale. For many units, and for measures that change abruptly with
        single cases where units are small, it is the sum of the influence values of the cases.
        """
        if self.number > MOST_LEFT_OUT or not (is_smooth(entry) or self._large):
            found: np.ndarray = -self.totals(
                influences(self, entry, function, threshold, scale), threshold
            ) / (1 - self._share)
            return found
        with np.errstate(divide="ignore", invalid="ignore"):
            left = np.concatenate(
                [np.asarray(function(part), float) for part in self._left_out(entry, threshold)]
            )
            moved: np.ndarray = scale.to(left) - scale.to(float(function(self.base(entry, threshold))))
            return moved

    @property
    def _large(self) -> bool:
        """Whether units are large enough for the jackknife of measures with jumps.

        Shao and Wu (1989), Annals of Statistics 17.
        """
        found: bool = len(self.cases) / self.number >= np.sqrt(len(self.cases))
        return found

    @cached_property
    def _share(self) -> np.ndarray:
        """The proportion of the total weight in each unit, below 1 also for a unit that is all."""
        sizes = self.sizes["positives"] + self.sizes["negatives"]
        found: np.ndarray = np.minimum(sizes / self.weight.sum(), MOST_SHARE)
        return found

    def _left_out(self, entry: Measure, threshold: float | None) -> Iterator[Any]:
        if entry.summary is Counts:
            yield Counts.of(*np.maximum(self.whole(threshold) - self.counts(threshold), 0.0).T)
            return
        base, of_units = self.rows
        for start in range(0, self.number, AT_ONCE):
            some = [part[start : start + AT_ONCE].toarray() for part in of_units]
            whole = base.positive, base.negative
            yield base.of(
                base.score, *(np.maximum(all_ - part, 0.0) for all_, part in zip(whole, some, strict=True))
            )

    def totals(self, influence: tuple[np.ndarray, ...], threshold: float | None) -> np.ndarray:
        """The sum of the influence values of each unit's cases. influence: as in `influences`."""
        if len(influence) == 1:
            of_counts: np.ndarray = self.counts(threshold) @ influence[0]
            return of_counts
        found: np.ndarray = sum(part @ one for part, one in zip(self.rows[1], influence, strict=True))
        return found

    def resting(
        self, entry: Measure, function: Callable[..., Any], threshold: float | None, what: str
    ) -> Resting:
        """The units with cases that contribute to the measure.

        If both classes do, those with cases of the class that has the fewest in effect.
        """
        found = self._resting_sizes(entry, function, threshold)
        return least(
            [Resting.of(sizes, f"{what} with {name}" if name else what) for name, sizes in found.items()]
        )

    def _resting_sizes(
        self, entry: Measure, function: Callable[..., Any], threshold: float | None
    ) -> dict[str, np.ndarray]:
        if is_proportion(entry):
            return {"cases that count": parts(function, Counts.of(*self.counts(threshold).T))[1]}
        base = self.base(entry, threshold)
        with np.errstate(divide="ignore", invalid="ignore"):
            value, others = float(function(base)), [float(function(part)) for part in _without_a_class(base)]
        there = {
            name: self.sizes[name]
            for name, other in zip(CLASSES, others, strict=True)
            if not _same(other, value)
        }
        return {"": self.sizes["positives"] + self.sizes["negatives"]} | there


def influences(
    units: Units, entry: Measure, function: Callable[..., Any], threshold: float | None, scale: Scale
) -> tuple[np.ndarray, ...]:
    """The derivative of the measure, on the scale, by the weight of a case.

    A case is in one of the four counts, or has one of the scores and a class. For tables the step is as large
    as the standard error of a count, which smooths the jumps of rates at a threshold.
    """
    base = units.base(entry, threshold)
    with np.errstate(divide="ignore", invalid="ignore"):
        value = float(function(base))
        slope = np.float64(scale.slope(value)) if np.isfinite(scale.to(value)) else np.nan
        if entry.summary is Counts:
            whole = units.whole(threshold)
            step = STEP * whole.sum()
            return (
                slope
                * (np.asarray(function(Counts.of(*(whole + step * np.eye(4)).T)), float) - value)
                / step,
            )
        return tuple(slope * _slopes(base, of, function, value) for of in (0, 1))


def _slopes(base: RankingTable, of: int, function: Callable[..., Any], value: float) -> np.ndarray:
    size = float((base.positive, base.negative)[of].sum())
    step = np.sqrt(size)
    if len(base) > MOST_KEPT:
        tables = _with_more(base, of, step)
    else:  # all measures share what they need of them
        tables = resampled.kept(f"more of class {of}", base, of, lambda: list(_with_more(base, of, step)))
    found = [np.asarray(function(table), float) - value for table in tables]
    slopes: np.ndarray = np.concatenate(found) * (size + step) / (size * step)
    return slopes


def _with_more(base: RankingTable, of: int, step: float) -> Iterator[RankingTable]:
    """The table with so much more weight of a class at each score, one after the other."""
    both = base.positive, base.negative
    for start in range(0, len(base), AT_ONCE):
        more = step * np.eye(min(AT_ONCE, len(base) - start), len(base), start)
        positive, negative = (
            part + more if place == of else np.broadcast_to(part * 1.0, more.shape)
            for place, part in enumerate(both)
        )
        yield base.of(base.score, positive, negative)


def is_smooth(entry: Measure) -> bool:
    """Whether the jackknife over cases estimates the variance of the measure.

    That is so for counts, and for means over cases and pairs.
    """
    return entry.summary is Counts or limits.kind_of(entry) in SMOOTH


def is_proportion(entry: Measure) -> bool:
    """Whether it is a proportion of cases, computed from the counts."""
    return entry.summary is Counts and entry.interval is not None and entry.interval.kind == "proportion"


def _without_a_class(base: Any) -> tuple[Any, Any]:
    if isinstance(base, Counts):
        return Counts.of(0.0, base.fp, 0.0, base.tn), Counts.of(base.tp, 0.0, base.fn, 0.0)
    none = np.zeros(len(base))
    return base.of(base.score, none, base.negative), base.of(base.score, base.positive, none)


def _same(one: float, other: float) -> bool:
    return abs(one - other) <= ROUNDING * max(1.0, abs(other))
