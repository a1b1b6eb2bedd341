"""A refusal gives its true reason and a way out that works; and the page of several models."""

import re

import numpy as np
import pytest
from every_result import CLASSES, OTHER, PER_CLASS, SCORE, SEVERAL, TRUTH
from looping import for_each
from refusals import refuses

import tallymark as tm
from tallymark.cli import main
from tallymark.input.arguments import OPTIONS

LABELS = ["a", "b", "c"]


@pytest.fixture(scope="module")
def two():
    return tm.evaluate(truth=TRUTH, score=SCORE)


@pytest.fixture(scope="module")
def many():
    return tm.evaluate(truth=CLASSES, score=PER_CLASS, classes=LABELS)


@pytest.fixture(scope="module")
def amounts():
    return tm.evaluate(truth=SCORE, predicted=OTHER, regression=True)


# Measures of two classes
# --------------------------------------------------------------------------------------------------


def test_of_a_score_per_class_a_measure_of_two_classes_is_asked_for_one_class(many):
    with refuses("unsupported", "roc_auc", "one_vs_"):
        many["roc_auc"]
    with refuses("invalid-value", "roc_auc", argument="require, character 1"):
        tm.check(many, require="roc_auc >= 0.5")
    assert (
        many.one_vs_rest("a")["roc_auc"].value
        == tm.check(many, require='roc_auc[class "a"] >= 0').findings[0].compared
    )


def test_amounts_have_no_measure_of_classes(amounts):
    for name in ("roc_auc", "accuracy", "macro_roc_auc"):
        with pytest.raises(
            tm.InputError,
            match=rf"{name} is not measured here: it is a measure of classes, and amounts have none",
        ):
            amounts[name]
    with refuses("invalid-value", "mean_absolute_error", argument="require, character 1"):
        tm.check(amounts, require="roc_auc >= 0.5")
    assert {"mean_absolute_error", "mean_squared_error"} <= {*amounts}


# Comparing
# --------------------------------------------------------------------------------------------------


def test_evaluations_of_different_classes_are_not_compared(two, many, amounts):
    with refuses("mismatch", "'a'", "'b'", "'c'", argument="data"):
        tm.compare(many, two)
    with refuses("unsupported", argument="data"):
        tm.compare(two, amounts)
    with refuses("mismatch", argument="data"):
        tm.compare(two, tm.evaluate(**SEVERAL))
    other = tm.evaluate(truth=np.append(CLASSES, "d"), predicted=np.append(CLASSES, "d"))
    with refuses("mismatch", "classes=", argument="data"):
        tm.compare(many, other)


def test_classes_that_do_not_occur_can_be_named_so_that_two_are_compared():
    few = tm.evaluate(truth=CLASSES[:40], predicted=np.roll(CLASSES[:40], 1), classes=[*LABELS, "d"])
    more = tm.evaluate(truth=np.append(CLASSES, "d"), predicted=np.append(CLASSES, "d"))
    assert tm.compare(few, more, measures="accuracy")["accuracy"].estimate.value > 0.5


