"""Reliability curves: observed against predicted probability, with an interval for each bin."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ..inference import Settings, bounds_each
from ..inference.bootstrap import bands, resampled
from ..input import validate
from ..input.messages import Note, joined
from ..input.validate import InputError
from ..measures.families.bins import MOST, Bins, of_equal_mass, of_equal_width, upper_edges
from ..measures.families.decomposition import isotonic
from ..summaries import Counts, RankingTable
from .curve import CONSISTENCY, POINTWISE, SIMULTANEOUS, Band, Curve
from .names import caption, of_probabilities

if TYPE_CHECKING:
    from ..inference.clustered import DependentCases

MEAN, SHARE = "mean probability", "observed rate"
LEVEL, SEED = 0.95, 0
KINDS = POINTWISE, SIMULTANEOUS
MOST_PLACES = 150  # at which isotonic fits are compared


@caption(
    "Reliability",
    "expected_calibration_error",
    label="ECE",
    baseline="calibrated",
    marked=False,
    aka=("reliability_diagram", "calibration_curve", "calibration_plot"),
)
@of_probabilities
def reliability(
    table: RankingTable, *, bins: int = 10, level: float = LEVEL, band: str | None = None
) -> Curve:
    """Observed proportion of positives against mean probability, in bins of equal width.

    Each bin has Wilson's interval; empty bins are left out. With importance weights the number of cases of
    each bin is the effective one, with which its proportion has the linearised variance.

    Calibrated probabilities lie on the diagonal. The threshold is the upper edge of a bin. band:
    "simultaneous" for intervals that cover the true rates of all bins together, those of Clopper and Pearson,
    each of level level ** (1 / bins) (Sidak 1967; the bins are independent).
    Source: Murphy and Winkler
    (1977).
    """
    known, number = probabilities_of(table, "reliability"), validate.whole(bins, "bins", 1, MOST)
    return _of_bins("reliability", of_equal_width(known, number), upper_edges(number), level, band)


@caption(
    "Reliability, bins of equal mass",
    "adaptive_calibration_error",
    label="ECE",
    baseline="calibrated",
    marked=False,
    aka=("calibration_plot_quantile",),
)
@of_probabilities
def reliability_equal_mass(
    table: RankingTable, *, bins: int = 10, level: float = LEVEL, band: str | None = None
) -> Curve:
    """Observed proportion of positives against mean probability, in bins of equal numbers of cases.

    Cases with the same probability stay together. The bins are between quantiles of type 7, as in
    `calibration_curve` of scikit-learn with strategy="quantile". The threshold is the highest probability in
    a bin.
    """
    known, number = (
        probabilities_of(table, "reliability_equal_mass"),
        validate.whole(bins, "bins", 1, MOST),
    )
    found = of_equal_mass(known, number)
    above = np.cumsum((known.positive + known.negative)[::-1], dtype=float)
    last = np.searchsorted(above, np.cumsum(found.weight) * (1 - 1e-12))
    last = np.minimum(last, len(known) - 1)
    return _of_bins("reliability_equal_mass", found, known.probability[::-1][last], level, band)


@caption(
    "Reliability, isotonic regression",
    "brier_miscalibration",
    label="Miscalibration (Brier)",
    baseline="calibrated",
    marked=False,
    aka=("corp_reliability_diagram", "isotonic_calibration_curve"),
)
@of_probabilities
def reliability_isotonic(table: RankingTable, *, level: float = LEVEL, band: str | None = None) -> Curve:
    """Isotonic regression of the actual class on the probability, without bins.

    The consistency band shows by simulation where the curve would lie, at each point, if the probabilities
    were calibrated. band: "simultaneous" for a band around the whole curve. Source: Dimitriadis, Gneiting and
    Jordan (2021), CORP.
    """
    known = probabilities_of(table, "reliability_isotonic")
    (low, high), about = _consistency(
        known, validate.level(level), band and validate.choice(band, KINDS, "band")
    )
    x = known.probability[::-1].copy()
    ends = float(x[0]), float(x[-1])
    return Curve(
        "reliability_isotonic",
        x,
        isotonic(known)[::-1],
        x.copy(),
        "probability",
        SHARE,
        ends,
        band=(low[::-1], high[::-1]),
        about=about,
    )


def probabilities_of(table: RankingTable, name: str) -> RankingTable:
    """The table of a curve that needs probabilities. Raises InputError for other scores."""
    if not table.in_unit_interval:
        raise InputError(
            "unsupported",
            "curve",
            f"{name!r} needs probabilities, but {table.why_no_probabilities}",
            "make a LogitTable of logits",
        )
    return table.as_cases


def _of_bins(name: str, bins: Bins, edges: np.ndarray, level: float, band: str | None) -> Curve:
    """The curve from the lowest bin to the highest."""
    there = np.flatnonzero(bins.weight > 0)
    bins, level = bins.only(there), validate.level(level)
    x, y, of_bin = bins.expected / bins.weight, bins.positive / bins.weight, level ** (1 / len(there))
    if band is not None and validate.choice(band, KINDS, "band") == SIMULTANEOUS:
        # Clopper-Pearson, since Wilson's coverage is too low at the high levels of single bins
        # (docs/intervals.md)
        settings = Settings(of_bin, "clopper-pearson")
        about = Band(band, level, settings.proportion, (Note("band-of-bins", bins=len(there), level=of_bin),))
    else:
        settings = Settings(level)
        about = Band(POINTWISE, level, settings.proportion)
    squares = bins.squares and _in_or_out(*bins.squares)
    counts = _in_or_out(bins.positive, bins.weight - bins.positive, squares)
    _, low, high = bounds_each("precision", counts, settings)
    ends = float(x[0]), float(x[-1])
    return Curve(name, x, y, edges[there], MEAN, SHARE, ends, band=(low, high), dots=True, about=about)


def _in_or_out(positive: np.ndarray, negative: np.ndarray, squares: Counts | None = None) -> Counts:
    """The counts of each bin, whose cases are predicted positive, and those of others negative."""
    others = (np.maximum(part.sum() - part, 0.0) for part in (positive, negative))
    return Counts.of(positive, negative, *others, squares=squares)


def in_units(curve: Curve, clusters: DependentCases, settings: Settings) -> Curve:
    """The intervals of the bins where cases are in units."""
    table, edges = clusters.cases.table, curve.threshold
    p = table.probability[clusters.cases.place]
    place = np.searchsorted(edges.astype(p.dtype), p)
    sampling = clusters.predicted(place, np.eye(len(edges), dtype=bool), settings.design)
    counts = Counts.of(*np.moveaxis(sampling.weight, -1, 0))
    _, low, high = bounds_each("precision", counts, settings, sampling)
    assert curve.about is not None
    return replace(curve, band=(low, high), about=replace(curve.about, method=sampling.named("wilson")))


def _consistency(
    table: RankingTable, level: float, band: str | None
) -> tuple[tuple[np.ndarray, np.ndarray], Band]:
    """Bounds of the isotonic fit, at each score or at all, if probabilities are calibrated; their facts."""
    base, others = resampled.if_calibrated(table, SEED)
    if band == SIMULTANEOUS:
        low, high, more = _all_along(base, others, table, level)
    else:
        fits = isotonic(others)
        low, high, more = bands.pointwise(fits, fits, level)
    place = np.clip(
        np.searchsorted(-base.probability, -table.probability, side="right") - 1, 0, len(base) - 1
    )
    about = Band(band or POINTWISE, level, CONSISTENCY, joined(Note("band-if-calibrated"), more))
    return (low[place], high[place]), about


def _all_along(base: RankingTable, others: RankingTable, table: RankingTable, level: float) -> bands.Bounds:
    """An envelope at some scores; between two of them a fit, which is monotone, lies between theirs."""
    number, rows = bands.replicates(level), len(base)
    at = np.unique(np.linspace(0, rows - 1, MOST_PLACES).astype(int))
    fits = [isotonic(others)[:, at]]
    while sum(map(len, fits)) < number:
        fits.append(isotonic(resampled.if_calibrated(table, SEED + len(fits))[1])[:, at])
    every = np.concatenate(fits)
    low, high, more = bands.envelope(every, every, level)
    # scores descend: take the nearest place with a score as high, or higher
    higher = np.searchsorted(at, np.arange(rows), side="right") - 1
    lower = np.searchsorted(at, np.arange(rows))
    return low[lower], high[higher], more
