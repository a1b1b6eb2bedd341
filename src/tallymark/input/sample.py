"""The sample that a verb measures: facts of its data, its index columns, groups, and the persons compared."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from pathlib import PurePath
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from .. import kernels
from . import memory
from .arguments import CLUSTERS, OF_UNITS, PERSONS
from .calls import current_call
from .columns import Column
from .errors import InputError, assigned, option
from .labels import coded, number_of, together
from .results import Result
from .score_columns import NAMES
from .text import whole
from .validate import refuse_rows, shown
from .weighting import are_ones, effective, ones

# The facts about the data that no summary holds
# --------------------------------------------------------------------------------------------------

Task = Literal["binary", "multiclass", "multilabel", "regression"]
TASKS: tuple[Task, ...] = get_args(Task)


def today() -> str:
    """The date in UTC, or that of SOURCE_DATE_EPOCH, by which programs make the same files again."""
    seconds = os.environ.get("SOURCE_DATE_EPOCH", "")
    return time.strftime("%Y-%m-%d", time.gmtime(int(seconds) if seconds.isdecimal() else None))


@dataclass(frozen=True, slots=True, repr=False)
class DataInfo(Result):
    """The facts about the cases.

    rows: cases used; positives, negatives: their weight (None for many classes); dropped: rows left out for
    missing values; dropped_unanswered: those of them that have a true label, but no score or prediction;
    effective_rows: Kish's effective sample size of importance weights, else None; weightless: rows of weight
    0, which are left out; whole_weights: whether importance weights that are not all 1 are whole, and
    weight_kind is not passed; weight_kind: "count" or "importance", "mixed" where sets of cases with weights
    of both kinds are combined, None without weights; folds: number of folds whose models scored the cases, 0
    for one model; differing: number of cases for which an estimator predicts another label than its score at
    the threshold; positive_by_name: whether the positive label is the one called "positive", and not passed;
    memory: the bytes that its distinct scores exceeded, 0 where they fit; name: what the result is called,
    where that was passed; date: of the evaluation; call: the call that made it; files: the path, the size and
    the time of change of each file that was read.
    """

    rows: float
    positives: float | None
    negatives: float | None
    weighted: bool
    source: str
    dropped: int = 0
    effective_rows: float | None = None
    weightless: int = 0
    whole_weights: bool = False
    weight_kind: str | None = None
    folds: int = 0
    differing: int = 0
    dropped_unanswered: int = 0
    positive_by_name: bool = False
    memory: int = 0
    name: str = ""
    date: str = field(default_factory=today, compare=False)
    call: str = field(default_factory=current_call, compare=False)
    files: tuple[tuple[str, int, int], ...] = field(default=(), compare=False)

    @property
    def counted(self) -> bool:
        """Whether cases are counted: there are no weights, or these are numbers of cases."""
        return self.weight_kind in (None, "count")

    @property
    def sha256(self) -> str:
        """The fingerprint of the file that was read, as `sha256sum` gives it, in hexadecimal digits.

        It is worked out when it is read. Of several files it is that of their fingerprints, one a line; it is
        empty for other data, and where a file was changed since it was read.
        """
        return sha256_of(self.files) if self.files else ""

    @property
    def called(self) -> str:
        """What the result is called: its name, else that of the file; else empty."""
        return self.name or ("" if self.source.isidentifier() else PurePath(self.source).name)

    @property
    def head(self) -> str:
        """The same with a colon, before what is said of the data."""
        return f"{self.called}: " if self.called else ""

    def of_classes(self, positives: float | None, negatives: float | None) -> DataInfo:
        """The same facts with the weights of both classes."""
        return replace(self, positives=positives, negatives=negatives)

    def to_dict(self) -> dict[str, Any]:
        """Plain values; positives and negatives where there are two classes."""
        classes = {"positives": self.positives, "negatives": self.negatives}
        sizes = {
            "rows": self.rows,
            **{name: whole(size) for name, size in classes.items() if size is not None},
        }
        sizes["dropped"] = self.dropped
        about = {"weighted": self.weighted, "weight_kind": self.weight_kind, "source": self.source}
        more = {name: getattr(self, name) for name in ("name", "date", "call", "sha256")}
        return {**sizes, **about, **{name: text for name, text in more.items() if text}}


@lru_cache(maxsize=64)
def sha256_of(files: tuple[tuple[str, int, int], ...]) -> str:
    """The fingerprint of these files, if each has the size and the time of change that it had."""
    import hashlib

    found = []
    for path, *stamp in files:
        try:
            with open(path, "rb") as file:
                about = os.fstat(file.fileno())
                if [about.st_size, about.st_mtime_ns] != stamp:
                    return ""
                found.append(hashlib.file_digest(file, "sha256").hexdigest())
        except OSError:
            return ""
    return found[0] if len(found) == 1 else hashlib.sha256("\n".join(found).encode()).hexdigest()


VARIES = {
    "cohort": "design: cohort, so that {mix} varies from sample to sample",
    "case-control": "design: case-control, intervals for fixed {sizes}",
}
BY_WEIGHTS = "design: cohort, in which the weights fix {mix}"
OF_CLASSES = {"mix": "the class mix", "sizes": "class sizes"}
OF_COMPARISONS = {"sizes": "numbers of mated and of non-mated comparisons"}


def conditions(
    design: str | None,
    weight_kind: str | None,
    terms: Mapping[str, str] = OF_CLASSES,
    fixed_by_weights: bool = False,
) -> str:
    """The conditions of the intervals, on one line: the design and the kind of the weights.

    design: None without classes; fixed_by_weights: whether class weights fix the class mix.
    """
    varies = design and (BY_WEIGHTS if fixed_by_weights and design == "cohort" else VARIES[design]).format(
        **terms
    )
    return "; ".join(part for part in (varies, weight_kind and f"weights: {weight_kind}") if part)


def named(design: str | None, fixed_by_weights: bool | None = None) -> dict[str, str | bool]:
    """The design, and whether class weights fix the class mix, as entries of plain values.

    The latter only where it is known; no entries without classes.
    """
    if design is None:
        return {}
    return {"design": design} | (
        {} if fixed_by_weights is None else {"mix_fixed_by_weights": fixed_by_weights}
    )


def kind_of_summary(weighted: bool) -> str | None:
    """The kind of the weights of a summary, in which whole weights and none look the same."""
    return "importance" if weighted else None


def kind_of_weights(kinds: Iterable[str | None]) -> str | None:
    """The kind of the weights of several sets of cases together."""
    found = {kind for kind in kinds if kind is not None}
    return found.pop() if len(found) == 1 else "mixed" if found else None


def of_several(parts: Sequence[DataInfo], source: str, dropped: int = 0) -> DataInfo:
    """The facts about several sets of cases together.

    dropped: rows left out, where they were counted once for all sets.
    """
    dropped = dropped or sum(one.dropped for one in parts)
    positives, negatives = _sum(one.positives for one in parts), _sum(one.negatives for one in parts)
    weighted, kind = any(one.weighted for one in parts), kind_of_weights(one.weight_kind for one in parts)
    rows, weightless = sum(one.rows for one in parts), sum(one.weightless for one in parts)
    return DataInfo(
        rows, positives, negatives, weighted, source, dropped, weightless=weightless, weight_kind=kind
    )


def _sum(sizes: Iterable[float | None]) -> float | None:
    """The sum; None where one of the numbers is not known."""
    all_of = list(sizes)
    known = [size for size in all_of if size is not None]
    return sum(known) if len(known) == len(all_of) else None


# A sample: the cases that a verb measures, with the outputs of all models and the index columns
# --------------------------------------------------------------------------------------------------

Array = np.ndarray[Any, np.dtype[Any]]
CASE = 40  # bytes of memory for a case of two models, one by one
MOST_CASES = 1 << 28  # made of weights: some 4 GB
SMALL = 1 << 16  # codes below it are sorted by counting


def name_of_units(units: Array) -> str:
    """What units are. units: the cluster of each case, or in two rows its two persons."""
    return CLUSTERS if units.ndim == 1 else PERSONS


@dataclass(frozen=True, eq=False)
class Index:
    """A column that divides cases: by cluster, group, fold, sample or person.

    codes: the number of each case, or of each entry, of which `cases` has the numbers of cases, from 0 on;
    labels: by number; of groups and folds the label in each of `columns`, the names of their columns.
    """

    codes: Array
    labels: Sequence[Any]
    columns: tuple[str, ...] = ()
    cases: Sequence[int] | None = None

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The name of each group: its labels, with the columns where those alone are not distinct."""
        short = [", ".join(str(_plain(label)) for label in one) for one in self.labels]
        if len(set(short)) == len(short):
            return tuple(short)
        long = [
            ", ".join(f"{name}={label!r}" for name, label in zip(self.columns, one, strict=True))
            for one in self.labels
        ]
        return tuple(long)

    @cached_property
    def sizes(self) -> Array:
        """The number of rows of each group."""
        return np.bincount(self.codes, minlength=len(self.labels))

    @property
    def numbers(self) -> Array:
        """The number of cases of each group."""
        return self.sizes if self.cases is None else np.bincount(self.codes, self.cases).astype(np.int64)

    def rows(self, group: int) -> Array:
        """The indices of the rows of a group, in their order."""
        first = self._starts[group]
        return self._order[first : first + self.sizes[group]]

    @cached_property
    def _starts(self) -> Array:
        return np.cumsum(self.sizes) - self.sizes

    @cached_property
    def _order(self) -> Array:
        """The rows, sorted by group once for all groups."""
        small = self.codes.astype(np.uint16) if len(self.labels) <= SMALL else self.codes
        return np.argsort(small, kind="stable")


