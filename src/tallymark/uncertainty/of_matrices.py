"""Intervals of measures of a whole confusion matrix."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..measures.multiclass import by_distance, entropy, mutual_information, per_class_scale
from ..summaries import ConfusionMatrix
from . import proportion
from .agreement import kappa_error
from .kinds import ROUNDING, Question, kind
from .results import Interval, no_interval
from .scale import wald_on_scale

ONE_SIDED = "every case has the same part in the measure, so the sample shows no spread: collect cases that differ"
FEW_PER_CELL = 10
FAULTLESS = "no mistakes: the measure at the lower bound of the accuracy, with mistakes spread as chance would"
NO_DEPENDENCE = "a G test does not tell it from 0"


@kind("ConfusionMatrix", "share right")
def share_right(q: Question) -> Interval:
    """Of the accuracy, or of what it leaves."""
    right, total = q.summary.weights.trace(), q.summary.total
    x = right if q.entry.better == "higher" else total - right
    low, high = proportion.METHODS[q.settings.proportion](x, total, q.settings.level)
    return Interval(float(low), float(high), q.settings.proportion)


@kind("IndicatorTable", "exact")
def exact(q: Question) -> Interval:
    """Of the share of cases without a mistake."""
    low, high = proportion.METHODS[q.settings.proportion](q.summary.exact, q.summary.total, q.settings.level)
    return Interval(float(low), float(high), q.settings.proportion)


@kind("ConfusionMatrix", "mean of recalls")
def mean_of_recalls(q: Question) -> Interval:
    """Of the mean of proportions, those of the classes that occur, whose cases are counted apart."""
    sizes, right = q.summary.weights.sum(1), q.summary.weights.diagonal()
    there = sizes > 0
    return Interval(*proportion.mean_of(right[there], sizes[there], q.settings.level, q.settings.proportion))


@kind("ConfusionMatrix", "kappa")
def kappa(q: Question) -> Interval:
    """Of plain kappa."""
    return _kappa(q, np.eye(len(q.summary)))


@kind("ConfusionMatrix", "linear kappa")
def linear_kappa(q: Question) -> Interval:
    """Of kappa weighted by distance."""
    return _kappa(q, by_distance(len(q.summary), 1))


@kind("ConfusionMatrix", "quadratic kappa")
def quadratic_kappa(q: Question) -> Interval:
    """Of kappa weighted by squared distance."""
    return _kappa(q, by_distance(len(q.summary), 2))


def _kappa(q, worth):
    return _around(q, float(kappa_error(q.summary.weights, worth)), "fleiss-cohen-everitt")


@kind("ConfusionMatrix", "delta")
def delta(q: Question) -> Interval:
    """The multinomial variance of the slope over the cells, on a scale without ends. Source: Agresti (2013), section 16.1."""
    (slope_of,) = q.entry.interval.of
    shares = q.summary.weights / q.summary.total
    slope = slope_of(shares)
    mean = (shares * slope).sum()
    return _around(q, float(np.sqrt((shares * (slope - mean) ** 2).sum() / q.summary.total)), "delta")


def _around(q, error, method):
    """The value and its error on the scale of the range; without spread, what the accuracy's own bounds leave open."""
    low, high = q.entry.range
    faultless = q.summary.weights.trace() == q.summary.weights.sum()
    if not error > ROUNDING or not low < q.value < high:
        return _if_accuracy_were_lower(q)
    natural = q.entry.function(q.summary)  # slopes know no parameters, as the base of a logarithm
    factor = q.value / natural if natural else 1.0
    bias = factor * BIAS[q.entry.name](q.summary) if q.entry.name in BIAS else 0.0
    if not low < q.value - bias < high:
        return no_interval(f"too few cases per cell: the value is off by about {bias:.2g}")
    bounds = wald_on_scale(q.value - bias, error * factor, (low, high), q.settings.level)
    said = f"the value is off by about {bias:+.2g}, for which the interval allows" if abs(bias) > error * factor / 4 else None
    said = "; ".join(part for part in (_sparse(q), said) if part) or None
    if faultless:  # the spread of the margins alone
        return Interval(min(bounds[0], _if_accuracy_were_lower(q).low), bounds[1], method, FAULTLESS)
    found = Interval(min(bounds[0], q.value), max(bounds[1], q.value), method, said)
    return replace(found, low=0.0, note=NO_DEPENDENCE) if bias > 0 and _independent(q) else found


def _sparse(q):
    """Where an entropy of the cells is at stake, and simulation finds the interval to cover 86 to 93 % (docs/intervals.md)."""
    weights = q.summary.weights
    cells = len(weights) * (len(weights) - 1)
    if q.entry.name in BIAS and weights.sum() - weights.trace() < FEW_PER_CELL * cells:
        return f"approximate, too narrow: fewer than {FEW_PER_CELL} mistakes per cell off the diagonal"
    return None


def _independent(q):
    """Whether a G test does not tell truth and prediction from independent ones."""
    from scipy.special import chdtri

    weights = q.summary.weights
    rows, columns = (weights.sum(1) > 0).sum(), (weights.sum(0) > 0).sum()
    return 2 * q.summary.total * mutual_information(q.summary) <= chdtri((rows - 1) * (columns - 1), 1 - q.settings.level)


def _bias_of_information(matrix):
    """How much too high it comes out on average, in nats. Source: Miller (1955)."""
    weights = matrix.weights
    rows, columns, cells = (int((part > 0).sum()) for part in (weights.sum(1), weights.sum(0), weights))
    return (cells - rows - columns + 1) / (2 * matrix.total)


def _bias_of_uncertainty(matrix):
    return _bias_of_information(matrix) / entropy(matrix.weights.sum(1) / matrix.weights.sum())


def _bias_of_confusion(matrix):
    """Too low: x log x of each cell off the diagonal is too high by 1 / (2 n), and it counts twice."""
    wrong = (matrix.weights > 0).sum() - (matrix.weights.diagonal() > 0).sum()
    return -float(wrong) / matrix.total / per_class_scale(len(matrix))


BIAS = {
    "mutual_information": _bias_of_information,
    "uncertainty_coefficient": _bias_of_uncertainty,
    "confusion_entropy": _bias_of_confusion,
}


def _if_accuracy_were_lower(q):
    """Without a mistake, the bounds are the measure at the lowest likely accuracy, the mistakes spread as chance would."""
    weights = q.summary.weights
    if weights.trace() < weights.sum() or len(q.summary) < 2:
        return no_interval(ONE_SIDED)
    low, _ = proportion.wilson(q.summary.total, q.summary.total, q.settings.level)
    wrong = np.outer(weights.sum(1), weights.sum(0)) * (1 - np.eye(len(weights)))
    if not wrong.any():
        return no_interval(ONE_SIDED)
    worst = low * weights / weights.sum() + (1 - low) * wrong / wrong.sum()
    other = q.function(ConfusionMatrix(q.summary.labels, worst))
    return Interval(min(q.value, other), max(q.value, other), "wilson", FAULTLESS)
