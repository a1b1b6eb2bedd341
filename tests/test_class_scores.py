"""A score per class, from wherever it comes, to a measured answer: every way in gives the same; no column is
taken for another."""

import contextlib
import io
import itertools
import json
from functools import cache

import numpy as np
import pytest
from looping import for_each
from refusals import refuses

import tallymark as tm
from tallymark import ClassScores, ConfusionMatrix, InputError, RuleSpec, evaluate
from tallymark.cli import main
from tallymark.input import sources
from tallymark.measures.titles import title

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")

RANDOM = np.random.default_rng(21)
CODE = RANDOM.permutation(np.repeat([0, 1, 2], [20, 25, 45]))
SCORE = RANDOM.random((90, 3)) + 0.6 * np.eye(3)[CODE]
SCORE = np.round(SCORE / SCORE.sum(1, keepdims=True), 3)
SCORE[:, 2] = np.round(1 - SCORE[:, 0] - SCORE[:, 1], 3)  # probabilities, so that everything is measured
LABELS = np.array(["ant", "bee", "cow"])
WORDS = LABELS[CODE]
COUNT = RANDOM.integers(1, 4, 90)
OF_RANKING = [entry.name for entry in tm.find(ClassScores) if not entry.needs_probabilities]
OF_AREAS = [entry for entry in tm.find(ClassScores) if entry.interval.kind.startswith("of-")]
AVERAGES = [entry.name for entry in OF_AREAS if entry.interval.kind != "of-pooled"]
# the labels are text, which has no order
OF_SCORES = [entry.name for entry in tm.find(ClassScores) if not entry.ordered]
OF_MATRIX = [entry.name for entry in tm.find(ConfusionMatrix)]

# The columns stand in no order, and none where the sorted labels would have it.
COLUMNS = {
    "bee": SCORE[:, 1],
    "what": WORDS,
    "cow": SCORE[:, 2],
    "n": COUNT,
    "code": CODE,
    "ant": SCORE[:, 0],
}
COLUMNS |= {
    "2": SCORE[:, 2],
    "0": SCORE[:, 0],
    "1": SCORE[:, 1],
    "p": SCORE[:, 2],
    "q": SCORE[:, 0],
    "r": SCORE[:, 1],
}


def answer(*data, **given):
    """All but where the data came from."""
    found = evaluate(*data, **given).to_dict()
    for name in ("source", "sha256"):
        found["data"].pop(name)
    return found


@cache
def plain():
    return answer(truth=WORDS, score=SCORE)


@cache
def by_code():
    return answer(truth=CODE, score=SCORE)


@cache
def in_order():
    return answer(truth=WORDS, score=SCORE, classes=LABELS, ordered=True)


def strict(text):
    return json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is not strict JSON"))


# What is measured
# --------------------------------------------------------------------------------------------------


def test_the_measures_are_those_of_the_scores_and_of_the_highest_one():
    result = evaluate(truth=WORDS, score=SCORE)
    averages = ["macro_precision", "macro_f1", "weighted_f1"]
    assert list(result.estimates) == [
        *(name for name in (*OF_SCORES, *OF_MATRIX) if name in result),
        *averages,
    ]
    assert set(OF_SCORES) <= set(result.estimates)
    assert result.to_dict()["rule"] == RuleSpec("highest-score").to_dict()
    assert result.matrix == ConfusionMatrix.from_arrays(truth=WORDS, predicted=LABELS[SCORE.argmax(1)])
    called = evaluate(truth=WORDS, predicted=LABELS[SCORE.argmax(1)])
    for name in called:
        assert result[name] == called[name]
    assert dict(result.averages["macro"]) == dict(called.averages["macro"])
    for name in OF_SCORES:
        assert result[name].value == tm.measures.__getattr__(name)(result.scores)
        assert result[name].low < result[name].value <= result[name].high
        # the largest gap is biased upwards: its interval may end at the value
        assert result[name].value < result[name].high or name == "top_label_mce"
    assert not hasattr(result, "counts")
    assert not hasattr(result, "ranking")


