"""Notices on the scores as probabilities: whether they are probabilities, and whether they are calibrated.

Mean and weak calibration in the terms of Van Calster et al. (2016, 2019): overestimation and underestimation
by the calibration in the large; probabilities that are too extreme (over-confident) or too moderate
(under-confident) by the calibration slope. With clusters these are left out: fitting a line to each of
thousands of resamples takes seconds, too long for a notice.
"""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from ... import kernels
from ...input.data_info import Task
from ...input.probabilities import nearly_distributions
from .evidence import CLEARLY, above, below, figures, sizes, without_class_weights
from .rules import BINARY, MULTICLASS, SCORED, Fields, fact, finding

if TYPE_CHECKING:
    from ...inference import Estimate
    from ..results import BinaryEvaluation, Evaluation, MulticlassEvaluation, ScoredEvaluation

VAN_CALSTER = "Van Calster et al. 2016 and 2019"
# of a slope, and of a shift on the logit scale (10 % of the odds): what validation studies are planned to
# detect (Riley 2021)
SIZE = 0.1
FEWEST = 5  # cases of the class that is more frequent than predicted: with fewer the interval is too narrow
HALF, RANKS = 0.5, 0.65  # probability; area under the ROC curve from which scores rank positives higher
ENOUGH = 50  # cases without a probability below 0.5
LEAST_GAP = 0.02  # between the highest probability and the accuracy
ROUNDING = 1e-6  # differences of sums of probabilities from 1 that cause no notice


@fact(of=MULTICLASS)
def no_class_probabilities(e: MulticlassEvaluation) -> Fields:
    """With a score per class: why the rows are not probabilities."""
    if e.scores is None or e.probabilities or e.score_kind is not None:
        return None
    return {"because": e.scores.why_no_probabilities, "nearly": nearly_distributions(e.scores.probability)}


@fact(of=SCORED)
def probabilities_clipped(e: ScoredEvaluation) -> Fields:
    """Scores just outside [0, 1], as by rounding, are taken as 0 or 1."""
    if e.scored is None or not e.probabilities or e.score_kind == "logit":
        return None
    score = e.scored.score
    if score.ndim == 1 and score[0] <= 1 and score[-1] >= 0:  # in the order of the scores
        return None
    outside = (score > 1) | (score < 0)
    if not outside.any():
        return None
    return {"cases": float(CASES[e.task](e, outside).sum()), "score": score[outside].flat[0].item()}


CASES: dict[Task, Callable[[Any, np.ndarray], np.ndarray]] = {  # the weights of the cases with such scores
    "binary": lambda e, outside: (e.ranking.positive + e.ranking.negative)[outside],
    "multiclass": lambda e, outside: e.scores.weight[outside.any(axis=1)],
}


@fact(of=MULTICLASS)
def probabilities_rounded(e: MulticlassEvaluation) -> Fields:
    """Rounded probabilities do not add up to 1."""
    if e.scores is None or not e.probabilities or e.score_kind == "logit":
        return None
    off = np.abs(e.scores.probability.sum(axis=1) - 1)
    number = float(e.scores.weight[off > ROUNDING].sum())
    return {"cases": number, "largest": float(off.max())} if number else None


@fact(of=SCORED)
def log_loss_clipped(e: ScoredEvaluation) -> Fields:
    """A case of the class to which probability 0 was given."""
    table = e.scored
    if table is None or e.in_bins or "log_loss" not in e.estimates:
        return None
    if e.score_kind == "logit" or not table.total:
        return None
    clipped = CLIPPED[e.task](table)
    return {"cases": clipped, "epsilon": float(table.epsilon)} if clipped else None


# the weight of the cases to whose class less than epsilon was given
CLIPPED: dict[Task, Callable[[Any], float]] = {
    "binary": lambda table: table.given.sum(lambda given: given.p < table.epsilon),
    "multiclass": lambda table: float(table.weight[table.given < table.epsilon].sum()),
}


@finding(of=BINARY, severe=True)
def confidence_of_the_predicted_class(e: BinaryEvaluation) -> Fields:
    """No probability is below 0.5, though fewer cases are positive, and these hardly rank higher.

    So are the probabilities of the predicted class, be it the positive one or not: `roc_auc` is near 0.5
    then, or below where most cases are negative. Its interval must lie below `RANKS`, and that of the share
    of positives below the mean probability.
    """
    t = e.ranking
    if t is None or not len(t) or "calibration_in_the_large" not in e.estimates or sum(sizes(e)) < ENOUGH:
        return None
    if t.probability[-1] < HALF or not below(e, "roc_auc", RANKS):
        return None
    mean = _expected(e) / float(t.total)
    share = below(e, "prevalence", mean, LEAST_GAP)
    if share is None or e.settings.design != "cohort":
        return None
    return {"mean": mean, "share": share.value, "auc": e.estimates["roc_auc"].value}


