"""tm.planning: external validation, models on different cases, and cases in clusters."""

import json
from math import ceil

import numpy as np
import pytest
from looping import for_each
from refusals import refuses
from scipy import stats
from scipy.special import expit, logit, ndtri

import tallymark as tm
from tallymark import InputError, RankingTable, planning
from tallymark.studies.planning import Clusters

Z = 1.959963984540054

# pmvalsampsize 0.2.1 (PyPI; R. Whittle, R. Riley and others), type="b": cases for O/E, slope, C statistic,
# and net benefit where a threshold was given. Its linear predictors are 1,000,000 simulated ones, and its
# standard errors are steps of 0.0001 wide. The first is the worked example of Riley et al. (2021).
THEIRS = [
    ({"prevalence": 0.018, "auc": 0.8, "logit_normal": (-5, 2.5), "ratio_width": 1}, (905, 4544, 4252)),
    ({"prevalence": 0.43, "auc": 0.8, "probability_beta": (1.33, 1.75), "threshold": 0.4,
    "sensitivity": 0.758,
      "specificity": 0.662}, (510, 2136, 308, 422)),
    ({"prevalence": 0.1, "auc": 0.75, "logit_normal": (-2.5, 1.0), "threshold": 0.1, "sensitivity": 0.71,
    "specificity": 0.658,
      "ratio_width": 0.4, "slope_width": 0.3, "auc_width": 0.08, "net_benefit_width": 0.3},
          (876, 2491, 1574, 609)),
    ({"prevalence": 0.3, "auc": 0.85, "probability_beta": (0.6, 1.4), "threshold": 0.25, "sensitivity": 0.84,
    "specificity": 0.684,
      "ratio_width": 0.3, "slope_width": 0.25, "net_benefit_width": 0.15}, (401, 1282, 277, 639)),
    ({"prevalence": 0.1, "auc": 0.75}, (3461, 5735, 1008)),
]  # fmt: skip


@for_each(("given", "cases"), THEIRS)
def test_external_validation_is_that_of_pmvalsampsize(given, cases):
    plan = planning.external_validation(**given)
    assert [one.n for one in plan.criteria[:3]] == pytest.approx(cases[:3], rel=3e-3)
    if len(cases) > 3:  # theirs is with a standard error rounded to three decimals
        error = plan["standardised net benefit"].standard_error
        assert plan["standardised net benefit"].n * (error / round(error, 3)) ** 2 == pytest.approx(
            cases[3], abs=1.5
        )
    assert plan["roc_auc"].n == cases[2]  # no simulation in it
    assert plan.n == max(one.n for one in plan.criteria)
    assert plan.events == ceil(plan.n * given["prevalence"] - 1e-9)


def test_what_the_distribution_implies():
    rng = np.random.default_rng(0)
    sample = expit(rng.normal(-1.5, 1.2, 400_000))
    truth = rng.random(len(sample)) < sample
    plan = planning.external_validation(logit_normal=(-1.5, 1.2), threshold=0.3)
    table = RankingTable.from_arrays(truth=truth, score=sample)
    assert plan.prevalence == pytest.approx(truth.mean(), abs=0.002)
    assert plan["roc_auc"].expected == pytest.approx(tm.estimate("roc_auc", table).value, abs=0.003)
    net = truth[sample >= 0.3].sum() - (~truth[sample >= 0.3]).sum() * 3 / 7
    assert plan["standardised net benefit"].expected == pytest.approx(net / truth.sum(), abs=0.01)
    again = planning.external_validation(probabilities=sample[:100_000], threshold=0.3)
    assert [one.n for one in again.criteria] == pytest.approx([one.n for one in plan.criteria], rel=0.03)


def test_two_normals_are_calibrated():
    """Logits normal in each class, with the distance that the area implies: their mean probability is the
    prevalence."""
    from tallymark.studies.planning import risks_of

    found = risks_of(0.1, 0.75, None, None, None)
    assert (found.mean, found.area) == pytest.approx((0.1, 0.75), abs=1e-4)


