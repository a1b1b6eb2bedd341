"""Reliability curves: how often positives occur against the probability given, with an interval for each bin."""

from __future__ import annotations

import numpy as np

from .. import validate
from ..measures.bins import MOST, Bins, of_equal_mass, of_equal_width, upper_edges
from ..measures.decomposition import isotonic
from ..summaries import RankingTable
from ..uncertainty import proportion, resampled
from ..validate import InputError
from .curve import Curve
from .names import entered

MEAN, SHARE = "mean probability", "observed rate"
LEVEL, SEED = 0.95, 0
NAMES = ("reliability", "reliability_equal_mass", "reliability_isotonic")


@entered
def reliability(table: RankingTable, *, bins: int = 10, level: float = LEVEL) -> Curve:
    """Share of positives against mean probability in bins of equal width, each with Wilson's interval; empty bins are left out.

    Calibrated probabilities lie on the diagonal. The threshold is a bin's upper edge. Source: Murphy and Winkler (1977).
    """
    known, number = _needs_probabilities(table, "reliability"), validate.whole(bins, "bins", 1, MOST)
    return _of_bins("reliability", of_equal_width(known, number), upper_edges(number), level)


@entered
def reliability_equal_mass(table: RankingTable, *, bins: int = 10, level: float = LEVEL) -> Curve:
    """The same in bins of as many cases each, as far as ties allow. The threshold is the highest probability in a bin."""
    known, number = _needs_probabilities(table, "reliability_equal_mass"), validate.whole(bins, "bins", 1, MOST)
    found = of_equal_mass(known, number)
    last = np.minimum(np.searchsorted(np.cumsum(_cases(known)[::-1]), np.cumsum(found.weight) * (1 - 1e-12)), len(known) - 1)
    return _of_bins("reliability_equal_mass", found, known.probability[::-1][last], level)


@entered
def reliability_isotonic(table: RankingTable, *, level: float = LEVEL) -> Curve:
    """Isotonic regression of what was true on the probability: the share of positives that goes with each, without bins.

    Beside it the consistency band: where the curve would lie, point by point, if the probabilities were calibrated, by simulation.
    Source: Dimitriadis, Gneiting and Jordan (2021), CORP.
    """
    known = _needs_probabilities(table, "reliability_isotonic")
    band = _consistency(known, validate.level(level))
    x = known.probability.copy()
    ends = float(x[-1]), float(x[0])
    return Curve("reliability_isotonic", x, isotonic(known), x.copy(), "probability", SHARE, ends, band=band)


def _needs_probabilities(table, name):
    if not table.in_unit_interval:
        raise InputError(f"curve: {name!r} needs probabilities, but {table.why_no_probabilities}; make a LogitTable of logits.")
    return table


def _cases(table):
    return np.asarray(table.positive + table.negative, float)


def _of_bins(name, bins: Bins, edges, level):
    """From the highest bin to the lowest."""
    there = np.flatnonzero(bins.weight > 0)[::-1]
    x, n, positive = bins.expected[there] / bins.weight[there], bins.weight[there], bins.positive[there]
    low, high = proportion.wilson(positive, n, validate.level(level))
    y, ends = positive / n, (float(x[-1]), float(x[0]))
    return Curve(name, x, y, edges[there], MEAN, SHARE, ends, band=(low, high), dots=True)


def _consistency(table, level):
    """Bounds between which the isotonic fit lies at each score, if every probability is true."""
    base, others = resampled.if_calibrated(table, SEED)
    tail = (1 - level) / 2
    bounds = np.quantile(isotonic(others), [tail, 1 - tail], axis=0)
    place = np.searchsorted(-base.probability, -table.probability, side="right") - 1
    low, high = bounds[:, np.clip(place, 0, len(base) - 1)]
    return low, high
