"""An evaluation: as text its tables, as HTML its page."""

from __future__ import annotations

from ...evaluation.results import Evaluation
from .. import first_screen


def as_text(e: Evaluation, names: bool = False, digits: int | None = None) -> str:
    """The data, notices, and the measures that most readers ask for, on one screen.

    names: identifiers in place of standard names; digits: after the point.
    """
    return first_screen.text_of(e, names=names, digits=digits)


def as_html(e: Evaluation) -> str:
    """Notices, figures and tables."""
    from .. import page  # figures, which text does not need

    return page.body(e)
