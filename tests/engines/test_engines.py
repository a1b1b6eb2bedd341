"""Frames of more rows than bins are counted in their engine, and give what their columns give."""

import pickle
import sys
from dataclasses import fields

import numpy as np
import polars as pl
import pytest
from local_frames import FRAMES
from looping import for_each
from refusals import refuses

import tallymark as tm

ROWS, BINS = 1500, 256
RANDOM = np.random.default_rng(38)
TRUTH = RANDOM.integers(0, 2, ROWS)
COLUMNS = {
    "y": TRUTH,
    "yes": np.where(TRUTH, "yes", "no"),
    "flag": TRUTH.astype(bool),
    "state": np.array(['it\'s "ill"', "well"])[TRUTH],
    "kind": RANDOM.integers(0, 4, ROWS),
    "said": RANDOM.integers(0, 4, ROWS),
    "guess": np.where(RANDOM.random(ROWS) < 0.8, TRUTH, 1 - TRUTH),
    "few": np.round(0.3 * TRUTH + 0.7 * RANDOM.random(ROWS), 2),
    "p": 0.3 * TRUTH + 0.7 * RANDOM.random(ROWS),
    "logit": 2.0 * TRUTH + RANDOM.normal(0, 3, ROWS),
    "single": RANDOM.random(ROWS).astype(np.float32),
    "w": RANDOM.exponential(1, ROWS),
    "times": RANDOM.integers(0, 4, ROWS),
    "huge": (0.3 * TRUTH + RANDOM.random(ROWS)) * 10.0 ** RANDOM.integers(-200, 200, ROWS),
    "gaps": [
        None if missing else int(label)
        for missing, label in zip(RANDOM.random(ROWS) < 0.1, TRUTH, strict=True)
    ],
    "person": RANDOM.integers(0, 300, ROWS),
    "other": np.where(RANDOM.random(ROWS) < 0.7, TRUTH, 1 - TRUTH),
    "shift": RANDOM.random(ROWS) < 0.5,
    "site": np.array(["north", 'it\'s "south"'])[RANDOM.integers(0, 2, ROWS)],
    "spent": (SPENT := RANDOM.gamma(2, 30, ROWS) + 1e4),
    "budget": SPENT + RANDOM.normal(2, 5, ROWS) * RANDOM.exponential(1, ROWS),
    "half": np.round(SPENT / 2),
}
AMOUNTS = {"regression": True, "truth": "spent"}
pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),  # of Ibis and Dask, of what they use
    pytest.mark.filterwarnings("ignore::FutureWarning"),
]
every_engine = for_each("engine", FRAMES.values(), ids=FRAMES)
ARRAYS = ("truth", "score", "predicted", "weight")


def exact(columns=COLUMNS, **given):
    """What the columns give as arrays."""
    return tm.evaluate(**{role: columns[one] if role in ARRAYS else one for role, one in given.items()})


def queried(fetched, bins=BINS):
    """The rows that queries brought; of a frame of polars, in this process, all but the first ones."""
    return sum(fetched[fetched[0] == bins + 1 :])


def facts(e):
    """What is known of the cases, and their summaries, as plain numbers, texts and lists."""
    about = {one.name: getattr(e.data, one.name) for one in fields(e.data)} | {"source": None}
    return flat([about, getattr(e, "labels", None), *(one.to_dict() for one in e.summaries)])


def same(one, other):
    """Whether they are the same, numbers up to the order in which they were added."""
    one, other = flat([one]), flat([other])
    return len(one) == len(other) and all(
        value == (pytest.approx(known, rel=1e-12) if isinstance(known, float) else known)
        for value, known in zip(one, other, strict=True)
    )


def flat(value):
    """The values of a nested structure, in their order."""
    if isinstance(value, dict):
        value = [part for pair in value.items() for part in pair]
    return [part for one in value for part in flat(one)] if isinstance(value, (list, tuple)) else [value]


