"""A threshold, and the default one."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...input.results import Result
from ...measures.families.combined import youden_j
from ...summaries import RankingTable
from .halves import SPLITS
from .picking import equally_good
from .reading import read
from .rules import Rule
from .rulespec import DEFAULT, ONE_CLASS, RuleSpec

HALF = 0.5


@dataclass(frozen=True, slots=True)
class Threshold(Result):
    """A threshold: cases with score >= value are predicted positive.

    value: None where labels were predicted. rule: how it was chosen, a `RuleSpec`, whose `text` describes it;
    by: the rule that chose it on these cases, None where none did, or where it is not known; splits: of the
    cases into halves, on which the choice is repeated, 0 for none.
    """

    value: float | None
    rule: RuleSpec
    by: Rule | None = field(default=None, compare=False, repr=False)
    splits: int = field(default=SPLITS, compare=False, repr=False)

    @property
    def chosen(self) -> bool:
        """Whether it was chosen on the cases that are measured."""
        return self.value is not None and self.rule.chosen

    def to_dict(self) -> dict[str, Any]:
        """Plain values; an infinite threshold is the text "inf" or "-inf"."""
        finite = self.value is None or np.isfinite(self.value)
        return {"value": self.value if finite else str(self.value), "rule": self.rule.to_dict()}


def default_threshold(
    table: RankingTable, in_unit_interval: bool, score_kind: str | None = None
) -> Threshold:
    """0 for logits and margins, 0.5 if all scores lie in [0, 1], else that of the largest Youden index."""
    if score_kind in ("logit", "margin"):
        return Threshold(0.0, DEFAULT)
    return Threshold(HALF, DEFAULT) if in_unit_interval else largest_youden(table)


def largest_youden(table: RankingTable) -> Threshold:
    """The threshold with the largest sensitivity + specificity - 1; of several equally good ones the highest.

    With one class only there is no Youden index: the median of the distinct scores, and said so.
    """
    if not (table.positives and table.negatives):
        return Threshold(float(table.score[len(table) // 2]), ONE_CLASS)
    rule = read("youden")
    return Threshold(float(table.score[highest_of_the_best(youden_j(table.sweep()))]), rule.spec, rule)


def highest_of_the_best(values: np.ndarray) -> int:
    """The place of the highest score with the largest value, up to rounding.

    values: at the thresholds of a sweep, of which the first is above every score; it is not taken, even where
    no other is better.
    """
    return int(np.argmax(equally_good(values[1:])))
