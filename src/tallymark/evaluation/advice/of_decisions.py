"""Rules on decisions at one threshold."""

from __future__ import annotations

from ...input.spelling import option
from ..notices import number_of
from ..results import BinaryEvaluation
from .answer import Costs
from .mix import implied
from .rule import DECIDING, ORDER, Said, rule


@rule(
    "Flemming, Choosing a Threshold; QuData, ROC",
    of=BinaryEvaluation,
    disagreement=(
        "Berrar (section 6) prefers measures of probabilities to those at one threshold: they distinguish"
        " models before a threshold is chosen."
    ),
)
def order_is_no_decision(e: BinaryEvaluation, need: str | None, costs: Costs) -> Said | None:
    """A decision is needed, and there are scores."""
    if need != "decision" or e.ranking is None or e.threshold is None:
        return None
    sign = ">=" if e.higher_is_positive else "<="
    of_costs = costs is not None and e.limit == implied(e, *costs)
    origin = "the costs imply this threshold" if of_costs else f"threshold: {e.threshold.rule}"
    return (
        (
            f"The decision is score {sign} {e.limit:.4g} ({origin}). ROC AUC and "
            "average precision measure the ranking over all thresholds: they show neither how good this "
            "threshold is nor which would be better."
        ),
        (),
        ORDER,
    )


@rule("Tharwat, sections 2.2 and 2.7; Flemming, Choosing a Threshold", of=BinaryEvaluation)
def both_kinds_of_error(e: BinaryEvaluation, need: str | None, costs: Costs) -> Said | None:
    """A decision between two classes is needed, and the costs of errors are not known."""
    if need not in DECIDING or costs or not e.both_classes:
        return None
    c = e.counts
    return (
        (
            f"{number_of(c.fn, 'positive')} of {c.positives:,.10g} and {number_of(c.fp, 'negative')} of "
            f"{c.negatives:,.10g} are predicted incorrectly. Report both rates: one number does not show "
            "which error is made (0.7 and 0.8 have Youden's J of 0.9 and 0.6). Where you know what each "
            f"error costs, pass {option('cost_fp')} and {option('cost_fn')}."
        ),
        ("sensitivity", "specificity"),
        (),
    )


@rule(
    "Wikipedia, Single metrics; Tharwat, section 2.6",
    of=BinaryEvaluation,
    disagreement=(
        "Tharwat (section 2.7) objects to the Youden index that it hides the difference of both rates; that"
        " holds here, too."
    ),
)
def odds_ratio(e: BinaryEvaluation, need: str | None, costs: Costs) -> Said | None:
    """A decision between two classes is needed, as the stated need."""
    if need != "decision" or not e.both_classes:
        return None
    found = e["diagnostic_odds_ratio"]
    said = "undefined" if found.undefined else f"{found.value:.3g}"
    return (
        (
            f"As one number the diagnostic odds ratio, {said} here, has a meaning as a ratio of odds and does"
            " not change with the class mix. It does not show which error is made, and it is infinite where"
            " one kind of error does not occur; the corrected odds ratio is finite."
        ),
        ("diagnostic_odds_ratio",),
        (),
    )
