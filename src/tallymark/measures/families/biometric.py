"""Verification: positives are mated comparisons, of one person, and negatives non-mated ones.

The terms are those of ISO/IEC 19795-1: the false match rate (FMR) is the false positive rate, the false
non-match rate (FNMR) the false negative rate.
"""

from typing import Any

import numpy as np

from ...summaries import RankingTable
from ...summaries.passes import missing_information
from ..registry import measure, ratio, within
from . import areas
from .rates import false_negative_rate, false_positive_rate

SHARE = (0.0, 1.0)
ROUNDING = 1e-12  # of a share of all pairs
COSTS = {"prior": SHARE, "cost_miss": (0.0, np.inf), "cost_fa": (0.0, np.inf)}


def _crossing(fmr: np.ndarray, fnmr: np.ndarray) -> Any:
    """The error rate at which both rates are equal, on straight lines between the points."""
    if fmr.shape[-1] < 2:
        return np.nan
    ahead = fmr - fnmr  # rises from -1 to 1
    after = np.maximum(np.argmax(ahead >= 0, axis=-1), 1)[..., None]
    before = after - 1
    (f0, f1), (a0, a1) = (
        [np.take_along_axis(rate, i, -1)[..., 0] for i in (before, after)] for rate in (fmr, ahead)
    )
    return within(areas.plain(f0 - a0 * ratio(f1 - f0, a1 - a0)), 0.0, 1.0)


@measure(
    aka=("eer", "crossover_error_rate"),
    best=0.0,
    interval="crossing",
    terms=("two_instance_problem",),
    bounds="roc",
)
def equal_error_rate(t: RankingTable) -> Any:
    """Error rate at which both error rates are equal, by linear interpolation between thresholds.

    fmr = fnmr, interpolated between the two nearest thresholds

    Undefined: no positives (positives = 0), or no negatives (negatives = 0).
    Source: Tharwat, section 6; ISO/IEC 19795-1.
    Differs: bob.measure gives equal_error_rate_nearest, PYLLR equal_error_rate_hull, pyeer the mean of both
    rates at a threshold.
    Bounds: a higher ROC curve of straight lines crosses the line fnmr = fmr further up.
    """
    counts = t.sweep()
    return _crossing(false_positive_rate(counts), false_negative_rate(counts))


@measure(best=0.0, interval="crossing")
def equal_error_rate_nearest(t: RankingTable) -> Any:
    """Mean of both error rates at the threshold where they differ least, the highest of several such.

    (fmr + fnmr) / 2 at the threshold of the smallest |fmr - fnmr|

    Undefined: no positives (positives = 0), or no negatives (negatives = 0).
    Source: bob.measure.
    Bounds: none, since it jumps from one threshold to another.
    """
    counts = t.sweep()
    # as numbers of pairs, which are exact for whole weights: rounded rates would break ties at random
    apart = np.abs(counts.fp * areas.column(t.positives * 1.0) - counts.fn * areas.column(t.negatives * 1.0))
    close = apart <= apart.min(-1, keepdims=True) + ROUNDING * areas.column(t.positives * 1.0 * t.negatives)
    nearest = np.argmax(close, axis=-1)[..., None]
    both = np.take_along_axis(false_positive_rate(counts) + false_negative_rate(counts), nearest, -1)[..., 0]
    return areas.defined(both / 2, t.positives, t.negatives)


@measure(
    range=(0.0, 0.5),
    best=0.0,
    interval="largest",
    needs=areas.OF_HULL,
    bounds="roc",
)
def equal_error_rate_hull(t: RankingTable) -> Any:
    """Error rate at which both error rates are equal, on the convex hull of the ROC curve.

    fmr = fnmr on the hull; never above 1/2

    A mixture of two thresholds reaches it.

    Undefined: no positives (positives = 0), or no negatives (negatives = 0).
    Source: Bruemmer and de Villiers (2013), The BOSARIS Toolkit.
    Bounds: a larger hull crosses the line fnmr = fmr further up.
    """
    return within(_crossing(false_positive_rate(t.corners), false_negative_rate(t.corners)), 0.0, 0.5)


