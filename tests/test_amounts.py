"""Measures that relate predicted amounts to the actual ones: two oracles each, laws, and their intervals."""

import json
import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st
from looping import for_each
from refusals import refuses
from scipy import stats

import tallymark as tm
from tallymark import InputError, Residuals, Settings, compare, estimate, evaluate
from tallymark.cli import main
from tallymark.measures.registry import find, get

ORACLES = Path(__file__).parent / "oracles"
STORED = json.loads((ORACLES / "amounts.json").read_text())
JACKKNIFE = ("r2", "explained_variance", "correlation", "absolute_error_skill_score")
NEW = ("mean_error", "median_absolute_error", "largest_error", *JACKKNIFE)
AMOUNTS = st.integers(-40, 40).map(lambda value: value / 8)
RANDOM = np.random.default_rng(5)
N = 80
TRUTH = RANDOM.gamma(2.0, size=N)
PREDICTED = TRUTH + RANDOM.normal(0.1, 0.5, N)
WEIGHT = RANDOM.lognormal(0, 0.6, N)


def of(truth, predicted, **given):
    return Residuals.from_arrays(truth=truth, predicted=predicted, **given)


def value(name, *columns, **given):
    return get(name, Residuals)(of(*columns, **given), undefined=math.nan)


def stored():
    for data, tools in STORED["values"].items():
        for tool, values in tools.items():
            for key, number in values.items():
                yield data, tool, key, number


# Values
# --------------------------------------------------------------------------------------------------


@for_each(("data", "tool", "key", "number"), [row for row in stored() if " " not in row[2]])
def test_values_are_those_of_other_tools(data, tool, key, number):
    columns = dict(STORED["datasets"][data])
    name, weighted = key.removesuffix("_weighted"), key.endswith("_weighted")
    weight = columns.pop("weight")
    found = of(**columns, weight=weight if weighted else None)
    assert get(name, Residuals)(found) == pytest.approx(number, rel=1e-9, abs=1e-9)


def test_every_new_measure_has_two_oracles():
    keys = {(tool, key.removesuffix("_weighted")) for _, tool, key, _ in stored()}
    lacking = {name for name in NEW if len([1 for _, key in keys if key == name]) < 2}
    # their second source is brute force, below
    assert lacking == {"correlation", "absolute_error_skill_score", "mean_error"} - {
        key for _, key in keys if len([1 for _, one in keys if one == key]) > 1
    }


@for_each("data", STORED["datasets"])
def test_the_squared_correlation_is_r2_of_a_fitted_line(data):
    columns = STORED["datasets"][data]
    found = value("correlation", columns["truth"], columns["predicted"])
    assert found**2 == pytest.approx(STORED["values"][data]["statsmodels"]["squared correlation"], rel=1e-9)


@given(st.lists(st.tuples(AMOUNTS, AMOUNTS, st.integers(1, 4)), min_size=2, max_size=20))
def test_values_by_brute_force(cases):
    truth, predicted, weight = map(np.array, zip(*cases, strict=True))
    t, p = np.repeat(truth, weight), np.repeat(predicted, weight)
    e = p - t
    close = lambda number: pytest.approx(number, rel=1e-9, abs=1e-9)  # noqa: E731
    found = {name: value(name, truth, predicted, weight=weight) for name in NEW}
    assert found["mean_error"] == close(e.mean())
    assert found["largest_error"] == max(abs(e))
    assert found["median_absolute_error"] == np.median(abs(e))
    if np.ptp(truth) == 0:
        assert all(math.isnan(found[name]) for name in JACKKNIFE)
        return
    off = t - t.mean()
    assert found["r2"] == close(1 - (e @ e) / (off @ off))
    assert found["explained_variance"] == close(1 - e.var() / t.var())
    assert found["absolute_error_skill_score"] == close(1 - abs(e).sum() / abs(off).sum())
    assert math.isnan(found["correlation"]) == (np.ptp(predicted) == 0)
    if np.ptp(predicted):
        assert found["correlation"] == close(np.corrcoef(t, p)[0, 1])


@for_each("name", JACKKNIFE)
def test_neither_the_unit_nor_the_origin_matters(name):
    plain = value(name, TRUTH, PREDICTED)
    for factor, shift in ((1e-200, 0.0), (1e90, 0.0), (3.0, 1e4), (-2.0, 5.0)):
        assert value(name, factor * TRUTH + shift, factor * PREDICTED + shift) == pytest.approx(
            plain, rel=1e-9
        )


