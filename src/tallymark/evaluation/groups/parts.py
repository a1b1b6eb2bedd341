"""What tables of parts of some cases, groups or folds, have in common."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Self

from ...input.sample import Index
from ...input.text import json_label
from ...input.validate import NoSuchEntry, nearest, shown
from ..class_measures import OnDemand
from ..results import Evaluation
from ..results.table import columns_of
from .splitting import Splitting


class OfParts:
    """A mapping from the names of parts to their evaluations; a part is known by its label, too."""

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


@dataclass(frozen=True, eq=False)
class Made:
    """The evaluations of parts, each made once, when it is asked for."""

    groups: Index
    splitting: Splitting
    known: dict[str, Evaluation] = field(default_factory=dict)

    @cached_property
    def places(self) -> dict[str, int]:
        """The index of each part, by its name."""
        return {name: i for i, name in enumerate(self.groups.names)}

    def evaluation(self, name: str) -> Evaluation:
        """The evaluation of a part."""
        if name not in self.known:
            self.known[name] = self.splitting.part(self.groups.rows(self.places[name]))
        return self.known[name]

    @property
    def each(self) -> OnDemand[str, Evaluation]:
        """The evaluations by name."""
        return OnDemand(self.places, self.evaluation)


def _key(name: Any) -> Any:
    """The labels of a part, of which one alone may stand for itself."""
    try:
        hash(name)
    except TypeError:
        return None
    return name if isinstance(name, tuple) else (name,)
