"""Bands of curves, pointwise and simultaneous, read from resampled ROC curves.

Every curve of all thresholds is a function of the rates of both classes and of the proportion of positives
(`Axes`), and so is a measure of counts at a threshold; a band contains its values in resamples, at each place
or at all at once. Without clusters a measure has its own interval at each threshold, and a rate of one class
the Kolmogorov band.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Hashable
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from .. import kernels
from ..inference import Settings, estimate_each, measured, resampled
from ..inference.clustered import DependentCases
from ..inference.covariance import units_of
from ..inference.interval import GIVEN_MIX, HELD, depends_on_mix, with_fixed_mix
from ..input import validate
from ..input.messages import Note, SomeNotes, joined
from ..measures import registry
from ..summaries import Counts, RankingTable
from ..summaries.ranking import Squares
from . import kinds
from .curve import (
    CAPTIONS,
    CONSISTENCY,
    CURVES,
    OF_PROBABILITIES,
    POINTWISE,
    SIMULTANEOUS,
    Band,
    BandKind,
    Caption,
    Curve,
    Ties,
    has_own_band,
)
from .kinds import EVERYBODY, places_above

RESAMPLED = POINTWISE, SIMULTANEOUS
KOLMOGOROV = "kolmogorov-smirnov"  # simultaneous for any distribution of the scores
KINDS = *RESAMPLED, KOLMOGOROV
BANDS = {
    POINTWISE: (resampled.pointwise, "bayesian-bootstrap"),
    SIMULTANEOUS: (resampled.envelope, "bayesian-bootstrap envelope"),
}
REGULAR = np.array(sorted({*np.linspace(0, 1, 101), *1 / (1 + np.exp(np.linspace(-7, 7, 57)))}))
MOST_PLACES = 150  # at points of the curve, in addition to the regular ones
MOST_THRESHOLDS = 300  # with intervals; they are interpolated between these
FEW_CASES = 30  # of a class (docs/intervals.md)
AT_ENDS = Note("band-at-ends")
OF_ONE_CLASS_EACH = ("roc", "det", "det_linear")  # these do not depend on the class mix
OF_A_CLASS = {
    "sensitivity": "positives",
    "false_negative_rate": "positives",
    "specificity": "negatives",
    "false_positive_rate": "negatives",
}  # a distribution function of the scores of that class, or 1 minus it
Units = DependentCases | None


# How a curve is read from an ROC curve
# -------------------------------------------------------------------------------------------------------


def _tpr_at_fpr(places: np.ndarray, rates: resampled.Rates, highest: bool) -> np.ndarray:
    return resampled.height(places, rates.fpr, rates.tpr, last=highest)


def _precision_at_tpr(places: np.ndarray, rates: resampled.Rates, highest: bool) -> np.ndarray:
    fpr = resampled.height(places, rates.tpr, rates.fpr, last=not highest)
    tp, fp = rates.share * places, (1 - rates.share) * fpr
    return np.divide(tp, tp + fp, out=np.ones_like(fpr), where=fp > 0)


def _tpr_at_taken(places: np.ndarray, rates: resampled.Rates, highest: bool) -> np.ndarray:
    taken = rates.share * rates.tpr + (1 - rates.share) * rates.fpr
    return resampled.height(places, taken, rates.tpr, last=highest)


class Axes(NamedTuple):
    """How a curve is read from an ROC curve.

    read: heights at some places, as proportions; units: x = 1 and y = 1 in the units of a table.
    """

    read: Callable[[np.ndarray, resampled.Rates, bool], np.ndarray]
    units: Callable[[RankingTable], tuple[float, float]] = lambda table: (1.0, 1.0)


def _deviates(x: np.ndarray, y: np.ndarray, table: RankingTable) -> tuple[np.ndarray, np.ndarray]:
    from scipy.special import ndtri

    return ndtri(x), ndtri(1 - y)


AXES = {
    "roc": Axes(_tpr_at_fpr),
    "pr": Axes(_precision_at_tpr),
    "pr_interpolated": Axes(_precision_at_tpr),
    "gain": Axes(_tpr_at_taken, lambda table: (table.total, table.positives)),
}
# another curve with other axes: x and y of its points
DERIVED: dict[str, tuple[str, Callable[..., tuple[np.ndarray, np.ndarray]]]] = {
    "det": ("roc", _deviates),
    "det_linear": ("roc", lambda x, y, table: (x, 1 - y)),
    "lift": ("gain", lambda x, y, table: (x, y / (x / table.total * table.positives))),
}


def kinds_of(name: str) -> tuple[str, ...]:
    """The kinds of bands that the curve of this name has."""
    name = DERIVED.get(name, (name,))[0]
    if name == "roc" or name in OF_A_CLASS:
        return KINDS
    has_none = name in CURVES and name not in AXES and name != "decision" and not has_own_band(name)
    return () if has_none else RESAMPLED


def check(name: str, kind: Any) -> str:
    """The kind of band. Raises InputError where the curve does not have it."""
    chosen = validate.choice(kind, KINDS, "band")
    if chosen in kinds_of(name):
        return chosen
    have = [curve for curve in (*CURVES, *OF_A_CLASS) if kind in kinds_of(curve)]
    more = "" if kind == KOLMOGOROV else ", and any other measure of counts"
    raise validate.InputError(
        "unsupported", "band", f"the curve {name!r} has no {kind} band", f"{', '.join(have)}{more} have one"
    )


def by_clusters(name: str, kind: str) -> bool:
    """Whether the band can be made of resamples, in which units are drawn as wholes."""
    return kind in RESAMPLED and kind in kinds_of(name) and not has_own_band(name)


def not_by_clusters(name: str, kind: str, what: str) -> validate.InputError:
    """The error for a band that would take dependent cases as independent.

    what: "clusters" or "persons".
    """
    have = ", ".join(curve for curve in CURVES if by_clusters(curve, POINTWISE))
    return validate.InputError(
        "unsupported",
        what,
        f"no valid {kind} band of {name!r} is known for cases that belong together",
        f"take a {' or '.join(RESAMPLED)} band of {have} or a measure of counts, with tied cases together",
    )


# With a band
# -------------------------------------------------------------------------------------------------------


def with_band(
    curve: Curve,
    table: RankingTable,
    kind: str,
    settings: Settings,
    clusters: Units = None,
    **parameters: Any,
) -> Curve:
    """The curve of a table with a band of that kind, and with points added where the band bends.

    clusters: those that are resampled as wholes; parameters: of the measure that is drawn. If a class has no
    cases, or the curve no points, it has no band, and `about` has the reason. Raises InputError for a band
    that the curve does not have.
    """
    check(curve.name, kind)
    missing = [name for name in ("positives", "negatives") if not getattr(table, name)]
    if missing or not len(curve.x):
        why = Note("no-cases-of-a-class", missing=missing[0]) if missing else Note("curve-without-points")
        return replace(curve, about=band_of(kind, settings, None, table, why))
    if curve.name in CURVES:
        make = _decision if curve.name == "decision" else _derived if curve.name in DERIVED else _of_axes
        return make(curve, table, kind, settings, clusters)
    if clusters is None and kind == POINTWISE:
        return _of_intervals(curve, table, settings, parameters)
    if clusters is None and curve.name in OF_A_CLASS:
        cases = getattr(table, f"effective_{OF_A_CLASS[curve.name]}")
        reach = resampled.kolmogorov(cases, settings.level)
        band = np.maximum(curve.y - reach, 0.0), np.minimum(curve.y + reach, 1.0)
        return replace(curve, band=band, about=band_of(kind, settings, KOLMOGOROV, table))
    return _band_of_measure(curve, table, kind, settings, clusters, parameters)


def in_design(curve: Curve, settings: Settings, weight_kind: str | None, **parameters: Any) -> Curve:
    """The curve with the design and the kind of weights of its band, and a note if the class mix is fixed.

    parameters: of the measure that is drawn.
    """
    if curve.about is None:
        return curve
    named = replace(curve, about=replace(curve.about, design=settings.design, weight_kind=weight_kind))
    if settings.design != HELD or curve.band is None or curve.name in OF_ONE_CLASS_EACH:
        return named
    if curve.name not in CURVES and not depends_on_mix(_function(curve.name, parameters)):
        return named
    return noted(named, GIVEN_MIX)


def _function(name: str, parameters: dict[str, Any]) -> Callable[[Counts], Any]:
    """The measure that is drawn, with its parameters."""
    entry = registry.get(name, Counts)
    return partial(entry.function, **entry.checked(parameters))


def noted(curve: Curve, more: Note) -> Curve:
    """The curve with another note on its band."""
    if curve.about is None or curve.band is None:
        return curve
    return replace(curve, about=replace(curve.about, notes=joined(curve.about.notes, more)))


def band_of(
    kind: str, settings: Settings, method: str | None, table: RankingTable, notes: SomeNotes = None
) -> Band:
    """The facts of a band; in the notes, how many cases of equal weight the weights are worth."""
    sizes = {"positives": float(table.effective_positives), "negatives": float(table.effective_negatives)}
    weighted = None if table.equally_weighted or method is None else Note("weights-count-as", **sizes)
    simultaneous = POINTWISE if kind == POINTWISE else SIMULTANEOUS
    return Band(simultaneous, settings.level, method, joined(notes, weighted))


# From resampled ROC curves
# -------------------------------------------------------------------------------------------------------


def heights(
    of: Hashable,
    read: resampled.Reading,
    kind: str,
    settings: Settings,
    table: RankingTable,
    clusters: Units = None,
) -> tuple[np.ndarray, np.ndarray, str, SomeNotes]:
    """The bounds, the method, and the notes; the table keeps them. of: what `read` reads of a table."""
    key, level = ("band", of, kind, settings), settings.level
    if clusters is None and key in table.kept:
        return table.kept[key]
    if kind == KOLMOGOROV:
        return *resampled.kolmogorov_smirnov(table, read, level), KOLMOGOROV, None
    lines = resampled.resampled(
        table, read, resampled.replicates(level), settings.seed, settings.design, clusters
    )
    band, method = BANDS[kind]
    low, high, notes = band(*lines, level)
    if clusters is not None:
        positive = clusters.cases.positive
        of_class = {"positives": positive, "negatives": ~positive}
        fewest = units_of(clusters.units, clusters.weight, of_class, clusters.what)
        return low, high, f"clustered {method}", notes or fewest.few
    few = min(table.effective_positives, table.effective_negatives) < FEW_CASES
    bounds = low, high, method, notes or (Note("band-wide", limit=FEW_CASES) if few else None)
    table.kept[key] = bounds
    return bounds


def _of_axes(curve: Curve, table: RankingTable, kind: str, settings: Settings, clusters: Units) -> Curve:
    axes, (across, up) = AXES[curve.name], AXES[curve.name].units(table)
    # regular places, closer at the ends, and some where the curve has points
    own = (curve.x / across)[kernels.starts_of_runs(curve.x)]  # they ascend
    chosen = own[np.unique(np.linspace(0, len(own) - 1, MOST_PLACES).astype(int))]
    places = np.unique(np.append(REGULAR, chosen))
    read = partial(axes.read, places)
    low, high, method, notes = heights(curve.name, read, kind, settings, table, clusters)
    denser = with_points(curve, places * across)
    low, high = (np.interp(denser.x / across, places, bound) * up for bound in (low, high))
    return replace(
        denser, band=around(denser, low, high), about=band_of(kind, settings, method, table, notes)
    )


def with_points(curve: Curve, x: np.ndarray) -> Curve:
    """The curve with added points of these x on its line, each with the threshold of the next point."""
    x = x[(x > curve.x[0]) & (x < curve.x[-1])]
    at = np.searchsorted(curve.x, x)
    new, at = x[curve.x[at] != x], at[curve.x[at] != x]
    before, after = curve.x[at - 1], curve.x[at]
    way = 1.0 if curve.step else (new - before) / (after - before)
    y = curve.y[at - 1] + way * (curve.y[at] - curve.y[at - 1])
    added = ((curve.x, new), (curve.y, y), (curve.threshold, curve.threshold[at]))
    x, y, threshold = (np.insert(column, at, more) for column, more in added)
    return replace(curve, x=x, y=y, threshold=threshold)


def around(curve: Curve, low: np.ndarray, high: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The bounds, widened to include the line, also where it is vertical or at a step."""
    new = kernels.changes(curve.x)  # they ascend
    starts, place = np.flatnonzero(new), np.cumsum(new) - 1
    next_y = np.append(curve.y[1:], curve.y[-1]) if curve.step else curve.y
    low, high = (
        pick.reduceat(pick(pick(bound, curve.y), next_y), starts)[place]
        for pick, bound in ((np.minimum, low), (np.maximum, high))
    )
    return low, high


