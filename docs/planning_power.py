"""Simulates what tallymark.planning promises, and puts the tables into planning.md.

python docs/planning_power.py        # less than a minute
"""

import re
from pathlib import Path

import numpy as np
from scipy.special import ndtri

from tallymark import planning
from tallymark.uncertainty.scale import normal_quantile

PAGE = Path(__file__).parent / "planning.md"
SAMPLES, AT_ONCE, Z = 10_000, 500, normal_quantile(0.95)
AREAS = [
    {"expected": 0.7, "at_least": 0.5},
    {"expected": 0.8, "at_least": 0.7},
    {"expected": 0.8, "at_least": 0.75},
    {"expected": 0.8, "at_least": 0.7, "negatives_per_positive": 9},
    {"expected": 0.9, "at_least": 0.8},
    {"expected": 0.9, "at_least": 0.85, "spread_ratio": 1.5},
    {"expected": 0.95, "at_least": 0.9},
]
PAIRS = [
    {"first": 0.85, "second": 0.8, "correlation": 0.5},
    {"first": 0.85, "second": 0.75, "correlation": 0.0},
    {"first": 0.9, "second": 0.8, "correlation": 0.8},
    {"first": 0.9, "second": 0.8, "correlation": (0.7, 0.2), "negatives_per_positive": 5},
    {"first": 0.8, "second": 0.8, "correlation": 0.6, "margin": 0.05},
]


def scores(rng, plan, areas, correlations, spread):
    """(samples, models, cases) of positives and of negatives, normal in each class."""
    shift = ndtri(areas) * np.sqrt(1 + spread**2)
    positive, negative = (
        rng.multivariate_normal([0, 0], [[1, r], [r, 1]], (AT_ONCE, n)).swapaxes(1, 2)
        for r, n in zip(correlations, (plan.positives, plan.negatives), strict=True)
    )
    return positive * spread + shift[:, None], negative


def delong(positive, negative):
    """The areas of every sample, and their covariance, by ranks."""
    n, m = positive.shape[-1], negative.shape[-1]
    among_all = ranks(np.concatenate([positive, negative], -1))
    beaten = (among_all[..., :n] - ranks(positive)) / m
    beating = 1 - (among_all[..., n:] - ranks(negative)) / n
    covariance = 0
    for share, size in ((beaten, n), (beating, m)):
        off = share - share.mean(-1, keepdims=True)
        covariance = covariance + off @ off.swapaxes(-1, -2) / (size - 1) / size
    return beaten.mean(-1), covariance


def ranks(values):
    """From 1 on, along the last axis."""
    return values.argsort(-1).argsort(-1) + 1.0


def shown(goal):
    """The plan, and how often it keeps its word."""
    rng, hits = np.random.default_rng(0), 0
    paired = "first" in goal
    plan = (planning.paired_roc_auc if paired else planning.roc_auc)(**goal)
    areas = (goal["first"], goal["second"]) if paired else (goal["expected"],) * 2
    r = goal.get("correlation", 0.0)
    for _ in range(SAMPLES // AT_ONCE):
        area, c = delong(*scores(rng, plan, areas, r if isinstance(r, tuple) else (r, r), goal.get("spread_ratio", 1.0)))
        if paired:
            error = np.sqrt(c[:, 0, 0] + c[:, 1, 1] - 2 * c[:, 0, 1])
            hits += int((area[:, 0] - area[:, 1] - Z * error > -goal.get("margin", 0.0)).sum())
        else:
            area, error = area[:, 0], np.sqrt(c[:, 0, 0])
            limit = np.log(goal["at_least"] / (1 - goal["at_least"]))
            with np.errstate(divide="ignore", invalid="ignore"):
                hits += int((np.log(area / (1 - area)) - Z * error / (area * (1 - area)) >= limit).sum())
    return plan, hits / SAMPLES


def table(goals):
    """One row per goal."""
    rows = ["| goal | positives | negatives | power planned | power seen |", "|---|---|---|---|---|"]
    for goal in goals:
        plan, seen = shown(goal)
        said = ", ".join(f"{name}={value}" for name, value in goal.items())
        rows.append(f"| `{said}` | {plan.positives} | {plan.negatives} | {plan.power:.3f} | {seen:.3f} |")
    return "\n".join(rows)


def main():
    """Writes both tables."""
    text = PAGE.read_text(encoding="utf-8")
    for name, goals in (("areas", AREAS), ("pairs", PAIRS)):
        mark = f"<!-- {name} -->"
        text = re.sub(f"{mark}\n.*?{mark}", lambda _, m=mark, g=goals: f"{m}\n{table(g)}\n{m}", text, flags=re.DOTALL)
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
