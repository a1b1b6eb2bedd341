"""Intervals: against other tools, put back into the equations that define them, in degenerate cases, and by their coverage."""

import itertools
import json
import math
from pathlib import Path
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, norm
from strategies import EVERY, counts, measures_of, name, summaries, tables, tables_at_the_ends

from tallymark import Counts, InputError, RankingTable, Settings, estimate
from tallymark.registry import all_measures, get
from tallymark.uncertainty import KINDS, bootstrap, parts
from tallymark.uncertainty.delong import delong_logit, delong_variance, newcombe
from tallymark.uncertainty.proportion import METHODS, clopper_pearson, wilson

ORACLES = Path(__file__).parents[1] / "oracles"
PROPORTIONS = json.loads((ORACLES / "proportions.json").read_text())["intervals"]
DATASETS = json.loads((ORACLES / "binary.json").read_text())["datasets"]

ARGUMENT = {"proportion": "proportion", "counts": "bootstrap"}  # of Settings, by kind of interval
CHOICES = {"proportion": METHODS, "counts": bootstrap.METHODS}  # the kinds of interval of which Settings offers several
LEVELS = (0.5, 0.9, 0.95, 0.99)
Z = NormalDist().inv_cdf(0.975)

every = pytest.mark.parametrize("entry", EVERY, ids=name)


def ways(entry):
    """The settings that make a difference to this measure."""
    if entry.interval not in CHOICES:
        return [Settings()]
    return [Settings(**{ARGUMENT[entry.interval]: method}) for method in CHOICES[entry.interval]]


def way(how):
    return f"{how.proportion}, {how.bootstrap}" if how != Settings() else "default"


each_way = pytest.mark.parametrize(
    ("entry", "how"), [pytest.param(entry, how, id=f"{entry.name}-{way(how)}") for entry in EVERY for how in ways(entry)]
)


def of_kind(kind):
    return [entry for entry in all_measures() if entry.interval == kind]


def check(entry, found):
    """Sound: undefined with the reason; or no interval, with the reason; or one of some width, in range, around the value."""
    low, high = entry.range
    if math.isnan(found.value):
        assert found.undefined
        assert not found.has_interval
    elif not found.has_interval:
        assert math.isnan(found.high)
        assert found.note
        assert found.method is None
    else:
        assert low <= found.low <= found.value <= found.high <= high
        assert found.high - found.low > 1e-9 * (abs(found.low) + abs(found.high))
        assert found.method


# Proportions ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
def test_proportion_against_other_tools(method):
    rows = [row for row in PROPORTIONS if row["method"] == method and "deviates" not in row]
    assert len(rows) >= 180
    for row in rows:
        ours = METHODS[method](row["x"], row["n"], row["level"])
        np.testing.assert_allclose(ours, (row["low"], row["high"]), rtol=1e-10, atol=1e-14, err_msg=str(row))


X_OF_N = [(x, n) for n in (1, 2, 7, 40, 1000) for x in {0, 1, n // 3, n - 1, n}]


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("x", "n"), X_OF_N)
def test_clopper_pearson_bounds_leave_half_the_rest_in_each_tail(x, n, level):
    low, high = clopper_pearson(x, n, level)
    assert low == 0 if x == 0 else math.isclose(binom.sf(x - 1, n, low), (1 - level) / 2, rel_tol=1e-9)
    assert high == 1 if x == n else math.isclose(binom.cdf(x, n, high), (1 - level) / 2, rel_tol=1e-9)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("x", "n"), X_OF_N)
