"""Verification by comparison: every rate against a plain loop, the ways in, what is said beside the numbers,
what is refused."""

import contextlib
import json
import math
import re
import tomllib
from fractions import Fraction
from itertools import pairwise, product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st
from looping import for_each, in_part
from refusals import refuses
from scipy.special import ndtri
from sklearn.isotonic import IsotonicRegression
from strategies import FRACTIONS, SCORES, cases, same, weights

import tallymark
from tallymark import InputError, RankingTable, biometric, evaluate
from tallymark.evaluation.biometrics import FMRS, SUMMARY
from tallymark.measures import min_cllr
from tallymark.measures.titles import title

EXAMPLES = {
    one["id"]: one
    for one in tomllib.loads((Path(__file__).parent / "worked_examples.toml").read_text())["example"]
}
TABLE_1 = EXAMPLES["tharwat-table-1"]
SHARES = (0.0, 0.1, 0.2, 0.25, 0.3, 1 / 3, 0.5, 0.75, 1.0)
LLRS = (-math.inf, -3.0, -0.5, 0.0, 0.25, 2.0, math.inf)
RANDOM = np.random.default_rng(8)
GENUINE, IMPOSTOR = (np.round(RANDOM.normal(mean, 1, size), 1) for mean, size in ((2, 60), (0, 90)))
MEASURED = biometric(genuine=GENUINE, impostor=IMPOSTOR, fmr=(0.1, 0.05))


def labelled(**how):
    return cases(both_classes=True, max_size=20, **how)


def apart(truth, score):
    return score[truth == 1], score[truth == 0]


def of(truth, score, **how):
    genuine, impostor = apart(truth, score)
    return biometric(genuine=genuine, impostor=impostor, **how)


def points(genuine, impostor):
    """(threshold, FMR, FNMR) from accepting nobody on, in exact fractions."""
    yield math.inf, Fraction(0), Fraction(1)
    for limit in sorted({*genuine.tolist(), *impostor.tolist()}, reverse=True):
        accepted, refused = sum(score >= limit for score in impostor), sum(score < limit for score in genuine)
        yield limit, Fraction(int(accepted), len(impostor)), Fraction(int(refused), len(genuine))


def rates(truth, score):
    return [(fmr, fnmr) for _, fmr, fnmr in points(*apart(truth, score))]


def crossing(one, other):
    """Where the line between two points has equal rates; None where it has not."""
    (f0, m0), (f1, m1) = one, other
    before, after = f0 - m0, f1 - m1
    if not before <= 0 <= after:
        return None
    return f0 if before == after else f0 - before * (f1 - f0) / (after - before)


def said(found, code):
    return [notice.text for notice in found.notices if notice.code == code]


def strict(text):
    return json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is not strict JSON"))


def fits(found):
    return all(len(line) <= 80 for line in str(found).splitlines())


# Two ways in
# --------------------------------------------------------------------------------------------------


@given(labelled())
def test_two_lists_are_labels_and_scores(drawn):
    truth, score = drawn
    assert of(truth, score).to_dict() == biometric(truth=truth, score=score).to_dict()


@pytest.mark.parametrize(
    "kind",
    [list, tuple, np.array, lambda scores: np.array(scores, np.float32), lambda s: np.array(s)[:, None]],
)
def test_scores_of_any_kind(kind):
    found = biometric(genuine=kind([3.0, 1.5]), impostor=kind([0.5, 2.0, 1.0]), fmr=(0.5,))
    assert found.to_dict() == biometric(genuine=[3.0, 1.5], impostor=[0.5, 2.0, 1.0], fmr=(0.5,)).to_dict()


def test_frames_and_named_labels():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"same": ["yes", "no", "yes", "no"], "how": [0.9, 0.4, 0.3, 0.1]})
    found = biometric(frame, truth="same", score="how", positive="yes")
    assert found.to_dict() == biometric(genuine=frame["how"][::2], impostor=frame["how"][1::2]).to_dict()


