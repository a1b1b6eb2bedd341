"""The tables of the scores of models, batch by batch, in bounded memory."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any, ClassVar

from ..input import Cases, CaseSpec, memory
from ..input.cases import nbytes
from ..input.errors import InputError
from ..input.labels import BinaryLabels, Coded
from ..input.memory import Bound, Parts
from ..input.sources import Batch
from ..input.spec import FEWEST_BINS
from ..input.spelling import option
from ..summaries import Residuals
from ..summaries.binned import BYTES, MOST, BinCounts
from ..summaries.samples import kind_of_table, score_of

PAIR = 128  # bytes for each distinct pair of amounts, with what adding and measuring need
COPIES = 6  # of the columns of a score per class, for the same
PARTS = 6  # of the memory, one of which bins may take


class Batches(list[Batch]):
    """Batches of columns, which add up. size: in bytes."""

    def __init__(self, batches: Iterable[Batch], size: int):
        super().__init__(batches)
        self.size = size

    @classmethod
    def of(cls, batch: Batch) -> Batches:
        """A single batch."""
        return cls([batch], nbytes(batch))

    @classmethod
    def joined(cls, several: Sequence[Batches]) -> Batches:
        """All of several, in their order."""
        return cls(chain.from_iterable(several), sum(one.size for one in several))


class EachCase:
    """The limit of sums that hold each case: of amounts, and of a score per class."""

    def __init__(self, spec: CaseSpec):
        self.spec = spec

    def exceeded(self, parts: Iterable[Any]) -> bool:
        """Raises InputError for more than the memory holds."""
        size = sum(
            COPIES * part.size
            if isinstance(part, Batches)
            else sum(PAIR * len(one) for one in part.values() if isinstance(one, Residuals))
            for part in parts
        )
        if memory.exceeds(size, self.spec.memory):
            of = "amounts" if self.spec.regression else "a score per class"
            needs = f"{size / 2**20:,.0f} MiB"
            problem = f"each case is held of {of}, and with what measuring needs they take {needs}"
            raise InputError("unsupported", "memory", problem, "pass more, or some of the rows or columns")
        return False

    def within(self, total: Any) -> Any:
        """The same: no summary takes less."""
        return total


class BoundedTables:
    """The tables of the scores of each model, with one encoding of the actual labels, in bounded memory.

    Where the distinct scores of all models do not fit, neighbours are joined, and later batches are counted
    in these bins. before: that of earlier cases, whose bins are used.
    """

    BYTES: ClassVar[int] = BYTES

    def __init__(
        self, cases: Cases, labels: BinaryLabels, edges: Iterable[float | None], before: Bound | None = None
    ):
        self.cases, self.labels = cases, labels
        self.known = dict(vars(labels))
        self.edges = tuple(
            {sign * one for sign in (1.0, -1.0) for one in (0.0, 0.5, *edges) if one is not None}
        )
        self.before = before if isinstance(before, BoundedTables) else None
        self._begin()

    def _begin(self) -> None:
        known = {} if self.before is None else self.before.bins
        self.bins: dict[Any, BinCounts] = {name: one.again() for name, one in known.items()}
        self.memory: int = 0 if self.before is None else self.before.memory  # bytes that were exceeded

    @property
    def apply(self) -> bool:
        """Whether there is one score of two classes for each model."""
        spec = self.cases.spec
        return (
            bool(self.cases.models)
            and spec.kind == "score"
            and not spec.regression
            and not self.cases.per_class
        )

    @property
    def of_score(self) -> int:
        """The memory for a distinct score: twice as much with importance weights, which have squares."""
        return self.BYTES if self.cases.counts or self.cases.weights is None else 2 * self.BYTES

    def __call__(self, batch: Batch) -> Parts:
        """The tables of a batch, without the cases that were counted in bins."""
        return self.tables(batch, self.labels.coded(batch["truth"]))

    def tables(self, batch: Batch, coded: Coded, group: Any = None) -> Parts:
        """The tables of cases with these labels by model, or by model and group."""
        spec, weight = self.cases.spec, batch.get("weight")
        kind, found = kind_of_table(spec), Parts()
        scores = {
            (name if group is None else (name, group)): score_of(spec, one["score"], coded.column)
            for name, one in self.cases.by_model(batch).items()
        }
        for name, score in scores.items():
            bins = self.bins.get(name)
            if bins is None or not bins.takes(score.values):
                found[name] = kind.from_coded(self.labels, coded, score, weight)
            elif weight is None:
                bins.count(self.labels, coded, score)
            else:
                bins.add(kind.from_coded(self.labels, coded, score, weight))
        return found

    def again(self) -> None:
        """Forgets what was read."""
        vars(self.labels).update(self.known)
        self._begin()

    def exceeded(self, parts: Iterable[Parts]) -> bool:
        """Whether there are more distinct scores than the memory holds."""
        scores = sum(len(table) for one in parts for table in one.values())
        return memory.exceeds(memory.with_sums(scores * self.of_score), self.cases.spec.memory)

    def within(self, total: Parts) -> Parts:
        """The tables in bins, in which later batches are counted. Raises InputError for too few."""
        self.cases.held = None
        self.memory, tables = memory.usable(memory.checked(self.cases.spec.memory)), len(total)
        of_bin = PARTS * self.of_score
        bins = memory.of_sums(self.memory) // (of_bin * tables)
        if bins < FEWEST_BINS:
            problem = f"it holds {bins} bins for each of {tables} tables, and {FEWEST_BINS} are needed"
            least = -(-memory.with_sums(FEWEST_BINS * of_bin * tables) // memory.LEAST)
            raise InputError("invalid-value", "memory", problem, f"pass {option('memory', f'{least}MiB')}")
        whole = self.whole(total)
        self.bins = {name: BinCounts(one, min(bins, MOST), self.edges) for name, one in whole.items()}
        return Parts({name: one.before for name, one in self.bins.items()})

    def whole(self, total: Parts) -> Parts:
        """The tables of all cases, also of those counted in bins."""
        counted = {name: one.table(total.get(name)) for name, one in self.bins.items() if not one.empty}
        return Parts({**total, **counted})
