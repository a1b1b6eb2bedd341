"""Permutation tests of the difference of two models.

Under the hypothesis of no difference the labels "first model" and "second model" are exchangeable.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ... import kernels
from ...inference.contrast import Evidence, Permuted, Unknown, span
from ...inference.replicates import Draws, Resampled
from ...input.errors import InputError
from ...input.messages import Note
from ...input.names import listed
from ...input.sample import name_of_units
from ...measures.registry import Measure
from ...summaries import Counts, RankingTable
from ...summaries.cases import POSITIVE_FROM, ScoredCases
from .models import Model

# so many permutations: 1 where a case is of the first model, else 0
Drawn = Callable[[np.random.Generator, int], np.ndarray]
Progress = Callable[[int], None]  # takes the number of permutations done
AT_ONCE = 1 << 22  # random numbers per chunk
ROUNDING = 1e-12


@listed(
    "test",
    "tm.compare(..., method='permutation')",
    name="paired-permutation",
    aka=("swapped_scores", "permutation_of_two_models"),
    command="tallymark compare --method permutation",
)
def swapped(
    entry: Measure,
    parameters: dict[str, Any],
    one: Model,
    other: Model,
    how: Draws,
    progress: Progress | None = None,
) -> Evidence:
    """A permutation test on the same cases: the scores of the two models are swapped at random, by case.

    With clusters they are swapped for all cases of a cluster together. For measures of the order of the
    scores these are replaced by mid-ranks, since the scores of two models need not have the same scale
    (Venkatraman and Begg 1996; Bandos, Rockette and Gur 2005); other measures use the scores, or the
    predictions, themselves. A permutation that leaves the measure undefined counts as infinitely far from 0.
    """
    if one.clusters is not None and one.clusters.ndim > 1:
        what = name_of_units(one.clusters)
        problem = f"it swaps the models for whole independent units, and cases that share {what} are in none"
        raise InputError("unsupported", what, problem, "take another method")
    pooled = _pooled(entry, parameters, one, other)
    n = len(one.cases)
    units = n if one.clusters is None else int(one.clusters.max()) + 1

    def drawn(random: np.random.Generator, number: int) -> np.ndarray:
        swap = random.integers(0, 2, (number, units), np.uint8)
        of_case = swap if one.clusters is None else swap[:, one.clusters]
        return np.hstack([1 - of_case, of_case])

    first = np.repeat(np.array([[1, 0]], np.uint8), n, axis=1)
    return _permuted(entry, parameters, pooled, first, drawn, how, progress)


def shuffled(
    entry: Measure,
    parameters: dict[str, Any],
    one: Model,
    other: Model,
    how: Draws,
    progress: Progress | None = None,
) -> Evidence:
    """A permutation test on different cases: the models are reassigned at random within each class.

    The scores, or predictions, are used as they are, so that models whose scores have different scales differ
    in any case.
    """
    counted = entry.summary is Counts
    score = np.concatenate([(m.answers if counted else m.cases.score) for m in (one, other)]).astype(float)
    positive = np.concatenate([one.cases.positive, other.cases.positive])
    weight = np.concatenate([one.cases.weight, other.cases.weight])
    first = (np.arange(len(positive)) < len(one.cases)).astype(np.uint8)[None]

    def drawn(random: np.random.Generator, number: int) -> np.ndarray:
        times = np.repeat(first, number, axis=0)
        for of_class in (np.flatnonzero(positive), np.flatnonzero(~positive)):
            times[:, of_class] = random.permuted(times[:, of_class], axis=1)
        return times

    pooled = ScoredCases(positive, score, weight, one.cases.kind)
    return _permuted(entry, parameters, pooled, first, drawn, how, progress)


def _permuted(
    entry: Measure,
    parameters: dict[str, Any],
    pooled: ScoredCases,
    first: np.ndarray,
    drawn: Drawn,
    how: Draws,
    progress: Progress | None,
) -> Evidence:
    # the threshold for predictions 0 and 1
    measured = Resampled(pooled, [(entry, parameters)], POSITIVE_FROM, how.threads)

    def difference(times: np.ndarray) -> np.ndarray:
        return measured.measure(times)[0] - measured.measure(1 - times)[0]

    observed = float(difference(first)[0])
    if not np.isfinite(observed):
        return Unknown((Note("difference-undefined"),))
    parts: list[np.ndarray] = []
    random, done = np.random.default_rng(how.seed), 0
    while done < how.replicates:
        number = max(1, min(how.replicates - done, AT_ONCE // len(pooled)))
        parts.append(np.abs(difference(np.ascontiguousarray(drawn(random, number)))))
        done += number
        if progress is not None:
            progress(done)
    far = np.nan_to_num(np.concatenate(parts), nan=np.inf)
    return Permuted(observed, np.sort(far + ROUNDING * np.maximum(1.0, far)), span(entry.range))


def _pooled(entry: Measure, parameters: dict[str, Any], one: Model, other: Model) -> ScoredCases:
    """The cases twice, once with the scores of each model."""
    kind: type = RankingTable
    if entry.summary is Counts:
        scores = [model.answers.astype(float) for model in (one, other)]
    elif of_ranks(entry, parameters, one.cases):
        scores = [mid_ranks(model.cases) for model in (one, other)]
    else:
        scores, kind = [model.cases.score for model in (one, other)], one.cases.kind
    positive, weight = np.tile(one.cases.positive, 2), np.tile(one.cases.weight, 2)
    return ScoredCases(positive, np.concatenate(scores), weight, kind)


def mid_ranks(cases: ScoredCases) -> np.ndarray:
    """Ranks of the scores, ascending, divided by the number of cases; ties get their mean rank."""
    if len(cases.table) == len(cases):  # no score occurs twice
        return (len(cases) - cases.place.astype(np.float64)) / len(cases)
    number = np.bincount(cases.place)
    ranks = (len(cases) - np.cumsum(number) + (number + 1) / 2) / len(cases)
    return kernels.taken(ranks, cases.place)


def of_ranks(entry: Measure, parameters: dict[str, Any], cases: ScoredCases) -> bool:
    """Whether the measure depends on the order of the scores alone.

    It is computed once more from the ranks.
    """
    if entry.scores is not None:
        return False
    ordered = ScoredCases(cases.positive, mid_ranks(cases), cases.weight)
    of_scores, of_order = (float(entry.function(one.table, **parameters)) for one in (cases, ordered))
    return bool(np.isclose(of_scores, of_order, rtol=1e-9, atol=1e-12))
