"""What the catalogue says of every measure, what it answers where there is no value, and how a measure is
found."""

import ast
import inspect
import json
import math
import pickle
import pydoc
import re
import warnings
from collections import Counter
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st
from looping import for_each, holds, in_part
from refusals import refuses
from strategies import EVERY, GRID, empty, matrix, measures_of, name, nothing, some_matrices, summaries, whole

import tallymark
from tallymark import (
    ClassScores,
    ConfusionMatrix,
    Counts,
    InputError,
    RankingTable,
    Residuals,
    UndefinedMeasureWarning,
    estimate,
    find,
    measures,
)
from tallymark.inference import estimate_each
from tallymark.measures.registry import SUMMARIES, all_measures, forms, function_of, get, measure
from tallymark.report.catalogue import card

every = for_each("entry", EVERY, ids=name)
of_counts = for_each("entry", measures_of(Counts), ids=name)
with_parameters = for_each("entry", [entry for entry in EVERY if entry.parameters], ids=name)
of_both = for_each("entry", [entry for entry in EVERY if entry.for_many_classes], ids=name)

SMALL = {
    Counts: Counts(tp=6, fp=2, fn=3, tn=9),
    RankingTable: RankingTable([0.7, 0.4, 0.2], [2, 1, 0], [0, 1, 2]),
}
SMALL |= {ConfusionMatrix: matrix([[5, 1, 0], [2, 6, 1], [0, 1, 3]])}
SMALL |= {
    ClassScores: ClassScores.from_arrays(
        truth=[0, 1, 2, 2], score=np.append(np.eye(3), [[0.5, 0.25, 0.25]], axis=0)
    )
}
SMALL |= {Residuals: Residuals.from_arrays(truth=[1, 2, 3, 4], predicted=[1.5, 1, 3, 6])}


# What it says
# --------------------------------------------------------------------------------------------------


@every
@holds("docstring")
def test_docstring_is_complete(entry):
    assert entry.title.endswith(".")
    assert entry.title[0].isupper()
    assert entry.formula
    assert not entry.formula.endswith(".")
    assert entry.section("Undefined").endswith(".")
    assert entry.source.endswith(".")


@every
@holds("docstring")
def test_every_documented_case_is_understood(entry):
    """A condition that the catalogue cannot read would never be given as the reason."""
    said = entry.section("Undefined")
    assert len(entry.conditions) == said.count("= 0)") > 0
    assert all(text in said for text, _ in entry.conditions)


@every
@holds("docstring")
def test_every_part_of_a_documented_case_is_one_of_the_summary(entry):
    assert all(hasattr(nothing(entry.summary), part) for _, parts in entry.conditions for part in parts)


@every
@holds("docstring")
def test_parameters_are_documented(entry):
    """Alone, "beta: …", or in a list, "cost_fp, cost_fn: …"."""
    for parameter in entry.parameters:
        assert re.search(rf"\b{parameter}(, \w+)*: ", entry.function.__doc__), parameter


@every
@holds("best")
def test_best_value_lies_in_the_range(entry):
    low, high = entry.range
    assert low < high
    assert entry.best is None or low <= entry.best <= high


@every
@holds("best")
def test_better_is_the_direction_of_the_best_value(entry):
    low, high = entry.range
    assert entry.better in {None: (None, "lower", "higher"), low: ("lower",), high: ("higher",)}.get(
        entry.best, (None,)
    )


@every
def test_limits_are_of_parameters_and_hold_their_defaults(entry):
    assert set(entry.limits) <= set(entry.parameters) == set(entry.defaults)
    for parameter, (low, high) in entry.limits.items():
        assert entry.defaults[parameter] is None or low <= entry.defaults[parameter] <= high


@with_parameters
@holds("docstring")
def test_every_parameter_has_limits(entry):
    """Without them a base of 1, or a text, is found out by an error of arithmetic, or not at all."""
    assert set(entry.limits) == set(entry.parameters)