@given(labelled(scores=(*SCORES, -2.5, math.inf, -math.inf)))
def test_distances_mirror_negated_similarities(drawn):
    truth, score = drawn
    one, other = of(truth, score, similarity=False, fmr=(0.0, 0.3)), of(truth, -score, fmr=(0.0, 0.3))
    assert list(one.estimates.values()) == list(other.estimates.values())
    for rate in one.fmrs:
        assert one.fnmr_at[rate][0] == other.fnmr_at[rate][0]
        assert one.fnmr_at[rate][1] == -other.fnmr_at[rate][1]
    for name in ("det", "roc"):
        turned, plain = one.curve(name), other.curve(name)
        assert np.array_equal(turned.x, plain.x)
        assert np.array_equal(turned.threshold, -plain.threshold)


def test_distances_in_a_table_are_not_taken_for_similarities():
    """A table holds no direction: it is turned, or refused, and never read the other way round in silence."""
    table = RankingTable.from_arrays(truth=[1, 1, 0, 0], score=[1.0, 2.0, 3.0, 4.0])
    with contextlib.suppress(InputError):
        assert biometric(table, similarity=False).estimates["equal_error_rate"].value == 0


@pytest.mark.parametrize("values", [(1.0, 2.0, 3.0), (0.3, 0.7, 1.0, 2.5)])
def test_weights(values):
    @given(st.data())
    def check(data):
        truth, score = data.draw(labelled())
        weight = data.draw(weights(len(truth), values))
        found = biometric(truth=truth, score=score, weight=weight, fmr=(0.25,))
        genuine, impostor = (
            [(s, w) for y, s, w in zip(truth, score, weight, strict=True) if y == k] for k in (1, 0)
        )
        total = [sum(w for _, w in part) for part in (genuine, impostor)]
        assert (found.mated, found.non_mated) == pytest.approx(total)
        rate, limit = found.fnmr_at[0.25]
        assert rate.value == pytest.approx(sum(w for s, w in genuine if s < limit) / total[0], abs=1e-12)
        assert sum(w for s, w in impostor if s >= limit) / total[1] <= 0.25 + 1e-9

    check()


def test_a_weight_of_two_is_the_comparison_twice():
    truth, score, weight = (
        np.array([1, 1, 0, 0, 0]),
        np.array([3.0, 1.0, 2.0, 0.0, 1.0]),
        np.array([2, 1, 1, 3, 2]),
    )
    twice = biometric(truth=truth.repeat(weight), score=score.repeat(weight))
    weighted = biometric(truth=truth, score=score, weight=weight, weight_kind="count").to_dict()
    assert (weighted["weight_kind"], twice.to_dict()["weight_kind"]) == ("count", None)
    assert weighted | {"weight_kind": None} == twice.to_dict()


@pytest.mark.parametrize("weight", [None, np.tile([0.5, 0.25, 1.5, 0.7, 1.1], 30)])
def test_the_rates_asked_for_are_estimated_as_the_evaluation_does(weight):
    """With weights that are not whole, too: for as many comparisons as they stand for."""
    truth, score = np.repeat([1, 0], [60, 90]), np.concatenate([GENUINE, IMPOSTOR])
    found = biometric(truth=truth, score=score, weight=weight, fmr=(0.2,))
    parameters = {"fnmr_at_fmr": {"fmr": 0.2}}
    assert (
        found.fnmr_at[0.2][0]
        == evaluate(truth=truth, score=score, weight=weight, parameters=parameters)["fnmr_at_fmr"]
    )


# Rates
# --------------------------------------------------------------------------------------------------


@given(labelled(scores=(*SCORES, -math.inf, math.inf)))
def test_fnmr_at_each_fmr_and_its_threshold(drawn):
    genuine, impostor = apart(*drawn)
    found = biometric(genuine=genuine, impostor=impostor, fmr=SHARES)
    assert list(found.fnmr_at) == list(SHARES)
    for asked, (rate, limit) in found.fnmr_at.items():
        allowed = [p for p in points(genuine, impostor) if p[1] <= Fraction(asked).limit_denominator(1000)]
        smallest = min(fnmr for _, _, fnmr in allowed)
        assert rate.value == pytest.approx(float(smallest), abs=1e-12)
        assert limit == max(t for t, _, fnmr in allowed if fnmr == smallest)


