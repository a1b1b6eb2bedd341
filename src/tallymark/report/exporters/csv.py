"""The rows of a result as CSV: a line of names and one per row; undefined values are empty."""

from __future__ import annotations

import csv
from io import StringIO

from ... import kernels
from ...input.arrays import is_plain
from ...input.plain_values import plain_list
from ...input.results import Tabular


def as_text(result: Tabular) -> str:
    """The rows as CSV."""
    columns, written = result._columns, StringIO()
    writer = csv.writer(written, lineterminator="\n")
    writer.writerow(columns)
    if columns and all(map(is_plain, columns.values())):
        return written.getvalue() + "".join(map(bytes.decode, kernels.rows_of_text([*columns.values()])))
    writer.writerows(zip(*map(plain_list, columns.values()), strict=True))
    return written.getvalue()
