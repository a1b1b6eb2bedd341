"""The number of cases that an evaluation needs, and the precision that the data at hand give.

    tm.planning.sensitivity(expected=0.9, at_least=0.85, prevalence=0.1)
    tm.planning.roc_auc(expected=0.8, width=0.1)
    tm.planning.paired_roc_auc(first=0.85, second=0.80, correlation=0.5)
    tm.planning.external_validation(prevalence=0.1, auc=0.8)
    tm.planning.present(evaluation, measures="roc_auc", width=0.02)

Power is the probability that the interval of `evaluate` lies on the right side of a limit, as a release gate
requires.
"""

from .areas import paired_roc_auc, roc_auc, unpaired_roc_auc
from .external import Criterion, ExternalPlan, external_validation
from .plan import Plan
from .present import Present, Reach, present
from .proportions import paired_proportions, proportion, sensitivity, specificity

__all__ = [
    "Criterion", "ExternalPlan", "Plan", "Present", "Reach", "external_validation", "paired_proportions",
    "paired_roc_auc", "present", "proportion", "roc_auc", "sensitivity", "specificity", "unpaired_roc_auc",
]  # fmt: skip