def test_wilson_bounds_are_where_the_score_test_turns(x, n, level):
    """|x/n - p| is z standard errors, the error being that of p; at the ends that holds of p = 0 and p = 1 themselves."""
    z = norm.isf((1 - level) / 2)
    for bound in wilson(x, n, level):
        assert math.isclose(abs(x / n - bound), z * math.sqrt(bound * (1 - bound) / n), rel_tol=1e-9, abs_tol=1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_proportion_of_arrays_is_that_of_their_entries(method):
    x, n = np.array([0, 3, 5, 0.4]), np.array([5, 5, 5, 2.5])
    low, high = METHODS[method](x, n, 0.95)
    np.testing.assert_array_equal(
        np.stack([low, high], 1), [METHODS[method](float(a), float(b), 0.95) for a, b in zip(x, n, strict=True)]
    )


@pytest.mark.parametrize("method", METHODS)
def test_proportion_of_no_cases_has_no_bounds(method):
    assert np.isnan(METHODS[method](0.0, 0.0, 0.95)).all()


@pytest.mark.parametrize("method", METHODS)
@given(x=st.integers(0, 40), rest=st.integers(0, 40))
def test_proportion_mirrors_that_of_the_rest(method, x, rest):
    low, high = METHODS[method](x, x + rest or 1, 0.95)
    mirrored = METHODS[method](rest if x + rest else 1, x + rest or 1, 0.95)
    np.testing.assert_allclose((1 - high, 1 - low), mirrored, rtol=0, atol=1e-12)


@pytest.mark.parametrize("entry", of_kind("proportion"), ids=name)
@given(c=counts())
def test_parts_are_those_of_the_formula(entry, c):
    cells = {cell: getattr(c, cell) for cell in ("tp", "fp", "fn", "tn")}
    above, _, below = entry.formula.partition(" / ")
    assert parts(entry, c) == (eval(above, {}, cells), eval(below, {}, cells))


@pytest.mark.parametrize("entry", of_kind("proportion"), ids=name)
def test_parts_of_arrays(entry):
    c = Counts(tp=[3, 0], fp=[1, 2], fn=[2, 0], tn=[4, 5])
    above, below = parts(entry, c)
    for index in range(2):
        assert (above[index], below[index]) == parts(entry, c[index])


def test_setting_chooses_the_method():
    c = Counts(tp=3, fp=1, fn=2, tn=4)
    for method, interval in METHODS.items():
        found = estimate("sensitivity", c, Settings(level=0.9, proportion=method))
        assert (found.low, found.high) == tuple(map(float, interval(3.0, 5.0, 0.9)))
        assert (found.method, found.level) == (method, 0.9)


# Area under the ROC curve ---------------------------------------------------------------------------------------------


def delong_by_pairs(truth, score):
    """The definition, case against case."""
    wins = [[(p > n) + 0.5 * (p == n) for n in score[truth == 0]] for p in score[truth == 1]]
    each_positive, each_negative = np.mean(wins, axis=1), np.mean(wins, axis=0)
    return np.var(each_positive, ddof=1) / len(each_positive) + np.var(each_negative, ddof=1) / len(each_negative)


@pytest.mark.parametrize("seed", range(10))
def test_delong_variance_by_brute_force(seed):
    random = np.random.default_rng(seed)
    truth = np.concatenate([[0, 0, 1, 1], random.integers(0, 2, 30)])
    score = random.integers(0, 12, len(truth)) / 12 + truth / 6  # with ties
    table = RankingTable.from_arrays(truth=truth, score=score)
    assert math.isclose(delong_variance(table), delong_by_pairs(truth, score), rel_tol=1e-12)


def delong_rows(key):
    """(data set, the tool's answer), for the tools that can be compared."""
    for dataset, case in DATASETS.items():
        for row in case["values"]:
            if row["key"] == key and "deviates" not in row and not isinstance(row["value"], dict):
                yield dataset, row["value"]


def ranked(dataset):
    return RankingTable.from_arrays(truth=DATASETS[dataset]["labels"], score=DATASETS[dataset]["scores"])


@pytest.mark.parametrize(("dataset", "theirs"), list(delong_rows("delong_variance")))
def test_delong_variance_against_other_tools(dataset, theirs):
    ours = delong_variance(ranked(dataset))
    assert math.isnan(ours) if theirs is None else math.isclose(ours, theirs, rel_tol=1e-10)


@pytest.mark.parametrize(("dataset", "theirs"), list(delong_rows("delong_standard_error")))
def test_delong_standard_error_against_other_tools(dataset, theirs):
    assert math.isclose(math.sqrt(delong_variance(ranked(dataset))), theirs, rel_tol=1e-10)


@pytest.mark.parametrize(("dataset", "theirs"), [row for row in delong_rows("delong_interval_95") if None not in row[1]])
def test_plain_delong_interval_against_other_tools(dataset, theirs):
    """They go z standard errors to either side and cut at 0 and 1."""
    table = ranked(dataset)
    area, step = get("roc_auc")(table), Z * math.sqrt(delong_variance(table))
    np.testing.assert_allclose((max(area - step, 0), min(area + step, 1)), theirs, rtol=1e-10)


def logit(p):
    return math.log(p / (1 - p))


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("dataset", ["below_chance", "imbalance_10_9990", "ties_heavy", "tiny10"])
def test_delong_logit_is_symmetric_on_the_logit_scale(dataset, level):
    table = ranked(dataset)
    area, (low, high) = get("roc_auc")(table), delong_logit(table, level)
    step = norm.isf((1 - level) / 2) * math.sqrt(delong_variance(table)) / (area * (1 - area))
    assert math.isclose(logit(high) - logit(area), step, rel_tol=1e-9)
    assert math.isclose(logit(area) - logit(low), step, rel_tol=1e-9)
    found = estimate("roc_auc", table, Settings(level=level))
    assert (found.low, found.high, found.method) == (low, high, "delong-logit")


def test_few_cases_in_a_class_are_said():
    assert "few cases" in estimate("roc_auc", ranked("tiny10")).note
    assert estimate("roc_auc", ranked("calib1000")).note is None


def hanley_mcneil_variance(area, positives, negatives):
    """As Hanley and McNeil (1982) write it, with the mean class size within the brackets, as Newcombe (2006) has it."""
    q1, q2, size = area / (2 - area), 2 * area**2 / (1 + area), (positives + negatives) / 2
    return (area * (1 - area) + (size - 1) * (q1 - area**2) + (size - 1) * (q2 - area**2)) / (positives * negatives)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("positives", "negatives"), [(1, 1), (1, 9), (5, 5), (20, 400)])
