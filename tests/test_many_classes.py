"""Many classes: every measure of each class, the averages with their intervals, and how they are told."""

import json
import math
import re
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from looping import for_each, in_part
from refusals import refuses
from scipy.stats import norm
from strategies import matrices, measures_of, reasoned, some_matrices

from tallymark import ConfusionMatrix, Counts, InputError, evaluate
from tallymark.evaluation.class_measures import ManyClasses
from tallymark.evaluation.class_mix import depends_on_size
from tallymark.inference import Settings
from tallymark.measures.registry import AVERAGES, get
from tallymark.report.output import card

NAMES = [entry.name for entry in measures_of(Counts)]
ON_SCREEN = ("macro_precision", "macro_f1", "weighted_f1")  # averages that have a place there
RANDOM = np.random.default_rng(8)


def cases(rows, classes, right=0.6, seed=0):
    """Labels of that many classes, the later ones rarer, so many of which are predicted right."""
    random = np.random.default_rng(seed)
    shares = np.arange(classes, 0, -1) / (classes * (classes + 1) / 2)
    truth = random.choice(classes, rows, p=shares)
    return truth, np.where(random.random(rows) < right, truth, random.integers(0, classes, rows))


TRUTH, CALLED = cases(400, 4)
EV = evaluate(truth=TRUTH, predicted=CALLED)
UNEVEN = ConfusionMatrix(
    ("always missed", "fine", "never called", "never true", "well"),
    [[0, 7, 0, 2, 1], [3, 50, 0, 1, 4], [2, 3, 0, 1, 0], [0, 0, 0, 0, 0], [1, 2, 0, 3, 90]],
)  # every way in which a class can lack cases
MATRICES = [EV.matrix, UNEVEN, *(m for m in some_matrices(60) if len(m) > 2)]


def strict(text):
    return json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is not strict JSON"))


def table_of_class(matrix, i):
    """The four counts of a class against the rest, cell by cell."""
    cell = dict.fromkeys(("tp", "fp", "fn", "tn"), 0.0)
    for (row, column), weight in np.ndenumerate(matrix.weights):
        cell[
            {(True, True): "tp", (False, True): "fp", (True, False): "fn"}.get((row == i, column == i), "tn")
        ] += weight
    return Counts(**cell)


def by_hand(matrix, name):
    """By kind of average, from the value of each class."""
    tables = [table_of_class(matrix, i) for i in range(len(matrix))]
    values = [float(get(name, Counts).function(table)) for table in tables]
    there = [
        (value, table.positives) for value, table in zip(values, tables, strict=True) if not math.isnan(value)
    ]
    cases = sum(size for _, size in there)
    return {
        "macro": sum(value for value, _ in there) / len(there) if there else math.nan,
        "weighted": sum(value * size for value, size in there if size) / cases if cases else math.nan,
        "micro": float(get(name, Counts).function(sum(tables))),
    }


# Each class
# --------------------------------------------------------------------------------------------------


def test_what_an_evaluation_holds():
    assert EV.matrix == ConfusionMatrix.from_arrays(truth=TRUTH, predicted=CALLED)
    assert list(EV.classes) == [0, 1, 2, 3]
    assert list(EV.averages) == ["macro", "weighted", "micro"]
    assert EV["accuracy"].value == (TRUTH == CALLED).mean()
    assert {entry.name for entry in measures_of(ConfusionMatrix)} | {*ON_SCREEN} == set(EV.estimates)
    for group in (*EV.classes.values(), *EV.averages.values()):
        assert list(group) == NAMES
        assert len(group) == len(NAMES)


@pytest.mark.parametrize("label", range(4))
def test_a_class_is_its_own_evaluation_against_the_rest(label):
    """Values are the same; bounds that are drawn differ by the draw."""
    alone = evaluate(truth=label == TRUTH, predicted=label == CALLED)
    for name in NAMES:
        mine, other = EV.classes[label][name], alone[name]
        assert (mine.value, mine.method, mine.note) == (other.value, other.method, other.note)
        near = {"rel": 0.06} if "bootstrap" in mine.method else {"rel": 1e-12}
        width = other.high - other.low
        assert mine.low == pytest.approx(other.low, abs=near["rel"] * width)
        assert mine.high == pytest.approx(other.high, abs=near["rel"] * width)


