"""Every measure of probabilities against its definition, case by case: small data, many ties, probabilities
of 0 and 1, weights.

What is written here goes from the sentences of docs/measures.md, not from the code: sums over cases, isotonic
regression by its min-max formula, logistic regression by a general optimiser.
"""

import math
from collections import defaultdict
from fractions import Fraction

import numpy as np
import pytest
from looping import for_each
from scipy.optimize import brentq, minimize, root
from scipy.special import expit
from scipy.stats import chi2, foldnorm, norm

from tallymark import ClassScores, RankingTable
from tallymark.curves import curve
from tallymark.inference.hypothesis import hosmer_lemeshow, spiegelhalter
from tallymark.measures.families.decomposition import isotonic
from tallymark.measures.registry import get
from tallymark.summaries.ranking import LogitTable

pytestmark = pytest.mark.full

EPSILON = 2.220446049250313e-16
KINDS = ("none", "whole", "fractional")
GRID = (0.0, 0.1, 0.2, 0.25, 0.3, 0.5, 0.6, 0.7, 0.75, 0.9, 1.0)


class Cases:
    """Lists of labels, probabilities and weights, without those that weigh nothing."""

    def __init__(self, truth, score, weight):
        there = [(int(y), float(p), float(w)) for y, p, w in zip(truth, score, weight, strict=True) if w > 0]
        self.y, self.p, self.w = (list(column) for column in zip(*there, strict=True))
        self.n = math.fsum(self.w)
        self.n1 = math.fsum(w for y, w in zip(self.y, self.w, strict=True) if y)
        self.prior = self.n1 / self.n
        self.both = 0 < sum(self.y) < len(self.y)

    def __iter__(self):
        return zip(self.y, self.p, self.w, strict=True)

    def one_by_one(self):
        """Each case as often as it counts, where all weights are whole; else these cases."""
        if not all(w == int(w) for w in self.w):
            return self
        each = [(y, p) for y, p, w in self for _ in range(int(w))]
        return Cases([y for y, _ in each], [p for _, p in each], [1.0] * len(each))

    def mean(self, charge):
        """Of a charge for each label and probability."""
        charges = [(charge(y, p), w) for y, p, w in self]
        return (
            math.inf
            if any(c == math.inf for c, _ in charges)
            else math.fsum(c * w for c, w in charges) / self.n
        )

    def told(self, charge):
        """The mean of a charge for the probability given to what was true, and of its class."""
        return self.mean(lambda y, p: charge(p if y else 1 - p, y))


def log(q, base=math.e, clip=EPSILON):
    q = max(q, clip)
    return math.log(q) / math.log(base) if q > 0 else -math.inf


def entropy(share):
    return -sum(part * math.log(part) for part in (share, 1 - share) if part > 0)


# Losses
# --------------------------------------------------------------------------------------------------


def mean_absolute_error(c):
    return c.mean(lambda y, p: abs(y - p))


def brier_score(c):
    return c.mean(lambda y, p: (y - p) ** 2)


def root_mean_squared_error(c):
    return math.sqrt(brier_score(c))


def log_loss(c, base=math.e, clip=EPSILON):
    return c.told(lambda q, y: -log(q, base, clip))


def balanced_cross_entropy(c, alpha=None, base=math.e, clip=EPSILON):
    alpha = 1 - c.prior if alpha is None else alpha
    return c.told(lambda q, y: (alpha if y else 1 - alpha) * -log(q, base, clip)) if c.both else math.nan


def focal_loss(c, gamma=2.0, alpha=None, base=math.e, clip=EPSILON):
    of_class = {1: 1, 0: 1} if alpha is None else {1: alpha, 0: 1 - alpha}
    return c.told(lambda q, y: of_class[y] * (1 - q) ** gamma * -log(q, base, clip))


def information_score(c, base=math.e):
    if not c.both:
        return math.nan
    shares = {1: c.prior, 0: 1 - c.prior}

    def gained(q, y):
        share = shares[y]
        return math.log(q / share, base) if q >= share else math.log((1 - share) / (1 - q), base)

    return c.told(gained)


def relative_information_score(c):
    return information_score(c) / entropy(c.prior) if c.both else math.nan


def spherical_score(c):
    return c.told(lambda q, y: q / math.sqrt(q * q + (1 - q) ** 2))


