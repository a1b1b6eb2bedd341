"""How good a score per class is as predicted probabilities: losses, and calibration of the top class."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ... import kernels
from ...summaries import ClassScores
from ...summaries.class_scores import CELLS_AT_ONCE
from ..registry import IntervalSpec, Leading, measure, plain, ratio, within
from . import areas
from .bins import of_equal_mass, of_equal_width
from .calibration import BINS, largest_gap, mean_gap, root_mean_square_gap
from .probability import LOGARITHM, UNBOUNDED, UP_TO_ONE


def mean_charge(t: ClassScores, charges: np.ndarray) -> Any:
    """The mean over the cases of a loss of each."""
    return ratio(kernels.dot(t.weight, charges), t.total)


def log_charge(t: ClassScores, base: float = np.e, clip: float | None = None) -> np.ndarray:
    """Minus the logarithm of the predicted probability of the actual class."""
    return -t.log_given(clip) / np.log(base)


def squared_charge(t: ClassScores) -> np.ndarray:
    """The sum over the classes of the squared difference from 1 for the actual class and 0 for others."""
    return _squares(t) - 2 * t.given + 1


def spherical_charge(t: ClassScores) -> np.ndarray:
    """The predicted probability of the actual class, over the norm of the vector of all."""
    return t.given / np.sqrt(_squares(t))


def _squares(t: ClassScores) -> np.ndarray:
    """The sum of the squared probabilities of each case, kept with the table."""
    if "squares" not in t.kept:
        t.kept["squares"] = _by_rows(t, lambda p, truth: np.square(p).sum(axis=1))
    return t.kept["squares"]


def _by_rows(t: ClassScores, function: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> np.ndarray:
    """A function of the probabilities and the class of each case, by blocks of rows to save memory."""
    p, size = t.probability, max(CELLS_AT_ONCE // max(len(t), 1), 1)
    starts = range(0, len(t.truth), size)
    return np.concatenate([np.empty(0), *(function(p[i : i + size], t.truth[i : i + size]) for i in starts)])


def ranked_charge(t: ClassScores) -> np.ndarray:
    """The mean over the classes of the squared error of the cumulative probability."""
    return _by_rows(t, _ranked) / max(len(t) - 1, 1)


def _ranked(p: np.ndarray, truth: np.ndarray) -> np.ndarray:
    up_to = np.cumsum(p, axis=1)[:, :-1]
    true = np.arange(up_to.shape[1]) >= truth[:, None]
    return np.square(up_to - true).sum(axis=1)


def variance(shares: np.ndarray) -> Any:
    """1 - the sum of the squared proportions of the classes."""
    return 1 - kernels.dot(shares, shares)


def entropy(shares: np.ndarray) -> Any:
    """-sum of proportion * log proportion."""
    from scipy.special import entr

    return plain(entr(shares).sum(-1))


def _slope_of_variance(shares: np.ndarray) -> np.ndarray:
    return -2 * shares


def _slope_of_entropy(shares: np.ndarray) -> np.ndarray:
    with np.errstate(divide="ignore"):
        return np.where(shares > 0, -np.log(np.where(shares > 0, shares, 1.0)) - 1, 0.0)


def _skill(t: ClassScores, loss: Any, reference: Callable[[np.ndarray], Any]) -> Any:
    expected = reference(ratio(t.sizes, np.asarray(t.total)[..., None]))
    # not -2e-16
    gain = np.where(np.isclose(loss, expected, 1e-15, 0.0), 0.0, 1 - ratio(loss, expected))
    return within(areas.defined(gain, t.represented), *UP_TO_ONE)


@measure(
    aka=("cross_entropy", "logloss", "logarithmic_loss", "categorical_cross_entropy"),
    range=UNBOUNDED,
    best=0.0,
    interval="mean",
    loss=log_charge,
    limits=LOGARITHM,
    scores="probability",
    headline=Leading(130, "Log loss", ("skill", "log_loss_skill_score")),
)
def log_loss(t: ClassScores, *, base: float = np.e, clip: float | None = None) -> Any:
    """Mean negative logarithm of the predicted probability of the actual class.

    mean of -log p(actual class)

    base: of the logarithm, natural by default. clip: the smallest probability that is used, by default the
    epsilon of the type of the scores (2.2e-16; 1.2e-7 where all columns are of single precision); with 0 the
    loss is infinite where the actual class has the probability 0. Of logits (score_kind="logit") it needs no
    clipping.

    Undefined: no cases (total = 0).
    Source: Flemming, Log Loss.
    """
    return mean_charge(t, log_charge(t, base, clip))


@measure(
    aka=("brier",),
    range=(0.0, 2.0),
    best=0.0,
    interval="mean",
    loss=squared_charge,
    scores="probability",
    headline=Leading(120, "Brier score", ("skill", "brier_skill_score"), column=6),
)
def brier_score(t: ClassScores) -> Any:
    """Mean of the squared difference between probability and actual class (1 or 0), summed over classes.

    mean of the sum over the classes of (y - p)^2

    Undefined: no cases (total = 0).
    Source: Brier (1950).
    Differs: with two classes it is twice the score of one column; scikit-learn's scale_by_half=True halves
    it.
    """
    return within(mean_charge(t, squared_charge(t)), 0.0, 2.0)


@measure(interval="mean", loss=spherical_charge, scores="probability")
def spherical_score(t: ClassScores) -> Any:
    """Mean predicted probability of the actual class, over the norm of the vector of all probabilities.

    mean of p(actual class) / sqrt(sum over the classes of p^2)

    Undefined: no cases (total = 0).
    Source: Gneiting and Raftery (2007), Example 2.
    """
    return within(mean_charge(t, spherical_charge(t)), 0.0, 1.0)


@measure(
    aka=("rps", "ranked_prob_score"),
    best=0.0,
    interval="mean",
    loss=ranked_charge,
    scores="probability",
    ordered=True,
)
def ranked_probability_score(t: ClassScores) -> Any:
    """Mean squared error of the cumulative probabilities, for ordered classes.

    mean of the sum over the classes but the last of (P(at most this class) - 1 if the true one is at most
    this, else 0)^2, divided by K - 1

    Errors between neighbouring classes cost less. The order of the classes is that of their numbers, for text
    that of its type or of classes= with ordered=True, without which `evaluate` leaves the measure out. With
    two classes it is the Brier score of one column.

    Undefined: no cases (total = 0).
    Source: Epstein (1969), Journal of Applied Meteorology 8, 985-987; Berrar, after Def. 18.
    Differs: some tools do not divide by K - 1.
    """
    return within(mean_charge(t, ranked_charge(t)), 0.0, 1.0)


@measure(
    aka=("d2_brier_score",),
    range=UP_TO_ONE,
    interval=IntervalSpec("skill", (squared_charge, variance, _slope_of_variance)),
    scores="probability",
)
def brier_skill_score(t: ClassScores) -> Any:
    """Relative improvement of the Brier score over predicting the class proportions for every case.

    1 - brier_score / (1 - sum of the squared class proportions)

    0 means no improvement.

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
def log_loss_skill_score(t: ClassScores) -> Any:
    """Relative improvement of the log loss over predicting the class proportions for every case.

    1 - log_loss / entropy of the class proportions

    0 means no improvement.

    Undefined: no two classes (represented = 0).
    Source: McFadden (1974).
    """
    return _skill(t, log_loss(t), entropy)


