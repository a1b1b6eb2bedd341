"""Criteria of fairness between groups: the largest difference and the smallest ratio, with intervals."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import exp, isnan, nan
from typing import Any

import numpy as np

from ...inference import Estimate
from ...inference.contrast import CROSSED, side
from ...input.messages import Note, joined
from ...input.results import Answer, ByName, Result, Tabular, plain, rows_of
from ...input.sample import Array
from ...input.validate import InputError
from ..notices import Notice
from .differences import Compared

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

    PLAIN = "measures measure lowest highest difference ratio"

    criterion: str
    measures: tuple[str, ...]
    difference: Estimate
    ratio: Estimate
    measure: str | None
    lowest: str | None
    highest: str | None


@dataclass(frozen=True, eq=False, repr=False)
class Fairness(ByName, Answer, Tabular, Mapping[str, Disparity]):
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
    PARTS, PART = "criteria", "a criterion"

    criteria: Mapping[str, Disparity]
    by: tuple[str, ...]
    groups: tuple[str, ...]
    left_out: tuple[str, ...]
    level: float
    calibration: Mapping[str, Mapping[str, Estimate]] = field(default_factory=dict)
    notices: tuple[Notice, ...] = ()

    def _name_of(self, name: Any) -> Any:
        return SPELLED.get(name, name)

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
            "criteria": plain(self.criteria),
            "calibration": plain(self.calibration),
        }

    def __repr__(self) -> str:
        return f"<Fairness of {len(self.groups)} groups by {', '.join(self.by)}: {', '.join(self)}>"


KINDS, ABOUT = ("difference", "ratio"), ("measure", "lowest", "highest")
UNDEFINED = Note("undefined-in-a-group")


def disparity(
    criterion: str, groups: Sequence[str], level: float, compared_at: Callable[[float], Compared]
) -> Disparity:
    """How far these groups are apart by a criterion.

    compared_at: the groups, by the level of a single interval.
    """
    measures = CRITERIA[criterion]
    pairs = len(groups) * (len(groups) - 1) // 2 * len(measures)
    if not pairs:
        gone = Estimate(nan, level=level, undefined=Note("fewer-than-two-groups"))
        return Disparity(criterion, measures, gone, gone, None, None, None)
    compared = compared_at(level ** (1 / pairs))
    spreads = [Spread.of(name, groups, compared) for name in measures]
    reason = next((one.no_interval for one in spreads if one.no_interval), ())
    difference = _together([one.gap for one in spreads], max, level, reason)
    if criterion == "calibration_within_groups":
        ratio = _ratio_of_odds(difference)
    else:
        ratio = _together([one.ratio for one in spreads], min, level, reason)
    if difference.undefined:
        return Disparity(criterion, measures, difference, ratio, None, None, None)
    widest = max(spreads, key=lambda one: one.gap[0])
    lowest, highest = (groups[int(at)] for at in (widest.value.argmin(), widest.value.argmax()))
    return Disparity(criterion, measures, difference, ratio, widest.measure, lowest, highest)


Bounds = tuple[float, float, float]  # value, low and high


def _together(
    found: Sequence[Bounds], extreme: Callable[..., float], level: float, reason: Sequence[Note]
) -> Estimate:
    """The extreme of several values, and of their bounds."""
    value, low, high = (extreme(one[i] for one in found) for i in range(3))
    if any(isnan(one[0]) for one in found):
        return Estimate(nan, level=level, undefined=UNDEFINED)
    if reason or isnan(low) or isnan(high):
        return Estimate(value, level=level, notes=joined(*reason))
    return Estimate(value, low, high, level, METHOD)


def _ratio_of_odds(found: Estimate) -> Estimate:
    """The ratio of odds of a difference of their logarithms."""
    if found.undefined or not found.has_interval:
        value = nan if found.undefined else exp(-found.value)
        return Estimate(value, level=found.level, undefined=found.undefined, notes=found.notes)
    return Estimate(exp(-found.value), exp(-found.high), exp(-found.low), found.level, METHOD)


@dataclass(frozen=True, eq=False)
class Spread:
    """The values of a measure in several groups, with intervals that hold together for their differences.

    value, low, high: by group; correlation: of each two; no_interval: why there is none.
    """

    measure: str
    value: Array
    low: Array
    high: Array
    correlation: Array
    no_interval: tuple[Note, ...]

    @classmethod
    def of(cls, measure: str, groups: Sequence[str], compared: Compared) -> Spread:
        found = [compared.estimate(name, measure) for name in groups]
        value, low, high = np.array([(one.value, one.low, one.high) for one in found]).T
        reasons = [
            Note("value-without-interval", model=name, because=one.notes)
            for name, one in zip(groups, found, strict=True)
            if not one.has_interval and not one.undefined
        ]
        r = np.zeros((len(groups), len(groups)))
        if compared.influences.crossed and not reasons:
            r = compared.influences.correlations(measure, groups)
            reasons = [CROSSED] * bool(np.isnan(r).any())
        return cls(measure, value, low, high, r, tuple(reasons[:1]))

    @property
    def gap(self) -> Bounds:
        """The highest value less the lowest, with the largest bounds of the differences of each two."""
        apart, low, high = self._pairs(self.value, self.low, self.high)
        np.fill_diagonal(low, -np.inf)
        np.fill_diagonal(high, -np.inf)
        return float(apart.max()), max(float(low.max()), 0.0), float(high.max())

    def _pairs(self, value: Array, low: Array, high: Array) -> tuple[Array, Array, Array]:
        """(groups, groups): the value of each less that of each other, and its bounds."""
        below, above, apart = value - low, high - value, value[:, None] - value
        lower = apart - side(below[:, None], above, self.correlation)
        return apart, lower, apart + side(above[:, None], below, self.correlation)

    @property
    def ratio(self) -> Bounds:
        """The lowest value divided by the highest, with the smallest bounds of the ratios of each two.

        The bounds combine the two intervals on the logarithmic scale; those of 0 have the lower bound 0.
        """
        if np.isnan(self.value).any() or not self.value.max() > 0:
            return nan, nan, nan
        with np.errstate(divide="ignore", invalid="ignore"):
            _, lower, upper = np.exp(self._pairs(*np.log((self.value, self.low, self.high))))
            of_zero = (self.value == 0)[:, None] & (self.value > 0)
            upper = np.where(of_zero, self.high[:, None] / self.low, upper)
        lower, upper = np.where(of_zero, 0.0, lower), np.where(np.isnan(upper) & ~of_zero, np.inf, upper)
        usable = (self.value > 0)[None, :] & ~np.eye(len(self.value), dtype=bool)
        found = float(self.value.min() / self.value.max())
        least, most = (float(np.where(usable, part, np.inf).min()) for part in (lower, upper))
        return found, min(least, found), min(max(most, found), 1.0)


def refuse_other_tasks(task: str) -> None:
    """Raises InputError for anything but two classes."""
    if task != "binary":
        problem = f"the criteria are of two classes, and this is {task}"
        raise InputError("unsupported", "fairness", problem, "take one class against the rest")
