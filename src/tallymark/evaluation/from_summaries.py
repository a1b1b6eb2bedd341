"""From a summary to its evaluation: counts, tables of scores, matrices, several labels, residuals."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial, singledispatch
from typing import Any

import numpy as np

from ..inference import Estimate, estimate
from ..inference.clustered import Clusters
from ..inference.effective import effective_rows
from ..input import validate
from ..input.data_info import DataInfo, kind_of_summary
from ..input.errors import InputError
from ..input.labels import listed, positive_of
from ..input.spec import turned
from ..input.spelling import option
from ..input.text import whole
from ..measures import registry
from ..summaries import (
    BinnedTable,
    ClassLogits,
    ClassScores,
    ConfusionMatrix,
    Counts,
    IndicatorTable,
    LogitTable,
    RankingTable,
    Residuals,
)
from ..summaries.cases import POSITIVE_FROM, ScoredCases
from .arguments import Asked
from .results import (
    BinaryEvaluation,
    Evaluation,
    MulticlassEvaluation,
    MultilabelEvaluation,
    RegressionEvaluation,
    counts_at,
    in_unit_interval,
)
from .thresholds import DEFAULT, GIVEN, PREDICTED, Threshold, by_rule, default_threshold

PREDICTED_POSITIVE = "predicted_prevalence"  # the proportion of cases with a positive answer


def of_summary(
    summary: Any, asked: Asked, positive: Any, threshold: float | None, higher_is_positive: bool
) -> Evaluation:
    """The evaluation of a summary. Raises InputError for arguments that do not apply to it."""
    scored = summary.ranking if isinstance(summary, BinnedTable) else summary
    if not isinstance(scored, RankingTable):
        validate.only(summary, rule=asked.rule, score_kind=asked.score_kind)
    asked = replace(asked, score_kind=score_kind_of(scored, asked.score_kind, higher_is_positive))
    return _by_kind(summary, asked, Options(positive, threshold, higher_is_positive))


@dataclass(frozen=True, slots=True)
class Options:
    """The arguments given with a summary."""

    positive: Any
    threshold: float | None
    higher_is_positive: bool


@singledispatch
def _by_kind(summary: Any, asked: Asked, given: Options) -> Evaluation:
    """The evaluation of a summary, of the type of its task. Raises InputError."""
    raise TypeError(f"{type(summary).__name__} is not a summary")


@_by_kind.register
def _(summary: Counts, asked: Asked, given: Options) -> BinaryEvaluation:
    validate.only(summary, positive=given.positive, threshold=given.threshold)
    return of_counts(summary, asked)


@_by_kind.register
def _(summary: RankingTable | BinnedTable, asked: Asked, given: Options) -> BinaryEvaluation:
    validate.only(summary, positive=given.positive)
    validate.some_rows(bool(summary.total))
    limit = None if given.threshold is None else validate.threshold(given.threshold)
    held = summary.ranking if isinstance(summary, BinnedTable) else summary
    about = _data_of(held, type(summary).__name__, held.positives, held.negatives)
    table = summary if given.higher_is_positive else summary.turned()
    return of_ranking(table, about, asked, limit, ("negative", "positive"), given.higher_is_positive)


@_by_kind.register
def _(summary: ConfusionMatrix, asked: Asked, given: Options) -> Evaluation:
    validate.only(summary, threshold=given.threshold)
    validate.some_rows(bool(summary.total))
    return of_matrix(summary, _facts_of(summary), asked, given.positive)


@_by_kind.register
def _(summary: ClassScores, asked: Asked, given: Options) -> MulticlassEvaluation:
    _only_cases(summary, given)
    return of_class_scores(summary, _facts_of(summary), asked)


@_by_kind.register
def _(summary: IndicatorTable, asked: Asked, given: Options) -> MultilabelEvaluation:
    _only_cases(summary, given)
    return of_indicators(summary, asked, replace(_facts_of(summary)(None, None), rows=int(summary.total)))


@_by_kind.register
def _(summary: Residuals, asked: Asked, given: Options) -> RegressionEvaluation:
    _only_cases(summary, given)
    return of_residuals(summary, asked, _facts_of(summary)(None, None))


def _only_cases(summary: Any, given: Options) -> None:
    """Raises InputError for a positive label or a threshold, and for a table without cases."""
    validate.only(summary, positive=given.positive, threshold=given.threshold)
    validate.some_rows(bool(summary.total))


def _facts_of(summary: Any) -> Callable[..., DataInfo]:
    """The facts, by the weight of positives and of negatives."""
    return partial(_data_of, summary, type(summary).__name__)


def of_counts(counts: Counts, asked: Asked) -> BinaryEvaluation:
    """The evaluation of one table of four numbers. Raises InputError where these are arrays."""
    if np.ndim(counts.tp):
        raise InputError(
            "unsupported",
            "counts",
            "these hold arrays",
            "evaluate one table of four numbers at a time, as counts[0]",
        )
    about = _data_of(counts, "counts", counts.positives, counts.negatives)
    return asked.evaluation(BinaryEvaluation, about, score_kind=asked.score_kind, counts=counts)


def of_predicted_counts(
    counts: Counts,
    data: DataInfo,
    asked: Asked,
    labels: tuple[Any, Any],
    clusters: Clusters | None = None,
    unanswered: Estimate | None = None,
) -> BinaryEvaluation:
    """The evaluation of predicted labels of two classes."""
    predicted = Threshold(None, PREDICTED)
    return asked.evaluation(
        BinaryEvaluation,
        data,
        counts=counts,
        threshold=predicted,
        labels=labels,
        clusters=clusters,
        unanswered=unanswered,
    )


def of_ranking(
    table: RankingTable | BinnedTable,
    data: DataInfo,
    asked: Asked,
    limit: float | None,
    labels: tuple[Any, Any],
    higher_is_positive: bool,
) -> BinaryEvaluation:
    """The evaluation at the given threshold, or at the one that the rule chooses."""
    binned = table if isinstance(table, BinnedTable) else None
    ranking = table.ranking if isinstance(table, BinnedTable) else table
    chosen = Threshold(limit, GIVEN) if limit is not None else _chosen(ranking, asked, higher_is_positive)
    assert chosen.value is not None
    counts = counts_at(table, chosen.value, higher_is_positive)
    return asked.evaluation(
        BinaryEvaluation, data, score_kind=asked.score_kind, ranking=ranking, binned=binned, threshold=chosen,
        counts=counts, labels=labels, higher_is_positive=higher_is_positive,
    )  # fmt: skip


def _chosen(ranking: RankingTable, asked: Asked, higher_is_positive: bool) -> Threshold:
    default = default_threshold(ranking, in_unit_interval(ranking, higher_is_positive), asked.score_kind)
    chosen = replace(default if asked.rule is None else by_rule(ranking, asked.rule), splits=asked.splits)
    if higher_is_positive or chosen.rule == DEFAULT or chosen.value is None:
        return chosen
    return replace(chosen, value=0.0 - chosen.value)


def of_class_scores(
    scores: ClassScores, data: Callable[..., DataInfo], asked: Asked, ordered: bool | None = False
) -> MulticlassEvaluation:
    """The evaluation of a score per class, with the matrix of the classes of the highest score.

    data: the facts, by the weight of positives and of negatives; ordered: as for a ConfusionMatrix.
    """
    matrix = scores.confusion(ordered)
    return asked.evaluation(
        MulticlassEvaluation, data(None, None), score_kind=asked.score_kind, scores=scores, matrix=matrix
    )


def of_matrix(
    matrix: ConfusionMatrix, data: Callable[..., DataInfo], asked: Asked, positive: Any
) -> Evaluation:
    """The evaluation of a confusion matrix, with counts if it has two classes.

    data: the facts, by the weight of positives and of negatives.
    """
    if len(matrix) > 2:
        if positive is not None:
            raise InputError(
                "labels",
                "positive",
                f"there are {len(matrix)} classes ({listed(matrix.labels)}), not two",
                f"leave it out or correct the labels{_no_classes(matrix)}",
            )
        return asked.evaluation(
            MulticlassEvaluation, data(None, None), matrix=matrix, unanswered=_unanswered(matrix, None, asked)
        )
    counts, chosen = matrix.counts(positive), positive_of(matrix.labels, positive)
    others = [label for label in matrix.labels if label != chosen] or ["negative"]
    about = data(counts.positives, counts.negatives)
    of_none = _unanswered(matrix, chosen, asked)
    return of_predicted_counts(counts, about, asked, (others[0], chosen), unanswered=of_none)


def _no_classes(matrix: ConfusionMatrix) -> str:
    """What to do with labels that are predicted only, where there are two actual ones."""
    sizes = zip(matrix.labels, matrix.class_sizes.tolist(), strict=True)
    others = [label for label, size in sizes if not size]
    if len(matrix) - len(others) != 2:
        return ""
    return f", or pass {option('not_an_answer', others)} to count answers that name no class as wrong"


def _unanswered(matrix: ConfusionMatrix, positive: Any, asked: Asked) -> Estimate | None:
    """The proportion of cases whose answer is no class; None where none was looked for.

    positive: the positive label; None for more than two classes, of which the mix then varies.
    """
    if matrix.unanswered is None:
        return None
    where = [positive is None or label == positive for label in matrix.labels]

    def called_none(cells: np.ndarray) -> list[float]:
        absent, known = cells[: len(matrix), -1], cells[: len(matrix), :-1].sum(1)
        return [float(one[np.equal(where, yes)].sum()) for one, yes in
                ((absent, True), (absent, False), (known, True), (known, False))]  # fmt: skip

    squares = None if matrix.squares is None else Counts.of(*called_none(matrix.squares))
    return estimate(
        PREDICTED_POSITIVE, Counts.of(*called_none(matrix.weights), squares=squares), asked.settings
    )


def unanswered_in_clusters(cases: ScoredCases, clusters: np.ndarray, asked: Asked) -> Estimate:
    """The proportion of cases with the score 1, which marks those whose answer is no class."""
    counts = cases.table.counts_at(POSITIVE_FROM)
    entry = registry.get(PREDICTED_POSITIVE, Counts)
    return Clusters(cases, clusters).estimate(entry, counts, asked.settings, {}, POSITIVE_FROM)


def of_indicators(table: IndicatorTable, asked: Asked, data: DataInfo) -> MultilabelEvaluation:
    """The evaluation of several labels per case. data: the facts."""
    return asked.evaluation(MultilabelEvaluation, data, indicators=table)


def of_residuals(residuals: Residuals, asked: Asked, data: DataInfo) -> RegressionEvaluation:
    """The evaluation of predicted amounts. data: the facts."""
    return asked.evaluation(RegressionEvaluation, data, residuals=residuals)


def _data_of(summary: Any, source: str, positives: float | None, negatives: float | None) -> DataInfo:
    effective = effective_rows(summary)
    weighted = getattr(summary, "weighted", effective is not None)
    rows, kind = whole(summary.total), kind_of_summary(weighted)
    return DataInfo(rows, positives, negatives, weighted, source, effective_rows=effective, weight_kind=kind)


@singledispatch
def score_kind_of(table: Any, score_kind: str | None, higher_is_positive: bool) -> str | None:
    """The kind of the scores of a table, which is known for logits.

    Raises InputError where another kind is stated.
    """
    return score_kind


@score_kind_of.register
def _(table: LogitTable | ClassLogits, score_kind: str | None, higher_is_positive: bool) -> str:
    validate.only(table, score_kind=None if score_kind == "logit" else score_kind)
    if not higher_is_positive:
        raise turned()
    return "logit"


@score_kind_of.register
def _(table: RankingTable, score_kind: str | None, higher_is_positive: bool) -> str | None:
    if score_kind == "logit":
        raise InputError(
            "unsupported", "score_kind", "a RankingTable holds no logits", "make a LogitTable of them"
        )
    if score_kind == "probability" and not table.in_unit_interval:
        raise InputError(
            "conflict", "score_kind", f"they are not probabilities, {table.why_no_probabilities}"
        )
    return score_kind
