"""Colours on a terminal only, 40 columns, and output that takes ASCII only."""

import io
import json
import os
import re
import subprocess
import sys

import numpy as np
import pytest
from looping import for_each, in_part

import tallymark as tm
from tallymark.cli import main
from tallymark.input import terminal

RANDOM = np.random.default_rng(6)
SCORE = RANDOM.random(120)
TRUTH = (RANDOM.random(120) < SCORE).astype(int)
SHARES = RANDOM.dirichlet(np.full(4, 0.4), 120)
NAMES = ["größer als alle anderen zusammen", "größer als alle anderen allein", "日本", "c"]
CLASS = np.array(NAMES)[(SHARES.cumsum(1) < RANDOM.random((120, 1))).sum(1).clip(0, 3)]
CALLED = np.array(NAMES)[SHARES.argmax(1)]
CODES = re.compile(r"\x1b\[\d*m")


class Screen(io.TextIOWrapper):
    """Standard output that says whether it is a terminal."""

    def __init__(self, terminal, encoding="utf-8"):
        super().__init__(io.BytesIO(), encoding=encoding)
        self.terminal = terminal

    def isatty(self):
        return self.terminal

    @property
    def shown(self):
        self.flush()
        return self.buffer.getvalue().decode(self.encoding)


@pytest.fixture(autouse=True)
def usual(monkeypatch):
    for name in ("NO_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")


@pytest.fixture
def run(tmp_path, monkeypatch):
    """What a command shows on such a screen."""
    rows = zip(TRUTH, SCORE, SCORE[::-1], CLASS, CALLED, strict=True)
    lines = ["y,p,q,kind,called", *(f"{y},{p:.4f},{q:.4f},{a},{b}" for y, p, q, a, b in rows)]
    (tmp_path / "cases.csv").write_text("\n".join(lines), encoding="utf-8")

    def call(typed, terminal=True, encoding="utf-8"):
        screen = Screen(terminal, encoding)
        monkeypatch.setattr(sys, "stdout", screen)
        command, *options = typed.split()
        main([command, str(tmp_path / "cases.csv"), *options])
        return screen.shown

    return call


BINARY = "evaluate --truth y --score p --rule youden"
CHECK = "check --truth y --score p --require roc_auc>=0.1 --require roc_auc>=0.99"
COMPARE = "compare --truth y --score p --score q --replicates 100"
CLASSES = "evaluate --truth kind --predicted called"


# Colours
# --------------------------------------------------------------------------------------------------


def test_severe_notices_are_red_on_a_terminal(run):
    shown = run(BINARY)
    red = re.findall(r"\x1b\[31m(.*?)\x1b\[0m", shown)
    assert red
    assert red[0].startswith("! The threshold ")
    assert CODES.sub("", shown) == run(BINARY, terminal=False)
    assert run(f"{BINARY} --all").count("\x1b[31m") >= 2


def test_failed_requirements_are_red(run):
    lines = run(CHECK).splitlines()
    red, green = ([line for line in lines if f"\x1b[{code}m" in line] for code in ("31", "32"))
    assert red[0] == "\x1b[31mFAILED: 1 of 2 requirements met.\x1b[0m"
    assert not green
    assert "\x1b[32mpassed" in run("check --truth y --score p --require roc_auc>=0.1")


@for_each("typed", [BINARY, CHECK, COMPARE, CLASSES])
def test_a_pipe_has_no_colours(run, typed):
    assert not CODES.search(run(typed, terminal=False))


@pytest.mark.parametrize(("name", "value"), [("NO_COLOR", "1"), ("NO_COLOR", "yes"), ("TERM", "dumb")])
def test_colours_can_be_left_out(run, monkeypatch, name, value):
    monkeypatch.setenv(name, value)
    assert not CODES.search(run(BINARY))


def test_an_empty_no_color_says_nothing(run, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "")
    assert CODES.search(run(BINARY))


@in_part(4, ("fast", "full"))
@for_each("typed", [f"{one} {form}" for one in (BINARY, CHECK, COMPARE) for form in ("--json", "--markdown")])
def test_other_formats_have_none(run, typed):
    assert not CODES.search(run(typed))


def test_neither_have_pages_and_python(run, tmp_path):
    run(f"{BINARY} --report {tmp_path / 'page.html'}")
    assert not CODES.search((tmp_path / "page.html").read_text())
    with terminal.shown_on(Screen(True)), terminal.shown_on(None):
        assert not CODES.search(str(tm.evaluate(truth=TRUTH, score=SCORE, rule="youden")))


# 40 columns
# --------------------------------------------------------------------------------------------------


@for_each("typed", [BINARY, CHECK, COMPARE, CLASSES, "evaluate --truth y --predicted y", f"{CLASSES} --all"])
def test_forty_columns_are_enough(run, monkeypatch, typed):
    monkeypatch.setenv("COLUMNS", "40")
    long = [
        line for line in run(typed, terminal=False).splitlines() if len(line) > 40 and " " in line.strip()
    ]
    assert not long


def test_nothing_is_lost_on_a_narrow_terminal(run, monkeypatch):
    wide = run(BINARY, terminal=False)
    monkeypatch.setenv("COLUMNS", "40")
    narrow = run(BINARY, terminal=False)
    numbers = re.compile(r"\d+\.\d+")
    assert sorted(numbers.findall(narrow)) == sorted(numbers.findall(wide))
    monkeypatch.setenv("COLUMNS", "200")
    assert run(BINARY, terminal=False) == wide


# ASCII only
# --------------------------------------------------------------------------------------------------


@for_each("typed", [CLASSES, f"{CLASSES} --all"])
def test_ascii_is_enough(run, typed):
    shown = run(typed, encoding="ascii", terminal=False)
    assert "\\u65e5\\u672c" in shown
    assert "\ufffd" not in shown


def test_tables_stay_straight_in_ascii(run):
    from tallymark.input.text import columns_of

    for encoding in ("ascii", "utf-8"):
        shown = run(CLASSES, encoding=encoding, terminal=False)
        for table in re.findall(r"^-[- ]+$\n(?:[^(\n].*\n)+", shown, re.M)[:1]:
            rule, *rows = table.splitlines()
            assert {columns_of(row) for row in rows} == {len(rule)}


def test_shortened_labels_differ_in_ascii():
    from tallymark.input import text

    with terminal.shown_on(Screen(True, "ascii")):
        found = text.labels(NAMES, 12)
        assert all(label.isascii() and len(label) <= 12 for label in found.values())
        assert len(set(found.values())) == len(NAMES)
    assert "…" in text.labels(NAMES, 12)[NAMES[0]]


def test_json_is_the_same_on_any_output(run):
    texts = [run(f"{CLASSES} --json", encoding=one, terminal=True) for one in ("ascii", "utf-8")]
    assert json.loads(texts[0]) == json.loads(texts[1])


@pytest.mark.full
def test_a_process_with_ascii_and_in_the_c_locale(tmp_path):
    path = tmp_path / "cases.csv"
    rows = [f"{a},{b}" for a, b in zip(CLASS, CALLED, strict=True)]
    path.write_text("\n".join(["kind,called", *rows]), encoding="utf-8")
    typed = [sys.executable, "-m", "tallymark", "evaluate", path, "--truth", "kind", "--predicted", "called"]
    for given in (
        {"PYTHONIOENCODING": "ascii"},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    ):
        found = subprocess.run(typed, capture_output=True, env={**os.environ, **given}, check=False)
        assert found.returncode == 0, found.stderr
        assert found.stdout.decode("ascii").startswith("Balanced accuracy ")
