"""What a terminal shows while a command works, and what Ctrl-C leaves: run in a pseudo-terminal."""

import io
import os
import re
import select
import signal
import subprocess
import sys
import termios
import time
from contextlib import contextmanager, nullcontext

import pytest

from tallymark.input import terminal

pty = pytest.importorskip("pty", reason="needs a pseudo-terminal")
WAIT = 60  # seconds


@contextmanager
def started(*arguments, cwd):
    """The process, with standard error on a terminal of its own, and what reads that."""
    own, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (24, 80))
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
    "bootstrap": (["--score", "p", "--replicates", "1000000"], r"[\d]+/1000000 .* resamples"),
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
        r"[\d]+/1000000 .* permutations",
    ),
}


@pytest.mark.full
@pytest.mark.parametrize("name", INTERRUPTED)
def test_ctrl_c_removes_the_line_and_leaves_nothing_half_written(name, cases, tmp_path):
    arguments, line = INTERRUPTED[name]
    call = [name, str(cases), "--truth", "y", *arguments]
    with started(*call, cwd=tmp_path) as (process, own):
        shown = read(own, line.split()[-1].encode())
        assert re.search(line, shown.decode()), shown
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
    with terminal.progress_bar("rows") as counted:
        assert counted is None
    assert capsys.readouterr().err == ""


class Terminal(io.StringIO):
    def isatty(self):
        return True


class Interrupted(Terminal):
    """Ctrl-C comes while the first line is written, before tqdm knows its length."""

    came = False

    def flush(self):
        if "100/400" in self.getvalue() and not self.came:
            self.came = True
            raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("error", "stream"), [(None, Terminal), (KeyboardInterrupt, Terminal), (KeyboardInterrupt, Interrupted)]
)
def test_the_line_shows_what_is_done_and_is_removed(monkeypatch, error, stream):
    monkeypatch.setattr(sys, "stderr", stream())
    with (
        nullcontext() if error is None else pytest.raises(error),
        terminal.progress_bar("resamples", 400) as counted,
    ):
        time.sleep(1.1)
        counted(100)
        if error is not None:
            raise error
    shown = sys.stderr.getvalue()
    assert "25%" in shown
    assert "100/400" in shown
    assert " resamples" in shown
    assert screen(shown.encode()) == []
