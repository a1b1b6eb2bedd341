"""The cases of a comparison, and the models of their columns."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ...evaluation.applicable import only_per_class
from ...evaluation.arguments import Asked
from ...evaluation.paired.estimating import models_of_columns
from ...evaluation.paired.models import Model
from ...evaluation.paired.shared_cases import read
from ...input import Cases, CaseSpec
from ...input.columns import Column
from ...input.data_info import DataInfo, of_several
from ...input.models import thresholds_of
from .alike import refuse_other_classes

Found = tuple[list[Model], DataInfo, bool]


def models_together(
    found: Mapping[str, Column], data: Callable[..., DataInfo], spec: CaseSpec, threshold: Any, asked: Asked
) -> tuple[list[Model], DataInfo]:
    """The models on the same cases, and the facts.

    found: the columns, collected; data: the facts, by the weight of positives and of negatives; spec: with
    the columns by model.
    """
    names = list(spec.given[spec.kind])
    models = models_of_columns(found, data, spec, asked, thresholds_of(threshold, names))
    sizes = models[0].evaluation.data
    return models, data(sizes.positives, sizes.negatives)


def read_as_asked(data: Any, spec: CaseSpec, threshold: Any, asked: Asked) -> Cases:
    """The cases.

    Raises InputError where they have a score per class, and an option is given that is for one score.
    """
    cases = read(data, spec)
    if cases.per_class:
        only_per_class(spec, asked, threshold)
    return cases


def with_models(spec: CaseSpec, named: Mapping[str, Any], **others: Any) -> CaseSpec:
    """The spec with these scores, or labels, by model.

    others: columns in the place of those of the cases.
    """
    return spec.of_columns({spec.kind: dict(named), **others})


def facts_of_models(source: str, models: Sequence[Model], dropped: int = 0) -> DataInfo:
    """The facts about models on different cases. Raises InputError where their classes differ."""
    refuse_other_classes({model.name: model.evaluation for model in models})
    return of_several([model.evaluation.data for model in models], source, dropped)
