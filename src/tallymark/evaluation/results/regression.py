"""The evaluation of predicted amounts."""

from __future__ import annotations

from dataclasses import dataclass
from math import nan

from ...inference import Estimate
from ...input.messages import Note
from ...measures.registry import Measure
from ...summaries import Residuals
from ...summaries.amounts_in_engines import EachNeeded
from .base import Evaluation


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class RegressionEvaluation(Evaluation):
    """Every measure of predicted amounts.

    Attributes
    ----------
    residuals : Residuals
        The differences from the true amounts, with their weights.

    The other attributes are as in `Evaluation`.
    """

    FIGURE = "predicted"

    task = "regression"
    AGAIN = "keep the summary with ev.residuals.to_json(), or evaluate again"
    summary_types = (Residuals,)

    residuals: Residuals

    @property
    def summaries(self) -> tuple[Residuals]:
        """The residuals."""
        return (self.residuals,)

    def _estimate(self, entry: Measure, summary: Residuals) -> Estimate:
        try:
            return super()._estimate(entry, summary)
        except EachNeeded:
            return Estimate(nan, level=self.settings.level, undefined=Note("needs-each-amount"))

    def why_not(self, entry: Measure) -> Note:
        """Why a measure is not available: all measures of amounts are."""
        return Note("needs-classes")

    @property
    def design(self) -> None:
        """None: amounts have no classes."""
        return None
