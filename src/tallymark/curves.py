"""Curves: a summary of every threshold, as points."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from . import validate
from .measures.rates import false_positive_rate, precision, sensitivity
from .summaries import RankingTable


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """Points in the order of falling thresholds.

    x, y, threshold: arrays of one length; step: whether y holds from a point back to the one before (else straight lines);
    baseline: the y of a classifier that knows nothing, at both ends of x; x_name, y_name: what the axes show.
    """

    name: str
    x: np.ndarray
    y: np.ndarray
    threshold: np.ndarray
    x_name: str
    y_name: str
    baseline: tuple[float, float]
    step: bool = False

    def __len__(self) -> int:
        return len(self.x)

    def __iter__(self) -> Iterator[np.ndarray]:
        """x, y, threshold: so that a curve can be taken apart."""
        return iter((self.x, self.y, self.threshold))

    def __repr__(self) -> str:
        return f"Curve({self.name}: {self.y_name} against {self.x_name}, {len(self)} points)"


def roc(table: RankingTable) -> Curve:
    """True against false positive rate, from (0, 0) to (1, 1). Source: Berrar, Fig. 5a; Tharwat, Alg. 1."""
    counts = table.sweep()
    names = "false positive rate", "true positive rate"
    return Curve("roc", false_positive_rate(counts), sensitivity(counts), table.thresholds, *names, (0.0, 1.0))


def pr(table: RankingTable) -> Curve:
    """Precision against recall, as steps, their area being the average precision.

    The first point (recall 0) is drawn level with the second, where precision is 0/0. Source: Tharwat, section on PR curves.
    """
    counts, share = table.sweep(), table.positives / table.total
    y = precision(counts)
    y[0] = y[1]
    return Curve("pr", sensitivity(counts), y, table.thresholds, "recall", "precision", (share, share), step=True)


CURVES: dict[str, Callable[[RankingTable], Curve]] = {function.__name__: function for function in (roc, pr)}


def curve(name: str, table: RankingTable) -> Curve:
    """The curve of that name. Raises InputError for an unknown one."""
    return CURVES[validate.choice(name, CURVES, "curve")](table)
