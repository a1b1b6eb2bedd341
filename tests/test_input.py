"""Bad input: one sentence that names the argument, the value, the row, and the way out."""

import datetime
import decimal

import numpy as np
import pytest
from hypothesis import given, strategies as st
from looping import for_each

from tallymark import Counts, InputError, RankingTable, evaluate

Y, P = [0, 1, 1, 0], [0.1, 0.4, 0.8, 0.3]
NAN, INF = float("nan"), float("inf")
FRAME = {"label": Y, "risk": P}

BAD = {
    # missing columns and the wrong number of them
    "no argument": ({}, "score= predicted= given: none"),
    "truth alone": ({"truth": Y}, "exactly one of score= predicted="),
    "score and predicted": ({"truth": Y, "score": P, "predicted": Y},
        "exactly one given: score= and predicted="),
    "score alone": ({"score": P}, "truth pass truth="),
    "missing column": ({"data": FRAME, "truth": "lable", "score": "risk"},
        "truth no column 'lable' did you mean 'label'?"),
    "missing column, none near": ({"data": FRAME, "truth": "q", "score": "risk"},
        "truth no column 'q' 'label', 'risk'"),
    "name without data": ({"truth": "label", "score": P},
        "truth 'label' no data was given pass the data first"),
    "column by number": ({"data": FRAME, "truth": "label", "score": 1}, "score name one of its columns int"),
    "no frame": ({"data": 7, "truth": "label", "score": "risk"}, "data int pass a data frame"),
    # shapes and lengths
    "lengths": ({"truth": Y, "score": P[:3]}, "truth 4 rows score 3 one value per case"),
    "lengths of labels": ({"truth": Y, "predicted": Y * 2}, "truth 4 rows predicted 8"),
    "length of weights": ({"truth": Y, "score": P, "weight": [1]}, "truth 4 rows weight 1"),
    "lengths in a mapping": (
        {"data": {"label": Y, "risk": P[:3]}, "truth": "label", "score": "risk"},
        "truth (column 'label') 4 score (column 'risk') 3",
    ),
    "no rows": ({"truth": [], "score": []}, "truth no rows at least one case"),
    "no rows of labels": ({"truth": [], "predicted": []}, "truth no rows at least one case"),
    "two columns of scores": ({"truth": Y, "score": np.ones((4, 2))},
        "score row 0 hold 1 and 1 add up to 1 score[:, 1]"),
    "a single score": ({"truth": Y, "score": 0.5}, "score 0.5 one value per case list"),
    "a single label": ({"truth": np.int64(1), "score": P}, "truth one value per case"),
    "a mapping": ({"truth": Y, "score": {"a": 1}}, "score a: one value per case 1 (int) list"),
    "a generator": ({"truth": (y for y in Y), "score": P}, "truth generator list"),
    "lists of unequal length": ({"truth": [[0], [1, 2]], "score": P}, "truth lists of different lengths"),
    # gaps
    "NaN in truth": ({"truth": [0, NAN, 1, NAN], "score": P}, "truth 2 values row 1 missing='drop'"),
    "None in truth": ({"truth": [0, 1, None, 1], "score": P}, "truth 1 value row 2 missing='drop'"),
    "NaN in score": ({"truth": Y, "score": [0.1, NAN, NAN, 0.2]}, "score 2 values row 1 missing='drop'"),
    "NaN in an array of scores": ({"truth": Y, "score": np.array([0.1, 0.2, 0.3, NAN])},
        "score 1 value row 3 missing='drop'"),
    "None in score": ({"truth": Y, "score": [None, 0.1, 0.2, 0.3]}, "score 1 value row 0 missing='drop'"),
    "None in predicted": ({"truth": Y, "predicted": [1, 1, None, 0]},
        "predicted 1 value row 2 missing='drop'"),
    "NaN in predicted": ({"truth": Y, "predicted": np.array([1, 1, NAN, 0])},
        "predicted 1 value row 2 missing='drop'"),
    "None among texts": (
        {"truth": ["a", None, "b", "a"], "score": P, "positive": "a"},
        "truth 1 value row 1 missing='drop'",
    ),
    "nothing left": ({"truth": [None] * 4, "score": P, "missing": "drop"}, "truth 4 rows no case is left"),
    "missing misspelled": ({"truth": Y, "score": P, "missing": "dorp"}, "missing 'dorp' 'drop' reject"),
    # text where numbers are needed
    "text score": ({"truth": Y, "score": ["0.1", "high", "0.3", "0.4"]},
        "score 'high' row 1 not a number predicted="),
    "numbers as text": ({"truth": Y, "score": ["0.1", "0.2", "0.3", "0.4"]}, "score '0.1' text convert"),
    "text and numbers": ({"truth": Y, "score": [0.1, "x", 0.3, 0.4]}, "score mixed all numbers"),
    "text weight": ({"truth": Y, "score": P, "weight": ["1", "2", "x", "4"]}, "weight 'x' row 2 number"),
    "numbers as text for weights": ({"truth": Y, "score": P, "weight": ["1", "2", "3", "4"]},
        "weight '1' text convert"),
    "dates as scores": ({"truth": Y, "score": np.array(["2020-01-01"] * 4, "M8[D]")},
        "score row 0 date numbers"),
    "complex scores": ({"truth": Y, "score": np.array(P) + 1j}, "score row 0 not a number"),
    "objects as labels": ({"truth": [datetime.date(2020, 1, 1)] * 4, "score": P},
        "truth date numbers or text"),
    "dates as labels": ({"truth": np.array(["2020-01-01"] * 4, "M8[D]"), "score": P},
        "truth datetime64 numbers or text"),
    # classes
    "three classes": ({"truth": [0, 1, 2, 1], "score": P}, "truth 3 classes (0, 1, 2) predicted="),
    "three classes of text": (
        {"truth": list("abca"), "score": P, "positive": "a"},
        "truth 3 classes 'a', 'b', 'c' predicted=",
    ),
    "three classes, one named": ({"truth": [0, 1, 2, 1], "score": P, "positive": 2},
        "truth 3 classes (0, 1, 2) predicted="),
    "positive of three classes": ({"truth": [0, 1, 2, 1], "predicted": [0, 1, 2, 2], "positive": 2},
        "positive 3 classes"),
    "positive not named": ({"truth": list("abab"), "score": P}, "truth which label 'a', 'b' positive="),
    "positive not named, 1 and 2": ({"truth": [1, 2, 1, 2], "score": P}, "truth which label 1, 2 positive="),
    "positive not named, -1 and 0": ({"truth": [-1, 0, -1, 0], "score": P},
        "truth which label -1, 0 positive="),
    "positive not named, labels": ({"truth": list("abab"), "predicted": list("abab")},
        "which label 'a', 'b' positive="),
    "unknown positive": (
        {"truth": ["ill", "well"] * 2, "score": P, "positive": "il"},
        "truth 'il' does not occur 'ill', 'well' did you mean 'ill'",
    ),
    "unknown positive number": ({"truth": Y, "score": P, "positive": 2}, "truth 2 does not occur 0, 1"),
    "unknown positive word": ({"truth": Y, "score": P, "positive": "yes"}, "truth 'yes' does not occur 0, 1"),
    "unknown positive among labels": ({"truth": Y, "predicted": Y, "positive": 7}, "7 does not occur 0, 1"),
    "positive beyond the type": (
        {"truth": np.array(Y, "u1"), "score": P, "positive": 300},
        "truth 300 does not occur 0, 1",
    ),
    "text against numbers": ({"truth": list("abab"), "predicted": Y}, "truth text predicted numbers"),
    "swapped": ({"truth": P, "score": Y}, "truth score swapped"),
    "swapped columns": ({"data": FRAME, "truth": "risk", "score": "label"},
        "truth (column 'risk') score (column 'label') swapped"),
    # weights
    "negative weight": ({"truth": Y, "score": P, "weight": [1, 1, -2, 1]}, "weight -2 row 2 none negative"),
    "NaN weight": ({"truth": Y, "score": P, "weight": [1, NAN, 1, 1]}, "weight row 1"),
    "None weight": ({"truth": Y, "score": P, "weight": [1, None, 1, 1]}, "weight row 1 missing"),
    "infinite weight": ({"truth": Y, "score": P, "weight": [1, 1, 1, INF]}, "weight inf row 3 finite"),
    "weights all zero": ({"truth": Y, "score": P, "weight": [0, 0, 0, 0]},
        "weight every weight is 0 positive weight"),
    "weights without end": ({"truth": Y, "score": P, "weight": [1.7e308] * 4}, "weight add up divide"),
    "negative weight of labels": ({"truth": Y, "predicted": Y, "weight": [1, 1, -2, 1]},
        "weight -2 row 2 counted from 0"),
    # settings
    "level 1": ({"truth": Y, "score": P, "level": 1}, "level 1 0.95"),
    "level 0": ({"truth": Y, "score": P, "level": 0}, "level 0 0.95"),
    "level in percent": ({"truth": Y, "score": P, "level": 95}, "level 95 0.95"),
    "level NaN": ({"truth": Y, "score": P, "level": NAN}, "level nan 0.95"),
    "level text": ({"truth": Y, "score": P, "level": "0.95"}, "level '0.95'"),
    "threshold NaN": ({"truth": Y, "score": P, "threshold": NAN}, "threshold nan number"),
    "threshold text": ({"truth": Y, "score": P, "threshold": "half"}, "threshold 'half' number"),
    "threshold list": ({"truth": Y, "score": P, "threshold": [0.5]}, "threshold [0.5] number"),
    "threshold without scores": ({"truth": Y, "predicted": Y, "threshold": 0.5}, "threshold needs scores"),
    "interval method": ({"truth": Y, "score": P, "proportion": "wilsen"},
        "proportion 'wilsen' did you mean 'wilson'"),
    "negative seed": ({"truth": Y, "score": P, "rng": -1}, "rng -1 Generator"),
    "seed with a fraction": ({"truth": Y, "score": P, "rng": 0.5}, "rng 0.5 Generator"),
    # parameters of measures
    "parameters of no kind": ({"truth": Y, "score": P, "parameters": 5}, "parameters 5 {\"f_beta\":"),
    "a parameter without its name": ({"truth": Y, "score": P, "parameters": {"f_beta": 2}},
        "parameters {'f_beta': 2}"),
    "parameters of no measure": ({"truth": Y, "score": P, "parameters": {"f_betta": {}}},
        "'f_betta' did you mean 'f_beta'"),
    "unknown parameter": ({"truth": Y, "score": P, "parameters": {"f_beta": {"bata": 2}}},
        "bata: f_beta did you mean 'beta'"),
    "parameter of text": ({"truth": Y, "score": P, "parameters": {"f_beta": {"beta": "2"}}},
        "f_beta beta '2' number"),
    "negative parameter": ({"truth": Y, "score": P, "parameters": {"f_beta": {"beta": -2}}},
        "f_beta beta -2 number"),
    "parameter of a measure without": ({"truth": Y, "score": P, "parameters": {"f1": {"beta": 2}}},
        "f1 no parameters beta="),
    # counts
    "counts that are none": ({"counts": (1, 2, 3, 4)}, "counts tuple Counts(tp="),
    "counts and truth": ({"counts": Counts(tp=1, fp=1, fn=1, tn=1), "truth": Y}, "truth with leave it out"),
    "counts of arrays": ({"counts": Counts(tp=[1, 2], fp=1, fn=1, tn=1)}, "counts arrays counts[0]"),
}  # fmt: skip