def brier_skill_score(c):
    return 1 - brier_score(c) / (c.prior * (1 - c.prior)) if c.both else math.nan


def log_loss_skill_score(c):
    return 1 - log_loss(c) / entropy(c.prior) if c.both else math.nan


def cox_snell_r2(c):
    return 1 - math.exp(2 * (log_loss(c) - entropy(c.prior))) if c.both else math.nan


def nagelkerke_r2(c):
    return cox_snell_r2(c) / (1 - math.exp(-2 * entropy(c.prior))) if c.both else math.nan


def discrimination_slope(c):
    if not c.both:
        return math.nan
    sums = {label: math.fsum(p * w for y, p, w in c if y == label) for label in (0, 1)}
    return sums[1] / c.n1 - sums[0] / (c.n - c.n1)


LOSSES = {
    mean_absolute_error: [{}],
    brier_score: [{}],
    root_mean_squared_error: [{}],
    log_loss: [{}, {"base": 2.0}, {"clip": 0.0}, {"clip": 1e-15}, {"clip": 0.05}],
    balanced_cross_entropy: [{}, {"alpha": 0.3, "base": 2.0}, {"clip": 0.01}],
    focal_loss: [{}, {"gamma": 0.0}, {"gamma": 5.0, "alpha": 0.25, "base": 2.0}, {"clip": 0.01}],
    information_score: [{}, {"base": 2.0}],
    relative_information_score: [{}],
    spherical_score: [{}],
    brier_skill_score: [{}],
    log_loss_skill_score: [{}],
    cox_snell_r2: [{}],
    nagelkerke_r2: [{}],
    discrimination_slope: [{}],
}


# Bins
# --------------------------------------------------------------------------------------------------


def held(c, place):
    """The cases of every bin that has some."""
    found = defaultdict(list)
    for y, p, w in c:
        found[place(p)].append((y, p, w))
    return found.values()


def binned(c, place):
    """(weight, share of positives, mean probability) of every bin that has cases."""
    for cases in held(c, place):
        n = math.fsum(w for _, _, w in cases)
        yield n, math.fsum(y * w for y, _, w in cases) / n, math.fsum(p * w for _, p, w in cases) / n


def by_width(bins):
    """(0, 1/bins], ..., the first with 0; a probability is taken for the decimal that it is written as."""
    return lambda p: max(math.ceil(Fraction(repr(p)) * bins), 1)


def equal_width(c, bins):
    return list(binned(c, by_width(bins)))


def equal_mass(c, bins):
    """Between the quantiles of type 7 of the cases one by one, in exact fractions; of weights that are not
    whole, of type 1."""
    weights = [Fraction(repr(w)) for w in c.w]
    inner = [Fraction(i, bins) for i in range(1, bins)]
    if all(w.denominator == 1 for w in weights):
        cases = sorted(Fraction(p) for p, w in zip(c.p, weights, strict=True) for _ in range(int(w)))
        edges = [type_7(cases, q) for q in inner]
        return list(binned(c, lambda p: sum(edge < Fraction(p) for edge in edges)))

    def below(p):
        return sum(w for w, other in zip(weights, c.p, strict=True) if other < p) / sum(weights)

    return list(binned(c, lambda p: sum(q <= below(p) for q in inner)))


def type_7(cases, q):
    """Hyndman and Fan (1996): linear between the order statistics."""
    at = q * (len(cases) - 1)
    low, high = cases[math.floor(at)], cases[math.ceil(at)]
    return low + (at - math.floor(at)) * (high - low)


def expected_calibration_error(c, bins=10):
    return sum(n * abs(rate - mean) for n, rate, mean in equal_width(c, bins)) / c.n


def adaptive_calibration_error(c, bins=10):
    return sum(n * abs(rate - mean) for n, rate, mean in equal_mass(c, bins)) / c.n


def maximum_calibration_error(c, bins=10):
    return max(abs(rate - mean) for _, rate, mean in equal_width(c, bins))


def root_mean_squared_calibration_error(c, bins=10):
    return math.sqrt(brier_reliability(c, bins))


def brier_reliability(c, bins=10):
    return sum(n * (rate - mean) ** 2 for n, rate, mean in equal_width(c, bins)) / c.n


