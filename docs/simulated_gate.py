"""How often the gate with a margin passes models that are worse by just that margin."""

from __future__ import annotations

from functools import cache
from itertools import product

import numpy as np
from coverage_compare import (
    ANSWERS,
    DESIGNS,
    FIRST,
    LEVEL,
    LOSSES,
    RANKS,
    SIZES,
    drawn,
    evidence_of,
    score,
    value_of,
)
from scipy.special import ndtri
from simulate import GATE, Found, Part, of_shares

from tallymark.evaluation.paired import estimate_of, with_width
from tallymark.inference.contrast import span
from tallymark.measures import registry
from tallymark.studies.gate.checking import finding_of, no_worse
from tallymark.studies.gate.grammar import parse_quantity
from tallymark.summaries.samples import ScoredCases

SHARE = 0.3
LIMIT = SHARE  # the threshold of measures of answers
NODES = 20_000  # of a class, for expected values
LOWEST, HIGHEST = 0.015, 0.035
MEASURES = (*RANKS, *LOSSES, *ANSWERS)
OTHERS = {  # what the second model differs by from the first
    "calibration": FIRST | {"shift": 0.8},
    "shape": FIRST | {"spread": 2.0},
}
PROBABILITIES = "brier_score"  # any measure of which `score` gives probabilities
SETTINGS = {
    f"{other}, {n} cases, {design}": (other, n, design)
    for other, design, n in product(OTHERS, DESIGNS, SIZES)
}


@cache
def expected(name: str, other: str | None) -> float:
    """The value of a measure of the first model, or of another, on a grid of quantiles that stands for all
    cases."""
    model = FIRST if other is None else OTHERS[other]
    normal = ndtri((np.arange(NODES) + 0.5) / NODES)
    given = score(
        PROBABILITIES, np.append(model["distance"] + model["spread"] * normal, normal), model, SHARE
    )
    weight = np.repeat([SHARE, 1 - SHARE], NODES)
    return value_of(name, ScoredCases(np.repeat([True, False], NODES), given, weight), LIMIT)


def margin_of(name: str, other: str) -> tuple[float, bool]:
    """By how much the worse of the two models is worse, and whether that is the other one."""
    gain = expected(name, other) - expected(name, None)
    gain = gain if registry.get(name).better == "higher" else -gain
    return abs(gain), gain <= 0


def sample(rng, other, n, design):
    """Which cases are positive, and the probabilities of the first model and of the other."""
    return drawn(rng, PROBABILITIES, (FIRST, OTHERS[other]), n, SHARE, design)


def finding(name, positive, scores, other, design, seed):
    """What the gate finds of the worse model on one sample, with the margin by which it is worse."""
    margin, turned = margin_of(name, other)
    reference, new = scores if turned else scores[::-1]
    evidence = evidence_of(name, positive, (reference, new), LIMIT, design, seed)
    entry = registry.get(name)
    values = [value_of(name, ScoredCases(positive, one), LIMIT) for one in (new, reference)]
    difference = values[0] - values[1]
    estimate = estimate_of(difference, with_width(evidence, difference, LEVEL), LEVEL, span(entry.range))
    required = no_worse(parse_quantity(name), margin)
    return finding_of(required, estimate, len(positive))


def passes(name: str, rng: np.random.Generator, samples: int) -> Found:
    """By measure: samples, and in how many the model passes; a difference without an interval does not."""
    (other, n, design), found = SETTINGS[name], {measure: [float(samples), 0.0] for measure in MEASURES}
    for _ in range(samples):
        positive, scores = sample(rng, other, n, design)
        seed = int(rng.integers(2**32))
        if 0 < positive.sum() < n:
            for measure, sums in found.items():
                sums[1] += finding(measure, positive, scores, other, design, seed).passed
    return found


def tables(found: dict[str, Found], samples: dict[str, int]) -> list[str]:
    """One row per measure, pair of models and design, one column per size: passes in percent."""
    head = ["measure", "models differ in", "margin", "design", *(f"{n:,} cases" for n in SIZES)]
    by_row: dict[tuple, dict[int, str]] = {}
    for setting, sums in found.items():
        other, n, design = SETTINGS[setting]
        for measure, (known, passed) in sums.items():
            outside = "" if LOWEST <= round(passed / known, 3) <= HIGHEST else " (!)"
            by_row.setdefault((measure, other, design), {})[n] = f"{100 * passed / known:.1f}{outside}"
    rows = [
        f"| {measure} | {other} | {margin_of(measure, other)[0]:.4f} | {design} |"
        f" {' | '.join(of.get(n, '') for n in SIZES)} |"
        for measure, other, design in product(MEASURES, OTHERS, DESIGNS)
        if (of := by_row.get((measure, other, design)))
    ]
    return [f"| {' | '.join(head)} |", "|---" * len(head) + "|", *rows]


PART = Part(lambda: SETTINGS, passes, tables, judged=of_shares, limits=GATE)
