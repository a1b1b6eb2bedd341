"""Estimates with confidence intervals: `estimate` selects the method for a measure.

A measure names the kind of its interval in the catalogue (`interval="proportion"`); each kind is a function
registered by `@kind` in the modules of `intervals`.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from math import e, isfinite, isinf, isnan
from typing import TYPE_CHECKING, Any

import numpy as np

from ..input import validate
from ..input.calls import public
from ..input.messages import Note, Notes, SomeNotes, joined, of_each
from ..measures.registry import Average, Measure, forms, get
from ..summaries import ConfusionMatrix, Counts, RankingTable

# isort: off  # they enter their kinds
from . import (
    inverted,  # noqa: F401
    linear,  # noqa: F401
)
from .covariance import ONE_CASE, Sampling, as_cases, of_one_case
from .interval import HELD, KINDS, Question, Settings, fixed_by_weights, interval_of, with_fixed_mix, with_mix

# isort: on
from .linear import single
from .results import Estimate, Interval, no_interval, with_interval

if TYPE_CHECKING:
    from .clustered import Dependent

__all__ = ["Estimate", "Settings", "described", "estimate", "estimate_each", "with_parameters"]

DEFAULT = Settings()
AT_AN_END = 1e-13  # difference of a mean from an end of the range due to rounding


@public()
def estimate(
    measure: Measure | str,
    summary: Any,
    settings: Settings = DEFAULT,
    effective_summary: Any = None,
    **parameters: Any,
) -> Estimate:
    """Compute a measure of a summary, with its confidence interval.

    Parameters
    ----------
    measure : Measure or str
        A measure of the catalogue, or its name.
    summary : Counts, RankingTable, ConfusionMatrix or other summary
        The cells of Counts are numbers.
    settings : Settings, optional
        How the interval is made, by default `Settings()`.
    effective_summary : summary, optional
        The summary for the interval, by default that for the value; as one with weights scaled to the
        effective sample size.
    **parameters
        Parameters of the measure, as beta of f_beta.

    Returns
    -------
    Estimate
        Its value is NaN, with the reason, where the measure is undefined.

    Raises
    ------
    InputError
        Where measure, summary and parameters do not fit together.

    Examples
    --------
    >>> import tallymark as tm
    >>> tm.estimate("sensitivity", tm.Counts(tp=90, fp=20, fn=10, tn=80))
    Estimate(0.9 [0.8256, 0.9448] at 0.95, wilson)
    """
    entry = _measure(measure, type(summary))
    entry.check(summary)
    validate.of_type(settings, Settings, "settings")
    if effective_summary is not None:
        validate.of_type(effective_summary, type(summary), "effective_summary")
    if np.ndim(getattr(summary, "tp", 0.0)):
        raise validate.InputError(
            "unsupported",
            entry.name,
            "an estimate needs four numbers, not arrays",
            "take one entry, as counts[0], or estimate_each",
        )
    if isinstance(summary, Counts):
        effective = None if effective_summary is None else _one(effective_summary)
        return estimate_each(entry, _one(summary), settings, effective, **parameters)[0]
    return of_sampling(entry, summary, settings, parameters, effective_summary)


def measured(
    entry: Measure,
    summary: Any,
    settings: Settings,
    parameters: dict[str, Any],
    units: Dependent | None = None,
    threshold: float | None = None,
) -> Estimate:
    """A measure of a summary that it fits.

    units: of the cases, where they depend on each other; threshold: of these, for measures of Counts.
    """
    if units is not None:
        return units.estimate(entry, summary, settings, parameters, threshold)
    if isinstance(summary, Counts):
        return measured_each(entry, _one(summary), settings, parameters)[0]
    return of_sampling(entry, summary, settings, parameters)


def of_sampling(
    entry: Measure,
    summary: Any,
    settings: Settings,
    parameters: dict[str, Any],
    effective_summary: Any = None,
    sampling: Sampling | None = None,
    reason: Note | None = None,
) -> Estimate:
    """The same, by how its cases were sampled, by default independently; not for Counts without units.

    effective_summary: for the interval, by default that for the value; reason: why there is no interval.
    """
    if sampling is None:  # weights do not fix the mix of whole units
        settings = with_fixed_mix(settings, summary)
    if isinstance(summary, (Counts, RankingTable)) or isinstance(entry, Average):
        summary = as_cases(summary)  # some measures depend on the number of cases
    function = partial(entry.function, **entry.checked(parameters)) if parameters else entry.function
    value = float(function(summary))
    if isinstance(entry, Average):
        value = next((end for end in entry.range if abs(value - end) < AT_AN_END), value)
    if isnan(value):  # as one object, by which undefined estimates are equal
        return Estimate(np.nan, level=settings.level, undefined=entry.why_undefined(summary))
    made_of = summary if effective_summary is None else effective_summary
    if isinstance(made_of, RankingTable):
        made_of = as_cases(made_of)
    if reason is None and of_one_case(made_of):
        reason = ONE_CASE
    q = Question(entry, function, made_of, value, settings, sampling=sampling)
    interval = no_interval(reason) if reason else single(interval_of(_of_counts(q) or q))
    interval = with_mix(interval, function, summary, settings.design)
    notes = with_parameters(entry, interval.notes, parameters)
    return _estimate(value, interval, notes, settings.level, sampling)


def _of_counts(q: Question) -> Question | None:
    """The same of a matrix of two classes, by its counts; None for others."""
    matrix = q.summary
    if not isinstance(matrix, ConfusionMatrix) or len(matrix) != 2 or matrix.unanswered is not None:
        return None
    if q.sampling is not None or all(form.summary is not Counts for form in forms(q.entry.name)):
        return None
    entry, counts = get(q.entry.name, Counts), as_cases(matrix.counts(matrix.labels[1]))
    if isnan(entry.function(counts)):  # as a mean of recalls where a class does not occur
        return None
    return replace(q, entry=entry, function=entry.function, summary=counts)


@public()
def estimate_each(
    measure: Measure | str,
    counts: Counts,
    settings: Settings = DEFAULT,
    effective_summary: Any = None,
    of_classes: bool = False,
    **parameters: Any,
) -> list[Estimate]:
    """Compute a measure for each entry of counts, with its confidence interval.

    The cells of the counts are arrays of one dimension.

    Parameters
    ----------
    measure : Measure or str
        A measure of the catalogue, or its name.
    counts : Counts
        The cells are arrays of one dimension.
    settings, effective_summary
        As for `estimate`.
    of_classes : bool, default False
        Whether the entries are classes of a problem with three or more, each against the rest.
    **parameters
        Parameters of the measure, as beta of f_beta.

    Returns
    -------
    list of Estimate

    Raises
    ------
    InputError
        As for `estimate`.

    Examples
    --------
    >>> import tallymark as tm
    >>> counts = tm.Counts(tp=[90, 60], fp=[20, 20], fn=[10, 40], tn=[80, 80])
    >>> [each.value for each in tm.estimate_each("sensitivity", counts)]
    [0.9, 0.6]
    """
    entry = _measure(measure, Counts)
    entry.check(counts)
    validate.of_type(settings, Settings, "settings")
    if effective_summary is not None:
        validate.of_type(effective_summary, Counts, "effective_summary")
    if np.ndim(counts.tp) != 1:
        raise validate.InputError(
            "invalid-value",
            entry.name,
            "the counts hold no arrays of one dimension",
            "use estimate for four numbers",
        )
    return measured_each(entry, counts, settings, parameters, effective_summary, of_classes)


def measured_each(
    entry: Measure,
    counts: Counts,
    settings: Settings,
    parameters: dict[str, Any],
    effective_summary: Any = None,
    of_classes: bool = False,
    sampling: Sampling | None = None,
    reason: Note | None = None,
) -> list[Estimate]:
    """A measure of each entry of counts.

    sampling: by default of independent cases; reason: why there is no interval.
    """
    function = partial(entry.function, **entry.checked(parameters)) if parameters else entry.function
    if not np.size(counts.tp):
        return []
    fixed = fixed_by_weights(counts)
    if settings.design != HELD and fixed.any() and not fixed.all() and sampling is None:
        return _each_part(entry, counts, settings, effective_summary, of_classes, parameters, fixed)
    settings = with_fixed_mix(settings, counts)
    counts = as_cases(counts)
    made_of = counts if effective_summary is None else as_cases(effective_summary)
    with np.errstate(divide="ignore", invalid="ignore"):
        values, found = _intervals(entry, function, counts, made_of, settings, sampling)
        found = with_mix(
            no_interval(reason) if reason else found, function, counts, settings.design, of_classes
        )
    rows = zip(values.tolist(), _by_entry(found, len(values)), strict=True)
    return [
        (
            Estimate(value, level=settings.level, undefined=entry.why_undefined(counts[i]))
            if isnan(value)
            else _estimate(
                value, interval, with_parameters(entry, notes, parameters), settings.level, sampling
            )
        )
        for i, (value, (interval, notes)) in enumerate(rows)
    ]


def _intervals(
    entry: Measure,
    function: Any,
    counts: Counts,
    made_of: Counts,
    settings: Settings,
    sampling: Sampling | None = None,
) -> tuple[np.ndarray, Interval]:
    """The values of every entry of counts, and their intervals."""
    values = np.asarray(function(counts), float)
    return values, interval_of(Question(entry, function, made_of, values, settings, sampling=sampling))


def bounds_each(
    measure: Measure | str,
    counts: Counts,
    settings: Settings = DEFAULT,
    sampling: Sampling | None = None,
    **parameters: Any,
) -> np.ndarray:
    """The values of `estimate_each` and the ends of their intervals, of shape (3, ...), NaN for none.

    sampling: how the cases of the cells were sampled, which may have the same leading axes; by default
    independently.
    """
    fixed = fixed_by_weights(counts) if sampling is None else np.ones(1, bool)
    if not np.size(counts.tp) or (settings.design != HELD and fixed.any() and not fixed.all()):
        each = estimate_each(measure, counts, settings, **parameters)
        return np.array([(one.value, one.low, one.high) for one in each], float).reshape(-1, 3).T
    entry = _measure(measure, Counts)
    if sampling is None:
        counts, settings = as_cases(counts), with_fixed_mix(settings, counts)
    function = partial(entry.function, **entry.checked(parameters))
    with np.errstate(divide="ignore", invalid="ignore"):
        values, found = _intervals(entry, function, counts, counts, settings, sampling)
    low, high = (np.broadcast_to(np.asarray(end, float), values.shape) for end in (found.low, found.high))
    some = np.isfinite(values) | np.isfinite(low) | np.isfinite(high)
    known = some & (low != high) & ~np.isnan([values, low, high]).any(axis=0)
    return np.where([np.ones_like(known), known, known], [values, low, high], np.nan)


def _by_entry(found: Interval, size: int) -> Iterator[tuple[Interval, SomeNotes]]:
    """The interval of each entry, and its notes."""
    ends = (
        np.broadcast_to(np.asarray(part, float), size).tolist()
        for part in (found.low, found.high, found.standard_error)
    )
    methods = np.broadcast_to(np.asarray(found.method, object), size).tolist()
    for low, high, error, method, notes in zip(*ends, methods, of_each(found.notes, size), strict=True):
        yield Interval(low, high, method, None, error), notes


def _each_part(
    entry: Measure,
    counts: Counts,
    settings: Settings,
    effective_summary: Any,
    of_classes: bool,
    parameters: Mapping[str, Any],
    fixed: np.ndarray,
) -> list[Estimate]:
    """The estimates where weights fix the class mix in some entries only."""
    found: list[Estimate] = []
    for some in (~fixed, fixed):
        effective = None if effective_summary is None else effective_summary[some]
        found += estimate_each(entry, counts[some], settings, effective, of_classes, **parameters)
    order = np.argsort(np.argsort(fixed, kind="stable"))
    return [found[place] for place in order]


def _measure(measure: Measure | str, kind: Any) -> Measure:
    """The measure in its form for this kind of summary."""
    if not isinstance(measure, (str, Measure)):
        raise validate.InputError(
            "unknown-name",
            "measure",
            f"{validate.shown(measure)} is not a measure",
            "give one of tallymark.measures, or its name",
            value=measure,
        )
    return get(measure if isinstance(measure, str) else measure.name, kind)


def _estimate(
    value: float, found: Interval, notes: SomeNotes, level: float, sampling: Sampling | None
) -> Estimate:
    if isinf(value) and not (isfinite(found.low) or isfinite(found.high)):
        found = no_interval(notes)
    if isinf(value) and (isnan(found.low) or isnan(found.high)):
        notes = notes or Note("infinite")
    if sampling is not None:
        found = replace(found, method=sampling.named(found.method))
    return with_interval(value, found, level, notes)


def with_parameters(entry: Measure, notes: SomeNotes, given: Mapping[str, Any]) -> Notes:
    """The notes, after one on the parameters of the measure."""
    if not entry.parameters:
        return joined(notes)
    # natural logarithms are not noted
    usual = {name: value for name, value in entry.defaults.items() if value != e}
    known = {name: value for name, value in {**usual, **given}.items() if value is not None}
    return joined(Note("parameters", **known) if known else None, notes)


def described(entry: Measure) -> str:
    """The interval of a measure, in words."""
    assert entry.interval
    words = inspect.getdoc(KINDS[entry.summary.__name__, entry.interval.kind]) or ""
    return f"{entry.interval}: {' '.join(words.split())}"


def _one(counts: Counts) -> Counts:
    squares = None if counts.squares is None else _one(counts.squares)
    return Counts.of(
        *(np.array([cell]) for cell in (counts.tp, counts.fp, counts.fn, counts.tn)), squares=squares
    )
