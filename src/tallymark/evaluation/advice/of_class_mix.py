"""Rules on the class mix: which values would change with it, and what rare positives change."""

from __future__ import annotations

import numpy as np

from ...measures.registry import get
from ..results import BinaryEvaluation, Evaluation
from .answer import Costs
from .mix import MOVED, at_mix, shifts
from .rule import BEYOND_CHANCE, DECIDING, Said, changes, mix_of, rule, value

RARE = 0.10  # Berrar, section 6: nine to one is highly imbalanced
BY_DESIGN = (0.4, 0.6)  # a share of positives that often results from sampling and is rare in populations
ELSEWHERE = 0.05  # the prevalence of Wikipedia's example
RATIOS = ("positive_likelihood_ratio", "negative_likelihood_ratio")
# if it is found to be so
STABLE = ("sensitivity", "specificity", "youden_j", "balanced_accuracy", "geometric_mean", *RATIOS, "roc_auc")


@rule(
    "Tharwat, sections 2.1 and 2.9.1; Flemming, Balanced accuracy; Wikipedia, Impact of prevalence on"
    " prediction values"
)
def class_mix(e: Evaluation, need: str | None, costs: Costs) -> Said | None:
    """A measure would change with classes of equal size.

    The change is larger than 0.05, or than a tenth of the value where the range is unbounded.
    """
    asked = shifts(e, need)
    moved = sorted((shift for shift in asked if shift.moved), key=lambda shift: (shift.endless, -shift.size))
    if not moved:
        return None
    misleading, anchored = ([shift for shift in moved if shift.anchored == which] for which in (False, True))
    anchored.sort(key=lambda shift: shift.name not in BEYOND_CHANCE)  # the best known measures come first
    parts = [f"Here are {mix_of(e)}."]
    if misleading:
        parts.append(f"{changes(misleading)}. Such values hold for this class mix only.")
    if anchored:
        parts.append(
            f"{changes(anchored)}: guessing has the same value in either mix, so they can be used here, but "
            "compare them within one class mix only."
        )
    stable = {shift.name for shift in asked if not shift.moved}
    # costs are those of one population
    avoid = tuple(shift.name for shift in misleading if get(shift.name).family != "cost")
    return " ".join(parts), tuple(name for name in STABLE if name in stable), avoid


@rule(
    "Wikipedia, Impact of prevalence on prediction values; QuData, Basic metrics; Tharwat, section 2.6",
    of=BinaryEvaluation,
)
def another_population(e: BinaryEvaluation, need: str | None, costs: Costs) -> Said | None:
    """A decision is needed, the classes are similar in size, and rarer positives would lower precision."""
    if need not in DECIDING or not e.both_classes:
        return None
    share = e.counts.positives / e.counts.total
    here, there = (
        value("precision", table) for table in (e.counts, at_mix(e.counts, ELSEWHERE, 1 - ELSEWHERE))
    )
    if not BY_DESIGN[0] <= share <= BY_DESIGN[1] or not abs(here - there) > MOVED:
        return None
    return (
        (
            f"{share:.0%} of these cases are positive. If they were selected so, precision, {here:.3g} here, "
            f"does not apply elsewhere: with {ELSEWHERE:.0%} positives it would be {there:.3g}. Likelihood "
            "ratios do: they multiply the odds of any population."
        ),
        RATIOS,
        (),
    )


@rule("Berrar, section 6 and Def. 32; Tharwat, section 5", of=BinaryEvaluation)
def rare_positives(e: BinaryEvaluation, need: str | None, costs: Costs) -> Said | None:
    """A ranking is needed, and at most a tenth of the cases are positive."""
    if (
        need not in (None, "ranking")
        or e.ranking is None
        or not e.both_classes
        or e.ranking.positives > RARE * e.ranking.total
    ):
        return None
    t = e.ranking
    return (
        (
            f"Positives are rare: {t.positives:,.10g} of {t.total:,.10g}. average_precision, "
            f"{e['average_precision'].value:.3g} where a random ranking has {t.positives / t.total:.3g}, and "
            "curve('pr') show the top of the ranking, where positives should be; roc_auc, "
            f"{e['roc_auc'].value:.3g}, weights the rest of the ranking as much. Compare average_precision "
            "within one class mix."
        ),
        ("average_precision",),
        (),
    )


@rule("Berrar, section 3 (after Def. 20) and section 6", of=BinaryEvaluation)
def loss_of_the_larger_class(e: BinaryEvaluation, need: str | None, costs: Costs) -> Said | None:
    """Probabilities are needed, and the larger class makes up most of log_loss.

    That class has nine tenths of the cases or more.
    """
    t, given = e.ranking, e.parameters.get("log_loss", {})
    if need != "probabilities" or not e.probabilities or t is None or not e.both_classes:
        return None
    none = np.zeros_like(t.positive)
    positives = value("log_loss", t.of(t.score, t.positive, none), **given)
    negatives = value("log_loss", t.of(t.score, none, t.negative), **given)
    larger, cases, loss = max(
        ("positives", t.positives, positives), ("negatives", t.negatives, negatives), key=lambda one: one[1]
    )
    total = t.total * e["log_loss"].value
    if cases < (1 - RARE) * t.total or cases * loss <= total / 2:
        return None
    return (
        (
            f"{cases * loss / total:.0%} of log_loss comes from the {larger}, {cases / t.total:.0%} of the "
            f"cases. A positive loses {positives:.3g} and a negative {negatives:.3g} on average: report it by"
            " class."
        ),
        (),
        (),
    )
