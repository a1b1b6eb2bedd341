"""tm.planning: how many cases are needed, checked by sums over all outcomes, by simulation, and against
statsmodels and SciPy."""

import json
from dataclasses import FrozenInstanceError
from math import sqrt

import numpy as np
import pytest
from looping import for_each
from refusals import refuses
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.power import NormalIndPower
from statsmodels.stats.proportion import proportion_confint, samplesize_confint_proportion

import tallymark as tm
from tallymark import Counts, InputError, RankingTable, planning
from tallymark.studies.planning import (
    MOST,
    Areas,
    McNemar,
    binormal_covariance,
    distribution,
    joint_excess,
    smallest,
    upper_tail,
    variance_of,
)

THEIRS = {
    "wilson": "wilson",
    "clopper-pearson": "beta",
    "jeffreys": "jeffreys",
    "agresti-coull": "agresti_coull",
}
Z = 1.959963984540054


# Proportions
# --------------------------------------------------------------------------------------------------


def bounds(n, method, level=0.95):
    """statsmodels' bounds of every number of right answers; those of Jeffreys reach the ends, as ours do."""
    x = np.arange(n + 1)
    low, high = proportion_confint(x, n, 1 - level, THEIRS[method])
    if method == "jeffreys":
        low, high = np.where(x == 0, 0, low), np.where(x == n, 1, high)
    return np.clip(low, 0, 1), np.clip(high, 0, 1)


def summed(n, method, expected, goal, limit, level=0.95):
    """The power with n cases, over all outcomes."""
    low, high = bounds(n, method, level)
    does = {"at_least": low >= limit, "at_most": high <= limit, "width": high - low <= limit}[goal]
    return stats.binom.pmf(np.arange(n + 1), n, expected)[does].sum()


CASES = [
    ("wilson", 0.9, "at_least", 0.8, 0.8, 0.95),
    ("wilson", 0.9, "at_least", 0.85, 0.9, 0.95),
    ("wilson", 0.99, "at_least", 0.9, 0.8, 0.95),
    ("wilson", 0.5, "at_least", 0.3, 0.8, 0.9),
    ("wilson", 0.02, "at_most", 0.08, 0.8, 0.95),
    ("wilson", 1.0, "at_least", 0.9, 0.8, 0.95),
    ("clopper-pearson", 0.9, "at_least", 0.8, 0.8, 0.95),
    ("clopper-pearson", 0.1, "at_most", 0.2, 0.9, 0.99),
    ("jeffreys", 0.9, "at_least", 0.8, 0.8, 0.95),
    ("agresti-coull", 0.8, "at_least", 0.7, 0.8, 0.95),
    ("wilson", 0.9, "width", 0.1, 0.8, 0.95),
    ("wilson", 0.5, "width", 0.2, 0.8, 0.95),
    ("wilson", 0.3, "width", 0.15, 0.9, 0.95),
    ("clopper-pearson", 0.95, "width", 0.12, 0.8, 0.95),
]


@pytest.mark.full
@for_each(("method", "expected", "goal", "limit", "power", "level"), CASES)
def test_the_smallest_number_from_which_on_the_power_lasts(method, expected, goal, limit, power, level):
    plan = planning.proportion(expected=expected, power=power, level=level, method=method, **{goal: limit})
    powers = [summed(n, method, expected, goal, limit, level) for n in range(1, 2 * plan.n + 60)]
    assert plan.n == 1 + max(n for n, found in enumerate(powers, 1) if found < power)
    assert plan.power == pytest.approx(powers[plan.n - 1], rel=1e-9)


def test_power_goes_up_and_down_and_the_plan_minds_it():
    plan = planning.proportion(expected=0.9, at_least=0.85)
    good = [n for n in range(1, plan.n) if summed(n, "wilson", 0.9, "at_least", 0.85) >= 0.8]
    assert good  # a smaller number would do, and one more case than that would not
    assert summed(plan.n - 1, "wilson", 0.9, "at_least", 0.85) < 0.8


@for_each("method", THEIRS)
@for_each(("expected", "width"), [(0.9, 0.1), (0.5, 0.06), (0.02, 0.05)])
def test_a_width_on_expectation(method, expected, width):
    plan = planning.proportion(expected=expected, width=width, method=method)
    wide = [
        np.subtract(*proportion_confint(n * expected, n, 0.05, THEIRS[method])[::-1])
        for n in (plan.n - 1, plan.n)
    ]
    assert wide[1] <= width < wide[0]
    assert plan.power is None
    assert np.subtract(*plan.interval[::-1]) == pytest.approx(wide[1])


def test_a_small_width_is_planned_as_by_the_normal_formula():
    for expected in (0.5, 0.8, 0.9):
        theirs = samplesize_confint_proportion(expected, 0.005)  # half the width
        assert planning.proportion(expected=expected, width=0.01).n == pytest.approx(theirs, rel=2e-3)