@every
def test_an_interval_is_made_of_measures_of_the_catalogue(entry):
    made = entry.interval
    if made is not None and made.kind in ("difference", "quotient", "function", "mapped"):
        assert all(get(inner.__name__, entry.summary).function is inner for inner in made.of)
        assert all(inner.__name__ in str(made) for inner in made.of)


@every
def test_where_leads_to_the_function(entry):
    file, line = entry.where.split(":")
    source = (Path(tallymark.__file__).parents[1] / file).read_text(encoding="utf-8")
    functions = {node.name: node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)}
    assert functions[entry.name].decorator_list[0].lineno == int(line)


@in_part(6, ("fast", "full"))
@every
def test_card_is_strict_json(entry):
    back = json.loads(json.dumps(card(entry), allow_nan=False))
    assert back["name"] == entry.name
    assert back["of"] == entry.summary.__name__
    assert back["undefined"] == entry.section("Undefined")
    assert (back["interval"] or "").startswith(str(entry.interval or ""))
    assert [float(end) for end in back["range"]] == list(entry.range)
    assert entry.best is None or float(back["best"]) == entry.best


@every
def test_pickle_gives_the_very_measure(entry):
    assert pickle.loads(pickle.dumps(entry)) is entry


@every
def test_repr_names_it(entry):
    assert entry.name in repr(entry)
    assert entry.title in repr(entry)


@every
def test_wrong_summary_is_refused(entry):
    other = next(
        kind for kind in (RankingTable, Counts) if not any(form.fits(kind) for form in forms(entry.name))
    )
    with pytest.raises(InputError, match=entry.summary.__name__):
        entry(SMALL[other])


SEVERAL = [(entry, form) for entry in EVERY for form in forms(entry.name) if form is not entry]


@for_each(("entry", "form"), SEVERAL, ids=name)
def test_a_summary_of_another_form_is_passed_on_to_it(entry, form):
    """As log_loss of a single score is to that of a score per class; also where the one is but an alias of
    the other."""
    assert entry(SMALL[form.summary]) == form(SMALL[form.summary]) == form.function(SMALL[form.summary])
    with pytest.raises(InputError, match=f"^{form.name} is undefined"):
        entry(nothing(form.summary), undefined="raise")


# Forms for many classes
# --------------------------------------------------------------------------------------------------


@of_both
def test_a_matrix_is_passed_on_to_the_form_for_many_classes(entry):
    many = entry.for_many_classes
    assert (many.name, many.summary) == (entry.name, ConfusionMatrix)
    assert (
        entry(SMALL[ConfusionMatrix]) == many(SMALL[ConfusionMatrix]) == many.function(SMALL[ConfusionMatrix])
    )


@of_both
def test_a_matrix_without_cases_is_passed_on_with_what_undefined_says(entry):
    assert entry(ConfusionMatrix.empty(), undefined=0.25) == 0.25
    with pytest.raises(InputError, match=f"{entry.name} is undefined"):
        entry(ConfusionMatrix.empty(), undefined="raise")


@of_both
def test_a_matrix_that_is_passed_on_warns_where_the_call_is(entry):
    with pytest.warns(UndefinedMeasureWarning, match=f"{entry.name} is undefined") as caught:
        assert math.isnan(entry(ConfusionMatrix.empty()))
    assert [one.filename for one in caught] == [__file__]


@of_both
def test_arrays_of_many_classes_are_measured_as_a_matrix(entry):
    truth, predicted = list("abcaab"), list("abcbac")
    wanted = entry.for_many_classes(ConfusionMatrix.from_arrays(truth=truth, predicted=predicted))
    assert (
        entry(truth=truth, predicted=predicted)
        == entry.for_many_classes(truth=truth, predicted=predicted)
        == wanted
    )
    weighted = entry(truth=truth, predicted=predicted, weight=[1, 2, 0.5, 1, 1, 3])
    assert (
        weighted
        == entry(ConfusionMatrix.from_arrays(truth=truth, predicted=predicted, weight=[1, 2, 0.5, 1, 1, 3]))
        != wanted
    )