@pytest.mark.full
@given(labelled(), st.booleans())
def test_the_counts_at_a_threshold_give_its_rates(drawn, similarity):
    found = of(*drawn, similarity=similarity, fmr=SHARES)
    for asked, (rate, limit) in found.fnmr_at.items():
        there = found.evaluation.at(limit)
        assert there["false_positive_rate"].value <= asked + 1e-12
        assert there["false_negative_rate"].value == pytest.approx(rate.value, abs=1e-12)


def test_scores_in_single_precision_keep_their_thresholds():
    found = biometric(
        genuine=np.array([0.7, 0.9], np.float32),
        impostor=np.array([0.1, 0.3], np.float32),
        fmr=(0.1,),
        threshold=0.7,
    )
    assert found.at_threshold["FNMR"].value == 0
    assert found.evaluation.at(found.fnmr_at[0.1][1])["false_negative_rate"].value == 0


@given(labelled())
def test_equal_error_rates(drawn):
    found = of(*drawn).estimates
    steps = rates(*drawn)
    (interpolated,) = {at for at in (crossing(*pair) for pair in pairwise(steps)) if at is not None}
    nearest = min(steps, key=lambda point: abs(point[0] - point[1]))
    mixed = min(at for at in (crossing(*pair) for pair in product(steps, repeat=2)) if at is not None)
    assert found["equal_error_rate"].value == pytest.approx(float(interpolated), abs=1e-12)
    assert found["equal_error_rate_nearest"].value == pytest.approx(float(sum(nearest) / 2), abs=1e-12)
    assert found["equal_error_rate_hull"].value == pytest.approx(float(mixed), abs=1e-12)


def test_equal_error_rates_of_tharwats_table():
    found = biometric(truth=TABLE_1["label"], score=TABLE_1["score"], fmr=(0.1,), threshold=0.45)
    assert found.estimates["equal_error_rate"].value == pytest.approx(2 / 5, rel=1e-14)
    assert found.estimates["equal_error_rate_nearest"].value == pytest.approx(2 / 5, rel=1e-14)
    # On the hull between (0.1, 0.5) and (0.5, 0.8): 1 - f = 0.5 + 0.75 (f - 0.1).
    assert found.estimates["equal_error_rate_hull"].value == pytest.approx(23 / 70, rel=1e-14)
    assert found.at_threshold["FMR"].value == found.at_threshold["FNMR"].value == pytest.approx(2 / 5)
    assert (found.fnmr_at[0.1][0].value, found.fnmr_at[0.1][1]) == (0.5, 0.6)


def test_three_equal_error_rates_by_hand():
    """(FMR, FNMR): (0, 1), (0, 3/4), (1/3, 3/4), (1/3, 1/4), (1/3, 0), ..."""
    found = biometric(genuine=[7, 5, 5, 4], impostor=[6, 2, 1]).estimates
    # straight down from 3/4 to 1/4 at an FMR of 1/3
    assert found["equal_error_rate"].value == pytest.approx(1 / 3)
    assert found["equal_error_rate_nearest"].value == pytest.approx((1 / 3 + 1 / 4) / 2)
    # between (0, 3/4) and (1/3, 0): f = 3/4 - 9/4 f
    assert found["equal_error_rate_hull"].value == pytest.approx(3 / 13)


def test_at_a_threshold():
    found = biometric(genuine=GENUINE, impostor=IMPOSTOR, threshold=1.0)
    assert list(found.at_threshold) == ["FMR", "FNMR"]
    assert found.at_threshold["FMR"].value == pytest.approx((IMPOSTOR >= 1).mean())
    assert found.at_threshold["FNMR"].value == pytest.approx((GENUINE < 1).mean())
    assert found.at_threshold["FMR"] == evaluate(counts=found.evaluation.counts)["false_positive_rate"]
    assert "At the threshold 1\n" in str(found)
    assert re.search(rf"^FNMR +{(GENUINE < 1).mean():.3f} ", str(found), re.M)


def test_no_threshold_given_none_reported():
    for found in (MEASURED, biometric(genuine=GENUINE, impostor=IMPOSTOR, rule="youden")):
        assert found.at_threshold == found.to_dict()["at_threshold"] == {}
        assert "\nat " not in str(found)


