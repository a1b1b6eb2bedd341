"""The same classifier at another prevalence: Bayes' rule, the forms of the documents, and intervals that
cover."""

import json
import math
import re
import tomllib
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, strategies as st
from looping import for_each, in_part
from refusals import refuses
from scipy.stats import binom
from strategies import counts, measures_of

import tallymark
from tallymark import Counts, InputError, at_prevalence, evaluate
from tallymark.evaluation.class_mix import changes_with_class_mix, depends_on_size
from tallymark.inference import Settings, bounds_each
from tallymark.inference.covariance import sampling_of
from tallymark.input.results import HEAD
from tallymark.measures.registry import get
from tallymark.measures.titles import title

FILE = tomllib.loads((Path(__file__).parent / "worked_examples.toml").read_text(encoding="utf-8"))
EXAMPLES = {example["id"]: example for example in FILE["example"]}
ENTRIES = measures_of(Counts)
NAMES = [entry.name for entry in ENTRIES]
COUNTS = Counts(tp=70, fp=20, fn=30, tn=80)
AT = at_prevalence(COUNTS, prevalence=0.05)
SHARES = st.floats(0.001, 0.999)


def strict(text):
    return json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is not strict JSON"))


# Values
# --------------------------------------------------------------------------------------------------


def test_the_example_of_wikipedia():
    example = EXAMPLES["wikipedia-prevalence"]
    rates = {name: example[name] for name in ("sensitivity", "specificity")}
    half, rare = (at_prevalence(**rates, prevalence=share) for share in (0.5, 0.05))
    assert rates == {"sensitivity": 0.99, "specificity": 0.99}
    assert half["ppv"].value == pytest.approx(0.99, rel=1e-12)
    assert rare["ppv"].value == pytest.approx(99 / 118, rel=1e-12)
    assert rare["false_omission_rate"].value == pytest.approx(1 / 1882, rel=1e-9)


@given(SHARES, SHARES, st.floats(0.01, 100))
def test_the_forms_of_qudata(tpr, tnr, npr):
    found = at_prevalence(sensitivity=tpr, specificity=tnr, npr=npr)
    assert found["accuracy"].value == pytest.approx((tpr + tnr * npr) / (1 + npr), rel=1e-12)
    assert found["precision"].value == pytest.approx(tpr / (tpr + npr * (1 - tnr)), rel=1e-9)
    assert found["npr"].value == pytest.approx(npr, rel=1e-9)


@given(SHARES, SHARES, SHARES)
def test_bayes_rule(sensitivity, specificity, prevalence):
    found = at_prevalence(sensitivity=sensitivity, specificity=specificity, prevalence=prevalence)
    yes, no = prevalence * sensitivity, (1 - prevalence) * (1 - specificity)
    missed, spared = prevalence * (1 - sensitivity), (1 - prevalence) * specificity
    wanted = {
        "precision": yes / (yes + no),
        "false_discovery_rate": no / (yes + no),
        "negative_predictive_value": spared / (spared + missed),
        "false_omission_rate": missed / (spared + missed),
        "accuracy": yes + spared,
        "predicted_prevalence": yes + no,
        "f1": 2 * yes / (2 * yes + no + missed),
        "prevalence": prevalence,
        "sensitivity": sensitivity,
        "specificity": specificity,
    }
    for name, value in wanted.items():
        assert found[name].value == pytest.approx(value, rel=1e-9), name


def test_by_hand_in_exact_fractions():
    share, sensitivity, specificity = Fraction(1, 20), Fraction(7, 10), Fraction(8, 10)
    yes, no = share * sensitivity, (1 - share) * (1 - specificity)
    assert AT["precision"].value == pytest.approx(float(yes / (yes + no)), rel=1e-14)
    assert AT["accuracy"].value == pytest.approx(float(yes + (1 - share) * specificity), rel=1e-14)


@in_part(3)
@for_each("name", NAMES)
@for_each("growth", [2, 10, 100])
def test_it_is_the_table_with_more_negatives(name, growth):
    """Of as many cases as before: a measure that depends on their number is that of this number."""
    grown = Counts(tp=70, fp=20 * growth, fn=30, tn=80 * growth) * (200 / (100 + 100 * growth))
    found = at_prevalence(COUNTS, prevalence=1 / (1 + growth))
    assert found[name].value == pytest.approx(float(get(name).function(grown)), rel=1e-9)


@pytest.mark.parametrize(
    "table", [COUNTS, Counts(tp=3, fp=200, fn=17, tn=4000), Counts(tp=7, fp=0, fn=1, tn=12)]
)
def test_at_its_own_prevalence_nothing_changes(table):
    found, own = at_prevalence(table, prevalence=table.positives / table.total), evaluate(counts=table)
    for name in NAMES:
        assert found[name].value == pytest.approx(own[name].value, rel=1e-9, abs=1e-12), name


