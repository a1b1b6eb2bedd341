"""Tables of counts at a prevalence, with sensitivity and specificity drawn from their posterior."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..inference import Estimate, Settings
from ..inference.bootstrap import resampled_counts
from ..inference.effective import as_cases, effective_parts
from ..inference.results import known_error
from ..input.messages.notes import Note
from ..measures import registry
from ..summaries import Counts
from .given_prevalence import HALF_A_CASE, Share

GIVEN = Note("given")


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
    sensitivity, specificity = (
        _likely(rng, *effective_parts(registry.get(name, Counts).function, counts))
        for name in ("sensitivity", "specificity")
    )
    return mixed_counts(
        sensitivity, specificity, share.draws(rng, resampled_counts.REPLICATES), as_cases(counts).total
    )


def _likely(rng: np.random.Generator, found: float, cases: float) -> np.ndarray:
    return rng.beta(found + HALF_A_CASE, cases - found + HALF_A_CASE, resampled_counts.REPLICATES)


def percentile_estimate(function: Callable[..., Any], draws: Counts, value: float, level: float) -> Estimate:
    """The value with the percentile interval of a function of the tables drawn."""
    with np.errstate(divide="ignore", invalid="ignore"):
        values = function(draws)
    values = values[~np.isnan(values)]
    if not values.size or np.ptp(values) <= 1e-12 * max(abs(value), 1e-300):
        return Estimate(value, level=level, notes=(GIVEN,))
    low, high = resampled_counts.percentiles(values, level)
    error = known_error(resampled_counts.deviation(values))
    return Estimate(
        value, min(float(low), value), max(float(high), value), level, "simulation", standard_error=error
    )
