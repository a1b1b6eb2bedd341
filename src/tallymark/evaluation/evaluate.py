"""`evaluate`: from cases, or a summary, to an evaluation; other verbs take one in their place."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, Unpack, overload

import numpy as np

from ..input import CaseSpec, KeepingTruth, validate
from ..input.calls import public
from ..input.class_weights import ClassWeight
from ..input.grouping import BY, FOLD, OF_ARRAY
from ..input.options import AucInterval, Design, Missing, Proportion, ScoreKind, WeightKind
from ..input.score_columns import by_name, of_one_model
from ..input.spec import BINS, no_truth, only_two_classes
from ..input.spelling import option
from ..input.validate import InputError
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
from .arguments import AllArguments, EvaluationOptions, describe, names_of_measures
from .case_sums import CaseSums, only_measured, opened
from .class_weights import with_class_weights
from .evaluations import Evaluations, Progress, evaluate_cases, evaluate_summary, evaluate_sums
from .results import BinaryEvaluation, Evaluation, EvaluationTable, SomeEvaluation, refuse_answers
from .thresholds import SPLITS

if TYPE_CHECKING:
    from .folds.table import FoldTable, FoldTables
    from .groups.table import GroupTable, GroupTables

    Tables: TypeAlias = EvaluationTable | FoldTables | GroupTables


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
        from .groups.table import of_groups

        return of_groups(data, spec, options, threshold, reference, progress)
    if not _several(spec):
        _no_reference(reference)
    from .folds.table import of_folds

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
    from .paired.comparison import kept_cases  # not loaded for one model: 30 ms

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


def summary_of(plain: Any, written: str) -> Any:
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
    summary = summary_of(plain, written)
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