@pytest.mark.parametrize("area", [0.0, 0.04, 0.5, 0.9, 1.0])
def test_newcombe_bounds_satisfy_their_equation(area, positives, negatives, level):
    z = norm.isf((1 - level) / 2)
    low, high = newcombe(area, positives, negatives, level)
    assert low == 0 if area == 0 else 0 < low < area
    assert high == 1 if area == 1 else area < high < 1
    for bound in {low, high} - {0.0, 1.0}:
        assert math.isclose((area - bound) ** 2, z**2 * hanley_mcneil_variance(bound, positives, negatives), rel_tol=1e-9)


# Means and average precision ------------------------------------------------------------------------------------------


@given(table=tables(fractional=False, min_size=2))
def test_brier_interval_is_that_of_a_mean(table):
    """The standard error of a mean over cases, on the logit scale."""
    p = np.concatenate([np.repeat(table.score, table.positive), 1 - np.repeat(table.score, table.negative)])
    loss = (1 - p) ** 2
    found = estimate("brier_score", table)
    if np.ptp(loss) < 1e-12:
        assert not found.has_interval
        return
    mean = loss.mean()
    step = Z * loss.std(ddof=1) / math.sqrt(len(loss)) / (mean * (1 - mean))
    assert math.isclose(logit(found.high) - logit(mean), step, rel_tol=1e-6)
    assert math.isclose(logit(mean) - logit(found.low), step, rel_tol=1e-6)


def test_log_loss_interval_is_symmetric_on_the_log_scale():
    table = ranked("calib1000")
    found = estimate("log_loss", table)
    p, _ = table.given_to_truth
    step = Z * np.std(-np.log(p), ddof=1) / math.sqrt(len(p)) / found.value
    assert found.method == "mean-log"
    assert math.isclose(math.log(found.high / found.value), step, rel_tol=1e-9)
    assert math.isclose(math.log(found.value / found.low), step, rel_tol=1e-9)


@given(table=tables(both_classes=True))
def test_average_precision_interval_is_that_of_a_share_of_the_positives(table):
    found = estimate("average_precision", table)
    wanted = wilson(found.value * table.positives, table.positives, 0.95)
    np.testing.assert_allclose((found.low, found.high), wanted, rtol=1e-12)