@pytest.mark.full
@every_engine
@for_each(
    "given",
    [
        {"truth": "y", "score": "few"},
        {"truth": "yes", "score": "few", "weight": "w"},
        {"truth": "flag", "score": "few", "weight": "times", "weight_kind": "count"},
        {"truth": "state", "score": "few", "positive": 'it\'s "ill"', "higher_is_positive": False},
        {"truth": "y", "predicted": "guess"},
        {"truth": "flag", "predicted": "flag", "weight": "w"},
        {"truth": "kind", "predicted": "said"},
        {"truth": "kind", "predicted": "said", "weight": "w"},
        {"truth": "kind", "predicted": "said", "weight": "times", "weight_kind": "count"},
    ],
)
def test_few_scores_and_labels_are_exact(engine, given, tmp_path, fetched):
    fetched.clear()
    found, expected = tm.evaluate(engine(COLUMNS, tmp_path), bins=BINS, **given), exact(**given)
    assert queried(fetched) <= BINS
    assert same(facts(found), facts(expected))
    assert getattr(found, "threshold", None) == getattr(expected, "threshold", None)


@pytest.mark.full
@every_engine
@for_each(
    "given",
    [
        {"truth": "y", "score": "p"},
        {"truth": "yes", "score": "p", "weight": "w", "threshold": 0.37},
        {"truth": "y", "score": "p", "weight": "times", "weight_kind": "count"},
        {"truth": "flag", "score": "p", "higher_is_positive": False},
        {"truth": "y", "score": "p", "higher_is_positive": False, "threshold": 0.3},
        {"truth": "y", "score": "logit"},
        {"truth": "y", "score": "logit", "threshold": -0.5, "weight": "w"},
        {"truth": "y", "score": "logit", "score_kind": "margin"},
        {"truth": "y", "score": "huge"},
    ],
)
def test_bounds_contain_what_the_scores_give(engine, given, tmp_path, fetched):
    fetched.clear()
    found, expected = tm.evaluate(engine(COLUMNS, tmp_path), bins=BINS, **given), exact(**given)
    assert queried(fetched) <= BINS
    if "score_kind" in given or "threshold" in given or found.probabilities:
        assert same(found.counts.to_dict(), expected.counts.to_dict())
    assert found.binned.positive.sum() == pytest.approx(expected.ranking.positives, rel=1e-12)
    for name in ("roc_auc", "average_precision", "kolmogorov_smirnov", "partial_auc"):
        low, high = found[name].bounds or (found[name].value,) * 2
        assert low - 1e-12 <= expected[name].value <= high + 1e-12
        assert high - low < 0.2 or given["score"] == "huge"
    for name in ("brier_score", "log_loss", "mean_absolute_error"):
        if name in expected:
            assert found[name].bounds is None
            assert found[name].value == pytest.approx(expected[name].value, rel=1e-12)
            assert found[name].standard_error == pytest.approx(expected[name].standard_error, rel=1e-9)
            # the degrees of freedom are those of the middles of the bins
            assert found[name].low == pytest.approx(expected[name].low, rel=1e-6)


@pytest.mark.full
def test_every_engine_makes_the_same_bins(tmp_path):
    first, *others = (
        tm.evaluate(engine(COLUMNS, tmp_path), truth="y", score="p", bins=BINS).binned
        for engine in FRAMES.values()
    )
    assert all(one == first for one in others)


@pytest.mark.full
@every_engine
def test_bins_and_facts_are_one_query_unless_later_rows_differ_from_the_first(engine, tmp_path, fetched):
    fetched.clear()
    assert tm.evaluate(engine(COLUMNS, tmp_path), truth="y", score="p", bins=BINS)["roc_auc"].bounds
    of_bins = [i for i, rows in enumerate(fetched) if 2 < rows <= BINS]
    facts_of_first, of_losses = fetched[: of_bins[0]], fetched[of_bins[0] + 1 :]
    assert [facts_of_first.count(2), len(of_bins), of_losses.count(2)] == [1, 1, 1]
    score, truth = ([*COLUMNS[name].tolist()] for name in ("p", "y"))
    late = {"p": [*score[:-1], 1.5], "high": [*score[:-1], np.inf], "low": [*score[:-1], -0.5]}
    for name, column in late.items():
        found = tm.evaluate(engine({"y": TRUTH, name: column}, tmp_path), truth="y", score=name, bins=BINS)
        low, high = found["roc_auc"].bounds
        expected = tm.evaluate(truth=TRUTH, score=column)["roc_auc"].value
        assert low <= expected <= high
        assert found.data.rows == ROWS
    for column in ([*score[:-1], np.nan], [*score[:-1], None]):
        with pytest.raises(tm.InputError, match="1 value is missing"):
            tm.evaluate(engine({"y": TRUTH, "p": column}, tmp_path), truth="y", score="p", bins=BINS)
    with pytest.raises(tm.InputError, match=r"3 classes \(0, 1, 7\)"):
        tm.evaluate(engine({"y": [*truth[:-1], 7], "p": score}, tmp_path), truth="y", score="p", bins=BINS)


