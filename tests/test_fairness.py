"""Criteria of fairness between groups: the values of fairlearn, intervals by hand, and their coverage."""

import json
from math import exp, hypot, log
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from looping import for_each
from refusals import refuses

import tallymark as tm
from tallymark.cli import main

ORACLE = json.loads((Path(__file__).parent / "oracles" / "fairness.json").read_text(encoding="utf-8"))[
    "datasets"
]


def of(name):
    given = ORACLE[name]
    return tm.evaluate(
        truth=given["truth"], predicted=given["predicted"], by=np.array(given["group"])
    ).fairness


@for_each("name", ORACLE)
def test_the_values_of_fairlearn(name):
    found = of(name)
    for criterion, (difference, ratio) in ORACLE[name]["values"].items():
        one = found[criterion]
        if criterion == "predictive_parity" and name == "never right in one":
            assert one.difference.undefined.code == "undefined-in-a-group"  # nothing is predicted positive
            continue
        assert one.difference.value == pytest.approx(difference, abs=1e-12), criterion
        if criterion == "equalised_odds" and name == "never right in one":
            assert one.ratio.undefined  # no false positives in any group; fairlearn takes the other ratio
            continue
        assert one.ratio.value == pytest.approx(ratio, abs=1e-12), criterion
        assert one.difference.low <= difference <= one.difference.high
        assert one.ratio.low <= ratio <= one.ratio.high


def test_two_groups_by_hand():
    """40 of 100 and 20 of 100 predicted positive: Wilson's intervals, combined on both scales."""
    predicted = np.r_[np.ones(40), np.zeros(60), np.ones(20), np.zeros(80)].astype(int)
    found = tm.evaluate(
        truth=np.tile([0, 1], 100), predicted=predicted, by=np.repeat(["a", "b"], 100)
    ).fairness
    one = found["demographic_parity"]
    z = 1.959963984540054

    def wilson(share, n):
        centre, half = share + z * z / (2 * n), z * (share * (1 - share) / n + z * z / (4 * n * n)) ** 0.5
        return (centre - half) / (1 + z * z / n), (centre + half) / (1 + z * z / n)

    (a, b), (c, d) = wilson(0.4, 100), wilson(0.2, 100)
    assert (one.highest, one.lowest, one.measure) == ("a", "b", "predicted_prevalence")
    assert one.difference.value == pytest.approx(0.2)
    assert one.difference.low == pytest.approx(0.2 - hypot(0.4 - a, d - 0.2))
    assert one.difference.high == pytest.approx(0.2 + hypot(b - 0.4, 0.2 - c))
    assert one.ratio.value == pytest.approx(0.5)
    assert one.ratio.low == pytest.approx(exp(log(0.5) - hypot(log(0.2 / c), log(b / 0.4))))
    assert one.ratio.high == pytest.approx(exp(log(0.5) + hypot(log(d / 0.2), log(0.4 / a))))


def test_calibration_within_groups_is_of_odds():
    rng = np.random.default_rng(3)
    p = rng.uniform(0.1, 0.9, 900)
    group = np.arange(900) % 3
    y = (rng.random(900) < 1 / (1 + np.exp(-np.log(p / (1 - p)) - 0.5 * group))).astype(int)
    table = tm.evaluate(truth=y, score=p, by=group)
    one = table.fairness["calibration_within_groups"]
    values = [table[name].estimates["calibration_in_the_large"].value for name in table]
    assert one.difference.value == pytest.approx(max(values) - min(values))
    assert one.ratio.value == pytest.approx(exp(min(values) - max(values)))
    assert (one.ratio.low, one.ratio.high) == pytest.approx(
        (exp(-one.difference.high), exp(-one.difference.low))
    )
    assert (
        "calibration_within_groups" not in tm.evaluate(truth=y, score=5 * p, by=group, threshold=2).fairness
    )


def test_calibration_within_each_group_has_intervals_that_hold_together():
    rng = np.random.default_rng(4)
    p = rng.uniform(0.1, 0.9, 900)
    group = np.where(np.arange(900) < 5, "tiny", np.where(np.arange(900) % 2, "a", "b"))
    table = tm.evaluate(truth=(rng.random(900) < p).astype(int), score=p, by=group)
    found = table.fairness
    assert list(found.calibration) == [
        "calibration_in_the_large",
        "calibration_slope",
        "expected_calibration_error",
    ]
    each = 0.95 ** (1 / 6)
    for name, every in found.calibration.items():
        assert list(every) == ["a", "b"]
        for one, shown in every.items():
            alone = table[one]
            assert shown.value == alone[name].value
            assert shown.level == pytest.approx(each)
            assert shown.low <= alone[name].low <= alone[name].high <= shown.high
    again = tm.Fairness.from_json(found.to_json())
    assert again["calibration_slope", "a"] == found.calibration["calibration_slope"]["a"]
    shown = str(found)
    assert "Calibration within groups" in shown
    assert max(map(len, shown.splitlines())) <= 80
    assert "Calibration within groups" not in str(of("four groups"))


