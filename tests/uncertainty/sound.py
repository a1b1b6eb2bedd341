"""What every interval must be, and the data on which it is hard to be that."""

import math
from functools import cache

import numpy as np
from scipy.special import expit, ndtr, ndtri, softmax
from strategies import EVERY, matrix, nothing

from tallymark import (
    ClassScores,
    ConfusionMatrix,
    Counts,
    IndicatorTable,
    RankingTable,
    Residuals,
    Settings,
    estimate,
)

TINY = 1e-13  # a width, as a share of the bounds, that only rounding leaves


def check(entry, found):
    """Sound: undefined with the reason; or no interval, with the reason; or one of some width, in range,
    around the value."""
    low, high = entry.range
    if math.isnan(found.value):
        assert found.undefined
        assert found.standard_error is None
        assert not found.has_interval
    elif not found.has_interval:
        assert math.isnan(found.high)
        assert found.note
        assert found.method is None
        assert found.standard_error is None
    else:
        assert found.standard_error is None or 0 < found.standard_error < math.inf
        assert low <= found.low <= found.value <= found.high <= high
        assert math.isinf(found.high - found.low) or found.high - found.low > TINY * (
            abs(found.low) + abs(found.high)
        )
        assert found.method


def rows(truth, score):
    return RankingTable.from_arrays(truth=truth, score=score)


TABLES = {
    "perfect separation": rows([1, 1, 1, 0, 0, 0], [0.9, 0.8, 0.6, 0.4, 0.3, 0.2]),
    "inverted": rows([0, 0, 0, 1, 1, 1], [0.9, 0.8, 0.6, 0.4, 0.3, 0.2]),
    "all tied": rows([0, 1, 0, 1, 1], [0.3] * 5),
    "one positive": rows([1, 0, 0, 0], [0.5, 0.7, 0.3, 0.1]),
    "one negative": rows([0, 1, 1, 1], [0.5, 0.7, 0.3, 0.1]),
    "one of each": rows([0, 1], [0.3, 0.6]),
    "one of each, inverted": rows([0, 1], [0.6, 0.3]),
    "only positives": rows([1, 1, 1], [0.3, 0.6, 0.7]),
    "only negatives": rows([0, 0, 0], [0.3, 0.6, 0.7]),
    "a single positive": rows([1], [0.3]),
    "a single negative": rows([0], [0.3]),
    "perfect probabilities": rows([1, 1, 0, 0], [1.0, 1.0, 0.0, 0.0]),
    "certain and wrong": rows([1, 1, 0, 0], [0.0, 0.0, 1.0, 1.0]),
    "one certain and wrong": rows([1, 1, 0, 0], [0.0, 1.0, 0.0, 0.0]),
    "the same loss everywhere": RankingTable([0.7, 0.3], [6, 0], [0, 1]),
    "the same loss everywhere, weighted": RankingTable([0.7, 0.3], [0.37, 0], [0, 3.3]),
    "all tied, weighted": RankingTable([0.3], [2.9], [8.7]),
    "perfect separation, weighted": RankingTable([0.9, 0.8, 0.2, 0.1], [1.1, 2.3, 0, 0], [0, 0, 2.7, 3.1]),
    "inverted, weighted": RankingTable([0.9, 0.8, 0.2, 0.1], [0, 0, 2.7, 3.1], [1.1, 2.3, 0, 0]),
    "many perfect": RankingTable([1.0, 0.0], [10**6, 0], [0, 10**6]),
    "no cases": RankingTable.empty(),
}
COUNTS = {
    "no errors": Counts(tp=20, fp=0, fn=0, tn=30),
    "only errors": Counts(tp=0, fp=20, fn=30, tn=0),
    "as chance would": Counts(tp=10, fp=20, fn=30, tn=60),
    "nearly as chance would": Counts(tp=10**5 + 1, fp=10**5, fn=10**5, tn=10**5),
    "nobody called positive": Counts(tp=0, fp=0, fn=12, tn=38),
    "everybody called positive": Counts(tp=12, fp=38, fn=0, tn=0),
    "no positives": Counts(tp=0, fp=7, fn=0, tn=43),
    "no negatives": Counts(tp=7, fp=0, fn=43, tn=0),
    "one positive": Counts(tp=1, fp=2, fn=0, tn=9),
    "one negative": Counts(tp=9, fp=0, fn=2, tn=1),
    "one of each": Counts(tp=1, fp=1, fn=1, tn=1),
    **{
        f"a single {cell}": Counts(**dict.fromkeys(("tp", "fp", "fn", "tn"), 0) | {cell: 1})
        for cell in ("tp", "fp", "fn", "tn")
    },
    "an error of little weight": Counts(tp=20, fp=0.01, fn=0, tn=30),
    "less than a case": Counts(tp=0.2, fp=0.1, fn=0.1, tn=0.05),
    "a million without errors": Counts(tp=10**6, fp=0, fn=0, tn=10**6),
    "one error in a million": Counts(tp=10**6, fp=1, fn=0, tn=10**6),
    "no cases": Counts.zero(),
}
MATRICES = {
    "no errors": matrix(np.diag([20, 30, 5])),
    "no errors, weighted": matrix(np.diag([0.1, 0.3, 7.7])),
    "only errors": matrix(10 * (1 - np.eye(3))),
    "the two classes swapped": matrix([[0, 20], [20, 0]]),
    "every one the next": matrix([[0, 9, 0], [0, 0, 9], [9, 0, 0]]),
    "as chance would": matrix(np.outer([1, 2, 3], [10, 20, 5])),
    "as chance would, two classes": matrix([[10, 10], [10, 10]]),
    "nearly as chance would": matrix(np.full((3, 3), 10**5) + np.eye(3)),
    # mutual information of just its bias
    "hardly more than chance would": matrix([[194, 208, 99], [127, 106, 67], [74, 78, 47]]),
    "hardly more than chance would, two classes": matrix([[9, 119], [5, 123]]),
    "as chance would, weighted": matrix(np.outer([0.1, 0.7, 0.3], [0.3, 0.9, 11])),
    "one of each": matrix(np.ones((3, 3))),
    "all called the first": matrix([[7, 0, 0], [5, 0, 0], [9, 0, 0]]),
    "all truly the first": matrix([[7, 5, 9], [0, 0, 0], [0, 0, 0]]),
    "a class that is never true": matrix([[7, 1, 2], [0, 0, 0], [1, 1, 5]]),
    "a class that is never called": matrix([[7, 0, 2], [3, 0, 4], [1, 0, 5]]),
    "a class that nobody has": matrix([[7, 0, 2], [0, 0, 0], [1, 0, 5]]),
    "a single case, right": matrix([[0, 0], [0, 1]]),
    "a single case, wrong": matrix([[0, 1], [0, 0]]),
    "two cases": matrix([[1, 0], [0, 1]]),
    "a single class": matrix([[30]]),
    "less than a case": matrix([[0.2, 0.1], [0.05, 0.1]]),
    "a million without errors": matrix(np.diag([10**6, 10**6])),
    "one error in a million": matrix([[10**6, 1], [0, 10**6]]),
    "as many classes as cases": matrix(np.eye(8)[[1, 0, 2, 3, 5, 4, 6, 7]]),
    "no cases": ConfusionMatrix.empty(),
    "no cases of three classes": matrix(np.zeros((3, 3))),
}
INDICATORS = {
    "no errors": IndicatorTable.from_arrays(truth=np.eye(4), predicted=np.eye(4)),
    "only errors": IndicatorTable.from_arrays(truth=np.eye(4), predicted=1 - np.eye(4)),
    "a single case": IndicatorTable.from_arrays(truth=[[1, 0]], predicted=[[1, 1]]),
    "no cases": nothing(IndicatorTable),
}


