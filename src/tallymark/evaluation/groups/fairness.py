"""Criteria of fairness between groups: the largest difference and the smallest ratio, with intervals."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from math import exp, isnan, nan
from typing import Any

import numpy as np

from ...inference import Estimate
from ...input.messages import Note, joined
from ...input.results import Answer, Result, Tabular, rows_of
from ...input.validate import InputError, NoSuchEntry, nearest, shown
from ..notices import Notice
from .differences import CROSSED

METHOD = "sidak-pairs"
IN_THE_LARGE = "calibration_in_the_large"
CALIBRATION = (IN_THE_LARGE, "calibration_slope", "expected_calibration_error")
CRITERIA: Mapping[str, tuple[str, ...]] = {
    "demographic_parity": ("predicted_prevalence",),
    "equalised_odds": ("sensitivity", "false_positive_rate"),
    "equal_opportunity": ("sensitivity",),
    "predictive_parity": ("precision",),
    "calibration_within_groups": (IN_THE_LARGE,),
}
SPELLED = {"equalized_odds": "equalised_odds", "statistical_parity": "demographic_parity"}


@dataclass(frozen=True, eq=False, repr=False)
class Disparity(Result):
    """How far groups are apart by one criterion.

    Attributes
    ----------
    criterion : str
        Its name.
    measures : tuple of str
        The measures that should be equal in all groups.
    difference : Estimate
        The highest value of a group less the lowest; of several measures the largest such difference.
    ratio : Estimate
        The lowest value divided by the highest; of several measures the smallest such ratio. Of
        `calibration_within_groups`, whose measure is a logarithm of odds, the ratio of the odds.
    measure, lowest, highest : str or None
        The measure with the largest difference, and the groups with its lowest and highest value; None where
        there is none.
    """

    criterion: str
    measures: tuple[str, ...]
    difference: Estimate
    ratio: Estimate
    measure: str | None
    lowest: str | None
    highest: str | None

    def to_dict(self) -> dict[str, Any]:
        """Strict JSON values."""
        return {
            "measures": list(self.measures),
            "measure": self.measure,
            "lowest": self.lowest,
            "highest": self.highest,
            "difference": self.difference.to_dict(),
            "ratio": self.ratio.to_dict(),
        }


@dataclass(frozen=True, eq=False, repr=False)
class Fairness(Answer, Tabular, Mapping[str, Disparity]):
    """Criteria of fairness between groups, by name.

    Attributes
    ----------
    criteria : mapping of str to Disparity
        "demographic_parity" (of the share that is predicted positive), "equalised_odds" (of sensitivity and
        of the false positive rate), "equal_opportunity" (of sensitivity), "predictive_parity" (of precision),
        and of probabilities "calibration_within_groups" (of calibration in the large).
    by : tuple of str
        The columns of the groups.
    groups : tuple of str
        The groups that are compared.
    left_out : tuple of str
        Those with fewer than 10 cases of a class, which are not.
    level : float
        The confidence level of each interval.
    calibration : mapping of str to mapping of str to Estimate
        Of probabilities, by measure ("calibration_in_the_large", "calibration_slope",
        "expected_calibration_error") and group, the values within the group, with intervals that hold
        together (Sidak). A group is calibrated where they are 0, 1 and 0.
    notices : tuple of Notice
        On the data.

    Notes
    -----
    The largest difference of several estimates is biased upwards, and its interval allows for that: it goes
    from the largest lower to the largest upper bound of the differences of each two groups, whose intervals
    hold together (Sidak, 1967); likewise that of the smallest ratio. It contains the true value with a
    confidence of at least `level`.
    """

    ANSWER = "fairness"
    FORM = "groups.fairness"
    HOLDS = None

    criteria: Mapping[str, Disparity]
    by: tuple[str, ...]
    groups: tuple[str, ...]
    left_out: tuple[str, ...]
    level: float
    calibration: Mapping[str, Mapping[str, Estimate]] = field(default_factory=dict)
    notices: tuple[Notice, ...] = ()

    def __getitem__(self, name: str) -> Disparity:
        """A criterion by its name. Raises InputError for an unknown one."""
        known = SPELLED.get(name, name) if isinstance(name, str) else None
        if known not in self.criteria:
            problem = f"{shown(name)} is not a criterion here{nearest(name, self.criteria)}"
            raise NoSuchEntry(
                "unknown-name", None, problem, f"there are {', '.join(self.criteria)}", value=name
            )
        return self.criteria[known]

    def __iter__(self) -> Iterator[str]:
        return iter(self.criteria)

    def __len__(self) -> int:
        return len(self.criteria)

    @classmethod
    def rows_in(cls, plain: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The rows of `table`, two per criterion, the difference and the ratio."""
        return rows_of(
            {"criterion": name, "kind": kind, **{key: one[key] for key in ABOUT}, **one[kind]}
            for name, one in plain["criteria"].items()
            for kind in KINDS
        )

    @classmethod
    def estimates_in(cls, plain: Mapping[str, Any]) -> Mapping[Any, Mapping[str, Any]]:
        """The estimates by criterion and kind, and those of calibration by measure and group."""
        found = {(name, kind): one[kind] for name, one in plain["criteria"].items() for kind in KINDS}
        within = plain.get("calibration", {})
        return found | {(name, group): e for name, every in within.items() for group, e in every.items()}

    def to_dict(self) -> dict[str, Any]:
        """Plain values: the groups, how the intervals are made, and the criteria."""
        return {
            **self._begin(),
            "by": list(self.by),
            "groups": list(self.groups),
            "left_out": list(self.left_out),
            "level": self.level,
            "method": METHOD,
            "criteria": {name: one.to_dict() for name, one in self.items()},
            "calibration": {
                name: {group: found.to_dict() for group, found in every.items()}
                for name, every in self.calibration.items()
            },
        }

    def __repr__(self) -> str:
        return f"<Fairness of {len(self.groups)} groups by {', '.join(self.by)}: {', '.join(self)}>"


