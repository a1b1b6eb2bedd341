"""The boundary between Python and the native kernels: arrays to write to, memory that is not to be had, the
mark of the version."""

import subprocess
import sys

import numpy as np
import pytest
from refusals import refuses

import tallymark
import tallymark.kernels
from tallymark.kernels import choice
from tallymark.summaries.samples import MOST_NUMBERED, ScoredCases

native = pytest.mark.skipif(tallymark.kernels.NAME != "native", reason="needs the native kernels")
PACKAGE = "tallymark.kernels"


def output_calls():
    """Calls of kernels, each as a function of the array that it writes to, with such an array."""
    from tallymark.kernels import _native

    ones, whole, bytes_ = np.ones(4), np.ones(4, np.int64), np.ones((2, 4), np.uint8)
    room = np.empty(8), np.empty(8, np.int64)
    return {
        "hull": (lambda out: _native.hull(ones[None], ones[None], out), np.empty((1, 4), np.int64)),
        "among": (lambda out: _native.among(bytes_, bytes_, out), np.empty((2, 2), np.int64)),
        "weighed": (lambda out: _native.weighed(bytes_, np.ones((3, 4)), out), np.empty((2, 3))),
        "collapse": (
            lambda out: _native.collapse(ones, ones, out, room[1], room[1].copy()),
            room[0].copy(),
        ),
        "merge": (
            lambda out: _native.merge([(ones, whole, whole)] * 2, room[0], out, room[1]),
            room[1].copy(),
        ),
        "rank_few": (lambda out: _native.rank_few(whole, ones, 1.0, room[0], room[1], out), room[1].copy()),
    }


def refused(call, out):
    try:
        call(out)
    except TypeError as error:
        return "incompatible function arguments" in str(error)
    return False


@native
def test_a_kernel_writes_to_the_array_itself_or_refuses():
    for name, (call, out) in output_calls().items():
        call(out)
        wider = np.empty((*out.shape[:-1], 2 * out.shape[-1]), out.dtype)[..., ::2]
        locked = out.copy()
        locked.setflags(write=False)
        for wrong in (out.astype(np.int32), wider, locked):
            assert refused(call, wrong), f"{name} wrote to a copy of {wrong.dtype} {wrong.strides}"


@native
@pytest.mark.skipif(sys.platform != "linux", reason="limits the address space")
def test_memory_that_a_kernel_cannot_have_is_a_memory_error():
    code = """
import resource
import numpy as np
from tallymark import kernels
size = 1 << 26
times, order = np.zeros((1, size), np.uint8), np.zeros(size, np.uint32)
starts = np.array([0, size])
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + (1 << 24), used + (1 << 24)))
try:
    kernels.swept(times, order, times[0], np.empty(0, np.uint16), np.zeros(size // 4096, np.int64), starts)
except MemoryError:
    print("refused")
print(kernels.tally(times[0], times[0], None, 1.0, 1.0)[3])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"refused\n{float(1 << 26)}\n", "")


@native
def test_kernels_of_another_version_are_not_used(monkeypatch):
    assert choice.fault(PACKAGE) == ""
    monkeypatch.setattr(choice, "__version__", "99.0")
    name, _, why = choice.choose("", PACKAGE)
    assert name == "numpy"
    assert f"are {tallymark.__version__} and the package is 99.0. With a C++20 compiler" in why
    with pytest.raises(choice.KernelsError, match=r"TALLYMARK_KERNELS=native, but .* package is 99\.0"):
        choice.choose("native", PACKAGE)


def test_kernels_that_are_missing_and_kernels_that_are_broken_are_told_apart(tmp_path, monkeypatch):
    (tmp_path / "without_native").mkdir()
    (tmp_path / "with_broken").mkdir()
    for package in ("without_native", "with_broken"):
        (tmp_path / package / "__init__.py").touch()
    (tmp_path / "with_broken" / "_native.py").write_text("raise ImportError('undefined symbol: x')")
    monkeypatch.syspath_prepend(tmp_path)
    missing, broken = choice.fault("without_native"), choice.fault("with_broken")
    assert "installed without native kernels" in missing
    assert "do not load (undefined symbol: x)" in broken
    for sentence in (missing, broken):
        assert "TALLYMARK_BUILD=native" in sentence
        assert "pip install --force-reinstall --no-deps --no-cache-dir" in sentence


def test_the_way_out_names_where_the_installation_came_from(monkeypatch):
    from importlib import metadata

    def source(text):
        monkeypatch.setattr(metadata.PathDistribution, "read_text", lambda *_: text)
        return choice.source()

    assert source(None) == f"--no-binary tallymark tallymark=={tallymark.__version__}"
    assert source('{"url": "file:///a/tallymark-1-py3-none-any.whl", "archive_info": {}}') == source(None)
    assert source('{"url": "file:///a/b", "dir_info": {"editable": true}}') == "--editable file:///a/b"
    assert source('{"url": "file:///a/b", "dir_info": {}}') == "file:///a/b"
    assert (
        source('{"url": "https://e/r", "vcs_info": {"vcs": "git", "commit_id": "12ab"}}')
        == "git+https://e/r@12ab"
    )


def test_the_version_says_why_numpy_runs():
    code = "import sys; from tallymark.cli import main; main(['--version'])"
    shown = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env={"TALLYMARK_KERNELS": "numpy"},
        check=False,
    ).stdout.splitlines()
    assert "(numpy kernels, " in shown[0]
    assert shown[1:] == ["NumPy kernels, since TALLYMARK_KERNELS=numpy is set."]


def test_more_cases_than_can_be_numbered_are_refused():
    many = np.broadcast_to(0.0, MOST_NUMBERED + 1)  # takes no memory
    with refuses("unsupported", "4,294,967,297", "4,294,967,296"):
        ScoredCases(many, many)
