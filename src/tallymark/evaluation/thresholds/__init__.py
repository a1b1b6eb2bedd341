"""The choice of a threshold by a stated rule, and the uncertainty of the choice."""

from .choice import (
    SPLITS,
    Choice,
    Threshold,
    by_rule,
    choose,
    default_threshold,
    depends_on_mix,
    highest_of_the_best,
    largest_youden,
    pick,
)
from .optimism import (
    CORRECTED,
    GROUPED,
    NOT_REPEATED,
    Optimism,
    around_corrected,
    depends_on_threshold,
    estimate_at_chosen,
    less,
    optimism_of,
)
from .rules import (
    DEFAULT,
    GIVEN,
    HIGHEST_SCORE,
    OF_CLUSTERS,
    PREDICTED,
    Rule,
    RuleError,
    RuleSpec,
    needed,
    parameters_of,
    read,
)

__all__ = [
    "CORRECTED", "Choice", "DEFAULT", "GIVEN", "GROUPED", "HIGHEST_SCORE", "NOT_REPEATED", "OF_CLUSTERS",
    "Optimism", "PREDICTED", "Rule", "RuleError", "RuleSpec", "SPLITS", "Threshold",
    "around_corrected", "by_rule", "choose", "default_threshold", "depends_on_mix", "depends_on_threshold",
    "estimate_at_chosen", "highest_of_the_best", "largest_youden", "less", "needed", "optimism_of",
    "parameters_of", "pick", "read",
]  # fmt: skip
