"""Difference curves of net benefit between two models, with pointwise and simultaneous bands.

Sources: Vickers, Cronin, Elkin and Gonen (2008), BMC Medical Informatics and Decision Making 8, 53
(intervals, and the paired difference); Kerr, Brown, Zhu and Janes (2016), Journal of Clinical Oncology 34,
2534-2540. The simultaneous band is the sup-t band of Montiel Olea and Plagborg-Moller (2019), Journal of
Applied Econometrics 34, 1-17.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ...curves import Band, Curve
from ...curves.curve import POINTWISE, SIMULTANEOUS
from ...curves.of_costs import thresholds_of
from ...evaluation.paired.comparison import FEW_DISCORDANT, few_of
from ...evaluation.paired.models import Model
from ...evaluation.results import BinaryEvaluation
from ...inference import Settings
from ...inference.bootstrap import bands
from ...inference.fixed_sizes import GIVEN_MIX
from ...inference.intervals.scale import normal_quantile
from ...inference.weighted_mix import HELD
from ...input import validate
from ...input.data_info import kind_of_weights
from ...input.messages.notes import Note, Notes, joined
from ...input.validate import InputError
from ...summaries import RankingTable
from .benefit_moments import Moments, moments

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
    found = (
        moments(models, at, fixed)
        if paired
        else moments(models[:1], at, fixed).less(moments(models[1:], at, fixed))
    )
    first, second = (model.name for model in models)
    drawn: dict[str, Any] = {}
    if band is not None:
        drawn = _banded(found, at, models, paired, settings, band, fixed)
        drawn["about"] = replace(
            drawn["about"], design=settings.design, weight_kind=kind_of_weights(_kinds(models))
        )
    names = "threshold", f"difference of net benefit, {first} - {second}"
    every = _every_threshold(models, at)
    y, falls = (a - b for a, b in zip(*(_benefit(model, every) for model in models), strict=True))
    fine = Curve("decision_difference", every, y, every, *names, baseline=(0.0, 0.0), falls=falls)
    return replace(
        fine, x=at[::-1], y=found.value[::-1], threshold=at[::-1], falls=None, between=fine, **drawn
    )


def _every_threshold(models: Sequence[Model], at: np.ndarray) -> np.ndarray:
    """The thresholds of both models within the range of these, and these, descending."""
    every = np.unique(np.concatenate([at, *(_table(model).score.astype(float) for model in models)]))
    found: np.ndarray = every[(every >= at[0]) & (every <= at[-1])][::-1]
    return found


def _benefit(model: Model, at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The net benefit at these thresholds, and by what it falls with the odds of a threshold just below."""
    table = _table(model)
    counts = table.sweep()[np.searchsorted(-table.thresholds.astype(float), -at, side="right") - 1]
    falls = counts.fp / counts.total
    return counts.tp / counts.total - falls * at / (1 - at), falls


def _table(model: Model) -> RankingTable:
    assert isinstance(model.evaluation, BinaryEvaluation)
    assert model.evaluation.ranking is not None
    found: RankingTable = model.evaluation.ranking.as_probabilities()
    return found


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


def _banded(
    found: Moments,
    at: np.ndarray,
    models: Sequence[Model],
    paired: bool,
    settings: Settings,
    band: str,
    fixed: bool,
) -> dict[str, Any]:
    """The fields of a curve that hold the band and its description."""
    level = settings.level
    missing = [
        name
        for name, there in (("positives", True), ("negatives", False))
        if not all(_has(one, there) for one in models)
    ]
    if missing:
        return {"about": Band(band, level, None, (Note("no-cases-of-a-class", missing=missing[0]),))}
    if not np.isfinite(found.covariance).all():
        return {"about": Band(band, level, None, (Note("no-spread-of-band"),))}
    largest = np.maximum(1.0, at / (1 - at))
    tail = (1 + level) / 2 if band == POINTWISE else _sup_t(found.covariance, level, settings.seed)
    reach = _quantile(tail, found.df) * np.sqrt(found.variance)
    low, high = np.maximum(found.value - reach, -largest), np.minimum(found.value + reach, largest)
    method = (
        f"{'paired' if paired else 'independent'} influence values{', sup-t' if band == SIMULTANEOUS else ''}"
    )
    return {"band": (low[::-1], high[::-1]), "about": Band(band, level, method, _notes(found, models, fixed))}


def _has(model: Model, positive: bool) -> bool:
    return bool(((model.truth == 1) == positive).any())


def _kinds(models: Sequence[Model]) -> list[str | None]:
    return [model.evaluation.data.weight_kind for model in models]


def _quantile(tail: float, df: np.ndarray) -> np.ndarray:
    from scipy.special import ndtri, stdtrit

    found: np.ndarray = np.where(np.isinf(df), ndtri(tail), stdtrit(np.where(np.isinf(df), 1.0, df), tail))
    return found


def _sup_t(covariance: np.ndarray, level: float, seed: int) -> float:
    """The level of the pointwise quantiles for a simultaneous band.

    All values of a normal process with this covariance lie within these quantiles with probability `level`.
    """
    from scipy.special import ndtr

    error = np.sqrt(np.diagonal(covariance))
    sizes, directions = np.linalg.eigh(covariance / np.outer(error, error))
    # the symmetric root does not depend on the signs of the eigenvectors
    root = (directions * np.sqrt(np.maximum(sizes, 0.0))) @ directions.T
    draws = np.random.default_rng(seed).standard_normal((bands.replicates(level), len(error)))
    furthest = np.quantile(np.abs(draws @ root).max(axis=1), level)
    return float(ndtr(max(float(furthest), normal_quantile(level))))


def _notes(found: Moments, models: Sequence[Model], fixed: bool) -> Notes:
    few = int((found.apart < FEW_DISCORDANT).sum())
    where = Note(
        "few-answered-differently-at-thresholds", thresholds=few, of=len(found.apart), limit=FEW_DISCORDANT
    )
    of_models = dict.fromkeys(note for model in models for note in few_of(model))
    return joined(where if few else None, tuple(of_models), GIVEN_MIX if fixed else None)
