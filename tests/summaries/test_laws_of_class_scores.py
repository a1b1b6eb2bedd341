"""A score per class: a value that adds up; what its columns are called, and what is not such a table."""

import copy
import json
import math
import pickle
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, strategies as st
from looping import for_each
from refusals import refuses
from strategies import SCORES, class_scores, nothing

from tallymark import ClassScores, ConfusionMatrix, InputError, RankingTable
from tallymark.summaries import add_up

RANDOM = np.random.default_rng(1)
TRUTH, SCORE = [0, 1, 2, 0, 1, 2], RANDOM.random((6, 3))
SCORE = SCORE[SCORE[:, 0].argsort()]  # the order in which a table holds its cases
WORDS = ["cat", "dog", "bird", "dog", "cat", "bird"]


def table(**given):
    return ClassScores.from_arrays(**{"truth": TRUTH, "score": SCORE} | given)


def arrays(summary):
    return summary.truth, summary.score, summary.weight


def same_cases(one, other):
    assert one.labels == other.labels
    for mine, theirs in zip(arrays(one), arrays(other), strict=True):
        assert mine.dtype == theirs.dtype
        np.testing.assert_array_equal(mine, theirs)


@st.composite
def rows(draw, max_size=8):
    """Lists of (truth, scores, weight) of three classes."""
    score = st.tuples(*[st.sampled_from(SCORES)] * 3)
    return draw(
        st.lists(st.tuples(st.integers(0, 2), score, st.sampled_from([0.5, 1.0, 3.0])), max_size=max_size)
    )


def of(cases):
    if not cases:
        return nothing(ClassScores)
    truth, score, weight = zip(*cases, strict=True)
    return ClassScores.from_arrays(truth=truth, score=score, weight=weight, classes=range(3))


# Addition
# --------------------------------------------------------------------------------------------------


@given(a=rows(), b=rows(), c=rows())
def test_a_sum_is_the_table_of_all_cases(a, b, c):
    same_cases(of(a) + of(b), of(a + b))
    same_cases((of(a) + of(b)) + of(c), of(a) + (of(b) + of(c)))
    same_cases(sum([of(a), of(b), of(c)]), of(a + b + c))


@given(a=rows())
def test_nothing_added_changes_nothing(a):
    same_cases(of(a) + of([]), of(a))
    same_cases(of([]) + of(a), of(a))


@given(parts=st.lists(rows(), min_size=1, max_size=7))
def test_parts_that_are_added_up_are_the_whole(parts):
    same_cases(add_up(map(of, parts)), of([case for part in parts for case in part]))
    assert add_up([]) is None


def test_addition_leaves_its_operands_alone():
    one, other = table(), table()
    total = one + other
    same_cases(one, other)
    assert not any(
        np.shares_memory(mine, part) for mine in arrays(total) for part in (*arrays(one), *arrays(other))
    )


@pytest.mark.parametrize("other", [1, "a", None, [], 0.5, RankingTable.empty(), ConfusionMatrix.empty()])
def test_only_its_own_kind_can_be_added(other):
    with pytest.raises(TypeError):
        table() + other


@pytest.mark.parametrize("classes", [[2, 1, 3], ["0", "1", "2"], range(4), range(2)])
def test_other_columns_cannot_be_added(classes):
    other = ClassScores(tuple(classes), np.zeros(1, np.int64), np.zeros((1, len(classes))), np.ones(1))
    with refuses("mismatch", argument="classes"):
        table() + other


def test_the_same_columns_in_another_order_can_be_added():
    whole = table()
    turned = table(score=SCORE[:, [2, 0, 1]], classes=[whole.labels[i] for i in (2, 0, 1)])
    assert turned.labels != whole.labels
    assert whole + turned == whole + whole
    assert ClassScores.empty() + ClassScores.empty() == ClassScores.empty()


@given(some=class_scores(), factor=st.sampled_from([0.5, 3, 1e9]))
def test_times_a_number(some, factor):
    times = some * factor
    assert times.total == pytest.approx(some.total * factor, rel=1e-12)
    np.testing.assert_array_equal(times.weight, some.weight * factor)
    assert (times.score is some.score) or not times.score.flags.writeable


# Values
# --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "summary", [table(), table(weight=SCORE[:, 0]), table(truth=WORDS), nothing(ClassScores)]
)
def test_pickle_and_copy_round_trips(summary):
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(summary, protocol))
        same_cases(again, summary)
        assert all(not array.flags.writeable for array in arrays(again))
    same_cases(copy.deepcopy(summary), summary)


