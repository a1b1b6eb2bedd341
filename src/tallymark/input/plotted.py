"""The method `plot` of results that have figures."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar

from .calls import public
from .options import Legend, Normalize, PlotBand
from .results import Result
from .validate import flag

if TYPE_CHECKING:
    from ..report.plots import Display


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
        normalize: Normalize | None = "true",
        title: str | None = None,
        legend: Legend | bool | None = None,
        color: Any = None,
        colorbar: bool | None = None,
    ) -> Display:
        """Draw a figure with matplotlib, with bands, intervals, the number of cases and the threshold.

        On given axes the title has one line, the legend is short, as "logreg (AUC 0.99)", the colours are the
        next ones of the axes' cycle, and nothing lies outside the axes.

        Parameters
        ----------
        kind : str, optional
            A curve, as "roc" or "decision", a measure of counts, as "f1", or a kind as "confusion",
            "reliability", "density", "thresholds", "forest", "predicted"; docs/gallery.md shows all. By
            default the usual one of the result.
        ax : matplotlib.axes.Axes, optional
            Where to draw; by default on a new figure. A forest of several measures is that of the first.
        name : str, optional
            The name in the legend.
        band : {"auto", "pointwise", "simultaneous", "kolmogorov-smirnov"} or None, default "auto"
            The confidence band of a curve: "auto" is "pointwise" where the curve has it and up to two are
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
        normalize : {"true", "pred", "all"} or None, default "true"
            Of "confusion", what colours and percentages are shares of; None for numbers alone.
        title : str, optional
            By default the name of the figure, on a new figure with the facts below; "" for none.
        legend : {"short", "full"} or bool, optional
            By default "short" on given axes, and "full" on a new figure; False for none.
        color : colour or list of colours, optional
            Of the series, as matplotlib takes them.
        colorbar : bool, optional
            Of "confusion"; by default on a new figure only.

        Returns
        -------
        Display
            With `ax_`, `axes_`, `figure_`, `figures` (what is drawn, as plain values) and `save(path)`.

        Raises
        ------
        InputError
            Without matplotlib, for an unknown kind or option, and for a kind that the data do not allow.
        """
        figures, plots = (import_module(f"..report.{one}", __package__) for one in ("figures", "plots"))
        options = {
            "band": band, "level": level, "measures": measures, "classes": classes, "bins": bins,
            "ties": flag(ties, "ties"), "normalize": normalize,
        }  # fmt: skip
        style = {"legend": legend, "color": color, "colorbar": colorbar}
        display: Display = plots.drawn(figures.figures(self, kind, name, **options), ax, title, **style)
        return display