@given(counts(), SHARES)
def test_npr_is_another_way_to_say_the_prevalence(table, share):
    assume(table.positives and table.negatives)
    one, other = at_prevalence(table, prevalence=share), at_prevalence(table, npr=(1 - share) / share)
    assert other.prevalence == pytest.approx(share, rel=1e-9)
    for name in ("precision", "negative_predictive_value", "accuracy"):
        assert one[name].value == pytest.approx(other[name].value, rel=1e-9, nan_ok=True)


def test_the_ends_of_the_rates():
    perfect = at_prevalence(sensitivity=1, specificity=1, prevalence=0.2)
    assert perfect["precision"].value == perfect["f1"].value == 1
    assert perfect["false_omission_rate"].value == 0
    never = at_prevalence(sensitivity=0, specificity=1, prevalence=0.2)
    assert never["precision"].undefined.text == "no predicted positives (tp + fp = 0)"
    assert never["accuracy"].value == pytest.approx(0.8)


def test_measures_of_any_name():
    assert AT["ppv"] is AT["precision"]
    assert list(AT) == list(AT.keys()) == NAMES
    assert len(AT) == len(NAMES)
    assert dict(AT)["precision"] is AT["precision"]
    with refuses("unsupported", "roc_auc"):
        AT["auc"]
    with refuses("unknown-name", "'presision'", "'precision'"):
        AT["presision"]


@pytest.mark.parametrize("name", [entry.name for entry in ENTRIES if depends_on_size(entry)])
def test_rates_without_cases_leave_what_depends_on_their_number_undefined(name):
    """A value for one case, all told, would only mislead."""
    found = at_prevalence(sensitivity=0.99, specificity=0.99, prevalence=0.05)[name]
    assert math.isnan(found.value)
    assert found.undefined


# Intervals
# --------------------------------------------------------------------------------------------------

EXTREME = [
    Counts(tp=5, fp=0, fn=0, tn=5),
    Counts(tp=0, fp=0, fn=5, tn=5),
    Counts(tp=5, fp=5, fn=0, tn=0),
    Counts(tp=0, fp=5, fn=5, tn=0),
    Counts(tp=1, fp=0, fn=0, tn=1),
    Counts(tp=1, fp=10**9, fn=1, tn=10**9),
    Counts(tp=0.5, fp=0.25, fn=0.125, tn=1.75),
    Counts(tp=10**9, fp=1000, fn=10**6, tn=10**9),
]


@pytest.mark.full
@for_each("table", [COUNTS, *EXTREME])
@for_each("share", [1e-6, 0.05, 0.5, 0.999])
def test_every_measure_has_an_interval_or_a_reason(table, share):
    found = at_prevalence(table, prevalence=share)
    for entry in ENTRIES:
        one, (low, high) = found[entry.name], entry.range
        if one.undefined:
            assert math.isnan(one.value)
        elif one.has_interval:
            assert low <= one.low <= one.value <= one.high <= high, entry.name
            assert one.low < one.high, entry.name
            assert one.method, entry.name
        else:
            assert one.note, entry.name
    strict(json.dumps(found.to_dict(), allow_nan=False))
    assert max(map(len, str(found).splitlines())) <= 80


@given(counts(), SHARES)
def test_intervals_of_anything_hold_their_values(table, share):
    assume(table.positives and table.negatives)
    found = at_prevalence(table, prevalence=share)
    for name in ("precision", "negative_predictive_value", "accuracy", "f1", "lift", "sensitivity"):
        one = found[name]
        assert one.undefined or one.low <= one.value <= one.high
        assert one.undefined or one.low < one.high


@for_each("entry", ENTRIES, ids=NAMES)
def test_what_does_not_change_keeps_its_interval(entry):
    ours, theirs = AT[entry.name], evaluate(counts=COUNTS, design="case-control")[entry.name]
    kept = (ours.value, ours.low) == pytest.approx((theirs.value, theirs.low), rel=1e-9)
    assert kept is not changes_with_class_mix(entry)


@pytest.mark.parametrize("name", ["prevalence", "npr"])
def test_what_was_given_has_no_interval(name):
    assert not AT[name].has_interval
    assert "given" in AT[name].note


def test_level():
    wide, narrow = (at_prevalence(COUNTS, prevalence=0.05, level=level)["precision"] for level in (0.99, 0.8))
    assert wide.low < narrow.low < narrow.high < wide.high
    assert (wide.level, narrow.level) == (0.99, 0.8)