def _derived(curve: Curve, table: RankingTable, kind: str, settings: Settings, clusters: Units) -> Curve:
    """The curve and the band of another one, on these axes; added points are on the lines of that one."""
    name, axes = DERIVED[curve.name]
    base = _of_axes(CURVES[name](table), table, kind, settings, clusters)
    assert base.band is not None
    there = base.x > 0 if name == "gain" else np.ones(len(base.x), bool)
    x, y = axes(base.x[there], base.y[there], table)
    low, high = (axes(base.x[there], bound[there], table)[1] for bound in base.band)
    band = np.fmin(low, high), np.fmax(low, high)
    return replace(curve, x=x, y=y, threshold=base.threshold[there], band=band, about=base.about)


# At thresholds
# -------------------------------------------------------------------------------------------------------


def _decision(curve: Curve, table: RankingTable, kind: str, settings: Settings, clusters: Units) -> Curve:
    """The band of net benefit at the thresholds of the curve.

    A simultaneous one is for the thresholds that were chosen, or for all. The band of predicting all positive
    comes from the interval of the prevalence, the same at all thresholds.
    """
    known = table.as_probabilities()
    base = resampled.few_scores(known) if clusters is None else clusters.table.as_probabilities()
    limits = base.thresholds.astype(float)
    at = limits[(limits < 1) & np.isfinite(limits)]
    at, own = (at, None) if curve.between is None else (curve.x, curve.x.tobytes())
    odds, columns = at / (1 - at), places_above(limits, at) + 1  # the corner is before them

    def read(rates: resampled.Rates, highest: bool) -> np.ndarray:
        return rates.share * rates.tpr[:, columns] - (1 - rates.share) * rates.fpr[:, columns] * odds

    low, high, method, notes = heights((curve.name, own), read, kind, settings, known, clusters)
    low, high = (np.interp(curve.x, at[::-1], bound[::-1]) for bound in (low, high))
    band = np.minimum(low, curve.y), np.maximum(high, curve.y)
    everybody = {} if settings.design == HELD else {EVERYBODY: _everybody(curve, settings, table, clusters)}
    return replace(curve, band=band, bands=everybody, about=band_of(kind, settings, method, table, notes))


