"""From cases with `by` to the table of their groups."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ...input import CaseSpec, read, validate
from ...input.errors import InputError
from ...input.grouping import ROLE, groups_of, names_by
from ...input.models import of_one_model
from ...input.score_columns import is_indicator
from ...input.spec import no_truth, only_of_columns
from ..applicable import check_clusters, only_labels, only_per_class
from ..arguments import Asked
from ..from_cases import per_class
from .splitting import OfAmounts, OfClassScores, OfClusters, OfLabels, OfScores, Splitting
from .table import GroupTable, table_of


def of_groups(
    data: Any,
    spec: CaseSpec,
    asked: Asked,
    threshold: Any,
    reference: str | None,
    progress: Callable[[int], None] | None,
) -> GroupTable:
    """The evaluations of the groups of cases, read once. Raises InputError."""
    spec = spec.of_columns(_of_one_model(spec))
    kind = _kind(data, spec, asked, threshold)
    cases = read(data, spec, progress)
    columns = next(iter(cases.by_model(cases.columns()).values()))
    groups = groups_of(
        [column for role, column in columns.items() if role.split()[0] == ROLE],
        names_by(spec.by, data is None),
    )
    own = {role: column for role, column in columns.items() if role.split()[0] != ROLE}
    limit = None if threshold is None else validate.threshold(threshold)
    return table_of(groups, kind(own, cases.data, spec, asked, limit), reference)


def _of_one_model(spec: CaseSpec) -> Mapping[str, Any]:
    """The columns of the only model. Raises InputError for several."""
    given: dict[str, Any] = {kind: spec.given[kind] for kind in ("score", "predicted") if kind in spec.given}
    return of_one_model("evaluate with by", given, "evaluate takes several without by")


def _kind(data: Any, spec: CaseSpec, asked: Asked, threshold: Any) -> type[Splitting]:
    """What the columns of the cases call for, as in `of_cases`. Raises InputError for what does not apply."""
    if spec.regression:
        return OfAmounts
    if spec.clusters is not None:
        check_clusters(data, spec, asked)
        if spec.predicted is not None:
            only_labels(spec, asked, threshold)
        return OfClusters
    if spec.truth is None:
        raise no_truth()
    if data is None and is_indicator(spec.truth):
        problem = "groups of cases with several labels each are not supported"
        raise InputError("unsupported", "by", problem, "evaluate each group by itself")
    if spec.kind == "predicted":
        only_labels(spec, asked, threshold)
        return OfLabels
    if per_class(spec, data is None):
        only_per_class(spec, asked, threshold)
        return OfClassScores
    only_of_columns(spec, data is None)
    return OfScores
