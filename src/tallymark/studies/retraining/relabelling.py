"""The labels that a permutation test exchanges: of all cases, of clusters, or within blocks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...input.spelling import option
from ...input.validate import InputError, shown
from .cases import Cases


@dataclass(frozen=True, slots=True)
class Exchangeable:
    """The labels of all cases, of clusters, or those within each block."""

    truth: np.ndarray
    of_cluster: np.ndarray | None = None
    cluster: np.ndarray | None = None
    block: np.ndarray | None = None

    def labels(self, rng: np.random.Generator) -> np.ndarray:
        """The labels, permuted."""
        if self.of_cluster is not None:
            return rng.permutation(self.of_cluster)[self.cluster]
        if self.block is None:
            return rng.permutation(self.truth)
        mixed = np.empty_like(self.truth)
        mixed[np.argsort(self.block, kind="stable")] = self.truth[
            np.lexsort((rng.random(len(self.truth)), self.block))
        ]
        return mixed


def exchangeable(train: Cases, number: np.ndarray | None, together: Any, role: str) -> Exchangeable:
    """The labels that can be exchanged.

    number: for each case the number of its cluster, or block; together: the argument as it was given, by that
    role.
    """
    if number is None:
        return Exchangeable(train.truth)
    mixed, of_each = _mixed(number, train.truth)
    if role == "clusters" and mixed.any():
        where = shown(np.asarray(together)[number == int(mixed.argmax())].tolist()[0])
        raise InputError(
            "labels",
            "clusters",
            f"cluster {where} has labels of several classes",
            "to permute within clusters pass them as blocks=",
        )
    if role == "clusters":
        return Exchangeable(train.truth, of_each, number)
    if not mixed.any():
        raise InputError(
            "no-result",
            "blocks",
            "every block has labels of one class, so that nothing changes within them",
            f"pass them as {option('clusters')}",
        )
    return Exchangeable(train.truth, block=number)


def _mixed(cluster: np.ndarray, truth: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """For each cluster whether it has several labels, and one of them."""
    low, high = np.full(cluster.max() + 1, truth.max()), np.zeros(cluster.max() + 1, truth.dtype)
    np.minimum.at(low, cluster, truth)
    np.maximum.at(high, cluster, truth)
    return low != high, low
