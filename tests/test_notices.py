"""Findings rest on intervals: what sets them off, and how often by chance. The tables are in
docs/notices.md."""

import sys
from pathlib import Path

import numpy as np
import pytest
from looping import for_each, in_part
from scipy.special import expit
from scipy.stats import binom

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "docs"))

import simulated_faults
import simulated_notices

from tallymark import Counts, RankingTable, evaluate
from tallymark.evaluation.notices import RULES

FINDINGS = {rule.code for rule in RULES if rule.finding}
RARE = np.linspace(-8.0, -1.5, 400)  # true logits


def found(given, true=RARE, each=1000.0):
    """The findings where each logit is given to `each` cases that are positive as often as the true one
    says."""
    order = np.argsort(-np.asarray(given))
    positive = np.round(each * expit(true))[order]
    table = RankingTable(expit(np.asarray(given)[order]), positive, each - positive)
    return {notice.code for notice in evaluate(table).notices} & FINDINGS


def test_correct_probabilities_of_a_rare_event_have_no_finding():
    assert found(RARE) == set()
    assert found(RARE, each=20_000.0) == set()


def test_an_overestimate_is_not_under_confidence():
    assert found(RARE + 0.4) == {"overestimation"}
    assert found(RARE - 0.4) == {"underestimation"}


def test_a_slope_is_found_for_a_rare_event():
    """Shifted so that the probabilities add up to the number of positives."""
    for slope, shift, code in ((0.6, 1.574, "over-confident"), (1.67, -1.132, "under-confident")):
        assert found(RARE / slope + shift) == {code}


def test_a_reversed_direction_is_not_over_confidence():
    assert found(-9.5 - RARE) == {"auc-below-half", "worse-than-guessing"}


def test_a_difference_of_no_consequence_is_no_finding():
    large = {"each": 1e6}
    assert found(RARE + 0.05, **large) == found(RARE * 1.05 + 0.16, **large) == set()
    assert found(RARE + 0.15, **large) == {"overestimation"}


@pytest.mark.full
def test_a_notice_is_the_same_for_very_many_scores():
    """Above 5,000 scores the intervals are those of pooled ones; the values in the text are those of all."""
    rng = np.random.default_rng(3)
    z = rng.normal(-1, 1.2, 50_000)
    truth = rng.random(len(z)) < expit(z)
    for score, codes in (
        (z, set()),
        (z * 1.5, {"over-confident", "underestimation"}),
        (0.5 + z, {"overestimation"}),
    ):
        for given in ({"score": expit(score)}, {"score": score, "score_kind": "logit"}):
            ev = evaluate(truth=truth, **given)
            assert {notice.code for notice in ev.notices} == codes
            for notice in ev.notices:
                name = "calibration_slope" if "confident" in notice.code else "calibration_in_the_large"
                held = ev[name]
                title = name.replace("_", " ")
                assert f"{title} is {held.value:.3f} [{held.low:.3f}, {held.high:.3f}]" in notice.text


def test_the_level_of_the_printed_intervals_decides_nothing():
    rng = np.random.default_rng(4)
    z = rng.normal(-1, 1, 400)
    truth = rng.random(len(z)) < expit(z)
    codes = [
        [n.code for n in evaluate(truth=truth, score=expit(z + 0.35), level=level).notices]
        for level in (0.5, 0.95, 0.9999)
    ]
    assert codes[0] == codes[1] == codes[2] == ["overestimation"]


def test_weights_count_as_the_cases_that_they_stand_for():
    """Over-confident with 1,000 cases; with weights of an effective 15 of them nothing is shown."""
    truth, score = np.arange(1000) % 5 == 0, np.where(np.arange(1000) % 2, 0.3, 0.7)
    truth = np.where(np.arange(1000) < 500, truth, ~truth)
    few = np.where(np.arange(1000) % 67, 1e-6, 1.0)
    assert {"over-confident"} <= {notice.code for notice in evaluate(truth=truth, score=score).notices}
    codes = {notice.code for notice in evaluate(truth=truth, score=score, weight=few).notices}
    assert codes & FINDINGS == set()


