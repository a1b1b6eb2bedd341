"""Gate files: the arguments of `check` in TOML, with places in messages."""

import importlib
import json
import sys
import tomllib
from pathlib import Path

import jsonschema
import numpy as np
import pytest
from looping import for_each

import tallymark as tm
from tallymark import InputError

DOCS = Path(__file__).parents[2] / "docs"
RNG = np.random.default_rng(4)
TRUTH = (RNG.random(300) < 0.4) * 1
SCORE, OTHER = (np.round(1 / (1 + np.exp(-RNG.normal(2 * TRUTH - 1))), 3) for _ in range(2))
SITE = RNG.choice(["a", "b"], 300)
GATE = """\
# the gate of a release
data = "cases.csv"
truth = "y"
score = "p"
threshold = 0.5

require = [
  "roc_auc.low >= 0.7",  # area
  'sensitivity[class "1"] >= 0.5',
  "n >= 10", "n >= 100",
]
level = 0.9
"""


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    """A folder with the cases and the gate, and the current one beside it."""
    (tmp_path / "gates").mkdir()
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    rows = zip(TRUTH, SCORE, OTHER, SITE, strict=True)
    lines = ["y,p,q,site", *(",".join(map(str, row)) for row in rows)]
    (tmp_path / "gates" / "cases.csv").write_text("\n".join(lines), encoding="utf-8")


def gate(text, name="gate.toml"):
    path = Path("..", "gates", name)
    path.write_text(text, encoding="utf-8")
    return str(path)


SIMPLE = GATE.replace('[class "1"]', "")


def test_it_is_the_call_with_its_keys_as_arguments(run):
    path = gate(SIMPLE)
    wanted = tm.check(
        "../gates/cases.csv", truth="y", score="p", threshold=0.5, level=0.9,
        require=["roc_auc.low >= 0.7", "sensitivity >= 0.5", "n >= 10", "n >= 100"],
    )  # fmt: skip
    for found in (tm.check(path), tm.check(Path(path)), tm.check(gate=path)):
        assert found.to_dict() == wanted.to_dict()
    assert run("check", path)[1] == f"{wanted}\n"
    assert run("check", "--gate", path, "--json")[1] == f"{wanted.to_json()}\n"


def test_arguments_of_the_call_come_before_those_of_the_file(run):
    path = gate(SIMPLE)
    frame = {"y": TRUTH, "p": OTHER}
    assert run("check", path, "../gates/cases.csv") == run("check", "../gates/cases.csv", "--gate", path)
    assert "No cases are named; name their file, or a gate file" in run("check", "--require", "n >= 5")[2]
    found = tm.check(frame, gate=path, level=0.95, require="n >= 5")
    assert (
        found.to_dict()["findings"]
        == tm.check(frame, truth="y", score="p", require="n >= 5").to_dict()["findings"]
    )
    as_json = json.loads(run("check", path, "--score", "q", "--level", "0.95", "--json")[1])
    assert as_json["level"] == 0.95
    assert [one["requirement"] for one in as_json["findings"]][2:] == ["n >= 10", "n >= 100"]
    wanted = tm.check(gate=path, score="q", level=0.95).to_dict()["findings"]
    assert as_json["findings"] == wanted
    assert json.loads(run("check", path, "--json")[1])["level"] == 0.9


@for_each("asked", ["--explain", "--self-test"])
def test_what_decides_nothing_is_at_the_level_of_the_next_use(run, asked):
    path = gate(SIMPLE + 'state = "s"\n')
    state = Path("..", "gates", "s")
    state.unlink(missing_ok=True)
    for use, level in (1, 1 - 0.1 / 2), (2, 1 - 0.1 / 6):
        before = state.read_bytes() if state.exists() else None
        status, out, _ = run("check", path, asked)
        assert status == 0
        assert f"Intervals at {100 * level:.6g}%, for use {use} of these cases" in " ".join(out.split())
        assert json.loads(run("check", path, asked, "--json")[1])["level"] == pytest.approx(level)
        assert (state.read_bytes() if state.exists() else None) == before
        assert tm.check(path, rng=use).use == use
    assert run("check", path, asked, "--level", "0.6")[0] == 2
    path = gate(SIMPLE + 'state = "t"\nuses = 1\n')
    tm.check(path)
    assert "counts 1 of 1 uses" in run("check", path, asked)[2]


def test_it_may_be_a_table_of_the_project():
    text = f"[project]\nlevel = 3\ntruth = 'z'\n\n[tool.tallymark.gate]\n{SIMPLE}"
    path = gate(text, "pyproject.toml")
    assert tm.check(path).to_dict() == tm.check(gate(SIMPLE)).to_dict()
    with pytest.raises(InputError, match=r"pyproject\.toml, line 17, level: 2 does not lie between 0 and 1"):
        tm.check(gate(text.replace("level = 0.9", "level = 2"), "pyproject.toml"))


