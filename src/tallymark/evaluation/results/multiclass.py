"""The evaluation of more than two classes: of a score per class, or of predicted labels."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from ...inference.fixed_sizes import with_fixed_mix
from ...input import validate
from ...input.calls import public
from ...input.messages import Note
from ...input.spelling import IN_FORMATS
from ...input.validate import InputError
from ...measures import registry
from ...measures.families.multiclass_ranking import against_the_rest
from ...summaries import ClassScores, ConfusionMatrix, LogitTable, RankingTable
from ..availability import kind_needed, why_not_in_order
from ..thresholds import HIGHEST_SCORE, PREDICTED, default_threshold
from .base import guessed
from .binary import BinaryEvaluation
from .lacking import NO_CLASS_SCORES
from .of_classes import ClasswiseEvaluation
from .of_scores import ScoredEvaluation


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class MulticlassEvaluation(ScoredEvaluation, ClasswiseEvaluation):
    """Every measure of more than two classes.

    Attributes
    ----------
    matrix : ConfusionMatrix
        The K x K matrix of the predicted labels, or of the classes with the highest score.
    scores : ClassScores or None
        The scores of every class; None where only labels were given.
    score_kind : str or None
        The stated kind of the scores, as "logit".

    The other attributes are as in `Evaluation`.
    """

    FIGURE = "confusion"

    task = "multiclass"
    AGAIN = (
        "keep the summary with ev.matrix.to_json(), of a score per class with ev.scores.to_json(), or"
        " evaluate again"
    )
    summary_types = (ClassScores, ConfusionMatrix)

    matrix: ConfusionMatrix
    scores: ClassScores | None = None

    @property
    def summaries(self) -> tuple[Any, ...]:
        """The table of scores, where there is one, and the matrix."""
        return tuple(one for one in (self.scores, self.matrix) if one is not None)

    @property
    def scored(self) -> ClassScores | None:
        """The table of the scores; None where only labels were given."""
        return self.scores

    @property
    def table_of_classes(self) -> ConfusionMatrix:
        """The matrix."""
        return self.matrix

    @property
    def baselines(self) -> dict[str, float]:
        """The accuracy of classifiers that ignore the cases, "random" and "largest class".

        "random" predicts all classes equally often, "largest class" always that one.
        """
        return guessed(self.many.counts.positives.tolist())

    @property
    def class_areas(self) -> dict[Any, float]:
        """By label, the roc_auc of the class against all others by its own score; empty without scores."""
        if self.scores is None:
            return {}
        return dict(zip(self.scores.labels, against_the_rest(self.scores).value.tolist(), strict=True))

    @public()
    def one_vs_rest(self, label: Any) -> BinaryEvaluation:
        """The evaluation of one class against all others, by the score of that class.

        Parameters
        ----------
        label : object
            One of the labels of the scores.

        Returns
        -------
        BinaryEvaluation
            At the threshold 0.5 for scores in [0, 1], else at that of the largest Youden index.

        Raises
        ------
        InputError
            Without a score per class, and for an unknown label.
        """
        if self.scores is None:
            raise InputError("unsupported", "one_vs_rest", NO_CLASS_SCORES.format(**IN_FORMATS))
        if not validate.hashable(label) or label not in self.scores.labels:
            known = ", ".join(map(str, self.scores.labels))
            raise InputError(
                "unknown-name",
                "label",
                f"{validate.shown(label)} is not a class here",
                f"the classes are {known}",
                value=label,
            )
        ranking = self.scores.one_vs_rest(label)
        kind = "logit" if isinstance(ranking, LogitTable) else None
        chosen = default_threshold(ranking, ranking.in_unit_interval, kind)
        return BinaryEvaluation(
            data=replace(self.data, positives=ranking.positives, negatives=ranking.negatives),
            settings=with_fixed_mix(self.settings, self.scores),
            parameters=self.parameters,
            threshold=chosen,
            counts=ranking.counts_at(chosen.value if chosen.value is not None else 0.5),
            ranking=ranking,
            labels=("other", label),
            score_kind=kind,
        )

    def why_not(self, entry: registry.Measure) -> Note:
        """Why a measure is not available, and how to get it."""
        if entry.ordered and self.matrix.unanswered is not None:
            return Note("answers-without-order")
        if self.scores is not None and entry.summary is RankingTable:
            return Note("needs-two-classes")
        if self.scores is None or entry.summary is not ClassScores:
            return super().why_not(entry)
        if entry.name in self.left_out:
            return Note("no-probabilities", because=self.scores.why_no_probabilities)
        return kind_needed(entry) or why_not_in_order(entry)

    @property
    def _has_order(self) -> bool:
        return bool(self.matrix.has_order)

    def _head(self) -> dict[str, Any]:
        rule = PREDICTED if self.scores is None else HIGHEST_SCORE
        return super()._head() | {"score_kind": self.score_kind, "rule": rule.to_dict()}

    def _more(self) -> dict[str, Any]:
        return super()._more() | {"matrix": self.matrix.to_dict()}
