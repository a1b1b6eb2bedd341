"""What is said of the measures of counts: held against tables of our own, the documents, and a classifier
that guesses."""

import json
import math
import re
import tomllib
from pathlib import Path

import numpy as np
import pytest
from looping import for_each, in_part
from strategies import measures_of

import tallymark
from tallymark import Counts, InputError, RankingTable, class_mix_sensitivity
from tallymark.cli import main
from tallymark.evaluation.class_mix import behaviour, changes_with_class_mix, depends_on_size
from tallymark.measures.registry import all_measures, get
from tallymark.measures.titles import title
from tallymark.report.catalogue import card

FILE = tomllib.loads((Path(__file__).parent / "worked_examples.toml").read_text(encoding="utf-8"))
EXAMPLES = {example["id"]: example for example in FILE["example"]}
ENTRIES = measures_of(Counts)
NAMES = [entry.name for entry in ENTRIES]
RANDOM = np.random.default_rng(31)
TABLES = [
    Counts(**dict(zip(("tp", "fp", "fn", "tn"), cells, strict=True)))
    for cells in RANDOM.integers(1, 400, (30, 4)).tolist()
]
COUNTS = Counts(tp=70, fp=20, fn=30, tn=80)
every_measure = for_each("entry", ENTRIES, ids=NAMES)


def value(name, table):
    return float(get(name, Counts).function(table))


def near(a, b, within=1e-7):
    return math.isclose(a, b, rel_tol=within, abs_tol=within)


def strict(text):
    return json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is not strict JSON"))


# The class mix
# --------------------------------------------------------------------------------------------------


def grown(table, positives=1, negatives=1):
    return Counts(
        tp=table.tp * positives, fn=table.fn * positives, fp=table.fp * negatives, tn=table.tn * negatives
    )


@pytest.mark.full
@every_measure
def test_the_class_mix_table_by_table(entry):
    pairs = [
        (table, grown(table, **more))
        for table in TABLES
        for more in ({"negatives": 3}, {"positives": 7}, {"negatives": 1000})
    ]
    moved = [not near(value(entry.name, a), value(entry.name, b)) for a, b in pairs]
    assert changes_with_class_mix(entry) is any(moved)
    assert behaviour(entry)["class_mix"] == (
        "changes as one class grows" if any(moved) else "does not change as one class grows"
    )


@every_measure
def test_a_measure_that_does_not_change_is_a_function_of_sensitivity_and_specificity(entry):
    """Tables of the same two rates and of any mix have one value."""
    same = [
        Counts(tp=8 * p, fn=2 * p, fp=3 * n, tn=7 * n) for p, n in RANDOM.integers(1, 100, (20, 2)).tolist()
    ]
    values = [value(entry.name, table) for table in same]
    assert (max(values) - min(values) > 1e-9) is changes_with_class_mix(entry)


def test_the_statements_of_tharwat():
    example = EXAMPLES["tharwat-binary-imbalanced"]
    kept, moved = (
        set(example[part]["names"]) for part in ("unchanged_from_balanced", "changed_from_balanced")
    )
    assert len(kept) == 11
    assert len(moved) == 9
    balanced, imbalanced = (
        Counts(**EXAMPLES["tharwat-binary-balanced"]["counts"]),
        Counts(**example["counts"]),
    )
    for name in kept | moved:
        assert changes_with_class_mix(get(name)) is (name in moved), name
        assert near(value(name, balanced), value(name, imbalanced)) is (name in kept), name


@in_part(6, ("fast", "full"))
@every_measure
def test_the_number_of_cases(entry):
    moved = [not near(value(entry.name, table), value(entry.name, table * 13)) for table in TABLES]
    assert depends_on_size(entry) is any(moved)
    said = "changes with the number of cases" if any(moved) else "does not change with the number of cases"
    assert behaviour(entry)["size"] == said


# Swaps
# --------------------------------------------------------------------------------------------------

