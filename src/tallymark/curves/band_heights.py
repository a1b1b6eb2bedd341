"""The heights of bands from resampled ROC curves, and the notes on them."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace

import numpy as np

from ..inference import Settings
from ..inference.bootstrap import bands
from ..inference.clustered import Clusters
from ..inference.effective_units import Resting, few_units, least
from ..inference.units import Units
from ..input.messages.notes import Note, Notes, SomeNotes, joined
from ..summaries import RankingTable
from .band_kinds import KOLMOGOROV
from .curve import POINTWISE, SIMULTANEOUS, Band, Curve

BANDS = {
    POINTWISE: (bands.pointwise, "bayesian-bootstrap"),
    SIMULTANEOUS: (bands.envelope, "bayesian-bootstrap envelope"),
}
Heights = tuple[np.ndarray, np.ndarray, str, SomeNotes]
REGULAR = np.array(sorted({*np.linspace(0, 1, 101), *1 / (1 + np.exp(np.linspace(-7, 7, 57)))}))
MOST_PLACES = 150  # at points of the curve, in addition to the regular ones
BY_CLUSTERS = "clustered"
FEW_CASES = 30  # of a class (docs/intervals.md)


def band_of(kind: str, settings: Settings, method: str, table: RankingTable, notes: SomeNotes) -> Band:
    """The facts of a band."""
    return Band(
        POINTWISE if kind == POINTWISE else SIMULTANEOUS, settings.level, method, notes_of(table, notes)
    )


def heights(
    of: Hashable,
    read: bands.Reading,
    kind: str,
    settings: Settings,
    table: RankingTable,
    clusters: Clusters | None = None,
) -> Heights:
    """The bounds, the method, and the notes; the table keeps them. of: what `read` reads of a table."""
    if clusters is not None:
        return _heights(read, kind, settings, table, clusters)
    key = "band", of, kind, settings
    if key not in table.kept:
        table.kept[key] = _heights(read, kind, settings, table, None)
    found: Heights = table.kept[key]
    return found


def _heights(
    read: bands.Reading, kind: str, settings: Settings, table: RankingTable, clusters: Clusters | None
) -> Heights:
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
    """The clusters with cases of a class, for the class with the smallest effective number."""
    return least([Resting.of(sizes, f"clusters with {name}") for name, sizes in units.sizes.items()])


def places_of(x: np.ndarray) -> np.ndarray:
    """Where heights are read: regular places, closer at the ends, and some where the curve has points."""
    own = x[np.append(True, x[1:] != x[:-1])]  # they ascend
    chosen = own[np.unique(np.linspace(0, len(own) - 1, MOST_PLACES).astype(int))]
    return np.unique(np.append(REGULAR, chosen))


def with_points(found: Curve, x: np.ndarray) -> Curve:
    """The curve with added points of these x on its line, each with the threshold of the next point."""
    x = x[(x > found.x[0]) & (x < found.x[-1])]
    at = np.searchsorted(found.x, x)
    new, at = x[found.x[at] != x], at[found.x[at] != x]
    before, after = found.x[at - 1], found.x[at]
    way = 1.0 if found.step else (new - before) / (after - before)
    y = found.y[at - 1] + way * (found.y[at] - found.y[at - 1])
    added = ((found.x, new), (found.y, y), (found.threshold, found.threshold[at]))
    x, y, threshold = (np.insert(column, at, more) for column, more in added)
    return replace(found, x=x, y=y, threshold=threshold)


def around(found: Curve, low: np.ndarray, high: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The bounds, widened to include the line, also where it is vertical or at a step."""
    new = np.append(True, found.x[1:] != found.x[:-1])  # they ascend
    starts, place = np.flatnonzero(new), np.cumsum(new) - 1
    next_y = np.append(found.y[1:], found.y[-1]) if found.step else found.y
    low, high = (
        pick.reduceat(pick(pick(bound, found.y), next_y), starts)[place]
        for pick, bound in ((np.minimum, low), (np.maximum, high))
    )
    return low, high


def notes_of(table: RankingTable, notes: SomeNotes = None) -> Notes:
    """The notes, and how many cases of equal weight the weights of the table are worth."""
    sizes = {"positives": float(table.effective_positives), "negatives": float(table.effective_negatives)}
    return joined(notes, None if table.equally_weighted else Note("weights-count-as", **sizes))
