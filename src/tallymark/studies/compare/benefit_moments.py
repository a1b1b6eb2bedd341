"""The net benefit at several thresholds, and the covariance of its estimates.

At a threshold t a positive predicted positive adds 1 to the net benefit, and a negative predicted positive
adds -t / (1 - t); other cases add 0. The difference of two models on the same cases is the mean of the
differences by case, so that its covariance over the thresholds is the covariance of these. Source: Vickers
and Elkin (2006), Medical Decision Making 26, 565-574.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...evaluation.paired.comparison import deciding
from ...evaluation.paired.models import Model
from ...inference.bootstrap.percentiles import HALF_A_CASE
from ...input.weighting import effective
from ...summaries import LogitTable
from ...summaries.ranking import sigmoid

CELLS = 1 << 21  # of sums by unit and threshold in memory at a time


@dataclass(frozen=True, eq=False)
class Moments:
    """The net benefit at T thresholds, or a difference of two, with its covariance.

    value: (T,); covariance: (T, T); df: (T,) degrees of freedom; apart: (T,) number of discordant cases,
    infinite where models have different cases.
    """

    value: np.ndarray
    covariance: np.ndarray
    df: np.ndarray
    apart: np.ndarray

    @property
    def variance(self) -> np.ndarray:
        return np.diagonal(self.covariance)

    def less(self, other: Moments) -> Moments:
        """The difference of two on different cases, with Satterthwaite's degrees of freedom."""
        total = self.variance + other.variance
        parts = self.variance**2 / self.df + other.variance**2 / other.df
        df = np.divide(total**2, parts, out=np.ones_like(total), where=parts > 0)
        return Moments(
            self.value - other.value, self.covariance + other.covariance, df, np.full(len(total), np.inf)
        )


@dataclass(frozen=True, eq=False)
class Answers:
    """The predictions of one model, or two, at ascending thresholds.

    positive: (n,) booleans; reached: for each model (n,), the number of thresholds at which a case is
    predicted positive; weight: (n,); odds: (T,) of the thresholds; unit: (n,), the cluster of each case;
    grouped: whether there are clusters. Without clusters a unit holds the cases of one class that have the
    same predictions.
    """

    positive: np.ndarray
    reached: tuple[np.ndarray, ...]
    weight: np.ndarray
    odds: np.ndarray
    unit: np.ndarray
    grouped: bool

    @classmethod
    def of(cls, models: Sequence[Model], at: np.ndarray) -> Answers:
        one = models[0]
        positive, weight = one.truth == 1, np.ones(len(one.truth)) if one.weight is None else one.weight
        reached = tuple(_reached(model, at) for model in models)
        unit = _alike(positive, reached, len(at)) if one.clusters is None else one.clusters
        return cls(positive, reached, weight, at / (1 - at), unit, one.clusters is not None)

    def taken(self, rows: Any) -> Answers:
        reached = tuple(each[rows] for each in self.reached)
        return Answers(
            self.positive[rows], reached, self.weight[rows], self.odds, self.unit[rows], self.grouped
        )

    def added(self, row: Any, rows: int) -> np.ndarray:
        """(rows, T): the weighted contributions to the net benefit, or to the difference, by row.

        row: of each case. At the k-th threshold the cases that reach more than k count: cumulative sums of a
        histogram, from the right.
        """
        size = len(self.odds) + 1
        sums: list[np.ndarray] = []
        for of in (self.positive, ~self.positive):
            held = [np.bincount(row * size + each, self.weight * of, rows * size) for each in self.reached]
            steps = (held[0] - held[1] if len(held) > 1 else held[0]).reshape(rows, size)
            sums.append(np.cumsum(steps[:, ::-1], axis=1)[:, -2::-1])
        found: np.ndarray = sums[0] - self.odds * sums[1]
        return found

    @property
    def total(self) -> np.ndarray:
        """(T,): the contributions of all cases."""
        found: np.ndarray = self.added(np.zeros(len(self.unit), np.int64), 1)[0]
        return found

    @property
    def half_cases(self) -> np.ndarray:
        """The covariance that half a discordant case of each class adds, for each model.

        Such a case is predicted positive by that model alone, at all thresholds. Without it an interval is
        too narrow where there are few discordant cases, or none, and a single one would decide.
        """
        found: np.ndarray = (
            HALF_A_CASE
            * len(self.reached)
            * float((self.weight**2).mean())
            * (1 + np.outer(self.odds, self.odds))
        )
        return found

    @property
    def rarest(self) -> np.ndarray:
        """(T,): the number of cases with the rarer prediction, the smallest for any model."""
        called = np.array([self._called(each) for each in self.reached])
        found: np.ndarray = np.minimum(called, len(self.unit) - called).min(axis=0)
        return found

    @property
    def apart(self) -> np.ndarray:
        """(T,): the number of discordant cases of two models; infinite for one model."""
        if len(self.reached) < 2:
            return np.full(len(self.odds), np.inf)
        either, both = np.maximum(*self.reached), np.minimum(*self.reached)
        found: np.ndarray = self._called(either) - self._called(both)
        return found

    def _called(self, reached: np.ndarray) -> np.ndarray:
        """(T,): the number of cases predicted positive at each threshold."""
        found: np.ndarray = np.cumsum(np.bincount(reached, minlength=len(self.odds) + 1)[::-1])[-2::-1]
        return found