@dataclass(frozen=True, eq=False)
class Sample:
    """Cases with the outputs of one model or several.

    truth: of two classes whether a case is positive, shape (n,); of several the place of its class among the
    labels; of several labels per case indicators, shape (n, labels); of a regression amounts. output: by
    model, shape (n,) or (n, classes): scores, higher for positives, in their own type; predicted classes
    coded as the truth, len(labels) for an answer that is no class; or amounts. models: their names, None for
    the only one without. weight: above 0, without weights a view of a single 1; squares: the squared weight
    of each case, and where the weights are numbers of cases the weights themselves. index: by "cluster",
    "group", "fold", "sample", "person_1", "person_2". labels: of the classes, the negative one before the
    positive one. info: sizes, dropped rows, source. score_kind, higher_is_positive: as they were passed;
    ordered: whether the classes are in their order; no_answer: by model whether there are answers that are no
    class; affix: the text before and after the labels in the names of columns; memory: the argument; views:
    summaries, by model.
    """

    task: Task
    kind: Literal["score", "predicted"]
    truth: Array
    output: tuple[Array, ...]
    models: tuple[str | None, ...]
    weight: Array
    squares: Array
    index: Mapping[str, Index]
    labels: tuple[Any, ...]
    info: DataInfo
    score_kind: str | None = None
    higher_is_positive: bool = True
    ordered: bool | None = False
    no_answer: tuple[bool, ...] = ()
    affix: tuple[str, str] | None = None
    memory: Any = None
    views: dict[Any, Any] = field(default_factory=dict, repr=False)

    def __len__(self) -> int:
        return len(self.truth)

    @property
    def strata(self) -> Array:
        """The class of each case as a code: of two classes 0 for positives; 0 where there are no classes."""
        if self.task == "multiclass":
            return self.truth
        return (~self.truth).view(np.uint8) if self.task == "binary" else np.zeros(len(self), np.uint8)

    @property
    def columns_of_units(self) -> list[Index]:
        """The column of the units that were sampled, or those of two persons; none where the cases were."""
        names = next((names for names in OF_UNITS.values() if names[0] in self.index), ())
        return [self.index[name] for name in names]

    @cached_property
    def units(self) -> Array | None:
        """The units that were sampled and occur, from 0 on; None where the cases were.

        They are the cluster of each case, or in two rows its two persons, who may be one.
        """
        columns = self.columns_of_units
        if not columns:
            return None
        codes = np.stack([one.codes for one in columns])
        found: Array = np.unique(codes, return_inverse=True)[1].reshape(codes.shape)
        return found if len(columns) > 1 else found[0]

    @property
    def counts(self) -> bool:
        """Whether weights are numbers of cases."""
        return self.squares is self.weight

    def take(self, rows: Array) -> Sample:
        """These cases, in this order, with the labels and the kind of weights of all."""
        weight = kernels.taken(self.weight, rows)
        squares = weight if self.counts else kernels.taken(self.squares, rows)
        index = {name: replace(one, codes=one.codes[rows]) for name, one in self.index.items()}
        truth, output = self.truth[rows], tuple(one[rows] for one in self.output)
        info = self._info_of(truth, weight, squares)
        part: dict[str, Any] = {"truth": truth, "output": output, "weight": weight, "squares": squares}
        return replace(self, **part, index=index, info=info, views={})

    def where(self, **codes: int) -> Sample:
        """The cases with this number in a column, as where(group=2)."""
        [(name, code)] = codes.items()
        return self.take(self.index[name].rows(code))

    def only(self, model: int) -> Sample:
        """One of the models."""
        views = {0: self.views[model]} if model in self.views else {}
        lacking = self.no_answer[model : model + 1]
        return replace(
            self, output=(self.output[model],), models=(self.models[model],), no_answer=lacking, views=views
        )

    def one_by_one(self) -> Sample:
        """The same, where a case with a count of 2 is two cases.

        Raises InputError where they are more than the memory holds.
        """
        if are_ones(self.weight) or not self.counts:
            return self
        cases = float(self.weight.sum())
        if memory.exceeds(int(CASE * cases), self.memory):
            needs = f"{cases:,.0f} cases need {CASE * cases / 2**20:,.0f} MiB"
            problem = f"cases are compared and resampled case by case, and by their weights {needs}"
            raise InputError("unsupported", "memory", problem, "pass more, or some of the rows, or evaluate")
        if cases > MOST_CASES:
            problem = f"the weights stand for {cases:.4g} cases, too many to take one by one"
            raise InputError("unsupported", "weight", problem, "use fewer, or evaluate")
        rows = self.each_case
        weight = ones(len(rows))
        return replace(self.reordered(rows), weight=weight, squares=weight, info=self.info)

    @cached_property
    def each_case(self) -> Array:
        """The row of each case, where weights are numbers of cases."""
        return np.repeat(np.arange(len(self)), self.weight.astype(np.int64))

    def reordered(self, rows: Array) -> Sample:
        """All cases by their rows, in another order or each by itself: with the tables of scores known."""
        scored = self.task == "binary" and self.kind == "score"
        views = {i: table for i, table in self.views.items() if isinstance(i, int)} if scored else {}
        return replace(self.take(rows), views=views)

    def _info_of(self, truth: Array, weight: Array, squares: Array) -> DataInfo:
        """The facts about some of the cases."""
        total = float(weight.sum())
        positives = negatives = None
        if self.task == "binary":
            positives = float(weight[truth].sum())
            negatives = total - positives
        rows = len(truth) if self.info.weighted else int(total)
        cases = None if squares is weight else effective(total, squares.sum())
        return DataInfo(
            rows, positives, negatives, self.info.weighted, self.info.source, effective_rows=cases,
            weight_kind=self.info.weight_kind,
        )  # fmt: skip


