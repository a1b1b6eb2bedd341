"""What is known of a difference: an interval at any level, and a p-value for any effect; the two always agree.

`bounds(level)` is the interval, `p_at(effect)` the two-sided p-value of the hypothesis that the difference is this effect: what is
inside the interval has a p-value above 1 - level.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, isfinite, nan, sqrt
from typing import Any, ClassVar, Protocol

import numpy as np

from .differences import ENDS
from .results import Estimate
from .scale import normal_quantile

FEWEST_REPLICATES = 0.5  # share of the resamples in which the difference must be defined
STEPS = 60  # of a bisection
NO_WIDTH = 1e-12


class Evidence(Protocol):
    """How sure a difference is."""

    @property
    def method(self) -> str: ...

    @property
    def note(self) -> str | None: ...

    def bounds(self, level: float) -> tuple[float, float]: ...

    def p_at(self, effect: Any) -> Any: ...


@dataclass(frozen=True, slots=True)
class Certain:
    """A difference of 0 that no other cases would change, as of two models that are one; the note says why."""

    note: str | None
    method: str = "identical"

    def bounds(self, level: float) -> tuple[float, float]:
        return 0.0, 0.0

    def p_at(self, effect: Any) -> Any:
        return np.where(np.asarray(effect, float) == 0, 1.0, 0.0)


@dataclass(frozen=True, slots=True)
class Unknown:
    """A difference without an interval; the note says why. Nothing speaks against the value itself."""

    note: str | None
    method: str = ""
    value: float = nan

    def bounds(self, level: float) -> tuple[float, float]:
        return nan, nan

    def p_at(self, effect: Any) -> Any:
        return np.where(np.asarray(effect, float) == self.value, 1.0, nan)


@dataclass(frozen=True, slots=True)
class Normal:
    """value +- z * error, cut at the ends; with degrees of freedom, t instead of z."""

    value: float
    error: float
    method: str
    ends: tuple[float, float] = ENDS
    df: float = inf
    note: str | None = None

    def bounds(self, level: float) -> tuple[float, float]:
        from scipy.special import stdtrit

        quantile = normal_quantile(level) if self.df == inf else float(stdtrit(self.df, (1 + level) / 2))
        return max(self.value - quantile * self.error, self.ends[0]), min(self.value + quantile * self.error, self.ends[1])

    def p_at(self, effect: Any) -> Any:
        from scipy.special import ndtr, stdtr

        away = -np.abs(np.asarray(effect, float) - self.value) / self.error
        return 2 * (ndtr(away) if self.df == inf else stdtr(self.df, away))


@dataclass(frozen=True, slots=True)
class Split:
    """An interval that is not symmetric, with a normal distribution on each side of the value: of another level its distances from
    the value are those of this one, as the normal quantiles are.
    """

    estimate: Estimate
    note: str | None = None

    @property
    def method(self) -> str:
        return self.estimate.method or ""

    def bounds(self, level: float) -> tuple[float, float]:
        one, share = self.estimate, normal_quantile(level) / normal_quantile(self.estimate.level)
        if level == one.level:
            return one.low, one.high
        return one.value - share * (one.value - one.low), one.value + share * (one.high - one.value)

    def p_at(self, effect: Any) -> Any:
        from scipy.special import ndtr

        one, asked = self.estimate, np.asarray(effect, float)
        room = np.where(asked < one.value, one.value - one.low, one.high - one.value)
        with np.errstate(divide="ignore", invalid="ignore"):
            away = np.where(asked == one.value, 0.0, np.abs(asked - one.value) / room)
        return 2 * ndtr(-normal_quantile(one.level) * away)


@dataclass(frozen=True, slots=True, eq=False)
class Resampled:
    """Differences on bootstrap resamples, ascending: the interval holds the middle ones ("bootstrap"), or what is left when their
    distances from the value are taken off it ("basic-bootstrap"). Efron (1979); Davison and Hinkley (1997), 5.2.

    Resamples of few cases vary too little. So the share of them beyond a bound is not (1 - level) / 2, but that of a normal
    distribution beyond sqrt(n / (n - 1)) times the quantile of Student's t with n - 1 degrees of freedom, n the cases of the
    smaller class: the expanded percentile interval of Hesterberg (2015), The American Statistician 69, 371-386. With many cases
    it is the same. p is found from the smaller share of resamples at or beyond the effect in the same way, counting the value
    itself as one more of either, so that it is never 0; it is 1 at the median of the resamples, which is the value, or close to it.
    """

    value: float
    replicates: np.ndarray
    method: str = "bootstrap"
    note: str | None = None
    cases: float = inf

    @property
    def _placed(self):
        return self.replicates if self.method == "bootstrap" else 2 * self.value - self.replicates[::-1]

    def bounds(self, level: float) -> tuple[float, float]:
        tail = self._tail(level)
        low, high = np.quantile(self._placed, [tail, 1 - tail])
        return float(low), float(high)

    def _tail(self, level):
        """The share of the resamples beyond either bound."""
        from scipy.special import ndtr, stdtrit

        n = self.cases
        return float(ndtr(-sqrt(n / (n - 1)) * stdtrit(n - 1, (1 + level) / 2))) if isfinite(n) else (1 - level) / 2

    def _p_value(self, tail):
        """The other way round."""
        from scipy.special import ndtri, stdtr

        n = self.cases
        beyond = stdtr(n - 1, ndtri(tail) * sqrt((n - 1) / n)) if isfinite(n) else tail
        return np.minimum(2 * beyond, 1.0)

    def p_at(self, effect: Any) -> Any:
        placed, asked = self._placed, np.asarray(effect, float)
        below, above = np.searchsorted(placed, asked, "right"), len(placed) - np.searchsorted(placed, asked, "left")
        return self._p_value(np.minimum((np.minimum(below, above) + 1) / (len(placed) + 1), 0.5))


@dataclass(frozen=True, slots=True)
class Discordant:
    """The difference of two shares of the same cases, (b - c) / n, by Tango's score test: b cases that only the first has right, c
    that only the second has.

    At an effect d, z = (b - c - n d) / sqrt(n (2 q + d (1 - d))), q the most likely share of cases that only the second has right
    if the difference is d. Has a width also where b = c = 0. At 0 it is McNemar's chi-square. Source: Tango (1998), Statistics in
    Medicine 17, 891-908.
    """

    b: float
    c: float
    n: float
    note: str | None = None
    method: ClassVar[str] = "score"

    @property
    def value(self) -> float:
        return (self.b - self.c) / self.n

    def bounds(self, level: float) -> tuple[float, float]:
        limit = normal_quantile(level)
        return self._edge(-1.0, limit), self._edge(1.0, limit)

    def _edge(self, outside, limit):
        """By bisection, from an end of the range to the value."""
        inside = self.value
        if inside == outside or abs(self._z(outside)) <= limit:
            return outside
        for _ in range(STEPS):
            middle = (outside + inside) / 2
            outside, inside = (middle, inside) if abs(self._z(middle)) > limit else (outside, middle)
        return inside

    def p_at(self, effect: Any) -> Any:
        from scipy.special import ndtr

        return 2 * ndtr(-np.abs(self._z(np.asarray(effect, float))))

    def _z(self, d):
        b, c, n = self.b, self.c, self.n
        linear, constant = (2 * n - b + c) * d - b - c, -c * d * (1 - d)
        q = np.maximum((np.sqrt(np.maximum(linear**2 - 8 * n * constant, 0.0)) - linear) / (4 * n), 0.0)
        spread = np.sqrt(np.maximum(n * (2 * q + d * (1 - d)), 0.0))
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(b - c == n * d, 0.0, (b - c - n * d) / spread)


def of_replicates(value: float, differences: np.ndarray, method: str, cases: float) -> Evidence:
    """Of the differences on resamples, those that are undefined left out. cases: of the smaller class, or groups if fewer.

    No interval of a single case, or group: it is in every resample, as if it were certain.
    """
    if cases <= 1:
        return Unknown("no interval: a single case of a class, or a single group, shows no spread", value=value)
    known = np.sort(differences[np.isfinite(differences)])
    if len(known) < FEWEST_REPLICATES * len(differences) or not isfinite(value):
        return Unknown(f"no interval: undefined on {1 - len(known) / max(len(differences), 1):.0%} of the resamples")
    if np.ptp(known) <= NO_WIDTH:
        return Unknown("no interval: every resample gives the same difference", value=value)
    lost = len(differences) - len(known)
    note = f"undefined on {lost:,} of {len(differences):,} resamples, which are left out" if lost else None
    return Resampled(value, known, method, note, cases)
