"""Resampling with retraining against brute force, other tools' numbers, and simulation."""

import math

import numpy as np
import pytest
from estimators import Centres
from looping import for_each
from scipy import stats

import tallymark as tm
from tallymark.inference.over_folds import mean_over_folds
from tallymark.measures import roc_auc
from tallymark.studies import retraining
from tallymark.studies.retraining import PermutationResult

pytestmark = pytest.mark.full

RANDOM = np.random.default_rng(11)
N = 50
Y = RANDOM.permutation(np.r_[np.ones(20, int), np.zeros(30, int)])
X = RANDOM.normal(size=(N, 4)) + Y[:, None] * [0.8, 0.4, 0.0, 0.0]
Y_TEST = RANDOM.permutation(np.arange(30) % 2)
X_TEST = RANDOM.normal(size=(30, 4)) + Y_TEST[:, None] * [0.8, 0.4, 0.0, 0.0]


def auc(y, score):
    pairs = score[y == 1][:, None] - score[y == 0]
    return ((pairs > 0) + 0.5 * (pairs == 0)).mean()


def brier(y, score):
    return ((1 / (1 + np.exp(-score)) - y) ** 2).mean()


def accuracy(y, score):
    return ((score > 0) == y).mean()


MEASURES = {"roc_auc": auc, "brier_score": brier, "accuracy": accuracy}
every_measure = for_each(("name", "measure"), MEASURES.items(), ids=MEASURES)


def own_score(x, y, x_test):
    """The nearest centre again, in other words: the difference of squared distances is linear."""
    a, b = x[y == 0].mean(0), x[y == 1].mean(0)
    return 2 * (x_test - (a + b) / 2) @ (b - a)


# The permutation test
# -------------------------------------------------------------------------------------------------


@every_measure
def test_permutations_by_brute_force(name, measure):
    found = tm.permutation_test(Centres(), X, Y, X_TEST, Y_TEST, measure=name, permutations=40, rng=6)
    assert found.value == pytest.approx(measure(Y_TEST, own_score(X, Y, X_TEST)))
    streams = np.random.SeedSequence(6).spawn(41)[1:]
    orders = [np.random.default_rng(stream).permutation(Y) for stream in streams]
    expected = np.array([measure(Y_TEST, own_score(X, y, X_TEST)) for y in orders])
    assert found.permuted == pytest.approx(expected, abs=1e-12)
    as_good = expected <= found.value + 1e-9 if name == "brier_score" else expected >= found.value - 1e-9
    assert found.p_value == (as_good.sum() + 1) / 41
    assert all(np.array_equal(np.sort(y), np.sort(Y)) for y in orders)


def test_berrars_example():
    """300 of 10,000 permuted values are at least the observed 0.80: p = 0.03 (Berrar, 5.1); with the observed
    301/10001."""
    permuted = np.r_[np.full(120, 0.80), np.full(180, 0.85), np.full(9_700, 0.79)]
    theirs = PermutationResult("sensitivity", "higher", 0.80, permuted, counting="permuted-only")
    ours = PermutationResult("sensitivity", "higher", 0.80, permuted)
    assert theirs.p_value == 0.03
    assert ours.p_value == 301 / 10_001
    low, high = ours.p.low, ours.p.high
    # Clopper and Pearson: the bounds put back
    assert stats.binom.sf(299, 10_000, low) == pytest.approx(0.025)
    assert stats.binom.cdf(300, 10_000, high) == pytest.approx(0.025)
    assert low < theirs.p_value < high


def test_no_simulated_p_value_is_passed_off_as_zero():
    never = np.full(99, 0.5)
    assert PermutationResult("roc_auc", "higher", 0.9, never).p_value == 0.01
    theirs = PermutationResult("roc_auc", "higher", 0.9, never, counting="permuted-only").p
    assert theirs.value == 0
    assert theirs.high > 0.02
    assert "not a p-value of 0" in theirs.note


def test_values_equal_but_for_rounding_are_as_good():
    third = 0.1 + 0.2
    assert PermutationResult("roc_auc", "higher", third, np.array([0.3, 0.2])).as_good == 1
    assert PermutationResult("log_loss", "lower", 0.3, np.array([third, 0.4])).as_good == 1
    assert PermutationResult("roc_auc", "higher", math.inf, np.array([math.inf, 1e300])).as_good == 1


