"""How good a score per class is as probabilities of the classes: losses charged per case and averaged, and
the winning class."""

from collections.abc import Callable
from functools import partial

import numpy as np

from ... import kernels
from ...summaries import ClassScores
from ...summaries.class_orders import CELLS_AT_ONCE
from ..interval_spec import IntervalSpec
from ..registry import measure, ratio, within
from . import areas
from .bins import of_equal_mass, of_equal_width
from .calibration import BINS, largest_gap, mean_gap, root_mean_square_gap
from .probability import LOGARITHM, UNBOUNDED, UP_TO_ONE


def mean_charge(t: ClassScores, charges: np.ndarray) -> float:
    """The mean over the cases of what is charged for each."""
    mean: float = ratio(kernels.dot(t.weight, charges), t.total)
    return mean


def log_charge(t: ClassScores, base: float = np.e, clip: float | None = None) -> np.ndarray:
    """-log of the probability given to the true class."""
    charges: np.ndarray = -t.log_given(clip) / np.log(base)
    return charges


def squared_charge(t: ClassScores) -> np.ndarray:
    """The sum over the classes of the squared difference from 1 for the true class and 0 for the others."""
    charges: np.ndarray = _squares(t) - 2 * t.given + 1
    return charges


def spherical_charge(t: ClassScores) -> np.ndarray:
    """The probability given to the true class, over the length of the vector of all."""
    rewards: np.ndarray = t.given / np.sqrt(_squares(t))
    return rewards


def _squares(t: ClassScores) -> np.ndarray:
    """The sum of the squared probabilities of each case."""
    return _by_rows(t, lambda p, truth: np.square(p).sum(axis=1))


