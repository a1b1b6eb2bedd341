"""Rules for choosing a threshold against a plain loop over all thresholds, in exact fractions; constraints;
what is refused."""

import math
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pytest
from looping import for_each, in_part
from refusals import refuses
from scipy.special import ndtr
from strategies import measures_of

from tallymark import Counts, InputError, RankingTable
from tallymark.evaluation.thresholds import NAMED, by_rule, choose, read_rule

INF = math.inf
EXACT = ("equal_error", "prevalence_matched", "top_k")  # what they promise may be dominated
MEASURES = {entry.name: entry for entry in measures_of(Counts)}
WITH_A_BETTER_END = [name for name, entry in MEASURES.items() if entry.better]


class Cases(NamedTuple):
    truth: np.ndarray
    score: np.ndarray
    weight: np.ndarray | None

    @property
    def whole(self):
        return self.weight is None or self.weight.dtype.kind == "i"

    @property
    def table(self):
        return RankingTable.from_arrays(truth=self.truth, score=self.score, weight=self.weight)

    @property
    def plain(self):
        """The same as lists, to be read in a message."""
        return [part if part is None else part.tolist() for part in self]


class Point(NamedTuple):
    """What happens where score >= limit is called positive; in exact fractions."""

    limit: float
    tp: Fraction
    fp: Fraction
    fn: Fraction
    tn: Fraction

    @property
    def called(self):
        return self.tp + self.fp


def some_cases(number=80, seed=1, ends=(-INF,)):
    """Tables of both classes: all scores different, few, all the same, or with infinite ones; weights none,
    whole, or in tenths."""
    random = np.random.default_rng(seed)
    for _ in range(number):
        size = random.integers(2, 13)
        truth = random.integers(0, 2, size)
        truth[:2] = 0, 1
        few = random.choice([*ends, 0.0, 0.25, 0.5, 1.0], size)
        score = (random.normal(truth), random.normal(2 * truth).round(), np.full(size, 0.5), few)[
            random.choice(4, p=(0.4, 0.3, 0.1, 0.2))
        ]
        weight = (None, random.integers(0, 4, size), random.integers(1, 21, size) / 10)[random.integers(3)]
        if weight is not None:
            weight[:2] += 1
        yield Cases(truth, score, weight)


def points(cases):
    """One for each threshold, the highest first: infinity, and every score of a case that counts."""
    weights = np.ones(len(cases.truth), int) if cases.weight is None else cases.weight
    rows = [
        (y, s, Fraction(str(w)))
        for y, s, w in zip(cases.truth, cases.score.tolist(), weights, strict=True)
        if w
    ]
    for limit in sorted({INF, *(s for _, s, _ in rows)}, reverse=True):
        sums = dict.fromkeys([(0, False), (0, True), (1, False), (1, True)], Fraction(0))
        for y, s, w in rows:
            sums[int(y), s >= limit] += w
        yield Point(limit, tp=sums[1, True], fp=sums[0, True], fn=sums[1, False], tn=sums[0, False])


def best(found, worth, near=0.0, exact=False):
    """The points that are as good as the best one that no other one dominates, the highest first.

    worth: None where a point is not allowed, so that it dominates none; -INF where it is, but is never taken;
    exact: the best one may be dominated.
    """
    values = {point: value for point in found if (value := worth(point)) is not None}
    most = max((values[point] for point in (values if exact else undominated(values))), default=-INF)
    room = near * max(1, abs(most)) if near and abs(most) < INF else 0
    return [point for point, value in values.items() if value > -INF and most - room <= value <= most + room]


def undominated(found):
    return [point for point in found if not any(dominates(other, point) for other in found)]


def dominates(one, other):
    """At least its sensitivity and its specificity, and more of one of them."""
    return one.tp >= other.tp and one.fp <= other.fp and (one.tp, one.fp) != (other.tp, other.fp)


