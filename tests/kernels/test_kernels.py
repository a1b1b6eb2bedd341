"""The native kernels answer what their NumPy twins answer, and the environment chooses between them."""

import os
import subprocess
import sys
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, strategies as st
from looping import for_each, in_part

from tallymark.kernels import _numpy, at_most

try:
    from tallymark.kernels import _compiled
except ImportError:
    _compiled = None

BLOCK_ROWS = 2048  # in native/tally.hpp
SIZES = [1, 2, 3, 7]
if _compiled:
    EDGES = (_compiled.FEW_ROWS, BLOCK_ROWS, 2 * BLOCK_ROWS, _compiled.ROWS_WORTH_A_THREAD)
    SIZES += [edge + step for edge in EDGES for step in (-1, 0, 1)]
LABEL_TYPES = [
    "bool",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "float32",
    "float64",
]
SCORE_TYPES = ["float16", "float32", "float64"]

native = pytest.mark.skipif(_compiled is None, reason="the native kernels are not built")
each_kernels = pytest.mark.parametrize(
    "kernels", [_numpy, pytest.param(_compiled, marks=native)], ids=["numpy", "native"]
)


def same(ours, reference, rtol=0.0):
    """Equal, entry by entry, types of arrays included; rtol is for sums of fractions."""
    if reference is None or ours is None:
        assert ours is reference
        return
    assert len(ours) == len(reference)
    for got, wanted in zip(ours, reference, strict=True):
        if isinstance(wanted, np.ndarray):
            assert got.dtype == wanted.dtype
            np.testing.assert_allclose(got, wanted, rtol=rtol, atol=0)
        elif wanted is None:
            assert got is None
        else:
            np.testing.assert_allclose(got, wanted, rtol=rtol, atol=0)


def both(name, *arguments, rtol=0.0):
    """Runs a kernel both ways, compares, and answers what the reference says."""
    reference = getattr(_numpy, name)(*arguments)
    answer = getattr(_compiled, name)(*arguments)
    if isinstance(reference, (int, float)):
        assert answer == pytest.approx(reference, rel=rtol, abs=0)
    else:
        same(answer, reference, rtol)
    return reference


def cases(size, label_type="int64", score_type="float64", seed=0):
    random = np.random.default_rng(seed)
    truth = random.integers(0, 2, size).astype(label_type)
    score = np.round(random.normal(size=size), 2).astype(score_type)
    return truth, score, random


# tally
# --------------------------------------------------------------------------------------------------


@native
@for_each("called_type", LABEL_TYPES)
@for_each("true_type", LABEL_TYPES)
def test_tally_of_every_pair_of_types(true_type, called_type):
    random = np.random.default_rng(1)
    truth, called = random.integers(0, 2, 50).astype(true_type), random.integers(0, 2, 50).astype(called_type)
    tp, fp, fn, tn, *_ = both("tally", truth, called, None, 1.0, 1.0)
    assert (tp, fp, fn, tn) == tuple(
        float(((truth == a) & (called == b)).sum()) for a, b in ((1, 1), (0, 1), (1, 0), (0, 0))
    )
    both("tally", truth, called, random.random(50), 1.0, 1.0, rtol=1e-13)


@native
@for_each("weighted", [False, True])
@for_each("size", SIZES)
def test_tally_of_sizes_around_its_blocks(size, weighted):
    truth, _, random = cases(size)
    called = random.integers(0, 2, size).astype(bool)
    weight = random.integers(0, 5, size).astype(float) if weighted else None
    both("tally", truth, called, weight, 1.0, 1.0)


@native
@pytest.mark.parametrize(("label", "positive"), [(-1.0, 1.0), (0.0, -1.0), (7.0, 3.0), (2.0, 100.0)])
def test_tally_of_other_labels(label, positive):
    truth, called = np.array([label, positive, label]), np.array([positive, positive, label])
    assert both("tally", truth.astype("int8"), called, None, positive, positive) == (1, 1, 0, 1, label, label)


