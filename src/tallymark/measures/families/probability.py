"""How good scores are as predicted probabilities: mean losses of the cases, and what derives from them."""

from functools import partial
from typing import Any, cast

import numpy as np

from ...summaries import BinnedTable, RankingTable
from ...summaries.passes import (
    absolute_error,
    balanced_log_error,
    entropy,
    focal_error,
    hinge,
    information,
    log_error,
    share_of_probability,
    spherical_reward,
    squared_error,
)
from ..registry import Leading, get, mapped, measure, ratio, within
from . import areas

UNBOUNDED = (0.0, np.inf)
LOGARITHM: dict[str, tuple[float, float]] = {"base": (1.0001, 1e6), "clip": (0.0, 1.0)}
PRIORS = (1e-9, 1 - 1e-9)
UP_TO_ONE = (-np.inf, 1.0)
ROUNDING = 1e-13  # of a skill: that of the shares themselves is 0


def _root(mean: Any, table: RankingTable) -> Any:
    return np.sqrt(mean)


def _root_of_bounds(binned: BinnedTable) -> Any:
    return np.sqrt(cast(tuple[float, float], get("brier_score").bounds_of(binned)))


def _better_than_variance(mean: Any, prior: Any) -> Any:
    return _skill(ratio(mean, prior * (1 - prior)))


def _better_than_entropy(mean: Any, prior: Any) -> Any:
    return _skill(ratio(mean, entropy(prior)))


def _skill(loss: Any) -> Any:
    """1 minus the share of the loss that is left; 0 where only rounding differs."""
    found = 1 - loss
    return np.where(np.abs(found) < ROUNDING, 0.0, found)[()]


def _of_entropy(mean: Any, prior: Any) -> Any:
    return ratio(mean, entropy(prior))


def _of_both(t: RankingTable, value: Any) -> Any:
    """The value, or NaN if a class is missing."""
    return areas.defined(value, t.positives, t.negatives)


@measure(
    aka=("mae_of_probabilities", "mae"),
    best=0.0,
    interval="mean",
    loss=absolute_error,
    scores="probability",
    bounds="roc",
)
def mean_absolute_error(t: RankingTable) -> Any:
    """Mean absolute difference between predicted probability and actual class (1 or 0).

    mean of |y - p|

    It rewards probabilities of 0 and 1, and so is not a proper scoring rule.

    Undefined: no cases (positives + negatives = 0).
    Source: Berrar, Def. 17.
    """
    return areas.mean_loss(t, absolute_error)


@measure(
    aka=("mean_squared_error", "brier", "mse", "brier_score_loss", "brier_class"),
    best=0.0,
    interval="mean",
    loss=squared_error,
    scores="probability",
    headline=Leading(120, "Brier score", ("skill", "brier_skill_score"), column=6),
    terms=("quadratic_scoring_rule",),
    bounds="roc",
)
def brier_score(t: RankingTable) -> Any:
    """Mean squared difference between predicted probability and actual class (1 or 0).

    mean of (y - p)^2

    Undefined: no cases (positives + negatives = 0).
    Source: Berrar, Def. 18.
    Bounds: the loss of each case falls with the probability of its actual class.
    """
    return areas.mean_loss(t, squared_error)


@measure(
    aka=("rmse", "root_mean_square_error", "rms_error"),
    best=0.0,
    interval=mapped(brier_score, _root),
    scores="probability",
    bounds=_root_of_bounds,
)
def root_mean_squared_error(t: RankingTable) -> Any:
    """Square root of the mean squared difference between predicted probability and actual class (1 or 0).

    sqrt(brier_score)

    Undefined: no cases (positives + negatives = 0).
    Source: Berrar, Def. 19.
    """
    return areas.plain(np.sqrt(brier_score(t)))


