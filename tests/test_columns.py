"""Labels and scores come in containers of every kind: all give what plain NumPy arrays give."""

import array
import fractions
from collections import deque

import numpy as np
import pytest
from looping import for_each, in_part
from refusals import refuses

from tallymark import InputError, evaluate
from tallymark.input.columns import Column, joined

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")

ROWS = 48
RANDOM = np.random.default_rng(7)
TRUTH = RANDOM.integers(0, 2, ROWS)
SCORE = np.round(np.clip(0.5 * TRUTH + RANDOM.random(ROWS) * 0.5, 0, 1), 2)
CALLED = (SCORE >= 0.5).astype(int)
WORDS = np.where(TRUTH == 1, "sick", "well")
CALLED_WORDS = np.where(CALLED == 1, "sick", "well")
WEIGHT = RANDOM.integers(1, 4, ROWS).astype(float)


def answer(**given):
    """The summaries, of which all measures are functions, and what is known besides; labels are those of the
    container."""
    e = evaluate(**given)
    facts = {"data": e.data, "threshold": e.threshold, "notices": e.notices}
    return facts | {"counts": e.counts.to_dict(), "measures": e.ranking}


PLAIN = answer(truth=TRUTH, score=SCORE)
PLAIN_LABELS = answer(truth=TRUTH, predicted=CALLED)


def masked(values):
    return np.ma.array(values, mask=np.zeros(len(values), bool))


def unaligned(values):
    """A field of a packed record, as numpy.genfromtxt and binary files give."""
    record = np.zeros(len(values), dtype=[("flag", "u1"), ("value", values.dtype)])
    record["value"] = values
    return record["value"]


NUMBERS = {
    "list": lambda v: v.tolist(),
    "tuple": lambda v: tuple(v.tolist()),
    "list of NumPy scalars": list,
    "deque": lambda v: deque(v.tolist()),
    "array.array": lambda v: array.array("d", v.tolist()),
    "memoryview": memoryview,
    "one column": lambda v: v[:, None],
    "object array": lambda v: v.astype(object),
    "masked array": masked,
    "strided": lambda v: np.repeat(v, 3)[::3],
    "reversed": lambda v: v[::-1].copy()[::-1],
    "unaligned": unaligned,
    "read-only": lambda v: np.frombuffer(v.tobytes(), v.dtype),
    "big-endian": lambda v: v.astype(v.dtype.newbyteorder(">")),
    "long double": lambda v: v.astype(np.longdouble),
    "fractions": lambda v: [fractions.Fraction(x) for x in v.tolist()],
    "pandas": pd.Series,
    "pandas with an index": lambda v: pd.Series(v, index=range(100, 100 + len(v))),
    "pandas Index": pd.Index,
    "pandas object": lambda v: pd.Series(v, dtype=object),
    "pandas nullable": lambda v: pd.Series(v).convert_dtypes(),
    "pandas nullable array": lambda v: pd.array(v.tolist()),
    "pandas arrow": lambda v: pd.Series(pa.array(v)).astype(pd.ArrowDtype(pa.array(v).type)),
    "polars": lambda v: pl.Series("x", v),
    "pyarrow array": pa.array,
    "pyarrow chunks": lambda v: pa.chunked_array([v[:10], v[10:]]),
    "pyarrow slice": lambda v: pa.array(np.r_[v[:3], v]).slice(3),
}


@in_part(3)
@for_each("wrap", NUMBERS.values(), ids=NUMBERS)
def test_numbers_in_every_container(wrap):
    assert answer(truth=wrap(TRUTH), score=wrap(SCORE)) == PLAIN
    assert answer(truth=wrap(TRUTH), predicted=wrap(CALLED)) == PLAIN_LABELS
    assert answer(truth=wrap(TRUTH), score=SCORE, weight=wrap(WEIGHT)) == answer(
        truth=TRUTH, score=SCORE, weight=WEIGHT
    )


@pytest.mark.full
@for_each(
    "kind", ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32"]
)
def test_labels_of_every_numpy_type(kind):
    assert answer(truth=TRUTH.astype(kind), score=SCORE) == PLAIN
    assert answer(truth=TRUTH, predicted=CALLED.astype(kind)) == PLAIN_LABELS
    assert answer(truth=TRUTH.astype(kind), score=SCORE, positive=0)["counts"] == {
        "tp": PLAIN["counts"]["fp"], "fp": PLAIN["counts"]["tp"], "fn": PLAIN["counts"]["tn"],
        "tn": PLAIN["counts"]["fn"],
    }  # fmt: skip


