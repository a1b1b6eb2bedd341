"""Type I errors of `compare` for models with a score for each of three classes."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import numpy as np
from scipy.special import softmax
from simulate import TESTS, Found, Part, of_shares
from simulated_compare import LEVEL, tables_of_errors

from tallymark import compare

SHARES = np.array([0.4, 0.4, 0.2])
MEASURES = ("macro_roc_auc", "mean_average_precision", "brier_score", "log_loss", "accuracy", "cohen_kappa")
# of the logits: of the true class, spread in common and of each model, and shift
DISTANCE, SHARED, OWN, BIAS = 1.5, 0.8, 0.6, 0.7


def noise(rng: np.random.Generator, truth: np.ndarray) -> list[np.ndarray]:
    """The probabilities of two models that differ by chance alone, each of shape (cases, 3)."""
    return list(softmax(_logits(rng, truth), axis=2))


def bias(rng: np.random.Generator, truth: np.ndarray) -> list[np.ndarray]:
    """The same; one gives too much to the first class, and the other as much too much to the second, which is
    as frequent."""
    return [softmax(one + BIAS * np.eye(3)[i], axis=1) for i, one in enumerate(_logits(rng, truth))]


def _logits(rng, truth):
    shared = DISTANCE * np.eye(3)[truth] + SHARED * rng.normal(size=(len(truth), 3))
    return shared + OWN * rng.normal(size=(2, len(truth), 3))


PAIRS: dict[str, Callable[[np.random.Generator, np.ndarray], list[np.ndarray]]] = {
    "noise": noise,
    "bias": bias,
}
SETTINGS = {
    f"{pair}, {cases} cases, {design}": (pair, cases, design)
    for pair, cases, design in product(PAIRS, (60, 200, 1000), ("cohort", "case-control"))
}


def rejected(name: str, rng: np.random.Generator, samples: int) -> Found:
    """By measure: samples with a test, and in how many two models of equal value differ significantly."""
    (pair, cases, design), found = SETTINGS[name], {measure: [0.0, 0.0] for measure in MEASURES}
    for _ in range(samples):
        sizes = rng.multinomial(cases, SHARES) if design == "cohort" else np.rint(cases * SHARES).astype(int)
        truth = np.repeat(np.arange(3), sizes)
        one, other = PAIRS[pair](rng, truth)
        compared = compare(truth=truth, score={"one": one, "other": other}, measures=MEASURES, design=design)
        for measure, sums in found.items():
            p = compared[measure].p_value
            sums[0] += not np.isnan(p)
            sums[1] += p <= 1 - LEVEL
    return found


PART = Part(lambda: SETTINGS, rejected, tables_of_errors, judged=of_shares, limits=TESTS)
