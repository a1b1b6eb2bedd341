"""Random files: every value that is read is the one that Python's csv and json modules and pyarrow read, or
the file is refused.

A refusal needs a reason that is found here, apart from the reader: a row of another width, a quotation mark
without an end, a byte that is not UTF-8, a name that occurs twice, a number that float64 would round.
"""

import csv
import io
import json
import math
import re
from decimal import Decimal
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from tallymark import InputError
from tallymark.input import sources, sources as adapters
from tallymark.input.columns import missing_labels
from tallymark.input.sources import StartOver, delimited, jsonlines

pa = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")

# How numbers are written, in the words of docs/files.md and not of the package.
NUMBER = re.compile(
    r"[ \t]*[+-]?((\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?|inf(inity)?)[ \t]*", re.ASCII | re.IGNORECASE
)
WHOLE = re.compile(r"[ \t]*[+-]?\d+[ \t]*", re.ASCII)
KEPT_AS_TEXT = re.compile(r"[ \t]*[+-]?(0\d.*|inf.*)", re.IGNORECASE)  # labels such as 007, and infinity
MISSING = {"", "NA", "null", "NULL", "NaN", "nan"}

PLAIN = st.sampled_from(["0", "1", "0.5", "1", "0", "-2", "3.25", "17"])
NUMBERS = st.one_of(
    PLAIN,
    st.integers(-(10**20), 10**20).map(str),
    st.sampled_from(
        [
            "9007199254740992",
            "9007199254740993",
            "-9223372036854775808",
            "9223372036854775808",
            "18446744073709551616",
        ]
    ),
    st.floats(allow_nan=False).map(repr),
    st.sampled_from(
        [
            "+1",
            "-0",
            "1.",
            ".5",
            "1e5",
            "1E+05",
            "2e-3",
            " 1",
            "1 ",
            "\t2",
            "007",
            "1.50",
            "inf",
            "-Infinity",
            "1e400",
            "1e-400",
        ]
    ),
)
NO_NUMBERS = st.sampled_from(
    [
        "1_000",
        "1,5",
        "0x1F",
        "1e",
        "e5",
        ".",
        "--1",
        "1 2",
        "NaN(1)",
        "-nan",
        "１",
        "1\x0b",
        "high",
        "#1",
        "true",
        "False",
        "yes",
        "2020-01-01",
    ]
)
MISSED = st.sampled_from(sorted(MISSING))
TEXTS = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=4),
    st.sampled_from(
        [
            '5" pipe',
            'a""b',
            '"',
            "a\nb",
            "a\r\nb",
            "x;y",
            "a,b",
            "a|b",
            " sick",
            "größe",
            "\ufeff",
            "\u2028",
            "# no comment",
            "\0",
        ]
    ),
)
COLUMNS = st.one_of(
    PLAIN, PLAIN, NUMBERS, st.one_of(PLAIN, MISSED), st.one_of(NUMBERS, NO_NUMBERS, MISSED, TEXTS)
)
NAMES = ["y", "p", "P", "Y", "p_1", "NULL", "", " p", "a b", 'say "x"', "x;y", "1", "größe"]


@st.composite
def tables(draw):
    """Names, and rows of texts; columns are mostly of one sort, and of another further down."""
    names = draw(st.lists(st.sampled_from(NAMES), max_size=3, unique=draw(st.integers(0, 5)) > 0))
    others = [name for name in names if name not in ("y", "p") or draw(st.integers(0, 9)) == 5]
    names = draw(st.permutations(["y", "p", *others])) + [""] * draw(st.sampled_from([0, 0, 0, 2]))
    sorts = [
        (
            draw(st.sampled_from([PLAIN, NUMBERS, TEXTS, NO_NUMBERS, MISSED])),
            draw(st.sampled_from([PLAIN, PLAIN, NUMBERS, TEXTS, MISSED])),
        )
        for _ in names
    ]
    late = draw(st.integers(0, 14))
    return names, [[draw(sort[i >= late]) for sort in sorts] for i in range(draw(st.integers(1, 14)))]


