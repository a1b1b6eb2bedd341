"""How good the scores are as probabilities of being positive. A loss is charged per case and averaged."""

from functools import partial
from typing import Any

import numpy as np

from ...summaries import RankingTable
from ..interval_spec import mapped
from ..registry import measure, ratio, within
from . import areas
from .case_losses import (
    absolute_error,
    balanced_log_error,
    entropy,
    focal_error,
    hinge,
    information,
    log_error,
    mean_loss,
    share_of_probability,
    spherical_reward,
    squared_error,
)

UNBOUNDED = (0.0, np.inf)
LOGARITHM: dict[str, tuple[float, float]] = {"base": (1.0001, 1e6), "clip": (0.0, 1.0)}
UP_TO_ONE = (-np.inf, 1.0)


def _root(mean: Any, table: RankingTable) -> Any:
    return np.sqrt(mean)


def _better_than_variance(mean: Any, prior: Any) -> Any:
    return 1 - ratio(mean, prior * (1 - prior))


def _better_than_entropy(mean: Any, prior: Any) -> Any:
    return 1 - ratio(mean, entropy(prior))


def _of_entropy(mean: Any, prior: Any) -> Any:
    return ratio(mean, entropy(prior))


def _of_both(t: RankingTable, value: Any) -> Any:
    """NaN where a class is missing."""
    return areas.defined(value, t.positives, t.negatives)


@measure(aka=("mae_of_probabilities",), best=0.0, interval="mean", loss=absolute_error, scores="probability")
def mean_absolute_error(t: RankingTable) -> Any:
    """Mean absolute difference between the probability given and what was true (1 or 0).

    mean of |y - p|

    It rewards probabilities of 0 and 1, and so is no proper scoring rule.

    Undefined: no cases (positives + negatives = 0).
    Source: Berrar, Def. 17.
    """
    return mean_loss(t, absolute_error)


@measure(
    aka=("mean_squared_error", "brier"), best=0.0, interval="mean", loss=squared_error, scores="probability"
)
def brier_score(t: RankingTable) -> Any:
    """Mean squared difference between the probability given and what was true (1 or 0).

    mean of (y - p)^2

    Undefined: no cases (positives + negatives = 0).
    Source: Berrar, Def. 18.
    """
    return mean_loss(t, squared_error)


@measure(best=0.0, interval=mapped(brier_score, _root), scores="probability")
def root_mean_squared_error(t: RankingTable) -> Any:
    """Square root of the mean squared difference between the probability given and what was true (1 or 0).

    sqrt(brier_score)

    Undefined: no cases (positives + negatives = 0).
    Source: Berrar, Def. 19.
    """
    return areas.plain(np.sqrt(brier_score(t)))


@measure(
    aka=("cross_entropy", "logloss", "logarithmic_loss"),
    range=UNBOUNDED,
    best=0.0,
    interval="mean",
    loss=log_error,
    limits=LOGARITHM,
    scores="probability",
)
def log_loss(t: RankingTable, *, base: float = np.e, clip: float | None = None) -> Any:
    """Mean of minus the logarithm of the probability given to what was true.

    mean of -log p for positives and -log(1 - p) for negatives

    base: of the logarithm, natural by default. clip: the smallest probability that counts, by default the
    epsilon of the score's type (2.2e-16, or 1.2e-7 in single precision); 0 gives infinity where something
    certain did not happen. Of logits (`LogitTable`, score_kind="logit") it is the mean of log(1 + exp(-z))
    and log(1 + exp(z)), which needs no clipping.

    Undefined: no cases (positives + negatives = 0).
    Source: Berrar, Def. 20 (to base 2); Flemming.
    Differs: other tools clip at 1e-15 or not at all.
    """
    return mean_loss(t, partial(log_error, base=base, clip=clip))


@measure(
    aka=("weighted_cross_entropy",),
    range=UNBOUNDED,
    best=0.0,
    interval="mean-of-prior",
    loss=balanced_log_error,
    limits=LOGARITHM | {"alpha": (0.0, 1.0)},
    scores="probability",
)
def balanced_cross_entropy(
    t: RankingTable, *, alpha: float | None = None, base: float = np.e, clip: float | None = None
) -> Any:
    """Log loss with a weight for each class, so that both count alike however rare one is.

    mean of -alpha log p for positives and -(1 - alpha) log(1 - p) for negatives

    alpha: the weight of the positives, by default the share of negatives. base, clip: as for log_loss.

    Undefined: no actual positives (positives = 0), or no actual negatives (negatives = 0).
    Source: Berrar, Def. 21 (to base 2).
    """
    return _of_both(t, mean_loss(t, partial(balanced_log_error, alpha=alpha, base=base, clip=clip)))


