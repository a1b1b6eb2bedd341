"""`tallymark.compare`: differences, p-values, decisions and agreement, on the same cases and on different
ones."""

import html
import itertools
import json
import xml.etree.ElementTree as ElementTree
from math import isnan

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from areas_of_scores import areas
from looping import for_each, in_part
from refusals import refuses
from scipy import stats

import tallymark as tm
from tallymark import Counts, InputError, RankingTable, compare, evaluate
from tallymark.evaluation.paired import mid_ranks, uses_ranks_alone
from tallymark.inference.contrast import Discordant, Normal, independent, of_replicates, span
from tallymark.inference.covariance import effective_number
from tallymark.inference.hypothesis import adjusted, cochran_q_of_right, mcnemar_of_counts
from tallymark.inference.interval import delong_variance
from tallymark.inference.replicates import Draws, replicates
from tallymark.measures.registry import get
from tallymark.measures.titles import title
from tallymark.summaries.samples import ScoredCases

RANDOM = np.random.default_rng(11)
N = 240
Y = (RANDOM.random(N) < 0.4).astype(int)
LATENT = RANDOM.normal(size=N) + 1.3 * Y
A = 1 / (1 + np.exp(0.5 - LATENT - 0.5 * RANDOM.normal(size=N)))
B = 1 / (1 + np.exp(0.5 - LATENT - 1.5 * RANDOM.normal(size=N)))
C = (A + B) / 2
GROUPS = RANDOM.integers(0, 60, N)
WEIGHT, FRACTION = RANDOM.integers(1, 4, N), RANDOM.random(N) + 0.5
KIND = np.where(RANDOM.random(N) < 0.3, 2, Y)
GUESS = [np.where(RANDOM.random(N) < share, KIND, RANDOM.integers(0, 3, N)) for share in (0.7, 0.5)]
FRAME = pd.DataFrame(
    {"y": Y, "a": A, "b": B, "c": C, "g": GROUPS, "w": WEIGHT, "f": FRACTION, "kind": KIND, "one": GUESS[0],
    "two": GUESS[1],
     "site": np.where(np.arange(N) % 2, "north", "south")}
)  # fmt: skip
BOTH = {"truth": Y, "score": {"a": A, "b": B}}
OF_THREE = {"truth": Y, "score": {"a": A, "b": B, "c": C}}
ANSWERS = {"truth": Y, "predicted": {"a": (A >= 0.5).astype(int), "b": (B >= 0.5).astype(int)}}
CLASSES = {"truth": KIND, "predicted": {"one": GUESS[0], "two": GUESS[1]}}
PERFECT = {
    "truth": [0] * 20 + [1] * 20,
    "score": {"a": np.arange(40.0), "b": np.r_[np.arange(20.0)[::-1], np.arange(20, 40)[::-1]]},
}
WITHIN = [f"{site} {group}" for site, group in zip(FRAME["site"], GROUPS, strict=True)]
CASES = {
    "scores": BOTH,
    "scores and threshold": BOTH | {"threshold": 0.5},
    "a threshold each": BOTH | {"threshold": [0.4, 0.6], "non_inferior_by": 0.05},
    "three": OF_THREE | {"reference": "all", "threshold": 0.5, "equivalent_within": 0.1},
    "labels": ANSWERS,
    "many classes": CLASSES,
    "whole weights": BOTH | {"weight": WEIGHT, "weight_kind": "count", "threshold": 0.5},
    "weights": BOTH | {"weight": FRACTION, "threshold": 0.5},
    "clusters": BOTH | {"clusters": GROUPS, "threshold": 0.5},
    "classes in clusters": CLASSES | {"clusters": GROUPS},
    "permutation": BOTH | {"threshold": 0.5, "method": "permutation"},
    "basic bootstrap": BOTH | {"method": "basic-bootstrap", "design": "cohort"},
    "perfect": PERFECT | {"threshold": 20},
    "next to a constant": {"truth": PERFECT["truth"], "score": {"a": np.arange(40.0), "b": [0.5] * 40},
        "threshold": [20, 0.5]},
    "both constant": {"truth": [0, 1] * 20, "score": {"a": [0.5] * 40, "b": [0.2] * 40}, "threshold": 0.3},
    "one class": {"truth": [1] * 20, "score": {"a": A[:20], "b": B[:20]}, "threshold": 0.5},
    "one positive": {"truth": [1] + [0] * 20, "score": {"a": A[:21], "b": B[:21]}, "threshold": 0.5},
    "logits": {"truth": Y, "score": {"a": np.log(A / (1 - A)), "b": np.log(B / (1 - B))},
        "score_kind": "logit"},
    "lower": BOTH | {"higher_is_positive": False, "threshold": 0.5, "measures": ["roc_auc", "accuracy"]},
    "infinite": BOTH | {"threshold": 0.99, "measures": ["positive_likelihood_ratio", "precision", "lift"]},
    "long names": BOTH | {"measures": ["symmetric_extremal_dependence", "partial_auc_tpr_standardised"],
        "adjust": "none"},
    "sample": {"truth": Y, "score": A, "sample": FRAME["site"]},
    "sample and clusters": {"truth": Y, "score": A, "sample": FRAME["site"], "clusters": WITHIN},
    "lists": {"truth": [Y[:100], Y[100:]], "score": [A[:100], B[100:]], "paired": False, "threshold": 0.5},
    "lists shuffled": {"truth": [Y[:100], Y[100:]], "score": [A[:100], B[100:]], "paired": False,
        "method": "permutation"},
    "labels apart": {"truth": [KIND[:100], KIND[100:]], "predicted": [GUESS[0][:100], GUESS[1][100:]],
        "paired": False},
}  # fmt: skip
every_case = for_each("given_", CASES.values(), ids=CASES)
QUICK = {"replicates": 200}


def strict(text):
    return json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is not strict JSON"))


@pytest.mark.full
@every_case
def test_whatever_the_cases_it_is_printed_and_written(given_):
    found = compare(**given_ | QUICK)
    text = str(found)
    assert max(map(len, text.splitlines())) <= 80, text
    assert strict(found.to_json()) == found.to_dict()
    whole = str(found.all)
    assert [row["measure"] for row in found.table if title(row["measure"]) not in whole] == []
    assert repr(found).startswith("<Comparison of")
    assert f"Assumed: {found.assumes}" in " ".join(text.split())


@pytest.mark.full
@every_case
def test_whatever_the_cases_an_estimate_is_honest(given_):
    """An undefined difference has its reason; an interval has a width and holds the value, or the models are
    said to be one."""
    found = compare(**given_ | QUICK)
    for one in found.differences:
        estimate = one.estimate
        if isnan(estimate.value):
            assert estimate.undefined
            assert isnan(one.p_value)
        elif not estimate.has_interval:
            assert estimate.note
        elif estimate.method == "identical":
            assert (estimate.value, estimate.low, estimate.high, one.p_value) == (0, 0, 0, 1)
            assert estimate.note
        else:
            assert estimate.low <= estimate.value <= estimate.high
            assert estimate.high - estimate.low > 1e-9
        if not isnan(one.p_value):
            assert 0 < one.p_value <= one.adjusted <= 1


@in_part(3)
@for_each(
    "given_", [BOTH, BOTH | {"method": "basic-bootstrap"}, CASES["sample"]], ids=["auto", "basic", "sample"]
)
def test_every_measure_of_the_catalogue(given_):
    """An interval within the range of the difference, or the reason; those that no model changes differ by
    nothing."""
    names = list(evaluate(truth=Y, score=A))
    found = compare(**given_, measures=names, replicates=100)
    assert {one.measure for one in found.differences} == set(names)
    for one in found.differences:
        entry = found.evaluations[one.model].entry(one.measure)
        low, high = span(entry.range)
        assert one.estimate.note or one.estimate.has_interval
        if one.estimate.has_interval:
            assert low <= one.low <= one.value <= one.high <= high
    without = {one.measure for one in found.differences if not one.estimate.has_interval}
    assert without <= {"brier_uncertainty", "log_loss_uncertainty", "npr", "prevalence"}


