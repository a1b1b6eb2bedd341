"""Lists the triples (property, measure, case) that the tests of all tiers run, and compares them with those
of a commit.

    python tests/triples.py                     every triple of this tree, a line each
    python tests/triples.py --against COMMIT    how many both run, what only that commit runs, what only this
    tree runs

A property is the name of a test; a measure is one of the registry that the id of the case names. The exit
status is 1 if that commit runs a triple that this tree does not. Use the Python of an environment in which
the tests run.
"""

from __future__ import annotations

import argparse
import importlib.util
import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections import Counter
from pathlib import Path

HERE = Path(__file__).resolve().parent
COLLECT = """
import sys
if sys.argv[2] != sys.argv[3]:  # not the tree that is installed: its own source, not that of the environment
    sys.meta_path = [finder for finder in sys.meta_path if "ScikitBuild" not in type(finder).__name__]
sys.path[:0] = [sys.argv[1], sys.argv[2] + "/src"]
import pytest, triples
options = ["--collect-only", "-qq", "-m", "", "-p", "no:cacheprovider"]
pytest.main([*options, sys.argv[2] + "/tests"], plugins=[triples])
"""


def pytest_collection_finish(session) -> None:
    """As a plugin of pytest: prints the name and the cases of every test; a test made by `for_each` has
    several."""
    import tallymark  # of the tree whose tests are collected

    names = dir(tallymark.measures)
    found = [pair for item in session.items for pair in _pairs(item)]
    print("\n" + json.dumps([found, sorted(names, key=lambda name: (-len(name), name))]))


def _pairs(item) -> list[tuple[str, str]]:
    axes = getattr(item.function, "axes", None)
    given = item.name[len(item.originalname) + 1 : -1]
    looped = [""] if axes is None else sys.modules["looping"].cases_of(item.function)
    name = item.originalname.removesuffix("__others")
    return [(name, "-".join(filter(None, (given, case)))) for case in looped]


def triples(tree: Path) -> Counter:
    """Those of the tests in a tree of files, collected in a process of its own against the source of that
    tree."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    command = [sys.executable, "-c", COLLECT, str(HERE), str(tree), str(HERE.parent)]
    done = subprocess.run(command, cwd=tree, env=environment, capture_output=True, text=True)
    lines = [line for line in done.stdout.splitlines() if line.startswith("[[")]
    if not lines:
        raise SystemExit(
            f"the tests of {tree} cannot be collected:\n{done.stdout[-2000:]}{done.stderr[-2000:]}"
        )
    found, measures = json.loads(lines[0])
    return Counter((name, _measure(case, measures), _unordered(case)) for name, case in found)


def _measure(case: str, measures: list[str]) -> str:
    parts = case.split("-")
    return next((name for name in measures if name in parts), "")


def _unordered(case: str) -> str:
    """Decorators that change places change the order of the parts of an id."""
    return "-".join(sorted(case.split("-")))


def of_commit(commit: str) -> Counter:
    """The triples of a commit, from its files in a temporary folder."""
    files = subprocess.run(
        ["git", "archive", commit], cwd=HERE.parent, capture_output=True, check=True
    ).stdout
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(fileobj=io.BytesIO(files)) as archive:
            archive.extractall(folder, filter="data")
        native = importlib.util.find_spec("tallymark.kernels._native")
        if native is not None and native.origin:  # some tests exist only where there are native kernels
            shutil.copy(native.origin, Path(folder, "src", "tallymark", "kernels"))
        return triples(Path(folder))


def main() -> int:
    """Runs the command line above."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--against", metavar="COMMIT")
    options = parser.parse_args()
    here = triples(HERE.parent)
    if options.against is None:
        print("\n".join("\t".join(triple) for triple in sorted(here.elements())))
        return 0
    there = of_commit(options.against)
    lost, new = there - here, here - there
    print(
        f"{(there & here).total()} triples in both, {lost.total()} only in {options.against}, {new.total()}"
        " only here"
    )
    for title, some in (("lost", lost), ("new", new)):
        for triple in sorted(some.elements()):
            print(title, *triple, sep="\t")
    return int(bool(lost))


if __name__ == "__main__":
    raise SystemExit(main())
