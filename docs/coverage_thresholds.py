"""Intervals at a threshold chosen on the cases measured, and the promise of rules on a bound.

python docs/coverage_thresholds.py [--samples 1000] [--seed 14] prints the tables of thresholds.md. Two normal classes with variance 1; "ties" are scores rounded to halves. Covered is to be the
true value of the measure at the very threshold that was chosen.
"""

from __future__ import annotations

import argparse

import numpy as np
from scipy.stats import norm

from tallymark import registry
from tallymark.summaries import Counts, RankingTable
from tallymark.thresholds import by_rule, estimate_at_chosen, read
from tallymark.thresholds.halves import optimism
from tallymark.uncertainty import Settings, estimate
from tallymark.validate import InputError

NAMES = ("sensitivity", "specificity", "youden_j", "accuracy", "precision", "f1")
RULES = ("youden", "f1", "cost", "equal_error", "specificity>=0.9")
OPTIONS = {"cost": {"cost_fp": 1.0, "cost_fn": 3.0}}
SETTINGS = (  # cases, positives among them (None: each with probability 1/2), separation, width of the ties
    ((60, 30), 0.5, 0.0),
    ((60, 30), 1.5, 0.0),
    ((60, None), 1.5, 0.0),
    ((60, 30), 1.5, 0.5),
    ((330, 30), 1.0, 0.0),
    ((200, 100), 1.0, 0.0),
    ((1000, 500), 1.0, 0.0),
)
BOUNDS = ("sensitivity.low>=0.95", "sensitivity.low>=0.8", "specificity.low>=0.9", "sensitivity>=0.95")


def sample(random, size, positives, separation, ties):
    """Truth and scores."""
    truth = np.arange(size) < positives if positives else random.random(size) < 0.5
    score = random.normal(separation * truth)
    return truth, (np.round(score / ties) * ties if ties else score)


def true_rates(threshold, separation, ties):
    """The true sensitivity and false positive rate: a rounded score is at the threshold half a step earlier."""
    limit = threshold - ties / 2
    return norm.sf(limit - separation), norm.sf(limit)


def coverage(random, rule, setting, samples):
    """By measure: covered, covered as at a given threshold, missed on the low end's side, bias and that of the corrected value."""
    (size, positives), separation, ties = setting
    entries = [registry.get(name, Counts) for name in NAMES]
    rows = []
    for seed in range(samples):
        truth, score = sample(random, size, positives, separation, ties)
        table = RankingTable.from_arrays(truth=truth, score=score)
        limit = by_rule(table, rule).value
        here, gained = table.counts_at(limit), optimism(table, rule, seed)
        tpr, fpr = true_rates(limit, separation, ties)
        share = positives / size if positives else 0.5
        true = Counts.of(share * tpr, (1 - share) * fpr, share * (1 - tpr), (1 - share) * (1 - fpr))
        rows.append([_held(entry, here, gained, true) for entry in entries])
    return np.nanmean(np.array(rows, float), 0)


def _held(entry, here, gained, true):
    value = float(entry.function(true))
    found, fixed = estimate_at_chosen(entry, here, gained, Settings()), estimate(entry, here)
    corrected = np.nan if found.corrected is None else found.corrected
    if not found.has_interval:
        return [np.nan] * 5
    return [
        found.low <= value <= found.high,
        fixed.low <= value <= fixed.high,
        found.low > value,
        found.value - value,
        corrected - value,
    ]


def promise(random, rule, setting, samples):
    """The share of samples in which the true rate meets the limit at the threshold chosen, and in which there is one."""
    (size, positives), separation, ties = setting
    kept, found = 0, 0
    which = 0 if rule.text.startswith("sensitivity") else 1
    for _ in range(samples):
        table = RankingTable.from_arrays(
            **dict(zip(("truth", "score"), sample(random, size, positives, separation, ties), strict=True))
        )
        try:
            rates = true_rates(by_rule(table, rule).value, separation, ties)
        except InputError:
            continue
        kept, found = kept + ((rates[0], 1 - rates[1])[which] >= float(rule.text.split()[-1])), found + 1
    return kept / max(found, 1), found / samples


def main() -> None:
    """Both tables."""
    asked = argparse.ArgumentParser()
    asked.add_argument("--samples", type=int, default=1000)
    asked.add_argument("--seed", type=int, default=14)
    given = asked.parse_args()
    print(f"{given.samples:,} samples a row, seed {given.seed}\n")
    print("| rule | cases, positive | separation, ties | measure | covered | as if given | low end too high | bias | corrected |")
    print("|---|---|---|---|---|---|---|---|---|")
    for place, setting in enumerate(SETTINGS):
        for name in RULES:
            random = np.random.default_rng([given.seed, place])
            found = coverage(random, read(name, **OPTIONS.get(name, {})), setting, given.samples)
            for measure, row in zip(NAMES, found, strict=True):
                print(f"| {name} | {_setting(setting)} | {measure} | {' | '.join(f'{100 * x:.1f}' for x in row)} |", flush=True)
    print("\n| rule | cases, positive | separation, ties | promise kept | threshold found |\n|---|---|---|---|---|")
    for place, setting in enumerate(SETTINGS):
        for name in BOUNDS:
            kept, found = promise(np.random.default_rng([given.seed, place]), read(name), setting, 4 * given.samples)
            print(f"| {name} | {_setting(setting)} | {f'{100 * kept:.1f}' if found else ''} | {100 * found:.0f} |", flush=True)


def _setting(setting):
    (size, positives), separation, ties = setting
    return f"{size}, {positives or 'by chance'} | {separation:g}, {ties or 'none'}"


if __name__ == "__main__":
    main()
