"""Every public exception and result survives a pickle, and a result both kinds of copies."""

import copy
import multiprocessing
import pickle
import warnings
from functools import cache

import numpy as np
import pytest
from every_result import classes, exceptions, result_classes, results
from looping import for_each, in_part

import tallymark as tm
from tallymark.evaluation.results import NotMeasuredError
from tallymark.evaluation.thresholds import RuleError
from tallymark.input.columns import read
from tallymark.input.errors import InputError, MissingValues, NoSuchEntry, UnclearLabels, rebuilt
from tallymark.input.results import MissingAttributeError
from tallymark.kernels.choice import KernelsError
from tallymark.studies.gate.grammar import RequirementError
from tallymark.summaries.engines import EachNeeded

# Exceptions
# --------------------------------------------------------------------------------------------------

MADE = {  # with what those are made that take more than a text
    MissingValues: lambda kind: kind(read([1.0, np.nan], "score"), 1, 1),
    UnclearLabels: lambda kind: kind(
        "it does not say which is positive", "pass one", read([3, 4], "truth"), [3, 4], None
    ),
    NotMeasuredError: lambda kind: kind("roc_auc", "there are no scores"),
    RuleError: lambda kind: kind("a reason"),
    MissingAttributeError: lambda kind: kind(tm.Counts(tp=1, fp=2, fn=3, tn=4), "precison"),
    RequirementError: lambda kind: kind("accuracy > x", 11, "'x' is not a number"),
}


def of_fields(kind):
    return kind("invalid-value", read([1.5], "score"), "a problem", "a remedy", row=0, value=1.5)


PICKLED = {
    "dumps": lambda value: pickle.loads(pickle.dumps(value)),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
}


@for_each("kind", exceptions(), ids=lambda kind: kind.__name__)
@for_each("way", PICKLED)
def test_an_exception_keeps_its_type_text_and_attributes(kind, way):
    make = MADE.get(kind, of_fields if issubclass(kind, InputError) else lambda kind: kind("a sentence."))
    error = make(kind)
    error.more = "an attribute"
    again = PICKLED[way](error)
    assert type(again) is kind
    assert str(again) == str(error)
    assert again.args == error.args
    assert vars(again).keys() == vars(error).keys()
    assert again.more == error.more


def test_no_exception_is_forgotten():
    assert {
        InputError,
        NoSuchEntry,
        MissingValues,
        KernelsError,
        RequirementError,
        tm.UndefinedMeasureWarning,
    } <= set(exceptions())
    assert rebuilt(NoSuchEntry, ("no such key.",)).args == ("no such key.",)


CALLS = {
    "InputError": lambda: tm.evaluate(truth=[0, 1, 2], score=[1, 2, 3]),
    "MissingValues": lambda: tm.evaluate(truth=[0, 1, 1], score=[1, 2, np.nan]),
    "RequirementError": lambda: tm.check(tm.Counts(tp=1, fp=2, fn=3, tn=4), require="accuracy >"),
    "NoSuchEntry": lambda: tm.evaluate(tm.Counts(tp=1, fp=2, fn=3, tn=4)).estimates["acuracy"],
    "UndefinedMeasureWarning": lambda: tm.measures.precision(tm.Counts(tp=0, fp=0, fn=3, tn=4)),
    "InputError of a keyword": lambda: tm.evaluate(truth=[0, 1, 1], socre=[1, 2, 3]),
}


def call(name):
    """For a pool of processes."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        CALLS[name]()


@pytest.mark.full
def test_a_pool_of_processes_raises_what_its_call_raises():
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        for name in CALLS:
            there = pool.map_async(call, [name])
            with pytest.raises((InputError, tm.UndefinedMeasureWarning)) as here:
                call(name)
            with pytest.raises(type(here.value)) as found:
                there.get(timeout=60)  # where the exception cannot be unpickled, no answer ever comes
            assert name.split()[0] in [kind.__name__ for kind in type(found.value).__mro__]
            assert type(found.value) is type(here.value)
            assert str(found.value) == str(here.value)


# Results
# --------------------------------------------------------------------------------------------------


@in_part(8)
@for_each("name", results)
@for_each("way", PICKLED)
def test_a_result_is_the_same(name, way):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", tm.UndefinedMeasureWarning)
        result = results()[name]
        again = PICKLED[way](result)
        assert type(again) is type(result)
        assert shown(again) == shown_once(name)
        assert values(again, values(result)) == values(result, values(again))


@cache
def shown_once(name):
    return shown(results()[name])


def shown(result):
    """As a dict and as text, where it has its own."""
    texts = [repr(result), str(result)]
    try:
        fields = repr(result.to_dict()) if hasattr(result, "to_dict") else None
    except EachNeeded as reason:
        fields = str(reason)
    return [text for text in texts if " at 0x" not in text], fields


def values(result, both=None):
    """Its public attributes, those of `both`: what was worked out on one of them is not kept by a copy."""
    names = vars(result) if hasattr(result, "__dict__") else slots(result)
    found = {
        name: repr(getattr(result, name))
        for name in names
        if not name.startswith("_") and (both is None or name in both)
    }
    return {name: text for name, text in found.items() if " at 0x" not in text}


def slots(result):
    return [name for kind in type(result).__mro__ for name in getattr(kind, "__slots__", ())]


@pytest.mark.full
def test_every_result_class_has_a_result():
    lacking = result_classes() - {type(result) for result in results().values()}
    assert not lacking, (
        "add one of each to tests/every_result.py:"
        f" {sorted(f'{kind.__module__}.{kind.__name__}' for kind in lacking)}"
    )


def test_what_is_looked_for_is_found():
    names = {kind.__name__ for kind in result_classes()}
    assert {
        "ThresholdChoice",
        "OnDemand",
        "OperatingPoints",
        "PairsMatrix",
        "Unscored",
        "Decisions",
        "Estimate",
        "Draws",
    } <= names
    assert len(classes()) > 100


@pytest.mark.full
@pytest.mark.parametrize("parts", [{"by": "site"}, {"fold": "site"}])
@pytest.mark.parametrize(
    "given",
    [
        {"score": "p"},
        {"score": {"one": "p", "other": "q"}},
        {"predicted": "h"},
        {"predicted": {"one": "h", "other": "k"}},
        {"predicted": "h", "weight": "w"},
        {"predicted": "q", "regression": True},
    ],
    ids=str,
)
def test_tables_of_parts_of_a_data_frame(parts, given):
    """Their reader of the data, a generator, could not be pickled."""
    pandas = pytest.importorskip("pandas")
    random = np.random.default_rng(0)
    frame = pandas.DataFrame({"y": np.arange(90) % 2, "site": np.arange(90) % 3})
    frame["p"], frame["q"], frame["w"] = random.random((3, 90))
    frame["h"], frame["k"] = random.integers(0, 2, (2, 90))
    table = tm.evaluate(frame, truth="y", **given, **parts)
    again = pickle.loads(pickle.dumps(table))
    assert str(again.all) == str(table.all)
    assert again.to_json() == copy.deepcopy(table).to_json() == table.to_json()
