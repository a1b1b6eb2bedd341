"""Splits into training and test cases: bootstrap sets with the cases left out, and folds."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...input import validate
from ...input.validate import InputError


def bootstrap_set(
    rng: np.random.Generator, size: int, strata: np.ndarray | None, clusters: np.ndarray | None
) -> np.ndarray:
    """`size` cases drawn with replacement, stratified, or by whole clusters.

    As many of each stratum, or as many clusters, as there are. Strata keep the order that they have among the
    cases, so that an estimator does not see one class after the other.
    """
    if clusters is not None:
        number = int(clusters.max()) + 1
        times = np.bincount(rng.integers(0, number, number), minlength=number)
        return np.repeat(np.arange(size), times[clusters])
    if strata is None:
        return rng.integers(0, size, size)
    order = np.argsort(strata, kind="stable")
    sizes = np.bincount(strata)
    start, there = (np.cumsum(sizes) - sizes)[strata[order]], sizes[strata[order]]
    drawn = np.empty(size, np.int64)
    drawn[order] = order[start + rng.integers(0, there)]
    return drawn


def left_out(drawn: np.ndarray, size: int) -> np.ndarray:
    """The cases that were not drawn."""
    return np.flatnonzero(np.bincount(drawn, minlength=size) == 0)


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
