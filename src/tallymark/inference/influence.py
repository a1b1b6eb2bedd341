"""Influence values of measures: their derivatives by the weight of a case, times the total weight.

The cells of a table of two classes are its positives from the highest score down, then its negatives, those
of a confusion matrix its rows one after another, and those of a table of labels the ones of
`IndicatorTable.by_cell`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from .. import kernels
from ..input.messages import Note
from ..measures.families.calibration import influence_at
from ..measures.families.pooled import pooled
from ..measures.registry import Average, Measure, get, ratio
from ..summaries import ClassScores, ConfusionMatrix, Counts, IndicatorTable, RankingTable, Residuals
from ..summaries.passes import (
    PAIRS,
    POWERS,
    Entries,
    PowerSums,
    collected,
    finite_logits,
    merged,
    points_of,
    running,
)
from ..summaries.ranking import Squares
from . import resampled
from .covariance import CLASS_OF_CELL, EQUAL, Sampling, cells_of, covariance, deciding, heavy, sampling_of
from .interval import ROUNDING, Question, normal_quantile, student_quantile

STEP = 4e-3  # of a numerical derivative, relative to the cell
# of central differences of sixth order
STEPS, SHARES = np.array([[1, 2, 3], [-1, -2, -3]]), np.array([45, -9, 1]) / 60
MOST_KEPT = 1_000  # scores, of tables with more weight at each that are kept
AT_ONCE = 500  # tables with more weight at a score, in one table with a leading axis
NEAR = 0.5  # of the cases taken, for the window on either side of the cut
LOSSES = ("mean", "mean-of-prior")  # kinds of intervals of means of a loss
PAIRED = ("delong-logit", "pairs")  # of functions of pairs of a positive and a negative


class Influence(NamedTuple):
    """A measure and its influence values.

    value: of the measure, shape (...); values: those of a case in each cell, (..., cells).
    """

    value: np.ndarray
    values: np.ndarray


def of_counts(function: Callable[..., Any], cells: np.ndarray) -> Influence:
    """The influence values of a measure of four counts.

    cells: true positives, false positives, false negatives and true negatives, shape (..., 4).
    """
    return of_cells(lambda cells: function(Counts.of(*np.moveaxis(cells, -1, 0))), cells)


def of_cells(function: Callable[[np.ndarray], Any], cells: np.ndarray) -> Influence:
    """The influence values of a smooth function of weights of cells, by central differences.

    cells: shape (..., cells). The derivative by an empty cell is 0.
    """
    there = cells > 0
    with np.errstate(divide="ignore", invalid="ignore"):
        step = STEP * np.where(there, cells, 1.0)
        moved = np.multiply.outer(STEPS, step[..., None] * np.eye(cells.shape[-1]) * there[..., None])
        found = np.asarray(function(cells[..., None, :] + moved), float)
        values = np.einsum("s,s...->...", SHARES, found[0] - found[1]) / step * cells.sum(-1, keepdims=True)
        value = np.asarray(function(cells), float)
    return Influence(value, np.where(there, values, 0.0))


def of_summary(
    entry: Measure, parameters: Mapping[str, Any], summary: Any, estimate: Callable[[], Any] | None = None
) -> np.ndarray | None:
    """The influence values of the cells of a summary on a measure; None where there is no formula.

    parameters: all that the measure has; estimate: the measure with its interval, which a median needs.
    """
    function = partial(entry.function, **parameters)
    if isinstance(summary, Counts):
        return of_counts(function, cells_of(summary)).values
    if isinstance(summary, ConfusionMatrix) or isinstance(entry, Average):
        inner = entry.of.function if isinstance(entry, Average) else entry.function
        return of_matrix(entry, partial(inner, **parameters), summary)
    if isinstance(summary, IndicatorTable):  # of the cases without a mistake, among all
        every, exact = np.eye(2, 2 + 3 * len(summary))
        return np.asarray(exact - float(function(summary)) * every)
    if isinstance(summary, RankingTable):
        known = closed(entry) and summary.positives and summary.negatives
        return of_table(entry, function, parameters, summary) if known else None
    if isinstance(summary, ClassScores):
        binned = entry.interval is None or entry.interval.kind.startswith("bins")
        return None if binned else of_class_scores(entry, function, summary)
    if not isinstance(summary, Residuals):
        return None
    found = None if estimate is None else estimate()
    width = np.nan if found is None else (found.high - found.low) / normal_quantile(found.level)
    values = of_amounts(entry, function, summary, width)
    return values if np.isfinite(values).all() else None


def by_case(entry: Measure, parameters: Mapping[str, Any], summary: Any) -> np.ndarray | None:
    """The same, by moving the weights where there is no formula for a measure of scores."""
    if isinstance(summary, RankingTable) and summary.positives and summary.negatives:
        return of_table(entry, partial(entry.function, **parameters), parameters, summary).ravel()
    return of_summary(entry, parameters, summary)


def of_matrix(entry: Measure, function: Callable[..., Any], matrix: ConfusionMatrix) -> np.ndarray:
    """The influence values of a measure of a confusion matrix, or of an average over its classes.

    function: the measure with its parameters, of an average that of a class.
    """
    if isinstance(entry, Average):
        outcomes = of_average(entry.kind_of_average, function, cells_of(matrix.one_vs_rest())).values
        return matrix.by_cell(outcomes) * matrix.total
    assert entry.interval is not None
    shares = matrix.weights / matrix.total
    slope = entry.interval.of[0](shares, **getattr(function, "keywords", {}))
    return (slope - np.einsum("ij,ij->", shares, slope)).ravel()


def of_class_scores(entry: Measure, function: Callable[..., Any], table: ClassScores) -> np.ndarray:
    """The influence values of the cases of a table on a measure of a score per class.

    function: the measure with its parameters.
    """
    spec, value = entry.interval, float(function(table))
    assert spec is not None
    if spec.kind == "mean":
        assert entry.loss is not None
        losses: np.ndarray = entry.loss(table, **getattr(function, "keywords", {}))
        return losses - value
    if spec.kind == "skill":
        return _of_skill(table, value, *spec.of)
    (of_each,) = spec.of
    if spec.kind == "of-pooled":
        return _of_pooled(table, get(of_each.__name__, RankingTable))
    found = of_each(table)
    values: np.ndarray = found.plain * table.total
    if spec.kind == "of-classes-weighted":  # the weight of a case increases the share of its class
        own = np.where(np.isnan(found.value), 0.0, found.value)[table.truth]
        values = found.weighted * table.total + own - value
    return values


def _of_pooled(table: ClassScores, entry: Measure) -> np.ndarray:
    """Those on a measure of the scores of all classes together: the sums over the scores of each case."""
    scores = pooled(table)
    values = of_table(entry, entry.function, {}, scores) * (table.total / scores.total)
    place = np.searchsorted(-scores.score, -table.ranked_by)
    other = np.arange(len(table)) != table.truth[:, None]
    return np.asarray(values.ravel()[place + len(scores) * other].sum(1))


def _of_skill(
    table: ClassScores,
    value: float,
    charge: Callable[..., Any],
    reference: Callable[..., Any],
    slope: Callable[..., Any],
) -> np.ndarray:
    """Those on a skill score.

    charge: the loss of each case; reference, slope: the loss of the class proportions, and its derivatives.
    """
    shares = table.sizes / table.total
    losses, base, slopes = charge(table), reference(shares), slope(shares)
    loss = (1 - value) * base
    return (loss - losses) / base + loss / base**2 * (slopes[table.truth] - float(slopes @ shares))


def of_amounts(
    entry: Measure, function: Callable[..., Any], residuals: Residuals, width: float = np.nan
) -> np.ndarray:
    """Those of a case of each pair on a measure of amounts, up to a constant.

    function: the measure with its parameters; width: of the interval of a median, in standard errors, from
    which its density follows: Woodruff (1952), J. of the American Statistical Association 47, 635-646. NaN
    where it is not known.
    """
    spec = entry.interval
    assert spec is not None
    if entry.loss is not None:
        return entry.loss(residuals.error, **getattr(function, "keywords", {}))
    if spec.kind == "median":
        above = np.abs(residuals.error) > float(function(residuals))
        return np.where(above, width * np.sqrt(residuals.effective_total), 0.0)
    if spec.kind == "jackknife":
        return of_formula(spec.of[0], residuals)
    if spec.transform is None:
        return np.full(len(residuals), np.nan)
    inner = get(spec.of[0].__name__, Residuals)
    mean = float(inner.function(residuals))
    values = of_amounts(inner, inner.function, residuals)
    if not mean:  # no error
        return values
    ends = spec.transform(mean * (1 + STEP * STEPS), residuals)
    return SHARES @ (ends[0] - ends[1]) / (STEP * mean) * values


def of_formula(
    formula: Callable[[Any], Any], residuals: Residuals, scale: Callable[[Any], Any] = np.asarray
) -> np.ndarray:
    """Those of a case of each pair on a formula of sums of amounts, on a scale, by leaving it out."""
    without = residuals.sums_without_each
    with np.errstate(divide="ignore", invalid="ignore"):
        change = scale(formula(residuals.sums)) - scale(formula(without))
    return change * without.total / residuals.weight_of_case


def of_average(kind: str, function: Callable[..., Any], cells: np.ndarray) -> Influence:
    """An average over classes, and its derivatives by the weight of each outcome of each class.

    kind: "macro", "weighted" or "micro"; function: the measure of a class; cells: shape (K, 4). A class for
    which the measure is undefined is left out, with its weight.
    """
    if kind == "micro":
        value, values = of_counts(function, cells.sum(0))
        return Influence(value, np.broadcast_to(values / cells.sum(), cells.shape))
    value, values = of_counts(function, cells)
    weight = cells[:, 0] + cells[:, 2] if kind == "weighted" else np.ones(len(cells))
    weight = np.where(np.isnan(value), 0.0, weight)
    there = weight > 0
    with np.errstate(divide="ignore", invalid="ignore"):
        share = weight / weight.sum()
        mean = share[there] @ value[there]
        values = np.where(there[:, None], values * (share / cells.sum(1))[:, None], 0.0)
        if kind == "weighted":  # one more case of a class increases its share
            values[:, [0, 2]] += (np.where(there, value - mean, 0.0) / weight.sum())[:, None]
    return Influence(mean, values)


def of_table(
    entry: Measure, function: Callable[..., Any], parameters: Mapping[str, Any], table: RankingTable
) -> np.ndarray:
    """The influence values of a measure of scores, of a positive and of a negative at each: (2, scores).

    parameters: all that the measure has; function: the measure with these. NaN where there are none.
    """
    kind, of = (entry.interval.kind, entry.interval.of) if entry.interval is not None else (None, ())
    if kind in FORMULAS:
        return FORMULAS[kind](table)
    if kind in PAIRED:
        return of_pairs(table, *of)
    if kind == "share-of-taken" and entry.effective_n is not None:
        return of_share(table, float(entry.effective_n(table, **parameters)), float(function(table)))
    if is_mean_loss(entry):
        return of_loss(entry, parameters, table)
    if kind == "line":
        return of_line(entry.name, table)
    return by_moving(function, table)


def is_mean_loss(entry: Measure) -> bool:
    """Whether a measure is a mean loss, or a function of one and of the proportion of positives."""
    return entry.loss is not None and entry.interval is not None and entry.interval.kind in LOSSES


def closed(entry: Measure) -> bool:
    """Whether there is a formula for the influence values of a measure of scores."""
    kind = entry.interval.kind if entry.interval is not None else None
    return entry.summary is RankingTable and (is_mean_loss(entry) or kind in (*FORMULAS, *PAIRED, "line"))


def sums_of_table(values: np.ndarray, table: RankingTable) -> PowerSums:
    """The sums of powers of influence values over independent cases, by class (negatives are class 0)."""
    weights = table.positive, table.negative
    squares = None if table.squared.positive is table.positive else table.squared

    def of_rows(rows: slice) -> PowerSums:
        weight = np.concatenate([one[rows] for one in weights])
        there, of_class = weight > 0, np.repeat([True, False], len(weight) // 2)
        squared = None if squares is None else np.concatenate([one[rows] for one in squares])[there]
        return Entries.of(weight[there], squared, of_class[there], 2).sums_of(values[:, rows].ravel()[there])

    return merged(kernels.stretches(of_rows, len(table)))


def sums_of_line(name: str, table: RankingTable) -> PowerSums:
    """The same of a parameter of a logistic line; of a large table from points that stand for its logits."""
    points = points_of(table) if table.squared.positive is table.positive else None
    if points is None:
        return sums_of_table(of_line(name, table), table)
    values = influence_at(points, table, name) * float(table.total)
    unit = float(np.abs(values).max()) or 1.0
    sums = [
        np.einsum("n,np->p", weight, (one / unit)[:, None] ** POWERS)
        for weight, one in zip((points.negative, points.positive), values[::-1], strict=True)
    ]
    for of_class, size in zip(sums, (table.negatives, table.positives), strict=True):
        of_class[0] = size  # infinite logits have no influence
    return PowerSums(np.zeros(2), np.broadcast_to(np.stack(sums), (4, 2, len(POWERS))), unit)


def of_line(name: str, table: RankingTable) -> np.ndarray:
    """The influence values of a parameter of a logistic line; infinite logits have none."""
    values = np.zeros((2, len(table)))
    values[:, table.has_finite_logit] = influence_at(finite_logits(table), table, name)
    return values * float(table.total)


def of_pairs(table: RankingTable, slopes: Callable[..., tuple[float, float, float]]) -> np.ndarray:
    """The influence values of a function of the pairs in the right order, in the wrong order and tied.

    slopes: its derivatives by these, which are 0 along the pairs themselves; of the area under the ROC curve
    the values are the placements of DeLong, DeLong and Clarke-Pearson (1988). Their means are 0 by class.
    """
    right, wrong, tied = np.array(slopes(*collected(table, PAIRS))) * float(table.total)
    values = np.empty((2, len(table)))
    for of_class, others, below, above in (
        (values[0], table.negative, right, wrong),
        (values[1], table.positive, wrong, right),
    ):
        running(others, of_class)
        of_class *= above - below
        of_class += below * float(others.sum())
        of_class += (tied - above) * others
    return values


def of_crossing(table: RankingTable) -> np.ndarray:
    """The influence values of the error rate at the threshold where both error rates are equal.

    There one more miss lowers the threshold, and one more false positive raises it; how much of each remains
    follows from the densities of the classes near the threshold.
    """
    sizes = np.array([float(table.positives), float(table.negatives)])
    result = np.stack([running(one) for one in (table.positive, table.negative)]) / sizes[:, None]
    cut = int(np.argmax(result.sum(0) >= 1))
    before = result[:, cut - 1] if cut else np.zeros(2)
    partly = (1 - before.sum()) / (result[:, cut] - before).sum()
    called = np.clip(cut + partly - np.arange(len(table)), 0.0, 1.0)
    rate = before[1] + partly * (result[1, cut] - before[1])
    taken = kernels.dot(called, table.positive) + kernels.dot(called, table.negative)
    window = _window(table, taken, NEAR * rate * float(table.total))
    near = np.array([kernels.dot(window, one) for one in (table.positive, table.negative)]) / sizes
    np.subtract(1, called, out=result[0])
    result[1] = called
    result -= rate
    result *= (near[::-1] / (near.sum() or 1.0) * float(table.total) / sizes)[:, None]
    return result


def of_average_lift(table: RankingTable) -> np.ndarray:
    """The influence values of average lift: the sum over ranks of the precision down to each.

    Of m cases tied after a others, b of them positive, p positive ones add p + (b - p a / m) h, h being the
    sum of 1 / (a + i) over i = 1 ... m. One more case counts in its own tie, and pushes down those below.
    """
    weight, tp = table.positive + table.negative, running(table.positive)
    seen = running(weight)
    above, share = seen - weight, table.positive / weight
    first, last = 1 / (above + 0.5), 1 / (seen + 0.5)  # nearly trigamma functions of the ranks
    harmonic, rest = np.log1p(weight * first), tp - table.positive - share * above
    by_above = rest * (last - first) - share * harmonic
    value = float(np.sum(table.positive + rest * harmonic)) / float(table.positives)
    lost, gained = (np.cumsum(part[::-1])[::-1] - part for part in (by_above, harmonic))
    lost += share * above / weight * harmonic + rest * last
    gained += lost + 1 - above / weight * harmonic - value
    return np.stack([gained, lost]) * (float(table.total) / float(table.positives))


def of_average_precision(table: RankingTable) -> np.ndarray:
    """The influence values of average precision.

    It is sum(a_k TP_k / N_k) / P over the distinct scores k, with a_k positives at k, and N_k cases from k
    up. One more positive adds its own precision and increases that at all lower scores by FP_k / N_k^2; one
    more negative decreases it by TP_k / N_k^2. It is the first-order term of an expansion.
    """
    tp, fp, result = running(table.positive), running(table.negative), np.empty((2, len(table)))
    seen = tp + fp
    precision = tp / seen
    change = np.divide(table.positive, np.square(seen, out=seen), out=seen)
    for part, of_class in ((fp, result[0]), (tp, result[1])):
        part *= change
        np.cumsum(part[::-1], out=of_class[::-1])
    result[0] += precision
    result[0] -= kernels.dot(np.asarray(table.positive, float), precision) / float(table.positives)
    result *= [[float(table.total) / float(table.positives)], [-float(table.total) / float(table.positives)]]
    return result


def of_mean_precision(table: RankingTable) -> np.ndarray:
    """The influence values of mean precision; the threshold of a single case is removed with it."""
    tp, fp = running(table.positive), running(table.negative)
    seen = tp + fp
    size = table.positive + table.negative
    value = float(np.add.reduce(tp / seen)) / len(table)
    own = np.where(size**2 <= sum(table.squared) * (1 + ROUNDING), (tp / seen - value) / size, 0.0)
    gained, lost = (np.cumsum((part / seen**2)[::-1])[::-1] for part in (fp, tp))
    return np.stack([own + gained, own - lost]) * (float(table.total) / len(table))


def of_truncated_ks(table: RankingTable) -> np.ndarray:
    """The influence values of the mean distance of the rates; that of a single case is removed with it."""
    steps, sizes = len(table) - 1, (float(table.positives), float(table.negatives))
    tpr, fpr = running(table.positive) / sizes[0], running(table.negative) / sizes[1]
    size, value = table.positive + table.negative, float(np.add.reduce(tpr - fpr)) / steps
    own = np.where(size**2 <= sum(table.squared) * (1 + ROUNDING), (tpr - fpr - value) / size, 0.0)
    below = np.arange(len(table), 0.0, -1.0)  # the thresholds that a case reaches
    gained, lost = (
        (below - float(np.add.reduce(rate))) / of for rate, of in zip((tpr, fpr), sizes, strict=True)
    )
    return np.stack([own + gained, own - lost]) * (float(table.total) / steps)


def of_distance_of_means(table: RankingTable) -> np.ndarray:
    """The influence values of the distance of the mean scores of both classes, in standard deviations."""
    place = table.score.astype(float) / 2  # the range may be beyond all floats
    place = (place - place[-1]) / table.range_of_scores
    shares = table.positive / float(table.positives), table.negative / float(table.negatives)
    means = [kernels.dot(share, place) for share in shares]
    variances = [kernels.dot(share, (place - mean) ** 2) for share, mean in zip(shares, means, strict=True)]
    unit, apart = np.sqrt(sum(variances) / 2), means[0] - means[1]
    values = [
        (sign * (place - mean) - abs(apart) / unit**2 / 4 * ((place - mean) ** 2 - variance)) / unit
        for sign, mean, variance in zip((np.sign(apart), -np.sign(apart)), means, variances, strict=True)
    ]
    sizes = np.array([[float(table.positives)], [float(table.negatives)]])
    return np.stack(values) * (float(table.total) / sizes)


# by the kind of the interval
FORMULAS = {
    "average-precision": of_average_precision,
    "mean-precision": of_mean_precision,
    "average-lift": of_average_lift,
    "crossing": of_crossing,
    "truncated-ks": of_truncated_ks,
    "distance-of-means": of_distance_of_means,
}
OF_THRESHOLDS = ("mean-precision", "truncated-ks")  # means over the scores, whatever their cases


def of_share(table: RankingTable, taken: float, share: float) -> np.ndarray:
    """The influence values of the proportion of positives among the cases with the highest scores.

    taken: their weight. One more case above the cut moves another one below it, which is positive with the
    proportion of those near the cut: those tied there, where these are many, else those of a window.
    """
    weight = table.positive + table.negative
    higher = np.cumsum(weight) - weight
    cut = min(int(np.searchsorted(higher, taken, side="left")), len(higher)) - 1
    if weight[cut] >= NEAR * taken:
        near = float(table.positive[cut] / weight[cut])
    else:
        window = _window(table, taken, NEAR * taken)
        near = kernels.dot(window, table.positive) / kernels.dot(window, weight)
    above = np.clip(ratio(taken - higher, weight), 0.0, 1.0)
    return above * (np.array([[1.0], [0.0]]) - near) * (float(table.total) / taken)


def _window(table: RankingTable, taken: float, width: float) -> np.ndarray:
    """Which share of the cases at each score is within this weight of the cut below the highest scores."""
    weight = table.positive + table.negative
    seen = np.cumsum(weight)
    inside = np.minimum(seen, taken + width) - np.maximum(seen - weight, taken - width)
    return ratio(np.maximum(inside, 0.0), weight)


def of_loss(entry: Measure, parameters: Mapping[str, Any], table: RankingTable) -> np.ndarray:
    """The influence values of a mean loss, or of a function of one and of the proportion of positives."""
    assert entry.loss is not None
    loss, result = partial(entry.loss, **parameters), np.empty((2, len(table)))
    mean, by_mean, by_prior = slopes_of_loss(entry, loss, table)
    shift = by_prior * (np.array([[1.0], [0.0]]) - float(table.prior))

    def at_scores(rows: slice) -> None:
        score = table.score[rows]
        each = table.of(score, np.ones(len(score)), np.ones(len(score))).given.at_prior(table.prior)
        result[:, rows] = by_mean * (np.ravel(loss(each)).reshape(-1, 2).T - mean) + shift

    kernels.stretches(at_scores, len(table), kernels.BLOCK)
    return result


def slopes_of_loss(
    entry: Measure, loss: Callable[..., Any], table: RankingTable
) -> tuple[float, float, float]:
    """The mean of a loss, and the derivatives of a measure by it and by the proportion of positives.

    The second is numerical: the loss may depend on the proportion, and so may the function of its mean.
    """
    given, prior = table.given, float(table.prior)
    mean = given.mean(loss)
    assert entry.interval is not None
    if entry.interval.kind == "mean":
        return mean, 1.0, 0.0
    varies, function = given.varies_with_prior(loss), entry.of_mean or mean_alone
    above, below = (
        function(float(given.mean_at(loss, other) if varies else mean), other) for other in around(prior)
    )
    change = STEP * max(abs(mean), STEP)
    by_mean = (function(mean + change, prior) - function(mean - change, prior)) / (2 * change)
    return mean, by_mean, (above - below) / (2 * _step(prior))


def around(prior: float) -> tuple[float, float]:
    """The proportions of positives for the derivative at one, above it and below it."""
    return prior + _step(prior), prior - _step(prior)


def _step(prior: float) -> float:
    """Small next to the proportion and its complement, and above 0 where a class has no cases."""
    return STEP * max(prior * (1 - prior), STEP)


def mean_alone(mean: float, prior: float) -> float:
    """The function of a measure that is the mean of a loss."""
    return mean


def by_moving(function: Callable[..., Any], table: RankingTable) -> np.ndarray:
    """Numerical influence values: the change with more weight of a class at each score.

    The step is as large as the standard error of a count, which smooths the jumps of rates at a threshold.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        base = thinned(table)
        value = float(function(base))
        slopes = np.stack([_slopes(base, of, function, value) for of in (0, 1)]) * float(table.total)
    first = len(table) - np.searchsorted(table.score[::-1], base.score, side="right")
    return np.repeat(slopes, np.diff(np.append(first, len(table))), axis=1)