@pytest.mark.full
@for_each("matrix", MATRICES[:20])
def test_values_of_classes_by_hand(matrix):
    found = evaluate(matrix).classes
    for i, label in enumerate(matrix.labels):
        table = table_of_class(matrix, i)
        for name in NAMES:
            np.testing.assert_allclose(
                found[label][name].value, get(name, Counts).function(table), rtol=1e-12, atol=1e-12
            )


def test_a_class_or_a_measure_that_is_not_there():
    with pytest.raises(KeyError):
        EV.classes["0"]
    with pytest.raises((KeyError, InputError)):
        EV.classes[0]["roc_auc"]
    with pytest.raises(KeyError):
        EV.averages["geometric"]
    assert 4 not in EV.classes
    assert 3 in EV.classes
    assert "f1" in EV.averages["macro"]
    assert repr(EV.classes) == "<4 entries: 0, 1, 2, 3>"
    with refuses("unsupported"):
        EV["f1"]


@pytest.mark.parametrize("alias", ["recall", "phi", "F-score"])
def test_classes_and_averages_know_other_names(alias):
    """As the evaluation itself does."""
    assert EV.classes[0][alias] == EV.classes[0][get(alias, Counts).name]
    assert EV.averages["macro"][alias] == EV.averages["macro"][get(alias, Counts).name]


def test_two_classes_have_no_classes():
    for truth, called in (([0, 1, 1], [0, 1, 0]), ([True, False], [True, True])):
        result = evaluate(truth=truth, predicted=called)
        for asked in ("classes", "averages", "class_counts"):
            with pytest.raises(
                InputError, match=rf"{asked}: there are two classes here; see \.counts, \.two_by_two"
            ):
                getattr(result, asked)
        assert result.counts


# Averages
# --------------------------------------------------------------------------------------------------


@in_part(3)
@for_each("name", NAMES)
def test_averages_by_hand(name):
    for matrix in MATRICES:
        averages, wanted = evaluate(matrix).averages, by_hand(matrix, name)
        for kind in AVERAGES:
            np.testing.assert_allclose(
                averages[kind][name].value, wanted[kind], rtol=1e-11, atol=1e-12, err_msg=kind
            )


PARTS = {
    "sensitivity": lambda tp, fp, fn, tn: (tp, tp + fn),
    "specificity": lambda tp, fp, fn, tn: (tn, tn + fp),
    "precision": lambda tp, fp, fn, tn: (tp, tp + fp),
    "f1": lambda tp, fp, fn, tn: (2 * tp, 2 * tp + fp + fn),
    "jaccard": lambda tp, fp, fn, tn: (tp, tp + fp + fn),
}


@pytest.mark.parametrize("name", PARTS)
def test_averages_in_exact_fractions(name):
    """From the cases themselves."""
    tables = []
    for label in range(4):
        kinds = [(t == label, c == label) for t, c in zip(TRUTH, CALLED, strict=True)]
        tables.append(
            [kinds.count(kind) for kind in ((True, True), (False, True), (True, False), (False, False))]
        )
    each = [Fraction(*PARTS[name](*table)) for table in tables]
    support = [table[0] + table[2] for table in tables]
    wanted = {
        "macro": sum(each) / 4,
        "weighted": sum(value * size for value, size in zip(each, support, strict=True)) / sum(support),
        "micro": Fraction(*PARTS[name](*map(sum, zip(*tables, strict=True)))),
    }
    for kind in AVERAGES:
        assert EV.averages[kind][name].value == pytest.approx(float(wanted[kind]), rel=1e-14)


@pytest.mark.full
@for_each("classes", [3, 4, 9])
@for_each("kind", AVERAGES)
@for_each("weighted", [False, True])
def test_averages_of_scikit_learn(classes, kind, weighted):
    metrics = pytest.importorskip("sklearn.metrics")
    truth, called = cases(500, classes, seed=classes)
    weight = RANDOM.random(500) if weighted else None
    found = evaluate(truth=truth, predicted=called, weight=weight).averages[kind]
    given = {"average": kind, "sample_weight": weight}
    theirs = metrics.precision_recall_fscore_support(truth, called, beta=2, **given)[:3]
    ours = [found[name].value for name in ("precision", "sensitivity", "f_beta")]
    np.testing.assert_allclose(ours, theirs, rtol=1e-12)
    assert found["f1"].value == pytest.approx(metrics.f1_score(truth, called, **given), rel=1e-12)
    assert found["jaccard"].value == pytest.approx(metrics.jaccard_score(truth, called, **given), rel=1e-12)