def refusal(data=None, **given):
    with pytest.raises(InputError) as refused:
        evaluate(data, **given)
    return str(refused.value)


@for_each(("given", "parts"), BAD.values(), ids=BAD)
def test_bad_input(given, parts):
    text = refusal(**given)
    assert "\n" not in text
    assert len(text) < 300
    for word in parts.split():
        assert word.strip(",") in text, text
    assert text.endswith((".", "?"))


def test_names_the_label_only_where_it_occurs():
    assert "1" not in refusal(truth=[5, 5, 5, 5], score=P).partition("positive=")[0]


def test_the_label_it_proposes_occurs():
    text = refusal(truth=[3, 2, 3, 2], score=P)
    assert text.partition("positive=")[2][0] in "23"


@pytest.mark.parametrize(
    "odd", [{"a": np.zeros((9, 9))}, "two\nlines", {f"key {i}": i for i in range(10_000)}, b"0\n1" * 10_000]
)
def test_a_value_of_many_lines_still_gives_one_line(odd):
    for columns in ({"truth": odd, "score": P}, {"truth": Y, "score": odd}, {"truth": Y, "predicted": odd}):
        text = refusal(**columns)
        assert "\n" not in text
        assert len(text) < 500


@pytest.mark.parametrize("label", ["two\nlines", "x" * 10_000, "\x1b[31mred"])
def test_labels_in_a_message_stay_on_one_line(label):
    text = refusal(truth=[label, "b", "c", "d"], score=P, positive="b")
    assert text.isprintable()
    assert len(text) < 1000


