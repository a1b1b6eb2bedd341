"""What an interval shows: the findings rest on these two questions.

A two-sided interval of 99 % puts the false alarms of each side at 0.5 % where it holds, so that approximate intervals stay below
the 2 % that a notice may have.

Weights that are one number for each class give the classes another mix. Probabilities are correct for one mix: that of the cases
as they come, where class weights balance training, or the weighted one, where they undo sampling by class. The data do not say
which, so with such weights a finding must show with and without them.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

LEVEL = 0.99
CLEARLY = 2.576  # standard errors: the end of a two-sided interval of that level
ALIKE = 1e-9  # relative difference that rounding leaves
OTHER_MIX = 0.1  # of the logarithm of the ratio of two classes
MOST_SCORES = 5_000  # beyond it neighbouring scores are pooled


def below(e, name, limit, size=0.0):
    """The estimate, where its interval at LEVEL lies below the limit and its value by more than `size`; None elsewhere."""
    return _shown(e, name, lambda found: found.high < limit and found.value < limit - size)


def above(e, name, limit, size=0.0):
    """The estimate, where its interval at LEVEL lies above the limit and its value by more than `size`; None elsewhere."""
    return _shown(e, name, lambda found: found.low > limit and found.value > limit + size)


def figures(found):
    """The value and, where there is one, its interval, as fields of a notice."""
    return {"value": found.value, **({"low": found.low, "high": found.high} if found.has_interval else {})}


def _shown(e, name, beyond):
    """With clusters, what shows as of independent cases is asked again of the clusters, which takes longer."""
    if name not in e.estimates or not all(beyond(look.estimates[name]) for look in _looks(e)):
        return None
    return e.estimates[name]


def _looks(e):
    if "_looks" not in e.__dict__:
        settings = replace(e.settings, level=LEVEL)
        looks = [replace(e, settings=settings, ranking=_pooled(e.ranking), clusters=None)]
        plain = without_class_weights(looks[0])
        looks += [] if plain is None else [plain]
        e.__dict__["_looks"] = looks if e.clusters is None else [*looks, replace(e, settings=settings)]
    return e.__dict__["_looks"]


def without_class_weights(e):
    """The evaluation of scores where each case counts once; None unless all cases of a class have one weight, and classes unlike
    ones."""
    if (e.ranking is None and e.scores is None) or e.data.effective_rows is None:
        return None
    weights, cases = _by_class(e)
    there = weights > 0
    unit = np.log(weights[there] / cases[there])
    if abs(cases.sum() - (e.data.rows - e.data.weightless)) > ALIKE * e.data.rows or not np.ptp(unit) > OTHER_MIX:
        return None
    data = replace(e.data, effective_rows=None, weighted=False)
    if e.scores is not None:
        one = type(e.scores)(
            e.scores.labels, e.scores.truth, e.scores.score, np.ones_like(e.scores.weight), e.scores.affix, "count"
        )
        return replace(e, data=data, scores=one, matrix=one.confusion(e.matrix.ordered), clusters=None)
    whole = [np.rint(part) for part in e.ranking.in_effective_cases()._arrays()[1:3]]
    ranking = e.ranking.of(e.ranking.score, *whole)
    found = replace(e, data=replace(data, positives=cases[0], negatives=cases[1]), ranking=ranking, clusters=None)
    return found if e.threshold is None or e.threshold.value is None else found.at(e.threshold.value)


def _by_class(e):
    """The weight of each class, and how many cases of one weight it stands for."""
    if e.scores is not None:
        return e.scores.sizes, e.scores.effective_sizes
    return np.array([e.ranking.positives, e.ranking.negatives], float), np.array(sizes(e), float)


def _pooled(table):
    """Neighbouring scores put together under their mean, where there are very many: what the intervals show stays the same."""
    if table is None or len(table) <= MOST_SCORES:
        return table
    first = np.arange(0, len(table), -(-len(table) // MOST_SCORES))
    weight = table.positive + table.negative
    mean = np.add.reduceat(table.score * weight, first) / np.add.reduceat(weight, first)
    held = table.grouped(first)
    return table.of(mean, held.positive, held.negative, held.squares)


def sizes(e):
    """How many cases the positives and the negatives stand for."""
    if e.ranking is not None:
        return e.ranking.effective_positives, e.ranking.effective_negatives
    scale = e.data.effective_rows / (e.data.positives + e.data.negatives) if e.data.effective_rows else 1
    return scale * e.data.positives, scale * e.data.negatives