def brier_resolution(c, bins=10):
    return sum(n * (rate - c.prior) ** 2 for n, rate, _ in equal_width(c, bins)) / c.n


def debiased_calibration_error(c, bins=10):
    """Twice the error, less its mean if each share of positives were normal about itself with its standard
    error, linearised. Whole weights are so many cases of weight 1."""
    again = 0.0
    for cases in held(c.one_by_one(), by_width(bins)):
        weight = math.fsum(w for _, _, w in cases)
        rate = math.fsum(y * w for y, _, w in cases) / weight
        mean = math.fsum(p * w for _, p, w in cases) / weight
        gap, error = (
            abs(rate - mean),
            math.sqrt(math.fsum((w * (y - rate)) ** 2 for y, _, w in cases)) / weight,
        )
        again += weight * (foldnorm.mean(gap / error, scale=error) if error > 0 else gap)
    return max(2 * expected_calibration_error(c, bins) - again / c.n, 0.0)


def debiased_root_mean_squared_calibration_error(c, bins=10):
    """Of a bin the linearised variance of the share of positives, times n / (n - 1) for n effective cases
    (Kish), is taken off; bins of one case show none. Whole weights are so many cases of weight 1."""
    squares = 0.0
    for cases in held(c.one_by_one(), by_width(bins)):
        weight = math.fsum(w for _, _, w in cases)
        rate = math.fsum(y * w for y, _, w in cases) / weight
        mean = math.fsum(p * w for _, p, w in cases) / weight
        n = weight**2 / math.fsum(w * w for _, _, w in cases)
        variance = math.fsum((w * (y - rate)) ** 2 for y, _, w in cases) / weight**2
        squares += weight * ((rate - mean) ** 2 - (variance * n / (n - 1) if len(cases) > 1 else 0))
    return math.sqrt(max(squares / c.n, 0.0))


SOME_BINS = [{}, {"bins": 1}, {"bins": 3}, {"bins": 7}, {"bins": 20}]
BINS = dict.fromkeys(
    (
        expected_calibration_error,
        adaptive_calibration_error,
        maximum_calibration_error,
        root_mean_squared_calibration_error,
        brier_reliability,
        brier_resolution,
        debiased_calibration_error,
        debiased_root_mean_squared_calibration_error,
    ),
    SOME_BINS,
)


# Isotonic regression
# --------------------------------------------------------------------------------------------------


def recalibrated(c):
    """For each probability the largest, over the beginnings, of the smallest mean, over the ends, of what was
    true in between."""
    levels = sorted(set(c.p))
    weight = [math.fsum(w for _, p, w in c if p == level) for level in levels]
    positive = [math.fsum(y * w for y, p, w in c if p == level) for level in levels]

    def mean(first, last):
        return math.fsum(positive[first : last + 1]) / math.fsum(weight[first : last + 1])

    size = len(levels)
    fitted = [max(min(mean(a, b) for b in range(i, size)) for a in range(i + 1)) for i in range(size)]
    return dict(zip(levels, fitted, strict=True))


def brier_of(c, fitted):
    return c.mean(lambda y, p: (y - fitted[p]) ** 2)


def log_loss_of(c, fitted):
    return c.mean(lambda y, p: -log(fitted[p] if y else 1 - fitted[p], clip=0.0))


def brier_miscalibration(c):
    return brier_score(c) - brier_of(c, recalibrated(c))


def brier_discrimination(c):
    return c.prior * (1 - c.prior) - brier_of(c, recalibrated(c))


def brier_uncertainty(c):
    return c.prior * (1 - c.prior)


def log_loss_miscalibration(c):
    return log_loss(c) - log_loss_of(c, recalibrated(c))


def log_loss_discrimination(c):
    return entropy(c.prior) - log_loss_of(c, recalibrated(c))


def log_loss_uncertainty(c):
    return entropy(c.prior)


CORP = {
    brier_miscalibration: [{}],
    brier_discrimination: [{}],
    brier_uncertainty: [{}],
    log_loss_miscalibration: [{}],
    log_loss_discrimination: [{}],
    log_loss_uncertainty: [{}],
}
EVERY = LOSSES | BINS | CORP


# Data
# --------------------------------------------------------------------------------------------------