KINDS, ABOUT = ("difference", "ratio"), ("measure", "lowest", "highest")
EstimatesOf = Callable[[str, float], Sequence[Estimate]]  # of each group, of a measure at a level


def disparity(
    criterion: str, groups: Sequence[str], estimates: EstimatesOf, level: float, crossed: bool
) -> Disparity:
    """How far these groups are apart by a criterion.

    crossed: whether clusters have cases in several groups.
    """
    measures = CRITERIA[criterion]
    pairs = len(list(combinations(groups, 2))) * len(measures)
    if not pairs:
        gone = Estimate(nan, level=level, undefined=Note("fewer-than-two-groups"))
        return Disparity(criterion, measures, gone, gone, None, None, None)
    each = level ** (1 / pairs)
    spreads = [Spread(name, groups, estimates(name, each)) for name in measures]
    reason = (CROSSED,) if crossed else next((one.no_interval for one in spreads if one.no_interval), ())
    odds = criterion == "calibration_within_groups"
    known = [one for one in spreads if one.extremes is not None]
    difference = _together([one.gap for one in spreads], max, level, reason)
    of_values = [one.ratio for one in spreads]
    ratio = _inverse(difference) if odds else _together(of_values, min, level, reason)
    if difference.undefined or not known:
        return Disparity(criterion, measures, difference, ratio, None, None, None)
    widest = max(known, key=lambda one: one.gap[0])
    assert widest.extremes is not None
    return Disparity(criterion, measures, difference, ratio, widest.measure, *widest.extremes)


Bounds = tuple[float, float, float]  # value, low and high


def _together(
    found: Sequence[Bounds], extreme: Callable[..., float], level: float, reason: Sequence[Note]
) -> Estimate:
    """The extreme of several values, and of their bounds."""
    value, low, high = (extreme(one[i] for one in found) for i in range(3))
    if any(isnan(one[0]) for one in found):
        return Estimate(nan, level=level, undefined=Note("undefined-in-a-group"))
    if reason or isnan(low) or isnan(high):
        return Estimate(value, level=level, notes=joined(*reason))
    return Estimate(value, low, high, level, METHOD)


