"""What the command line does when anything goes wrong, from the first import to the last byte of output."""

import os
import signal
import subprocess
import sys
import time
from types import SimpleNamespace

import pytest
from looping import for_each, in_part

import tallymark
from tallymark import cli
from tallymark.cli import main

COUNTS = ["counts", "--tp", "40", "--fp", "8", "--fn", "9", "--tn", "50"]
LINUX = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")


def start(*arguments, code=None, **given):
    """The command line as a process; code: run before it, instead of `python -m tallymark`."""
    how = (
        ["-m", "tallymark"]
        if code is None
        else ["-c", f"{code}\nfrom tallymark.cli import main\nraise SystemExit(main())"]
    )
    given = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **given}
    return subprocess.Popen([sys.executable, *how, *arguments], text=True, **given)


def finish(process):
    out, err = process.communicate(timeout=60)
    return process.returncode, out, err


def complaint(err):
    """The one sentence of the command line."""
    assert "Traceback" not in err, err
    assert err.startswith("tallymark: error: "), err
    assert err.count("\n") == 1, err
    assert err.endswith(".\n"), err
    return err


@pytest.fixture
def cases(tmp_path):
    path = tmp_path / "cases.csv"
    path.write_text(
        "y,y1,p\n" + "".join(f"{i % 2},{i % 2},{(i * 37 % 101) / 101}\n" for i in range(300)),
        encoding="utf-8",
    )
    return str(path)


# Standard output
# --------------------------------------------------------------------------------------------------


@pytest.mark.full
@LINUX
@for_each("arguments", [["--version"], ["evaluate", "--help"], [*COUNTS, "--json"]], ids=" ".join)
def test_a_full_device_is_one_sentence(arguments):
    with open("/dev/full", "w") as full:
        status, _, err = finish(start(*arguments, stdout=full))
    assert status == 2
    assert "standard output cannot be written (No space left on device)" in complaint(err)


@LINUX
@pytest.mark.full
@for_each(
    "arguments",
    [["--help"], COUNTS, ["curve", "roc", "FILE", "--truth", "y", "--score", "p"], ["measures"]],
    ids=" ".join,
)
def test_a_full_device_for_other_output(arguments, cases):
    with open("/dev/full", "w") as full:
        status, _, err = finish(start(*[cases if one == "FILE" else one for one in arguments], stdout=full))
    assert status == 2
    assert "No space left on device" in complaint(err)


@pytest.mark.full
@LINUX
def test_a_full_device_for_output_and_errors_alike():
    with open("/dev/full", "w") as full:
        assert finish(start(*COUNTS, stdout=full, stderr=full))[0] == 2


@pytest.mark.full
@for_each("arguments", [["--version"], ["--help"], ["measures"]], ids=" ".join)
def test_a_reader_that_has_gone_is_no_error(arguments):
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as pipe:
        status, _, err = finish(start(*arguments, stdout=pipe))
    assert (status, err) == (0, "")


@pytest.mark.full
def test_a_failed_check_fails_although_the_reader_has_gone(cases):
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as pipe:
        check = start(
            "check", cases, "--truth", "y", "--score", "p", "--require", "roc_auc >= 0.99", stdout=pipe
        )
        assert finish(check)[0] == 1


# Ctrl-C
# --------------------------------------------------------------------------------------------------

AT_IMPORT = """
import os, signal, sys
class Interrupting:
    left = {number}
    def find_spec(self, *_):
        Interrupting.left -= 1
        if Interrupting.left == 0:
            os.kill(os.getpid(), signal.SIGINT)
signal.signal(signal.SIGINT, signal.{handler})  # whatever the tests were started with
from tallymark import cli
sys.meta_path.insert(0, Interrupting())
"""


@for_each("number", [1, 2, 20, 150])
def test_an_interrupt_during_imports(number):
    status, out, err = finish(
        start(*COUNTS, code=AT_IMPORT.format(number=number, handler="default_int_handler"))
    )
    assert (status, out, err) == (130, "", "")


@in_part(3)
@for_each("number", [1, 3, 5, 10, 40, 80, 120, 180, 240, 300, 350, 400, 450, 500])
def test_an_interrupt_during_any_import(number, cases):
    code = AT_IMPORT.format(number=number, handler="default_int_handler")
    status, out, err = finish(start("evaluate", cases, "--truth", "y", "--score", "p", code=code))
    assert (status, out, err) in ((130, "", ""), (0, out, ""))
    assert status == 130 or number > 300


def test_an_interrupt_while_the_reason_is_explained(monkeypatch, capsys):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "explained", interrupted)
    assert cli.main(["no such command"]) == 130
    assert capsys.readouterr().out == ""


@pytest.mark.full
@for_each("tenths", (2, 5, 8, 11, 15, 20))
def test_an_interrupt_at_any_moment(tenths, cases):
    code = "import tallymark.cli\nprint('started', flush=True)"
    process = start("bootstrap", cases, "--truth", "y", "--score", "p", "--replicates", "100000", code=code)
    assert process.stdout.readline() == "started\n"
    time.sleep(tenths / 10)
    process.send_signal(signal.SIGINT)
    status, _, err = finish(process)
    ended = -signal.SIGINT  # while Python takes itself down it no longer listens; a shell says 130
    assert (status, err) in ((130, ""), (0, ""), (ended, ""))


@pytest.mark.full
def test_who_ignores_interrupts_still_does():
    assert finish(start(*COUNTS, code=AT_IMPORT.format(number=20, handler="SIG_IGN")))[0] == 0


