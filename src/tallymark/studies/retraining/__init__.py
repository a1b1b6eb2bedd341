"""Resampling with retraining: cross-validation, the out-of-bag bootstrap, and a permutation test.

Each of these trains the estimator again for every resample, so that the time needed is that of as many fits.
For a trained model and its scores use `evaluate` and `compare`.
"""

from .resampling import (
    CrossValidation,
    Difference,
    OutOfBag,
    PermutationResult,
    bootstrap_out_of_bag,
    cross_validate,
    permutation_test,
)

__all__ = [
    "CrossValidation",
    "Difference",
    "OutOfBag",
    "PermutationResult",
    "bootstrap_out_of_bag",
    "cross_validate",
    "permutation_test",
]
