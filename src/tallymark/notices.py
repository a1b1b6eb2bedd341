"""Every warning and every piece of advice, with its text: a code, and one sentence that says what to do.

A rule is a function of an `Evaluation` that answers a sentence, or None where it has nothing to say. Its code is its name.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from math import isinf, isnan

FEW_CASES = 10
MANY_TIES = 0.10  # share of the pairs of a positive and a negative


class UndefinedMeasureWarning(UserWarning):
    """A measure is 0/0 on these data; the text says which part is empty."""


@dataclass(frozen=True, slots=True)
class Notice:
    """What a good statistician would say beside the numbers."""

    code: str
    text: str

    def __str__(self) -> str:
        return f"{self.text} [{self.code}]"

    def to_dict(self) -> dict:
        return asdict(self)


RULES: list[Callable] = []


def rule(function: Callable) -> Callable:
    RULES.append(function)
    return function


def review(evaluation) -> tuple[Notice, ...]:
    """What every rule has to say of an evaluation, in the order of this page."""
    said = ((rule.__name__.replace("_", "-"), rule(evaluation)) for rule in RULES)
    return tuple(Notice(code, text) for code, text in said if text)


# On the data ----------------------------------------------------------------------------------------------------------


@rule
def one_class(e):
    if e.counts is None or (e.data.positives and e.data.negatives):
        return None
    missing = "positives" if not e.data.positives else "negatives"
    return (
        f"There are no {missing} in these data: every measure that compares the two classes is undefined; add cases of the "
        "other class, or check the positive label."
    )


@rule
def few_cases(e):
    if e.counts is None:
        return None
    sizes = {"positives": e.data.positives, "negatives": e.data.negatives}
    few = [f"{size:g} {name}" for name, size in sizes.items() if 0 < size < FEW_CASES]
    if not few:
        return None
    return f"Only {' and '.join(few)}: read the intervals rather than the values, and collect more cases before deciding."


@rule
def rows_dropped(e):
    if not e.data.dropped:
        return None
    share = e.data.dropped / (e.data.rows + e.data.dropped)
    return (
        f"{e.data.dropped} rows ({share:.1%}) with a missing value were left out, as missing='drop' asks: if values are missing "
        "for a reason that has to do with the class, every measure is biased."
    )


@rule
def weights_not_whole(e):
    if e.data.effective_rows is None:
        return None
    return (
        f"The weights are not whole numbers, so they are no numbers of cases: intervals use Kish's effective sample size, "
        f"{e.data.effective_rows:.1f} of {e.data.rows} rows, and are approximate."
    )


# On the scores --------------------------------------------------------------------------------------------------------


@rule
def scores_outside_unit_interval(e):
    if e.ranking is None or e.probabilities:
        return None
    if not e.higher_is_positive:
        return "A lower score means positive here, so the scores are no probabilities: brier_score and log_loss are left out."
    low, high = float(e.ranking.score[-1]), float(e.ranking.score[0])
    return (
        f"Scores range from {low:g} to {high:g}, outside [0, 1], so they are no probabilities: ranking measures stand, "
        "brier_score and log_loss are left out; turn the scores into probabilities first if you need them."
    )


@rule
def infinite_scores(e):
    if e.ranking is None:
        return None
    ends = (0, -1) if len(e.ranking) > 1 else (0,)  # scores are sorted: infinite ones are the first and the last
    cases = sum(e.ranking.positive[i] + e.ranking.negative[i] for i in ends if isinf(e.ranking.score[i]))
    if not cases:
        return None
    return (
        f"{cases:g} scores are infinite: they rank first or last, which is all that the ranking measures need; check their origin."
    )


@rule
def heavy_ties(e):
    if e.ranking is None or not (e.data.positives and e.data.negatives):
        return None
    share = float(e.ranking.positive @ e.ranking.negative) / (e.ranking.positives * e.ranking.negatives)
    if share < MANY_TIES:
        return None
    return (
        f"{share:.0%} of the pairs of a positive and a negative have equal scores ({len(e.ranking)} distinct scores in all): "
        "roc_auc counts each as one half; use unrounded scores if you have them."
    )


@rule
def log_loss_clipped(e):
    loss = e.estimates.get("log_loss")
    if loss is None or isnan(loss.value):
        return None
    first, last = (e.ranking.score[0] == 1) * e.ranking.negative[0], (e.ranking.score[-1] == 0) * e.ranking.positive[-1]
    certain_and_wrong = float(first + last)
    if not certain_and_wrong:
        return None
    return (
        f"{certain_and_wrong:g} cases got probability 0 for what was true: log_loss counts each as -log of the score type's "
        "epsilon instead of infinity, an arbitrary cap; look at these cases first."
    )


# On the answers -------------------------------------------------------------------------------------------------------


@rule
def auc_below_half(e):
    auc = e.estimates.get("roc_auc")
    if auc is None or not auc.value < 0.5:
        return None
    return (
        f"roc_auc is {auc.value:.3g}, below 0.5: is the positive label right, and does a higher score mean positive "
        "(else pass higher_is_positive=False)? Nothing was flipped."
    )


@rule
def threshold_chosen_here(e):
    if e.threshold is None or not e.threshold.rule.startswith("youden"):
        return None
    return (
        f"The threshold {e.threshold.value:g} has the largest Youden index on these same cases, so the measures at it are "
        "optimistic; choose the threshold on other data, or give one."
    )


@rule
def majority_class(e):
    if e.counts is None or not (e.data.positives and e.data.negatives):
        return None
    majority = max(e.data.positives, e.data.negatives) / (e.data.positives + e.data.negatives)
    accuracy = e.estimates["accuracy"].value
    if accuracy > majority:
        return None
    larger = "positive" if e.data.positives > e.data.negatives else "negative"
    return (
        f"Accuracy {accuracy:.3g} is no better than always answering {larger}, which gives {majority:.3g}: judge this "
        "classifier by balanced_accuracy, matthews_correlation or roc_auc."
    )
