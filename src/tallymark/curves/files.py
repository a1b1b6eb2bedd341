"""Columns of numbers as a file: those of a curve, or of a ranking table."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from io import StringIO
from pathlib import Path

import numpy as np

from .. import writing
from ..validate import InputError

ENDINGS = (".csv", ".json", ".parquet")
PICTURE = ".svg"


def check(path: str | Path, role: str = "out", picture: bool = True) -> Path:
    """The path, if it can be written to. Raises InputError."""
    return writing.check(path, role, (*ENDINGS, PICTURE) if picture else ENDINGS)


def save(columns: Mapping[str, np.ndarray], path: str | Path, facts: Mapping | None = None, picture: str | None = None) -> None:
    """Writes columns in the form that the ending names; facts: what else the JSON tells; picture: an SVG of them."""
    target, ending = check(path, picture=picture is not None), Path(path).suffix.lower()
    if ending == ".parquet":
        _parquet(columns, target)
        return
    texts = {
        ".csv": lambda: as_csv(columns),
        ".json": lambda: json.dumps({**(facts or {}), "columns": plain(columns)}, indent=1, allow_nan=False) + "\n",
    }
    writing.write_text(target, "out", picture or "" if ending == PICTURE else texts[ending]())


def as_csv(columns: Mapping[str, np.ndarray]) -> str:
    """A line of names and one per row; what is undefined stays empty."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(zip(*(_texts(values) for values in columns.values()), strict=True))
    return text.getvalue()


def plain(columns: Mapping[str, np.ndarray]) -> dict[str, list]:
    """Lists; infinities as the texts "inf" and "-inf", and what is undefined as None."""
    return {name: [_plain(value) for value in values.tolist()] for name, values in columns.items()}


def _plain(value):
    return value if np.isfinite(value) else None if np.isnan(value) else str(value)


def _texts(values):
    return ["" if value != value else repr(value) for value in values.tolist()]


def _parquet(columns, target):
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise InputError("out: Parquet needs pyarrow; pip install 'tallymark[files]', or write .csv.") from None
    table = pyarrow.table({name: np.asarray(values) for name, values in columns.items()})
    writing.write(target, "out", lambda draft: pyarrow.parquet.write_table(table, draft))
