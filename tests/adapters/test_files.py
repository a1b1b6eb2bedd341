"""Files of every kind, in one batch or in many, give what their columns give as arrays."""

import gzip
import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from looping import for_each, in_part

from tallymark import InputError, RankingTable, evaluate
from tallymark.input import sources
from tallymark.measures.registry import get

pd = pytest.importorskip("pandas")
pa = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")

RANDOM = np.random.default_rng(11)
TRUTH = RANDOM.integers(0, 2, 90)
SCORE = np.round(0.4 * TRUTH + 0.6 * RANDOM.random(90), 2)
FRAME = pd.DataFrame(
    {
        "label": TRUTH,
        "risk": SCORE,
        "state": np.where(TRUTH == 1, "sick", "well"),
        "said": np.where(SCORE >= 0.5, "sick", "well"),
        "flag": TRUTH.astype(bool),
        "count": RANDOM.integers(1, 4, 90),
    }
)


def write_json(frame, path):
    path.write_text("".join(json.dumps(row) + "\n" for row in frame.to_dict("records")), encoding="utf-8")


WRITERS = {
    "x.csv": lambda frame, path: frame.to_csv(path, index=False),
    "x.txt": lambda frame, path: frame.to_csv(path, index=False, sep=";"),
    "x.tsv": lambda frame, path: frame.to_csv(path, index=False, sep="\t"),
    "x.csv.gz": lambda frame, path: frame.to_csv(path, index=False, compression="gzip"),
    "x.CSV": lambda frame, path: frame.to_csv(path, index=False),
    "x.parquet": lambda frame, path: frame.to_parquet(path, index=False),
    "x.pq": lambda frame, path: frame.to_parquet(path, index=False),
    "x.jsonl": write_json,
    "x.ndjson": write_json,
    "x.json": lambda frame, path: frame.to_json(path, orient="records"),
}
every_kind = pytest.mark.parametrize("name", WRITERS)


@pytest.fixture(params=[1 << 20, 7], ids=["one batch", "many batches"])
def _batches(request, monkeypatch):
    """Batches of a million rows and of seven."""
    monkeypatch.setattr(sources, "BATCH_ROWS", request.param)


def measured(*data, **given):
    answer = evaluate(*[str(path) for path in data], **given).to_dict()
    return {key: answer[key] for key in ("threshold", "counts", "measures", "notices")}


@cache
def expected():
    """Of labels, of flags, of states with weights and of states that were predicted."""
    given = {"weight": FRAME["count"], "positive": "sick", "truth": FRAME["state"]}
    return [
        measured(truth=TRUTH, score=SCORE),
        measured(truth=TRUTH.astype(bool), score=SCORE),
        measured(score=SCORE, **given),
        measured(predicted=FRAME["said"], **given),
    ]


def write(tmp_path, name="x.csv", frame=FRAME):
    WRITERS[name](frame, tmp_path / name)
    return str(tmp_path / name)


def refusal(path, **given):
    with pytest.raises(InputError) as refused:
        evaluate(path, **({"truth": "label", "score": "risk"} | given))
    text = str(refused.value)
    assert "\n" not in text
    return text


@pytest.mark.full
@every_kind
@pytest.mark.usefixtures("_batches")
def test_every_kind_of_file(tmp_path, name):
    path = write(tmp_path, name)
    weighted = {"truth": "state", "weight": "count", "positive": "sick"}
    asked = {"truth": "label", "score": "risk"}, {"truth": "flag", "score": "risk"}
    asked += weighted | {"score": "risk"}, weighted | {"predicted": "said"}
    for given, wanted in zip(asked, expected(), strict=True):
        assert measured(path, **given) == wanted, given


@pytest.mark.full
@every_kind
def test_a_path_object_is_a_path(tmp_path, name):
    path = Path(write(tmp_path, name))
    result = evaluate(path, truth="label", score="risk")
    assert result.data.rows == 90
    assert result.data.source == str(path)


@pytest.mark.full
@pytest.mark.parametrize("name", ["x.csv", "x.csv.gz", "x.parquet", "x.jsonl"])
@pytest.mark.usefixtures("_batches")
def test_several_files_by_a_pattern(tmp_path, name):
    for part, (start, stop) in enumerate([(0, 30), (30, 31), (31, 90)]):
        WRITERS[name](FRAME[start:stop], tmp_path / f"part-{part}{name[1:]}")
    found = measured(tmp_path / f"part-*{name[1:]}", truth="label", score="risk")
    assert found == measured(truth=TRUTH, score=SCORE)


