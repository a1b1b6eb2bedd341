"""Intervals of measures of several classes: of a confusion matrix, of a table of labels, of scores per class.

Influence values of the cells, or of the cases, give them; for entropies a noncentral chi-square near 0. A
measure of every class against the rest is averaged (macro, weighted or micro): the mean of the measure over
the classes, weighted or not, or the measure of the sum of their counts. A class for which the measure is
undefined is left out, with its weight; the note states how many were. One case counts in several classes: an
error is a false negative of one and a false positive of another. So its influence value is the sum of those
on the classes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from math import e, inf, isfinite, isnan, log, nan, sqrt
from typing import Any

import numpy as np

from ...input.messages import Note, Notes, joined
from ...input.names import listed
from ...measures.families.multiclass import entropy, mutual_information, per_class_scale, right_and_wrong
from ...measures.families.multiclass_ranking import precisions
from ...measures.registry import Average, get
from ...summaries import ConfusionMatrix, Counts, IndicatorTable
from .. import influence
from ..covariance import Sampling, extended, sampling_of
from ..doubt import deciding, few_cases
from ..results import Interval, no_interval
from . import proportion
from .kinds import ROUNDING, Question, interval_of, kind
from .of_counts import HALF, SAME, proportion_of, smooth, unit_weights, variance_of
from .scale import Scale, normal_quantile

ONE_SIDED = Note("one-part")
FAULTLESS = Note("no-mistakes")
POINTS = 65  # of the accuracy, at which the measure is evaluated


@kind("ConfusionMatrix", "proportion")
def of_accuracy(q: Question) -> Interval:
    """Of a proportion of all cases, by the method of `proportion=`, as for Counts."""
    sampling = q.sampled
    values = influence.of_matrix(q.entry, q.function, q.summary)
    return proportion_of(q, values, sampling, np.ones(len(values)))


@kind("IndicatorTable", "proportion")
def of_exact(q: Question) -> Interval:
    """The same, of the proportion of cases without an error."""
    sampling = q.sampled
    every, exact = np.eye(2, len(sampling.weight))
    return proportion_of(q, exact - q.value * every, sampling, every)


@kind("ConfusionMatrix", "delta")
def delta(q: Question) -> Interval:
    """The delta method: the variance of the derivatives by cell, on an unbounded scale.

    Of kappa it is the interval of Fleiss, Cohen and Everitt (1969). With Student's t where weights vary or
    cases depend on each other. Source: Agresti (2013), section 16.1.
    """
    sampling, (low, high) = q.sampled, q.entry.range
    if not low < q.value < high:
        return without_mistakes(q, sampling) or no_interval(ONE_SIDED)
    values = influence.of_matrix(q.entry, q.function, q.summary)
    notes = few_cases(float(sampling.effective(off_diagonal(q.summary)))) if q.entry.ordered else None
    result = smooth(q, values, sampling, notes)
    if np.isnan(result.low):
        return without_mistakes(q, sampling) or replace(result, notes=ONE_SIDED)
    return result


def off_diagonal(matrix: ConfusionMatrix) -> np.ndarray:
    """Which cells have errors, as 1 and 0."""
    return 1 - np.eye(len(matrix.weights)).ravel()


def first_order(q: Question, sampling: Sampling) -> tuple[float, float]:
    """The variance of a measure, to first order, and its degrees of freedom."""
    return variance_of(influence.of_matrix(q.entry, q.function, q.summary), sampling)


def without_mistakes(q: Question, sampling: Sampling) -> Interval | None:
    """From no error down to the lowest likely accuracy; None where there is an error.

    The errors are distributed as under independence.
    """
    weights = q.summary.weights
    right, wrong = right_and_wrong(q.summary)
    by_chance = np.outer(weights.sum(1), weights.sum(0)) * (1 - np.eye(len(weights)))
    if wrong or not by_chance.any():
        return None
    n = sampling.effective(np.ones(len(sampling.stratum)))
    low, _ = proportion.wilson(n, n, q.settings.level)
    # the same for every level, so that bounds are nested
    steps = np.linspace(0, 1, POINTS)
    mixes = ((1 - p) * by_chance / by_chance.sum() + p * weights / right for p in (low, *steps[steps > low]))
    values = [q.value, *(q.function(q.summary.with_weights(mix)) for mix in mixes)]
    return Interval(min(values), max(values), "wilson", FAULTLESS)


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
    low, high = Scale((0.0, inf)).around(q.value - bias, error, q.settings.level, df)
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
    low, high = Scale((0.0, inf)).around(q.value - bias, error, q.settings.level, df)
    return _with_mistakes(q, sampling, low, high, "delta", bias, error, inf)


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


# at which a function of the accuracy is evaluated, within its bounds
SEVERAL = Note("several-labels")
UNSEEN = Note("class-left-out")


@kind("ConfusionMatrix", "recalls")
def of_recalls(q: Question) -> Interval:
    """Of the mean of the recalls of the classes that occur, as that of the macro average of sensitivity.

    Of a single one that occurs it is that of the accuracy.
    """
    there = q.summary.class_sizes > 0
    if there.sum() == 1:
        entry = get("accuracy", ConfusionMatrix)
        found = interval_of(replace(q, entry=entry, function=entry.function))
        return replace(found, notes=joined(left_out(q.summary.labels, there), found.notes))
    return of_average(q, "macro", get("sensitivity", Counts).function)


@listed(
    "interval",
    "ev.averages['macro']['f1']",
    name="takahashi",
    aka=("macro_averaged_f1",),
    command="tallymark evaluate --all",
)
@kind("ConfusionMatrix", "average")
@kind("IndicatorTable", "average")
def average(q: Question) -> Interval:
    """Of an average over classes, with a standard error by the delta method.

    That of the macro average of f1 is Takahashi's; the interval is on the logit scale, so that it stays
    within the range. Source: Takahashi, Yamamoto, Kuchiba and Koyama (2022), Applied Intelligence 52,
    4961-4972.
    """
    how = q.entry.kind_of_average
    function = partial(q.entry.of.function, **getattr(q.function, "keywords", {}))
    if isfinite(q.value):
        return of_average(replace(q, function=function), how, function)
    with np.errstate(invalid="ignore", divide="ignore"):
        left = left_out(q.summary.labels, ~np.isnan(function(q.summary.one_vs_rest())))
    return no_interval(None if how == "micro" else left)


def of_average(q: Question, how: str, function: Callable[..., Any]) -> Interval:
    """The interval of an average, "macro", "weighted" or "micro", of a measure of each class."""
    table, sampling = q.summary, q.sampled
    if isinstance(table, IndicatorTable) and q.fixed:
        return no_interval(SEVERAL)
    if how == "micro" and isinstance(table, ConfusionMatrix) and table.unanswered is None:
        return _of_accuracy(q)
    counts = table.one_vs_rest()
    counted = sampling_of(counts)
    cells, left = counted.weight, None
    with np.errstate(divide="ignore", invalid="ignore"):
        each = np.asarray(function(counts), float)
    used, base = ~np.isnan(each), q.entry.of if isinstance(q.entry, Average) else get("sensitivity", Counts)
    proportion = base.interval is not None and base.interval.kind == "proportion"
    if how == "micro":  # half cases count in the sum, once
        empty = (np.arange(len(cells)) == 0) & (cells.sum(0) == 0).any()
    else:
        at_an_end = np.isin(each, base.range) if proportion else (cells == 0).any(-1)
        left, empty = left_out(table.labels, used), at_an_end & used
        if (cells[~used][:, [0, 2]] > 0).any():
            return no_interval(joined(left, UNSEEN))
    inside, unit = q.entry.range[0] < q.value < q.entry.range[1], unit_weights(counted)
    more = HALF * unit * empty[:, None]
    centre, outcomes = influence.of_average(how, function, cells + more)
    there = more > 0
    observed = None if inside else sampling
    sampling = extended(sampling, more[there], (HALF * unit**2)[there], _classes(table)[there])
    values = np.concatenate([table.by_cell(outcomes), outcomes[there]]) * sampling.total
    found = smooth(
        q, values, sampling, centre=nan if inside else float(centre), student=True, observed=observed
    )
    return replace(found, notes=joined(left, found.notes))


def _classes(table: ConfusionMatrix | IndicatorTable) -> np.ndarray:
    """The actual class of half cases of each outcome of each class, (K, 4): itself, or the largest other."""
    if isinstance(table, IndicatorTable):
        return np.zeros((len(table), 4), int)
    *_, second, first = np.argsort(table.class_sizes, kind="stable") if len(table) > 1 else (0, 0)
    own = np.arange(len(table))
    other = np.where(own == first, second, first)
    return np.stack([own, other, own, other], axis=1)


def _of_accuracy(q: Question) -> Interval:
    """From that of the accuracy, for one label per case and the counts of all classes."""
    table, entry = q.summary, get("accuracy", ConfusionMatrix)
    accuracy = float(entry.function(table))
    known = interval_of(replace(q, entry=entry, function=entry.function, value=accuracy))
    if isnan(known.low):
        return known
    # up to rounding
    share = np.clip(np.append(np.linspace(known.low, known.high, POINTS), accuracy), 0.0, 1.0)
    n, wrong = table.total, table.total * (1 - share)
    values = q.function(Counts.of(n * share, wrong, wrong, n * np.maximum(len(table) - 2 + share, 0.0)))
    values = np.append(values[~np.isnan(values)], q.value)
    low, high = float(values.min()), float(values.max())
    if not (isfinite(low) and isfinite(high) and high - low > ROUNDING):
        return no_interval(SAME)
    return Interval(low, high, known.method, known.notes)


def left_out(labels: Sequence[Any], defined: np.ndarray) -> Note | None:
    """The note on the classes that an average leaves out; None if there are none."""
    missing = [label for label, there in zip(labels, defined.tolist(), strict=True) if not there]
    if not missing:
        return None
    return Note("undefined-classes", labels=tuple(missing), classes=len(labels))


# cases in a class: with fewer an average precision is biased upwards, or says little (docs/intervals.md)
FEW, TOO_FEW = 20, 10
ALONE = Note("one-in-a-class")


@kind("ClassScores", "of-classes")
@kind("ClassScores", "of-classes-weighted")
@kind("ClassScores", "of-pooled")
def of_classes(q: Question) -> Interval:
    """From the influence values on the average, on the logit scale; for areas this is DeLong's variance.

    The proportions of the classes, where these weight the average, are estimated, too.
    """
    table, spec = q.summary, q.entry.interval
    pooled = spec.kind == "of-pooled"
    skipped = None if pooled else left_out(table.labels, table.sizes > 0)
    smallest = float(table.effective_total if pooled else table.effective_sizes[table.sizes > 0].min())
    if smallest < 2:
        return no_interval(joined(skipped, ALONE))
    if precisions in spec.of and smallest < TOO_FEW:
        return no_interval(joined(skipped, Note("too-few-of-a-class", limit=TOO_FEW)))
    few = precisions in spec.of and spec.kind == "of-classes" and smallest < FEW
    interval = _of_cases(q, deciding(smallest) if few else None)
    if np.isnan(interval.low):
        return no_interval(joined(skipped, Note("classes-separated-or-tied")))
    return replace(interval, notes=joined(skipped, interval.notes))


@kind("ClassScores", "mean")
def mean(q: Question) -> Interval:
    """Of a mean of a loss per case, on the scale for its range."""
    return _of_losses(q)


@kind("ClassScores", "skill")
def skill(q: Question) -> Interval:
    """Of 1 - mean loss / loss of the class proportions, which are estimated, too."""
    return _of_losses(q)


def _of_losses(q: Question) -> Interval:
    found = _of_cases(q)
    return no_interval(Note("losses-alike")) if np.isnan(found.low) else found


def _of_cases(q: Question, notes: Note | None = None) -> Interval:
    values = influence.of_class_scores(q.entry, q.function, q.summary)
    return smooth(q, values, q.sampled, notes, of_cases=True, student=True)
