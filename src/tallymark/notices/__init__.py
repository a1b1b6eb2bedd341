"""Every notice: a code with fields, of which one sentence is made that says what to do (`words`).

A rule is a function of an `Evaluation` that returns the fields of its notice, or None. Its code is its name. There are two sorts.
A fact is plain in the data, as the number of cases. A finding is a judgement on the model: it rests on a confidence interval
(`evidence`), so that a model without the fault sets it off in at most 2 % of samples; docs/notices.md has the simulated shares.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, TypeVar

from ..facts import TASKS, Task
from ..messages import Message
from .wording import MANY_LABELS
from .wording import number_of as number_of
from .words import sentence

FEW_CASES = 10
BINARY: tuple[Task, ...] = ("binary",)
MULTICLASS: tuple[Task, ...] = ("multiclass",)
CLASSWISE: tuple[Task, ...] = ("multiclass", "multilabel")
SCORED: tuple[Task, ...] = ("binary", "multiclass")  # that may have scores
Fields = dict[str, Any] | None
R = TypeVar("R", bound=Callable[..., Fields])  # a rule


class UndefinedMeasureWarning(UserWarning):
    """A measure is 0/0 on these data; the text says which part is empty."""


class Notice(Message):
    """What a good statistician would add to the numbers.

    Attributes
    ----------
    code : str
        What it is, as "few-cases"; it stays the same when the sentence is reworded.
    fields : tuple of pairs (name, value)
        The figures and names in the sentence, as ("positives", 7); `notice["positives"]` is the value.
    """

    __slots__ = ()

    @property
    def text(self) -> str:
        """The sentence."""
        return sentence(self)

    @property
    def source(self) -> str | None:
        """Where that is discussed, if it is not mere care."""
        return SOURCES.get(self.code)

    def __str__(self) -> str:
        return f"{self.text} [{self.code}]"

    def to_dict(self) -> dict[str, Any]:
        """Strict JSON: the code, the fields, the sentence, the source."""
        return {**super().to_dict(), "source": self.source}


class Rule(NamedTuple):
    """A rule; its code; the source that discusses it; whether it is a finding, which rests on an interval, or a plain fact; and the
    tasks whose evaluations it looks at."""

    function: Callable[[Any], Fields]
    code: str
    source: str | None
    finding: bool
    of: tuple[Task, ...] = TASKS


RULES: list[Rule] = []
SOURCES: dict[str, str | None] = {}


def fact(source: str | None = None, of: tuple[Task, ...] = TASKS) -> Callable[[R], R]:
    """Registers a rule that states a fact of the data. of: the tasks whose evaluations it looks at."""
    return _registers(source, False, of)


def finding(source: str | None = None, of: tuple[Task, ...] = TASKS) -> Callable[[R], R]:
    """Registers a rule that finds a fault of the model. of: the tasks whose evaluations it looks at."""
    return _registers(source, True, of)


def _registers(source: str | None, finding: bool, of: tuple[Task, ...]) -> Callable[[R], R]:
    def register(function: R) -> R:
        code = function.__name__.replace("_", "-")
        RULES.append(Rule(function, code, source, finding, of))
        SOURCES[code] = source
        return function

    return register


def review(evaluation: Any) -> tuple[Notice, ...]:
    """The notices of an evaluation, in the order of this package."""
    found = ((rule.code, rule.function(evaluation)) for rule in RULES if evaluation.task in rule.of)
    return tuple(Notice(code, **fields) for code, fields in found if fields is not None)


def without(notices: Iterable[Notice], *codes: str) -> tuple[Notice, ...]:
    """Those with none of these codes."""
    return tuple(notice for notice in notices if notice.code not in codes)


def of_model(name: str, notice: Notice) -> Notice:
    """The notice on one of several models, with the name of the model."""
    return notice.but(model=name)


def among(labels: Sequence[Any]) -> dict[str, Any]:
    """How many classes there are, and the labels of the first few, as fields."""
    return {"classes": len(labels), "labels": tuple(labels[:MANY_LABELS])}


from . import data, weights, probabilities, answers, chosen  # noqa: E402, F401, I001  # enter their rules, in this order
