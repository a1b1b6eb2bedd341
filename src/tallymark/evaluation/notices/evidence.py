"""What an interval shows: the findings rest on these two questions.

A two-sided interval of 99 % puts the false alarms of each side at 0.5 % where it holds, so that approximate
intervals stay below the 2 % that a notice may have.

Weights that are one number for each class give the classes another mix. Probabilities are correct for one
mix: that of the cases as they come, where class weights balance training, or the weighted one, where they
undo sampling by class. The data do not say which, so with such weights a finding must show with and without
them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from ...input.data_info import DataInfo, Task

if TYPE_CHECKING:
    from ...inference import Estimate
    from ..results import BinaryEvaluation, Evaluation, MulticlassEvaluation

E = TypeVar("E", bound="Evaluation")
LEVEL = 0.99
CLEARLY = 2.576  # standard errors: the end of a two-sided interval of that level
ALIKE = 1e-9  # relative difference that rounding leaves
OTHER_MIX = 0.1  # of the logarithm of the ratio of two classes
MOST_SCORES = 5_000  # beyond it neighbouring scores are pooled


def below(e: Evaluation, name: str, limit: float, size: float = 0.0) -> Estimate | None:
    """The estimate, where its interval at LEVEL lies below the limit and its value by more than `size`; None
    elsewhere."""
    return _shown(e, name, lambda found: found.high < limit and found.value < limit - size)


def above(e: Evaluation, name: str, limit: float, size: float = 0.0) -> Estimate | None:
    """The estimate, where its interval at LEVEL lies above the limit and its value by more than `size`; None
    elsewhere."""
    return _shown(e, name, lambda found: found.low > limit and found.value > limit + size)


def figures(found: Estimate) -> dict[str, Any]:
    """The value and, where there is one, its interval, as fields of a notice."""
    return {"value": found.value, **({"low": found.low, "high": found.high} if found.has_interval else {})}


def _shown(e: Evaluation, name: str, beyond: Callable[[Estimate], bool]) -> Estimate | None:
    """With clusters, what shows with independent cases is asked again of the clusters, which takes longer."""
    if name not in e.estimates or not all(beyond(look.estimates[name]) for look in _looks(e)):
        return None
    return e.estimates[name]


def _looks(e: Evaluation) -> list[Evaluation]:
    looks: list[Evaluation]
    if "_looks" not in e.__dict__:
        settings, pooled = replace(e.settings, level=LEVEL), POOLED.get(e.task)
        looks = [replace(e, settings=settings, clusters=None, **(pooled(e) if pooled else {}))]
        plain = without_class_weights(looks[0])
        looks += [] if plain is None else [plain]
        e.__dict__["_looks"] = looks if e.clusters is None else [*looks, replace(e, settings=settings)]
    looks = e.__dict__["_looks"]
    return looks


def without_class_weights(e: E) -> E | None:
    """The evaluation of scores where each case counts once; None unless all cases of a class have one weight,
    and classes unlike ones."""
    found = PLAIN.get(e.task)
    return found(e) if found and e.data.effective_rows is not None else None


def _of_class_weights(e: Evaluation, weights: np.ndarray, cases: np.ndarray) -> bool:
    """Whether all cases of a class have one weight, and classes unlike ones. weights: of each class; cases:
    of one weight, that it stands for."""
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
    return replace(e, data=_unweighted(e), scores=one, matrix=one.confusion(e.matrix.ordered), clusters=None)


def _plain_ranking(e: BinaryEvaluation) -> BinaryEvaluation | None:
    if e.ranking is None:
        return None
    cases = np.array(sizes(e), float)
    if not _of_class_weights(e, np.array([e.ranking.positives, e.ranking.negatives], float), cases):
        return None
    held = e.ranking.in_effective_cases()
    ranking = e.ranking.of(e.ranking.score, np.rint(held.positive), np.rint(held.negative))
    data = _unweighted(e).of_classes(cases[0], cases[1])
    found = replace(e, data=data, ranking=ranking, clusters=None)
    return found if e.limit is None else found.at(e.limit)


PLAIN: dict[Task, Callable[[Any], Any]] = {"binary": _plain_ranking, "multiclass": _plain_classes}


def _unweighted(e: Evaluation) -> DataInfo:
    return replace(e.data, effective_rows=None, weighted=False)


def _pooled(e: BinaryEvaluation) -> dict[str, Any]:
    """Neighbouring scores put together under their mean, where there are very many: what the intervals show
    stays the same."""
    table = e.ranking
    if table is None or len(table) <= MOST_SCORES:
        return {}
    first = np.arange(0, len(table), -(-len(table) // MOST_SCORES))
    weight = table.positive + table.negative
    mean = np.add.reduceat(table.score * weight, first) / np.add.reduceat(weight, first)
    held = table.grouped(first)
    return {"ranking": table.of(mean, held.positive, held.negative, held.squares)}


POOLED: dict[Task, Callable[[Any], dict[str, Any]]] = {"binary": _pooled}


def sizes(e: BinaryEvaluation) -> tuple[float, float]:
    """How many cases the positives and the negatives of an evaluation of two classes stand for."""
    if e.ranking is not None:
        return e.ranking.effective_positives, e.ranking.effective_negatives
    assert e.data.positives is not None
    assert e.data.negatives is not None
    scale = e.data.effective_rows / (e.data.positives + e.data.negatives) if e.data.effective_rows else 1
    return scale * e.data.positives, scale * e.data.negatives
