"""Default intervals where they are hardest: true curves that are not logistic, few events, and weights that
depend on the score. A part of `make coverage`."""

from __future__ import annotations

from functools import cache, partial

import numpy as np
from scipy.special import expit
from simulate import Found, Part, take
from simulated_defaults import row_of

from tallymark import RankingTable, estimate
from tallymark.measures.registry import get

Sample = tuple[np.ndarray, ...]  # truth, score, and weights
MANY, TIMES = 300_000, 4  # cases that stand for all
LINES = ("calibration_slope", "calibration_intercept", "calibration_in_the_large")
MEANS = ("discrimination_slope", "brier_score", "brier_skill_score", "log_loss_skill_score")
OF_WEIGHTS = ("average_precision", "auc_pr_trapezoid", "roc_auc", "log_loss", "calibration_slope")


def of_risk(rng: np.random.Generator, p: np.ndarray, risk: np.ndarray) -> Sample:
    """Cases of this risk, with this probability."""
    return rng.random(len(p)) < risk, p


def top_is_noise(rng: np.random.Generator, cases: int) -> Sample:
    """Logits above 2.5 say nothing."""
    x = np.clip(1.2 * rng.standard_t(3, cases), -30, 30)
    return of_risk(rng, expit(x), np.where(x > 2.5, 0.5, expit(x)))


def noise(rng: np.random.Generator, cases: int) -> Sample:
    """3 % of the labels are wrong."""
    p = expit(np.clip(1.5 * rng.standard_t(3, cases), -30, 30))
    return of_risk(rng, p, 0.97 * p + 0.03 * (1 - p))


def rare_step(rng: np.random.Generator, cases: int) -> Sample:
    """Two risks, of a rare event."""
    x = rng.normal(-4, 1.5, cases)
    return of_risk(rng, expit(x), np.where(x > -2, 0.15, 0.005))


def few_events(rng: np.random.Generator, cases: int) -> Sample:
    """1 % of the cases are positive."""
    p = np.clip(rng.beta(0.3, 29.7, cases), 1e-12, 1 - 1e-12)
    return of_risk(rng, p, p)


def selected(rng: np.random.Generator, cases: int, share) -> Sample:
    """A sample whose probability of selection depends on the score, with its inverse as weight."""
    truth, p = of_risk(rng, score := expit(rng.normal(-1.5, 1.5, cases)), score)
    taken = rng.random(cases) < share(p)
    return truth[taken], p[taken], 1 / share(p[taken])


SELECTED = {
    "high scores rare": lambda p: np.clip(0.9 - 0.8 * p, 0.1, 0.9),
    "high scores frequent": lambda p: np.clip(0.2 + 0.8 * p, 0.1, 1.0),
    "verified by score": lambda p: np.where(p >= 0.5, 1.0, np.where(p >= 0.2, 0.3, 0.08)),
}
SETTINGS = {
    **{f"top scores are noise, {n}": (top_is_noise, n, LINES) for n in (300, 1000)},
    **{f"label noise, {n}": (noise, n, LINES) for n in (300, 1000)},
    "rare step, 1500": (rare_step, 1500, LINES),
    **{f"1 % positive, {n}": (few_events, n, MEANS) for n in (2000, 5000)},
    **{
        f"weights, {name}, 1500": (partial(selected, share=by), 1500, OF_WEIGHTS)
        for name, by in SELECTED.items()
    },
}


def table(*sample: np.ndarray) -> RankingTable:
    """Of these cases."""
    weight = {"weight": sample[2], "weight_kind": "importance"} if len(sample) > 2 else {}
    return RankingTable.from_arrays(truth=sample[0], score=sample[1], **weight)


@cache
def truths(name: str) -> dict[str, float]:
    """Over many cases."""
    draw, _, measures = SETTINGS[name]
    parts = [draw(np.random.default_rng(seed), MANY) for seed in range(TIMES)]
    whole = table(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))
    return {measure: float(get(measure, RankingTable).function(whole)) for measure in measures}


def counted(name: str, rng: np.random.Generator, samples: int) -> Found:
    """The same sums as for two classes."""
    draw, cases, measures = SETTINGS[name]
    found: Found = {measure: [0.0] * 6 for measure in measures}
    for _ in range(samples):
        sample = table(*draw(rng, cases))
        for measure, value in truths(name).items():
            take(found, measure, row_of(estimate(measure, sample), value))
    return found


def tables(found: dict[str, Found], sizes: dict[str, int]) -> list[str]:
    """The coverage of every measure in every setting."""
    rows = [
        f"| {measure} | {setting} | {held / n:.3f} | {noted / n:.0%} | {sizes[setting]:,} |"
        for setting, of in found.items()
        for measure, (n, held, _, _, noted, _) in of.items()
    ]
    return ["| measure | setting | coverage | with `~` | samples |", "|---" * 5 + "|", *rows]


PART = Part(lambda: SETTINGS, counted, tables, 50)
