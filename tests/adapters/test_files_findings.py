"""One test for every way in which a file once gave a wrong number, or an error that did not say what is
wrong."""

import gzip
import json
import os
import subprocess
import sys

import numpy as np
import pytest
from looping import for_each, in_part
from refusals import refuses
from written import refusal, written

import tallymark as tm
from tallymark import InputError, check, compare, evaluate

pa = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")

WHOLE_ROWS, LATE_ROWS = 20_480, 20_000
LATE = {
    "y": np.r_[np.arange(WHOLE_ROWS) % 2, np.arange(LATE_ROWS) % 2],
    "p": np.r_[np.arange(WHOLE_ROWS) % 2, np.where(np.arange(LATE_ROWS) % 2, 0.4, 0.6)],
    "w": np.r_[np.ones(WHOLE_ROWS), np.where(np.arange(LATE_ROWS) % 2, 1.5, 0.5)],
    "l": np.r_[np.arange(WHOLE_ROWS) % 2, np.where(np.arange(LATE_ROWS) % 2, 1.5, 0)],
}


@pytest.fixture(scope="module", params=["late.csv", "late.jsonl"])
def late(request, tmp_path_factory):
    """Whole numbers in 20,480 rows, and decimals below."""
    path = tmp_path_factory.mktemp("late") / request.param
    rows = list(zip(*([f"{value:g}" for value in column] for column in LATE.values()), strict=True))
    if path.suffix == ".csv":
        lines = [",".join(row) for row in [tuple(LATE), *rows]]
    else:
        lines = [
            "{" + ", ".join(f'"{name}": {value}' for name, value in zip(LATE, row, strict=True)) + "}"
            for row in rows
        ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


def test_scores_keep_their_decimals_below_whole_numbers(late):
    found = evaluate(late, truth="y", score="p")["roc_auc"].value
    assert found == evaluate(truth=LATE["y"], score=LATE["p"])["roc_auc"].value
    assert found == pytest.approx(0.756, abs=0.001)


def test_weights_keep_their_decimals(late):
    found = evaluate(late, truth="y", score="p", weight="w").counts
    assert found == evaluate(truth=LATE["y"], score=LATE["p"], weight=LATE["w"]).counts
    assert found.total == LATE["w"].sum()


def test_amounts_keep_their_decimals(late):
    found = evaluate(late, truth="p", predicted="w", regression=True)["mean_absolute_error"].value
    assert found == pytest.approx(np.abs(LATE["p"] - LATE["w"]).mean(), rel=1e-12)


def test_labels_keep_their_decimals(late):
    assert (
        evaluate(late, truth="y", predicted="l", classes=[0, 1, 1.5]).matrix.weights.sum(0)[2]
        == (LATE["l"] == 1.5).sum()
        > 0
    )


def test_a_line_that_begins_with_a_number_sign_is_a_row(tmp_path):
    path = written(tmp_path, "y,p\n1,.9\n0,.2\n#1,.1\n1,.7\n0,.1\n")
    assert "3 classes ('#1', '0', '1')" in refusal(path, positive="1")
    path = written(tmp_path, "y,p\n1,.9\n0,.2\n# half of them\n0,.1\n")
    assert refusal(path).startswith(f"{path}: line 4 has 1 field and the header 2 names, separated by ','; ")


def test_a_title_above_the_header_is_not_skipped(tmp_path):
    assert "no column 'y'; the columns are 'Predictions of May'" in refusal(
        written(tmp_path, "Predictions of May\ny,p\n1,.9\n0,.2\n")
    )


@pytest.mark.parametrize("header", ["y,p,p2,p_1", "y,p,P,P_1"])
def test_names_are_as_the_header_has_them(tmp_path, header):
    path = written(tmp_path, f"{header}\n1,.1,.2,.9\n0,.1,.9,.2\n")
    names = header.split(",")
    assert [evaluate(path, truth="y", score=name)["roc_auc"].value for name in names[1:]] == [0.5, 0, 1]


def test_a_name_that_occurs_twice_is_refused(tmp_path):
    path = written(tmp_path, "y,p,p,p_1\n1,.1,.2,.9\n0,.1,.9,.2\n")
    assert refusal(path) == f"{path}: line 1: 2 columns have the name 'p'; give each its own name."
    assert refusal(path, score="p_1") == refusal(path)
    path = written(tmp_path, '{"y": 1, "p": 0.5, "p": 0.6}\n', "x.jsonl")
    assert "x.jsonl: line 1: 'p' stands there twice" in refusal(path)


@pytest.mark.parametrize("name", ["NULL", " ", "", "null"])
def test_names_are_not_replaced(tmp_path, name):
    path = written(tmp_path, f"y,p,{name}\n1,.1,.9\n0,.2,.1\n")
    assert evaluate(path, truth="y", score=name)["roc_auc"].value == 1


def test_parquet_columns_whose_names_differ_in_case(tmp_path):
    path = str(tmp_path / "x.parquet")
    parquet.write_table(pa.table({"y": [1, 0], "p": [0.1, 0.9], "P": [0.9, 0.1], "P_1": [0.5, 0.5]}), path)
    assert [evaluate(path, truth="y", score=name)["roc_auc"].value for name in ("p", "P", "P_1")] == [
        0,
        1,
        0.5,
    ]


def test_parquet_columns_of_one_name(tmp_path):
    path = str(tmp_path / "x.parquet")
    parquet.write_table(
        pa.Table.from_arrays([pa.array([1, 0]), pa.array([0.1, 0.9]), pa.array([0.9, 0.1])], ["y", "p", "p"]),
        path,
    )
    assert refusal(path) == f"{path}: 2 columns have the name 'p'; give each its own name."


def test_large_whole_labels_among_missing_ones_in_parquet(tmp_path):
    path = str(tmp_path / "x.parquet")
    parquet.write_table(
        pa.table({"y": pa.array([None, 0, 2**63 + 1, 2**63 + 3], "uint64"), "p": [0.5, 0.25, 0.5, 0.75]}),
        path,
    )
    assert len(evaluate(path, truth="y", predicted="y", missing="drop").matrix.labels) == 3
    assert "1 value is missing (NaN or null), the first in row 0 (counted from 0)" in refusal(path)


NO_NUMBERS = ["1_000", "0x10", "1 000", "1,000", "１", "1e", "--1", "1.0f"]


@pytest.mark.parametrize("text", NO_NUMBERS)
def test_what_is_no_number(tmp_path, text):
    path = written(tmp_path, f'y,p,w\n1,0.5,2\n0,0.4,1\n1,"{text}","{text}"\n')
    assert f"score (column 'p'): {text!r} in line 4 is not a number" in refusal(path)
    assert f"weight (column 'w'): {text!r} in line 4 is not a number" in refusal(
        path, score=None, predicted="y", weight="w"
    )


@pytest.mark.parametrize("text", ["9007199254740993", "-9007199254740993", "1e400", "123456789012345678901"])
def test_numbers_that_float64_does_not_hold(tmp_path, text):
    path = written(tmp_path, f"y,p\n1,0.5\n0,0.4\n1,{text}\n")
    assert refusal(path).startswith(
        f"score (column 'p'): {text!r} in line 4 of {path} is beyond the numbers that float64 holds exactly"
    )
    path = written(tmp_path, f'{{"y": 1, "p": 0.5}}\n{{"y": 0, "p": {text}}}\n', "x.jsonl")
    assert "line 2" in refusal(path)
    if text.startswith(("9", "-9")):
        path = str(tmp_path / "x.parquet")
        parquet.write_table(pa.table({"y": [1, 0], "p": [1, int(text)]}), path)
        assert "in row 1 (counted from 0)" in refusal(path)


def test_large_whole_labels_stay_apart(tmp_path):
    path = written(tmp_path, "y,p\n9007199254740993,9007199254740993\n9007199254740992,9007199254740992\n")
    assert evaluate(path, truth="y", predicted="p", positive=9007199254740993)["accuracy"].value == 1
    path = written(
        tmp_path, "y,p\n9007199254740993,9007199254740993\n9007199254740992,9007199254740992\n0.5,0.5\n"
    )
    assert len(evaluate(path, truth="y", predicted="p").matrix.labels) == 3


@pytest.mark.usefixtures("_small")
def test_text_far_below_numbers_makes_the_whole_column_text(tmp_path):
    path = written(tmp_path, "y,p\n" + 20 * "1,0.25\n0,0.5\n" + "none,0.75\n")
    assert "3 classes ('0', '1', 'none')" in refusal(path, positive="1")
    assert evaluate(path, truth="y", predicted="y").matrix.labels == ("0", "1", "none")


@pytest.fixture
def _small(monkeypatch):
    from tallymark.input import sources

    monkeypatch.setattr(sources, "BATCH_ROWS", 7)


@pytest.mark.parametrize("rows", [1, 100])
@pytest.mark.parametrize(
    ("text", "labels"),
    [("9007199254740992", [0.5, 3.0, 2.0**53]), ("9007199254740993", ["0.5", "3", "9007199254740993"])],
)
def test_the_type_of_labels_does_not_depend_on_batches(tmp_path, monkeypatch, rows, text, labels):
    from tallymark.input import sources
    from tallymark.input.sources import delimited

    for module, name, size in (
        (sources, "BATCH_ROWS", rows),
        (sources, "BLOCK_BYTES", rows),
        (delimited, "LONGEST_HEADER", 4),
    ):
        monkeypatch.setattr(module, name, size)
    path = written(tmp_path, f"y,p\n3,3\n0.5,0.5\n{text},{text}\n")
    assert list(evaluate(path, truth="y", predicted="p").matrix.labels) == labels


@pytest.mark.usefixtures("_small")
def test_the_positive_label_may_occur_far_below_numbers(tmp_path):
    path = written(tmp_path, "y,p\n" + 20 * "1,0.25\n" + 20 * "sick,0.75\n")
    result = evaluate(path, truth="y", score="p", positive="sick")
    assert (result["roc_auc"].value, result.data.rows, result.labels) == (1, 40, ("1", "sick"))


# Files that are not such files
# -----------------------------------------------------------------------------------------

MALFORMED = {
    "a field too many": ("y,p\n1,.9\n0,.2,3\n", "line 3 has 3 fields and the header 2 names"),
    "a field too few": ("y,p\n1,.9\n\n0\n", "line 4 has 1 field and the header 2 names"),
    "a quoted line end above": ('y,p,t\n1,.9,"a\nb"\n0,.2\n', "line 4 has 2 fields"),
    "no end of a quotation": (
        'y,p\n1,.9\n0,".2\n1,.3\n',
        "line 3: a quotation mark opens a value that has no end",
    ),
    "text after a quotation": ('y,p\n1,.9\n0,".2"3\n', "line 3: text follows a closing quotation mark"),
    "no UTF-8": (b"y,p\n1,.9\n\xe4,.2\n", "line 3 holds the byte 0xe4, which is not UTF-8"),
    "no UTF-8 in the header of an unused column": (
        b"y,p,caf\xe9\n1,.9,1\n0,.2,2\n",
        "line 1 holds the byte 0xe9, which is not UTF-8; save the file as UTF-8",
    ),
    "UTF-16": ("y,p\n1,.9\n".encode("utf-16"), "line 1: the file is UTF-16; save it as UTF-8"),
    "CRLF, then LF": ("y,p\r\n1,.9\r\n0,.2\n1\n", "line 4 has 1 field"),
}


@pytest.mark.parametrize("case", MALFORMED)
def test_malformed_rows_are_named_by_line(tmp_path, case):
    text, words = MALFORMED[case]
    path = written(tmp_path, text)
    assert refusal(path).startswith(f"{path}: {words}")


def test_line_ends_may_differ(tmp_path):
    path = written(tmp_path, "y,p\r\n1,.9\r\n0,.2\n1,.8\n0,.1\r0,.1")
    result = evaluate(path, truth="y", score="p")
    assert (result.data.rows, result["roc_auc"].value) == (5, 1)


def test_line_ends_of_cr_only_around_quoted_line_ends(tmp_path):
    path = written(tmp_path, 'y,p,t\r1,.9,"a\rb"\r0,.2,""\r1,.8\r')
    assert refusal(path).startswith(f"{path}: line 5 has 2 fields")
    assert evaluate(written(tmp_path, 'y,p,t\r1,.9,"a\rb"\r0,.2,""\r'), truth="y", score="p").data.rows == 2


def test_malformed_json_is_named_by_line(tmp_path):
    for text, words in {"{": "is no JSON", '{"y": 1, "p": 1} 2': "is no JSON", "[1]": "no object"}.items():
        assert words in refusal(written(tmp_path, '{"y": 1, "p": 0.5}\n' + text + "\n", "x.jsonl"))
        assert "line 2" in refusal(written(tmp_path, '{"y": 1, "p": 0.5}\n' + text + "\n", "x.jsonl"))


@pytest.mark.parametrize(("text", "name"), [("%s\n%s\n", "x.jsonl"), ("[%s,%s]", "x.json")])
def test_half_a_surrogate_pair_as_a_label_in_json(tmp_path, text, name):
    path = written(tmp_path, text % ('{"y": "a", "p": 0.5}', '{"y": "\\ud800", "p": 0.1}'), name)
    said = refusal(path)
    assert r"'\ud800' in" in said
    assert "half of a surrogate pair" in said
    assert "mixed" not in said


def test_a_lone_cr_is_white_space_of_json_lines(tmp_path, monkeypatch):
    from tallymark.input import sources
    from tallymark.input.sources import jsonlines

    monkeypatch.setattr(sources, "BLOCK_BYTES", 10)  # shorter than an object
    monkeypatch.setattr(jsonlines, "FIRST_BYTES", 10)
    path = written(tmp_path, '{"y": 0,\r"p": 0.1}\n{\r"y": 1, "p": 0.9}\n', "x.jsonl")
    result = evaluate(path, truth="y", score="p")
    assert (result.data.rows, result["roc_auc"].value) == (2, 1)


@pytest.mark.parametrize("label", ["0e462097431906509019562988736854", "1e-9999999999999999999"])
def test_labels_that_look_like_numbers_with_huge_exponents_are_text(tmp_path, label):
    path = written(tmp_path, f"y,p\n{label},.1\nb,.9\nb,.3\n")
    result = evaluate(path, truth="y", score="p", positive="b")
    assert result.to_dict()["table"]["labels"] == {"positive": "b", "negative": label}
    digits = written(tmp_path, f"y,p\n{label},.1\n1,.9\n1,.3\n")
    assert evaluate(digits, truth="y", score="p", positive="1")["roc_auc"].value == 1


@pytest.mark.parametrize("block", [1, 1000])
@pytest.mark.parametrize(
    "text",
    ['[{"y": 1, "p": 1},]', '[{"y": 1, "p": 1},, {"y": 0, "p": 1}]', '[{"y": 1, "p": 1} {"y": 0, "p": 1}]'],
)
def test_commas_in_json_arrays(tmp_path, monkeypatch, text, block):
    from tallymark.input import sources
    from tallymark.input.sources import jsonlines

    monkeypatch.setattr(sources, "BLOCK_BYTES", block)
    monkeypatch.setattr(jsonlines, "FIRST_BYTES", block)
    assert "it is an array of objects" in refusal(written(tmp_path, text, "x.json"))


def test_text_among_numbers_in_json(tmp_path):
    text = refusal(written(tmp_path, '{"y": 1, "p": 0.5}\n{"y": "1", "p": 0.5}\n', "x.jsonl"))
    assert "truth (column 'y')" in text
    assert "mixed" in text


@pytest.mark.full
def test_a_flipped_byte_in_parquet(tmp_path):
    path = tmp_path / "x.parquet"
    parquet.write_table(
        pa.table({"y": [1, 0] * 50, "p": list(np.linspace(0, 1, 100))}), path, write_page_checksum=True
    )
    data, refused = path.read_bytes(), 0
    for at in range(0, len(data), 7):
        path.write_bytes(data[:at] + bytes([data[at] ^ 0x41]) + data[at + 1 :])
        try:
            evaluate(str(path), truth="y", score="p")
        except InputError as wrong:
            refused += "\n" not in str(wrong)
    assert refused > len(data) / 7 / 3


@pytest.mark.parametrize("name", ["a\nb.csv", "\x1b[31mred.csv", "a\tb.csv"])
def test_names_of_files_stay_on_one_line(tmp_path, name):
    text = refusal(written(tmp_path, "y,p\n1\n", name))
    assert text.isprintable()
    assert repr(name)[1:-1] in text
    assert refusal(str(tmp_path / "none" / name)).isprintable()


def test_long_paths_are_shortened(tmp_path):
    assert len(refusal("x" * 3000 + ".csv")) < 500
    assert len(refusal(str(tmp_path / ("x" * 300 + ".csv")))) < 500
    assert "…" in refusal("x" * 5000 + ".csv")


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere names of files are Unicode")
def test_a_name_that_is_not_unicode(tmp_path):
    path = os.fsdecode(os.fsencode(tmp_path) + b"/\xff.csv")
    written(tmp_path, "y,p\n1,.9\n0,.2\n", os.fsdecode(b"\xff.csv"))
    result = evaluate(path, truth="y", score="p")
    assert result["roc_auc"].value == 1
    result.data.source.encode()
    parquet.write_table(pa.table({"y": [1, 0], "p": [0.9, 0.1]}), tmp_path / "x.parquet")
    os.rename(tmp_path / "x.parquet", path.replace(".csv", ".parquet"))
    assert evaluate(path.replace(".csv", ".parquet"), truth="y", score="p")["roc_auc"].value == 1


def test_a_lazy_frame_that_fails_while_it_is_read():
    duckdb = pytest.importorskip("duckdb")
    with refuses("unreadable", argument="data"):
        evaluate(
            duckdb.sql("select 1 as y, cast('x' || range as double) as p from range(3)"), truth="y", score="p"
        )


# Standard input
# -------------------------------------------------------------------------------------------------------

ROWS = [(1, 0.9), (0, 0.2), (1, 0.8), (0, 0.1), (1, 0.3), (0, 0.35)]
CSV = "y,p\n" + "".join(f"{y},{p}\n" for y, p in ROWS)
LINES = "".join(json.dumps({"y": y, "p": p}) + "\n" for y, p in ROWS)


def tallymark(*arguments, given):
    run = subprocess.run([sys.executable, "-m", "tallymark", *arguments], input=given, capture_output=True)
    return run.returncode, run.stdout.decode(), run.stderr.decode()


class Input:
    """What stands in for sys.stdin."""

    def __init__(self, data):
        import io

        self.buffer = io.BytesIO(data)


def in_parquet(path):
    parquet.write_table(pa.table({"y": [y for y, _ in ROWS], "p": [p for _, p in ROWS]}), path)
    return path.read_bytes()


@pytest.mark.parametrize("form", ["csv", "json lines", "json array", "parquet", "csv.gz", "csv with a BOM"])
def test_standard_input_of_every_kind(tmp_path, monkeypatch, form):
    import gzip

    data = {
        "csv": lambda: CSV.encode(),
        "json lines": lambda: LINES.encode(),
        "json array": lambda: json.dumps([{"y": y, "p": p} for y, p in ROWS]).encode(),
        "parquet": lambda: in_parquet(tmp_path / "x.parquet"),
        "csv.gz": lambda: gzip.compress(CSV.encode()),
        "csv with a BOM": lambda: b"\xef\xbb\xbf" + CSV.encode(),
    }[form]()
    monkeypatch.setattr(sys, "stdin", Input(data))
    expected = evaluate(truth=[y for y, _ in ROWS], score=[p for _, p in ROWS])
    result = evaluate("-", truth="y", score="p")
    assert result.counts == expected.counts
    assert result.data.source == "standard input"
    assert evaluate("-", truth="y", score="p")["roc_auc"].value == expected["roc_auc"].value  # a second time


def test_every_verb_reads_standard_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", Input(CSV.encode()))
    assert check("-", truth="y", score="p", require=["roc_auc >= 0.3"])
    assert compare("-", truth="y", score=["p", "y"])


@in_part(4)
@for_each(
    "arguments",
    [
        ["evaluate", "-", "--truth", "y", "--score", "p"],
        ["threshold", "-", "--truth", "y", "--score", "p", "--replicates", "200"],
        ["calibration", "-", "--truth", "y", "--score", "p"],
        ["bootstrap", "-", "--truth", "y", "--score", "p", "--replicates", "200"],
        ["curve", "roc", "-", "--truth", "y", "--score", "p"],
        ["advise", "-", "--truth", "y", "--score", "p"],
        ["biometric", "-", "--truth", "y", "--score", "p"],
        ["compare", "-", "--truth", "y", "--score", "p", "--score", "y", "--replicates", "200"],
        ["check", "-", "--truth", "y", "--score", "p", "--require", "roc_auc >= 0.5"],
    ],
    ids=lambda arguments: arguments[0],
)
def test_every_command_reads_standard_input(arguments):
    status, out, err = tallymark(*arguments, given=CSV.encode())
    assert status in (0, 1, 3), err
    assert out


def test_standard_input_that_is_empty(monkeypatch):
    monkeypatch.setattr(sys, "stdin", Input(b""))
    assert refusal("-") == "standard input: it is empty; it needs a header and one row per case."


@pytest.mark.parametrize("text", ["1_000", "0x10", "1.5.2"])
def test_lists_of_scores_follow_the_same_grammar(tmp_path, text):
    from tallymark.input.sources import delimited

    path = written(tmp_path, f"\ufeff1.5\n\n+2\n{text}\n", "mated.txt")
    with pytest.raises(InputError, match=f"genuine: '{text}' in line 4 of .*mated.txt is not a number"):
        delimited.list_of_numbers(path, "genuine")
    assert delimited.list_of_numbers(
        written(tmp_path, "\ufeff1.5\n\n+2\nnan\n-inf", "mated.txt"), "genuine"
    ).values[[0, 1, 3]].tolist() == [
        1.5,
        2,
        -np.inf,
    ]


@pytest.mark.parametrize(
    ("rows", "labels"),
    [
        (["M,F", "F,F"], ("F", "M")),
        (["NO,NO", "SE,NO"], ("NO", "SE")),
        (["1,1", "2,2", "3,unknown"], ("1", "2", "3", "unknown")),
        (["yes,yes", "no,maybe"], ("maybe", "no", "yes")),
        (["10,10", "11,01"], ("01", "10", "11")),
        (
            ["1.2345678901234567891,1", "1.2345678901234567890,1", "1,1"],
            ("1", "1.2345678901234567890", "1.2345678901234567891"),
        ),
        (
            ["9007199254740993.0,1", "9007199254740992.0,1", "1,1"],
            ("1", "9007199254740992.0", "9007199254740993.0"),
        ),
        (["1.50,1.5", "2,1"], (1.0, 1.5, 2.0)),
    ],
)
@pytest.mark.parametrize("first", [1, 30])
def test_actual_and_predicted_labels_are_text_if_one_of_the_two_is(
    tmp_path, monkeypatch, rows, labels, first
):
    from tallymark.input import sources

    monkeypatch.setattr(sources, "BATCH_ROWS", 7)
    path = written(tmp_path, "\n".join(["y,p", *rows[:1] * first, *rows[1:]]) + "\n")
    options = {"positive": labels[0]} if len(labels) == 2 else {}
    found = evaluate(path, truth="y", predicted="p", **options)
    assert set(getattr(found, "matrix", found).labels) == set(labels)


@pytest.mark.parametrize("array", [False, True], ids=["lines", "array"])
@pytest.mark.parametrize("rows", [3, 3000])
def test_one_depth_of_json_in_files_of_any_size(tmp_path, rows, array):
    for depth, held in ((450, True), (600, False), (20_000, False)):
        x = "[" * depth + "]" * depth
        lines = [f'{{"y": {i % 2}, "p": 0.{i % 9 + 1}, "t": "[[[", "x": []}}' for i in range(rows)]
        lines[1] = lines[1].replace('"x": []', f'"x": {x}')
        text = f"[{','.join(lines)}]" if array else "\n".join(lines)
        path = written(tmp_path, text, "deep.json")
        if held:
            assert tm.evaluate(path, truth="y", score="p").data.rows == rows
            continue
        with refuses("unreadable", "500"):
            tm.evaluate(path, truth="y", score="p")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"0.1\n0.2,0.3\n", ["'0.2,0.3'", "line 2", "not a number"]),
        (b"0.1\n0.2;0.3\n", ["'0.2;0.3'", "line 2", "not a number"]),
        ("0.1\n0.2\n".encode("utf-16"), ["UTF-16"]),
        (gzip.compress(b"0.1\n0.2\n"), ["gzip"]),
    ],
    ids=["comma", "semicolon", "UTF-16", "gzip"],
)
def test_lists_of_scores_that_are_none(tmp_path, capsys, content, words):
    from tallymark.cli import main

    path, right = tmp_path / "genuine", tmp_path / "impostor.gz"
    path.write_bytes(content)
    right.write_bytes(gzip.compress(b"0.1\n0.05\n"))
    assert main(["biometric", "--genuine", str(path), "--impostor", str(right)]) == 2
    said = " ".join(capsys.readouterr().err.split())
    assert all(word in said for word in words)
    assert "header" not in said
    path.write_bytes(b"0.1\n0.2\n")
    assert main(["biometric", "--genuine", str(path), "--impostor", str(right)]) == 0