@pytest.mark.full
@every_engine
@for_each("ends", [(0.0, 1.0), (1e-300, 1 - 2**-53), (2**-52, 1 - 2**-52)])
@for_each("single", [False, True])
def test_losses_of_scores_at_the_ends_are_exact(engine, ends, single, tmp_path):
    score = COLUMNS["p"].copy()
    score[TRUTH == 1] = np.where(np.arange((TRUTH == 1).sum()) < 3, ends[0], score[TRUTH == 1])
    score[TRUTH == 0] = np.where(np.arange((TRUTH == 0).sum()) < 3, ends[1], score[TRUTH == 0])
    columns = {
        "y": TRUTH,
        "p": score.astype(np.float32) if single and engine is not FRAMES["ibis-sqlite"] else score,
    }
    found = tm.evaluate(engine(columns, tmp_path), truth="y", score="p", bins=BINS)
    expected = exact(columns, truth="y", score="p")
    for name in ("brier_score", "log_loss", "mean_absolute_error", "focal_loss", "spherical_score"):
        assert found[name].value == pytest.approx(expected[name].value, rel=1e-12), name
        assert found[name].standard_error == pytest.approx(expected[name].standard_error, rel=1e-9), name


@pytest.mark.full
@every_engine
def test_few_scores_in_mixed_bins_are_fetched_one_by_one(engine, tmp_path, fetched):
    fetched.clear()
    found = tm.evaluate(engine(COLUMNS, tmp_path), truth="y", score="p", bins=1400)
    assert queried(fetched, 1400) <= 1400
    assert found.binned.exact
    expected = exact(truth="y", score="p")
    for name in ("roc_auc", "kolmogorov_smirnov", "log_loss"):
        assert found[name].bounds is None
        assert same(found[name].value, expected[name].value)
        assert found[name].low == pytest.approx(expected[name].low, abs=1e-3)  # some resample the scores


@pytest.mark.full
@every_engine
@for_each("score", ["p", "logit", "huge"])
def test_a_tolerance_narrows_the_bounds(engine, score, tmp_path):
    frame, expected = engine(COLUMNS, tmp_path), exact(truth="y", score=score)["roc_auc"].value
    for tolerance in (1e-2, 1e-4, 0.0):
        low, high = tm.evaluate(frame, truth="y", score=score, bins=64, tolerance=tolerance)[
            "roc_auc"
        ].bounds or (expected, expected)
        assert low <= expected + 1e-15
        assert high >= expected - 1e-15
        assert high - low <= tolerance


@pytest.mark.full
@every_engine
def test_groups_share_the_bins(engine, tmp_path, fetched):
    fetched.clear()
    given = {"truth": "yes", "score": {"a": "p", "b": "few"}, "weight": "w"}
    found = tm.evaluate(engine(COLUMNS, tmp_path), by=["site", "shift"], bins=1024, **given)
    arrays = {
        "truth": COLUMNS["yes"],
        "weight": COLUMNS["w"],
        "score": {"a": COLUMNS["p"], "b": COLUMNS["few"]},
    }
    expected = tm.evaluate(by={"site": COLUMNS["site"], "shift": COLUMNS["shift"]}, **arrays)
    assert queried(fetched, 1024) <= 1024
    assert found["a"].groups.labels == expected["a"].groups.labels
    for model in found:
        for name in expected[model]:
            one, other = found[model][name], expected[model][name]
            assert same(facts(one)[:30], facts(other)[:30])
            low, high = one["roc_auc"].bounds or (one["roc_auc"].value,) * 2
            assert low <= other["roc_auc"].value <= high
    with pytest.raises(tm.InputError, match="bins=512"):
        tm.evaluate(engine(COLUMNS, tmp_path), truth="y", score="p", by=["site", "kind"], bins=256)


