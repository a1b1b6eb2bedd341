"""The texts of figures that several kinds share: estimates, thresholds, bands."""

from __future__ import annotations

from ...curves import Curve
from ...evaluation.results import BinaryEvaluation
from ...inference import Estimate
from .. import first_screen, parts
from ..operating import caption_of


def name_of(measure: str) -> str:
    """The usual name of a measure."""
    title = parts.title(measure)
    return title if title != measure else measure[0].upper() + measure[1:].replace("_", " ")


def short_name(measure: str) -> str:
    """The same without what is in parentheses."""
    return name_of(measure).split(" (")[0]


def estimate(measure: str, found: Estimate) -> str:
    """Its name, value and interval."""
    return f"{name_of(measure)} {value(found)}"


def value(found: Estimate) -> str:
    """The value and the interval, if there is one."""
    ends = first_screen.interval_of(found) if found.has_interval else ""
    return f"{first_screen.value_of(found)} {ends}".rstrip()


def summary(e: BinaryEvaluation, name: str) -> str:
    """The measure that summarises the curve of this name, where the data allow it; else nothing."""
    about = caption_of(name)
    if about.measure is None or about.measure not in e.estimates:
        return ""
    return f"{about.label or name_of(about.measure)} {value(e[about.measure])}"


def threshold(e: BinaryEvaluation) -> str:
    """The threshold as a text."""
    return "" if e.limit is None else f"threshold {e.limit:.4g}"


def band(curve: Curve) -> str:
    """What the band of a curve is."""
    return "" if curve.about is None else str(curve.about)


def shared(names: list[str]) -> str:
    """The words that all names end with, or else begin with."""
    ends = [name.split()[::-1] for name in names]
    last = _alike(ends)[::-1] or _alike([one[::-1] for one in ends])
    return " ".join(last)


def _alike(parts: list[list[str]]) -> list[str]:
    alike: list[str] = []
    for words in zip(*parts, strict=False):
        if len({*words}) > 1:
            break
        alike.append(words[0])
    return alike
