"""From cases to a measured answer: what `evaluate` answers, how it can be read, and what it says beside the
numbers."""

import json
import re

import numpy as np
import pytest
from looping import for_each, in_part
from refusals import refuses

import tallymark as tm
from tallymark import Counts, evaluate

RANDOM = np.random.default_rng(3)
SCORE = RANDOM.beta(0.5, 0.8, 200)
TRUTH = (RANDOM.random(200) < SCORE).astype(int)  # as often as the probabilities say
CALLED = (SCORE >= 0.5).astype(int)
OF_CLASSES = RANDOM.dirichlet([0.4] * 3, 120)
CLASSES = (RANDOM.random((120, 1)) > OF_CLASSES.cumsum(1)).sum(1)
GUESSES = np.where(RANDOM.random(120) < 0.6, CLASSES, RANDOM.integers(0, 3, 120))
COUNTS = Counts(tp=70, fp=20, fn=30, tn=80)

CLEAN = {
    "scores": {"truth": TRUTH, "score": SCORE},
    "labels": {"truth": TRUTH, "predicted": CALLED},
    "counts": {"counts": COUNTS},
    "classes": {"truth": CLASSES, "predicted": GUESSES},
    "a score per class": {"truth": CLASSES, "score": OF_CLASSES},
}
RANKING_MEASURES = [entry.name for entry in tm.find(tm.RankingTable) if entry.scores in (None, "probability")]
# whose interval is resampled
COUNT_MEASURES = [entry.name for entry in tm.find(Counts)]
every_kind = for_each("given", CLEAN.values(), ids=CLEAN)
RESULTS = {name: evaluate(**given) for name, given in CLEAN.items()}  # whose intervals are worked out once


def strict(text):
    return json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is not strict JSON"))


# What is measured
# --------------------------------------------------------------------------------------------------


def test_scores():
    result = RESULTS["scores"]
    assert list(result.estimates) == [*RANKING_MEASURES, *COUNT_MEASURES]
    assert result.counts == Counts.from_arrays(truth=TRUTH, score=SCORE, threshold=0.5)
    assert result["roc_auc"].value == tm.measures.roc_auc(result.ranking)
    assert result.data.rows == 200
    assert not result.data.weighted


def test_labels():
    result = evaluate(truth=TRUTH, predicted=CALLED)
    assert list(result.estimates) == COUNT_MEASURES
    assert result.counts == Counts.from_arrays(truth=TRUTH, predicted=CALLED)
    assert result.ranking is None
    assert result.threshold.value is None


def test_scores_at_a_threshold_are_predicted_labels():
    scores, labels = (
        evaluate(truth=TRUTH, score=SCORE, threshold=0.5),
        evaluate(truth=TRUTH, predicted=CALLED),
    )
    for name in COUNT_MEASURES:
        assert scores[name].threshold == 0.5
        assert scores[name] == labels[name]


def test_counts():
    result = evaluate(counts=COUNTS)
    assert list(result.estimates) == COUNT_MEASURES
    assert result["accuracy"].value == 0.75
    assert (result.data.rows, result.data.positives, result.data.negatives) == (200, 100, 100)
    assert result.data.source == "counts"


def test_many_classes():
    result = evaluate(truth=CLASSES, predicted=GUESSES)
    assert list(result.classes) == [0, 1, 2]
    assert not hasattr(result, "counts")
    for label, found in result.classes.items():
        alone = evaluate(truth=np.equal(CLASSES, label), predicted=np.equal(GUESSES, label))
        assert {name: one.value for name, one in found.items()} == {
            name: one.value for name, one in alone.estimates.items()
        }
        # whose draws are others
        for name in (name for name, one in found.items() if "bootstrap" not in one.method):
            assert tuple(found[name].plain.items())[:1] == tuple(alone[name].plain.items())[:1]
            assert (found[name].low, found[name].high) == pytest.approx(
                (alone[name].low, alone[name].high), rel=1e-12, nan_ok=True
            )
    right = np.equal(CLASSES, GUESSES)
    assert (
        result["accuracy"] == evaluate(truth=np.ones(len(right)), predicted=right.astype(float))["accuracy"]
    )
    with refuses("unsupported"):
        result["f1"]
    with refuses("unsupported", argument="curve"):
        result.curve("roc")


@for_each("name", COUNT_MEASURES)
def test_every_interval_holds_its_value(name):
    for kind in ("scores", "labels", "counts"):
        found = RESULTS[kind][name]
        assert found.low < found.value < found.high
        assert found.level == 0.95
        assert found.method


@pytest.mark.full
def test_order_of_rows_is_irrelevant():
    order = RANDOM.permutation(200)
    assert (
        evaluate(truth=TRUTH[order], score=SCORE[order]).to_dict()
        == evaluate(truth=TRUTH, score=SCORE).to_dict()
    )


def test_input_is_left_alone():
    truth, score, weight = TRUTH.copy(), SCORE.copy(), np.ones(200)
    evaluate(truth=truth, score=score, weight=weight, higher_is_positive=False)
    assert (truth == TRUTH).all()
    assert (score == SCORE).all()
    assert (weight == 1).all()