def written(draw, text, separator):
    """A field, mostly as it should be quoted, and sometimes not."""
    if draw(st.integers(0, 99)) == 50:
        return text
    needed = any(mark in text for mark in (separator, '"', "\n", "\r"))
    return f'"{text.replace(chr(34), chr(34) * 2)}"' if needed or draw(st.integers(0, 3)) == 0 else text


@st.composite
def csv_files(draw):
    """Bytes, and the separator."""
    names, rows = draw(tables())
    separator = draw(st.sampled_from([",", "\t", ";", "|"]))
    ends = draw(st.sampled_from([["\n"], ["\r\n"], ["\r"], ["\n", "\r\n"], ["\n", "\r\n", "\r", "\n\n"]]))
    lines = [separator.join(written(draw, text, separator) for text in row) for row in (names, *rows)]
    if rows and draw(st.integers(0, 15)) == 7:
        at = draw(st.integers(1, len(rows)))
        lines[at] = draw(
            st.sampled_from([lines[at] + separator, "1", '"' + lines[at], "# a remark", lines[at] + '"'])
        )
    text = "".join(line + draw(st.sampled_from(ends)) for line in lines)
    data = (text if draw(st.booleans()) else text.rstrip("\r\n")).encode()
    if draw(st.integers(0, 30)) == 15:
        data += b"\xff"
    return draw(st.sampled_from([b"", b"\xef\xbb\xbf"])) + data, separator


def repeat(names):
    return len(set(names)) < len(names)


def csv_columns(data, separator):
    """By name the fields that the csv module reads. Raises ValueError for what is not such a file."""
    text = data.decode("utf-8-sig")
    rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True))
    header = next((i for i, row in enumerate(rows) if row), None)
    if header is None:
        raise ValueError("no header")
    names, body = rows[header], [row for row in rows[header + 1 :] if row]
    named = [name for name in names if name]
    if (
        not {"y", "p"} <= set(named)
        or repeat(named)
        or any(len(row) != len(names) for row in body)
        or not body
    ):
        raise ValueError("names or rows")
    return {name: [row[names.index(name)] for row in body] for name in ("y", "p")}


# What is read
# --------------------------------------------------------------------------------------------------


def read(path, **sizes):
    """The columns of labels and of scores, as a reader of batches meets them: lists of values, None or NaN
    where missing; with Arrow and, as a small file may be, without it."""
    found = []
    for most in (-1, sources.SMALL):
        with patch.object(delimited, "SMALL", most), patch.object(jsonlines, "SMALL", most):
            try:
                found.append(_read(path, **sizes))
            except InputError as refused:
                found.append(refused)
    assert repr(found[0]) == repr(found[1])
    if isinstance(found[1], InputError):
        raise found[1]
    return found[1]


def _read(path, **sizes):
    with (
        patch.object(sources, "BATCH_ROWS", sizes["rows"]),
        patch.object(sources, "BLOCK_BYTES", sizes["block"]),
        patch.object(delimited, "LONGEST_HEADER", sizes["head"]),
        patch.object(jsonlines, "FIRST_BYTES", sizes["head"]),
    ):
        batches = adapters.read(str(path), {"truth": "y", "score": "p"}).batches
        while True:
            try:
                found = list(batches)
                break
            except StartOver:
                continue
    return {
        name: [value for batch in found for value in listed(batch[role])]
        for name, role in (("y", "truth"), ("p", "score"))
    }


def attempt(path, **sizes):
    """What is read, or None; and the refusal, or None."""
    try:
        return read(path, **sizes), None
    except InputError as refused:
        # A single file is not named where a value is not a number: the column is.
        assert path.name in str(refused) or " is not a number; " in str(refused)  # noqa: PT017
        assert "\n" not in str(refused)  # noqa: PT017
        return None, str(refused)


def listed(column):
    gaps = column.gaps()
    return [None if gap else value for value, gap in zip(column.values.tolist(), gaps, strict=True)]


def rounds(text):
    """Whether float64 does not hold the number."""
    if WHOLE.fullmatch(text):
        try:
            return float(text) != int(text)
        except OverflowError:
            return True
    return math.isinf(float(text)) and "inf" not in text.lower()


