"""The draws of the bootstrap: how often each case is in each resample.

Each resample has its own stream of random numbers, from one seed, so that the draws do not depend on the
number of threads, and the first hundred of a thousand resamples are the same as a hundred.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from math import exp, factorial, sqrt
from typing import Any

import numpy as np

from ... import kernels
from ...input import validate
from ...input.options import CaseResampling, Design
from ...input.spelling import option

DRAWN_AT_ONCE = 1 << 22  # bytes of a chunk of resamples for each thread, unless one takes more
MOST_DRAWN = 1 << 30  # bytes of such a chunk
DESIGNS = ("cohort", "case-control")
BOOTSTRAP: CaseResampling = "bootstrap"
POISSON: CaseResampling = "poisson-bootstrap"
RESAMPLINGS = (BOOTSTRAP, POISSON)
MOST_LEFT_OUT = 500
MANY_UNITS = 1 << 17  # from which their numbers in random parts differ little
WORD = 1 << 64
POISSON_LIMITS, USUAL_LIMITS = 13, 7  # the probability of 13 draws or more is below 2^-32
SPARE = 4.0  # standard deviations of the number of Poisson draws below the number of cases


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
    step, drawn = _at_once(how, len(positive)), _drawer(how, positive)
    for start in range(0, how.replicates, step):
        yield drawn(start, min(step, how.replicates - start))
        if progress is not None:
            progress(min(start + step, how.replicates))


def left_out(
    how: Draws, positive: np.ndarray, clusters: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """The parts that the jackknife leaves out: the part of each case, and the class of each part.

    A part is one case, or one cluster, of one class where the class sizes are fixed (else there is one class
    only). Where there are more than 500 of them, or 250 of each of two classes, half as many random parts are
    used, of equal size, or of more than 2^17 units each in one of them at random: the skewness that BCa takes
    from them is the same up to a random error of some 0.4 / parts, its standard error where there is none.
    """
    number = len(positive) if clusters is None else int(clusters.max()) + 1
    fixed = how.keeps_classes and clusters is None
    units = {0: positive, 1: ~positive} if fixed else {0: np.ones(number, bool)}
    units = {c: there for c, there in units.items() if there.any()}
    most, random = MOST_LEFT_OUT // (1 + (1 in units)), np.random.default_rng(how.seed)
    part, of_class = np.empty(number, np.uint16), np.zeros(0, np.int64)
    for c, there in units.items():
        size = int(np.count_nonzero(there))
        parts = size if size <= most else most // 2
        part[there] = _shuffled(random, size, parts) + len(of_class)
        of_class = np.append(of_class, np.full(parts, c))
    return part if clusters is None else part[clusters], of_class


def _shuffled(random: np.random.Generator, size: int, parts: int) -> np.ndarray:
    """The part of each unit: equal numbers of units in random order, of many units those that fall in it."""
    if size <= MANY_UNITS:
        return random.permutation(size) % parts
    seed = random.integers(WORD >> 1)
    return np.concatenate(
        kernels.stretches(
            lambda rows: np.random.default_rng([seed, rows.start]).integers(
                parts, size=rows.stop - rows.start, dtype=np.uint16
            ),
            size,
        )
    )


def without(part: np.ndarray, how: Draws) -> Iterator[np.ndarray]:
    """Chunks of the jackknife: 1 for every case except those of a part, uint8 of shape (parts, cases)."""
    number, step = int(part.max()) + 1, _at_once(how, len(part))
    for start in range(0, number, step):
        times = np.empty((min(step, number - start), len(part)), bool)
        leave = partial(_left_out_of, times, part, start)
        kernels.each(leave, len(times), times.size > kernels.MANY)
        yield times.view(np.uint8)


def _left_out_of(times: np.ndarray, part: np.ndarray, start: int, i: int) -> None:
    np.not_equal(part, start + i, out=times[i])


def _at_once(how: Draws, cases: int) -> int:
    """The number of resamples in a chunk."""
    threads = how.threads or kernels.processors()
    return max(1, threads * DRAWN_AT_ONCE // max(cases, 1), min(threads, MOST_DRAWN // max(cases, 1)))


def _parts(times: np.ndarray, cases: int) -> Iterator[np.ndarray]:
    step = max(1, DRAWN_AT_ONCE // max(cases, 1))
    return (times[start : start + step] for start in range(0, len(times), step))


def _drawer(how: Draws, positive: np.ndarray) -> Callable[[int, int], np.ndarray]:
    seed = how.seed % WORD
    if how.resampling == POISSON:
        return lambda start, number: kernels.draw_poisson(
            seed, start, number, len(positive), _limits(1.0), how.threads
        )
    sizes, place = _classes(positive, how.design)
    limit = np.stack([_limits(_first_mean(int(size))) for size in sizes])
    return lambda start, number: kernels.draw(seed, start, number, limit, sizes, place, how.threads)


def _classes(positive: np.ndarray, design: str) -> tuple[np.ndarray, np.ndarray | None]:
    """The sizes of the classes that are drawn separately, and their cases, unless all are drawn together."""
    if design == "cohort":
        return np.array([len(positive)]), None
    place = [np.flatnonzero(part).astype(np.uint32) for part in (positive, ~positive)]
    return np.array([len(part) for part in place]), np.concatenate(place)


def _first_mean(size: int) -> float:
    """The mean of the Poisson draws, of which a resample of all has too many once in 30,000 times."""
    return max(0.0, 1 - SPARE / sqrt(max(size, 1)))


def _limits(mean: float) -> np.ndarray:
    """The usual and the rare limits of Poisson draws, as `kernels.draw_poisson` needs them."""
    expected = np.array([exp(-mean) * mean**k / factorial(k) for k in range(POISSON_LIMITS)]) * 2.0**16
    usual = np.floor(expected[:USUAL_LIMITS])
    rest = expected - np.pad(usual, (0, POISSON_LIMITS - USUAL_LIMITS))
    rare = np.cumsum(rest) / max(2.0**16 - usual.sum(), 1.0) * 2.0**32
    return np.append(np.cumsum(usual), np.minimum(np.rint(rare), 2.0**32 - 1)).astype(np.uint32)