def test_many_labels_are_not_all_listed():
    text = refusal(truth=list(range(1000)), score=np.linspace(0, 1, 1000))
    assert "and 994 more" in text
    assert len(text) < 300


@pytest.mark.parametrize("level", [np.float32(0.9), np.float64(0.9), np.float16(0.9)])
def test_a_level_of_any_float_type(level):
    assert evaluate(truth=Y, score=P, level=level).settings.level == float(level)


@pytest.mark.parametrize("threshold", [10**20, -(10**30), np.int8(1), np.float16(0.5)])
def test_a_threshold_of_any_size_and_type(threshold):
    assert evaluate(truth=Y, score=P, threshold=threshold).threshold.value == float(threshold)


@pytest.mark.parametrize(
    ("score", "code"), [([INF, 0.1, 0.2, 0.3], True), ([-INF, INF, 0.2, 0.3], True), (P, False)]
)
def test_infinite_scores_are_ranked_and_said(score, code):
    result = evaluate(truth=Y, score=score)
    assert ("infinite-scores" in [notice.code for notice in result.notices]) is code
    assert 0 <= result["roc_auc"].value <= 1


@pytest.mark.parametrize("score", [[10**400] * 4, [decimal.Decimal("sNaN")] * 4, [10**400, 1, 2, 3]])
def test_numbers_that_no_float_can_hold(score):
    assert refusal(truth=Y, score=score).startswith("score: ")
    assert refusal(truth=score, score=P).startswith("truth: ")