TURNS = {"{}": lambda x: x, "1 - {}": lambda x: 1 - x, "-{}": lambda x: -x, "1 / {}": lambda x: 1 / x}


def term(words):
    """A measure in one of the simple forms, as a function of a table."""
    for form, turn in TURNS.items():
        found = re.fullmatch(re.escape(form).replace(r"\{\}", r"(\w+)"), words)
        if found:
            return lambda table, name=found[1], turn=turn: turn(value(name, table))
    raise AssertionError(f"{words} is not a measure")


def equal_terms(values, but=None):
    """The measures, turned or not, that have these values on the tables."""
    words = (form.format(name) for form in TURNS for name in NAMES)
    return [
        one
        for one in words
        if one != but and all(near(term(one)(t), v) for t, v in zip(TABLES, values, strict=True))
    ]


SWAPS = {
    "classes_swapped": lambda t: Counts(tp=t.tn, fp=t.fn, fn=t.fp, tn=t.tp),
    "truth_swapped": lambda t: Counts(tp=t.tp, fp=t.fn, fn=t.fp, tn=t.tn),
}


@in_part(6, ("fast", "full"))
@every_measure
@for_each("swap", SWAPS)
def test_what_a_swap_makes_of_it(entry, swap):
    said = behaviour(entry)[swap]
    values = [value(entry.name, SWAPS[swap](table)) for table in TABLES]
    if said == "becomes another value":
        assert equal_terms(values) == []
    else:
        words = entry.name if said == "unchanged" else said.removeprefix("becomes ")
        assert (said == "unchanged") is (words == entry.name)
        assert all(near(term(words)(table), v) for table, v in zip(TABLES, values, strict=True))


@pytest.mark.parametrize(
    ("swap", "one", "other"),
    [
        ("classes_swapped", "sensitivity", "specificity"),
        ("classes_swapped", "precision", "negative_predictive_value"),
        ("classes_swapped", "false_positive_rate", "false_negative_rate"),
        ("truth_swapped", "sensitivity", "precision"),
        ("truth_swapped", "specificity", "negative_predictive_value"),
        ("truth_swapped", "youden_j", "markedness"),
        ("truth_swapped", "prevalence", "predicted_prevalence"),
    ],
)
def test_swaps_that_are_known(swap, one, other):
    assert behaviour(get(one))[swap] == f"becomes {other}"
    assert behaviour(get(other))[swap] == f"becomes {one}"


@pytest.mark.parametrize(
    "name", ["accuracy", "matthews_correlation", "cohen_kappa", "youden_j", "diagnostic_odds_ratio"]
)
def test_what_a_swap_of_classes_leaves_alone(name):
    assert behaviour(get(name))["classes_swapped"] == "unchanged"


@pytest.mark.parametrize("name", ["f1", "jaccard", "matthews_correlation", "accuracy", "cohen_kappa"])
def test_what_a_swap_of_truth_leaves_alone(name):
    assert behaviour(get(name))["truth_swapped"] == "unchanged"


# By chance
# --------------------------------------------------------------------------------------------------

CHANCE = {
    "youden_j": "0",
    "markedness": "0",
    "matthews_correlation": "0",
    "cohen_kappa": "0",
    "balanced_accuracy": "0.5",
    "positive_likelihood_ratio": "1",
    "negative_likelihood_ratio": "1",
    "diagnostic_odds_ratio": "1",
    "lift": "1",
    "precision": "prevalence",
    "negative_predictive_value": "1 - prevalence",
    "sensitivity": "predicted_prevalence",
    "specificity": "1 - predicted_prevalence",
    "number_needed_to_diagnose": "infinite",
    "accuracy": "depends on the prevalence and the share predicted positive",
    "geometric_mean": "depends on the share predicted positive",
}


@for_each("name", CHANCE)
def test_values_by_chance_that_are_known(name):
    assert behaviour(get(name))["by_chance"] == CHANCE[name]


def guessed(share, called, cases=1e7):
    parts = share * called, (1 - share) * called, share * (1 - called), (1 - share) * (1 - called)
    return Counts(**dict(zip(("tp", "fp", "fn", "tn"), (cases * part for part in parts), strict=True)))


