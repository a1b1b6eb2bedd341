"""What evaluations share that may be of scores: whether these are probabilities, and which measures need
such."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from functools import cached_property

from ...measures import registry
from ...summaries import ClassScores, RankingTable
from .base import Evaluation


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ScoredEvaluation(Evaluation):
    """An evaluation of cases that may have scores.

    Attributes
    ----------
    score_kind : str or None
        What the scores are said to be, as "logit" or "llr"; None if nothing.
    """

    score_kind: str | None = None

    @property
    @abstractmethod
    def scored(self) -> RankingTable | ClassScores | None:
        """The table of the scores; None where only labels or counts were given."""

    @property
    def probabilities(self) -> bool:
        """Whether the scores may be probabilities, or are said to be their logits: all lie in [0, 1], and
        nothing else is said."""
        if self.score_kind not in (None, "probability", "logit"):
            return False
        return self.scored is not None and bool(self.scored.in_unit_interval)

    @cached_property
    def left_out(self) -> tuple[str, ...]:
        """The measures that need probabilities, where the scores are none."""
        if self.probabilities or self.scored is None:
            return ()
        return tuple(entry.name for entry in registry.find(type(self.scored)) if entry.needs_probabilities)

    @property
    def _kinds_of_scores(self) -> frozenset[str | None]:
        kinds = {None, self.score_kind}
        return frozenset(kinds - {"probability"} if self.left_out else kinds | {"probability"})