def thinned(table: RankingTable) -> RankingTable:
    """The table with so many scores joined that each can be moved."""
    base = resampled.thinned(table)
    return table.thinned(MOST_KEPT / len(base)) if len(base) > MOST_KEPT else base


def _slopes(table: RankingTable, of: int, function: Callable[..., Any], value: float) -> np.ndarray:
    size = float((table.positive, table.negative)[of].sum())
    step = np.sqrt(size)
    if len(table) > MOST_KEPT:
        tables = _with_more(table, of, step)
    else:  # all measures share what they need of them
        tables = resampled.kept(f"more of class {of}", table, of, lambda: list(_with_more(table, of, step)))
    found = [np.asarray(function(more), float) - value for more in tables]
    return np.concatenate(found) * (size + step) / (size * step)


def _with_more(table: RankingTable, of: int, step: float) -> Iterator[RankingTable]:
    """The table with so much more weight of a class at each score, one after the other."""
    both = table.positive, table.negative
    for start in range(0, len(table), AT_ONCE):
        more = step * np.eye(min(AT_ONCE, len(table) - start), len(table), start)
        positive, negative = (
            part + more if place == of else np.broadcast_to(part * 1.0, more.shape)
            for place, part in enumerate(both)
        )
        yield table.of(table.score, positive, negative)


