"""The difference of two independent estimates, by combining their intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import hypot, inf, isinf, isnan, sqrt

from ...input.messages import Note, Notes, joined
from ...input.validate import InputError
from ..results import Estimate

ENDS = (-1.0, 1.0)


def independent(
    first: Estimate,
    second: Estimate,
    ends: tuple[float, float] = ENDS,
    names: tuple[str, str] | None = None,
    correlation: float | None = None,
    method: str = "mover",
) -> Estimate:
    """first - second, two estimates of the same measure, by default from different cases.

    ends: the lowest and the highest possible difference, as (-1, 1) for proportions; (-inf, inf) does not
    clip the bounds. It is undefined where one of the two is, or both are infinite; there is no interval, with
    the reason, where one has none. The standard error is the root of the sum of the squares of the two, where
    both have one. The bounds are first - second less sqrt((first - its low)^2 + (high of second - second)^2),
    and likewise above: they are as skewed as the two intervals, and of width zero only where both are. Where
    only bounds of a value are known, so they are of the difference, and the interval is around these.
    names: of the models, for notes; correlation: of two estimates that are not independent, such as a part of
    the cases and all: below the value the bounds are sqrt(a^2 + b^2 - 2 r a b), where a and b are the
    distances above, and likewise above it (Zou 2007, Psychological Methods 12, 399-413); there is no standard
    error then.
    Source: Zou and Donner (2008), Statistics in Medicine 27, 1693-1702 (MOVER); for two proportions with
    Wilson's intervals it is Newcombe's (1998) method 10. Raises InputError where the levels differ.
    """
    if first.level != second.level:
        raise InputError(
            "mismatch",
            "level",
            f"one interval is at {first.level:g}, the other at {second.level:g}",
            "make both at the same level",
        )
    about = ({"which": "first"}, {"which": "second"}) if names is None else [{"model": one} for one in names]
    both = list(zip(about, (first, second), strict=True))
    missing = why_undefined(both)
    if missing:
        return Estimate(float("nan"), level=first.level, undefined=one_reason(missing))
    (least, most), (lowest, highest) = first.between, second.between
    value, bounds = first.value - second.value, (least - highest, most - lowest)
    known = None if bounds[0] == bounds[1] else bounds
    reason = _why_no_interval(both)
    if reason:
        return Estimate(value, level=first.level, notes=reason, bounds=known)
    r = correlation or 0.0
    low = bounds[0] - _side(least - first.low, second.high - highest, r)
    high = bounds[1] + _side(first.high - most, lowest - second.low, r)
    if correlation is not None and not high > low:
        return Estimate(value, level=first.level, notes=joined(Note("bounds-alike")))
    errors = first.standard_error, second.standard_error
    error = None if None in errors or correlation is not None else hypot(*errors)  # type: ignore[arg-type]
    low, high = max(low, ends[0]), min(high, ends[1])
    return Estimate(value, low, high, first.level, method, standard_error=error, bounds=known)


def _side(a: float, b: float, r: float) -> float:
    if not r or isinf(a) or isinf(b):
        return hypot(a, b)
    return sqrt(max(a * a + b * b - 2 * r * a * b, 0.0))


def one_reason(notes: Notes) -> Note:
    """Why a difference is undefined, as one note."""
    return notes[0] if len(notes) == 1 else Note("difference-of-undefined", because=notes)


def why_undefined(both: Sequence[tuple[Mapping[str, str], Estimate]]) -> Notes:
    """Why the difference of two estimates, each with the fields of a note that name it, is undefined."""
    gone = [Note("value-undefined", **about, reason=one.undefined) for about, one in both if isnan(one.value)]
    first, second = (one.value for _, one in both)
    if not gone and isinf(first) and first == second:
        return joined(Note("both-infinite"))
    return joined(*gone)


def _why_no_interval(both: Sequence[tuple[Mapping[str, str], Estimate]]) -> Notes:
    for about, one in both:
        if isinf(one.value):
            return joined(Note("infinite-value", **about))
        if not one.has_interval:
            return joined(Note("value-without-interval", **about, because=one.notes))
        # as for biased errors: the interval is corrected, the value is not
        if not (one.low <= one.between[0] and one.between[1] <= one.high):
            return joined(Note("interval-without-value", **about))
    return ()


def span(range: tuple[float, float]) -> tuple[float, float]:
    """The lowest and the highest difference of two values of that range."""
    low, high = range
    return (-inf, inf) if isinf(low) or isinf(high) else (low - high, high - low)
