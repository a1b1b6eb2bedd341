"""How a score per class ranks: against scikit-learn, pair by pair, and the influence of each case by its
weight."""

import itertools
import math
import warnings
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, strategies as st
from looping import for_each, in_part
from sklearn.metrics import average_precision_score, roc_auc_score
from strategies import class_scores, measures_of, name, same

from tallymark import ClassScores, Settings, estimate, measures
from tallymark.inference.interval import normal_quantile
from tallymark.measures.families import multiclass_ranking as of_ranking

# see test_probabilities.py
OF_PROBABILITIES = [entry for entry in measures_of(ClassScores) if entry.needs_probabilities]
every = for_each(
    "entry", [entry for entry in measures_of(ClassScores) if entry not in OF_PROBABILITIES], ids=name
)


by_class = for_each(  # the measures that average over the classes, not over all scores together
    "entry",
    [
        entry
        for entry in measures_of(ClassScores)
        if entry not in OF_PROBABILITIES and entry.family != "pooled"
    ],
    ids=name,
)


def some_tables(number, seed, ties=True, weighted=False, all_classes=True):
    """Tables of 2 to 6 classes and a few dozen cases; rows of scores add up to 1, as scikit-learn asks of
    them."""
    random = np.random.default_rng(seed)
    for _ in range(number):
        size, cases = random.integers(2, 7), random.integers(12, 60)
        truth = np.r_[
            np.arange(size if all_classes else size - 1), random.integers(0, size - (not all_classes), cases)
        ]
        score = random.random((len(truth), size)) + 0.5 * np.eye(size)[truth]
        if ties:  # in eighths, that floats hold exactly: the last column takes what is left
            score = np.floor(8 * score / score.sum(1, keepdims=True)) / 8
            score[:, -1] = 1 - score[:, :-1].sum(1)
        else:
            score /= score.sum(1, keepdims=True)
        weight = random.choice([0.3, 1.0, 2.5, 7.0], len(truth)) if weighted else None
        yield truth, score, weight


def table_of(truth, score, weight):
    return ClassScores.from_arrays(truth=truth, score=score, weight=weight, classes=range(score.shape[1]))


# Against scikit-learn
# -------------------------------------------------------------------------------------------------


@pytest.mark.full
@pytest.mark.parametrize("weighted", [False, True], ids=["plain", "weighted"])
@pytest.mark.parametrize("ties", [False, True], ids=["no ties", "ties"])
def test_scikit_learn_has_these_areas_against_the_rest(ties, weighted):
    for truth, score, weight in some_tables(60, 1, ties, weighted):
        if score.shape[1] == 2:
            continue  # of two classes it takes one column
        for ours, average in (("macro_roc_auc", "macro"), ("weighted_roc_auc", "weighted")):
            theirs = roc_auc_score(truth, score, multi_class="ovr", average=average, sample_weight=weight)
            assert getattr(measures, ours)(table_of(truth, score, weight)) == pytest.approx(theirs, rel=1e-12)


@pytest.mark.full
@pytest.mark.parametrize("ties", [False, True], ids=["no ties", "ties"])
def test_scikit_learn_has_this_area_of_pairs(ties):
    """It knows no weights for pairs."""
    for truth, score, _ in some_tables(60, 2, ties):
        if score.shape[1] > 2:
            theirs = roc_auc_score(truth, score, multi_class="ovo", average="macro")
            assert measures.pairwise_roc_auc(table_of(truth, score, None)) == pytest.approx(theirs, rel=1e-12)


@pytest.mark.full
@pytest.mark.parametrize("weighted", [False, True], ids=["plain", "weighted"])
@pytest.mark.parametrize("ties", [False, True], ids=["no ties", "ties"])
def test_scikit_learn_has_these_average_precisions(ties, weighted):
    for truth, score, weight in some_tables(60, 3, ties, weighted):
        of_class = np.eye(score.shape[1])[truth]
        for ours, average in (
            ("mean_average_precision", "macro"),
            ("weighted_average_precision", "weighted"),
        ):
            theirs = average_precision_score(of_class, score, average=average, sample_weight=weight)
            assert getattr(measures, ours)(table_of(truth, score, weight)) == pytest.approx(theirs, rel=1e-12)


@in_part(6, ("fast", "full"))
@by_class
def test_classes_that_do_not_occur_are_left_out(entry):
    """As if they had no column; scikit-learn gives NaN, or 0 for their precision."""
    for truth, score, weight in some_tables(40, 4, weighted=True, all_classes=False):
        if score.shape[1] == 2:
            assert math.isnan(entry(table_of(truth, score, weight), undefined=math.nan))
            continue
        with_column, without = table_of(truth, score, weight), table_of(truth, score[:, :-1], weight)
        assert same(entry(with_column), entry(without), 1e-14)


# By definition
# --------------------------------------------------------------------------------------------------------


