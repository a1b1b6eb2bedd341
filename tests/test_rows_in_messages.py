"""Which row a message names: from 0 for arrays, frames and files without lines, by line for text files; and
it says which."""

import json
import math

import numpy as np
import pandas as pd
import polars as pl
import pytest
from looping import for_each, in_part
from refusals import refuses

import tallymark as tm

N, BAD = 40, 23  # rows, and the one that is wrong
COLUMNS = {
    "y": [0, 1] * 20,
    "p": np.linspace(0.01, 0.99, N),
    "q": np.linspace(0.99, 0.01, N),
    "w": [1.0, 2.0] * 20,
}


def lines(frame):
    return [json.dumps(row, allow_nan=False) for row in frame.to_dict("records")]


def as_csv(frame, folder):
    path = folder / "cases.csv"
    frame.to_csv(path, index=False)
    return str(path)


def as_json_lines(frame, folder):
    path = folder / "cases.jsonl"
    path.write_text("\n".join(lines(frame.astype(object).where(frame.notna(), None))), encoding="utf-8")
    return str(path)


def as_json_array(frame, folder):
    path = folder / "cases.json"
    path.write_text(
        f"[{', '.join(lines(frame.astype(object).where(frame.notna(), None)))}]", encoding="utf-8"
    )
    return str(path)


def as_parquet(frame, folder):
    path = folder / "cases.parquet"
    frame.to_parquet(path)
    return str(path)


FROM_0 = f"row {BAD} (counted from 0)"
SOURCES = {
    "arrays": (None, FROM_0),
    "pandas": (lambda frame, _: frame, FROM_0),
    "pandas, another index": (lambda frame, _: frame.set_index(np.arange(1000, 1000 + N)), FROM_0),
    "polars": (lambda frame, _: pl.from_pandas(frame), FROM_0),
    "mapping": (lambda frame, _: frame.to_dict("list"), FROM_0),
    "csv": (as_csv, f"line {BAD + 2}"),  # the header is line 1
    "json lines": (as_json_lines, f"line {BAD + 1}"),
    "json array": (as_json_array, FROM_0),
    "parquet": (as_parquet, FROM_0),
}


def asked(function, **more):
    return lambda *data, **given: function(*data, **given, **more)


CASES = {"truth": "y", "score": "p"}
WEIGHTED = CASES | {"weight": "w"}
MODELS = {"truth": "y", "score": ["p", "q"]}
MESSAGES = {  # the column and its value, what is asked, and the columns of the call
    "missing label": ("y", math.nan, tm.evaluate, CASES),
    "missing score": ("p", math.nan, tm.evaluate, CASES),
    "missing prediction": ("w", math.nan, tm.evaluate, {"truth": "y", "predicted": "w"}),
    "missing weight": ("w", math.nan, tm.evaluate, WEIGHTED),
    "negative weight": ("w", -1.0, tm.evaluate, WEIGHTED),
    "no number of cases": ("w", 1.5, asked(tm.evaluate, weight_kind="count"), WEIGHTED),
    "no probability": ("p", 1.25, asked(tm.evaluate, score_kind="probability"), CASES),
    "no probability, calibration": ("p", 1.25, tm.calibration, CASES),
    "missing cluster": ("w", math.nan, tm.evaluate, CASES | {"clusters": "w"}),
    "missing score, bootstrap": ("p", math.nan, tm.bootstrap, CASES),
    "missing score, compare": ("p", math.nan, tm.compare, MODELS),
    "missing weight, compare": ("w", math.nan, tm.compare, MODELS | {"weight": "w"}),
    "missing sample": ("w", math.nan, tm.compare, CASES | {"sample": "w"}),
    "missing score, threshold": ("p", math.nan, tm.choose_threshold, CASES),
    "missing score, check": ("p", math.nan, asked(tm.check, require="roc_auc > 0"), CASES),
    "missing amount": ("p", math.nan, asked(tm.evaluate, regression=True), {"truth": "w", "predicted": "p"}),
    "infinite amount": ("p", math.inf, asked(tm.evaluate, regression=True), {"truth": "w", "predicted": "p"}),
}


def refusal(source, message, folder):
    """The sentence about the value in one row."""
    column, value, call, given = MESSAGES[message]
    frame = pd.DataFrame(COLUMNS).astype({column: float})
    frame.loc[BAD, column] = value
    write, _ = SOURCES[source]
    if write is None:
        given = {
            role: [frame[one] for one in name] if isinstance(name, list) else frame[name]
            for role, name in given.items()
        }
        given = {
            role: [one.to_numpy() for one in of] if isinstance(of, list) else of.to_numpy()
            for role, of in given.items()
        }
    with pytest.raises(tm.InputError) as caught:
        call(*([] if write is None else [write(frame, folder)]), **given)
    return str(caught.value)


@in_part(6, ("fast", "full"))
@for_each("message", MESSAGES)
@for_each("source", SOURCES)
def test_every_message_names_the_same_row_and_says_how_it_is_counted(source, message, tmp_path):
    if source.startswith("json") and message == "infinite amount":
        pytest.skip("JSON has no infinite numbers")
    text = refusal(source, message, tmp_path)
    assert f" {SOURCES[source][1]}" in text
    assert text.count("counted from") == SOURCES[source][1].count("counted from")


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_rows_of_several_files_are_named_with_the_file(kind, tmp_path):
    frame = pd.DataFrame(COLUMNS)
    paths = [tmp_path / name for name in (f"a.{kind}", f"b.{kind}")]
    for i, path in enumerate(paths):
        frame.loc[BAD, "w"] = -1.0 if i else 1.0
        frame.to_csv(path, index=False) if kind == "csv" else frame.to_parquet(path)
    with refuses("invalid-value", argument="weight") as caught:
        tm.evaluate([str(path) for path in paths], **WEIGHTED)
    assert f"{SOURCES[kind][1]} of {paths[1].name}" in str(caught.value)


OF_ARRAYS = {
    "several labels": lambda: tm.evaluate(truth=[[0, 1], [1, 2]], predicted=[[0, 1], [1, 1]]),
    "convert": lambda: tm.convert.linear([0, 3], low=0, high=2),
    "softmax": lambda: tm.convert.softmax([[1, 2], [math.inf, 2]]),
    "losses": lambda: tm.losses.hinge(truth=[1, 0, 2][1:], score=[1.0, 2.0]),
    "planning": lambda: tm.planning.external_validation(probabilities=[0.1, 1.5]),
    "mixed": lambda: tm.evaluate(truth=["a", 1, "b"], predicted=["a", "b", "b"]),
    "mixed, below a gap": lambda: tm.evaluate(truth=[None, 1, "b", "a"], predicted=["a", "b", "b", "a"]),
    "persons": lambda: tm.biometric(
        truth=[1, 1, 0, 0], score=[4.0, 3.0, 2.0, 1.0], persons=(list("aacc"), list("abdd"))
    ),
}


@for_each("name", OF_ARRAYS)
def test_messages_about_arrays_alone(name):
    with pytest.raises(tm.InputError, match=r"row 1\b.*\(counted from 0\)"):
        OF_ARRAYS[name]()
