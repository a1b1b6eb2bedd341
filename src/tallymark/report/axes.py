"""The axes of a curve: from where to where, with which ticks; for every way of drawing it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import floor, log10
from statistics import NormalDist
from typing import Any

import numpy as np

from ..curves import Curve

SIDE = 320  # of the plotting area, in pixels
UNIT = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
SMALLEST_SHARE = 9  # the exponent of the smallest rate that is marked on an axis of normal deviates, 10^-9
# the width of a character of a tick, and the least room between two ticks, in pixels
CHARACTER, APART = 7.6, 4
ROUNDING = 1e-9  # of a deviate
FURTHEST = 3.2  # normal deviate that a band is followed to: a rate of 0.07 %
FEWEST_TICKS = 4
# axes that show all of 0 to 1
RATES = ("rate", "probability", "recall", "precision", "specificity", "sensitivity")
LARGEST = 1e300  # that is drawn
DIFFERENCE = "decision_difference"
LOWEST = 0.5  # of a decision curve: net benefits this share of the highest below 0


@dataclass(frozen=True, slots=True)
class Axis:
    """From where to where, and the ticks with their texts."""

    low: float
    high: float
    ticks: tuple[tuple[float, str], ...]

    def place(self, value: Any) -> Any:
        """As a share of the way."""
        return (value - self.low) / (self.high - self.low)


def shown_name(name: str) -> str:
    """Of a rate in normal deviates, whose ticks are shares, the rate."""
    deviates = "normal deviate of the "
    return f"{name.removeprefix(deviates)} (normal deviates)" if name.startswith(deviates) else name


def axes_of(*curves: Curve) -> tuple[Axis, Axis]:
    """Of all lines of these curves of one name, and of their bands; bands of other lines are cut off."""
    names = curves[0].x_name, curves[0].y_name
    lines = [line for curve in curves for line in _heights(curve)]
    if names[0].startswith("normal deviate"):
        both = axis_of(names[0], [*(_where_finite(one, one.x) for one in curves), *lines])
        return both, both  # of both mistakes alike, so that the diagonal is their equality
    upright = "difference" if curves[0].name == DIFFERENCE else names[1]  # its name ends with that of a model
    return axis_of(names[0], [one.x for one in curves]), axis_of(upright, lines)


def _heights(curve: Curve) -> list[np.ndarray]:
    lines, band = [*curve.lines.values()], [*(curve.band or ())]
    if curve.x_name.startswith("normal deviate"):  # a rate of 0 or 1 is not drawn
        followed = [np.where(np.abs(one) < FURTHEST, one, np.nan) for one in band]
        every = [*followed, *lines]
        return [_where_finite(curve, one) for one in every]
    if curve.name == "decision":  # calling everybody positive falls without end
        lowest = -LOWEST * max(curve.y.max(initial=0.0), 0.1)
        return [np.maximum(line, lowest) for line in (*lines, *band)]
    if curve.name == DIFFERENCE:  # at high thresholds a band has no end
        return [1.5 * curve.y, -0.5 * curve.y]
    return [*lines, *band]


def _where_finite(curve: Curve, values: np.ndarray) -> np.ndarray:
    found: np.ndarray = values[np.isfinite(curve.x) & np.isfinite(curve.y)]
    return found


def axis_of(name: str, values: Sequence[np.ndarray]) -> Axis:
    """All of 0 to 1 for a rate, shares for normal deviates, else what the finite values need."""
    finite = np.concatenate([line[np.isfinite(line)] for line in values])
    low, high = (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 1.0)
    if name.startswith("normal deviate"):
        return _of_deviates(min(low, -2.0), max(high, 0.0))  # to a rate of one half, where a curve ends below
    if name.split()[-1] in RATES or (low >= 0 and 0.5 < high <= 1 and name != "score"):
        return Axis(0.0, 1.0, tuple((tick, f"{tick:g}") for tick in UNIT))
    low, high = (min(max(end, -LARGEST), LARGEST) for end in (low, high))
    if not high - low > 1e-9 * max(abs(low), abs(high)):
        half = max(0.5, abs(low) * 1e-6)
        low, high = low - half, high + half
    if 0 < low < 0.3 * high:
        low = 0.0
    step = _step(high - low)
    ticks = step * np.arange(floor(low / step + 1e-9), floor(high / step + 1e-6) + 1)
    return Axis(
        low,
        high,
        tuple((float(tick), _written(float(tick), step)) for tick in ticks if tick >= low - step * 1e-9),
    )


def _step(span: float) -> float:
    """1, 2 or 5 times a power of ten, so that there are some ticks, but not many."""
    size = 10.0 ** floor(log10(span / FEWEST_TICKS))
    return max(
        (size * factor for factor in (1, 2, 5) if span / (size * factor) >= FEWEST_TICKS), default=size
    )


def _written(value: float, step: float) -> str:
    """With as many digits as tell it from the next one."""
    if step <= 1e-5 or abs(value) >= 1e13:
        return f"{value:.6g}" if abs(value) > step / 2 else "0"
    return f"{value + 0.0:,.{max(0, -floor(log10(step) + 1e-9))}f}"


def _of_deviates(low: float, high: float) -> Axis:
    """Ticks at as many rates as have room: 50 %, both ends, then the others by importance."""
    ticks: list[tuple[float, str]] = []
    inside = [(place, text) for place, text in _shares() if low - ROUNDING <= place <= high + ROUNDING]
    for place, text in [inside[0], min(inside), max(inside), *inside]:
        if all(
            SIDE * abs(place - at) / (high - low) >= CHARACTER * (len(text) + len(other)) / 2 + APART
            for at, other in ticks
        ):
            ticks.append((place, text))
    return Axis(low, high, tuple(sorted(ticks)))


def _shares() -> Iterator[tuple[float, str]]:
    """Rates as normal deviates with their texts, in the order of their importance."""
    yield 0.0, "50%"
    powers = [(10.0**-k, k - 2) for k in (*range(2, SMALLEST_SHARE + 1, 2), *range(3, SMALLEST_SHARE + 1, 2))]
    for share, decimals in [powers[0], (0.2, 0), *powers[1:], (0.05, 0)]:
        place = NormalDist().inv_cdf(share)
        yield place, f"{100 * share:.{decimals}f}%"
        yield -place, f"{100 * (1 - share):.{decimals}f}%"
