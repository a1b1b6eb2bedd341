"""Intervals of maxima and of other biased or skewed measures, by inverting a bootstrap.

The bounds are the true values of those members of a smooth family (tilted.py) of whose samples the value is a
quantile: they reject no true value that a test by simulation would keep. Bias and spread are those at the
bound, so that no correction is needed.

Samples have the class sizes of the table. In a cohort these vary: for a measure that depends on the
proportion of positives, the bounds at both ends of its interval are combined with those of the ranking, as
for two independent estimates (Zou and Donner 2008). Chosen by simulation among other methods:
docs/intervals_of_maxima.md.
"""

from __future__ import annotations

from dataclasses import replace
from math import hypot, sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...input.messages.notes import Note, Notes, joined
from ..bootstrap import resampled
from ..effective import cases_of_share
from ..results import Interval, no_interval, rounded_interval
from . import delong, proportion, tilted, tilted_samples
from .kinds import ROUNDING, Question, kind
from .scale import Scale, normal_quantile
from .weight_effects import in_effect

if TYPE_CHECKING:
    from ...summaries import RankingTable

FEW = 30  # cases of a class
FEWEST, FEWEST_DECIDING = 2, 3
AT_AN_END = Note("at-an-end")
# The largest skewness that is corrected for, alone and times the quantile, so that bounds stay in order.
SKEWED, OF_QUANTILE = 0.8, 2.5
BIASED = 0.25  # of the width


class Drawn(NamedTuple):
    """Members of a family by their tilts, with their populations and samples.

    samples: with the axes member and replicate.
    """

    family: tilted.Family
    tilt: np.ndarray
    populations: Any
    samples: tilted_samples.Samples


class Limits(NamedTuple):
    """The true values at which the value is a quantile or the median of the samples, and the tilt there."""

    low: float
    high: float
    middle: float
    tilt: float


def drawn(table: Any, seed: int, halves: bool = False) -> Drawn:
    """The samples of a table; the last ones are kept, since all measures of a table share them.

    halves: of the table with halves, whose order is not perfect.
    """
    name = "tilted with halves" if halves else "tilted"
    found: Drawn = resampled.kept(
        name, table, seed, lambda: _drawn(delong.with_halves(table) if halves else table, seed)
    )
    return found


def _drawn(table: RankingTable, seed: int) -> Drawn:
    family = tilted.family(table)
    tilt = tilted.tilts(family)
    shares = family.shares(tilt)
    return Drawn(family, tilt, family.populations(shares), tilted_samples.samples(family, shares, seed))


@kind("RankingTable", "largest")
@kind("RankingTable", "inverted")
@kind("RankingTable", "discrimination")
def inverted(q: Question) -> Interval:
    """By inverting a bootstrap along a smooth family of score distributions.

    The family extends from no discrimination to perfect separation. It allows for the bias of a maximum, and
    for the uncertainty of the proportion of positives.
    """
    if min(tilted.sizes(q.summary)) < FEWEST:
        return no_interval(Note("one-in-a-class"))
    table, few = in_effect(q.summary, q.settings.level)
    if table is not q.summary:
        cases = cases_of_share(q.summary) if q.cases is None else q.cases
        q = replace(q, summary=table, cases=cases)
    decisive, ended = _decisive(q), q.value in q.entry.range
    if decisive < FEWEST_DECIDING:
        return no_interval(Note("fewer-deciding", limit=FEWEST_DECIDING))
    found = drawn(table, q.settings.seed, halves=ended)
    limits = _limits(q, found)
    if limits is None:
        return no_interval(Note("samples-alike"))
    low, high = limits.low, limits.high
    if q.settings.design == "cohort":
        low, high = with_prior(
            q, np.asarray(q.function(found.family.at_shares(limits.tilt, priors(q))), float), low, high
        )
    notes = _at_an_end(decisive) if ended else _notes(q, limits, low, high, decisive)
    least, most = q.entry.range
    low, high = (_at_an_end_of(q.entry.range, end) for end in (low, high))
    made = rounded_interval(q.value, low, high, "inverted-bootstrap", joined(notes, few))
    return replace(made, low=max(made.low, least), high=min(made.high, most))  # rounded beyond ln 2


def _at_an_end_of(span: tuple[float, float], end: float) -> float:
    """A bound that differs from an end of the range by rounding only is that end."""
    return next((one for one in span if abs(end - one) < ROUNDING), end)


def _at_an_end(decisive: float) -> Notes:
    return joined(AT_AN_END, Note("cases-deciding", cases=decisive) if decisive < FEW else None)


