"""Summaries are values that add up: any split, in any order, gives what building at once gives."""

import json
import pickle
import random
from functools import reduce
from operator import add

import numpy as np
import pytest
from hypothesis import given, strategies as st
from looping import for_each
from refusals import refuses

from tallymark import BinnedTable, ConfusionMatrix, Counts, IndicatorTable, InputError, RankingTable
from tallymark.summaries import add_up

WEIGHTS = st.integers(0, 20).map(float)
FRACTIONS = st.floats(0, 10).map(lambda value: round(value, 3))
SCORES = st.sampled_from([0.0, -0.0, 0.25, 0.5, 1.0, -3.5, np.inf, -np.inf]) | st.floats(
    allow_nan=False, width=32
)


def rows(weights=WEIGHTS, max_size=25):
    """Lists of (truth, score, predicted, weight)."""
    return st.lists(st.tuples(st.integers(0, 1), SCORES, st.integers(0, 1), weights), max_size=max_size)


def counts_of(cases):
    """By hand, so that empty parts and parts of one class are fine too."""
    cell = dict.fromkeys(((1, 1), (0, 1), (1, 0), (0, 0)), 0.0)
    for truth, _, predicted, weight in cases:
        cell[truth, predicted] += weight
    tp, fp, fn, tn = cell.values()
    return Counts(tp=tp, fp=fp, fn=fn, tn=tn)


def table_of(cases):
    there = [case for case in cases if case[3] > 0]
    if not there:
        return RankingTable.empty()
    truth, score, _, weight = zip(*there, strict=True)
    kind = "count" if all(one == int(one) for one in weight) else None
    return RankingTable.from_arrays(truth=truth, score=score, weight=weight, weight_kind=kind)


def matrix_of(cases):
    there = [case for case in cases if case[3] > 0]
    if not there:
        return ConfusionMatrix.empty()
    truth, _, predicted, weight = zip(*there, strict=True)
    kind = "count" if all(one == int(one) for one in weight) else None
    return ConfusionMatrix.from_arrays(truth=truth, predicted=predicted, weight=weight, weight_kind=kind)


BUILD = {Counts: counts_of, RankingTable: table_of, ConfusionMatrix: matrix_of}
NOTHING = {Counts: Counts.zero, RankingTable: RankingTable.empty, ConfusionMatrix: ConfusionMatrix.empty}
every_kind = for_each("kind", BUILD, ids=lambda kind: kind.__name__)


def arrays(summary):
    if isinstance(summary, Counts):
        return [np.asarray(cell) for cell in (summary.tp, summary.fp, summary.fn, summary.tn)]
    if isinstance(summary, RankingTable):
        return [summary.score, summary.positive, summary.negative]
    return [summary.together if isinstance(summary, IndicatorTable) else summary.weights]


def assert_close(a, b):
    for mine, other in zip(arrays(a), arrays(b), strict=True):
        np.testing.assert_allclose(mine, other, rtol=1e-12, atol=1e-12)


# Addition
# --------------------------------------------------------------------------------------------------


@every_kind
@given(a=rows(), b=rows(), c=rows())
def test_sums_of_whole_weights_are_exact_in_any_order(kind, a, b, c):
    of = BUILD[kind]
    x, y, z = of(a), of(b), of(c)
    assert x + y == y + x == of(a + b)
    assert (x + y) + z == x + (y + z) == of(c + a + b)


@every_kind
@given(a=rows(FRACTIONS), b=rows(FRACTIONS), c=rows(FRACTIONS))
def test_sums_of_fractions_differ_by_rounding_alone(kind, a, b, c):
    of = BUILD[kind]
    x, y, z = of(a), of(b), of(c)
    assert_close(x + y, y + x)
    assert_close((x + y) + z, x + (y + z))
    assert_close((x + y) + z, of(a + b + c))


@every_kind
@given(cases=rows(FRACTIONS))
def test_nothing_added_changes_nothing(kind, cases):
    whole, nothing = BUILD[kind](cases), NOTHING[kind]()
    assert whole + nothing == nothing + whole == whole
    assert nothing + nothing == nothing == NOTHING[kind]()


