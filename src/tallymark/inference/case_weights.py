"""A model of importance weights that may depend on the class and on the score.

The weight of a case is modelled as a factor of its class times a factor of its score, as for class weights,
sampling weights of strata, and verification of only some of those predicted negative. Where probabilities p
are calibrated in the weighted population, a case with that score is a positive of weight a b with probability
q, or a negative of weight c b, and q a (1 - p) = (1 - q) c p. So its weight times (y - p) has mean 0 and
variance a b c b p (1 - p): the design effect of Rao and Scott (1981), case by case.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..measures.families.bins import places_of_equal_mass
from ..measures.registry import ratio
from ..summaries import RankingTable

BINS = 10  # of scores, for the factors of the classes
ROUNDS = 20
TINY = 1e-300


class CaseWeights(NamedTuple):
    """The factors of the weights.

    positive, negative: of the class; score: of each score; cases: the number of cases with each score.
    """

    positive: float
    negative: float
    score: np.ndarray
    cases: np.ndarray

    def of(self, rows: slice) -> CaseWeights:
        """Those of some scores."""
        return self._replace(score=self.score[rows], cases=self.cases[rows])

    def variance(self, probability: np.ndarray) -> np.ndarray:
        """At each score, the variance of the sum of weight times (y - p), if these p are calibrated."""
        return self.cases * self.positive * self.negative * self.score**2 * probability * (1 - probability)

    def fourth_cumulant(self, probability: np.ndarray) -> np.ndarray:
        """The fourth cumulant of this sum.

        For a case it is the square of its variance times (1 - 6 q (1 - q)) / (q (1 - q)).
        """
        variance, (positive, negative) = self.variance(probability), self._odds(probability)
        spread = np.where(variance > 0, positive * negative / (positive + negative) ** 2, 1.0)
        return variance**2 / self.cases * (1 - 6 * spread) / spread

    def sampled(self, probability: np.ndarray) -> np.ndarray:
        """The probability of a positive in the sample, from that in the weighted population."""
        positive, negative = self._odds(probability)
        return positive / (positive + negative)

    def _odds(self, probability: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The odds of a positive in the sample."""
        return probability * self.negative, (1 - probability) * self.positive


def case_weights(table: RankingTable) -> CaseWeights:
    """The factors for a table of probabilities; 1 without squared weights."""
    size = np.asarray(table.positive + table.negative, float)
    if table.squared.positive is table.positive:
        return CaseWeights(1.0, 1.0, np.ones(len(table)), size)
    positive, negative = _of_classes(table)
    score = ratio(sum(table.squared), positive * table.positive + negative * table.negative)
    return CaseWeights(
        positive, negative, score, (table.positive / positive + table.negative / negative) / score
    )


def _of_classes(table: RankingTable) -> list[float]:
    """The factors of the classes, from a model with factors of bins, too.

    The logarithms of the weights are the sum of both, fitted by alternating least squares. A class without
    cases has the factor of the other one.
    """
    place, weights = places_of_equal_mass(table, BINS), (table.positive, table.negative)
    units = [
        np.where(weight > 0, ratio(part, weight), 1.0)
        for part, weight in zip(table.squared, weights, strict=True)
    ]
    cases = np.stack(
        [np.bincount(place, weight / unit, BINS) for weight, unit in zip(weights, units, strict=True)]
    )
    logs = np.stack(
        [np.bincount(place, w / unit * np.log(unit), BINS) for w, unit in zip(weights, units, strict=True)]
    )
    there, of_class = cases.any(1), np.zeros(2)
    for _ in range(ROUNDS):
        of_bin = (logs - cases * of_class[:, None]).sum(0) / np.maximum(cases.sum(0), TINY)
        of_class = (logs - cases * of_bin).sum(1) / np.maximum(cases.sum(1), TINY)
    return np.exp(np.where(there, of_class, of_class[there].mean())).tolist()
