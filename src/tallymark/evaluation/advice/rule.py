"""What a rule is, and the words and numbers that the rules share.

The code of a rule is the name of its function, its condition the docstring, its source the argument of the
decorator. A rule returns a text, the measures to use and those to avoid, in this order, or None where it does
not apply. The order of the advice is that in which rules are registered.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import singledispatch
from inspect import getdoc
from typing import Any, Literal

import numpy as np

from ...input import validate
from ...input.spelling import option
from ...measures import registry
from ...measures.titles import in_sentence, title
from ...summaries import Counts
from ..notices import number_of
from ..results import (
    BinaryEvaluation,
    Evaluation,
    MulticlassEvaluation,
    MultilabelEvaluation,
    ScoredEvaluation,
)
from .answer import Costs, Item
from .mix import Shift

SHOWN = 3  # how many measures a sentence lists with their values
ACCURACY = ("accuracy", "error_rate")
LOSSES = ("brier_score", "log_loss")
CALIBRATION = ("calibration_slope", "calibration_in_the_large")
ORDER = ("roc_auc", "average_precision")
ORDER_OF_CLASSES = ("macro_roc_auc", "pairwise_roc_auc")
BEYOND_CHANCE = ("matthews_correlation", "cohen_kappa", "youden_j")
DECIDING = (None, "decision")
Verdict = Literal["avoid", "within_mix"]
# the text, the measures to use, those to avoid (or to compare within one class mix only, see Rule.verdict)
Said = tuple[str, tuple[str, ...], tuple[str, ...]]
# of an evaluation of the type that the rule looks at
Judging = Callable[[Any, str | None, Costs], Said | None]


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule: called with (evaluation, need, costs) it returns an Item, or None.

    of: the type of evaluation that it applies to; disagreement: what another source says instead; verdict: on
    the measures that the rule returns last.
    """

    function: Judging
    source: str
    of: Any = Evaluation
    disagreement: str = ""
    verdict: Verdict = "avoid"

    @property
    def code(self) -> str:
        return self.function.__name__.replace("_", "-")

    @property
    def when(self) -> str:
        """The condition, in words."""
        return " ".join((getdoc(self.function) or "").split())

    def __call__(self, e: Evaluation, need: str | None = None, costs: Costs = None) -> Item | None:
        said = self.function(e, need, costs) if isinstance(e, self.of) else None
        if said is None:
            return None
        text, use, against = said
        avoid, within_mix = (against, ()) if self.verdict == "avoid" else ((), against)
        return Item(self.code, text, use, avoid, self.source, within_mix, self.disagreement)


RULES: list[Rule] = []


def rule(
    source: str, of: Any = Evaluation, *, disagreement: str = "", verdict: Verdict = "avoid"
) -> Callable[[Judging], Judging]:
    """Registers a rule, with the source of its advice; the arguments are those of `Rule`."""

    def enter(function: Judging) -> Judging:
        RULES.append(Rule(function, source, of, disagreement, verdict))
        return function

    return enter


@singledispatch
def without_scores(e: Evaluation) -> str:
    """What the evaluation has instead of scores, and the remedy."""
    return f"labels or counts only; pass {option('score')}"


@without_scores.register
def _(e: MultilabelEvaluation) -> str:
    return (
        "several labels per case, which are measured without scores; evaluate one label at a time, with"
        f" {option('score')}"
    )


TURNED_INTO_SOME: dict[type[Evaluation], str] = {
    BinaryEvaluation: "these scores are not probabilities: convert them first, as by a logistic curve",
    MulticlassEvaluation: (
        "these scores of the classes are not probabilities: convert them first, as by "
        "tallymark.convert.softmax"
    ),
}


def no_probabilities(e: Evaluation) -> str:
    """Why there are no probabilities, and the remedy."""
    scored = isinstance(e, ScoredEvaluation) and e.scored is not None
    return TURNED_INTO_SOME[type(e)] if scored else f"here are {without_scores(e)}"


def classes(e: Evaluation) -> list[tuple[str, float, float]]:
    """Name, number of cases, and number of correct predictions, of each class that has cases."""
    return [one for one in _classes(e) if one[1] > 0]


@singledispatch
def _classes(e: Evaluation) -> list[tuple[str, float, float]]:
    return []


@_classes.register
def _(e: BinaryEvaluation) -> list[tuple[str, float, float]]:
    c: Any = e.counts
    return [("positive", c.positives, c.tp), ("negative", c.negatives, c.tn)]


@_classes.register
def _(e: MulticlassEvaluation) -> list[tuple[str, float, float]]:
    names = [f"class {validate.shown(label)}" for label in e.matrix.labels]
    return list(zip(names, e.matrix.class_sizes.tolist(), e.matrix.weights.diagonal().tolist(), strict=False))


@singledispatch
def mix_of(e: Evaluation) -> str:
    """The class mix in words."""
    sizes = [size for _, size, _ in classes(e)]
    return f"{len(sizes)} classes of {min(sizes):,.10g} to {max(sizes):,.10g} cases"


@mix_of.register
def _(e: BinaryEvaluation) -> str:
    return (
        f"{number_of(e.data.positives or 0, 'positive')} and {number_of(e.data.negatives or 0, 'negative')}"
    )


def changes(moved: Sequence[Shift]) -> str:
    """The first few changes in words.

    Of measures that change by the same amount, as precision and its complement, only the first.
    """
    listed = list({round(shift.size, 6): shift for shift in reversed(moved)}.values())[::-1][:SHOWN]
    said = [
        f"{title(listed[0].name).split(' (')[0]} is {listed[0].here:.3g} and would be"
        f" {listed[0].there:.3g} with classes of equal size"
    ]
    said += [f"{in_sentence(shift.name)} {shift.here:.3g} and {shift.there:.3g}" for shift in listed[1:]]
    return ", ".join(said) + (
        f", and {len(moved) - len(listed)} more change" if len(moved) > len(listed) else ""
    )


def value(name: str, summary: Any, **given: Any) -> float:
    """A measure of a summary, by name."""
    return float(registry.get(name, type(summary)).function(summary, **given))


def same_whatever_is_predicted(positive: bool) -> tuple[str, ...]:
    """The measures with the same value for all predictions, where there is one class only."""
    right, none = np.array([1.0, 2.0, 3.0]), np.zeros(3)
    wrong = right[::-1].copy()
    one = Counts.of(right, none, wrong, none) if positive else Counts.of(none, wrong, none, right)
    values = {entry.name: np.asarray(entry.function(one)) for entry in registry.find(Counts) if entry.better}
    return tuple(name for name, value in values.items() if np.isfinite(value).all() and np.ptp(value) == 0)


def blind_to_true_negatives() -> tuple[str, ...]:
    """The measures that depend on tp, fp and fn, but not on tn."""
    cells: dict[str, Any] = {"tp": 30.0, "fp": 20.0, "fn": 10.0, "tn": 40.0}
    weighs = {}
    for entry in registry.find(Counts):
        before = entry.function(Counts.of(**cells))
        weighs[entry.name] = [
            cell for cell in cells if entry.function(Counts.of(**{**cells, cell: 400.0})) != before
        ]
    return tuple(name for name, changed in weighs.items() if changed == ["tp", "fp", "fn"])