def _everybody(
    curve: Curve, settings: Settings, table: RankingTable, clusters: Units
) -> tuple[np.ndarray, np.ndarray]:
    """The band of predicting all positive: both kinds follow from one interval of the prevalence."""
    counts, entry = table.sweep_with_squares()[-1], registry.get("prevalence", Counts)
    share = measured(entry, counts, settings, {}, clusters, -np.inf)
    odds = curve.x / (1 - curve.x)
    low, high = (float(end) - (1 - float(end)) * odds for end in (share.low, share.high))
    return low, high


def _band_of_measure(
    curve: Curve,
    table: RankingTable,
    kind: str,
    settings: Settings,
    clusters: Units,
    parameters: dict[str, Any],
) -> Curve:
    """The values of the measure in resamples, at some thresholds; where it is undefined, without bounds."""
    function = _function(curve.name, parameters)
    base = resampled.few_scores(table) if clusters is None else clusters.table
    limits = base.thresholds[1:]  # before them nothing is predicted positive
    total = float(table.total)

    def read(rates: resampled.Rates, highest: bool) -> np.ndarray:
        fpr, tpr = rates.fpr[:, 2 : len(limits) + 2], rates.tpr[:, 2 : len(limits) + 2]
        of_class = total * rates.share, total * (1 - rates.share)
        counts = (part * size for rate in (lambda r: r, lambda r: 1 - r)
                  for part, size in zip(map(rate, (tpr, fpr)), of_class, strict=True))  # fmt: skip
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(function(Counts.of(*counts)), float)

    key = curve.name, tuple(sorted(parameters.items()))
    low, high, method, notes = heights(key, read, kind, settings, table, clusters)
    notes = joined(notes, AT_ENDS if kind == SIMULTANEOUS else None)
    at = np.searchsorted(-curve.x, -limits)
    ends = np.fmin(low, high), np.fmax(low, high)
    low, high = (np.interp(np.arange(len(curve)), at, bound) for bound in ends)
    band = np.fmin(low, curve.y), np.fmax(high, curve.y)
    for bound in band:
        bound[~np.isfinite(curve.x)] = curve.y[~np.isfinite(curve.x)]
    return replace(curve, band=band, about=band_of(kind, settings, method, table, notes))


