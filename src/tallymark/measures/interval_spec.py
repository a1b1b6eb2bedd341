"""How the interval of a measure is made, as the measure declares it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class IntervalSpec:
    """How an interval is made: the kind, of which measures or slopes it is made, and what turns it into this
    one's."""

    kind: str
    of: tuple[Callable[..., Any], ...] = ()
    transform: Callable[..., Any] | None = None

    def __str__(self) -> str:
        names = " and ".join(function.__name__ for function in self.of)
        return f"{self.kind} of {names}" if names and not names.startswith(("_", "<")) else self.kind


def difference_of(first: Callable[..., Any], second: Callable[..., Any]) -> IntervalSpec:
    """Of first - second, two proportions of cases that are counted apart."""
    return IntervalSpec("difference", (first, second))


def quotient_of(first: Callable[..., Any], second: Callable[..., Any]) -> IntervalSpec:
    """Of first / second, two proportions of cases that are counted apart."""
    return IntervalSpec("quotient", (first, second))


def function_of(inner: Callable[..., Any], transform: Callable[..., Any]) -> IntervalSpec:
    """Of a measure that rises, or falls, with another one: transform(inner) is its value."""
    return IntervalSpec("function", (inner,), transform)


def mapped(inner: Callable[..., Any], transform: Callable[..., Any]) -> IntervalSpec:
    """Of a measure of ranking tables that the class sizes of a table turn into this one.

    transform(inner, table, **parameters) is its value; of the table it reads the class sizes alone.
    """
    return IntervalSpec("mapped", (inner,), transform)


def smaller_of(first: Callable[..., Any], second: Callable[..., Any]) -> IntervalSpec:
    """Of the smaller of two functions of the counts, where they cross and it has a kink."""
    return IntervalSpec("smaller", (first, second))


def delta(slope: Callable[..., Any], kind: str = "delta") -> IntervalSpec:
    """By the delta method, or a kind that uses it; slope: of a matrix of shares, how the measure changes with
    each share."""
    return IntervalSpec(kind, (slope,))


def fisher(standard_error: Callable[..., Any]) -> IntervalSpec:
    """By a standard error from the Fisher information: standard_error(table, name of the measure)."""
    return IntervalSpec("fisher", (standard_error,))
