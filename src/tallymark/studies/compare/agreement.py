"""The agreement of pairs of models on the same cases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import nan

import numpy as np

from ... import kernels
from ...evaluation.paired.chosen import chosen_here_of
from ...evaluation.paired.differences import Agreement
from ...evaluation.paired.models import Model
from ...evaluation.paired.swapping import mid_ranks
from ...inference import Estimate, Settings, estimate
from ...inference.fixed_sizes import GIVEN_MIX, HELD
from ...inference.intervals.agreement import kappa_error_by_class
from ...inference.intervals.kinds import ROUNDING
from ...inference.intervals.scale import normal_quantile
from ...inference.rank_correlation import kendall_tau_b
from ...input.messages.notes import Note
from ...summaries import ConfusionMatrix, Counts

IN_CLUSTERS = Note("in-clusters")


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
    weight = np.ones(len(first.truth)) if first.weight is None else first.weight
    share, kappa = _same(first, second, settings), _kappa(first, second, settings)
    why = IN_CLUSTERS if first.clusters is not None else chosen_here_of(first, second)
    if why is not None:
        share, kappa = (
            Estimate(one.value, level=one.level, undefined=one.undefined, notes=(why,))
            for one in (share, kappa)
        )
    spearman = kendall = None
    if first.ranking is not None:
        spearman, kendall = _correlations(first, second)
    return Agreement(first.name, second.name, share, kappa, spearman, kendall, _right(first, second, weight))


def _right(first: Model, second: Model, weight: np.ndarray) -> dict[str, float]:
    a, b = first.right, second.right
    kinds = {"both": a & b, "first only": a & ~b, "second only": ~a & b, "neither": ~a & ~b}
    return {name: float(weight[cases].sum()) for name, cases in kinds.items()}


def _same(first: Model, second: Model, settings: Settings) -> Estimate:
    """The proportion of cases with the same prediction: an accuracy, with its interval in either design."""
    same, classes = first.answers == second.answers, int(first.truth.max()) + 1
    if first.two_classes:  # actual class, and whether both predict the same, of tp, fp, fn, tn
        cells = 2 * first.truth + np.where(same == (first.truth == 1), 1, 0)
        summary: Counts | ConfusionMatrix = _counts(first, cells, (3, 1, 2, 0))
    else:
        found = np.where(same, first.truth, (first.truth + 1) % classes)
        summary = _matrix(first, first.truth * classes + found, classes)
    share = estimate("accuracy", summary, settings)
    notes = tuple(GIVEN_MIX if one.code == GIVEN_MIX.code else one for one in share.notes)
    return replace(share, notes=notes)


def _kappa(first: Model, second: Model, settings: Settings) -> Estimate:
    """Cohen's kappa of the predictions of two models."""
    size = int(max(first.answers.max(), second.answers.max(), 1)) + 1
    place = first.answers * size + second.answers
    summary = _counts(first, place, (3, 1, 2, 0)) if size == 2 else _matrix(first, place, size)
    found = estimate("cohen_kappa", summary, replace(settings, design="cohort"))
    fixed = settings.design == HELD or first.evaluation.mix_fixed_by_weights
    return found if found.undefined or not fixed else _of_fixed_sizes(found, first, place, size)


def _of_fixed_sizes(found: Estimate, first: Model, place: np.ndarray, size: int) -> Estimate:
    """On Fisher's z scale, with the standard error within the actual classes.

    Where that is 0 the interval of a cohort is kept, which is wider.
    """
    given = replace(found, notes=(*found.notes, GIVEN_MIX))
    error, spread = kappa_error_by_class(first.truth, place, size, first.weight), 1 - found.value**2
    if not (error > ROUNDING and spread > ROUNDING):
        return given
    step = normal_quantile(found.level) * error / spread
    low, high = np.tanh(np.arctanh(found.value) + step * np.array([-1, 1]))
    return replace(
        given, low=float(low), high=float(high), method="fleiss-cohen-everitt", standard_error=error
    )


def _counts(first: Model, place: np.ndarray, order: tuple[int, ...]) -> Counts:
    """The weights of the cases by place, in the order of tp, fp, fn and tn."""
    cells, squares = _sums(first, place, 4)
    taken = None if squares is None else Counts.of(*map(float, squares[list(order)]))
    return Counts.of(*map(float, cells[list(order)]), squares=taken)


def _matrix(first: Model, place: np.ndarray, size: int) -> ConfusionMatrix:
    """The same of several classes."""
    cells, squares = (
        part if part is None else part.reshape(size, size) for part in _sums(first, place, size * size)
    )
    assert cells is not None
    return ConfusionMatrix(tuple(range(size)), cells, squares)


def _sums(first: Model, place: np.ndarray, number: int) -> tuple[np.ndarray, np.ndarray | None]:
    """The weights by place, and their squares; None without weights."""
    if first.weight is None:
        return np.bincount(place, minlength=number).astype(float), None
    return np.bincount(place, first.weight, number), np.bincount(place, first.weight**2, number)


def _correlations(first: Model, second: Model) -> tuple[float, float]:
    """Spearman's rho and Kendall's tau-b of the scores, each case counting once."""
    if min(len(model.cases.table) for model in (first, second)) < 2:
        return nan, nan
    rho, tau = kernels.together(
        lambda: float(np.corrcoef(mid_ranks(first.cases), mid_ranks(second.cases))[0, 1]),
        lambda: kendall_tau_b(first.cases.place, second.cases.place),
        when=len(first.cases) > kernels.MANY,
    )
    return rho, tau
