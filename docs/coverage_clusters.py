"""Simulated coverage of intervals of cases in groups and of comparisons of persons; writes its tables into
the pages.

python docs/coverage_clusters.py                              # the seed is fixed, so the same tables come
again python docs/coverage_clusters.py persons --samples 4000       # one of the tables, of so many samples a
setting
"""

import argparse
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np
from scipy.special import expit, stdtrit
from scipy.stats import norm

from tallymark import Estimate, evaluate, measures
from tallymark.inference import Settings, estimate
from tallymark.inference.clustered import Clusters, Persons
from tallymark.inference.intervals.scale import Scale
from tallymark.measures import registry
from tallymark.summaries import Counts, RankingTable
from tallymark.summaries.cases import ScoredCases

PAGES = {"groups": "intervals.md", "persons": "intervals.md", "maxima": "intervals_of_maxima.md"}
SAMPLES, SEED = 300, 14
GROUPS = 40
ALIKE = (0.05, 0.3, 1.0)  # correlations within groups
SIZES = {
    "8 each": lambda rng: np.full(GROUPS, 8),
    "1 to 100": lambda rng: rng.integers(1, 101, GROUPS),
    "lognormal": lambda rng: np.ceil(np.exp(rng.normal(1.5, 1, GROUPS))).astype(int),
    "100 / rank": lambda rng: np.ceil(100 / np.arange(1, GROUPS + 1)).astype(int),
}
OF_GROUPS = (
    *("sensitivity", "accuracy", "f1", "matthews_correlation", "roc_auc", "brier_score"),
    *("average_precision", "calibration_slope"),
)
FROM = float(expit(-0.4))  # predicted positive

# persons, samples of each, share of their effects
DESIGNS = [(40, 3, 0.6), (40, 3, 0.2), (40, 3, 0.0), (100, 2, 0.6)]
MATED, RARE = 2.5, 3.0
OF_PERSONS = {
    "FMR at a threshold": ("false_positive_rate", {}, norm.isf(0.05), 0.05),
    "FMR of 0.0013": ("false_positive_rate", {}, RARE, norm.sf(RARE)),
    "FNMR at a threshold": ("false_negative_rate", {}, 1.5, norm.cdf(1.5 - MATED)),
    "FNMR at FMR 1 %": ("fnmr_at_fmr", {"fmr": 0.01}, None, norm.cdf(norm.isf(0.01) - MATED)),
    "equal error rate": ("equal_error_rate", {}, None, norm.cdf(-MATED / 2)),
    "roc_auc": ("roc_auc", {}, None, norm.cdf(MATED / np.sqrt(2))),
}
TWO_WAY = 200  # resamples of the persons

MAXIMA: dict[str, dict] = {
    "kolmogorov_smirnov": {},
    "h_measure": {},
    "min_cllr": {},
    "equal_error_rate_hull": {},
    "auc_pr_min": {},
    "precision_at_recall": {"recall": 0.8},
}
IN_GROUPS = [(40, 0.3), (100, 0.3)]  # groups of lognormal sizes, correlation within them
CELLS = 100_000  # of the true distributions
Bounds = tuple[float, float]


def groups(samples: int) -> list[str]:
    """40 groups of several distributions of sizes."""
    head = [
        "sizes",
        "correlation",
        "effective clusters",
        *OF_GROUPS,
    ]
    rows = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    true = _true()
    for kind, draw in SIZES.items():
        for alike in ALIKE:
            rng, held, effective = np.random.default_rng(SEED), {name: [] for name in OF_GROUPS}, []
            for _ in range(samples):
                sizes = draw(rng)
                effective.append(sizes.sum() ** 2 / (sizes**2).sum())
                for name, one in _of_groups(*_cases(sizes, alike, rng)):
                    held[name].append((one.low <= true[name] <= one.high, bool(one.notes)))
            shares = (np.mean(part, axis=0) for part in held.values())
            cells = [f"{share:.3f} ({noted:.0%})" for share, noted in shares]
            rows.append(f"| {' | '.join([kind, f'{alike:g}', f'{np.mean(effective):.1f}', *cells])} |")
            print(rows[-1], flush=True)
    return rows