@measure(
    aka=("decidability_index", "daugman_d_prime"),
    range=(0.0, np.inf),
    best=np.inf,
    interval="distance-of-means",
)
def decidability(t: RankingTable) -> Any:
    """Distance of the mean scores of both classes, in standard deviations of the scores within a class.

    |mean of the positives - mean of the negatives| / sqrt((variance of the positives + variance of the
    negatives) / 2)

    It depends on the scale of the scores; `d_prime` on their order alone. Both agree for many cases with
    normal scores.

    Undefined: no positives (positives = 0), or no negatives (negatives = 0), scores that do not differ or are
    infinite (range_of_scores = 0).
    Source: Daugman (2000), Biometric decision landscapes, University of Cambridge, TR482.
    """
    if not t.range_of_scores:
        return areas.plain(np.full(np.shape(t.positives), np.nan))
    half = t.score.astype(float) / 2  # the range may be beyond all floats
    place = (half - half[-1]) / t.range_of_scores
    (high, above), (low, below) = (_mean_and_variance(place, part) for part in (t.positive, t.negative))
    return ratio(areas.plain(np.abs(high - low)), areas.plain(np.sqrt((above + below) / 2)))


def _mean_and_variance(place: np.ndarray, weight: np.ndarray) -> tuple[Any, Any]:
    """Of places in [0, 1]. A variance that rounding of the mean explains is 0."""
    mean = ratio(areas.total(weight * place), areas.total(weight * 1.0))
    variance = ratio(areas.total(weight * (place - areas.column(mean)) ** 2), areas.total(weight * 1.0))
    return mean, np.where(np.less(variance, ROUNDING**2), 0.0, variance)


@measure(
    aka=("frr_at_far",),
    best=0.0,
    interval="at-a-threshold",
    limits={"fmr": SHARE},
    effective_n=lambda t, fmr: fmr * t.negatives,
    terms=(
        "zerofmr",
        "fmr100",
        "fmr1000",
    ),
    bounds="roc",
)
def fnmr_at_fmr(t: RankingTable, *, fmr: float = 0.001) -> Any:
    """Smallest false non-match rate over the thresholds with at most the given false match rate.

    min over the thresholds with fmr <= the given one of fnmr

    fmr: the highest false match rate that is accepted.

    Undefined: no positives (positives = 0), or no negatives (negatives = 0).
    Source: ISO/IEC 19795-1.
    Bounds: at every threshold neither rate rises where a positive scores higher or a negative lower.
    """
    return areas.best_at(
        t, false_negative_rate, false_positive_rate, fmr, t.positives, t.negatives, lowest=True
    )


@measure(
    aka=("far_at_frr",),
    best=0.0,
    interval="at-a-threshold",
    limits={"fnmr": SHARE},
    effective_n=lambda t, fnmr: fnmr * t.positives,
    bounds="roc",
)
def fmr_at_fnmr(t: RankingTable, *, fnmr: float = 0.01) -> Any:
    """Smallest false match rate over the thresholds with at most the given false non-match rate.

    min over the thresholds with fnmr <= the given one of fmr

    fnmr: the highest false non-match rate that is accepted.

    Undefined: no positives (positives = 0), or no negatives (negatives = 0).
    Source: ISO/IEC 19795-1.
    Bounds: as for fnmr_at_fmr.
    """
    return areas.best_at(
        t, false_positive_rate, false_negative_rate, fnmr, t.positives, t.negatives, lowest=True
    )


def _decisive(t: RankingTable, prior: float, cost_miss: float, cost_fa: float) -> float:
    """A tenth of the number of rarer mistakes that cost as much as all mistakes of the other kind.

    A tenth, since the smallest cost depends on the few mistakes at one threshold, and is far too low if they
    are few.
    """
    odds = ratio(cost_miss * prior, cost_fa * (1 - prior))
    return min(t.negatives * odds, ratio(t.positives * 1.0, odds)) / 10 if odds else 0.0


@measure(
    range=(0.0, np.inf),
    best=0.0,
    interval="largest",
    limits=COSTS,
    effective_n=_decisive,
    bounds="roc",
)
def min_dcf(t: RankingTable, *, prior: float = 0.01, cost_miss: float = 1.0, cost_fa: float = 1.0) -> Any:
    """Smallest detection cost over the thresholds.

    min over the thresholds of cost_miss * prior * fnmr + cost_fa * (1 - prior) * fmr

    prior: the proportion of mated comparisons where the system will be used; cost_miss, cost_fa: of a false
    non-match and of a false match. At a threshold of your own the same cost (Cdet; actDCF at the threshold
    that the costs imply) is `expected_cost` at this prevalence.

    Undefined: no positives (positives = 0), or no negatives (negatives = 0).
    Source: Doddington et al. (2000), Speech Communication 31, 225-254.
    Bounds: at every threshold neither rate rises where a positive scores higher or a negative lower.
    """
    counts = t.sweep()
    cost = cost_miss * prior * false_negative_rate(counts) + cost_fa * (1 - prior) * false_positive_rate(
        counts
    )
    return areas.plain(cost.min(-1))