def test_more_cases_narrow_the_interval():
    widths = [at_prevalence(COUNTS * factor, prevalence=0.05)["precision"] for factor in (1, 4, 16)]
    ratios = [(a.high - a.low) / (b.high - b.low) for a, b in pairwise(widths)]
    assert ratios == pytest.approx([2, 2], rel=0.15)


def bounds(tables, share, name):
    """Of many tables, as `at_prevalence` has them."""
    sampling = sampling_of(tables, fixed=True)
    sizes = np.stack([tables.negatives, tables.positives], -1)
    sampling = sampling.reweighted((np.array([1 - share, share]) / sizes)[:, sampling.stratum])
    counts = Counts.of(*sampling.weight.T)
    return bounds_each(name, counts, Settings(design="case-control"), sampling)[1:]


@pytest.mark.parametrize("name", ["precision", "negative_predictive_value"])
def test_the_bounds_whose_coverage_is_counted_are_those_of_the_answer(name):
    table = Counts.of(*(np.array([cell]) for cell in (COUNTS.tp, COUNTS.fp, COUNTS.fn, COUNTS.tn)))
    low, high = bounds(table, 0.05, name)
    assert (low[0], high[0]) == pytest.approx((AT[name].low, AT[name].high), rel=1e-9)


SETTINGS = {
    "common": (60, 60, 0.8, 0.8, 0.4),
    "rare": (100, 100, 0.85, 0.9, 0.02),
    "few positives": (25, 120, 0.7, 0.9, 0.1),
    "good test": (80, 80, 0.95, 0.95, 0.05),
}


@pytest.mark.slow
@pytest.mark.parametrize("setting", SETTINGS.values(), ids=SETTINGS)
@pytest.mark.parametrize("name", ["precision", "negative_predictive_value"])
def test_coverage(setting, name):
    """Over every table that such samples give, each as often as it comes: no noise of a simulation."""
    positives, negatives, sensitivity, specificity, share = setting
    truth = at_prevalence(sensitivity=sensitivity, specificity=specificity, prevalence=share)[name].value
    tp, tn, chance = np.array(list(likely(positives, sensitivity, negatives, specificity))).T
    low, high = bounds(Counts.of(tp, negatives - tn, positives - tp, tn), share, name)
    assert chance.sum() > 0.999
    assert 0.93 <= chance[(low <= truth) & (truth <= high)].sum() / chance.sum() <= 0.985


def likely(positives, sensitivity, negatives, specificity):
    for tp in range(positives + 1):
        for tn in range(negatives + 1):
            chance = binom.pmf(tp, positives, sensitivity) * binom.pmf(tn, negatives, specificity)
            if chance > 1e-6:
                yield float(tp), float(tn), chance


# Reading it
# --------------------------------------------------------------------------------------------------


def test_the_text():
    lines = str(AT).splitlines()
    assert lines[0].startswith("At a prevalence of 0.0500: precision 0.156")
    assert len(lines) <= 36
    whole = str(AT.all)
    assert max(map(len, whole.splitlines())) <= 80
    assert all(f"\n{title(name)} " in whole for name in NAMES)
    assert re.search(r"\nPrecision \(PPV\) +0.156 +~?\[.*\] +wilson", whole)


def test_the_text_of_rates_says_once_that_intervals_are_lacking():
    text = str(at_prevalence(sensitivity=0.99, specificity=0.99, prevalence=0.05))
    assert max(map(len, text.splitlines())) <= 80
    assert len(text.splitlines()) < 2 * len(NAMES)
    assert "Rates without the counts behind them have no intervals." in " ".join(text.split())


def test_repr_is_one_short_line():
    for found in (AT, at_prevalence(sensitivity=0.9, specificity=0.9, npr=3)):
        assert len(repr(found)) < 200
        assert "\n" not in repr(found)


@pytest.mark.parametrize(
    "found", [AT, at_prevalence(sensitivity=0, specificity=1, npr=3)], ids=["counts", "rates"]
)
def test_json(found):
    answer = strict(json.dumps(found.to_dict(), allow_nan=False))
    assert answer == found.to_dict()
    design = ["design"] if found is AT else []
    assert list(answer) == [
        *HEAD, "prevalence", "prevalence_estimated", "counts", "measured", *design, "weight_kind", "measures",
    ]  # fmt: skip
    assert answer["prevalence_estimated"] is None
    assert answer["measured"] == (COUNTS.to_dict() if found is AT else None)
    assert answer["measures"] == {name: one.to_dict() for name, one in found.estimates.items()}
    for one in answer["measures"].values():
        if one["value"] is None or one["low"] is None:
            assert one["undefined"] or one["note"]


