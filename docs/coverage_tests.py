"""Simulated type-I error of the tests of docs/compare.md, and coverage of the intervals of differences:
tables for coverage.py."""

from itertools import product

import numpy as np
from scipy.special import ndtri
from scipy.stats import binom

import tallymark as tm
from tallymark.inference import Estimate, estimate, interval
from tallymark.inference.contrast import Normal, independent, of_estimate, of_replicates
from tallymark.inference.replicates import Draws, replicates
from tallymark.measures import registry
from tallymark.summaries import Counts, RankingTable
from tallymark.summaries.samples import POSITIVE_FROM, ScoredCases

LEVEL, ALPHA = 0.95, 0.05
SAMPLES = 2_000  # +-1 % at 5 %
RESAMPLED_SAMPLES, REPLICATES = 1_000, 499  # +-1.4 %
PERMUTATIONS = 199
MANY = 1_000_000  # cases that stand for all there are
ALIKE = 0.6  # correlation of the scores of two models within a class
# cases, share of positives, area of the first model
SETTINGS = list(product((60, 200, 1000), (0.1, 0.5), (0.7, 0.9)))
BETTER = 0.04  # area of the second model more than that of the first, for coverage
MEASURES = ("average_precision", "brier_score", "log_loss", "f1", "precision")
GROUPS, IN_GROUP = 60, 5


def errors() -> list[str]:
    """How often each test of models that are equally good rejects at 5 %."""
    rows = ["| cases | positives | area | " + " | ".join(TESTS) + " |", "|---" * (3 + len(TESTS)) + "|"]
    for seed, (n, share, area) in enumerate(SETTINGS):
        found = [test(np.random.default_rng(seed), n, share, area) for test in TESTS.values()]
        rows.append(
            f"| {n} | {round(n * share)} | {area} | " + " | ".join(_shown(one) for one in found) + " |"
        )
    return rows


def _shown(share):
    return "" if np.isnan(share) else f"{share:.3f}"


def _drawn(rng, n, share, distances, fixed=True):
    """Which cases are positive, and the scores of each model, whose errors depend on one another within a
    case."""
    positive = np.arange(n) < round(n * share) if fixed else rng.random(n) < share
    common = rng.normal(size=n) * np.sqrt(ALIKE)
    own = rng.normal(size=(len(distances), n)) * np.sqrt(1 - ALIKE)
    return positive, np.asarray(distances)[:, None] * positive + common + own


def _distance(area):
    """Of two normal distributions, so that the area is this."""
    return np.sqrt(2) * ndtri(area)


def _probability(scores, share, distances):
    """The probability of being positive, as a model knows it."""
    d = np.asarray(distances)[:, None]
    return 1 / (1 + np.exp(-(d * scores - d**2 / 2 + np.log(share / (1 - share)))))


def _rejected(rng, samples, p_value):
    return float(np.mean([p_value(rng) <= ALPHA for _ in range(samples)]))


def _areas(positive, scores, **more):
    """DeLong's test of these areas."""
    return tm.compare(truth=positive, score=[*scores], method="delong", **more)


def _delong(rng, n, share, area):
    def p_value(rng):
        return _areas(*_drawn(rng, n, share, [_distance(area)] * 2))["roc_auc"].p_value

    return _rejected(rng, SAMPLES, p_value)


def _overall(rng, n, share, area):
    def p_value(rng):
        (test,) = _areas(*_drawn(rng, n, share, [_distance(area)] * 4)).tests
        return test.p_value

    return _rejected(rng, SAMPLES, p_value)


def _two_sets(rng, n, share, area, fixed=True):
    return [_drawn(rng, n, share, [_distance(area)], fixed) for _ in range(2)]


