"""Conditions on rows: what they choose, in every source, and what is wrong with them."""

import json

import numpy as np
import pandas as pd
import pytest
from refusals import refuses

import tallymark as tm
from tallymark.cli import main

N = 240
rng = np.random.default_rng(3)
FRAME = pd.DataFrame(
    {
        "y": rng.integers(0, 2, N),
        "p": rng.random(N),
        "q": rng.random(N),
        "split": rng.choice(["test", "train", "it's"], N),
        "age": np.where(rng.random(N) < 0.1, np.nan, rng.integers(20, 80, N)),
        "my site": rng.choice(["A", "B"], N),
    }
)
CASES = {
    "split = 'test'": FRAME.split == "test",
    'split == "test" and age >= 50': (FRAME.split == "test") & (FRAME.age >= 50),
    "split in ('test', 'it''s') or \"my site\" <> 'A'": FRAME.split.ne("train") | FRAME["my site"].ne("A"),
    "NOT (age < 30 OR split = 'train')": ~(FRAME.age < 30) & FRAME.age.notna() & FRAME.split.ne("train"),
    "age is null": FRAME.age.isna(),
    "age is not null and age not in (30, 40.0)": FRAME.age.notna() & ~FRAME.age.isin([30, 40]),
    "y = 1 or p > .25e0 and q<=.5": FRAME.y.eq(1) | (FRAME.p.gt(0.25) & FRAME.q.le(0.5)),
    "`my site` != 'B' and age >= -1": FRAME["my site"].ne("B") & FRAME.age.notna(),
}
GIVEN = {"truth": "y", "score": "p"}


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    pa = pytest.importorskip("pyarrow")
    dataset = pytest.importorskip("pyarrow.dataset")
    place = tmp_path_factory.mktemp("where")
    FRAME.to_csv(place / "a.csv", index=False)
    FRAME.to_json(place / "a.jsonl", orient="records", lines=True)
    table = pa.Table.from_pandas(FRAME)
    pytest.importorskip("pyarrow.parquet").write_table(table, place / "a.parquet", row_group_size=50)
    for split, part in FRAME.groupby("split"):
        (place / "parts" / f"split={split}").mkdir(parents=True)
        part.drop(columns="split").to_parquet(place / "parts" / f"split={split}" / "0.parquet", index=False)
    return {
        "frame": lambda: FRAME,
        "csv": lambda: place / "a.csv",
        "json": lambda: place / "a.jsonl",
        "parquet": lambda: place / "a.parquet",
        "folders": lambda: place / "parts",
        "dataset": lambda: dataset.dataset(place / "a.parquet"),
        "partitions": lambda: dataset.dataset(place / "parts", partitioning="hive"),
        "reader": lambda: table.to_reader(70),
        "mapping": lambda: {name: FRAME[name].to_numpy() for name in FRAME},
    }


@pytest.mark.parametrize(
    "kind", ["frame", "csv", "json", "parquet", "folders", "dataset", "partitions", "reader", "mapping"]
)
def test_the_rows_that_fulfil_a_condition_are_evaluated_as_if_they_were_all(sources, kind):
    for text, rows in CASES.items():
        found = tm.evaluate(sources[kind](), **GIVEN, where=text)
        assert found.data.rows == rows.sum(), text
        assert found["roc_auc"] == tm.evaluate(FRAME[rows.to_numpy()], **GIVEN)["roc_auc"], text


def test_numbers_that_are_nan_are_missing_in_engines_too():
    frame = pytest.importorskip("polars").LazyFrame({name: FRAME[name].tolist() for name in FRAME})
    for text, rows in {**CASES, "not age > 30": FRAME.age.le(30)}.items():
        for bins in (64, 1000):  # counted there, and read
            assert tm.evaluate(frame, **GIVEN, where=text, bins=bins).data.rows == rows.sum(), text


