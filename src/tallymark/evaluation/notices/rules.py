"""What a rule of a notice is, and the list of all rules, which `@fact` and `@finding` extend."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

from ...input.data_info import TASKS, Task
from .wording import MANY_LABELS

BINARY: tuple[Task, ...] = ("binary",)
MULTICLASS: tuple[Task, ...] = ("multiclass",)
CLASSWISE: tuple[Task, ...] = ("multiclass", "multilabel")
SCORED: tuple[Task, ...] = ("binary", "multiclass")  # tasks whose evaluations may have scores
Fields = dict[str, Any] | None
R = TypeVar("R", bound=Callable[..., Fields])  # a rule


class Rule(NamedTuple):
    """A rule: its function, code, source and kind, and the tasks that it applies to.

    finding: whether it rests on an interval; else it is a plain fact. severe: whether it changes how the
    numbers must be read, so that it stands before them.
    """

    function: Callable[[Any], Fields]
    code: str
    source: str | None
    finding: bool
    of: tuple[Task, ...] = TASKS
    severe: bool = False


RULES: list[Rule] = []
BY_CODE: dict[str, Rule] = {}


def fact(source: str | None = None, of: tuple[Task, ...] = TASKS, severe: bool = False) -> Callable[[R], R]:
    """Registers a rule that states a fact of the data, with the tasks `of` that it applies to.

    severe: whether it changes how the numbers must be read.
    """
    return _registers(source, False, of, severe)


def finding(
    source: str | None = None, of: tuple[Task, ...] = TASKS, severe: bool = False
) -> Callable[[R], R]:
    """Registers a rule that finds a fault of the model; the arguments are those of `fact`."""
    return _registers(source, True, of, severe)


def _registers(source: str | None, finding: bool, of: tuple[Task, ...], severe: bool) -> Callable[[R], R]:
    def register(function: R) -> R:
        rule = Rule(function, function.__name__.replace("_", "-"), source, finding, of, severe)
        RULES.append(rule)
        BY_CODE[rule.code] = rule
        return function

    return register


def among(labels: Sequence[Any]) -> dict[str, Any]:
    """The number of classes, and the labels of the first few, as fields."""
    return {"classes": len(labels), "labels": tuple(labels[:MANY_LABELS])}
