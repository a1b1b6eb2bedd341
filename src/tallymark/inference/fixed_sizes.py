"""Intervals where the class sizes are fixed, by the design or by weights."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from ..input.messages import Note, in_array, joined, of_code
from ..input.options import Design
from ..measures.registry import ratio
from ..summaries import ClassScores, ConfusionMatrix, Counts, IndicatorTable, RankingTable, Residuals
from .covariance import codes_of, sampling_of, sums_by
from .intervals.kinds import Settings
from .results import Estimate, Interval

HELD: Design = "case-control"
ALIKE = 1e-4  # relative difference that weights written with four digits leave
GIVEN_MIX = Note("given-mix")
GIVEN_SCORES = Note("given-mix", fixed_by="design", of="scores")
GIVEN = Note("given-mix", fixed_by="design", of="counts")
GIVEN_CLASSES = Note("given-mix", fixed_by="design", of="classes")
GIVEN_WEIGHTS = Note("given-mix", fixed_by="weights")
WITH_CLASSES = (Counts, ConfusionMatrix, RankingTable, ClassScores)
FIXED = Note("class-sizes-fixed")
FIXED_BY_WEIGHTS = Note("class-mix-fixed")
SEED = 14
NEGLIGIBLE = 1e-9
MOST_KEPT, OTHER_SIZES = 1_000, "other class sizes"
Found = TypeVar("Found", Interval, Estimate)


def fixed_by_weights(summary: Any) -> Any:
    """Whether weights are constant within each class, and all classes have the same total weight.

    As class weights made from the sample, total / (classes * cases of the class): the weight of every class
    is then the same in each sample, whatever its number of cases, and only the variation within the classes
    counts. Weights that fix another mix cannot be recognised; for these use design="case-control". Weights
    must differ between classes. For counts with arrays of one dimension one answer per entry.
    """
    if not isinstance(summary, RankingTable):
        found = _fixed(summary)
        return found if found.ndim else bool(found)
    if "fixed by weights" not in summary.kept:
        summary.kept["fixed by weights"] = summary.positive.ndim == 1 and bool(_fixed(summary))
    return summary.kept["fixed by weights"]


def _fixed(summary: Any) -> np.ndarray:
    if summary.squares is None or isinstance(summary, (IndicatorTable, Residuals)):
        return np.zeros(np.shape(getattr(summary, "tp", 0.0)), bool)
    cells = sampling_of(summary)
    code = codes_of(cells.stratum)
    total, squares = (sums_by(code, part) for part in (cells.weight, cells.squares))
    unit = ratio(squares, total)
    unlike = np.abs(cells.squares - unit[..., code] * cells.weight) > ALIKE * cells.squares
    light, heavy = _extremes(unit, total)
    least, most = _extremes(total, total)
    several = (total > 0).sum(-1) > 1
    return several & ~unlike.any(-1) & (most - least <= ALIKE * most) & (heavy - light > ALIKE * heavy)


def _extremes(values: np.ndarray, total: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The smallest and the largest one of the classes that have cases."""
    there = total > 0
    return np.where(there, values, np.inf).min(-1), np.where(there, values, 0.0).max(-1)


def with_fixed_mix(settings: Settings, summary: Any) -> Settings:
    """The settings, with fixed class sizes where the weights of the summary fix them."""
    fixed = settings.design != HELD and np.all(fixed_by_weights(summary))
    return replace(settings, design=HELD) if fixed else settings


def depends_on_mix(function: Callable[..., Any], summary: Any = None) -> bool:
    """Whether a measure changes with the class mix while the rates within classes stay the same.

    summary: None for a measure of counts, of which any will do.
    """
    if summary is None or isinstance(summary, Counts):
        return _differ(*_at_two_mixes(function))
    if isinstance(summary, IndicatorTable):  # each label has a mix of its own
        return False
    tables = _with_other_sizes(summary)  # for the same total
    with np.errstate(divide="ignore", invalid="ignore"):
        value, *others = (float(function(table)) for table in (summary, *tables))
    return _differ(value, np.array(others))


