"""Simulated type I errors of `compare` for models of amounts: a table of compare.md. Takes some ten minutes.

python docs/coverage_amounts.py
"""

from collections.abc import Callable

import numpy as np

from tallymark import compare

SAMPLES, LEVEL, SEED = 2_000, 0.05, 3
SIZES = (30, 100, 1000)
MEASURES = ("mean_squared_error", "mean_absolute_error", "root_mean_squared_error")
# standard deviations of the part of the errors that both models share, and of their own
SHARED, OWN = 1.0, 0.8


def normal(rng: np.random.Generator, cases: int) -> np.ndarray:
    """Errors of two models, shape (2, cases)."""
    return SHARED * rng.normal(size=cases) + OWN * rng.normal(size=(2, cases))


def heavy(rng: np.random.Generator, cases: int) -> np.ndarray:
    """The same times those of Student's t with five degrees of freedom."""
    return normal(rng, cases) / np.sqrt(rng.chisquare(5, (2, cases)) / 5)


def lognormal(rng: np.random.Generator, cases: int) -> np.ndarray:
    """Lognormal sizes with random signs."""
    size = np.exp(0.5 * rng.normal(size=cases) + 0.5 * rng.normal(size=(2, cases)))
    return size * np.sign(rng.random((2, cases)) - 0.5)


Errors = Callable[[np.random.Generator, int], np.ndarray]
ERRORS: dict[str, Errors] = {"normal": normal, "Student's t": heavy, "lognormal": lognormal}


def rejected(kind: str, cases: int) -> dict[str, float]:
    """By measure the share of samples in which two models of equal error differ significantly."""
    rng, found = np.random.default_rng(SEED), dict.fromkeys(MEASURES, 0)
    for _ in range(SAMPLES):
        one = compare(
            truth=np.zeros(cases),
            predicted=list(ERRORS[kind](rng, cases)),
            regression=True,
            measures=MEASURES,
        )
        for measure in MEASURES:
            found[measure] += one[measure].p_value < LEVEL
    return {measure: number / SAMPLES for measure, number in found.items()}


if __name__ == "__main__":
    print(f"| errors | cases | {' | '.join(MEASURES)} |\n|---|---|---|---|---|")
    for kind in ERRORS:
        for cases in SIZES:
            print(
                f"| {kind} | {cases} |"
                f" {' | '.join(f'{share:.3f}' for share in rejected(kind, cases).values())} |",
                flush=True,
            )