def test_a_pattern_over_folders(tmp_path):
    for part in "ab":
        (tmp_path / part).mkdir()
        write(tmp_path / part)
    assert evaluate(str(tmp_path / "**" / "*.csv"), truth="label", score="risk").data.rows == 180


def test_a_bracket_in_the_name_of_a_file(tmp_path):
    (tmp_path / "run [1]").mkdir()
    path = write(tmp_path / "run [1]")
    assert evaluate(path, truth="label", score="risk").data.rows == 90


@pytest.mark.full
@pytest.mark.parametrize("folder", ["it's", "a b", 'say "x"', "größe", "100%", "a;b", "-x"])
def test_paths_with_odd_characters(tmp_path, folder):
    (tmp_path / folder).mkdir()
    for name in ("x.csv", "x.parquet", "x.jsonl"):
        assert evaluate(write(tmp_path / folder, name), truth="label", score="risk").data.rows == 90


ODD = [
    "a b",
    'say "x"',
    "it's",
    "x; DROP TABLE t; --",
    "<script>alert(1)</script>",
    "größe",
    "a,b",
    "x.y",
    "select",
    "1",
]


@in_part(5)
@for_each("odd", ODD)
@for_each("name", ["x.csv", "x.parquet", "x.jsonl"])
def test_columns_and_labels_with_odd_characters(tmp_path, name, odd):
    frame = FRAME.assign(state=FRAME["state"].replace("sick", odd)).rename(columns={"state": odd})
    path = write(tmp_path, name, frame[[odd, "risk", "label"]])
    assert measured(path, truth=odd, score="risk", positive=odd) == measured(truth=TRUTH, score=SCORE)
    found = evaluate(path, truth=odd, predicted=odd, positive=odd)
    assert found.counts.fp + found.counts.fn == 0


def test_names_that_differ_in_case_only(tmp_path):
    path = write(tmp_path, "x.parquet", FRAME.rename(columns={"label": "Label"}))
    assert refusal(path) == f"truth: {path} has no column 'label' (did you mean 'Label'?)."


# Gaps
# --------------------------------------------------------------------------------------------------

GAPS = [3, 40, 41]


def place(name, row):
    """Where messages say that a row is, this being the first, 1: by line in text files, the header included,
    from 0 elsewhere."""
    if name.endswith((".parquet", ".pq", ".json")):
        return f"row {row - 1} (counted from 0)"
    return f"line {row}" if name.endswith((".jsonl", ".ndjson")) else f"line {row + 1}"


def with_gaps(column, value=None):
    frame = FRAME.astype({column: object})
    frame.loc[GAPS, column] = value
    return frame if column == "state" else frame.astype({column: float})


@pytest.mark.full
@every_kind
@pytest.mark.parametrize("column", ["risk", "label", "state"])
@pytest.mark.usefixtures("_batches")
def test_gaps_are_counted_and_named_or_dropped(tmp_path, name, column):
    if name in ("x.jsonl", "x.ndjson") and column != "state":
        pytest.skip("Python's JSON writes NaN, which is none")
    path = write(tmp_path, name, with_gaps(column))
    given = {
        "truth": "label" if column == "risk" else column,
        "score": "risk",
        "positive": "sick" if column == "state" else None,
    }
    role = "score" if column == "risk" else "truth"
    text = refusal(path, **given)
    assert text.startswith(f"{role} (column '{column}'): ")
    assert f" missing (NaN or null), the first in {place(name, 4)}; pass missing='drop'" in text
    result = evaluate(path, missing="drop", **given)
    assert (result.data.rows, result.data.dropped) == (87, 3)
    kept = FRAME.drop(index=GAPS)
    assert result.counts.to_dict() == evaluate(truth=kept["label"], score=kept["risk"]).counts.to_dict()


@pytest.mark.usefixtures("_batches")
def test_gaps_are_counted_over_the_whole_file(tmp_path):
    text = refusal(write(tmp_path, "x.parquet", with_gaps("risk")))
    assert text.startswith(
        "score (column 'risk'): 3 values are missing (NaN or null), the first in row 3 (counted from 0);"
    )


@pytest.mark.usefixtures("_batches")
def test_one_gap_far_down(tmp_path):
    frame = FRAME.copy()
    frame.loc[77, "risk"] = np.nan
    assert "1 value is missing (NaN or null), the first in line 79;" in refusal(
        write(tmp_path, "x.csv", frame)
    )