def test_large_numbers_agree_with_the_normal_formula():
    plan = planning.proportion(expected=0.9, at_least=0.899)
    formula = ((Z * sqrt(0.899 * 0.101) + 0.8416212 * 0.3) / 0.001) ** 2
    assert plan.n == pytest.approx(formula, rel=5e-3)
    powers = 1 - stats.binom.cdf(np.ceil(0.899 * plan.n + Z * sqrt(plan.n * 0.899 * 0.101)) - 1, plan.n, 0.9)
    assert plan.power == pytest.approx(powers, abs=1e-3)


@pytest.mark.parametrize(("share", "assurance"), [(0.1, 0.95), (0.5, 0.9), (0.001, 0.99), (0.9, 0.5)])
def test_cases_to_collect(share, assurance):
    plan = planning.sensitivity(expected=0.9, at_least=0.8, prevalence=share, assurance=assurance)
    # failures before the n-th success
    assert plan.cases == plan.n + stats.nbinom.ppf(assurance, plan.n, share)
    assert plan.on_average == np.ceil(plan.n / share)
    assert (plan.prevalence, plan.assurance) == (share, assurance)


def test_sensitivity_is_of_positives_and_specificity_of_negatives():
    goal = {"expected": 0.9, "width": 0.1}
    plain = planning.proportion(**goal)
    of_positives, of_negatives = (
        plan(**goal, prevalence=0.2) for plan in (planning.sensitivity, planning.specificity)
    )
    assert (plain.positives, plain.negatives, plain.cases) == (None, None, None)
    assert (of_positives.positives, of_positives.negatives, of_positives.prevalence) == (plain.n, None, 0.2)
    assert (of_negatives.positives, of_negatives.negatives, of_negatives.prevalence) == (None, plain.n, 0.8)
    assert of_negatives.on_average == np.ceil(plain.n / 0.8)
    assert planning.sensitivity(**goal).cases is None


def test_the_release_gate_passes_as_often_as_planned():
    plan = planning.sensitivity(expected=0.9, at_least=0.8)
    rng = np.random.default_rng(1)
    right = rng.binomial(plan.n, 0.9, 4000)
    lows = np.array(
        [one.low for one in tm.estimate_each("sensitivity", Counts(tp=right, fn=plan.n - right, fp=0, tn=1))]
    )
    assert (lows >= 0.8).mean() == pytest.approx(
        plan.power, abs=4 * sqrt(plan.power * (1 - plan.power) / 4000)
    )


# Areas
# --------------------------------------------------------------------------------------------------


def test_joint_excess_is_the_bivariate_normal_distribution():
    for h, k, r in [(0.5, 0.5, 0.5), (1.2, 0.3, 0.25), (-0.4, 1.5, 0.9), (0, 0, 0.3), (2.5, 2.4, 0.6)]:
        both = stats.multivariate_normal([0, 0], [[1, r], [r, 1]]).cdf([h, k])
        assert joint_excess(h, k, r) == pytest.approx(both - stats.norm.cdf(h) * stats.norm.cdf(k), abs=1e-10)
    assert joint_excess(0.7, 0.7, 1.0) == pytest.approx(stats.norm.cdf(0.7) * stats.norm.cdf(-0.7), abs=1e-14)
    assert joint_excess(0.7, 0.2, 0.0) == 0


@pytest.mark.parametrize(
    "given", [{"at_least": 0.9}, {"width": 0.2}, {"at_least": 0.9, "negatives_per_positive": 5}]
)
def test_where_few_would_be_misplaced_the_interval_is_another_one(given):
    """23 in each class were planned for 0.99 to show 0.9, of which no sample at all has an interval above
    0.9."""
    plan = planning.roc_auc(expected=0.99, **given)
    assert plan.positives == 200  # 2 of them misplaced
    assert any("Fewer cases may be enough" in one for one in plan.assumptions)
    assert not any(
        "Fewer cases may be enough" in one for one in planning.roc_auc(expected=0.9, at_least=0.8).assumptions
    )
    if plan.power is not None:
        rng, lows = np.random.default_rng(2), []
        for _ in range(100):
            score = np.r_[
                rng.normal(stats.norm.ppf(0.99) * sqrt(2), 1, plan.positives),
                rng.normal(0, 1, plan.negatives),
            ]
            table = RankingTable.from_arrays(
                truth=np.repeat([1, 0], [plan.positives, plan.negatives]), score=score
            )
            lows.append(tm.estimate("roc_auc", table).low)
        assert (np.array(lows) >= 0.9).mean() >= plan.power - 0.03


