"""How well predicted probabilities agree with observed frequencies, by bins and by logistic regression."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ... import kernels
from ...summaries import BinnedTable, RankingTable
from ...summaries.passes import LOGITS, STEEPEST, FiniteLogits, finite_logits, points_of, predicted
from ...summaries.ranking import sigmoid
from ..registry import IntervalSpec, Leading, Needs, measure, ratio
from . import areas
from .bins import BY_MASS, BY_WIDTH, MOST, Bins, of_equal_mass, of_equal_width

STEPS, HALVINGS = 200, 40
BEYOND = 1_000.0  # distance from the extreme logits at which every probability is 0 or 1
CLOSE, NEARLY = 1e-13, 1e-6  # the step at which the search ends; the step above which it failed


Curvature = tuple[Any, Any, Any]  # in a, in both, in b
Slopes = tuple[tuple[Any, Any], Curvature]

OF_LOGITS = Needs((LOGITS,))
LARGEST = 1e100  # whose square does not overflow


class Line(NamedTuple):
    """Intercept and slope of the regression on the logit."""

    intercept: Any
    slope: Any


def line(t: RankingTable) -> Line:
    """The maximum likelihood line; NaN where the classes do not overlap, so that there is none."""
    if "line" not in t.kept:
        t.kept["line"] = _line(t)
    return t.kept["line"]


def _line(t: RankingTable) -> Line:
    there, points = areas.plain(np.where(t.logit_overlap > 0, 0.0, np.nan)), points_of(t)
    if points is not None:
        result = _line_of(points, there)
        if abs(result.slope) <= STEEPEST:
            return result
    return _line_of(finite_logits(t), there)


def _line_of(logits: FiniteLogits, there: Any) -> Line:
    """there: 0 where there is a line, else NaN."""
    if not np.size(logits.x):
        return Line(there + np.nan, there + np.nan)
    centre, unit = float(logits.x.mean()), _spread(logits.x) or 1.0
    a, b = _most_likely((logits.x - centre) / unit, logits.positive, logits.total)
    return Line(*(areas.plain(part) + there for part in (a - b * centre / unit, b / unit)))


def _spread(x: np.ndarray) -> float:
    """The standard deviation, also of numbers whose squares overflow."""
    largest = float(np.abs(x).max())
    return largest * float((x / largest).std()) if largest > LARGEST else float(x.std())


def _most_likely(z: np.ndarray, positive: np.ndarray, total: np.ndarray) -> tuple[Any, Any]:
    """a and b at the maximum of the likelihood; NaN where it was not found."""
    rate = _start(positive, total)
    a, b = np.log(rate) - np.log1p(-rate), np.zeros_like(rate)
    here = _slopes(a, b, z, positive, total)
    for _ in range(STEPS):
        da, db = _solved(*here)
        a, b, here, size = _stepped((a, b), (da, db), here, (z, positive, total))
        if not (size > CLOSE * (1 + np.abs(a) + np.abs(b))).any():
            break
    missed = np.where(size > NEARLY * (1 + np.abs(a) + np.abs(b)), np.nan, 0.0)
    return a + missed, b + missed


def _stepped(
    at: tuple[Any, Any], step: tuple[Any, Any], here: Slopes, cases: tuple[np.ndarray, np.ndarray, np.ndarray]
) -> tuple[Any, Any, Slopes, Any]:
    """A Newton step, halved while the likelihood falls there as steeply as it rose at the start."""
    (a, b), (da, db), ((u, v), _) = at, step, here
    rise = u * da + v * db
    for _ in range(HALVINGS):
        (u, v), _ = there = _slopes(a + da, b + db, *cases)
        too_far = u * da + v * db < -np.abs(rise)
        if not too_far.any():
            break
        da, db, rise = (np.where(too_far, part / 2, part) for part in (da, db, rise))
    return a + da, b + db, there, np.maximum(np.abs(da), np.abs(db))


def level(t: RankingTable) -> Any:
    """The maximum likelihood estimate of a shift of all logits."""
    if "level" not in t.kept:
        t.kept["level"] = _level(t)
    return t.kept["level"]


def _level(t: RankingTable) -> Any:
    logits = _points_or_all(t)
    x, total, wanted = logits.x, logits.total, logits.positive.sum(-1)
    there = np.where((t.logit_positives > 0) & (t.logit_negatives > 0), 0.0, np.nan)
    ends = (-float(x.max()) - BEYOND, -float(x.min()) + BEYOND) if len(x) else (-BEYOND, BEYOND)
    low, high = (np.full(wanted.shape, end) for end in ends)
    a = np.clip(np.zeros(wanted.shape), low, high)
    for _ in range(STEPS):
        p = sigmoid(areas.column(a) + x) if a.ndim else sigmoid(a + x)
        missing, known = wanted - (total * p).sum(-1), (total * p * (1 - p)).sum(-1)
        low, high = np.where(missing > 0, a, low), np.where(missing > 0, high, a)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            newton = a + missing / known
        new = np.where((newton >= low) & (newton <= high), newton, (low + high) / 2)
        moved, a = np.abs(new - a), new
        if not (moved > CLOSE * (1 + np.abs(a))).any():
            break
    return areas.plain(a + there)


def influence_at(logits: FiniteLogits, t: RankingTable, name: str) -> np.ndarray:
    """The influence of a positive and of a negative at each of these logits on a calibration measure.

    name: calibration_slope, calibration_intercept or calibration_in_the_large. The values, of shape (2,
    logits) and per unit of weight, are the inverse curvature times the score function; NaN if the likelihood
    is flat.
    Source: Huber (1967); White (1982).
    """
    x, total = logits.x, logits.total
    if name == "calibration_in_the_large":
        slopes, p = np.ones((1, len(x))), sigmoid(level(t) + x)
    else:
        found = line(t)
        slopes, p = np.stack([np.ones_like(x), x]), sigmoid(found.intercept + found.slope * x)
    with np.errstate(all="ignore"):
        try:
            inverse = np.linalg.inv(np.einsum("in,jn,n->ij", slopes, slopes, total * p * (1 - p)))
        except np.linalg.LinAlgError:
            return np.full((2, len(x)), np.nan)
        row = np.einsum("j,jn->n", inverse[-1 if name == "calibration_slope" else 0], slopes)
        values: np.ndarray = np.stack([row * (1 - p), -row * p])
    return values


def _points_or_all(t: RankingTable) -> FiniteLogits:
    """The points of a large table, for shifts of the logits; all finite logits of others."""
    points = points_of(t)
    return finite_logits(t) if points is None else points


def _start(positive: np.ndarray, total: np.ndarray) -> np.ndarray:
    with np.errstate(invalid="ignore"):
        rate = np.asarray(positive.sum(-1) / total.sum(-1))
    return np.where((rate > 0) & (rate < 1), rate, 0.5)


def _slopes(a: Any, b: Any, z: np.ndarray, positive: np.ndarray, total: np.ndarray) -> Slopes:
    """The slopes of the log-likelihood in a and in b, and its curvature."""
    p = sigmoid(np.asarray(a)[..., None] + np.asarray(b)[..., None] * z)
    rest, spread = positive - total * p, total * p * (1 - p)
    return (rest.sum(-1), _times(rest, z)), (spread.sum(-1), _times(spread, z), _times(spread, z * z))


def _times(values: np.ndarray, z: np.ndarray) -> Any:
    return np.einsum("...i,i->...", values, z)  # independent of the BLAS


def _solved(slopes: tuple[Any, Any], curvature: Curvature) -> tuple[Any, Any]:
    (u, v), (aa, ab, bb) = slopes, curvature
    with np.errstate(divide="ignore", invalid="ignore"):
        known = aa * bb - ab * ab
        da, db = (bb * u - ab * v) / known, (aa * v - ab * u) / known
    return np.nan_to_num(da, nan=0.0, posinf=0.0, neginf=0.0), np.nan_to_num(
        db, nan=0.0, posinf=0.0, neginf=0.0
    )


BINS = {"bins": (1.0, float(MOST))}
REAL = (-np.inf, np.inf)


def mean_gap(b: Bins) -> Any:
    """The mean over the cases of the calibration gap of their bin."""
    return ratio(areas.total(np.abs(b.excess)), areas.total(b.weight))


def largest_gap(b: Bins) -> Any:
    """The largest calibration gap of a bin."""
    return areas.defined(np.abs(b.gap).max(axis=-1), areas.total(b.weight))


def root_mean_square_gap(b: Bins) -> Any:
    """The root of the mean over the cases of the squared calibration gap of their bin."""
    return areas.plain(np.sqrt(ratio(areas.total(b.excess * b.gap), areas.total(b.weight))))


def _debiased_gap(b: Bins) -> Any:
    """Twice the mean gap, minus its mean if the proportions varied once more by their standard errors."""
    gap, spread = np.abs(b.gap), np.sqrt(b.variance)
    with np.errstate(divide="ignore", invalid="ignore"):
        z = np.where(spread > 0, gap / spread, np.inf)
    again = gap * (1 - 2 * kernels.normal_cdf(-z)) + spread * np.sqrt(2 / np.pi) * np.exp(
        -(np.minimum(z, 1e3) ** 2) / 2
    )
    return np.maximum(ratio(areas.total((2 * gap - again) * b.weight), areas.total(b.weight)), 0.0)


def _debiased_square(b: Bins) -> Any:
    """The mean squared gap, minus the variance of the proportions of positives within the bins."""
    return ratio(areas.total((b.gap**2 - b.unbiased_variance) * b.weight), areas.total(b.weight))


def _debiased_root(b: Bins) -> Any:
    return areas.plain(np.sqrt(np.maximum(_debiased_square(b), 0.0)))


@measure(
    aka=("ece", "mean_calibration_error"),
    best=0.0,
    interval=IntervalSpec("bins", (mean_gap,)),
    limits=BINS,
    scores="probability",
    headline=Leading(None, "ECE"),
    needs=BY_WIDTH,
    terms=("calibration_error",),
)
def expected_calibration_error(t: RankingTable, *, bins: int = 10) -> Any:
    """Mean absolute difference of mean predicted probability and proportion of positives, over the bins.

    sum over the bins of proportion of the cases * |proportion of positives - mean probability|

    bins: the number of bins of equal width, (0, 1/bins], (1/bins, 2/bins], ..., the first with 0. In a sample
    even perfect probabilities have an error above 0.

    Undefined: no cases (positives + negatives = 0).
    Source: Naeini, Cooper and Hauskrecht (2015), for the positive class; Murphy and Winkler (1977).
    Differs: most tools use the probability of the predicted class, as top_label_ece does; torchmetrics and
    netcal do so for more than two classes, and put the lower edge into a bin.
    """
    return mean_gap(of_equal_width(t, bins))


@measure(
    aka=("ace",),
    best=0.0,
    interval=IntervalSpec("bins-of-equal-mass", (mean_gap,)),
    limits=BINS,
    scores="probability",
    needs=BY_MASS,
    terms=("calibration_error",),
)
def adaptive_calibration_error(t: RankingTable, *, bins: int = 10) -> Any:
    """Expected calibration error with bins of equal numbers of cases.

    sum over the bins of proportion of the cases * |proportion of positives - mean probability|

    bins: the number of bins, between quantiles of type 7; a bin includes its upper edge. Cases with the same
    probability stay together, so that bins may differ in size. Quantiles depend on the number of cases, which
    weights that are not whole do not determine: for these the type is 1.

    Undefined: no cases (positives + negatives = 0).
    Source: Nixon et al. (2019), Measuring Calibration in Deep Learning; Hyndman and Fan (1996) on quantiles.
    Differs: bins of netcal between quantiles include their lower edge; uncertainty-calibration puts one case
    more into the first bins.
    """
    return mean_gap(of_equal_mass(t, bins))


@measure(
    aka=("mce",),
    best=0.0,
    interval=IntervalSpec("bins", (largest_gap,)),
    limits=BINS,
    scores="probability",
    needs=BY_WIDTH,
    terms=("calibration_error",),
)
def maximum_calibration_error(t: RankingTable, *, bins: int = 10) -> Any:
    """Largest absolute difference of mean predicted probability and proportion of positives in a bin.

    max over the bins of |proportion of positives - mean probability|

    bins: the number of bins, of equal width. A bin with one case counts as much as one with a thousand.

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
    needs=BY_WIDTH,
    terms=("calibration_error",),
)
def rms_calibration_error(t: RankingTable, *, bins: int = 10) -> Any:
    """Root mean squared difference of mean predicted probability and proportion of positives, in bins.

    sqrt(sum over the bins of proportion of the cases * (proportion of positives - mean probability)^2)

    bins: the number of bins, of equal width.

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
    needs=BY_WIDTH,
)
def debiased_ece(t: RankingTable, *, bins: int = 10) -> Any:
    """Expected calibration error minus the part due to sampling variation, at least 0.

    2 * ece - the mean ece if the proportion of positives in each bin varied once more by its standard error

    bins: the number of bins, of equal width. The standard error needs the number of cases in each bin; with
    importance weights it is the linearised one. It depends on the number of cases.

    Undefined: no cases (positives + negatives = 0).
    Source: Kumar, Liang and Ma (2019), who simulate the mean that is computed here.
    """
    return _debiased_gap(of_equal_width(t, bins))


@measure(
    aka=("debiased_root_mean_squared_calibration_error",),
    best=0.0,
    interval=IntervalSpec("bins", (root_mean_square_gap, _debiased_root)),
    limits=BINS,
    scores="probability",
    needs=BY_WIDTH,
)
def debiased_rmsce(t: RankingTable, *, bins: int = 10) -> Any:
    """Root mean squared calibration error corrected for sampling variation, at least 0.

    sqrt(sum over the bins of proportion of the cases * (gap^2 - r (1 - r) / (n - 1))), where r is the
    proportion of positives of the n cases; with importance weights the linearised variance, n the effective
    number of cases of the bin

    bins: the number of bins, of equal width. It depends on the number of cases. A bin with one case is not
    corrected.

    Undefined: no cases (positives + negatives = 0).
    Source: Kumar, Liang and Ma (2019); Broecker (2012).
    """
    return _debiased_root(of_equal_width(t, bins))


@measure(
    range=REAL,
    best=None,
    interval="line",
    scores="probability",
    headline=Leading(140, "Calibration slope", ("in the large", "calibration_in_the_large")),
    needs=OF_LOGITS,
)
def calibration_slope(t: RankingTable) -> Any:
    """Slope of the logistic regression of the actual class on the logit of the predicted probability.

    b of logit P(y = 1) = a + b logit p

    1 if the probabilities are calibrated; below 1 they are too extreme, above 1 not extreme enough. Cases
    with a probability of 0 or 1, whose logits are infinite, are left out.

    Undefined: one class, one probability, or classes that do not overlap, between 0 and 1 (logit_overlap =
    0).
    Source: Cox (1958); Van Calster et al. (2019).
    """
    return line(t).slope


def _of_observed(mean: Any, prior: Any) -> Any:
    return ratio(prior, mean)


def _observed_at_ends(binned: BinnedTable) -> list[float]:
    """With every score at the upper end of its bin, so that the most are expected, and at the lower one."""
    return [observed_expected_ratio(binned.placed(ends, ends)) for ends in (binned.high, binned.low)]


@measure(
    aka=("oe_ratio", "o_e_ratio", "observed_expected", "observed_to_expected_ratio"),
    range=(0.0, np.inf),
    best=None,
    interval="mean-of-prior",
    loss=predicted,
    of_mean=_of_observed,
    scores="probability",
    bounds=_observed_at_ends,
)
def observed_expected_ratio(t: RankingTable) -> Any:
    """Number of positives divided by the number that the probabilities add up to.

    positives / sum of p

    1 if the mean probability is the prevalence; above 1 the probabilities are too low. Infinite where all
    probabilities are 0, but there are positives.

    Undefined: no cases (positives + negatives = 0), or no positives and none expected (positives +
    expected_positives = 0).
    Source: Debray et al. (2017), BMJ 356, i6460; Riley et al. (2021), Statistics in Medicine 40, 4230-4251.
    Bounds: from the upper and the lower ends of all bins.
    """
    return areas.plain(_of_observed(areas.mean_loss(t, predicted), t.prior))


@measure(range=REAL, best=None, interval="line", scores="probability", needs=OF_LOGITS)
def calibration_intercept(t: RankingTable) -> Any:
    """Intercept of the logistic regression of the actual class on the logit of the predicted probability.

    a of logit P(y = 1) = a + b logit p

    Read it together with the slope; calibration_in_the_large holds the slope at 1. Cases with a probability
    of 0 or 1 are left out.

    Undefined: one class, one probability, or classes that do not overlap, between 0 and 1 (logit_overlap =
    0).
    Source: Cox (1958); rms::val.prob in R names it Intercept.
    """
    return line(t).intercept


def _shift_at_ends(binned: BinnedTable) -> list[float]:
    """With every score at the upper end of its bin, where the shift is least, and at the lower one.

    A positive of probability 0 is left out and then counts as one of 1; a negative of 1 as one of 0.
    """
    low, high = binned.low, binned.high
    least, most = low.dtype.type(binned.kind.ENDS)
    inside = (high > least) & (low < most)
    if not (binned.positive[inside].any() and binned.negative[inside].any()):
        return [np.nan, np.nan]
    lowest, highest = np.nextafter(least, most), np.nextafter(most, least)
    down, up = (
        level(binned.placed(*ends))
        for ends in (
            (np.where(low > least, high, most), np.where(low < most, np.minimum(high, highest), most)),
            (np.where(high > least, np.maximum(low, lowest), least), np.where(high < most, low, least)),
        )
    )
    return [-np.inf if np.isnan(down) else down, np.inf if np.isnan(up) else up]


@measure(
    aka=("calibration_offset",),
    range=REAL,
    best=None,
    interval="line",
    scores="probability",
    needs=OF_LOGITS,
    bounds=_shift_at_ends,
)
def calibration_in_the_large(t: RankingTable) -> Any:
    """Shift of all logits that makes the probabilities add up to the number of positives.

    a of logit P(y = 1) = a + logit p

    0 if they do already; above 0 the probabilities are too low. Cases with a probability of 0 or 1 are left
    out.

    Undefined: no positives with a probability between 0 and 1 (logit_positives = 0), or no such negatives
    (logit_negatives = 0).
    Source: Cox (1958); Van Calster et al. (2019).
    Bounds: from the upper and the lower ends of all bins, since a higher probability of any case lowers it.
    """
    return level(t)
