"""Estimates from bins of scores: bounds of the value, and an interval that counts them in.

The value lies between bounds that each measure derives from the bins (`Measure.bounds_of`). The interval is
the hull of those of the least and of the most favourable order of the cases within the bins, each moved to
its bound. Where an interval is inverted along a family of smoothed scores, that of the middles of the bins is
laid on both bounds: in the extreme orders positives and negatives alternate from bin to bin, and smoothing
this moves the interval by several times its width. A mean loss whose sums came with the bins is exact, and so
is its interval.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import isfinite, isnan, nan
from typing import Any

from ..input.messages import Note, joined
from ..measures.registry import Measure, of_name
from ..summaries import BinnedTable, RankingTable
from . import estimate
from .interval import Settings
from .linear import sums_of_mean
from .results import Estimate

# kinds of intervals that are inverted along families of smoothed scores
SMOOTHED = ("largest", "inverted", "precision-area", "discrimination", "miscalibration")


def estimate_binned(entry: Measure, binned: BinnedTable, settings: Settings, **parameters: Any) -> Estimate:
    """A measure of a ranking table, of the cases in these bins."""
    binned = binned.as_cases  # some measures depend on the number of cases
    bounds = entry.bounds_of(binned, **parameters)
    if isinstance(bounds, Note):
        return Estimate(nan, level=settings.level, undefined=bounds)
    if isnan(bounds[0]):
        return Estimate(nan, level=settings.level, undefined=entry.why_undefined(binned.ranking))
    if bounds[0] != bounds[1] and not all(map(isfinite, bounds)):
        unbounded = Note("unbounded", low=bounds[0], high=bounds[1], bins=len(binned))
        return Estimate(nan, level=settings.level, undefined=unbounded)
    if _from_sums(entry, binned, parameters):
        return estimate(entry, binned.ranking, settings, **parameters)
    smoothed = entry.interval is not None and entry.interval.kind in SMOOTHED
    tables = [binned.middle] if smoothed else binned.bracket()
    ends = sorted((estimate(entry, table, settings, **parameters) for table in tables), key=float)
    return _hull((ends[0], ends[-1]), bounds, entry.range, settings.level)


def _hull(
    ends: Sequence[Estimate], bounds: tuple[float, float], span: tuple[float, float], level: float
) -> Estimate:
    """The middle of the bounds, with an interval where both ends have one.

    ends: estimates whose intervals are moved to the lower and to the upper bound.
    """
    low, high = bounds
    notes = {note.code: note for one in ends for note in joined(one.undefined, one.notes)}
    value = low if low == high else (low + high) / 2
    bounded = None if low == high else (low, high)
    estimated = Estimate(value, level=level, notes=tuple(notes.values()), bounds=bounded)
    if not all(one.has_interval for one in ends):
        return estimated
    sides = [(one.value - one.low, one.high - one.value) for one in ends]
    moved = [(at - below, at + above) for at, (below, above) in zip(bounds, sides, strict=True)]
    errors = [one.standard_error for one in ends if one.standard_error is not None]
    return replace(
        estimated,
        low=max(min(one[0] for one in moved), span[0]),
        high=min(max(one[1] for one in moved), span[1]),
        method=ends[0].method,
        standard_error=max(errors, default=None),
    )


def _from_sums(entry: Measure, binned: BinnedTable, parameters: Mapping[str, Any]) -> bool:
    """Whether a measure is a function of a mean loss whose sums came with the bins."""
    if entry.interval is None:
        return False
    if entry.loss is None:
        inner = [of_name(one.__name__, RankingTable) for one in entry.interval.of]
        return entry.interval.kind == "mapped" and all(one and _from_sums(one, binned, {}) for one in inner)
    table = binned.ranking.as_cases
    for wanted in sums_of_mean(table, entry, parameters):
        if not binned.sums_of(wanted.loss, wanted.prior):
            return False
        table.kept[wanted] = binned.ranking.kept[wanted]
    return True
