"""The models of cases: in which roles the columns of their scores, or of their predicted labels, are read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from ..errors import InputError
from ..summaries.score_columns import TWO, named, number_of_columns, score_columns
from ..values import shown

ANSWERS = ("score", "predicted")  # arguments that may have a column per model
AS_HERE = 'as {"logreg": "column_a", "svm": "column_b"}'


def by_model(kind: str, values: Any) -> dict[str, Any]:
    """By role, "score", or "score NAME" of one of several models, what was given. kind: score or predicted."""
    if not isinstance(values, Mapping):
        return {kind: values}
    return {f"{kind} {model}": one for model, one in values.items()}


def roles_of(kind: str, values: Any, arrays: bool) -> dict[str, tuple[str, ...]]:
    """By role the roles of its columns: itself, or "score 1", "score 2", ... per class, of a model "score 1 of NAME"."""
    return {role: _parts(kind, role, one, arrays) for role, one in by_model(kind, values).items()}


def _parts(kind: str, role: str, values: Any, arrays: bool) -> tuple[str, ...]:
    number = number_of_columns(values, arrays) if kind == "score" else 1
    of_model = f" of {role.removeprefix(kind).strip()}" if role != kind else ""
    return (role,) if number < TWO else tuple(f"{kind} {i + 1}{of_model}" for i in range(number))


def columns_of(kind: str, values: Any, arrays: bool) -> list[tuple[str, Any]]:
    """The columns to read, each with its role; arrays: whether they are given themselves, and not by their names."""
    found: list[tuple[str, Any]] = []
    roles = roles_of(kind, values, arrays)
    for role, one in by_model(kind, values).items():
        if len(roles[role]) < TWO:
            found.append((role, one))
        else:
            parts = score_columns(one, arrays).values()
            found += [(of, named(part, of) if arrays else part) for of, part in zip(roles[role], parts, strict=True)]
    return found


def check_names(kind: str, models: Mapping[Any, Any]) -> None:
    """Every model has a name, a text, and a column. Raises InputError."""
    if not models:
        raise InputError(f"{kind}: the mapping is empty; name every model with its column, {AS_HERE}.")
    odd = next((name for name in models if not isinstance(name, str)), None)
    if odd is not None:
        raise InputError(f"{kind}: {shown(odd)} ({type(odd).__name__}) is no name of a model; names are text, {AS_HERE}.")
    lacking = next((name for name, one in models.items() if one is None), None)
    if lacking is not None:
        raise InputError(f"{kind}: the model {shown(lacking)} has no column (None); name one, {AS_HERE}.")


def refuse_twice(roles: Iterable[str]) -> None:
    """Raises InputError where the columns of two models go by one name, as the second of "a" and the only one of "2 of a"."""
    role, times = next(iter(Counter(roles).most_common(1)), ("", 0))
    if times > 1:
        raise InputError(f"score: two models have a column that is called {shown(role)}; give one of them another name.")
