"""Intervals at a threshold chosen on the cases measured, and the promise of rules on a bound.

python docs/coverage_thresholds.py [--samples 1000] [--seed 14] prints the tables of thresholds.md. Two normal classes
with variance 1; "ties" are scores rounded to halves. Covered is to be the true value of the measure at the threshold chosen.
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
RULES = ("youden", "f1", "cost", "specificity>=0.9")
OPTIONS = {"cost": {"cost_fp": 1.0, "cost_fn": 3.0}}
SETTINGS = (  # cases, share of positives, design, separation, width of the ties
    (60, 0.5, "cohort", 0.5, 0.0),
    (60, 0.5, "cohort", 1.5, 0.0),
    (60, 0.5, "case-control", 1.5, 0.0),
    (60, 0.5, "cohort", 1.5, 0.5),
    (400, 0.1, "cohort", 1.0, 0.0),
    (200, 0.5, "case-control", 1.0, 0.0),
    (1000, 0.5, "cohort", 1.0, 0.0),
)
BOUNDS = ("sensitivity.low>=0.95", "sensitivity.low>=0.8", "specificity.low>=0.9", "sensitivity>=0.95")


def sample(random, size, share, design, separation, ties):
    """Truth and scores."""
    truth = random.random(size) < share if design == "cohort" else np.arange(size) < round(share * size)
    score = random.normal(separation * truth)
    return truth, (np.round(score / ties) * ties if ties else score)


def true_rates(threshold, separation, ties):
    """The true sensitivity and false positive rate: a rounded score is at the threshold half a step earlier."""
    limit = threshold - ties / 2
    return norm.sf(limit - separation), norm.sf(limit)


def coverage(random, rule, setting, samples):
    """By measure: covered, covered as at a given threshold, missed on the low end's side, bias and that of the corrected value."""
    _, share, design, separation, ties = setting
    settings = Settings(design=design)
    entries = [registry.get(name, Counts) for name in NAMES]
    rows = []
    for seed in range(samples):
        truth, score = sample(random, *setting)
        table = RankingTable.from_arrays(truth=truth, score=score)
        limit = by_rule(table, rule).value
        here, gained = table.counts_at(limit), optimism(table, rule, seed)
        tpr, fpr = true_rates(limit, separation, ties)
        true = Counts.of(share * tpr, (1 - share) * fpr, share * (1 - tpr), (1 - share) * (1 - fpr))
        rows.append([_held(entry, here, gained, true, settings) for entry in entries])
    return np.nanmean(np.array(rows, float), 0)


def _held(entry, here, gained, true, settings):
    value = float(entry.function(true))
    found, fixed = estimate_at_chosen(entry, here, gained, settings), estimate(entry, here, settings)
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
    *_, separation, ties = setting
    kept, found = 0, 0
    which = 0 if rule.text.startswith("sensitivity") else 1
    for _ in range(samples):
        table = RankingTable.from_arrays(**dict(zip(("truth", "score"), sample(random, *setting), strict=True)))
        try:
            rates = true_rates(by_rule(table, rule).value, separation, ties)
        except InputError:
            continue
        kept, found = kept + ((rates[0], 1 - rates[1])[which] >= float(rule.text.split()[-1])), found + 1
    return kept / max(found, 1), found / samples


def main() -> None:
    """Both tables, or one."""
    asked = argparse.ArgumentParser()
    asked.add_argument("--samples", type=int, default=1000)
    asked.add_argument("--seed", type=int, default=14)
    asked.add_argument("--part", choices=("coverage", "promise"))
    given = asked.parse_args()
    print(f"{given.samples:,} samples a row, four times as many of a promise, seed {given.seed}")
    if given.part != "promise":
        print_coverage(given.seed, given.samples)
    if given.part != "coverage":
        print_promises(given.seed, 4 * given.samples)


def print_coverage(seed: int, samples: int) -> None:
    """The first table."""
    print("\n| rule | cases, share, design | separation, ties | measure | covered | if given | low too high | bias | corrected |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name in RULES:
        for place, setting in enumerate(SETTINGS):
            found = coverage(np.random.default_rng([seed, place]), read(name, **OPTIONS.get(name, {})), setting, samples)
            for measure, row in zip(NAMES, found, strict=True):
                print(f"| {name} | {_setting(setting)} | {measure} | {' | '.join(f'{100 * x:.1f}' for x in row)} |", flush=True)


def print_promises(seed: int, samples: int) -> None:
    """The second table."""
    print("\n| rule | cases, share, design | separation, ties | promise kept | threshold found |\n|---|---|---|---|---|")
    for name in BOUNDS:
        for place, setting in enumerate(SETTINGS):
            kept, found = promise(np.random.default_rng([seed, place]), read(name), setting, samples)
            print(f"| {name} | {_setting(setting)} | {f'{100 * kept:.1f}' if found else ''} | {100 * found:.0f} |", flush=True)


def _setting(setting):
    size, share, design, separation, ties = setting
    return f"{size}, {share:g}, {design} | {separation:g}, {ties or 'none'}"


if __name__ == "__main__":
    main()
