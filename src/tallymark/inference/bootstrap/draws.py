"""The draws of the bootstrap: how often each case is in each resample.

Each resample has its own stream of random numbers, from one seed, so that the draws do not depend on the
number of threads, and the first hundred of a thousand resamples are the same as a hundred.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import factorial
from typing import Any

import numpy as np

from ... import kernels
from ...input import validate
from ...input.options import CaseResampling, Design
from ...input.spelling import option
from ...kernels import CASES_IN_BLOCK

DRAWN_AT_ONCE = 1 << 23  # bytes of a chunk of resamples
DESIGNS = ("cohort", "case-control")
BOOTSTRAP: CaseResampling = "bootstrap"
POISSON: CaseResampling = "poisson-bootstrap"
RESAMPLINGS = (BOOTSTRAP, POISSON)
MOST_LEFT_OUT = 500
WORD = 1 << 64
POISSON_LIMITS = 13  # the probability of more draws is below 2^-32


@dataclass(frozen=True, slots=True)
class Draws:
    """How resamples are drawn.

    replicates: how many; design: "cohort", the class mix varies, or "case-control", the class sizes are
    fixed; resampling: "bootstrap", of Efron (1979), or "poisson-bootstrap", which draws every case a
    Poisson(1) number of times: faster, and with many cases almost the same (Hanley and MacGibbon 2006), but
    the number of cases varies and so does the class mix; seed: of 64 bits; threads: by default as many as
    processors; keeps_weights: the total weight of each class is fixed, as for class weights made from the
    sample.
    """

    replicates: int = 1000
    design: Design = "cohort"
    resampling: CaseResampling = BOOTSTRAP
    seed: int = 0
    threads: int | None = None
    keeps_weights: bool = False

    def __post_init__(self) -> None:
        validate.whole(self.replicates, "replicates", 1, 1e7)
        validate.choice(self.design, DESIGNS, "design")
        validate.choice(self.resampling, RESAMPLINGS, "resampling")
        validate.seed(self.seed)
        if self.threads is not None:
            validate.whole(self.threads, "threads", 1, 1024)

    @property
    def keeps_classes(self) -> bool:
        """Whether every resample has the same number of cases, or weight, of each class."""
        return self.keeps_weights or (self.design == "case-control" and self.resampling == BOOTSTRAP)


def check_design(design: str, clusters: Any, resampling: str = BOOTSTRAP) -> None:
    """Raises InputError for an unknown design, and for resampling that cannot keep to it."""
    validate.choice(design, DESIGNS, "design")
    if design == "case-control" and (clusters is not None or resampling == POISSON):
        other = option("clusters") if clusters is not None else option("resampling", POISSON)
        raise validate.InputError(
            "conflict",
            "design",
            f"'case-control' fixes the class sizes, but {other} lets them vary",
            f"use {option('design', 'cohort')}, or leave it out",
        )


def draws(
    how: Draws,
    positive: np.ndarray,
    clusters: np.ndarray | None = None,
    progress: Callable[[int], None] | None = None,
) -> Iterator[np.ndarray]:
    """Chunks of resamples: how often each case is drawn, uint8 of shape (some replicates, cases).

    positive: bool, shape (cases,); clusters: a whole number from 0 on per case; all cases of a cluster are
    drawn together, and the class mix varies. progress: called with the number of resamples done after each
    chunk.
    """
    if clusters is not None:
        number, units = int(clusters.max()) + 1, np.zeros(int(clusters.max()) + 1, bool)
        how, done = replace(how, design="cohort"), 0
        for times in draws(how, units) if number else ():
            for part in _parts(times, len(clusters)):
                yield np.take(part, clusters, axis=1)
                done += len(part)
                if progress is not None:
                    progress(done)
        return
    step, drawn = max(1, DRAWN_AT_ONCE // max(len(positive), 1)), _drawer(how, positive)
    for start in range(0, how.replicates, step):
        yield drawn(start, min(step, how.replicates - start))
        if progress is not None:
            progress(min(start + step, how.replicates))


def left_out(
    how: Draws, positive: np.ndarray, clusters: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """The parts that the jackknife leaves out: the part of each case, and the class of each part.

    A part is one case, or one cluster, of one class where the class sizes are fixed (else there is one class
    only). Where there are more than 500 of them, or 250 of each of two classes, half as many random parts of
    equal size are used: the skewness that BCa takes from them is the same up to a random error of some 0.4 /
    parts, its standard error where there is none.
    """
    units = np.arange(len(positive)) if clusters is None else clusters
    number = int(units.max()) + 1
    classes = (
        np.where(positive, 0, 1) if how.keeps_classes and clusters is None else np.zeros(number, np.int64)
    )
    most, random = MOST_LEFT_OUT // (1 + int(classes.any())), np.random.default_rng(how.seed)
    part = np.empty(number, np.int64)
    of_class: list[int] = []
    for c in np.unique(classes):
        there = np.flatnonzero(classes == c)
        size = len(there) if len(there) <= most else most // 2
        part[there] = random.permutation(len(there)) % size + len(of_class)
        of_class += [c] * size
    return part[units], np.array(of_class)


def without(part: np.ndarray) -> Iterator[np.ndarray]:
    """Chunks of the jackknife: 1 for every case except those of a part, uint8 of shape (parts, cases)."""
    number, step = int(part.max()) + 1, max(1, DRAWN_AT_ONCE // max(len(part), 1))
    for start in range(0, number, step):
        yield (part != np.arange(start, min(start + step, number))[:, None]).astype(np.uint8)


def _parts(times: np.ndarray, cases: int) -> Iterator[np.ndarray]:
    step = max(1, DRAWN_AT_ONCE // max(cases, 1))
    return (times[start : start + step] for start in range(0, len(times), step))


def _drawer(how: Draws, positive: np.ndarray) -> Callable[[int, int], np.ndarray]:
    if how.resampling == POISSON:
        sums = np.cumsum([np.exp(-1) / factorial(k) for k in range(POISSON_LIMITS)])
        limit = np.minimum(np.rint(sums * 2.0**32), 2.0**32 - 1).astype(np.uint32)
        return lambda start, number: kernels.draw_poisson(
            how.seed % WORD, start, number, len(positive), limit, how.threads
        )
    place, held = _places(positive)
    random = [np.random.default_rng(part) for part in np.random.SeedSequence(how.seed).spawn(3)]

    def drawn(start: int, number: int) -> np.ndarray:
        placed = _placed(random, held, how.design, number)
        found: np.ndarray = kernels.draw(how.seed % WORD, start, placed, held, place, how.threads)
        return found

    return drawn


def _places(positive: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """By block, the positions of its positives and then of its negatives; and the number of each."""
    blocks = -(-len(positive) // CASES_IN_BLOCK)
    places, held = np.empty(len(positive), np.uint16), np.empty((blocks, 2), np.int64)
    starts = np.arange(0, len(positive), CASES_IN_BLOCK)
    held[:, 0] = np.add.reduceat(positive, starts, dtype=np.int64)
    held[:, 1] = np.diff(np.append(starts, len(positive))) - held[:, 0]
    for c in (0, 1):
        found = np.flatnonzero(positive if c == 0 else ~positive).astype(np.uint32)
        # A case comes after those of its class, and after the other class in the blocks before; a negative
        # also after the positives of its own block.
        others = held[:, 1 - c]
        ahead = np.cumsum(others) - (0 if c else others)
        after = np.repeat(ahead.astype(np.uint32), held[:, c]) + np.arange(len(found), dtype=np.uint32)
        places[after] = found % CASES_IN_BLOCK
    return places, held


def _placed(random: Sequence[np.random.Generator], held: np.ndarray, design: str, number: int) -> np.ndarray:
    """The number of draws in each block by class, from a multinomial distribution for each class.

    The number of each class is given. Each of the three kinds of numbers has its own stream, so that it does
    not matter how many resamples are drawn at once.
    """
    positives, negatives = held.sum(0)
    total = positives + negatives
    of_first = (
        random[0].binomial(total, positives / total, size=number)
        if design == "cohort"
        else np.full(number, positives)
    )
    sizes = of_first, total - of_first
    placed = np.zeros((number, *held.shape), np.int64)
    for c, (stream, size) in enumerate(zip(random[1:], sizes, strict=True)):
        # else rounding of the sum could assign draws to an empty last block
        there = np.flatnonzero(held[:, c])
        if len(there):
            placed[:, there, c] = stream.multinomial(size, held[there, c] / held[:, c].sum())
    return placed
