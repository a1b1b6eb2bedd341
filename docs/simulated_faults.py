"""How often the expected notice appears for models with a fault: a part of `make coverage`, whose table is in
notices.md."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import product

import numpy as np
from scipy.optimize import brentq
from scipy.special import expit
from simulate import Found, Part
from simulated_notices import (
    AREA,
    CLASSES,
    FINDINGS,
    NORMAL,
    PREVALENCES,
    SIZES,
    Draw,
    codes,
    counted,
    drawn,
    model,
    of_calibrated_classes,
    share_of,
)

OFTEN = 0.05  # of other findings that are named


def _calibrated_in_the_large(given, m, s):
    """given, shifted so that the calibration in the large is 0."""
    grid = given(m + s * NORMAL, m)
    off = brentq(lambda c: (expit(c + grid) - expit(m + s * NORMAL)).mean(), -60, 60)
    return lambda z: given(z, m) + off


def _with_slope(slope):
    return lambda m, s: _calibrated_in_the_large(lambda z, m: m + (z - m) / slope, m, s)


def _shifted(shift):
    return lambda m, s: lambda z: z + shift


FAULTS = {  # of two classes, by name: the notice that is expected, and the logits given, of the true ones
    **{
        f"slope {b:g}": ("over-confident" if b < 1 else "under-confident", _with_slope(b))
        for b in (0.6, 0.8, 1.25, 1.67)
    },
    **{
        f"shift {d:+g}": ("overestimation" if d > 0 else "underestimation", _shifted(d))
        for d in (-0.8, -0.4, 0.4, 0.8)
    },
    "unrelated to the truth": ("worse-than-guessing", lambda m, s: lambda z: np.roll(z, 1)),
    "direction reversed": ("auc-below-half", _with_slope(-1.0)),
    "direction reversed, labels alone": ("agreement-below-chance", _with_slope(-1.0)),
    "shift +8": ("one-answer", _shifted(8.0)),
    "of the predicted class": ("confidence-of-the-predicted-class", lambda m, s: np.abs),
}
FAULTS_OF_CLASSES = {  # of three equal classes
    "logits times 1.67": ("over-confident", lambda logits: 1.67 * logits),
    "logits times 0.6": ("under-confident", lambda logits: 0.6 * logits),
    "columns in another order": ("class-auc-below-half", lambda logits: np.roll(logits, 1, axis=1)),
    "logits times -1": ("agreement-below-chance", lambda logits: -logits),
    "unrelated to the truth": ("worse-than-guessing", lambda logits: np.roll(logits, 1, axis=0)),
}
LEAK = "the score contains the truth"
NEVER = "always the smallest of three classes"


def of_fault(name: str, prevalence: float, area: float, size: int) -> Draw:
    """A model of two classes with a fault."""
    m, s = model(prevalence, area)
    given, labels = FAULTS[name][1](m, s), name.endswith("labels alone")

    def draw(rng):
        ranking = drawn(rng, size, m, s, given)
        return codes(ranking.counts_at(0.5) if labels else ranking)

    return draw


def of_leak(prevalence: float, size: int) -> Draw:
    """Positives have a probability above a half, negatives one below."""

    def draw(rng):
        truth = rng.random(size) < prevalence
        return codes(None, truth=truth, score=(truth + rng.random(size)) / 2)

    return draw


def _always_the_last(logits):
    return logits + np.array([0.0, 0.0, 100.0])


@cache
def faulty() -> dict[str, tuple[str, Draw]]:
    """By name: the notice that is expected, and a draw."""
    found = {
        f"{name} | {share:g} | {size}": (FAULTS[name][0], of_fault(name, share, AREA, size))
        for name, share, size in product(FAULTS, PREVALENCES[:3:2], SIZES)
    }
    found |= {
        f"{LEAK} | {share:g} | {size}": ("perfect-ranking", of_leak(share, size))
        for share, size in product(PREVALENCES[:3:2], SIZES)
    }
    found |= {
        f"{name} | 3 equal | {size}": (code, of_calibrated_classes((1, 1, 1), 1.0, size, fault))
        for (name, (code, fault)), size in product(FAULTS_OF_CLASSES.items(), SIZES)
    }
    uneven = CLASSES["3, one of 5 %"]
    return found | {
        f"{NEVER} | 3, one of 5 % | {size}": (
            "one-answer",
            of_calibrated_classes(uneven, 1.0, size, _always_the_last),
        )
        for size in SIZES
    }


def tables_of_faulty(found: Mapping[str, Found], samples: Mapping[str, int]) -> list[str]:
    """How often the expected finding appears, and which others do in the largest samples."""
    rows = [
        f"| fault | of | finding | {' | '.join(map(str, SIZES))} | others, at {SIZES[-1]} |",
        "|---" * (4 + len(SIZES)) + "|",
    ]
    for fault in dict.fromkeys(name.rpartition(" | ")[0] for name in found):
        names = [f"{fault} | {size}" for size in SIZES if f"{fault} | {size}" in found]
        expected = faulty()[names[0]][0]
        cells = " | ".join(f"{share_of(found[name], expected, samples[name]):.0%}" for name in names)
        last = {code: share_of(found[names[-1]], code, samples[names[-1]]) for code in FINDINGS}
        others = [f"`{code}` {x:.0%}" for code, x in last.items() if code != expected and x > OFTEN]
        rows.append(f"| {fault} | `{expected}` | {cells} | {', '.join(others)} |")
    return rows


FAULTY = Part(
    faulty, lambda name, rng, n: counted(faulty()[name][1], rng, n), tables_of_faulty,
    page="notices", judged=None,
)  # fmt: skip
