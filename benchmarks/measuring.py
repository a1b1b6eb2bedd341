"""Runs the tools of a task in turn, each in a process of its own, after their answers were compared."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from itertools import combinations
from math import isclose
from pathlib import Path
from statistics import median
from typing import Any

from environment import PYTHON
from tasks import Target, Task

WORKER = Path(__file__).parent / "worker.py"
LEFT_OUT = "PYTHONDONTWRITEBYTECODE"  # else each fresh process compiles our modules in the timed call
Figures = dict[str, Any]


class BenchmarkError(Exception):
    """A tool that does not run, or answers that do not agree."""


class Worker:
    """A process that makes the calls of one tool."""

    def __init__(self, task: Task, tool: str, scale: float):
        self.name = f"{task.name}, {tool}"
        self.process = subprocess.Popen(
            [PYTHON, "-W", "ignore", WORKER, task.name, tool, str(scale)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment_of_workers(),
        )
        self._read()

    def ask(self, what: str) -> Figures:
        self.process.stdin.write(what + "\n")  # type: ignore[union-attr]
        self.process.stdin.flush()  # type: ignore[union-attr]
        return self._read()

    def _read(self) -> Figures:
        line = self.process.stdout.readline()  # type: ignore[union-attr]
        if not line:
            raise BenchmarkError(f"{self.name}: {self.process.communicate()[1].strip().splitlines()[-1:]}")
        return json.loads(line)

    def close(self) -> None:
        self.process.stdin.close()  # type: ignore[union-attr]
        self.process.stdout.close()  # type: ignore[union-attr]
        self.process.stderr.close()  # type: ignore[union-attr]
        self.process.wait()


def environment_of_workers() -> dict[str, str]:
    """The variables of the caller, except what would change the times."""
    return {name: value for name, value in os.environ.items() if name != LEFT_OUT} | {"NO_COLOR": "1"}


@contextmanager
def worker(task: Task, tool: str, scale: float) -> Iterator[Worker]:
    made = Worker(task, tool, scale)
    try:
        yield made
    finally:
        made.close()


def measure(task: Task, scale: float, rounds: int) -> Figures:
    """Median seconds, those of the first call, and the peak memory of each tool; and each target."""
    try:
        found, answers = (fresh if task.fresh else warm)(task, scale, rounds)
    except BenchmarkError as why:
        return {"failure": str(why)}
    tools = {tool: summed_up(found[tool]) | {"answer": answers[tool]} for tool in task.tools}
    return {"tools": tools, "targets": [judged(target, tools) for target in task.targets]}


def warm(task: Task, scale: float, rounds: int) -> tuple[dict[str, list[Figures]], dict[str, Figures]]:
    """Calls in processes that stay: the first call of each, answers compared, then in turn."""
    with ExitStack() as stack:
        workers = {tool: stack.enter_context(worker(task, tool, scale)) for tool in task.tools}
        found = {tool: [one.ask("run")] for tool, one in workers.items()}
        answers = agreed({tool: one.ask("answer") for tool, one in workers.items()}, task.tolerance)
        for _ in range(rounds):
            for tool, one in workers.items():
                found[tool].append(one.ask("run"))
    return found, answers


def fresh(task: Task, scale: float, rounds: int) -> tuple[dict[str, list[Figures]], dict[str, Figures]]:
    """Every call in a new process; where the answers of the first ones differ, there are no figures."""
    found: dict[str, list[Figures]] = {tool: [{}] for tool in task.tools}
    answers: dict[str, Figures] = {}
    for number in range(rounds):
        for tool in task.tools:
            with worker(task, tool, scale) as one:
                found[tool].append(one.ask("run"))
                if number == 0:
                    answers[tool] = one.ask("answer")
        agreed(answers, task.tolerance)
    return found, answers


def agreed(answers: dict[str, Figures], tolerance: float) -> dict[str, Figures]:
    """The answers of all tools; raises BenchmarkError where two differ in what they have in common."""
    for tool, other in combinations(answers, 2):
        for name in answers[tool].keys() & answers[other].keys():
            one, two = answers[tool][name], answers[other][name]
            if not isclose(one, two, rel_tol=tolerance, abs_tol=tolerance):
                raise BenchmarkError(f"{name} is {one} by {tool}, {two} by {other}")
    return answers


def summed_up(calls: list[Figures]) -> Figures:
    first, rest = calls[0] or calls[1], calls[1:]
    return {
        "seconds": median(one["seconds"] for one in rest),
        "fastest": min(one["seconds"] for one in rest),
        "first": first["seconds"],
        "memory": max(one["memory"] for one in rest),
        "rounds": len(rest),
    }


def judged(target: Target, tools: Mapping[str, Figures]) -> Figures:
    """A target with the figure that counts, the limit, and whether it is met."""
    what = "memory" if target.memory else "seconds"
    figure = tools[target.tool][what] - target.beyond
    limit = target.at_most * (tools[target.of][what] + target.plus if target.of else 1.0)
    return {
        "what": what,
        "tool": target.tool,
        "of": target.of,
        "at_most": target.at_most,
        "plus": target.plus,
        "figure": figure,
        "limit": limit,
        "met": figure <= limit,
    }