def test_cases_in_groups_count_as_the_groups_show():
    """Six of eight hospitals have reversed scores. 160 independent cases, or 80 pairs, show it; eight
    clusters do not."""
    case = np.arange(160)
    truth, reversed_ = case % 2 == 0, case < 120
    score = 0.5 + np.where(truth != reversed_, 0.1, -0.1) + np.sin(case) / 30
    assert "auc-below-half" in {notice.code for notice in evaluate(truth=truth, score=score).notices}
    for size, shown in ((2, True), (20, False)):
        codes = {notice.code for notice in evaluate(truth=truth, score=score, clusters=case // size).notices}
        assert ("auc-below-half" in codes) is shown


def test_case_control_data_say_nothing_of_the_level():
    """As many cases as controls were drawn: probabilities of a rare event add up to too few positives. The
    slope remains."""
    rng = np.random.default_rng(8)
    z = rng.normal(-3, 1, 60_000)
    truth = rng.random(len(z)) < expit(z)
    kept = np.r_[np.flatnonzero(truth)[:1000], np.flatnonzero(~truth)[:1000]]
    for design, codes in (("cohort", {"underestimation", "worse-than-guessing"}), ("case-control", set())):
        right = evaluate(truth=truth[kept], score=expit(z[kept]), design=design)
        assert {notice.code for notice in right.notices} & FINDINGS == codes
        extreme = evaluate(truth=truth[kept], score=expit(2 * z[kept] + 3), design=design)
        assert "over-confident" in {notice.code for notice in extreme.notices}


def test_a_screening_test_is_no_fault():
    """Its accuracy and its f1 are below those of constant answers, and it is far better than chance."""
    counts = Counts(tp=18, fp=200, fn=2, tn=780)
    assert {notice.code for notice in evaluate(counts).notices} & FINDINGS == set()


def said(**given):
    """The texts of an evaluation's notices, by code."""
    return {one.code: one.text for one in evaluate(**given).notices}


def test_one_answer_is_a_fault_where_the_share_of_positives_contradicts_it():
    rng = np.random.default_rng(6)
    p = expit(rng.normal(-4, 0.5, 3000))
    rare = rng.random(3000) < p
    assert said(truth=rare, score=p) == {}
    for truth, high, answer, way in ((rare, 1 - p, "positive", "below"), (~rare, p, "negative", "above")):
        for given in ({"score": high}, {"score": np.log(high / (1 - high)), "score_kind": "logit"}):
            text = said(truth=truth, **given)["one-answer"]
            assert text.startswith(f"Every case is predicted {answer} at the threshold")
            assert f"{way} 0.5: the probabilities cannot be correct" in text
            assert "choose_threshold" in text
    # screening: all positive, prevalence above the threshold
    assert "one-answer" not in said(truth=rare, score=p, threshold=0.001)
    assert "below 0.5: the probabilities" in said(truth=rare, score=1 - p, threshold=0.5)["one-answer"]
    assert "below 0.9" in said(truth=rare, score=np.maximum(1 - p, 0.9), threshold=0.9)["one-answer"]


def test_one_answer_of_labels_and_of_several_classes():
    few = np.arange(100) < 30
    assert (
        "the other prediction is right more often"
        in said(truth=few, predicted=np.ones(100, int))["one-answer"]
    )
    assert "one-answer" not in said(truth=few, predicted=np.zeros(100, int))
    assert "one-answer" not in said(truth=np.arange(100) < 50, predicted=np.ones(100, int))
    truth = np.repeat(["a", "b", "c"], [60, 30, 10])
    assert "a has more cases (60 of 100)" in said(truth=truth, predicted=np.full(100, "c"))["one-answer"]
    assert "one-answer" not in said(truth=truth, predicted=np.full(100, "a"))
    near = np.repeat(["a", "b", "c"], [36, 34, 30])
    assert "one-answer" not in said(truth=near, predicted=np.full(100, "c"))


def balanced(truth):
    """Weights that give each class the same in all."""
    return len(truth) / 2 / np.bincount(truth.astype(int))[truth.astype(int)]


@pytest.mark.full
def test_with_class_weights_a_fault_must_show_with_and_without_them():
    rng = np.random.default_rng(12)
    z = rng.normal(-3, 1, 6000)
    truth = rng.random(len(z)) < expit(z)
    given = {"truth": truth, "weight": balanced(truth), "weight_kind": "importance"}
    for factor in (1.0, 7.3):
        scaled = given | {"weight": factor * given["weight"]}
        assert set(said(**scaled, score=expit(z))) == {"importance-weights", "class-weights"}
    text = said(**given, score=expit(z))["class-weights"]
    assert f"from {truth.mean():.3g} to 0.5" in text
    for_mix = expit(z - np.log(truth.mean() / (1 - truth.mean())))  # correct for the weighted cases
    assert FINDINGS & set(said(**given, score=for_mix)) == set()
    assert FINDINGS & set(said(**given, score=expit(z - 1))) == {"underestimation"}
    assert FINDINGS & set(said(**given, score=expit(5 + z))) == {"overestimation", "worse-than-guessing"}
    assert "over-confident" in said(**given, score=expit(2 * z + 3))
    assert "class-weights" not in said(
        truth=truth, score=expit(z), weight=rng.uniform(0.5, 2, len(z)), weight_kind="importance"
    )


def test_with_class_weights_of_several_classes():
    rng = np.random.default_rng(13)
    logits = np.array([1.0, 0.0, -2.0]) + rng.normal(0, 1, (4000, 3))
    truth = (logits + rng.gumbel(size=logits.shape)).argmax(1)
    score = np.exp(logits) / np.exp(logits).sum(1, keepdims=True)
    given = {
        "truth": truth,
        "classes": range(3),
        "weight": 1 / np.bincount(truth)[truth],
        "weight_kind": "importance",
    }
    assert FINDINGS & set(said(**given, score=score)) == set()
    assert "class-weights" in said(**given, score=score)
    sharp = score**3 / (score**3).sum(1, keepdims=True)
    assert "over-confident" in said(**given, score=sharp)


def test_few_cases_names_the_size_that_validations_are_asked_for():
    (said,) = [one for one in evaluate(Counts(tp=5, fp=9, fn=2, tn=90)).notices if one.code == "few-cases"]
    assert said.text.startswith("Only 7 positives:")
    assert "100 or more of each class" in said.text
    assert said.source == "Vergouwe et al. 2005; Collins et al. 2016"
    assert "few-cases" not in [one.code for one in evaluate(Counts(tp=8, fp=9, fn=2, tn=90)).notices]


# Simulated
# --------------------------------------------------------------------------------------------------

SAMPLES, LIMIT = 300, 0.02
MOST = binom.ppf(0.999, SAMPLES, LIMIT) / SAMPLES  # 5 %: of 2 % in truth one in a thousand is above
FLAWLESS = [  # prevalence, area, cases, whether of predicted labels alone
    (0.5, 0.6, 100, False), (0.5, 0.9, 1000, False), (0.05, 0.6, 1000, False), (0.05, 0.9, 100, False),
    (0.01, 0.75, 1000, False), (0.01, 0.6, 100, False), (0.05, 0.6, 1000, True), (0.2, 0.9, 100, True),
]  # fmt: skip


@in_part(8)
@for_each("setting", FLAWLESS, ids=str)
def test_correct_probabilities_seldom_have_a_finding(setting):
    shares = simulated_notices.shares(
        SAMPLES, simulated_notices.of_calibrated(*setting), FLAWLESS.index(setting)
    )
    assert {code: share for code, share in shares.items() if code in FINDINGS and share > MOST} == {}


@pytest.mark.full
@for_each("setting", [((1, 1, 1), 2.0, 300), ((12, 7, 1), 0.7, 1000)], ids=str)
def test_correct_probabilities_of_classes_seldom_have_a_finding(setting):
    shares = simulated_notices.shares(SAMPLES, simulated_notices.of_calibrated_classes(*setting), 7)
    assert {code: share for code, share in shares.items() if code in FINDINGS and share > MOST} == {}


@in_part(4)
@for_each(
    "name",
    ["slope 0.6", "slope 1.67", "shift -0.8", "shift +0.8", "unrelated to the truth", "direction reversed"],
)
@for_each("prevalence", [0.5, 0.2])
def test_a_fault_is_found(name, prevalence):
    expected = simulated_faults.FAULTS[name][0]
    shares = simulated_notices.shares(50, simulated_faults.of_fault(name, prevalence, 0.75, 2000), 8)
    assert shares[expected] > 0.9
    if "slope" in name or "shift" in name:
        others = FINDINGS - {expected}
        # 2 % in truth: 8 of 50 one in a million
        assert {code: shares[code] for code in others if shares[code] > 0.16} == {}


PAGE = Path(simulated_notices.__file__).with_name("notices.md").read_text(encoding="utf-8")


def rows_of(name):
    """Of a table of docs/notices.md."""
    lines = PAGE.split(f"<!-- {name} -->")[1].splitlines()
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines if line.startswith("| ")][1:]


def test_every_notice_is_in_the_table_of_false_alarms_and_no_finding_is_above_2_percent():
    shares = {code.strip("`"): cells for code, _, *cells, _ in rows_of("flawless")}
    assert shares.keys() == {rule.code for rule in RULES}
    above = {
        code: shares[code]
        for code in FINDINGS
        if max((float(cell) for cell in shares[code] if cell.strip()), default=0)
        > 100 * simulated_notices.HIGHEST
    }
    assert not above
    assert all(any(map(str.strip, shares[code])) for code in FINDINGS)


def test_every_finding_has_a_fault_in_the_table_of_power():
    assert {row[2].strip("`") for row in rows_of("faulty")} == FINDINGS
    assert {code for code, _ in simulated_faults.faulty().values()} == FINDINGS


CONFIDENCE = "confidence-of-the-predicted-class"


def test_the_confidence_of_the_predicted_class_is_recognised():
    """As by `proba.max(axis=1)`: no probability is below 0.5."""
    random, code = np.random.default_rng(0), CONFIDENCE
    for share in (0.3, 0.5):
        p = expit(np.log(share / (1 - share)) + 1.8 * random.normal(size=400))
        truth = (random.random(400) < p).astype(int)
        found = {notice.code for notice in evaluate(truth=truth, score=np.maximum(p, 1 - p)).notices}
        assert code in found
        assert not {"over-confident", "overestimation"} & found  # which recommend to recalibrate
        assert code not in {notice.code for notice in evaluate(truth=truth, score=p).notices}


@pytest.mark.full
def test_other_probabilities_above_a_half_are_not_taken_for_it():
    random, alarms = np.random.default_rng(0), 0
    for _ in range(60):
        p = random.uniform(0.5, 1, 200)
        truth = (random.random(200) < 0.5).astype(int)
        ranked = expit(np.abs(random.normal(size=200) + 1.5 * truth - 0.2))
        for given in (
            {"truth": (random.random(200) < p).astype(int), "score": p},
            {"truth": truth, "score": ranked},
        ):
            alarms += CONFIDENCE in {notice.code for notice in evaluate(**given).notices}
    assert alarms <= 2  # of 120
