"""Coverage of the default intervals of likelihood ratios and margins, in the settings of
simulated_defaults.py."""

from __future__ import annotations

import gc
from functools import cache

import numpy as np
from scipy.special import logit
from simulate import Found, Part, take
from simulated_defaults import SETTINGS, drawn, everyone, row_of, tables, value_of

from tallymark import Evaluation, evaluate

# by kind of score
MEASURES = {"llr": ("cllr", "min_dcf", "min_dcf_normalised", "fnmr_at_fmr"), "margin": ("hinge_loss",)}
# defaults in biometrics, a prior of 1 % and an FMR of 0.1 %, need thousands of comparisons
PARAMETERS = {
    "min_dcf": {"prior": 0.3},
    "min_dcf_normalised": {"prior": 0.3},
    "fnmr_at_fmr": {"fmr": 0.1},
}


def counted(name: str, rng: np.random.Generator, samples: int) -> Found:
    """The same sums as for probabilities."""
    true = truths(name)
    found: Found = {measure: [0.0] * 6 for measure in true}
    for _ in range(samples):
        sample = drawn(SETTINGS[name], rng)
        if sample["truth"].all() or not sample["truth"].any():
            continue
        for measure, one in evaluations(name, sample, design=SETTINGS[name].design).items():
            take(found, measure, row_of(one[measure], true[measure]))
    gc.collect()  # evaluations are in reference cycles
    return found


def evaluations(name: str, cases: dict, **more: str) -> dict[str, Evaluation]:
    """By measure, that of the scores as it needs them: logits, less that of the share of positives."""
    asked = cases | more | {"score": logit(cases["score"]) - logit(SETTINGS[name].share)}
    found = {kind: evaluate(**asked, score_kind=kind, parameters=PARAMETERS) for kind in MEASURES}
    return {measure: found[kind] for kind, of in MEASURES.items() for measure in of}


@cache
def truths(name: str) -> dict[str, float]:
    """The values of the population."""
    population = evaluations(name, everyone(SETTINGS[name]))
    return {measure: value_of(one, measure) for measure, one in population.items()}


PART = Part(lambda: SETTINGS, counted, tables, 50)