def scores(rng, samples, sizes, areas, correlations=(0.0, 0.0), spread=1.0):
    """Binormal scores of two models: (samples, models, cases) of positives and of negatives."""
    shift = stats.norm.ppf(areas) * sqrt(1 + spread**2)
    positive, negative = (
        rng.multivariate_normal([0, 0], [[1, r], [r, 1]], (samples, n)).swapaxes(1, 2)
        for r, n in zip(correlations, sizes, strict=True)
    )
    return positive * spread + shift[:, None], negative


def delong(positive, negative):
    """Areas, and their covariance, of every sample: DeLong's formula, over all pairs."""
    wins = (positive[..., :, None] > negative[..., None, :]).astype(float)
    area = wins.mean((-2, -1))
    covariance = 0
    for axis, n in ((-1, positive.shape[-1]), (-2, negative.shape[-1])):
        off = wins.mean(axis) - area[..., None]
        covariance = covariance + off @ off.swapaxes(-1, -2) / (n - 1) / n
    return area, covariance


@pytest.mark.full
@pytest.mark.parametrize(("sizes", "areas", "correlations", "spread"), [
    ((8, 12), (0.85, 0.7), (0.6, 0.3), 1.0),
    ((20, 5), (0.9, 0.9), (0.5, 0.5), 2.0),
])  # fmt: skip
def test_binormal_variances_are_those_of_simulated_areas(sizes, areas, correlations, spread):
    area, estimated = delong(*scores(np.random.default_rng(3), 20_000, sizes, areas, correlations, spread))
    seen = np.cov(area.T)
    ours = [variance_of(binormal(a, spread), *sizes) for a in areas]
    assert area.mean(0) == pytest.approx(areas, abs=0.005)
    assert np.diag(seen) == pytest.approx(ours, rel=0.04)
    assert seen[0, 1] == pytest.approx(
        variance_of(binormal_covariance(areas, correlations, spread), *sizes), rel=0.06
    )
    bias = [(pair - sum(same)) / np.prod(sizes) for pair, *same in (binormal(a, spread) for a in areas)]
    # DeLong's estimate is so much too large
    assert np.diag(estimated.mean(0)) == pytest.approx(np.add(ours, bias), rel=0.015)


def binormal(area, spread):
    """The parts of the variance of an area."""
    return binormal_covariance((area, area), (1.0, 1.0), spread)


def simulated(expected, sizes, limit, samples, spread=1.0):
    """How often the low end of the interval on the logit scale reaches the limit."""
    positive, negative = scores(np.random.default_rng(5), samples, sizes, (expected, expected), spread=spread)
    area, covariance = delong(positive[:, :1], negative[:, :1])
    area, error = area[:, 0], np.sqrt(covariance[:, 0, 0])
    low = np.log(area / (1 - area)) - Z * error / (area * (1 - area))
    return (low >= np.log(limit / (1 - limit))).mean()


@pytest.mark.full
@pytest.mark.parametrize(
    ("goal", "slack"),
    [
        ({"expected": 0.8, "at_least": 0.7}, 0.02),
        ({"expected": 0.75, "at_least": 0.5, "negatives_per_positive": 4}, 0.02),
        ({"expected": 0.9, "at_least": 0.8, "spread_ratio": 1.5}, 0.03),
    ],
)
def test_an_area_is_shown_as_often_as_planned(goal, slack):
    plan, samples = planning.roc_auc(**goal), 3000
    seen = simulated(
        goal["expected"],
        (plan.positives, plan.negatives),
        goal["at_least"],
        samples,
        goal.get("spread_ratio", 1.0),
    )
    noise = 3 * sqrt(0.16 / samples)
    # of small samples it is a little higher, and said to be
    assert plan.power - noise <= seen <= plan.power + slack + noise
    assert 0.8 <= plan.power < 0.82


def test_one_case_fewer_does_not_do():
    plan = planning.roc_auc(expected=0.8, at_least=0.75)
    shape = Areas.of({"expected": 0.8}, "binormal", 1.0, 0.95)
    assert (
        shape.power(plan.positives - 1, plan.negatives - 1, 0.75)
        < 0.8
        <= shape.power(plan.positives, plan.negatives, 0.75)
    )
    narrow = planning.roc_auc(expected=0.8, width=0.1)
    assert (
        np.subtract(*shape.ends(narrow.positives, narrow.negatives)[::-1])
        <= 0.1
        < np.subtract(*shape.ends(narrow.positives - 1, narrow.negatives - 1)[::-1])
    )


def test_the_planned_width_is_that_of_evaluate():
    plan = planning.roc_auc(expected=0.85, width=0.1, negatives_per_positive=2)
    assert plan.negatives == 2 * plan.positives
    positive, negative = scores(np.random.default_rng(7), 300, (plan.positives, plan.negatives), (0.85, 0.85))
    truth = np.repeat([1, 0], (plan.positives, plan.negatives))
    found = [
        tm.estimate("roc_auc", RankingTable.from_arrays(truth=truth, score=np.append(p, n)))
        for p, n in zip(positive[:, 0], negative[:, 0], strict=True)
    ]
    assert found[0].method == plan.method
    assert np.mean([one.high - one.low for one in found]) == pytest.approx(0.1, rel=0.02)


