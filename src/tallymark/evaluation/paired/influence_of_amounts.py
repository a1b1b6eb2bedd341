"""Influence values of measures of predicted amounts: what each case adds to the value."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ...inference.influence import of_formula
from ...inference.intervals.scale import normal_quantile
from ...measures.registry import Measure
from ...summaries import Residuals

if TYPE_CHECKING:
    from .models import ModelOfAmounts

STEP = 1e-4  # of a mean, in a numerical derivative


def influence_values(entry: Measure, parameters: dict[str, Any], model: ModelOfAmounts) -> np.ndarray:
    """The influence value of each case, up to a constant."""
    assert entry.interval is not None
    return BY_KIND[entry.interval.kind](entry, parameters, model)


def _of_mean(entry: Measure, parameters: dict[str, Any], model: ModelOfAmounts) -> np.ndarray:
    """Of a mean of losses: the losses."""
    assert entry.loss is not None
    losses: np.ndarray = entry.loss(model.errors, **parameters)
    return losses


def _of_function(entry: Measure, parameters: dict[str, Any], model: ModelOfAmounts) -> np.ndarray:
    """Of a function of another measure: its influence values times the slope."""
    made = entry.interval
    assert made is not None
    assert made.transform is not None
    inner = model.evaluation.entry(made.of[0].__name__)
    losses = influence_values(inner, {**inner.defaults}, model)
    mean = model.evaluation[inner.name].value
    if not mean:
        return losses  # without an error
    transform = partial(made.transform, **parameters)
    step = STEP * mean
    ends = [transform(mean + sign * step, model.evaluation.summary_of(inner.name)) for sign in (1, -1)]
    found: np.ndarray = (ends[0] - ends[1]) / (2 * step) * losses
    return found


def _by_jackknife(entry: Measure, parameters: dict[str, Any], model: ModelOfAmounts) -> np.ndarray:
    """The change without each case, relative to its share of the weight."""
    assert entry.interval is not None
    weight = np.ones(len(model.errors)) if model.weight is None else model.weight
    squares = None if model.weight is None else np.square(weight)
    each = Residuals.of(model.errors.copy(), weight.copy(), squares, model.truth.copy())
    (formula,) = entry.interval.of
    return of_formula(formula, each)


def _of_median(entry: Measure, parameters: dict[str, Any], model: ModelOfAmounts) -> np.ndarray:
    """(1 above the median, else 0) over the density there, which follows from the width of the interval.

    Source: Woodruff (1952), J. of the American Statistical Association 47, 635-646.
    """
    found = model.evaluation[entry.name]
    error = (found.high - found.low) / (2 * normal_quantile(found.level))
    size = 2 * error * np.sqrt(model.evaluation.summary_of(entry.name).effective_total)
    return np.where(np.abs(model.errors) > found.value, size, 0.0)


BY_KIND: dict[str, Callable[..., np.ndarray]] = {
    "mean": _of_mean,
    "signed-mean": _of_mean,
    "mapped": _of_function,
    "jackknife": _by_jackknife,
    "median": _of_median,
}
