"""The precision at a share of the cases: Wilson's interval, of as many cases as give it the variance it has
where the cut moves."""

import numpy as np
import pytest
from looping import for_each
from scipy.stats import t

from tallymark import RankingTable, estimate
from tallymark.inference import Settings
from tallymark.inference.interval import wilson

RANDOM = np.random.default_rng(12)
N, SHARE = 500, 0.2
TRUTH = RANDOM.random(N) < 0.3
SCORE = RANDOM.normal(size=N) + TRUTH
WEIGHT = RANDOM.lognormal(0, 0.5, N)
ORDER = np.argsort(-SCORE)
NEAR = 0.5  # of those taken: the window on either side of the cut


def by_hand(weight, design):
    """Case by case, from the highest score down."""
    w, y = weight[ORDER], TRUTH[ORDER]
    taken, seen, part, near = SHARE * w.sum(), 0.0, [], []
    for one in w:
        part.append(min(max((taken - seen) / one, 0.0), 1.0))
        inside = min(seen + one, (1 + NEAR) * taken) - max(seen, (1 - NEAR) * taken)
        near.append(max(inside, 0.0) / one)
        seen += one
    part, near = np.array(part), np.array(near)
    r = (near * w)[y].sum() / (near * w).sum()
    influence = part * (y - r)
    parts = [np.ones(N, bool)] if design == "cohort" else [y, ~y]
    squares = []
    for one in parts:
        off = influence[one] - np.average(influence[one], weights=w[one])
        squares += [w[one] ** 2 * off**2 * one.sum() / (one.sum() - 1)]
    squares = np.concatenate(squares)
    df = 2 / ((squares**2).sum() / squares.sum() ** 2 - 1 / N) if np.ptp(w) else np.inf
    p = (part * w)[y].sum() / taken
    size = p * (1 - p) * taken**2 / squares.sum() * (t.ppf(0.975, np.inf) / t.ppf(0.975, df)) ** 2
    return tuple(map(float, wilson(p * size, size, 0.95)))


@for_each("weight", (np.ones(N), WEIGHT), ids=("cases", "importance weights"))
@for_each("design", ("cohort", "case-control"))
def test_by_hand(weight, design):
    kind = {} if (weight == 1).all() else {"weight": weight, "weight_kind": "importance"}
    table = RankingTable.from_arrays(truth=TRUTH, score=SCORE, **kind)
    found = estimate("precision_at_share", table, Settings(design=design), share=SHARE)
    assert (found.low, found.high) == pytest.approx(by_hand(weight, design), rel=1e-9)


def test_of_many_tied_at_the_cut_the_share_of_positives_there_counts():
    """Two scores: 10 positives and 10 negatives above, 30 and 60 below; 60 cases are taken, of the last 40 a
    third positive."""
    table = RankingTable([0.9, 0.1], [10, 30], [10, 60])
    share, r, part = 60 / 110, 1 / 3, 40 / 90
    influence = np.repeat([1 - r, -r, part * (1 - r), -part * r], [10, 10, 30, 60])
    p = (10 + part * 30) / 60
    size = p * (1 - p) * 60**2 / (110 * influence.var(ddof=1))
    found = estimate("precision_at_share", table, share=share)
    assert (found.low, found.high) == pytest.approx(tuple(map(float, wilson(p * size, size, 0.95))), rel=1e-9)