@native
@for_each("position", [0, 1, 2047, 2048, 4999])
@for_each("column", [0, 1])
@for_each("stranger", [2.0, np.nan])
def test_tally_refuses_a_third_label_and_nan_wherever_they_stand(stranger, column, position):
    truth, _, random = cases(5000, "float64")
    columns = [truth, random.integers(0, 2, 5000).astype("float32")]
    columns[column][position] = stranger
    assert both("tally", *columns, None, 1.0, 1.0) is None


@native
def test_tally_knows_one_label_only():
    ones, zeros = np.ones(5, int), np.zeros(5, int)
    assert both("tally", ones, ones, None, 1.0, 1.0) == (5, 0, 0, 0, None, None)
    assert both("tally", zeros, ones, None, 1.0, 1.0) == (0, 5, 0, 0, 0, None)


@native
def test_negative_zero_is_the_label_zero():
    truth, called = np.array([0.0, -0.0, 1.0]), np.array([-0.0, 0.0, 1.0], "float32")
    assert both("tally", truth, called, None, 1.0, 1.0)[:4] == (1, 0, 0, 2)


# rank
# --------------------------------------------------------------------------------------------------


@native
@for_each("score_type", SCORE_TYPES)
@for_each("label_type", LABEL_TYPES)
def test_rank_of_every_type(label_type, score_type):
    truth, score, _ = cases(700, label_type, score_type)
    score_out, positive, negative, _ = both("rank", truth, score, 1.0)
    assert score_out.dtype == score_type
    assert positive.dtype == negative.dtype == np.int64
    assert (score_out[1:] < score_out[:-1]).all()
    both("rank", truth[:40], score[:40], 1.0)


@in_part(6, ("fast", "full"))
@native
@for_each("score_type", SCORE_TYPES)
@for_each("size", SIZES)
def test_rank_of_sizes_around_the_switches(size, score_type):
    truth, score, random = cases(size, "uint8", score_type)
    both("rank", truth, score, 1.0)
    both("rank", truth, random.random(size).astype(score_type), 1.0)  # hardly any ties


LARGE = _compiled.ROWS_WORTH_A_THREAD + 5 if _compiled else 5
SHAPES = {
    "all tied": lambda n: np.zeros(n),
    "two values": lambda n: np.arange(n) % 2.0,
    "rising": lambda n: np.arange(n, dtype=float),
    "falling": lambda n: -np.arange(n, dtype=float),
    "infinite": lambda n: np.where(np.arange(n) % 3 == 0, -np.inf, np.inf),
    "infinite above": lambda n: np.where(np.arange(n) % 3 == 0, 0.5, np.inf),
    "infinite below": lambda n: np.full(n, -np.inf),
    "signed zeros": lambda n: np.where(np.arange(n) % 2 == 0, 0.0, -0.0),
    "smallest": lambda n: (np.arange(n) % 5) * 5e-324,
    "one above": lambda n: np.r_[1.0, np.zeros(n - 1)],
}


@in_part(6, ("fast", "full"))
@native
@for_each("shape", SHAPES)
@for_each("size", [2, 100, 600, LARGE])
def test_rank_of_scores_of_every_shape(shape, size):
    truth, _, _ = cases(size)
    score = SHAPES[shape](size)
    both("rank", truth, score, 1.0)
    both("rank", np.ones(size, int), score, 1.0)
    both("rank", np.zeros(size, bool), score, 1.0)


@native
@pytest.mark.parametrize("size", [4, 600, LARGE])
@pytest.mark.parametrize("score_type", SCORE_TYPES)
def test_rank_answers_one_positive_zero(size, score_type):
    score = np.where(np.arange(size) % 2 == 0, -0.0, 0.0).astype(score_type)
    for kernels in (_numpy, _compiled):
        table = kernels.rank(np.arange(size) % 2, score, 1.0)
        assert table[0].tolist() == [0.0]
        assert not np.signbit(table[0][0])


