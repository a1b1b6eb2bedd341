"""The kernels from other compilers, with and without clones for several instruction sets, and what is
refused."""

import zipfile
from pathlib import Path

import pytest
from building import ROOT, environment, needed, pip, run, sources

pytestmark = pytest.mark.slow
BUILDS = {  # compiler, flags, whether hot loops are cloned (None: up to the version)
    "GCC": ("g++", "", None),
    "GCC without clones": ("g++", "-DTALLYMARK_PLAIN", False),
    "GCC 11": ("g++-11", "", False),
    "Clang": ("clang++", "", None),
    "a newer Clang": ("clang++-19", "", None),
}


def wheel(folder, compiler, flags, wanted="native"):
    """(the wheel that pip builds or None, what the build printed)."""
    env = {"CXX": compiler, "CXXFLAGS": flags, "TALLYMARK_BUILD": wanted}
    done = pip("wheel", "-v", "--no-deps", "--no-cache-dir", "-w", folder / "wheels", sources(folder), **env)
    return next(iter((folder / "wheels").glob("*.whl")), None), done.stdout + done.stderr


@pytest.mark.parametrize(("compiler", "flags", "clones"), BUILDS.values(), ids=BUILDS)
def test_native_kernels_of_every_compiler_pass_the_tests_of_the_kernels(compiler, flags, clones, tmp_path):
    built, log = wheel(tmp_path, needed(compiler), flags)
    assert built, log[-4000:]
    python = environment(tmp_path)
    pip("--python", python, "install", "--no-deps", built)
    shown = (
        "from tallymark import kernels as k; from tallymark.kernels import _native as n; print(k.NAME,"
        " n.clones, k.__file__)"
    )
    name, cloned, where = run(python, "-c", shown).stdout.split()
    assert name == "native"
    assert clones is None or cloned == str(clones)
    assert Path(where).is_relative_to(tmp_path)
    tests = run(
        python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/kernels", TALLYMARK_KERNELS="native"
    )
    assert tests.returncode == 0, tests.stdout[-4000:]


@pytest.mark.parametrize("flag", ["-ffast-math", "-Ofast", "-ffinite-math-only"])
def test_fast_arithmetic_is_refused(flag, tmp_path):
    built, log = wheel(tmp_path, needed("g++"), flag)
    assert built is None
    assert "Tallymark's kernels need exact arithmetic" in log


@pytest.mark.parametrize(("compiler", "native"), [("g++", True), ("/bin/false", False)])
def test_what_a_wheel_holds(compiler, native, tmp_path):
    built, log = wheel(tmp_path, compiler, "", "")
    assert built, log[-4000:]
    names = zipfile.ZipFile(built).namelist()
    sources_here = {str(path.relative_to(ROOT / "src")) for path in (ROOT / "src").rglob("*.py")}
    assert "tallymark/py.typed" in names
    assert "tallymark/data/screening.csv" in names
    assert sources_here <= set(names)
    assert any(name.startswith("tallymark/kernels/_native.") for name in names) == native
    assert all(name.startswith(("tallymark/", "tallymark-")) for name in names)