def some_weights(random, kind, size):
    weight = {
        "none": np.ones(size),
        "whole": random.integers(0, 4, size).astype(float),
        "fractional": random.choice([0.0, 0.1, 0.3, 0.7, 1.0, 2.5], size),
    }[kind]
    weight[0] = weight[0] or 1.0
    return weight


def some_cases(kind, number=100, seed=1, sizes=(1, 2, 3, 4, 6, 9, 14, 40)):
    """(truth, score, weight); probabilities from a few, of two digits, any, or all the same."""
    random = np.random.default_rng([seed, KINDS.index(kind)])
    for _ in range(number):
        size = random.choice(sizes)
        any_one = random.random(size)
        score = (random.choice(GRID, size), any_one.round(2), any_one, np.full(size, any_one[0].round(1)))[
            random.integers(4)
        ]
        truth = random.random(size) < (
            score if random.random() < 0.6 else random.choice([0.0, 0.2, 0.5, 1.0])
        )
        yield truth.astype(int), score, some_weights(random, kind, size)


def tabled(truth, score, weight, kind="none", of=RankingTable):
    """Whole weights count cases; others are importance weights."""
    given = {
        "none": {},
        "whole": {"weight": weight, "weight_kind": "count"},
        "fractional": {"weight": weight},
    }
    return of.from_arrays(truth=truth, score=score, positive=1, **given[kind])


def close(ours, wanted, within=1e-10):
    return (
        ours == wanted
        or math.isclose(ours, wanted, rel_tol=within, abs_tol=within / 100)
        or (ours != ours and wanted != wanted)
    )


def differing(measures, table, cases):
    for define, settings in measures.items():
        for setting in settings:
            ours, wanted = get(define.__name__, RankingTable)(table, **setting), define(cases, **setting)
            power = 2 if "root" in define.__name__ else 1  # near 0 a root makes much of rounding
            if not close(ours**power, wanted**power):
                yield define.__name__, setting, ours, wanted, list(cases)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("measures", [LOSSES, BINS, CORP], ids=["losses", "bins", "isotonic"])
def test_values_are_as_defined(measures, kind):
    wrong = [
        one for data in some_cases(kind) for one in differing(measures, tabled(*data, kind), Cases(*data))
    ]
    assert wrong == []


@pytest.mark.parametrize("kind", KINDS)
def test_hinge_loss_is_as_defined(kind):
    for truth, score, weight in some_cases(kind):
        margin = 4 * score - 2
        wanted = Cases(truth, margin, weight).mean(lambda y, s: max(0.0, 1 - (s if y else -s)))
        assert close(get("hinge_loss")(tabled(truth, margin, weight, kind)), wanted)


@for_each("bins", [2, 3, 5, 10, 15, 20, 25, 50, 100, 128, 250, 6, 7, 9, 12, 30, 49, 60])
def test_edge_belongs_to_the_bin_below(bins):
    """A probability of i / bins is not with what is just above it, but with what is below."""
    wrong = []
    for i in range(1, bins):
        edge, above = i / bins, i / bins + 1e-9
        table = RankingTable([above, edge, edge - 0.5 / bins], [1, 0, 0], [0, 1, 1])
        wanted = (1 - above + 2 * (edge - 0.25 / bins)) / 3
        wrong += [] if close(get("expected_calibration_error")(table, bins=bins), wanted) else [i]
    assert wrong == []


@pytest.mark.parametrize("kind", KINDS)
def test_curves_are_as_defined(kind):
    wrong = []
    for data in some_cases(kind, seed=7, number=40):
        table, cases = tabled(*data, kind), Cases(*data)
        for name, place in (("reliability", equal_width), ("reliability_equal_mass", equal_mass)):
            found, wanted = (
                curve(name, table, bins=7),
                sorted((mean, rate) for _, rate, mean in place(cases, 7)),
            )
            wrong += (
                [] if np.allclose([*zip(found.x, found.y, strict=True)], wanted, 1e-12, 1e-12) else [name]
            )
        fitted = recalibrated(cases)
        pairs = zip(isotonic(table), table.score, table.positive + table.negative, strict=True)
        wrong += [
            "isotonic" for ours, score, weight in pairs if weight and not close(ours, fitted[score], 1e-12)
        ]
    assert wrong == []


