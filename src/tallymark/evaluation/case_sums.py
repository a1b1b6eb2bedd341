"""The sums of the summaries of cases, batch by batch: of files, of streams, and of parts that are merged."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any

import numpy as np

from ..input import Cases, CaseSpec, KeepingTruth, columns, read
from ..input.columns import Column
from ..input.errors import InputError
from ..input.labels import SOME, BinaryLabels, not_scores
from ..input.merging import Parts, Sum
from ..input.models import by_name
from ..input.score_columns import is_indicator
from ..input.sources import Batch, Source
from ..input.values import shown
from ..summaries import ConfusionMatrix, IndicatorTable, Residuals
from ..summaries.collected import kind_of_table, score_of
from ..summaries.engines import Engine
from .applicable import only_indicators

SETTINGS = (  # arguments that say what the columns of cases mean
    "regression",
    "positive",
    "predicted_positive",
    "not_an_answer",
    "classes",
    "ordered",
    "higher_is_positive",
    "score_kind",
    "weight_kind",
    "missing",
)
Progress = Callable[[int], None] | None


@dataclass(eq=False)
class CaseSums:
    """What is known of cases that were read in batches; it adds up.

    cases: the description of the cases, and the facts about those that were read; labels: of two classes with
    scores; sum: by model the summaries, or of a score per class the batches.
    """

    cases: Cases
    labels: BinaryLabels
    sum: Sum

    @classmethod
    def read(
        cls,
        data: Any,
        spec: CaseSpec,
        progress: Progress = None,
        complete: bool = True,
        before: CaseSums | None = None,
        edges: Mapping[str | None, float | None] = MappingProxyType({}),
    ) -> CaseSums:
        """The sums of the cases of arrays (data is None), a frame or files.

        complete: whether these are all the cases, of which there must then be some; before: the sums of
        earlier cases, whose labels are known; edges: by model the threshold at which bins end.
        Raises InputError as `input.read` and the summaries do.
        """
        given = data.data if isinstance(data, KeepingTruth) else data
        engine = None if before is not None else Engine.of(given, spec, edges)
        if engine is not None:
            labels = BinaryLabels(spec.positive, spec.classes)
            cases, found = engine.matrices(matrix_of) if spec.kind == "predicted" else engine.tables(labels)
            return cls(cases, labels, Sum([Parts(found)]))
        arrays = given is None
        several_labels = arrays and not spec.regression and is_indicator(spec.truth)
        cases, summarise = _several_labels(spec) if several_labels else (read(data, spec, progress), None)
        if before is not None:
            cases.labels, labels = before.cases.labels, copy(before.labels)
        elif summarise is None and spec.kind == "score" and not spec.regression and not cases.per_class:
            labels = BinaryLabels(spec.positive, spec.classes)
        else:
            labels = BinaryLabels()
        again = partial(vars(labels).update, dict(vars(labels)))
        total = cases.sum(summarise or _summary(cases, labels), again, complete)
        return cls(cases, labels, Sum([] if total is None else [total]))

    @property
    def by_model(self) -> Any:
        """The summaries by model, or of a score per class the list of batches."""
        return self.sum.total

    def __add__(self, other: CaseSums) -> CaseSums:
        """Those of all the cases together. Raises InputError where they are described in other ways."""
        others = other.description
        for name, value in self.description.items():
            if value != others[name]:
                problem = f"{shown(value)} for some of the cases and {shown(others[name])} for others"
                raise InputError("mismatch", name, problem, "describe all of them in one way")
        return CaseSums(self.cases + other.cases, self.labels + other.labels, self.sum + other.sum)

    @property
    def description(self) -> dict[str, Any]:
        """What must be the same in cases that are added: their arguments, and the columns of each model."""
        spec = self.cases.spec
        return {name: getattr(spec, name) for name in SETTINGS} | {spec.kind: dict(self.cases.models)}


def _summary(cases: Cases, labels: BinaryLabels) -> Callable[[Batch], Any]:
    """The function that summarises a batch: amounts, predicted labels, a score per class, or a score."""
    spec = cases.spec
    if spec.kind == "score" and not spec.regression:
        return (lambda batch: [batch]) if cases.per_class else partial(_tables, cases, labels)
    of_one: Any = Residuals.from_columns if spec.regression else matrix_of
    return lambda batch: Parts({name: of_one(**one) for name, one in cases.by_model(batch).items()})


def _several_labels(spec: CaseSpec) -> tuple[Cases, Callable[[Batch], Any]]:
    """The cases of arrays with one column per label, in one batch, and the function that counts them."""
    only_indicators(spec)
    weight = columns.read_weights(spec.weight, spec.weight_kind)
    rows = spec.truth.shape[0] if hasattr(spec.truth, "shape") else len(spec.truth)  # no len() of sparse ones
    batch = {"truth": Column("truth", np.zeros(rows, np.int8))} | (
        {} if weight is None else {"weight": weight}
    )
    models = by_name(spec.predicted)
    cases = Cases(Source("arrays", iter([batch])), spec, models=dict.fromkeys(models, ()))

    def summarise(_: Batch) -> Parts:
        given = {"truth": spec.truth, "weight": weight}
        return Parts(
            {name: IndicatorTable.from_arrays(predicted=one, **given) for name, one in models.items()}
        )

    return cases, summarise


def _tables(cases: Cases, labels: BinaryLabels, batch: Batch) -> Parts:
    """A table of scores for each model, with one encoding of the actual labels."""
    spec, truth, weight = cases.spec, batch["truth"], batch.get("weight")
    scores = {name: score_of(spec, one["score"], truth) for name, one in cases.by_model(batch).items()}
    kind, coded = kind_of_table(spec), labels.coded(truth)
    return Parts({name: kind.from_coded(labels, coded, score, weight) for name, score in scores.items()})


def matrix_of(truth: Column, predicted: Column, weight: Column | None = None) -> ConfusionMatrix:
    """The confusion matrix of the cases. Raises InputError where scores were given as labels."""
    not_scores(predicted, predicted.values[:SOME])  # before a matrix with a row per score is made
    return ConfusionMatrix.from_columns(truth, predicted, weight)
