"""Other libraries: scorers of scikit-learn."""
