"""The models of cases, and the roles of the columns with their scores or predicted labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np

from .errors import InputError
from .score_columns import TWO, named, number_of_columns, score_columns
from .values import names_of_models, shown

Named = dict[str | None, Any]  # by the name of a model; None for the only model, which has no name
Arguments = TypeVar("Arguments", bound=Mapping[str, Any])

SCORES = ("score", "baseline_score")  # arguments that may have a column per class
ANSWERS = ("score", "predicted", "baseline_score")
Roles = dict[str | None, tuple[str, ...]]  # of the columns of each model; None of one without a name
SHOWN = 4  # names of models in a message


def by_name(values: Any) -> Named:
    """The argument of each model, by its name."""
    return dict(values) if isinstance(values, Mapping) else {None: values}


def role_of(kind: str, name: str | None) -> str:
    """The role of the score or labels of a model: "score", or "score NAME". kind: score or predicted."""
    return kind if name is None else f"{kind} {name}"


def roles_of(kind: str, values: Any, arrays: bool) -> Roles:
    """By model the roles of its columns: "score", or per class "score 1", ..., or "score 1 of NAME"."""
    return {name: _roles(kind, name, one, arrays) for name, one in by_name(values).items()}


def _roles(kind: str, name: str | None, values: Any, arrays: bool) -> tuple[str, ...]:
    number = number_of_columns(values, arrays) if kind in SCORES else 1
    if number < TWO:
        return (role_of(kind, name),)
    return tuple(f"{kind} {i + 1}" if name is None else f"{kind} {i + 1} of {name}" for i in range(number))


def columns_of(values: Any, arrays: bool, found: Roles) -> list[tuple[str, Any]]:
    """The columns to read, by role. arrays: whether they are arrays, and not names of columns."""
    given, columns = by_name(values), []
    for name, roles in found.items():
        if len(roles) < TWO:
            alone = not arrays and isinstance(given[name], list) and len(given[name]) == 1
            columns.append((roles[0], given[name][0] if alone else given[name]))
        else:
            parts = score_columns(given[name], arrays).values()
            columns += [
                (role, named(part, role) if arrays else part) for role, part in zip(roles, parts, strict=True)
            ]
    return columns


def refuse_twice(roles: Iterable[str]) -> None:
    """Raises InputError where columns of two models get one role, as column 2 of "a" and that of "2 of a"."""
    times = Counter(roles)
    if times.total() > len(times):
        role = times.most_common(1)[0][0]
        raise InputError(
            "repeated",
            "score",
            f"two models have a column that is called {shown(role)}",
            "give one of them another name",
            value=role,
        )


def of_one_model(
    verb: str, given: Arguments, otherwise: str = "evaluate and compare take several"
) -> Arguments:
    """The same arguments, with a mapping of one model replaced by its columns.

    verb: the function that takes one model; otherwise: what to use for several. Raises InputError for several
    models.
    """
    several = {kind: given[kind] for kind in ANSWERS if isinstance(given.get(kind), Mapping)}
    for kind, models in several.items():
        names_of_models(kind, models)
        if len(models) > 1:
            some = ", ".join(map(shown, list(models)[:SHOWN])) + ", ..." * (len(models) > SHOWN)
            raise InputError(
                "conflict",
                kind,
                f"{verb} is of one model, and {len(models)} are named ({some}); call it for each of them, as"
                f" {{name: tm.{verb}(..., {kind}=one) for name, one in models.items()}}",
                otherwise,
            )
    return {**given, **{kind: next(iter(models.values())) for kind, models in several.items()}}  # type: ignore[return-value]


def thresholds_of(given: Any, names: Sequence[str | None]) -> Named:
    """The threshold of each model: one for all, or one each. Raises InputError for any other number."""
    if list(names) == [None]:
        return {None: given}
    if isinstance(given, Mapping):
        unknown = [name for name in given if name not in names]
        if unknown:
            raise InputError(
                "unknown-name",
                "threshold",
                f"{shown(unknown[0])} is not a model here",
                f"the models are {', '.join(map(str, names))}",
                value=unknown[0],
            )
        return {name: given.get(name) for name in names}
    if isinstance(given, (list, tuple)) or np.ndim(given):
        if len(given) != len(names):
            raise InputError(
                "conflict",
                "threshold",
                f"{len(given)} thresholds for {len(names)} models",
                "give one, or one for each",
            )
        return dict(zip(names, given, strict=True))
    return dict.fromkeys(names, given)
