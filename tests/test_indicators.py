"""Cases that may have several labels: the table of them, their evaluation, and what is refused."""

import json
import pickle
from functools import cache, reduce
from itertools import pairwise
from operator import add

import numpy as np
import pytest
from hypothesis import given, strategies as st
from looping import for_each
from refusals import refuses
from scipy.stats import norm
from strategies import indicators, measures_of, reasoned

from tallymark import Counts, IndicatorTable, InputError, evaluate
from tallymark.evaluation.class_mix import depends_on_size
from tallymark.measures.registry import AVERAGES, get

NAMES = [entry.name for entry in measures_of(Counts)]
LABELS = ("calm", "loud", "rare", "wide")
ON_SCREEN = ("macro_precision", "macro_f1", "weighted_f1")  # averages that have a place there
RANDOM = np.random.default_rng(5)


def cases(rows, seed=0):
    """Labels that occur together, of which the third is rare, and predictions that miss more than they
    invent."""
    random = np.random.default_rng(seed)
    latent = random.normal(size=(rows, 1))
    truth = (latent + random.normal(size=(rows, 4)) > [0, 0.5, 2, -0.5]).astype(int)
    return truth, np.where(random.random((rows, 4)) < np.where(truth, 0.7, 0.88), truth, 1 - truth)


TRUTH, CALLED = cases(300)
EV = evaluate(truth=TRUTH, predicted=CALLED)
TABLE = IndicatorTable.from_arrays(truth=TRUTH, predicted=CALLED)


def strict(text):
    return json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is not strict JSON"))


def of_label(i, truth=TRUTH, called=CALLED, weight=None):
    """The counts of a label, case by case."""
    weight = np.ones(len(truth)) if weight is None else weight
    t, c = truth[:, i] == 1, called[:, i] == 1
    tp, fp, fn, tn = (weight[kind].sum() for kind in (t & c, ~t & c, t & ~c, ~t & ~c))
    return Counts(tp=tp, fp=fp, fn=fn, tn=tn)


def frame(values, kind="pandas", columns=LABELS):
    library = pytest.importorskip(kind)
    if kind == "pandas":
        return library.DataFrame(values, columns=columns)
    if kind == "polars":
        return library.DataFrame(values, schema=list(columns))
    return library.table({name: values[:, i] for i, name in enumerate(columns)})


# The table
# --------------------------------------------------------------------------------------------------


def test_what_the_table_holds():
    assert TABLE.labels == (0, 1, 2, 3)
    assert (len(TABLE), TABLE.total) == (4, 300)
    assert TABLE.exact == (TRUTH == CALLED).all(1).sum()
    counts = TABLE.one_vs_rest()
    for i in range(4):
        assert counts[i] == of_label(i)


def test_how_often_two_things_happen_together():
    """The table by its definition, in Python."""
    t, c = TRUTH.astype(bool), CALLED.astype(bool)
    kinds = np.hstack([t & c, ~t & c, t & ~c])
    for i in range(12):
        for j in range(12):
            assert TABLE.together[i, j] == sum(
                bool(a and b) for a, b in zip(kinds[:, i], kinds[:, j], strict=True)
            )


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_standard_errors_of_averages_are_those_of_the_cases(seed, weighted):
    """The macro average of accuracy is a mean over the cases."""
    truth, called = cases(60, seed)
    weight = np.random.default_rng(seed).lognormal(size=60) if weighted else np.ones(60)
    found = evaluate(truth=truth, predicted=called, weight=weight if weighted else None)
    right = (truth == called).mean(1)
    wanted = np.sqrt((weight**2 * (right - np.average(right, weights=weight)) ** 2).sum()) / weight.sum()
    assert found.averages["macro"]["accuracy"].standard_error == pytest.approx(wanted, rel=1e-9)


def test_batches_make_no_difference(monkeypatch):
    monkeypatch.setattr("tallymark.summaries.indicators.CELLS_AT_ONCE", 7 * 3 * len(TABLE))
    assert IndicatorTable.from_arrays(truth=TRUTH, predicted=CALLED) == TABLE


# Values that add up
# --------------------------------------------------------------------------------------------------