def scored(truth, score, **given):
    return ClassScores.from_arrays(truth=truth, score=score, classes=range(3), **given)


def shares(rows):
    """Of each row, so that they add up to 1."""
    return rows / rows.sum(1, keepdims=True)


THREE = np.arange(9) % 3
CLASS_SCORES = {
    "no errors": scored(THREE, np.eye(3)[THREE]),
    "inverted": scored(THREE, shares(1 - np.eye(3)[THREE])),
    "every one the next": scored(THREE, np.eye(3)[(THREE + 1) % 3]),
    "all tied": scored(THREE, np.full((9, 3), 1 / 3)),
    "all tied, weighted": scored(THREE, np.full((9, 3), 1 / 3), weight=np.linspace(0.1, 0.7, 9)),
    "one of each": scored([0, 1, 2], [[0.5, 0.3, 0.2], [0.6, 0.3, 0.1], [0.2, 0.5, 0.3]]),
    "one of a class": scored([0, 0, 1, 1, 1, 2], shares(np.random.default_rng(1).random((6, 3)))),
    "a class that nobody has": scored([0, 1, 0, 1, 1, 0], shares(np.random.default_rng(2).random((6, 3)))),
    "a single class": scored([1] * 5, shares(np.random.default_rng(3).random((5, 3)))),
    "a single case": scored([2], [[0.1, 0.2, 0.7]]),
    "less than a case": scored(
        THREE, shares(np.random.default_rng(4).random((9, 3))), weight=np.full(9, 0.01)
    ),
    "separated, weighted": scored(THREE, np.eye(3)[THREE], weight=np.linspace(0.1, 7.7, 9)),
    "one certain and wrong": scored(THREE, np.eye(3)[np.where(np.arange(9) == 4, 2, THREE)]),
    "no probabilities": scored(THREE, np.random.default_rng(6).normal(size=(9, 3))),
    "infinite scores": scored(THREE, np.where(np.eye(3)[THREE] > 0, np.inf, -np.inf)),
    "no cases": nothing(ClassScores),
}
RESIDUALS = {
    "no errors": Residuals([0.0], [7]),
    "all off by the same": Residuals([-2.5], [7]),
    "all off by as much, weighted": Residuals([-2.5, 2.5], [0.3, 0.7]),
    "one error in a million": Residuals([0.0, 3.0], [10**6, 1]),
    "one far off": Residuals([-0.5, 0.1, 1e9], [3, 4, 1]),
    "tiny": Residuals([-1e-9, 2e-9], [3, 2]),
    "huge": Residuals([-1e90, 2e90], [3, 2]),
    "a single case": Residuals([1.5], [1]),
    "two cases": Residuals([-1.0, 1.5], [1, 1]),
    "less than a case": Residuals([-1.0, 1.5], [0.1, 0.2]),
    "no cases": nothing(Residuals),
}
DEGENERATE = {RankingTable: TABLES, Counts: COUNTS, ConfusionMatrix: MATRICES, IndicatorTable: INDICATORS}
DEGENERATE |= {ClassScores: CLASS_SCORES, Residuals: RESIDUALS}