def preferred(good, then=None, near=0.0, candidates=None):
    """Of equally good points the candidates (those that no other dominates); of these the best by `then`; the
    highest score."""
    left = undominated(good) if candidates is None else [point for point in good if point in candidates]
    left = best(left, then, near) if then else left
    return next((point for point in left if point.called), left[0])


def disagrees(cases, rule, worth, options=None, then=None, near=0.0):
    """In words, where the rule and the loop differ; empty where they agree."""
    found = list(points(cases))
    exact = rule in EXACT
    good = best(found, worth, near, exact)
    candidates = undominated(good if exact else [point for point in found if worth(point) is not None])
    if ">=" in rule or "<=" in rule:
        good = [point for point in good if point in candidates]
    try:
        choice = choose(cases.table, read_rule(rule, **options or {}), 0, 2)
    except InputError as refused:
        said = "no threshold meets", "has no value at any threshold that no other one dominates"
        return "" if not good and any(part in str(refused) for part in said) else f"{rule}: {refused}"
    if not good:
        return f"{rule}: {choice.value} was chosen, where nothing is allowed"
    wanted = preferred(good, then, near, candidates)
    if choice.value != wanted.limit:
        return f"{rule}: {choice.value} was chosen, not {wanted.limit}"
    if not np.allclose(choice.counts._cells(), [float(cell) for cell in wanted[1:]], rtol=1e-12):
        return f"{rule}: at {choice.value} there are {choice.counts}, not {wanted}"
    return intervals_disagree(choice.equally_good, found, good)


def intervals_disagree(intervals, found, good):
    """They hold the thresholds that are as good, between the scores, too, and no others; the highest
    first."""
    if [high for _, high in intervals] != sorted({high for _, high in intervals}, reverse=True):
        return f"{intervals} are not in order"
    for point, lower in zip(found, [*(point.limit for point in found[1:]), -INF], strict=True):
        for probe in {point.limit, min(np.nextafter(lower, INF), point.limit)} - {-INF}:
            if any(low < probe <= high for low, high in intervals) != (point in good):
                return f"{intervals}: is {probe} as good?"
    return ""


def differing(tables, *given, **more):
    """The tables, and in what, where rule and loop differ."""
    return [(said, cases.plain) for cases in tables if (said := disagrees(cases, *given, **more))]


# Named rules
# --------------------------------------------------------------------------------------------------


def tpr(p):
    return p.tp / (p.tp + p.fn)


def fpr(p):
    return p.fp / (p.fp + p.tn)


def tnr(p):
    return 1 - fpr(p)


def share(p):
    return (p.tp + p.fn) / sum(p[1:])


def line(slope):
    return lambda p: tpr(p) - slope(p) * fpr(p)


def mean_cost(cost_fp, cost_fn, prevalence=share):
    return lambda p: -(cost_fn * prevalence(p) * (1 - tpr(p)) + cost_fp * (1 - prevalence(p)) * fpr(p))


def at_most(k):
    return lambda p: p.called if p.called <= Fraction(k) else None


