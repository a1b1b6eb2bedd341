"""The differences of models: which pairs, by which study of the cases, with adjusted p-values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from ... import kernels
from ...inference.fixed_sizes import GIVEN_MIX
from ...inference.hypothesis.evidence import Evidence
from ...inference.hypothesis.multiplicity import adjusted
from ...inference.intervals.differences import span
from ...input import validate
from ...input.options import Adjustment
from ...summaries.cached import once_for_all_threads
from .amounts import ModelOfAmounts, SameAmounts
from .class_scores import SameCasesPerClass
from .differences import Difference
from .margins import decision_of
from .models import Model
from .same_cases import SameCases
from .study import Asked, depends_on_mix, estimate_of, with_note, with_width

ALL = "all"


class Differing(Protocol):
    """Data from which differences of models are estimated."""

    @property
    def models(self) -> Sequence[Model]: ...

    def evidence(self, name: str, model: int, reference: int) -> Evidence: ...


def study_of_same_cases(
    models: list[Model], names: Sequence[str], asked: Asked
) -> SameCases | SameAmounts | SameCasesPerClass:
    """The study of models on the same cases, of the kind of their cases."""
    of_amounts = [model for model in models if isinstance(model, ModelOfAmounts)]
    if of_amounts:
        return SameAmounts(of_amounts, names, asked)
    per_class = all(model.per_class for model in models)
    return SameCasesPerClass(models, names, asked) if per_class else SameCases(models, names, asked)


def pairs_of(names: Sequence[str], reference: Any) -> list[tuple[int, int]]:
    """The indices of model and reference in each pair."""
    if reference is None:
        return [(i, 0) for i in range(1, len(names))]
    # the label of a sample may be a number
    known = reference if isinstance(reference, str) else str(reference)
    if known == ALL and ALL not in names:
        return [(j, i) for i in range(len(names)) for j in range(i + 1, len(names))]
    place = names.index(validate.choice(known, names, "reference"))
    return [(i, place) for i in range(len(names)) if i != place]


def differences_of(
    study: Differing,
    names: Sequence[str],
    pairs: Sequence[tuple[int, int]],
    asked: Asked,
    hypothesis: str | None,
    margins: Mapping[str, float],
    adjust: Adjustment,
) -> tuple[Difference, ...]:
    """The differences of these measures in these pairs."""
    models = study.models
    kernels.each(lambda i: models[i].evaluation.add_up(names), len(models))

    def of_measure(i: int) -> list[Difference]:
        return [_difference(study, names[i], pair, asked, hypothesis, margins) for pair in pairs]

    with once_for_all_threads():
        # resamples and permutations are those of all measures, and report their progress
        several = models[0].evaluation.data.rows > kernels.MANY and not (asked.resampling or asked.permutes)
        found = [one for some in kernels.each(of_measure, len(names), several) for one in some]
    p_values = adjusted([one.p_value for one in found], adjust).tolist()
    return tuple(replace(one, adjusted=p) for one, p in zip(found, p_values, strict=True))


def _difference(
    study: Differing,
    name: str,
    pair: tuple[int, int],
    asked: Asked,
    hypothesis: str | None,
    margins: Mapping[str, float],
) -> Difference:
    model, reference = pair
    one, other = study.models[model], study.models[reference]
    values = one.evaluation[name], other.evaluation[name]
    value, entry = values[0].value - values[1].value, one.evaluation.entry(name)
    evidence = with_width(study.evidence(name, model, reference), value, asked.level)
    if asked.fixed and any(depends_on_mix(each, name) for each in (one, other)):
        evidence = with_note(evidence, GIVEN_MIX)
    estimate = estimate_of(value, evidence, asked.level, span(entry.range))
    p, test = float(evidence.p_at(0.0)), evidence.method
    decision = None
    if hypothesis is not None and name in margins:
        decision = decision_of(hypothesis, margins[name], entry.better, estimate, evidence, asked.level)
    return Difference(name, one.name, other.name, estimate, p, p, test, values, evidence, decision)
