"""Simulated coverage of the bootstrap by name, of cases and of groups of cases: further tables for
coverage.py."""

import numpy as np
from scipy.special import expit, ndtri

import tallymark as tm
from tallymark.inference.replicates import METHODS
from tallymark.input.messages import of_kind
from tallymark.measures import registry
from tallymark.summaries import RankingTable

SAMPLES, MANY_SAMPLES, RESAMPLES = 500, 200, 500  # +-1.9 %, of many cases +-3 %
MANY = 400_000  # cases of each class that stand for all there are
ROUNDING = 1e-12
SIZES = {"10 of a class": 10, "30": 30, "100 or more": 100}
MEASURES = (
    "roc_auc", "average_precision", "kolmogorov_smirnov", "brier_score", "log_loss", "sensitivity", "f1",
    "matthews_correlation", "equal_error_rate",
)  # fmt: skip
SETTINGS = [
    (10, 10, 0.9, False), (10, 90, 0.7, False), (10, 190, 0.97, True), (30, 30, 0.7, True),
    (30, 30, 0.9, False), (30, 30, 0.97, False), (30, 300, 0.9, True), (30, 300, 0.97, False),
    (30, 570, 0.7, False), (100, 100, 0.7, False), (100, 100, 0.9, True), (100, 100, 0.97, False),
    (100, 300, 0.9, False), (100, 500, 0.97, False), (1000, 1000, 0.9, False),
]  # positives, negatives, AUC, whether logits are rounded to whole numbers  # fmt: skip
GROUPED = ("roc_auc", "brier_score", "sensitivity", "f1")
GROUP_SIZE, SHARE, AREA = 5, 0.3, 0.9
MIXED = ("roc_auc", "average_precision", "brier_score", "log_loss", "precision", "f1", "accuracy")


