"""Coverage of the interval of the largest calibration gap over bins, and of others of it: a part of `make
coverage`, whose table is in intervals_of_maxima.md."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from itertools import product

import numpy as np
import simulated_classes
from scipy.special import expit, logit, ndtri
from simulate import Found, Judged, Part, of_intervals
from simulated_defaults import row_of

from tallymark.inference import Settings, estimate
from tallymark.inference.interval import Question, interval_of
from tallymark.measures import registry
from tallymark.measures.families.bins import of_equal_width
from tallymark.measures.families.calibration import largest_gap
from tallymark.measures.registry import IntervalSpec
from tallymark.summaries import ClassScores, RankingTable

LEVEL, BINS = 0.95, 10
LARGEST = {RankingTable: "maximum_calibration_error", ClassScores: "top_label_mce"}
MODELS = {
    "calibrated": (0.0, 1.0),
    "too extreme": (0.0, 2.0),
    "too high": (0.7, 1.0),
    "both": (0.4, 1.6),
}  # shift and factor of the logits
OF_TWO = {
    f"{model}, {size}, {prevalence:g}, {spread:g}": (model, size, prevalence, spread)
    for model, (size, prevalence, spread) in product(
        MODELS, ((60, 0.5, 2.0), (300, 0.1, 1.0), (1_000, 0.3, 1.0), (1_000, 0.3, 2.0))
    )
}
OF_CLASSES = {
    f"{classes} classes, {size}": ("cohort", size, classes, False)
    for classes, size in ((3, 300), (6, 1_000), (6, 4_000))
}
WHOLE, EMPTY = 1_000_000, 1e-4  # cases that stand for all; the share of a bin that no sample has


def settings() -> dict[str, tuple]:
    """Two classes: model, cases, prevalence, SD of the true logits; several classes: those of
    simulated_classes."""
    return OF_TWO | OF_CLASSES


def counted(name: str, rng: np.random.Generator, samples: int) -> Found:
    """By way the sums of `row_of`."""
    found: Found = dict.fromkeys(("default", *WAYS), [0.0] * 6)
    for number in range(samples):
        summary, how = _drawn(name, rng), Settings(level=LEVEL, seed=number)
        given = estimate(LARGEST[type(summary)], summary, how)
        for way, one in (
            {"default": given} | {way: of(summary, given, how) for way, of in WAYS.items()}
        ).items():
            found[way] = [a + b for a, b in zip(found[way], row_of(one, true(name)), strict=True)]
    return found


def multiples(summary, given, how):
    """Both ends by inversion along multiples of the gaps found, as of the other errors over bins."""
    entry = registry.get(LARGEST[type(summary)], type(summary))
    spec = IntervalSpec(
        entry.interval.kind, (lambda bins: largest_gap(bins),)
    )  # it is not largest_gap itself
    other = replace(entry, interval=spec)
    found = interval_of(Question(other, other.function, summary, given.value, how))
    return replace(given, low=found.low, high=found.high)


def highest_bound(summary, given, how):
    """The upper end is the highest one of a bin, each by Wilson's interval."""
    table = summary if isinstance(summary, RankingTable) else summary.confidence
    bins = of_equal_width(table, BINS)
    bins = bins.only(bins.weight > 0)
    n, rate, mean, z = bins.cases, bins.rate, bins.expected / bins.weight, ndtri((1 + LEVEL) / 2)
    middle = (rate + z**2 / 2 / n) / (1 + z**2 / n)
    half = z / (1 + z**2 / n) * np.sqrt(rate * (1 - rate) / n + z**2 / 4 / n**2)
    high = float(np.maximum(middle + half - mean, mean - middle + half).max())
    return replace(given, high=max(high, given.value))


WAYS = {"multiples of the gaps": multiples, "highest bound of a bin": highest_bound}


def _drawn(name, rng):
    if name in OF_CLASSES:
        return ClassScores.from_arrays(**simulated_classes.drawn(OF_CLASSES[name], rng))
    model, size, prevalence, spread = OF_TWO[name]
    given, truth = cases(rng, size, model, prevalence, spread)
    return RankingTable.from_arrays(truth=truth, score=given, positive=True)


def cases(rng, number, model, prevalence, spread):
    """Probabilities given, and classes drawn with the true ones."""
    true = rng.normal(logit(prevalence), spread, number)
    shift, factor = MODELS[model]
    return expit(shift + factor * true), rng.random(number) < expit(true)


@cache
def true(name: str) -> float:
    """The largest gap, over many cases."""
    if name in OF_CLASSES:
        design, _, classes, uneven = OF_CLASSES[name]
        rng = np.random.default_rng(classes)
        drawn = simulated_classes.drawn((design, 0, classes, uneven), rng, WHOLE // 2)
        bins = of_equal_width(ClassScores.from_arrays(**drawn).confidence, BINS)
        return float(largest_gap(bins.only(bins.weight > EMPTY * WHOLE)))
    model, _, prevalence, spread = OF_TWO[name]
    given, _ = cases(np.random.default_rng(0), WHOLE, model, prevalence, spread)
    shift, factor = MODELS[model]
    given = np.sort(given)[::-1]
    chance = expit((logit(given) - shift) / factor)
    return float(largest_gap(of_equal_width(RankingTable.of(given, chance, 1 - chance), BINS)))


def tables(found: Mapping[str, Found], samples: Mapping[str, int]) -> list[str]:
    """Coverage and mean width, by setting and way."""
    ways = ("default", *WAYS)
    head = ["model, cases, prevalence, SD; or classes, cases", "with note"]
    head += [cell for way in ways for cell in (way, "width")]
    rows = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    for name, sums in found.items():
        known, _, _, _, noted, _ = sums["default"]
        each = [
            f"{held / known:.3f} | {width / known:.3f}"
            for known, held, *_, width in (sums[way] for way in ways)
        ]
        rows.append(f"| {name} | {noted / known:.0%} | {' | '.join(each)} |")
    return rows


def of_default(sums: Found, samples: int) -> Iterator[Judged]:
    """Of the default alone."""
    yield from of_intervals({way: row for way, row in sums.items() if way == "default"}, samples)


PART = Part(settings, counted, tables, 50, page="intervals_of_maxima", judged=of_default)