@pytest.mark.full
@every_engine
@for_each(
    "given",
    [
        {"truth": "y", "predicted": {"a": "guess", "b": "flag"}},
        {"truth": "kind", "predicted": "said", "by": "site"},
        {"truth": "y", "predicted": "guess", "clusters": "person"},
        {"truth": "gaps", "predicted": {"a": "guess", "b": "gaps"}, "missing": "drop"},
    ],
)
def test_labels_of_groups_clusters_and_models(engine, given, tmp_path, fetched):
    fetched.clear()
    found = tm.evaluate(engine(COLUMNS, tmp_path), bins=BINS, **given)
    models = given["predicted"]
    if isinstance(models, dict):
        models = {name: COLUMNS[one] for name, one in models.items()}
    else:
        models = COLUMNS[models]
    arrays = {name: COLUMNS.get(one, one) for name, one in given.items() if name != "predicted"}
    arrays["predicted"] = models
    expected = tm.evaluate(**arrays | ({"by": {"site": COLUMNS["site"]}} if "by" in given else {}))
    assert queried(fetched) <= BINS
    assert str(found) == str(expected)


@pytest.mark.full
@for_each("name", ["duckdb", "polars"])
@for_each(("truth", "scores"), [("y", ["rest", "p"]), ("kind", ["few", "p", "rest", "w"])])
def test_scores_of_each_class_are_read(name, truth, scores, tmp_path):
    columns = COLUMNS | {"rest": 1 - COLUMNS["p"]}
    classes = list(range(len(scores)))
    found = tm.evaluate(
        FRAMES[name](columns, tmp_path), truth=truth, score=scores, classes=classes, bins=BINS
    )
    every = np.column_stack([columns[one] for one in scores])
    expected = tm.evaluate(truth=columns[truth], score=every, classes=classes)
    assert str(found) == str(expected)


@pytest.mark.full
@for_each("name", ["duckdb", "polars"])
def test_paired_labels_are_compared(name, tmp_path, fetched):
    fetched.clear()
    many = {name: np.tile(COLUMNS[name], 60) for name in ("y", "guess", "other")}
    models = {"a": "guess", "b": "other"}
    found = tm.compare(FRAMES[name](many, tmp_path), truth="y", predicted=models)
    expected = tm.compare(truth=many["y"], predicted={name: many[one] for name, one in models.items()})
    assert queried(fetched, 1 << 16) <= 20
    assert str(found) == str(expected)
    with pytest.raises(tm.InputError, match="case by case") as wrong:
        tm.compare(FRAMES[name](many, tmp_path), truth="y", predicted=models, memory="1MiB")
    assert wrong.value.argument == "memory"


def same_estimates(found, expected):
    """Whether values and intervals are those of the cases, as far as sums tell."""
    for name, known in expected.items():
        estimate = found[name]
        if name == "median_absolute_error":
            assert "bins=None" in str(estimate.undefined)
        else:
            assert estimate.value == pytest.approx(known.value, rel=1e-12, nan_ok=True), name
            assert str(estimate.undefined) == str(known.undefined), name
            if name != "absolute_error_skill_score":
                assert estimate.low == pytest.approx(known.low, rel=1e-9, nan_ok=True), name
                assert estimate.high == pytest.approx(known.high, rel=1e-9, nan_ok=True), name
                assert estimate.method == known.method, name


@pytest.mark.full
@every_engine
@for_each(
    "given",
    [
        {"predicted": "budget"},
        {"predicted": "budget", "weight": "w"},
        {"predicted": "half", "weight": "times", "weight_kind": "count"},
        {"predicted": "budget", "weight": "times", "parameters": {"huber_loss": {"epsilon": 3}}},
    ],
)
def test_amounts_are_summed_in_the_engine(engine, given, tmp_path, fetched):
    fetched.clear()
    found, expected = (
        tm.evaluate(engine(COLUMNS, tmp_path), bins=BINS, **AMOUNTS, **given),
        exact(**AMOUNTS, **given),
    )
    assert queried(fetched) <= 4
    same_estimates(found, expected)
    assert found.data.rows == expected.data.rows
    assert same([found.data.effective_rows], [expected.data.effective_rows])
    assert str(found.headline) == str(expected.headline)