# Thresholds
# --------------------------------------------------------------------------------------------------


def test_a_half_for_probabilities():
    for score in (SCORE, np.r_[0.0, SCORE[1:-1], 1.0], SCORE.astype("float32"), SCORE > 0.4):
        result = evaluate(truth=TRUTH, score=score)
        assert (result.threshold.value, result.threshold.rule.code) == (0.5, "default")


def test_a_given_threshold():
    for value in (0.3, 0, 1, -5, 7, float("inf"), np.float32(0.25)):
        result = evaluate(truth=TRUTH, score=SCORE, threshold=value)
        assert (result.threshold.value, result.threshold.rule.code) == (float(value), "given")
        assert result.counts == Counts.from_arrays(truth=TRUTH, score=SCORE, threshold=float(value))


def test_the_largest_youden_index_for_other_scores():
    score = 10 * SCORE - 3
    result = evaluate(truth=TRUTH, score=score)
    assert result.threshold.rule.code == "youden"
    best = max(
        score,
        key=lambda value: tm.measures.youden_j(Counts.from_arrays(truth=TRUTH, score=score, threshold=value)),
    )
    assert result["youden_j"].value == tm.measures.youden_j(
        Counts.from_arrays(truth=TRUTH, score=score, threshold=best)
    )


def test_scores_at_the_edge_of_probabilities():
    assert evaluate(truth=[0, 1], score=[0.0, 1.0]).threshold.rule.code == "default"
    for low, high, rounded in (
        (0, 1 + 1e-6, True),
        (-1e-6, 1, True),
        (0, 1 + 2e-6, False),
        (-2e-6, 1, False),
    ):
        found = evaluate(truth=[0, 1], score=[low, high])
        assert (found.threshold.rule.code == "default") == ("brier_score" in found) == rounded, (low, high)
    assert evaluate(truth=[0, 1], score=[-0.0, 1.0]).threshold.rule.code == "default"


@pytest.mark.full
@for_each("label", [0, 1])
@for_each("score", [[0.1, 0.6, 0.9], [-4.0, 2.0, 9.0], [np.inf, -np.inf, np.inf], [5.0, 5.0, 5.0]])
@for_each("higher", [True, False])
def test_one_class(label, score, higher):
    result = evaluate(truth=[label] * 3, score=score, higher_is_positive=higher)
    assert result["roc_auc"].undefined
    assert result["accuracy"].value == result["accuracy"].value
    assert result["sensitivity" if label == 0 else "specificity"].undefined
    strict(result.to_json())
    assert str(result)


@pytest.mark.full
def test_at_another_threshold():
    result = RESULTS["scores"]
    assert result.at(0.3).to_dict() == evaluate(truth=TRUTH, score=SCORE, threshold=0.3).to_dict()
    assert dict(result.at(threshold=0.5)) == dict(result)
    with refuses("invalid-value", "'x'", argument="threshold"):
        result.at("x")
    with refuses("unsupported", argument="threshold"):
        evaluate(counts=COUNTS).at(0.5)


# Direction
# --------------------------------------------------------------------------------------------------


def test_a_lower_score_may_mean_positive():
    turned = evaluate(truth=TRUTH, score=1 - SCORE, higher_is_positive=False)
    plain = RESULTS["scores"]
    assert turned["roc_auc"].value == pytest.approx(plain["roc_auc"].value, rel=1e-12)
    assert "brier_score" not in turned.estimates
    assert (turned.threshold.rule.code, turned.threshold.value) == ("default", 0.5)
    assert "score <= 0.5" in " ".join(str(turned).split())


def test_a_threshold_of_scores_of_which_a_lower_one_means_positive():
    score = np.array([0.1, 0.3, 0.3, 0.8])
    result = evaluate(truth=[1, 1, 0, 0], score=score, threshold=0.3, higher_is_positive=False)
    assert result.counts == Counts(tp=2, fp=1, fn=0, tn=1)
    assert result.threshold.value == 0.3
    assert result.at(0.1)["sensitivity"].value == 0.5
    chosen = evaluate(truth=[1, 1, 0, 0], score=[1, 2, 5, 8], higher_is_positive=False)
    assert chosen.threshold.value == 2
    assert chosen.counts == Counts(tp=2, fp=0, fn=0, tn=2)


@pytest.mark.parametrize("kind", ["uint8", "bool", "int8"])
def test_turning_scores_of_types_without_a_sign(kind):
    score = (SCORE * 100).astype(kind)
    result = evaluate(truth=TRUTH, score=score, higher_is_positive=False)
    assert result["roc_auc"].value == pytest.approx(1 - evaluate(truth=TRUTH, score=score)["roc_auc"].value)


def test_the_curve_of_turned_scores_shows_thresholds_as_the_user_knows_them():
    curve = evaluate(truth=[1, 1, 0], score=[0.1, 0.2, 0.9], higher_is_positive=False).curve("roc")
    assert set(curve.threshold[1:].tolist()) == {0.1, 0.2, 0.9}