@every_kind
@given(a=rows(), b=rows())
def test_addition_leaves_its_operands_alone(kind, a, b):
    x, y = BUILD[kind](a), BUILD[kind](b)
    total = x + y
    assert x == BUILD[kind](a)
    assert y == BUILD[kind](b)
    for mine in arrays(total):
        assert not any(np.shares_memory(mine, array) for array in (*arrays(x), *arrays(y)))


@every_kind
@given(cases=rows(max_size=40), seed=st.integers(0, 1000))
def test_any_split_in_any_order_is_building_at_once(kind, cases, seed):
    shuffle = random.Random(seed)
    shuffled = shuffle.sample(cases, len(cases))
    cuts = sorted(shuffle.choices(range(len(cases) + 1), k=4))
    parts = [BUILD[kind](shuffled[a:b]) for a, b in zip([0, *cuts], [*cuts, len(cases)], strict=True)]
    whole = BUILD[kind](cases)
    assert reduce(add, parts) == reduce(add, reversed(parts)) == whole
    assert sum(parts) == whole
    assert add_up(parts) == add_up(iter(parts[::-1])) == whole


@every_kind
def test_add_up_of_many_parts_and_of_none(kind):
    one = BUILD[kind]([(1, 0.5, 1, 1.0), (0, 0.5, 1, 2.0), (0, 0.25, 0, 1.0)])
    for number in (1, 2, 3, 7, 8, 33):
        assert add_up([one] * number) == BUILD[kind](
            number * [(1, 0.5, 1, 1.0), (0, 0.5, 1, 2.0), (0, 0.25, 0, 1.0)]
        )
    assert add_up([]) is None


@every_kind
@for_each("other", [1, "a", None, [], 0.5])
def test_only_its_own_kind_can_be_added(kind, other):
    with pytest.raises(TypeError):
        NOTHING[kind]() + other


def test_counts_of_arrays_add_entry_by_entry():
    a, b = Counts(tp=[1, 2], fp=[3, 4], fn=[5, 6], tn=[7, 8]), Counts(tp=1, fp=1, fn=0, tn=0)
    assert a + b == b + a == Counts(tp=[2, 3], fp=[4, 5], fn=[5, 6], tn=[7, 8])
    assert a.tp.tolist() == [1, 2]


def test_float32_and_float64_tables_add():
    single = RankingTable.from_arrays(truth=[0, 1], score=np.array([0.5, 0.25], np.float32))
    double = RankingTable.from_arrays(truth=[1, 1], score=np.array([0.5, 0.1]))
    total = single + double
    assert total.score.dtype == np.float64
    assert total.score.tolist() == [0.5, 0.25, 0.1]
    assert (single + single).score.dtype == np.float32


def test_whole_and_fractional_tables_add():
    whole = RankingTable.from_arrays(truth=[0, 1], score=[0.5, 0.25])
    total = whole + RankingTable.from_arrays(truth=[1, 0], score=[0.5, 0.25], weight=[0.5, 0.25])
    assert total.weighted
    assert not whole.weighted
    assert (total.positive.tolist(), total.negative.tolist()) == ([0.5, 1.0], [1.0, 0.25])


def test_matrices_of_different_classes_add():
    total = ConfusionMatrix(("a", "c"), [[1, 2], [3, 4]]) + ConfusionMatrix(("b", "c"), [[5, 6], [7, 8]])
    assert total.labels == ("a", "b", "c")
    assert total.weights.tolist() == [[1, 0, 2], [0, 5, 6], [3, 7, 12]]


# Values
# --------------------------------------------------------------------------------------------------

