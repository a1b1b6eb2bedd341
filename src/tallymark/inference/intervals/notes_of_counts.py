"""Notes on intervals from few or unequally weighted counts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ...input.messages.notes import Note
from ...summaries import Counts
from .. import effective
from ..effective import (
    ENOUGH,
    UNSURE,
    cells_of,
    numbers,
    spread,
    squares_of,
)
from ..effective import parts as parts
from ..results import Interval
from ..weighted_mix import fixed_by_weights

FEW_IN_A_CELL = 5  # cases, below which resampled counts, and halves, cover 92 to 99 %
POINTS = 16  # at which it is tried on what a measure depends
ONE_CELL = Note("few-in-a-count", limit=FEW_IN_A_CELL)
EVERY_CELL = np.ones(4)


def noted(where: np.ndarray, note: Note, otherwise: Any = None) -> np.ndarray:
    """The note where it applies; otherwise: None, a note, or an array of as many entries."""
    notes = np.empty(np.shape(where), object)
    notes[...] = otherwise
    notes[where] = note
    return notes


def few_notes(counts: Counts) -> np.ndarray:
    """The notes on few cases in a cell, or on weights that vary among few cases."""
    return noted(_few(counts), ONE_CELL, noted(unsure(counts, [EVERY_CELL]), UNSURE))


def unsure(counts: Counts, several: Sequence[np.ndarray]) -> np.ndarray:
    """Whether weights vary among cells that count together, and one of them has few cases.

    The squared weights are then uncertain, too.
    """
    size = np.where(cells_of(counts) > 0, numbers(counts), np.inf)
    few = (
        (size[one > 0] < ENOUGH).any(0) & (spread(counts, one) > 1 + effective.ROUNDING) for one in several
    )
    found: np.ndarray = np.any(list(few), axis=0)
    return found


def without_spread(found: Interval, function: Callable[..., Any], counts: Counts) -> Interval:
    """The interval, withheld where one case has nearly all the weight in the cells that a measure depends on.

    The error of the value would then be that of the other cases alone.
    """
    if counts.squares is None:
        return found
    blind = one_case_decides(function, counts)
    if not blind.any():
        return found
    low, high, error = (
        np.where(blind, np.nan, part) for part in (found.low, found.high, found.standard_error)
    )
    return replace(
        found, low=low, high=high, standard_error=error, notes=noted(blind, effective.ONE_CASE, found.notes)
    )


def one_case_decides(function: Callable[..., Any], counts: Counts) -> np.ndarray:
    """Whether one case has nearly all the weight in the cells that a measure depends on.

    Its weight is unlike those of the same class, and those with the same prediction: class weights, and
    weights by the prediction, say how many cases a single one stands for.
    """
    used = cells_used(function)
    cells, squares = (np.reshape(part, (4, -1)) for part in (cells_of(counts), squares_of(counts)))
    few = (used @ cells) ** 2 < effective.LEAST * (used @ squares)
    with np.errstate(divide="ignore", invalid="ignore"):
        unit = np.where(cells > 0, squares / cells, np.nan)
    heaviest = np.argmax(used[:, None] * squares, axis=0)[None]
    own, *others = (
        np.take_along_axis(of, heaviest, 0)[0]
        for of in (unit, unit[effective.SAME_TRUTH], unit[effective.SAME_PREDICTION])
    )
    known = ~np.isnan(others)
    unlike = known.any(0) & np.all(~known | (own > effective.UNLIKE * np.array(others)), axis=0)
    found: np.ndarray = few & unlike & ~np.reshape(fixed_by_weights(counts), -1)
    return found


def cells_used(function: Callable[..., Any]) -> np.ndarray:
    """On which of the four cells a measure depends, as 1 and 0."""
    cells = np.random.default_rng(0).uniform(10, 100, (POINTS, 4))
    with np.errstate(divide="ignore", invalid="ignore"):
        value, *others = (
            np.asarray(function(Counts.of(*(cells * factor).T)), float)
            for factor in (np.ones(4), *(1 + np.eye(4)))
        )
        found: np.ndarray = np.array([(abs(other - value) > effective.ROUNDING).any() for other in others])
    return found.astype(float)


def _few(counts: Counts) -> np.ndarray:
    found: np.ndarray = np.any(numbers(counts) < FEW_IN_A_CELL, axis=0)
    return found
