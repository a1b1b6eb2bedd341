"""The pairs of positives and negatives: as text a character for each, as HTML a square."""

from __future__ import annotations

from ...evaluation.threshold_table import PairsMatrix
from ...input import text

MOST_APART = 30  # columns with a space between, in 80
MARKS = {1.0: "#", 0.5: "/", 0.0: "."}
KINDS = {1.0: "right", 0.5: "tied", 0.0: "wrong"}  # classes of the style
SIDE = 14  # of a square, with the gap


def as_text(pairs: PairsMatrix) -> str:
    """A line per positive, the highest score first."""
    gap = " " if len(pairs.negatives) <= MOST_APART else ""
    width = max([len(f"{score:.4g}") for score in pairs.positives.tolist()], default=0)
    rows = (
        f"{score:{width}.4g}  {gap.join(MARKS[cell] for cell in row)}"
        for score, row in zip(pairs.positives.tolist(), pairs.cells.tolist(), strict=True)
    )
    below = ", ".join(f"{score:.4g}" for score in pairs.negatives.tolist())
    foot = text.paragraph(f"negatives, from the left: {below}", first="")
    return "\n".join(["positives", *rows, foot, "# right order, / tied, . wrong order"])


def as_html(pairs: PairsMatrix) -> str:
    """The same as a picture."""
    squares = (
        f'<rect x="{SIDE * j}" y="{SIDE * i}" width="{SIDE - 1}" height="{SIDE - 1}" class="{KINDS[cell]}"/>'
        for i, row in enumerate(pairs.cells.tolist())
        for j, cell in enumerate(row)
    )
    height, width = (SIDE * size for size in pairs.cells.shape)
    return f'<svg width="{width}" height="{height}">{"".join(squares)}</svg>'
