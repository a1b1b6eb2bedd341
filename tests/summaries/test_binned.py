"""Binned tables: bounds hold for small tables made to break them, sums are those of the cases, and bins merge
and join as they should."""

import pickle
from itertools import permutations, product

import adversarial
import numpy as np
import pytest
from adversarial import PLACES
from looping import for_each
from refusals import refuses

import tallymark as tm
from tallymark.measures.registry import all_measures
from tallymark.summaries.passes import collected, squared_error, sums_of_loss

MEASURES = [entry for entry in all_measures() if entry.summary is tm.RankingTable]
BY_CURVE = [entry for entry in MEASURES if entry.bounds == "roc"]
WITH_FUNCTION = [entry for entry in MEASURES if callable(entry.bounds)]
WHOLE_ALONE = {"average_lift", "auc_pr_davis_goadrich"}
REFUSED = {
    "truncated_average_ks", "mean_precision", "equal_error_rate_nearest", "decidability",
    "expected_calibration_error", "adaptive_calibration_error", "maximum_calibration_error",
    "rms_calibration_error", "debiased_ece", "debiased_rmsce", "calibration_slope", "calibration_intercept",
    "integrated_calibration_index", "median_calibration_error",
    "e90_calibration_error", "top_label_ece", "top_label_ace", "top_label_mce", "top_label_rmsce",
    "brier_reliability", "brier_resolution",
}  # fmt: skip
SAME = 1e-12
KINDS = [
    (0, True),
    (0, False),
    (1, True),
    (2, True),
    (2, False),
]  # of tables: the grid; whether weights are whole


def outside(value, low, high):
    """By how much values lie outside their bounds, relative to them; an undefined value is never outside."""
    with np.errstate(invalid="ignore"):
        apart = np.maximum(low - value, value - high) / np.maximum(1, np.abs(value))
    known = (value == value) & ~((value == low) | (value == high))  # infinities that are equal
    return np.where(known, np.where(apart == apart, apart, np.inf), 0.0)


def worst_by_curve(tables):
    """By measure that follows the ROC curve, how far any table lies outside the values on its bracket."""
    exact, bracket = tables.exact, tables.bracket
    inside = exact.in_unit_interval
    worst = {}
    for entry in BY_CURVE:
        if entry.needs_probabilities and not inside:
            continue
        value, *ends = (np.asarray(entry.function(table)) for table in (exact, *bracket))
        assert entry.sign or np.allclose(*ends, rtol=SAME, equal_nan=True), f"{entry.name}: neither is better"
        low, high = ends[:: entry.sign or 1]
        low, high = np.where(low != low, entry.range[0], low), np.where(high != high, entry.range[1], high)
        worst[entry.name] = float(outside(value, low, high).max())
    return worst


def worst_by_function(tables, entries, rows):
    """By measure, how far a table lies outside its bounds."""
    worst = dict.fromkeys((entry.name for entry in entries), 0.0)
    for row in range(rows):
        exact, binned = tables.table(row), tables.binned(row)
        for entry in entries:
            if entry.needs_probabilities and not binned.in_unit_interval:
                continue
            if entry.name in WHOLE_ALONE and not tables.whole:
                assert binned.single or entry.bounds_of(binned).code == "no-bounds-with-weights"
                continue
            bounds = entry.bounds_of(binned)
            far = outside(np.array(entry.function(exact)), *np.array(bounds))
            worst[entry.name] = max(worst[entry.name], float(far))
    return worst


def check(worst):
    assert {name: far for name, far in worst.items() if far > SAME} == {}


@for_each("grid, whole", KINDS)
def test_measures_of_the_curve_lie_between_those_of_the_bracket(grid, whole):
    check(worst_by_curve(adversarial.tables(np.random.default_rng(1), 40, grid, whole)))


@for_each("grid, whole", KINDS)
def test_other_measures_lie_within_their_bounds(grid, whole):
    check(worst_by_function(adversarial.tables(np.random.default_rng(2), 4, grid, whole), WITH_FUNCTION, 4))


@pytest.mark.full
@for_each("grid, whole", KINDS)
def test_two_thousand_tables(grid, whole):
    tables = adversarial.tables(np.random.default_rng(3), 400, grid, whole)
    check(worst_by_curve(tables))
    check(worst_by_function(tables, WITH_FUNCTION, 400))
    check(worst_by_function(tables, BY_CURVE, 20))


