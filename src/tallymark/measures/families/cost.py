"""Costs and benefits of decisions."""

from typing import Any

import numpy as np

from ...summaries import Counts
from ..registry import measure, ratio
from .rates import false_negative_rate, false_positive_rate, sensitivity


@measure(
    aka=("misclassification_cost", "classification_cost", "expected_misclassification_cost"),
    range=(0.0, np.inf),
    best=0.0,
    interval="smooth",
    limits={"cost_fp": (0.0, 1e100), "cost_fn": (0.0, 1e100), "prevalence": (0.0, 1.0)},
)
def expected_cost(
    c: Counts, *, cost_fp: float = 1.0, cost_fn: float = 1.0, prevalence: float | None = None
) -> Any:
    """Mean cost per case of the wrong predictions.

    (cost_fp fp + cost_fn fn) / (tp + fp + fn + tn)

    With a prevalence it is prevalence cost_fn fn / (tp + fn) + (1 - prevalence) cost_fp fp / (fp + tn),
    undefined where a class has no cases.

    cost_fp, cost_fn: the cost of a false positive and of a false negative; equal by default, which gives the
    error rate.
    prevalence: of the population in which the costs arise; by default that of the cases.

    Undefined: no cases (tp + fp + fn + tn = 0).
    Source: Berrar, section 5; Elkan (2001).
    """
    if prevalence is None:
        return ratio(cost_fp * c.fp + cost_fn * c.fn, c.total)
    return cost_fn * prevalence * false_negative_rate(c) + cost_fp * (1 - prevalence) * false_positive_rate(c)


@measure(
    range=(-np.inf, 1.0), best=None, better="higher", interval="smooth", limits={"threshold": (0.0, 1.0)}
)
def net_benefit(c: Counts, *, threshold: float = 0.5) -> Any:
    """True positives per case, minus the false positives per case times the odds of the threshold.

    (tp - fp threshold / (1 - threshold)) / (tp + fp + fn + tn)

    threshold: the probability from which on a case is treated as positive; its odds are the harm of a false
    positive relative to the benefit of a true one. `evaluate` takes its own threshold where the scores are
    probabilities. At 1 the odds are infinite: minus infinity with a false positive, else undefined, as it is
    below 0 and above 1.

    Undefined: no cases (tp + fp + fn + tn = 0).
    Source: Vickers and Elkin (2006).
    """
    with np.errstate(invalid="ignore"):
        return ratio(c.tp - c.fp * _odds(threshold), c.total)


@measure(
    aka=("standardized_net_benefit", "snb"),
    range=(-np.inf, 1.0),
    best=None,
    better="higher",
    interval="smooth",
    limits={"threshold": (0.0, 1.0)},
)
def standardised_net_benefit(c: Counts, *, threshold: float = 0.5) -> Any:
    """Net benefit divided by its largest possible value, the prevalence.

    (tp - fp threshold / (1 - threshold)) / (tp + fn)

    threshold: as for net_benefit.

    Undefined: no actual positives (tp + fn = 0).
    Source: Kerr et al. (2016), Journal of Clinical Oncology 34, 2534-2540.
    """
    with np.errstate(invalid="ignore"):
        return sensitivity(c) - ratio(c.fp, c.tp + c.fn) * _odds(threshold)


@measure(
    aka=("net_interventions_avoided", "net_intervention_avoided", "net_reduction_in_interventions"),
    range=(-np.inf, 1.0),
    best=None,
    better="higher",
    interval="smooth",
    limits={"threshold": (0.0, 1.0)},
)
def interventions_avoided(c: Counts, *, threshold: float = 0.5) -> Any:
    """True negatives per case, minus the false negatives per case divided by the odds of the threshold.

    (tn - fn (1 - threshold) / threshold) / (tp + fp + fn + tn)

    The net benefit beyond that of treating all, in interventions that are not made: 0.2 is as good as 20
    fewer interventions per 100 cases, and no positive missed.

    threshold: as for net_benefit. At 0 missed positives weigh infinitely: minus infinity, or undefined
    without one.

    Undefined: no cases (tp + fp + fn + tn = 0).
    Source: Vickers and Elkin (2006).
    Differs: dcurves in R gives it per 100 cases.
    """
    with np.errstate(invalid="ignore"):
        return ratio(c.tn - c.fn * _odds(1 - threshold), c.total)


def _odds(threshold: Any) -> Any:
    """The odds of a probability: infinite at 1, NaN for what is none."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where((threshold >= 0) & (threshold <= 1), np.divide(threshold, 1 - threshold), np.nan)[()]
