"""What a result is written as: text, pages, files; each from its document, or from its plain values."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..input import text as written
from ..input import validate
from ..input.results import Answer, InColumns, InFull
from ..input.terminal import shown_on, without_controls
from . import files, html, writing
from . import text as drawn
from .document import to_plain
from .documents import document

if TYPE_CHECKING:
    from ..input.results import Result
    from .saved import SavedResult


def text(result: Result, full: bool = False, names: bool = False, digits: int | None = None) -> str:
    """What `print` shows: one screen, or everything.

    names: identifiers in place of titles; digits: after the point, at least.
    """
    with written.with_digits(digits):
        if full or isinstance(result, InFull):
            return drawn.full(document(result, full=True), names)
        return drawn.screen(document(result), names)


def markdown(result: Result, full: bool = False, names: bool = False, digits: int | None = None) -> str:
    """The same in Markdown."""
    from .markdown import markdown

    with written.with_digits(digits):
        return without_controls(markdown(document(result, full), names))


def latex(result: Result, caption: str | None = None) -> str:
    """The same as LaTeX tables."""
    from .latex import latex

    return latex(document(result), caption=caption)


def picture(curve: Any) -> str:
    """A curve as SVG that needs nothing else."""
    from .figures import plain_curve
    from .svg import standalone

    return without_controls(standalone(plain_curve(curve)))


def page(result: Result, title: str | None = None, coarse: int = 0) -> html.Framed:
    """A page of HTML that needs nothing else. coarse: as of `cutoffs`."""
    titled = _titled(result, title)
    return html.page(document(titled, full=True), title, coarse)


def _titled(result: Any, title: str | None) -> Any:
    """An evaluation under this name; other results as they are."""
    if title is not None:
        validate.of_type(title, str, "title")
    return result if title is None or not hasattr(result, "named") else result.named(title)


def card(result: Result) -> str:
    """A short form in HTML, for a notebook."""
    made = document(result, full=True)
    if not (made.headline or made.tables or made.tiles):  # as of one estimate
        made = replace(made, headline=str(result))
    return html.card(made)


def checked_path(kind: type[Result], path: str | Path, role: str) -> Path:
    """The path, if such a result can be written there, with what is installed. Raises InputError."""
    target = writing.check(path, role, tuple(kind.WRITERS))
    name = kind.WRITERS[target.suffix.lower()]
    if name == "tally":
        from ..input.sources import tally

        tally.needs_pyarrow(role)
    elif name in files.NEEDS:
        files.check_installed(name, role)
    return target


def save(result: Result, path: str | Path, title: str | None = None, coarse: int = 0) -> None:
    """Writes a file, whole or not at all. coarse: of a page. Raises InputError."""
    target = checked_path(type(result), path, "path")
    name = type(result).WRITERS[target.suffix.lower()]
    content = page(result, title, coarse) if name == "html" else WRITE[name](_titled(result, title), title)
    writing.write(target, "path", content)


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
    if shown is None and isinstance(answer, Answer) and not isinstance(answer, InColumns):
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
    "csv": lambda result, title: files.as_csv(result),
    "parquet": lambda result, title: files.as_parquet(result),
    "excel": lambda result, title: files.as_excel(result),
    "tally": lambda result, title: result._case_sums.to_bytes(),
}


def read(kind: type[Answer], written: str) -> SavedResult:
    """The figures of an answer from its JSON. Raises InputError."""
    from . import saved  # loads every room; to print a result does not

    return saved.read(kind, written)