@pytest.mark.slow
@for_each("part", range(20))
@for_each("grid, whole", KINDS)
def test_a_hundred_thousand_tables(grid, whole, part):
    tables = adversarial.tables(np.random.default_rng([4, part]), 1000, grid, whole)
    check(worst_by_curve(tables))
    check(worst_by_function(tables, WITH_FUNCTION, 1000))


def test_every_measure_has_bounds_or_is_refused():
    refused = {entry.name for entry in MEASURES if entry.bounds is None}
    assert refused == REFUSED
    binned = tm.BinnedTable([0.6, 0.1], [0.9, 0.4], [30, 10], [10, 50])
    assert {entry.bounds_of(binned).code for entry in MEASURES if entry.name in refused} == {"no-bounds"}


def test_a_measure_of_something_else_is_refused():
    binned = tm.BinnedTable([0.6, 0.1], [0.9, 0.4], [30, 10], [10, 50])
    with refuses("unsupported", "bounds_of"):
        tm.measures.roc_auc(binned)
    for refused in (tm.measures.f1, tm.measures.cohen_kappa):
        with pytest.raises(tm.InputError) as error:
            refused.bounds_of(binned)
        assert error.value.code == "unsupported"
    with pytest.raises(tm.InputError) as error:
        tm.measures.brier_score.bounds_of(tm.BinnedTable([-2.0, 0.1], [1.5, 0.4], [30, 10], [10, 50]))
    assert error.value.code == "unsupported"


def test_all_is_exact_where_bins_are_single_scores():
    tables = adversarial.tables(np.random.default_rng(5), 2)
    tables = tables._replace(low=tables.score, high=tables.score)
    for row in range(2):
        exact, binned = tables.table(row), tables.binned(row)
        assert binned.single
        assert binned.exact
        for entry in MEASURES:
            value = entry.function(exact)
            bounds = pytest.approx((value, value), rel=SAME, nan_ok=True)
            assert entry.bounds_of(binned) == bounds, entry.name


@for_each("name", ["average_precision", "kolmogorov_smirnov", "average_lift", "auc_pr_davis_goadrich"])
def test_bounds_meet_where_a_bin_has_an_empty_stretch(name):
    """The bounds of functions of their own, which a table of single scores does not ask for."""
    entry = tm.measures.__getattr__(name)
    rng = np.random.default_rng(6)
    scores, weights = rng.permutation(40)[:12] / 100 + 0.1, rng.integers(0, 4, (2, 12))
    exact = tm.RankingTable(np.sort(scores)[::-1], *weights)
    wide = np.append(scores[np.argsort(-scores)], 0.9), np.append(scores[np.argsort(-scores)], 0.95)
    binned = tm.BinnedTable(*wide, *np.append(weights, [[1], [0]], axis=1))
    assert not binned.single
    with_one = exact + tm.RankingTable([0.9], [1], [0])
    value = entry.function(with_one)
    assert entry.bounds_of(binned) == pytest.approx((value, value), rel=SAME)


# Whether bounds are attained
# -------------------------------------------------------------------------------------------------------


def extremes(entry, low, high, positive):
    """The lowest and the highest value over all placements of the cases in their bins."""
    places = np.array(list(product(*(range(a, b + 1) for a, b in zip(low, high, strict=True)))))
    tables = adversarial.Tables(
        adversarial.GRIDS[0],
        np.broadcast_to(positive, places.shape),
        np.ones(places.shape, np.int64),
        places,
        places,
        places,
    )
    values = np.asarray(entry.function(tables.exact))
    return np.nanmin(values), np.nanmax(values)


def ends(entry, rng, times, apart, size=6):
    """The lowest and the highest value that placements reach, and the bounds: a row for each table.

    Of a few cases in bins of five places, which are apart or overlap.
    """
    rows = []
    for _ in range(times):
        many = int(rng.integers(3, size + 1))
        low = rng.choice([0, 5, 10], many) if apart else rng.integers(0, 11, many)
        wide = rng.random(PLACES) < 0.8
        high, positive = low + 4 * wide[low], np.append([True, False], rng.random(many - 2) < 0.5)
        grid = adversarial.GRIDS[0]
        binned = tm.BinnedTable(grid[low], grid[high], positive.astype(int), (~positive).astype(int))
        rows.append((*extremes(entry, low, high, positive), *entry.bounds_of(binned)))
    lowest, highest, least, most = np.transpose(rows)
    assert (least <= lowest + SAME).all()
    assert (highest - SAME <= most).all()
    return lowest, highest, least, most


