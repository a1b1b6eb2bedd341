"""Resampling: draws, replicates of summaries, limits of intervals and bands."""
