"""Class weights of `evaluate`, which are computed from the cases."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ..input import CaseSpec, read
from ..input.class_weights import ROLE, ClassWeight, by_class, sizes_of
from ..input.errors import InputError
from ..input.names import listed
from ..input.score_columns import is_indicator
from ..input.spec import no_truth
from ..input.spelling import option


@listed(
    "function",
    'tm.evaluate(..., class_weight="balanced")',
    name="class_weight",
    aka=(
        "class_weights",
        "weights_by_class",
        "balanced_class_weights",
        "class_weight_balanced",
        "compute_class_weight",
    ),
    command="tallymark evaluate --class-weight balanced",
    terms=(
        "rearranged_weights",
        "balanced_weights",
    ),
)
def with_class_weights(data: Any, spec: CaseSpec, given: ClassWeight | None, summary: bool) -> CaseSpec:
    """Weights of the cases by their class: a number for each, or "balanced", n / (K n_k).

    Balanced, all K classes have the same total weight, and precision, accuracy and the like are those of a
    balanced class mix. They are importance weights. The cases are read once more, for the class sizes.
    summary: whether there are no cases. Raises InputError where such weights do not apply. Source: QuData.
    """
    if given is None:
        return spec
    for name, wrong in {
        "weight": spec.weight is not None,
        "weight_kind": spec.weight_kind is not None,
        "regression": spec.regression,
    }.items():
        if wrong:
            problem = f"{option(name)} is given, too"
            raise InputError("conflict", ROLE, problem, "leave one of the two out")
    if summary:
        raise InputError("unsupported", ROLE, "a summary has its weights already", "pass the cases")
    if spec.truth is None:
        raise no_truth()
    if data is None and is_indicator(spec.truth):
        raise InputError("unsupported", ROLE, "a case has several labels", "take one label at a time")
    sizes = read(data, spec).sum(lambda batch: sizes_of(batch["truth"]))
    return replace(spec, class_weights=by_class(given, sizes))