@of_both
def test_of_two_classes_they_do_not_depend_on_which_is_positive(entry):
    cases = {"truth": ["a", "b", "b", "a", "a"], "predicted": ["a", "a", "b", "a", "b"]}
    for positive in ("a", "b"):
        assert entry(**cases) == pytest.approx(entry(**cases, positive=positive))


@of_both
def test_forms_of_one_name_agree_on_what_is_best(entry):
    many = entry.for_many_classes
    assert (entry.best, entry.better, entry.range) == (many.best, many.better, many.range)


@of_both
def test_the_name_of_both_forms_gives_that_of_the_summary(entry):
    """The first, of counts, where none is named."""
    for one in (entry.name, *entry.aliases):
        assert get(one) is get(one, Counts) is get(one, RankingTable) is entry
        assert get(one, ConfusionMatrix) is entry.for_many_classes


@for_each("entry", [entry for entry in measures_of(Counts) if not entry.for_many_classes], ids=name)
def test_a_matrix_is_refused_where_there_is_no_form_for_it(entry):
    with pytest.raises(InputError, match=f"{entry.name} is a measure of two classes, and the matrix has 3"):
        entry(SMALL[ConfusionMatrix])


@for_each("entry", measures_of(ConfusionMatrix), ids=name)
def test_counts_are_passed_back_to_their_form_or_refused(entry):
    sibling = get(entry.name, Counts)
    if sibling.summary is Counts:
        assert entry(SMALL[Counts]) == sibling(SMALL[Counts])
        return
    with pytest.raises(InputError, match=f"{entry.name} is measured on ConfusionMatrix, not on Counts"):
        entry(SMALL[Counts])


# Undefined
# --------------------------------------------------------------------------------------------------


@every
@holds("0/0")
def test_undefined_warns_with_the_reason(entry):
    with pytest.warns(UndefinedMeasureWarning, match=rf"{entry.name} is undefined: ") as caught:
        assert math.isnan(entry(nothing(entry.summary)))
    assert caught[0].filename == __file__
    assert entry.conditions[0][0] in str(caught[0].message)


@every
@holds("0/0")
def test_undefined_raises_on_request(entry):
    with pytest.raises(InputError, match=f"{entry.name} is undefined"):
        entry(nothing(entry.summary), undefined="raise")


@every
@holds("0/0")
def test_undefined_becomes_a_number_on_request(entry):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert entry(nothing(entry.summary), undefined=0.25) == 0.25
        assert math.isnan(entry(nothing(entry.summary), undefined=math.nan))


@in_part(5)
@every
@given(data=st.data())
def test_a_defined_value_does_not_care_for_undefined(entry, data):
    summary = data.draw(summaries(entry.summary).filter(lambda drawn: not empty(entry, drawn)))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert entry(summary, undefined="raise") == entry(summary, undefined=0.25) == entry(summary)


@of_counts
@holds("0/0")
def test_a_number_fills_only_the_gaps_of_an_array(entry):
    filled, plain = entry(GRID, undefined=-9.0), entry(GRID)
    np.testing.assert_array_equal(filled, np.where(empty(entry, GRID), -9.0, plain))


@for_each("entry", measures_of(ConfusionMatrix), ids=name)
@holds("0/0")
def test_the_reason_for_a_matrix_is_what_is_empty(entry):
    for m in some_matrices(100):
        if empty(entry, m):
            with pytest.raises(InputError, match=re.escape(entry.why_undefined(m).text)):
                entry(m, undefined="raise")
            parts = {part for _, every in entry.conditions for part in every}
            assert {*dict(entry.why_undefined(m).fields)["parts"]} <= parts


def test_only_the_empty_part_is_named():
    with pytest.warns(
        UndefinedMeasureWarning, match=r"^youden_j is undefined: no actual positives \(tp \+ fn = 0\)\.$"
    ):
        measures.youden_j(Counts(tp=0, fp=3, fn=0, tn=4))
    with pytest.warns(
        UndefinedMeasureWarning, match="matthews_correlation is undefined: all are predicted as one class.$"
    ):
        measures.mcc(matrix([[3, 0], [4, 0]]))