def share_in_order(some, label, others):
    """Of the pairs of a case of the class and one of the others, by the score of the class; exact fractions
    of whole weights."""
    column, weight = some.score[:, label], some.weight.astype(int)
    won = total = 0
    for i, j in itertools.product(
        np.flatnonzero(some.truth == label), np.flatnonzero(np.isin(some.truth, others))
    ):
        pair = int(weight[i] * weight[j])
        total += 2 * pair
        won += pair * int(2 * (column[i] > column[j]) + (column[i] == column[j]))
    return Fraction(won, total)


def precision_of_ranks(some, label):
    """The share of the class among the cases down to each of its own, averaged over these."""
    column, own, weight = some.score[:, label], some.truth == label, some.weight.astype(int)
    total = Fraction(0)
    for i in np.flatnonzero(own):
        down_to = column >= column[i]
        total += int(weight[i]) * Fraction(int(weight[down_to & own].sum()), int(weight[down_to].sum()))
    return total / int(weight[own].sum())


def occurring(some):
    return [i for i, size in enumerate(some.sizes) if size]


@given(some=class_scores(fractional=False), times=st.sampled_from([1, 3]))
def test_areas_are_shares_of_pairs(some, times):
    some = some * times
    there = occurring(some)
    if len(there) < 2:
        return
    against_rest = {i: share_in_order(some, i, [j for j in there if j != i]) for i in there}
    assert same(measures.macro_roc_auc(some), float(sum(against_rest.values()) / len(there)), 1e-14)
    weighted = sum(Fraction(int(some.sizes[i])) * area for i, area in against_rest.items()) / int(some.total)
    assert same(measures.weighted_roc_auc(some), float(weighted), 1e-14)
    pairs = [share_in_order(some, i, [j]) for i, j in itertools.permutations(there, 2)]
    assert same(measures.pairwise_roc_auc(some), float(sum(pairs) / len(pairs)), 1e-14)


@given(some=class_scores(fractional=False))
def test_average_precisions_are_means_over_the_cases_of_a_class(some):
    there = occurring(some)
    if len(there) < 2:
        return
    each = {i: precision_of_ranks(some, i) for i in there}
    assert same(measures.mean_average_precision(some), float(sum(each.values()) / len(there)), 1e-14)
    weighted = sum(Fraction(int(some.sizes[i])) * one for i, one in each.items()) / int(some.total)
    assert same(measures.weighted_average_precision(some), float(weighted), 1e-14)


@given(some=class_scores())
def test_the_averages_are_those_of_tables_of_one_class_against_the_rest(some):
    there = occurring(some)
    if len(there) < 2:
        return
    shares = some.sizes[there] / some.total
    for of_two, macro, weighted in (
        (measures.roc_auc, "macro_roc_auc", "weighted_roc_auc"),
        (measures.average_precision, "mean_average_precision", "weighted_average_precision"),
    ):
        each = np.array([of_two(some.one_vs_rest(some.labels[i])) for i in there])
        assert same(getattr(measures, macro)(some), each.mean())
        assert same(getattr(measures, weighted)(some), shares @ each)


def test_of_two_classes_with_opposite_scores_all_areas_are_one():
    for truth, score, weight in some_tables(200, 5, weighted=True):
        if score.shape[1] == 2:
            some = table_of(truth, score, weight)
            area = measures.roc_auc(truth=truth, score=score[:, 1], weight=weight)
            for area_of in (measures.macro_roc_auc, measures.weighted_roc_auc, measures.pairwise_roc_auc):
                assert same(area_of(some), area)


@in_part(6, ("fast", "full"))
@every
def test_the_order_of_the_columns_is_irrelevant(entry):
    random = np.random.default_rng(6)
    for truth, score, weight in some_tables(30, 6, weighted=True):
        order = random.permutation(score.shape[1])
        turned = ClassScores.from_arrays(
            truth=truth, score=score[:, order], weight=weight, classes=order.tolist()
        )
        assert same(entry(turned), entry(table_of(truth, score, weight)), 1e-14)


@pytest.mark.full
@by_class
@for_each("transform", [np.exp, np.cbrt, lambda s: -1 / (s + 1)], ids=["exp", "root", "inverse"])
def test_increasing_transforms_of_each_column_leave_the_ranking(entry, transform):
    for truth, score, weight in some_tables(30, 7, weighted=True):
        columns = np.stack([transform((i + 1) * column) for i, column in enumerate(score.T)], axis=1)
        assert entry(table_of(truth, columns, weight)) == entry(table_of(truth, score, weight))


def test_hand_and_tills_area_does_not_depend_on_the_class_mix():
    for truth, score, _ in some_tables(30, 8):
        factor = np.array([1.0, 7.0, 0.2, 3.0, 11.0, 0.5])[truth]
        assert same(
            measures.pairwise_roc_auc(table_of(truth, score, factor)),
            measures.pairwise_roc_auc(table_of(truth, score, None)),
        )


