"""Simulated coverage of the bands of curves: further tables for coverage.py."""

from functools import partial
from itertools import product

import numpy as np
from scipy.special import expit, ndtr, ndtri

from tallymark import curves as of_curves
from tallymark.curves import REGULAR, curve
from tallymark.inference import Settings, interval, resampled
from tallymark.measures.families.bins import of_equal_width
from tallymark.summaries import RankingTable

SAMPLES, LEVEL = 500, 0.95  # +-1.9 %
RESAMPLES = 2_000  # twice as fast, and as good for a share
SCORES = 500  # of more, groups, as with more than 2,000 elsewhere: as good, and three times as fast
PLACES = REGULAR[::2]
INNER = np.flatnonzero((PLACES >= 0.05) & (PLACES <= 0.95))
SIZES = [(20, 0.5), (60, 0.5), (600, 0.05), (200, 0.5), (2000, 0.1), (2000, 0.5)]  # cases, share of positives
KINDS = [(0.6, False), (0.8, True), (0.95, False)]  # AUC, whether scores are rounded to halves
CURVES = ("roc", "pr", "gain")


def curves() -> list[str]:
    """ROC, precision-recall and gain: pointwise, on average and where it is worst from 0.05 to 0.95, and the
    whole curve."""
    heads = [f"{name} {what}" for name in CURVES for what in ("pointwise", "worst", "simultaneous")]
    rows = [
        f"| cases, positives | AUC | tied | {' | '.join(heads)} | roc kolmogorov-smirnov |",
        "|---" * (4 + len(heads)) + "|",
    ]
    for seed, ((cases, prior), (area, tied)) in enumerate(product(SIZES, KINDS)):
        held = _of_curves(np.random.default_rng(seed), cases, prior, ndtri(area) * np.sqrt(2), tied)
        cells = [f"{share:.3f}" for share in held]
        rows.append(f"| {cases}, {prior:.0%} | {area} | {'yes' if tied else 'no'} | {' | '.join(cells)} |")
    return rows


def _of_curves(rng, cases, prior, distance, tied):
    true = _true(prior, distance, tied)
    resampled.MOST_SCORES_OF_BANDS = SCORES
    found = []
    for _ in range(SAMPLES):
        table = _drawn(rng, cases, prior, distance, tied)
        found.append([_inside(*one, true) for one in _bands(table)])
    pointwise, simultaneous, distribution_free = (np.array(part) for part in zip(*found, strict=True))
    at, whole = pointwise.mean(0), simultaneous.all(-1).mean(0)
    each = [[at[i, INNER].mean(), at[i, INNER].min(), whole[i]] for i in range(len(CURVES))]
    return [*np.ravel(each), distribution_free[:, 0].all(-1).mean()]


def _bands(table):
    """Low and high of every curve: pointwise, simultaneous, and by Kolmogorov, which is of the ROC curve
    alone."""
    read = [partial(of_curves.AXES[name].read, PLACES) for name in CURVES]
    lines = resampled.resampled(
        table, lambda rates, highest: np.stack([one(rates, highest) for one in read], 1), RESAMPLES, 0
    )
    for band in (resampled.pointwise, resampled.envelope):
        bounds = [band(*(part[:, i] for part in lines), LEVEL)[:2] for i in range(len(CURVES))]
        yield [np.array(part) for part in zip(*bounds, strict=True)]
    yield [
        np.broadcast_to(part, (len(CURVES), len(PLACES)))
        for part in resampled.kolmogorov_smirnov(table, read[0], LEVEL)
    ]


def _inside(low, high, true):
    return (low <= true + 1e-12) & (true <= high + 1e-12)


def _true(prior, distance, tied):
    """The heights of the three curves of two normal groups at the places."""
    limit = np.arange(-8.25, 8.5 + distance, 0.5) if tied else np.linspace(-9, 9 + distance, 200_001)
    fpr, tpr = (np.concatenate([[0], ndtr(shift - limit)[::-1], [1]]) for shift in (0, distance))
    wrong = (1 - prior) * np.interp(PLACES, tpr, fpr)
    with np.errstate(invalid="ignore"):
        precision = prior * PLACES / (prior * PLACES + wrong)
    first = prior * tpr[1] / (prior * tpr[1] + (1 - prior) * fpr[1])
    precision[0] = first  # 0/0
    return np.array(
        [np.interp(PLACES, fpr, tpr), precision, np.interp(PLACES, prior * tpr + (1 - prior) * fpr, tpr)]
    )


def _drawn(rng, cases, prior, distance, tied):
    positive = np.zeros(cases, bool)
    while not 0 < positive.sum() < cases:
        positive = rng.random(cases) < prior
    score = rng.normal(distance * positive)
    return RankingTable.from_arrays(truth=positive, score=np.round(2 * score) / 2 if tied else score)


# cases; mean and spread of the logits
RELIABILITY = [*product((100, 1000), ((-0.5, 1.0), (-2.5, 1.0), (0.0, 2.0)))]


def reliability_bands() -> list[str]:
    """The bins' true rates, all at once, of probabilities that are true; and isotonic fits within their
    consistency band."""
    rows = [
        (
            "| cases | mean, SD of the logits | clopper-pearson, Sidak | wilson, Sidak | isotonic,"
            " consistency |"
        ),
        "|---" * 5 + "|",
    ]
    for seed, (cases, (mean, spread)) in enumerate(RELIABILITY):
        rng = np.random.default_rng(seed)
        held = np.mean([_of_reliability(rng, cases, mean, spread) for _ in range(SAMPLES)], axis=0)
        rows.append(f"| {cases} | {mean}, {spread} | " + " | ".join(f"{share:.3f}" for share in held) + " |")
    return rows


def _of_reliability(rng, cases, mean, spread):
    probability = expit(rng.normal(mean, spread, cases))
    table = RankingTable.from_arrays(truth=rng.random(cases) < probability, score=probability, positive=True)
    known = Settings(level=LEVEL)
    found = curve("reliability", table, band="simultaneous", settings=known)
    fit = curve("reliability_isotonic", table, band="simultaneous", settings=known)
    bins = of_equal_width(table, 10)
    there = np.flatnonzero(bins.weight > 0)[::-1]
    low, high = interval.wilson(bins.positive[there], bins.weight[there], LEVEL ** (1 / len(there)))
    rate = found.x  # the mean of the true probabilities in the bin
    inside = [_inside(*found.band, rate).all(), _inside(low, high, rate).all()]
    return [*inside, _inside(*fit.band, fit.y).all()]