def _limits(q: Question, found: Drawn) -> Limits | None:
    """The bounds, from the quantiles of the samples, which increase along the family.

    They are on an unbounded scale.
    """
    true = np.asarray(q.function(found.populations), float)
    scale = scale_of(q)
    with np.errstate(all="ignore"):
        values = scale.to(resampled.measured(q.function, found.samples.table))
        at = float(scale.to(q.value))
    sign = 1.0 if true[-1] >= true[len(true) // 2] else -1.0
    first = int(np.argmin(sign * true))  # where both directions count there are two members with each value
    mean, spread, skew = (part[first:] for part in found.samples.controls.moments(sign * values))
    if not np.isfinite(mean + spread).all() or np.ptp(true) <= ROUNDING or spread.max() <= ROUNDING:
        return None
    z = normal_quantile(q.settings.level)
    skew = np.clip(skew, -min(SKEWED, OF_QUANTILE / z), min(SKEWED, OF_QUANTILE / z))
    edges = [mean + spread * (times + skew * (times**2 - 1) / 6) for times in (z, -z, 0.0)]
    ends = [_crossing(edge, sign * at) for edge in edges]
    place, rising = np.arange(len(mean)), sign * true[first:]
    least, most = np.minimum.accumulate(rising[::-1])[::-1], np.maximum.accumulate(rising)
    low, high, middle = (
        sign * float(np.interp(end, place, known))
        for end, known in zip(ends, (least, most, rising), strict=True)
    )
    return Limits(
        min(low, high), max(low, high), middle, float(np.interp(ends[2], place, found.tilt[first:]))
    )


def scale_of(q: Question) -> Scale:
    """A scale with ends half a case beyond those of the measure, so that these are finite on it."""
    (low, high), room = q.entry.range, 0.5 / min(tilted.sizes(q.summary))
    room *= high - low if np.isfinite(high - low) else 1.0
    return Scale((low - room, high + room))


def _crossing(edge: np.ndarray, at: float) -> float:
    """The fractional index of the member whose quantile is the value; an end if there is none."""
    return float(np.interp(at, np.maximum.accumulate(edge), np.arange(len(edge))))


def priors(q: Question) -> np.ndarray:
    """The lower bound of the proportion of positives, the proportion, and the upper bound.

    They are never 0 or 1, where measures are undefined.
    """
    prior, cases = float(q.summary.prior), cases_of_share(q.summary) if q.cases is None else q.cases
    share = proportion.interval(prior * cases, cases, q.settings.level, q.settings.proportion)
    found: np.ndarray = np.clip([share.low, prior, share.high], ROUNDING * prior, 1 - ROUNDING * (1 - prior))
    return found


def with_shares(table: Any, prior: np.ndarray) -> Any:
    """The same scores with other proportions of positives: a row for each."""
    positive, negative = table.positive / table.positives, table.negative / table.negatives
    return table.of(
        table.score, prior[:, None] * positive * table.total, (1 - prior[:, None]) * negative * table.total
    )


def with_prior(q: Question, values: np.ndarray, low: float, high: float) -> tuple[float, float]:
    """Bounds for the class sizes of the table, combined with the interval of the prevalence.

    values: at its `priors`.
    """
    if not np.ptp(values) > ROUNDING:
        return low, high
    scale = scale_of(q)
    middle, least, most, low, high = (
        float(scale.to(x)) for x in (values[1], values.min(), values.max(), low, high)
    )
    ends = (
        middle - hypot(middle - least, max(middle - low, 0.0)),
        middle + hypot(most - middle, max(high - middle, 0.0)),
    )
    below, above = (float(np.clip(scale.back(end), *q.entry.range)) for end in ends)
    return below, above


def error_with_prior(q: Question, values: np.ndarray, error: float) -> float:
    """A standard error for the class sizes of the table, combined with that of the prevalence.

    values: at its `priors`.
    """
    low, prior, high = priors(q)
    cases = cases_of_share(q.summary) if q.cases is None else q.cases
    return hypot(error, float(values[2] - values[0]) / (high - low) * sqrt(prior * (1 - prior) / cases))


def _decisive(q: Question) -> float:
    effective_n, parameters = q.entry.effective_n, q.entry.defaults | getattr(q.function, "keywords", {})
    return np.inf if effective_n is None else float(effective_n(q.summary, **parameters))


def _notes(q: Question, limits: Limits, low: float, high: float, decisive: float) -> Notes:
    """The notes on few deciding cases, and on the size of the bias."""
    bias, smaller = q.value - limits.middle, min(tilted.sizes(q.summary))
    few = Note("few-deciding", cases=decisive) if decisive < FEW else None
    few = few or (Note("few-in-a-class", limit=FEW, counted=q.counted) if smaller < FEW else None)
    return joined(few, Note("bias", bias=bias) if abs(bias) > BIASED * (high - low) else None)