@given(st.lists(st.integers(0, 300), min_size=3, max_size=3))
def test_any_split_in_any_order_is_building_at_once(cuts):
    ends = [0, *sorted(cuts), 300]
    parts = [
        IndicatorTable.from_arrays(truth=TRUTH[a:b], predicted=CALLED[a:b])
        for a, b in pairwise(ends)
        if b > a
    ]
    assert reduce(add, parts) == reduce(add, reversed(parts)) == sum(parts) == TABLE


@given(indicators(), indicators(), indicators())
def test_addition(a, b, c):
    assert a + b == b + a
    assert (a + b) + c == a + (b + c)
    assert a + 0 == 0 + a == a
    assert a * 2 == a + a
    assert (a * 2).total == 2 * a.total
    assert (a * 2).exact == 2 * a.exact


@pytest.mark.parametrize("other", [1, "a", None, [], 0.5, Counts.zero()])
def test_only_its_own_kind_can_be_added(other):
    with pytest.raises(TypeError):
        TABLE + other


def test_tables_of_other_labels_do_not_add():
    named = IndicatorTable.from_arrays(truth=TRUTH, predicted=CALLED, labels=LABELS)
    with refuses("mismatch", "'calm'", argument="labels"):
        TABLE + named


@given(indicators())
def test_round_trips(table):
    assert IndicatorTable.from_json(table.to_json()) == table
    assert IndicatorTable.from_dict(strict(json.dumps(table.to_dict(), allow_nan=False))) == table
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(table, protocol))
        assert again == table
        assert again.one_vs_rest() == table.one_vs_rest()


def test_named_tables_come_back_from_json():
    named = IndicatorTable.from_arrays(
        truth=TRUTH, predicted=CALLED, labels=LABELS, weight=RANDOM.random(300)
    )
    again = IndicatorTable.from_json(named.to_json())
    assert again == named
    assert again.labels == LABELS
    assert again.together.dtype == named.together.dtype


def test_equality():
    table = IndicatorTable.from_arrays(truth=TRUTH, predicted=CALLED)
    assert table == TABLE
    others = [{"labels": LABELS}, {"weight": np.full(300, 2)}, {"truth": CALLED, "predicted": TRUTH}]
    for other in others:
        assert table != IndicatorTable.from_arrays(**{"truth": TRUTH, "predicted": CALLED, **other})
    for other in (None, 1, "table", table.one_vs_rest()):
        assert table != other


@pytest.mark.parametrize(
    "table", [TABLE, TABLE + TABLE, TABLE * 2, IndicatorTable.from_json(TABLE.to_json())]
)
def test_a_table_is_frozen(table):
    for name in ("labels", "total", "together", "new"):
        with pytest.raises((AttributeError, TypeError)):
            setattr(table, name, 1)
    assert not table.together.flags.writeable


def test_repr_is_one_short_line():
    assert repr(TABLE) == "IndicatorTable(4 labels, 300 cases)"


# What is measured
# --------------------------------------------------------------------------------------------------


def test_what_an_evaluation_holds():
    assert EV.indicators == TABLE
    assert list(EV.estimates) == ["exact_match", *ON_SCREEN]
    assert EV["exact_match"].value == (TRUTH == CALLED).all(1).mean()
    assert EV["subset accuracy"] is EV["exact_match"]
    assert list(EV.classes) == [0, 1, 2, 3]
    assert list(EV.averages) == list(AVERAGES)
    assert not any(hasattr(EV, name) for name in ("counts", "matrix", "ranking"))
    assert (EV.data.rows, EV.data.weighted, EV.data.source) == (300, False, "arrays")
    with refuses("unsupported"):
        EV["f1"]


@pytest.mark.parametrize("i", range(4))
def test_a_label_is_its_own_evaluation(i):
    alone = evaluate(truth=TRUTH[:, i], predicted=CALLED[:, i])
    for name in NAMES:
        mine, other = EV.classes[i][name], alone[name]
        assert (mine.value, mine.method, mine.note) == (other.value, other.method, other.note)
        if "bootstrap" not in mine.method:
            assert (mine.low, mine.high) == pytest.approx((other.low, other.high), rel=1e-12)


