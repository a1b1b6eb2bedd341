"""Files with numbers only, one per line."""

from __future__ import annotations

import numpy as np

from ..columns import Column, NamedColumn
from ..validate import InputError, beyond, shown
from . import grammar, paths


def numbers(path: str, role: str) -> Column:
    """The numbers of a file, or of standard input, without blank lines.

    Raises InputError for anything else, with the line.
    """
    name = "standard input" if path == paths.STANDARD_INPUT else paths.named(path)
    try:
        with paths.standard_input() if path == paths.STANDARD_INPUT else open(path, "rb") as file:
            text = file.read().decode("utf-8-sig")
    except (OSError, ValueError) as reason:
        why = getattr(reason, "strerror", None) or "it is not text in UTF-8"
        raise InputError(
            "unreadable",
            role,
            f"{name} cannot be read ({why})",
            "give numbers, one a line, or name a column with --score",
        ) from None
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    found = [(i, line.strip(" \t")) for i, line in enumerate(lines, 1) if line.strip(" \t")]
    values = np.array([_number(text, role, f"line {i} of {name}", i) for i, text in found], dtype=np.float64)
    places = np.array([i for i, _ in found], dtype=np.int64)
    return Column(role, values, first_row=1, file=name, kept=places - 1, unit="line")


def _number(text: str, role: str, place: str, row: int) -> float:
    if text in grammar.MISSING:
        return np.nan
    value = grammar.number(text)
    if value is None:
        problem = f"{place}: {shown(text[:40])} is not a number"
        raise InputError(
            "invalid-value", role, problem, "or name a column with --score", row=row, value=text[:40]
        )
    if grammar.inexact([text], np.array([value])) is not None:
        raise beyond(NamedColumn(role), text, place, row)
    return value
