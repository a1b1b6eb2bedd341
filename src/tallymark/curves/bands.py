"""Bands of curves, pointwise and simultaneous: which curve has which, and how one is read off resampled ROC
curves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ..inference import Settings, estimate
from ..inference.bootstrap import bands
from ..inference.clustered import Clusters
from ..inference.effective import as_cases
from ..inference.effective_units import Resting, few_units, least
from ..inference.fixed_sizes import GIVEN_MIX, HELD, depends_on_mix
from ..inference.intervals.kinds import Question, interval_of
from ..inference.units import Units
from ..input import validate
from ..input.messages.notes import Note, Notes, SomeNotes, joined, of_each
from ..input.spelling import option
from ..measures import registry
from ..summaries import Counts, RankingTable
from .curve import POINTWISE, SIMULTANEOUS, Band, Curve
from .names import CURVES, has_own_band
from .of_costs import EVERYBODY

KOLMOGOROV = "kolmogorov-smirnov"  # a simultaneous one, whatever the scores are
KINDS = POINTWISE, SIMULTANEOUS, KOLMOGOROV
BANDS = {
    POINTWISE: (bands.pointwise, "bayesian-bootstrap"),
    SIMULTANEOUS: (bands.envelope, "bayesian-bootstrap envelope"),
}
REGULAR = np.array(sorted({*np.linspace(0, 1, 101), *1 / (1 + np.exp(np.linspace(-7, 7, 57)))}))
MOST_PLACES = 150  # in addition to the regular ones, where the curve has points
MOST_THRESHOLDS = 300  # whose intervals are worked out; between them straight lines
BY_CLUSTERS = "clustered"
FEW_CASES = 30  # of a class (docs/intervals.md)


# What is read off an ROC curve
# ----------------------------------------------------------------------------------------


def _tpr_at_fpr(places: np.ndarray, rates: bands.Rates, highest: bool) -> np.ndarray:
    return bands.height(places, rates.fpr, rates.tpr, last=highest)


def _precision_at_tpr(places: np.ndarray, rates: bands.Rates, highest: bool) -> np.ndarray:
    fpr = bands.height(places, rates.tpr, rates.fpr, last=not highest)
    found, wrong = rates.share * places, (1 - rates.share) * fpr
    precision: np.ndarray = np.divide(found, found + wrong, out=np.ones_like(fpr), where=wrong > 0)
    return precision


def _tpr_at_taken(places: np.ndarray, rates: bands.Rates, highest: bool) -> np.ndarray:
    taken = rates.share * rates.tpr + (1 - rates.share) * rates.fpr
    return bands.height(places, taken, rates.tpr, last=highest)


class Axes(NamedTuple):
    """read: heights at some places, as shares; units: of a table, what x = 1 and y = 1 stand for; kinds: the
    bands there are."""

    read: Callable[[np.ndarray, bands.Rates, bool], np.ndarray]
    units: Callable[[RankingTable], tuple[float, float]] = lambda table: (1.0, 1.0)
    kinds: tuple[str, ...] = (POINTWISE, SIMULTANEOUS)


AXES = {
    "roc": Axes(_tpr_at_fpr, kinds=KINDS),
    "pr": Axes(_precision_at_tpr),
    "pr_interpolated": Axes(_precision_at_tpr),
    "gain": Axes(_tpr_at_taken, lambda table: (table.total, table.positives)),
}
DERIVED = {"det": "roc", "lift": "gain"}
ANY_COUNTS = Counts.of(1.0, 1.0, 1.0, 1.0)  # for what is asked of any
OF_ONE_CLASS_EACH = ("roc", "det")  # which the class mix does not change
OF_A_CLASS = {
    "sensitivity": "positives",
    "false_negative_rate": "positives",
    "specificity": "negatives",
    "false_positive_rate": "negatives",
}  # a distribution function of the scores of that class, or 1 less it


def kinds_of(name: str) -> tuple[str, ...]:
    """The bands that a curve has, by its name."""
    name = DERIVED.get(name, name)
    if name in AXES:
        return AXES[name].kinds
    if name in CURVES:
        return (POINTWISE, SIMULTANEOUS) if has_own_band(name) or name in FORMS else ()
    return KINDS if name in OF_A_CLASS else (POINTWISE,)


def check(name: str, kind: Any) -> str:
    """The kind of band, if the curve has it. Raises InputError."""
    chosen = validate.choice(kind, KINDS, "band")
    if chosen in kinds_of(name):
        return chosen
    have = [one for one in (*CURVES, *OF_A_CLASS) if kind in kinds_of(one)]
    more = ", and any other measure of counts" if kind == POINTWISE else ""
    raise validate.InputError(
        "unsupported", "band", f"the curve {name!r} has no {kind} band", f"{', '.join(have)}{more} have one"
    )


# With a band
# ----------------------------------------------------------------------------------------------------------


def by_clusters(name: str, kind: str) -> bool:
    """Whether the band is made of resamples, so that clusters can be resampled as wholes."""
    return (DERIVED.get(name, name) in AXES or name == "decision") and kind in BANDS


def not_by_clusters(name: str, kind: str, what: str) -> validate.InputError:
    """That a band would take cases of a cluster, or of a person, as independent; what: "clusters" or
    "persons"."""
    have = ", ".join(one for one in CURVES if by_clusters(one, POINTWISE))
    way = (
        f"take a {' or '.join(BANDS)} band of {have}, with tied cases together"
        if what == "clusters"
        else f"leave {option('band')} out"
    )
    return validate.InputError(
        "unsupported",
        what,
        f"no valid {kind} band of {name!r} is known for cases that belong together",
        f"{way}, or evaluate at one threshold",
    )


def with_band(
    found: Curve,
    table: RankingTable,
    kind: str,
    settings: Settings,
    clusters: Clusters | None = None,
    **parameters: Any,
) -> Curve:
    """The curve of a table with a band of that kind, and with points added where the band bends.

    clusters: those that are resampled as wholes, for a band that `by_clusters` names; parameters: of the
    measure that is drawn. Where a class has no cases the curve comes as it is, and its `about` says why.
    Raises InputError for a band that it has not.
    """
    check(found.name, kind)
    missing = [name for name in ("positives", "negatives") if not getattr(table, name)]
    if missing:
        why = Note("no-cases-of-a-class", missing=missing[0])
        about = Band(POINTWISE if kind == POINTWISE else SIMULTANEOUS, settings.level, None, (why,))
        return replace(found, about=about)
    if found.name in CURVES:
        return FORMS.get(found.name, _of_axes)(found, table, kind, settings, clusters)
    return _of_measure(found, table, kind, settings, parameters)


def _of_axes(
    found: Curve, table: RankingTable, kind: str, settings: Settings, clusters: Clusters | None
) -> Curve:
    axes, (across, up) = AXES[found.name], AXES[found.name].units(table)
    places = _places(found.x / across)
    low, high, method, notes = _heights(partial(axes.read, places), kind, settings, table, clusters)
    more = _with_points(found, places * across)
    low, high = (np.interp(more.x / across, places, bound) * up for bound in (low, high))
    about = _about(kind, settings, method, table, notes)
    return replace(more, band=_around(more, low, high), about=about)


def _about(kind: str, settings: Settings, method: str, table: RankingTable, notes: SomeNotes) -> Band:
    """What the band is."""
    return Band(
        POINTWISE if kind == POINTWISE else SIMULTANEOUS, settings.level, method, _notes(table, notes)
    )


def _heights(
    read: bands.Reading, kind: str, settings: Settings, table: RankingTable, clusters: Clusters | None = None
) -> tuple[np.ndarray, np.ndarray, str, SomeNotes]:
    """Low, high, the method, and what must be said."""
    level = settings.level
    if kind == KOLMOGOROV:
        return *bands.kolmogorov_smirnov(table, read, level), KOLMOGOROV, None
    units = None if clusters is None else clusters.units
    lines = bands.resampled(table, read, bands.replicates(level), settings.seed, settings.design, units)
    band, method = BANDS[kind]
    low, high, notes = band(*lines, level)
    if units is not None:
        return low, high, f"{BY_CLUSTERS} {method}", notes or few_units(_fewest(units))
    few = min(table.effective_positives, table.effective_negatives) < FEW_CASES
    return low, high, method, notes or (Note("band-wide", limit=FEW_CASES) if few else None)


def _fewest(units: Units) -> Resting:
    """The clusters with cases of a class, of the class with the fewest in effect."""
    return least([Resting.of(sizes, f"clusters with {name}") for name, sizes in units.sizes.items()])


def _places(x: np.ndarray) -> np.ndarray:
    """Where heights are read: regular places, closer at the ends, and some where the curve has points."""
    own = np.unique(x)
    chosen = own[np.unique(np.linspace(0, len(own) - 1, MOST_PLACES).astype(int))]
    return np.unique(np.append(REGULAR, chosen))


def _with_points(found: Curve, x: np.ndarray) -> Curve:
    """The curve with points of these x on its line, each with the threshold of the next one, as it goes
    down."""
    new = x[~np.isin(x, found.x) & (x > found.x[0]) & (x < found.x[-1])]
    at = np.searchsorted(found.x, new)
    before, after = found.x[at - 1], found.x[at]
    way = 1.0 if found.step else (new - before) / (after - before)
    y = found.y[at - 1] + way * (found.y[at] - found.y[at - 1])
    added = ((found.x, new), (found.y, y), (found.threshold, found.threshold[at]))
    x, y, threshold = (np.insert(column, at, more) for column, more in added)
    return replace(found, x=x, y=y, threshold=threshold)


def _around(found: Curve, low: np.ndarray, high: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Bounds that hold the line, too, at every x all of it, where it is vertical or about to step."""
    _, place = np.unique(found.x, return_inverse=True)
    next_y = np.append(found.y[1:], found.y[-1]) if found.step else found.y
    bounds = []
    for pick, bound in ((np.minimum, low), (np.maximum, high)):
        ends = bound.copy()
        least = np.full(place.max() + 1, np.inf if pick is np.minimum else -np.inf)
        pick.at(least, place, pick(pick(ends, found.y), next_y))
        bounds.append(least[place])
    return bounds[0], bounds[1]


