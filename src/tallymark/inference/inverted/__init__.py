"""Intervals by inverting a bootstrap along a family: the mechanism, and one family per summary."""
