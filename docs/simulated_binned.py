"""Coverage of intervals of scores in bins, and of the same cases: a part of `make coverage`, whose table is
in coverage.md."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from itertools import product

import numpy as np
from scipy.special import expit, ndtri
from scipy.stats import beta
from simulate import Found, Part, of_shares, take

from tallymark import BinnedTable, RankingTable
from tallymark.inference import Settings, estimate
from tallymark.inference.binned import estimate_binned
from tallymark.measures import registry

MEASURES = {"roc_auc": "AUC", "average_precision": "AP", "kolmogorov_smirnov": "KS", "brier_score": "Brier"}
AT_THRESHOLD = "sensitivity"  # where the score is the prevalence or more
STEPS = beta.cdf((np.arange(100) + 0.5) / 100, 0.7, 3)  # between scores of two decimals
SCORES: dict[str, Callable[[np.ndarray], np.ndarray]] = {  # quantiles of calibrated probabilities
    "uniform": lambda v: v,
    "logit-normal": lambda v: expit(1.5 * ndtri(v) - 1),
    "discrete": lambda v: np.searchsorted(STEPS, v) / 100,
    "rare": lambda v: expit(1.6 * ndtri(v) - 5.7),  # 1 % positive
}
SIZES = {1_000: (64, 256), 100_000: (64, 512, 4_096)}  # cases, and the numbers of bins
SETTINGS = {
    f"{scores}, {size:,}, {design}": (scores, size, design)
    for size, scores, design in product(SIZES, SCORES, ("cohort", "case-control"))
}
GRID = (np.arange(1_000_000) + 0.5) / 1_000_000  # stands for all cases


@cache
def grid(scores: str) -> np.ndarray:
    """The probabilities, in ascending order."""
    return SCORES[scores](GRID)


@cache
def of_class(scores: str) -> tuple[np.ndarray, np.ndarray]:
    """The running shares of the positives and of the negatives along the grid."""
    p = grid(scores)
    return tuple(np.cumsum(one) / one.sum() for one in (p, 1 - p))


@cache
def threshold(scores: str) -> float:
    """The prevalence."""
    return float(grid(scores).mean())


@cache
def true(scores: str) -> dict[str, float]:
    """The measures of all cases."""
    p, first = np.unique(grid(scores), return_index=True)
    number = np.diff(np.append(first, len(GRID))).astype(float)
    table = RankingTable(*(one[::-1] for one in (p, number * p, number * (1 - p))))
    ranked = {name: float(registry.get(name, RankingTable).function(table)) for name in MEASURES}
    return ranked | {AT_THRESHOLD: table.counts_at(threshold(scores)).tp / table.positives}


def drawn(scores: str, size: int, design: str, rng: np.random.Generator) -> RankingTable:
    """A sample; in a case-control design the numbers of both classes are those that are expected."""
    if design == "cohort":
        score = SCORES[scores](rng.random(size))
        return RankingTable.from_arrays(truth=rng.random(size) < score, score=score, classes=[False, True])
    positives = round(size * threshold(scores))
    truth = np.arange(size) < positives
    at = [np.interp(rng.random(n), shares, GRID) for shares, n in
          zip(of_class(scores), (positives, size - positives), strict=True)]  # fmt: skip
    return RankingTable.from_arrays(truth=truth, score=SCORES[scores](np.concatenate(at)))


def counted(name: str, rng: np.random.Generator, samples: int) -> Found:
    """By bins and measure how often there is an interval, it holds the true value and that of the cases, and
    the bounds hold the value of these; and both widths."""
    scores, size, design = SETTINGS[name]
    measures, at = (*MEASURES, AT_THRESHOLD), threshold(scores)
    found: Found = {f"{bins} {one}": [0.0] * 6 for bins in ("cases", *SIZES[size]) for one in measures}
    for number in range(samples):
        table = drawn(scores, size, design, rng)
        if not (table.positives and table.negatives):
            continue
        whole, how = BinnedTable.from_table(table), Settings(seed=number, design=design)
        exact = {one: estimate(one, table, how) for one in MEASURES}
        exact[AT_THRESHOLD] = estimate(AT_THRESHOLD, table.counts_at(at), how)
        for bins in ("cases", *SIZES[size]):
            binned = None if bins == "cases" else whole.compact(bins, (at,))
            for one, real in exact.items():
                if binned is None:
                    got = real
                elif one == AT_THRESHOLD:
                    got = estimate(one, binned.counts_at(at), how)
                else:
                    got = estimate_binned(registry.get(one, RankingTable), binned, how)
                take(found, f"{bins} {one}", _row(got, real, true(scores)[one]))
    return found


def _row(got, real, value):
    known = got.has_interval
    return [
        float(one)
        for one in (
            known,
            known and got.low <= value <= got.high,
            known and got.low <= real.low + 1e-12 and real.high <= got.high + 1e-12,
            got.between[0] - 1e-12 <= real.value <= got.between[1] + 1e-12,
            got.high - got.low if known else 0.0,
            got.between[1] - got.between[0],
        )
    ]


def tables(found: Mapping[str, Found], samples: Mapping[str, int]) -> list[str]:
    """Coverage, of the cases and by bins, with the mean width as a multiple of that of the cases."""
    labels = {**MEASURES, AT_THRESHOLD: AT_THRESHOLD}
    head = ["scores, cases, design", "bins", *(f"{label} | width" for label in labels.values()), "outside"]
    rows = [f"| {' | '.join(head)} |", "|---" * (3 + 2 * len(labels)) + "|"]
    for name, sums in found.items():
        for bins in ("cases", *SIZES[SETTINGS[name][1]]):
            of = {one: sums[f"{bins} {one}"] for one in labels}
            cells = [
                f"{held / known:.3f} | {width / sums[f'cases {one}'][4]:.2f}"
                for one, (known, held, _, _, width, _) in of.items()
            ]
            outside = sum(samples[name] - one[3] for one in of.values())
            label = "-" if bins == "cases" else f"{bins:,}"
            rows.append(f"| {name} | {label} | {' | '.join(cells)} | {outside:.0f} |")
    return rows


PART = Part(lambda: SETTINGS, counted, tables, 25, judged=of_shares)
