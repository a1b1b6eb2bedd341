"""Simulated coverage of intervals of cross-validation, of the mean over folds and of all folds pooled: a
further table for coverage.py."""

from itertools import product

import numpy as np
from coverage_retraining import Centroids, drawn, expected
from sklearn.model_selection import RepeatedStratifiedKFold

import tallymark as tm

SAMPLES = 400  # +-2.1 % at 95 %
MEASURES = ("roc_auc", "accuracy", "sensitivity")
# cases, features, distance of the classes
SETTINGS = [(40, 2, 1.0), (40, 20, 1.0), (100, 2, 1.0), (100, 20, 2.5), (400, 20, 1.0), (400, 100, 1.0)]
FOLDS = [(5, 1), (10, 1), (5, 3)]  # folds, repeats


def folds() -> list[str]:
    """How often the intervals hold the expected performance of models trained on all folds but one."""
    head = ["measure", "cases, features, distance", "folds, repeats", "expected", "mean", "pooled"]
    head += ["interval of the mean", "of pooled", "of one model"]
    rows = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    for (seed, setting), (number, repeats) in product(enumerate(SETTINGS), FOLDS):
        rng = np.random.default_rng((seed, number, repeats))
        cases, *others = setting
        true = expected(rng, cases * (number - 1) // number, *others)
        true["sensitivity"] = true["accuracy"]  # classes of equal size and spread
        found = np.array([_held(rng, setting, number, repeats, true) for _ in range(SAMPLES)])
        for measure, values in zip(MEASURES, np.nanmean(found, axis=0), strict=True):
            cells = [f"{value:.3f}" for value in (true[measure], *values[: 4 if repeats > 1 else 5])]
            cells += [""] * (repeats > 1)
            rows.append(f"| {measure} | {setting} | {number}, {repeats} | {' | '.join(cells)} |")
    return rows


def _held(rng, setting, number, repeats, true):
    """Of each measure the mean, the value pooled, and which of three intervals hold what is expected."""
    X, y = drawn(rng, *setting)
    cv = RepeatedStratifiedKFold(n_splits=number, n_repeats=repeats, random_state=int(rng.integers(2**31)))
    found = tm.evaluate_estimator(Centroids(), X, y, cv=cv, progress=False)
    return [_of(found, measure, true[measure]) for measure in MEASURES]


def _of(found, measure, true):
    three = found.means[measure], found.pooled[measure], found.whole[measure]
    held = [one.low <= true <= one.high if one.has_interval else np.nan for one in three]
    return [three[0].value, three[1].value, *held]
