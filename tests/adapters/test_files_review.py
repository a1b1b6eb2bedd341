"""Defects in reading files that a review found."""

import gzip
import io
import json
import os
import subprocess
import sys
import threading

import numpy as np
import pytest
from refusals import refuses
from written import refusal, written

from tallymark import InputError, evaluate
from tallymark.input import sources
from tallymark.input.sources import delimited, jsonlines

pytest.importorskip("pyarrow")


# JSON
# --------------------------------------------------------------------------------------------------


def test_each_object_of_an_array_is_parsed_once(tmp_path, monkeypatch):
    """Lists of objects in every row; counted are the objects that the parser finds."""
    rows = [{"y": i % 2, "p": i / 50, "parts": [{"a": 1}] * 20} for i in range(50)]
    path = written(tmp_path, json.dumps(rows), "x.json")
    monkeypatch.setattr(sources, "BLOCK_BYTES", 500)
    monkeypatch.setattr(jsonlines, "FIRST_BYTES", 500)
    found, decoder = [], json.JSONDecoder

    def counting(object_pairs_hook, parse_float):
        return decoder(
            object_pairs_hook=lambda pairs: found.append(1) or object_pairs_hook(pairs),
            parse_float=parse_float,
        )

    monkeypatch.setattr(json, "JSONDecoder", counting)
    assert evaluate(path, truth="y", score="p").data.rows == 50
    assert len(found) < 2 * 50 * 21


@pytest.mark.parametrize("block", [1, 2, 3, 7, 1000])
def test_arrays_in_blocks_of_any_size(tmp_path, monkeypatch, block):
    monkeypatch.setattr(sources, "BLOCK_BYTES", block)
    monkeypatch.setattr(jsonlines, "FIRST_BYTES", block + 3)
    rows = [
        {"y": "é𝄞]", "p": 0.123456789012345},
        {"y": "}, {", "p": 1e-5},
        {"y": "é𝄞]", "p": -1.5, "q": [{"p": 1, "": "ü"}]},
    ]
    path = written(tmp_path, "\ufeff" + json.dumps(rows, ensure_ascii=False, indent=1) + " \n", "x.json")
    result = evaluate(path, truth="y", score="p", positive="é𝄞]")
    assert (result.data.rows, result["roc_auc"].value) == (3, 0.5)


@pytest.mark.parametrize("block", [1, 1000])
@pytest.mark.parametrize(
    ("text", "words"),
    {
        '[{"y": 1, "p": 1},]': "after row 0 (counted from 0) there is no JSON",
        '[{"y": 1, "p": 1}] ]': "text follows the end of the array; remove it.",
        '[{"y": 1, "p": 1}]{"y": 1, "p": 1}': "text follows the end of the array; remove it.",
        '[{"y": 1, "p": 1}, {"y"': "the array of objects has no end; close it with ].",
        '[{"y": 1, "p": 1}, 7]': "row 1 (counted from 0) holds 7, no object",
        '[{"y": 1, "p": 1}, {"p": 1, "p": 2}]': (
            "row 1 (counted from 0): 'p' stands there twice; give each key once."
        ),
        '[{"y": 1, "p": 1}, {"p": 1e400}]': (
            "row 1 (counted from 0): '1e400' is beyond the numbers that float64 holds"
        ),
    }.items(),
)
def test_arrays_that_are_none(tmp_path, monkeypatch, text, words, block):
    monkeypatch.setattr(sources, "BLOCK_BYTES", block)
    monkeypatch.setattr(jsonlines, "FIRST_BYTES", block)
    path = written(tmp_path, text, "x.json")
    assert refusal(path).startswith(f"{path}: {words}")


def test_text_that_is_no_array_is_refused(tmp_path, monkeypatch):
    path = written(tmp_path, '[{"y": 1, "p": 1}, oops, ' + 1000 * '{"y": 1, "p": 1}, ' + "]", "x.json")
    monkeypatch.setattr(sources, "BLOCK_BYTES", 200)
    monkeypatch.setattr(jsonlines, "FIRST_BYTES", 200)
    assert "after row 0 (counted from 0) there is no JSON" in refusal(path)