def test_amounts_as_far_apart_as_there_are_do_not_overflow():
    truth = np.array([-1.7e308, 1.7e308, 0.0, 1.0])
    assert value("r2", truth, [-1.7e308, 1.7e308, 1.0, 0.0]) == 1.0
    assert value("correlation", truth, truth) == 1.0


def test_predicting_the_mean_has_no_skill():
    mean = np.full(N, TRUTH.mean())
    assert value("r2", TRUTH, mean) == pytest.approx(0, abs=1e-12)
    assert value("absolute_error_skill_score", TRUTH, mean) == pytest.approx(0, abs=1e-12)
    assert math.isnan(value("correlation", TRUTH, mean))  # though its sum with each error is rounded


def test_only_the_errors_are_known():
    bare = Residuals([-1, 0.5], [1, 2])
    assert tm.measures.largest_error(bare) == 1
    for name in JACKKNIFE:
        found = estimate(name, bare)
        assert "not known" in found.undefined.text


@given(
    st.lists(st.tuples(AMOUNTS, AMOUNTS, st.integers(1, 4)), min_size=1, max_size=12),
    st.lists(st.tuples(AMOUNTS, AMOUNTS, st.integers(1, 4)), min_size=1, max_size=12),
)
def test_sums_of_parts_are_those_of_the_whole(one, other):
    """Merge laws, to the bit."""

    def summary(cases):
        truth, predicted, weight = zip(*cases, strict=True)
        return of(truth, predicted, weight=weight)

    whole, added = summary(one + other), summary(one) + summary(other)
    assert added == summary(other) + summary(one) == whole
    for part in ("total", "squared_error", "absolute_error", "of_truth", "of_predicted", "of_error"):
        if whole.spread_of_truth and whole.spread_of_predicted:
            assert getattr(added.sums, part) == getattr(whole.sums, part)


# Intervals
# --------------------------------------------------------------------------------------------------


def scaled(name, number):
    return np.arctanh(number) * 2 if name == "correlation" else -np.log(1 - number)


@for_each("name", JACKKNIFE)
def test_the_jackknife_by_leaving_out_each_case(name):
    """Value by value, of as many cases as the weights say."""
    weight = RANDOM.integers(1, 4, N)
    rows = np.repeat(np.arange(N), weight)
    n = len(rows)
    without = [value(name, TRUTH[np.delete(rows, i)], PREDICTED[np.delete(rows, i)]) for i in range(n)]
    found = estimate(name, of(TRUTH, PREDICTED, weight=weight, weight_kind="count"))
    shifts = scaled(name, np.array(without)) - scaled(name, found.value)
    middle, half = (scaled(name, found.high) + np.array([1, -1]) * scaled(name, found.low)) / 2
    shifts -= shifts.mean()
    error = math.sqrt((n - 1) / n * (shifts @ shifts))
    assert middle == pytest.approx(scaled(name, found.value), rel=1e-9)
    excess = (shifts**4).sum() - (shifts @ shifts) ** 2 / n
    freedom = min(n - 1, 2 * (shifts @ shifts) ** 2 / excess)
    assert half == pytest.approx(stats.t.ppf(0.975, freedom) * error, rel=1e-6)


@for_each("name", JACKKNIFE)
def test_an_importance_weight_is_left_out_as_a_whole(name):
    """The sums without each case are those of the other cases."""
    residuals = of(TRUTH, PREDICTED, weight=WEIGHT)
    (formula,) = get(name, Residuals).interval.of
    found = formula(residuals.sums_without_each)
    assert residuals.effective_total == pytest.approx(WEIGHT.sum() ** 2 / (WEIGHT**2).sum())
    for i, (error, truth) in enumerate(zip(residuals.error, residuals.truth, strict=True)):
        others = (truth != TRUTH) | (error != PREDICTED - TRUTH)
        kept = value(name, TRUTH[others], PREDICTED[others], weight=WEIGHT[others])
        assert found[i] == pytest.approx(kept, rel=1e-9)


@for_each("data", STORED["datasets"])
def test_the_median_lies_between_the_order_statistics_of_scipy(data):
    columns = STORED["datasets"][data]
    found = estimate("median_absolute_error", of(columns["truth"], columns["predicted"]))
    assert [found.low, found.high] == STORED["values"][data]["scipy"]["interval of median_absolute_error"]


