"""Intervals of weighted cases with scores: importance weights have no unit, counts are rows, equal weights
are none."""

import itertools
import math

import numpy as np
import pytest
from looping import for_each, in_part

from tallymark import ClassScores, RankingTable, Residuals, estimate, evaluate
from tallymark.measures.registry import find

RANDOM = np.random.default_rng(5)
N = 300
TRUTH = RANDOM.random(N) < 0.4
SCORE = np.round(1 / (1 + np.exp(-(1.5 * TRUTH - 0.8 + RANDOM.normal(size=N)))), 2)
CLASSES = RANDOM.integers(0, 3, N)
TABLE = RANDOM.random((N, 3)) + 0.3 * np.eye(3)[CLASSES]
TABLE /= TABLE.sum(1, keepdims=True)
AMOUNTS = RANDOM.normal(size=N)
FORMS = {
    RankingTable: {"truth": TRUTH, "score": SCORE},
    ClassScores: {"truth": CLASSES, "score": TABLE},
    Residuals: {"truth": AMOUNTS, "predicted": AMOUNTS + RANDOM.normal(size=N), "regression": True},
}
IMPORTANCE = RANDOM.lognormal(0, 0.7, N)
COUNTS = RANDOM.integers(1, 4, N)
# amounts have no classes whose sizes a design could fix
DESIGNS = [
    (kind, one)
    for kind in FORMS
    for one in ("cohort", "case-control")
    if kind != Residuals or one == "cohort"
]


def intervals(kind, **given):
    found = evaluate(**(FORMS[kind] | given))
    return {entry.name: found[entry.name] for entry in find(kind) if entry.name in found}


def off(one, other):
    """How far two estimates differ, relative to the width."""
    if math.isnan(other.low) or math.isnan(one.low):
        return 0.0 if math.isnan(one.low) == math.isnan(other.low) else math.inf
    return max(abs(one.low - other.low), abs(one.high - other.high)) / max(other.high - other.low, 1e-300)


def differ(kind, one, other, limit):
    """The measures whose intervals differ by more than this share of the width."""
    found = {name: off(one[name], other[name]) for name in other}
    return {name: gap for name, gap in found.items() if gap > limit}


@in_part(3)
@for_each("kind, design", DESIGNS, ids=lambda one: getattr(one, "__name__", one))
def test_importance_weights_have_no_unit(kind, design):
    one = intervals(kind, weight=IMPORTANCE, design=design)
    for factor in (1e-3, 20.0):
        other = intervals(kind, weight=IMPORTANCE * factor, design=design)
        found = differ(kind, one, other, 1e-6)
        # the draws of its classes depend on the last digits: 0.0009 of the width was found
        assert found.pop("brier_miscalibration", 0.0) < 0.005, factor
        # and the step between two members of a family at which a bound lies: one step is 0.009 of the width
        assert found.pop("recall_at_k", 0.0) < 0.01, factor
        assert not found, factor


@pytest.mark.full
@for_each("kind, design", DESIGNS, ids=lambda one: getattr(one, "__name__", one))
def test_a_count_is_the_row_as_often(kind, design):
    one = intervals(kind, weight=COUNTS, weight_kind="count", design=design)
    rows = {
        name: np.repeat(values, COUNTS, axis=0)
        for name, values in FORMS[kind].items()
        if name != "regression"
    }
    assert not differ(kind, one, intervals(kind, **rows, design=design), 1e-9)


@pytest.mark.full
@for_each("kind, design", DESIGNS, ids=lambda one: getattr(one, "__name__", one))
def test_equal_importance_weights_are_none(kind, design):
    one = intervals(kind, weight=np.full(N, 3.0), weight_kind="importance", design=design)
    assert not differ(kind, one, intervals(kind, design=design), 1e-6)


@pytest.mark.full
@for_each("kind", FORMS, ids=lambda kind: kind.__name__)
def test_whole_importance_weights_are_not_counts(kind):
    """Of weights from 1 to 3 all intervals of importance weights are wider."""
    important, counts = (intervals(kind, weight=COUNTS, weight_kind=one) for one in ("importance", "count"))
    width = {
        name: (important[name].high - important[name].low) / (found.high - found.low)
        for name, found in counts.items()
    }
    known = [ratio for ratio in width.values() if ratio == ratio]
    assert len(known) > len(width) / 2
    assert np.median(known) == pytest.approx(math.sqrt((COUNTS**2).sum() / COUNTS.sum()), rel=0.15)


def test_a_share_of_one_class_but_for_rounding_has_an_interval_of_some_width():
    for weight in itertools.product([0.1, 0.7, 0.3], [0.2, 0.6, 1 / 3], [0.4, 0.9]):
        of_all = [*weight, 1.1, 1.9]
        table = (
            RankingTable.from_arrays(truth=[1, 1, 1, 0, 0], score=[0.9, 0.8, 0.7, 0.1, 0.1], weight=of_all)
            * 10
        )
        for share in (0.01, 0.03, 0.05, 0.1, 0.12, 0.15, 0.2):
            found = estimate("precision_at_share", table, share=share)
            assert not found.has_interval or found.high - found.low > 0.1


def test_whether_weights_are_alike_does_not_depend_on_their_scale():
    small, large = (
        evaluate(**FORMS[ClassScores], weight=IMPORTANCE * scale, weight_kind="importance")["macro_roc_auc"]
        for scale in (1e-14, 1e14)
    )
    assert (large.low, large.high) == (
        pytest.approx(small.low, rel=1e-9),
        pytest.approx(small.high, rel=1e-9),
    )
    assert large.method == small.method == "delta-logit-t"
