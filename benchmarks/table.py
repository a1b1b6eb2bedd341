"""The stored table: results by task, read and written as JSON and as Markdown."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from tasks import Task

Figures = Mapping[str, Any]
HEAD = """# Speed

Made by `make bench` ({machine}; {versions}).

Every tool runs in a process of its own, all in turn; tools whose answers differ get no figures. Times are
medians; the ratio is how many times as long as Tallymark the tool takes. Memory is the peak during the call
beyond what was in use before; for whole processes it is their peak. numpy.sort depends on the processor: with
AVX-512 it sorted 10^6 scores in 7 ms on an Intel Xeon and in 54 ms on an AMD EPYC.
"""


def read(file: Path) -> dict[str, Any]:
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else {"tasks": {}}


def write(file: Path, table: Figures) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")


def seconds(value: float) -> str:
    """With three digits, in the unit that fits."""
    unit, name = next(((u, n) for u, n in ((1, "s"), (1e-3, "ms")) if value >= u), (1e-6, "µs"))
    return f"{value / unit:.3g} {name}" if value / unit < 1000 else f"{value / unit:,.0f} {name}"


def megabytes(value: float) -> str:
    return f"{value / 1e6:,.0f} MB"


def limit(target: Figures) -> str:
    """A limit in words, as "at most 0.4 x scikit-learn"."""
    show = megabytes if target["what"] == "memory" else seconds
    if target["of"] is None:
        return f"at most {show(target['limit'])}"
    plus = f" + {seconds(target['plus'])}" if target["plus"] else ""
    times = target["at_most"]
    ratio = f"1/{1 / times:g}" if times < 0.1 or times == 0.1 else f"{times:g}"
    return f"at most {ratio} x {'(' if plus else ''}{target['of']}{plus}{')' if plus else ''}"


def verdict(target: Figures) -> str:
    """As "missed: 2.14 x the limit (at most ...)"."""
    over = target["figure"] / target["limit"]
    what = "memory " if target["what"] == "memory" else ""
    return f"{'met' if target['met'] else '**missed**'}: {what}{over:.2g} of the limit, {limit(target)}"


def rows(task: Task, found: Figures, scale: float = 1) -> list[str]:
    """The lines of a task. scale: below 1 in quick mode, where large data have fewer rows."""
    title = task.title if scale == 1 else f"{task.title} (quick mode)"
    if "failure" in found:
        return [f"| {title} | {found['failure']} | | | | **failed** |"]
    lines, verdicts = [], "; ".join(map(verdict, found["targets"]))
    ours = next(iter(found["tools"].values()))["seconds"]
    for place, (tool, one) in enumerate(found["tools"].items()):
        cells = [
            title if place == 0 else "",
            tool,
            seconds(one["seconds"]),
            "" if place == 0 else f"{one['seconds'] / ours:.3g}",
            megabytes(one["memory"]),
            verdicts if place == 0 else "",
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def markdown(tasks: Iterable[Task], table: Figures) -> str:
    """The page, a section per group."""
    groups: dict[str, list[Task]] = {}
    for task in tasks:
        if task.name in table["tasks"]:
            groups.setdefault(task.name.split("/")[0], []).append(task)
    parts = [head(table)]
    for group, members in groups.items():
        parts += [f"\n## {group.replace('_', ' ').capitalize()}\n"]
        parts += ["| task | tool | time | ratio | memory | target |", "|---|---|---:|---:|---:|---|"]
        parts += [
            line for task in members for line in rows(task, table["tasks"][task.name], table.get("scale", 1))
        ]
    return "\n".join(parts) + "\n"


def head(table: Figures) -> str:
    machine = table.get("machine", {})
    versions = ", ".join(f"{name} {version}" for name, version in machine.get("versions", {}).items())
    place = (
        f"{machine.get('processors')} processors, {machine.get('processor')}, Python {machine.get('python')}"
    )
    return HEAD.format(machine=place, versions=versions) + counted(table)


def counted(table: Figures) -> str:
    """How many targets are met."""
    met = [target["met"] for found in table["tasks"].values() for target in found.get("targets", ())]
    scale = (
        "" if table.get("scale", 1) == 1 else f" Quick mode: {table['scale']:g} of the rows, fewer rounds."
    )
    return f"\n{sum(met)} of {len(met)} targets are met.{scale}\n"
