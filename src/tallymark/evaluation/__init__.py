"""One model: `evaluate` and its results, notices, thresholds, calibration, the bootstrap, the class mix,
biometrics, advice."""