def test_hanley_and_mcneils_variance_is_that_of_exponential_scores():
    plan = planning.roc_auc(expected=0.8, width=0.12, variance="hanley-mcneil")
    rng, n = np.random.default_rng(8), plan.positives
    # positives win 4 times of 5
    area, _ = delong(rng.exponential(4.0, (1500, 1, n)), rng.exponential(1.0, (1500, 1, n)))
    error = area.std() / 0.16
    low, high = (1 / (1 + np.exp(-(np.log(4) + side * Z * error))) for side in (-1, 1))
    assert area.mean() == pytest.approx(0.8, abs=0.004)
    assert high - low == pytest.approx(0.12, rel=0.06)
    assert plan.interval == pytest.approx((low, high), abs=0.01)


def test_cases_that_come_as_they_come_hold_enough():
    plan = planning.roc_auc(expected=0.85, at_least=0.75, prevalence=0.2, assurance=0.9)
    shape, enough = Areas.of({"expected": 0.85}, "binormal", 1.0, 0.95), {}
    for cases in (plan.cases - 1, plan.cases):
        positives = np.arange(2, cases - 1)
        good = shape.power(positives, cases - positives, 0.75) >= 0.8
        enough[cases] = stats.binom.pmf(positives, cases, 0.2)[good].sum()
    assert enough[plan.cases - 1] < 0.9 <= enough[plan.cases]
    assert plan.on_average == plan.positives + plan.negatives == plan.n < plan.cases
    assert plan.positives == round(0.2 * plan.n)


# Two models
# --------------------------------------------------------------------------------------------------


@pytest.mark.full
@pytest.mark.parametrize(
    "goal",
    [
        {"first": 0.85, "second": 0.75, "correlation": 0.5},
        {"first": 0.9, "second": 0.8, "correlation": (0.7, 0.2), "negatives_per_positive": 3},
        {"first": 0.8, "second": 0.8, "correlation": 0.6, "margin": 0.1},
    ],
)
def test_a_difference_is_shown_as_often_as_planned(goal):
    plan, samples = planning.paired_roc_auc(**goal), 2500
    r = goal["correlation"]
    sizes, areas = (plan.positives, plan.negatives), (goal["first"], goal["second"])
    area, covariance = delong(
        *scores(np.random.default_rng(11), samples, sizes, areas, r if isinstance(r, tuple) else (r, r))
    )
    error = np.sqrt(covariance[:, 0, 0] + covariance[:, 1, 1] - 2 * covariance[:, 0, 1])
    seen = (area[:, 0] - area[:, 1] - Z * error > -goal.get("margin", 0.0)).mean()
    assert seen == pytest.approx(plan.power, abs=3 * sqrt(0.16 / samples) + 0.015)
    of_areas = np.corrcoef(area.T)[0, 1]
    said = next(one for one in plan.assumptions if "correlate" in one)
    assert float(said.rpartition(" ")[2]) == pytest.approx(of_areas, abs=0.05)


def test_correlated_models_need_fewer_cases():
    sizes = [planning.paired_roc_auc(first=0.85, second=0.8, correlation=r).n for r in (0.0, 0.3, 0.6, 0.9)]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] > 4 * sizes[3]


def test_without_correlation_the_variances_add_up():
    plan = planning.paired_roc_auc(first=0.85, second=0.8, correlation=0.0, width=0.1)
    error = sqrt(sum(variance_of(binormal(a, 1.0), plan.positives, plan.negatives) for a in (0.85, 0.8)))
    assert plan.interval == pytest.approx((0.05 - Z * error, 0.05 + Z * error))
    assert 2 * Z * error <= 0.1 < 2 * Z * error * sqrt(plan.positives / (plan.positives - 1))


def over_all_tables(n, first_only, second_only, rejects):
    """The probability of the tables (cases that one model alone has right) that a test rejects."""
    b, c = np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij")
    some = (b + c <= n) & (b > c)
    table = np.stack([b[some], c[some], n - b[some] - c[some]], -1)
    chances = stats.multinomial.pmf(table, n, [first_only, second_only, 1 - first_only - second_only])
    return sum(
        p for p, (x, y, _) in zip(chances, table, strict=True) if p > 1e-12 and rejects(int(x), int(y))
    )