@pytest.mark.full
@pytest.mark.parametrize("kind", ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"])
def test_whole_scores_of_every_numpy_type(kind):
    scores = np.rint(SCORE * 100)
    assert answer(truth=TRUTH, score=scores.astype(kind)) == answer(truth=TRUTH, score=scores)


@pytest.mark.parametrize("kind", ["float16", "float32"])
def test_scores_of_less_precision(kind):
    rounded = SCORE.astype(kind)
    result = evaluate(truth=TRUTH, score=rounded)
    assert result.ranking.score.dtype == kind
    assert result["roc_auc"].value == evaluate(truth=TRUTH, score=rounded.astype(float))["roc_auc"].value


BOOLEANS = {
    "list": lambda v: v.tolist(),
    "NumPy": lambda v: v,
    "object array": lambda v: v.astype(object),
    "masked array": masked,
    "pandas": pd.Series,
    "pandas nullable": lambda v: pd.Series(v, dtype="boolean"),
    "pandas arrow": lambda v: pd.Series(v, dtype="bool[pyarrow]"),
    "pandas category": lambda v: pd.Series(v, dtype="category"),
    "polars": lambda v: pl.Series("x", v),
    "pyarrow": pa.array,
    "pyarrow chunks": lambda v: pa.chunked_array([v[:10], v[10:]]),
}


@pytest.mark.full
@for_each("wrap", BOOLEANS.values(), ids=BOOLEANS)
def test_booleans_in_every_container(wrap):
    truth, called = wrap(TRUTH.astype(bool)), wrap(CALLED.astype(bool))
    assert answer(truth=truth, score=SCORE) == PLAIN
    assert answer(truth=truth, score=SCORE, positive=True) == PLAIN
    assert answer(truth=truth, score=SCORE, positive="true") == PLAIN
    assert answer(truth=truth, predicted=called) == PLAIN_LABELS
    assert evaluate(truth=truth, score=SCORE).labels == (False, True)


TEXTS = {
    "list": lambda v: v.tolist(),
    "tuple": lambda v: tuple(v.tolist()),
    "NumPy": lambda v: v,
    "NumPy objects": lambda v: v.astype(object),
    "NumPy variable width": lambda v: v.astype(np.dtypes.StringDType()),
    "masked array": masked,
    "pandas": pd.Series,
    "pandas string": lambda v: pd.Series(v, dtype="string"),
    "pandas object": lambda v: pd.Series(v, dtype=object),
    "pandas arrow": lambda v: pd.Series(v, dtype=pd.ArrowDtype(pa.string())),
    "pandas category": lambda v: pd.Series(v, dtype="category"),
    "pandas category, one unused": lambda v: pd.Categorical(
        v, categories=["well", "nobody", "sick"], ordered=True
    ),
    "polars": lambda v: pl.Series("x", v.tolist()),
    "polars categorical": lambda v: pl.Series("x", v.tolist(), dtype=pl.Categorical),
    "polars enum": lambda v: pl.Series("x", v.tolist(), dtype=pl.Enum(["well", "nobody", "sick"])),
    "pyarrow": lambda v: pa.array(v.tolist()),
    "pyarrow large": lambda v: pa.array(v.tolist(), pa.large_string()),
    "pyarrow dictionary": lambda v: pa.array(v.tolist()).dictionary_encode(),
    "pyarrow chunks": lambda v: pa.chunked_array([v[:10].tolist(), v[10:].tolist()]),
    "pyarrow dictionary chunks": (
        lambda v: pa.chunked_array([v[:10].tolist(), v[10:].tolist()]).dictionary_encode()
    ),
}


@pytest.mark.full
@for_each("wrap", TEXTS.values(), ids=TEXTS)
def test_text_in_every_container(wrap):
    assert answer(truth=wrap(WORDS), score=SCORE, positive="sick") == PLAIN
    assert answer(truth=wrap(WORDS), predicted=wrap(CALLED_WORDS), positive="sick") == PLAIN_LABELS
    assert evaluate(truth=wrap(WORDS), score=SCORE, positive="sick").labels == ("well", "sick")


@for_each("first", TEXTS.values(), ids=TEXTS)
def test_text_of_two_containers_is_compared_as_text(first):
    assert answer(truth=first(WORDS), predicted=CALLED_WORDS.tolist(), positive="sick") == PLAIN_LABELS


CATEGORIES_OF_NUMBERS = {
    "pandas": lambda v: pd.Series(v, dtype="category"),
    "pandas array": pd.Categorical,
    "pyarrow": lambda v: pa.array(v).dictionary_encode(),
}


@pytest.mark.full
@pytest.mark.parametrize("wrap", CATEGORIES_OF_NUMBERS.values(), ids=CATEGORIES_OF_NUMBERS)
def test_categories_of_numbers_are_numbers(wrap):
    assert answer(truth=wrap(TRUTH), score=SCORE) == PLAIN
    assert answer(truth=wrap(TRUTH), predicted=wrap(CALLED)) == PLAIN_LABELS
    assert answer(truth=wrap(TRUTH), predicted=CALLED) == PLAIN_LABELS


def test_bytes_are_text_or_refused_in_words_that_are_true():
    try:
        found = answer(truth=WORDS.astype("S"), score=SCORE, positive="sick")
    except InputError as reason:
        found = str(reason)
    assert found == PLAIN or ("does not occur" not in found and "bytes" in found)


@pytest.mark.full
@pytest.mark.parametrize("pair", [(0, 1), (-1, 1), (False, True), (0.0, 1.0), (-1.0, 1.0)])
def test_pairs_of_labels_that_are_known(pair):
    truth = np.array(pair)[TRUTH]
    assert answer(truth=truth, score=SCORE) == PLAIN
    assert answer(truth=truth, predicted=np.array(pair)[CALLED]) == PLAIN_LABELS


@pytest.mark.full
@pytest.mark.parametrize("positive", [1, 1.0, True, "1", np.int64(1), np.float32(1), np.True_])
def test_the_positive_label_in_any_spelling(positive):
    assert answer(truth=TRUTH, score=SCORE, positive=positive) == PLAIN
    assert answer(truth=TRUTH, predicted=CALLED, positive=positive) == PLAIN_LABELS
    assert answer(truth=TRUTH.tolist(), score=SCORE, positive=positive) == PLAIN


@pytest.mark.full
@pytest.mark.parametrize(
    "pair", [(1, 2), (5, 3), (0.5, 1.5), (2**60, 2**60 + 1), (0, 2**63), ("a", ""), ("1", "0")]
)
def test_other_pairs_of_labels_with_the_positive_one_named(pair):
    truth = np.array(pair)[TRUTH]
    assert answer(truth=truth, score=SCORE, positive=pair[1]) == PLAIN
    assert answer(truth=truth.tolist(), score=SCORE, positive=pair[1]) == PLAIN
    assert answer(truth=truth, predicted=np.array(pair)[CALLED], positive=pair[1]) == PLAIN_LABELS


# Gaps
# --------------------------------------------------------------------------------------------------

GAP = 5
KEPT = np.arange(ROWS) != GAP
WITH_GAP = {
    "None in a list": lambda v: [None if i == GAP else x for i, x in enumerate(v.tolist())],
    "NaN in a list": lambda v: [float("nan") if i == GAP else x for i, x in enumerate(v.tolist())],
    "None in an object array": lambda v: np.array(
        [None if i == GAP else x for i, x in enumerate(v.tolist())], object
    ),
    "mask": lambda v: np.ma.array(v, mask=~KEPT),
    "pandas object": lambda v: pd.Series(
        [None if i == GAP else x for i, x in enumerate(v.tolist())], dtype=object
    ),
    "pandas nullable": lambda v: pd.Series(v).convert_dtypes().where(KEPT, pd.NA),
    "pandas inferred": lambda v: pd.Series([None if i == GAP else x for i, x in enumerate(v.tolist())]),
    "pandas category": lambda v: pd.Series(v, dtype="category").where(KEPT),
    "pandas arrow": (
        lambda v: pd.Series(pa.array(v.tolist(), mask=~KEPT)).astype(pd.ArrowDtype(pa.array(v.tolist()).type))
    ),
    "polars": lambda v: pl.Series([None if i == GAP else x for i, x in enumerate(v.tolist())]),
    "pyarrow": lambda v: pa.array(v.tolist(), mask=~KEPT),
    "pyarrow dictionary": lambda v: pa.array(v.tolist(), mask=~KEPT).dictionary_encode(),
    "pyarrow chunks": lambda v: pa.chunked_array([pa.array(v.tolist(), mask=~KEPT)]),
    "pyarrow dictionary chunks": (
        lambda v: pa.chunked_array([pa.array(v.tolist(), mask=~KEPT)]).dictionary_encode()
    ),
}
COLUMNS = {"booleans": TRUTH.astype(bool), "numbers": TRUTH, "fractions": TRUTH.astype(float), "text": WORDS}


@in_part(3)
@for_each("values", COLUMNS.values(), ids=COLUMNS)
@for_each("wrap", WITH_GAP.values(), ids=WITH_GAP)
def test_a_missing_label_is_named_or_dropped(wrap, values):
    positive = "sick" if values is WORDS else None
    for given in ({"score": SCORE}, {"predicted": values}):
        with pytest.raises(
            InputError,
            match=rf"^truth: 1 value is missing .* row {GAP} \(counted from 0\); pass missing='drop'",
        ):
            evaluate(truth=wrap(values), positive=positive, **given)
    result = evaluate(truth=wrap(values), score=SCORE, positive=positive, missing="drop")
    clean = evaluate(truth=values[KEPT], score=SCORE[KEPT], positive=positive)
    assert (result.ranking, result.counts) == (clean.ranking, clean.counts)
    assert result.labels == clean.labels
    assert (result.data.rows, result.data.dropped) == (ROWS - 1, 1)
    labels = evaluate(truth=values, predicted=wrap(values), positive=positive, missing="drop")
    assert (
        labels.to_dict()["counts"]
        == evaluate(truth=values[KEPT], predicted=values[KEPT], positive=positive).counts.to_dict()
    )


@pytest.mark.full
@for_each("wrap", WITH_GAP.values(), ids=WITH_GAP)
def test_a_missing_score_is_named_or_dropped(wrap):
    with pytest.raises(
        InputError, match=rf"^score: 1 value is missing .* row {GAP} \(counted from 0\); pass missing='drop'"
    ):
        evaluate(truth=TRUTH, score=wrap(SCORE))
    result = answer(truth=TRUTH, score=wrap(SCORE), missing="drop")
    assert result["measures"] == answer(truth=TRUTH[KEPT], score=SCORE[KEPT])["measures"]


@for_each("wrap", WITH_GAP.values(), ids=WITH_GAP)
def test_a_missing_weight_is_refused(wrap):
    with pytest.raises(InputError, match=rf"^weight: .*row {GAP} \(counted from 0\)"):
        evaluate(truth=TRUTH, score=SCORE, weight=wrap(WEIGHT))


def test_a_row_with_a_gap_takes_its_weight_along():
    truth = [None, 1, 0, 1, 0]
    result = evaluate(truth=truth, score=[0.9, 0.8, 0.7, 0.6, 0.1], weight=[100, 1, 2, 3, 4], missing="drop")
    assert (result.data.positives, result.data.negatives) == (4, 6)


def test_missing_texts_of_numpy_are_missing():
    truth = np.array([None, *WORDS[1:]], dtype=np.dtypes.StringDType(na_object=None))
    with refuses("missing-value", "row 0", argument="truth"):
        evaluate(truth=truth, score=SCORE, positive="sick")


def test_joined_parts_name_their_rows():
    """As they stand in their files, whatever was left out."""
    first = Column("score", np.arange(3.0), first_row=1).keep(np.array([True, False, True]))
    whole = joined([first, Column("score", np.arange(2.0), first_row=4)])
    assert [whole.row(i) for i in range(4)] == [f"row {place} (counted from 0)" for place in (1, 3, 4, 5)]
    of_two = joined([Column("score", np.arange(3.0), first_row=1, file=file) for file in ("a.csv", "b.csv")])
    assert of_two.row(4) == "row 2 (counted from 0) of b.csv"
    some = joined([of_two.keep(np.arange(6) > 3), Column("score", np.arange(3.0), file="c.csv")])
    assert [some.number(i) for i in (0, 1, 3)] == [2, 3, 1]
    assert [some.row(i)[-5:] for i in (0, 3)] == ["b.csv", "c.csv"]
