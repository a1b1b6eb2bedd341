"""Simulated coverage of measures of answers: cohorts, fixed class sizes and weights; further tables for
coverage.py."""

from collections.abc import Callable

import numpy as np

from tallymark import ConfusionMatrix, Counts, Settings, estimate
from tallymark.evaluation.class_measures import ManyClasses
from tallymark.inference import estimate_each
from tallymark.input.messages.notes import of_kind
from tallymark.measures import registry
from tallymark.measures.registry import average_of

SAMPLES = 1000  # +-1.4 %
MEASURES = (
    "accuracy", "sensitivity", "specificity", "precision", "negative_predictive_value", "f1",
    "matthews_correlation", "cohen_kappa", "balanced_accuracy", "youden_j", "markedness",
    "positive_likelihood_ratio", "negative_likelihood_ratio", "diagnostic_odds_ratio", "lift",
    "geometric_mean", "prevalence", "predicted_prevalence",
)  # fmt: skip
RATES = ((0.8, 0.9), (0.7, 0.7), (0.95, 0.95))  # sensitivity and specificity
MIXES = ((30, 30), (30, 120), (50, 950))  # positives and negatives, on average or fixed
SPREADS = (0.5, 1.0)  # standard deviation of the logarithm of sampling weights
UNVERIFIED = 10.0  # weight of a verified case that is predicted negative
SHARES = np.array([0.5, 0.3, 0.2])  # of three classes
ACCURACIES = (0.7, 0.9)

Drawn = tuple[Counts, Counts]  # samples, and what holds for all cases


def cells(positives: float, negatives: float, rates: tuple[float, float]) -> np.ndarray:
    """The expected counts."""
    se, sp = rates
    return np.array([positives * se, negatives * (1 - sp), positives * (1 - se), negatives * sp])


def weighed(numbers: np.ndarray, weights: np.ndarray) -> Counts:
    """Samples of cases of the same weight in each cell; numbers: shape (samples, 4)."""
    squares = Counts.of(*np.ascontiguousarray((numbers * weights**2).T, float))
    return Counts.of(*np.ascontiguousarray((numbers * weights).T, float), squares=squares)


def cohort(random: np.random.Generator, mix: tuple, rates: tuple) -> Drawn:
    """Cases as they come."""
    mean = cells(*mix, rates)
    drawn = random.multinomial(sum(mix), mean / mean.sum(), SAMPLES)
    return Counts.of(*drawn.T.astype(float)), Counts.of(*mean)


def held(random: np.random.Generator, mix: tuple, rates: tuple) -> Drawn:
    """So many cases of each class."""
    return Counts.of(*_of_classes(random, mix, rates).T.astype(float)), Counts.of(*cells(*mix, rates))


def _of_classes(random, mix, rates):
    tp, tn = (random.binomial(size, rate, SAMPLES) for size, rate in zip(mix, rates, strict=True))
    return np.stack([tp, mix[1] - tn, mix[0] - tp, tn], axis=1)


def class_weights(random: np.random.Generator, mix: tuple, rates: tuple) -> Drawn:
    """A cohort whose classes are weighed to be of the same size on average."""
    mean, weights = cells(*mix, rates), _balanced(mix)
    drawn = random.multinomial(sum(mix), mean / mean.sum(), SAMPLES)
    return weighed(drawn, weights), Counts.of(*mean * weights)


def class_weights_held(random: np.random.Generator, mix: tuple, rates: tuple) -> Drawn:
    """So many cases of each class, which are weighed to be of the same size."""
    weights = _balanced(mix)
    return weighed(_of_classes(random, mix, rates), weights), Counts.of(*cells(*mix, rates) * weights)


def _balanced(mix):
    positive, negative = (sum(mix) / (2 * size) for size in mix)
    return np.array([positive, negative, positive, negative])


def two_phase(random: np.random.Generator, mix: tuple, rates: tuple) -> Drawn:
    """Of a cohort all that are predicted positive are verified, and a tenth of the others; so many that the
    mix is verified."""
    weights = np.array([1.0, 1.0, UNVERIFIED, UNVERIFIED])
    mean = cells(*mix, rates)
    scale = max(1.0, sum(mix) / (mean / weights).sum())
    seen = mean * scale / weights
    drawn = random.poisson(seen, (SAMPLES, 4))
    return weighed(drawn, weights), Counts.of(*mean)


def sampling(spread: float) -> Callable[[np.random.Generator, tuple, tuple], Drawn]:
    """A cohort with lognormal weights that have nothing to do with class and prediction."""

    def draw(random: np.random.Generator, mix: tuple, rates: tuple) -> Drawn:
        mean, size = cells(*mix, rates), sum(mix)
        place = random.choice(4, (SAMPLES, size), p=mean / mean.sum()) + 4 * np.arange(SAMPLES)[:, None]
        weight = random.lognormal(0.0, spread, place.shape)
        sums, squares = (
            np.bincount(place.ravel(), part.ravel(), 4 * SAMPLES).reshape(SAMPLES, 4).T.copy()
            for part in (weight, weight**2)
        )
        return Counts.of(*sums, squares=Counts.of(*squares)), Counts.of(*mean)

    return draw


