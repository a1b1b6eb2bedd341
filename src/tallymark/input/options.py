"""Types of the options with a fixed set of values, one for each option."""

from __future__ import annotations

from typing import Literal, get_args

WeightKind = Literal["count", "importance"]
ScoreKind = Literal["probability", "logit", "margin", "llr"]
Missing = Literal["reject", "drop"]

Design = Literal["cohort", "case-control"]
DESIGNS: tuple[str, ...] = get_args(Design)
Validity = Literal["fixed", "anytime"]
VALIDITIES: tuple[str, ...] = get_args(Validity)
Proportion = Literal["wilson", "clopper-pearson", "jeffreys", "agresti-coull", "wald"]
AucInterval = Literal["delong-logit", "delong", "hanley-mcneil", "newcombe"]
CaseResampling = Literal["bootstrap", "poisson-bootstrap"]
BootstrapMethod = Literal["bca", "percentile", "basic", "studentised"]

Adjustment = Literal["holm", "benjamini-hochberg", "none"]
McNemarMethod = Literal["exact", "mid-p", "chi-square", "corrected"]

Ties = Literal["together", "optimistic", "pessimistic"]
Band = Literal["pointwise", "simultaneous", "kolmogorov-smirnov"]
PlotBand = Literal["auto", "pointwise", "simultaneous", "kolmogorov-smirnov"]
Normalize = Literal["true", "pred", "all"]
Legend = Literal["short", "full"]
Reliability = Literal["equal_width", "equal_mass", "isotonic"]

Need = Literal["decision", "ranking", "early_retrieval", "probabilities"]
GrownClass = Literal["negative", "positive"]
Backend = Literal["pandas", "polars", "pyarrow"]
Undecided = Literal["pass", "fail"]
