"""Measures as scikit-learn's make_scorer calls them: the truth and the answers without their names.

Only its scorers may do so, which pass the truth first; of other callers the order is not known.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import numpy as np

from ..input.validate import InputError
from .search import forms_of

if TYPE_CHECKING:
    from .entry import Measure

MODULE = "sklearn.metrics._scorer"
SIGNS = {"higher": 1, "lower": -1}
NAMES = {"sample_weight": "weight", "pos_label": "positive"}  # of arguments in scikit-learn, and here


def scorer_that_calls() -> Any:
    """The scorer of scikit-learn that called the function that calls this one; None for another caller."""
    found = sys._getframe(2).f_locals.get("self")  # in a comprehension, too
    return found if type(found).__module__ == MODULE else None


def arguments_of(
    entry: Measure, scorer: Any, truth: Any, answers: Any, given: dict[str, Any]
) -> dict[str, Any]:
    """The arguments by name. Raises InputError where the scorer does not fit the measure."""
    _check_sign(entry, scorer._sign)
    # with thresholds, as in TunedThresholdClassifierCV, it passes labels made of scores
    labels = hasattr(scorer, "_thresholds") or scorer._response_method == "predict"
    role = "predicted" if labels else "score"
    if not any(role in form.takes for form in forms_of(entry.name)):
        raise _wrong_answers(entry, labels)
    if not labels and "positive" in given:  # scikit-learn chooses the column of scores
        problem = "scikit-learn chooses the scores of the positive class by pos_label"
        raise InputError("conflict", "positive", problem, "pass pos_label to make_scorer")
    named = {NAMES.get(name, name): value for name, value in given.items()}
    array = np.asarray(answers)
    if array.ndim > 1 and not labels:
        named.setdefault("classes", np.unique(truth).tolist())
        if len(named["classes"]) != array.shape[1]:
            problem = f"there are scores of {array.shape[1]} classes, and labels of {len(named['classes'])}"
            raise InputError("needed", "classes", problem, "pass all classes to make_scorer, in sorted order")
    return {"truth": np.asarray(truth), role: array, **named}


def _check_sign(entry: Measure, sign: int) -> None:
    """Raises InputError where the scorer takes the worse values for better."""
    if SIGNS.get(entry.better or "") == sign:
        return
    if entry.better is None:
        problem = f"of {entry.name} neither higher nor lower values are better, so that it ranks no models"
        raise InputError("unsupported", "measure", problem, "choose another (tallymark measures)")
    problem = f"of {entry.name} {entry.better} values are better, and the scorer takes the others for better"
    way_out = f"pass greater_is_better={entry.better == 'higher'} to make_scorer, or {_ours(entry)}"
    raise InputError("conflict", "greater_is_better", problem, way_out)


def _wrong_answers(entry: Measure, labels: bool) -> InputError:
    """The error for predicted labels where a measure needs scores, or the reverse."""
    needs, has, method = (
        ("scores", "labels", '("decision_function", "predict_proba")')
        if labels
        else ("labels", "scores", '"predict"')
    )
    problem = f"{entry.name} needs {needs}, and the scorer asks for {has}"
    way_out = f"pass response_method={method} to make_scorer, or {_ours(entry)}"
    return InputError("conflict", "response_method", problem, way_out)


def _ours(entry: Measure) -> str:
    return f"take tallymark.scorer({entry.name!r})"
