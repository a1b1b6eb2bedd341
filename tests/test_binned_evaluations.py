"""Evaluations of scores in bins: bounds and intervals hold those of the cases, wherever they are shown; what
needs each score is refused."""

import json
import pickle
from math import isnan

import numpy as np
import polars as pl
import pytest
from looping import for_each
from refusals import refuses

import tallymark as tm
from tallymark import BinaryEvaluation, BinnedTable, Counts, InputError, RankingTable, evaluate

RANDOM = np.random.default_rng(38)
N = 4_000
TRUTH = RANDOM.random(N) < 0.3
SCORE = 1 / (1 + np.exp(1 - 1.2 * TRUTH - RANDOM.normal(size=N)))
TABLE = RankingTable.from_arrays(truth=TRUTH, score=SCORE)
WHOLE = BinnedTable.from_table(TABLE)
COARSE, MIDDLE, FINE = (WHOLE.compact(bins) for bins in (64, 1_000, 3_000))  # some 2,000 runs of one class
EXACT = evaluate(TABLE)
SUMS = ("brier_score", "root_mean_squared_error", "log_loss", "brier_skill_score", "nagelkerke_r2",
        "discrimination_slope", "observed_expected_ratio", "balanced_cross_entropy")  # fmt: skip
ENDS = ("value", "low", "high", "standard_error")


def weighted(table, factor):
    """The table with importance weights."""
    p, n = table.positive * factor, table.negative * factor
    return RankingTable(table.score, p, n, (p * factor, n * factor))


def drawn(rng):
    """A small table, and overlapping bins of it."""
    n, levels = int(rng.integers(4, 60)), int(rng.choice([2, 5, 40, 10**6]))
    score = np.floor(rng.random(n) * levels) / levels
    truth = rng.random(n) < np.where(rng.random() < 0.5, score, 1 - score)  # curves below the diagonal, too
    truth[:2] = 0, 1
    parts = np.array_split(rng.permutation(n), int(rng.integers(1, 4)))
    tables = [
        RankingTable.from_arrays(truth=truth[some], score=score[some], classes=[False, True])
        for some in parts
    ]
    bins = int(rng.integers(4, 9))
    return RankingTable.from_arrays(truth=truth, score=score), BinnedTable.joined(
        [BinnedTable.from_table(one).compact(bins) for one in tables]
    )


# Values
# --------------------------------------------------------------------------------------------------


def test_bins_of_one_score_give_the_figures_of_the_cases():
    result = evaluate(WHOLE)
    for name in (
        *SUMS,
        "roc_auc",
        "average_precision",
        "calibration_slope",
        "expected_calibration_error",
        "f1",
    ):
        assert result[name] == EXACT[name]
        assert result[name].bounds is None
    first, *others = result.notices
    assert (first.code, first["bins"], first["exact"]) == ("scores-in-bins", len(TABLE), True)
    assert tuple(others) == EXACT.notices
    assert result[["roc_auc"]].to_dict()["binned"] == {"bins": len(TABLE), "exact": True}


@pytest.mark.full
@for_each("bins", [COARSE, MIDDLE])
def test_bounds_and_intervals_hold_the_figures_of_the_cases(bins):
    result = evaluate(bins)
    assert result.counts == EXACT.counts
    bounded = [name for name, one in result.items() if one.bounds is not None]
    assert {"roc_auc", "gini", "youden_j_max", "average_precision", "kolmogorov_smirnov"} <= set(bounded)
    for name in bounded:
        one, true = result[name], EXACT[name]
        assert one.bounds[0] <= true.value <= one.bounds[1], name
        assert one.value == pytest.approx(sum(one.bounds) / 2, abs=1e-15), name
        if one.has_interval:
            assert one.low <= one.bounds[0] <= one.bounds[1] <= one.high or name == "auch", name
    auc = result["roc_auc"]
    assert auc.low < EXACT["roc_auc"].low < EXACT["roc_auc"].high < auc.high
    assert (
        auc.high - auc.low
        < 1.001 * (EXACT["roc_auc"].high - EXACT["roc_auc"].low) + auc.bounds[1] - auc.bounds[0]
    )


