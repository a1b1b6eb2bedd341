"""Every notice with its text: a code, and one sentence that says what to do.

A rule is a function of an `Evaluation` that returns a sentence, or None. Its code is its name. There are two sorts. A fact is plain
in the data, as the number of cases. A finding is a judgement on the model: it rests on a confidence interval (`evidence`), so that
a model without the fault sets it off in at most 2 % of samples; docs/notices.md has the simulated shares.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import NamedTuple

from ..facts import TASKS, Task
from ..results import Result
from ..text import count, label
from ..text import labels as written

FEW_CASES = 10
BINARY: tuple[Task, ...] = ("binary",)
MULTICLASS: tuple[Task, ...] = ("multiclass",)
CLASSWISE: tuple[Task, ...] = ("multiclass", "multilabel")
SCORED: tuple[Task, ...] = ("binary", "multiclass")  # that may have scores
LONGEST = 100  # characters of a sentence in the short form
MANY_LABELS, LONGEST_LABEL = 5, 20  # that a notice lists


class UndefinedMeasureWarning(UserWarning):
    """A measure is 0/0 on these data; the text says which part is empty."""


@dataclass(frozen=True, slots=True)
class Notice(Result):
    """What a good statistician would say beside the numbers. source: where that is discussed, if it is not mere care."""

    code: str
    text: str
    source: str | None = None

    def __str__(self) -> str:
        return f"{self.text} [{self.code}]"

    def __repr__(self) -> str:
        return f"<Notice {self.code}: {label(self.text, LONGEST)}>"

    def to_dict(self) -> dict:
        """Plain values."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Terms:
    """What a notice calls the cases of the two classes, one of them, and the way to turn the direction of scores."""

    positive: str = "positive"
    negative: str = "negative"
    label: str = "is the positive label right"
    means: str = "positive"
    classes: str = "the class"
    turned: str = "pass higher_is_positive=False"
    turned_back: str = "let a higher one do so"


USUAL = Terms()


class Rule(NamedTuple):
    """A rule; the source that discusses it; whether it is a finding, a judgement that rests on an interval, or a plain fact; and
    the tasks whose evaluations it looks at."""

    function: Callable
    source: str | None
    finding: bool
    of: tuple[Task, ...] = TASKS

    @property
    def code(self) -> str:
        return self.function.__name__.replace("_", "-")


RULES: list[Rule] = []


def fact(source: str | None = None, of: tuple[Task, ...] = TASKS) -> Callable:
    """Registers a rule that states a fact of the data. of: the tasks whose evaluations it looks at."""
    return _registers(source, False, of)


def finding(source: str | None = None, of: tuple[Task, ...] = TASKS) -> Callable:
    """Registers a rule that finds a fault of the model. of: the tasks whose evaluations it looks at."""
    return _registers(source, True, of)


def _registers(source, finding, of):
    def register(function):
        RULES.append(Rule(function, source, finding, of))
        return function

    return register


def review(evaluation) -> tuple[Notice, ...]:
    """The notices of an evaluation, in the order of this package."""
    found = ((rule, rule.function(evaluation)) for rule in RULES if evaluation.task in rule.of)
    return tuple(Notice(rule.code, text, rule.source) for rule, text in found if text)


def of_model(name: str, notice: Notice) -> Notice:
    """The notice on one of several models, with the name of the model."""
    return replace(notice, text=f"{name}: {notice.text}")


def number_of(size: float, name: str, names: str | None = None) -> str:
    """As "1 case" or "7 cases"; names: of several, where it is not done with an s."""
    return f"{count(size)} {name if size == 1 else names or name + 's'}"


def some_of(labels: list) -> str:
    """The first few, and how many more."""
    said = ", ".join(written(labels, LONGEST_LABEL)[one] for one in labels[:MANY_LABELS])
    return said if len(labels) <= MANY_LABELS else f"{said} and {len(labels) - MANY_LABELS} more"


from . import data, weights, probabilities, answers, chosen  # noqa: E402, F401, I001  # enter their rules, in this order
