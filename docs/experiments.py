"""The page of the experiments of the source documents: their numbers next to the printed ones, and figures.

python docs/experiments.py [h1_ten_cases ...]    # runs them, which docs/make.py does not
"""

import ast
import json
import runpy
import sys
from pathlib import Path

HERE = Path(__file__).parent
EXAMPLES = HERE.parent / "examples"
FOLDER = HERE / "experiments"
NUMBERS, DRAWN = "numbers.json", "drawn.json"  # what the numbers and the figures are

HEAD = """# Experiments of the source documents

Made by `python docs/make.py`; `python docs/experiments.py` runs the experiments and draws the figures. Each
is a script that uses the public interface only, prints its numbers next to those in the document and saves
its figures. `tests/test_experiments.py` runs all of them and checks every number. "misprint" marks a number
that the document has wrong ([errata.md](errata.md) says why).
"""
SECTION = """## {title}

{about}

[examples/{name}/run.py](../examples/{name}/run.py)

    python examples/{name}/run.py out

| | found | printed | |
|---|---|---|---|
{rows}

{figures}
"""


def names() -> list[str]:
    """The folders of the experiments."""
    return sorted(path.parent.name for path in EXAMPLES.glob("h*/run.py"))


def page() -> str:
    """Every experiment, from what is stored; nothing is run."""
    return "\n".join([HEAD, *(section(name) for name in names())])


def section(name: str) -> str:
    """One experiment."""
    title, about, says = described(name)
    folder = FOLDER / name
    there = {path.stem for path in folder.glob("*.png")}
    assert there == says.keys(), f"run: python docs/experiments.py {name} ({sorted(there ^ says.keys())})"
    rows = json.loads((folder / NUMBERS).read_text(encoding="utf-8"))
    figures = [f"{said}\n\n![{one}](experiments/{name}/{one}.png)" for one, said in says.items()]
    return SECTION.format(
        title=title,
        about=about,
        name=name,
        rows="\n".join(f"| {' | '.join(row)} |" for row in rows),
        figures="\n\n".join(figures),
    )


def described(name: str) -> tuple[str, str, dict[str, str]]:
    """The title, what the docstring says, and the sentence for each figure, read without running it."""
    module = ast.parse((EXAMPLES / name / "run.py").read_text(encoding="utf-8"))
    title, _, about = ast.get_docstring(module).partition("\n\n")
    (says,) = (
        ast.literal_eval(node.value)
        for node in module.body
        if isinstance(node, ast.Assign | ast.AnnAssign) and ast.unparse(node).startswith("SAYS")
    )
    return title.replace("\n", " ").rstrip("."), about.strip(), says


def main() -> int:
    """Runs the experiments with these names, or all."""
    sys.path.insert(0, str(EXAMPLES))
    import side_by_side
    from matplotlib import pyplot as plt

    for name in sys.argv[1:] or names():
        run = runpy.run_path(str(EXAMPLES / name / "run.py"))
        for old in (FOLDER / name).glob("*.png"):
            old.unlink()
        figures = run["figures"]()
        side_by_side.save(figures, FOLDER / name)
        shown = [[one, *row] for one, figure in figures.items() for row in side_by_side.drawn(figure)]
        plt.close("all")
        for file, rows in ((DRAWN, shown), (NUMBERS, side_by_side.rows(run["numbers"]()))):
            stored = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
            (FOLDER / name / file).write_text(f"[\n{stored}\n]\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
