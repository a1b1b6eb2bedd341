"""The kernels of the bootstrap: native and NumPy agree, sums are the plain ones, and draws are distributed as
they must be."""

import math

import numpy as np
import pytest
from looping import for_each, in_part
from scipy.special import gammaincc
from scipy.stats import binom, poisson

from tallymark.inference.replicates import _by_class, _first_mean, _limits
from tallymark.kernels import _numpy as reference

try:
    from tallymark.kernels import _compiled as compiled
except ImportError:
    compiled = None

BLOCK = reference.CASES_IN_BLOCK
SIZES = (1, 2, BLOCK - 1, BLOCK, BLOCK + 1, 10_000)
LIMIT = _limits(1.0)

native = pytest.mark.skipif(compiled is None, reason="the native kernels are not built")
every_kernels = pytest.mark.parametrize(
    "kernels", [reference, pytest.param(compiled, marks=native)], ids=["numpy", "native"]
)
every_size = for_each("size", SIZES)


class Cases:
    """Cases in blocks: where those of each class are, as the kernels ask for it, told by plain loops."""

    def __init__(self, size, share=0.3, ties=False, in_order=False, seed=0):
        random = np.random.default_rng(seed)
        self.size, self.blocks = size, -(-size // BLOCK)
        self.score = np.round(random.normal(size=size), 1) if ties else random.normal(size=size)
        if in_order:
            self.score = np.sort(self.score)[::-1].copy()
        self.truth = random.random(size) < share
        order = np.argsort(-self.score, kind="stable").astype(np.uint32)
        self.order = None if in_order else order
        self.positive = self.truth[order]
        at = [np.flatnonzero(self.positive[start : start + BLOCK]) for start in range(0, size, BLOCK)]
        self.at, self.of_block = (
            np.concatenate(at).astype(np.uint16),
            np.array([len(part) for part in at], np.int64),
        )
        falls = self.score[order]
        self.starts = np.array([0, *(i for i in range(1, size) if falls[i] != falls[i - 1]), size])

    def sweep(self, times, ties):
        return (
            times,
            self.order,
            self.positive.view(np.uint8),
            self.at,
            self.of_block,
            self.starts if ties else None,
        )


def drawn(kernels, cases, replicates, seed=0, first=0, threads=None, design="cohort", mean=None):
    """mean: of the Poisson draws; by default that of the package."""
    classes = _by_class(cases.truth) if design == "case-control" else []
    sizes = np.array([len(part) for part in classes] or [len(cases.truth)])
    place = np.concatenate(classes) if classes else None
    limit = np.stack([_limits(_first_mean(int(size)) if mean is None else mean) for size in sizes])
    return kernels.draw(seed, first, replicates, limit, sizes, place, threads)


# The same from both
# --------------------------------------------------------------------------------------------------


@pytest.mark.full
@native
@every_size
@for_each("share", [0.0, 0.3, 1.0])
@for_each("design", ["cohort", "case-control"])
@for_each("mean", [None, 1.0])
def test_draws_are_the_same_to_the_bit(size, share, design, mean):
    """With a mean of 1 the first draws are too many in half of the replicates."""
    cases = Cases(size, share)
    for seed in (0, 1, 2**64 - 1):
        one, other = (
            drawn(kernels, cases, 9, seed, design=design, mean=mean) for kernels in (reference, compiled)
        )
        assert one.dtype == other.dtype == np.uint8
        np.testing.assert_array_equal(one, other)


@native
@every_size
def test_poisson_draws_are_the_same_to_the_bit(size):
    for seed in (0, 1, 2**64 - 1):
        one, other = (kernels.draw_poisson(seed, 3, 9, size, LIMIT) for kernels in (reference, compiled))
        assert one.dtype == other.dtype == np.uint8
        np.testing.assert_array_equal(one, other)


@native
@every_size
def test_sums_are_the_same(size):
    cases, random = Cases(size), np.random.default_rng(1)
    times = drawn(reference, cases, 5)
    masks, numbers = random.integers(0, 2, (4, size)).astype(np.uint8), random.normal(size=(3, size))
    np.testing.assert_array_equal(compiled.among(times, masks), reference.among(times, masks))
    np.testing.assert_allclose(
        compiled.weighed(times, numbers), reference.weighed(times, numbers), rtol=0, atol=1e-12 * size
    )


@in_part(6, ("fast", "full"))
@native
@every_size
@for_each("share", [0.0, 0.3, 1.0])
@for_each("ties", [False, True])
@for_each("in_order", [False, True])
def test_sweeps_are_the_same(size, share, ties, in_order):
    cases = Cases(size, share, ties, in_order)
    times = drawn(reference, cases, 5)
    one, other = (kernels.swept(*cases.sweep(times, ties)) for kernels in (reference, compiled))
    np.testing.assert_array_equal(one[:, [0, 1, 2, 4, 5]], other[:, [0, 1, 2, 4, 5]])
    np.testing.assert_allclose(one[:, 3], other[:, 3], rtol=1e-12, atol=0)


@native
def test_sums_are_the_same_where_a_case_is_drawn_as_often_as_a_byte_holds():
    cases = Cases(10_000, ties=True)
    times = np.full((2, 10_000), 255, np.uint8)
    for ties in (False, True):
        np.testing.assert_allclose(
            *(one.swept(*cases.sweep(times, ties)) for one in (reference, compiled)), rtol=1e-12
        )
    everyone = np.ones((1, 10_000), np.uint8)
    assert (
        compiled.among(times, everyone).tolist()
        == [[2_550_000]] * 2
        == reference.among(times, everyone).tolist()
    )


@native
@pytest.mark.parametrize("size", [5, BLOCK + 1, 70_001])
def test_threads_change_nothing(size):
    cases = Cases(size, ties=True)
    one = drawn(compiled, cases, 17, threads=1)
    loss = np.random.default_rng(2).normal(size=(2, size))
    sums = [
        compiled.weighed(one, loss, 1),
        compiled.swept(*cases.sweep(one, True), 1),
        compiled.among(one, loss > 0, 1),
    ]
    for threads in (2, 3, 16):
        np.testing.assert_array_equal(drawn(compiled, cases, 17, threads=threads), one)
        np.testing.assert_array_equal(
            compiled.draw_poisson(1, 0, 17, size, LIMIT, threads),
            compiled.draw_poisson(1, 0, 17, size, LIMIT, 1),
        )
        np.testing.assert_array_equal(compiled.weighed(one, loss, threads), sums[0])
        np.testing.assert_array_equal(compiled.swept(*cases.sweep(one, True), threads), sums[1])
        np.testing.assert_array_equal(compiled.among(one, loss > 0, threads), sums[2])


@native
def test_threads_are_worth_their_while_in_these_tests():
    """Else the test above would compare one thread with itself."""
    assert 16 * compiled.CASES_WORTH_A_THREAD <= 17 * 70_001


@every_kernels
def test_a_replicate_is_the_same_alone(kernels):
    """Replicates 5 to 9 are the same whether drawn alone or as a part of ten."""
    cases = Cases(BLOCK + 100)
    for mean in (None, 1.0):
        whole, part = (drawn(kernels, cases, 10 - first, 9, first, mean=mean) for first in (0, 5))
        np.testing.assert_array_equal(whole[5:], part)
    whole, part = (kernels.draw_poisson(9, first, 10 - first, 5000, LIMIT) for first in (0, 5))
    np.testing.assert_array_equal(whole[5:], part)


@every_kernels
def test_no_replicates_give_nothing(kernels):
    cases = Cases(10)
    times = drawn(kernels, cases, 0)
    assert times.shape == kernels.draw_poisson(0, 0, 0, 10, LIMIT).shape == (0, 10)
    assert kernels.swept(*cases.sweep(times, True)).shape == (0, 6)
    assert (
        kernels.among(times, np.ones((2, 10), np.uint8)).shape
        == kernels.weighed(times, np.ones((2, 10))).shape
        == (0, 2)
    )


# The plain sums
# ------------------------------------------------------------------------------------------------------


@every_kernels
@every_size
@for_each("mean", [None, 1.0])
def test_each_class_is_drawn_as_often_as_it_has_cases(kernels, size, mean):
    cases = Cases(size)
    whole = drawn(kernels, cases, 6, 5, mean=mean).astype(int)
    np.testing.assert_array_equal(whole.sum(1), size)
    of_classes = drawn(kernels, cases, 6, 5, design="case-control", mean=mean).astype(int)
    np.testing.assert_array_equal(of_classes[:, cases.truth].sum(1), cases.truth.sum())
    np.testing.assert_array_equal(of_classes.sum(1), size)


@every_kernels
@pytest.mark.parametrize("ties", [False, True])
def test_a_sweep_is_that_of_the_repeated_cases(kernels, ties):
    """Pair by pair and threshold by threshold, the long way."""
    cases = Cases(60, ties=ties)
    times = drawn(kernels, cases, 4)
    for row, found in zip(times, kernels.swept(*cases.sweep(times, ties)), strict=True):
        score, truth = np.repeat(cases.score, row), np.repeat(cases.truth, row)
        up, down = score[truth], score[~truth]
        pairs = (2 * (up[:, None] > down) + (up[:, None] == down)).sum()
        precision = sum(truth[score >= one].mean() for one in up)
        rates = [(up >= t).sum() * len(down) - (down >= t).sum() * len(up) for t in [np.inf, *score]]
        np.testing.assert_allclose(
            found, [len(up), len(down), pairs, precision, max(rates), min(rates)], rtol=1e-12
        )


@every_kernels
def test_sums_are_plain(kernels):
    random = np.random.default_rng(5)
    times, mask, loss = (
        random.integers(0, 4, (3, 5000)).astype(np.uint8),
        random.random((2, 5000)) < 0.4,
        random.random((2, 5000)),
    )
    np.testing.assert_array_equal(kernels.among(times, mask.view(np.uint8)), times.astype(int) @ mask.T)
    np.testing.assert_allclose(kernels.weighed(times, loss), times @ loss.T, rtol=1e-12)


# Distributions, exactly as they must be
# -----------------------------------------------------------------------------

MANY = 4000  # replicates
FAR = 4.5  # standard errors: beyond by chance once in 150,000
TINY = 1e-4  # of a chi-square test; every seed here is fixed


def chi_square(observed, expected):
    """The chance of as bad a fit; values that are rare are put together."""
    last = int(np.flatnonzero(expected >= 10)[-1])
    observed, expected = (np.append(part[:last], part[last:].sum()) for part in (observed, expected))
    return gammaincc((len(expected) - 1) / 2, ((observed - expected) ** 2 / expected).sum() / 2)


def one_class(size, seed, replicates=MANY, first=0, mean=None):
    """Every case of one class: the plain bootstrap of `size` cases."""
    return drawn(compiled or reference, Cases(size, share=0.0), replicates, seed, first, mean=mean)


@in_part(6, ("fast", "full"))
@for_each("seed", [0, 1, 2])
@for_each("size", [2, 7, 17, 100, BLOCK, BLOCK + 100])
@for_each("mean", [None, 1.0])
def test_a_case_is_drawn_binomially_often(size, seed, mean):
    """Binomial(n, 1 / n): the first case, one of the last block, the last one.

    With a mean of 1 the first draws are too many in half of the replicates.
    """
    times = one_class(size, seed, mean=mean)
    for case in {0, size // 2, max(size - 50, 0), size - 1}:
        observed = np.bincount(times[:, case], minlength=12)
        expected = MANY * binom.pmf(np.arange(len(observed)), size, 1 / size)
        assert chi_square(observed, expected) > TINY
        assert abs(times[:, case].mean() - 1) < FAR * math.sqrt((1 - 1 / size) / MANY)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_all_cases_together_are_drawn_binomially_often(seed):
    size = 500
    times = one_class(size, seed)
    assert (times.sum(1, dtype=int) == size).all()
    shares = np.bincount(times.ravel(), minlength=10)[:10] / times.size
    expected = binom.pmf(np.arange(10), size, 1 / size)
    # Of the number of cases drawn k times the variance is below that of independent ones (negative
    # association).
    assert (np.abs(shares - expected) < FAR * np.sqrt(expected * (1 - expected) / times.size) + 1e-12).all()
    means = times.mean(0)
    assert np.abs(means - 1).max() < 5 * math.sqrt(1 / MANY)
    # Var of the square is about 3
    assert abs(times.var(0).mean() - (1 - 1 / size)) < FAR * math.sqrt(3 / times.size)


@pytest.mark.full
@pytest.mark.parametrize("size", [2, 10, BLOCK + 20])
def test_two_cases_hinder_each_other(size):
    """The covariance is -1 / n, of cases of one block and of two."""
    times = one_class(size, 3).astype(float)
    # first and last, second and second last, ...
    one, other = np.arange(size // 2), np.arange(size - size // 2, size)[::-1]
    products = ((times[:, one] - 1) * (times[:, other] - 1)).mean(0)
    error = math.sqrt(1.5 / (MANY * len(one)))
    assert abs(products.mean() + 1 / size) < FAR * error
    # the variance of a sum of k tells the covariances: k (1 - 1 / n) - k (k - 1) / n
    within = times[:, : min(size, BLOCK)]
    k = max(within.shape[1] // 2, 1)
    for some in (within[:, :k], within[:, ::2][:, :k]):
        count = some.shape[1]
        wanted = count * (1 - 1 / size) - count * (count - 1) / size
        assert abs(some.sum(1).var() / wanted - 1) < FAR * math.sqrt(2 / MANY) * 1.2


def test_two_cases_of_two_blocks_hinder_each_other():
    """The whole first block against the second, smaller one: what the one has less the other has more."""
    size = BLOCK + 20
    times = one_class(size, 4)
    rest = times[:, BLOCK:].sum(1, dtype=int)
    observed = np.bincount(rest, minlength=60)
    assert chi_square(observed, MANY * binom.pmf(np.arange(len(observed)), size, 20 / size)) > TINY


@every_kernels
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_poisson_draws_are_poisson(kernels, seed):
    times = kernels.draw_poisson(seed, 0, 200, BLOCK + 500, LIMIT)
    for part in (times, times[:, 0], times[:, BLOCK:], times[:, ::2], times[:, 1::2]):
        observed = np.bincount(part.ravel(), minlength=10)
        assert chi_square(observed, part.size * poisson.pmf(np.arange(len(observed)), 1)) > TINY
    neighbours = np.corrcoef(times[:, :-1].ravel().astype(float), times[:, 1:].ravel())[0, 1]
    assert abs(neighbours) < FAR / math.sqrt(times.size)


@pytest.mark.parametrize("mean", [1.0, 0.999, 0.5, 0.03])
def test_the_limits_give_poisson_probabilities(mean):
    """What 16 bits settle, and the rest of 32 bits more, is Poisson to 2^-45."""
    limit = _limits(mean).astype(float)
    usual = np.diff(limit[:7], prepend=0) / 2.0**16
    rare = np.diff(np.append(limit[7:], 2.0**32), prepend=0) / 2.0**32 * (1 - usual.sum())
    found = rare[:13] + np.pad(usual, (0, 6))
    np.testing.assert_allclose(found, poisson.pmf(np.arange(13), mean), rtol=0, atol=2.0**-40)
    assert limit[6] < 2.0**16


def test_below_is_the_high_half_of_the_product():
    random = np.random.default_rng(8).integers(0, 2**64, 1000, dtype=np.uint64)
    for size in (1, 2, 3, 1000, 2**32 - 1):
        wanted = [int(one) * size >> 64 for one in random]
        np.testing.assert_array_equal(reference.below(random, size), wanted)


def correlations(times):
    """Of the rows, with what is expected by chance taken as the unit: the largest of all pairs."""
    found = np.corrcoef(times.astype(float))
    return np.abs(found[np.triu_indices(len(found), 1)]).max() * math.sqrt(times.shape[1])


def test_replicates_are_independent():
    """One after another, and those whose numbers differ by one bit."""
    size = 20_000
    several = [one_class(size, 5, 64), (compiled or reference).draw_poisson(5, 0, 64, size, LIMIT)]
    far = [
        (compiled or reference).draw_poisson(5, first, 1, size, LIMIT)[0]
        for first in (0, *(1 << bit for bit in range(40)))
    ]
    for times in (*several, np.array(far)):
        assert correlations(times) < 5  # of at most 2,016 pairs


@pytest.mark.full
def test_seeds_are_independent():
    """0, 1, 2, ..., and those that differ by one bit, in the same replicate and in others."""
    size, kernels = 20_000, compiled or reference
    seeds = (0, *(1 << bit for bit in range(64)), 3, 5, 2**64 - 1)
    times = np.concatenate([kernels.draw_poisson(seed, 0, 2, size, LIMIT) for seed in seeds])
    assert correlations(times) < 5.5  # of 9,180 pairs
    times = np.concatenate([drawn(kernels, Cases(size, share=0.0), 1, seed) for seed in seeds])
    assert correlations(times) < 5


def test_the_blocks_of_a_replicate_are_independent():
    times = (compiled or reference).draw_poisson(6, 0, 1, 64 * BLOCK, LIMIT).reshape(64, BLOCK)
    assert correlations(times) < 5
