"""A paragraph for a reporting guideline: its sentences with the numbers of the items, and what remains."""

from __future__ import annotations

from html import escape

from ...evaluation.reporting.guidelines import Guideline, ReportingParagraph
from ...input import text

TITLES: dict[Guideline, str] = {"stard": "STARD 2015", "tripod+ai": "TRIPOD+AI"}


def as_text(found: ReportingParagraph) -> str:
    """The paragraph, and the items that the authors have to report."""
    return "\n\n".join(text.paragraph(one, "", "") for one in (_sentences(found), _rest(found)))


def as_html(found: ReportingParagraph) -> str:
    """The same."""
    return "\n".join(f"<p>{escape(one)}</p>" for one in (_sentences(found), _rest(found)))


def _sentences(found: ReportingParagraph) -> str:
    return " ".join(f"{item} [{item.number}]" for item in found.items)


def _rest(found: ReportingParagraph) -> str:
    items = ", ".join(found.others)
    return (
        f"In brackets: items of {TITLES[found.guideline]}. Further items are not in the data, and remain for"
        f" the authors: {items}."
    )
