"""The scores of the classes as probabilities."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..input import probabilities
from ..input.messages.notes import Note
from ..input.score_columns import named, score_columns
from .cached import cached


class ClassProbabilities:
    """The scores of a case as predicted probabilities of the classes."""

    score: np.ndarray
    truth: np.ndarray

    @property
    def probability(self) -> np.ndarray:
        """The scores as probabilities of the classes, float64, shape (n, K)."""
        exact: np.ndarray = self._exact
        return exact

    @cached
    def _exact(self) -> np.ndarray:
        """The scores as float64, for sums."""
        return self.score.astype(np.float64, copy=False)

    @property
    def epsilon(self) -> float:
        """The precision of the widest type of the columns."""
        return float(np.finfo(self.score.dtype).eps)

    @property
    def in_unit_interval(self) -> bool:
        """Whether the scores of every case lie in [0, 1] and add up to 1, but for rounding.

        The tolerance is 1e-6, or, where no score has more than d decimals (at least 2), K / 2 units of the
        last one (at most 0.1).
        """
        return self._stray is None

    @cached
    def _stray(self) -> int | None:
        """The first case whose scores are not probabilities."""
        bad = probabilities.no_distribution(self.probability, self.epsilon)
        return int(bad.argmax()) if bad.any() else None

    @property
    def why_no_probabilities(self) -> Note:
        """Why the scores are not probabilities."""
        return probabilities.why_no_distribution(self.probability[self._stray])

    def check_probabilities(self, score: Any) -> None:
        """Raises InputError with the first row of scores that are not probabilities.

        score: the scores from which this was made.
        """
        if not self.in_unit_interval:
            probabilities.check_rows(
                [named(values, role) for role, values in score_columns(score, True).items()]
            )

    @cached
    def given(self) -> np.ndarray:
        """The predicted probability of the actual class of every case."""
        given: np.ndarray = np.clip(
            self.score[np.arange(len(self.truth)), self.truth].astype(np.float64), 0.0, 1.0
        )
        return given

    def log_given(self, clip: float | None = None) -> np.ndarray:
        """The natural logarithm of `given`, of at least `clip`, by default the precision of the scores."""
        with np.errstate(divide="ignore"):
            logs: np.ndarray = np.log(np.maximum(self.given, self.epsilon if clip is None else clip))
        return logs

    @property
    def highest(self) -> np.ndarray:
        """The highest probability of every case, or its logit for logits, in the type of the scores."""
        highest: np.ndarray = np.clip(self.score.max(axis=1, initial=0.0), 0.0, 1.0)
        return highest
