"""Parts of the docstring of a measure: title, formula, undefined cases, sources."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

from ..input.messages.notes import Note


class Documented:
    """Docstrings with a title, a formula, remarks, and `Undefined:`, `Source:`, `Differs:` and `Bounds:`."""

    function: Callable[..., Any]

    @property
    def title(self) -> str:
        """The first line of the docstring."""
        return self._doc.split("\n\n")[0].replace("\n", " ")

    @property
    def formula(self) -> str:
        return " ".join(self._doc.split("\n\n")[1].split())

    @property
    def remarks(self) -> str:
        """The text between the formula and the headings: parameters, limits, ranges in words."""
        middle = self._doc.split("\n\n")[2:]
        return " ".join(
            " ".join(part.split())
            for part in middle
            if not re.match(r"(Undefined|Source|Differs|Bounds): ", part)
        )

    def section(self, heading: str) -> str:
        """The text under a heading (Undefined, Source, Differs or Bounds); empty if there is none."""
        found = re.search(rf"^{heading}: (.*?)(?=^\w+: |\Z)", self._doc, re.S | re.M)
        return " ".join(found[1].split()) if found else ""

    @property
    def source(self) -> str:
        return self.section("Source")

    @cached_property
    def conditions(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """The documented cases in which the measure is undefined, and the parts whose sum is then 0."""
        found = re.findall(r"(?:, )?(?:or )?([^()]+) \(([\w +]+) = 0\)", self.section("Undefined"))
        return tuple((what, tuple(parts.split(" + "))) for what, parts in found)

    def why_undefined(self, summary: Any) -> Note:
        """Which parts of the summary are empty, in the words of the docstring."""
        empty = [
            (what, parts)
            for what, parts in self.conditions
            if np.any(sum(getattr(summary, part) for part in parts) == 0)
        ]
        if not empty:
            return Note("zero-over-zero")
        return Note(
            "empty",
            what=tuple(what for what, _ in empty),
            parts=tuple(" + ".join(parts) for _, parts in empty),
        )

    @property
    def _doc(self) -> str:
        return inspect.getdoc(self.function) or ""
