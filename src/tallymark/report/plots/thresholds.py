"""Measures against the threshold, with the share of the cases that is predicted positive."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...evaluation.results import BinaryEvaluation
from ...evaluation.thresholds.choose_threshold import ThresholdChoice
from ...input import text
from ..axes import axis_of
from ..captions import OF_MEASURES
from . import words
from .of_curves import NEEDS
from .picture import Layer, Line, Panel, Picture, Place, Rule, Stretch, thinned
from .registry import kind
from .source import ALONE, Source

USUAL = ("precision", "sensitivity", "specificity", "f1")
SHARE = "predicted_prevalence"


@kind(OF_MEASURES, BinaryEvaluation, way="apart", needs=NEEDS, intervals=False)
def thresholds(e: BinaryEvaluation, name: str, *, measures: str | Sequence[str] | None = None) -> Panel:
    """Each measure as a step function, and the threshold."""
    names = [measures] if isinstance(measures, str) else list(measures or USUAL)
    curves = [e.curve(one) for one in (*names, SHARE)]
    across = axis_of("threshold", [curves[0].x])
    up = axis_of("measures", [one.y for one in curves])
    layers: list[Layer] = []
    for look, curve in enumerate(curves):
        x, (y,) = thinned(curve.x, [curve.y], across, up)
        last = look == len(names)
        label = "Share predicted positive" if last else words.short_name(curve.name)
        layers.append(Line(x, y, label, None if last else look, int(last), curve.step))
    if e.limit is not None and np.isfinite(e.limit):
        layers.append(Rule(e.limit, words.threshold(e)))
    key: Place = "best" if name else "below it"
    return Panel(tuple(layers), "threshold", "value", across, up, title=name, key=key)


@kind(OF_MEASURES, ThresholdChoice, way="whole", needs="a chosen threshold", name="thresholds")
def of_choice(choice: ThresholdChoice, *, measures: str | Sequence[str] | None = None) -> Picture:
    """The same, with the interval of the threshold."""
    source = Source(choice, {ALONE: choice.evaluation})
    panel = thresholds(choice.evaluation, "", measures=measures)
    low, high = choice.interval
    ends = np.isfinite([low, high]).all() and panel.across is not None
    said = f"interval {text.interval(low, high)}"
    layers = (Stretch(low, high, said), *panel.layers) if ends else panel.layers
    shown = Panel(layers, panel.x_name, panel.y_name, panel.across, panel.up, key=panel.key)
    facts = (source.facts[0], f"threshold by {choice.rule.text}")
    return Picture("thresholds", (shown,), OF_MEASURES, facts)
