"""Intervals where cases belong together, as several of one patient: whole groups are resampled."""

from __future__ import annotations

from functools import cached_property, partial
from math import isfinite, isinf, isnan
from typing import Any

import numpy as np

from ..registry import Measure
from ..summaries import Counts, RankingTable
from ..summaries.cases import ScoredCases
from . import proportion, resampled
from .draws import Draws, draws
from .kinds import ROUNDING, Settings
from .of_counts import parts
from .results import Estimate, Interval, no_interval
from .scale import Scale

FEW_GROUPS = 30
ENOUGH = 0.9  # of the resamples on which the measure must be defined
METHOD = "cluster-bootstrap"


class Clusters:
    """Cases in groups, and resamples of the groups.

    cases: the cases; groups: the number of each case's group, from 0 on. All measures share the same resamples; of a table of very
    many scores these are thinned, as `resampled` says.
    """

    def __init__(self, cases: ScoredCases, groups: np.ndarray):
        self.cases, self.groups, self.number = cases, groups, int(groups.max()) + 1
        self._drawn: dict[int, np.ndarray] = {}

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
        found = self._interval(entry, function, value, settings, threshold)
        said = [f"{name} = {number:g}" for name, number in parameters.items() if number is not None]
        note = "; ".join([*said, *([found.note] if found.note else [])]) or None
        return Estimate(value, float(found.low), float(found.high), level, found.method or None, note=note)

    def _interval(self, entry, function, value, settings, threshold):
        """value +- t * the standard deviation of the resamples, on the scale of the range; as many degrees of freedom as groups - 1."""
        if self.number < 2:
            return no_interval("a single group shows no spread between groups")
        base, resamples = self._resamples(entry.summary, settings.seed, threshold)
        scale = Scale(entry.range)
        with np.errstate(divide="ignore", invalid="ignore"):
            spread = scale.to(np.asarray(function(resamples), float)) - scale.to(float(function(base)))
            ended = not isfinite(float(scale.to(value)))
        known = spread[np.isfinite(spread)]
        if ended or len(known) < ENOUGH * len(spread) or np.ptp(known) <= ROUNDING:
            return self._of_few(entry, function, settings, threshold) or no_interval("resamples of the groups show no spread")
        low, high = scale.around(value, self._widened(float(np.std(known)), settings.level), settings.level)
        few = f"approximate, perhaps too narrow: fewer than {FEW_GROUPS} groups" if self.number < FEW_GROUPS else None
        return Interval(low, high, METHOD, few)

    def _widened(self, error, level):
        """By Student's t in place of the normal, as few groups tell their spread badly. Source: Cameron and Miller (2015), VI."""
        from scipy.special import ndtri, stdtrit

        tail = (1 + level) / 2
        return error * float(stdtrit(self.number - 1, tail) / ndtri(tail))

    def _of_few(self, entry, function, settings, threshold):
        """Of a proportion that is 0 or 1 in all groups: Wilson's, as if each group with a case that counts were a single case."""
        if entry.summary is not Counts or entry.interval is None or entry.interval.kind != "proportion":
            return None
        x, n = parts(function, Counts.of(*self._counts(threshold).T))
        groups = float((n > 0).sum())
        low, high = proportion.wilson(groups * (x.sum() == n.sum()), groups, settings.level)
        return (
            Interval(low, high, "wilson of groups", "wider than need be: every group counts as one case")
            if x.sum() in (0, n.sum())
            else None
        )

    def _resamples(self, kind, seed, threshold):
        if kind is Counts:
            counts = self._counts(threshold)
            return Counts.of(*map(float, counts.sum(0))), Counts.of(*(self._draws(seed) @ counts).T)
        assert kind is RankingTable
        base, of_groups = self._rows
        drawn = self._draws(seed)
        weights = [np.ascontiguousarray((part.T @ drawn.T).T) for part in of_groups]
        return base, base.of(base.score, *weights)

    def _draws(self, seed):
        """How often each group is drawn, float64 of shape (replicates, groups)."""
        if seed not in self._drawn:
            size = min(len(self.cases.table), resampled.MOST_SCORES)
            how = Draws(
                int(min(resampled.REPLICATES, max(resampled.FEWEST_REPLICATES, resampled.CELLS // (size + 1)))), "cases", seed=seed
            )
            self._drawn[seed] = np.concatenate(list(draws(how, np.zeros(self.number, bool)))).astype(np.float64)
        return self._drawn[seed]

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
        called = self.cases.score >= self.cases.score.dtype.type(threshold)
        cell = 2 * ~called + ~self.cases.positive  # tp, fp, fn, tn
        return np.bincount(4 * self.groups + cell, self._weight, 4 * self.number).reshape(-1, 4)
