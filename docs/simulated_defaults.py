"""Coverage of the default interval of every measure of two classes: cohorts, case-control, weighted and
clustered cases.

Scores of both classes are normal, at a distance of 1.2; the logit of a probability is that of the true model
times 0.8, plus 0.2.
"""

from __future__ import annotations

import gc
from dataclasses import dataclass
from functools import cache

import numpy as np
from scipy.special import expit, logit, ndtri
from simulate import Found, Part

from tallymark import Counts, Estimate, Evaluation, evaluate
from tallymark.inference import estimate_each
from tallymark.inference.interval import ROUNDING
from tallymark.input.messages import of_kind
from tallymark.measures.families.bins import of_equal_width

DISTANCE, SCALE, SHIFT = 1.2, 0.8, 0.2
NODES = 50_000  # half of the cases that stand for all
ALIKE = 0.3  # correlation within clusters
SPREAD = 0.7  # of the logarithm of sampling weights
UNVERIFIED = 10  # one of so many predicted negatives is verified
# how intervals of rankings are found that take long
SLOW = ("inverted-bootstrap", "isotonic", "bayesian-bootstrap")
LOWEST, HIGHEST = 0.93, 0.98
# by the number of cases, or of thresholds
UNLIKE = ("average_gain", "precision_at_k", "recall_at_k", "mean_precision")
KINDS = (
    "cohort",
    "case-control",
    "class weights",
    "sampling weights",
    "two-phase",
    "clusters",
    "persons",
    "weak",
    "reversed",
)


@dataclass(frozen=True, slots=True)
class Setting:
    """positives, negatives: on average, or as they are with case-control; weights, clusters: their kind, or
    None; levels: how many different scores there are, 0 for no ties; apart: the distance of the classes, in
    standard deviations, of which the probabilities suppose DISTANCE."""

    positives: int
    negatives: int
    design: str = "cohort"
    weights: str | None = None
    clusters: str | None = None
    levels: int = 0
    apart: float = DISTANCE

    @property
    def size(self) -> int:
        return self.positives + self.negatives

    @property
    def share(self) -> float:
        """Of positives, for which the probabilities are made and the threshold is set."""
        return self.positives / self.size


def _settings():
    found = {}
    for positives, negatives in ((30, 30), (30, 270), (100, 100), (300, 300), (1000, 1000)):
        for design in ("cohort", "case-control"):
            found[f"{design}, {positives}/{negatives}"] = Setting(positives, negatives, design)
    found["cohort, 100/100, 10 levels"] = Setting(100, 100, levels=10)
    for positives, negatives in ((30, 270), (100, 900)):
        for design in ("cohort", "case-control"):
            found[f"class weights, {design}, {positives}/{negatives}"] = Setting(
                positives, negatives, design, "class"
            )
    for size in (60, 100, 500):
        found[f"sampling weights, {size}/{size}"] = Setting(size, size, weights="sampling")
    found["two-phase, 200/800"] = Setting(200, 800, weights="two-phase")
    for clusters in ("40 of 8", "40 lognormal", "100 lognormal"):
        found[f"clusters, {clusters}"] = Setting(40, 60, clusters=clusters)
    return found


SETTINGS = _settings()
POOR = {  # models that discriminate less than their probabilities suppose, or in the wrong order
    "weak, 30/270": Setting(30, 270, apart=0.2),
    "weak, 300/300": Setting(300, 300, apart=0.2),
    "reversed, 100/100": Setting(100, 100, apart=-0.3),
}


def quick(name: str, rng: np.random.Generator, samples: int) -> Found:
    """Of measures whose interval is a formula, or takes few resamples."""
    return counted(name, rng, samples, "quick")


def slow(name: str, rng: np.random.Generator, samples: int) -> Found:
    """Of measures of the ranking whose interval takes many resamples."""
    return counted(name, rng, samples, "resampled")


def of_errors(name: str, rng: np.random.Generator, samples: int) -> Found:
    """Of measures of probabilities whose interval takes many resamples."""
    return counted(name, rng, samples, "errors")


def counted(name: str, rng: np.random.Generator, samples: int, group: str) -> Found:
    """By measure: samples with an interval; in how many it holds the true value, lies above it, below it, has
    a note that it is approximate; the sum of its widths."""
    true = truths(name, group)
    found = (evaluated((SETTINGS | POOR)[name], rng) for _ in range(samples))
    if group != "quick":  # sample by sample, since the measures of one share its resamples
        rows = [measured(one, true) for one in found if one is not None]
    else:
        rows = rows_of([one for one in found if one is not None], true)
    gc.collect()  # evaluations are in reference cycles
    return {
        measure: [sum(column) for column in zip(*(row[measure] for row in rows), strict=True)] or [0.0] * 6
        for measure in true
    }


