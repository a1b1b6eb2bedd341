"""Sums over the rows of a table: the same for any size of the blocks, and all collected in one pass."""

import gc
import sys
import weakref
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np
import pytest
from looping import for_each, in_part

import tallymark as tm
from tallymark.inference.interval import PLACEMENTS
from tallymark.kernels import threads
from tallymark.measures import registry
from tallymark.measures.families.bins import EqualMass, EqualWidth
from tallymark.measures.families.precision_recall import PRECISIONS
from tallymark.summaries import passes
from tallymark.summaries.passes import HULL, LOGITS, PAIRS, focal_error, log_error, sums_of_loss

N = 2_400  # more than the scores at which a smooth curve is fitted
RNG = np.random.default_rng(11)
Y, WEIGHT = RNG.integers(0, 2, N), RNG.lognormal(size=N)
P = np.where(RNG.random(N) < 0.02, Y, 1 / (1 + np.exp(-RNG.normal(Y - 0.4, 1.2))))
COUNTS = RNG.integers(1, 4, N)
TABLES = {
    "plain": {"score": P},
    "ties": {"score": P.round(1)},
    "counts": {"score": P, "weight": COUNTS},
    "weights": {"score": P, "weight": WEIGHT, "weight_kind": "importance"},
    "one class": {"score": P, "truth": np.ones(N, int), "positive": 1},
    "alike": {"score": 0.5 + 0.02 * P, "weight": COUNTS},  # few intervals of the logit
    "few": {"score": P[:3], "truth": Y[:3], "positive": 1},
}
SUMS = {
    "pairs": PAIRS,
    "precisions": PRECISIONS,
    "placements": PLACEMENTS,
    "hull": HULL,
    "logits": LOGITS,
    "bins": EqualWidth(7),
    "bins of equal mass": EqualMass(7),
    "log loss": sums_of_loss(log_error),
    "focal loss at a proportion": sums_of_loss(partial(focal_error, gamma=1.0), 0.2),
}


def table_of(kind):
    return tm.RankingTable.from_arrays(**({"truth": Y} | TABLES[kind]))


def numbers(found):
    """All numbers of a result, in an order of its own."""
    if hasattr(found, "__dataclass_fields__"):
        found = [getattr(found, name) for name in found.__dataclass_fields__]
    if found is None or isinstance(found, (float, int, np.ndarray)):
        return np.ravel(np.asarray(np.nan if found is None else found, float))
    return np.concatenate([numbers(one) for one in found]) if len(found) else np.empty(0)


@pytest.mark.full
@for_each("kind", TABLES)
@for_each("name", SUMS)
@for_each("rows", [1, 7, 900])
def test_the_blocks_do_not_matter(kind, name, rows, monkeypatch):
    one = SUMS[name]
    whole = passes.collected(table_of(kind), one)
    monkeypatch.setattr(passes, "ROWS", rows)
    found = passes.collected(table_of(kind), one)
    if name in ("log loss", "focal loss at a proportion"):
        (total, found), (wanted, whole) = found, whole
        assert total == pytest.approx(wanted, rel=1e-12)
        scale = (found.unit / whole.unit) ** np.arange(5)
        found, whole = [found.centre, found.sums * scale], [whole.centre, whole.sums]
    assert numbers(found) == pytest.approx(numbers(whole), rel=1e-10, abs=1e-11, nan_ok=True)


@in_part(4, ("fast", "full"))
@for_each("kind", ["plain", "ties", "counts", "weights"])
def test_every_measure_is_the_same_in_blocks(kind, monkeypatch):
    entries = registry.find(tm.RankingTable)
    assert len(entries) > 60
    wanted = {entry.name: entry.function(table_of(kind)) for entry in entries}
    monkeypatch.setattr(passes, "ROWS", 256)
    table = table_of(kind)
    for entry in entries:
        assert entry.function(table) == pytest.approx(wanted[entry.name], rel=1e-11, nan_ok=True), entry.name


def every_estimate(evaluation):
    """Those of all measures, whose sums are collected first."""
    return dict(evaluation.estimates.items())


def test_points_stand_for_logits_that_are_alike(monkeypatch):
    monkeypatch.setattr(passes, "ROWS", 256)
    assert passes.collected(table_of("alike"), LOGITS) is not None


