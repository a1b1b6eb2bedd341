"""Two classes at many cut-offs together: what a page looks up when its threshold moves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from ..inference import Settings, bounds_each
from ..inference.covariance import Sampling, sampling_of
from ..inference.interval import HELD
from ..input import validate
from ..measures import registry
from ..measures.families.cost import expected_cost, net_benefit
from ..measures.registry import ratio
from ..summaries import Counts, LogitTable, RankingTable
from ..summaries.passes import HULL, collected
from ..summaries.ranking import sigmoid
from .results import BENEFITS, BinaryEvaluation
from .thresholds import DEFAULT, by_rule, read_rule

SHOWN = (
    "sensitivity", "specificity", "precision", "negative_predictive_value", "accuracy", "f1",
    "matthews_correlation",
)  # fmt: skip
PREVALENCES = (
    0.001, 0.002, 0.005, 0.01, 0.02, 0.03, 0.05, 0.08, 0.1, 0.15, 0.2, 0.25,
    0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9,
)  # fmt: skip
RATIOS = (0.1, 0.2, 0.5, 1.0, 2.0, 3.0, 5.0, 8.0, 10.0, 15.0, 20.0, 30.0, 50.0, 100.0)
RULES = {
    "youden": "Youden",
    "f1": "Best F1",
    "sensitivity>=0.95": "Sensitivity \u2265 0.95",
    "specificity>=0.95": "Specificity \u2265 0.95",
    "prevalence_matched": "Share = prevalence",
}


PREDICTIVE = ("precision", "negative_predictive_value")
MOST_UNITS = 1_000  # clusters or persons, for intervals of predictive values and of costs: it takes a second


class Bounds(NamedTuple):
    """Values with the ends of their intervals, as arrays: NaN where undefined, or without an interval."""

    value: np.ndarray
    low: np.ndarray
    high: np.ndarray


@dataclass(frozen=True, eq=False)
class Cutoffs:
    """Two classes at k cut-offs, ascending: every number is that of `ev.at(cut-off)`.

    Attributes
    ----------
    thresholds : array of float, shape (k,)
        In the scale of the scores.
    tp, fp, fn, tn : array, shape (k,)
        The counts at each of them.
    share : Bounds
        The proportion that is predicted positive.
    measures : dict of str to Bounds
        By name, of shape (k,).
    net_benefit : array, shape (k,), or None
        At each cut-off taken as a probability; None where the scores are none.
    prevalences : array, shape (p,)
    ppv, npv : Bounds
        Of shape (p, k), as `at_prevalence` gives them.
    ratios : array, shape (r,)
        The cost of a false negative, with 1 for a false positive.
    cost : Bounds
        The expected cost, of shape (r, k). Like the predictive values without intervals for many units.
    best : array of int, shape (r,)
        The index of the cut-off of the smallest cost, which is the smallest of all thresholds.
    trivial : array, shape (r,)
        The smaller one of the costs of predicting nobody and everybody positive.
    rules : list of (name, title, index)
        The cut-offs that rules choose.
    start : int
        The index of the threshold of the evaluation.
    edges : array, shape (m + 1,)
        Of bins of the score; infinite scores are in the outer ones.
    positives, negatives : array, shape (m,)
        The weight of each class in each bin.
    """

    thresholds: np.ndarray
    tp: np.ndarray
    fp: np.ndarray
    fn: np.ndarray
    tn: np.ndarray
    share: Bounds
    measures: dict[str, Bounds]
    net_benefit: np.ndarray | None
    prevalences: np.ndarray
    ppv: Bounds
    npv: Bounds
    ratios: np.ndarray
    cost: Bounds
    best: np.ndarray
    trivial: np.ndarray
    rules: list[tuple[str, str, int]]
    start: int
    edges: np.ndarray
    positives: np.ndarray
    negatives: np.ndarray


def cutoffs(
    ev: BinaryEvaluation,
    thresholds: Any = None,
    measures: Sequence[str] = SHOWN,
    prevalences: Sequence[float] = PREVALENCES,
    ratios: Sequence[float] = RATIOS,
    most: int = 200,
    bins: int = 40,
    coarse: int = 0,
) -> Cutoffs:
    """Measures, predictive values, costs and the histogram of the scores, at cut-offs.

    Parameters
    ----------
    ev : BinaryEvaluation
        Of scores.
    thresholds : array of float, optional
        The cut-offs, to which those of the rules and of the evaluation are added; by default `most` of them,
        half evenly spread over the ROC curve, half over the range of the scores.
    measures : sequence of str
        Measures of counts.
    prevalences, ratios : sequence of float
        For the predictive values, and for the cost.
    most : int
        The largest number of cut-offs that are chosen.
    bins : int
        Of the histogram.
    coarse : int
        The fewest cases between two cut-offs, and the multiple to which those in a bin are rounded: cut-offs
        are then no scores, and rules have the nearest one. 0 for none.

    Raises
    ------
    InputError
        Without scores, and for a cut-off inside a bin of scores.
    """
    table, sign = ev._ranking("cutoffs"), ev._sign
    own = ev.limit if ev.limit is not None else np.nan
    chosen = _by_rules(ev, table)
    dear: Any = np.array(ratios, float)
    if coarse:
        at = _coarse(ev, most, coarse)
    elif thresholds is None:
        exact = np.array([own, *chosen.values(), *(sign * _cheapest(table, dear))])
        at = _selected(table, sign, exact, most)
    else:
        at = np.asarray(validate.some(thresholds, "thresholds", "numbers"), float)
        at = np.append(at, [own, *chosen.values()])
    at = np.unique(at[np.isfinite(at)]) + 0.0
    if ev.in_bins:
        for one in at:  # refuses those inside a bin
            ev.at(float(one))
    counts = table.counts_at(sign * at)
    at_cutoffs = _measured(ev, [*measures, "predicted_prevalence"], at, counts)
    ppv, npv = _predictive(ev, at, counts, np.array(prevalences, float))
    cost = _costs(ev, at, counts, dear)
    if ev.clusters is not None and ev.clusters.number > MOST_UNITS:
        each = ppv, npv, cost
        ppv, npv, cost = (one._replace(low=np.nan * one.low, high=np.nan * one.high) for one in each)
    nobody, everybody = (
        expected_cost(Counts.of(*cells), cost_fn=dear)
        for cells in (
            (0.0, 0.0, table.positives, table.negatives),
            (table.positives, table.negatives, 0.0, 0.0),
        )
    )
    edges = _edges(table, sign, bins)
    positives, negatives = _histogram(table, sign, edges)
    if coarse:
        positives, negatives = (coarse * np.rint(one / coarse) for one in (positives, negatives))
    titles = {"start": "Default" if ev.threshold and ev.threshold.rule is DEFAULT else "Threshold"} | RULES
    return Cutoffs(
        thresholds=at,
        tp=counts.tp,
        fp=counts.fp,
        fn=counts.fn,
        tn=counts.tn,
        share=at_cutoffs["predicted_prevalence"],
        measures={name: at_cutoffs[name] for name in measures},
        net_benefit=_benefit(ev, at, counts),
        prevalences=np.array(prevalences, float),
        ppv=ppv,
        npv=npv,
        ratios=dear,
        cost=cost,
        best=_last_least(cost.value) if sign > 0 else np.argmin(cost.value, axis=1),
        trivial=np.minimum(nobody, everybody),
        rules=[
            (name, titles[name], int(_nearest(at, limit))) for name, limit in {"start": own, **chosen}.items()
        ],
        start=int(_nearest(at, own)),
        edges=edges,
        positives=positives,
        negatives=negatives,
    )


def together(
    evaluations: Mapping[str, BinaryEvaluation], measures: Sequence[str], most: int
) -> tuple[np.ndarray, dict[str, tuple[Counts, dict[str, Bounds]]], dict[str, float]]:
    """Cut-offs of several models, of each its counts and measures there, and its threshold by Youden's index.

    About `most` of them, ascending, with those thresholds and those of the evaluations.
    """
    chosen = {
        name: _by_rules(ev, ev._ranking("cutoffs")).get("youden", np.nan) for name, ev in evaluations.items()
    }
    some = [
        _selected(ev._ranking("cutoffs"), ev._sign, np.array([ev.limit, chosen[name]]), most // len(chosen))
        for name, ev in evaluations.items()
    ]
    at = np.unique(np.concatenate(some)) + 0.0
    found = {}
    for name, ev in evaluations.items():
        counts = ev._ranking("cutoffs").counts_at(ev._sign * at)
        found[name] = counts, _measured(ev, measures, at, counts)
    return at, found, {name: limit for name, limit in chosen.items() if np.isfinite(limit)}


# The cut-offs
# ------------------------------------------------------------------------------------------------------------


def _by_rules(ev: BinaryEvaluation, table: RankingTable) -> dict[str, float]:
    """The threshold of each rule that allows one, in the scale of the scores."""
    if not ev.both_classes:
        return {}
    result = {}
    for rule in RULES:
        try:
            limit = by_rule(table, read_rule(rule)).value
        except validate.InputError:
            continue
        if limit is not None and np.isfinite(limit):
            result[rule] = ev._sign * limit
    return result


def _cheapest(table: RankingTable, ratios: np.ndarray) -> np.ndarray:
    """The threshold of the smallest cost for each ratio, the highest of equally good ones: on the hull."""
    corners = collected(table, HULL)
    cost = ratios[:, None] * (corners.tp[-1] - corners.tp) + corners.fp
    return table.thresholds[corners.place[np.argmin(cost, axis=1)]].astype(float)


def _selected(table: RankingTable, sign: int, exact: np.ndarray, most: int) -> np.ndarray:
    """At most so many cut-offs: these, and scores evenly spread over the ROC curve and over their range."""
    exact = np.unique(exact[np.isfinite(exact)])
    score = table.score[np.isfinite(table.score)][::-1].astype(float)
    room = max(most - len(exact), 2)
    if len(score) > room:
        half = room // 2
        counts = table.sweep()
        along = (ratio(counts.tp, table.positives or 1) + ratio(counts.fp, table.negatives or 1))[1:]
        by_rank = np.searchsorted(along, np.linspace(along[0], along[-1], half))
        by_score = np.searchsorted(score, np.linspace(score[0], score[-1], room - half))
        places = np.append(by_score, len(score) - 1 - by_rank)
        score = score[np.clip(places, 0, len(score) - 1)]
    return np.append(sign * score, exact)


def _coarse(ev: BinaryEvaluation, most: int, fewest: int) -> np.ndarray:
    """Cut-offs between two scores, with so many cases or more between two; and the own one, if it is none."""
    table, sign = ev._ranking("cutoffs"), ev._sign
    free = [] if ev.threshold is None or ev.threshold.chosen or ev.limit is None else [ev.limit]
    there = np.isfinite(table.score)
    score, cases = table.score[there].astype(float), (table.positive + table.negative).cumsum()[there]
    first = float(sum(table.counts_at(sign * free[0])._cells()[:2])) if free else 0.0
    blocks = np.trunc((cases[:-1] - first) / fewest)
    _, place = np.unique(np.where(blocks % 2 == 0, blocks, 0.0), return_index=True)
    place = place[(blocks[place] != 0) & (cases[place] >= fewest) & (cases[-1] - cases[place] >= fewest)]
    if not len(place) and not free:
        raise validate.InputError(
            "unsupported", "coarse", f"no cut-off has {fewest} cases on both sides", "take a smaller number"
        )
    place = place[np.unique(np.linspace(0, len(place) - 1, min(most, len(place))).astype(int))]
    low, high = score[place + 1], score[place]
    unit = 10.0 ** np.floor(np.log10(high - low) - 1)
    return np.append(sign * np.rint((low + high) / 2 / unit) * unit, free)


def _last_least(values: np.ndarray) -> np.ndarray:
    """The last place of the smallest value of each row: the highest of equally good cut-offs."""
    return values.shape[1] - 1 - np.argmin(values[:, ::-1], axis=1)


def _nearest(at: np.ndarray, limits: Any) -> np.ndarray:
    return np.abs(at - np.asarray(limits)[..., None]).argmin(-1)


# The numbers
# ------------------------------------------------------------------------------------------------------------


def _tables(
    ev: BinaryEvaluation, at: np.ndarray, counts: Counts, number: int = 1
) -> Iterator[tuple[Counts, Sampling | None]]:
    """The counts at the cut-offs, and how cases in units were sampled; of these some at a time.

    number: of tables that are made of each.
    """
    if ev.clusters is None or (number > 1 and ev.clusters.number > MOST_UNITS):
        yield counts, None
        return
    for one in ev.clusters.at_cutoffs(ev._sign * at, ev.settings.design, number):
        yield _counts_of(one), one


def _counts_of(sampling: Sampling) -> Counts:
    return Counts.of(*np.moveaxis(sampling.weight, -1, 0))


def _measured(
    ev: BinaryEvaluation, names: Sequence[str], at: np.ndarray, counts: Counts
) -> dict[str, Bounds]:
    entries = {name: registry.get(name, Counts) for name in names}
    parameters = {name: ev.parameters_of(one) for name, one in entries.items() if one.name not in BENEFITS}
    blocks: dict[str, list[np.ndarray]] = {name: [] for name in parameters}
    for table, of in _tables(ev, at, counts):
        for name, more in parameters.items():
            blocks[name].append(bounds_each(entries[name], table, ev.settings, of, **more))
    return {
        name: Bounds(*np.hstack(blocks[name])) if name in blocks else _at_each(ev, name, at) for name in names
    }


def _at_each(ev: BinaryEvaluation, name: str, at: np.ndarray) -> Bounds:
    """The net benefit and its like, which depend on the threshold itself."""
    each = [ev.at(float(one))[name] for one in at]
    return Bounds(*(np.array([getattr(one, end) for one in each]) for end in ("value", "low", "high")))


def _costs(ev: BinaryEvaluation, at: np.ndarray, counts: Counts, ratios: np.ndarray) -> Bounds:
    entry = registry.get("expected_cost", Counts)
    parts = [
        np.stack([bounds_each(entry, table, ev.settings, of, cost_fn=one) for one in ratios], axis=1)
        for table, of in _tables(ev, at, counts, len(ratios))
    ]
    return Bounds(*np.concatenate(parts, axis=-1))


def _benefit(ev: BinaryEvaluation, at: np.ndarray, counts: Counts) -> np.ndarray | None:
    if not ev.probabilities:
        return None
    probability: Any = sigmoid(at) if isinstance(ev.ranking, LogitTable) else at
    return net_benefit(counts, threshold=probability)


def _predictive(
    ev: BinaryEvaluation, at: np.ndarray, counts: Counts, prevalences: np.ndarray
) -> list[Bounds]:
    """The predictive values at each prevalence: of cases that have the weights of their class there."""
    if not ev.both_classes:
        none = np.full((len(prevalences), len(at)), np.nan)
        return [Bounds(none, none, none)] * 2
    shares = np.stack([1 - prevalences, prevalences], -1)[:, None]
    settings = Settings(level=ev.settings.level, design=HELD)
    found = []
    for table, sampling in _tables(ev, at, counts, len(prevalences)):
        of = sampling_of(table, fixed=True) if sampling is None else replace(sampling, fixed=True)
        sizes = np.stack([table.negatives, table.positives], -1)
        of = of.reweighted((shares / sizes)[..., of.stratum])
        found.append([bounds_each(name, _counts_of(of), settings, of) for name in PREDICTIVE])
    return [Bounds(*np.concatenate(each, axis=-1)) for each in zip(*found, strict=True)]


def _edges(table: RankingTable, sign: int, bins: int) -> np.ndarray:
    score = sign * table.score[np.isfinite(table.score)].astype(float)
    low, high = (0.0, 1.0) if not len(score) else (score.min(), score.max())
    if low >= 0 and high <= 1:
        low, high = 0.0, 1.0
    return np.linspace(low, high, bins + 1) if high > low else np.linspace(low - 0.5, high + 0.5, bins + 1)


def _histogram(table: RankingTable, sign: int, edges: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The weight of each class between the edges; a bin has the edge from which on cases are positive."""
    inner = table.counts_at(sign * edges[1:-1])
    found = []
    for inside, whole in ((inner.tp, table.positives), (inner.fp, table.negatives)):
        above = (
            np.concatenate([[whole], inside, [0.0]]) if sign > 0 else np.concatenate([[0.0], inside, [whole]])
        )
        found.append(np.abs(np.diff(above)))
    return found[0], found[1]
