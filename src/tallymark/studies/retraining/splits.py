"""Splits into training and test cases: bootstrap sets, and folds."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...inference.replicates import WORD, Draws, draws
from ...input import validate
from ...input.validate import InputError


def bootstrap_set(
    rng: np.random.Generator, size: int, strata: np.ndarray | None, clusters: np.ndarray | None
) -> np.ndarray:
    """How often each case is drawn: as many of each stratum, or as many clusters, as there are."""
    how = Draws(1, "cohort" if strata is None else "case-control", seed=int(rng.integers(WORD >> 1)))
    (times,) = next(draws(how, np.zeros(size, np.uint8) if strata is None else strata, clusters))
    return np.asarray(times)


def folds(
    rng: np.random.Generator, number: int, strata: np.ndarray | None, clusters: np.ndarray | None, size: int
) -> np.ndarray:
    """The fold of each case, 0 to number - 1, assigned at random, by stratum or by cluster."""
    if clusters is not None:
        return np.asarray(folds(rng, number, None, None, int(clusters.max()) + 1)[clusters])
    order = rng.permutation(size)
    if strata is not None:
        order = order[np.argsort(strata[order], kind="stable")]
    dealt = np.empty(size, np.int64)
    dealt[order] = np.arange(size) % number
    return dealt


def by_class(stratified: Any, cluster: Any) -> bool:
    """Whether to stratify by class: by default, if there are no clusters.

    Raises InputError for both.
    """
    if stratified is None:
        return cluster is None
    if validate.flag(stratified, "stratified") and cluster is not None:
        raise InputError(
            "conflict",
            "stratified",
            "clusters are drawn whatever their classes",
            "leave out one of the two",
        )
    return bool(stratified)
