"""Net reclassification and integrated discrimination improvement."""

import pickle
from math import sqrt

import numpy as np
import pytest
from looping import for_each

import tallymark as tm
from tallymark import InputError

R = np.random.default_rng(8)
# Pencina and others (2008), Table II: Framingham, risks below 6 %, from 6 to 20 %, above, without (rows) and
# with HDL cholesterol
EVENTS = np.array([[39, 15, 0], [4, 87, 14], [0, 3, 21]])
NON_EVENTS = np.array([[1959, 142, 0], [148, 703, 31], [1, 25, 72]])
RISKS = np.array([0.03, 0.1, 0.5])


def framingham():
    cells = [
        (table, y, i, j) for table, y in ((EVENTS, 1), (NON_EVENTS, 0)) for i in range(3) for j in range(3)
    ]
    number = [int(table[i, j]) for table, _, i, j in cells]
    columns = zip(*((y, RISKS[i], RISKS[j]) for _, y, i, j in cells), strict=True)
    truth, old, new = (np.repeat(column, number) for column in columns)
    return {"truth": truth, "score": {"old": old, "new": new}}


def simulated(n=400, better=0.5):
    z, more = R.normal(size=(2, n))
    p = 1 / (1 + np.exp(-(z + better * more)))
    return {"truth": (R.random(n) < p).astype(int), "score": {"old": 1 / (1 + np.exp(-z)), "new": p}}


def test_the_published_example():
    found = tm.reclassification(**framingham(), cutoffs=[0.06, 0.2])
    assert found.positives.tolist() == EVENTS.tolist()
    assert found.negatives.tolist() == NON_EVENTS.tolist()
    assert found.nri.value == pytest.approx(0.121, abs=5e-4)  # as printed
    assert found.nri_positives.value == pytest.approx(22 / 183)
    assert found.nri_negatives.value == pytest.approx(1 / 3081)


def test_the_standard_error_by_hand():
    found = tm.reclassification(**framingham(), cutoffs=[0.06, 0.2])
    variances = []
    for moved, net, n in ((36, 22, 183), (347, 1, 3081)):
        variances.append((moved / n - (net / n) ** 2) * n / (n - 1) / n)
    assert found.nri.standard_error == pytest.approx(sqrt(sum(variances)))
    step = 1.959964 * sqrt(sum(variances))
    assert found.nri.low == pytest.approx(found.nri.value - step, rel=1e-6)
    assert found.nri.high == pytest.approx(found.nri.value + step, rel=1e-6)


@for_each("cutoffs", [None, [0.5], [0.2, 0.4, 0.6]])
def test_by_loops(cutoffs):
    cases = simulated()
    found = tm.reclassification(**cases, cutoffs=cutoffs)
    old, new = cases["score"].values()
    net = {0: [], 1: []}
    for y, a, b in zip(cases["truth"], old, new, strict=True):
        before, after = (a, b) if cutoffs is None else (sum(c <= one for c in cutoffs) for one in (a, b))
        net[y].append(int(after > before) - int(after < before))
    assert found.nri_positives.value == pytest.approx(np.mean(net[1]))
    assert found.nri_negatives.value == pytest.approx(-np.mean(net[0]))
    assert found.nri.value == pytest.approx(np.mean(net[1]) - np.mean(net[0]))


def test_the_discrimination_improvement_is_the_difference_of_slopes():
    cases = simulated()
    found = tm.reclassification(**cases).idi
    slopes = [
        tm.measures.discrimination_slope(truth=cases["truth"], score=one) for one in cases["score"].values()
    ]
    assert found.value == pytest.approx(slopes[1] - slopes[0])
    compared = tm.compare(**cases, measures=["discrimination_slope"], design="case-control").differences[0]
    assert found.standard_error == pytest.approx(compared.estimate.standard_error, rel=0.02)


@pytest.mark.full
def test_intervals_cover():
    """Self-check: 95 % intervals of the improvements cover the value of a large sample."""
    true = tm.reclassification(**simulated(200_000), cutoffs=[0.3, 0.6])
    names = ("nri", "nri_positives", "nri_negatives", "idi")
    inside = dict.fromkeys(names, 0)
    for _ in range(400):
        found = tm.reclassification(**simulated(300), cutoffs=[0.3, 0.6])
        for name in names:
            one = getattr(found, name)
            inside[name] += one.low <= getattr(true, name).value <= one.high
    assert all(0.92 <= number / 400 <= 0.98 for number in inside.values()), inside


def test_a_shifted_model_improves_so_the_warning():
    """Probabilities that are merely lower improve the negatives: the warning of the literature."""
    cases = simulated(better=0)
    shifted = {"old": cases["score"]["old"], "new": 0.7 * cases["score"]["old"]}
    found = tm.reclassification(truth=cases["truth"], score=shifted, cutoffs=[0.5])
    assert found.nri_negatives.value > 0
    assert "uninformative" in found.note


def test_models_that_agree_have_no_interval():
    cases = simulated()
    same = {"old": cases["score"]["old"], "new": cases["score"]["old"]}
    found = tm.reclassification(truth=cases["truth"], score=same)
    assert found.nri.value == 0
    assert not found.nri.has_interval
    assert "change alike" in found.nri.note


@for_each(
    ("given", "said"),
    [
        ({"cutoffs": [0.5, 0.2]}, "cutoffs: they must be ascending"),
        ({"cutoffs": [1.5]}, "cutoffs: 1.5"),
        ({"cutoffs": []}, "cutoffs: they must be ascending"),
        ({"score": [[0.1, 0.2, 0.9]]}, "two models"),
        ({"score": [[1, 2, 3], [0.1, 0.2, 0.3]]}, "probabilit"),
        ({"truth": [1, 1, 1]}, "one class only"),
    ],
)
def test_errors(given, said):
    cases = {"truth": [0, 1, 1], "score": [[0.1, 0.2, 0.3], [0.2, 0.3, 0.4]]}
    with pytest.raises(InputError, match=said):
        tm.reclassification(**{**cases, **given})


def test_equal_results_are_equal():
    one, other = (tm.reclassification(**framingham(), cutoffs=[0.06, 0.2]) for _ in range(2))
    assert one == other
    assert hash(one) == hash(other)
    assert one != tm.reclassification(**framingham(), cutoffs=[0.06])
    assert pickle.loads(pickle.dumps(one)) == one