RULES = {  # options, and how good a point is
    "youden": ({}, lambda p: tpr(p) - fpr(p)),
    "closest_to_corner": ({}, lambda p: -((1 - tpr(p)) ** 2 + fpr(p) ** 2)),
    "equal_error": ({}, lambda p: -abs(1 - tpr(p) - fpr(p))),
    "roc_slope": ({}, line(lambda p: 1)),
    "roc_slope of 0": ({"slope": 0}, line(lambda p: 0)),
    "roc_slope of 2.5": ({"slope": 2.5}, line(lambda p: Fraction(5, 2))),
    "roc_slope of costs": (
        {"cost_fp": 1, "cost_fn": 4},
        line(lambda p: Fraction(1, 4) * (1 - share(p)) / share(p)),
    ),
    "roc_slope of one cost": ({"cost_fp": 3}, line(lambda p: 3 * (1 - share(p)) / share(p))),
    "roc_slope of prevalence": ({"prevalence": 0.2}, line(lambda p: 4)),
    "roc_slope of all": ({"cost_fp": 2, "cost_fn": 8, "prevalence": 0.2}, line(lambda p: 1)),
    "cost": ({"cost_fp": 1, "cost_fn": 1}, mean_cost(1, 1)),
    "cost of a miss": ({"cost_fp": 1, "cost_fn": 5}, mean_cost(1, 5)),
    "cost of an alarm": ({"cost_fp": 2.5, "cost_fn": 0.5}, mean_cost(Fraction(5, 2), Fraction(1, 2))),
    "cost of no alarm": ({"cost_fp": 0, "cost_fn": 1}, mean_cost(0, 1)),
    "cost elsewhere": (
        {"cost_fp": 1, "cost_fn": 5, "prevalence": 0.1},
        mean_cost(1, 5, lambda p: Fraction(1, 10)),
    ),
    "prevalence_matched": ({}, lambda p: -abs(p.called - p.tp - p.fn)),
    "prevalence_matched elsewhere": (
        {"prevalence": 0.3},
        lambda p: -abs(p.called - Fraction(3, 10) * sum(p[1:])),
    ),
    "top_k of 4": ({"k": 4}, at_most("4")),
    "top_k of 1e6": ({"k": 1e6}, at_most(10**6)),
}


@in_part(3)
@for_each("name", RULES)
def test_rule(name):
    options, worth = RULES[name]
    assert differing(some_cases(120), name.split()[0], worth, options) == []


@pytest.mark.full
@pytest.mark.parametrize("k", [1, 2, 3, 5, 100])
def test_top_k(k):
    """Of whole weights, since the sum of tenths is rounded."""
    whole = [cases for cases in some_cases(240) if cases.whole]
    assert differing(whole, "top_k", at_most(k), {"k": k}) == []


@for_each(
    ("table", "k", "threshold"),
    [
        (([2.0, 1.0], [2, 0], [1, 1]), 2, INF),  # more than k are tied at the top
        (([3.0, 2.0, 1.0], [0, 0, 1], [1, 1, 0]), 2, 2),  # none of the first two is positive
        (([3.0, 2.0, 1.0], [0, 0, 1], [1, 1, 0]), 3, 1),
        (([4.0, 3.0, 2.0, 1.0], [1, 0, 0, 1], [0, 1, 1, 0]), 3, 2),
        # no positive among the first three, as cutpointr and bob.measure would take them, too
        ((np.arange(8.0, 0.0, -1), [0, 0, 0, 1, 1, 0, 0, 0], [1, 1, 1, 0, 0, 1, 1, 1]), 3, 6),
        (([4.0, 3.0, 2.0, 1.0], [1, 1, 0, 0], [0, 0, 1, 1]), 1, 4),
    ],
)
def test_top_k_by_hand(table, k, threshold):
    assert by_rule(RankingTable(*table), read_rule("top_k", k=k)).value == threshold


def precision_of(p):
    return p.tp / p.called if p.called else None


def limited(worth, *limits):
    return lambda p: worth(p) if all(met(value(p), ">=", bound) for value, bound in limits) else None


HALF, FOUR_FIFTHS = Fraction(1, 2), Fraction(4, 5)


