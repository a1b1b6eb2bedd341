"""Measures of a ranking by their definitions, as in `slow`: the families "early_retrieval" and
"biometric"."""

import itertools
import math
from fractions import Fraction

from slow import both, needs

# Early retrieval
# ------------------------------------------------------------------------------------------------------


def between(points, low, high):
    """The area under straight lines between points of rising x, from low to high."""
    area = Fraction(0)
    for (x, y), (x2, y2) in itertools.pairwise(points):
        a, b = max(x, low), min(x2, high)
        if a < b:
            at = [y + (y2 - y) * (end - x) / (x2 - x) for end in (a, b)]
            area += sum(at) / 2 * (b - a)
    return area


def standardised(area, low, high):
    chance, most = (high**2 - low**2) / 2, high - low
    return (1 + (area - chance) / (most - chance)) / 2


def exactly(*numbers):
    return map(Fraction, numbers)


@both
def partial_auc(r, low=0, high=0.1):
    return between(r.roc, *exactly(low, high))


@both
def partial_auc_standardised(r, low=0, high=0.1):
    return standardised(partial_auc(r, low, high), *exactly(low, high))


@both
def partial_auc_tpr(r, low=0.9, high=1):
    return between([(y, 1 - x) for x, y in r.roc], *exactly(low, high))


@both
def partial_auc_tpr_standardised(r, low=0.9, high=1):
    """Chance has 1 - fpr = 1 - tpr."""
    low, high = exactly(low, high)
    return standardised(between([(y, 1 - x) for x, y in r.roc], low, high), 1 - high, 1 - low)


@needs("total")
def precision_at_k(r, k=10):
    return r.among(k) / min(k, r.total)


@needs("p")
def recall_at_k(r, k=10):
    return r.among(k) / r.p


@needs("total")
def precision_at_share(r, share=0.1):
    return precision_at_k(r, Fraction(share) * r.total)


@needs("p")
def recall_at_share(r, share=0.1):
    return recall_at_k(r, Fraction(share) * r.total)


@needs("p")
def enrichment_factor(r, share=0.01):
    return precision_at_share(r, share) / (r.p / r.total)


@both
def bedroc(r, alpha=20):
    """Truchon and Bayly, Eq. 36, with the sum over the ranks of the positives averaged over the orders of
    tied cases."""
    n, tops, share = int(r.total), r.in_random_order, float(r.p / r.total)
    summed = sum(float(tops[j] - tops[j - 1]) * math.exp(-alpha * j / n) for j in range(1, n + 1))
    rie = summed / (share * (1 - math.exp(-alpha)) / (math.exp(alpha / n) - 1))
    factor = share * math.sinh(alpha / 2) / (math.cosh(alpha / 2) - math.cosh(alpha / 2 - alpha * share))
    return rie * factor + 1 / (1 - math.exp(alpha * (1 - share)))


def largest(pairs, at_least):
    """The largest first of the pairs whose second, as a float, is at least this; 0 where there is none."""
    return max((value for value, limit in pairs if float(limit) >= at_least), default=0)


@needs("p")
def recall_at_precision(r, precision=0.9):
    return largest([(tp / r.p, tp / (tp + fp)) for tp, fp in r.points[1:]], precision)


@needs("p")
def precision_at_recall(r, recall=0.9):
    return largest([(tp / (tp + fp), tp / r.p) for tp, fp in r.points[1:]], recall)


@both
def sensitivity_at_specificity(r, specificity=0.95):
    return largest([(y, 1 - x) for x, y in r.roc], specificity)


@both
def specificity_at_sensitivity(r, sensitivity=0.95):
    return largest([(1 - x, y) for x, y in r.roc], sensitivity)


# Biometric
# ------------------------------------------------------------------------------------------------------------


def crossing(one, other):
    """Where the line between two points (FMR, FNMR) has FMR = FNMR; infinity where it has not."""
    (x, y), (x2, y2) = one, other
    gap, gap2 = y - x, y2 - x2
    return x + (x2 - x) * gap / (gap - gap2) if gap >= 0 >= gap2 and gap > gap2 else math.inf


@both
def equal_error_rate(r):
    return min(itertools.starmap(crossing, itertools.pairwise(r.errors)))


@both
def equal_error_rate_nearest(r):
    return sum(min(r.errors, key=lambda point: abs(point[0] - point[1]))) / 2


@both
def equal_error_rate_hull(r):
    return min(itertools.starmap(crossing, itertools.combinations(r.errors, 2)))


@both
def fnmr_at_fmr(r, fmr=0.001):
    return min(miss for alarm, miss in r.errors if float(alarm) <= fmr)


@both
def fmr_at_fnmr(r, fnmr=0.01):
    return min(alarm for alarm, miss in r.errors if float(miss) <= fnmr)


@both
def min_dcf(r, prior=0.01, cost_miss=1, cost_fa=1):
    return min(cost_miss * prior * miss + cost_fa * (1 - prior) * alarm for alarm, miss in r.errors)


@both
def min_dcf_normalised(r, prior=0.01, cost_miss=1, cost_fa=1):
    return min_dcf(r, prior, cost_miss, cost_fa) / min(cost_miss * prior, cost_fa * (1 - prior))


def bits(r, odds):
    """The mean of the two classes' means of log2(1 + 1 / odds) and log2(1 + odds)."""
    positive = sum(
        float(p) * (math.log2(1 + 1 / o) if o else math.inf)
        for (_, p, _), o in zip(r.rows, odds, strict=True)
        if p
    )
    negative = sum(float(n) * (math.log2(1 + o)) for (_, _, n), o in zip(r.rows, odds, strict=True) if n)
    return (positive / float(r.p) + negative / float(r.n)) / 2


@both
def cllr(r):
    return bits(r, [math.exp(score) for score, _, _ in r.rows])


@both
def decidability(r):
    rows = [(Fraction(score), p, n) for score, p, n in r.rows]
    sizes = (r.p, r.n)
    means = [sum(row[0] * row[i] for row in rows) / size for i, size in ((1, r.p), (2, r.n))]
    within = sum(
        sum((row[0] - mean) ** 2 * row[i] for row in rows) / size
        for i, (mean, size) in enumerate(zip(means, sizes, strict=True), 1)
    )
    apart = abs(float(means[0] - means[1]))
    return apart / math.sqrt(within / 2) if within else math.inf if apart else math.nan


@both
def min_cllr(r):
    """With the isotonic regression by its min-max formula, divided by the odds of the classes."""
    size = range(len(r.rows))
    means = {(i, j): share(r.rows[i : j + 1]) for i in size for j in size[i:]}  # scores descend
    fitted = [min(max(means[i, j] for j in size[at:]) for i in size[: at + 1]) for at in size]
    return bits(r, [float(p / (1 - p) / (r.p / r.n)) if p < 1 else math.inf for p in fitted])


def share(rows):
    positive = sum(p for _, p, _ in rows)
    return positive / (positive + sum(n for _, _, n in rows))
