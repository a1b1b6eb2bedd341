"""From cases, their sums, a sample or a summary to the evaluation of its task."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from ..inference import Estimate, measured
from ..inference.clustered import DependentCases, DependentTables
from ..inference.effective import effective_rows
from ..input import CaseSpec, KeepingTruth, validate
from ..input.columns import joined
from ..input.data_info import DataInfo, kind_of_summary
from ..input.errors import InputError
from ..input.sample import Sample
from ..input.score_columns import by_name, thresholds_of
from ..input.spec import turned
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
from ..summaries.cases import POSITIVE_FROM
from ..summaries.samples import (
    cells_of,
    class_scores_of,
    counts_of,
    read_sample,
    sample_of_matrix,
    scored_cases,
    summary_of,
    unanswered_of,
    with_all_classes,
)
from .arguments import EvaluationOptions, Form, form_of, refuse
from .case_sums import CaseSums
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

Progress = Callable[[int], None] | None
# by the name of the model; None for the only model, which has no name
Evaluations = dict[str | None, Evaluation]
Facts = Callable[..., DataInfo]  # by the weight of positives and of negatives

PREDICTED_POSITIVE = "predicted_prevalence"  # the proportion of cases with a positive answer


# By type of summary the evaluation, and the field that holds it.
EVALUATIONS: Mapping[type, tuple[type[Evaluation], str]] = {
    Counts: (BinaryEvaluation, "counts"),
    RankingTable: (BinaryEvaluation, "ranking"),
    ConfusionMatrix: (MulticlassEvaluation, "matrix"),
    ClassScores: (MulticlassEvaluation, "scores"),
    IndicatorTable: (MultilabelEvaluation, "indicators"),
    Residuals: (RegressionEvaluation, "residuals"),
}
FORMS: Mapping[type, Form] = {
    dict: "a score per class",
    ConfusionMatrix: "labels",
    IndicatorTable: "several labels per case",
    Residuals: "amounts",
}


# Cases
# -------------------------------------------------------------------------------------------------------


def evaluate_cases(
    data: Any,
    spec: CaseSpec,
    options: EvaluationOptions,
    threshold: Any,
    progress: Progress,
    kept: KeepingTruth | None = None,
) -> Evaluations:
    """The evaluation of each model. With clusters or persons the cases are collected, else only their sums.

    kept: the same data, where the columns that are read are to be kept.
    """
    form = form_of(spec, data is None)
    refuse(form, spec, options, threshold)
    source = data if kept is None else kept
    if spec.units is not None:
        sample = read_sample(source, spec, progress)
        limits = limits_of(threshold, sample.models)
        return {
            name: evaluate_sample(sample, i, options, limits[name]) for i, name in enumerate(sample.models)
        }
    edges = limits_of(threshold, by_name(spec.score)) if form == "scores" else {}
    sums = CaseSums.read(source, spec, progress, edges=edges, parameters=options.parameters)
    return evaluate_sums(sums, options, threshold)


def evaluate_sums(sums: CaseSums, options: EvaluationOptions, threshold: Any) -> Evaluations:
    """The evaluation of each model, from the sums of the summaries of its cases."""
    cases, spec, summaries = sums.cases, sums.cases.spec, sums.by_model
    if sums.release is not None and spec.units is not None:
        found = evaluate_cases(sums.release.columns, spec, options, threshold, None)
        name = cases.source.name
        return {model: replace(e, data=replace(e.data, source=name)) for model, e in found.items()}
    cases.check_complete()
    first = summaries[0] if cases.per_class else next(iter(summaries.values()))
    form: Form = next((form for kind, form in FORMS.items() if isinstance(first, kind)), "scores")
    refuse(form, spec.of_columns({"score": None}) if form == "amounts" else spec, options, threshold)
    if form == "a score per class":
        columns = {role: joined([batch[role] for batch in summaries]) for role in first}
        info, tables = cases.data(None, None), class_scores_of(cases.by_model(columns), spec)
        return {name: of_class_scores(table, info, options, order) for name, (table, order) in tables.items()}
    limits = limits_of(threshold, cases.models)
    if form == "labels":
        info = cases.data(None, None)
        each = {name: one.without_squares() if cases.counts else one for name, one in summaries.items()}
        summaries = {name: with_all_classes(one, cases.truth, spec, info) for name, one in each.items()}
    about: dict[str, Any] = {"positive": spec.positive, "higher_is_positive": spec.higher_is_positive}
    if form == "scores":
        assert cases.truth is not None
        sums.labels.judge(cases.truth)
        about["labels"] = sums.labels.pair()
    return {
        name: of_table(one, cases.data, options, limits.get(name), **about) for name, one in summaries.items()
    }


def limits_of(threshold: Any, models: Iterable[str | None]) -> dict[str | None, float | None]:
    """The threshold of each model."""
    limits = thresholds_of(threshold, list(models))
    return {name: None if limit is None else validate.threshold(limit) for name, limit in limits.items()}


# A sample
# -------------------------------------------------------------------------------------------------------


def evaluate_sample(
    sample: Sample, model: int, options: EvaluationOptions, threshold: float | None = None
) -> Evaluation:
    """The evaluation of one model of a sample."""
    summary, info = summary_of(sample, model), sample.info
    fields: dict[str, Any] = {"clusters": dependence(sample, model)}
    if isinstance(summary, RankingTable):
        direction = sample.higher_is_positive
        return of_scores(summary, info, options, threshold, sample.labels, direction, **fields)
    if isinstance(summary, ClassScores):
        return of_class_scores(summary, info, options, sample.ordered, **fields)
    if sample.task == "binary":
        fields |= {"threshold": Threshold(None, PREDICTED), "labels": sample.labels}
    if sample.no_answer:
        fields["unanswered"] = _unanswered_in(sample, model, options)
    return evaluation_of(summary, info, options, **fields)


def dependence(sample: Sample, model: int) -> DependentCases | DependentTables | None:
    """The units that the cases of a model are in; None where they are independent."""
    if sample.units is None:
        return None
    if sample.task != "binary":
        return DependentTables(sample.units, cells_of(sample, model), sample.weight)
    cases, order = scored_cases(sample, model)
    return DependentCases(cases, sample.units[..., order])


def _unanswered_in(sample: Sample, model: int, options: EvaluationOptions) -> Estimate | None:
    """The proportion of cases whose answer is no class."""
    absent = unanswered_of(sample, model)
    if absent is None:
        return None
    if sample.task == "multiclass":  # whose mix varies
        sample = replace(sample, task="binary", truth=np.ones(len(sample), bool), views={})
    counts = counts_of(sample, absent)
    entry, units = registry.get(PREDICTED_POSITIVE, Counts), None
    if sample.units is not None:
        cases, order = scored_cases(sample, model, absent.astype(float))
        units = DependentCases(cases, sample.units[..., order])
    return measured(entry, counts, options.settings, {}, units, POSITIVE_FROM)


# Summaries
# -------------------------------------------------------------------------------------------------------


def evaluation_of(summary: Any, info: DataInfo, options: EvaluationOptions, **fields: Any) -> Evaluation:
    """The evaluation of a summary, of the type of its task. fields: others that this type has."""
    kind, name = next(entry for of, entry in EVALUATIONS.items() if isinstance(summary, of))
    fields[name] = summary
    return kind(data=info, settings=options.settings, parameters=options.parameters, **fields)


def evaluate_summary(
    summary: Any, options: EvaluationOptions, positive: Any, threshold: float | None, higher_is_positive: bool
) -> Evaluation:
    """The evaluation of a summary in place of cases. Raises InputError for arguments that do not apply."""
    scored = summary.ranking if isinstance(summary, BinnedTable) else summary
    of_scores_only = {"rule": options.rule, "score_kind": options.score_kind, "threshold": threshold}
    ranked = isinstance(scored, RankingTable)
    validate.only(
        summary,
        positive=None if isinstance(summary, ConfusionMatrix) else positive,
        **{} if ranked else of_scores_only,
    )
    options = replace(options, score_kind=score_kind_of(scored, options.score_kind, higher_is_positive))
    if isinstance(summary, Counts) and np.ndim(summary.tp):
        way_out = "evaluate one table of four numbers at a time, as counts[0]"
        raise InputError("unsupported", "counts", "these hold arrays", way_out)
    if not isinstance(summary, Counts):
        validate.some_rows(bool(summary.total))
    limit = validate.threshold(threshold) if ranked and threshold is not None else None
    table = summary.turned() if ranked and not higher_is_positive else summary
    facts = partial(_facts_of, summary, scored)
    return of_table(table, facts, options, limit, positive=positive, higher_is_positive=higher_is_positive)


def _facts_of(summary: Any, scored: Any, positives: float | None, negatives: float | None) -> DataInfo:
    effective = effective_rows(scored)
    weighted = getattr(scored, "weighted", effective is not None)
    source = "counts" if isinstance(summary, Counts) else type(summary).__name__
    rows = int(scored.total) if isinstance(summary, IndicatorTable) else whole(scored.total)
    kind = kind_of_summary(weighted)
    return DataInfo(rows, positives, negatives, weighted, source, effective_rows=effective, weight_kind=kind)


def of_table(
    summary: Any,
    facts: Facts,
    options: EvaluationOptions,
    limit: float | None,
    labels: tuple[Any, ...] = ("negative", "positive"),
    positive: Any = None,
    higher_is_positive: bool = True,
) -> Evaluation:
    """The evaluation of a summary of any kind. limit: the threshold; labels: of two classes with scores."""
    if isinstance(summary, ConfusionMatrix):
        return evaluate_sample(sample_of_matrix(summary, facts, positive), 0, options)
    scored = summary.ranking if isinstance(summary, BinnedTable) else summary
    if isinstance(scored, RankingTable):
        info = facts(scored.positives, scored.negatives)
        return of_scores(summary, info, options, limit, labels, higher_is_positive)
    if isinstance(summary, Counts):
        info = facts(summary.positives, summary.negatives)
        return evaluation_of(summary, info, options, score_kind=options.score_kind)
    info = facts(None, None)
    if isinstance(summary, ClassScores):
        return of_class_scores(summary, info, options)
    return evaluation_of(summary, info, options)


def of_scores(
    table: RankingTable | BinnedTable,
    info: DataInfo,
    options: EvaluationOptions,
    threshold: float | None,
    labels: tuple[Any, ...],
    higher_is_positive: bool,
    **fields: Any,
) -> Evaluation:
    """The evaluation of scores of two classes, at the threshold or at the one that the rule chooses."""
    binned = table if isinstance(table, BinnedTable) else None
    ranking = table.ranking if isinstance(table, BinnedTable) else table
    at = Threshold(threshold, GIVEN)
    if threshold is None:
        at = default_threshold(ranking, in_unit_interval(ranking, higher_is_positive), options.score_kind)
        at = at if options.rule is None else by_rule(ranking, options.rule)
        at = replace(at, splits=options.splits)
        if not higher_is_positive and at.rule != DEFAULT and at.value is not None:
            at = replace(at, value=0.0 - at.value)
    assert at.value is not None
    counts = counts_at(table, at.value, higher_is_positive)
    return evaluation_of(
        ranking, info, options, score_kind=options.score_kind, binned=binned, threshold=at, counts=counts,
        labels=labels, higher_is_positive=higher_is_positive, **fields,
    )  # fmt: skip


def of_class_scores(
    scores: ClassScores,
    info: DataInfo,
    options: EvaluationOptions,
    ordered: bool | None = False,
    **fields: Any,
) -> Evaluation:
    """The evaluation of a score per class, with the matrix of the classes of the highest score.

    ordered: as for a ConfusionMatrix.
    """
    matrix = scores.confusion(ordered)
    return evaluation_of(scores, info, options, score_kind=options.score_kind, matrix=matrix, **fields)


def score_kind_of(table: Any, score_kind: str | None, higher_is_positive: bool) -> str | None:
    """The kind of the scores of a table, which is known for logits.

    Raises InputError where another kind is stated.
    """
    if isinstance(table, (LogitTable, ClassLogits)):
        validate.only(table, score_kind=None if score_kind == "logit" else score_kind)
        if not higher_is_positive:
            raise turned()
        return "logit"
    if isinstance(table, RankingTable) and score_kind == "logit":
        way_out = "make a LogitTable of them"
        raise InputError("unsupported", "score_kind", "a RankingTable holds no logits", way_out)
    if isinstance(table, RankingTable) and score_kind == "probability" and not table.in_unit_interval:
        problem = f"they are not probabilities, {table.why_no_probabilities}"
        raise InputError("conflict", "score_kind", problem)
    return score_kind
