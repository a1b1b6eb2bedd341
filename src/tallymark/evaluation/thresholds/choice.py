"""The threshold that a rule takes, all equally good ones, and those that it takes on resamples.

A threshold is dominated if another one has at least its true positives and at most its false positives, and
not both equal. Of the thresholds that a rule allows, it takes the best that no other allowed one dominates;
an exact rule takes the best of all that it allows, and dominance decides among equally good ones only. Of
several, a constraint takes the one that is best in the constrained measure. Then the highest score is taken.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from ...inference import fixed_sizes
from ...inference.bootstrap.resampled import multinomial
from ...inference.clustered import DependentCases
from ...inference.fixed_sizes import reorders
from ...inference.replicates import Draws
from ...input.messages import Note
from ...input.options import Design
from ...input.results import Result
from ...measures import registry
from ...measures.families.combined import youden_j
from ...summaries import Counts, RankingTable
from ...summaries.ranking import Squares
from .rules import DEFAULT, ONE_CLASS, OfCounts, Rule, RuleError, RuleSpec, read

Shared = tuple[np.ndarray, np.ndarray, np.ndarray]  # the row, true positives, false positives
ROUNDING = 1e-12  # largest difference of equally good thresholds, relative to the largest objective


class Picked(NamedTuple):
    """The threshold taken, and those that are equally good.

    good: which thresholds are as good by the rule as the one taken; at: the index of that one, 0 where there
    is none.
    """

    good: np.ndarray
    at: np.ndarray


def pick(rule: Rule, table: RankingTable) -> Picked:
    """The threshold that the rule takes, of the table or of each of its resamples (along the last axis)."""
    counts = table.sweep()
    allowed = _allowed(rule, counts, table)
    objective = np.where(allowed, _known(rule.objective, counts), -np.inf)
    if rule.exact:
        good = equally_good(objective)
        left = good & undominated(counts, good)
    else:
        candidates = undominated(counts, allowed)
        good = equally_good(objective, candidates)
        left = good & candidates
        good = left if rule.limits or rule.of_bound else good
    if rule.then is not None:
        better = left & equally_good(np.where(left, _known(rule.then, counts), -np.inf))
        left = np.where(better.any(-1, keepdims=True), better, left)
    # a threshold without predicted positives only where no other one is as good
    some = left & (counts.tp + counts.fp > 0)
    return Picked(good, np.argmax(np.where(some.any(-1, keepdims=True), some, left), -1))


def equally_good(objective: np.ndarray, candidates: np.ndarray | None = None) -> np.ndarray:
    """Which thresholds are as good as the best of the candidates, up to rounding.

    None where the objective is -inf.
    """
    best = (objective if candidates is None else np.where(candidates, objective, -np.inf)).max(
        -1, keepdims=True
    )
    room = ROUNDING * np.abs(np.where(np.isfinite(objective), objective, 0.0)).max(-1, keepdims=True)
    return (objective >= best - room) & (objective <= best + room) & (objective > -np.inf)


def undominated(counts: Counts, allowed: np.ndarray) -> np.ndarray:
    """The allowed thresholds that no other allowed one dominates; of those with the same counts the highest.

    From one threshold to the next lower one no count of positives falls, so that it is enough to look at the
    neighbours.
    """
    place = np.flatnonzero(allowed)
    place, (same_row, same_tp, same_fp) = _without_repeats(place, counts)
    dominated = np.zeros(len(place), bool)
    dominated[:-1] |= same_row & same_fp  # by the next threshold, which has more true positives
    dominated[1:] |= same_row & same_tp  # by the previous threshold, which has fewer false positives
    left = np.zeros(allowed.shape, bool)
    left.reshape(-1)[place] = ~dominated
    return left


def _allowed(rule: Rule, counts: Counts, table: RankingTable) -> np.ndarray:
    with np.errstate(invalid="ignore", divide="ignore"):
        allowed = np.ones(counts.tp.shape, bool) if rule.allowed is None else np.array(rule.allowed(counts))
    if len(table) and np.isposinf(table.score[0]):
        allowed[..., 0] = False  # no threshold is above an infinite score
    return allowed


def _known(function: OfCounts, counts: Counts) -> np.ndarray:
    with np.errstate(invalid="ignore", divide="ignore"):
        value = np.asarray(function(counts), float)
    return np.where(np.isnan(value), -np.inf, value)


def _without_repeats(place: np.ndarray, counts: Counts) -> tuple[np.ndarray, Shared]:
    """The places where the counts differ from those before, and what each shares with the next."""
    row, tp, fp = _shared(place, counts)
    same = row & tp & fp
    if not same.any():
        return place, (row, tp, fp)
    place = place[np.append(True, ~same)[: len(place)]]
    return place, _shared(place, counts)


def _shared(place: np.ndarray, counts: Counts) -> Shared:
    """For each two neighbours, whether they are of one row, and whether tp, and fp, are equal.

    place: ascending, counted over all rows.
    """
    every = len(place) == np.size(counts.tp)
    tp, fp = (np.ravel(part) if every else np.ravel(part)[place] for part in (counts.tp, counts.fp))
    row = np.ones(max(len(place) - 1, 0), bool)
    ends = np.arange(1, np.size(counts.tp) // counts.tp.shape[-1]) * counts.tp.shape[-1]
    first = np.searchsorted(place, ends)  # the first places of the rows after the first one
    row[first[(first > 0) & (first < len(place))] - 1] = False
    return row, tp[1:] == tp[:-1], fp[1:] == fp[:-1]


HALF = 0.5
SPLITS = 50  # of the cases into halves: both are used for the choice, and for the count


def cases_of_each_class(table: RankingTable) -> RankingTable:
    """The table with weights that add up to the effective number of cases in each class."""
    by_class = [
        (weight, squares, float(weight.sum() / squares.sum()) if squares.any() else 1.0)
        for weight, squares in weights_by_class(table)
    ]
    positive, negative = (weight * factor for weight, _, factor in by_class)
    return table.of(
        table.score, positive, negative, Squares(*(squares * factor**2 for _, squares, factor in by_class))
    )


def weights_by_class(table: RankingTable) -> list[tuple[np.ndarray, np.ndarray]]:
    """By class, the weights at each score, and their squares."""
    return [
        (np.asarray(a, float), np.asarray(b, float))
        for a, b in zip((table.positive, table.negative), table.squared, strict=True)
    ]


@dataclass(frozen=True, slots=True)
class Threshold(Result):
    """A threshold: cases with score >= value are predicted positive.

    value: None where labels were predicted. rule: how it was chosen, a `RuleSpec`, whose `text` describes it;
    by: the rule that chose it on these cases, None where none did, or where it is not known; splits: of the
    cases into halves, on which the choice is repeated, 0 for none.
    """

    value: float | None
    rule: RuleSpec
    by: Rule | None = field(default=None, compare=False, repr=False)
    splits: int = field(default=SPLITS, compare=False, repr=False)

    @property
    def chosen(self) -> bool:
        """Whether it was chosen on the cases that are measured."""
        return self.value is not None and self.rule.chosen

    def to_dict(self) -> dict[str, Any]:
        """Plain values; an infinite threshold is the text "inf" or "-inf"."""
        finite = self.value is None or np.isfinite(self.value)
        return {"value": self.value if finite else str(self.value), "rule": self.rule.to_dict()}


def default_threshold(
    table: RankingTable, in_unit_interval: bool, score_kind: str | None = None
) -> Threshold:
    """0 for logits and margins, 0.5 if all scores lie in [0, 1], else that of the largest Youden index."""
    if score_kind in ("logit", "margin"):
        return Threshold(0.0, DEFAULT)
    return Threshold(HALF, DEFAULT) if in_unit_interval else largest_youden(table)


def largest_youden(table: RankingTable) -> Threshold:
    """The threshold with the largest sensitivity + specificity - 1; of several equally good ones the highest.

    With one class only there is no Youden index: the median of the distinct scores, and said so.
    """
    if not (table.positives and table.negatives):
        return Threshold(float(table.score[len(table) // 2]), ONE_CLASS)
    rule = read("youden")
    return Threshold(float(table.score[highest_of_the_best(youden_j(table.sweep()))]), rule.spec, rule)


def highest_of_the_best(values: np.ndarray) -> int:
    """The place of the highest score with the largest value, up to rounding.

    values: at the thresholds of a sweep, of which the first is above every score; it is not taken, even where
    no other is better.
    """
    return int(np.argmax(equally_good(values[1:])))


@dataclass(frozen=True, eq=False)
class Choice:
    """The threshold that a rule chose on a table, and those that it chose on resamples of it.

    index: of the threshold in `ranking.thresholds`; equally_good: intervals (low, high] of thresholds with
    the same objective, the highest first; thresholds: those chosen on the resamples, ascending; resampled:
    the counts of the resample at each of these; nothing_allowed: the share of resamples on which the rule
    allows no threshold, among those with cases of both classes, NaN without resamples; replicates: the number
    of resamples requested.
    """

    ranking: RankingTable
    rule: Rule
    index: int
    equally_good: tuple[tuple[float, float], ...]
    thresholds: np.ndarray
    resampled: Counts
    nothing_allowed: float
    replicates: int

    @property
    def value(self) -> float:
        return float(self.ranking.thresholds[self.index])

    @property
    def counts(self) -> Counts:
        return self.ranking.sweep()[self.index]

    def interval(self, level: float) -> tuple[float, float]:
        """The percentile interval of the thresholds chosen on resamples."""
        if not len(self.thresholds):
            return float("nan"), float("nan")
        tail = (1 - level) / 2
        ends = np.clip(
            np.round(np.array([tail, 1 - tail]) * (len(self.thresholds) - 1)), 0, len(self.thresholds) - 1
        )
        low, high = self.thresholds[ends.astype(int)].tolist()
        return min(low, self.value), max(high, self.value)

    def share_between(self, level: float) -> float:
        """The share of all cases between the ends of the interval."""
        if not len(self.thresholds):
            return 1.0
        low, high = (self.ranking.counts_at(end) for end in self.interval(level))
        return float((low.tp + low.fp - high.tp - high.fp) / self.ranking.total)


def by_rule(table: RankingTable, rule: Rule) -> Threshold:
    """The threshold that the rule chooses. Raises InputError where it allows none."""
    return Threshold(float(table.thresholds[_picked(table, rule).at]), rule.spec, rule)


def choose(
    table: RankingTable,
    rule: Rule,
    seed: int,
    replicates: int,
    design: Design = "cohort",
    clusters: DependentCases | None = None,
) -> Choice:
    """Applies the rule to the table and to bootstrap resamples of it.

    replicates: 0 for none. design: "cohort", the class mix varies from resample to resample, or
    "case-control", the class sizes are fixed. With importance weights the resamples have the effective number
    of cases of each class. clusters: those that are drawn as wholes. Raises InputError where the rule allows
    no threshold.
    """
    good, index = _picked(table, rule)
    same = _same(table, np.flatnonzero(good))
    if not replicates:
        none = np.empty(0)
        empty = Counts.of(none, none, none, none)
        return Choice(table, rule, int(index), same, none, empty, float("nan"), replicates)
    if clusters is None:
        of_rule = cases_of_each_class(table) if rule.of_bound else table
        base, resamples = multinomial(of_rule, seed, replicates, design)
    else:
        base, resamples = clusters.resamples(Draws(replicates, design, seed=seed))
    of_both, chosen, cells = 0, [], []
    for some in resamples:
        sweep, there = some.sweep(), pick(rule, some)
        both = (sweep.tp[..., -1] > 0) & (sweep.fp[..., -1] > 0)
        allowed = there.good.any(-1) & both
        at = there.at[allowed]
        of_both += int(both.sum())
        chosen.append(at)
        every = (sweep.tp, sweep.fp, sweep.fn, sweep.tn)
        cells.append(np.array([cell[np.flatnonzero(allowed), at] for cell in every]))
    places = np.concatenate(chosen)
    return Choice(
        table, rule, int(index), same,
        np.sort(base.thresholds[places].astype(float)), Counts.of(*np.concatenate(cells, -1)),
        1 - len(places) / max(of_both, 1), replicates,
    )  # fmt: skip


def depends_on_mix(rule: Rule) -> bool:
    """Whether the rule may choose another threshold of the same scores if the class mix changes.

    A bound is on the rate of one class; `top_k` on a number of cases of both.
    """
    if rule.of_bound:
        return False
    limited = (registry.get(limit.spec["measure"], Counts) for limit in rule.limits)
    return (
        (rule.allowed is not None and not rule.limits)
        or reorders(rule.objective)
        or any(fixed_sizes.depends_on_mix(entry.function) for entry in limited)
    )


def _picked(table: RankingTable, rule: Rule) -> Picked:
    """The threshold that the rule takes. Raises InputError where there is none."""
    if not (table.positives and table.negatives):
        raise RuleError(Note("threshold-of-one-class"))
    table = cases_of_each_class(table) if rule.of_bound else table
    picked = pick(rule, table)
    if picked.good.any():
        return picked
    if rule.why_nothing:
        raise RuleError(rule.why_nothing(table.sweep()))
    raise RuleError(Note("rule-without-value" if rule.allowed is None else "rule-never-met", rule=rule.spec))


def _same(table: RankingTable, good: np.ndarray) -> tuple[tuple[float, float], ...]:
    """(low, high] for each run of neighbouring thresholds that are equally good."""
    limits = np.append(table.thresholds.astype(float), -np.inf)
    runs = np.split(good, np.flatnonzero(np.diff(good) > 1) + 1)
    return tuple((float(limits[run[-1] + 1]), float(limits[run[0]])) for run in runs)