top_label = partial(measure, best=0.0, limits=BINS, scores="probability")


@top_label(
    aka=("top_label_calibration_error", "confidence_calibration_error"),
    interval=IntervalSpec("bins", (mean_gap,)),
    headline=Leading(140, "Top-label ECE"),
)
def top_label_ece(t: ClassScores, *, bins: int = 10) -> Any:
    """Mean absolute difference of highest probability and accuracy, over bins of equal width.

    sum over the bins of proportion of the cases * |accuracy - mean of the highest probability|

    bins: the number of bins.

    Undefined: no cases (total = 0).
    Source: Guo et al. (2017), On Calibration of Modern Neural Networks.
    Differs: torchmetrics puts the lower edge into a bin.
    """
    return mean_gap(of_equal_width(t.confidence, bins))


@top_label(
    aka=("top_label_adaptive_calibration_error",), interval=IntervalSpec("bins-of-equal-mass", (mean_gap,))
)
def top_label_ace(t: ClassScores, *, bins: int = 10) -> Any:
    """Mean absolute difference of highest probability and accuracy, over bins of equal numbers of cases.

    sum over the bins of proportion of the cases * |accuracy - mean of the highest probability|

    bins: the number of bins. Quantiles depend on the number of cases.

    Undefined: no cases (total = 0).
    Source: Nixon et al. (2019), Measuring Calibration in Deep Learning.
    """
    return mean_gap(of_equal_mass(t.confidence, bins))


@top_label(aka=("top_label_maximum_calibration_error",), interval=IntervalSpec("bins", (largest_gap,)))
def top_label_mce(t: ClassScores, *, bins: int = 10) -> Any:
    """Largest absolute difference of mean highest probability and accuracy in a bin.

    max over the bins of |accuracy - mean of the highest probability|

    bins: the number of bins.

    Undefined: no cases (total = 0).
    Source: Guo et al. (2017), On Calibration of Modern Neural Networks.
    """
    return largest_gap(of_equal_width(t.confidence, bins))


@top_label(
    aka=("top_label_root_mean_squared_calibration_error",),
    interval=IntervalSpec("bins", (root_mean_square_gap,)),
)
def top_label_rmsce(t: ClassScores, *, bins: int = 10) -> Any:
    """Root mean squared difference of mean highest probability and accuracy, over the bins.

    sqrt(sum over the bins of proportion of the cases * (accuracy - mean of the highest probability)^2)

    bins: the number of bins.

    Undefined: no cases (total = 0).
    Source: Hendrycks, Mazeika and Dietterich (2019).
    """
    return root_mean_square_gap(of_equal_width(t.confidence, bins))
