"""Cases that belong together: whole clusters are resampled, so that intervals are as wide as the clusters
make them."""

import numpy as np
import pytest
from refusals import refuses

import tallymark as tm
from tallymark.inference import Settings
from tallymark.inference.clustered import DependentCases
from tallymark.kernels import normal_cdf
from tallymark.summaries.samples import ScoredCases


def grouped(clusters, size, seed, shared):
    """Cases of one class per cluster, whose scores have a part in common; the AUC of the model is 0.7602
    whatever that part."""
    random = np.random.default_rng(seed)
    truth, group = np.repeat(np.arange(clusters) % 5 < 2, size), np.repeat(np.arange(clusters), size)
    common, own = random.normal(size=clusters)[group], random.normal(size=clusters * size)
    return truth, truth + shared * common + np.sqrt(1 - shared**2) * own, group


@pytest.mark.parametrize("shared", [0.0, 0.9])
def test_wider_where_cases_are_alike(shared):
    truth, score, group = grouped(60, 10, seed=3, shared=shared)
    alone, together = (
        tm.evaluate(truth=truth, score=score, **more)["roc_auc"] for more in ({}, {"clusters": group})
    )
    widths = [found.high - found.low for found in (alone, together)]
    if shared:
        assert widths[1] > 2 * widths[0]
    else:
        assert widths[1] == pytest.approx(widths[0], rel=0.35)


def test_one_case_a_group_is_the_ordinary_bootstrap():
    """Clusters of one case leave the class mix to vary, and nothing else is different."""
    truth, score, _ = grouped(300, 1, seed=4, shared=0.5)
    ev = tm.evaluate(truth=truth, score=score, clusters=np.arange(300), threshold=0.5)
    plain = tm.evaluate(truth=truth, score=score, threshold=0.5)
    for name in ("roc_auc", "accuracy", "sensitivity", "youden_j"):
        assert ev[name].high - ev[name].low == pytest.approx(plain[name].high - plain[name].low, rel=0.12)


@pytest.mark.full
def test_the_true_value_is_held():
    """95 % intervals with 40 clusters of 5 alike cases hold the AUC of the model; those that take cases one
    by one do not."""
    auc, held, naive, samples = 0.7602499, 0, 0, 200
    for seed in range(samples):
        truth, score, group = grouped(40, 5, seed=1000 + seed, shared=0.9)
        clusters = DependentCases(ScoredCases(truth, score), group)
        table = clusters.cases.table
        found = clusters.estimate(tm.measures.roc_auc, table, Settings(), {}, None)
        plain = tm.estimate("roc_auc", table)
        held, naive = held + (found.low <= auc <= found.high), naive + (plain.low <= auc <= plain.high)
    assert held >= 0.915 * samples  # 2.3 standard errors below 95 %
    assert naive < 0.8 * samples


@pytest.mark.parametrize("name", ["sensitivity", "specificity", "accuracy"])
def test_without_a_mistake_groups_count_as_cases(name):
    truth, group = np.repeat([1, 0], 50), np.repeat(np.arange(20), 5)
    found = tm.evaluate(truth=truth, predicted=truth, clusters=group)[name]
    cases = 10 if name != "accuracy" else 20
    by_group = tm.estimate("accuracy", tm.Counts(tp=cases, fp=0, fn=0, tn=0))
    assert (found.low, found.high) == pytest.approx((by_group.low, by_group.high))
    assert found.notes[0].code == "clusters-as-cases"


@pytest.mark.full
def test_every_estimate_is_honest():
    """An interval with a width around the value within the range, or a reason, for every measure, few
    clusters and many."""
    for clusters, seed in ((1, 5), (2, 6), (7, 7), (40, 8)):
        truth, score, group = grouped(max(clusters, 5), 6, seed, shared=0.7)
        ev = tm.evaluate(truth=truth, score=1 / (1 + np.exp(-score)), clusters=group % clusters)
        for name, found in ev.estimates.items():
            low, high = ev.entry(name).range
            if found.has_interval:
                assert low <= found.low < found.high <= high, name
                assert found.low <= found.value <= found.high, name
                assert clusters >= 30 or "cluster" in (found.note or "") + found.method, name
            else:
                assert found.undefined or found.note, name


@pytest.mark.full
def test_the_answer_says_how_many_groups():
    truth, score, group = grouped(30, 4, seed=9, shared=0.5)
    ev = tm.evaluate(truth=truth, score=score, clusters=[f"patient {one}" for one in group])
    assert "120 cases in 30 clusters" in str(ev)
    assert ev.to_dict()["data"]["clusters"] == 30
    assert ev.at(0.2)["sensitivity"].method == "cluster-wilson"
    assert ev.two_by_two.ratios((("sensitivity", "false_negative_rate"),))[0][1] == ev["sensitivity"]