def test_samples_of_different_classes_are_not_compared():
    codes = np.arange(60) % 3
    sample = np.where(codes == 2, 1, np.arange(60) // 3 % 2)
    with refuses("mismatch", argument="sample"):
        tm.compare(truth=codes, predicted=codes, sample=sample)


@for_each(
    ("name", "passed"),
    [
        ("scores", r"pass the cases with score=\["),
        ("labels", r"pass the cases with predicted=\["),
        ("classes", r"pass the cases with predicted=\["),
        ("several", r"pass the cases with predicted=\["),
        ("amounts", r"pass the cases with predicted=\[...\], regression=True"),
    ],
)
def test_what_may_be_the_same_cases_is_passed_as_it_was_given(name, passed):
    found = {
        "scores": {"truth": TRUTH, "score": SCORE},
        "labels": {"truth": TRUTH, "predicted": (SCORE > 0.5).astype(int)},
        "classes": {"truth": CLASSES, "predicted": np.roll(CLASSES, 1)},
        "several": SEVERAL,
        "amounts": {"truth": SCORE, "predicted": OTHER, "regression": True},
    }[name]
    one = tm.evaluate(**found)
    with pytest.raises(tm.InputError, match=passed + r".* for the paired comparison, or paired=False"):
        tm.compare(one, one)


def test_one_amount_shows_no_spread():
    found = tm.compare(truth=[1.0], predicted=[[1.5], [2.0]], regression=True)["mean_squared_error"].estimate
    assert not found.has_interval
    assert [note.code for note in found.notes] == ["no-spread"]


# Calibration
# --------------------------------------------------------------------------------------------------


@for_each(
    ("arguments", "why"),
    [
        ({"score": -SCORE, "higher_is_positive": False}, "a lower score means positive here"),
        ({"score": SCORE, "score_kind": "llr"}, "score_kind='llr' says that the scores are something else"),
        (
            {"score": 9 * SCORE},
            "the scores are not probabilities; pass score_kind='logit' if they are logits",
        ),
    ],
)
def test_calibration_says_why_scores_are_no_probabilities(arguments, why):
    with pytest.raises(
        tm.InputError,
        match=f"^score: calibration needs probabilities, or logits: {re.escape(why)}; pass such",
    ):
        tm.calibration(tm.evaluate(truth=TRUTH, **arguments))


def test_calibration_of_a_score_per_class_says_why_these_are_no_probabilities():
    with refuses("unsupported", argument="score"):
        tm.calibration(tm.evaluate(truth=CLASSES, score=9 * PER_CLASS, classes=LABELS))


def test_calibration_of_labels_needs_scores():
    with refuses("needed", "truth=", "score=", argument="score"):
        tm.calibration(tm.evaluate(truth=TRUTH, predicted=(SCORE > 0.5).astype(int)))


# The command line
# --------------------------------------------------------------------------------------------------


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "cases.csv"
    rows = zip(TRUTH.tolist(), SCORE.tolist(), OTHER.tolist(), strict=True)
    path.write_text("y,p,q\n" + "".join(f"{y},{p},{q}\n" for y, p, q in rows), encoding="utf-8")
    return str(path)


def said(capsys, *typed):
    assert main([*typed]) == 2
    return capsys.readouterr().err


def test_two_columns_of_one_name_are_those_of_its_classes(file, capsys):
    error = said(capsys, "evaluate", file, "--truth", "y", "--model", "old=p", "--model", "old=q")
    assert (
        "score old: there are 2 columns, one per class (another model has another name), and the names 'p',"
        " 'q' are" in error
    )
    error = said(capsys, "evaluate", file, "--truth", "y", "--score", "p", "--score", "q")
    assert "score: the names 'p', 'q' are none of the labels" in error


def test_a_model_has_a_column(file, capsys):
    assert "--model: 'a=' names no column; write NAME=COLUMN" in said(
        capsys, "evaluate", file, "--truth", "y", "--model", "a="
    )
    assert "--model: '=p' is not understood" in said(
        capsys, "evaluate", file, "--truth", "y", "--model", "=p"
    )


def test_band_is_for_decision_curves(file, capsys):
    models = ("--score", "p", "--score", "q")
    error = said(
        capsys, "compare", file, "--truth", "y", *models, "--curve", "confidence", "--band", "pointwise"
    )
    assert "--band: it is for --curve decision; add that" in error


def test_the_help_of_classes_says_what_they_are():
    said = OPTIONS["classes"].settings["help"]
    assert all(part in said for part in ("without cases", "of the columns"))


def test_one_class_is_singular():
    with refuses("wrong-shape"):
        tm.evaluate(truth=["a"] * 4, score=np.full((4, 3), 1 / 3))


# The page of several models
# --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def table():
    few = np.r_[0:14]
    return tm.evaluate(truth=TRUTH[few], score={"<old>": SCORE[few], "new": 9 * OTHER[few]})


@pytest.mark.full
def test_the_page_of_several_models_has_each_notice_once(table):
    whole, *parts = table.to_html().split('<div class="part">')
    assert table.notices
    assert len(parts) == len(table)
    for code in {notice.code for notice in table.notices}:
        assert whole.count(f"<code>{code}</code>") == 1
    for part, one in zip(parts, table.values(), strict=True):
        assert re.findall(r'<p class="notice.*<code>(.*)</code>', part) == [
            found.code for found in one.notices
        ]


@pytest.mark.full
def test_the_page_of_several_models_has_them_one_below_the_other(table):
    html = table.to_html()
    first = html[html.index("<table") : html.index("</table>")]
    head, *rows = re.findall(r"<tr>.*?</tr>", first)
    assert "<old>" not in html
    assert [re.search(r'<th scope="row">(.*?)</th>', row)[1] for row in rows] == ["&lt;old&gt;", "new"]
    titles = re.findall(r"<span>([A-Za-z ]+)</span>", head)
    for row, one in zip(rows, table.values(), strict=True):
        cells = dict(zip(titles, re.findall(r"<td.*?<span>(.*?)</span>", row), strict=True))
        for title, name in (("ROC AUC", "roc_auc"), ("Sensitivity", "sensitivity")):
            found = one[name]
            mark = "~" * ("approximate" in (found.note or ""))
            assert cells[title] == f"{found.centre:.3f} {mark}[{found.low:.3f}, {found.high:.3f}]"
    cell = re.compile(r'title="log_loss">.*?<td class="e">.*?(-|[\d.]+ ~?\[.*?\])')
    old, new = (cell.search(part) for part in html.split('<div class="part">')[1:])
    assert old[1].startswith(f"{table['<old>']['log_loss'].value:.3f} ")
    assert new is None or new[1] == "-"  # no probabilities


def test_the_page_of_one_model_has_its_notices(table):
    assert '<p class="notice' in table["new"].to_html()
