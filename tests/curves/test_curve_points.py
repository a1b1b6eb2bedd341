"""The points of every curve, each against the threshold that made it; and their thresholds."""

import math

import numpy as np
import pytest
from drawn_tables import (
    ALL,
    FROM_A_SCORE,
    OF_CALIBRATION,
    OF_PROBABILITIES,
    OF_SCORES,
    OF_SOME_SCORES,
    alike,
    by_threshold,
    columns,
    every_name,
    every_ties,
    few,
    many,
    ones_or,
    over,
    some,
    some_cases,
    table_of,
    tables_for,
)
from hypothesis import given, strategies as st
from looping import for_each, in_part
from refusals import refuses
from scipy.special import ndtri
from strategies import SCORES, measures_of, same

from tallymark import Counts, InputError, RankingTable, evaluate
from tallymark.curves import CURVES, curve
from tallymark.measures import f_beta

# Points
# --------------------------------------------------------------------------------------------------


def rates(c):
    """True positive, false positive, false negative."""
    return over(c.tp, c.positives), over(c.fp, c.negatives), over(c.fn, c.positives)


def level(y):
    """The first point as high as the second."""
    return np.append(y[1], y[1:])


REFERENCE = {  # of counts and thresholds: x, y and the further lines
    "roc": lambda c, t: (rates(c)[1], rates(c)[0]),
    "det": lambda c, t: (ndtri(rates(c)[1]), ndtri(rates(c)[2])),
    "det_linear": lambda c, t: rates(c)[1:],
    "tpr_fpr": lambda c, t: (t, *rates(c)[:2]),
    "far_frr": lambda c, t: (t, *rates(c)[1:]),
    "pr": lambda c, t: (rates(c)[0], level(over(c.tp, c.tp + c.fp))),
    "gain": lambda c, t: (c.tp + c.fp, c.tp),
    "lift": lambda c, t: ((c.tp + c.fp)[1:], over(over(c.tp, c.tp + c.fp), c.positives / c.total)[1:]),
    "f1": lambda c, t: (t, over(2 * c.tp, 2 * c.tp + c.fp + c.fn)),
}


@in_part(4)
@every_ties
@for_each("name", REFERENCE)
@some
@given(drawn=some_cases())
def test_points_are_those_of_every_threshold(name, ties, drawn):
    counts, limits = by_threshold(*drawn, ties)
    found = curve(name, table_of(*drawn), ties=ties)
    assert same(
        [found.x, *found.lines.values()], REFERENCE[name](counts, limits), 1e-11 if name == "det" else 1e-12
    )
    assert np.array_equal(found.threshold, limits[-len(found) :])


@pytest.mark.full
@every_ties
@given(drawn=some_cases(scores=SCORES))
def test_points_of_the_decision_curve(ties, drawn):
    """Acting on the threshold, on everybody and on nobody, below a threshold of 1, where no true positive is
    worth a false one."""
    counts, limits = by_threshold(*drawn, ties)
    c, t = counts[limits < 1], limits[limits < 1]
    found = curve("decision", table_of(*drawn), ties=ties)
    worth = [(tp - fp * t / (1 - t)) / c.total for tp, fp in ((c.tp, c.fp), (c.positives, c.negatives))]
    assert np.array_equal([found.x, found.threshold], [t, t])
    assert same([*found.lines.values()], [*worth, 0 * t])


@pytest.mark.full
@every_ties
@some
@given(drawn=some_cases(values=[(1.0, 2.0, 3.0)]))
def test_every_measure_of_counts_is_a_curve(ties, drawn):
    counts, limits = by_threshold(*drawn, ties)
    table = table_of(*drawn)
    for entry in measures_of(Counts):
        if entry.name not in CURVES:
            # without it, it is the decision curve
            parameters = {"threshold": 0.5} if entry.name == "net_benefit" else {}
            x, y, threshold = curve(entry.name, table, ties=ties, **parameters)
            assert np.array_equal([x, threshold], [limits, limits])
            assert np.array_equal(y, entry.function(counts), equal_nan=True), entry.name