def test_lower_is_positive_is_the_mirror():
    truth, score, group = grouped(30, 4, seed=10, shared=0.5)
    one = tm.evaluate(truth=truth, score=score, clusters=group, threshold=0.5)
    other = tm.evaluate(truth=truth, score=-score, clusters=group, higher_is_positive=False, threshold=-0.5)
    for name in ("roc_auc", "sensitivity", "average_precision"):
        assert other[name] == one[name]


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({"clusters": [1, 2]}, "clusters has 2"),
        ({"clusters": [None] + [1] * 19}, "clusters: 1 value is missing"),
    ],
)
def test_bad_input(more, sentence):
    given = {"truth": [0, 1] * 10, "score": np.arange(20), "clusters": np.arange(20) // 2} | more
    with pytest.raises(tm.InputError, match=sentence):
        tm.evaluate(**given)


def test_where_groups_are_not_known():
    given = {"truth": [0, 1] * 10, "score": np.arange(20), "clusters": np.arange(20) // 2}
    with refuses("unsupported", argument="clusters"):
        tm.biometric(**given)
    with refuses("conflict", argument="clusters"):
        tm.evaluate(counts=tm.Counts(tp=1, fp=2, fn=3, tn=4), clusters=[1])


def test_missing_groups_may_be_dropped():
    group = np.repeat(np.arange(10.0), 2)
    group[3] = np.nan
    ev = tm.evaluate(truth=[0, 1] * 10, score=np.arange(20), clusters=group, missing="drop")
    assert ev.data.dropped == 1
    assert ev.data.rows == 19


def test_a_value_at_an_end_of_its_range_has_an_interval_or_a_reason():
    """Every answer is wrong, and class weights make kappa -1: the scale of the jackknife has no place for
    it."""
    truth, weight = (
        np.array([0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0]),
        np.array([0.6] * 6 + [3, 0.6, 0.6, 3, 0.6, 0.6]),
    )
    given = {"weight": weight, "weight_kind": "importance", "clusters": np.repeat([0, 1, 2, 3], 3)}
    found = tm.evaluate(truth=truth, predicted=1 - truth, **given)["cohen_kappa"]
    assert found.value == -1
    assert found.note if not found.has_interval else found.low < found.high


@pytest.mark.parametrize("rate", ["", "_tpr"])
def test_a_partial_area_has_the_interval_of_its_standardised_value(rate):
    """On a scale of its own it went above the largest area, .1, in 6 of 40 samples of 40 clusters of 4."""
    truth, score, group = grouped(40, 4, seed=1, shared=0.5)
    names = [f"partial_auc{rate}", f"partial_auc{rate}_standardised"]
    found = tm.evaluate(truth=truth, score=score + 0.8 * truth, clusters=group, threshold=1.0, measures=names)
    plain, standardised = (found[name] for name in names)
    chance, most = 0.005, 0.1
    for bound in ("value", "low", "high"):
        area = chance + (2 * getattr(standardised, bound) - 1) * (most - chance)
        assert getattr(plain, bound) == pytest.approx(area, rel=1e-9)
    assert 0 <= plain.low < plain.value < plain.high <= most
    assert plain.standard_error == pytest.approx(2 * (most - chance) * standardised.standard_error, rel=1e-6)
    assert [note.code for note in plain.notes] == [note.code for note in standardised.notes]


DEVIATIONS = (
    "expected_calibration_error",
    "adaptive_calibration_error",
    "maximum_calibration_error",
    "rms_calibration_error",
    "debiased_rmsce",
    "top_label_ece",
    "top_label_ace",
    "brier_reliability",
    "brier_resolution",
    "brier_miscalibration",
    "log_loss_miscalibration",
)


def probabilities(clusters, size, seed, slope, shared=0.0):
    """Calibrated probabilities with their logits times a slope; they, and the classes, have a part in common
    in each cluster."""
    random, group = np.random.default_rng(seed), np.repeat(np.arange(clusters), size)

    def correlated():
        own = random.normal(size=len(group))
        return np.sqrt(shared) * random.normal(size=clusters)[group] + np.sqrt(1 - shared) * own

    logit = 1.5 * correlated() - 0.5
    truth = normal_cdf(correlated()) < 1 / (1 + np.exp(-logit))
    return {"truth": truth, "score": 1 / (1 + np.exp(-slope * logit)), "clusters": group}


@pytest.mark.full
@pytest.mark.parametrize("design", ["cohort", "case-control"])
@pytest.mark.parametrize("shape", ["clusters", "persons", "weighted"])
def test_deviations_of_repeated_cases_are_those_of_single_ones(design, shape):
    """Resolution had .42 of this width: it took cases of a cluster as independent."""
    given = probabilities(300, 1, seed=2, slope=1.6) | {"measures": DEVIATIONS, "design": design}
    given.pop("clusters")
    if shape == "weighted":
        weight = np.random.default_rng(3).choice([1.0, 2.0], 300)
        given |= {"weight": weight, "weight_kind": "importance"}
    single = tm.evaluate(**given)
    repeated = {name: np.repeat(value, 5) for name, value in given.items() if isinstance(value, np.ndarray)}
    unit = np.repeat(np.arange(300), 5)
    units = {"persons": [unit, unit]} if shape == "persons" else {"clusters": unit}
    several = tm.evaluate(**(given | repeated), **units)
    for name in DEVIATIONS:
        one, five = single[name], several[name]
        width = one.high - one.low
        assert five.low == pytest.approx(one.low, abs=0.12 * width), name
        assert five.high == pytest.approx(one.high, abs=0.12 * width), name


@pytest.mark.full
def test_deviations_in_clusters_cover():
    """60 clusters of 5 and a model that is too extreme: each of the measures has an interval that covers."""
    true = {"expected_calibration_error": 0.0704, "adaptive_calibration_error": 0.0698}
    true |= {"rms_calibration_error": 0.0745, "top_label_ece": 0.0704, "brier_resolution": 0.0688}
    true |= {"brier_miscalibration": 0.0058, "log_loss_miscalibration": 0.0304}
    samples, covered = 80, dict.fromkeys(true, 0)
    for seed in range(samples):
        found = tm.evaluate(**probabilities(60, 5, seed, 1.6, shared=0.3), measures=tuple(true))
        for name, value in true.items():
            covered[name] += found[name].low <= value <= found[name].high
    assert min(covered.values()) >= 0.875 * samples  # 3.1 standard errors below 95 %