def test_turning_takes_nothing_but_a_truth_value():
    with refuses("invalid-value", "higher_is_positive"):
        evaluate(truth=TRUTH, score=SCORE, higher_is_positive="no")


def test_nothing_is_flipped():
    assert evaluate(truth=TRUTH, score=1 - SCORE)["roc_auc"].value < 0.5


# Reading the answer
# --------------------------------------------------------------------------------------------------


def test_measures_by_any_name():
    result = RESULTS["scores"]
    assert result["phi"] is result["mcc"] is result["matthews_correlation"] is result["Matthews Correlation"]
    assert result["auc"] is result["roc_auc"]
    assert result["recall"] is result["sensitivity"]
    with refuses("unknown-name", "'presision'", "'precision'"):
        result["presision"]


def test_scores_that_are_likelihood_ratios_are_measured_as_such_where_that_is_said():
    score = np.log(0.1 + SCORE) - np.log(1.1 - SCORE)
    plain, said = evaluate(truth=TRUTH, score=score), evaluate(truth=TRUTH, score=score, score_kind="llr")
    assert set(said) == {*plain, "cllr"}
    assert said["cllr"].value == tm.measures.cllr(said.ranking)
    with refuses("unsupported", "score_kind='llr'"):
        plain["cllr"]
    with refuses("unknown-name", "score_kind", "'lr'", "'llr'"):
        evaluate(truth=TRUTH, score=score, score_kind="lr")


def test_estimates_are_worked_out_when_they_are_asked_for():
    result = RESULTS["scores"]
    assert result.estimates["f1"] is result.estimates["f1"] is result["f1"]
    assert (len(result), list(result), "f1" in result.estimates) == (
        len(result.estimates),
        list(result.estimates),
        True,
    )
    assert dict(result) == dict(result.estimates) == {name: result[name] for name in result}


def test_measures_that_the_data_do_not_allow_say_why():
    with refuses("unsupported", "roc_auc"):
        evaluate(counts=COUNTS)["auc"]
    with refuses("unsupported", "brier_score"):
        evaluate(truth=TRUTH, score=SCORE * 9)["brier"]


def test_curves():
    result = RESULTS["scores"]
    roc, pr = result.curve("roc"), result.curve("pr")
    assert (roc.x[0], roc.y[0], roc.x[-1], roc.y[-1]) == (0, 0, 1, 1)
    assert np.trapezoid(roc.y, roc.x) == pytest.approx(result["roc_auc"].value, rel=1e-12)
    assert np.sum(np.diff(pr.x) * pr.y[1:]) == pytest.approx(result["average_precision"].value, rel=1e-12)
    for curve in (roc, pr):
        assert len(curve.x) == len(curve.y) == len(curve.threshold) == len(curve)
        assert len(repr(curve)) < 100
    with refuses("unknown-name", "'rock'", "'roc'", argument="curve"):
        result.curve("rock")


@pytest.mark.parametrize("kind", ["scores", "labels", "counts"])
def test_the_table_goes_into_a_data_frame(kind):
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    result = RESULTS[kind]
    frame = pandas.DataFrame(result.table)
    assert list(frame.columns) == ["measure", *ESTIMATE_KEYS]
    assert list(frame["measure"]) == list(result.estimates)
    assert frame.set_index("measure").loc["accuracy", "value"] == result["accuracy"].value
    assert polars.DataFrame(result.table, infer_schema_length=None).height == len(result.estimates)


PROVENANCE = ["date", "call", "sha256"]
ESTIMATE_KEYS = [
    "value",
    "low",
    "high",
    "level",
    "method",
    "undefined",
    "note",
    "standard_error",
    "threshold",
]


HEAD = ["schema", "tallymark", "answer", "task", "data", "design", "mix_fixed_by_weights", "score_kind"]
SHARED = ["headline", "measures", "selected", "unavailable", "notices", "baselines"]


@pytest.mark.parametrize("kind", ["scores", "labels", "counts"])
def test_json_has_exactly_the_keys_of_version_2(kind):
    answer = strict(RESULTS[kind].to_json())
    pairs = ["pairs"] if kind == "scores" else []
    threshold = ["threshold"] if kind != "counts" else []
    assert list(answer) == [*HEAD, *threshold, "counts", *SHARED, *pairs, "table"]
    assert list(answer["baselines"]) == ["random", "largest class"]
    assert (answer["schema"], answer["answer"], answer["task"]) == (2, "evaluation", "binary")
    assert answer["tallymark"] == tm.__version__
    assert list(answer["data"]) == [
        "rows", "positives", "negatives", "dropped", "weighted", "weight_kind", "source", *PROVENANCE,
    ]  # fmt: skip
    assert list(answer.get("threshold", ["value", "rule"])) == ["value", "rule"]
    assert list(answer["counts"]) == ["tp", "fp", "fn", "tn"]
    assert list(answer["table"]) == ["labels", "cells", "margins", "ratios"]
    for found in answer["measures"].values():
        assert list(found) == [*ESTIMATE_KEYS, "notes"]
    assert answer == RESULTS[kind].to_dict()


