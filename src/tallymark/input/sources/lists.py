"""Files with numbers only, one per line."""

from __future__ import annotations

from functools import partial

import numpy as np

from ..columns import Column
from ..validate import InputError
from . import paths
from .blocks import BOM, ahead, at_line_end, blocks
from .delimited import Layout, read


def numbers(path: str, role: str) -> Column:
    """The numbers of a file, or of standard input, without blank lines.

    Raises InputError for anything else, with the line.
    """
    name = "standard input" if path == paths.STANDARD_INPUT else paths.named(path)
    layout = Layout(name, ";", 1, {role: None}, {role: 0}, frozenset({role}), name)
    try:
        with paths.standard_input() if path == paths.STANDARD_INPUT else open(path, "rb") as file:
            data = blocks(file, file.read(len(BOM)).removeprefix(BOM), 1, at_line_end, name)
            parts = list(ahead(partial(read, layout), data))
    except OSError as reason:
        raise InputError(
            "unreadable",
            role,
            f"{name} cannot be read ({reason.strerror})",
            "give numbers, one a line, or name a column with --score",
        ) from None
    values = np.concatenate([np.empty(0), *(part.columns[role] for part in parts)])
    lines = np.concatenate([np.empty(0, np.int64), *(np.asarray(part.lines) for part in parts)])
    return Column(role, values, first_row=1, file=name, kept=lines - 1, unit="line")