@pytest.mark.full
@pytest.mark.parametrize("word", ["", "NA", "null", "NULL"])
@pytest.mark.usefixtures("_batches")
def test_words_for_missing_in_csv(tmp_path, word):
    path = tmp_path / "x.csv"
    path.write_text("y,p\n1,0.9\n" + 20 * "0,0.1\n" + f"1,{word}\n", encoding="utf-8")
    assert "1 value is missing (NaN or null), the first in line 23;" in refusal(
        str(path), truth="y", score="p"
    )
    assert evaluate(str(path), truth="y", score="p", missing="drop").data.rows == 21


@pytest.mark.usefixtures("_batches")
def test_a_batch_without_a_whole_row(tmp_path):
    frame = FRAME.copy()
    frame.loc[:20, "risk"] = np.nan
    path = write(tmp_path, "x.parquet", frame)
    assert evaluate(path, truth="label", score="risk", missing="drop").data.rows == 69
    frame["risk"] = np.nan
    path = write(tmp_path, "x.parquet", frame)
    assert "every one of the 90 rows has a missing value" in refusal(path, missing="drop")


# Batches
# --------------------------------------------------------------------------------------------------


@pytest.mark.full
@pytest.mark.usefixtures("_batches")
def test_files_sorted_by_class(tmp_path):
    frame = FRAME.sort_values(["label", "risk"])
    for path in (write(tmp_path, "x.csv", frame), write(tmp_path, "x.parquet", frame[::-1])):
        for given in ({}, {"positive": 1}):
            assert measured(path, truth="label", score="risk", **given) == measured(truth=TRUTH, score=SCORE)
        assert measured(path, truth="state", score="risk", positive="sick") == measured(
            truth=TRUTH, score=SCORE
        )
        found = evaluate(path, truth="state", predicted="said", positive="sick")
        assert found.counts == evaluate(truth=FRAME["state"], predicted=FRAME["said"], positive="sick").counts


@pytest.mark.usefixtures("_batches")
def test_a_third_class_far_down(tmp_path):
    frame = FRAME.assign(label=np.r_[TRUTH[:-1], 2], state=[*FRAME["state"][:-1], "dead"])
    path = write(tmp_path, "x.csv", frame)
    assert "(0, 1, 2)" in refusal(path)
    assert "3 classes" in refusal(path)
    text = refusal(path, truth="state", positive="sick")
    assert "3 classes ('dead', 'sick', 'well')" in text
    assert len(evaluate(path, truth="state", predicted="said").classes) == 3


@pytest.mark.parametrize("labels", [(1, 2), (-1, 0), (3, 5)])
@pytest.mark.usefixtures("_batches")
def test_labels_that_need_a_name_are_listed_as_they_are(tmp_path, labels):
    frame = FRAME.assign(label=np.array(labels)[np.sort(TRUTH)])
    text = refusal(write(tmp_path, "x.csv", frame))
    assert "which label is the positive one; pass positive=" in text
    assert int(text.partition("positive=")[2].partition(" ")[0].rstrip(".")) in labels


@pytest.mark.usefixtures("_batches")
def test_an_unknown_positive_label(tmp_path):
    path = write(tmp_path)
    assert "'sik' does not occur (did you mean 'sick'?); the labels are 'sick', 'well'" in refusal(
        path, truth="state", positive="sik"
    )
    assert "7 does not occur; the labels are 0, 1" in refusal(path, positive=7)


@pytest.mark.full
@pytest.mark.usefixtures("_batches")
def test_weights_of_zero_in_one_part_of_the_file(tmp_path):
    weight = np.where(np.arange(90) < 30, 0, 1)
    path = write(tmp_path, "x.csv", FRAME.assign(count=weight))
    expected = measured(truth=TRUTH, score=SCORE, weight=weight)
    assert measured(path, truth="label", score="risk", weight="count") == expected


@pytest.mark.usefixtures("_batches")
def test_bad_weights_are_named_by_their_row(tmp_path):
    for value, said in (
        (-2.0, "-2.0 in row 50 (counted from 0)"),
        (np.inf, "inf in row 50 (counted from 0)"),
    ):
        weight = np.where(np.arange(90) == 50, value, 1)
        text = refusal(write(tmp_path, "x.parquet", FRAME.assign(count=weight)), weight="count")
        assert text.startswith("weight (column 'count'): " + said)
    path = write(tmp_path, "x.csv", FRAME.assign(count=0))
    assert "every weight is 0" in refusal(path, weight="count")


