"""`evaluate`: from cases, their sums, a sample or a summary to the evaluation of its task."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, Unpack, overload

import numpy as np

from ..inference import Estimate, Settings, measured
from ..inference.clustered import DependentCases, DependentTables
from ..inference.covariance import effective_rows
from ..input import CaseSpec, KeepingTruth, read, validate
from ..input.arguments import AucInterval, Design, Missing, Proportion, ScoreKind, WeightKind
from ..input.calls import public
from ..input.class_weights import ROLE, ClassWeight, by_class, sizes_of
from ..input.columns import joined
from ..input.errors import IN_FORMATS, InputError, either, option
from ..input.names import listed
from ..input.sample import BY, FOLD, OF_ARRAY, DataInfo, Sample, kind_of_summary
from ..input.score_columns import TWO, by_name, is_indicator, of_one_model, thresholds_of
from ..input.spec import BINS, PROBABILITIES, CaseArguments, no_truth, only_two_classes, turned
from ..input.text import whole
from ..input.validate import shown
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
from ..summaries.samples import (
    POSITIVE_FROM,
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
from .case_sums import CaseSums, only_measured, opened
from .results import (
    BinaryEvaluation,
    Evaluation,
    EvaluationTable,
    MulticlassEvaluation,
    MultilabelEvaluation,
    RegressionEvaluation,
    SomeEvaluation,
    counts_at,
    in_unit_interval,
    refuse_answers,
)
from .thresholds import (
    DEFAULT,
    GIVEN,
    OF_CLUSTERS,
    PREDICTED,
    SPLITS,
    Rule,
    Threshold,
    by_rule,
    default_threshold,
    needed,
    read_rule,
)

if TYPE_CHECKING:
    from .groups import FoldTable, FoldTables, GroupTable, GroupTables

    Tables: TypeAlias = EvaluationTable | FoldTables | GroupTables


# The arguments of `evaluate`, and which of them do not apply to what cases hold, by one table
# --------------------------------------------------------------------------------------------------

DEFAULTS = Settings()


@dataclass(frozen=True, slots=True)
class EvaluationOptions:
    """How everything is measured.

    splits: of the cases into halves, on which the choice of a threshold is repeated.
    """

    settings: Settings
    parameters: Mapping[str, Mapping[str, Any]]
    rule: Rule | None = None
    score_kind: str | None = None
    splits: int = SPLITS


def rule_of(
    rule: Any, threshold: float | None, parameters: Mapping[str, Mapping[str, Any]], level: float
) -> Rule | None:
    """The rule, read from its text.

    Raises InputError where a threshold is given, too, and where the rule needs an option.
    """
    if rule is not None and threshold is not None:
        raise InputError("conflict", "rule", "a threshold is given already", "leave one of the two out")
    if isinstance(rule, str) and needed(rule.split(" where ")[0]):
        raise InputError(
            "unsupported",
            "rule",
            f"{rule!r} takes more than a name",
            "choose_threshold (tallymark threshold) has the arguments",
        )
    return None if rule is None else read_rule(rule, parameters, level)


def checked_parameters(parameters: Any) -> dict[str, dict[str, Any]]:
    """Parameters by the registered name of the measure. Raises InputError."""
    if parameters is None:
        return {}
    if not isinstance(parameters, Mapping) or not all(
        isinstance(given, Mapping) for given in parameters.values()
    ):
        raise InputError(
            "invalid-value",
            "parameters",
            f"{shown(parameters)} is not understood",
            'as {"f_beta": {"beta": 0.5}}',
            value=parameters,
        )
    for name in parameters:
        if isinstance(name, str) and not registry.known(name):
            _refuse_curve(name)
    entries = {registry.get(name): given for name, given in parameters.items()}
    return {entry.name: entry.checked(dict(given)) for entry, given in entries.items()}


def _refuse_curve(name: str) -> None:
    """Raises InputError for the name of a curve, whose parameters are not those of a measure."""
    from .. import curves  # not loaded by a first call that draws none

    if curves.plain(name) in curves.CURVES:
        way_out = f"pass its parameters to {either('ev.curve', 'tallymark curve')}"
        raise InputError("unsupported", "parameters", f"{shown(name)} is a curve, no measure", way_out)


def names_of_measures(measures: Any) -> list[str]:
    """One name or several, each of which the catalogue knows. Raises InputError."""
    names = [measures] if isinstance(measures, str) else validate.some(measures, "measures", "names")
    if not names:
        way_out = f"leave it out for all, or name some, as {option('measures', ['roc_auc'])}"
        raise InputError("needed", "measures", "none is named", way_out)
    strange = [name for name in names if not registry.known(name)]
    for name in strange[: len(strange) == 1]:
        registry.get(name)  # raises the error of one name
    if strange:
        every = [known for entry in registry.all_measures() for known in entry.names]
        hinted = ", ".join(f"{shown(name)}{validate.nearest(name, every)}" for name in strange)
        raise InputError("unknown-name", "measures", f"no measures are {hinted}", registry.all_listed())
    return list(names)


def replicates_of(given: Any, fewest: int, most: float) -> int:
    """The number of resamples: 0 for none, or from `fewest` to `most`. Raises InputError."""
    number = validate.whole(given, "replicates", 0, most)
    return validate.whole(number, "replicates", fewest, most) if number else 0


class MeasureArguments(CaseArguments, total=False):
    """The arguments of `evaluate` without those of a threshold rule, for functions that pass them on."""

    counts: Counts | None
    threshold: float | None
    level: float
    proportion: Proportion
    auc_interval: AucInterval
    design: Design
    rng: int | np.random.Generator
    parameters: Mapping[str, Mapping[str, Any]] | None
    name: str | None
    progress: Callable[[int], None] | None


class EvaluateArguments(MeasureArguments, total=False):
    """The same with those of a rule."""

    rule: str | None
    replicates: int


class AllArguments(EvaluateArguments, total=False):
    """All arguments of `evaluate` by name."""

    measures: str | Sequence[str] | None
    class_weight: ClassWeight | None
    bins: int | None
    tolerance: float | None


def describe(
    *,
    level: float = DEFAULTS.level,
    proportion: Proportion = DEFAULTS.proportion,
    auc_interval: AucInterval = DEFAULTS.auc_interval,
    design: Design = DEFAULTS.design,
    rng: int | np.random.Generator = 0,
    parameters: Mapping[str, Mapping[str, Any]] | None = None,
    rule: str | None = None,
    replicates: int = SPLITS,
    threshold: float | None = None,
    bins: int | None = BINS,
    tolerance: float | None = None,
    **cases: Unpack[CaseArguments],
) -> tuple[CaseSpec, EvaluationOptions]:
    """The cases and what to measure, from the arguments of `evaluate`. Raises InputError."""
    spec = CaseSpec(**cases, bins=bins, tolerance=tolerance)
    settings = Settings(level, proportion, validate.seed(rng), auc_interval, design)
    checked = checked_parameters(parameters)
    by = rule_of(rule, threshold, checked, settings.level)
    return spec, EvaluationOptions(settings, checked, by, spec.score_kind, replicates_of(replicates, 10, 1e4))


Form = Literal["scores", "labels", "a score per class", "several labels per case", "amounts"]
SETTINGS = ("design", "proportion", "auc_interval")


class Refused(NamedTuple):
    """Arguments that something does not take, and why; sentences with `option` in the spelling of the caller.

    code, argument: of the error, by default with the argument that was given.
    """

    names: tuple[str, ...]
    problem: str
    remedy: str
    code: str = "conflict"
    argument: str | None = None


LEFT_OUT = "leave it out"
REFUSED: dict[str, tuple[Refused, ...]] = {
    "scores": (),
    "labels": (
        Refused(("higher_is_positive",), "predicted labels have no direction", LEFT_OUT),
        Refused(
            ("threshold", "rule", "score_kind"), "it needs scores",
            "predicted labels are positive or negative already", "unsupported",
        ),
    ),
    "a score per class": (
        Refused(
            ("threshold", "rule", "positive", "score_kind", "higher_is_positive"),
            "it is for one score per case, not for one per class", LEFT_OUT,
        ),
    ),
    "several labels per case": (
        Refused(
            ("score",), "several labels per case need {option[predicted]}, 0 or 1 for each",
            "threshold the scores first", "unsupported",
        ),
        Refused(
            ("missing",), "{option[missing=drop]} is for one label per case",
            "leave out the rows with a missing indicator before", "unsupported",
        ),
        Refused(
            ("threshold", "positive", "classes", "score_kind"),
            "it is for one column of scores or labels, not for several", LEFT_OUT,
        ),
    ),
    "amounts": (
        Refused(
            ("score",), "predicted amounts are passed as {option[predicted]}, not as {option[score]}", "",
            argument="regression",
        ),
        Refused(
            (
                "threshold", "rule", "classes", "positive", "score_kind", "ordered", "higher_is_positive",
                "design", "proportion", "auc_interval", "method",
            ),
            "it is for classes, and regression compares amounts", "leave one of the two out",
        ),
    ),
}  # fmt: skip


def form_of(spec: CaseSpec, arrays: bool) -> Form:
    """What the columns hold. Raises InputError without a truth, and for models of different forms."""
    if spec.regression:
        return "amounts"
    if spec.truth is None:
        raise no_truth()
    if arrays and is_indicator(spec.truth):
        return "several labels per case"
    if spec.kind == "predicted":
        return "labels"
    sizes = {name: len(parts) for name, parts in spec.roles("score", arrays).items()}
    many, few = ([name for name, size in sizes.items() if (size > TWO) is wanted] for wanted in (True, False))
    if many and few:
        problem = (
            f"the model {shown(many[0])} has {sizes[many[0]]} columns, one per class, and {shown(few[0])} has"
        )
        raise InputError(
            "mismatch", "score", f"{problem} {sizes[few[0]]}",
            "evaluate models of two classes and of more apart", value=many[0],
        )  # fmt: skip
    return "a score per class" if many else "scores"


def refuse(
    form: Form, spec: CaseSpec, options: EvaluationOptions, threshold: Any = None, method: str | None = None
) -> None:
    """Raises InputError for arguments that do not apply to cases of this form. method: of a comparison."""
    given = _given(spec, options, threshold) | ({} if method is None else {"method": method})
    if form == "a score per class" and spec.score_kind in PROBABILITIES:
        given.pop("score_kind")
    for one in REFUSED[form]:
        for name in one.names:
            if name in given:
                problem = one.problem.format(**IN_FORMATS)
                raise InputError(one.code, one.argument or name, problem, one.remedy)
    if spec.units is None:
        return
    if options.rule is not None and options.rule.of_bound:
        raise InputError("unsupported", "rule", f"{options.rule.text!r} {OF_CLUSTERS}")


def _given(spec: CaseSpec, options: EvaluationOptions, threshold: Any) -> dict[str, Any]:
    """The arguments with another value than by default."""
    values = {name: getattr(spec, name) for name in ("score", "classes", "positive", "score_kind")}
    values |= {"threshold": threshold, "rule": options.rule, "ordered": spec.ordered or None}
    found = {name: value for name, value in values.items() if value is not None}
    if not spec.higher_is_positive:
        found["higher_is_positive"] = False
    if spec.missing != "reject":
        found["missing"] = spec.missing
    settings = {name: getattr(options.settings, name) for name in SETTINGS}
    return found | {name: value for name, value in settings.items() if value != getattr(Settings(), name)}


# From cases, their sums, a sample or a summary to the evaluation of its task
# --------------------------------------------------------------------------------------------------

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


# Class weights of `evaluate`, which are computed from the cases
# --------------------------------------------------------------------------------------------------


@listed(
    "function",
    'tm.evaluate(..., class_weight="balanced")',
    name="class_weight",
    aka=(
        "class_weights",
        "weights_by_class",
        "balanced_class_weights",
        "class_weight_balanced",
        "compute_class_weight",
    ),
    command="tallymark evaluate --class-weight balanced",
    terms=(
        "rearranged_weights",
        "balanced_weights",
    ),
)
def with_class_weights(data: Any, spec: CaseSpec, given: ClassWeight | None, summary: bool) -> CaseSpec:
    """Weights of the cases by their class: a number for each, or "balanced", n / (K n_k).

    Balanced, all K classes have the same total weight, and precision, accuracy and the like are those of a
    balanced class mix. They are importance weights. The cases are read once more, for the class sizes.
    summary: whether there are no cases. Raises InputError where such weights do not apply. Source: QuData.
    """
    if given is None:
        return spec
    for name, wrong in {
        "weight": spec.weight is not None,
        "weight_kind": spec.weight_kind is not None,
        "regression": spec.regression,
    }.items():
        if wrong:
            problem = f"{option(name)} is given, too"
            raise InputError("conflict", ROLE, problem, "leave one of the two out")
    if summary:
        raise InputError("unsupported", ROLE, "a summary has its weights already", "pass the cases")
    if spec.truth is None:
        raise no_truth()
    if data is None and is_indicator(spec.truth):
        raise InputError("unsupported", ROLE, "a case has several labels", "take one label at a time")
    sizes = read(data, spec).sum(lambda batch: sizes_of(batch["truth"]))
    return replace(spec, class_weights=by_class(given, sizes))


# `evaluate`: from cases, or a summary, to an evaluation; other verbs take one in their place
# --------------------------------------------------------------------------------------------------

SUMMARIES = (Counts, ConfusionMatrix, RankingTable, BinnedTable, IndicatorTable, ClassScores, Residuals)

# arguments that functions of one evaluation do not take
NOT_OF_ONE = ("measures", "by", "fold", "reference", "class_weight", "bins", "tolerance")


@overload
def evaluate(data: Any = None, /, *, score: Mapping[str, Any], by: Any, **given: Any) -> GroupTables: ...


@overload
def evaluate(data: Any = None, /, *, score: Mapping[str, Any], fold: Any, **given: Any) -> FoldTables: ...


@overload
def evaluate(data: Any = None, /, *, score: Mapping[str, Any], **given: Any) -> EvaluationTable: ...


@overload
def evaluate(data: Any = None, /, *, by: Any, **given: Any) -> GroupTable: ...


@overload
def evaluate(data: Any = None, /, *, fold: Any, **given: Any) -> FoldTable: ...


@overload
def evaluate(data: Any = None, /, **given: Unpack[AllArguments]) -> SomeEvaluation: ...


@public()  # type: ignore[misc]  # of an argument with another name it says what it is called here
def evaluate(
    data: Any = None,
    /,
    *,
    truth: Any = None,
    score: Any = None,
    predicted: Any = None,
    weight: Any = None,
    weight_kind: WeightKind | None = None,
    class_weight: ClassWeight | None = None,
    counts: Counts | None = None,
    threshold: float | Mapping[str, float] | None = None,
    positive: Any = None,
    predicted_positive: Any = None,
    not_an_answer: Sequence[Any] | None = None,
    higher_is_positive: bool = True,
    missing: Missing = "reject",
    where: str | None = None,
    memory: str | int | None = None,
    level: float = 0.95,
    proportion: Proportion = "wilson",
    auc_interval: AucInterval = "delong-logit",
    design: Design = "cohort",
    rng: int | np.random.Generator = 0,
    parameters: Mapping[str, Mapping[str, Any]] | None = None,
    rule: str | None = None,
    replicates: int = SPLITS,
    score_kind: ScoreKind | None = None,
    regression: bool = False,
    classes: Sequence[Any] | None = None,
    ordered: bool = False,
    measures: str | Sequence[str] | None = None,
    clusters: Any = None,
    persons: Any = None,
    by: Any = None,
    fold: Any = None,
    reference: str | None = None,
    bins: int | None = BINS,
    tolerance: float | None = None,
    name: str | None = None,
    progress: Callable[[int], None] | None = None,
) -> Evaluation | Tables:
    """Compute every measure that the data allow, each with its confidence interval.

    Parameters
    ----------
    data : data frame, path, list of paths, mapping of columns or summary, optional
        Paths are those of CSV, Parquet or JSON-lines files. The other arguments then name columns. Without
        data pass arrays (lists, arrays, series, tensors on the CPU) as truth and score, or as truth and
        predicted, or pass counts.
    truth : array of shape (n,) or (n, labels), or name of a column
        Actual labels: of two classes or more; or, with predicted, an array of 0 and 1 with a column per
        label, where a case may have several labels.
    score : array of shape (n,) or (n, classes), name of a column, list of names, or mapping
        A number per case, where a higher one means more positive, or a column per class. Two columns must be
        probabilities that add up to 1, as from predict_proba; the score is the one of the positive class. For
        several models, a mapping from their names to such scores.
    predicted : array of labels, name of a column, or mapping from names of models to these
        Predicted labels; an array of shape (n, labels) where truth has one.
    weight : array of shape (n,) or name of a column, optional
        The weight of each case.
    weight_kind : {"count", "importance"}, optional
        "count": a case of weight 2 is two cases. "importance": sampling or class weights, of which only the
        ratios matter, the default. Whole weights of rows that are the cells of a table, no two with the same
        truth and predicted, are counts.
    class_weight : "balanced" or mapping of labels to numbers, optional
        In place of weight: the weight of the cases of each class, an importance weight; "balanced" gives all
        classes the same total weight.
    counts : Counts, optional
        In place of the cases: the numbers of true and false positives and negatives.
    threshold : float, or mapping from names of models, optional
        A case is predicted positive where score >= threshold. By default 0 for logits and margins,
        else 0.5 where every score lies in [0, 1], else the threshold of the largest Youden index.
    positive : label, optional
        The positive label; for 0/1, -1/1, false/true, no/yes and negative/positive it is not needed.
    predicted_positive : label, optional
        With predicted labels of two classes in other words than the actual ones, as positive and negative for
        malignant and benign: the predicted label that means positive; any other one means negative.
    not_an_answer : list of values, optional
        Predicted values that name no class, as ["unparseable", "ERROR", ""]; "" and None stand for a missing
        value, too. Such a case is wrong, and no class gets it: of two classes a positive one is a false
        negative, a negative one a false positive. `ev.unanswered` is their proportion.
    higher_is_positive : bool, default True
        False if a lower score means more positive.
    missing : {"reject", "drop"}, default "reject"
        How to treat cases with a missing value: raise InputError, or leave them out, which a notice reports.
    where : str, optional
        A condition on the columns of data, as "split = 'test' and age >= 50": only the rows that fulfil it
        count. Columns are compared with text, numbers, true and false by =, !=, <, <=, > and >=, with several
        by in (...), and with nothing by is null; and, or, not and parentheses join comparisons. Other names
        of columns stand in double quotation marks. A comparison with a missing value is neither true nor
        false.
    memory : int or str, optional
        Bytes for the summaries of scores, as "2GiB" or "500MB": by default half of the memory that is free,
        and at least 1 GiB. Where the distinct scores of files or streams do not fit, neighbours are joined to
        bins, and measures of scores have certified bounds (`Estimate.bounds`).
    level : float, default 0.95
        Confidence level of the intervals, above 0 and below 1.
    proportion : {"wilson", "clopper-pearson", "jeffreys", "agresti-coull", "wald"}, default "wilson"
        Interval of proportions.
    auc_interval : {"delong-logit", "delong", "hanley-mcneil", "newcombe"}, default "delong-logit"
        Interval of the area under the ROC curve.
    design : {"cohort", "case-control"}, default "cohort"
        "cohort": the class mix varies from sample to sample; "case-control": the class sizes are fixed.
    rng : int or numpy.random.Generator, default 0
        Seed of the resampling.
    parameters : mapping of mappings, optional
        Parameters of measures by their names, as {"f_beta": {"beta": 0.5}}.
    rule : str, optional
        Rule that chooses the threshold on these cases, as "youden", "equal_error", "f1" or
        "sensitivity>=0.95"; `choose_threshold` has more. Intervals allow for the choice.
        "sensitivity.low>=0.95" keeps the limit on other cases at the confidence level.
    replicates : int, default 50
        Number of splits of the cases into halves, on which the choice of the threshold is repeated, at least
        10. With 0, measures at a threshold that was chosen on these cases have no interval.
    score_kind : {"probability", "logit", "margin", "llr"}, optional
        "probability" is refused where the scores are not probabilities. "logit": real values z; the
        probabilities are 1 / (1 + exp(-z)), or their softmax. "margin": signed distances from a boundary.
        "llr": natural logarithms of likelihood ratios. By default probabilities where all scores lie in [0,
        1].
    regression : bool, default False
        Whether truth and predicted are amounts instead of labels.
    classes : list of labels, optional
        All classes, also those without cases, as in a month without frauds; by default those that occur, and
        those that the type of truth declares (an ordered Categorical of pandas, an Enum of polars, of two
        classes also an unordered one). Of a score per class the labels of the columns, in their order: by
        default columns with names are matched to the labels by name, alone or with the same text before or
        after each, as prob_cat and prob_dog, and those of an array stand for the labels of truth, sorted. It
        is needed where more numbers than half the cases occur, which look like amounts, and for labels that
        look like missing values, as "NA".
    ordered : bool, default False
        Whether classes are in their order, as ["low", "mid", "high"], for measures of ordered classes, as
        quadratic_weighted_kappa. Numbers are in the order of their values, and an ordered Categorical has its
        own; other text has none.
    measures : str or list of str, optional
        The measures that the result holds, prints and writes, by any of their names. By default all that the
        data allow; each is worked out when it is read.
    clusters : array of shape (n,) or name of a column, optional
        The cluster of each case, as its patient or site: cases of a cluster may depend on each other.
    persons : two columns or two arrays, optional
        The two persons of each case, as (id1, id2): of a comparison, a match or another relation. Cases that
        share a person may depend on each other; a case of one person has him twice.
    by : name of a column, list of names, array, or mapping from names to arrays, optional
        A row for each group of cases: for each value of the column, as a site, or each combination of values
        of several. All groups have the classes and the threshold of all cases.
    fold : name of a column, list of names, array, or mapping from names to arrays, optional
        Of predictions by cross-validation, the fold whose model was tested on the case. Of repeated folds
        two columns, the repeat and the fold.
    reference : str, optional
        The model, or with by the group, from which the differences are: by default the model that is best in
        the first measure of a row, or all cases.
    bins : int or None, default 65536
        Of a frame in an engine (a relation of DuckDB, a lazy frame of polars, a table of Ibis, a frame of
        PySpark or Dask): the most rows that are fetched. Frames of more rows are counted in the engine, in
        bins of the score; models and groups share the bins, at least 64 each. With
        None each row is read, if they fit in memory.
    tolerance : float, optional
        There: the width of the bounds of the area under the ROC curve, for which more rows are fetched.
    name : str, optional
        What the result is called in texts, pages, pictures and files, as "logreg v3"; by default the name of
        the file.
    progress : callable, optional
        Called with the number of rows read, after each batch.

    Returns
    -------
    Evaluation or EvaluationTable
        The measures by name, each an `Estimate`. An `EvaluationTable` where score or predicted is a mapping
        from names, as score={"logreg": "a", "svm": "b"}: by name the evaluation of each model as it would be
        alone. A `GroupTable` with by: by name the evaluation of each group, with the differences from all
        cases; of several models `GroupTables`: by name the `GroupTable` of each. A `FoldTable` with fold: by
        name the evaluation of each fold, with means over the folds; of several models `FoldTables`.

    Raises
    ------
    InputError
        For wrong input; the message is one sentence on what is wrong, where, and how to correct it.

    Notes
    -----
    The cases of several models are read once. With missing="drop", cases that lack the score of any model are
    left out for all models. Class weights that give all classes the same total weight fix the class mix in
    either design.

    Examples
    --------
    >>> import tallymark as tm
    >>> evaluation = tm.evaluate(truth=[0, 0, 1, 0, 1, 1], score=[0.1, 0.3, 0.4, 0.6, 0.7, 0.9])
    >>> round(evaluation["roc_auc"].value, 4)
    0.8889
    >>> tm.evaluate(counts=tm.Counts(tp=90, fp=20, fn=10, tn=80))["sensitivity"]
    Estimate(0.9 [0.8256, 0.9448] at 0.95, wilson)
    """
    refuse_answers(data)
    if isinstance(data, Evaluation):
        way_out = f"use it as it is, or its at({option('threshold')}), or pass the cases"
        raise InputError("ambiguous", "data", "it is an evaluation already", way_out)
    validate.function(progress, "progress")
    limit: Any = threshold  # only a mapping has several models
    spec, options = describe(
        truth=truth, score=score, predicted=predicted, weight=weight, weight_kind=weight_kind,
        clusters=clusters, persons=persons, positive=positive, predicted_positive=predicted_positive,
        not_an_answer=not_an_answer, classes=classes, ordered=ordered, higher_is_positive=higher_is_positive,
        score_kind=score_kind, missing=missing, where=where, memory=memory, regression=regression,
        level=level, proportion=proportion, auc_interval=auc_interval, design=design,
        rng=rng, parameters=parameters, rule=rule, replicates=replicates, threshold=limit, bins=bins,
        tolerance=tolerance,
    )  # fmt: skip
    sums = opened(data)
    summary = counts is not None or sums is not None or isinstance(data, SUMMARIES)
    spec = with_class_weights(data, spec, class_weight, summary)
    chosen = None if measures is None else names_of_measures(measures)
    if name is not None:
        validate.of_type(name, str, "name")
    held = data if sums is None else sums
    result: Evaluation | Tables
    if by is None and fold is None:
        result = _measured(held, counts, spec, options, limit, progress, reference)
    else:
        if sums is not None and sums.release is not None:
            only_measured(spec, counts)
            data, spec, summary = sums.release.columns, sums.cases.spec, False
            options = replace(options, score_kind=spec.score_kind)
        spec = spec.of_columns({"by": by, "fold": fold})
        result = _of_parts(data, spec, options, limit, reference, progress, summary)
    result = result if name is None else result.named(name)
    if chosen is None:
        return result
    return result[chosen] if isinstance(result, Evaluation) else result.choose(chosen)


def _no_reference(reference: str | None) -> None:
    """Raises InputError for a reference where there is one evaluation."""
    if reference is not None:
        problem = "it is a group or a model, with which the others are compared"
        raise InputError("conflict", "reference", problem, f"pass {option('by')}, or leave it out")


def _of_parts(
    data: Any, spec: CaseSpec, options: EvaluationOptions, threshold: Any, reference: str | None,
    progress: Progress, summary: bool,
) -> Tables:  # fmt: skip
    """The evaluations of groups or of folds, which are loaded only here."""
    if summary:
        name = BY if spec.fold is None else FOLD
        problem = f"a summary does not hold the {OF_ARRAY[name]} of each case"
        raise InputError("unsupported", name, problem, "pass the cases")
    if spec.by is not None and spec.fold is not None:
        problem = "the rows are the groups of by already"
        raise InputError("conflict", FOLD, problem, "leave one of the two out")
    if spec.fold is None:
        from .groups import of_groups

        return of_groups(data, spec, options, threshold, reference, progress)
    if not _several(spec):
        _no_reference(reference)
    from .groups import of_folds

    return of_folds(data, spec, options, threshold, reference, progress)


def _several(spec: CaseSpec) -> bool:
    """Whether models are named."""
    return any(isinstance(one, Mapping) for one in (spec.score, spec.predicted))


def _measured(
    data: Any, counts: Counts | None, spec: CaseSpec, options: EvaluationOptions, threshold: Any,
    progress: Progress, reference: str | None,
) -> Evaluation | EvaluationTable:  # fmt: skip
    """The evaluation of counts, of a summary, or of cases of one model or several."""
    if isinstance(data, CaseSums):
        only_measured(spec, counts)
        options = replace(options, score_kind=data.cases.spec.score_kind)
        return _of_models(evaluate_sums(data, options, threshold), reference)
    if not _several(spec):
        _no_reference(reference)
    if counts is not None or isinstance(data, SUMMARIES):
        summary, other = (data, None) if counts is None else (counts, data)
        options_of_cases = {name: getattr(spec, name) for name in ("weight_kind", "where", "classes")}
        flags = {name: getattr(spec, name) or None for name in ("regression", "ordered")}
        validate.only(summary, data=other, **spec.given, **options_of_cases, **flags)
        return evaluate_summary(summary, options, spec.positive, threshold, spec.higher_is_positive)
    if spec.truth is None and data is not None:
        raise no_truth()
    kept = KeepingTruth(data, every=True) if len(by_name(spec.given.get(spec.kind))) > 1 else None
    evaluations = evaluate_cases(data, spec, options, threshold, progress, kept)
    result = _of_models(evaluations, reference)
    if kept is None or isinstance(result, Evaluation):
        return result
    from .paired import kept_cases  # not loaded for one model: 30 ms

    return replace(result, _cases=kept_cases(kept, spec, options, result.evaluations))


def _of_models(evaluations: Evaluations, reference: str | None) -> Evaluation | EvaluationTable:
    """The evaluation of the only model, or those of several."""
    if None in evaluations:
        _no_reference(reference)
        return evaluations[None]
    named = {str(name): one for name, one in evaluations.items()}
    if reference is not None:
        validate.choice(reference, list(named), "reference")
    return EvaluationTable(named, reference=reference)


MEASURED = ("level", "proportion", "auc_interval", "design", "rng", "parameters", "replicates")


def evaluated(data: Any, cases: Mapping[str, Any]) -> Evaluation:
    """The given evaluation, or that of the cases.

    Raises InputError for arguments that describe cases, if an evaluation is given.
    """
    if isinstance(data, Evaluation):
        refuse_arguments(cases)
        return data
    result: Evaluation = evaluate(data, **cases)
    refuse_answers(result)  # of the sums of several models
    return result


def with_scores(verb: str, what: str, data: Any, cases: Mapping[str, Any]) -> BinaryEvaluation:
    """The same for a function of one score per case, of two classes that both have cases.

    what: that needs these, for messages.
    """
    given = of_one_model(verb, cases)
    only_two_classes(what, given.get("truth"), [given.get("score")], data is not None)
    result = evaluated(data, given)
    if not isinstance(result, BinaryEvaluation) or result.ranking is None:
        problem = f"{what} needs scores, one per case"
        raise InputError("needed", "score", problem, f"pass it with {option('score')}")
    if not result.both_classes:
        problem = f"there is one class only, and {what} needs both"
        raise InputError("empty", "truth", problem, "add cases of both")
    return result


def of_sums(data: Any, cases: Mapping[str, Any]) -> Any:
    """The evaluation of sums or of another summary, without what describes cases; else the data.

    Raises InputError where it holds several models.
    """
    sums = opened(data)
    if sums is None and not isinstance(data, SUMMARIES):
        return data
    measured = (*MEASURED, "threshold", "rule")
    held = data if sums is None else sums
    result = evaluate(held, **{name: one for name, one in cases.items() if name in measured})
    refuse_answers(result)
    return result


def read_summary(plain: Any, written: str) -> Any:
    """The summary with this JSON, as values and as text; None where it is none."""
    for kind in (*SUMMARIES, LogitTable, ClassLogits):
        whole = isinstance(plain, dict) and {*kind.ENTRIES} <= plain.keys()
        if whole and plain.get("score_kind") == kind.SCORE_KIND:
            return kind.from_json(written)
    return None


def of_json(data: Any, argument: str) -> Any:
    """The summary that a .json file of `save` holds; else the data. Raises InputError for other results."""
    if not isinstance(data, (str, Path)) or not str(data).lower().endswith(".json"):
        return data
    try:
        with open(data, encoding="utf-8") as file:
            first = file.readline()
            of_lines = first.strip() != "{" and file.readline().strip()
            written = first if of_lines else first + file.read()
            plain = None if of_lines else json.loads(written)
    except (OSError, ValueError):  # which is said where it is read as cases
        return data
    if isinstance(plain, dict) and "answer" in plain:
        problem = f"{str(data)!r} holds the figures of a result, not its cases"
        way_out = "pass the cases, or what `tallymark release save` keeps of them, for the next time"
        raise InputError("unsupported", argument, problem, way_out)
    summary = read_summary(plain, written)
    return data if summary is None else summary


def refuse_arguments(cases: Mapping[str, Any]) -> None:
    """Raises InputError for arguments that describe cases if an evaluation is given."""
    for name, value in cases.items():
        if value is not None:
            raise InputError(
                "conflict",
                name,
                f"an evaluation has its own cases and settings, so {name} has no meaning with it",
                "leave it out",
            )
