"""What is wrong with the column of a baseline is said of `baseline_score`, the argument that names it, and of
its own row."""

import io

import numpy as np
import pytest
from looping import for_each

import tallymark as tm
from tallymark import InputError, check, compare

N = 40
RNG = np.random.default_rng(3)
Y = RNG.integers(0, 2, N)
SCORES = {"a": RNG.random(N), "b": RNG.random(N)}
GAP, TEXT = SCORES["b"].copy(), [str(one) for one in SCORES["b"]]
GAP[7], TEXT[7] = np.nan, "high"
WORDS = np.where(np.arange(N) == 7, "maybe", np.where(Y == 1, "yes", "no"))
DATA = {"y": Y, **SCORES, "gap": GAP, "text": TEXT, "words": WORDS, "called": Y, "id": np.arange(N)}
BY_SCORE = {"truth": "y", "score": "a", "no_worse_than": 0.5}
BY_LABEL = {"truth": "y", "predicted": "called", "no_worse_than": 0.5, "measures": ["accuracy"]}
REVERSED = {name: np.asarray(one)[::-1].copy() for name, one in DATA.items()}
WRONG = {  # by what is wrong: the arguments, and the parts of what is said
    "a gap": ({**BY_SCORE, "baseline_score": "gap"}, "1 value is missing", "row 7"),
    "a text": ({**BY_SCORE, "baseline_score": "text"}, "'high' in row 7"),
    "an unknown column": ({**BY_SCORE, "baseline_score": "bb"}, "no column 'bb'"),
    "labels of another kind": ({**BY_LABEL, "baseline_score": "words"}, "holds text"),
    "scores as labels": ({**BY_LABEL, "baseline_score": "b"}, "look like scores"),
    "probabilities": ({**BY_SCORE, "baseline_score": "id", "score_kind": "probability"}, "in row 2"),
}


def refusal(data, **given):
    with pytest.raises(InputError) as refused:
        check(data, **given)
    return str(refused.value)


@for_each("name", WRONG)
def test_of_the_same_data(name):
    given, *parts = WRONG[name]
    said = refusal(DATA, **given)
    assert all(part in said for part in ("baseline_score", *parts)), said
    assert "score baseline" not in said


@for_each("name", WRONG)
def test_of_data_of_its_own(name):
    """Rows are those of the baseline, whose cases stand the other way round."""
    given, *parts = WRONG[name]
    said = refusal(DATA, **given, baseline=REVERSED, pair_by="id")
    parts = [part.replace("row 7", f"row {N - 1 - 7}").replace("row 2", f"row {N - 1 - 2}") for part in parts]
    known = ["is missing" if part == "1 value is missing" else part for part in parts]
    assert all(part in said for part in ("baseline_score", *known)), said


def test_a_baseline_with_the_same_name_of_its_column_is_said_to_be_the_baseline():
    wrong = {**REVERSED, "a": REVERSED["text"]}
    assert f"'high' in row {N - 1 - 7} (counted from 0) of the baseline" in refusal(
        DATA, **BY_SCORE, baseline=wrong, pair_by="id"
    )


@for_each("wrong", ["gap", "text", "bb"])
def test_of_a_file(wrong, tmp_path):
    pytest.importorskip("pyarrow")
    path = tmp_path / "cases.csv"
    names = ["y", "a", "b", "gap", "text"]
    rows = [
        names,
        *([str(DATA[name][i]) if DATA[name][i] == DATA[name][i] else "" for name in names] for i in range(N)),
    ]
    path.write_text("\n".join(",".join(row) for row in rows))
    said = refusal(str(path), **BY_SCORE, baseline_score=wrong)
    assert said.startswith("baseline_score"), said
    assert "no column 'bb'" in said if wrong == "bb" else "line 9" in said


def test_the_new_model_keeps_its_name():
    assert refusal(DATA, **{**BY_SCORE, "score": "gap"}, baseline_score="b").startswith(
        "score (column 'gap'): 1 value is missing"
    )
    assert refusal(DATA, **{**BY_SCORE, "score": "text"}, baseline_score="b").startswith(
        "score (column 'text'): 'high'"
    )


def test_labels_of_a_baseline_in_a_file_are_of_the_kind_of_the_real_ones(tmp_path):
    """In CSV, which has no types, labels that all look like numbers are text where the real ones are."""
    pytest.importorskip("pyarrow")
    path, truth = tmp_path / "labels.csv", np.where(Y == 1, "1", "none")
    path.write_text("\n".join(["y,new,old", *(f"{one},{one},1" for one in truth)]))
    given = {"truth": "y", "predicted": "new", "baseline_score": "old", "positive": "1", "no_worse_than": 0.9}
    found = check(str(path), **given, measures=["sensitivity"])
    columns = {"new": truth, "baseline": np.full(N, "1", object)}
    expected = (
        compare(truth=truth, predicted=columns, positive="1", measures=["sensitivity"])
        .differences[0]
        .estimate
    )
    assert found.findings[0].estimate == expected


def test_standard_input_is_read_once_and_compared_with_its_baseline(tmp_path, monkeypatch):
    pytest.importorskip("pyarrow")
    lines = "\n".join(["y,a", *(f"{one},{score}" for one, score in zip(Y, SCORES["a"], strict=True))])
    path = tmp_path / "old.csv"
    path.write_text(lines)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(lines.encode())))
    assert "same truth as the data in each of 40 rows" in refusal("-", **BY_SCORE, baseline=str(path))


def test_a_saved_evaluation_is_no_baseline(tmp_path):
    cases, path = {"y": Y, "p": RNG.random(N)}, tmp_path / "old.json"
    by = {"truth": "y", "score": "p"}
    tm.evaluate(cases, **by).save(path)
    for baseline, words in (
        (tm.load(path), "holds figures, not the cases"),
        (str(path), "figures of a result.*release save"),
    ):
        with pytest.raises(InputError, match=words):
            check(cases, **by, baseline=baseline, no_worse_than=0.1, measures="roc_auc")


def test_a_summary_is_a_baseline_also_as_its_json(tmp_path):
    cases, path = {"y": Y, "p": RNG.random(N), "id": np.arange(N)}, tmp_path / "old.json"
    old = tm.RankingTable.from_arrays(truth=Y, score=SCORES["b"])
    old.save(path)
    asked = {"truth": "y", "score": "p", "no_worse_than": 0.5, "measures": "roc_auc"}
    wanted = check(cases, **asked, baseline=tm.evaluate(old), paired=False)
    for baseline in (old, str(path), path):
        assert check(cases, **asked, baseline=baseline, paired=False).to_dict() == wanted.to_dict()
        with pytest.raises(InputError, match="as many cases of each class"):
            check(cases, **asked, baseline=baseline)
        with pytest.raises(InputError, match="which case is which"):
            check(cases, **asked, baseline=baseline, pair_by="id")


def test_a_threshold_is_that_of_a_summed_baseline_too():
    cases, old = {"y": Y, "p": RNG.random(N)}, {"y": Y, "p": SCORES["b"]}
    sums = tm.Accumulator()
    sums.update(old, truth="y", score="p")
    asked = {"truth": "y", "score": "p", "no_worse_than": 0.5, "measures": "sensitivity", "threshold": 0.3}
    found = [check(cases, **asked, paired=False, baseline=one).findings[0] for one in (old, sums)]
    assert found[0].estimate == found[1].estimate
