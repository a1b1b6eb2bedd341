"""Cases in parts, groups or folds: read once, held or summed by part, and evaluated part by part."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from ...input import Cases, CaseSpec, memory, read
from ...input.cases import Held, complete
from ...input.columns import Column, joined
from ...input.data_info import DataInfo
from ...input.errors import InputError
from ...input.grouping import OF_ARRAY, groups_of, names_by
from ...input.labels import BinaryLabels
from ...input.memory import Parts, add_up
from ...input.sample import Array, Index, Sample
from ...input.score_columns import by_name, thresholds_of
from ...input.sources import Batch, Source
from ...input.sources.engines import Lazy
from ...summaries import BinnedTable, ConfusionMatrix
from ...summaries.binned import BYTES
from ...summaries.samples import matrix_of, read_sample, sample_of, with_all_classes
from ..applicable import form_of, refuse
from ..arguments import EvaluationOptions
from ..case_sums import BoundedTables
from ..class_measures import OnDemand
from ..evaluations import Progress, evaluate_sample, limits_of, of_matrix, of_scores
from ..results import BinaryEvaluation, Evaluation
from ..thresholds import RuleSpec

COPIES = 8  # of the columns: in a group, among all cases, and while one of these is measured
CELL = 24  # bytes of memory for a cell of a matrix, with what adding needs


class GroupSums(BoundedTables):
    """The columns of cases, or, where these do not fit in memory, the tables of each group and model.

    argument: "by" or "fold"; added: whether there are summaries of such cases that add up.
    """

    BYTES: ClassVar[int] = 2 * BYTES  # in a group, and among all cases

    def __init__(self, cases: Cases, edges: Iterable[float | None], argument: str, arrays: bool, added: bool):
        spec = cases.spec
        two = (spec.positive, spec.classes) if added and spec.kind == "score" else ()
        super().__init__(cases, BinaryLabels(*two), edges)
        self.argument, self.added = argument, added
        self.names = names_by(spec.given[argument], arrays, argument)
        self.again()

    def again(self) -> None:
        """Forgets what was read."""
        super().again()
        self.held = Held(self.cases.spec.memory, COPIES)
        self.first: list[Batch] = []  # by part that was summed, a case of each group
        self.facts: dict[tuple[Any, ...], np.ndarray] = {}  # rows, weight and squared weight

    def __call__(self, batch: Batch) -> Parts:
        """Holds the batch; the tables of all that are held where they do not fit."""
        if self.held.fits(complete(batch)):
            return Parts()
        if not self.added:
            raise self.held.too_large()
        return self.summed()

    def split(self, columns: Batch) -> tuple[Index, Batch]:
        """The groups, and the columns without theirs."""
        of_groups, own = self._apart(columns)
        groups, weight = groups_of(list(of_groups.values()), self.names, self.argument), own.get("weight")
        if weight is not None and weight.of_rows:
            groups = replace(groups, cases=weight.values.tolist())
        return groups, own

    def _apart(self, columns: Batch) -> tuple[Batch, Batch]:
        named = {role: one for role, one in columns.items() if role.split()[0] == self.argument}
        return named, {role: one for role, one in columns.items() if role not in named}

    def summed(self) -> Parts:
        """The summaries of the cases that are held, by model and group; these are then held no more."""
        if not self.held.batches:
            return Parts()
        columns = self.held.columns()
        groups, own = self.split(columns)
        coded = self.labels.coded(own["truth"]) if self.apply else None
        found = Parts()
        for i, label in enumerate(groups.labels):
            rows = groups.rows(i)
            some = {role: column.those(rows) for role, column in own.items()}
            if coded is None:
                models = self.cases.by_model(some)
                found.update({(name, label): matrix_of(**one) for name, one in models.items()})
            else:
                of_rows = coded._replace(column=some["truth"], codes=coded.codes[rows])
                found.update(self.tables(some, of_rows, label))
            weight = np.asarray(some["weight"].values, float) if "weight" in some else np.ones(len(rows))
            facts = np.array([len(rows), weight.sum(), weight @ weight])
            self.facts[label] = self.facts.get(label, 0) + facts
        first = np.array([groups.rows(i)[0] for i in range(len(groups.labels))])
        self.first.append({role: one.those(first) for role, one in self._apart(columns)[0].items()})
        return found

    def exceeded(self, parts: Iterable[Parts]) -> bool:
        """Whether the summaries are more than the memory holds. Raises InputError for matrices."""
        if self.apply:
            return super().exceeded(parts)
        cells = sum(one.weights.size for part in parts for one in part.values())
        if memory.exceeds(CELL * cells, self.cases.spec.memory):
            problem = f"the matrices of the groups have {cells:,} cells, more than it holds"
            raise InputError("unsupported", "memory", problem, "pass more, or fewer groups or classes")
        return False

    def of_groups(self, total: Parts) -> tuple[Index, Mapping[Any, Sequence[Any]], list[Cases]]:
        """The groups of all cases, by model the summary of each, and the facts about each."""
        total = self.whole(total + self.summed())
        self.cases.memory = self.memory
        of_groups = {role: joined([one[role] for one in self.first]) for role in self.first[0]}
        labels = groups_of(list(of_groups.values()), self.names, self.argument).labels
        facts = [self.facts[label] for label in labels]
        groups = Index(np.arange(len(labels)), labels, self.names, [int(one[0]) for one in facts])
        source = Source(self.cases.source.name, iter(()))
        parts = [
            replace(self.cases, source=source, progress=None, rows=int(rows), weight=weight,
                    weight_squares=squares, weightless=0, dropped=0, dropped_unanswered=0)
            for rows, weight, squares in facts
        ]  # fmt: skip
        binned = any(isinstance(one, BinnedTable) for one in total.values())
        tables = {name: [total[name, label] for label in labels] for name in self.cases.models}
        if binned:
            tables = {name: [BinnedTable.joined([one]) for one in each] for name, each in tables.items()}
        return groups, tables, parts


@dataclass(frozen=True, eq=False)
class Summaries:
    """A summary of each group of cases with scores or labels, whose number stands for its rows.

    data: the facts, by the weight of positives and of negatives; summaries, parts: by group, with the facts
    about its cases; labels: the negative and the positive one, of scores; truth: what the column of the
    actual labels declares.
    """

    spec: CaseSpec
    data: Callable[..., DataInfo]
    summaries: Sequence[Any]
    parts: Sequence[Cases]
    labels: tuple[Any, Any] | None = None
    truth: Column | None = None

    @cached_property
    def whole(self) -> Any:
        """The summary of all cases, of labels with all classes."""
        every = self._summary(np.arange(len(self.summaries)))
        if not isinstance(every, ConfusionMatrix):
            return every
        return with_all_classes(every, self.truth, self.spec, self.data(None, None))

    def _summary(self, groups: Array) -> Any:
        some = [self.summaries[i] for i in groups]
        summary: Any = BinnedTable.joined(some) if isinstance(some[0], BinnedTable) else add_up(some)
        labels = isinstance(summary, ConfusionMatrix)
        return (
            summary.without_squares() if labels and self.data(None, None).weight_kind == "count" else summary
        )

    def evaluation(self, rows: Array | None, options: EvaluationOptions, limit: float | None) -> Evaluation:
        """The evaluation of some groups, or of all cases."""
        facts = self.data if rows is None else add_up(self.parts[i] for i in rows).data
        summary = self.whole if rows is None else self._summary(rows)
        if isinstance(summary, ConfusionMatrix):
            summary += self.whole.with_weights(np.zeros_like(self.whole.weights))
            return of_matrix(summary, facts, options, self.spec.positive)
        assert self.labels is not None
        info, higher = facts(summary.positives, summary.negatives), self.spec.higher_is_positive
        return of_scores(summary, info, options, limit, self.labels, higher)

    def __getstate__(self) -> dict[str, Any]:
        """Without the reader of the data, which a pickle cannot hold: the facts about all are then known."""
        return {"whole": self.whole, **vars(self), "data": self.data(None, None).of_classes}


@dataclass(frozen=True, eq=False)
class Partition:
    """The cases of one model in groups, or folds, of which any rows can be evaluated as all of them are.

    groups: of each case, or of each summary; source: the sample of the model, or its summaries; limit: the
    threshold, or None; known: the evaluations made so far.
    """

    groups: Index
    source: Sample | Summaries
    options: EvaluationOptions
    limit: float | None
    known: dict[str, Evaluation] = field(default_factory=dict)

    @cached_property
    def whole(self) -> Evaluation:
        """The evaluation of all cases. Raises InputError for columns that are not valid."""
        return self._evaluated(None, self.options, self.limit)

    def _evaluated(self, rows: Array | None, options: EvaluationOptions, limit: float | None) -> Evaluation:
        if isinstance(self.source, Summaries):
            return self.source.evaluation(rows, options, limit)
        return evaluate_sample(self.source if rows is None else self.source.take(rows), 0, options, limit)

    def part(self, rows: Array) -> Evaluation:
        """The evaluation of these rows: with the classes, the threshold and the kind of weights of all."""
        whole = self.whole
        limit = whole.limit if isinstance(whole, BinaryEvaluation) else None
        evaluation = self._evaluated(rows, replace(self.options, rule=None), limit)
        if not isinstance(whole, BinaryEvaluation) or whole.threshold is None:
            return evaluation
        at = whole.threshold  # it may have been chosen, but not on this part alone
        if at.chosen:
            at = replace(at, rule=RuleSpec("on-all-groups", rule=at.rule), by=None)
        return replace(evaluation, threshold=at)  # type: ignore[call-arg]

    @cached_property
    def places(self) -> dict[str, int]:
        """The index of each part, by its name."""
        return {name: i for i, name in enumerate(self.groups.names)}

    def evaluation(self, name: str) -> Evaluation:
        """The evaluation of a part."""
        if name not in self.known:
            self.known[name] = self.part(self.groups.rows(self.places[name]))
        return self.known[name]

    @property
    def each(self) -> OnDemand[str, Evaluation]:
        """The evaluations by name, each made once, when it is asked for."""
        return OnDemand(self.places, self.evaluation)

    @cached_property
    def units(self) -> dict[str | None, Array]:
        """The units of the cases of each part, and of all (None); empty where cases are independent."""
        units = None if isinstance(self.source, Summaries) else self.source.units
        if units is None:
            return {}
        each: dict[str | None, Array] = {None: units}
        return each | {name: units[..., self.groups.rows(i)] for name, i in self.places.items()}

    def __getstate__(self) -> dict[str, Any]:
        return {"whole": self.whole, **vars(self)}


Split = tuple[dict[str | None, Partition], Sample | None]  # by model; for differences of models the sample


def split_by(
    argument: str, data: Any, spec: CaseSpec, options: EvaluationOptions, threshold: Any, progress: Progress,
    frame: Lazy | None = None,
) -> Split:  # fmt: skip
    """The parts that the columns of an argument, "by" or "fold", make of the cases, which are read once.

    The sample is None where only sums are held. frame: that of an engine, where it was opened before. Raises
    InputError.
    """
    form = form_of(spec, data is None)
    refuse(form, spec, options, threshold)
    if form == "several labels per case":
        return _of_sample(read_sample(data, spec, progress), OF_ARRAY[argument], options, {})
    cases = read(data, spec, progress, frame)
    limits = limits_of(threshold, cases.models)
    added = form in ("scores", "labels") and spec.units is None
    sums = GroupSums(cases, limits.values(), argument, data is None, added)
    total = cases.sum(sums, sums.again, bound=sums)
    if total:
        groups, tables, parts = sums.of_groups(total)
        about: dict[str, Any] = {"spec": spec, "data": cases.data, "parts": parts, "truth": cases.truth}
        if sums.apply:
            assert cases.truth is not None
            sums.labels.judge(cases.truth)
            about["labels"] = sums.labels.pair()
        sources = {name: Summaries(summaries=one, **about) for name, one in tables.items()}
        return {name: Partition(groups, one, options, limits[name]) for name, one in sources.items()}, None
    groups, own = sums.split(cases.in_kind_of_weights(sums.held.columns()))
    sample = sample_of(own, spec, cases.models, cases.data)
    sample = replace(sample, index={**sample.index, OF_ARRAY[argument]: groups})
    return _of_sample(sample, OF_ARRAY[argument], options, limits)


def _of_sample(sample: Sample, name: str, options: EvaluationOptions, limits: Mapping[Any, Any]) -> Split:
    """The parts by an index column of a sample."""
    models = {
        model: Partition(sample.index[name], sample.only(i), options, limits.get(model))
        for i, model in enumerate(sample.models)
    }
    return models, sample


def without_one_name(spec: CaseSpec, threshold: Any) -> tuple[CaseSpec, Any]:
    """The same description and threshold, of a mapping of one model without its name. Raises InputError."""
    given = by_name(spec.given.get(spec.kind))
    if len(given) != 1:
        return spec, threshold
    [(name, column)] = given.items()
    return spec.of_columns({spec.kind: column}), thresholds_of(threshold, [name])[name]
