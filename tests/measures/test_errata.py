"""What the errata of the documents claim, computed."""

import numpy as np
import pytest
from test_worked_examples import BERRAR, EXAMPLES, FLEMMING_AUC, TABLE_1, ranked

import tallymark as tm
from tallymark import Counts, RankingTable
from tallymark.curves import curve
from tallymark.measures.registry import get


def test_the_grid_that_explains_auc_has_the_highest_scores_first():
    """TPR and FPR leave 0 at the highest scores: rows upward are samples 7, 5, 2, columns 6, 4, 3, 1."""
    order = np.argsort(FLEMMING_AUC["score"]) + 1  # samples are numbered by ascending score
    number = dict(zip(np.array(FLEMMING_AUC["score"])[order - 1].tolist(), range(1, 8), strict=True))
    sweep = ranked(FLEMMING_AUC).sweep()
    limits = ranked(FLEMMING_AUC).thresholds[1:].tolist()
    rows = [number[limit] for limit, step in zip(limits, np.diff(sweep.tp), strict=True) if step]
    columns = [number[limit] for limit, step in zip(limits, np.diff(sweep.fp), strict=True) if step]
    assert (rows, columns) == ([7, 5, 2], [6, 4, 3, 1])


def test_region_c_of_the_threshold_figure_is_the_steep_one():
    def slope(x):
        return (1 - x) ** 3 / (1 - (x - 1) ** 4) ** 0.75

    x_at_c = 1 - (1 - 0.3**4) ** 0.25
    assert slope(0.7) == pytest.approx(0.027, abs=5e-4)  # B as printed, flat
    assert slope(x_at_c) == pytest.approx(37, abs=0.5)  # C as printed, steep


def test_an_area_of_1_is_of_the_order_alone():
    cases = {"truth": [0, 1], "score": [0.1, 0.2]}
    assert tm.measures.roc_auc(**cases) == 1
    assert tm.measures.accuracy(Counts.from_arrays(**cases, threshold=0.5)) == 0.5


def test_the_mean_squared_error_is_no_distance():
    truth, predicted = np.array([1.0, 2.0, 3.0]), np.array([2.0, 2.0, 5.0])
    distance = np.linalg.norm(truth - predicted)
    found = get("mean_squared_error")(truth=truth, predicted=predicted)
    assert found == pytest.approx(distance**2 / 3)
    assert found != pytest.approx(distance)


def test_the_first_class_of_iris_as_positive():
    """The printed values are those of the other two classes."""
    printed = EXAMPLES["tharwat-iris-first-class"]["percent"]
    other = Counts(**EXAMPLES["tharwat-iris-first-class"]["counts"])
    own = Counts(tp=other.tn, fp=other.fn, fn=other.fp, tn=other.tp)
    assert (own.positives, other.positives) == (50, 100)
    rates, values = ("sensitivity", "specificity"), ("precision", "negative_predictive_value")
    swapped = dict([rates, rates[::-1], values, values[::-1]])
    for name, as_printed in printed.items():
        assert 100 * get(name)(other) == pytest.approx(as_printed, abs=0.005)
        assert 100 * get(swapped.get(name, name))(own) == pytest.approx(as_printed, abs=0.005)
    assert 100 * get("sensitivity")(own) == pytest.approx(98.0)
    assert 100 * get("precision")(own) == pytest.approx(100.0)


def test_a_perfect_precision_recall_curve_ends_at_the_prevalence():
    found = curve("pr", RankingTable.from_arrays(truth=[1, 1, 0, 0, 0], score=[5, 4, 3, 2, 1]))
    assert (found.x[-1], found.y[-1]) == (1.0, 0.4)
    assert (1.0, 1.0) in set(zip(found.x.tolist(), found.y.tolist(), strict=True))


def test_the_true_positive_rate_is_y_of_roc_and_x_of_pr():
    table = ranked(TABLE_1)
    assert curve("roc", table).y.tolist() == curve("pr", table).x.tolist()
    assert curve("roc", table).y_name == "true positive rate"


def test_recall_falls_with_the_threshold():
    table = ranked(TABLE_1)
    by_threshold = np.argsort(table.thresholds)
    recall = curve("roc", table).y[by_threshold]
    assert (np.diff(recall) <= 0).all()
    assert recall[0] == 1


def test_eight_thousand_of_ten_thousand():
    example = EXAMPLES["tharwat-roc-point-and-class-ratio"]
    c = Counts(tp=500, fp=2000, fn=500, tn=8000)
    assert c.negatives == 10_000
    assert get("specificity")(c) == 1 - example["fpr"]
    assert get("accuracy")(c) == pytest.approx(example["accuracy"][1], abs=5e-4)


def test_scores_of_other_ranges_have_the_same_curve():
    truth, score = np.array(TABLE_1["label"]), np.array(TABLE_1["score"])
    one, other = (
        curve("roc", RankingTable.from_arrays(truth=truth, score=s)) for s in (score, 2 * score - 1)
    )
    assert one.x.tolist() == other.x.tolist()
    assert one.y.tolist() == other.y.tolist()


