"""Costs and benefits of decisions."""

from typing import Any

import numpy as np

from ...summaries import Counts
from ..registry import measure, ratio


@measure(
    aka=("misclassification_cost", "classification_cost", "expected_misclassification_cost"),
    range=(0.0, np.inf),
    best=0.0,
    interval="counts",
    limits={"cost_fp": (0.0, 1e100), "cost_fn": (0.0, 1e100)},
)
def expected_cost(c: Counts, *, cost_fp: float = 1.0, cost_fn: float = 1.0) -> Any:
    """Mean cost per case of the wrong predictions.

    (cost_fp fp + cost_fn fn) / (tp + fp + fn + tn)

    cost_fp, cost_fn: the cost of a false positive and of a false negative; equal by default, which gives the
    error rate.

    Undefined: no cases (tp + fp + fn + tn = 0).
    Source: Berrar, section 5; Elkan (2001).
    """
    return ratio(cost_fp * c.fp + cost_fn * c.fn, c.total)


@measure(
    range=(-np.inf, 1.0), best=None, better="higher", interval="counts", limits={"threshold": (0.0, 1 - 1e-9)}
)
def net_benefit(c: Counts, *, threshold: float = 0.5) -> Any:
    """True positives per case, minus the false positives per case times the odds of the threshold.

    (tp - fp threshold / (1 - threshold)) / (tp + fp + fn + tn)

    threshold: the probability from which on a case is treated as positive; its odds are the harm of a false
    positive relative to the benefit of a true one. `evaluate` takes its own threshold where the scores are
    probabilities.

    Undefined: no cases (tp + fp + fn + tn = 0).
    Source: Vickers and Elkin (2006).
    """
    return ratio(c.tp - c.fp * (threshold / (1 - threshold)), c.total)
