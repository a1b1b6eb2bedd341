"""The headline of a comparison as values; `report.forms.comparison_headline` makes one sentence of it."""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan
from typing import TYPE_CHECKING, Any, Literal

from ...evaluation.paired.differences import Difference
from ...input.results import Result
from ...measures import registry

if TYPE_CHECKING:
    from .answer import Comparison

Reading = Literal["better", "worse", "higher", "lower", "unclear"]


@dataclass(frozen=True, slots=True, repr=False)
class ComparisonHeadline(Result):
    """What a comparison shows: its first difference.

    Attributes
    ----------
    difference : Difference
        The difference that leads, with its models and its interval.
    cases : float
        The number of cases.
    level : float
        The confidence level.
    p_value : float
        The p-value, adjusted where there are several.
    adjusted : bool
        Whether it is adjusted.
    """

    FORM = "comparison_headline"

    difference: Difference
    cases: float
    level: float
    p_value: float
    adjusted: bool

    @property
    def reading(self) -> Reading | None:
        """Whether the model is "better" or "worse" than the reference; "unclear" if no difference is shown.

        "higher" or "lower" of a measure of which no value is better; None for an undefined difference, and
        for one without a test.
        """
        one = self.difference
        if one.estimate.undefined or isnan(self.p_value):
            return None
        if not self.p_value < 1 - self.level:
            return "unclear"
        form = next((form for form in registry.forms(one.measure) if form.better is not None), None)
        if form is None:
            return "higher" if one.value > 0 else "lower"
        return "better" if (one.value > 0) == (form.better == "higher") else "worse"

    def to_dict(self) -> dict[str, Any]:
        """Plain values, with the sentence as `text`."""
        one = self.difference
        return {
            "text": str(self),
            "measure": one.measure,
            "model": one.model,
            "reference": one.reference,
            "difference": one.estimate.to_dict(),
            "p_value": None if isnan(self.p_value) else self.p_value,
            "adjusted": self.adjusted,
            "reading": self.reading,
            "cases": self.cases,
        }


def headline_of(c: Comparison) -> ComparisonHeadline:
    """The headline of a comparison."""
    first = c.differences[0]
    adjusted = c.adjust != "none" and len(c.differences) > 1
    p_value = first.adjusted if adjusted else first.p_value
    return ComparisonHeadline(first, c.data.rows, c.level, p_value, adjusted)
