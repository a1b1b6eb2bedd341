"""Simulates what tallymark.planning promises, and puts the tables into planning.md.

python docs/planning_power.py        # less than a minute
"""

import re
from pathlib import Path

import numpy as np
from scipy.special import expit, logit, ndtri, stdtrit

from tallymark import planning
from tallymark.inference.interval import normal_quantile

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

APART = [
    {"first": 0.85, "second": 0.8},
    {"first": 0.9, "second": 0.75},
    {"first": 0.95, "second": 0.9, "negatives_per_positive": 3},
    {"first": 0.8, "second": 0.8, "margin": 0.1},
]
CLUSTERED = [
    ("sensitivity", {"expected": 0.9, "at_least": 0.8, "cluster_size": 4, "icc": 0.2}),
    ("sensitivity", {"expected": 0.9, "at_least": 0.8, "cluster_size": 6, "icc": 0.1, "cv": 0.7}),
    ("sensitivity", {"expected": 0.8, "at_least": 0.7, "cluster_size": 20, "icc": 0.05, "cv": 0.4}),
    ("roc_auc", {"expected": 0.8, "at_least": 0.7, "cluster_size": 4, "icc": 0.17}),
    ("roc_auc", {"expected": 0.85, "at_least": 0.75, "cluster_size": 3, "icc": 0.438}),
]
# of the variance of the scores, the share of the cluster's effect that gives such an icc
EFFECTS = {0.17: 0.2, 0.438: 0.5}


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
        area, c = delong(
            *scores(rng, plan, areas, r if isinstance(r, tuple) else (r, r), goal.get("spread_ratio", 1.0))
        )
        if paired:
            error = np.sqrt(c[:, 0, 0] + c[:, 1, 1] - 2 * c[:, 0, 1])
            hits += int((area[:, 0] - area[:, 1] - Z * error > -goal.get("margin", 0.0)).sum())
        else:
            area, error = area[:, 0], np.sqrt(c[:, 0, 0])
            limit = np.log(goal["at_least"] / (1 - goal["at_least"]))
            with np.errstate(divide="ignore", invalid="ignore"):
                hits += int((np.log(area / (1 - area)) - Z * error / (area * (1 - area)) >= limit).sum())
    return plan, hits / SAMPLES


def shown_apart(goal):
    """The same of models on different cases."""
    rng, hits, plan = np.random.default_rng(0), 0, planning.unpaired_roc_auc(**goal)
    for _ in range(SAMPLES // AT_ONCE):
        (a, low, _), (b, _, high) = (logit_interval(rng, plan, goal[role]) for role in ("first", "second"))
        hits += int((a - b - np.hypot(a - low, high - b) > -goal.get("margin", 0.0)).sum())
    return plan, hits / SAMPLES


def logit_interval(rng, plan, area):
    """DeLong's of samples of one model."""
    found, c = delong(*(part[:, :1] for part in scores(rng, plan, (area, area), (0.0, 0.0), 1.0)))
    found, step = found[:, 0], Z * np.sqrt(c[:, 0, 0])
    step = step / (found * (1 - found))
    return found, expit(logit(found) - step), expit(logit(found) + step)


def shown_clustered(name, goal):
    """The same of cases in clusters."""
    rng, plan = np.random.default_rng(0), getattr(planning, name)(**goal)
    sample = clustered_rate if name == "sensitivity" else clustered_area
    found, error, freedom = zip(*(sample(rng, plan, goal) for _ in range(SAMPLES // AT_ONCE)), strict=True)
    found, error = np.concatenate(found), np.concatenate(error)
    with np.errstate(divide="ignore", invalid="ignore"):
        low = logit(found) - stdtrit(freedom[0], 0.975) * error / (found * (1 - found))
    return plan, float(((low >= logit(goal["at_least"])) | (found == 1)).mean())


def clustered_rate(rng, plan, goal):
    """Right answers of beta-binomial clusters: the share, its standard error, the degrees of freedom."""
    m, icc, cv, p = goal["cluster_size"], goal["icc"], goal.get("cv", 0.0), goal["expected"]
    shape = AT_ONCE, round(plan.n / m)
    sizes = (
        np.maximum(np.round(rng.gamma(1 / cv**2, m * cv**2, shape)), 1).astype(int)
        if cv
        else np.full(shape, m)
    )
    right = rng.binomial(sizes, rng.beta(p * (1 / icc - 1), (1 - p) * (1 / icc - 1), shape))
    share = right.sum(1) / sizes.sum(1)
    off = ((right - share[:, None] * sizes) ** 2).sum(1) * shape[1] / (shape[1] - 1)
    return share, np.sqrt(off) / sizes.sum(1), shape[1] / (1 + cv**2) - 1


def clustered_area(rng, plan, goal):
    """Areas of normal scores with an effect of the cluster, which is of one class."""
    m, share = goal["cluster_size"], EFFECTS[goal["icc"]]
    clusters = round(plan.positives / m)
    effect = rng.normal(size=(AT_ONCE, 2, clusters, 1)) * np.sqrt(share)
    score = effect + rng.normal(size=(AT_ONCE, 2, clusters, m)) * np.sqrt(1 - share)
    score = score.reshape(AT_ONCE, 2, -1)
    positive, negative, n = score[:, 0] + ndtri(goal["expected"]) * np.sqrt(2), score[:, 1], clusters * m
    among_all = ranks(np.concatenate([positive, negative], -1))
    parts = (among_all[:, :n] - ranks(positive)) / n, 1 - (among_all[:, n:] - ranks(negative)) / n
    area = parts[0].mean(1)
    totals = [(part - area[:, None]).reshape(AT_ONCE, clusters, m).sum(2) for part in parts]
    variance = sum((total**2).sum(1) for total in totals) * clusters / (clusters - 1) / n**2
    return area, np.sqrt(variance), 2 * clusters - 1


def table_of_clusters():
    """One row per plan in clusters."""
    rows = ["| goal | cases | clusters | planned power | simulated power |", "|---|---|---|---|---|"]
    for name, goal in CLUSTERED:
        plan, seen = shown_clustered(name, goal)
        rows.append(
            f"| `{name}({words(goal)})` | {plan.n} | {plan.clusters} | {plan.power:.3f} | {seen:.3f} |"
        )
    return "\n".join(rows)


def words(goal):
    """As it is written in a call."""
    return ", ".join(f"{name}={value}" for name, value in goal.items())


def table(goals, shown=shown):
    """One row per goal."""
    rows = ["| goal | positives | negatives | planned power | simulated power |", "|---|---|---|---|---|"]
    for goal in goals:
        plan, seen = shown(goal)
        rows.append(
            f"| `{words(goal)}` | {plan.positives} | {plan.negatives} | {plan.power:.3f} | {seen:.3f} |"
        )
    return "\n".join(rows)


def main():
    """Writes the tables."""
    text = PAGE.read_text(encoding="utf-8")
    made = {
        "areas": table(AREAS),
        "pairs": table(PAIRS),
        "unpaired": table(APART, shown_apart),
        "clusters": table_of_clusters(),
    }
    for name, rows in made.items():
        mark = f"<!-- {name} -->"
        text = re.sub(f"{mark}\n.*?{mark}", lambda _, m=mark, r=rows: f"{m}\n{r}\n{m}", text, flags=re.DOTALL)
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
