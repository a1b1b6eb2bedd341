"""Who may import whom, what the import costs, and how long a file and a function may be."""

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

# A layer: a top-level module or package of ours, and the layers that it may import. Downward only.
BASE = {"calls", "columns", "errors", "probabilities", "results", "validate", "values", "weighting"}
CATALOGUE = {"registry", "notices", "notes"}
LAYERS = {
    "version": set(),
    "spelling": set(),
    "text": set(),
    "kernels": {"errors", "kernels", "version"},
    "errors": {"columns"},  # for its annotations
    "values": {"errors"},
    "validate": {"columns", "errors", "values"},  # the former for its annotations
    "weighting": {"errors", "validate"},
    "probabilities": {"columns", "errors", "notes", "validate"},  # the first for its annotations
    "calls": {"errors", "validate"},
    "writing": {"validate"},
    "results": {"calls", "errors", "text", "validate", "values", "version", "writing"},
    "schema": {"calls"},
    "columns": {"errors", "validate", "weighting"},
    "labels": (BASE - {"probabilities", "results"}) | {"labels"},
    "summaries": BASE | {"kernels", "labels", "notes", "summaries", "text"},
    "adapters": BASE | {"kernels", "summaries", "adapters"},
    "messages": {"results"},
    "notices": {"facts", "kernels", "messages", "notices", "text"},
    "notes": {"messages", "sentences"},
    "sentences": {"labels", "reasons"},
    "reasons": set(),
    "declared": set(),
    "documented": {"notes"},
    "facts": {"results", "text"},
    "convert": BASE | {"summaries"},
    "losses": {"calls", "loss_input", "validate"},
    "loss_input": {"validate"},
    "twoclasses": BASE | {"labels", "summaries"},
    "of_arrays": BASE | {"summaries", "twoclasses"},
    "registry": BASE | CATALOGUE | {"declared", "documented", "of_arrays", "summaries", "twoclasses"},
    "measures": {"declared", "registry", "summaries", "kernels", "measures"},
    "scoring": {"calls", "registry", "results", "summaries", "validate"},
    "curves": BASE | CATALOGUE | {"kernels", "curves", "measures", "summaries", "uncertainty"},
    "calibration_tests": {"measures", "notes", "registry", "results", "summaries", "uncertainty", "validate"},
    "thresholds": BASE | CATALOGUE | {"messages", "measures", "summaries", "text", "thresholds", "uncertainty"},
    "uncertainty": BASE | CATALOGUE | {"kernels", "labels", "measures", "summaries", "uncertainty"},
    "contingency": {"results", "summaries", "text", "uncertainty"},
    "behaviour": BASE | CATALOGUE | {"summaries", "text", "uncertainty"},
    "cards": BASE | CATALOGUE | {"behaviour", "uncertainty"},
    "given_prevalence": {"results", "uncertainty", "validate"},
    "prevalence": BASE | CATALOGUE | {"given_prevalence", "behaviour", "facts", "summaries", "text", "thresholds", "uncertainty"},
    "manyclasses": BASE | CATALOGUE | {"summaries", "uncertainty"},
    "points": BASE | CATALOGUE | {"summaries", "text"},
    "evaluation": BASE
    | CATALOGUE
    | {
        "unmeasured",
        "contingency",
        "curves",
        "evaluation",
        "facts",
        "manyclasses",
        "measures",
        "points",
        "summaries",
        "text",
        "thresholds",
        "uncertainty",
        "version",
    },
    "choosing": BASE
    | CATALOGUE
    | {"door", "evaluation", "facts", "input", "summaries", "text", "thresholds", "uncertainty", "version"},
    "biometrics": BASE
    | CATALOGUE
    | {"biometrics", "comparisons", "curves", "door", "evaluation", "facts", "input", "labels", "measures", "printed", "summaries"}
    | {"text", "thresholds", "uncertainty", "version"},
    "calibrating": BASE
    | CATALOGUE
    | {"calibration_tests", "input", "curves", "door", "evaluation", "facts", "measures", "printed", "summaries", "text"}
    | {"uncertainty", "version"},
    "unmeasured": {"errors", "notes", "registry", "summaries"},
    "comparisons": BASE | {"door", "input", "evaluation", "summaries", "uncertainty"},
    "bootstrapping": BASE
    | CATALOGUE
    | {
        "bootstrapping",
        "door",
        "input",
        "evaluation",
        "facts",
        "summaries",
        "text",
        "thresholds",
        "uncertainty",
        "version",
    },
    "planning": BASE | CATALOGUE | {"evaluation", "facts", "planning", "summaries", "text", "uncertainty", "version"},
    "multiplicity": {"validate"},
    "paired_tests": {"calibration_tests", "notes", "validate"},
    "comparing": BASE
    | CATALOGUE
    | {
        "kernels",
        "calibration_tests",
        "comparing",
        "curves",
        "door",
        "evaluation",
        "facts",
        "labels",
        "multiplicity",
        "input",
        "paired_tests",
        "summaries",
        "text",
        "uncertainty",
        "unmeasured",
        "version",
    },
    "missing_scores": BASE | {"curves", "door", "evaluation", "input", "measures", "summaries", "version"},
    "retraining": BASE | CATALOGUE | {"adapters", "input", "labels", "retraining", "summaries", "text", "uncertainty", "version"},
    "printed": CATALOGUE | {"contingency", "evaluation", "text", "uncertainty"},
    "advice": BASE
    | CATALOGUE
    | {"kernels", "advice", "door", "evaluation", "input", "summaries", "text", "uncertainty", "unmeasured", "version"},
    "saved": BASE | CATALOGUE | {"evaluation", "messages", "text", "thresholds", "uncertainty", "unmeasured", "version"},
    "gate": BASE
    | CATALOGUE
    | {"adapters", "comparing", "declared", "door", "evaluation", "facts", "gate", "input", "labels", "manyclasses"}
    | {"summaries", "text"}
    | {"thresholds", "uncertainty", "version"},
    "plots": {"curves", "plots", "text"},
    "report": BASE
    | CATALOGUE
    | {
        "contingency",
        "evaluation",
        "measures",
        "plots",
        "printed",
        "report",
        "summaries",
        "text",
        "uncertainty",
        "version",
        "writing",
    },
    "input": BASE | {"kernels", "adapters", "facts", "input", "labels", "summaries"},
    "door": BASE
    | CATALOGUE
    | {
        "door",
        "evaluation",
        "facts",
        "input",
        "labels",
        "summaries",
        "text",
        "thresholds",
        "uncertainty",
    },
    "__main__": {"cli"},
}
# In a function: an answer prints and saves itself, counts print themselves, the catalogue fills itself.
UPWARD = {
    ("curves", "plots"),
    ("evaluation", "report"),
    ("results", "report"),
    ("results", "saved"),
    ("summaries", "report"),
    ("evaluation", "printed"),
    ("summaries", "contingency"),
    ("registry", "measures"),
}
ROOT = {"__init__"}  # names load from everywhere, when they are asked for
FREE = {"cli"}  # the top: may import all
EVERYWHERE = {"spelling"}  # how sentences name arguments


