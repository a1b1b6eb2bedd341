"""What the docstring of a measure says: title, formula, when it is undefined, where it comes from."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

from ..input.messages.notes import Note


class Documented:
    """The parts of a docstring: a title, a formula, remarks, and headings as `Undefined:`, `Source:`,
    `Differs:`."""

    function: Callable[..., Any]

    @property
    def title(self) -> str:
        """The docstring's first sentence."""
        return self._doc.split("\n\n")[0].replace("\n", " ")

    @property
    def formula(self) -> str:
        return " ".join(self._doc.split("\n\n")[1].split())

    @property
    def remarks(self) -> str:
        """What stands between the formula and the headings: parameters, limits, ranges in words."""
        middle = self._doc.split("\n\n")[2:]
        return " ".join(
            " ".join(part.split()) for part in middle if not re.match(r"(Undefined|Source|Differs): ", part)
        )

    def section(self, heading: str) -> str:
        """What the docstring says under a heading: Undefined, Source, Differs; empty where it says
        nothing."""
        found = re.search(rf"^{heading}: (.*?)(?=^\w+: |\Z)", self._doc, re.S | re.M)
        return " ".join(found[1].split()) if found else ""

    @property
    def source(self) -> str:
        return self.section("Source")

    @cached_property
    def conditions(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """From the docstring: each case in which the measure is undefined, in words, and the parts that then
        add up to 0."""
        found = re.findall(r"(?:, )?(?:or )?([^()]+) \(([\w +]+) = 0\)", self.section("Undefined"))
        return tuple((what, tuple(parts.split(" + "))) for what, parts in found)

    def why_undefined(self, summary: Any) -> Note:
        """The parts that are empty, in the words of the docstring."""
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