@pytest.mark.full
def test_the_measures_are_those_of_evaluate():
    whole = evaluate(truth=np.repeat([1, 0], [60, 90]), score=np.concatenate([GENUINE, IMPOSTOR]))
    assert list(MEASURED.estimates) == [name for name in SUMMARY if name != "cllr"]
    assert MEASURED.estimates == {name: whole[name] for name in MEASURED.estimates}
    assert dict(MEASURED.evaluation) == dict(whole)
    assert biometric(genuine=[1], impostor=[0]).fmrs == FMRS == (1e-2, 1e-3, 1e-4, 1e-5, 1e-6)


def test_settings_reach_every_rate():
    level = {
        rate: biometric(genuine=GENUINE, impostor=IMPOSTOR, fmr=(0.2,), level=rate).fnmr_at[0.2][0]
        for rate in (0.8, 0.99)
    }
    assert level[0.99].low < level[0.8].low < level[0.8].high < level[0.99].high
    costs = biometric(genuine=GENUINE, impostor=IMPOSTOR, parameters={"min_dcf": {"prior": 0.5}})
    assert costs.estimates["min_dcf"].value == pytest.approx(
        float(min(fmr + fnmr for _, fmr, fnmr in points(GENUINE, IMPOSTOR))) / 2
    )


# Log-likelihood ratios
# --------------------------------------------------------------------------------------------------


def bits(genuine, impostor):
    """Cllr by its formula."""
    missed = [
        0.0 if s == math.inf else math.inf if s == -math.inf else math.log2(1 + math.exp(-s)) for s in genuine
    ]
    false = [
        0.0 if s == -math.inf else math.inf if s == math.inf else math.log2(1 + math.exp(s)) for s in impostor
    ]
    return (sum(missed) / len(missed) + sum(false) / len(false)) / 2


@given(labelled(scores=LLRS))
def test_cllr(drawn):
    found = of(*drawn, score_kind="llr")
    wanted = bits(*map(np.ndarray.tolist, apart(*drawn)))
    assert found.estimates["cllr"].value == pytest.approx(wanted, rel=1e-12)
    assert found.estimates["min_cllr"].value <= wanted + 1e-12
    assert list(found.estimates) == list(name for name in SUMMARY if name in found.estimates)
    assert strict(found.to_json())["measures"]["cllr"]["value"] == (
        pytest.approx(wanted) if wanted < math.inf else None
    )
    assert fits(found)


def test_cllr_by_hand():
    """log2(1 + 1/3), log2(1 + 1) of the mated; log2(1 + 1/7) of the non-mated."""
    found = biometric(genuine=[math.log(3), 0.0], impostor=[-math.log(7)], score_kind="llr").estimates["cllr"]
    assert found.value == pytest.approx((math.log2(8 / 3) / 2 + math.log2(8 / 7)) / 2, rel=1e-12)


def test_infinitely_wrong_and_infinitely_right():
    right = biometric(
        genuine=[math.inf, math.inf], impostor=[-math.inf, -math.inf], score_kind="llr"
    ).estimates["cllr"]
    wrong = biometric(genuine=[1.0, -math.inf], impostor=[-1.0, 0.0], score_kind="llr").estimates["cllr"]
    assert right.value == 0
    assert (wrong.value, wrong.has_interval) == (math.inf, False)


def test_cllr_is_left_out_of_other_scores():
    assert "cllr" not in MEASURED.estimates
    for found in (MEASURED.evaluation, evaluate(truth=[0, 1, 1], score=[0.1, 0.2, 0.9])):
        with refuses("unsupported", "score_kind='llr'"):
            found["cllr"]


