"""What `plot` returns: the figure, in the manner of the displays of scikit-learn."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .. import writing
from .loading import load
from .picture import Picture

ENDINGS = (".png", ".svg", ".pdf")
DPI = 150
FIXED = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}, ".png": {}}  # the same bytes on each day


@dataclass(frozen=True, slots=True, eq=False)
class Display:
    """A figure that was drawn, with the names of scikit-learn's displays.

    Attributes
    ----------
    ax_ : matplotlib.axes.Axes
        The axes, or the first of several.
    axes_ : tuple of matplotlib.axes.Axes
        All axes with a panel of their own.
    figure_ : matplotlib.figure.Figure
        The figure that they are in.
    picture : Picture
        What is drawn, as plain values.
    """

    ax_: Any
    axes_: tuple[Any, ...]
    figure_: Any
    picture: Picture

    def save(self, path: str | Path, *, dpi: float = DPI) -> None:
        """Write the figure to a .png, .svg or .pdf file; an error leaves no partial file.

        dpi: pixels per inch of a .png. Raises InputError for another ending, and where the file cannot be
        written.
        """
        target = writing.check(path, "path", ENDINGS)
        ending = target.suffix.lower()

        def fill(draft: str) -> None:
            self.figure_.savefig(
                draft, format=ending[1:], dpi=dpi, bbox_inches="tight", metadata=FIXED[ending]
            )

        with load("matplotlib").rc_context({"svg.hashsalt": "tallymark", "pdf.fonttype": 42}):
            writing.write(target, "path", fill)

    def __repr__(self) -> str:
        panels = len(self.axes_)
        return f"<Display of {self.picture.kind}: {panels} panel{'s' * (panels != 1)}>"
