"""Samples of cases with given scores and given rates of positives."""

from __future__ import annotations

import numpy as np

from ...input.weighting import effective
from ...summaries import RankingTable
from . import tilted
from .tilted_samples import MOST_CASE_BY_CASE, cells_of_cases, counted

REPLICATES = 150  # samples of each population
NORMAL_FROM = 25.0  # variance from which a binomial number is a rounded normal one


def samples_of(
    populations: list[RankingTable], table: RankingTable, design: str, seed: int
) -> list[RankingTable]:
    """Samples of each population, of the size of the table.

    populations: with the scores and the total weight of the table. In a cohort all cases are drawn together,
    in a case-control design each class.
    """
    draw = _of_classes if design == "case-control" else _of_all
    return draw(populations, table, seed)


def _of_all(populations: list[RankingTable], table: RankingTable, seed: int) -> list[RankingTable]:
    """The scores of the cases are the same in all populations; their classes follow from the same numbers."""
    weight = np.asarray(table.positive + table.negative, float)
    cases = weight if table.squares is None else effective(weight, sum(table.squared))
    unit = np.divide(weight, cases, out=np.zeros_like(weight), where=cases > 0)
    rates = [np.clip(each.positive / np.where(weight > 0, weight, 1.0), 0.0, 1.0) for each in populations]
    size, random = max(round(float(cases.sum())), 1), np.random.default_rng(seed)
    if size <= MOST_CASE_BY_CASE:
        place = cells_of_cases(random, cases / cases.sum(), size, REPLICATES)
        total, chance = counted(place, len(cases)), random.random(place.shape)
        positive = [_counted_where(place, chance < rate[place], len(cases)) for rate in rates]
    else:
        total = random.multinomial(size, cases / cases.sum(), REPLICATES)
        normal = random.normal(size=total.shape)
        positive = [binomial(random, total, rate, normal) for rate in rates]
    return [table.of(table.score, each * unit, (total - each) * unit) for each in positive]


def _of_classes(populations: list[RankingTable], table: RankingTable, seed: int) -> list[RankingTable]:
    """Each class is drawn by its own numbers, the same for all populations."""
    positives, negatives = (max(round(size), 1) for size in tilted.sizes(table))
    return [
        table.of(
            table.score,
            _drawn(each.positive, positives, [seed, 1]),
            _drawn(each.negative, negatives, [seed, 0]),
        )
        for each in populations
    ]


def _drawn(weight: np.ndarray, size: int, seed: list[int]) -> np.ndarray:
    """Samples of so many cases, with probabilities in proportion to the weights, of the same total weight."""
    random, share = np.random.default_rng(seed), weight / weight.sum()
    if size > MOST_CASE_BY_CASE:
        found = random.multinomial(size, share, REPLICATES)
    else:
        found = counted(cells_of_cases(random, share, size, REPLICATES), len(share))
    return np.asarray(found * (weight.sum() / size), float)


def _counted_where(place: np.ndarray, kept: np.ndarray, places: int) -> np.ndarray:
    """How many of each row are at each place, of those that are kept."""
    found = (place + np.arange(len(place))[:, None] * places)[kept]
    return np.bincount(found, minlength=len(place) * places).reshape(len(place), places)


def binomial(
    random: np.random.Generator, total: np.ndarray, rate: np.ndarray, normal: np.ndarray
) -> np.ndarray:
    """Binomial numbers; those of large variance from standard normal ones, the same for all populations."""
    variance = total * (rate * (1 - rate))
    found: np.ndarray = np.clip(np.rint(total * rate + np.sqrt(variance) * normal), 0, total)
    few = variance < NORMAL_FROM
    found[few] = random.binomial(total[few], np.broadcast_to(rate, total.shape)[few])
    return found