@measure(
    aka=(
        "cross_entropy",
        "logloss",
        "logarithmic_loss",
        "binary_cross_entropy",
        "mn_log_loss",
        "negative_log_likelihood",
        "logistic_loss",
        "logistic_regression_loss",
    ),
    terms=("bce",),
    range=UNBOUNDED,
    best=0.0,
    interval="mean",
    loss=log_error,
    limits=LOGARITHM,
    scores="probability",
    headline=Leading(130, "Log loss", ("skill", "log_loss_skill_score")),
    bounds="roc",
)
def log_loss(t: RankingTable, *, base: float = np.e, clip: float | None = None) -> Any:
    """Mean negative logarithm of the predicted probability of the actual class.

    mean of -log p for positives and -log(1 - p) for negatives

    base: of the logarithm, natural by default. clip: the smallest probability that is used, by default the
    epsilon of the type of the scores (2.2e-16, or 1.2e-7 in single precision); with 0 the loss is infinite
    where the actual class has the probability 0. Of logits (`LogitTable`, score_kind="logit") it is the mean
    of log(1 + exp(-z)) and log(1 + exp(z)), which needs no clipping. Its expected value is the entropy of the
    true probability plus the Kullback-Leibler divergence from it. The one-hot encoding of the actual class,
    by which the formula is often written, only selects the probability of that class.

    Undefined: no cases (positives + negatives = 0).
    Source: Berrar, Def. 20 (to base 2); Flemming.
    Differs: other tools clip at 1e-15 or not at all.
    """
    return areas.mean_loss(t, partial(log_error, base=base, clip=clip))


@measure(
    aka=("weighted_cross_entropy", "bce"),
    range=UNBOUNDED,
    best=0.0,
    interval="mean-of-prior",
    loss=balanced_log_error,
    limits=LOGARITHM | {"alpha": (0.0, 1.0)},
    scores="probability",
    bounds="roc",
)
def balanced_cross_entropy(
    t: RankingTable, *, alpha: float | None = None, base: float = np.e, clip: float | None = None
) -> Any:
    """Log loss with a weight for each class, by default such that both classes count equally.

    mean of -alpha log p for positives and -(1 - alpha) log(1 - p) for negatives

    alpha: the weight of the positives, by default the proportion of negatives. base, clip: as for log_loss.

    Undefined: no actual positives (positives = 0), or no actual negatives (negatives = 0).
    Source: Berrar, Def. 21 (to base 2).
    """
    return _of_both(t, areas.mean_loss(t, partial(balanced_log_error, alpha=alpha, base=base, clip=clip)))


@measure(
    aka=("average_focal_loss",),
    range=UNBOUNDED,
    best=0.0,
    interval="mean",
    loss=focal_error,
    limits=LOGARITHM | {"gamma": (0.0, 100.0), "alpha": (0.0, 1.0)},
    scores="probability",
    terms=("alpha_balanced_focal_loss",),
    bounds="roc",
)
def focal_loss(
    t: RankingTable,
    *,
    gamma: float = 2.0,
    alpha: float | None = None,
    base: float = np.e,
    clip: float | None = None,
) -> Any:
    """Log loss in which cases that are easy to classify have less weight.

    mean of -(1 - q)^gamma log q, where q is the predicted probability of the actual class

    gamma: how much less weight they have; 0 gives the log loss. alpha: a weight of the positives (1 - alpha
    of the negatives), by default none. base, clip: as for log_loss. It is not a proper scoring rule.

    Undefined: no cases (positives + negatives = 0).
    Source: Berrar, Def. 22 (to base 2), after Lin et al. (2017).
    """
    return areas.mean_loss(t, partial(focal_error, gamma=gamma, alpha=alpha, base=base, clip=clip))


@measure(
    aka=("kononenko_bratko_score", "kononenko_bratko_information_score"),
    range=(-np.inf, np.inf),
    best=None,
    better="higher",
    interval="mean-of-prior",
    loss=information,
    limits={"base": LOGARITHM["base"], "prior": PRIORS},
    scores="probability",
    bounds="roc",
)
def information_score(t: RankingTable, *, base: float = np.e, prior: float | None = None) -> Any:
    """Mean information of the predicted probabilities beyond that of the class proportions.

    mean of log(q / c) where q >= c, else log((1 - c) / (1 - q)); q: predicted probability of the actual
    class, c: the proportion of that class

    base: of the logarithm, natural by default; 2 gives bits. prior: the proportion of positives, as that of
    the training data; by default that of the cases evaluated. `information_scores` has the term of each case.

    Undefined: no actual positives (positives = 0), or no actual negatives (negatives = 0).
    Source: Berrar, Def. 23 (to base 2, with the prior of the training data), after Kononenko and Bratko
    (1991).
    Bounds: the term of each case rises with q, in both of its parts, which meet at q = c.
    """
    return _of_both(t, areas.mean_loss(t, partial(information, base=base, prior=prior)))


