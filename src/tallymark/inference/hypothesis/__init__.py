"""Hypothesis tests: calibration, paired answers, evidence for a difference, adjusted p-values."""
