"""Small values that add up: everything that is measured is a function of one of them."""

from .class_scores import ClassScores
from .confusion import ConfusionMatrix
from .counts import Counts
from .indicators import IndicatorTable
from .merging import add_up
from .ranking import RankingTable

__all__ = ["ClassScores", "ConfusionMatrix", "Counts", "IndicatorTable", "RankingTable", "add_up"]