@pytest.mark.parametrize("weight", [1e-39, 1e-20, 0.3, 2.0**50])
def test_weights_of_any_magnitude_count_alike(weight):
    plain = evaluate(truth=Y, score=P)["accuracy"].value
    assert evaluate(truth=Y, score=P, weight=[weight] * 4)["accuracy"].value == pytest.approx(plain)


@pytest.mark.parametrize("weight", [1e-320, 1e-150, 1e-90])
def test_weights_beyond_every_use_are_refused(weight):
    assert "multiply them by a constant" in refusal(truth=Y, score=P, weight=[weight] * 4)


@pytest.mark.parametrize("weight", [2.0**52, 1e40, 1e90, 1e150, 1e300])
def test_weights_that_are_too_many_cases_are_refused(weight):
    given = {"truth": Y, "score": P, "weight": [weight] * 4}
    assert "divide the weights by a constant" in refusal(**given, weight_kind="count")


def test_a_mapping_may_have_other_columns_that_are_no_text():
    assert refusal({0: Y, "risk": P}, truth="label", score="risk").startswith("truth: ")


def test_one_class_is_no_error():
    for label in (0, 1, -1):
        assert "one-class" in [notice.code for notice in evaluate(truth=[label] * 4, score=P).notices]


@for_each("build", [Counts.from_arrays, RankingTable.from_arrays])
@for_each(
    ("given", "said"),
    [
        ({"truth": [0, 1, 2], "score": [0.1, 0.2, 0.3]}, "3 classes"),
        ({"truth": [0, 1], "score": [0.1, 0.2, 0.3]}, "truth has 2 rows and score has 3"),
        ({"truth": [], "score": []}, "no rows"),
        ({"truth": [0, None], "score": [0.1, 0.2]}, "row 1 (counted from 0)"),
        ({"truth": [0, 1], "score": [0.1, NAN]}, "score: 1 value is missing"),
        ({"truth": ["a", "b"], "score": [0.1, 0.2]}, "which label is the positive one"),
        ({"truth": ["a", "b"], "score": [0.1, 0.2], "positive": "c"}, "'c' does not occur"),
        ({"truth": [0, 1], "score": [0.1, 0.2], "weight": [0, -1]}, "weight: -1.0 in row 1 (counted from 0)"),
    ],
)
def test_summaries_refuse_the_same(build, given, said):
    settings = {"threshold": 0.5} if build == Counts.from_arrays else {}
    with pytest.raises(InputError) as refused:
        build(**given, **settings)
    assert said in str(refused.value)


