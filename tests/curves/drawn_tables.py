"""Tables and curves that the tests of curves draw from, and the counts at every threshold, found the slow
way."""

import math
from functools import cache

import numpy as np
import pytest
from hypothesis import settings, strategies as st
from scipy.special import ndtr
from strategies import SCORES, cases, weights

from tallymark import Counts, RankingTable, curves
from tallymark.curves import CURVES

TIES = ("together", "optimistic", "pessimistic")
ANY_SCORES = (*SCORES, -math.inf, math.inf, -3.5, 1e6)
OF_COUNTS = ("f1", "sensitivity", "precision", "diagnostic_odds_ratio")
ALL = (*CURVES, *OF_COUNTS)
OF_CALIBRATION = {name for name in CURVES if name.startswith("reliability")}
OF_PROBABILITIES = {*curves.OF_PROBABILITIES}  # which other scores, or turned ones, have not
OF_SCORES = {
    name
    for name in ALL
    if curves.curve(name, RankingTable([0.9, 0.1], [2, 1], [1, 2])).x_name in ("threshold", "score")
}
# A curve with other thresholds than all of the table, from infinity down, is entered here.
FROM_A_SCORE = {"lift", "decision"}  # without a point at infinity
OF_SOME_SCORES = {"roc_hull", "cost", "pr_interpolated", "decision"}

every_ties = pytest.mark.parametrize("ties", TIES)
every_name = pytest.mark.parametrize("name", ALL)
few = settings(max_examples=12)  # where every curve is drawn from
some = settings(max_examples=24)


@st.composite
def some_cases(draw, scores=ANY_SCORES, values=((1.0, 2.0, 3.0), (0.3, 0.7, 1.0, 2.0)), **how):
    """(truth, score, weight) of a few cases: weights whole, fractional, or none; often one class alone, or
    one score."""
    truth, score = draw(cases(scores=scores, **how))
    chosen = draw(st.sampled_from([None, *values]))
    return truth, score, None if chosen is None else draw(weights(len(truth), chosen))


def table_of(truth, score, weight=None):
    kind = (
        "count"
        if weight is not None and (np.rint(weight) == weight).all() and np.sum(weight) < 2**53
        else None
    )
    return RankingTable.from_arrays(truth=truth, score=score, weight=weight, positive=1, weight_kind=kind)


def tables(**how):
    return some_cases(**how).map(lambda drawn: table_of(*drawn))


def tables_for(name):
    """With scores that the curve allows."""
    return tables(scores=SCORES) if name in OF_PROBABILITIES else tables()


@cache
def many(number=100_000, scores=None):
    """A large table, of untied scores, or of so many distinct ones, between 0 and 1."""
    random = np.random.default_rng(1)
    score = (
        (random.permutation(number) / number)
        if scores is None
        else random.integers(0, scores, number) / scores
    )
    return table_of((random.random(number) < ndtr(3 * score - 2)).astype(int), score)


def columns(found):
    return [found.x, found.threshold, *found.lines.values()]


def alike(one, other):
    """The same arrays to the last bit, NaN included."""
    return len(one) == len(other) and all(
        np.array_equal(*both, equal_nan=True) for both in zip(one, other, strict=True)
    )


def over(part, whole):
    """0/0 is NaN."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.divide(part, whole)


def ones_or(weight, truth):
    return np.ones(len(truth)) if weight is None else weight


def by_threshold(truth, score, weight, ties="together"):
    """The counts where score >= threshold calls positive, and the thresholds; of a tie, one class may be
    called first."""
    first = {"together": None, "optimistic": 1, "pessimistic": 0}[ties]
    called, limits = [np.zeros(len(truth), bool)], [math.inf]
    for limit in sorted({*score.tolist()}, reverse=True):
        together = score >= limit
        before = (score > limit) | (together & (truth == first))
        stages = (
            [together] if (before == called[-1]).all() or (before == together).all() else [before, together]
        )
        called, limits = called + stages, limits + [limit] * len(stages)
    (tp, fn), (fp, tn) = (
        ([math.fsum(part[these]) for these in called], [math.fsum(part[~these]) for these in called])
        for part in (ones_or(weight, truth) * (truth == label) for label in (1, 0))
    )
    return Counts(tp=tp, fp=fp, fn=fn, tn=tn), np.array(limits)
