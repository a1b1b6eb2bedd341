"""The results of `evaluate`: a type for each task, each a mapping of estimates."""

from .base import Evaluation, SomeEvaluation
from .binary import BinaryEvaluation, counts_at, in_unit_interval
from .lacking import NotOfTask
from .multiclass import MulticlassEvaluation
from .multilabel import MultilabelEvaluation
from .of_classes import ClasswiseEvaluation
from .of_scores import ScoredEvaluation
from .regression import RegressionEvaluation
from .table import EvaluationTable, refuse_answers

__all__ = [
    "BinaryEvaluation", "ClasswiseEvaluation", "Evaluation", "EvaluationTable",
    "MulticlassEvaluation", "MultilabelEvaluation", "NotOfTask", "RegressionEvaluation", "ScoredEvaluation",
    "SomeEvaluation", "counts_at", "in_unit_interval", "refuse_answers",
]  # fmt: skip