# What is not there
# --------------------------------------------------------------------------------------------------


@pytest.mark.full
@for_each(
    "arguments", [["--version"], COUNTS, ["plan", "auc", "--expected", "0.8", "--width", "0.1"]], ids=" ".join
)
def test_unknown_kernels(arguments):
    status, out, err = finish(start(*arguments, env={**os.environ, "TALLYMARK_KERNELS": "fortran"}))
    assert (status, out) == (2, "")
    assert "TALLYMARK_KERNELS='fortran'" in complaint(err)


@for_each("ending", ["csv", "parquet", "json"])
def test_a_file_name_that_no_system_takes(ending, capsys):
    assert main(["evaluate", f"{'a' * 300}.{ending}", "--truth", "y", "--score", "p"]) == 2
    complaint(capsys.readouterr().err)


RAISED = {
    "MemoryError()": "there is not enough memory",
    "ImportError('libx.so: failed to map segment from shared object')": "there is not enough memory",
    'RuntimeError("can\'t start new thread")': "there is not enough memory",
    "OSError(5, 'Input/output error')": "the system refused an operation (Input/output error)",
    "OSError(36, 'File name too long', 'x')": "'x' cannot be used (File name too long)",
    "ZeroDivisionError('a\\nb')": "this is a defect of tallymark (ZeroDivisionError: a b)",
    "RecursionError": "this is a defect of tallymark (RecursionError)",
}


@for_each("raised", RAISED)
@for_each("place", ["a command", "an import"])
def test_whatever_is_raised_is_one_sentence(raised, place, capsys):
    def fail(*_, **__):
        raise eval(raised)

    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("TALLYMARK_DEBUG", raising=False)
        if place == "a command":
            patch.setattr(tallymark, "evaluate", fail)
        else:
            patch.delitem(sys.modules, "tallymark.cli.commands", raising=False)
            patch.delattr(tallymark.cli, "commands", raising=False)
            patch.setattr(sys, "meta_path", [SimpleNamespace(find_spec=fail)])
        status = main(COUNTS)
    out, err = capsys.readouterr()
    assert (status, out) == (2, "")
    assert RAISED[raised] in complaint(err)


def test_the_traceback_of_a_defect_is_there_when_asked_for(monkeypatch, capsys):
    def fail(*_, **__):
        raise ZeroDivisionError

    monkeypatch.setattr(tallymark, "evaluate", fail)
    monkeypatch.setenv("TALLYMARK_DEBUG", "1")
    assert main(COUNTS) == 2
    err = capsys.readouterr().err
    assert "in fail" in err
    assert "tallymark: error: this is a defect of tallymark (ZeroDivisionError)" in err


MEMORY = """
import resource, numpy as np
from tallymark import kernels
n = 20_000_000
times, positive = np.zeros((1, n), np.uint8), np.zeros(n, np.uint8)
order, at = np.zeros(n, np.uint32), np.zeros(0, np.uint16)
held = np.zeros(-(-n // kernels.CASES_IN_BLOCK), np.int64)
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + 8_000_000, resource.RLIM_INFINITY))
try:
    kernels.swept(times, order, positive, at, held, None)
except MemoryError:
    print("MemoryError")
"""


@LINUX
@pytest.mark.full
def test_a_kernel_without_memory_raises():
    done = subprocess.run([sys.executable, "-c", MEMORY], capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == ("MemoryError\n", "")


# Options
# --------------------------------------------------------------------------------------------------


TWICE = (
    ["--truth", "y1"],
    ["--level", "0.9"],
    ["--weight", "y", "--weight", "p"],
    ["--threshold", "1", "--threshold", "2"],
)


@for_each("more", TWICE)
def test_an_option_of_one_value_is_given_once(more, cases, capsys):
    given = ["evaluate", cases, "--truth", "y", "--score", "p", "--level", "0.95", *more]
    assert main(given) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert f"argument {more[0]}: it is given twice, as " in err
    assert err.count("\n") == 1


@pytest.mark.full
def test_the_same_value_twice_is_refused_too_and_lists_are_not(cases, capsys):
    assert main(["evaluate", cases, "--truth", "y", "--truth", "y", "--score", "p"]) == 2
    assert "'y' and 'y'" in capsys.readouterr().err
    assert (
        main(
            [
                "evaluate",
                cases,
                "--truth",
                "y",
                "--score",
                "p",
                "--set",
                "f_beta.beta=2",
                "--set",
                "log_loss.base=2",
            ]
        )
        == 0
    )


def test_a_complaint_about_options_shows_no_control_characters(capsys):
    assert main(["evaluate", "x.csv", "--tru\x1b[31m\nth", "y"]) == 2
    err = capsys.readouterr().err
    assert "\x1b" not in err
    assert err.count("\n") == 1


# The start
# --------------------------------------------------------------------------------------------------


def test_nothing_is_imported_before_the_outermost_frame():
    code = (
        "import os, sys; before = set(sys.modules); import tallymark.cli; print(*set(sys.modules) - before)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    errors = {f"tallymark.input{name}" for name in ("", ".errors")}
    ours = {"tallymark", "tallymark.cli", "tallymark.__about__"} | errors
    loaded = set(done.stdout.split())
    assert {name for name in loaded if name.startswith("tallymark")} == ours
    assert not loaded & {"argparse", "numpy", "signal", "typing"}
