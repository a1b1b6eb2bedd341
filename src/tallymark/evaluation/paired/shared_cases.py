"""The models of a comparison, from a sample with the outputs of several."""

from __future__ import annotations

from collections.abc import Mapping
from operator import attrgetter
from typing import Any

import numpy as np

from ...input.sample import Sample
from ...summaries.cases import ScoredCases, content_order
from ...summaries.class_orders import order_of_cases
from ...summaries.samples import answers_of, clusters_of, places_of, summary_of
from ..arguments import EvaluationOptions
from ..evaluations import evaluate_sample
from .models import Model, ModelOfAmounts, ModelOfClassScores, answers_at


def models_of(
    sample: Sample, options: EvaluationOptions, thresholds: Mapping[Any, float | None]
) -> list[Model]:
    """A model for each output of the sample; all are measured on the same cases.

    A case with a count of 2 is two cases. Amounts and scores per class are in an order that follows from the
    values of the cases alone.
    """
    cases = sample.one_by_one()
    shared: dict[str, Any] = {
        "weight": cases.weight,
        "clusters": clusters_of(cases) if "cluster" in cases.index else None,
    }
    make = _of_two if sample.task == "binary" else _of_amounts if sample.task == "regression" else _of_classes
    models: list[Any] = []
    for i, name in enumerate(sample.models):
        evaluation = evaluate_sample(sample, i, options, thresholds.get(name))
        about = shared | {"source": sample.output[i].__array_interface__["data"]}
        models.append(make(sample, cases, i, name=str(name), evaluation=evaluation, **about))
    if sample.task == "regression":
        by_content = sorted((model.errors for model in models), key=lambda errors: np.sort(errors).tobytes())
        order = content_order(*by_content, models[0].weight, models[0].truth)
    elif sample.task == "multiclass" and sample.kind == "score":
        by_content = sorted(models, key=attrgetter("content"))
        weight = np.ones(len(cases)) if cases.weight is None else cases.weight
        rows = np.hstack([model.table.score[model.place] for model in by_content])
        order = order_of_cases(rows, cases.truth, weight)
    else:
        return models
    return [model.taken(order) for model in models]


def _of_two(sample: Sample, cases: Sample, i: int, **about: Any) -> Model:
    """Two classes: predicted labels are scores of 0 and 1."""
    truth, evaluation, weight = cases.truth.view(np.int8), about["evaluation"], about["weight"]
    if sample.kind == "predicted":
        called = answers_of(cases, i)
        scored = ScoredCases(cases.truth, called.astype(np.float32), weight, weight_kind="importance")
        return Model(truth=truth, answers=called.view(np.int8), cases=scored, **about)
    table, limit = summary_of(sample, i), evaluation.held_threshold
    scored = ScoredCases(cases.truth, cases.output[i], weight, type(table), "importance").with_table(table)
    return Model(truth=truth, answers=answers_at(scored, limit), cases=scored, limit=limit, **about)


def _of_classes(sample: Sample, cases: Sample, i: int, **about: Any) -> Model:
    """Several classes, with predicted labels or a score per class."""
    if sample.kind == "predicted":
        return Model(truth=cases.truth, answers=cases.output[i], labels=sample.labels, **about)
    table, place = summary_of(sample, i), places_of(sample, i)
    if sample.weight is not None and sample.counts:
        place = np.repeat(place, sample.weight.astype(np.int64))
    among = np.array([sample.labels.index(label) for label in table.labels])
    answers = among[table.predicted()[0]][place]
    return ModelOfClassScores(truth=cases.truth, answers=answers, labels=sample.labels, place=place, **about)


def _of_amounts(sample: Sample, cases: Sample, i: int, **about: Any) -> Model:
    return ModelOfAmounts(errors=cases.output[i] - cases.truth, truth=cases.truth, **about)