def _of_intervals(curve: Curve, table: RankingTable, settings: Settings, parameters: dict[str, Any]) -> Curve:
    """The interval of the measure at each of some thresholds."""
    at = np.unique(np.linspace(0, len(curve) - 1, MOST_THRESHOLDS).astype(int))
    estimates = estimate_each(curve.name, table.sweep_with_squares()[at], settings, **parameters)
    low, high = (np.array([getattr(estimate, end) for estimate in estimates]) for end in ("low", "high"))
    methods = " or ".join(dict.fromkeys(estimate.method for estimate in estimates if estimate.method))
    each = dict.fromkeys(estimate.notes for estimate in estimates)
    at_some = (Note("at-some-thresholds", what=one) for one in dict.fromkeys(chain.from_iterable(each)))
    notes = next(iter(each)) if len(each) == 1 else tuple(at_some)
    about = replace(band_of(POINTWISE, settings, methods, table, notes), method=methods or None)
    if not np.isfinite(low).any():
        return replace(curve, about=about)
    low, high = (np.interp(np.arange(len(curve)), at, bound) for bound in (low, high))
    with np.errstate(invalid="ignore"):
        band = np.minimum(low, curve.y), np.maximum(high, curve.y)
    return replace(curve, band=band, about=about)


# Curves of all thresholds of a ranking table, and of any measure of counts against the threshold
# --------------------------------------------------------------------------------------------------

