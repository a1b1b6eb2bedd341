"""`tallymark.calibration`: whether predicted probabilities match observed frequencies, from any cases."""

import json
import math
import re

import numpy as np
import pytest
from hypothesis import given
from looping import for_each
from refusals import refuses
from scipy.special import expit, softmax
from strategies import cases, tables, weights

import tallymark as tm
from tallymark import InputError, LogitTable, RankingTable, calibration, evaluate, measures
from tallymark.measures.families.decomposition import isotonic

RANDOM = np.random.default_rng(17)
P = np.round(RANDOM.beta(0.7, 1.1, 600), 3).clip(0.001, 0.999)
TRUTH = (RANDOM.random(600) < expit(0.6 * np.log(P / (1 - P)) - 0.3)).astype(int)  # too extreme
WEIGHT = RANDOM.choice([0.5, 1.0, 2.5], 600)
OF_THREE = RANDOM.normal(0, 2, (300, 3))
THREE = (RANDOM.random((300, 1)) > softmax(OF_THREE, axis=1).cumsum(1)).sum(1)
PLAIN = {"truth": TRUTH, "score": P}
PERFECT = {"truth": [0] * 20 + [1] * 20, "score": np.r_[np.linspace(0.1, 0.4, 20), np.linspace(0.6, 0.9, 20)]}
CASES = {
    "arrays": PLAIN,
    "weights": PLAIN | {"weight": WEIGHT},
    "logits": {"truth": TRUTH, "score": np.log(P / (1 - P)), "score_kind": "logit"},
    "class scores": {"truth": THREE, "score": softmax(OF_THREE, axis=1)},
    "class logits": {"truth": THREE, "score": OF_THREE, "score_kind": "logit"},
    "one class": {"truth": [1] * 30, "score": P[:30]},
    "constant": {"truth": [0, 1] * 30, "score": [0.3] * 60},
    "perfect": PERFECT,
    "certain": {"truth": [0, 1] * 20, "score": [0.0, 1.0] * 20},
    "certain and wrong": {"truth": [0, 1] * 20, "score": [0.0, 1.0] * 19 + [1.0, 0.0]},
    "one case": {"truth": [1], "score": [0.3]},
    "rounded beyond": {"truth": [0, 1] * 20, "score": [-1e-16, 0.7] * 19 + [0.4, 1 + 2.3e-16]},
    "single precision": {"truth": TRUTH, "score": P.astype(np.float32)},
}
every_case = for_each("given_", CASES.values(), ids=CASES)


def strict(text):
    return json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is not strict JSON"))


@pytest.mark.full
@every_case
def test_whatever_the_cases_it_is_read_printed_and_written(given_):
    found = calibration(**given_)
    text = str(found)
    assert max(map(len, text.splitlines())) <= 80, text
    assert text.isascii()
    answer = strict(found.to_json())
    assert answer == found.to_dict()
    assert list(answer) == [
        "schema", "tallymark", "answer", "data", "design", "mix_fixed_by_weights", "of_answers", "bins",
        "intervals_of_bins", "measures", "decomposition", "tests", "notices",
    ]  # fmt: skip
    assert answer["of_answers"] == ("class" in given_.get("score_kind", "") or np.ndim(given_["score"]) == 2)
    for one in answer["measures"].values():
        assert one["value"] is not None or one["undefined"]
        assert one["low"] is not None or one["undefined"] or one["note"]
    for name, parts in found.decomposition.items():
        made = parts["miscalibration"] - parts["discrimination"] + parts["uncertainty"]
        assert parts["score"] == pytest.approx(made, abs=1e-12), name
    for how in ("equal_width", "equal_mass", "isotonic"):
        curve = found.curve(how)
        assert ((curve.y >= 0) & (curve.y <= 1)).all()
        low, high = curve.band
        assert ((low <= high) & (low >= 0) & (high <= 1)).all()
        assert curve._repr_svg_().startswith("<svg")
    assert len(repr(found)) < 100


