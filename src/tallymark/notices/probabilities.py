"""On the scores as probabilities: whether they are some, and whether things happen as often as they say."""

from __future__ import annotations

from math import sqrt

import numpy as np

from .. import kernels
from . import number_of, rule

CLEARLY = 2.576  # standard errors: less than one case in a hundred by chance
WORTH_SAYING = 0.02  # of probability
SHARE_OFF = 0.05  # of the number of positives
HALF = 0.5
ROUNDING = 1e-6  # by which sums of probabilities may differ from 1 without a notice


@rule
def no_class_probabilities(e):
    if e.scores is None or e.probabilities or e.score_kind is not None:
        return None
    return (
        f"{e.scores.why_no_probabilities[0].upper()}{e.scores.why_no_probabilities[1:]}, so the scores are no probabilities of the "
        "classes: ranking measures stand, log_loss, brier_score and calibration are left out; turn the scores into probabilities "
        "(tallymark.convert.softmax), or say score_kind='logit'."
    )


@rule
def probabilities_clipped(e):
    if not e.probabilities or e.score_kind == "logit":
        return None
    score = e.ranking.score if e.scores is None else e.scores.score
    outside = (score > 1) | (score < 0)
    if not outside.any():
        return None
    if e.scores is None:
        number = float((e.ranking.positive + e.ranking.negative)[outside].sum())
    else:
        number = float(e.scores.weight[outside.any(axis=1)].sum())
    cases = number_of(number, "case has a score", "cases have scores")
    return f"{cases} outside [0, 1] by rounding, as {score[outside].flat[0].item()!r}: as probabilities they count as 0 or 1."


@rule
def probabilities_rounded(e):
    if e.scores is None or not e.probabilities or e.score_kind == "logit":
        return None
    off = np.abs(e.scores.probability.sum(axis=1) - 1)
    number = float(e.scores.weight[off > ROUNDING].sum())
    if not number:
        return None
    return (
        f"The probabilities of {number_of(number, 'case')} do not add up to 1 exactly, because they are rounded (the largest "
        f"difference is {off.max():.2g}): no measure normalises them; pass more digits if you have them."
    )


@rule
def log_loss_clipped(e):
    table = e.ranking if e.scores is None else e.scores
    if table is None or "log_loss" not in e.estimates or e.score_kind == "logit" or not table.total:
        return None
    p, weight = (table.given.p, table.given.weight) if e.ranking else (table.given, table.weight)
    epsilon = table.epsilon
    clipped = float(weight[p < epsilon].sum())
    if not clipped:
        return None
    return (
        f"{number_of(clipped, 'case')} gave what was true a probability below {epsilon:.2g}, the precision of the "
        "scores: log_loss counts it as that, an arbitrary cap; look at these cases first."
    )


@rule
def over_confident(e):
    return _confidence(e, 1, "Over-confident", "less")


@rule
def under_confident(e):
    return _confidence(e, -1, "Under-confident", "more")


def _confidence(e, side, kind, way):
    """How far the probability of the answer is above (1) or below (-1) how often it is right."""
    if not e.probabilities or not e.data.rows or e.clusters:  # chance is told for independent cases
        return None
    confidence, variance, right, total = _of_answers(e)
    if not total:
        return None
    mean, share, error = confidence / total, right / total, sqrt(max(variance, 0.0) / _cases(e)) / total
    if side * (mean - share) < max(CLEARLY * error, WORTH_SAYING):
        return None
    return (
        f"{kind}: the classifier gives its answer a probability of {mean:.3g} on average and is right in {share:.3g} of "
        f"the cases, {100 * abs(mean - share):.1f} percentage points {way}: calibrate it on other data before its probabilities "
        "are relied on; tallymark.calibration shows where."
    )


@rule
def probabilities_off(e):
    if not e.probabilities or e.ranking is None or not (e.data.positives and e.data.negatives) or e.clusters:
        return None
    expected = kernels.dot(e.ranking.probability, e.ranking.positive + e.ranking.negative)
    there, error = float(e.ranking.positives), sqrt(max(_of_answers(e)[1], 0.0) / _cases(e))
    if abs(expected - there) < max(CLEARLY * error, SHARE_OFF * there):
        return None
    way = "high" if expected > there else "low"
    return (
        f"The probabilities add up to {expected:,.1f} positives where there are {there:,.10g}: they are too {way} as a whole, as "
        "after training with another class mix; calibrate them on data like these."
    )


def _of_answers(e):
    if "_answers" not in e.__dict__:  # three rules ask
        e.__dict__["_answers"] = [float(part) for part in _answers(e)]
    return e.__dict__["_answers"]


def _answers(e):
    """Sums over the cases: of the probability of the answer, of p (1 - p), of right answers, and of the weights.

    Every evaluation asks, so that the table of answers, which must be sorted, is not made for it.
    """
    if e.scores is not None:
        answer, _ = e.scores.predicted()
        p, weight = np.clip(e.scores.probability.max(axis=1), 0.0, 1.0), e.scores.weight
        return kernels.dot(p, weight), kernels.dot(p * (1 - p), weight), weight[answer == e.scores.truth].sum(), weight.sum()
    t = e.ranking
    p, weight = t.probability, np.asarray(t.positive + t.negative, float)
    yes = len(t) - int(np.searchsorted(p[::-1], HALF))  # scores fall: the first so many are answered positive
    expected = p * weight
    confidence = expected[:yes].sum() + weight[yes:].sum() - expected[yes:].sum()
    return confidence, expected.sum() - kernels.dot(p, expected), t.positive[:yes].sum() + t.negative[yes:].sum(), weight.sum()


def _cases(e):
    """Cases per unit of weight."""
    total = e.ranking.total if e.scores is None else e.scores.total
    return 1.0 if e.data.effective_rows is None else e.data.effective_rows / total
