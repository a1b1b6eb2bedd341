"""The kinds of figures by name, entered where they are defined."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

from ...evaluation.results import Evaluation
from ...input.results import Result
from ...input.validate import InputError, nearest, shown
from .picture import Panel, Picture
from .source import Source, fits, source_of

Way = Literal["together", "apart", "whole"]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of figure of results of some types.

    way: "together", one picture of all evaluations by name; "apart", a panel for each evaluation; "whole", a
    picture of a result that is not an evaluation. needs: the type in words; intervals: whether it shows any.
    """

    name: str
    title: str
    draw: Callable[..., Any]
    of: tuple[type, ...]
    way: Way
    needs: str
    intervals: bool = True

    @property
    def takes(self) -> tuple[str, ...]:
        """The options of this kind, from the signature of its function."""
        every = inspect.signature(self.draw).parameters.values()
        return tuple(one.name for one in every if one.kind is inspect.Parameter.KEYWORD_ONLY)

    def fits(self, result: Result) -> bool:
        """Whether results of this type have such a figure."""
        return isinstance(result, self.of) if self.way == "whole" else fits(result, self.of)

    def source(self, result: Result, classes: Any = None) -> Source:
        """What is drawn of a result that fits. Raises InputError."""
        return Source(result, {}) if self.way == "whole" else source_of(result, self.of, classes)

    def picture(self, source: Source, **options: Any) -> Picture:
        """What is drawn of it."""
        if self.way == "whole":
            found: Picture = self.draw(source.result, **options)
            return found
        if self.way == "together":
            found = self.draw(source, **options)
            return found
        return _apart(self, source, options)


KINDS: dict[str, list[Kind]] = {}


def enter(kind: Kind) -> None:
    """Adds a kind; of several of a name the first that takes a result is drawn."""
    KINDS.setdefault(kind.name, []).append(kind)


def kind(
    title: str, *of: type, way: Way, needs: str, name: str | None = None, intervals: bool = True
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Enters a function under its own name, or `name`; the arguments are those of `Kind`.

    The function takes a `Source` and gives a `Picture` (way "together"), takes an evaluation and its name and
    gives a `Panel` ("apart"), or takes a result and gives a `Picture` ("whole").
    """

    def entered(function: Callable[..., Any]) -> Callable[..., Any]:
        enter(Kind(name or function.__name__, title, function, of, way, needs, intervals))
        return function

    return entered


def kinds_for(result: Result) -> Iterator[str]:
    """The names of the kinds that take results of this type."""
    return (name for name, variants in KINDS.items() if any(one.fits(result) for one in variants))


def find(name: Any, result: Result) -> Kind:
    """The kind of this name for a result. Raises InputError for an unknown name, and for other results."""
    every: list[Kind] = KINDS.get(name, []) if isinstance(name, str) else []
    found = sorted(every, key=lambda one: one.way != "whole")  # first those of this very type
    for one in found:
        if one.fits(result):
            return one
    known = ", ".join(kinds_for(result))
    if found:
        needs = " or ".join(dict.fromkeys(one.needs for one in found))
        raise InputError(
            "unsupported",
            "kind",
            f"{name!r} is a figure of {needs}; here is {what(result)}",
            f"there are {known}" if known else "",
            value=name,
        )
    raise unknown(name, kinds_for(result))


def unknown(name: Any, kinds: Iterable[str]) -> InputError:
    """The error for a name that no kind has; kinds: those there are."""
    known = ", ".join(kinds)
    return InputError(
        "unknown-name",
        "kind",
        f"{shown(name)} is not a figure{nearest(str(name), KINDS)}",
        f"there are {known}, and of scores any measure of counts",
        value=name,
    )


def _apart(kind: Kind, source: Source, options: dict[str, Any]) -> Picture:
    panels: list[Panel] = [
        kind.draw(one, source.shown_names[name], **options) for name, one in source.parts.items()
    ]
    first = [one.label for one in panels[0].named]
    alike = len(panels) > 1 and all([one.label for one in panel.named] == first for panel in panels)
    shown = [replace(one, key=None) if alike and i else one for i, one in enumerate(panels)]
    return Picture(kind.name, tuple(shown), kind.title, source.facts[: 2 if kind.intervals else 1])


def what(result: Result) -> str:
    """A result in words."""
    if isinstance(result, Evaluation):
        return f"an evaluation of {TASKS[result.task]}"
    return f"a result of another kind ({type(result).__name__})"


TASKS = {
    "binary": "two classes",
    "multiclass": "several classes",
    "multilabel": "several labels per case",
    "regression": "amounts",
}
