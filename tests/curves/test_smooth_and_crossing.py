"""The smooth reliability curve, against lowess of statsmodels and by hand; and where two ROC curves cross."""

import numpy as np
import pytest
from refusals import refuses

from tallymark import RankingTable
from tallymark.curves import Curve, curve
from tallymark.curves.curve import crossings
from tallymark.curves.kinds import smooth_reliability


def table_of(truth, score):
    return RankingTable.from_arrays(truth=truth, score=score)


def test_smooth_by_hand():
    """Scores .9 .8 .8 .8 .4 .1 with labels + + + - - +; windows reach over 5 of the 6 cases.

    At .9 that is up to .4, which has no weight: the line through 1 at .9 and 2/3 at .8. At .5 it is up to .1
    and .9: the line through 0 at .4 and 2/3 at .8. At .1 up to .8: through 1 at .1 and 0 at .4.
    """
    found = smooth_reliability(table_of([1, 1, 1, 0, 0, 1], [0.9, 0.8, 0.8, 0.8, 0.4, 0.1]), points=3)
    assert found.x.tolist() == pytest.approx([0.1, 0.5, 0.9])
    assert found.y.tolist() == pytest.approx([1, 2 / 3 / 4, 1])


def test_smooth_with_one_score_is_its_rate():
    found = smooth_reliability(table_of([1, 0, 0, 0], [0.3] * 4))
    assert found.x.tolist() == [0.3]
    assert found.y.tolist() == [0.25]


def test_smooth_needs_probabilities():
    with refuses("unsupported", argument="curve"):
        smooth_reliability(table_of([1, 0], [3.0, 2.0]))


@pytest.mark.full
def test_smooth_is_lowess_of_statsmodels():
    from statsmodels.nonparametric.smoothers_lowess import lowess

    random = np.random.default_rng(3)
    score = random.random(200)
    truth = random.random(200) < score**2
    found = smooth_reliability(table_of(truth, score), points=51)
    other = lowess(truth.astype(float), score, frac=0.75, it=0, xvals=found.x)
    inside = (other > 0) & (other < 1)
    assert inside.sum() > 30
    assert found.y[inside] == pytest.approx(other[inside], abs=2e-5)  # its window is not widened by 1e-6
    assert (found.y[other <= 0] == 0).all()


def test_weights_are_repeated_cases_and_many_scores_are_grouped():
    random = np.random.default_rng(3)
    score, weight = random.random(50), random.integers(1, 4, 50)
    truth = random.random(50) < score
    once = smooth_reliability(RankingTable.from_arrays(truth=truth, score=score, weight=weight))
    repeated = smooth_reliability(table_of(np.repeat(truth, weight), np.repeat(score, weight)))
    assert once.y == pytest.approx(repeated.y)
    many = random.random(30_000)
    high = smooth_reliability(table_of(random.random(30_000) < many, many))
    assert high.y == pytest.approx(high.x, abs=0.05)


def roc_of(points):
    x, y = np.array(points, float).T
    return Curve("roc", x, y, np.arange(len(x))[::-1], "false positive rate", "true positive rate")


def test_curves_cross_once():
    """One rises to .6 at once and then straight to 1; y = x ** 1 + .2, cut off, is the other."""
    first = roc_of([(0, 0), (0, 0.6), (1, 1)])
    second = roc_of([(0, 0), (0, 0.2), (0.5, 1), (1, 1)])
    x, y, regions = crossings(first, second)  # .6 + .4 x = .2 + 1.6 x
    assert [one.better for one in regions] == ["first", "second"]
    assert [one.high for one in regions] == pytest.approx([1 / 3, 1])
    assert x.tolist() == pytest.approx([1 / 3])
    assert y.tolist() == pytest.approx([0.6 + 0.4 / 3])


def test_upright_parts_cross_and_common_ones_count_once():
    first = roc_of([(0, 0), (0, 0.5), (0.4, 0.5), (0.4, 1), (1, 1)])
    second = roc_of([(0, 0), (0.2, 0.2), (0.2, 0.9), (1, 1)])
    x, y, _ = crossings(first, second)
    assert x.tolist() == pytest.approx([0.2, 0.4])
    assert y.tolist() == pytest.approx([0.5, 0.925])
    shared = roc_of([(0, 0), (0, 0.4), (0.2, 0.6), (0.6, 0.8), (1, 1)])
    other = roc_of([(0, 0), (0.1, 0.2), (0.1, 0.5), (0.2, 0.6), (0.6, 0.8), (0.6, 1), (1, 1)])
    x, _, _ = crossings(shared, other)
    assert len(x) == 1
    assert 0.1 <= x[0] <= 0.6


def test_a_curve_that_is_never_lower_does_not_cross():
    truth = [0, 0, 1, 1, 0, 1]
    better, worse = table_of(truth, [1, 2, 5, 6, 3, 4]), table_of(truth, [1, 5, 2, 6, 3, 4])
    assert len(crossings(curve("roc", better), curve("roc", worse))[0]) == 0
    assert not crossings(curve("roc", worse), curve("roc", worse)).regions
