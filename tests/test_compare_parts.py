"""Differences of models in groups, over folds, and whether they are the same in all groups."""

import pickle

import numpy as np
import pytest
from refusals import refuses
from scipy.stats import ttest_ind
from statsmodels.stats.oneway import anova_oneway

import tallymark as tm

N = 600
RANDOM = np.random.default_rng(5)
Y = RANDOM.random(N) < 0.4
SITE = np.array(["north", "south", "west"])[RANDOM.integers(0, 3, N)]
FOLD = np.arange(N) % 5
X = RANDOM.standard_normal(N) + 1.2 * Y - 0.8
NOISE = RANDOM.standard_normal((3, N)) * np.where(SITE == "north", 1.4, 0.5)
SCORE = {name: 1 / (1 + np.exp(-X - i * NOISE[i])) for i, name in enumerate("abc")}
TWO = {name: SCORE[name] for name in "ab"}


def test_differences_in_groups_are_those_of_their_cases():
    measures = ["roc_auc", "brier_score", "f1"]
    found = tm.compare(truth=Y, score=TWO, by=SITE, measures=measures)
    assert found["f1"].value == tm.compare(truth=Y, score=TWO, measures=measures)["f1"].value
    assert len(found.in_groups) == 9
    for one in found.in_groups:
        rows = one.group == SITE
        alone = tm.compare(truth=Y[rows], score={k: v[rows] for k, v in TWO.items()}, measures=measures)
        same = alone[one.measure]
        assert one.value == pytest.approx(same.value)
        assert one.p_value == pytest.approx(same.p_value, rel=1e-6)
        assert one.estimate.level == pytest.approx(0.95 ** (1 / 3))
        assert (one.low, one.high) == pytest.approx(same.interval(0.95 ** (1 / 3)), rel=1e-3)
        assert one.adjusted >= one.p_value


def losses(name, rows):
    return (TWO[name][rows] - Y[rows]) ** 2


def test_the_interaction_of_two_groups_is_welchs_t():
    half = np.where(SITE == "north", "north", "other")
    [test] = [
        one
        for one in tm.compare(truth=Y, score=TWO, by=half, measures="brier_score").tests
        if one.name.startswith("interaction")
    ]
    apart = [losses("b", half == name) - losses("a", half == name) for name in ("north", "other")]
    found = ttest_ind(*apart, equal_var=False)
    assert test.name == "interaction, brier_score: b - a"
    assert test.statistic == pytest.approx(found.statistic**2, rel=1e-6)
    assert test.p_value == pytest.approx(found.pvalue, rel=0.3)  # degrees of freedom from fourth moments


def test_the_interaction_of_several_groups_is_welchs_analysis_of_variance():
    order = RANDOM.permutation(SITE)
    [test] = [
        one
        for one in tm.compare(truth=Y, score=TWO, by=order, measures="brier_score").tests
        if one.name.startswith("interaction")
    ]
    apart = [losses("b", order == name) - losses("a", order == name) for name in np.unique(order)]
    assert test.df == 2
    assert test.p_value == pytest.approx(anova_oneway(apart, use_var="unequal").pvalue, rel=0.02)


def test_units_in_several_groups_are_counted_once():
    """The same cases in two groups have the same difference there, without an error."""
    rows = np.tile(np.arange(200), 2)
    group = np.repeat(["one", "two"], 200)
    found = tm.compare(
        truth=Y[rows],
        score={k: v[rows] for k, v in TWO.items()},
        by=group,
        clusters=rows,
        measures="brier_score",
    )
    [test] = found.tests
    assert (test.statistic, test.p_value) == (pytest.approx(0.0, abs=1e-6), 1.0)
    apart = tm.compare(
        truth=Y, score=TWO, by=SITE, clusters=np.arange(N) // 3, measures=["roc_auc", "brier_score", "f1"]
    )
    alone = tm.compare(truth=Y, score=TWO, by=SITE, measures=["roc_auc", "brier_score", "f1"])
    names = [one.name for one in alone.tests if one.name.startswith("interaction")]
    for name in names:
        one, other = (next(t for t in c.tests if t.name == name) for c in (apart, alone))
        assert one.statistic == pytest.approx(other.statistic, rel=0.5, abs=1.0)


def test_means_over_folds_are_those_of_evaluate():
    found = tm.compare(truth=Y, score=SCORE, fold=FOLD, measures=["roc_auc", "brier_score"])
    table = tm.evaluate(truth=Y, score=SCORE, fold=FOLD, reference="a").choose(["roc_auc", "brier_score"])
    means = [one for one in table.differences if one.part == "mean"]
    for one, other in zip(found.differences, means, strict=True):
        assert (one.measure, one.model) == (other.measure, other.model)
        assert (one.value, one.low, one.high) == pytest.approx((other.estimate.value, other.low, other.high))
        assert one.p_value == pytest.approx(other.p_value)
        assert found.value(one.measure, one.model).value == pytest.approx(
            table[one.model].means[one.measure].value
        )
    assert found.headline.folds == 5
    assert "in the mean of 5 folds" in str(found.headline)
    assert found.agreement == ()
    assert found.tests == ()