# The modules of the curves, in this order.
# isort: off

# isort: on

__all__ = ["CAPTIONS", "CURVES", "OF_PROBABILITIES", "Band", "BandKind", "Caption", "Curve", "Ties", "curve"]

GROUPED = Note("clusters-as-independent")
TIES = ("together", "optimistic", "pessimistic")


def curve(
    name: str,
    table: RankingTable,
    *,
    ties: Ties = "together",
    band: BandKind | None = None,
    settings: Settings | None = None,
    clusters: Any = None,
    weight_kind: str | None = None,
    **parameters: Any,
) -> Curve:
    """The curve of that name, or of that measure of counts against the threshold.

    Parameters
    ----------
    name : str
        A curve, such as "roc", or a measure of counts.
    table : RankingTable
        The cases.
    ties : {"together", "optimistic", "pessimistic"}
        Cases with the same score come together, as with a real threshold; or the positives first, or the
        negatives, which shows how much the order of tied cases could change the curve.
    band : {"pointwise", "simultaneous", "kolmogorov-smirnov"}, optional
        "pointwise" covers the true height at each x separately, with the probability `level`; "simultaneous"
        the whole true curve, and so does "kolmogorov-smirnov", which is made without resampling and is wider.
        Its bounds are in the `band` of the curve, facts in `about`, and points are added where the band
        bends.
    settings : Settings, optional
        The level, the seed and the design of the band.
    clusters : optional
        The cases that belong together. Clusters are resampled as wholes where the band is made of resamples.
        Other bands are refused; intervals of reliability bins have a note that cases are taken as
        independent.
    weight_kind : str, optional
        The kind of the weights, "count", "importance" or "mixed", which is stated with the band.
    **parameters
        Parameters of the curve or of the measure.

    Returns
    -------
    Curve
        If a class has no cases, without a band; `about` then has the reason.

    Raises
    ------
    InputError
        For an unknown name, no cases, a band that the curve does not have, or that clusters do not allow.
    """
    validate.some_rows(len(table))
    table = apart(table, validate.choice(ties, TIES, "ties"))
    settings = with_fixed_mix(settings or Settings(), table) if clusters is None else settings or Settings()
    if has_own_band(plain(name)):
        chosen = band and check(plain(name), band)
        if chosen and clusters is not None:
            raise not_by_clusters(plain(name), chosen, clusters.what)
        found = _curve(name, table, {"level": settings.level, **parameters, "band": chosen})
    elif band is None:
        return _curve(name, table, parameters)
    else:
        settings = replace(settings, level=parameters.pop("level", settings.level))
        found = _curve(name, table, parameters)
        check(found.name, band)
        if clusters is not None and not (ties == TIES[0] and by_clusters(found.name, band)):
            raise not_by_clusters(found.name, band, clusters.what)
        found, clusters = with_band(found, table, band, settings, clusters, **parameters), None
    found = in_design(
        found, settings, weight_kind or ("importance" if table.weighted else None), **parameters
    )
    if clusters is None or found.about is None or found.about.method == CONSISTENCY:
        return found if clusters is None else noted(found, GROUPED)
    return kinds.in_units(found, clusters, settings)


