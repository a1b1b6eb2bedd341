"""Intervals from the values of a measure in bootstrap resamples.

All except the percentiles are on the scale for the range of the measure (logit, log, ...), whose bounds stay
within the range; where values are at an end of the range, on the untransformed scale, with bounds clipped.
Source: Efron and Tibshirani (1993), chapters 12 to 14; Davison and Hinkley (1997), chapter 5.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import isfinite
from statistics import NormalDist

import numpy as np

from ...input.messages import Note, joined
from ...input.names import listed
from ..intervals.kinds import ROUNDING
from ..intervals.scale import Scale
from ..results import Interval, no_interval
from .percentiles import deviation

FEWEST_BEYOND = 5  # resamples required beyond either end
MOST_UNDEFINED = 0.5  # proportion of resamples
# of resamples, and above: a bias of a quarter of the standard error (Efron and Tibshirani, section 10.3)
LEAST_BELOW = 0.4
SAME = Note("resamples-alike")
NEARLY_THE_SAME = Note("resamples-nearly-alike")
OUTSIDE = Note("value-outside")
LEAST = 1e-12  # smallest tail probability with a finite normal quantile on either side
NORMAL = NormalDist()


@dataclass(frozen=True, slots=True)
class Replicates:
    """A measure and its values in resamples.

    value: for the cases; values: in resamples, NaN where undefined; ends: its range; level: of the interval;
    skewness: of the sum of its influence values (BCa), 0 where these are unknown; error, errors: its standard
    error for the cases, and in each resample, NaN where unknown (studentised); clusters: the effective number
    of clusters, if these are drawn instead of cases.
    """

    value: float
    values: np.ndarray
    ends: tuple[float, float]
    level: float
    skewness: float = 0.0
    error: float = float("nan")
    errors: np.ndarray | None = None
    clusters: float = np.inf

    @property
    def tails(self) -> np.ndarray:
        """The probabilities below the two bounds.

        With few clusters they are further out, to allow for Student's t and for the variance of resamples,
        which is too small by (k - 1) / k for k clusters: Hesterberg (2015), The American Statistician 69,
        section 4.5.1.
        """
        outer = (1 - self.level) / 2
        if self.clusters < np.inf:
            outer = max(_expanded(outer, self.clusters), LEAST)
        return np.array([outer, 1 - outer])

    @property
    def below(self) -> float:
        """The proportion of resamples below the value, ties counting half.

        Sums in another order, which differ in the last digit, are ties.
        """
        same = np.abs(self.values - self.value) <= ROUNDING * max(1.0, abs(self.value))
        return float(np.mean((self.values < self.value) & ~same) + np.mean(same) / 2)

    def scaled(self, values: np.ndarray) -> tuple[Scale, np.ndarray]:
        """Values on a scale on which all of them, and the value itself, are finite."""
        for ends in (self.ends, (-np.inf, np.inf)):
            scale = Scale(ends)
            with np.errstate(divide="ignore", invalid="ignore"):
                found = scale.to(values)
                if np.isfinite(found).all() and isfinite(float(scale.to(self.value))):
                    break
        return scale, found


@listed(
    "interval",
    "tm.bootstrap(...).interval(..., method='percentile')",
    aka=("percentile_bootstrap", "bootstrap_percentile"),
    command="tallymark bootstrap --method percentile",
)
def percentile(s: Replicates) -> tuple[float, float]:
    """The middle of the resamples.

    Source: Berrar, Def. 38, there with retraining; Efron and Tibshirani, section 13.3.
    """
    low, high = np.quantile(s.values, s.tails)
    return float(low), float(high)


@listed(
    "interval",
    "tm.bootstrap(...).interval(..., method='basic')",
    aka=("basic_bootstrap", "pivotal_bootstrap", "reverse_percentile"),
    command="tallymark bootstrap --method basic",
)
def basic(s: Replicates) -> tuple[float, float]:
    """The value less the errors of the resamples, which corrects for their bias.

    Source: Davison and Hinkley, Eq. 5.6.
    """
    scale, values = s.scaled(s.values)
    high, low = np.quantile(values, s.tails)
    centre = float(scale.to(s.value))
    return scale.back(2 * centre - low), scale.back(2 * centre - high)


@listed(
    "interval",
    "tm.bootstrap(...).interval(..., method='bca')",
    aka=("bca_bootstrap", "bias_corrected_and_accelerated"),
    command="tallymark bootstrap --method bca",
)
def bca(s: Replicates) -> tuple[float, float]:
    """Percentiles corrected for bias and acceleration.

    The bias is the proportion of resamples below the value, ties counting half; the acceleration, the rate at
    which the standard error changes with the value, is a sixth of the skewness of the influence values.
    Source: Efron (1987); Efron and Tibshirani, Eqs. 14.9 to 14.15.
    """
    if not 0 < s.below < 1:
        return float("nan"), float("nan")
    bias, acceleration = NORMAL.inv_cdf(s.below), s.skewness / 6
    moved = [
        bias + z / max(1 - acceleration * z, ROUNDING)
        for z in (bias + NORMAL.inv_cdf(tail) for tail in s.tails)
    ]
    low, high = np.quantile(s.values, [NORMAL.cdf(z) for z in moved])
    return float(low), float(high)


@listed(
    "interval",
    "tm.bootstrap(...).interval(..., method='studentised')",
    aka=("bootstrap_t", "studentised_bootstrap"),
    command="tallymark bootstrap --method studentised",
)
def studentised(s: Replicates) -> tuple[float, float]:
    """The value less quantiles of (resampled - value) / its own standard error, times the standard error.

    Source: Efron and Tibshirani, section 12.5.
    """
    assert s.errors is not None
    scale, values = s.scaled(s.values)
    centre = float(scale.to(s.value))
    with np.errstate(divide="ignore", invalid="ignore"):
        t = (values - centre) / (s.errors * scale.slope(s.values))
    t = t[~np.isnan(t)]  # infinite for a resample that differs and has no spread
    if len(t) < len(values) * (1 - MOST_UNDEFINED):
        return float("nan"), float("nan")
    with np.errstate(invalid="ignore"):
        high, low = np.quantile(t, s.tails)
    error = s.error * scale.slope(s.value)
    return scale.back(centre - low * error), scale.back(centre - high * error)


METHODS: dict[str, Callable[[Replicates], tuple[float, float]]] = {
    "percentile": percentile,
    "basic": basic,
    "bca": bca,
    "studentised": studentised,
}


def interval(s: Replicates, method: str) -> Interval:
    """The interval by the method of that name, or none with the reason."""
    known, notes = s.values[~np.isnan(s.values)], _lost(s.values)
    endless = np.isinf(known)
    if len(known) < 2 or len(known) < (1 - MOST_UNDEFINED) * len(s.values) or endless.mean() > s.tails[0] / 2:
        return no_interval(joined(*notes) or Note("too-few-resamples"))
    if endless.any():  # so few that they lie beyond the bounds, where only their ranks matter
        known = np.clip(known, known[~endless].min(), known[~endless].max())
    if np.ptp(known) <= ROUNDING * max(1.0, abs(s.value)):
        return no_interval(SAME)
    errors = None if s.errors is None else s.errors[~np.isnan(s.values)]
    used = Replicates(s.value, known, s.ends, s.level, s.skewness, s.error, errors, s.clusters)
    low, high = METHODS[method](used)
    if not (isfinite(low) and isfinite(high)):
        return no_interval(OUTSIDE if method == "bca" else Note("errors-of-resamples-unknown"))
    low, high = (min(max(bound, s.ends[0]), s.ends[1]) for bound in (low, high))
    if not high - low > ROUNDING * max(1.0, abs(s.value)):
        return no_interval(joined(NEARLY_THE_SAME, *notes))
    if not LEAST_BELOW <= used.below <= 1 - LEAST_BELOW:
        notes.append(Note("resamples-lopsided", below=used.below))
    beyond = s.tails[0] * len(known)
    if beyond < FEWEST_BEYOND:
        notes.append(Note("few-resamples-beyond", resamples=len(known), beyond=beyond))
    if not low <= s.value <= high:
        notes.append(Note("resamples-biased"))
    return Interval(low, high, f"bootstrap-{method}", joined(*notes), deviation(s.values))


def _expanded(outer: float, clusters: float) -> float:
    from scipy.special import ndtr, stdtrit

    number = max(clusters, 2.0)
    df = number - 1
    return float(ndtr(stdtrit(df, outer) * np.sqrt(number / df)))


def _lost(values: np.ndarray) -> list[Note]:
    counted = {"undefined": np.isnan(values).sum(), "infinite": np.isinf(values).sum()}
    return [
        Note("resamples-lost", what=what, lost=int(lost), resamples=len(values))
        for what, lost in counted.items()
        if lost
    ]