def layer(path):
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def module(path):
    return ["tallymark", *path.relative_to(SOURCE).with_suffix("").parts]


@cache
def imports(path):
    """(the layer imported, whether at the module's level, the line) for every import of ours; not those for a type checker."""
    return tuple(_imports(path))


def _imports(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    inside = {
        child
        for node in ast.walk(tree)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
        for child in ast.walk(node)
    }
    typing = {
        child
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        for child in ast.walk(node)
    }
    for node in ast.walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)) and node not in typing:
            for target in targets(path, node):
                yield target, node not in inside, node.lineno


def targets(path, node):
    if isinstance(node, ast.Import):
        names = [alias.name.split(".") for alias in node.names]
    else:
        package = module(path)[: -node.level] if node.level else []
        base = package + (node.module.split(".") if node.module else [])
        names = [[*base, alias.name] for alias in node.names]
    for name in names:
        if name[0] == "tallymark":
            yield name[1] if len(name) > 1 and name[1] != "__version__" else "__init__"


@for_each("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports_go_downward(path):
    here = layer(path)
    assert here in LAYERS or here in ROOT | FREE, f"{here} has no layer yet: give it one in this test"
    for target, at_module_level, line in imports(path):
        where = f"{path.relative_to(SOURCE)}:{line}"
        assert target != "cli" or here in {"cli", "__main__"}, f"{where}: nothing imports the command line"
        if here in ROOT | FREE or target in LAYERS[here] | EVERYWHERE:
            continue
        allowed = not at_module_level and (here, target) in UPWARD
        assert allowed, f"{where}: {here} may not import {target}"


def test_the_layers_have_no_cycle():
    rest = {name: allowed - {name} for name, allowed in LAYERS.items()}
    rest["errors"] = set()  # its annotations are for the type checker alone
    rest["validate"] -= {"columns"}  # the same
    while rest:
        lowest = [name for name, allowed in rest.items() if not allowed & rest.keys()]
        assert lowest, f"these import one another: {sorted(rest)}"
        for name in lowest:
            del rest[name]


def test_the_architecture_page_has_every_layer_after_those_that_it_imports():
    page = (Path(__file__).parent.parent / "docs" / "architecture.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ((?:`\w+` )+)\|", page.split("## Layers")[1].split("## ")[0], re.M)
    listed = [name for row in rows for name in re.findall(r"\w+", row)]
    assert sorted(listed) == sorted([*LAYERS, *FREE])
    place = {name: i for i, name in enumerate(listed)}
    for path in FILES:
        here = layer(path)
        for target, at_module_level, line in imports(path) if here in LAYERS else ():
            below = at_module_level and target in place and place[target] > place[here]
            assert not below or here == "__main__", (
                f"{path.relative_to(SOURCE)}:{line}: {target} stands below {here} in architecture.md"
            )


def test_every_layer_exists():
    assert {layer(path) for path in FILES} >= set(LAYERS)


# The import -----------------------------------------------------------------------------------------------------------


def loaded(code, names):
    """Which of these modules are loaded in a new Python after some code."""
    code = f"{code}\nimport sys\nprint(*[name for name in {sorted(names)!r} if name in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(run.stdout.split())


HEAVY = {"scipy", "pandas", "duckdb", "polars", "pyarrow", "sklearn", "matplotlib", "torch", "jax", "array_api_compat"}


def test_import_tallymark_loads_nothing_heavy():
    assert loaded("import tallymark", HEAVY | {"numpy", "narwhals", "tallymark.summaries"}) == set()


def test_import_of_the_door_loads_numpy_alone():
    assert loaded("import tallymark.evaluation.evaluate", HEAVY | {"narwhals", "numpy"}) == {"numpy"}


def test_a_measure_of_counts_loads_numpy_alone():
    code = "import tallymark as tm\ntm.measures.accuracy(tm.Counts(tp=1, fp=2, fn=3, tn=4))"
    assert loaded(code, HEAVY | {"narwhals", "numpy"}) == {"numpy"}


@pytest.mark.full
def test_evaluating_arrays_loads_no_data_frames():
    code = "import numpy as np, tallymark as tm\ntm.evaluate(truth=np.array([0, 1, 1]), score=np.array([0.1, 0.2, 0.9]))"
    assert loaded(code, HEAVY - {"scipy"}) == set()


def test_every_public_name_loads():
    for name in tallymark.__all__:
        assert getattr(tallymark, name) is not None
    assert set(tallymark.__all__) <= set(dir(tallymark))
    with pytest.raises(AttributeError, match="no 'nonsense'"):
        tallymark.nonsense  # noqa: B018


# Sizes ----------------------------------------------------------------------------------------------------------------


@for_each("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_files_and_functions_are_short(path):
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 350
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            body = node.body[1:] if ast.get_docstring(node) else node.body
            lines = body[-1].end_lineno - body[0].lineno + 1 if body else 0
            assert lines <= 40, f"{path.name}: {node.name} has {lines} lines of code"
            taken = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
            private = node.name.startswith("_") and not node.name.startswith("__")
            parameters = [one.arg for one in taken if one.arg not in ("self", "cls")]
            assert not private or len(parameters) <= 7, f"{path.name}: {node.name} takes {parameters}"