@pytest.mark.parametrize("rows", [1, 1500])
def test_keys_of_objects_within_a_row_may_repeat(tmp_path, rows):
    line = '{"y": %d, "p": %d, "x": {"p": 1, "p": 2}}'
    lines = ['{"y": 1, "p": 1}'] * rows + [line % (0, 0)]
    assert (
        evaluate(written(tmp_path, "\n".join(lines), "x.jsonl"), truth="y", score="p")["roc_auc"].value == 1
    )
    assert (
        evaluate(written(tmp_path, f"[{','.join(lines)}]", "x.json"), truth="y", score="p")["roc_auc"].value
        == 1
    )
    path = written(tmp_path, "\n".join([*lines, '{"y": 1, "p": {"p": 3}, "p": 4}']), "x.jsonl")
    assert refusal(path) == f"{path}: line {rows + 2}: 'p' stands there twice; give each key once."


@pytest.mark.parametrize("text", [" \n\n", "{}\n"])
def test_json_without_objects(tmp_path, text):
    path = written(tmp_path, text, "x.json")
    assert refusal(path).startswith(f"{path}: it holds no objects with columns; ")


# Errors and the type of labels
# --------------------------------------------------------------------------------------------------


@pytest.fixture
def _small(monkeypatch):
    for module, name, size in (
        (sources, "BATCH_ROWS", 3),
        (sources, "BLOCK_BYTES", 8),
        (delimited, "LONGEST_HEADER", 8),
    ):
        monkeypatch.setattr(module, name, size)


@pytest.mark.usefixtures("_small")
def test_labels_that_are_first_known_below_an_error(tmp_path):
    path = written(tmp_path, "y,p,w,g\n1,0.5,-1,\n" + 2 * "0,0.5,1,\n" + 6 * "1,0.5,1,7\n")
    text = refusal(path, weight="w", clusters="g", missing="reject")
    assert text.startswith("weight (column 'w'): -1.0 in line 2 cannot be a weight")


@pytest.mark.usefixtures("_small")
@pytest.mark.parametrize(
    ("first", "given", "words"),
    [
        ("1,0.5,-1", {"weight": "w"}, "weight (column 'w'): -1.0 in line 2 cannot be a weight"),
        ("1,1.5,1", {"score_kind": "probability"}, "score (column 'p'): 1.5 in line 2 is not a probability"),
        (
            "1,inf,1",
            {"score": None, "predicted": "p", "regression": True},
            "predicted (column 'p'): inf in line 2 is not a finite",
        ),
    ],
)
def test_errors_that_do_not_depend_on_labels_stop_the_reading(tmp_path, monkeypatch, first, given, words):
    read = []
    columns_of = sources.columns_of
    monkeypatch.setattr(sources, "columns_of", lambda *arguments: read.append(1) or columns_of(*arguments))
    path = written(tmp_path, f"y,p,w\n{first}\n" + 100 * "0,0.5,1\n1,0.5,1\n")
    assert refusal(path, **given).startswith(words)
    assert len(read) == 1


@pytest.mark.usefixtures("_small")
@pytest.mark.parametrize("given", [{"positive": "01"}, {"predicted": "z", "score": None, "positive": "01"}])
def test_errors_on_labels_see_the_whole_column(tmp_path, given):
    """As numbers, 7 would be a third label of another type; as text, 01 is the positive label."""
    path = written(tmp_path, "y,p,z\n" + 4 * "7,0.5,7\n" + 4 * "01,0.75,01\n")
    assert set(evaluate(path, **({"truth": "y", "score": "p"} | given)).labels) == {"7", "01"}


def test_label_errors_can_be_pickled():
    import pickle

    from tallymark.input.errors import LabelError

    again = pickle.loads(pickle.dumps(LabelError("labels", "truth", "no label")))
    assert (type(again), str(again)) == (LabelError, "truth: no label.")


# Standard input
# --------------------------------------------------------------------------------------------------


class Input:
    """What stands in for sys.stdin."""

    def __init__(self, data):
        self.buffer = io.BytesIO(data)