def measured(one: Evaluation, true: dict[str, float]) -> dict[str, list[float]]:
    """What a sample adds, by measure."""
    return {measure: row_of(one[measure], value) for measure, value in true.items()}


def rows_of(evaluations: list[Evaluation], true: dict[str, float]) -> list[dict[str, list[float]]]:
    """The same of several samples, with the measures of counts of all at once."""
    columns = {
        measure: [row_of(one, value) for one in estimates(measure, evaluations)]
        for measure, value in true.items()
    }
    return [{measure: of[i] for measure, of in columns.items()} for i in range(len(evaluations))]


def evaluated(setting: Setting, rng: np.random.Generator) -> Evaluation | None:
    """A sample; None of one class alone."""
    sample = drawn(setting, rng)
    if sample["truth"].all() or not sample["truth"].any():
        return None
    return evaluate(**sample, threshold=setting.share, score_kind="probability", design=setting.design)


def estimates(measure: str, evaluations: list[Evaluation]) -> list[Estimate]:
    """A measure of all samples: of counts of all at once."""
    first = evaluations[0]
    entry = first.entry(measure)
    if entry.summary is not Counts or first.clusters is not None:
        return [one[measure] for one in evaluations]
    together = stacked([one.counts for one in evaluations])
    return estimate_each(measure, together, first.settings, **first.parameters_of(entry))


def stacked(counts: list[Counts]) -> Counts:
    """As one, whose cells are arrays."""
    cells = (np.array([getattr(one, cell) for one in counts]) for cell in ("tp", "fp", "fn", "tn"))
    squares = None if counts[0].squares is None else stacked([one.squares for one in counts])
    return Counts.of(*cells, squares=squares)


def row_of(one: Estimate, value: float) -> list[float]:
    """What a sample adds to the sums of a measure."""
    if not one.has_interval:
        return [0.0] * 6
    above, below = one.low > value + ROUNDING, one.high < value - ROUNDING
    return [
        1.0,
        float(not (above or below)),
        float(above),
        float(below),
        float(bool(of_kind(one.notes, "approximate"))),
        one.high - one.low,
    ]


def drawn(setting: Setting, rng: np.random.Generator) -> dict:
    """The arguments of evaluate."""
    if setting.clusters:
        return _of_clusters(setting, rng)
    if setting.weights == "two-phase":
        return _verified(setting, rng)
    truth = np.arange(setting.size) < setting.positives
    if setting.design == "cohort":
        truth = rng.random(setting.size) < setting.share
    found = {"truth": truth, "score": score(setting, truth, rng.normal(size=setting.size))}
    if setting.weights:
        found |= {"weight": WEIGHTS[setting.weights](truth, rng), "weight_kind": "importance"}
    return found


def score(setting: Setting, truth: np.ndarray, noise: np.ndarray) -> np.ndarray:
    """Probabilities of cases."""
    x = noise + setting.apart * truth
    known = SCALE * (DISTANCE * x - DISTANCE**2 / 2 + logit(setting.share)) + SHIFT
    if setting.levels:
        step = 8.0 / setting.levels
        known = np.round(known / step) * step
    return expit(known)


def _class_weights(truth, rng):
    return np.where(truth, len(truth) / 2 / max(truth.sum(), 1), len(truth) / 2 / max((~truth).sum(), 1))


def _sampling(truth, rng):
    return rng.lognormal(0.0, SPREAD, len(truth))


WEIGHTS = {"class": _class_weights, "sampling": _sampling}


def _verified(setting, rng):
    truth = rng.random(setting.size) < setting.share
    given = score(setting, truth, rng.normal(size=setting.size))
    positive = given >= setting.share
    kept = positive | (rng.random(setting.size) < 1 / UNVERIFIED)
    weight = np.where(positive, 1.0, UNVERIFIED)[kept]
    return {"truth": truth[kept], "score": given[kept], "weight": weight, "weight_kind": "importance"}


