"""`evaluate`: from cases, or a summary, to an evaluation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Unpack, overload

import numpy as np

from ..input import CaseSpec, validate
from ..input.calls import public
from ..input.errors import InputError, by_position
from ..input.spelling import option
from ..summaries import ClassScores, ConfusionMatrix, Counts, IndicatorTable, RankingTable, Residuals
from .arguments import Asked, EvaluateArguments, describe
from .from_cases import of_cases, only_of_amounts
from .from_summaries import of_counts, of_summary
from .results import Evaluation, EvaluationTable, refuse_answers
from .thresholds import SPLITS

SUMMARIES = (Counts, ConfusionMatrix, RankingTable, IndicatorTable, ClassScores, Residuals)


@overload
def evaluate(data: Any = None, /, *misplaced: Any, score: Mapping[str, Any], **given: Any) -> EvaluationTable: ...


@overload
def evaluate(data: Any = None, /, *misplaced: Any, **given: Unpack[EvaluateArguments]) -> Evaluation: ...


@public()  # type: ignore[misc]  # of an argument with another name it says what it is called here
def evaluate(
    data: Any = None,
    /,
    *misplaced: Any,
    truth: Any = None,
    score: Any = None,
    predicted: Any = None,
    weight: Any = None,
    weight_kind: str | None = None,
    counts: Counts | None = None,
    threshold: float | Mapping[str, float] | None = None,
    positive: Any = None,
    higher_is_positive: bool = True,
    missing: str = "reject",
    level: float = 0.95,
    proportion: str = "wilson",
    resampling: str = "bayesian-bootstrap",
    auc_interval: str = "delong-logit",
    design: str = "cohort",
    rng: int | np.random.Generator = 0,
    parameters: Mapping[str, Mapping[str, Any]] | None = None,
    rule: str | None = None,
    replicates: int = SPLITS,
    score_kind: str | None = None,
    regression: bool = False,
    classes: Sequence[Any] | None = None,
    clusters: Any = None,
    progress: Callable[[int], None] | None = None,
) -> Evaluation | EvaluationTable:
    """Every measure that the data allow, each with its interval.

    Pass arrays (lists, arrays, series, tensors on the CPU) as truth and score, or as truth and predicted; or first a data frame or
    the path of a CSV, Parquet or JSON-lines file (or several), and the names of its columns; or counts; or any summary.

    Several models of the same cases are named: score={"logreg": "a", "svm": "b"}, or predicted= likewise, gives an
    `EvaluationTable`, by name the evaluation of each as it would be alone. The cases are read once; with missing="drop" those that
    lack the score of some model are left out for all. threshold may then be a mapping from names, too.

    truth: the actual labels, two classes with score, two or more with predicted, or with predicted an array of 0 and 1 with a
    column per label, where a case may have several; score: a number per case, higher meaning more positive (else
    higher_is_positive=False), or a column per class, as an array of two dimensions or a list of names; of two classes these are
    probabilities that add up to 1, as predict_proba gives them, and that of the positive class is the score. classes: the labels of
    these columns, in their order. By default columns with names are matched to the labels by name, alone or with the same text
    before or after each, as prob_cat and prob_dog, and those of an array stand for the labels of truth, sorted. With predicted=
    classes= lists all classes, also those that do not occur; text classes have the order in which it names them, as ["low", "mid",
    "high"], for measures of ordered classes, as quadratic_weighted_kappa. It is needed where more numbers than half the cases
    occur, which look like amounts. predicted: labels; weight: what a case counts; weight_kind: "count", a case of weight 2 is two
    cases, or "importance", sampling or class weights, of which only the ratios matter; by default counts where all are whole.
    threshold: positive when score >= threshold; by default 0.5 where every score lies in [0, 1], 0 for logits and margins, else
    that of the largest Youden index. rule: how to choose one on these cases, as "youden", "equal_error", "f1" or
    "sensitivity>=0.95" (`choose_threshold` has more); intervals count the choice in. "sensitivity.low>=0.95" keeps the limit on
    other cases at the confidence level. replicates: how many times the cases are split into halves, on which the choice is
    repeated (from 10 on), or 0: then measures at a threshold that was chosen here have no interval. score_kind: what the scores
    are: "probability" (refused where they are none), "logit" (real values of which 1 / (1 + exp(-z)), or softmax, gives the
    probabilities), "margin" (signed distances from a boundary) or "llr" (natural logarithms of likelihood ratios); by default
    probabilities where all lie in [0, 1]. regression: True where truth and predicted are amounts, not labels. positive: the
    positive label; {0, 1}, {False, True} and {-1, 1} are known without it.
    missing: "reject" (InputError) or "drop" (said in a notice). level: of the intervals. proportion: "wilson",
    "clopper-pearson", "jeffreys", "agresti-coull" or "wald". auc_interval: "delong-logit", "delong", "hanley-mcneil" or "newcombe".
    resampling: "bayesian-bootstrap" or "bootstrap". rng: a seed or a NumPy Generator.
    design: "cohort", the class mix varies from sample to sample, or "case-control", the class sizes are fixed. Class weights with
    which all classes weigh the same in all fix the class mix in either.
    clusters: which cases belong together, as the patient or the site of each: whole clusters are resampled for the intervals,
    so that proportion, auc_interval and resampling have no say.
    parameters: of measures, by their names, as {"f_beta": {"beta": 0.5}}.
    progress: called with the number of rows after each batch that was read.

    Raises InputError, with one sentence that says what is wrong, where, and the way out.
    """
    _check_position(data, misplaced)
    validate.function(progress, "progress")
    limit: Any = threshold  # a mapping of several models only
    spec, asked = describe(
        truth=truth, score=score, predicted=predicted, weight=weight, weight_kind=weight_kind, clusters=clusters, positive=positive,
        classes=classes, higher_is_positive=higher_is_positive, score_kind=score_kind, missing=missing, regression=regression,
        level=level, proportion=proportion, resampling=resampling, auc_interval=auc_interval, design=design, rng=rng,
        parameters=parameters, rule=rule, replicates=replicates, threshold=limit,
    )  # fmt: skip
    return _measured(data, counts, spec, asked, limit, progress)


def _check_position(data: Any, misplaced: tuple[Any, ...]) -> None:
    """What is passed without a name is a source of cases, or a summary. Raises InputError."""
    if misplaced:
        raise by_position("truth", "score")
    refuse_answers(data)
    if isinstance(data, Evaluation):
        raise InputError(
            "ambiguous",
            "data",
            "it is an evaluation already",
            f"use it as it is, or its at({option('threshold')}), or pass the cases",
        )


def _measured(
    data: Any, counts: Counts | None, spec: CaseSpec, asked: Asked, threshold: Any, progress: Callable[[int], None] | None
) -> Evaluation | EvaluationTable:
    """Of counts, of a summary, or of cases of one model or of several."""
    given = {"threshold": threshold, "positive": spec.positive, "rule": asked.rule, "score_kind": spec.score_kind}
    if counts is not None:
        validate.only(counts, data=data, **spec.given, weight_kind=spec.weight_kind, **given)
        return of_counts(counts, asked)
    if isinstance(data, SUMMARIES):
        regression = spec.regression or None
        validate.only(data, **spec.given, weight_kind=spec.weight_kind, classes=spec.classes, regression=regression)
        return of_summary(data, asked, spec.positive, threshold, spec.higher_is_positive)
    if spec.regression:
        only_of_amounts(spec.score, clusters=spec.clusters, classes=spec.classes, **given)
    found = of_cases(data, spec, asked, threshold, progress)
    return found[None] if None in found else EvaluationTable({str(name): one for name, one in found.items()})
