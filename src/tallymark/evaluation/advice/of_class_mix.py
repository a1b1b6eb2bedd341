"""Rules on the class mix: which values would change with it, and what rare positives change."""

from __future__ import annotations

from ...measures.registry import get
from ..results import BinaryEvaluation, Evaluation
from .answer import Costs
from .mix import MOVED, at_mix, shifts
from .rule import BEYOND_CHANCE, DECIDING, Said, changes, mix_of, rule, value

BY_DESIGN = (0.4, 0.6)  # a share of positives that often results from sampling and is rare in populations
AT_ALL = 1e-6  # changes below are rounding
ELSEWHERE = 0.05  # the prevalence of Wikipedia's example
RATIOS = ("positive_likelihood_ratio", "negative_likelihood_ratio")
# if it is found to be so
STABLE = ("sensitivity", "specificity", "youden_j", "balanced_accuracy", "geometric_mean", *RATIOS, "roc_auc")


@rule(
    "Tharwat, sections 2.1 and 2.9.1; Flemming, Balanced accuracy; Wikipedia, Impact of prevalence on"
    " prediction values",
    verdict="within_mix",
)
def class_mix(e: Evaluation, need: str | None, costs: Costs) -> Said | None:
    """A measure would change with classes of equal size.

    The change is larger than 0.05, or than a tenth of the value where the range is unbounded.
    """
    all_shifts = shifts(e, need)
    moved = sorted(
        (shift for shift in all_shifts if shift.moved), key=lambda shift: (shift.endless, -shift.size)
    )
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
    parts.append(
        f"Counted are changes of more than {MOVED:g}, or of a tenth of the value where a range has no end."
    )
    stable = {shift.name for shift in all_shifts if not shift.moved}
    whole = ("roc_auc",) if need == "early_retrieval" else ()  # of the whole ranking
    # of those that change at all; costs are those of one population
    changing = [shift for shift in all_shifts if shift.size > AT_ALL and not shift.anchored]
    within_mix = tuple(shift.name for shift in changing if get(shift.name).family != "cost")
    return " ".join(parts), tuple(name for name in STABLE if name in stable and name not in whole), within_mix


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
            f"{share:.0%} of these cases are positive, between {BY_DESIGN[0]:.0%} and {BY_DESIGN[1]:.0%} as"
            f" in many selected samples. If they were selected so, precision, {here:.3g} here, "
            f"does not apply elsewhere: with {ELSEWHERE:.0%} positives it would be {there:.3g}. Likelihood "
            "ratios do: they multiply the odds of any population."
        ),
        RATIOS,
        (),
    )
