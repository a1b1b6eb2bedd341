"""An interval for every measure: `estimate` finds the method that fits it.

A measure names the kind of its interval in the catalogue (`interval="proportion"`); the kinds are the functions below that are
entered by `@kind`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import isinf, isnan, sqrt
from typing import Any

import numpy as np

from .. import validate
from ..notices import FEW_CASES
from ..registry import Measure, get, ratio
from ..summaries import Counts, RankingTable
from . import bootstrap, delong, proportion
from .results import Estimate, Interval, no_interval
from .scale import wald_on_scale

__all__ = ["Estimate", "Settings", "estimate"]


@dataclass(frozen=True, slots=True)
class Settings:
    """How intervals are made.

    level: the confidence level; proportion: "wilson" or "clopper-pearson"; bootstrap: "bayesian-bootstrap" or "bootstrap", for
    measures of four counts that are no proportion; seed: of the resampling, the same answer every time.
    """

    level: float = 0.95
    proportion: str = "wilson"
    bootstrap: str = "bayesian-bootstrap"
    seed: int = 0

    def __post_init__(self):
        validate.level(self.level)
        validate.choice(self.proportion, proportion.METHODS, "proportion")
        validate.choice(self.bootstrap, bootstrap.METHODS, "bootstrap")
        validate.seed(self.seed)


DEFAULT = Settings()
FEW_MISPLACED = 2  # cases of the smaller class, so to say, on the wrong side
FEW_LOSSES = 100  # below which a mean of so skewed a loss is not yet normal
ROUNDING = 1e-12  # a spread below this share is what rounding leaves of none
KINDS: dict[str, Callable[[Measure, Any, float, Settings], Interval]] = {}


def estimate(measure: Measure | str, summary: Any, settings: Settings = DEFAULT, like: Any = None) -> Estimate:
    """The measure of a summary, with its interval.

    measure: of the catalogue, or its name; summary: Counts (cells are numbers) or RankingTable.
    like: the summary that the interval is made for, where that is not the same: weights scaled to the effective sample size.
    """
    entry = get(measure) if isinstance(measure, str) else measure
    entry.check(summary)
    if np.ndim(getattr(summary, "tp", 0.0)):
        raise validate.InputError(
            f"{entry.name}: an estimate is made of four numbers, not of arrays; take one entry, as counts[0]."
        )
    value = float(entry.function(summary))
    if isnan(value):
        return Estimate(value, level=settings.level, undefined=entry.why_undefined(summary))
    if entry.interval is None or isinf(value):
        return Estimate(value, level=settings.level, note="infinite" if isinf(value) else None)
    found = KINDS[entry.interval](entry, summary if like is None else like, value, settings)
    return Estimate(value, float(found.low), float(found.high), settings.level, found.method or None, note=found.note)


def kind(name: str) -> Callable:
    def enter(function: Callable) -> Callable:
        KINDS[name] = function
        return function

    return enter


def parts(measure: Measure, counts: Counts) -> tuple:
    """Numerator and denominator of a measure that is a proportion of counts.

    One case of each kind tells: it gives 1 if it counts in both, 0 if only below the line, and NaN if it does not count at all.
    """
    single = measure.function(Counts.of(*np.eye(4)))
    cells = np.stack([counts.tp, counts.fp, counts.fn, counts.tn])
    return np.tensordot(single == 1, cells, 1), np.tensordot(~np.isnan(single), cells, 1)


@kind("proportion")
def _proportion(measure, counts, value, settings):
    x, n = parts(measure, counts)
    low, high = proportion.METHODS[settings.proportion](x, n, settings.level)
    return Interval(low, high, settings.proportion)


@kind("odds")
def _odds(measure, counts, value, settings):
    """Of one sum over the rest: (1 - p) / p, where p is the share of what stands below the line, which a single case puts at 0."""
    single = measure.function(Counts.of(*np.eye(4)))
    cells = np.stack([counts.tp, counts.fp, counts.fn, counts.tn])
    low, high = proportion.METHODS[settings.proportion](np.tensordot(single == 0, cells, 1), cells.sum(), settings.level)
    return Interval(float(ratio(1 - high, high)), float(ratio(1 - low, low)), f"{settings.proportion}-odds")


@kind("counts")
def _counts(measure, counts, value, settings):
    values = measure.function(bootstrap.METHODS[settings.bootstrap](counts, settings.seed))
    lost = int(np.isnan(values).sum())
    values = values[~np.isnan(values)]
    if not values.size:
        return no_interval("every resample left the measure undefined")
    note = f"{lost} of {bootstrap.REPLICATES} resamples left the measure undefined and are not counted" if lost else None
    if np.ptp(values) < ROUNDING:
        way_out = "; use bayesian-bootstrap" if settings.bootstrap == "bootstrap" else ""
        return no_interval(f"every resample gives the same value, so the bootstrap says nothing here{way_out}")
    low, high = bootstrap.percentiles(values, settings.level)
    return Interval(min(low, value), max(high, value), settings.bootstrap, note)


@kind("delong-logit")
def _delong_logit(measure, table, value, settings):
    variance = delong.delong_variance(table)
    if variance > ROUNDING**2 and 0 < value < 1:
        return Interval(*wald_on_scale(value, sqrt(variance), 1.0, settings.level), "delong-logit", _too_few(table, value))
    reason = "one case in a class" if isnan(variance) else "the classes are separated, or all scores tied"
    bounds = delong.newcombe(value, table.positives, table.negatives, settings.level)
    return Interval(*bounds, "newcombe", f"DeLong's variance cannot be used: {reason}")


@kind("binomial")
def _binomial(measure, table, value, settings):
    """As if the measure were a share of the positives: Boyd, Eng and Page (2013), with Wilson's bounds. Wide near 1."""
    low, high = proportion.wilson(value * table.positives, table.positives, settings.level)
    return Interval(low, high, "binomial-wilson")


@kind("mean")
def _mean(measure, table: RankingTable, value, settings):
    n = float(table.total)
    if n < 2:
        return no_interval("the weights make up fewer than two cases, which show no spread")
    p, weight = table.given_to_truth
    spread = measure.loss(p, table.epsilon) - value
    spread *= spread
    squares = float(weight @ spread)
    if squares <= n * (ROUNDING * value) ** 2:
        return no_interval("every case has the same loss: there is no spread to go by")
    try:
        bounds = wald_on_scale(value, sqrt(squares / (n - 1) / n), measure.range[1], settings.level)
    except (OverflowError, ZeroDivisionError):  # nearly no spread, or nearly all of the range
        return no_interval("the loss is too close to an end of its range for an interval")
    note = f"approximate: fewer than {FEW_LOSSES} cases" if n < FEW_LOSSES else None
    return Interval(*bounds, "mean-logit" if measure.range[1] == 1 else "mean-log", note)


def _too_few(table, area):
    """Where simulation finds DeLong's interval to cover less than it says (docs/intervals.md)."""
    smaller = min(table.positives, table.negatives)
    if smaller < FEW_CASES or smaller * min(area, 1 - area) < FEW_MISPLACED:
        return "approximate, perhaps too narrow: few cases, or few of them misplaced"
    return None
