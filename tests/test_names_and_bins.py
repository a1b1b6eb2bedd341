"""Columns of any name in pandas, columns beside the data, and bins and periods as groups."""

import numpy as np
import pandas as pd
import pytest
from refusals import refuses

import tallymark as tm

rng = np.random.default_rng(0)
N = 300
Y = rng.integers(0, 2, N)
P = np.clip(Y * 0.3 + rng.random(N) * 0.7, 0, 1)
AGE = rng.normal(50, 15, N)
AREA = tm.evaluate(truth=Y, score=P)["roc_auc"]
NUMBERED = pd.DataFrame({0: Y, 1: P, 2: 1 - P})


def test_columns_with_numbers_and_tuples_as_names():
    assert tm.evaluate(NUMBERED, truth=0, score=1)["roc_auc"] == AREA
    both = tm.evaluate(NUMBERED, truth=np.int64(0), score=[2, 1], classes=[0, 1])
    assert both["roc_auc"].value == AREA.value
    assert tm.compare(NUMBERED, truth=0, score=[1, 2]).models == ("1", "2")
    assert list(tm.evaluate(NUMBERED, truth=0, score=1, by=0)) == ["0", "1"]
    assert tm.check(NUMBERED, truth=0, score=1, require="roc_auc >= 0.5")
    levels = pd.DataFrame({("t", "y"): Y, ("m", "p"): P})
    assert tm.evaluate(levels, truth=("t", "y"), score=[("m", "p")])["roc_auc"] == AREA
    assert tm.evaluate(levels, truth=("t", "y"), score={"m": [("m", "p")]})["m"]["roc_auc"] == AREA
    with refuses("unknown-name", "'m'", "'p'", argument="score 1"):
        tm.evaluate(levels, truth=("t", "y"), score=("m", "p"))
    with refuses("conflict", argument="truth"):
        tm.evaluate(NUMBERED, truth=7, score=1)


def test_arrays_and_series_beside_the_data(tmp_path):
    frame = pd.DataFrame({"y": Y, "p": P})
    site = pd.Series(np.where(AGE > 50, "old", "young"), name="ages")
    found = tm.evaluate(frame, truth="y", score="p", by=site)
    assert found.groups.columns == ("ages",)
    assert list(found) == ["old", "young"]
    assert tm.evaluate(frame, truth="y", score=P)["roc_auc"] == AREA
    assert list(tm.evaluate({"y": Y, "p": P}, truth="y", score="p", by={"a": site})) == ["old", "young"]
    inside = tm.evaluate(frame.assign(c=site), truth="y", score="p", clusters="c")
    assert tm.evaluate(frame, truth="y", score="p", clusters=site)["roc_auc"] == inside["roc_auc"]
    with refuses("wrong-shape", "rows"):
        tm.evaluate(frame, truth="y", score="p", by=site[:5])
    frame.to_csv(tmp_path / "x.csv", index=False)
    with refuses("conflict", argument="by"):
        tm.evaluate(tmp_path / "x.csv", truth="y", score="p", by=site)


BANDS = pd.cut(AGE, [-np.inf, 9.5, 30, 45, 100.25, np.inf])
MONTHS = pd.Series(pd.date_range("2023-11-01", periods=N)).dt.to_period("M")


@pytest.mark.parametrize(
    "bins",
    [BANDS, pd.Series(BANDS), pd.Series(BANDS).astype(object), list(BANDS), MONTHS, list(MONTHS)],
    ids=["cut", "series", "objects", "list", "periods", "list of periods"],
)
def test_bins_and_periods_in_their_order(bins):
    known = pd.Series(list(bins))
    names = [str(one) for one in sorted(known.unique())]
    assert list(tm.evaluate(truth=Y, score=P, by=bins)) == names
    assert list(tm.evaluate(pd.DataFrame({"y": Y, "p": P, "b": bins}), truth="y", score="p", by="b")) == names
    text = known.astype(str).to_numpy()
    clustered = tm.evaluate(truth=Y, score=P, clusters=bins)["roc_auc"]
    assert clustered == tm.evaluate(truth=Y, score=P, clusters=text)["roc_auc"]
    assert list(tm.evaluate(truth=Y, score=P, fold=bins)) == names


def test_missing_bins_are_missing_groups():
    bins = pd.cut(AGE, [0, 40, 60])
    assert pd.isna(bins).any()
    with refuses("missing-value", "missing", argument="by"):
        tm.evaluate(truth=Y, score=P, by=bins)
    found = tm.evaluate(truth=Y, score=P, by=bins, missing="drop")
    assert list(found) == ["(0, 40]", "(40, 60]"]