@given(st.data())
def test_min_cllr_is_that_of_isotonic_regression(data):
    truth, score = data.draw(labelled())
    weight = data.draw(st.none() | weights(len(truth), FRACTIONS[2:]))
    case = np.ones(len(truth)) if weight is None else weight
    share = IsotonicRegression().fit_transform(score, truth, sample_weight=case)
    total = [float(case[truth == k].sum()) for k in (0, 1)]
    with np.errstate(divide="ignore"):
        llr = np.log(share) - np.log1p(-np.minimum(share, 1)) + np.log(total[0] / total[1])
        surprise = np.logaddexp(0, np.where(truth == 1, -llr, llr)) / math.log(2)
    wanted = sum(float((case * surprise)[truth == k].sum()) / total[k] for k in (0, 1)) / 2
    assert min_cllr(RankingTable.from_arrays(truth=truth, score=score, weight=weight)) == pytest.approx(
        wanted, abs=1e-9
    )
    assert weight is not None or of(truth, score).estimates["min_cllr"].value == pytest.approx(
        wanted, abs=1e-9
    )


def test_min_cllr_has_an_interval_with_very_unequal_weights():
    """A resample may all but lose a comparison of little weight; that is no reason for a warning of
    NumPy's."""
    truth, score, weight = [1, 1, 0, 0, 0], [0.9, 0.5, 0.5, 0.1, 0.9], [100.0, 100.0, 100.0, 100.0, 0.1]
    assert 0 < biometric(truth=truth, score=score, weight=weight).estimates["min_cllr"].value < 1


# What is said beside the numbers
# --------------------------------------------------------------------------------------------------

SUPPORT = [
    (rate, n)
    for rate, enough in (
        (0.3, 10),
        (0.15, 20),
        (0.09, 34),
        (0.07, 43),
        (0.03, 100),
        (0.01, 300),
        (0.0048, 625),
        (1e-3, 3000),
    )
    for n in (enough - 1, enough, enough + 1)
]


def few(n, *fmr):
    return biometric(genuine=[5.0], impostor=np.arange(n) / n, fmr=fmr)


@for_each(("rate", "n"), SUPPORT)
def test_the_rule_of_three_is_said_exactly_where_it_holds(rate, n):
    assert bool(said(few(n, rate), "rule-of-three")) is (Fraction(str(rate)) * n < 3)


@pytest.mark.parametrize("rate", sorted({rate for rate, _ in SUPPORT}))
def test_the_number_that_is_said_to_be_needed_is_enough(rate):
    (text,) = said(few(5, rate), "rule-of-three")
    enough = int(re.search(r"no fewer than ([\d,]+) are needed", text)[1].replace(",", ""))
    assert not said(few(enough, rate), "rule-of-three")
    assert said(few(enough - 1, rate), "rule-of-three")


def test_the_rule_of_three_names_the_rates_that_are_beyond():
    (text,) = said(few(50, 0.1, 0.05, 0.01), "rule-of-three")
    assert text.startswith("50 non-mated comparisons cannot show an FMR of 0.05, 0.01: ")
    assert "as high as 0.06 (95% confidence, assuming uncorrelated comparisons)" in text
    assert "For 0.01 no fewer than 300 are needed." in text
    (text,) = said(few(50, 0.0), "rule-of-three")
    assert text.endswith("No number of comparisons can show a rate of 0.")
    assert said(few(1, 0.1), "rule-of-three")[0].startswith("1 non-mated comparison cannot")


@pytest.mark.parametrize("n", [1, 2, 3])
def test_no_rate_is_said_to_be_above_one(n):
    (text,) = said(few(n, 0.01), "rule-of-three")
    assert float(re.search(r"as high as ([\d.]+)", text)[1]) <= 1


def test_what_else_is_said_of_the_comparisons():
    assert len(said(MEASURED, "dependent-comparisons")) == 1
    assert said(biometric(genuine=[1, 2], impostor=[0, 1]), "few-cases")
    truth, score = [1, 0] * 20, [math.nan, 0.2, *np.linspace(0, 1, 38)]
    dropped = biometric(truth=truth, score=score, missing="drop")
    assert any("1 row" in notice.text for notice in dropped.notices)


def test_the_way_out_of_an_inverted_ranking_is_an_argument_of_this_function():
    (text,) = said(biometric(genuine=IMPOSTOR, impostor=GENUINE), "auc-below-half")
    assert "similarity=False" in text
    assert "higher_is_positive" not in text


# Extremes
# --------------------------------------------------------------------------------------------------

