"""Design effects: the variance for cases in clusters over that for independent cases.

For maxima, hulls and areas under the precision-recall curve resamples of clusters give no valid interval,
since their bias depends on the true value (of_maxima.py). They use the method for independent cases with
fewer of them: the class sizes at which the variance equals that of the influence values summed by unit. Kish
(1965), Survey Sampling, section 8.2.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import inf
from typing import Any, NamedTuple

import numpy as np

from .. import kernels
from ..input.messages.notes import Note, joined
from ..measures.registry import Measure
from .bootstrap import limits
from .effective import cases_of_share
from .effective_units import Resting, few_units, widened
from .intervals.kinds import ROUNDING, Question, Settings, interval_of
from .intervals.scale import Scale
from .intervals.tilted import sizes
from .intervals.weight_effects import with_effects
from .results import Interval, no_interval
from .units import CLASSES, MOST_SHARE, Units, influences

KINDS = ("largest", "inverted", "discrimination")  # whose intervals follow from the effective class sizes
FEWEST = 2  # independent cases of a class
TOO_FEW = Note("one-independent-in-a-class")


class Influence(NamedTuple):
    """The influence values of the cases of a class.

    totals: summed by unit; together: the variance by units; alone: that for independent cases.
    """

    totals: np.ndarray
    together: float
    alone: float


def fits(entry: Measure) -> bool:
    """Whether the interval of the measure follows from the effective sizes of the classes."""
    return limits.kind_of(entry) in KINDS


def interval(
    units: Units,
    entry: Measure,
    function: Callable[..., Any],
    value: float,
    settings: Settings,
    rests: Resting,
    alike: Sequence[float],
) -> Interval:
    """The interval for independent cases, with classes of their effective sizes.

    Student's t has the effective number of units. alike: the effective class sizes if all cases of a unit are
    alike. The proportion of positives has a design effect, too.
    """
    if not min(sizes(units.table)):
        return no_interval(TOO_FEW)
    wider = widened(1.0, rests.effective, settings.level) ** 2
    influence = influences(units, entry, function, None, Scale((-inf, inf)))
    table = with_effects(units.table, *(wider * effect for effect in of_classes(units, influence, alike)))
    if min(sizes(table)) < FEWEST:
        return no_interval(TOO_FEW)
    cases = cases_of_share(units.table) / (wider * of_share(units))
    found = interval_of(Question(entry, function, table, value, settings, cases, "effective cases"))
    return replace(found, notes=joined(few_units(rests), found.notes))


def of_classes(
    units: Units, influence: tuple[np.ndarray, ...], alike: Sequence[float]
) -> tuple[float, float]:
    """The design effects of the positives and of the negatives, at least 1.

    The covariance of both is shared between them. influence: of a case of either class, at each score.
    """
    held = [_of_class(units, of, influence[of]) for of in range(len(CLASSES))]
    both = sum(one.together for one in held)
    common = max(both + 2 * kernels.dot(held[0].totals, held[1].totals), 0.0) / both if both else 1.0
    most = [size / of_unit for size, of_unit in zip(sizes(units.rows[0]), alike, strict=True)]
    found = [
        one.together / one.alone if one.alone > ROUNDING**2 else limit
        for one, limit in zip(held, most, strict=True)
    ]
    positive, negative = (max(common * effect, 1.0) for effect in found)
    return positive, negative


def _of_class(units: Units, of: int, influence: np.ndarray) -> Influence:
    base, rows = units.rows
    weight, size = (base.positive, base.negative)[of], sizes(base)[of]
    centred = influence - float(np.einsum("i,i->", weight, influence)) / float(weight.sum())
    totals = _left_out(rows[of] @ centred, rows[of].sum(1) / weight.sum())
    alone = float(np.einsum("i,i,i->", base.squared[of], centred, centred)) * size / max(size - 1, 1.0)
    return Influence(totals, kernels.dot(totals, totals), alone)


def _left_out(totals: np.ndarray, share: np.ndarray) -> np.ndarray:
    """The change where a unit is left out, with the variance factor of the jackknife."""
    number = max(int((share > 0).sum()), 2)
    found: np.ndarray = totals / (1 - np.minimum(share, MOST_SHARE)) * np.sqrt(1 - 1 / number)
    return found


def of_share(units: Units) -> float:
    """The design effect of the proportion of positives."""
    table, (positive, negative) = units.table, (units.sizes[name] for name in CLASSES)
    prior, total, size = float(table.prior), float(table.total), sum(sizes(table))
    totals = _left_out(positive * (1 - prior) - negative * prior, (positive + negative) / total)
    squares = table.squared
    alone = (
        float(squares.positive.sum() * (1 - prior) ** 2 + squares.negative.sum() * prior**2)
        * size
        / max(size - 1, 1.0)
    )
    return max(kernels.dot(totals, totals) / alone, 1.0) if alone > ROUNDING else 1.0
