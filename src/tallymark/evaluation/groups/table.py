"""The result of `evaluate` with `by`: an evaluation of each group, and of all cases, by model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import combinations
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

import numpy as np

from ...input import CaseSpec, text
from ...input.grouping import BY
from ...input.labels import BinaryLabels
from ...input.results import Tabular, head, rows_of
from ...input.sample import Array, Index, Sample
from ...input.score_columns import by_name
from ...input.spelling import option
from ...input.text import json_label
from ...input.validate import InputError, NoSuchEntry, nearest, shown
from ...summaries.engines import Engine
from ..applicable import form_of, refuse
from ..arguments import EvaluationOptions
from ..evaluations import Progress, limits_of
from ..notices import Notice
from ..paired.comparison import KeptCases
from ..paired.models import Influences
from ..results import BinaryEvaluation, Evaluation, EvaluationTable, MulticlassEvaluation
from ..results.lacking import NotOfTask
from ..results.table import LONGEST, ByModel, columns_of
from .differences import Compared, GroupDifferences, differences, of_parts
from .fairness import CALIBRATION, CRITERIA, Fairness, disparity, refuse_other_tasks
from .parts import Partition, Summaries, split_by, without_one_name

FEWEST = 10  # cases of each class; a group with fewer is not ranked
MOST_PAIRS = 2_000  # of groups


T = TypeVar("T", bound=EvaluationTable)


class OfParts:
    """A mapping from the names of parts to their evaluations; a part is known by its label, too."""

    table = Tabular.table  # of the plain values, not of each evaluation

    if TYPE_CHECKING:
        OF: ClassVar[str]
        MOST: ClassVar[int]
        evaluations: Mapping[str, Evaluation]
        whole: Evaluation
        groups: Index
        selected: tuple[str, ...] | None
        _names: Callable[[], str]

        def __iter__(self) -> Any: ...

    def __getitem__(self, name: Any) -> Evaluation:
        """The evaluation of a part, by its name or its label. Raises InputError for an unknown one."""
        found = self.evaluations[self._known(name)]
        return found if self.selected is None else found[list(self.selected)]

    def _known(self, name: Any) -> str:
        known = name if name in self.evaluations else self._by_label.get(_key(name))
        if known is None:
            raise NoSuchEntry(
                "unknown-name",
                None,
                f"{shown(name)} is not a {self.OF} here{nearest(name, self.evaluations)}",
                f"there are {self._names()}",
                value=name,
            )
        return known

    def place_of(self, name: Any) -> int:
        """The index of a part, by its name or its label. Raises InputError for an unknown one."""
        return list(self.evaluations).index(self._known(name))

    def __contains__(self, name: object) -> bool:
        return name in self.evaluations or _key(name) in self._by_label

    @cached_property
    def _by_label(self) -> dict[Any, str]:
        return dict(zip(self.groups.labels, self.groups.names, strict=True))

    @cached_property
    def sizes(self) -> dict[str, int]:
        """The number of cases of each part."""
        return dict(zip(self.groups.names, self.groups.numbers.tolist(), strict=True))

    @cached_property
    def measures(self) -> tuple[str, ...]:
        """The measures of a row: those that were chosen, or some of the first screen."""
        return columns_of([self.whole], self.MOST) if self.selected is None else self.selected

    def choose(self, measures: str | Sequence[str]) -> Self:
        """The same parts with these measures only. Raises InputError where the data do not allow one."""
        names = [measures] if isinstance(measures, str) else list(measures)
        chosen = self.whole[names].selected
        return replace(self, selected=chosen)  # type: ignore[type-var]  # its classes are dataclasses

    def named(self, name: str) -> Self:
        """The same parts with a name, which texts and pages show."""
        return replace(self, whole=self.whole.named(name))  # type: ignore[type-var]

    def _plain(self, name: str, labels: Sequence[Any], **more: Any) -> dict[str, Any]:
        """The plain values of a part: its labels, sizes and measures."""
        e = self.evaluations[name]
        sizes = {"rows": e.data.rows, "positives": e.data.positives, "negatives": e.data.negatives}
        return {
            "labels": [json_label(label) for label in labels],
            **{key: size for key, size in sizes.items() if size is not None},
            **more,
            "measures": {measure: e[measure].to_dict() for measure in self.measures},
        }


@dataclass(frozen=True, eq=False, repr=False)
class GroupTable(OfParts, EvaluationTable):
    """The evaluations of the groups of some cases, by the name of the group, in ascending order.

    Attributes
    ----------
    evaluations : mapping of str to Evaluation
        By group; each is made when it is asked for, with the classes and the threshold of all cases.
    whole : Evaluation
        That of all cases.
    groups : Index
        The columns, the labels of each group in these, and the group of each case.
    reference : str or None
        The group from which the differences are; None for differences from all cases.
    selected : tuple of str or None
        The measures that were chosen; None for three of the first screen.

    Notes
    -----
    `table` has a row for each group and measure. A group with fewer than 10 cases of a class is not ranked,
    nor compared with others as the highest or the lowest.
    """

    ANSWER = "groups"
    FORM = "groups.groups"
    HOLDS = None
    OF = "group"
    MOST = 3

    whole: Evaluation
    groups: Index
    _parts: Partition = field(repr=False)
    selected: tuple[str, ...] | None = None

    @property
    def by(self) -> tuple[str, ...]:
        """The names of the columns."""
        return self.groups.columns

    def is_small(self, name: str) -> bool:
        """Whether a group has fewer than 10 cases of a class, so that it is not ranked."""
        return smallest_class(self[name]) < FEWEST

    def regrouped(self, columns: Sequence[str]) -> GroupTable:
        """The groups by some of the columns only, of the same cases."""
        places = [self.by.index(name) for name in columns]
        labels = [tuple(one[i] for i in places) for one in self.groups.labels]
        distinct = sorted(set(labels))
        codes = np.array([distinct.index(one) for one in labels])[self.groups.codes]
        groups = Index(codes, distinct, tuple(columns), self.groups.cases)
        return table_of(replace(self._parts, groups=groups, known={}), None)

    # Differences
    # ----------------------------------------------------------------------------------------------

    @cached_property
    def differences(self) -> GroupDifferences:
        """Of each group from all cases, or from the reference, with simultaneous intervals."""
        return self.differences_of(list(self))

    def differences_of(self, groups: Sequence[str]) -> GroupDifferences:
        """The same of some groups: the intervals are simultaneous for these."""
        self._measure(groups)
        pairs = [(name, self.reference) for name in groups if name != self.reference]
        return differences(pairs, self.measures, self.whole.settings.level, self._compared)

    @cached_property
    def pairs(self) -> GroupDifferences:
        """The differences between each two groups that are not small, with simultaneous intervals."""
        names = [name for name in self if not self.is_small(name)]
        pairs: list[tuple[str, str | None]] = list(combinations(names, 2))
        if len(pairs) > MOST_PAIRS:
            raise InputError(
                "unsupported",
                "pairs",
                f"{len(names)} groups have {len(pairs):,} pairs, more than {MOST_PAIRS:,}",
                f"use .differences, or evaluate with {option('reference', names[0])}",
            )
        return differences(pairs, self.measures, self.whole.settings.level, self._compared)

    def _measure(self, groups: Sequence[str]) -> None:
        """Estimates the measures of these groups, several groups at once."""
        of_parts(lambda i: [self[groups[i]][one] for one in self.measures], len(groups), self.whole)

    def _compared(self, level: float) -> Compared:
        return Compared(self.evaluations, self.whole, level, self._influences)

    @cached_property
    def _influences(self) -> Influences:
        return Influences(self._evaluation, self._parts.units)

    def _evaluation(self, name: str | None) -> Evaluation:
        return self.whole if name is None else self.evaluations[name]

    @cached_property
    def fairness(self) -> Fairness:
        """The criteria of fairness between groups that are not small, as differences and ratios.

        Raises InputError for more than two classes, and for amounts.
        """
        refuse_other_tasks(self.whole.task)
        small = tuple(name for name in self if self.is_small(name))
        groups, level = tuple(name for name in self if name not in small), self.whole.settings.level
        found = {
            name: disparity(name, groups, level, self._compared)
            for name, measures in CRITERIA.items()
            if all(measure in self.whole.estimates for measure in measures)
        }
        measures = [name for name in CALIBRATION if name in self.whole.estimates] if groups else []
        compared = self._compared(level ** (1 / max(len(groups) * len(measures), 1)))
        within = {one: {name: compared.estimate(name, one) for name in groups} for one in measures}
        return Fairness(found, self.by, groups, small, level, within, self.whole.notices_of_data)

    # As other results
    # ----------------------------------------------------------------------------------------------

    @property
    def notices(self) -> tuple[Notice, ...]:
        """What to consider when reading the results of all cases."""
        return tuple(self.whole.notices)

    @classmethod
    def rows_in(cls, plain: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The rows of `table`, one per group and measure, with the labels of the group."""
        return rows_of(
            {
                "group": name,
                **_labelled(plain["by"], one["labels"]),
                "cases": one["rows"],
                "measure": measure,
                **found,
            }
            for name, one in plain["groups"].items()
            for measure, found in one["measures"].items()
        )

    @classmethod
    def estimates_in(cls, plain: Mapping[str, Any]) -> Mapping[Any, Mapping[str, Any]]:
        """The estimates by measure and group."""
        return {
            (measure, name): found
            for name, one in plain["groups"].items()
            for measure, found in one["measures"].items()
        }

    def to_dict(self) -> dict[str, Any]:
        """Plain values: of each group its labels, sizes and measures; all cases; and the differences."""
        self._measure(list(self))
        return {
            **head(self.ANSWER),
            "by": list(self.by),
            "reference": self.reference,
            "selected": list(self.measures),
            "whole": self.whole[list(self.measures)].to_dict(),
            "groups": {
                name: self._plain(name, labels, ranked=not self.is_small(name))
                for name, labels in zip(self.groups.names, self.groups.labels, strict=True)
            },
            "differences": self.differences.to_dict(),
            "notices": [notice.to_dict() for notice in self.notices],
        }

    @property
    def instead(self) -> str:
        """What to pass where cases or an evaluation are taken."""
        return (
            f"it holds evaluations of {len(self)} group{'s' * (len(self) != 1)}; pass one of them by its"
            " name, as table['name'], or .whole"
        )

    def __repr__(self) -> str:
        return (
            f"<GroupTable of {len(self)} group{'s' * (len(self) != 1)} by {', '.join(self.by)}:"
            f" {text.label(self._names(), 2 * LONGEST)}>"
        )