@for_each(
    ("cases", "level"), [(5, 0.9), (6, 0.95), (7, 0.95), (30, 0.95), (31, 0.8), (1000, 0.99), (999, 0.95)]
)
def test_order_statistics_by_the_binomial_distribution(cases, level):
    found = estimate(
        "median_absolute_error", of(np.zeros(cases), np.arange(1, cases + 1)), Settings(level=level)
    )
    tail = (1 - level) / 2
    assert stats.binom.cdf(found.low - 1, cases, 0.5) <= tail < stats.binom.cdf(found.low, cases, 0.5)
    assert found.high == cases + 1 - found.low


def test_a_median_of_too_few_cases_or_of_equal_errors_has_none():
    few = estimate("median_absolute_error", of([0] * 5, [1, 2, 3, 4, 5]))
    assert [note.code for note in few.notes] == ["too-few-for-median"]
    alike = estimate(
        "median_absolute_error", of(range(40), np.arange(40) + np.where(np.arange(40) < 3, 1, 0))
    )
    assert not alike.has_interval
    assert alike.value == 0


def test_equal_importance_weights_are_none():
    plain = estimate("median_absolute_error", of(TRUTH, PREDICTED))
    weighted = estimate("median_absolute_error", of(TRUTH, PREDICTED, weight=np.full(N, 0.3)))
    assert weighted.value == plain.value
    assert weighted.low <= plain.low < plain.high <= weighted.high  # Student's t
    for name in ("mean_error", *JACKKNIFE):
        one, other = (
            estimate(name, of(TRUTH, PREDICTED, **given)) for given in ({}, {"weight": np.full(N, 0.3)})
        )
        assert (one.low, one.high) == pytest.approx((other.low, other.high), rel=1e-9)


@for_each("data", STORED["datasets"])
def test_a_mean_error_has_at_least_the_interval_of_t(data):
    columns = STORED["datasets"][data]
    found = estimate("mean_error", of(columns["truth"], columns["predicted"]))
    low, high = STORED["values"][data]["scipy"]["t interval of mean_error"]
    assert found.low <= low + 1e-9 * abs(low)
    assert found.high >= high - 1e-9 * abs(high)
    errors = np.array(columns["predicted"]) - columns["truth"]
    if stats.skew(errors) > 0.05:  # samples often lack the large ones
        assert found.high > high
        assert found.low == pytest.approx(low, rel=1e-9)


def test_symmetric_errors_have_the_interval_of_t():
    errors = np.tile([-1.0, 0.5, 2.0], 20)
    found = estimate("mean_error", of(np.arange(60), np.arange(60) + errors))
    assert (found.low, found.high) == pytest.approx(
        tuple(stats.ttest_1samp(errors, 0).confidence_interval()), rel=1e-9
    )


def test_the_largest_error_has_a_reason_in_place_of_an_interval():
    found = estimate("largest_error", of(TRUTH, PREDICTED))
    assert not found.has_interval
    assert "does not bound the largest error" in found.note


@for_each("name", NEW)
def test_hard_data_have_an_interval_or_a_reason(name):
    hard = {
        "perfect": ([1, 2, 3], [1, 2, 3]), "on a line": ([1, 2, 3, 4], [2, 4, 6, 8]),
        "one case": ([1], [2]), "two": ([1, 2], [1, 3]), "constant": ([1, 1, 1], [1, 2, 3]),
        "a constant prediction": ([1, 2, 3], [2, 2, 2]), "one decides": ([0, 0, 0, 9], [0, 0, 0, 8]),
    }  # fmt: skip
    for case, columns in hard.items():
        found = estimate(name, of(*columns))
        assert found.undefined or found.note or found.low < found.value < found.high, case


@pytest.mark.full
@for_each("name", ["mean_error", *JACKKNIFE])
def test_standard_errors_are_those_of_a_bootstrap(name):
    rows = np.random.default_rng(1).integers(0, N, (1000, N))
    values = [value(name, TRUTH[row], PREDICTED[row]) for row in rows]
    found = estimate(name, of(TRUTH, PREDICTED))
    assert found.standard_error == pytest.approx(np.std(values), rel=0.15)