def in_design(found: Curve, settings: Settings, weight_kind: str | None, **parameters: Any) -> Curve:
    """The curve with the design and the kind of the weights named of its band, and what the class mix
    conditions.

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
    """The curve with something else said of its band."""
    if found.about is None or found.band is None:
        return found
    return replace(found, about=replace(found.about, notes=joined(found.about.notes, more)))


def _notes(table: RankingTable, notes: SomeNotes = None) -> Notes:
    sizes = {"positives": float(table.effective_positives), "negatives": float(table.effective_negatives)}
    return joined(notes, None if table.equally_weighted else Note("weights-count-as", **sizes))


# The same on other axes
# -----------------------------------------------------------------------------------------------


def _det(
    found: Curve, table: RankingTable, kind: str, settings: Settings, clusters: Clusters | None
) -> Curve:
    """The ROC curve's, as deviates: what is added lies on a straight line there."""
    from scipy.special import ndtri

    roc = _of_axes(CURVES["roc"](table), table, kind, settings, clusters)
    assert roc.band is not None
    low, high = (ndtri(1 - bound) for bound in reversed(roc.band))
    x, y = ndtri(roc.x), ndtri(1 - roc.y)
    return replace(found, x=x, y=y, threshold=roc.threshold, band=(low, high), about=roc.about)


