"""Files of results: checked before the work, and written whole or not at all.

The rows for other programs are CSV, Parquet by pyarrow, or a workbook of Excel by XlsxWriter.

In a workbook numbers are numbers, and text is text, so that no label becomes a formula or a link; it has the
rows, the notices, and the facts about the result.
"""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from importlib.util import find_spec
from io import BytesIO, StringIO
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np

from .. import kernels
from ..input import text
from ..input.columns import as_arrow, is_plain
from ..input.errors import series
from ..input.results import Answer, InColumns, Result, Tabular, encodable, plain_list
from ..input.terminal import shown_on
from ..input.validate import InputError, shown
from .document import to_plain
from .documents import document
from .output import latex, markdown, page, picture, titled

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


LONGEST_PATH = 200  # characters of a path in a message


def check(path: str | Path, role: str, endings: Sequence[str]) -> Path:
    """The path, if it can be written to.

    Raises InputError for another ending, a missing folder, or no permission.
    """
    try:
        return _writable(Path(path), role, endings).resolve()
    except (OSError, ValueError, TypeError) as reason:
        if isinstance(reason, InputError):
            raise
        raise InputError(
            "not-written",
            role,
            f"{shown(path)} cannot be written ({shown(reason)})",
            "choose another place",
            value=path,
        ) from reason


def named(target: Path) -> str:
    """A path in messages, shortened in the middle."""
    return repr(text.label(str(target), LONGEST_PATH))


def _writable(target: Path, role: str, endings: Sequence[str]) -> Path:
    file, folder = named(target), target.parent
    if target.suffix.lower() not in endings:
        raise InputError("not-written", role, f"{file} must end in {series(endings, 'or')}")
    known = target.exists()
    for wrong, problem, remedy in (
        (target.is_dir(), f"{file} is a folder", "give the path of a file in it"),
        # a pipe or a device, which the finished file would replace
        (known and not target.is_file(), f"{file} is not a plain file", "choose another place"),
        (
            not folder.is_dir(),
            f"the folder {str(folder)!r} does not exist",
            "make it first, or choose another",
        ),
        (
            not os.access(folder, os.W_OK) or (known and not os.access(target, os.W_OK)),
            f"{file} cannot be written",
            "check its permissions, or choose another place",
        ),
    ):
        if wrong:
            raise InputError("not-written", role, problem, remedy)
    return target


def write(target: Path, role: str, content: str | bytes) -> None:
    """A draft of the content, which then replaces the target. Raises InputError on failure.

    A text is written as UTF-8; half a surrogate pair, which has no UTF-8, as \\udXXX.
    """
    draft = target.with_name(f".tallymark-{os.urandom(8).hex()}")
    try:
        try:
            with open(draft, "xb") as file:
                file.write(
                    content if isinstance(content, bytes) else content.encode("utf-8", "backslashreplace")
                )
                file.flush()
                os.fsync(file.fileno())  # so that after a crash there is the old file or the whole new one
            os.replace(draft, target)
        except BaseException:
            draft.unlink(missing_ok=True)
            raise
    except OSError as reason:
        raise InputError(
            "not-written",
            role,
            f"{named(target)} cannot be written ({reason.strerror})",
            "choose another place",
        ) from reason


def checked_path(kind: type[Result], path: str | Path, role: str) -> Path:
    """The path, if such a result can be written there, with what is installed. Raises InputError."""
    target = check(path, role, tuple(kind.WRITERS))
    name = kind.WRITERS[target.suffix.lower()]
    if name == "tally":
        from ..input.sources import tally

        tally.needs_pyarrow(role)
    elif name in NEEDS:
        check_installed(name, role)
    return target


def save(result: Result, path: str | Path, title: str | None = None, coarse: int = 0) -> None:
    """Writes a file, whole or not at all. coarse: of a page. Raises InputError."""
    target = checked_path(type(result), path, "path")
    name = type(result).WRITERS[target.suffix.lower()]
    content = page(result, title, coarse) if name == "html" else WRITE[name](titled(result, title), title)
    write(target, "path", content)


def _plain_text(result: Result, title: str | None) -> str:
    """80 columns wide and without colours, with a line end."""
    with shown_on(None):
        return f"{result}\n"


def _yaml(card: Any, title: str | None = None) -> str:
    """The metadata of a model card."""
    from .documents.reporting import metadata
    from .markdown import yaml

    return yaml(metadata(card))


def _json(result: Any) -> str:
    """Its plain values, of an answer that is not its columns with what it shows."""
    shown = json.loads(getattr(result, "written", "{}")).get("document")
    answer = getattr(result, "result", result)
    if shown is None and isinstance(answer, InColumns):  # whose rows are its columns
        first = document(result)
        tables = tuple(one for one in first.tables if one.screen != 0)
        shown = {"screen": to_plain(replace(first, tables=tables))}
    elif shown is None and isinstance(answer, Answer):
        shown = {name: to_plain(document(result, name == "full")) for name in ("screen", "full")}
    plain: str = result.to_json()
    return f'{plain[:-2]},\n  "document": {json.dumps(shown, allow_nan=False)}\n}}' if shown else plain


WRITE: dict[str, Callable[[Any, Any], Any]] = {
    "json": lambda result, title: f"{_json(result)}\n",
    "markdown": lambda result, title: markdown(result),
    "latex": latex,
    "text": _plain_text,
    "svg": lambda result, title: picture(result),
    "yaml": _yaml,
    "model card": lambda card, title: f"---\n{_yaml(card)}---\n\n# {card.model}\n\n{markdown(card)}",
    "junit": lambda verdict, title: verdict.to_junit(),
    "csv": lambda result, title: as_csv(result),
    "parquet": lambda result, title: as_parquet(result),
    "excel": lambda result, title: as_excel(result),
    "tally": lambda result, title: result._case_sums.to_bytes(),
}


# Rows for other programs
# -------------------------------------------------------------------------------------------------------


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
    if columns and all(map(is_plain, columns.values())):
        return written.getvalue() + "".join(map(bytes.decode, kernels.rows_of_text([*columns.values()])))
    writer.writerows(zip(*map(plain_list, columns.values()), strict=True))
    return written.getvalue()


def as_parquet(result: Tabular) -> bytes:
    """The bytes of a Parquet file."""
    import pyarrow
    from pyarrow.parquet import write_table

    written, columns = pyarrow.BufferOutputStream(), result._columns
    if all(map(is_plain, columns.values())):
        table: Any = pyarrow.table({name: as_arrow(one) for name, one in columns.items()})
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
