"""Hypothesis tests: calibration, paired predictions, evidence for a difference, adjusted p-values."""
