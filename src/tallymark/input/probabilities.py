"""Checks of probabilities: of one per case, and of one per class, which must add up to 1."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .errors import InputError
from .messages import Note
from .spelling import either, option
from .validate import no_gaps, refuse_rows, scores

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .columns import Column

# that rounding, also in single precision, may leave a probability outside [0, 1], or a sum away from 1
SLACK = 1e-6
FEWEST_DECIMALS = 2  # with a single one, numbers that add up to 0.9 may be anything
# by which rounding to decimals may leave a sum away from 1: coarser numbers are not probabilities
ROUGHEST = 0.1
HALF_PRECISION = float(np.finfo(np.float16).eps)  # by which float16 may leave a sum away from 1
FIRST = 1000  # numbers that are looked at before all others
DIVIDED = "divide each row by its sum"
PERCENTS = 2.0  # from where on the largest score may be one


def check(column: Column) -> None:
    """Raises InputError unless all numbers lie in [0, 1], up to rounding."""
    array = scores(column)
    bad = ~((array >= -SLACK) & (array <= 1 + SLACK))
    if bad.any():
        percents = np.nanmin(array) >= 0 and PERCENTS <= np.nanmax(array) <= 100
        by = f", or divide percents by 100{either(' (tallymark.convert.linear with low=0, high=100)', '')}"
        problem = "{value} in {row} is not a probability"
        refuse_rows(column, bad, problem, _turned("sigmoid") + by * bool(percents), array)


def no_distribution(table: np.ndarray, epsilon: float = np.finfo(float).eps) -> np.ndarray:
    """For each row, whether a number is outside [0, 1] or the sum is not 1, up to rounding.

    epsilon: the precision of the numbers.
    """
    with np.errstate(invalid="ignore"):
        off = np.abs(table.sum(axis=1) - 1)
        inside = ((table >= -SLACK) & (table <= 1 + SLACK)).all(axis=1)
    bad: np.ndarray = ~inside | ~(off <= SLACK)
    if (inside & bad).any():
        bad = ~inside | ~(off <= _slack_of_sums(table, epsilon))
    return bad


def _slack_of_sums(table: np.ndarray, epsilon: float) -> float:
    """The tolerance of sums: half a unit of the last decimal per column, or that of float16."""
    columns = table.shape[1]
    most = int(np.log10(columns / 2 / SLACK))  # with more decimals the rounding error is below SLACK
    with np.errstate(over="ignore"):
        half = bool((table.astype(np.float16) == table).all())
    epsilon = HALF_PRECISION if half else epsilon
    decimals = next((d for d in range(FEWEST_DECIMALS, most + 1) if _has_decimals(table, d, epsilon)), None)
    by_decimals = 0.0 if decimals is None else min(columns / 2 / 10**decimals, ROUGHEST)
    return max(by_decimals * (1 + SLACK), HALF_PRECISION if half else SLACK)


def _has_decimals(table: np.ndarray, decimals: int, epsilon: float) -> bool:
    """Whether all numbers have at most so many decimals, up to their precision."""
    unit = 10.0**decimals
    if unit * epsilon > 1 / 8:
        return False
    with np.errstate(invalid="ignore"):  # of infinity
        parts = (part * unit for part in (table.ravel()[:FIRST], table))
        return all(bool((np.abs(part - np.rint(part)) <= unit * epsilon).all()) for part in parts)


def why_no_distribution(row: np.ndarray) -> Note:
    """Why a row is not a distribution."""
    outside = row[~((row >= -SLACK) & (row <= 1 + SLACK))]
    return (
        Note("score-outside", score=float(outside[0]))
        if len(outside)
        else Note("scores-of-a-case", sum=float(row.sum()))
    )


def nearly_distributions(table: np.ndarray) -> bool:
    """Whether all numbers lie in [0, 1] and every row adds up to about 1, as the votes of a forest may."""
    inside = bool(((table >= -SLACK) & (table <= 1 + SLACK)).all())
    return inside and bool((np.abs(table.sum(axis=1) - 1) <= ROUGHEST).all())


def check_rows(columns: list[Column], called: str = "score") -> None:
    """Raises InputError unless every row lies in [0, 1] and adds up to 1. called: in messages."""
    held = np.stack([scores(column) for column in columns], axis=1)
    table = held.astype(np.float64)
    bad = no_distribution(table, float(np.finfo(held.dtype).eps))
    if bad.any():
        row = int(bad.argmax())
        raise InputError(
            "invalid-value",
            called,
            f"in {columns[0].row(row)} {why_no_distribution(table[row])}, so they are not probabilities",
            DIVIDED if nearly_distributions(table) else _turned("softmax"),
            row=columns[0].number(row),
        )


def some_finite(columns: list[Column], called: str = "score") -> None:
    """Raises InputError unless the maximum of every row is finite, as softmax requires."""
    highest = np.max([scores(column) for column in columns], axis=0)
    bad = np.isinf(highest)
    if bad.any():
        row = int(bad.argmax())
        raise InputError(
            "invalid-value",
            called,
            f"in {columns[0].row(row)} the highest logit is {highest[row]:g}",
            "give finite logits, or -inf for some classes",
            row=columns[0].number(row),
            value=highest[row],
        )


def check_two(both: Sequence[Column], role: str, alone: str) -> None:
    """Raises InputError unless the two numbers of each row are probabilities that add up to 1.

    Up to rounding. alone: how to pass the column of the positive class only.
    """
    for column in both:
        no_gaps(column)
    if _add_up(*(scores(column) for column in both)):
        return
    held = np.stack([scores(column) for column in both], axis=1)
    table = held.astype(np.float64)
    bad = no_distribution(table, float(np.finfo(held.dtype).eps))
    if bad.any():
        row = int(bad.argmax())
        one, other = table[row]
        raise InputError(
            "invalid-value",
            role,
            f"in {both[0].row(row)} the two columns hold {one:.10g} and {other:.10g}, not the probabilities"
            " of two classes, which add up to 1",
            f"{DIVIDED * nearly_distributions(table)}{', or ' * nearly_distributions(table)}"
            f"pass the column of the positive class alone, as {alone}",
            row=both[0].number(row),
        )


def _add_up(one: np.ndarray, other: np.ndarray) -> bool:
    """Whether all pairs lie in [0, 1] and add up to 1, within less than any rounding error."""
    if not len(one):
        return True
    with np.errstate(invalid="ignore"):  # of infinities
        off = np.abs(np.add(one, other, dtype=np.float64) - 1)
    return bool(
        off.max() <= SLACK
        and min(one.min(), other.min()) >= -SLACK
        and max(one.max(), other.max()) <= 1 + SLACK
    )


def _turned(into: str) -> str:
    """What to do with scores that are not probabilities."""
    how = either(f" (tallymark.convert.{into})", "")
    return f"turn scores into probabilities first{how}, or pass {option('score_kind', 'logit')}"
