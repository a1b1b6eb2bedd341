"""A permutation test: the value, the p-value, and the values with permuted labels."""

from __future__ import annotations

import numpy as np

from ...input import text
from ...studies.retraining.permutation import PermutationResult
from .. import parts


def as_text(r: PermutationResult) -> str:
    """What `print` shows."""
    train, test = (text.count(number) for number in r.rows)
    lines = [
        (
            f"{r.measure} {text.number(r.value)} ({r.better} is better), trained on {train} cases, measured"
            f" on {test}"
        ),
        (
            f"{text.count(r.used)} permutations of the training labels, seed {r.seed};"
            f" {text.count(r.as_good)} as good or better"
        ),
        *(_found(r) if r.used else [f"no p-value: {r.p.undefined}"]),
    ]
    notes = [*([r.p.note] if r.p.note else []), *(notice.text for notice in r.notices)]
    return "\n".join([*(text.paragraph(line, first="") for line in lines), *parts.flagged(notes)])


def _found(r: PermutationResult) -> list[str]:
    p = r.p
    low, middle, high = map(
        text.number, np.nanquantile(r.permuted, [0.025, 0.5, 0.975], method="inverted_cdf")
    )
    return [
        (
            f"p = {p.value:.4g}, one-sided, {r.counting}; {100 * r.level:.4g}% Monte Carlo interval"
            f" {p.low:.4g} to {p.high:.4g}"
        ),
        f"with permuted labels: median {middle}, 95% from {low} to {high}",
    ]