# Degenerate cases, for every measure ----------------------------------------------------------------------------------


def one_row(truth, score):
    return RankingTable.from_arrays(truth=truth, score=score)


TABLES = {
    "perfect separation": one_row([1, 1, 1, 0, 0, 0], [0.9, 0.8, 0.6, 0.4, 0.3, 0.2]),
    "inverted": one_row([0, 0, 0, 1, 1, 1], [0.9, 0.8, 0.6, 0.4, 0.3, 0.2]),
    "all tied": one_row([0, 1, 0, 1, 1], [0.3] * 5),
    "one positive": one_row([1, 0, 0, 0], [0.5, 0.7, 0.3, 0.1]),
    "one negative": one_row([0, 1, 1, 1], [0.5, 0.7, 0.3, 0.1]),
    "one of each": one_row([0, 1], [0.3, 0.6]),
    "one of each, inverted": one_row([0, 1], [0.6, 0.3]),
    "only positives": one_row([1, 1, 1], [0.3, 0.6, 0.7]),
    "only negatives": one_row([0, 0, 0], [0.3, 0.6, 0.7]),
    "a single positive": one_row([1], [0.3]),
    "a single negative": one_row([0], [0.3]),
    "perfect probabilities": one_row([1, 1, 0, 0], [1.0, 1.0, 0.0, 0.0]),
    "certain and wrong": one_row([1, 1, 0, 0], [0.0, 0.0, 1.0, 1.0]),
    "one certain and wrong": one_row([1, 1, 0, 0], [0.0, 1.0, 0.0, 0.0]),
    "the same loss everywhere": RankingTable([0.7, 0.3], [6, 0], [0, 1]),
    "the same loss everywhere, weighted": RankingTable([0.7, 0.3], [0.37, 0], [0, 3.3]),
    "all tied, weighted": RankingTable([0.3], [2.9], [8.7]),
    "perfect separation, weighted": RankingTable([0.9, 0.8, 0.2, 0.1], [1.1, 2.3, 0, 0], [0, 0, 2.7, 3.1]),
    "inverted, weighted": RankingTable([0.9, 0.8, 0.2, 0.1], [0, 0, 2.7, 3.1], [1.1, 2.3, 0, 0]),
    "many perfect": RankingTable([1.0, 0.0], [10**6, 0], [0, 10**6]),
    "no cases": RankingTable.empty(),
}
COUNTS = {
    "no errors": Counts(tp=20, fp=0, fn=0, tn=30),
    "only errors": Counts(tp=0, fp=20, fn=30, tn=0),
    "nobody called positive": Counts(tp=0, fp=0, fn=12, tn=38),
    "everybody called positive": Counts(tp=12, fp=38, fn=0, tn=0),
    "no positives": Counts(tp=0, fp=7, fn=0, tn=43),
    "no negatives": Counts(tp=7, fp=0, fn=43, tn=0),
    "one positive": Counts(tp=1, fp=2, fn=0, tn=9),
    "one negative": Counts(tp=9, fp=0, fn=2, tn=1),
    "one of each": Counts(tp=1, fp=1, fn=1, tn=1),
    **{f"a single {cell}": Counts(**dict.fromkeys(("tp", "fp", "fn", "tn"), 0) | {cell: 1}) for cell in ("tp", "fp", "fn", "tn")},
    "an error of little weight": Counts(tp=20, fp=0.01, fn=0, tn=30),
    "less than a case": Counts(tp=0.2, fp=0.1, fn=0.1, tn=0.05),
    "a million without errors": Counts(tp=10**6, fp=0, fn=0, tn=10**6),
    "one error in a million": Counts(tp=10**6, fp=1, fn=0, tn=10**6),
    "no cases": Counts.zero(),
}
DEGENERATE = {RankingTable: TABLES, Counts: COUNTS}


ALL_DEGENERATE = [
    pytest.param(entry, how, summary, id=f"{entry.name}-{way(how)}-{case}")
    for entry in EVERY
    for how in ways(entry)
    for case, summary in DEGENERATE[entry.summary].items()
]


