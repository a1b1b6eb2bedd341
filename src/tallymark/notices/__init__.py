"""Every warning and every piece of advice, with its text: a code, and one sentence that says what to do.

A rule is a function of an `Evaluation` that answers a sentence, or None where it has nothing to say. Its code is its name.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass

from ..text import count
from ..text import labels as written

FEW_CASES = 10
MANY_LABELS, LONGEST_LABEL = 5, 20  # that a notice lists


class UndefinedMeasureWarning(UserWarning):
    """A measure is 0/0 on these data; the text says which part is empty."""


@dataclass(frozen=True, slots=True)
class Notice:
    """What a good statistician would say beside the numbers. source: where that is discussed, if it is not mere care."""

    code: str
    text: str
    source: str | None = None

    def __str__(self) -> str:
        return f"{self.text} [{self.code}]"

    def to_dict(self) -> dict:
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
RULES: list[tuple[Callable, str | None]] = []


def rule(function: Callable) -> Callable:
    """Enters a rule."""
    RULES.append((function, None))
    return function


def rule_of(source: str) -> Callable:
    """Enters a rule that a source discusses."""

    def enter(function: Callable) -> Callable:
        RULES.append((function, source))
        return function

    return enter


def review(evaluation) -> tuple[Notice, ...]:
    """What every rule has to say of an evaluation, in the order of this page."""
    said = ((rule.__name__.replace("_", "-"), rule(evaluation), source) for rule, source in RULES)
    return tuple(Notice(code, text, source) for code, text, source in said if text)


def number_of(size: float, name: str, names: str | None = None) -> str:
    """As "1 case" or "7 cases"; names: of several, where it is not done with an s."""
    return f"{count(size)} {name if size == 1 else names or name + 's'}"


def some_of(labels: list) -> str:
    """The first few, and how many more."""
    said = ", ".join(written(labels, LONGEST_LABEL)[one] for one in labels[:MANY_LABELS])
    return said if len(labels) <= MANY_LABELS else f"{said} and {len(labels) - MANY_LABELS} more"


from . import data, probabilities, answers  # noqa: E402, F401, I001  # enter their rules, in this order