@pytest.mark.full
@for_each("kind", ["normal", "skewed", "weighted"])
def test_coverage(kind):
    """From 30 cases; docs/intervals.md has more."""
    random, cases = np.random.default_rng(6), 40
    draw = random.normal if kind == "normal" else lambda *shape: random.exponential(size=shape[-1]) - 1

    def drawn(number):
        truth = random.normal(0, 1.5, number)
        return truth, truth + draw(0, 1, number)

    whole = of(*drawn(400_000))
    names = [name for name in NEW if name != "largest_error"]
    held = dict.fromkeys(names, 0)
    for _ in range(500):
        weight = random.lognormal(0, 0.5, cases) if kind == "weighted" else None
        sample = of(*drawn(cases), weight=weight)
        for name in names:
            found = estimate(name, sample)
            held[name] += found.low <= get(name, Residuals)(whole) <= found.high
    assert all(0.9 < number / 500 < 0.985 for number in held.values()), held


# Where they show
# --------------------------------------------------------------------------------------------------


def test_the_first_screen(capsys, tmp_path):
    rows = "\n".join(f"{t},{p}" for t, p in zip(TRUTH, PREDICTED, strict=True))
    (tmp_path / "x.csv").write_text(f"price,guess\n{rows}\n")
    main(["evaluate", str(tmp_path / "x.csv"), "--truth", "price", "--predicted", "guess", "--regression"])
    screen = capsys.readouterr().out
    assert len(screen.splitlines()) <= 30
    for label in (
        "Root mean squared error", "Mean absolute error", "Median absolute error", "Mean error (bias)",
        "Largest error", "R2", "Explained variance", "Correlation", "Skill against the mean",
    ):  # fmt: skip
        assert f"\n{label} " in screen


def test_check_takes_them(tmp_path):
    found = tm.check(
        truth=TRUTH, predicted=PREDICTED, regression=True, require=["r2>=0.2", "correlation.low>=0.5"]
    )
    assert found.passed
    assert not tm.check(truth=TRUTH, predicted=PREDICTED, regression=True, require=["r2>=0.99"]).passed


def test_compare_has_no_interval_where_a_model_has_none():
    other = TRUTH + RANDOM.normal(0, 0.7, N)
    found = compare(
        truth=TRUTH,
        predicted={"a": PREDICTED, "b": other},
        regression=True,
        measures=["largest_error", "r2"],
    )
    assert math.isnan(found["largest_error"].low)
    assert "does not bound" in found["largest_error"].estimate.note
    assert found["r2"].low < found["r2"].value < found["r2"].high


def test_aliases_of_scikit_learn():
    for alias, name in (
        ("r2_score", "r2"), ("explained_variance_score", "explained_variance"),
        ("max_error", "largest_error"), ("pearson_correlation", "correlation"), ("bias", "mean_error"),
    ):  # fmt: skip
        assert get(alias, Residuals).name == name
    with pytest.raises(InputError):
        evaluate(truth=TRUTH, predicted=PREDICTED, regression=True)["f1"]
    assert {entry.name for entry in find(Residuals)} >= set(NEW)


@pytest.mark.full
def test_stored_values_are_what_the_tools_give():
    done = subprocess.run(
        [sys.executable, ORACLES / "generate_amounts.py", "--check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_whole_numbers_with_a_score_are_refused_with_the_way_to_amounts():
    truth = np.arange(60)
    with refuses("labels", "predicted=", "regression=True", argument="truth"):
        tm.evaluate(truth=truth, score=truth / 7)
    with pytest.raises(tm.InputError) as few:
        tm.evaluate(truth=truth[:5], score=truth[:5] / 7)
    assert "amounts" not in str(few.value)


@for_each("index", [{}, {"by": ["g"] * 10}, {"fold": [0, 1] * 5}], ids=["alone", "by", "fold"])
@for_each("name", ["threshold", "positive", "classes", "design", "higher_is_positive"])
def test_arguments_of_classes_are_refused(name, index):
    values = {
        "threshold": 0.5,
        "positive": 1,
        "classes": [1, 2],
        "design": "case-control",
        "higher_is_positive": False,
    }
    amounts = {"truth": np.arange(10.0), "predicted": np.arange(10.0) + 0.1, "regression": True}
    with pytest.raises(tm.InputError) as refused:
        tm.evaluate(**amounts, **index, **{name: values[name]})
    assert refused.value.code in ("conflict", "unsupported")
    assert refused.value.argument == name