def test_measures_of_ordered_classes_need_an_order():
    ordered = {entry.name for entry in (*tm.find(ClassScores), *tm.find(ConfusionMatrix)) if entry.ordered}
    assert ordered > {"linear_weighted_kappa", "ranked_probability_score"}
    assert ordered <= set(evaluate(truth=CODE, score=SCORE))
    assert not ordered & set(evaluate(truth=WORDS, score=SCORE))


def test_without_a_score_per_class_its_measures_are_missed_with_the_reason():
    for given in ({"predicted": CODE}, {"score": SCORE[:, 0]}):
        with refuses("unsupported", "macro_roc_auc"):
            evaluate(truth=CODE if "predicted" in given else CODE == 0, **given)["macro_auc"]


def test_the_answer_reads_as_all_do():
    result = evaluate(truth=WORDS, score=SCORE)
    found = strict(result.to_json())
    assert found == result.to_dict()
    assert set(OF_SCORES) <= set(found["measures"])
    text = str(result.all)
    assert max(map(len, text.splitlines())) <= 80
    assert all(title(name) in text for name in OF_SCORES)
    assert "Macro ROC AUC" in result._repr_html_()
    assert "Macro ROC AUC" in result[["macro_roc_auc"]]._repr_html_()
    assert (
        pd.DataFrame(result.table).set_index("measure").loc["macro_roc_auc", "value"]
        == result["macro_auc"].value
    )


@pytest.mark.parametrize("name", ["x.html", "x.json"])
def test_saving(tmp_path, name):
    evaluate(truth=WORDS, score=SCORE).save(tmp_path / name)
    assert "macro_roc_auc" in (tmp_path / name).read_text(encoding="utf-8").lower().replace(" ", "_")


def test_settings_and_parameters():
    wide, narrow = (
        evaluate(truth=CODE, score=SCORE, level=level, parameters={"mutual_information": {"base": 2}})
        for level in (0.99, 0.5)
    )
    for name in OF_SCORES:
        assert wide[name].low < narrow[name].low or wide[name].low == 0  # no distance is below it
        assert narrow[name].low < narrow[name].high < wide[name].high
    assert "base = 2" in wide["mutual_information"].note


# Ways in
# --------------------------------------------------------------------------------------------------


@pytest.mark.full
@pytest.mark.parametrize(
    "score",
    [
        SCORE,
        SCORE.tolist(),
        tuple(map(tuple, SCORE)),
        list(SCORE),
        np.asfortranarray(SCORE),
        np.repeat(SCORE, 2, axis=1)[:, ::2],
        pd.DataFrame(SCORE),
        pd.DataFrame(SCORE, columns=["ant", "bee", "cow"]),
        pl.DataFrame(SCORE, schema=["ant", "bee", "cow"]),
    ],
    ids=[
        "array",
        "lists",
        "tuples",
        "list of arrays",
        "by columns",
        "view",
        "pandas",
        "pandas by name",
        "polars by name",
    ],
)
def test_arrays_of_every_kind(score):
    assert answer(truth=WORDS, score=score) == plain()


@pytest.mark.parametrize(
    "frame", [pd.DataFrame, lambda columns: pl.DataFrame(dict(columns))], ids=["pandas", "polars"]
)
def test_a_frame_of_scores_whose_columns_bear_the_names_of_the_labels(frame):
    """Their own order counts, not that of the sorted labels."""
    turned = frame({name: COLUMNS[name] for name in ("cow", "ant", "bee")})
    result = evaluate(truth=WORDS, score=turned)
    for label in LABELS.tolist():
        assert result.scores.one_vs_rest(label) == evaluate(truth=WORDS, score=SCORE).scores.one_vs_rest(
            label
        )
    assert result["macro_auc"].value == pytest.approx(
        plain()["measures"]["macro_roc_auc"]["value"], rel=1e-14
    )


FRAMES = {
    "mapping": dict,
    "pandas": pd.DataFrame,
    "polars": lambda columns: pl.DataFrame(dict(columns)),
    "polars lazy": lambda columns: pl.LazyFrame(dict(columns)),
    "pyarrow": lambda columns: pa.table(dict(columns)),
}
every_frame = for_each("frame", FRAMES.values(), ids=FRAMES)


