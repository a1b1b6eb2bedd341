"""The words that users read in docstrings, messages, help texts and pages: some are banned, as they are not
those of the field."""

import ast
import re
from pathlib import Path

import pytest
from looping import for_each

import tallymark

SOURCE = Path(tallymark.__file__).parent
ROOT = Path(__file__).parent.parent
BANNED = re.compile(
    r"\b(as of (?!version|20)|beside|told|owes?|owing|mend|truly|called positive|called"
    r" negative|pulls|casewise|slip of the pen"
    r"|so to say|good statistician|what to mind|real (?:posi|nega)tives?|chance does not feed|the front"
    r" door)\b",
    re.IGNORECASE,
)
TEXTS = [*SOURCE.rglob("*.py"), *(ROOT / "docs").rglob("*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]


def texts(path):
    """(line, text) of what is read: all of a page; of a module its docstrings and strings of several
    words."""
    if path.suffix == ".md":
        yield from enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        return
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
            yield node.lineno, " ".join(node.value.split())


@pytest.mark.full
@for_each(
    "path", TEXTS, ids=lambda path: path.name if path.suffix == ".md" else str(path.relative_to(SOURCE))
)
def test_no_banned_words(path):
    found = [f"{line}: {match[0]}" for line, text in texts(path) for match in BANNED.finditer(text)]
    assert not found


def test_they_are_found():
    assert BANNED.search("It is told in the place, as of three classes, beside the value.")
    assert not BANNED.search("a median of three; actual and predicted positive")
