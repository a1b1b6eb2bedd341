"""Coverage of the closed-form intervals, of proportions and of the area under the ROC curve: further tables
for coverage.py."""

from itertools import product

import numpy as np
from scipy.special import ndtr, ndtri
from scipy.stats import binom

from tallymark.inference import interval
from tallymark.inference.interval import AREA_METHODS, FEW_MISPLACED, Area, of_area
from tallymark.measures import registry
from tallymark.summaries import RankingTable

LEVEL = 0.95
SAMPLES, AT_ONCE = 2_000, 500  # of each setting: the coverage is known to +-1 %
SIZES, AREAS = (5, 10, 30, 100, 1000), (0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99)
# scores rounded to so many; standard deviation of the positives' scores
SHAPES = [(None, 1.0), (11, 1.0), (5, 1.0), (None, 2.0)]
MOSTLY = 0.5  # of the samples have a note


def proportions() -> list[str]:
    """Exactly, by summing the binomial: no simulation. Where there is no interval, it does not hold."""
    rows = [f"| n | p | {' | '.join(interval.METHODS)} |", "|---" * (2 + len(interval.METHODS)) + "|"]
    for n, p in product((10, 20, 50, 200, 1000), (0.02, 0.1, 0.3, 0.5)):
        x = np.arange(n + 1.0)
        inside = []
        for method in interval.METHODS.values():
            low, high = method(x, np.full(n + 1, float(n)), LEVEL)
            inside.append(binom.pmf(x, n, p)[(low <= p) & (p <= high)].sum())
        rows.append(f"| {n} | {p} | " + " | ".join(f"{share:.3f}" for share in inside) + " |")
    return rows


def areas() -> list[str]:
    """Each method for the area, by the size of the smaller class: two normal groups of all sizes, areas and
    shapes."""
    settings = list(product(SIZES, SIZES, AREAS, SHAPES))
    found = {setting: _held(seed, *setting) for seed, setting in enumerate(settings)}
    header = [
        "method",
        "smaller class",
        "lowest",
        "at",
        "with note",
        "highest",
        "at",
        "with note",
        "lowest, mostly without note",
        "highest",
    ]
    rows = [f"| {' | '.join(header)} |", "|---" * len(header) + "|"]
    for method, size in product(AREA_METHODS, SIZES):
        held = {setting: one[method] for setting, one in found.items() if min(setting[:2]) == size}
        ends = [pick(held, key=lambda setting, held=held: held[setting][0]) for pick in (min, max)]
        cells = [cell for at in ends for cell in (f"{held[at][0]:.3f}", _said(*at), f"{held[at][1]:.0%}")]
        silent = [share for share, noted in held.values() if noted < MOSTLY]
        cells += [f"{pick(silent):.3f}" if silent else "" for pick in (min, max)]
        rows.append(f"| {method} | {size} | {' | '.join(cells)} |")
    return rows


def _said(positives, negatives, area, shape):
    levels, spread = shape
    return (
        f"{positives}, {negatives}, {area}"
        + (f", {levels} levels" if levels else "")
        + (", spread 2" if spread > 1 else "")
    )


def _held(seed, positives, negatives, area, shape):
    """Of each method the share of samples whose interval holds the true area, and the share with a note."""
    rng, (levels, spread) = np.random.default_rng(seed), shape
    distance = ndtri(area) * np.sqrt(1 + spread**2)
    known, true = [], area
    for _ in range(SAMPLES // AT_ONCE):
        if levels:
            tables, true = _in_levels(rng, positives, negatives, distance, levels)
        else:
            tables = _in_order(rng, positives, negatives, distance, spread)
        known += _areas(tables, float(positives), float(negatives))
    answers = {method: [of_area(one, LEVEL, method) for one in known] for method in AREA_METHODS}
    return {
        method: (
            np.mean([one.low <= true <= one.high for one in each]),
            np.mean([one.note is not None for one in each]),
        )
        for method, each in answers.items()
    }


def _in_order(rng, positives, negatives, distance, spread):
    """Many samples, without ties; only the order of the cases matters."""
    z = rng.normal(size=(AT_ONCE, positives + negatives))
    z[:, :positives] = z[:, :positives] * spread + distance
    positive = (np.argsort(-z, axis=-1) < positives).astype(float)
    return RankingTable.of(np.arange(positives + negatives, 0.0, -1.0), positive, 1 - positive)


def _in_levels(rng, positives, negatives, distance, levels):
    """Many samples with scores rounded to so many levels, and the true area."""
    cuts = np.linspace(distance + 1.5, -1.5, levels - 1)
    shares = [np.diff(np.concatenate([[0], ndtr(part), [1]])) for part in (distance - cuts, -cuts)]
    weights = (
        rng.multinomial(size, share, AT_ONCE).astype(float)
        for size, share in zip((positives, negatives), shares, strict=True)
    )
    score = np.arange(levels, 0.0, -1.0)
    return RankingTable.of(score, *weights), registry.get("roc_auc").function(RankingTable.of(score, *shares))


def _areas(tables, positives, negatives):
    """What is known of the area of each sample; how its shape differs from Newcombe's only where that is
    asked for."""
    value = registry.get("roc_auc").function(tables)
    shape = np.full(AT_ONCE, np.nan)
    few = min(positives, negatives) * np.minimum(value, 1 - value) < FEW_MISPLACED
    if few.any():
        with np.errstate(invalid="ignore"):  # of an area of 0, which is not asked for
            shape[few] = interval.shape_of(
                RankingTable.of(tables.score, tables.positive[few], tables.negative[few])
            )
    parts = zip(value, interval.delong_variance(tables), interval.tied_share(tables), shape, strict=True)
    return [
        Area(area, variance, tied, positives, negatives, lambda shape=shape: shape)
        for area, variance, tied, shape in (map(float, part) for part in parts)
    ]
