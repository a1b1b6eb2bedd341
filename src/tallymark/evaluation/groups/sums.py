"""Groups of cases batch by batch: the columns while they fit in memory, beyond it a summary of each group."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from ...input import Cases, memory
from ...input.cases import Held, complete
from ...input.columns import joined
from ...input.errors import InputError
from ...input.grouping import groups_of, names_by, taken
from ...input.labels import BinaryLabels
from ...input.memory import Parts
from ...input.sample import Index
from ...input.sources import Batch, Source
from ...summaries import BinnedTable
from ...summaries.binned import BYTES
from ...summaries.samples import matrix_of
from ..tables import BoundedTables

COPIES = 8  # of the columns: in a group, among all cases, and while one of these is measured
CELL = 24  # bytes of memory for a cell of a matrix, with what adding needs


class GroupSums(BoundedTables):
    """The columns of cases, or, where these do not fit in memory, the tables of each group and model.

    argument: "by" or "fold"; added: whether there are summaries of such cases that add up.
    """

    BYTES: ClassVar[int] = 2 * BYTES  # in a group, and among all cases

    def __init__(self, cases: Cases, edges: Iterable[float | None], argument: str, arrays: bool, added: bool):
        spec = cases.spec
        two = (spec.positive, spec.classes) if added and spec.kind == "score" else ()
        super().__init__(cases, BinaryLabels(*two), edges)
        self.argument, self.added = argument, added
        self.names = names_by(spec.given[argument], arrays, argument)
        self.again()

    def again(self) -> None:
        """Forgets what was read."""
        super().again()
        self.held = Held(self.cases.spec.memory, COPIES)
        self.first: list[Batch] = []  # by part that was summed, a case of each group
        self.facts: dict[tuple[Any, ...], np.ndarray] = {}  # rows, weight and squared weight

    def __call__(self, batch: Batch) -> Parts:
        """Holds the batch; the tables of all that are held where they do not fit."""
        if self.held.fits(complete(batch)):
            return Parts()
        if not self.added:
            raise self.held.too_large()
        return self.summed()

    def split(self, columns: Batch) -> tuple[Index, Batch]:
        """The groups, and the columns without theirs."""
        of_groups, own = self._apart(columns)
        groups, weight = groups_of(list(of_groups.values()), self.names, self.argument), own.get("weight")
        if weight is not None and weight.of_rows:
            groups = replace(groups, cases=weight.values.tolist())
        return groups, own

    def _apart(self, columns: Batch) -> tuple[Batch, Batch]:
        named = {role: one for role, one in columns.items() if role.split()[0] == self.argument}
        return named, {role: one for role, one in columns.items() if role not in named}

    def summed(self) -> Parts:
        """The summaries of the cases that are held, by model and group; these are then held no more."""
        if not self.held.batches:
            return Parts()
        columns = self.held.columns()
        groups, own = self.split(columns)
        coded = self.labels.coded(own["truth"]) if self.apply else None
        found = Parts()
        for i, label in enumerate(groups.labels):
            rows = groups.rows(i)
            some = {role: taken(column, rows) for role, column in own.items()}
            if coded is None:
                models = self.cases.by_model(some)
                found.update({(name, label): matrix_of(**one) for name, one in models.items()})
            else:
                of_rows = coded._replace(column=some["truth"], codes=coded.codes[rows])
                found.update(self.tables(some, of_rows, label))
            weight = np.asarray(some["weight"].values, float) if "weight" in some else np.ones(len(rows))
            facts = np.array([len(rows), weight.sum(), weight @ weight])
            self.facts[label] = self.facts.get(label, 0) + facts
        first = np.array([groups.rows(i)[0] for i in range(len(groups.labels))])
        self.first.append({role: taken(one, first) for role, one in self._apart(columns)[0].items()})
        return found

    def exceeded(self, parts: Iterable[Parts]) -> bool:
        """Whether the summaries are more than the memory holds. Raises InputError for matrices."""
        if self.apply:
            return super().exceeded(parts)
        cells = sum(one.weights.size for part in parts for one in part.values())
        if memory.exceeds(CELL * cells, self.cases.spec.memory):
            problem = f"the matrices of the groups have {cells:,} cells, more than it holds"
            raise InputError("unsupported", "memory", problem, "pass more, or fewer groups or classes")
        return False

    def of_groups(self, total: Parts) -> tuple[Index, Mapping[Any, Sequence[Any]], list[Cases]]:
        """The groups of all cases, by model the summary of each, and the facts about each."""
        total = self.whole(total + self.summed())
        self.cases.memory = self.memory
        of_groups = {role: joined([one[role] for one in self.first]) for role in self.first[0]}
        labels = groups_of(list(of_groups.values()), self.names, self.argument).labels
        facts = [self.facts[label] for label in labels]
        groups = Index(np.arange(len(labels)), labels, self.names, [int(one[0]) for one in facts])
        source = Source(self.cases.source.name, iter(()))
        parts = [
            replace(self.cases, source=source, progress=None, rows=int(rows), weight=weight,
                    weight_squares=squares, weightless=0, dropped=0, dropped_unanswered=0)
            for rows, weight, squares in facts
        ]  # fmt: skip
        binned = any(isinstance(one, BinnedTable) for one in total.values())
        tables = {name: [total[name, label] for label in labels] for name in self.cases.models}
        if binned:
            tables = {name: [BinnedTable.joined([one]) for one in each] for name, each in tables.items()}
        return groups, tables, parts
