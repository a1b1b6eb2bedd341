"""Rows and columns as plain values: for tables and strict JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import isfinite
from typing import Any

INFINITE = "infinite-parts"  # the note that says which entries of an estimate are infinite
BOUNDS = ("lower_bound", "upper_bound")  # columns with those of a value


def rows_of(dicts: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Rows of plain values, all with the same keys.

    A message is replaced by its sentence, other nested values are left out, and missing entries are None. The
    infinite entries of an estimate, which strict JSON has in a note, stand in their places, and its bounds,
    where there are any, in two columns.
    """
    said = [
        {name: _sentence(value) for name, value in row.items()}
        | _infinite(row)
        | dict(zip(BOUNDS, row.get("bounds") or (), strict=False))
        for row in dicts
    ]
    flat = [
        {name: value for name, value in row.items() if not isinstance(value, (dict, list, tuple))}
        for row in said
    ]
    names = dict.fromkeys(name for row in flat for name in row)
    return [{name: row.get(name) for name in names} for row in flat]


def _infinite(row: Mapping[str, Any]) -> dict[str, float]:
    """The infinite entries of an estimate, from the note that names them."""
    notes = row.get("notes") or ()
    every = (note["fields"].items() for note in notes if note["code"] == INFINITE)
    return {name: float(value) for one in every for name, value in one if name in row}


def columns_in_rows(columns: Mapping[str, Sequence[Any]]) -> list[dict[str, Any]]:
    """The rows of columns as `plain_columns` returns them."""
    return [
        dict(zip(columns, map(number_of, row), strict=True)) for row in zip(*columns.values(), strict=True)
    ]


def number_of(written: Any) -> Any:
    """A value of `plain_columns` with the texts "inf" and "-inf" as numbers."""
    return float(written) if written in ("inf", "-inf") else written


def plain_columns(columns: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Arrays as lists for strict JSON: infinities as the texts "inf" and "-inf", NaN as None."""
    return {
        name: [value if value is None or isfinite(value) else str(value) for value in plain_list(values)]
        for name, values in columns.items()
    }


def plain_number(value: float | None) -> float | str | None:
    """A number for strict JSON: an infinite one as text, NaN as None."""
    return None if value is None or value != value else value if isfinite(value) else str(value)


def plain_list(values: Any) -> list[Any]:
    """A list of plain values, with None for NaN."""
    plain = values.tolist() if hasattr(values, "tolist") else values
    return [None if value != value else value for value in plain]


def of_one_type(values: Any) -> Any:
    """A column of one type: floats for integers and floats, text for other mixtures."""
    if hasattr(values, "dtype"):
        return values
    kinds = {type(value) for value in values if value is not None}
    one = float if kinds == {int, float} else str if len(kinds) > 1 else None
    plain = [value if value is None or one is None else one(value) for value in values]
    return [encodable(value) if isinstance(value, str) else value for value in plain]


def encodable(text: str) -> str:
    """The text with escapes in place of halves of surrogates, which no file of rows holds."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode("utf-8")


def _sentence(value: Any) -> Any:
    return value["text"] if isinstance(value, dict) and value.keys() == {"code", "fields", "text"} else value