def _plain(label: Any) -> Any:
    """A whole number without a point."""
    return int(label) if isinstance(label, float) and label.is_integer() else label


# Groups of cases: the columns that `by` names, and which group each case is in
# --------------------------------------------------------------------------------------------------

BY, FOLD = "by", "fold"  # arguments that name such columns
OF_ARRAY = {BY: "group", FOLD: "fold"}  # names of columns that have none
USUAL = {BY: "site", FOLD: "fold"}  # of a column, in a message


def columns_by(given: Any, arrays: bool, argument: str = BY) -> dict[str, Any]:
    """The columns of `by`, by role: "by", or "by 1", "by 2", ... Raises InputError where there is none.

    argument: "by" or "fold".
    """
    parts = _parts(given, arrays)
    if not parts:
        raise InputError("needed", argument, "no column is named", f"as {option(argument, USUAL[argument])}")
    if len(parts) == 1:
        return {argument: parts[0]}
    return {f"{argument} {i + 1}": part for i, part in enumerate(parts)}


def _parts(given: Any, arrays: bool) -> list[Any]:
    if isinstance(given, Mapping):
        return list(given.values())
    if isinstance(given, str) or not (_of_arrays(given) if arrays else isinstance(given, (list, tuple))):
        return [given]
    return list(given)


