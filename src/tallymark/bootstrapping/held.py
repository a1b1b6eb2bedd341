"""The cases that an evaluation holds, to be resampled."""

from __future__ import annotations

from typing import Any

from ..door.held import alone
from ..evaluation import BinaryEvaluation, Evaluation
from ..input import CaseSpec
from ..input.two_classes import TwoClassCases
from ..summaries.cases import ScoredCases
from ..uncertainty.clustered import Clusters
from ..validate import InputError

NO_SCORES = "data: this evaluation holds no scores of two classes; use evaluate, which has intervals for all it measures."
OF_PERSONS = (
    "data: the comparisons of this evaluation share persons, and bootstrap would draw them as independent; use "
    "biometric(persons=), whose intervals allow for them."
)


def cases_of(e: Evaluation, spec: CaseSpec, design: str) -> tuple[TwoClassCases, str | None]:
    """The cases of an evaluation of two classes with scores, one by one, and what the scores are.

    Of importance weights the cases with the same class and score are taken to be alike. Raises InputError for other evaluations,
    for another design than theirs, and for arguments that describe cases.
    """
    alone(_given(spec))
    if not isinstance(e, BinaryEvaluation) or e.ranking is None:
        raise InputError(
            "data: this evaluation holds no scores of two classes; use evaluate, which has intervals for all it measures."
        )
    if e.settings.design != design:
        held = repr(e.settings.design)
        raise InputError(f"design: {design!r}, but the evaluation has {held}; pass design={held}, or the cases.")
    sign = 1 if e.higher_is_positive else -1
    if e.clusters is None:
        return TwoClassCases(ScoredCases.from_table(e.ranking), None, e.data, e.labels, sign), e.score_kind
    if not isinstance(e.clusters, Clusters):
        raise InputError(OF_PERSONS)
    return TwoClassCases(e.clusters.cases, e.clusters.groups, e.data, e.labels, sign), e.score_kind


def _given(spec: CaseSpec) -> dict[str, Any]:
    """What is given besides the evaluation, with None for what is as by default."""
    options = {name: getattr(spec, name) for name in ("weight_kind", "positive", "classes", "score_kind")}
    usual = {
        "higher_is_positive": None if spec.higher_is_positive else False,
        "missing": None if spec.missing == "reject" else "drop",
    }
    return {**spec.given, **options, **usual}