def _curve(name: str, table: RankingTable, parameters: dict[str, Any]) -> Curve:
    drawn = CURVES.get(plain(name))
    if plain(name) == "net_benefit" and parameters.keys() <= {"thresholds"} and table.in_unit_interval:
        drawn = CURVES["decision"]  # the odds of each threshold are its cost
    if drawn is None:
        return _of_measure(_entry(name), table, parameters)
    takes = list(inspect.signature(drawn).parameters)[1:]
    for parameter in parameters:
        if parameter not in takes:
            has = f"; it takes {', '.join(takes)}" if takes else "; leave it out"
            raise validate.InputError(
                "unknown-name", parameter, f"the curve {plain(name)!r} has no such parameter{has}"
            )
    return drawn(table, **parameters)


def plain(name: Any) -> str:
    """The name of a curve from any spelling."""
    return re.sub(r"[\s-]+", "_", str(name).strip().lower())


def apart(table: RankingTable, ties: str) -> RankingTable:
    """The table with the two classes at a score one after the other.

    It is for curves alone, since its scores repeat.
    """
    if ties == "together":
        return table
    first = [1, 0] if ties == "optimistic" else [0, 1]
    weights = np.kron(table.positive, first), np.kron(table.negative, first[::-1])
    there = weights[0] + weights[1] > 0
    positive, negative = (weight[there] for weight in weights)
    squares = table.squares and Squares(
        *(np.kron(part, row)[there] for part, row in zip(table.squares, (first, first[::-1]), strict=True))
    )
    return table.of(np.repeat(table.score, 2)[there], positive, negative, squares)


def _entry(name: Any) -> registry.Measure:
    try:
        entry = registry.get(name, Counts)
    except validate.InputError:
        entry = None
    if entry is None or entry.summary is not Counts:
        hint = validate.nearest(str(name), [*CURVES, *(one.name for one in registry.find(Counts))])
        known = ", ".join(CURVES)
        raise validate.InputError(
            "unknown-name",
            "curve",
            f"{validate.shown(name)} is not known{hint}",
            f"choose from {known}, or any measure of counts",
            value=name,
        )
    return entry


def _of_measure(entry: registry.Measure, table: RankingTable, parameters: dict[str, Any]) -> Curve:
    values = np.asarray(entry.function(table.sweep(), **entry.checked(parameters)), float)
    limits = table.thresholds
    return Curve(entry.name, limits, values, limits, "threshold", entry.name, step="post")
