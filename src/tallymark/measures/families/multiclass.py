"""Measures of a confusion matrix with any number of classes.

A slope gives the change of a measure with the proportion of each cell, from which the delta method computes
its variance. It may leave out a constant: the proportions add up to 1, so that a constant has no effect.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ...summaries import ConfusionMatrix
from ..registry import IntervalSpec, Leading, delta, measure, plain, ratio, within
from . import association


def _shares(m: ConfusionMatrix) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The proportions of the cells, of the actual and of the predicted classes; exactly 1 if one has all."""
    total = np.asarray(m.total)[..., None]
    return (
        ratio(m.weights, total[..., None]),
        ratio(m.weights.sum(-1), total),
        ratio(m.weights.sum(-2), total),
    )


def right_and_wrong(m: ConfusionMatrix) -> tuple[Any, Any]:
    """The weights on and off the diagonal, summed separately, so that neither has the other's rounding."""
    off = (np.triu(m.weights, 1) + np.tril(m.weights, -1)).sum((-2, -1))
    return plain(_trace(m.weights)), plain(off)


def _trace(cells: np.ndarray) -> Any:
    return cells.trace(axis1=-2, axis2=-1)


@measure(
    interval=delta(lambda shares: np.eye(len(shares)), "proportion"),
    headline=Leading(70, "Accuracy", column=2),
)
def accuracy(m: ConfusionMatrix) -> Any:
    """Proportion of all cases that are predicted correctly.

    sum of the diagonal / sum of all cells

    Undefined: no cases (total = 0).
    Source: Tharwat, section 2.9.2; Flemming.
    """
    right, wrong = right_and_wrong(m)
    return ratio(right, right + wrong)


@measure(
    best=0.0, interval=delta(lambda shares: -np.eye(len(shares)), "proportion"), presets={"hamming_loss": {}}
)
def error_rate(m: ConfusionMatrix) -> Any:
    """Proportion of all cases that are predicted incorrectly.

    1 - accuracy

    Undefined: no cases (total = 0).
    Source: Tharwat, after Eq. 1.
    """
    right, wrong = right_and_wrong(m)
    return ratio(wrong, right + wrong)


def _slope_of_recalls(shares: np.ndarray) -> np.ndarray:
    row = shares.sum(1)
    there = row > 0
    recall = ratio(shares.diagonal(), row)
    weight = 1 / (there.sum() * np.where(there, row, 1.0))
    return (np.eye(len(row)) - np.where(there, recall, 0.0)[:, None]) * weight[:, None]


@measure(interval=delta(_slope_of_recalls, "recalls"), headline=Leading(75, "Balanced accuracy", column=3))
def balanced_accuracy(m: ConfusionMatrix) -> Any:
    """Mean over the classes of the proportion of their cases that is predicted correctly.

    mean over the classes that occur of (cell on the diagonal / sum of the row)

    A class without cases has no such proportion and is left out.

    Undefined: no cases (total = 0).
    Source: Flemming.
    Differs: PyCM and yardstick define one per class, as the mean of its sensitivity and specificity.
    """
    size = m.weights.sum(-1)
    recalls = ratio(m.weights.diagonal(axis1=-2, axis2=-1), np.where(size > 0, size, 1.0)).sum(-1)
    return plain(ratio(recalls, np.asarray((size > 0).sum(-1))))


def _slope_of_correlation(shares: np.ndarray) -> np.ndarray:
    row, column = shares.sum(1), shares.sum(0)
    open_row, open_column = 1 - row @ row, 1 - column @ column
    root = np.sqrt(open_row * open_column)
    value = (shares.trace() - row @ column) / root
    moved = -(column[:, None] + row[None, :]) / root + value * (
        column[None, :] / open_column + row[:, None] / open_row
    )
    return moved + np.eye(len(shares)) / root


@measure(range=(-1.0, 1.0), interval=delta(_slope_of_correlation), headline=Leading(90, "MCC", column=4))
def matthews_correlation(m: ConfusionMatrix) -> Any:
    """Correlation of the actual and the predicted class, each coded by one indicator per class.

    (c s - sum p_k t_k) / sqrt((s^2 - sum p_k^2) (s^2 - sum t_k^2)), c cases right of s, t_k actually and p_k
    predicted as class k

    For two classes it equals the phi coefficient of the four counts. Its lowest value is -1 for two classes
    only.

    Undefined: all cases are actually of one class (other_true = 0), or all are predicted as one class
    (other_predicted = 0).
    Source: Gorodkin (2004).
    Differs: scikit-learn gives 0 where it is undefined.
    """
    sides = (m.weights.sum(axis) for axis in (-1, -2))
    row, column = (np.sqrt((side * (side.sum(-1, keepdims=True) - side)).sum(-1)) for side in sides)
    root = plain(row * column)
    # 0/0 where the root is 0
    return within(ratio(plain(_trace(_beyond_chance(m.weights))) * root, root**2), -1.0, 1.0)


