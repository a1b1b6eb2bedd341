"""An evaluation in the place of the cases: what it holds is not measured anew."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..input.spelling import option
from ..input.validate import InputError
from .evaluate import evaluate
from .results import Evaluation


def evaluated(data: Any, misplaced: tuple[Any, ...], cases: Mapping[str, Any]) -> Evaluation:
    """The evaluation that is given, or that of the cases.

    misplaced: what was passed by position after the data. Raises InputError for this next to an evaluation,
    and for arguments of cases there.
    """
    if isinstance(data, Evaluation):
        if misplaced:
            raise InputError(
                "by-position",
                None,
                f"Pass everything but the evaluation by name, as {option('rule')}, {option('bins')} or"
                f" {option('require')}",
            )
        refuse_arguments(cases)
        return data
    found: Evaluation = evaluate(data, *misplaced, **cases)
    return found


def refuse_arguments(cases: Mapping[str, Any]) -> None:
    """Raises InputError for arguments of cases next to an evaluation."""
    for name, value in cases.items():
        if value is not None:
            raise InputError(
                "conflict",
                name,
                f"an evaluation holds all that is measured, so {name} has no meaning next to it",
                "leave it out",
            )
