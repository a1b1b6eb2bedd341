"""How often a gate passes, fails and stays undecided, and what `Verdict.explain` says: for coverage.py."""

import numpy as np
from scipy.special import ndtr, ndtri

import tallymark as tm

SAMPLES, EXPLAINED = 2_000, 100  # a share of 2.5 % is known to 0.35 points
RESAMPLED = 1_000  # samples where the interval is by resampling
SHARE = 0.3


def _right(rng, n, p):
    """Predictions of which a share is right, in each class."""
    truth = rng.random(n) < SHARE
    return {"truth": truth, "predicted": truth == (rng.random(n) < p)}


def _cells(rng, n, p):
    """The same as counts: so many positives."""
    tp = rng.binomial(n, p)
    return {"counts": tm.Counts(tp=tp, fn=n - tp, fp=1, tn=9)}


def _ranked(rng, n, area, share=SHARE):
    truth = rng.random(n) < share
    return {"truth": truth, "score": rng.normal(np.sqrt(2) * ndtri(area) * truth), "threshold": 0.0}


def _calibrated(rng, n):
    p = rng.beta(1, 9, n)
    return {"truth": rng.random(n) < p, "score": p}


def _classes(rng, n):
    truth = rng.choice(3, n, p=[0.6, 0.3, 0.1])
    return {"truth": truth, "predicted": np.where(rng.random(n) < 0.8, truth, 0), "classes": [0, 1, 2]}


def _clustered(rng, clusters, p, each=5, correlation=0.3):
    """Answers of which those of a cluster have this correlation: beta-binomial."""
    size = (1 - correlation) / correlation
    right = rng.random((clusters, each)) < rng.beta(p * size, (1 - p) * size, clusters)[:, None]
    return {
        "truth": np.ones(right.size, int), "predicted": right.ravel().astype(int), "classes": [0, 1],
        "positive": 1, "clusters": np.repeat(np.arange(clusters), each),
    }  # fmt: skip


def _paired(rng, n):
    truth = rng.random(n) < SHARE
    common = rng.normal(size=n)
    new, old = (
        np.sqrt(2) * ndtri(area) * truth + np.sqrt(0.6) * common + np.sqrt(0.4) * rng.normal(size=n)
        for area in (0.82, 0.84)
    )
    return {"truth": truth, "score": new, "baseline_score": old, "threshold": 0.0}


def _at_bound(rng, n):
    return {name: one for name, one in _ranked(rng, n, 0.85).items() if name != "threshold"}


def _other_cases(rng, n):
    """Two models on different cases, whose sensitivities are 0.8 and 0.85."""
    (new, old) = ({"truth": np.ones(n, int), "predicted": rng.binomial(1, p, n)} for p in (0.8, 0.85))
    both = {"positive": 1, "classes": [0, 1]}
    return {**new, **both, "baseline": tm.evaluate(**old, **both), "paired": False}


F1 = 2 * SHARE * 0.8 / (SHARE + SHARE * 0.8 + (1 - SHARE) * 0.2)
AT_BOUND = float(ndtr(np.sqrt(2) * ndtri(0.85) - ndtri(0.9)))
MACRO = np.mean([2 * 0.6 / (0.6 + 0.68), *[2 * 0.8 / (1 + 0.8)] * 2])
# by name: the quantity, its true value, another limit, and what draws the cases
SETTINGS = {
    "sensitivity, 50 positives": ("sensitivity", 0.9, 0.8, lambda rng: _cells(rng, 50, 0.9)),
    "sensitivity, 200 positives": ("sensitivity", 0.9, 0.85, lambda rng: _cells(rng, 200, 0.9)),
    "accuracy, 300 cases, 3 % wrong": ("accuracy", 0.97, 0.95, lambda rng: _right(rng, 300, 0.97)),
    "F1, 200 cases": ("f1", F1, 0.6, lambda rng: _right(rng, 200, 0.8)),
    "macro F1, 300 cases": ("macro_f1", MACRO, 0.82, lambda rng: _classes(rng, 300)),
    "area, 130 cases": ("roc_auc", 0.8, 0.7, lambda rng: _ranked(rng, 130, 0.8)),
    "area, 1,000 cases": ("roc_auc", 0.8, 0.77, lambda rng: _ranked(rng, 1_000, 0.8)),
    "area, 1,000 cases, 5 % positive": (
        "roc_auc", 0.9, 0.85, lambda rng: _ranked(rng, 1_000, 0.9, 0.05),
    ),
    "Brier score, 300 cases": ("brier_score", 9 / 110, 0.1, lambda rng: _calibrated(rng, 300)),
    "sensitivity, 60 clusters of 5": ("sensitivity", 0.8, 0.72, lambda rng: _clustered(rng, 60, 0.8)),
    "area, new - baseline, 400 cases": ("roc_auc", -0.02, -0.06, lambda rng: _paired(rng, 400)),
    "sensitivity at specificity 0.9, 400 cases": (
        "sensitivity at specificity 0.9", AT_BOUND, 0.45, lambda rng: _at_bound(rng, 400),
    ),
    "sensitivity, new - baseline, 300 other cases": (
        "sensitivity", -0.05, -0.12, lambda rng: _other_cases(rng, 300),
    ),
}  # fmt: skip


def verdicts() -> list[str]:
    """By requirement, with the limit at the true value and away from it."""
    head = [
        "requirement on",
        "true",
        "passes there",
        "fails there",
        "limit",
        "passes",
        "undecided",
        "explained",
    ]
    rows = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    for seed, (name, (quantity, true, limit, _)) in enumerate(SETTINGS.items()):
        samples = RESAMPLED if " at " in quantity else SAMPLES
        at_limit, away, said = outcomes(np.random.default_rng(seed), name, samples)
        shares = [at_limit["passed"], at_limit["failed"]]
        numbers = [f"{true:.3f}", *(f"{share:.1%}" for share in shares), f"{limit:g}"]
        numbers += [f"{away['passed']:.1%}", f"{away['undecided']:.1%}"]
        rows.append(f"| {name} | {' | '.join(numbers)} | {said.mean():.1%} ± {said.std():.1%} |")
    return rows


def outcomes(rng, name, samples=SAMPLES, explained=EXPLAINED):
    """The shares of each outcome at the limit and away from it, and for some samples the share that `explain`
    says is undecided."""
    quantity, true, limit, draw = SETTINGS[name]
    difference = "baseline" in name
    operator = "<=" if quantity == "brier_score" else ">="
    measured = f"{quantity}, new - baseline" if difference else quantity
    limits = [
        f"baseline {'+' if one > 0 else '-'} {abs(one)!r}" if difference else repr(float(one))
        for one in (true, limit)
    ]
    name, _, bound = quantity.partition(" at ")
    require = [f"{name} {operator} {one}{bound and f' at {bound}'}" for one in limits]
    found, said = [], []
    for number in range(samples):
        verdict = tm.check(**draw(rng), require=require)
        found.append([finding.outcome for finding in verdict.findings])
        if number < explained:
            said.append(verdict.explain(expected={measured: true}).chances[1].undecided)
    shares = [
        {
            one: float(np.mean([outcome == one for outcome in column]))
            for one in ("passed", "failed", "undecided")
        }
        for column in zip(*found, strict=True)
    ]
    return *shares, np.array(said)
