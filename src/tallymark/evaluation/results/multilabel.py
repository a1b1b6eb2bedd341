"""The evaluation of cases that may have several labels."""

from __future__ import annotations

from dataclasses import dataclass

from ...summaries import IndicatorTable
from .of_classes import ClasswiseEvaluation


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class MultilabelEvaluation(ClasswiseEvaluation):
    """Every measure of cases that may have several labels.

    Attributes
    ----------
    indicators : IndicatorTable
        How often each of the labels is right, wrong and missed.

    The other attributes are as in `Evaluation`.
    """

    task = "multilabel"
    AGAIN = "keep the summary with ev.indicators.to_json(), or evaluate again"
    summary_types = (IndicatorTable,)

    indicators: IndicatorTable

    @property
    def summaries(self) -> tuple[IndicatorTable]:
        """The table of labels."""
        return (self.indicators,)

    @property
    def table_of_classes(self) -> IndicatorTable:
        """The table of labels."""
        return self.indicators
