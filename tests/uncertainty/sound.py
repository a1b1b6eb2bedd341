"""What every interval must be, and the data on which it is hard to be that."""

import math

import numpy as np
from scipy.special import ndtr, ndtri
from strategies import EVERY, matrix, nothing

from tallymark import ClassScores, ConfusionMatrix, Counts, IndicatorTable, RankingTable, Settings, estimate

TINY = 1e-13  # a width, as a share of the bounds, that only rounding leaves


def check(entry, found):
    """Sound: undefined with the reason; or no interval, with the reason; or one of some width, in range, around the value."""
    low, high = entry.range
    if math.isnan(found.value):
        assert found.undefined
        assert not found.has_interval
    elif not found.has_interval:
        assert math.isnan(found.high)
        assert found.note
        assert found.method is None
    else:
        assert low <= found.low <= found.value <= found.high <= high
        assert math.isinf(found.high - found.low) or found.high - found.low > TINY * (abs(found.low) + abs(found.high))
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
    **{f"a single {cell}": Counts(**dict.fromkeys(("tp", "fp", "fn", "tn"), 0) | {cell: 1}) for cell in ("tp", "fp", "fn", "tn")},
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
    "hardly more than chance would": matrix([[194, 208, 99], [127, 106, 67], [74, 78, 47]]),  # mutual information of just its bias
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


THREE = np.arange(9) % 3
CLASS_SCORES = {
    "no errors": scored(THREE, np.eye(3)[THREE]),
    "inverted": scored(THREE, 1 - np.eye(3)[THREE]),
    "every one the next": scored(THREE, np.eye(3)[(THREE + 1) % 3]),
    "all tied": scored(THREE, np.full((9, 3), 0.3)),
    "all tied, weighted": scored(THREE, np.full((9, 3), 0.3), weight=np.linspace(0.1, 0.7, 9)),
    "one of each": scored([0, 1, 2], [[0.5, 0.3, 0.2], [0.6, 0.3, 0.1], [0.2, 0.5, 0.3]]),
    "one of a class": scored([0, 0, 1, 1, 1, 2], np.random.default_rng(1).random((6, 3))),
    "a class that nobody has": scored([0, 1, 0, 1, 1, 0], np.random.default_rng(2).random((6, 3))),
    "a single class": scored([1] * 5, np.random.default_rng(3).random((5, 3))),
    "a single case": scored([2], [[0.1, 0.2, 0.7]]),
    "less than a case": scored(THREE, np.random.default_rng(4).random((9, 3)), weight=np.full(9, 0.01)),
    "separated, weighted": scored(THREE, np.eye(3)[THREE], weight=np.linspace(0.1, 7.7, 9)),
    "infinite scores": scored(THREE, np.where(np.eye(3)[THREE] > 0, np.inf, -np.inf)),
    "no cases": nothing(ClassScores),
}
DEGENERATE = {RankingTable: TABLES, Counts: COUNTS, ConfusionMatrix: MATRICES, IndicatorTable: INDICATORS}
DEGENERATE |= {ClassScores: CLASS_SCORES}


def smooth(size):
    """Two classes of as many cases, at the quantiles of two normal distributions: no chance in it, and hardly a tie."""
    truth, at = np.repeat([0, 1], size), ndtri((np.arange(size) + 0.5) / size)
    return rows(truth, ndtr(1.3 * (truth - 0.5) + np.tile(at, 2)))


_random = np.random.default_rng(2)
_classes = np.repeat([0, 1, 2], 200)
USUAL = {  # of which every measure has an interval, without a word of warning
    RankingTable: smooth(400),
    Counts: Counts(tp=40, fp=15, fn=20, tn=45),
    ConfusionMatrix: matrix([[60, 15, 10], [20, 90, 12], [10, 15, 80]]),
    IndicatorTable: IndicatorTable.from_arrays(truth=_random.random((90, 3)) < 0.3, predicted=_random.random((90, 3)) < 0.2),
    ClassScores: scored(_classes, ndtr(np.eye(3)[_classes] + _random.normal(size=(600, 3)))),
}
# With these parameters enough of the usual cases decide, and the value is not at an end of what is possible.
SUITED = {"k": 240, "share": 0.3, "fmr": 0.2, "fnmr": 0.2, "prior": 0.5, "low": 0.2, "high": 0.8}
SUITED |= {"specificity": 0.8, "sensitivity": 0.8, "alpha": 3, "precision": 0.6}


def suited(entry):
    """Parameters that suit the usual data, where those by default are for many cases, or for few."""
    return {parameter: value for parameter, value in SUITED.items() if parameter in entry.parameters}


SETTINGS = [Settings(), Settings(proportion="clopper-pearson"), Settings(bootstrap="bootstrap")]


def ways(entry):
    """The settings that make a difference to this measure: on usual data, or without errors."""
    tried = (
        USUAL[entry.summary],
        DEGENERATE[entry.summary]["no errors"] if entry.summary is not RankingTable else TABLES["inverted"],
    )
    answers = {how: [repr(estimate(entry, summary, how)) for summary in tried] for how in SETTINGS}
    return [how for i, how in enumerate(SETTINGS) if answers[how] not in [answers[other] for other in SETTINGS[:i]]]


def way(how):
    return "default" if how == Settings() else f"{how.proportion}, {how.bootstrap}"


WAYS = [(entry, how) for entry in EVERY for how in ways(entry)]