# Design effects: the variance in a sample over that of independent cases of equal weight
# --------------------------------------------------------------------------------------------------
#
# For maxima, hulls and areas under the precision-recall curve influence values give no valid interval, since
# their bias depends on the true value. They use the method for independent cases with fewer of them: the
# class sizes at which the variance equals that of the sample. Kish (1965), Survey Sampling, section 8.2; with
# weights that depend on the scores, as in two-phase verification, Korn and Graubard (1998), Survey
# Methodology 24, 193-201.


def weights_vary(table: RankingTable) -> bool:
    """Whether the cases of a class differ in weight."""
    if table.squared.positive is table.positive:
        return False
    return any(len(unit) and np.ptp(unit) > EQUAL * unit.max() for unit in weights_in_cells(table))


def weights_in_cells(table: RankingTable) -> list[np.ndarray]:
    """The weights of the cases of each class, at the scores where it has some."""
    weights = table.positive, table.negative
    return [ratio(part[w > 0], w[w > 0]) for part, w in zip(table.squared, weights, strict=True)]


def with_effective_sizes(q: Question) -> tuple[Question, Note | None]:
    """The question with classes of their effective sizes, and the note if few degrees of freedom decide it.

    Where weights are equal in each class and cases independent, it is the same.
    """
    table = q.summary
    if q.sampling is None and not weights_vary(table):
        return q, None
    base = table if q.sampling is not None else thinned(table)
    sampling = q.sampling or sampling_of(base)
    of_class = np.stack([sampling.stratum == one for one in (1, 0)]) * 1.0
    values = of_table(q.entry, q.function, q.parameters, base).ravel() * of_class
    together, df = covariance(values, sampling, by_class=True)
    unit = ratio(of_class @ sampling.squares, of_class @ sampling.weight) @ of_class
    of_equal = np.diag(
        covariance(values, replace(sampling, squares=sampling.weight * unit, units=None), by_class=True)[0]
    )
    both = np.trace(together)
    common = max(float(together.sum()), 0.0) / both if both else 1.0  # what the classes share of units
    kish = Sampling(sampling.weight, sampling.squares, sampling.stratum)
    limits = [kish.effective(one) / sampling.effective(one) for one in of_class]  # cases of a unit are equal
    spread = of_equal > ROUNDING**2
    effects = common * np.where(spread, np.diag(together) / np.where(spread, of_equal, 1.0), limits)
    if q.sampling is not None:
        effects = np.maximum(effects, 1.0)
    fewest = float(np.min(np.where(spread, df, np.inf)))  # of rounding there are none
    wider = (student_quantile(q.settings.level, fewest) / normal_quantile(q.settings.level)) ** 2
    squares = Squares(
        *(part * wider * effect for part, effect in zip(table.squared, effects.tolist(), strict=True))
    )
    reduced = table.of(table.score, table.positive * 1.0, table.negative * 1.0, squares)
    lacking = heavy(values.sum(0), np.array(fewest), sampling, by_class=True)
    few = deciding(min(fewest, float(table.effective_total))) if lacking else None
    cases = (cases_of_share(q) if q.cases is None else q.cases) / wider
    return replace(q, summary=reduced, cases=cases, sampling=None), few


