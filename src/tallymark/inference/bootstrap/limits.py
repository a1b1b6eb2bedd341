"""Limits of the bootstrap: measures without a valid interval, and numbers of cases that are too small."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...input.arguments import OF_UNITS
from ...input.messages import Note
from ...measures.registry import Measure, get
from ...summaries import Counts, Residuals
from ..doubt import deciding
from ..intervals.of_tables import FEWEST_DECIDING

# cases of a class for counts, or clusters or persons; of other measures; of maxima (docs/intervals.md)
FEW, FEW_RESAMPLED, FEW_OF_A_LARGEST = 30, 100, 2_000
DEVIATIONS = (
    "bins",
    "bins-of-equal-mass",
    "bins-of-answers",
    "bins-of-answers-of-equal-mass",
    "miscalibration",
    "smooth-deviations",
)
LARGEST = ("largest", "discrimination", "bins-between")


def why_none(
    entry: Measure, parameters: Mapping[str, Any], table: Any, fewest: int, units: str
) -> Note | None:
    """The reason why there can be no interval from resamples, or None; arguments as for `why_few`.

    Measures of the size of deviations are biased upwards in samples, and once more in resamples, so that no
    interval from resamples covers a small true value.
    """
    if kind_of(entry) in DEVIATIONS:
        return Note("deviations-larger-in-resamples")
    if entry.summary is Residuals and kind_of(entry) == "largest":
        return Note("largest-of-sample")
    return why_few(entry, parameters, table, fewest, units)


def why_few(
    entry: Measure, parameters: Mapping[str, Any], table: Any, fewest: int, units: str
) -> Note | None:
    """The reason why there are too few cases for an interval, or None.

    fewest, units: the number of cases, or clusters, of the rarer class, and their name.
    """
    if fewest < 2:
        return Note("too-few-units", units=units)
    if _decisive(entry, parameters, table) < FEWEST_DECIDING:
        return Note("fewer-deciding", limit=FEWEST_DECIDING)
    return None


def doubt(
    entry: Measure, parameters: Mapping[str, Any], table: Any, fewest: float, units: str
) -> Note | None:
    """The note on why an interval may be too narrow."""
    cases, kind = _decisive(entry, parameters, table), kind_of(entry)
    few = FEW if entry.summary is Counts or any(unit in units for unit in OF_UNITS) else FEW_RESAMPLED
    few = FEW_OF_A_LARGEST if kind in LARGEST else few
    if fewest < few and fewest <= cases:
        return deciding(fewest, units)
    return deciding(cases) if cases < FEW else None


def kind_of(entry: Measure) -> str | None:
    """The kind of the interval, or that of the measure which it is a function of."""
    made = entry.interval
    while made is not None and made.kind == "mapped":
        made = get(made.of[0].__name__, entry.summary).interval
    return None if made is None else made.kind


def _decisive(entry: Measure, parameters: Mapping[str, Any], table: Any) -> float:
    return (
        float("inf")
        if entry.effective_n is None
        else float(entry.effective_n(table, **(entry.defaults | dict(parameters))))
    )
