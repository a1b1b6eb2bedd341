"""Predicted amounts: coverage of the default intervals, and type I errors of `compare`.

The actual amounts have a gamma distribution.
"""

from __future__ import annotations

from functools import cache
from itertools import product

import numpy as np
from simulate import TESTS, Found, Part, of_shares, take
from simulated_compare import LEVEL, tables_of_errors
from simulated_defaults import row_of, tables

from tallymark import compare, evaluate

MANY = 2_000_000  # cases that stand for all
SHAPE = 2.0  # of the actual amounts
SPREAD = 0.7  # of the logarithm of sampling weights
ERRORS = {
    "normal": lambda rng, size: rng.normal(size=size),
    "Student's t": lambda rng, size: rng.standard_t(5, size),
    "exponential": lambda rng, size: rng.exponential(size=size) - 1,
}
SETTINGS = {
    f"{kind}, {cases}, {errors}": (kind, cases, errors)
    for kind, cases, errors in (
        *product(("cohort",), (30, 100, 300, 1000), ERRORS),
        *product(("sampling weights",), (100, 300, 1000), ERRORS),
    )
}


def counted(name: str, rng: np.random.Generator, samples: int) -> Found:
    """The same sums as for two classes."""
    kind, cases, errors = SETTINGS[name]
    true = truths(errors)
    found: Found = {measure: [0.0] * 6 for measure in true}
    for _ in range(samples):
        sample = drawn(errors, cases, rng)
        if kind == "sampling weights":
            sample |= {"weight": rng.lognormal(0.0, SPREAD, cases), "weight_kind": "importance"}
        one = evaluate(**sample, regression=True)
        for measure, value in true.items():
            take(found, measure, row_of(one[measure], value))
    return found


def drawn(errors: str, cases: int, rng: np.random.Generator) -> dict:
    """The arguments of evaluate."""
    truth = rng.gamma(SHAPE, size=cases)
    return {"truth": truth, "predicted": truth + ERRORS[errors](rng, cases)}


@cache
def truths(errors: str) -> dict[str, float]:
    """Of all measures, over many cases; `largest_error` has no interval."""
    population = evaluate(**drawn(errors, MANY, np.random.default_rng(0)), regression=True)
    return {
        name: float(population.entry(name).function(population.summary_of(name)))
        for name in population
        if name != "largest_error"
    }


COMPARED = ("mean_squared_error", "mean_absolute_error", "root_mean_squared_error")
# standard deviations of the part of the errors that both models share, and of their own
SHARED, OWN = 1.0, 0.8


def normal(rng: np.random.Generator, cases: int) -> np.ndarray:
    """Errors of two models, shape (2, cases)."""
    return SHARED * rng.normal(size=cases) + OWN * rng.normal(size=(2, cases))


def heavy(rng: np.random.Generator, cases: int) -> np.ndarray:
    """The same, with the tails of Student's t with five degrees of freedom."""
    return normal(rng, cases) / np.sqrt(rng.chisquare(5, (2, cases)) / 5)


def lognormal(rng: np.random.Generator, cases: int) -> np.ndarray:
    """Lognormal sizes with random signs."""
    size = np.exp(0.5 * rng.normal(size=cases) + 0.5 * rng.normal(size=(2, cases)))
    return size * np.sign(rng.random((2, cases)) - 0.5)


OF_PAIRS = {"normal": normal, "Student's t": heavy, "lognormal": lognormal}
PAIRS = {f"{kind}, {cases} cases": (kind, cases) for kind in OF_PAIRS for cases in (30, 100, 300, 1000)}


def rejected(name: str, rng: np.random.Generator, samples: int) -> Found:
    """By measure: samples, and in how many two models of equal error differ significantly."""
    (kind, cases), found = PAIRS[name], {measure: [0.0, 0.0] for measure in COMPARED}
    for _ in range(samples):
        errors = list(OF_PAIRS[kind](rng, cases))
        one = compare(truth=np.zeros(cases), predicted=errors, regression=True, measures=COMPARED)
        for measure, sums in found.items():
            sums[0] += 1
            sums[1] += one[measure].p_value <= 1 - LEVEL
    return found


PART = Part(lambda: SETTINGS, counted, tables)
TYPE_I = Part(lambda: PAIRS, rejected, tables_of_errors, 500, judged=of_shares, limits=TESTS)