def _lift(
    found: Curve, table: RankingTable, kind: str, settings: Settings, clusters: Clusters | None
) -> Curve:
    """The gain, as a share of the positives, over the share of the cases."""
    gain = _of_axes(CURVES["gain"](table), table, kind, settings, clusters)
    assert gain.band is not None
    there = gain.x >= found.x[0]
    share = gain.x[there] / table.total * table.positives
    y, low, high = (part[there] / share for part in (gain.y, *gain.band))
    return replace(
        found, x=gain.x[there], y=y, threshold=gain.threshold[there], band=(low, high), about=gain.about
    )


# Of net benefit
# -------------------------------------------------------------------------------------------------------


def _decision(
    found: Curve, table: RankingTable, kind: str, settings: Settings, clusters: Clusters | None
) -> Curve:
    """At the thresholds of the curve; that of everybody positive from the interval of the prevalence, the
    same at all of them."""
    base = bands.few_scores(table.as_probabilities())
    limits = (base if clusters is None else clusters.units.rows[0].as_probabilities()).thresholds.astype(
        float
    )
    there = np.flatnonzero((limits < 1) & np.isfinite(limits))
    odds = limits[there] / (1 - limits[there])

    def read(rates: bands.Rates, highest: bool) -> np.ndarray:
        at = there + 1  # the corner is before it
        benefit: np.ndarray = rates.share * rates.tpr[:, at] - (1 - rates.share) * rates.fpr[:, at] * odds
        return benefit

    low, high, method, notes = _heights(read, kind, settings, base, clusters)
    low, high = (np.interp(found.x, limits[there][::-1], bound[::-1]) for bound in (low, high))
    more = replace(found, band=(np.minimum(low, found.y), np.maximum(high, found.y)))
    everybody = {} if settings.design == HELD else {EVERYBODY: _everybody(found, settings, table, clusters)}
    return replace(more, bands=everybody, about=_about(kind, settings, method, table, notes))