@pytest.mark.full
@every_frame
@for_each("names", list(itertools.permutations(["ant", "bee", "cow"])), ids="-".join)
def test_columns_named_as_the_labels_are_matched_by_name(frame, names):
    result = evaluate(frame(COLUMNS), truth="what", score=list(names))
    assert result.scores.labels == ("ant", "bee", "cow")
    assert result.matrix == evaluate(truth=WORDS, score=SCORE).matrix
    for name in OF_SCORES:
        assert result[name].value == pytest.approx(plain()["measures"][name]["value"], rel=1e-14)


@every_frame
def test_columns_named_as_numbers_are_matched_by_name_too(frame):
    result = evaluate(frame(COLUMNS), truth="code", score=["2", "0", "1"])
    assert result.scores.labels == (0, 1, 2)
    assert result.matrix == evaluate(truth=CODE, score=SCORE).matrix


@pytest.mark.full
@every_frame
def test_columns_of_other_names_need_their_classes(frame):
    with refuses("labels", "'q'", "'r'", "'p'", "classes=", argument="score"):
        evaluate(frame(COLUMNS), truth="what", score=("q", "r", "p"))
    assert answer(frame(COLUMNS), truth="what", score=("q", "r", "p"), classes=LABELS) == plain()
    given = {"truth": "what", "score": ("q", "r", "p"), "classes": LABELS, "ordered": True}
    assert answer(frame(COLUMNS), **given) == in_order()
    said = evaluate(frame(COLUMNS), truth="what", score=["p", "q", "r"], classes=["cow", "ant", "bee"])
    assert said.scores.labels == said.matrix.labels == ("cow", "ant", "bee")
    assert said.classes["cow"]["f1"] == evaluate(truth=WORDS, score=SCORE).classes["cow"]["f1"]


def test_what_is_said_of_columns_counts_more_than_their_names():
    turned = evaluate(COLUMNS, truth="what", score=["ant", "bee", "cow"], classes=["cow", "ant", "bee"])
    assert turned.scores.labels == ("cow", "ant", "bee")


@pytest.mark.full
@every_frame
def test_weights_of_a_frame(frame):
    wanted = answer(truth=WORDS, score=SCORE, weight=COUNT, classes=LABELS)
    assert answer(frame(COLUMNS), truth="what", score=["q", "r", "p"], weight="n", classes=LABELS) == wanted


@pytest.fixture(params=[1 << 20, 7], ids=["one batch", "many batches"])
def _batches(request, monkeypatch):
    """Batches of a million rows and of seven."""
    monkeypatch.setattr(sources, "BATCH_ROWS", request.param)


WRITERS = {
    "x.csv": lambda frame, path: frame.to_csv(path, index=False),
    "x.parquet": lambda frame, path: frame.to_parquet(path, index=False),
    "x.jsonl": lambda frame, path: frame.to_json(path, orient="records", lines=True),
}


@pytest.mark.full
@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.usefixtures("_batches")
def test_files(tmp_path, name):
    path = str(tmp_path / name)
    WRITERS[name](pd.DataFrame(COLUMNS), path)
    assert answer(path, truth="what", score=["q", "r", "p"], classes=LABELS) == plain()
    assert answer(path, truth="what", score=["q", "r", "p"], classes=LABELS, ordered=True) == in_order()
    assert answer(path, truth="code", score=["q", "r", "p"], classes=range(3)) == by_code()
    by_name = evaluate(path, truth="what", score=["cow", "ant", "bee"], weight="n")
    assert by_name.scores.labels == ("ant", "bee", "cow")
    assert by_name.matrix == evaluate(truth=WORDS, score=SCORE, weight=COUNT).matrix
    assert by_name.data.rows == 90


