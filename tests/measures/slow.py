"""Measures of a ranking by their definitions, worked out the slow way: over all pairs of cases, all
thresholds, all orders of tied cases, all pairs of points of a curve, in fractions; and areas that have no
closed form by integration.

Here what they have in common, the family "ranking" and the family "precision_recall"; the others in
`slow_limits`.
"""

import itertools
import math
from fractions import Fraction
from functools import cached_property, partial

import numpy as np
from scipy import integrate, special, stats


def orders(positive, negative):
    """Every order of this many tied cases of each class, as rows of 1 and 0."""
    size = int(positive + negative)
    return [
        [i in chosen for i in range(size)] for chosen in itertools.combinations(range(size), int(positive))
    ]


class Slow:
    """A table as exact fractions: its rows, and the weight of each class from each threshold on."""

    def __init__(self, table):
        weights = ([Fraction(w) for w in part.tolist()] for part in (table.positive, table.negative))
        self.rows = list(zip(table.score.tolist(), *weights, strict=True))
        self.p, self.n = sum(p for _, p, _ in self.rows), sum(n for _, _, n in self.rows)
        self.total = self.p + self.n

    @cached_property
    def points(self):
        """(TP, FP) at every threshold, from nobody called positive to everybody."""
        return [
            (sum(p for _, p, _ in self.rows[:i]), sum(n for _, _, n in self.rows[:i]))
            for i in range(len(self.rows) + 1)
        ]

    @cached_property
    def roc(self):
        return [(fp / self.n, tp / self.p) for tp, fp in self.points]

    @cached_property
    def errors(self):
        """(FMR, FNMR) at every threshold."""
        return [(x, 1 - y) for x, y in self.roc]

    @cached_property
    def pairs(self):
        """Weights of the pairs of a positive and a negative: the positive higher, lower, level."""
        cases = itertools.product(self.rows, self.rows)
        every = [(p * n, high, low) for (high, p, _), (low, _, n) in cases]
        return tuple(
            sum(weight for weight, a, b in every if kind(a, b)) for kind in (float.__gt__, float.__lt__,
            float.__eq__)
        )  # fmt: skip

    @cached_property
    def in_random_order(self):
        """TP among the 0, 1, ..., n first cases, averaged over every order of tied cases. For whole
        weights."""
        every = itertools.product(*(orders(p, n) for _, p, n in self.rows))
        tops = np.array([np.cumsum([0, *itertools.chain(*order)]) for order in every])
        return [Fraction(int(column.sum()), len(tops)) for column in tops.T]

    def among(self, k):
        """TP among the k first cases, in random order where tied; straight between whole numbers."""
        tops, k = self.in_random_order, min(k, self.total)
        low = min(math.floor(k), int(self.total) - 1)
        return tops[low] + (tops[low + 1] - tops[low]) * (k - low)


SLOW = {}


def needs(*parts):
    """Enters a definition, which is NaN where one of these is 0."""

    def enter(define):
        SLOW[define.__name__] = lambda r, **given: (
            define(r, **given) if all(getattr(r, part) for part in parts) else math.nan
        )
        return define

    return enter


both = needs("p", "n")


def trapezoid(points):
    return sum((y + y2) / 2 * (x2 - x) for (x, y), (x2, y2) in itertools.pairwise(points))


def hull_height(points, x):
    """The highest point at x on a line between any two points."""
    pairs = itertools.product(points, points)
    on_lines = [
        y + (y2 - y) * (x - x1) / (x2 - x1) for (x1, y), (x2, y2) in pairs if x1 <= x <= x2 and x1 < x2
    ]
    return max([y for x1, y in points if x1 == x] + on_lines)


def mean_of_least(lines, a, b, nodes=40):
    """The mean over x, of distribution Beta(a, b), of the least of u x + v (1 - x); lines: pairs (u, v).

    By quadrature between the points at which two lines cross; with x = sin^2, for that is smooth at the ends.
    """
    u, v = np.array(lines, float).T
    slope, down = u[:, None] - u, v - v[:, None]
    with np.errstate(all="ignore"):
        crossings = (down / (slope + down)).ravel()
    ends = np.unique(np.r_[0, np.arcsin(np.sqrt(crossings[(crossings > 0) & (crossings < 1)])), np.pi / 2])

    def cost(angle):
        x = np.sin(angle) ** 2
        density = 2 * np.sin(angle) ** (2 * a - 1) * np.cos(angle) ** (2 * b - 1) / special.beta(a, b)
        return np.min(u[:, None] * x + v[:, None] * (1 - x), axis=0) * density

    return sum(integrate.fixed_quad(cost, *piece, n=nodes)[0] for piece in itertools.pairwise(ends))


