"""Streams of batches: readers and datasets of Arrow, other libraries' streams, generators."""

import numpy as np
import pandas as pd
import pytest

import tallymark as tm

pa = pytest.importorskip("pyarrow")
dataset = pytest.importorskip("pyarrow.dataset")
rng = np.random.default_rng(1)
N = 500
FRAME = pd.DataFrame({"y": np.where(rng.random(N) < 0.4, "yes", "no"), "p": rng.random(N), "z": 0})
TABLE = pa.Table.from_pandas(FRAME)
GIVEN = {"truth": "y", "score": "p", "positive": "yes"}
EXPECTED = tm.evaluate(FRAME, **GIVEN)["roc_auc"]


class Stream:
    """An object that has nothing but the stream of Arrow."""

    def __arrow_c_stream__(self, requested_schema=None):
        return TABLE.__arrow_c_stream__(requested_schema)


STREAMS = {
    "reader": lambda: TABLE.to_reader(100),
    "dataset": lambda: dataset.dataset(TABLE),
    "capsule": Stream,
    "batches": lambda: iter(TABLE.to_batches(100)),
    "frames": lambda: (FRAME[start : start + 90] for start in range(0, N, 90)),
    "mappings": lambda: ({name: part[name] for name in part} for part in (FRAME[:200], FRAME[200:])),
}


@pytest.mark.parametrize("stream", STREAMS.values(), ids=STREAMS)
def test_a_stream_is_read_as_the_frame(stream):
    assert tm.evaluate(stream(), **GIVEN)["roc_auc"] == EXPECTED
    both = tm.evaluate(stream(), **{**GIVEN, "score": {"a": "p", "b": "z"}})
    assert both["a"]["roc_auc"] == EXPECTED
    with pytest.raises(tm.InputError, match="no column 'q'"):
        tm.evaluate(stream(), **{**GIVEN, "score": "q"})


def test_rows_are_counted_through_and_a_stream_is_read_once():
    gap = FRAME.copy()
    gap.loc[333, "p"] = np.nan
    with pytest.raises(tm.InputError, match="row 333"):
        tm.evaluate(pa.Table.from_pandas(gap).to_reader(100), **GIVEN)
    reader = TABLE.to_reader(100)
    tm.evaluate(reader, **GIVEN)
    with pytest.raises(tm.InputError, match="read once"):
        tm.evaluate(reader, **GIVEN)
