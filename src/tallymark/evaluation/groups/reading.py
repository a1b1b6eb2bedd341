"""From cases with `by` or `fold` to their groups, and to the table of these."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from ...input import CaseSpec, read
from ...input.grouping import BY, OF_ARRAY
from ...input.labels import BinaryLabels
from ...input.sample import Index, Sample
from ...input.score_columns import by_name, thresholds_of
from ...input.sources.engines import Lazy
from ...summaries.engines import Engine
from ...summaries.samples import read_sample, sample_of
from ..applicable import form_of, refuse
from ..arguments import EvaluationOptions
from ..evaluations import Progress, limits_of
from .of_models import GroupTables
from .splitting import OfSample, OfSummaries, Splitting
from .sums import GroupSums
from .table import GroupTable, table_of


def of_groups(
    data: Any, spec: CaseSpec, options: EvaluationOptions, threshold: Any, reference: str | None,
    progress: Progress,
) -> GroupTable | GroupTables:  # fmt: skip
    """The evaluations of the groups of cases, read once. Raises InputError."""
    spec, threshold = without_one_name(spec, threshold)
    form = form_of(spec, data is None)
    refuse(form, spec, options, threshold)
    engine = Engine.of(data, spec) if form == "scores" and spec.units is None else None
    if engine is None or engine.few:
        split = split_by(BY, data, spec, options, threshold, progress, engine)
    else:
        engine.edges = limits_of(threshold, by_name(spec.score))
        split = _in_engine(engine, spec, options)
    tables = {name: table_of(split.groups, model, reference) for name, model in split.models.items()}
    if None in tables:
        return tables[None]
    return GroupTables({str(name): table for name, table in tables.items()}, split.sample, options)


def _in_engine(engine: Engine, spec: CaseSpec, options: EvaluationOptions) -> Split:
    """The groups of cases that are counted in an engine."""
    labels = BinaryLabels(spec.positive, spec.classes)
    cases, tables = engine.tables(labels)
    parts, limits = engine.parts, engine.edges
    groups = replace(engine.groups, codes=np.arange(len(parts)), cases=[one.rows for one in parts])
    make = partial(OfSummaries, spec=spec, data=cases.data, parts=parts, labels=labels.pair())
    return Split(groups, {name: make(options, limits[name], summaries=one) for name, one in tables.items()})


@dataclass(frozen=True, eq=False)
class Split:
    """The parts of the cases of one model or several.

    models: by name, None for the only one; sample: for the differences of models, None where only sums are
    held, and of several labels per case.
    """

    groups: Index
    models: Mapping[str | None, Splitting]
    sample: Sample | None = None


def split_by(
    argument: str, data: Any, spec: CaseSpec, options: EvaluationOptions, threshold: Any, progress: Progress,
    frame: Lazy | None = None,
) -> Split:  # fmt: skip
    """The parts that the columns of an argument, "by" or "fold", make of the cases, which are read once.

    frame: that of an engine, where it was opened before. Raises InputError.
    """
    form = form_of(spec, data is None)
    refuse(form, spec, options, threshold)
    if form == "several labels per case":
        return _of_sample(read_sample(data, spec, progress), OF_ARRAY[argument], options, {})
    cases = read(data, spec, progress, frame)
    limits = limits_of(threshold, cases.models)
    added = form in ("scores", "labels") and spec.units is None
    sums = GroupSums(cases, limits.values(), argument, data is None, added)
    total = cases.sum(sums, sums.again, bound=sums)
    if total:
        groups, tables, parts = sums.of_groups(total)
        about: dict[str, Any] = {"spec": spec, "data": cases.data, "parts": parts, "truth": cases.truth}
        if sums.apply:
            assert cases.truth is not None
            sums.labels.judge(cases.truth)
            about["labels"] = sums.labels.pair()
        summed = {
            name: OfSummaries(options, limits[name], summaries=one, **about) for name, one in tables.items()
        }
        return Split(groups, summed)
    groups, own = sums.split(cases.in_kind_of_weights(sums.held.columns()))
    sample = sample_of(own, spec, cases.models, cases.data)
    sample = replace(sample, index={**sample.index, OF_ARRAY[argument]: groups})
    return _of_sample(sample, OF_ARRAY[argument], options, limits)


def _of_sample(sample: Sample, name: str, options: EvaluationOptions, limits: Mapping[Any, Any]) -> Split:
    """The parts by an index column of a sample."""
    each = enumerate(sample.models)
    models = {model: OfSample(options, limits.get(model), sample.only(i)) for i, model in each}
    return Split(sample.index[name], models, None if sample.task == "multilabel" else sample)


def without_one_name(spec: CaseSpec, threshold: Any) -> tuple[CaseSpec, Any]:
    """The same description and threshold, of a mapping of one model without its name. Raises InputError."""
    given = by_name(spec.given.get(spec.kind))
    if len(given) != 1:
        return spec, threshold
    [(name, column)] = given.items()
    return spec.of_columns({spec.kind: column}), thresholds_of(threshold, [name])[name]
