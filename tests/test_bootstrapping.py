"""`tallymark.bootstrap`: the bootstrap by name, from whatever cases."""

import json
import math

import numpy as np
import pytest
from looping import for_each
from refusals import refuses

import tallymark as tm
from tallymark import InputError, RankingTable, bootstrap, evaluate
from tallymark.evaluation.bootstrap import AT_A_THRESHOLD, USUAL
from tallymark.inference.replicates import METHODS
from tallymark.measures.registry import all_measures
from tallymark.measures.titles import title
from tallymark.summaries import Counts

RANDOM = np.random.default_rng(8)
TRUTH = (np.arange(150) % 3 == 0).astype(int)
SCORE = np.round(1 / (1 + np.exp(0.7 - RANDOM.normal(size=150) - 1.6 * TRUTH)), 2)
WEIGHT = RANDOM.integers(0, 4, 150)
SITE = np.array(["north", "south", "east", "west", "centre", "far"])[np.arange(150) // 25]
PLAIN = {"truth": TRUTH, "score": SCORE}
CASES = {
    "arrays": PLAIN,
    "lists": {"truth": TRUTH.tolist(), "score": SCORE.tolist()},
    "text": {"truth": np.where(TRUTH, "ill", "well"), "score": SCORE, "positive": "ill"},
    "no probabilities": {"truth": TRUTH, "score": 7 * SCORE - 2},
    "logits": {"truth": TRUTH, "score": 7 * SCORE - 4, "score_kind": "logit"},
    "likelihood ratios": {
        "truth": TRUTH,
        "score": 7 * SCORE - 4,
        "score_kind": "llr",
        "measures": ["cllr", "roc_auc"],
    },
    "lower is positive": {"truth": TRUTH, "score": -SCORE, "higher_is_positive": False},
    "whole weights": PLAIN | {"weight": WEIGHT, "weight_kind": "count"},
    "weights": PLAIN | {"weight": WEIGHT + 0.5},
    "clusters": PLAIN | {"clusters": SITE},
    "clusters and weights": PLAIN | {"clusters": SITE, "weight": WEIGHT},
    "poisson": PLAIN | {"resampling": "poisson-bootstrap"},
    "case-control": PLAIN | {"design": "case-control"},
    "single precision": {"truth": TRUTH, "score": SCORE.astype(np.float32)},
    "perfect": {
        "truth": [0] * 20 + [1] * 20,
        "score": np.r_[np.linspace(0.1, 0.4, 20), np.linspace(0.6, 0.9, 20)],
    },
    "constant": {"truth": [0, 1] * 30, "score": [0.3] * 60},
    "one class": {"truth": [1] * 30, "score": np.linspace(0, 1, 30)},
    "one case": {"truth": [1], "score": [0.3]},
    "one of each": {"truth": [0, 1], "score": [0.3, 0.6]},
    "certain and wrong": {"truth": [0, 1] * 20, "score": [1.0, 0.0] * 20},
    "parameters": (
        PLAIN
        | {
            "measures": ["log_loss", "f_beta"],
            "parameters": {"log_loss": {"base": 2}, "f_beta": {"beta": 2}},
        }
    ),
}
every_case = for_each("given", CASES.values(), ids=CASES)


def strict(text):
    return json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is not strict JSON"))


def same(one, other):
    assert one.keys() == other.keys()
    np.testing.assert_array_equal(one.values, other.values)
    for name in one:
        assert repr(one[name]) == repr(other[name])


# What comes out
# --------------------------------------------------------------------------------------------------


@pytest.mark.full
@every_case
@for_each("method", METHODS)
def test_whatever_the_cases_it_is_printed_and_written(given, method):
    found = bootstrap(**given, method=method, replicates=200)
    text = str(found)
    assert max(map(len, text.splitlines())) <= 80, text
    assert max(map(len, repr(found).splitlines())) <= 80
    assert text.isascii()
    assert "seed 0" in text
    answer = strict(found.to_json())
    assert answer == found.to_dict()
    whole = (
        "weight" in given and "weight_kind" not in given and np.array_equal(given["weight"] % 1, 0 * TRUTH)
    )
    assert [one.code for one in found.notices] == ["whole-weights"] * whole
    assert list(answer) == [
        "schema", "tallymark", "answer", *["notices"] * whole, "data", "threshold", "replicates", "design",
        "mix_fixed_by_weights", "resampling", "seed", "selected", "measures",
    ]  # fmt: skip
    assert answer["replicates"] == 200
    assert answer["seed"] == 0
    for name in found:
        one = answer["measures"][name]
        assert one["value"] is not None or one["undefined"] or one["note"]
        assert one["low"] is not None or one["undefined"] or one["note"]
        assert title(name) in text


def test_what_is_said_of_the_resamples():
    assert "1,000 resamples of cases (bootstrap); seed 0" in str(bootstrap(**PLAIN))
    assert "1,000 resamples of cases of each class (bootstrap);" in str(
        bootstrap(**PLAIN, design="case-control")
    )
    assert "100 resamples of cases (bootstrap); seed 3" in str(bootstrap(**PLAIN, replicates=100, rng=3))
    poisson = bootstrap(**PLAIN, resampling="poisson-bootstrap", replicates=100)
    assert "100 resamples of cases (poisson-bootstrap); seed 0" in str(poisson)
    assert poisson.to_dict()["design"] == "cohort"
    grouped = bootstrap(**PLAIN, clusters=SITE, replicates=100)
    assert "100 resamples of 6 clusters (bootstrap); seed 0" in str(grouped)
    assert grouped.to_dict()["design"] == "cohort"
    assert grouped.to_dict()["data"]["clusters"] == 6
    assert "clusters with positives decide" in grouped["roc_auc"].note
    lower = bootstrap(truth=TRUTH, score=SCORE, higher_is_positive=False, threshold=0.4, replicates=50)
    assert "positive when score <= 0.4\n" in str(lower)


def test_the_usual_measures():
    assert bootstrap(**PLAIN).keys() == [*USUAL, *AT_A_THRESHOLD]
    plain = bootstrap(truth=TRUTH, score=7 * SCORE).keys()
    assert plain == ["roc_auc", "average_precision", "kolmogorov_smirnov", *AT_A_THRESHOLD]


def test_all_measures():
    found = bootstrap(**PLAIN, measures="all", replicates=50)
    wanted = {entry.name for entry in all_measures() if entry.summary in (RankingTable, Counts)}
    smooth = {entry.name for entry in all_measures() if entry.interval.kind == "smooth-deviations"}
    # scores said to be something else are needed, or each resample would be fitted anew
    assert wanted - set(found) == {"cllr", "hinge_loss"} | smooth
    assert "cllr" in bootstrap(truth=TRUTH, score=7 * SCORE, score_kind="llr", measures="all", replicates=50)
    assert "brier_score" not in bootstrap(truth=TRUTH, score=7 * SCORE, measures="all", replicates=50)


@pytest.mark.parametrize(
    "given", [PLAIN, CASES["weights"], CASES["logits"], CASES["lower is positive"], CASES["clusters"]]
)
def test_values_and_the_threshold_are_those_of_evaluate(given):
    found, wanted = bootstrap(**given, replicates=50), evaluate(**{**given, "clusters": None})
    for name in found:
        assert found[name].value == pytest.approx(wanted[name].value, rel=1e-12)
    assert found.to_dict()["threshold"] == wanted.threshold.value


def test_aliases_levels_and_methods():
    found = bootstrap(**PLAIN, measures=["auc", "recall"])
    assert found.keys() == ["roc_auc", "sensitivity"]
    assert found["AUROC"] is found["roc_auc"]
    assert found["recall"].method == "bootstrap-bca"
    narrow, wide = found.by("percentile", level=0.5)["auc"], found.by("percentile", level=0.99)["auc"]
    assert wide.low < narrow.low < narrow.high < wide.high
    assert found.by("basic").values is found.values
    assert found.by("basic")["auc"].method == "bootstrap-basic"
    np.testing.assert_allclose([narrow.low, narrow.high], np.quantile(found.replicates("auc"), [0.25, 0.75]))
    assert found.table[0] == {"measure": "roc_auc", **found["roc_auc"].plain}
    assert len(found) == 2
    once = bootstrap(**PLAIN, measures=["auc", "roc_auc"])
    assert once.keys() == ["roc_auc"]


def test_studentised_where_a_standard_error_is_known():
    found = bootstrap(**PLAIN, method="studentised")
    known = {"roc_auc", "brier_score", "log_loss", "accuracy", "sensitivity", "specificity", "precision"}
    assert {name for name in found if found[name].method == "bootstrap-studentised"} == known
    for name in set(found) - known:
        assert found[name].method == "bootstrap-bca"
        assert "no standard error is known for it, so not studentised" in found[name].note
    grouped = bootstrap(**PLAIN, clusters=np.arange(150) // 2, method="studentised")
    assert {grouped[name].method for name in grouped} == {"bootstrap-bca"}


def test_parameters():
    found = bootstrap(**CASES["parameters"])
    assert found["log_loss"].value == pytest.approx(bootstrap(**PLAIN)["log_loss"].value / math.log(2))
    assert "base = 2" in found["log_loss"].note
    assert "beta = 2" in str(found)


def test_progress_is_told():
    done = []
    bootstrap(**PLAIN, replicates=60, progress=done.append)
    assert done[-1] == 60
    assert done == sorted(done)


# The same, whatever the way
# --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("given", [PLAIN, CASES["clusters"], CASES["poisson"], CASES["case-control"]])
def test_the_same_seed_gives_the_same(given):
    one = bootstrap(**given, replicates=200, rng=7)
    same(one, bootstrap(**given, replicates=200, rng=7, threads=3))
    np.testing.assert_array_equal(bootstrap(**given, replicates=60, rng=7).values, one.values[:, :60])
    assert (bootstrap(**given, replicates=200, rng=8).values != one.values).any()
    assert one.to_dict()["seed"] == 7


def test_a_generator_gives_a_seed_that_is_told():
    found = bootstrap(**PLAIN, rng=np.random.default_rng(5), replicates=50)
    same(found, bootstrap(**PLAIN, rng=found.how.seed, replicates=50))


def test_frames_and_files(tmp_path):
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    frame = pandas.DataFrame({"ill": TRUTH, "p": SCORE, "site": SITE, "w": WEIGHT})
    frame.to_csv(tmp_path / "cases.csv", index=False)
    frame.to_parquet(tmp_path / "cases.parquet")
    columns = {"truth": "ill", "score": "p", "clusters": "site", "weight": "w", "replicates": 50}
    wanted = bootstrap(**PLAIN, clusters=SITE, weight=WEIGHT, replicates=50)
    for data in (frame, polars.from_pandas(frame), tmp_path / "cases.csv", str(tmp_path / "cases.parquet")):
        found = bootstrap(data, **columns)
        np.testing.assert_array_equal(found.values, wanted.values)
        assert found.cases.cluster_count == 6


def test_a_table_stands_for_its_cases():
    """Highest score first, of one score the positives first."""
    order = np.lexsort([-TRUTH, -SCORE])
    wanted = bootstrap(truth=TRUTH[order], score=SCORE[order])
    same(bootstrap(RankingTable.from_arrays(**PLAIN)), wanted)
    turned = bootstrap(
        RankingTable.from_arrays(truth=TRUTH, score=-SCORE),
        higher_is_positive=False,
        threshold=-wanted.threshold,
    )
    np.testing.assert_array_equal(turned.replicates("roc_auc"), wanted.replicates("roc_auc"))
    logits = bootstrap(tm.LogitTable.from_arrays(truth=TRUTH, score=7 * SCORE - 4))
    assert logits["log_loss"].value == pytest.approx(bootstrap(**CASES["logits"])["log_loss"].value)
    weighted = bootstrap(RankingTable.from_arrays(**PLAIN, weight=WEIGHT + 0.5))
    assert weighted["roc_auc"].value == pytest.approx(bootstrap(**CASES["weights"])["roc_auc"].value)


def test_a_lower_score_for_positives_is_the_mirror_image():
    one = bootstrap(
        **PLAIN, measures=["roc_auc", "f1", "kolmogorov_smirnov", "equal_error_rate"], threshold=0.4
    )
    names = one.keys()
    other = bootstrap(truth=TRUTH, score=-SCORE, higher_is_positive=False, measures=names, threshold=-0.4)
    same(one, other)
    assert other.to_dict()["threshold"] == -0.4
    assert "positive when score <= -0.4\n" in str(other)


def test_groups_by_any_name():
    wanted = bootstrap(**PLAIN, clusters=np.unique(SITE, return_inverse=True)[1], replicates=50)
    for clusters in (
        SITE,
        SITE.tolist(),
        SITE.astype(object),
        10 * np.unique(SITE, return_inverse=True)[1] - 7,
    ):
        same(bootstrap(**PLAIN, clusters=clusters, replicates=50), wanted)


def test_groups_widen_the_interval():
    """Every case five times over: five times the cases, and no more known."""
    five = {
        "truth": np.repeat(TRUTH, 5),
        "score": np.repeat(SCORE, 5),
        "measures": "roc_auc",
        "method": "percentile",
    }
    plain, grouped, once = (
        found["roc_auc"]
        for found in (
            bootstrap(**five),
            bootstrap(**five, clusters=np.repeat(np.arange(150), 5)),
            bootstrap(**PLAIN),
        )
    )
    width = grouped.high - grouped.low
    assert width == pytest.approx(once.high - once.low, rel=0.15)
    assert width == pytest.approx(math.sqrt(5) * (plain.high - plain.low), rel=0.15)


# Weights
# --------------------------------------------------------------------------------------------------


def test_a_case_of_weight_two_is_two_cases():
    """To the bit; one of weight 0 is none."""
    rows = np.repeat(np.arange(150), WEIGHT)
    for how in (
        {},
        {"design": "case-control"},
        {"resampling": "poisson-bootstrap"},
        {"method": "studentised"},
    ):
        found = bootstrap(**PLAIN, weight=WEIGHT, weight_kind="count", **how)
        same(found, bootstrap(truth=TRUTH[rows], score=SCORE[rows], **how))
        assert (found.model.weight == 1).all()


def test_whole_weights_of_groups():
    """Drawn as wholes, so that it does not matter; a group of weight 0 is none."""
    weight = np.where(SITE == "far", 0, WEIGHT)
    rows = np.repeat(np.arange(150), weight)
    found = bootstrap(**PLAIN, weight=weight, clusters=SITE)
    wanted = bootstrap(truth=TRUTH[rows], score=SCORE[rows], clusters=SITE[rows])
    assert found.cases.cluster_count == 5
    np.testing.assert_allclose(found.values, wanted.values, rtol=1e-12)


def test_cases_of_fractional_weight_are_drawn_with_it():
    """As single cases, however large the weights are: a scale changes nothing, and cases of weight 0 do not
    count."""
    names = ["roc_auc", "average_precision", "brier_score", "f1"]
    found = bootstrap(**PLAIN, weight=WEIGHT + 0.5, measures=names)
    np.testing.assert_allclose(
        bootstrap(**PLAIN, weight=7.5 * (WEIGHT + 0.5), measures=names).values, found.values, rtol=1e-9
    )
    one = bootstrap(**PLAIN, weight=np.full(150, 0.5), measures=names, method="percentile")
    plain = bootstrap(**PLAIN, measures=names, method="percentile")
    np.testing.assert_allclose(one.values, plain.values, rtol=1e-9)
    some = WEIGHT > 0
    dropped = bootstrap(truth=TRUTH[some], score=SCORE[some], weight=WEIGHT[some] / 2, measures=names)
    np.testing.assert_allclose(
        bootstrap(**PLAIN, weight=WEIGHT / 2, measures=names).values, dropped.values, rtol=1e-9
    )


# What is refused
# --------------------------------------------------------------------------------------------------

REFUSED = {
    "data": ({"measures": "roc_au"}, "roc_auc"),
    "several": ({"measures": ["roc_auc", "no such"]}, "no such"),
    "of matrices": ({"measures": ["linear_weighted_kappa"]}, "linear_weighted_kappa is not measured"),
    "method": ({"method": "bayes"}, "method"),
    "resampling": ({"resampling": "gamma"}, "^resampling"),
    "design": ({"design": "rows"}, "design"),
    "class sizes of amounts": (
        {"design": "case-control", "score": None, "predicted": SCORE, "regression": True},
        "design: it is for classes",
    ),
    "clusters and persons": ({"clusters": SITE, "persons": (SITE, SITE)}, "not both"),
    "replicates": ({"replicates": 10}, "replicates"),
    "replicates of text": ({"replicates": "many"}, "replicates"),
    "level": ({"level": 95}, "level"),
    "seed": ({"rng": -1}, "rng|seed"),
    "threads": ({"threads": 0}, "threads"),
    "threshold": ({"threshold": math.nan}, "threshold"),
    "gap in clusters": ({"clusters": [None, *SITE[1:]]}, "clusters"),
    "NaN in clusters": ({"clusters": np.r_[math.nan, np.arange(149.0)]}, "clusters"),
    "clusters of another length": ({"clusters": SITE[:-1]}, "clusters"),
    "weight of another length": ({"weight": WEIGHT[:-1]}, "weight"),
    "negative weight": ({"weight": WEIGHT - 1}, "weight"),
    "no weight": ({"weight": 0 * WEIGHT}, "weight"),
    "weights for too many": ({"weight": np.full(150, 10**9), "weight_kind": "count"}, "weight"),
    "score of another length": ({"score": SCORE[:-1]}, "score"),
    "NaN score": ({"score": np.r_[math.nan, SCORE[1:]]}, "score"),
    "third label": ({"truth": np.r_[2, TRUTH[1:]]}, "truth"),
    "unknown labels": ({"truth": np.where(TRUTH, "ill", "well")}, "positive"),
    "no column": ({"clusters": "site"}, "clusters"),
    "score kind": ({"score_kind": "percent"}, "score_kind"),
    "no such parameter": ({"parameters": {"log_loss": {"bass": 2}}}, "bass"),
    "of scores that are not probabilities": (
        {"score": 7 * SCORE, "measures": ["brier_score"]},
        "brier_score is not measured here: the scores are not probabilities",
    ),
    "of margins": (
        {"score": 7 * SCORE, "score_kind": "margin", "measures": ["log_loss"]},
        "log_loss is not measured here: score_kind='margin'",
    ),
    "of likelihood ratios": ({"measures": ["cllr"]}, "cllr is not measured here: pass score_kind='llr'"),
}


@for_each(("given", "words"), REFUSED.values(), ids=REFUSED)
def test_what_is_refused(given, words):
    with pytest.raises(InputError, match=words) as raised:
        bootstrap(**(PLAIN | given))
    assert "\n" not in str(raised.value)
    assert str(raised.value).endswith(".")


def test_what_is_not_there_is_not_found():
    found = bootstrap(**PLAIN, measures="roc_auc", replicates=50)
    with refuses("unknown-name", argument="f1"):
        found["f1"]
    with refuses("unknown-name", "roc_auc"):
        found["roc_au"]
    with refuses("unknown-name", argument="method"):
        found.by("bayes")
    with refuses("invalid-value", argument="level"):
        found.by("basic", level=2)
    with refuses("by-position", argument="truth"):
        bootstrap(TRUTH, SCORE)
    with refuses("unsupported", "2,000,000,003", argument="score"):
        bootstrap(RankingTable([0.9, 0.1], [10**9, 1], [2, 10**9]))
    with refuses("conflict", argument="truth"):
        bootstrap(RankingTable.from_arrays(**PLAIN), truth=TRUTH)
