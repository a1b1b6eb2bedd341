"""The number of cases that an evaluation needs, and the precision that the data at hand give.

    tm.planning.sensitivity(expected=0.9, at_least=0.85, prevalence=0.1)
    tm.planning.roc_auc(expected=0.8, width=0.1)
    tm.planning.paired_roc_auc(first=0.85, second=0.80, correlation=0.5)
    tm.planning.external_validation(prevalence=0.1, auc=0.8)
    tm.planning.present(evaluation, measures="roc_auc", width=0.02)

Power is the probability that the interval of `evaluate` lies on the right side of a limit, as a release gate
requires.
"""

from .plan import (
    Criterion,
    ExternalPlan,
    Plan,
    external_validation,
    paired_proportions,
    paired_roc_auc,
    proportion,
    roc_auc,
    sensitivity,
    specificity,
    unpaired_roc_auc,
)
from .present import Present, Reach, present

__all__ = [
    "Criterion", "ExternalPlan", "Plan", "Present", "Reach", "external_validation", "paired_proportions",
    "paired_roc_auc", "present", "proportion", "roc_auc", "sensitivity", "specificity", "unpaired_roc_auc",
]  # fmt: skip