@pytest.mark.parametrize("kind", AVERAGES)
@pytest.mark.parametrize("weighted", [False, True])
def test_averages_of_scikit_learn(kind, weighted):
    metrics = pytest.importorskip("sklearn.metrics")
    weight = RANDOM.random(300) if weighted else None
    found = evaluate(truth=TRUTH, predicted=CALLED, weight=weight).averages[kind]
    given = {"average": kind, "sample_weight": weight}
    theirs = metrics.precision_recall_fscore_support(TRUTH, CALLED, beta=2, **given)[:3]
    np.testing.assert_allclose(
        [found[name].value for name in ("precision", "sensitivity", "f_beta")], theirs, rtol=1e-12
    )
    assert found["f1"].value == pytest.approx(metrics.f1_score(TRUTH, CALLED, **given), rel=1e-12)
    assert found["jaccard"].value == pytest.approx(metrics.jaccard_score(TRUTH, CALLED, **given), rel=1e-12)


@pytest.mark.parametrize("weighted", [False, True])
def test_exact_match_and_hamming_loss_of_scikit_learn(weighted):
    metrics = pytest.importorskip("sklearn.metrics")
    weight = RANDOM.random(300) if weighted else None
    result = evaluate(truth=TRUTH, predicted=CALLED, weight=weight)
    assert result["exact_match"].value == pytest.approx(
        metrics.accuracy_score(TRUTH, CALLED, sample_weight=weight), rel=1e-12
    )
    loss = metrics.hamming_loss(TRUTH, CALLED, sample_weight=weight)
    assert result.averages["micro"]["error_rate"].value == pytest.approx(loss, rel=1e-12)
    assert result.averages["macro"]["error_rate"].value == pytest.approx(loss, rel=1e-12)


@for_each("name", NAMES)
def test_averages_by_hand(name):
    tables = [of_label(i) for i in range(4)]
    values = [get(name, Counts).function(table) for table in tables]
    support = [table.positives for table in tables]
    wanted = {
        "macro": sum(values) / 4,
        "weighted": sum(value * size for value, size in zip(values, support, strict=True)) / sum(support),
        "micro": get(name, Counts).function(sum(tables)),
    }
    for kind in AVERAGES:
        assert EV.averages[kind][name].value == pytest.approx(wanted[kind], rel=1e-12)


def test_a_label_that_never_occurs_is_left_out_and_said():
    truth, called = TRUTH.copy(), CALLED.copy()
    truth[:, 2], called[:, 1] = 0, 0
    result = evaluate(truth=truth, predicted=called)
    assert result.classes[2]["sensitivity"].undefined
    assert result.classes[1]["precision"].undefined
    for name in ("sensitivity", "precision"):
        there = [result.classes[i][name].value for i in range(4) if not result.classes[i][name].undefined]
        assert len(there) == 3
        assert result.averages["macro"][name].value == pytest.approx(np.mean(there))
        assert result.averages["macro"][name].note.startswith("1 of 4 classes left out")
    said = {notice.code: notice.text for notice in result.notices}
    assert "(2)" in said["classes-without-cases"]
    assert "(1)" in said["classes-never-predicted"]


def test_a_summary_has_the_answer_of_its_cases():
    again = evaluate(TABLE)
    assert again.estimates == EV.estimates
    for kind in AVERAGES:
        assert dict(again.averages[kind]) == dict(EV.averages[kind])


def test_a_table_without_cases_is_refused():
    with refuses("empty", argument="data"):
        evaluate(IndicatorTable(("a", "b"), np.zeros((6, 6)), 0.0, 0.0))


# Intervals
# --------------------------------------------------------------------------------------------------

BIG_TRUTH, BIG_CALLED = cases(2500, seed=9)
BIG = evaluate(truth=BIG_TRUTH, predicted=BIG_CALLED, level=0.01)
DRAWS = 1500


@cache
def resampled():
    """Counts of each label in samples of cases drawn with replacement, shape (draws, labels)."""
    random = np.random.default_rng(1)
    times = random.multinomial(2500, np.full(2500, 1 / 2500), DRAWS).astype(float)
    t, c = BIG_TRUTH.astype(bool), BIG_CALLED.astype(bool)
    return Counts(
        **{
            n: times @ kind
            for n, kind in zip(("tp", "fp", "fn", "tn"), (t & c, ~t & c, t & ~c, ~t & ~c), strict=True)
        }
    )


