"""Scores in bins, in bounded memory: tables on which measures have bounds, and counts of batches."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from typing import Any, NamedTuple

import numpy as np

from .. import kernels
from ..input import columns, validate, weighting
from ..input.arguments import WeightKind
from ..input.calls import constructor, public
from ..input.columns import Column
from ..input.errors import InputError
from ..input.labels import BinaryLabels, Coded
from . import passes
from .counts import Counts
from .passes import ORDER, Loss, PowerSums, collect, merged, sums_of_loss
from .ranking import (
    HALF,
    LogitTable,
    RankingTable,
    ScoreTable,
    Squares,
    checked_squares as checked_squares,
    compact as occupied,
)
from .value import cached, equal, scores_of

OF_PROBABILITIES: dict[str, Loss] = {
    loss.__name__: loss
    for loss in (
        passes.absolute_error,
        passes.squared_error,
        passes.log_error,
        passes.focal_error,
        passes.spherical_reward,
    )
}
OF_SCORES: dict[str, Loss] = {loss.__name__: loss for loss in (passes.hinge, passes.missing_information)}
LOSSES = OF_PROBABILITIES | OF_SCORES
LINEAR = {  # in each class, in one of those
    *LOSSES.values(),
    passes.balanced_log_error,
    passes.share_of_probability,
    passes.predicted,
}
SHAPE = (4, 2, ORDER + 1)  # of their sums
EDGES = (0.5,)
PROBES = {False: (0.9, 0.6, 0.35, 0.1), True: (2.0, 0.75, -0.5, -3.0)}  # of losses, as probabilities or not
SAME = 1e-12
NODE = 44  # binary digits of a score that the ends of coarse bins do not have
ALL = 4.0  # more than the mass of all cases


class Bins(NamedTuple):
    """The arrays of a table."""

    low: np.ndarray
    high: np.ndarray
    positive: np.ndarray
    negative: np.ndarray
    squares: Squares | None

    def in_order(self) -> Bins:
        """By descending upper ends, then lower ones, bins with equal ends joined."""
        order = np.lexsort((self.low, self.high))[::-1]
        low, high = self.low[order], self.high[order]
        first = kernels.starts_of_runs(low, high)
        return Bins(low[first], high[first], *self.weights_of(order, first))

    def weights_of(
        self, order: np.ndarray, first: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, Squares | None]:
        """The sums of the weights of bins in this order, from each of these rows to the next."""

        def held(weight: np.ndarray) -> np.ndarray:
            return np.add.reduceat(weight[order], first)

        return held(self.positive), held(self.negative), self.squares and self.squares.each(held)


@constructor
class BinnedTable(ScoreTable):
    """Bins of scores with the weight of the positives and of the negatives in each.

    Parameters
    ----------
    low, high : array of float16, float32 or float64, shape (n,)
        The lowest and the highest score that a bin may hold; bins may overlap, in any order. A bin with equal
        ends is one score.
    positive, negative : array, shape (n,)
        Weights >= 0, as in a `RankingTable`.
    squares : pair of arrays, or None
        The sums of the squared weights in each bin, as in a `RankingTable`.
    losses : mapping of str to PowerSums, optional
        The sums over all cases of losses whose means are measures, by the name of the loss.
    logits : bool
        Whether the scores are logits.

    Raises
    ------
    InputError
        If the arrays are not valid.

    Notes
    -----
    The arrays are read-only and held by descending upper ends, then lower ones. Adds with `+`. Every case has
    a score within the ends of its bin, and no more is known of it. So each measure that never falls where a
    positive scores higher, or a negative lower, lies between its values on two tables (`bracket`); others
    have bounds of their own (`Measure.bounds_of`), or none. Means of losses are exact where `losses` has
    their sums, and counts are exact at thresholds outside the bins, as at `edges` of `compact`. Where all
    ends are equal everything is exact.

    Examples
    --------
    >>> import tallymark as tm
    >>> table = tm.BinnedTable([0.6, 0.1], [0.9, 0.4], positive=[30, 10], negative=[10, 50])
    >>> least, most = table.bracket()
    >>> tm.measures.roc_auc(least), tm.measures.roc_auc(most)
    (0.625, 0.9583333333333334)
    """

    ENTRIES = ("low", "high", *ScoreTable.CELLS)
    FIELDS = (*ENTRIES, "squares", "losses", "kind")
    ROWS = "bins"

    low: np.ndarray
    high: np.ndarray
    losses: Mapping[str, PowerSums]
    kind: type[RankingTable]

    def __init__(
        self,
        low: Any,
        high: Any,
        positive: Any,
        negative: Any,
        squares: Any = None,
        losses: Mapping[str, PowerSums] | None = None,
        logits: bool = False,
    ):
        kind = LogitTable if validate.flag(logits, "logits") else RankingTable
        losses = {} if losses is None else losses
        if not isinstance(losses, Mapping):
            raise InputError(
                "wrong-shape", "losses", f"{validate.shown(losses)} is no mapping of names to sums"
            )
        for name, sums in losses.items():
            validate.choice(name, LOSSES, "losses")
            if not (
                isinstance(sums, PowerSums) and sums.sums.shape == SHAPE and len(sums.centre) == SHAPE[1]
            ):
                raise InputError(
                    "wrong-shape",
                    "losses",
                    f"{name}: {validate.shown(sums)} is no PowerSums of two classes",
                    "take the losses of another table",
                )
        self._set(*_checked(low, high, positive, negative, squares), losses, kind)

    @classmethod
    def from_table(cls, table: RankingTable, losses: Iterable[str] | None = None) -> BinnedTable:
        """Make a table with a bin for each score, in which everything is exact.

        Parameters
        ----------
        table : RankingTable
            The cases; of a `LogitTable` the bins are of logits.
        losses : iterable of str, optional
            The names of the losses whose sums are collected; by default all that the scores have.
        """
        names = (LOSSES if table.in_unit_interval else OF_SCORES) if losses is None else losses
        wanted = {name: sums_of_loss(LOSSES[name], HALF) for name in names}
        collect(table, wanted.values())
        sums = {name: table.kept[one][1] for name, one in wanted.items()}
        bins = Bins(table.score, table.score, table.positive, table.negative, table.squares)
        new = cls.of(*bins, sums, type(table))
        new.__dict__["ranking"] = table
        return new

    @classmethod
    @public()
    def from_arrays(
        cls,
        *,
        truth: Any,
        score: Any,
        weight: Any = None,
        positive: Any = None,
        weight_kind: WeightKind | None = None,
        classes: Sequence[Any] | None = None,
        bins: int = 65_536,
        edges: Sequence[float] = EDGES,
    ) -> BinnedTable:
        """Make a table of arrays.

        Parameters
        ----------
        truth, score, weight, positive, weight_kind, classes
            As of `RankingTable.from_arrays`.
        bins : int, default 65536
            The largest number of bins.
        edges : sequence of float, default (0.5,)
            Thresholds at which the counts stay exact.

        Raises
        ------
        InputError
            For arrays that `RankingTable.from_arrays` refuses, and fewer bins than the edges need.
        """
        table = RankingTable.from_arrays(
            truth=truth,
            score=score,
            weight=weight,
            positive=positive,
            weight_kind=weight_kind,
            classes=classes,
        )
        return cls.from_table(table).compact(bins, edges)

    @classmethod
    def joined(cls, tables: Iterable[BinnedTable | RankingTable]) -> BinnedTable:
        """Make the table of all cases of several, by one sort; bins with equal ends are joined.

        Parameters
        ----------
        tables : iterable of BinnedTable or RankingTable
            Of scores of one type, all of them logits or none. Losses whose sums one of them lacks are left
            out. None give an empty table.

        Raises
        ------
        InputError
            Where the scores differ in type or kind, and for more cases than a float64 counts.
        """
        every = [cls.from_table(one) if isinstance(one, RankingTable) else one for one in tables]
        some = [one for one in every if len(one)] or every[:1] or [cls.from_table(RankingTable.empty())]
        first = some[0]
        if len(some) == 1:
            return first
        other = next((one for one in some if one._scores != first._scores), None)
        if other is not None:
            raise InputError(
                "mismatch",
                "score",
                f"one table holds {first._scores} and another {other._scores}",
                "make both in one way",
            )
        known = set.intersection(*(set(one.losses) for one in some))
        losses = {name: merged([one.losses[name] for one in some]) for name in first.losses if name in known}
        squares = None
        if any(one.squares is not None for one in some):
            each = zip(*(one.squared for one in some), strict=True)
            squares = Squares(*(np.concatenate(part).astype(np.float64) for part in each))
        low, high, positive, negative = (
            np.concatenate([getattr(one, name) for one in some]) for name in cls.ENTRIES
        )
        if positive.dtype.kind != "f":
            weighting.countable("positive, negative", sum(one.total for one in some))
        return cls.of(*Bins(low, high, positive, negative, squares).in_order(), losses, first.kind)

    @classmethod
    def _family(cls) -> Any:
        return BinnedTable, RankingTable

    @public()
    def compact(self, bins: int, edges: Sequence[float] = EDGES) -> BinnedTable:
        """The table with neighbouring bins joined, so that at most `bins` are left.

        First neighbours of one class are joined, which leaves the ROC curve exact; where that is not enough,
        bins of about the same share of both classes; a bin with a larger share stays as it is.

        Parameters
        ----------
        bins : int
            The largest number of bins.
        edges : sequence of float, default (0.5,)
            Thresholds at which the counts stay exact: no bins below and above one of them are joined.

        Raises
        ------
        InputError
            For fewer bins than the edges need: the square of their number and one more, at least 4.
        """
        at = np.sort(validate.scores(columns.read(edges, "edges"))).astype(self.low.dtype)
        bins = validate.whole(bins, "bins", max(len(at) + 1, 2) ** 2, np.inf)
        if len(self) <= bins:
            return self
        sides = [np.searchsorted(at, ends, "right") for ends in (self.high, self.low)]
        order = np.arange(len(self))
        if (sides[0] != sides[1]).any():  # there are bins across an edge
            order = np.lexsort((self.low, self.high, sides[1], sides[0]))[::-1]
        low, high, positive, negative = (getattr(self, name)[order] for name in self.ENTRIES)
        cut = kernels.changes(*(one[order] for one in sides))
        mass, mixed = self._above(order)
        urgent = np.where(cut, np.inf, mass + ALL * mixed)
        if self.exact and np.count_nonzero(urgent >= ALL) > bins:
            apart = cut | _apart(low, high)  # begins a set of overlapping bins, on one side of each edge
            part = np.flatnonzero(apart)
            classes = [np.add.reduceat(weight, part) > 0 for weight in (positive, negative)]
            runs = part[cut[part] | kernels.changes(*classes) | (classes[0] & classes[1])]
            if len(runs) <= bins:
                urgent = np.where(apart, mass, -1.0)
                urgent[runs] = np.inf
        first = np.sort(np.argpartition(-urgent, bins - 1)[:bins])
        first = first[urgent[first] >= 0]
        low, high = np.minimum.reduceat(low, first), np.maximum.reduceat(high, first)
        left = Bins(low, high, *self._bins.weights_of(order, first))
        return self.of(*left.in_order(), self.losses, self.kind)

    def coarse(self, fewest: int, edges: Sequence[float]) -> BinnedTable:
        """The counts in wider bins of so many cases or more, whose ends are no scores.

        Ends are numbers of eight binary digits, and the sums of losses are left out. At the edges, which are
        0 or powers of 2, counts stay exact if there are as many cases on both sides.
        """
        kind, inside = self.low.dtype, self.in_unit_interval
        low = _at_node(_node(self.low)).astype(kind)
        with np.errstate(invalid="ignore", over="ignore"):  # above infinity there is no number
            high = np.nextafter(_at_node(_node(self.high) + 1).astype(kind), kind.type(-np.inf))
        low = np.where(low <= self.low, low, self.low)  # nor between the smallest of the type
        high = np.where(high >= self.high, high, self.high)
        if inside:
            high = np.minimum(high, kind.type(1))
        fine = Bins(low, high, self.positive, self.negative, self.squares).in_order()
        sizes, side = fine.positive + fine.negative, np.searchsorted(edges, fine.low, "right")
        starts = np.zeros(0, np.int64)
        for part in np.split(np.arange(len(sizes)), np.flatnonzero(np.diff(side)) + 1):
            before = np.cumsum(sizes[part]) - sizes[part]
            # two windows of so many cases hold as many, wherever the scores in them begin
            of_part = part[np.unique(before // fewest, return_index=True)[1]][::2]
            enough = sizes[of_part[-1] : part[-1] + 1].sum() >= fewest
            starts = np.append(starts, of_part if enough else of_part[:-1])
        starts = np.unique(np.append(0, starts))
        if len(starts) > 1 and sizes[: starts[1]].sum() < fewest:
            starts = np.delete(starts, 1)
        ends = np.minimum.reduceat(fine.low, starts), np.maximum.reduceat(fine.high, starts)
        return self.of(*ends, *fine.weights_of(np.arange(len(sizes)), starts), {}, self.kind)

    def with_others(self, others: BinnedTable, edges: np.ndarray) -> BinnedTable:
        """The sum of both tables of counts, in the memory of one.

        What others hold is joined to a bin of both classes between the same edges, which hold one bin each.
        """
        none = len(self)
        mixed = (self.positive > 0) & (self.negative > 0)
        at_edges = np.full(len(edges) + 1, none)
        at_edges[np.searchsorted(edges, self.low, "right")] = np.where(mixed, np.arange(none), none)
        first, last = (np.searchsorted(edges, ends, "right") for ends in (others.low, others.high))
        place = np.where(first == last, at_edges[first], none)
        inside = place < none
        squared = self.squares is not None or others.squares is not None
        both = [(*one._bins[:4], *(one.squared if squared else ())) for one in (self, others)]
        own = [np.array(part, np.result_type(part, more)) for part, more in zip(*both, strict=True)]
        rest = [part[~inside] for part in both[1]]
        joined = np.minimum, np.maximum, *4 * [np.add]
        for part, join, more in zip(own, joined, both[1], strict=False):
            join.at(part, place[inside], more[inside])
        known = {
            name: merged([one, others.losses[name]])
            for name, one in self.losses.items()
            if name in others.losses
        }
        tables = []
        for low, high, positive, negative, *squares in (own, rest):
            bins = Bins(low, high, positive, negative, Squares(*squares) if squares else None)
            tables.append(self.of(*bins, {}, self.kind))
        return self.of(*self.joined(tables)._bins, known, self.kind)

    def _above(self, order: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Of the smallest node of the tree with a bin and the one before: its mass, and whether it is mixed.

        The mass is the sum of the shares of both classes. Nodes are intervals of all floating-point numbers,
        each cut in the middle, so that bins of different tables lie apart or within one another.
        """
        key = _rank(self.high)
        after, before = key[order], key[order][np.maximum(np.arange(len(order)) - 1, 0)]
        inside = after ^ before
        for shift in (1, 2, 4, 8, 16, 32):
            inside |= inside >> np.uint64(shift)
        ends = (
            np.searchsorted(key[::-1], after | inside, "right"),
            np.searchsorted(key[::-1], after & ~inside),
        )
        top, bottom = (len(key) - end for end in ends)
        classes = self.positive, self.negative
        shares = (_between(weight / max(weight.sum(), 1), top, bottom) for weight in classes)
        mixed = [_between((weight > 0).astype(float), top, bottom) > 0 for weight in classes]
        return np.add(*shares), mixed[0] & mixed[1]

    def bracket(self) -> tuple[RankingTable, RankingTable]:
        """The least and the most favourable order of the cases within their bins.

        Returns
        -------
        tuple of RankingTable
            The first table has positives at the lower end of each bin and negatives at the upper one, the
            second has the reverse. The ROC curve of the cases lies between theirs (each threshold of the
            first has as many positives or fewer, and as many negatives or more), but a precision may not.
        """
        return self._bracket

    @cached
    def _bracket(self) -> tuple[RankingTable, RankingTable]:
        return self.placed(self.low, self.high), self.placed(self.high, self.low)

    def placed(self, of_positives: np.ndarray, of_negatives: np.ndarray) -> RankingTable:
        """The table with other scores of the cases.

        Parameters
        ----------
        of_positives, of_negatives : array, shape (n,)
            The score of the positives and that of the negatives in each bin.
        """
        rows = np.flatnonzero(self.positive), np.flatnonzero(self.negative)
        score = np.concatenate([of_positives[rows[0]], of_negatives[rows[1]]])
        order = np.argsort(score, kind="stable")[::-1]
        first = kernels.starts_of_runs(score[order])

        def both(weights: Squares) -> Squares:
            yes, no = (weight[of_class] for weight, of_class in zip(weights, rows, strict=True))
            each = Squares(np.append(yes, np.zeros_like(no)), np.append(np.zeros_like(yes), no))
            return each.each(lambda weight: np.add.reduceat(weight[order], first))

        positive, negative = both(Squares(self.positive, self.negative))
        return self.kind.of(score[order][first], positive, negative, self.squares and both(self.squares))

    @cached
    def middle(self) -> RankingTable:
        """The table with each case at the middle of its bin, or at the lower end if there is none."""
        with np.errstate(invalid="ignore"):
            middle = self.low + (self.high / 2 - self.low / 2)
        return self.placed(*[np.where(np.isnan(middle), self.low, middle)] * 2)

    @cached
    def ranking(self) -> RankingTable:
        """Overlapping bins joined, each at its lower end: at these thresholds the counts are exact."""
        low = np.minimum.reduceat(self.low, self._parts)
        return self.kind.of(low, *self._bins.weights_of(np.arange(len(self)), self._parts))

    @property
    def _bins(self) -> Bins:
        return Bins(*self._fields()[:5])

    @cached
    def _parts(self) -> np.ndarray:
        """The first bins of sets of overlapping ones."""
        return np.flatnonzero(_apart(self.low, self.high))

    @cached
    def single(self) -> bool:
        """Whether every bin is one score, so that every measure is exact."""
        return self.low is self.high or bool((self.low == self.high).all())

    @cached
    def exact(self) -> bool:
        """Whether the order of each positive and each negative is known, so that the ROC curve is exact."""
        one_class = (self.ranking.positive == 0) | (self.ranking.negative == 0)
        highest = np.maximum.reduceat(self.high, self._parts)
        return self.single or bool((one_class | (self.ranking.score == highest)).all())

    @cached
    def in_unit_interval(self) -> bool:
        """Whether every score may be a probability."""
        if not len(self):
            return True
        ends = np.array([self.high[0], self.ranking.score[-1]])
        return bool(self.kind.of(ends, np.ones(2), np.ones(2)).in_unit_interval)

    def counts_at(self, threshold: float, sign: int = 1) -> Counts:
        """The counts where score >= threshold is predicted positive.

        Parameters
        ----------
        threshold : float
            In the units of the scores; rounded to their type.
        sign : {1, -1}, default 1
            -1 where the table holds the scores negated, since lower ones are positive.

        Raises
        ------
        InputError
            For a threshold inside a bin; the message has those next to it that have exact counts.
        """
        with np.errstate(over="ignore"):  # infinity for a threshold beyond float32
            limit = self.low.dtype.type(sign * validate.threshold(threshold))
        inside = np.flatnonzero((self.low < limit) & (limit <= self.high))
        if not len(inside):
            return self.ranking.counts_at(limit)
        ends = sorted(sign * float(ends[inside[0]]) for ends in (self.low, self.high))
        known = self.ranking.thresholds
        near = (sign * one for one in (known[known >= limit][-1], known[known < limit][0]))
        take = " or ".join(str(one) for one in near if np.isfinite(one))
        raise InputError(
            "no-result",
            "threshold",
            f"{threshold:g} lies inside the bin of scores from {ends[0]:g} to {ends[1]:g}, so that its counts"
            " are not known",
            f"make it an edge of the bins{', or take ' * bool(take)}{take}",
            value=threshold,
        )

    def sums_of(self, loss: Loss, prior: float | None = None) -> PowerSums | None:
        """The sums of the powers of a loss over all cases, which `ranking` keeps for exact means.

        Parameters
        ----------
        loss : function of OutcomeProbabilities
            In each class it is a linear function of a loss in `losses`.
        prior : float, optional
            The proportion of positives on which the loss may depend; by default that of the table.

        Returns
        -------
        PowerSums or None
            Negatives first; None where they do not follow from `losses`.
        """
        key = sums_of_loss(loss, prior)
        if key.function not in LINEAR or dict(key.parameters).get("clip") is not None:
            return None
        inside = self.kind is RankingTable and self.in_unit_interval
        probe = self.kind.of(np.array(PROBES[not inside], self.low.dtype), *np.ones((2, 4)))
        prior = float(self.ranking.prior) if prior is None else prior
        wanted = np.reshape(loss(probe.given.at_prior(prior)), (4, 2))[:, ::-1]
        for name, sums in self.losses.items():
            held = np.reshape(LOSSES[name](probe.given.at_prior(HALF)), (4, 2))[:, ::-1]
            factor = (wanted[0] - wanted[-1]) / (held[0] - held[-1])
            constant = wanted[0] - factor * held[0]
            if np.allclose(wanted, constant + factor * held, rtol=SAME, atol=SAME):
                known = sums.linear(factor, constant + factor * sums.centre)
                self.ranking.kept[key] = known.total, known
                return known
        return None

    def turned(self) -> BinnedTable:
        """The same cases with their scores negated, without the sums of losses."""
        bins = self._bins._replace(low=0.0 - self.high, high=0.0 - self.low)
        return self.of(*bins.in_order(), {}, self.kind)

    def scaled(self, of_positives: float, of_negatives: float) -> BinnedTable:
        """The table with other weights, as importance weights.

        Parameters
        ----------
        of_positives, of_negatives : float
            Factors of the weights of each class.
        """
        positive, negative = self.squared
        squares = Squares(positive * of_positives**2, negative * of_negatives**2)
        factors = np.array([of_negatives, of_positives])
        losses = {name: one.weighted(factors) for name, one in self.losses.items()}
        weights = self.positive * float(of_positives), self.negative * float(of_negatives)
        return self.of(self.low, self.high, *weights, squares, losses, self.kind)

    def _scaled(self, factor: Any, of_squares: Any) -> BinnedTable:
        unit = 1.0 if self.squares is None else of_squares / factor  # there are factor / unit times as many
        losses = {name: one.weighted(unit, factor / unit) for name, one in self.losses.items()}
        return super()._scaled(factor, of_squares)._changed(lambda weight: weight, losses=losses)

    @cached
    def as_cases(self) -> BinnedTable:
        """The bins with weights that add up to the effective number of cases."""
        total, cases = float(self.ranking.total), float(self.ranking.as_cases.total)
        return self if total == cases else self.scaled(cases / total, cases / total)

    @property
    def _scores(self) -> str:
        """The kind of the scores in words."""
        return f"{self.low.dtype.name} {'logits' if self.kind is LogitTable else 'scores'}"

    def __len__(self) -> int:
        """The number of bins."""
        return len(self.low)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, BinnedTable)
            and other._scores == self._scores
            and equal(self._fields()[:5], other._fields()[:5])
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (*self._columns.values(), self.squares, self.losses, self.kind is LogitTable)

    def to_dict(self) -> dict[str, Any]:
        """Lists and the type of the scores; infinite scores as the text "inf" or "-inf"."""
        losses = {
            name: {"centre": one.centre.tolist(), "sums": one.sums.tolist(), "unit": one.unit}
            for name, one in self.losses.items()
        }
        return {**super().to_dict(), "losses": losses, "logits": self.kind is LogitTable}

    @classmethod
    def from_dict(cls, table: dict[str, Any]) -> BinnedTable:
        """Make the summary from the result of `to_dict`."""
        low, high = (scores_of(table, name) for name in ("low", "high"))
        losses = {
            name: PowerSums(np.array(one["centre"], float), np.array(one["sums"], float), float(one["unit"]))
            for name, one in table["losses"].items()
        }
        return cls(
            low, high, table["positive"], table["negative"], table.get("squares"), losses, table["logits"]
        )


