"""A small delimited file without quotation marks, read without Arrow, which takes longer to load.

What it reads is what Arrow reads; whatever is not plain, as a missing value, is left to that.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from . import grammar
from .blocks import BOM, Block
from .parts import Labels, Part

if TYPE_CHECKING:
    from .delimited import Layout

BYTES = 1 << 17  # of 3,000 rows, say: a hundredth of a second, where loading Arrow takes a tenth
QUOTE, CR, NUL = b'"', b"\r", b"\0"


def read(layout: Layout, block: Block) -> Part | None:
    """The rows of a block of plain text; None for anything else."""
    if len(block.data) > BYTES or any(one in block.data for one in (QUOTE, CR, NUL, BOM)):
        return None
    rows = [line.split(layout.separator) for line in block.data.decode().removesuffix("\n").split("\n")]
    if any(len(row) != layout.width for row in rows) or (layout.width == 1 and [""] in rows):
        return None
    found: dict[str, np.ndarray | Labels] = {}
    for role, place in layout.places.items():
        texts = [row[place] for row in rows]
        column = _numbers(texts) if role in layout.numbers else _labels(texts)
        if (
            role in layout.not_an_answer
            and isinstance(column, Labels)
            and layout.not_an_answer[role].among(column.distinct).any()
        ):
            return None
        if column is None:
            return None
        found[role] = column
    return Part(found, range(block.line, block.line + len(rows)))


def _numbers(texts: Sequence[str]) -> np.ndarray | None:
    """Finite numbers below 2^53, which Arrow and Python read alike."""
    if not all(map(re.compile(grammar.NUMBER).match, texts)):
        return None
    values = np.array([*map(float, texts)])
    return values if (np.abs(values) < grammar.EXACT).all() else None


def _labels(texts: Sequence[str]) -> Labels:
    """The distinct labels in the order in which they come."""
    codes = {text: code for code, text in enumerate(dict.fromkeys(texts))}
    return Labels(grammar.Texts(codes), np.array([codes[text] for text in texts], np.int32))
