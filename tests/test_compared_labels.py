"""Comparisons of models that predict several labels per case, and of models that predict other classes."""

import numpy as np
import pytest

import tallymark as tm

RNG = np.random.default_rng(3)
N, LABELS = 160, 3
MEASURES = ["exact_match", "macro_f1", "macro_precision", "weighted_f1"]
CLUSTERS = np.arange(N) % 40


def answers(random, truth, wrong):
    """Predictions of which some are wrong, by cluster more or fewer."""
    often = wrong * (0.5 + CLUSTERS[: len(truth), None] / 40)
    return np.where(random.random(truth.shape) < often, 1 - truth, truth)


TRUTH = (RNG.random((N, LABELS)) < [0.5, 0.3, 0.4]).astype(int)
ONE, OTHER = answers(RNG, TRUTH, 0.15), answers(RNG, TRUTH, 0.3)


def difference(rows, name):
    first, second = (tm.evaluate(truth=TRUTH[rows], predicted=one[rows])[name].value for one in (OTHER, ONE))
    return first - second


@pytest.mark.parametrize("name", MEASURES)
def test_standard_errors_are_those_of_the_jackknife(name):
    found = tm.compare(truth=TRUTH, predicted={"one": ONE, "other": OTHER}, measures=MEASURES)[name]
    each = np.array([difference(np.arange(N) != i, name) for i in range(N)])
    jackknife = np.sqrt((N - 1) / N * np.square(each - each.mean()).sum())
    assert found.value == pytest.approx(difference(np.arange(N), name))
    assert found.standard_error == pytest.approx(jackknife, rel=0.03)
    assert found.low < found.value < found.high


@pytest.mark.parametrize("name", ["exact_match", "macro_f1"])
def test_standard_errors_with_clusters_are_those_of_the_jackknife_over_clusters(name):
    found = tm.compare(truth=TRUTH, predicted={"one": ONE, "other": OTHER}, measures=name, clusters=CLUSTERS)[
        name
    ]
    each = np.array([difference(i != CLUSTERS, name) for i in range(40)])
    jackknife = np.sqrt(39 / 40 * np.square(each - each.mean()).sum())
    assert found.test == "paired-delta-clustered"
    assert found.standard_error == pytest.approx(jackknife, rel=0.05)


def test_weights_that_are_numbers_of_cases_repeat_them():
    times = RNG.integers(1, 4, N)
    rows = np.repeat(np.arange(N), times)
    weighted = tm.compare(
        truth=TRUTH, predicted=[ONE, OTHER], measures=MEASURES, weight=times, weight_kind="count"
    )
    repeated = tm.compare(truth=TRUTH[rows], predicted=[ONE[rows], OTHER[rows]], measures=MEASURES)
    for one, other in zip(weighted.differences, repeated.differences, strict=True):
        assert [one.low, one.high, one.p_value] == pytest.approx([other.low, other.high, other.p_value])


def test_different_cases_are_independent():
    half = N // 2
    truths, predicted = [TRUTH[:half], TRUTH[half:]], [ONE[:half], OTHER[half:]]
    found = tm.compare(truth=truths, predicted=predicted, paired=False, measures="exact_match")
    first, second = (
        tm.evaluate(truth=y, predicted=p)["exact_match"] for y, p in zip(truths, predicted, strict=True)
    )
    assert found["exact_match"].value == pytest.approx(second.value - first.value)
    below = np.hypot(second.value - second.low, first.high - first.value)
    assert found["exact_match"].low == pytest.approx(found["exact_match"].value - below)


def test_of_fixed_class_sizes_there_is_no_interval():
    found = tm.compare(truth=TRUTH, predicted=[ONE, OTHER], design="case-control")
    assert all(
        one.estimate.notes[0].code == "several-labels" and np.isnan(one.low) for one in found.differences
    )


def test_a_table_of_models_has_their_differences():
    table = tm.evaluate(truth=TRUTH, predicted={"one": ONE, "other": OTHER}).choose(MEASURES)
    compared = tm.compare(truth=TRUTH, predicted={"one": ONE, "other": OTHER}, measures=MEASURES)
    assert [one.low for one in table.differences] == pytest.approx([one.low for one in compared.differences])
    by = tm.evaluate(truth=TRUTH, predicted={"one": ONE, "other": OTHER}, by=CLUSTERS % 2)
    assert by.of_group(0).differences[0].estimate.has_interval
    assert by.whole.differences[0].value == pytest.approx(table["other"]["exact_match"].value
                                                          - table["one"]["exact_match"].value)  # fmt: skip


@pytest.mark.parametrize("name", ["accuracy", "cohen_kappa", "macro_f1"])
def test_models_may_predict_classes_that_others_do_not(name):
    random = np.random.default_rng(0)
    truth = random.choice(list("xyz"), 200)
    predicted = {
        "four": np.where(random.random(200) < 0.7, truth, random.choice(list("wxyz"), 200)),
        "three": np.where(random.random(200) < 0.6, truth, random.choice(list("xyz"), 200)),
    }
    [found] = tm.evaluate(truth=truth, predicted=predicted, measures=name, reference="four").differences
    compared = tm.compare(truth=truth, predicted=predicted, measures=name)[name]
    assert [found.value, found.low, found.high] == pytest.approx(
        [compared.value, compared.low, compared.high]
    )
