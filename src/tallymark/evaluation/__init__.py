"""`evaluate` and its results, notices, thresholds, calibration, bootstrap, prevalence, biometrics, advice."""
