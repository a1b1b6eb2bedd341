"""The names of options of intervals, resampling and tests, as types; `get_args` gives the tuple of values."""

from typing import Literal

Design = Literal["cohort", "case-control"]

# Intervals
ProportionMethod = Literal["wilson", "clopper-pearson", "jeffreys", "agresti-coull", "wald"]
AreaMethod = Literal["delong-logit", "delong", "hanley-mcneil", "newcombe"]
CountsResampling = Literal["bayesian-bootstrap", "bootstrap"]
CasesResampling = Literal["bootstrap", "poisson-bootstrap"]

# Tests
Adjustment = Literal["holm", "benjamini-hochberg", "none"]
McNemarMethod = Literal["exact", "mid-p", "chi-square", "corrected"]