def changes(text):
    """Whether float64 would write another number, which would make it another label."""
    return Decimal(text.strip()) != Decimal(repr(float(text)))


def check_scores(found, fields):
    known = [text for text in fields if text not in MISSING]
    numbers = all(map(NUMBER.fullmatch, known))
    for value, text in zip(found, fields, strict=True):
        if text in MISSING:
            assert value is None, (value, text)
        elif isinstance(value, str):
            assert value == text
            assert not numbers
        else:
            assert isinstance(value, float)
            assert NUMBER.fullmatch(text), text
            assert value == float(text)
            assert not rounds(text), text


def check_labels(found, fields):
    """All of one type, that of the whole column."""
    missing = [bool(missing_labels([text])) for text in fields]
    known = [text for text, lost in zip(fields, missing, strict=True) if not lost]
    assert [value is None for value in found] == missing
    values = [value for value in found if value is not None]
    if not known:
        return
    (kind,) = {type(value) for value in values}
    if kind is str:
        assert values == known
        numbers = all(NUMBER.fullmatch(text) and not KEPT_AS_TEXT.fullmatch(text) for text in known)
        codes = any("e" in text.lower() for text in known) or len(
            {*map(float, known)} if numbers else ()
        ) < len({re.sub(r"^[+]?(-?[0-9]+)([.]0*)?$", r"\1", text.strip(" \t")) for text in known})
        assert not numbers or codes or any(changes(text) or abs(float(text)) >= 2**63 for text in known)
    else:
        assert not any(map(KEPT_AS_TEXT.fullmatch, known))
        assert all(map(NUMBER.fullmatch, known))
        assert values == [int(text) if kind is int else float(text) for text in known]
        assert kind is int or not any(map(changes, known))


def out_of_place(text, separator):
    """Whether a quotation mark stands where RFC 4180 has none."""
    field = f'"(?:[^"]|"")*"|[^"{separator}\r\n]*'
    return not re.fullmatch(
        f"(?:{field})(?:(?:{separator if separator != '|' else '[|]'}|\r|\n)(?:{field}))*", text
    )


def hold_csv(case, path, sizes):
    data, separator = case
    path.write_bytes(data)
    try:
        fields = csv_columns(data, separator)
    except (ValueError, csv.Error):
        fields = None
    found, refused = attempt(path, head=header_size(data) + 8, **sizes)
    if found is None:
        scores = [text for text in (fields or {"p": []})["p"] if text not in MISSING]
        odd = (
            b"\0" in data
            or out_of_place(data.decode("utf-8-sig", "replace"), separator)
            or any(not NUMBER.fullmatch(text) or rounds(text) for text in scores)
        )
        assert fields is None or odd, refused
        return False
    assert fields is not None, "read, but it should be refused"
    check_scores(found["p"], fields["p"])
    check_labels(found["y"], fields["y"])
    return True


@pytest.mark.parametrize("block", [1, 1 << 20])
@pytest.mark.parametrize("whole", ["-9223372036854775808", "58714870997097472", "9007199254740992"])
def test_a_whole_number_next_to_decimals_is_the_same_label_in_any_block(whole, block, tmp_path):
    """float64 writes the first two with other digits, so that the labels are text, also after a block of
    whole numbers."""
    fields = ["0"] * 12 + [whole, "0.5"]
    path = tmp_path / "x.csv"
    path.write_text("y,p\n" + "".join(f"{label},0.5\n" for label in fields))
    found = read(path, head=45, rows=1, block=block)["y"]
    check_labels(found, fields)
    assert isinstance(found[0], str) == (whole != "9007199254740992")


def header_size(data):
    """Bytes that are certain to hold the header, so that little of the rest is read with it."""
    return max(40, *(data.find(name) for name in (b"\n", b"\r")), min(len(data), 150))


# JSON
# --------------------------------------------------------------------------------------------------