@pytest.mark.full
@every_case
def test_the_curve_of_bins_tells_the_error(given_):
    """The mean distance of its points from the diagonal, with the cases of each."""
    found = calibration(**given_, bins=7)
    curve = found.curve()
    p = found.ranking.probability
    place = np.minimum(np.searchsorted(np.arange(1, 8) / 7, p, side="left"), 6)
    weight = np.bincount(place, found.ranking.positive + found.ranking.negative, 7)
    weight = weight[weight > 0]
    ece, mce = (found[f"top_label_{name}" if found.of_answers else name] for name in ("ece", "mce"))
    assert ece.value == pytest.approx(float(weight @ np.abs(curve.y - curve.x)) / weight.sum(), abs=1e-12)
    assert mce.value == pytest.approx(np.abs(curve.y - curve.x).max(), abs=1e-12)
    assert ece.note.startswith("bins = 7")


@pytest.mark.full
def test_it_holds_the_estimates_of_the_evaluation():
    found, whole = calibration(**PLAIN), evaluate(**PLAIN)
    for name in found.estimates:
        assert found[name] == found.estimates[name] == whole[name]
    for name in ("roc_auc", "brier_score"):
        with pytest.raises(InputError, match=f"'{name}' is not measured here; .evaluation has it"):
            found[name]
    assert {"calibration_slope", "calibration_in_the_large", "debiased_ece", "brier_miscalibration"} <= set(
        found.estimates
    )
    assert found["calibration_slope"].high < 1  # too extreme, as they were made
    assert found.ranking == whole.ranking
    assert not found.of_answers
    assert found.tests[0].p_value < 0.01
    wide = calibration(**PLAIN, level=0.99)
    assert wide["ece"].level == 0.99
    assert wide["ece"].high > found["ece"].high


@pytest.mark.full
def test_calibrated_probabilities_pass():
    random = np.random.default_rng(5)
    p = random.random(2000)
    found = calibration(truth=(random.random(2000) < p).astype(int), score=p)
    assert found["calibration_slope"].low < 1 < found["calibration_slope"].high
    assert found["calibration_intercept"].low < 0 < found["calibration_intercept"].high
    assert all(test.p_value > 0.05 for test in found.tests)
    assert found.notices == ()
    band = found.curve("isotonic")
    low, high = band.band
    assert np.mean((band.y >= low) & (band.y <= high)) > 0.9
    off = calibration(**PLAIN).curve("isotonic")
    assert np.mean((off.y >= off.band[0]) & (off.y <= off.band[1])) < 0.75


