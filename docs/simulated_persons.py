"""Coverage of the intervals of `biometric(persons=)`: all samples of all persons compared with each other."""

from __future__ import annotations

import numpy as np
from scipy.stats import norm
from simulate import Found, Part, take
from simulated_defaults import row_of, tables

from tallymark.inference import Settings
from tallymark.inference.clustered import DependentCases
from tallymark.measures import registry
from tallymark.summaries import Counts, RankingTable
from tallymark.summaries.samples import ScoredCases

# persons, samples of each, share of their effects
DESIGNS = [(40, 3, 0.6), (40, 3, 0.2), (40, 3, 0.0), (100, 2, 0.6)]
MATED, RARE = 2.5, 3.0
OF_PERSONS = {
    "FMR at a threshold": ("false_positive_rate", {}, norm.isf(0.05), 0.05),
    "FMR of 0.0013": ("false_positive_rate", {}, RARE, norm.sf(RARE)),
    "FNMR at a threshold": ("false_negative_rate", {}, 1.5, norm.cdf(1.5 - MATED)),
    "FNMR at FMR 1 %": ("fnmr_at_fmr", {"fmr": 0.01}, None, norm.cdf(norm.isf(0.01) - MATED)),
    "equal error rate": ("equal_error_rate", {}, None, norm.cdf(-MATED / 2)),
    "roc_auc": ("roc_auc", {}, None, norm.cdf(MATED / np.sqrt(2))),
}
SETTINGS = {
    f"persons, {number} with {of_each} samples, share {effect:g}": (number, of_each, effect)
    for number, of_each, effect in DESIGNS
}


def comparisons(number: int, of_each: int, effect: float, rng: np.random.Generator) -> tuple:
    """Which are mated, the scores, and both persons. The scores are standard normal, those of mated ones
    higher, with a part in common for each person."""
    person = np.repeat(np.arange(number), of_each)
    one, other = (person[end] for end in np.triu_indices(len(person), 1))
    mated, of_mated, of_other = one == other, rng.normal(size=number), rng.normal(size=number)
    shared = np.where(mated, of_mated[one], (of_other[one] + of_other[other]) / np.sqrt(2))
    score = MATED * mated + np.sqrt(effect) * shared + np.sqrt(1 - effect) * rng.normal(size=len(one))
    return mated, np.round(score, 4), one, other


def counted(name: str, rng: np.random.Generator, samples: int) -> Found:
    """The same sums as for independent cases."""
    found: Found = {measure: [0.0] * 6 for measure in OF_PERSONS}
    for _ in range(samples):
        mated, score, one, other = comparisons(*SETTINGS[name], rng)
        known = DependentCases(ScoredCases(mated, score), np.stack([one, other]))
        for measure, (wanted, given, limit, true) in OF_PERSONS.items():
            entry = registry.get(wanted, RankingTable if limit is None else Counts)
            summary = known.cases.table if limit is None else known.cases.table.counts_at(limit)
            take(found, measure, row_of(known.estimate(entry, summary, Settings(), given, limit), true))
    return found


PART = Part(lambda: SETTINGS, counted, tables)
