"""The loss of a case, from the probability that was predicted for its actual class."""

from typing import Any

import numpy as np

from .outcome_probabilities import OutcomeProbabilities


def squared_error(given: OutcomeProbabilities) -> Any:
    """(1 - p)^2."""
    return np.square(1 - given.p)


def absolute_error(given: OutcomeProbabilities) -> Any:
    """1 - p."""
    return 1 - given.p


def predicted(given: OutcomeProbabilities) -> Any:
    """The predicted probability of being positive."""
    return given.of_positive


def log_error(given: OutcomeProbabilities, base: float = np.e, clip: float | None = None) -> Any:
    """-log p, with p no smaller than `clip`, by default the precision of the scores."""
    return -given.log(clip) / np.log(base)


def balanced_log_error(
    given: OutcomeProbabilities, alpha: float | None = None, base: float = np.e, clip: float | None = None
) -> Any:
    """-log p, times alpha for positives and 1 - alpha for negatives."""
    return _times(
        _of_classes(given, 1 - given.prior if alpha is None else alpha), log_error(given, base, clip)
    )


def focal_error(
    given: OutcomeProbabilities,
    gamma: float = 2.0,
    alpha: float | None = None,
    base: float = np.e,
    clip: float | None = None,
) -> Any:
    """-(1 - p)^gamma log p."""
    charges = np.power(1 - given.p, gamma) * log_error(given, base, clip)
    return charges if alpha is None else _times(_of_classes(given, alpha), charges)


def _times(factor: Any, charges: Any) -> Any:
    """The product, and 0 where the factor is 0 and the loss infinite."""
    return np.where(factor > 0, factor, 0.0) * np.where(factor > 0, charges, 0.0)


def _of_classes(given: OutcomeProbabilities, alpha: Any) -> Any:
    return np.where(given.positive, alpha, 1 - alpha)


def information(given: OutcomeProbabilities, base: float = np.e, prior: float | None = None) -> Any:
    """log(p / prior of the class) where p is above the prior, else log((1 - prior) / (1 - p))."""
    return information_of(given.p, _of_classes(given, given.prior if prior is None else prior), base)


def information_of(p: Any, own: Any, base: float) -> Any:
    """The same of the probability p of a class whose proportion is `own`."""
    with np.errstate(divide="ignore", invalid="ignore"):
        gained = np.log(np.maximum(p, own) / own)
        lost = np.log((1 - own) / (1 - np.minimum(p, own)))
    return (gained + lost) / np.log(base)


def spherical_reward(given: OutcomeProbabilities) -> Any:
    """p / sqrt(p^2 + (1 - p)^2)."""
    return given.p / np.sqrt(np.square(given.p) + np.square(1 - given.p))


def share_of_probability(given: OutcomeProbabilities) -> Any:
    """The contribution of a case to the difference of the mean probabilities of the two classes."""
    p = np.where(given.positive, given.p, given.p - 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return p / _of_classes(given, given.prior)


def hinge(given: OutcomeProbabilities) -> Any:
    """max(0, 1 - margin)."""
    return np.maximum(0.0, 1 - given.margin)


def missing_information(given: OutcomeProbabilities) -> Any:
    """log2(1 + exp(-margin)) / 2, over the share of the actual class, so that both classes count equally."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.logaddexp(0.0, -given.margin) / (2 * np.log(2) * _of_classes(given, given.prior))


def entropy(prior: Any) -> Any:
    """The entropy of two classes, in nats."""
    shares = np.stack([prior, 1 - np.asarray(prior)])
    terms = -shares * np.log(shares, where=shares > 0, out=np.zeros_like(shares, float))
    return terms[0] + terms[1]