@pytest.mark.full
@for_each("matrix", MATRICES)
def test_identities_of_one_label_per_case(matrix):
    result = evaluate(matrix)
    accuracy = result["accuracy"]
    for name in ("sensitivity", "precision", "f1", "f_beta"):
        micro = result.averages["micro"][name]
        assert micro.value == pytest.approx(accuracy.value, rel=1e-14, abs=1e-15)
        assert micro.low == pytest.approx(accuracy.low, abs=1e-12)
        assert micro.high == pytest.approx(accuracy.high, abs=1e-12)
    assert result.averages["weighted"]["sensitivity"].value == pytest.approx(
        accuracy.value, rel=1e-14, abs=1e-15
    )
    assert result.averages["macro"]["sensitivity"].value == pytest.approx(
        result["balanced_accuracy"].value, rel=1e-14
    )


# Classes without cases
# --------------------------------------------------------------------------------------------------


def test_what_is_undefined_for_a_class():
    found = evaluate(UNEVEN).classes
    assert found["never true"]["sensitivity"].undefined
    assert found["never true"]["precision"].value == 0
    assert found["never called"]["precision"].undefined
    assert found["never called"]["sensitivity"].value == 0
    assert found["never called"]["f1"].value == 0
    assert found["always missed"]["sensitivity"].value == 0


@in_part(6, ("fast", "full"))
@for_each("name", NAMES)
def test_a_class_for_which_it_is_undefined_is_left_out_and_counted(name):
    for matrix in (UNEVEN, EV.matrix):
        result = evaluate(matrix)
        without = sum(math.isnan(result.classes[label][name].value) for label in matrix.labels)
        for kind in ("macro", "weighted"):
            note = result.averages[kind][name].note or ""
            said = f"{without} of {len(matrix)} classes left out"
            assert said in note if without else "left out" not in note
    for table in (evaluate(UNEVEN), EV):
        assert "left out" not in (table.averages["micro"][name].note or "")


def test_the_text_says_how_many_classes_are_left_out():
    text = str(evaluate(UNEVEN).all)
    text = " ".join(text.split())
    assert "Sensitivity (recall): 1 of 5 classes left out, for which it is undefined ('never true')." in text
    found = evaluate(UNEVEN).averages["macro"]["precision"]
    assert {note.code for note in found.notes} == {"undefined-classes", "class-left-out"}
    assert not found.has_interval  # other samples would have a precision of the class, which occurs
    assert "left out" not in str(EV.all)


def test_notices_of_classes_without_cases():
    said = {notice.code: notice.text for notice in evaluate(UNEVEN).notices}
    assert said["classes-without-cases"].startswith("1 class is predicted but never true (never true)")
    assert said["classes-never-predicted"].startswith("1 class is true but never predicted (never called)")
    assert not EV.notices


