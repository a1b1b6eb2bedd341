"""Type I errors of McNemar's and Tango's tests and of Cochran's Q: a table of compare.md for coverage.py."""

from itertools import product

import numpy as np
from coverage_tests import ALPHA, SAMPLES, _shown
from scipy.stats import binom

from tallymark.inference.contrast import Discordant
from tallymark.inference.hypothesis import FORMS, cochran_q_of_right, mcnemar_of_counts

DISCORDANT = (0.05, 0.2, 0.5)  # share of cases that one model alone has right


def answers() -> list[str]:
    """The same of McNemar's tests and Tango's, exactly, by summing the binomials; and Cochran's Q of three
    models, simulated."""
    head = [
        "cases",
        "one model correct",
        *(f"McNemar {form}" for form in FORMS),
        "score",
        "Cochran's Q, 3 models",
    ]
    rows = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    for seed, (n, share) in enumerate(product((60, 200, 1000), DISCORDANT)):
        k = np.arange(n + 1)
        chance = binom.pmf(k, n, share)
        k, chance = k[chance > 1e-9], chance[chance > 1e-9]
        found = [
            _of_discordant(k, chance, lambda b, c, form=form: mcnemar_of_counts(b, c, form).p_value)
            for form in FORMS
        ]
        found.append(_of_discordant(k, chance, lambda b, c, n=n: float(Discordant(b, c, n).p_at(0.0))))
        found.append(_of_three(np.random.default_rng(seed), n, share))
        rows.append(f"| {n} | {share:.0%} | " + " | ".join(map(_shown, found)) + " |")
    return rows


def _of_discordant(numbers, chance, p_value):
    total = 0.0
    for k, weight in zip(numbers.tolist(), chance.tolist(), strict=True):
        lower = [b for b in range(k // 2 + 1) if p_value(b, k - b) <= ALPHA]  # symmetric
        total += weight * (2 * binom.pmf(lower, k, 0.5).sum() if lower else 0.0)
    return total


def _of_three(rng, n, share):
    """Three models, any two of which differ on this share of the cases, and are right equally often."""
    rejected = 0
    for _ in range(SAMPLES):
        odd = rng.random(n) < 1.5 * share if share <= 2 / 3 else np.ones(n, bool)
        right = np.repeat(rng.random(n)[None] < 0.5, 3, axis=0)
        right[rng.integers(0, 3, n)[odd], np.flatnonzero(odd)] ^= True
        rejected += cochran_q_of_right(right).p_value <= ALPHA
    return rejected / SAMPLES