JSON = {
    "plain": table(),
    "text": table(truth=WORDS),
    "booleans": table(truth=[True, False] * 3, score=SCORE[:, :2]),
    "infinite": table(score=np.where(SCORE > 0.5, np.inf, -np.inf)),
    "fractions": table(weight=SCORE[:, 0]),
    "classes of an array": table(classes=np.array([2, 0, 1])),
    "no cases": nothing(ClassScores),
}


@pytest.mark.parametrize("summary", JSON.values(), ids=JSON)
def test_json_round_trip(summary):
    text = summary.to_json()
    json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is not strict JSON"))
    again = ClassScores.from_json(text)
    same_cases(again, summary)
    assert [type(label) for label in again.labels] == [type(label) for label in summary.labels]
    assert again == summary


@pytest.mark.parametrize("summary", [table(), table() + table(), table() * 2, nothing(ClassScores)])
def test_frozen(summary):
    for name in ("labels", "truth", "score", "weight", "new"):
        with pytest.raises(AttributeError, match=name):
            setattr(summary, name, 1)
    for array in (*arrays(summary), *summary._ranked, summary.sizes):
        assert not array.size or not array.flags.writeable


@pytest.mark.parametrize("name", ["labels", "truth", "score", "weight"])
def test_attributes_cannot_be_deleted(name):
    with pytest.raises(AttributeError):
        delattr(table(), name)


def test_what_was_passed_in_is_copied_and_stays_writable():
    truth, score, weight = np.array(TRUTH), SCORE.copy(), np.ones(6)
    summary = table(truth=truth, score=score, weight=weight)
    for array in (truth, score, weight):
        array[...] = 0
    same_cases(summary, table(weight=np.ones(6)))


def test_equality():
    assert table() == table() == pickle.loads(pickle.dumps(table()))
    assert table() != table(classes=[2, 1, 0])
    assert table() != table(weight=[2, 1, 1, 1, 1, 1])
    assert table() != table(truth=TRUTH[::-1])
    assert table() != None  # noqa: E711  # the comparison itself is meant


def test_repr_is_one_short_line():
    assert repr(table()) == "ClassScores(6 cases, 3 classes)"


# Columns
# --------------------------------------------------------------------------------------------------


def test_columns_are_those_of_the_sorted_labels():
    assert table().labels == (0, 1, 2)
    assert table(truth=WORDS).labels == ("bird", "cat", "dog")
    assert table(truth=WORDS).truth.tolist() == [1, 2, 0, 2, 1, 0]
    assert table(truth=[2.5, 0.5, 1.5] * 2).labels == (0.5, 1.5, 2.5)
    assert table(truth=[True, False] * 3, score=SCORE[:, :2]).labels == (False, True)


def test_columns_in_another_order():
    turned = table(classes=[2, 0, 1])
    assert turned.labels == (2, 0, 1)
    assert turned.truth.tolist() == [1, 2, 0, 1, 2, 0]
    again = table(score=SCORE[:, [1, 2, 0]])
    for label in range(3):
        assert turned.one_vs_rest(label) == again.one_vs_rest(label)
    assert table(truth=WORDS, classes=("dog", "bird", "cat")).truth.tolist() == [2, 0, 1, 0, 2, 1]


def test_numbers_may_be_named_by_texts():
    """As on the command line, which knows nothing else."""
    named = table(classes=["2", "0", "1"])
    for label in range(3):
        assert named.one_vs_rest(label) == table(classes=[2, 0, 1]).one_vs_rest(label)


def test_numbers_may_be_named_by_texts_where_a_class_has_no_case():
    named = table(truth=[0, 1] * 3, classes=["0", "2", "1"])
    assert named.labels == (0, 2, 1)
    assert named.confusion().labels == (0, 1, 2)


def test_a_class_may_have_a_column_and_no_case():
    some = table(score=RANDOM.random((6, 5)), classes=[4, 0, 2, 1, 3])
    assert some.sizes.tolist() == [0, 2, 2, 2, 0]
    assert some.represented == 2
    assert len(some) == 5


@pytest.mark.parametrize(
    "labels",
    [[2**60, 2**60 + 1, 2**60 + 2], [-5, 0, 300], [0.5, 1.5, 2.5], ["!", "0", "ü <&"], ["a", "a\0", "b"]],
)
def test_labels_of_every_kind_stay_apart(labels):
    truth = [labels[i] for i in TRUTH]
    for classes in (None, labels, labels[::-1]):
        some = table(truth=truth, classes=classes)
        assert [some.labels[code] for code in some.truth] == truth
        assert [type(label) for label in some.labels] == [type(labels[0])] * 3


