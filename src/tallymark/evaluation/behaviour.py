"""How measures of counts behave when the classes get another mix, when classes or sides are swapped, and for
a guesser.

Nothing here is known beforehand: every measure of the catalogue is computed on tables made for the question,
and looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import numpy as np

from ..input import validate
from ..input.calls import public
from ..input.results import Tabular
from ..measures import registry
from ..measures.registry import Measure
from ..summaries import Counts

WITHIN = 1e-9  # relative, of values that are equal but for rounding
GROWTH = (1, 2, 5, 10, 100)  # times as many cases of one class
SIMPLE: tuple[tuple[Callable[[Any], Any], str], ...] = (
    (lambda x: x, "{}"),
    (lambda x: 1 - x, "1 - {}"),
    (lambda x: -x, "-{}"),
    (lambda x: 1 / x, "1 / {}"),
)
ENDLESS = 1e9  # what division by a difference of rounding leaves


@lru_cache(maxsize=1)
def _tables() -> Counts:
    """Tables without an empty cell, of many shapes and sizes."""
    return Counts.of(*np.random.default_rng(20_18).integers(1, 1000, (4, 200)).astype(float))


@lru_cache(maxsize=1)
def _guessed() -> tuple[Counts, np.ndarray, np.ndarray]:
    """Tables of a classifier that guesses, of one size: any share of positives, any share predicted
    positive."""
    share, called = (
        part.ravel() for part in np.meshgrid(np.linspace(0.05, 0.95, 19), np.linspace(0.04, 0.96, 21))
    )
    n = 1e6
    rates = share * called, (1 - share) * called, share * (1 - called), (1 - share) * (1 - called)
    return Counts.of(*(n * rate for rate in rates)), share, called


def _with_more(counts: Counts, negatives: Any = 1.0, positives: Any = 1.0) -> Counts:
    """So many times as many cases of a class; a class without cases stays without."""
    return Counts.of(
        counts.tp * positives, counts.fp * negatives, counts.fn * positives, counts.tn * negatives
    )


def _same(a: Any, b: Any) -> bool:
    return bool(np.allclose(a, b, rtol=WITHIN, atol=WITHIN))


@cache
def changes_with_class_mix(entry: Measure) -> bool:
    """Whether its value changes when one class grows and each class is predicted as well as before."""
    before = entry.function(_tables())
    grown = [_with_more(_tables(), negatives=a) for a in GROWTH] + [
        _with_more(_tables(), positives=a) for a in GROWTH
    ]
    return not all(_same(entry.function(counts), before) for counts in grown)


@cache
def depends_on_size(entry: Measure) -> bool:
    """Whether its value changes when all counts grow alike."""
    return not _same(entry.function(_tables() * 7.0), entry.function(_tables()))


def after(entry: Measure, counts: Counts) -> str:
    """What the measure of other counts is, in terms of the measures of `_tables()`."""
    value = entry.function(counts)
    others = [entry, *(other for other in registry.find(Counts) if other is not entry)]
    for turn, words in SIMPLE:
        for other in others:
            if _same(value, turn(other.function(_tables()))):
                name = words.format(other.name)
                return "unchanged" if name == entry.name else f"becomes {name}"
    return "becomes another value"


def by_chance(entry: Measure) -> str:
    """Its value for a classifier that guesses, whatever the share that it calls positive."""
    counts, share, called = _guessed()
    with np.errstate(divide="ignore", invalid="ignore"):
        value = entry.function(counts)
    if (abs(value) > ENDLESS).all():
        return "infinite"
    if np.ptp(value) < 1e-6:
        return f"{round(float(np.mean(value)), 9) + 0.0:.4g}"
    for name, part in (("prevalence", share), ("predicted_prevalence", called)):
        if _same(value, part):
            return name
        if _same(value, 1 - part):
            return f"1 - {name}"
    order = {"the prevalence": share, "the share predicted positive": called}
    on = [name for name, part in order.items() if _varies_with(value, part, order)]
    return f"depends on {' and '.join(on)}"


def _varies_with(value: np.ndarray, part: np.ndarray, order: Mapping[str, np.ndarray]) -> bool:
    """Whether the value still changes with one share where the other is held."""
    (other,) = (there for there in order.values() if there is not part)
    return any(np.ptp(value[other == held]) > 1e-6 for held in np.unique(other))


def neighbours(entry: Measure) -> tuple[str, ...]:
    """The measures of which this one is a simple or a rising or falling function."""
    value = entry.function(_tables())
    others = (other for other in registry.find(Counts) if other is not entry)
    said = (_relation(value, other.function(_tables()), other.name) for other in others)
    return tuple(words for words in said if words)


def _relation(value: np.ndarray, there: np.ndarray, name: str) -> str | None:
    for turn, words in SIMPLE:
        if _same(value, turn(there)):
            return f"is {words.format(name)}"
    return _rises_or_falls(value, there, name)


def _rises_or_falls(value: np.ndarray, there: np.ndarray, name: str) -> str | None:
    order = np.lexsort((value, there))
    steps = np.diff(value[order])
    rounding = WITHIN * np.ptp(value)
    if (steps >= -rounding).all():
        return f"rises with {name}"
    return (
        f"falls as {name} rises" if (np.diff(value[np.lexsort((-value, there))]) <= rounding).all() else None
    )


@cache
def behaviour(entry: Measure) -> dict[str, str]:
    """All of it, as sentences; empty for measures of other summaries."""
    if entry.summary is not Counts:
        return {}
    return {
        "class_mix": (
            "changes as one class grows"
            if changes_with_class_mix(entry)
            else "does not change as one class grows"
        ),
        "size": (
            "changes with the number of cases"
            if depends_on_size(entry)
            else "does not change with the number of cases"
        ),
        "classes_swapped": after(entry, _tables().swap_classes()),
        "truth_swapped": after(entry, _tables().swap_truth()),
        "by_chance": by_chance(entry),
        "neighbours": "; ".join(neighbours(entry)),
    }


@dataclass(frozen=True, slots=True, repr=False)
class ClassMix(Tabular):
    """Each measure of counts as one class grows. growth: how many times; grown: which class; values: by
    measure, one per growth; changes: by measure, whether it changes for any table, found by computing.
    """

    FORM = "class_mix"

    growth: tuple[float, ...]
    grown: str
    values: dict[str, tuple[float, ...]]
    changes: dict[str, bool]

    def __repr__(self) -> str:
        return (
            f"<ClassMix of {len(self.values)} measures, {self.grown}s times"
            f" {', '.join(f'{g:g}' for g in self.growth[:6])}>"
        )

    @property
    def table(self) -> list[dict[str, Any]]:
        """One row per measure and growth, as plain values; an undefined or infinite value is None."""
        return [
            {
                "measure": name,
                "grown": self.grown,
                "growth": growth,
                "value": value,
                "changes": self.changes[name],
            }
            for name, values in self.to_dict()["values"].items()
            for growth, value in zip(self.growth, values, strict=True)
        ]

    def to_dict(self) -> dict[str, Any]:
        """Plain values; what is undefined or infinite as None."""
        plain = {
            name: [value if np.isfinite(value) else None for value in values]
            for name, values in self.values.items()
        }
        return {
            "growth": list(self.growth),
            "grown": self.grown,
            "values": plain,
            "changes": dict(self.changes),
        }


def one_table(given: Any) -> Counts:
    """Counts whose cells are numbers: as given, or of an evaluation. Raises InputError, with what to pass
    instead."""
    try:
        counts = given if isinstance(given, Counts) else given.counts
    except validate.InputError:  # an evaluation of another task says what to take
        raise
    except AttributeError:
        counts = None
    if isinstance(counts, Counts) and not np.ndim(counts.tp):
        return counts
    raise validate.InputError(
        "invalid-value",
        "counts",
        "one table of four numbers is needed, as tallymark.Counts(tp=, fp=, fn=, tn=)",
    )


@public()
def class_mix_sensitivity(
    counts: Counts, *, growth: tuple[float, ...] = GROWTH, grown: str = "negative"
) -> ClassMix:
    """Compute every measure of counts as one class grows and each class is predicted as well as before.

    Parameters
    ----------
    counts : Counts
        Of which the cells are numbers.
    growth : tuple of float, default (1, 2, 5, 10, 100)
        How many times as many cases the class has.
    grown : {"negative", "positive"}
        The class that grows.

    Returns
    -------
    ClassMix
        With values: by measure, one per growth; and changes: by measure, whether it changes for any table.

    Raises
    ------
    InputError
        For counts of arrays, and for growth or grown that are not possible.

    References
    ----------
    Tharwat, section 2.1.

    Examples
    --------
    >>> import tallymark as tm
    >>> mix = tm.class_mix_sensitivity(tm.Counts(tp=90, fp=20, fn=10, tn=80), growth=(1, 10))
    >>> mix.changes["precision"], mix.changes["sensitivity"]
    (True, False)
    """
    counts = one_table(counts)
    validate.choice(grown, ("negative", "positive"), "grown")
    factors = tuple(
        validate.number(factor, "growth", 1e-9, 1e9) for factor in validate.some(growth, "growth", "numbers")
    )
    if not factors:
        raise validate.InputError(
            "invalid-value",
            "growth",
            f"{validate.shown(growth)} is not possible",
            "give several numbers, as (1, 10, 100)",
            value=growth,
        )
    one, grow = np.ones(len(factors)), np.array(factors)
    tables = _with_more(counts, grow, one) if grown == "negative" else _with_more(counts, one, grow)
    entries = registry.find(Counts)
    with np.errstate(divide="ignore", invalid="ignore"):
        values = {entry.name: tuple(np.asarray(entry.function(tables), float).tolist()) for entry in entries}
    return ClassMix(factors, grown, values, {entry.name: changes_with_class_mix(entry) for entry in entries})
