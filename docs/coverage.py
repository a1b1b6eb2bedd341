"""Simulates how often each interval holds the true value; writes the tables of intervals.md and retraining.md
between their marks.

python docs/coverage.py                  # an hour; the seed is fixed, so the same tables come again
python docs/coverage.py probabilities    # some of the tables, by name
"""

import re
import sys
from itertools import product
from pathlib import Path

import numpy as np
from coverage_answers import answers
from coverage_bands import curves, reliability_bands
from coverage_bootstrap import bootstraps, class_mixes, groups_of_cases
from coverage_counts import answers_by_design, classes_by_design
from coverage_folds import folds
from coverage_intervals import areas, proportions
from coverage_probability import calibration_tests, class_probabilities, probabilities
from coverage_rankings import rankings, scores, tables
from coverage_retraining import rejections, retraining
from coverage_tests import differences, errors, margins

from tallymark import at_prevalence
from tallymark.evaluation.behaviour import changes_with_class_mix
from tallymark.evaluation.class_measures import ManyClasses
from tallymark.inference import Settings, bounds_each, estimate
from tallymark.inference.covariance import sampling_of
from tallymark.inference.intervals.kinds import Question, interval_of
from tallymark.measures import registry
from tallymark.measures.registry import AVERAGES
from tallymark.summaries import ConfusionMatrix, Counts

PAGE = Path(__file__).parent / "intervals.md"
LEVEL = 0.95
SAMPLES = 2_000  # of each setting: the coverage is known to +-1 %
MATRIX_SAMPLES = 1_000  # +-1.4 %
PREVALENCE_SAMPLES = 500  # +-2 %
REPLICATES = 1_000
ROUNDING = 1e-12


def counts() -> list[str]:
    """Every measure of counts, and at another prevalence: the lowest and the highest share over the settings,
    and the worst one."""
    found = {seed: _of_counts(seed, *setting) for seed, setting in enumerate(SETTINGS)}
    enough = [seed for seed, setting in enumerate(SETTINGS) if _smaller_class(setting) >= ENOUGH]
    header = [
        "measure",
        "lowest",
        "at",
        "with note",
        "highest",
        "at",
        "with note",
        "few cases",
    ]
    rows = [f"| {' | '.join(header)} |", "|---" * len(header) + "|"]
    for name in found[0]:
        held = {seed: found[seed][name][0] for seed in found}
        ends = [pick(enough, key=held.__getitem__) for pick in (min, max)]
        cells = [
            cell
            for seed in ends
            for cell in (f"{held[seed]:.3f}", f"{SETTINGS[seed]}", f"{found[seed][name][1]:.0%}")
        ]
        few = [held[seed] for seed in found if seed not in enough]
        cells.append(f"{min(few):.3f} to {max(few):.3f}")
        rows.append(f"| {name} | {' | '.join(cells)} |")
    return rows


ENOUGH = 20  # cases of the smaller class, as expected
SETTINGS = [
    *product((100, 400), (0.5, 0.2), (0.5, 0.7, 0.95), (0.8, 0.95)),
    (2000, 0.02, 0.9, 0.9), (2000, 0.02, 0.6, 0.99), (10_000, 0.01, 0.8, 0.98), (400, 0.05, 0.7, 0.9),
    (400, 0.05, 0.95, 0.95), (100, 0.5, 0.5, 0.5), (1000, 0.3, 0.2, 0.8), (40, 0.5, 0.7, 0.8),
    (40, 0.5, 0.95, 0.95), (40, 0.2, 0.7, 0.9), (60, 0.2, 0.9, 0.9), (200, 0.05, 0.7, 0.95),
    (1000, 0.01, 0.8, 0.9),
]  # fmt: skip


def _smaller_class(setting):
    n, prevalence, *_ = setting
    return n * min(prevalence, 1 - prevalence)


def _of_counts(seed, n, prevalence, sensitivity, specificity):
    p, q = prevalence, 1 - prevalence
    shares = np.array([p * sensitivity, q * (1 - specificity), p * (1 - sensitivity), q * specificity])
    drawn = Counts.of(*np.random.default_rng(seed).multinomial(n, shares, SAMPLES).astype(float).T)
    expected = Counts.of(*(n * shares))
    return {entry.name: _share_held(entry, drawn, expected) for entry in registry.find(Counts)}


def _share_held(entry, drawn, expected):
    """The shares of samples whose interval holds the true value, and that have a note.

    Where there is no interval the note says why, and nothing false is said.
    """
    settings = Settings(level=LEVEL)
    with np.errstate(divide="ignore", invalid="ignore"):
        values, truth = np.asarray(entry.function(drawn), float), float(entry.function(expected))
        found = interval_of(Question(entry, entry.function, drawn, values, settings))
    inside = (found.low - ROUNDING <= truth) & (truth <= found.high + ROUNDING) | np.isnan(found.low)
    noted = np.broadcast_to(np.asarray(found.note, object), values.shape) != None  # noqa: E711  # entry by entry
    return inside[~np.isnan(values)].mean(), noted.mean()


def classes() -> list[str]:
    """Measures of a whole matrix, and averages over its classes."""
    averages = [(kind, name) for kind in AVERAGES for name in AVERAGED]
    names = [entry.name for entry in registry.find(ConfusionMatrix)] + [
        f"{kind} {name}" for kind, name in averages
    ]
    found = [_of_matrix(seed, *setting) for seed, setting in enumerate(MATRICES)]
    rows = ["| measure | lowest | at | with note | highest | at | with note |", "|---" * 7 + "|"]
    for i, name in enumerate(names):
        held = [inside[i] for inside, _ in found]
        cells = [
            (held[at], _said(*MATRICES[at]), f"{found[at][1][i]:.0%}")
            for at in (int(np.argmin(held)), int(np.argmax(held)))
        ]
        rows.append(
            f"| {name} | "
            + " | ".join(f"{share:.3f} | {where} | {noted}" for share, where, noted in cells)
            + " |"
        )
    return rows


