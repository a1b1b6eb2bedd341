"""What publications and model cards ask for, as values: a report of classes, metadata, guideline items."""

from __future__ import annotations

from typing import Any

from ...input.errors import InputError
from ...input.validate import shown
from ..results import Evaluation


def checked_evaluation(found: Any, verb: str) -> Evaluation:
    """The evaluation. Raises InputError for anything else."""
    if isinstance(found, Evaluation):
        return found
    problem = f"{verb} takes an evaluation, not {shown(found)}"
    raise InputError("invalid-value", "evaluation", problem, "as evaluate(truth=y, score=p)")
