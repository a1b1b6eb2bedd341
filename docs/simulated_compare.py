"""Type I errors of `compare` on the same cases, and how often a margin that is just kept is called kept."""

from __future__ import annotations

from functools import cache

import numpy as np
from coverage_compare import LEVEL, cells, drawn, evidence_of, limit_of, models_of
from simulate import TESTS, Found, Part, of_shares

LOWEST, HIGHEST = 0.035, 0.06
COUNTED = "difference"


@cache
def settings() -> dict[str, tuple]:
    """By name: measure, how the models differ, cases, share of positives, design."""
    return {
        f"{name}, {pair}, {n}, {share:.0%}, {design}": (name, pair, n, share, design)
        for name, pair, n, share, design in cells()
    }


def counted(setting: str, rng: np.random.Generator, samples: int) -> Found:
    """The sums of one setting."""
    return {COUNTED: judged(*settings()[setting], rng, samples).tolist()}


def judged(
    name: str, pair: str, n: int, share: float, design: str, rng: np.random.Generator, samples: int
) -> np.ndarray:
    """Samples; those in which no difference is rejected, in which the interval lies above 0, and below 0."""
    models, limit, found = models_of(name, pair, share), limit_of(name, share), np.zeros(4)
    for _ in range(samples):
        positive, scores = drawn(rng, name, models, n, share, design)
        if positive.all() or not positive.any():
            continue
        evidence = evidence_of(name, positive, scores, limit, design, int(rng.integers(2**32)))
        low, high = evidence.bounds(LEVEL)
        found += [1, float(evidence.p_at(0.0)) <= 1 - LEVEL, low > 0, high < 0]
    return found


def tables(found: dict[str, Found], samples: dict[str, int]) -> list[str]:
    """One row per measure, pair, share and design, one column per size: rejected, and above and below 0, in
    percent."""
    sizes = sorted({one[2] for one in settings().values()})
    head = ["measure", "models differ in", "positives", "design", *(f"{n:,} cases" for n in sizes)]
    by_row: dict[tuple, dict[int, str]] = {}
    for setting, sums in found.items():
        name, pair, n, share, design = settings()[setting]
        known, *each = sums[COUNTED]
        rejected, above, below = (100 * one / known for one in each)
        outside = "" if LOWEST <= round(rejected / 100, 3) <= HIGHEST else " (!)"
        by_row.setdefault((name, pair, f"{share:.0%}", design), {})[n] = (
            f"{rejected:.1f}{outside} ({above:.1f}, {below:.1f})"
        )
    rows = [f"| {' | '.join([*row, *(of.get(n, '') for n in sizes)])} |" for row, of in by_row.items()]
    return [f"| {' | '.join(head)} |", "|---" * len(head) + "|", *rows]


def tables_of_errors(found: dict[str, Found], samples: dict[str, int]) -> list[str]:
    """One row per setting, one column per measure: rejected in percent of the samples with a test."""
    measures = list(dict.fromkeys(measure for sums in found.values() for measure in sums))
    rows = [f"| setting | {' | '.join(measures)} |", "|---" * (len(measures) + 1) + "|"]
    for setting, sums in found.items():
        rows.append(f"| {setting} | {' | '.join(_percent(*sums[measure]) for measure in measures)} |")
    return rows


def _percent(known, rejected):
    share = rejected / known
    return f"{100 * share:.1f}{'' if LOWEST <= round(share, 3) <= HIGHEST else ' (!)'}"


PART = Part(settings, counted, tables, 500, judged=of_shares, limits=TESTS)
