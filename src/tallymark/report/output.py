"""What a result is shown as: text, Markdown, LaTeX and pages, each from its document."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..input import text as written, validate
from ..input.results import InFull
from ..input.terminal import without_controls
from . import text as drawn
from .documents import document

if TYPE_CHECKING:
    from ..input.results import Answer, Result
    from .html import Framed
    from .saved import SavedResult


def text(result: Result, full: bool = False, names: bool = False, digits: int | None = None) -> str:
    """What `print` shows: one screen, or everything.

    names: identifiers in place of titles; digits: after the point, at least.
    """
    with written.with_digits(digits):
        if full or isinstance(result, InFull):
            return drawn.full(document(result, full=True), names)
        return drawn.screen(document(result), names)


def markdown(result: Result, full: bool = False, names: bool = False, digits: int | None = None) -> str:
    """The same in Markdown."""
    from .markdown import markdown

    with written.with_digits(digits):
        return without_controls(markdown(document(result, full), names))


def latex(result: Result, caption: str | None = None) -> str:
    """The same as LaTeX tables."""
    from .latex import latex

    return latex(document(result), caption=caption)


def picture(curve: Any) -> str:
    """A curve as SVG that needs nothing else."""
    from .figures import plain_curve
    from .svg import standalone

    return without_controls(standalone(plain_curve(curve)))


def page(result: Result, title: str | None = None, coarse: int = 0) -> Framed:
    """A page of HTML that needs nothing else. coarse: as of `cutoffs`."""
    from .html import page

    return page(document(titled(result, title), full=True), title, coarse)


def titled(result: Any, title: str | None) -> Any:
    """An evaluation under this name; other results as they are."""
    if title is not None:
        validate.of_type(title, str, "title")
    return result if title is None or not hasattr(result, "named") else result.named(title)


def card(result: Result) -> str:
    """A short form in HTML, for a notebook."""
    from .html import card

    return card(document(result, full=True))


def read(kind: type[Answer], written: str) -> SavedResult:
    """The figures of an answer from its JSON. Raises InputError."""
    from . import saved  # loads every room; to print a result does not

    return saved.read(kind, written)
