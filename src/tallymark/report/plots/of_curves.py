"""Every curve of the catalogue, and any measure of counts against the threshold; several are overlaid."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

import numpy as np

from ...curves import CURVES, BandKind, Caption, Curve
from ...curves.band_kinds import by_clusters, kinds_of
from ...curves.crossings import crossings, limits
from ...curves.curve import POINTWISE
from ...curves.marks import mark_of
from ...evaluation.results import BinaryEvaluation
from ...input.errors import InputError
from ...input.options import PlotBand
from ..axes import Axis, axes_of, shown_name
from ..captions import THRESHOLD, caption_of, operating_point, summarised
from . import style, words
from .picture import Area, Dots, Layer, Line, Panel, Picture, Place, Rule, Span, thinned
from .registry import Kind, enter
from .source import Source

MOST_BANDS = 5  # series of which each has its band
AUTO: Final = "auto"
NO_POINT = "no threshold has both error rates between 0 and 1"  # of DET curves
NEEDS = "two classes, or of several with a score per class"
# where the curves leave room
KEYS: dict[str, Place] = {
    "roc": "lower right", "roc_hull": "lower right", "pr": "lower left", "pr_interpolated": "lower left",
    "tpr_fpr": "below it", "far_frr": "below it", "det_linear": "upper right",
}  # fmt: skip
SOME = 4  # crossings in a legend
MODEL = "model"  # the label of the only one
SQUARE = "false positive rate", "probability", "recall", "normal deviate of the false positive rate"
INSIDE = 200  # entries of a legend inside the axes, times the characters of the longest
MOST_BELOW = 8  # entries of a legend below the axes


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """A curve as it is drawn: its label, the point of the threshold, and its measure with its value."""

    curve: Curve
    label: str
    mark: tuple[float, float] | None = None
    measured: str = ""


def of_curve(
    name: str,
    source: Source,
    *,
    band: PlotBand | None = AUTO,
    level: float | None = None,
    ties: bool = False,
) -> Picture:
    """The curve of this name of every evaluation. ties: with the area of tied scores in other orders."""
    if ties and name != "roc":
        problem = f"the figure {name!r} does not show the orders of tied scores"
        raise InputError("conflict", "ties", problem, "leave it out, or take 'roc'")
    chosen = None if ties and band == AUTO else band_kind(name, source, band)
    given: dict[str, Any] = {} if level is None or chosen is None else {"level": level}
    curves = [one.curve(name, band=chosen, **given) for one in _parts(source).values()]
    return of_drawn(source, curves, ties)


def of_drawn(source: Source, curves: Sequence[Curve], ties: bool = False) -> Picture:
    """Curves that are known, one for each evaluation."""
    each = list(zip(_parts(source).items(), curves, strict=True))
    drawn = [_drawn(source, name, e, one) for (name, e), one in each]
    first, evaluations = curves[0], [*_parts(source).values()]
    rules = _rules(evaluations) if first.x_name in THRESHOLD else ()
    alike = source.same_cases and source.by != "class"
    panel = panel_of(drawn, rules, first.name == "roc" and len(drawn) == 2, alike)
    if ties:
        of_ties = tuple(_of_ties(e, look) for look, e in enumerate(evaluations))
        panel = replace(panel, layers=of_ties + panel.layers)
    return Picture(first.name, (panel,), caption_of(first.name).title, _facts(source, drawn))


def _parts(source: Source) -> dict[str, BinaryEvaluation]:
    return {name: one for name, one in source.parts.items() if isinstance(one, BinaryEvaluation)}


def band_kind(name: str, source: Source, asked: PlotBand | None) -> BandKind | None:
    """The kind of band: where none is named, that of each place for few curves that have it, not of folds."""
    if asked != AUTO:
        return asked
    grouped = any(one.clusters is not None for one in source.parts.values())
    allowed = by_clusters(name, POINTWISE) if grouped else POINTWISE in kinds_of(name)
    few = len(source.parts) <= MOST_BANDS and source.by != "fold"  # the curves of folds show how they vary
    return POINTWISE if allowed and few else None


def _drawn(source: Source, name: str, e: BinaryEvaluation, curve: Curve) -> Drawn:
    plain = e.curve(curve.name) if curve.band is not None and curve.name in CURVES else curve
    said = words.summary(e, curve.name)
    alone = source.alone and len(_own(curve)) > 1  # the legend names the lines, the facts the measure
    label = source.label(name, "" if alone else said)
    return Drawn(curve.joined().simplify(), label, operating_point(e, plain), said)


def _facts(source: Source, drawn: Sequence[Drawn]) -> tuple[str, ...]:
    """Those of the cases, the measure where no line says it, and the threshold that dots show."""
    *first, last = source.facts
    parts = _parts(source)
    curve = drawn[0].curve
    known = [summarised(one, curve.name) for one in parts.values()]
    if not any(one is not None and one.has_interval for one in known):
        last = ""  # the level of a band is in the legend
    if source.alone and len(_own(curve)) > 1 and not caption_of(curve.name).shows:
        last = _joined(last, *(words.summary(one, curve.name) for one in parts.values()))
    limits = dict.fromkeys(filter(None, map(words.threshold, parts.values())))
    if not any((np.isfinite(one.curve.x) & np.isfinite(one.curve.y)).any() for one in drawn):
        return tuple(filter(None, (*first, last, NO_POINT)))
    if any(one.mark for one in drawn):
        one_limit = next(iter(limits)) if len(limits) == 1 else "the thresholds"
        last = _joined(last, f"dot{'s' * (len(drawn) > 1)}: {one_limit}")
    return tuple(filter(None, (*first, last)))


def _joined(*facts: str) -> str:
    return "; ".join(filter(None, facts))


def _rules(evaluations: Sequence[BinaryEvaluation]) -> tuple[Rule, ...]:
    """The thresholds, upright; one where all have the same."""
    limits = {words.threshold(one): one.limit for one in evaluations if one.limit is not None}
    return tuple(
        Rule(limit, label, None if len(limits) == 1 else i)
        for i, (label, limit) in enumerate(limits.items())
        if limit is not None and np.isfinite(limit)
    )


# The panel
# --------------------------------------------------------------------------------------------------


def panel_of(
    drawn: Sequence[Drawn], rules: Sequence[Rule] = (), crossed: bool = False, alike: bool = True
) -> Panel:
    """Curves of one name on common axes. alike: whether all have the same baselines and references."""
    first = drawn[0].curve
    axes = axes_of(*(one.curve for one in drawn))
    layers: list[Layer] = _references([one.curve for one in (drawn[:1] if alike else drawn)], axes)
    for look, one in enumerate(drawn):
        layers += _bands(one, look, axes, alone=len(drawn) == 1)
    for look, one in enumerate(drawn):
        layers += _lines(one, look, axes, alone=len(drawn) == 1)
    layers += [*rules, *(_crossings(drawn[0], drawn[1], axes) if crossed else ())]
    layers += [_mark(*one.mark, look) for look, one in enumerate(drawn) if one.mark]
    layers += [_shown(one, look, len(drawn) == 1) for look, one in enumerate(drawn) if mark_of(one.curve)]
    own = list(_own(first))
    y_name = (len(own) > 1 and words.shared(own)) or first.y_name
    y_name = y_name if first.name in CURVES else words.name_of(y_name)
    panel = Panel(
        tuple(layers), shown_name(first.x_name), shown_name(y_name), *axes,
        square=first.x_name in SQUARE and "rate" in first.y_name,
    )  # fmt: skip
    return replace(panel, key=_key(first.name, [one.label for one in panel.named]))


def _key(name: str, labels: Sequence[str]) -> Place:
    """Inside where there is room, else below the axes, or next to them where there are many."""
    if len(labels) > MOST_BELOW:
        return "right of it"
    longest = max(map(len, labels), default=0)
    return KEYS.get(name, "best") if len(labels) * longest <= INSIDE else "below it"


def _mark(x: float, y: float, look: int) -> Dots:
    return Dots(np.array([x]), np.array([y]), "", look, style.shape(look))


def _shown(one: Drawn, look: int, alone: bool) -> Span | Dots:
    """The measure of two lines: their distance, or the point where they cross."""
    found, about = mark_of(one.curve), caption_of(one.curve.name)
    assert found is not None
    apart = about.shows == "distance"
    value = found.high - found.low if apart else found.low
    label = f"{one.measured or f'{about.label} {value:.3f}'} at {found.x:.4g}" if alone else ""
    if apart:
        return Span(*found, label, look + alone)
    return Dots(np.array([found.x]), np.array([found.low]), label, look + alone, style.shape(look + alone))


def _lines(one: Drawn, look: int, axes: tuple[Axis, Axis], alone: bool) -> Iterator[Line]:
    own = _own(one.curve)
    for second, (name, y) in enumerate(own.items()):
        x, (heights,) = thinned(one.curve.x, [y], *axes)
        label = _label(one, name, len(own), second, alone)
        yield Line(x, heights, label, look, second, one.curve.step)


def _own(curve: Curve) -> dict[str, np.ndarray]:
    """The lines that are not references."""
    references = caption_of(curve.name).references
    return {name: y for name, y in curve.lines.items() if name not in references}


def _label(one: Drawn, line: str, lines: int, second: int, alone: bool) -> str:
    """What is said of the series, and the name of the line where there are several."""
    if lines == 1:
        return one.label or (MODEL if alone and caption_of(one.curve.name).references else "")
    name, _, said = one.label.partition(": ")
    return "; ".join(filter(None, (": ".join(filter(None, (name, line))), said * (second == 0))))


def _bands(one: Drawn, look: int, axes: tuple[Axis, Axis], alone: bool) -> Iterator[Area]:
    curve = one.curve
    if curve.band is not None and not curve.dots:
        there = ~np.isnan([curve.x, *curve.band]).any(axis=0) & np.isfinite(curve.x) & np.isfinite(curve.y)
        x, (low, high) = thinned(curve.x[there], [bound[there] for bound in curve.band], *axes)
        label = words.band(curve) if look == 0 else ""
        yield Area(x, low, high, label, look, curve.step, alone=alone)


def _references(curves: Sequence[Curve], axes: tuple[Axis, Axis]) -> list[Layer]:
    """Classifiers that ignore the scores, of each of these curves; the legend names those of the first."""
    about, found = caption_of(curves[0].name), []
    levels = [one for one in curves if one.baseline is not None and np.isfinite(one.baseline).all()]
    for i, curve in enumerate(levels):
        assert curve.baseline is not None
        finite = curve.x[np.isfinite(curve.x)]
        label = "" if i else _baseline(about, levels)
        found.append(Line(np.array([finite.min(), finite.max()]), np.array(curve.baseline), label))
    for i, curve in enumerate(curves):
        for second, name in enumerate(about.references):
            x, (y,) = thinned(curve.x, [curve.lines[name]], *axes)
            found.append(Line(x, y, "" if i else name, None, second))
    return _once(found)


def _baseline(about: Caption, curves: Sequence[Curve]) -> str:
    """What the baseline is, with its height, or the lowest and the highest, where that is the prevalence."""
    heights = [one.baseline[0] for one in curves if one.baseline is not None]
    if about.baseline != "prevalence":
        return about.baseline
    low, high = f"{min(heights):.3g}", f"{max(heights):.3g}"
    return f"{about.baseline} {low}" if low == high else f"{about.baseline} {low} to {high}"


def _once(lines: Sequence[Line]) -> list[Layer]:
    """Without lines that are there already."""
    known: dict[bytes, Line] = {}
    for one in lines:
        known.setdefault(np.concatenate([one.x, one.y]).tobytes(), one)
    return list(known.values())


def _crossings(one: Drawn, other: Drawn, axes: tuple[Axis, Axis]) -> Iterator[Dots | Area]:
    """Where two curves cross; without bands the regions where each is higher, too, in its colour."""
    first, second = one.curve, other.curve
    x, y, _ = crossings(first, second)
    if not len(x):
        return
    some = ", ".join(f"{at:.3g}" for at in x[:SOME]) + ", …" * (len(x) > SOME)
    yield Dots(x, y, f"{len(x)} crossing{'s' * (len(x) > 1)}, at false positive rate {some}", None, "X")
    if first.band is None and second.band is None:
        along = np.unique(np.concatenate([first.x, second.x, x]))
        heights = [limits(curve, along) for curve in (first, second)]
        for look in (0, 1):
            low, high = heights[1 - look], np.maximum(*heights)
            place, (low, high) = thinned(np.repeat(along, 2), [low, high], *axes)
            yield Area(place, low, high, "", look)


def _of_ties(e: BinaryEvaluation, look: int) -> Area:
    """The area between the curves of the most and the least favourable order of tied scores."""
    worst, best = (e.curve("roc", ties=order).simplify() for order in ("pessimistic", "optimistic"))
    along = np.unique(np.concatenate([worst.x, best.x]))
    place, (low, high) = thinned(
        np.repeat(along, 2), [limits(worst, along), limits(best, along)], *axes_of(worst, best)
    )
    areas = (f"{e[f'roc_auc_{order}'].value:.3f}" for order in ("pessimistic", "optimistic"))
    return Area(place, low, high, f"tied scores in other orders: AUC {' to '.join(areas)}", look)


OWN = ("density", "reliability", "reliability_equal_mass")  # have their own figures


def of_measure(name: str) -> Kind:
    """The kind of a measure of counts against the threshold."""
    return Kind(name, caption_of(name).title, partial(of_curve, name), (BinaryEvaluation,), "together", NEEDS)


for _name in CURVES:
    if _name not in OWN:
        enter(of_measure(_name))
