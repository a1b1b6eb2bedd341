"""Logits per class: softmax turns them into probabilities, whose logarithms are kept."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..input import columns, probabilities
from .cached import cached
from .class_scores import ClassScores
from .logits import LogitTable
from .ranking import RankingTable


class ClassLogits(ClassScores):
    """The actual class of every case, and the log-probability of each class from logits.

    Parameters
    ----------
    labels, truth, weight, affix, weight_kind
        As for `ClassScores`.
    score : array of float64, shape (n, K)
        The natural logarithm of softmax of the logits. The scores of a case differ from its logits by a
        constant, so that the order of the classes is the same.

    Notes
    -----
    A `ClassScores`. `from_arrays` takes the logits and computes the scores.
    """

    SCORE_KIND = "logit"
    kind_of_table = LogitTable

    @classmethod
    def _held(cls, rows: np.ndarray, scores: list[columns.Column], called: str) -> np.ndarray:
        from scipy.special import log_softmax

        probabilities.some_finite(scores, called)
        with np.errstate(over="ignore"):  # of differences beyond 1e308
            held: np.ndarray = log_softmax(rows.astype(np.float64), axis=0)
        return held

    @cached
    def probability(self) -> np.ndarray:
        """Softmax of the logits, shape (n, K)."""
        probability: np.ndarray = np.exp(self.score)
        return probability

    @property
    def in_unit_interval(self) -> bool:
        """True, since every row of logits has probabilities."""
        return True

    @cached
    def logit(self) -> np.ndarray:
        """log(p / (1 - p)) of every probability, shape (n, K).

        For the highest probability 1 - p is computed as the sum of the others.
        """
        from scipy.special import logsumexp

        with np.errstate(divide="ignore"):
            logits: np.ndarray = self.score - np.log1p(-self.probability)
        if not len(self.truth):
            return logits
        rows, top = np.arange(len(self.truth)), self.score.argmax(axis=1)
        others = np.where(np.arange(len(self)) == top[:, None], -np.inf, self.score)
        logits[rows, top] = self.score[rows, top] - logsumexp(others, axis=1)
        return logits

    @property
    def ranked_by(self) -> np.ndarray:
        """The logits, which differ where probabilities are rounded to 1."""
        logit: np.ndarray = self.logit
        return logit

    @property
    def highest(self) -> np.ndarray:
        """The logit of the highest probability of every case."""
        highest: np.ndarray = self.logit.max(axis=1, initial=-np.inf)
        return highest

    @cached
    def given(self) -> np.ndarray:
        """The predicted probability of the actual class of every case."""
        given: np.ndarray = np.exp(self.log_given())
        return given

    def log_given(self, clip: float | None = None) -> np.ndarray:
        """The natural logarithm of `given`, of at least `clip` if that is given."""
        logs: np.ndarray = self.score[np.arange(len(self.truth)), self.truth]
        with np.errstate(divide="ignore"):
            return logs if clip is None else np.maximum(logs, np.log(clip))

    def one_vs_rest(self, label: Any) -> RankingTable:
        """The table of a class against all others: the logit of its probability."""
        return self._against_others(label, LogitTable, lambda i: self.logit[:, i])