@pytest.mark.full
def test_the_widths_wanted_are_reached():
    wanted = {"ratio_width": 0.4, "slope_width": 0.5, "auc_width": 0.12, "net_benefit_width": 0.25}
    plan, rng = (
        planning.external_validation(logit_normal=(-1.5, 1.2), threshold=0.3, **wanted),
        np.random.default_rng(1),
    )
    for criterion in plan.criteria:
        seen = [_widths(rng, criterion.n)[criterion.measure] for _ in range(300)]
        if criterion.measure in ("calibration_slope", "roc_auc"):
            assert np.mean(seen) == pytest.approx(criterion.width, rel=0.05)
        else:  # values, whose spread is that of the interval
            low, high = np.quantile(seen, [0.025, 0.975])
            assert high - low == pytest.approx(criterion.width, rel=0.2)


def _widths(rng, n):
    probability = expit(rng.normal(-1.5, 1.2, n))
    truth = rng.random(n) < probability
    table, taken = RankingTable.from_arrays(truth=truth, score=probability), probability >= 0.3
    found = {name: tm.estimate(name, table) for name in ("calibration_slope", "roc_auc")}
    net = (truth[taken].sum() - (~truth[taken]).sum() * 3 / 7) / truth.sum()
    return {name: one.high - one.low for name, one in found.items()} | {
        "observed/expected": truth.sum() / probability.sum(), "standardised net benefit": net,
    }  # fmt: skip


# Different cases
# --------------------------------------------------------------------------------------------------


@pytest.mark.full
@pytest.mark.parametrize("goal", [
    {"first": 0.9, "second": 0.75},
    {"first": 0.8, "second": 0.8, "margin": 0.1},
    {"first": 0.95, "second": 0.9, "negatives_per_positive": 3},
    {"first": 0.8, "second": 0.7, "width": 0.15},
])  # fmt: skip
def test_models_on_different_cases(goal):
    plan, rng, hits, wide = planning.unpaired_roc_auc(**goal), np.random.default_rng(0), [], []
    for _ in range(30):
        a, b = (_areas(rng, 100, plan, area) for area in (goal["first"], goal["second"]))
        low = a[0] - b[0] - np.hypot(a[0] - a[1], b[2] - b[0])
        high = a[0] - b[0] + np.hypot(a[2] - a[0], b[0] - b[1])
        hits.append(low > -goal.get("margin", 0.0))
        wide.append(high - low)
    if plan.power is None:
        assert np.mean(wide) == pytest.approx(goal["width"], rel=0.01)
    else:
        assert plan.power - 0.025 <= np.mean(hits) <= plan.power + 0.04
    assert (plan.sets, plan.n) == (2, plan.positives + plan.negatives)


def _areas(rng, samples, plan, area):
    """The areas of samples, with the ends of DeLong's intervals on the logit scale."""
    positive = rng.normal(ndtri(area) * 2**0.5, 1, (samples, plan.positives))
    negative = rng.normal(0, 1, (samples, plan.negatives))
    wins = positive[..., None] > negative[:, None, :]
    of_positives, of_negatives = wins.mean(2), wins.mean(1)
    variance = of_positives.var(1, ddof=1) / plan.positives + of_negatives.var(1, ddof=1) / plan.negatives
    found = of_positives.mean(1)
    step = Z * np.sqrt(variance) / (found * (1 - found))
    return found, expit(logit(found) - step), expit(logit(found) + step)


def test_different_cases_take_more_than_the_same():
    goal = {"first": 0.85, "second": 0.8}
    apart, together = planning.unpaired_roc_auc(**goal), planning.paired_roc_auc(**goal, correlation=0.0)
    # without correlation the same cases say no more
    assert apart.positives == pytest.approx(together.positives, rel=0.02)
    assert apart.positives > planning.paired_roc_auc(**goal, correlation=0.3).positives
    assert "in each of 2 sets" in str(apart)


# Clusters
# --------------------------------------------------------------------------------------------------


