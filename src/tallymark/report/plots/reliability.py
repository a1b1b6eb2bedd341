"""Reliability: bins with intervals, a smooth curve, and a histogram of the probabilities."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from ...curves import Curve
from ...curves.smooth import smooth_reliability
from ...evaluation.calibration import Calibration
from ...evaluation.results import BinaryEvaluation
from ...input import text
from ...summaries import RankingTable
from ..axes import UNIT, Axis
from ..captions import caption_of
from . import style, words
from .of_curves import NEEDS
from .picture import Bars, Dots, Layer, Line, Panel, Picture, Place, Rule
from .registry import Kind, enter, kind
from .source import ALONE, Source

SHARES = Axis(0.0, 1.0, tuple((tick, f"{tick:g}") for tick in UNIT))
EDGES = np.linspace(0, 1, 41)
SMOOTHED = "smooth curve (local lines)"
MOST_INTERVALS, MOST_DOTS = 2, 5  # series of which each has these
CLASSES = "positive", "negative"
OF_ANSWERS = "correct", "wrong"


def of_bins(name: str, source: Source, *, bins: int | None = None, level: float | None = None) -> Picture:
    """The reliability of every evaluation, in bins of equal width or mass."""
    asked: dict[str, Any] = {"bins": bins, "level": level}
    given = {key: value for key, value in asked.items() if value is not None}
    parts = {key: one for key, one in source.parts.items() if isinstance(one, BinaryEvaluation)}
    layers: list[Layer] = [_diagonal()]
    for look, (key, e) in enumerate(parts.items()):
        label = SMOOTHED if source.alone else source.label(key, words.summary(e, name))
        layers += _series(e.curve(name, **given), _smooth(e), look, label, len(parts))
    first = next(iter(parts.values()))
    tables = [first.ranking] if source.alone and first.ranking is not None else []
    limits = [first.limit] if source.alone and first.limit is not None else []
    below = _histogram(tables, limits, CLASSES)
    *facts, last = source.facts
    said = (last, words.summary(first, name)) if source.alone else (last, f"lines: {SMOOTHED}")
    facts.append("; ".join(filter(None, said)))
    return Picture(name, (_panel(layers, below),), caption_of(name).title, tuple(facts))


for _name in ("reliability", "reliability_equal_mass"):
    enter(
        Kind(_name, caption_of(_name).title, partial(of_bins, _name), (BinaryEvaluation,), "together", NEEDS)
    )


@kind("Reliability", Calibration, way="whole", needs="a calibration", name="reliability")
def of_calibration(c: Calibration, *, level: float | None = None) -> Picture:
    """That of a calibration, with its bins; of a score per class that of the highest probabilities."""
    source = Source(c, {ALONE: c.evaluation})
    found, smooth = c.curve(), smooth_reliability(c.ranking)
    measure, value = next(iter(c.estimates.items()))
    layers = [_diagonal(), *_series(found, smooth, 0, SMOOTHED, 1)]
    below = _histogram([c.ranking], [], OF_ANSWERS if c.of_answers else CLASSES)
    facts = (source.facts[0], f"{source.facts[1]}; {words.estimate(measure, value)}")
    title = "Reliability of the highest probabilities" if c.of_answers else "Reliability"
    return Picture("reliability", (_panel(layers, below),), title, facts)


def _smooth(e: BinaryEvaluation) -> Curve:
    assert e.ranking is not None  # its scores are probabilities
    return smooth_reliability(e.ranking)


def _diagonal() -> Line:
    return Line(np.array([0.0, 1.0]), np.array([0.0, 1.0]), "calibrated")


def _panel(layers: Sequence[Layer], below: Panel | None) -> Panel:
    key: Place = "best" if below is not None else "below it"
    return Panel(
        tuple(layers), "mean probability", "observed rate", SHARES, SHARES, key=key, below=below, square=True
    )


def _series(bins: Curve, smooth: Curve, look: int, label: str, number: int) -> list[Layer]:
    """The smooth curve, and the bins with their intervals, as far as there is room. number: of the series."""
    said = f"{len(bins)} bins with {bins.about.level * 100:.4g} % intervals" if bins.about else ""
    low, high = bins.band if bins.band is not None and number <= MOST_INTERVALS else (None, None)
    dots = Dots(bins.x, bins.y, said if number == 1 else "", look, style.shape(look), low, high)
    return [Line(smooth.x, smooth.y, label, look), *([dots] if number <= MOST_DOTS else [])]


def _histogram(tables: Sequence[RankingTable], limits: Sequence[float], names: Sequence[str]) -> Panel | None:
    """The probabilities of positives upwards, of negatives downwards."""
    if not tables:
        return None
    p = tables[0].probability
    heights = [
        np.histogram(p, EDGES, weights=np.asarray(part, float))[0]
        for part in (tables[0].positive, tables[0].negative)
    ]
    bars = [
        Bars(EDGES, height, f"{name} (n = {text.count(height.sum())})", look, style.hatch(look), bool(look))
        for look, (height, name) in enumerate(zip(heights, names, strict=True))
    ]
    rules = [Rule(limit) for limit in limits if 0 <= limit <= 1]
    return Panel(
        (*bars, *rules, Rule(0.0, upright=False, dashed=False)), "probability", "cases", SHARES, key=None
    )
