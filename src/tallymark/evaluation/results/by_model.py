"""What mappings from the names of models to their evaluations, or to their tables, have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, ClassVar, Generic, Self, TypeVar

from ...input.results import Answer, Plotted, Tabular, head, rows_of
from ...input.validate import NoSuchEntry, nearest, shown
from ..notices import Notice, of_model

SHOWN = 6  # number of models that a message, or the short form, lists
T = TypeVar("T")


class ByModel(Answer, Tabular, Plotted, Mapping[str, T], Generic[T]):
    """By the name of a model its evaluation, or its table."""

    HOLDS: ClassVar[str | None] = "models"
    EACH: ClassVar[str]  # the field of these
    KIND: ClassVar[type[Any]]  # their type

    @property
    def _each(self) -> Mapping[str, T]:
        return getattr(self, self.EACH)

    def _with(self, change: Callable[[Any], Any]) -> Self:
        changed = {name: change(one) for name, one in self.items()}
        return replace(self, **{self.EACH: changed})  # type: ignore[type-var]  # its classes are dataclasses

    def __getitem__(self, name: str) -> T:
        """That of a model. Raises InputError (a KeyError) for an unknown name."""
        if not isinstance(name, str) or name not in self._each:
            problem = f"{shown(name)} is not a model here{nearest(name, self._each)}"
            raise NoSuchEntry("unknown-name", None, problem, f"there are {self._names()}", value=name)
        return self._each[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._each)

    def __len__(self) -> int:
        return len(self._each)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name in self._each

    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        return self is other

    def named(self, name: str) -> Self:
        """The same with a name, which texts and pages show."""
        return self._with(lambda one: one.named(name))

    @property
    def notices(self) -> tuple[Notice, ...]:
        """What to consider when reading the results, for each model under its name."""
        every: Mapping[str, Any] = self
        return tuple(of_model(name, notice) for name, one in every.items() for notice in one.notices)

    @property
    def table(self) -> list[dict[str, Any]]:
        """The rows of each model, as plain values."""
        every: Mapping[str, Any] = self
        return rows_of({"model": name, **row} for name, one in every.items() for row in one.table)

    @classmethod
    def rows_in(cls, plain: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The rows of `table`, made from the plain values."""
        every = ((name, cls.KIND.rows_in(one)) for name, one in plain["models"].items())
        return rows_of({"model": name, **row} for name, rows in every for row in rows)

    def to_dict(self) -> dict[str, Any]:
        """Plain values: those of each model by its name, as "models", and the differences."""
        every: Mapping[str, Any] = self
        return {
            **head(self.ANSWER),
            "models": {name: one.to_dict() for name, one in every.items()},
            "reference": self._paired.compared_with,
            "differences": [one.to_dict() for one in self._paired.differences],
        }

    @property
    def _paired(self) -> Any:
        """What has the differences of the models."""
        return self

    def _names(self) -> str:
        some = ", ".join(map(shown, list(self)[:SHOWN]))
        return some if len(self) <= SHOWN else f"{some} and {len(self) - SHOWN} more"
