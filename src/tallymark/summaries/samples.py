"""From the columns of cases to a sample, and from a sample to its summaries, which are views of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from .. import kernels
from ..input import score_columns, validate, weighting
from ..input.arguments import OF_UNITS, PERSONS, WeightKind
from ..input.cases import Cases, read
from ..input.columns import Column, read as read_column
from ..input.errors import InputError, option
from ..input.labels import (
    SOME,
    BinaryLabels,
    brief,
    not_amounts,
    not_scores,
    not_swapped,
    places,
    positive_of,
    same_words,
)
from ..input.sample import (
    BY,
    FOLD,
    OF_ARRAY,
    ROLES,
    Array,
    DataInfo,
    Index,
    SamePerson,
    Sample,
    groups_of,
    index_of,
    name_of_units,
    names_by,
    numbered,
)
from ..input.score_columns import ROLE, by_name, is_indicator, role_of
from ..input.sources import Batch, Source
from ..input.spec import CaseSpec, no_order
from ..input.weighting import effective
from .class_scores import ClassLogits, ClassScores, TrueClasses
from .confusion import ConfusionMatrix
from .counts import Counts
from .indicators import IndicatorTable, indicators, names_and_order
from .ranking import LogitTable, RankingTable, Squares
from .residuals import Residuals, finite
from .value import both, cached

# Scored cases one by one, for resampling and comparing, which summaries do not allow
# --------------------------------------------------------------------------------------------------

FEWEST_IN_RANGES = 1 << 17  # values, below which they are sorted at once
RANGES = 64
MOST_CASES = 1 << 28  # made of weights: some 4 GB
MOST_NUMBERED = 1 << 32  # places in the order of the scores are uint32
POSITIVE_FROM = 0.5  # where predicted labels are held as scores of 0 and 1


class ScoredCases:
    """Cases of two classes with their scores, higher for positives.

    positive: bool, shape (n,); score: float32 or float64, shape (n,); weight: float64, shape (n,), of each
    case, by default a view of a single 1; kind: the type of table of the scores, such as LogitTable;
    weight_kind: as for a RankingTable.
    """

    def __init__(
        self,
        positive: np.ndarray,
        score: np.ndarray,
        weight: np.ndarray | None = None,
        kind: type[RankingTable] = RankingTable,
        weight_kind: WeightKind | None = None,
    ):
        if len(score) > MOST_NUMBERED:
            too_many = (
                f"score: {len(score):,} cases are more than the {MOST_NUMBERED:,} that can be resampled or"
                " compared one by one"
            )
            raise validate.InputError("unsupported", None, too_many, "use evaluate, or a sample of them")
        self.positive, self.score, self.kind = np.asarray(positive, bool), score, kind
        self.weight = weighting.ones(len(score)) if weight is None else weight
        self.weight_kind = weight_kind

    @classmethod
    def from_table(cls, table: RankingTable) -> ScoredCases:
        """The cases of a table, highest score first.

        Whole weights are numbers of cases. Of other weights the squares give the number of cases of each
        class at each score; without squares it is 1. Raises InputError where they are too many to be held one
        by one.
        """
        if table.total == len(table) and not table.weighted:
            return cls(table.positive > 0, table.score, None, type(table)).with_table(table)
        weights = np.stack([table.positive, table.negative], axis=1).ravel()
        times = _cases_at(weights, table.squares) if table.weighted else weights
        if times.sum() > MOST_CASES:
            raise validate.InputError(
                "unsupported",
                "score",
                f"{int(times.sum()):,} cases are too many to be resampled one by one",
                "use evaluate",
            )
        positive = np.repeat(np.tile([True, False], len(table)), times)
        score = np.repeat(np.repeat(table.score, 2), times)
        weight = np.repeat(weights / np.maximum(times, 1), times) if table.weighted else None
        return cls(positive, score, weight, type(table), "importance").with_table(table)

    @property
    def counts_cases(self) -> bool:
        """Whether a case of weight 2 is two cases."""
        return self.weight_kind == "count" or weighting.are_ones(self.weight)

    def taken(self, rows: np.ndarray, one_by_one: bool = True) -> ScoredCases:
        """These cases, in this order.

        one_by_one: with weight 1 where weights are counts, for which rows are repeated.
        """
        each = weighting.ones(len(self)) if one_by_one and self.counts_cases else self.weight
        positive, score, weight = (kernels.taken(one, rows) for one in (self.positive, self.score, each))
        return ScoredCases(positive, score, weight, self.kind, self.weight_kind)

    def reordered(self, order: np.ndarray) -> ScoredCases:
        """The same cases in this order, with the table if it is known."""
        same = self.taken(order, one_by_one=False)
        return same.with_table(self.table) if "table" in self.__dict__ else same

    def in_cases(self) -> ScoredCases:
        """The same with importance weights that add up to the effective number of cases."""
        if self.counts_cases:
            return self
        weight = self.weight * (float(self.weight.sum()) / float(np.square(self.weight).sum()))
        same = ScoredCases(self.positive, self.score, weight, self.kind, "importance")
        return same.with_table(self.table.as_cases) if "table" in self.__dict__ else same

    def with_table(self, table: RankingTable) -> ScoredCases:
        """The same, with the known table of the cases."""
        self.__dict__["table"] = table
        return self

    def __len__(self) -> int:
        return len(self.positive)

    @property
    def strata(self) -> np.ndarray:
        """The class of each case: 0 for positives, else 1."""
        return (~self.positive).view(np.uint8)

    @cached
    def order(self) -> np.ndarray | None:
        """The order of the cases by descending score, uint32; None if they are sorted."""
        if (self.score[1:] <= self.score[:-1]).all():
            return None
        return _argsort(-self.score).astype(np.uint32)

    def in_order(self, values: np.ndarray) -> np.ndarray:
        """Values of the cases, along the last axis, by descending score."""
        if self.order is None:
            return values
        return kernels.taken(values, self.order) if values.ndim == 1 else values[..., self.order]

    @cached
    def shared(self) -> bool:
        """Whether some cases have the same score."""
        score = self.in_order(self.score)
        return bool((score[1:] == score[:-1]).any())

    @cached
    def starts(self) -> np.ndarray:
        """Where each distinct score starts in the order, and the end."""
        score = self.in_order(self.score)
        return np.append(kernels.starts_of_runs(score), len(score))

    @cached
    def positives_by_block(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """By falling score, as `kernels.swept` needs them: the classes, and in each block the positives.

        Of these the places, and how many there are.
        """
        positive, block = self.in_order(self.positive), kernels.CASES_IN_BLOCK

        def counted(rows: slice) -> tuple[np.ndarray, np.ndarray]:
            there = positive[rows]
            number = np.add.reduceat(there, np.arange(0, len(there), block), dtype=np.int64)
            return (np.flatnonzero(there) % block).astype(np.uint16), number

        at, held = zip(*kernels.stretches(counted, len(positive), 16 * block), strict=True)
        return positive.view(np.uint8), np.concatenate(at), np.concatenate(held)

    @cached
    def place(self) -> np.ndarray:
        """For each case the number of distinct scores above its own: the row of its score in the table."""
        if len(self.table) == len(self):  # no score occurs twice
            numbers = np.arange(len(self), dtype=np.uint32)
        else:
            numbers = np.repeat(np.arange(len(self.starts) - 1, dtype=np.uint32), np.diff(self.starts))
        if self.order is None:
            return numbers
        place, order = np.empty_like(numbers), self.order

        def scatter(rows: slice) -> None:
            place[order[rows]] = numbers[rows]

        kernels.stretches(scatter, len(order))
        return place

    @cached
    def table(self) -> RankingTable:
        """The ranking table of the cases."""
        about: Any = {"weight": self.weight, "weight_kind": self.weight_kind}
        weights = {} if weighting.are_ones(self.weight) else about
        return self.kind.from_arrays(truth=self.positive, score=self.score, **weights)

    def resampled(self, times: np.ndarray) -> RankingTable:
        """The tables of resamples, with a leading axis.

        times: shape (replicates, n), how often each case is drawn.
        """
        return self._table(times * self.weight, None if self.counts_cases else times * np.square(self.weight))

    def _table(self, weight: np.ndarray, squares: np.ndarray | None = None) -> RankingTable:
        score, held = (
            self.in_order(self.score),
            None if squares is None else Squares(*self._by_class(squares)),
        )
        if self.shared:
            score = score[self.starts[:-1]]
        return self.kind.of(score, *self._by_class(weight), held)

    def _by_class(self, weight: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The sums at every score, of the positives and of the negatives."""
        weight, positive = self.in_order(weight), self.in_order(self.positive)
        yes, no = np.where(positive, weight, 0), np.where(positive, 0, weight)
        if self.shared:
            yes, no = (np.add.reduceat(part, self.starts[:-1], axis=-1) for part in (yes, no))
        return yes, no

    def counts(self, times: np.ndarray, threshold: float) -> Counts:
        """The counts of resamples at a threshold, each cell of shape (replicates,)."""
        known = self.__dict__.get("_cells")  # of the last threshold
        if known is None or known[0] != threshold:
            known = self.__dict__["_cells"] = threshold, self._cells_at(threshold)
        if weighting.are_ones(self.weight):
            return Counts.of(*kernels.among(times, known[1].view(np.uint8)).T.astype(np.float64))
        return Counts.of(*kernels.weighed(times, known[1] * self.weight).T)

    def _cells_at(self, threshold: float) -> np.ndarray:
        """Whether each case is a true or false positive, a false or true negative: shape (4, cases)."""
        called = self.called(threshold)
        return np.stack([part & yes for yes in (called, ~called) for part in (self.positive, ~self.positive)])

    def called(self, threshold: float) -> np.ndarray:
        """Whether each case is predicted positive."""
        with np.errstate(over="ignore"):  # a threshold beyond what float32 holds
            return np.asarray(self.score >= self.score.dtype.type(threshold))


