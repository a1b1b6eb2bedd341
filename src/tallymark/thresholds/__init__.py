"""Choosing a threshold by a stated rule, and how far the choice can be trusted."""

from .choice import Threshold, default_threshold, largest_youden
from .picking import equally_good, picked, worth_of
from .rules import NEEDED, Rule, read
from .stability import Choice, by_rule, choose

__all__ = [
    "NEEDED", "Choice", "Rule", "Threshold", "by_rule", "choose", "default_threshold", "equally_good", "largest_youden", "picked",
    "read", "worth_of",
]  # fmt: skip
