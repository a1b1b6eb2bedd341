"""The results of `evaluate`: a type for each task, each a mapping of estimates."""

from .base import ClasswiseEvaluation, Evaluation, ScoredEvaluation, SomeEvaluation
from .lacking import NotOfTask
from .table import EvaluationTable, refuse_answers
from .tasks import (
    BinaryEvaluation,
    MulticlassEvaluation,
    MultilabelEvaluation,
    RegressionEvaluation,
    counts_at,
    in_unit_interval,
)

__all__ = [
    "BinaryEvaluation", "ClasswiseEvaluation", "Evaluation", "EvaluationTable",
    "MulticlassEvaluation", "MultilabelEvaluation", "NotOfTask", "RegressionEvaluation", "ScoredEvaluation",
    "SomeEvaluation", "counts_at", "in_unit_interval", "refuse_answers",
]  # fmt: skip