def _reached(model: Model, at: np.ndarray) -> np.ndarray:
    cases = model.cases
    score = sigmoid(cases.score.astype(float)) if issubclass(cases.kind, LogitTable) else cases.score
    found: np.ndarray = np.searchsorted(at.astype(score.dtype), score, side="right")
    return found


def _alike(positive: np.ndarray, reached: tuple[np.ndarray, ...], number: int) -> np.ndarray:
    """A number for each case, the same for cases of one class with the same predictions."""
    code = positive.astype(np.int64)
    for each in reached:
        code = code * (number + 1) + each
    return np.unique(code, return_inverse=True)[1]


def moments(models: Sequence[Model], at: np.ndarray, fixed: bool) -> Moments:
    """The net benefit of one model, or of the first less the second on the same cases."""
    all_of = Answers.of(models, at)
    both = all_of.positive.any() and not all_of.positive.all()
    parts = [all_of.taken(all_of.positive), all_of.taken(~all_of.positive)] if fixed and both else [all_of]
    weight = float(all_of.weight.sum())
    found = [_scatter(part) for part in parts]
    covariance = (sum(squares for squares, _ in found) + all_of.half_cases) / weight**2
    spread = sum(np.diagonal(squares) ** 2 / max(free, 1.0) for squares, free in found) / weight**4
    free = np.divide(np.diagonal(covariance) ** 2, spread, out=np.full(len(at), np.inf), where=spread > 0)
    df = np.maximum(np.minimum(free, np.minimum(deciding(models[0]), all_of.rarest) - 1), 1.0)
    return Moments(all_of.total / weight, covariance, df, all_of.apart)


def _scatter(part: Answers) -> tuple[np.ndarray, float]:
    """The sum of squares and products of the units' deviations from the mean, and its df.

    It is scaled to be unbiased.
    """
    part = part.taken(np.argsort(part.unit, kind="stable"))
    known, row = np.unique(part.unit, return_inverse=True)
    size = np.bincount(row, part.weight)
    mean = part.total / part.weight.sum()
    # for independent cases
    times = np.ones(len(known)) if part.grouped else np.bincount(row, part.weight**2) / size**2
    found, step = np.zeros((len(mean),) * 2), max(CELLS // (len(mean) + 1), 1)
    for start in range(0, len(known), step):
        some, here = slice(*np.searchsorted(row, [start, start + step])), slice(start, start + step)
        off = part.taken(some).added(row[some] - start, len(size[here])) - size[here, None] * mean
        found += (off * times[here, None]).T @ off
    sizes = size if part.grouped else part.weight
    number = effective(sizes.sum(), (sizes**2).sum())
    cases = float(len(known)) if part.grouped else number
    return found * (cases / (cases - 1) if cases > 1 else np.nan), number - 1
