"""Confidence intervals, one file per kind of measure; a kind is entered by `@kind`."""
