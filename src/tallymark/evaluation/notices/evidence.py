"""What an interval shows: the two questions on which findings rest.

With a two-sided interval of 99 % that has its nominal coverage, the false alarms of each side are 0.5 %, so
that those of approximate intervals stay below the 2 % that are allowed.

Weights that are one number for each class change the class mix. Probabilities are calibrated for one class
mix: that of the unweighted cases, where class weights balanced the training, or the weighted one, where the
weights undo sampling by class. The data do not show which, so with such weights a finding must hold with and
without them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ... import kernels

if TYPE_CHECKING:
    from ...inference import Estimate
    from ..results import BinaryEvaluation, Evaluation, MulticlassEvaluation

LEVEL = 0.99
CLEARLY = 2.576  # standard errors from the value to the end of a two-sided interval of that level
ALIKE = 1e-9  # relative difference due to rounding
OTHER_MIX = 0.1  # of the logarithm of the ratio of the weights of two classes
MOST_SCORES = 5_000  # more distinct scores than this are pooled with their neighbours
GROUPS_AT_ONCE = 32  # of neighbours: a block of ten million scores fits the cache


def below(e: Evaluation, name: str, limit: float, size: float = 0.0) -> Estimate | None:
    """The estimate, where its interval is below the limit and its value by more than `size`; else None.

    The interval is that at LEVEL.
    """
    return _shown(e, name, lambda estimate: estimate.high < limit and estimate.between[1] < limit - size)


def above(e: Evaluation, name: str, limit: float, size: float = 0.0) -> Estimate | None:
    """The estimate, where its interval is above the limit and its value by more than `size`; else None.

    The interval is that at LEVEL.
    """
    return _shown(e, name, lambda estimate: estimate.low > limit and estimate.between[0] > limit + size)


def figures(estimate: Estimate) -> dict[str, Any]:
    """The value, its bounds and its interval, if there are any, as fields of a notice."""
    bounds = {} if estimate.bounds is None else {"bounds": list(estimate.bounds)}
    interval = {"low": estimate.low, "high": estimate.high} if estimate.has_interval else {}
    return {"value": estimate.value, **bounds, **interval}


def _shown(e: Evaluation, name: str, beyond: Callable[[Estimate], bool]) -> Estimate | None:
    """The estimate, where all evaluations show it.

    That with clusters comes last, since it takes longest.
    """
    if name not in e.estimates or not all(beyond(look.estimates[name]) for look in _looks(e)):
        return None
    return e.estimates[name]


def _looks(e: Evaluation) -> list[Evaluation]:
    looks: list[Evaluation]
    if "_looks" not in e.__dict__:
        settings, pooled = replace(e.settings, level=LEVEL), _pooled(e) if e.task == "binary" else {}
        looks = [replace(e, settings=settings, clusters=None, **pooled)]
        plain = without_class_weights(looks[0])
        looks += [] if plain is None else [plain]
        e.__dict__["_looks"] = looks if e.clusters is None else [*looks, replace(e, settings=settings)]
    looks = e.__dict__["_looks"]
    return looks


def without_class_weights(e: Any) -> Any:
    """The evaluation of scores with each case of weight 1.

    None unless all cases of a class have one weight, and the weights of the classes differ.
    """
    if e.data.effective_rows is None:
        return None
    if e.task == "binary":
        return _plain_ranking(e)
    return _plain_classes(e) if e.task == "multiclass" else None


def _of_class_weights(e: Evaluation, weights: np.ndarray, cases: np.ndarray) -> bool:
    """Whether all cases of a class have one weight, and the weights of the classes differ.

    weights: of each class; cases: the number of unweighted cases of each class.
    """
    there = weights > 0
    unit = np.log(weights[there] / cases[there])
    return bool(
        abs(cases.sum() - (e.data.rows - e.data.weightless)) <= ALIKE * e.data.rows
        and np.ptp(unit) > OTHER_MIX
    )


def _plain_classes(e: MulticlassEvaluation) -> MulticlassEvaluation | None:
    s = e.scores
    if s is None or not _of_class_weights(e, s.sizes, s.effective_sizes):
        return None
    one = type(s)(s.labels, s.truth, s.score, np.ones_like(s.weight), s.affix, "count")
    return replace(
        e,
        data=replace(e.data, effective_rows=None, weighted=False),
        scores=one,
        matrix=one.confusion(e.matrix.ordered),
        clusters=None,
    )


def _plain_ranking(e: BinaryEvaluation) -> BinaryEvaluation | None:
    if e.ranking is None or e.in_bins:
        return None
    cases = np.array(sizes(e), float)
    if not _of_class_weights(e, np.array([e.ranking.positives, e.ranking.negatives], float), cases):
        return None
    effective = e.ranking.in_effective_cases()
    ranking = e.ranking.of(e.ranking.score, np.rint(effective.positive), np.rint(effective.negative))
    data = replace(e.data, effective_rows=None, weighted=False).of_classes(cases[0], cases[1])
    plain = replace(e, data=data, ranking=ranking, binned=None, clusters=None)
    return plain if e.limit is None else plain.at(e.limit)


def _pooled(e: Any) -> dict[str, Any]:
    """Neighbouring scores replaced by their mean, where there are very many.

    What the intervals show does not change.
    """
    table = e.ranking
    if table is None or len(table) <= MOST_SCORES or e.in_bins:
        return {}
    step = -(-len(table) // MOST_SCORES)

    def means(rows: slice) -> np.ndarray:
        """The mean scores of groups of so many neighbours, in these rows."""
        score, weight = table.score[rows], table.positive[rows] + table.negative[rows]
        first = np.arange(0, len(score), step)
        return np.add.reduceat(score * weight, first) / np.add.reduceat(weight, first)

    mean = np.concatenate(kernels.stretches(means, len(table), GROUPS_AT_ONCE * step))
    held = table.grouped(np.arange(0, len(table), step))
    return {"ranking": table.of(mean, held.positive, held.negative, held.squares), "binned": None}


def sizes(e: BinaryEvaluation) -> tuple[float, float]:
    """The effective numbers of positives and negatives of an evaluation of two classes."""
    if e.ranking is not None:
        return e.ranking.effective_positives, e.ranking.effective_negatives
    assert e.data.positives is not None
    assert e.data.negatives is not None
    scale = e.data.effective_rows / (e.data.positives + e.data.negatives) if e.data.effective_rows else 1
    return scale * e.data.positives, scale * e.data.negatives
