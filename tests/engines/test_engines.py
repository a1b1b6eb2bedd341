"""Frames of more rows than bins are counted in their engine, and give what their columns give."""

from dataclasses import fields

import narwhals.stable.v2 as nw
import numpy as np
import pytest
from local_frames import FRAMES
from looping import for_each

import tallymark as tm

ROWS, BINS = 1500, 256
RANDOM = np.random.default_rng(38)
TRUTH = RANDOM.integers(0, 2, ROWS)
COLUMNS = {
    "y": TRUTH,
    "yes": np.where(TRUTH, "yes", "no"),
    "flag": TRUTH.astype(bool),
    "state": np.array(['it\'s "ill"', "well"])[TRUTH],
    "kind": RANDOM.integers(0, 4, ROWS),
    "said": RANDOM.integers(0, 4, ROWS),
    "guess": np.where(RANDOM.random(ROWS) < 0.8, TRUTH, 1 - TRUTH),
    "few": np.round(0.3 * TRUTH + 0.7 * RANDOM.random(ROWS), 2),
    "p": 0.3 * TRUTH + 0.7 * RANDOM.random(ROWS),
    "logit": 2.0 * TRUTH + RANDOM.normal(0, 3, ROWS),
    "single": RANDOM.random(ROWS).astype(np.float32),
    "w": RANDOM.exponential(1, ROWS),
    "times": RANDOM.integers(0, 4, ROWS),
}
pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),  # of Ibis and Dask, of what they use
    pytest.mark.filterwarnings("ignore::FutureWarning"),
]
every_engine = for_each("engine", FRAMES.values(), ids=FRAMES)
ARRAYS = ("truth", "score", "predicted", "weight")


def exact(columns=COLUMNS, **given):
    """What the columns give as arrays."""
    return tm.evaluate(**{role: columns[one] if role in ARRAYS else one for role, one in given.items()})


def facts(e):
    """What is known of the cases, and their summaries, as plain numbers, texts and lists."""
    about = {one.name: getattr(e.data, one.name) for one in fields(e.data)} | {"source": None}
    return flat([about, getattr(e, "labels", None), *(one.to_dict() for one in e.summaries)])


def flat(value):
    """The values of a nested structure, in their order."""
    if isinstance(value, dict):
        value = [part for pair in value.items() for part in pair]
    return [part for one in value for part in flat(one)] if isinstance(value, (list, tuple)) else [value]


@pytest.fixture
def fetched(monkeypatch):
    """The numbers of rows that came to the client, one for each query."""
    rows, collect = [], nw.LazyFrame.collect

    def counted(self, *args, **kwargs):
        table = collect(self, *args, **kwargs)
        rows.append(len(table))
        return table

    monkeypatch.setattr(nw.LazyFrame, "collect", counted)
    return rows


@every_engine
@for_each(
    "given",
    [
        {"truth": "y", "score": "few"},
        {"truth": "yes", "score": "few", "weight": "w"},
        {"truth": "flag", "score": "few", "weight": "times", "weight_kind": "count"},
        {"truth": "state", "score": "few", "positive": 'it\'s "ill"', "higher_is_positive": False},
        {"truth": "y", "predicted": "guess"},
        {"truth": "flag", "predicted": "flag", "weight": "w"},
        {"truth": "kind", "predicted": "said"},
        {"truth": "kind", "predicted": "said", "weight": "w"},
        {"truth": "kind", "predicted": "said", "weight": "times", "weight_kind": "count"},
    ],
)
def test_few_scores_and_labels_are_exact(engine, given, tmp_path, fetched):
    fetched.clear()
    found, expected = tm.evaluate(engine(COLUMNS, tmp_path), bins=BINS, **given), exact(**given)
    assert sum(fetched) <= BINS
    for one, other in zip(facts(found), facts(expected), strict=True):
        assert one == (pytest.approx(other, rel=1e-12) if isinstance(other, float) else other)
    assert getattr(found, "threshold", None) == getattr(expected, "threshold", None)
