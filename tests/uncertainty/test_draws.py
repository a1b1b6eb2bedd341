"""How often each case is drawn: the same for one seed however the work is cut, and distributed as each design
says."""

import numpy as np
import pytest
from looping import for_each
from scipy.stats import binom

from tallymark import InputError
from tallymark.inference import replicates as module
from tallymark.inference.covariance import sampling_of, skewness
from tallymark.inference.influence import by_case
from tallymark.inference.replicates import Draws, draws
from tallymark.measures import registry
from tallymark.summaries import RankingTable

RANDOM = np.random.default_rng(1)
FEW = RANDOM.random(50) < 0.3
MORE = RANDOM.random(9000) < 0.2  # three blocks
GROUPS = RANDOM.integers(0, 700, 9000)
GROUPS[:700] = np.arange(700)
WAYS = [("case-control", "bootstrap"), ("cohort", "bootstrap"), ("case-control", "poisson-bootstrap")]
every_way = pytest.mark.parametrize(("design", "resampling"), WAYS)


def times_of(positive, groups=None, **how):
    return np.concatenate(list(draws(Draws(**how), positive, groups)))


# The same, however the work is cut
# ----------------------------------------------------------------------------------


@every_way
@pytest.mark.parametrize("positive", [FEW, MORE], ids=["few", "more"])
def test_the_same_seed_draws_the_same(design, resampling, positive, monkeypatch):
    how = {"design": design, "resampling": resampling, "seed": 5}
    whole = times_of(positive, replicates=60, **how)
    assert whole.dtype == np.uint8
    assert whole.shape == (60, len(positive))
    np.testing.assert_array_equal(times_of(positive, replicates=7, **how), whole[:7])
    for threads in (1, 3, 16):
        np.testing.assert_array_equal(times_of(positive, replicates=60, threads=threads, **how), whole)
    monkeypatch.setattr(module, "DRAWN_AT_ONCE", 13 * len(positive))
    chunks = list(draws(Draws(60, threads=1, **how), positive))
    assert [len(chunk) for chunk in chunks] == [13, 13, 13, 13, 8]
    np.testing.assert_array_equal(np.concatenate(chunks), whole)
    assert (times_of(positive, replicates=60, design=design, resampling=resampling, seed=6) != whole).any()


@pytest.mark.parametrize("resampling", ["bootstrap", "poisson-bootstrap"])
def test_the_same_seed_draws_the_same_groups(resampling, monkeypatch):
    how = {"resampling": resampling, "seed": 5}
    whole = times_of(MORE, GROUPS, replicates=60, **how)
    np.testing.assert_array_equal(times_of(MORE, GROUPS, replicates=7, threads=3, **how), whole[:7])
    monkeypatch.setattr(module, "DRAWN_AT_ONCE", 13 * 700)
    np.testing.assert_array_equal(times_of(MORE, GROUPS, replicates=60, **how), whole)


def test_progress_counts_resamples(monkeypatch):
    monkeypatch.setattr(module, "DRAWN_AT_ONCE", 20 * len(FEW))
    for groups in (None, np.arange(50)):
        done = []
        list(draws(Draws(50, threads=1), FEW, groups, done.append))
        assert done == [20, 40, 50]


def test_what_is_refused():
    for wrong in (
        {"design": "rows"},
        {"resampling": "gamma"},
        {"replicates": 0},
        {"replicates": 1.5},
        {"threads": 0},
        {"seed": -1},
    ):
        with pytest.raises(InputError, match=next(iter(wrong))):
            Draws(**wrong)


# As the designs say
# --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("positive", [FEW, MORE, MORE[::-1], np.sort(MORE), ~np.sort(MORE)])
def test_stratified_resamples_keep_the_classes(positive):
    times = times_of(positive, replicates=50, design="case-control").astype(int)
    assert (times[:, positive].sum(1) == positive.sum()).all()
    assert (times[:, ~positive].sum(1) == (~positive).sum()).all()
    assert Draws(design="case-control").keeps_classes


@for_each("positive", [np.array([True]), np.array([True, False]), np.zeros(5000, bool), np.ones(5000, bool)])
@every_way
def test_few_cases_and_single_classes(positive, design, resampling):
    times = times_of(positive, replicates=50, design=design, resampling=resampling).astype(int)
    if resampling == "bootstrap":
        assert (times.sum(1) == len(positive)).all()
    if design == "case-control" and resampling == "bootstrap":
        assert (times[:, positive].sum(1) == positive.sum()).all()