def bootstraps() -> list[str]:
    """Two normal groups with calibrated probabilities, class sizes fixed; counts from the share of positives
    on."""
    found = [_of_setting(np.random.default_rng(seed), *setting) for seed, setting in enumerate(SETTINGS)]
    sizes = np.minimum(100, [min(setting[:2]) for setting in SETTINGS])
    heads = ["measure", "method", *(part for size in SIZES for part in (size, "with note"))]
    rows = [f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"]
    for j, name in enumerate(MEASURES):
        for i, method in enumerate(METHODS):
            held, noted = (np.array([one[part][i, j] for one in found]) for part in (0, 1))
            if not np.isnan(held).all():
                cells = [
                    cell
                    for size in SIZES.values()
                    for cell in _ends(held[sizes == size], noted[sizes == size])
                ]
                rows.append(f"| {name} | {method} | {' | '.join(cells)} |")
    return rows


def groups_of_cases() -> list[str]:
    """Groups of five cases of one class, with a correlation of 1/2: taken as independent cases, and drawn as
    groups."""
    ways = ["bca of cases", *(f"{method} of clusters" for method in METHODS if method != "studentised")]
    rows = [f"| clusters | measure | {' | '.join(ways)} |", "|---" * (2 + len(ways)) + "|"]
    for seed, groups in enumerate((20, 50, 200)):
        held = _of_groups(np.random.default_rng(seed), groups)
        rows += [
            f"| {groups} | {name} | {' | '.join(f'{share:.3f}' for share in part)} |"
            for name, part in zip(GROUPED, held, strict=True)
        ]
    return rows


def class_mixes() -> list[str]:
    """The class mix drawn, too, a fifth of 200 cases positive on average: resamples that keep it, and such as
    let it vary."""
    rng, ways = (
        np.random.default_rng(9),
        ({}, {"design": "case-control"}, {"resampling": "poisson-bootstrap"}),
    )
    true, share = _true(0.2, AREA, False, MIXED), 0.2
    held = []
    for seed in range(SAMPLES):
        truth = (rng.random(200) < share).astype(int)
        score = _probability(rng.normal(_distance(AREA) * truth), share, AREA, False)
        given = {
            "truth": truth,
            "score": score,
            "measures": MIXED,
            "threshold": share,
            "replicates": RESAMPLES,
            "rng": seed,
        }
        held.append([_inside(tm.bootstrap(**given, **way), true) for way in ways])
    rows = ["| measure | cohort | case-control | poisson |", "|---" * 4 + "|"]
    shares = np.mean(held, 0).T
    return rows + [
        f"| {name} | {' | '.join(f'{one:.3f}' for one in part)} |"
        for name, part in zip(MIXED, shares, strict=True)
    ]


def _ends(held, noted):
    """The lowest and the highest over some settings, and the mean share with a note; nothing where the method
    is not known."""
    known = ~np.isnan(held)
    return (
        (f"{held[known].min():.3f} to {held[known].max():.3f}", f"{noted[known].mean():.0%}")
        if known.any()
        else ("", "")
    )


def _of_setting(rng, positives, negatives, area, rounded):
    """The share of intervals that hold the true value, shape (methods, measures), and the share of those with
    a note."""
    share, truth = positives / (positives + negatives), np.repeat([1, 0], [positives, negatives])
    true, held, noted = _true(share, area, rounded, MEASURES), [], []
    for seed in range(SAMPLES if len(truth) < 1000 else MANY_SAMPLES):
        score = _probability(rng.normal(_distance(area) * truth), share, area, rounded)
        found = tm.bootstrap(
            truth=truth, score=score, measures=MEASURES, threshold=share, replicates=RESAMPLES, rng=seed
        )
        ways = [found.by(method) for method in METHODS]
        held.append([_inside(way, true, method) for way, method in zip(ways, METHODS, strict=True)])
        noted.append([[bool(of_kind(way[name].notes, "approximate")) for name in MEASURES] for way in ways])
    held = np.array(held)
    known = (~np.isnan(held)).mean(0) > 0.5  # the method itself, and none in its place
    return np.where(known, np.nansum(held, 0) / np.maximum((~np.isnan(held)).sum(0), 1), np.nan), np.mean(
        noted, 0
    )


def _inside(found, true, method=""):
    """Where there is no interval the note says why, and nothing false is said; NaN where another method took
    its place."""
    estimates = [found[name] for name in found]
    held = [
        not one.has_interval or one.low - ROUNDING <= value <= one.high + ROUNDING
        for one, value in zip(estimates, true, strict=True)
    ]
    there = [one.method is None or one.method.endswith(method) for one in estimates]
    return np.where(there, np.array(held, float), np.nan)


def _of_groups(rng, groups):
    true, held = _true(SHARE, AREA, False, GROUPED), []
    number = np.repeat(np.arange(groups), GROUP_SIZE)
    for seed in range(SAMPLES):
        of_group = np.zeros(groups, int)
        while not 0 < of_group.sum() < groups:
            of_group = (rng.random(groups) < SHARE).astype(int)
        truth = of_group[number]
        x = _distance(AREA) * truth + np.sqrt(0.5) * (
            rng.normal(size=groups)[number] + rng.normal(size=len(truth))
        )
        given = {
            "truth": truth,
            "score": _probability(x, SHARE, AREA, False),
            "measures": GROUPED,
            "threshold": SHARE,
        }
        alone = tm.bootstrap(**given, design="cohort", replicates=RESAMPLES, rng=seed)
        whole = tm.bootstrap(**given, clusters=number, replicates=RESAMPLES, rng=seed)
        ways = [alone, *(whole.by(method) for method in METHODS if method != "studentised")]
        held.append([_inside(way, true) for way in ways])
    return np.mean(held, 0).T


def _true(share, area, rounded, names):
    x = ndtri((np.arange(MANY) + 0.5) / MANY)
    score = _probability(np.concatenate([x + _distance(area), x]), share, area, rounded)
    weight = np.repeat([share, 1 - share], MANY)
    table = RankingTable.from_arrays(truth=np.repeat([1, 0], MANY), score=score, weight=weight)
    entries = [registry.get(name) for name in names]
    return [one.function(table if one.summary is RankingTable else table.counts_at(share)) for one in entries]


def _distance(area):
    return float(np.sqrt(2) * ndtri(area))


def _probability(x, share, area, rounded):
    d = _distance(area)
    logit = d * x - d**2 / 2 + np.log(share / (1 - share))
    return expit(np.round(logit) if rounded else logit)
