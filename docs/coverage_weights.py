"""How often tests of calibration of weighted cases reject at 5 %: `python docs/coverage_weights.py [SAMPLES]`
prints the table of intervals.md.

The probabilities are right for the population that the weights stand for. Of several ways to count the
weights in the test of Hosmer and Lemeshow: the one in use (Rao and Scott, second order), the first order, and
the F test of Archer and Lemeshow.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache

import numpy as np
from scipy.special import expit
from scipy.stats import f

from tallymark import RankingTable
from tallymark.inference.hypothesis.calibration import hosmer_lemeshow, spiegelhalter
from tallymark.measures.families.bins import of_equal_mass, places_of_equal_mass

SAMPLES, SEED, LEVEL, GROUPS = 4_000, 20261122, 0.05, 10
SETTINGS = ((300, -1.15), (300, -2.5), (1_000, -1.15))  # cases, mean of the logits


@cache
def share_of(mean: float) -> float:
    """Of positives, where the logits have this mean and a standard deviation of 1."""
    return float(expit(np.random.default_rng(SEED).normal(mean, 1.0, 1_000_000)).mean())


def balancing(truth: np.ndarray, share: float) -> np.ndarray:
    """A weight for each case, so that both classes have the same in all."""
    return np.where(truth, 0.5 / share, 0.5 / (1 - share))


KINDS: dict[str, Callable] = {  # a weight for each case, from its logit, its class and the share of positives
    "none": lambda logit, truth, share, random: np.ones(len(truth)),
    "balanced, of the population": lambda logit, truth, share, random: balancing(truth, share),
    "balanced, of the sample": lambda logit, truth, share, random: balancing(truth, truth.mean()),
    "sampling, sigma 0.8": lambda logit, truth, share, random: random.lognormal(0, 0.8, len(truth)),
    "strata by the score, 1 and 5": lambda logit, truth, share, random: np.where(logit > -1, 1.0, 5.0),
    "both": lambda logit, truth, share, random: (
        balancing(truth, share) * random.lognormal(0, 0.6, len(truth))
    ),
}


def calibrated(kind: str, cases: int, mean: float, random: np.random.Generator) -> RankingTable:
    """Cases whose probabilities are right for the population that the weights stand for."""
    logit, share = random.normal(mean, 1.0, cases), share_of(mean)
    truth = random.random(cases) < expit(logit)
    moved = np.log((1 - share) / share) if kind.startswith(("balanced", "both")) else 0.0
    weight = KINDS[kind](logit, truth, share, random)
    return RankingTable.from_arrays(
        truth=truth, score=expit(logit + moved), weight=weight, weight_kind="importance"
    )


def archer_lemeshow(table: RankingTable) -> float:
    """The p-value of the F test of Archer and Lemeshow (2006), with the variances of the residuals found."""
    table = table.as_cases
    place, p, squares = places_of_equal_mass(table, GROUPS), table.probability, table.squared
    found = np.bincount(place, squares.positive * (1 - p) ** 2 + squares.negative * p**2, GROUPS)
    there = found > 0
    wald = (of_equal_mass(table, GROUPS).excess[there] ** 2 / found[there]).sum()
    groups, freedom = int(there.sum()), table.effective_total - 1
    rest = freedom - groups + 1
    return float(f.sf(wald * rest / (freedom * groups), groups, rest))


TESTS: dict[str, Callable[[RankingTable], float]] = {
    "hosmer_lemeshow": lambda table: hosmer_lemeshow(table).p_value,
    "Archer-Lemeshow, F": archer_lemeshow,
    "spiegelhalter": lambda table: spiegelhalter(table).p_value,
}


def rejections(kind: str, cases: int, mean: float, samples: int) -> tuple[list[float], float]:
    """The share of samples in which each test rejects; in which that of Hosmer and Lemeshow has a note."""
    found, noted = [], 0
    for random in map(np.random.default_rng, np.random.SeedSequence(SEED).spawn(samples)):
        table = calibrated(kind, cases, mean, random)
        found.append([test(table) < LEVEL for test in TESTS.values()])
        noted += bool(hosmer_lemeshow(table).notes)
    return np.mean(found, axis=0).tolist(), noted / samples


def main() -> None:
    """Prints the table."""
    samples = int(sys.argv[1]) if len(sys.argv) > 1 else SAMPLES
    print(f"{samples} samples per setting, seed {SEED}\n")
    print(f"| cases, positives | weights | {' | '.join(TESTS)} | with note |\n{'|---' * (len(TESTS) + 3)}|")
    for cases, mean in SETTINGS:
        for kind in KINDS:
            shares, noted = rejections(kind, cases, mean, samples)
            cells = " | ".join(f"{100 * share:.1f}" for share in shares)
            print(f"| {cases}, {share_of(mean):.0%} | {kind} | {cells} | {noted:.0%} |", flush=True)


if __name__ == "__main__":
    main()
