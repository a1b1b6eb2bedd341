"""The threshold that a rule chooses, all equally good ones, and those that it chooses on resamples."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from ...inference import fixed_sizes
from ...inference.bootstrap.resampled import multinomial
from ...inference.clustered import DependentCases
from ...inference.fixed_sizes import reorders
from ...inference.replicates import Draws
from ...input.messages import Note
from ...input.options import Design
from ...measures import registry
from ...summaries import Counts, RankingTable
from .bounds import RuleError
from .choice import Threshold
from .halves import cases_of_each_class
from .picking import Picked, pick
from .rules import Rule


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
    both, allowed, chosen, cells = _chosen(rule, resamples)
    return Choice(
        table, rule, int(index), same,
        np.sort(base.thresholds[chosen].astype(float)), Counts.of(*cells),
        1 - allowed / max(both, 1), replicates,
    )  # fmt: skip


def _chosen(rule: Rule, resamples: Iterable[RankingTable]) -> tuple[int, int, np.ndarray, np.ndarray]:
    """The number of resamples with both classes, and of those of them on which the rule allows a threshold.

    Then the index of the threshold of each of these, and its counts (tp, fp, fn, tn).
    """
    parts = [_chosen_of(rule, some) for some in resamples]
    chosen, cells = (np.concatenate(part, -1) for part in list(zip(*parts, strict=True))[1:])
    return sum(part[0] for part in parts), len(chosen), chosen, cells


def _chosen_of(rule: Rule, resamples: RankingTable) -> tuple[int, np.ndarray, np.ndarray]:
    sweep, there = resamples.sweep(), pick(rule, resamples)
    both = (sweep.tp[..., -1] > 0) & (sweep.fp[..., -1] > 0)
    allowed = there.good.any(-1) & both
    chosen = there.at[allowed]
    cells = sweep.tp, sweep.fp, sweep.fn, sweep.tn
    return int(both.sum()), chosen, np.array([cell[np.flatnonzero(allowed), chosen] for cell in cells])


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
    found = pick(rule, table)
    if not found.good.any():
        raise RuleError(rule.why_nothing(table.sweep()) if rule.why_nothing else _nothing(rule))
    return found


def _nothing(rule: Rule) -> Note:
    return Note("rule-without-value" if rule.allowed is None else "rule-never-met", rule=rule.spec)


def _same(table: RankingTable, good: np.ndarray) -> tuple[tuple[float, float], ...]:
    """(low, high] for each run of neighbouring thresholds that are equally good."""
    limits = np.append(table.thresholds.astype(float), -np.inf)
    runs = np.split(good, np.flatnonzero(np.diff(good) > 1) + 1)
    return tuple((float(limits[run[-1] + 1]), float(limits[run[0]])) for run in runs)
