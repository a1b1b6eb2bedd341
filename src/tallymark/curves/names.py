"""The curves by name, entered where they are defined."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from ..input.names import listed
from .curve import Curve

Shows = Literal["", "distance", "crossing"]
CURVES: dict[str, Callable[..., Curve]] = {}
OF_PROBABILITIES: list[str] = []


@dataclass(frozen=True, slots=True)
class Caption:
    """What a picture of a curve says of it.

    title: its usual name; measure: the name of the measure that summarises it, None where there is none;
    label: the name of that measure there; baseline: what the `baseline` of the curve is; references: the
    names of those of its `others` that are classifiers which ignore the scores; marked: whether a threshold
    is one of its points; shows: what the measure is on two lines, their largest "distance" or their
    "crossing".
    """

    title: str
    measure: str | None = None
    label: str = ""
    baseline: str = ""
    references: tuple[str, ...] = ()
    marked: bool = True
    shows: Shows = ""


CAPTIONS: dict[str, Caption] = {}


def entered(function: Callable[..., Curve]) -> Callable[..., Curve]:
    """Enters a function of a RankingTable under its own name."""
    CURVES[function.__name__] = function
    return function


def of_probabilities(function: Callable[..., Curve]) -> Callable[..., Curve]:
    """Enters a function for scores that are probabilities."""
    OF_PROBABILITIES.append(function.__name__)
    return entered(function)


def has_own_band(name: str) -> bool:
    """Whether the function of that curve makes its band itself, with `level=` and `band=`."""
    return name in CURVES and "band" in inspect.signature(CURVES[name]).parameters


def caption(
    title: str,
    measure: str | None = None,
    *,
    label: str = "",
    baseline: str = "",
    references: tuple[str, ...] = (),
    marked: bool = True,
    shows: Shows = "",
    aka: tuple[str, ...] = (),
) -> Callable[[Callable[..., Curve]], Callable[..., Curve]]:
    """Gives a curve its caption; the arguments are those of `Caption`, and `aka` its other names."""

    def give(function: Callable[..., Curve]) -> Callable[..., Curve]:
        name = function.__name__
        CAPTIONS[name] = Caption(title, measure, label, baseline, references, marked, shows)
        entered = listed("curve", f'ev.curve("{name}")', aka=aka, command=f"tallymark curve {name}")
        return entered(function)

    return give