@pytest.mark.parametrize(("entry", "how", "summary"), ALL_DEGENERATE)
def test_degenerate_data_have_a_sound_interval_or_a_reason(entry, how, summary):
    check(entry, estimate(entry, summary, how))


@pytest.mark.parametrize("entry", [entry for entry in EVERY if entry.interval], ids=name)
def test_data_that_are_not_degenerate_have_an_interval(entry):
    random = np.random.default_rng(2)
    truth = np.repeat([0, 1], 60)
    score = np.clip(random.normal(0.4 + 0.2 * truth, 0.15), 0.01, 0.99)
    summary = {RankingTable: one_row(truth, score), Counts: Counts(tp=40, fp=15, fn=20, tn=45)}[entry.summary]
    for how in ways(entry):
        found = estimate(entry, summary, how)
        assert found.has_interval
        assert found.note is None
        check(entry, found)
        widest = 0.6 if np.isfinite(entry.range[1]) else max(0.6, found.value)  # without an end, beside the value
        assert 0.02 < (found.high - found.low) < widest


@each_way
@given(data=st.data())
def test_interval_of_small_data_is_sound(entry, how, data):
    check(entry, estimate(entry, data.draw(summaries(entry.summary)), how))


@pytest.mark.parametrize("entry", measures_of(RankingTable), ids=name)
def test_rounding_is_not_taken_for_spread(entry):
    """In these tables there is none, so an interval of next to no width comes from rounding."""
    for table in tables_at_the_ends(100):
        check(entry, estimate(entry, table))


@pytest.mark.parametrize("entry", measures_of(RankingTable), ids=name)
@pytest.mark.parametrize("size", [1.0000001, 1.5, 3, 1e4])
def test_interval_is_sound_whatever_the_weights_add_up_to(entry, size):
    """A few cases that weigh little more than one, or much more, in all."""
    table = RankingTable([0.99, 0.5, 0.2], [0.4, 0.05, 0.05], [0, 0.1, 0.4])
    check(entry, estimate(entry, table * (size / table.total)))


@pytest.mark.parametrize("entry", measures_of(RankingTable), ids=name)
def test_scores_that_are_no_probabilities_are_measured_or_refused(entry):
    """Never a value outside the range, nor an error of arithmetic."""
    table = RankingTable([3.0, 0.4, -1.0], [2, 1, 0], [0, 1, 2])
    try:
        found = estimate(entry, table)
    except InputError:
        return
    check(entry, found)


@every
def test_a_row_of_weight_2_gives_the_interval_of_two_rows(entry):
    truth, score, weight = np.array([1, 0, 1, 1, 0, 0]), np.array([0.9, 0.7, 0.6, 0.4, 0.4, 0.1]), np.array([1, 2, 1, 3, 1, 2])
    at = {"threshold": 0.5} if entry.summary is Counts else {}
    weighted = entry.summary.from_arrays(truth=truth, score=score, weight=weight, **at)
    repeated = entry.summary.from_arrays(truth=np.repeat(truth, weight), score=np.repeat(score, weight), **at)
    assert estimate(entry, weighted) == estimate(entry, repeated)


@every
def test_higher_level_gives_a_wider_interval(entry):
    summary = {RankingTable: ranked("tiny10"), Counts: COUNTS["no errors"]}[entry.summary]
    found = [estimate(entry, summary, Settings(level=level)) for level in LEVELS]
    for narrow, wide in itertools.pairwise(found):
        assert wide.low <= narrow.low <= narrow.high <= wide.high
        assert wide.high - wide.low > narrow.high - narrow.low


@every
def test_infinite_or_undefined_value_has_no_interval(entry):
    found = estimate(entry, DEGENERATE[entry.summary]["no cases"])
    assert not found.has_interval
    assert found.undefined == entry.why_undefined(DEGENERATE[entry.summary]["no cases"])


