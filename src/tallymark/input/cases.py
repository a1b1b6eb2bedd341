"""Cases: batches of checked columns, read once, and the facts about their rows and weights."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from .. import kernels
from . import labels as answers, memory, sources, validate, weighting
from .arguments import WeightKind
from .class_weights import weights_of
from .columns import Column, joined, those_that_count
from .errors import InputError, LabelError, MissingValues
from .labels import in_one_spelling, signs, spelling_of
from .memory import Bound, Parts, add_up
from .sample import ROLES, DataInfo
from .score_columns import TWO, labels_met, positive_column
from .sources import Batch, Source, StartOver
from .sources.engines import Lazy
from .spec import CaseSpec, check_two_columns
from .validate import shown
from .weighting import distinct_cells, effective
from .where import WHERE

# roles that may have missing values
PRESENT = (
    "truth",
    "score",
    "predicted",
    "baseline_score",
    "judge",
    "clusters",
    "by",
    "fold",
    *ROLES,
)
OF_A_MODEL = ("score", "predicted", "baseline_score")
FIRST = 100  # labels that show their kind
TEXT = 56  # bytes of a short text
DROPPED, WEIGHTLESS = "dropped", "weightless"
Left = tuple[str, Any]  # reasons why rows are left out, and the samples that they are from


def read(
    data: Any, spec: CaseSpec, progress: Callable[[int], None] | None = None, frame: Lazy | None = None
) -> Cases:
    """The cases of arrays (data is None), a frame or files.

    Their batches are read when they are summed or collected. progress: called with the number of rows after
    each batch; frame: that of an engine, where it was opened before. Raises InputError for columns that do
    not exist.
    """
    weighting.weight_kind(spec.weight_kind, spec.weight)
    validate.function(progress, "progress")
    keeping = data if isinstance(data, KeepingTruth) else None
    source = data.data if isinstance(data, KeepingTruth) else data
    columns = spec.columns(arrays=source is None)
    models, pairs = spec.models(arrays=source is None), spec.pairs(arrays=source is None)
    if pairs:
        check_two_columns(spec)
    frame = Lazy.of(source, spec) if frame is None else frame
    cells = None if frame is None or frame.few else frame.cells()
    if cells is not None:
        spec = spec.of_columns({"where": None})
        found = sources.Source(type(source).__name__, iter([cells]))
    else:
        if frame is not None and not frame.few:
            frame.must_fit(frame.rows, len(frame.columns))
        found = sources.read(
            source if frame is None or frame.first is None or not frame.few else frame.first,
            columns,
            spec.amounts,
            spec.named_classes,
            spec.words,
            spec.predicted_positive is not None,
            spec.condition,
            memory.rows_at_once(spec.memory),
        )
    cases = Cases(
        found,
        spec,
        progress,
        models,
        pairs,
        truths=Held(spec.memory) if keeping is not None and not keeping.every else None,
        held=Held(spec.memory) if keeping is not None and keeping.every else None,
    )
    if keeping is not None:
        keeping.cases = cases
    return cases


@dataclass
class KeepingTruth:
    """Data of which the actual labels are kept while the cases are read, for a later look at their order.

    every: whether all columns are kept instead.
    """

    data: Any
    cases: Cases | None = None
    every: bool = False

    @property
    def truth(self) -> Column | None:
        """The labels of all rows that have one; None where these do not fit in memory."""
        assert self.cases is not None  # they are read before this is called
        return None if self.cases.truths is None else self.cases.truths.columns()["truth"]

    @property
    def columns(self) -> Batch:
        """The columns of the cases that count, by role; the batches are given up, which halves the memory."""
        assert self.cases is not None  # they are read before this is called
        held, self.cases.held = self.cases.held, None
        assert held is not None
        return held.columns()


@dataclass
class Held:
    """Batches of columns that are held as long as they fit in memory.

    memory: the argument of that name; copies: of the columns, in summaries and while these are measured.
    """

    memory: Any
    copies: int = 4
    batches: list[Batch] = field(default_factory=list)
    rows: int = 0
    size: int = 0

    def fits(self, batch: Batch) -> bool:
        """Adds a batch; whether all of them fit."""
        self.batches.append(batch)
        self.rows += len(batch["truth"])
        self.size += nbytes(batch)
        return not memory.exceeds(self.copies * self.size, self.memory)

    def forget(self) -> None:
        """Holds nothing."""
        self.batches, self.rows, self.size = [], 0, 0

    def columns(self) -> Batch:
        """The whole columns by role; the batches are given up, which halves the memory."""
        batches = [dict(one) for one in self.batches]
        self.forget()
        return {role: joined([batch.pop(role) for batch in batches]) for role in list(batches[0])}

    def too_large(self) -> InputError:
        """The error where each case is needed."""
        return InputError(
            "unsupported",
            "memory",
            f"each case is needed here, and the columns of the first {self.rows:,} rows take more than"
            f" {shown(self.memory) if self.memory is not None else 'half of the memory that is free'}",
            "pass more, or some of the rows or columns",
        )


@dataclass
class Cases:
    """Sums the batches of a source, or collects their columns, and keeps the facts that no summary holds.

    models: by the name of the model, None for the only one without a name, the roles of its columns of scores
    or labels in a batch; pairs: by role, the roles of two columns, one per class, which a batch replaces by
    that of the positive class; held, truths: all columns, and the actual labels of all rows,
    where they are needed and fit in memory.
    """

    source: Source
    spec: CaseSpec
    progress: Callable[[int], None] | None = None
    models: Mapping[str | None, tuple[str, ...]] = field(default_factory=dict)
    pairs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    rows: int = 0
    dropped: int = 0
    dropped_unanswered: int = 0
    weightless: int = 0
    weight: float = 0.0
    weight_squares: float = 0.0
    whole: bool = True
    truth: Column | None = None
    truths: Held | None = None
    held: Held | None = None
    left_out: Counter[Left] = field(default_factory=Counter)
    weights: Column | None = None
    alike: bool = True
    cells: frozenset[Any] | None = frozenset()  # combinations of labels, None where one occurs twice
    labels: tuple[Any, ...] = ()  # labels seen so far, where columns or words are matched to them
    positive_met: bool = False  # whether the predicted label that means positive has occurred
    never_positive: Column | None = None  # predicted labels among which it did not
    types: dict[str, str] = field(default_factory=dict)  # of scores and labels before, by role
    memory: int = 0  # bytes that the distinct scores exceeded

    def sum(
        self,
        summarise: Callable[[Batch], Any],
        again: Callable[[], object] | None = None,
        complete: bool = True,
        bound: Bound | None = None,
    ) -> Any:
        """The sum of the summaries of all batches.

        again: called before the batches are read again from the start, since later labels are of another
        type; complete: whether these are all the cases, of which there must then be some; bound: of the
        memory of the summaries. Raises InputError for missing values, with their number over all batches.
        """
        fresh = dict(vars(self))
        while True:
            try:
                total = self._sum(summarise, bound)
                if complete:
                    self.check_complete()
                return total
            except StartOver:
                pass
            except LabelError:
                if not self.source.changed():
                    raise
            new = {name: fresh[name] and Held(self.spec.memory) for name in ("held", "truths")}
            vars(self).update(fresh, types={}, **new)
            if again is not None:
                again()

    def _sum(self, summarise: Callable[[Batch], Any], bound: Bound | None) -> Any:
        try:
            return add_up((summarise(batch) for batch in self._batches()), bound)
        except MissingValues as found:
            more = sum(int(batch[found.of.role].gaps().sum()) for batch in self.source.batches)
            raise MissingValues(found.of, found.number + more, found.first) from None

    def check_complete(self) -> None:
        """Raises InputError where all batches together have no case, or no predicted positive label."""
        if self.never_positive is not None:
            raise answers.never_positive(self.never_positive, self.spec.predicted_positive)
        if not (self.rows or self.dropped) and self.spec.condition is not None:
            raise InputError("empty", WHERE, f"no row fulfils {shown(self.spec.where)}", "no case is left")
        if not self.rows:
            problem = f"every one of the {self.dropped} rows has a missing value"
            of_none = ("there are no rows", "at least one case is needed")
            found = (problem, "no case is left") if self.dropped else of_none
            raise InputError("empty", self.truth, *found)
        if self.weights is not None:
            weighting.some_weight(self.weight, self.weights)

    def __add__(self, other: Cases) -> Cases:
        """The facts about both, without what is left of their batches.

        Raises InputError for labels of two kinds, and where only one of them has weights.
        """
        if not (self.rows and other.rows):
            kept, empty = (self, other) if self.rows else (other, self)
            sizes = ("dropped", "dropped_unanswered")
            return replace(kept, **{name: getattr(kept, name) + getattr(empty, name) for name in sizes})
        if (self.weights is None) is not (other.weights is None):
            raise InputError(
                "mismatch",
                "weight",
                "some of the cases have weights and the others have none",
                "give all one",
            )
        cells = None
        if self.cells is not None and other.cells is not None and not self.cells & other.cells:
            cells = self.cells | other.cells
        sums = ("rows", "dropped", "dropped_unanswered", "weightless", "weight", "weight_squares")
        positive_met = self.positive_met or other.positive_met
        return replace(
            self,
            **{name: getattr(self, name) + getattr(other, name) for name in sums},
            memory=max(self.memory, other.memory),
            whole=self.whole and other.whole,
            alike=self.alike and other.alike,
            truth=_either(self.truth, other.truth),
            weights=_either(self.weights, other.weights),
            cells=cells,
            labels=tuple(sorted({*self.labels, *other.labels})),
            positive_met=positive_met,
            never_positive=None if positive_met else self.never_positive or other.never_positive,
        )

    def columns(self) -> Batch:
        """The whole columns by role. Raises InputError for missing values, and beyond the memory."""
        held = Held(self.spec.memory)

        def hold(batch: Batch) -> Parts:
            if not held.fits(complete(batch)):
                raise held.too_large()
            return Parts()

        self.sum(hold, held.forget)
        return self.in_kind_of_weights(held.columns())

    def in_kind_of_weights(self, columns: Batch) -> Batch:
        """The columns, of which the weights are of the kind that was found for all."""
        if "weight" not in columns:
            return columns
        kind: WeightKind = "count" if self.counts else "importance"
        return {**columns, "weight": replace(columns["weight"], weight_kind=kind)}

    @property
    def per_class(self) -> bool:
        """Whether the models have a score per class, of three classes or more."""
        return any(len(roles) > 1 for roles in self.models.values())

    def by_model(self, batch: Batch) -> dict[str | None, Batch]:
        """The batch of each model, with the roles of one model: "score", "score 1", ... or "predicted"."""
        ours = {role for roles in self.models.values() for role in roles}
        shared = {role: column for role, column in batch.items() if role not in ours}
        kind = self.spec.kind
        return {
            name: shared | {plain: batch[role] for plain, role in _plain(kind, roles)}
            for name, roles in self.models.items()
        }

    def data(self, positives: float | None, negatives: float | None) -> DataInfo:
        """The facts about the cases that were read."""
        cases = None if self.counts else effective(self.weight, self.weight_squares)
        weighted = self.weights is not None and not self.weights.of_rows
        return DataInfo(
            self.rows, positives, negatives, weighted, self.source.name, self.dropped, cases,
            self.weightless, self.whole and not self.counts and self.spec.weight_kind is None
            and self.spec.class_weights is None,
            None if not weighted else "count" if self.counts else "importance",
            dropped_unanswered=self.dropped_unanswered,
            positive_by_name=self._positive_by_name,
            memory=self.memory,
            files=self.source.files,
        )  # fmt: skip

    @property
    def _positive_by_name(self) -> bool:
        """Whether the positive label is not given, and the labels are "negative" and "positive"."""
        if self.spec.positive is not None or self.truth is None or self.truth.values.dtype.kind not in "OU":
            return False
        texts = self.truth.values
        return bool(signs({*texts[:1].tolist()}) and signs({*texts.tolist()} - {None}))

    @property
    def counts(self) -> bool:
        """Whether the weights that were read are numbers of cases.

        By their kind; without one if all are 0 or 1, or whole where the rows are the cells of a table.
        """
        kind = self.weights.weight_kind if self.weights is not None else None
        return kind == "count" or (kind is None and (self.alike or (self.whole and bool(self.cells))))

    def _batches(self) -> Iterator[Batch]:
        spelled = spelling_of(self.spec.classes)
        for read_batch in self.source.batches:
            batch = read_batch if self.spec.regression else in_one_spelling(read_batch, spelled)
            if any(map(len, batch.values())):
                validate.same_length(*batch.values())
            if self.spec.condition is not None:
                batch = self.spec.condition.kept(batch)
            self._check_types(batch)
            if self.spec.judge is not None:  # a label that nobody gave
                batch["truth"] = replace(batch["truth"], unanswered=batch["truth"].gaps())
            self.truth = batch["truth"]
            if not len(self.truth):
                continue
            if self.truths is not None and not self.truths.fits({"truth": _known(self.truth)}):
                self.truths = None
            if "weight" in batch and self.spec.weight_kind is not None:
                batch["weight"] = replace(batch["weight"], weight_kind=self.spec.weight_kind)
            kept = self._without_gaps(batch) if self.spec.missing == "drop" else batch
            self.dropped += number_of_rows(batch) - number_of_rows(kept)
            self.rows += number_of_rows(kept)
            if self.spec.class_weights is not None:
                kept = {**kept, "weight": weights_of(kept["truth"], self.spec.class_weights)}
            if len(kept["truth"]) and self._weigh(kept):
                batch = self._in_words_of_truth(self._one_score(those_that_count(kept)))
                if self.held is not None and not self.held.fits(batch):
                    self.held = None
                yield batch
            if self.progress:
                self.progress(self.rows)

    def _check_types(self, batch: Batch) -> None:
        """Raises InputError for scores in another precision than before, and for labels of another kind."""
        for role, column in batch.items():
            kind, there = column.values.dtype, column.row(0) if len(column) else ""
            if role.split()[0] in ("score", "baseline_score") and kind.kind == "f" and len(column):
                before = self.types.setdefault(role, str(kind))
                if before != kind:
                    raise InputError(
                        "mismatch",
                        column,
                        f"from {there} on it is {kind}, and {before} before, where the same number differs",
                        "cast it to one type everywhere",
                        row=0,
                    )
            elif role == "truth" and not self.spec.regression:
                known = [value for value in column.values[:FIRST].tolist() if value is not None]
                what = "text" if any(isinstance(value, str) for value in known) else "numbers or Booleans"
                before = self.types.setdefault(role, what) if known else what
                if before != what:
                    raise LabelError(
                        "labels",
                        column,
                        f"from {there} on it holds {what}, and {before} before",
                        "write the labels in one way",
                    )

    def _one_score(self, batch: Batch) -> Batch:
        """The batch with the column of the positive class in place of two columns."""
        if not self.pairs:
            return batch
        truth, asked = batch["truth"], (self.spec.positive, self.spec.classes)
        if len(self.labels) < TWO:
            self.labels = labels_met(truth, self.labels)
        own = {part: role for role, parts in self.pairs.items() for part in parts}
        both = {role: [batch[part] for part in parts] for role, parts in self.pairs.items()}
        one = {role: positive_column(truth, two, self.labels, *asked, role) for role, two in both.items()}
        return {own.get(role, role): one.get(own.get(role, role), column) for role, column in batch.items()}

    def _in_words_of_truth(self, batch: Batch) -> Batch:
        """The batch with predicted labels in the words of the truth; those without an answer are it."""
        truth, word = batch["truth"], self.spec.predicted_positive
        called = {role: one for role, one in batch.items() if role.split()[0] in answers.ROLES}
        if word is not None:
            self.labels = labels_met(truth, self.labels)
            for role, column in called.items():
                called[role], met = answers.in_words_of_truth(
                    column, truth, self.spec.positive, word, self.labels, self.spec.classes
                )
                self.positive_met |= met
                self.never_positive = None if self.positive_met else column
        if self.spec.words is None:
            return batch | called
        return batch | {role: answers.with_actual(column, truth) for role, column in called.items()}

    def _without_gaps(self, batch: Batch) -> Batch:
        gaps = np.logical_or.reduce(
            [column.gaps() for role, column in batch.items() if role.split()[0] in PRESENT]
        )
        self._leave_out(DROPPED, batch, gaps)
        if gaps.any():
            others = [one.gaps() for role, one in batch.items() if role.split()[0] not in OF_A_MODEL]
            self.dropped_unanswered += number_of_rows(batch, gaps & ~np.logical_or.reduce(others))
        return {role: column.keep(~gaps) for role, column in batch.items()} if gaps.any() else batch

    def _leave_out(self, why: str, batch: Batch, rows: np.ndarray) -> None:
        """Counts the rows that are left out, by sample, in a new counter for each batch.

        A second reading of the batches starts with an empty one.
        """
        if "sample" in batch and rows.any():
            labels = batch["sample"].keep(rows & ~batch["sample"].gaps()).values
            of_each = zip(*(part.tolist() for part in np.unique(labels, return_counts=True)), strict=True)
            self.left_out = self.left_out + Counter({(why, label): number for label, number in of_each})

    def _weigh(self, batch: Batch) -> bool:
        """Whether some case has a positive weight."""
        column = batch.get("weight")
        weights = weighting.weights(column)
        if column is None or weights is None:
            return True
        self.weights = column
        self._leave_out(WEIGHTLESS, batch, weights == 0)
        self.weightless += len(weights) - int(np.count_nonzero(weights))
        self.whole &= weighting.are_whole(weights)
        self.alike &= bool(((weights == 1) | (weights == 0)).all())
        if self.cells is not None:
            labels = [part for role, part in batch.items() if role.split()[0] in ("truth", "predicted")]
            only_labels = len(labels) == len(batch) - 1 > 1 and not self.spec.regression
            cells = distinct_cells(labels, self.cells) if only_labels else None
            self.cells = None if cells is None else frozenset(cells)
        self.weight += float(weights.sum())
        self.weight_squares += kernels.dot(weights, weights)
        if self.counts:
            weighting.countable(str(column), self.weight)
        return bool(weights.max())


def number_of_rows(batch: Batch, where: Any = ...) -> int:
    """The number of rows that the batch, or a part of it, has or stands for."""
    weight = batch.get("weight")
    if weight is not None and weight.of_rows:
        return int(weight.values[where].sum())
    return len(batch["truth"]) if where is ... else int(where.sum())


def _plain(kind: str, roles: Sequence[str]) -> list[tuple[str, str]]:
    """The roles as for a single model, by the roles of each."""
    return [(kind if len(roles) == 1 else f"{kind} {i + 1}", role) for i, role in enumerate(roles)]


def _either(one: Column | None, other: Column | None) -> Column | None:
    """What a column of both sets of cases declares. Raises InputError for labels of two kinds."""
    if one is None or other is None:
        return None
    if len({column.values.dtype.kind in "OU" for column in (one, other)}) > 1:
        raise LabelError(
            "labels", one.role, "some of the labels are text and the others numbers", "write them in one way"
        )
    both = replace(one, values=np.concatenate([one.values, other.values]))
    return replace(both, levels=one.levels if one.levels == other.levels else None).in_brief()


def nbytes(batch: Batch) -> int:
    """The bytes of the columns, with their texts."""
    values = [one.values for one in batch.values()]
    return sum(one.nbytes + TEXT * (len(set(one.tolist())) if one.dtype == object else 0) for one in values)


def _known(column: Column) -> Column:
    gaps = column.gaps()
    return column.keep(~gaps) if gaps.any() else column


def complete(batch: Batch) -> Batch:
    """The batch. Raises InputError for missing values."""
    for role, column in batch.items():
        if role.split()[0] in PRESENT:
            validate.no_gaps(column)
    return batch