GUESSES = [(share, called) for share in (0.03, 0.2, 0.5, 0.81) for called in (0.013, 0.33, 0.5, 0.77, 0.98)]


def varies(entry, held):
    """Whether the value differs between guesses of one share (0: of positives, 1: called positive)."""
    for one in {guess[held] for guess in GUESSES}:
        cases = 200 if depends_on_size(entry) else 1e7
        values = [value(entry.name, guessed(*guess, cases)) for guess in GUESSES if guess[held] == one]
        if max(values) - min(values) > 1e-4 * max(1, abs(values[0])):
            return True
    return False


@every_measure
def test_values_by_chance(entry):
    said = behaviour(entry)["by_chance"]
    if said.startswith("depends on "):
        on_share, on_called = varies(entry, 1), varies(entry, 0)
        assert ("the prevalence" in said) is on_share
        assert ("the share predicted positive" in said) is on_called
        return
    for share, called in GUESSES:
        wanted = {
            "prevalence": share,
            "1 - prevalence": 1 - share,
            "predicted_prevalence": called,
            "infinite": math.inf,
        }
        wanted["1 - predicted_prevalence"] = 1 - called
        found = value(entry.name, guessed(share, called))
        if said == "infinite":
            assert abs(found) > 1e6
        else:
            assert near(found, wanted[said] if said in wanted else float(said), 1e-6)


@pytest.mark.parametrize(
    "name", ["youden_j", "balanced_accuracy", "matthews_correlation", "cohen_kappa", "lift", "precision"]
)
def test_a_classifier_that_guesses_has_about_that_value(name):
    random = np.random.default_rng(4)
    truth, called = random.random(200_000) < 0.3, random.random(200_000) < 0.6
    said = behaviour(get(name))["by_chance"]
    wanted = truth.mean() if said == "prevalence" else float(said)
    assert value(name, Counts.from_arrays(truth=truth, predicted=called)) == pytest.approx(wanted, abs=0.01)


# Neighbours
# --------------------------------------------------------------------------------------------------


def of_neighbours(entry):
    return [words for words in behaviour(entry)["neighbours"].split("; ") if words]


@every_measure
def test_neighbours_are_functions_of_each_other(entry):
    values = [value(entry.name, table) for table in TABLES]
    for words in of_neighbours(entry):
        if words.startswith("is "):
            assert all(near(term(words[3:])(table), v) for table, v in zip(TABLES, values, strict=True))
            continue
        rising = words.startswith("rises with ")
        name = (
            words.removeprefix("rises with ") if rising else re.fullmatch(r"falls as (\w+) rises", words)[1]
        )
        there = [value(name, table) for table in TABLES]
        order = np.argsort(there)
        steps = np.diff(np.array(values)[order]) * (1 if rising else -1)
        assert (steps >= -1e-9 * np.ptp(values)).all(), words


@every_measure
def test_no_equal_measure_is_forgotten(entry):
    values = [value(entry.name, table) for table in TABLES]
    named = {name for words in of_neighbours(entry) for name in NAMES if re.search(rf"\b{name}\b", words)}
    for words in equal_terms(values, but=entry.name):
        assert words.split()[-1].lstrip("-") in named | {entry.name}, words


@every_measure
def test_neighbours_know_each_other(entry):
    for words in of_neighbours(entry):
        (other,) = [name for name in NAMES if re.search(rf"\b{name}\b", words)]
        assert any(re.search(rf"\b{entry.name}\b", back) for back in of_neighbours(get(other))), other


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("sensitivity", "is 1 - false_negative_rate"),
        ("error_rate", "is 1 - accuracy"),
        ("youden_j", "rises with balanced_accuracy"),
        ("youden_j", "is 1 / number_needed_to_diagnose"),
        ("f1", "rises with jaccard"),
        ("yule_q", "rises with diagnostic_odds_ratio"),
    ],
)
def test_neighbours_that_are_known(name, words):
    assert words in of_neighbours(get(name))