INF_TABLE = RankingTable.from_arrays(
    truth=[0, 1, 1, 0], score=[np.inf, 0.1, -np.inf, 0.1], weight=[0.5, 1, 2, 1 / 3]
)
SUMMARIES = {
    "counts": Counts(tp=1, fp=2.5, fn=0, tn=1 / 3),
    "counts of arrays": Counts(tp=[1, 2], fp=[0.1, 0], fn=[0, 0], tn=[3, 1e15]),
    "counts of tables": Counts(tp=np.ones((2, 3)), fp=0, fn=[1, 2, 3], tn=4),
    "counts of none": Counts(tp=[], fp=[], fn=[], tn=[]),
    "counts zero": Counts.zero(),
    "table": RankingTable.from_arrays(truth=[0, 1, 1], score=[0.1, 0.7, 0.7]),
    "table infinite": INF_TABLE,
    "table float32": RankingTable.from_arrays(
        truth=[0, 1, 1], score=np.array([0.1, 0.7, np.inf], np.float32)
    ),
    "table empty": RankingTable.empty(),
    "matrix": ConfusionMatrix(("x", "y", "ü <&"), [[1, 2.5, 0], [3, 4, 0], [0, 1 / 3, 0]]),
    "matrix of numbers": ConfusionMatrix((3, 1, 2), np.arange(9).reshape(3, 3)),
    "matrix of booleans": ConfusionMatrix((False, True), [[1, 2], [3, 4]]),
    "matrix empty": ConfusionMatrix.empty(),
    "matrix times": ConfusionMatrix(("x", "y"), [[1, 2], [3, 4]]) * 0.5,
    "indicators": IndicatorTable.from_arrays(truth=[[1, 0], [1, 1]], predicted=[[0, 1], [1, 1]]),
    "indicators weighted": IndicatorTable.from_arrays(
        truth=[[1, 0]] * 3, predicted=[[1, 1]] * 3, weight=[1, 0.1, 2], labels="ab"
    ),
}
every_summary = for_each("summary", SUMMARIES.values(), ids=SUMMARIES)


def types(summary):
    return [array.dtype for array in arrays(summary)]


@every_summary
def test_pickle_round_trip(summary):
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(summary, protocol))
        assert again == summary
        assert types(again) == types(summary)
        assert all(not array.flags.writeable for array in arrays(again) if array.ndim)


@every_summary
def test_json_round_trip(summary):
    text = summary.to_json()
    json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is not strict JSON"))
    again = type(summary).from_json(text)
    assert again == summary
    assert types(again) == types(summary)
    assert again.to_json() == text


@given(cases=rows(FRACTIONS))
def test_round_trips_of_anything(cases):
    for build in BUILD.values():
        summary = build(cases)
        assert type(summary).from_json(summary.to_json()) == summary
        assert pickle.loads(pickle.dumps(summary)) == summary


def test_labels_keep_their_type_through_json():
    for labels in ((False, True), (0, 1), (0.5, 1.5), ("0", "1")):
        again = ConfusionMatrix.from_json(ConfusionMatrix(labels, [[1, 2], [3, 4]]).to_json())
        assert again.labels == labels
        assert [type(label) for label in again.labels] == [type(label) for label in labels]


@every_summary
def test_frozen(summary):
    for name in ("tp", "tn", "score", "positive", "labels", "weights", "new"):
        with pytest.raises((AttributeError, TypeError)):
            setattr(summary, name, 1)
    for array in arrays(summary):
        if array.ndim and array.size:
            with pytest.raises(ValueError, match="read-only"):
                array[...] = 0


@every_kind
def test_results_of_addition_are_read_only_too(kind):
    cases = [(1, 0.5, 1, 1.0), (0, 0.25, 0, 1.0)]
    total = BUILD[kind](cases) + BUILD[kind](cases)
    assert all(
        not array.flags.writeable for array in arrays(total) if isinstance(array, np.ndarray) and array.ndim
    )


@every_summary
def test_attributes_cannot_be_deleted(summary):
    again = type(summary).from_json(summary.to_json())
    for name in ("tp", "score", "labels"):
        if hasattr(again, name):
            with pytest.raises((AttributeError, TypeError)):
                delattr(again, name)


def test_arrays_of_counts_are_read_only_wherever_they_come_from():
    counts, table = SUMMARIES["counts of arrays"], SUMMARIES["table"]
    for result in (
        counts + counts,
        counts * 2,
        counts[:1],
        counts.swap_classes(),
        table.sweep(),
        table.sweep()[1:],
    ):
        assert not result.tp.flags.writeable
    assert not SUMMARIES["matrix"].one_vs_rest().tp.flags.writeable


