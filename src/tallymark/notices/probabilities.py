"""On the scores as probabilities: whether they are some, and whether events are as frequent as they say.

Mean and weak calibration in the terms of Van Calster et al. (2016, 2019): overestimation and underestimation by the calibration in
the large; probabilities that are too extreme (over-confident) or too moderate (under-confident) by the calibration slope. With
clusters these are left out: a line through each of thousands of resamples takes seconds, too long for a notice.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from .. import kernels
from . import BINARY, MULTICLASS, SCORED, fact, finding, number_of
from .evidence import CLEARLY, above, below, sizes, without_class_weights, written

VAN_CALSTER = "Van Calster et al. 2016 and 2019"
SIZE = 0.1  # of a slope, and of a shift on the logit scale (10 % of the odds): what validations are planned to show (Riley 2021)
FEWEST = 5  # cases of the class that is more frequent than predicted: of fewer the interval is too narrow
LEAST_GAP = 0.02  # between the probability of the answer and the accuracy
ROUNDING = 1e-6  # by which sums of probabilities may differ from 1 without a notice


@fact(of=MULTICLASS)
def no_class_probabilities(e):
    if e.scores is None or e.probabilities or e.score_kind is not None:
        return None
    return (
        f"{e.scores.why_no_probabilities[0].upper()}{e.scores.why_no_probabilities[1:]}, so the scores are no probabilities of the "
        "classes: ranking measures stand, log_loss, brier_score and calibration are left out; turn the scores into probabilities "
        "(tallymark.convert.softmax), or say score_kind='logit'."
    )


@fact(of=SCORED)
def probabilities_clipped(e):
    if not e.probabilities or e.score_kind == "logit":
        return None
    score = e.scored.score
    outside = (score > 1) | (score < 0)
    if not outside.any():
        return None
    cases = number_of(float(CASES[e.task](e, outside).sum()), "case has a score", "cases have scores")
    return f"{cases} outside [0, 1] by rounding, as {score[outside].flat[0].item()!r}: as probabilities they count as 0 or 1."


CASES = {  # the weights of those with such scores
    "binary": lambda e, outside: (e.ranking.positive + e.ranking.negative)[outside],
    "multiclass": lambda e, outside: e.scores.weight[outside.any(axis=1)],
}


@fact(of=MULTICLASS)
def probabilities_rounded(e):
    if not e.probabilities or e.score_kind == "logit":
        return None
    off = np.abs(e.scores.probability.sum(axis=1) - 1)
    number = float(e.scores.weight[off > ROUNDING].sum())
    if not number:
        return None
    return (
        f"The probabilities of {number_of(number, 'case')} do not add up to 1 exactly, because they are rounded (the largest "
        f"difference is {off.max():.2g}): no measure normalises them; pass more digits if you have them."
    )


@fact(of=SCORED)
def log_loss_clipped(e):
    table = e.scored
    if table is None or "log_loss" not in e.estimates or e.score_kind == "logit" or not table.total:
        return None
    p, weight = GIVEN_TO_TRUTH[e.task](table)
    epsilon = table.epsilon
    clipped = float(weight[p < epsilon].sum())
    if not clipped:
        return None
    return (
        f"{number_of(clipped, 'case')} gave what was true a probability below {epsilon:.2g}, the precision of the "
        "scores: log_loss counts it as that, an arbitrary cap; look at these cases first."
    )


GIVEN_TO_TRUTH = {  # the probability of what was true, and the weights
    "binary": lambda table: (table.given.p, table.given.weight),
    "multiclass": lambda table: (table.given, table.weight),
}


@finding(VAN_CALSTER, of=SCORED)
def over_confident(e):
    return OVER[e.task](e)


def _too_extreme(e):
    slope = None if e.clusters else below(e, "calibration_slope", 1.0, SIZE)
    if slope is None or below(e, "calibration_slope", 0.0):  # a reversed direction is another fault: auc_below_half
        return None
    return (
        f"Over-confident: calibration_slope is {written(slope)}, below 1, so the probabilities are too extreme, as after "
        f"overfitting{RECALIBRATE}"
    )


@finding(VAN_CALSTER, of=SCORED)
def under_confident(e):
    return UNDER[e.task](e)


def _too_moderate(e):
    slope = None if e.clusters else above(e, "calibration_slope", 1.0, SIZE)
    return slope and (
        f"Under-confident: calibration_slope is {written(slope)}, above 1, so the probabilities are too moderate, too close to "
        f"each other{RECALIBRATE}"
    )


@finding(VAN_CALSTER, of=BINARY)
def overestimation(e):
    found = below(e, "calibration_in_the_large", 0.0, SIZE) if _has_prevalence(e) else None
    return None if found is None or sizes(e)[1] < FEWEST else _in_the_large(e, found, "Overestimation", "below")


@finding(VAN_CALSTER, of=BINARY)
def underestimation(e):
    found = above(e, "calibration_in_the_large", 0.0, SIZE) if _has_prevalence(e) else None
    return None if found is None or sizes(e)[0] < FEWEST else _in_the_large(e, found, "Underestimation", "above")


RECALIBRATE = ": recalibrate on other data before the probabilities are used; tallymark.calibration shows where."


def _has_prevalence(e):
    """Whether the share of positives is that of a population, and its interval that of independent cases."""
    return not e.clusters and e.settings.design == "cohort"


def _in_the_large(e, found, kind, way):
    expected = kernels.dot(e.ranking.probability, e.ranking.positive + e.ranking.negative)
    return (
        f"{kind}: calibration_in_the_large is {written(found)}, {way} 0: the probabilities add up to {expected:,.1f} positives "
        f"where there are {float(e.ranking.positives):,.10g}, as after training with another class mix{RECALIBRATE}"
    )


def _of_answers(e, side, kind, way):
    """How far the probability of the answer is above (1) or below (-1) how often it is right, with a score per class."""
    if not e.probabilities or not e.data.rows or e.clusters:  # the standard error is that of independent cases
        return None
    mean, share, error = _gap(e)
    looks = [(mean, share, error)] + [_gap(plain) for plain in [without_class_weights(e)] if plain is not None]
    if not all(side * (mean - share) > max(CLEARLY * error, LEAST_GAP) for mean, share, error in looks):
        return None
    return (
        f"{kind}: the classifier gives its answer a probability of {mean:.3g} on average and is right in {share:.3g} of "
        f"the cases, {100 * abs(mean - share):.1f} percentage points {way}{RECALIBRATE}"
    )


def _gap(e):
    """The mean probability of the answer, the share of right answers, and the standard error of the latter by the former."""
    answer, _ = e.scores.predicted()
    p, weight = np.clip(e.scores.probability.max(axis=1), 0.0, 1.0), e.scores.weight
    total = weight.sum()
    cases = total if e.data.effective_rows is None else e.data.effective_rows
    error = sqrt(max(kernels.dot(p * (1 - p), weight), 0.0) / total / cases)
    return kernels.dot(p, weight) / total, weight[answer == e.scores.truth].sum() / total, error


OVER = {"binary": _too_extreme, "multiclass": lambda e: _of_answers(e, 1, "Over-confident", "less")}
UNDER = {"binary": _too_moderate, "multiclass": lambda e: _of_answers(e, -1, "Under-confident", "more")}
