"""Intervals of measures that are functions of another one, of cases in units (clusters or persons)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from math import isnan
from typing import Any

from ..measures.registry import Measure, get
from ..summaries import Counts
from .bootstrap import limits
from .intervals.kinds import Settings
from .intervals.of_calibration import over_shares
from .intervals.scale import error_of_function
from .results import Interval, known_error

# The interval of a measure: from its entry, settings, parameters, threshold, function and value.
Limited = Callable[[Measure, Settings, dict[str, Any], float | None, Callable[..., Any], float], Interval]


def of_another(
    limited: Limited,
    base: Callable[..., Any],
    entry: Measure,
    settings: Settings,
    given: dict[str, Any],
    value: float,
) -> Interval | None:
    """The interval from that of the prevalence or of a standardised value; None of other measures.

    A partial area on a scale of its own could exceed the largest one, and contradict its standardised value.

    base: the summary of all cases, by the entry of a measure and a threshold; given: the parameters.
    """
    made, kind = entry.interval, limits.kind_of(entry)
    if made is not None and kind == "of-prior":
        return over_shares(_of(limited, base, get("prevalence", Counts), settings, {})[1], made.of[0], value)
    if made is None or made.transform is None or made.kind != "mapped" or kind != "resampled":
        return None
    transform = made.transform
    inner, given = get(made.of[0].__name__, entry.summary), entry.defaults | given
    of_inner, found = _of(limited, base, inner, settings, given)
    if isnan(found.low):
        return found
    table = base(entry, None)

    def turn(inner_value: Any) -> Any:
        return transform(inner_value, table, **given)

    low, high = sorted(float(turn(bound)) for bound in (found.low, found.high))
    error = known_error(found.standard_error)
    error = error and float(error_of_function(turn, of_inner, error))
    return replace(found, low=min(low, value), high=max(high, value), standard_error=error)


def _of(
    limited: Limited, base: Callable[..., Any], entry: Measure, settings: Settings, given: dict[str, Any]
) -> tuple[float, Interval]:
    """The value of another measure, which depends on no threshold, and its interval."""
    function, any_threshold = partial(entry.function, **given) if given else entry.function, 0.0
    value = float(function(base(entry, any_threshold)))
    return value, limited(entry, settings, given, any_threshold, function, value)
