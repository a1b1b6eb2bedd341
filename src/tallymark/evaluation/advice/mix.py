"""The effect of the class mix on each measure, computed from the user's own table.

No list states which measures depend on the class mix. A summary is a table of weights: true classes by
predictions, or by scores. Rescaled rows give another class mix with the same rates; rows in proportion to the
column totals give predictions that are independent of the true class.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from math import isclose, isfinite, isnan, log
from typing import Any, NamedTuple

import numpy as np

from ... import kernels
from ...inference.replicates import Statistic
from ...measures import registry
from ...summaries import ConfusionMatrix, Counts, LogitTable, RankingTable
from ..results import BinaryEvaluation, Evaluation, MulticlassEvaluation

MOVED = 0.05  # a measure with a bounded range depends on the class mix where it changes by more than this,
TENTH = 0.10  # one with an unbounded range where it changes by more than this share of its larger value

MANY = 10_000  # scores
Values = dict[registry.Measure, float]


class Shift(NamedTuple):
    """A measure on these data and with classes of equal size.

    size: the change, divided by the largest change that is ignored; endless: whether its range is unbounded
    at one end; anchored: whether guessing has the same value in both tables.
    """

    name: str
    here: float
    there: float
    size: float
    endless: bool
    anchored: bool

    @property
    def moved(self) -> bool:
        return self.size > 1


def rows(summary: Any) -> np.ndarray:
    """Weights by true class (rows) and by prediction or score (columns)."""
    if isinstance(summary, Counts):
        return np.array([[summary.tp, summary.fn], [summary.fp, summary.tn]])
    if isinstance(summary, ConfusionMatrix):
        return summary.weights
    return np.array([summary.positive, summary.negative], float)


def _like(summary: Any, weights: np.ndarray) -> Any:
    """A summary of the same kind with these weights."""
    if isinstance(summary, Counts):
        (tp, fn), (fp, tn) = weights.tolist()
        return Counts.of(tp, fp, fn, tn)
    if isinstance(summary, ConfusionMatrix):
        return summary.with_weights(weights)
    return summary.of(summary.score, *weights)


def at_mix(summary: Any, *shares: float) -> Any:
    """The same rates and total with these shares of the classes; a class without cases stays empty."""
    weights = rows(summary)
    size = weights.sum(1)
    factor = np.divide(np.array(shares) * size.sum(), size, out=np.zeros_like(size), where=size > 0)
    return _like(summary, weights * factor[:, None])


def balanced(summary: Any) -> Any:
    """The same rates with equal sizes of the classes that occur."""
    there = rows(summary).sum(1) > 0
    return at_mix(summary, *(there / there.sum()).tolist())


def recalibrated(table: RankingTable, share: float) -> RankingTable:
    """The same cases with the probabilities that a calibrated model has where this share is positive.

    Other class sizes with unchanged probabilities would make any calibrated model miscalibrated. The odds are
    multiplied by the ratio of the odds of both class mixes. Source: Elkan (2001), section 4.
    """
    odds = share / (1 - share) / (table.positives / table.negatives)
    if isinstance(table, LogitTable):
        return table.of(table.score + np.log(odds), table.positive, table.negative)
    p = table.probability
    return RankingTable.of(p * odds / (p * odds + (1 - p)), table.positive, table.negative)


def guessing(summary: Any) -> Any:
    """The same class sizes and predicted frequencies, with predictions independent of the true class."""
    weights = rows(summary)
    return _like(summary, np.outer(weights.sum(1), weights.sum(0)) / weights.sum())


def answered(e: Evaluation) -> Any:
    """The table of predictions, where each case has one label; else None."""
    if isinstance(e, BinaryEvaluation):
        return e.counts
    return e.matrix if isinstance(e, MulticlassEvaluation) else None


def decided(e: Evaluation) -> Any:
    """The table of predictions, where there are cases of two classes or more; else None."""
    table = answered(e)
    return table if table is not None and _classes(table) > 1 else None


def shifts(e: Evaluation, need: str | None = None) -> list[Shift]:
    """How each measure that fits the need and the data would change with classes of equal size.

    Only measures for which a higher or a lower value is better. Those of a ranking are kept with its table,
    since several rules look at them.
    """
    every: list[Shift] = []
    ranking = e.ranking if need != "decision" and isinstance(e, BinaryEvaluation) else None
    for summary in (decided(e) if need in (None, "decision") else None, ranking):
        if summary is None or _classes(summary) < 2:
            continue
        entries = [
            entry
            for entry in registry.find(summary)
            if entry.better and entry.name in e.estimates and (summary is not ranking or _fits(entry, need))
        ]
        table = e.as_cases(summary) or summary
        key = f"shifts: {[(entry.name, e.parameters_of(entry)) for entry in entries]}"
        kept = table.kept if isinstance(table, RankingTable) else {}
        if key not in kept:
            kept[key] = _shifts(e, table, entries)
        every += kept[key]
    return every


def _shifts(e: Evaluation, table: Any, entries: list[registry.Measure]) -> list[Shift]:
    large = isinstance(table, RankingTable) and len(table) > MANY
    # fewer scores, on which the comparison of guesses in two class mixes does not depend
    blind = guessing(table.thinned() if large else table)
    statistics = [(entry, e.parameters_of(entry)) for entry in entries]

    def added_up() -> Values:
        """The values on these cases, after one pass for these and for their intervals."""
        e.add_up([entry.name for entry in entries])
        return _values(statistics, lambda _: table)

    here, there = kernels.together(added_up, partial(_values, statistics, _balanced(table)), when=large)
    guess, guess_there = _values(statistics, lambda _: blind), _values(statistics, _balanced(blind))
    return [
        Shift(
            entry.name,
            here[entry],
            there[entry],
            _size(here[entry], there[entry], endless := not all(map(isfinite, entry.range))),
            endless,
            isclose(guess[entry], guess_there[entry], abs_tol=1e-9),
        )
        for entry in entries
    ]


def _values(statistics: Sequence[Statistic], table_for: Callable[[bool], Any]) -> Values:
    """The values of measures, each on the table for those that need probabilities, or for the others."""
    return {
        entry: float(entry.function(table_for(entry.needs_probabilities), **parameters))
        for entry, parameters in statistics
    }


def _balanced(table: Any) -> Callable[[bool], Any]:
    """Classes of equal size, with the probabilities that belong to them where they are needed.

    Each table is made once, since measures share what they compute of it.
    """
    return cache(lambda probabilities: balanced(recalibrated(table, 0.5) if probabilities else table))


def _fits(entry: registry.Measure, need: str | None) -> bool:
    """Whether a measure of scores is one for the need.

    Calibration, and the parts of a score that are due to it, are asked of one population: they compare its
    outcomes with the probabilities.
    """
    if entry.needs_probabilities:
        return need in (None, "probabilities") and entry.loss is not None
    return need in (None, "ranking", "early_retrieval")


def _classes(summary: Any) -> int:
    return int((rows(summary).sum(1) > 0).sum())


def _size(here: float, there: float, endless: bool) -> float:
    change = abs(there - here)
    if not change or isnan(change):  # NaN: undefined, or infinite in both
        return 0.0
    return change / (TENTH * max(abs(here), abs(there)) if endless else MOVED)


def implied(e: Evaluation, cost_fp: float, cost_fn: float) -> float | None:
    """The threshold of calibrated probabilities with the smallest expected cost, in the unit of the scores.

    None where the scores are no probabilities, and where one of the errors costs nothing.
    """
    if not (isinstance(e, BinaryEvaluation) and e.probabilities and cost_fp and cost_fn):
        return None
    return log(cost_fp / cost_fn) if isinstance(e.ranking, LogitTable) else cost_fp / (cost_fp + cost_fn)
