"""What a terminal shows while a command works, and what Ctrl-C leaves: run in a pseudo-terminal."""

import io
import os
import re
import select
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from types import SimpleNamespace

import pytest

import tallymark
from tallymark.cli import main, progress
from tallymark.cli.commands import parser

pty = pytest.importorskip("pty", reason="needs a pseudo-terminal")
WAIT = 60  # seconds


@contextmanager
def started(*arguments, cwd):
    """The process, with standard error on a terminal of its own, and what reads that."""
    own, theirs = pty.openpty()
    call = [sys.executable, "-m", "tallymark", *arguments]
    environment = {**os.environ, "COLUMNS": "80"}
    with subprocess.Popen(call, stderr=theirs, stdout=subprocess.PIPE, cwd=cwd, env=environment) as process:
        os.close(theirs)
        try:
            yield process, own
        finally:
            process.kill()
            os.close(own)


def read(own, until=None):
    """What is on the terminal, up to this text or to the end."""
    found, end = b"", time.monotonic() + WAIT
    while time.monotonic() < end and (until is None or until not in found):
        if not select.select([own], [], [], 1.0)[0]:
            continue
        try:
            more = os.read(own, 4096)
        except OSError:  # the other end is closed
            break
        if not more:
            break
        found += more
    return found


def screen(shown):
    """The lines as a terminal shows them after carriage returns."""
    lines = []
    for line in re.split("\r?\n", shown.decode()):
        cells = []
        for part in line.split("\r"):
            cells[: len(part)] = part
        lines.append("".join(cells).rstrip())
    return [line for line in lines if line.strip("^C ")]


@pytest.fixture
def cases(tmp_path):
    path = tmp_path / "cases.csv"
    rows = (f"{i % 3 == 0:d},{i * 7919 % 10007 / 10007},{i * 31 % 997 / 997}" for i in range(20_000))
    path.write_text("\n".join(["y,p,q", *rows]))
    return path


INTERRUPTED = {  # what the line shows, and what would be written
    "bootstrap": (["--score", "p", "--replicates", "1000000"], r"\[[#-]{20}\] [\d,]+ of 1,000,000 resamples"),
    "compare": (
        [
            "--model",
            "a=p",
            "--model",
            "b=q",
            "--method",
            "permutation",
            "--replicates",
            "1000000",
            "--plot",
            "x.svg",
        ],
        r"\[[#-]{20}\] [\d,]+ of 1,000,000 permutations",
    ),
    "threshold": (["--score", "p", "--replicates", "100000"], "20,000 rows"),
}


@pytest.mark.full
@pytest.mark.parametrize("name", INTERRUPTED)
def test_ctrl_c_removes_the_line_and_leaves_nothing_half_written(name, cases, tmp_path):
    arguments, line = INTERRUPTED[name]
    call = [name, str(cases), "--truth", "y", *arguments]
    with started(*call, cwd=tmp_path) as (process, own):
        shown = read(own, line.split()[-1].encode())
        assert re.search(rf"\r{line}", shown.decode()), shown
        process.send_signal(signal.SIGINT)
        shown += read(own)
        assert process.wait(WAIT) == 130
        assert process.stdout.read() == b""
    assert screen(shown) == []
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cases.csv"]


@pytest.mark.full
def test_a_call_that_is_done_leaves_no_line(cases, tmp_path):
    call = ["bootstrap", str(cases), "--truth", "y", "--score", "p", "--replicates", "100000"]
    with started(*call, cwd=tmp_path) as (process, own):
        answer = process.stdout.read()
        shown = read(own)
        assert process.wait(WAIT) == 0
    said = rb"ROC AUC 0\.\d{3} \[0\.\d{3}, 0\.\d{3}\] \(bca\) from 100,000 resamples of 20,000 cases"
    assert re.match(said, answer)
    assert b"resamples" in shown
    assert screen(shown) == []


def test_nothing_is_shown_in_a_pipe(capsys):
    with progress.bar() as counted:
        assert counted is None
    assert capsys.readouterr().err == ""