@pytest.mark.full
@pytest.mark.parametrize("kind", ["classes", "a score per class"])
def test_json_of_many_classes_adds_keys_and_keeps_the_others(kind):
    answer = strict(RESULTS[kind].to_json())
    assert list(answer) == [*HEAD, "rule", *SHARED, "classes", "averages", "class_counts", "matrix"]
    assert list(answer["data"]) == ["rows", "dropped", "weighted", "weight_kind", "source", *PROVENANCE]
    assert list(answer["classes"]) == ["0", "1", "2"]
    assert list(answer["classes"]["1"]["f1"]) == [*ESTIMATE_KEYS, "notes"]
    assert answer["data"]["rows"] == 120


def test_notices_in_json():
    answer = strict(evaluate(truth=[0, 1, 1, 0], score=[0.1, 7, 8, 0.2]).to_json())
    assert answer["notices"]
    assert all(list(notice) == ["code", "fields", "text", "source", "severe"] for notice in answer["notices"])


@pytest.mark.full
@pytest.mark.parametrize(
    "given",
    [
        {"truth": [0, 0], "score": [0.1, 0.2]},
        {"truth": [0, 1], "score": [np.inf, -np.inf]},
        {"truth": [0, 1], "score": [0.1, 0.2], "threshold": np.inf},
        {"truth": [1, 1], "predicted": [1, 1]},
        {"counts": Counts.zero()},
        {"counts": Counts(tp=5, fp=0, fn=0, tn=0)},
        {"truth": [0, 1, 2], "predicted": [0, 0, 0]},
        {"truth": [1], "score": [0.5]},
    ],
)
def test_json_is_strict_and_says_why_a_value_is_missing(given):
    result = evaluate(**given)
    answer = strict(result.to_json())
    for found in answer["measures"].values():
        if found["value"] is None:
            assert found["undefined"] or found["note"]
        if found["low"] is None:
            assert found["undefined"] or found["note"]
    assert str(result)


@pytest.mark.full
def test_json_keeps_other_scripts_and_can_be_one_line():
    text = evaluate({"größe": TRUTH, "p": SCORE}, truth="größe", score="p").to_json(indent=None)
    assert "\n" not in text
    text = evaluate(
        truth=np.array(["ja", "é"])[TRUTH], predicted=np.array(["ja", "é"])[CALLED], positive="é"
    ).to_json()
    strict(text)


@for_each("result", RESULTS.values(), ids=RESULTS)
def test_printing_fits_80_columns(result):
    text = str(result)
    assert max(map(len, text.splitlines())) <= 80
    assert text.isascii()


@pytest.mark.full
@for_each(
    "given",
    [
        {"truth": TRUTH, "score": SCORE * 12345.678 - 99},
        {"truth": TRUTH, "score": -SCORE},
        {"truth": np.zeros(50), "score": SCORE[:50]},
        {"truth": np.ones(50), "score": SCORE[:50]},
        {"truth": TRUTH, "predicted": np.zeros(200)},
        {"truth": [0, 1], "score": [0.2, 0.7]},
        {"truth": TRUTH, "score": SCORE, "weight": RANDOM.random(200)},
        {"truth": TRUTH, "score": SCORE, "weight": RANDOM.random(200) * 1e9},
        {"counts": Counts(tp=7e9, fp=1e9, fn=2e9, tn=3e11)},
        {"truth": np.round(CLASSES * 1.5, 1), "predicted": GUESSES * 1.5},
        {"counts": Counts.zero()},
    ],
)
def test_printing_fits_80_columns_when_there_is_more_to_say(given):
    for line in str(evaluate(**given)).splitlines():
        assert len(line) <= 80, line


def test_repr_is_short():
    number = len(COUNT_MEASURES) + len(RANKING_MEASURES)
    assert repr(RESULTS["scores"]) == f"<BinaryEvaluation of 200 cases: {number} measures, 0 notices>"
    assert repr(RESULTS["scores"]["accuracy"]).startswith("Estimate(0.")


def test_notebook_shows_a_table():
    html = RESULTS["scores"]._repr_html_()
    assert "ROC AUC" in html
    assert "<html" not in html


@pytest.mark.parametrize("name", ["x.html", "x.htm", "x.json"])
def test_saving(tmp_path, name):
    result = RESULTS["scores"]
    result.save(tmp_path / name)
    text = (tmp_path / name).read_text(encoding="utf-8")
    if name == "x.json":
        written = strict(text)
        assert written.pop("document").keys() == {"screen", "full"}
        assert written == result.to_dict()
    else:
        assert "<!doctype html>" in text
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_an_evaluation_is_frozen():
    result = RESULTS["scores"]
    for name in ("data", "estimates", "counts"):
        with pytest.raises(AttributeError):
            setattr(result, name, None)


# Settings
# --------------------------------------------------------------------------------------------------