WAYS: dict[str, tuple[Callable[[np.random.Generator, tuple, tuple], Drawn], str]] = {
    "cohort": (cohort, "cohort"),
    "case-control": (held, "case-control"),
    "class weights, cohort": (class_weights, "cohort"),
    "class weights, case-control": (class_weights_held, "case-control"),
    "two-phase verification": (two_phase, "cohort"),
    **{f"sampling weights, sd {spread:g}": (sampling(spread), "cohort") for spread in SPREADS},
}


def of_counts(names: tuple = MEASURES, ways: dict = WAYS, mixes: tuple = MIXES, rates: tuple = RATES) -> dict:
    """By way and measure, of each setting (share covered, share with a note of few cases, share with an
    interval)."""
    found: dict = {}
    for way, (draw, design) in ways.items():
        for place, (mix, pair) in enumerate((mix, pair) for mix in mixes for pair in rates):
            counts, true = draw(np.random.default_rng([0, place]), mix, pair)
            for name in names:
                value = float(registry.get(name, Counts).function(true))
                each = estimate_each(name, counts, Settings(design=design))
                found.setdefault((way, name), {})[mix, pair] = covered(each, value)
    return found


def covered(each: list, value: float) -> tuple[float, float, float]:
    """Of estimates with an interval the share that covers, the share noted as approximate or with halves;
    their share of all."""
    there = [one for one in each if one.has_interval]
    if not there:
        return np.nan, np.nan, 0.0
    held = np.mean([one.low - 1e-9 <= value <= one.high + 1e-9 for one in there])
    return (
        float(held),
        float(np.mean([bool(of_kind(one.notes, "approximate")) for one in there])),
        len(there) / len(each),
    )


def answers_by_design() -> list[str]:
    """By measure and way of sampling, the lowest and the highest coverage; in brackets where most samples are
    noted."""
    found = of_counts()
    rows = [f"| measure | {' | '.join(WAYS)} |", "|---" * (1 + len(WAYS)) + "|"]
    return rows + [
        f"| {name} | {' | '.join(_ends(found[way, name].values()) for way in WAYS)} |" for name in MEASURES
    ]


def _ends(shares):
    """Of the settings in which most samples have no note; in brackets of the others."""
    parts = [
        [held for held, few, there in shares if there > 0.5 and (few > 0.5) == noted]
        for noted in (False, True)
    ]
    plain, noted = (f"{min(part):.3f} to {max(part):.3f}" if part else "" for part in parts)
    return " ".join(part for part in (plain, f"({noted})" if noted else "") if part) or "none"


def classes_by_design() -> list[str]:
    """Three classes, half, three and two tenths of the cases."""
    names = (
        "accuracy",
        "cohen_kappa",
        "macro sensitivity",
        "macro precision",
        "macro f1",
        "weighted precision",
    )
    rows = [f"| design | weights | cases | accuracy | {' | '.join(names)} |", "|---" * (4 + len(names)) + "|"]
    seed = 0
    for design in ("cohort", "case-control"):
        for spread in (0.0, 1.0):
            for size in (150, 600):
                for right in ACCURACIES:
                    seed += 1
                    shares = of_classes(
                        np.random.default_rng(seed), design, spread, size, right, names, SAMPLES // 4
                    )
                    kind = f"lognormal, sd {spread:g}" if spread else "none"
                    rows.append(
                        f"| {design} | {kind} | {size} | {right} |"
                        f" {' | '.join(f'{one:.3f}' for one in shares)} |"
                    )
    return rows


def of_classes(
    random: np.random.Generator,
    design: str,
    spread: float,
    size: int,
    right: float,
    names: tuple,
    samples: int,
) -> list[float]:
    """Coverage of measures of a matrix, and of averages."""
    joint = SHARES[:, None] * ((1 - right) / 2 + np.eye(3) * (right - (1 - right) / 2))
    whole = ConfusionMatrix((0, 1, 2), joint)
    true = [_value(whole, name) for name in names]
    held = np.zeros(len(names))
    for _ in range(samples):
        if design == "cohort":
            cell = random.choice(9, size, p=joint.ravel())
        else:
            truth = np.repeat(np.arange(3), np.rint(size * SHARES).astype(int))
            wrong = (truth + random.integers(1, 3, len(truth))) % 3
            cell = 3 * truth + np.where(random.random(len(truth)) < right, truth, wrong)
        weight = random.lognormal(0.0, spread, len(cell))
        sums, squares = (np.bincount(cell, part, 9).reshape(3, 3) for part in (weight, weight**2))
        matrix = ConfusionMatrix((0, 1, 2), sums, squares if spread else None)
        many = ManyClasses(matrix, Settings(design=design), {})
        found = [_estimate(matrix, many, name, design) for name in names]
        held += [one.low <= value <= one.high for one, value in zip(found, true, strict=True)]
    return (held / samples).tolist()


def _value(matrix, name):
    kind, _, measure = name.rpartition(" ")
    if kind:
        return average_of(kind, registry.get(measure, Counts).function, matrix)
    return float(registry.get(name, ConfusionMatrix).function(matrix))


def _estimate(matrix, many, name, design):
    kind, _, measure = name.rpartition(" ")
    return many.averages[kind][measure] if kind else estimate(name, matrix, Settings(design=design))


if __name__ == "__main__":
    print("\n".join([*answers_by_design(), "", *classes_by_design()]))