@for_each(
    "entry",
    [entry for entry in measures_of(ClassScores) if "represented" in entry.section("Undefined")],
    ids=name,
)
def test_one_class_alone_is_undefined_with_the_reason(entry):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for truth, score in (([0], [[1.0, 0.0]]), ([1, 1, 1], np.full((3, 4), 0.25))):
            some = ClassScores.from_arrays(truth=truth, score=score, classes=range(len(score[0])))
            assert math.isnan(entry(some, undefined=math.nan))
            assert estimate(entry, some).undefined.text == "no two classes (represented = 0)"


# The influence of each case
# -------------------------------------------------------------------------------------------


def with_weight(some, case, step):
    weight = some.weight.copy()
    weight[case] += step
    return ClassScores(some.labels, some.truth.copy(), some.score.copy(), weight)


@pytest.mark.full
@pytest.mark.parametrize(
    "of_each", [of_ranking.against_the_rest, of_ranking.against_each, of_ranking.precisions]
)
def test_influence_is_what_a_little_more_weight_does(of_each):
    """By differences to both sides, class by class; also to a class that the case is not of."""
    for truth, score, weight in itertools.chain(
        some_tables(8, 9, weighted=True), some_tables(8, 10, ties=False)
    ):
        some = table_of(truth, score, weight)
        influence = of_each.__wrapped__(some, np.diag((some.sizes > 0) * 1.0))[1].T
        for case in range(len(truth)):
            step = 1e-5 * some.weight[case]
            more, less = (of_each(with_weight(some, case, by)).value for by in (step, -step))
            np.testing.assert_allclose(influence[case], (more - less) / (2 * step), rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize(
    "of_each", [of_ranking.against_the_rest, of_ranking.against_each, of_ranking.precisions]
)
def test_influences_add_up_to_nothing(of_each):
    """All weights times a number change no value; and with or without influences a value is the same."""
    for truth, score, weight in some_tables(40, 11, weighted=True, all_classes=False):
        some = table_of(truth, score, weight)
        if not some.represented:
            continue  # one class alone has nothing to be above
        found = of_each(some)
        np.testing.assert_array_equal(found.value, of_each(some).value)
        known = ~np.isnan(found.value)
        influence = of_each.__wrapped__(some, np.diag((some.sizes > 0) * 1.0))[1].T
        np.testing.assert_allclose((some.weight @ influence)[known], 0, atol=1e-12)
        np.testing.assert_allclose(found.plain, influence[:, known].mean(1), atol=1e-12)
        np.testing.assert_allclose(
            found.weighted, influence[:, known] @ some.sizes[known] / some.sizes[known].sum(), atol=1e-12
        )


@pytest.mark.full
@by_class
def test_the_interval_is_that_of_the_influences(entry):
    """Of the average itself: with the shares of the classes, which a case changes, too."""
    for truth, score, weight in some_tables(6, 12, ties=False):
        some = table_of(truth, score, weight)
        cases = range(len(truth))
        by_difference = [
            (entry(with_weight(some, i, 1e-5)) - entry(with_weight(some, i, -1e-5))) / 2e-5 for i in cases
        ]
        n = len(truth)
        error = math.sqrt(np.sum(np.square(by_difference)) * n / (n - 1))
        found = estimate(entry, some, Settings(level=0.9))
        if len(truth) and found.has_interval:  # average precisions need ten cases of each class
            assert found.standard_error == pytest.approx(error, rel=1e-4)
            low, value, high = (math.log(one / (1 - one)) for one in (found.low, entry(some), found.high))
            assert high - value == pytest.approx(value - low, rel=1e-6)
            assert high - value > normal_quantile(0.9) * error / (entry(some) * (1 - entry(some)))


def test_of_two_classes_with_opposite_scores_the_error_is_about_delongs():
    """DeLong divides by the cases of each class less one; the influences by all of them."""
    random = np.random.default_rng(13)
    truth = np.repeat([0, 1], [150, 250])
    score = random.normal(truth, 1.0)
    some = ClassScores.from_arrays(truth=truth, score=np.stack([-score, score], axis=1))
    one, other = estimate("macro_roc_auc", some), estimate("roc_auc", some.one_vs_rest(1))
    assert one.value == pytest.approx(other.value, rel=1e-12)
    assert (one.high - one.low) == pytest.approx(other.high - other.low, rel=0.01)


SIZES, APART = (60, 90, 150), 1.2


def drawn(random, sizes=SIZES):
    truth = np.repeat(range(len(sizes)), sizes)
    return table_of(
        truth, APART * np.eye(len(sizes))[truth] + random.normal(size=(len(truth), len(sizes))), None
    )


@pytest.mark.full
@every
def test_intervals_cover_what_they_say(entry):
    """Of 500 samples; 95 % give or take three standard errors of so many, and a little for being
    approximate."""
    truth = entry(drawn(np.random.default_rng(14), tuple(30 * size for size in SIZES)))
    random = np.random.default_rng(15)
    found = [estimate(entry, drawn(random)) for _ in range(500)]
    covered = np.mean([one.low <= truth <= one.high for one in found])
    assert 0.92 <= covered <= 0.985
