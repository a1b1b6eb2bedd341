"""What runs a gate does what it says: the action and the job in examples/ci, and pytest."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from looping import for_each

import tallymark
from tallymark.testing import assert_meets

yaml = pytest.importorskip("yaml")
EXAMPLES = Path(__file__).parents[1] / "examples" / "ci"
CELLS = tallymark.Counts(tp=80, fn=20, fp=30, tn=270)
PASSES, FAILS, OPEN = "sensitivity >= 0.5", "specificity >= 0.95", "sensitivity >= 0.75"
OF_SHELL = pytest.mark.skipif(shutil.which("bash") is None, reason="the steps are those of bash")


@pytest.fixture
def project(tmp_path):
    """Runs a step in a folder with cases, in which `pip` notes what it is asked to install."""
    (tmp_path / "scores.csv").write_text("y,d\n" + "1,1\n" * 80 + "1,0\n" * 20 + "0,1\n" * 30 + "0,0\n" * 270)
    programs = tmp_path / "programs"
    programs.mkdir()
    for name, line in {
        "python": 'echo "$@" >> installed',
        "tallymark": f'exec "{sys.executable}" -m tallymark "$@"',
    }.items():
        (programs / name).write_text(f"#!/bin/sh\n{line}\n")
        (programs / name).chmod(0o755)

    def run(script, gate, **environment):
        (tmp_path / "gate.toml").write_text(
            f'data = "scores.csv"\ntruth = "y"\npredicted = "d"\nrequire = {[gate]!r}\n'
        )
        path = f"{programs}{os.pathsep}{os.environ['PATH']}"
        return subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script],
            capture_output=True, text=True, check=False, cwd=tmp_path,
            env={**os.environ, "GITHUB_ACTIONS": "", "PATH": path, **environment},
        )  # fmt: skip

    run.folder = tmp_path
    return run


@OF_SHELL
@pytest.mark.full
@for_each(
    ("gate", "undecided", "status", "line"),
    [
        (PASSES, "fail", 0, "::notice title=tallymark check::passed"),
        (FAILS, "pass", 1, f"::error title={FAILS}::"),
        (OPEN, "fail", 1, f"::error title={OPEN}::"),
        (OPEN, "pass", 0, f"::notice title={OPEN}::"),
        ("sensitivity >= 80", "pass", 2, ""),
    ],
)
def test_the_action_of_github(gate, undecided, status, line, project):
    action = yaml.safe_load((EXAMPLES / "action.yml").read_text())
    values = {name: one["default"] for name, one in action["inputs"].items()} | {"undecided": undecided}
    output, summary = project.folder / "output", project.folder / "summary.md"
    for file in (output, summary):
        file.write_text("")
    for step in action["runs"]["steps"]:
        assert step["shell"] == "bash"
        given = {
            name: values[one.removeprefix("${{ inputs.").removesuffix(" }}")]
            for name, one in step["env"].items()
        }
        github = {
            "GITHUB_ACTIONS": "true",
            "GITHUB_OUTPUT": str(output),
            "GITHUB_STEP_SUMMARY": str(summary),
        }
        done = project(step["run"], gate, **given, **github)
    assert (project.folder / "installed").read_text().splitlines()[0] == "-m pip install tallymark[files]"
    assert done.returncode == status
    assert output.read_text() == f"status={status}\n"
    assert line in done.stdout
    root = ElementTree.parse(project.folder / "tallymark.xml").getroot()
    assert (root.attrib["failures"], root.attrib["errors"]) == (str(int(status == 1)), str(int(status == 2)))
    assert ("| outcome |" in summary.read_text()) is (status != 2)
    assert action["outputs"]["status"]["value"] == "${{ steps.check.outputs.status }}"


@OF_SHELL
@pytest.mark.full
@for_each(
    ("gate", "status", "skipped"),
    [(PASSES, 0, "0"), (FAILS, 1, "0"), (OPEN, 3, "1"), ("sensitivity >= 80", 2, "0")],
)
def test_the_job_of_gitlab(gate, status, skipped, project):
    job = yaml.safe_load((EXAMPLES / "gitlab.yml").read_text())["gate"]
    done = project("\n".join(job["script"]), gate)
    assert done.returncode == status, done.stderr
    suite = ElementTree.parse(project.folder / job["artifacts"]["reports"]["junit"]).getroot()[0]
    assert (suite.attrib["tests"], suite.attrib["skipped"]) == ("1", skipped)
    assert job["allow_failure"]["exit_codes"] == 3


# Tests of pytest
# --------------------------------------------------------------------------------------------------


def test_a_model_that_meets_its_requirements():
    verdict = assert_meets(CELLS, require=[PASSES, "n >= 400"])
    assert verdict.outcome == "passed"
    assert assert_meets(CELLS, require=OPEN, undecided="pass").outcome == "undecided"
    with pytest.raises(tallymark.InputError, match="requires"):
        assert_meets(CELLS, requires=PASSES)


def test_the_assertion_shows_requirement_number_and_interval():
    with pytest.raises(AssertionError) as caught:
        assert_meets(CELLS, require=[PASSES, OPEN, FAILS])
    summary, failed, undecided = str(caught.value).splitlines()
    assert summary == "FAILED: 1 of 3 requirements met, 1 undecided"
    assert failed == f"{FAILS}: 0.9000 [0.8608, 0.9291] < 0.95 (95%, wilson)"
    assert undecided.startswith(f"{OPEN}: 0.8000 [0.7112, 0.8666] includes 0.75 (95%, wilson); about ")


@pytest.mark.full
def test_a_plain_assert_shows_them_too(tmp_path):
    (tmp_path / "test_model.py").write_text(
        "import tallymark as tm\n"
        "from tallymark.testing import assert_meets\n"
        "CELLS = tm.Counts(tp=80, fn=20, fp=30, tn=270)\n"
        f"ASKED = {[PASSES, OPEN, FAILS]!r}\n"
        "def test_plain():\n    assert tm.check(CELLS, require=ASKED)\n"
        "def test_named():\n    assert_meets(CELLS, require=ASKED)\n"
    )
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path)]
    shown = subprocess.run(words, capture_output=True, text=True, check=False, cwd=tmp_path).stdout
    plain, named = shown.split("test_named", 1)
    for part in (plain, named):
        assert f"{FAILS}: 0.9000 [0.8608, 0.9291] < 0.95" in part
        assert f"{OPEN}: 0.8000 [0.7112, 0.8666] includes 0.75" in part
    assert "raise AssertionError" not in named
