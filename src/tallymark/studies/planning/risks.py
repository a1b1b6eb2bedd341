"""The distribution of the predicted probabilities of a model, as weighted points."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np

from ...input import columns, validate
from ...input.spelling import option
from ...input.validate import InputError
from .plan import share_of

POINTS = 20_001  # quantiles that approximate a distribution
MIDDLES = (np.arange(POINTS) + 0.5) / POINTS


@dataclass(frozen=True, eq=False)
class Risks:
    """Probabilities in ascending order, without ties, with weights that add up to 1.

    said: what they are based on, in words.
    """

    probability: np.ndarray
    weight: np.ndarray
    said: str

    @classmethod
    def of(cls, probability: np.ndarray, said: str, weight: np.ndarray | None = None) -> Risks:
        """Sorted, with ties merged."""
        values, place = np.unique(probability, return_inverse=True)
        weights = np.bincount(place, weight, len(values))
        return cls(values, weights / weights.sum(), said)

    @property
    def mean(self) -> float:
        """The prevalence, if the probabilities are calibrated."""
        return float(self.weight @ self.probability)

    @property
    def classes(self) -> tuple[np.ndarray, np.ndarray]:
        """The distribution within the positives and within the negatives, if they are calibrated."""
        both = self.weight * self.probability, self.weight * (1 - self.probability)
        return both[0] / both[0].sum(), both[1] / both[1].sum()

    @property
    def area(self) -> float:
        """The area under the ROC curve, if the probabilities are calibrated."""
        positive, negative = self.classes
        return float(positive @ (np.cumsum(negative) - negative / 2))

    def rates(self, threshold: float) -> tuple[float, float]:
        """The sensitivity and the specificity at a threshold, if the probabilities are calibrated."""
        positive, negative = self.classes
        above = self.probability >= threshold
        return float(positive[above].sum()), float(negative[~above].sum())

    @property
    def information(self) -> tuple[float, float, float]:
        """The information of one case on the logistic recalibration: intercept, both, and slope.

        It is E p(1-p) (1, logit p, (logit p)^2).
        """
        from scipy.special import logit

        inside = (self.probability > 0) & (self.probability < 1)
        p, weight = self.probability[inside], self.weight[inside]
        known, x = weight * p * (1 - p), logit(p)
        return float(known.sum()), float(known @ x), float(known @ x**2)


def risks(
    prevalence: float | None, area: float | None, logit_normal: Any, probability_beta: Any, probabilities: Any
) -> tuple[Risks, float]:
    """The distribution, from the arguments given, and the prevalence.

    The prevalence is the one given, else the mean of the probabilities.
    """
    given = {
        "logit_normal": logit_normal,
        "probability_beta": probability_beta,
        "probabilities": probabilities,
    }
    share = None if prevalence is None else share_of(prevalence, "prevalence")
    if all(value is None for value in given.values()):
        if share is None or area is None:
            raise InputError(
                "needed",
                "prevalence, auc",
                "both are needed where the distribution of the probabilities is not given",
                f"or give it, as {option('logit_normal', (-2, 1))}",
            )
        return _two_normals(share, area), share
    kind = validate.one_of(given)
    found = _KINDS[kind](given[kind])
    return found, found.mean if share is None else share


def _logit_normal(given: Any) -> Risks:
    from scipy.special import expit, ndtri

    mean, spread = _pair(given, "logit_normal", (-50.0, 1e-6), (50.0, 50.0))
    said = f"The logits of the probabilities are normal with mean {mean:g} and standard deviation {spread:g}"
    return Risks.of(expit(mean + spread * ndtri(MIDDLES)), said)


def _probability_beta(given: Any) -> Risks:
    from scipy.special import betaincinv

    a, b = _pair(given, "probability_beta", (1e-3, 1e-3), (1e6, 1e6))
    return Risks.of(
        betaincinv(a, b, MIDDLES),
        f"The probabilities follow a beta distribution with parameters {a:g} and {b:g}",
    )


def _sample(given: Any) -> Risks:
    column = columns.read(given, "probabilities")
    values = np.asarray(validate.scores(column), np.float64)
    if len(values) < 2:
        raise InputError(
            "invalid-value",
            "probabilities",
            f"{validate.shown(given)} is not a sample",
            "give the probabilities of 2 cases or more",
        )
    bad = np.flatnonzero(~((values >= 0) & (values <= 1)))
    if len(bad):
        raise InputError(
            "invalid-value",
            "probabilities",
            f"{values[bad[0]]:g} in {column.row(int(bad[0]))} is not a probability",
            "give numbers from 0 to 1",
            row=int(bad[0]),
            value=values[bad[0]],
        )
    if len(np.unique(values[(values > 0) & (values < 1)])) < 2:
        raise InputError(
            "invalid-value",
            "probabilities",
            "no two different ones lie between 0 and 1, and a slope needs them",
            "give others",
        )
    return Risks.of(values, f"The probabilities are distributed as in the sample of {len(values):,}")


def _two_normals(share: float, area: float) -> Risks:
    """Calibrated logits that are normal in each class with the same variance."""
    from scipy.special import expit, logit, ndtri

    if area <= 0.5:
        raise InputError(
            "invalid-value",
            "auc",
            f"{area:g} does not determine the probabilities",
            "give one above 0.5, or their distribution",
        )
    apart = 2 * ndtri(area) ** 2  # the variance, and the distance of the means
    low = logit(share) - apart / 2
    values = low + sqrt(apart) * ndtri(MIDDLES)
    weights = np.repeat([1 - share, share], POINTS)
    said = (
        "The logits of the probabilities are normal in each class with the same variance, as the prevalence"
        " and the area imply"
    )
    return Risks.of(expit(np.concatenate([values, values + apart])), said, weights)


_KINDS = {"logit_normal": _logit_normal, "probability_beta": _probability_beta, "probabilities": _sample}


def _pair(
    given: Any, role: str, least: tuple[float, float], most: tuple[float, float]
) -> tuple[float, float]:
    if not isinstance(given, (tuple, list)) or len(given) != 2:
        raise InputError(
            "invalid-value",
            role,
            f"{validate.shown(given)} is not two numbers",
            f"give two, as {role}=(-2, 1)",
        )
    first, second = (validate.number(one, role, *ends) for one, *ends in zip(given, least, most, strict=True))
    return first, second