@measure(
    best=0.0,
    interval="largest",
    limits=COSTS | {"prior": (1e-9, 1 - 1e-9), "cost_miss": (1e-9, 1e9), "cost_fa": (1e-9, 1e9)},
    effective_n=_decisive,
    bounds="roc",
)
def min_dcf_normalised(
    t: RankingTable, *, prior: float = 0.01, cost_miss: float = 1.0, cost_fa: float = 1.0
) -> Any:
    """Smallest detection cost over the thresholds, divided by that of the best constant decision.

    min_dcf / min(cost_miss * prior, cost_fa * (1 - prior))

    prior: the proportion of mated comparisons where the system will be used; cost_miss, cost_fa: of a false
    non-match and of a false match. The constant decisions are to accept and to refuse every comparison.

    Undefined: no positives (positives = 0), or no negatives (negatives = 0).
    Source: NIST Speaker Recognition Evaluation plans, since 2008.
    """
    blind = min(cost_miss * prior, cost_fa * (1 - prior))
    return within(min_dcf(t, prior=prior, cost_miss=cost_miss, cost_fa=cost_fa) / blind, 0.0, 1.0)


def _mean(weight: np.ndarray, surprise: np.ndarray, total: Any) -> Any:
    """The mean surprise in bits; that of a case of weight 0 may be infinite."""
    there = weight > 0
    with np.errstate(over="ignore"):
        lacking = np.where(there, weight, 0.0) * np.where(there, surprise, 0.0)
        return ratio(areas.total(lacking) / np.log(2), total * 1.0)


@measure(
    range=(0.0, np.inf),
    best=None,
    better="lower",
    interval="mean-of-prior",
    loss=missing_information,
    scores="llr",
    bounds="roc",
)
def cllr(t: RankingTable) -> Any:
    """Cost of log-likelihood ratios: the mean information in bits that the scores lack.

    (mean over the positives of log2(1 + exp(-s)) + mean over the negatives of log2(1 + exp(s))) / 2

    Scores are natural logarithms of likelihood ratios, positive over negative. The value is 1 if all of them
    are 0.

    Undefined: no positives (positives = 0), or no negatives (negatives = 0).
    Source: Bruemmer and du Preez (2006), Computer Speech and Language 20, 230-275.
    Differs: lir takes logarithms to base 10.
    Bounds: the loss of each case falls with its score if it is positive, and rises if it is negative.
    """
    return areas.defined(areas.mean_loss(t, missing_information), t.positives, t.negatives)


@measure(
    best=0.0,
    interval="largest",
    needs=areas.OF_HULL,
    bounds="roc",
)
def min_cllr(t: RankingTable) -> Any:
    """Cost of log-likelihood ratios after the best monotone calibration of the scores.

    cllr of the scores that isotonic regression turns into likelihood ratios

    It is the part of the cost that is due to the ranking.

    Undefined: no positives (positives = 0), or no negatives (negatives = 0).
    Source: Bruemmer and du Preez (2006), Computer Speech and Language 20, 230-275.
    Bounds: where a positive scores higher or a negative lower, the best calibration before costs no more
    than before, and the best one now no more than that.
    """
    positive, negative = -np.diff(false_negative_rate(t.corners)), np.diff(false_positive_rate(t.corners))
    both = ((positive, negative), (negative, positive))
    with np.errstate(over="ignore"):  # where the quotient is beyond all floats
        surprises = [np.log1p(other / np.where(here > 0, here, 1.0)) for here, other in both]
    bits = (
        _mean(here, surprise, np.ones(here.shape[:-1]))
        for (here, _), surprise in zip(both, surprises, strict=True)
    )
    return areas.defined(within(sum(bits) / 2, 0.0, 1.0), t.positives, t.negatives)