@pytest.mark.full
def test_the_ways_in_give_the_same(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text(
        "y,p,w,z\n"
        + "\n".join(f"{y},{p},{w},{math.log(p / (1 - p))}" for y, p, w in zip(TRUTH, P, WEIGHT, strict=True))
        + "\n"
    )

    def plain(found):
        answer = found.to_dict()
        answer["data"].pop("source")
        answer["data"].pop("sha256", None)
        return answer

    assert plain(calibration(path, truth="y", score="p")) == plain(calibration(**PLAIN))
    assert plain(calibration(path, truth="y", score="p", weight="w")) == plain(
        calibration(**CASES["weights"])
    )
    assert calibration(path, truth="y", score="z", score_kind="logit")["ece"].value == pytest.approx(
        calibration(**PLAIN)["ece"].value
    )
    table = RankingTable.from_arrays(truth=TRUTH, score=P)
    assert plain(calibration(table))["measures"] == plain(calibration(**PLAIN))["measures"]
    logits = LogitTable.from_arrays(truth=TRUTH, score=np.log(P / (1 - P)))
    assert calibration(logits)["calibration_slope"].value == pytest.approx(
        calibration(**PLAIN)["calibration_slope"].value, rel=1e-9
    )
    for kind, given_ in (("probability", softmax(OF_THREE, axis=1)), ("logit", OF_THREE)):
        summary = evaluate(truth=THREE, score=given_, score_kind=kind).scores
        again = calibration(summary)
        assert (
            again["top_label_ece"].value
            == calibration(truth=THREE, score=given_, score_kind=kind)["top_label_ece"].value
        )
    repeated = calibration(truth=TRUTH.repeat(2), score=P.repeat(2))
    weighted = calibration(**PLAIN, weight=np.full(600, 2), weight_kind="count")
    assert plain(repeated)["measures"] == plain(weighted)["measures"]
    assert [test.statistic for test in repeated.tests] == [test.statistic for test in weighted.tests]
    half = calibration(**PLAIN, weight=np.full(600, 0.5))  # as many cases, by Kish's size
    assert [test.statistic for test in half.tests] == pytest.approx(
        [test.statistic for test in calibration(**PLAIN).tests]
    )


def test_of_classes_the_winning_one_is_looked_at():
    score = softmax(OF_THREE, axis=1)
    found = calibration(truth=THREE, score=score)
    assert found.of_answers
    right, confidence = (score.argmax(1) == THREE).astype(int), score.max(1)
    assert found.ranking == RankingTable.from_arrays(truth=right, score=confidence)
    assert found["top_label_ece"] == evaluate(truth=THREE, score=score)["top_label_ece"]
    assert found["calibration_slope"].value == pytest.approx(measures.calibration_slope(found.ranking))
    assert "right answers; the highest probability of each case" in str(found)
    assert "share right" in str(found)


@pytest.mark.full
@pytest.mark.parametrize("bins", [1, 2, 25])
def test_bins_and_groups(bins):
    found = calibration(**PLAIN, bins=bins, hl_groups=bins + 1, fitted=True)
    assert len(found.curve()) <= bins
    joined = re.match(
        r"(\d+) groups of", found.tests[1].note or ""
    )  # until enough cases are expected in each
    groups = int(joined[1]) if joined else bins + 1
    assert found.tests[1].df == groups - 2 or math.isnan(found.tests[1].p_value)
    assert found.estimates["expected_calibration_error"].value == measures.expected_calibration_error(
        **PLAIN, bins=bins
    )
    for word in (
        {"bins": 0},
        {"bins": 2.5},
        {"bins": "3"},
        {"hl_groups": 1},
        {"fitted": "no"},
        {"bins": 10_001},
    ):
        with pytest.raises(InputError, match=next(iter(word))):
            calibration(**PLAIN, **word)
    with refuses("unknown-name", "'equal'", "equal_width", argument="how"):
        found.curve("equal")


@pytest.mark.full
def test_what_is_certain_is_left_out_of_the_line_and_said():
    codes = {notice.code: notice.text for notice in calibration(**CASES["certain and wrong"]).notices}
    assert codes["certain-probabilities"].startswith("40 cases have a probability of 0 or 1")
    assert "log-loss-clipped" in codes
    one = calibration(truth=[0, 1, 0, 1], score=[0.2, 0.7, 0.6, 1.0])
    assert "1 case has a probability of 0 or 1" in str(one).replace("\n  ", " ")
    assert calibration(**CASES["certain"])["calibration_slope"].undefined
    assert calibration(**PERFECT)["calibration_slope"].undefined
    assert calibration(**CASES["constant"])["calibration_slope"].undefined
    assert calibration(**CASES["constant"])["calibration_in_the_large"].value == pytest.approx(
        math.log(7 / 3)
    )
    assert calibration(**CASES["one class"])["calibration_in_the_large"].undefined
    assert not {"class-mix", "worse-than-guessing"} & {
        notice.code for notice in calibration(**CASES["constant"]).notices
    }


BAD = [
    (
        {"truth": [0, 1], "score": [0.2, 7.0]},
        r"score: 7.0 in row 1 \(counted from 0\) is not a probability.*score_kind='logit'",
    ),
    (
        {"truth": [0, 1, 2], "score": [[0.5, 0.2, 0.2]] * 3},
        "score: in row 0 .counted from 0. the scores of a case add up to .*softmax",
    ),
    (
        {"truth": [0, 1], "predicted": [0, 1]},
        "predicted: labels and amounts have no probabilities; pass probabilities",
    ),
    (
        {"truth": [0, 1], "score": [0.2, 0.7], "score_kind": "llr"},
        "calibration needs probabilities, or logits",
    ),
    (
        {"truth": [0, 1], "score": [0.2, 0.7], "score_kind": "margin"},
        "calibration needs probabilities, or logits",
    ),
    (
        {"truth": [0, 1], "score": [0.2, 0.7], "higher_is_positive": False},
        "higher_is_positive: a higher probability",
    ),
    ({"truth": [0, 1], "score": [0.2, np.nan]}, "1 value is missing"),
    ({"truth": [0, 1]}, "Give exactly one of score=, predicted="),
    ({"score": [0.2, 0.7]}, "the actual labels are missing; pass truth="),
    ({"truth": [0, 1, 2], "score": [0.2, 0.7, 0.1]}, "truth"),
    (
        {"truth": [0, 1], "score": [0.2, 0.7], "score_kind": "logits"},
        r"'logits' is not known .did you mean 'logit'",
    ),
    ({"counts": tm.Counts(tp=1, fp=1, fn=1, tn=1)}, "probabilit"),
    (
        {"truth": [0.5, 1.5], "predicted": [1, 2], "regression": True},
        "predicted: labels and amounts have no probabilities",
    ),
]


@for_each(("given_", "said"), BAD)
def test_what_has_no_probabilities_is_refused(given_, said):
    with pytest.raises(InputError, match=said) as caught:
        calibration(**given_)
    assert str(caught.value).endswith(".")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "summary",
    [
        tm.Counts(tp=1, fp=1, fn=1, tn=1),
        tm.ConfusionMatrix(("a", "b"), [[1, 2], [3, 4]]),
        tm.Residuals([0.5], [2]),
        RankingTable([3.0, 0.2], [1, 0], [0, 1]),
        tm.ClassScores.from_arrays(truth=[0, 1, 2], score=np.eye(3) * 2),
    ],
    ids=lambda summary: type(summary).__name__,
)
def test_summaries_without_probabilities_are_refused(summary):
    with pytest.raises(InputError, match="probabilit"):
        calibration(summary)


