"""Simulates how often each interval holds the true value, and writes the tables of docs/intervals.md between their marks.

python docs/coverage.py     # some minutes; the seed is fixed, so the same table comes again
"""

import re
from itertools import product
from pathlib import Path

import numpy as np
from scipy.special import expit, ndtr
from scipy.stats import binom

from tallymark import registry
from tallymark.summaries import Counts, RankingTable
from tallymark.uncertainty import Settings, bootstrap, estimate, proportion

PAGE = Path(__file__).parent / "intervals.md"
LEVEL = 0.95
SAMPLES = 2_000  # of each setting: the coverage is known to +-1 %
REPLICATES = 1_000
COUNT_MEASURES = ("youden_j", "balanced_accuracy", "f1", "matthews_correlation", "cohen_kappa")
TABLE_MEASURES = ("roc_auc", "average_precision", "brier_score", "log_loss")


def proportions() -> list[str]:
    """Exactly, by summing the binomial: no simulation."""
    rows = ["| n | p | wilson | clopper-pearson |", "|---|---|---|---|"]
    for n, p in product((10, 20, 50, 200, 1000), (0.02, 0.1, 0.3, 0.5)):
        x = np.arange(n + 1.0)
        inside = []
        for method in ("wilson", "clopper-pearson"):
            low, high = proportion.METHODS[method](x, float(n), LEVEL)
            inside.append(binom.pmf(x, n, p)[(low <= p) & (p <= high)].sum())
        rows.append(f"| {n} | {p} | " + " | ".join(f"{share:.3f}" for share in inside) + " |")
    return rows


def counts() -> list[str]:
    """Both kinds of bootstrap of four counts."""
    names = [f"{name} ({method})" for method in ("Bayesian", "multinomial") for name in COUNT_MEASURES]
    rows = ["| n | prevalence | sensitivity | specificity | " + " | ".join(names) + " |", "|---" * (4 + len(names)) + "|"]
    settings = [*product((40, 100, 1000), (0.5, 0.2), (0.7, 0.95), (0.8, 0.95)), (200, 0.1, 0.9, 0.9), (2000, 0.02, 0.9, 0.9)]
    for seed, (n, prevalence, sensitivity, specificity) in enumerate(settings):
        p, q = prevalence, 1 - prevalence
        shares = np.array([p * sensitivity, q * (1 - specificity), p * (1 - sensitivity), q * specificity])
        drawn = np.random.default_rng(seed).multinomial(n, shares, SAMPLES).astype(float)
        covered = [_covered(drawn, shares, method, seed) for method in ("bayesian-bootstrap", "bootstrap")]
        cells = " | ".join(f"{share:.3f}" for share in np.concatenate(covered))
        rows.append(f"| {n} | {prevalence} | {sensitivity} | {specificity} | {cells} |")
    return rows


def _covered(drawn, shares, method, seed):
    inside = np.zeros(len(COUNT_MEASURES))
    for part in np.split(drawn, SAMPLES // 100):
        sample = Counts.of(*part.T)
        resampled = bootstrap.METHODS[method](sample, seed, REPLICATES)
        for i, name in enumerate(COUNT_MEASURES):
            function = registry.get(name).function
            truth, values = function(Counts.of(*shares)), function(sample)
            tail = 50 * (1 - LEVEL)
            with np.errstate(invalid="ignore"):
                low, high = np.nanpercentile(function(resampled), [tail, 100 - tail], axis=0)
            inside[i] += ((np.fmin(low, values) <= truth) & (truth <= np.fmax(high, values))).sum()
    return inside / SAMPLES


def tables() -> list[str]:
    """Two normal groups with calibrated probabilities, whose true values are integrals."""
    rows = ["| n | prevalence | AUC | " + " | ".join(TABLE_MEASURES) + " |", "|---" * (3 + len(TABLE_MEASURES)) + "|"]
    settings = [(40, 0.5), (100, 0.2), (100, 0.5), (300, 0.1), (1000, 0.03), (1000, 0.3)]
    for seed, ((n, prevalence), distance) in enumerate(product(settings, (0.5, 1.5, 2.5))):
        truth, rng = _truth(prevalence, distance), np.random.default_rng(seed)
        inside = sum(_inside(rng, n, prevalence, distance, truth) for _ in range(SAMPLES)) / SAMPLES
        rows.append(f"| {n} | {prevalence} | {truth[0]:.3f} | " + " | ".join(f"{share:.3f}" for share in inside) + " |")
    return rows


def _inside(rng, n, prevalence, distance, truth):
    positive = np.zeros(n, bool)
    while not 0 < positive.sum() < n:
        positive = rng.random(n) < prevalence
    table = RankingTable.from_arrays(truth=positive, score=_probability(rng.normal(distance * positive), prevalence, distance))
    found = [estimate(name, table, Settings(level=LEVEL)) for name in TABLE_MEASURES]
    return np.array([e.low <= value <= e.high for e, value in zip(found, truth, strict=True)], float)


def _probability(x, prevalence, distance):
    return expit(distance * x - distance**2 / 2 + np.log(prevalence / (1 - prevalence)))


def _truth(prevalence, distance):
    x = np.linspace(-9, 9 + distance, 400_001)
    step, of_positive, of_negative = x[1] - x[0], _normal(x - distance), _normal(x)
    p = _probability(x, prevalence, distance)
    tpr, fpr = ndtr(distance - x), ndtr(-x)
    precision = prevalence * tpr / (prevalence * tpr + (1 - prevalence) * fpr)
    brier = prevalence * of_positive * (1 - p) ** 2 + (1 - prevalence) * of_negative * p**2
    log_loss = -prevalence * of_positive * np.log(p) - (1 - prevalence) * of_negative * np.log1p(-p)
    return ndtr(distance / np.sqrt(2)), step * (precision @ of_positive), step * brier.sum(), step * log_loss.sum()


def _normal(x):
    return np.exp(-x * x / 2) / np.sqrt(2 * np.pi)


def main() -> None:
    """Puts each table between its marks."""
    page = PAGE.read_text(encoding="utf-8")
    for part in (proportions, counts, tables):
        mark = f"<!-- {part.__name__} -->"
        text = "\n".join(part())
        page = re.sub(f"{mark}.*?{mark}", lambda _, mark=mark, text=text: f"{mark}\n{text}\n{mark}", page, flags=re.S)
    PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
