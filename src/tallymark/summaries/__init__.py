"""Small values that add up: every measure is a function of one of them."""

from ..input.memory import add_up
from .binned import BinnedTable
from .class_scores import ClassLogits, ClassScores
from .confusion import ConfusionMatrix
from .counts import Counts
from .indicators import IndicatorTable
from .ranking import LogitTable, RankingTable
from .residuals import Residuals

__all__ = [
    "BinnedTable",
    "ClassLogits",
    "ClassScores",
    "ConfusionMatrix",
    "Counts",
    "IndicatorTable",
    "LogitTable",
    "RankingTable",
    "Residuals",
    "add_up",
]
