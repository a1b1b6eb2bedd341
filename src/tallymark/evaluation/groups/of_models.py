"""The result of `evaluate` for several models with groups of cases: a table of the groups for each model."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, Generic, Self, TypeVar

import numpy as np

from ...input import CaseSpec, text
from ...input.cases import facts_of
from ...input.columns import Column
from ...input.data_info import DataInfo
from ...input.grouping import taken
from ...input.plain_values import rows_of
from ...input.plotted import Plotted
from ...input.results import Answer, Tabular, head
from ...input.validate import NoSuchEntry, nearest, shown
from ..arguments import Asked
from ..notices import Notice, of_model
from ..paired.kept import KeptCases
from ..results import Evaluation, EvaluationTable, FullEvaluation
from ..results.lacking import NotOfTask
from ..results.table import LONGEST, columns_of
from .table import COLUMNS, GroupTable, smallest_class

Array = np.ndarray[Any, np.dtype[Any]]
T = TypeVar("T", bound=EvaluationTable)


@dataclass(frozen=True, eq=False)
class CasesOfModels:
    """The columns of cases that several models scored, from which paired differences are estimated.

    columns: by role, without those of the parts; roles: by model those of its scores or labels; about: the
    facts.
    """

    columns: Mapping[str, Column]
    roles: Mapping[str, tuple[str, ...]]
    about: DataInfo
    spec: CaseSpec
    asked: Asked

    def table(self, evaluations: Mapping[str, Evaluation], reference: str | None = None) -> EvaluationTable:
        """The models on these cases; without differences where a class has no case."""
        whole = all(one.task == "regression" or smallest_class(one) > 0 for one in evaluations.values())
        kept = KeptCases.of(self.columns, self.roles, self.about, self.spec, self.asked, evaluations)
        return EvaluationTable(evaluations, reference=reference, _cases=kept if whole else None)

    def of_rows(self, rows: Array) -> CasesOfModels:
        """Some of the cases, with weights of the kind that those of all have."""
        columns = {role: taken(column, rows) for role, column in self.columns.items()}
        if "weight" in columns:
            kind: Any = self.about.weight_kind  # not mixed
            columns["weight"] = replace(columns["weight"], weight_kind=kind)
        about = facts_of(columns.get("weight"), len(rows), self.about.source)
        return replace(self, columns=columns, about=about)


class TablesOfModels(Answer, Tabular, Plotted, Mapping[str, T], Generic[T]):
    """What tables of parts of the cases have in common that there are of several models, by their names."""

    HOLDS: ClassVar[str | None] = "models"
    KIND: ClassVar[type[Any]]  # of a table
    MOST: ClassVar[int] = COLUMNS  # measures of a row, where none are chosen

    tables: Mapping[str, T]

    def __getitem__(self, name: str) -> T:
        """The table of a model. Raises InputError (a KeyError) for an unknown name."""
        if not isinstance(name, str) or name not in self.tables:
            problem = f"{shown(name)} is not a model here{nearest(name, self.tables)}"
            known = f"there are {', '.join(map(shown, self))}"
            raise NoSuchEntry("unknown-name", None, problem, known, value=name)
        return self.tables[name]

    def named(self, name: str) -> Self:
        """The same tables with a name, which texts and pages show."""
        return replace(self, tables={model: table.named(name) for model, table in self.items()})  # type: ignore[type-var]

    def __iter__(self) -> Iterator[str]:
        return iter(self.tables)

    def __len__(self) -> int:
        return len(self.tables)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name in self.tables

    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        return self is other

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

    @property
    def all(self) -> FullEvaluation:
        """Each part of each model as it prints in full: every measure, with methods and notes."""
        every = {
            f"{model}, {name}": replace(one[name], selected=None)
            for model, one in self.items()
            for name in one
        }
        return FullEvaluation(EvaluationTable(every))

    def choose(self, measures: str | Sequence[str]) -> Self:
        """The same models with these measures only. Raises InputError where the data do not allow one."""
        return replace(self, tables={name: one.choose(measures) for name, one in self.items()})  # type: ignore[type-var]  # its classes are dataclasses

    @property
    def notices(self) -> tuple[Notice, ...]:
        """What to consider when reading the results, for each model under its name."""
        return tuple(of_model(name, notice) for name, one in self.items() for notice in one.notices)

    @property
    def table(self) -> list[dict[str, Any]]:
        """The rows of each model, as plain values."""
        return rows_of({"model": name, **row} for name, one in self.items() for row in one.table)

    @classmethod
    def rows_in(cls, plain: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The rows of `table`, made from the plain values."""
        every = ((name, cls.KIND.rows_in(one)) for name, one in plain["models"].items())
        return rows_of({"model": name, **row} for name, rows in every for row in rows)

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
    FORM = "group_tables"
    KIND = GroupTable

    tables: Mapping[str, GroupTable]
    _cases: CasesOfModels = field(repr=False)

    @property
    def by(self) -> tuple[str, ...]:
        """The names of the columns of the groups."""
        return self.first.by

    @cached_property
    def whole(self) -> EvaluationTable:
        """The models on all cases, with their paired differences."""
        found = self._cases.table({name: one.whole for name, one in self.items()})
        return found if self.first.selected is None else found.choose(list(self.first.selected))

    def of_group(self, name: Any) -> EvaluationTable:
        """The models on the cases of a group, by its name or label, with their paired differences there.

        Raises InputError for an unknown one.
        """
        evaluations = {model: one[name] for model, one in self.items()}
        place = self.first.place_of(name)
        found = self._cases.of_rows(self.first.groups.rows(place)).table(evaluations)
        return found if self.first.selected is None else found.choose(list(self.first.selected))

    def to_dict(self) -> dict[str, Any]:
        """Plain values: those of `GroupTable.to_dict` by model, and the differences of the models."""
        shared = self.whole.choose(list(self.measures))
        return {
            **head(self.ANSWER),
            "models": {name: one.to_dict() for name, one in self.items()},
            "reference": shared.compared_with,
            "differences": [one.to_dict() for one in shared.differences],
        }


def tables_of(
    tables: Mapping[str, GroupTable],
    columns: Mapping[str, Column],
    roles: Mapping[Any, tuple[str, ...]],
    data: Callable[..., DataInfo],
    spec: CaseSpec,
    asked: Asked,
) -> GroupTables:
    """The tables of several models, with the columns of their cases."""
    of_models = {str(name): parts for name, parts in roles.items()}
    return GroupTables(tables, CasesOfModels(columns, of_models, data(None, None), spec, asked))