# class_mix_sensitivity
# --------------------------------------------------------------------------------------------------

GROWTH = (1, 3, 0.5, 40)


@pytest.mark.parametrize("grown_class", ["negative", "positive"])
@pytest.mark.parametrize("table", [COUNTS, Counts(tp=3, fp=0, fn=0, tn=9), Counts(tp=5, fp=0, fn=2, tn=0)])
def test_values_as_one_class_grows(grown_class, table):
    found = class_mix_sensitivity(table, growth=GROWTH, grown=grown_class)
    assert (found.growth, found.grown) == (GROWTH, grown_class)
    assert list(found.values) == NAMES
    for name, values in found.values.items():
        wanted = [value(name, grown(table, **{f"{grown_class}s": factor})) for factor in GROWTH]
        np.testing.assert_allclose(values, wanted, rtol=1e-12, atol=1e-12, err_msg=name)


def test_what_changes_is_marked():
    found = class_mix_sensitivity(COUNTS)
    assert found.changes == {entry.name: changes_with_class_mix(entry) for entry in ENTRIES}
    for name, values in found.values.items():
        assert bool(np.ptp(values) > 1e-9) is found.changes[name], name
    balanced, imbalanced = (EXAMPLES[f"tharwat-binary-{kind}"] for kind in ("balanced", "imbalanced"))
    assert Counts(**balanced["counts"]) == COUNTS
    assert found.values["accuracy"][3] == pytest.approx(value("accuracy", Counts(**imbalanced["counts"])))
    assert found.growth[3] == 10


@pytest.mark.parametrize(
    ("table", "growth"),
    [
        (COUNTS, (1, 2, 5, 10, 100)),
        (COUNTS * 123456.789, (1e-9, 1, 2.3456789, 1e5, 1e9)),
        (Counts(tp=1, fp=0, fn=0, tn=0), (1, 2)),
        (Counts.zero(), (1, 10)),
        (COUNTS, tuple(range(1, 20))),
    ],
)
def test_the_text(table, growth):
    found = class_mix_sensitivity(table, growth=growth)
    lines = str(found.all).splitlines()
    assert "negatives multiplied" in lines
    assert max(map(len, lines)) <= 80
    for name in NAMES:
        there = [line for line in lines if line.startswith(f"{title(name)} ")]
        assert there, name
    assert sum(line.endswith(" changes") for line in lines) == sum(found.changes.values())


def test_a_dict_of_it_is_strict_json():
    for table in (COUNTS, Counts(tp=1, fp=0, fn=0, tn=0), Counts(tp=3, fp=0, fn=0, tn=9)):
        found = class_mix_sensitivity(table, growth=GROWTH)
        answer = strict(json.dumps(found.to_dict(), allow_nan=False))
        assert answer == found.to_dict()
        assert list(answer)[3:] == ["growth", "grown", "values", "changes", "curves", "threshold"]
        for name, values in found.values.items():
            assert answer["values"][name] == [v if math.isfinite(v) else None for v in values]


def test_its_repr_is_one_short_line():
    assert len(repr(class_mix_sensitivity(COUNTS))) < 200


BAD = {
    "growth 0": ((COUNTS,), {"growth": (1, 0)}, "growth: 0 number"),
    "negative growth": ((COUNTS,), {"growth": (-2,)}, "growth: -2 number"),
    "growth of text": ((COUNTS,), {"growth": ("x",)}, "growth: 'x' number"),
    "growth NaN": ((COUNTS,), {"growth": (math.nan,)}, "growth: nan number"),
    "one number": ((COUNTS,), {"growth": 5}, "growth: 5"),
    "no growth": ((COUNTS,), {"growth": ()}, "growth:"),
    "a text": ((COUNTS,), {"growth": "12"}, "growth:"),
    "class": ((COUNTS,), {"grown": "negatives"}, "grown: 'negatives' did you mean 'negative'"),
    "a tuple": (((1, 2, 3, 4),), {}, "counts: four numbers Counts(tp="),
    "arrays": ((Counts(tp=[1, 2], fp=1, fn=1, tn=1),), {}, "counts: four numbers"),
}