@pytest.mark.parametrize(
    "summary", [Counts.zero(), Counts(tp=1, fp=1, fn=1, tn=1)], ids=["undefined", "defined"]
)
def test_unknown_word_for_undefined_is_refused(summary):
    with refuses("unknown-name", "rais", argument="undefined"):
        measures.f1(summary, undefined="rais")


# Parameters
# --------------------------------------------------------------------------------------------------


def ways_to_give(entry):
    """The doors through which parameters come: each raises the same."""
    summary = SMALL[entry.summary]
    yield lambda **given: entry(summary, **given)
    yield lambda **given: estimate(entry, summary, **given)
    yield lambda **given: estimate(entry.name, summary, **given)
    if entry.summary is Counts:
        yield lambda **given: estimate_each(entry, GRID[:3], **given)


def is_one_sentence(text):
    return text.endswith(".") and not re.search(r"[.!?] [A-Z]", text) and "\n" not in text


def with_the_other_end(entry, parameter, value):
    """The parameter; and where it is one end of a range, an other end that leaves some range."""
    low, high = {"low": (value, 1), "high": (0, value)}.get(parameter, (None, None))
    return {parameter: value} if low is None else {"low": low, "high": high}


@in_part(4, ("fast", "full"))
@with_parameters
def test_a_parameter_outside_its_limits_is_refused(entry):
    for parameter in entry.parameters:
        low, high = entry.limits.get(parameter, (math.nan, math.nan))
        for bad in (
            low - 1,
            high + max(1, high * 1e-3),
            -math.inf,
            math.inf,
            math.nan,
            "2",
            True,
            [2.0],
            2j,
            np.ones(2),
        ):
            for give in ways_to_give(entry):
                with pytest.raises(InputError, match=f"{entry.name}.*{parameter}") as caught:
                    give(**{parameter: bad})
                assert is_one_sentence(str(caught.value)), caught.value


@with_parameters
def test_none_is_refused_where_it_is_not_the_default(entry):
    for parameter, default in entry.defaults.items():
        for give in ways_to_give(entry):
            if default is None:
                assert give(**{parameter: None}) is not None
                continue
            with pytest.raises(InputError, match=parameter):
                give(**{parameter: None})


@pytest.mark.parametrize("entry", [entry for entry in EVERY if "low" in entry.parameters], ids=name)
def test_the_ends_of_a_range_that_are_none_are_refused(entry):
    """In the wrong order, or the same; also where only one is given, and the other is the default."""
    for ends in ({"low": 0.5, "high": 0.2}, {"low": 0.5, "high": 0.5}, {"low": 1.0}, {"high": 0.0}):
        for give in ways_to_give(entry):
            with pytest.raises(InputError, match=f"{entry.name}: low .* high .*; give both ends") as caught:
                give(**ends)
            assert is_one_sentence(str(caught.value))


@with_parameters
def test_any_kind_of_number_within_the_limits_is_taken(entry):
    """As the number that it is: one in single precision does not make the value one."""
    for parameter, (low, _) in entry.limits.items():
        plain = 2 if whole(entry, parameter) else 0.5 if low < 0.5 else 1.5
        rest = with_the_other_end(entry, parameter, plain)
        for value in (np.float64(plain), np.float32(plain), Fraction(plain)):
            summary = SMALL[entry.summary]
            assert entry(summary, **rest | {parameter: value}) == entry(summary, **rest | {parameter: plain})


@for_each("entry", [entry for entry in EVERY for one in entry.parameters if whole(entry, one)], ids=name)
def test_a_parameter_that_is_a_number_of_something_is_whole(entry):
    for give in ways_to_give(entry):
        for parameter in entry.parameters:
            with pytest.raises(
                InputError, match=f"^{entry.name}: {parameter}: 2.5 is not possible; give a whole number.$"
            ):
                give(**{parameter: 2.5})


@with_parameters
def test_the_defaults_are_what_is_used(entry):
    assert entry(SMALL[entry.summary], **entry.defaults) == entry(SMALL[entry.summary])


