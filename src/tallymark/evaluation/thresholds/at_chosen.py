"""Measures of counts at a threshold chosen on the same cases: their intervals allow for the choice."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from math import isclose, isfinite
from typing import Any

from ...inference import Estimate, Settings, estimate
from ...inference.effective import as_cases
from ...input.messages import Note, joined
from ...measures.registry import Measure
from ...summaries import Counts, RankingTable
from .bounds import OfCounts
from .choice import Threshold
from .halves import FEW, Optimism, less, optimism

BEFORE_METHOD = "corrected-"
CORRECTED = (
    "corrected: minus the optimism of a threshold that was chosen on these cases, found by choices on random"
    " halves of them. The intervals are those of the corrected values."
)
GROUPED = Note("chosen-in-clusters")
NOT_REPEATED = Note("choice-not-repeated")
NO_RULE = Note("rule-unknown")
ON_ALL = Note("chosen-on-all-groups")
APPROXIMATE = Note("chosen-on-few", limit=FEW)
OPTIMISM = "optimism of a chosen threshold"  # where a table keeps it
AT_AN_END = Note("corrected-undefined")


def optimism_of(threshold: Threshold, table: RankingTable, seed: int, grouped: bool) -> Optimism | Note:
    """The optimism of the choice of this threshold on this table, or why it is unknown.

    The weights of the table must be numbers of cases.
    """
    if threshold.rule.code == "on-all-groups":
        return ON_ALL
    if grouped:
        return GROUPED
    if threshold.by is None:
        return NO_RULE
    return _optimism(table, threshold.by, seed, threshold.splits) if threshold.splits else NOT_REPEATED


def _optimism(table: RankingTable, *asked: Any) -> Optimism | Note:
    """The last one of a table is kept: notices ask again, with settings of their own."""
    if OPTIMISM not in table.kept or table.kept[OPTIMISM][0] != asked:
        table.kept[OPTIMISM] = asked, optimism(table, *asked)
    found: Optimism | Note = table.kept[OPTIMISM][1]
    return found


def estimate_at_chosen(
    entry: Measure, counts: Counts, gained: Optimism | Note, settings: Settings, **parameters: Any
) -> Estimate:
    """The value on these cases, and the value and interval at the rates corrected for optimism.

    gained: the optimism, or why it is unknown; then there is no interval. The interval is extended where it
    would not contain the value on these cases.
    """
    here = estimate(entry, counts, settings, **parameters)
    if here.undefined or not depends_on_threshold(partial(entry.function, **parameters), counts):
        return here
    if isinstance(gained, Note):
        return Estimate(here.value, level=settings.level, notes=(gained,))
    return around_corrected(here, estimate(entry, less(counts, gained), settings, **parameters), gained)


def around_corrected(here: Estimate, expected: Estimate, gained: Optimism) -> Estimate:
    """The value on these cases, with the corrected value and its interval.

    expected: the estimate from the counts corrected for optimism.
    """
    if not isfinite(expected.value):
        return Estimate(here.value, level=here.level, notes=(AT_AN_END,))
    notes = joined(expected.notes, APPROXIMATE if gained.few else None)
    found = replace(expected, value=here.value, corrected=expected.value, notes=notes)
    if not found.has_interval:
        return found
    low, high = min(found.low, here.value), max(found.high, here.value)
    return replace(found, low=low, high=high, method=f"{BEFORE_METHOD}{found.method}")


def depends_on_threshold(function: OfCounts, counts: Counts) -> bool:
    """Whether the measure depends on the predictions, and so on the threshold, unlike the prevalence."""
    cases = as_cases(counts)
    p, n = cases.positives, cases.negatives
    values = [
        float(function(Counts.of(p * x, n * y, p * (1 - x), n * (1 - y))))
        for x, y in ((0.75, 0.25), (0.5, 0.125), (0.875, 0.625))  # on no line
    ]
    return not all(isclose(values[0], one, rel_tol=1e-9) for one in values[1:])