EXTREME = {
    "perfect": ([3.0, 4.0, 5.0], [0.0, 1.0]),
    "inverted": ([0.0, 1.0], [3.0, 4.0]),
    "one mated comparison": ([2.0], [1.0, 3.0, 0.5]),
    "identical scores": ([1.0, 1.0], [1.0, 1.0, 1.0]),
    "infinite scores": ([math.inf, 1.0], [-math.inf, math.inf]),
    "huge scores": ([1e300, -1e300], [1e299, 0.0, 5e-324]),
}


@in_part(6, ("fast", "full"))
@for_each("scores", EXTREME.values(), ids=EXTREME)
@for_each("similarity", [True, False])
def test_extremes_are_measured_printed_and_written(scores, similarity):
    found = biometric(
        genuine=scores[0], impostor=scores[1], similarity=similarity, threshold=1, score_kind="llr"
    )
    every = [
        *found.estimates.values(),
        *(rate for rate, _ in found.fnmr_at.values()),
        *found.at_threshold.values(),
    ]
    for one in every:
        assert one.undefined or (one.low < one.high if one.has_interval else one.note), one
    assert fits(found)
    assert "nan" not in str(found)
    assert strict(found.to_json()) == strict(json.dumps(found.to_dict(), allow_nan=False))


def test_perfect_separation_and_none():
    perfect, alike = (
        biometric(genuine=scores, impostor=[0.0, 1.0], fmr=(0.5, 1.0))
        for scores in ([3.0, 4.0, 5.0], [0.0, 1.0])
    )
    for found, error, cost, at in ((perfect, 0, 0, [(0, 3.0)] * 2), (alike, 0.5, 1, [(0.5, 1.0), (0, 0.0)])):
        assert [found.estimates[name].value for name in SUMMARY[:3]] == [error] * 3
        assert [(rate.value, limit) for rate, limit in found.fnmr_at.values()] == at
        assert found.estimates["min_cllr"].value == pytest.approx(cost)


# Reading it
# --------------------------------------------------------------------------------------------------


def test_json():
    found = biometric(genuine=[1.0, 2.0], impostor=[1.5, 3.0], fmr=(0.0, 0.5), threshold=1.2)
    answer = strict(found.to_json())
    head = ["schema", "tallymark", "answer", "design", "mix_fixed_by_weights", "weight_kind", "comparisons"]
    assert list(answer) == [*head, "measures", "fnmr_at_fmr", "at_threshold", "notices"]
    assert answer["comparisons"] == {"mated": 2, "non_mated": 2}
    assert [(one["fmr"], one["threshold"], one["fnmr"]["value"]) for one in answer["fnmr_at_fmr"]] == [
        (0, None, 1),
        (0.5, 2.0, 0.5),
    ]
    assert answer["at_threshold"]["FMR"]["value"] == 1
    assert answer["notices"] == [notice.to_dict() for notice in found.notices]
    assert "\n" not in found.to_json(indent=None)


def test_the_text():
    lines = str(MEASURED).splitlines()
    assert lines[0].startswith("EER ")
    assert "60 mated comparisons, 90 non-mated comparisons" in lines
    assert "similarity: mated when score >= threshold" in lines
    assert "distance: mated when score <= threshold" in str(
        biometric(genuine=[1, 2], impostor=[3, 4], similarity=False)
    )
    limit = MEASURED.fnmr_at[0.05][1]
    row = rf"0\.05 +{limit:.3f} +{MEASURED.fnmr_at[0.05][0].value:.3f} "
    assert any(re.match(row, line) for line in lines)
    whole = str(MEASURED.all)
    assert all(f"\n{title(name)} " in whole for name in MEASURED.estimates)
    assert "FMR at most" not in str(biometric(genuine=[1, 2], impostor=[0, 1], fmr=()))
    assert (
        repr(MEASURED)
        == f"<BiometricEvaluation: equal error rate {MEASURED.estimates['equal_error_rate'].value:.4g}>"
    )