@for_each("weights", ["none", "importance", "equal"])
@for_each("name", SUMS)
def test_mean_losses_are_exact(weights, name):
    factor = {"none": None, "importance": 0.5 + RANDOM.random(len(TABLE)), "equal": np.full(len(TABLE), 2.5)}[
        weights
    ]
    table = TABLE if factor is None else weighted(TABLE, factor)
    true, result = evaluate(table)[name], evaluate(BinnedTable.from_table(table).compact(64))[name]
    assert result.bounds is None
    assert [getattr(result, end) for end in ENDS] == pytest.approx(
        [getattr(true, end) for end in ENDS], rel=1e-8
    )


def test_without_sums_mean_losses_have_bounds():
    result = evaluate(BinnedTable(COARSE.low, COARSE.high, COARSE.positive, COARSE.negative))
    for name in ("brier_score", "log_loss", "mean_absolute_error"):
        low, high = result[name].bounds
        assert low <= EXACT[name].value <= high


def test_measures_without_bounds_are_undefined_and_say_why():
    result = evaluate(COARSE)
    for name in ("equal_error_rate_nearest", "calibration_slope", "expected_calibration_error"):
        assert isnan(result[name].value)
        assert result[name].undefined.code == "no-bounds"
        assert "RankingTable" in result[name].undefined.text


def test_a_bin_of_an_infinite_score_has_no_width():
    e = evaluate(BinnedTable([0.1, np.inf], [0.5, np.inf], [20, 5], [10, 1]), threshold=0.1)
    assert next(one for one in e.notices if one.code == "scores-in-bins")["reach"] == 0.2


@pytest.mark.full
def test_all_measures_say_each_reason_once():
    e = evaluate(COARSE)
    shown = " ".join(str(e.all).split("\nEvery measure\n")[1].split())
    assert shown.count("since it depends on each score") == 1
    assert shown.count("since it jumps from one threshold to another") == 1
    for result in e.estimates.values():
        codes = [note.code for note in result.notes]
        assert len(codes) == len(set(codes))


@pytest.mark.full
def test_the_intervals_of_small_overlapping_tables_hold_those_of_the_cases():
    """Of measures whose bounds are those of the two orders, the interval moves with the value."""
    rng = np.random.default_rng(1)
    for number in range(60):
        table, bins = drawn(rng)
        true, result = (evaluate(one, threshold=0.0) for one in (table, bins))
        for name in ("roc_auc", "gini", "average_precision", "kolmogorov_smirnov", "youden_j_max"):
            one, real = result[name], true[name]
            if one.undefined:
                continue
            low, high = one.bounds or (one.value, one.value)
            assert low - 1e-12 <= real.value <= high + 1e-12, (number, name)
            if name in ("roc_auc", "gini") and one.has_interval and real.has_interval:
                assert one.low <= real.low + 1e-12, (number, name)
                assert real.high <= one.high + 1e-12, (number, name)


def test_lower_scores_may_mean_positive():
    result, true = (evaluate(one, higher_is_positive=False, threshold=0.5) for one in (COARSE, TABLE))
    low, high = result["roc_auc"].bounds
    assert low < true["roc_auc"].value < high
    assert result.counts == true.counts


def test_logits_are_known_as_such():
    logits = np.log(SCORE) - np.log1p(-SCORE)
    table = tm.LogitTable.from_arrays(truth=TRUTH, score=logits)
    result, true = evaluate(BinnedTable.from_table(table).compact(64, edges=(0.0,))), evaluate(table)
    assert result.score_kind == "logit"
    assert result.counts == true.counts
    assert result["log_loss"].value == pytest.approx(true["log_loss"].value, rel=1e-12)


# Where they are shown
# --------------------------------------------------------------------------------------------------


@for_each("bins", [COARSE, MIDDLE, FINE])
def test_text_shows_bounds_where_they_matter_at_the_digits_printed(bins):
    e = evaluate(bins)
    text = str(e)
    low, high = (f"{one:.3f}" for one in e["roc_auc"].between)
    shown = low if low == high else f"{low} to {high}"
    assert text.startswith(f"ROC AUC {shown} [")
    row = next(row for row in text.split("\nmeasure ")[1].splitlines() if "ROC AUC" in row)
    assert shown in row
    assert (" to " in row) == (bins is not FINE)
    assert "[scores-in-bins]" in text
    assert f"{len(bins):,} bins" in text


