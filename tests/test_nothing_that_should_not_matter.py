"""The order of the rows, rows of weight 0, the size of weights, threads, BLAS and the kind of kernels change
no number."""

import json
import math
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from every_answer import answer, cases_of_every_kind, differences, taken, weights_of_every_kind
from hypothesis import given, settings, strategies as st
from looping import for_each, in_part
from refusals import refuses
from strategies import EVERY

import tallymark as tm
from tallymark import (
    ClassScores,
    ConfusionMatrix,
    Counts,
    IndicatorTable,
    InputError,
    RankingTable,
    Residuals,
)

FEW, MANY = 12, 100_000
HERE = Path(__file__).parent


def of_every_kind(size, random):
    return [
        (f"{name}, weights: {kind}", cases, weight)
        for name, cases in cases_of_every_kind(size, random)
        for kind, weight in weights_of_every_kind(size, random).items()
    ]


# of each kind of cases one kind of fractional weights
EXAMPLES = of_every_kind(FEW, np.random.default_rng(4))[2:]
EXAMPLES = [example for at, example in enumerate(EXAMPLES) if at % 5 == at // 5 % 3]
each_kind = for_each(
    "cases, weight", [example[1:] for example in EXAMPLES], ids=[example[0] for example in EXAMPLES]
)


def test_the_cases_are_of_every_measure():
    found = [tm.evaluate(**cases) for _, cases in cases_of_every_kind(60, np.random.default_rng(1))]
    there = {(name, ev.entry(name).summary) for ev in found for name in ev}
    assert {(entry.name, entry.summary) for entry in EVERY} <= there


# The order of the rows
# ------------------------------------------------------------------------------------------------


def assert_no_order_matters(cases, weight, random):
    if weight is not None:
        cases = {**cases, "weight": weight}
    rows = random.permutation(len(cases["truth"]))
    assert_equal_but_for_rounding(differences(answer(**cases), answer(**taken(cases, rows))), weight=weight)


def assert_equal_but_for_rounding(found, *allowed, weight=None):
    """Sums over the rows round by their order, numerical slopes of them more, and a fingerprint has it.

    True negatives of several labels are a difference of sums: they keep the digits of the largest.
    """
    spread = (
        1.0 if weight is None else float(np.sum(weight) / np.min(weight, where=weight > 0, initial=np.inf))
    )
    relative = max(4e-11, np.finfo(float).eps * spread)
    changed = {
        place
        for place, ends in found.items()
        if not (
            all(isinstance(end, int | float) for end in ends)
            and math.isclose(*ends, rel_tol=relative, abs_tol=1e-13)
        )
    }
    assert changed <= {"/data/sha256", *allowed}, found


@in_part(30, ("fast", "full"))
@each_kind
def test_the_order_of_the_rows(cases, weight):
    assert_no_order_matters(cases, weight, np.random.default_rng(2))


@pytest.mark.full
@settings(max_examples=4)
@given(seed=st.integers(0, 2**32), size=st.sampled_from([5, 40, 120]))
def test_the_order_of_the_rows_of_any_cases(seed, size):
    random = np.random.default_rng(seed)
    for _, cases, weight in of_every_kind(size, random)[seed % 5 :: 6]:
        assert_no_order_matters(cases, weight, random)


def test_the_order_of_rows_without_a_mistake():
    """The entropy of the classes was told from their mutual information by what rounding left of both."""
    label, weight = np.array([8, 3, 21, 7, 12]), np.array([2.1857, 0.5637, 0.1654, 0.8249, 1.9723])
    random, found = np.random.default_rng(0), set()
    for rows in (random.permutation(5) for _ in range(20)):
        one = tm.evaluate(truth=label[rows], predicted=label[rows], weight=weight[rows])["mutual_information"]
        found.add((one.value, one.low, one.high, one.note))
    assert len(found) == 1


# Rows of weight 0
# -----------------------------------------------------------------------------------------------------


def assert_rows_of_weight_0_do_not_matter(cases, weight, random):
    """But for the number of rows that is stated."""
    found = differences(
        answer(**cases, weight=weight), answer(**with_rows_of_weight_0(cases, weight, random))
    )
    assert_equal_but_for_rounding(found, "/data/rows", weight=weight)


def with_rows_of_weight_0(cases, weight, random):
    """A copy of some rows, changed where that is possible, among the others."""
    size = len(weight)
    rows = random.permutation(np.append(np.arange(size), random.integers(0, size, 5)))
    again = np.array([row in rows[:at] for at, row in enumerate(rows)])
    longer = taken({**cases, "weight": weight}, rows)
    longer["weight"][again] = 0.0
    if "regression" in cases:
        longer["truth"][again] = 1e6
    elif longer["truth"].ndim == 2:
        longer["truth"][again] = 1
    elif longer["truth"].max() > 1 and "predicted" in cases:
        longer["truth"][again], longer["predicted"][again] = 30, -2  # classes that occur nowhere else
    elif "score" in cases and longer["score"].ndim == 1:
        longer["score"][again] = [7.0, -3.0, 0.5, 0.25, 9.0][: again.sum()]  # no probabilities
    return longer


@in_part(30, ("fast", "full"))
@each_kind
def test_rows_of_weight_0(cases, weight):
    weight = np.ones(len(cases["truth"])) if weight is None else weight
    assert_rows_of_weight_0_do_not_matter(cases, weight, np.random.default_rng(3))


@pytest.mark.full
@settings(max_examples=4)
@given(seed=st.integers(0, 2**32), size=st.sampled_from([5, 40, 120]))
def test_rows_of_weight_0_of_any_cases(seed, size):
    random = np.random.default_rng(seed)
    for _, cases, weight in of_every_kind(size, random)[seed % 5 :: 6]:
        if weight is not None:
            assert_rows_of_weight_0_do_not_matter(cases, weight, random)


TWO = {"truth": [0, 1, 1, 0], "weight": [1.0, 2.0, 0.5, 0.0]}
SUMMARIES = {
    "Counts of labels": lambda **odd: Counts.from_arrays(**TWO, predicted=[0, 1, 0, odd.get("label", 1)]),
    "Counts of scores": lambda **odd: Counts.from_arrays(
        **TWO, score=[0, 1, 0, odd.get("score", 1)], threshold=1
    ),
    "RankingTable": lambda **odd: RankingTable.from_arrays(**TWO, score=[0, 1, 0, odd.get("score", 1)]),
    "ConfusionMatrix": lambda **odd: ConfusionMatrix.from_arrays(
        **TWO, predicted=[0, 1, 0, odd.get("label", 1)]
    ),
    "Residuals": lambda **odd: Residuals.from_arrays(**TWO, predicted=[0, 1, 0, odd.get("score", 1)]),
    "ClassScores": lambda **odd: ClassScores.from_arrays(
        **TWO, score=[[1, 2], [2, 1], [3, 3], [odd.get("score", 1), 1]]
    ),
    "IndicatorTable": lambda **odd: IndicatorTable.from_arrays(
        truth=[[0, 1]] * 4,
        predicted=[[0, 1], [1, 0], [1, 1], [odd.get("label", 1) % 2, 0]],
        weight=TWO["weight"],
    ),
}


@for_each("made", SUMMARIES.values(), ids=SUMMARIES)
def test_rows_of_weight_0_leave_no_trace_in_a_summary(made):
    assert made(label=3, score=17.0) == made()


@for_each("made", SUMMARIES.values(), ids=SUMMARIES)
def test_rows_of_weight_0_are_checked(made):
    with refuses("missing-value", "missing"):
        made(label=math.nan, score=math.nan)


# The size of weights
# --------------------------------------------------------------------------------------------------

CASES = dict(cases_of_every_kind(24, np.random.default_rng(9)))
HUGE = {
    "1e40 each": np.full(24, 1e40),
    "2^62 each": np.full(24, 2**62),
    "1e38 each": np.full(24, 1e38),
    "1e89 each": np.full(24, 1e89),
    "one of 2^53": np.append(np.ones(23), 2.0**53),
    "1e-90 each": np.full(24, 1e-90),
    "1e308 each": np.full(24, 1e308),
}


@for_each("cases", CASES.values(), ids=CASES)
@for_each("weight", HUGE.values(), ids=HUGE)
def test_weights_that_cannot_be_counted_are_refused(cases, weight):
    with refuses("invalid-value", argument="weight"):
        tm.evaluate(**cases, weight=weight, weight_kind=None if weight.max() < 1 else "count")


def test_totals_up_to_2_to_the_53rd_are_counted():
    weight = np.append(np.ones(23), 2.0**53 - 23)
    found = tm.evaluate(**CASES["two labels"], weight=weight, weight_kind="count")
    assert found.counts.total == 2.0**53


SCALES = [10.0**power for power in (-300, -60, -38, -7, 14, 20, 60, 300)]
# these hold the weights themselves
NOT_SCALED = ("counts", "matrix", "class_counts", "pairs", "table", "data", "notices")


@in_part(8)
@for_each("cases", CASES.values(), ids=CASES)
@for_each("kind", ["alike", "few and small"])
def test_the_scale_of_fractional_weights(cases, kind):
    """The same numbers, but for rounding, or refused."""
    weight = np.random.default_rng(5).random(24) + 0.1
    weight[::5] *= 1e-3 if kind == "few and small" else 1.0
    wanted = answer(**cases, weight=weight)
    for scale in SCALES:
        try:
            found = answer(**cases, weight=weight * scale)
        except InputError:
            continue
        for place, value in wanted.items():
            if place.split("/")[1] not in NOT_SCALED:
                assert found.get(place) == (
                    pytest.approx(value, rel=1e-8, abs=1e-12) if isinstance(value, float) else value
                ), (
                    place,
                    scale,
                )


def made_by_hand():
    half, whole = 2.0**52 + 1, np.array([2**52 + 1])
    yield "Counts", lambda: Counts(tp=2**62, fp=2**62, fn=1, tn=1)
    yield "Counts in arrays", lambda: Counts(tp=[1, 2**62], fp=[0, 2**62], fn=[0, 1], tn=[0, 0])
    yield "Counts added", lambda: Counts(tp=half, fp=0, fn=0, tn=0) + Counts(tp=half, fp=0, fn=0, tn=0)
    yield "Counts times a number", lambda: Counts(tp=half, fp=0, fn=0, tn=0) * 1e10
    yield "ConfusionMatrix", lambda: ConfusionMatrix((0, 1), [[2**62, 1], [0, 2**62]])
    yield "ConfusionMatrix added", lambda: sum([ConfusionMatrix((0, 1), [[half, 0], [0, 1]])] * 2)
    yield "RankingTable", lambda: RankingTable([0.5], [2**62], [2**62])
    yield "RankingTable added", lambda: sum([RankingTable([0.5], whole, whole - whole)] * 2)
    yield "Residuals", lambda: Residuals([0.0], [2**62])
    yield "Residuals added", lambda: sum([Residuals([0.0], whole)] * 2)
    yield "IndicatorTable added", lambda: sum([IndicatorTable(("a",), np.diag([half, 0, 0]), half, half)] * 2)
    yield (
        "ClassScores added",
        lambda: sum(
            [
                ClassScores.from_arrays(
                    truth=[0, 1], score=[[1, 0], [0, 1]], weight=[half, 1], weight_kind="count"
                )
            ]
            * 2
        ),
    )


@for_each("made", [made for _, made in made_by_hand()], ids=[name for name, _ in made_by_hand()])
def test_summaries_beyond_what_can_be_counted_are_refused(made):
    with refuses("invalid-value", "53"):
        made()


@pytest.mark.full
def test_logits_of_any_size_are_measured():
    score = np.array([1e308, -1e308, 3.0, 1e300, -2.0, 0.5])
    for weight in (None, np.full(6, 1e-30), np.full(6, 0.3)):
        tm.evaluate(truth=[1, 0, 1, 0, 1, 0], score=score, score_kind="logit", weight=weight).to_json()


# Threads, BLAS, kernels
# -----------------------------------------------------------------------------------------------

LARGE = "probabilities,logits,labels,scores per class,several labels,amounts"


def in_a_process(size, kinds=LARGE, **environment):
    """What a fresh process answers."""
    command = [sys.executable, "-W", "ignore", str(HERE / "every_answer.py"), str(size), kinds]
    done = subprocess.run(command, env=os.environ | environment, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def threads(number):
    return dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), str(number))


@pytest.mark.full
def test_the_same_bits_on_any_number_of_threads_and_with_any_kernels():
    wanted = in_a_process(MANY, **threads(1), TALLYMARK_KERNELS=tm.kernels.NAME)
    others = {
        "two threads": in_a_process(MANY, **threads(2), TALLYMARK_KERNELS=tm.kernels.NAME),
        "NumPy kernels": in_a_process(MANY, **threads(2), TALLYMARK_KERNELS="numpy"),
    }
    for name, other in others.items():
        assert not {kind: found for kind in wanted if (found := differences(wanted[kind], other[kind]))}, name


@pytest.mark.slow
@for_each("size", [7, 40])
def test_the_same_numbers_with_any_kernels_on_few_rows(size):
    """Sums of fractional weights are compensated in the native kernels only."""
    kinds = ",".join(CASES)
    wanted, other = (in_a_process(size, kinds, TALLYMARK_KERNELS=name) for name in (tm.kernels.NAME, "numpy"))
    for kind in wanted:
        assert_equal_but_for_rounding(differences(wanted[kind], other[kind]))