def test_curves():
    det = MEASURED.curve()
    assert det.name == "det"
    limits, fmr, fnmr = zip(*points(GENUINE, IMPOSTOR), strict=True)
    assert same(det.x, ndtri(np.array(fmr, float)))
    assert same(det.y, ndtri(np.array(fnmr, float)))
    assert det.threshold.tolist() == list(limits)
    assert MEASURED.curve("far_frr").columns.keys() == {
        "threshold",
        "false match rate",
        "false non-match rate",
    }


def test_it_is_public_and_frozen():
    assert tallymark.biometric is biometric
    assert "biometric" in tallymark.__all__
    with pytest.raises(AttributeError):
        MEASURED.fmrs = ()


# What is refused
# --------------------------------------------------------------------------------------------------

TWO = {"genuine": [1.0, 2.0], "impostor": [0.0, 1.0]}
BAD = {
    "nothing": ({}, "genuine impostor truth= score="),
    "only genuine": ({"genuine": [1.0]}, "genuine impostor both truth= score="),
    "no genuine": ({**TWO, "genuine": []}, "genuine: no scores at least one"),
    "NaN": ({**TWO, "impostor": [0.0, math.nan, math.nan]}, "impostor: 2 values missing row 1"),
    "None": ({**TWO, "genuine": [None, 1.0]}, "genuine: 1 value missing row 0"),
    "text": ({**TWO, "genuine": ["high", "low"]}, "genuine: 'high' row 0 not a number"),
    "one number": ({**TWO, "genuine": 3.0}, "genuine: one value 3.0"),
    "fmr beyond 1": ({**TWO, "fmr": (0.1, 1.5)}, "fmr: 1.5 from 0 to 1"),
    "fmr below 0": ({**TWO, "fmr": (-0.1,)}, "fmr: -0.1 from 0 to 1"),
    "fmr NaN": ({**TWO, "fmr": (math.nan,)}, "fmr: nan from 0 to 1"),
    "fmr a word": ({**TWO, "fmr": "0.1"}, "fmr: '0.1'"),
    "both ways": (
        {**TWO, "truth": [0, 1], "score": [0.1, 0.2]},
        "genuine, impostor: leave out truth= score=",
    ),
    "score beside two lists": ({**TWO, "score": [0.1, 0.2]}, "genuine, impostor: leave out score="),
    "similarity": ({**TWO, "similarity": "distance"}, "similarity: 'distance' True False"),
    "direction by the other name": ({**TWO, "higher_is_positive": False}, "higher_is_positive similarity"),
    "all mated": ({"truth": [1, 1], "score": [0.1, 0.2]}, "truth: both mated non-mated missing"),
    "labels only": ({"truth": [0, 1], "predicted": [0, 1]}, "score: genuine= impostor="),
    "three classes": ({"truth": [0, 1, 2], "score": np.eye(3)}, "score: genuine= impostor="),
    "score kind": ({**TWO, "score_kind": "log"}, "score_kind: 'log' llr"),
    "threshold": ({**TWO, "threshold": math.nan}, "threshold: nan"),
}


@for_each(("given_", "parts"), BAD.values(), ids=BAD)
def test_bad_input(given_, parts):
    with pytest.raises(InputError) as refused:
        biometric(**given_)
    text = str(refused.value)
    assert "\n" not in text
    assert len(text) < 200
    for word in parts.split():
        assert word in text, text
    assert text.endswith(".")


def test_the_way_out_of_missing_scores_works():
    """What the message tells to pass is heeded, or is not told."""
    with pytest.raises(InputError) as refused:
        biometric(genuine=[1.0, math.nan, 2.0], impostor=[0.0, 1.0])
    if "missing='drop'" in str(refused.value):
        assert biometric(genuine=[1.0, math.nan, 2.0], impostor=[0.0, 1.0], missing="drop").mated == 2


def test_what_is_wrong_beside_two_lists():
    with refuses("conflict", argument="genuine, impostor"):
        biometric("scores.csv", **TWO)
    with pytest.raises(InputError) as refused:
        biometric(genuine=["high"], impostor=[0.0])
    assert "predicted=" not in str(refused.value), "there are no labels here"