def test_what_was_passed_in_is_copied():
    cells = np.ones(3)
    counts = Counts(tp=cells, fp=0, fn=0, tn=0)
    weights = np.ones((2, 2))
    matrix = ConfusionMatrix((0, 1), weights)
    score, positive = np.array([2.0, 1.0]), np.array([1.0, 1.0])
    table = RankingTable(score, positive, positive)
    for array in (cells, weights, score, positive):
        array[...] = 7
    assert counts.tp.tolist() == [1, 1, 1]
    assert matrix.total == 4
    assert table.score.tolist() == [2, 1]
    assert table.positive.tolist() == [1, 1]


def test_from_arrays_does_not_hold_on_to_its_input():
    score = np.array([3.0, 2.0, 1.0])
    table = RankingTable.from_arrays(truth=[1, 0, 1], score=score)
    score[:] = 0
    assert table.score.tolist() == [3, 2, 1]


@every_summary
def test_equality(summary):
    assert summary == pickle.loads(pickle.dumps(summary))
    for other in (None, 1, "counts", *(s for s in SUMMARIES.values() if s is not summary)):
        assert summary != other


@every_summary
def test_repr_is_one_short_line(summary):
    text = repr(summary)
    assert text.startswith(type(summary).__name__ + "(")
    assert "\n" not in text
    assert len(text) < 120


def test_equal_counts_have_one_hash():
    for a, b in (
        ((1, 2, 3, 4), (1.0, 2.0, 3.0, 4.0)),
        (([1, 2], 0, 0, 0), ([1, 2], [0, 0], 0, 0)),
        ((0,) * 4, (-0.0,) * 4),
    ):
        x, y = (Counts(**dict(zip(("tp", "fp", "fn", "tn"), cells, strict=True))) for cells in (a, b))
        assert x == y
        assert hash(x) == hash(y)


def test_counts_of_zeros_of_either_sign_in_arrays_have_one_hash():
    x, y = (Counts(tp=[zero], fp=[1], fn=[1], tn=[1]) for zero in (0.0, -0.0))
    assert x == y
    assert hash(x) == hash(y)


# Counts
# --------------------------------------------------------------------------------------------------


def test_cells_broadcast():
    counts = Counts(tp=[1, 2, 3], fp=1, fn=[[1], [2]], tn=0)
    assert counts.tp.shape == counts.fp.shape == counts.fn.shape == counts.tn.shape == (2, 3)
    assert counts.total.tolist() == [[3, 4, 5], [4, 5, 6]]


def test_indexing_gives_counts():
    counts = Counts(tp=[1, 2, 3], fp=[4, 5, 6], fn=0, tn=1)
    assert counts[1] == Counts(tp=2, fp=5, fn=0, tn=1)
    assert isinstance(counts[1].tp, float)
    assert counts[-1].tp == 3
    assert counts[1:] == Counts(tp=[2, 3], fp=[5, 6], fn=0, tn=1)
    assert counts[np.array([True, False, True])].tp.tolist() == [1, 3]
    with pytest.raises(IndexError):
        counts[3]


def test_cells_that_are_numbers_stay_floats():
    for value in (3, 3.0, np.int64(3), np.float32(3), np.uint8(3), True, np.array(3)):
        assert type(Counts(tp=value, fp=0, fn=0, tn=0).tp) is float


def test_margins_sums_and_swaps():
    counts = Counts(tp=70, fp=20, fn=30, tn=80)
    assert (counts.positives, counts.negatives, counts.total) == (100, 100, 200)
    assert counts.swap_classes() == Counts(tp=80, fp=30, fn=20, tn=70)
    assert counts.swap_truth() == Counts(tp=70, fp=30, fn=20, tn=80)
    assert counts.swap_classes().swap_classes() == counts.swap_truth().swap_truth() == counts
    assert counts * 2 == Counts(tp=140, fp=40, fn=60, tn=160)
    assert Counts(tp=[1, 2], fp=[3, 4], fn=0, tn=1).sum() == Counts(tp=3, fp=7, fn=0, tn=2)