@pytest.mark.usefixtures("_batches")
def test_a_file_sorted_by_class(tmp_path):
    """Its first batches hold one class alone: the labels are known at the end."""
    path = str(tmp_path / "x.csv")
    pd.DataFrame(COLUMNS).sort_values("code", ascending=False, kind="stable").to_csv(path, index=False)
    found = evaluate(path, truth="what", score=["bee", "cow", "ant"])
    assert found.scores.labels == ("ant", "bee", "cow")
    for name in OF_RANKING:
        assert found[name].value == pytest.approx(plain()["measures"][name]["value"], rel=1e-14)


def test_several_files(tmp_path):
    paths = [str(tmp_path / f"{i}.csv") for i in range(3)]
    for i, path in enumerate(paths):
        pd.DataFrame(COLUMNS).iloc[30 * i : 30 * i + 30].to_csv(path, index=False)
    assert answer(paths, truth="what", score=["q", "r", "p"], classes=LABELS, ordered=True) == in_order()


def test_an_order_adds_measures_and_changes_nothing_else():
    assert answer(truth=WORDS, score=SCORE, classes=LABELS) == plain()
    assert in_order()["matrix"] == plain()["matrix"] | {"ordered": True}
    added = in_order()["measures"].keys() - plain()["measures"].keys()
    assert added == {"linear_weighted_kappa", "quadratic_weighted_kappa", "ranked_probability_score"}
    assert {name: value for name, value in in_order()["measures"].items() if name not in added} == plain()[
        "measures"
    ]
    assert all(
        in_order()[key] == value
        for key, value in plain().items()
        if key not in ("matrix", "measures", "unavailable")
    )
    assert plain()["unavailable"].keys() - in_order()["unavailable"].keys() == added


def test_parts_that_were_summarised_apart():
    parts = [
        ClassScores.from_arrays(truth=WORDS[half], score=SCORE[half], classes=LABELS.tolist())
        for half in (slice(40), slice(40, None))
    ]
    whole, plain = evaluate(parts[0] + parts[1]), evaluate(truth=WORDS, score=SCORE)
    assert (dict(whole), whole.matrix, whole.data.rows) == (dict(plain), plain.matrix, 90)
    for given in ({"positive": "ant"}, {"threshold": 0.5}, {"truth": WORDS}):
        with refuses("conflict"):
            evaluate(parts[0], **given)


# Classes
# --------------------------------------------------------------------------------------------------


@pytest.mark.full
def test_the_classes_of_the_columns_of_an_array():
    turned = evaluate(truth=WORDS, score=SCORE[:, [2, 0, 1]], classes=["cow", "ant", "bee"])
    assert turned.matrix.labels == ("cow", "ant", "bee")
    sorted_ = evaluate(truth=WORDS, score=SCORE).matrix.weights
    assert turned.matrix.weights.tolist() == sorted_[np.ix_([2, 0, 1], [2, 0, 1])].tolist()
    assert answer(truth=CODE, score=SCORE, classes=range(3)) == by_code()
    for kind in (tuple, np.array, pd.Series):
        given = {"truth": WORDS, "score": SCORE, "classes": kind(LABELS.tolist())}
        assert answer(**given) == plain()
        assert answer(**given, ordered=True) == in_order()
    strict(evaluate(truth=CODE, score=SCORE, classes=np.arange(3)).to_json())


def test_a_class_without_cases_is_said_and_left_out_of_the_areas():
    here = CODE != 1
    result = evaluate(truth=WORDS[here], score=SCORE[here], classes=LABELS.tolist())
    two = ClassScores.from_arrays(truth=WORDS[here], score=SCORE[here][:, [0, 2]])
    for name in AVERAGES:
        assert result[name].value == pytest.approx(tm.measures.__getattr__(name)(two), rel=1e-14)
    assert "bee" in result.matrix.labels
    with refuses("wrong-shape", "classes="):
        evaluate(truth=WORDS[here], score=SCORE[here])


def test_one_class_alone():
    result = evaluate(truth=["ant"] * 5, score=SCORE[:5], classes=LABELS.tolist())
    for name in AVERAGES:
        assert "represented = 0" in result[name].undefined.text
    strict(result.to_json())
    assert str(result)


# One class against the rest
# --------------------------------------------------------------------------------------------------


