"""Simulated passes of the gate with a margin, for models worse by just that margin: a table of docs/check.md.

python docs/coverage_gate.py                                  # 300 samples a cell
python docs/coverage_gate.py --samples 4000 --parts gate.json # more; goes on where it was stopped
"""

import argparse
import json
import re
import time
from datetime import date
from functools import cache
from itertools import product
from pathlib import Path

import numpy as np
from coverage_compare import (
    ANSWERS,
    DESIGNS,
    FIRST,
    LEVEL,
    LOSSES,
    RANKS,
    drawn,
    evidence_of,
    keep,
    kept,
    score,
    value_of,
)
from scipy.special import ndtri

from tallymark.evaluation.paired.study import estimate_of, with_width
from tallymark.inference.intervals.differences import span
from tallymark.measures import registry
from tallymark.studies.gate.baseline import not_inferior
from tallymark.studies.gate.grammar import parse_quantity
from tallymark.summaries.cases import ScoredCases

PAGE = Path(__file__).parent / "check.md"
MARK = "<!-- gate -->"
SEED, SAMPLES = 14, 300  # samples a cell: +-0.9 points at 2.5 %
SIZES, SHARE = (100, 300, 1000, 2000), 0.3
LIMIT = SHARE  # the threshold of measures of answers
NODES = 20_000  # of a class, for expected values
MEASURES = (*RANKS, *LOSSES, *ANSWERS)
OTHERS = {  # what the second model differs by from the first
    "calibration": FIRST | {"shift": 0.8},
    "shape": FIRST | {"spread": 2.0},
}
PROBABILITIES = "brier_score"  # any measure of which `score` gives probabilities


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
    return not_inferior(parse_quantity(name), entry, estimate, margin, "on the same cases")


def passes(other, n, design, samples):
    """By measure, the share of samples in which the model passes; a difference without an interval does
    not."""
    rng = np.random.default_rng([SEED, n, DESIGNS.index(design), list(OTHERS).index(other)])
    found = np.zeros((samples, len(MEASURES)))
    for i in range(samples):
        positive, scores = sample(rng, other, n, design)
        seed = int(rng.integers(2**32))
        if 0 < positive.sum() < n:
            found[i] = [finding(name, positive, scores, other, design, seed).passed for name in MEASURES]
    return dict(zip(MEASURES, found.mean(axis=0).tolist(), strict=True))


def table(samples: int, parts: Path | None = None) -> list[str]:
    """One row per measure, pair of models and design, one column per size: passes in percent.

    parts: a file of the cells that are done, which are not simulated again; new ones are added to it.
    """
    head = ["measure", "models differ in", "margin", "design", *(f"{n:,} cases" for n in SIZES)]
    cells, done = list(product(OTHERS, DESIGNS, SIZES)), kept(parts)
    for cell in cells:
        key = json.dumps([*cell, samples])
        if key not in done:
            done[key] = passes(cell[0], cell[2], cell[1], samples)
            keep(parts, key, done[key])
    rows = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    for name, other, design in product(MEASURES, OTHERS, DESIGNS):
        shown = [f"{100 * done[json.dumps([other, design, n, samples])][name]:.1f}" for n in SIZES]
        rows.append(f"| {' | '.join([name, other, f'{margin_of(name, other)[0]:.4f}', design, *shown])} |")
    return rows


def main():
    """Writes the table into the page."""
    asked = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    asked.add_argument("--samples", type=int, default=SAMPLES, help="of every cell (default: %(default)s)")
    asked.add_argument(
        "--parts", type=Path, metavar="FILE", help="keep the cells that are done, and go on from there"
    )
    given = asked.parse_args()
    start = time.process_time()
    rows = table(given.samples, given.parts)
    stated = (
        f"Samples per cell: {given.samples:,}; seed {SEED}; {date.today()}; made by `python"
        " docs/coverage_gate.py`."
    )
    inside = "\n".join(["", stated, "", *rows, ""])
    PAGE.write_text(
        re.sub(f"{MARK}.*?{MARK}", lambda _: f"{MARK}{inside}{MARK}", PAGE.read_text(), flags=re.S)
    )
    print(f"{time.process_time() - start:.0f} s of CPU time")


if __name__ == "__main__":
    main()