def _cases(sizes, alike, rng):
    """Classes and scores of which a share of the variance is that of the groups."""
    group = np.repeat(np.arange(len(sizes)), sizes)
    own, common = np.sqrt(1 - alike), np.sqrt(alike)
    truth = common * rng.normal(size=len(sizes))[group] + own * rng.normal(size=len(group)) > norm.isf(0.4)
    noise = common * rng.normal(size=len(sizes))[group] + own * rng.normal(size=len(group))
    return truth, np.round(expit(1.2 * (1.2 * truth + noise - 0.6) - 0.4), 6), group


def _true():
    truth, score, _ = _cases(np.ones(2_000_000, int), 0.0, np.random.default_rng(SEED))
    table = RankingTable.from_arrays(truth=truth, score=score)
    counts = table.counts_at(FROM)
    return {
        name: float(getattr(measures, name).function(counts if _counted(name) else table))
        for name in OF_GROUPS
    }


def _counted(name):
    return getattr(measures, name).summary is Counts


def _of_groups(truth, score, group) -> Iterator[tuple[str, Estimate]]:
    """By measure, the estimate; a sample without an interval is left out."""
    if truth.all() or not truth.any():
        return
    found = evaluate(truth=truth, score=score, clusters=group, threshold=FROM)
    yield from ((name, found[name]) for name in OF_GROUPS if found[name].has_interval)


def persons(samples: int) -> list[str]:
    """All against all: by persons, two-way resamples of the persons, and as if comparisons were
    independent."""
    head = [
        "persons x samples",
        "share of persons",
        "measure",
        "by persons",
        "two-way bootstrap",
        "as independent",
    ]
    rows = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    for number, of_each, effect in DESIGNS:
        rng, held = np.random.default_rng(SEED), {name: [] for name in OF_PERSONS}
        for _ in range(samples):
            for name, found in _of_persons(*comparisons(number, of_each, effect, rng), rng):
                held[name].append([low <= OF_PERSONS[name][3] <= high for low, high in found])
        for name, part in held.items():
            shares = " | ".join(f"{share:.3f}" for share in np.mean(part, axis=0))
            rows.append(f"| {number} x {of_each} | {effect:g} | {name} | {shares} |")
            print(rows[-1], flush=True)
    return rows


def comparisons(number: int, of_each: int, effect: float, rng: np.random.Generator) -> tuple:
    """Which are mated, the scores, and both persons. The scores are standard normal, those of mated ones
    higher, with a part in common for each person."""
    person = np.repeat(np.arange(number), of_each)
    one, other = (person[end] for end in np.triu_indices(len(person), 1))
    mated, of_mated, of_other = one == other, rng.normal(size=number), rng.normal(size=number)
    shared = np.where(mated, of_mated[one], (of_other[one] + of_other[other]) / np.sqrt(2))
    score = MATED * mated + np.sqrt(effect) * shared + np.sqrt(1 - effect) * rng.normal(size=len(one))
    return mated, np.round(score, 4), one, other


def _of_persons(mated, score, one, other, rng) -> Iterator[tuple[str, list[Bounds]]]:
    known = Persons(ScoredCases.from_arrays(truth=mated, score=score), one, other)
    table = known.cases.table
    base, drawn = _two_way(known.pairs, one, other, rng)
    for name, (measure, given, limit, _) in OF_PERSONS.items():
        entry = registry.get(measure, RankingTable if limit is None else Counts)
        summary = table if limit is None else table.counts_at(limit)
        ours, alone = (
            known.estimate(entry, summary, Settings(), given, limit),
            estimate(entry, summary, **given),
        )
        resampled = (base, drawn) if limit is None else (_at(base, limit), _at(drawn, limit))
        yield (
            name,
            [(ours.low, ours.high), _spread(entry, given, *resampled, known.number), (alone.low, alone.high)],
        )