def _unpaired(rng, n, share, area):
    """DeLong's on different cases."""

    def p_value(rng):
        tables = [RankingTable.from_arrays(truth=y, score=s[0]) for y, s in _two_sets(rng, n, share, area)]
        return float(_welch(*tables).p_at(0.0))

    return _rejected(rng, SAMPLES // 2, p_value)


def _welch(one, other):
    variances = [interval.delong_variance(table) for table in (one, other)]
    df = sum(variances) ** 2 / sum(
        v**2 / (table.total - 1) for v, table in zip(variances, (one, other), strict=True)
    )
    roc_auc = registry.get("roc_auc").function
    return Normal(roc_auc(one) - roc_auc(other), np.sqrt(sum(variances)), "delong", df=df)


def _together(name):
    """The intervals of two different sets of cases, put together; these let the class mix vary, and so it
    does."""

    def of(rng, n, share, area):
        distances = [_distance(area)]

        def p_value(rng):
            sets = _two_sets(rng, n, share, area, fixed=False)
            tables = [
                RankingTable.from_arrays(truth=y, score=_probability(s, share, distances)[0]) for y, s in sets
            ]
            return float(of_estimate(independent(*(estimate(name, table) for table in tables))).p_at(0.0))

        return _rejected(rng, SAMPLES // 2, p_value)

    return of


def _bootstrapped(name):
    def of(rng, n, share, area):
        distances = [_distance(area)] * 2

        def p_value(rng):
            positive, scores = _drawn(rng, n, share, distances)
            return float(
                _evidence(name, positive, _probability(scores, share, distances), rng, share).p_at(0.0)
            )

        return _rejected(rng, RESAMPLED_SAMPLES, p_value)

    return of


def _evidence(name, positive, scores, rng, limit, design="case-control"):
    """The paired bootstrap of a measure, at the threshold where it has one."""
    entry, cases = registry.get(name), [ScoredCases(positive, score) for score in scores]
    how = Draws(REPLICATES, design, seed=int(rng.integers(2**32)), threads=1)
    found = replicates([(entry, entry.defaults)], cases, how, thresholds=[limit] * 2)[:, 0]
    first, second = (_value(entry, one, limit) for one in cases)
    smaller = min(positive.sum(), (~positive).sum())
    return of_replicates(second - first, found[1], found[0], "bootstrap", float(smaller))


def _value(entry, cases, limit=POSITIVE_FROM):
    of = cases.table.counts_at(limit) if entry.summary is Counts else cases.table
    return float(entry.function(of, **entry.defaults))


def _permuted(name, paired):
    def of(rng, n, share, area):
        if n > SETTINGS[0][0] * 4:
            return np.nan
        distances = [_distance(area)] * 2

        def p_value(rng):
            how = {"method": "permutation", "replicates": PERMUTATIONS, "rng": int(rng.integers(2**32))}
            if paired:
                truth, scores = _drawn(rng, n, share, distances)
            else:
                sets = _two_sets(rng, n, share, area)
                truth, scores, how["paired"] = [y for y, _ in sets], [s[0] for _, s in sets], False
            return tm.compare(truth=truth, score=list(scores), measures=name, **how)[name].p_value

        return _rejected(rng, RESAMPLED_SAMPLES, p_value)

    return of


TESTS = {
    "DeLong": _delong,
    "DeLong, 4 models": _overall,
    "permutation": _permuted("roc_auc", True),
    **{f"bootstrap, {name}": _bootstrapped(name) for name in MEASURES},
    "different cases: DeLong": _unpaired,
    "MOVER, roc_auc": _together("roc_auc"),
    "MOVER, brier_score": _together("brier_score"),
    "different cases: permutation": _permuted("roc_auc", False),
}


def margins() -> list[str]:
    """How often a margin is called kept where the true difference is exactly that margin; and proportions of
    different cases."""
    head = [
        "cases",
        "positives",
        "area",
        "non-inferior (2.5 %)",
        "equivalent (5 %)",
        "clusters: DeLong",
        "clusters: bootstrap",
    ]
    rows = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    for seed, (n, share, area) in enumerate(SETTINGS):
        rng = np.random.default_rng(seed)
        found = np.mean([_kept(rng, n, share, area) for _ in range(SAMPLES)], axis=0).tolist()
        found += list(_grouped(rng, area)) if n == SETTINGS[4][0] and share == 0.5 else [np.nan, np.nan]
        rows.append(f"| {n} | {round(n * share)} | {area} | " + " | ".join(map(_shown, found)) + " |")
    return rows


def _kept(rng, n, share, area):
    known = _areas(*_drawn(rng, n, share, [_distance(area), _distance(area - BETTER)]))["roc_auc"].evidence
    low, _ = known.bounds(LEVEL)
    narrow = known.bounds(2 * LEVEL - 1)
    return low > -BETTER, narrow[0] > -BETTER and narrow[1] < BETTER


def _grouped(rng, area):
    """Cases in groups that have something in common, at 5 %: DeLong's with groups, and whole groups
    resampled."""
    groups, rejected = np.repeat(np.arange(GROUPS), IN_GROUP), np.zeros(2)
    for _ in range(RESAMPLED_SAMPLES):
        positive, scores = _drawn(rng, len(groups), 0.5, [_distance(area)] * 2)
        order = rng.permutation(len(groups))
        positive = positive[order]
        scores = scores[:, order] + rng.normal(size=(2, GROUPS))[:, groups] * 0.5
        cases = [ScoredCases(positive, score) for score in scores]
        entry = registry.get("roc_auc")
        how = Draws(REPLICATES, seed=int(rng.integers(2**32)), threads=1)
        drawn = replicates([(entry, {})], cases, how, thresholds=[POSITIVE_FROM] * 2, clusters=groups)[:, 0]
        value = _value(entry, cases[1]) - _value(entry, cases[0])
        known = _areas(positive, scores, clusters=groups)["roc_auc"].evidence
        both = known, of_replicates(value, drawn[1], drawn[0], "bootstrap", GROUPS)
        rejected += [float(one.p_at(0.0)) <= ALPHA for one in both]
    return rejected / RESAMPLED_SAMPLES


def differences() -> list[str]:
    """How often the interval of a difference holds the true one, the second model being better by BETTER in
    area."""
    names = ["roc_auc", *MEASURES]
    head = [
        "cases",
        "positives",
        "area",
        *names,
        *(f"{name}, random class mix" for name in MIXED),
        "proportions of different cases",
    ]
    rows = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    for seed, (n, share, area) in enumerate(SETTINGS):
        found = [*_coverage(np.random.default_rng(seed), n, share, area), _of_shares(round(n * share), area)]
        rows.append(f"| {n} | {round(n * share)} | {area} | " + " | ".join(map(_shown, found)) + " |")
    return rows


MIXED = ("brier_score", "f1")


def _coverage(rng, n, share, area):
    distances = [_distance(area), _distance(area + BETTER)]
    positive, scores = _drawn(rng, MANY, share, distances)
    whole = [ScoredCases(positive, one) for one in _probability(scores, share, distances)]
    true = {
        name: np.subtract(*(_value(registry.get(name), one, share) for one in whole[::-1]))
        for name in MEASURES
    }
    held = []
    for _ in range(RESAMPLED_SAMPLES):
        positive, scores = _drawn(rng, n, share, distances)
        known = _areas(positive, scores)["roc_auc"].evidence
        row = [_holds(known, BETTER)]
        given = _probability(scores, share, distances)
        row += [_holds(_evidence(name, positive, given, rng, share), true[name]) for name in MEASURES]
        positive, scores = _drawn(rng, n, share, distances, fixed=False)
        given = _probability(scores, share, distances)
        row += [_holds(_evidence(name, positive, given, rng, share, "cohort"), true[name]) for name in MIXED]
        held.append(row)
    return np.nanmean(held, axis=0).tolist()


def _holds(evidence, true):
    low, high = evidence.bounds(LEVEL)
    return np.nan if np.isnan(low) else float(low - 1e-12 <= true <= high + 1e-12)


def _of_shares(n, share):
    """Exactly, of two shares of n cases each, Wilson's intervals put together."""
    x = np.arange(n + 1)
    low, high = interval.wilson(x, float(n), LEVEL)
    one = [Estimate(i / n, float(a), float(b), LEVEL, "wilson") for i, a, b in zip(x, low, high, strict=True)]
    chance = [binom.pmf(x, n, p) for p in (share, share + BETTER)]
    there = [np.flatnonzero(part > 1e-7) for part in chance]
    held = 0.0
    for i, j in product(*there):
        found = independent(one[j], one[i])
        held += chance[0][i] * chance[1][j] * (found.low <= BETTER <= found.high)
    return held