def _of_arrays(given: Any) -> bool:
    """Whether it is a list of columns, and not one column."""
    return (
        isinstance(given, (list, tuple))
        and len(given) > 0
        and all(hasattr(one, "__len__") and not isinstance(one, (str, bytes)) for one in given)
    )


def names_by(given: Any, arrays: bool, argument: str = BY) -> tuple[str, ...]:
    """The names of these columns; an array has that of its series, else "group", or "fold"."""
    if isinstance(given, Mapping):
        return tuple(map(str, given))
    parts = _parts(given, arrays)
    own = OF_ARRAY[argument]
    plain = [own] if len(parts) == 1 else [f"{own} {i + 1}" for i in range(len(parts))]
    named = (part if isinstance(part, NAMES) else getattr(part, "name", None) for part in parts)
    named = (str(name) if not arrays and isinstance(name, NAMES) else name for name in named)
    return tuple(name if isinstance(name, str) else other for name, other in zip(named, plain, strict=True))


def groups_of(columns: Sequence[Column], names: tuple[str, ...], argument: str = BY) -> Index:
    """The groups of the cases. Raises InputError where a name occurs twice."""
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InputError("repeated", argument, f"{shown(twice)} is named twice", "name every column once")
    each = [_coded(column) for column in columns]
    codes = each[0][1]
    for labels, more in each[1:]:
        codes = codes * len(labels) + more
    present, codes = coded(codes)
    return Index(codes, [_labels_at(int(one), each) for one in present], names)


