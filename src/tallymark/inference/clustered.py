"""Intervals for cases in clusters, as several of one patient.

The precision of a measure depends on the number of clusters that contribute to it: that of sensitivity on
clusters with positives. Smooth measures use the jackknife over clusters, which holds also where cluster sizes
vary; maxima, hulls and precision-recall areas use the method for independent cases with fewer of them
(design_effects.py); others use resamples of whole clusters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import kernels
from ..input.messages.notes import Note
from ..summaries import Counts, RankingTable
from ..summaries.cases import ScoredCases
from . import design_effects
from .bootstrap import resampled
from .bootstrap.resampled_counts import deviation
from .effective_units import Resting, effective_number, widened
from .intervals import proportion
from .intervals.kinds import ROUNDING, Settings
from .intervals.of_counts import parts
from .intervals.scale import Scale
from .replicates import Draws, draws
from .results import Interval, no_interval
from .units import CLASSES, InUnits, Units, is_proportion, is_smooth

if TYPE_CHECKING:
    from ..measures.registry import Measure

ENOUGH = 0.9  # proportion of resamples with a value within the range
# clusters with a case of either kind, of a proportion: with two, one resample in eight has none
FEWEST_OF_EITHER = 3
METHOD, JACKKNIFE = "cluster-bootstrap", "cluster-jackknife"


class Clusters(InUnits):
    """Cases in clusters, and resamples of the clusters.

    cases: the cases; clusters: the number of each case's cluster, from 0 on. All measures share the same
    resamples; of a table of very many scores these are thinned, as `resampled` says.
    """

    what, doubted = "clusters", (METHOD, JACKKNIFE)

    def __init__(self, cases: ScoredCases, clusters: np.ndarray):
        self.cases, self.groups, self.number = cases, clusters, int(clusters.max()) + 1
        self.units = Units(cases, self.number, clusters)
        # By the kind of summary: the seed and threshold, the summary, and its resamples.
        self._last: dict[type, tuple[Any, ...]] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        return Clusters, (self.cases, self.groups)

    def _interval(
        self,
        entry: Measure,
        function: Callable[..., Any],
        value: float,
        settings: Settings,
        threshold: float | None,
        rests: Resting,
    ) -> Interval:
        if design_effects.fits(entry):
            return self._by_effective_sizes(entry, function, value, settings, rests)
        found = (
            self._by_jackknife(entry, function, value, settings, threshold, rests)
            if is_smooth(entry)
            else None
        )
        return found or self._by_resamples(entry, function, value, settings, threshold, rests)

    def _by_effective_sizes(
        self, entry: Measure, function: Callable[..., Any], value: float, settings: Settings, rests: Resting
    ) -> Interval:
        alike = [effective_number(self.units.sizes[name]) for name in CLASSES]
        found = design_effects.interval(self.units, entry, function, value, settings, rests, alike)
        return replace(found, method=found.method and f"cluster-{found.method}")

    def _by_jackknife(
        self,
        entry: Measure,
        function: Callable[..., Any],
        value: float,
        settings: Settings,
        threshold: float | None,
        rests: Resting,
    ) -> Interval | None:
        """value +- t * the jackknife standard error over clusters, on the scale of the range.

        None where the value, or that without a cluster, is at an end of it. Source: MacKinnon, Nielsen and
        Webb (2023), J. of Applied Econometrics 38, 671-694.
        """
        scale = Scale(entry.range)
        shifts = self.units.shifts(entry, function, threshold, scale)
        if not scale.inside(value) or not np.isfinite(shifts).all() or not np.ptp(shifts) > ROUNDING:
            return None
        if is_proportion(entry) and _rarer(function, self.units.counts(threshold)) < FEWEST_OF_EITHER:
            return self._of_few(entry, function, settings, threshold)
        error = float(np.sqrt((1 - 1 / self.number) * kernels.dot(shifts, shifts)))
        low, high = scale.around(value, widened(error, rests.effective, settings.level), settings.level)
        return Interval(low, high, JACKKNIFE, standard_error=error / scale.slope(value))

    def _by_resamples(
        self,
        entry: Measure,
        function: Callable[..., Any],
        value: float,
        settings: Settings,
        threshold: float | None,
        rests: Resting,
    ) -> Interval:
        """value +- t * the standard deviation of the resamples, on the scale of the range."""
        base, resamples = self._resamples(entry.summary, settings.seed, threshold)
        scale = Scale(entry.range)
        values = (
            np.asarray(function(resamples), float)
            if entry.summary is Counts
            else resampled.measured(function, resamples)
        )
        with np.errstate(divide="ignore", invalid="ignore"):
            spread = scale.to(values) - scale.to(float(function(base)))
            ended = not np.isfinite(scale.to(value))
        known = spread[np.isfinite(spread)]
        lost = len(spread) - len(known)
        gone = Note("resamples-unusable", lost=lost, resamples=len(spread)) if lost else None
        if ended or len(known) < ENOUGH * len(spread) or np.ptp(known) <= ROUNDING:
            of_few = self._of_few(entry, function, settings, threshold)
            return of_few or no_interval(gone or Note("resamples-of-clusters-alike"))
        low, high = scale.around(
            value, widened(float(np.std(known)), rests.effective, settings.level), settings.level
        )
        return Interval(low, high, METHOD, gone, float(deviation(values)))

    def _of_few(
        self, entry: Measure, function: Callable[..., Any], settings: Settings, threshold: float | None
    ) -> Interval | None:
        """Wilson's interval of a proportion of which many resamples are 0 or 1.

        Each cluster counts as a single case. Clusters of unequal size are worth as many of equal size as give
        the same variance (Kish 1965).
        """
        if not is_proportion(entry):
            return None
        return wilson_of_units(function, self.units.counts(threshold), settings.level)

    def _resamples(self, kind: type, seed: int, threshold: float | None) -> tuple[Any, ...]:
        """The summary, thinned where necessary, and its resamples; the last ones are kept."""
        of = seed, threshold if kind is Counts else None
        if kind not in self._last or self._last[kind][0] != of:
            self._last[kind] = (
                of,
                *(self._of_counts(seed, threshold) if kind is Counts else self._of_table(seed)),
            )
        return self._last[kind][1:]

    def _of_counts(self, seed: int, threshold: float | None) -> tuple[Counts, Counts]:
        counts = self.units.counts(threshold)
        drawn = np.concatenate([kernels.drawn(times, counts) for times in self._draws(seed)])
        return Counts.of(*map(float, counts.sum(0))), Counts.of(*drawn.T)

    def _of_table(self, seed: int) -> tuple[RankingTable, RankingTable]:
        base, of_clusters = self.units.rows
        drawn = [
            [(part.T @ times.T.astype(np.float64)).T for part in of_clusters] for times in self._draws(seed)
        ]
        return base, base.of(base.score, *(np.concatenate(parts) for parts in zip(*drawn, strict=True)))

    def _draws(self, seed: int) -> Iterator[np.ndarray]:
        """How often each cluster is drawn: chunks of shape (some replicates, clusters)."""
        size = min(len(self.cases.table), resampled.MOST_SCORES)
        number = int(
            min(resampled.REPLICATES, max(resampled.FEWEST_REPLICATES, resampled.CELLS // (size + 1)))
        )
        return draws(Draws(number, seed=seed), np.zeros(self.number, bool))


def _rarer(function: Callable[..., Any], counts: np.ndarray) -> int:
    """The number of clusters with a case that counts, or with one that does not, whichever is smaller."""
    x, n = parts(function, Counts.of(*counts.T))
    return min(int((x > 0).sum()), int((x < n).sum()))


def wilson_of_units(function: Callable[..., Any], counts: np.ndarray, level: float) -> Interval:
    """Wilson's interval of a proportion, each unit counting as one case.

    counts: of each unit, shape (units, 4).
    """
    x, n = parts(function, Counts.of(*counts.T))
    clusters, share = effective_number(n), float(x.sum() / n.sum())
    low, high = proportion.wilson(clusters * share, clusters, level)
    return Interval(low, high, "wilson of clusters", Note("clusters-as-cases"))