@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "compressed"])
def test_a_long_header_in_standard_input(monkeypatch, pack):
    names = [f"column_{i}" for i in range(800)]
    rows = [",".join(["0"] * 800 + row) for row in (["1", "0.75"], ["0", "0.25"])]
    monkeypatch.setattr(sys, "stdin", Input(pack("\n".join([",".join([*names, "y", "p"]), *rows]).encode())))
    assert evaluate("-", truth="y", score="p")["roc_auc"].value == 1


def test_reads_that_give_less_than_was_asked_for():
    class Slow(io.BytesIO):
        def read(self, size=-1):
            return super().read(min(size, 3))

    assert sources.filled(Slow(b"0123456789"), 8) == b"01234567"
    assert sources.filled(Slow(b"0123456789"), 80) == b"0123456789"


def test_standard_input_is_read_from_two_places_at_once(monkeypatch):
    monkeypatch.setattr(sys, "stdin", Input(bytes(range(250)) * 1000))
    with sources.standard_input() as one, sources.standard_input() as other:
        assert one.read(100_000) == other.read(100_000)
        assert other.seek(-10, 2) == 249_990
        assert one.read(1) + other.read() == bytes([0, *range(240, 250)])


@pytest.mark.skipif(sys.platform == "win32", reason="no signals")
def test_no_copy_of_standard_input_is_left_behind(tmp_path):
    code = (
        "import os, signal\nfrom tallymark.input import sources"
        "\nsources.standard_input()\nos.kill(os.getpid(), signal.SIGKILL)"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], input=b"y,p\n1,1\n", env={**os.environ, "TMPDIR": str(tmp_path)}
    )
    assert run.returncode < 0
    assert not list(tmp_path.iterdir())


# Text among numbers
# --------------------------------------------------------------------------------------------------

SCORE = "score (column 'p'): "
HINT = "scores are numbers, and labels go to predicted=."


@pytest.mark.parametrize("missing", ["reject", "drop"])
def test_text_among_scores_is_named_with_its_line(tmp_path, missing):
    path = written(tmp_path, "y,p\n,n/a\n0,0.2\n")
    assert refusal(path, missing=missing) == f"{SCORE}'n/a' in line 2 is not a number; {HINT}"
    lines = [{"y": 0, "p": 0.1}, {"y": 1, "p": 0.2}, {"y": 1, "p": "0.5"}, {"y": 1, "p": [1]}]
    words = f"{SCORE}'0.5' in %s is not a number; it is text; write numbers without quotation marks."
    assert (
        refusal(written(tmp_path, "\n".join(map(json.dumps, lines)), "x.jsonl"), missing=missing)
        == words % "line 3"
    )
    assert (
        refusal(written(tmp_path, json.dumps(lines), "x.json"), missing=missing)
        == words % "row 2 (counted from 0)"
    )
    lines[2] = {"p": [2]}
    assert (
        refusal(written(tmp_path, json.dumps(lines), "x.json"))
        == f"{SCORE}[2] in row 2 (counted from 0) is not a number; write one JSON object per case, as pandas"
        " does with to_json(orient='records', lines=True)."
    )


@pytest.mark.usefixtures("_small")
def test_text_among_scores_in_blocks(tmp_path):
    for ending in ("", '"'):  # by Arrow, and by the csv module
        path = written(tmp_path, f"y,p,q\n1,0.5,\n1,0.5,a{ending}\n0,0.5,\n1,x,\n" + 50 * "1,0.5,\n")
        assert refusal(path) == f"{SCORE}'x' in line 5 is not a number; {HINT}"
        again = written(tmp_path, "y,p\n1,0.5\n", "a.csv")
        assert refusal([again, path]) == f"{SCORE}'x' in line 5 of x.csv is not a number; {HINT}"


# Grammar, names, order of errors
# --------------------------------------------------------------------------------------------------


def test_lists_are_split_at_line_ends_only(tmp_path):
    path = written(tmp_path, "1\r\n2\r\t3 \n\n4", "x.txt")
    assert delimited.list_of_numbers(path, "genuine").values.tolist() == [1, 2, 3, 4]
    for odd in ("\u2028", "\x0b", "\x85", "\u00a0"):
        with refuses("invalid-value", "line 1", argument="genuine"):
            delimited.list_of_numbers(written(tmp_path, f"1{odd}\n2", "x.txt"), "genuine")


