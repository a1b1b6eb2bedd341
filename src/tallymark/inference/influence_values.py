"""Influence values: the contribution of each case to a measure.

The standard error of a difference of two models follows from theirs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from math import inf, nan, sqrt
from typing import Any

import numpy as np

from .. import kernels
from ..measures.registry import Measure
from ..summaries import Counts, RankingTable
from ..summaries.by_score import running
from ..summaries.cases import ScoredCases
from .degrees_of_freedom import degrees_of_freedom, freedom
from .effective_units import effective_number
from .intervals.means import STEP, mean_alone, slopes_with_prior

LOSSES = ("mean", "mean-of-prior")  # kinds of intervals
CASES_AT_ONCE = kernels.STRETCH


def of_loss(entry: Measure) -> bool:
    """Whether a measure is the mean of a loss per case, or a function of one and of the prevalence."""
    return (
        entry.summary is RankingTable
        and entry.loss is not None
        and entry.interval is not None
        and entry.interval.kind in LOSSES
    )


def known(entry: Measure) -> bool:
    """Whether the influence values of a measure of scores are known."""
    return entry.summary is RankingTable and (of_loss(entry) or entry.name in BY_NAME)


def influence_values(entry: Measure, parameters: dict[str, Any], cases: ScoredCases) -> np.ndarray:
    """The influence value of each case; their weighted mean is 0.

    parameters: all that the measure has.
    """
    if entry.name in BY_NAME:
        return BY_NAME[entry.name](cases)
    assert entry.interval is not None
    assert entry.loss is not None
    loss, weight = partial(entry.loss, **parameters), _weight(cases)
    if entry.interval.kind == "mean":
        return _centred(charges([loss], cases)[0], weight)
    return _with_prior(entry.of_mean or mean_alone, loss, cases, weight)


def _with_prior(
    function: Callable[[float, float], float],
    loss: Callable[..., Any],
    cases: ScoredCases,
    weight: np.ndarray,
) -> np.ndarray:
    """Those of a function of the mean of a loss and of the proportion of positives."""
    total = float(np.add.reduce(weight))
    prior = kernels.dot(weight, cases.positive.astype(float)) / total
    found: np.ndarray = charges([loss], cases, prior)[0]
    mean = kernels.dot(weight, found) / total

    def mean_at(other: float) -> float:
        return kernels.dot(weight, charges([loss], cases, other)[0]) / total

    by_mean, by_prior = slopes_with_prior(function, mean_at, mean, prior)

    def of_cases(some: slice) -> None:  # in place: the arrays may be large
        found[some] = by_mean * (found[some] - mean) + by_prior * (cases.positive[some] - prior)

    kernels.stretches(of_cases, len(found))
    return found


def charges(
    losses: Sequence[Callable[..., Any]], cases: ScoredCases, prior: float | None = None
) -> np.ndarray:
    """The losses of each case, shape (losses, cases).

    losses: functions of `OutcomeProbabilities`; prior: the proportion of positives.
    """
    found = np.empty((len(losses), len(cases)))

    def of_cases(some: slice) -> None:
        single = np.ones((1, len(cases.score[some])))
        # a positive and a negative at every score, in the order of the cases
        given = cases.kind.of(cases.score[some], single, single).given
        asked = given if prior is None else given.at_prior(prior)
        for i, loss in enumerate(losses):
            found[i, some] = np.ravel(loss(asked)).reshape(-1, 2)[
                np.arange(single.size), 1 - cases.positive[some]
            ]
        # a reference cycle: freed now, not at the next garbage collection
        del given.table.__dict__["given"]

    kernels.stretches(of_cases, len(cases), CASES_AT_ONCE)
    return found


def of_average_precision(cases: ScoredCases) -> np.ndarray:
    """The influence values of average precision.

    It is sum(a_k TP_k / N_k) / P over the distinct scores k, with a_k positives at k, and N_k cases from k
    up. One more positive adds its own precision and increases that at all lower scores by FP_k / N_k^2; one
    more negative decreases it by TP_k / N_k^2. It is the first-order term of an expansion.
    """
    t = cases.table
    tp, fp = running(t.positive), running(t.negative)
    precision, share = np.empty(len(t)), float(t.positives) / float(t.positives + t.negatives)

    def at_scores(rows: slice) -> None:
        seen = tp[rows] + fp[rows]
        precision[rows] = tp[rows] / seen
        change = t.positive[rows] / seen**2
        tp[rows] *= change
        fp[rows] *= change

    kernels.stretches(at_scores, len(t))
    gained, lost = (running(part[::-1])[::-1] for part in (fp, tp))
    value = kernels.dot(t.positive, precision) / float(t.positives)
    place, found = cases.place, np.empty(len(cases))

    def of_cases(rows: slice) -> None:
        at, positive = place[rows], cases.positive[rows]
        found[rows] = np.where(positive, precision[at] + gained[at] - value, -lost[at]) / share

    kernels.stretches(of_cases, len(cases))
    return found


def of_answers(
    function: Callable[..., Any], positive: np.ndarray, answers: np.ndarray, weight: np.ndarray | None
) -> np.ndarray | None:
    """The influence values of a measure of four counts, by numerical derivatives in each cell.

    Empty cells are omitted. None where there is no derivative. positive, answers: booleans, the true and the
    predicted class of each case.
    """
    cell = np.where(positive, np.where(answers, 0, 2), np.where(answers, 1, 3))
    found = of_cells(function, np.bincount(cell, weight, 4).astype(float))
    return None if found is None else found[cell]


def of_cells(function: Callable[..., Any], held: np.ndarray) -> np.ndarray | None:
    """The influence value of a case in each of four cells, tp, fp, fn and tn. held: their weights."""
    there = np.flatnonzero(held)
    step = STEP * held[there].min()
    with np.errstate(divide="ignore", invalid="ignore"):
        ends = [function(Counts.of(*(held[:, None] + side * np.eye(4)[:, there]))) for side in (step, -step)]
    slope = np.zeros(4)
    slope[there] = np.subtract(*np.broadcast_arrays(*ends)) / (2 * step) * held.sum()
    if not np.isfinite(slope).all():
        return None
    found: np.ndarray = slope - kernels.dot(slope, held) / held.sum()
    return found


BY_NAME = {"average_precision": of_average_precision}


def _weight(cases: ScoredCases) -> np.ndarray:
    return np.ones(len(cases)) if cases.weight is None else cases.weight


def _mean(values: np.ndarray, weight: np.ndarray) -> float:
    return kernels.dot(np.asarray(values, float), weight) / float(np.add.reduce(weight))


def _centred(values: np.ndarray, weight: np.ndarray) -> np.ndarray:
    return values - _mean(values, weight)


def standard_error(
    influence: np.ndarray,
    weight: np.ndarray | None = None,
    classes: np.ndarray | None = None,
    clusters: np.ndarray | None = None,
) -> tuple[float, float]:
    """The standard error of a weighted mean from its influence values, and its degrees of freedom.

    NaN where a class, or the whole, is a single case. classes: of each case, where the class sizes are fixed:
    the values are centred by class, and the variances of the classes added. weight: importance weights; the
    squares of weight times value are summed (linearised). The effective number of cases is (sum w)^2 / sum
    w^2, and the degrees of freedom one less; for several classes by Satterthwaite. clusters: the values are
    summed by cluster, and the effective number of clusters replaces that of cases.
    """
    w = np.broadcast_to(1.0, len(influence)) if weight is None else weight
    parts: list[Any] = [slice(None)] if classes is None else [classes == c for c in np.unique(classes)]
    found = np.array(
        [_part(influence[one], w[one], None if clusters is None else clusters[one]) for one in parts]
    )
    variance, free = found[:, 0], found[:, 1]
    if np.isnan(variance).any():
        return nan, nan
    total = variance.sum()
    df = total**2 / (variance**2 / free).sum() if total > 0 else inf
    return sqrt(total) / float(w.sum()), float(df)


def standard_error_of_sample(
    influence: np.ndarray, times: np.ndarray, classes: np.ndarray, fixed: bool
) -> tuple[float, float]:
    """The same from a random sample of the cases of each class, with its degrees of freedom.

    times: the number of cases that each stands for; classes: 0 and 1; fixed: whether the class sizes are. The
    degrees of freedom are those of the fourth moments in the sample, so that they also express its simulation
    error: 1 / sqrt(2 df), relative to the standard error.
    """
    code = classes if fixed else np.zeros_like(classes)
    off = influence - (np.bincount(code, times * influence) / np.bincount(code, times))[code]
    off *= off
    off *= times
    moments = np.bincount(classes, off, 2), np.bincount(classes, off**2, 2), np.bincount(classes, minlength=2)
    return sqrt(moments[0].sum()) / float(times.sum()), freedom(*moments)


def freedom_of_squares(
    influence: np.ndarray, weight: np.ndarray | None = None, classes: np.ndarray | None = None
) -> float:
    """The degrees of freedom of this variance, from its fourth moment.

    They are few where a few cases make up most of it; `standard_error` counts cases.
    """
    w = np.ones(len(influence)) if weight is None else weight
    if classes is None:
        return degrees_of_freedom(_centred(influence, w), w, w if weight is None else w**2)
    code = np.unique(classes, return_inverse=True)[1]
    mean = np.bincount(code, w * influence) / np.bincount(code, w)
    return degrees_of_freedom(influence - mean[code], w, w**2, code)


def _part(influence: np.ndarray, weight: np.ndarray, clusters: np.ndarray | None) -> tuple[float, float]:
    """The variance of the weighted sum, and its degrees of freedom."""
    parts = weight * _centred(influence, weight)
    if clusters is None:
        cases = effective = effective_number(weight)
    else:
        sizes = np.bincount(clusters, weight)
        parts, cases, effective = (
            np.bincount(clusters, parts),
            float(np.count_nonzero(sizes)),
            effective_number(sizes),
        )
    if cases < 1 + STEP:
        return nan, nan
    return cases / (cases - 1) * kernels.dot(parts, parts), effective - 1
