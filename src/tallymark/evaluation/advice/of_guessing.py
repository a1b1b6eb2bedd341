"""Rules that compare accuracy, agreement and f1 with those of guessing."""

from __future__ import annotations

from ...measures.titles import several
from ..results import BinaryEvaluation, Evaluation
from .answer import Costs
from .mix import MOVED, decided, guessing, rows
from .rule import (
    ACCURACY,
    BEYOND_CHANCE,
    DECIDING,
    Said,
    blind_to_true_negatives,
    classes,
    rule,
    value,
)

CLOSE = 0.10  # a small difference from a random prediction


@rule(
    "Berrar, section 6; Flemming, Correct Classification Rate; QuData, Basic metrics",
    disagreement=(
        "Tharwat (section 2.2) reports a paper that found accuracy suitable for imbalanced data; its values"
        " agreed there because the sums of correct predictions did."
    ),
)
def accuracy_close_to_guessing(e: Evaluation, need: str | None, costs: Costs) -> Said | None:
    """A decision is needed, and accuracy is close to that of guessing.

    Half or more of its difference from a random prediction is due to class sizes, or the difference is small.
    """
    if need not in DECIDING or (table := decided(e)) is None:
        return None
    accuracy, each = value("accuracy", table), classes(e)
    name, largest, _ = max(each, key=lambda one: one[1])
    majority, random = largest / rows(table).sum(), 1 / len(each)
    fed = majority - random >= max(MOVED, (accuracy - random) / 2)
    if not fed and accuracy - random >= CLOSE:
        return None
    of_sizes = (
        f": {majority - random:.3g} of its {accuracy - random:.3g} above that, half or more, is due to the"
        " class sizes"
        if fed
        else ""
    )
    return (
        (
            f"Accuracy is {accuracy:.3g}, but always predicting {name} has {majority:.3g}, and a random "
            f"prediction {random:.3g}{of_sizes}. On "
            f"balanced accuracy, {value('balanced_accuracy', table):.3g} here, both have {random:.3g}."
        ),
        ("balanced_accuracy",),
        ACCURACY if fed else (),
    )


@rule(
    "Berrar, Defs. 15 and 24",
    disagreement=(
        "Berrar (after Def. 15) calls MCC suitable for imbalanced data, Tharwat (section"
        " 2.8) sensitive to it: it is 0 for guessing at any mix, and its value changes with the mix."
    ),
)
def agreement_by_chance(e: Evaluation, need: str | None, costs: Costs) -> Said | None:
    """A decision is needed, and random predictions of the same frequencies would often be right.

    That is clearly more often than predictions of each class with equal probability.
    """
    if need not in DECIDING or (table := decided(e)) is None:
        return None
    chance = value("accuracy", guessing(table))
    if chance < 1 / len(classes(e)) + CLOSE:
        return None
    return (
        (
            f"Random predictions with the same frequencies would be right in {chance:.0%} of the cases, "
            f"{chance - 1 / len(classes(e)):.0%} more than with equal frequencies. "
            f"Cohen's kappa, {value('cohen_kappa', table):.3g}, is the excess of accuracy, "
            f"{value('accuracy', table):.3g}, over that, as a share of the largest possible excess: 0 is "
            "chance, 1 perfect. MCC is 0 by chance, too."
        ),
        ("cohen_kappa", "matthews_correlation"),
        (),
    )


@rule("Wikipedia, Alternative metrics; Tharwat, sections 2.8 and 5", of=BinaryEvaluation)
def true_negatives_ignored(e: BinaryEvaluation, need: str | None, costs: Costs) -> Said | None:
    """A decision between two classes is needed."""
    if need not in DECIDING or not e.both_classes:
        return None
    f1, always = value("f1", e.counts), 2 * e.counts.positives / (e.counts.positives + e.counts.total)
    blind = blind_to_true_negatives()
    return (
        (
            f"F1 is {f1:.3g}, and always predicting positive would have {always:.3g}: {several(blind)} do not"
            f" depend on how many negatives are predicted correctly. {several(BEYOND_CHANCE)} do, and are 0"
            " for guessing."
        ),
        BEYOND_CHANCE,
        blind if always >= f1 else (),
    )