AVERAGED = ("sensitivity", "specificity", "precision", "f1", "jaccard", "matthews_correlation")
MATRICES = [
    (classes, cases, skew, right)
    for classes, cases in ((3, 60), (3, 150), (3, 1000), (5, 300), (5, 2000), (10, 400), (10, 1000))
    for skew, right in ((0, 0.6), (0, 0.9), (1, 0.8))
]  # classes, cases, whether the sizes fall by halves (not below a twentieth), share right


def _said(classes, cases, skew, right):
    return f"{classes} classes, {cases} cases{', uneven' * skew}, accuracy {right}"


def _of_matrix(seed, classes, cases, skew, right):
    sizes = np.maximum(0.5 ** (skew * np.arange(classes)), 0.05)
    spread = np.random.default_rng(classes).dirichlet(np.ones(classes), classes) * (1 - np.eye(classes))
    shares = (sizes / sizes.sum())[:, None] * (
        right * np.eye(classes) + (1 - right) * spread / spread.sum(1, keepdims=True)
    )
    truth = np.array([value for value, *_ in _measured(shares * cases)])
    drawn = (
        np.random.default_rng(seed)
        .multinomial(cases, shares.ravel(), MATRIX_SAMPLES)
        .reshape(-1, classes, classes)
    )
    inside, noted = [], []
    for weights in drawn:
        _, low, high, notes = (np.array(part) for part in zip(*_measured(weights), strict=True))
        inside.append((low - ROUNDING <= truth) & (truth <= high + ROUNDING) | np.isnan(low))
        noted.append(notes)
    return np.mean(inside, 0), np.mean(noted, 0)


def _measured(weights):
    """Value, bounds and whether there is a note, of each row of the table."""
    matrix = ConfusionMatrix(tuple(range(len(weights))), weights)
    many = ManyClasses(matrix, Settings(level=LEVEL), {})
    found = [estimate(entry, matrix) for entry in registry.find(ConfusionMatrix)]
    found += [many.averages[kind][name] for kind in AVERAGES for name in AVERAGED]
    return [(one.value, one.low, one.high, one.note is not None) for one in found]


def prevalences() -> list[str]:
    """Measures of counts at another prevalence, of those that it changes."""
    settings = [
        *product((100, 400), (0.5, 0.2), (0.7, 0.95), (0.8, 0.95)),
        (2000, 0.02, 0.9, 0.9),
        (400, 0.05, 0.7, 0.9),
    ]
    asked = [(setting, share) for setting in settings for share in (0.01, 0.3)]
    found = [_at_prevalence(seed, *setting, share) for seed, (setting, share) in enumerate(asked)]
    rows = ["| measure | lowest | at | to | highest | at | to |", "|---" * 7 + "|"]
    for name in found[0]:
        held = [one[name] for one in found]
        ends = [int(np.argmin(held)), int(np.argmax(held))]
        rows.append(
            f"| {name} | " + " | ".join(f"{held[i]:.3f} | {asked[i][0]} | {asked[i][1]}" for i in ends) + " |"
        )
    return rows


def _at_prevalence(seed, n, prevalence, sensitivity, specificity, share):
    p, q = prevalence, 1 - prevalence
    shares = np.array([p * sensitivity, q * (1 - specificity), p * (1 - sensitivity), q * specificity])
    drawn = np.random.default_rng(seed).multinomial(n, shares, PREVALENCE_SAMPLES).astype(float)
    truth = at_prevalence(Counts.of(*(n * shares)), prevalence=share)
    tables = Counts.of(*drawn[drawn[:, 0] + drawn[:, 2] > 0].T)
    sampling, sizes = sampling_of(tables, fixed=True), np.stack([tables.negatives, tables.positives], -1)
    factor = np.array([1 - share, share]) * tables.total[:, None] / sizes
    sampling = sampling.reweighted(factor[:, sampling.stratum])
    counts, settings = Counts.of(*sampling.weight.T), Settings(design="case-control")
    held = {}
    for entry in filter(changes_with_class_mix, registry.find(Counts)):
        value, low, high = bounds_each(entry, counts, settings, sampling)
        outside = (low > truth[entry.name].value + ROUNDING) | (high < truth[entry.name].value - ROUNDING)
        if not np.isnan(low).all():
            held[entry.name] = 1 - outside[~np.isnan(value)].mean()
    return held


def main() -> None:
    """Puts each table, or those named, between its marks."""
    parts = (proportions, counts, classes, prevalences, tables, rankings, scores)
    parts += (
        areas,
        probabilities,
        calibration_tests,
        class_probabilities,
        bootstraps,
        groups_of_cases,
        class_mixes,
    )
    parts += (curves, reliability_bands, answers_by_design, classes_by_design)
    write(PAGE, parts)
    write(PAGE.with_name("retraining.md"), (retraining, rejections, folds))
    write(PAGE.with_name("compare.md"), (errors, answers, margins, differences))


def write(path: Path, parts: tuple) -> None:
    """The tables of one page, or those of them that are named."""
    page = path.read_text(encoding="utf-8")
    for part in (one for one in parts if not sys.argv[1:] or one.__name__ in sys.argv[1:]):
        mark = f"<!-- {part.__name__} -->"
        text = "\n".join(part())
        page = re.sub(
            f"{mark}.*?{mark}", lambda _, mark=mark, text=text: f"{mark}\n{text}\n{mark}", page, flags=re.S
        )
    path.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