@pytest.mark.full
@every_engine
def test_several_models_of_amounts_and_missing_ones(engine, tmp_path):
    budget = COLUMNS["budget"].copy()
    budget[:5] = np.nan
    columns = COLUMNS | {"budget": budget, "spent": [None, *COLUMNS["spent"][1:]]}
    models = {"a": "budget", "b": "half"}
    with pytest.raises(tm.InputError, match="1 value is missing"):
        tm.evaluate(engine(columns, tmp_path), bins=BINS, **AMOUNTS, predicted=models)
    found = tm.evaluate(engine(columns, tmp_path), bins=BINS, **AMOUNTS, predicted=models, missing="drop")
    arrays = {"a": COLUMNS["budget"][5:], "b": COLUMNS["half"][5:]}
    expected = tm.evaluate(truth=COLUMNS["spent"][5:], predicted=arrays, regression=True)
    for name in models:
        same_estimates(found[name], expected[name])
        assert (found[name].data.rows, found[name].data.dropped) == (ROWS - 5, 5)
        assert found[name].data.dropped_unanswered == 4


@pytest.mark.full
@every_engine
@for_each(
    ("truth", "predicted"),
    [
        (np.full(ROWS, 3.0), COLUMNS["budget"]),  # amounts that do not differ
        (COLUMNS["spent"], COLUMNS["spent"]),  # no error
        (COLUMNS["spent"], COLUMNS["spent"] + 2.0),  # the same error everywhere
        (COLUMNS["spent"], np.full(ROWS, 7.0)),
        (COLUMNS["spent"] * 1e-90, COLUMNS["budget"] * 1e-90),
        (COLUMNS["spent"] * 1e90, COLUMNS["budget"] * 1e90),
    ],
)
def test_amounts_without_spread_and_of_any_size(engine, truth, predicted, tmp_path):
    columns = {"t": truth, "p": predicted}
    found = tm.evaluate(engine(columns, tmp_path), truth="t", predicted="p", regression=True, bins=BINS)
    same_estimates(found, tm.evaluate(truth=truth, predicted=predicted, regression=True))


@pytest.mark.full
@every_engine
@for_each(
    ("change", "words"),
    [(np.inf, "1 values are infinite"), (1e160, "beyond"), (1e120, "off"), ("none", "String|Object")],
)
def test_wrong_amounts_are_refused(engine, change, words, tmp_path):
    wrong = np.append(COLUMNS["budget"][1:], [change])
    frame = engine({"t": COLUMNS["spent"], "p": wrong}, tmp_path)
    with pytest.raises(tm.InputError, match=words) as refused:
        tm.evaluate(frame, truth="t", predicted="p", regression=True, bins=BINS)
    assert (refused.value.code, refused.value.column) == ("invalid-value", "p")


def test_what_needs_each_amount_is_refused_on_sums():
    frame = pl.LazyFrame({name: COLUMNS[name] for name in ("spent", "budget", "half")})
    found, other = (tm.evaluate(frame, **AMOUNTS, predicted=name, bins=BINS) for name in ("budget", "half"))
    assert pickle.loads(pickle.dumps(found)).residuals == found.residuals
    apart = tm.compare(found, other, paired=False)["mean_absolute_error"]
    assert apart.value == pytest.approx(
        other["mean_absolute_error"].value - found["mean_absolute_error"].value
    )
    assert tm.check(found, require="r2.low >= 0.5").passed
    assert "bins=None" in str(found)
    assert found.to_json()
    for refused in (
        lambda: found.residuals.error,
        lambda: found.residuals + found.residuals,
        lambda: tm.measures.huber_loss(found.residuals, epsilon=9),
        lambda: found.residuals.to_json(),
    ):
        with refuses("unsupported", "bins=None", argument="regression"):
            refused()
    read = tm.evaluate(frame, **AMOUNTS, predicted="budget", bins=None)
    assert read["median_absolute_error"].value > 0


@for_each("given", [{"score": "p"}, {"predicted": "guess"}, {"score": "p", "by": "guess"}])
def test_a_small_frame_of_polars_is_computed_once(given):
    runs = []
    frame = pl.LazyFrame({name: COLUMNS[name] for name in ("y", "p", "guess")})
    frame = frame.map_batches(lambda table: (runs.append(1), table)[1])
    found = tm.evaluate(frame, truth="y", where="p >= 0.1", **given)
    assert len(runs) == 1
    columns = pl.DataFrame({name: COLUMNS[name] for name in ("y", "p", "guess")})
    assert str(found) == str(tm.evaluate(columns, truth="y", where="p >= 0.1", **given))