def test_categories():
    pandas = pytest.importorskip("pandas")
    some = table(truth=pandas.Categorical(WORDS, categories=["dog", "unused", "cat", "bird"]))
    assert some.labels == ("bird", "cat", "dog")


@pytest.mark.parametrize("kind", ["float32", "float16", "int8", "bool", "object"])
def test_scores_stay_floats_of_their_size_and_are_float64_else(kind):
    score = np.round(10 * SCORE).astype(kind)
    some = table(score=score)
    assert some.score.dtype == (kind if kind.startswith("float") else np.float64)
    assert ClassScores.from_json(some.to_json()).score.dtype == some.score.dtype
    assert sorted(some.score.tolist()) == sorted(score.astype(float).tolist())


@pytest.mark.parametrize(
    "score",
    [SCORE.tolist(), [list(row) for row in SCORE], tuple(map(tuple, SCORE)), np.asfortranarray(SCORE)],
)
def test_rows_in_any_sequence(score):
    same_cases(table(score=score), table())


def test_the_columns_of_a_frame_that_bear_the_names_of_the_labels():
    """Whatever their order: else a table of pandas would be read wrongly without a word."""
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(SCORE, columns=["dog", "bird", "cat"])
    some, wanted = (
        table(truth=WORDS, score=frame),
        table(truth=WORDS, score=SCORE, classes=["dog", "bird", "cat"]),
    )
    for label in ("cat", "dog", "bird"):
        assert some.one_vs_rest(label) == wanted.one_vs_rest(label)


# What it says of the cases
# --------------------------------------------------------------------------------------------------


@given(some=class_scores())
def test_one_class_against_the_rest(some):
    for i, label in enumerate(some.labels):
        wanted = RankingTable.from_arrays(truth=some.truth == i, score=some.score[:, i], weight=some.weight)
        assert some.one_vs_rest(label) == wanted
    assert some.sizes.tolist() == [math.fsum(some.weight[some.truth == i]) for i in range(len(some))]
    assert some.total == pytest.approx(some.weight.sum(), rel=1e-15)


@given(some=class_scores(fractional=False))
def test_every_case_is_called_the_first_class_of_its_highest_score(some):
    called, ambiguous = some.predicted()
    best = [max(range(len(some)), key=lambda i, row=row: (row[i], -i)) for row in some.score.tolist()]
    assert called.tolist() == best
    assert ambiguous == sum(row.count(max(row)) > 1 for row in some.score.tolist())
    matrix = some.confusion()
    for i, row in enumerate(some.labels):
        for j, column in enumerate(some.labels):
            cell = matrix.weights[matrix.labels.index(row), matrix.labels.index(column)]
            assert cell == sum((a, b) == (i, j) for a, b in zip(some.truth, best, strict=True))


def test_ambiguous_cases_count_by_their_weight():
    some = table(
        score=[[1, 1, 0], [0, 1, 1], [0, 0, 1], [1, 1, 1], [0, 0, 0], [1, 0, 0]], weight=[0.5, 1, 2, 4, 8, 16]
    )
    assert some.predicted()[1] == 13.5


@given(some=class_scores())
def test_ranks_are_places_and_ties(some):
    place, ties = some.ranks()
    first, last = 2 * [np.broadcast_to(np.arange(place.shape[1]), place.shape)] if ties is None else ties
    place, first, last = place.T, first.T, last.T
    for j in range(len(some)):
        column = some.score[place[:, j], j]
        assert sorted(place[:, j].tolist()) == list(range(len(column)))
        assert (np.diff(column) <= 0).all()
        for i, score in enumerate(column):
            ties = np.flatnonzero(column == score)
            assert (first[i, j], last[i, j]) == (ties[0], ties[-1])


def test_no_cases():
    none = nothing(ClassScores)
    assert none.total == none.represented == 0
    assert none.predicted()[1] == 0
    assert none.confusion() == ConfusionMatrix((0, 1, 2), np.zeros((3, 3)))


# Weights
# --------------------------------------------------------------------------------------------------


