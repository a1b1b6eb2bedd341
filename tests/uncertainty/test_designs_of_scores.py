"""What a case-control design changes in the intervals of measures of scores: the class sizes are fixed."""

import math

import numpy as np
import pytest
from looping import for_each
from scipy.stats import t

from tallymark import ClassScores, RankingTable, estimate, evaluate
from tallymark.inference import Settings
from tallymark.inference.interval import GIVEN_MIX
from tallymark.measures.registry import find

RANDOM = np.random.default_rng(3)
N = 400
TRUTH = RANDOM.random(N) < 0.3
SCORE = 1 / (1 + np.exp(-(1.5 * TRUTH - 1.6 + RANDOM.normal(size=N))))
CLASSES = RANDOM.integers(0, 3, N)
PER_CLASS = RANDOM.random((N, 3)) + 0.3 * np.eye(3)[CLASSES]
PER_CLASS /= PER_CLASS.sum(1, keepdims=True)
TABLES = [
    RankingTable.from_arrays(truth=TRUTH, score=SCORE),
    ClassScores.from_arrays(truth=CLASSES, score=PER_CLASS),
]
FIXED = Settings(design="case-control")
OF_ONE_CLASS_EACH = {
    "roc_auc",
    "gini",
    "d_prime",
    "kolmogorov_smirnov",
    "partial_auc",
    "sensitivity_at_specificity",
}
OF_THE_MIX = {
    "brier_score",
    "log_loss",
    "average_precision",
    "precision_at_share",
    "expected_calibration_error",
}


SIZES = "the class sizes are fixed by the design"


@pytest.mark.full
def test_what_depends_on_the_class_mix_carries_the_note():
    found = evaluate(truth=TRUTH, score=SCORE, design="case-control")
    noted = {name for name in found if GIVEN_MIX.text in (found[name].note or "")}
    assert noted >= OF_THE_MIX
    assert not OF_ONE_CLASS_EACH & noted
    cohort = evaluate(truth=TRUTH, score=SCORE)
    assert not [name for name in cohort if GIVEN_MIX.text in (cohort[name].note or "")]


@pytest.mark.full
@for_each("table", TABLES, ids=lambda table: type(table).__name__)
def test_the_note_is_that_of_the_value(table):
    """A measure without the note has the same value where one class counts twice."""
    for entry in find(type(table)):
        twice = (
            RankingTable(table.score, table.positive * 2, table.negative)
            if isinstance(table, RankingTable)
            else ClassScores(table.labels, table.truth, table.score, table.weight * (1 + (table.truth == 0)))
        )
        found = estimate(entry, table, FIXED)
        # of the number of cases, too
        if found.undefined or entry.name in ("precision_at_k", "recall_at_k", "average_gain"):
            continue
        same = entry.function(twice) == pytest.approx(found.value, rel=1e-6)
        assert same == (GIVEN_MIX.text not in (found.note or "") and SIZES not in (found.note or "")), (
            entry.name
        )


def test_a_mean_loss_varies_about_the_mean_of_each_class():
    table = TABLES[0]
    loss = (SCORE - TRUTH) ** 2
    found = estimate("brier_score", table, FIXED)
    parts = [loss[TRUTH], loss[~TRUTH]]
    variance = sum(len(part) * part.var(ddof=1) for part in parts) / N**2
    value = loss.mean()
    squares = np.concatenate([(part - part.mean()) ** 2 * len(part) / (len(part) - 1) for part in parts])
    df = 2 / ((squares**2).sum() / squares.sum() ** 2 - 1 / N)
    step = t.ppf(0.975, df) * math.sqrt(variance) * (1 / value + 1 / (1 - value))
    assert math.log(found.high / (1 - found.high)) == pytest.approx(
        math.log(value / (1 - value)) + step, rel=1e-9
    )
    assert found.high - found.low < estimate("brier_score", table).high - estimate("brier_score", table).low


def test_there_is_no_interval_of_what_the_design_fixes():
    for name in ("brier_uncertainty", "log_loss_uncertainty"):
        found = estimate(name, TABLES[0], FIXED)
        assert not found.has_interval
        assert SIZES in found.note