@pytest.mark.parametrize("label", [2**63 - 1, -(2**63)])
def test_labels_of_64_bits_are_whole_numbers(tmp_path, label):
    path = written(tmp_path, f"y,p\n{label},1\n7,0\n")
    assert set(evaluate(path, truth="y", predicted="y", positive=7).labels) == {label, 7}
    path = written(tmp_path, f"y,p\n{2 * label},1\n7,0\n")
    assert set(evaluate(path, truth="y", predicted="y", positive=7).labels) == {str(2 * label), "7"}


def test_an_empty_path_is_quoted():
    assert refusal("").startswith("'': the ending of its name")


@pytest.mark.parametrize("before", [1, 2, 3])
def test_errors_come_in_the_order_of_blocks(before):
    def items():
        yield from range(before)
        raise InputError("unreadable", "x.csv", "later")

    def work(item):
        if item == before - 1:
            raise InputError("unreadable", "x.csv", "earlier")
        return item

    with refuses("unreadable", "earlier", argument="x.csv"):
        list(sources.ahead(work, items()))
    with refuses("unreadable", "later", argument="x.csv"):
        list(sources.ahead(str, items()))


def test_work_that_is_not_wanted_any_more_is_not_waited_for():
    """The garbage collector may close it in any thread, also where waiting for another one never ends."""
    go_on = threading.Event()

    def work(item):
        if item:
            go_on.wait(60)
        return item

    found = sources.ahead(work, range(5))
    assert next(found) == 0
    closing = threading.Thread(target=found.close, daemon=True)
    closing.start()
    closing.join(20)
    try:
        assert not closing.is_alive()
    finally:
        go_on.set()


@pytest.mark.full
def test_long_lists_of_numbers_are_read_in_blocks(tmp_path):
    from tallymark.input.sources import delimited

    values = np.random.default_rng(0).normal(size=200_000).round(6)
    lines = [*map(repr, values.tolist())]
    lines[100] = "nan"
    lines[150_000] = " -0.5 "
    lines.insert(170_000, "")
    path = tmp_path / "x.txt"
    path.write_text("\n".join(lines) + "\n\n")
    found = delimited.list_of_numbers(str(path), "genuine")
    right = values.copy()
    right[[100, 150_000]] = np.nan, -0.5
    assert np.array_equal(found.values, right, equal_nan=True)
    assert found.row(150_000).startswith("line 150001 ")
    assert found.row(180_000).startswith("line 180002 ")
    lines[190_000] = "1,5"
    path.write_text("\n".join(lines))
    with refuses("invalid-value", "'1,5'", "line 190001", argument="genuine"):
        delimited.list_of_numbers(str(path), "genuine")


def test_a_large_array_without_an_end_is_refused(tmp_path):
    """Arrow reads its blocks; what is cut off after an object, or follows the bracket, is no array."""
    rows = [{"y": i % 2, "p": 0.1 + i % 7 / 10, "t": "x" * 20} for i in range(60_000)]
    whole, path = json.dumps(rows), tmp_path / "cases.json"
    cut = whole.rfind("}, {", 0, len(whole) // 2)
    for text, words in (
        (whole[: cut + 1], "has no end"),
        (whole[: cut + 2], "has no end"),
        (whole[:-1], "has no end"),
        (f"{whole},", "text follows"),
        ("[", "has no end"),
    ):
        path.write_text(text)
        with pytest.raises(InputError, match=words):
            evaluate(path, truth="y", score="p")
    path.write_text(whole)
    assert evaluate(path, truth="y", score="p").data.rows == len(rows)


def test_large_json_lines_hold_one_object_each(tmp_path):
    lines = [json.dumps({"y": i % 2, "p": 0.1 + i % 7 / 10, "t": "x" * 20}) for i in range(10_000)]
    lines[100:102] = lines[100] + lines[101], ""
    path = tmp_path / "cases.jsonl"
    path.write_text("\n".join(lines))
    with refuses("unreadable", "line 101"):
        evaluate(path, truth="y", score="p")