@in_part(3, ("fast", "full"))
@for_each(
    ("rule", "options", "worth"),
    [
        # either may be met by a lower or a higher threshold: the largest Youden index
        (
            "precision>=0.5 and recall>=0.8",
            {},
            limited(lambda p: tpr(p) - fpr(p), (precision_of, HALF), (tpr, FOUR_FIFTHS)),
        ),
        # both are met by lower ones: the largest specificity
        (
            "npv>=0.5 and recall>=0.8",
            {},
            limited(tnr, (lambda p: over(p.tn, p.fn + p.tn), HALF), (tpr, FOUR_FIFTHS)),
        ),
        (
            "f1 where precision>=0.5",
            {},
            limited(lambda p: over(2 * p.tp, 2 * p.tp + p.fp + p.fn), (precision_of, HALF)),
        ),
        (
            "cost where recall>=0.8 and specificity>=0.5",
            {"cost_fp": 1, "cost_fn": 5},
            limited(mean_cost(1, 5), (tpr, FOUR_FIFTHS), (tnr, HALF)),
        ),
    ],
)
def test_an_objective_or_several_constraints(rule, options, worth):
    assert differing([one for one in some_cases(90) if one.whole], rule, worth, options) == []
    assert read_rule(rule, **options).spec.requested == rule.replace(
        "npv", "negative_predictive_value"
    ).replace("recall", "sensitivity").replace(">=", " >= ")


@for_each("rule", ["mcc", "odds_ratio"])
def test_a_measure_without_a_value_where_no_other_threshold_dominates(rule):
    """All scores are in the wrong order: only "all" and "none predicted positive" are undominated."""
    with refuses("no-result", argument="rule") as refused:
        by_rule(RankingTable([2.0, 1.0], [0, 1], [1, 0]), read_rule(rule))
    assert "\n" not in str(refused.value)


def test_one_slope_is_one_cost():
    """The slope of the costs chooses what has the smallest cost, here and elsewhere."""
    for cases in some_cases(40):
        for more in ({}, {"prevalence": 0.05}):
            costs = {"cost_fp": 1, "cost_fn": 3, **more}
            assert (
                by_rule(cases.table, read_rule("roc_slope", **costs)).value
                == by_rule(cases.table, read_rule("cost", **costs)).value
            )


def test_youden_is_the_slope_of_1_and_the_balanced_accuracy():
    for cases in some_cases(40):
        chosen = {
            by_rule(cases.table, read_rule(rule)).value
            for rule in ("youden", "roc_slope", "youden_j", "balanced_accuracy", "ber")
        }
        assert len(chosen) == 1


# Measures
# --------------------------------------------------------------------------------------------------


def worth_of(name):
    """The measure itself, at one threshold at a time; -INF where it is undefined, or as bad as can be."""
    entry = MEASURES[name]
    sign = {"higher": 1, "lower": -1}[entry.better]

    def worth(point):
        value = sign * measured(entry, point)
        return -INF if math.isnan(value) else value

    return worth


def measured(entry, point):
    with np.errstate(all="ignore"):
        return float(
            entry.function(Counts(**{cell: float(getattr(point, cell)) for cell in ("tp", "fp", "fn", "tn")}))
        )


@in_part(3)
@for_each("name", WITH_A_BETTER_END)
def test_measure(name):
    """Its best value, were it infinite."""
    assert differing(some_cases(60), name, worth_of(name), near=1e-10) == []


def test_a_measure_by_any_name():
    table = next(some_cases(1)).table
    for name, alias in {
        "accuracy": "Fraction correct",
        "f1": "F-score",
        "matthews_correlation": "MCC",
        "precision": "ppv",
    }.items():
        assert by_rule(table, read_rule(name)) == by_rule(table, read_rule(alias))


@pytest.mark.full
@pytest.mark.parametrize("rule", ["youden", "accuracy", "cost of an alarm", "top_k of 4", "precision"])
def test_infinite_scores(rule):
    """No threshold leaves out cases whose score is infinite: score >= threshold holds for them always."""
    options, worth = RULES.get(rule, ({}, None))
    exact = {"worth": worth} if worth else {"worth": worth_of(rule), "near": 1e-10}
    assert (
        differing(some_cases(80, seed=2, ends=(INF, -INF)), rule.split()[0], options=options, **exact) == []
    )


# Constraints
# --------------------------------------------------------------------------------------------------


def over(part, whole):
    return part / whole if whole else None