def is_confidence(e: BinaryEvaluation) -> bool:
    """Whether that notice says more than those on the calibration."""
    return confidence_of_the_predicted_class(e) is not None


def _expected(e: BinaryEvaluation) -> float:
    """The sum of the probabilities."""
    assert e.ranking is not None
    t = e.ranking
    if e.in_bins:
        return float(t.positives) / e.estimates["observed_expected_ratio"].value
    p, positive, negative = t.probability, t.positive, t.negative
    parts = kernels.stretches(lambda some: kernels.dot(p[some], positive[some] + negative[some]), len(p))
    return float(np.add.reduce(parts))


@finding(VAN_CALSTER, of=SCORED)
def over_confident(e: ScoredEvaluation) -> Fields:
    """The interval of calibration_slope is below 1: the probabilities are too extreme.

    Not where it is below 0, as with a reversed direction. With a score per class: the highest probability is
    larger than the share of correct predictions.
    """
    return OVER[e.task](e)


def _too_extreme(e: BinaryEvaluation) -> Fields:
    slope = None if e.clusters or is_confidence(e) else below(e, "calibration_slope", 1.0, SIZE)
    # a reversed direction has its own notice: auc_below_half
    if slope is None or below(e, "calibration_slope", 0.0):
        return None
    return figures(slope)


@finding(VAN_CALSTER, of=SCORED)
def under_confident(e: ScoredEvaluation) -> Fields:
    """The interval of calibration_slope is above 1: the probabilities are too moderate.

    With a score per class: the highest probability is smaller than the share of correct predictions.
    """
    return UNDER[e.task](e)


def _too_moderate(e: BinaryEvaluation) -> Fields:
    slope = None if e.clusters else above(e, "calibration_slope", 1.0, SIZE)
    return None if slope is None else figures(slope)


@finding(VAN_CALSTER, of=BINARY)
def overestimation(e: BinaryEvaluation) -> Fields:
    """The interval of calibration_in_the_large is below 0: the probabilities are too high on average."""
    usable = _has_prevalence(e) and not is_confidence(e)
    found = below(e, "calibration_in_the_large", 0.0, SIZE) if usable else None
    return None if found is None or sizes(e)[1] < FEWEST else _in_the_large(e, found)


@finding(VAN_CALSTER, of=BINARY)
def underestimation(e: BinaryEvaluation) -> Fields:
    """The interval of calibration_in_the_large is above 0: the probabilities are too low on average."""
    found = above(e, "calibration_in_the_large", 0.0, SIZE) if _has_prevalence(e) else None
    return None if found is None or sizes(e)[0] < FEWEST else _in_the_large(e, found)


def _has_prevalence(e: Evaluation) -> bool:
    """Whether the share of positives is that of a population, and its interval that of independent cases."""
    return not e.clusters and e.settings.design == "cohort"


def _in_the_large(e: BinaryEvaluation, found: Estimate) -> Fields:
    assert e.ranking is not None
    return {**figures(found), "expected": _expected(e), "positives": float(e.ranking.positives)}


def _of_answers(e: MulticlassEvaluation, side: int) -> Fields:
    """The fields where the highest probability differs from the share of correct predictions.

    With a score per class. side: 1 where it is larger, -1 where it is smaller.
    """
    # the standard error is that of independent cases
    if not e.probabilities or not e.data.rows or e.clusters:
        return None
    mean, share, error = _gap(e)
    looks = [(mean, share, error)] + [
        _gap(plain) for plain in [without_class_weights(e)] if plain is not None
    ]
    if not all(side * (mean - share) > max(CLEARLY * error, LEAST_GAP) for mean, share, error in looks):
        return None
    return {"answer": float(mean), "right": float(share)}


def _gap(e: MulticlassEvaluation) -> tuple[float, float, float]:
    """The mean of the highest probabilities, the share of correct predictions, and its standard error.

    The standard error is that of calibrated probabilities.
    """
    assert e.scores is not None
    answer, _ = e.scores.predicted()
    p, weight = np.clip(e.scores.probability.max(axis=1), 0.0, 1.0), e.scores.weight
    total = weight.sum()
    cases = total if e.data.effective_rows is None else e.data.effective_rows
    error = sqrt(max(kernels.dot(p * (1 - p), weight), 0.0) / total / cases)
    return kernels.dot(p, weight) / total, weight[answer == e.scores.truth].sum() / total, error


OVER: dict[Task, Callable[[Any], Fields]] = {
    "binary": _too_extreme,
    "multiclass": lambda e: _of_answers(e, 1),
}
UNDER: dict[Task, Callable[[Any], Fields]] = {
    "binary": _too_moderate,
    "multiclass": lambda e: _of_answers(e, -1),
}
