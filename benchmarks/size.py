"""The size of the package and how far one call goes through it, next to the figures in size.json.

python benchmarks/size.py                # print the table; exit status 1 where one is above the stored
python benchmarks/size.py --store "why"  # store the figures; the reason is needed where one rises

size.json keeps the history of each figure as [value, reason], the newest last. A call is profiled when made
the second time in one process, from a CSV file of 600 rows.
"""

from __future__ import annotations

import argparse
import ast
import io
import json
import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from pathlib import Path

import numpy as np

import tallymark as tm

STORED = Path(__file__).with_name("size.json")
SOURCE = Path(tm.__file__).parent
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
BRANCHES = {
    "weights": re.compile(r"weight|squares|importance"),
    "clusters": re.compile(r"cluster"),
    "design": re.compile(r"design|case.control", re.IGNORECASE),
}


def is_docstring(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def words(tree: ast.AST) -> Iterator[str]:
    """The identifiers and the short texts."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, (ast.arg, ast.keyword)) and node.arg:
            yield node.arg
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) < 20:
            yield node.value


def conditions(tree: ast.AST) -> Iterator[ast.AST]:
    for node in ast.walk(tree):
        if isinstance(node, (ast.If, ast.IfExp, ast.While, ast.Assert)):
            yield node.test
        elif isinstance(node, ast.comprehension):
            yield from node.ifs
        elif isinstance(node, ast.Match):
            yield node.subject


def divides_by_one_less(tree: ast.AST) -> bool:
    """Whether something is divided by n - 1."""
    return any(
        isinstance(node, ast.BinOp)
        and isinstance(node.op, ast.Div)
        and isinstance(node.right, ast.BinOp)
        and isinstance(node.right.op, ast.Sub)
        and isinstance(node.right.right, ast.Constant)
        and node.right.right.value == 1
        for node in ast.walk(tree)
    )


def read() -> dict[str, int]:
    """The figures that the source text shows."""
    trees = {path.relative_to(SOURCE): ast.parse(path.read_text("utf-8")) for path in SOURCE.rglob("*.py")}
    nodes = [node for tree in trees.values() for node in ast.walk(tree)]
    statistics = {
        path: tree for path, tree in trees.items() if path.parts[0] in ("inference", "evaluation", "studies")
    }
    steps = [
        node for tree in trees.values() for node in tree.body
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "STEP"
    ]  # fmt: skip
    return (
        {
            "statements": sum(isinstance(node, ast.stmt) and not is_docstring(node) for node in nodes),
            "files": len(trees),
            "functions": sum(isinstance(node, FUNCTIONS) for node in nodes),
        }
        | {
            f"files that branch on {name}": sum(
                any(pattern.search(word) for test in conditions(tree) for word in words(test))
                for tree in trees.values()
            )
            for name, pattern in BRANCHES.items()
        }
        | {
            "files with a variance of their own (divide by n - 1)": sum(
                map(divides_by_one_less, statistics.values())
            ),
            "steps of numerical derivatives": len(steps),
        }
        | {
            f"files that name {name}": sum(
                any(re.search(word, text) for text in words(tree)) for tree in trees.values()
            )
            for name, word in {
                "persons": "person",
                "amounts": "[Rr]esidual|regression",
                "calibration": r"^calibration$",
            }.items()
        }
    )


def profile(call: Callable[[], object]) -> dict[str, int]:
    """How many functions and files of the package a call enters, and how deep."""
    call()
    entered: set[tuple[str, str]] = set()
    depth = deepest = 0

    def seen(frame, event, _):  # type: ignore[no-untyped-def]
        nonlocal depth, deepest
        code = frame.f_code
        if event in ("call", "return") and code.co_filename.startswith(str(SOURCE)):
            depth += 1 if event == "call" else -1
            deepest = max(deepest, depth)
            entered.add((code.co_filename, code.co_qualname))

    sys.setprofile(seen)
    try:
        call()
    finally:
        sys.setprofile(None)
    return {"functions": len(entered), "files": len({file for file, _ in entered}), "depth": deepest}


def walked() -> dict[str, int]:
    """The figures of two calls, on one processor: on several, which thread enters what varies."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 600)
    scores = 1 / (1 + np.exp(-(truth[:, None] + rng.normal(size=(600, 3)))))
    table = np.column_stack([truth, scores.round(4), np.arange(600) // 3])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "scores.csv"
        np.savetxt(path, table, "%g", ",", header="y,a,b,c,cluster", comments="")
        models = {"a": "a", "b": "b", "c": "c"}
        calls: dict[str, Callable[[], object]] = {
            "sensitivity from CSV": lambda: tm.evaluate(path, truth="y", score="a")["sensitivity"],
            "compare of three models with clusters": lambda: print(
                tm.compare(path, truth="y", score=models, clusters="cluster")
            ),
        }
        with redirect_stdout(io.StringIO()):
            return {f"{name}: {part}": n for name, call in calls.items() for part, n in profile(call).items()}


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--store", nargs="?", const="", metavar="REASON")
    reason = parser.parse_args().store
    history = json.loads(STORED.read_text()) if STORED.exists() else {}
    now = read() | walked()
    stored = {name: history[name][-1][0] if name in history else value for name, value in now.items()}
    for name, value in now.items():
        change = f"  ({value - stored[name]:+,})" if value != stored[name] else ""
        print(f"{name:<58}{value:>8,}{change}")
    risen = [name for name, value in now.items() if value > stored[name]]
    if reason is None:
        if risen:
            print(
                f"above the stored figure: {'; '.join(risen)}. Lower it, or: make size ARGS='--store REASON'"
            )
        return bool(risen)
    if risen and not reason:
        print(f"--store needs a reason: these rise: {'; '.join(risen)}")
        return 1
    for name, value in now.items():
        if not history.get(name) or history[name][-1][0] != value:
            history.setdefault(name, []).append([value, reason if name in risen else ""])
    STORED.write_text(
        "{\n" + ",\n".join(f"  {json.dumps(k)}: {json.dumps(v)}" for k, v in history.items()) + "\n}\n"
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
