"""Kinds of values times public entry points times their parameters: an answer, or InputError, and nothing
else.

Entry points and parameters are found by looking: one that is written tomorrow is called with all of this the
day it is there.
"""

import inspect
import signal
import traceback
import warnings
from contextlib import contextmanager

import numpy as np
import pytest
from estimators import Centres
from every_result import public_functions
from hostile import hostile

import tallymark as tm
from tallymark.input.errors import InputError
from tallymark.measures.registry import all_measures

LOSSES = {name.removeprefix("losses.") for name in public_functions() if name.startswith("losses.")}
SECONDS = 20  # that a call may take; the usual one takes thousandths
VALUES = hostile()
TRUTH, SCORE = np.array([0, 1, 1, 0]), np.array([0.1, 0.2, 0.9, 0.4])
COUNTS = tm.Counts(tp=4, fp=1, fn=2, tn=5)

# What else an entry point is given, by parameter: enough for an answer, and few resamples.
GOOD = {
    "truth": TRUTH,
    "score": SCORE,
    "replicates": 100,
    "permutations": 20,
    "folds": 2,
    "repeats": 1,
    "X": np.arange(24.0).reshape(12, 2),
    "y": np.tile([0, 1], 6),
    "X_test": np.arange(8.0).reshape(4, 2),
    "y_test": TRUTH,
    "estimator": Centres(),
    "expected": 0.8,
    "width": 0.3,
    "first": 0.8,
    "second": 0.7,
    "correlation": 0.5,
    "low": 0,
    "high": 1,
    "wanted": "f1",
    "measure": "f1",
    "summary": COUNTS,
    "counts": COUNTS,
    "rule": "brier_score",
    "true": 0.5,
    "reported": 0.5,
    "probability": SCORE,
    "anchor": np.eye(2),
    "negative": np.eye(2),
    "positive": np.eye(2),
    "predicted": SCORE,
    "sensitivity": 0.8,
    "specificity": 0.9,
    "prevalence": 0.1,
    "genuine": SCORE,
    "impostor": SCORE,
    "require": "roc_auc >= 0.5",
    "data": COUNTS,
    "tp": 1,
    "fp": 2,
    "fn": 3,
    "tn": 4,
    "labels": ("a", "b"),
    "weights": np.ones((2, 2)),
    "error": [1.0, 2.0],
    "weight": [1, 2],
    "together": np.ones((6, 6)),
    "total": 3,
    "exact": 1,
    "of_positives": 0.1,
    "of_negatives": 0.1,
}
OPTIONAL = {
    "replicates",
    "permutations",
    "folds",
    "repeats",
    "truth",
    "score",
    "genuine",
    "impostor",
    "require",
    "width",
    "of_positives",
}
OWN = {  # what cannot be known from the names
    "at_prevalence": {"counts": COUNTS, "prevalence": 0.1},
    "class_mix_sensitivity": {"counts": COUNTS},
    "unscored": {"truth": TRUTH, "score": SCORE, "of_positives": 0.1, "of_negatives": 0.1},
    "planning.paired_proportions": {"first": 0.8, "second": 0.7},
    "planning.paired_roc_auc": {"first": 0.8, "second": 0.7, "correlation": 0.5},
    "convert.softmax": {"score": np.eye(4)},
    "convert.argmax": {"probability": np.eye(4)},
    "biometric": {"genuine": SCORE, "impostor": SCORE},
    "RankingTable": {"score": [2.0, 1.0], "positive": [1, 0], "negative": [0, 1]},
    "ClassScores.from_arrays": {"truth": [0, 1, 2, 0], "score": np.eye(4)[:, :3]},
    "ClassLogits.from_arrays": {"truth": [0, 1, 2, 0], "score": np.eye(4)[:, :3]},
    "IndicatorTable.from_arrays": {"truth": np.eye(4, dtype=int), "predicted": np.eye(4, dtype=int)},
    "IndicatorTable": {"labels": ("a", "b"), "together": np.ones((6, 6)), "total": 3, "exact": 1},
}


def entry_points():
    """By name: public functions, classes whose arguments are checked, their from_arrays, and measures."""
    found = public_functions()
    for name in tm.__all__:
        kind = getattr(tm, name)
        if hasattr(kind, "from_arrays"):
            found[f"{name}.from_arrays"] = kind.from_arrays
        if hasattr(getattr(kind, "__init__", None), "takes"):
            found[name] = kind
    return found


def measures():
    """Of each kind of summary the first measure with a parameter and the first without."""
    found = {(entry.summary, bool(entry.parameters)): entry for entry in reversed(all_measures())}
    return {f"measures.{entry.name}": entry for entry in found.values()}


VARIABLE = (inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL)


def parameters(function):
    """What it takes, by name; of a function that passes arguments on, those of the other, too."""
    own = inspect.signature(function).parameters
    named = [name for name, one in own.items() if one.kind not in VARIABLE]
    more = [name for name in getattr(function, "takes", ()) if name not in named]
    return [*named, *more]


