"""Averages over many classes: macro, weighted and micro.

They are the mean of a measure over the classes, weighted or not, or the measure of the sum of their counts. A
class for which the measure is undefined is left out, with its weight; the note states how many were. One
case counts in several classes: an error is a false negative of one and a false positive of another. So its
influence value is the sum of those on the classes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from math import isfinite, isnan, nan
from typing import Any

import numpy as np

from ...input.messages import Note, joined
from ...input.names import listed
from ...measures.registry import NO_CLASS, Average, get
from ...summaries import ConfusionMatrix, Counts, IndicatorTable
from .. import influence
from ..covariance import Sampling, extended, sampling_of
from ..results import Estimate, Interval, no_interval, with_interval
from .from_influence import smooth
from .kinds import ROUNDING, Question, Settings, interval_of, kind
from .of_counts import HALF, SAME, unit_weights

AT_AN_END = 1e-13  # difference of a mean from an end of the range due to rounding
POINTS = 65  # at which a function of the accuracy is evaluated, within its bounds
BOTH_ENDS = Note("infinite-at-both-ends")
SEVERAL = Note("several-labels")
UNSEEN = Note("class-left-out")


@kind("ConfusionMatrix", "recalls")
def of_recalls(q: Question) -> Interval:
    """Of the mean of the recalls of the classes that occur, as that of the macro average of sensitivity.

    Of a single one that occurs it is that of the accuracy.
    """
    there = q.summary.class_sizes > 0
    if there.sum() == 1:
        entry = get("accuracy", ConfusionMatrix)
        found = interval_of(replace(q, entry=entry, function=entry.function))
        return replace(found, notes=joined(left_out(q.summary.labels, there), found.notes))
    return of_average(q, "macro", get("sensitivity", Counts).function)


@listed(
    "interval",
    "ev.averages['macro']['f1']",
    name="takahashi",
    aka=("macro_averaged_f1",),
    command="tallymark evaluate --all",
)
def average(
    entry: Average,
    table: ConfusionMatrix | IndicatorTable,
    settings: Settings,
    sampling: Sampling | None = None,
    **parameters: Any,
) -> Estimate:
    """The average over classes, with a standard error by the delta method.

    That of the macro average of f1 is Takahashi's; the interval is on the logit scale, so that it stays
    within the range. Source: Takahashi, Yamamoto, Kuchiba and Koyama (2022), Applied Intelligence 52,
    4961-4972.
    """
    function, level = partial(entry.of.function, **parameters), settings.level
    with np.errstate(invalid="ignore", divide="ignore"):
        value = float(entry.function(table, **parameters))
        each = np.asarray(function(table.one_vs_rest()), float)
    if isnan(value):
        both = np.isinf(each).any() and entry.kind_of_average != "micro"
        return Estimate(value, level=level, undefined=BOTH_ENDS if both else NO_CLASS)
    value = next((end for end in entry.range if abs(value - end) < AT_AN_END), value)
    left = None if entry.kind_of_average == "micro" else left_out(table.labels, ~np.isnan(each))
    if not isfinite(value):
        return Estimate(value, level=level, notes=joined(left or Note("infinite")))
    found = of_average(
        Question(entry, function, table, value, settings, sampling=sampling), entry.kind_of_average, function
    )
    return with_interval(value, found, level, found.notes)


def of_average(q: Question, how: str, function: Callable[..., Any]) -> Interval:
    """The interval of an average, "macro", "weighted" or "micro", of a measure of each class."""
    table, sampling = q.summary, q.sampled
    if isinstance(table, IndicatorTable) and q.fixed:
        return no_interval(SEVERAL)
    if how == "micro" and isinstance(table, ConfusionMatrix) and table.unanswered is None:
        return _of_accuracy(q)
    counts = table.one_vs_rest()
    counted = sampling_of(counts)
    cells, left = counted.weight, None
    with np.errstate(divide="ignore", invalid="ignore"):
        each = np.asarray(function(counts), float)
    used, base = ~np.isnan(each), q.entry.of if isinstance(q.entry, Average) else get("sensitivity", Counts)
    proportion = base.interval is not None and base.interval.kind == "proportion"
    if how == "micro":  # half cases count in the sum, once
        empty = (np.arange(len(cells)) == 0) & (cells.sum(0) == 0).any()
    else:
        at_an_end = np.isin(each, base.range) if proportion else (cells == 0).any(-1)
        left, empty = left_out(table.labels, used), at_an_end & used
        if (cells[~used][:, [0, 2]] > 0).any():
            return no_interval(joined(left, UNSEEN))
    inside, unit = q.entry.range[0] < q.value < q.entry.range[1], unit_weights(counted)
    more = HALF * unit * empty[:, None]
    centre, outcomes = influence.of_average(how, function, cells + more)
    there = more > 0
    observed = None if inside else sampling
    sampling = extended(sampling, more[there], (HALF * unit**2)[there], _classes(table)[there])
    values = np.concatenate([table.by_cell(outcomes), outcomes[there]]) * sampling.total
    found = smooth(
        q, values, sampling, centre=nan if inside else float(centre), student=True, observed=observed
    )
    return replace(found, notes=joined(left, found.notes))


def _classes(table: ConfusionMatrix | IndicatorTable) -> np.ndarray:
    """The actual class of half cases of each outcome of each class, (K, 4): itself, or the largest other."""
    if isinstance(table, IndicatorTable):
        return np.zeros((len(table), 4), int)
    *_, second, first = np.argsort(table.class_sizes, kind="stable") if len(table) > 1 else (0, 0)
    own = np.arange(len(table))
    other = np.where(own == first, second, first)
    return np.stack([own, other, own, other], axis=1)


def _of_accuracy(q: Question) -> Interval:
    """From that of the accuracy, for one label per case and the counts of all classes."""
    table, entry = q.summary, get("accuracy", ConfusionMatrix)
    accuracy = float(entry.function(table))
    known = interval_of(replace(q, entry=entry, function=entry.function, value=accuracy))
    if isnan(known.low):
        return known
    # up to rounding
    share = np.clip(np.append(np.linspace(known.low, known.high, POINTS), accuracy), 0.0, 1.0)
    n, wrong = table.total, table.total * (1 - share)
    values = q.function(Counts.of(n * share, wrong, wrong, n * np.maximum(len(table) - 2 + share, 0.0)))
    values = np.append(values[~np.isnan(values)], q.value)
    low, high = float(values.min()), float(values.max())
    if not (isfinite(low) and isfinite(high) and high - low > ROUNDING):
        return no_interval(SAME)
    return Interval(low, high, known.method, known.notes)


def left_out(labels: Sequence[Any], defined: np.ndarray) -> Note | None:
    """The note on the classes that an average leaves out; None if there are none."""
    missing = [label for label, there in zip(labels, defined.tolist(), strict=True) if not there]
    if not missing:
        return None
    return Note("undefined-classes", labels=tuple(missing), classes=len(labels))