# The bootstrap --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", bootstrap.METHODS)
@pytest.mark.parametrize("entry", of_kind("counts"), ids=name)
def test_same_seed_same_answer(entry, method):
    c = Counts(tp=30, fp=8, fn=11, tn=60)
    first = estimate(entry, c, Settings(bootstrap=method, seed=3))
    bootstrap.METHODS[method].cache_clear()
    assert estimate(entry, c, Settings(bootstrap=method, seed=3)) == first
    other = estimate(entry, c, Settings(bootstrap=method, seed=4))
    assert (other.low, other.high) != (first.low, first.high)
    assert abs(other.low - first.low) + abs(other.high - first.high) < 0.05
    assert first.method == method


def test_lost_resamples_are_counted():
    """With one positive, about one resample in e has none."""
    found = estimate("youden_j", Counts(tp=1, fp=30, fn=0, tn=69), Settings(bootstrap="bootstrap"))
    lost = int(found.note.split()[0])
    assert abs(lost - 0.99**100 * bootstrap.REPLICATES) < 200


def test_bootstrap_without_errors_says_that_it_is_blind():
    found = estimate("f1", COUNTS["no errors"], Settings(bootstrap="bootstrap"))
    assert not found.has_interval
    assert "bayesian-bootstrap" in found.note
    assert estimate("f1", COUNTS["no errors"]).low < 0.97


def test_bootstrap_resamples_keep_the_number_of_cases():
    drawn = bootstrap.multinomial(Counts(tp=3, fp=1, fn=2, tn=4), 0)
    assert set(drawn.total) == {10.0}
    np.testing.assert_allclose([drawn.tp.mean(), drawn.tn.mean()], [3, 4], atol=0.1)


def test_bayesian_shares_are_dirichlet():
    """Mean and variance of the share of a cell, of which half a case more than was counted is behind it."""
    c = Counts(tp=3, fp=0, fn=2, tn=4)
    drawn = bootstrap.bayesian(c, 0)
    for cell in ("tp", "fp", "fn", "tn"):
        share, alpha, total = getattr(drawn, cell) / drawn.total, getattr(c, cell) + 0.5, c.total + 2
        assert share.min() > 0
        np.testing.assert_allclose(share.mean(), alpha / total, rtol=0.05)
        np.testing.assert_allclose(share.var(), alpha * (total - alpha) / total**2 / (total + 1), rtol=0.1)


# Settings -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", [0, 1, 95, -0.5, "0.95", True, math.nan])
def test_level_outside_0_and_1_is_refused(level):
    with pytest.raises(InputError, match="level"):
        Settings(level=level)


@pytest.mark.parametrize("wrong", [{"proportion": "wilsn"}, {"bootstrap": "bayesian-bootstrp"}])
def test_unknown_method_is_refused_with_a_suggestion(wrong):
    with pytest.raises(InputError, match="did you mean"):
        Settings(**wrong)


def test_estimate_takes_a_name_or_a_measure():
    c = Counts(tp=3, fp=1, fn=2, tn=4)
    assert estimate("recall", c) == estimate(get("sensitivity"), c)


@pytest.mark.parametrize(
    ("measure", "summary"),
    [("roc_auc", Counts(tp=1, fp=1, fn=1, tn=1)), ("f1", TABLES["inverted"]), ("accuracy", Counts(tp=[1, 2], fp=0, fn=1, tn=2))],
    ids=["counts for a table", "table for counts", "arrays in the cells"],
)
def test_estimate_of_the_wrong_summary_is_refused(measure, summary):
    with pytest.raises(InputError, match=measure):
        estimate(measure, summary)


def test_interval_of_another_summary():
    """The value of one, the uncertainty of the other: weights scaled to the effective number of cases."""
    c = Counts(tp=30, fp=10, fn=20, tn=40)
    found = estimate("sensitivity", c, like=c * 0.1)
    assert found.value == 0.6
    assert (found.low, found.high) == tuple(map(float, wilson(3.0, 5.0, 0.95)))


# Coverage: how often the interval holds the truth, with 200 cases -----------------------------------------------------

N, RUNS, ENOUGH = 200, 500, (0.92, 0.985)


def is_enough(share):
    return ENOUGH[0] <= share <= ENOUGH[1]