def test_notices_name_the_way_out_and_show_bounds():
    """What the probabilities add up to is exact, though the scores are not known."""
    e = evaluate(BinnedTable.from_arrays(truth=TRUTH, score=SCORE**0.5, bins=64))
    true = evaluate(RankingTable.from_arrays(truth=TRUTH, score=SCORE**0.5))
    bins, shift = (
        [one for one in e.notices if one.code == code] for code in ("scores-in-bins", "overestimation")
    )
    assert all(way in bins[0].text for way in ("bins=", "tolerance="))
    low, high = e["calibration_in_the_large"].bounds
    assert shift[0]["bounds"] == [low, high]
    assert f"{low:.3f} to {high:.3f}" in shift[0].text
    assert shift[0]["expected"] == pytest.approx(float((SCORE**0.5).sum()))
    assert low < true["calibration_in_the_large"].value < high


def test_a_second_number_in_a_line_has_bounds_too():
    e = evaluate(BinnedTable(*(getattr(COARSE, name) for name in BinnedTable.ENTRIES)))
    skill, shift = (e[name].bounds for name in ("brier_skill_score", "calibration_in_the_large"))
    text = str(e)
    assert f"skill {skill[0]:.3f} to {skill[1]:.3f}" in text
    assert f"in the large {shift[0]:.3f} to {shift[1]:.3f}" in str(evaluate(COARSE)[["calibration_slope"]])
    assert all(len(line) <= 80 for line in text.splitlines())


@pytest.mark.full
@for_each("form", ["markdown", "latex", "html", "all"])
def test_every_form_shows_the_bounds_and_that_there_are_bins(form):
    e = evaluate(COARSE)
    text = {"markdown": e.to_markdown, "latex": e.to_latex, "html": e.to_html, "all": lambda: str(e.all)}[
        form
    ]()
    low, high = e["roc_auc"].bounds
    assert f"{low:.3f} to {high:.3f}" in text
    # tables for articles have severe notices alone
    assert ("64 bins" in " ".join(text.split())) == (form in ("html", "all"))


@pytest.mark.full
def test_json_and_frames_hold_the_bounds():
    e = evaluate(COARSE)
    plain = json.loads(e.to_json())
    assert plain["measures"]["roc_auc"]["bounds"] == list(e["roc_auc"].bounds)
    assert "bounds" not in plain["measures"]["brier_score"]
    assert "pairs" not in plain
    again = BinaryEvaluation.from_json(e.to_json())
    assert again["roc_auc"] == e["roc_auc"]
    assert str(again).splitlines()[0] == str(e).splitlines()[0]
    frame = e.to_frame().set_index("measure")
    assert tuple(frame.loc["roc_auc", ["lower_bound", "upper_bound"]]) == e["roc_auc"].bounds
    assert frame.loc["brier_score", ["lower_bound", "upper_bound"]].isna().all()
    assert "lower_bound" not in EXACT.to_frame()
    assert dict(pickle.loads(pickle.dumps(e))) == dict(e)


# Verbs
# --------------------------------------------------------------------------------------------------


