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

    finding: whether it rests on an interval; else it is a plain fact.
    """

    function: Callable[[Any], Fields]
    code: str
    source: str | None
    finding: bool
    of: tuple[Task, ...] = TASKS


RULES: list[Rule] = []
SOURCES: dict[str, str | None] = {}


def fact(source: str | None = None, of: tuple[Task, ...] = TASKS) -> Callable[[R], R]:
    """Registers a rule that states a fact of the data. of: the tasks that it applies to."""
    return _registers(source, False, of)


def finding(source: str | None = None, of: tuple[Task, ...] = TASKS) -> Callable[[R], R]:
    """Registers a rule that finds a fault of the model. of: the tasks that it applies to."""
    return _registers(source, True, of)


def _registers(source: str | None, finding: bool, of: tuple[Task, ...]) -> Callable[[R], R]:
    def register(function: R) -> R:
        code = function.__name__.replace("_", "-")
        RULES.append(Rule(function, code, source, finding, of))
        SOURCES[code] = source
        return function

    return register


def among(labels: Sequence[Any]) -> dict[str, Any]:
    """The number of classes, and the labels of the first few, as fields."""
    return {"classes": len(labels), "labels": tuple(labels[:MANY_LABELS])}
