"""From cases with `by` or `fold` to their groups, and to the table of these."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ...input import CaseSpec, read, validate
from ...input.errors import InputError
from ...input.grouping import BY, Groups, groups_of, names_by
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
    return table_of(*split_by(BY, data, spec, asked, threshold, progress), reference)


def split_by(
    argument: str,
    data: Any,
    spec: CaseSpec,
    asked: Asked,
    threshold: Any,
    progress: Callable[[int], None] | None,
) -> tuple[Groups, Splitting]:
    """The groups that the columns of an argument, "by" or "fold", make of the cases, which are read once.

    Raises InputError.
    """
    spec = spec.of_columns(_of_one_model(spec, argument))
    kind = _kind(data, spec, asked, threshold, argument)
    cases = read(data, spec, progress)
    columns = next(iter(cases.by_model(cases.columns()).values()))
    groups = groups_of(
        [column for role, column in columns.items() if role.split()[0] == argument],
        names_by(spec.given[argument], data is None, argument),
        argument,
    )
    own = {role: column for role, column in columns.items() if role.split()[0] != argument}
    limit = None if threshold is None else validate.threshold(threshold)
    return groups, kind(own, cases.data, spec, asked, limit)


def _of_one_model(spec: CaseSpec, argument: str) -> Mapping[str, Any]:
    """The columns of the only model. Raises InputError for several."""
    given: dict[str, Any] = {kind: spec.given[kind] for kind in ("score", "predicted") if kind in spec.given}
    return of_one_model(f"evaluate with {argument}", given, f"evaluate takes several without {argument}")


def _kind(data: Any, spec: CaseSpec, asked: Asked, threshold: Any, argument: str) -> type[Splitting]:
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
        what = {"by": "group", "fold": "fold"}[argument]
        problem = f"{what}s of cases with several labels each are not supported"
        raise InputError("unsupported", argument, problem, f"evaluate each {what} by itself")
    if spec.kind == "predicted":
        only_labels(spec, asked, threshold)
        return OfLabels
    if per_class(spec, data is None):
        only_per_class(spec, asked, threshold)
        return OfClassScores
    only_of_columns(spec, data is None)
    return OfScores