@measure(
    aka=("average_focal_loss",),
    range=UNBOUNDED,
    best=0.0,
    interval="mean",
    loss=focal_error,
    limits=LOGARITHM | {"gamma": (0.0, 100.0), "alpha": (0.0, 1.0)},
    scores="probability",
)
def focal_loss(
    t: RankingTable,
    *,
    gamma: float = 2.0,
    alpha: float | None = None,
    base: float = np.e,
    clip: float | None = None,
) -> Any:
    """Log loss in which cases that are easily classified count less.

    mean of -(1 - q)^gamma log q, where q is the probability given to what was true

    gamma: how much less, 0 giving the log loss; alpha: a weight of the positives (1 - alpha of the
    negatives), by default none. base, clip: as for log_loss. It is no proper scoring rule.

    Undefined: no cases (positives + negatives = 0).
    Source: Berrar, Def. 22 (to base 2), after Lin et al. (2017).
    """
    return mean_loss(t, partial(focal_error, gamma=gamma, alpha=alpha, base=base, clip=clip))


@measure(
    aka=("kononenko_bratko_score",),
    range=(-np.inf, np.inf),
    best=None,
    better="higher",
    interval="mean-of-prior",
    loss=information,
    limits={"base": LOGARITHM["base"]},
    scores="probability",
)
def information_score(t: RankingTable, *, base: float = np.e) -> Any:
    """Mean information that the probabilities give beyond the class mix.

    mean of log(q / c) where q >= c, else log((1 - c) / (1 - q)); q: given to what was true, c: the share of
    that class

    base: of the logarithm, natural by default; 2 gives bits.

    Undefined: no actual positives (positives = 0), or no actual negatives (negatives = 0).
    Source: Berrar, Def. 23 (to base 2), after Kononenko and Bratko (1991).
    """
    return _of_both(t, mean_loss(t, partial(information, base=base)))


@measure(
    range=UP_TO_ONE, interval="mean-of-prior", loss=information, of_mean=_of_entropy, scores="probability"
)
def relative_information_score(t: RankingTable) -> Any:
    """Information that the probabilities give beyond the class mix, as a share of what there is to be known.

    information_score / entropy of the class mix

    Undefined: no actual positives (positives = 0), or no actual negatives (negatives = 0).
    Source: Berrar, Def. 23.
    """
    return within(_of_both(t, _of_entropy(mean_loss(t, information), t.prior)), *UP_TO_ONE)


@measure(interval="mean", loss=spherical_reward, scores="probability")
def spherical_score(t: RankingTable) -> Any:
    """Mean of the probability given to what was true, over the length of the vector of both probabilities.

    mean of q / sqrt(q^2 + (1 - q)^2), where q is the probability given to what was true

    Undefined: no cases (positives + negatives = 0).
    Source: Gneiting and Raftery (2007), Example 2.
    """
    return mean_loss(t, spherical_reward)


@measure(
    aka=("d2_brier_score", "index_of_prediction_accuracy", "scaled_brier_score"),
    range=UP_TO_ONE,
    interval="mean-of-prior",
    loss=squared_error,
    of_mean=_better_than_variance,
    scores="probability",
)
def brier_skill_score(t: RankingTable) -> Any:
    """How much smaller the Brier score is than that of giving every case the share of positives. 0 is no
    better.

    1 - brier_score / (prevalence (1 - prevalence))

    Undefined: no actual positives (positives = 0), or no actual negatives (negatives = 0).
    Source: Murphy (1973); Kattan and Gerds (2018) as index of prediction accuracy.
    """
    return _of_both(t, _better_than_variance(brier_score(t), t.prior))


@measure(
    aka=("mcfadden_r2", "d2_log_loss_score"),
    range=UP_TO_ONE,
    interval="mean-of-prior",
    loss=log_error,
    of_mean=_better_than_entropy,
    scores="probability",
)
def log_loss_skill_score(t: RankingTable) -> Any:
    """How much smaller the log loss is than that of giving every case the share of positives. 0 is no better.

    1 - log_loss / entropy of the class mix

    Undefined: no actual positives (positives = 0), or no actual negatives (negatives = 0).
    Source: McFadden (1974), as R^2 of a model and of its constant alone.
    """
    return _of_both(t, _better_than_entropy(log_loss(t), t.prior))


@measure(
    aka=("tjur_r2", "coefficient_of_discrimination"),
    range=(-1.0, 1.0),
    interval="mean-of-prior",
    loss=share_of_probability,
    scores="probability",
)
def discrimination_slope(t: RankingTable) -> Any:
    """Mean probability of the positives less that of the negatives.

    mean of p over the positives - mean of p over the negatives

    Undefined: no actual positives (positives = 0), or no actual negatives (negatives = 0).
    Source: Tjur (2009), The American Statistician 63, 366-372.
    """
    positive, negative = (areas.total(weight * t.probability) for weight in (t.positive, t.negative))
    return within(
        ratio(positive, areas.plain(t.positives * 1.0)) - ratio(negative, areas.plain(t.negatives * 1.0)),
        -1.0,
        1.0,
    )


@measure(
    aka=("average_hinge_loss",),
    range=UNBOUNDED,
    best=None,
    better="lower",
    interval="mean",
    loss=hinge,
    scores="margin",
)
def hinge_loss(t: RankingTable) -> Any:
    """Mean of what the scores are short of 1 on the right side of 0.

    mean of max(0, 1 - y s), with y = 1 for positives and -1 for negatives

    Scores are signed distances from a boundary, as a support vector machine gives them (score_kind="margin").

    Undefined: no cases (positives + negatives = 0).
    Source: Berrar, Def. 35.
    """
    return mean_loss(t, hinge)