def test_it_is_frozen():
    for name in ("prevalence", "counts", "estimates"):
        with pytest.raises(AttributeError):
            setattr(AT, name, None)


def test_it_is_public():
    assert tallymark.at_prevalence is at_prevalence
    assert "at_prevalence" in tallymark.__all__


# What is refused
# --------------------------------------------------------------------------------------------------

RATES = {"sensitivity": 0.9, "specificity": 0.8}
BAD = {
    "prevalence 0": (
        (COUNTS,),
        {"prevalence": 0},
        "prevalence: 0 leaves one class only share between 0 and 1",
    ),
    "prevalence 1": (
        (COUNTS,),
        {"prevalence": 1.0},
        "prevalence: 1 leaves one class only share between 0 and 1",
    ),
    "prevalence 1.5": ((COUNTS,), {"prevalence": 1.5}, "prevalence: 1.5 from 0 to 1"),
    "prevalence in percent": ((COUNTS,), {"prevalence": 5}, "prevalence: 5 from 0 to 1"),
    "negative prevalence": ((COUNTS,), {"prevalence": -0.1}, "prevalence: -0.1 from 0 to 1"),
    "NaN": ((COUNTS,), {"prevalence": float("nan")}, "prevalence: nan from 0 to 1"),
    "text": ((COUNTS,), {"prevalence": "0.1"}, "prevalence: '0.1' number"),
    "a list": ((COUNTS,), {"prevalence": [0.1, 0.2]}, "prevalence: [0.1, number"),
    "True": ((COUNTS,), {"prevalence": True}, "prevalence: True number"),
    "both": ((COUNTS,), {"prevalence": 0.1, "npr": 9}, "prevalence: either prevalence= npr="),
    "neither": ((COUNTS,), {}, "prevalence: either prevalence= npr="),
    "npr 0": ((COUNTS,), {"npr": 0}, "npr: 0 number"),
    "npr negative": ((COUNTS,), {"npr": -3}, "npr: -3 number"),
    "npr infinite": ((COUNTS,), {"npr": float("inf")}, "npr: inf number"),
    "npr text": ((COUNTS,), {"npr": "9"}, "npr: '9' number"),
    "rates and counts": (
        (COUNTS,),
        {**RATES, "prevalence": 0.1},
        "sensitivity, specificity: counts or rates, not both",
    ),
    "one rate and counts": (
        (COUNTS,),
        {"specificity": 0.9, "prevalence": 0.1},
        "sensitivity, specificity: counts or rates",
    ),
    "one rate": ((), {"sensitivity": 0.9, "prevalence": 0.1}, "specificity: needed counts"),
    "no rate": ((), {"prevalence": 0.1}, "sensitivity: needed counts"),
    "rate beyond 1": ((), {**RATES, "sensitivity": 1.1, "prevalence": 0.1}, "sensitivity: 1.1 from 0 to 1"),
    "rate of text": ((), {**RATES, "specificity": "0.8", "prevalence": 0.1}, "specificity: '0.8' number"),
    "no positives": (
        (Counts(tp=0, fp=1, fn=0, tn=2),),
        {"prevalence": 0.1},
        "counts: no positives sensitivity unknown add",
    ),
    "no negatives": (
        (Counts(tp=1, fp=0, fn=2, tn=0),),
        {"prevalence": 0.1},
        "counts: no negatives specificity unknown add",
    ),
    "no cases": ((Counts.zero(),), {"prevalence": 0.1}, "counts: no positives"),
    "arrays": (
        (Counts(tp=[1, 2], fp=1, fn=1, tn=1),),
        {"prevalence": 0.1},
        "counts: four numbers Counts(tp=",
    ),
    "a tuple": (((1, 2, 3, 4),), {"prevalence": 0.1}, "counts: four numbers Counts(tp="),
    "level": ((COUNTS,), {"prevalence": 0.1, "level": 95}, "level: 95 0.95"),
    "seed": ((COUNTS,), {"prevalence": 0.1, "rng": -1}, "rng: -1"),
}


@for_each(("positional", "given", "parts"), BAD.values(), ids=BAD)
def test_bad_input(positional, given, parts):
    with pytest.raises(InputError) as refused:
        at_prevalence(*positional, **given)
    text = str(refused.value)
    assert "\n" not in text
    assert len(text) < 200
    for word in parts.split():
        assert word.strip(",") in text, text
    assert text.endswith(".")


def test_optimization_precision_reaches_its_kink():
    """Where both rates are equal the bounds of its two halves hold the value with room on either side."""
    found = at_prevalence(Counts(tp=36, fp=196, fn=4, tn=1764), prevalence=0.01)["optimization_precision"]
    assert found.low < 0.9 <= found.high
    assert found.high > 0.9