def test_files_are_named_from_its_folder_on():
    more = "no_worse_than = 0.2\npaired = false\n"
    old = Path("..", "gates", "old.csv")
    old.write_text((Path("..", "gates", "cases.csv")).read_text(encoding="utf-8"), encoding="utf-8")
    found = tm.check(gate(f'{SIMPLE}baseline = "old.csv"\nbaseline_score = "q"\n{more}'))
    assert "old.csv" in found.baseline


@for_each(
    ("old", "new", "said"),
    [
        ("level = 0.9", "level = 2", "line 12, level: 2 does not lie between 0 and 1"),
        ("level = 0.9", "uses = 0", "line 12, uses: 0 is not possible"),
        ('"p"', '"z"', "line 4, score: ../gates/cases.csv has no column 'z'"),
        ("threshold = 0.5", 'threshold = "a"', "line 5, threshold: 'a' is not"),
        ("level", "levle", "line 12, levle: a gate file takes no argument of this name (did you mean"),
        ("truth", "y_true", "line 3, y_true: here it is called truth"),
        ("level = 0.9", "counts = 3", "line 12, counts: a gate file takes no argument of this name"),
        ("n >= 100", "m >= 100", "line 10, require[3], character 1: 'm' is not a measure"),
        ("sensitivity[", "sensitivty[", "line 9, require[1], character 1: 'sensitivty' is not a measure"),
        (
            "level",
            "level = 1\nlevel",
            "gate.toml' cannot be read (Cannot overwrite a value (at line 13, column 12))",
        ),
        (
            "n >= 100",
            "n >= 100 by sites",
            "line 10, require[3], character 10: ../gates/cases.csv has no column 'sites'",
        ),
        ("require = [", "require = [ 3,", "line 7, require[0]: 3 is not a string"),
        ("level", "no_worse_than = 0.1\nlevel", "it is for a baseline, and there is none; pass baseline, or"),
        ('"cases.csv"', '"none.csv"', "none.csv"),
    ],
)
def test_an_error_names_the_place_of_the_key_and_its_line(old, new, said):
    with pytest.raises(InputError) as refusal:
        tm.check(gate(GATE.replace(old, new, 1)))
    assert said in str(refusal.value)


def test_on_the_command_line_they_are_input_errors(run):
    status, out, err = run("check", gate(GATE.replace("level", "levle")), "--junit", "gate.xml")
    assert (status, out) == (2, "")
    assert "gate.toml, line 12, levle" in err
    assert "levle" in Path("gate.xml").read_text(encoding="utf-8")
    assert run("check", "none.toml")[0] == 2
    assert "'none.toml' cannot be read (No such file or directory)" in run("check", "none.toml")[2]
    Path("cases.toml").write_bytes(b"\xff\xfe\x00")
    assert "'cases.toml' cannot be read" in run("check", "cases.toml")[2]
    Path("pyproject.toml").write_text("[project]\n", encoding="utf-8")
    assert "has no table [tool.tallymark.gate]" in run("check", "pyproject.toml")[2]
    assert "nothing is required" in run("check", gate("truth = 'y'\nscore = 'p'\ndata = 'cases.csv'\n"))[2]


def test_a_typed_option_is_not_named_as_a_place_of_the_file():
    with pytest.raises(InputError, match=r"^level: 3 does not lie between 0 and 1"):
        tm.check(gate(SIMPLE), level=3)


@pytest.fixture(scope="module")
def schema():
    sys.path.insert(0, str(DOCS))
    try:
        made = importlib.import_module("gate_schema").page()
    finally:
        sys.path.remove(str(DOCS))
    assert (DOCS / "gate.schema.json").read_text(encoding="utf-8") == made
    return jsonschema.Draft202012Validator(json.loads(made))


def test_the_schema_knows_every_key_and_its_values(schema):
    schema.validate(tomllib.loads(GATE))
    for wrong in (
        "levle = 1",
        "level = '0.9'",
        "uses = 2.5",
        "design = 'cohorts'",
        "require = [3]",
        "counts = 3",
    ):
        assert not schema.is_valid(tomllib.loads(wrong)), wrong
    assert all(one["description"] for one in schema.schema["properties"].values())


def test_the_first_example_is_a_gate():
    page = (DOCS / "check.md").read_text(encoding="utf-8")
    text = page.split("```toml\n")[1].split("```")[0].replace("scores.parquet", "cases.csv")
    verdict = tm.check(gate(text))
    assert (verdict.uses, verdict.use) == (5, 1)
    assert len(verdict.findings) == 4
    assert Path("..", "gates", "gate.state").exists()


def test_the_examples_fit_the_schema(schema):
    page = (DOCS / "check.md").read_text(encoding="utf-8")
    examples = [one.split("```")[0] for one in page.split("```toml\n")[1:]]
    examples += [one.read_text(encoding="utf-8") for one in DOCS.parent.glob("examples/**/gate*.toml")]
    assert examples
    for one in examples:
        found = tomllib.loads(one)
        schema.validate(found.get("tool", {}).get("tallymark", {}).get("gate", found))
