"""Ranking tables of logits, in which probabilities near 0 and 1 are not rounded."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..input.validate import frozen
from .cached import cached
from .outcome_probabilities import OutcomeProbabilities, both_classes
from .probabilities_of_tables import between
from .ranking import RankingTable
from .squares import Squares
from .top_label import of_answers, of_two_sides


class LogitTable(RankingTable):
    """The distinct logits, highest first, with the weight of the positives and of the negatives at each.

    Parameters
    ----------
    score : array of float32 or float64, shape (n,)
        The logits z = log(p / (1 - p)), strictly descending.
    positive, negative, squares
        As for `RankingTable`.

    Notes
    -----
    A `RankingTable`: ranking measures and curves use z, and probabilistic measures p = 1 / (1 + exp(-z)).
    Nothing overflows or is clipped: the logarithm of p is computed from z.
    """

    SCORE_KIND = "logit"
    ENDS = (-np.inf, np.inf)  # of the scores of which the probabilities are 0 and 1

    @property
    def in_unit_interval(self) -> bool:
        """True, since every logit has a probability."""
        return True

    @cached
    def probability(self) -> np.ndarray:
        """1 / (1 + exp(-z))."""
        return frozen(self.probabilities_of(slice(None)))

    def probabilities_of(self, rows: slice) -> np.ndarray:
        """The probabilities of some rows."""
        found: np.ndarray = sigmoid(self.logits_of(rows))
        return found

    @cached
    def logit(self) -> np.ndarray:
        """The scores, float64."""
        return frozen(self.score.astype(np.float64))

    def logits_of(self, rows: slice) -> np.ndarray:
        """The logits of some rows."""
        logit: np.ndarray = self.logit[rows]
        return logit

    @property
    def has_finite_logit(self) -> slice:
        """The rows with a finite logit, which are consecutive."""
        return between(self.logit, -np.inf, np.inf)

    @cached
    def given(self) -> OutcomeProbabilities:
        """The predicted probabilities of the actual classes."""
        return GivenLogits(self)

    @cached
    def confidence(self) -> RankingTable:
        """The logit of the predicted class, positive where z >= 0, as scores; right answers are positives."""
        if self.positive.ndim == 1:
            return of_two_sides(self, self.score, 0.0, np.negative)
        yes = self.score >= 0
        right, wrong = (
            np.where(yes, self.positive, self.negative),
            np.where(yes, self.negative, self.positive),
        )
        squares = self.squares and Squares(
            *(np.where(yes, *order) for order in (self.squares, self.squares[::-1]))
        )
        return of_answers(LogitTable, np.abs(self.score), right, wrong, squares)

    def as_probabilities(self) -> RankingTable:
        """The table of p; logits with the same rounded p become one score."""
        p = self.probability
        new = np.flatnonzero(np.append(True, p[1:] != p[:-1])) if len(p) else np.empty(0, np.int64)
        same = self.grouped(new)
        return RankingTable.of(p[new], same.positive, same.negative, same.squares)


class GivenLogits(OutcomeProbabilities):
    """The predicted probabilities of the actual classes, of logits."""

    @cached
    def _entries(self) -> tuple[np.ndarray, np.ndarray]:
        t = self.table
        weight = both_classes(t.positive[..., self._rows], t.negative[..., self._rows])
        return sigmoid(self.margin), self._there(weight.astype(np.float64))

    def _log(self, clip: float | None) -> np.ndarray:
        """-log(1 + exp(-margin)), at least log(clip) if clip is given."""
        logs: np.ndarray = -np.logaddexp(0.0, -self.margin)
        with np.errstate(divide="ignore"):
            return logs if clip is None else np.maximum(logs, np.log(clip))


def sigmoid(z: Any) -> Any:
    """1 / (1 + exp(-z)), without overflow; in NumPy, since loading SciPy takes longer than an evaluation."""
    small = np.exp(-np.abs(z))
    return np.where(np.less(z, 0), small, 1.0) / (1.0 + small)


def logit(p: Any) -> Any:
    """log(p / (1 - p)), without a division: infinite for 0 and 1."""
    with np.errstate(divide="ignore"):
        return np.log(p) - np.log1p(-np.asarray(p))