RISING = {  # with the threshold, if not at every step; exactly
    "specificity": lambda p: over(p.tn, p.fp + p.tn),
    "false_negative_rate": lambda p: over(p.fn, p.tp + p.fn),
    "false_omission_rate": lambda p: over(p.fn, p.fn + p.tn),
    "precision": lambda p: over(p.tp, p.called),
    "lift": lambda p: over(p.tp / share(p), p.called),
    "positive_likelihood_ratio": lambda p: INF if p.tp and not p.fp else over(tpr(p), fpr(p)),
    "negative_likelihood_ratio": lambda p: INF if p.fn and not p.tn else over(1 - tpr(p), 1 - fpr(p)),
    "npr_predicted": lambda p: over(p.fn + p.tn, p.called) if p.called else INF,
}
FALLING = {
    "sensitivity": tpr,
    "false_positive_rate": fpr,
    "negative_predictive_value": lambda p: over(p.tn, p.fn + p.tn),
    "false_discovery_rate": lambda p: over(p.fp, p.called),
    "predicted_prevalence": lambda p: p.called / sum(p[1:]),
}
UNTRIED = {"prevalence", "npr", "prevalence_threshold", "adjusted_geometric_mean"}


def along(entry):
    """1 where the measure only rises with the threshold of a usual classifier, -1 where it only falls, 0
    where it does neither."""
    limits, steps = np.linspace(-3, 3, 25), []
    for positives, negatives in ((100, 100), (100, 2000), (2000, 100)):
        tp, fp = positives * ndtr(0.7 - limits), negatives * ndtr(-0.7 - limits)
        with np.errstate(all="ignore"):
            change = np.diff(entry.function(Counts.of(tp, fp, positives - tp, negatives - fp)))
        steps += change[np.isfinite(change)].tolist()
    return int(min(steps) >= -1e-12) - int(max(steps) <= 1e-12)


ALONG = {name: along(entry) for name, entry in MEASURES.items() if name not in UNTRIED}
NEITHER = {name for name, way in ALONG.items() if not way}


def met(value, sign, bound):
    return value is not None and (value >= bound if sign == ">=" else value <= bound)


def bounds(values, exact):
    """Between the values that there are, and, where these are exact, at them."""
    ends = sorted(
        {float(value) for value in values if value is not None and abs(value) < INF and not math.isnan(value)}
    )
    middles = [(a + b) / 2 for a, b in pairwise(ends) if b - a > 1e-9]
    return [*middles, *(ends if exact else [])]


def constrained(cases, name, sign, other):
    """Where the constraint on a measure that rises or falls with the threshold gives another one than the
    loop.

    other: the rate that is made largest. The values of a measure without an exact formula above are taken as
    they are, rounded.
    """
    value, exact = (RISING | FALLING).get(name), cases.whole
    if value is None:
        value, exact = (lambda p: measured(MEASURES[name], p)), False
    for bound in bounds(map(value, points(cases)), exact):
        limit = Fraction(bound).limit_denominator(10**6) if exact else Fraction(bound)

        def worth(p, limit=limit):
            return other(p) if met(value(p), sign, limit) else None

        if said := disagrees(cases, f"{name}{sign}{bound!r}", worth):
            yield said, cases.plain


@in_part(10)
@for_each("sign", [">=", "<="])
@for_each("name", [name for name, way in ALONG.items() if way])
def test_a_constraint_that_one_side_meets_more_easily(name, sign):
    """The largest sensitivity where a higher threshold meets it more easily, else the largest specificity."""
    other = tpr if (ALONG[name] > 0) == (sign == ">=") else tnr
    assert [wrong for cases in some_cases(60) for wrong in constrained(cases, name, sign, other)] == []


def test_which_measures_rise_and_which_fall():
    assert {name for name, way in ALONG.items() if way > 0} >= RISING.keys()
    assert {name for name, way in ALONG.items() if way < 0} >= FALLING.keys()


