"""Cross-validation: evaluations of the test cases of each fold, their means, and all of them pooled."""
