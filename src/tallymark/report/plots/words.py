"""The texts of figures that several kinds share: estimates, thresholds, bands."""

from __future__ import annotations

from ...curves import Curve
from ...evaluation.results import BinaryEvaluation
from ..captions import estimate, name_of, summary, value

__all__ = ["band", "estimate", "name_of", "shared", "short_name", "summary", "threshold", "value"]


def short_name(measure: str) -> str:
    """The same without what is in parentheses."""
    return name_of(measure).split(" (")[0]


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
