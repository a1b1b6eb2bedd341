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


def written(found):
    """The value with its interval, as "0.62 (0.55 to 0.7)"."""
    return f"{found.value:.3g} ({found.low:.3g} to {found.high:.3g})" if found.has_interval else f"{found.value:.3g}"


def _shown(e, name, beyond):
    """With clusters, what shows as of independent cases is asked again of the clusters, which takes longer."""
    if name not in e.estimates or not all(beyond(look.estimates[name]) for look in _looks(e)):
        return None
    return e.estimates[name]


def _looks(e):
    if "_looks" not in e.__dict__:
        settings = replace(e.settings, level=LEVEL)
        looks = [replace(e, settings=settings, clusters=None, **POOLED.get(e.task, _as_it_is)(e))]
        plain = without_class_weights(looks[0])
        looks += [] if plain is None else [plain]
        e.__dict__["_looks"] = looks if e.clusters is None else [*looks, replace(e, settings=settings)]
    return e.__dict__["_looks"]


def without_class_weights(e):
    """The evaluation of scores where each case counts once; None unless all cases of a class have one weight, and classes unlike
    ones."""
    found = PLAIN.get(e.task)
    return found(e) if found and e.scored is not None and e.data.effective_rows is not None else None


def _of_class_weights(e, weights, cases):
    """Whether all cases of a class have one weight, and classes unlike ones. weights: of each class; cases: of one weight, that it
    stands for."""
    there = weights > 0
    unit = np.log(weights[there] / cases[there])
    return abs(cases.sum() - (e.data.rows - e.data.weightless)) <= ALIKE * e.data.rows and np.ptp(unit) > OTHER_MIX


def _plain_classes(e):
    s = e.scores
    if not _of_class_weights(e, s.sizes, s.effective_sizes):
        return None
    one = type(s)(s.labels, s.truth, s.score, np.ones_like(s.weight), s.affix, "count")
    return replace(e, data=_unweighted(e), scores=one, matrix=one.confusion(e.matrix.ordered), clusters=None)


def _plain_ranking(e):
    cases = np.array(sizes(e), float)
    if not _of_class_weights(e, np.array([e.ranking.positives, e.ranking.negatives], float), cases):
        return None
    whole = [np.rint(part) for part in e.ranking.in_effective_cases()._arrays()[1:3]]
    ranking = e.ranking.of(e.ranking.score, *whole)
    data = _unweighted(e).of_classes(cases[0], cases[1])
    found = replace(e, data=data, ranking=ranking, clusters=None)
    return found if e.limit is None else found.at(e.limit)


PLAIN = {"binary": _plain_ranking, "multiclass": _plain_classes}


def _unweighted(e):
    return replace(e.data, effective_rows=None, weighted=False)


def _as_it_is(e):
    return {}


def _pooled(e):
    """Neighbouring scores put together under their mean, where there are very many: what the intervals show stays the same."""
    table = e.ranking
    if table is None or len(table) <= MOST_SCORES:
        return {}
    first = np.arange(0, len(table), -(-len(table) // MOST_SCORES))
    weight = table.positive + table.negative
    mean = np.add.reduceat(table.score * weight, first) / np.add.reduceat(weight, first)
    held = table.grouped(first)
    return {"ranking": table.of(mean, held.positive, held.negative, held.squares)}


POOLED = {"binary": _pooled}


def sizes(e):
    """How many cases the positives and the negatives of an evaluation of two classes stand for."""
    if e.ranking is not None:
        return e.ranking.effective_positives, e.ranking.effective_negatives
    scale = e.data.effective_rows / (e.data.positives + e.data.negatives) if e.data.effective_rows else 1
    return scale * e.data.positives, scale * e.data.negatives