@pytest.mark.parametrize("method", ["exact", "mid-p"])
def test_mcnemars_power_is_summed_over_all_tables(method):
    plan = planning.paired_proportions(first=0.9, second=0.6, discordant=0.36, method=method)
    known = {}

    def rejects(b, c):
        if (b, c) not in known:
            p = mcnemar([[0, b], [c, 0]], exact=True).pvalue
            p -= stats.binom.pmf(c, b + c, 0.5) if method == "mid-p" else 0.0
            known[b, c] = p <= 0.05
        return known[b, c]

    assert plan.power == pytest.approx(over_all_tables(plan.n, 0.33, 0.03, rejects), abs=1e-9)
    assert over_all_tables(plan.n - 1, 0.33, 0.03, rejects) < 0.8 <= plan.power


@pytest.mark.parametrize(
    ("first", "second", "discordant"), [(0.9, 0.85, None), (0.8, 0.75, 0.1), (0.7, 0.68, 0.05)]
)
def test_mcnemars_numbers_are_about_connors(first, second, discordant):
    plan, apart = planning.paired_proportions(first=first, second=second, discordant=discordant), discordant
    if apart is None:
        apart = first * (1 - second) + second * (1 - first)
    beyond = first - second
    connor = (Z * sqrt(apart) + 0.8416212 * sqrt(apart - beyond**2)) ** 2 / beyond**2
    assert plan.n == pytest.approx(connor, rel=0.03)


def test_models_that_never_win_alone():
    # the second is right only where the first is
    plan = planning.paired_proportions(first=0.9, second=0.8, discordant=0.1)
    needed = 5  # mid-p of 5 to 0: 1 / 32
    assert plan.power == pytest.approx(stats.binom.sf(needed - 1, plan.n, 0.1))
    assert stats.binom.sf(needed - 1, plan.n - 1, 0.1) < 0.8


# What the data at hand show
# --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def evaluation():
    rng = np.random.default_rng(0)
    truth = rng.random(400) < 0.3
    return tm.evaluate(truth=truth, score=rng.normal(1.2 * truth), threshold=0.5)


def test_at_a_chosen_threshold_the_interval_is_that_of_the_evaluation():
    rng = np.random.default_rng(0)
    chosen = tm.evaluate(truth=np.arange(400) % 2, score=rng.normal(1.2 * (np.arange(400) % 2)))
    found = planning.present(chosen, measures="sensitivity")["sensitivity"]
    assert found.estimate == chosen["sensitivity"]
    assert found.factor == pytest.approx(4)


@pytest.mark.full
@pytest.mark.parametrize("name", ["roc_auc", "sensitivity", "cohen_kappa", "positive_likelihood_ratio"])
def test_the_interval_of_so_many_times_the_cases_is_as_wide_as_wanted(evaluation, name):
    now = evaluation[name]
    wanted = (now.high - now.low) / 3
    found = planning.present(evaluation, measures=name, width=wanted)[name]
    then = tm.estimate(name, (evaluation.ranking if name == "roc_auc" else evaluation.counts) * found.factor)
    assert then.value == pytest.approx(now.value)
    assert then.high - then.low == pytest.approx(wanted, rel=2e-4)
    assert found.factor == pytest.approx(9, rel=0.2)
    assert found.cases == pytest.approx(found.factor * 400, abs=1)
    assert (found.estimate, found.wanted, found.width) == (now, wanted, now.high - now.low)


@pytest.mark.full
def test_a_simulated_interval_of_so_many_times_the_cases_is_no_wider_than_wanted(evaluation):
    """Its width varies with the samples drawn, and falls at once where so many cases have another method."""
    now = evaluation["average_precision"]
    found = planning.present(evaluation, measures="average_precision", width=(now.high - now.low) / 3)[
        "average_precision"
    ]
    then = tm.estimate("average_precision", evaluation.ranking * found.factor)
    assert then.value == pytest.approx(now.value)
    assert 0.87 * found.wanted < then.high - then.low < 1.05 * found.wanted
    assert 6 < found.factor < 13.5


@pytest.mark.full
def test_half_the_width_unless_told(evaluation):
    found = planning.present(evaluation)
    assert [one.measure for one in found.reach] == [
        "sensitivity", "specificity", "accuracy", "roc_auc", "average_precision", "balanced_accuracy",
    ]  # fmt: skip
    for one in found.reach:
        assert one.wanted == pytest.approx(one.width / 2)
        # simulated
        assert one.factor == pytest.approx(4, rel=0.05) or (
            one.measure == "average_precision" and 3 < one.factor < 6
        )


@pytest.mark.full
def test_resampled_measures_too(evaluation):
    found = planning.present(evaluation, measures=["matthews_correlation", "auch"])
    assert all(one.factor == pytest.approx(4, rel=0.3) for one in found.reach)
    assert "resampling" in str(found)


def test_wider_than_now_takes_fewer_cases(evaluation):
    now = evaluation["roc_auc"]
    assert planning.present(evaluation, measures="auc", width=2 * (now.high - now.low))["auc"].cases < 150


