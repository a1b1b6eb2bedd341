"""Pairs of models with the same expected value of a measure that differ in calibration, shape or scale, and
how `compare` and the gate judge them: for simulated_compare.py and simulated_gate.py."""

from functools import cache
from itertools import product

import numpy as np
from scipy.optimize import brentq
from scipy.special import expit, ndtri

import tallymark as tm
from tallymark.measures import registry
from tallymark.summaries import Counts
from tallymark.summaries.samples import ScoredCases

LEVEL, REPLICATES = 0.95, 999
ALIKE = 0.6  # correlation of the scores of two models within a class
NODES = 4_000  # of a class, for expected values
SIZES, SHARES, DESIGNS = (100, 300, 1000, 2000), (0.5, 0.3, 0.1), ("cohort", "case-control")
# Of the reference: the distance of the classes, the spread of the positives, and what is done to the logit of
# its true risk.
FIRST = {"distance": 1.5, "spread": 1.0, "shift": 0.0, "scale": 1.0}
PAIRS = {
    # the reference, the other model, and which number of it makes the values equal
    "calibration": ({"shift": 0.8}, {}, "shift"),
    "shape": ({}, {"spread": 2.0}, "distance"),
    "scale": ({}, {"scale": 0.5}, "distance"),
}
RANKS, LOSSES = ("roc_auc", "average_precision"), ("brier_score", "log_loss")
ANSWERS = ("accuracy", "sensitivity", "specificity", "f1")
MEASURES = (*RANKS, *LOSSES, *ANSWERS)


def pairs_of(name: str) -> list[str]:
    """The settings in which models can differ and yet have the same expected value of a measure."""
    return ["shape"] if name in RANKS else ["calibration", "shape", "scale"]


@cache
def models_of(name: str, pair: str, share: float) -> tuple[dict, dict] | None:
    """The numbers of two models with the same expected value; None where there are none."""
    first, second, free = PAIRS[pair]
    first, second = FIRST | first, FIRST | second
    free = "distance" if name in ("sensitivity", "specificity") else free
    wanted = expected(name, first, share)

    def off(number):
        return expected(name, second | {free: number}, share) - wanted

    grid = np.linspace(-4.03, 0.37, 45) if free == "shift" else np.linspace(0.3, 6.0, 58)
    values = np.array([off(one) for one in grid])
    found = np.flatnonzero(np.sign(values[1:]) * np.sign(values[:-1]) < 0)
    if not len(found):
        return None
    start = found[-1] if free == "shift" else found[0]
    return first, second | {free: brentq(off, grid[start], grid[start + 1], xtol=1e-6)}


def expected(name: str, model: dict, share: float) -> float:
    """The value of a measure on a grid of quantiles that stands for all cases."""
    normal = ndtri((np.arange(NODES) + 0.5) / NODES)
    truth = np.repeat([True, False], NODES)
    given = score(name, np.append(model["distance"] + model["spread"] * normal, normal), model, share)
    cases = ScoredCases(truth, given, np.repeat([share, 1 - share], NODES))
    return value_of(name, cases, limit_of(name, share))


def score(name, x, model, share):
    """What a model gives where its test shows x: x itself for measures of ranks, else a probability."""
    if name in RANKS:
        return x
    ratio = (x**2 - ((x - model["distance"]) / model["spread"]) ** 2) / 2 - np.log(model["spread"])
    return expit(model["scale"] * (ratio + np.log(share / (1 - share))) + model["shift"])


def limit_of(name, share):
    """The threshold of measures of answers: at half for accuracy, at the share of positives else."""
    return 0.5 if name == "accuracy" else share


def value_of(name: str, cases: ScoredCases, limit: float) -> float:
    """Of a measure of scores, or of answers at the threshold."""
    entry = registry.get(name)
    return float(
        entry.function(
            cases.table.counts_at(limit) if entry.summary is Counts else cases.table, **entry.defaults
        )
    )


def evidence_of(name, positive, scores, limit, design, seed):
    """Of the difference of two models, as `compare` makes it."""
    found = tm.compare(
        truth=positive, score=list(scores), measures=name, threshold=limit, design=design, level=LEVEL,
        replicates=REPLICATES, rng=seed,
    )  # fmt: skip
    return found[name].evidence


def drawn(rng, name, models, n, share, design):
    """Which cases are positive, and the scores of both models."""
    positive = np.arange(n) < round(n * share) if design == "case-control" else rng.random(n) < share
    common = rng.normal(size=n) * np.sqrt(ALIKE)
    found = []
    for model in models:
        x = common + rng.normal(size=n) * np.sqrt(1 - ALIKE)
        x = np.where(positive, model["distance"] + model["spread"] * x, x)
        found.append(score(name, x, model, share))
    return positive, found


def cells(names=MEASURES):
    """All settings there are."""
    return [
        (name, pair, n, share, design)
        for name, n, share, design in product(names, SIZES, SHARES, DESIGNS)
        for pair in pairs_of(name)
        if models_of(name, pair, share) is not None
    ]
