"""Declarations of how the interval of a measure is made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class IntervalSpec:
    """How an interval is made.

    Parameters
    ----------
    kind : str
        The name of the method.
    of : tuple of callable
        The measures or the slopes that the interval is made from.
    transform : callable or None
        The function that turns their interval into that of the measure.
    """

    kind: str
    of: tuple[Callable[..., Any], ...] = ()
    transform: Callable[..., Any] | None = None

    def __str__(self) -> str:
        names = " and ".join(function.__name__ for function in self.of)
        return f"{self.kind} of {names}" if names and not names.startswith(("_", "<")) else self.kind


def difference_of(first: Callable[..., Any], second: Callable[..., Any]) -> IntervalSpec:
    """The interval of first - second, two proportions of different cases."""
    return IntervalSpec("difference", (first, second))


def function_of(inner: Callable[..., Any], transform: Callable[..., Any]) -> IntervalSpec:
    """The interval of transform(inner), a monotone function of another measure."""
    return IntervalSpec("function", (inner,), transform)


def mapped(inner: Callable[..., Any], transform: Callable[..., Any]) -> IntervalSpec:
    """The interval of a measure that is a function of another one and of the class sizes.

    transform(inner, table, **parameters) is its value; it depends on the class sizes of the table alone.
    """
    return IntervalSpec("mapped", (inner,), transform)


def smaller_of(first: Callable[..., Any], second: Callable[..., Any]) -> IntervalSpec:
    """The interval of the smaller of two functions of the counts, which has a kink where they cross."""
    return IntervalSpec("smaller", (first, second))


def delta(slope: Callable[..., Any], kind: str = "delta") -> IntervalSpec:
    """The interval by the delta method, or by a kind that uses it.

    slope: the derivative of the measure by each proportion, as a function of a matrix of proportions and of
    the parameters of the measure.
    """
    return IntervalSpec(kind, (slope,))


def jackknife(of_sums: Callable[..., Any]) -> IntervalSpec:
    """The interval by leaving out each case. of_sums: the measure as a function of `Residuals.sums`."""
    return IntervalSpec("jackknife", (of_sums,))
