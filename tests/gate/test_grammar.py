"""The grammar of requirements: what is read, that it is written again the same, and where a complaint
points."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import example, given, strategies as st
from looping import for_each
from refusals import refuses

from tallymark.evaluation.thresholds import read_rule as rule_of
from tallymark.studies.gate import Requirement, RequirementError, parse
from tallymark.studies.gate.grammar import OPERATORS, PARTS, Condition, Quantity


def by(rule):
    """The condition of a rule."""
    return Condition(rule=rule_of(rule).spec)


NUMBERS = st.floats(0, 1).map(lambda x: x + 0.0)
LABELS = st.text(max_size=20)


@for_each(
    ("text", "read"),
    [
        ("roc_auc.low >= 0.80", Requirement(Quantity("roc_auc"), "low", ">=", 0.8)),
        ("  roc_auc>.8  ", Requirement(Quantity("roc_auc"), "", ">", 0.8)),
        ("ROC_AUC.value >= 80%", Requirement(Quantity("roc_auc"), "value", ">=", 0.8)),
        ("roc-auc >= 99.9 %", Requirement(Quantity("roc_auc"), "", ">=", 0.999)),
        ("log_loss.high <= 5e-1", Requirement(Quantity("log_loss"), "high", "<=", 0.5)),
        ("matthews_correlation < -.5", Requirement(Quantity("matthews_correlation"), "", "<", -0.5)),
        ("accuracy.width <= 0.1", Requirement(Quantity("accuracy"), "width", "<=", 0.1)),
        ("n >= 1000", Requirement(Quantity("rows"), "", ">=", 1000)),
        ("positives >= 50", Requirement(Quantity("positives"), "", ">=", 50)),
        ("f_beta(beta=2).low >= 0.5", Requirement(Quantity("f_beta", (("beta", 2.0),)), "low", ">=", 0.5)),
        (
            "partial_auc(low=0, high=10%) >= 0.05",
            Requirement(Quantity("partial_auc", (("low", 0.0), ("high", 0.1))), "", ">=", 0.05),
        ),
        ('f1[class "a b"].low > 0', Requirement(Quantity("f1", label="a b"), "low", ">", 0)),
        ("f1[class cat] > 0", Requirement(Quantity("f1", label="cat"), "", ">", 0)),
        ("f1[class 3] > 0", Requirement(Quantity("f1", label="3"), "", ">", 0)),
        ("f1[class '\"'] > 0", Requirement(Quantity("f1", label='"'), "", ">", 0)),
        ("macro f1.low >= 0.7", Requirement(Quantity("macro_f1"), "low", ">=", 0.7)),
        (
            "f1 >= 0.3 at threshold -1.5",
            Requirement(Quantity("f1", at=Condition(threshold=-1.5)), "", ">=", 0.3),
        ),
        ("f1 >= 0.3 at rule youden", Requirement(Quantity("f1", at=by("youden")), "", ">=", 0.3)),
        ("f1 >= 0.3 at youden", Requirement(Quantity("f1", at=by("youden")), "", ">=", 0.3)),
        ("f1 >= 0.3 at rule f1", Requirement(Quantity("f1", at=by("f1")), "", ">=", 0.3)),
        (
            "recall.low >= 0.9 at specificity 0.95",
            Requirement(Quantity("recall", at=by("specificity >= 0.95")), "low", ">=", 0.9),
        ),
        ("recall >= 0.9 at fpr 1%", Requirement(Quantity("recall", at=by("fpr <= 0.01")), "", ">=", 0.9)),
        (
            "f1 >= 0.9 at predicted_prevalence<=.1",
            Requirement(Quantity("f1", at=by("predicted_prevalence <= 0.1")), "", ">=", 0.9),
        ),
    ],
)
def test_what_is_read(text, read):
    found = parse(text)
    assert found == read
    assert found.text == text
    assert parse(str(found)) == read


@for_each(
    ("text", "character", "said"),
    [
        ("", 1, "expected a measure"),
        ("   ", 4, "expected a measure"),
        ("roc_auc", 8, "expected a comparison"),
        ("roc_auc >=", 11, "expected the number"),
        ("roc_auc == 0.8", 9, "expected a comparison"),
        ("roc_auc >= 0.8 0.9", 16, "expected the end"),
        ("roc_auc >= 0.8 and f1 >= 1", 16, "found 'and'"),
        ("roc_au.low >= 0.8", 1, "did you mean 'roc_auc'"),
        ("roc_auc.lo >= 0.8", 9, "did you mean 'low'"),
        ("roc_auc.low >= 80", 16, "80% is written with its sign"),
        ("roc_auc.width <= -1", 18, "the width of roc_auc lies from 0 to 1"),
        ("f1 >= 1e999", 7, "too large for a number"),
        ("n.low >= 3", 2, "it has no interval"),
        ("n(k=3) >= 3", 3, "rows has no parameters"),
        ('rows[class "a"] >= 3', 5, "its positives"),
        ("n >= 3 at specificity 0.9", 8, "does not depend on a threshold"),
        ("roc_auc >= 0.8 at specificity 0.9", 16, "does not depend on a threshold"),
        ("f_beta(bta=2) >= 0.3", 8, "did you mean 'beta'"),
        ("f_beta(beta=-2) >= 0.3", 8, "-2.0 is not possible"),
        ("f_beta(beta=2, beta=3) >= 0.3", 16, "given twice"),
        ("f_beta(beta=2 >= 0.3", 15, "expected ',' or ')'"),
        ("f_beta() >= 0.3", 8, "the name of a parameter"),
        ("f1 >= 0.3 at specifity 0.9", 14, "did you mean 'specificity'"),
        ("f1 >= 0.3 at specificity 95", 14, "specificity lies from 0 to 1"),
        ("f1 >= 0.3 at specificity", 25, "expected the bound on specificity"),
        ("f1 >= 0.3 at prevalence 0.2", 25, "neither better high nor better low"),
        ("f1 >= 0.3 at threshold", 23, "expected a number"),
        ("f1 >= 0.3 at rule cost", 19, "takes numbers"),
        ("f1 >= 0.3 at roc_auc 0.9", 14, "not a measure of the counts"),
        ("f1 >= 0.3 at rule brier_score", 19, "not a measure of the counts"),
        ("f1[cat] >= 0.3", 4, "class and its label"),
        ('f1[class "cat >= 0.3', 10, "never closed"),
        ("f1[class] >= 0.3", 9, "expected the label"),
        ('macro f1[class "a"] >= 0.3', 9, "over all classes"),
        ("macro f1 >= 0.3 at youden", 17, "does not depend on a threshold"),
        ("macro gini >= 0.3", 7, "not a measure in the catalogue"),
        ("macro n >= 0.3", 7, "not a measure in the catalogue"),
        ('__import__("os") >= 1', 1, "not a measure in the catalogue"),
        ("f1 >= 0.3; f1", 10, "';' has no meaning"),
        ("f1 ≥ 0.3", 4, "'≥' has no meaning"),
        ("f1 >= ٣", 7, "has no meaning"),
        ("f1 >= 0.3" + " " * 1000, 1001, "at most 1000 characters"),
    ],
)
def test_a_complaint_points_at_the_character(text, character, said):
    with pytest.raises(RequirementError) as caught:
        parse(text)
    sentence, line, caret = str(caught.value).split("\n")
    assert sentence.startswith(f"require, character {character}: ")
    assert said in sentence
    assert caught.value.position == character - 1
    if character - 1 < len(text):
        assert line[caret.index("^")] == text[character - 1]  # below it, also where a long text is cut
    assert max(len(line), len(caret)) <= 80


def test_where_it_stands_is_said():
    with pytest.raises(RequirementError, match=r"^gate.txt, line 3, character 1: "):
        parse("f >= 1", "gate.txt, line 3")


@pytest.mark.parametrize("wrong", [3, None, b"roc_auc >= 1", ["roc_auc >= 1"]])
def test_a_requirement_is_text(wrong):
    with refuses("invalid-value", argument="require"):
        parse(wrong)


def conditions():
    bounds = st.builds(
        lambda name, operator, limit: by(f"{name} {operator} {limit!r}"),
        st.sampled_from(["specificity", "tpr", "precision"]), st.sampled_from([">=", "<="]),
        st.floats(0.001, 0.999),
    )  # fmt: skip
    rules = st.sampled_from(["youden", "f1", "closest_to_corner"]).map(by)
    thresholds = st.floats(allow_nan=False, allow_infinity=False).map(lambda x: Condition(threshold=x))
    return st.none() | bounds | rules | thresholds


def quantities():
    beta = st.floats(0.001, 1000).map(lambda x: (("beta", x),))
    of_all = st.builds(
        Quantity, st.sampled_from(["f1", "recall", "fpr"]), st.just(()), st.none() | LABELS, at=conditions()
    )
    with_beta = st.builds(Quantity, st.just("f_beta"), beta, st.none() | LABELS, conditions())
    every = st.builds(Quantity, st.just("recall"), at=conditions(), every_class=st.just(True))
    averages = st.builds(Quantity, st.sampled_from(["macro_f1", "weighted_f1", "micro_f1"]))
    ranking = st.builds(Quantity, st.sampled_from(["roc_auc", "brier_score"]))
    return of_all | with_beta | every | averages | ranking


def requirements():
    of_all = st.builds(
        Requirement, quantities(), st.sampled_from(["", *PARTS]), st.sampled_from(OPERATORS), NUMBERS
    )
    least = st.none() | st.tuples(st.sampled_from(["rows", "positives", "negatives"]), st.integers(0, 999))
    in_groups = st.builds(
        lambda one, by, least: replace(one, by=tuple(by), least=least),
        of_all, st.lists(LABELS, min_size=1, max_size=3), least,
    )  # fmt: skip
    against = st.builds(
        lambda one, part, margin: replace(one, part=part, limit=margin, of_baseline=True),
        of_all, st.sampled_from(["", "value", "low", "high"]), st.floats(-1, 1).map(lambda x: x + 0.0),
    )  # fmt: skip
    return of_all | in_groups | against


@given(requirements())
def test_what_is_written_is_read_again(requirement):
    assert parse(str(requirement)) == requirement


MARKS = [*"()[].=,%<>\"'\\ -+#", ">=", "<=", "\n", "\t", "\0", "é", "𝟘"]
WORDS = [
    "at",
    "class",
    "rule",
    "threshold",
    "macro",
    "roc_auc",
    "f1",
    "f_beta",
    "beta",
    "n",
    "low",
    "0.5",
    "1e5",
    "2",
    "youden",
    "eval",
]
PIECES = st.sampled_from([*MARKS, *WORDS, "specificity", "__class__"])


@given(
    st.text(max_size=60)
    | st.lists(PIECES, max_size=14).map(" ".join)
    | st.lists(PIECES, max_size=14).map("".join)
)
@example("f1 >= 0.3 at threshold 1e400")
@example("f1[class '\\'] > 0")
def test_garbage_gives_one_error_that_points_into_the_text(text):
    try:
        found = parse(text)
    except RequirementError as wrong:
        points_into(text, wrong)
    else:
        assert parse(str(found)) == found


def points_into(text, wrong):
    assert 0 <= wrong.position <= len(text)
    _, line, caret = str(wrong).split("\n")
    assert len(caret) <= 80
    assert line.strip() == "" or line.isprintable()


def test_the_requirements_of_the_documentation_are_read():
    page = (Path(__file__).parents[2] / "docs" / "check.md").read_text(encoding="utf-8")
    table = page.partition("| written | means |")[2].partition("\n\n")[0]
    written = [one for row in table.splitlines()[2:] for one in re.findall(r"`([^`]+)`", row.split(" | ")[0])]
    assert len(written) >= 16
    for one in written:
        parse(one.replace("…", "f1 >= 0.3"))