@pytest.mark.full
@pytest.mark.usefixtures("_batches")
def test_fractional_weights_over_batches(tmp_path):
    weight = np.round(RANDOM.random(90), 3)
    path = write(tmp_path, "x.parquet", FRAME.assign(count=weight))
    found = evaluate(path, truth="label", score="risk", weight="count")
    expected = evaluate(truth=TRUTH, score=SCORE, weight=weight)
    assert found.data.effective_rows == pytest.approx(expected.data.effective_rows, rel=1e-12)
    for name, estimate in expected.estimates.items():
        assert found[name].value == pytest.approx(estimate.value, rel=1e-12)
        # Resamples of a table are drawn with its weights, and sums rounded in another order give other draws.
        drawn = "bootstrap" in (estimate.method or "") and get(name).summary is RankingTable
        near = {"abs": 0.1 * (estimate.high - estimate.low)} if drawn else {"rel": 1e-9}
        assert found[name].low == pytest.approx(estimate.low, nan_ok=True, **near)


def test_progress_is_told_after_every_batch(tmp_path, monkeypatch):
    monkeypatch.setattr(sources, "BATCH_ROWS", 40)
    seen = []
    evaluate(write(tmp_path), truth="label", score="risk", progress=seen.append)
    assert seen[-1] == 90
    assert seen == sorted(seen)
    assert len(seen) >= 2


# What is not a file of predictions
# --------------------------------------------------------------------------------------------------


def test_missing_file_and_folder(tmp_path):
    assert refusal(str(tmp_path / "none.csv")).startswith(f"{tmp_path / 'none.csv'}: no such file;")
    assert "no file fits this pattern" in refusal(str(tmp_path / "*.csv"))
    (tmp_path / "folder.csv").mkdir()
    assert "the folder holds no file" in refusal(str(tmp_path / "folder.csv"))
    for name in ("part.csv", "notes.txt"):
        (tmp_path / "folder.csv" / name).write_text("label,risk\n1,0.5\n")
    of_two_kinds = refusal(str(tmp_path / "folder.csv"))
    assert all(one in of_two_kinds for one in ("notes.txt", "part.csv", "*.txt"))


@pytest.mark.parametrize("name", ["x.xlsx", "x", "x.csv.zip", ".csv", "x.gz"])
def test_unknown_ending(tmp_path, name):
    (tmp_path / name).write_text("label,risk\n1,0.5\n", encoding="utf-8")
    text = refusal(str(tmp_path / name))
    assert text.startswith(str(tmp_path / name))
    assert ".csv" in text
    assert ".parquet" in text


def test_a_folder_is_said_to_be_one(tmp_path):
    assert "folder" in refusal(str(tmp_path))


@pytest.mark.parametrize("name", ["x.csv", "x.parquet", "x.jsonl"])
def test_empty_file(tmp_path, name):
    (tmp_path / name).touch()
    assert refusal(str(tmp_path / name)).startswith(f"{tmp_path / name}: the file is empty")


@every_kind
def test_no_rows_below_the_header(tmp_path, name):
    if name in ("x.jsonl", "x.ndjson", "x.json"):
        pytest.skip("JSON has no header")
    refused = refusal(write(tmp_path, name, FRAME[:0]))
    assert "there are no rows" in refused
    assert "below the header" not in refused


def test_empty_gzip_file(tmp_path):
    (tmp_path / "x.csv.gz").write_bytes(gzip.compress(b""))
    assert refusal(str(tmp_path / "x.csv.gz")).startswith(str(tmp_path / "x.csv.gz"))


@pytest.mark.parametrize("name", ["x.parquet", "x.csv.gz", "x.jsonl"])
def test_a_file_that_is_not_what_its_ending_says(tmp_path, name):
    (tmp_path / name).write_bytes(b"\x00\xff this is none of it \n" * 9)
    assert refusal(str(tmp_path / name)).startswith(str(tmp_path / name))


def test_an_unreadable_file(tmp_path):
    path = Path(write(tmp_path))
    path.chmod(0)
    try:
        path.read_bytes()
        pytest.skip("this user may read every file")
    except PermissionError:
        assert refusal(str(path)).startswith(str(path))