def index_of(column: Column) -> Index:
    """The number of each value of a column, in order. Raises InputError for a missing one."""
    problem, remedy = "the value in {row} is missing", "give one to every case"
    refuse_rows(column, column.gaps(), problem, remedy, code="missing-value")
    labels, codes = _coded(column)
    return Index(codes, labels)


def _labels_at(code: int, each: Sequence[tuple[list[Any], Array]]) -> tuple[Any, ...]:
    """The label in each column of a joint code."""
    found: list[Any] = []
    for labels, _ in reversed(each):
        code, place = divmod(code, len(labels))
        found.insert(0, labels[place])
    return tuple(found)


def _coded(column: Column) -> tuple[list[Any], Array]:
    """The labels that occur, and the index of that of each case.

    They are in the order that their type declares; text in natural order, with 10 after 9.
    """
    found, (codes,) = together(column.values)
    labels: list[Any] = [one if isinstance(one, (str, bool, int, float)) else str(one) for one in found]
    levels = column.levels
    if levels is not None and levels.ordered and {*labels} <= {*levels.labels}:
        order = sorted(range(len(labels)), key=lambda i: levels.labels.index(labels[i]))
    elif isinstance(labels[0], str):
        order = _natural_order(labels)
    else:
        return labels, codes
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    return [labels[i] for i in order], place[codes]