# With these parameters enough of two hundred cases decide, and no value is at an end of what is possible.
SUITED = {f"{what}_at_k": {"k": 100} for what in ("precision", "recall")} | {"bedroc": {"alpha": 2}}
SUITED |= {name: {"share": 0.5} for name in ("precision_at_share", "recall_at_share", "enrichment_factor")}
SUITED |= {
    "fnmr_at_fmr": {"fmr": 0.2},
    "fmr_at_fnmr": {"fnmr": 0.2},
    "min_dcf": {"prior": 0.5},
    "min_dcf_normalised": {"prior": 0.5},
}


@pytest.mark.full
def test_level():
    wide, narrow = (
        evaluate(truth=TRUTH, score=SCORE, level=level, parameters=SUITED) for level in (0.99, 0.5)
    )
    for name, found in wide.estimates.items():
        if wide.entry(name).interval.kind == "smooth-deviations":
            assert [found.has_interval, narrow[name].has_interval] == [False, False]
            continue
        # no distance is below it
        assert found.low < narrow[name].low or found.low == wide.entry(name).range[0] == 0
        assert narrow[name].low <= narrow[name].value <= narrow[name].high <= found.high
        # of a bias upwards both bounds may lie below the value, to which the interval is extended
        biased = found.method == "inverted-bootstrap" and found.high == pytest.approx(found.value)
        assert narrow[name].high < found.high or biased
        assert (found.level, narrow[name].level) == (0.99, 0.5)
    assert "99% interval" in str(wide)


def test_methods():
    exact = evaluate(counts=COUNTS, proportion="clopper-pearson")
    assert exact["accuracy"].method == "clopper-pearson"
    assert exact["f1"].method == "clopper-pearson"  # it rises with the jaccard index, a proportion
    assert exact["accuracy"].low < evaluate(counts=COUNTS)["accuracy"].low


def test_random_numbers():
    def low(rng):
        return evaluate(truth=truth, score=score, rng=rng)["kolmogorov_smirnov"].low

    truth, score = np.arange(60) % 3 == 0, (np.arange(60) * 7 % 11) + 4.0 * (np.arange(60) % 3 == 0)
    assert low(0) == low(0) == evaluate(truth=truth, score=score)["kolmogorov_smirnov"].low != low(1)
    assert low(np.random.default_rng(5)) == low(np.random.default_rng(5)) != low(np.random.default_rng(6))
    generator = np.random.default_rng(5)
    assert low(generator) != low(generator)
    assert low(np.int64(1)) == low(1)


# Weights
# --------------------------------------------------------------------------------------------------


def near(name, found):
    """How near bounds are: but for rounding the same, unless a table is resampled, of which rounded weights
    draw others."""
    drawn = name in RANKING_MEASURES and "bootstrap" in (found.method or "")
    return {"abs": 0.1 * (found.high - found.low)} if drawn else {"rel": 1e-6}


@pytest.mark.full
def test_whole_weights_are_numbers_of_cases():
    weight = RANDOM.integers(0, 4, 200)
    weighted = evaluate(truth=TRUTH, score=SCORE, weight=weight, weight_kind="count")
    repeated = evaluate(truth=TRUTH.repeat(weight), score=SCORE.repeat(weight))
    assert dict(weighted) == dict(repeated)
    assert weighted.counts == repeated.counts
    assert weighted.data.weighted
    labels = evaluate(truth=TRUTH, predicted=CALLED, weight=weight.astype(float), weight_kind="count")
    assert dict(labels) == {name: repeated[name] for name in COUNT_MEASURES}


@pytest.mark.full
def test_fractional_weights_count_as_fewer_cases():
    weight = RANDOM.random(200) + 0.01
    result = evaluate(truth=TRUTH, score=SCORE, weight=weight)
    assert result.data.effective_rows == pytest.approx(weight.sum() ** 2 / (weight**2).sum())
    assert result.data.effective_rows < 200
    for name, found in evaluate(truth=TRUTH, score=SCORE, weight=weight * 1000).estimates.items():
        assert found.value == pytest.approx(result[name].value, rel=1e-9)
        assert found.low == pytest.approx(result[name].low, nan_ok=True, **near(name, found))
        assert found.note == result[name].note


@pytest.mark.full
def test_equal_weights_change_no_value_and_no_interval():
    plain = RESULTS["scores"]
    for factor in (0.5, 0.3):
        weighted = evaluate(truth=TRUTH, score=SCORE, weight=np.full(200, factor))
        for name, found in plain.estimates.items():
            assert weighted[name].value == pytest.approx(found.value, rel=1e-9)
            assert weighted[name].low == pytest.approx(found.low, nan_ok=True, **near(name, found))
            assert weighted[name].high == pytest.approx(found.high, nan_ok=True, **near(name, found))


# Notices
# --------------------------------------------------------------------------------------------------

MANY = np.arange(100) % 2
SPREAD = np.linspace(0.01, 0.99, 100)
BINS = tm.BinnedTable.from_table(tm.RankingTable.from_arrays(truth=MANY, score=SPREAD))
THIRDS = np.arange(90) % 3
UNEVEN = np.r_[np.zeros(80, int), np.ones(15, int), np.full(5, 2)]