def test_a_measure_goes_by_any_of_its_names_and_takes_its_parameters():
    table = many(100)
    assert alike(columns(curve("Matthews correlation", table)), columns(curve("mcc", table)))
    for beta in (0.5, 2):
        assert np.array_equal(curve("f_beta", table, beta=beta).y, f_beta(table.sweep(), beta=beta))


@given(drawn=some_cases(both_classes=True))
def test_the_hull_is_above_every_point_and_made_of_some(drawn):
    roc, hull = (curve(name, table_of(*drawn)) for name in ("roc", "roc_hull"))
    assert {*zip(*hull, strict=True)} <= {*zip(*roc, strict=True)}
    assert (np.interp(roc.x, hull.x, hull.y) >= roc.y - 1e-12).all()
    assert (np.diff(over(np.diff(hull.y), np.diff(hull.x))) < 1e-12).all()


@given(drawn=some_cases(both_classes=True), x=st.floats(0, 1))
def test_the_cost_curve_is_the_lower_envelope(drawn, x):
    """And the threshold of each point is one that costs no more."""
    (counts, limits), found = by_threshold(*drawn), curve("cost", table_of(*drawn))
    _, fpr, fnr = rates(counts)
    at = np.append(found.x, x)
    costs = np.outer(at, fnr) + np.outer(1 - at, fpr)
    assert same(np.append(found.y, np.interp(x, found.x, found.y)), costs.min(1))
    assert ((found.threshold[:, None] == limits) & (costs[:-1] < found.y[:, None] + 1e-12)).any(1).all()
    assert np.array_equal(found.others["one answer for all"], np.minimum(found.x, 1 - found.x))


@given(drawn=some_cases())
def test_points_between_thresholds_come_one_positive_after_the_other(drawn):
    """Tharwat, Eq. 18; fractional positives in equal steps of at most 1."""
    (counts, limits), found = by_threshold(*drawn), curve("pr_interpolated", table_of(*drawn))
    points = []
    for i in range(1, len(limits)):
        more, false = counts.tp[i] - counts.tp[i - 1], counts.fp[i] - counts.fp[i - 1]
        steps = max(math.ceil(more - 1e-9), 1)
        ways = [way / steps for way in range(1, steps + 1)]
        points += [(counts.tp[i - 1] + more * way, counts.fp[i - 1] + false * way, limits[i]) for way in ways]
    tp, fp, limits = np.transpose(points)
    x, y = over(tp, counts.tp[-1]), tp / (tp + fp)
    assert len(found) == len(x) + 1
    assert same([found.x, found.y], [np.append(0 * x[0], x), np.append(y[0], y)])
    assert np.array_equal(found.threshold, np.append(math.inf, limits))


def test_rounding_adds_no_point():
    """1.4 + 3 - 1.4 is more than 3."""
    found = curve("pr_interpolated", RankingTable([0.9, 0.1], [1.4, 3], [0, 1]))
    assert same(found.x, np.array([0, 0.7, 1.4, 2.4, 3.4, 4.4]) / 4.4)


# Density
# --------------------------------------------------------------------------------------------------


@pytest.mark.full
@every_ties
@pytest.mark.parametrize("bins", [1, 7, 20])
@few
@given(drawn=some_cases())
def test_density_adds_up_to_the_rate_at_every_edge(bins, ties, drawn):
    """But at the highest, right of which nothing is left. Infinite scores have no place in it, but count as
    cases."""
    truth, score, weight = drawn
    found, weight = curve("density", table_of(*drawn), ties=ties, bins=bins), ones_or(weight, truth)
    width = -np.diff(found.x)
    assert len(width) in (1, bins)
    assert same(width, width[0], 1e-9)
    for line, label in zip(found.lines.values(), (1, 0), strict=True):
        of_class = truth == label
        right = [weight[of_class & np.isfinite(score) & (score >= edge)].sum() for edge in found.x[1:]]
        assert same(np.cumsum(line[1:] * width), over(right, weight[of_class].sum()))
        assert line[0] == 0 or np.isnan(line[0])


@pytest.mark.parametrize("score", [1e17, -1e300, np.nextafter(0.5, 1)], ids=str)
def test_density_of_scores_that_are_hard_to_tell_apart(score):
    """One large score, or two neighbours: no bin is so narrow that it is none."""
    for low in (score, np.nextafter(score, -math.inf)):
        found = curve("density", table_of([0, 1, 1], [score, low, low]))
        assert (np.diff(found.x) < 0).all()
        assert found.area == pytest.approx(1)