@pytest.mark.full
@every_engine
@for_each(
    "given",
    [
        {"truth": "gaps", "score": "p"},
        {"truth": "y", "score": "gappy"},
        {"truth": "gaps", "predicted": "guess"},
        {"truth": "gappy", "predicted": "p", "regression": True},
    ],
)
def test_weights_of_rows_that_are_left_out_may_be_anything(engine, given, tmp_path):
    gone = np.array([one is None for one in COLUMNS["gaps"]])
    columns = COLUMNS | {
        "gappy": np.where(gone, np.nan, COLUMNS["p"]),
        "w": np.where(gone, -1.0, COLUMNS["w"]),
    }
    found = tm.evaluate(engine(columns, tmp_path), bins=BINS, missing="drop", weight="w", **given)
    expected = exact(columns, missing="drop", weight="w", **given)
    assert (found.data.rows, found.data.dropped) == (expected.data.rows, gone.sum())
    assert same([found.data.effective_rows], [expected.data.effective_rows])
    with pytest.raises(tm.InputError, match="negative"):
        tm.evaluate(engine(columns, tmp_path), bins=BINS, weight="w", truth="y", score="p")


@pytest.mark.full
@every_engine
def test_missing_and_infinite_scores_are_told_apart(engine, tmp_path, fetched):
    score = COLUMNS["p"].copy()
    score[:4], score[4:7], score[7:9] = np.nan, np.inf, -np.inf
    columns = {"y": TRUTH, "p": score, "yes": [None, "", *COLUMNS["yes"][2:]]}
    fetched.clear()
    with pytest.raises(tm.InputError, match="4 values are missing") as refused:
        tm.evaluate(engine(columns, tmp_path), truth="y", score="p", bins=BINS)
    assert refused.value.column == "p"
    given = {"score": "p", "missing": "drop"}
    for truth, dropped in (("y", 4), ("yes", 4)):
        found = tm.evaluate(engine(columns, tmp_path), truth=truth, bins=BINS, **given)
        expected = exact(columns, truth=truth, **given)
        assert (found.data.rows, found.data.dropped) == (ROWS - dropped, dropped)
        assert found.data.dropped_unanswered == expected.data.dropped_unanswered
        ends = found.binned.low.tolist()
        assert (ends[0], ends[-1]) == (np.inf, -np.inf)
        low, high = found["roc_auc"].bounds
        assert low <= expected["roc_auc"].value <= high


@pytest.mark.full
@every_engine
@for_each(
    ("given", "code", "words"),
    [
        ({"truth": "nobody", "score": "p"}, "unknown-name", "nobody"),
        ({"truth": "y", "score": "yes"}, "invalid-value", "String"),
        ({"truth": "y", "score": "beyond"}, "invalid-value", "float64 holds exactly"),
        ({"truth": "yes", "score": "p", "positive": "maybe"}, "labels", "maybe"),
        ({"truth": "kind", "score": "p"}, "labels", "4 classes"),
        ({"truth": "state", "score": "p"}, "labels", "positive="),
        ({"truth": "y", "score": "p", "weight": "logit"}, "invalid-value", "negative"),
        ({"truth": "y", "score": "p", "weight": "w", "weight_kind": "count"}, "invalid-value", "not whole"),
        ({"truth": "y", "score": {str(i): "p" for i in range(8)}}, "invalid-value", "bins=512"),
        ({"truth": "y", "score": "p", "by": "site", "tolerance": 0.1}, "conflict", "tolerance"),
    ],
)
def test_wrong_columns_are_refused_in_a_sentence(engine, given, code, words, tmp_path):
    columns = COLUMNS | {"beyond": RANDOM.integers(2**60, 2**62, ROWS)}
    with pytest.raises(tm.InputError) as refused:
        tm.evaluate(engine(columns, tmp_path), bins=BINS, **given)
    assert refused.value.code == code
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)


