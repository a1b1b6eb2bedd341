"""A call with arguments that a function does not take: the answer names the right ones."""

import inspect
import pickle
from functools import partial

import pytest
from every_result import public_functions
from looping import for_each
from refusals import refuses

import tallymark as tm
from tallymark.input.calls import SYNONYMS
from tallymark.input.errors import InputError

FUNCTIONS = public_functions()
# further arguments are parameters of the measure
FREE = {"estimate", "estimate_each", "expected_score", "is_proper"}
FROM_ARRAYS = {
    name: getattr(tm, name).from_arrays for name in tm.__all__ if hasattr(getattr(tm, name), "from_arrays")
}
CLASSES = {
    name: getattr(tm, name)
    for name in ("Counts", "ConfusionMatrix", "IndicatorTable", "RankingTable", "Residuals", "Settings")
}
EVERY = {
    **FUNCTIONS,
    **{f"{name}.from_arrays": function for name, function in FROM_ARRAYS.items()},
    **CLASSES,
}
Y, P = [0, 1, 1, 0], [0.1, 0.2, 0.9, 0.4]


def refusal(function, *given, **by_name):
    with pytest.raises(InputError) as caught:
        function(*given, **by_name)
    text = str(caught.value)
    assert "\n" not in text
    assert text.endswith(".")
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None  # no TypeError is shown above it
    return text


@for_each("name", EVERY)
def test_an_argument_that_is_unknown_is_refused(name):
    text = refusal(EVERY[name], strange_argument=1)
    assert "strange_argument" in text or name in FREE


@for_each("name", sorted(EVERY.keys() - FREE))
def test_a_misspelt_argument_is_answered_with_the_right_one(name):
    for right in named(EVERY[name]):
        if len(right) > 3 and right not in SYNONYMS:
            wrong = right + right[-1]
            assert f"(did you mean '{right}'?)" in refusal(EVERY[name], **{wrong: 1})


@for_each("name", sorted(EVERY.keys() - FREE))
def test_other_libraries_names_are_answered_with_ours(name):
    takes = {**dict.fromkeys(named(EVERY[name])), **first(EVERY[name])}
    for theirs, ours in SYNONYMS.items():
        right = next((one for one in ours if one in takes), None)
        if right is not None and theirs not in takes:
            assert refusal(EVERY[name], **{theirs: 1}).startswith(f"{theirs}: here it is called {right}")


@for_each("name", EVERY)
def test_an_argument_that_is_missing_is_named(name):
    needed = [
        p.name
        for p in inspect.signature(EVERY[name]).parameters.values()
        if p.default is p.empty and p.kind in (0, 1, 3)
    ]
    if needed:
        assert refusal(EVERY[name]).startswith(f"{needed[0]}: ")


@for_each("name", EVERY)
def test_too_many_arguments_by_position_are_refused(name):
    if not any(p.kind is p.VAR_POSITIONAL for p in inspect.signature(EVERY[name]).parameters.values()):
        assert "arguments are given by position" in refusal(EVERY[name], *range(20))


@for_each("name", EVERY)
def test_no_signature_catches_what_should_not_be_there(name):
    assert "misplaced" not in inspect.signature(EVERY[name]).parameters


