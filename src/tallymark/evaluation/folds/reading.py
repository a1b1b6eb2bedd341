"""From cases with `fold` to the table of their folds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...inference import Settings
from ...input import CaseSpec
from ...input.errors import InputError
from ...input.grouping import FOLD, Groups
from ...input.spelling import option
from ..arguments import Asked
from ..groups.parts import Made
from ..groups.reading import of_one, split_by
from .table import FoldTable

Array = np.ndarray[Any, np.dtype[Any]]


def of_folds(
    data: Any,
    spec: CaseSpec,
    asked: Asked,
    threshold: Any,
    progress: Callable[[int], None] | None,
) -> FoldTable:
    """The evaluations of the folds of cases, read once.

    Each model is taken as trained on the cases of all other folds, with two columns on those of its repeat.
    Raises InputError.
    """
    check_asked(asked)
    found = split_by(FOLD, data, of_one(spec, FOLD), asked, threshold, progress)
    groups, splitting = found.groups, found.alone
    repeats = repeats_of(groups)
    sizes = groups.sizes
    every = np.bincount(repeats, weights=sizes).astype(np.int64)
    trained = every[repeats] - sizes
    if not trained.all():
        name = groups.names[int((trained == 0).argmax())]
        problem = f"{name!r} is the only fold" + " of its repeat" * bool(repeats.max() > 0)
        raise InputError("invalid-value", FOLD, problem, "name the column of the fold of each case")
    repeated = bool(repeats.max() > 0)
    whole = splitting.whole
    return FoldTable(Made(groups, splitting).each, whole, groups, splitting, trained, repeated)


def of_splits(spec: CaseSpec, asked: Asked, threshold: Any, trained: Array, repeated: bool) -> FoldTable:
    """The evaluations of the test cases of splits, which are numbered from 0 as the fold of each case.

    trained: the number of training cases of each; repeated: whether cases are tested in several.
    """
    found = split_by(FOLD, None, spec, asked, threshold, None)
    groups, splitting = found.groups, found.alone
    sizes = trained[[label[0] for label in groups.labels]]
    return FoldTable(Made(groups, splitting).each, splitting.whole, groups, splitting, sizes, repeated)


def check_asked(asked: Asked) -> None:
    """Raises InputError for a rule that chooses the threshold on the test cases, and for fixed classes."""
    if asked.rule is not None:
        problem = "it would choose the threshold on the test cases of all folds"
        way_out = f"give {option('threshold')}, or choose it in training, as TunedThresholdClassifierCV does"
        raise InputError("conflict", "rule", problem, way_out)
    if asked.settings.design != Settings().design:
        problem = "the intervals of folds let the class mix vary, as it varies from fold to fold"
        raise InputError("unsupported", "design", problem, f"leave it out, or {option(FOLD)}")


def repeats_of(groups: Groups) -> Array:
    """The number of the repeat of each fold: of several columns all but the last name it."""
    names: Sequence[Any] = sorted({label[:-1] for label in groups.labels})
    return np.array([names.index(label[:-1]) for label in groups.labels])
