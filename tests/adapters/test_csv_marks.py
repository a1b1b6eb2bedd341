"""Quotation marks within fields, and fields longer than the csv module takes by itself: as fast and as exact
as other fields."""

import csv
import io

import pytest
from refusals import refuses
from test_files_oracle import read

pytest.importorskip("pyarrow")
SIZES = {"rows": 1000, "block": 1 << 20, "head": 1 << 20}
LONG = "x" * 200_000


def written(tmp_path, text):
    path = tmp_path / "x.csv"
    path.write_bytes(text.encode())
    return path


def held(path, text, separator=",", **sizes):
    """What is read is what the csv module reads from the text."""
    names, *rows = [
        row for row in csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True) if row
    ]
    found = read(path, **SIZES | sizes)
    for name in ("y", "p"):
        fields = [row[names.index(name)] for row in rows]
        assert found[name] == (fields if name == "y" else list(map(float, fields)))
    return found


TEXTS = {
    "in a label": 'y,p,t\n5" pipe,0.5,a\n6"" pipe",1,b"\n',
    "in another column": 'y,p,t\nsick,0.5,5" x\nwell,0.75,7"\n',
    "mixed line ends": 'y,p\r\n5" a,0.5\nb"b,1\n7",2\r\n\r\n8"\'",4',
    "after blanks": 'y,p\n "a",0.5\n\t"b,1\n',
    "other separators": 'y\tp\n5,"a\t0.5\n6;"|"b\t1\n',
}


@pytest.mark.parametrize("block", [1, 7, 1 << 20])
@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_marks_that_open_no_field(tmp_path, text, block):
    held(written(tmp_path, text), text, "\t" if "\t" in text[:3] else ",", block=block, head=8 + block)


@pytest.mark.parametrize(
    "text", ['y,p\n"a",0.5\n5" b,1\n', 'y,p\n5" b,0.5\n"c\n, d",1\n', 'y,p\n5" b,0.5\r"c\n, d",1\n']
)
def test_marks_of_both_sorts(tmp_path, text):
    held(written(tmp_path, text), text)


@pytest.mark.parametrize(
    "text", [f"y,p,t\na,0.5,{LONG}\nb,1,\n", f'y,p,t\na,0.5,{LONG}\n5" b,1,"c"\n'], ids=["Arrow", "csv"]
)
def test_fields_of_any_length(tmp_path, text):
    found = read(written(tmp_path, text), **SIZES)
    assert found["p"] == [0.5, 1]
    assert found["y"][0] == "a"


def test_a_long_label_and_a_long_name(tmp_path):
    text = f'{LONG},y,p\n1,"{LONG}",0.5\n1,5" b,1\n'
    assert read(written(tmp_path, text), **SIZES)["y"] == [LONG, '5" b']


@pytest.mark.parametrize("mark", ['5" disk', 'disk 5"', '5" and 7"'])
def test_a_mark_within_a_field_among_quoted_line_ends(tmp_path, mark):
    """The records are those of the csv module wherever a block ends."""
    rows = [f'"a\nb ""{i}""",{i}' if i % 3 else f"plain {i},{i}" for i in range(300)]
    rows[7] = f"{mark},7"
    text = "y,p\n" + "\n".join(rows) + "\n"
    for block in (50, 211, 1 << 12):
        held(written(tmp_path, text), text, block=block, head=block)


def test_what_has_no_end_is_refused_with_its_line(tmp_path):
    rows = [f'"a\nb",{i}' for i in range(300)]
    rows[200] = '5" disk,200'
    rows[250] = '"5 disk,250'
    rows[251:] = [f"plain,{i}" for i in range(251, 300)]
    path = written(tmp_path, "y,p\n" + "\n".join(rows) + "\n")
    with refuses("unreadable", "line 501"):
        read(path, **SIZES | {"block": 500, "head": 500})
