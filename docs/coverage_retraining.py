"""Simulated coverage of intervals by retraining, and how often tests reject what is true: further tables for
coverage.py."""

from itertools import product

import numpy as np
from scipy.special import ndtr

import tallymark as tm

SAMPLES = 400  # +-2.1 % at 95 %
TESTED = 1_000  # +-1.4 % at 5 %
TRAINED = 20_000  # models whose mean is the expected performance
REPLICATES, FOLDS, REPEATS, PERMUTATIONS = 200, 10, 5, 99
# cases, features, distance of the classes
SETTINGS = [*product((40, 100, 400), (2, 20), (1.0, 2.5)), (400, 100, 1.0)]


class Centroids:
    """Which of two centres is nearer: the least that learns, and its true performance has a formula."""

    def __init__(self, features=None):
        self.features = features

    def fit(self, X, y):
        X = X[:, : self.features]
        a, b = X[y == 0].mean(0), X[y == 1].mean(0)
        self.slope, self.middle = b - a, (a + b) / 2
        return self

    def decision_function(self, X):
        return (X[:, : self.features] - self.middle) @ self.slope

    def predict(self, X):
        return (self.decision_function(X) >= 0).astype(int)


def drawn(rng, cases, features, distance):
    """As many cases of either class, normal in every feature; the classes differ in the first one."""
    y = np.arange(cases) % 2
    X = rng.normal(size=(cases, features))
    X[:, 0] += distance * y
    return X, y


def performance(slope, middle, distance):
    """The AUC and the accuracy, over all cases that there are, of models as `Centroids`."""
    length = np.linalg.norm(slope, axis=-1)
    auc = ndtr(distance * slope[..., 0] / length / np.sqrt(2))
    inside = (middle * slope).sum(-1)
    accuracy = (ndtr(inside / length) + ndtr((distance * slope[..., 0] - inside) / length)) / 2
    return {"roc_auc": auc, "accuracy": accuracy}


def expected(rng, cases, features, distance):
    """The mean performance of models trained on so many cases."""
    centres = rng.normal(size=(2, TRAINED, features)) / np.sqrt(cases / 2)
    centres[1, :, 0] += distance
    of_each = performance(centres[1] - centres[0], centres.mean(0), distance)
    return {name: float(values.mean()) for name, values in of_each.items()}


def retraining() -> list[str]:
    """How often the intervals hold the expected performance of models trained on as many cases, and that of
    the model itself."""
    head = ["measure", "cases, features, distance", "expected", "oob mean", "cv mean"]
    head += ["oob: expected", "oob: model", "cv: expected", "cv: model"]
    rows = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    for (seed, setting), measure in product(enumerate(SETTINGS), ("roc_auc", "accuracy")):
        rng = np.random.default_rng(seed)
        true = expected(rng, *setting)[measure]
        found = np.array([_held(rng, setting, measure, true) for _ in range(SAMPLES)])
        means, shares = found[:, :2].mean(0), found[:, 2:].mean(0)
        cells = [f"{value:.3f}" for value in (true, *means, *shares)]
        rows.append(f"| {measure} | {setting} | {' | '.join(cells)} |")
    return rows


def _held(rng, setting, measure, true):
    X, y = drawn(rng, *setting)
    model = Centroids().fit(X, y)
    own = performance(model.slope, model.middle, setting[-1])[measure]
    bag = tm.bootstrap_out_of_bag(
        Centroids(), X, y, measure=measure, replicates=REPLICATES, rng=rng
    ).out_of_bag
    fold = tm.cross_validate(
        Centroids(), X, y, measure=measure, folds=FOLDS, repeats=REPEATS, rng=rng
    ).estimate
    held = [not (one.low > value or one.high < value) for one in (bag, fold) for value in (true, own)]
    return [bag.value, fold.value, *held]


def rejections() -> list[str]:
    """How often tests reject at 5 % what is true: labels that have nothing to do with the features; two
    estimators equally good."""
    rows = ["| test | cases, features | rejected at 0.05 |", "|---|---|---|"]
    for (seed, setting), measure in product(
        enumerate(product((20, 100), (2, 20))), ("roc_auc", "accuracy", "hinge_loss")
    ):
        found = [_of_chance(np.random.default_rng((seed, i)), *setting, measure) for i in range(TESTED)]
        rows.append(f"| permutation test, {measure} | {setting} | {np.mean(np.array(found) <= 0.05):.3f} |")
    for seed, setting in enumerate(product((40, 100, 400), (2, 10))):
        found = [_of_equals(np.random.default_rng((seed, i)), *setting) for i in range(TESTED)]
        known = np.array(found)[~np.isnan(found)]
        rows.append(f"| corrected resampled t-test, roc_auc | {setting} | {np.mean(known <= 0.05):.3f} |")
    return rows


def _of_chance(rng, cases, features, measure):
    """Trained on labels that are drawn apart from the features; tested on real ones, where the first feature
    tells the class."""
    X, y = drawn(rng, cases, features, 1.0)
    test = drawn(rng, 100, features, 1.0)
    found = tm.permutation_test(
        Centroids(), X, rng.permutation(y), *test, measure=measure, permutations=PERMUTATIONS, rng=rng
    )
    return found.p_value


def _of_equals(rng, cases, features):
    """Two estimators, each with features of its own that tell as much."""
    X, y = drawn(rng, cases, 2 * features, 1.0)
    X[:, features] += y
    both = {"first": Centroids(features), "second": Last(features)}
    found = tm.cross_validate(both, X, y, folds=FOLDS, repeats=REPEATS, rng=rng)
    return found.differences[0].p_value


class Last(Centroids):
    """The same of the last features."""

    def fit(self, X, y):
        return super().fit(X[:, -self.features :], y)

    def decision_function(self, X):
        return super().decision_function(X[:, -self.features :])
