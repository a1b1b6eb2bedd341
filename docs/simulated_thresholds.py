"""Intervals at a threshold chosen on the cases measured, and the promise of rules on a bound.

Two normal classes with variance 1; "ties" are scores rounded to halves. To be covered is the true value of
the measure at the threshold chosen.
"""

from __future__ import annotations

from itertools import product

import numpy as np
from scipy.stats import norm
from simulate import Found, Part, of_shares

from tallymark.evaluation.thresholds import by_rule, estimate_at_chosen, optimism, read_rule
from tallymark.inference import Settings, estimate
from tallymark.input.validate import InputError
from tallymark.measures import registry
from tallymark.summaries import Counts, RankingTable

NAMES = ("sensitivity", "specificity", "youden_j", "accuracy", "precision", "f1")
RULES = ("youden", "f1", "cost", "specificity>=0.9")
OPTIONS = {"cost": {"cost_fp": 1.0, "cost_fn": 3.0}}
SAMPLED = (  # cases, share of positives, design, separation, width of the ties
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
    """The true sensitivity and false positive rate: a rounded score is at the threshold half a step
    earlier."""
    limit = threshold - ties / 2
    return norm.sf(limit - separation), norm.sf(limit)


def counted(name: str, rng: np.random.Generator, samples: int) -> Found:
    """By measure: samples with an interval; in how many it holds the true value, that of the threshold taken
    as given does, and it lies too high; how far the value and the corrected value are from the true one."""
    rule, setting = OF_VALUES[name]
    _, share, design, separation, ties = setting
    settings, found = Settings(design=design), {measure: np.zeros(7) for measure in NAMES}
    for seed in rng.integers(2**32, size=samples).tolist():
        truth, score = sample(rng, *setting)
        table = RankingTable.from_arrays(truth=truth, score=score)
        limit = by_rule(table, rule).value
        here, gained = table.counts_at(limit), optimism(table, rule, seed)
        tpr, fpr = true_rates(limit, separation, ties)
        true = Counts.of(share * tpr, (1 - share) * fpr, share * (1 - tpr), (1 - share) * (1 - fpr))
        for measure in NAMES:
            found[measure] += _held(registry.get(measure, Counts), here, gained, true, settings)
    return {measure: sums.tolist() for measure, sums in found.items()}


def _held(entry, here, gained, true, settings):
    value = float(entry.function(true))
    found, fixed = estimate_at_chosen(entry, here, gained, settings), estimate(entry, here, settings)
    if not found.has_interval or not np.isfinite(value):
        return np.zeros(7)
    covered = [one.low <= value <= one.high for one in (found, fixed)]
    known = found.corrected is not None
    return np.array(
        [1, *covered, found.low > value, found.value - value, known, found.corrected - value if known else 0],
        float,
    )


def promised(name: str, rng: np.random.Generator, samples: int) -> Found:
    """Samples; those in which there is a threshold, and those in which the true rate meets the limit
    there."""
    rule, setting = OF_BOUNDS[name]
    *_, separation, ties = setting
    which, found = 0 if rule.text.startswith("sensitivity") else 1, np.zeros(3)
    for _ in range(samples):
        truth, score = sample(rng, *setting)
        try:
            limit = by_rule(RankingTable.from_arrays(truth=truth, score=score), rule).value
        except InputError:
            found[0] += 1
            continue
        tpr, fpr = true_rates(limit, separation, ties)
        found += [1, 1, (tpr, 1 - fpr)[which] >= float(rule.text.split()[-1])]
    return {"promise": found.tolist()}


def tables(found: dict[str, Found], samples: dict[str, int]) -> list[str]:
    """One row per rule, setting and measure."""
    rows = [
        (
            "| rule | cases, prevalence, design, separation, ties | measure | covered | if given |"
            " low end too high | bias | corrected |"
        ),
        "|---|---|---|---|---|---|---|---|",
    ]
    for setting, sums in found.items():
        for measure, (known, held, given, above, bias, corrected, left) in sums.items():
            shares = [100 * one / known for one in (held, given, above, bias)]
            last = f"{100 * left / corrected:.1f}" if corrected else ""
            rows.append(
                f"| {setting.replace(': ', ' | ')} | {measure} | {' | '.join(f'{x:.1f}' for x in shares)} |"
                f" {last} |"
            )
    return rows


def tables_of_promises(found: dict[str, Found], samples: dict[str, int]) -> list[str]:
    """One row per rule and setting."""
    rows = [
        "| rule | cases, prevalence, design, separation, ties | limit met | threshold found |",
        "|---|---|---|---|",
    ]
    for setting, sums in found.items():
        asked, there, kept = sums["promise"]
        shown = f"{100 * kept / there:.1f}" if there else ""
        rows.append(f"| {setting.replace(': ', ' | ')} | {shown} | {100 * there / asked:.0f} |")
    return rows


def _said(rule, setting):
    size, share, design, separation, ties = setting
    return f"{rule}: {size}, {share:g}, {design}, {separation:g}, {ties or 'none'}"


OF_VALUES = {
    _said(rule, one): (read_rule(rule, **OPTIONS.get(rule, {})), one) for rule, one in product(RULES, SAMPLED)
}
OF_BOUNDS = {_said(rule, one): (read_rule(rule), one) for rule, one in product(BOUNDS, SAMPLED)}
PART = Part(lambda: OF_VALUES, counted, tables, judged=of_shares)
PROMISES = Part(lambda: OF_BOUNDS, promised, tables_of_promises, 500, judged=None)
