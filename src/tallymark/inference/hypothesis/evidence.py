"""Evidence on a difference: intervals at any level and p-values for any effect, which agree.

`bounds(level)` is the interval, `p_at(effect)` the two-sided p-value of the hypothesis that the difference
equals this effect: effects inside the interval have p-values above 1 - level.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, isfinite, nan, sqrt
from typing import Any

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
STEPS = 60  # of a bisection


Covariance = tuple[tuple[float, float], tuple[float, float]]


class Evidence:
    """A difference, with its test of no difference.

    value: of the difference; method: its name; notes: what to consider; statistic: of the test, None where
    the p-value is not from a normal or Student's distribution; df: the degrees of freedom of Student's t,
    infinite for the normal one; standard_error: None where the method uses none; covariance: of the two
    values, where the method has it; between: bounds of the value, where only these are known.
    """

    value: Any
    method: Any
    notes: Any
    statistic: Any = None
    df: Any = inf
    standard_error: Any = None
    covariance: Any = None
    between: Any = None

    @property
    def note(self) -> str | None:
        """The sentences of the notes, joined with semicolons; None without any."""
        return text_of(self.notes)

    def bounds(self, level: float) -> tuple[float, float]:
        """The interval."""
        raise NotImplementedError

    def p_at(self, effect: Any) -> Any:
        """Two-sided p-values of the hypotheses that the difference equals these effects."""
        raise NotImplementedError


@dataclass(frozen=True)
class Unknown(Evidence):
    """A difference without an interval; the notes state the reason.

    value: where nothing varies, so that a test would find the value itself with p = 1; NaN where no test is
    made; certain: whether it has the value in any sample, as 0 of two identical models.
    """

    notes: Notes
    method: str = ""
    value: float = nan
    certain: bool = False

    def bounds(self, level: float) -> tuple[float, float]:
        return (self.value, self.value) if self.certain else (nan, nan)

    def p_at(self, effect: Any) -> Any:
        return np.where(np.asarray(effect, float) == self.value, 1.0, 0.0 if self.certain else nan)


def identical(note: Note) -> Unknown:
    """A difference of 0 in any sample."""
    return Unknown((note,), "identical", 0.0, certain=True)


@dataclass(frozen=True)
class Normal(Evidence):
    """A difference that is normal around the value, or has Student's t; clipped to the range.

    sides: the standard errors below and above the value, where these differ; between: bounds of the value,
    from which the interval is measured, and between which p is 1.
    """

    value: float
    standard_error: float | None = None
    method: str = ""
    ends: tuple[float, float] = ENDS
    df: float = inf
    notes: Notes = ()
    covariance: Covariance | None = None
    sides: tuple[float, float] | None = None
    between: tuple[float, float] | None = None

    @property
    def statistic(self) -> float:
        return float(self._away(0.0))

    def bounds(self, level: float) -> tuple[float, float]:
        reach, (below, above) = student_quantile(level, self.df), self._sides
        least, most = self.between or (self.value, self.value)
        return max(least - reach * below, self.ends[0]), min(most + reach * above, self.ends[1])

    def p_at(self, effect: Any) -> Any:
        away = -np.abs(self._away(np.asarray(effect, float)))
        return 2 * (kernels.normal_cdf(away) if self.df == inf else student_tail(-away, self.df))

    @property
    def _sides(self) -> tuple[float, float]:
        return self.sides or (self.standard_error or 0.0, self.standard_error or 0.0)

    def _away(self, effect: Any) -> Any:
        """The distance of the value, or its nearer bound, from the effect, in standard errors."""
        least, most = self.between or (self.value, self.value)
        apart = np.maximum(least - effect, 0.0) + np.minimum(most - effect, 0.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(apart == 0, 0.0, apart / np.where(apart > 0, *self._sides))


def of_estimate(estimate: Estimate, notes: Notes = ()) -> Normal:
    """A difference with its interval, of which each side of the value, or of its bounds, is normal.

    At another level the distances from these are multiplied by the ratio of the normal quantiles.
    """
    (least, most), quantile = estimate.between, normal_quantile(estimate.level)
    sides = (least - estimate.low) / quantile, (estimate.high - most) / quantile
    return Normal(
        estimate.value, estimate.standard_error, estimate.method or "", (-inf, inf), notes=notes, sides=sides,
        between=estimate.bounds,
    )  # fmt: skip


@dataclass(frozen=True)
class Discordant(Evidence):
    """The difference of two proportions of the same cases, (b - c) / n, by Tango's score test.

    b cases are right for the first model only, c for the second only. At an effect d, z = (b - c - n d) /
    sqrt(n (2 q + d (1 - d))), with q the maximum likelihood estimate, under the difference d, of the
    proportion of cases that are right for the second only. The interval has a width also where b = c = 0. At
    0 it is McNemar's chi-square. Source: Tango (1998), Statistics in Medicine 17, 891-908.

    For fixed class sizes b, c and n are by class: the difference is sum(b - c) / sum(n), and the variance is
    the sum of Tango's over the classes, each at its own difference: the observed ones are moved to the effect
    in proportion to what each class adds to the variance.
    """

    b: Any
    c: Any
    n: Any
    notes: Notes = ()

    @property
    def method(self) -> str:
        return "score-by-class" if np.size(self.n) > 1 else "score"

    @property
    def value(self) -> float:
        return float((np.sum(self.b) - np.sum(self.c)) / np.sum(self.n))

    @property
    def statistic(self) -> float:
        return float(self._z(0.0))

    def bounds(self, level: float) -> tuple[float, float]:
        limit = normal_quantile(level)

        def edge(outside: float, inside: float) -> float:
            """By bisection between an end of the range and the value."""
            if inside == outside or abs(self._z(outside)) <= limit:
                return outside
            for _ in range(STEPS):
                middle = (outside + inside) / 2
                outside, inside = (middle, inside) if abs(self._z(middle)) > limit else (outside, middle)
            return inside

        return edge(-1.0, self.value), edge(1.0, self.value)

    def p_at(self, effect: Any) -> Any:
        return 2 * kernels.normal_cdf(-np.abs(self._z(np.asarray(effect, float))))

    def _z(self, d: Any) -> Any:
        """(value - d) over the standard error at the effect d."""
        b, c, n = (np.reshape(part, (-1, 1)).astype(float) for part in (self.b, self.c, self.n))
        observed, share, effect = (b - c) / n, n / n.sum(), np.ravel(d)
        spread = ((b + c + 1) / n - observed**2) / n
        step = (effect - self.value) * share * spread / (share**2 * spread).sum()
        moved = effect[None] if len(n) == 1 else np.clip(observed + step, -1.0, 1.0)
        linear, constant = (2 * n - b + c) * moved - b - c, -c * moved * (1 - moved)
        q = np.maximum((np.sqrt(np.maximum(linear**2 - 8 * n * constant, 0.0)) - linear) / (4 * n), 0.0)
        variance = np.maximum(n * (2 * q + moved * (1 - moved)), 0.0)  # of b - c
        with np.errstate(divide="ignore", invalid="ignore"):
            apart = (self.value - effect) / np.sqrt((share**2 * variance / n**2).sum(0))
        return np.where(effect == self.value, 0.0, apart).reshape(np.shape(d))


@dataclass(frozen=True, eq=False)
class Resampled(Evidence):
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
        return np.minimum(2 * (stdtr(n - 1, ndtri(tail) * sqrt((n - 1) / n)) if isfinite(n) else tail), 1.0)

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


@dataclass(frozen=True, eq=False)
class Permuted(Evidence):
    """The ascending absolute differences in permutations of the models; infinite for undefined ones.

    Under the hypothesis that the difference is d, the value less d is one of these: p = (b + 1) / (k + 1),
    where b of k are at least as large as the distance of the value from d. The interval contains the effects
    whose p is above 1 - level (test inversion).
    """

    value: float
    distances: np.ndarray
    ends: tuple[float, float] = ENDS
    notes: Notes = ()
    method: str = "permutation"

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