def of_spiegelhalter(c):
    """(z, p-value)."""
    spread = math.fsum(w * (1 - 2 * p) ** 2 * p * (1 - p) for _, p, w in c)
    z = math.fsum(w * (y - p) * (1 - 2 * p) for y, p, w in c) / math.sqrt(spread) if spread else math.nan
    return z, 2 * norm.sf(abs(z))


def joined_groups(groups):
    """Neighbours joined until 5 of both classes are expected; the last takes the rest."""
    runs = [[]]

    def fewest(run):
        return min(sum(n * mean for n, _, mean in run), sum(n * (1 - mean) for n, _, mean in run))

    for group in sorted(groups, key=lambda one: one[2]):
        if fewest(runs[-1]) >= 5:
            runs.append([])
        runs[-1].append(group)
    if len(runs) > 1 and fewest(runs[-1]) < 5:
        runs[-2:] = [runs[-2] + runs[-1]]
    for run in filter(None, runs):
        n = sum(n for n, _, _ in run)
        yield n, sum(n * rate for n, rate, _ in run) / n, sum(n * mean for n, _, mean in run) / n


def of_hosmer_lemeshow(c, groups, fitted):
    """(statistic, degrees of freedom, p-value) of the groups that can vary; infinite where one that cannot is
    wrong."""
    found = equal_mass(c, groups)
    df = sum(mean not in (0, 1) for _, _, mean in found) - 2 * fitted
    if any(abs(rate - mean) > 1e-9 for _, rate, mean in found if mean in (0, 1)):
        return math.inf, max(df, 0), 0.0
    found = [*joined_groups(one for one in found if 0 < one[2] < 1)]
    df = len(found) - 2 * fitted
    if df < 1:
        return math.nan, max(df, 0), math.nan
    statistic = math.fsum(n * (rate - mean) ** 2 / (mean * (1 - mean)) for n, rate, mean in found)
    return statistic, df, chi2.sf(statistic, df)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "fractional"])
def test_tests_of_calibration_are_as_defined(kind):
    """With fractional weights their variances are those of tests/test_class_weights.py."""
    wrong = []
    for data in some_cases(kind, seed=8):
        table, cases = tabled(*data, kind), Cases(*data)
        found = spiegelhalter(table)
        pairs = [((found.statistic, found.p_value), of_spiegelhalter(cases))]
        for groups, fitted in ((2, False), (4, True), (10, False), (10, True)):
            found = hosmer_lemeshow(table, hl_groups=groups, fitted=fitted)
            wanted = of_hosmer_lemeshow(cases, groups, fitted)
            pairs += [((found.statistic, found.df, found.p_value), wanted)]
        wrong += [(*pair, list(cases)) for pair in pairs if not all(map(close, *pair))]
    assert wrong == []


# Logistic regression
# --------------------------------------------------------------------------------------------------


class Inner:
    """The cases with a finite logit."""

    def __init__(self, cases):
        there = [(y, math.log(p) - math.log1p(-p), w) for y, p, w in cases if 0 < p < 1]
        self.y, self.x, self.w = (
            (np.array(column, float) for column in zip(*there, strict=True)) if there else np.empty((3, 0))
        )

    @property
    def both(self):
        return len(set(self.y)) == 2

    @property
    def overlap(self):
        """Whether each class reaches beyond the other."""
        if not self.both:
            return False
        positive, negative = self.x[self.y == 1], self.x[self.y == 0]
        return positive.max() > negative.min() and negative.max() > positive.min()

    def rates(self, a, b):
        return expit(a + b * self.x)

    def line(self):
        """(intercept, slope) by a general optimiser of the likelihood, then the roots of its slopes."""

        def loss(ab):
            z = ab[0] + ab[1] * self.x
            return self.w @ (np.logaddexp(0, z) - self.y * z)

        def slope(ab):
            rest = self.w * (self.rates(*ab) - self.y)
            return np.array([rest.sum(), rest @ self.x])

        def information(ab):
            spread = self.w * self.rates(*ab) * (1 - self.rates(*ab))
            rows = np.stack([np.ones_like(self.x), self.x])
            return (rows * spread) @ rows.T

        near = minimize(
            loss, [0.0, 0.0], jac=slope, hess=information, method="trust-exact", options={"maxiter": 500}
        ).x
        return root(slope, near, jac=information, tol=1e-14).x

    def level(self):
        """The shift with which as many positives are expected as there are."""
        return brentq(lambda a: self.w @ (self.rates(a, 1) - self.y), -60, 60, xtol=1e-15)