def _natural_order(texts: Sequence[str]) -> list[int]:
    """The places of texts in order: different numbers by value, else by the whole numbers in them, too."""
    numbers = [number_of(text) for text in texts]
    if len({*numbers}) == len(texts) and not any(isinstance(number, str) for number in numbers):
        return sorted(range(len(texts)), key=numbers.__getitem__)
    parts = [re.split("0*([0-9]+)", text) for text in texts]  # of two whole numbers the longer is larger
    keys = [[(len(part) if i % 2 else 0, part) for i, part in enumerate(one)] for one in parts]
    return sorted(range(len(texts)), key=keys.__getitem__)


# The two persons of each case, such as a comparison: they may be one
# --------------------------------------------------------------------------------------------------

ROLES = ("persons[0]", "persons[1]")
HOW = "give two columns or two arrays, as {persons}: the two persons of each case"


class SamePerson(NamedTuple):
    """The two persons of comparisons, of which the positive (mated) ones are of a person with himself."""

    first: Any
    second: Any


def both_persons(persons: Any) -> dict[str, Any]:
    """The two columns, by role; empty for None. Raises InputError for anything but two columns or arrays."""
    if persons is None:
        return {}
    if isinstance(persons, np.ndarray) and persons.ndim == 2 and persons.shape[1] == len(ROLES):
        persons = tuple(persons.T)
    if isinstance(persons, str) or not isinstance(persons, (tuple, list)) or len(persons) != len(ROLES):
        raise InputError(
            "invalid-value",
            "persons",
            f"{shown(persons)} is not understood",
            HOW.format(persons=assigned("persons", "('id1', 'id2')")),
            value=persons,
        )
    if isinstance(persons[0], str) and persons[0] == persons[1]:
        raise InputError(
            "conflict",
            "persons",
            f"{shown(persons[0])} is the column of both",
            f"name two columns; of cases with one person each it is {option('clusters', persons[0])}",
            value=persons,
        )
    return dict(zip(ROLES, persons, strict=True))


def numbered(
    columns: Sequence[Column], mated: np.ndarray | None = None
) -> tuple[list[Any], Sequence[np.ndarray]]:
    """The persons who occur, and in each of two columns their numbers.

    mated: whether the two are one, where that is known. Raises InputError where it is not so.
    """
    first, second = columns
    if _is_text(first) != _is_text(second):
        first, second = _as_text(first, second), _as_text(second, first)
    labels, (left, right) = together(first.values, second.values)
    wrong = np.flatnonzero(False if mated is None else mated != (left == right))
    if mated is not None and len(wrong):
        raise _contradiction(columns, int(wrong[0]), bool(mated[wrong[0]]), len(wrong))
    return labels, (left, right)


def _contradiction(columns: Sequence[Column], row: int, mated: bool, number: int) -> InputError:
    first, second = columns
    one, other = (
        shown(column.values[row].item() if hasattr(column.values[row], "item") else column.values[row])
        for column in (first, second)
    )
    what = (
        f"a mated comparison, but of two persons, {one} and {other}"
        if mated
        else f"a non-mated comparison, but of {one} with itself"
    )
    more = f" ({number:,} such rows in all)" if number > 1 else ""
    return InputError(
        "mismatch",
        "persons",
        f"{first.row(row)} is {what}{more}",
        "correct the label or the persons",
        row=first.number(row),
    )


def _as_text(column: Column, other: Column) -> Column:
    """Whole numbers as the texts that a file has for them. Raises InputError for other numbers."""
    if _is_text(column):
        return column
    if column.values.dtype.kind not in "iu":
        raise InputError(
            "mismatch",
            "persons",
            f"{other} holds text and {column} numbers that are not whole, so that no person is in both",
            "pass both as text, as with .astype(str)",
        )
    distinct, places = np.unique(column.values, return_inverse=True)
    texts = np.array([*map(str, distinct.tolist()), None], object)[:-1]
    return replace(column, values=texts[places])


def _is_text(column: Column) -> bool:
    values = column.values
    return values.dtype.kind in "OUST" and len(values) > 0 and isinstance(values[0], str)
