"""The result of `evaluate` with `by`: an evaluation of each group, and of all cases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import combinations
from typing import Any

import numpy as np

from ...inference import Estimate
from ...input import text
from ...input.results import head, rows_of
from ...input.sample import Array, Index
from ...input.spelling import option
from ...input.validate import InputError, nearest, shown
from ..notices import Notice
from ..results import BinaryEvaluation, Evaluation, EvaluationTable, MulticlassEvaluation
from ..results.table import LONGEST
from .differences import Compared, GroupDifferences, at_level, differences, of_parts
from .fairness import CALIBRATION, CRITERIA, Fairness, calibration_within, disparity, refuse_other_tasks
from .parts import Made, OfParts
from .splitting import Splitting

FEWEST = 10  # cases of each class; a group with fewer is not ranked
MOST_PAIRS = 2_000  # of groups


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
    _splitting: Splitting = field(repr=False)
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
        return table_of(Index(codes, distinct, tuple(columns), self.groups.cases), self._splitting, None)

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
        pairs = list(combinations(names, 2))
        if len(pairs) > MOST_PAIRS:
            raise InputError(
                "unsupported",
                "pairs",
                f"{len(names)} groups have {len(pairs):,} pairs, more than {MOST_PAIRS:,}",
                f"use .differences, or evaluate with {option('reference', names[0])}",
            )
        return differences(
            [(one, other) for one, other in pairs], self.measures, self.whole.settings.level, self._compared
        )

    def _measure(self, groups: Sequence[str]) -> None:
        """Estimates the measures of these groups, several groups at once."""
        of_parts(lambda i: [self[groups[i]][one] for one in self.measures], len(groups), self.whole)

    def _compared(self, level: float) -> Compared:
        return Compared(self.evaluations, self.whole, level, self._units, self._crossed)

    @cached_property
    def _units(self) -> dict[str | None, Array]:
        """The units of the cases of each group, and of all (None); empty where cases are independent."""
        units = self._splitting.units
        if units is None:
            return {}
        each: dict[str | None, Array] = {None: units}
        return each | {name: units[..., self.groups.rows(i)] for i, name in enumerate(self.groups.names)}

    @property
    def _crossed(self) -> bool:
        """Whether some units have cases in several groups."""
        sizes = {name: len(np.unique(units)) for name, units in self._units.items()}
        return sum(sizes.values()) > 2 * sizes.get(None, 0)

    @cached_property
    def fairness(self) -> Fairness:
        """The criteria of fairness between groups that are not small, as differences and ratios.

        Raises InputError for more than two classes, and for amounts.
        """
        refuse_other_tasks(self.whole.task)
        small = tuple(name for name in self if self.is_small(name))
        groups, level = tuple(name for name in self if name not in small), self.whole.settings.level
        found = {
            name: disparity(name, groups, partial(self._estimates, groups), level, self._crossed)
            for name, measures in CRITERIA.items()
            if all(measure in self.whole.estimates for measure in measures)
        }
        measures = [name for name in CALIBRATION if name in self.whole.estimates]
        within = calibration_within(groups, measures, partial(self._estimates, groups), level)
        return Fairness(found, self.by, groups, small, level, within, self.whole.notices_of_data)

    def _estimates(self, groups: Sequence[str], measure: str, level: float) -> list[Estimate]:
        return [at_level(self.evaluations[name], level)[measure] for name in groups]

    # As other results
    # ----------------------------------------------------------------------------------------------

    @property
    def notices(self) -> tuple[Notice, ...]:
        """What to consider when reading the results of all cases."""
        return tuple(self.whole.notices)

    @property
    def table(self) -> list[dict[str, Any]]:
        """One row per group and measure, as plain values, with the labels of the group."""
        return self.rows_in(self.to_dict())

    @classmethod
    def rows_in(cls, plain: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The rows of `table`, made from the plain values."""
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


def table_of(groups: Index, splitting: Splitting, reference: str | None) -> GroupTable:
    """The table of these groups. Raises InputError for a reference that is not one of them."""
    made = Made(groups, splitting)
    if reference is not None and reference not in made.places:
        problem = f"{shown(reference)} is not a group here{nearest(reference, made.places)}"
        way_out = f"there are {', '.join(map(shown, groups.names[:6]))}"
        raise InputError("unknown-name", "reference", problem, way_out, value=reference)
    return GroupTable(made.each, splitting.whole, groups, splitting, reference=reference)


def smallest_class(e: Evaluation) -> float:
    """The number of cases of the smallest class, of those with importance weights the effective number."""
    share = 1.0 if e.data.effective_rows is None else e.data.effective_rows / _weight(e)
    return share * min(_sizes(e))


def _sizes(e: Evaluation) -> list[float]:
    if isinstance(e, BinaryEvaluation):
        return [float(e.data.positives or 0), float(e.data.negatives or 0)]
    if isinstance(e, MulticlassEvaluation):
        found: list[float] = e.matrix.class_sizes.tolist()
        return found
    return [float(e.data.rows)]


def _weight(e: Evaluation) -> float:
    return sum(_sizes(e)) or 1.0


def _labelled(columns: Sequence[str], labels: Sequence[Any]) -> dict[str, Any]:
    """The labels by column; a column with the name of another entry gets "by " before its own."""
    taken = {"group", "cases", "measure", "value", "low", "high", "level", "method", "undefined", "note"}
    return {
        f"by {name}" if name in taken else name: label for name, label in zip(columns, labels, strict=True)
    }
