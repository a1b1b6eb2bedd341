"""What the catalogue has in addition to measures: curves, rules, intervals, tests, losses, functions.

`@listed` enters a function where it is defined, with its other names.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

F = TypeVar("F", bound=Callable[..., Any])
ListedKind = Literal["curve", "rule", "interval", "test", "loss", "conversion", "function"]


@dataclass(frozen=True, eq=False)
class Listed:
    """A method of the catalogue that is not a measure.

    Attributes
    ----------
    kind : {"curve", "rule", "interval", "test", "loss", "conversion", "function"}
        What it is: a curve, a rule for a threshold, a method for confidence intervals, a test, a loss for
        training, a conversion of scores, or a function or type of another kind, as a table.
    name : str
        Its name.
    aliases : tuple of str
        Other names.
    terms : tuple of str
        Words under which it is found that are also names of something else.
    use : str
        How it is called in Python.
    command : str
        How it is called on the command line; empty if it is not there.
    function : callable
        The function with its docstring.
    """

    kind: ListedKind
    name: str
    aliases: tuple[str, ...]
    terms: tuple[str, ...]
    use: str
    command: str
    function: Callable[..., Any]

    @property
    def names(self) -> tuple[str, ...]:
        """The name and the aliases."""
        return (self.name, *self.aliases)

    @property
    def doc(self) -> str:
        """The docstring of the function."""
        return inspect.getdoc(self.function) or ""

    @property
    def title(self) -> str:
        """The first paragraph of the docstring."""
        found = re.match(r".*?(?=\n\n|\sSource: |\Z)", self.doc, re.S)
        return _flat(found[0] if found else "")

    @property
    def source(self) -> str:
        """Its source in the literature."""
        flat = re.search(r"\bSources?: (.*?)(?=\bDiffers: |\n\n|\Z)", self.doc, re.S)
        section = re.search(r"^References\n-+\n(.*?)(?=\n\n|\Z)", self.doc, re.S | re.M)
        found = flat or section
        return _flat(found[1] if found else "")

    def __repr__(self) -> str:
        return f"<{self.kind} {self.name}: {self.title}>"


def _flat(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


LISTED: dict[tuple[str, str], Listed] = {}  # by kind and name


def listed(
    kind: ListedKind,
    use: str,
    *,
    name: str | None = None,
    aka: tuple[str, ...] = (),
    terms: tuple[str, ...] = (),
    command: str = "",
) -> Callable[[F], F]:
    """Enters a function into the catalogue; the arguments are those of `Listed`.

    name: by default that of the function.
    """

    def enter(function: F) -> F:
        known = name or function.__name__
        if (kind, known) in LISTED:
            raise ValueError(f"{known} is already a {kind} of the catalogue")
        LISTED[kind, known] = Listed(kind, known, aka, terms, use, command, function)
        return function

    return enter
