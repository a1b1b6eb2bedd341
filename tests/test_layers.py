"""Who may import whom, and what the import costs."""

import ast
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from looping import for_each

import tallymark

SOURCE = Path(tallymark.__file__).parent
FILES = sorted(SOURCE.rglob("*.py"))

# The rooms of the package, in the order of docs/architecture.md: each imports rooms above it only.
ROOMS = tuple(
    [
        "kernels",
        "input",
        "summaries",
        "measures",
        "inference",
        "curves",
        "evaluation",
        "studies",
        "probability",
        "report",
        "integrations",
        "cli",
    ]
)


def room(path):
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def module(path):
    return ".".join(["tallymark", *path.relative_to(SOURCE).with_suffix("").parts]).removesuffix(".__init__")


MODULES = {module(path): path for path in FILES}


@cache
def parsed(path):
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def imports(path):
    """(module imported, whether at the module's level, the line) for every import of ours; not those for a
    type checker."""
    return tuple(
        (target, top, node.lineno)
        for node, top in _imports(parsed(path).body, True)
        for target in targets(path, node)
    )


def _imports(statements, top):
    """The imports among statements and those within them; top: whether these are at the module's level."""
    for node in statements:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield node, top
        elif not (isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)):
            inner = top and not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
            for part in ("body", "orelse", "finalbody", "handlers", "cases"):
                yield from _imports(getattr(node, part, ()), inner)


def targets(path, node):
    """The modules of ours that an import loads."""
    if isinstance(node, ast.Import):
        names = [alias.name.split(".") for alias in node.names]
    else:
        package = module(path).split(".") if path.name == "__init__.py" else module(path).split(".")[:-1]
        base = package[: len(package) - node.level + 1] if node.level else []
        names = [
            [*base, *(node.module.split(".") if node.module else []), alias.name] for alias in node.names
        ]
    found = {
        ".".join(name if ".".join(name) in MODULES else name[:-1]) for name in names if name[0] == "tallymark"
    }
    return sorted(found & set(MODULES))


def test_the_rooms():
    entries = {path.name for path in SOURCE.iterdir() if not path.name.startswith("__")} - {"py.typed"}
    assert entries == {*ROOMS, "data", "testing.py"}


@for_each("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
@pytest.mark.full
def test_a_room_imports_those_above_it(path):
    here = room(path)
    if here not in ROOMS:
        return
    above = {*ROOMS[: ROOMS.index(here) + 1], "__about__"}
    above |= {"__init__"} if here == "cli" else set()  # which calls what is public
    for target, at_module_level, line in imports(path):
        there = room(MODULES[target])
        assert not at_module_level or there in above, (
            f"{path.relative_to(SOURCE)}:{line}: {here} may not import {there}"
        )
        assert there != "cli" or here == "cli", (
            f"{path.relative_to(SOURCE)}:{line}: nothing imports the command line"
        )


def test_no_module_imports_itself_through_others():
    rest = {
        name: {target for target, top, _ in imports(path) if top} - {name} for name, path in MODULES.items()
    }
    while rest:
        lowest = [name for name, loaded in rest.items() if not loaded & rest.keys()]
        assert lowest, f"these import one another: {sorted(rest)}"
        for name in lowest:
            del rest[name]


def test_the_architecture_page_has_every_room():
    page = (Path(__file__).parent.parent / "docs" / "architecture.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)/` \|", page.split("## Rooms")[1].split("## ")[0], re.M)
    assert rows == [*ROOMS, "data"]


# The import
# --------------------------------------------------------------------------------------------------


def loaded(code, names):
    """Which of these modules are loaded in a new Python after some code."""
    code = f"{code}\nimport sys\nprint(*[name for name in {sorted(names)!r} if name in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(run.stdout.split())


HEAVY = {
    "scipy",
    "pandas",
    "duckdb",
    "polars",
    "pyarrow",
    "sklearn",
    "matplotlib",
    "torch",
    "jax",
    "array_api_compat",
}


def test_files_that_the_docs_name_exist():
    docs = Path(__file__).parent.parent / "docs"
    missing = [
        f"{page.relative_to(docs)}: {name}"
        for page in sorted(docs.rglob("*.md"))
        for name in re.findall(r"`((?:[a-z_]+/)+[a-z_]+\.py)`", page.read_text(encoding="utf-8"))
        if not any((root / name).exists() for root in (SOURCE, docs.parent))
    ]
    assert missing == []


def test_import_tallymark_loads_nothing_heavy():
    assert loaded("import tallymark", HEAVY | {"numpy", "narwhals", "tallymark.summaries"}) == set()


def test_import_of_evaluate_loads_numpy_alone():
    assert loaded("import tallymark.evaluation.evaluate", HEAVY | {"narwhals", "numpy"}) == {"numpy"}


@pytest.mark.full
def test_a_measure_of_counts_loads_numpy_alone():
    code = "import tallymark as tm\ntm.measures.accuracy(tm.Counts(tp=1, fp=2, fn=3, tn=4))"
    assert loaded(code, HEAVY | {"narwhals", "numpy"}) == {"numpy"}


@pytest.mark.full
def test_evaluating_arrays_loads_no_data_frames():
    code = (
        "import numpy as np, tallymark as tm\ntm.evaluate(truth=np.array([0, 1, 1]), score=np.array([0.1,"
        " 0.2, 0.9]))"
    )
    assert loaded(code, HEAVY - {"scipy"}) == set()


def test_every_public_name_loads():
    for name in tallymark.__all__:
        assert getattr(tallymark, name) is not None
    assert set(tallymark.__all__) <= set(dir(tallymark))
    with pytest.raises(AttributeError, match="no 'nonsense'"):
        tallymark.nonsense  # noqa: B018


# Style
# --------------------------------------------------------------------------------------------------


@pytest.mark.full
@for_each("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_docstrings_begin_with_one_line(path):
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    nodes = [node for node in ast.walk(parsed(path)) if isinstance(node, kinds)]
    firsts = [(getattr(node, "name", "module"), (ast.get_docstring(node) or "")) for node in nodes]
    assert not [name for name, text in firsts if "\n" in text.split("\n\n")[0]]


@pytest.mark.full
@for_each("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_frozen_fields_are_set_where_an_object_is_made_alone(path):
    tree = parsed(path)
    made = [
        node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name == "__post_init__"
    ]
    allowed = {child for node in made for child in ast.walk(node)}
    found = [
        node for node in ast.walk(tree) if isinstance(node, ast.Attribute) and node.attr == "__setattr__"
    ]
    assert all(node in allowed for node in found)
