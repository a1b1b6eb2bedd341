"""Whether events happen as often as the probabilities say: errors over bins, and a logistic line through the
logits."""

from typing import Any

import numpy as np

from ...summaries import RankingTable
from ..headline import Headline
from ..interval_spec import IntervalSpec, fisher
from ..registry import measure, ratio
from . import areas
from .bins import MOST, Bins, of_equal_mass, of_equal_width
from .logistic import level, line, standard_error

BINS = {"bins": (1.0, float(MOST))}
REAL = (-np.inf, np.inf)


def mean_gap(b: Bins) -> Any:
    """Mean over the cases of the distance in their bin."""
    return ratio(areas.total(np.abs(b.excess)), areas.total(b.weight))


def largest_gap(b: Bins) -> Any:
    """The largest distance in a bin."""
    return areas.defined(np.abs(b.gap).max(axis=-1), areas.total(b.weight))


def root_mean_square_gap(b: Bins) -> Any:
    """Root of the mean over the cases of the squared distance in their bin."""
    return areas.plain(np.sqrt(ratio(areas.total(b.excess * b.gap), areas.total(b.weight))))


def _debiased_gap(b: Bins) -> Any:
    """Twice the mean distance, less what it would be on average if the shares of positives varied once more
    as they do."""
    from scipy.special import ndtr

    gap, spread = np.abs(b.gap), np.sqrt(b.variance)
    with np.errstate(divide="ignore", invalid="ignore"):
        z = np.where(spread > 0, gap / spread, np.inf)
    again = gap * (1 - 2 * ndtr(-z)) + spread * np.sqrt(2 / np.pi) * np.exp(-(np.minimum(z, 1e3) ** 2) / 2)
    return np.maximum(ratio(areas.total((2 * gap - again) * b.weight), areas.total(b.weight)), 0.0)


def _debiased_square(b: Bins) -> Any:
    """The mean square, less the variance of the shares of positives as estimated from within the bins."""
    with np.errstate(divide="ignore", invalid="ignore"):
        variance = np.where(b.weight > 1, b.variance * b.weight / (b.weight - 1), 0.0)
    return ratio(areas.total((b.gap**2 - variance) * b.weight), areas.total(b.weight))


def _debiased_root(b: Bins) -> Any:
    return areas.plain(np.sqrt(np.maximum(_debiased_square(b), 0.0)))


@measure(
    aka=("ece", "mean_calibration_error"),
    best=0.0,
    interval=IntervalSpec("bins", (mean_gap,)),
    limits=BINS,
    scores="probability",
)
def expected_calibration_error(t: RankingTable, *, bins: int = 10) -> Any:
    """Mean distance between the probabilities and how often positives occur, in bins of equal width.

    sum over the bins of share of the cases * |share of positives - mean probability|

    bins: (0, 1/bins], (1/bins, 2/bins], ..., the first with 0. Even perfect probabilities have an error above
    0 in a sample.

    Undefined: no cases (positives + negatives = 0).
    Source: Naeini, Cooper and Hauskrecht (2015), for the positive class; Murphy and Winkler (1977).
    Differs: most tools look at the winning class alone, as top_label_ece does; torchmetrics and netcal do so
    for more than two classes, and put a bin's lower edge into it.
    """
    return mean_gap(of_equal_width(t, bins))


@measure(
    aka=("ace",),
    best=0.0,
    interval=IntervalSpec("bins-of-equal-mass", (mean_gap,)),
    limits=BINS,
    scores="probability",
)
def adaptive_calibration_error(t: RankingTable, *, bins: int = 10) -> Any:
    """Mean distance between the probabilities and how often positives occur, in bins of as many cases each.

    sum over the bins of share of the cases * |share of positives - mean probability|

    bins: how many, between quantiles of type 7; a bin holds its upper edge. Cases of one probability stay
    together, so that bins may differ in size. Quantiles depend on the number of cases; weights that are not
    whole do not show it, and have type 1.

    Undefined: no cases (positives + negatives = 0).
    Source: Nixon et al. (2019), Measuring Calibration in Deep Learning; Hyndman and Fan (1996) on quantiles.
    Differs: netcal's bins between quantiles hold their lower edge; uncertainty-calibration gives the first
    bins one case more.
    """
    return mean_gap(of_equal_mass(t, bins))