@every_kind
def test_missing_column(tmp_path, name):
    path = write(tmp_path, name)
    assert refusal(path, score="rsk") == f"score: {path} has no column 'rsk' (did you mean 'risk'?)."
    assert "the columns are 'label', 'risk', 'state'" in refusal(path, truth="qqq")


@every_kind
def test_text_in_the_column_of_scores(tmp_path, name):
    # where text among numbers can be written
    write_as = float if "json" in name or name == "x.ndjson" else str
    scores = [*map(write_as, SCORE[:60]), "high", *map(write_as, SCORE[61:])]
    text = refusal(write(tmp_path, name, FRAME.assign(risk=scores)))
    assert text.startswith(f"score (column 'risk'): 'high' in {place(name, 61)} is not a number")


@pytest.mark.usefixtures("_batches")
def test_numbers_written_as_text(tmp_path):
    text = refusal(write(tmp_path, "x.parquet", FRAME.assign(risk=[f"{value}" for value in SCORE])))
    where = f"'{SCORE[0]}' in row 0 (counted from 0)"
    assert (
        text == f"score (column 'risk'): numbers written as text, as {where}; convert the column to numbers."
    )


@pytest.mark.usefixtures("_batches")
def test_a_column_of_words_as_scores(tmp_path):
    text = refusal(write(tmp_path), score="said")
    assert text.startswith(f"score (column 'said'): {FRAME['said'][0]!r} in line 2 is not a number")


def test_text_beyond_the_rows_that_the_type_is_guessed_from(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("label,risk\n" + 30_000 * "1,0.5\n0,0.25\n" + "1,high\n", encoding="utf-8")
    text = refusal(str(path))
    assert "high" in text
    assert "line 60002" in text


def test_rows_of_unequal_length(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("label,risk\n1,0.5\n0,0.25\n1,0.5,7,8\n0\n", encoding="utf-8")
    assert refusal(str(path)).startswith(
        f"{path}: line 4 has 4 fields and the header 2 names, separated by ',';"
    )


@pytest.mark.parametrize(
    "text",
    [
        "label,risk\r\n1,0.5\r\n0,0.25\r\n",
        "\ufefflabel,risk\n1,0.5\n0,0.25",
        'label,risk\n"1","0.5"\n0,0.25\n',
    ],
)
def test_other_ways_to_write_csv(tmp_path, text):
    path = tmp_path / "x.csv"
    path.write_bytes(text.encode())
    result = evaluate(str(path), truth="label", score="risk")
    assert (result.data.rows, result["roc_auc"].value) == (2, 1.0)


def test_a_csv_file_that_is_not_unicode(tmp_path):
    path = tmp_path / "x.csv"
    path.write_bytes("state,risk\ngroß,0.5\nklein,0.25\n".encode("latin-1"))
    assert refusal(str(path), truth="state", positive="groß").startswith(str(path))


def test_labels_that_look_like_numbers_in_some_rows_stay_text(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("y,p\n1,0.9\nother,0.2\n1,0.8\nother,0.1\n", encoding="utf-8")
    assert evaluate(str(path), truth="y", score="p", positive="1")["roc_auc"].value == 1
    assert evaluate(str(path), truth="y", score="p", positive=1)["roc_auc"].value == 1


@pytest.mark.parametrize(
    ("no", "yes"), [("no", "yes"), ("false", "true"), ("False", "True"), ("f", "t"), ("n", "y"), ("0", "1")]
)
def test_words_for_false_and_true_in_csv(tmp_path, no, yes):
    path = tmp_path / "x.csv"
    path.write_text(f"y,p\n{yes},0.9\n{no},0.2\n{yes},0.8\n{no},0.1\n", encoding="utf-8")
    assert evaluate(str(path), truth="y", score="p", positive=yes)["roc_auc"].value == 1


def test_a_file_is_not_kept_open_or_changed(tmp_path):
    path = Path(write(tmp_path))
    before = path.read_bytes()
    evaluate(str(path), truth="label", score="risk")
    assert path.read_bytes() == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["x.csv"]


def test_infinite_scores_in_a_csv_are_numbers(tmp_path):
    path = tmp_path / "inf.csv"
    path.write_text("y,p\n1,inf\n0,0.5\n1,0.7\n0,-inf\n")
    result = evaluate(str(path), truth="y", score="p")
    assert result["roc_auc"].value == 1
    assert "infinite-scores" in [notice.code for notice in result.notices]
