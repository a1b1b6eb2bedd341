"""Evaluations that may have scores: whether these are probabilities, and which measures require that."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from functools import cached_property

from ...measures import registry
from ...summaries import BinnedTable, ClassScores, RankingTable
from .base import Evaluation


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ScoredEvaluation(Evaluation):
    """An evaluation of cases that may have scores.

    Attributes
    ----------
    score_kind : str or None
        The stated kind of the scores, as "logit" or "llr"; None if none is stated.
    """

    score_kind: str | None = None

    @property
    @abstractmethod
    def scored(self) -> RankingTable | ClassScores | None:
        """The table of the scores; None where only labels or counts were given."""

    @property
    def probabilities(self) -> bool:
        """Whether the scores are stated to be logits, or may be probabilities.

        They may be where all lie in [0, 1] and no other kind is stated.
        """
        if self.score_kind not in (None, "probability", "logit"):
            return False
        return self.scored is not None and bool(self.scored.in_unit_interval)

    @property
    def in_bins(self) -> BinnedTable | None:
        """The bins, where scores are known only as bins of several of them."""
        return None

    @cached_property
    def left_out(self) -> tuple[str, ...]:
        """The measures that need probabilities, where the scores are not probabilities."""
        if self.probabilities or self.scored is None:
            return ()
        return tuple(entry.name for entry in registry.find(type(self.scored)) if entry.needs_probabilities)

    @property
    def _kinds_of_scores(self) -> frozenset[str | None]:
        kinds = {None, self.score_kind}
        return frozenset(kinds - {"probability"} if self.left_out else kinds | {"probability"})
