"""The paragraphs for STARD and TRIPOD+AI: the figures of the evaluation, under the right items."""

import re

import numpy as np
from refusals import refuses

import tallymark as tm
from tallymark.cli import main

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
    assert said["16"] == "4 cases with missing values were left out."
    assert "participants" not in " ".join(said.values())
    fixed = tm.evaluate(truth=TRUTH, score=SCORE, design="case-control")
    assert "fixed by the design" in items(tm.reporting_paragraph(fixed))["14"]
    weighted = tm.evaluate(truth=TRUTH, score=SCORE, weight=SCORE + 0.1)
    assert "Participants were weighted." in items(tm.reporting_paragraph(weighted))["14"]
    assert "Weighted, " in items(tm.reporting_paragraph(weighted))["19"]


def test_the_cases_of_participants_are_named_and_counted_apart():
    ev = tm.evaluate(truth=TRUTH, score=SCORE, clusters=np.arange(200) // 4)
    of_two = items(tm.reporting_paragraph(ev, unit="lesions"))
    assert of_two["19"].startswith("200 lesions in 50 participants were analysed.")
    assert f"{TRUTH.sum()} of 200" in of_two["19"]
    assert "50 participants" in of_two["14"]
    tripod = items(tm.reporting_paragraph(ev, guideline="tripod+ai", unit="lesions"))
    assert "200 lesions in 50 participants" in tripod["21"]
    with refuses("conflict", argument="unit"):
        tm.reporting_paragraph(tm.evaluate(counts=COUNTS), unit="lesions")


def test_weighted_participants_are_whole():
    weighted = tm.evaluate(truth=TRUTH, score=SCORE, weight=SCORE + 0.1)
    share = f"{100 * np.average(TRUTH, weights=SCORE + 0.1):.1f} %"
    said = items(tm.reporting_paragraph(weighted))
    assert said["19"].startswith("200 participants were analysed.")
    assert share in said["19"]
    assert not re.search(r"\d\.\d+ (participants|tested)", " ".join(said.values()))
    tripod = items(tm.reporting_paragraph(weighted, guideline="tripod+ai"))
    assert "200 participants" in tripod["21"]
    assert share in tripod["21"]
    counted = tm.evaluate(truth=TRUTH, score=SCORE, weight=np.full(200, 2), weight_kind="count")
    assert items(tm.reporting_paragraph(counted))["19"].startswith("400 participants were analysed.")


def test_a_case_control_study_has_no_predictive_values():
    fixed = tm.evaluate(truth=TRUTH, score=SCORE, design="case-control")
    found = tm.reporting_paragraph(fixed)
    named = {figure.measure for item in found.items for figure in item.figures}
    assert not named & {"precision", "negative_predictive_value"}
    assert {"sensitivity", "specificity", "roc_auc"} <= named
    assert "predictive value 0" not in words(found)
    assert "%" not in items(found)["19"]
    tripod = tm.reporting_paragraph(fixed, guideline="tripod+ai")
    assert "net_benefit" not in {figure.measure for item in tripod.items for figure in item.figures}


def test_what_cannot_be_reported_is_refused():
    many = tm.evaluate(truth=list("abc") * 5, predicted=list("acb") * 5)
    with refuses("unsupported", argument="evaluation"):
        tm.reporting_paragraph(many)
    with refuses("unsupported", argument="guideline"):
        tm.reporting_paragraph(tm.evaluate(counts=COUNTS), guideline="tripod+ai")
    with refuses("unknown-name", "'consort'", argument="guideline"):
        tm.reporting_paragraph(tm.evaluate(counts=COUNTS), guideline="consort")


def test_it_is_saved_as_text(tmp_path):
    found = tm.reporting_paragraph(tm.evaluate(counts=COUNTS))
    found.save(tmp_path / "results.txt")
    assert " ".join((tmp_path / "results.txt").read_text().split()) == words(found)


def test_predictions_that_name_no_class_are_item_15_of_stard():
    truth, predicted = ["y", "x", "y", "x", "y", "x"], ["y", "x", "ERROR", "x", "y", "y"]
    ev = tm.evaluate(truth=truth, predicted=predicted, not_an_answer=["ERROR"], positive="y")
    found = tm.reporting_paragraph(ev)
    assert "neither class, 16.7 % of all, were counted as wrong." in items(found)["15"]
    assert "15" not in found.others


def test_the_command_writes_the_paragraph(tmp_path, capsys):
    frame = tmp_path / "cases.csv"
    frame.write_text("y,p\n" + "".join(f"{y},{p}\n" for y, p in zip(TRUTH, SCORE, strict=True)))
    page, call = tmp_path / "paper.md", ["evaluate", str(frame), "--truth", "y", "--score", "p"]
    assert main([*call, "--guideline", "stard", "--report", str(page)]) == 0
    found = tm.reporting_paragraph(tm.evaluate(str(frame), truth="y", score="p"))
    assert capsys.readouterr().out.startswith(f"{found}\n")
    assert "[24\\]" in page.read_text()
    assert main([*call, "--guideline", "stord"]) == 2
    assert "did you mean 'stard'" in capsys.readouterr().err