def cases_of_share(q: Question) -> float:
    """The effective number of cases for the proportion p of positives: p (1 - p) / variance.

    At most that of independent cases.
    """
    p, sampling = float(q.summary.prior), replace(class_sampling(q), fixed=False)
    values = 1.0 * (CLASS_OF_CELL == 1)[None]
    variances = [
        float(covariance(values, replace(sampling, units=units), unbiased=False)[0][0, 0])
        for units in {None, sampling.units}
    ]
    return p * (1 - p) / max(variances)


def class_sampling(q: Question) -> Sampling:
    """How the cases were sampled, in four cells: positives are true positives, negatives true negatives."""
    table, fixed, cells = q.summary, q.fixed, np.array([0, 3])
    if q.sampling is None:
        sums: list[Any] = [(table.positives, table.negatives), [float(part.sum()) for part in table.squared]]
        weight, squares = (np.array([float(p), 0.0, 0.0, float(n)]) for p, n in sums)
        return Sampling(weight, squares, CLASS_OF_CELL, fixed)
    s, units = q.sampling, q.sampling.units
    assert units is not None
    cell = np.eye(4)[np.where(s.stratum == 1, *cells)]
    units = units.in_cells(cell, CLASS_OF_CELL)
    return Sampling(s.weight @ cell, s.squares @ cell, CLASS_OF_CELL, fixed, units)
