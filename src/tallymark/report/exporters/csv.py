"""The rows of a result as CSV: a line of names and one per row; undefined values are empty."""

from __future__ import annotations

import csv
from io import StringIO

import numpy as np

from ...input.arrays import is_plain
from ...input.plain_values import plain_list
from ...input.results import Tabular


def as_text(result: Tabular) -> str:
    """The rows as CSV."""
    columns, written = result._columns, StringIO()
    if columns and all(map(is_plain, columns.values())):
        csv.writer(written, lineterminator="\n").writerow(columns)
        rows = map(",".join, zip(*map(_texts, columns.values()), strict=True))
        return "\n".join([written.getvalue()[:-1], *rows, ""])
    writer = csv.writer(written, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(zip(*map(plain_list, columns.values()), strict=True))
    return written.getvalue()


def _texts(values: np.ndarray) -> list[str]:
    """The numbers as texts; of equal numbers in succession one text is made, since curves have many."""
    first = np.flatnonzero(np.append(True, values[1:] != values[:-1])) if len(values) else np.empty(0, int)
    distinct = values[first]
    texts = np.array(list(map(repr, distinct.tolist())), object)
    texts[distinct != distinct] = ""
    repeated: list[str] = texts.repeat(np.diff(first, append=len(values))).tolist()
    return repeated
