"""Classifiers without scores as points in ROC space: which dominate, and which are best at some cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from math import inf
from typing import Any, ClassVar

from ..inference import Estimate, Settings, estimate
from ..input.calls import public
from ..input.errors import InputError
from ..input.names import listed
from ..input.results import Answer, ByName, Plotted, Result, Tabular, number_of, rows_of
from ..input.validate import shown
from ..summaries import Counts
from .results import BinaryEvaluation

ROUNDING = 1e-12  # of a product of rates, which puts no point between two others on the hull
RATES = ("false_positive_rate", "sensitivity")
Place = tuple[float, float]  # false positive rate, sensitivity
Slopes = tuple[float, float]


@dataclass(frozen=True, slots=True, repr=False)
class RocPoint(Result):
    """A classifier in ROC space.

    Attributes
    ----------
    false_positive_rate, sensitivity : Estimate
        Its place.
    dominated_by : tuple of str
        The classifiers with a sensitivity that is no lower and a false positive rate that is no higher, not
        both equal.
    slopes : tuple of float, or None
        Where it is a corner of the convex hull of all points, of (0, 0) and of (1, 1), the lowest and the
        highest ratio (negatives x cost of a false positive) / (positives x cost of a false negative) for
        which no other classifier costs less; None elsewhere.
    """

    INFINITE = True

    false_positive_rate: Estimate
    sensitivity: Estimate
    dominated_by: tuple[str, ...] = ()
    slopes: Slopes | None = None

    @property
    def place(self) -> Place:
        """The false positive rate and the sensitivity."""
        return self.false_positive_rate.value, self.sensitivity.value

    def __repr__(self) -> str:
        fpr, tpr = self.place
        over = f", dominated by {len(self.dominated_by)}" if self.dominated_by else ""
        return f"<RocPoint: false positive rate {fpr:.4g}, sensitivity {tpr:.4g}{over}>"


@dataclass(frozen=True, eq=False, repr=False)
class RocPoints(ByName, Answer, Tabular, Plotted, Mapping[str, RocPoint]):
    """Classifiers as points in ROC space, by name.

    Attributes
    ----------
    classifiers : mapping of str to RocPoint
        In the order given.
    level : float
        The confidence level of the intervals.

    Notes
    -----
    Dominance is that of the points, which have intervals: `compare` tests the differences of classifiers on
    the same cases.
    """

    ANSWER: ClassVar[str] = "roc_points"
    FORM: ClassVar[str] = "measures.roc_points"
    FIGURE: ClassVar[str] = "roc_points"
    HOLDS: ClassVar[str | None] = None
    PARTS, PART = "classifiers", "a classifier"

    classifiers: Mapping[str, RocPoint]
    level: float

    def __repr__(self) -> str:
        best = ", ".join(name for name, one in self.items() if one.slopes is not None)
        return f"<RocPoints of {len(self)} classifiers; on the hull: {best or 'none'}>"

    @classmethod
    def rows_in(cls, plain: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The rows of `table`, one per classifier."""
        return rows_of(
            {
                "classifier": name,
                **{f"{rate}{end}": one[rate][key] for rate in RATES for end, key in ENDS.items()},
                "dominated_by": ", ".join(one["dominated_by"]) or None,
                "least_slope": None if one["slopes"] is None else number_of(one["slopes"][0]),
                "greatest_slope": None if one["slopes"] is None else number_of(one["slopes"][1]),
            }
            for name, one in plain["classifiers"].items()
        )


ENDS = {"": "value", "_low": "low", "_high": "high"}


