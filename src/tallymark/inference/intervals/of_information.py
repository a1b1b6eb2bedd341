"""Intervals of information measures: entropies of the cells of a matrix.

They are biased where there are few cases per cell; the intervals allow for that, with a note. Numbers of
cases are those in effect: of so many independent cases the measure would have the same variance.
"""

from __future__ import annotations

from dataclasses import replace
from math import e, inf, log, sqrt

from ...input.messages import Note, Notes, joined
from ...measures.families.multiclass import entropy, mutual_information, per_class_scale
from ...measures.registry import get
from ...summaries import ConfusionMatrix
from ..covariance import Sampling, sampling_of
from ..doubt import few_cases
from ..results import Interval, no_interval
from .kinds import ROUNDING, Question, kind
from .of_matrices import ONE_SIDED, first_order, off_diagonal, without_mistakes
from .scale import normal_quantile, wald_on_scale

CLEARLY = 4  # standard errors above 0, from which on the delta method is used
SPARSE = Note("too-few-cells")
MANY = 1000  # degrees of freedom, from which on a chi-square is approximated as normal


@kind("ConfusionMatrix", "information")
def information(q: Question) -> Interval:
    """By the delta method; near 0 from the noncentral chi-square of the G test.

    Source: Miller (1955); Agresti (2013), 16.3.
    """
    sampling, matrix = q.sampled, q.summary
    weights, wrong = matrix.weights, sampling.effective(off_diagonal(matrix))
    freedom = ((weights.sum(1) > 0).sum() - 1) * ((weights.sum(0) > 0).sum() - 1)
    if not freedom:
        return no_interval(ONE_SIDED)
    if 0 < wrong < _cells_off(q):
        return no_interval(SPARSE)
    nats = replace(q, entry=get("mutual_information", ConfusionMatrix), function=mutual_information)
    n, information, unit = _cases(nats, sampling), mutual_information(matrix), _unit(q)
    miller, most = _bias_of_information(matrix, n), unit * log(len(matrix))
    if q.entry.name == "uncertainty_coefficient":
        most = 1.0
    (variance, df), bias = first_order(q, sampling), unit * miller
    error = sqrt(variance)
    if information - miller < CLEARLY * sqrt(first_order(nats, sampling)[0]):
        ends = _noncentrality(2 * n * information, float(freedom), q.settings.level)
        low, high = (unit * end / (2 * n) for end in ends)
        found = _with_mistakes(q, sampling, low, high, "noncentral-chi-square", bias, error, most)
        return replace(found, standard_error=None)
    if error <= ROUNDING or _one_to_one(matrix):
        return without_mistakes(q, sampling) or no_interval(ONE_SIDED)
    low, high = wald_on_scale(q.value - bias, error, (0.0, inf), q.settings.level, df)
    return _with_mistakes(q, sampling, low, high, "delta", bias, error, most)


@kind("ConfusionMatrix", "entropy")
def of_entropy(q: Question) -> Interval:
    """By the delta method on the log scale."""
    sampling = q.sampled
    variance, df = first_order(q, sampling)
    error = sqrt(variance)
    if not error or not q.value:
        return without_mistakes(q, sampling) or no_interval(ONE_SIDED)
    if sampling.effective(off_diagonal(q.summary)) < _cells_off(q):
        return no_interval(SPARSE)
    bias = _bias_of_confusion(q.summary, _cases(q, sampling))
    bounds = wald_on_scale(q.value - bias, error, (0.0, inf), q.settings.level, df)
    return _with_mistakes(q, sampling, *bounds, "delta", bias, error, inf)


def _cases(q: Question, sampling: Sampling) -> float:
    """The number of cases in effect."""
    counts = q.summary.without_squares()
    variance, _ = first_order(q, sampling)
    if (sampling.units is None and sampling.equal) or not variance:
        return float(sampling.effective(off_diagonal(counts) * 0 + 1))
    independent, _ = first_order(q, sampling_of(counts, sampling.fixed))
    return float(counts.total * independent / variance)


def _one_to_one(matrix: ConfusionMatrix) -> bool:
    """Whether each class has its own predicted label, which is not the right one for all."""
    there = matrix.weights > 0
    wrong = bool(there.ravel() @ off_diagonal(matrix) > 0)
    return wrong and there.sum(0).max() <= 1 and there.sum(1).max() <= 1


def _with_mistakes(
    q: Question,
    sampling: Sampling,
    low: float,
    high: float,
    method: str,
    bias: float,
    error: float,
    most: float,
) -> Interval:
    """The bounds around the value and within its range.

    Without errors the lower bound follows from a low accuracy.
    """
    perfect = without_mistakes(q, sampling)
    low, high = min(low, q.value), min(max(high, q.value), most)
    if perfect is not None:
        return Interval(
            min(low or q.value, perfect.low), max(high, perfect.high), perfect.method, perfect.notes
        )
    return Interval(low, high, method, _notes(q, sampling, bias, error), error)


def _notes(q: Question, sampling: Sampling, bias: float, error: float) -> Notes:
    """The notes on low coverage, found by simulation to be 77 to 93 %, and on bias.

    See docs/intervals.md.
    """
    per_cell = float(sampling.effective(off_diagonal(q.summary))) / _cells_off(q)
    side = "high" if bias > 0 else "low"
    off = Note("bias-of-few-per-cell", side=side, by=abs(bias)) if abs(bias) > error / 4 else None
    return joined(few_cases(per_cell, "mistakes per cell"), off)


def _cells_off(q: Question) -> int:
    """The cells off the diagonal."""
    return len(q.summary) * (len(q.summary) - 1)


def _unit(q: Question) -> float:
    """The factor from nats to the unit of the measure."""
    if q.entry.name == "uncertainty_coefficient":
        return 1 / float(entropy(q.summary.weights.sum(1)))
    return 1 / log(getattr(q.function, "keywords", {}).get("base", e))


def _noncentrality(g: float, freedom: float, level: float) -> tuple[float, float]:
    """The interval of the noncentrality for a chi-square of g, at least its expectation."""
    from scipy.special import chdtrc, chndtrinc

    tail, at_least = (1 - level) / 2, max(g, freedom)
    if freedom > MANY:
        z2 = normal_quantile(level) ** 2
        least, largest = (
            max(
                x - freedom + 2 * z2 + side * sqrt(4 * (x - freedom) * z2 + 4 * z2**2 + 2 * z2 * freedom), 0.0
            )
            for x, side in ((at_least, -1), (at_least, 1))
        )
        return least, largest
    low = 0.0 if chdtrc(freedom, g) >= tail else float(chndtrinc(g, freedom, 1 - tail))
    return low, float(chndtrinc(at_least, freedom, tail))


def _bias_of_information(matrix: ConfusionMatrix, n: float) -> float:
    """The bias of mutual information, in nats, of n cases. Source: Miller (1955)."""
    weights = matrix.weights
    rows, columns, cells = (int((part > 0).sum()) for part in (weights.sum(1), weights.sum(0), weights))
    return float((cells - rows - columns + 1) / (2 * n))


def _bias_of_confusion(matrix: ConfusionMatrix, n: float) -> float:
    """The bias, which is downwards.

    x log x of each cell off the diagonal is too high by 1 / (2 n), and it counts twice.
    """
    wrong = (matrix.weights > 0).sum() - (matrix.weights.diagonal() > 0).sum()
    return -float(wrong) / n / per_class_scale(len(matrix.weights))
