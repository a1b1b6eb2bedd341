"""Figures of results with matplotlib: a file for each kind, entered in a registry.

A kind turns a result into a `Picture`, plain values that `canvas` draws.
"""

from __future__ import annotations

from typing import Any

from ...curves import Curve
from ...input.plotted import Plotted
from ...input.results import Result
from ...input.validate import InputError
from ...measures import registry as measures
from ...summaries import Counts
from ..captions import caption_of
from . import canvas
from .display import Display

# The modules of the kinds, in this order.
# isort: off
from . import of_curves, reliability, density, thresholds, confusion, forest, comparison  # noqa: F401
from . import amounts, roc_points, pairs  # noqa: F401

# isort: on
from .picture import Picture
from .registry import KINDS, Kind, find, kinds_for, unknown
from .source import ALONE, Source

__all__ = ["KINDS", "Display", "Kind", "Picture", "kinds_for", "known", "picture", "plot", "plot_curve"]

OPTIONS = {
    "band": of_curves.AUTO,
    "level": None,
    "measures": None,
    "classes": None,
    "bins": None,
    "ties": False,
}


def plot(result: Result, kind: str | None, ax: Any, name: str | None, options: dict[str, Any]) -> Display:
    """The figure of this kind, or of the usual one, on these axes or on new ones. Raises InputError."""
    return canvas.drawn(picture(result, kind, name, **options), ax)


def picture(result: Result, kind: str | None = None, name: str | None = None, **options: Any) -> Picture:
    """What the figure shows, as plain values; the options are those of the kind. Raises InputError."""
    chosen = kind_of(usual_kind(result) if kind is None else kind, result)
    given = {one: value for one, value in options.items() if value != OPTIONS[one]}
    takes = {*chosen.takes, *(("classes",) if chosen.way != "whole" else ())}
    for one in given:
        if one not in takes:
            has = f"it takes {', '.join(sorted(takes))}" if takes else "leave it out"
            raise InputError("unknown-name", one, f"the figure {chosen.name!r} takes no such option; {has}")
    source = chosen.source(result, given.get("classes"))
    own = {one: value for one, value in given.items() if one in chosen.takes}
    return chosen.picture(_renamed(source, name), **own)


def usual_kind(result: Result) -> str:
    """The kind of figure of a result where none is named."""
    return result.usual_figure if isinstance(result, Plotted) else Plotted.FIGURE


def kind_of(name: Any, result: Result) -> Kind:
    """The kind of this name, or of this measure of counts. Raises InputError."""
    plain = _plain(name)
    found = _of_counts(plain)
    return found if found is not None and found.fits(result) else find(plain, result)


def known(name: str) -> str:
    """The name, if it is that of a kind or of a measure of counts, for any result. Raises InputError."""
    if _plain(name) not in KINDS and _of_counts(_plain(name)) is None:
        raise unknown(name, KINDS)
    return name


def _plain(name: Any) -> Any:
    return name.strip().lower().replace("-", "_").replace(" ", "_") if isinstance(name, str) else name


def _of_counts(name: Any) -> Kind | None:
    """The kind of a measure of counts by any of its names; None for other names."""
    if not isinstance(name, str) or name in KINDS or not measures.known(name):
        return None
    form = next((one for one in measures.forms(name) if one.summary is Counts), None)
    return None if form is None else of_curves.of_measure(form.name)


def plot_curve(curve: Curve, ax: Any = None, name: str | None = None) -> Display:
    """A curve that is known, with the facts of its evaluation where it has one."""
    if curve.origin is None:
        panel = of_curves.panel_of([of_curves.Drawn(curve.joined().simplify(), name or "")])
        title = caption_of(curve.name).title
        return canvas.drawn(Picture(curve.name, (panel,), title), ax)
    source = _renamed(Source(curve, {ALONE: curve.origin}), name)
    return canvas.drawn(of_curves.of_drawn(source, [curve]), ax)


def _renamed(source: Source, name: str | None) -> Source:
    """With a name for the evaluation that is alone."""
    if name is None or ALONE not in source.parts:
        return source
    return Source(source.result, {str(name): source.parts[ALONE]}, source.by)
