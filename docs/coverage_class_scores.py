"""Simulated type I errors of `compare` for models with a score per class: a table of compare.md. Takes about
two minutes.

python docs/coverage_class_scores.py
"""

from collections.abc import Callable

import numpy as np

from tallymark import compare

SAMPLES, LEVEL, SEED = 400, 0.05, 7
SHARES = np.array([0.4, 0.4, 0.2])
MEASURES = ("macro_roc_auc", "mean_average_precision", "brier_score", "log_loss", "accuracy", "cohen_kappa")
# of the logits: of the true class, spread in common and of each model, and shift
DISTANCE, SHARED, OWN, BIAS = 1.5, 0.8, 0.6, 0.7


def noise(rng: np.random.Generator, truth: np.ndarray) -> list[np.ndarray]:
    """The probabilities of two models that differ by chance alone, each of shape (cases, 3)."""
    return [_softmax(logits) for logits in _logits(rng, truth)]


def bias(rng: np.random.Generator, truth: np.ndarray) -> list[np.ndarray]:
    """The same; one gives too much to the first class, and the other as much too much to the second, which is
    as frequent."""
    return [
        _softmax(logits + BIAS * np.eye(3)[favoured]) for favoured, logits in enumerate(_logits(rng, truth))
    ]


def _logits(rng, truth):
    shared = DISTANCE * np.eye(3)[truth] + SHARED * rng.normal(size=(len(truth), 3))
    return shared + OWN * rng.normal(size=(2, len(truth), 3))


def _softmax(logits):
    powers = np.exp(logits)
    return powers / powers.sum(axis=1, keepdims=True)


PAIRS: dict[str, Callable[[np.random.Generator, np.ndarray], list[np.ndarray]]] = {
    "noise": noise,
    "bias": bias,
}
CELLS = [(pair, cases, "cohort") for pair in PAIRS for cases in (60, 200)] + [
    (pair, 200, "case-control") for pair in PAIRS
]


def rejected(pair: str, cases: int, design: str) -> list[float]:
    """By measure the share of samples, those without a test left out, in which two models of equal value
    differ significantly."""
    rng, found = np.random.default_rng(SEED), np.zeros((2, len(MEASURES)))
    for _ in range(SAMPLES):
        sizes = rng.multinomial(cases, SHARES) if design == "cohort" else np.rint(cases * SHARES).astype(int)
        truth = np.repeat(np.arange(3), sizes)
        one, other = PAIRS[pair](rng, truth)
        compared = compare(truth=truth, score={"one": one, "other": other}, measures=MEASURES, design=design)
        p = np.array([compared[measure].p_value for measure in MEASURES])
        found += [p < LEVEL, ~np.isnan(p)]
    return list(found[0] / found[1])


if __name__ == "__main__":
    print(f"| models differ by | cases | design | {' | '.join(MEASURES)} |\n{'|---' * (3 + len(MEASURES))}|")
    for cell in CELLS:
        print(
            f"| {' | '.join([*map(str, cell), *(f'{share:.3f}' for share in rejected(*cell))])} |", flush=True
        )