def reorders(function: Callable[..., Any]) -> bool:
    """Whether the order of classifiers by a measure of counts depends on the class mix."""
    rare, common = (np.subtract.outer(found, found) for found in map(np.asarray, _at_two_mixes(function)))
    with np.errstate(invalid="ignore"):
        return bool(
            (np.sign(rare) != np.sign(common))[(abs(rare) > NEGLIGIBLE) | (abs(common) > NEGLIGIBLE)].any()
        )


def _at_two_mixes(function: Callable[..., Any]) -> list[Any]:
    """Of classifiers with the same rates, and as many cases in all."""
    sensitivity, specificity = np.random.default_rng(SEED).uniform(0.1, 0.9, (2, 16))
    with np.errstate(divide="ignore", invalid="ignore"):
        return [
            function(
                Counts.of(p * sensitivity, n * (1 - specificity), p * (1 - sensitivity), n * specificity)
            )
            for p, n in ((300.0, 700.0), (600.0, 400.0))
        ]


def _with_other_sizes(summary: Any) -> list[Any]:
    """Two such summaries; those of a small table are kept, since measures share what they need of them."""
    small = isinstance(summary, RankingTable) and len(summary) <= MOST_KEPT
    if small and OTHER_SIZES in summary.kept:
        return summary.kept[OTHER_SIZES]
    classes = 2 if isinstance(summary, RankingTable) else len(getattr(summary, "weights", summary))
    factors = np.random.default_rng(SEED).uniform(0.5, 2.0, (2, classes))
    result = [_with_sizes(summary, factor) for factor in factors]
    if small:
        summary.kept[OTHER_SIZES] = result
    return result


def _with_sizes(summary: Any, factor: np.ndarray) -> Any:
    """The summary with the weights of each class times its factor, and the total restored."""
    if isinstance(summary, ConfusionMatrix):
        weights = summary.weights * factor[:, None]
        return summary.with_weights(weights * summary.total / weights.sum())
    if isinstance(summary, RankingTable):
        factor = factor * (summary.total / (factor[0] * summary.positives + factor[1] * summary.negatives))
        return summary.of(summary.score, summary.positive * factor[0], summary.negative * factor[1])
    weights = summary.weight * factor[summary.truth]
    return type(summary)(
        summary.labels, summary.truth, summary.score, weights * summary.total / weights.sum(), summary.affix
    )


def _differ(one: Any, other: Any) -> bool:
    with np.errstate(invalid="ignore"):
        return bool((abs(other - one) > NEGLIGIBLE * np.maximum(abs(np.asarray(one)), 1.0)).any())


def with_mix(
    found: Found, function: Callable[..., Any], summary: Any, design: str, of_classes: bool = False
) -> Found:
    """The interval or estimate, with a note where the measure depends on a fixed class mix.

    of_classes: whether counts are those of classes against the rest.
    """
    if design != HELD or not isinstance(summary, WITH_CLASSES) or not depends_on_mix(function, summary):
        return found
    return replace(found, notes=_with_given(found.notes, _given(summary, of_classes)))


def _given(summary: Any, of_classes: bool) -> Note:
    if np.all(fixed_by_weights(summary)):
        return GIVEN_WEIGHTS
    if of_classes or (isinstance(summary, (ConfusionMatrix, ClassScores)) and len(summary) > 2):
        return GIVEN_CLASSES
    return GIVEN if isinstance(summary, (Counts, ConfusionMatrix)) else GIVEN_SCORES


def _with_given(notes: Any, given: Note) -> Any:
    """The notes and the one on the class mix, unless one of them states it already."""
    if isinstance(notes, np.ndarray):
        return in_array(_with_given(note, given) for note in notes.tolist())
    return joined(notes, None if of_code(notes, FIXED.code, FIXED_BY_WEIGHTS.code) else given)