def of_logistic(table):
    names = ("calibration_intercept", "calibration_slope", "calibration_in_the_large")
    return [get(name)(table) for name in names]


def wanted_of_logistic(inner):
    line = inner.line() if inner.overlap else [math.nan] * 2
    return [*line, inner.level() if inner.both else math.nan]


@pytest.mark.parametrize("kind", KINDS)
def test_logistic_line_is_as_defined(kind):
    fitted = 0
    for data in some_cases(kind, seed=2, number=150, sizes=(2, 4, 6, 9, 14, 40)):
        inner = Inner(Cases(*data))
        fitted += inner.overlap
        ours, wanted = of_logistic(tabled(*data, kind)), wanted_of_logistic(inner)
        assert all(map(close, ours, wanted, [1e-10] * 3)), (ours, wanted, data)
    assert fitted > 35


def hardly_overlapping():
    """Classes that all but separate, so that the first steps of Newton's method go too far."""
    yield [1, 0, 1, 0], [0.9, 0.7, 0.6, 0.6], [0.1, 2.5, 0.1, 0.1]
    yield [0, 1, 0, 1], [0.49, 0.5, 0.06, 0.25], [417, 927, 897, 5]
    yield [0, 0, 0, 0, 0, 1], [0.9897, 0.0278, 0.0015, 0.9916, 0.9849, 0.9906], [1] * 6
    random = np.random.default_rng(5)
    for _ in range(60):
        z = random.normal(0, random.choice([1, 5, 20]), 300)
        truth = z + random.normal(0, random.choice([0.1, 0.3]), 300) > 0
        yield truth.astype(int), 1 / (1 + np.exp(-z)), np.ones(300)


def test_logistic_line_is_found_where_the_classes_hardly_overlap():
    wrong = []
    for truth, score, weight in hardly_overlapping():
        inner, table = (
            Inner(Cases(truth, score, weight)),
            RankingTable.from_arrays(truth=truth, score=score, weight=weight, positive=1),
        )
        ours, wanted = of_logistic(table), wanted_of_logistic(inner)
        wrong += [] if all(map(close, ours, wanted, [1e-6] * 3)) else [(ours, wanted)]
    assert wrong == []


# Logits
# --------------------------------------------------------------------------------------------------


def of_logit(z):
    return 1 / (1 + math.exp(-z)) if z >= 0 else math.exp(z) / (1 + math.exp(z))


@pytest.mark.parametrize("kind", KINDS)
def test_values_of_logits_are_as_defined(kind):
    """As of the probabilities that they stand for."""
    random = np.random.default_rng(3)
    wrong = []
    for truth, score, weight in some_cases(kind, number=40, seed=3):
        z = (
            3 * random.standard_normal(len(score))
            if random.random() < 0.7
            else random.choice([-2.5, -1.0, 0.3, 0.8], len(score))
        )
        cases = Cases(truth, [of_logit(one) for one in z], weight)
        wrong += differing(EVERY, tabled(truth, z, weight, kind, LogitTable), cases)
    assert wrong == []


def test_far_logits_lose_nothing():
    """log(1 + exp(-z)) of the side that is true, where the probability itself is 0 or 1 to 16 digits."""
    table = LogitTable.from_arrays(
        truth=[1, 1, 0, 0, 1, 0], score=[-800.0, 40.0, 800.0, -40.0, -40.0, 40.0], positive=1
    )
    near = math.log1p(math.exp(-40))
    assert math.isclose(
        get("log_loss")(table), (800 + near + 800 + near + 40 + 40 + 2 * near) / 6, rel_tol=1e-14
    )
    sure = LogitTable.from_arrays(truth=[1, 0], score=[40.0, -40.0], positive=1)
    assert math.isclose(get("log_loss")(sure), near, rel_tol=1e-14)
    assert (
        math.isclose(get("focal_loss")(sure), near * math.exp(-80), rel_tol=1e-10)
        or get("focal_loss")(sure) == 0
    )


# Merging
# --------------------------------------------------------------------------------------------------

BY_NAME = {define.__name__: settings for define, settings in EVERY.items()}
BY_NAME |= {name: [{}] for name in ("calibration_intercept", "calibration_slope", "calibration_in_the_large")}


