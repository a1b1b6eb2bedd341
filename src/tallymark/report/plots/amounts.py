"""Predicted amounts: against the actual ones, and the residuals."""

from __future__ import annotations

import numpy as np

from ...evaluation.results import RegressionEvaluation
from ...input import text
from ...input.validate import InputError
from ...summaries import Residuals
from ..axes import Axis, axis_of
from . import words
from .picture import Dots, Layer, Line, Panel, Rule
from .registry import kind

NEEDS = "amounts"
ROOM = 0.03  # of the span of an axis, next to the outermost points
MOST = 5_000  # points; of more, every so many along the sorted errors


@kind("Actual against predicted amounts", RegressionEvaluation, way="apart", needs=NEEDS)
def predicted(e: RegressionEvaluation, name: str) -> Panel:
    """Each pair as a point, with the line of equality."""
    actual, error, said = _pairs(e.residuals)
    found = actual + error
    both = _axis(np.concatenate([actual, found]))
    ends = np.array([both.low, both.high])
    layers: list[Layer] = [
        Line(ends, ends, "equal"),
        Dots(found, actual, _labelled(e, said, "r2", "root_mean_squared_error"), 0, many=True),
    ]
    return Panel(tuple(layers), "predicted", "actual", both, both, title=name, square=True)


@kind("Residuals against predicted", RegressionEvaluation, way="apart", needs=NEEDS)
def residuals(e: RegressionEvaluation, name: str) -> Panel:
    """Predicted less actual amounts against predicted ones, with the mean and 95 % of them."""
    actual, error, said = _pairs(e.residuals)
    mean = e["mean_error"]
    low, high = _middle(e.residuals, 0.95)
    layers: list[Layer] = [
        Dots(actual + error, error, said, 0, many=True),
        Rule(0.0, upright=False, dashed=False),
        Rule(mean.value, words.estimate("mean_error", mean), 1, upright=False),
        Rule(low, f"95 % of the errors: {low:.4g} to {high:.4g}", 2, upright=False, second=1),
        Rule(high, "", 2, upright=False, second=1),
    ]
    up = _axis(e.residuals.error)
    return Panel(tuple(layers), "predicted", "predicted - actual", None, up, title=name, key="below it")


def _axis(values: np.ndarray) -> Axis:
    """All values, with room for the points at both ends."""
    plain = axis_of("score", [values])
    low, high = max(plain.low, float(values.min())), plain.high
    room = ROOM * (high - low)
    return Axis(low - room, high + room, ())


def _pairs(known: Residuals) -> tuple[np.ndarray, np.ndarray, str]:
    """Actual amounts and errors, and how many cases they are of."""
    error = known.error  # of sums alone this is refused
    if known.truth is None:
        raise InputError(
            "unsupported",
            "kind",
            "it needs the actual amounts, and these residuals hold errors only",
            "make them with Residuals.from_arrays, or evaluate the cases",
        )
    if len(known) <= MOST:
        return known.truth, error, ""
    some = np.unique(np.linspace(0, len(known) - 1, MOST).astype(int))
    return known.truth[some], error[some], f"{MOST:,} of {text.count(known.total)} cases"


def _labelled(e: RegressionEvaluation, said: str, *measures: str) -> str:
    return "\n".join(filter(None, (said, *(words.estimate(one, e[one]) for one in measures))))


def _middle(known: Residuals, share: float) -> tuple[float, float]:
    """The quantiles between which this share of the errors lies."""
    reached = np.cumsum(known.weight) / known.total
    ends = np.searchsorted(reached, [(1 - share) / 2, (1 + share) / 2])
    low, high = known.error[np.minimum(ends, len(known) - 1)]
    return float(low), float(high)