def table_of(parts: Partition, reference: str | None) -> GroupTable:
    """The table of these groups. Raises InputError for a reference that is not one of them."""
    groups = parts.groups
    if reference is not None and reference not in parts.places:
        problem = f"{shown(reference)} is not a group here{nearest(reference, parts.places)}"
        way_out = f"there are {', '.join(map(shown, groups.names[:6]))}"
        raise InputError("unknown-name", "reference", problem, way_out, value=reference)
    return GroupTable(parts.each, parts.whole, groups, parts, reference=reference)


def smallest_class(e: Evaluation) -> float:
    """The number of cases of the smallest class, of those with importance weights the effective number."""
    sizes = [float(e.data.rows)]
    if isinstance(e, BinaryEvaluation):
        sizes = [float(e.data.positives or 0), float(e.data.negatives or 0)]
    elif isinstance(e, MulticlassEvaluation):
        sizes = e.matrix.class_sizes.tolist()
    effective = e.data.effective_rows
    return min(sizes) if effective is None else min(sizes) * effective / (sum(sizes) or 1.0)


def _labelled(columns: Sequence[str], labels: Sequence[Any]) -> dict[str, Any]:
    """The labels by column; a column with the name of another entry gets "by " before its own."""
    taken = {"group", "cases", "measure", "value", "low", "high", "level", "method", "undefined", "note"}
    return {
        f"by {name}" if name in taken else name: label for name, label in zip(columns, labels, strict=True)
    }