def test_density_of_scores_as_far_apart_as_can_be():
    found = curve("density", RankingTable([1.7e308, -1.7e308], [1, 1], [0, 1]))
    assert np.isfinite(columns(found)).all()


# Thresholds
# --------------------------------------------------------------------------------------------------


@pytest.mark.full
@every_ties
@every_name
@few
@given(data=st.data())
def test_thresholds_fall_from_infinity(name, ties, data):
    table = data.draw(tables_for(name))
    limits = curve(name, table, ties=ties).threshold
    if name == "density":
        assert (limits[1:] < limits[:-1]).all()
        return
    rising = name in OF_CALIBRATION
    assert (limits[1:] >= limits[:-1] if rising else limits[1:] <= limits[:-1]).all()
    if rising:  # from the lowest bin, or score
        x = curve(name, table, ties=ties).x
        assert (x[1:] >= x[:-1]).all()
        edges = [tenth / 10 for tenth in range(11)] if name == "reliability" else table.score.tolist()
        assert {*limits.tolist()} <= {*edges}
        return
    assert {*limits.tolist()} <= {math.inf, *table.score.tolist()}
    if name not in FROM_A_SCORE:
        assert limits[0] == math.inf, f"{name}: is it one of FROM_A_SCORE in tests/curves/drawn_tables.py?"
    if ties == "together" and name not in OF_SOME_SCORES:
        every = np.array_equal(limits, table.thresholds[-len(limits) :])
        assert every, f"{name}: is it one of OF_SOME_SCORES in tests/curves/drawn_tables.py?"


def test_scores_in_single_precision_are_the_thresholds_they_make():
    score = np.array([0.1, 0.7, 0.3, 0.7], np.float32)
    found = curve("roc", table_of([0, 1, 1, 0], score))
    assert found.threshold.tolist() == [math.inf, *sorted({*score.tolist()}, reverse=True)]


def lower_is_positive(truth, score, weight=None):
    return evaluate(truth=truth, score=score, weight=weight, positive=1, higher_is_positive=False)


@pytest.mark.full
@for_each("name", [name for name in ALL if name not in OF_PROBABILITIES])
@few
@given(drawn=some_cases())
def test_where_lower_means_positive_thresholds_are_turned(name, drawn):
    truth, score, weight = drawn
    found, mirror = lower_is_positive(*drawn).curve(name), curve(name, table_of(truth, -score, weight))
    assert np.array_equal(found.threshold, -mirror.threshold)
    assert np.array_equal(found.x, -mirror.x if name in OF_SCORES else mirror.x, equal_nan=True)
    assert alike([*found.lines.values()], [*mirror.lines.values()])


@given(drawn=some_cases())
def test_turned_thresholds_call_whoever_scores_no_more(drawn):
    truth, score, weight = drawn
    found = lower_is_positive(*drawn).curve("gain")
    assert found.threshold[0] == -math.inf
    assert same(found.x[1:], [ones_or(weight, truth)[score <= limit].sum() for limit in found.threshold[1:]])


def test_a_turned_threshold_of_0_has_no_sign():
    found = lower_is_positive([0, 1], [1.0, 0.0]).curve("f1")
    assert (
        [str(value) for value in found.threshold.tolist()]
        == [str(value) for value in found.x.tolist()]
        == ["-inf", "0.0", "1.0"]
    )


# Calls
# --------------------------------------------------------------------------------------------------


def test_changing_a_curve_leaves_its_table_alone():
    table = table_of([0, 1, 1, 0, 1], [0.9, 0.8, 0.3, 0.3, 0.1])
    before = {name: [column.copy() for column in columns(curve(name, table))] for name in ALL}
    for name in ALL:
        for column in columns(curve(name, table)):
            if column.flags.writeable:
                column[:] = 7
    assert [name for name in ALL if not alike(before[name], columns(curve(name, table)))] == []


