"""An evaluation in place of the cases, which is not computed again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..input.validate import InputError
from .case_sums import opened
from .evaluate import evaluate
from .results import Evaluation, refuse_answers

MEASURED = ("level", "proportion", "auc_interval", "design", "rng", "parameters", "replicates")


def evaluated(data: Any, cases: Mapping[str, Any]) -> Evaluation:
    """The given evaluation, or that of the cases.

    Raises InputError for arguments that describe cases, if an evaluation is given.
    """
    if isinstance(data, Evaluation):
        refuse_arguments(cases)
        return data
    found: Evaluation = evaluate(data, **cases)
    refuse_answers(found)  # of the sums of several models
    return found


def of_sums(data: Any, cases: Mapping[str, Any]) -> Any:
    """The evaluation of an `Accumulator` or of .tally files, without what describes cases; else the data.

    Raises InputError where it holds several models.
    """
    sums = opened(data)
    if sums is None:
        return data
    found = evaluate(sums, **{name: one for name, one in cases.items() if name in MEASURED})
    refuse_answers(found)
    return found


def refuse_arguments(cases: Mapping[str, Any]) -> None:
    """Raises InputError for arguments that describe cases if an evaluation is given."""
    for name, value in cases.items():
        if value is not None:
            raise InputError(
                "conflict",
                name,
                f"an evaluation has its own cases and settings, so {name} has no meaning with it",
                "leave it out",
            )
