"""The examples of README.md and docs/*.md pass a type checker, so that names and arguments are right."""

import ast
import builtins
import re
from pathlib import Path

import pytest
from looping import for_each

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```python\n(.*?)^```", re.S | re.M)
HEAD = "from typing import Any\nimport tallymark as tm\n"


def snippets() -> dict[str, str]:
    """By page and number the code."""
    return {
        f"{page.relative_to(ROOT)} {number}": code
        for page in PAGES
        for number, code in enumerate(BLOCK.findall(page.read_text(encoding="utf-8")), 1)
    }


def given(code: str) -> list[str]:
    """The names that a snippet reads and does not set: the data of the reader, of any type."""
    names = [node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Name)]
    own = {node.id for node in names if not isinstance(node.ctx, ast.Load)} | set(dir(builtins)) | {"tm"}
    own |= {alias.asname or alias.name for node in ast.walk(ast.parse(code))
            if isinstance(node, (ast.Import, ast.ImportFrom)) for alias in node.names}  # fmt: skip
    own |= {node.name for node in ast.walk(ast.parse(code)) if isinstance(node, ast.FunctionDef)}
    own |= {node.arg for node in ast.walk(ast.parse(code)) if isinstance(node, ast.arg)}
    return sorted({node.id for node in names} - own)


def as_function(number: int, code: str) -> str:
    """The snippet as a function of what it is given."""
    parameters = ", ".join(f"{name}: Any" for name in given(code))
    body = "\n".join(f"    {line}" for line in code.splitlines())
    return f"def snippet_{number}({parameters}) -> None:\n{body}\n"


@for_each("code", list(snippets().values()), ids=list(snippets()))
def test_it_is_python(code):
    ast.parse(code)


@pytest.mark.full
def test_they_pass_a_type_checker(tmp_path):
    api = pytest.importorskip("mypy.api")
    parts = [as_function(number, code) for number, code in enumerate(snippets().values())]
    path = tmp_path / "snippets.py"
    path.write_text(HEAD + "\n".join(parts), encoding="utf-8")
    options = ["--check-untyped-defs", "--ignore-missing-imports", "--no-error-summary"]
    report, errors, status = api.run([*options, "--cache-dir", str(tmp_path / "cache"), str(path)])
    assert status == 0, f"{report}{errors}"


def test_what_is_wrong_would_be_found():
    assert len(snippets()) > 10
    assert given("a = tm.evaluate(truth=y)\nprint(a, b)") == ["b", "y"]
