"""Resampling with retraining: how good is a way of making classifiers, and may what it found be chance?

Everything here trains the estimator again and again, so that its cost is that of as many fits. Where one
trained model and its scores are all there is, `evaluate` and `compare` are the doors.
"""

from .cross_validation import CrossValidation, cross_validate
from .out_of_bag import OutOfBag, bootstrap_out_of_bag
from .over_folds import Difference
from .permutation import PermutationResult, permutation_test

__all__ = [
    "CrossValidation",
    "Difference",
    "OutOfBag",
    "PermutationResult",
    "bootstrap_out_of_bag",
    "cross_validate",
    "permutation_test",
]
