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
NO_SPREAD = Note("every-case-alike")


def agreements(
    models: Sequence[Model], pairs: Sequence[tuple[int, int]], settings: Settings
) -> tuple[Agreement, ...]:
    """The agreement of each pair of a model and a reference, which are given by their numbers."""
    return tuple(_agreement(models[reference], models[model], settings) for model, reference in pairs)


def _agreement(first: Model, second: Model, settings: Settings) -> Agreement:
    weight = np.ones(len(first.truth)) if first.weight is None else first.weight
    cases = weight if first.weight is None else weight * (weight.sum() / kernels.dot(weight, weight))
    share, kappa = _same(first, second, cases, settings), _kappa(first, second, cases, settings)
    share = replace(
        share, notes=tuple(GIVEN_MIX if one.code == GIVEN_MIX.code else one for one in share.notes)
    )
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


def _same(first: Model, second: Model, weight: np.ndarray, settings: Settings) -> Estimate:
    """The proportion of cases with the same prediction: an accuracy, with its interval in either design."""
    same = first.answers == second.answers
    size = int(first.truth.max()) + 1
    if first.two_classes:
        cells = [weight[(first.truth == of) & (same == agree)].sum() for of, agree in TWO]
        return estimate("accuracy", Counts.of(*map(float, cells)), settings)
    found = np.where(same, first.truth, (first.truth + 1) % size)
    matrix = np.bincount(first.truth * size + found, weight, size * size).reshape(size, size)
    return estimate("accuracy", ConfusionMatrix(tuple(range(size)), matrix), settings)


# actual class, and whether both predict the same, of tp, fp, fn, tn
TWO = ((1, True), (0, False), (1, False), (0, True))


def _kappa(first: Model, second: Model, weight: np.ndarray, settings: Settings) -> Estimate:
    """Cohen's kappa of the predictions of two models."""
    classes = int(first.truth.max()) + 1
    size = int(max(first.answers.max(), second.answers.max(), 1)) + 1
    place = (first.truth * size + first.answers) * size + second.answers
    cells = np.bincount(place, weight, classes * size * size).reshape(classes, size, size)
    both = cells.sum(0)
    summary = (
        Counts.of(*map(float, (both[1, 1], both[0, 1], both[1, 0], both[0, 0])))
        if size == 2
        else ConfusionMatrix(tuple(range(size)), both)
    )
    found = estimate("cohen_kappa", summary, replace(settings, design="cohort"))
    if settings.design != HELD or found.undefined:
        return found
    return _kappa_of_fixed_sizes(found, cells)


def _kappa_of_fixed_sizes(found: Estimate, cells: np.ndarray) -> Estimate:
    """On Fisher's z scale, with the standard error within the actual classes."""
    error = float(kappa_error_by_class(cells, np.eye(cells.shape[-1])))
    spread = 1 - found.value**2
    if not (error > ROUNDING and spread > ROUNDING):
        return replace(
            found, low=nan, high=nan, method=None, notes=(NO_SPREAD, GIVEN_MIX), standard_error=None
        )
    step = normal_quantile(found.level) * error / spread
    low, high = np.tanh(np.arctanh(found.value) + step * np.array([-1, 1]))
    return replace(
        found, low=float(low), high=float(high), method="fleiss-cohen-everitt", standard_error=error,
        notes=(*found.notes, GIVEN_MIX),
    )  # fmt: skip


def _correlations(first: Model, second: Model) -> tuple[float, float]:
    """Spearman's rho and Kendall's tau-b of the scores, each case counting once."""
    one, other = (mid_ranks(model.cases) for model in (first, second))
    if np.ptp(one) == 0 or np.ptp(other) == 0:
        return nan, nan
    return float(np.corrcoef(one, other)[0, 1]), kendall_tau_b(first.cases.place, second.cases.place)
