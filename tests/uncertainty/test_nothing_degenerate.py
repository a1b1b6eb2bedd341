"""Nothing degenerate is shown as certain: every measure, on every kind of hard data, by every method, at
every level."""

from dataclasses import replace

import numpy as np
from looping import for_each, in_part
from sound import DEGENERATE, NOT_CALIBRATED, USUAL, check, rows, scored
from strategies import EVERY, matrix, name

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
from tallymark.evaluation.class_measures import ManyClasses
from tallymark.inference.interval import AREA_METHODS as OF_AREAS, METHODS as OF_PROPORTIONS
from tallymark.measures.registry import get

LEVELS = (0.5, 0.95, 0.999)
OTHERS = [
    *(Settings(proportion=method) for method in OF_PROPORTIONS),
    *(Settings(auc_interval=method) for method in OF_AREAS),
]
WAYS = [how for i, how in enumerate(OTHERS) if how not in OTHERS[:i]]  # the default once

random = np.random.default_rng(8)
heavy = np.round(random.normal(np.repeat([1.5, 0], [12, 20])))
TRUTH = np.repeat([1, 0], [12, 20])
few = scored([0, 1, 2, 0, 1], np.eye(3)[[0, 1, 2, 0, 0]])
MORE = {
    RankingTable: {
        "ties heavy": rows(TRUTH, np.clip(heavy, 0, 2) / 2),
        "nearly all tied": rows(TRUTH, np.where(np.arange(32) == 3, 0.9, 0.5)),
        "nearly separated": rows([1, 1, 1, 0, 1, 0, 0, 0], np.linspace(0.9, 0.1, 8)),
        "nearly inverted": rows([0, 0, 0, 1, 0, 1, 1, 1], np.linspace(0.9, 0.1, 8)),
        "two values": rows(TRUTH, (heavy > 0) / 2),
        "0 and 1": rows(TRUTH, heavy > 0),
        "0 and 1, hardly any mistake": rows(TRUTH, np.where(np.arange(32) == 15, 1, TRUTH)),
        "one positive, on top": rows([1, 0, 0, 0, 0], [0.9, 0.5, 0.4, 0.3, 0.2]),
        "one negative, on top": rows([0, 1, 1, 1, 1], [0.9, 0.5, 0.4, 0.3, 0.2]),
        "whole weights": RankingTable([0.9, 0.6, 0.4, 0.1], [7, 3, 0, 1], [0, 2, 5, 40]),
        "fractional weights": RankingTable([0.9, 0.6, 0.4, 0.1], [0.7, 0.3, 0, 0.1], [0, 0.2, 1.5, 4.1]),
        "a case of next to no weight": RankingTable([0.9, 0.6, 0.1], [5, 1e-9, 0], [0, 3, 6]),
        "rare, one wrong": RankingTable([0.9, 0.6, 0.1], [3, 0, 1], [0, 5, 10**6]),
    },
    Counts: {
        "whole weights": Counts(tp=70, fp=3, fn=0, tn=400),
        "fractional weights": Counts(tp=0.7, fp=0.3, fn=1.5, tn=4.1),
        "two cases": Counts(tp=1, fp=0, fn=0, tn=1),
        "two cases, wrong": Counts(tp=0, fp=1, fn=1, tn=0),
        "rare, one wrong": Counts(tp=3, fp=0, fn=1, tn=10**6),
    },
    ConfusionMatrix: {
        "nearly no errors": matrix([[20, 0, 0], [0, 30, 1], [0, 0, 5]]),
        "fractional weights": matrix([[0.7, 0.2, 0], [0, 3.1, 0.4], [0.3, 0, 1.9]]),
        "one of a class": matrix([[1, 0, 0], [2, 30, 1], [0, 4, 25]]),
        "two classes, one positive": matrix([[9, 2], [0, 1]]),
    },
    IndicatorTable: {
        "nearly no errors": IndicatorTable.from_arrays(truth=np.eye(4), predicted=np.eye(4)[[0, 1, 2, 2]])
    },
    ClassScores: {"nearly no errors": few},
    Residuals: {"all but one right": Residuals([0.0, 1.0], [30, 1])},
}


def cases(entry):
    """The hard data on which it can be measured."""
    some = DEGENERATE[entry.summary] | MORE[entry.summary]
    return {case: one for case, one in some.items() if not entry.needs_probabilities or one.in_unit_interval}


def ways(entry):
    """The settings that make a difference to this measure, on these or on usual data."""
    if entry.summary is RankingTable:  # of whose measures few have a choice
        tried = [MORE[RankingTable]["nearly separated"]]
    else:
        tried = [
            (NOT_CALIBRATED if entry.needs_probabilities else USUAL)[entry.summary],
            *cases(entry).values(),
        ][:6]
    answers = {how: [repr(estimate(entry, summary, how)) for summary in tried] for how in WAYS}
    return [how for i, how in enumerate(WAYS) if answers[how] not in [answers[other] for other in WAYS[:i]]]


@in_part(8)
@for_each("entry", EVERY, ids=name)
def test_nothing_degenerate_is_shown_as_certain(entry):
    """An interval of some width, in the measure's range, around the value; or none, and why."""
    some = ways(entry)
    for case, summary in cases(entry).items():
        for how in some:
            for level in LEVELS:
                found = estimate(entry, summary, replace(how, level=level))
                try:
                    check(entry, found)
                    if found.has_interval:
                        assert found.low < found.high
                except AssertionError as wrong:
                    raise AssertionError(f"{case}, {how}, {level}: {found!r}") from wrong


TABLES_OF_CLASSES = {
    (kind.__name__, case): summary
    for kind in (ConfusionMatrix, IndicatorTable)
    for case, summary in (DEGENERATE[kind] | MORE[kind]).items()
    if summary.total
}


@in_part(8)
@for_each("summary", TABLES_OF_CLASSES.values(), ids=map(" ".join, TABLES_OF_CLASSES))
def test_no_average_over_classes_is_shown_as_certain(summary):
    for method in OF_PROPORTIONS:
        many = ManyClasses(summary, Settings(proportion=method), {})
        for averages in many.averages.values():
            for measure, found in averages.items():
                try:
                    check(get(measure, Counts), found)
                except AssertionError as wrong:
                    raise AssertionError(f"{method}, {measure}: {found!r}") from wrong