def degenerate(entry):
    """Those on which it can be measured: of scores per class it may ask that they are probabilities."""
    some = DEGENERATE[entry.summary].items()
    return {
        case: summary for case, summary in some if not entry.needs_probabilities or summary.in_unit_interval
    }


def smooth(size):
    """Two classes of as many cases, at the quantiles of two normal distributions: no chance in it, and hardly
    a tie."""
    truth, at = np.repeat([0, 1], size), ndtri((np.arange(size) + 0.5) / size)
    return rows(truth, ndtr(1.3 * (truth - 0.5) + np.tile(at, 2)))


def off(size):
    """The same with four positives to a negative, whose probabilities are far too extreme: no calibration
    error is near 0."""
    sizes = 2 * size // 5, 8 * size // 5
    truth, at = (
        np.repeat([0, 1], sizes),
        np.concatenate([ndtri((np.arange(cases) + 0.5) / cases) for cases in sizes]),
    )
    return rows(truth, expit(3 * (1.3 * (truth - 0.5) + at) - 1))


_random = np.random.default_rng(2)
_classes = np.repeat([0, 1, 2], 200)
_amounts = np.random.default_rng(3).normal(0.0, 2.0, 400)
USUAL = {  # of which every measure has an interval, without a word of warning
    RankingTable: smooth(400),
    Counts: Counts(tp=40, fp=15, fn=20, tn=45),
    ConfusionMatrix: matrix([[60, 15, 10], [20, 90, 12], [10, 15, 80]]),
    IndicatorTable: IndicatorTable.from_arrays(
        truth=_random.random((90, 3)) < 0.3, predicted=_random.random((90, 3)) < 0.2
    ),
    ClassScores: scored(_classes, softmax(np.eye(3)[_classes] + _random.normal(size=(600, 3)), axis=1)),
    Residuals: Residuals(ndtri((np.arange(400) + 0.5) / 400), np.ones(400), truth=_amounts),
}
_sure = softmax(2 * np.eye(3)[_classes] + 2 * _random.normal(size=(600, 3)), axis=1)
NOT_CALIBRATED = {RankingTable: off(400), ClassScores: scored(_classes, _sure)}


def usual(entry):
    """The usual data; of what asks how far probabilities are off, data on which they are, so that no interval
    reaches 0."""
    return (NOT_CALIBRATED if entry.needs_probabilities else USUAL)[entry.summary]


# With these parameters enough of the usual cases decide, and the value is not at an end of what is possible.
SUITED = {"k": 240, "share": 0.3, "fmr": 0.2, "fnmr": 0.2, "prior": 0.5, "low": 0.2, "high": 0.8}
SUITED |= {"specificity": 0.8, "sensitivity": 0.8, "alpha": 3, "precision": 0.6, "bins": 4}


def suited(entry):
    """Parameters that suit the usual data, where those by default are for many cases, or for few; alpha may
    also be a share."""
    known = SUITED | {"k": 1} if entry.summary is ClassScores else SUITED  # of the classes, not of the cases
    fitting = ((parameter, known[parameter]) for parameter in entry.parameters if parameter in known)
    return {
        parameter: value
        for parameter, value in fitting
        if entry.limits[parameter][0] <= value <= entry.limits[parameter][1]
    }


SETTINGS = [Settings(), Settings(proportion="clopper-pearson")]


def ways(entry):
    """The settings that make a difference to this measure: on usual data, or without errors."""
    tried = (
        usual(entry),
        DEGENERATE[entry.summary]["no errors"] if entry.summary is not RankingTable else TABLES["inverted"],
    )
    answers = {how: [repr(estimate(entry, summary, how)) for summary in tried] for how in SETTINGS}
    return [
        how
        for i, how in enumerate(SETTINGS)
        if answers[how] not in [answers[other] for other in SETTINGS[:i]]
    ]


def way(how):
    return "default" if how == Settings() else how.proportion


@cache
def all_ways():
    """Every measure with each of the settings that make a difference to it."""
    return [(entry, how) for entry in EVERY for how in ways(entry)]
