"""The rows of a result for other programs: CSV, Parquet by pyarrow, a workbook of Excel by XlsxWriter.

In a workbook numbers are numbers, and text is text, so that no label becomes a formula or a link; it has the
rows, the notices, and the facts about the result.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from io import BytesIO, StringIO
from math import isfinite
from typing import Any

import numpy as np

from .. import kernels
from ..input import arrays
from ..input.errors import InputError
from ..input.results import Tabular, encodable, plain_list

# by format the library that it needs, in words, and how to install it
NEEDS = {
    "excel": ("xlsxwriter", "Excel needs XlsxWriter", "excel"),
    "parquet": ("pyarrow", "Parquet needs pyarrow", "files"),
}
# Source: Microsoft, "Excel specifications and limits"
MOST_ROWS, LONGEST, LARGEST_WHOLE = 1_048_576, 32_767, 10**15
FACTS = ("fact", "value")
NOTICES = ("notice", "sentence", "severe", "source")
AS_TEXT = {"strings_to_formulas": False, "strings_to_urls": False}
NARROW, WIDE = 8, 60  # widths of columns, in characters


def check_installed(name: str, role: str) -> None:
    """Raises InputError without the library that a format needs; it is not imported."""
    library, problem, extra = NEEDS.get(name, ("csv", "", ""))
    try:
        known = find_spec(library) is not None
    except ValueError:  # its import was prevented
        known = False
    if not known:
        way = f"pip install 'tallymark[{extra}]', or write .csv"
        raise InputError("not-installed", role, problem, way)


def as_csv(result: Tabular) -> str:
    """A line of names and one per row; undefined values are empty."""
    columns, written = result._columns, StringIO()
    writer = csv.writer(written, lineterminator="\n")
    writer.writerow(columns)
    if columns and all(map(arrays.is_plain, columns.values())):
        return written.getvalue() + "".join(map(bytes.decode, kernels.rows_of_text([*columns.values()])))
    writer.writerows(zip(*map(plain_list, columns.values()), strict=True))
    return written.getvalue()


def as_parquet(result: Tabular) -> bytes:
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
    return written.getvalue().to_pybytes()


def as_excel(result: Tabular) -> bytes:
    """The bytes of an .xlsx file. Raises InputError for more rows than a sheet has."""
    from xlsxwriter import Workbook

    columns = {name: plain_list(values) for name, values in result._columns.items()}
    rows = list(zip(*columns.values(), strict=True))
    if len(rows) >= MOST_ROWS:
        raise InputError(
            "not-written",
            "path",
            f"there are {len(rows):,} rows, and a sheet of Excel has {MOST_ROWS - 1:,} below its header",
            "write .parquet or .csv",
        )
    notices = [(one.code, one.text, one.severe, one.source) for one in result.notices]
    written = BytesIO()
    with Workbook(written, {"in_memory": True} | AS_TEXT) as book:
        bold = book.add_format({"bold": True, "bottom": 1})
        _fill(book.add_worksheet("table"), bold, list(columns), rows)
        _fill(book.add_worksheet("notices"), bold, NOTICES, notices)
        _fill(book.add_worksheet("data"), bold, FACTS, list(_facts(result.to_dict())))
    return written.getvalue()


def _fill(sheet: Any, bold: Any, header: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """The header, which stays in view, and the rows; columns are as wide as their texts."""
    cells = [[*map(_cell, row)] for row in rows]
    for i, row in enumerate([header, *cells]):
        sheet.write_row(i, 0, row, None if i else bold)
    for j, name in enumerate(header):
        widths = (len(row[j]) for row in cells if isinstance(row[j], str))
        sheet.set_column(j, j, min(max(NARROW, len(name), *widths), WIDE) + 1)
    sheet.freeze_panes(1, 0)


def _cell(value: Any) -> Any:
    """What Excel holds as it is; else a text, as infinity."""
    if value is None or isinstance(value, bool) or (isinstance(value, float) and isfinite(value)):
        return value
    return (
        value if isinstance(value, int) and abs(value) <= LARGEST_WHOLE else encodable(str(value))[:LONGEST]
    )


def _facts(plain: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    """What the plain values say of the whole: entries that are no rows, as "data.rows"."""
    for name, value in plain.items():
        results = isinstance(value, Mapping) and all(isinstance(one, Mapping) for one in value.values())
        if isinstance(value, Mapping) and not results:  # by name, as the measures, which are rows
            yield from _facts(value, f"{before}{name}.")
        elif isinstance(value, (str, int, float)):
            yield f"{before}{name}", value
