"""Estimates: a value with its confidence interval and, where known, its standard error."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from math import isfinite, isinf, isnan, nan
from typing import Any, ClassVar, Self

import numpy as np

from ..input.messages import Note, Noted, Notes, SomeNotes, joined, text_of
from ..input.results import Result, equal_as_tuples

# significant digits of bounds by simulation, whose last bits depend on the order of sums
DIGITS = 12
NARROWEST = 1e-11  # relative width that is not due to this rounding


@dataclass(frozen=True, slots=True)
class Estimate(float, Noted, Result):
    """A value with its confidence interval.

    It is the number `value`, so that `round(estimate, 3)`, `estimate > 0.9`, `sorted`, `numpy.mean` and
    `json.dumps` take it as one. Compare a bound, as `estimate.low > 0.9`, to allow for the uncertainty.

    Attributes
    ----------
    value : float
        NaN where the measure is undefined.
    low, high : float
        The ends of the confidence interval, within the range of the measure; NaN where there is none.
    level : float
        The confidence level, above 0 and below 1.
    method : str or None
        The method of the interval; None without one.
    undefined : Note or None
        Why the value is NaN, with a code and fields; its `text` is the sentence.
    notes : tuple of Note
        What to consider when the numbers are read, as why there is no interval: each with a code and fields.
        `note` has their sentences.
    corrected : float or None
        At a threshold that was chosen on the cases measured, the value less its optimism, around which the
        interval lies; None elsewhere, and where it is not known.
    standard_error : float or None
        The standard error in the unit of the value, above 0, whatever the scale of the interval: from the
        method's variance, or the standard deviation of its resamples. None without an interval, and where the
        method has none: score intervals and exact ones (Wilson, Clopper-Pearson), inverted tests or
        bootstraps, and combined bounds of other values. Where there is a corrected value, it is that of this
        value.
    threshold : float or None
        The threshold of the scores for the counts from which the value is computed; None where there are no
        counts, or these are of predicted labels. It does not matter for the equality of estimates.
    bounds : tuple of two floats, or None
        Bounds of the value, where the summary is binned so that only these are known; None where the value is
        exact.
    """

    INSTEAD: ClassVar[Mapping[str, str]] = {
        **dict.fromkeys(
            ("ci", "interval", "conf_int", "confidence_interval"), "(estimate.low, estimate.high)"
        ),
        **dict.fromkeys(("se", "stderr", "std_error", "sd"), "estimate.standard_error"),
        **dict.fromkeys(("lower", "ci_low", "lo"), "estimate.low"),
        **dict.fromkeys(("upper", "ci_high", "hi"), "estimate.high"),
        **dict.fromkeys(("estimate", "point", "mean"), "estimate.value"),
    }

    value: float
    low: float = nan
    high: float = nan
    level: float = 0.95
    method: str | None = None
    undefined: Note | None = None
    notes: Notes = ()
    corrected: float | None = None
    standard_error: float | None = None
    threshold: float | None = field(default=None, compare=False)
    bounds: tuple[float, float] | None = None

    __eq__ = equal_as_tuples
    __ne__ = object.__ne__  # the opposite of `==`, not that of numbers

    def __new__(cls, value: float = nan, *fields: Any, **named: Any) -> Self:
        """The number that the estimate is."""
        return float.__new__(cls, value)

    def __bool__(self) -> bool:
        return True

    def __hash__(self) -> int:
        return float.__hash__(self.value)

    @property
    def optimism(self) -> float | None:
        """The value less the corrected one; None where there is no corrected value."""
        return None if self.corrected is None else self.value - self.corrected

    @property
    def between(self) -> tuple[float, float]:
        """The bounds of the value: where it is known, twice the value."""
        return (self.value, self.value) if self.bounds is None else self.bounds

    @property
    def centre(self) -> float:
        """What the interval belongs to: the corrected value where there is one, else the value."""
        return self.value if self.corrected is None else self.corrected

    def __format__(self, spec: str) -> str:
        """The value alone where a format is given, as in f"{estimate:.2f}"."""
        return format(self.value, spec) if spec else repr(self)

    def __repr__(self) -> str:
        if self.undefined:
            return f"Estimate(undefined: {self.undefined})"
        ends = f"[{self.low:.4g}, {self.high:.4g}]" if self.method else ""
        interval = f" {ends} at {self.level:.6g}, {self.method}" if ends else ""
        here = None if self.corrected is None else f"{self.value:.4g} on these cases"
        about = "corrected " * (self.corrected is not None)
        written = " to ".join(dict.fromkeys(f"{one:.4g}" for one in self.bounds or (self.centre,)))
        first = f"{about}{written}{interval or ', no interval' * (not self.note)}"
        notes = f"{'; ' if interval else ', '}{self.note}" if self.note else ""  # or why there is no interval
        return f"Estimate({first}{notes}{f'; {here}' if here else ''})"

    def to_dict(self) -> dict[str, Any]:
        """Strict JSON: NaN and infinity become None, with the reason in `undefined` or `note`.

        The notes have codes and fields.
        """
        gone = self.undefined and self.undefined.to_dict()
        return {
            **{name: _finite(value) for name, value in self.plain.items()},
            "undefined": gone,
            "notes": [note.to_dict() for note in self._notes_on_infinity],
        }

    @property
    def plain(self) -> dict[str, Any]:
        """The same with sentences in place of codes and fields, and infinities, as for a row of a table."""
        names = dict.fromkeys(
            ["value", "corrected", *(one.name.replace("notes", "note") for one in fields(self))]
        )
        plain = {name: _plain(getattr(self, name)) for name in names}
        plain = {
            key: value
            for key, value in plain.items()
            if value is not None or key not in ("corrected", "bounds")
        }
        if self.corrected is not None:
            plain["optimism"] = self.optimism if isfinite(self.value - self.corrected) else None
        return {**plain, "note": text_of(self._notes_on_infinity)}

    @property
    def _notes_on_infinity(self) -> Notes:
        every = {name: getattr(self, name) for name in ("value", "low", "high", "threshold")}
        infinite = {name: value for name, value in every.items() if value is not None and isinf(value)}
        parts = ", ".join(
            f"threshold ({value:g})" if name == "threshold" else name for name, value in infinite.items()
        )
        return joined(self.notes, Note("infinite-parts", parts=parts, **infinite) if infinite else None)

    @property
    def has_interval(self) -> bool:
        return not isnan(self.low)


def _plain(value: Any) -> Any:
    if isinstance(value, Note):
        return value.text
    if isinstance(value, tuple):
        return list(value)
    return None if isinstance(value, float) and isnan(value) else value


def _finite(value: Any) -> Any:
    return None if isinstance(value, float) and isinf(value) else value


@dataclass(frozen=True, slots=True)
class Interval:
    """The result of an interval method.

    low and high: numbers, or arrays for counts with arrays; method: its name; notes: one, several or none, an
    array of these for counts with arrays; standard_error: in the unit of the value, None or NaN where the
    method has none.
    """

    low: Any
    high: Any
    method: Any
    notes: Any = None
    standard_error: Any = None

    @property
    def note(self) -> Any:
        """The sentences of the notes, None where there are none; for an array an array of these."""
        if isinstance(self.notes, np.ndarray):
            return np.array([text_of(one) for one in self.notes.tolist()], object)
        return text_of(self.notes)


def no_interval(notes: SomeNotes) -> Interval:
    """An interval without bounds, with the reason in the notes."""
    return Interval(nan, nan, "", notes)


def with_interval(value: float, found: Interval, level: float, notes: SomeNotes) -> Estimate:
    """The value with this interval and these notes."""
    low, high, error = float(found.low), float(found.high), known_error(found.standard_error)
    if isnan(low) or isnan(high):
        return Estimate(value, level=level, notes=joined(notes))
    if low == high:
        return Estimate(value, level=level, notes=joined(notes, Note("bounds-alike")))
    return Estimate(value, low, high, level, found.method or None, notes=joined(notes), standard_error=error)


def known_error(error: Any) -> float | None:
    """A standard error as a number above 0, None where there is none."""
    return float(error) if error is not None and isfinite(error) and error > 0 else None


def rounded_interval(
    value: float,
    low: float,
    high: float,
    method: str,
    notes: SomeNotes = None,
    standard_error: float | None = None,
) -> Interval:
    """Bounds by simulation, rounded to 12 significant digits, around the value.

    There is no interval where they are equal up to rounding.
    """
    low, high = (float(f"{bound:.{DIGITS}g}") for bound in (low, high))
    low, high = min(low, value), max(high, value)
    if not high - low > NARROWEST * max(abs(low), abs(high)):
        return no_interval(Note("bounds-alike"))
    return Interval(low, high, method, notes, standard_error)