def _of_clusters(setting, rng):
    number = int(setting.clusters.split()[0])
    sizes = (
        np.full(number, 8)
        if "of" in setting.clusters
        else np.ceil(rng.lognormal(1.5, 1.0, number)).astype(int)
    )
    group = np.repeat(np.arange(number), sizes)
    truth, noise = (_alike(number, group, rng) for _ in range(2))
    positive = truth > -ndtri(setting.share)
    return {"truth": positive, "score": score(setting, positive, noise), "clusters": group}


def _alike(number, group, rng):
    return np.sqrt(ALIKE) * rng.normal(size=number)[group] + np.sqrt(1 - ALIKE) * rng.normal(size=len(group))


def everyone(setting: Setting) -> dict:
    """Cases that stand for the population, as arguments of evaluate."""
    number = [max(round(2 * NODES * part), 1) for part in (setting.share, 1 - setting.share)]
    normal = np.concatenate([ndtri((np.arange(size) + 0.5) / size) for size in number])
    truth = np.repeat([True, False], number)
    share = 0.5 if setting.weights == "class" else setting.share
    weight = np.repeat([share * setting.size / number[0], (1 - share) * setting.size / number[1]], number)
    given = score(setting, truth, normal)
    return {"truth": truth, "score": given, "weight": weight, "weight_kind": "importance"}


@cache
def truths(name: str, group: str) -> dict[str, float]:
    """What holds for all cases, of the measures of a group of `_groups`, or of the others: "quick"."""
    setting = (SETTINGS | POOR)[name]
    population = evaluate(**everyone(setting), threshold=setting.share, score_kind="probability")
    left_out = (
        UNLIKE if setting.weights or setting.clusters else ()
    )  # which depend on what the weights, or the sizes of clusters, add up to
    names = [
        measure
        for measure in population
        if _groups().get(measure, "quick") == group and measure not in left_out
    ]
    values = {measure: value_of(population, measure) for measure in names}
    return {measure: value for measure, value in values.items() if np.isfinite(value)}


def value_of(population: Evaluation, measure: str) -> float:
    """Without its interval, which would take long; of a debiased error the error that it estimates."""
    entry, summary = population.entry(measure), population.summary_of(measure)
    if entry.interval.kind == "bins" and len(entry.interval.of) > 1:
        return float(entry.interval.of[0](of_equal_width(summary, entry.defaults["bins"])))
    return float(entry.function(summary, **entry.defaults | population.parameters_of(entry)))


@cache
def _groups():
    """By measure whose interval takes many resamples, in one sample: the group."""
    setting = SETTINGS["cohort, 300/300"]
    one = evaluate(
        **drawn(setting, np.random.default_rng(0)), threshold=setting.share, score_kind="probability"
    )
    return {
        name: "errors" if one.entry(name).scores == "probability" else "resampled"
        for name in one
        if one.entry(name).summary.__name__ == "RankingTable" and one[name].method in SLOW
    }


def tables(found: dict[str, Found], samples: dict[str, int]) -> list[str]:
    """By measure the lowest and highest coverage over the settings of each kind, and where; then all that lie
    outside."""
    kinds = [kind for kind in KINDS if any(setting.startswith(kind) for setting in found)]
    by_measure: dict[str, dict[str, tuple[float, float]]] = {}
    for setting, sums in found.items():
        for measure, (known, held, _, _, noted, _) in sums.items():
            if known >= samples[setting] / 2:
                by_measure.setdefault(measure, {})[setting] = held / known, noted / known
    rows = [f"| measure | {' | '.join(kinds)} |", "|---" * (len(kinds) + 1) + "|"]
    for measure, of in sorted(by_measure.items()):
        rows.append(f"| {measure} | {' | '.join(_range(of, kind) for kind in kinds)} |")
    outside = [
        f"| {measure} | {setting} | {share:.3f} | {noted:.0%} |"
        for measure, of in sorted(by_measure.items())
        for setting, (share, noted) in of.items()
        if not LOWEST <= round(share, 3) <= HIGHEST
    ]
    return [
        *rows,
        "",
        f"Outside {LOWEST} to {HIGHEST}:",
        "",
        "| measure | setting | coverage | with note |",
        "|---|---|---|---|",
        *outside,
    ]


def _range(of, kind):
    shares = [share for setting, (share, _) in of.items() if setting.startswith(kind)]
    return f"{min(shares):.3f} to {max(shares):.3f}" if shares else ""


QUICK = Part(lambda: SETTINGS, quick, tables)
SLOW_ONES = Part(lambda: SETTINGS, slow, tables, 50)
OF_ERRORS = Part(lambda: SETTINGS | POOR, of_errors, tables, 50)