def test_p_values_as_scikit_learn_counts_them():
    """Theirs permutes all labels; the way from values to a p-value is the same."""
    from sklearn.model_selection import permutation_test_score
    from sklearn.naive_bayes import GaussianNB

    value, permuted, p = permutation_test_score(
        GaussianNB(), X, Y, cv=3, scoring="roc_auc", n_permutations=50, random_state=2, n_jobs=1
    )
    assert PermutationResult("roc_auc", "higher", value, permuted).p_value == pytest.approx(p, abs=1e-15)


def _labels_of(found):
    class Kept(Centres):
        def fit(self, X, y):
            found.append(np.array(y))
            return super().fit(X, y)

    return Kept()


def test_labels_of_groups_are_permuted_as_wholes():
    group = np.repeat(np.arange(25), 2)[RANDOM.permutation(N)]
    y = (group % 3 == 0).astype(int)
    seen = []
    tm.permutation_test(
        _labels_of(seen), X, y, X_TEST, Y_TEST, permutations=20, clusters=[f"p{one}" for one in group]
    )
    for labels in seen:
        assert all(len(set(labels[group == one])) == 1 for one in range(25))
        assert labels.sum() == y.sum()  # clusters of one size
    assert len({tuple(labels) for labels in seen}) > 10


def test_labels_are_permuted_within_blocks():
    block = RANDOM.integers(0, 4, N)
    seen = []
    tm.permutation_test(_labels_of(seen), X, Y, X_TEST, Y_TEST, permutations=200, blocks=block)
    sizes = np.bincount(block, Y)
    assert all(np.array_equal(np.bincount(block, labels), sizes) for labels in seen)
    often = np.mean(seen[1:], axis=0)  # each place of a block as often as the next
    assert np.abs(often - (sizes / np.bincount(block))[block]).max() < 5 * math.sqrt(0.25 / 200)


def test_the_permutation_test_keeps_its_level():
    """Training labels that have nothing to do with the features: p <= 0.05 in 5 % of the samples, whatever
    the test cases are."""
    rng, rejected, samples = np.random.default_rng(0), 0, 400
    for i in range(samples):
        x, y = rng.normal(size=(20, 3)), rng.permutation(np.arange(20) % 2)
        found = tm.permutation_test(
            Centres(), x, y, X_TEST[:, :3], Y_TEST, measure="brier_score", permutations=19, rng=i
        )
        rejected += found.p_value <= 0.05
    low, high = stats.binom.ppf([0.001, 0.999], samples, 0.05)
    assert low <= rejected <= high


# Out of the bag
# -------------------------------------------------------------------------------------------------------


@every_measure
@pytest.mark.parametrize("stratified", [True, False])
def test_out_of_bag_by_brute_force(name, measure, stratified):
    found = tm.bootstrap_out_of_bag(
        Centres(), X, Y, measure=name, replicates=50, stratified=stratified, rng=3, level=0.9
    )
    values = []
    for stream in np.random.SeedSequence(3).spawn(51)[1:]:
        times = retraining.bootstrap_set(np.random.default_rng(stream), N, Y if stratified else None, None)
        drawn = np.repeat(np.arange(N), times)
        out = np.array([i for i in range(N) if i not in set(drawn)])
        values.append(measure(Y[out], own_score(X[drawn], Y[drawn], X[out])))
    assert found.values == pytest.approx(np.array(values), abs=1e-12)
    assert found.out_of_bag.value == pytest.approx(np.mean(values))
    assert (found.out_of_bag.low, found.out_of_bag.high) == pytest.approx(
        tuple(np.percentile(values, [5, 95]))
    )
    apparent = measure(Y, own_score(X, Y, X))
    assert found.apparent.value == pytest.approx(apparent)
    assert found.estimate_632.value == pytest.approx(0.368 * apparent + 0.632 * np.mean(values))
    score = own_score(X, Y, X)
    every = measure(np.repeat(Y, N), np.tile(score, N))
    assert found.no_information.value == pytest.approx(every)
    assert found.estimate_632_plus.value == pytest.approx(
        _plus(apparent, np.mean(values), every, name != "brier_score")
    )


