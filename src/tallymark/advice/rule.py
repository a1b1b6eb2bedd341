"""What a rule is, and the words and numbers that rules are made of.

The code of a rule is its name, its condition the docstring, its source the decorator's. A rule answers a text, the measures to use
and those to avoid, in this order, or None where it has nothing to say. Advice comes in the order in which rules are entered.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from inspect import getdoc
from typing import Any

import numpy as np

from .. import registry, validate
from ..evaluation import Evaluation
from ..notices import number_of
from ..summaries import Counts
from .answer import Costs, Item

SHOWN = 3  # how many measures a sentence shows with their values
ACCURACY = ("accuracy", "error_rate")
BEYOND_CHANCE = ("matthews_correlation", "cohen_kappa", "youden_j")
DECIDING = (None, "decision")


@dataclass(frozen=True, slots=True)
class Rule:
    """Asked with (evaluation, need, costs) it answers an Item, or None."""

    function: Callable
    source: str

    @property
    def code(self) -> str:
        return self.function.__name__.replace("_", "-")

    @property
    def when(self) -> str:
        """The condition, in words."""
        return " ".join((getdoc(self.function) or "").split())

    def __call__(self, e: Evaluation, need: str | None = None, costs: Costs = None) -> Item | None:
        said = self.function(e, need, costs)
        if said is None:
            return None
        text, use, avoid = said
        return Item(self.code, text, use, avoid, self.source)


RULES: list[Rule] = []


def rule(source: str) -> Callable[[Callable], Callable]:
    """Enters a rule, with the source of its advice."""

    def enter(function: Callable) -> Callable:
        RULES.append(Rule(function, source))
        return function

    return enter


def both(e) -> bool:
    """Whether there are two classes, with cases in both."""
    return bool(e.counts is not None and e.data.positives and e.data.negatives)


def without_scores(e) -> str:
    """What there is instead of scores, and the way out."""
    if e.indicators is not None:
        return "several labels per case, which are measured without scores; evaluate one label at a time, with score="
    return "labels or counts only; pass score="


def no_probabilities(e) -> str:
    """Why there are none, and the way out."""
    if e.scores is not None:
        return "these scores of the classes are none: turn them into some first, as by tallymark.convert.softmax"
    if e.ranking is not None:
        return "these scores are none: turn them into some first, as by a logistic curve"
    return f"here are {without_scores(e)}"


def classes(e) -> list[tuple[str, float, float]]:
    """Name, cases, and cases predicted right, of each class that has cases."""
    if e.counts is not None:
        found = [("positive", e.counts.positives, e.counts.tp), ("negative", e.counts.negatives, e.counts.tn)]
    else:
        names = [f"class {validate.shown(label)}" for label in e.matrix.labels]
        found = list(zip(names, e.matrix.weights.sum(1).tolist(), e.matrix.weights.diagonal().tolist(), strict=True))
    return [one for one in found if one[1] > 0]


def mix_of(e) -> str:
    """The class mix in words."""
    sizes = [size for _, size, _ in classes(e)]
    if e.counts is not None:
        return f"{number_of(e.data.positives, 'positive')} and {number_of(e.data.negatives, 'negative')}"
    return f"{len(sizes)} classes of {min(sizes):,.10g} to {max(sizes):,.10g} cases"


def changes(moved) -> str:
    """The first few in words; of measures that change alike, as precision and its complement, only the first."""
    told = list({round(shift.size, 6): shift for shift in reversed(moved)}.values())[::-1][:SHOWN]
    said = [f"{told[0].name} is {told[0].here:.3g} and would be {told[0].there:.3g} with classes of equal size"]
    said += [f"{shift.name} {shift.here:.3g} and {shift.there:.3g}" for shift in told[1:]]
    return ", ".join(said) + (f", and {len(moved) - len(told)} more change" if len(moved) > len(told) else "")


def listed(names) -> str:
    """As "a", or "a, b and c"."""
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else str(last)


def value(name, summary, **given) -> float:
    """A measure of a summary, by name."""
    return float(registry.get(name, type(summary)).function(summary, **given))


def same_whatever_is_predicted(positive) -> tuple[str, ...]:
    """The measures that have one value where there is one class, however its cases are predicted."""
    right, none = np.array([1.0, 2.0, 3.0]), np.zeros(3)
    wrong = right[::-1].copy()
    one = Counts.of(right, none, wrong, none) if positive else Counts.of(none, wrong, none, right)
    values = {entry.name: np.asarray(entry.function(one)) for entry in registry.find(Counts) if entry.better}
    return tuple(name for name, value in values.items() if np.isfinite(value).all() and np.ptp(value) == 0)


def blind_to_true_negatives() -> tuple[str, ...]:
    """The measures that weigh hits, misses and false alarms, and change with no number of true negatives."""
    cells: dict[str, Any] = {"tp": 30.0, "fp": 20.0, "fn": 10.0, "tn": 40.0}
    weighs = {}
    for entry in registry.find(Counts):
        before = entry.function(Counts.of(**cells))
        weighs[entry.name] = [cell for cell in cells if entry.function(Counts.of(**{**cells, cell: 400.0})) != before]
    return tuple(name for name, changed in weighs.items() if changed == ["tp", "fp", "fn"])
