"""Tests of all models together, and of the predictions of pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import isnan

import numpy as np

from ...evaluation.paired.chosen import chosen_here_of
from ...evaluation.paired.differences import Difference
from ...evaluation.paired.models import Model
from ...evaluation.paired.paired import Paired
from ...evaluation.paired.study import few_of
from ...inference.contrast import equal
from ...inference.hypothesis.calibration import Test
from ...inference.hypothesis.paired import cochran_q_of_right, mcnemar_of_counts, not_made
from ...input.messages.notes import Note
from .different_cases import DifferentCases

Study = Paired | DifferentCases
OF_ALL = {
    "accuracy": None,
    "error_rate": None,
    "sensitivity": 1,
    "false_negative_rate": 1,
    "specificity": 0,
    "false_positive_rate": 0,
}
NAMED = {None: "accuracy", 1: "sensitivity", 0: "specificity"}
AREAS_EQUAL = "delong, all areas equal"
NOT_COUNTED = Note("no-independent-trials")


def tests_of(study: Study, differences: Sequence[Difference]) -> tuple[Test, ...]:
    """DeLong's overall test, McNemar's tests and Cochran's Q, for the measures compared."""
    if not isinstance(study, Paired):
        return ()
    found = [_overall(study)] if "roc_auc" in study.names and len(study.models) > 2 else []
    classes = list(dict.fromkeys(OF_ALL[name] for name in study.names if name in OF_ALL))
    if classes and (study.models[0].clusters is not None or study.models[0].weight is not None):
        return (*found, not_made("mcnemar", NOT_COUNTED))
    pairs = list(dict.fromkeys((one.model, one.reference) for one in differences))
    return (*found, *(test for of in classes for test in _of_answers(study.models, of, pairs)))


def _overall(study: Paired) -> Test:
    from scipy.special import chdtrc

    spread = study.covariance_of_areas
    chi, df = equal(np.array([model.evaluation["roc_auc"].value for model in study.models]), spread)
    name = AREAS_EQUAL
    if isnan(chi):
        alone = np.isnan(spread).any()
        return not_made(name, Note("single-case" if alone else "areas-without-spread"))
    if not df:
        return Test(name, 0.0, 1.0, 0, (Note("models-rank-alike"),))
    return Test(name, chi, float(chdtrc(df, chi)), df, few_of(study.models[0]))


def _of_answers(models: Sequence[Model], of: int | None, pairs: Sequence[tuple[str, str]]) -> list[Test]:
    first = models[0]
    if of is not None and not first.two_classes:
        return []
    there = np.ones(len(first.truth), bool) if of is None else first.truth == of
    if not there.any():
        return [not_made(f"mcnemar, {NAMED[of]}", Note("no-case-of-the-class"))]
    by_name = {model.name: model for model in models}
    found = [_mcnemar(by_name[model], by_name[reference], there, NAMED[of]) for model, reference in pairs]
    if len(models) > 2:
        name, why = f"cochran q, {NAMED[of]}", chosen_here_of(*models)
        right = [model.right[there] for model in models]
        found.append(replace(cochran_q_of_right(right), name=name) if why is None else not_made(name, why))
    return found


def _mcnemar(one: Model, other: Model, there: np.ndarray, of: str) -> Test:
    """Of the cases that one of two models alone has right, unless its threshold was chosen on these cases."""
    name, why = f"mcnemar mid-p, {of}: {one.name} - {other.name}", chosen_here_of(one, other)
    if why is not None:
        return not_made(name, why)
    right, wanted = one.right[there], other.right[there]
    return replace(mcnemar_of_counts(int((right & ~wanted).sum()), int((~right & wanted).sum())), name=name)
