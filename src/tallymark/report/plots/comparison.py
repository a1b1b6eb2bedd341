"""Comparisons: differences in a forest, confidence curves, and the difference of two decision curves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...evaluation.paired.differences import Difference
from ...input import text
from ...input.options import PlotBand
from ...input.validate import InputError
from ...measures import registry
from ...studies.compare.answer import Comparison
from ..grid import p_value
from . import style, words
from .of_curves import AUTO, Drawn, panel_of
from .picture import Dots, Panel, Picture, Rule, Texts
from .registry import kind

NEEDS = "a comparison of models"
LONGEST = 16  # characters of a model's name


@kind("Differences", Comparison, way="whole", needs=NEEDS)
def differences(c: Comparison, *, measures: str | Sequence[str] | None = None) -> Picture:
    """A row for each difference, with its interval, p-value and margin; a panel for each scale."""
    found = _chosen(c, measures)
    panels = [_forest(c, some) for some in _of_one_scale(c, found)]
    return Picture("differences", tuple(panels), _title(c, "Differences"), _facts(c))


@kind("Confidence curve", Comparison, way="whole", needs=NEEDS)
def confidence(c: Comparison, *, measures: str | Sequence[str] | None = None) -> Picture:
    """The p-value of every possible difference of one measure; the curves of all pairs of models."""
    found = _chosen(c, measures if measures is not None else c.measures[0])
    if len({one.measure for one in found}) > 1:
        raise InputError(
            "needed", "measures", "a confidence curve is of one measure", f"as measures={c.measures[0]!r}"
        )
    several = len(found) > 1
    drawn = [Drawn(one.curve, _pair(one, several) + words.value(one.estimate)) for one in found]
    panel = panel_of(drawn, (Rule(0.0, "no difference", dashed=False),))
    level = Rule(1 - c.level, f"ends of the {100 * c.level:.4g} % interval", None, upright=False)
    name = words.name_of(found[0].measure)
    which = name if several else f"{name}, {_short(found[0].model)} - {_short(found[0].reference)}"
    shown = Panel(
        (*panel.layers, level), f"difference of {which}", "p-value", panel.across, panel.up,
        key="right of it" if several else "best",
    )  # fmt: skip
    return Picture("confidence", (shown,), "Confidence curve", _facts(c))


@kind("Difference of net benefit", Comparison, way="whole", needs=NEEDS)
def decision_difference(
    c: Comparison, *, band: PlotBand | None = AUTO, level: float | None = None
) -> Picture:
    """The net benefit of the first model less that of the reference, with its band."""
    if band == "kolmogorov-smirnov":
        raise InputError(
            "unsupported", "band", "net benefit has none of this kind", "pointwise, simultaneous"
        )
    model, reference = c.pairs[0]
    found = c.curve("decision", model, reference, band="pointwise" if band == AUTO else band, level=level)
    panel = panel_of([Drawn(found.joined().simplify(), f"{_short(model)} - {_short(reference)}")])
    layers = (Rule(0.0, "no difference", upright=False, dashed=False), *panel.layers)
    shown = Panel(layers, "threshold", "difference of net benefit", panel.across, panel.up)
    return Picture("decision_difference", (shown,), "Difference of net benefit", _facts(c))


def _chosen(c: Comparison, measures: str | Sequence[str] | None) -> list[Difference]:
    """The differences of these measures, by any of their names, or all. Raises InputError."""
    if measures is None:
        return list(c.differences)
    names = [measures] if isinstance(measures, str) else list(measures)
    found: list[Difference] = []
    for name in names:
        known = {form.name for form in registry.forms(name)}
        of_name = [one for one in c.differences if one.measure in known]
        if not of_name:
            compared = ", ".join(c.measures)
            raise InputError(
                "unknown-name", "measures", f"{name!r} is not compared here", f"compared are {compared}"
            )
        found += of_name
    return found


def _of_one_scale(c: Comparison, found: Sequence[Difference]) -> list[list[Difference]]:
    """All together where there is one pair and all measures are shares; else by measure."""
    inside = all(-1 <= end <= 1 for one in found for end in (one.value, one.low, one.high) if end == end)
    if len(c.pairs) == 1 and inside and not c.of_amounts:
        return [list(found)]
    return [[one for one in found if one.measure == name] for name in dict.fromkeys(x.measure for x in found)]


def _forest(c: Comparison, found: Sequence[Difference]) -> Panel:
    at, several = np.arange(len(found), dtype=float), len(c.pairs) > 1
    value, low, high = (np.array([getattr(one, end) for one in found]) for end in ("value", "low", "high"))
    rows = [_pair(one, several, ": ") or words.name_of(one.measure) for one in found]
    margins = dict.fromkeys(one.decision.margin for one in found if one.decision)
    rules = [Rule(0.0, dashed=False)]
    for margin in margins:
        rules += [Rule(-margin, f"margin {margin:.4g}", 1), Rule(margin, look=1)]
    dots = Dots(value, at, "", 0, style.shape(0), low, high, across=True)
    p = tuple(_p(p_value(one.p_value)) for one in found)
    name = words.name_of(found[0].measure) if several or len(found) == 1 else "measures"
    return Panel(
        (*rules, dots, Texts(at, p)), f"difference of {name}", "",
        rows=tuple(row.removesuffix(": ") for row in rows), key="best",
    )  # fmt: skip


def _p(written: str) -> str:
    return f"p {written}" if written.startswith("<") else f"p = {written}"


def _pair(one: Difference, several: bool, end: str = ": ") -> str:
    """Model and reference, where there are several pairs."""
    return f"{_short(one.model)} - {_short(one.reference)}{end}" if several else ""


def _short(name: str) -> str:
    return text.label(name, LONGEST)


def _title(c: Comparison, what: str) -> str:
    model, reference = c.pairs[0]
    return what if len(c.pairs) > 1 else f"{what}: {_short(model)} - {_short(reference)}"


def _facts(c: Comparison) -> tuple[str, ...]:
    d: Any = c.data
    cases = f"{text.count(d.rows)} cases" + (f": {text.count(d.positives)} positive" if d.positives else "")
    return cases, f"{'paired' if c.paired else 'different cases'}; {100 * c.level:.4g} % intervals"
