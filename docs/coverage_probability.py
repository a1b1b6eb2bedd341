"""Simulated coverage of what takes scores for probabilities: further tables for coverage.py."""

import numpy as np
from scipy.special import expit

from tallymark import estimate
from tallymark.inference.bootstrap.limits import kind_of
from tallymark.inference.hypothesis.calibration import hosmer_lemeshow, spiegelhalter
from tallymark.input.messages.notes import of_kind
from tallymark.measures import registry
from tallymark.summaries import ClassLogits, ClassScores, RankingTable

SAMPLES = 500  # +-1.9 % at 95 %
TESTED, ALPHA = 2_000, 0.05  # +-1 %
MANY = 2_000_000  # cases that stand for all there are
ROUNDING, FEW = 1e-12, 20
# kinds of interval
OVER_BINS = ("bins", "bins-of-equal-mass", "bins-of-answers", "bins-of-answers-of-equal-mass")
TWO = [
    ((0.0, 1.0), (0.5, 0.5), 200), ((0.01, 0.99), (0.3, 0.7), 200), ((0.001, 0.999), (0.3, 0.7), 1000),
    ((0.001, 0.002), (0.2, 0.4), 500),
]  # two probabilities, as often the one as the other; how often positives occur with each; cases  # fmt: skip
SETTINGS = [
    (50, 1.0, 0.0, 1.0, -0.5), (50, 2.0, 0.5, 1.5, -0.5), (200, 1.0, 0.0, 1.0, -0.5),
    (200, 2.0, 0.5, 1.0, -0.5), (200, 1.0, 0.0, 1.0, -2.5), (1000, 1.0, 0.0, 1.5, -0.5),
    (1000, 2.0, 0.5, 1.0, -0.5), (1000, 0.5, 0.0, 2.0, 0.0), (1000, 1.3, -0.3, 1.5, -3.0),
    (5000, 1.2, 0.0, 1.0, -0.5),
]  # cases; given logits are slope * z + shift of the true z, normal with this spread, mean  # fmt: skip


def calibration_tests() -> list[str]:
    """How often the tests of calibration reject at 5 % what is true, and how often they say that they are
    approximate."""
    rows = ["| cases | SD | mean | spiegelhalter | hosmer_lemeshow | with note |", "|---" * 6 + "|"]
    for seed, (n, spread, mean) in enumerate(
        [(50, 1.0, -0.5), (200, 1.0, -0.5), (200, 1.0, -2.5), (1000, 1.5, -0.5), (1000, 1.5, -3.0)]
    ):
        rng, found = np.random.default_rng(seed), []
        for _ in range(TESTED):
            p = expit(rng.normal(mean, spread, n))
            table = RankingTable.from_arrays(truth=rng.random(n) < p, score=p)
            z, chi = spiegelhalter(table), hosmer_lemeshow(table)
            found.append((z.p_value < ALPHA, chi.p_value < ALPHA, chi.note is not None))
        rejected = np.mean(found, axis=0)
        rows.append(
            f"| {n} | {spread} | {mean} | {rejected[0]:.3f} | {rejected[1]:.3f} | {rejected[2]:.0%} |"
        )
    return rows


def probabilities() -> list[str]:
    """Every measure of probabilities, calibrated in some settings, over-confident, timid or shifted in
    others."""
    names = _tabulated(RankingTable)
    found = [_of_probabilities(seed, names, *setting) for seed, setting in enumerate(SETTINGS)]
    found += [_of_two(seed, names, *setting) for seed, setting in enumerate(TWO)]
    rows = [
        "| measure | lowest without a note | at | highest | at | lowest with a note | at |",
        "|---" * 7 + "|",
    ]
    return rows + [f"| {name} | {_ends([one[name] for one in found], [*SETTINGS, *TWO])} |" for name in names]


def _tabulated(summary):
    """Measures of probabilities; deviations over bins are simulated by coverage_bins.py."""
    return [
        entry.name
        for entry in registry.find(summary)
        if entry.needs_probabilities and kind_of(entry) not in OVER_BINS
    ]


