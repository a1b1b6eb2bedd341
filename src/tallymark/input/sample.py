"""A sample: the cases that a verb measures, with the outputs of all models and the index columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np

from .. import kernels
from . import memory
from .arguments import CLUSTERS, OF_UNITS, PERSONS
from .data_info import DataInfo, Task
from .errors import InputError
from .weighting import are_ones, effective, ones

Array = np.ndarray[Any, np.dtype[Any]]
CASE = 40  # bytes of memory for a case of two models, one by one
MOST_CASES = 1 << 28  # made of weights: some 4 GB
SMALL = 1 << 16  # codes below it are sorted by counting


def name_of_units(units: Array) -> str:
    """What units are. units: the cluster of each case, or in two rows its two persons."""
    return CLUSTERS if units.ndim == 1 else PERSONS


@dataclass(frozen=True, eq=False)
class Index:
    """A column that divides cases: by cluster, group, fold, sample or person.

    codes: the number of each case, or of each entry, of which `cases` has the numbers of cases, from 0 on;
    labels: by number; of groups and folds the label in each of `columns`, the names of their columns.
    """

    codes: Array
    labels: Sequence[Any]
    columns: tuple[str, ...] = ()
    cases: Sequence[int] | None = None

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The name of each group: its labels, with the columns where those alone are not distinct."""
        short = [", ".join(str(_plain(label)) for label in one) for one in self.labels]
        if len(set(short)) == len(short):
            return tuple(short)
        long = [
            ", ".join(f"{name}={label!r}" for name, label in zip(self.columns, one, strict=True))
            for one in self.labels
        ]
        return tuple(long)

    @cached_property
    def sizes(self) -> Array:
        """The number of rows of each group."""
        return np.bincount(self.codes, minlength=len(self.labels))

    @property
    def numbers(self) -> Array:
        """The number of cases of each group."""
        return self.sizes if self.cases is None else np.bincount(self.codes, self.cases).astype(np.int64)

    def rows(self, group: int) -> Array:
        """The indices of the rows of a group, in their order."""
        first = self._starts[group]
        return self._order[first : first + self.sizes[group]]

    @cached_property
    def _starts(self) -> Array:
        return np.cumsum(self.sizes) - self.sizes

    @cached_property
    def _order(self) -> Array:
        """The rows, sorted by group once for all groups."""
        small = self.codes.astype(np.uint16) if len(self.labels) <= SMALL else self.codes
        return np.argsort(small, kind="stable")


