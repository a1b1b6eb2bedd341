"""From cases to a summary and its evaluation: by one score, a score per class, predicted labels, several labels or amounts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from .. import adapters, casewise, columns, probabilities, validate
from ..arguments import NO_DIRECTION, PROBABILITIES, only_two_classes
from ..evaluation import Evaluation
from ..labels import SOME, BinaryLabels, not_amounts, not_scores
from ..reading import Reader, facts_of
from ..summaries import ClassLogits, ClassScores, ConfusionMatrix, IndicatorTable, LogitTable, RankingTable, Residuals
from ..summaries.cases import POSITIVE_FROM
from ..summaries.indicators import is_indicator
from ..summaries.score_columns import ROLE, named, score_columns, several_columns
from ..thresholds import OF_CLUSTERS, Threshold
from ..uncertainty import Settings
from ..uncertainty.clustered import Clusters
from ..uncertainty.draws import check_design
from .asked import Asked
from .tables import of_class_scores, of_indicators, of_matrix, of_ranking


def of_cases(
    data: Any,
    cases: dict[str, Any],
    asked: Asked,
    missing: str,
    threshold: float | None,
    positive: Any,
    higher_is_positive: bool,
    classes: Sequence | None,
    progress: Callable[[int], None] | None,
    weight_kind: str | None,
) -> Evaluation:
    """By what the cases bear: several labels, a score per class, one score, or predicted labels."""
    truth, score = cases["truth"], cases["score"]
    kind = validate.one_of({"score": score, "predicted": cases["predicted"]})
    if truth is None:
        raise validate.InputError("truth: the real labels are missing; pass truth=.")
    if data is None and is_indicator(truth):
        others = {"threshold": threshold, "positive": positive, "classes": classes}
        return _of_several_labels(cases, asked, weight_kind, missing=missing, **others)
    if kind == "predicted" and not higher_is_positive:
        raise validate.InputError(NO_DIRECTION)
    if data is not None and isinstance(score, (list, tuple)) and len(score) == 2:
        raise validate.InputError("score: two columns; name that of the positive class, or of three and more classes one each.")
    if kind == "score" and several_columns(score, data is None):
        reader = Reader(_with_columns(data, cases), missing, progress, weight_kind=weight_kind)
        direction, other = None if higher_is_positive else False, None if asked.score_kind in PROBABILITIES else asked.score_kind
        _only_with_one_column(
            threshold=threshold, rule=asked.rule, positive=positive, score_kind=other, higher_is_positive=direction
        )
        summary = ClassLogits if asked.score_kind == "logit" else ClassScores
        batches = reader.sum(lambda batch: [batch])
        if asked.score_kind == "probability":
            roles = [role for role in batches[0] if role.startswith(ROLE)]
            probabilities.check_rows([columns.joined([batch[role] for batch in batches]) for role in roles])
        scores = summary.read(batches, classes)
        return of_class_scores(scores, reader.data, asked, classes is not None and isinstance(scores.labels[0], str))
    if classes is not None and kind == "score":
        raise validate.InputError("classes: they name the columns of a score per class; leave them out with a single score.")
    reader = Reader(adapters.read(data, cases), missing, progress, weight_kind=weight_kind)
    if kind == "score":
        return _of_scores(reader, asked, positive, threshold, higher_is_positive)
    _only_with_scores(threshold=threshold, rule=asked.rule, score_kind=asked.score_kind)
    return _of_labels(reader, asked, positive, classes)


def _of_scores(reader, asked, positive, threshold, higher_is_positive):
    labels = BinaryLabels(positive)
    limit = None if threshold is None else validate.threshold(threshold)
    kind = LogitTable if asked.score_kind == "logit" else RankingTable
    ranking = reader.sum(
        lambda batch: kind.from_columns(labels, **_checked_scores(batch, asked, higher_is_positive)), labels.forget
    )
    labels.judge(reader.truth)
    data = reader.data(ranking.positives, ranking.negatives)
    return of_ranking(ranking, data, asked, limit, labels.pair(), higher_is_positive)


def _checked_scores(batch, asked, higher_is_positive):
    if asked.score_kind == "probability":
        validate.no_gaps(batch["score"])
        probabilities.check(batch["score"])
    return _turned(batch, higher_is_positive)


def _turned(batch, higher_is_positive):
    """The batch with its scores negated where a lower score means positive."""
    if higher_is_positive:
        return batch
    return {**batch, "score": replace(batch["score"], values=-validate.scores(batch["score"]))}


def _of_labels(reader, asked, positive, classes):
    matrix = reader.sum(_matrix_of)
    matrix = matrix.without_squares() if reader.counts else matrix
    if classes is None:
        not_amounts(reader.truth, matrix.labels, reader.rows - reader.weightless)
        not_scores("predicted", *(_occurring(matrix.labels, matrix.weights.sum(axis)) for axis in (0, 1)))
    else:
        matrix = matrix.with_classes(classes)
    return of_matrix(matrix, reader.data, asked, positive)


def _occurring(labels, weights):
    return [label for label, weight in zip(labels, weights, strict=True) if weight]


def _matrix_of(batch):
    not_scores(batch["predicted"], batch["predicted"].values[:SOME])  # before a matrix of all scores is made
    return ConfusionMatrix.from_columns(**batch)


def _with_columns(data, cases):
    """The batches of the cases, with a score per class."""
    apart = score_columns(cases["score"], data is None)
    if data is None:
        apart = {role: named(values, role) for role, values in apart.items()}
    return adapters.read(data, {**cases, "score": None, **apart})


def _of_several_labels(cases, asked, weight_kind, *, missing, **others):
    """Of arrays with one column per label."""
    if cases["score"] is not None:
        raise validate.InputError("score: several labels per case need predicted=, 0 or 1 for each; threshold the scores first.")
    if missing == "drop":
        raise validate.InputError("missing='drop' is for one label per case; leave out the rows with a missing indicator before.")
    for name, value in others.items():
        if value is not None:
            raise validate.InputError(f"{name}: it is for one column of scores or labels, not for several; leave it out.")
    weight = columns.read_weights(cases["weight"], weight_kind)
    table = IndicatorTable.from_arrays(truth=cases["truth"], predicted=cases["predicted"], weight=weight)
    return of_indicators(table, asked, **facts_of(weight, len(cases["truth"])))


def of_clusters(
    data: Any, cases: dict[str, Any], asked: Asked, threshold: float | None, classes: Sequence | None, told: dict[str, Any]
) -> Evaluation:
    """Cases of two classes that are kept one by one, since those of a cluster belong together."""
    for name in ("proportion", "auc_interval", "resampling"):
        if getattr(asked.settings, name) != getattr(Settings(), name):
            raise validate.InputError(f"{name}: intervals of clusters come from resampled clusters; leave {name} out.")
    check_design(asked.settings.design, cases["clusters"])
    if asked.rule is not None and asked.rule.of_bound:
        raise validate.InputError(f"rule: {asked.rule.text!r} {OF_CLUSTERS}.")
    kind = validate.one_of({"score": cases["score"], "predicted": cases["predicted"]})
    if cases["truth"] is None:
        raise validate.InputError("truth: the real labels are missing; pass truth=.")
    scores = [cases["score"]] if kind == "score" else []
    only_two_classes("an evaluation with clusters=", cases["truth"], scores, data is not None, "leave clusters out")
    if classes is not None:
        raise validate.InputError("classes: an evaluation with clusters= has two classes; leave classes out, or clusters.")
    if kind == "predicted":
        _only_with_scores(threshold=threshold, rule=asked.rule, score_kind=asked.score_kind)
        if not told["higher_is_positive"]:
            raise validate.InputError(NO_DIRECTION)
    found = casewise.read(data, score_kind=asked.score_kind, **cases, **told)
    assert found.clusters is not None
    model, clusters = found.model, Clusters(found.model, found.clusters)
    if kind == "predicted":
        counts = model.table.counts_at(POSITIVE_FROM)
        return asked.evaluation(found.data, Threshold(None, "predicted"), counts=counts, labels=found.labels, clusters=clusters)
    limit = None if threshold is None else validate.threshold(threshold)
    done = of_ranking(model.table, found.data, asked, limit, found.labels, told["higher_is_positive"])
    return replace(done, clusters=clusters)


def of_amounts(reader: Reader, asked: Asked) -> Evaluation:
    """Of predicted amounts."""
    residuals = reader.sum(lambda batch: Residuals.from_columns(**batch))
    return asked.evaluation(reader.data(None, None), residuals=residuals)


def only_of_amounts(score: Any, **others: Any) -> None:
    """Raises InputError where an argument is given that is for classes."""
    if score is not None:
        raise validate.InputError("regression: predicted amounts are passed as predicted=, not as score=.")
    for name, value in others.items():
        if value is not None:
            raise validate.InputError(f"{name}: it is for classes, and regression compares amounts; leave one of the two out.")


def _only_with_scores(**others):
    for name, value in others.items():
        if value is not None:
            raise validate.InputError(f"{name}: it needs scores; predicted labels are positive or negative already.")


def _only_with_one_column(**others):
    for name, value in others.items():
        if value is not None:
            raise validate.InputError(f"{name}: it is for one score per case, not for one per class; leave it out.")