# Garbage
# --------------------------------------------------------------------------------------------------

ATOMS = st.one_of(
    st.none(), st.booleans(), st.integers(), st.integers(-1, 2), st.floats(), st.floats(0, 1),
    st.text(max_size=3), st.binary(max_size=3), st.decimals(), st.fractions(), st.complex_numbers(),
    st.dates(), st.datetimes(), st.timedeltas(),
    st.sampled_from([np.float32(0.5), np.int8(1), np.True_, np.datetime64("2020"), np.datetime64("NaT", "s"),
        object, len, ...]),
)  # fmt: skip
UNIFORM = st.sampled_from(
    [
        st.integers(0, 1),
        st.integers(-1, 2),
        st.floats(0, 1),
        st.floats(),
        st.text("ab", max_size=1),
        st.booleans(),
        st.integers(),
    ]
)
LISTS = UNIFORM.flatmap(lambda kind: st.lists(kind, min_size=4, max_size=4)) | st.lists(ATOMS, max_size=6)
TYPES = st.sampled_from(["?", "i1", "u8", "f2", "f4", "g", "c8", "O", "U", "S", "M8[s]", ">f8", ">i2"])


@st.composite
def arrays(draw):
    values = draw(UNIFORM.flatmap(lambda kind: st.lists(kind, min_size=4, max_size=4)))
    try:
        with np.errstate(all="ignore"):
            array = np.array(values).astype(draw(TYPES))
    except (TypeError, ValueError, OverflowError):
        array = np.array(values)
    shape = draw(st.sampled_from([(4,), (4, 1), (1, 4), (2, 2), (4,), (4,)]))
    return draw(st.sampled_from([array.reshape(shape), np.ma.array(array, mask=[0, 0, 0, 1]), array[::-1]]))


ANYTHING = (
    LISTS
    | ATOMS
    | arrays()
    | st.tuples(ATOMS, ATOMS)
    | st.dictionaries(st.text(max_size=2), ATOMS, max_size=2)
)
GOOD_OR_BAD = st.just(Y) | st.just(P) | ANYTHING


def measured_or_refused(**columns):
    """Measures and shows, or refuses in one line; any other exception is a failure."""
    try:
        result = evaluate(**columns)
    except InputError as reason:
        text = str(reason)
    else:
        result.to_json()
        assert str(result)
        return
    assert "\n" not in text
    assert len(text) < 5000


@pytest.mark.full
@given(
    truth=GOOD_OR_BAD,
    other=st.tuples(st.sampled_from(["score", "predicted"]), GOOD_OR_BAD),
    weight=st.none() | ANYTHING,
    positive=st.none() | st.none() | st.sampled_from(["a", 1, 0, True]) | ATOMS,
    missing=st.sampled_from(["reject", "drop"]),
)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_anything_at_all_is_measured_or_refused_in_words(truth, other, weight, positive, missing):
    measured_or_refused(truth=truth, weight=weight, positive=positive, missing=missing, **dict([other]))


@given(truth=LISTS | arrays(), score=LISTS | arrays(), higher=st.booleans(), threshold=st.none() | ATOMS)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_lists_and_arrays_of_anything_and_any_threshold(truth, score, higher, threshold):
    measured_or_refused(truth=truth, score=score, higher_is_positive=higher, threshold=threshold)