@every
def test_an_unknown_parameter_is_refused(entry):
    for give in ways_to_give(entry) if entry.summary in SMALL else ():
        with pytest.raises(
            InputError, match=f"strange: {entry.name} |^{entry.name} has no .*strange="
        ) as caught:
            give(strange=1)
        assert is_one_sentence(str(caught.value))


@with_parameters
def test_a_misspelled_parameter_gets_a_suggestion(entry):
    parameter = entry.parameters[0]
    typo = parameter[:-1] or 2 * parameter
    with pytest.raises(InputError, match=rf"^{typo}: .*\(did you mean '{parameter}'\?\)"):
        entry(SMALL[entry.summary], **{typo: 1})


@with_parameters
def test_parameters_go_with_arrays_too(entry):
    """Beside truth= and what else the summary is made of."""
    arrays = {"truth": [0, 1, 1, 0, 1], "predicted": [0, 1, 0, 1, 1]}
    if entry.summary is RankingTable:
        arrays = {"truth": [0, 1, 1, 0, 1], "score": [0.1, 0.9, 0.4, 0.6, 0.7]}
    if entry.summary is ClassScores:
        arrays = {"truth": [0, 1, 2], "score": [[0.7, 0.2, 0.1], [0.3, 0.3, 0.4], [0.2, 0.2, 0.6]]}
    summary = entry.summary.from_arrays(**arrays)
    for parameter, (low, high) in entry.limits.items():
        value = low + 1 if whole(entry, parameter) else low + min(high - low, 1) / 3
        given = with_the_other_end(entry, parameter, value)
        assert entry(**arrays, **given) == entry(summary, **given)


@pytest.mark.parametrize("threshold", [0.25, 0.65])
def test_one_threshold_is_that_of_the_counts_and_of_the_net_benefit(threshold):
    truth, score = [0, 1, 1, 0, 1], [0.1, 0.9, 0.4, 0.6, 0.7]
    c = Counts.from_arrays(truth=truth, score=score, threshold=threshold)
    assert measures.net_benefit(truth=truth, score=score, threshold=threshold) == measures.net_benefit(
        c, threshold=threshold
    )


# Names
# --------------------------------------------------------------------------------------------------


@every
def test_every_name_leads_to_the_measure(entry):
    for one in (entry.name, *entry.aliases):
        for spelled in (one, one.upper(), one.replace("_", " "), f" {one.replace('_', '-')} "):
            assert get(spelled, entry.summary) is entry
        meant = {other.name for other in EVERY if one in other.names}
        name_ = one if one in meant else shared(meant)  # whose own name it is before those that also go by it
        first = next(other for other in EVERY if other.name == name_)
        assert get(one) is getattr(measures, one) is first
        assert find(one)[0] is first


def shared(measures_named):
    """That of these names which all these measures have, as brier_score has that of mean_squared_error."""
    names = {one: {n for entry in EVERY if entry.name == one for n in entry.names} for one in measures_named}
    return next((one for one in sorted(names) if all(one in other for other in names.values())), None)


def test_names_are_unique():
    """But for the forms of one measure, which share theirs; and what is one measure's own name may be an
    alias of another form."""
    for kind in SUMMARIES.values():
        names = [one for entry in measures_of(kind) for one in (entry.name, *entry.aliases)]
        assert len(names) == len(set(names))
        assert all(one == one.lower() and one.isidentifier() for one in names)
    meant = {(one, entry.name) for entry in EVERY for one in entry.names}
    own = {entry.name for entry in EVERY}
    several = [one for one, number in Counter(one for one, _ in meant).items() if number > 1]
    assert all(
        one in own or all(forms(one)[0].name in form.names for form in forms(one)[:2]) for one in several
    )


def test_all_measures_are_listed():
    assert list(all_measures()) == EVERY
    assert dir(measures) == sorted({entry.name for entry in EVERY})
    assert len(EVERY) > 50


def test_a_name_cannot_be_given_twice():
    def sensitivity(c: Counts):
        """Another one."""

    with pytest.raises(ValueError, match="sensitivity is already a name of sensitivity"):
        measure()(sensitivity)
    assert get("sensitivity").title == "Proportion of the actual positives that are predicted positive."


