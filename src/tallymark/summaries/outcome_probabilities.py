"""The predicted probabilities of the actual classes, on which probabilistic measures depend."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .. import kernels
from .cached import cached


class OutcomeProbabilities:
    """The predicted probability of the actual class: p for positives, 1 - p for negatives.

    p: float64, one entry per score and class, of a single table only where that class has cases; weight: of
    the cases there, along the last axis. prior: the proportion of positives, one per replicate; `at_prior`
    replaces it.
    """

    by_row = True  # whether the probability of a row is its score

    def __init__(self, table: Any, prior: Any = None):
        self.table, self._prior = table, prior
        self._part_of: tuple[OutcomeProbabilities, slice] | None = None
        self.depends_on_prior = False  # whether anything asked for the proportion of positives so far

    def each(self, function: Callable[[OutcomeProbabilities], Any]) -> Any:
        """A function of each entry, block by block, so that what it needs in between stays in the cache."""
        if self.weight.ndim > 1 or len(self.weight) <= kernels.BLOCK:
            return function(self)
        found = np.empty(len(self.weight))
        for entries in kernels.blocks(len(found)):
            found[entries] = function(self._part(entries))
        return found

    def sum(self, function: Callable[[OutcomeProbabilities], Any]) -> float:
        """The weighted sum of a function of each entry, of a single table."""
        whole = len(self.weight) <= kernels.BLOCK
        parts = [self] if whole else map(self._part, kernels.blocks(len(self.weight)))
        return float(np.add.reduce([kernels.dot(part.weight, function(part)) for part in parts]))

    def mean(self, function: Callable[[OutcomeProbabilities], Any]) -> float:
        """The weighted mean of a function of each entry, of a single table; NaN without cases."""
        total = float(np.add.reduce(self.weight))
        return self.sum(function) / total if total else np.nan

    def _part(self, entries: slice) -> OutcomeProbabilities:
        part = type(self)(self.table, self._prior)
        part._part_of = self, entries
        if self._single and "_entries" not in self.__dict__:
            score = self.table.score[entries].astype(np.float64)
            held = np.where(self.positive[entries], score, 1 - score), self.weight[entries]
        else:
            held = self._entries[0][entries], self._entries[1][entries]
        part.__dict__["_entries"] = held
        return part

    @cached
    def _single(self) -> bool:
        """Whether there are many scores, each of one case, so that entries are rows and need no arrays."""
        t = self.table
        if not (self.by_row and t.positive.ndim == 1 and len(t) > kernels.BLOCK and t.total == len(t)):
            return False
        plain = t.positive.dtype.kind != "f" and t.score[-1] >= 0 and t.score[0] <= 1
        return plain and max(t.positive.max(), t.negative.max()) == 1 and not (t.positive & t.negative).any()

    @cached
    def _entries(self) -> tuple[np.ndarray, np.ndarray]:
        t = self.table
        if t.positive.ndim > 1:
            p, weight = both_classes(t.probability, 1 - t.probability), both_classes(t.positive, t.negative)
        elif len(t) and (t.score[0] > 1 or t.score[-1] < 0):
            p, weight = kernels.given_to_truth(t.probability, t.positive, t.negative)
        else:
            p, weight = kernels.given_to_truth(t.score, t.positive, t.negative)
        p.setflags(write=False)
        weight.setflags(write=False)
        return p, weight

    @property
    def p(self) -> np.ndarray:
        p: np.ndarray = self._entries[0]
        return p

    @property
    def weight(self) -> np.ndarray:
        single = "_entries" not in self.__dict__ and self._single
        weight: np.ndarray = np.broadcast_to(1.0, len(self.table)) if single else self._entries[1]
        return weight

    @cached
    def positive(self) -> np.ndarray:
        """Whether each entry is one of positives."""
        if self._part_of is not None:
            whole, entries = self._part_of
            positive: np.ndarray = whole.positive[entries]
            return positive
        if self._single:
            return self.table.positive.astype(bool)  # type: ignore[no-any-return]
        return self._there(both_classes(np.ones(len(self.table), bool), np.zeros(len(self.table), bool)))

    @cached
    def squares(self) -> np.ndarray | None:
        """The sum of squared case weights of each entry; None where that is the weight itself."""
        held = self.table.squared
        return None if held.positive is self.table.positive else self._there(both_classes(*held))

    @cached
    def margin(self) -> np.ndarray:
        """The score, negated for negatives: the distance of a case from 0 on the right side."""
        if self._part_of is not None:
            whole, entries = self._part_of
            margin: np.ndarray = whole.margin[entries]
            return margin
        score = self.table.score.astype(np.float64)
        return self._there(both_classes(score, 0.0 - score))

    @property
    def prior(self) -> Any:
        """The proportion of positives, of replicates one row each."""
        self.depends_on_prior = True
        if self._part_of is not None:
            self._part_of[0].depends_on_prior = True
        prior = self.table.prior if self._prior is None else self._prior
        return prior[..., None] if np.ndim(prior) else prior

    def at_prior(self, prior: float) -> OutcomeProbabilities:
        """The same with another proportion of positives."""
        new = type(self)(self.table, prior)
        new.__dict__.update(
            self.__dict__ | {"_prior": prior, "depends_on_prior": False}
        )  # cached values do not depend on it
        return new

    def log(self, clip: float | None = None) -> np.ndarray:
        """The natural logarithm of p, with p at least `clip`, by default the precision of the scores."""
        with np.errstate(divide="ignore"):
            logs: np.ndarray = np.log(np.maximum(self.p, self.table.epsilon if clip is None else clip))
        return logs

    def _there(self, entries: np.ndarray) -> np.ndarray:
        """The entries with cases, of all scores and both classes; all of them for replicates."""
        t = self.table
        return entries if t.positive.ndim > 1 else entries[both_classes(t.positive, t.negative) > 0]


def both_classes(positive: np.ndarray, negative: np.ndarray) -> np.ndarray:
    """The values of positives and of negatives, interleaved score by score."""
    return np.stack([positive, negative], axis=-1).reshape(*positive.shape[:-1], 2 * positive.shape[-1])