@pytest.mark.parametrize("times", [0.5, 0.3, 2.0])
def test_an_interval_that_shrinks_faster_than_by_the_square_root(times):
    """Without errors: Wilson's interval is z^2 / (n + z^2) wide, and that of a perfect area 1 -
    0.025^(1/n)."""
    counts, wide = Counts(tp=50, fp=0, fn=0, tn=50), Z**2 / (50 + Z**2)
    right = planning.present(counts, measures="sensitivity", width=times * wide)["sensitivity"]
    assert right.factor * 50 + Z**2 == pytest.approx((50 + Z**2) / times, rel=1e-3)
    table = RankingTable.from_arrays(truth=[1] * 50 + [0] * 50, score=[*range(100, 0, -1)])
    wide = 1 - 0.025 ** (1 / 50)
    perfect = planning.present(table, measures="roc_auc", width=times * wide)["roc_auc"]
    assert 1 - 0.025 ** (1 / (50 * perfect.factor)) == pytest.approx(times * wide, rel=1e-3)


def test_the_detectable_difference_is_that_of_statsmodels():
    counts = Counts(tp=5000, fn=5000, fp=10, tn=10)
    theirs = (
        NormalIndPower().solve_power(nobs1=10_000, alpha=0.025, power=0.9, ratio=0, alternative="larger")
        * 0.5
    )
    assert planning.present(counts, measures="sensitivity", power=0.9)[
        "sensitivity"
    ].detectable == pytest.approx(theirs, rel=1e-3)


def test_why_there_is_no_plan(evaluation):
    found = planning.present(evaluation, measures=["average_gain", "roc_auc"], width=1e-7)
    assert "number of cases itself" in found["average_gain"].note
    assert "10^9" in found["roc_auc"].note
    assert found["roc_auc"].cases is None
    undefined = planning.present(Counts(tp=0, fp=1, fn=0, tn=5), measures="sensitivity")["sensitivity"]
    assert "no actual positives" in undefined.note
    assert undefined.detectable is None
    assert (
        json.loads(planning.present(Counts(tp=0, fp=1, fn=0, tn=5)).to_json())["measures"][0]["width"] is None
    )


def test_many_classes_and_weights():
    rng = np.random.default_rng(2)
    truth = rng.integers(0, 3, 300)
    predicted = np.where(rng.random(300) < 0.7, truth, rng.integers(0, 3, 300))
    found = planning.present(tm.evaluate(truth=truth, predicted=predicted))
    assert found["accuracy"].factor == pytest.approx(4, rel=0.05)
    weighted = tm.evaluate(truth=truth > 0, predicted=predicted > 0, weight=rng.random(300))
    assert planning.present(weighted).cases == pytest.approx(weighted.data.effective_rows)


def test_whole_weights_are_cases():
    weighted = tm.evaluate(
        truth=[0, 0, 1, 1, 1],
        score=[0.1, 0.6, 0.4, 0.7, 0.9],
        weight=[20, 20, 10, 20, 20],
        weight_kind="count",
    )
    assert planning.present(weighted).cases == 90


def test_cases_in_groups_are_planned_by_the_square_root():
    rng = np.random.default_rng(4)
    truth, patient = rng.random(300) < 0.4, np.repeat(np.arange(60), 5)
    score = rng.normal(truth) + rng.normal(size=60)[patient]
    grouped = tm.evaluate(truth=truth, score=score, clusters=patient)
    found = planning.present(grouped, measures="roc_auc", width=0.05)["roc_auc"]
    assert found.estimate == grouped["roc_auc"] != tm.evaluate(truth=truth, score=score)["roc_auc"]
    assert found.factor == pytest.approx((found.width / 0.05) ** 2)
    assert "clusters" in found.note


def test_settings_are_of_a_summary_alone(evaluation):
    counts = Counts(tp=70, fp=20, fn=30, tn=80)
    exact = planning.present(
        counts, measures="sensitivity", settings=tm.Settings(proportion="clopper-pearson", level=0.9)
    )
    assert exact["sensitivity"].estimate.method == "clopper-pearson"
    assert exact.level == 0.9
    with refuses("conflict", argument="settings"):
        planning.present(evaluation, settings=tm.Settings())


# What goes wrong
# --------------------------------------------------------------------------------------------------

