"""Averages over many classes: macro, weighted and micro.

They are the mean of a measure over the classes, weighted or not, or the measure of the sum of their counts. A
class for which the measure is undefined is left out, with its weight; the note states how many were.
Intervals allow for the fact that one case counts in several classes: an error is a false negative of one and
a false positive of another.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isfinite, isnan, sqrt
from typing import Any

import numpy as np

from ...input.listed import listed
from ...input.messages.notes import Note, Notes, joined
from ...measures.registry import NO_CLASS, Average
from ...summaries import ConfusionMatrix, Counts, IndicatorTable
from ..effective import (
    ENOUGH,
    UNSURE,
    cells_of,
    effective_parts,
    numbers,
    right_of_all,
    right_of_rows,
    varied,
)
from ..effective_freedom import factor_of_recalls, factor_of_right
from ..fixed_sizes import HELD
from ..results import Estimate, Interval, with_interval
from . import proportion
from .kinds import ROUNDING, Settings
from .of_counts import FEW_IN_A_CELL
from .scale import wald_on_scale

AT_AN_END = 1e-13  # difference of a mean from an end of the range due to rounding
STEP = 1e-4  # of a count, in a numerical derivative
POINTS = 65  # at which a function of the accuracy is evaluated, within its bounds
SAME = Note("equal-whatever-is-predicted")
NO_SPREAD = Note("classes-make-up-for-each-other")
BOTH_ENDS = Note("infinite-at-both-ends")
ONE_COUNT = Note("few-in-a-count-of-a-class", limit=FEW_IN_A_CELL)
SEVERAL = Note("several-labels")
CONSERVATIVE = Note("mean-of-bounds")


class Averages:
    """An average of one measure.

    average: of the catalogue; function: the measure of one class with its parameters bound; each: the
    estimates by class; table: the summary with the counts.
    """

    def __init__(
        self,
        average: Average,
        function: Callable[..., Any],
        each: list[Estimate],
        table: ConfusionMatrix | IndicatorTable,
        settings: Settings,
    ) -> None:
        self.kind, self.entry, self.function = average.kind_of_average, average.base, function
        self.each, self.table, self.settings = each, table, settings
        self.counts: Counts = table.one_vs_rest()
        self.values = np.array([found.value for found in each])
        self.defined = ~np.isnan(self.values)

    def estimate(self) -> Estimate:
        """The average with its interval."""
        found: Estimate = {"macro": self.macro, "weighted": self.weighted, "micro": self.micro}[self.kind]()
        return found

    @listed(
        "interval",
        "ev.averages['macro']['f1']",
        name="takahashi",
        aka=("macro_averaged_f1",),
        command="tallymark evaluate --all",
    )
    def macro(self) -> Estimate:
        """The unweighted mean over the classes, with a standard error by the delta method.

        That of f1 is Takahashi's; the interval is on the logit scale, so that it stays within the range.
        Source: Takahashi, Yamamoto, Kuchiba and Koyama (2022), Applied Intelligence 52, 4961-4972.
        """
        return self._mean(self.defined.astype(float), None)

    def weighted(self) -> Estimate:
        """The mean over the classes, weighted by the numbers of their actual cases.

        For sensitivity it is the proportion of cases found.
        """
        support = np.where(self.defined, self.counts.positives, 0.0)
        return self._mean(support, self.defined.astype(float))

    def micro(self) -> Estimate:
        """The measure of the sum of the counts of all classes."""
        pooled = self.counts.sum()
        value = float(self.function(pooled))
        if isnan(value):
            return Estimate(value, level=self.settings.level, undefined=self.entry.why_undefined(pooled))
        if isinstance(self.table, ConfusionMatrix) and self.table.unanswered is None:
            return self._of_accuracy(self.table, value, self.table.weights.trace() / self.table.total)
        slopes = _slopes(self.function, Counts.of(*cells_of(pooled)[:, None]))
        return self._estimate(
            value, np.repeat(slopes, len(self.table), 1), self.defined / max(self.defined.sum(), 1), None
        )

    def _mean(self, weight: np.ndarray, of_positives: np.ndarray | None) -> Estimate:
        """A weighted mean over the classes, with its interval.

        of_positives: the derivative of a class's weight by its actual cases, None for a constant weight.
        """
        there = weight > 0
        if of_positives is None and self._apart():
            return self._put_together(there)
        if not there.any():
            return Estimate(float("nan"), level=self.settings.level, undefined=NO_CLASS)
        share = weight / weight.sum()
        with np.errstate(invalid="ignore"):
            value = self._rounded(float(share[there] @ self.values[there]))
        if isnan(value):
            return Estimate(value, level=self.settings.level, undefined=BOTH_ENDS)
        if not isfinite(value):
            return Estimate(
                value, level=self.settings.level, notes=joined(self._left_out() or Note("infinite"))
            )
        slopes = np.where(there, share * _slopes(self.function, self.counts), 0.0)
        if of_positives is not None:
            pull = np.where(there, of_positives * (self.values - value), 0.0) / weight.sum()
            slopes = slopes + np.stack([pull, 0 * pull, pull, 0 * pull])
        return self._estimate(value, slopes, share, self._left_out())

    def _estimate(self, value: float, slopes: np.ndarray, share: np.ndarray, left: Note | None) -> Estimate:
        level, ends, held = self.settings.level, self.entry.range, self.settings.design == HELD
        if held and isinstance(self.table, IndicatorTable):
            return Estimate(value, level=level, notes=joined(left, SEVERAL))
        with np.errstate(invalid="ignore"):
            error = sqrt(self.table.total * self.table.case_variance(slopes, held))
        if ends[0] < value < ends[1]:
            if error <= ROUNDING / STEP * abs(value):
                return Estimate(value, level=level, notes=joined(left or NO_SPREAD))
            low, high = wald_on_scale(value, error, ends, level)
            few = (UNSURE if varied(self.table) else ONE_COUNT) if self._few(share) else None
            return Estimate(value, low, high, level, "delta", notes=joined(left, few), standard_error=error)
        return self._mean_of_bounds(value, share, left)

    def _rounded(self, value: float) -> float:
        """The value, set to an end of the range where it differs from that by rounding."""
        return next((end for end in self.entry.range if abs(value - end) < AT_AN_END), value)

    def _few(self, share: np.ndarray) -> bool:
        """Whether a class that counts has few cases of a kind, so that its variance is uncertain."""
        return bool(
            (numbers(self.counts)[:, share > 0] < (ENOUGH if varied(self.table) else FEW_IN_A_CELL)).any()
        )

    def _apart(self) -> bool:
        """Whether each case counts in one class only.

        That is so for a proportion of the cases of a true, or of a predicted, class. Where the sizes of the
        true classes are fixed, those of predicted classes are not numbers of independent cases.
        """
        made = self.entry.interval
        if made is None or made.kind != "proportion" or not isinstance(self.table, ConfusionMatrix):
            return False
        counted = ~np.isnan(self.function(Counts.of(*np.eye(4))))
        of_truth, of_prediction = [True, False, True, False], [True, True, False, False]
        return counted.tolist() == of_truth or (
            counted.tolist() == of_prediction and self.settings.design != HELD
        )

    def _put_together(self, there: np.ndarray) -> Estimate:
        """The mean of independent proportions."""
        if not there.any():
            return Estimate(float("nan"), level=self.settings.level, undefined=NO_CLASS)
        x, n = (part[there] for part in effective_parts(self.function, self.counts))
        found = proportion.mean_of(x, n, self.settings.level, self.settings.proportion)
        value = float(self.values[there].mean())
        return with_interval(value, found, self.settings.level, joined(self._left_out(), found.notes))

    def _left_out(self) -> Note | None:
        return left_out(self.table.labels, self.defined)

    def _mean_of_bounds(self, value: float, share: np.ndarray, left: Note | None) -> Estimate:
        """The mean of the bounds of the classes, where all values are at an end and have no spread."""
        bounds = np.array([(found.low, found.high) for found in self.each])[share > 0]
        with np.errstate(invalid="ignore"):
            low, high = np.einsum("i,ij->j", share[share > 0], bounds)
        if not (isfinite(low) and isfinite(high)) or high - low < ROUNDING:
            return Estimate(
                value, level=self.settings.level, notes=joined(left, self._why_none(share) or SAME)
            )
        low, high, notes = min(low, value), max(high, value), joined(left, CONSERVATIVE)
        return Estimate(value, low, high, self.settings.level, "mean of bounds", notes=notes)

    def _why_none(self, share: np.ndarray) -> Notes | None:
        """The note on why a class that counts has no interval."""
        return next(
            (one.notes for one, part in zip(self.each, share, strict=True) if part and not one.has_interval),
            None,
        )

    def _of_accuracy(self, table: ConfusionMatrix, value: float, right: float) -> Estimate:
        """The interval from that of the accuracy, for one label per case and the counts of all classes."""
        found = share_of_right(table, self.settings)
        if not found.method or isnan(found.low):
            return Estimate(value, level=self.settings.level, notes=joined(found.notes))
        # up to rounding
        share = np.clip(np.append(np.linspace(found.low, found.high, POINTS), right), 0.0, 1.0)
        n, classes = table.total, len(table)
        values = self.function(
            Counts.of(n * share, n * (1 - share), n * (1 - share), n * np.maximum(classes - 2 + share, 0.0))
        )
        values = values[~np.isnan(values)]
        low, high = min(values.min(), value), max(values.max(), value)
        if high - low < ROUNDING or not (isfinite(low) and isfinite(high)):
            return Estimate(
                value,
                level=self.settings.level,
                notes=joined(Note("infinite") if not isfinite(value) else SAME),
            )
        return Estimate(
            value, float(low), float(high), self.settings.level, found.method, notes=joined(found.notes)
        )


def share_of_right(matrix: ConfusionMatrix, settings: Settings, right: bool = True) -> Interval:
    """The interval of the proportion of correct, or wrong, cases."""
    if settings.design != HELD:
        times = factor_of_right(matrix, settings.level)
        return proportion.interval(*right_of_all(matrix, right), settings.level, settings.proportion, times)
    sizes = matrix.class_sizes
    there = sizes > 0
    x, n = (part[there] for part in right_of_rows(matrix))
    times = factor_of_recalls(matrix, settings.level)[there]
    return proportion.mean_of(
        x if right else n - x, n, settings.level, settings.proportion, sizes[there], times
    )


def left_out(labels: Sequence[Any], defined: np.ndarray) -> Note | None:
    """The note on the classes that an average leaves out; None if there are none."""
    missing = [label for label, there in zip(labels, defined.tolist(), strict=True) if not there]
    if not missing:
        return None
    return Note("undefined-classes", labels=tuple(missing), classes=len(labels))


def _slopes(function: Callable[..., Any], counts: Counts) -> np.ndarray:
    """The derivatives of each class's measure by its counts, shape (4, K); 0 for an empty count."""
    cells = cells_of(counts)
    slopes = np.zeros_like(cells)
    for i, cell in enumerate(cells):
        step = STEP * np.where(cell > 0, cell, 1.0)
        up, down = cells.copy(), cells.copy()
        up[i], down[i] = cell + step, cell - step
        with np.errstate(divide="ignore", invalid="ignore"):
            change = np.where(
                cell > 0, function(Counts.of(*up)) - function(Counts.of(*np.maximum(down, 0.0))), 0.0
            )
        slopes[i] = np.nan_to_num(change / (2 * step), nan=0.0, posinf=0.0, neginf=0.0)
    return slopes