def spread(name, kind):
    """The standard deviation of the average over the resamples."""
    function = get(name, Counts).function
    if kind == "micro":
        return np.std(function(Counts.of(*(np.asarray(cell).sum(1) for cell in resampled()._cells()))))
    return np.std(
        np.average(function(resampled()), axis=1, weights=None if kind == "macro" else resampled().positives)
    )


@pytest.mark.full
@for_each("kind", AVERAGES)
@for_each("name", NAMES)
def test_standard_errors_of_averages_are_those_of_a_bootstrap_of_cases(name, kind):
    """At a level of 1 % an interval is straight: its half width over the quantile is the standard error, on
    whatever scale."""
    found = BIG.averages[kind][name]
    assert (found.high - found.low) / 2 / norm.ppf(0.505) == pytest.approx(spread(name, kind), rel=0.1)


@pytest.mark.full
@given(indicators())
def test_averages_of_anything_have_an_interval_or_a_reason(table):
    result = evaluate(table)
    assert reasoned(result["exact_match"])
    for kind in AVERAGES:
        for name in (
            "sensitivity",
            "precision",
            "f1",
            "error_rate",
            "matthews_correlation",
            "positive_likelihood_ratio",
        ):
            assert reasoned(result.averages[kind][name]), (kind, name)
            low, high = get(name, Counts).range
            found = result.averages[kind][name]
            assert not found.has_interval or low <= found.low <= found.high <= high
    strict(result.to_json())
    assert str(result)


@pytest.mark.full
@pytest.mark.parametrize(
    ("truth", "called"), [(TRUTH, TRUTH), (TRUTH, 1 - TRUTH), (TRUTH * 0, CALLED), (TRUTH, CALLED * 0)]
)
def test_every_average_at_its_ends_has_an_interval_or_a_reason(truth, called):
    result = evaluate(truth=truth, predicted=called)
    for kind in AVERAGES:
        for name in NAMES:
            assert reasoned(result.averages[kind][name]), (kind, name)
    strict(result.to_json())


# Weights
# --------------------------------------------------------------------------------------------------


def test_whole_weights_are_repeated_rows():
    weight = RANDOM.integers(0, 4, 300)
    weighted = evaluate(truth=TRUTH, predicted=CALLED, weight=weight, weight_kind="count")
    repeated = evaluate(truth=TRUTH.repeat(weight, axis=0), predicted=CALLED.repeat(weight, axis=0))
    assert weighted.indicators == repeated.indicators
    assert weighted.estimates == repeated.estimates
    for kind in AVERAGES:
        assert dict(weighted.averages[kind]) == dict(repeated.averages[kind])
    assert weighted.data.weighted
    assert weighted.data.rows == 300


@pytest.mark.full
def test_fractional_weights_count_as_their_effective_number():
    weight = RANDOM.random(300) + 0.01
    result = evaluate(truth=TRUTH, predicted=CALLED, weight=weight)
    effective = weight.sum() ** 2 / (weight @ weight)
    assert result.data.effective_rows == pytest.approx(effective)
    assert "importance-weights" in [notice.code for notice in result.notices]
    as_cases = evaluate(result.indicators * (effective / weight.sum()))
    pairs = [(result["exact_match"], as_cases["exact_match"])]
    names = [name for name in NAMES if not depends_on_size(get(name, Counts))]
    pairs += [
        (result.averages[kind][name], as_cases.averages[kind][name]) for kind in AVERAGES for name in names
    ]
    for mine, other in pairs:
        assert (mine.value, mine.low, mine.high) == pytest.approx(
            (other.value, other.low, other.high), rel=1e-6, nan_ok=True
        )


@pytest.mark.parametrize("kind", ["list", "Series", "column"])
def test_weights_in_any_container(kind):
    weight = RANDOM.integers(1, 4, 300)
    pandas = pytest.importorskip("pandas")
    given = {"list": weight.tolist(), "Series": pandas.Series(weight), "column": weight[:, None]}[kind]
    plain = evaluate(truth=TRUTH, predicted=CALLED, weight=weight)
    assert evaluate(truth=TRUTH, predicted=CALLED, weight=given).indicators == plain.indicators


# Containers and names
# --------------------------------------------------------------------------------------------------

