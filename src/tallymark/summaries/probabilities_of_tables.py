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
        return validate.frozen(np.clip(self.score.astype(np.float64), 0.0, 1.0))

    def as_probabilities(self) -> Any:
        """The table whose scores are the probabilities: this one, or for logits another one."""
        return self

    @cached
    def logit(self) -> np.ndarray:
        """log(p / (1 - p)) of every probability: infinite for 0 and 1."""
        with np.errstate(divide="ignore"):
            return validate.frozen(np.log(self.probability) - np.log1p(-self.probability))

    @cached
    def given(self) -> OutcomeProbabilities:
        """The predicted probabilities of the actual classes."""
        return OutcomeProbabilities(self)

    @property
    def logit_positives(self) -> Any:
        """The weight of the positives with a finite logit."""
        return row_sum(self.positive[..., np.isfinite(self.logit)])

    @property
    def logit_negatives(self) -> Any:
        """The weight of the negatives with a finite logit."""
        return row_sum(self.negative[..., np.isfinite(self.logit)])

    @property
    def logit_overlap(self) -> Any:
        """1 where the finite logits of both classes overlap, so that a logistic regression exists, else 0."""
        there = np.isfinite(self.logit)
        return overlap_of(self.positive[..., there], self.negative[..., there])
