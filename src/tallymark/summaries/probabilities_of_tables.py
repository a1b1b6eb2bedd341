"""The scores of a ranking table as predicted probabilities."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..input import columns, probabilities, validate
from ..input.messages.notes import Note
from .by_score import overlap_of
from .cached import cached
from .outcome_probabilities import OutcomeProbabilities
from .squares import row_sum


class Probabilities:
    """The predicted probabilities of a table of scores or logits."""

    score: np.ndarray
    positive: np.ndarray
    negative: np.ndarray

    @cached
    def in_unit_interval(self) -> bool:
        """Whether every score lies in [0, 1], but for rounding, so that it may be a probability."""
        if not len(self.score):
            return True
        low, high = float(self.score[-1]), float(self.score[0])
        return low >= -probabilities.SLACK and high <= 1 + probabilities.SLACK

    @property
    def why_no_probabilities(self) -> Note:
        """Why the scores are not probabilities."""
        return Note("scores-range", low=float(self.score[-1]), high=float(self.score[0]))

    def check_probabilities(self, score: Any) -> None:
        """Raises InputError with the first score that is not a probability.

        score: the scores from which the table was made.
        """
        if not self.in_unit_interval:
            probabilities.check(columns.read(score, "score"))

    @cached
    def probability(self) -> np.ndarray:
        """The scores as probabilities of the positive class, float64, clipped to [0, 1]."""
        p = self.score
        ordered = self.positive.ndim == 1 and len(p) > 0
        if ordered and p.dtype == np.float64 and p[0] <= 1 and p[-1] >= 0:
            return p
        return validate.frozen(self.probabilities_of(slice(None)))

    def probabilities_of(self, rows: slice) -> np.ndarray:
        """The probabilities of some rows."""
        found: np.ndarray = np.clip(self.score[rows].astype(np.float64), 0.0, 1.0)
        return found

    def as_probabilities(self) -> Any:
        """The table whose scores are the probabilities: this one, or for logits another one."""
        return self

    @cached
    def logit(self) -> np.ndarray:
        """log(p / (1 - p)) of every probability: infinite for 0 and 1."""
        return validate.frozen(self.logits_of(slice(None)))

    def logits_of(self, rows: slice) -> np.ndarray:
        """The logits of some rows."""
        p = self.probability[rows]
        with np.errstate(divide="ignore"):
            found: np.ndarray = np.log(p) - np.log1p(-p)
        return found

    @property
    def has_finite_logit(self) -> slice:
        """The rows with a probability above 0 and below 1, which are consecutive."""
        return between(self.probability, 0.0, 1.0)

    @cached
    def given(self) -> OutcomeProbabilities:
        """The predicted probabilities of the actual classes."""
        return OutcomeProbabilities(self)

    @property
    def logit_positives(self) -> Any:
        """The weight of the positives with a finite logit."""
        return row_sum(self.positive[..., self.has_finite_logit])

    @property
    def logit_negatives(self) -> Any:
        """The weight of the negatives with a finite logit."""
        return row_sum(self.negative[..., self.has_finite_logit])

    @property
    def expected_positives(self) -> Any:
        """The number of positives that the probabilities add up to."""
        return row_sum((self.positive + self.negative) * self.probability)

    @property
    def logit_overlap(self) -> Any:
        """1 where the finite logits of both classes overlap, so that a logistic regression exists, else 0."""
        there = self.has_finite_logit
        return overlap_of(self.positive[..., there], self.negative[..., there])


def between(values: np.ndarray, low: float, high: float) -> slice:
    """The rows of descending values that lie above `low` and below `high`."""
    ascending = values[::-1]
    ends = np.searchsorted(ascending, high, "left"), np.searchsorted(ascending, low, "right")
    return slice(*(len(values) - int(end) for end in ends))
