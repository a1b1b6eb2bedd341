"""Influence values against the measure of cases whose weight is raised a little."""

from functools import partial

import numpy as np
import pytest

import tallymark as tm
from tallymark.inference import influence
from tallymark.measures import registry
from tallymark.summaries import Counts, RankingTable

STEP = 1e-6
SMOOTH = ("roc_auc", "average_precision", "brier_score", "log_loss", "brier_skill_score", "calibration_slope")


@pytest.mark.parametrize("cells", [(30.0, 8.0, 11.0, 60.0), (3.0, 1.0, 2.0, 900.0)])
def test_of_counts(cells):
    cells = np.array(cells)
    for entry in registry.find(Counts):
        value, values = influence.of_counts(entry.function, cells)
        assert float(value) == pytest.approx(float(entry.function(Counts.of(*cells))), nan_ok=True)
        step = STEP * np.eye(4) * cells[:, None]
        up, down = (np.asarray(entry.function(Counts.of(*(cells + side * step).T))) for side in (1, -1))
        wanted = (up - down) / (2 * STEP * cells) * cells.sum()
        assert values == pytest.approx(wanted, rel=1e-4, abs=1e-4), entry.name


@pytest.mark.parametrize("name", SMOOTH)
def test_of_tables(name):
    random = np.random.default_rng(1)
    score = np.round(np.linspace(0.05, 0.95, 40) + 0.03 * random.normal(size=40), 2).clip(0.01, 0.99)
    truth = random.random(40) < score
    table, entry = RankingTable.from_arrays(truth=truth, score=score), registry.get(name, RankingTable)
    values = influence.of_table(entry, partial(entry.function), entry.defaults, table)
    for row in (0, len(table) // 2, len(table) - 1):
        for of in (0, 1):
            both = [table.positive * 1.0, table.negative * 1.0]
            changed = []
            for side in (1, -1):
                moved = [part.copy() for part in both]
                moved[of][row] += side * 1e-4 * (1 if moved[of][row] else 0 if side < 0 else 1)
                changed.append(float(entry.function(RankingTable.of(table.score, *moved))))
            width = 2e-4 if both[of][row] else 1e-4
            wanted = (changed[0] - changed[1]) / width * float(table.total)
            assert values[of, row] == pytest.approx(wanted, rel=2e-3, abs=2e-3), (row, of)


def test_an_interval_of_clusters_of_one_case_is_that_of_independent_cases():
    random = np.random.default_rng(2)
    truth, score = random.integers(0, 2, 300), random.random(300).round(2)
    alone = {"clusters": np.arange(300)}
    one, other = (tm.evaluate(truth=truth, score=score, **more) for more in ({}, alone))
    for name in ("roc_auc", "brier_score", "f1", "accuracy", "matthews_correlation", "average_precision"):
        widths = [found[name].high - found[name].low for found in (one, other)]
        assert widths[1] == pytest.approx(widths[0], rel=0.03), name
