"""The cases of a comparison, and the facts about models on different cases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...evaluation.applicable import form_of, refuse
from ...evaluation.arguments import EvaluationOptions
from ...evaluation.paired.models import Model
from ...input import Cases, CaseSpec, read
from ...input.data_info import DataInfo, of_several
from ...input.spec import only_two_classes
from .alike import refuse_other_classes

Found = tuple[list[Model], DataInfo, bool]


def read_cases(data: Any, spec: CaseSpec, threshold: Any, options: EvaluationOptions) -> Cases:
    """The cases of models. Raises InputError for arguments that do not apply to them."""
    if not spec.regression:
        only_two_classes("a comparison", spec.truth, (), data is not None)
    refuse(form_of(spec, data is None), spec, options, threshold)
    return read(data, spec)


def with_models(spec: CaseSpec, named: Mapping[str, Any], **others: Any) -> CaseSpec:
    """The spec with these scores, or labels, by model.

    others: columns in the place of those of the cases.
    """
    return spec.of_columns({spec.kind: dict(named), **others})


def facts_of_models(source: str, models: Sequence[Model], dropped: int = 0) -> DataInfo:
    """The facts about models on different cases. Raises InputError where their classes differ."""
    refuse_other_classes({model.name: model.evaluation for model in models})
    return of_several([model.evaluation.data for model in models], source, dropped)