def _key(name: Any) -> Any:
    """The labels of a part, of which one alone may stand for itself."""
    try:
        hash(name)
    except TypeError:
        return None
    return name if isinstance(name, tuple) else (name,)


# Several models
# -------------------------------------------------------------------------------------------------------


class TablesOfModels(ByModel[T]):
    """What tables of parts of the cases have in common that there are of several models, by their names."""

    PARTS = "tables"
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


# From cases
# -------------------------------------------------------------------------------------------------------


def of_groups(
    data: Any, spec: CaseSpec, options: EvaluationOptions, threshold: Any, reference: str | None,
    progress: Progress,
) -> GroupTable | GroupTables:  # fmt: skip
    """The evaluations of the groups of cases, read once. Raises InputError."""
    spec, threshold = without_one_name(spec, threshold)
    form = form_of(spec, data is None)
    refuse(form, spec, options, threshold)
    engine = Engine.of(data, spec) if form == "scores" and spec.units is None else None
    if engine is None or engine.few:
        parts, sample = split_by(BY, data, spec, options, threshold, progress, engine)
    else:
        engine.edges = limits_of(threshold, by_name(spec.score))
        parts, sample = _in_engine(engine, spec, options), None
    tables = {name: table_of(one, reference) for name, one in parts.items()}
    if None in tables:
        return tables[None]
    return GroupTables({str(name): table for name, table in tables.items()}, sample, options)


def _in_engine(engine: Engine, spec: CaseSpec, options: EvaluationOptions) -> dict[str | None, Partition]:
    """The groups of cases that are counted in an engine."""
    labels = BinaryLabels(spec.positive, spec.classes)
    cases, tables = engine.tables(labels)
    parts, limits = engine.parts, engine.edges
    groups = replace(engine.groups, codes=np.arange(len(parts)), cases=[one.rows for one in parts])
    source = partial(Summaries, spec, cases.data, parts=parts, labels=labels.pair())
    return {
        name: Partition(groups, source(summaries=one), options, limits[name]) for name, one in tables.items()
    }
