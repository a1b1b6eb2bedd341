"""The cases of several models, kept for the differences between these."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from ...inference.replicates import Draws
from ...input import CaseSpec
from ...input.cases import KeepingTruth
from ...input.columns import Column
from ...input.data_info import DataInfo
from ...input.models import role_of
from ...summaries import RankingTable
from ..arguments import Asked as Measured
from ..results import BinaryEvaluation, Evaluation
from .class_scores import models_of_class_scores
from .differences import Difference
from .estimating import differences_of, models_of_columns, pairs_of, study_of_same_cases
from .models import Model
from .study import Asked

REPLICATES = 2_000


@dataclass(frozen=True, eq=False)
class KeptCases:
    """The columns of cases with several models, from which differences are estimated.

    columns: by role; roles: by model those of its scores or labels; about: the facts; evaluations: by model.
    """

    columns: Mapping[str, Column]
    roles: Mapping[str, tuple[str, ...]]
    about: DataInfo
    spec: CaseSpec
    asked: Measured
    evaluations: Mapping[str, Evaluation]

    @classmethod
    def of(
        cls,
        columns: Mapping[str, Column],
        roles: Mapping[str, tuple[str, ...]],
        about: DataInfo,
        spec: CaseSpec,
        asked: Measured,
        evaluations: Mapping[str, Evaluation],
    ) -> KeptCases:
        """The same, of a description that names the columns or has them."""
        names = {name: role_of(spec.kind, name) for name in evaluations}
        plain = spec.of_columns({**dict.fromkeys(spec.given), spec.kind: names, **_marks(spec)})
        return cls(columns, roles, about, plain, asked, evaluations)

    def differences(self, names: Sequence[str], reference: str) -> tuple[Difference, ...]:
        """The differences of these measures from the reference, by the method "auto" of `compare`."""
        settings = self.asked.settings
        by_weights = all(one.mix_fixed_by_weights for one in self.evaluations.values())
        kept = self.spec.clusters is None and by_weights
        draws = Draws(REPLICATES, settings.design, seed=settings.seed, keeps_weights=kept)
        asked = Asked("auto", settings.level, draws)
        study = study_of_same_cases(self._models, names, asked)
        pairs = pairs_of([model.name for model in self._models], reference)
        return differences_of(study, names, pairs, asked, None, {}, "holm")

    @cached_property
    def _models(self) -> list[Model]:
        """The models with their cases, and with the evaluations that are shown."""
        data = self.about.of_classes
        if any(len(roles) > 1 for roles in self.roles.values()):
            found = models_of_class_scores(self._by_model, data, self.spec, self.asked)
        else:
            asked = replace(self.asked, rule=None)
            found = models_of_columns(self.columns, data, self.spec, asked, self._limits, self._tables)
        return [replace(model, evaluation=self.evaluations[model.name]) for model in found]

    @property
    def _limits(self) -> dict[str, float | None]:
        """The threshold of each model with scores of two classes."""
        return {
            name: one.limit if isinstance(one, BinaryEvaluation) and one.ranking is not None else None
            for name, one in self.evaluations.items()
        }

    @property
    def _tables(self) -> dict[str, RankingTable]:
        """The table of the scores of each model."""
        found = {name: getattr(one, "ranking", None) for name, one in self.evaluations.items()}
        return {name: table for name, table in found.items() if isinstance(table, RankingTable)}

    @property
    def _by_model(self) -> dict[str | None, dict[str, Column]]:
        """The columns of each model with a score per class, by the roles of a single model."""
        theirs = {role for roles in self.roles.values() for role in roles}
        shared = {role: column for role, column in self.columns.items() if role not in theirs}
        return {
            name: shared | {f"score {i + 1}": self.columns[role] for i, role in enumerate(roles)}
            for name, roles in self.roles.items()
        }


def kept_cases(
    data: KeepingTruth, spec: CaseSpec, asked: Measured, evaluations: Mapping[str, Evaluation]
) -> KeptCases | None:
    """The cases that were read for these evaluations; None where there are no differences between them."""
    if data.cases is None or data.cases.held is None or len(evaluations) < 2:
        return (
            None  # several labels per case are not read in columns; more cases than memory holds are not kept
        )
    roles = {str(name): parts for name, parts in data.cases.models.items()}
    return KeptCases.of(data.columns, roles, data.cases.data(None, None), spec, asked, evaluations)


def _marks(spec: CaseSpec) -> dict[str, Any]:
    """That there are clusters, without the columns themselves."""
    return {} if spec.clusters is None else {"clusters": "clusters"}