JSON_NUMBERS = st.one_of(
    st.integers(-(2**70), 2**70),
    st.sampled_from([0, 1, 0, 1, 0.5, 0.4, 2**53, 2**53 + 1, -(2**63), 2**64]),
    st.floats(allow_nan=True, allow_infinity=True),
)
JSON_TEXTS = st.one_of(
    TEXTS, st.sampled_from(["0.5", "2020-01-01", "true", "1", "NA", "12:00", "\\", "}\n{", "[", "\ud800"])
)
JSON_OTHERS = st.sampled_from([True, False, None, [1], {"p": 1}, {"y": {"p": 2}}])
JSON_SORTS = st.sampled_from(
    [
        st.sampled_from([0, 1]),
        st.sampled_from([0, 1, 0.4]),
        JSON_NUMBERS,
        JSON_TEXTS,
        st.booleans(),
        st.none(),
        JSON_OTHERS,
    ]
)


@st.composite
def json_files(draw):
    """Bytes, and whether they are an array."""
    sorts = {name: (draw(JSON_SORTS), draw(JSON_SORTS)) for name in ("y", "p", "a")}
    if draw(st.integers(0, 3)):
        sorts |= {
            "y": (st.sampled_from([0, 1]),) * 2,
            "p": (st.sampled_from([0, 1]), st.sampled_from([0, 0.4, None])),
        }
    late, array = draw(st.integers(0, 14)), draw(st.integers(0, 3)) == 0
    rows = []
    for i in range(draw(st.integers(1, 14))):
        pairs = [
            (name, draw(sorts[name][i >= late]))
            for name in draw(st.sampled_from(["yp", "yp", "py", "apy", "yap"]))
        ]
        if i and draw(st.integers(0, 20)) == 10:
            pairs.pop()
        if draw(st.integers(0, 60)) == 30:
            pairs.append((draw(st.sampled_from("pab")), 1))
        inner = ", ".join(
            f"{json.dumps(name)}:"
            f" {json.dumps(value, ensure_ascii=draw(st.booleans()) or has_surrogate(value))}"
            for name, value in pairs
        )
        rows.append("{" + inner + "}")
    if draw(st.integers(0, 20)) == 10:
        rows[-1] = draw(
            st.sampled_from(
                ["{", "1", "[]", '{"y": 1, "p": 1e400}', '{"y": 1, "p": .5}', rows[-1] * 2, rows[-1] + ","]
            )
        )
    between = draw(st.sampled_from([",", ",\n", " ,\n  "] if array else ["\n", "\n", "\r\n", "\n\n", " \n"]))
    text = between.join(rows)
    text = f"[{text}]" if array else text + draw(st.sampled_from(["", "\n"]))
    return draw(st.sampled_from([b"", b"\xef\xbb\xbf"])) + text.encode(), array


def has_surrogate(value):
    return "\\ud8" in json.dumps(value)


def once(pairs):
    if repeat([name for name, _ in pairs if name in ("y", "p")]):
        raise ValueError("twice")
    return dict(pairs)


def json_rows(data, array):
    text = data.decode("utf-8-sig")
    texts = [text] if array else [line for line in text.split("\n") if line.strip()]
    parsed = [json.loads(one, object_pairs_hook=once, parse_float=finite) for one in texts]
    rows = parsed[0] if array else parsed
    if not all(isinstance(row, dict) for row in rows) or not all(
        any(name in row for row in rows) for name in ("y", "p")
    ):
        raise ValueError("not objects")
    return {name: [row.get(name) for row in rows] for name in ("y", "p")}


def finite(text):
    if math.isinf(float(text)):
        raise ValueError("too large")
    return float(text)


def gap(value):
    return value is None or value != value


def fits_json(fields):
    """Whether the values can be read: scores that float64 holds; labels of one type."""
    scores = [value for value in fields["p"] if not gap(value)]
    if not {type(value) for value in scores} <= {int, float} or any(
        type(v) is int and not holds(v) for v in scores
    ):
        return False
    labels = [value for value in fields["y"] if not gap(value)]
    kinds = {type(value) for value in labels}
    whole = [value for value in labels if type(value) is int]
    rounded = [value for value in whole if not holds(value)]
    if kinds == {str}:
        return not any(has_surrogate(value) for value in labels)
    return kinds in (set(), {bool}) or (
        kinds <= {int, float}
        and not (rounded and float in kinds)
        and all(-(2**63) <= v < 2**63 for v in whole)
    )