def base(name, function):
    """Good arguments."""
    if name in OWN:
        return OWN[name]
    own, takes = inspect.signature(function).parameters, parameters(function)
    needed = {
        one.name
        for one in own.values()
        if one.default is one.empty and one.kind not in (one.VAR_KEYWORD, one.VAR_POSITIONAL)
    }
    wanted = needed | (OPTIONAL & set(takes))
    if "require" not in own:
        wanted -= {"require"}
    return {one: GOOD[one] for one in takes if one in wanted and one in GOOD}


def call(function, given):
    """With those by position that can be given in no other way."""
    kinds = {name: one.kind for name, one in inspect.signature(function).parameters.items()}
    first = [value for name, value in given.items() if kinds.get(name) == inspect.Parameter.POSITIONAL_ONLY]
    return function(
        *first,
        **{
            name: value
            for name, value in given.items()
            if kinds.get(name) != inspect.Parameter.POSITIONAL_ONLY
        },
    )


class Hangs(BaseException):
    pass


@contextmanager
def within(seconds):
    """Ends what does not end by itself."""

    def stop(*_):
        raise Hangs

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def problem(function, given, use):
    """What is wrong with the outcome; None where nothing is."""
    try:
        with warnings.catch_warnings(), within(SECONDS):
            warnings.simplefilter("error")
            warnings.simplefilter("ignore", tm.UndefinedMeasureWarning)
            use(call(function, given))
    except InputError as refused:
        text = str(refused).split("\n")[0]  # below it the place in a requirement
        if not text.endswith(".") or len(text) > 2000:
            return f"no sentence: {text[:200]!r}"
        return None
    except BaseException as error:
        if is_ours(error, given):
            return None
        return f"{type(error).__name__}: {ascii(_text(error))[:300]}"
    return None


def is_ours(error, given):
    """Whether it is raised by a function that the user brought, or warned by the user's own library of arrays
    in a loss."""
    if callable(given.get("progress")) or callable(given.get("rule")):
        return isinstance(error, TypeError)
    return type(error) is RuntimeWarning and any(
        frame.name in LOSSES for frame in traceback.extract_tb(error.__traceback__)
    )


def _text(error):
    try:
        return str(error)
    except Exception:
        return "?"


def use_briefly(result):
    repr(result)


def use(result):
    """All that is done with a result; what is refused with a reason is fine."""
    repr(result)
    if isinstance(result, (np.ndarray, tuple, list, str, float)):
        return
    for method in ("__str__", "to_dict", "to_json", "_repr_html_"):
        if hasattr(result, method):
            getattr(result, method)()


def cases(every):
    """(entry point, parameter, value), every n-th, starting elsewhere for each parameter so that all values
    have a turn."""
    points = entry_points() | measures()
    places = [(name, one) for name, function in points.items() for one in _fuzzed(name, function)]
    for number, (name, parameter) in enumerate(places):
        for value in list(VALUES)[number % every :: every]:
            yield name, points[name], parameter, value


def _fuzzed(name, function):
    if name.startswith("measures."):
        return [*function.takes, *function.parameters, "undefined", "summary"]
    return parameters(function)


def run(every, use):
    failed, number = {}, 0
    for name, function, parameter, value in cases(every):
        number += 1
        if name.startswith("measures."):
            given = _of_measure(function, parameter, made(value))
        else:
            given = {**base(name, function), parameter: made(value)}
        found = problem(function, given, use)
        if found:
            failed[f"{name}({parameter}={value})"] = found
    return failed, number


def made(value):
    """The value anew; what its library says about making it is not asked for."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return VALUES[value]()


def _of_measure(function, parameter, value):
    if parameter == "summary":
        return {"summary": value}
    good = {one: GOOD[one] for one in function.takes if one in ("truth", "score")}
    if "predicted" in function.takes and "score" not in function.takes:
        good["predicted"] = TRUTH
    return {**good, parameter: value}


def report(failed, number):
    lines = [f"  {case}: {what}" for case, what in list(failed.items())[:60]]
    return f"{len(failed)} of {number} cases:\n" + "\n".join(lines)


needs_alarm = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs an alarm")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Where a call may write, as one whose `state` is a strange name."""
    monkeypatch.chdir(tmp_path)


@needs_alarm
@pytest.mark.full
def test_a_sample_of_hostile_calls():
    failed, number = run(311, use_briefly)
    assert not failed, report(failed, number)
    assert number > 450


@needs_alarm
@pytest.mark.parametrize(
    ("step", "least"),
    [pytest.param(31, 4_500, marks=pytest.mark.full), pytest.param(7, 20_000, marks=pytest.mark.slow)],
)
def test_hostile_calls(step, least):
    failed, number = run(step, use_briefly)
    assert not failed, report(failed, number)
    assert number > least


@needs_alarm
@pytest.mark.full
def test_what_is_answered_to_hostile_calls_can_be_used():
    failed, number = run(53, use)
    assert not failed, report(failed, number)
