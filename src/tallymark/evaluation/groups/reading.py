"""From cases with `by` or `fold` to their groups, and to the table of these."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...input import CaseSpec, read
from ...input.columns import Column
from ...input.data_info import DataInfo
from ...input.errors import InputError
from ...input.grouping import BY, Groups
from ...input.labels import BinaryLabels
from ...input.models import by_name, thresholds_of
from ...input.score_columns import is_indicator
from ...input.sources.engines import Lazy
from ...input.spec import no_truth
from ...summaries.engines import Engine
from ..applicable import check_clusters, only_labels, only_per_class
from ..arguments import Asked
from ..from_cases import limits_of, of_each_model, per_class
from .of_models import GroupTables, tables_of
from .splitting import (
    OfAmounts,
    OfClassScores,
    OfClusters,
    OfLabels,
    OfScores,
    Splitting,
    Summed,
    SummedLabels,
    SummedScores,
)
from .sums import GroupSums
from .table import GroupTable, table_of


def of_groups(
    data: Any,
    spec: CaseSpec,
    asked: Asked,
    threshold: Any,
    reference: str | None,
    progress: Callable[[int], None] | None,
) -> GroupTable | GroupTables:
    """The evaluations of the groups of cases, read once. Raises InputError."""
    spec, threshold = without_one_name(spec, threshold)
    kind = _kind(data, spec, asked, threshold, BY)
    engine = Engine.of(data, spec) if kind is OfScores else None
    if engine is None or engine.few:
        found = split_by(BY, data, spec, asked, threshold, progress, engine)
    else:
        engine.edges = limits_of(threshold, by_name(spec.score))
        found = _in_engine(engine, spec, asked)
    tables = {name: table_of(found.groups, one, reference) for name, one in found.models.items()}
    if None in tables:
        return tables[None]
    named = {str(name): one for name, one in tables.items()}
    if not found.columns:
        return GroupTables(named, None)
    return tables_of(named, found.columns, found.roles, found.data, spec, asked)


def _in_engine(engine: Engine, spec: CaseSpec, asked: Asked) -> Split:
    """The groups of cases that are counted in an engine."""
    labels = BinaryLabels(spec.positive, spec.classes)
    cases, tables = engine.tables(labels)
    parts, limits, pair = engine.parts, engine.edges, labels.pair()
    groups = replace(engine.groups, codes=np.arange(len(parts)), cases=[one.rows for one in parts])
    about: dict[str, Any] = {"parts": parts, "labels": pair}
    models = {
        name: SummedScores({}, cases.data, spec, asked, limits[name], summaries=each, **about)
        for name, each in tables.items()
    }
    return Split(groups, models, {}, cases.models, cases.data)


SUMMED: Mapping[type[Splitting], type[Summed]] = {OfScores: SummedScores, OfLabels: SummedLabels}


@dataclass(frozen=True, eq=False)
class Split:
    """The cases of one model or several, and the parts of them.

    models: by name, None for the only one; columns: of all models, without those of the parts; roles: by
    model those of its columns; data: the facts, by the weight of positives and of negatives.
    """

    groups: Groups
    models: Mapping[str | None, Splitting]
    columns: Mapping[str, Column]
    roles: Mapping[str | None, tuple[str, ...]]
    data: Callable[..., DataInfo]

    @property
    def alone(self) -> Splitting:
        """That of the only model."""
        return self.models[None]


def split_by(
    argument: str,
    data: Any,
    spec: CaseSpec,
    asked: Asked,
    threshold: Any,
    progress: Callable[[int], None] | None,
    frame: Lazy | None = None,
) -> Split:
    """The parts that the columns of an argument, "by" or "fold", make of the cases, which are read once.

    frame: that of an engine, where it was opened before. Raises InputError.
    """
    kind = _kind(data, spec, asked, threshold, argument)
    cases, specs = read(data, spec, progress, frame), of_each_model(spec)
    limits = limits_of(threshold, cases.models)
    sums = GroupSums(cases, limits.values(), argument, data is None, kind in SUMMED)
    total = cases.sum(sums, sums.again, bound=sums)
    if total:
        groups, tables, parts = sums.of_groups(total)
        about: dict[str, Any] = {"parts": parts, "truth": cases.truth}
        if sums.apply:
            assert cases.truth is not None
            sums.labels.judge(cases.truth)
            about["labels"] = sums.labels.pair()
        summed: dict[str | None, Splitting] = {
            name: SUMMED[kind]({}, cases.data, specs[name], asked, limits[name], summaries=each, **about)
            for name, each in tables.items()
        }
        return Split(groups, summed, {}, cases.models, cases.data)
    groups, own = sums.split(cases.in_kind_of_weights(sums.held.columns()))
    models = {
        name: kind(one, cases.data, specs[name], asked, limits[name])
        for name, one in cases.by_model(own).items()
    }
    return Split(groups, models, own, cases.models, cases.data)


def without_one_name(spec: CaseSpec, threshold: Any) -> tuple[CaseSpec, Any]:
    """The same description and threshold, of a mapping of one model without its name. Raises InputError."""
    given = by_name(spec.given.get(spec.kind))
    if len(given) != 1:
        return spec, threshold
    [(name, column)] = given.items()
    return spec.of_columns({spec.kind: column}), thresholds_of(threshold, [name])[name]


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
    return OfScores
