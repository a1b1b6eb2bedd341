"""Design effects: the variance for cases in units over that for independent cases.

For maxima, hulls and areas under the precision-recall curve influence values give no valid interval, since
their bias depends on the true value (inverted/rankings.py). They use the method for independent cases with
fewer of them: the class sizes at which the variance equals that by units. Kish (1965), Survey Sampling,
section 8.2.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from ..input.messages.notes import Note, joined
from ..measures.registry import Measure
from . import influence
from .covariance import Sampling, covariance
from .effective import cases_of_share
from .intervals.kinds import ROUNDING, Question, Settings, interval_of
from .intervals.of_counts import FEW_DEGREES
from .intervals.scale import normal_quantile, student_quantile
from .intervals.weight_effects import with_effects
from .inverted.rankings import sizes
from .results import Interval, no_interval
from .units import Units

KINDS = ("largest", "inverted", "discrimination")  # whose intervals follow from the effective class sizes
FEWEST = 2  # independent cases of a class
TOO_FEW = Note("one-independent-in-a-class")


def interval(
    units: Units,
    entry: Measure,
    function: Callable[..., Any],
    value: float,
    settings: Settings,
    sampling: Sampling,
) -> Interval:
    """The interval for independent cases, with classes of their effective sizes, and with Student's t."""
    base, table = units.rows[0], units.table
    if not min(sizes(table)):
        return no_interval(TOO_FEW)
    positive, negative = influence.by_moving(function, base)
    none = np.zeros(len(base))
    values = np.stack([np.append(positive, none), np.append(none, negative)])
    together, df = covariance(values, sampling, by_class=True)
    alone = np.diag(covariance(values, replace(sampling, units=None), by_class=True)[0])
    both = np.trace(together)
    common = max(float(together.sum()), 0.0) / both if both else 1.0  # what the classes share of units
    limits = [
        size / sampling.effective(1.0 * (sampling.stratum == one))
        for size, one in zip(sizes(base), (1, 0), strict=True)
    ]  # where all cases of a unit are alike
    spread = alone > ROUNDING**2
    effects = np.where(spread, np.diag(together) / np.where(spread, alone, 1.0), limits)
    fewest = float(np.min(df))
    wider = (student_quantile(settings.level, fewest) / normal_quantile(settings.level)) ** 2
    reduced = with_effects(table, *(wider * max(common * float(one), 1.0) for one in effects))
    if min(sizes(reduced)) < FEWEST:
        return no_interval(TOO_FEW)
    cases = cases_of_share(table) / (wider * of_share(sampling))
    made = interval_of(Question(entry, function, reduced, value, settings, cases, "effective cases"))
    few = Note("few-deciding", cases=fewest) if fewest < FEW_DEGREES else None
    return replace(made, notes=joined(few, made.notes))


def of_share(sampling: Sampling) -> float:
    """The design effect of the proportion of positives."""
    values = (sampling.stratum == 1)[None] * 1.0
    together, alone = (
        float(covariance(values, replace(sampling, fixed=False, units=units))[0][0, 0])
        for units in (sampling.units, None)
    )
    return max(together / alone, 1.0) if alone > ROUNDING**2 else 1.0