def named(function):
    kinds = (inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return [p.name for p in inspect.signature(function).parameters.values() if p.kind in kinds]


def first(function):
    return {
        p.name: None for p in inspect.signature(function).parameters.values() if p.kind is p.POSITIONAL_ONLY
    }


SENTENCES = (
    ("sample_weight: here it is called weight.", lambda: tm.evaluate(truth=Y, score=P, sample_weight=Y)),
    ("pos_label: here it is called positive.", lambda: tm.evaluate(truth=Y, score=P, pos_label=1)),
    ("y_true: here it is called truth.", lambda: tm.measures.roc_auc(y_true=Y, score=P)),
    ("y_true: here it is called truth.", lambda: tm.losses.hinge(y_true=Y, score=P)),
    ("y_pred: here it is called predicted.", lambda: tm.measures.f_beta(truth=Y, y_pred=Y)),
    (
        "socre: evaluate takes no argument of this name (did you mean 'score'?).",
        lambda: tm.evaluate(truth=Y, socre=P),
    ),
    (
        "costs_fp: choose_threshold takes no argument of this name (did you mean 'cost_fp'?).",
        lambda: tm.choose_threshold(truth=Y, score=P, rule="cost", costs_fp=1),
    ),
    (
        "sample_weight: here it is called weight.",
        lambda: tm.choose_threshold(truth=Y, score=P, sample_weight=Y),
    ),
    ("groups: here it is called clusters.", lambda: tm.choose_threshold(truth=Y, score=P, groups=Y)),
    ("groups: here it is called clusters.", lambda: tm.calibration(truth=Y, score=P, groups=Y)),
    (
        "groups: here it is called clusters.",
        lambda: tm.check(truth=Y, score=P, require="roc_auc > 0.5", groups=Y),
    ),
    ("groups: here it is called clusters.", lambda: tm.compare(truth=Y, score=[P, P], groups=Y)),
    ("groups: here it is called clusters.", lambda: tm.cross_validate(None, [[1]], Y, groups=Y)),
    ("risk_groups: here it is called hl_groups.", lambda: tm.calibration(truth=Y, score=P, risk_groups=5)),
    (
        (
            "truth: pass the evaluation of the cases: at_prevalence(tm.evaluate(truth=y, score=p),"
            " prevalence=0.1)."
        ),
        lambda: tm.at_prevalence(truth=Y, score=P, prevalence=0.1),
    ),
    ("draw: here it is called resampling.", lambda: tm.bootstrap(truth=Y, score=P, draw="poisson")),
    ("scheme: here it is called design.", lambda: tm.bootstrap(truth=Y, score=P, scheme="stratified")),
    (
        "resampling: here it is called design.",
        lambda: tm.compare(truth=Y, score=[P, P], resampling="stratified"),
    ),
    (
        (
            "resampling: 'multinomial' is not known (here it is called 'bootstrap'); choose from bootstrap,"
            " poisson-bootstrap."
        ),
        lambda: tm.bootstrap(truth=Y, score=P, resampling="multinomial"),
    ),
    (
        (
            "resampling: 'poisson' is not known (here it is called 'poisson-bootstrap'); choose from"
            " bootstrap, poisson-bootstrap."
        ),
        lambda: tm.bootstrap(truth=Y, score=P, resampling="poisson"),
    ),
    (
        (
            "design: 'stratified' is not known (here it is called 'case-control'); choose from cohort,"
            " case-control."
        ),
        lambda: tm.compare(truth=Y, score=[P, P], design="stratified"),
    ),
    (
        "auc: here it is called auc_interval.",
        lambda: tm.check(truth=Y, score=P, require="roc_auc > 0.5", auc="delong"),
    ),
    ("data: pass it first and without its name, as evaluate(data, ...).", lambda: tm.evaluate(data="x.csv")),
    ("df: here it is called data, and is passed first and without its name.", lambda: tm.check(df="x.csv")),
    ("fp: Counts needs fp, fn and tn; pass fp=, fn=, tn=.", lambda: tm.Counts(tp=1)),
    (
        "wanted: it is given twice to find, by position and by name; leave one of them out.",
        lambda: tm.find(1, wanted=2),
    ),
    (
        "find: 2 arguments are given by position, and it takes 1; pass the others by name.",
        lambda: tm.find(1, 2),
    ),
    (
        "check: 2 arguments are given by position, and it takes 1; pass the others by name, as require= and"
        " truth=.",
        lambda: tm.check({"y": Y, "p": P}, "roc_auc > 0.5"),
    ),
    *(
        (
            "truth: arrays are passed by name, so that they cannot be swapped; write truth=y and score=p.",
            partial(call, Y, P),
        )
        for call in (tm.evaluate, tm.RankingTable.from_arrays, tm.bootstrap, tm.calibration)
    ),
    (
        "truth: arrays are passed by name, so that they cannot be swapped; write truth=y.",
        lambda: tm.evaluate(Y, score=P),
    ),
    (
        "y_true, y_score and pos_label: here they are called truth, score and positive.",
        lambda: tm.evaluate(y_true=Y, y_score=P, pos_label=1),
    ),
)


@for_each("sentence, call", SENTENCES, ids=[sentence for sentence, _ in SENTENCES])
def test_the_sentences(sentence, call):
    assert refusal(call) == sentence


@for_each("name", FUNCTIONS)
def test_signature_help_and_pickles_are_those_of_the_function(name):
    function = FUNCTIONS[name]
    assert pickle.loads(pickle.dumps(function)) is function
    assert function.__doc__
    assert "given" not in inspect.signature(function).parameters


def test_a_type_error_within_a_function_is_not_taken_for_one_of_the_call():
    def rule(q):
        """A rule of one argument, which is_proper calls with two."""

    with refuses("invalid-value", argument="rule"):
        tm.is_proper(rule)
