"""How often tests of calibration reject at 5 %, of cases with and without weights: a part of `make coverage`.

The probabilities are right for the population that the weights stand for. Beside the test of Hosmer and
Lemeshow in use (Rao and Scott, second order) stands the F test of Archer and Lemeshow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

import numpy as np
from scipy.special import expit
from scipy.stats import f
from simulate import TESTS, Found, Judged, Part, of_shares, take

from tallymark import RankingTable
from tallymark.inference.hypothesis import hosmer_lemeshow, spiegelhalter
from tallymark.input.messages import of_kind
from tallymark.measures.families.bins import of_equal_mass, places_of_equal_mass

SEED, LEVEL, GROUPS = 20261122, 0.05, 10
CASES = ((50, -0.5), (300, -1.15), (300, -2.5), (1_000, -1.15), (1_000, -3.0))  # and the mean of the logits


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


SETTINGS = {f"{kind}, {cases}, {mean:g}": (kind, cases, mean) for cases, mean in CASES for kind in KINDS}
NAMES = ("hosmer_lemeshow", "spiegelhalter", "Archer-Lemeshow, F")


def counted(setting: str, rng: np.random.Generator, samples: int) -> Found:
    """By test: samples, in how many it rejects, and in how many it has `~`."""
    found: Found = {name: [0.0] * 3 for name in NAMES}
    for _ in range(samples):
        table = calibrated(*SETTINGS[setting], rng)
        if not table.positives:
            continue
        own, other = hosmer_lemeshow(table), spiegelhalter(table)
        for name, p, flagged in (
            (NAMES[0], own.p_value, bool(of_kind(own.notes, "approximate"))),
            (NAMES[1], other.p_value, bool(of_kind(other.notes, "approximate"))),
            (NAMES[2], archer_lemeshow(table), False),
        ):
            take(found, name, [1.0, float(p <= LEVEL), float(flagged)])
    return found


def of_tests(sums: Found, samples: int) -> Iterator[Judged]:
    """Of the two in use."""
    for one in of_shares({name: sums[name] for name in NAMES[:2] if name in sums}, samples):
        yield one._replace(flagged=sums[one.name][2])


def tables(found: dict[str, Found], samples: dict[str, int]) -> list[str]:
    """One row per setting, one column per test: rejected, in percent, and those with `~`."""
    rows = [f"| cases, positives | weights | {' | '.join(NAMES)} |", "|---" * (2 + len(NAMES)) + "|"]
    for setting, sums in found.items():
        kind, cases, mean = SETTINGS[setting]
        cells = [f"{100 * hits / n:.1f} ({flagged / n:.0%})" for n, hits, flagged in map(sums.get, NAMES)]
        rows.append(f"| {cases:,}, {share_of(mean):.0%} | {kind} | {' | '.join(cells)} |")
    return rows


PART = Part(lambda: SETTINGS, counted, tables, judged=of_tests, limits=TESTS)