AREA, PAIR = {"expected": 0.8}, {"first": 0.85, "second": 0.8, "correlation": 0.5}
WRONG = [
    ("proportion", {"expected": 0.9}, "exactly one of width=, at_least=, at_most=; given: none"),
    ("proportion", {"expected": 0.9, "width": 0.1, "at_least": 0.8}, "given: width= and at_least="),
    ("proportion", {"expected": 0.8, "at_least": 0.8},
        "at_least: no number of cases can show it, since 0.8 is expected, not a"),
    ("proportion", {"expected": 0.8, "at_most": 0.7}, "at_most: no number of cases .* not below 0.7"),
    ("proportion", {"expected": 90, "at_least": 0.8},
        "expected: 90 is not possible; give a number from 0 to 1"),
    ("proportion", {"expected": "0.9", "at_least": 0.8}, "expected: '0.9' is not possible"),
    ("proportion", {"expected": 0.9, "at_least": 0.8, "power": 1}, "power: 1 leaves nothing to plan"),
    ("proportion", {"expected": 0.9, "at_least": 0.8, "level": 95}, "level: 95"),
    ("proportion", {"expected": 0.9, "at_least": 0.8, "method": "wald"},
        "method: wald has no interval where"),
    ("proportion", {"expected": 0.9, "at_least": 0.8, "method": "wilsn"}, "did you mean 'wilson'"),
    ("proportion", {"expected": 0.9, "at_least": 0.9 - 1e-7},
        "at_least: more than 10\\^9 cases would be needed"),
    ("proportion", {"expected": 0.9, "width": 1e-6}, "width: more than 10\\^9"),
    ("sensitivity", {"expected": 0.9, "width": 0.1, "prevalence": 0}, "prevalence: 0 leaves nothing"),
    ("sensitivity", {"expected": 0.9, "width": 0.1, "prevalence": 1e-9}, "more than 10\\^9"),
    ("specificity", {"expected": 0.9, "width": 0.1, "prevalence": 1}, "prevalence: 1 leaves nothing"),
    ("roc_auc", AREA, "exactly one of width=, at_least="),
    ("roc_auc", AREA | {"at_least": 0.8}, "at_least: no number of cases"),
    ("roc_auc", {"expected": 1, "at_least": 0.8}, "expected: 1 leaves nothing"),
    ("roc_auc", AREA | {"width": 0.1, "power": 0.8}, "power: a width is planned for what is expected"),
    ("roc_auc", AREA | {"width": 0.1, "variance": "normal"}, "variance: 'normal' is not known"),
    ("roc_auc", AREA | {"width": 0.1, "variance": "hanley-mcneil", "spread_ratio": 2},
        "spread_ratio: it is of normal scores"),
    ("roc_auc", AREA | {"width": 0.1, "prevalence": 0.1, "negatives_per_positive": 2},
        "negatives_per_positive: prevalence= already"),
    ("roc_auc", AREA | {"width": 1e-8}, "width: more than 10\\^9"),
    ("paired_roc_auc", PAIR | {"second": 0.85}, "first: 0.85 is not above 0.85, .* give a margin="),
    ("paired_roc_auc", PAIR | {"first": 0.75}, "exchange the two"),
    ("paired_roc_auc", PAIR | {"first": 0.75, "margin": 0.01},
        "margin: 0.75 is not above 0.8 - 0.01"),
    ("paired_roc_auc", PAIR | {"correlation": 1}, "correlation: 1 means"),
    ("paired_roc_auc", PAIR | {"correlation": (0.1, 0.2, 0.3)}, "correlation: give one number, or two"),
    ("paired_roc_auc", PAIR | {"correlation": -0.1}, "correlation: -0.1 is not possible"),
    ("paired_roc_auc", PAIR | {"width": 0.1, "margin": 0.01}, "margin: it is of a test"),
    ("paired_roc_auc", PAIR | {"width": 0.1, "power": 0.9}, "power: a width is planned"),
    ("paired_proportions", {"first": 0.8, "second": 0.8}, "first: 0.8 is not above 0.8"),
    ("paired_proportions", {"first": 0.8, "second": 0.7, "discordant": 0.05},
        "discordant: 0.05 is not possible; .* 0.1 to 0.5"),
    ("paired_proportions", {"first": 0.8, "second": 0.7, "method": "corrected"},
        "method: 'corrected' is not known"),
]  # fmt: skip


@for_each(("name", "given", "text"), WRONG)
def test_bad_input_is_one_sentence(name, given, text):
    with pytest.raises(InputError, match=text) as wrong:
        getattr(planning, name)(**given)
    assert str(wrong.value).count("\n") == 0
    assert str(wrong.value).endswith((".", "none.", "at_least="))


def test_bad_data(evaluation):
    with refuses("unsupported", argument="data"):
        planning.present([1, 2])
    with refuses("needed", argument="measures"):
        planning.present(evaluation, measures=())
    with refuses("unknown-name", "'sensitivity'"):
        planning.present(evaluation, measures="sensitivit")
    with refuses("invalid-value", argument="width"):
        planning.present(evaluation, width=0)
    with refuses("unknown-name"):
        planning.present(evaluation, measures="roc_auc")["sensitivity"]
    with refuses("unsupported"):
        planning.present(Counts(tp=1, fp=1, fn=1, tn=1), measures="roc_auc")


# Answers
# --------------------------------------------------------------------------------------------------

