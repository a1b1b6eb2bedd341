"""What a curve says: its ends, the baseline, the area, and the measures that can be read from it."""

import math
import tomllib
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from drawn_tables import (
    ALL,
    OF_CALIBRATION,
    TIES,
    columns,
    every_name,
    every_ties,
    few,
    many,
    some_cases,
    table_of,
    tables,
    tables_for,
)
from hypothesis import given, strategies as st
from looping import for_each
from scipy.special import ndtr
from strategies import same

from tallymark import RankingTable, measures
from tallymark.curves import CURVES, curve
from tallymark.measures.registry import get

EXAMPLES = {
    one["id"]: one
    for one in tomllib.loads((Path(__file__).parents[1] / "worked_examples.toml").read_text())["example"]
}
TABLE_1, BERRAR = EXAMPLES["tharwat-table-1"], EXAMPLES["berrar-figure-2"]
WITH_BASELINE = [name for name in ALL if name not in OF_CALIBRATION and curve(name, many(50)).baseline]

# Ends and baselines
# --------------------------------------------------------------------------------------------------

ENDS = {  # first and last point where both classes are there
    "roc": lambda t: ((0, 0), (1, 1)),
    "roc_hull": lambda t: ((0, 0), (1, 1)),
    "det": lambda t: ((-math.inf, math.inf), (math.inf, -math.inf)),
    "det_linear": lambda t: ((0, 1), (1, 0)),
    "pr": lambda t: ((0, None), (1, t.positives / t.total)),
    "pr_interpolated": lambda t: ((0, None), (1, t.positives / t.total)),
    "gain": lambda t: ((0, 0), (t.total, t.positives)),
    "lift": lambda t: ((None, None), (t.total, 1)),
    "cost": lambda t: ((0, 0), (1, 0)),
    "tpr_fpr": lambda t: ((math.inf, 0), (t.score[-1], 1)),
    "far_frr": lambda t: ((math.inf, 0), (t.score[-1], 1)),
}


@pytest.mark.full
@every_ties
@for_each("name", ENDS)
@few
@given(table=tables(both_classes=True))
def test_first_and_last_point(name, ties, table):
    found = curve(name, table, ties=ties)
    for at, wanted in zip((0, -1), ENDS[name](table), strict=True):
        for value, end in zip((found.x[at], found.y[at]), wanted, strict=True):
            assert end is None or value == pytest.approx(end, rel=1e-14)
            assert name in ("gain", "lift") or end not in (0, 1) or value == end


@pytest.mark.full
@every_name
@few
@given(data=st.data())
def test_no_rate_leaves_its_range(name, data):
    found = curve(name, data.draw(tables_for(name)))
    for axis, values in {found.x_name: found.x, **found.lines}.items():
        if axis.endswith(("rate", "recall", "precision", "sensitivity", "f1")) and "deviate" not in axis:
            assert not ((values < 0) | (values > 1)).any()


@pytest.mark.parametrize("name", ["pr", "pr_interpolated"])
def test_first_point_of_precision_is_drawn_level(name):
    """Tharwat, section 5: level with the second; at 0 where that has no true positives."""
    found_first = curve(name, table_of([1, 1, 0, 1], [0.9, 0.8, 0.7, 0.1]))
    missed_first = curve(name, table_of([0, 1, 0, 1], [0.9, 0.8, 0.7, 0.1]))
    assert [*found_first.x[:2], *found_first.y[:2]] == [0, 1 / 3, 1, 1]
    assert [*missed_first.x[:3], *missed_first.y[:3]] == [0, 0, 0.5, 0, 0, 0.5]


@pytest.mark.parametrize("ends", [(0.9, 0.1), (math.inf, -math.inf)])
def test_perfect_scores_take_the_corner(ends):
    table = RankingTable(ends, [3, 0], [0, 2])
    points = {name: np.transpose([*curve(name, table)][:2]) for name in ("roc", "pr", "det", "cost")}
    assert points["roc"].tolist() == [[0, 0], [0, 1], [1, 1]]
    assert points["pr"].tolist() == [[0, 1], [1, 1], [1, 0.6]]
    assert ndtr(points["det"]).tolist() == [[0, 1], [0, 0], [1, 0]]
    assert not points["cost"][:, 1].any()


@pytest.mark.parametrize("name", WITH_BASELINE)
@given(table=tables(scores=(0.5,), both_classes=True))
def test_scores_that_know_nothing_lie_on_the_baseline(name, table):
    found = curve(name, table)
    left, right = found.baseline
    assert same(found.y, left + found.x / found.x[-1] * (right - left))


def test_only_some_curves_have_a_baseline():
    assert {"roc", "roc_hull", "pr", "pr_interpolated", "gain", "lift"} <= {*WITH_BASELINE} <= {*CURVES}
    # theirs is that of probabilities that are true, not of a classifier that knows nothing
    for name in OF_CALIBRATION:
        found = curve(name, many(50))
        assert found.baseline == (found.x[0], found.x[-1])


# The source documents
# --------------------------------------------------------------------------------------------------


def test_curves_of_table_1():
    """Tharwat, Table 1 and Figures 7, 10 and 12."""
    table = table_of(TABLE_1["label"], TABLE_1["score"])
    tpr, fpr, fnr = (
        np.array(TABLE_1["tp"]) / 10,
        np.array(TABLE_1["fp"]) / 10,
        (10 - np.array(TABLE_1["tp"])) / 10,
    )
    roc, det, far, pr, accuracy = found = [
        curve(name, table) for name in ("roc", "det", "far_frr", "pr", "accuracy")
    ]
    assert all(one.threshold.tolist() == [math.inf, *TABLE_1["score"]] for one in found)
    assert same([roc.x, roc.y, far.y, far.others["false non-match rate"]], [fpr, tpr, fpr, fnr])
    assert same([ndtr(det.x), ndtr(det.y)], [fpr, fnr])
    assert np.abs(pr.y[1:] - TABLE_1["precision_percent_from_second"]).max() <= 0.005 + 1e-12
    assert same(100 * accuracy.y, TABLE_1["accuracy_percent"])
    assert roc.area == pytest.approx(float(Fraction(TABLE_1["auc"]["exact"])), rel=1e-15)


