"""Data frames of every library give what the bare arrays of their columns give."""

import numpy as np
import pytest
from looping import for_each
from refusals import refuses

from tallymark import InputError, evaluate

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")
duckdb = pytest.importorskip("duckdb")

RANDOM = np.random.default_rng(5)
TRUTH = RANDOM.integers(0, 2, 60)
SCORE = np.round(0.4 * TRUTH + 0.6 * RANDOM.random(60), 2)
DATA = {
    "label": TRUTH.tolist(),
    "risk": SCORE.tolist(),
    "state": np.where(TRUTH == 1, "sick", "well").tolist(),
    "said": np.where(SCORE >= 0.5, "sick", "well").tolist(),
    "count": RANDOM.integers(1, 4, 60).tolist(),
    "unused": [object()] * 60,
}
PLAIN = {name: values for name, values in DATA.items() if name != "unused"}


DATABASE = duckdb.connect()  # before DuckDB 1.5 a relation does not keep its connection open


def duckdb_relation(data):
    table = pa.table(data)  # DuckDB finds it by its name
    return DATABASE.from_arrow(table)


FRAMES = {
    "mapping": lambda data: data,
    "mapping of arrays": lambda data: {name: np.array(values) for name, values in data.items()},
    "pandas": pd.DataFrame,
    "pandas, odd index": lambda data: pd.DataFrame(
        data, index=np.arange(len(next(iter(data.values()))))[::-1] // 2
    ),
    "pandas nullable": lambda data: pd.DataFrame(data).convert_dtypes(),
    "pandas arrow": lambda data: pd.DataFrame(data).convert_dtypes(dtype_backend="pyarrow"),
    "polars": pl.DataFrame,
    "polars lazy": pl.LazyFrame,
    "polars lazy query": lambda data: pl.LazyFrame(data).with_row_index().filter(pl.col("index") >= 0),
    "pyarrow": pa.table,
    "pyarrow chunks": lambda data: pa.concat_tables([pa.table(data).slice(0, 7), pa.table(data).slice(7)]),
    "duckdb": duckdb_relation,
}
every_frame = for_each("frame", FRAMES.values(), ids=FRAMES)


def measured(*data, **given):
    """The summaries, of which all measures are functions, the threshold and the notices."""
    e = evaluate(*data, **given)
    return {
        "task": e.task,
        "threshold": getattr(e, "threshold", None),
        "notices": e.notices,
        "summaries": e.summaries,
    }


@pytest.mark.full
@every_frame
def test_numbers(frame):
    expected = measured(truth=TRUTH, score=SCORE)
    assert measured(frame(PLAIN), truth="label", score="risk") == expected


@pytest.mark.full
@every_frame
def test_text_and_weights(frame):
    expected = measured(truth=PLAIN["state"], score=SCORE, weight=PLAIN["count"], positive="sick")
    assert measured(frame(PLAIN), truth="state", score="risk", weight="count", positive="sick") == expected


@every_frame
def test_predicted_labels(frame):
    expected = measured(truth=PLAIN["state"], predicted=PLAIN["said"], positive="sick")
    assert measured(frame(PLAIN), truth="state", predicted="said", positive="sick") == expected


@every_frame
def test_one_column_in_two_roles(frame):
    result = evaluate(frame(PLAIN), truth="state", predicted="state", positive="sick")
    assert result["accuracy"].value == 1


@pytest.mark.full
@every_frame
def test_names_with_odd_characters(frame):
    names = ["a b", 'say "x"; drop table t', "<b>&amp;", "größe", "", "x.y", "select"]
    for name in names:
        if not name and frame is FRAMES["duckdb"]:
            continue  # DuckDB gives such a column a name of its own
        if '"' in name and frame is FRAMES["duckdb"] and duckdb.__version__ < "2":
            # before DuckDB 2.0 a relation cannot refer to such a column; Tallymark refuses it with DuckDB's
            # reason
            continue
        data = {name: PLAIN["label"], "risk": PLAIN["risk"]}
        assert measured(frame(data), truth=name, score="risk") == measured(truth=TRUTH, score=SCORE)


