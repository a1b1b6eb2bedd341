"""The description of cases: the arguments that all entry points share, checked before reading."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from . import memory, validate
from .arguments import OF_UNITS, PERSONS, CaseArguments as CaseArguments, DeclaredCases
from .columns import Column, Levels
from .errors import InputError, option
from .labels import NotAnAnswer, declared_texts
from .sample import BY, FOLD, both_persons, columns_by
from .score_columns import (
    ANSWERS,
    TWO,
    Roles,
    columns_of,
    is_indicator,
    refuse_twice,
    role_of,
    roles_of,
    several_columns,
)
from .validate import OF_MODELS, names_of_models
from .where import WHERE, Condition, condition

PROBABILITIES = ("probability", "logit")
BINS, FEWEST_BINS = 1 << 16, 64  # rows that are fetched from an engine; the fewest of a model or group
SCORE_KINDS = (*PROBABILITIES, "margin", "llr")
# arguments that are columns
COLUMNS = (
    "truth",
    "score",
    "predicted",
    "baseline_score",
    "judge",
    "weight",
    "clusters",
    "persons",
    "sample",
    "by",
    "fold",
    "pair_by",
)
AMOUNTS = ("truth", "predicted")  # of a regression


@dataclass(frozen=True, eq=False, kw_only=True)
class CaseSpec(DeclaredCases):
    """A description of cases. Columns are arrays, or with data the names of its columns.

    truth, predicted: labels; score: a column; a list of names, or a two-dimensional array: one column per
    class, in the order of `classes`, matched by name where they have names (of two, which add up to 1, that
    of the positive class is the score); or a mapping from names of models to such columns; predicted may be a
    mapping, too. baseline_score: scores or labels of the model in use, as those of the new one; judge: labels
    or amounts of all cases, with which truth may be missing; weight, weight_kind: the weight of each case;
    clusters: the cluster of each case; persons: the two persons of each comparison; sample: the sample of
    each case, of several; by: a column, or several, of whose values each combination is a group; fold: the
    fold of each case, or its repeat and its fold; pair_by: the name of each case; positive: the positive
    label; predicted_positive: of predicted labels in other words, the one that means it; not_an_answer:
    predicted values that name no class; classes: all labels; ordered: whether these are in their order;
    higher_is_positive: the direction of scores; score_kind: their kind; missing: "reject" or "drop";
    regression: whether truth and predicted are amounts; where: a condition on rows; memory: for summaries;
    numbers: roles of numbers, besides scores, weights and these amounts;
    class_weights: by label the weight of its cases, in place of `weight`; bins, tolerance: of
    cases that are counted in an engine. Raises InputError.
    """

    numbers: tuple[str, ...] = ()
    class_weights: Mapping[Any, float] | None = None
    bins: int | None = BINS
    tolerance: float | None = None

    def __post_init__(self) -> None:
        validate.choice(self.missing, ("reject", "drop"), "missing")
        validate.flag(self.regression, "regression")
        validate.flag(self.ordered, "ordered")
        if self.bins is not None:
            validate.whole(self.bins, "bins", FEWEST_BINS, 1 << 40)
        if self.tolerance is not None:
            validate.number(self.tolerance, "tolerance", 0.0, 1.0)
        validate.label_of(self.positive, "positive")
        memory.checked(self.memory)
        _ = self.condition
        validate.label_of(self.predicted_positive, "predicted_positive")
        called = self.predicted if self.judge is None else self.judge
        for name in ("predicted_positive", "not_an_answer"):
            if getattr(self, name) is not None and (called is None or self.regression):
                raise InputError(
                    "conflict",
                    name,
                    "it is for predicted labels",
                    f"pass {option('predicted')}, or leave it out",
                )
        check_score_kind(self.score_kind, self.higher_is_positive)
        if self.clusters is not None and self.persons is not None:
            raise InputError(
                "conflict",
                "clusters, persons",
                "cases are in clusters, or share persons, not both",
                "leave one of the two out",
            )
        for name in OF_MODELS:
            if isinstance(getattr(self, name), Mapping):
                names_of_models(name, getattr(self, name))

    @property
    def kind(self) -> str:
        """ "score" or "predicted". Raises InputError where not exactly one is given."""
        return validate.one_of({"score": self.score, "predicted": self.predicted})

    @cached_property
    def given(self) -> dict[str, Any]:
        """The columns given, by argument."""
        return {name: getattr(self, name) for name in COLUMNS if getattr(self, name) is not None}

    @property
    def units(self) -> str | None:
        """The argument that says which cases depend on each other: "clusters" or "persons"; None without."""
        return next((name for name in OF_UNITS if getattr(self, name) is not None), None)

    @cached_property
    def words(self) -> NotAnAnswer | None:
        """The predicted values that name no class."""
        return NotAnAnswer.of(self.not_an_answer)

    @cached_property
    def condition(self) -> Condition | None:
        """What rows have to fulfil."""
        return None if self.where is None else condition(self.where)

    @property
    def named_classes(self) -> frozenset[str]:
        """The texts among the labels in `classes` and `positive`, which are no missing values."""
        return declared_texts(self.positive, self.classes)

    def levels(self, truth: Column | None, occurring: Sequence[Any]) -> Levels | None:
        """All classes that are named, or that the type of truth declares; None where neither is the case.

        Of a type without an order those of two classes, of which one occurs. Raises InputError for text in an
        order that is not known.
        """
        if self.classes is not None:
            return Levels(validate.labels(self.classes, "classes"), self.ordered)
        declared = None if truth is None else truth.levels
        if declared is not None and {*occurring} <= {*declared.labels}:
            two = len(occurring) <= TWO and (self.positive is not None or len(declared.labels) == TWO)
            if len(declared.labels) == TWO or (declared.ordered and not two):
                return declared
        if self.ordered and any(isinstance(label, str) for label in occurring):
            raise no_order()
        return None

    @property
    def amounts(self) -> tuple[str, ...]:
        """The roles of numbers, besides scores and weights."""
        return self.numbers + (AMOUNTS if self.regression else ())

    def of_columns(self, columns: Mapping[str, Any]) -> CaseSpec:
        """The same description with these columns, by argument."""
        return replace(self, **columns)

    def columns(self, arrays: bool) -> dict[str, Any]:
        """The columns to read, by role.

        "score", or "score 1", ... per class; "score NAME", or "score 1 of NAME", ... for a named model.
        """
        parts = (self._columns_of(kind, values, arrays) for kind, values in self.given.items())
        found = [one for part in parts for one in part]
        refuse_twice(role for role, _ in found)
        if arrays and self.condition is not None:
            raise InputError(
                "conflict", WHERE, "it names columns of data", "pass the data, or choose the rows before"
            )
        rows = {} if self.condition is None else self.condition.columns
        return dict(found) | rows

    def _columns_of(self, kind: str, values: Any, arrays: bool) -> list[tuple[str, Any]]:
        """The columns of one argument, by role."""
        if kind in ANSWERS:
            return columns_of(values, arrays, self.roles(kind, arrays))
        if kind == PERSONS:
            return list(both_persons(values).items())
        return list(columns_by(values, arrays, kind).items()) if kind in (BY, FOLD) else [(kind, values)]

    def models(self, arrays: bool) -> dict[str | None, tuple[str, ...]]:
        """By model the roles of its columns of scores or labels in a batch.

        One role of two classes and of labels, or one per class; the model None has no name.
        """
        kind = next((one for one in self.given if one in OF_MODELS), None)
        if kind is None:
            return {}
        found = self.roles(kind, arrays).items()
        return {name: parts if len(parts) > TWO else (role_of(kind, name),) for name, parts in found}

    def pairs(self, arrays: bool) -> dict[str, tuple[str, ...]]:
        """By role of a score that is given as two columns, one per class, the roles of these."""
        return {
            role_of(kind, name): parts
            for kind in self.given
            if kind in ANSWERS
            for name, parts in self.roles(kind, arrays).items()
            if len(parts) == TWO
        }

    def roles(self, kind: str, arrays: bool) -> Roles:
        """By model the roles of its columns of this kind, "score" or "predicted" say."""
        known = self._known_roles
        if (kind, arrays) not in known:
            known[kind, arrays] = roles_of(kind, self.given[kind], arrays)
        return known[kind, arrays]

    @cached_property
    def _known_roles(self) -> dict[tuple[str, bool], Roles]:
        return {}


def no_order() -> InputError:
    """The error for text labels that are said to be ordered, in no order."""
    return InputError(
        "needed",
        "classes",
        "text has no order of its own",
        f"name all classes in their order with {option('classes')}",
    )


def no_truth() -> InputError:
    """The error for missing truth."""
    return InputError("needed", "truth", "the actual labels are missing", f"pass {option('truth')}")


def turned() -> InputError:
    """The error for probabilities with higher_is_positive=False."""
    return InputError(
        "conflict",
        "higher_is_positive",
        "a higher probability, or logit, means more positive",
        "leave it out, or turn the scores",
    )


def check_score_kind(score_kind: str | None, higher_is_positive: bool) -> None:
    """Raises InputError for an unknown kind, and for one that does not fit the direction."""
    validate.flag(higher_is_positive, "higher_is_positive")
    if score_kind is not None:
        validate.choice(score_kind, SCORE_KINDS, "score_kind")
        if score_kind in PROBABILITIES and not higher_is_positive:
            raise turned()


def check_two_columns(spec: CaseSpec) -> None:
    """Raises InputError for options that do not fit two columns, which are probabilities of the classes."""
    if not spec.higher_is_positive:
        raise InputError(
            "conflict",
            "higher_is_positive",
            "of two columns each has the probability of its class",
            "leave it out, or pass one",
        )
    if spec.score_kind not in (None, "probability"):
        raise InputError(
            "conflict",
            "score_kind",
            f"two columns, one per class, are probabilities, not {spec.score_kind!r}",
            "pass one score per case",
        )


def only_two_classes(
    what: str, truth: Any, scores: Iterable[Any], of_data: bool, otherwise: str = ""
) -> None:
    """Raises InputError for a score per class, and for cases with several labels.

    what: what needs two classes; scores: one column, or a score per class, of each model; of_data: whether
    columns are named; otherwise: what to use instead.
    """
    if not of_data and is_indicator(truth):
        raise InputError(
            "unsupported",
            "truth",
            f"{what} needs two classes, and several labels per case are not supported",
            "take one label at a time, as truth[:, 0], or measure all of them with "
            f"evaluate({option('truth')}, {option('predicted')})",
        )
    if any(several_columns(one, not of_data) for one in scores):
        raise InputError(
            "unsupported",
            "score",
            f"{what} needs two classes, and a score per class is not supported",
            "take one class against the rest, as truth == label with the score of that"
            f" label{otherwise and ', or '}{otherwise}",
        )
