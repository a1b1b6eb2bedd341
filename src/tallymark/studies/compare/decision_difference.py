"""Difference curves of net benefit between two models, with pointwise and simultaneous bands.

Sources: Vickers, Cronin, Elkin and Gonen (2008), BMC Medical Informatics and Decision Making 8, 53
(intervals, and the paired difference); Kerr, Brown, Zhu and Janes (2016), Journal of Clinical Oncology 34,
2534-2540. The simultaneous band is the sup-t band of Montiel Olea and Plagborg-Moller (2019), Journal of
Applied Econometrics 34, 1-17.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf, nan
from typing import Any

import numpy as np

from ...curves import Band, Curve
from ...curves.curve import POINTWISE, SIMULTANEOUS
from ...curves.of_costs import thresholds_of
from ...evaluation.paired.comparison import FEW_DISCORDANT
from ...evaluation.paired.models import Model, influences_of
from ...evaluation.results import BinaryEvaluation
from ...inference import Estimate, Settings
from ...inference.bootstrap import bands
from ...inference.bootstrap.percentiles import HALF_A_CASE
from ...inference.contrast import CROSSED, Evidence, contrast, normal_draws
from ...inference.covariance import Sampling, covariance, pooled_freedom
from ...inference.fixed_sizes import GIVEN_MIX, HELD
from ...inference.intervals.scale import normal_quantile, student_quantile
from ...input import validate
from ...input.data_info import kind_of_weights
from ...input.messages import Note, joined
from ...input.validate import InputError
from ...summaries import LogitTable, RankingTable
from ...summaries.ranking import sigmoid

KINDS = POINTWISE, SIMULTANEOUS
REGULAR = np.arange(1, 100) / 100  # default thresholds


def difference_curve(
    models: Sequence[Model], paired: bool, settings: Settings, band: str | None, thresholds: Any
) -> Curve:
    """The net benefit of the first of two models less that of the second, by falling threshold.

    band: "pointwise", "simultaneous" or None. Raises InputError where scores are not probabilities.
    """
    if band is not None:
        validate.choice(band, KINDS, "band")
    at = REGULAR if thresholds is None else thresholds_of(thresholds)
    models = [model if paired else model.one_by_one for model in models]
    for model in models:
        _check(model)
    fixed = settings.design == HELD or all(model.evaluation.mix_fixed_by_weights for model in models)
    samples = (
        [Benefits.of(models, at, fixed)] if paired else [Benefits.of([model], at, fixed) for model in models]
    )
    value = np.subtract(*np.concatenate([one.value for one in samples]))
    first, second = (model.name for model in models)
    drawn: dict[str, Any] = {}
    if band is not None:
        drawn = _banded(samples, value, at, models, settings, band, fixed)
        kinds = kind_of_weights([model.evaluation.data.weight_kind for model in models])
        drawn["about"] = replace(drawn["about"], design=settings.design, weight_kind=kinds)
    names = "threshold", f"difference of net benefit, {first} - {second}"
    every = _every_threshold(models, at)
    y, falls = (a - b for a, b in zip(*(_benefit(model, every) for model in models), strict=True))
    fine = Curve("decision_difference", every, y, every, *names, baseline=(0.0, 0.0), falls=falls)
    return replace(fine, x=at[::-1], y=value[::-1], threshold=at[::-1], falls=None, between=fine, **drawn)


def _every_threshold(models: Sequence[Model], at: np.ndarray) -> np.ndarray:
    """The thresholds of both models within the range of these, and these, descending."""
    every = np.unique(np.concatenate([at, *(_table(model).score.astype(float) for model in models)]))
    return every[(every >= at[0]) & (every <= at[-1])][::-1]


def _benefit(model: Model, at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The net benefit at these thresholds, and by what it falls with the odds of a threshold just below."""
    table = _table(model)
    counts = table.sweep()[np.searchsorted(-table.thresholds.astype(float), -at, side="right") - 1]
    falls = counts.fp / counts.total
    return counts.tp / counts.total - falls * at / (1 - at), falls


def _table(model: Model) -> RankingTable:
    assert isinstance(model.evaluation, BinaryEvaluation)
    assert model.evaluation.ranking is not None
    return model.evaluation.ranking.as_probabilities()


def _check(model: Model) -> None:
    e = model.evaluation
    if model.cases is None or not isinstance(e, BinaryEvaluation) or e.ranking is None:
        raise InputError(
            "unsupported",
            "curve",
            "a decision curve needs probabilities of being positive, of two classes",
            "compare scores",
        )
    if not e.probabilities:
        raise InputError(
            "unsupported",
            "curve",
            "'decision' needs probabilities",
            f"{model.name}: {e.why_no_probabilities}",
        )


