"""The sums of the summaries of cases, batch by batch: of files, of streams, and of parts that are merged.

Tables of scores are held in bounded memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, fields, replace
from functools import partial
from glob import glob
from itertools import chain
from os import PathLike
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ..inference.interval import Scale
from ..input import Cases, CaseSpec, KeepingTruth, columns, memory, read
from ..input.cases import nbytes
from ..input.columns import Column, Levels
from ..input.errors import InputError, option
from ..input.labels import BinaryLabels, Coded
from ..input.memory import Bound, Parts, Sum, add_up
from ..input.score_columns import is_indicator
from ..input.sources import Batch, Source, tally
from ..input.spec import COLUMNS, FEWEST_BINS
from ..input.validate import shown
from ..measures import registry
from ..summaries import BinnedTable, ConfusionMatrix, IndicatorTable, LogitTable, RankingTable, Residuals
from ..summaries.binned import BYTES, MOST, BinCounts
from ..summaries.engines import Engine, amounts
from ..summaries.passes import PowerSums
from ..summaries.samples import kind_of_table, matrix_of, score_of, several_labels, summary_of

PAIR = 128  # bytes for each distinct pair of amounts, with what adding and measuring need
COPIES = 6  # of the columns of a score per class, for the same
OF_BINS = 6  # parts of the memory, one of which bins may take


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
        kind, result = kind_of_table(spec), Parts()
        scores = {
            (name if group is None else (name, group)): score_of(spec, one["score"], coded.column)
            for name, one in self.cases.by_model(batch).items()
        }
        for name, score in scores.items():
            bins = self.bins.get(name)
            if bins is None or not bins.takes(score.values):
                result[name] = kind.from_coded(self.labels, coded, score, weight)
            elif weight is None:
                bins.count(self.labels, coded, score)
            else:
                bins.add(kind.from_coded(self.labels, coded, score, weight))
        return result

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
        of_bin = OF_BINS * self.of_score
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


SETTINGS = (  # arguments that say what the columns of cases mean
    "regression",
    "positive",
    "predicted_positive",
    "not_an_answer",
    "classes",
    "ordered",
    "higher_is_positive",
    "score_kind",
    "weight_kind",
    "missing",
)
OF_NO_SUM = ("clusters", "persons", "by", "pair_by")  # columns that no sum holds
OF_READING = ("where", "memory", "bins", "tolerance")
# what `Cases` knows, and `BinaryLabels`
FACTS = (
    "rows", "dropped", "dropped_unanswered", "weightless", "weight", "weight_squares", "whole", "truth",
    "weights", "alike", "cells", "labels", "positive_met", "never_positive", "memory",
)  # fmt: skip
LABELS = ("classes", "wanted", "dtype", "positive", "negative", "found_positive", "levels")
MODELS = "models"
PARTS = ("described", "models", "facts", "labels", "summaries")  # of a file
TYPES: tuple[Any, ...] = (
    BinnedTable, Column, ConfusionMatrix, IndicatorTable, Levels, LogitTable, PowerSums, RankingTable,
    Residuals,
)  # fmt: skip
TO_THE_END = 1e-15  # of a range, where engines have no logarithm
Progress = Callable[[int], None] | None


class KeptCases(NamedTuple):
    """The cases of a release. columns: by name; salt, check: of the `Hashing` of the names of cases."""

    columns: Mapping[str, Column]
    salt: str
    check: str


@dataclass(eq=False)
class CaseSums:
    """What is known of cases that were read in batches; it adds up.

    cases: the description of the cases, and the facts about those that were read; labels: of two classes with
    scores; sum: by model the summaries, or of a score per class the batches; release: the cases themselves,
    where they are kept.
    """

    cases: Cases
    labels: BinaryLabels
    sum: Sum
    release: KeptCases | None = None

    @classmethod
    def read(
        cls,
        data: Any,
        spec: CaseSpec,
        progress: Progress = None,
        complete: bool = True,
        before: CaseSums | None = None,
        edges: Mapping[str | None, float | None] = MappingProxyType({}),
        parameters: Mapping[str, Mapping[str, Any]] = MappingProxyType({}),
    ) -> CaseSums:
        """The sums of the cases of arrays (data is None), a frame or files.

        complete: whether these are all the cases, of which there must then be some; before: the sums of
        earlier cases, whose labels are known; edges: by model the threshold at which bins end; parameters: of
        measures of amounts, by their names.
        Raises InputError as `input.read` and the summaries do.
        """
        given = data.data if isinstance(data, KeepingTruth) else data
        # sums of amounts do not add up with those of others
        engine = Engine.of(given, spec) if complete or not spec.regression else None
        if engine is not None and not engine.few:
            engine.edges = edges
            labels = BinaryLabels(spec.positive, spec.classes)
            found: dict[str | None, Any]
            if spec.regression:
                cases, found = amounts(engine, *_moments(parameters))
            elif spec.kind == "predicted":
                cases, found = engine.matrices(matrix_of)
            else:
                cases, by_group = engine.tables(labels)
                found = {name: one for name, [one] in by_group.items()}
            return cls(cases, labels, Sum([Parts(found)]))
        if given is None and not spec.regression and is_indicator(spec.truth):
            cases, sample = several_labels(spec)
            named = enumerate(sample.models)
            return cls(
                cases, BinaryLabels(), Sum([Parts({name: summary_of(sample, i) for i, name in named})])
            )
        cases = read(data, spec, progress, engine)
        if before is not None:
            cases.labels, labels = before.cases.labels, copy(before.labels)
        elif spec.kind == "score" and not spec.regression and not cases.per_class:
            labels = BinaryLabels(spec.positive, spec.classes)
        else:
            labels = BinaryLabels()
        tables = BoundedTables(cases, labels, edges.values(), None if before is None else before.sum.bound)
        summarise = tables if tables.apply else _summary(cases)
        bound = tables if tables.apply else EachCase(spec)
        total = cases.sum(summarise, tables.again, complete, bound)
        if tables.apply and total is not None:
            total, cases.memory = tables.whole(total), tables.memory
        return cls(cases, labels, Sum([] if total is None else [total]))

    @classmethod
    def of_release(cls, release: KeptCases, spec: CaseSpec, name: str) -> CaseSums:
        """Those of cases that are kept. spec: names the columns; name: of the file."""
        sums = cls.read(release.columns, spec.of_columns(dict.fromkeys(OF_NO_SUM)))
        cases = replace(sums.cases, spec=spec, source=Source(name, iter(())))
        return replace(sums, cases=cases, release=release)

    @property
    def by_model(self) -> Any:
        """The summaries by model, or of a score per class the list of batches."""
        return self.sum.total

    def without_cases(self) -> CaseSums:
        """The same. Raises InputError for a release."""
        if self.release is None:
            return self
        problem = f"{self.cases.source.name} is a release, whose cases do not add up with others"
        raise InputError("unsupported", "data", problem, "sum the cases themselves with `tallymark tally`")

    def __add__(self, other: CaseSums) -> CaseSums:
        """Those of all the cases together. Raises InputError where they are described in other ways."""
        self.without_cases(), other.without_cases()
        check_same(self.description, other.description)
        total, cases = self.sum + other.sum, self.cases + other.cases
        cases.memory = max(cases.memory, getattr(total.bound, "memory", 0))
        return CaseSums(cases, self.labels + other.labels, total)

    def in_brief(self) -> CaseSums:
        """The same without the columns from which it was read."""
        cases = self.cases
        no_columns = dict.fromkeys((*COLUMNS, "where"))
        spec = cases.spec.of_columns({**no_columns, "truth": "", cases.spec.kind: ""})
        truth, weights = (one and one.in_brief() for one in (cases.truth, cases.weights))
        source = Source(cases.source.name, iter(()))
        cases = replace(cases, source=source, spec=spec, truth=truth, weights=weights)
        return CaseSums(cases, self.labels, _bounded(cases, self.labels, self.sum))

    def to_bytes(self) -> bytes:
        """The content of a .tally file."""
        arrays, spec = list[np.ndarray](), self.cases.spec
        if self.release is not None:
            own = {"described": {name: getattr(spec, name) for name in SETTINGS}, "given": spec.given}
            meaning = {**own, **self.release._asdict()}
            return tally.to_bytes({name: _packed(one, arrays) for name, one in meaning.items()}, arrays)
        found = self.in_brief()
        total, labels = found.by_model, dict(vars(found.labels))
        if isinstance(total, list):
            total = [{role: columns.joined([batch[role] for batch in total]) for role in total[0]}]
        labels["dtype"] = labels["dtype"] and labels["dtype"].str
        meaning = {
            "cases": found.cases.spec.kind,
            "described": {name: getattr(found.cases.spec, name) for name in SETTINGS},
            "models": found.cases.models,
            "facts": {name: getattr(found.cases, name) for name in FACTS},
            "labels": {name: labels[name] for name in LABELS},
            "summaries": total,
        }
        return tally.to_bytes({name: _packed(one, arrays) for name, one in meaning.items()}, arrays)

    @classmethod
    def from_bytes(cls, content: bytes, name: str) -> CaseSums:
        """Of the content of a .tally file. Raises InputError for any other. name: of the file."""
        about, arrays = tally.from_bytes(content, name)
        try:
            if "given" in about:
                own: dict[str, Any] = {
                    **_unpacked(about["described"], arrays),
                    **_unpacked(about["given"], arrays),
                }
                release = KeptCases(*(_unpacked(about[part], arrays) for part in KeptCases._fields))
                return cls.of_release(release, CaseSpec(**own), name)
            held = {part: _unpacked(about[part], arrays) for part in PARTS}
            models = {model: tuple(roles) for model, roles in held["models"].items()}
            described: dict[str, Any] = {**held["described"], about["cases"]: ""}
            spec = CaseSpec(truth="", **described)
            facts, total, labels = held["facts"], held["summaries"], BinaryLabels(spec.positive)
            cells = facts.pop("cells")
            cases = Cases(Source(name, iter(())), spec, models=models, **facts)
            cases.cells = None if cells is None else frozenset(map(tuple, cells))
            cases.labels = tuple(cases.labels)
            vars(labels).update(held["labels"])
            labels.dtype = labels.dtype and np.dtype(labels.dtype)
            labels.levels = tuple(labels.levels)
        except (LookupError, TypeError, ValueError, StopIteration) as reason:
            raise tally.unreadable(name, reason) from None
        total = Parts(total) if isinstance(total, dict) else total and Batches.of(*total)
        return cls(cases, labels, _bounded(cases, labels, Sum([] if total is None else [total])))

    @property
    def description(self) -> dict[str, Any]:
        """What must be the same in cases that are added: their arguments, and the columns of each model."""
        spec = self.cases.spec
        described = {name: getattr(spec, name) for name in SETTINGS}
        models = self.cases.models
        columns = [f"{len(roles)} columns" for roles in models.values() if len(roles) > 1][:1]
        named = [] if None in models else ["models " + ", ".join(map(shown, models))]
        return described | {MODELS: " of ".join([spec.kind, *columns, *named])}


def check_same(one: Mapping[str, Any], other: Mapping[str, Any]) -> None:
    """Raises InputError for cases that are described in two ways, and so do not add up."""
    for name in {**one, **other}:
        said = [each.get(name) if name == MODELS else shown(each.get(name)) for each in (one, other)]
        if said[0] != said[1]:
            problem = f"{said[0]} for some of the cases and {said[1]} for others"
            argument = None if name == MODELS else name
            raise InputError("mismatch", argument, problem, "only cases that are described in one way add up")


def only_measured(spec: CaseSpec, counts: Any) -> None:
    """Raises InputError for arguments that describe cases, where their sums are passed."""
    plain = CaseSpec()
    names = (*SETTINGS, *OF_READING)
    changed = {name: one for name in names if (one := getattr(spec, name)) != getattr(plain, name)}
    for name in {**spec.given, **changed, **({} if counts is None else {"counts": counts})}:
        problem = "the cases were described when they were summed"
        raise InputError("conflict", name, problem, "leave it out")


def opened(data: Any) -> CaseSums | None:
    """The sums that an `Accumulator` or .tally files hold, several added up; None for other data.

    Files are paths or patterns. Raises InputError for what is no such file, whole and unchanged.
    """
    if isinstance(data, CaseSums):
        return data
    if hasattr(type(data), "_case_sums"):
        return data._case_sums
    paths = [data] if isinstance(data, (str, PathLike)) else data
    if not isinstance(paths, (list, tuple)) or not paths:
        return None
    other = next((one for one in paths if not tally.is_file(one)), None)
    if not any(map(tally.is_file, paths)):
        return None
    if other is not None:
        problem = f"{shown(other)} is no {tally.ENDING} file, and cases and sums are not read together"
        raise InputError("mismatch", "data", problem, "make one of the cases with `tallymark tally`")
    names = [str(one) for one in paths]
    files = [
        file for name in names for file in ([name] if Path(name).exists() else sorted(glob(name)) or [name])
    ]
    total: CaseSums = add_up(_opened(file) for file in files)
    name = files[0] if len(files) == 1 else f"{len(files)} files"
    return replace(total, cases=replace(total.cases, source=Source(name, iter(()))))


def _opened(file: str) -> CaseSums:
    tally.needs_pyarrow("data")
    try:
        content = Path(file).read_bytes()
    except OSError as reason:
        problem = f"it cannot be read ({reason.strerror})"
        raise InputError("unreadable", file, problem, "give the path of a .tally file") from None
    return CaseSums.from_bytes(content, file)


def _packed(value: Any, arrays: list[np.ndarray]) -> Any:
    """A value of these types as JSON; its arrays are appended."""
    if isinstance(value, np.ndarray):
        arrays.append(value)
        kind = "text" if value.dtype.kind in "OU" else value.dtype.str
        return {"array": len(arrays) - 1, "type": kind, "shape": value.shape}
    if type(value) in TYPES:
        parts = _parts(value)
        return {"kind": type(value).__name__, "parts": [_packed(part, arrays) for part in parts]}
    if isinstance(value, Mapping):
        return {"entries": [[_packed(part, arrays) for part in entry] for entry in value.items()]}
    if isinstance(value, (list, tuple, frozenset)):
        return [_packed(part, arrays) for part in value]
    return value.item() if isinstance(value, np.generic) else value


def _parts(value: Any) -> Sequence[Any]:
    """The arguments of its class that make a value of these types again."""
    if isinstance(value, Column):
        value = replace(value, missing=None, first_row=0, file=None, kept=None, index=None)
    if isinstance(value, (Column, PowerSums)):
        return [getattr(value, field.name) for field in fields(value)]
    return value if isinstance(value, Levels) else value.__reduce__()[1]


def _unpacked(packed: Any, arrays: Sequence[np.ndarray]) -> Any:
    """The value, of JSON and arrays."""
    if isinstance(packed, list):
        return [_unpacked(part, arrays) for part in packed]
    if not isinstance(packed, dict):
        return packed
    if "array" in packed:
        array = arrays[packed["array"]]
        array = array if packed["type"] == "text" else array.view(packed["type"])
        return array.reshape(packed["shape"])
    if "kind" in packed:
        kind = next(one for one in TYPES if one.__name__ == packed["kind"])
        return kind(*_unpacked(packed["parts"], arrays))
    return {key: value for key, value in _unpacked(packed["entries"], arrays)}


def _moments(parameters: Mapping[str, Mapping[str, Any]]) -> tuple[list[Any], dict[Any, Any]]:
    """The losses of errors whose means are measures, and the formulas of sums with the scale of each."""
    entries = registry.find(Residuals)
    losses = [partial(one.loss, **parameters.get(one.name, {})) for one in entries if one.loss is not None]
    made = [(one.interval, one.range) for one in entries if one.interval is not None]
    return losses, {spec.of[0]: partial(_on_scale, ends) for spec, ends in made if spec.kind == "jackknife"}


def _on_scale(ends: tuple[float, float], value: Any) -> Any:
    """A value on the scale of its range, of which it is no end."""
    low, high = ends
    inside = np.minimum(value, high - TO_THE_END)
    return Scale(ends).to(inside if low == -np.inf else np.maximum(inside, low + TO_THE_END))


def _bounded(cases: Cases, labels: BinaryLabels, total: Sum) -> Sum:
    """The same sum, within the memory for the tables of scores of such cases."""
    tables = BoundedTables(cases, labels, ())
    return Sum(bound=tables if tables.apply else EachCase(cases.spec)) + total


def _summary(cases: Cases) -> Callable[[Batch], Any]:
    """The function that summarises a batch: amounts, predicted labels, or a score per class."""
    spec = cases.spec
    if cases.per_class and not spec.regression:
        return Batches.of
    of_one: Any = Residuals.from_columns if spec.regression else matrix_of
    return lambda batch: Parts({name: of_one(**one) for name, one in cases.by_model(batch).items()})