@pytest.mark.parametrize("kind", KINDS)
def test_merged_tables_are_those_of_all_cases(kind):
    random, wrong = np.random.default_rng(4), []
    for truth, score, weight in some_cases(kind, number=60, seed=4):
        weight = np.where(weight > 0, weight, 1.0)
        part = random.integers(0, 3, len(truth))
        parts = [tabled(truth[part == i], score[part == i], weight[part == i], kind) for i in set(part)]
        whole, merged = tabled(truth, score, weight, kind), sum(parts)
        for name, settings in BY_NAME.items():
            for setting in settings:
                a, b = (get(name, RankingTable)(table, **setting) for table in (whole, merged))
                wrong += [] if close(a, b, 1e-12) else [(name, setting, a, b)]
    assert wrong == []


# A probability per class
# --------------------------------------------------------------------------------------------------


def shares_of(truth, weight, classes):
    return [weight[truth == k].sum() / weight.sum() for k in range(classes)]


def of_classes(truth, score, weight):
    """{name: value} of the measures of a probability per class."""
    cases = list(zip(truth.tolist(), score.tolist(), weight.tolist(), strict=True))
    classes = score.shape[1]

    def mean(charge):
        return math.fsum(w * charge(y, p) for y, p, w in cases) / math.fsum(w for *_, w in cases)

    def squares(y, p):
        return sum(((k == y) - one) ** 2 for k, one in enumerate(p))

    def ranked(y, p):
        return sum((math.fsum(p[: k + 1]) - (y <= k)) ** 2 for k in range(classes - 1)) / (classes - 1)

    shares = shares_of(truth, weight, classes)
    several = sum(share > 0 for share in shares) > 1
    log_of, brier_of_classes = mean(lambda y, p: -log(p[y])), mean(squares)
    return {
        "log_loss": log_of,
        "brier_score": brier_of_classes,
        "spherical_score": mean(lambda y, p: p[y] / math.sqrt(sum(one * one for one in p))),
        "ranked_probability_score": mean(ranked),
        "brier_skill_score": 1 - brier_of_classes / (1 - sum(s * s for s in shares)) if several else math.nan,
        "log_loss_skill_score": (
            1 - log_of / -sum(s * math.log(s) for s in shares if s > 0) if several else math.nan
        ),
    }


TOP = {
    "top_label_calibration_error": expected_calibration_error,
    "top_label_adaptive_calibration_error": adaptive_calibration_error,
    "top_label_maximum_calibration_error": maximum_calibration_error,
    "top_label_root_mean_squared_calibration_error": root_mean_squared_calibration_error,
}


@pytest.mark.parametrize("kind", KINDS)
def test_values_of_many_classes_are_as_defined(kind):
    random, wrong = np.random.default_rng(5), []
    for _ in range(80):
        size, classes = random.integers(1, 15), random.integers(2, 5)
        score = random.dirichlet(np.full(classes, random.choice([0.3, 1.0, 5.0])), size)
        truth, weight = random.integers(0, classes, size), some_weights(random, kind, size)
        there = weight > 0
        given = None if kind == "none" else weight
        table = ClassScores.from_arrays(truth=truth, score=score, weight=given, classes=range(classes))
        wanted = of_classes(truth[there], score[there], weight[there])
        top = Cases(score.argmax(axis=1) == truth, score.max(axis=1), weight)
        wanted |= {name: define(top) for name, define in TOP.items()}
        found = {name: get(name, ClassScores)(table) for name in wanted}
        wrong += [
            (name, found[name], wanted[name]) for name in wanted if not close(found[name], wanted[name])
        ]
    assert wrong == []


@pytest.mark.parametrize("kind", KINDS)
def test_top_label_of_two_classes_is_as_defined(kind):
    """The answer is positive where p >= 0.5."""
    wrong = []
    for truth, score, weight in some_cases(kind, seed=6):
        answers = score >= 0.5
        cases = Cases((truth == 1) == answers, np.where(answers, score, 1 - score), weight)
        table = tabled(truth, score, weight, kind)
        for name, define in TOP.items():
            ours, wanted = get(name, RankingTable)(table), define(cases)
            wrong += [] if close(ours, wanted) else [(name, ours, wanted, list(cases))]
    assert wrong == []