@for_each("entry", BY_CURVE, ids=lambda entry: entry.name)
def test_the_bracket_is_attained(entry):
    lowest, highest, least, most = ends(entry, np.random.default_rng(7), 2, apart=False, size=3)
    np.testing.assert_allclose([lowest, highest], [least, most], rtol=1e-9, atol=1e-12)


@pytest.mark.full
@for_each(
    "name, apart, share",
    [
        ("average_precision", True, 1.0),
        ("kolmogorov_smirnov", True, 1.0),
        ("auc_pr_trapezoid", True, 0.93),
        ("auc_pr_minmax", True, 0.45),
        ("average_precision", False, 0.85),
        ("kolmogorov_smirnov", False, 0.9),
        ("auc_pr_trapezoid", False, 0.95),
        ("auc_pr_minmax", False, 0.45),
    ],
)
def test_bounds_are_attained_or_nearly(name, apart, share):
    entry = tm.measures.__getattr__(name)
    lowest, highest, least, most = ends(entry, np.random.default_rng(8), 60, apart)
    assert (highest - lowest).sum() >= share * (most - least).sum() - SAME


@for_each("name", ["auc_pr_trapezoid", "auc_pr_min", "auc_pr_minmax", "auc_pr_max"])
def test_other_areas_have_bounds_nearly_as_narrow_as_average_precision(name):
    binned = tm.BinnedTable.from_arrays(**cases(np.random.default_rng(23)), bins=100)
    widths = [
        float(np.diff(tm.measures.__getattr__(one).bounds_of(binned))[0])
        for one in (name, "average_precision")
    ]
    assert 0 < widths[0] < 4 * widths[1]


# The average precision of overlapping bins, on which both tables of the bracket err
# -------------------------------------------------------------------------------------------------------


def test_the_favourable_table_is_no_upper_bound_of_average_precision():
    binned = tm.BinnedTable([1.0, 0.1, 0.1], [1.0, 0.9, 0.5], [0, 1, 1], [5, 0, 0])
    assert tm.measures.average_precision(binned.bracket()[1]) < 2 / 7 - 0.05
    low, high = tm.measures.average_precision.bounds_of(binned)
    assert low <= 2 / 7 == pytest.approx(high)


# Sums of losses
# -------------------------------------------------------------------------------------------------------


def cases(rng, size=2000, weights=None):
    truth = rng.random(size) < 0.3
    score = np.round(np.clip(rng.normal(0.3 + 0.2 * truth, 0.2), 0, 1), 3)
    return {"truth": truth, "score": score, **({} if weights is None else {"weight": weights(rng, size)})}


WEIGHTS = {
    "none": None,
    "counts": lambda rng, size: rng.integers(0, 4, size),
    "fractions": lambda rng, size: rng.random(size) + 0.1,
}


@for_each("weights", WEIGHTS.values(), ids=list(WEIGHTS))
@for_each(
    "name, parameters",
    [
        *(
            (entry.name, {})
            for entry in MEASURES
            if entry.loss is not None and "information" not in entry.name
        ),
        ("root_mean_squared_error", {}),
        ("log_loss", {"base": 2.0}),
        ("balanced_cross_entropy", {"alpha": 0.3, "base": 10.0}),
        ("focal_loss", {"alpha": 0.25}),
    ],
)
def test_mean_losses_are_exact(name, parameters, weights):
    arrays = cases(np.random.default_rng(9), 400, weights)
    binned = tm.BinnedTable.from_arrays(**arrays, bins=16)
    entry = tm.measures.__getattr__(name)
    value = entry(tm.RankingTable.from_arrays(**arrays), **parameters)
    low, high = entry.bounds_of(binned, **parameters)
    assert (low, high) == pytest.approx((value, value), rel=SAME)
    assert not binned.single


def test_a_loss_whose_sums_are_not_there_has_bounds():
    arrays = cases(np.random.default_rng(10))
    exact = tm.RankingTable.from_arrays(**arrays)
    binned = tm.BinnedTable.from_arrays(**arrays, bins=64)
    for name, parameters in {
        "information_score": {}, "log_loss": {"clip": 1e-3}, "focal_loss": {"gamma": 1.0}
    }.items():  # fmt: skip
        entry = tm.measures.__getattr__(name)
        low, high = entry.bounds_of(binned, **parameters)
        assert low < entry(exact, **parameters) < high < low + 0.2
    without = tm.BinnedTable(*(getattr(binned, name) for name in binned.ENTRIES))
    low, high = tm.measures.brier_score.bounds_of(without)
    assert low < tm.measures.brier_score(exact) < high