CONTAINERS = {
    "booleans": lambda v: v.astype(bool),
    "floats": lambda v: v.astype(float),
    "bytes": lambda v: v.astype("u1"),
    "big-endian": lambda v: v.astype(">i4"),
    "Fortran order": np.asfortranarray,
    "strided": lambda v: np.repeat(v, 2, axis=1)[:, ::2],
    "lists": lambda v: v.tolist(),
    "tuples": lambda v: tuple(map(tuple, v.tolist())),
    "list of arrays": list,
    "masked without gaps": lambda v: np.ma.array(v, mask=False),
}


@for_each("wrap", CONTAINERS.values(), ids=CONTAINERS)
def test_indicators_in_every_container(wrap):
    result = evaluate(truth=wrap(TRUTH), predicted=wrap(CALLED))
    assert result.indicators == TABLE
    assert evaluate(truth=TRUTH, predicted=wrap(CALLED)).indicators == TABLE


def test_masked_values_are_missing():
    gaps = np.ma.array(TRUTH, mask=np.zeros_like(TRUTH))
    gaps[3, 1] = np.ma.masked
    with refuses("missing-value", "row 3,", argument="truth"):
        evaluate(truth=gaps, predicted=CALLED)


@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow"])
def test_the_columns_of_a_frame_are_the_labels(kind):
    result = evaluate(truth=frame(TRUTH, kind), predicted=frame(CALLED, kind))
    assert list(result.classes) == list(LABELS)
    assert [dict(found) for found in result.classes.values()] == [
        dict(found) for found in EV.classes.values()
    ]


def test_one_frame_names_the_labels_of_the_other_array():
    assert list(evaluate(truth=frame(TRUTH), predicted=CALLED).classes) == list(LABELS)
    assert list(evaluate(truth=TRUTH, predicted=frame(CALLED)).classes) == list(LABELS)


@pytest.mark.parametrize("kind", ["pandas", "polars"])
def test_columns_in_another_order_are_matched_by_name_or_refused(kind):
    order = [2, 0, 3, 1]
    shuffled = frame(CALLED[:, order], kind, [LABELS[i] for i in order])
    try:
        result = evaluate(truth=frame(TRUTH, kind), predicted=shuffled)
    except InputError as refused:
        assert "calm" in str(refused)  # noqa: PT017
    else:
        assert result.indicators.one_vs_rest() == TABLE.one_vs_rest()


def test_columns_of_other_names_are_refused():
    other = frame(CALLED, columns=("calm", "loud", "rare", "tall"))
    with refuses("mismatch"):
        evaluate(truth=frame(TRUTH), predicted=other)


@pytest.mark.parametrize("kind", ["boolean", "Int64", "Float64", "bool[pyarrow]", "mixed"])
def test_columns_of_every_type_that_pandas_has(kind):
    pytest.importorskip("pyarrow")
    truth = frame(TRUTH)
    truth = truth.astype({"calm": bool, "loud": float}) if kind == "mixed" else truth.astype(kind)
    assert evaluate(truth=truth, predicted=CALLED).indicators.one_vs_rest() == TABLE.one_vs_rest()


def test_input_is_left_alone():
    truth, called = TRUTH.copy(), CALLED.copy()
    evaluate(truth=truth, predicted=called)
    assert (truth == TRUTH).all()
    assert (called == CALLED).all()


def test_one_column_is_one_label():
    """As any array of shape (cases, 1): two classes."""
    result = evaluate(truth=TRUTH[:, :1], predicted=CALLED[:, :1])
    assert result.counts == of_label(0)
    assert list(IndicatorTable.from_arrays(truth=TRUTH[:, :1], predicted=CALLED[:, :1]).labels) == [0]


# Bad input
# --------------------------------------------------------------------------------------------------


def with_value(value, dtype=float):
    array = TRUTH.astype(dtype)
    array[3, 1] = value
    return array