class NamedColumns:
    """A table as a data frame is one."""

    def __init__(self, **columns):
        self.columns, self.shape = list(columns), (len(columns["p0"]), len(columns))
        self._arrays = columns

    def __getitem__(self, name):
        return self._arrays[name]


NOTICES = {
    "one-class": [{"truth": np.zeros(40), "score": SPREAD[:40]},
        {"truth": np.ones(40), "predicted": np.ones(40)}],
    "few-cases": [
        {"truth": np.arange(100) < 9, "score": SPREAD},
        {"truth": np.arange(100) >= 9, "score": SPREAD},
        {"counts": Counts(tp=3, fp=1, fn=1, tn=400)},
    ],
    "rows-dropped": [{"truth": MANY, "score": np.where(np.arange(100) == 3, np.nan, SPREAD),
        "missing": "drop"}],
    "no-answer": [{"truth": MANY, "predicted": np.where(np.arange(100) < 7, -9, MANY), "not_an_answer": [-9]},
        {"truth": UNEVEN, "predicted": np.where(np.arange(100) < 7, -9, UNEVEN), "not_an_answer": [-9]}],
    "labels-alike": [{"truth": ["a", "b", "A"] * 9, "predicted": ["a", "b", "b"] * 9},
        {"truth": ["7", "007"] * 9, "score": SPREAD[:18], "positive": "7"}],
    "labels-like-missing": [{"truth": ["a", "b", "."] * 9, "predicted": ["a", "b", "b"] * 9}],
    "positive-by-its-name": [{"truth": ["Negative", "Positive"] * 9, "score": SPREAD[:18]},
        {"truth": ["negative", "positive"] * 9, "predicted": ["positive"] * 18}],
    "grades-without-cases": [{"truth": [1, 2, 4] * 9, "predicted": [1, 4, 4] * 9}],
    "importance-weights": [{"truth": MANY, "score": SPREAD, "weight": SPREAD}],
    "class-weights": [{"truth": MANY, "score": SPREAD, "weight": 0.5 + MANY}],
    "whole-weights": [{"truth": MANY, "score": SPREAD, "weight": np.full(100, 3.0)}],
    "scores-outside-unit-interval": [{"truth": MANY, "score": SPREAD * 2},
        {"truth": MANY, "score": SPREAD - 0.5}],
    "infinite-scores": [{"truth": MANY, "score": np.r_[np.inf, SPREAD[1:]]},
        {"truth": MANY, "score": np.r_[-np.inf, SPREAD[1:]]}],
    "scores-in-bins": [{"data": BINS}, {"data": BINS.compact(8)}],
    "heavy-ties": [{"truth": MANY, "score": np.round(SPREAD)}, {"truth": MANY, "score": np.full(100, 0.5)}],
    "log-loss-clipped": [{"truth": MANY, "score": np.r_[SPREAD[:99], 0.0]},
        {"truth": MANY, "score": np.r_[1.0, SPREAD[1:]]}],
    "auc-below-half": [{"truth": np.arange(100) < 50, "score": SPREAD}],
    "scores-look-like-labels": [{"truth": MANY, "score": np.round(SPREAD)}],
    "perfect-ranking": [{"truth": SPREAD > 0.5, "score": SPREAD}],
    "limit-met-here-only": [{"truth": MANY, "score": SPREAD, "rule": rule} for rule in ("sensitivity>=0.9",
        "specificity>=0.9")],
    "threshold-chosen-here": [{"truth": MANY, "score": 9 * SPREAD,
        "higher_is_positive": higher} for higher in (True, False)],
    "agreement-below-chance": [
        {"truth": np.arange(100) < 20, "score": SPREAD},
        {"counts": Counts(tp=50, fp=30, fn=100, tn=20)},
        {"truth": UNEVEN, "predicted": (UNEVEN + 1) % 3},
    ],
    "class-auc-below-half": [{"truth": THIRDS, "score": np.eye(3)[(THIRDS + 1) % 3]}],
    "equal-highest-scores": [{"truth": THIRDS, "score": np.eye(3)[THIRDS] * (np.arange(90) > 0)[:, None]}],
    "classes-without-cases": [{"truth": THIRDS, "predicted": np.where(np.arange(90) < 5, 3, THIRDS)}],
    "classes-that-do-not-occur": [{"truth": THIRDS, "predicted": THIRDS, "classes": range(4)}],
    "classes-never-predicted": [{"truth": THIRDS, "predicted": THIRDS.clip(1)}],
    "one-answer": [
        {"truth": np.arange(100) < 80, "predicted": 0 * MANY},
        {"truth": np.arange(100) < 20, "score": 9 * SPREAD, "threshold": 0},
        {"truth": np.arange(100) < 80, "score": SPREAD / 3},
        {"truth": np.repeat([0, 1, 2], [10, 20, 60]), "predicted": 0 * THIRDS},
    ],
    "worse-than-guessing": [
        {"truth": MANY, "score": SPREAD},
        {"truth": THIRDS, "score": 0.1 + 0.7 * np.eye(3)[(THIRDS + (np.arange(90) < 80)) % 3]},
    ],
    "no-class-probabilities": [{"truth": THIRDS, "score": scores} for scores in (3 * np.eye(3)[THIRDS],
        1 - np.eye(3)[THIRDS])],
    "probabilities-rounded": [{"truth": THIRDS, "score": np.full((90, 3), third)} for third in (0.33,
        0.333333)],
    "columns-matched": [{"truth": THIRDS, "score": NamedColumns(p0=THIRDS == 0, p1=THIRDS == 1,
        p2=THIRDS == 2)}],
    "probabilities-clipped": [{"truth": MANY, "score": np.r_[-1e-16, SPREAD[1:99], end]} for end in (0.99,
        1 + 2.3e-16)],
    "over-confident": [
        {"truth": MANY, "score": SPREAD},
        {"truth": THIRDS, "score": np.eye(3)[(THIRDS + (np.arange(90) < 20)) % 3]},
    ],
    "under-confident": [
        {"truth": np.arange(200) % 100 < np.repeat([10, 90], 100), "score": np.repeat([0.3, 0.7], 100)},
        {"truth": THIRDS, "score": 0.2 + 0.4 * np.eye(3)[THIRDS]},
    ],
    "confidence-of-the-predicted-class": [
        {"truth": np.arange(400) % 2, "score": np.linspace(0.5, 0.99, 400)},
        {"truth": np.arange(400) % 10 < 3, "score": np.linspace(0.99, 0.5, 400)},
    ],
    "overestimation": [{"truth": MANY, "score": 0.4 + 0.6 * SPREAD},
        {"truth": MANY, "score": np.full(100, 0.7)}],
    "underestimation": [{"truth": MANY, "score": SPREAD / 2},
        {"truth": MANY, "score": -1.0 - MANY, "score_kind": "logit"}],
}  # fmt: skip