@in_part(4)
@for_each("sign", [">=", "<="])
@for_each("name", sorted(NEITHER))
def test_a_constraint_that_neither_side_meets_more_easily(name, sign):
    """The largest Youden index among the thresholds that meet it; of several the best in the constrained
    measure."""
    wrong = []
    for cases in some_cases(25):
        values = {point: measured(MEASURES[name], point) for point in points(cases)}
        for bound in bounds(values.values(), exact=False):

            def worth(p, values=values, bound=bound):
                return tpr(p) - fpr(p) if met(values[p], sign, bound) else None

            def then(p, values=values):
                return values[p] if sign == ">=" else -values[p]

            said = disagrees(cases, f"{name}{sign}{bound!r}", worth, then=then, near=1e-11)
            wrong += [(said, cases.plain)] if said else []
    assert wrong == []


RATES = Cases(np.array([1, 1, 0, 1, 0, 1, 0, 0, 1, 0]), np.arange(10, 0, -1) / 10, None)  # 5 of each


@for_each(
    ("rule", "threshold"),
    [
        ("sensitivity>=0.8", 0.5),  # the highest with four of five
        ("sensitivity>=0.81", 0.2),
        ("sensitivity>=1", 0.2),
        ("sensitivity>=0", 0.9),  # of the thresholds without a false positive the one with most positives
        ("recall >= 0.8", 0.5),
        ("false negative rate<=0.2", 0.5),
        ("specificity>=0.8", 0.7),
        ("specificity>=0.6", 0.5),
        ("Specificity >= .6", 0.5),
        ("specificity>=0", 0.2),
        ("fpr<=0.4", 0.5),
        ("precision>=0.7", 0.7),
        ("precision>=1", 0.9),
        ("ppv>=0.6", 0.5),
        ("precision>=0.55", 0.2),
        ("predicted_prevalence<=0.35", 0.9),  # as sensitive as 0.8, and without its false positive
        ("npv>=0.75", 0.5),
        ("accuracy>=0.7", 0.9),  # of 0.9, 0.7 and 0.5, whose Youden index is the same, the highest
        ("accuracy<=0.55", 0.3),
        ("f1>=0.7", 0.5),
    ],
)
def test_by_hand(rule, threshold):
    assert by_rule(RATES.table, read_rule(rule)).value == pytest.approx(threshold)


@pytest.mark.parametrize(
    ("rule", "wanted", "cases"),
    [
        ("sensitivity>=0.8", 3.0, ([1, 1, 1, 0, 0], [5.0, 3.0, 2.0, 4.0, 2.5], [0.7, 0.1, 0.2, 0.2, 0.2])),
        ("specificity>=0.2", 1.0, ([0, 1, 1, 0, 0], [5.0, 1.0, 6.0, 2.0, 0.0], [0.2, 0.4, 0.7, 0.6, 0.2])),
        (
            "specificity>=0.5",
            4.5,
            ([0, 0, 1, 0, 0, 0], [7.0, 5.0, 4.5, 4.0, 2.0, 1.0], [0.2, 0.6, 0.6, 0.2, 0.4, 0.2]),
        ),
    ],
)
def test_weights_in_tenths_that_meet_a_constraint_exactly(rule, wanted, cases):
    """Though no sum of tenths is exact: 0.7 + 0.1 of 1 is 0.8."""
    assert by_rule(Cases(*map(np.array, cases)).table, read_rule(rule)).value == wanted


# What the rule is called
# --------------------------------------------------------------------------------------------------


