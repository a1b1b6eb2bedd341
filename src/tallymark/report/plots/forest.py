"""Forests: estimates with their intervals, one in a row; of measures, models, groups and classes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...evaluation.folds.of_models import FoldTables
from ...evaluation.folds.table import FoldTable
from ...evaluation.groups.of_models import GroupTables
from ...evaluation.results import ClasswiseEvaluation, Evaluation, EvaluationTable
from ...inference import Estimate
from ...input import text
from ...input.validate import InputError
from ...studies.compare.answer import Comparison
from ..documents.evaluations import headed
from . import style, words
from .picture import Dots, Panel, Picture, Rule, Texts
from .registry import kind
from .source import ALONE, LONGEST, Source, evaluations_of, sizes_of, source_of

OF_CLASSES = ("sensitivity", "precision", "f1")
OF_FOLDS = ("mean", "pooled")
MOST_ROWS, MOST_PANELS = 40, 3


@kind("Models", EvaluationTable, GroupTables, Comparison, way="whole", needs="several models", name="forest")
def of_models(
    result: EvaluationTable | GroupTables | Comparison, *, measures: str | Sequence[str] | None = None
) -> Picture:
    """A panel for each measure, a row for each model, group or fold; of folds also the mean, and pooled."""
    every = evaluations_of(result)
    names = _listed(measures) or _in_all(list(every.values()))[:MOST_PANELS]
    shown = dict(list(every.items())[:MOST_ROWS])
    found = {name: [one[name] for one in shown.values()] + _of_all_folds(result, name) for name in names}
    rows = (*text.labels(shown, LONGEST).values(), *OF_FOLDS * isinstance(result, FoldTable))
    panels = [_panel(words.name_of(name), rows, found[name]) for name in names]
    source = source_of(result, (Evaluation,))
    more = (f"the first {MOST_ROWS} of {len(every):,}",) if len(every) > MOST_ROWS else ()
    return Picture("forest", tuple(panels), "Measures with their intervals", (*source.facts, *more), True)


def _of_all_folds(result: EvaluationTable | GroupTables | Comparison, name: str) -> list[Estimate]:
    """The mean over the folds, and the value of all pooled."""
    return [result.means[name], result.pooled[name]] if isinstance(result, FoldTable) else []


@kind("Models on folds", FoldTables, way="whole", needs="several models", name="forest")
def of_fold_tables(result: FoldTables, *, measures: str | Sequence[str] | None = None) -> Picture:
    """A panel for each measure, two rows for each model: the mean over the folds, and pooled."""
    names = _listed(measures) or list(result.measures)[:MOST_PANELS]
    shown = text.labels(list(result)[: MOST_ROWS // 2], LONGEST)
    rows = tuple(f"{label}: {part}" for label in shown.values() for part in OF_FOLDS)
    found = {
        name: [part[name] for model in shown for part in (result[model].means, result[model].pooled)]
        for name in names
    }
    panels = [_panel(words.name_of(name), rows, found[name]) for name in names]
    first, level = result.first, 100 * result.first.whole.settings.level
    facts = (
        f"{len(result)} models, {len(first)} folds of {sizes_of(first.whole)}",
        f"{level:.4g} % intervals",
    )
    return Picture("forest", tuple(panels), "Measures with their intervals", facts, True)


@kind("Classes", ClasswiseEvaluation, way="whole", needs="any measures", name="forest")
def of_classes(
    e: ClasswiseEvaluation, *, measures: str | Sequence[str] | None = None, classes: Any = None
) -> Picture:
    """A panel for each measure, a row for each class; of many classes those with the lowest values."""
    names, labels = _listed(measures) or list(OF_CLASSES), list(e.table_of_classes.labels)
    chosen = [classes] if classes is not None and not isinstance(classes, (list, tuple)) else classes
    found = {name: e.many.each(name) for name in names}
    places, more = _places(labels, chosen, found[names[0]])
    sizes = e.many.counts.positives
    rows = tuple(f"{text.label(labels[i], 20)} (n = {text.count(sizes[i])})" for i in places)
    panels = [_panel(words.name_of(name), rows, [found[name][i] for i in places]) for name in names]
    facts = (*Source(e, {ALONE: e}).facts, *more)
    return Picture("forest", tuple(panels), "Measures of the classes", facts, True)


@kind("Measures", Evaluation, way="whole", needs="any measures", name="forest")
def of_measures(e: Evaluation, *, measures: str | Sequence[str] | None = None) -> Picture:
    """A row for each measure, by default those of the first screen on the scale of -1 to 1."""
    rows = [name for name in headed(e) if name in e.estimates]
    names = _listed(measures) or [name for name in rows if _is_share(e[name])]
    found = [e[name] for name in names]
    panel = _panel("", tuple(words.name_of(name) for name in names), found, texts=True)
    return Picture("forest", (panel,), "Measures with their intervals", Source(e, {ALONE: e}).facts)


def _listed(measures: str | Sequence[str] | None) -> list[str]:
    return [measures] if isinstance(measures, str) else list(measures or ())


def _in_all(every: Sequence[Evaluation]) -> list[str]:
    """The measures of the first screen that all evaluations have."""
    rows = list(headed(every[0]))
    found = [name for name in rows if all(name in one.estimates for one in every)]
    if not found:
        raise InputError("needed", "measures", "the evaluations have no usual measure in common", "name some")
    return found


def _places(
    labels: Sequence[Any], chosen: Sequence[Any] | None, found: Sequence[Estimate]
) -> tuple[list[int], tuple[str, ...]]:
    """The classes that are shown, and what is said of the others."""
    if chosen is not None:
        known = [labels.index(one) for one in chosen if one in labels]
        if len(known) < len(chosen):
            strange = next(one for one in chosen if one not in labels)
            raise InputError("unknown-name", "classes", f"{strange!r} is not a class here", value=strange)
        return known, ()
    if len(labels) <= MOST_ROWS:
        return list(range(len(labels))), ()
    values = np.array([one.value for one in found])
    lowest = sorted(np.argsort(values, kind="stable")[:MOST_ROWS].tolist())
    return lowest, (f"the {MOST_ROWS} lowest of {len(labels):,} classes",)


def _is_share(found: Estimate) -> bool:
    """Whether the value and its interval are on the scale of -1 to 1."""
    ends = [found.centre, *((found.low, found.high) if found.has_interval else ())]
    return all(-1 <= end <= 1 for end in ends)


def _panel(title: str, rows: tuple[str, ...], found: Sequence[Estimate], texts: bool = False) -> Panel:
    """The estimates in rows; at the right their numbers."""
    at = np.arange(len(found), dtype=float)
    value, low, high = (np.array([getattr(one, end) for one in found]) for end in ("centre", "low", "high"))
    dots = Dots(value, at, "", 0, style.shape(0), low, high, across=True)
    zero = [Rule(0.0)] if np.nanmin([*value, *low, 0.0]) < 0 else []
    numbers = [Texts(at, tuple(map(words.value, found)))] if texts else []
    return Panel((*zero, dots, *numbers), title, "", rows=rows, key=None)