def test_cases_of_weight_zero_leave_no_trace():
    kept = [0, 2, 3, 5]
    weight = np.zeros(6)
    weight[kept] = 0.5
    wanted = table(truth=np.array(TRUTH)[kept], score=SCORE[kept], weight=np.full(4, 0.5), classes=range(3))
    same_cases(table(weight=weight, classes=range(3)), wanted)
    # as without these rows, in which alone the second class occurs
    with refuses("wrong-shape", "classes="):
        table(weight=weight)


@pytest.mark.parametrize("weight", [[1] * 6, [True] * 6, [Fraction(1)] * 6, np.ones(6, "float32")])
def test_weights_of_any_type(weight):
    same_cases(table(weight=weight), table())


# What is not such a table
# --------------------------------------------------------------------------------------------------

NAN = float("nan")
GAP = [[0.1, NAN, 0.2], *SCORE[1:].tolist()]
BAD = {
    "a label without a column": ({"truth": [0, 1, 3, 0, 1, 2], "classes": [0, 1, 2]},
        "truth 3 no class classes="),
    "a label without a column, not named": ({"truth": [0, 1, 3, 0, 1, 2]},
        "score 3 columns 4 classes (0, 1, 2, 3) classes="),
    "more columns than labels": ({"truth": [0, 1] * 3}, "score 3 columns 2 classes (0, 1) classes="),
    "fewer columns than labels": ({"score": SCORE[:, :2]}, "score 2 columns 3 classes classes="),
    "fewer classes than columns": ({"truth": [0, 1] * 3, "classes": [0, 1]},
        "score 3 columns 2 classes classes="),
    "a text without a column": ({"truth": WORDS, "classes": ["cat", "dog", "fox"]},
        "truth 'bird' no class 'fox' classes="),
    "other numbers named by texts": ({"classes": ["0", "1", "3"]}, "truth 2 no class"),
    "a class twice": ({"classes": [0, 1, 1]}, "classes [0, 1, 1] twice"),
    "a number for classes": ({"classes": 3}, "classes 3"),
    "a text for classes": ({"truth": list("abcabc"), "classes": "cab"}, "classes 'cab'"),
    "a missing score": ({"score": GAP}, "score missing row 0"),
    "a missing score in an array": ({"score": np.array(GAP)}, "score missing row 0"),
    "a score of None": ({"score": [[0.1, None, 0.2], *SCORE[1:].tolist()]}, "score missing row 0"),
    "a missing label": ({"truth": [0, 1, None, 0, 1, 2]}, "truth missing row 2"),
    "a missing weight": ({"weight": [1, NAN, 1, 1, 1, 1]}, "weight row 1"),
    "fewer labels": ({"truth": TRUTH[:5], "classes": range(3)}, "truth 5 rows score 6"),
    "fewer weights": ({"weight": [1] * 5}, "truth 6 rows weight 5"),
    "no cases": ({"truth": [], "score": np.empty((0, 3)), "classes": range(3)}, "truth no rows"),
    "one column": ({"score": SCORE[:, 0]}, "score"),
    "three dimensions": ({"score": SCORE[None]}, "score"),
    "rows of different lengths": ({"score": [[1, 2, 3], [1, 2], *SCORE[2:].tolist()]}, "rows of one length"),
    "text": ({"score": SCORE.astype(str)}, "score text convert"),
    "lists of text": ({"score": SCORE.astype(str).tolist()}, "score text"),
    "words": ({"score": [["high", "low", "low"]] * 6}, "score 'high' row 0 not a number"),
    "complex numbers": ({"score": SCORE + 1j}, "score not a number"),
    "negative weights": ({"weight": [1, 1, -1, 1, 1, 1]}, "weight -1.0 row 2 negative"),
    "infinite weights": ({"weight": [1, 1, np.inf, 1, 1, 1]}, "weight inf row 2"),
    "weights of text": ({"weight": list("111111")}, "weight '1' text"),
    "every weight 0": ({"weight": [0] * 6}, "weight 0 no case counts"),
}  # fmt: skip


@for_each(("given", "parts"), BAD.values(), ids=BAD)
def test_bad_input(given, parts):
    with pytest.raises(InputError) as refused:
        table(**given)
    text = str(refused.value)
    assert "\n" not in text
    assert len(text) < 300
    assert text.endswith(".")
    for word in parts.split():
        assert word.strip(",") in text, text


def test_arrays_by_name_alone():
    with refuses("by-position", argument="truth"):
        ClassScores.from_arrays(TRUTH, SCORE)


@pytest.mark.parametrize("label", [7, "0", None, [1]])
def test_a_class_that_is_none_against_the_rest(label):
    with pytest.raises(InputError):
        table().one_vs_rest(label)
