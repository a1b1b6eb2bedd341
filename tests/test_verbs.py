"""docs/verbs.md: what is done with which data. Every cell is tried, and a refusal names its reason."""

import re
import sys
from pathlib import Path

import pytest
from looping import for_each, in_part

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "docs"))
import verbs


@in_part(3)
@for_each("verb", verbs.VERBS)
def test_each_cell_answers_or_is_refused_with_a_reason(verb):
    for task in verbs.TASKS:
        said = verbs.answered(verb, task)
        if said is not None:
            assert re.match(r"[\w ,=]+: .*\.$|\w+ is a measure of two classes", said), said
            assert "\n" not in said
            assert not said.endswith("; pass one column.")
            assert "takes no argument of this name" not in said


EXPECTED = {
    ("choose_threshold", "several labels"): "truth: a threshold needs two classes, and several labels per",
    ("at_prevalence", "many classes, labels"): "take one of them against the rest, as ev.class_counts[label]",
    ("class_mix_sensitivity", "amounts"): "counts: predicted amounts have no classes",
    ("planning.present", "amounts"): "measures=['mean_squared_error']",
    ("cross_validate", "several labels"): "y: several labels per case are not supported here",
    ("cross_validate", "amounts"): "look like amounts, and estimators of amounts are not supported",
    ("unscored", "many classes, a score each"): "take one class against the rest",
    ("measures.f1", "several labels"): "has it for every label in .classes",
    ("measures.roc_auc", "two classes, labels"): "predicted: roc_auc is measured on scores",
    ("curve", "amounts"): "there are only predicted amounts here",
}


@for_each("cell", EXPECTED)
def test_the_reason_is_the_true_one(cell):
    assert EXPECTED[cell] in verbs.answered(*cell)


def test_what_is_named_as_the_way_out_works():
    ev = verbs.tm.evaluate(**verbs.TASKS["many classes, labels"].cases())
    assert verbs.tm.at_prevalence(ev.class_counts["a"], prevalence=0.1)["prevalence"].value == pytest.approx(
        0.1
    )
    task = verbs.TASKS["amounts"]
    assert verbs.tm.compare(**task.models(), measures="mean_absolute_error").measures == (
        "mean_absolute_error",
    )
    assert verbs.tm.planning.present(ev, measures="accuracy")["accuracy"].estimate == ev["accuracy"]


def test_the_first_sentence():
    assert verbs.first("a: this is so. Do that.") == "a: this is so."
    assert verbs.first("a: as in Fig. 2, this.") == "a: as in Fig. 2, this."