def measured(given):
    """The evaluation. given: the arguments, and as "data" that which has no name."""
    return evaluate(given.get("data"), **{name: one for name, one in given.items() if name != "data"})


def codes(given):
    return [notice.code for notice in measured(given).notices]


@in_part(8)
@for_each(("code", "given"), [(code, given) for code, many in NOTICES.items() for given in many])
def test_a_notice_where_there_is_cause(code, given):
    result = measured(given)
    found = [notice for notice in result.notices if notice.code == code]
    assert len(found) == 1
    text = found[0].text
    assert "\n" not in text
    assert re.match(r"[A-Z0-9]", text) or text.split()[0] in result
    assert text.endswith(".")
    assert f"[{code}]" in str(result.all)
    assert found[0].source is None or len(found[0].source) > 5


def test_every_notice_has_data_made_for_it():
    from tallymark.evaluation.notices import RULES

    missing = [rule.code for rule in RULES if rule.code not in NOTICES]
    assert not missing, f"add data that set them off to NOTICES in tests/test_evaluation.py for: {missing}"
    assert not NOTICES.keys() - {rule.code for rule in RULES}
    silent = [rule.code for rule in RULES if not rule.function.__doc__]
    assert not silent, f"add a docstring, when it appears (docs/names.md shows it), to: {silent}"


@every_kind
def test_clean_data_have_no_notice(given):
    assert codes(given) == []