@given(rows(max_size=40))
def test_swaps_are_what_swapped_columns_give(cases):
    counts = counts_of(cases)
    assert counts.swap_truth() == counts_of(
        [(called, score, truth, weight) for truth, score, called, weight in cases]
    )
    assert counts.swap_classes() == counts_of(
        [(1 - truth, s, 1 - called, weight) for truth, s, called, weight in cases]
    )


@for_each("cell", [-1, np.nan, np.inf, "1", None, [1, -1], [1, np.nan], 1j, [[1, 2], [3]], object()])
def test_cells_that_no_count_can_have(cell):
    with pytest.raises(InputError, match=r"^fn: [^\n]+$"):
        Counts(tp=1, fp=1, fn=cell, tn=1)


def test_cells_whose_shapes_do_not_fit():
    with refuses("wrong-shape", argument="tp, fp, fn, tn"):
        Counts(tp=[1, 2], fp=[1, 2, 3], fn=1, tn=1)


def test_counts_from_arrays():
    truth, score = [1, 1, 0, 0, 1], [0.9, 0.5, 0.5, 0.1, 0.2]
    expected = Counts(tp=2, fp=1, fn=1, tn=1)
    assert Counts.from_arrays(truth=truth, score=score, threshold=0.5) == expected
    assert Counts.from_arrays(truth=truth, predicted=[1, 1, 1, 0, 0]) == expected
    assert Counts.from_arrays(truth=list("yynny"), predicted=list("yyynn"), positive="y") == expected
    assert Counts.from_arrays(
        truth=truth, predicted=[True, True, True, False, False], weight=[2, 0, 1, 3, 0.5]
    ) == Counts(tp=2, fp=1, fn=0.5, tn=3, squares=Counts(tp=4, fp=1, fn=0.25, tn=9))


# RankingTable
# --------------------------------------------------------------------------------------------------


@given(rows(FRACTIONS, max_size=40).filter(lambda cases: any(case[3] > 0 for case in cases)))
def test_sweep_is_the_counts_at_every_threshold(cases):
    table = table_of(cases)
    sweep, thresholds = table.sweep(), table.thresholds
    assert len(thresholds) == len(table) + 1
    assert sweep.tp.shape == thresholds.shape
    for i, threshold in enumerate(thresholds.tolist()):
        if i == 0 and table.score[0] == np.inf:
            continue  # the first threshold stands for "above every score", which no number is here
        at = table.counts_at(threshold)
        assert_close(sweep[i], at)
        assert_close(
            at, counts_of([(truth, s, int(s >= threshold), weight) for truth, s, _, weight in cases])
        )
    assert (sweep.tp[0], sweep.fp[0]) == (0, 0)
    assert (sweep.fn[-1], sweep.tn[-1]) == (0, 0)
    for cell in arrays(sweep):
        assert (cell >= 0).all()


@given(rows(max_size=40).filter(lambda cases: any(case[3] > 0 for case in cases)), SCORES)
def test_counts_at_any_threshold(cases, threshold):
    expected = counts_of([(truth, s, int(s >= threshold), weight) for truth, s, _, weight in cases])
    assert table_of(cases).counts_at(threshold) == expected


def test_the_table_by_hand():
    table = RankingTable.from_arrays(truth=[1, 0, 1, 0, 0], score=[0.9, 0.5, 0.5, 0.5, 0.1])
    assert table.score.tolist() == [0.9, 0.5, 0.1]
    assert table.positive.tolist() == [1, 1, 0]
    assert table.negative.tolist() == [0, 2, 1]
    assert (table.positives, table.negatives, table.total, len(table)) == (2, 3, 5, 3)
    assert table.thresholds.tolist() == [np.inf, 0.9, 0.5, 0.1]
    assert table.sweep() == Counts(tp=[0, 1, 2, 2], fp=[0, 0, 2, 3], fn=[2, 1, 0, 0], tn=[3, 3, 1, 0])
    assert table.positive.dtype == np.int64