@measure(
    aka=("mce",), best=0.0, interval=IntervalSpec("bins", (largest_gap,)), limits=BINS, scores="probability"
)
def maximum_calibration_error(t: RankingTable, *, bins: int = 10) -> Any:
    """Largest distance between the probabilities and how often positives occur, of all bins of equal width.

    max over the bins of |share of positives - mean probability|

    bins: how many. A bin of a single case counts like one of a thousand.

    Undefined: no cases (positives + negatives = 0).
    Source: Naeini, Cooper and Hauskrecht (2015).
    """
    return largest_gap(of_equal_width(t, bins))


@measure(
    aka=("rmsce", "root_mean_squared_calibration_error"),
    best=0.0,
    interval=IntervalSpec("bins", (root_mean_square_gap,)),
    limits=BINS,
    scores="probability",
)
def rms_calibration_error(t: RankingTable, *, bins: int = 10) -> Any:
    """Root mean squared distance between the probabilities and how often positives occur, in bins of equal
    width.

    sqrt(sum over the bins of share of the cases * (share of positives - mean probability)^2)

    bins: how many.

    Undefined: no cases (positives + negatives = 0).
    Source: Nguyen and O'Connor (2015); its square is brier_reliability.
    """
    return root_mean_square_gap(of_equal_width(t, bins))


@measure(
    aka=("debiased_calibration_error", "bias_corrected_calibration_error"),
    best=0.0,
    interval=IntervalSpec("bins", (mean_gap, _debiased_gap)),
    limits=BINS,
    scores="probability",
)
def debiased_ece(t: RankingTable, *, bins: int = 10) -> Any:
    """Expected calibration error less what chance adds to it, not below 0.

    2 * ece - the mean ece if the share of positives in each bin varied once more by its standard error

    bins: how many. The standard error needs the number of cases in each bin. It depends on the number of
    cases.

    Undefined: no cases (positives + negatives = 0).
    Source: Kumar, Liang and Ma (2019), whose mean is simulated where this one is worked out.
    """
    return _debiased_gap(of_equal_width(t, bins))


@measure(
    aka=("debiased_root_mean_squared_calibration_error",),
    best=0.0,
    interval=IntervalSpec("bins", (root_mean_square_gap, _debiased_root)),
    limits=BINS,
    scores="probability",
)
def debiased_rmsce(t: RankingTable, *, bins: int = 10) -> Any:
    """Root mean squared calibration error less what chance adds to its square, not below 0.

    sqrt(sum over the bins of share * (gap^2 - r (1 - r) / (n - 1))), where r is the share of positives of the
    n cases

    bins: how many. It depends on the number of cases. Of a bin of a single case nothing can be taken off.

    Undefined: no cases (positives + negatives = 0).
    Source: Kumar, Liang and Ma (2019); Broecker (2012).
    """
    return _debiased_root(of_equal_width(t, bins))


@measure(
    range=REAL,
    best=None,
    interval=fisher(standard_error),
    scores="probability",
    headline=Headline(140, "Calibration slope", ("in the large", "calibration_in_the_large")),
)
def calibration_slope(t: RankingTable) -> Any:
    """Slope of the logistic regression of what was true on the logit of the probability: 1 where they are as
    spread as they should.

    b of logit P(y = 1) = a + b logit p

    Below 1 the probabilities are too extreme, above 1 too timid. Cases with a probability of 0 or 1, whose
    logits are infinite, are left out.

    Undefined: one class, one probability, or classes that do not overlap, between 0 and 1 (logit_overlap =
    0). Source: Cox (1958); Van Calster et al. (2019).
    """
    return line(t).slope


@measure(range=REAL, best=None, interval=fisher(standard_error), scores="probability")
def calibration_intercept(t: RankingTable) -> Any:
    """Intercept of the logistic regression of what was true on the logit of the probability.

    a of logit P(y = 1) = a + b logit p

    Read it together with the slope; calibration_in_the_large holds the slope at 1. Cases with a probability
    of 0 or 1 are left out.

    Undefined: one class, one probability, or classes that do not overlap, between 0 and 1 (logit_overlap =
    0). Source: Cox (1958); rms::val.prob in R calls it Intercept.
    """
    return line(t).intercept


@measure(
    aka=("calibration_offset",),
    range=REAL,
    best=None,
    interval=IntervalSpec("level", (standard_error,)),
    scores="probability",
)
def calibration_in_the_large(t: RankingTable) -> Any:
    """How far the logits of all probabilities are too low together: 0 where as many positives occur as they
    add up to.

    a of logit P(y = 1) = a + logit p

    Cases with a probability of 0 or 1 are left out.

    Undefined: no positives with a probability between 0 and 1 (logit_positives = 0), or no such negatives
    (logit_negatives = 0). Source: Cox (1958); Van Calster et al. (2019).
    """
    return level(t)
