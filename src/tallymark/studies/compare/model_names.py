"""The names of the models that are compared, and the columns or arrays they stand for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from ...input.score_columns import NAMES, several_columns
from ...input.spelling import assigned, either, option
from ...input.validate import InputError, shown


def names_of(values: Any, role: str, of_data: bool) -> dict[str, Any]:
    """By name of the model, the name of its column, or its array."""
    if isinstance(values, Mapping):
        return dict(zip(_different(map(str, values), role), values.values(), strict=True))
    if isinstance(values, str):
        return {values: values}
    if not of_data and isinstance(getattr(values, "shape", None), tuple) and hasattr(values, "columns"):
        columns = getattr(
            values, "column_names", values.columns
        )  # Arrow's `columns` are the arrays themselves
        return {
            name: values[column]
            for name, column in zip(_different(map(str, columns), role), columns, strict=True)
        }
    if isinstance(values, np.ndarray) and values.ndim == 2:
        return {f"model {i + 1}": values[:, i] for i in range(values.shape[1])}
    if not isinstance(values, (list, tuple)):
        return {"model": values}
    if of_data:
        return dict(zip(_different(values, role), values, strict=True))
    if any(isinstance(one, str) or not hasattr(one, "__len__") for one in values):
        return {"model": values}
    return {f"model {i + 1}": one for i, one in enumerate(values)}


def _different(values: Iterable[Any], role: str) -> list[str]:
    given = list(values)
    odd = next((one for one in given if not isinstance(one, NAMES) or several_columns(one, False)), None)
    names = list(map(str, given))
    if odd is not None:
        if role == "score" and several_columns(odd, False):
            example = '{"a": ["a_1", "a_2", "a_3"], "b": [...]}'
            problem = f"of scores per class name the models, as {assigned('score', example)}"
            raise InputError("needed", "score", problem)
        raise InputError(
            "conflict",
            role,
            f"with data given, name its columns, not a {type(odd).__name__}",
            "or leave data out",
        )
    if len(set(names)) < len(names):
        raise InputError("repeated", role, f"{shown(names)} names a column twice", "name each model once")
    return names


def several(named: Mapping[str, Any], role: str) -> None:
    """Two models or more. Raises InputError."""
    if len(named) < 2:
        as_here, other = (
            option(role, ["a", "b"]),
            either("a second data set", "a second file with --unpaired"),
        )
        ways = f"as {as_here}, {other}, or {option('sample')}"
        raise InputError(
            "needed", role, "one model only", f"give the columns or arrays of two or more, {ways}"
        )
