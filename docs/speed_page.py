"""The page on speed and the figures in the README, from the table that `make bench` stores."""

import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "benchmarks"))

import table  # noqa: E402
import tasks  # noqa: E402

STORED = ROOT / "benchmarks" / "results.json"
START, END = "<!-- speed: made by docs/make.py from benchmarks/results.json -->\n", "<!-- end of speed -->\n"
YARDSTICK = "numpy.sort"
IN_README = (
    "first_call/evaluate",
    "first_call/everything",
    "large/roc_auc_1m",
    "resampling/multinomial",
    "small/f1",
)


def page() -> str:
    """The whole table."""
    return table.markdown(tasks.load().tasks.values(), table.read(STORED))


def readme() -> str:
    """The README with the figures of the stored table in its block."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    before, rest = text.split(START)
    return before + START + block() + END + rest.split(END)[1]


def block() -> str:
    """One row per task: the time, and those of what a user would take instead."""
    found = table.read(STORED)["tasks"]
    rows = [row(found[name]) for name in IN_README if "tools" in found.get(name, {})]
    return "\n".join(["\n| | Tallymark | others |", "|---|---:|---|", *rows, "\n"])


def row(task: dict) -> str:
    """As "| `f1`, 100 rows | 7 µs | scikit-learn 940 µs |"; a yardstick of the targets is no other tool."""
    (_, ours), *others = task["tools"].items()
    times = sorted((tool["seconds"], name) for name, tool in others if YARDSTICK not in name)
    instead = ", ".join(f"{name} {table.seconds(time)}" for time, name in times)
    return f"| {task['title']} | {table.seconds(ours['seconds'])} | {instead} |"
