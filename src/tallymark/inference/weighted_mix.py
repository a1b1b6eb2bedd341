"""Weights that fix the class mix, as class weights made from the sample.

They are total / (classes * cases of the class), so that the weight of every class is the same in each sample,
whatever its number of cases, and only the variation within the classes counts: intervals are those of fixed
class sizes. Weights that fix another mix cannot be recognised; for these use design="case-control".
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ..input.options import Design
from ..measures.registry import ratio
from ..summaries import IndicatorTable, RankingTable, Residuals
from .covariance import sampling_of
from .intervals.kinds import Settings

HELD: Design = "case-control"
ALIKE = 1e-4  # relative difference that weights written with four digits leave


def fixed_by_weights(summary: Any) -> Any:
    """Whether weights are constant within each class, and all classes have the same total weight.

    Weights must differ between classes. For counts with arrays of one dimension one answer per entry.
    """
    if summary.squares is None or isinstance(summary, (IndicatorTable, Residuals)):
        return np.zeros(len(summary.tp), bool) if np.ndim(getattr(summary, "tp", 0.0)) else False
    if isinstance(summary, RankingTable):
        if "fixed by weights" not in summary.kept:
            summary.kept["fixed by weights"] = summary.positive.ndim == 1 and bool(
                _fixed(*_cells(summary))[0]
            )
        return summary.kept["fixed by weights"]
    found = _fixed(*_cells(summary))
    return found if np.ndim(getattr(summary, "tp", 0.0)) else bool(found[0])


def with_fixed_mix(settings: Settings, summary: Any) -> Settings:
    """The settings, with fixed class sizes where the weights of the summary fix them."""
    fixed = settings.design != HELD and np.all(fixed_by_weights(summary))
    return replace(settings, design=HELD) if fixed else settings


def _cells(summary: Any) -> tuple[Any, ...]:
    """The class of each cell, its weight, its squared weights, and the number of classes.

    Counts with arrays follow one after another.
    """
    found = sampling_of(summary)
    classes = int(found.stratum.max(initial=0)) + 1
    number = found.weight.size // max(len(found.stratum), 1)
    code = found.stratum + classes * np.arange(number)[:, None]
    return code.ravel(), found.weight.ravel(), found.squares.ravel(), classes


def _fixed(code: np.ndarray, weight: np.ndarray, squares: np.ndarray, classes: int) -> np.ndarray:
    """The answer for each summary; the classes of several are numbered consecutively."""
    number = -(-(int(code.max(initial=0)) + 1) // classes) * classes
    total: np.ndarray = np.bincount(code, weight, number)
    unit = ratio(np.bincount(code, squares, number), total)
    unlike = (weight > 0) & (np.abs(squares - unit[code] * weight) > ALIKE * squares)
    shape = -1, classes
    there, total, unit = (part.reshape(shape) for part in (total > 0, total, unit))
    least, most = (
        pick(np.where(there, total, end), axis=1) for pick, end in ((np.min, np.inf), (np.max, 0.0))
    )
    light, heavy = (
        pick(np.where(there, unit, end), axis=1) for pick, end in ((np.min, np.inf), (np.max, 0.0))
    )
    same = ~np.bincount(code, unlike, number).astype(bool).reshape(shape).any(1)
    return same & (there.sum(1) > 1) & (most - least <= ALIKE * most) & (heavy - light > ALIKE * heavy)