@pytest.mark.full
@every_case
def test_the_p_value_and_the_interval_agree(given_):
    """Whatever the method; bar a bound of 0 itself."""
    found = compare(**given_ | QUICK)
    for one in found.differences:
        if one.estimate.has_interval and one.test != "identical":
            inside = one.low <= 0 <= one.high
            assert inside == (one.p_value > 0.05) or abs(one.p_value - 0.05) < 1e-9


@in_part(3)
@every_case
def test_turned_round_everything_is_mirrored(given_):
    """The other model is the reference."""
    names = compare(**given_ | QUICK).models
    there, back = (compare(**given_ | QUICK | {"reference": name}) for name in names[:2])
    for one in there.differences:
        if one.model == names[1]:
            other = back[one.measure, names[0]]
            assert other.value == pytest.approx(-one.value, nan_ok=True)
            if one.estimate.method in ("delong", "score", "mover", "delta", "identical"):
                assert (other.low, other.high) == pytest.approx((-one.high, -one.low), abs=1e-12)
                assert other.p_value == pytest.approx(one.p_value, rel=1e-6) or one.test == "permutation"


def test_values_are_those_of_evaluate():
    found = compare(**BOTH, threshold=0.5, **QUICK)
    for name, score in BOTH["score"].items():
        alone = evaluate(truth=Y, score=score, threshold=0.5)
        for measure in found.measures:
            assert found.evaluations[name][measure] == alone[measure]
    one = found["roc_auc"]
    assert one.value == one.models[0].value - one.models[1].value
    assert (one.model, one.reference) == ("b", "a")


# Ways in
# --------------------------------------------------------------------------------------------------


def same(one, other):
    assert [(x.measure, x.value, x.low, x.high, x.p_value) for x in one.differences] == [
        (x.measure, x.value, x.low, x.high, x.p_value) for x in other.differences
    ]


@pytest.mark.full
@pytest.mark.parametrize(
    "given_",
    [
        ((FRAME,), {"truth": "y", "score": ["a", "b"]}),
        ((pl.from_pandas(FRAME),), {"truth": "y", "score": ["a", "b"]}),
        ((FRAME,), {"truth": "y", "score": {"first": "a", "second": "b"}}),
        (({name: FRAME[name] for name in FRAME},), {"truth": "y", "score": ["a", "b"]}),
        ((), {"truth": Y, "score": [A, B]}),
        ((), {"truth": Y, "score": np.stack([A, B], axis=1)}),
        ((), {"truth": FRAME["y"], "score": FRAME[["a", "b"]]}),
        ((), {"truth": Y, "score": pa.table({"a": A, "b": B})}),
        (
            (),
            {"truth": np.where(Y == 1, "ill", "well"), "score": [A.tolist(), B.tolist()], "positive": "ill"},
        ),
    ],
    ids=["pandas", "polars", "named", "mapping", "list", "matrix", "frame as scores", "arrow", "text labels"],
)
def test_the_same_cases_from_anywhere(given_):
    data, cases = given_
    same(compare(*data, **cases, **QUICK), compare(**BOTH, **QUICK))


def test_from_a_file(tmp_path):
    pytest.importorskip("duckdb")
    FRAME.to_csv(tmp_path / "t.csv", index=False)
    FRAME[:100].to_csv(tmp_path / "a.csv", index=False)
    FRAME[100:].to_csv(tmp_path / "b.csv", index=False)
    same(compare(str(tmp_path / "t.csv"), truth="y", score=["a", "b"], **QUICK), compare(**BOTH, **QUICK))
    parts = [tmp_path / "a.csv", tmp_path / "b.csv"]
    for paths in (parts, list(map(str, parts))):
        same(compare(paths, truth="y", score=["a", "b"], **QUICK), compare(**BOTH, **QUICK))
    two = compare(str(tmp_path / "a.csv"), str(tmp_path / "b.csv"), truth="y", score="a", **QUICK)
    assert two.models == (str(tmp_path / "a.csv"), str(tmp_path / "b.csv"))
    same(two, compare(truth=[Y[:100], Y[100:]], score=[A[:100], A[100:]], paired=False, **QUICK))
    FRAME[100:].assign(b=np.where(np.arange(N - 100) == 124, 20, B[100:])).to_csv(parts[1], index=False)
    with refuses("invalid-value", "20.0", "line 126", "b.csv", argument="score b"):
        compare(parts, truth="y", score=["a", "b"], score_kind="probability")


def test_different_cases_from_anywhere():
    north = FRAME["site"] == "north"
    wanted = compare(truth=[Y[north], Y[~north]], score=[A[north], A[~north]], paired=False, **QUICK)
    by = compare(FRAME, truth="y", score="a", sample="site", **QUICK)
    assert by.models == ("north", "south")
    same(by, wanted)
    same(compare(FRAME[north], FRAME[~north], truth="y", score="a", **QUICK), wanted)


def test_summaries_that_were_kept():
    """A ranking table knows no cases, but every interval is that of its evaluation."""
    first, second = (evaluate(truth=Y, score=score) for score in (A, B))
    found = compare(first, second, paired=False)
    assert not found.paired
    tables = [RankingTable.from_arrays(truth=Y, score=score) for score in (A, B)]
    same(compare(*tables, paired=False), found)
    wanted = independent(second["roc_auc"], first["roc_auc"])
    assert (found["roc_auc"].low, found["roc_auc"].high) == (wanted.low, wanted.high)
    assert found["average_precision"].estimate.method == "mover"
    assert (
        compare(*tables, paired=False, method="bootstrap", **QUICK)["roc_auc"].estimate.method == "bootstrap"
    )
    counts = compare(
        Counts(tp=56, fp=0, fn=14, tn=9), Counts(tp=48, fp=0, fn=32, tn=9), measures="sensitivity"
    )
    # Newcombe
    assert (counts["recall"].low, counts["recall"].high) == pytest.approx(
        (-0.333872654036906, -0.05243147240236498)
    )


def test_values_without_a_number():
    """Without false positives the positive likelihood ratio is infinite, and without positive answers
    precision is undefined."""
    counts = (
        Counts(tp=20, fp=0, fn=10, tn=30),
        Counts(tp=20, fp=5, fn=10, tn=25),
        Counts(tp=0, fp=0, fn=30, tn=30),
    )
    plr = {"measures": "positive_likelihood_ratio"}
    assert (
        compare(*counts[:1] * 2, paired=False, **plr).differences[0].estimate.undefined.text
        == "both values are infinite"
    )
    one = compare(*counts[:2], paired=False, **plr).differences[0].estimate
    assert (one.value, one.note) == (-np.inf, "no interval: the value of model 1 is infinite")
    gone = compare(*counts[1:], paired=False, measures="precision").differences[0]
    assert gone.estimate.undefined.text.startswith(
        "the value of model 2 is undefined: no predicted positives"
    )
    assert isnan(gone.p_value)
    assert gone.to_dict()["p_value"] is None


