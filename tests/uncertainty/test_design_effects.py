"""Maxima and hulls of cases in clusters: design effects, and what they do to intervals."""

import numpy as np
import pytest

import tallymark as tm
from tallymark.inference import Settings, design_effects, estimate
from tallymark.inference.clustered import Clusters
from tallymark.inference.intervals.scale import Scale
from tallymark.inference.units import influences
from tallymark.measures.registry import get
from tallymark.summaries import RankingTable
from tallymark.summaries.cases import ScoredCases

NAMES = (
    "kolmogorov_smirnov",
    "youden_j_max",
    "auch",
    "h_measure",
    "min_cllr",
    "equal_error_rate_hull",
    "auc_pr_min",
)
NO_ENDS = Scale((-np.inf, np.inf))


def cases(number, seed=1):
    truth = np.arange(number) % 3 == 0
    return truth, np.random.default_rng(seed).normal(truth * 1.0)


def clusters(truth, score, group, **weight):
    return Clusters(ScoredCases.from_arrays(truth=truth, score=score, **weight), group)


def effects(known, name="kolmogorov_smirnov", alike=(9.0, 9.0)):
    entry = get(name, RankingTable)
    return design_effects.of_classes(
        known.units, influences(known.units, entry, entry.function, None, NO_ENDS), alike
    )


def bounds(found):
    return found.low, found.high


@pytest.mark.full
@pytest.mark.parametrize("name", NAMES)
def test_a_design_effect_of_1_gives_the_interval_of_independent_cases(name):
    truth, score = cases(120)
    known = clusters(truth, score, np.arange(120))
    assert effects(known, name) == pytest.approx((1.0, 1.0))
    assert design_effects.of_share(known.units) == pytest.approx(1.0)
    table = RankingTable.from_arrays(truth=truth, score=score)
    assert bounds(estimate(name, design_effects.with_effects(table, 1.0, 1.0))) == bounds(
        estimate(name, table)
    )


def test_weighted_cases_in_groups_of_one_have_a_design_effect_of_1():
    truth, score = cases(120)
    weight = np.random.default_rng(3).uniform(0.5, 2.0, 120)
    known = clusters(truth, score, np.arange(120), weight=weight, weight_kind="importance")
    assert effects(known) == pytest.approx((1.0, 1.0), rel=0.02)
    assert design_effects.of_share(known.units) == pytest.approx(1.0, rel=0.02)


def test_cases_that_occur_twice_in_a_group_count_once():
    truth, score = cases(240)
    known = clusters(np.repeat(truth, 2), np.repeat(score, 2), np.repeat(np.arange(240), 2))
    assert effects(known, "auch") == pytest.approx((2.0, 2.0), rel=0.02)
    assert design_effects.of_share(known.units) == pytest.approx(2.0, rel=0.02)
    twice, once = (
        known.estimate(get("auch"), known.cases.table, Settings(), {}, None),
        estimate("auch", tm.RankingTable.from_arrays(truth=truth, score=score)),
    )
    assert twice.value == pytest.approx(once.value)
    assert twice.high - twice.low == pytest.approx(once.high - once.low, rel=0.25)
    assert twice.method == "cluster-inverted-bootstrap"


def test_what_both_classes_of_a_group_have_in_common_cancels_and_counts_as_no_more_cases_than_there_are():
    rng = np.random.default_rng(2)
    truth, group = np.arange(800) % 2 == 0, np.arange(800) // 20
    shift = rng.normal(size=40)[group]
    score = truth + shift + 0.5 * rng.normal(size=800)
    together = effects(clusters(truth, score, group), "auch")
    apart = effects(clusters(truth, score, 2 * group + truth), "auch")
    assert min(together) >= 1.0
    assert min(apart) > 3 * max(together)


def test_a_class_without_spread_counts_as_if_the_cases_of_a_group_were_alike():
    truth, score = np.repeat([1, 0], 60), np.repeat([2.0, 1.0], 60)
    assert effects(clusters(truth, score, np.arange(120) // 6), alike=(10.0, 20.0)) == (6.0, 3.0)


@pytest.mark.full
@pytest.mark.parametrize("seed", [1, 2])
def test_groups_of_alike_cases_widen_the_interval(seed):
    rng = np.random.default_rng(seed)
    truth, group = np.arange(400) % 40 < 16, np.arange(400) % 40
    score = truth + 0.9 * rng.normal(size=40)[group] + 0.4 * rng.normal(size=400)
    wide, narrow = (tm.evaluate(truth=truth, score=score, **more) for more in ({"clusters": group}, {}))
    for name in NAMES:
        assert wide[name].high - wide[name].low > 1.3 * (narrow[name].high - narrow[name].low), name
        assert wide[name].low <= wide[name].value <= wide[name].high


def test_too_few_groups_have_no_interval_or_a_note():
    truth, group = np.arange(60) % 2 == 0, np.arange(60) // 20
    score = truth + np.random.default_rng(1).normal(size=60)
    found = tm.evaluate(truth=truth, score=score, clusters=group)["kolmogorov_smirnov"]
    assert "clusters" in found.note or found.note == design_effects.TOO_FEW.text
