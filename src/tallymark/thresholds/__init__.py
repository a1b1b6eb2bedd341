"""Choosing a threshold by a stated rule, and how far the choice can be trusted."""

from .choice import Threshold, default_threshold, largest_youden
from .picking import pick
from .rules import NEEDED, Rule, read
from .stability import Choice, by_rule, choose

__all__ = ["NEEDED", "Choice", "Rule", "Threshold", "by_rule", "choose", "default_threshold", "largest_youden", "pick", "read"]