def _plus(apparent, outside, chance, higher):
    """As a sum of .632 and a correction (Efron and Tibshirani 1997, Eq. 32), with errors."""
    error, outside, chance = (1 - value if higher else value for value in (apparent, outside, chance))
    capped = min(outside, chance)
    rate = (capped - error) / (chance - error) if outside > error and chance > error else 0
    usual = 0.368 * error + 0.632 * outside
    found = usual + (capped - error) * 0.368 * 0.632 * rate / (1 - 0.368 * rate)
    return 1 - found if higher else found


@pytest.mark.parametrize(
    ("apparent", "outside", "expected"),
    # mlxtend 0.25.0, bootstrap_point632_score(method=".632+"): two replicates with over-fitting, chance 1/3
    [(19 / 30, 0.6, 0.6113685511275873), (2 / 3, 6 / 11, 0.5782255807444724)],
)
def test_632_plus_as_mlxtend_has_it(apparent, outside, expected):
    assert retraining.plus(apparent, outside, 1 / 3, 1)[0] == pytest.approx(expected, abs=1e-14)
    assert retraining.plus(1 - apparent, 1 - outside, 2 / 3, -1)[0] == pytest.approx(1 - expected, abs=1e-14)


def test_the_ends_of_over_fitting():
    assert retraining.plus(0.9, 0.9, 0.5, 1) == (pytest.approx(0.9), 0)
    # not over-fitted
    assert retraining.plus(0.8, 0.85, 0.5, 1) == (pytest.approx(0.368 * 0.8 + 0.632 * 0.85), 0)
    # worse than by chance: all weight on chance
    assert retraining.plus(1.0, 0.4, 0.5, 1) == (pytest.approx(0.5), 1)
    assert retraining.plus(0.0, 0.6, 0.5, -1) == (pytest.approx(0.5), 1)
    assert retraining.plus(0.4, 0.3, 0.5, 1)[1] == 0  # apparent already worse than chance


I = np.arange(30)  # noqa: E741
SICK = np.where((I % 7 < 2) | (I % 5 == 0), "sick", "well")
FEATURES = np.column_stack([np.sin(1.7 * I) + (SICK == "sick") * 0.8, np.cos(2.3 * I)])


def test_values_out_of_the_bag_as_mlxtend_has_them():
    """mlxtend 0.25.0: bootstrap_point632_score(method="oob", random_seed=3), and its no_information_rate, of
    the nearest centre."""
    cases = measuring_cases(FEATURES, SICK)
    scorer = retraining.scorer_of("accuracy", cases, None, None)
    rng, values = np.random.RandomState(3), []
    for _ in range(5):
        drawn = rng.choice(30, 30)
        train, test = cases.take(drawn), cases.take(np.setdiff1d(np.arange(30), drawn))
        values.append(scorer.value(Centres().fit(train.X, train.y), test)[0])
    assert values == pytest.approx([2 / 3, 0.5, 0.5, 0.625, 1 / 3], abs=1e-15)
    found = tm.bootstrap_out_of_bag(
        Centres(), FEATURES, SICK, positive="sick", measure="accuracy", replicates=5
    )
    assert found.apparent.value == pytest.approx(16 / 30)
    assert found.no_information.value == pytest.approx(0.5022222222222222)
    of_f1 = tm.bootstrap_out_of_bag(Centres(), FEATURES, SICK, positive="sick", measure="f1", replicates=5)
    assert of_f1.no_information.value == pytest.approx(0.4666666666666667)
    of_brier = tm.bootstrap_out_of_bag(
        Centres(2.0), FEATURES, SICK, positive="sick", measure="brier_score", replicates=5
    )
    assert of_brier.no_information.value == pytest.approx(0.2571192381210297)


def measuring_cases(x, y):
    from tallymark.studies import retraining

    return retraining.read(x, y, "sick")[0]


THREE = RANDOM.integers(0, 3, 40)
OF_THREE = RANDOM.dirichlet([1, 1, 1], 40)


@for_each("measure", [one.name for one in tm.find(tm.ClassScores)])
def test_by_chance_with_a_score_per_class(measure):
    """Every answer with every truth, n * n cases in full."""
    summary = tm.ClassScores.from_arrays(truth=THREE, score=OF_THREE)
    every = tm.ClassScores.from_arrays(truth=np.repeat(THREE, 40), score=np.tile(OF_THREE, (40, 1)))
    function = tm.find(measure)[0]
    form = next(
        one
        for one in (function, *tm.find(tm.ClassScores))
        if one.name == measure and one.summary is tm.ClassScores
    )
    assert form.function(retraining.by_chance(summary)) == pytest.approx(
        form.function(every), rel=1e-9, abs=1e-9
    )