def test_the_error_rate_is_not_the_equal_error_rate():
    c = Counts(tp=70, fp=20, fn=30, tn=80)
    assert get("error_rate")(c) == pytest.approx(1 - get("accuracy")(c))
    assert get("equal_error_rate")(ranked(TABLE_1)) == pytest.approx(0.4)


def test_the_specificity_against_the_false_positive_rate_is_a_line():
    sweep = ranked(TABLE_1).sweep()
    assert get("specificity")(sweep) == pytest.approx(1 - get("false_positive_rate")(sweep))


def test_average_precision_is_a_step_sum():
    table = ranked(BERRAR)
    tpr, precision = (np.array(BERRAR["table"][name], object) for name in ("tpr", "precision_fraction"))
    steps = np.diff(np.append(0.0, tpr.astype(float)))
    heights = np.array([int(a) / int(b) for a, b in (one.split("/") for one in precision)])
    assert heights[-1] == 0.5  # not 5/5, as in the last term that is printed
    assert get("average_precision")(table) == pytest.approx(float(steps @ heights)) == pytest.approx(0.835)
    trapezoid = float(steps @ (heights + np.append(1.0, heights[:-1])) / 2)
    assert get("auc_pr_trapezoid")(table) == pytest.approx(trapezoid) == pytest.approx(0.816, abs=5e-4)


def test_a_false_positive_is_predicted_positive():
    assert Counts.from_arrays(truth=[0], predicted=[1], positive=1).fp == 1


def test_the_point_of_tharwat_between_two_thresholds():
    """Eq. 18 with x = 0.5 between (0.3, 0.75) and (0.4, 0.8)."""
    wanted = TABLE_1["interpolated_point"]
    found = curve("pr_interpolated", ranked(TABLE_1), per_positive=2)
    at = dict(zip(np.round(found.x, 9).tolist(), found.y.tolist(), strict=True))
    assert at[wanted["recall"]] == pytest.approx(wanted["precision"], abs=5e-4)


def test_the_second_derivative_of_the_expected_reward():
    p, step = 0.3, 1e-3

    def reward(q):
        return (1 - (1 - q) ** 2) * p + (1 - q**2) * (1 - p)

    for q in (0.1, 0.3, 0.8):
        first = (reward(q + step) - reward(q - step)) / (2 * step)
        second = (reward(q + step) - 2 * reward(q) + reward(q - step)) / step**2
        assert first == pytest.approx(2 * p - 2 * q)
        assert second == pytest.approx(-2, rel=1e-6)


def test_both_logarithms_are_clipped():
    for truth, score in (([1, 0], [0.0, 0.5]), ([1, 0], [0.5, 1.0])):
        assert np.isfinite(get("log_loss")(truth=truth, score=np.array(score)))


def test_the_true_positives_of_three_classes_are_the_diagonal():
    matrix = np.array(EXAMPLES["tharwat-three-classes"]["matrix"])
    assert sorted(np.diag(matrix).tolist()) == [70, 80, 90]


def test_a_score_of_one_is_positive_at_the_threshold_one():
    cases = {"truth": [1, 0], "score": [1.0, 0.2]}
    assert Counts.from_arrays(**cases, threshold=1.0).tp == 1
    assert Counts.from_arrays(**cases, threshold=np.inf).tp == 0


def test_the_total_area_is_weighted_by_the_priors_and_the_other_is_of_pairs():
    """Provost and Domingos, and Hand and Till."""
    truth = np.array([0, 0, 0, 1, 1, 2])
    score = np.random.default_rng(0).dirichlet([1, 1, 1], 6)
    area = [get("roc_auc")(truth=truth == k, score=score[:, k]) for k in range(3)]
    found = tm.measures.weighted_roc_auc(truth=truth, score=score, classes=[0, 1, 2])
    assert found == pytest.approx(np.average(area, weights=[3, 2, 1]))

    def of_pair(i, j):
        some = np.isin(truth, (i, j))
        return np.mean([get("roc_auc")(truth=truth[some] == k, score=score[some, k]) for k in (i, j)])

    pairs = np.mean([of_pair(i, j) for i, j in ((0, 1), (0, 2), (1, 2))])
    found = tm.measures.pairwise_roc_auc(truth=truth, score=score, classes=[0, 1, 2])
    assert found == pytest.approx(pairs)


def test_the_loss_of_qudata_is_linear_in_the_scores():
    truth = np.array([1] * 3 + [0] * 7)

    def by_hand(score):
        y, p = np.subtract.outer(truth, truth), np.subtract.outer(score, score)
        return 0.5 + (y * -p).mean()

    for score, value in ((truth * 1.0, 0.08), (0.4 + 0.2 * truth, 0.416)):
        assert get("roc_auc")(truth=truth, score=score) == 1
        assert by_hand(score) == pytest.approx(value)
        assert float(tm.losses.auc(truth=truth, score=score)) == pytest.approx(value)
