"""Tests of one model: `fisher_exact`, `mann_whitney` and `no_information_test`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Unpack, get_args

import numpy as np

from ..inference.hypothesis import (
    Alternative,
    FisherResult,
    MannWhitneyResult,
    NoInformationResult,
    fisher_of_counts,
    mann_whitney_of_table,
    no_information,
)
from ..input import validate
from ..input.calls import public
from ..input.errors import option
from ..input.names import listed
from ..input.score_columns import of_one_model
from ..input.validate import InputError
from ..summaries import ConfusionMatrix, Counts
from .evaluate import NOT_OF_ONE, EvaluateArguments, evaluate, evaluated, with_scores
from .results import BinaryEvaluation, Evaluation, MulticlassEvaluation

ALTERNATIVES = get_args(Alternative)


@listed("test", "tm.fisher_exact(...)", aka=("fishers_exact_test", "fisher"), command="tallymark evaluate")
@public(also=evaluate, but=NOT_OF_ONE)
def fisher_exact(
    data: Any = None,
    /,
    *,
    alternative: Alternative = "two-sided",
    **cases: Unpack[EvaluateArguments],
) -> FisherResult:
    """Fisher's exact test of whether predicted and actual class are independent.

    Parameters
    ----------
    data : Counts, evaluation, or as data of `evaluate`, optional
        The cases of two classes; without it pass the arguments of `evaluate` by name.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        "greater": predictions agree with the actual class more often than by chance.
    truth, score, predicted, weight, weight_kind, counts, positive, classes, ordered, regression
        As for `evaluate`.
    clusters, persons, predicted_positive, not_an_answer, higher_is_positive, score_kind, missing
        As for `evaluate`.
    where, memory, threshold, rule, replicates
        As for `evaluate`.
    level, proportion, auc_interval, design, rng, parameters, name, progress
        As for `evaluate`.

    Returns
    -------
    FisherResult
        With the odds ratio of the table as statistic.

    Raises
    ------
    InputError
        For more than two classes, weights that are not whole, and for whatever `evaluate` refuses.

    Notes
    -----
    The two-sided p-value is the probability of all tables with the same margins that are not more likely than
    the one observed. Independence says little about a useful classifier: see the intervals of `evaluate`.

    References
    ----------
    Fisher (1935); as fisher.test of R and scipy.stats.fisher_exact.

    Examples
    --------
    >>> import tallymark as tm
    >>> round(tm.fisher_exact(tm.Counts(tp=3, fp=1, fn=1, tn=3)).p_value, 4)
    0.4857
    """
    validate.choice(alternative, ALTERNATIVES, "alternative")
    found = _two_classes("fisher_exact", data, cases)
    return replace(fisher_of_counts(found.counts, alternative), notices=found.notices_of_data)


@listed(
    "test",
    "tm.mann_whitney(...)",
    aka=("mann_whitney_u", "wilcoxon_rank_sum", "wilcoxon_mann_whitney", "rank_sum"),
    terms=("wilcoxon",),
)
@public(also=evaluate, but=NOT_OF_ONE)
def mann_whitney(
    data: Any = None,
    /,
    *,
    alternative: Alternative = "two-sided",
    **cases: Unpack[EvaluateArguments],
) -> MannWhitneyResult:
    """Mann and Whitney's test of whether positives and negatives have the same distribution of scores.

    Parameters
    ----------
    data : RankingTable, evaluation, or as data of `evaluate`, optional
        The cases of two classes with scores; without it pass the arguments of `evaluate` by name.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        "greater": positives have higher scores.
    truth, score, predicted, weight, weight_kind, counts, positive, classes, ordered, regression
        As for `evaluate`.
    clusters, persons, predicted_positive, not_an_answer, higher_is_positive, score_kind, missing
        As for `evaluate`.
    where, memory, threshold, rule, replicates
        As for `evaluate`.
    level, proportion, auc_interval, design, rng, parameters, name, progress
        As for `evaluate`.

    Returns
    -------
    MannWhitneyResult
        With U as statistic and the area under the ROC curve, U / (positives * negatives).

    Raises
    ------
    InputError
        Without scores of both classes, for weights that are not whole, and for whatever `evaluate` refuses.

    Notes
    -----
    It is exact for fewer than 50 cases of each class without ties; else by the normal distribution with
    corrections for ties and for continuity. It tests equal distributions, not an area of 0.5: the interval of
    roc_auc, by DeLong's variance, also holds for distributions of other shapes.

    References
    ----------
    Mann and Whitney (1947); Berrar, section 4 (Def. 27), on the area as a rank-sum statistic; as wilcox.test
    of R and scipy.stats.mannwhitneyu.

    Examples
    --------
    >>> import tallymark as tm
    >>> result = tm.mann_whitney(truth=[0, 0, 1, 1], score=[0.1, 0.4, 0.35, 0.8])
    >>> result.statistic, result.roc_auc, round(result.p_value, 4)
    (3.0, 0.75, 0.6667)
    """
    validate.choice(alternative, ALTERNATIVES, "alternative")
    found = with_scores("mann_whitney", "the test", data, {**cases, "bins": None})
    assert found.ranking is not None
    found.need_each_score("mann_whitney")
    _check_independent(found)
    return replace(mann_whitney_of_table(found.ranking, alternative), notices=found.notices_of_data)


@listed(
    "test",
    "tm.no_information_test(...)",
    aka=("no_information_rate", "nir", "accuracy_p_value", "accuracy_against_the_no_information_rate"),
    terms=(
        "majority_voter",
        "random_classifier_accuracy",
    ),
)
@public(also=evaluate, but=NOT_OF_ONE)
def no_information_test(data: Any = None, /, **cases: Unpack[EvaluateArguments]) -> NoInformationResult:
    """One-sided binomial test of whether accuracy exceeds the share of the largest class.

    Parameters
    ----------
    data : Counts, ConfusionMatrix, evaluation, or as data of `evaluate`, optional
        The cases of two classes or more; without it pass the arguments of `evaluate` by name.
    truth, score, predicted, weight, weight_kind, counts, positive, classes, ordered, regression
        As for `evaluate`.
    clusters, persons, predicted_positive, not_an_answer, higher_is_positive, score_kind, missing
        As for `evaluate`.
    where, memory, threshold, rule, replicates
        As for `evaluate`.
    level, proportion, auc_interval, design, rng, parameters, name, progress
        As for `evaluate`.

    Returns
    -------
    NoInformationResult
        With the accuracy and the no-information rate, that of predicting the largest class for every case.

    Raises
    ------
    InputError
        For several labels per case and for amounts, for weights that are not whole, and for whatever
        `evaluate` refuses.

    Notes
    -----
    The rate is taken as known, although it is estimated from the same cases.

    References
    ----------
    Flemming, Correct Classification Rate; Berrar, section 6; as confusionMatrix of R's caret.

    Examples
    --------
    >>> import tallymark as tm
    >>> result = tm.no_information_test(tm.Counts(tp=70, fp=20, fn=30, tn=80))
    >>> result.accuracy, result.no_information_rate, result.p_value < 1e-12
    (0.75, 0.5, True)
    """
    found = _evaluated("no_information_test", data, cases)
    table = _predictions(found)
    return replace(no_information(*_right(table)), notices=found.notices_of_data)


def _evaluated(name: str, data: Any, cases: Any) -> Evaluation:
    result = evaluated(data, of_one_model(name, cases))
    _check_independent(result)
    return result


def _check_independent(found: Evaluation) -> None:
    """Raises InputError for importance weights, and for cases that depend on each other."""
    if found.clusters is not None:
        problem = "the distribution of the test is that of independent cases"
        way_out = f"leave {found.clusters.what} out, or take the interval of evaluate, which allows for them"
        raise InputError("unsupported", found.clusters.what, problem, way_out)
    if found.data.weight_kind == "importance":
        problem = "the test is for cases of weight 1, and these are importance weights"
        remedy = f"pass {option('weight_kind', 'count')} if they are numbers of cases"
        raise InputError("unsupported", "weight", problem, remedy)


def _two_classes(name: str, data: Any, cases: Any) -> BinaryEvaluation:
    result = _evaluated(name, data, cases)
    if not isinstance(result, BinaryEvaluation):
        raise InputError("unsupported", name, "it is for two classes")
    if not result.counts.total:
        raise InputError("empty", name, "there are no cases")
    return result


def _predictions(e: Evaluation) -> Counts | ConfusionMatrix:
    table = (
        e.counts
        if isinstance(e, BinaryEvaluation)
        else e.matrix
        if isinstance(e, MulticlassEvaluation)
        else None
    )
    if table is None:
        raise InputError("unsupported", "no_information_test", "it is for cases of one class each")
    if not table.total:
        raise InputError("empty", "no_information_test", "there are no cases")
    return table


def _right(table: Counts | ConfusionMatrix) -> tuple[float, np.ndarray]:
    """The number of correct predictions, and the class sizes."""
    if isinstance(table, Counts):
        return float(table.tp + table.tn), np.array([table.positives, table.negatives], float)
    return float(table.weights.diagonal().sum()), table.class_sizes
