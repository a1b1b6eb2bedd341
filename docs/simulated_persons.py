"""Coverage of the intervals of `biometric(persons=)`: all samples of all persons compared with each other."""

from __future__ import annotations

import numpy as np
from coverage_clusters import DESIGNS, OF_PERSONS, comparisons
from simulate import Found, Part, take
from simulated_defaults import row_of, tables

from tallymark.inference import Settings
from tallymark.inference.clustered import Persons
from tallymark.measures import registry
from tallymark.summaries import Counts, RankingTable
from tallymark.summaries.cases import ScoredCases

SETTINGS = {
    f"persons, {number} with {of_each} samples, share {effect:g}": (number, of_each, effect)
    for number, of_each, effect in DESIGNS
}


def counted(name: str, rng: np.random.Generator, samples: int) -> Found:
    """The same sums as for independent cases."""
    found: Found = {measure: [0.0] * 6 for measure in OF_PERSONS}
    for _ in range(samples):
        mated, score, one, other = comparisons(*SETTINGS[name], rng)
        known = Persons(ScoredCases.from_arrays(truth=mated, score=score), one, other)
        for measure, (wanted, given, limit, true) in OF_PERSONS.items():
            entry = registry.get(wanted, RankingTable if limit is None else Counts)
            summary = known.cases.table if limit is None else known.cases.table.counts_at(limit)
            take(found, measure, row_of(known.estimate(entry, summary, Settings(), given, limit), true))
    return found


PART = Part(lambda: SETTINGS, counted, tables)