@pytest.mark.parametrize("kind", [tm.Counts, tm.RankingTable, tm.ConfusionMatrix])
def test_by_chance_is_every_answer_with_every_truth(kind):
    score = np.round(RANDOM.random(40), 1)
    truth = THREE if kind is tm.ConfusionMatrix else (THREE == 1).astype(int)
    answers = RANDOM.integers(0, 3, 40) if kind is tm.ConfusionMatrix else (score > 0.6).astype(int)
    given = "score" if kind is tm.RankingTable else "predicted"
    said = score if kind is tm.RankingTable else answers
    found = retraining.by_chance(kind.from_arrays(truth=truth, **{given: said}))
    every = kind.from_arrays(truth=np.repeat(truth, 40), **{given: np.tile(said, 40)}) * (1 / 40)
    for name in vars(found) if kind is tm.RankingTable else kind.__slots__:
        if name in ("labels", "score", "positive", "negative", "weights", "tp", "fp", "fn", "tn"):
            assert np.asarray(getattr(found, name)) == pytest.approx(np.asarray(getattr(every, name)))
    if kind is tm.RankingTable:
        assert roc_auc(found) == pytest.approx(0.5)


# Who trains and who tests
# ---------------------------------------------------------------------------------------------


def test_bootstrap_sets():
    rng = np.random.default_rng(1)
    strata = RANDOM.integers(0, 3, 200)
    often = np.zeros(200)
    for _ in range(300):
        times = retraining.bootstrap_set(rng, 200, strata, None)
        assert np.array_equal(np.bincount(strata, times), np.bincount(strata))
        often += times
    assert abs(often / 300 - 1).max() < 5 * math.sqrt(1 / 300)
    plain = [retraining.bootstrap_set(rng, 200, None, None) for _ in range(300)]
    assert np.mean([(times == 0).sum() for times in plain]) == pytest.approx(200 / math.e, rel=0.02)
    assert all(times.sum() == 200 for times in plain)


