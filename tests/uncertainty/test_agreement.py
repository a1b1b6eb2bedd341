"""evaluate and bootstrap: the same data, intervals of the same width, of every measure of scores and of
counts."""

import math

import numpy as np
import pytest
from looping import for_each, in_part

from tallymark import bootstrap, evaluate
from tallymark.inference.bootstrap.limits import kind_of

pytestmark = pytest.mark.full

N, REPLICATES = 500, 2_000
SEEDS = range(4)  # the width by an inverted bootstrap has a Monte Carlo error of .07 of its logarithm
# By how much the logarithm of the width may differ. 2,000 resamples leave a width uncertain by 0.03 (one
# standard error); the others are the scales on which intervals of evaluate are symmetric, and the skewness of
# the percentiles.
TOLERANCE = 0.2
# Kinds of intervals that mean something else. Of calibration errors and of what rests on an isotonic fit the
# resamples are shifted upwards, and evaluate inverts samples of each true value instead.
OTHER_KINDS = {
    "bins", "bins-of-equal-mass", "bins-of-answers", "bins-of-answers-of-equal-mass", "bins-between",
    "miscalibration", "discrimination",
}  # fmt: skip
# Of some five cases, or of the precision at one threshold: resamples take a few values only, while the
# inverted samples come from a smooth distribution.
JUMPING = ("enrichment_factor", "precision_at_recall", "recall_at_precision", "recall_at_k", "precision_at_k")


def cases(weights):
    random = np.random.default_rng(1)
    truth = random.random(N) < 0.35
    score = 1 / (1 + np.exp(-(1.2 * truth - 1.0 + random.normal(size=N))))
    found = {"truth": truth, "score": score}
    if weights == "class":  # which fix the class mix
        found["weight"] = N / 2 / np.where(truth, truth.sum(), (~truth).sum())
    return found | ({"weight": random.lognormal(0, 0.6, N)} if weights == "sampling" else {})


def of_another_kind(entry):
    return kind_of(entry) in OTHER_KINDS or entry.name in JUMPING


@in_part(4)
@for_each("weights", ("none", "sampling", "class"))
@for_each("design", ("cohort", "case-control"))
def test_evaluate_and_bootstrap_agree(weights, design):
    given = cases(weights)
    found, *others = (evaluate(**given, design=design, rng=seed) for seed in SEEDS)
    names = [name for name in found if found[name].has_interval and not of_another_kind(found.entry(name))]
    drawn = bootstrap(**given, design=design, measures=names, method="percentile", replicates=REPLICATES)
    off, compared = {}, 0
    for name in names:
        values = drawn.replicates(name)
        low, high = np.nanquantile(np.where(np.isfinite(values), values, np.nan), [0.025, 0.975])
        compared += 1
        again = others if found[name].method == "inverted-bootstrap" else []
        width = np.mean([one[name].high - one[name].low for one in (found, *again)])
        if not abs(math.log(width / (high - low))) <= TOLERANCE:
            off[name] = (found[name].low, found[name].high, low, high)
    assert compared >= 85
    assert not off