@native
@pytest.mark.parametrize("size", [5, 600, LARGE])
def test_rank_refuses_nan_and_a_third_label(size):
    for position in (0, size // 2, size - 1):
        truth, score, _ = cases(size, "float64")
        score[position] = np.nan
        assert both("rank", truth, score, 1.0) is None
        score = np.arange(size) / size
        truth = (np.arange(size) % 2).astype("int16")
        truth[position] = 5
        assert both("rank", truth, score, 1.0) is None
        truth = (np.arange(size) % 2).astype("float32")
        truth[position] = np.nan
        assert both("rank", truth, score, 1.0) is None


@native
def test_rank_leaves_its_input_alone():
    truth, score, _ = cases(700)
    before = [array.copy() for array in (truth, score)]
    for kernels in (_numpy, _compiled):
        kernels.rank(truth, score, 1.0)
    for array, old in zip((truth, score), before, strict=True):
        np.testing.assert_array_equal(array, old)


PAIRED = {
    **SHAPES,
    "spread": lambda n: RANDOM.random(n),
    "heavy tails": lambda n: RANDOM.standard_cauchy(n),
    "skewed": lambda n: RANDOM.random(n) ** 40,
    "tied below": lambda n: np.maximum(RANDOM.random(n), 0.6),
    "few": lambda n: RANDOM.integers(0, 600, n),
    "some infinite": lambda n: np.where(RANDOM.random(n) < 0.001, -np.inf, RANDOM.random(n)),
    "in order, tied": lambda n: np.arange(n) // 3,
    "zeros of both signs": lambda n: np.where(
        RANDOM.random(n) < 0.3, RANDOM.choice([0.0, -0.0], n), RANDOM.random(n)
    ),
}
RANDOM = np.random.default_rng(4)


@in_part(6, ("fast", "full"))
@native
@for_each("shape", PAIRED)
@for_each("score_type", ["float32", "float64"])
@for_each("threads", [1, 2, 3])
def test_pairs_are_those_of_the_table(shape, score_type, threads):
    size = 3 * _compiled.ROWS_WORTH_A_THREAD + 5
    with np.errstate(over="ignore"):  # of float16: infinity
        score = np.ascontiguousarray(PAIRED[shape](size), score_type)
    with at_most(threads):
        for truth in (
            RANDOM.random(size) < 0.3,
            RANDOM.integers(-1, 1, size),
            np.ones(size),
            np.zeros(size, int),
        ):
            positive = float(truth.max() if truth.any() else 1)
            found = _compiled.pairs(truth, score, positive)
            _, of_positives, of_negatives, negative = _compiled.rank(truth, score, positive)
            twice = _numpy.concordance(of_positives, of_negatives)
            assert found == (twice, of_positives.sum(), of_negatives.sum(), negative)


@native
def test_pairs_of_cases_that_are_refused_are_not_counted():
    size = 2 * _compiled.ROWS_WORTH_A_THREAD
    truth, score = RANDOM.integers(0, 2, size), RANDOM.random(size)
    for kind in (np.asarray, np.sort, np.round):
        for row in (0, size // 2, size - 1):
            wrong = kind(score)
            wrong[row] = np.nan
            assert _compiled.pairs(truth, wrong, 1.0) is None
            strange = truth.copy()
            strange[row] = 2
            assert _compiled.pairs(strange, kind(score), 1.0) is None
    halves = np.repeat([0, 2], size // 2)  # in each half a single label
    assert _compiled.pairs(halves, np.round(score), 1.0) is None


# Memory of every layout
# --------------------------------------------------------------------------------------------------


def every_second(array):
    return np.repeat(array, 2)[::2]


def reversed_view(array):
    return array[::-1].copy()[::-1]


def a_matrix_column(array):
    return np.stack([array, array], axis=1)[:, 1]


def read_only(array):
    array = array.copy()
    array.setflags(write=False)
    return array


def broadcast(array):
    return np.broadcast_to(array[:1], array.shape)


@native
@for_each("layout", [every_second, reversed_view, a_matrix_column, read_only, broadcast])
@for_each("size", [50, 600, 5000, LARGE])
def test_layouts_of_memory(layout, size):
    truth, score, random = cases(size)
    called, weight = random.integers(0, 2, size).astype("int32"), random.integers(0, 3, size).astype(float)
    truth, score, called, weight = (layout(array) for array in (truth, score, called, weight))
    both("tally", truth, called, None, 1.0, 1.0)
    both("tally", truth, called, weight, 1.0, 1.0)
    both("rank", truth, score, 1.0)
    both("rank", truth, score.astype("float32"), 1.0)
    both("rank", truth, score, 1.0)


# The kernels on tables
# --------------------------------------------------------------------------------------------------


def table(size, score_type="float64", weight_type="int64", seed=0):
    random = np.random.default_rng(seed)
    score = np.unique(np.round(random.normal(size=size), 1)).astype(score_type)[::-1].copy()
    return score, *(random.integers(0, 5, len(score)).astype(weight_type) for _ in range(2))


@native
@for_each("score_type", SCORE_TYPES)
@for_each("weight_type", ["int64", "float64"])
@for_each("sizes", [(0, 0), (0, 5), (5, 0), (1, 1), (7,), (30, 40), (500, 3), (9, 0, 1, 300, 40), (50,) * 9])
def test_merge(score_type, weight_type, sizes):
    tables = [table(size, score_type, weight_type, seed) for seed, size in enumerate(sizes)]
    merged = both("merge", *tables)
    same(_compiled.merge(*reversed(tables)), merged)
    assert merged[1].sum() == sum(each[1].sum() for each in tables)


@native
def test_merge_of_infinite_scores_and_read_only_tables():
    a = tuple(map(read_only, (np.array([np.inf, 0.0, -np.inf]), np.array([1, 2, 3]), np.array([4, 5, 6]))))
    score, positive, negative = both("merge", a, a)
    assert score.tolist() == [np.inf, 0.0, -np.inf]
    assert (positive.tolist(), negative.tolist()) == ([2, 4, 6], [8, 10, 12])


@native
def test_concordance():
    assert both("concordance", np.array([2, 0, 1]), np.array([0, 3, 1])) == 2 * (2 * 4) + 1
    for size in (0, 1, 10, 3000):
        _, positive, negative = table(size)
        both("concordance", positive, negative)
        both("concordance", positive * 0.3, negative * 0.7, rtol=1e-12)


@native
def test_sweeps_and_corners_of_rows():
    random = np.random.default_rng(5)
    for shape in ((1, 1), (3, 0), (8, 7), (19, 40), (3, 5, 33)):
        for weight in (random.integers(0, 3, shape), random.exponential(size=shape), np.zeros(shape)):
            (tp, fn), (fp, _) = both("sweep", weight), both("sweep", np.roll(weight, 1, -1))
            assert (tp[..., 0] == 0).all()
            np.testing.assert_allclose(tp + fn, np.broadcast_to(weight.sum(-1, keepdims=True), tp.shape))
            for kernels in (_numpy, _compiled):
                hull, (corner, many) = kernels.hull(tp, fp), kernels.corners(tp, fp)
                for row in np.ndindex(shape[:-1]):
                    assert corner[row][: many[row]].tolist() == np.unique(hull[row]).tolist()


@native
def test_concordance_is_exact_beyond_the_whole_numbers_of_a_float():
    half = np.array([2**30, 1], np.int64)
    assert both("concordance", half, np.array([1, 2**30], np.int64)) == 2**30 + 2**30 * (2 * 2**30 + 1)


@native
@pytest.mark.parametrize("score_type", SCORE_TYPES)
@pytest.mark.parametrize("weight_type", ["int64", "float64"])
def test_given_to_truth(score_type, weight_type):
    score = np.linspace(1, 0, 23).astype(score_type)
    random = np.random.default_rng(3)
    positive, negative = (random.integers(0, 3, 23).astype(weight_type) for _ in range(2))
    both("given_to_truth", score, positive, negative)
    both("given_to_truth", score[:0], positive[:0], negative[:0])


@pytest.mark.parametrize("kernels", [pytest.param("_compiled", marks=native), "_numpy"])
def test_inversions_by_brute_force(kernels):
    count, random = globals()[kernels].inversions, np.random.default_rng(5)
    for size in (0, 1, 2, 15, 16, 17, 33, 100, 257):
        for distinct in (1, 3, 1000):
            values = random.integers(0, distinct, size)
            wanted = sum(int((values[i + 1 :] < values[i]).sum()) for i in range(size))
            assert count(values) == wanted, (size, distinct)
    ascending = np.arange(100)
    assert (count(ascending), count(ascending[::-1])) == (0, 100 * 99 // 2)


@native
@for_each("size", [1, 2, 7, 8, 9, 500])
@for_each("rows", [1, 4])
@for_each("values", ["plain", "alike", "large", "tiny", "infinite", "NaN"])
def test_sums_of_powers_and_of_polynomials(size, rows, values):
    random = np.random.default_rng(8)
    given, weight = random.normal(3.0, 1.0, size), random.uniform(0.1, 2.0, (rows, size))
    if values == "alike":
        given[:] = 0.7
    elif values == "large":
        given *= 1e200
    elif values == "tiny":
        given = np.abs(given) * 1e-310
    elif values != "plain":
        given[size // 2] = {"infinite": np.inf, "NaN": np.nan}[values]
    starts = np.unique([0, size // 3, size // 2]).astype(np.int64)
    for one, wanted in zip(
        _compiled.powers(given, weight, starts), _numpy.powers(given, weight, starts), strict=True
    ):
        np.testing.assert_array_equal(one, wanted)
    z = random.uniform(-1, 1, size)
    np.testing.assert_array_equal(
        _compiled.polynomials(z, weight, starts), _numpy.polynomials(z, weight, starts)
    )


@each_kernels
def test_sums_of_powers_and_of_polynomials_by_their_definitions(kernels):
    random, starts = np.random.default_rng(9), np.array([0, 20], np.int64)
    values, weight, z = (
        random.gamma(2.0, size=50),
        random.uniform(0.1, 2.0, (2, 50)),
        random.uniform(-1, 1, 50),
    )
    mean, unit, sums = kernels.powers(values, weight, starts)
    found = kernels.polynomials(z, weight, starts)
    assert np.log2(unit) == np.round(np.log2(unit))
    for part, rows in enumerate((slice(0, 20), slice(20, 50))):
        centre = np.average(values[rows], weights=weight[0, rows])
        assert mean[part] == pytest.approx(centre, rel=1e-14)
        for power in range(5):
            wanted = weight[:, rows] @ ((values[rows] - centre) / unit) ** power
            assert sums[:, part, power] == pytest.approx(wanted, rel=1e-12, abs=1e-13)
        for degree in range(10):
            wanted = weight[:, rows] @ np.cos(degree * np.arccos(z[rows]))
            assert found[part, :, degree] == pytest.approx(wanted, rel=1e-11, abs=1e-12)


@native
def test_inversions_of_many_values():
    both("inversions", np.random.default_rng(6).integers(0, 5000, 20_000))


# Sums of weights of every size
# --------------------------------------------------------------------------------------------------


def in_fractions(positive, negative):
    """Twice the weight of the pairs in order, exactly."""
    above, total = Fraction(0), Fraction(0)
    for p, n in zip(map(Fraction, positive.tolist()), map(Fraction, negative.tolist()), strict=True):
        total += n * (2 * above + p)
        above += p
    return total


@pytest.mark.full
@each_kernels
@pytest.mark.parametrize("order", ["as drawn", "rising", "falling"])
def test_concordance_of_weights_over_twelve_orders_of_magnitude(kernels, order):
    """Right to the last digit or so, whatever comes first."""
    for seed in range(30):
        random = np.random.default_rng(seed)
        size = int(random.integers(2, 400))
        positive, negative = 10.0 ** random.uniform(-6, 6, (2, size)) * (random.random((2, size)) < 0.6)
        if order != "as drawn":
            positive, negative = (
                np.sort(weight)[:: -1 if order == "falling" else 1].copy() for weight in (positive, negative)
            )
        exact = in_fractions(positive, negative)
        assert abs(Fraction(kernels.concordance(positive, negative)) - exact) <= exact * Fraction(5e-16)


@each_kernels
def test_the_few_pairs_in_order_are_not_lost_among_many_that_are_not(kernels):
    """A million tiny weights beside a huge one, which plain sums would swallow."""
    positive, negative = np.full(10**6, 1e-9), np.full(10**6, 1e-9)
    positive[-1], negative[0] = 1e9, 1e9
    rest = 10**6 - 1
    # a tie with each of the two large ones, and the pairs of tiny ones
    exact = 2 + 1e-18 * (rest**2 - 1 + 2 * rest)
    assert kernels.concordance(positive, negative) == pytest.approx(exact, rel=1e-14)


# The hull
# --------------------------------------------------------------------------------------------------


def sweeps(weights):
    """tp and fp of a sweep: from nobody on."""
    return tuple(
        np.concatenate([np.zeros((*part.shape[:-1], 1)), np.cumsum(part, axis=-1)], axis=-1)
        for part in weights
    )


def corners_by_force(tp, fp):
    """A point is a corner where no straight line between a point before and one behind it passes through or
    above it.

    Of equal points the last is meant, but the first two points and the last two: those are the ends.
    """
    points = [(Fraction(x), Fraction(y)) for x, y in zip(fp.tolist(), tp.tolist(), strict=True)]
    last = len(points) - 1

    def beaten(i):
        (x, y), before, behind = points[i], points[:i], points[i + 1 :]
        if (x, y) in behind or (x, y) == points[0]:
            return True
        return any(
            (bx - ax) * (y - ay) <= (by - ay) * (x - ax)
            for ax, ay in before
            if (ax, ay) != (x, y)
            for bx, by in behind
        )

    corners = [
        i for i in range(len(points)) if i in (0, last) or not (beaten(i) or points[i] == points[last])
    ]
    return np.array([max(corner for corner in corners if corner <= i) for i in range(len(points))])


WEIGHTS = {
    "whole": lambda random, size: random.integers(0, 4, size).astype(float),
    "mostly none": lambda random, size: random.choice([0.0, 0.0, 0.0, 1.0], size),
    # exact in floats, so that straight lines are straight
    "quarters": lambda random, size: random.integers(0, 9, size) / 4,
    "one class at a score": lambda random, size: np.where(
        random.random(size[1]) < [[0.5], [2]], random.integers(0, 3, size), 0.0
    ),
}


def some_sweeps(kind, number, most):
    random = np.random.default_rng(7)
    for _ in range(number):
        yield sweeps(WEIGHTS[kind](random, (2, int(random.integers(1, most)))))


def turns(tp, fp, corner):
    """The points at which the hull turns: where points are in a line, or the same, any of them may be called
    a corner."""
    kept = []
    for point in zip(fp[corner].tolist(), tp[corner].tolist(), strict=True):
        while kept and kept[-1] == point:
            kept.pop()
        while len(kept) > 1:
            (ax, ay), (bx, by), (x, y) = kept[-2], kept[-1], point
            if (bx - ax) * (y - by) != (by - ay) * (x - bx):
                break
            kept.pop()
        kept.append(point)
    return kept


@pytest.mark.full
@each_kernels
@pytest.mark.parametrize("kind", WEIGHTS)
def test_hull_by_brute_force(kernels, kind):
    for tp, fp in some_sweeps(kind, 150, 12):
        found, wanted = kernels.hull(tp, fp), corners_by_force(tp, fp)
        assert turns(tp, fp, found) == turns(tp, fp, wanted)
        if kernels is _compiled:
            np.testing.assert_array_equal(found, wanted)


@each_kernels
@pytest.mark.parametrize("kind", WEIGHTS)
def test_each_point_of_a_hull_knows_the_corner_before_it(kernels, kind):
    for tp, fp in some_sweeps(kind, 150, 12):
        found = kernels.hull(tp, fp)
        assert found[0] == 0
        assert (tp[found[-1]], fp[found[-1]]) == (tp[-1], fp[-1])
        np.testing.assert_array_equal(
            found, np.maximum.accumulate(np.where(found == np.arange(len(found)), found, 0))
        )


@pytest.mark.full
@native
@pytest.mark.parametrize("kind", WEIGHTS)
def test_hull_is_its_twin(kind):
    """Shares of positives that differ by rounding alone make corners in a straight line; such ones are
    not turns."""
    for tp, fp in some_sweeps(kind, 60, 1500):
        assert turns(tp, fp, _compiled.hull(tp, fp)) == turns(tp, fp, _numpy.hull(tp, fp))


@native
@pytest.mark.parametrize("scale", [1e-9, 0.1, 1e9])
def test_hull_of_fractions_is_its_twin_but_for_rounding(scale):
    random = np.random.default_rng(9)
    for _ in range(50):
        tp, fp = sweeps(scale * random.choice([0.1, 0.3, 0.7, 0.0, 1234.5], (2, 60)))
        areas = [
            np.trapezoid(tp[corner], fp[corner]) for corner in (_numpy.hull(tp, fp), _compiled.hull(tp, fp))
        ]
        assert areas[0] == pytest.approx(areas[1], rel=1e-12)
        assert areas[0] >= np.trapezoid(tp, fp) * (1 - 1e-12)


@each_kernels
@pytest.mark.parametrize("shape", [(1,), (5,), (2, 3)])
def test_hulls_of_many_curves_are_those_of_each(kernels, shape):
    random = np.random.default_rng(10)
    tp, fp = sweeps(random.integers(0, 4, (2, *shape, 30)).astype(float))
    together = kernels.hull(tp, fp)
    assert together.shape == tp.shape
    assert together.dtype == np.int64
    for index in np.ndindex(shape):
        np.testing.assert_array_equal(together[index], kernels.hull(tp[index], fp[index]))


@each_kernels
def test_hull_of_hardly_anything(kernels):
    """No score; one; and scores that nobody has."""
    assert kernels.hull(np.zeros(1), np.zeros(1)).tolist() == [0]
    assert kernels.hull(np.array([0.0, 2.0]), np.array([0.0, 3.0])).tolist() == [0, 1]
    assert kernels.hull(np.zeros(3), np.zeros(3))[0] == 0


@each_kernels
def test_hull_leaves_its_input_alone_and_takes_what_is_read_only(kernels):
    tp, fp = map(read_only, sweeps(np.random.default_rng(11).integers(0, 4, (2, 30)).astype(float)))
    before = tp.copy(), fp.copy()
    kernels.hull(tp, fp)
    np.testing.assert_array_equal((tp, fp), before)


# Anything at all
# --------------------------------------------------------------------------------------------------

SCORES = st.sampled_from([0.0, -0.0, 0.1, 0.5, -1.0, np.inf, -np.inf, 1e-320, np.nan]) | st.floats(width=32)
LABELS = st.sampled_from([0, 1]) | st.integers(-2, 3)


@native
@given(st.data())
def test_fuzz(data):
    rows = data.draw(st.lists(st.tuples(LABELS, SCORES, st.integers(0, 9), LABELS), min_size=1, max_size=40))
    times = data.draw(st.sampled_from([1, 20, 60]))  # from one call for few rows to several blocks
    truth, score, weight, called = (np.tile(np.array(column), times) for column in zip(*rows, strict=True))
    label_type, score_type = (
        data.draw(st.sampled_from(["int8", "int64", "float32"])),
        data.draw(st.sampled_from(SCORE_TYPES)),
    )
    with np.errstate(over="ignore"):  # of float16: infinity
        score = score.astype(score_type)
    truth, weight = truth.astype(label_type), weight.astype(float)
    positive = float(data.draw(LABELS))
    both("tally", truth, called, weight, positive, 1.0)
    both("tally", truth, called, None, positive, 1.0)
    ranked = both("rank", truth, score, positive)
    if ranked:
        half = len(ranked[0]) // 2
        both("merge", tuple(part[:half].copy() for part in ranked[:3]), ranked[:3])
        both("concordance", *ranked[1:3])


# Which of them runs
# --------------------------------------------------------------------------------------------------


def python(code, **environment):
    whole = {key: value for key, value in os.environ.items() if key != "TALLYMARK_KERNELS"} | environment
    return subprocess.run(
        [sys.executable, "-c", code], env=whole, capture_output=True, text=True, check=False
    )


SAY = "from tallymark import kernels; print(kernels.NAME, kernels.rank.__module__)"


def test_numpy_kernels_on_request():
    assert python(SAY, TALLYMARK_KERNELS="numpy").stdout.split() == ["numpy", "tallymark.kernels._numpy"]


@pytest.mark.full
@native
def test_native_kernels_on_request_and_by_default():
    for environment in ({"TALLYMARK_KERNELS": "native"}, {"TALLYMARK_KERNELS": ""}, {}):
        assert python(SAY, **environment).stdout.split() == ["native", "tallymark.kernels._compiled"]


def test_an_unknown_choice_is_an_import_error_that_says_what_to_set():
    run = python(SAY, TALLYMARK_KERNELS="fortran")
    assert run.returncode == 1
    assert (
        "KernelsError: TALLYMARK_KERNELS='fortran': set it to 'native' or 'numpy', or leave it out."
        in run.stderr
    )


HIDE = "import sys; sys.modules['tallymark.kernels._native'] = None; "


def test_without_native_kernels_numpy_serves():
    assert python(HIDE + SAY).stdout.split() == ["numpy", "tallymark.kernels._numpy"]


def test_native_kernels_that_were_not_built_say_how_to_build_them():
    run = python(HIDE + SAY, TALLYMARK_KERNELS="native")
    assert run.returncode == 1
    assert "TALLYMARK_KERNELS=native, but Tallymark was installed without native kernels" in run.stderr
    assert "With a C++20 compiler installed, and TALLYMARK_BUILD=native set" in run.stderr


@each_kernels
def test_arrays_in_reverse_order_are_read_as_their_copies(kernels):
    """Fractions too: a converted copy must not be one of whole numbers."""
    rng = np.random.default_rng(6)
    score, *weights = np.sort(rng.random(9)), *rng.random((2, 9))
    for arrays in ((score, *weights), (score, *(np.arange(9) for _ in weights))):
        turned = [one[::-1] for one in arrays]
        copies = [one.copy() for one in turned]
        for turn in product(*zip(turned, copies, strict=True)):
            same(kernels.given_to_truth(*turn), kernels.given_to_truth(*copies))
            assert kernels.concordance(*turn[1:]) == kernels.concordance(*copies[1:])


@native
@for_each("kind", ["whole", "fractions", "importance", "one class"])
def test_sums_along_the_curves(kind):
    random, size = np.random.default_rng(4), 3_000
    positive, negative = random.integers(0, 3, (2, size))
    squared = None
    if kind != "whole":
        positive, negative = positive * random.random(size), negative * random.random(size)
    if kind == "importance":
        squared = positive**2 * random.random(size), negative**2 * random.random(size)
    if kind == "one class":
        negative *= 0
    given = positive, negative, squared, (7.0, 3.0), (positive.sum() + 9.0, negative.sum() + 3.0)
    found, wanted = (one.curve_sums(*given) for one in (_compiled, _numpy))
    for name, one, other in zip(found._fields, found, wanted, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-15, err_msg=name)
