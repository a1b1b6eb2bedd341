"""A ranking table in bounded memory: cases in bins of the score, on which measures have certified bounds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from ..input import columns, validate
from ..input.calls import constructor, public
from ..input.errors import InputError
from . import case_losses
from .cached import cached
from .counts import Counts
from .logits import LogitTable
from .outcome_probabilities import Loss, sums_of_loss
from .passes import collect
from .power_sums import ORDER, PowerSums, merged
from .ranking import HALF, RankingTable
from .rows import SCORE_TYPES
from .squares import Squares
from .value import Value

OF_PROBABILITIES: dict[str, Loss] = {
    loss.__name__: loss
    for loss in (
        case_losses.absolute_error,
        case_losses.squared_error,
        case_losses.log_error,
        case_losses.focal_error,
        case_losses.spherical_reward,
    )
}
OF_SCORES: dict[str, Loss] = {
    loss.__name__: loss for loss in (case_losses.hinge, case_losses.missing_information)
}
LOSSES = OF_PROBABILITIES | OF_SCORES
EDGES = (0.5,)


@constructor
class BinnedTable(Value):
    """Bins of scores with the weight of the positives and of the negatives in each.

    Parameters
    ----------
    low, high : array of float32 or float64, shape (n,)
        The lowest and the highest score of a bin; bins may overlap. A bin with equal ends is one score.
    positive, negative : array, shape (n,)
        Weights >= 0, as of a `RankingTable`.
    squares : pair of arrays, or None
        The sums of the squared weights in each bin, as of a `RankingTable`.
    losses : mapping of str to PowerSums
        The sums over all cases of the losses whose means are measures, by the name of the loss.
    logits : bool
        Whether the scores are logits.

    Raises
    ------
    InputError
        If the arrays are not valid.

    Notes
    -----
    Adds with `+`. Every score lies within the ends of its bin, in no order that is known; so the measures of
    the cases lie between those of two tables (`bracket`), if they depend on the ROC curve alone and rise with
    it, and bounds of other measures are derived for each. Where all ends are equal, everything is exact.
    """

    said_of_it = "A BinnedTable is"
    ENTRIES = ("low", "high", "positive", "negative")

    low: np.ndarray
    high: np.ndarray
    positive: np.ndarray
    negative: np.ndarray
    squares: Squares | None
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
        self._set(*_checked(low, high, positive, negative, squares), dict(losses or {}), _kind_of(logits))

    def _set(self, low, high, positive, negative, squares, losses, kind) -> None:  # type: ignore[no-untyped-def]
        for array in (low, high, positive, negative, *(squares or ())):
            array.setflags(write=False)
        self.__dict__.update(
            low=low,
            high=high,
            positive=positive,
            negative=negative,
            squares=squares,
            losses=losses,
            kind=kind,
        )

    @classmethod
    def of(cls, *parts: Any) -> BinnedTable:
        """A table of valid arrays in the order of the class, that nothing else uses."""
        new = object.__new__(cls)
        new._set(*parts)
        return new

    @classmethod
    def from_table(cls, table: RankingTable, losses: Iterable[str] | None = None) -> BinnedTable:
        """A bin for each score.

        losses: the names of those whose sums are collected, by default of all that the scores have.
        """
        names = (LOSSES if table.in_unit_interval else OF_SCORES) if losses is None else losses
        wanted = {name: sums_of_loss(LOSSES[name], HALF) for name in names}
        collect(table, wanted.values())
        sums = {name: table.kept[one][1] for name, one in wanted.items()}
        return cls.of(
            table.score, table.score, table.positive, table.negative, table.squares, sums, type(table)
        )

    @classmethod
    @public()
    def from_arrays(cls, *, bins: int = 65_536, edges: Sequence[float] = EDGES, **arrays: Any) -> BinnedTable:
        """A table of arrays, as `RankingTable.from_arrays` takes them, in at most this number of bins.

        bins, edges: as of `compact`.
        """
        return cls.from_table(RankingTable.from_arrays(**arrays)).compact(bins, edges)

    @classmethod
    def joined(cls, tables: Sequence[BinnedTable | RankingTable]) -> BinnedTable:
        """The table of all cases of several, by one sort; bins with equal ends are joined."""
        some = [one if isinstance(one, cls) else cls.from_table(one) for one in tables]
        some = [one for one in some if len(one)] or some[:1]
        first = some[0]
        if len(some) == 1:
            return first
        for other in some[1:]:
            if other.kind is not first.kind or other.low.dtype != first.low.dtype:
                raise InputError(
                    "mismatch",
                    "score",
                    f"one table holds {first._scores} and the other {other._scores}",
                    "make both in one way",
                )
        known = set.intersection(*(set(one.losses) for one in some))
        losses = {name: merged([one.losses[name] for one in some]) for name in first.losses if name in known}
        squares = None
        if any(one.squares is not None for one in some):
            each = [one.squares or Squares(one.positive, one.negative) for one in some]
            squares = Squares(*(np.concatenate(part).astype(np.float64) for part in zip(*each, strict=True)))
        arrays = (
            np.concatenate([getattr(one, name) for one in some])
            for name in ("low", "high", "positive", "negative")
        )
        return cls.of(*_in_order(*arrays, squares), losses, first.kind)

    def __add__(self, other: Any) -> BinnedTable:
        if not isinstance(other, (BinnedTable, RankingTable)):
            return self if isinstance(other, int) and other == 0 else NotImplemented  # sum() starts at 0
        return self.joined((self, other))

    __radd__ = __add__

    def compact(self, bins: int, edges: Sequence[float] = EDGES) -> BinnedTable:
        """The table with neighbouring bins joined, so that at most `bins` are left; none across an edge."""
        bins = validate.whole(bins, "bins", 2 * (len(edges) + 1), 1 << 40)
        if len(self) <= bins:
            return self
        side = [np.searchsorted(np.sort(edges), ends, "right") for ends in (self.high, self.low)]
        order = np.lexsort((-self.low, -self.high, -side[1], -side[0]))
        breaks = np.append(True, np.any([np.diff(one[order]) != 0 for one in side], axis=0))
        mass = sum(part[order] / max(part.sum(), 1) for part in (self.positive, self.negative))
        before = np.cumsum(mass) - mass

        def starts(width: float) -> np.ndarray:
            heavy = mass > width
            new = np.append(True, np.diff(np.floor(before / width)) != 0)
            new[1:] |= heavy[1:] | heavy[:-1]
            return np.flatnonzero(new | breaks)

        narrow, wide = 0.0, 4.0
        while wide - narrow > 1e-3 * wide:
            middle = (narrow + wide) / 2
            narrow, wide = (narrow, middle) if len(starts(middle)) <= bins else (middle, wide)
        return self._grouped(order, starts(wide))

    def _grouped(self, order: np.ndarray, first: np.ndarray) -> BinnedTable:
        held = partial(np.add.reduceat, indices=first)
        squares = self.squares and self.squares.each(lambda part: held(part[order]))
        arrays = (
            np.minimum.reduceat(self.low[order], first),
            np.maximum.reduceat(self.high[order], first),
            held(self.positive[order]),
            held(self.negative[order]),
        )
        return self.of(*_in_order(*arrays, squares), self.losses, self.kind)

    def bracket(self) -> tuple[RankingTable, RankingTable]:
        """The least favourable table, and the most favourable one.

        The first has positives at the lower end of each bin and negatives at the upper one, the other has
        the reverse.
        """
        return self._bracket

    @cached
    def _bracket(self) -> tuple[RankingTable, RankingTable]:
        return self._placed(self.low, self.high), self._placed(self.high, self.low)

    def _placed(self, of_positives: np.ndarray, of_negatives: np.ndarray) -> RankingTable:
        none = np.zeros_like(self.positive)
        score = np.concatenate([of_positives, of_negatives])
        weights = np.concatenate([self.positive, none]), np.concatenate([none, self.negative])
        squares = None
        if self.squares is not None:
            zero = np.zeros_like(self.squares.positive)
            squares = Squares(
                np.concatenate([self.squares.positive, zero]), np.concatenate([zero, self.squares.negative])
            )
        there = (weights[0] > 0) | (weights[1] > 0)
        order = np.flatnonzero(there)[np.argsort(-score[there], kind="stable")]
        score = score[order]
        first = np.flatnonzero(np.append(True, score[1:] != score[:-1])[: len(score)])
        held = partial(np.add.reduceat, indices=first)
        positive, negative = (held(one[order]) for one in weights)
        return self.kind.of(
            score[first], positive, negative, squares and squares.each(lambda one: held(one[order]))
        )

    @cached
    def ranking(self) -> RankingTable:
        """Overlapping bins joined, each at its lower end: at these thresholds the counts are exact."""
        first = np.flatnonzero(self._apart)
        held = partial(np.add.reduceat, indices=first)
        low = np.minimum.reduceat(self.low, first) if len(first) else self.low
        squares = self.squares and self.squares.each(held)
        table = self.kind.of(low, held(self.positive), held(self.negative), squares)
        return table

    @property
    def _apart(self) -> np.ndarray:
        """Whether all bins before lie above this one."""
        lowest = np.minimum.accumulate(self.low)
        return np.append(True, self.high[1:] < lowest[:-1])[: len(self)]

    @cached
    def exact(self) -> bool:
        """Whether the order of every positive and every negative is known, as of single scores."""
        if not len(self):
            return True
        first = np.flatnonzero(self._apart)
        single = np.minimum.reduceat(self.low, first) == np.maximum.reduceat(self.high, first)
        one_class = (self.ranking.positive == 0) | (self.ranking.negative == 0)
        return bool((single | one_class).all())

    @cached
    def single(self) -> bool:
        """Whether every bin is one score, so that every measure is exact."""
        return bool((self.low == self.high).all())

    def counts_at(self, threshold: float) -> Counts:
        """The counts where score >= threshold is predicted positive.

        Raises InputError for a threshold inside a bin, with those next to it that have exact counts.
        """
        with np.errstate(over="ignore"):
            limit = self.low.dtype.type(validate.threshold(threshold))
        inside = np.flatnonzero((self.low < limit) & (limit <= self.high))
        if len(inside):
            bin_, known = inside[0], self.ranking.thresholds
            near = [*known[known > limit][-1:], *known[known < limit][:1]]
            raise InputError(
                "no-result",
                "threshold",
                f"{threshold:g} lies in the bin from {self.low[bin_]:g} to {self.high[bin_]:g}, so that the"
                " counts are not known",
                f"take {' or '.join(f'{one:.17g}' for one in near)}, or make it an edge of the bins",
                value=threshold,
            )
        return self.ranking.counts_at(limit)

    @property
    def positives(self) -> Any:
        """The weight of all positives."""
        return self.ranking.positives

    @property
    def negatives(self) -> Any:
        """The weight of all negatives."""
        return self.ranking.negatives

    @property
    def total(self) -> Any:
        """The weight of all cases."""
        return self.ranking.total

    @property
    def in_unit_interval(self) -> bool:
        """Whether every score may be a probability."""
        return self.bracket()[0].in_unit_interval and self.bracket()[1].in_unit_interval

    @property
    def _scores(self) -> str:
        return f"{self.low.dtype.name} {'logits' if self.kind is LogitTable else 'scores'}"

    def __len__(self) -> int:
        """The number of bins."""
        return len(self.low)

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self) or other.kind is not self.kind:
            return False
        mine, others = ((*one._columns.values(), *(one.squares or ())) for one in (self, other))
        return len(mine) == len(others) and all(map(np.array_equal, mine, others))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        cases = f"{self.positives:,.10g} positives, {self.negatives:,.10g} negatives"
        return f"BinnedTable({len(self)} bins, {cases})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuilt, (*self._columns.values(), self.squares, self.losses, self.kind)

    @property
    def _columns(self) -> dict[str, Any]:
        """One row per bin."""
        return {"low": self.low, "high": self.high, "positive": self.positive, "negative": self.negative}

    def to_dict(self) -> dict[str, Any]:
        """Lists and the type of the scores; infinite scores as the text "inf" or "-inf"."""
        ends = {
            name: [value if np.isfinite(value) else str(value) for value in part.tolist()]
            for name, part in (("low", self.low), ("high", self.high))
        }
        weights = {"positive": self.positive.tolist(), "negative": self.negative.tolist()}
        squares = {"squares": [part.tolist() for part in self.squares]} if self.squares else {}
        losses = {
            name: {"centre": one.centre.tolist(), "sums": one.sums.tolist(), "unit": one.unit}
            for name, one in self.losses.items()
        }
        about = {"score_type": self.low.dtype.name, "logits": self.kind is LogitTable}
        return {**ends, **weights, **squares, "losses": losses, **about}

    @classmethod
    def from_dict(cls, table: dict[str, Any]) -> BinnedTable:
        """Make the summary from the result of `to_dict`."""
        kind = validate.choice(table["score_type"], SCORE_TYPES, "score_type")
        ends = (np.array([float(value) for value in table[name]], kind) for name in ("low", "high"))
        losses = {
            name: PowerSums(np.array(one["centre"], float), _sums(one["sums"]), float(one["unit"]))
            for name, one in table["losses"].items()
        }
        weights = table["positive"], table["negative"], table.get("squares")
        return cls(*ends, *weights, losses, bool(table["logits"]))


def _rebuilt(*parts: Any) -> BinnedTable:
    return BinnedTable.of(*parts)


def _sums(plain: Any) -> np.ndarray:
    sums = np.array(plain, float)
    if sums.shape != (4, 2, ORDER + 1):
        raise InputError("wrong-shape", "losses", f"{sums.shape} and {(4, 2, ORDER + 1)} differ in shape")
    return sums


def _kind_of(logits: bool) -> type[RankingTable]:
    return LogitTable if validate.flag(logits, "logits") else RankingTable


def _checked(low: Any, high: Any, positive: Any, negative: Any, squares: Any) -> tuple[Any, ...]:
    """The arrays in their order. Raises InputError where they are not valid."""
    ends = [validate.scores(columns.read(part, role)) for part, role in ((low, "low"), (high, "high"))]
    kind = np.result_type(*ends)
    low, high = (part.astype(kind) for part in ends)
    weights = [
        np.array(validate.cell(validate.plain_array(part, role), role))
        for part, role in ((positive, "positive"), (negative, "negative"))
    ]
    if not low.shape == high.shape == weights[0].shape == weights[1].shape:
        raise InputError("wrong-shape", "low, high, positive, negative", "each needs one value per bin")
    if not (low <= high).all():
        raise InputError("invalid-value", "low", "the lower end of a bin is above its upper end, or NaN")
    from .rows import compact as occupied
    from .squares import checked as checked_squares

    held = None if squares is None else Squares(*checked_squares(squares, (2, *low.shape), "squares"))
    there = (weights[0] > 0) | (weights[1] > 0)
    rows = occupied((np.arange(len(low)), *weights), held, held is None)
    return _in_order(low[there], high[there], *rows[1:])


def _in_order(
    low: np.ndarray, high: np.ndarray, positive: np.ndarray, negative: np.ndarray, squares: Squares | None
) -> tuple[Any, ...]:
    """By descending upper ends, then lower ones, bins with equal ends joined."""
    order = np.lexsort((-low, -high))
    low, high = low[order], high[order]
    new = np.append(True, (low[1:] != low[:-1]) | (high[1:] != high[:-1]))[: len(low)]
    first = np.flatnonzero(new)
    held = partial(np.add.reduceat, indices=first)
    squares = squares and squares.each(lambda part: held(part[order]))
    return low[first], high[first], held(positive[order]), held(negative[order]), squares
