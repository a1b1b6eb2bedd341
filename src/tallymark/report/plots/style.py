"""Colours that colour-blind people can distinguish, and line styles that differ without colour.

The colours are those of Okabe and Ito (2008), Color Universal Design, without the yellow, which is too light
for lines on white.
"""

from __future__ import annotations

from typing import Any

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
DASHES: tuple[Any, ...] = (
    "-", (0, (5, 2)), (0, (5, 1.5, 1, 1.5)), (0, (6, 1.5, 1, 1.5, 1, 1.5)), (0, (7, 1.5, 2.5, 1.5)),
    (0, (1.2, 1.2)),
)  # fmt: skip
OF_REFERENCES: tuple[Any, ...] = ((0, (1.2, 1.2)), (0, (2.5, 3)))  # these lines are thinner, too
RULES = DASHES[2], DASHES[1]
SHAPES = ("o", "s", "^", "D", "v", "P", "X")
HATCHES = ("////", "\\\\\\\\", "....", "xx")
GREY, FAINT = "#5c6878", "#dfe4ea"


def colour(look: int | None) -> str:
    """Of a series by its number, of a reference without one."""
    return GREY if look is None else COLOURS[look % len(COLOURS)]


def dash(look: int | None, second: int = 0) -> Any:
    """The style of a line, which with the colour is unique for 42 series, and without it for six.

    second: of lines of one series, unique for six; that of two lines of each is unique for three series.
    """
    if look is None:
        return OF_REFERENCES[second % len(OF_REFERENCES)]
    return DASHES[(look + second * len(DASHES) // 2 + second // 2) % len(DASHES)]


def shape(look: int | None) -> str:
    """Of the marks of a series."""
    return SHAPES[(look or 0) % len(SHAPES)]


def hatch(look: int) -> str:
    """Of the areas of a series."""
    return HATCHES[look % len(HATCHES)]