SHORT, NARROW = CALLED[:10], CALLED[:, :3]
BAD = {
    "NaN in truth": ({"truth": with_value(np.nan), "predicted": CALLED}, "truth row 3 column 1 missing"),
    "NaN in predicted": (
        {"truth": TRUTH, "predicted": with_value(np.nan)},
        "predicted row 3 column 1 missing",
    ),
    "None in truth": (
        {"truth": with_value(None, object).tolist(), "predicted": CALLED},
        "truth row 3 column 1 missing",
    ),
    "2 in truth": ({"truth": with_value(2), "predicted": CALLED}, "truth 2 row 3 column 1 neither 0 nor 1"),
    "scores as predicted": (
        {"truth": TRUTH, "predicted": CALLED * 0.5 + 0.1},
        "predicted 0. row column neither threshold",
    ),
    "-1 and 1": ({"truth": 2 * TRUTH - 1, "predicted": CALLED}, "truth -1 row column neither 0 nor 1"),
    "infinite": (
        {"truth": with_value(np.inf), "predicted": CALLED},
        "truth inf row 3 column 1 neither 0 nor 1",
    ),
    "text": ({"truth": TRUTH.astype(str), "predicted": CALLED}, "truth text 0 and 1"),
    "one text": ({"truth": with_value("a", object).tolist(), "predicted": CALLED}, "truth text 0 and 1"),
    "dates": ({"truth": TRUTH.astype("M8[D]"), "predicted": CALLED}, "truth datetime64 0 and 1"),
    "complex": ({"truth": TRUTH + 0j, "predicted": CALLED}, "truth complex 0 and 1"),
    "fewer rows": ({"truth": TRUTH, "predicted": SHORT}, "truth (300, 4) predicted (10, 4) row per case"),
    "fewer columns": (
        {"truth": TRUTH, "predicted": NARROW},
        "truth (300, 4) predicted (300, 3) column per label",
    ),
    "truth of one column": ({"truth": TRUTH[:, 0], "predicted": CALLED}, "predicted (300, 4) column"),
    "predicted of one column": (
        {"truth": TRUTH, "predicted": CALLED[:, 0]},
        "predicted (300,) column per label",
    ),
    "predicted of one narrow column": (
        {"truth": TRUTH, "predicted": CALLED[:, :1]},
        "(300, 4) (300, 1) column per label",
    ),
    "three dimensions": ({"truth": TRUTH[:, :, None], "predicted": CALLED}, "truth (300, 4, 1)"),
    "no rows": ({"truth": TRUTH[:0], "predicted": CALLED[:0]}, "truth no rows at least one case"),
    "ragged truth": ({"truth": [[0, 1], [1]], "predicted": [[0, 1], [1, 0]]}, "truth rows differ in length"),
    "ragged predicted": (
        {"truth": [[0, 1], [1, 1]], "predicted": [[0, 1], [1]]},
        "predicted rows differ in length",
    ),
    "scores": ({"truth": TRUTH, "score": CALLED * 0.5}, "several labels predicted="),
    "threshold": ({"truth": TRUTH, "predicted": CALLED, "threshold": 0.5}, "threshold scores"),
    "positive": ({"truth": TRUTH, "predicted": CALLED, "positive": 1}, "positive leave it out"),
    "length of weights": ({"truth": TRUTH, "predicted": CALLED, "weight": [1, 2]}, "truth 300 rows weight 2"),
    "negative weight": ({"truth": TRUTH, "predicted": CALLED, "weight": [-1.0] * 300}, "weight -1.0 row 0"),
    "NaN weight": ({"truth": TRUTH, "predicted": CALLED, "weight": [np.nan] * 300}, "weight row 0"),
    "text weight": ({"truth": TRUTH, "predicted": CALLED, "weight": ["a"] * 300}, "weight 'a' row 0"),
    "weights all zero": (
        {"truth": TRUTH, "predicted": CALLED, "weight": [0] * 300},
        "weight every weight is 0",
    ),
}


@for_each(("given", "parts"), BAD.values(), ids=BAD)
def test_bad_input(given, parts):
    with pytest.raises(InputError) as refused:
        evaluate(**given)
    text = str(refused.value)
    assert "\n" not in text
    assert len(text) < 300
    for word in parts.split():
        assert word in text, text
    assert text.endswith((".", "?"))


def test_counts_are_not_spoken_of_where_there_are_none():
    for beside in ({"threshold": 0.5}, {"positive": 1}):
        with pytest.raises(InputError) as refused:
            evaluate(truth=TRUTH, predicted=CALLED, **beside)
        assert "counts" not in str(refused.value)


