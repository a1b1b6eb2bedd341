"""The evaluation of cases that may have several labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..summaries import IndicatorTable
from .of_classes import ClasswiseEvaluation


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class MultilabelEvaluation(ClasswiseEvaluation):
    """Every measure of cases that may have several labels.

    Attributes
    ----------
    indicators : IndicatorTable
        How often each of the labels is right, wrong and missed.

    All else is as of `Evaluation`.
    """

    task = "multilabel"

    indicators: IndicatorTable

    @property
    def summaries(self) -> tuple[IndicatorTable]:
        """The table of labels."""
        return (self.indicators,)

    @property
    def table_of_classes(self) -> IndicatorTable:
        """The table of labels."""
        return self.indicators

    @property
    def _several(self) -> str:
        """Why there is no one table of two classes, in words."""
        return "a case may have several labels"

    def _head(self) -> dict[str, Any]:
        return super()._head() | {"threshold": {"value": None, "rule": "predicted"}}
