"""Documents of results: a maker for each kind, which takes its rows, sentences and notices.

A class of results names its maker as `FORM`, "file.function"; one without has its rows. Makers import no
class of results. full: everything; else what a first screen may show, so that nothing else is computed.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import replace
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ...input.results import Result
    from ..document import Document
    from ..figure import Figure

PICTURES = ("roc", "reliability_equal_mass", "predicted", "residuals")  # of one of several


def document(result: Result, full: bool = False) -> Document:
    """The document of a result."""
    module, _, maker = (result.FORM or "common.rows").partition(".")
    made: Document = getattr(import_module(f".{module}", __name__), maker)(result, full)
    # the page of chosen measures has these only
    chosen = result.FORM == "evaluations.evaluation" and getattr(result, "selected", None) is not None
    figures = made.figures if chosen else partial(_figures, result)
    return replace(made, figures=figures, origin=_origin(result) if full else ())


def part(result: Result, full: bool = True) -> Document:
    """The document of one of several, with the first pictures alone."""
    return replace(document(result, full), figures=partial(_figures, result, PICTURES))


def _origin(result: Result) -> tuple[str, ...]:
    """The seed, the date, the fingerprint of the data and the call, as far as they are known."""
    several: Any = result if isinstance(result, Mapping) else {}
    within = (getattr(result, name, None) for name in ("whole", "evaluation"))
    every = (result, *within, *list(several.values())[:1])
    source: Any = next((one for one in every if hasattr(one, "data")), None)
    data: Any = getattr(source, "data", None)
    settings: Any = getattr(source, "settings", None)
    print_of = "" if len(several) > 1 and source in several.values() else getattr(source, "fingerprint", "")
    facts = (
        f"seed {settings.seed}" if hasattr(settings, "seed") else "",
        getattr(data, "date", ""),
        f"data SHA-256 {print_of}" if print_of else "",
    )
    return tuple(filter(None, ("; ".join(filter(None, facts)), getattr(data, "call", ""))))


def _figures(result: Result, only: Container[str] = ()) -> tuple[Figure, ...]:
    return import_module("..figures", __package__).shown_on_page(result, only)
