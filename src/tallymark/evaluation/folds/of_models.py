"""Several models on the folds of a cross-validation: the folds of each, and their paired differences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...inference.hypothesis.multiplicity import adjusted
from ...inference.intervals.differences import span
from ...input.validate import choice
from ..groups.of_models import TablesOfModels
from ..results.table import best_of
from .differences import Difference, FoldDifference, difference_of, difference_of_pooled, less
from .table import MEAN, POOLED, FoldTable
from .values import value_of

PARTS = (MEAN, POOLED)


@dataclass(frozen=True, eq=False, repr=False)
class FoldTables(TablesOfModels[FoldTable]):
    """Several models on the folds of a cross-validation: by the name of the model its table of the folds.

    Attributes
    ----------
    tables : mapping of str to FoldTable
        By model, in the order given; all have the same folds.
    reference : str or None
        The model from which the differences are; None for the one that is best in the first measure.

    Notes
    -----
    `table` has the rows of the `FoldTable` of each model: the means over the folds, the values pooled, and
    those of each fold.
    """

    ANSWER = "fold_tables"
    FORM = "groups.fold_tables"
    KIND = FoldTable

    tables: Mapping[str, FoldTable]
    reference: str | None = None

    @cached_property
    def compared_with(self) -> str:
        """The model from which the differences are: the reference, or the best mean of the first measure."""
        if self.reference is not None or not self.measures:
            return self.reference or next(iter(self))
        name = self.measures[0]
        values = {model: one.means[name].value for model, one in self.items()}
        return best_of(values, self.first.whole.entry(name))

    @cached_property
    def differences(self) -> tuple[FoldDifference, ...]:
        """The paired differences from one of the models, by part, measure and model.

        Of the means by the corrected resampled t-test of Nadeau and Bengio, as in `cross_validate`; of the
        pooled values by the jackknife over folds with the same correction. The p-values of each part are
        adjusted by Holm.
        """
        return tuple(one for part in PARTS for one in _adjusted(part, self._of_part(part)))

    def _of_part(self, part: str) -> list[tuple[str, Difference]]:
        """The measures with the difference of each model but the reference."""
        others = [name for name in self if name != self.compared_with]
        return [(name, self._less(part, name, model)) for name in self.measures for model in others]

    def _less(self, part: str, measure: str, model: str) -> Difference:
        """The difference of a model from the reference in one measure."""
        one, other = self[model], self[self.compared_with]
        names, ends = (model, self.compared_with), span(one.whole.entry(measure).range)
        level = one.whole.settings.level
        if part == MEAN:
            values = less(one.values_of(measure), other.values_of(measure))
            return difference_of(*names, values, one.shares, ends, level)
        value, without = _pooled(one, measure) - _pooled(other, measure), _without(one, measure)
        sizes = one.groups.numbers
        return difference_of_pooled(
            *names, value, less(without, _without(other, measure)), sizes, one.shares, ends, level
        )


def tables_of(tables: Mapping[str, FoldTable], reference: str | None) -> FoldTables:
    """The tables of several models. Raises InputError for a reference that is not one of them."""
    check_reference(reference, list(tables))
    return FoldTables(tables, reference)


def check_reference(reference: str | None, models: Sequence[str]) -> None:
    """Raises InputError for a reference that is not one of the models."""
    if reference is not None:
        choice(reference, models, "reference")


def _pooled(table: FoldTable, measure: str) -> float:
    return value_of(table.whole, measure)


def _without(table: FoldTable, measure: str) -> np.ndarray:
    return np.array([value_of(one, measure) for one in table.without_each])


def _adjusted(part: str, found: Sequence[tuple[str, Difference]]) -> list[FoldDifference]:
    p_values = adjusted([one.p_value for _, one in found]).tolist()
    return [
        FoldDifference(
            measure, part, one.first, one.second, one.estimate, one.statistic, one.df, one.p_value, p
        )
        for (measure, one), p in zip(found, p_values, strict=True)
    ]