def test_each_fold_is_compared_by_its_own_cases():
    found = tm.compare(truth=Y, score=TWO, fold=FOLD, measures="brier_score")
    assert [one.fold for one in found.in_folds] == [str(i) for i in range(5)]
    for i, one in enumerate(found.in_folds):
        assert one.value == pytest.approx((losses("b", i == FOLD) - losses("a", i == FOLD)).mean())
    mean = np.mean([one.value for one in found.in_folds])
    assert found["brier_score"].value == pytest.approx(mean)


def test_groups_and_folds():
    found = tm.compare(truth=Y, score=TWO, by=SITE, fold=FOLD, measures="brier_score")
    for one in found.in_groups:
        each = [
            (
                losses("b", (i == FOLD) & (one.group == SITE))
                - losses("a", (i == FOLD) & (one.group == SITE))
            ).mean()
            for i in range(5)
        ]
        assert one.value == pytest.approx(np.mean(each))
        error = np.sqrt((1 / 5 + 1 / 4) * np.var(each, ddof=1))
        assert one.standard_error == pytest.approx(error)
    assert len(found.in_folds) == 5


def test_ratios_and_the_best_in_parts():
    found = tm.compare(truth=Y, score=SCORE, by=SITE, scale="ratio", reference="best", measures="brier_score")
    assert {one.reference for one in found.in_groups} == {found.not_worse()[0]}
    assert all(one.test.endswith("all-pairs") and one.scale == "ratio" for one in found.in_groups)
    over = tm.compare(truth=Y, score=TWO, fold=FOLD, scale="ratio", measures="brier_score")
    logs = [np.log(losses("b", i == FOLD).mean() / losses("a", i == FOLD).mean()) for i in range(5)]
    assert over["brier_score"].value == pytest.approx(np.exp(np.mean(logs)))


def test_rows_name_their_part_in_every_output(tmp_path):
    found = tm.compare(truth=Y, score=TWO, by=SITE, fold=FOLD, measures="roc_auc")
    assert [row.get("group") for row in found.table if row.get("group")] == ["north", "south", "west"]
    assert [row.get("fold") for row in found.table if row.get("fold")] == [str(i) for i in range(5)]
    plain = found.to_dict()
    assert plain["in_groups"][0]["group"] == "north"
    assert "group" not in plain["differences"][0]
    assert pickle.loads(pickle.dumps(found)).value("roc_auc", "a") == found.value("roc_auc", "a")
    found.save(tmp_path / "found.json")
    back = tm.load(tmp_path / "found.json")
    assert back["roc_auc", "north"].value == found.in_groups[0].value
    text = str(found)
    for name in ("north", "fold: b - a", "for the 3 groups together"):
        assert name in text


def test_groups_of_one_class_have_reasons():
    kind = np.where(Y & (SITE == "north"), "positive only", SITE)
    found = tm.compare(truth=Y, score=TWO, by=kind, measures=["roc_auc", "brier_score"])
    gone = next(one for one in found.in_groups if (one.group, one.measure) == ("positive only", "roc_auc"))
    assert gone.estimate.undefined
    test = next(one for one in found.tests if one.name == "interaction, roc_auc: b - a")
    assert "left out" in test.note
    alone = tm.compare(truth=Y, score=TWO, by=np.repeat("all", N), measures="roc_auc")
    assert np.isnan(next(one for one in alone.tests if one.name.startswith("interaction")).p_value)


def test_units_in_several_folds_have_a_notice():
    found = tm.compare(truth=Y, score=TWO, fold=FOLD, clusters=np.arange(N) // 5, measures="roc_auc")
    assert [one.code for one in found.notices if "folds" in one.code] == ["clusters-in-several-folds"]
    assert not tm.compare(truth=Y, score=TWO, fold=FOLD, clusters=FOLD, measures="roc_auc").notices


def test_what_has_no_parts_is_refused():
    with refuses("unsupported", "same cases", argument="by"):
        tm.compare(truth=Y, score=SCORE["a"], sample=SITE, by=FOLD)
    with refuses("unsupported", "corrected resampled t", argument="method"):
        tm.compare(truth=Y, score=TWO, fold=FOLD, method="bootstrap")
    with refuses("unsupported", argument="design"):
        tm.compare(truth=Y, score=TWO, fold=FOLD, design="case-control")
    with refuses("invalid-value", "the only fold", argument="fold"):
        tm.compare(truth=Y, score=TWO, fold=np.zeros(N, int))
    with refuses("conflict"):
        tm.compare(tm.evaluate(truth=Y, score=SCORE["a"]), tm.evaluate(truth=Y, score=SCORE["b"]), by="site")
