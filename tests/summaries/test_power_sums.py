"""Sums of powers by class: against brute force, merged from parts, and collected in one pass."""

import numpy as np
import pytest
from looping import for_each

import tallymark as tm
from tallymark.inference import degrees_of_freedom
from tallymark.inference.intervals.means import freedom_of, squares_of
from tallymark.summaries import outcome_probabilities
from tallymark.summaries.power_sums import Entries, merged

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
    whole, found = sums(weight, squares), merged(parts)
    assert found.centre == pytest.approx(whole.centre, rel=1e-14)
    assert found.sums == pytest.approx(whole.sums, rel=1e-12, abs=1e-12)
    assert found.mean == pytest.approx(np.average(VALUES, weights=weight), rel=1e-14)


@for_each("kind", WEIGHTS)
def test_variance_and_freedom_are_those_of_the_values(kind):
    weight, squares = WEIGHTS[kind]
    spread = weight if squares is None else squares
    of_classes = np.array([0.3, -0.4, 0.2])
    found = sums(weight, squares).linear(2.5, of_classes)
    influence = 2.5 * (VALUES - sums(weight, squares).centre[CODE]) + of_classes[CODE]
    assert squares_of(found, "cohort", N) == pytest.approx(float(spread @ influence**2), rel=1e-12)
    assert freedom_of(found, "cohort") == pytest.approx(
        degrees_of_freedom.degrees_of_freedom(influence, weight, squares), rel=1e-11
    )
    centred = influence - of_classes[CODE]
    assert freedom_of(found, "case-control") == pytest.approx(
        degrees_of_freedom.degrees_of_freedom(centred, weight, squares, CODE), rel=1e-11
    )
    of_each = []
    for code in range(3):
        here = code == CODE
        size = weight[here].sum() ** 2 / spread[here].sum()
        of_each.append(spread[here] @ centred[here] ** 2 * size / (size - 1))
    assert squares_of(found, "case-control", N) == pytest.approx(sum(of_each) * (N - 1) / N, rel=1e-12)


def test_values_alike_in_each_class_have_no_spread_there():
    values = np.array([0.1, 0.7, 3e5])[CODE]
    parts = [slice(start, start + 70) for start in range(0, N, 70)]
    found = merged([Entries.of(COUNTS[one], None, CODE[one], 3).sums_of(values[one]) for one in parts])
    assert squares_of(found, "case-control", N) < 1e-20 * 3e5**2


def test_all_losses_shown_are_collected_in_one_pass(monkeypatch):
    y, score = RNG.integers(0, 2, N), RNG.random(N)
    names = ["log_loss", "brier_score", "focal_loss", "log_loss_skill_score", "balanced_cross_entropy"]
    alone = [tm.evaluate(truth=y, score=score)[name] for name in names]
    passes = []
    monkeypatch.setattr(outcome_probabilities, "merged_by_value", passes_counted(passes))
    chosen = tm.evaluate(truth=y, score=score, measures=names)
    assert [one.value for one in chosen.values()] == pytest.approx([one.value for one in alone], rel=1e-13)
    assert [one.low for one in chosen.values()] == pytest.approx([one.low for one in alone], rel=1e-9)
    assert len(passes) == 1


def passes_counted(passes):
    collect = outcome_probabilities.merged_by_value

    def counted(parts):
        passes.append(len(parts))
        return collect(parts)

    return counted