@dataclass(frozen=True, eq=False)
class Sample:
    """Cases with the outputs of one model or several.

    truth: of two classes whether a case is positive, shape (n,); of several the place of its class among the
    labels; of several labels per case indicators, shape (n, labels); of a regression amounts. output: by
    model, shape (n,) or (n, classes): scores, higher for positives, in their own type; predicted classes
    coded as the truth, len(labels) for an answer that is no class; or amounts. models: their names, None for
    the only one without. weight: above 0, without weights a view of a single 1; squares: the squared weight
    of each case, and where the weights are numbers of cases the weights themselves. index: by "cluster",
    "group", "fold", "sample", "person_1", "person_2". labels: of the classes, the negative one before the
    positive one. info: sizes, dropped rows, source. score_kind, higher_is_positive: as they were passed;
    ordered: whether the classes are in their order; no_answer: by model whether there are answers that are no
    class; affix: the text before and after the labels in the names of columns; memory: the argument; views:
    summaries, by model.
    """

    task: Task
    kind: Literal["score", "predicted"]
    truth: Array
    output: tuple[Array, ...]
    models: tuple[str | None, ...]
    weight: Array
    squares: Array
    index: Mapping[str, Index]
    labels: tuple[Any, ...]
    info: DataInfo
    score_kind: str | None = None
    higher_is_positive: bool = True
    ordered: bool | None = False
    no_answer: tuple[bool, ...] = ()
    affix: tuple[str, str] | None = None
    memory: Any = None
    views: dict[Any, Any] = field(default_factory=dict, repr=False)

    def __len__(self) -> int:
        return len(self.truth)

    @property
    def strata(self) -> Array:
        """The class of each case as a code: of two classes 0 for positives; 0 where there are no classes."""
        if self.task == "multiclass":
            return self.truth
        return (~self.truth).view(np.uint8) if self.task == "binary" else np.zeros(len(self), np.uint8)

    @property
    def columns_of_units(self) -> list[Index]:
        """The column of the units that were sampled, or those of two persons; none where the cases were."""
        names = next((names for names in OF_UNITS.values() if names[0] in self.index), ())
        return [self.index[name] for name in names]

    @cached_property
    def units(self) -> Array | None:
        """The units that were sampled and occur, from 0 on; None where the cases were.

        They are the cluster of each case, or in two rows its two persons, who may be one.
        """
        columns = self.columns_of_units
        if not columns:
            return None
        codes = np.stack([one.codes for one in columns])
        found: Array = np.unique(codes, return_inverse=True)[1].reshape(codes.shape)
        return found if len(columns) > 1 else found[0]

    @property
    def counts(self) -> bool:
        """Whether weights are numbers of cases."""
        return self.squares is self.weight

    def take(self, rows: Array) -> Sample:
        """These cases, in this order, with the labels and the kind of weights of all."""
        weight = kernels.taken(self.weight, rows)
        squares = weight if self.counts else kernels.taken(self.squares, rows)
        index = {name: replace(one, codes=one.codes[rows]) for name, one in self.index.items()}
        truth, output = self.truth[rows], tuple(one[rows] for one in self.output)
        info = self._info_of(truth, weight, squares)
        part: dict[str, Any] = {"truth": truth, "output": output, "weight": weight, "squares": squares}
        return replace(self, **part, index=index, info=info, views={})

    def where(self, **codes: int) -> Sample:
        """The cases with this number in a column, as where(group=2)."""
        [(name, code)] = codes.items()
        return self.take(self.index[name].rows(code))

    def only(self, model: int) -> Sample:
        """One of the models."""
        views = {0: self.views[model]} if model in self.views else {}
        lacking = self.no_answer[model : model + 1]
        return replace(
            self, output=(self.output[model],), models=(self.models[model],), no_answer=lacking, views=views
        )

    def one_by_one(self) -> Sample:
        """The same, where a case with a count of 2 is two cases.

        Raises InputError where they are more than the memory holds.
        """
        if are_ones(self.weight) or not self.counts:
            return self
        cases = float(self.weight.sum())
        if memory.exceeds(int(CASE * cases), self.memory):
            needs = f"{cases:,.0f} cases need {CASE * cases / 2**20:,.0f} MiB"
            problem = f"cases are compared and resampled case by case, and by their weights {needs}"
            raise InputError("unsupported", "memory", problem, "pass more, or some of the rows, or evaluate")
        if cases > MOST_CASES:
            problem = f"the weights stand for {cases:.4g} cases, too many to take one by one"
            raise InputError("unsupported", "weight", problem, "use fewer, or evaluate")
        rows = self.each_case
        weight = ones(len(rows))
        return replace(self.reordered(rows), weight=weight, squares=weight, info=self.info)

    @cached_property
    def each_case(self) -> Array:
        """The row of each case, where weights are numbers of cases."""
        return np.repeat(np.arange(len(self)), self.weight.astype(np.int64))

    def reordered(self, rows: Array) -> Sample:
        """All cases by their rows, in another order or each by itself: with the tables of scores known."""
        scored = self.task == "binary" and self.kind == "score"
        views = {i: table for i, table in self.views.items() if isinstance(i, int)} if scored else {}
        return replace(self.take(rows), views=views)

    def _info_of(self, truth: Array, weight: Array, squares: Array) -> DataInfo:
        """The facts about some of the cases."""
        total = float(weight.sum())
        positives = negatives = None
        if self.task == "binary":
            positives = float(weight[truth].sum())
            negatives = total - positives
        rows = len(truth) if self.info.weighted else int(total)
        cases = None if squares is weight else effective(total, squares.sum())
        return DataInfo(
            rows, positives, negatives, self.info.weighted, self.info.source, effective_rows=cases,
            weight_kind=self.info.weight_kind,
        )  # fmt: skip


def _plain(label: Any) -> Any:
    """A whole number without a point."""
    return int(label) if isinstance(label, float) and label.is_integer() else label
