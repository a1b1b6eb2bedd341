"""Simulated coverage of measures of a ranking table and of scores per class; further tables for
coverage.py."""

from itertools import product

import numpy as np
from scipy.special import expit, ndtr

from tallymark.inference import Settings, estimate
from tallymark.inference.bootstrap.limits import kind_of
from tallymark.input.messages.notes import of_kind
from tallymark.measures import registry
from tallymark.summaries import ClassScores, RankingTable

LEVEL = 0.95
SAMPLES = 2_000  # of each setting: the coverage is known to +-1 %
ROUNDING = 1e-12
FEWEST = 20  # samples with an interval that a share is given of, and one more
TABLE_MEASURES = ("roc_auc", "brier_score", "log_loss")


def tables() -> list[str]:
    """Two normal groups with calibrated probabilities, whose true values are integrals."""
    rows = [
        "| n | prevalence | AUC | " + " | ".join(TABLE_MEASURES) + " |",
        "|---" * (3 + len(TABLE_MEASURES)) + "|",
    ]
    settings = [(40, 0.5), (100, 0.2), (100, 0.5), (300, 0.1), (1000, 0.03), (1000, 0.3)]
    for seed, ((n, prevalence), distance) in enumerate(product(settings, (0.5, 1.5, 2.5))):
        truth, rng = _truth(prevalence, distance), np.random.default_rng(seed)
        inside = sum(_inside(rng, n, prevalence, distance, truth) for _ in range(SAMPLES)) / SAMPLES
        rows.append(
            f"| {n} | {prevalence} | {truth[0]:.3f} | "
            + " | ".join(f"{share:.3f}" for share in inside)
            + " |"
        )
    return rows


def _inside(rng, n, prevalence, distance, truth):
    positive = np.zeros(n, bool)
    while not 0 < positive.sum() < n:
        positive = rng.random(n) < prevalence
    table = RankingTable.from_arrays(
        truth=positive, score=_probability(rng.normal(distance * positive), prevalence, distance)
    )
    found = [estimate(name, table, Settings(level=LEVEL)) for name in TABLE_MEASURES]
    return np.array([e.low <= value <= e.high for e, value in zip(found, truth, strict=True)], float)


def _probability(x, prevalence, distance):
    return expit(distance * x - distance**2 / 2 + np.log(prevalence / (1 - prevalence)))


def _truth(prevalence, distance):
    x = np.linspace(-9, 9 + distance, 400_001)
    step, of_positive, of_negative = x[1] - x[0], _normal(x - distance), _normal(x)
    p = _probability(x, prevalence, distance)
    brier = prevalence * of_positive * (1 - p) ** 2 + (1 - prevalence) * of_negative * p**2
    log_loss = -prevalence * of_positive * np.log(p) - (1 - prevalence) * of_negative * np.log1p(-p)
    return ndtr(distance / np.sqrt(2)), step * brier.sum(), step * log_loss.sum()


def _normal(x):
    return np.exp(-x * x / 2) / np.sqrt(2 * np.pi)


def rankings() -> list[str]:
    """Measures of a ranking table, but those of coverage_maxima.py: two normal groups of equal spread, with
    fixed class sizes."""
    found = [_of_ranking(seed, *setting) for seed, setting in enumerate(RANKINGS)]
    rows = [
        "| measure | lowest without a note | at | highest | at | lowest with a note | at |",
        "|---" * 7 + "|",
    ]
    for name in found[0]:
        held = {i: one[name] for i, one in enumerate(found) if not np.isnan(one[name][0])}
        sure = [i for i, (_, noted) in held.items() if noted < MOSTLY] or list(held)[:0]
        noted = [i for i in held if i not in sure]
        ends = [*((pick(sure, key=lambda i: held[i][0]) for pick in (min, max)) if sure else (None, None))]
        ends.append(min(noted, key=lambda i: held[i][0]) if noted else None)
        cells = (f"{held[i][0]:.3f} | {RANKINGS[i]}" if i is not None else " | " for i in ends)
        rows.append(f"| {name} | " + " | ".join(cells) + " |")
    return rows