@for_each(
    ("rule", "options", "text"),
    [
        ("youden", {}, "youden"),
        ("cost", {"cost_fp": 1, "cost_fn": 20.5}, "cost, cost_fp = 1, cost_fn = 20.5"),
        ("roc_slope", {"slope": 2}, "roc_slope, slope = 2"),
        ("top_k", {"k": 100}, "top_k, k = 100"),
        ("top_k", {"k": 1_234_567}, "top_k, k = 1234567"),
        ("F-score", {}, "largest f1"),
        ("brier", {}, None),
        ("error_rate", {}, "smallest error_rate"),
        ("recall>=0.95", {}, "sensitivity >= 0.95"),
        ("fpr <= 1e-5", {}, "false_positive_rate <= 1e-05"),
        ("specificity>=0.9999999", {}, "specificity >= 0.9999999"),
    ],
)
def test_text(rule, options, text):
    """As it was asked for: no digit is lost."""
    if text is None:
        with pytest.raises(InputError):
            read_rule(rule, **options)
    else:
        assert read_rule(rule, **options).text == text


# What is refused
# --------------------------------------------------------------------------------------------------

BAD = {
    "unknown": ("yuden", {}, "rule: 'yuden' not known mean 'youden' constraint"),
    "unknown measure": ("acuracy", {}, "rule: 'acuracy' mean 'accuracy'"),
    "far from all": ("xyzzy", {}, "rule: 'xyzzy' not known choose from youden, constraint"),
    "empty": ("", {}, "rule: '' not known choose"),
    "None": (None, {}, "rule: None not known choose"),
    "a number": (0.5, {}, "rule: 0.5 not known choose"),
    "a list": (["youden"], {}, "rule: ['youden']"),
    "neither end better": (
        "predicted_prevalence",
        {},
        "rule: predicted_prevalence neither better choose another",
    ),
    "unknown, with options": ("cots", {"cost_fp": 1, "cost_fn": 2}, "rule: 'cots' mean 'cost'"),
    "no costs": ("cost", {}, "rule: 'cost' needs cost_fp= and cost_fn="),
    "no cost of a miss": ("cost", {"cost_fp": 1}, "rule: 'cost' needs cost_fn="),
    "no cost of an alarm": ("cost", {"cost_fn": 1, "prevalence": 0.1}, "rule: 'cost' needs cost_fp="),
    "no k": ("top_k", {}, "rule: 'top_k' needs k="),
    "k of youden": ("youden", {"k": 3}, "k: 'youden' does not use top_k"),
    "cost of youden": ("youden", {"cost_fn": 3}, "cost_fn: 'youden' does not use roc_slope, cost"),
    "prevalence of a measure": (
        "f1",
        {"prevalence": 0.3},
        "prevalence: 'f1' does not use roc_slope, cost, prevalence_matched",
    ),
    "slope of a constraint": (
        "precision>=0.7",
        {"slope": 2},
        "slope: 'precision>=0.7' does not use roc_slope",
    ),
    "slope beside costs": ("roc_slope", {"slope": 2, "cost_fp": 1, "cost_fn": 3}, "slope"),
    "negative cost": ("cost", {"cost_fp": -1, "cost_fn": 1}, "cost_fp: -1 not possible from 0"),
    "no cost at all": ("cost", {"cost_fp": 1, "cost_fn": 0}, "cost_fn: 0 not possible"),
    "infinite cost": ("cost", {"cost_fp": INF, "cost_fn": 1}, "cost_fp: inf not possible"),
    "NaN": ("cost", {"cost_fp": math.nan, "cost_fn": 1}, "cost_fp: nan not possible"),
    "text": ("cost", {"cost_fp": "1", "cost_fn": 1}, "cost_fp: '1' number"),
    "True": ("top_k", {"k": True}, "k: True number"),
    "prevalence 0": ("cost", {"cost_fp": 1, "cost_fn": 1, "prevalence": 0}, "prevalence: 0 not possible"),
    "prevalence 1": ("cost", {"cost_fp": 1, "cost_fn": 1, "prevalence": 1}, "prevalence: 1 not possible"),
    "prevalence in percent": ("prevalence_matched", {"prevalence": 30}, "prevalence: 30 not possible"),
    "negative slope": ("roc_slope", {"slope": -1}, "slope: -1 not possible from 0"),
    "k 0": ("top_k", {"k": 0}, "k: 0 not possible from 1"),
    "k negative": ("top_k", {"k": -3}, "k: -3 not possible from 1"),
    "k infinite": ("top_k", {"k": INF}, "k: inf not possible"),
    "constraint on the unknown": ("sensitivty>=0.9", {}, "rule: 'sensitivty' mean 'sensitivity'"),
    "constraint on a ranking": ("auc>=0.9", {}, "rule: 'auc' counts"),
    "constraint without a number": ("sensitivity>=", {}, "rule: 'sensitivity>='"),
    "constraint of text": (
        "sensitivity>=high",
        {},
        "rule: 'high' sensitivity not a number sensitivity>=0.95",
    ),
    "constraint in percent": ("sensitivity>=95%", {}, "rule: '95%' sensitivity not a number"),
    "constraint of NaN": ("sensitivity>=nan", {}, "rule: nan sensitivity number"),
    "beyond the range": ("sensitivity>=95", {}, "rule: sensitivity from 0 to 1 95"),
    "below the range": ("sensitivity>=-0.1", {}, "rule: sensitivity from 0 to 1 -0.1"),
    "below -1": ("mcc<=-2", {}, "rule: matthews_correlation from -1 to 1 -2"),
    "strictly": ("sensitivity>0.9", {}, "rule: 'sensitivity>0.9' >="),
    "equal": ("sensitivity==0.9", {}, "rule: 'sensitivity==0.9' >="),
    "a share": ("top 10%", {}, "rule: alert_rate<=0.1 top_k"),
    "no constraint": ("f1 where precision", {}, "rule: 'precision' constraint precision>=0.9"),
    "no objective": ("precision>=0.5 where f1>=0.2", {}, "rule: 'precision>=0.5' not known"),
    "half a constraint": ("sensitivity>=0.9 and f1", {}, "rule: 'f1' constraint"),
    "a bound among others": (
        "sensitivity.low>=0.9 and f1>=0.5",
        {},
        "rule: 'sensitivity.low >= 0.9' alone estimates",
    ),
    "an option of two constraints": ("sensitivity>=0.9 and f1>=0.5", {"slope": 2}, "slope: does not use"),
}