def test_a_notice_lists_a_few_of_many_classes():
    truth = np.arange(300) % 30
    said = {notice.code: notice.text for notice in evaluate(truth=truth, predicted=truth // 2).notices}
    assert (
        "15 classes are true but never predicted (15, 16, 17, 18, 19 and 10 more)"
        in said["classes-never-predicted"]
    )


@pytest.mark.full
@pytest.mark.parametrize("called", [0, 2, "as true"])
def test_one_class_called_or_none_missed(called):
    truth = np.arange(30) % 3
    result = evaluate(truth=truth, predicted=truth if called == "as true" else np.full(30, called))
    strict(result.to_json())
    assert str(result)
    for kind in AVERAGES:
        for name in NAMES:
            assert reasoned(result.averages[kind][name]), (kind, name)


# Intervals of averages
# --------------------------------------------------------------------------------------------------

BIG_TRUTH, BIG_CALLED = cases(3000, 4, seed=5)
BIG = evaluate(truth=BIG_TRUTH, predicted=BIG_CALLED, level=0.01)
DRAWS = 4000


def resampled(matrix):
    """Counts of each class in matrices of as many cases, drawn from this one; shape (draws, classes)."""
    shares = (matrix.weights / matrix.total).ravel()
    drawn = (
        np.random.default_rng(1)
        .multinomial(int(matrix.total), shares, DRAWS)
        .reshape(DRAWS, len(matrix), -1)
        .astype(float)
    )
    tp = np.einsum("bii->bi", drawn)
    fp, fn = drawn.sum(1) - tp, drawn.sum(2) - tp
    return Counts(tp=tp, fp=fp, fn=fn, tn=matrix.total - tp - fp - fn)


RESAMPLED = resampled(BIG.matrix)


def spread(name, kind):
    """The standard deviation of the average over the resamples."""
    function = get(name, Counts).function
    if kind == "micro":
        return np.std(function(Counts.of(*(np.asarray(cell).sum(1) for cell in RESAMPLED._cells()))))
    values = function(RESAMPLED)
    return np.std(np.average(values, axis=1, weights=None if kind == "macro" else RESAMPLED.positives))


@for_each("kind", AVERAGES)
@for_each("name", NAMES)
def test_standard_errors_of_averages_are_those_of_a_bootstrap(name, kind):
    """At a level of 1 % an interval is straight: its half width over the quantile is the standard error, on
    whatever scale."""
    found, wanted = BIG.averages[kind][name], spread(name, kind)
    if wanted < 1e-9:
        assert not found.has_interval
        assert found.note
        return
    error = (found.high - found.low) / 2 / norm.ppf(0.505)
    assert error == pytest.approx(wanted, rel=0.1)


@in_part(3)
@for_each("matrix", MATRICES)
def test_averages_have_an_interval_or_a_reason(matrix):
    result = evaluate(matrix)
    for kind in AVERAGES:
        for name in NAMES:
            found, (low, high) = result.averages[kind][name], get(name, Counts).range
            assert reasoned(found), (kind, name, found)
            if found.has_interval:
                assert low <= found.low, (kind, name, found)
                assert found.high <= high, (kind, name, found)


@pytest.mark.full
@settings(max_examples=15)
@given(matrices(min_classes=3))
def test_averages_of_anything_have_an_interval_or_a_reason(matrix):
    result = evaluate(matrix)
    for kind in AVERAGES:
        for name in ("sensitivity", "precision", "f1", "matthews_correlation", "positive_likelihood_ratio"):
            assert reasoned(result.averages[kind][name]), (kind, name)
    strict(result.to_json())


@pytest.mark.full
@pytest.mark.parametrize("kind", AVERAGES)
def test_a_higher_level_is_a_wider_interval(kind):
    wide, narrow = (
        evaluate(truth=TRUTH, predicted=CALLED, level=level).averages[kind] for level in (0.99, 0.8)
    )
    for name in NAMES:
        if wide[name].has_interval:
            assert wide[name].low < narrow[name].low <= narrow[name].high < wide[name].high
            assert (wide[name].level, narrow[name].level) == (0.99, 0.8)


def test_no_mistakes_leave_an_interval():
    truth = np.arange(60) % 3
    averages = evaluate(truth=truth, predicted=truth).averages
    for kind in AVERAGES:
        for name in ("sensitivity", "precision", "f1"):
            assert averages[kind][name].value == 1
            assert 0.7 < averages[kind][name].low < 0.96


# What a case counts in
# --------------------------------------------------------------------------------------------------


@for_each("matrix", [*MATRICES[:25], ConfusionMatrix((0, 1), [[3, 4], [0, 6]]), ConfusionMatrix((0,), [[5]])])
def test_a_case_has_an_outcome_for_every_class(matrix):
    outcomes = np.random.default_rng(2).normal(size=(len(matrix), 4))
    for place, ((i, j), _) in enumerate(np.ndenumerate(matrix.weights)):
        kinds = [0 if k == i == j else 1 if k == j else 2 if k == i else 3 for k in range(len(matrix))]
        wanted = outcomes[range(len(matrix)), kinds].sum()
        assert matrix.by_cell(outcomes)[place] == pytest.approx(wanted, rel=1e-12)


# Weights
# --------------------------------------------------------------------------------------------------


def same_groups(a, b):
    for name in AVERAGES:
        assert dict(a.averages[name]) == dict(b.averages[name])
    assert {label: dict(found) for label, found in a.classes.items()} == {
        label: dict(b.classes[label]) for label in b.classes
    }


def test_whole_weights_are_repeated_rows():
    weight = RANDOM.integers(0, 4, len(TRUTH))
    weighted = evaluate(truth=TRUTH, predicted=CALLED, weight=weight, weight_kind="count")
    repeated = evaluate(truth=TRUTH.repeat(weight), predicted=CALLED.repeat(weight))
    assert weighted.estimates == repeated.estimates
    same_groups(weighted, repeated)


def close(a, b, within):
    pairs = ((x, y) for x, y in ((a.value, b.value), (a.low, b.low), (a.high, b.high)))
    return all(
        math.isclose(x, y, rel_tol=within, abs_tol=within) or (math.isnan(x) and math.isnan(y))
        for x, y in pairs
    )


@pytest.mark.full
@pytest.mark.parametrize("kind", AVERAGES)
def test_fractional_weights_times_a_constant_change_no_average(kind):
    weight = RANDOM.random(len(TRUTH)) + 0.01
    result = evaluate(truth=TRUTH, predicted=CALLED, weight=weight)
    effective = weight.sum() ** 2 / (weight @ weight)
    assert result.data.effective_rows == pytest.approx(effective)
    as_cases = evaluate(result.matrix * (effective / weight.sum())).averages[kind]
    for name in (name for name in NAMES if not depends_on_size(get(name, Counts))):
        found = result.averages[kind][name]
        assert found.value == pytest.approx(by_hand(result.matrix, name)[kind], rel=1e-9)
        assert close(found, as_cases[name], 1e-6), name


def test_fewer_cases_behind_the_weights_make_wider_intervals():
    random = np.random.default_rng(2)
    result = evaluate(truth=TRUTH, predicted=CALLED, weight=random.random(len(TRUTH)) ** 2 + 0.001)
    as_cases = evaluate(result.matrix.without_squares() * (len(TRUTH) / result.matrix.total))
    for kind in AVERAGES:
        for name in ("sensitivity", "precision", "f1", "cohen_kappa"):
            wide, narrow = result.averages[kind][name], as_cases.averages[kind][name]
            assert wide.low < narrow.low < narrow.high < wide.high
    assert "importance-weights" in [notice.code for notice in result.notices]


@pytest.mark.full
@pytest.mark.parametrize("factor", [0.5, 0.3, 0.007])
def test_equal_weights_that_are_no_numbers_of_cases_change_nothing(factor):
    result = evaluate(truth=TRUTH, predicted=CALLED, weight=np.full(len(TRUTH), factor))
    for kind in AVERAGES:
        for name in NAMES:
            assert close(result.averages[kind][name], EV.averages[kind][name], 1e-7), name


@pytest.mark.parametrize("factor", [0, 1, 3, 0.5])
def test_a_matrix_times_a_number(factor):
    product = EV.matrix * factor
    assert isinstance(product, ConfusionMatrix)
    assert product.labels == EV.matrix.labels
    assert (product.weights == EV.matrix.weights * factor).all()
    if factor == 3:
        assert product == EV.matrix + EV.matrix + EV.matrix


def test_a_matrix_and_its_cases_have_one_answer():
    same_groups(evaluate(EV.matrix), EV)
    assert evaluate(EV.matrix).estimates == EV.estimates


def test_a_matrix_of_fractional_weights_says_that_its_cases_are_unknown():
    """As a ranking table does."""
    assert "importance-weights" in [notice.code for notice in evaluate(EV.matrix * 0.37).notices]


def test_a_matrix_without_cases_is_refused_as_an_empty_table_is():
    with refuses("empty", argument="data"):
        evaluate(ConfusionMatrix((0, 1, 2), np.zeros((3, 3))))


# Parameters
# --------------------------------------------------------------------------------------------------


def test_parameters_reach_classes_and_averages():
    result = evaluate(truth=TRUTH, predicted=CALLED, parameters={"f_beta": {"beta": 0.5}})
    assert result.averages["macro"]["f_beta"].value != EV.averages["macro"]["f_beta"].value
    beta = get("f_beta").defaults["beta"]
    again = evaluate(truth=TRUTH, predicted=CALLED, parameters={"f_beta": {"beta": beta}})
    assert again.averages["macro"]["f_beta"] == EV.averages["macro"]["f_beta"]
    assert result.classes[1]["f_beta"].value == get("f_beta").function(table_of_class(EV.matrix, 1), beta=0.5)


# As text, JSON and page
# --------------------------------------------------------------------------------------------------

LABELS = {
    "text": ["ant", "bee", "cat", "dog"],
    "numbers": [-5, 0, 7, 300],
    "fractions": [0.5, 1.5, 2.5, 3.5],
    "other scripts": ["é", "ß", "猫", "اب"],
    "long": [f"{'x' * 200}{end}" for end in "abcd"],
    "alike at their beginning": [
        f"electronics/phones/{end}" for end in ("android", "classic", "ios", "other")
    ],
    "html": ["<b>", "<script>alert('1')</script>", "&amp;", '"<i>'],
    "odd": ["", "a\u2028b", "two\nlines", "tab\ttab"],
}


def labelled(labels):
    """The same cases in the order of the classes."""
    names = np.array(sorted(labels), dtype=object)
    more = {"classes": names.tolist()} if "" in labels else {}  # else a missing value
    return evaluate(truth=names[TRUTH].tolist(), predicted=names[CALLED].tolist(), **more)


@pytest.mark.full
@pytest.mark.parametrize("labels", LABELS.values(), ids=LABELS)
def test_labels_of_every_kind(labels):
    result = labelled(labels)
    assert list(result.classes) == sorted(labels)
    assert [type(label) for label in result.classes] == [type(label) for label in sorted(labels)]
    assert [dict(found) for found in result.classes.values()] == [
        dict(found) for found in EV.classes.values()
    ]
    answer = strict(result.to_json())
    assert answer["matrix"]["labels"] == sorted(labels)
    assert list(answer["classes"]) == [str(label) for label in sorted(labels)]


@pytest.mark.parametrize("labels", LABELS.values(), ids=LABELS)
def test_text_of_labels_of_every_kind(labels):
    lines = str(labelled(labels).all).splitlines()
    for line in lines:
        assert len(line) <= 80, line
        assert line.isprintable(), line
    head = next(i for i, line in enumerate(lines) if line.startswith("class "))
    width, rows = len(lines[head + 1].split()[0]), lines[head + 2 : head + 2 + len(labels)]
    assert len({line[:width] for line in rows}) == len(labels), "labels cannot be told apart"


@pytest.mark.parametrize("labels", LABELS.values(), ids=LABELS)
def test_html_of_labels_of_every_kind(labels):
    html = labelled(labels)._repr_html_()
    assert "<script" not in html
    assert "<b>" not in html
    assert "<i>" not in html
    assert html == card(labelled(labels))


def test_booleans_beside_numbers_are_numbers():
    result = evaluate(truth=[True, False, 2, 1] * 5, predicted=[1, 0, 2, 0] * 5)
    assert result.matrix.labels == (0, 1, 2)


def test_the_text():
    text = str(EV.all)
    assert "400 cases" in text
    for kind in AVERAGES:
        found = EV.averages[kind]["f1"]
        assert re.search(rf"{found.value:.3f} +~?\[{found.low:.3f}, {found.high:.3f}\]", text)
    for label, found in EV.classes.items():
        cases = (label == TRUTH).sum()
        assert re.search(rf"^{label} +{cases} +{found['sensitivity'].value:.3f} ", text, re.M)


def test_every_class_has_its_specificity():
    """Tharwat's example of three classes: 25 of the 200 cases of A and C are predicted as B."""
    matrix = ConfusionMatrix(("A", "B", "C"), [[80, 15, 5], [15, 70, 15], [0, 10, 90]])
    e = evaluate(matrix)
    for written in (str(e.all), e.all.to_markdown(), e.to_html()):
        assert "Specificity" in written
        assert "0.875" in written


@pytest.mark.full
def test_more_classes_than_there_is_room_for_are_in_one_table():
    e = evaluate(ConfusionMatrix(tuple("abcdefghij"), np.eye(10) * 5 + 1))
    assert "\nclass  " in str(e.all)
    assert len(str(e).splitlines()) <= 36
    assert max(map(len, str(e).splitlines())) <= 80
    assert str(e.all).count("Specificity") > str(e).count("Specificity") == 0


def test_micro_is_said_to_be_the_accuracy():
    assert "micro sensitivity, precision and F1 are all the accuracy" in " ".join(str(EV.all).split())


def test_json():
    answer = strict(EV.to_json())
    assert answer == EV.to_dict()
    assert list(answer)[-4:] == ["classes", "averages", "class_counts", "matrix"]
    assert answer["matrix"] == {"labels": [0, 1, 2, 3], "rows": EV.matrix.weights.tolist()}
    assert list(answer["averages"]) == list(AVERAGES)
    for label, found in answer["classes"].items():
        assert found == {name: EV.classes[int(label)][name].to_dict() for name in NAMES}
    for kind, found in answer["averages"].items():
        assert found == {name: EV.averages[kind][name].to_dict() for name in NAMES}
    assert not answer.keys() & {"counts", "table", "threshold"}
    assert ConfusionMatrix.from_dict(answer["matrix"]) == EV.matrix


@in_part(3)
@for_each("matrix", MATRICES)
def test_json_is_strict_whatever_is_undefined(matrix):
    answer = strict(evaluate(matrix).to_json())
    for group in (*answer["classes"].values(), *answer["averages"].values()):
        for found in group.values():
            if found["value"] is None or found["low"] is None:
                assert found["undefined"] or found["note"]


@in_part(6, ("fast", "full"))
@for_each("matrix", MATRICES)
def test_text_fits_80_columns(matrix):
    for line in str(evaluate(matrix)).splitlines():
        assert len(line) <= 80, line


# Very many classes
# --------------------------------------------------------------------------------------------------

MANY_TRUTH, MANY_CALLED = cases(20_000, 200, seed=3)
HUNDREDS = evaluate(truth=MANY_TRUTH, predicted=MANY_CALLED)


def test_hundreds_of_classes_are_told_in_short():
    lines = str(HUNDREDS).splitlines()
    assert len(lines) <= 36
    assert max(map(len, lines)) <= 80
    assert "200 classes" in lines[0]


def test_the_classes_with_the_lowest_f1_stand_first():
    values = {label: found["f1"].value for label, found in HUNDREDS.classes.items()}
    order = sorted(values, key=values.get)
    table = str(HUNDREDS).partition("class  ")[2].splitlines()[2:]
    worst = [int(line.split()[0]) for line in table[: table.index("The lowest F1 stands first.")]]
    assert [values[label] for label in worst] == [values[label] for label in order[: len(worst)]]
    assert len(worst) >= 4
    assert f"({200 - len(worst)} more: result.all)" in table


@pytest.mark.full
def test_classes_for_which_f1_is_undefined_are_not_listed_but_counted():
    size = 40
    weights = np.zeros((size, size))
    weights[:10, :10] = np.eye(10) * 5 + 1
    result = evaluate(ConfusionMatrix(tuple(range(size)), weights))
    table = str(result).partition("class  ")[2]
    assert re.search(r"^\([0-9]+ more: result.all\)", table, re.M)
    assert re.search("^0 ", table, re.M)
    strict(result.to_json())


def test_the_averages_of_hundreds_of_classes():
    t, c = (labels[:, None] == np.arange(200) for labels in (MANY_TRUTH, MANY_CALLED))
    hits, found = (t & c).sum(0), HUNDREDS.averages
    parts = {
        "sensitivity": (hits, t.sum(0)),
        "precision": (hits, c.sum(0)),
        "f1": (2 * hits, t.sum(0) + c.sum(0)),
    }
    for name, (top, bottom) in parts.items():
        values, support = top[bottom > 0] / bottom[bottom > 0], t.sum(0)[bottom > 0]
        assert found["macro"][name].value == pytest.approx(values.mean(), rel=1e-11)
        assert found["weighted"][name].value == pytest.approx(np.average(values, weights=support), rel=1e-11)
        assert found["micro"][name].value == pytest.approx(hits.sum() / 20_000, rel=1e-11)
        assert all(reasoned(found[kind][name]) for kind in AVERAGES)


def test_nothing_is_worked_out_before_it_is_asked_for():
    many = ManyClasses(HUNDREDS.matrix, Settings(), {})
    assert list(many.classes) == list(range(200))
    assert many._each == {}
    many.averages["macro"]["f1"].value  # noqa: B018
    assert list(many._averages) == [("macro", "f1")]