@pytest.mark.parametrize("kept", ["scores", "lower scores", "labels"])
def test_evaluations_with_groups_keep_them(kept):
    """Their resamples are of whole clusters, as of the cases themselves; tests that take cases apart are
    refused."""
    sign = -1 if kept == "lower scores" else 1
    more = (
        {"higher_is_positive": False, "threshold": -0.5}
        if sign < 0
        else {"threshold": 0.5}
        if kept == "scores"
        else {}
    )
    kind = "predicted" if kept == "labels" else "score"
    given_ = [(one >= 0.5).astype(int) if kept == "labels" else sign * one for one in (A, B)]
    evaluations = [evaluate(truth=Y, clusters=GROUPS, **{kind: one}, **more) for one in given_]
    asked = {"measures": ["f1", "accuracy"], "method": "bootstrap"} | QUICK
    direct = compare(truth=[Y, Y], clusters=[GROUPS] * 2, paired=False, **{kind: given_}, **more, **asked)
    same(compare(*evaluations, paired=False, **asked), direct)
    assert compare(*evaluations, paired=False, **QUICK).assumes == direct.assumes
    assert direct.assumes == "clusters independent of one another; different cases for each model"
    with refuses("unsupported", "clusters=", argument="method"):
        compare(*evaluations, paired=False, method="permutation")


def test_without_an_interval_of_its_own_a_measure_is_resampled():
    """As one that has none at all, or not here: of summaries, whose cases are not known, the reason stays."""
    perfect = {
        "truth": [np.r_[np.zeros(30), np.ones(30)].astype(int)] * 2,
        "score": [np.r_[np.full(30, 0.1), np.full(30, 0.9)]] * 2,
    }
    assert not evaluate(truth=perfect["truth"][0], score=perfect["score"][0])["brier_score"].has_interval
    one = compare(**perfect, paired=False, measures="brier_score", **QUICK)["brier_score"]
    assert one.estimate.note == "no interval: every resample gives the same difference"
    kept = [evaluate(truth=y, score=s) for y, s in zip(perfect["truth"], perfect["score"], strict=True)]
    found = compare(*kept, paired=False, measures="brier_score")["brier_score"]
    assert "no interval: the value of model 2 has none" in found.estimate.note


def test_rows_that_lack_a_value_are_dropped_for_all():
    score = A.copy()
    score[:7] = np.nan
    found = compare(truth=Y, score={"a": score, "b": B}, missing="drop", **QUICK)
    same(found, compare(truth=Y[7:], score={"a": A[7:], "b": B[7:]}, **QUICK))
    assert found.data.dropped == 7
    with refuses("missing-value", "row 0", argument="score a"):
        compare(truth=Y, score={"a": score, "b": B})


# The area under the ROC curve
# --------------------------------------------------------------------------------------------------


def test_the_area_by_delong():
    found, known = compare(**BOTH, method="delong")["roc_auc"], areas(Y == 1, np.array([A, B]))
    value, error = known.difference(1, 0)
    assert (found.low, found.high) == pytest.approx(
        (value - 1.959963984540054 * error, value + 1.959963984540054 * error)
    )
    assert found.p_value == pytest.approx(2 * stats.norm.sf(abs(value / error)))


def test_areas_have_students_t_unless_the_published_test_is_asked_for():
    found, published = (compare(**BOTH, measures="roc_auc", method=m)["roc_auc"] for m in ("auto", "delong"))
    value, error = areas(Y == 1, np.array([A, B])).difference(1, 0)
    assert min(Y.sum(), N - Y.sum()) - 1 <= found.df <= N - 1
    assert (found.low, found.high) == pytest.approx(stats.t.interval(0.95, found.df, value, error))
    assert found.p_value == pytest.approx(2 * stats.t.sf(abs(value) / error, found.df))
    assert published.df is None


def test_delong_of_different_cases_is_welchs_t():
    """As pROC's roc.test(paired=FALSE): z over the root of both variances, with Satterthwaite's degrees of
    freedom."""
    parts = [(Y[:100], A[:100]), (Y[100:], B[100:])]
    found = compare(truth=[p[0] for p in parts], score=[p[1] for p in parts], paired=False, method="delong")[
        "roc_auc"
    ]
    v = [delong_variance(RankingTable.from_arrays(truth=y, score=s)) for y, s in parts]
    df = (v[0] + v[1]) ** 2 / (v[0] ** 2 / 99 + v[1] ** 2 / 139)
    assert found.p_value == pytest.approx(2 * stats.t.sf(abs(found.value) / (v[0] + v[1]) ** 0.5, df))


def test_fractional_weights_count_as_the_effective_number_of_cases():
    """Multiplied by a constant they are the same; whole ones are so many cases."""
    one, other = (
        compare(**BOTH, weight=factor * FRACTION, method="delong")["roc_auc"] for factor in (1.0, 7.3)
    )
    assert (one.low, one.high, one.p_value) == pytest.approx((other.low, other.high, other.p_value), rel=1e-9)
    rows = np.repeat(np.arange(N), WEIGHT)
    repeated = compare(truth=Y[rows], score={"a": A[rows], "b": B[rows]}, threshold=0.5, **QUICK)
    same(compare(**BOTH, weight=WEIGHT, weight_kind="count", threshold=0.5, **QUICK), repeated)