def test_small_groups_are_left_out():
    group = np.where(np.arange(200) < 4, "tiny", np.where(np.arange(200) % 2, "a", "b"))
    rng = np.random.default_rng(0)
    y, p = rng.integers(0, 2, 200), rng.integers(0, 2, 200)
    found = tm.evaluate(truth=y, predicted=p, by={"site": group}).fairness
    assert found.left_out == ("tiny",)
    assert found.groups == ("a", "b")
    assert {one.lowest for one in found.values()} <= {"a", "b"}
    alone = tm.evaluate(truth=y, predicted=p, by=np.where(group == "tiny", "tiny", "rest")).fairness
    assert alone["equal_opportunity"].difference.undefined.code == "fewer-than-two-groups"
    assert "left out" in str(found)


def test_names_and_forms(tmp_path, capsys):
    found = of("four groups")
    assert found["equalized_odds"] is found["equalised_odds"]
    with pytest.raises(KeyError, match=r"'equal_odds' is not a criterion here"):
        found["equal_odds"]
    assert max(map(len, str(found).splitlines())) <= 80
    assert len(found.table) == 2 * len(found)
    again = tm.Fairness.from_json(found.to_json())
    assert again.table == found.table
    assert again["equalised_odds", "ratio"] == found["equalised_odds"].ratio
    path = tmp_path / "cases.csv"
    pd.DataFrame({name: ORACLE["four groups"][name] for name in ("truth", "predicted", "group")}).to_csv(path)
    given = ["evaluate", str(path), "--truth", "truth", "--predicted", "predicted", "--fairness"]
    main([*given, "--by", "group"])
    assert "demographic parity" in capsys.readouterr().out
    assert main(given) == 2
    assert "--by" in capsys.readouterr().err
    with refuses("unsupported", argument="fairness"):
        assert tm.evaluate(truth=list("abc") * 9, predicted=list("abc") * 9, by=[1, 2, 3] * 9).fairness


SETTINGS = {  # rates of the positives and of the negatives in each group
    "no difference": [(0.7, 0.2)] * 3,
    "one group apart": [(0.7, 0.2), (0.7, 0.2), (0.5, 0.35)],
    "rare predictions": [(0.3, 0.05), (0.2, 0.03)],
}


@pytest.mark.full
@for_each("name", SETTINGS)
def test_intervals_cover(name):
    rates, rng, times = SETTINGS[name], np.random.default_rng(11), 300
    size, number = 200, len(SETTINGS[name])
    prevalence = 0.4
    selected = [prevalence * a + (1 - prevalence) * b for a, b in rates]
    precision = [prevalence * a / one for (a, _), one in zip(rates, selected, strict=True)]
    of_rates = {
        "demographic_parity": [selected],
        "equal_opportunity": [[a for a, _ in rates]],
        "equalised_odds": [[a for a, _ in rates], [b for _, b in rates]],
        "predictive_parity": [precision],
    }
    inside = {(name, kind): 0 for name in of_rates for kind in ("difference", "ratio")}
    group = np.repeat(np.arange(number), size)
    for _ in range(times):
        truth = rng.random(size * number) < prevalence
        rate = np.where(truth, np.array([a for a, _ in rates])[group], np.array([b for _, b in rates])[group])
        predicted = rng.random(size * number) < rate
        found = tm.evaluate(truth=truth.astype(int), predicted=predicted.astype(int), by=group).fairness
        for criterion, values in of_rates.items():
            gap = max(max(one) - min(one) for one in values)
            least = min(min(one) / max(one) for one in values)
            one = found[criterion]
            inside[criterion, "difference"] += (
                one.difference.low - 1e-12 <= gap <= one.difference.high + 1e-12
            )
            inside[criterion, "ratio"] += one.ratio.low - 1e-12 <= least <= one.ratio.high + 1e-12
    # at least the level, less three standard errors of the simulation
    assert min(inside.values()) / times >= 0.95 - 3 * (0.95 * 0.05 / times) ** 0.5, inside


def crossed(rng, wards=40, size=12):
    """Wards whose cases are in both groups, and share what is predicted."""
    ward = np.repeat(np.arange(wards), size)
    leaning = rng.normal(size=wards)[ward]
    group = np.where(rng.random(len(ward)) < 0.5, "a", "b")
    predicted = (leaning + rng.normal(size=len(ward)) > 0).astype(int)
    truth = (leaning + rng.normal(size=len(ward)) > 0).astype(int)
    return {"truth": truth, "predicted": predicted, "clusters": ward, "by": group}


def test_clusters_that_cross_the_groups():
    table = tm.evaluate(**crossed(np.random.default_rng(3)))
    one = table.fairness["demographic_parity"]
    (pair,) = table.choose("predicted_prevalence").pairs
    ends = sorted([pair.estimate.low, pair.estimate.high], key=lambda end: end * np.sign(pair.value))
    assert one.difference.low == max(ends[0] * np.sign(pair.value), 0)
    assert one.difference.high == pytest.approx(ends[1] * np.sign(pair.value))
    assert one.ratio.low < one.ratio.value < one.ratio.high


@pytest.mark.slow
def test_coverage_where_clusters_cross_the_groups():
    rng, held = np.random.default_rng(8), 0
    for _ in range(600):
        found = tm.evaluate(**crossed(rng)).choose("predicted_prevalence").pairs[0].estimate
        held += found.low <= 0 <= found.high
    assert 0.92 <= held / 600 <= 0.98