def test_thresholds_between_bins_have_exact_counts_and_others_are_refused():
    e = evaluate(COARSE)
    edge = float(COARSE.low[len(COARSE) // 3])
    assert e.at(edge).counts == TABLE.counts_at(edge)
    inside = float(COARSE.high[len(COARSE) // 3])
    with refuses("no-result", argument="threshold") as refused:
        e.at(inside)
    assert refused.value.code == "no-result"
    assert str(edge) in str(refused.value)
    two = BinnedTable([0.2, 0.6], [0.4, 0.9], [5, 2], [5, 3])
    with refuses("no-result", "0.3", "0.2", "0.4", argument="threshold"):
        evaluate(two, higher_is_positive=False, threshold=0.3)
    with refuses("no-result", "0.5", argument="threshold"):
        evaluate(BinnedTable([0.2], [0.9], [5], [5]))
    assert evaluate(BinnedTable([0.2], [0.9], [5], [5]), threshold=0.1)["sensitivity"].value == 1


def test_rules_choose_among_thresholds_with_exact_counts():
    for result in (
        evaluate(COARSE, rule="youden"),
        tm.choose_threshold(evaluate(COARSE), rule="youden").evaluation,
    ):
        assert result.counts == TABLE.counts_at(result.limit)
        assert result["sensitivity"].has_interval
    assert tm.choose_threshold(COARSE, rule="sensitivity>=0.9").evaluation["sensitivity"].value >= 0.9


@pytest.mark.full
def test_curves_points_and_pages_are_of_the_ranking_of_the_bins(tmp_path):
    e = evaluate(COARSE)
    for name in ("roc", "pr", "gain", "decision"):
        assert len(e.curve(name).x)
    assert len(e.operating_points().table) == len(e.ranking) + 1
    assert tm.at_prevalence(e, prevalence=0.1)["precision"].has_interval
    assert tm.advise(e).items
    e.save(tmp_path / "page.html")
    assert "64 bins" in (tmp_path / "page.html").read_text()


def test_calibration_takes_the_middles_of_the_bins():
    table = RankingTable.from_arrays(truth=TRUTH[:300], score=SCORE[:300])
    whole, result = (
        tm.calibration(evaluate(one)) for one in (table, BinnedTable.from_table(table).compact(200))
    )
    for name in ("calibration_slope", "calibration_in_the_large", "expected_calibration_error"):
        assert result[name].value == pytest.approx(whole[name].value, abs=1e-3)
    assert "middle" in str(result)
    assert "middle" not in str(whole)


def test_requirements_are_on_the_hull_and_on_the_less_favourable_bound():
    e = evaluate(COARSE)
    low, high = e["roc_auc"].bounds
    for requirement, passed in (
        (f"roc_auc.value >= {low - 1e-6}", True),
        (f"roc_auc.value >= {(low + high) / 2}", False),
        (f"roc_auc.value <= {(low + high) / 2}", False),
        (f"roc_auc.value <= {high + 1e-6}", True),
        (f"roc_auc >= {low - 1e-6}", False),
        (f"roc_auc >= {e['roc_auc'].low - 1e-6}", True),
        (f"roc_auc.low >= {e['roc_auc'].low - 1e-6}", True),
        (f"roc_auc.low >= {e['roc_auc'].low + 1e-6}", False),
        ("calibration_slope >= 0", False),
    ):
        assert tm.check(e, require=requirement).passed == passed, requirement
        assert tm.check(COARSE, require=requirement).passed == passed, requirement


@for_each(
    "call",
    [
        tm.bootstrap,
        tm.mann_whitney,
        lambda e: tm.unscored(e, share=0.1),
        lambda e: tm.compare(e, OTHER, method="bootstrap"),
        lambda e: tm.compare(e, OTHER, method="delong", measures="roc_auc"),
        lambda e: tm.compare(e, OTHER, paired=True),
        lambda e: tm.compare(e, e),
        lambda e: evaluate(COARSE, clusters=np.arange(N)),
        lambda e: tm.bootstrap(COARSE),
        lambda e: tm.biometric(COARSE),
    ],
)
def test_what_needs_each_case_is_refused_in_a_sentence(call):
    with pytest.raises(InputError) as refused:
        call(evaluate(COARSE))
    assert "\n" not in str(refused.value)
    assert str(refused.value).count(". ") == 0
    assert refused.value.code != "needed"


# Comparisons
# --------------------------------------------------------------------------------------------------

OTHER_TRUTH = TRUTH[:3_000]
OTHER_TABLE = RankingTable.from_arrays(truth=OTHER_TRUTH, score=(SCORE[:3_000] + RANDOM.random(3_000)) / 2)
OTHER = BinnedTable.from_table(OTHER_TABLE).compact(64)


@for_each("pair", [(COARSE, OTHER), (COARSE, OTHER_TABLE), (TABLE, OTHER), (OTHER, COARSE)])
def test_the_difference_of_unpaired_evaluations_has_bounds(pair):
    tables = [{id(COARSE): TABLE, id(OTHER): OTHER_TABLE}.get(id(one), one) for one in pair]
    result = tm.compare(*map(evaluate, pair), measures=["roc_auc", "brier_score", "sensitivity"])
    true = tm.compare(*map(evaluate, tables), measures=["roc_auc", "brier_score", "sensitivity"])
    one, real = result.differences[0], true.differences[0]
    low, high = one.estimate.bounds
    assert low < real.value < high
    assert one.low < real.low
    assert real.high < one.high
    assert one.p_value >= real.p_value
    assert one.interval(0.99)[0] < real.interval(0.99)[0]
    assert one.p_at(one.value) == one.p_at(low) == 1
    assert one.p_at(one.low) == pytest.approx(0.05)
    for exact, same in zip(result.differences[1:], true.differences[1:], strict=True):
        assert exact.estimate.bounds is None
        assert exact.value == pytest.approx(same.value, abs=1e-12)
    words = f"{low:+.3f} to {high:+.3f}"
    assert words in str(result)
    assert json.loads(result.to_json())["differences"][0]["bounds"] == [low, high]


def test_a_baseline_may_be_in_bins():
    result = tm.check(evaluate(COARSE), baseline=evaluate(OTHER), measures="roc_auc", no_worse_than=0.2)
    assert result.passed
    assert result.findings[0].estimate.bounds is not None


# Odd tables
# --------------------------------------------------------------------------------------------------


def test_odd_tables():
    with refuses("empty", argument="data"):
        evaluate(BinnedTable([], [], [], []))
    one = evaluate(BinnedTable([0.2, 0.6], [0.4, 0.9], [3, 0], [0, 0]))
    assert isnan(one["roc_auc"].value)
    assert one["sensitivity"].value == 0
    huge = evaluate(BinnedTable([0.0], [1.0], [50], [50]), threshold=0.0)
    assert huge["roc_auc"].bounds == (0, 1)
    assert huge["d_prime"].undefined.code == "unbounded"
    assert "0.000 to 1.000" in str(huge)
    for wrong in (
        {"level": 1.5},
        {"positive": 1},
        {"truth": TRUTH},
        {"threshold": "a"},
        {"score_kind": "logit"},
    ):
        with pytest.raises(InputError):
            evaluate(COARSE, **wrong)
    beyond = BinnedTable([0.5, 0.0], [1.5, 0.4], [5, 5], [5, 5])
    assert not evaluate(beyond, threshold=0.5).probabilities
    assert evaluate(COARSE, threshold=-1.0).counts == Counts(tp=TRUTH.sum(), fp=N - TRUTH.sum(), fn=0, tn=0)


def test_at_a_common_mix_bins_are_weighted_as_cases_are():
    """Half of the negatives make another class mix."""
    part = TRUTH | (np.arange(N) % 2 == 0)
    table = RankingTable.from_arrays(truth=TRUTH[part], score=SCORE[part])
    names = ["roc_auc", "average_precision", "brier_score"]
    bins = BinnedTable.from_table(table).compact(200)
    result, true = (
        tm.compare(*map(evaluate, pair), measures=names) for pair in ((COARSE, bins), (TABLE, table))
    )
    assert "class-mix-differs" in [one.code for one in result.notices]
    for one, real in zip(result.differences, true.differences, strict=True):
        notes = (
            [note for note in each.estimate.notes if note.code == "at-common-mix"] for each in (one, real)
        )
        for note, exact in zip(*notes, strict=True):  # as many of both
            assert note["value"] == pytest.approx(exact["value"], abs=0.02)
            assert note["low"] <= exact["low"] + 1e-12
            assert note["high"] >= exact["high"] - 1e-12


def test_differences_of_groups_in_bins_have_bounds():
    frame = pl.DataFrame({"y": TRUTH, "p": SCORE, "g": np.where(np.arange(N) % 3, "a", "b")})
    columns = {"truth": "y", "score": "p", "by": "g"}
    result, true = evaluate(frame.lazy(), bins=300, **columns), evaluate(frame, **columns)
    for one, real in zip(result.differences.found, true.differences.found, strict=True):
        low, high = one.estimate.between
        assert low <= real.estimate.value <= high
        assert one.estimate.low <= low <= high <= one.estimate.high
        if one.measure == "roc_auc":
            assert low < high
            assert one.estimate.low < real.estimate.low < real.estimate.high < one.estimate.high
    low, high = result.differences.found[0].estimate.between
    assert f"{low:+.3f} to {high:+.3f}" in str(result)
