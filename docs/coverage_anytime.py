"""Confidence sequences of `check(valid="anytime")` under continuous monitoring: a table for coverage.py."""

import numpy as np

from tallymark.inference import interval, linear
from tallymark.inference.interval import normal_quantile

LEVEL = 0.95
LOOKS, RUNS, AT_ONCE = 10_000, 2_000, 100  # a share of 2.5 % is known to 0.35 points
SIZES = (100, 1_000, 10_000)
SHARES = (0.5, 0.9, 0.99, 0.001)


def _calibrated(rng, size):
    """Squared errors of calibrated probabilities of a rare class."""
    p = rng.beta(1, 9, size)
    return np.square(p - (rng.random(size) < p))


# by name: losses from 0 to 1, and their mean
LOSSES = {
    "squared errors, calibrated, 10 % positive": (_calibrated, 0.1 - 0.1 * 2 / 11),
    "uniform": (lambda rng, size: rng.random(size), 0.5),
    "near 0 or near 1": (lambda rng, size: rng.beta(0.1, 0.3, size), 0.25),
    "1 in 0.5 % of cases, else near 0": (
        lambda rng, size: np.where(rng.random(size) < 0.005, 1.0, 0.002 * rng.random(size)),
        0.005 + 0.995 * 0.001,
    ),
}


def sequences() -> list[str]:
    """By what is drawn: in how many runs an end ever passed the true mean, and the width at some sizes."""
    head = ["cases", "mean", "low end ever above it", "high end ever below it"]
    head += [f"width at {n:,}, fixed" for n in SIZES]
    rows = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    for seed, (name, (draw, mean, of_shares)) in enumerate(settings().items()):
        crossed, widths = crossings(np.random.default_rng(seed), draw, mean, of_shares)
        rows.append(f"| {name} | {mean:.4g} | {crossed[0]:.1%} | {crossed[1]:.1%} | {' | '.join(widths)} |")
    return rows


def settings():
    """By name what draws the values, their mean, and whether they are 0 or 1."""
    shares = {f"right or wrong ({p})": (_of_share(p), p, True) for p in SHARES}
    return shares | {name: (*drawn, False) for name, drawn in LOSSES.items()}


def _of_share(p):
    return lambda rng, size: (rng.random(size) < p) * 1.0


def crossings(rng, draw, mean, of_shares, runs=RUNS):
    """The shares of runs with a low end above the mean, and with a high end below it, at any look; the median
    width at some sizes, with that of the fixed interval."""
    n, crossed, at_sizes = np.arange(1.0, LOOKS + 1), np.zeros(2), []
    for _ in range(runs // AT_ONCE):
        values = draw(rng, (AT_ONCE, LOOKS))
        sums, squares = np.cumsum(values, axis=1), np.cumsum(np.square(values), axis=1)
        seen = np.minimum(sums / n, 1.0)
        variance = np.maximum(squares / n - np.square(seen), 0.0)
        for side, (m, at) in enumerate(((seen, mean), (1 - seen, 1 - mean))):
            with np.errstate(invalid="ignore", divide="ignore"):  # on the other side of the mean
                capital = (
                    linear.log_capital_of_share(m * n, n, at)
                    if of_shares
                    else linear.log_capital_of_mean(m, variance, n, at)
                )
            gone = (capital >= -np.log((1 - LEVEL) / 2)) & (m > at)
            crossed[side] += gone.any(axis=1).sum()
        there = np.array(SIZES) - 1
        at_sizes.append((seen[:, there], variance[:, there]))
    return crossed / runs, _widths(*map(np.concatenate, zip(*at_sizes, strict=True)), of_shares)


def _widths(seen, variance, of_shares):
    n = np.array(SIZES, float)
    if of_shares:
        ends, fixed = linear.beta_binomial(seen * n, n, LEVEL), interval.wilson(seen * n, n, LEVEL)
        usual = fixed[1] - fixed[0]
    else:
        ends = linear.gamma_exponential(seen, variance, n, LEVEL)
        usual = 2 * normal_quantile(LEVEL) * np.sqrt(variance / n)
    medians = [np.median(width, axis=0) for width in (ends[1] - ends[0], usual)]
    return [f"{own:.4f}, {other:.4f}" for own, other in zip(*medians, strict=True)]
