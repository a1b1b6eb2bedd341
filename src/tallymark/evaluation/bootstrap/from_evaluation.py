"""The cases of an evaluation, for resampling."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...inference.clustered import Clusters
from ...input import CaseSpec
from ...input.data_info import DataInfo
from ...input.spelling import option
from ...input.validate import InputError
from ...summaries import RankingTable
from ...summaries.cases import ScoredCases
from ...summaries.collected import TwoClassCases
from ..from_evaluation import refuse_arguments
from ..results import BinaryEvaluation, Evaluation

NO_SCORES = "this evaluation holds no scores of two classes"
SUMS = (
    "some scores are equal, and of importance weights the evaluation holds the sum over equal scores, not the"
    " weight of each case"
)
OF_PERSONS = "the comparisons of this evaluation share persons, and bootstrap would draw them as independent"


def cases_of(e: Evaluation, spec: CaseSpec, design: str) -> tuple[TwoClassCases, str | None]:
    """The cases of an evaluation of two classes with scores, one by one, and the kind of the scores.

    Raises InputError for other evaluations, for a design other than theirs, for importance weights that are
    only known as sums over cases, and for arguments that describe cases.
    """
    refuse_arguments(_given(spec))
    if not isinstance(e, BinaryEvaluation) or e.ranking is None:
        raise InputError(
            "unsupported", "data", NO_SCORES, "use evaluate, which has intervals for all it measures"
        )
    e.need_each_score("bootstrap")
    if e.settings.design != design:
        held = e.settings.design
        way_out = f"pass {option('design', held)}, or the cases"
        raise InputError("mismatch", "design", f"{design!r}, but the evaluation has {held!r}", way_out)
    sign = 1 if e.higher_is_positive else -1
    if e.clusters is None:
        return TwoClassCases(_one_by_one(e.ranking, e.data), None, e.data, e.labels, sign), e.score_kind
    if not isinstance(e.clusters, Clusters):
        raise InputError(
            "unsupported",
            "data",
            OF_PERSONS,
            f"use biometric({option('persons')}), whose intervals allow for them",
        )
    return TwoClassCases(e.clusters.cases, e.clusters.groups, e.data, e.labels, sign), e.score_kind


def _one_by_one(table: RankingTable, data: DataInfo) -> ScoredCases:
    """The cases of a table.

    With importance weights the table holds their sum over the cases of the same class and score.
    """
    apart = np.count_nonzero(table.positive) + np.count_nonzero(table.negative)
    if table.weighted and apart < data.rows - data.weightless:
        raise InputError("unsupported", "data", SUMS, "pass the cases")
    return ScoredCases.from_table(table)


def _given(spec: CaseSpec) -> dict[str, Any]:
    """The arguments given in addition to the evaluation, with None for those that have their default."""
    options = {name: getattr(spec, name) for name in ("weight_kind", "positive", "classes", "score_kind")}
    usual = {
        "higher_is_positive": None if spec.higher_is_positive else False,
        "missing": None if spec.missing == "reject" else "drop",
    }
    return {**spec.given, **options, **usual}
