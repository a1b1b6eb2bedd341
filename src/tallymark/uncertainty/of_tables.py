"""Intervals of ranking and probabilistic measures."""

from __future__ import annotations

from math import isnan, sqrt

from ..notices import FEW_CASES
from . import delong, proportion
from .kinds import ROUNDING, Question, kind
from .results import Interval, no_interval
from .scale import wald_on_scale

FEW_MISPLACED = 2  # cases of the smaller class, so to say, on the wrong side
FEW_LOSSES = 100  # below which a mean of so skewed a loss is not yet normal


@kind("RankingTable", "delong-logit")
def delong_logit(q: Question) -> Interval:
    """DeLong's variance on the logit scale; Newcombe's interval where that fails."""
    table, value, level = q.summary, q.value, q.settings.level
    variance = delong.delong_variance(table)
    if variance > ROUNDING**2 and 0 < value < 1:
        return Interval(*wald_on_scale(value, sqrt(variance), (0.0, 1.0), level), "delong-logit", _too_few(table, value))
    reason = "one case in a class" if isnan(variance) else "the classes are separated, or all scores tied"
    bounds = delong.newcombe(value, table.positives, table.negatives, level)
    return Interval(*bounds, "newcombe", f"DeLong's variance cannot be used: {reason}")


@kind("RankingTable", "binomial")
def binomial(q: Question) -> Interval:
    """As if the measure were a share of the positives: Boyd, Eng and Page (2013), with Wilson's bounds. Wide near 1."""
    positives = q.summary.positives
    low, high = proportion.wilson(q.value * positives, positives, q.settings.level)
    return Interval(low, high, "binomial-wilson")


@kind("RankingTable", "mean")
def mean(q: Question) -> Interval:
    """Of a mean of a loss per case."""
    table, value, high = q.summary, q.value, q.entry.range[1]
    n = float(table.total)
    if n < 2:
        return no_interval("the weights make up fewer than two cases, which show no spread")
    p, weight = table.given_to_truth
    spread = q.entry.loss(p, table.epsilon, **getattr(q.function, "keywords", {})) - value
    spread *= spread
    squares = float(weight @ spread)
    if squares <= n * (ROUNDING * value) ** 2:
        return no_interval("every case has the same loss: there is no spread to go by")
    try:
        bounds = wald_on_scale(value, sqrt(squares / (n - 1) / n), (0.0, high), q.settings.level)
    except (OverflowError, ZeroDivisionError):  # nearly no spread, or nearly all of the range
        return no_interval("the loss is too close to an end of its range for an interval")
    note = f"approximate: fewer than {FEW_LOSSES} cases" if n < FEW_LOSSES else None
    return Interval(*bounds, "mean-logit" if high == 1 else "mean-log", note)


def _too_few(table, area):
    """Where simulation finds DeLong's interval to cover less than it says (docs/intervals.md)."""
    smaller = min(table.positives, table.negatives)
    if smaller < FEW_CASES or smaller * min(area, 1 - area) < FEW_MISPLACED:
        return "approximate, perhaps too narrow: few cases, or few of them misplaced"
    return None