@pytest.mark.full
@pytest.mark.parametrize("label", LABELS.tolist())
@pytest.mark.parametrize("weight", [None, COUNT, COUNT * 0.5], ids=["plain", "whole weights", "fractions"])
def test_one_class_against_the_rest(label, weight):
    result = evaluate(truth=WORDS, score=SCORE, weight=weight).one_vs_rest(label)
    alone = evaluate(truth=label == WORDS, score=SCORE[:, LABELS.tolist().index(label)], weight=weight)
    assert result.ranking == alone.ranking
    assert result.threshold.rule == alone.threshold.rule
    assert result.threshold.value == alone.threshold.value
    assert list(result) == list(alone)
    assert result["roc_auc"] == alone["roc_auc"]
    assert result["f1"].value == alone["f1"].value
    assert result["f1"].low == pytest.approx(alone["f1"].low, rel=1e-12)
    assert result.labels == ("other", label)
    assert result.curve("roc").y.tolist() == alone.curve("roc").y.tolist()
    strict(result.to_json())


def test_the_rest_of_parameters_and_settings_go_along():
    result = evaluate(
        truth=CODE, score=SCORE, level=0.8, parameters={"precision_at_k": {"k": 7}}
    ).one_vs_rest(2)
    assert result.settings.level == 0.8
    assert "k = 7" in result["precision_at_k"].note


@pytest.mark.parametrize("label", ["dog", 0, None, ["ant"], np.array([1, 2])], ids=repr)
def test_what_is_no_class_has_no_rest(label):
    with refuses("unknown-name", argument="label"):
        evaluate(truth=WORDS, score=SCORE).one_vs_rest(label)


def test_without_a_score_per_class_there_is_no_class_against_the_rest():
    for given in ({"predicted": WORDS}, {"score": SCORE[:, 0], "positive": "ant"}):
        truth = WORDS if "predicted" in given else np.where(CODE == 0, "ant", "bee")
        with refuses("unsupported", "one_vs_rest"):
            evaluate(truth=truth, **given).one_vs_rest("ant")


# Ties in the highest score
# --------------------------------------------------------------------------------------------------


def test_of_equal_highest_scores_the_first_counts_and_it_is_said():
    score = SCORE.copy()
    score[:4] = [[1, 1, 0], [0, 1, 1], [1, 1, 1], [0, 0, 0]]
    result = evaluate(truth=WORDS, score=score)
    assert result.matrix == ConfusionMatrix.from_arrays(truth=WORDS, predicted=LABELS[score.argmax(1)])
    notice = next(notice for notice in result.notices if notice.code == "equal-highest-scores")
    assert notice.text.startswith("4 cases have the same highest score")
    weighted = evaluate(truth=WORDS, score=score, weight=COUNT)
    assert f"{COUNT[:4].sum()} cases have" in str(weighted)
    assert "equal-highest-scores" not in [
        notice.code for notice in evaluate(truth=WORDS, score=SCORE).notices
    ]


def test_the_order_of_the_columns_decides_among_equal_highest_scores_alone():
    score = np.round(SCORE)
    turned = evaluate(truth=WORDS, score=score[:, ::-1], classes=LABELS[::-1].tolist())
    plain = evaluate(truth=WORDS, score=score)
    assert turned.matrix != plain.matrix
    for name in OF_RANKING:
        assert turned[name].value == pytest.approx(plain[name].value, rel=1e-14)


# Weights and gaps
# --------------------------------------------------------------------------------------------------


def test_whole_weights_are_numbers_of_cases():
    weighted = evaluate(truth=WORDS, score=SCORE, weight=COUNT, weight_kind="count")
    repeated = evaluate(truth=WORDS.repeat(COUNT), score=SCORE.repeat(COUNT, axis=0))
    assert weighted.matrix == repeated.matrix
    for name in OF_SCORES:
        one, other = weighted[name], repeated[name]
        assert (one.value, one.low, one.high) == pytest.approx(
            (other.value, other.low, other.high), rel=1e-12
        )


