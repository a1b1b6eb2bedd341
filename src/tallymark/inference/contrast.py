"""Differences of estimates as contrasts of the rows of one matrix of influence values.

The variance of a difference is that of the differences of the influence values, so that what models share
cancels out. Estimates near the end of their range have asymmetric intervals; so has their difference, in the
proportions of the MOVER of Zou and Donner (2008), Statistics in Medicine 27, 1693-1702, for independent
estimates. Their formula with a correlation leaves a width where two models coincide, so that here both sides
are multiplied by the share of the variance that is not common.

The evidence on a difference gives intervals at any level and p-values for any effect, which agree:
`bounds(level)` is the interval, `p_at(effect)` the two-sided p-value of the hypothesis that the difference
equals this effect. Effects inside the interval have p-values above 1 - level.

Independent estimates have the difference of both, by combining their intervals.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import hypot, inf, isfinite, isinf, isnan, nan, sqrt
from typing import Any

import numpy as np

from .. import kernels
from ..input.messages import Note, Noted, Notes, joined
from ..input.names import listed
from ..input.results import Result
from ..input.validate import InputError
from .covariance import LEAST_FREEDOM, Sampling, covariance, of_heavy
from .interval import normal_quantile, student_quantile, student_tail
from .results import Estimate

ENDS = (-1.0, 1.0)
CROSSED = Note("clusters-in-several-groups")


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
    error then, and no interval where it is NaN.
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
    unknown = correlation is not None and isnan(correlation)
    reason = joined(CROSSED) if unknown else _why_no_interval(both)
    if reason:
        return Estimate(value, level=first.level, notes=reason, bounds=known)
    r = correlation or 0.0
    low = bounds[0] - float(side(least - first.low, second.high - highest, r))
    high = bounds[1] + float(side(first.high - most, lowest - second.low, r))
    if correlation is not None and not high > low:
        return Estimate(value, level=first.level, notes=joined(Note("bounds-alike")))
    errors = first.standard_error, second.standard_error
    error = None if None in errors or correlation is not None else hypot(*errors)  # type: ignore[arg-type]
    low, high = max(low, ends[0]), min(high, ends[1])
    return Estimate(value, low, high, first.level, method, standard_error=error, bounds=known)


def side(a: Any, b: Any, r: Any) -> Any:
    """The distance of a bound of a difference, from those of two values with a correlation (Zou 2007)."""
    with np.errstate(invalid="ignore"):
        together = np.sqrt(np.maximum(a * a + b * b - 2 * r * a * b, 0.0))
    return np.where(np.isfinite(together) & (np.asarray(r) != 0), together, np.hypot(a, b))


def logarithm(found: Estimate) -> Estimate:
    """The logarithm of an estimate above 0, with its interval."""
    with np.errstate(divide="ignore", invalid="ignore"):
        value, low, high = np.log([found.value, found.low, found.high]).tolist()
        bounds = None if found.bounds is None else tuple(np.log(found.bounds).tolist())
    error = found.standard_error and found.standard_error / found.value
    return replace(found, value=value, low=low, high=high, bounds=bounds, standard_error=error)


def independent_ratio(first: Estimate, second: Estimate) -> Estimate:
    """first / second, from the difference of their logarithms."""
    found = independent(logarithm(first), logarithm(second), (-inf, inf))
    with np.errstate(over="ignore"):
        value, low, high = np.exp([found.value, found.low, found.high]).tolist()
    return replace(found, value=value, low=low, high=high, standard_error=None, bounds=None)


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


FEWEST_REPLICATES = 0.5  # proportion of resamples in which the difference must be defined
NO_WIDTH = 1e-12
ROUNDING = 1e-12  # relative, of a difference
DIGITS = 12
STEPS = 60  # of a bisection
DRAWS = 10_000  # of the largest of several differences: a p-value of 0.05 has an error of 0.002


Covariance = tuple[tuple[float, float], tuple[float, float]]


class Evidence(Noted):
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


class Derived(Evidence):
    """What follows from another evidence, with the same statistic and notes."""

    of: Evidence

    def __init__(self, of: Evidence, **changed: Any) -> None:
        vars(self).update({name: getattr(of, name) for name in Evidence.__annotations__}, of=of, **changed)


@listed(
    "test",
    "tm.compare(..., scale='ratio')",
    name="ratio-of-models",
    aka=("relative_predictive_values", "relative_sensitivity", "ratio_of_likelihood_ratios"),
    command="tallymark compare --scale ratio",
)
class Ratio(Derived):
    """The ratio of two values above 0, from the difference of their logarithms."""

    def __init__(self, of: Evidence) -> None:
        between = None if of.between is None else tuple(np.exp(of.between).tolist())
        value = float(np.exp(of.value))
        super().__init__(of, value=value, standard_error=None, covariance=None, between=between)

    def bounds(self, level: float) -> tuple[float, float]:
        with np.errstate(over="ignore"):
            low, high = np.exp(self.of.bounds(level)).tolist()
        return low, high

    def p_at(self, effect: Any) -> Any:
        with np.errstate(divide="ignore"):
            return self.of.p_at(np.log(np.maximum(effect, 0.0)))


class AllPairs(Derived):
    """A difference of two of several estimates, with the p-values and intervals of all pairs together.

    So they hold for any pair that is chosen by the values, as a difference from the best. The p-value is the
    probability that the largest difference of two estimates without true differences, in its standard
    errors, is as large as that of this one, by the single-step test of Hothorn, Bretz and Westfall (2008),
    Biometrical Journal 50, 346-363. Of equal variances and no correlation it is Tukey's. Beyond the draws it
    is Bonferroni's, which is never smaller. The interval has the effects with a p-value above 1 - level. It
    is never narrower than that of the difference alone, nor its p-value smaller.

    largest: ascending, the largest differences in draws; pairs: the number of them.
    """

    largest: np.ndarray
    pairs: int

    def __init__(self, of: Evidence, largest: np.ndarray, pairs: int) -> None:
        super().__init__(of, largest=largest, pairs=pairs, method=f"{of.method}-all-pairs")

    def bounds(self, level: float) -> tuple[float, float]:
        rank, apart = int(round(1 - level, DIGITS) * (len(self.largest) + 1)), inf
        if rank:
            apart = float(self.largest[-rank])
        each = max(2 * float(kernels.normal_cdf(-apart)), (1 - level) / self.pairs)
        return self.of.bounds(max(1 - each, level))

    def p_at(self, effect: Any) -> Any:
        from scipy.special import ndtri

        p: Any = np.asarray(self.of.p_at(effect), float)
        beyond: Any = len(self.largest) - np.searchsorted(self.largest, -ndtri(p / 2), "left")
        of_draws: Any = (beyond + 1) / (len(self.largest) + 1)
        return np.maximum(np.minimum(np.minimum(p * float(self.pairs), of_draws), 1.0), p)


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


UNSEEN = 2.0  # cases of a class that differ, and were not sampled, for which an interval allows
ENOUGH = 30.0  # differing cases of a class, with which it needs not
MANY = 200.0  # degrees of freedom of a difference, with which the classes need not be told apart
NO_SPREAD = Note("no-spread")
EVERY_CASE_ALIKE = Note("every-case-alike")


class Contrast(Result):
    """A difference of two rows of a result, of models, groups or folds: their names and its estimate."""

    __slots__ = ()

    estimate: Estimate

    @property
    def value(self) -> float:
        return self.estimate.value

    @property
    def low(self) -> float:
        return self.estimate.low

    @property
    def high(self) -> float:
        return self.estimate.high

    @property
    def null(self) -> float:
        """The value without a difference: 0, of a ratio 1."""
        return 0.0

    @property
    def excludes_zero(self) -> bool:
        """Whether the interval excludes 0, of a ratio 1."""
        return self.estimate.has_interval and not self.low <= self.null <= self.high


def contrast(
    values: Sequence[np.ndarray],
    sampling: Sampling,
    estimates: tuple[Estimate, Estimate],
    method: str,
    ends: tuple[float, float],
    *,
    differing: np.ndarray,
    counted: bool,
    by_class: bool = False,
    mean: bool = False,
    notes: Notes = (),
) -> Evidence:
    """The evidence on the difference of two estimates.

    Parameters
    ----------
    values : two arrays of shape (cells,)
        Their influence values.
    sampling : Sampling
        How the cases were sampled.
    estimates : two Estimates
        With their intervals, at one level.
    method : str
        Its name.
    ends : two floats
        The lowest and the highest difference.
    differing : array of shape (cells,)
        Whether the cases of a cell have different outputs of the two models.
    counted : bool
        Whether these alone bring about the difference: of counts and of means, not of ranks.
    by_class : bool
        Whether the influence values are about their means by class.
    mean : bool
        Whether the estimates are means of losses, so that the difference is the mean of the differences.
    notes : Notes
        On the difference.
    """
    rows = np.empty((3, len(sampling.stratum)))
    rows[:2] = values
    both, apart = rows[:2], rows[2]
    np.subtract(both[0], both[1], out=apart)
    two = sampling.stratum.max() == 1
    member = [sampling.stratum == one for one in (0, 1)] if two else [np.array(True)]
    between, df = covariance(rows, sampling, by_class)
    variance = np.diagonal(between)
    if isnan(variance[2]) or _in_one_unit(both, sampling, member):
        return Unknown((NO_SPREAD,))
    single = replace(sampling, units=None)
    number = np.array([float(single.effective(1.0 * (one & differing))) for one in member])
    more: float = 0.0
    if number.min() < ENOUGH or not (counted or df[2] >= MANY) or not variance[2] > ROUNDING**2 * variance[0]:
        by_member = np.stack([apart * one for one in member])
        parts, of_cases = covariance(by_member, sampling, by_class)
        if sampling.units is not None and not counted:
            of_cases = covariance(by_member, single, by_class)[1]
        if not counted:
            number = np.minimum(number, of_cases / 2)
        spread = np.diagonal(parts)
        number = np.where(spread > ROUNDING**2 * variance[:2].sum(), number, 0.0)
        more = sum(
            _of_unseen(float(v), k, both, sampling, one)
            for v, k, one in zip(spread, number.tolist(), member, strict=True)
            if k < ENOUGH
        )
    total = float(variance[2] + more)
    value = estimates[0].value - estimates[1].value
    if not np.sqrt(total) > ROUNDING * max(abs(one.value) for one in estimates):
        return Unknown((EVERY_CASE_ALIKE,), value=value)
    free = df[2] * (total / variance[2]) ** 2 if variance[2] > 0 else inf
    free = max(min(free, float(sampling.effective(np.ones(len(apart)))) - 1), LEAST_FREEDOM)
    even = mean or by_class or not any(_varies(both, one & (sampling.weight > 0)) for one in member)
    sides = (1.0, 1.0) if even else _sides(estimates, variance[:2], df[:2], sampling)
    few = of_heavy(apart, free, sampling, by_class)
    (a, b), (c, d) = between[:2, :2].tolist()
    error = float(np.sqrt(total))
    return Normal(
        value, error, method, ends, float(free), joined(*notes, few), ((a, b), (c, d)),
        (error * sides[0], error * sides[1]),
    )  # fmt: skip


def normal_draws(between: np.ndarray, number: int, seed: int) -> np.ndarray:
    """So many draws of normal values with this covariance, around 0: shape (values, number)."""
    sizes, directions = np.linalg.eigh(between)
    # the symmetric root does not depend on the signs of the eigenvectors
    root = (directions * np.sqrt(np.maximum(sizes, 0.0))) @ directions.T
    return root @ np.random.default_rng(seed).standard_normal((len(between), number))


def largest_differences(between: np.ndarray, seed: int) -> np.ndarray:
    """Ascending, by draw the largest difference of two values with this covariance, in standard errors.

    A difference without spread, such as that of copies or of models without errors, is by cases that were not
    sampled: it is drawn independently of all others.
    """
    from scipy.special import ndtri

    values, variance = normal_draws(between, DRAWS, seed), np.diagonal(between)
    largest, constant = np.zeros(DRAWS), 0
    for i in range(1, len(between)):
        total = variance[i] + variance[:i]
        squares = total - 2 * between[i, :i]
        j = np.flatnonzero(squares > ROUNDING * total)
        apart = np.abs(values[i] - values[j]) / np.sqrt(squares[j, None])
        largest = np.maximum(largest, apart.max(axis=0, initial=0.0))
        constant += i - len(j)
    if constant:
        # the largest of n independent values has the distribution of each to the power n
        uniform = 1 - np.random.default_rng([seed, constant]).random(DRAWS)
        largest = np.maximum(largest, -ndtri(-np.expm1(np.log(uniform) / constant) / 2))
    return np.sort(largest)


def _varies(values: np.ndarray, member: np.ndarray) -> bool:
    """Whether a row has different values in these cells."""
    largest = values.max(axis=1, where=member, initial=-inf)
    return bool((values.min(axis=1, where=member, initial=inf) < largest).any())


def _of_unseen(
    variance: float, k: float, values: np.ndarray, sampling: Sampling, member: np.ndarray
) -> float:
    """The variance that cases of a class add which differ between the models, and were not sampled.

    Where none differs it is that of 2 cases that differ as much as any two cases of a model, whose interval
    is nearly that of the rule of three; where k differ, 1 / k times theirs, and that of the 2 over (1 + k)^2.
    It falls to 0 with 30 differing cases. Of a Poisson number of equal differences it covers at least .93.
    """
    there = member & (sampling.weight > 0)
    if not there.any():
        return 0.0
    if sampling.units is None:
        size, squares = sampling.weight[there].sum(), sampling.squares[there].sum()
    else:
        of_unit = sampling.units.weight @ there.astype(float)
        size, squares = of_unit.sum(), of_unit @ of_unit
    apart = np.ptp(values[:, there], axis=1).max()
    if not apart:  # all cases of the class are in one cell, as without a wrong prediction
        apart = np.ptp(values[:, member], axis=1).max()
    largest = float(apart) * squares / size / sampling.total
    return float((1 - k / ENOUGH) * (variance / max(k, 1.0) + UNSEEN * (largest / (1 + k)) ** 2))


def _in_one_unit(values: np.ndarray, sampling: Sampling, member: list[np.ndarray]) -> bool:
    """Whether all cases of a class that count are in one unit, as a cluster."""
    if sampling.units is None:
        return False
    counting = (values != 0).any(axis=0)
    effective = [float(sampling.effective(1.0 * (one & counting))) for one in member]
    return any(0 < one < 1 + ROUNDING for one in effective)


def _sides(
    estimates: tuple[Estimate, Estimate], variance: np.ndarray, df: np.ndarray, sampling: Sampling
) -> tuple[float, float]:
    """How much wider than a symmetric interval of independent estimates that by MOVER is, on both sides."""
    first, second = estimates
    level = first.level
    quantile = [
        normal_quantile(level) if sampling.equal else student_quantile(level, float(one)) for one in df
    ]
    width = hypot(*(quantile * np.sqrt(variance)))
    below = hypot(first.value - first.low, second.high - second.value)
    above = hypot(first.high - first.value, second.value - second.low)
    sides = below / width if width else nan, above / width if width else nan
    return sides if np.isfinite(sides).all() and min(sides) > 0 else (1.0, 1.0)


def equal(values: np.ndarray, spread: np.ndarray) -> tuple[float, int]:
    """Chi-square and its degrees of freedom for the hypothesis that all estimates are equal.

    (0, 0) where they cannot differ; NaN where a class has a single case, and where estimates differ without
    variance. The statistic is from the contrasts of each with the first, weighted by the pseudo-inverse of
    their covariance, whose rank is the degrees of freedom: models that coincide add none. Source: DeLong,
    DeLong and Clarke-Pearson (1988), Eq. 5.

    values: the estimates, shape (k,); spread: their covariance, shape (k, k).
    """
    rows = np.hstack([-np.ones((len(values) - 1, 1)), np.eye(len(values) - 1)])
    apart, between = rows @ values, rows @ spread @ rows.T
    if not np.isfinite(between).all():
        return nan, 0
    sizes, directions = np.linalg.eigh(between)
    least = ROUNDING * max(float(np.trace(spread)), 0.0)
    free, along = sizes > least, directions.T @ apart
    if (along[~free] ** 2 > least + ROUNDING**2).any():
        return nan, 0
    return float((along[free] ** 2 / sizes[free]).sum()), int(free.sum())
