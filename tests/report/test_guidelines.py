"""The paragraphs for STARD and TRIPOD+AI: the figures of the evaluation, under the right items."""

import re

import numpy as np
import pytest

import tallymark as tm

COUNTS = tm.Counts(tp=90, fp=20, fn=10, tn=180)
RANDOM = np.random.default_rng(3)
TRUTH = RANDOM.integers(0, 2, 200)
SCORE = np.clip(0.3 * TRUTH + 0.7 * RANDOM.random(200), 0.01, 0.99)


def words(found):
    return " ".join(str(found).split())


def items(found):
    return {item.number: str(item) for item in found.items}


def test_stard_of_counts():
    found = tm.reporting_paragraph(tm.evaluate(counts=COUNTS))
    said = items(found)
    assert list(said) == ["14", "16", "19", "23", "24"]
    assert said["19"] == (
        "300 participants were analysed. 100 of 300 (33.3 %) had the condition (class positive)."
    )
    assert said["23"] == (
        "Of those with the condition 90 tested positive and 10 negative; of those without it 20 tested"
        " positive and 180 negative."
    )
    # Wilson's interval of 90 of 100: 0.8256 to 0.9448; of 180 of 200: 0.8506 to 0.9343
    assert said["24"].startswith(
        "Sensitivity was 0.900 (95% confidence interval 0.826 to 0.945), specificity"
    )
    assert "specificity 0.900 (0.851 to 0.934)" in said["24"]
    assert "Wilson score method for sensitivity, specificity" in said["14"]
    assert "STARD 2015" in words(found)
    assert all(f"[{number}]" in words(found) for number in said)


def test_tripod():
    ev = tm.evaluate(truth=TRUTH, score=SCORE)
    found = tm.reporting_paragraph(ev, guideline="tripod+ai")
    assert [item.number for item in found.items] == ["11", "12e", "15", "20a", "21", "23a", "23a"]
    text = words(found)
    events = int(TRUTH.sum())
    assert f"There were {events} with and {200 - events} without the outcome." in text
    assert f"The analysis included 200 participants and {events} outcome events ({events / 2:.1f} %)." in text
    slope = ev["calibration_slope"]
    assert f"the calibration slope {slope.value:.3f} ({slope.low:.3f} to {slope.high:.3f})" in text
    assert f"At the threshold 0.5 sensitivity was {ev['sensitivity'].value:.3f} (95% confidence" in text


def test_no_item_is_both_reported_and_left_to_the_authors():
    ev = tm.evaluate(truth=TRUTH, score=SCORE)
    for guideline, last in (("stard", 30), ("tripod+ai", 27)):
        found = tm.reporting_paragraph(ev, guideline=guideline)
        numbers = {item.number for item in found.items}
        left = set()
        for part in found.others:
            low, _, high = part.partition("-")
            left |= (
                {part}
                if not high
                else {*map(str, range(int(re.match(r"\d+", low)[0]), int(re.match(r"\d+", high)[0]) + 1))}
                if low.isdigit()
                else {low, high}
            )
        assert not numbers & left
        assert {int(re.match(r"\d+", one)[0]) for one in numbers | left} == set(range(1, last + 1))


def test_a_chosen_threshold_is_named_and_its_values_corrected():
    ev = tm.evaluate(truth=TRUTH, score=SCORE, rule="youden", replicates=20)
    said = items(tm.reporting_paragraph(ev))
    assert "(rule: youden; chosen on these participants)" in said["12a"]
    assert f"Sensitivity was {ev['sensitivity'].corrected:.3f}" in said["24"]
    assert said["24"].endswith("Values at the threshold are corrected for the optimism of its choice.")


def test_clusters_design_weights_and_missing_values():
    clusters = np.arange(200) // 4
    score = np.where(np.arange(200) % 50 == 0, np.nan, SCORE)
    ev = tm.evaluate(truth=TRUTH, score=score, clusters=clusters, missing="drop")
    said = items(tm.reporting_paragraph(ev))
    assert "Intervals allow for 50 clusters." in said["14"]
    assert said["16"] == "4 with missing values were left out."
    fixed = tm.evaluate(truth=TRUTH, score=SCORE, design="case-control")
    assert "fixed by the design" in items(tm.reporting_paragraph(fixed))["14"]
    weighted = tm.evaluate(truth=TRUTH, score=SCORE, weight=SCORE + 0.1)
    assert "Participants were weighted." in items(tm.reporting_paragraph(weighted))["14"]
    assert "Weighted, " in items(tm.reporting_paragraph(weighted))["19"]


def test_what_cannot_be_reported_is_refused():
    many = tm.evaluate(truth=list("abc") * 5, predicted=list("acb") * 5)
    with pytest.raises(tm.InputError, match="this evaluation is multiclass"):
        tm.reporting_paragraph(many)
    with pytest.raises(
        tm.InputError, match=r"TRIPOD.AI asks for calibration, and there are no probabilities"
    ):
        tm.reporting_paragraph(tm.evaluate(counts=COUNTS), guideline="tripod+ai")
    with pytest.raises(tm.InputError, match="guideline: 'consort' is not known"):
        tm.reporting_paragraph(tm.evaluate(counts=COUNTS), guideline="consort")


def test_it_is_saved_as_text(tmp_path):
    found = tm.reporting_paragraph(tm.evaluate(counts=COUNTS))
    found.save(tmp_path / "results.md")
    assert " ".join((tmp_path / "results.md").read_text().split()) == words(found)