def test_curves_of_figure_5b():
    """Berrar: the true and the false positive rate are furthest apart at t6, behind the score 0.5."""
    found = curve("tpr_fpr", table_of(BERRAR["label"], BERRAR["score"]))
    tpr, fpr = found.lines.values()
    assert tpr[1:].tolist() == [float(Fraction(value)) for value in BERRAR["table"]["tpr"]]
    assert fpr[1:].tolist() == [float(Fraction(value)) for value in BERRAR["table"]["fpr"]]
    assert found.threshold[np.abs(tpr - fpr).argmax()] == 0.5


def test_a_tie_of_both_classes_is_the_diagonal_of_a_rectangle():
    """Tharwat, section 3: the optimistic curve goes up before right, the pessimistic right before up."""
    table = RankingTable([0.9, 0.5, 0.1], [2, 2, 0], [0, 3, 2])
    points = {ties: np.transpose([*curve("roc", table, ties=ties)][:2]).tolist() for ties in TIES}
    assert points["together"] == [[0, 0], [0, 0.5], [0.6, 1], [1, 1]]
    assert points["optimistic"] == [[0, 0], [0, 0.5], [0, 1], [0.6, 1], [1, 1]]
    assert points["pessimistic"] == [[0, 0], [0, 0.5], [0.6, 0.5], [0.6, 1], [1, 1]]


# Areas
# --------------------------------------------------------------------------------------------------

AREAS = [
    ("roc", "together", "roc_auc"),
    ("roc", "optimistic", "roc_auc_optimistic"),
    ("roc", "pessimistic", "roc_auc_pessimistic"),
    ("roc_hull", "together", "auch"),
    ("pr", "together", "average_precision"),
    ("pr_interpolated", "together", "auc_pr_davis_goadrich"),
    ("cost", "together", "average_cost"),
]


@pytest.mark.parametrize(("name", "ties", "measure"), AREAS)
@given(table=tables())
def test_area_is_the_measure(name, ties, measure, table):
    assert same(curve(name, table, ties=ties).area, get(measure)(table))


@for_each(("name", "ties", "measure"), AREAS)
@for_each("scores", [None, 50], ids=["untied", "tied"])
def test_area_of_a_large_table_is_the_measure(name, ties, measure, scores):
    table = many(scores=scores)
    assert same(curve(name, table, ties=ties).area, get(measure)(table))


@pytest.mark.parametrize("ties", ["optimistic", "pessimistic"])
@given(drawn=some_cases(both_classes=True))
def test_steps_are_as_wide_where_ties_are_broken(ties, drawn):
    """As if one class of each tie scored a little more."""
    truth, score, weight = drawn
    rank = np.searchsorted(np.unique(score), score) + 0.5 * (truth == (ties == "optimistic"))
    broken = table_of(truth, rank, weight)
    for name in ("pr", "pr_interpolated", "roc_hull", "cost", "gain"):
        assert same(curve(name, table_of(*drawn), ties=ties).area, curve(name, broken).area)


@given(table=tables(both_classes=True))
def test_order_within_ties_bounds_the_area(table):
    low, middle, high = (
        curve("roc", table, ties=ties).area for ties in ("pessimistic", "together", "optimistic")
    )
    assert same(low + high, 2 * middle)
    assert same(high - low, table.pairs.tied / (table.positives * table.negatives))


@pytest.mark.full
@every_name
@few
@given(data=st.data())
def test_area_of_any_curve_is_a_number_or_undefined(name, data):
    """Thresholds and deviates are infinite, too."""
    found = curve(name, data.draw(tables_for(name)))
    assert type(found.area) is float
    assert np.isfinite(found.area) or not np.isfinite(columns(found)).all()


# Other readings
# --------------------------------------------------------------------------------------------------


@given(table=tables())
def test_gain_above_the_baseline_is_the_average_gain(table):
    """A mean over cases, of a line that goes from case to case: its area, less half of the first and the
    last."""
    found = curve("gain", table)
    assert same(found.area / table.total - sum(found.baseline) / 2, measures.average_gain(table))


@given(drawn=some_cases(both_classes=True))
def test_mean_lift_of_untied_cases_is_the_average_lift(drawn):
    truth, score, _ = drawn
    table = table_of(truth, np.argsort(np.argsort(score)))
    assert same(curve("lift", table).y.mean(), measures.average_lift(table))


@given(table=tables())
def test_largest_distance_of_both_rates_is_the_kolmogorov_smirnov_statistic(table):
    tpr, fpr = curve("tpr_fpr", table).lines.values()
    assert same(np.abs(tpr - fpr).max(), measures.kolmogorov_smirnov(table))


@given(table=tables(both_classes=True))
def test_far_and_frr_cross_at_the_equal_error_rate(table):
    far, frr = curve("far_frr", table).lines.values()
    after = int(np.argmax(far >= frr))
    ahead = (far - frr)[after - 1 : after + 1]
    way = -ahead[0] / (ahead[1] - ahead[0])
    assert same(far[after - 1] + way * (far[after] - far[after - 1]), measures.equal_error_rate(table))


@given(table=tables(both_classes=True))
def test_highest_point_of_a_measure_is_its_largest_value(table):
    assert same(curve("youden_j", table).y.max(), measures.youden_j_max(table))