def _inverse(found: Estimate) -> Estimate:
    """The ratio of odds of a difference of their logarithms."""
    if found.undefined:
        return found
    if not found.has_interval:
        return Estimate(exp(-found.value), level=found.level, notes=found.notes)
    return Estimate(exp(-found.value), exp(-found.high), exp(-found.low), found.level, METHOD)


def calibration_within(
    groups: Sequence[str], measures: Sequence[str], estimates: EstimatesOf, level: float
) -> dict[str, dict[str, Estimate]]:
    """By measure and group, the estimates with intervals that hold together."""
    if not groups or not measures:
        return {}
    each = level ** (1 / (len(groups) * len(measures)))
    return {name: dict(zip(groups, estimates(name, each), strict=True)) for name in measures}


class Spread:
    """The values of a measure in several groups, with intervals that hold together for their differences."""

    def __init__(self, measure: str, groups: Sequence[str], found: Sequence[Estimate]):
        self.measure, self.groups, self.found = measure, groups, found
        self.value = np.array([one.value for one in found])
        self.low = np.array([one.low if one.has_interval else nan for one in found])
        self.high = np.array([one.high if one.has_interval else nan for one in found])

    @property
    def no_interval(self) -> tuple[Note, ...]:
        """Why a value has no interval, of the first that has none."""
        for name, one in zip(self.groups, self.found, strict=True):
            if not one.has_interval and not one.undefined:
                return (Note("value-without-interval", model=name, because=one.notes),)
        return ()

    @property
    def extremes(self) -> tuple[str, str] | None:
        """The groups with the lowest and the highest value; None where one is undefined."""
        if np.isnan(self.value).any():
            return None
        return self.groups[int(self.value.argmin())], self.groups[int(self.value.argmax())]

    @cached_property
    def gap(self) -> Bounds:
        """The highest value less the lowest, with the largest bounds of the differences of each two."""
        value, below, above = self.value, self.value - self.low, self.high - self.value
        apart = value[:, None] - value
        low = apart - np.hypot(below[:, None], above)
        high = apart + np.hypot(above[:, None], below)
        np.fill_diagonal(low, -np.inf)
        np.fill_diagonal(high, -np.inf)
        return float(apart.max()), max(float(low.max()), 0.0), float(high.max())

    @cached_property
    def ratio(self) -> Bounds:
        """The lowest value divided by the highest, with the smallest bounds of the ratios of each two.

        The bounds combine the two intervals on the logarithmic scale; those of 0 have the lower bound 0.
        """
        if np.isnan(self.value).any() or not self.value.max() > 0:
            return nan, nan, nan
        with np.errstate(divide="ignore", invalid="ignore"):
            value, low, high = (np.log(part) for part in (self.value, self.low, self.high))
            apart = value[:, None] - value
            below, above = value - low, high - value
            lower = np.exp(apart - np.hypot(below[:, None], above))
            upper = np.exp(apart + np.hypot(above[:, None], below))
            of_zero = (self.value == 0)[:, None] & (self.value > 0)
            upper = np.where(of_zero, self.high[:, None] / self.low, upper)
        lower, upper = np.where(of_zero, 0.0, lower), np.where(np.isnan(upper) & ~of_zero, np.inf, upper)
        usable = (self.value > 0)[None, :] & ~np.eye(len(value), dtype=bool)
        found = float(self.value.min() / self.value.max())
        least, most = (float(np.where(usable, part, np.inf).min()) for part in (lower, upper))
        return found, min(least, found), min(max(most, found), 1.0)


def refuse_other_tasks(task: str) -> None:
    """Raises InputError for anything but two classes."""
    if task != "binary":
        problem = f"the criteria are of two classes, and this is {task}"
        raise InputError("unsupported", "fairness", problem, "take one class against the rest")
