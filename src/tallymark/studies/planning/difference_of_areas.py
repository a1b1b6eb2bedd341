"""Plans for the difference of two areas, on the same cases or on different ones."""

from __future__ import annotations

from typing import Any, Protocol

from ...input import validate
from ...input.spelling import option
from ...input.validate import InputError
from .areas import without_power
from .design import Sampling, Sizes
from .plan import power_of


class Difference(Protocol):
    """The interval of first - second for given numbers of positives and negatives."""

    def fits(self, positives: Any, negatives: Any) -> Any:
        """Whether the interval is the one that is planned for."""

    def width(self, positives: Any, negatives: Any) -> Any:
        """The width of the interval, from its low to its high end."""

    def power(self, positives: Any, negatives: Any, room: float) -> Any:
        """The probability that the low end lies above the limit.

        room: the distance of the expected difference from the limit.
        """


def sizes_of_difference(
    found: Difference,
    cases: Sampling,
    room: float,
    margin: float,
    width: float | None,
    power: float | None,
    level: float,
) -> tuple[str, Sizes, float | None, float | None]:
    """The goal in words, the numbers of cases, the power that they have, and the one asked for.

    There is no power where a width is given.
    """
    interval = f"{100 * level:.4g}% interval of their difference"
    if width is not None:
        without_power(power)
        limit = validate.number(width, "width", 1e-9, 2.0)
        sizes = cases.sizes(lambda p, n: found.fits(p, n) & (found.width(p, n) <= limit), "width")
        return f"a {interval} no wider than {limit:g} (from low to high)", sizes, None, None
    wanted = power_of(power)
    sizes = cases.sizes(lambda p, n: found.fits(p, n) & (found.power(p, n, room) >= wanted), "first")
    reached = float(found.power(sizes.positives, sizes.negatives, room))
    return f"the {interval} above {-margin if margin else 0:g}", sizes, reached, wanted


def room_of(areas: tuple[float, float], margin: float, width: float | None) -> float:
    """The distance of the expected difference from the limit."""
    found = areas[0] - areas[1] + validate.number(margin, "margin", 0.0, 1.0)
    if width is not None and margin:
        raise InputError("conflict", "margin", "it is of a test", f"with {option('width')} leave it out")
    if width is not None or found > 0:
        return found
    if margin:
        raise InputError(
            "no-result",
            "margin",
            f"{areas[0]:g} is expected, not above {areas[1]:g} - {margin:g}, and no number of cases can"
            " show it",
        )
    way_out = (
        f"give a {option('margin')} that it may fall short by"
        if areas[0] == areas[1]
        else f"exchange the two, or give a {option('margin')}"
    )
    raise InputError(
        "no-result",
        "first",
        f"{areas[0]:g} is not above {areas[1]:g}, and no number of cases can show it",
        way_out,
    )
