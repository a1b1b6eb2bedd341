"""The agreement of pairs of models on the same cases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import isnan, nan

import numpy as np

from ... import kernels
from ...evaluation.paired.comparison import chosen_here
from ...evaluation.paired.differences import Agreement
from ...evaluation.paired.models import Model
from ...evaluation.paired.swapping import mid_ranks
from ...inference import Estimate, Settings
from ...inference.covariance import Sampling
from ...inference.fixed_sizes import GIVEN_MIX, HELD
from ...inference.influence import of_matrix
from ...inference.intervals.kinds import Question
from ...inference.intervals.of_counts import proportion_of, smooth
from ...inference.intervals.of_matrices import without_mistakes
from ...inference.rank_correlation import kendall_tau_b
from ...inference.results import with_interval
from ...input.messages import joined
from ...measures.registry import get
from ...summaries import ConfusionMatrix


def agreements(
    models: Sequence[Model], pairs: Sequence[tuple[int, int]], settings: Settings
) -> tuple[Agreement, ...]:
    """The agreement of each pair of a model and a reference, which are given by their numbers."""
    return tuple(
        kernels.each(
            lambda i: _agreement(models[pairs[i][1]], models[pairs[i][0]], settings),
            len(pairs),
            models[0].evaluation.data.rows > kernels.MANY,
        )
    )


def _agreement(first: Model, second: Model, settings: Settings) -> Agreement:
    share, kappa = _estimates(first, second, settings)
    why = chosen_here(first, second)
    if why is not None:
        share, kappa = (
            Estimate(one.value, level=one.level, undefined=one.undefined, notes=(why,))
            for one in (share, kappa)
        )
    spearman = kendall = None
    if first.ranking is not None:
        spearman, kendall = _correlations(first, second)
    a, b = first.right, second.right
    kinds = {"both": a & b, "first only": a & ~b, "second only": ~a & b, "neither": ~a & ~b}
    right = {name: float(first.weight[cases].sum()) for name, cases in kinds.items()}
    return Agreement(first.name, second.name, share, kappa, spearman, kendall, right)


def _estimates(first: Model, second: Model, settings: Settings) -> list[Estimate]:
    """The proportion of cases with the same prediction, and Cohen's kappa of the predictions."""
    fixed = settings.design == HELD or bool(first.evaluation.mix_fixed_by_weights)
    size, level = int(max(first.answers.max(), second.answers.max(), 1)) + 1, settings.level
    sampling, cells = _sampling(first, first.answers * size + second.answers, size * size, fixed)
    weights = np.bincount(cells, sampling.weight, size * size).reshape(size, size)
    matrix, estimates = ConfusionMatrix(tuple(range(size)), weights), []
    for entry in (get("accuracy", ConfusionMatrix), get("cohen_kappa", ConfusionMatrix)):
        value = float(entry.function(matrix))
        if isnan(value):
            estimates.append(Estimate(nan, level=level, undefined=entry.why_undefined(matrix)))
            continue
        q = Question(entry, entry.function, matrix, value, settings)
        values = of_matrix(entry, entry.function, matrix)[cells]
        if entry.name == "accuracy":
            found = proportion_of(q, values, sampling, np.ones(len(cells)))
        else:
            found = smooth(q, values, sampling)
        if isnan(found.low):
            found = without_mistakes(q, sampling) or found
        notes = joined(found.notes, GIVEN_MIX if fixed else None)
        estimates.append(with_interval(value, found, level, notes))
    return estimates


def _sampling(first: Model, place: np.ndarray, size: int, fixed: bool) -> tuple[Sampling, np.ndarray]:
    """How the cases were sampled, by class and place, and the place of each cell."""
    code = first.truth.astype(np.int64) * size + place
    if code.max() < kernels.MANY:
        occur = np.bincount(code) > 0  # in less time than by sorting
        codes, cell = np.flatnonzero(occur), (np.cumsum(occur) - 1)[code]
    else:
        codes, cell = np.unique(code, return_inverse=True)
    stratum, at = np.divmod(codes, size)
    return replace(first.sampling, fixed=fixed).in_cells(cell, stratum), at


def _correlations(first: Model, second: Model) -> tuple[float, float]:
    """Spearman's rho and Kendall's tau-b of the scores, each case counting once."""
    if min(len(model.cases.table) for model in (first, second)) < 2:
        return nan, nan
    rho, tau = kernels.together(
        lambda: _spearman(first, second),
        lambda: kendall_tau_b(first.cases.place, second.cases.place),
        when=len(first.cases) > kernels.MANY,
    )
    return rho, tau


def _spearman(first: Model, second: Model) -> float:
    """In two arrays of the cases; `corrcoef` takes four."""
    a, b = mid_ranks(first.cases), mid_ranks(second.cases)
    a -= a.mean()
    b -= b.mean()
    return float(a @ b / np.sqrt((a @ a) * (b @ b)))
