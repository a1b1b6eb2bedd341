"""evaluate, bootstrap and compare: the same data, intervals of the same width, of every measure of scores and
of counts."""

import math

import numpy as np
import pytest
from looping import for_each, in_part

from tallymark import bootstrap, compare, evaluate
from tallymark.inference.replicates import kind_of

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

# Equal error rates of resamples jump: their spread on these cases is 1.2 to 1.3 times the standard error,
# whose interval covers .96 (1,055 samples). Recall at a share rests on some five heavy cases.
WIDER = {"equal_error_rate": 0.3, "equal_error_rate_nearest": 0.3, "recall_at_share": 0.3}


def cases(weights, seed=1):
    random = np.random.default_rng(seed)
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
        if not abs(math.log(width / (high - low))) <= WIDER.get(name, TOLERANCE):
            off[name] = (found[name].low, found[name].high, low, high)
    assert compared >= 85
    assert not off


def compared(weights, design):
    """Names of measures, and two samples."""
    samples = [cases(weights, seed) for seed in (1, 9)]
    found = [evaluate(**one, design=design) for one in samples]
    names = [
        name
        for name in found[0]
        if all(one[name].has_interval for one in found) and not of_another_kind(found[0].entry(name))
    ]
    assert len(names) >= 85
    return names, samples


@in_part(4)
@for_each("weights", ("none", "sampling", "class"))
@for_each("design", ("cohort", "case-control"))
def test_compare_of_different_cases_agrees_with_the_bootstrap_of_each(weights, design):
    names, samples = compared(weights, design)
    one, other = (
        bootstrap(
            **sample, design=design, measures=names, method="percentile", replicates=REPLICATES, rng=seed
        )
        for seed, sample in enumerate(samples)
    )
    both = {argument: [sample[argument] for sample in samples] for argument in samples[0]}
    found, off = compare(**both, paired=False, design=design, measures=names), {}
    for name in names:
        values = other.replicates(name) - one.replicates(name)
        low, high = np.nanquantile(np.where(np.isfinite(values), values, np.nan), [0.025, 0.975])
        width = found[name].high - found[name].low
        # of heavy cases, intervals of maxima are wider than resamples: see inverted/rankings.py
        if not abs(math.log(width / (high - low))) <= (0.3 if weights == "sampling" else TOLERANCE):
            off[name] = (found[name].low, found[name].high, low, high)
    assert not off


@in_part(4)
@for_each("weights", ("none", "sampling", "class"))
@for_each("design", ("cohort", "case-control"))
def test_compare_of_the_same_cases_agrees_with_the_bootstrap_of_pairs(weights, design):
    names, (sample, _) = compared(weights, design)
    score = sample.pop("score")
    worse = np.log(score / (1 - score)) * 0.8 + 0.6 * np.random.default_rng(2).normal(size=N) + 0.3
    given = {**sample, "score": [score, 1 / (1 + np.exp(-worse))], "design": design, "measures": names}
    by_formula, drawn = (
        compare(**given, method=method, replicates=1_000) for method in ("auto", "bootstrap")
    )
    off, judged = {}, 0
    for name in names:
        one, other = by_formula[name], drawn[name]
        if one.test in ("bootstrap", "identical") or not one.estimate.has_interval:
            continue  # the same for both models, or no other method
        judged += 1
        if not abs(math.log((one.high - one.low) / (other.high - other.low))) <= TOLERANCE:
            off[name] = (one.low, one.high, other.low, other.high)
    assert judged >= 40
    assert not off
