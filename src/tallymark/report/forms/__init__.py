"""How a result is shown: as text, as HTML, as a file.

A class of results names a file of this folder, as `FORM`, with its `as_text(result)`, its `as_html(result)`,
or both, and `as_svg(result)` where there is a picture. Of the others text is the short form, and HTML the
rows.
"""

from __future__ import annotations

from html import escape
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...input import validate
from ...input.terminal import without_controls
from .. import parts, sheet, writing

if TYPE_CHECKING:
    from ...input.results import Answer, Result
    from ..saved import SavedResult


def text(result: Result) -> str:
    """What `print` shows; first the severe notices that its form does not show."""
    shown = _own(result, "as_text")(result)
    if not result.notices:
        return without_controls(shown)
    first = parts.severe(one for one in result.notices if one.code not in shown)
    return without_controls(f"{first}\n\n{shown}" if first else shown)


def first_screen(result: Result, names: bool, digits: int | None) -> str:
    """The same of an evaluation, of models or of groups. names: identifiers; digits: after the point."""
    return without_controls(_own(result, "as_text")(result, names=names, digits=digits))


def html(result: Result) -> str:
    """What stands on the page, without its style; first the severe notices that its form does not show."""
    shown = str(_own(result, "as_html")(result))
    first = sheet.listed(one for one in result.notices if one.severe and one.code not in shown)
    return without_controls(f"{first}\n{shown}" if first else shown)


def picture(result: Result) -> str:
    """An SVG that needs nothing else, of a class whose file has `as_svg`."""
    return without_controls(_own(result, "as_svg")(result))


def page(result: Result, title: str | None = None) -> str:
    """A page of HTML that needs nothing else."""
    titled = _titled(result, title)
    body = html(titled)
    if title is not None:
        below = body.partition("</h1>")[2] if body.startswith("<h1>") else f"\n{body}"
        body = f"<h1>{escape(title)}</h1>{below}"
    return sheet.page(titled, body, title)


def _titled(result: Any, title: str | None) -> Any:
    """An evaluation under this name; other results as they are."""
    if title is not None:
        validate.of_type(title, str, "title")
    return result if title is None or not hasattr(result, "named") else result.named(title)


def fragment(result: Result) -> str:
    """The same with its style, for a notebook."""
    return sheet.fragment(html(result))


def checked_path(kind: type[Result], path: str | Path, role: str) -> Path:
    """The path, if such a result can be written there, with what is installed. Raises InputError."""
    target = writing.check(path, role, tuple(kind.WRITERS))
    check = getattr(_exporter(kind, target), "check_installed", None)
    if check is not None:
        check(role)
    return target


def save(result: Result, path: str | Path, title: str | None = None) -> None:
    """Writes a file, whole or not at all. Raises InputError."""
    target = checked_path(type(result), path, "path")
    result = _titled(result, title)
    exporter = _exporter(type(result), target)
    if hasattr(exporter, "as_bytes"):
        writing.write_bytes(target, "path", exporter.as_bytes(result))
    else:
        is_page = target.suffix.lower() in (".html", ".htm")
        written = result.to_html(title) if is_page else exporter.as_text(result)
        writing.write_text(target, "path", written)


def _exporter(kind: type[Result], path: Path) -> Any:
    """The module of `report.exporters` that writes such a file."""
    return import_module(f"..exporters.{kind.WRITERS[path.suffix.lower()]}", __package__)


def exported(result: Result, name: str) -> str:
    """The text that a file of `report.exporters` makes of it."""
    return str(import_module(f"..exporters.{name}", __package__).as_text(result))


def read(kind: type[Answer], written: str) -> SavedResult:
    """The figures of an answer from its JSON. Raises InputError."""
    from .. import saved  # loads every room; to print a result does not

    return saved.read(kind, written)


def _own(result: Result, form: str) -> Any:
    own = import_module(f".{result.FORM}", __name__) if result.FORM else None
    return getattr(own, form, None) or getattr(import_module(".rows", __name__), form)