# Bands
# --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Benefits:
    """The net benefit of one model, or of two on the same cases, at T ascending thresholds t.

    A positive predicted positive adds 1, and a negative predicted positive -t / (1 - t). Cells hold the cases
    of a class that reach the same thresholds by each model; those at the ends may be empty.

    value: (models, T); values: (models, T, cells), the influence values; reached: (models, cells), the number
    of thresholds that they reach; sampling: how their cases were sampled.
    """

    value: np.ndarray
    values: np.ndarray
    reached: np.ndarray
    sampling: Sampling

    @classmethod
    def of(cls, models: Sequence[Model], at: np.ndarray, fixed: bool) -> Benefits:
        one, size = models[0], len(at) + 1
        truth = one.truth.astype(np.int64)
        cases = np.stack([truth, *(_reached(model, at) for model in models)])
        ends = np.stack(np.meshgrid([0, 1], *([[0, size - 1]] * len(models)))).reshape(len(cases), -1)
        shape = (2, *([size] * len(models)))
        codes, cell = np.unique(np.ravel_multi_index(np.hstack([cases, ends]), shape), return_inverse=True)
        cell = cell[: len(truth)]
        stratum, *reached = np.unravel_index(codes, shape)
        sampling = replace(one.sampling, fixed=fixed).in_cells(cell, stratum)
        called = np.stack(reached)[:, None] > np.arange(len(at))[:, None]
        added = np.where(stratum == 1, 1.0, -(at / (1 - at))[:, None]) * called
        value = added @ sampling.weight / sampling.total
        return cls(value, added - value[..., None], np.stack(reached), sampling)

    def half_a_case(self, at: np.ndarray) -> np.ndarray:
        """The variance by half a case of each class that is predicted positive, which may not be sampled."""
        s = self.sampling
        return HALF_A_CASE * s.squares.sum() / s.total**3 * (1 + (at / (1 - at)) ** 2)

    def difference(self, k: int, level: float) -> Evidence:
        """That of two models at the k-th threshold."""
        one, other = (Estimate(float(one[k]), level=level) for one in self.value)
        apart = np.not_equal(*(self.reached > k))
        return contrast(
            list(self.values[:, k]), self.sampling, (one, other), "paired-mean", (-inf, inf),
            differing=apart, counted=True, mean=True,
        )  # fmt: skip

    def apart(self, number: int) -> np.ndarray:
        """(T,): the effective number of cases that two models predict differently."""
        low, high = self.reached.min(0), self.reached.max(0)
        return np.array(
            [float(self.sampling.effective(1.0 * ((low <= k) & (k < high)))) for k in range(number)]
        )


def _reached(model: Model, at: np.ndarray) -> np.ndarray:
    cases = model.cases
    score = sigmoid(cases.score.astype(float)) if issubclass(cases.kind, LogitTable) else cases.score
    return np.searchsorted(at.astype(score.dtype), score, side="right")


def _banded(
    samples: Sequence[Benefits], value: np.ndarray, at: np.ndarray, models: Sequence[Model],
    settings: Settings, band: str, fixed: bool,
) -> dict[str, Any]:  # fmt: skip
    """The fields of a curve that hold the band and its description."""
    level, paired = settings.level, len(samples) == 1
    for name, code in (("positives", 1), ("negatives", 0)):
        if not all((model.truth == code).any() for model in models):
            return {"about": Band(band, level, None, (Note("no-cases-of-a-class", missing=name),))}
    few = 0
    if not paired and influences_of(models).crossed:
        return {"about": Band(band, level, None, (CROSSED,))}
    if paired:
        (both,) = samples
        evidence = [both.difference(k, level) for k in range(len(at))]
        error = np.array([one.standard_error or nan for one in evidence])
        df = np.array([one.df for one in evidence])
        between = covariance(both.values[0] - both.values[1], both.sampling)[0]
        few = int((both.apart(len(at)) < FEW_DISCORDANT).sum())
    else:
        parts = [covariance(one.values[0], one.sampling) for one in samples]
        halves = [one.half_a_case(at) for one in samples]
        variance = [np.diagonal(v) + half for (v, _), half in zip(parts, halves, strict=True)]
        error, between = np.sqrt(np.add(*variance)), np.add(*(v for v, _ in parts))
        df = pooled_freedom(variance, [free for _, free in parts])
    if not np.isfinite(error).all():
        return {"about": Band(band, level, None, (Note("no-spread-of-band"),))}
    if band == SIMULTANEOUS:
        own = np.sqrt(np.maximum(np.diagonal(between), np.finfo(float).tiny))
        level = _sup_t(between / np.outer(own, own), level, settings.seed)
    reach = np.array([student_quantile(level, free) for free in df.tolist()]) * error
    largest = np.maximum(1.0, at / (1 - at))
    low, high = np.maximum(value - reach, -largest), np.minimum(value + reach, largest)
    method = (
        f"{'paired' if paired else 'independent'} influence values{', sup-t' if band == SIMULTANEOUS else ''}"
    )
    where = Note("few-answered-differently-at-thresholds", thresholds=few, of=len(at), limit=FEW_DISCORDANT)
    notes = joined(where if few else None, GIVEN_MIX if fixed else None)
    return {"band": (low[::-1], high[::-1]), "about": Band(band, settings.level, method, notes)}


def _sup_t(correlation: np.ndarray, level: float, seed: int) -> float:
    """The level of the pointwise intervals of a simultaneous band.

    All values of a normal process with this correlation lie within these quantiles with probability `level`.
    """
    from scipy.special import ndtr

    draws = normal_draws(correlation, bands.replicates(level), seed)
    furthest = np.quantile(np.abs(draws).max(axis=0), level)
    return float(2 * ndtr(max(float(furthest), normal_quantile(level))) - 1)