@listed(
    "function",
    "tm.roc_points(...)",
    aka=("crisp_classifiers", "discrete_classifiers", "points_in_roc_space", "dominance"),
    terms=(
        "roc_space",
        "discrete_outputs",
        "one_point_in_roc_space",
        "single_point_in_roc_space",
    ),
    command="tallymark roc-points",
)
@public()
def roc_points(classifiers: Mapping[str, Any], /, *, level: float = 0.95) -> RocPoints:
    """Place classifiers that answer with labels in ROC space, and find which dominate which.

    Parameters
    ----------
    classifiers : mapping of str to Counts or evaluation
        By name the two-by-two table of each classifier, or its evaluation of two classes (at its threshold,
        if it has scores), as from ``evaluate(truth=, predicted={"a": ..., "b": ...})``.
    level : float, default 0.95
        Confidence level of the intervals of counts; evaluations have their own.

    Returns
    -------
    RocPoints
        By name the point, the classifiers that dominate it, and for which costs it is best. `plot` draws
        them.

    Raises
    ------
    InputError
        For anything else than named tables and evaluations of two classes, and where a class has no cases.

    References
    ----------
    Tharwat, section 3 and Fig. 5; Provost and Fawcett (2001), Machine Learning 42, 203-231.

    Examples
    --------
    >>> import tallymark as tm
    >>> result = tm.roc_points(
    ...     {"a": tm.Counts(tp=60, fp=10, fn=40, tn=90), "b": tm.Counts(tp=50, fp=20, fn=50, tn=80)}
    ... )
    >>> result["b"].dominated_by
    ('a',)
    """
    if not isinstance(classifiers, Mapping) or not classifiers:
        problem = f"{shown(classifiers)} has no named classifiers"
        raise InputError("needed", "classifiers", problem, 'pass some, as {"a": tallymark.Counts(...)}')
    settings = Settings(level=level)
    placed = {str(name): _point(str(name), one, settings) for name, one in classifiers.items()}
    corners = _slopes({name: one.place for name, one in placed.items()})
    found = {
        name: RocPoint(
            one.false_positive_rate, one.sensitivity, _dominating(name, placed), corners.get(one.place)
        )
        for name, one in placed.items()
    }
    return RocPoints(found, level)


def _point(name: str, given: Any, settings: Settings) -> RocPoint:
    """The place of a classifier. Raises InputError unless both classes have cases."""
    if isinstance(given, BinaryEvaluation):
        found = [given[rate] for rate in RATES]
    elif isinstance(given, Counts) and not hasattr(given.tp, "shape"):
        found = [estimate(rate, given, settings) for rate in RATES]
    else:
        problem = f"{name!r} is {shown(type(given).__name__)}, not a table or an evaluation of two classes"
        raise InputError(
            "invalid-value", "classifiers", problem, "pass Counts of four numbers, or evaluate(...)"
        )
    for rate, one in zip(RATES, found, strict=True):
        if one.value != one.value:
            problem = f"{name!r} has no {rate}: {one.undefined}"
            raise InputError("empty", "classifiers", problem, "cases of both classes are needed")
    return RocPoint(found[0], found[1])


def _dominating(name: str, placed: Mapping[str, RocPoint]) -> tuple[str, ...]:
    """The classifiers that are no worse in either rate, and better in one."""
    fpr, tpr = placed[name].place
    places = {other: one.place for other, one in placed.items()}
    return tuple(other for other, (x, y) in places.items() if x <= fpr and y >= tpr and (x, y) != (fpr, tpr))


def _slopes(places: Mapping[str, Place]) -> dict[Place, Slopes]:
    """By corner of the upper hull, the slopes of the sides after and before it."""
    hull: list[Place] = []
    for point in sorted({(0.0, 0.0), (1.0, 1.0), *places.values()}):
        while len(hull) > 1 and not _turns_right(hull[-2], hull[-1], point):
            hull.pop()
        hull.append(point)
    sides = [inf, *(_slope(*both) for both in pairwise(hull)), 0.0]
    both = zip(hull, sides[1:], sides[:-1], strict=True)
    return {corner: (low, high) for corner, low, high in both if low < high}


def _turns_right(first: Place, second: Place, third: Place) -> bool:
    one, other = ((end[0] - first[0], end[1] - first[1]) for end in (second, third))
    return one[0] * other[1] < one[1] * other[0] - ROUNDING


def _slope(first: Place, second: Place) -> float:
    across = second[0] - first[0]
    return (second[1] - first[1]) / across if across else inf