def _two_way(pairs, one, other, rng):
    """Tables in which a comparison of two persons has the product of how often they are drawn as its weight
    (Owen 2007)."""
    base, rows = pairs.rows
    number = int(max(one.max(), other.max())) + 1
    times = rng.multinomial(number, np.full(number, 1 / number), TWO_WAY).astype(float)
    low, high = np.minimum(one, other), np.maximum(one, other)
    found = np.unique(low.astype(np.int64) * number + high)
    first, second = found // number, found % number
    weight = np.where(first == second, times[:, first], times[:, first] * times[:, second])
    return base, base.of(base.score, *((part.T @ weight.T).T for part in rows))


def _at(table, limit):
    above = int((table.score >= limit).sum())
    cells = [
        weight[..., some].sum(-1) * 1.0
        for some in (slice(above), slice(above, None))
        for weight in (table.positive, table.negative)
    ]
    return Counts.of(*cells)


def _spread(entry, given, base, drawn, number) -> Bounds:
    scale = Scale(entry.range)
    with np.errstate(divide="ignore", invalid="ignore"):
        value = scale.to(float(entry.function(base, **given)))
        moved = scale.to(np.asarray(entry.function(drawn, **given), float)) - value
        step = stdtrit(number - 1, 0.975) * np.std(moved[np.isfinite(moved)])
    return (scale.back(value - step), scale.back(value + step)) if np.isfinite(value) else (0.0, 1.0)


def maxima(samples: int) -> list[str]:
    """Maxima, hulls and precision-recall areas of cases in groups: fewer cases by the design effect."""
    head = ["clusters", "correlation", "measure", "coverage", "width"]
    rows = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    for number, alike in IN_GROUPS:
        for measure, found in _held(number, alike, samples).items():
            cells = [f"{part:.3f}" for way in np.nanmean(np.array(found, float), 0) for part in way]
            rows.append(f"| {number} | {alike:g} | {measure} | {' | '.join(cells)} |")
            print(rows[-1], flush=True)
    return rows


def _held(number, alike, samples):
    """By measure, of each sample and way whether the interval holds the true value, and its width."""
    rng, held, true = np.random.default_rng(SEED), {name: [] for name in MAXIMA}, _normal(1.2, 0.4)
    for _ in range(samples):
        known = _lognormal(rng, number, alike)
        for name, given in MAXIMA.items():
            entry = registry.get(name, RankingTable)
            wanted = float(entry.function(true, **given))
            one = known.estimate(entry, known.cases.table, Settings(), given, None)
            held[name].append([(one.low <= wanted <= one.high, one.high - one.low)])
    return held


def _lognormal(rng, number, alike):
    """Cases in groups of lognormal sizes; two of each class at least."""
    while True:
        truth, score, group = _cases(np.ceil(np.exp(rng.normal(1.5, 1, number))).astype(int), alike, rng)
        if 1 < truth.sum() < len(truth) - 1:
            return Clusters(ScoredCases.from_arrays(truth=truth, score=score), group)


@cache
def _normal(distance, prior):
    """The true distributions of two normal classes."""
    ends = np.linspace(-6.0, 6.0 + distance, CELLS + 1)
    positive, negative = (np.diff(norm.cdf(ends - middle))[::-1] for middle in (distance, 0.0))
    return RankingTable.of(
        ends[:0:-1],
        prior * positive / positive.sum() * CELLS,
        (1 - prior) * negative / negative.sum() * CELLS,
    )


def main() -> None:
    """Writes the tables that were asked for, or all."""
    parts = {part.__name__: part for part in (persons, groups, maxima)}
    asked = argparse.ArgumentParser()
    asked.add_argument("tables", nargs="*", choices=[*parts, []], default=[])
    asked.add_argument("--samples", type=int, default=SAMPLES)
    options = asked.parse_args()
    for name in options.tables or parts:
        rows = "\n".join(parts[name](options.samples))
        mark = f"<!-- clusters: {name} -->"
        path = Path(__file__).parent / PAGES[name]
        page = path.read_text()
        assert page.count(mark) == 2, mark
        path.write_text(
            re.sub(f"{mark}.*{mark}", lambda _, m=mark, r=rows: f"{m}\n{r}\n{m}", page, flags=re.DOTALL)
        )


if __name__ == "__main__":
    main()
