"""Documents of results: a maker for each kind, which takes its rows, sentences and notices.

A class of results names its maker as `FORM`, "file.function"; one without has its rows. Makers import no
class of results. full: everything; else what a first screen may show, so that nothing else is computed.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import replace
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ...input.results import Result
    from ..document import Document
    from ..figure import Figure


def document(result: Result, full: bool = False) -> Document:
    """The document of a result."""
    module, _, maker = (result.FORM or "rows.rows").partition(".")
    made: Document = getattr(import_module(f".{module}", __name__), maker)(result, full)
    # the page of chosen measures has these only
    chosen = result.FORM == "evaluations.evaluation" and getattr(result, "selected", None) is not None
    figures = made.figures if chosen else partial(_figures, result)
    return replace(made, figures=figures, origin=_origin(result) if full else ())


def _origin(result: Result) -> tuple[str, ...]:
    """The seed, the date, the fingerprint of the data and the call, as far as they are known."""
    data: Any = getattr(result, "data", None)
    settings: Any = getattr(result, "settings", None)
    print_of = getattr(result, "fingerprint", "")
    facts = (
        f"seed {settings.seed}" if hasattr(settings, "seed") else "",
        getattr(data, "date", ""),
        f"data SHA-256 {print_of}" if print_of else "",
    )
    return tuple(filter(None, ("; ".join(filter(None, facts)), getattr(data, "call", ""))))


def _figures(result: Result, only: Container[str] = ()) -> tuple[Figure, ...]:
    found: tuple[Figure, ...] = import_module("..figures", __package__).shown_on_page(result, only)
    return found
