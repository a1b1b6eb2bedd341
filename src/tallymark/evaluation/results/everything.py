"""An evaluation in full: what `print` shows of it is every measure, by family."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...input.results import Tabular

if TYPE_CHECKING:
    from ..notices import Notice
    from .base import Evaluation
    from .table import EvaluationTable


@dataclass(frozen=True, eq=False, repr=False)
class FullEvaluation(Tabular):
    """An evaluation that prints every measure, with methods and notes, as `ev.all`.

    Attributes
    ----------
    evaluation : Evaluation or EvaluationTable
        Whose measures they are.
    """

    FORM = "full_evaluation"

    evaluation: Evaluation | EvaluationTable

    @property
    def notices(self) -> tuple[Notice, ...]:
        """Those of the evaluation."""
        return self.evaluation.notices

    @property
    def table(self) -> list[dict[str, Any]]:
        """One row per measure, as plain values."""
        return self.evaluation.table

    def to_dict(self) -> dict[str, Any]:
        """Those of the evaluation."""
        return self.evaluation.to_dict()

    @property
    def instead(self) -> str:
        """What to pass where an evaluation is taken."""
        return "it is an evaluation as it prints in full; pass the evaluation itself, without .all"

    def __repr__(self) -> str:
        return f"<FullEvaluation of {self.evaluation!r}>"