@measure(
    aka=("ris",),
    range=UP_TO_ONE,
    interval="mean-of-prior",
    loss=information,
    of_mean=_of_entropy,
    scores="probability",
    bounds="roc",
)
def relative_information_score(t: RankingTable) -> Any:
    """Information score divided by the entropy of the class proportions, its largest value.

    information_score / entropy of the class mix

    Undefined: no actual positives (positives = 0), or no actual negatives (negatives = 0).
    Source: Berrar, Def. 23.
    """
    return within(_of_both(t, _of_entropy(areas.mean_loss(t, information), t.prior)), *UP_TO_ONE)


@measure(
    interval="mean",
    loss=spherical_reward,
    scores="probability",
    bounds="roc",
)
def spherical_score(t: RankingTable) -> Any:
    """Mean predicted probability of the actual class, over the norm of the vector of both probabilities.

    mean of q / sqrt(q^2 + (1 - q)^2), where q is the predicted probability of the actual class

    Undefined: no cases (positives + negatives = 0).
    Source: Gneiting and Raftery (2007), Example 2.
    """
    return areas.mean_loss(t, spherical_reward)


@measure(
    aka=("d2_brier_score", "index_of_prediction_accuracy", "scaled_brier_score"),
    range=UP_TO_ONE,
    interval="mean-of-prior",
    loss=squared_error,
    of_mean=_better_than_variance,
    scores="probability",
    bounds="roc",
)
def brier_skill_score(t: RankingTable) -> Any:
    """Relative improvement of the Brier score over predicting the prevalence for every case.

    1 - brier_score / (prevalence (1 - prevalence))

    0 means no improvement.

    Undefined: no actual positives (positives = 0), or no actual negatives (negatives = 0).
    Source: Murphy (1973); Kattan and Gerds (2018) as index of prediction accuracy.
    """
    return _of_both(t, _better_than_variance(brier_score(t), t.prior))


@measure(
    aka=("mcfadden_r2", "d2_log_loss_score"),
    terms=("pseudo_r2", "r2"),
    range=UP_TO_ONE,
    interval="mean-of-prior",
    loss=log_error,
    of_mean=_better_than_entropy,
    scores="probability",
    bounds="roc",
)
def log_loss_skill_score(t: RankingTable) -> Any:
    """Relative improvement of the log loss over predicting the prevalence for every case.

    1 - log_loss / entropy of the class mix

    0 means no improvement.

    Undefined: no actual positives (positives = 0), or no actual negatives (negatives = 0).
    Source: McFadden (1974), as R^2 of a model and of its constant alone.
    """
    return _of_both(t, _better_than_entropy(log_loss(t), t.prior))


@measure(
    aka=("tjur_r2", "coefficient_of_discrimination"),
    terms=("pseudo_r2", "r2"),
    range=(-1.0, 1.0),
    interval="mean-of-prior",
    loss=share_of_probability,
    scores="probability",
    bounds="roc",
)
def discrimination_slope(t: RankingTable) -> Any:
    """Mean predicted probability of the positives minus that of the negatives.

    mean of p over the positives - mean of p over the negatives

    Undefined: no actual positives (positives = 0), or no actual negatives (negatives = 0).
    Source: Tjur (2009), The American Statistician 63, 366-372.
    """
    return within(_of_both(t, areas.mean_loss(t, share_of_probability)), -1.0, 1.0)


@measure(
    aka=("average_hinge_loss",),
    range=UNBOUNDED,
    best=None,
    better="lower",
    interval="mean",
    loss=hinge,
    scores="margin",
    bounds="roc",
)
def hinge_loss(t: RankingTable) -> Any:
    """Mean amount by which the scores fall short of a margin of 1 on the right side of 0.

    mean of max(0, 1 - y s), with y = 1 for positives and -1 for negatives

    Scores are signed distances from a decision boundary, such as those of a support vector machine
    (score_kind="margin").

    Undefined: no cases (positives + negatives = 0).
    Source: Berrar, Def. 35.
    """
    return areas.mean_loss(t, hinge)