@pytest.mark.full
@every_name
@few
@given(data=st.data())
def test_the_curve_of_an_evaluation_is_that_of_its_table(name, data):
    truth, score, weight = data.draw(some_cases(scores=SCORES))
    found = evaluate(truth=truth, score=score, weight=weight, positive=1).curve(name, ties="optimistic")
    plain = curve(name, table_of(truth, score, weight), ties="optimistic")
    if name in OF_CALIBRATION:  # of weights that are turned into numbers of cases, for the intervals
        assert same(columns(found), columns(plain))
    else:
        assert alike(columns(found), columns(plain))


def test_a_curve_comes_apart_and_says_what_it_is():
    found = curve("tpr_fpr", many(100))
    x, y, threshold = found
    assert x is found.x
    assert y is found.y
    assert threshold is found.threshold
    assert [*found.lines] == ["true positive rate", "false positive rate"]
    assert [*found.columns] == ["threshold", *found.lines]
    assert repr(found) == "Curve(tpr_fpr: true positive rate against threshold, 101 points)"


TABLE = table_of([0, 1, 1, 0], [0.1, 0.7, 0.3, 0.7])


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("rock", "did you mean 'roc'"),
        ("ROC_hul", "did you mean 'roc_hull'"),
        ("presision", "did you mean 'precision'"),
        ("", "choose from"),
        (5, "5 is not known"),
        (None, "None is not known"),
        (["roc"], "is not known"),
        ("x" * 500, "choose from"),
    ],
    ids=lambda value: str(value)[:12],
)
def test_an_unknown_curve_is_refused_with_those_there_are(name, hint):
    with pytest.raises(InputError, match=hint) as caught:
        curve(name, TABLE)
    said = str(caught.value)
    assert said.startswith("curve: ")
    assert "\n" not in said
    assert len(said.replace(", ".join(CURVES), "")) < 140
    assert all(known in said for known in CURVES)


@pytest.mark.parametrize("name", ["roc_auc", "auc", "brier_score", "log_loss", "equal_error_rate"])
def test_a_measure_that_is_not_of_counts_has_no_curve(name):
    with pytest.raises(InputError, match=rf"curve: '{name}' .* any measure of counts\.$"):
        curve(name, TABLE)


@for_each(
    ("name", "parameters", "said"),
    [
        ("f_beta", {"gamma": 2}, "gamma: f_beta takes no argument of this name; it takes beta"),
        ("f_beta", {"beta": -1}, "f_beta: beta: -1 is not possible"),
        ("f1", {"beta": 2}, "f1 has no parameters; leave out beta="),
        ("roc", {"beta": 2}, "beta"),
        ("density", {"bin": 5}, "bin"),
        ("density", {"bins": 0}, "bins: 0"),
        ("density", {"bins": -3}, "bins: -3"),
        ("density", {"bins": 2.5}, "bins: 2.5"),
        ("density", {"bins": "many"}, "bins: 'many'"),
        ("roc", {"ties": "optimist"}, "ties: 'optimist' is not known .did you mean 'optimistic'"),
        ("roc", {"ties": None}, "ties: None is not known"),
    ],
    ids=str,
)
def test_parameters_that_make_no_sense_are_refused(name, parameters, said):
    with pytest.raises(InputError, match=said):
        curve(name, TABLE, **parameters)


@pytest.mark.parametrize("score", [[-0.1, 0.5], [0.5, 1.1], [0.5, math.inf], [-math.inf, 0.5]], ids=str)
def test_some_curves_need_probabilities(score):
    with refuses("unsupported", "'decision'", argument="curve"):
        curve("decision", table_of([0, 1], score))
    for name in OF_CALIBRATION:
        with pytest.raises(
            InputError, match=f"curve: '{name}' needs probabilities, but the scores range from "
        ):
            curve(name, table_of([0, 1], score))


def test_curves_that_the_data_do_not_allow_say_why():
    with refuses("unsupported", "'decision'", argument="curve"):
        lower_is_positive([0, 1], [0.9, 0.1]).curve("decision")
    with refuses("unsupported", "'roc'", argument="curve"):
        evaluate(counts=Counts(tp=1, fp=2, fn=3, tn=4)).curve("roc")
    with refuses("empty", argument="data"):
        curve("roc", RankingTable.empty())