@pytest.mark.parametrize("p", [0.05, 0.3, 0.5, 0.8, 0.97])
def test_coverage_of_wilson(p):
    """Not simulated: the probability of every outcome is known."""
    x = np.arange(N + 1)
    low, high = wilson(x, np.full(N + 1, N), 0.95)
    assert is_enough(binom.pmf(x, N, p)[(low <= p) & (p <= high)].sum())


@pytest.mark.parametrize("p", [0.05, 0.3, 0.5, 0.8, 0.97])
def test_clopper_pearson_never_covers_less(p):
    x = np.arange(N + 1)
    low, high = clopper_pearson(x, np.full(N + 1, N), 0.95)
    assert binom.pmf(x, N, p)[(low <= p) & (p <= high)].sum() >= 0.95


def coverage(measure, truth, summaries):
    found = [estimate(measure, summary) for summary in summaries]
    return np.mean([one.low <= truth <= one.high for one in found])


@pytest.mark.parametrize("separation", [0.5, 1.5])
def test_coverage_of_delong_logit(separation):
    random, truth = np.random.default_rng(11), np.arange(N) % 4 == 0
    draws = (one_row(truth, random.normal(separation * truth)) for _ in range(RUNS))
    assert is_enough(coverage("roc_auc", norm.cdf(separation / math.sqrt(2)), draws))


@pytest.mark.parametrize("shares", [(0.25, 0.1, 0.15, 0.5), (0.08, 0.04, 0.04, 0.84)], ids=["common", "rare"])
def test_coverage_of_the_bayesian_bootstrap(shares):
    random, true = np.random.default_rng(12), Counts(**dict(zip(("tp", "fp", "fn", "tn"), shares, strict=True)))
    draws = [Counts.of(*map(float, cells)) for cells in random.multinomial(N, shares, RUNS)]
    intervals = [[estimate(measure, c) for measure in ("f1", "mcc", "kappa")] for c in draws]  # by counts: they share resamples
    for measure, found in zip(("f1", "mcc", "kappa"), zip(*intervals, strict=True), strict=True):
        value = get(measure)(true)
        assert is_enough(np.mean([one.low <= value <= one.high for one in found])), measure


def test_coverage_of_mean_logit():
    """Calibrated and uniform probabilities: the expected Brier score is the mean of p (1 - p), which is 1/6."""
    random = np.random.default_rng(13)
    scores = random.random((RUNS, N))
    draws = (one_row(random.random(N) < score, score) for score in scores)
    assert is_enough(coverage("brier_score", 1 / 6, draws))


def test_coverage_of_mean_log():
    """Of these probabilities the expected log loss is the mean of the entropy, which is 1/2."""
    random = np.random.default_rng(14)
    scores = random.random((RUNS, N))
    draws = (one_row(random.random(N) < score, score) for score in scores)
    assert is_enough(coverage("log_loss", 0.5, draws))


def test_every_kind_of_interval_is_known():
    for entry in EVERY:
        assert entry.interval in (None, *KINDS), (
            f"{entry.name}: {entry.interval!r} is no kind of interval; there are {', '.join(KINDS)}"
        )


@pytest.mark.parametrize(("odds", "share"), [("npr", "prevalence"), ("npr_predicted", "predicted_prevalence")])
@pytest.mark.parametrize("method", METHODS)
def test_class_ratio_has_the_odds_of_the_bounds_of_its_share(odds, share, method):
    for c in (Counts(tp=10, fp=3, fn=7, tn=80), Counts(tp=5, fp=0, fn=1, tn=0), Counts(tp=1, fp=1, fn=0, tn=200)):
        ratio, part = (estimate(name, c, Settings(proportion=method)) for name in (odds, share))
        assert (ratio.low, ratio.high) == pytest.approx(((1 - part.high) / part.high, (1 - part.low) / part.low), rel=1e-12)
        assert ratio.value == pytest.approx((1 - part.value) / part.value, rel=1e-12)


def test_class_ratio_without_positives_is_infinite_and_says_so():
    found = estimate("npr", Counts(tp=0, fp=2, fn=0, tn=8))
    assert (found.value, found.has_interval, found.note) == (np.inf, False, "infinite")