def test_an_alias_cannot_be_the_name_of_another_measure():
    def of_my_own(c: Counts):
        """Another one."""

    before = list(all_measures())
    for taken, owner in (("recall", "sensitivity"), ("kappa", "cohen_kappa"), ("f1", "f1")):
        with pytest.raises(ValueError, match=f"{taken} is already a name of {owner}"):
            measure(aka=(taken,))(of_my_own)
    assert list(all_measures()) == before
    with pytest.raises(InputError):
        get("of_my_own")


@pytest.mark.parametrize(
    ("typo", "meant"),
    [
        ("sensitivty", "sensitivity"),
        ("roc auk", "roc_auc"),
        ("presision", "precision"),
        ("F-1-score", "f1_score"),
    ],
)
def test_typo_gets_a_suggestion(typo, meant):
    with pytest.raises(InputError, match=f"did you mean '{meant}'"):
        get(typo)


def test_nonsense_gets_no_suggestion():
    with refuses("unknown-name"):
        get("xyzzy")
    with pytest.raises(AttributeError, match="xyzzy"):
        _ = measures.xyzzy


@pytest.mark.parametrize("wanted", ["phi", "MCC", "matthews corrcoef", "matthews-correlation"])
def test_find_by_name(wanted):
    assert find(wanted) == (get("matthews_correlation", Counts),)


def test_find_by_part_of_a_name_gives_the_first_form():
    assert find("Matthews") == (get("mcc", Counts),)


def test_find_by_words_has_names_before_descriptions():
    found = find("actual positives")
    assert {"sensitivity", "prevalence", "npr"} < {entry.name for entry in found}
    assert get("roc_auc") not in found
    assert len(found) == len(set(found))
    by_name = [all(word in " ".join(entry.names) for word in ("actual", "positive")) for entry in found]
    assert by_name == sorted(by_name, reverse=True)


def test_find_by_what_the_data_allow():
    for kind in SUMMARIES.values():
        assert find(kind) == find(nothing(kind)) == tuple(measures_of(kind)) != ()


@pytest.mark.parametrize("wanted", ["xyzzy", "sensitivity xyzzy"])
def test_find_nothing(wanted):
    assert find(wanted) == ()


@pytest.mark.parametrize("wanted", [3, int])
def test_find_says_what_it_takes(wanted):
    with refuses("invalid-value", argument="wanted"):
        find(wanted)


# How an interval is made
# --------------------------------------------------------------------------------------------------


def test_the_interval_of_a_function_names_what_it_is_made_of():
    assert str(get("f1").interval) == "function of jaccard"
    assert str(get("youden_j").interval) == "difference of sensitivity and false_positive_rate"
    assert str(get("plr").interval) == "smooth"
    assert str(get("sensitivity").interval) == "proportion"
    assert str(get("mcc", ConfusionMatrix).interval) == "delta"  # the slope is not a measure
    assert str(get("optimization_precision").interval) == "smaller"


def test_a_made_interval_is_a_value():
    made = function_of(get("jaccard").function, math.sqrt)
    assert made == function_of(get("jaccard").function, math.sqrt)
    assert (made.kind, made.of, made.transform) == ("function", (get("jaccard").function,), math.sqrt)


@every
def test_a_measure_is_a_function_of_one_summary_and_of_parameters_by_name(entry):
    first, *rest = inspect.signature(entry.function).parameters.values()
    assert first.default is first.empty
    assert all(one.kind is one.KEYWORD_ONLY and one.default is not one.empty for one in rest)


@for_each("entry", EVERY, ids=name)
def test_help_is_that_of_the_measure(entry):
    assert entry.__doc__.startswith(inspect.getdoc(entry.function))
    assert f"Call: tm.measures.{entry.name}(truth=y, " in entry.__doc__
    shown = pydoc.plain(pydoc.render_doc(entry))
    assert " ".join(entry.__doc__.split("\n\n")[0].split()) in " ".join(shown.split())
    assert "Method resolution order" not in shown
