"""Coverage of the default intervals of several labels per case: averages over the labels, and `exact_match`.

A fifth of the cases is hard, in all labels at once.
"""

from __future__ import annotations

from itertools import product

import numpy as np
from simulate import Found, Part, take
from simulated_defaults import row_of, tables

from tallymark import Counts, Estimate, evaluate
from tallymark.measures import registry
from tallymark.measures.registry import AVERAGES

HARD, HARDER = 0.2, 3  # the share of hard cases, and how many times as many mistakes they have
SPREAD = 0.7  # of the logarithm of sampling weights
NAMES = ("sensitivity", "specificity", "precision", "f1", "jaccard")
SETTINGS = {
    f"{kind}, {cases} cases, {labels} {shape} labels, {wrong:.0%} wrong": (kind, cases, labels, shape, wrong)
    for kind, cases, labels, shape, wrong in (
        *product(("cohort",), (150, 500, 1500), (3, 6), ("even", "falling"), (0.04, 0.12)),
        *product(("sampling weights",), (500, 1500), (3, 6), ("falling",), (0.04, 0.12)),
    )
}


def counted(name: str, rng: np.random.Generator, samples: int) -> Found:
    """The same sums as for two classes."""
    true = truths(name)
    found: Found = {measure: [0.0] * 6 for measure in true}
    for _ in range(samples):
        for measure, one in estimates(drawn(name, rng)).items():
            take(found, measure, row_of(one, true[measure]))
    return found


def estimates(cases: dict) -> dict[str, Estimate]:
    """Of all measures, by name."""
    found = evaluate(**cases)
    averages = {f"{kind} {name}": found.averages[kind][name] for kind in AVERAGES for name in NAMES}
    return averages | {"exact_match": found["exact_match"]}


def shares(name: str) -> np.ndarray:
    """How often each label is present."""
    _, _, labels, shape, _ = SETTINGS[name]
    return np.full(labels, 0.3) if shape == "even" else np.linspace(0.5, 0.15, labels)


def drawn(name: str, rng: np.random.Generator) -> dict:
    """The arguments of evaluate."""
    (kind, cases, _, _, wrong), share = SETTINGS[name], shares(name)
    truth = rng.random((cases, len(share))) < share
    chance = wrong * np.where(rng.random((cases, 1)) < HARD, HARDER, 1)
    found = {"truth": truth, "predicted": truth ^ (rng.random(truth.shape) < chance)}
    if kind == "sampling weights":
        found |= {"weight": rng.lognormal(0.0, SPREAD, cases), "weight_kind": "importance"}
    return found


def truths(name: str) -> dict[str, float]:
    """Of all measures, from the expected counts."""
    (_, _, labels, _, wrong), share = SETTINGS[name], shares(name)
    error = wrong * (1 + HARD * (HARDER - 1))
    expected = Counts.of(share * (1 - error), (1 - share) * error, share * error, (1 - share) * (1 - error))
    right = (1 - HARD) * (1 - wrong) ** labels + HARD * (1 - HARDER * wrong) ** labels
    return {"exact_match": right} | {
        f"{kind} {measure}": _average(kind, measure, expected) for kind in AVERAGES for measure in NAMES
    }


def _average(kind, measure, expected):
    function = registry.get(measure).function
    if kind == "micro":
        return float(function(expected.sum()))
    return float(np.average(function(expected), weights=expected.positives if kind == "weighted" else None))


PART = Part(lambda: SETTINGS, counted, tables)
