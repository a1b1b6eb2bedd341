"""The choice of a threshold by a stated rule, and the uncertainty of the choice."""

from .at_chosen import (
    CORRECTED,
    GROUPED,
    NOT_REPEATED,
    around_corrected,
    depends_on_threshold,
    estimate_at_chosen,
    optimism_of,
)
from .bounds import OF_CLUSTERS, RuleError
from .choice import Threshold, default_threshold, highest_of_the_best, largest_youden
from .halves import SPLITS, Optimism, less
from .picking import pick
from .reading import read
from .rules import Rule, needed, parameters_of
from .rulespec import DEFAULT, GIVEN, HIGHEST_SCORE, PREDICTED, RuleSpec
from .stability import Choice, by_rule, choose, depends_on_mix

__all__ = [
    "CORRECTED", "Choice", "DEFAULT", "GIVEN", "GROUPED", "HIGHEST_SCORE", "NOT_REPEATED", "OF_CLUSTERS",
    "Optimism", "PREDICTED", "Rule", "RuleError", "RuleSpec", "SPLITS", "Threshold",
    "around_corrected", "by_rule", "choose", "default_threshold", "depends_on_mix", "depends_on_threshold",
    "estimate_at_chosen", "highest_of_the_best", "largest_youden", "less", "needed", "optimism_of",
    "parameters_of", "pick", "read",
]  # fmt: skip
