"""Bands of curves, pointwise and simultaneous."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from ..inference import Settings, estimate, estimate_each
from ..inference.bootstrap import bands
from ..inference.clustered import Clusters
from ..inference.fixed_sizes import GIVEN_MIX, HELD, depends_on_mix
from ..input.messages.notes import Note, Notes, joined
from ..measures import registry
from ..summaries import Counts, RankingTable
from .band_heights import around, band_of, heights, notes_of, places_of, with_points
from .band_kinds import AXES, KOLMOGOROV, OF_A_CLASS, check
from .curve import POINTWISE, SIMULTANEOUS, Band, Curve
from .names import CURVES
from .of_costs import EVERYBODY, places_above

MOST_THRESHOLDS = 300  # with intervals; they are interpolated between these
ANY_COUNTS = Counts.of(1.0, 1.0, 1.0, 1.0)  # to examine a measure
OF_ONE_CLASS_EACH = ("roc", "det", "det_linear")  # these do not depend on the class mix


# With a band
# ----------------------------------------------------------------------------------------------------------


def with_band(
    found: Curve,
    table: RankingTable,
    kind: str,
    settings: Settings,
    clusters: Clusters | None = None,
    **parameters: Any,
) -> Curve:
    """The curve of a table with a band of that kind, and with points added where the band bends.

    clusters: those that are resampled as wholes, for a band that `by_clusters` allows; parameters: of the
    measure that is drawn. If a class has no cases, or the curve no points, it has no band, and `about` has
    the reason. Raises InputError for a band that the curve does not have.
    """
    check(found.name, kind)
    missing = [name for name in ("positives", "negatives") if not getattr(table, name)]
    if missing or not len(found.x):
        why = Note("no-cases-of-a-class", missing=missing[0]) if missing else Note("curve-without-points")
        about = Band(POINTWISE if kind == POINTWISE else SIMULTANEOUS, settings.level, None, (why,))
        return replace(found, about=about)
    if found.name in CURVES:
        return FORMS.get(found.name, _of_axes)(found, table, kind, settings, clusters)
    return _of_measure(found, table, kind, settings, parameters)


def _of_axes(
    found: Curve, table: RankingTable, kind: str, settings: Settings, clusters: Clusters | None
) -> Curve:
    axes, (across, up) = AXES[found.name], AXES[found.name].units(table)
    places = places_of(found.x / across)
    read = partial(axes.read, places)
    low, high, method, notes = heights(found.name, read, kind, settings, table, clusters)
    more = with_points(found, places * across)
    low, high = (np.interp(more.x / across, places, bound) * up for bound in (low, high))
    about = band_of(kind, settings, method, table, notes)
    return replace(more, band=around(more, low, high), about=about)


def in_design(found: Curve, settings: Settings, weight_kind: str | None, **parameters: Any) -> Curve:
    """The curve with the design and the kind of weights of its band, and a note if the class mix is fixed.

    parameters: of the measure that is drawn.
    """
    if found.about is None:
        return found
    named = replace(found, about=replace(found.about, design=settings.design, weight_kind=weight_kind))
    fixed = settings.design == HELD and found.band is not None
    return noted(named, GIVEN_MIX) if fixed and _depends_on_mix(found.name, parameters) else named


def _depends_on_mix(name: str, parameters: dict[str, Any]) -> bool:
    if name in CURVES:
        return name not in OF_ONE_CLASS_EACH
    entry = registry.get(name, Counts)
    return depends_on_mix(partial(entry.function, **entry.checked(parameters)), ANY_COUNTS)


def noted(found: Curve, more: Note) -> Curve:
    """The curve with another note on its band."""
    if found.about is None or found.band is None:
        return found
    return replace(found, about=replace(found.about, notes=joined(found.about.notes, more)))


# The same on other axes
# -----------------------------------------------------------------------------------------------


def _det(
    found: Curve, table: RankingTable, kind: str, settings: Settings, clusters: Clusters | None
) -> Curve:
    """The band of the ROC curve as normal deviates; added points are on its straight lines."""
    from scipy.special import ndtri

    roc = _of_axes(CURVES["roc"](table), table, kind, settings, clusters)
    assert roc.band is not None
    low, high = (ndtri(1 - bound) for bound in reversed(roc.band))
    x, y = ndtri(roc.x), ndtri(1 - roc.y)
    return replace(found, x=x, y=y, threshold=roc.threshold, band=(low, high), about=roc.about)


def _det_linear(
    found: Curve, table: RankingTable, kind: str, settings: Settings, clusters: Clusters | None
) -> Curve:
    """The band of the ROC curve, upside down."""
    roc = _of_axes(CURVES["roc"](table), table, kind, settings, clusters)
    assert roc.band is not None
    low, high = (1 - bound for bound in reversed(roc.band))
    return replace(found, x=roc.x, y=1 - roc.y, threshold=roc.threshold, band=(low, high), about=roc.about)


def _lift(
    found: Curve, table: RankingTable, kind: str, settings: Settings, clusters: Clusters | None
) -> Curve:
    """The band of the gain as a proportion of the positives, over the proportion of the cases.

    Between thresholds the line is straight, as without a band.
    """
    gain = _of_axes(CURVES["gain"](table), table, kind, settings, clusters)
    assert gain.band is not None
    more = with_points(found, gain.x)
    low, high = (
        np.interp(more.x, gain.x, bound) / (more.x / table.total * table.positives) for bound in gain.band
    )
    return replace(more, band=around(more, low, high), about=gain.about)


# Of net benefit
# -------------------------------------------------------------------------------------------------------


def _decision(
    found: Curve, table: RankingTable, kind: str, settings: Settings, clusters: Clusters | None
) -> Curve:
    """The band of net benefit at the thresholds of the curve.

    A simultaneous one is for the thresholds that were chosen, or for all. The band of predicting all positive
    comes from the interval of the prevalence, the same at all thresholds.
    """
    known = table.as_probabilities()
    base = bands.few_scores(known)
    limits = (base if clusters is None else clusters.units.rows[0].as_probabilities()).thresholds.astype(
        float
    )
    at = limits[(limits < 1) & np.isfinite(limits)]
    at, own = (at, None) if found.between is None else (found.x, found.x.tobytes())
    odds, columns = at / (1 - at), places_above(limits, at) + 1  # the corner is before them

    def read(rates: bands.Rates, highest: bool) -> np.ndarray:
        benefit: np.ndarray = (
            rates.share * rates.tpr[:, columns] - (1 - rates.share) * rates.fpr[:, columns] * odds
        )
        return benefit

    low, high, method, notes = heights((found.name, own), read, kind, settings, known, clusters)
    low, high = (np.interp(found.x, at[::-1], bound[::-1]) for bound in (low, high))
    more = replace(found, band=(np.minimum(low, found.y), np.maximum(high, found.y)))
    everybody = {} if settings.design == HELD else {EVERYBODY: _everybody(found, settings, table, clusters)}
    return replace(more, bands=everybody, about=band_of(kind, settings, method, table, notes))


def _everybody(
    found: Curve, settings: Settings, table: RankingTable, clusters: Clusters | None
) -> tuple[np.ndarray, np.ndarray]:
    """The band of predicting all positive: both kinds follow from one interval of the prevalence."""
    counts, entry = table.sweep_with_squares()[-1], registry.get("prevalence", Counts)
    share = (
        estimate(entry, counts, settings)
        if clusters is None
        else clusters.estimate(entry, counts, settings, {}, -np.inf)
    )
    ends = share.low, share.high
    odds = found.x / (1 - found.x)
    low, high = (float(end) - (1 - float(end)) * odds for end in ends)
    return low, high


FORMS = {"det": _det, "det_linear": _det_linear, "lift": _lift, "decision": _decision}


# Of measures against the threshold
# ------------------------------------------------------------------------------------


def _of_measure(
    found: Curve, table: RankingTable, kind: str, settings: Settings, parameters: dict[str, Any]
) -> Curve:
    """The Kolmogorov band for a rate of one class; else the interval of the measure at each threshold."""
    if kind != POINTWISE:
        cases = getattr(table, f"effective_{OF_A_CLASS[found.name]}")
        reach = bands.kolmogorov(cases, settings.level)
        band = np.maximum(found.y - reach, 0.0), np.minimum(found.y + reach, 1.0)
        return replace(
            found, band=band, about=Band(SIMULTANEOUS, settings.level, KOLMOGOROV, notes_of(table))
        )
    at = np.unique(np.linspace(0, len(found) - 1, MOST_THRESHOLDS).astype(int))
    each = estimate_each(found.name, table.sweep_with_squares()[at], settings, **parameters)
    low, high = (np.array([getattr(one, end) for one in each]) for end in ("low", "high"))
    notes = notes_of(table, _at_thresholds([one.notes for one in each]))
    if not np.isfinite(low).any():
        return replace(found, about=Band(kind, settings.level, None, notes))
    low, high = (np.interp(np.arange(len(found)), at, bound) for bound in (low, high))
    with np.errstate(invalid="ignore"):
        band = np.minimum(low, found.y), np.maximum(high, found.y)
    methods = dict.fromkeys(one.method for one in each if one.method)
    return replace(found, band=band, about=Band(kind, settings.level, " or ".join(methods), notes))


def _at_thresholds(each: Sequence[Notes]) -> Notes:
    """The notes at all thresholds, or those at some of them."""
    found = dict.fromkeys(each)
    if len(found) == 1:
        return next(iter(found))
    return tuple(
        Note("at-some-thresholds", what=note)
        for note in dict.fromkeys(note for some in found for note in some)
    )
