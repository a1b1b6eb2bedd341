"""The predicted probabilities of the actual classes, and the losses of cases that depend on them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache, partial
from inspect import signature
from typing import Any

import numpy as np

from .. import kernels
from ..input import validate
from . import passes
from .passes import Block, collected, has_blocks
from .power_sums import Entries, PowerSums, merged
from .value import cached

Loss = Callable[["OutcomeProbabilities"], Any]


class OutcomeProbabilities:
    """The predicted probability of the actual class: p for positives, 1 - p for negatives.

    p: float64, one entry per score and class, of a single table only where that class has cases; weight: of
    the cases there, along the last axis. prior: the proportion of positives, one per replicate; `at_prior`
    replaces it.
    """

    def __init__(self, table: Any, prior: Any = None):
        self.table, self._prior = table, prior
        self.depends_on_prior = False  # whether anything asked for the proportion of positives so far
        self._varying: dict[LossSums, bool] = {}  # by the loss whether it depends on the proportion
        self._last_log: tuple[float | None, np.ndarray] | None = None

    def sum(self, function: Callable[[OutcomeProbabilities], Any]) -> float:
        """The weighted sum of a function of each entry, of a single table."""
        parts = [*self._parts()]
        sums = kernels.each(lambda i: kernels.dot(parts[i].weight, function(parts[i])), len(parts))
        return float(np.add.reduce(sums))

    def mean(self, function: Callable[[OutcomeProbabilities], Any]) -> float:
        """The weighted mean of a function of each entry, of a single table; NaN without cases."""
        total = float(self.table.total)
        kept = self.table.kept  # nothing of a table that is measured once
        known = kept.get(sums_of_loss(function)) if kept and self._prior is None else None
        return (self.sum(function) if known is None else known[0]) / total if total else np.nan

    def mean_at(self, loss: Loss, prior: float) -> float:
        """The weighted mean of a loss that depends on the proportion of positives, at this proportion."""
        total: float = collected(self.table, sums_of_loss(loss, prior))[0]
        return total / float(self.table.total)

    def sums_of(self, loss: Loss) -> PowerSums:
        """The sums of the powers of a loss, of a single table; negatives are class 0."""
        return collected(self.table, sums_of_loss(loss))[1]

    def varies_with_prior(self, loss: Loss) -> bool:
        """Whether a loss depends on the proportion of positives."""
        key = sums_of_loss(loss)
        if key not in self._varying:
            first = next(self._parts()).at_prior(self._share)
            loss(first)
            self._varying[key] = first.depends_on_prior
        return self._varying[key]

    @cached
    def by_class(self) -> Entries:
        """The entries in the order of their classes."""
        return Entries.of(self.weight, self.squares, self.positive, 2)

    def _parts(self) -> Iterator[OutcomeProbabilities]:
        """The entries of blocks of rows, of a single table."""
        rows = len(self.table)
        step = passes.rows_of_blocks(rows)
        return (self.part(slice(start, start + step)) for start in range(0, max(rows, 1), step))

    def part(self, rows: slice) -> OutcomeProbabilities:
        """The entries of a block of rows, which stay in the cache; of a small table all."""
        return type(self)(self.table.part(rows), self._share) if has_blocks(self.table) else self

    @cached
    def _occurs(self) -> np.ndarray:
        """Whether there are cases of each score and class; all of them for replicates."""
        t = self.table
        return t.positive.ndim > 1 or both_classes(t.positive > 0, t.negative > 0)

    @cached
    def _entries(self) -> tuple[np.ndarray, np.ndarray]:
        t = self.table
        if t.positive.ndim > 1:
            p, weight = both_classes(t.probability, 1 - t.probability), both_classes(t.positive, t.negative)
        else:
            inside = not len(t) or (t.score[0] <= 1 and t.score[-1] >= 0)
            p, weight = kernels.given_to_truth(t.score if inside else t.probability, t.positive, t.negative)
        return validate.frozen(p), validate.frozen(weight)

    @property
    def p(self) -> np.ndarray:
        return self._entries[0]

    @property
    def weight(self) -> np.ndarray:
        """The weight of the cases of each entry."""
        return self._entries[1]

    @cached
    def positive(self) -> np.ndarray:
        """Whether each entry is one of positives."""
        t, rows = self.table, len(self.table)
        if t.positive.ndim == 1 and ((t.positive > 0) != (t.negative > 0)).all():  # an entry for each score
            return t.positive > 0
        return self._there(np.ones(rows, bool), np.zeros(rows, bool))

    @cached
    def squares(self) -> np.ndarray | None:
        """The sum of squared case weights of each entry; None where that is the weight itself."""
        return None if self.table.squares is None else self._there(*self.table.squares)

    @cached
    def of_positive(self) -> np.ndarray:
        """The predicted probability of being positive; of negatives not rounded to 1 - (1 - p)."""
        probability = self.table.probability
        return self._there(probability, probability)

    @cached
    def margin(self) -> np.ndarray:
        """The score, negated for negatives: the distance of a case from 0 on the right side."""
        score = self.table.score.astype(np.float64)
        return self._there(score, 0.0 - score)

    @property
    def _share(self) -> Any:
        return self.table.prior if self._prior is None else self._prior

    @property
    def prior(self) -> Any:
        """The proportion of positives, of replicates one row each."""
        self.depends_on_prior = True
        return self._share[..., None] if np.ndim(self._share) else self._share

    def at_prior(self, prior: float) -> OutcomeProbabilities:
        """The same with another proportion of positives; cached values do not depend on it."""
        new = type(self)(self.table, prior)
        new.__dict__.update({name: self.__dict__[name] for name in CACHED if name in self.__dict__})
        return new

    def log(self, clip: float | None = None) -> np.ndarray:
        """The natural logarithm of p, with p at least `clip`, by default the precision of the scores.

        The last one of a single table is kept, since several losses of a block use it.
        """
        if self.table.positive.ndim > 1:
            return self._log(clip)
        last = self._last_log
        if last is None or last[0] != clip:
            last = self._last_log = clip, validate.frozen(self._log(clip))
        return last[1]

    def _log(self, clip: float | None) -> np.ndarray:
        with np.errstate(divide="ignore"):
            logs: np.ndarray = np.log(np.maximum(self.p, self.table.epsilon if clip is None else clip))
        return logs

    def _there(self, of_positives: np.ndarray, of_negatives: np.ndarray) -> np.ndarray:
        """The entries with cases, of the values of both classes at each score."""
        entries = both_classes(of_positives, of_negatives)
        return entries if self._occurs is True else entries[self._occurs]


CACHED = [name for name, one in vars(OutcomeProbabilities).items() if isinstance(one, cached)]


@dataclass(frozen=True)
class LossSums:
    """The sum of a loss over all cases, and the sums of its powers by class.

    function, parameters: of the loss; prior: the proportion of positives on which it depends, None
    for that of the table.
    """

    function: Callable[..., Any]
    parameters: tuple[tuple[str, Any], ...]
    prior: float | None
    loss: Loss = field(compare=False)

    def part(self, block: Block) -> tuple[float, PowerSums]:
        given = block.given
        values = self.loss(given if self.prior is None else given.at_prior(self.prior))
        return kernels.dot(given.weight, values), given.by_class.sums_of(values)

    def merged(self, table: Any, parts: list[tuple[float, PowerSums]]) -> tuple[float, PowerSums]:
        totals, sums = zip(*parts, strict=True)
        return float(np.add.reduce(totals)), merged(sums)


def sums_of_loss(loss: Loss, prior: float | None = None) -> LossSums:
    """The sums, which are the same for the same function with the same parameters."""
    function, given = (loss.func, loss.keywords) if isinstance(loss, partial) else (loss, {})
    return LossSums(function, tuple(sorted((_defaults(function) | given).items())), prior, loss)


@lru_cache(maxsize=64)
def _defaults(function: Loss) -> dict[str, Any]:
    """The parameters of a loss that have a default."""
    every = signature(function).parameters.values()
    return {one.name: one.default for one in every if one.default is not one.empty}


def both_classes(positive: np.ndarray, negative: np.ndarray) -> np.ndarray:
    """The values of positives and of negatives, interleaved score by score."""
    found = np.empty((*positive.shape, 2), np.result_type(positive, negative))
    found[..., 0], found[..., 1] = positive, negative
    return found.reshape(*positive.shape[:-1], 2 * positive.shape[-1])


def squared_error(given: OutcomeProbabilities) -> Any:
    """(1 - p)^2."""
    return np.square(1 - given.p)


def absolute_error(given: OutcomeProbabilities) -> Any:
    """1 - p."""
    return 1 - given.p


def predicted(given: OutcomeProbabilities) -> Any:
    """The predicted probability of being positive."""
    return given.of_positive


def log_error(given: OutcomeProbabilities, base: float = np.e, clip: float | None = None) -> Any:
    """-log p, with p no smaller than `clip`, by default the precision of the scores."""
    return -given.log(clip) / np.log(base)


def balanced_log_error(
    given: OutcomeProbabilities, alpha: float | None = None, base: float = np.e, clip: float | None = None
) -> Any:
    """-log p, times alpha for positives and 1 - alpha for negatives."""
    return _times(
        _of_classes(given, 1 - given.prior if alpha is None else alpha), log_error(given, base, clip)
    )


def focal_error(
    given: OutcomeProbabilities,
    gamma: float = 2.0,
    alpha: float | None = None,
    base: float = np.e,
    clip: float | None = None,
) -> Any:
    """-(1 - p)^gamma log p."""
    charges = np.power(1 - given.p, gamma) * log_error(given, base, clip)
    return charges if alpha is None else _times(_of_classes(given, alpha), charges)


def _times(factor: Any, charges: Any) -> Any:
    """The product, and 0 where the factor is 0 and the loss infinite."""
    return np.where(factor > 0, factor, 0.0) * np.where(factor > 0, charges, 0.0)


def _of_classes(given: OutcomeProbabilities, alpha: Any) -> Any:
    return np.where(given.positive, alpha, 1 - alpha)


def information(given: OutcomeProbabilities, base: float = np.e, prior: float | None = None) -> Any:
    """log(p / prior of the class) where p is above the prior, else log((1 - prior) / (1 - p))."""
    return information_of(given.p, _of_classes(given, given.prior if prior is None else prior), base)


def information_of(p: Any, own: Any, base: float) -> Any:
    """The same of the probability p of a class whose proportion is `own`."""
    with np.errstate(divide="ignore", invalid="ignore"):
        gained = np.log(np.maximum(p, own) / own)
        lost = np.log((1 - own) / (1 - np.minimum(p, own)))
    return (gained + lost) / np.log(base)


def spherical_reward(given: OutcomeProbabilities) -> Any:
    """p / sqrt(p^2 + (1 - p)^2)."""
    return given.p / np.sqrt(np.square(given.p) + np.square(1 - given.p))


def share_of_probability(given: OutcomeProbabilities) -> Any:
    """The contribution of a case to the difference of the mean probabilities of the two classes."""
    p = np.where(given.positive, given.p, given.p - 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return p / _of_classes(given, given.prior)


def hinge(given: OutcomeProbabilities) -> Any:
    """max(0, 1 - margin)."""
    return np.maximum(0.0, 1 - given.margin)


def missing_information(given: OutcomeProbabilities) -> Any:
    """log2(1 + exp(-margin)) / 2, over the share of the actual class, so that both classes count equally."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.logaddexp(0.0, -given.margin) / (2 * np.log(2) * _of_classes(given, given.prior))


def entropy(prior: Any) -> Any:
    """The entropy of two classes, in nats."""
    shares = np.stack([prior, 1 - np.asarray(prior)])
    terms = -shares * np.log(shares, where=shares > 0, out=np.zeros_like(shares, float))
    return terms[0] + terms[1]