def holds(value):
    try:
        return int(float(value)) == value
    except OverflowError:
        return False


def hold_json(case, path, sizes):
    data, array = case
    path = path.with_suffix(".json")
    path.write_bytes(data)
    try:
        fields = json_rows(data, array)
    except (ValueError, RecursionError):
        fields = None
    found, refused = attempt(path, head=max(1000, sizes["block"]), **sizes)
    if found is None:
        assert fields is None or not fits_json(fields), refused
        return False
    assert fields is not None
    for name in ("y", "p"):
        kinds = {type(value) for value in found[name] if value is not None}
        for value, field in zip(found[name], fields[name], strict=True):
            if gap(field) or (name == "y" and missing_labels([field] if isinstance(field, str) else [])):
                assert value is None
            elif isinstance(field, (list, dict)):
                assert value == json.dumps(field)
            else:
                assert value == field
                assert type(value) in {type(field), float} or str in kinds
    return True


# Parquet
# --------------------------------------------------------------------------------------------------

TYPES = {
    "int64": st.integers(-(2**63), 2**63 - 1) | st.integers(0, 1),
    "uint64": st.integers(0, 2**64 - 1) | st.integers(0, 1),
    "int8": st.integers(0, 1),
    "float": st.floats(width=32),
    "double": st.floats(),
    "bool": st.booleans(),
    "string": st.text(st.characters(exclude_categories=["Cs"]), max_size=4),
}


@st.composite
def parquet_files(draw):
    """A table of Arrow."""
    others = draw(
        st.lists(st.sampled_from([*NAMES[2:], "a.b"]), max_size=3, unique=draw(st.integers(0, 5)) > 0)
    )
    names = draw(st.permutations(["y", "p", *others]))
    size, gaps = draw(st.integers(1, 12)), draw(st.booleans())
    arrays = []
    for _ in names:
        kind = draw(st.sampled_from(sorted(TYPES)))
        values = st.one_of(st.none(), TYPES[kind]) if gaps else TYPES[kind]
        arrays.append(pa.array([draw(values) for _ in range(size)], pa.type_for_alias(kind)))
    return pa.Table.from_arrays(arrays, names=list(names))


def hold_parquet(table, path, sizes):
    path = path.with_suffix(".parquet")
    parquet.write_table(table, path, row_group_size=5)
    names = table.column_names
    twice = repeat(names)
    fields = None if twice else {name: table.column(name).to_pylist() for name in ("y", "p")}
    found, refused = attempt(path, head=1000, **sizes)
    if found is None:
        assert twice or any(type(v) is int and not holds(v) for v in fields["p"]), refused
        return False
    assert not twice
    for name in ("y", "p"):
        for value, field in zip(found[name], fields[name], strict=True):
            assert (value is None and (gap(field) or missing_labels([field]))) or value == (
                float(field) if isinstance(field, Decimal) else field
            )
    return True


# Tests
# --------------------------------------------------------------------------------------------------

KINDS = {
    "csv": (csv_files(), hold_csv),
    "json": (json_files(), hold_json),
    "parquet": (parquet_files(), hold_parquet),
}
TIERS = [
    pytest.param(30, id="few"),
    pytest.param(400, id="many", marks=pytest.mark.full),
    pytest.param(4000, id="thousands", marks=pytest.mark.slow),
]
SIZES = st.fixed_dictionaries(
    {"rows": st.sampled_from([1, 3, 1000]), "block": st.sampled_from([1, 16, 100, 10_000])}
)


@pytest.mark.parametrize("examples", TIERS)
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_read_is_what_the_file_holds(kind, examples, tmp_path):
    strategy, hold = KINDS[kind]
    counts = {True: 0, False: 0}

    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        derandomize=examples < 1000,
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy, SIZES)
    def compare(case, sizes):
        counts[hold(case, tmp_path / "x.csv", sizes)] += 1

    compare()
    print(f"{kind}: {counts[True]} files read and compared, {counts[False]} refused with a reason")
    assert counts[True] > examples / 4