def _everybody(
    found: Curve, settings: Settings, table: RankingTable, clusters: Clusters | None
) -> tuple[np.ndarray, np.ndarray]:
    """Net benefit rises with the prevalence at every threshold, so that one interval makes both kinds of
    band."""
    counts, entry = _sweep(table)[-1], registry.get("prevalence", Counts)
    share = (
        estimate(entry, counts, settings)
        if clusters is None
        else clusters.estimate(entry, counts, settings, {}, -np.inf)
    )
    ends = share.low, share.high
    odds = found.x / (1 - found.x)
    low, high = (float(end) - (1 - float(end)) * odds for end in ends)
    return low, high


FORMS = {"det": _det, "lift": _lift, "decision": _decision}


# Of measures against the threshold
# ------------------------------------------------------------------------------------


def _of_measure(
    found: Curve, table: RankingTable, kind: str, settings: Settings, parameters: dict[str, Any]
) -> Curve:
    """Of a rate of one class the Kolmogorov band, a distribution function's; else the measure's own interval
    at each threshold."""
    if kind != POINTWISE:
        cases = getattr(table, f"effective_{OF_A_CLASS[found.name]}")
        reach = bands.kolmogorov(cases, settings.level)
        band = np.maximum(found.y - reach, 0.0), np.minimum(found.y + reach, 1.0)
        return replace(found, band=band, about=Band(SIMULTANEOUS, settings.level, KOLMOGOROV, _notes(table)))
    entry = registry.get(found.name, Counts)
    at = np.unique(np.linspace(0, len(found) - 1, MOST_THRESHOLDS).astype(int))
    function = partial(entry.function, **entry.checked(parameters))
    with np.errstate(divide="ignore", invalid="ignore"):
        interval = interval_of(Question(entry, function, as_cases(_sweep(table)[at]), found.y[at], settings))
    notes = _notes(table, _at_thresholds(interval.notes, len(at)))
    if not np.isfinite(interval.low).any():
        return replace(found, about=Band(kind, settings.level, None, notes))
    low, high = (
        np.interp(np.arange(len(found)), at, np.broadcast_to(bound, at.shape))
        for bound in (interval.low, interval.high)
    )
    with np.errstate(invalid="ignore"):
        band = np.minimum(low, found.y), np.maximum(high, found.y)
    return replace(found, band=band, about=Band(kind, settings.level, _each(interval.method) or "", notes))


def _at_thresholds(notes: Any, number: int) -> Notes:
    """What is said at all of so many thresholds, and what at some of them."""
    found = dict.fromkeys(of_each(notes, number))
    if len(found) == 1:
        return next(iter(found))
    return tuple(
        Note("at-some-thresholds", what=note)
        for note in dict.fromkeys(note for some in found for note in some)
    )


def _sweep(table: RankingTable) -> Counts:
    """The counts at every threshold, with the sums of squared weights where weights are no numbers of
    cases."""
    squares = (
        None if table.squared.positive is table.positive else table.of(table.score, *table.squared).sweep()
    )
    return Counts.of(*table.sweep()._cells(), squares=squares)


def _each(texts: Any) -> str | None:
    """The different ones among texts, one per threshold."""
    return (
        " or ".join(dict.fromkeys(text for text in np.atleast_1d(np.asarray(texts, object)) if text)) or None
    )
