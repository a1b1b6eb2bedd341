"""Sums of powers by class: against brute force, merged from parts, and collected in one pass."""

import numpy as np
import pytest
from looping import for_each

import tallymark as tm
from tallymark.inference.covariance import Sampling, covariance, of_sums
from tallymark.summaries.passes import Entries, merged

N = 300
RNG = np.random.default_rng(4)
VALUES, CODE = RNG.gamma(0.7, size=N) + 5, RNG.integers(0, 3, N)
COUNTS, WEIGHT = RNG.integers(1, 4, N).astype(float), RNG.uniform(0.2, 3, N)
SQUARES = WEIGHT**2 / RNG.integers(1, 3, N)  # entries of one or two cases
WEIGHTS = {"counts": (COUNTS, None), "weights": (WEIGHT, SQUARES)}


def sums(weight, squares, some=slice(None)):
    held = None if squares is None else squares[some]
    return Entries.of(weight[some], held, CODE[some], 3).sums_of(VALUES[some])


@for_each("kind", WEIGHTS)
def test_sums_of_parts_merge_to_those_of_all(kind):
    weight, squares = WEIGHTS[kind]
    parts = [sums(weight, squares, slice(start, start + 70)) for start in range(0, N, 70)]
    parts.append(sums(weight, squares, slice(0, 0)))
    whole, found = sums(weight, squares), merged(parts)
    assert found.centre == pytest.approx(whole.centre, rel=1e-14)
    scale = (found.unit / whole.unit) ** np.arange(5)
    assert found.sums * scale == pytest.approx(whole.sums, rel=1e-12, abs=1e-12)


@for_each("kind", WEIGHTS)
@for_each("times", [1.0, 1e-90, 1e-160, 1e90, 1e300])
def test_variance_and_freedom_are_those_of_the_values_in_any_unit(kind, times):
    weight, squares = WEIGHTS[kind]
    of_classes = np.array([0.3, -0.4, 0.2])
    values = Entries.of(weight, squares, CODE, 3).sums_of(VALUES * times)
    found = values.linear(-2.5, of_classes * times)
    influence = -2.5 * (VALUES - values.centre[CODE] / times) + of_classes[CODE]
    for fixed in (False, True):
        sampling = Sampling(weight, weight if squares is None else squares, CODE, fixed)
        ((variance,),), (df,) = covariance(influence[None], sampling)
        error, free = of_sums(found, fixed)
        assert (error / times, free) == pytest.approx((np.sqrt(variance), df), rel=1e-9)


def test_values_alike_in_each_class_have_no_spread_there():
    values = np.array([0.1, 0.7, 3e5])[CODE]
    parts = [slice(start, start + 70) for start in range(0, N, 70)]
    found = merged([Entries.of(COUNTS[one], None, CODE[one], 3).sums_of(values[one]) for one in parts])
    assert of_sums(found, fixed=True)[0] < 1e-10 * 3e5


def test_a_class_that_a_part_lacks_moves_nothing():
    code, values = np.repeat([0, 1], 50), np.r_[np.full(50, 1e8), RNG.random(50)]
    parts = [
        Entries.of(np.ones(50), None, code[one], 2).sums_of(values[one])
        for one in (slice(50), slice(50, 100))
    ]
    whole = Entries.of(np.ones(100), None, code, 2).sums_of(values)
    assert of_sums(merged(parts), fixed=True)[0] == pytest.approx(of_sums(whole, fixed=True)[0], rel=1e-12)


def test_losses_of_any_size_have_the_same_relative_interval():
    y, margin = RNG.integers(0, 2, N), RNG.normal(size=N)
    weight = RNG.gamma(0.3, size=N)
    given = {"truth": y, "weight": weight, "weight_kind": "importance", "score_kind": "margin"}
    scores = [times * (2 + margin) * (1 - 2 * y) for times in (1e10, 1e90, 1e200)]
    found = [tm.evaluate(score=score, **given)["hinge_loss"] for score in scores]
    first = found[0]
    for one in found[1:]:
        assert one.low / one.value == pytest.approx(first.low / first.value, rel=1e-6)
        assert [note.code for note in one.notes] == [note.code for note in first.notes]


def test_rows_without_weight_may_fill_a_block():
    n = 70_000
    weight = np.where(np.arange(n) < n // 2, 5e-324, 1 + RNG.random(n))
    y, score = RNG.integers(0, 2, n), np.linspace(0.999, 0.001, n)
    given = {
        "score_kind": "probability",
        "weight_kind": "importance",
        "measures": ["log_loss", "brier_score"],
    }
    found = tm.evaluate(truth=y, score=score, weight=weight, **given)
    rest = tm.evaluate(truth=y[n // 2 :], score=score[n // 2 :], weight=weight[n // 2 :], **given)
    for name in ("log_loss", "brier_score"):
        assert found[name].low == pytest.approx(rest[name].low, rel=1e-9)


def test_logarithms_for_many_limits_are_not_kept():
    given = tm.RankingTable.of(np.linspace(0.9, 0.1, 100), np.ones(100), np.ones(100)).given
    first = given.log(0.01)
    assert given.log(0.01) is first
    assert not first.flags.writeable
    assert given.log(0.02) is not first
    assert given.log(0.01) is not first
