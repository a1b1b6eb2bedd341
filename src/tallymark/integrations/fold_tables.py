"""From the answers of trained models for test cases to the table of their folds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..evaluation.arguments import describe
from ..evaluation.folds.predictions import FOLD, Predictions
from ..evaluation.folds.reading import of_splits
from ..evaluation.folds.table import FoldTable
from ..input import columns
from ..input.errors import InputError
from ..input.options import WeightKind
from .fold_models import Array, Split, Task, Tested


@dataclass(frozen=True, slots=True, eq=False)
class Measuring:
    """How predictions for test cases are measured: arguments of `evaluate_estimator`."""

    weight: Any
    weight_kind: WeightKind | None
    clusters: Any
    threshold: float | None
    level: float
    rng: int | np.random.Generator
    parameters: Mapping[str, Mapping[str, Any]] | None

    def table(self, task: Task, splits: Sequence[Split], made: Sequence[Tested]) -> FoldTable:
        """The folds of a model."""
        tests = np.concatenate([test for _, test in splits])
        sizes = np.array([(len(train), len(test)) for train, test in splits])
        fold = np.repeat(np.arange(len(splits)), sizes[:, 1])
        kind, answers = task.kind_of(made), np.concatenate([one.answers for one in made])
        spec, asked = describe(
            truth=task.y[tests], score=answers if kind == "score" else None,
            predicted=None if kind == "score" else answers,
            clusters=of_cases(self.clusters, "clusters", len(task), tests),
            weight=of_cases(self.weight, "weight", len(task), tests), weight_kind=self.weight_kind,
            positive=task.positive, classes=task.classes(kind), regression=task.regression,
            score_kind=task.score_kind(made), level=self.level, rng=self.rng, parameters=self.parameters,
        )  # fmt: skip
        times = np.bincount(tests, minlength=len(task))
        repeated = bool(times.max() > 1)
        found = of_splits(spec.of_columns({FOLD: fold}), asked, self.threshold, sizes[:, 0], repeated)
        differing = sum(one.differing for one in made) if self.threshold is None else 0
        kept = Predictions(task.columns(kind, tests, fold, answers), len(task))
        return replace(found, untested=int((times == 0).sum()), differing=differing, _predictions=kept)


def of_cases(values: Any, role: str, cases: int, rows: Array) -> Any:
    """The entries of these rows. Raises InputError where there is not one for each case."""
    if values is None:
        return None
    column = columns.read(values, role)
    if len(column) != cases:
        problem = f"{role} has {len(column)} entries and y has {cases}"
        raise InputError("wrong-shape", None, problem, "give one for each case")
    return column.values[rows]