NAMED = np.array(["imp", "gen"])[[0, 1, 1, 0]]
KINDS = {
    "names": (
        NAMED,
        None,
        "it does not say which label marks mated comparisons; pass positive='gen' or positive='imp'.",
    ),
    "numbers": (
        np.array([3, 7, 7, 3]),
        None,
        "it does not say which label marks mated comparisons; pass positive=3 or positive=7.",
    ),
    "another name": (NAMED, "mated", "'mated' marks no comparison as mated; pass positive='gen'"),
    "another number": (
        np.array([3, 7, 7, 3]),
        5,
        "5 marks no comparison as mated; pass positive=3 or positive=7.",
    ),
    "three names": (
        np.array(["a", "b", "c", "a"]),
        "b",
        "3 labels ('a', 'b', 'c'), but a comparison is mated or non-mated",
    ),
    "three numbers": (
        np.array([0, 1, 2, 0]),
        None,
        "3 labels (0, 1, 2), but a comparison is mated or non-mated",
    ),
}


@for_each("kinds", KINDS)
@for_each("persons", [None, ("p", "q")])
def test_unclear_kinds_are_found_by_the_only_pass(kinds, persons):
    truth, positive, said = KINDS[kinds]
    data = {"kind": truth, "s": [0.1, 0.9, 0.8, 0.3], "p": [1, 2, 3, 4], "q": [5, 2, 3, 6]}
    passes = []
    with pytest.MonkeyPatch.context() as patch:
        real = tallymark.input.sources.read
        patch.setattr(
            tallymark.input.sources, "read", lambda *given, **more: passes.append(1) or real(*given, **more)
        )
        with pytest.raises(InputError) as refused:
            biometric(data, truth="kind", score="s", positive=positive, persons=persons)
    assert str(refused.value).startswith(f"truth (column 'kind'): {said}")
    assert len(passes) == 1


@pytest.mark.parametrize("design", ["cohort", "case-control"])
def test_the_interval_of_cllr_is_that_of_two_means(design):
    """Class by class with fixed sizes; the standard errors of both designs against resamples of the cases."""
    random = np.random.default_rng(6)
    truth = np.arange(400) < 120
    score = random.normal(size=400) * 1.5 + np.where(truth, 1.0, -1.0)
    found = tallymark.evaluate(truth=truth, score=score, score_kind="llr", design=design)["cllr"]
    bits = np.logaddexp(0, np.where(truth, -score, score)) / np.log(2)
    assert found.value == pytest.approx((bits[truth].mean() + bits[~truth].mean()) / 2, rel=1e-12)
    alone = np.hypot(*(bits[one].std(ddof=1) / np.sqrt(one.sum()) / 2 for one in (truth, ~truth)))
    assert found.standard_error == pytest.approx(alone, rel=0.01)
    drawn = tallymark.bootstrap(
        truth=truth, score=score, score_kind="llr", design=design, measures="cllr", replicates=2000
    )
    assert found.standard_error == pytest.approx(np.std(drawn.replicates("cllr")), rel=0.06)
    assert found.method == "delta-log-t"


def test_decidability_is_of_means_and_variances():
    """As pyeer's get_decidability_value; d_prime is of the order alone."""
    rng = np.random.default_rng(0)
    mated, others = rng.beta(8, 2, 500), rng.beta(2, 12, 500)
    found = biometric(truth=np.repeat([1, 0], 500), score=np.r_[mated, others]).estimates["decidability"]
    wanted = (mated.mean() - others.mean()) / np.sqrt((mated.var() + others.var()) / 2)
    assert found.value == pytest.approx(wanted, rel=1e-12)
    assert found.low < 6.167 < found.high  # from the moments of both distributions


@pytest.mark.parametrize(
    ("score", "value"),
    [([0.3, 0.3, 0.1, 0.1], np.inf), ([1e308, 0.3, -1e308, 0.1], 2.0), ([0.5, 0.5, 0.5, 0.5], np.nan),
     ([np.inf, 1.0, 0.5, 0.2], np.nan)],
)  # fmt: skip
def test_decidability_at_its_ends(score, value):
    found = tallymark.measures.decidability(truth=[1, 1, 0, 0], score=score, undefined=np.nan)
    assert found == pytest.approx(value, nan_ok=True)
