"""A curve as a file."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..validate import InputError

if TYPE_CHECKING:
    from .curve import Curve

ENDINGS = (".csv", ".json", ".parquet", ".svg")


def check(path: str | Path, role: str = "out") -> Path:
    """The path, if it can be written to. Raises InputError for another ending, or a folder that is not there."""
    target = Path(path)
    if target.suffix.lower() not in ENDINGS:
        raise InputError(f"{role}: {str(path)!r} ends in none of {', '.join(ENDINGS)}; choose one of these.")
    if not target.parent.is_dir():
        raise InputError(f"{role}: the folder {str(target.parent)!r} is not there; make it, or choose another place.")
    return target


def save(curve: Curve, path: str | Path) -> None:
    """Writes a curve in the form that the ending names."""
    target = check(path)
    ending = target.suffix.lower()
    if ending == ".parquet":
        _parquet(curve, target)
        return
    if ending == ".csv":
        text = as_csv(curve)
    else:
        text = json.dumps(curve.to_dict(), indent=1, allow_nan=False) + "\n" if ending == ".json" else curve._repr_svg_()
    try:
        target.write_text(text, encoding="utf-8", newline="")
    except OSError as reason:
        raise InputError(f"out: {str(target)!r} cannot be written ({reason.strerror}).") from None


def as_csv(curve: Curve) -> str:
    """A line of names and one per point; what is undefined stays empty."""
    from io import StringIO

    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(curve.columns)
    writer.writerows(zip(*(_texts(values) for values in curve.columns.values()), strict=True))
    return text.getvalue()


def _texts(values):
    return ["" if value != value else repr(value) for value in values.tolist()]


def _parquet(curve, target):
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise InputError("out: Parquet needs pyarrow; pip install 'tallymark[files]', or write .csv.") from None
    try:
        pyarrow.parquet.write_table(pyarrow.table({name: np.asarray(values) for name, values in curve.columns.items()}), target)
    except OSError as reason:
        raise InputError(f"out: {str(target)!r} cannot be written ({reason}).") from None
