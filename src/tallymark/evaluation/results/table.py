"""The result of `evaluate` for several models: an evaluation of each, and one table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, Self, TypeVar

from ...input import text, validate
from ...input.calls import public
from ...input.results import Answer, ByName, Entry, Plotted, Result, Tabular, head, rows_of
from ...input.validate import InputError, shown
from ...measures.registry import Headline, Measure
from ..notices import Notice, of_model
from .base import Evaluation
from .lacking import REASONS, NotOfTask

if TYPE_CHECKING:
    from ...curves.crossings import Crossings


SHOWN = 6  # number of models that a message, or the short form, lists
T = TypeVar("T")
K = TypeVar("K")


class ByModel(ByName, Answer, Tabular, Plotted, Mapping[str, T], Generic[T]):
    """By the name of a model its evaluation, or its table."""

    HOLDS: ClassVar[str | None] = "models"
    PART = "a model"
    KIND: ClassVar[type[Any]]  # the type of an evaluation, or a table

    def _with(self, change: Callable[[Any], Any]) -> Self:
        changed = {name: change(one) for name, one in self.items()}
        return replace(self, **{self.PARTS: changed})  # type: ignore[type-var]  # its classes are dataclasses

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
    def entries_in(cls, plain: Mapping[str, Any]) -> Iterator[Entry]:
        """The plain values and the rows of each model by its name."""
        for name, one in plain["models"].items():
            yield name, one, [{"model": name, **row} for row in cls.KIND.rows_in(one)]

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


LONGEST = 60  # characters of a name in a heading


def refuse_answers(data: Any, argument: str = "data") -> None:
    """Raises InputError for a result that is not an evaluation, as the one for several models."""
    if isinstance(data, Result) and data.instead is not None:
        raise InputError("unsupported", argument, data.instead)


class PairedCases(Protocol):
    """The cases of several models, from which their differences are estimated."""

    def differences(self, names: Sequence[str], reference: str, chosen: bool) -> Sequence[Any]: ...


@dataclass(frozen=True, eq=False, repr=False)
class EvaluationTable(ByModel[Evaluation]):
    """The evaluations of several models on the same cases, by the name of the model, in the order given.

    Attributes
    ----------
    evaluations : mapping of str to Evaluation
        By model.
    reference : str or None
        The model from which the differences are; None for the one that is best in the first measure.

    Notes
    -----
    `table` has a row for each measure of each model, with "model" as its first column. `notices` has those of
    all models, each with the name of its model.
    """

    ANSWER = "evaluations"
    FORM = "evaluations.models"
    PARTS = "evaluations"
    KIND = Evaluation
    OF: ClassVar[str] = "model"  # what a row is
    MOST: ClassVar[int] = 6  # measures of a row, where none are chosen

    evaluations: Mapping[str, Evaluation]
    reference: str | None = field(default=None, kw_only=True)
    _cases: PairedCases | None = field(default=None, kw_only=True, repr=False)

    @property
    def usual_figure(self) -> str:
        """The ROC curves, or a forest where not all evaluations have one."""
        return "roc" if {one.usual_figure for one in self.values()} == {"roc"} else self.FIGURE

    def __getattr__(self, name: str) -> Any:
        if not hasattr(type(self), name) and any(name in lacking for lacking in REASONS.values()):
            raise NotOfTask(
                "unsupported",
                name,
                "each model has its own",
                f"take one by its name, as table[{next(iter(self))!r}].{name}",
            )
        return super().__getattr__(name)  # type: ignore[misc]

    @cached_property
    def measures(self) -> tuple[str, ...]:
        """The measures of a row: those that were chosen, or up to six of the first screen."""
        first = next(iter(self.values()))
        return first.selected or columns_of(list(self.values()), self.MOST)

    @cached_property
    def compared_with(self) -> str:
        """The model from which the differences are: the reference, or the best in the first measure."""
        if self.reference is not None or not self.measures:
            return self.reference or next(iter(self))
        measure = self.measures[0]
        values = {name: one[measure].value for name, one in self.items()}
        return best_of(values, next(iter(self.values())).entry(measure))

    @cached_property
    def differences(self) -> Any:
        """The paired differences of the models from one of them, by measure and model; empty for one model.

        By the method "auto" of `compare`, with p-values adjusted by Holm. Those from the best of three models
        or more allow for its choice: all pairs of models are tested together in each measure.
        """
        if self._cases is None or not self.measures:
            return ()
        return self._cases.differences(self.measures, self.compared_with, self.is_chosen)

    @property
    def is_chosen(self) -> bool:
        """Whether the model that others are compared with was chosen as the best in the first measure."""
        if self.reference is not None or not self.measures:
            return False
        return next(iter(self.values())).entry(self.measures[0]).better is not None

    @property
    def not_worse(self) -> tuple[str, ...]:
        """The models not shown to be worse than the best in the first measure, that one first.

        Empty where no value is better, where the differences are from another model, and without differences.
        """
        return not_shown_worse(self.differences) if self.is_chosen else ()

    def choose(self, measures: str | Sequence[str]) -> EvaluationTable:
        """The same models with these measures only. Raises InputError where the data do not allow one."""
        names = [measures] if isinstance(measures, str) else list(measures)
        return self._with(lambda one: one[names])

    @public()
    def crossings(self, first: str | None = None, second: str | None = None) -> Crossings:
        """Where the ROC curves of two models cross, and where each of them is higher.

        Parameters
        ----------
        first, second : str, optional
            The names of the models; needed unless there are two.

        Returns
        -------
        Crossings
            `x` and `y`, the false positive rates and sensitivities of the crossings, and `regions`, each the
            lowest and the highest false positive rate and the name of the model that is higher there.

        Raises
        ------
        InputError
            For names that are no models here, and for models without scores of two classes.
        """
        from ...curves.crossings import crossings

        both = list(self) if first is None and second is None else [first, second]
        if len(both) != 2:
            raise InputError("needed", "first", f"there are {len(both)} models", "name two of them")
        one, other = (validate.choice(name, list(self), "first, second") for name in both)
        models: list[Any] = [self[one], self[other]]
        return crossings(models[0].curve("roc"), models[1].curve("roc"), (one, other))

    @property
    def instead(self) -> str:
        """What to pass where cases or an evaluation are taken."""
        return (
            f"it holds evaluations of {len(self)} model{'s' * (len(self) != 1)}; pass one of them by its"
            " name, as table['name']"
        )

    def __repr__(self) -> str:
        return (
            f"<EvaluationTable of {len(self)} model{'s' * (len(self) != 1)}:"
            f" {text.label(self._names(), 2 * LONGEST)}>"
        )


def best_of(values: Mapping[K, float], entry: Measure) -> K:
    """The model with the best value of a measure, of those that have one; the first if no value is better."""
    if entry.better is None:
        return next(iter(values))
    known = {name: value for name, value in values.items() if value == value}
    return (min if entry.better == "lower" else max)(known or values, key=values.__getitem__)


def not_shown_worse(found: Sequence[Any]) -> tuple[str, ...]:
    """The reference, and the models without a difference from it in the first measure by the adjusted p."""
    of_first = [one for one in found if one.measure == found[0].measure]
    alike = (one.model for one in of_first if not one.adjusted < 1 - one.estimate.level)
    return (found[0].reference, *alike) if found else ()


def columns_of(evaluations: Sequence[Evaluation], most: int) -> tuple[str, ...]:
    """The measures of a table with a row per evaluation: those with a column that all of them have."""
    first, *others = evaluations
    heads = ((first.entry(name).headline, name) for name in first.estimates)
    placed = sorted((_place(head), name) for head, name in heads if head is not None and head.column)
    return tuple(name for _, name in placed if all(name in one.estimates for one in others))[:most]


def _place(head: Headline) -> int:
    return head.column or 0
