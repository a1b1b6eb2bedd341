"""From a summary to its evaluation: ranking tables, counts, confusion matrices, scores per class, several labels, residuals."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from .. import validate
from ..errors import InputError
from ..evaluation import Evaluation, counts_at, in_unit_interval
from ..facts import Data, kind_of_summary
from ..input.spec import TURNED
from ..labels import listed, positive_of
from ..summaries import ClassLogits, ClassScores, ConfusionMatrix, Counts, IndicatorTable, LogitTable, RankingTable, Residuals
from ..text import whole
from ..thresholds import Threshold, by_rule, default_threshold
from ..uncertainty.effective import effective_rows
from .asked import Asked


def of_summary(
    summary: Any, asked: Asked, rule: str | None, positive: Any, threshold: float | None, higher_is_positive: bool
) -> Evaluation:
    """Parts that were summarised apart and added."""
    if not isinstance(summary, RankingTable):
        validate.only(summary, rule=rule, score_kind=asked.score_kind)
    asked = replace(asked, score_kind=score_kind_of(summary, asked.score_kind, higher_is_positive))
    if isinstance(summary, Counts):
        validate.only(summary, positive=positive, threshold=threshold)
        return of_counts(summary, asked)

    data = partial(_data_of, summary, type(summary).__name__)
    if isinstance(summary, ConfusionMatrix):
        validate.only(summary, threshold=threshold)
        validate.some_rows(bool(summary.total))
        return of_matrix(summary, data, asked, positive)
    if isinstance(summary, Residuals):
        validate.only(summary, positive=positive, threshold=threshold)
        validate.some_rows(bool(summary.total))
        return asked.evaluation(data(None, None), residuals=summary)
    if isinstance(summary, ClassScores):
        validate.only(summary, positive=positive, threshold=threshold)
        validate.some_rows(bool(summary.total))
        return of_class_scores(summary, data, asked)
    if isinstance(summary, IndicatorTable):
        validate.only(summary, positive=positive, threshold=threshold)
        validate.some_rows(bool(summary.total))
        return of_indicators(summary, asked, replace(data(None, None), rows=int(summary.total)))
    validate.only(summary, positive=positive)
    validate.some_rows(bool(summary.total))
    limit = None if threshold is None else validate.threshold(threshold)
    ranking = summary if higher_is_positive else summary.turned()
    about = data(summary.positives, summary.negatives)
    return of_ranking(ranking, about, asked, limit, ("negative", "positive"), higher_is_positive)


def of_counts(counts: Counts, asked: Asked) -> Evaluation:
    """Of one table of four numbers. Raises InputError where they are arrays."""
    if np.ndim(counts.tp):
        raise InputError("counts: these hold arrays; evaluate one table of four numbers at a time, as counts[0].")
    return asked.evaluation(_data_of(counts, "counts", counts.positives, counts.negatives), counts=counts)


def of_ranking(
    ranking: RankingTable, data: Data, asked: Asked, limit: float | None, labels: tuple[Any, Any], higher_is_positive: bool
) -> Evaluation:
    """At the threshold that is given, else at the one that the rule chooses."""
    chosen = Threshold(limit, "given") if limit is not None else _chosen(ranking, asked, higher_is_positive)
    assert chosen.value is not None
    counts = counts_at(ranking, chosen.value, higher_is_positive)
    return asked.evaluation(data, chosen, ranking=ranking, counts=counts, labels=labels, higher_is_positive=higher_is_positive)


def _chosen(ranking: RankingTable, asked: Asked, higher_is_positive: bool) -> Threshold:
    default = default_threshold(ranking, in_unit_interval(ranking, higher_is_positive), asked.score_kind)
    chosen = replace(default if asked.rule is None else by_rule(ranking, asked.rule), splits=asked.splits)
    if higher_is_positive or chosen.rule == "default" or chosen.value is None:
        return chosen
    return replace(chosen, value=0.0 - chosen.value)


def of_class_scores(scores: ClassScores, data: Callable[..., Data], asked: Asked, ordered: bool = False) -> Evaluation:
    """With the matrix of the classes of the highest score.

    data: the facts, by the weight of positives and of negatives; ordered: whether the labels stand in the order of the classes."""
    matrix = scores.confusion(ordered)
    return asked.evaluation(data(None, None), Threshold(None, "highest score"), scores=scores, matrix=matrix)


def of_matrix(matrix: ConfusionMatrix, data: Callable[..., Data], asked: Asked, positive: Any) -> Evaluation:
    """Of many classes, or of two with their counts. data: the facts, by the weight of positives and of negatives."""
    if len(matrix) > 2:
        if positive is not None:
            raise InputError(
                f"positive: there are {len(matrix)} classes ({listed(matrix.labels)}), not two; leave it out or correct the labels."
            )
        return asked.evaluation(data(None, None), Threshold(None, "predicted"), matrix=matrix)
    counts, chosen = matrix.counts(positive), positive_of(matrix.labels, positive)
    others = [label for label in matrix.labels if label != chosen] or ["negative"]
    about = data(counts.positives, counts.negatives)
    return asked.evaluation(about, Threshold(None, "predicted"), counts=counts, matrix=matrix, labels=(others[0], chosen))


def of_indicators(table: IndicatorTable, asked: Asked, data: Data) -> Evaluation:
    """Of several labels per case. data: the facts."""
    return asked.evaluation(data, Threshold(None, "predicted"), indicators=table)


def _data_of(summary: Any, source: str, positives: float | None, negatives: float | None) -> Data:
    effective = effective_rows(summary)
    weighted = getattr(summary, "weighted", effective is not None)
    rows, kind = whole(summary.total), kind_of_summary(weighted)
    return Data(rows, positives, negatives, weighted, source, effective_rows=effective, weight_kind=kind)


def score_kind_of(table: Any, score_kind: str | None, higher_is_positive: bool) -> str | None:
    """What the scores of a table are: one of logits knows it. Raises InputError where something else is said."""
    if isinstance(table, (LogitTable, ClassLogits)):
        validate.only(table, score_kind=None if score_kind == "logit" else score_kind)
        if not higher_is_positive:
            raise InputError(TURNED)
        return "logit"
    if isinstance(table, RankingTable) and score_kind == "logit":
        raise InputError("score_kind: a RankingTable holds no logits; make a LogitTable of them.")
    if isinstance(table, RankingTable) and score_kind == "probability" and not table.in_unit_interval:
        raise InputError(f"score_kind: they are no probabilities, {table.why_no_probabilities}.")
    return score_kind