@every_frame
def test_a_missing_column_and_the_nearest_name(frame):
    with refuses("unknown-name", "'rissk'", "'risk'", argument="score"):
        evaluate(frame(PLAIN), truth="label", score="rissk")
    with refuses("unknown-name", "'zzz'", "'label'", "'risk'", argument="truth"):
        evaluate(frame(PLAIN), truth="zzz", score="risk")


@every_frame
def test_gaps_are_named_with_their_column_and_row_or_dropped(frame):
    gaps = {**PLAIN, "risk": [None if i in (3, 8) else value for i, value in enumerate(PLAIN["risk"])]}
    if frame is FRAMES["mapping of arrays"]:
        gaps["risk"] = np.array(gaps["risk"], float)
    with pytest.raises(InputError) as refused:
        evaluate(frame(gaps), truth="state", score="risk", positive="sick")
    assert str(refused.value).startswith(
        "score (column 'risk'): 2 values are missing (NaN or null), the first in row 3 (counted from 0);"
    )
    result = evaluate(frame(gaps), truth="state", score="risk", positive="sick", missing="drop")
    assert (result.data.rows, result.data.dropped) == (58, 2)


@every_frame
def test_text_gaps(frame):
    gaps = {**PLAIN, "state": [None if i == 4 else value for i, value in enumerate(PLAIN["state"])]}
    with refuses("missing-value", "'state'", "row 4", argument="truth"):
        evaluate(frame(gaps), truth="state", score="risk", positive="sick")
    assert evaluate(frame(gaps), truth="state", score="risk", positive="sick", missing="drop").data.rows == 59


@every_frame
def test_no_rows(frame):
    empty = {name: pa.array([], pa.array(values).type) for name, values in PLAIN.items()}
    if frame not in (FRAMES["mapping"], FRAMES["pyarrow"], FRAMES["duckdb"]):
        empty = {name: np.array(values)[:0] for name, values in PLAIN.items()}
    if frame is FRAMES["pyarrow chunks"]:
        pytest.skip("no chunks without rows")
    with refuses("empty", argument="truth"):
        evaluate(frame(empty), truth="label", score="risk")


def test_other_columns_are_not_looked_at():
    assert measured(pd.DataFrame(DATA), truth="label", score="risk") == measured(truth=TRUTH, score=SCORE)
    assert measured(DATA, truth="label", score="risk") == measured(truth=TRUTH, score=SCORE)


def test_a_lazy_frame_is_asked_for_its_columns_only():
    def fail(values):
        raise AssertionError("this column was not asked for")

    frame = pl.LazyFrame(PLAIN).with_columns(unused=pl.col("count").map_batches(fail, return_dtype=pl.Int64))
    assert evaluate(frame, truth="label", score="risk").data.rows == 60


def test_columns_of_other_types():
    frame = pl.DataFrame(PLAIN).with_columns(pl.col("state").cast(pl.Categorical))
    expected = measured(truth=TRUTH, score=SCORE)["summaries"][-1]
    assert measured(frame, truth="state", score="risk", positive="sick")["summaries"][-1] == expected
    table = pa.table({"state": pa.array(PLAIN["state"]).dictionary_encode(), "risk": SCORE})
    assert measured(table, truth="state", score="risk", positive="sick")["summaries"][-1] == expected


def test_what_is_no_frame():
    for data in (3, object(), [1, 2], np.ones((3, 2)), pd.Series([1, 2]), pl.Series([1])):
        with refuses("unreadable", argument="data"):
            evaluate(data, truth="label", score="risk")


def test_two_columns_of_one_name():
    frame = pd.DataFrame([[0, 0.1, 0.2], [1, 0.3, 0.4]], columns=["y", "p", "p"])
    with pytest.raises(InputError):
        evaluate(frame, truth="y", score="p")


def test_the_source_is_named():
    assert evaluate(pd.DataFrame(PLAIN), truth="label", score="risk").data.source == "DataFrame"
    assert evaluate(PLAIN, truth="label", score="risk").data.source == "columns"