@pytest.mark.full
@pytest.mark.parametrize("weight", [1.0, 0.5], ids=["whole", "fractional"])
@pytest.mark.parametrize("clusters", [None, np.arange(N) // 2], ids=["cases", "clusters"])
def test_a_case_of_weight_0_is_none(weight, clusters):
    """Nor is a group of such cases a group."""
    given_ = BOTH | {
        "weight": np.where(np.arange(N) < 100, 0.0, weight),
        "clusters": clusters,
        "threshold": 0.5,
    }
    left = {
        "truth": Y[100:],
        "score": {"a": A[100:], "b": B[100:]},
        "weight": np.full(N - 100, weight),
        "threshold": 0.5,
    }
    same(
        compare(**given_, **QUICK),
        compare(**left, clusters=None if clusters is None else clusters[100:], **QUICK),
    )


def test_areas_that_differ_without_a_spread_are_not_called_equal():
    """A perfect and two constant models: DeLong's covariance is 0, and 1 is not 0.5."""
    constant = {"b": [0.5] * 40, "c": [0.4] * 40}
    (test,) = compare(
        truth=PERFECT["truth"], score={"a": np.arange(40.0), **constant}, measures="roc_auc"
    ).tests
    assert isnan(test.p_value)
    assert test.note == "areas that differ show no spread"
    (test,) = compare(truth=PERFECT["truth"], score={"a": [0.3] * 40, **constant}, measures="roc_auc").tests
    assert test.p_value == 1


def test_few_groups_have_students_t():
    """Degrees of freedom are at most the effective number of clusters less 1."""
    few = np.arange(N) % 6
    for one in (
        compare(**BOTH, clusters=few)["roc_auc"],
        compare(**CLASSES, clusters=few, measures="accuracy")["accuracy"],
    ):
        assert 1 < one.df <= effective_number(np.bincount(few)) - 1
        assert one.p_value == pytest.approx(2 * stats.t.sf(abs(one.statistic), one.df))
    right = [guess == KIND for guess in GUESS]
    sums = np.bincount(few, (right[1] * 1.0 - right[0]) - (right[1].mean() - right[0].mean()))
    assert one.standard_error == pytest.approx(np.sqrt(6 / 5 * sums @ sums) / N, rel=0.05)


def test_a_class_in_a_single_group_has_no_interval():
    one = compare(**BOTH, clusters=np.zeros(N, int), measures=["roc_auc", "brier_score"], **QUICK)
    for name in ("roc_auc", "brier_score"):
        assert [note.code for note in one[name].estimate.notes] == ["no-spread"]


def test_delong_over_all_models():
    found = compare(**OF_THREE, method="delong")
    chi, df = areas(Y == 1, np.array([A, B, C])).overall()
    (test,) = found.tests
    assert (test.statistic, test.df, test.p_value) == (
        pytest.approx(chi),
        2,
        pytest.approx(stats.chi2.sf(chi, df)),
    )
    assert test.note is None
    few = np.r_[np.flatnonzero(Y == 0), np.flatnonzero(Y)[:20]]
    (test,) = compare(
        truth=Y[few], score={name: score[few] for name, score in OF_THREE["score"].items()}, method="delong"
    ).tests
    assert test.note == "approximate: fewer than 30 cases in a class"


# Answers
# --------------------------------------------------------------------------------------------------


def test_mcnemar_and_cochran_of_right_and_wrong():
    found = compare(**OF_THREE, threshold=0.5, **QUICK)
    right = {name: (score >= 0.5) == (Y == 1) for name, score in OF_THREE["score"].items()}
    tests = {test.name: test for test in found.tests}
    for measure, there in (("accuracy", Y >= 0), ("sensitivity", Y == 1), ("specificity", Y == 0)):
        b, a = right["b"][there], right["a"][there]
        wanted = mcnemar_of_counts(int((b & ~a).sum()), int((~b & a).sum()))
        assert tests[f"mcnemar mid-p, {measure}: b - a"].p_value == wanted.p_value
        assert (
            tests[f"cochran q, {measure}"].p_value
            == cochran_q_of_right([one[there] for one in right.values()]).p_value
        )
        chi = mcnemar_of_counts(int((b & ~a).sum()), int((~b & a).sum()), "chi-square")
        score = compare(**OF_THREE, threshold=0.5, measures=measure, method="score", **QUICK)
        assert score[measure, "b"].p_value == pytest.approx(chi.p_value)


def test_complements_are_mirrored():
    found = compare(**BOTH, threshold=0.5, measures=["accuracy", "error_rate", "recall", "fnr", "tnr", "fpr"])
    for one, other in (
        ("accuracy", "error_rate"),
        ("sensitivity", "false_negative_rate"),
        ("specificity", "false_positive_rate"),
    ):
        assert (found[one].low, found[one].high) == pytest.approx((-found[other].high, -found[other].low))
        assert found[one].p_value == pytest.approx(found[other].p_value)


def test_what_no_model_changes_has_no_difference():
    one = compare(**BOTH, threshold=0.5, measures="prevalence")["prevalence"]
    assert one.estimate.method == "identical"
    assert one.estimate.note == "the same for every model on the same cases"


def test_tests_of_a_class_that_is_not_there_are_not_made():
    """No case is not the same as no case that only one model gets right."""
    tests = {test.name: test for test in compare(**CASES["one class"], **QUICK).tests}
    assert tests["mcnemar, specificity"].note == "no case of this class"
    assert isnan(tests["mcnemar, specificity"].p_value)
    assert tests["mcnemar mid-p, sensitivity: b - a"].p_value > 0


def test_labels_give_what_their_scores_give():
    measures = ["accuracy", "sensitivity", "specificity", "f1", "precision"]
    answers = {"truth": Y, "score": ANSWERS["predicted"]}
    found = compare(**ANSWERS, measures=measures, **QUICK)
    same(found, compare(**answers, threshold=0.5, measures=measures, **QUICK))
    # by Tango's test, without resamples
    of_scores = compare(**BOTH, threshold=0.5, measures=measures[:3], **QUICK)
    same_of = {one.measure: (one.value, one.low, one.high, one.p_value) for one in found.differences}
    assert all(
        same_of[one.measure] == (one.value, one.low, one.high, one.p_value) for one in of_scores.differences
    )


@pytest.mark.full
def test_many_classes_by_the_delta_method():
    """Its standard error of the difference of kappas is about that of the bootstrap."""
    found = compare(**CLASSES)["cohen_kappa"]
    random, kappa = np.random.default_rng(0), get("cohen_kappa", tm.ConfusionMatrix).function

    def measured(rows, guess):
        cells = np.bincount(3 * KIND[rows] + guess[rows], minlength=9).reshape(3, 3)
        return kappa(tm.ConfusionMatrix((0, 1, 2), cells))

    drawn = [random.integers(0, N, N) for _ in range(2000)]
    spread = np.std([measured(rows, GUESS[1]) - measured(rows, GUESS[0]) for rows in drawn])
    # four standard errors of the spread
    assert (found.high - found.low) / 2 / 1.96 == pytest.approx(spread, rel=0.06)
    assert found.estimate.method == "paired-delta"
    b, c = (
        int(part.sum())
        for part in ((GUESS[1] == KIND) & (GUESS[0] != KIND), (GUESS[1] != KIND) & (GUESS[0] == KIND))
    )
    assert compare(**CLASSES, method="score")["accuracy"].p_value == pytest.approx(
        mcnemar_of_counts(b, c, "chi-square").p_value
    )


# Resampling
# --------------------------------------------------------------------------------------------------


def test_the_bootstrap_draws_the_same_cases_for_both():
    """Against scipy's, which draws the classes apart, too, and has the percentiles of a normal
    distribution."""
    asked = {"measures": "brier_score", "replicates": 5000, "method": "bootstrap", "design": "case-control"}
    found = compare(**BOTH, **asked)["brier_score"]
    loss = (B - Y) ** 2 - (A - Y) ** 2
    share = Y.mean()
    other = stats.bootstrap(
        (loss[Y == 1], loss[Y == 0]), lambda p, n, axis: share * p.mean(axis) + (1 - share) * n.mean(axis),
        n_resamples=5000, method="percentile", random_state=np.random.default_rng(1), confidence_level=0.95,
        vectorized=True,
    )  # fmt: skip
    width = other.confidence_interval.high - other.confidence_interval.low
    assert found.low == pytest.approx(other.confidence_interval.low, abs=0.05 * width)
    assert found.high == pytest.approx(other.confidence_interval.high, abs=0.05 * width)


def test_the_seed_decides():
    one, other, again = (
        compare(**BOTH, measures="f1", method="bootstrap", rng=seed, **QUICK)["f1"] for seed in (1, 2, 1)
    )
    assert (one.low, one.high) == (again.low, again.high) != (other.low, other.high)
    assert (
        compare(**BOTH, rng=np.random.default_rng(4), measures="f1", **QUICK).seed
        == compare(**BOTH, rng=np.random.default_rng(4), measures="f1", **QUICK).seed
    )


def permuted(measure, first, second, truth, replicates=20_000, **how):
    """The p-value of the permutation test of two models."""
    found = compare(
        truth=truth, score=[first, second], measures=measure, method="permutation", replicates=replicates,
        **how,
    )  # fmt: skip
    return found[measure].p_value


def test_swapping_against_every_way_to_swap():
    """Of ten cases all 2^10 ways, the area being that of the mid-ranks."""
    random = np.random.default_rng(2)
    positive = np.arange(10) < 5
    scores = [np.round(random.normal(size=10) + 1.5 * positive, 1), np.round(random.normal(size=10), 1)]
    ranks = np.array([mid_ranks(ScoredCases(positive, score)) for score in scores])
    auc = get("roc_auc").function

    def difference(swap):
        first, second = np.where(swap, ranks[::-1], ranks)
        return auc(ScoredCases(positive, first).table) - auc(ScoredCases(positive, second).table)

    observed = difference(np.zeros(10, bool))
    all_of_them = np.array(
        [difference(np.array(swap, bool)) for swap in itertools.product([0, 1], repeat=10)]
    )
    exact = (np.abs(all_of_them) >= abs(observed) - 1e-12).mean()
    found = permuted("roc_auc", *scores, positive)
    assert found == pytest.approx(exact, abs=4 * np.sqrt(exact * (1 - exact) / 20_000))
    assert 0.02 < exact < 0.98


def test_swapping_answers_is_mcnemars_exact_test():
    found = compare(**ANSWERS, measures="accuracy", method="permutation", replicates=20_000)["accuracy"]
    right = [ANSWERS["predicted"][name] == Y for name in "ab"]
    exact = mcnemar_of_counts(
        int((right[0] & ~right[1]).sum()), int((~right[0] & right[1]).sum()), "exact"
    ).p_value
    assert found.test == "permutation"
    assert found.p_value == pytest.approx(exact, abs=4 * np.sqrt(exact * (1 - exact) / 20_000))


def test_swapping_by_scipy():
    """Losses of the scores as they are: scipy's test that exchanges within pairs."""
    rows = np.arange(30)
    found = permuted("brier_score", A[rows], B[rows], Y[rows] == 1)
    losses = [(score[rows] - Y[rows]) ** 2 for score in (A, B)]
    other = stats.permutation_test(
        losses,
        lambda a, b, axis: a.mean(axis) - b.mean(axis),
        permutation_type="samples",
        n_resamples=20_000,
        vectorized=True,
        random_state=np.random.default_rng(1),
    )
    assert found == pytest.approx(other.pvalue, abs=6 * np.sqrt(found * (1 - found) / 20_000))


def test_shuffling_by_scipy():
    """Of two sets: which case belongs to which; of positives alone it is a test of two samples."""
    first, second = A[Y == 1][:25], B[Y == 1][:25]
    found = permuted("brier_score", first, second, [np.ones(25, int)] * 2, paired=False)
    other = stats.permutation_test(
        [(1 - first) ** 2, (1 - second) ** 2],
        lambda a, b, axis: a.mean(axis) - b.mean(axis),
        n_resamples=20_000,
        vectorized=True,
        random_state=np.random.default_rng(1),
    )
    assert found == pytest.approx(other.pvalue, abs=6 * np.sqrt(found * (1 - found) / 20_000))


def test_groups_are_swapped_together():
    """Of cases that occur twice, in clusters of two, p is that of the cases once."""
    rows = np.repeat(np.arange(60), 2)
    found = [
        permuted("roc_auc", A[rows], B[rows], Y[rows], 5000, clusters=rows),
        permuted("roc_auc", A[:60], B[:60], Y[:60], 5000),
    ]
    assert found[0] == pytest.approx(found[1], abs=6 * np.sqrt(found[1] * (1 - found[1]) / 5000))


def test_which_measures_see_ranks():
    cases = ScoredCases(Y == 1, A)
    seen = {
        name: uses_ranks_alone(get(name, RankingTable), get(name, RankingTable).defaults, cases)
        for name in OF_RANKS
    }
    assert seen == OF_RANKS


OF_RANKS = {
    "roc_auc": True, "average_precision": True, "kolmogorov_smirnov": True, "partial_auc": True,
    "equal_error_rate": True, "d_prime": True, "brier_score": False, "log_loss": False, "cllr": False,
}  # fmt: skip


# One and the same model
# --------------------------------------------------------------------------------------------------


@pytest.mark.full
@pytest.mark.parametrize("method", ["auto", "bootstrap", "basic-bootstrap", "permutation", "delong", "score"])
def test_two_models_that_are_one(method):
    """The same array is certain to be the same; equal ones may differ in 3 of N other cases."""
    one_array = compare(truth=Y, score={"a": A, "b": A}, threshold=0.5, method=method, **QUICK)
    for one in one_array.differences:
        assert (one.value, one.low, one.high, one.p_value, one.adjusted) == (0, 0, 0, 1, 1)
        assert one.test == "identical"
    found = compare(truth=Y, score={"a": A, "b": A.copy()}, threshold=0.5, method=method, **QUICK)
    for one in found.differences:
        assert (one.value, one.p_value, one.adjusted) == (0, 1, 1)
        assert one.low < 0 < one.high
    share = found.differences[-1] if method == "score" else next(iter(found.differences))
    assert share.high == pytest.approx(-share.low)
    assert all(test.p_value == 1 for test in found.tests)
    labels = compare(truth=Y, predicted={"a": Y, "b": Y.copy()}, **QUICK)
    assert {one.p_value for one in labels.differences} == {1.0}
    assert labels["accuracy"].high >= 2.5 / N
    assert {note.code for note in labels["accuracy"].estimate.notes} == {"few-differ"}


def test_one_model_at_two_thresholds():
    """The same scores, but other answers."""
    found = compare(truth=Y, score={"low": A, "high": A}, threshold=[0.3, 0.7], **QUICK)
    assert found["sensitivity"].value < 0 < found["specificity"].value
    assert found["sensitivity"].high < 0
    assert found["roc_auc"].estimate.method == "identical"
    assert found["f1"].low < found["f1"].value < found["f1"].high


def test_a_class_that_only_one_model_knows():
    """It counts for the one, and the other is measured as by itself; the classes have an order."""
    answers = {"a": np.where(KIND == 2, 5, KIND), "b": GUESS[1]}
    one = compare(truth=np.where(KIND == 2, 5, KIND), predicted=answers, measures="quadratic_weighted_kappa")
    alone = [
        evaluate(truth=np.where(KIND == 2, 5, KIND), predicted=guess)["quadratic_weighted_kappa"]
        for guess in answers.values()
    ]
    found = one["quadratic_weighted_kappa"]
    assert found.value == alone[1].value - alone[0].value
    assert found.low < found.value < found.high


def test_two_models_that_rank_alike():
    found = compare(truth=Y, score={"a": A, "b": A**2}, **QUICK)
    for name in ("roc_auc", "average_precision"):
        assert (found[name].value, found[name].p_value) == (0, 1)
        assert -0.1 < found[name].low < 0 < found[name].high < 0.1  # other cases may rank differently
    assert found["brier_score"].low < found["brier_score"].high


def test_the_same_answers_to_these_cases_are_not_the_same_to_all():
    """Scores that differ, on the same side of the threshold."""
    found = compare(truth=Y, score={"a": A, "b": np.where(A >= 0.5, 0.9, 0.1)}, threshold=0.5, **QUICK)
    assert found["accuracy"].value == 0
    assert found["accuracy"].low < 0 < found["accuracy"].high
    assert found["accuracy"].p_value == 1
    assert found["f1"].p_value == 1
    assert found["f1"].low < 0 < found["f1"].high


def test_both_perfect_but_not_alike():
    one = compare(**PERFECT)["roc_auc"]
    assert one.value == 0
    assert one.low < 0 < one.high
    assert one.p_value == 1
    assert [note.code for note in one.estimate.notes] == ["as-independent"]


def test_few_differing_cases_allow_for_others():
    """From equal scores on the interval changes by degrees, and is far within that of independent samples."""
    random = np.random.default_rng(3)
    truth = np.arange(2000) % 2
    score = truth + random.normal(size=2000)
    positives = np.flatnonzero(truth)[np.argsort(score[truth == 1])]
    tied, swapped = score.copy(), score.copy()
    tied[positives[500]] = score[positives[501]]
    swapped[positives[[500, 900]]] = score[positives[[900, 500]]]
    ends = []
    for other in (score.copy(), tied, swapped):
        one = compare(truth=truth, score={"a": score, "b": other}, measures="roc_auc")["roc_auc"]
        assert one.low < 0 < one.high
        assert "few-differ" in {note.code for note in one.estimate.notes}
        ends.append(one.high)
    assert 0.01 > ends[0] >= ends[1] >= ends[2] > 0


@pytest.mark.full
def test_a_model_that_is_wrong_on_few_cases_is_covered():
    """On .5 % of 300 cases: a standard deviation of .011 in 400 samples."""
    random, covered = np.random.default_rng(4), np.zeros(3)
    for _ in range(400):
        truth = (random.random(300) < 0.4).astype(int)
        a = np.where(random.random(300) < 0.2, 1 - truth, truth)
        b = np.where(random.random(300) < 0.005, 1 - truth, a)
        found = compare(truth=truth, predicted={"a": a, "b": b}, measures=["accuracy", "sensitivity", "f1"])
        wanted = (-0.004, -0.004, -0.0045)  # the last of 10^7 cases
        covered += [
            one.low <= value <= one.high for one, value in zip(found.differences, wanted, strict=True)
        ]
    assert (covered / 400 >= 0.93).all()


def test_clusters_of_scores_per_class_and_of_amounts():
    random = np.random.default_rng(5)
    clusters = np.arange(300) // 6
    own = random.normal(size=50)[clusters]
    amounts = {name: own * spread + random.normal(size=300) for name, spread in (("a", 0.2), ("b", 1.5))}
    rows = {name: np.exp(random.normal(size=(300, 3)) + own[:, None]) for name in "ab"}
    rows = {name: one / one.sum(axis=1, keepdims=True) for name, one in rows.items()}
    for given in (
        {"truth": np.zeros(300), "predicted": amounts, "regression": True, "measures": "mean_squared_error"},
        {"truth": clusters % 3, "score": rows, "measures": "brier_score"},
    ):
        alone, together = (compare(**given, **more) for more in ({}, {"clusters": clusters}))
        one, other = alone.differences[0], together.differences[0]
        assert other.value == one.value
        assert other.df <= 49
        assert other.low < other.value < other.high
        assert (one.test, other.test) == ("paired-mean", "paired-mean-clustered")


def test_all_models_one():
    found = compare(truth=Y, score={"a": A, "b": A, "c": A}, threshold=0.5, **QUICK)
    assert all(test.p_value == 1 for test in found.tests)


# Margins
# --------------------------------------------------------------------------------------------------


def test_non_inferiority_looks_at_the_worse_side():
    """Of a measure to be large the low end, of one to be small the high end; p is that of the one-sided
    test."""
    found = compare(**BOTH, non_inferior_by=0.3, measures=["roc_auc", "brier_score"], **QUICK)
    area, loss = found["roc_auc"], found["brier_score"]
    assert area.decision.shown
    assert area.decision.text == f"non-inferior: low end {area.low:.4g} is above -0.3 (95% interval)"
    assert loss.decision.text == f"non-inferior: high end {loss.high:.4g} is below 0.3 (95% interval)"
    df = area.df
    error = (area.high - area.low) / 2 / stats.t.ppf(0.975, df)
    assert area.decision.p_value == pytest.approx(stats.t.sf((area.value + 0.3) / error, df))
    left_open = compare(**BOTH, non_inferior_by=0.01, measures="roc_auc")["roc_auc"].decision
    assert not left_open.shown
    assert left_open.text.startswith("not shown to be non-inferior: low end")
    assert left_open.p_value > 0.5
    assert "is not above -0.01" in left_open.text


def test_equivalence_is_two_one_sided_tests():
    one = compare(**BOTH, equivalent_within=0.3, measures="roc_auc")["roc_auc"]
    t = stats.t(one.df)
    error = (one.high - one.low) / 2 / t.ppf(0.975)
    narrow = one.value - t.ppf(0.95) * error, one.value + t.ppf(0.95) * error
    assert (one.decision.low, one.decision.high) == pytest.approx(narrow)
    assert one.decision.level == pytest.approx(0.9)
    by_hand = max(t.sf((one.value + 0.3) / error), t.cdf((one.value - 0.3) / error))
    assert one.decision.p_value == pytest.approx(by_hand)
    assert "(90% interval) lies within [-0.3, 0.3]" in one.decision.text
    assert one.decision.shown == (one.decision.p_value < 0.05)


def test_a_margin_for_each_measure():
    found = compare(**BOTH, threshold=0.5, non_inferior_by={"roc_auc": 0.05, "accuracy": 0.3}, **QUICK)
    assert {one.measure for one in found.differences if one.decision} == {"roc_auc", "accuracy"}
    assert found["accuracy"].decision.shown
    assert compare(**BOTH, measures="auc", non_inferior_by={"auc": 0.05})["roc_auc"].decision.margin == 0.05
    prevalence = compare(**BOTH, threshold=0.5, measures="predicted_prevalence", non_inferior_by=0.1, **QUICK)
    assert (
        prevalence["predicted_prevalence"].decision.text
        == "undecided: for the measure neither a higher nor a lower value is better"
    )


# Several at once, curves, agreement
# --------------------------------------------------------------------------------------------------


@pytest.mark.full
def test_p_values_are_adjusted_over_measures_and_models():
    found = compare(**OF_THREE, threshold=0.5, reference="all", **QUICK)
    raw = [one.p_value for one in found.differences]
    assert len(raw) == 8 * 3
    assert [one.adjusted for one in found.differences] == pytest.approx(adjusted(raw, "holm").tolist())
    other = compare(**OF_THREE, threshold=0.5, reference="all", adjust="benjamini-hochberg", **QUICK)
    assert [one.adjusted for one in other.differences] == pytest.approx(
        adjusted(raw, "benjamini-hochberg").tolist()
    )
    assert "Holm: adjusted for 24 tests" in " ".join(str(found).split())
    assert (
        compare(**BOTH, adjust="none", **QUICK)["roc_auc"].adjusted
        == compare(**BOTH, **QUICK)["roc_auc"].p_value
    )


def test_a_reference_that_is_no_name():
    with refuses("unknown-name", argument="reference"):
        compare(**OF_THREE, reference=np.array([1, 2]), **QUICK)


def test_the_short_form_of_three_models_names_no_single_difference():
    assert " - " not in repr(compare(**OF_THREE, measures="auc", **QUICK))


def test_pairs():
    assert compare(**OF_THREE, **QUICK).pairs == (("b", "a"), ("c", "a"))
    assert compare(**OF_THREE, reference="b", **QUICK).pairs == (("a", "b"), ("c", "b"))
    found = compare(**OF_THREE, reference="all", **QUICK)
    assert found.pairs == (("b", "a"), ("c", "a"), ("c", "b"))
    assert found["auc", "c", "b"].value == pytest.approx(
        found["auc", "c", "a"].value - found["auc", "b", "a"].value
    )
    with refuses("needed", argument="roc_auc"):
        found["roc_auc"]
    with refuses("needed", argument="roc_auc"):
        found["roc_auc", "z"]
    with refuses("unknown-name", "roc_auc", "average_precision"):
        found["mcc"]
    for nothing in (5, None, ()):
        with refuses("unknown-name"):
            found[nothing]


def test_the_confidence_curve():
    found = compare(**BOTH, threshold=0.5)
    for name in ("roc_auc", "accuracy", "f1"):
        curve, one = found.confidence_curve(name), found[name]
        # resamples: between two of them
        assert one.p_at(np.array([one.low, one.high])) == pytest.approx(0.05, abs=0.003)
        assert (curve.y == one.p_at(curve.x)).all()
        assert curve.x[0] < one.low < one.high < curve.x[-1]
        assert curve.threshold == pytest.approx(1 - curve.y)
        assert curve.y[curve.x == one.value] == pytest.approx(1.0, abs=0.1 if name == "f1" else 1e-12)
        ElementTree.fromstring(curve._repr_svg_())
    assert found.confidence_curve("roc_auc").y.max() == 1.0
    assert found["roc_auc"].p_at(found["roc_auc"].low) == pytest.approx(0.05)
    assert found["roc_auc"].interval(0.95) == pytest.approx((found["roc_auc"].low, found["roc_auc"].high))


def test_a_confidence_curve_of_nothing():
    one = compare(truth=Y, score={"a": A, "b": A})["roc_auc"].curve
    assert (one.x.tolist(), one.y.tolist()) == ([0.0], [1.0])  # of one array
    ElementTree.fromstring(one._repr_svg_())
    with refuses("no-result", "roc_auc", argument="confidence_curve"):
        compare(**CASES["one class"]).confidence_curve("roc_auc")


def test_agreement():
    (found,) = compare(**BOTH, threshold=0.5, **QUICK).agreement
    answers = [(score >= 0.5).astype(int) for score in (A, B)]
    right = [answer == Y for answer in answers]
    table = {
        "both": right[0] & right[1],
        "first only": right[0] & ~right[1],
        "second only": ~right[0] & right[1],
    }
    table["neither"] = ~right[0] & ~right[1]
    assert found.right == {name: part.sum() for name, part in table.items()}
    assert found.same.value == (answers[0] == answers[1]).mean()
    counts = evaluate(truth=answers[0], predicted=answers[1])
    figures = [(one.value, one.low, one.high) for one in (found.kappa, counts["cohen_kappa"])]
    assert figures[0] == pytest.approx(figures[1], rel=1e-6)  # there of numerical derivatives
    assert found.spearman == pytest.approx(stats.spearmanr(A, B).statistic)
    assert found.kendall == pytest.approx(stats.kendalltau(A, B).statistic)
    (labels,) = compare(**CLASSES, **QUICK).agreement
    assert labels.spearman is None
    several = evaluate(truth=GUESS[0], predicted=GUESS[1])["cohen_kappa"]
    assert (labels.kappa.low, labels.kappa.high) == pytest.approx((several.low, several.high), rel=1e-12)
    assert isnan(compare(**CASES["both constant"], **QUICK).agreement[0].spearman)


def test_agreement_of_cases_in_clusters_has_their_interval():
    (alone,), (found,) = (
        compare(**BOTH, clusters=clusters, threshold=0.5, **QUICK).agreement for clusters in (None, GROUPS)
    )
    assert (found.same.value, found.kappa.value) == (alone.same.value, alone.kappa.value)
    for one, other in ((found.same, alone.same), (found.kappa, alone.kappa)):
        assert one.has_interval
        assert (one.low, one.high) != (other.low, other.high)


def test_progress():
    seen = []
    compare(**BOTH, measures="f1", method="bootstrap", replicates=300, progress=seen.append)
    assert seen[-1] == 300
    for method in ("permutation", "bootstrap"):
        seen.clear()
        compare(**BOTH, measures="f1", method=method, replicates=300, progress=seen.append)
        assert seen[-1] == 300, method
        assert seen == sorted(seen)


# What goes wrong
# --------------------------------------------------------------------------------------------------

WRONG = {
    "one model": ((), {"truth": Y, "score": [A]},
        "one model only; give the columns or arrays of two or more"),
    "one column": ((FRAME,), {"truth": "y", "score": "a"}, "one model only"),
    "twice": ((FRAME,), {"truth": "y", "score": ["a", "a"]}, "names a column twice"),
    "no column": ((FRAME,), {"truth": "y", "score": ["a", "z"]}, "score z: the data has no column 'z'"),
    "no truth": ((), {"score": [A, B]}, "the actual labels are missing"),
    "both": ((), {"truth": Y, "score": [A, B], "predicted": [Y, Y]}, "exactly one of score=, predicted="),
    "lengths": ((), {"truth": Y, "score": [A, B[:9]]}, "has 240 rows and score model 2 has 9"),
    "positions": ((Y, A, B), {}, "arrays are passed by name"),
    "method": ((), BOTH | {"method": "t-test"}, "method: 't-test' is not known"),
    "delong of loss": ((), BOTH | {"method": "delong", "measures": "brier_score"},
        "'delong' compares roc_auc, not brier_score"),
    "measure": ((), BOTH | {"measures": ["roc"]}, "'roc' is not a measure in the catalogue"),
    "no probabilities": ((), {"truth": Y, "score": [3 * A, B], "measures": "log_loss"},
        "the scores are not probabilities"),
    "no measures": ((), BOTH | {"measures": []}, "measures: none is named"),
    "of labels": ((), ANSWERS | {"measures": "roc_auc"}, "roc_auc is not measured here: there are no scores"),
    "reference": ((), BOTH | {"reference": "z"}, "reference: 'z' is not known"),
    "adjust": ((), BOTH | {"adjust": "bonferroni"}, "adjust: 'bonferroni' is not known"),
    "two margins": ((), BOTH | {"non_inferior_by": 0.1, "equivalent_within": 0.1}, "ask for one of the two"),
    "no margin": ((), BOTH | {"non_inferior_by": 0}, "0 is not possible"),
    "a negative margin": ((), BOTH | {"equivalent_within": -0.1}, "a number above 0"),
    "a margin beyond all differences": ((), BOTH | {"non_inferior_by": {"roc_auc": 2}}, "excludes nothing"),
    "a margin of nothing": ((), BOTH | {"non_inferior_by": {"mcc": 0.1}}, "'mcc' is not compared here"),
    "too low a level": ((), BOTH | {"equivalent_within": 0.1, "level": 0.5}, "too low for equivalence"),
    "level": ((), BOTH | {"level": 95}, "for 95 % pass 0.95"),
    "replicates": ((), BOTH | {"replicates": 10}, "replicates: 10 is not possible"),
    "design": ((), BOTH | {"design": "blocks"}, "design: 'blocks' is not known"),
    "thresholds": ((), BOTH | {"threshold": [0.1, 0.2, 0.3]}, "3 thresholds for 2 models"),
    "a threshold of nobody": ((), BOTH | {"threshold": {"z": 0.1}}, "'z' is not a model here"),
    "threshold of labels": ((), ANSWERS | {"threshold": 0.5}, "threshold: it needs scores"),
    "gaps in clusters": ((), BOTH | {"clusters": [None] + ["x"] * (N - 1)}, "clusters: 1 value is missing"),
    "measures of no kind": ((), BOTH | {"measures": 5}, "measures: 5 is not a list of names"),
    "a threshold of text": ((), BOTH | {"threshold": ["x", 0.2]}, "threshold: 'x' is not a number"),
    "arrays next to data": ((FRAME,), {"truth": "y", "score": [A, B]}, "name its columns, not a ndarray"),
    "arrays next to sets": ((FRAME, FRAME), {"truth": Y, "score": [A, B]}, "name one of its columns"),
    "other names": ((), {"truth": {"a": Y, "z": Y}, "score": {"a": A, "b": B}, "paired": False},
        "none for the model 'b'"),
    "names that are one": ((), {"truth": Y, "score": {1: A, "1": B}}, "score: 1 (int) is not a model name"),
    "bootstrap of classes": ((), CLASSES | {"method": "bootstrap"}, "'bootstrap' needs two classes"),
    "swapped classes": ((), CLASSES | {"method": "permutation"}, "'permutation' needs two classes"),
    "delong of clusters": ((), CASES["sample and clusters"] | {"method": "delong"},
        "does not allow for clusters="),
    "sets and sample": ((FRAME, FRAME), {"truth": "y", "score": "a", "sample": "site"},
        "sample: two data sets hold"),
    "paired sets": ((FRAME, FRAME), {"truth": "y", "score": "a", "paired": True},
        "two data sets hold different cases"),
    "paired samples": ((FRAME,), {"truth": "y", "score": "a", "sample": "site", "paired": True},
        "leave out paired=True, or"),
    "one sample": ((FRAME[FRAME.site == "north"],), {"truth": "y", "score": "a", "sample": "site"},
        "sample: all cases are of one"),
    "samples of several": ((FRAME,), {"truth": "y", "score": ["a", "b"], "sample": "site"},
        "there is one column for all models"),
    "unpaired frame": ((FRAME,), {"truth": "y", "score": ["a", "b"], "paired": False},
        "say with sample= which sample"),
    "unpaired arrays": ((), {"truth": Y, "score": [A, B], "paired": False},
        "give a list with one array per model"),
    "one summary": ((Counts(tp=1, fp=1, fn=1, tn=1),), {}, "one summary only"),
    "paired summaries": ((Counts(tp=1, fp=1, fn=1, tn=1),) * 2, {"paired": True},
        "do not hold which case is which"),
    "summaries and truth": ((Counts(tp=1, fp=1, fn=1, tn=1),) * 2, {"truth": Y},
        "truth has no meaning with them"),
    "counts resampled": (
        (Counts(tp=1, fp=1, fn=1, tn=1),) * 2,
        {"method": "bootstrap", "paired": False},
        "the cases one by one",
    ),
    "shuffled clusters": ((), CASES["sample and clusters"] | {"method": "permutation"},
        "does not allow for clusters="),
    "weights beyond all": ((), BOTH | {"weight": np.full(N, 1e9), "weight_kind": "count"},
        "case by case"),
}  # fmt: skip


@for_each(("data", "given_", "part"), WRONG.values(), ids=WRONG)
def test_what_goes_wrong_is_said(data, given_, part):
    with pytest.raises(InputError) as wrong:
        compare(*data, **given_)
    assert part in str(wrong.value)
    assert "\n" not in str(wrong.value)


# Simulated (docs/compare.md has more)
# --------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_models_that_are_equally_good_are_rarely_told_apart():
    """Of 400 samples at 5 % between 9 and 34 rejections: beyond that the chance is below 1 in 1,000."""
    random, positive = np.random.default_rng(5), np.arange(120) < 60
    found = [p_values(random, positive) for _ in range(400)]
    rejected = {name: sum(one[name] <= 0.05 for one in found) for name in found[0]}
    assert all(9 <= number <= 34 for number in rejected.values()), rejected


def p_values(random, positive):
    """Of three models as good as each other, whose scores have something in common; the bootstrap and
    swapping of two."""
    scores = 1.2 * positive + random.normal(size=120) * 0.7 + random.normal(size=(3, 120)) * 0.7
    known, right = areas(positive, scores), (scores >= 0.6) == positive
    chi, df = known.overall()
    b, c = int((right[0] & ~right[1]).sum()), int((~right[0] & right[1]).sum())
    return {
        "delong": float(Normal(*known.difference(1, 0), "delong").p_at(0.0)),
        "all areas": stats.chi2.sf(chi, df),
        "score": float(Discordant(b, c, 120).p_at(0.0)),
        "mid-p": mcnemar_of_counts(b, c).p_value,
        "cochran": cochran_q_of_right(right).p_value,
        **resampled(random, positive, 1 / (1 + np.exp(0.72 - 1.2 * scores[:2]))),
    }


def resampled(random, positive, given_):
    cases, entries = (
        [ScoredCases(positive, one) for one in given_],
        [get("average_precision"), get("brier_score"), get("f1")],
    )
    how = Draws(299, seed=int(random.integers(2**32)))
    drawn = replicates([(entry, entry.defaults) for entry in entries], cases, how, thresholds=[0.5, 0.5])
    values = [
        [
            float(
                entry.function(
                    one.table if entry.name != "f1" else one.table.counts_at(0.5), **entry.defaults
                )
            )
            for one in cases
        ]
        for entry in entries
    ]
    evidence = {
        entry.name: of_replicates(second - first, drawn[1, i], drawn[0, i], "bootstrap", 60.0)
        for i, (entry, (first, second)) in enumerate(zip(entries, values, strict=True))
    }
    p = {name: float(one.p_at(0.0)) for name, one in evidence.items()}
    return p | {"swapped": permuted("roc_auc", *given_, positive, how.replicates, rng=how.seed)}


@pytest.mark.parametrize("names", [["other", "two"], ["two", "other"]])
def test_a_model_that_predicts_a_third_class(names):
    """The other model predicts two classes, as there are; both are compared as models of three."""
    answers = {"other": [0, 1, 2, 0, 1, 1], "two": [0, 1, 1, 0, 0, 1]}
    found = compare(truth=[0, 1, 1, 0, 0, 1], predicted={name: answers[name] for name in names})
    assert found["accuracy"].value == pytest.approx((4 - 6) / 6 if names[0] == "two" else (6 - 4) / 6)
    assert all(one.matrix.labels == (0, 1, 2) for one in found.evaluations.values())


def test_the_reference_is_a_sample_by_its_number():
    truth, score = np.tile([0, 1], 20), np.linspace(0, 1, 40)
    found = compare(truth=truth, score=score, sample=np.repeat([0, 1], 20), reference=1, measures="roc_auc")
    assert [(one.model, one.reference) for one in found.differences] == [("0", "1")]


@for_each("labels", [("x", "y"), (1, 2)])
def test_each_sample_knows_the_rows_that_were_left_out(labels):
    rng = np.random.default_rng(8)
    truth, site = np.arange(60) % 2, np.where(np.arange(60) < 24, *labels)
    score, weight = truth + rng.random(60), np.ones(60)
    score[[0, 1, 2, 30]], weight[[4, 31, 32, 33, 34]] = np.nan, 0
    given = {"truth": truth, "score": score, "weight": weight, "missing": "drop"}
    found = compare(**given, sample=site, measures="roc_auc")
    for label in labels:
        alone = evaluate(
            **{name: one if name == "missing" else one[site == label] for name, one in given.items()}
        ).data
        together = found.evaluations[str(label)].data
        assert (together.rows, together.dropped, together.weightless) == (
            alone.rows,
            alone.dropped,
            alone.weightless,
        )
    assert [(one.dropped, one.weightless) for one in (e.data for e in found.evaluations.values())] == [
        (3, 1),
        (1, 4),
    ]
    assert (found.data.rows, found.data.dropped, found.data.weightless) == (56, 4, 5)


def test_rows_left_out_of_samples_in_files(tmp_path):
    pytest.importorskip("pyarrow")
    # labels further down are text, so that both files are read again
    for name, sites in {"a": "123", "b": "1x2"}.items():
        rows = [f"{i % 2},{'' if i % 7 == 0 else i / 30},{sites[i % 3]}" for i in range(30)]
        (tmp_path / f"{name}.csv").write_text("\n".join(["y,p,site", *rows]))
    found = compare(
        str(tmp_path / "*.csv"), truth="y", score="p", sample="site", missing="drop", measures="roc_auc"
    )
    expected = {"1": 0, "2": 0, "3": 0, "x": 0}
    for sites in ("123", "1x2"):
        for i in range(0, 30, 7):
            expected[sites[i % 3]] += 1
    assert {name: e.data.dropped for name, e in found.evaluations.items()} == expected


def test_a_difference_that_the_adjustment_hides_is_said_so():
    random = np.random.default_rng(2)
    truth = random.random(400) < 0.3
    logits = (slope * truth - 1 + random.normal(size=400) for slope in (1.3, 0.8))
    a, b = (1 / (1 + np.exp(-one)) for one in logits)
    found = compare(truth=truth, score={"a": a, "b": b})
    first = found.differences[0]
    assert first.p_value < 0.05 < first.adjusted
    assert first.estimate.high < 0
    assert str(found.headline).endswith("no difference is shown after adjustment for all tests.")


def test_the_headline_opens_every_format():
    truth, score = np.tile([0, 1], 60), np.linspace(0, 1, 120)
    found = compare(
        truth=truth, score={"a": score, "b": 0.5 * score + 0.5 * truth}, measures=["roc_auc", "f1"]
    )
    h, first = found.headline, found.differences[0]
    assert (h.reading, h.p_value, h.adjusted) == ("better", first.adjusted, True)
    said = str(h)
    assert said.startswith("ROC AUC, b - a: ")
    assert said.endswith("on 120 cases: b is better.")
    plain = found.to_dict()["headline"]
    assert (plain["text"], plain["model"], plain["difference"]) == (said, "b", first.estimate.to_dict())
    assert " ".join(str(found).split()).startswith(said)
    assert said in found.to_markdown().replace("\\", "")
    assert html.escape(said) in found.to_html()
    same = compare(truth=truth, score={"a": score, "b": score}, measures="roc_auc").headline
    assert (same.reading, same.adjusted) == ("unclear", False)
    turned = compare(truth=truth, score={"b": 0.5 * score + 0.5 * truth, "a": score}, measures="log_loss")
    assert turned.headline.reading == "worse"
    assert str(turned.headline).endswith("b is better.")