MOSTLY = 0.5  # of the samples have no note
RANKINGS = [
    (50, 50, 1.2, False), (50, 50, 2.5, False), (30, 300, 1.2, False), (30, 300, 2.5, True),
    (150, 150, 1.2, False), (150, 150, 2.0, True), (200, 1800, 1.5, False), (500, 500, 1.2, True),
    (500, 500, 2.5, False), (1500, 1500, 1.2, False),
]  # positives, negatives, distance of their means, whether scores are rounded to halves  # fmt: skip
RANKING_SAMPLES = 300
# kinds of interval, of coverage_maxima.py
SIMULATED_APART = ("largest", "inverted", "average-precision", "mean-precision")
MANY = 2_000_000  # cases that stand for all there are


def _of_ranking(seed, positives, negatives, distance, rounded):
    rng = np.random.default_rng(seed)
    entries = [
        entry
        for entry in registry.find(RankingTable)
        if not entry.needs_probabilities and kind_of(entry) not in SIMULATED_APART
    ]
    times = MANY // (positives + negatives)
    whole = _groups(
        np.random.default_rng([seed, times]), positives * times, negatives * times, distance, rounded
    )
    true = {entry.name: entry.function(whole) for entry in entries}
    found = {entry.name: [] for entry in entries}
    for _ in range(RANKING_SAMPLES):
        table = _groups(rng, positives, negatives, distance, rounded)
        for entry in entries:
            found[entry.name].append(estimate(entry, table, Settings(design="case-control")))
    return {
        entry.name: _held_of_ranking(found[entry.name], _expected(entry, true[entry.name], found[entry.name]))
        for entry in entries
    }


def _expected(entry, true, found):
    """What depends on the number of cases, or of thresholds, is held against its mean over the samples."""
    said = " ".join(entry.function.__doc__.split())
    own = "depends on the number" in said or entry.interval.kind == "resampled-whole"
    return np.mean([one.value for one in found]) if own else true


def _held_of_ranking(found, true):
    """Of the samples with an interval, the share that holds the true value, and the share with a note that it
    is approximate."""
    inside = [one.low - ROUNDING <= true <= one.high + ROUNDING for one in found if one.has_interval]
    noted = [bool(of_kind(one.notes, "approximate")) for one in found if one.has_interval]
    return (np.mean(inside), np.mean(noted)) if len(inside) > FEWEST else (np.nan, np.nan)


def _groups(rng, positives, negatives, distance, rounded):
    score = rng.normal(np.repeat([distance, 0.0], [positives, negatives]))
    return RankingTable.from_arrays(
        truth=np.repeat([1, 0], [positives, negatives]), score=np.round(2 * score) / 2 if rounded else score
    )


def scores() -> list[str]:
    """Averages over the classes of how a score per class ranks; the scores of a case depend on one
    another."""
    names = [entry.name for entry in registry.find(ClassScores) if not entry.needs_probabilities]
    rows = [
        "| classes, cases, distance, uneven | " + " | ".join(names) + " |",
        "|---" * (1 + len(names)) + "|",
    ]
    for seed, setting in enumerate(product((3, 6), (150, 600), (1.0, 2.5), (False, True))):
        rng = np.random.default_rng(seed)
        true = [registry.get(name).function(_drawn(rng, MANY // 20, *setting)) for name in names]
        inside = []
        for _ in range(RANKING_SAMPLES):
            table = _drawn(rng, None, *setting)
            found = [estimate(name, table) for name in names]
            inside.append(
                [
                    not one.has_interval or one.low <= value <= one.high
                    for one, value in zip(found, true, strict=True)
                ]
            )
        rows.append(f"| {setting} | " + " | ".join(f"{share:.3f}" for share in np.mean(inside, 0)) + " |")
    return rows


def _drawn(rng, many, classes, cases, distance, uneven):
    share = 0.6 ** np.arange(classes) if uneven else np.ones(classes)
    truth = rng.choice(classes, many or cases, p=share / share.sum())
    score = rng.normal(size=(len(truth), classes)) + 0.7 * rng.normal(size=(len(truth), 1))
    score[np.arange(len(truth)), truth] += distance
    return ClassScores.from_arrays(truth=truth, score=score, classes=range(classes))