@for_each("kind", ["plain", "counts", "weights"])
def test_the_number_of_threads_does_not_matter(kind, monkeypatch):
    monkeypatch.setattr(passes, "ROWS", 16)
    monkeypatch.setattr(threads, "processors", lambda: 8)
    several, one = table_of(kind), table_of(kind)
    passes.collect(several, SUMS.values())
    monkeypatch.setattr(threads, "processors", lambda: 1)
    passes.collect(one, SUMS.values())
    for name, of in SUMS.items():
        assert np.array_equal(numbers(several.kept[of]), numbers(one.kept[of]), equal_nan=True), name


def passes_over(monkeypatch):
    """The tables over which passes are made."""
    made, block = [], passes.Block

    def counted(table, rows, *given):
        if rows.start == 0:
            made.append(table)
        return block(table, rows, *given)

    monkeypatch.setattr(passes, "Block", counted)
    return made


@pytest.mark.full
@for_each("kind", ["plain", "counts", "weights"])  # one block holds all ties
@for_each("design", ["cohort", "case-control"])
def test_one_pass_over_the_cases_and_one_over_the_answers_serve_all_measures(kind, design, monkeypatch):
    given = {"truth": Y} | TABLES[kind] | {"design": design}
    wanted = every_estimate(tm.evaluate(**given))
    monkeypatch.setattr(passes, "ROWS", 256)
    evaluation = tm.evaluate(**given)
    made = passes_over(monkeypatch)
    found = every_estimate(evaluation)
    table = evaluation.ranking.as_cases
    assert sum(one is table for one in made) == 1
    assert sum(one is table.confidence for one in made) == 1
    for name, one in found.items():
        assert one.value == pytest.approx(wanted[name].value, rel=1e-11, nan_ok=True), name
        assert one.low == pytest.approx(wanted[name].low, rel=1e-6, abs=1e-9, nan_ok=True), name


SCREENS = {
    "first screen": str,
    "all measures": lambda evaluation: str(evaluation.all),
    "JSON": lambda evaluation: evaluation.to_dict(),
    "Markdown": lambda evaluation: evaluation.to_markdown(),
}


@pytest.mark.full
@for_each("screen", SCREENS)
@for_each("kind", ["plain", "counts", "weights"])
def test_a_screen_takes_one_pass_over_the_cases(screen, kind, monkeypatch):
    monkeypatch.setattr(passes, "ROWS", 256)
    evaluation = tm.evaluate(**{"truth": Y} | TABLES[kind])
    made = passes_over(monkeypatch)
    SCREENS[screen](evaluation)
    table = evaluation.ranking.as_cases
    assert sum(one is table for one in made) == 1
    assert sum(one is table.confidence for one in made) == (screen in ("all measures", "JSON"))


@pytest.mark.full
@for_each(
    "measure", ["average_precision", "auch", "expected_calibration_error", "adaptive_calibration_error"]
)
def test_a_table_does_not_outlive_its_last_reference(measure, monkeypatch):
    monkeypatch.setattr(passes, "ROWS", 256)
    entry, table = registry.get(measure), table_of("weights")
    gone = weakref.ref(table)
    gc.collect()
    gc.disable()
    try:
        entry.function(table)
        del table
        assert gone() is None
    finally:
        gc.enable()


def test_threads_bin_one_weighted_table(monkeypatch):
    monkeypatch.setattr(passes, "ROWS", 16)
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as pool:
            for _ in range(20):
                table = table_of("weights")
                found = list(pool.map(passes.collected, [table] * 4, [EqualMass(10)] * 4))
                assert all(np.array_equal(one.weight, found[0].weight) for one in found)
    finally:
        sys.setswitchinterval(before)


def test_measures_that_are_chosen_share_a_pass(monkeypatch):
    names = ["log_loss", "brier_score", "focal_loss", "log_loss_skill_score", "expected_calibration_error"]
    alone = [tm.evaluate(truth=Y, score=P)[name] for name in names]
    monkeypatch.setattr(passes, "ROWS", 256)
    made = passes_over(monkeypatch)
    chosen = tm.evaluate(truth=Y, score=P, measures=names)
    assert [one.value for one in chosen.values()] == pytest.approx([one.value for one in alone], rel=1e-13)
    assert [one.low for one in chosen.values()] == pytest.approx([one.low for one in alone], rel=1e-9)
    assert len(made) == 1


def test_nothing_is_collected_that_is_not_shown(monkeypatch):
    monkeypatch.setattr(passes, "ROWS", 256)
    evaluation = tm.evaluate(truth=Y, score=P, measures=["brier_score"])
    assert next(iter(evaluation.values())).value > 0
    assert {type(one).__name__ for one in evaluation.ranking.kept if not isinstance(one, str)} == {"LossSums"}