def test_other_verbs_and_the_command_line(sources, capsys):
    rows, text = FRAME[FRAME.split == "test"], "split = 'test'"
    both = {"truth": "y", "score": ["p", "q"]}
    assert str(tm.compare(FRAME, **both, where=text)) == str(tm.compare(rows, **both))
    groups = (tm.evaluate(one, **GIVEN, by="my site", where=text) for one in (FRAME, rows))
    assert len({str(one) for one in groups}) == 1
    path = str(sources["csv"]())
    assert main(["evaluate", path, "--truth", "y", "--score", "p", "--where", text, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["data"]["rows"] == len(rows)
    assert main(["evaluate", path, "--truth", "y", "--score", "p", "--where", "age >"]) == 2
    assert capsys.readouterr().err.startswith("tallymark: error: where: ")


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("split = 5", "mismatch", ["'split'", "text", "'5'"]),
        ("age = 'x'", "mismatch", ["'age'", "numbers", "quotation marks"]),
        ("splt = 'x'", "unknown-name", ["'splt'", "split"]),
        ("age >", "invalid-value", ["its end"]),
        ("(age > 5", "invalid-value", ["its end"]),
        ("age > 5; drop", "invalid-value", ["'; drop'"]),
        ("1 = 1", "invalid-value", ["'1 = 1'"]),
        ("__import__('os')", "invalid-value", ["('os')"]),
        ("(" * 9000, "invalid-value", ["deeply"]),
        ("age > " + "9" * 5000, "empty", ["no row"]),
        ("", "invalid-value", ["''"]),
        (5, "invalid-value", ["5"]),
        ("split = 'none'", "empty", ["no row", "'none'"]),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(sources, text, code, words):
    for kind in ("frame", "csv", "parquet"):
        with pytest.raises(tm.InputError) as wrong:
            tm.evaluate(sources[kind](), **GIVEN, where=text)
        assert (wrong.value.code, wrong.value.argument.split()[0]) == (code, "where")
        assert all(word in str(wrong.value) for word in words), str(wrong.value)


def test_rows_that_are_left_out_may_hold_anything_and_others_keep_their_numbers(tmp_path):
    frame = FRAME.assign(p=np.where(FRAME.split == "train", np.nan, FRAME.p))
    assert tm.evaluate(frame, **GIVEN, where="split != 'train'").data.rows == (FRAME.split != "train").sum()
    frame.to_csv(tmp_path / "a.csv", index=False)
    first = int(np.flatnonzero((FRAME.split == "train") & FRAME.age.gt(40))[0])
    with pytest.raises(tm.InputError, match=f"line {first + 2}"):
        tm.evaluate(tmp_path / "a.csv", **GIVEN, where="age > 40")
    with refuses("conflict", argument="where"):
        tm.evaluate(truth=[0, 1], score=[0.1, 0.2], where="a = 1")


def test_texts_of_one_value_are_compared_with_numbers_by_value(tmp_path):
    """As labels 0.5 and 0.50 are two codes, and 007 is not 7."""
    path = tmp_path / "a.csv"
    rows = [f"{i % 2},{('0.5', '0.50', '007', '0.2')[i // 2 % 4]}\n" for i in range(80)]
    path.write_text("y,p\n" + "".join(rows))
    assert tm.evaluate(path, **GIVEN, where="p >= 0.5").data.rows == 60
    assert tm.evaluate(path, **GIVEN, where="p = 7").data.rows == 20
    assert tm.evaluate(path, **GIVEN, where="p = '0.5'").data.rows == 20


def test_times_are_compared_with_dates():
    days = pd.date_range("2023-12-01", periods=N, freq="6h").to_series(index=FRAME.index)
    days[5] = pd.NaT
    frame = FRAME.assign(day=days)
    for text, rows in {
        "day >= '2024-01-01'": days >= "2024-01-01",
        "not day < '2023-12-24T12:00'": days >= "2023-12-24T12:00",
        "day in ('2023-12-24', '2024-01-01')": days.isin(pd.to_datetime(["2023-12-24", "2024-01-01"])),
        "day is null or day = '2023-12-24'": days.isna() | days.eq("2023-12-24"),
    }.items():
        text, rows = f"{text} or p < 0.2", rows | (frame.p < 0.2)
        assert tm.evaluate(frame, **GIVEN, where=text).data.rows == rows.sum(), text
    for value in ("5", "'soon'", "true"):
        with refuses("mismatch", argument="where"):
            tm.evaluate(frame, **GIVEN, where=f"day > {value}")


def test_whole_numbers_that_name_folders_are_compared_with_numbers_and_with_text(tmp_path):
    pytest.importorskip("pyarrow")
    frame = FRAME.assign(year=rng.integers(2022, 2026, N), month=rng.choice(["02", "10"], N))
    frame["date"] = rng.choice(["2023-12-31", "2024-01-01", "2024-02-01"], N)
    frame["mixed"], names = np.where(frame.month == "02", "7", "seven"), ["year", "month", "date", "mixed"]
    for values, part in frame.groupby(names):
        folders = (f"{name}={value}" for name, value in zip(names, values, strict=True))
        place = tmp_path.joinpath(*folders)
        place.mkdir(parents=True)
        part.drop(columns=names).to_csv(place / "a.csv", index=False)
        part.drop(columns=names).to_parquet(place / "b.parquet", index=False)
    for text, rows in {
        "year >= 2024": frame.year >= 2024,
        "year in (2022, 2025) and month < 10": frame.year.isin([2022, 2025]) & frame.month.eq("02"),
        "year = '2024' or month = '02'": frame.year.eq(2024) | frame.month.eq("02"),
        "date='2024-01-01'": frame.date == "2024-01-01",
        "date >= '2024-01-01' and not year = 2023 and p < 0.5": frame.date.ge("2024")
        & frame.year.ne(2023)
        & frame.p.lt(0.5),
        "year is null or mixed = '7'": frame.mixed.eq("7"),
    }.items():
        for kind in ("csv", "parquet"):
            found = tm.evaluate(f"{tmp_path}/**/*.{kind}", **GIVEN, where=text)
            assert found.data.rows == rows.sum(), text
    groups = tm.evaluate(f"{tmp_path}/**/*.parquet", **GIVEN, where="month <= 2", by="month")
    assert list(groups) == ["02"]
    with refuses("mismatch", "'mixed'", "'7'", argument="where"):
        tm.evaluate(f"{tmp_path}/**/*.csv", **GIVEN, where="mixed = 7")