@pytest.mark.parametrize("value", [np.nan, None])
def test_rows_with_a_gap_are_dropped_when_asked(value):
    """As with one label per case; or the argument is refused, but never passed over."""
    truth = with_value(value, object).tolist() if value is None else with_value(value)
    try:
        result = evaluate(truth=truth, predicted=CALLED, missing="drop")
    except InputError as refused:
        assert "missing='drop'" in str(refused)  # noqa: PT017
    else:
        keep = np.arange(300) != 3
        assert result.indicators == IndicatorTable.from_arrays(truth=TRUTH[keep], predicted=CALLED[keep])
        assert result.data.dropped == 1


@pytest.mark.parametrize(
    ("labels", "said"),
    [("abc", "for 4 columns"), ("aabc", "all different"), (("a", "b", "c", "a"), "all different")],
)
def test_labels_that_do_not_fit(labels, said):
    with pytest.raises(InputError, match=said):
        IndicatorTable.from_arrays(truth=TRUTH, predicted=CALLED, labels=labels)


def test_columns_of_one_name_are_refused():
    with refuses("wrong-shape", argument="labels"):
        evaluate(truth=frame(TRUTH, columns=("a", "b", "a", "c")), predicted=CALLED)


# As text, JSON and page
# --------------------------------------------------------------------------------------------------


def test_the_text():
    lines = str(EV.all).splitlines()
    assert lines[0].startswith("Exact match ")
    assert "300 cases" in lines
    assert max(map(len, lines)) <= 80
    assert any(line.startswith("Exact match  ") for line in lines)
    assert "all the accuracy" not in str(EV.all)
    for label in range(4):
        cases = TRUTH[:, label].sum()
        assert any(line.split()[:2] == [str(label), str(cases)] for line in lines)


def test_json():
    answer = strict(EV.to_json())
    assert answer == EV.to_dict()
    assert not answer.keys() & {"matrix", "counts", "threshold", "rule", "score_kind"}
    assert list(answer["measures"]) == ["exact_match", *ON_SCREEN]
    assert list(answer["classes"]) == ["0", "1", "2", "3"]
    for kind, found in answer["averages"].items():
        assert found == {name: EV.averages[kind][name].to_dict() for name in NAMES}


def test_many_labels_are_told_in_short():
    random = np.random.default_rng(1)
    truth = (random.random((2000, 150)) < 0.2).astype(int)
    result = evaluate(truth=truth, predicted=np.where(random.random(truth.shape) < 0.9, truth, 1 - truth))
    lines = str(result).splitlines()
    assert len(lines) <= 36
    assert max(map(len, lines)) <= 80
    assert "more: result.all)" in str(result)


def test_labels_are_escaped():
    names = ("<b>", "<script>alert('1')</script>", "&amp;", '"<i>')
    html = evaluate(truth=frame(TRUTH, columns=names), predicted=CALLED)._repr_html_()
    assert "<script" not in html
    assert "<b>" not in html
    assert "&lt;b&gt;" in html


def test_groups_and_folds_are_measured_as_by_themselves():
    place, weight = np.arange(300) % 3, np.linspace(0.5, 2, 300)
    for weights in ({}, {"weight": weight}, {"weight": place, "weight_kind": "count"}):
        table = evaluate(truth=TRUTH, predicted=CALLED, by=place, **weights)
        folds = evaluate(truth=TRUTH, predicted=CALLED, fold=place, **weights)
        for part in (1, 2):
            rows = place == part
            own = {name: one[rows] for name, one in weights.items() if name == "weight"}
            alone = evaluate(truth=TRUTH[rows], predicted=CALLED[rows], **{**weights, **own})
            for name in ("exact_match", "macro_f1"):
                for found in (table[str(part)][name], folds[str(part)][name]):
                    assert found.value == pytest.approx(alone[name].value, rel=1e-12)
                    assert found.low == pytest.approx(alone[name].low, rel=1e-12)
        values = [one["exact_match"].value for one in folds.values()]
        assert folds.means["exact_match"].value == pytest.approx(np.mean(values))


def test_groups_of_several_models_have_a_table_each():
    table = evaluate(truth=TRUTH, predicted={"a": CALLED, "b": TRUTH}, by=np.arange(300) % 2)
    assert table["b"]["1"]["exact_match"].value == 1
    assert "exact match" in str(table).lower()