def _beyond_chance(weights: np.ndarray) -> np.ndarray:
    """weight * total - row * column in each cell, without cancellation if a class is rare."""
    row, column = weights.sum(-1, keepdims=True), weights.sum(-2, keepdims=True)
    rest = weights.sum((-2, -1), keepdims=True) - row - column + weights
    return weights * rest - (row - weights) * (column - weights)


def by_distance(size: int, power: int) -> np.ndarray:
    """Weights of agreement: 1 on the diagonal, falling with the distance of the classes to 0."""
    rank = np.arange(size)
    return 1 - (abs(rank[:, None] - rank[None, :]) / max(size - 1, 1)) ** power


LINEAR, QUADRATIC = (partial(by_distance, power=power) for power in (1, 2))


def _agreement(m: ConfusionMatrix, agreement: np.ndarray) -> Any:
    shares, row, column = _shares(m)
    lost = plain(((1 - agreement) * shares).sum((-2, -1)))
    by_chance = plain(np.einsum("...i,ij,...j->...", row, 1 - agreement, column))
    return within(1 - plain(ratio(lost, by_chance)), -1.0, 1.0)


def _slope_of_agreement(shares: np.ndarray, agreement: np.ndarray) -> np.ndarray:
    """In terms of disagreement, without cancellation where one class has nearly all cases."""
    lost, row, column = 1 - agreement, shares.sum(1), shares.sum(0)
    by_chance = float(np.einsum("i,ij,j->", row, lost, column))
    kappa_lost = float((lost * shares).sum()) / by_chance
    slope = np.add.outer(lost @ column, row @ lost)
    slope *= kappa_lost
    slope -= lost
    slope /= by_chance
    return slope


def _of_agreement(agreement: Callable[[int], np.ndarray]) -> IntervalSpec:
    """The interval of a kappa with these weights of agreement, of so many classes."""
    return delta(lambda shares: _slope_of_agreement(shares, agreement(len(shares))))


@measure(range=(-1.0, 1.0), interval=_of_agreement(np.eye), headline=Leading(95, "Cohen's kappa"))
def cohen_kappa(m: ConfusionMatrix) -> Any:
    """Agreement of the actual and the predicted class beyond chance, relative to the largest possible.

    (p_o - p_e) / (1 - p_e), p_o = accuracy, p_e = sum over the classes of (proportion actually k)
    (proportion predicted as k)

    Undefined: all cases actually are, and are predicted as, one and the same class (not_of_one_class = 0).
    Source: Berrar, Def. 24; Cohen (1960).
    """
    return _agreement(m, np.eye(m.weights.shape[-1]))


@measure(
    aka=("kappa_linear",),
    range=(-1.0, 1.0),
    interval=_of_agreement(LINEAR),
    ordered=True,
)
def linear_weighted_kappa(m: ConfusionMatrix) -> Any:
    """Cohen's kappa for ordered classes, with mistakes weighted by the distance of the classes.

    1 - (sum of |i - j| x_ij) / (sum of |i - j| e_ij), x the proportions of the cells, e those
    expected by chance

    The order of the classes is that of their numbers, for text that of its type (an ordered Categorical, an
    Enum) or of classes= with ordered=True, without which `evaluate` leaves the measure out. Classes that do
    not occur have a place in it only where they are declared or named.

    Undefined: all cases actually are, and are predicted as, one and the same class (not_of_one_class = 0).
    Source: Cohen (1968); Cicchetti and Allison (1971).
    """
    return _agreement(m, LINEAR(m.weights.shape[-1]))


@measure(
    aka=("kappa_quadratic", "qwk"),
    range=(-1.0, 1.0),
    interval=_of_agreement(QUADRATIC),
    ordered=True,
)
def quadratic_weighted_kappa(m: ConfusionMatrix) -> Any:
    """Cohen's kappa for ordered classes, with mistakes weighted by the squared distance of the classes.

    1 - (sum of (i - j)^2 x_ij) / (sum of (i - j)^2 e_ij), x the proportions of the cells, e those
    expected by chance

    The order of the classes is that of their numbers, for text that of its type (an ordered Categorical, an
    Enum) or of classes= with ordered=True, without which `evaluate` leaves the measure out. Classes that do
    not occur have a place in it only where they are declared or named.

    Undefined: all cases actually are, and are predicted as, one and the same class (not_of_one_class = 0).
    Source: Cohen (1968); Fleiss and Cohen (1973).
    """
    return _agreement(m, QUADRATIC(m.weights.shape[-1]))


def _log_of_dependence(shares: np.ndarray) -> np.ndarray:
    """log(proportion / proportion under independence) in each cell; 0 in an empty one."""
    by_chance = shares.sum(-1, keepdims=True) * shares.sum(-2, keepdims=True)
    total = shares.sum((-2, -1), keepdims=True)
    log = association.log_of_dependence(shares * total, _beyond_chance(shares), by_chance)
    return np.where(shares > 0, log, 0.0)