def _by_rows(t: ClassScores, function: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> np.ndarray:
    """A number for each case, from its probabilities and its class; some rows at a time, so that no copy of
    all is made."""
    p, size = t.probability, max(CELLS_AT_ONCE // max(len(t), 1), 1)
    starts = range(0, len(t.truth), size)
    return np.concatenate([np.empty(0), *(function(p[i : i + size], t.truth[i : i + size]) for i in starts)])


def ranked_charge(t: ClassScores) -> np.ndarray:
    """The squared difference between the probability of at most a class and whether that was true, averaged
    over the classes."""
    return _by_rows(t, _ranked) / max(len(t) - 1, 1)


def _ranked(p: np.ndarray, truth: np.ndarray) -> np.ndarray:
    up_to = np.cumsum(p, axis=1)[:, :-1]
    true = np.arange(up_to.shape[1]) >= truth[:, None]
    charges: np.ndarray = np.square(up_to - true).sum(axis=1)
    return charges


def variance(shares: np.ndarray) -> float:
    """1 - sum of the squared shares of the classes."""
    return 1 - float(shares @ shares)


def entropy(shares: np.ndarray) -> float:
    """-sum of share * log share."""
    from scipy.special import entr

    return float(entr(shares).sum())


def _slope_of_variance(shares: np.ndarray) -> np.ndarray:
    return -2 * shares


def _slope_of_entropy(shares: np.ndarray) -> np.ndarray:
    with np.errstate(divide="ignore"):
        return np.where(shares > 0, -np.log(np.where(shares > 0, shares, 1.0)) - 1, 0.0)


def _skill(t: ClassScores, loss: float, reference: Callable[[np.ndarray], float]) -> float:
    shares = ratio(t.sizes, t.total)
    skill: float = within(areas.defined(1 - ratio(loss, reference(shares)), t.represented), *UP_TO_ONE)
    return skill


@measure(
    aka=("cross_entropy", "logloss", "logarithmic_loss", "categorical_cross_entropy"),
    range=UNBOUNDED,
    best=0.0,
    interval="mean",
    loss=log_charge,
    limits=LOGARITHM,
    scores="probability",
)
def log_loss(t: ClassScores, *, base: float = np.e, clip: float | None = None) -> float:
    """Mean of minus the logarithm of the probability given to the true class.

    mean of -log p(true class)

    base: of the logarithm, natural by default. clip: the smallest probability that counts, by default the
    epsilon of the type of the scores (2.2e-16; 1.2e-7 where all columns are of single precision); 0 gives
    infinity where something certain did not happen. Of logits (score_kind="logit") it needs no clipping.

    Undefined: no cases (total = 0).
    Source: Flemming, Log Loss.
    """
    return mean_charge(t, log_charge(t, base, clip))


@measure(
    aka=("brier",), range=(0.0, 2.0), best=0.0, interval="mean", loss=squared_charge, scores="probability"
)
def brier_score(t: ClassScores) -> float:
    """Mean of the sum over the classes of the squared difference between probability and truth (1 or 0).

    mean of the sum over the classes of (y - p)^2

    Undefined: no cases (total = 0).
    Source: Brier (1950).
    Differs: with two classes it is twice the score of one column; scikit-learn's scale_by_half=True halves
    it.
    """
    value: float = within(mean_charge(t, squared_charge(t)), 0.0, 2.0)
    return value


@measure(interval="mean", loss=spherical_charge, scores="probability")
def spherical_score(t: ClassScores) -> float:
    """Mean of the probability given to the true class, over the length of the vector of all probabilities.

    mean of p(true class) / sqrt(sum over the classes of p^2)

    Undefined: no cases (total = 0).
    Source: Gneiting and Raftery (2007), Example 2.
    """
    value: float = within(mean_charge(t, spherical_charge(t)), 0.0, 1.0)
    return value


@measure(aka=("rps",), best=0.0, interval="mean", loss=ranked_charge, scores="probability", ordered=True)
def ranked_probability_score(t: ClassScores) -> float:
    """Mean squared difference between the cumulated probabilities and the truth, for classes in an order:
    near misses cost less.

    mean of the sum over the classes but the last of (P(at most this class) - 1 if the true one is at most
    this, else 0)^2, divided by K - 1

    The order is that of the columns, for text that of classes=, without which `evaluate` leaves it out. With
    two classes it is the Brier score of one column.

    Undefined: no cases (total = 0).
    Source: Epstein (1969), Journal of Applied Meteorology 8, 985-987; Berrar, after Def. 18.
    Differs: some leave out the division by K - 1.
    """
    value: float = within(mean_charge(t, ranked_charge(t)), 0.0, 1.0)
    return value


@measure(
    aka=("d2_brier_score",),
    range=UP_TO_ONE,
    interval=IntervalSpec("skill", (squared_charge, variance, _slope_of_variance)),
    scores="probability",
)
def brier_skill_score(t: ClassScores) -> float:
    """How much smaller the Brier score is than that of giving every case the shares of the classes. 0 is no
    better.

    1 - brier_score / (1 - sum of the squared shares)

    Undefined: no two classes (represented = 0).
    Source: Murphy (1973).
    """
    return _skill(t, brier_score(t), variance)


@measure(
    aka=("mcfadden_r2", "d2_log_loss_score"),
    range=UP_TO_ONE,
    interval=IntervalSpec("skill", (log_charge, entropy, _slope_of_entropy)),
    scores="probability",
)
def log_loss_skill_score(t: ClassScores) -> float:
    """How much smaller the log loss is than that of giving every case the shares of the classes. 0 is no
    better.

    1 - log_loss / entropy of the shares

    Undefined: no two classes (represented = 0).
    Source: McFadden (1974).
    """
    return _skill(t, log_loss(t), entropy)


top_label = partial(measure, best=0.0, limits=BINS, scores="probability")


@top_label(
    aka=("top_label_calibration_error", "confidence_calibration_error"),
    interval=IntervalSpec("bins", (mean_gap,)),
)
def top_label_ece(t: ClassScores, *, bins: int = 10) -> float:
    """Mean distance between the highest probability and how often its class is the true one, in bins of equal
    width.

    sum over the bins of share of the cases * |share right - mean of the highest probability|

    bins: how many.

    Undefined: no cases (total = 0).
    Source: Guo et al. (2017), On Calibration of Modern Neural Networks.
    Differs: torchmetrics puts a bin's lower edge into it.
    """
    value: float = mean_gap(of_equal_width(t.confidence, bins))
    return value


@top_label(
    aka=("top_label_adaptive_calibration_error",), interval=IntervalSpec("bins-of-equal-mass", (mean_gap,))
)
def top_label_ace(t: ClassScores, *, bins: int = 10) -> float:
    """The same in bins of as many cases each.

    sum over the bins of share of the cases * |share right - mean of the highest probability|

    bins: how many. Quantiles depend on the number of cases.

    Undefined: no cases (total = 0).
    Source: Nixon et al. (2019), Measuring Calibration in Deep Learning.
    """
    value: float = mean_gap(of_equal_mass(t.confidence, bins))
    return value


@top_label(aka=("top_label_maximum_calibration_error",), interval=IntervalSpec("bins", (largest_gap,)))
def top_label_mce(t: ClassScores, *, bins: int = 10) -> float:
    """Largest distance between the highest probability and how often its class is the true one, of all bins
    of equal width.

    max over the bins of |share right - mean of the highest probability|

    bins: how many.

    Undefined: no cases (total = 0).
    Source: Guo et al. (2017), On Calibration of Modern Neural Networks.
    """
    value: float = largest_gap(of_equal_width(t.confidence, bins))
    return value


@top_label(
    aka=("top_label_root_mean_squared_calibration_error",),
    interval=IntervalSpec("bins", (root_mean_square_gap,)),
)
def top_label_rmsce(t: ClassScores, *, bins: int = 10) -> float:
    """Root mean squared distance between the highest probability and how often its class is the true one,
    over bins of equal width.

    sqrt(sum over the bins of share of the cases * (share right - mean of the highest probability)^2)

    bins: how many.

    Undefined: no cases (total = 0).
    Source: Hendrycks, Mazeika and Dietterich (2019).
    """
    value: float = root_mean_square_gap(of_equal_width(t.confidence, bins))
    return value