def test_a_threshold_is_rounded_to_the_type_of_the_scores():
    table = RankingTable.from_arrays(truth=[1, 0], score=np.array([0.1, 0.0], np.float32))
    assert table.counts_at(0.1) == Counts(tp=1, fp=0, fn=0, tn=1)


@pytest.mark.parametrize("threshold", [1e300, -1e300])
def test_a_threshold_beyond_the_range_of_the_scores_type(threshold):
    table = RankingTable.from_arrays(truth=[1, 0], score=np.array([0.1, 0.0], np.float32))
    assert table.counts_at(threshold).positives == 1


def test_rows_of_weight_zero_leave_no_trace():
    table = RankingTable.from_arrays(truth=[1, 0, 0], score=[0.9, 0.5, 0.1], weight=[1, 0, 2])
    assert table.score.tolist() == [0.9, 0.1]


def test_a_weight_of_two_is_the_row_twice():
    cases = {"truth": [1, 0], "score": [0.9, 0.5], "weight": [2, 1]}
    twice = RankingTable.from_arrays(**cases, weight_kind="count")
    assert RankingTable.from_arrays(**cases) == RankingTable.from_arrays(**cases, weight_kind="importance")
    assert twice != RankingTable.from_arrays(**cases)
    assert twice == RankingTable.from_arrays(truth=[1, 0, 1], score=[0.9, 0.5, 0.9])
    assert twice.positive.dtype == np.int64


@pytest.mark.parametrize(
    ("arrays", "said"),
    [
        (([1.0, 2.0], [1, 1], [1, 1]), "distinct and descend"),
        (([1.0, 1.0], [1, 1], [1, 1]), "distinct and descend"),
        (([np.nan], [1], [1]), "distinct and descend|missing"),
        (([1.0], [1, 1], [1]), "one weight of each class"),
        (([1.0], [-1], [1]), "positive: -1"),
        (([1.0], [1], [np.inf]), "negative: inf"),
        ((["a"], [1], [1]), "'a'"),
    ],
)
def test_arrays_that_are_no_table(arrays, said):
    with pytest.raises(InputError, match=said):
        RankingTable(*arrays)


# ConfusionMatrix
# --------------------------------------------------------------------------------------------------


@for_each(
    ("labels", "kind"),
    [
        ((False, True), bool), ((0, 1), int), ((-1, 1), int), ((1, 2), int), ((0, 1, 2), int),
        ((-5, 0, 300), int), ((0.0, 1.0), float), ((0.5, 1.5, 2.5), float), (("no", "yes"), str),
        (("a", "b", "é"), str), (("!", "0", "1"), str),
    ],
)  # fmt: skip
@for_each("weighted", [False, True])
def test_matrix_of_labels_of_every_kind(labels, kind, weighted):
    draw = random.Random(1)
    truth, predicted = draw.choices(labels, k=60), draw.choices(labels, k=60)
    weight = [draw.randrange(4) for _ in truth] if weighted else None
    matrix = ConfusionMatrix.from_arrays(truth=truth, predicted=predicted, weight=weight)
    assert matrix.labels == tuple(sorted(labels))
    assert all(type(label) is kind for label in matrix.labels)
    for i, row in enumerate(matrix.labels):
        for j, column in enumerate(matrix.labels):
            hits = [a == row and b == column for a, b in zip(truth, predicted, strict=True)]
            assert matrix.weights[i, j] == sum(np.multiply(hits, weight or 1))


def test_matrix_of_categories():
    pandas = pytest.importorskip("pandas")
    truth = pandas.Categorical(["b", "a", "b", "c"], categories=["c", "b", "a", "unused"])
    matrix = ConfusionMatrix.from_arrays(
        truth=truth, predicted=pandas.Series(["b", "b", "c", "c"], dtype="category")
    )
    assert matrix.labels == ("a", "b", "c")
    assert matrix.weights.tolist() == [[0, 1, 0], [0, 1, 1], [0, 0, 1]]


def test_labels_are_sorted_with_their_rows():
    assert ConfusionMatrix(("b", "a"), [[1, 2], [3, 4]]) == ConfusionMatrix(("a", "b"), [[4, 3], [2, 1]])


