"""The method `plot` of results that have figures."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar

from .calls import public
from .options import PlotBand
from .results import Result
from .validate import flag

if TYPE_CHECKING:
    from ..report.plots.display import Display


class Plotted(Result):
    """A result that can be drawn with matplotlib, where that is installed."""

    __slots__ = ()

    FIGURE: ClassVar[str] = "forest"

    @property
    def usual_figure(self) -> str:
        """The kind of figure that `plot` draws where none is named."""
        return self.FIGURE

    @public()
    def plot(
        self,
        kind: str | None = None,
        *,
        ax: Any = None,
        name: str | None = None,
        band: PlotBand | None = "auto",
        level: float | None = None,
        measures: str | Sequence[str] | None = None,
        classes: Any = None,
        bins: int | None = None,
        ties: bool = False,
    ) -> Display:
        """Draw a figure with matplotlib, with bands, intervals, the number of cases and the threshold.

        Parameters
        ----------
        kind : str, optional
            A curve, as "roc" or "decision", a measure of counts, as "f1", or a kind as "confusion",
            "reliability", "density", "thresholds", "forest", "predicted"; docs/gallery.md shows all. By
            default the usual one of the result.
        ax : matplotlib.axes.Axes, optional
            Where to draw; by default on a new figure.
        name : str, optional
            The name in the legend.
        band : {"auto", "pointwise", "simultaneous", "kolmogorov-smirnov"} or None, default "auto"
            The confidence band of a curve: "auto" is "pointwise" where the curve has it and up to five are
            drawn; None for no band.
        level : float, optional
            The confidence level of the band; by default that of the evaluation.
        measures : str or list of str, optional
            The measures of "thresholds", "forest" and "differences".
        classes : label or list of labels, optional
            Of a score per class, the classes that are drawn.
        bins : int, optional
            The number of bins of "reliability" and "density".
        ties : bool, default False
            Of "roc", the area between the curves of the least and the most favourable order of tied scores.

        Returns
        -------
        Display
            With `ax_`, `axes_`, `figure_` and `save(path)`.

        Raises
        ------
        InputError
            Without matplotlib, for an unknown kind or option, and for a kind that the data do not allow.
        """
        options = {
            "band": band, "level": level, "measures": measures, "classes": classes, "bins": bins,
            "ties": flag(ties, "ties"),
        }  # fmt: skip
        display: Display = _plots().plot(self, kind, ax, name, options)
        return display


def plot_curve(curve: Any, ax: Any, name: str | None) -> Display:
    """The figure of a curve."""
    display: Display = _plots().plot_curve(curve, ax, name)
    return display


def _plots() -> Any:
    """The figures import every result, so that they are loaded on demand."""
    return import_module("..report.plots", __package__)
