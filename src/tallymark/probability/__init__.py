"""Scores and probabilities: conversions, training losses, scoring rules."""