def test_bootstrap_sets_of_groups():
    rng, group = np.random.default_rng(1), RANDOM.integers(0, 15, 100)
    for _ in range(50):
        times = retraining.bootstrap_set(rng, 100, None, group)
        assert all(len(set(times[group == one])) == 1 for one in range(15))
        assert sum(times[group == one][0] for one in range(15)) == 15
    found = tm.bootstrap_out_of_bag(Centres(), X, Y, clusters=np.arange(N) // 2, replicates=30)
    assert found.lost.failed == 0


@pytest.mark.parametrize(("size", "number"), [(50, 10), (53, 7), (5, 5)])
def test_folds(size, number):
    rng = np.random.default_rng(2)
    strata = np.arange(size) % 3
    for of in (None, strata):
        fold = retraining.assign_folds(rng, number, of, None, size)
        sizes = np.bincount(fold, minlength=number)
        assert sizes.max() - sizes.min() <= 1
        if of is not None:
            for one in range(3):
                each = np.bincount(fold[strata == one], minlength=number)
                assert each.max() - each.min() <= 1
    group = RANDOM.permutation(size) // 2
    fold = retraining.assign_folds(rng, 2, None, group, size)
    assert all(len(set(fold[group == one])) == 1 for one in set(group.tolist()))


# Cross-validation
# -----------------------------------------------------------------------------------------------------


def test_cross_validation_by_brute_force():
    found = tm.cross_validate(
        [Centres(), Centres(7.0)], X, Y, measure="brier_score", folds=5, repeats=3, rng=4, level=0.9
    )
    values = []
    for deal in np.random.SeedSequence(4).spawn(3):
        fold = retraining.assign_folds(np.random.default_rng(deal), 5, Y, None, N)
        for i in range(5):
            train, test = fold != i, fold == i
            score = own_score(X[train], Y[train], X[test])
            values.append([brier(Y[test], score), brier(Y[test], score / 7)])
    assert found.values == pytest.approx(np.array(values).T)
    difference = np.subtract(*np.array(values).T)
    error = math.sqrt((1 / 15 + 0.25) * difference.var(ddof=1))
    t = difference.mean() / error
    one = found.differences[0]
    assert one.statistic == pytest.approx(t)
    assert one.df == 14
    assert one.p_value == pytest.approx(2 * stats.t.sf(abs(t), 14))
    assert (one.estimate.low, one.estimate.high) == pytest.approx(
        stats.t.interval(0.9, 14, difference.mean(), error)
    )
    own = found.estimates["Centres 1"]
    first = np.array(values)[:, 0]
    error = math.sqrt((1 / 15 + 0.25) * first.var(ddof=1))
    assert (own.low, own.high) == pytest.approx(stats.t.interval(0.9, 14, first.mean(), error))


def test_folds_of_unequal_size_count_with_their_mean_share():
    mean, error, df, *_ = mean_over_folds(np.array([0.7, 0.8, 0.9]), np.array([0.5, 0.4, 0.6]))
    assert (mean, df) == (pytest.approx(0.8), 2)
    assert error == pytest.approx(math.sqrt((1 / 3 + 0.5) * 0.01))


def test_more_repeats_do_not_make_it_surer():
    """Without the correction the interval of 40 repeats would be a third as wide as that of 4."""
    few, many = (tm.cross_validate(Centres(), X, Y, folds=5, repeats=times).estimate for times in (4, 40))
    assert (many.high - many.low) > 0.75 * (few.high - few.low)


def test_a_pair_is_compared_where_both_have_values():
    class Weak(Centres):
        def fit(self, X, y):
            if y[0] == 0:
                raise ValueError("no")
            return super().fit(X, y)

    y = np.r_[1, 0, Y[2:]]
    found = tm.cross_validate(
        {"a": Centres(3.0), "b": Weak()}, X, y, measure="brier_score", folds=5, repeats=2
    )
    both = ~np.isnan(found.values).any(axis=0)
    assert 0 < both.sum() < 10
    assert found.lost[0].failed == 0
    assert found.lost[1].failed == (~both).sum()
    assert found.differences[0].estimate.value == pytest.approx(np.subtract(*found.values[:, both]).mean())


def _normal(rng, cases, features):
    y = np.arange(cases) % 2
    x = rng.normal(size=(cases, features))
    x[:, 0] += 1.2 * y
    return x, y


@pytest.mark.slow
def test_coverage():
    """Of the expected performance of the nearest centre trained on so many cases, whose AUC is known for
    every model."""
    rng, cases, features, samples = np.random.default_rng(1), 60, 3, 150
    centres = rng.normal(size=(2, 20_000, features)) / math.sqrt(cases / 2)
    slope = centres[1] - centres[0]
    slope[:, 0] += 1.2
    true = stats.norm.cdf(1.2 * slope[:, 0] / np.linalg.norm(slope, axis=1) / math.sqrt(2)).mean()
    held = np.zeros(2)
    for i in range(samples):
        x, y = _normal(rng, cases, features)
        bag = tm.bootstrap_out_of_bag(Centres(), x, y, replicates=60, rng=i).out_of_bag
        fold = tm.cross_validate(Centres(), x, y, folds=10, repeats=3, rng=i).estimate
        held += [bag.low <= true <= bag.high, fold.low <= true <= fold.high]
    assert (held / samples >= 0.88).all()


def test_the_corrected_test_keeps_its_level_where_the_usual_one_does_not():
    """Two estimators with features of their own that tell as much."""
    rng, samples, rejected, usual = np.random.default_rng(3), 150, 0, 0

    class Half(Centres):
        def __init__(self, start):
            super().__init__()
            self.start = start

        def fit(self, X, y):
            return super().fit(X[:, self.start : self.start + 2], y)

        def _near(self, X):
            return super()._near(X[:, self.start : self.start + 2])

    for i in range(samples):
        x, y = _normal(rng, 60, 4)
        x[:, 2] += 1.2 * y
        found = tm.cross_validate([Half(0), Half(2)], x, y, folds=5, repeats=4, rng=i)
        rejected += found.differences[0].p_value <= 0.05
        usual += stats.ttest_rel(*found.values).pvalue <= 0.05
    assert rejected <= stats.binom.ppf(0.999, samples, 0.05)
    assert usual > 2 * max(rejected, stats.binom.ppf(0.999, samples, 0.05) / 2)
