"""The rows of a result as Parquet, through pyarrow."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import numpy as np

from ...input import arrays
from ...input.errors import InputError
from ...input.results import Tabular


def check_installed(role: str) -> None:
    """Raises InputError without pyarrow."""
    if not installed("pyarrow"):
        raise InputError(
            "not-installed", role, "Parquet needs pyarrow", "pip install 'tallymark[files]', or write .csv"
        )


def installed(library: str) -> bool:
    """Whether a library can be imported; it is not imported."""
    try:
        return find_spec(library) is not None
    except ValueError:  # its import was prevented
        return False


def as_bytes(result: Tabular) -> bytes:
    """The bytes of a Parquet file."""
    import pyarrow
    from pyarrow.parquet import write_table

    written, columns = pyarrow.BufferOutputStream(), result._columns
    if all(map(arrays.is_plain, columns.values())):
        table: Any = pyarrow.table({name: arrays.as_arrow(one) for name, one in columns.items()})
    else:
        table = result.to_frame("pyarrow")
    floats = {name for name, one in columns.items() if getattr(one, "dtype", None) == np.float64}
    # a dictionary of floats, most of which differ, takes longer and makes the file larger
    coded = [name for name in table.column_names if name not in floats]
    write_table(table, written, use_dictionary=coded or False)
    content: bytes = written.getvalue().to_pybytes()
    return content
