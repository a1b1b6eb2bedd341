"""From cases with `fold` to the table of their folds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ...inference import Settings
from ...input import CaseSpec
from ...input.errors import InputError
from ...input.grouping import FOLD
from ...input.sample import Index
from ...input.score_columns import by_name
from ...input.spelling import option
from ..arguments import EvaluationOptions
from ..groups.parts import Made
from ..groups.reading import split_by, without_one_name
from ..groups.splitting import Splitting
from .of_models import FoldTables, check_reference, tables_of
from .table import FoldTable

Array = np.ndarray[Any, np.dtype[Any]]


def of_folds(
    data: Any,
    spec: CaseSpec,
    options: EvaluationOptions,
    threshold: Any,
    reference: str | None,
    progress: Callable[[int], None] | None,
) -> FoldTable | FoldTables:
    """The evaluations of the folds of cases, read once.

    Each model is taken as trained on the cases of all other folds, with two columns on those of its repeat.
    Raises InputError.
    """
    check_options(options)
    unnamed, limit = without_one_name(spec, threshold)
    split = split_by(FOLD, data, unnamed, options, limit, progress)
    groups = split.groups
    repeats, sizes = repeats_of(groups), groups.numbers
    every = np.bincount(repeats, weights=sizes).astype(np.int64)
    trained = every[repeats] - sizes
    repeated = bool(repeats.max() > 0)
    if not trained.all():
        name = groups.names[int((trained == 0).argmax())]
        problem = f"{name!r} is the only fold" + " of its repeat" * repeated
        raise InputError("invalid-value", FOLD, problem, "name the column of the fold of each case")
    tables = {name: _table(groups, model, trained, repeated) for name, model in split.models.items()}
    if None in tables:
        check_reference(reference, [str(name) for name in by_name(spec.given.get(spec.kind))])
        return tables[None]
    return tables_of({str(name): table for name, table in tables.items()}, reference)


def _table(groups: Index, splitting: Splitting, trained: Array, repeated: bool) -> FoldTable:
    whole = replace(splitting.whole, data=replace(splitting.whole.data, folds=len(groups.names)))
    return FoldTable(Made(groups, splitting).each, whole, groups, splitting, trained, repeated)


def of_splits(
    spec: CaseSpec, options: EvaluationOptions, threshold: Any, trained: Array, repeated: bool
) -> FoldTable:
    """The evaluations of the test cases of splits, which are numbered from 0 as the fold of each case.

    trained: the number of training cases of each; repeated: whether cases are tested in several.
    """
    split = split_by(FOLD, None, spec, options, threshold, None)
    sizes = trained[[label[0] for label in split.groups.labels]]
    return _table(split.groups, split.models[None], sizes, repeated)


def check_options(options: EvaluationOptions) -> None:
    """Raises InputError for a rule that chooses the threshold on the test cases, and for fixed classes."""
    if options.rule is not None:
        problem = "it would choose the threshold on the test cases of all folds"
        way_out = f"give {option('threshold')}, or choose it in training, as TunedThresholdClassifierCV does"
        raise InputError("conflict", "rule", problem, way_out)
    if options.settings.design != Settings().design:
        problem = "the intervals of folds let the class mix vary, as it varies from fold to fold"
        raise InputError("unsupported", "design", problem, f"leave it out, or {option(FOLD)}")


def repeats_of(groups: Index) -> Array:
    """The number of the repeat of each fold: of several columns all but the last name it."""
    names: Sequence[Any] = sorted({label[:-1] for label in groups.labels})
    return np.array([names.index(label[:-1]) for label in groups.labels])
