"""The cases of several models, kept for the differences between these."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

from ...inference.replicates import Draws
from ...input.cases import KeepingTruth
from ...input.sample import Sample
from ...input.spec import COLUMNS
from ...summaries import RankingTable
from ...summaries.samples import sample_of
from ..arguments import EvaluationOptions
from ..results import BinaryEvaluation, Evaluation
from .differences import Difference
from .models import Model, models_of
from .paired import Paired, differences_of, pairs_of
from .study import ComparisonOptions

REPLICATES = 2_000


@dataclass(frozen=True, eq=False)
class KeptCases:
    """The sample of several models, made when their differences are needed; evaluations: by model."""

    make: Callable[[], Sample]
    options: EvaluationOptions
    evaluations: Mapping[str, Evaluation]

    def differences(self, names: Sequence[str], reference: str) -> tuple[Difference, ...]:
        """The differences of these measures from the reference, by the method "auto" of `compare`."""
        settings = self.options.settings
        by_weights = all(e.mix_fixed_by_weights for e in self.evaluations.values())
        fixed = self._models[0].clusters is None and by_weights
        draws = Draws(REPLICATES, settings.design, seed=settings.seed, keeps_weights=fixed)
        study = Paired(self._models, names, ComparisonOptions("auto", settings.level, draws))
        pairs = pairs_of([model.name for model in self._models], reference)
        return differences_of(study, pairs, None, {}, "holm")

    @cached_property
    def _models(self) -> list[Model]:
        """The models with their cases, and with the evaluations that are shown."""
        limits = {
            name: e.limit
            for name, e in self.evaluations.items()
            if isinstance(e, BinaryEvaluation) and e.ranking is not None
        }
        models = models_of(self.make(), replace(self.options, rule=None), limits)
        return [replace(model, evaluation=self.evaluations[model.name]) for model in models]


def kept_cases(
    data: KeepingTruth, options: EvaluationOptions, evaluations: Mapping[str, Evaluation]
) -> KeptCases | None:
    """The cases that were read for these evaluations; None where there are no differences between them."""
    cases = data.cases
    if cases is None or cases.held is None or len(evaluations) < 2:
        return None  # indicators are not read in columns; more cases than memory holds are not kept
    columns, info = data.columns, cases.data(None, None)
    rankings = {name: getattr(e, "ranking", None) for name, e in evaluations.items()}
    tables = {name: table for name, table in rankings.items() if isinstance(table, RankingTable)}
    spec = cases.spec.of_columns({**dict.fromkeys(COLUMNS), "truth": "", cases.spec.kind: ""})
    make = partial(sample_of, columns, spec, cases.models, info.of_classes, tables)
    return KeptCases(make, options, evaluations)
