"""Intervals of the area under the ROC curve."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf, isnan, sqrt

from ...input.messages import Note, joined
from ...input.names import listed
from ..doubt import deciding, few_cases
from ..results import Interval
from . import delong
from .scale import ROUNDING, normal_quantile, student_quantile, wald_on_scale

FEW_CASES = 10  # of a class, for the notice on them
FEW_MISPLACED = 2  # cases of the smaller class on the wrong side
FEW_FOR_PLAIN = 5  # the same, for a symmetric interval
UNLIKE = 3  # ratio of the class sizes
HALF = 0.5
SEPARATED = Note("separated")
TIED = Note("scores-all-tied")
MISPLACED = Note("few-misplaced")
ONE_CASE = Note("one-case-in-a-class")
OTHER_SHAPES = Note("class-sizes-unlike")
CUT = Note("bound-cut")


@dataclass(frozen=True, slots=True)
class Area:
    """An area under the ROC curve, and the quantities for its interval.

    variance: by DeLong, NaN with one case in a class; tied: the proportion of pairs with the same score;
    positives, negatives: the class sizes; shape: a function that returns `delong.shape_of`; df, doubt: the
    degrees of freedom of DeLong's variance, which may be few with weights, and the note on that.
    """

    value: float
    variance: float
    tied: float
    positives: float
    negatives: float
    shape: Callable[[], float]
    df: float = inf
    doubt: Note | None = None

    @property
    def fewer(self) -> float:
        """The number of cases in the smaller class."""
        return min(self.positives, self.negatives)

    @property
    def misplaced(self) -> float:
        """The number of misplaced cases of the smaller class, on average.

        Where it is small the variance is uncertain.
        """
        return self.fewer * min(self.value, 1 - self.value)

    @property
    def few(self) -> Note | None:
        """The note that the interval may be too narrow, as where few cases have scores of their own."""
        untied = self.fewer * (1 - self.tied)
        return self.doubt if self.tied < HALF else few_cases(untied) or self.doubt


def of_area(area: Area, level: float, method: str) -> Interval:
    """The interval by this method; exact instead where the variance is 0."""
    at_an_end = min(area.value, 1 - area.value) <= ROUNDING
    by_delong = method.startswith("delong")
    if method != "newcombe" and (at_an_end or (by_delong and area.variance <= ROUNDING**2)):
        return _exact(area, level)
    if by_delong and isnan(area.variance):
        return _newcombe(area, level, "newcombe", ONE_CASE)
    return METHODS[method](area, level)


def _exact(area: Area, level: float) -> Interval:
    bound = delong.separated(area.fewer, level)
    if abs(area.value - HALF) < HALF / 2:
        return Interval(bound / 2, 1 - bound / 2, "exact", TIED)
    low, high = (bound, 1.0) if area.value > HALF else (0.0, 1 - bound)
    return Interval(min(low, area.value), max(high, area.value), "exact", SEPARATED)


def _newcombe(area: Area, level: float, method: str, note: Note | None, times: float = 1.0) -> Interval:
    low, high = delong.newcombe(area.value, area.positives, area.negatives, level, times)
    return Interval(low, high, method, note)


@listed(
    "interval",
    "tm.evaluate(..., auc_interval='delong-logit')",
    name="delong-logit",
    aka=("logit_delong",),
    command="--auc-interval delong-logit",
)
def delong_logit(area: Area, level: float) -> Interval:
    """DeLong's variance on the logit scale: within (0, 1), and skewed near the ends.

    For weighted cases with Student's t. Where few cases are misplaced, so that the variance is uncertain,
    Newcombe's pseudo-score interval with DeLong's variance in place of his: its coverage is at least the
    nominal one there (docs/intervals.md).
    """
    if area.misplaced < FEW_MISPLACED:
        wider = (student_quantile(level, area.df) / normal_quantile(level)) ** 2
        return _newcombe(area, level, "delong-score", area.few or MISPLACED, area.shape() * wider)
    error = sqrt(area.variance)
    low, high = wald_on_scale(area.value, error, (0.0, 1.0), level, area.df)
    return Interval(low, high, "delong-logit" if area.df == inf else "delong-logit-t", area.few, error)


@listed(
    "interval",
    "tm.evaluate(..., auc_interval='delong')",
    name="delong",
    aka=("ci_auc",),
    command="--auc-interval delong",
)
def plain_delong(area: Area, level: float) -> Interval:
    """area +- z times DeLong's standard error, clipped to [0, 1].

    Source: DeLong and others (1988).
    """
    return _plain(area, area.variance, level, "delong", area.few)


@listed(
    "interval",
    "tm.evaluate(..., auc_interval='hanley-mcneil')",
    name="hanley-mcneil",
    aka=("hanley_and_mcneil",),
    command="--auc-interval hanley-mcneil",
)
def hanley_mcneil(area: Area, level: float) -> Interval:
    """area +- z times Hanley and McNeil's standard error, clipped to [0, 1].

    It follows from the area and the class sizes. Source: Hanley and McNeil (1982).
    """
    variance = delong.hanley_mcneil_variance(area.value, area.positives, area.negatives)
    return _plain(area, variance, level, "hanley-mcneil", _of_unlike_sizes(area))


def _plain(area: Area, variance: float, level: float, method: str, note: Note | None) -> Interval:
    error = sqrt(variance)
    step = normal_quantile(level) * error
    low, high = area.value - step, area.value + step
    few = deciding(area.misplaced) if area.misplaced < FEW_FOR_PLAIN else None
    notes = joined(few or note, CUT if low < 0 or high > 1 else None)
    return Interval(max(low, 0.0), min(high, 1.0), method, notes, error)


@listed(
    "interval",
    "tm.evaluate(..., auc_interval='newcombe')",
    name="newcombe",
    aka=("newcombe_pseudo_score",),
    command="--auc-interval newcombe",
)
def newcombe(area: Area, level: float) -> Interval:
    """Newcombe's pseudo-score interval, from the area and the class sizes alone."""
    return _newcombe(area, level, "newcombe", _of_unlike_sizes(area))


def _of_unlike_sizes(area: Area) -> Note | None:
    return OTHER_SHAPES if max(area.positives, area.negatives) > UNLIKE * area.fewer else None


METHODS = {
    "delong-logit": delong_logit,
    "delong": plain_delong,
    "hanley-mcneil": hanley_mcneil,
    "newcombe": newcombe,
}