def test_too_few_bins_are_refused():
    with refuses("invalid-value", "64", "1099511627776", argument="bins"):
        tm.evaluate(truth=[0, 1], score=[0.1, 0.9], bins=1)


@pytest.mark.full
def test_decimals_and_errors_of_the_engine_are_refused(tmp_path):
    duckdb = pytest.importorskip("duckdb")
    rows = f"range({ROWS}) t(i)"
    decimals = duckdb.sql(f"select i % 2 as y, (i / 7)::decimal(9, 3) as p from {rows}")
    with pytest.raises(tm.InputError, match="Decimal"):
        tm.evaluate(decimals, truth="y", score="p", bins=BINS)
    broken = duckdb.sql(f"select i % 2 as y, error('no such luck') as p from {rows}")
    with pytest.raises(tm.InputError) as refused:
        tm.evaluate(broken.select("y, cast(p as double) as p"), truth="y", score="p", bins=BINS)
    assert refused.value.code == "unreadable"
    assert "no such luck" in str(refused.value)


@pytest.mark.full
def test_rows_that_do_not_fit_in_memory_are_refused(tmp_path):
    many = {name: np.tile(COLUMNS[name], 60) for name in ("y", "p", "person")}
    with pytest.raises(tm.InputError, match="90,000 rows") as refused:
        tm.evaluate(FRAMES["polars"](many, tmp_path), truth="y", score="p", clusters="person", memory="1MiB")
    assert refused.value.code == "unsupported"


@pytest.mark.full
@for_each(("name", "extra"), [("duckdb", "files"), ("ibis-duckdb", "ibis")])
def test_a_missing_library_is_named_with_its_extra(name, extra, tmp_path, monkeypatch):
    frame = FRAMES[name](COLUMNS, tmp_path)
    with monkeypatch.context() as patched:
        patched.setitem(sys.modules, "pyarrow", None)
        with pytest.raises(tm.InputError) as refused:
            tm.evaluate(frame, truth="y", score="p", bins=BINS)
    assert refused.value.code == "not-installed"
    assert "pyarrow" in str(refused.value)
    assert f"pip install 'tallymark[{extra}]'" in str(refused.value)


@pytest.mark.full
def test_functions_work_on_the_bins_or_read_each_row(tmp_path):
    many = {name: np.tile(COLUMNS[name], 60) for name in ("y", "p", "few")}
    many["p"] = many["p"] + 1e-6 * RANDOM.random(len(many["p"]))
    frame, arrays = FRAMES["duckdb"](many, tmp_path), {"truth": many["y"], "score": many["p"]}
    given = {"truth": "y", "score": "p"}
    chosen = tm.choose_threshold(frame, **given, rule="youden", replicates=0)
    assert chosen.threshold == pytest.approx(
        tm.choose_threshold(**arrays, rule="youden", replicates=0).threshold, abs=1e-3
    )
    assert tm.check(frame, **given, require=["roc_auc.low >= 0.5", "brier_score <= 0.5"]).passed
    assert tm.calibration(frame, **given)["observed_expected"].value > 0
    assert len(tm.evaluate(frame, **given).curve("roc").x) > 1000
    one, other = (tm.evaluate(frame, truth="y", score=score) for score in ("p", "few"))
    apart = tm.compare(one, other, paired=False)["roc_auc"]
    assert apart.value == pytest.approx(other["roc_auc"].value - one["roc_auc"].value, abs=1e-3)
    read = tm.compare(frame, truth="y", score={"a": "p", "b": "few"}, measures="roc_auc")
    of_arrays = tm.compare(truth=many["y"], score={"a": many["p"], "b": many["few"]}, measures="roc_auc")
    assert read["roc_auc"].value == of_arrays["roc_auc"].value
    assert tm.mann_whitney(frame, **given).statistic == tm.mann_whitney(**arrays).statistic
    assert not tm.evaluate(frame, **given, bins=None).in_bins


@for_each("given", [{"truth": "yes", "score": "few", "weight": "w"}, {"truth": "kind", "predicted": "said"}])
def test_a_lazy_frame_is_exact(given, tmp_path, fetched):
    fetched.clear()
    found, expected = tm.evaluate(FRAMES["polars"](COLUMNS, tmp_path), bins=BINS, **given), exact(**given)
    assert queried(fetched) <= BINS
    assert same(facts(found), facts(expected))