# Ranking
# --------------------------------------------------------------------------------------------------


@both
def roc_auc(r):
    return (r.pairs[0] + r.pairs[2] / 2) / (r.p * r.n)


@both
def roc_auc_optimistic(r):
    return (r.pairs[0] + r.pairs[2]) / (r.p * r.n)


@both
def roc_auc_pessimistic(r):
    return r.pairs[0] / (r.p * r.n)


@both
def gini(r):
    return (r.pairs[0] - r.pairs[1]) / (r.p * r.n)


@both
def goodman_kruskal_gamma(r):
    more, less, _ = r.pairs
    return (more - less) / (more + less) if more + less else math.nan


@both
def auch(r):
    return trapezoid([(x, hull_height(r.roc, x)) for x in sorted({x for x, _ in r.roc})])


@both
def d_prime(r):
    return math.sqrt(2) * stats.norm.ppf(float(roc_auc(r)))


@both
def kolmogorov_smirnov(r):
    return max(abs(y - x) for x, y in r.roc)


@both
def truncated_average_ks(r):
    inner = [y - x for x, y in r.roc[1:-1]]
    return sum(inner) / len(inner) if inner else math.nan


@both
def youden_j_max(r):
    return max(y - x for x, y in r.roc)


@needs("total")
def average_gain(r):
    return sum(r.among(j) - j * r.p / r.total for j in range(1, int(r.total) + 1)) / r.total


@needs("p")
def average_lift(r):
    return sum(r.among(j) / j / (r.p / r.total) for j in range(1, int(r.total) + 1)) / r.total


@both
def h_measure(r, severity_ratio=None):
    ratio = float(r.p / r.n) if severity_ratio is None else severity_ratio
    positive, negative = r.p / r.total, r.n / r.total
    lines = [(negative * alarm, positive * miss) for alarm, miss in r.errors]
    ours, trivial = (
        mean_of_least(some, 2, 1 + 1 / ratio) for some in (lines, [(negative, 0), (0, positive)])
    )
    return 1 - ours / trivial


@both
def average_cost(r, alpha=1, beta=1):
    return mean_of_least([(miss, alarm) for alarm, miss in r.errors], alpha, beta)


# Precision and recall
# --------------------------------------------------------------------------------------------------


def precisions(r):
    return [tp / (tp + fp) for tp, fp in r.points[1:]]


@needs("p")
def average_precision(r):
    return sum(p * precision for (_, p, _), precision in zip(r.rows, precisions(r), strict=True)) / r.p


@needs("p")
def mean_precision(r):
    return sum(precisions(r)) / len(r.rows)


@needs("p")
def auc_pr_trapezoid(r):
    return trapezoid(
        [
            (0, 1),
            *((tp / r.p, precision) for (tp, _), precision in zip(r.points[1:], precisions(r), strict=True)),
        ]
    )


def of_extremes(r, before, after):
    """Berrar's areas: from the lowest or highest precision at one recall to that at the next, beginning at
    (0, 0)."""
    at = {}
    for (tp, _), precision in zip(r.points, [0, *precisions(r)], strict=True):
        at.setdefault(tp / r.p, []).append(precision)
    return sum((before(at[a]) + after(at[b])) / 2 * (b - a) for a, b in itertools.pairwise(at))


@needs("p")
def auc_pr_min(r):
    return of_extremes(r, min, min)


@needs("p")
def auc_pr_minmax(r):
    return of_extremes(r, min, max)


@needs("p")
def auc_pr_max(r):
    return of_extremes(r, max, max)


@needs("p")
def auc_pr_davis_goadrich(r):
    area = 0
    for (tp, fp), (_, p, n) in zip(r.points, r.rows, strict=False):
        steps = [Fraction(i, math.ceil(p)) for i in range(math.ceil(p) + 1)] if p else []
        first = p / (p + n) if p else 0  # where a straight line from (0, 0) begins
        area += trapezoid(
            [(tp + s * p, (tp + s * p) / (tp + fp + s * (p + n)) if tp + fp + s else first) for s in steps]
        )
    return area / r.p


def _between(tp, fp, ratio, more):
    return (tp + more) / (tp + fp + more * (1 + ratio))


@needs("p")
def auc_pr_integral(r):
    area = 0
    for (tp, fp), (_, p, n) in zip(r.points, r.rows, strict=False):
        if p:
            tp, fp, ratio = float(tp), float(fp), float(n / p)
            height = partial(_between, tp, fp, ratio)
            area += integrate.quad(height, 0, float(p), epsabs=0, epsrel=1e-13)[0]
    return area / float(r.p)