PLANS = [
    planning.sensitivity(expected=0.9, at_least=0.8, prevalence=0.01),
    planning.proportion(expected=0.9, width=0.1),
    planning.roc_auc(expected=0.8, at_least=0.75, prevalence=0.1),
    planning.paired_roc_auc(first=0.85, second=0.8, correlation=(0.5, 0.3), spread_ratio=1.5),
    planning.paired_proportions(first=0.9, second=0.85, share=0.1),
    planning.present(Counts(tp=70, fp=20, fn=30, tn=80)),
]


@pytest.mark.parametrize("plan", PLANS, ids=lambda plan: type(plan).__name__)
def test_answers_print_and_travel(plan):
    assert max(map(len, str(plan).splitlines())) <= 80
    found = json.loads(plan.to_json(), parse_constant=lambda name: pytest.fail(f"{name} is not strict JSON"))
    assert found == json.loads(json.dumps(plan.to_dict()))
    assert found["schema"] == 2
    with pytest.raises(FrozenInstanceError):
        plan.level = 0.5


def test_what_a_plan_says():
    text = str(PLANS[0])
    assert f"positives     {PLANS[0].n}" in text
    assert f"{PLANS[0].cases:,}" in text
    assert "no" not in text.split("power ")[1].split()[0]
    assert f"power {int(PLANS[0].power * 1e4) / 1e4:.4f}" in text
    assert "about half of all samples" in str(PLANS[1]).lower()
    assert "0.8" in PLANS[0].assumptions[0]


# The search
# --------------------------------------------------------------------------------------------------


@pytest.mark.full
@pytest.mark.parametrize("method", ["mid-p", "exact"])
@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.9999])
def test_how_many_discordant_cases_must_be_won(method, level):
    """By trying all numbers."""
    test, pairs = McNemar(0.3, 0.6, (1 - level) / 2, method), np.arange(300)
    for n, needed in zip(pairs, test.needed(pairs), strict=True):
        won = np.arange(n // 2 + 1, n + 1)
        tail = stats.binom.sf(won - 1, n, 0.5) - (
            stats.binom.pmf(won, n, 0.5) / 2 if method == "mid-p" else 0
        )
        assert needed == min(won[tail <= test.tail], default=n + 1)


def test_the_binomial_tail_and_distribution():
    k = np.arange(-1, 13)
    assert upper_tail(k, 11, 0.3) == pytest.approx(stats.binom.sf(k - 1, 11, 0.3), abs=1e-15)
    for n, p in ((5, 0.5), (1000, 0.001), (10**6, 0.2)):
        numbers, chances = distribution(n, p)
        assert chances.sum() == pytest.approx(1, abs=1e-12)
        assert chances == pytest.approx(stats.binom.pmf(numbers, n, p), abs=1e-10)


def test_smallest_finds_every_edge():
    for edge in (1, 2, 3, 7, 8, 9, 1000, MOST):
        assert smallest(lambda n, edge=edge: n >= edge, "n") == edge
    with refuses("no-result", argument="n"):
        smallest(lambda n: False, "n")


# What importance weights leave of the cases at hand
# --------------------------------------------------------------------------------------------------


def weighted_evaluations(factor):
    """Of two classes, of three by scores, of amounts; every weight times the factor."""
    rng = np.random.default_rng(3)
    y, amount, weight = rng.random(200) < 0.4, rng.normal(size=200), rng.uniform(0.5, 3, 200) * factor
    label, how = rng.integers(0, 3, 200), {"weight": weight, "weight_kind": "importance"}
    scores = rng.random((200, 3)) + 0.5 * np.eye(3)[label]
    yield tm.evaluate(truth=y, score=y + rng.normal(size=200), threshold=0.5, **how), "sensitivity"
    yield tm.evaluate(truth=label, score=scores / scores.sum(1, keepdims=True), **how), "accuracy"
    yield (
        tm.evaluate(truth=amount, predicted=amount + rng.normal(size=200), regression=True, **how),
        "mean_squared_error",
    )


def test_a_common_factor_of_importance_weights_changes_no_plan():
    for (one, name), (ten, _) in zip(weighted_evaluations(1.0), weighted_evaluations(10.0), strict=True):
        found, again = (planning.present(e, measures=name) for e in (one, ten))
        kish = 1 / np.mean((w := np.random.default_rng(3).uniform(0.5, 3, 10**5)) ** 2) * np.mean(w) ** 2
        assert found.cases == pytest.approx(again.cases) == pytest.approx(200 * kish, rel=0.05), name
        assert found[name].cases == again[name].cases, name
        assert 200 < found[name].cases < 2_000, name


def test_cases_in_a_sentence_are_whole_and_rounded_up():
    for e, name in weighted_evaluations(1.0):
        found = planning.present(e, measures=name)
        assert found.cases != int(found.cases), name
        assert str(found).splitlines()[0] == f"{int(found.cases) + 1} cases.", name
        assert found.to_dict()["cases"] == found.cases, name
