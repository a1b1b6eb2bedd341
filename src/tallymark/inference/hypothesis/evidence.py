"""Evidence on a difference: intervals at any level and p-values for any effect, which agree.

`bounds(level)` is the interval, `p_at(effect)` the two-sided p-value of the hypothesis that the difference
equals this effect: effects inside the interval have p-values above 1 - level.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, isfinite, nan, sqrt
from typing import Any, ClassVar, Protocol

import numpy as np

from ... import kernels
from ...input.messages import Note, Notes, joined, text_of
from ..intervals.differences import ENDS
from ..intervals.quantiles import normal_quantile, student_quantile, student_tail
from ..results import Estimate

FEWEST_REPLICATES = 0.5  # proportion of resamples in which the difference must be defined
NO_WIDTH = 1e-12
ROUNDING = 1e-12  # relative, of a difference
DIGITS = 12


Covariance = tuple[tuple[float, float], tuple[float, float]]


class Evidence(Protocol):
    """The protocol of evidence on a difference.

    statistic: of the test of no difference, None where the p-value is not from a normal or Student's
    distribution; df: the degrees of freedom of Student's t, infinite for the normal one; standard_error: of
    the difference, None where the method uses none; covariance: of the two values, where the method has it.
    """

    @property
    def method(self) -> str: ...

    @property
    def notes(self) -> Notes: ...

    @property
    def statistic(self) -> float | None: ...

    @property
    def df(self) -> float: ...

    @property
    def standard_error(self) -> float | None: ...

    @property
    def covariance(self) -> Covariance | None: ...

    def bounds(self, level: float) -> tuple[float, float]: ...

    def p_at(self, effect: Any) -> Any: ...


class Plain:
    """Defaults of evidence."""

    __slots__ = ()
    notes: Notes

    @property
    def note(self) -> str | None:
        """The sentences of the notes, joined with semicolons; None without any."""
        return text_of(self.notes)

    @property
    def statistic(self) -> float | None:
        return None

    @property
    def df(self) -> float:
        return inf

    @property
    def standard_error(self) -> float | None:
        return None

    @property
    def covariance(self) -> Covariance | None:
        return None


@dataclass(frozen=True, slots=True)
class Certain(Plain):
    """A difference of 0 in any sample, as for two identical models; the notes state the reason."""

    notes: Notes
    method: str = "identical"

    def bounds(self, level: float) -> tuple[float, float]:
        return 0.0, 0.0

    def p_at(self, effect: Any) -> Any:
        return np.where(np.asarray(effect, float) == 0, 1.0, 0.0)


@dataclass(frozen=True, slots=True)
class Unknown(Plain):
    """A difference without an interval; the notes state the reason.

    value: where nothing varies, so that a test would find the value itself with p = 1; NaN where no test is
    made.
    """

    notes: Notes
    method: str = ""
    value: float = nan

    def bounds(self, level: float) -> tuple[float, float]:
        return nan, nan

    def p_at(self, effect: Any) -> Any:
        return np.where(np.asarray(effect, float) == self.value, 1.0, nan)


@dataclass(frozen=True, slots=True)
class Normal(Plain):
    """value +- z * error, clipped to the range; with degrees of freedom, t instead of z.

    covariance: of the two values, where known; sides: by which factors the error is larger below the value,
    and above it.
    """

    value: float
    error: float
    method: str
    ends: tuple[float, float] = ENDS
    df: float = inf
    notes: Notes = ()
    covariance: Covariance | None = None
    sides: tuple[float, float] = (1.0, 1.0)

    @property
    def statistic(self) -> float:
        return float(self._away(0.0))

    @property
    def standard_error(self) -> float:
        return self.error

    def bounds(self, level: float) -> tuple[float, float]:
        reach = student_quantile(level, self.df) * self.error
        below, above = self.sides
        return max(self.value - reach * below, self.ends[0]), min(self.value + reach * above, self.ends[1])

    def p_at(self, effect: Any) -> Any:
        away = -np.abs(self._away(np.asarray(effect, float)))
        return 2 * (kernels.normal_cdf(away) if self.df == inf else student_tail(-away, self.df))

    def _away(self, effect: Any) -> Any:
        """The distance of the value from the effect, in standard errors of that side."""
        apart = self.value - effect
        return apart / (self.error * np.where(apart > 0, *self.sides))


@dataclass(frozen=True, slots=True)
class Split(Plain):
    """An asymmetric interval, with a normal distribution on each side of the value, or of its bounds.

    At another level the distances from these are multiplied by the ratio of the normal quantiles. Between
    bounds p is 1.
    """

    estimate: Estimate
    notes: Notes = ()

    @property
    def method(self) -> str:
        return self.estimate.method or ""

    @property
    def statistic(self) -> float:
        return float(self._away(0.0))

    @property
    def standard_error(self) -> float | None:
        return self.estimate.standard_error

    def bounds(self, level: float) -> tuple[float, float]:
        one, share = self.estimate, normal_quantile(level) / normal_quantile(self.estimate.level)
        if level == one.level:
            return one.low, one.high
        least, most = one.between
        return least - share * (least - one.low), most + share * (one.high - most)

    def p_at(self, effect: Any) -> Any:
        return 2 * kernels.normal_cdf(-np.abs(self._away(np.asarray(effect, float))))

    def _away(self, effect: Any) -> Any:
        """The distance of the value from the effect, in standard deviations."""
        one = self.estimate
        least, most = one.between
        room = np.where(effect < least, least - one.low, one.high - most)
        apart = np.maximum(least - effect, 0.0) + np.minimum(most - effect, 0.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            return normal_quantile(one.level) * np.where(apart == 0, 0.0, apart / room)


@dataclass(frozen=True, slots=True, eq=False)
class Resampled(Plain):
    """The ascending differences in bootstrap resamples.

    The interval holds the middle ones ("bootstrap"), or is the reflection of that at the value
    ("basic-bootstrap"). Efron (1979); Davison and Hinkley (1997), 5.2.

    p follows from the smaller number of resamples at or beyond the effect, counting the value itself as one
    more, so that it is never 0; it is 1 between the value and the median of the resamples. The interval
    contains the effects whose p is above 1 - level: it extends from one resample to another, and includes the
    value. There is none where there are too few resamples for the level.

    Resamples of few cases vary too little. So the proportion of them beyond a bound is not (1 - level) / 2,
    but that of a normal distribution beyond sqrt(n / (n - 1)) times the quantile of Student's t with n - 1
    degrees of freedom, with n cases in the smaller class: the expanded percentile interval of Hesterberg
    (2015), The American Statistician 69, 371-386. With many cases it is the same.
    """

    value: float
    replicates: np.ndarray
    method: str = "bootstrap"
    notes: Notes = ()
    cases: float = inf

    @property
    def standard_error(self) -> float:
        return float(np.std(self.replicates, ddof=1))

    @property
    def _placed(self) -> np.ndarray:
        return self.replicates if self.method == "bootstrap" else 2 * self.value - self.replicates[::-1]

    def bounds(self, level: float) -> tuple[float, float]:
        placed, rank = self._placed, _outside(self._p_values, level)
        if not rank:
            return nan, nan
        return min(float(placed[rank - 1]), self.value), max(float(placed[-rank]), self.value)

    @property
    def _p_values(self) -> np.ndarray:
        """The p-values of effects with 0, 1, 2, ... resamples at or beyond, up to half of them."""
        from scipy.special import ndtri, stdtr

        n, size = self.cases, len(self.replicates)
        tail = np.minimum(np.arange(1, size // 2 + 2) / (size + 1), 0.5)
        found: np.ndarray = np.minimum(
            2 * (stdtr(n - 1, ndtri(tail) * sqrt((n - 1) / n)) if isfinite(n) else tail), 1.0
        )
        return found

    def p_at(self, effect: Any) -> Any:
        placed, asked = self._placed, np.asarray(effect, float)
        below, above = (
            np.searchsorted(placed, asked, "right"),
            len(placed) - np.searchsorted(placed, asked, "left"),
        )
        p_values = self._p_values
        found = p_values[np.minimum(np.minimum(below, above), len(p_values) - 1)]
        ends = sorted((self.value, float(np.median(placed))))
        return np.where(np.isnan(asked), nan, np.where((ends[0] <= asked) & (asked <= ends[1]), 1.0, found))


@dataclass(frozen=True, slots=True, eq=False)
class Permuted(Plain):
    """The ascending absolute differences in permutations of the models; infinite for undefined ones.

    Under the hypothesis that the difference is d, the value less d is one of these: p = (b + 1) / (k + 1),
    where b of k are at least as large as the distance of the value from d. The interval contains the effects
    whose p is above 1 - level (test inversion).
    """

    value: float
    distances: np.ndarray
    ends: tuple[float, float] = ENDS
    notes: Notes = ()
    method: ClassVar[str] = "permutation"

    def bounds(self, level: float) -> tuple[float, float]:
        rank = _outside(np.arange(1, len(self.distances) + 2) / (len(self.distances) + 1), level)
        if not rank or not isfinite(self.distances[-rank]):
            return nan, nan
        reach = float(self.distances[-rank])
        return max(self.value - reach, self.ends[0]), min(self.value + reach, self.ends[1])

    def p_at(self, effect: Any) -> Any:
        away = np.abs(np.asarray(effect, float) - self.value)
        beyond = len(self.distances) - np.searchsorted(self.distances, away, "left")
        return (beyond + 1) / (len(self.distances) + 1)


def _outside(p_values: np.ndarray, level: float) -> int:
    """How many of these ascending p-values are at most 1 - level, up to rounding."""
    return int(np.searchsorted(p_values, round(1 - level, DIGITS), "right"))


def of_replicates(
    value: float, model: np.ndarray, reference: np.ndarray, method: str, cases: float
) -> Evidence:
    """The evidence from a measure of two models on the same resamples, without undefined ones.

    cases: the number of cases in the smaller class, or of clusters if fewer. A single case, or cluster, has
    no interval: it is in every resample.
    """
    if cases <= 1:
        return Unknown((Note("no-spread"),))
    differences = _less_rounding(model, reference)
    known = np.sort(differences[np.isfinite(differences)])
    if len(known) < FEWEST_REPLICATES * len(differences) or not isfinite(value):
        return Unknown((Note("undefined-on-resamples", share=1 - len(known) / max(len(differences), 1)),))
    if np.ptp(known) <= NO_WIDTH:
        return Unknown((Note("resamples-of-difference-alike"),), value=value)
    lost = len(differences) - len(known)
    gone = Note("resamples-left-out", lost=lost, resamples=len(differences)) if lost else None
    return Resampled(value, known, method, joined(gone), cases)


def _less_rounding(model: np.ndarray, reference: np.ndarray) -> np.ndarray:
    """The differences, 0 where only rounding errors differ: their signs mean nothing."""
    with np.errstate(invalid="ignore"):  # both may be infinite
        found: np.ndarray = model - reference
    size = np.maximum(np.abs(model), np.abs(reference))
    return np.where(np.isfinite(found) & (np.abs(found) <= ROUNDING * size), 0.0, found)
