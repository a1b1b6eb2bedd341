"""Simulates intervals of calibration errors over bins; writes its table of intervals_of_maxima.md.

python docs/coverage_bins.py 1000    # samples of each setting
"""

from __future__ import annotations

import sys
from itertools import product

import numpy as np
from coverage_maxima import write
from scipy.special import expit, logit

from tallymark.inference import Settings, estimate
from tallymark.inference.intervals.scale import normal_quantile
from tallymark.measures import registry
from tallymark.measures.families.bins import of_equal_mass, of_equal_width
from tallymark.summaries import RankingTable

LEVEL = 0.95
MEASURES = (
    "expected_calibration_error", "adaptive_calibration_error", "maximum_calibration_error",
    "rms_calibration_error", "debiased_ece", "debiased_rmsce",
)  # fmt: skip
MODELS = {
    "calibrated": (0.0, 1.0),
    "too extreme": (0.0, 2.0),
    "too high": (0.7, 1.0),
    "both": (0.4, 1.6),
}  # shift and factor of the logits
SETTINGS = list(
    product(MODELS, ((60, 0.5), (300, 0.1), (1_000, 0.3)), (1.0, 2.0))
)  # model, cases and prevalence, spread of the logits
WHOLE = 1_000_000


def cases(rng, number, model, prevalence, spread):
    """Probabilities given, and classes drawn with the true ones."""
    true = rng.normal(logit(prevalence), spread, number)
    shift, factor = MODELS[model]
    return expit(shift + factor * true), rng.random(number) < expit(true)


def bootstrap(entry, table, value, rng):
    """About a debiased centre: the value less what resamples of the cases have more."""
    bins = (of_equal_mass if "adaptive" in entry.name else of_equal_width)(table, 10)
    there = bins.weight > 0
    weight, rate = bins.weight[there], bins.rate[there]
    drawn = rng.binomial(weight.astype(int), rate, (500, len(weight)))
    norm = entry.interval.of[-1]
    again = np.asarray(
        norm(
            type(bins)(
                np.broadcast_to(weight, drawn.shape),
                drawn * 1.0,
                np.broadcast_to(bins.expected[there], drawn.shape),
            )
        )
    )
    step, centre = normal_quantile(LEVEL) * again.std(), max(2 * value - again.mean(), 0.0)
    return max(centre - step, 0.0), centre + step


def simulate(model, size, spread, samples, seed=0):
    """By measure and method: coverage, mean width, error of the value over it."""
    rng = np.random.default_rng([seed, SETTINGS.index((model, size, spread))])
    given, truth = cases(rng, WHOLE, model, size[1], spread)
    shift, factor = MODELS[model]
    chance = expit((logit(given) - shift) / factor)
    order = np.argsort(-given)
    whole = RankingTable.of(given[order], chance[order], 1 - chance[order])
    entries = [registry.get(name, RankingTable) for name in MEASURES]
    true = {
        entry.name: float(
            entry.interval.of[0]((of_equal_mass if "adaptive" in entry.name else of_equal_width)(whole, 10))
        )
        for entry in entries
    }
    found = {(entry.name, method): [] for entry in entries for method in ("inverted", "debiased bootstrap")}
    for number in range(samples):
        given, truth = cases(rng, size[0], model, size[1], spread)
        table = RankingTable.from_arrays(truth=truth, score=given, positive=True)
        for entry in entries:
            one = estimate(entry, table, Settings(seed=number))
            found[entry.name, "inverted"].append((one.low, one.high, one.value))
            found[entry.name, "debiased bootstrap"].append(
                (*bootstrap(entry, table, one.value, rng), one.value)
            )
    return {key: _summary(np.array(rows), true[key[0]]) for key, rows in found.items()}


def _summary(rows, true):
    low, high, value = rows.T
    width = (high - low).mean()
    return ((low <= true + 1e-9) & (true <= high + 1e-9)).mean(), width, (value.mean() - true) / width


def main() -> None:
    """The number of samples."""
    found = {
        setting: simulate(*setting, int(sys.argv[1]) if len(sys.argv) > 1 else 1_000) for setting in SETTINGS
    }
    rows = ["| measure | method | lowest | at | mean | highest | at | mean width |", "|---" * 8 + "|"]
    for measure, method in found[SETTINGS[0]]:
        held = {setting: one[measure, method] for setting, one in found.items()}
        ends = [pick(held, key=lambda setting, held=held: held[setting][0]) for pick in (min, max)]
        cells = [
            f"{held[at][0]:.3f} | {at[0]}, n = {at[1][0]}, prevalence {at[1][1]}, spread {at[2]:g}"
            for at in ends
        ]
        mean, width = (np.mean([one[i] for one in held.values()]) for i in (0, 1))
        rows.append(f"| {measure} | {method} | {cells[0]} | {mean:.3f} | {cells[1]} | {width:.3f} |")
    write("bins", rows)
    print("\n".join(rows))


if __name__ == "__main__":
    main()