@for_each(("positional", "given", "parts"), BAD.values(), ids=BAD)
def test_bad_arguments(positional, given, parts):
    with pytest.raises(InputError) as refused:
        class_mix_sensitivity(*positional, **given)
    text = str(refused.value)
    assert "\n" not in text
    for word in parts.split():
        assert word in text, text
    assert text.endswith((".", "?"))


def test_it_is_public():
    assert "class_mix_sensitivity" in tallymark.__all__
    assert tallymark.class_mix_sensitivity is class_mix_sensitivity


# `tallymark measures NAME`
# --------------------------------------------------------------------------------------------------

# of several forms, the one that a name finds
EVERY = [entry for entry in all_measures() if get(entry.name) is entry]
KNOWN = ("class_mix", "size", "classes_swapped", "truth_swapped", "by_chance")


def printed(capsys, *arguments):
    assert main(["measures", *arguments]) == 0
    return capsys.readouterr().out


@pytest.mark.full
@pytest.mark.parametrize("entry", EVERY, ids=lambda entry: entry.name)
def test_the_card_tells_all(entry, capsys):
    out = printed(capsys, entry.name)
    plain = " ".join(out.split())
    assert out.splitlines()[:2] == [entry.name, "=" * len(entry.name)]
    low, high = (f"{end:g}" for end in entry.range)
    wanted = [
        entry.title,
        entry.formula,
        entry.remarks,
        *entry.aliases,
        f"{low} to {high}",
        entry.section("Undefined"),
    ]
    wanted += [
        entry.source,
        entry.section("Differs"),
        entry.better or "",
        "" if entry.best is None else f"{entry.best:g}",
    ]
    wanted += list(behaviour(entry).values())
    if entry.for_many_classes:
        wanted.append(entry.for_many_classes.formula)
    for words in wanted:
        assert words in plain


@pytest.mark.full
@pytest.mark.parametrize("entry", EVERY, ids=lambda entry: entry.name)
def test_the_card_fits_80_columns(entry, capsys):
    for line in printed(capsys, entry.name).splitlines():
        assert len(line) <= 80 or len(line.split()) == 1, line


@pytest.mark.full
@pytest.mark.parametrize("entry", all_measures(), ids=lambda entry: f"{entry.name}-{entry.summary.__name__}")
def test_the_card_as_json(entry, capsys):
    (answer,) = [
        one
        for one in strict(printed(capsys, "--json"))["measures"]
        if (one["name"], one["of"]) == (entry.name, entry.summary.__name__)
    ]
    assert answer == strict(json.dumps(card(entry), allow_nan=False))
    if entry.summary is Counts:
        assert behaviour(entry).items() <= answer.items()
        assert all(answer[key] for key in KNOWN)
    else:
        assert not set(KNOWN) & set(answer)


def test_measures_of_other_summaries_have_no_such_behaviour():
    assert [behaviour(entry) for entry in measures_of(RankingTable)] == [{}] * len(measures_of(RankingTable))


@pytest.mark.parametrize("words", ["Matthews", "proportion incorrectly", "kappa chance"])
def test_words_list_every_name_once(words, capsys):
    """A measure of counts that also has a form for many classes is one measure, whose card says so."""
    out = printed(capsys, *words.split())
    if out.splitlines()[1].startswith("="):
        return
    names = [line.split()[0] for line in out.splitlines() if line and line[0] not in " ["]
    assert len(names) == len(set(names))


def test_that_of_scores_says_the_threshold():
    found = class_mix_sensitivity(
        tallymark.evaluate(truth=[0, 1, 0, 1], score=[0.1, 0.6, 0.4, 0.8], threshold=0.3)
    )
    assert found.threshold == 0.3
    assert "threshold 0.3" in str(found)
