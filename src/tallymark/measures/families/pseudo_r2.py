"""Coefficients of determination from the likelihood of predicted probabilities."""

from typing import Any

import numpy as np

from ...summaries import RankingTable
from ...summaries.passes import entropy, log_error
from ..registry import measure, ratio, within
from . import areas
from .probability import UP_TO_ONE, log_loss


def _cox_snell(loss: Any, prior: Any) -> Any:
    with np.errstate(over="ignore"):
        return -np.expm1(2 * (loss - entropy(prior)))


def _largest(prior: Any) -> Any:
    """Its value for perfect probabilities."""
    return -np.expm1(-2 * entropy(prior))


def _nagelkerke(loss: Any, prior: Any) -> Any:
    return ratio(_cox_snell(loss, prior), _largest(prior))


@measure(
    aka=("maximum_likelihood_r2",),
    terms=("pseudo_r2", "r2"),
    range=UP_TO_ONE,
    best=None,
    better="higher",
    interval="mean-of-prior",
    loss=log_error,
    of_mean=_cox_snell,
    scores="probability",
    bounds="roc",
)
def cox_snell_r2(t: RankingTable) -> Any:
    """Relative reduction of the likelihood per case from predicting the prevalence, to the power of 2 / n.

    1 - exp(2 (log_loss - entropy of the class mix)), with natural logarithms

    Perfect probabilities have less than 1: 0.75 with classes of equal size. Of probabilities from other data
    it may be below 0.

    Undefined: no actual positives (positives = 0), or no actual negatives (negatives = 0).
    Source: Cox and Snell (1989); Maddala (1983).
    """
    return areas.defined(_cox_snell(log_loss(t), t.prior), t.positives, t.negatives)


@measure(
    aka=("nagelkerke", "cragg_uhler_r2"),
    terms=("pseudo_r2", "r2"),
    range=UP_TO_ONE,
    interval="mean-of-prior",
    loss=log_error,
    of_mean=_nagelkerke,
    scores="probability",
    bounds="roc",
)
def nagelkerke_r2(t: RankingTable) -> Any:
    """Cox and Snell's coefficient of determination, divided by its largest value for the class mix.

    cox_snell_r2 / (1 - exp(-2 entropy of the class mix)), with natural logarithms

    0 means no improvement over predicting the prevalence.

    Undefined: no actual positives (positives = 0), or no actual negatives (negatives = 0).
    Source: Nagelkerke (1991), Biometrika 78, 691-692.
    Differs: lrm of R's rms reports it for the probabilities that the model has on its own training data.
    """
    return within(areas.defined(_nagelkerke(log_loss(t), t.prior), t.positives, t.negatives), *UP_TO_ONE)