@for_each("weights", WEIGHTS.values(), ids=list(WEIGHTS))
def test_sums_of_powers_are_those_of_the_cases(weights):
    rng = np.random.default_rng(11)
    parts = [cases(rng, 300, weights) for _ in range(3)]
    whole = tm.RankingTable.from_arrays(
        **{name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    )
    binned = tm.BinnedTable.joined([tm.BinnedTable.from_arrays(**part, bins=20) for part in parts])
    wanted, summed = collected(whole, sums_of_loss(squared_error))[1], binned.sums_of(squared_error)
    moved = summed.about(wanted.centre)
    factor = (moved.unit / wanted.unit) ** np.arange(5)
    np.testing.assert_allclose((moved.sums * factor)[:2], wanted.sums[:2], rtol=1e-10, atol=1e-10)
    assert summed.total == pytest.approx(float(tm.measures.brier_score(whole)) * whole.total)


def test_a_factor_of_the_weights_is_that_of_the_cases():
    arrays = cases(np.random.default_rng(12), 500, WEIGHTS["fractions"])
    binned = tm.BinnedTable.from_arrays(**arrays, bins=16).scaled(2.0, 0.5)
    factor = np.where(arrays["truth"], 2.0, 0.5)
    other = tm.BinnedTable.from_arrays(**{**arrays, "weight": arrays["weight"] * factor}, bins=16)
    for mine, wanted in zip(binned._bins[:4], other._bins[:4], strict=True):
        np.testing.assert_allclose(mine, wanted)
    np.testing.assert_allclose(binned.squares, other.squares)
    np.testing.assert_allclose(binned.losses["log_error"].sums, other.losses["log_error"].sums, atol=1e-9)


# Merging
# -------------------------------------------------------------------------------------------------------


def parts_of(rng, whole):
    tables = adversarial.tables(rng, 4, 0, whole)
    return [tables.binned(row) for row in range(4)]


@for_each("kind", ["count", "importance"])
def test_a_table_times_a_number_has_the_losses_of_its_cases(kind):
    truth, score, weight = [1, 0, 1, 0, 1], [0.9, 0.8, 0.55, 0.3, 0.2], [1, 2, 1, 3, 2]
    given = {"truth": truth, "score": score, "weight_kind": kind}
    table = tm.BinnedTable.from_arrays(**given, weight=weight, bins=4)
    thrice = tm.evaluate(table.repeated(3)), tm.evaluate(table + table + table)
    larger = [
        tm.evaluate(one)
        for one in (table * 3, tm.BinnedTable.from_arrays(**given, weight=3 * np.array(weight), bins=4))
    ]
    for one, other in (thrice, larger):
        found, wanted = ((e.value, e.low, e.high) for e in (one["log_loss"], other["log_loss"]))
        assert found == pytest.approx(wanted, rel=1e-9)


@for_each("whole", [True, False])
def test_merges_are_the_same_in_any_order_and_nesting(whole):
    parts = parts_of(np.random.default_rng(13), whole)
    first = tm.BinnedTable.joined(parts)
    for order in permutations(parts):
        a, b, c, d = order
        for other in (tm.BinnedTable.joined(order), ((a + b) + c) + d, (a + b) + (c + d), a + (b + (c + d))):
            assert all(map(np.array_equal, (first.low, first.high), (other.low, other.high)))
            if whole:
                assert other == first
            for mine, others in zip(first._bins[2:4], other._bins[2:4], strict=True):
                np.testing.assert_allclose(mine, others, rtol=SAME)


def test_sums_begin_with_nothing_and_take_ranking_tables():
    arrays = cases(np.random.default_rng(14))
    table = tm.RankingTable.from_arrays(**arrays)
    binned = tm.BinnedTable.from_table(table)
    assert sum([binned]) == binned == tm.BinnedTable.from_table(tm.RankingTable.empty()) + binned
    assert (binned + table).ranking == table + table == (table + binned).ranking


def test_nothing_joined_is_an_empty_table():
    assert len(tm.BinnedTable.joined([])) == 0


def test_sums_of_losses_of_another_shape_are_refused():
    plain = tm.BinnedTable.from_arrays(truth=[0, 1, 1], score=[0.2, 0.4, 0.9]).to_dict()
    for sums, code in (
        ({"log_error": {"centre": [0, 0], "sums": [[1]], "unit": 1}}, "wrong-shape"),
        ({"log_err": plain["losses"]["log_error"]}, "unknown-name"),
    ):
        with pytest.raises(tm.InputError) as error:
            tm.BinnedTable.from_dict({**plain, "losses": sums})
        assert error.value.code == code


def test_tables_of_other_scores_are_refused():
    double = tm.BinnedTable([0.1], [0.2], [1], [1])
    for other in (
        tm.BinnedTable(np.float32([0.1]), np.float32([0.2]), [1], [1]),
        tm.BinnedTable([0.1], [0.2], [1], [1], logits=True),
    ):
        with pytest.raises(tm.InputError) as error:
            double + other
        assert error.value.code == "mismatch"


# Joining bins
# -------------------------------------------------------------------------------------------------------


@for_each("weights", WEIGHTS.values(), ids=list(WEIGHTS))
@for_each("bins", [4, 16, 17, 100, 500])
def test_at_most_so_many_bins_hold_the_same_cases(bins, weights):
    arrays = cases(np.random.default_rng(15), 3000, weights)
    exact = tm.RankingTable.from_arrays(**arrays)
    binned = tm.BinnedTable.from_table(exact).compact(bins)
    assert len(binned) <= bins
    assert len(binned) >= min(bins, len(exact)) * 0.6
    assert (binned.positives, binned.negatives) == pytest.approx((exact.positives, exact.negatives))
    counts = binned.counts_at(0.5), exact.counts_at(0.5)
    np.testing.assert_allclose(*([one.tp, one.fp, one.fn, one.tn] for one in counts))
    for name in ("roc_auc", "average_precision", "kolmogorov_smirnov", "partial_auc", "bedroc"):
        entry = tm.measures.__getattr__(name)
        low, high = entry.bounds_of(binned)
        assert low - SAME <= entry(exact) <= high + SAME
    low, high = tm.measures.roc_auc.bounds_of(binned)
    assert high - low <= 4 / bins


def test_bounds_of_joined_bins_contain_those_before():
    rng = np.random.default_rng(16)
    some = [tm.BinnedTable.from_arrays(**cases(rng), bins=60) for _ in range(4)]
    binned = tm.BinnedTable.joined(some)
    for bins in (200, 100, 50, 10):
        before = {entry.name: entry.bounds_of(binned) for entry in BY_CURVE}
        binned = binned.compact(bins)
        for entry in BY_CURVE:
            (low, high), (a, b) = before[entry.name], entry.bounds_of(binned)
            assert a - SAME <= low <= high <= b + SAME, entry.name


def test_parts_that_are_joined_keep_many_thresholds_with_exact_counts():
    rng = np.random.default_rng(24)
    parts = [tm.BinnedTable.from_arrays(**cases(rng, 20_000), bins=100) for _ in range(8)]
    assert len(tm.BinnedTable.joined(parts).ranking) > 30


def test_bounds_of_a_table_joined_again_and_again_are_nearly_as_narrow():
    rng = np.random.default_rng(25)
    exact, running = tm.RankingTable.empty(), tm.BinnedTable.from_table(tm.RankingTable.empty())
    for _ in range(30):
        part = tm.RankingTable.from_arrays(truth=(truth := rng.random(1000) < 0.2), score=rng.normal(truth))
        exact, running = exact + part, (running + part).compact(200)
    once = tm.BinnedTable.from_table(exact).compact(200)
    width = [float(np.diff(tm.measures.roc_auc.bounds_of(one))[0]) for one in (running, once)]
    assert width[0] < 2 * width[1]


def test_neighbours_of_one_class_are_joined_first():
    rng = np.random.default_rng(17)
    score = rng.permutation(1000) / 1000
    truth = (score * 20).astype(int) % 2 == 0
    exact = tm.RankingTable.from_arrays(truth=truth, score=score)
    binned = tm.BinnedTable.from_table(exact).compact(100)
    assert len(binned) <= 100
    assert binned.exact
    assert not binned.single
    for entry in BY_CURVE:
        if not entry.needs_probabilities and entry.loss is None:
            value = entry(exact)
            assert entry.bounds_of(binned) == pytest.approx((value, value), rel=SAME), entry.name
    assert max(binned.high - binned.low) < 0.02  # a run has 50 scores: no longer than necessary


def test_a_heavy_score_of_both_classes_stays_alone():
    rng = np.random.default_rng(18)
    score = np.concatenate([np.full(5000, 0.37), rng.random(5000)])
    truth = rng.random(10_000) < 0.4
    binned = tm.BinnedTable.from_arrays(truth=truth, score=score, bins=32)
    at = np.flatnonzero((binned.low <= 0.37) & (binned.high >= 0.37))
    assert binned.low[at].tolist() == binned.high[at].tolist() == [0.37]
    assert binned.positive[at][0] == truth[:5000].sum()


def test_counts_are_exact_at_edges_and_refused_inside_bins():
    arrays = cases(np.random.default_rng(19))
    exact = tm.RankingTable.from_arrays(**arrays)
    binned = tm.BinnedTable.from_arrays(**arrays, bins=30, edges=(0.2, 0.35, 0.5))
    for threshold in (0.2, 0.35, 0.5, -1.0, 2.0, np.inf):
        assert binned.counts_at(threshold) == exact.counts_at(threshold)
    inside = [(a + b) / 2 for a, b in zip(binned.low, binned.high, strict=True) if a < b][5]
    with refuses("no-result", argument="threshold") as error:
        binned.counts_at(inside)
    assert error.value.code == "no-result"
    near = [float(word) for word in error.value.remedy.replace(",", " ").split() if word[0].isdigit()]
    assert len(near) == 2
    assert near[1] < inside <= near[0]
    for threshold in near:
        assert binned.counts_at(threshold) == exact.counts_at(threshold)
    parts = tm.BinnedTable.from_arrays(**arrays, bins=30) + tm.BinnedTable.from_arrays(**arrays, bins=20)
    assert parts.compact(12).counts_at(0.5) == (exact + exact).counts_at(0.5)


def test_ranking_has_exact_counts_at_each_of_its_thresholds():
    rng = np.random.default_rng(20)
    one, other = cases(rng), cases(rng)
    exact = tm.RankingTable.from_arrays(**one) + tm.RankingTable.from_arrays(**other)
    binned = tm.BinnedTable.from_arrays(**one, bins=50) + tm.BinnedTable.from_table(
        tm.RankingTable.from_arrays(**other)
    )
    assert len(binned.ranking) > 10
    for threshold in binned.ranking.score:
        assert binned.ranking.counts_at(threshold) == exact.counts_at(threshold)


# Input and output
# -------------------------------------------------------------------------------------------------------


def test_written_and_read():
    for arrays in (
        cases(np.random.default_rng(21)),
        cases(np.random.default_rng(21), weights=WEIGHTS["fractions"]),
    ):
        binned = tm.BinnedTable.from_arrays(**arrays, bins=20)
        for other in (tm.BinnedTable.from_json(binned.to_json()), pickle.loads(pickle.dumps(binned))):
            assert other == binned
            assert tm.measures.log_loss.bounds_of(other) == tm.measures.log_loss.bounds_of(binned)
    ends = tm.BinnedTable([-np.inf], [np.inf], [1], [2], logits=True)
    assert tm.BinnedTable.from_dict(ends.to_dict()) == ends


@for_each(
    "arrays, code",
    [
        (([0.3], [0.2], [1], [1]), "invalid-value"),
        (([0.1, 0.2], [0.2], [1], [1]), "wrong-shape"),
        (([0.1], [np.nan], [1], [1]), "missing-value"),
        (([0.1], [0.2], [-1], [1]), "invalid-value"),
        (([0.1], [0.2], [1], [1], None, 3), "wrong-shape"),
        (([0.1], [0.2], [1], [1], None, {"squared_error": 1}), "wrong-shape"),
    ],
)
def test_wrong_arrays_are_refused(arrays, code):
    with pytest.raises(tm.InputError) as error:
        tm.BinnedTable(*arrays)
    assert error.value.code == code


def test_a_threshold_of_negated_scores_is_refused_in_the_units_of_the_user():
    turned = tm.BinnedTable([0.25, 0.6], [0.31, 0.7], [5, 5], [5, 5]).turned()
    with refuses("no-result", "0.3", "0.25", "0.31", argument="threshold") as error:
        turned.counts_at(0.3, -1)
    assert "-" not in error.value.problem
    assert error.value.remedy.endswith("take 0.31")


def test_lower_scores_as_positive():
    arrays = cases(np.random.default_rng(22))
    turned = tm.BinnedTable.from_arrays(**arrays, bins=40).turned()
    exact = tm.RankingTable.from_arrays(**arrays).turned()
    low, high = tm.measures.roc_auc.bounds_of(turned)
    assert low <= tm.measures.roc_auc(exact) <= high
    assert low == pytest.approx(1 - tm.measures.roc_auc.bounds_of(turned.turned())[1])