@for_each("m", [1.0, 5.0, 40.0])
@for_each("cv", [0.0, 0.8])
def test_the_design_effect(m, cv):
    """Eldridge, Ashby and Kerry (2006), Equation 2, from the sizes themselves: 1 + (sum m^2 / sum m - 1)
    icc."""
    assert Clusters(m, 0.05, cv).effect == pytest.approx(1 + ((cv**2 + 1) * m - 1) * 0.05)
    sizes = np.array([m * (1 - cv), m * (1 + cv)])
    assert Clusters(m, 0.05, cv).effect == pytest.approx(1 + ((sizes**2).sum() / sizes.sum() - 1) * 0.05)


GOALS = [
    ("sensitivity", {"expected": 0.9, "at_least": 0.85, "prevalence": 0.1}),
    ("proportion", {"expected": 0.9, "width": 0.05}),
    ("roc_auc", {"expected": 0.8, "at_least": 0.75}),
    ("paired_roc_auc", {"first": 0.85, "second": 0.8, "correlation": 0.5}),
    ("unpaired_roc_auc", {"first": 0.85, "second": 0.8}),
    ("paired_proportions", {"first": 0.9, "second": 0.85}),
]


@for_each(("name", "goal"), GOALS)
def test_clusters_multiply_every_plan(name, goal):
    plain = getattr(planning, name)(**goal)
    plan = getattr(planning, name)(**goal, cluster_size=3, icc=0.2, cv=0.5)
    effect = 1 + (1.25 * 3 - 1) * 0.2
    assert plan.design_effect == pytest.approx(effect)
    assert effect * plain.n < plan.n < 1.1 * effect * plain.n  # Student's t of many clusters
    assert plan.clusters == ceil(plan.n / 3)
    assert plan.power == (None if plain.power is None else 0.8)
    assert not any("independent; several" in one for one in plan.assumptions)
    single = getattr(planning, name)(**goal, cluster_size=1, icc=0.2)
    assert plain.n <= single.n <= 1.02 * plain.n


def test_few_clusters_take_more():
    """Of 12 clusters Student's t is 2.2, not 1.96."""
    plan = planning.proportion(expected=0.9, width=0.1, cluster_size=100, icc=0.05)
    plain = planning.proportion(expected=0.9, width=0.1)
    t = stats.t.ppf(0.975, plan.n / 100 - 1)
    assert plan.n == pytest.approx(plain.n * plan.design_effect * (t / Z) ** 2, rel=1e-3)
    assert "fewer than 40 clusters" in str(plan)


def test_external_validation_in_clusters():
    plain, plan = (
        planning.external_validation(prevalence=0.1, auc=0.75, **more)
        for more in ({}, {"cluster_size": 50, "icc": 0.02})
    )
    assert plan.design_effect == pytest.approx(1.98)
    assert all(1.98 <= b.n / a.n < 2.3 for a, b in zip(plain.criteria, plan.criteria, strict=True))
    assert plan.clusters == ceil(plan.n / 50)


@pytest.mark.full
@for_each(("cluster_size", "icc", "cv"), [(4, 0.2, 0.0), (6, 0.1, 0.7), (20, 0.05, 0.4)])
def test_clustered_sensitivity_is_shown_as_often_as_planned(cluster_size, icc, cv):
    """Beta-binomial clusters; the interval is that of a ratio of cluster totals on the logit scale, with
    Student's t."""
    goal, rng = {"expected": 0.9, "at_least": 0.8}, np.random.default_rng(3)
    plan = planning.sensitivity(**goal, cluster_size=cluster_size, icc=icc, cv=cv)
    seen = np.mean([_shown(rng, plan, cluster_size, icc, cv) for _ in range(3000)])
    assert plan.power == 0.8
    assert seen == pytest.approx(0.8, abs=0.03)
    independent = planning.sensitivity(**goal)
    assert np.mean([_shown(rng, independent, cluster_size, icc, cv) for _ in range(500)]) < 0.75