def _checked(low: Any, high: Any, positive: Any, negative: Any, squares: Any) -> Bins:
    """The arrays in their order. Raises InputError where they are not valid."""
    low, high = (validate.scores(columns.read(part, role)) for part, role in ((low, "low"), (high, "high")))
    low, high = (part.astype(np.result_type(low, high)) for part in (low, high))
    roles = (("positive", positive), ("negative", negative))
    weights = [np.array(validate.cell(validate.plain_array(part, role), role)) for role, part in roles]
    if not low.shape == high.shape == weights[0].shape == weights[1].shape:
        raise InputError(
            "wrong-shape",
            "low, high, positive, negative",
            "one lower end, one upper end and one weight of each class are needed per bin",
        )
    if not (low <= high).all():
        row = int(np.argmin(low <= high))
        raise InputError(
            "invalid-value",
            "low, high",
            f"bin {row} begins at {low[row]:g} and ends at {high[row]:g}",
            "give the lower end first",
        )
    held = None if squares is None else Squares(*checked_squares(squares, (2, *low.shape), "squares"))
    row, *parts = occupied((np.arange(len(low)), *weights), held, held is None)
    return Bins(low[row], high[row], *parts).in_order()


def _apart(low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Whether all bins before lie above this one."""
    apart = np.ones(len(low), bool)
    apart[1:] = high[1:] < np.minimum.accumulate(low)[:-1]
    return apart


def _rank(score: np.ndarray) -> np.ndarray:
    """The place of each number among all of float64, in ascending order."""
    bits = (score.astype(np.float64) + 0.0).view(np.uint64)
    sign = np.uint64(1 << 63)
    return np.where(bits & sign, ~bits, bits | sign)


def _node(score: np.ndarray) -> np.ndarray:
    """The last of the numbers of eight binary digits up to each score, counted from 0."""
    bits = np.abs(score.astype(np.float64)).view(np.int64)
    return np.where(score < 0, -bits, bits) >> NODE


def _at_node(node: np.ndarray) -> np.ndarray:
    """The number of eight binary digits in this place."""
    bits = node << NODE
    return np.copysign(np.abs(bits).view(np.float64), bits)


def _between(values: np.ndarray, first: np.ndarray, last: np.ndarray) -> np.ndarray:
    """The sums of the values from each of these entries up to another one."""
    sums = np.append(0.0, np.cumsum(values))
    return sums[last] - sums[first]


BYTES = 64  # of memory for each distinct score, with what adding and measuring need
MOST = 1 << 19  # bins: more do not fit the caches
SMOOTHED = 32  # cases of a class, over which its mass is spread evenly: single positives make no bins
HEAVY = 16  # times the mean weight of a score
LARGEST_COUNT = 1 << 31
ROWS = 1 << 15  # whose losses fit into the cache
STRETCH = 1 << 18  # rows that a thread takes at once
ONES, CLASSES = np.ones((1, ROWS)), np.repeat([[0, 1], [1, 0]], ROWS, axis=1)  # weights; of negatives first
CROWDED = 0.05  # a bin with this part of a batch is too wide for it


class BinCounts:
    """Bins of equal mass in both classes, and the cases counted in them so far.

    before: the cases of the table that shows where bins are needed, with neighbouring scores joined: in about
    this number of bins at most, none across one of the edges. Later scores between two edges are in one bin,
    from the one edge to the last number before the other.
    """

    def __init__(self, table: RankingTable | BinnedTable, bins: int, edges: Sequence[float]):
        names = OF_PROBABILITIES if table.in_unit_interval else OF_SCORES
        if isinstance(table, BinnedTable):
            before = table.compact(bins, edges)
        else:
            before = BinnedTable.from_table(table, names)
        kind, many = before.low.dtype.type, isinstance(table, RankingTable) and len(table) > bins
        if many:
            quantiles, alone = _quantiles(before.ranking, bins)
        else:
            quantiles, alone = before.low, before.high[before.low == before.high]
        fixed = np.concatenate([alone, np.nextafter(alone, kind(np.inf)), np.array(edges, kind)])
        low = kernels.distinct(np.append(fixed, quantiles))
        low = low[np.isfinite(low)]
        may_move = many & ~np.isin(low, fixed)
        self.between = kernels.Between(np.append(kind(-np.inf), low), may_move)
        self.low = self.between.edges
        if many:
            vars(before.ranking).pop("given", None)  # it refers to the table, a cycle that would hold it
            before = BinnedTable.of(*_joined(before.ranking, self.low, bins // 4), before.losses, before.kind)
        self.before, self.kind = before, before.kind
        self._begin([name for name in names if name in before.losses])

    def _begin(self, losses: Iterable[str]) -> None:
        kind = self.low.dtype.type
        self.known = np.zeros((2, len(self.low)), np.int64)  # of negatives, of positives, and any squares
        self.counts: list[np.ndarray] = []  # those not yet known, of each thread
        self.rows, self.ends = 0, (kind(np.inf), kind(-np.inf))
        self.losses: dict[str, list[PowerSums]] = {name: [] for name in losses}

    def again(self) -> BinCounts:
        """The same bins for further cases, without those counted so far."""
        new = copy(self)
        new._begin(self.losses)
        return new

    @property
    def empty(self) -> bool:
        """Whether no case was counted here."""
        return not (self.rows or self.known.any())

    def takes(self, score: np.ndarray) -> bool:
        """Whether the bins are narrow where these scores are."""
        if score.dtype != self.low.dtype or not len(score):
            return False
        some = score[:: max(len(score) // 512, 1)]
        places = np.searchsorted(self.low, some, "right") - 1
        place, times = np.unique(places, return_counts=True)
        wide = np.append(self.low, np.inf)[place + 1] > np.nextafter(self.low[place], np.inf)
        return bool((times[wide] <= max(CROWDED * len(some), 2)).all())

    def count(self, labels: BinaryLabels, coded: Coded, score: Column) -> None:
        """Counts the cases of a batch, without weights. Raises InputError as `RankingTable.from_coded`."""
        truth, codes, positive = coded
        numbers = validate.scores(score)
        self._reach(numbers.min(), numbers.max())
        if self.rows + len(numbers) >= LARGEST_COUNT:
            self._carry()
        self.rows += len(numbers)
        starts = range(0, len(numbers), STRETCH)

        def of_stretch(i: int) -> Any:
            rows = slice(starts[i], starts[i] + STRETCH)
            split = kernels.split(codes[rows], numbers[rows], positive)
            return split and (len(split[0]), split[2], self._counted(split[1], split[0]))

        found = kernels.each(of_stretch, len(starts))
        negatives = {one[1] for one in found if one and one[1] is not None}
        if not all(found) or len(negatives) > 1:
            validate.no_gaps(score)
            labels.refuse(truth, score=score)
        for name, known in self.losses.items():
            known[:] = [merged([*known, *(one[name] for *_, some in found for one in some)])]
        labels.learn(truth, next(iter(negatives), None), any(one[0] for one in found))

    def add(self, table: RankingTable) -> None:
        """Counts the cases of a batch with weights."""
        self._reach(table.score[-1], table.score[0])
        if table.squares is not None and len(self.known) == 2:
            self.known = np.concatenate([self.known, self.known])  # all weights so far are 1
        place = np.searchsorted(self.low, table.score, "right") - 1
        weights = (table.negative, table.positive, *table.squared[::-1])[: len(self.known)]
        self.known = self.known + [
            np.bincount(place, weight, len(self.low)).astype(weight.dtype) for weight in weights
        ]
        losses = BinnedTable.from_table(table, self.losses).losses
        vars(table).pop("given", None)  # a cycle, which would hold both until the garbage is collected
        self.losses = {name: [merged([*known, losses[name]])] for name, known in self.losses.items()}

    def _reach(self, low: Any, high: Any) -> None:
        """Widens the range of the scores, of which those outside [0, 1] have other losses."""
        self.ends = min(self.ends[0], low), max(self.ends[1], high)
        if not self.kind.of(np.array(self.ends[::-1]), np.ones(2), np.ones(2)).in_unit_interval:
            self.losses = {name: one for name, one in self.losses.items() if name in OF_SCORES}

    def _counted(self, *of_class: np.ndarray) -> list[dict[str, PowerSums]]:
        """Counts scores of negatives and of positives. The sums of their losses, block by block."""
        try:
            counts = self.counts.pop()  # in one step: no other thread gets the same
        except IndexError:
            counts = np.zeros_like(self.known, np.uint32)
        for of_one, score in zip(counts, of_class, strict=True):
            self.between.count(score, of_one)
        self.counts.append(counts)
        score, first = np.concatenate(of_class), len(of_class[0])
        return [
            self._sums_of(score[i : i + ROWS], first - i) for i in range(0, len(score), ROWS) if self.losses
        ]

    def _sums_of(self, score: np.ndarray, negatives: int) -> dict[str, PowerSums]:
        """The sums of the losses of a block, which begins with so many negatives."""
        size, negatives = len(score), min(max(negatives, 0), len(score))
        classes = [one[ROWS - negatives :][:size] for one in CLASSES]
        table, starts = self.kind.of(score, *classes), np.array([0, negatives])
        given = table.given.at_prior(HALF)

        def sums_of(name: str) -> PowerSums:
            mean, unit, sums = kernels.powers(LOSSES[name](given), ONES[:, :size], starts)
            return PowerSums(mean, sums, unit)

        result = {name: sums_of(name) for name in self.losses}
        vars(table).pop("given")  # a cycle, which would hold both until the garbage is collected
        return result

    def _carry(self) -> None:
        for counts in self.counts:
            self.known += counts
        self.counts, self.rows = [], 0

    def table(self, others: RankingTable | BinnedTable | None = None) -> BinnedTable:
        """The cases that were counted here, and others."""
        self._carry()
        negative, positive = self.known[:2]
        there = np.flatnonzero(positive + negative)[::-1]
        high = np.append(np.nextafter(self.low[1:], self.low.dtype.type(-np.inf)), self.ends[1])
        low, high = np.maximum(self.low[there], self.ends[0]), np.minimum(high[there], self.ends[1])
        losses = {
            name: PowerSums(one.centre, np.broadcast_to(one.sums, SHAPE), one.unit)
            for name, known in self.losses.items()
            for one in known
        }
        squares = Squares(*self.known[:1:-1, there]) if len(self.known) > 2 else None
        bins = Bins(low, high, positive[there], negative[there], squares)
        counted = BinnedTable.of(*bins, losses, self.kind)
        return counted if others is None else counted.with_others(BinnedTable.joined([others]), self.low)


def _quantiles(table: RankingTable, bins: int) -> tuple[np.ndarray, np.ndarray]:
    """Scores between which is equal mass in both classes, and heavy scores."""
    rows, marks = len(table), [_marks(one) for one in (table.positive, table.negative) if one.any()]
    every = kernels.distinct(np.concatenate([at for at, _ in marks]))
    mass = np.add.reduce([np.interp(every, *one) for one in marks])
    at = np.interp(np.linspace(0, mass[-1], bins, endpoint=False), mass, every).astype(np.int64)
    weight = table.positive + table.negative
    return table.score[at], table.score[weight > max(4 / bins, HEAVY / rows) * weight.sum()]


def _marks(weight: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows between which about `SMOOTHED` cases of a class lie, and the part of its weight up to each."""
    sums = np.add.accumulate(weight, dtype=np.float64)
    step = SMOOTHED * sums[-1] / np.count_nonzero(weight)
    rows = kernels.distinct(np.append(np.searchsorted(sums, np.arange(step, sums[-1], step)), len(sums) - 1))
    return np.append(-1, rows), np.append(0.0, sums[rows] / sums[-1])


def _joined(table: RankingTable, edges: np.ndarray, most: int) -> Bins:
    """The scores between edges, in bins that end where a run of a class does, if there are no more runs."""
    positive, both = table.positive > 0, (table.positive > 0) & (table.negative > 0)
    runs = np.flatnonzero(np.append(True, (positive[1:] != positive[:-1]) | both[1:] | both[:-1]))
    first = np.append(
        len(table) - np.searchsorted(table.score[::-1], edges), runs if len(runs) <= most else [0]
    )
    first = kernels.distinct(first).astype(np.int64)
    first = first[first < len(table)]
    of_first = table.grouped(first)
    low = table.score[np.append(first[1:], len(table)) - 1]
    return Bins(low, of_first.score, of_first.positive, of_first.negative, of_first.squares)
