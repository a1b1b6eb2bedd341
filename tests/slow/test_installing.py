"""An installation without native kernels: pip keeps its wheel, so what is advised must get past pip's
cache."""

import pytest
from building import archive, environment, pip, run, sources

import tallymark

pytestmark = pytest.mark.slow
WHICH = "from tallymark import kernels; print(kernels.NAME)"


@pytest.mark.parametrize("form", ["archive", "folder", "editable"])
def test_the_advised_command_gives_native_kernels(form, tmp_path):
    python = environment(tmp_path)
    given = [archive(tmp_path, tallymark.__version__)] if form == "archive" else [sources(tmp_path)]
    given = ["--editable", *given] if form == "editable" else given
    install = ["--python", python, "install", "--no-deps", "--cache-dir", tmp_path / "cache"]
    first = pip(*install, *given, CXX="/bin/false")
    assert first.returncode == 0, first.stderr
    assert run(python, "-c", WHICH).stdout == "numpy\n"

    refused = run(python, "-c", WHICH, TALLYMARK_KERNELS="native")
    sentence = refused.stderr.strip().splitlines()[-1]
    assert "TALLYMARK_KERNELS=native, but Tallymark was installed without native kernels" in sentence
    command = sentence.split("run: pip ")[1].split()
    advised = pip("--python", python, *command, "--cache-dir", tmp_path / "cache", TALLYMARK_BUILD="native")
    assert advised.returncode == 0, advised.stderr
    assert run(python, "-c", WHICH, TALLYMARK_KERNELS="native").stdout == "native\n"