def test_equal_weights_change_no_value_and_no_interval():
    plain = evaluate(truth=WORDS, score=SCORE)
    for factor in (0.5, 0.3):
        weighted = evaluate(truth=WORDS, score=SCORE, weight=np.full(90, factor))
        assert weighted.data.effective_rows == pytest.approx(90)
        for name, found in plain.estimates.items():
            other = weighted[name]
            assert (other.value, other.low, other.high) == pytest.approx(
                (found.value, found.low, found.high), rel=1e-6, nan_ok=True
            )


def test_rows_with_gaps_are_refused_or_dropped_whole():
    score, truth = SCORE.copy(), WORDS.astype(object)
    score[3, 0] = score[5, 2] = np.nan
    truth[7] = None
    with refuses("missing-value", "missing='drop'", argument="truth"):
        evaluate(truth=truth, score=score)
    kept = np.delete(np.arange(90), [3, 5, 7])
    dropped = evaluate(truth=truth, score=score, missing="drop")
    assert (dropped.data.rows, dropped.data.dropped) == (87, 3)
    assert dict(dropped) == dict(evaluate(truth=WORDS[kept], score=SCORE[kept]))


# What has no meaning here
# --------------------------------------------------------------------------------------------------

BAD = {
    "a threshold": ({"threshold": 0.5}, "threshold leave it out"),
    "a rule": ({"rule": "youden"}, "rule leave it out"),
    "a positive label": ({"positive": "ant"}, "positive leave it out"),
    "a kind of score": ({"score_kind": "llr"}, "score_kind leave it out"),
    "scores turned round": ({"higher_is_positive": False}, "higher_is_positive"),
    "classes of fewer columns": ({"classes": ["ant", "bee"]}, "'cow' no class classes="),
    "other classes": ({"classes": ["ant", "bee", "dog"]}, "'cow' no class classes="),
    "a class twice": ({"classes": ["ant", "bee", "cow", "ant"]}, "classes twice"),
    "a number of classes": ({"classes": 3}, "classes 3"),
    "scores of text": ({"score": SCORE.astype(str)}, "score text"),
    "every weight 0": ({"weight": np.zeros(90)}, "weight 0 no case counts"),
    "names without data": ({"score": ["ant", "bee", "cow"]}, "score"),
}


@for_each(("given", "parts"), BAD.values(), ids=BAD)
def test_what_does_not_go_with_a_score_per_class(given, parts):
    with pytest.raises(InputError) as refused:
        evaluate(**{"truth": WORDS, "score": SCORE} | given)
    text = str(refused.value)
    assert "\n" not in text
    assert text.endswith(".")
    for word in parts.split():
        assert word in text, text


def test_classes_do_not_go_with_a_single_score():
    with refuses("labels", argument="classes"):
        evaluate(truth=WORDS, classes=LABELS.tolist(), score=SCORE[:, 0], positive="ant")


def test_two_columns_of_three_are_no_probabilities_of_two_classes():
    with refuses("invalid-value", argument="score"):
        evaluate(truth=CODE % 2, score=SCORE[:, :2])


def test_a_column_that_is_not_there():
    with refuses("unknown-name", "'bea'", "'bee'", argument="score 2"):
        evaluate(COLUMNS, truth="what", score=["ant", "bea", "cow"])


# The command line
# --------------------------------------------------------------------------------------------------


def said(*arguments):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        assert main([*map(str, arguments)]) == 0
    return out.getvalue()


@pytest.mark.full
@pytest.mark.parametrize(("truth", "classes"), [("what", ["cow", "ant", "bee"]), ("code", [2, 0, 1])])
def test_columns_and_classes_on_the_command_line(tmp_path, truth, classes):
    path = tmp_path / "x.csv"
    pd.DataFrame(COLUMNS).to_csv(path, index=False)
    scores = [part for name in ("p", "q", "r") for part in ("--score", name)]
    found = json.loads(said("evaluate", path, "--truth", truth, *scores, "--classes", *classes, "--json"))
    wanted = evaluate(COLUMNS, truth=truth, score=["p", "q", "r"], classes=classes).to_dict()
    assert found["measures"] == wanted["measures"]
