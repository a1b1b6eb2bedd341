"""What users of other tools type works, or is answered with what to type here."""

import inspect
import json
import pydoc
import re

import numpy as np
import pytest
from looping import for_each
from refusals import refuses

import tallymark as tm

TRUTH, SCORE = np.array([0, 1, 1, 0, 1, 0, 1, 1]), np.array([0.1, 0.9, 0.4, 0.6, 0.8, 0.2, 0.7, 0.3])
EV = tm.evaluate(truth=TRUTH, score=SCORE)
CLASSES = tm.evaluate(truth=[0, 1, 2, 2, 1], predicted=[0, 1, 2, 1, 1])
AUC = EV["roc_auc"]


def test_an_estimate_is_the_number():
    assert round(AUC, 3) == round(AUC.value, 3)
    assert AUC > 0.5
    assert not AUC > 1
    assert sorted([AUC, EV["f1"]]) == sorted([AUC, EV["f1"]], key=lambda one: one.value)
    assert np.mean([AUC, EV["f1"]]) == (AUC.value + EV["f1"].value) / 2
    assert json.loads(json.dumps({"auc": AUC})) == {"auc": AUC.value}
    assert f"{AUC:.2f}" == f"{AUC:.2f}" == f"{AUC.value:.2f}"
    assert EV["f1"] != AUC
    assert tm.evaluate(truth=TRUTH, score=SCORE)["roc_auc"] == AUC
    narrow = tm.Estimate(0.5, 0.4, 0.6, 0.95, "wilson")
    assert narrow != tm.Estimate(0.5, 0.3, 0.7, 0.95, "wilson")
    assert not narrow != tm.Estimate(0.5, 0.4, 0.6, 0.95, "wilson")  # noqa: SIM202
    assert narrow == 0.5
    assert bool(EV["fnr"])
    assert bool(tm.Estimate(0.0))


@for_each(
    ("result", "name", "write"),
    [
        (AUC, "ci", "(estimate.low, estimate.high)"),
        (AUC, "interval", "(estimate.low, estimate.high)"),
        (AUC, "se", "estimate.standard_error"),
        (AUC, "lower", "estimate.low"),
        (EV, "roc_auc", "['roc_auc']"),
        (EV, "f1", "['f1']"),
        (EV, "tp", "ev.counts.tp"),
        (EV, "confusion_matrix", ".two_by_two"),
        (EV, "headlin", "headline"),
        (CLASSES, "macro_f1", "['macro_f1']"),
        (CLASSES, "confusion_matrix", "ev.matrix"),
        (tm, "roc_auc_score", "tm.measures.roc_auc(truth=y, score=p)"),
        (tm, "f1_score", "tm.measures.f1(truth=y, predicted=labels)"),
        (tm, "roc_curve", 'ev.curve("roc")'),
        (tm, "confusion_matrix", "tm.ConfusionMatrix.from_arrays"),
        (tm, "evalaute", "evaluate"),
    ],
)
def test_what_to_write_in_place_of_an_attribute(result, name, write):
    with pytest.raises(AttributeError) as refusal:
        getattr(result, name)
    assert write in str(refusal.value)
    assert not hasattr(tm, "_private")


def test_the_parts_of_classes_are_readable():
    f1 = CLASSES.classes[2]["f1"]
    assert f"{f1:.3f} [{f1.low:.3f}, {f1.high:.3f}]" in str(CLASSES.classes[2])
    assert f"{f1:.3f} [{f1.low:.3f}, {f1.high:.3f}]" in str(CLASSES.classes)
    macro = CLASSES["macro_f1"]
    assert f"{macro:.3f} [{macro.low:.3f}, {macro.high:.3f}]" in str(CLASSES.averages)


def test_dir_shows_what_is_for_users():
    internal = {"add_up", "as_cases", "entry", "instead", "rows_in", "why_not", "held_threshold"}
    assert not internal & set(dir(EV))
    assert {"all", "at", "counts", "curve", "plot", "save", "two_by_two", "to_frame"} <= set(dir(EV))


def test_the_catalogue_is_listed():
    assert list(tm.measures) == list(tm.measures()) == [one for one in tm.find() if one.kind == "measure"]
    assert tm.find("macro f1")[0].name == "macro_f1"


def test_a_result_has_a_name():
    named = tm.evaluate(truth=TRUTH, score=SCORE, name="logreg v3")
    for text in (str(named), named.to_html(), named.to_markdown(), named.to_latex()):
        assert "logreg v3" in text
        assert "arrays" not in text
    assert named.to_dict()["data"]["name"] == "logreg v3"


@pytest.mark.full
def test_every_page_has_its_title(tmp_path):
    assert "<title>a &lt;b&gt; · Tallymark</title>" in EV.to_html(title="a <b>")
    models = {"a": SCORE, "b": 1 - SCORE}
    for result in (EV, tm.evaluate(truth=TRUTH, score=models), tm.compare(truth=TRUTH, score=models)):
        page = result.to_html(title="Five <models>")
        header = page.partition("<main")[2].partition("</header>")[0]
        assert "Five &lt;models&gt;" in page.partition("<main")[2]
        assert page.count("<h1>") == header.count("<h1>") == 1
        assert "Five <models>" not in page
    for ending in ("html", "tex", "md"):
        EV.save(tmp_path / f"x.{ending}", title="final model")
        assert "final model" in (tmp_path / f"x.{ending}").read_text()
    for ours in (EV, tm.evaluate(truth=TRUTH, score={"a": SCORE, "b": 1 - SCORE}), tm.calibration(EV)):
        assert "arrays" not in str(ours) + ours.to_html()
    for how in ({"by": TRUTH}, {"fold": TRUTH}):
        score = {"a": SCORE} if "by" in how else SCORE
        shown = str(tm.evaluate(truth=TRUTH, score=score, name="n", **how))
        assert re.search(r"^n: 2 (groups|folds)", shown, re.M)


def test_python_names_its_own_ways():
    assert not re.search(r"--\w", str(EV))
    assert "ev.all" in str(EV)


def test_help_says_how_a_measure_is_called():
    signature = inspect.signature(tm.measures.f_beta)
    assert {"truth", "predicted", "weight", "beta", "undefined"} <= signature.parameters.keys()
    assert signature.return_annotation is float
    shown = pydoc.render_doc(tm.measures.f_beta)
    assert "tm.measures.f_beta(truth=y, predicted=labels)" in shown
    assert "tm.measures.roc_auc(truth=y, score=p)" in pydoc.render_doc(tm.measures.roc_auc)
    for by_position in ([TRUTH, TRUTH], [TRUTH]):
        with refuses("by-position", "truth=", "predicted="):
            tm.measures.f1(*by_position, **({} if len(by_position) > 1 else {"predicted": TRUTH}))
