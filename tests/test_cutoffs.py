"""Measures at many cut-offs are those of `ev.at` at each of them."""

import json
import re

import numpy as np
import pytest
from refusals import refuses

import tallymark as tm
from tallymark.evaluation.cutoffs import PREVALENCES, SHOWN, cutoffs
from tests.looping import for_each


def scores(n, seed=0, shift=1.5, share=0.4):
    rng = np.random.default_rng(seed)
    truth = (rng.random(n) < share).astype(int)
    return truth, 1 / (1 + np.exp(-(rng.normal(size=n) + shift * truth - shift / 2)))


def example(name):
    truth, score = scores(300)
    if name == "ten cases":
        truth, score = [0, 0, 1, 0, 1, 1, 0, 1, 0, 1], [0.1, 0.3, 0.4, 0.6, 0.7, 0.9, 0.2, 0.8, 0.35, 0.35]
        return tm.evaluate(truth=truth, score=score)
    if name == "separated":
        return tm.evaluate(truth=truth, score=truth * 0.5 + score / 4)
    if name == "one class":
        return tm.evaluate(truth=[1] * 20, score=np.linspace(0.1, 0.9, 20), classes=[0, 1])
    if name == "importance weights":
        return tm.evaluate(truth=truth, score=score, weight=np.random.default_rng(1).uniform(0.3, 3, 300))
    if name == "class weights":
        return tm.evaluate(truth=truth, score=score, class_weight="balanced")
    if name == "counts as weights":
        return tm.evaluate(truth=truth, score=score.round(1), weight=np.arange(300) % 4, weight_kind="count")
    if name == "margins":
        return tm.evaluate(truth=truth, score=8 * score - 4, score_kind="margin")
    if name == "logits":
        return tm.evaluate(truth=truth, score=np.log(score / (1 - score)), score_kind="logit")
    if name == "lower is positive":
        return tm.evaluate(truth=truth, score=1 - score, higher_is_positive=False)
    if name == "case-control":
        return tm.evaluate(truth=truth, score=score, design="case-control", level=0.9, rng=3)
    if name == "float32":
        return tm.evaluate(truth=truth, score=score.astype(np.float32).round(2))
    if name == "bootstrap":
        return tm.evaluate(truth=truth, score=score, proportion="clopper-pearson")
    if name == "bins":
        table = tm.RankingTable.from_arrays(truth=truth, score=score)
        return tm.evaluate(tm.BinnedTable.from_table(table).compact(60))
    if name == "clusters":
        return tm.evaluate(truth=truth, score=score.round(1), clusters=np.arange(300) // 5)
    assert name == "infinite"
    return tm.evaluate(
        truth=truth, score=np.where(score > 0.9, np.inf, np.where(score < 0.1, -np.inf, score))
    )


NAMES = (
    "ten cases", "separated", "one class", "importance weights", "class weights", "counts as weights",
    "margins", "logits", "lower is positive", "case-control", "float32", "bootstrap", "bins",
    "clusters", "infinite",
)  # fmt: skip


def same(one, other):
    return one == pytest.approx(other, rel=1e-11, abs=1e-13, nan_ok=True)


@pytest.mark.full
@for_each("name", NAMES)
def test_every_bound_is_that_of_the_evaluation_at_the_cutoff(name):
    ev = example(name)
    found = cutoffs(ev, most=40)
    assert (np.diff(found.thresholds) > 0).all()
    assert found.thresholds[found.start] == ev.limit
    for place, limit in enumerate(found.thresholds):
        there = ev.at(float(limit))
        assert same([getattr(found, cell)[place] for cell in ("tp", "fp", "fn", "tn")],
                    [getattr(there.counts, cell) for cell in ("tp", "fp", "fn", "tn")])  # fmt: skip
        for measure, bounds in {**found.measures, "predicted_prevalence": found.share}.items():
            one = there[measure]
            assert same([each[place] for each in bounds], [one.value, one.low, one.high]), (limit, measure)
        if found.net_benefit is not None and 0 < limit < 1:
            assert same(found.net_benefit[place], there["net_benefit"].value)


@pytest.mark.full
@for_each("name", [name for name in NAMES if name != "one class"])
def test_predictive_values_are_those_of_at_prevalence(name):
    ev = example(name)
    found = cutoffs(ev, most=9, prevalences=(0.001, 0.2, 0.9))
    for place in (0, len(found.thresholds) // 2, -1):
        limit = found.thresholds[place]
        for row, prevalence in enumerate(found.prevalences):
            there = tm.at_prevalence(
                ev.at(float(limit)),
                prevalence=float(prevalence),
                level=ev.settings.level,
                rng=ev.settings.seed,
            )
            for bounds, measure in ((found.ppv, "precision"), (found.npv, "negative_predictive_value")):
                one = there[measure]
                wanted = [one.value, one.low, one.high]  # whose slopes are differences, to nine digits
                assert [each[row, place] for each in bounds] == pytest.approx(wanted, rel=1e-9, nan_ok=True)


@pytest.mark.full
@for_each("name", [name for name in NAMES if name != "clusters"])
def test_costs_are_those_of_the_evaluation_with_these_costs(name):
    ev = example(name)
    found = cutoffs(ev, most=30, ratios=(0.2, 1.0, 7.0))
    for row, ratio in enumerate(found.ratios):
        for place, limit in enumerate(found.thresholds):
            one = tm.estimate("expected_cost", ev.at(float(limit)).counts, ev.settings, cost_fn=float(ratio))
            assert same([each[row, place] for each in found.cost], [one.value, one.low, one.high])
        least = (ratio * ev.ranking.sweep().fn + ev.ranking.sweep().fp).min() / ev.ranking.total
        assert found.cost.value[row, found.best[row]] <= least * (1 + 1e-12) or np.isposinf(
            found.thresholds[-1]
        )
        assert same(
            found.trivial[row], min(ratio * ev.ranking.positives, ev.ranking.negatives) / ev.ranking.total
        )


def test_the_cutoffs_of_rules_are_exact():
    ev = tm.evaluate(**dict(zip(("truth", "score"), scores(5_000), strict=True)))
    found = cutoffs(ev, most=100)
    assert len(found.thresholds) <= 100
    for rule, _, place in found.rules[1:]:
        assert found.thresholds[place] == tm.choose_threshold(ev, rule=rule, replicates=0).threshold
    assert len(found.rules) == 6


@for_each("name", ["importance weights", "lower is positive", "infinite"])
def test_the_histogram_has_all_cases_of_each_class(name):
    ev = example(name)
    found = cutoffs(ev, most=20, bins=10)
    assert len(found.edges) == 11
    assert same(found.positives.sum(), ev.ranking.positives)
    assert same(found.negatives.sum(), ev.ranking.negatives)


def test_bins_are_those_of_numpy():
    truth, score = scores(500)
    found = cutoffs(tm.evaluate(truth=truth, score=score), bins=20)
    for held, label in ((found.positives, 1), (found.negatives, 0)):
        assert held.tolist() == np.histogram(score[truth == label], found.edges)[0].tolist()


def test_coarse_cutoffs_are_no_scores_and_have_enough_cases_between_them():
    truth, score = scores(400)
    ev = tm.evaluate(truth=truth, score=score)
    found = cutoffs(ev, coarse=8)
    flagged = found.tp + found.fp
    assert len(flagged) > 10
    assert (-np.diff(np.concatenate([[400], flagged, [0]])) >= 8).all()
    assert not np.isin(found.thresholds, score).any()
    assert (found.positives % 8 == 0).all()
    with refuses("unsupported", "300", argument="coarse"):
        cutoffs(tm.evaluate(truth=truth, score=score, rule="youden"), coarse=300)


def test_ten_cases_at_every_cutoff():
    ev = example("ten cases")
    found = cutoffs(ev, measures=("precision", "matthews_correlation"), prevalences=(0.1,), ratios=(3.0,))
    for place, limit in enumerate(found.thresholds):
        there = ev.at(float(limit))
        for measure, bounds in found.measures.items():
            one = there[measure]
            assert same([each[place] for each in bounds], [one.value, one.low, one.high])
    one = tm.at_prevalence(there, prevalence=0.1)["precision"]
    assert same([each[0, -1] for each in found.ppv], [one.value, one.low, one.high])


@for_each("units", ["clusters", "persons"])
@pytest.mark.full
def test_intervals_at_the_cutoffs_allow_for_units(units):
    truth, score = scores(300)
    group = np.arange(300) // 5
    of = {"clusters": group} if units == "clusters" else {"persons": (group, np.arange(300) % 37)}
    for higher in (True, False):
        cases = {"truth": truth, "score": score if higher else 1 - score, "higher_is_positive": higher}
        ev = tm.evaluate(**cases, **of)
        dear = tm.evaluate(**cases, **of, parameters={"expected_cost": {"cost_fn": 4.0}})
        found = cutoffs(ev, most=20, prevalences=(0.02, 0.6), ratios=(4.0,))
        assert np.isfinite(found.ppv.low).mean() > 0.9
        for place, limit in list(enumerate(found.thresholds.tolist()))[::4]:
            one = dear.at(limit)["expected_cost"]
            assert same([each[0, place] for each in found.cost], [one.value, one.low, one.high])
            for row, prevalence in enumerate(found.prevalences.tolist()):
                there = tm.at_prevalence(ev.at(limit), prevalence=prevalence)
                for bounds, name in ((found.ppv, "precision"), (found.npv, "negative_predictive_value")):
                    wanted = [there[name].value, there[name].low, there[name].high]
                    assert [one[row, place] for one in bounds] == pytest.approx(wanted, rel=1e-9, nan_ok=True)


def test_cutoffs_that_are_passed():
    ev = example("bins")
    inside = float((ev.binned.low + ev.binned.high)[ev.binned.high > ev.binned.low][0] / 2)
    with refuses("no-result", argument="threshold"):
        cutoffs(ev, [inside])
    assert {0.25, 0.75} <= set(cutoffs(example("ten cases"), [0.75, 0.25]).thresholds.tolist())
    with pytest.raises(tm.InputError):
        cutoffs(tm.evaluate(truth=[0, 1, 1], predicted=[0, 1, 0]))


def test_measures_with_a_threshold_of_their_own():
    ev = example("ten cases")
    found = cutoffs(ev, measures=("net_benefit",))
    assert same(found.measures["net_benefit"].value, found.net_benefit)
    assert set(SHOWN) == set(cutoffs(ev).measures)


@for_each("measure", ["matthews_correlation", "geometric_mean", "expected_cost"])
def test_the_interval_of_a_table_does_not_depend_on_those_beside_it(measure):
    counts = tm.Counts(tp=[9, 90, 40], fp=[4, 20, 7], fn=[3, 10, 60], tn=[20, 80, 93])
    for design in ("cohort", "case-control"):
        settings = tm.Settings(design=design)
        each = tm.estimate_each(measure, counts, settings)
        alone = [tm.estimate(measure, counts[place], settings) for place in range(3)]
        for one, other in zip(each, alone, strict=True):
            assert (one.low, one.high) == pytest.approx((other.low, other.high), rel=1e-12)


def test_the_page_has_the_predictive_values_and_costs_of_the_library():
    ev = example("ten cases")
    page = json.loads(re.search(r'application/json">(.*?)</script>', ev.to_html(), re.DOTALL)[1])
    unit = 10 ** page["digits"]

    def written(one):
        return [None if np.isnan(end) else round(unit * end) for end in (one.value, one.low, one.high)]

    for place in (0, 4, 9):
        there = ev.at(page["t"][place])
        for row in (0, 8, 18):
            known = tm.at_prevalence(there, prevalence=PREVALENCES[row])
            for name, measure in (("ppv", "precision"), ("npv", "negative_predictive_value")):
                own = page["prevalence"][name][row]
                assert [own[end][place] for end in ("v", "lo", "hi")] == written(known[measure])
        for row in (0, 7):
            cost = tm.estimate(
                "expected_cost", there.counts, ev.settings, cost_fn=page["cost"]["ratios"][row]
            )
            assert [page["cost"][end][row][place] for end in ("v", "lo", "hi")] == written(cost)