@pytest.mark.parametrize("positive", [FEW, MORE], ids=["few", "more"])
def test_the_class_mix_varies_where_cases_are_drawn(positive):
    """Binomial(n, share): mean and variance within 4.5 standard errors, and no single number but whole
    ones."""
    times = times_of(positive, replicates=2000).astype(int)
    assert (times.sum(1) == len(positive)).all()
    drawn, n, p = times[:, positive].sum(1), len(positive), positive.mean()
    assert abs(drawn.mean() - n * p) < 4.5 * np.sqrt(n * p * (1 - p) / 2000)
    assert abs(drawn.var() / (n * p * (1 - p)) - 1) < 4.5 * np.sqrt(2 / 2000)
    assert not Draws(design="cohort").keeps_classes


@pytest.mark.parametrize("case", [0, 4200, 8999])
def test_a_case_of_a_class_is_drawn_binomially_often(case):
    """Of its class, over blocks: Binomial(m, 1 / m)."""
    size = int((MORE[case] == MORE).sum())
    drawn = np.bincount(times_of(MORE, replicates=3000, seed=2)[:, case], minlength=6)[:6]
    wanted = 3000 * binom.pmf(np.arange(6), size, 1 / size)
    assert (np.abs(drawn - wanted) < 4.5 * np.sqrt(wanted) + 1).all()


def test_the_share_of_a_block_varies_as_it_must():
    """The draws of positives in the first block: Binomial(positives, share of them there)."""
    some, positives = MORE[:4096].sum(), MORE.sum()
    drawn = times_of(MORE, replicates=3000, seed=3, design="case-control")[:, :4096][:, MORE[:4096]].sum(
        1, dtype=int
    )
    p = some / positives
    assert abs(drawn.mean() - some) < 4.5 * np.sqrt(positives * p * (1 - p) / 3000)
    assert abs(drawn.var() / (positives * p * (1 - p)) - 1) < 4.5 * np.sqrt(2 / 3000)


def test_groups_are_drawn_as_wholes():
    times = times_of(MORE, GROUPS, replicates=300, seed=4).astype(int)
    first = np.array([np.flatnonzero(group == GROUPS)[0] for group in range(700)])
    of_group = times[:, first]
    np.testing.assert_array_equal(of_group[:, GROUPS], times)
    assert (of_group.sum(1) == 700).all()
    shares = np.bincount(of_group.ravel(), minlength=6)[:6] / of_group.size
    np.testing.assert_allclose(
        shares, binom.pmf(np.arange(6), 700, 1 / 700), atol=4.5 * np.sqrt(0.25 / of_group.size)
    )


def test_cases_that_are_groups_of_their_own_are_drawn_like_cases():
    single = times_of(FEW, np.arange(50), replicates=40)
    np.testing.assert_array_equal(single, times_of(np.zeros(50, bool), replicates=40))


def test_seeds_of_a_multinomial_are_independent():
    """Neighbouring seeds and neighbouring replicates, as the blocks' sizes are drawn, too."""
    times = np.concatenate([times_of(MORE, replicates=8, seed=seed) for seed in (0, 1, 2, 4, 2**32)]).astype(
        float
    )
    found = np.corrcoef(times)[np.triu_indices(40, 1)]
    assert np.abs(found).max() < 5 / np.sqrt(MORE.size)
    blocks = np.add.reduceat(times, [0, 4096, 8192], axis=1)[:, :2]
    assert len(np.unique(blocks, axis=0)) == 40


# The acceleration
# ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("design", ["case-control", "cohort"])
@pytest.mark.parametrize("name", ["roc_auc", "brier_score", "precision"])
def test_the_acceleration_is_that_of_the_full_jackknife(design, name):
    """Each case left out of the data themselves."""
    truth, score = scored(300)
    entry, every = registry.get(name), np.arange(300)

    def measured(rows):
        table = RankingTable.from_arrays(truth=truth[rows], score=score[rows])
        return entry.function(table if entry.summary is RankingTable else table.counts_at(0.4))

    wanted = acceleration(np.array([measured(np.delete(every, i)) for i in every]), truth, design)
    table = RankingTable.from_arrays(truth=truth, score=score)
    of = table if entry.summary is RankingTable else table.counts_at(0.4)
    found = skewness(by_case(entry, {}, of), sampling_of(of, design == "case-control")) / 6
    assert found == pytest.approx(wanted, rel=0.02)
    assert abs(wanted) > 0.003


def scored(size):
    random = np.random.default_rng(6)
    truth = random.random(size) < 0.2
    return truth, 1 / (1 + np.exp(2 - random.normal(size=size) - 1.8 * truth))


def acceleration(alone, truth, design):
    """From the values without each case. Source: Efron and Tibshirani (1993), Eq. 14.15; by class as of
    several samples."""
    pull = alone.mean() - alone
    if design == "case-control":
        pull = np.where(
            truth, *((alone[some].mean() - alone) * (1 - 1 / some.sum()) for some in (truth, ~truth))
        )
    return (pull**3).sum() / (6 * (pull @ pull) ** 1.5)
