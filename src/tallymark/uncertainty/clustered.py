"""Intervals where cases belong together, as several of one patient: whole groups are resampled.

How sure a measure is depends on the number of groups, and of those alone on which it rests: sensitivity on groups with positives.
"""

from __future__ import annotations

from functools import cached_property, partial
from math import isinf, isnan
from typing import Any

import numpy as np

from .. import kernels
from ..registry import Measure
from ..summaries import Counts
from ..summaries.cases import ScoredCases
from . import bootstrap_limits, proportion, resampled, with_parameters
from .draws import Draws, draws
from .kinds import ROUNDING, Settings
from .of_counts import parts
from .results import Estimate, Interval, no_interval
from .scale import Scale

ENOUGH = 0.9  # of the resamples on which the measure must be defined, and off the ends of its range
METHOD = "cluster-bootstrap"


class Clusters:
    """Cases in groups, and resamples of the groups.

    cases: the cases; groups: the number of each case's group, from 0 on. All measures share the same resamples; of a table of very
    many scores these are thinned, as `resampled` says.
    """

    def __init__(self, cases: ScoredCases, groups: np.ndarray):
        self.cases, self.groups, self.number = cases, groups, int(groups.max()) + 1
        self._last: dict[type, tuple] = {}  # by the kind of summary: of which seed and threshold, the summary, and its resamples

    def __reduce__(self):
        return Clusters, (self.cases, self.groups)

    def estimate(
        self, entry: Measure, summary: Any, settings: Settings, parameters: dict[str, Any], threshold: float | None
    ) -> Estimate:
        """The measure of a summary of all cases, with its interval. threshold: of measures of Counts, on the scores as held."""
        function = partial(entry.function, **entry.checked(parameters)) if parameters else entry.function
        value, level = float(function(summary)), settings.level
        if isnan(value):
            return Estimate(value, level=level, undefined=entry.why_undefined(summary))
        if isinf(value):
            return Estimate(value, level=level, note="infinite")
        fewest, units = self._fewest(entry, function, threshold)
        given = entry, parameters, self.cases.table, fewest, units
        reason = bootstrap_limits.why_none(*given)
        found = no_interval(reason) if reason else self._interval(entry, function, value, settings, threshold, fewest)
        doubt = bootstrap_limits.doubt(*given) if found.method == METHOD else None
        note = with_parameters(entry, "; ".join(note for note in (found.note, doubt) if note) or None, parameters)
        return Estimate(value, float(found.low), float(found.high), level, found.method or None, note=note)

    def _interval(self, entry, function, value, settings, threshold, fewest):
        """value +- t * the standard deviation of the resamples, on the scale of the range; with fewest - 1 degrees of freedom."""
        base, resamples = self._resamples(entry.summary, settings.seed, threshold)
        scale = Scale(entry.range)
        with np.errstate(divide="ignore", invalid="ignore"):
            spread = scale.to(np.asarray(function(resamples), float)) - scale.to(float(function(base)))
            ended = not np.isfinite(scale.to(value))
        known = spread[np.isfinite(spread)]
        lost = len(spread) - len(known)
        said = f"undefined, or at an end of its range, on {lost:,} of {len(spread):,} resamples" if lost else None
        if ended or len(known) < ENOUGH * len(spread) or np.ptp(known) <= ROUNDING:
            of_few = self._of_few(entry, function, settings, threshold)
            return of_few or no_interval(said or "resamples of the groups show no spread")
        low, high = scale.around(value, widened(float(np.std(known)), fewest, settings.level), settings.level)
        return Interval(low, high, METHOD, said)

    def _fewest(self, entry, function, threshold):
        """How many groups there are with cases on which the measure rests, of the rarer class if on both; and what they are."""
        if entry.summary is Counts:
            counts = Counts.of(*self._counts(threshold).T)
            if _is_proportion(entry):
                return int((parts(function, counts)[1] > 0).sum()), "groups with cases that count"
            whole = Counts.of(*(float(cell.sum()) for cell in (counts.tp, counts.fp, counts.fn, counts.tn)))
            without = {"positives": Counts.of(0.0, whole.fp, 0.0, whole.tn), "negatives": Counts.of(whole.tp, 0.0, whole.fn, 0.0)}
        else:
            whole = self._rows[0]
            none = np.zeros(len(whole))
            without = {
                "positives": whole.of(whole.score, none, whole.negative),
                "negatives": whole.of(whole.score, whole.positive, none),
            }
        with np.errstate(divide="ignore", invalid="ignore"):
            value, others = float(function(whole)), {name: float(function(part)) for name, part in without.items()}
        there = [(self._holding[name], f"groups with {name}") for name, other in others.items() if not _same(other, value)]
        return min([(self.number, "groups"), *there])

    @cached_property
    def _holding(self):
        """The number of groups with positives, and with negatives."""
        classes = {"positives": self.cases.positive, "negatives": ~self.cases.positive}
        return {name: len(np.unique(self.groups[some])) for name, some in classes.items()}

    def _of_few(self, entry, function, settings, threshold):
        """Of a proportion of which many resamples are 0 or 1: Wilson's, as if each group were a single case; groups of unlike size
        stand for as many of like size as give the same variance (Kish 1965)."""
        if not _is_proportion(entry):
            return None
        x, n = parts(function, Counts.of(*self._counts(threshold).T))
        groups, share = float(n.sum() ** 2 / (n**2).sum()), float(x.sum() / n.sum())
        low, high = proportion.wilson(groups * share, groups, settings.level)
        return Interval(low, high, "wilson of groups", "wider than need be: every group counts as one case")

    def _resamples(self, kind, seed, threshold):
        """The summary, thinned where it must be, and resamples of it; the last ones are kept."""
        of = seed, threshold if kind is Counts else None
        if kind not in self._last or self._last[kind][0] != of:
            self._last[kind] = of, *(self._of_counts(seed, threshold) if kind is Counts else self._of_table(seed))
        return self._last[kind][1:]

    def _of_counts(self, seed, threshold):
        counts = self._counts(threshold)
        drawn = np.concatenate([kernels.drawn(times, counts) for times in self._draws(seed)])
        return Counts.of(*map(float, counts.sum(0))), Counts.of(*drawn.T)

    def _of_table(self, seed):
        base, of_groups = self._rows
        drawn = [[(part.T @ times.T.astype(np.float64)).T for part in of_groups] for times in self._draws(seed)]
        return base, base.of(base.score, *(np.concatenate(parts) for parts in zip(*drawn, strict=True)))

    def _draws(self, seed):
        """How often each group is drawn: chunks of shape (some replicates, groups)."""
        size = min(len(self.cases.table), resampled.MOST_SCORES)
        number = int(min(resampled.REPLICATES, max(resampled.FEWEST_REPLICATES, resampled.CELLS // (size + 1))))
        return draws(Draws(number, seed=seed), np.zeros(self.number, bool))

    @cached_property
    def _weight(self):
        return np.ones(len(self.cases)) if self.cases.weight is None else self.cases.weight

    @cached_property
    def _rows(self):
        """The table, thinned where it must be, and the weight of each group's positives and negatives at each of its scores."""
        from scipy.sparse import csr_array

        table = self.cases.table
        base = table.thinned() if resampled.thins(table) else table
        below = np.searchsorted(base.score[::-1], self.cases.score, side="left")  # each keeps its highest score
        row, shape = len(base) - 1 - below, (self.number, len(base))
        masks = self.cases.positive, ~self.cases.positive
        return base, [csr_array((self._weight * mask, (self.groups, row)), shape=shape) for mask in masks]

    def _counts(self, threshold):
        """Of each group the four counts, shape (groups, 4)."""
        with np.errstate(over="ignore"):  # beyond what float32 holds: infinity
            called = self.cases.score >= self.cases.score.dtype.type(threshold)
        cell = 2 * ~called + ~self.cases.positive  # tp, fp, fn, tn
        return np.bincount(4 * self.groups + cell, self._weight, 4 * self.number).reshape(-1, 4)


def _is_proportion(entry):
    return entry.summary is Counts and entry.interval is not None and entry.interval.kind == "proportion"


def _same(one, other):
    return abs(one - other) <= ROUNDING * max(1.0, abs(other))


def widened(error: float, groups: int, level: float) -> float:
    """A standard error for Student's t: few groups show their spread badly. Source: Cameron and Miller (2015), VI."""
    from scipy.special import ndtri, stdtrit

    tail = (1 + level) / 2
    return error * float(stdtrit(groups - 1, tail) / ndtri(tail))