def _shown(rng, plan, m, icc, cv):
    count = max(round(plan.n / m), 3)
    sizes = (
        np.maximum(np.round(rng.gamma(1 / cv**2, m * cv**2, count)), 1).astype(int)
        if cv
        else np.full(count, m)
    )
    right = rng.binomial(sizes, rng.beta(0.9 * (1 / icc - 1), 0.1 * (1 / icc - 1), count))
    p = right.sum() / sizes.sum()
    if p == 1:
        return True
    error = np.sqrt(count / (count - 1) * ((right - p * sizes) ** 2).sum()) / sizes.sum()
    return logit(p) - stats.t.ppf(0.975, count / (1 + cv**2) - 1) * error / (p * (1 - p)) >= logit(0.8)


# What goes wrong
# --------------------------------------------------------------------------------------------------

AREA = {"expected": 0.8, "width": 0.1}
WRONG = [
    ("roc_auc", AREA | {"icc": 0.1}, "icc: it is of cases in clusters; give cluster_size="),
    ("roc_auc", AREA | {"cv": 0.1}, "cv: it is of cases in clusters"),
    ("roc_auc", AREA | {"cluster_size": 5}, "icc: how strongly do the cases"),
    ("roc_auc", AREA | {"cluster_size": 0.5, "icc": 0.1}, "cluster_size: 0.5 is not possible"),
    ("roc_auc", AREA | {"cluster_size": 5, "icc": -0.1}, "icc: -0.1 is not possible"),
    ("roc_auc", AREA | {"cluster_size": 1e6, "icc": 1, "width": 0.001}, "icc: more than 10\\^9"),
    ("unpaired_roc_auc", {"first": 0.8, "second": 0.8}, "first: 0.8 is not above 0.8"),
    ("unpaired_roc_auc", {"first": 0.9, "second": 0.8, "width": 0.1, "power": 0.9},
        "power: a width is planned"),
    ("external_validation", {}, "prevalence, auc: both are needed"),
    ("external_validation", {"prevalence": 0.1}, "prevalence, auc: both are needed"),
    ("external_validation", {"prevalence": 0.1, "auc": 0.5}, "auc: 0.5 does not determine"),
    ("external_validation", {"logit_normal": (0, 1), "probability_beta": (1, 1)},
        "exactly one of logit_normal="),
    ("external_validation", {"logit_normal": 3}, "logit_normal: 3 is not two numbers"),
    ("external_validation", {"logit_normal": (0, 0)}, "logit_normal: 0 is not possible"),
    ("external_validation", {"probabilities": [0.1, 1.5]},
        r"probabilities: 1.5 in row 1 \(counted from 0\) is not a probability"),
    ("external_validation", {"probabilities": [0.0, 1.0, 0.5]}, "probabilities: no two different ones"),
    ("external_validation", {"probabilities": 0.5}, "probabilities: one value per case is needed"),
    ("external_validation", {"prevalence": 0.1, "auc": 0.8, "sensitivity": 0.9},
        "sensitivity: it is that at a threshold"),
    ("external_validation", {"prevalence": 0.1, "auc": 0.8, "slope_width": 1e-5},
        "slope_width: more than 10\\^9"),
    ("external_validation", {"prevalence": 0.1, "auc": 0.8, "ratio_width": None, "slope_width": None,
        "auc_width": None},
     "nothing is planned"),
]  # fmt: skip


@for_each(("name", "given", "text"), WRONG)
def test_bad_input_is_one_sentence(name, given, text):
    with pytest.raises(InputError, match=text) as wrong:
        getattr(planning, name)(**given)
    assert str(wrong.value).count("\n") == 0


# Answers
# --------------------------------------------------------------------------------------------------


def test_answers_print_and_travel():
    plan = planning.external_validation(
        prevalence=0.2, auc=0.8, logit_normal=(-2, 1), threshold=0.2, cluster_size=20, icc=0.05
    )
    found = json.loads(plan.to_json())
    assert (found["schema"], found["n"], found["criteria"][1]["measure"]) == (2, plan.n, "calibration_slope")
    assert max(map(len, str(plan).splitlines())) <= 80
    assert "mean of 0.1555" in str(plan)
    assert f"{plan.n:,}" in str(plan)
    with refuses("unknown-name"):
        plan["auc"]