@for_each(
    ("code", "given"),
    [
        ("few-cases", {"counts": Counts(tp=8, fp=2, fn=2, tn=8)}),
        (
            "importance-weights",
            {"truth": MANY, "score": SPREAD, "weight": np.full(100, 3.0), "weight_kind": "count"},
        ),
        (
            "whole-weights",
            {"truth": MANY, "score": SPREAD, "weight": np.full(100, 3.0), "weight_kind": "count"},
        ),
        ("scores-outside-unit-interval", {"truth": MANY, "score": np.round(SPREAD)}),
        ("log-loss-clipped", {"truth": [0, 1] * 20, "score": [0.0, 1.0] * 20}),
        ("auc-below-half", {"truth": MANY, "score": np.full(100, 0.5)}),
        ("threshold-chosen-here", {"truth": MANY, "score": SPREAD * 9, "threshold": 4}),
        ("agreement-below-chance", {"truth": MANY, "predicted": MANY}),
        ("agreement-below-chance", {"counts": Counts(tp=0, fp=0, fn=20, tn=80)}),
        ("agreement-below-chance", {"counts": Counts(tp=18, fp=200, fn=2, tn=780)}),  # a screening test
        # below 0, perhaps by chance
        ("agreement-below-chance", {"counts": Counts(tp=9, fp=41, fn=11, tn=39)}),
        ("auc-below-half", {"truth": [0, 1, 0] * 10, "score": np.linspace(0.9, 0.1, 30)}),  # 0.498
        ("perfect-ranking", {"truth": np.arange(100) > 97, "score": SPREAD}),
        ("rows-dropped", {"truth": MANY, "score": SPREAD, "missing": "drop"}),
        ("heavy-ties", {"truth": MANY, "score": MANY}),
        ("agreement-below-chance", {"truth": UNEVEN, "predicted": 0 * UNEVEN}),
        # perhaps by chance
        ("agreement-below-chance", {"truth": UNEVEN, "predicted": np.where(np.arange(100) < 2, 1, 0)}),
        ("class-auc-below-half", {"truth": THIRDS, "score": np.eye(3)[THIRDS]}),
        ("equal-highest-scores", {"truth": THIRDS, "score": np.eye(3)[THIRDS]}),
        ("classes-without-cases", {"truth": THIRDS, "predicted": THIRDS}),
        ("classes-never-predicted", {"truth": THIRDS, "predicted": (THIRDS + 1) % 3}),
        ("one-answer", {"truth": MANY, "predicted": np.arange(100) == 0}),
        ("one-answer", {"truth": MANY, "predicted": 0 * MANY}),
        ("one-answer", {"truth": np.arange(100) < 20, "score": SPREAD / 3}),
        ("one-answer", {"truth": UNEVEN, "predicted": 0 * UNEVEN}),
        ("class-weights", {"truth": MANY, "score": SPREAD, "weight": 0.2 + SPREAD}),
        ("worse-than-guessing", {"truth": TRUTH, "score": SCORE}),
        # a skill below 0, perhaps by chance
        ("worse-than-guessing", {"truth": MANY, "score": np.full(100, 0.52)}),
        ("no-class-probabilities", {"truth": THIRDS, "score": 3 * np.eye(3)[THIRDS], "score_kind": "logit"}),
        ("probabilities-clipped", {"truth": MANY, "score": SPREAD + 9}),
        ("over-confident", {"truth": TRUTH, "score": SCORE}),
        ("confidence-of-the-predicted-class", {"truth": MANY, "score": SPREAD}),
        # all are likely
        ("confidence-of-the-predicted-class", {"truth": np.arange(400) % 4 > 0, "score": np.full(400, 0.75)}),
        ("overestimation", {"truth": np.arange(400) % 2, "score": np.linspace(0.5, 0.99, 400)}),
        ("over-confident", {"truth": MANY, "score": SPREAD, "score_kind": "margin"}),
        ("under-confident", {"truth": MANY, "score": SPREAD}),
        ("overestimation", {"truth": MANY, "score": SPREAD}),
        ("underestimation", {"truth": MANY, "score": SPREAD / 2, "score_kind": "margin"}),
        # too few positives to show it
        ("underestimation", {"truth": np.arange(100) < 4, "score": np.full(100, 0.003)}),
    ],
)
def test_no_notice_just_beyond_its_cause(code, given):
    assert code not in codes(given)


def test_dropped_rows_are_counted():
    score = np.where(np.arange(100) < 7, np.nan, SPREAD)
    truth = np.where(np.arange(100) == 99, np.nan, MANY)
    result = evaluate(truth=truth, score=score, missing="drop")
    assert (result.data.rows, result.data.dropped) == (92, 8)
    assert any(notice.text.startswith("8 rows (8.0%)") for notice in result.notices)


def test_summaries_are_evaluated_as_the_cases_are():
    parts = [
        tm.RankingTable.from_arrays(truth=TRUTH[half], score=SCORE[half])
        for half in (slice(90), slice(90, None))
    ]
    whole, plain = evaluate(parts[0] + parts[1]), RESULTS["scores"]
    assert (dict(whole), whole.counts, whole.data.rows) == (dict(plain), plain.counts, plain.data.rows)
    called = (SCORE > 0.5).astype(int)
    matrix = tm.ConfusionMatrix.from_arrays(truth=TRUTH, predicted=called)
    assert (
        dict(evaluate(matrix))
        == dict(evaluate(matrix.counts()))
        == dict(evaluate(truth=TRUTH, predicted=called))
    )


def test_what_a_summary_leaves_no_room_for():
    table = tm.RankingTable.from_arrays(truth=TRUTH, score=SCORE)
    for summary, given in (
        (COUNTS, {"threshold": 0.5}),
        (COUNTS, {"positive": 1}),
        (table, {"positive": 1}),
        (table, {"score": SCORE}),
    ):
        with refuses("conflict"):
            evaluate(summary, **given)
    with refuses("empty", argument="data"):
        evaluate(tm.RankingTable.empty())


def test_a_table_of_fractional_weights_says_that_its_cases_are_unknown():
    table = tm.RankingTable.from_arrays(truth=TRUTH, score=SCORE, weight=np.full(200, 0.5))
    assert "importance-weights" in [notice.code for notice in evaluate(table).notices]


@pytest.mark.parametrize("several", [False, True], ids=["one model", "several"])
def test_an_attribute_error_inside_a_property_is_not_hidden(several, monkeypatch):
    score = [0.1, 0.8, 0.9, 0.2]
    ev = evaluate(truth=[0, 1, 1, 0], score={"a": score, "b": score} if several else score)
    broken = property(lambda self: self.data_of_old)
    monkeypatch.setattr(type(ev), "notices", broken)
    with pytest.raises(AttributeError, match="data_of_old"):
        _ = ev.notices
    with pytest.raises(AttributeError, match="no_such"):
        _ = ev.no_such