def _of_probabilities(seed, names, cases, slope, shift, spread, mean):
    rng = np.random.default_rng(seed)
    z = rng.normal(mean, spread, MANY)
    order = np.argsort(-z)
    whole = RankingTable.of(expit(slope * z + shift)[order], expit(z)[order], expit(-z)[order])

    def drawn():
        z = rng.normal(mean, spread, cases)
        return RankingTable.from_arrays(truth=rng.random(cases) < expit(z), score=expit(slope * z + shift))

    return _held_each(names, whole, drawn)


def _of_two(seed, names, given, rates, cases):
    rng, half = np.random.default_rng(seed), np.array(rates) / 2
    whole = RankingTable.of(
        np.array(given)[::-1].copy(), half[::-1].copy() * MANY, (0.5 - half)[::-1].copy() * MANY
    )

    def drawn():
        which = rng.integers(0, 2, cases)
        return RankingTable.from_arrays(
            truth=rng.random(cases) < np.array(rates)[which], score=np.array(given)[which]
        )

    return _held_each(names, whole, drawn)


def _held_each(names, whole, drawn):
    """Of each measure the share of samples whose interval holds the value of all cases."""
    true = {name: registry.get(name, RankingTable).function(whole) for name in names}
    found = {name: [] for name in names}
    for _ in range(SAMPLES):
        table = drawn()
        for name in names:
            found[name].append(estimate(name, table))
    return {name: _held(found[name], true[name]) for name in names}


def _held(found, true):
    """Of the samples with an interval the share that holds the true value, and the share with a note; NaN
    where few have one."""
    known = [one for one in found if one.has_interval]
    if len(known) < FEW:
        return np.nan, np.nan
    inside = [one.low - ROUNDING <= true <= one.high + ROUNDING for one in known]
    return np.mean(inside), np.mean([bool(of_kind(one.notes, "approximate")) for one in known])


def _ends(held, settings):
    """The lowest and the highest share where most samples have no note, and the lowest where most have
    one."""
    sure = [i for i, (_, noted) in enumerate(held) if noted < 0.5]
    noted = [i for i, (_, share) in enumerate(held) if share >= 0.5]
    chosen = [
        pick(some, key=lambda i: held[i][0]) if some else None
        for pick, some in ((min, sure), (max, sure), (min, noted))
    ]
    return " | ".join(" | " if i is None else f"{held[i][0]:.3f} | {settings[i]}" for i in chosen)


CLASS_SETTINGS = [
    (classes, cases, slope) for classes in (3, 6) for cases in (100, 400, 2000) for slope in (1.0, 2.0)
]


def class_probabilities() -> list[str]:
    """Measures of a score per class: the logits given are the true ones, or twice as far apart."""
    names = _tabulated(ClassScores)
    found = [_of_classes(seed, names, *setting) for seed, setting in enumerate(CLASS_SETTINGS)]
    rows = [
        "| measure | lowest without a note | at | highest | at | lowest with a note | at |",
        "|---" * 7 + "|",
    ]
    return rows + [f"| {name} | {_ends([one[name] for one in found], CLASS_SETTINGS)} |" for name in names]


def _of_classes(seed, names, classes, cases, slope):
    rng = np.random.default_rng(seed)
    whole = _logits(rng, MANY // 4, classes, slope)
    true = {name: registry.get(name, ClassScores).function(whole) for name in names}
    drawn = [_logits(rng, cases, classes, slope) for _ in range(SAMPLES)]
    return {name: _held([estimate(name, one) for one in drawn], true[name]) for name in names}


def _logits(rng, cases, classes, slope):
    z = rng.normal(0, 1.5, (cases, classes))
    truth = (z + rng.gumbel(size=z.shape)).argmax(1)  # a draw by softmax of z
    return ClassLogits.from_arrays(truth=truth, score=slope * z, classes=range(classes))
