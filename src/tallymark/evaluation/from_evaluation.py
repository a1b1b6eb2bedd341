"""An evaluation in place of the cases, which is not computed again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..input.score_columns import of_one_model
from ..input.spec import only_two_classes
from ..input.spelling import option
from ..input.validate import InputError
from .case_sums import opened
from .evaluate import evaluate
from .results import BinaryEvaluation, Evaluation, refuse_answers

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


def with_scores(verb: str, what: str, data: Any, cases: Mapping[str, Any]) -> BinaryEvaluation:
    """The same for a function of one score per case, of two classes that both have cases.

    what: that needs these, for messages.
    """
    given = of_one_model(verb, cases)
    only_two_classes(what, given.get("truth"), [given.get("score")], data is not None)
    found = evaluated(data, given)
    if not isinstance(found, BinaryEvaluation) or found.ranking is None:
        problem = f"{what} needs scores, one per case"
        raise InputError("needed", "score", problem, f"pass it with {option('score')}")
    if not found.both_classes:
        problem = f"there is one class only, and {what} needs both"
        raise InputError("empty", "truth", problem, "add cases of both")
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
