"""How often equal models are told from the best of them, and how often intervals of ratios hold the true one
(for simulate.py)."""

from __future__ import annotations

from functools import cache
from itertools import product

import numpy as np
from scipy.special import expit, ndtr
from simulate import TESTS, Found, Part, of_shares
from simulated_compare import LEVEL, tables_of_errors

import tallymark as tm

ALIKE, SHARE, DISTANCE = 0.9, 0.3, 1.5  # correlation of the scores in a class, share of positives, of classes
OF_MODELS = ("roc_auc", "sensitivity", "brier_score")


@cache
def models() -> dict[str, tuple]:
    """By name: models, cases, levels of the score (None: any number)."""
    return {
        f"{k} models, {n:,} cases, {'scores' if levels is None else f'{levels} levels'}": (k, n, levels)
        for k, n, levels in product((3, 8, 20), (100, 1000), (None, 5))
    }


def told_apart(setting: str, rng: np.random.Generator, samples: int) -> Found:
    """By measure: samples, and those in which any of the equal models has p < 0.05 against the best one."""
    (k, n, levels), found = models()[setting], {name: [0.0, 0.0] for name in OF_MODELS}
    for _ in range(samples):
        positive = rng.random(n) < SHARE
        if positive.all() or not positive.any():
            continue
        x = DISTANCE * positive + np.sqrt(ALIKE) * rng.standard_normal(n)
        x = x + np.sqrt(1 - ALIKE) * rng.standard_normal((k, n))
        score = expit(DISTANCE * (x - DISTANCE / 2) + np.log(SHARE / (1 - SHARE)))
        score = score if levels is None else (np.floor(levels * score) + 0.5) / levels
        given = {f"m{i}": one for i, one in enumerate(score)}
        every = tm.evaluate(truth=positive, score=given, threshold=SHARE, level=LEVEL)
        for name in OF_MODELS:
            c = every.choose(name)
            p = [one.p_value for one in c.differences]
            found[name] = [a + b for a, b in zip(found[name], [1, min(p) < 1 - LEVEL], strict=True)]
    return found


@cache
def groups() -> dict[str, tuple]:
    """By name: cases, their shares in the groups, and whether clusters have cases in several groups."""
    shares = {"equal groups": (1, 1, 1), "groups 6:3:1": (6, 3, 1)}
    return {
        f"{n:,} cases, {name}{', in clusters' * clusters}": (n, shares[name], clusters)
        for n, name, clusters in product((150, 600), shares, (False, True))
    }


def interacting(setting: str, rng: np.random.Generator, samples: int) -> Found:
    """By measure: samples with a test, and those in which it rejects that the difference is the same."""
    (n, shares, clusters), found = groups()[setting], {name: [0.0, 0.0] for name in OF_MODELS}
    for _ in range(samples):
        group = rng.permutation(np.repeat(np.arange(3), np.array(shares) * n // sum(shares)))
        size = len(group)
        unit = np.arange(size) // 5
        positive = rng.random(size) < SHARE
        of_unit = rng.standard_normal(unit.max() + 1)[unit] * np.sqrt(0.3 * clusters)
        x = DISTANCE * positive + np.sqrt(0.6) * rng.standard_normal(size) + of_unit
        score = {
            name: expit(x - DISTANCE / 2 + k * rng.standard_normal(size))
            for name, k in (("a", 0.6), ("b", 1.2))
        }
        units = {"clusters": unit} if clusters else {}
        c = tm.compare(
            truth=positive,
            score=score,
            by=group,
            measures=[*OF_MODELS],
            threshold=SHARE,
            level=LEVEL,
            **units,
        )
        for one in c.tests:
            name = one.name.removeprefix("interaction, ").partition(":")[0]
            if name in found and one.p_value == one.p_value:
                found[name] = [a + b for a, b in zip(found[name], [1, one.p_value < 1 - LEVEL], strict=True)]
    return found


RATIOS = (
    "sensitivity", "specificity", "false_positive_rate", "precision", "negative_predictive_value",
    "positive_likelihood_ratio", "negative_likelihood_ratio",
)  # fmt: skip


@cache
def pairs() -> dict[str, tuple]:
    """By name: cases, share of positives, and the limits of two tests on a normal scale."""
    tests = {"usual": ((0.6, 1.0), 1.5), "rare false positives": ((1.6, 2.1), 2.5)}
    return {
        f"{n:,} cases, {share:.0%} positive, {name}": (n, share, *of)
        for n, share, (name, of) in product((100, 300, 1000), (0.5, 0.1), tests.items())
    }


def holds(setting: str, rng: np.random.Generator, samples: int) -> Found:
    """Rows as for intervals, of the ratio of the second test to the first."""
    n, share, limits, distance = pairs()[setting]
    true = values(1 - ndtr(np.array(limits) - distance), 1 - ndtr(np.array(limits)), share)
    found = {name: [0.0] * 6 for name in RATIOS}
    for _ in range(samples):
        positive = rng.random(n) < share
        if positive.all() or not positive.any():
            continue
        shared = distance * positive + np.sqrt(0.6) * rng.standard_normal(n)
        x = shared + np.sqrt(0.4) * rng.standard_normal((2, n))
        predicted = {name: (one > limit) * 1 for name, one, limit in zip("ab", x, limits, strict=True)}
        c = tm.compare(
            truth=positive * 1, predicted=predicted, scale="ratio", measures=[*RATIOS], level=LEVEL
        )
        for name in RATIOS:
            e, ratio = c[name].estimate, true[name][1] / true[name][0]
            if e.has_interval:
                flagged = any(note.kind == "approximate" for note in e.notes)
                width = np.log(e.high / e.low) if e.low > 0 and e.high < np.inf else 10.0
                row = [1, e.low <= ratio <= e.high, e.low > ratio, e.high < ratio, flagged, width]
                found[name] = [a + float(b) for a, b in zip(found[name], row, strict=True)]
    return found


def values(tpr: np.ndarray, fpr: np.ndarray, share: float) -> dict[str, np.ndarray]:
    """The true values of both tests."""
    return {
        "sensitivity": tpr,
        "specificity": 1 - fpr,
        "false_positive_rate": fpr,
        "precision": share * tpr / (share * tpr + (1 - share) * fpr),
        "negative_predictive_value": (1 - share) * (1 - fpr) / (share * (1 - tpr) + (1 - share) * (1 - fpr)),
        "positive_likelihood_ratio": tpr / fpr,
        "negative_likelihood_ratio": (1 - tpr) / (1 - fpr),
    }


def tables(found: dict[str, Found], samples: dict[str, int]) -> list[str]:
    """One row per setting, one column per measure: coverage, and in brackets the samples with an interval."""
    rows = [f"| setting | {' | '.join(RATIOS)} |", "|---" * (len(RATIOS) + 1) + "|"]
    for setting, sums in found.items():
        cells = [
            f"{hits / known:.3f}" + (f" ({known / samples[setting]:.0%})" if known < samples[setting] else "")
            for known, hits, *_ in (sums[name] for name in RATIOS)
            if known
        ]
        rows.append(f"| {setting} | {' | '.join(cells)} |")
    return rows


BEST = Part(models, told_apart, tables_of_errors, 50, judged=of_shares, limits=TESTS)
OF_RATIOS = Part(pairs, holds, tables)
INTERACTIONS = Part(groups, interacting, tables_of_errors, judged=of_shares, limits=TESTS)
