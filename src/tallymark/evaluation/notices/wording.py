"""What the sentences of notices share: numbers of cases, lists of labels, values with their intervals."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ...input.messages import Message
from ...input.text import count, digits_of, interval, rounded
from ...input.text import labels as written

Words = str | Callable[[Message], str]  # a format of the fields, or a function of the notice
LONGEST_LABEL = 20
MANY_LABELS = 5  # number of labels that a notice lists


@dataclass(frozen=True, slots=True)
class Terms:
    """The words of a field: the cases of both classes, one of them, and how to reverse the scores."""

    positive: str = "positive"
    negative: str = "negative"
    label: str = "is the positive label right"
    means: str = "positive"
    classes: str = "the class"
    turned: str = "pass {option[higher_is_positive=False]}"
    turned_back: str = "let a higher one do so"
    check: str = "the positive label"


USUAL = Terms()
TERMS = {
    "comparisons": Terms(
        "mated comparison", "non-mated comparison", "are the mated comparisons named right", "mated",
        "the kind of comparison", "pass {option[similarity=False]}", "{option[similarity=True]}",
        "which comparisons are mated",
    ),
}  # fmt: skip


def number_of(size: float, name: str, names: str | None = None) -> str:
    """As "1 case" or "7 cases"; names: the plural, where it is irregular."""
    number = count(size)
    return f"{number} {name if number == '1' else names or name + 's'}"


def terms(notice: Message) -> Terms:
    """The words for the cases of a notice."""
    return TERMS[notice["terms"]] if "terms" in notice else USUAL


def some(notice: Message) -> str:
    """The labels that are listed, and how many more there are."""
    labels, every = notice["labels"], notice["classes"]
    said = ", ".join(written(labels, LONGEST_LABEL).values())
    return said if every <= len(labels) else f"{said} and {every - len(labels)} more"


def value(notice: Message) -> str:
    """The value, or both of its bounds, with the interval, as "0.620 [0.550, 0.700]"."""
    values = notice["bounds"] if "bounds" in notice else [notice["value"]]
    if "low" not in notice:
        return " to ".join(dict.fromkeys(f"{one:.3g}" for one in values))
    low, high = notice["low"], notice["high"]
    written = dict.fromkeys(rounded(one, digits_of(low, high)) for one in values)
    return f"{' to '.join(written)} {interval(low, high)}"
