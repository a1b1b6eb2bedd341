"""Names and labels are data: what controls a terminal, or turns the order of text, is shown as U+FFFD."""

import json
import subprocess
import sys
from itertools import islice

import numpy as np
import pytest

import tallymark as tm

HOSTILE = {
    "link": "\x1b]8;;http://evil\x07L\x1b]8;;\x07",
    "title": "\x1b]0;pwn\x07g",
    "colours": "\x1b[31mred\x1b[0m",
    "back": "a\x08\x08b\x00c\rd",
    "C1": "a\x9b31mb",
    "bidi": "a\u202eb\u2066c",
    "lines": "a\u2028b\u2029c",
}
CONTROLS = {chr(code) for code in (*range(9), *range(11, 32), *range(127, 160))} | set(
    "\u2028\u2029\u202e\u2066"
)
RANDOM = np.random.default_rng(2)
TRUTH, SCORE = RANDOM.integers(0, 2, 80), RANDOM.random(80)
GROUP = np.arange(80) % 2


def results(name):
    pd = pytest.importorskip("pandas")
    models = {"truth": TRUTH, "score": {name: SCORE, "other": 1 - SCORE}}
    groups = np.array([name, "other"], object)[GROUP]
    three = np.array([name, "b", "c"], object)[np.arange(80) % 3]
    called = np.roll(three, 7)
    frame = pd.DataFrame({"y": TRUTH, "p": SCORE, name: GROUP})
    yield "models", tm.evaluate(**models)
    yield "compare", tm.compare(**models)
    yield "compared groups", tm.evaluate(truth=TRUTH, score=SCORE, by=groups, reference="other")
    yield "by", tm.evaluate(frame, truth="y", score="p", by=name)
    yield "groups", tm.evaluate(truth=TRUTH, score=SCORE, by=groups)
    yield "groups of models", tm.evaluate(**models, by=groups)
    yield "folds", tm.evaluate(truth=TRUTH, score=SCORE, fold=groups)
    yield "classes", tm.evaluate(truth=three, predicted=called)
    yield "two classes", tm.evaluate(truth=groups, score=SCORE, positive=name)
    yield "calibration", tm.calibration(truth=groups, score=SCORE, positive=name)
    yield "threshold", tm.choose_threshold(truth=groups, score=SCORE, positive=name, rule="youden")
    yield "check", tm.check(truth=groups, score=SCORE, positive=name, require=["roc_auc >= 0"])
    yield (
        "roc_points",
        tm.roc_points({name: tm.Counts(tp=8, fp=2, fn=1, tn=9), "b": tm.Counts(tp=6, fp=3, fn=3, tn=8)}),
    )


def test_no_control_of_a_name_reaches_text_or_repr():
    for what, result in islice(results(HOSTILE["title"]), 2):
        assert not CONTROLS & set(str(result) + repr(result)), what


@pytest.mark.full
@pytest.mark.parametrize("kind", HOSTILE)
def test_no_control_of_a_name_reaches_text_repr_or_page(kind):
    for what, result in results(HOSTILE[kind]):
        shown = {"text": str(result), "repr": repr(result), "page": result._repr_html_()}
        shown["file"] = result.to_html()
        for where, text in shown.items():
            assert not CONTROLS & set(text), (what, where)
        assert json.loads(result.to_json())  # where names are exact, and escaped


def test_names_stay_exact_in_python():
    name = HOSTILE["title"]
    found = tm.evaluate(truth=TRUTH, score={name: SCORE, "other": 1 - SCORE}, measures="roc_auc")
    assert name in found
    assert "\\u001b]0;pwn\\u0007g" in found.to_json()


def test_a_loaded_answer_shows_no_controls(tmp_path):
    saved = json.loads(tm.compare(truth=TRUTH, score={"a": SCORE, "b": 1 - SCORE}).to_json())
    saved["headline"]["text"] = HOSTILE["link"]
    path = tmp_path / "a.json"
    path.write_text(json.dumps(saved), encoding="utf-8")
    loaded = tm.load(path)
    assert not CONTROLS & set(str(loaded) + repr(loaded) + loaded._repr_html_())


@pytest.mark.full
@pytest.mark.parametrize("command", ["compare", "evaluate"])
def test_the_command_line_shows_no_controls(command, tmp_path):
    path, name = tmp_path / "f.csv", "\x1b]0;pwn\x07g"
    rows = "\n".join(f"{y},{p},{1 - p},{g}" for y, p, g in zip(TRUTH, SCORE, GROUP, strict=True))
    path.write_text(f"y,p,q,{name}\n{rows}\n", encoding="utf-8")
    models = ["--model", f"{name}=p", "--model", "other=q"]
    more = models if command == "compare" else ["--score", "p", "--by", name]
    run = subprocess.run(
        [sys.executable, "-m", "tallymark", command, str(path), "--truth", "y", *more],
        capture_output=True, text=True, encoding="utf-8",
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    assert not CONTROLS & set(run.stdout + run.stderr)
