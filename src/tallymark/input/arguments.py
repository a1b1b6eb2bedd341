"""The arguments that describe cases, and the types of options with a fixed set of values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Literal, TypedDict, get_args

# Types of the options with a fixed set of values, one for each option
# --------------------------------------------------------------------------------------------------

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


# The arguments that describe cases: the fields of `CaseSpec`, and options of the command line
# --------------------------------------------------------------------------------------------------
#
# Imports almost nothing, so that the help of a command loads quickly.

CLUSTERS, PERSONS = "clusters", "persons"  # arguments, and names of units whose cases depend on each other
OF_UNITS = {CLUSTERS: ("cluster",), PERSONS: ("person_1", "person_2")}  # by argument the columns of a sample


class CaseArguments(TypedDict, total=False):
    """The arguments of a `CaseSpec` for one model, for functions that pass them on."""

    truth: Any
    score: Any
    predicted: Any
    weight: Any
    weight_kind: WeightKind | None
    clusters: Any
    persons: Any
    positive: Any
    predicted_positive: Any
    not_an_answer: Any
    classes: Sequence[Any] | None
    ordered: bool
    higher_is_positive: bool
    score_kind: ScoreKind | None
    missing: Missing
    regression: bool
    where: str | None
    memory: str | int | None


def _option(
    words: str, metavar: str | None = "COLUMN", flag: str | None = None, **settings: Any
) -> dict[str, Any]:
    """An option of the command line.

    The text of its help, the placeholder of its value, its name where that differs, and settings of argparse.
    """
    shown = {} if metavar is None else {"metavar": metavar}
    return {"flag": flag, "settings": {"help": words, **shown, **settings}}


PER_CLASS = "a number per case, higher meaning more positive; repeated: one column per class"
KIND = (
    "count (a case of weight 2 is two cases) or importance (sampling or class weights); default: importance"
)
TOGETHER = "which cases belong together, such as those of one patient; intervals are those of whole clusters"
LABELS = (
    "all labels, also those without cases; of a score per class those of the columns, in their order"
    " (default: their names)"
)
ORDERED = "the classes have an order, that of --classes"
SCORE_KIND = (
    "what the scores are: probability, logit, margin or llr (natural logarithms of likelihood ratios)"
)
POSITIVE = "the positive label, where labels are not 0/1, -1/1, false/true or no/yes"
PREDICTED_POSITIVE = "the predicted label that means positive, where its words differ from those of --truth"
NOT_AN_ANSWER = (
    "predicted values that name no class, as ERROR or a refusal: wrong answers, whose share is shown"
)
TWO_PERSONS = "the two persons of each case, such as a comparison, on whom cases that share one may depend"
FOLD = (
    "the fold whose model was tested on the case; given twice, for repeated folds: the repeat, then the fold"
)
BY = "a row for each value of this column, as a site; repeated: for each combination of values"
CONDITION = "only rows that fulfil this, as \"split = 'test' and age >= 50\"; also in (...), not, or, is null"
MEMORY = (
    "for counting, as 2GiB or 500MB (default: half of what is free, and at least 1GiB); where the distinct"
    " scores do not fit, measures of them have bounds"
)
LOWER = _option(
    "a lower score means more positive", None, "--lower-is-positive", action="store_const", const=False
)
AMOUNTS = _option("truth and predicted are amounts, not labels", None, action="store_const", const=True)


@dataclass(frozen=True, eq=False, kw_only=True)
class DeclaredCases:
    """The fields of a `CaseSpec`, which documents them."""

    truth: Any = field(default=None, metadata=_option("the actual labels"))
    score: Any = field(default=None, metadata=_option(PER_CLASS, action="append"))
    predicted: Any = field(default=None, metadata=_option("predicted labels, instead of scores"))
    baseline_score: Any = field(
        default=None,
        metadata=_option("its score, or label, where the column has another name", action="append"),
    )
    judge: Any = field(
        default=None, metadata=_option("the judge's labels of all cases, or with --regression its numbers")
    )
    weight: Any = field(default=None, metadata=_option("what each case counts"))
    weight_kind: WeightKind | None = field(default=None, metadata=_option(KIND, "KIND"))
    clusters: Any = field(default=None, metadata=_option(TOGETHER))
    persons: Any = field(default=None, metadata=_option(TWO_PERSONS, nargs=2))
    sample: Any = field(
        default=None, metadata=_option("which independent sample, such as a site or a model, a case is of")
    )
    by: Any = field(default=None, metadata=_option(BY, action="append"))
    fold: Any = field(default=None, metadata=_option(FOLD, action="append"))
    pair_by: Any = field(
        default=None, metadata=_option("names the cases, where both models were run on the same")
    )
    positive: Any = field(default=None, metadata=_option(POSITIVE, "LABEL"))
    predicted_positive: Any = field(default=None, metadata=_option(PREDICTED_POSITIVE, "LABEL"))
    not_an_answer: Any = field(default=None, metadata=_option(NOT_AN_ANSWER, "VALUE", nargs="+"))
    classes: Sequence[Any] | None = field(default=None, metadata=_option(LABELS, "LABEL", nargs="+"))
    ordered: bool = field(default=False, metadata=_option(ORDERED, None, action="store_const", const=True))
    higher_is_positive: bool = field(default=True, metadata=LOWER)
    score_kind: ScoreKind | None = field(default=None, metadata=_option(SCORE_KIND, "KIND"))
    missing: Missing = field(
        default="reject", metadata=_option("rows with a missing value: reject (default) or drop", "WHAT")
    )
    regression: bool = field(default=False, metadata=AMOUNTS)
    where: str | None = field(default=None, metadata=_option(CONDITION, "CONDITION"))
    memory: str | int | None = field(default=None, metadata=_option(MEMORY, "SIZE"))


@dataclass(frozen=True)
class Option:
    """An argument on the command line. name: in Python; flag: on the command line; settings: of argparse."""

    name: str
    flag: str
    settings: Mapping[str, Any]


OPTIONS = {
    one.name: Option(
        one.name, one.metadata["flag"] or f"--{one.name.replace('_', '-')}", one.metadata["settings"]
    )
    for one in fields(DeclaredCases)
}
