"""How often intervals of weighted cases hold: `python docs/coverage_weights.py [SAMPLES]` prints the table of
intervals.md.

Logits of the two classes are normal, whatever the setting. The truth is that of the population that the
weights stand for, worked out on a million cases of each class.

* balanced: class weights n / (2 n_c), as scikit-learn's class_weight="balanced", of 50 positives and 950
  negatives on average;
* two-phase: all predicted positives are verified and one in ten of the predicted negatives, which weigh 10
  (or 10.0001);
* sampling: lognormal weights that do not depend on the case, sigma 0.7.

A second table says how often tests of calibration reject at 5 % where the probabilities are right for the
weighted population: 300 cases, of which 28 % are positive.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache

import numpy as np

from tallymark import RankingTable, evaluate
from tallymark.inference.hypothesis.calibration import hosmer_lemeshow, spiegelhalter

MEASURES = (
    "sensitivity",
    "specificity",
    "negative_predictive_value",
    "roc_auc",
    "average_precision",
    "brier_score",
    "log_loss",
)
SAMPLES, SEED, MANY, SEPARATION = 500, 20261122, 1_000_000, 1.5
Cases = tuple[np.ndarray, np.ndarray, np.ndarray]


def scores(truth: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """Probabilities, calibrated where half of the cases are positive."""
    return 1 / (1 + np.exp(-SEPARATION * (SEPARATION * (truth - 0.5) + random.normal(size=len(truth)))))


def cohort(n: int, prevalence: float, random: np.random.Generator) -> np.ndarray:
    """Which of n cases are positive."""
    return random.random(n) < prevalence


def balanced(random: np.random.Generator, fixed: bool = False) -> Cases:
    """Class weights; fixed: 50 positives and 950 negatives."""
    truth = np.arange(1000) < 50 if fixed else cohort(1000, 0.05, random)
    weight = np.where(truth, 500 / truth.sum(), 500 / (~truth).sum())
    return truth, scores(truth, random), weight


def two_phase(random: np.random.Generator, times: float = 10.0) -> Cases:
    """Of 4,000 cases those that are verified."""
    truth = cohort(4000, 0.2, random)
    score = scores(truth, random)
    verified = (score >= 0.5) | (random.random(len(truth)) < 0.1)
    return truth[verified], score[verified], np.where(score[verified] >= 0.5, 1.0, times)


def sampling(random: np.random.Generator) -> Cases:
    """Weights that say nothing about the case."""
    truth = cohort(400, 0.3, random)
    return truth, scores(truth, random), random.lognormal(0, 0.7, len(truth))


# the cases, the prevalence that the weights stand for, the design
SETTINGS: dict[str, tuple[Callable, float, str]] = {
    "balanced, 50 / 950 on average": (balanced, 0.5, "cohort"),
    "balanced, 50 / 950": (lambda random: balanced(random, fixed=True), 0.5, "case-control"),
    "two-phase, weight 10": (two_phase, 0.2, "cohort"),
    "two-phase, weight 10.0001": (lambda random: two_phase(random, 10.0001), 0.2, "cohort"),
    "sampling weights": (sampling, 0.3, "cohort"),
}


@cache
def truths(prevalence: float) -> dict[str, float]:
    """Of all measures, in the population."""
    truth = np.arange(2 * MANY) < MANY
    score = scores(truth, np.random.default_rng(SEED))
    weight = np.where(truth, prevalence, 1 - prevalence)
    found = evaluate(truth=truth, score=score, weight=weight, weight_kind="importance", threshold=0.5)
    return {name: found[name].value for name in MEASURES}


def coverage(name: str, samples: int = SAMPLES, measures: tuple[str, ...] = MEASURES) -> dict[str, float]:
    """By measure, the share of samples whose interval holds the truth."""
    draw, prevalence, design = SETTINGS[name]
    wanted, held = truths(prevalence), dict.fromkeys(measures, 0)
    for random in map(np.random.default_rng, np.random.SeedSequence(SEED).spawn(samples)):
        truth, score, weight = draw(random)
        found = evaluate(
            truth=truth, score=score, weight=weight, weight_kind="importance", threshold=0.5, design=design
        )
        for measure in measures:
            held[measure] += found[measure].low <= wanted[measure] <= found[measure].high
    return {measure: count / samples for measure, count in held.items()}


SHARE, CASES = 0.2836, 300  # of positives, on average, among so many cases
LEVEL = 0.05
TESTS = (hosmer_lemeshow, spiegelhalter)
KINDS: dict[str, Callable] = {  # a weight for each case, whose logit and class are given
    "none": lambda logit, truth, random: np.ones(len(truth)),
    "balanced, of the population": lambda logit, truth, random: np.where(
        truth, 0.5 / SHARE, 0.5 / (1 - SHARE)
    ),
    "balanced, of the sample": lambda logit, truth, random: np.where(
        truth, 0.5 / truth.mean(), 0.5 / (1 - truth.mean())
    ),
    "sampling, sigma 0.8": lambda logit, truth, random: random.lognormal(0, 0.8, len(truth)),
    "strata by the score, 1 and 5": lambda logit, truth, random: np.where(logit > -1, 1.0, 5.0),
    "both": lambda logit, truth, random: (
        np.where(truth, 0.5 / SHARE, 0.5 / (1 - SHARE)) * random.lognormal(0, 0.6, len(truth))
    ),
}


def calibrated(kind: str, random: np.random.Generator) -> RankingTable:
    """Cases whose probabilities are right for the population that the weights stand for."""
    logit = random.normal(-1.15, 1.0, CASES)
    truth = random.random(CASES) < 1 / (1 + np.exp(-logit))
    moved = np.log((1 - SHARE) / SHARE) if kind.startswith(("balanced", "both")) else 0.0
    weight = KINDS[kind](logit, truth, random)
    return RankingTable.from_arrays(
        truth=truth, score=1 / (1 + np.exp(-logit - moved)), weight=weight, weight_kind="importance"
    )


def rejections(kind: str, samples: int) -> list[float]:
    """The share of samples in which each test rejects."""
    tables = (
        calibrated(kind, random)
        for random in map(np.random.default_rng, np.random.SeedSequence(SEED).spawn(samples))
    )
    found = np.array([[test(table).p_value < LEVEL for test in TESTS] for table in tables])
    return found.mean(0).tolist()


def main() -> None:
    """Prints the tables."""
    samples = int(sys.argv[1]) if len(sys.argv) > 1 else SAMPLES
    print(f"{samples} samples per setting, seed {SEED}\n")
    print("| setting | design | " + " | ".join(MEASURES) + " |\n|---|---|" + "---|" * len(MEASURES))
    for name, (_, _, design) in SETTINGS.items():
        found = coverage(name, samples)
        print(
            f"| {name} | {design} | "
            + " | ".join(f"{100 * found[measure]:.1f}" for measure in MEASURES)
            + " |",
            flush=True,
        )
    print("\n| weights | " + " | ".join(test.__name__ for test in TESTS) + " |\n|---|" + "---|" * len(TESTS))
    for kind in KINDS:
        print(
            f"| {kind} | "
            + " | ".join(f"{100 * share:.1f}" for share in rejections(kind, 2 * samples))
            + " |",
            flush=True,
        )


if __name__ == "__main__":
    main()