def test_other_calls_that_are_refused():
    with refuses("by-position", argument="truth"):
        calibration(TRUTH, P)
    with refuses("empty", "empty", argument="data"):
        calibration(RankingTable.empty())


@given(table=tables())
def test_the_parts_add_up(table):
    """CORP: miscalibration - discrimination + uncertainty; and isotonic regression is calibrated, and never
    worse."""
    for score in ("brier", "log_loss"):
        whole = measures.__getattr__({"brier": "brier_score"}.get(score, score))(table)
        parts = [
            measures.__getattr__(f"{score}_{part}")(table)
            for part in ("miscalibration", "discrimination", "uncertainty")
        ]
        assert parts[0] - parts[1] + parts[2] == pytest.approx(whole, abs=1e-12)
        assert min(parts) >= 0
    fitted = isotonic(table)
    assert (np.diff(fitted) <= 1e-12).all()
    assert float(fitted @ (table.positive + table.negative)) == pytest.approx(table.positives)


@given(drawn=cases(both_classes=True, scores=(0.05, 0.25, 0.75, 0.95)), weight=weights(14))
def test_murphys_parts_add_up_where_a_bin_has_one_probability(drawn, weight):
    truth, score = drawn
    table = RankingTable.from_arrays(truth=truth, score=score, weight=weight[: len(truth)])
    parts = [
        measures.__getattr__(f"brier_{part}")(table) for part in ("reliability", "resolution", "uncertainty")
    ]
    assert parts[0] - parts[1] + parts[2] == pytest.approx(measures.brier_score(table), abs=1e-12)
