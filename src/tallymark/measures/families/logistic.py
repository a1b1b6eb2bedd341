"""Logistic regression of the actual class on the logit of the predicted probability.

Newton's method on the ranking table, for two coefficients in closed form, for all replicates at once.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...summaries import RankingTable
from ...summaries.finite_logits import LOGITS, STEEPEST, FiniteLogits, finite_logits, points_of
from ...summaries.logits import sigmoid
from ..needs import Needs
from . import areas

STEPS, HALVINGS = 200, 40
BEYOND = 1_000.0  # distance from the extreme logits at which every probability is 0 or 1
CLOSE, NEARLY = 1e-13, 1e-6  # the step at which the search ends; the step above which it failed


Curvature = tuple[Any, Any, Any]  # in a, in both, in b
Slopes = tuple[tuple[Any, Any], Curvature]

OF_LOGITS = Needs((LOGITS,))
LARGEST = 1e100  # whose square does not overflow


class Line(NamedTuple):
    """Intercept and slope of the regression on the logit."""

    intercept: Any
    slope: Any


def line(t: RankingTable) -> Line:
    """The maximum likelihood line; NaN where the classes do not overlap, so that there is none."""
    if "line" not in t.kept:
        t.kept["line"] = _line(t)
    kept: Line = t.kept["line"]
    return kept


def _line(t: RankingTable) -> Line:
    there, points = areas.plain(np.where(t.logit_overlap > 0, 0.0, np.nan)), points_of(t)
    if points is not None:
        found = _line_of(points, there)
        if abs(found.slope) <= STEEPEST:
            return found
    return _line_of(finite_logits(t), there)


def _line_of(logits: FiniteLogits, there: Any) -> Line:
    """there: 0 where there is a line, else NaN."""
    if not np.size(logits.x):
        return Line(there + np.nan, there + np.nan)
    centre, unit = float(logits.x.mean()), _spread(logits.x) or 1.0
    a, b = _most_likely((logits.x - centre) / unit, logits.positive, logits.total)
    return Line(*(areas.plain(part) + there for part in (a - b * centre / unit, b / unit)))


def _spread(x: np.ndarray) -> float:
    """The standard deviation, also of numbers whose squares overflow."""
    largest = float(np.abs(x).max())
    return largest * float((x / largest).std()) if largest > LARGEST else float(x.std())


def _most_likely(z: np.ndarray, positive: np.ndarray, total: np.ndarray) -> tuple[Any, Any]:
    """a and b at the maximum of the likelihood; NaN where it was not found."""
    rate = _start(positive, total)
    a, b = np.log(rate) - np.log1p(-rate), np.zeros_like(rate)
    here = _slopes(a, b, z, positive, total)
    for _ in range(STEPS):
        da, db = _solved(*here)
        a, b, here, size = _stepped((a, b), (da, db), here, (z, positive, total))
        if not (size > CLOSE * (1 + np.abs(a) + np.abs(b))).any():
            break
    missed = np.where(size > NEARLY * (1 + np.abs(a) + np.abs(b)), np.nan, 0.0)
    return a + missed, b + missed


def _stepped(
    at: tuple[Any, Any], step: tuple[Any, Any], here: Slopes, cases: tuple[np.ndarray, np.ndarray, np.ndarray]
) -> tuple[Any, Any, Slopes, Any]:
    """A Newton step, halved while the likelihood falls there as steeply as it rose at the start."""
    (a, b), (da, db), ((u, v), _) = at, step, here
    rise = u * da + v * db
    for _ in range(HALVINGS):
        (u, v), _ = there = _slopes(a + da, b + db, *cases)
        too_far = u * da + v * db < -np.abs(rise)
        if not too_far.any():
            break
        da, db, rise = (np.where(too_far, part / 2, part) for part in (da, db, rise))
    return a + da, b + db, there, np.maximum(np.abs(da), np.abs(db))


def level(t: RankingTable) -> Any:
    """The maximum likelihood estimate of a shift of all logits."""
    if "level" not in t.kept:
        t.kept["level"] = _level(t)
    return t.kept["level"]


def _level(t: RankingTable) -> Any:
    logits = _points_or_all(t)
    x, total, wanted = logits.x, logits.total, logits.positive.sum(-1)
    there = np.where((t.logit_positives > 0) & (t.logit_negatives > 0), 0.0, np.nan)
    ends = (-float(x.max()) - BEYOND, -float(x.min()) + BEYOND) if len(x) else (-BEYOND, BEYOND)
    low, high = (np.full(wanted.shape, end) for end in ends)
    a = np.clip(np.zeros(wanted.shape), low, high)
    for _ in range(STEPS):
        p = sigmoid(areas.column(a) + x) if a.ndim else sigmoid(a + x)
        missing, known = wanted - (total * p).sum(-1), (total * p * (1 - p)).sum(-1)
        low, high = np.where(missing > 0, a, low), np.where(missing > 0, high, a)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            newton = a + missing / known
        new = np.where((newton >= low) & (newton <= high), newton, (low + high) / 2)
        moved, a = np.abs(new - a), new
        if not (moved > CLOSE * (1 + np.abs(a))).any():
            break
    return areas.plain(a + there)


def influence_at(logits: FiniteLogits, t: RankingTable, name: str) -> np.ndarray:
    """The influence of a positive and of a negative at each of these logits on a calibration measure.

    name: calibration_slope, calibration_intercept or calibration_in_the_large. The values, of shape (2,
    logits) and per unit of weight, are the inverse curvature times the score function; NaN if the likelihood
    is flat.
    Source: Huber (1967); White (1982).
    """
    x, total = logits.x, logits.total
    if name == "calibration_in_the_large":
        slopes, p = np.ones((1, len(x))), sigmoid(level(t) + x)
    else:
        found = line(t)
        slopes, p = np.stack([np.ones_like(x), x]), sigmoid(found.intercept + found.slope * x)
    with np.errstate(all="ignore"):
        try:
            inverse = np.linalg.inv(np.einsum("in,jn,n->ij", slopes, slopes, total * p * (1 - p)))
        except np.linalg.LinAlgError:
            return np.full((2, len(x)), np.nan)
        row = np.einsum("j,jn->n", inverse[-1 if name == "calibration_slope" else 0], slopes)
        values: np.ndarray = np.stack([row * (1 - p), -row * p])
    return values


def _points_or_all(t: RankingTable) -> FiniteLogits:
    """The points of a large table, for shifts of the logits; all finite logits of others."""
    points = points_of(t)
    return finite_logits(t) if points is None else points


def _start(positive: np.ndarray, total: np.ndarray) -> np.ndarray:
    with np.errstate(invalid="ignore"):
        rate = np.asarray(positive.sum(-1) / total.sum(-1))
    return np.where((rate > 0) & (rate < 1), rate, 0.5)


def _slopes(a: Any, b: Any, z: np.ndarray, positive: np.ndarray, total: np.ndarray) -> Slopes:
    """The slopes of the log-likelihood in a and in b, and its curvature."""
    p = sigmoid(np.asarray(a)[..., None] + np.asarray(b)[..., None] * z)
    rest, spread = positive - total * p, total * p * (1 - p)
    return (rest.sum(-1), _times(rest, z)), (spread.sum(-1), _times(spread, z), _times(spread, z * z))


def _times(values: np.ndarray, z: np.ndarray) -> Any:
    return np.einsum("...i,i->...", values, z)  # independent of the BLAS


def _solved(slopes: tuple[Any, Any], curvature: Curvature) -> tuple[Any, Any]:
    (u, v), (aa, ab, bb) = slopes, curvature
    with np.errstate(divide="ignore", invalid="ignore"):
        known = aa * bb - ab * ab
        da, db = (bb * u - ab * v) / known, (aa * v - ab * u) / known
    return np.nan_to_num(da, nan=0.0, posinf=0.0, neginf=0.0), np.nan_to_num(
        db, nan=0.0, posinf=0.0, neginf=0.0
    )
