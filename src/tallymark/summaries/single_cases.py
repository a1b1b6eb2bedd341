"""Cases one by one, of which a resample is a summary with a leading axis: `resampled(weights)`.

As `ScoredCases` of two classes: here those with labels, scores of several classes, several labels, or
amounts. `strata` are codes of the actual classes, all 0 where there are none; `weight` is None where each
case counts once; `charged` is what the losses of single cases are functions of.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .. import kernels
from .class_scores import ClassScores
from .confusion import ConfusionMatrix
from .counts import Counts
from .indicators import IndicatorTable
from .residuals import Residuals

Summaries = Iterable[Any]


@dataclass(frozen=True, eq=False)
class LabelledCases:
    """Cases with a true and a predicted class, as codes of the labels; the last answer may be no class."""

    labels: tuple[Any, ...]
    strata: np.ndarray
    answers: np.ndarray
    weight: np.ndarray | None = None
    ordered: bool | None = False
    charged: Any = None

    def __len__(self) -> int:
        return len(self.strata)

    def taken(self, rows: Any, weight: np.ndarray | None) -> LabelledCases:
        """These rows, with weights of theirs."""
        return replace(self, strata=self.strata[rows], answers=self.answers[rows], weight=weight)

    def resampled(self, weight: np.ndarray) -> Summaries:
        """The confusion matrices. weight: shape (replicates, cases)."""
        size = len(self.labels) + int(self.answers.max(initial=0) == len(self.labels))
        cells = kernels.sums_of_each(self.strata * size + self.answers, weight, size * size)
        return (ConfusionMatrix.of(self.labels, cells.reshape(-1, size, size), self.ordered),)


@dataclass(frozen=True, eq=False)
class ClassScoreCases:
    """Cases with a score per class."""

    charged: ClassScores
    weight: np.ndarray | None = None
    ordered: bool | None = False

    @property
    def strata(self) -> np.ndarray:
        return self.charged.truth

    def __len__(self) -> int:
        return len(self.charged.truth)

    def taken(self, rows: Any, weight: np.ndarray | None) -> ClassScoreCases:
        """These rows, with weights of theirs."""
        t, ones = self.charged, np.ones(len(self))
        score = type(t)(t.labels, t.truth[rows], t.score[rows], ones[rows] if weight is None else weight)
        return ClassScoreCases(score, weight, self.ordered)

    def resampled(self, weight: np.ndarray) -> Summaries:
        """The tables, and the confusion matrices where the highest score is the answer."""
        table = self.charged.resampled(weight)
        return table.confusion(self.ordered), table


class _IndicatorSums(IndicatorTable):
    """The counts of each label in resamples, without those of pairs."""

    def one_vs_rest(self) -> Counts:
        tp, fp, fn = np.moveaxis(self.together.reshape(len(self.together), 3, -1), 1, 0)
        return Counts.of(tp, fp, fn, np.maximum(np.asarray(self.total)[:, None] - tp - fp - fn, 0.0))


@dataclass(frozen=True, eq=False)
class IndicatorCases:
    """Cases with several labels: which they have, and which are predicted, bool of shape (cases, labels)."""

    labels: tuple[Any, ...]
    truth: np.ndarray
    predicted: np.ndarray
    weight: np.ndarray | None = None
    charged: Any = None

    @property
    def strata(self) -> np.ndarray:
        return np.zeros(len(self), np.uint8)

    def __len__(self) -> int:
        return len(self.truth)

    def taken(self, rows: Any, weight: np.ndarray | None) -> IndicatorCases:
        """These rows, with weights of theirs."""
        return replace(self, truth=self.truth[rows], predicted=self.predicted[rows], weight=weight)

    def resampled(self, weight: np.ndarray) -> Summaries:
        """The tables of the labels."""
        t, p = self.truth, self.predicted
        sums = weight @ np.hstack([t & p, ~t & p, t & ~p, (t == p).all(1)[:, None]]).astype(float)
        return (_IndicatorSums._of(self.labels, sums[:, :-1], weight.sum(-1), sums[:, -1]),)


@dataclass(frozen=True, eq=False)
class AmountCases:
    """Cases with the error of a predicted amount, ascending, and the actual amount."""

    charged: np.ndarray
    truth: np.ndarray | None
    weight: np.ndarray | None = None

    @property
    def strata(self) -> np.ndarray:
        return np.zeros(len(self), np.uint8)

    def __len__(self) -> int:
        return len(self.charged)

    def taken(self, rows: Any, weight: np.ndarray | None) -> AmountCases:
        """These rows, with weights of theirs."""
        return AmountCases(self.charged[rows], None if self.truth is None else self.truth[rows], weight)

    def resampled(self, weight: np.ndarray) -> Summaries:
        """The residuals."""
        return (Residuals.of(self.charged, weight, None, self.truth),)
