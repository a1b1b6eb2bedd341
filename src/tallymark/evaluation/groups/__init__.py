"""Evaluations of groups of cases, and the differences between groups."""