def _slope_of_information(shares: np.ndarray, base: float = np.e) -> np.ndarray:
    return _log_of_dependence(shares) / np.log(base)


def entropy(weights: np.ndarray) -> Any:
    """The entropy of these weights, in nats; an empty class adds 0."""
    total = np.asarray(weights.sum(-1))
    rest = total[..., None] - weights
    parts = weights * np.log1p(np.divide(rest, weights, out=np.zeros_like(rest), where=weights > 0))
    return plain(parts.sum(-1) / np.where(total > 0, total, 1.0))


@measure(
    aka=("transinformation",),
    range=(0.0, np.inf),
    best=None,
    better="higher",
    interval=delta(_slope_of_information, "information"),
    limits={"base": (1.0001, 1e6)},
)
def mutual_information(m: ConfusionMatrix, *, base: float = np.e) -> Any:
    """Mutual information of the actual and the predicted class.

    sum of x_ij log(x_ij / (sum of row i) (sum of column j)), x the proportions of the cells

    base: of the logarithm: natural by default, which gives nats; 2 gives bits.

    With few cases per cell it is biased upwards, by about (rows - 1) (columns - 1) / (2 cases) nats.

    Undefined: no cases (total = 0).
    Source: Shannon (1948); Cover and Thomas (2006), Eq. 2.28.
    Differs: PyCM gives bits, scikit-learn nats.
    """
    nats = plain(np.sum(m.weights * _log_of_dependence(m.weights), axis=(-2, -1)))
    return within(ratio(nats, m.total), 0.0, np.inf) / np.log(base)


def _slope_of_uncertainty(shares: np.ndarray) -> np.ndarray:
    row = shares.sum(1)
    value = (shares * _log_of_dependence(shares)).sum() / entropy(row)
    return (_log_of_dependence(shares) + value * np.log(np.where(row > 0, row, 1.0))[:, None]) / entropy(row)


@measure(interval=delta(_slope_of_uncertainty, "information"))
def uncertainty_coefficient(m: ConfusionMatrix) -> Any:
    """Proportion of the entropy of the actual class that the prediction explains.

    mutual information of actual and predicted class / entropy of the actual class

    Undefined: all cases are actually of one class (other_true = 0).
    Source: Theil (1970); Wikipedia, whose printed denominator is not the entropy (docs/errata.md).
    """
    of_truth = entropy(m.weights.sum(-1))
    # 0/0 where the entropy is 0
    return within(ratio(mutual_information(m) * of_truth, of_truth**2), 0.0, 1.0)


def _confusions(shares: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The proportions off the diagonal; of each class the sum of its row and column; the wrong part of it."""
    wrong = shares * (1 - np.eye(shares.shape[-1]))
    return wrong, shares.sum(-2) + shares.sum(-1), wrong.sum(-2) + wrong.sum(-1)


def per_class_scale(size: int) -> float:
    """The divisor with which confusion entropy is 1 if mistakes are equally frequent and nothing is right."""
    return 2 * np.log(max(2 * (size - 1), 2))


def _slope_of_confusion(shares: np.ndarray) -> np.ndarray:
    wrong, sides, mistaken = _confusions(shares)
    log_sides = np.log(np.where(sides > 0, sides, 1.0))
    share_wrong = np.divide(mistaken, sides, out=np.zeros_like(sides), where=sides > 0)
    pull = share_wrong[:, None] + share_wrong[None, :]
    inside = 2 * np.log(np.where(wrong > 0, wrong, 1.0)) + 2 - log_sides[:, None] - log_sides[None, :]
    return (pull - np.where(np.eye(len(shares)) > 0, 0.0, inside)) / per_class_scale(len(shares))


@measure(aka=("cen",), range=(0.0, np.inf), best=0.0, interval=delta(_slope_of_confusion, "entropy"))
def confusion_entropy(m: ConfusionMatrix) -> Any:
    """Entropy of the distribution of the mistakes over the pairs of classes, weighted by their number.

    - sum off the diagonal of x_ij (log(x_ij / s_i) + log(x_ij / s_j)) / (2 log(2 (K - 1))), s_k = row k +
      column k of the proportions

    0 without mistakes, 1 where all cells off the diagonal are equal and the diagonal is empty; for two
    classes it can exceed 1.

    Undefined: no cases (total = 0).
    Source: Wei, Yuan, Hu and Wang (2010).
    """
    wrong, sides, mistaken = _confusions(_shares(m)[0])
    twice = 2 * (wrong * np.log(np.where(wrong > 0, wrong, 1.0))).sum((-2, -1))
    apart = (mistaken * np.log(np.where(sides > 0, sides, 1.0))).sum(-1)
    value = within(plain(apart - twice), 0.0, np.inf) / per_class_scale(m.weights.shape[-1])
    return value + 0 * ratio(m.total, m.total)
