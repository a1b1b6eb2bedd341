"""How good the scores are as probabilities of being positive. A loss is charged per case and averaged."""

from collections.abc import Callable

import numpy as np

from ..registry import measure, ratio
from ..summaries import RankingTable


def mean_loss(t: RankingTable, loss: Callable):
    """The mean over all cases of a loss, which is a function of the probability given to what was true, and of its epsilon."""
    if t.positive.ndim > 1:
        return _of_replicates(t, loss)
    p, weight = t.given_to_truth
    return ratio(float(weight @ loss(p, t.epsilon)), float(np.add.reduce(weight)))


def _of_replicates(t, loss):
    p = t.score.astype(float)
    charged = (
        np.where(weight > 0, loss(given, t.epsilon), 0.0) * weight for given, weight in ((p, t.positive), (1 - p, t.negative))
    )
    return ratio(np.add.reduce(sum(charged), axis=-1), t.positives + t.negatives)


def squared_error(p, epsilon):
    """(1 - p)^2."""
    return np.square(1 - p)


def log_error(p, epsilon, base=np.e, clip=None):
    """-log p, with p no smaller than epsilon, or than `clip` if that is given."""
    with np.errstate(divide="ignore"):
        return -np.log(np.maximum(p, epsilon if clip is None else clip)) / np.log(base)


@measure(aka=("mean_squared_error", "brier"), best=0.0, interval="mean", loss=squared_error)
def brier_score(t: RankingTable):
    """Mean squared difference between the probability given and what was true (1 or 0).

    mean of (y - p)^2

    Undefined: no cases (positives + negatives = 0).
    Source: Berrar, Def. 18.
    """
    return mean_loss(t, squared_error)


@measure(
    aka=("cross_entropy", "logloss", "logarithmic_loss"),
    range=(0.0, np.inf),
    best=0.0,
    interval="mean",
    loss=log_error,
    limits={"base": (1.0001, 1e6), "clip": (0.0, 1.0)},
)
def log_loss(t: RankingTable, *, base: float = np.e, clip: float | None = None):
    """Mean of minus the logarithm of the probability given to what was true.

    mean of -log p for positives and -log(1 - p) for negatives

    base: of the logarithm, natural by default. clip: the smallest probability that counts, by default the epsilon of the score's
    type (2.2e-16, or 1.2e-7 in single precision); 0 gives infinity where something certain did not happen.

    Undefined: no cases (positives + negatives = 0).
    Source: Berrar, Def. 20 (to base 2); Flemming.
    Differs: other tools clip at 1e-15 or not at all.
    """
    return mean_loss(t, lambda p, epsilon: log_error(p, epsilon, base, clip))
