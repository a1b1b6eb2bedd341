"""The kernel that looks up each score among those of each class's own cases, and its NumPy twin."""

import numpy as np
import pytest
from looping import for_each

from tallymark.kernels import _numpy
from tallymark.kernels._numpy import OwnScores

try:
    from tallymark.kernels import _compiled
except ImportError:
    _compiled = None

native = pytest.mark.skipif(_compiled is None, reason="the native kernels are not built")


def table(cases, classes, ties, score_type="float64", seed=0, weighted=True):
    random = np.random.default_rng(seed)
    truth = random.integers(0, classes, cases)
    truth[truth == classes - 1] = 0  # a class without cases
    score = random.integers(-3, 4, (cases, classes)) / 4 if ties else random.normal(size=(cases, classes))
    score = score.astype(score_type)
    score[::7] = np.inf
    weight = random.random(cases) if weighted else np.ones(cases)
    return score, truth, random.random(cases), weight, own(score, truth), random.random((2, classes))


def own(score, truth):
    classes = score.shape[1]
    found = [np.unique(score[truth == c, c]) for c in range(classes)]
    start = np.append(0, np.cumsum([len(one) for one in found]))
    above = np.random.default_rng(1).random(2 * start[-1] + classes)
    return OwnScores(np.concatenate(found), start, above)


@for_each("ties", [True, False])
def test_areas_by_brute_force(ties):
    score, truth, worth, weight, mine, share = given = table(30, 4, ties)
    sums, others, pairs = np.zeros((2, 30)), np.zeros(len(mine.above)), np.zeros((4, 4))
    for i in range(30):
        for c in range(4):
            values = mine.score[mine.start[c] : mine.start[c + 1]]
            if truth[i] == c or not len(values):
                continue
            slot = 2 * mine.start[c] + c + 2 * (values < score[i, c]).sum() + (values == score[i, c]).sum()
            sums[:, i] += share[:, c] * mine.above[slot]
            others[slot] += worth[i]
            pairs[truth[i], c] += weight[i] * mine.above[slot]
    for found, wanted in zip(_numpy.areas(*given), (sums, others, pairs), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-13, atol=1e-15)


@native
@for_each("cases", [1, 2, 63, 64, 65, 129, 1000])
@for_each("ties", [True, False])
@for_each("score_type", ["float32", "float64"])
def test_both_kernels_are_equal_to_the_bit(cases, ties, score_type):
    given = table(cases, 5, ties, score_type, seed=cases)
    for found, wanted in zip(_compiled.areas(*given), _numpy.areas(*given), strict=True):
        np.testing.assert_array_equal(found, wanted)


@native
@for_each("spread", ["one value", "an outlier", "infinite", "tiny", "skewed", "huge"])
@for_each("score_type", ["float32", "float64"])
def test_both_kernels_are_equal_however_scores_are_spread(spread, score_type):
    random = np.random.default_rng(5)
    end = 1.7 * 10.0 ** (38 if score_type == "float32" else 308)
    score = {
        "one value": np.zeros((300, 4)),
        "an outlier": np.append(random.random((299, 4)), np.full((1, 4), 1e30), axis=0),
        "infinite": np.where(random.random((300, 4)) < 0.3, -np.inf, random.normal(size=(300, 4))),
        "tiny": random.random((300, 4)) * 1e-42,
        "skewed": random.random((300, 4)) ** 40,
        "huge": random.uniform(-1, 1, (300, 4)) * end,
    }[spread]
    with np.errstate(over="ignore"):
        score = np.asfortranarray(score.astype(score_type))
    truth, weight, share = random.integers(0, 4, 300), random.random(300), random.random((2, 4))
    given = score, truth, weight, weight, own(score, truth), share
    for found, wanted in zip(_compiled.areas(*given), _numpy.areas(*given), strict=True):
        np.testing.assert_array_equal(found, wanted)


@native
def test_two_threads_give_what_one_gives(monkeypatch):
    given = table(5000, 20, False)
    one = _compiled.areas(*given)
    monkeypatch.setattr("tallymark.kernels._compiled.SCORES_WORTH_A_THREAD", 1)
    monkeypatch.setattr("tallymark.kernels.threads.processors", lambda: 2)
    for found, wanted in zip(_compiled.areas(*given), one, strict=True):
        np.testing.assert_array_equal(found, wanted)
