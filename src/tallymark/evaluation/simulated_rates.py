"""Tables of counts at a prevalence, with sensitivity and specificity drawn from their posterior."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .. import kernels
from ..inference import Estimate, Settings
from ..inference.bootstrap import percentiles
from ..inference.effective import as_cases, effective_parts
from ..inference.results import known_error
from ..input.messages.notes import Note
from ..measures import registry
from ..summaries import Counts
from .given_prevalence import HALF_A_CASE, Share

GIVEN = Note("given")
RATES = "sensitivity", "specificity"
SPREAD, TINY = 1e-12, 1e-300  # of equal values, relative to a value that may be 0


def mixed_counts(sensitivity: Any, specificity: Any, share: Any, total: float) -> Counts:
    """Counts with these rates, of so many cases in all, of which this share is positive."""
    positives, negatives = share * total, (1 - share) * total
    return Counts.of(
        positives * sensitivity,
        negatives * (1 - specificity),
        positives * (1 - sensitivity),
        negatives * specificity,
    )


def drawn_tables(counts: Counts, share: Share, settings: Settings) -> Counts:
    """Tables at that prevalence, with the rates drawn from their posterior, given the counts."""
    rng = np.random.default_rng(settings.seed)
    sensitivity, specificity = (_likely(rng, *one) for one in _rates(counts))
    return mixed_counts(
        sensitivity, specificity, share.draws(rng, percentiles.REPLICATES), as_cases(counts).total
    )


def _rates(counts: Counts) -> list[tuple[Any, Any]]:
    """The cases that are right, and all, of the positives and of the negatives, in effective numbers."""
    return [effective_parts(registry.get(name, Counts).function, counts) for name in RATES]


def _likely(rng: np.random.Generator, found: float, cases: float) -> np.ndarray:
    return rng.beta(found + HALF_A_CASE, cases - found + HALF_A_CASE, percentiles.REPLICATES)


def predictive_values(counts: Counts, prevalences: np.ndarray, settings: Settings) -> np.ndarray:
    """The precision and the negative predictive value at known prevalences, as `at_prevalence` gives them.

    counts: arrays of one dimension, with cases of both classes. Returns an array of the shape (2 measures,
    value and low and high, prevalences, tables); NaN where a value is undefined, or has no interval. Both
    fall in the quotient of a wrong and a right rate, so that the tables drawn are sorted once for all
    prevalences.
    """
    rates, size = np.array(_rates(counts)), percentiles.REPLICATES
    drawn = np.empty((2, rates.shape[-1], size)).swapaxes(1, 2)  # the draws of a table next to each other

    def draw(table: int) -> None:
        rng = np.random.default_rng(settings.seed)
        drawn[:, :, table] = [_likely(rng, *rate) for rate in rates[..., table]]

    kernels.each(draw, rates.shape[-1])
    right, share = rates[:, 0] / rates[:, 1], prevalences[:, None]
    found = []
    for one, other, own in ((0, 1, share), (1, 0, 1 - share)):
        with np.errstate(divide="ignore", invalid="ignore"):
            middle = _predictive(own, (1 - right[other]) / right[one])
            quotient = (1 - drawn[other]) / drawn[one]
            least, most = (_predictive(own, end(axis=0)) for end in (quotient.max, quotient.min))
            high, low = (_predictive(own, end) for end in _percentiles(quotient, settings.level))
        known = most - least > SPREAD * np.maximum(abs(middle), TINY)
        ends = np.minimum(low, middle), np.minimum(np.maximum(high, middle), 1.0)
        found.append([middle, *(np.where(known, end, np.nan) for end in ends)])
    return np.array(found)


def _percentiles(values: np.ndarray, level: float) -> np.ndarray:
    """The middle `level` of the draws: the nearest of them, so that those of a function are its values."""
    last = len(values) - 1
    first = round(last * (1 - level) / 2)
    found: np.ndarray = np.partition(values, [first, last - first], axis=0)[[first, last - first]]
    return found


def _predictive(share: np.ndarray, quotient: Any) -> Any:
    """The predictive value of a class of this share. quotient: the wrong rate of the other over its own."""
    return share / (share + (1 - share) * quotient)


def percentile_estimate(function: Callable[..., Any], draws: Counts, value: float, level: float) -> Estimate:
    """The value with the percentile interval of a function of the tables drawn."""
    with np.errstate(divide="ignore", invalid="ignore"):
        values = function(draws)
    values = values[~np.isnan(values)]
    if not values.size or np.ptp(values) <= SPREAD * max(abs(value), TINY):
        return Estimate(value, level=level, notes=(GIVEN,))
    low, high = _percentiles(values, level)
    error = known_error(percentiles.deviation(values))
    return Estimate(
        value, min(float(low), value), max(float(high), value), level, "simulation", standard_error=error
    )