class Terminal(io.StringIO):
    def isatty(self):
        return True

    def taken(self):
        shown = self.getvalue()
        self.seek(0)
        self.truncate()
        return shown


@pytest.fixture
def terminal(monkeypatch):
    monkeypatch.setattr(progress, "FIRST", 0.0)
    monkeypatch.setattr(progress, "NEXT", 0.005)
    found = Terminal()
    monkeypatch.setattr(progress, "sys", SimpleNamespace(stderr=found))
    return found


def test_the_line_shows_time_rows_and_shares(terminal):
    for unit, total, done, wanted in (
        ("rows", None, None, "working, 0:00"),
        ("rows", None, 12_000, "12,000 rows, 0:00"),
        ("resamples", 400, 100, "[#####---------------] 100 of 400 resamples, 0:00"),
    ):
        with progress.bar(unit, total) as counted, progress.bar() as within:
            assert within is None  # one line at a time
            if done is not None:
                counted(done)
            time.sleep(0.05)
        shown = terminal.taken()
        assert f"\r{wanted}" in shown
        assert screen(shown.encode()) == []
    assert progress.SHOWN == []


def interrupted():
    time.sleep(0.05)
    raise KeyboardInterrupt


def test_an_error_removes_the_line(terminal):
    with pytest.raises(KeyboardInterrupt), progress.bar():
        interrupted()
    shown = terminal.taken()
    assert "working" in shown
    assert screen(shown.encode()) == []
    assert progress.SHOWN == []


COMMANDS = {
    "evaluate": ["--score", "p", "--all"],
    "bootstrap": ["--score", "p", "--replicates", "50"],
    "compare": ["--model", "a=p", "--model", "b=q"],
    "threshold": ["--score", "p"],
    "calibration": ["--score", "p"],
    "biometric": ["--score", "p"],
    "advise": ["--score", "p"],
    "tally": ["--score", "p", "-o", "x.tally"],
    "check": ["--score", "p", "--baseline-score", "q", "--no-worse-than", "0.5"],
    "curve": ["roc", "--score", "p", "--band", "pointwise"],
    "plot": ["roc", "--score", "p", "-o", "x.png"],
    "class-mix": ["--score", "p"],
    "unscored": ["--score", "p", "--share", "0.1"],
    "roc-points": ["--model", "a=p", "--model", "b=q"],
    "identify": ["--score", "p", "--score", "q", "--classes", "0", "1"],
}


def test_every_command_that_reads_a_file_is_watched():
    reading = {
        name
        for name, command in parser().commands.items()
        if any(one.dest == "file" and not one.option_strings for one in command._actions)
    }
    assert reading - COMMANDS.keys() <= {
        "convert",
        "guess",
        "merge",
    }  # which read columns, some rows, and sums


@pytest.mark.full
def test_every_command_measures_while_a_line_may_be_shown(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("x.csv").write_text("y,p,q\n" + "".join(f"{i % 2},{i % 7 / 7},{i % 5 / 5}\n" for i in range(60)))
    depth, seen = [0], []

    @contextmanager
    def bar(unit="rows", total=None):
        depth[0] += 1
        try:
            yield None
        finally:
            depth[0] -= 1

    def watched(name, verb):
        @wraps(verb)
        def called(*given, **by_name):
            seen.append((name, depth[0] > 0))
            return verb(*given, **by_name)

        return called

    monkeypatch.setattr(progress, "bar", bar)
    for name in (
        "evaluate",
        "bootstrap",
        "compare",
        "choose_threshold",
        "calibration",
        "biometric",
        "advise",
        "check",
        "unscored",
        "identification",
    ):
        monkeypatch.setattr(tallymark, name, watched(name, getattr(tallymark, name)))
    stream = tallymark.Accumulator
    monkeypatch.setattr(stream, "update", watched("update", stream.update))
    for name, arguments in COMMANDS.items():
        first, rest = (arguments[:1], arguments[1:]) if name in ("curve", "plot") else ([], arguments)
        seen.clear()
        assert main([name, *first, "x.csv", "--truth", "y", *rest]) in (0, 1)
        assert seen, name
        assert all(shown for _, shown in seen), (name, seen)
