"""What a task is, and the registry of all of them. Loads no NumPy: the process that only starts others stays
small.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
OURS = "tallymark"
MB = 1e6


@dataclass(frozen=True)
class Job:
    """What is timed, and what its result says.

    run: the timed call; answer: of its result the numbers that tools must agree on, by name, taken untimed;
    times: the call is this part of the task, so that its seconds are multiplied (1,000 / 20 resamples).
    """

    run: Callable[[], Any]
    answer: Callable[[Any], Mapping[str, float]] = lambda _: {}
    times: float = 1.0


@dataclass(frozen=True)
class Command:
    """A whole process: its seconds from start to end, and its peak memory.

    answer: a call with the same meaning, made only when answers are compared.
    """

    argv: Sequence[str]
    answer: Callable[[], Mapping[str, float]] = dict


@dataclass(frozen=True)
class Target:
    """What must hold: the seconds or the peak memory of `tool` are at most `at_most` times those of `of`.

    of: a tool, or None for a limit in seconds or bytes; plus: seconds that are added to those of `of`;
    beyond: bytes of memory that do not count.
    """

    at_most: float
    of: str | None = None
    tool: str = OURS
    memory: bool = False
    plus: float = 0.0
    beyond: float = 0.0


@dataclass(frozen=True)
class Task:
    """A task for several tools.

    name: group/name; line: of the list of targets, 0 for none; data: makes what all tools are given, from a
    seed, for a scale (1, or less in quick mode); tools: name to a function of these data that prepares
    (imports, conversions) and returns a job; fresh: every call in a process of its own; tolerance: of
    answers; quick: is one of the tasks of quick mode; cores: that it needs, without which it is left out.
    """

    name: str
    line: int
    title: str
    data: Callable[[float], Any]
    tools: Mapping[str, Callable[[Any], Job | Command]]
    targets: Sequence[Target] = ()
    fresh: bool = False
    tolerance: float = 1e-9
    rounds: int = 5
    quick: bool = True
    cores: int = 1


@dataclass
class Registry:
    """The tasks by name, in the order of the groups' files."""

    tasks: dict[str, Task] = field(default_factory=dict)

    def add(self, task: Task) -> None:
        if task.name in self.tasks:
            raise ValueError(f"two tasks are called {task.name}")
        self.tasks[task.name] = task

    def chosen(self, patterns: Sequence[str], quick: bool = False) -> list[Task]:
        """The tasks whose names match a pattern or start with it; without patterns all, or all quick ones."""
        found = [
            task
            for name, task in self.tasks.items()
            if any(fnmatch(name, p) or name.startswith(p) for p in patterns)
            or (not patterns and (task.quick or not quick))
        ]
        if not found:
            raise SystemExit(f"no task is called {' or '.join(patterns)}; there are: {', '.join(self.tasks)}")
        return found


REGISTRY = Registry()


def load() -> Registry:
    """The registry with the tasks of every file of groups/."""
    for file in sorted((HERE / "groups").glob("[a-z]*.py")):
        importlib.import_module(f"groups.{file.stem}")
    return REGISTRY