@for_each(("rule", "options", "parts"), BAD.values(), ids=BAD)
def test_bad_input(rule, options, parts):
    with pytest.raises(InputError) as refused:
        read_rule(rule, **options)
    text = str(refused.value)
    assert "\n" not in text
    assert len(text.replace(", ".join(NAMED), "")) < 180
    assert text.endswith(".")
    for word in parts.split():
        assert word.strip(",") in text, text


MISLEADING = {
    "an end that is refused, too": ("cost", {"cost_fp": 1, "cost_fn": 1, "prevalence": 1}, "to 1."),
    "what is impossible asks for much": ("sensitivity>=95", {}, "asks for nothing"),
    "a measure of rankings is known": ("roc_auc", {}, "not known"),
    "the same name is no suggestion": ("top_k>=3", {}, "mean 'top_k'?"),
    "the number is what is wrong": ("sensitivity>=nan", {}, "asks for nothing"),
}


@pytest.mark.parametrize(("rule", "options", "words"), MISLEADING.values(), ids=MISLEADING)
def test_no_message_misleads(rule, options, words):
    with pytest.raises(InputError) as refused:
        read_rule(rule, **options)
    assert words not in str(refused.value)


@pytest.mark.parametrize("rule", ["precision>=0.99", "accuracy>=0.9", "f1>=0.85", "accuracy<=0.1", "lift>=3"])
def test_a_constraint_that_no_threshold_meets(rule):
    table = RankingTable([2.0, 1.0], [1, 1], [1, 1])
    with refuses("no-result", argument="rule"):
        by_rule(table, read_rule(rule))
