"""An evaluation in full, or several models: as text all tables, as HTML the page."""

from __future__ import annotations

from ...evaluation.results import EvaluationTable, FullEvaluation
from .. import page, printed
from . import models


def as_text(full: FullEvaluation) -> str:
    """The data, every measure by family, notices; of each model."""
    found = full.evaluation
    if isinstance(found, EvaluationTable):
        return models.one_by_one(found, printed.text_of)
    return printed.text_of(found)


def as_html(full: FullEvaluation) -> str:
    """Notices, figures and tables."""
    found = full.evaluation
    return models.as_html(found) if isinstance(found, EvaluationTable) else page.body(found)