def _argsort(values: np.ndarray) -> np.ndarray:
    """The order of the values, ascending; of many, range by range, which do not depend on the threads."""
    if len(values) < FEWEST_IN_RANGES:
        return np.argsort(values)
    sample = np.sort(values[:: len(values) // (64 * RANGES)])
    pivots = sample[len(sample) // RANGES :: len(sample) // RANGES]
    order, step = np.empty(len(values), np.int64), -(-len(values) // RANGES)

    def mark(rows: slice) -> tuple[np.ndarray, np.ndarray]:
        """The rows by range, and the number of those in each."""
        place = np.searchsorted(pivots, values[rows], "right").astype(np.uint8)
        return np.argsort(place, kind="stable"), np.bincount(place, minlength=len(pivots) + 1)

    marked = kernels.stretches(mark, len(values), step)
    number = np.array([of_ranges for _, of_ranges in marked])
    ends = np.append(0, np.cumsum(number.sum(0)))
    to = ends[:-1] + np.cumsum(number, axis=0) - number  # where the rows of a stretch begin in each range

    def fill(rows: slice) -> None:
        i = rows.start // step
        local, sizes = marked[i][0], number[i]
        place = np.repeat(to[i] - (np.cumsum(sizes) - sizes), sizes) + np.arange(len(local))
        order[place] = local + rows.start

    kernels.stretches(fill, len(values), step)

    def sort(i: int) -> None:
        rows = order[ends[i] : ends[i + 1]]
        rows[:] = rows[np.argsort(values[rows])]

    kernels.each(sort, len(pivots) + 1)
    return order


def content_order(first: np.ndarray, *others: np.ndarray | None) -> np.ndarray:
    """An order of the rows that depends on their values alone, not on the order of input.

    Ascending by the first key; rows that are equal in it by the next, and so on; None means no key.
    """
    order = _argsort(first)
    value = kernels.taken(first, order)
    again = np.append(False, value[1:] == value[:-1])
    tied = np.flatnonzero(again | np.append(again[1:], False))
    if len(tied):
        rows, group = order[tied], np.cumsum(~again[tied])
        keys = [key[rows] for key in reversed(others) if key is not None]
        order[tied] = rows[np.lexsort([*keys, group])]
    return order


def _cases_at(weights: np.ndarray, squares: Squares | None) -> np.ndarray:
    """The number of cases of equal weight of each class at each score."""
    there = weights > 0
    if squares is None:
        return there.astype(np.int64)
    return np.where(
        there, np.maximum(np.rint(effective(weights, np.stack(squares, axis=1).ravel())), 1), 0
    ).astype(np.int64)


# From the columns of cases to a sample, and from a sample to its summaries, which are views of it
# --------------------------------------------------------------------------------------------------
#
# A column is encoded once, whatever the number of models. A sample keeps the order of the rows; resampling
# takes the cases in an order that depends on their values alone (`in_order`).

Facts = Callable[..., DataInfo]  # by the weight of positives and of negatives
Answers = Mapping[str | None, list[Column]]  # by model
Roles = Mapping[str | None, Sequence[str]]


# From columns to a sample
# -------------------------------------------------------------------------------------------------------


def collect(cases: Cases) -> Sample:
    """All cases of a source. Raises InputError for columns that are not valid, and beyond the memory."""
    return sample_of(cases.columns(), cases.spec, cases.models, cases.data)


def read_sample(data: Any, spec: CaseSpec, progress: Callable[[int], None] | None = None) -> Sample:
    """The cases of a source, also those of arrays with several labels each."""
    several = data is None and not spec.regression and is_indicator(spec.truth)
    return several_labels(spec)[1] if several else collect(read(data, spec, progress))


def sample_of(
    columns: Batch,
    spec: CaseSpec,
    models: Roles,
    data: Facts,
    tables: Mapping[Any, RankingTable] | None = None,
) -> Sample:
    """The sample of columns that are collected.

    models: by name the roles of the columns of each; tables: by model those of its scores, where they are
    known. Raises InputError as the summaries do.
    """
    answers = {name: [columns[role] for role in roles] for name, roles in models.items()}
    truth, weight = columns["truth"], columns.get("weight")
    if spec.regression:
        encoded = _amounts(truth, answers, data)
    elif spec.kind == "predicted":
        encoded = _labels(truth, answers, weight, spec, data)
    elif any(len(several) > 1 for several in answers.values()):
        encoded = _class_scores(columns, answers, spec, data)
    else:
        encoded = _scores(truth, answers, weight, spec, data, tables or {})
    weights, squares = _weights(weight, len(truth))
    index = _index(columns, encoded["truth"] if isinstance(spec.persons, SamePerson) else None)
    return Sample(
        kind=spec.kind, models=tuple(models), weight=weights, squares=squares,  # type: ignore[arg-type]
        index=index, score_kind=spec.score_kind, higher_is_positive=spec.higher_is_positive,
        memory=spec.memory, **encoded,
    )  # fmt: skip


def _weights(weight: Column | None, size: int) -> tuple[Array, Array]:
    """The weight of each case, and its square, which for numbers of cases is the weight itself."""
    of_each = weighting.weights(weight)
    weights = weighting.ones(size) if of_each is None else of_each
    return weights, weights if weighting.are_counts(weight) else np.square(weights)


def _index(columns: Batch, mated: Array | None = None) -> dict[str, Index]:
    """The columns that divide the cases. mated: whether the two persons of each must be one, if they must."""
    result = {role.rstrip("s"): index_of(columns[role]) for role in ("clusters", "sample") if role in columns}
    if ROLES[0] not in columns:
        return result
    labels, both = numbered([columns[role] for role in ROLES], mated)
    return result | {name: Index(codes, labels) for name, codes in zip(OF_UNITS[PERSONS], both, strict=True)}


def index_of_parts(columns: Batch, spec: CaseSpec, arrays: bool) -> dict[str, Index]:
    """The columns of groups and of folds, where there are some. arrays: whether they are no names."""
    found = {}
    for name in (BY, FOLD):
        parts = [column for role, column in columns.items() if role.split()[0] == name]
        if parts:
            found[OF_ARRAY[name]] = groups_of(parts, names_by(getattr(spec, name), arrays, name), name)
    return found


def kind_of_table(cases: CaseSpec | Sample) -> type[RankingTable]:
    """The type of the tables of its scores."""
    return LogitTable if cases.score_kind == "logit" else RankingTable


def score_of(spec: CaseSpec, score: Column, truth: Column) -> Column:
    """The scores of cases, higher for positives. Raises InputError for probabilities outside [0, 1]."""
    not_swapped(truth, score)
    if spec.score_kind == "probability":
        validate.no_gaps(score)
        score_columns.check(score)
    return score if spec.higher_is_positive else replace(score, values=0.0 - validate.scores(score))


def _scores(
    truth: Column, answers: Answers, weight: Column | None, spec: CaseSpec, data: Facts,
    tables: Mapping[Any, RankingTable],
) -> dict[str, Any]:  # fmt: skip
    """Two classes, and a score for each case."""
    labels, views, output = BinaryLabels(spec.positive, spec.classes), {}, []
    scores = {name: score_of(spec, column, truth) for name, [column] in answers.items()}
    coded = labels.coded(truth)
    positive = coded.is_positive
    for i, (name, score) in enumerate(scores.items()):
        if name in tables:
            negative = coded.codes[~positive][:1].tolist()
            labels.learn(truth, negative[0] if negative else None, bool(positive.any()))
        table = tables.get(name)
        if table is None:
            table = kind_of_table(spec).from_coded(labels, coded, score, weight)
        views[i] = table
        numbers = validate.scores(score)
        zeros = (numbers == 0) & np.signbit(numbers)
        output.append(np.where(zeros, numbers.dtype.type(0), numbers) if zeros.any() else numbers)
    labels.judge(truth)
    info = data(views[0].positives, views[0].negatives)
    return {
        "task": "binary", "truth": positive, "output": tuple(output), "labels": labels.pair(), "info": info,
        "views": views,
    }  # fmt: skip


def matrix_of(truth: Column, predicted: Column, weight: Column | None = None) -> ConfusionMatrix:
    """The confusion matrix of the cases. Raises InputError where scores were given as labels."""
    not_scores(predicted, predicted.values[:SOME])  # before a matrix with a row per score is made
    return ConfusionMatrix.from_columns(truth, predicted, weight)


def with_all_classes(
    matrix: ConfusionMatrix, truth: Column | None, spec: CaseSpec, info: DataInfo
) -> ConfusionMatrix:
    """The matrix of all cases, with the classes that are named or declared.

    Raises InputError where its labels are amounts or scores, or not among the classes.
    """
    if spec.classes is None:
        not_amounts(truth, matrix.labels, int(info.rows) - info.weightless)
        predicted, actual = (
            [label for label, weight in zip(matrix.labels, matrix.weights.sum(axis), strict=False) if weight]
            for axis in (0, 1)
        )
        not_scores("predicted", predicted, actual)
        if truth is not None:
            same_words(truth, actual, predicted, spec.positive)
    levels = spec.levels(truth, matrix.labels)
    return matrix if levels is None else matrix.with_classes(*levels)


def _classes(matrix: ConfusionMatrix, positive: Any, data: Facts) -> dict[str, Any]:
    """The task, the labels and the facts of cases with these classes."""
    if len(matrix) < 3:
        chosen, sizes = positive_of(matrix.labels, positive), matrix.counts(positive)
        negative = next((label for label in matrix.labels if label != chosen), "negative")
        info = data(sizes.positives, sizes.negatives)
        return {"task": "binary", "labels": (negative, chosen), "info": info}
    if positive is not None:
        actual = zip(matrix.labels, matrix.class_sizes.tolist(), strict=True)
        others = [label for label, size in actual if not size]
        way_out = "leave it out or correct the labels"
        if len(matrix) - len(others) == 2:  # actual ones
            way_out += (
                f", or pass {option('not_an_answer', others)} to count answers that name no class as wrong"
            )
        problem = f"there are {len(matrix)} classes ({brief(matrix.labels)}), not two"
        raise InputError("labels", "positive", problem, way_out)
    about = {"task": "multiclass", "labels": matrix.labels, "ordered": matrix.ordered}
    return about | {"info": data(None, None)}


def sample_of_matrix(matrix: ConfusionMatrix, data: Facts, positive: Any) -> Sample:
    """The cells of a matrix. Raises InputError where the positive class must, or cannot, be named."""
    about = _classes(matrix, positive, data)
    labels, cells = about["labels"], np.nonzero(matrix.weights)
    place = np.array([*map(labels.index, matrix.labels), len(labels)])
    truth, output = (place[one] for one in cells)
    weight = matrix.weights[cells]
    return Sample(
        kind="predicted", truth=truth == 1 if len(labels) < 3 else truth, output=(output,), models=(None,),
        weight=weight, squares=weight if matrix.squares is None else matrix.squares[cells],
        index={}, no_answer=(matrix.unanswered is not None,), views={} if len(labels) < 3 else {0: matrix},
        **about,
    )  # fmt: skip


def _labels(
    truth: Column, answers: Answers, weight: Column | None, spec: CaseSpec, data: Facts
) -> dict[str, Any]:
    """Predicted labels: the classes are those of all models together."""
    info = data(None, None)
    each = [
        with_all_classes(matrix_of(truth, column, weight), truth, spec, info) for [column] in answers.values()
    ]
    others = (one.with_weights(np.zeros_like(one.weights)) for one in each[1:])
    about = _classes(sum(others, each[0]), spec.positive, data)
    labels = about["labels"]
    codes = places(truth.values, labels)
    return about | {
        "truth": codes == 1 if len(labels) < 3 else codes,
        "output": tuple(
            np.where(column.without_answer, len(labels), places(column.values, labels))
            for [column] in answers.values()
        ),
        "no_answer": tuple(column.unanswered is not None for [column] in answers.values()),
    }


def class_scores_of(parts: Mapping[Any, Batch], spec: CaseSpec) -> dict[Any, tuple[ClassScores, bool | None]]:
    """For each model its table, and whether the classes have an order.

    parts: by model the columns, one per class; labels are encoded once.
    """
    true, kind = TrueClasses.read(next(iter(parts.values()))), kind_of_classes(spec)
    tables = {}
    for name, part in parts.items():
        role = role_of("score", name)
        if spec.score_kind == "probability":
            score_columns.check_rows([one for each, one in part.items() if each.startswith(ROLE)], role)
        table = kind.from_columns(part, spec.classes, role, true, spec.ordered)
        text = isinstance(table.labels[0], str)
        ordered: bool | None = spec.ordered or true.has_order(table.labels)
        if spec.ordered and spec.classes is None and text:
            raise no_order()
        if spec.classes is not None and not spec.ordered:
            ordered = None if text else False
        tables[name] = table, ordered
    return tables


def kind_of_classes(cases: CaseSpec | Sample) -> type[ClassScores]:
    """The type of the tables of a score per class."""
    return ClassLogits if cases.score_kind == "logit" else ClassScores


def _class_scores(columns: Batch, answers: Answers, spec: CaseSpec, data: Facts) -> dict[str, Any]:
    """A score per class. A class without a column in one of the models has missing scores there."""
    shared = {role: columns[role] for role in ("truth", "weight") if role in columns}
    parts = {
        name: shared | {f"score {i + 1}": column for i, column in enumerate(several)}
        for name, several in answers.items()
    }
    tables = class_scores_of(parts, spec)
    first, ordered = next(iter(tables.values()))
    sets = {frozenset(table.labels) for table, _ in tables.values()}
    labels = first.labels if len(sets) == 1 else tuple(sorted(frozenset().union(*sets)))
    views: dict[Any, Any] = {}
    output, truth = [], np.empty(0, np.int64)
    for i, (table, _) in enumerate(tables.values()):
        among = np.array([labels.index(label) for label in table.labels])
        scores = np.full((len(table.truth), len(labels)), np.nan, table.score.dtype)
        scores[:, among] = table.score
        truth, views[i] = among[table.truth], table
        output.append(scores)
    return {
        "task": "multiclass", "truth": truth, "output": tuple(output), "labels": labels, "ordered": ordered,
        "affix": first.affix, "info": data(None, None), "views": views,
    }  # fmt: skip


def several_labels(spec: CaseSpec) -> tuple[Cases, Sample]:
    """The cases of arrays with a column per label, and what is known of them."""
    weighting.weight_kind(spec.weight_kind, spec.weight)
    models, truth = by_name(spec.predicted), indicators(spec.truth, "truth")
    others = spec.of_columns({"truth": None, "predicted": None}).columns(arrays=True)
    batch = {"truth": Column("truth", np.zeros(len(truth), np.int8))}
    batch |= {role: read_column(one, role) for role, one in others.items()}
    views, output = {}, []
    for i, one in enumerate(models.values()):
        views[i] = IndicatorTable.from_arrays(
            truth=spec.truth, predicted=one, weight=spec.weight, weight_kind=spec.weight_kind
        )
        order = names_and_order(None, spec.truth, one)[1]
        output.append(indicators(one, "predicted")[:, slice(None) if order is None else order])
    cases = Cases(Source("arrays", iter([batch])), spec, models=dict.fromkeys(models, ()))
    columns = cases.columns()
    kept = columns["truth"].kept
    rows = np.arange(len(truth)) if kept is None else kept
    index = {**_index(columns), **index_of_parts(columns, spec, True)}
    weights, squares = _weights(columns.get("weight"), len(rows))
    return cases, Sample(
        "multilabel", "predicted", truth[rows], tuple(one[rows] for one in output), tuple(models), weights,
        squares, index, views[0].labels, cases.data(None, None), memory=spec.memory, views=views,
    )  # fmt: skip


def _amounts(truth: Column, answers: Answers, data: Facts) -> dict[str, Any]:
    """Predicted amounts."""
    output = tuple(finite(column) for [column] in answers.values())
    about = {"task": "regression", "labels": (), "info": data(None, None)}
    return {"truth": finite(truth), "output": output, **about}


# From a sample to its summaries
# -------------------------------------------------------------------------------------------------------


def summary_of(sample: Sample, model: int) -> Any:
    """The summary of one model: a table of scores or per class, counts, a matrix, indicators or residuals."""
    if model not in sample.views:
        sample.views[model] = _summarised(sample, model)
    return sample.views[model]


def _summarised(sample: Sample, model: int) -> Any:
    truth, output, labels = sample.truth, sample.output[model], sample.labels
    kind = _weight_kind(sample)
    weight = None if kind is None else Column("weight", sample.weight, weight_kind=kind)
    if sample.task == "regression":
        return Residuals.from_columns(Column("truth", truth), Column("predicted", output), weight)
    if sample.task == "multilabel":
        return IndicatorTable.from_arrays(truth=truth, predicted=output, weight=weight, labels=labels)
    if sample.kind == "score" and sample.task == "multiclass":
        return _per_class(sample, model)
    if sample.kind == "score":
        return kind_of_table(sample).from_arrays(truth=truth, score=output, weight=weight, weight_kind=kind)
    if sample.task == "binary":
        return counts_of(sample, answers_of(sample, model))
    size = len(labels) + bool(sample.no_answer[model])
    return ConfusionMatrix(labels, *_sums(sample, truth * size + output, (size, size)), sample.ordered)


def cells_of(sample: Sample, model: int) -> dict[type, Array]:
    """By type of summary the cell of each case, or whether it counts in each: `Sampling` has their order."""
    truth, output = sample.truth, sample.output[model]
    if sample.task == "multilabel":
        every, exact = np.ones(len(truth), bool), (truth == output).all(1)
        outcomes = (truth & output, ~truth & output, truth & ~output)
        return {IndicatorTable: np.column_stack([every, exact, *outcomes])}
    if sample.task != "regression":
        table = summary_of(sample, model)
        if isinstance(table, ConfusionMatrix):
            return {ConfusionMatrix: truth * len(table.weights) + output}
        matrix = table.confusion(sample.ordered)
        among = np.array([matrix.labels.index(label) for label in table.labels])
        cell = among[table.truth] * len(matrix) + among[table.predicted()[0]]
        return {ClassScores: np.arange(len(sample)), ConfusionMatrix: cell}
    order = np.lexsort((truth, output - truth))
    pairs = np.stack([truth, output])[:, order]
    new = (pairs[:, 1:] != pairs[:, :-1]).any(0)
    cell = np.empty(len(truth), np.int64)
    cell[order] = np.append(0, np.cumsum(new))
    return {Residuals: cell}


def _weight_kind(sample: Sample) -> WeightKind | None:
    """The kind of the weights; None where each is 1."""
    if weighting.are_ones(sample.weight):
        return None
    return "count" if sample.counts else "importance"


def _sums(sample: Sample, cell: Array, shape: tuple[int, ...]) -> tuple[Any, Any]:
    """The weight in each cell, and the squared weight; None where the weights are numbers of cases."""
    size, vary = int(np.prod(shape)), _weight_kind(sample) == "importance"
    squares = sample.squares if vary else None
    return both(lambda one: kernels.sums(cell, one, size).reshape(shape), sample.weight, squares)


def answers_of(sample: Sample, model: int) -> Array:
    """Of predicted labels of two classes whether each is the positive one: wrongly without an answer."""
    codes = sample.output[model]
    return np.where(codes == len(sample.labels), ~sample.truth, codes == 1)


def unanswered_of(sample: Sample, model: int) -> Array | None:
    """Whether the answer is no class; None where there is no such answer."""
    return sample.output[model] == len(sample.labels) if sample.no_answer[model] else None


def counts_of(sample: Sample, called: Array) -> Counts:
    """The four counts of two classes. called: whether a case is predicted positive."""

    def counts(sums: Array) -> Counts:
        tn, fp, fn, tp = sums.tolist()
        return Counts.of(tp, fp, fn, tn)

    found, squares = both(counts, *_sums(sample, 2 * sample.truth + called, (4,)))
    return found.with_squares(squares)


def _per_class(sample: Sample, model: int) -> ClassScores:
    score, weight = sample.output[model], sample.weight.copy()
    there = np.flatnonzero(~np.isnan(score[0])) if len(score) else np.arange(len(sample.labels))
    place_of = np.zeros(len(sample.labels), np.int64)
    place_of[there] = np.arange(len(there))
    labels, kind = tuple(sample.labels[i] for i in there), kind_of_classes(sample)
    codes, about = place_of[sample.truth], (sample.affix, _weight_kind(sample))
    return kind(labels, codes, score[:, there], weight, *about)


# In an order that depends on the cases alone
# -------------------------------------------------------------------------------------------------------


def scores_of(sample: Sample, model: int, score: Array | None = None) -> ScoredCases:
    """The cases of two classes with their scores; predicted labels are scores of 0 and 1.

    score: in place of that of the model.
    """
    kind: WeightKind = "count" if sample.counts else "importance"
    name = ScoredCases, model
    if score is not None:
        return ScoredCases(sample.truth, score, sample.weight, kind_of_table(sample), kind)
    if name not in sample.views:
        scored = sample.kind == "score"
        score = sample.output[model] if scored else answers_of(sample, model).astype(np.float32)
        cases = ScoredCases(sample.truth, score, sample.weight, kind_of_table(sample), kind)
        sample.views[name] = cases.with_table(summary_of(sample, model)) if scored else cases
    return sample.views[name]


def scored_cases(sample: Sample, model: int = 0, score: Array | None = None) -> tuple[ScoredCases, Array]:
    """The same in an order of their own, and that order.

    Without units a case with a count of 2 is two cases, and importance weights add up to the effective number
    of cases.
    """
    units = sample.units
    if sample.kind == "score":
        summary_of(sample, model)  # which each case by itself has, too
    each = sample.one_by_one() if units is None else sample
    cases = scores_of(each, model, score)
    keys = () if units is None else np.atleast_2d(units)
    order = content_order(-cases.score, ~cases.positive, cases.weight, *keys)
    cases = cases.reordered(order)
    return cases.in_cases() if units is None else cases, order


def sample_of_cases(cases: ScoredCases, units: Array | None, info: DataInfo) -> Sample:
    """The sample of cases with scores. units: as `Sample.units`."""
    names = () if units is None else OF_UNITS[name_of_units(units)]
    index = {
        name: Index(codes, range(int(codes.max()) + 1))
        for name, codes in zip(names, np.atleast_2d(units), strict=False)  # type: ignore[arg-type]
    }
    squares = cases.weight if cases.counts_cases else np.square(cases.weight)
    return Sample(
        "binary", "score", cases.positive, (cases.score,), (None,), cases.weight, squares, index,
        ("negative", "positive"), info, "logit" if issubclass(cases.kind, LogitTable) else None,
        views={0: cases.table},
    )  # fmt: skip


# Resamples
# -------------------------------------------------------------------------------------------------------


class _IndicatorSums(IndicatorTable):
    """The counts of each label in resamples, without those of pairs."""

    def one_vs_rest(self) -> Counts:
        tp, fp, fn = np.moveaxis(self.together.reshape(len(self.together), 3, -1), 1, 0)
        return Counts.of(tp, fp, fn, np.maximum(np.asarray(self.total)[:, None] - tp - fp - fn, 0.0))


def resampled(sample: Sample, weight: Array) -> tuple[Any, ...]:
    """The summaries of the first model with other weights of the cases, shape (replicates, n).

    They have a leading axis. Amounts must be in the order of their errors.
    """
    truth, output, size = sample.truth, sample.output[0], len(sample.labels)
    if sample.task == "regression":
        return (Residuals.of(output - truth, weight, None, truth),)
    if sample.task == "multilabel":
        kinds = truth & output, ~truth & output, truth & ~output, (truth == output).all(1)[:, None]
        sums = weight @ np.hstack(kinds).astype(float)
        return (_IndicatorSums.of(sample.labels, sums[:, :-1], weight.sum(-1), sums[:, -1]),)
    if sample.kind == "score":
        table = summary_of(sample, 0).resampled(weight)
        return table.confusion(sample.ordered), table
    size += sample.no_answer[0]
    cells = kernels.sums(truth * size + output, weight, size**2)
    return (ConfusionMatrix.of(sample.labels, cells.reshape(-1, size, size), None, sample.ordered),)


def losses_of(sample: Sample, loss: Callable[..., Array]) -> Array:
    """The loss of each case of the first model: of errors, or of scores per class."""
    if sample.task == "regression":
        return loss(sample.output[0] - sample.truth)
    return loss(summary_of(sample, 0))
