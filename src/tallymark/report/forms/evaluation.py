"""An evaluation: as text its tables, as HTML its page."""

from __future__ import annotations

from ...evaluation.results import Evaluation
from .. import page, printed


def as_text(e: Evaluation) -> str:
    """The data, tables of 80 columns, notices."""
    return printed.text_of(e)


def as_html(e: Evaluation) -> str:
    """Notices, figures and tables."""
    return page.body(e)
