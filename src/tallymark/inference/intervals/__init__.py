"""Confidence intervals, one module per kind of measure; a kind is registered by `@kind`."""