def test_matrix_of_booleans_and_numbers_is_one_of_numbers():
    matrix = ConfusionMatrix.from_arrays(truth=[True, False, True], predicted=[1, 0, 0])
    assert matrix.labels == (0, 1)
    assert matrix.weights.tolist() == [[1, 0], [1, 1]]


def test_labels_that_end_in_a_null_character_stay_apart():
    matrix = ConfusionMatrix.from_arrays(truth=["a\0", "a"], predicted=["a", "a"])
    assert matrix.labels == ("a", "a\0")


def test_large_labels_stay_apart():
    low, high = 2**60, 2**60 + 1
    matrix = ConfusionMatrix.from_arrays(truth=[low, high, high], predicted=[low, low, high])
    assert matrix.labels == (low, high)
    assert matrix.weights.tolist() == [[1, 0], [1, 1]]


def test_one_against_the_rest():
    matrix = ConfusionMatrix(("a", "b", "c"), [[5, 1, 0], [2, 6, 3], [0, 0, 7]])
    counts = matrix.one_vs_rest()
    assert counts == Counts(tp=[5, 6, 7], fp=[2, 1, 3], fn=[1, 5, 0], tn=[16, 12, 14])
    assert (counts.total == matrix.total).all()


def test_two_classes_as_counts():
    matrix = ConfusionMatrix(("no", "yes"), [[80, 20], [30, 70]])
    assert matrix.counts("yes") == Counts(tp=70, fp=20, fn=30, tn=80)
    assert matrix.counts("no") == matrix.counts("yes").swap_classes()
    assert matrix.one_vs_rest()[1] == matrix.counts("yes")
    numbers = ConfusionMatrix((0, 1), [[80, 20], [30, 70]])
    assert (
        numbers.counts()
        == numbers.counts(1)
        == numbers.counts("1")
        == numbers.counts(True)
        == matrix.counts("yes")
    )


def test_one_class_as_counts():
    assert ConfusionMatrix((1,), [[5]]).counts() == Counts(tp=5, fp=0, fn=0, tn=0)
    assert ConfusionMatrix((0,), [[5]]).counts() == Counts(tp=0, fp=0, fn=0, tn=5)


@pytest.mark.parametrize(
    ("labels", "positive", "said"),
    [
        (("bad", "good"), None, "which label is the positive one"),
        (
            ("no", "yes"),
            "yess",
            r"'yess' does not occur \(did you mean 'yes'\?\); the labels are 'no', 'yes'",
        ),
        ((0, 1, 2), 1, "3 classes"),
    ],
)
def test_counts_that_need_another_word(labels, positive, said):
    with pytest.raises(InputError, match=said):
        ConfusionMatrix(labels, np.ones((len(labels), len(labels)))).counts(positive)


@pytest.mark.parametrize(
    ("labels", "weights"),
    [
        (("a",), [[1, 2]]),
        (("a", "a"), np.ones((2, 2))),
        (("a", "b"), [[1, 2], [3, -4]]),
        (("a", 1), np.ones((2, 2))),
    ],
)
def test_arrays_that_are_no_matrix(labels, weights):
    with pytest.raises(InputError):
        ConfusionMatrix(labels, weights)


def test_matrices_of_text_and_of_numbers_do_not_add():
    with pytest.raises(InputError):
        ConfusionMatrix(("a",), [[1]]) + ConfusionMatrix((1,), [[1]])


@pytest.mark.parametrize("factor", [-1, np.nan, np.inf, "a", None])
@pytest.mark.parametrize("multiply", ["__mul__", "repeated"])
def test_other_multiples_are_refused(factor, multiply):
    scores = {"truth": [0, 1, 1], "score": [0.1, 0.4, 0.8]}
    tables = [kind.from_arrays(**scores) for kind in (RankingTable, BinnedTable)]
    for summary in (Counts(tp=1, fp=2, fn=3, tn=4), *tables):
        with pytest.raises(InputError) as refusal:
            getattr(summary, multiply)(factor)
        assert refusal.value.code == "invalid-value"
