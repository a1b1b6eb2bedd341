"""The result of `evaluate` for several models with groups of cases: a table of the groups for each model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any, ClassVar, Self, TypeVar

import numpy as np

from ...input import text
from ...input.sample import Array, Sample
from ...input.validate import shown
from ..arguments import EvaluationOptions
from ..paired.comparison import KeptCases
from ..results import Evaluation, EvaluationTable
from ..results.by_model import ByModel
from ..results.lacking import NotOfTask
from ..results.table import LONGEST, columns_of
from .table import GroupTable, smallest_class

T = TypeVar("T", bound=EvaluationTable)


class TablesOfModels(ByModel[T]):
    """What tables of parts of the cases have in common that there are of several models, by their names."""

    EACH = "tables"
    MOST: ClassVar[int] = GroupTable.MOST  # measures of a row, where none are chosen

    tables: Mapping[str, T]

    def __getattr__(self, name: str) -> Any:
        if name[0] != "_" and hasattr(self.KIND, name) and not hasattr(type(self), name):
            problem, example = "each model has its own", f"table[{next(iter(self))!r}].{name}"
            raise NotOfTask("unsupported", name, problem, f"take one by its name, as {example}")
        return super().__getattr__(name)  # type: ignore[misc]

    @property
    def first(self) -> T:
        """The table of the first model."""
        return next(iter(self.tables.values()))

    @cached_property
    def measures(self) -> tuple[str, ...]:
        """The measures of a row: those that were chosen, or some of the first screen that all models have."""
        return self.first.selected or columns_of([one.whole for one in self.values()], self.MOST)

    def choose(self, measures: str | Sequence[str]) -> Self:
        """The same models with these measures only. Raises InputError where the data do not allow one."""
        return self._with(lambda one: one.choose(measures))

    @property
    def instead(self) -> str:
        """What to pass where cases or an evaluation are taken."""
        return f"it holds tables of {len(self)} models; pass one evaluation of them, as table['name'].whole"

    def __repr__(self) -> str:
        names = text.label(", ".join(map(shown, self)), 2 * LONGEST)
        return f"<{type(self).__name__} of {len(self)} models, {len(self.first)} {self.KIND.OF}s: {names}>"


@dataclass(frozen=True, eq=False, repr=False)
class GroupTables(TablesOfModels[GroupTable]):
    """Several models on the groups of some cases: by the name of the model its table of the groups.

    Attributes
    ----------
    tables : mapping of str to GroupTable
        By model, in the order given; all have the same groups.

    Notes
    -----
    `table` has a row for each model, group and measure. Differences between groups hold together for each
    model. The paired differences of the models are those of `whole`, and within a group of `of_group`.
    """

    ANSWER = "group_tables"
    FORM = "groups.group_tables"
    KIND = GroupTable

    tables: Mapping[str, GroupTable]
    _sample: Sample | None = field(repr=False)
    _options: EvaluationOptions = field(repr=False)

    @property
    def by(self) -> tuple[str, ...]:
        """The names of the columns of the groups."""
        return self.first.by

    @cached_property
    def whole(self) -> EvaluationTable:
        """The models on all cases, with their paired differences."""
        return self._table({name: one.whole for name, one in self.items()}, None)

    def of_group(self, name: Any) -> EvaluationTable:
        """The models on the cases of a group, by its name or label, with their paired differences there.

        Raises InputError for an unknown one.
        """
        rows = self.first.groups.rows(self.first.place_of(name))
        return self._table({model: one[name] for model, one in self.items()}, rows)

    def _table(self, evaluations: Mapping[str, Evaluation], rows: Array | None) -> EvaluationTable:
        """The models on these rows, or on all; without differences where a class has no case."""
        sample, kept = self._sample, None
        whole = all(one.task == "regression" or smallest_class(one) > 0 for one in evaluations.values())
        if sample is not None and whole:
            make = partial(sample.take, np.arange(len(sample)) if rows is None else rows)
            kept = KeptCases(make, self._options, evaluations)
        found = EvaluationTable(evaluations, _cases=kept)
        return found if self.first.selected is None else found.choose(list(self.first.selected))

    @cached_property
    def _paired(self) -> EvaluationTable:
        return self.whole.choose(list(self.measures))
