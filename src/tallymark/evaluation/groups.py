"""The results of `evaluate` by group and by fold, their differences, and criteria of fairness."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import combinations
from math import exp, isnan, nan
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

import numpy as np

from .. import kernels
from ..inference import Estimate, Settings, estimate_each
from ..inference.contrast import CROSSED, Contrast, independent, side, span
from ..inference.covariance import as_cases, covariance
from ..inference.hypothesis import adjusted
from ..inference.over_folds import NO_VALUE, Tested, less, mean_over_folds, pooled_over_folds
from ..input import Cases, CaseSpec, memory, read, text
from ..input.cases import Held, complete
from ..input.columns import Column, joined as joined_columns
from ..input.errors import option
from ..input.labels import BinaryLabels
from ..input.memory import Parts, add_up
from ..input.messages import Note, joined
from ..input.results import Answer, ByName, Entry, Result, Tabular, equal_as_tuples, head, plain, rows_of
from ..input.sample import BY, FOLD, OF_ARRAY, Array, DataInfo, Index, Sample, groups_of, names_by
from ..input.score_columns import by_name, thresholds_of
from ..input.sources import Batch, Source
from ..input.sources.engines import Lazy
from ..input.text import json_label
from ..input.validate import InputError, NoSuchEntry, choice, nearest, shown
from ..input.weighting import are_counts
from ..measures.registry import Measure
from ..summaries import BinnedTable, ClassScores, ConfusionMatrix, Counts, RankingTable
from ..summaries.binned import BYTES
from ..summaries.engines import Engine
from ..summaries.samples import matrix_of, read_sample, sample_of, with_all_classes
from .case_sums import BoundedTables
from .class_measures import OnDemand
from .evaluate import EvaluationOptions, Progress, evaluate_sample, form_of, limits_of, of_table, refuse
from .notices import Notice, of_model
from .paired import Influences, KeptCases
from .results import (
    LONGEST,
    BinaryEvaluation,
    ByModel,
    Evaluation,
    EvaluationTable,
    MulticlassEvaluation,
    NotOfTask,
    best_of,
    columns_of,
    not_shown_worse,
)
from .thresholds import RuleSpec

# The result of `evaluate` with `by`: groups, their differences and criteria of fairness, by model
# --------------------------------------------------------------------------------------------------
#
# Cases are read once, held or summed by part, group or fold, and evaluated part by part. Intervals of several
# differences hold together.

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
        if weight is not None and (weight.of_rows or are_counts(weight)):
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
        result = Parts()
        for i, label in enumerate(groups.labels):
            rows = groups.rows(i)
            some = {role: column.those(rows) for role, column in own.items()}
            if coded is None:
                models = self.cases.by_model(some)
                result.update({(name, label): matrix_of(**one) for name, one in models.items()})
            else:
                of_rows = coded._replace(column=some["truth"], codes=coded.codes[rows])
                result.update(self.tables(some, of_rows, label))
            weight = np.asarray(some["weight"].values, float) if "weight" in some else np.ones(len(rows))
            facts = np.array([len(rows), weight.sum(), weight @ weight])
            self.facts[label] = self.facts.get(label, 0) + facts
        first = np.array([groups.rows(i)[0] for i in range(len(groups.labels))])
        self.first.append({role: one.those(first) for role, one in self._apart(columns)[0].items()})
        return result

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
        of_groups = {role: joined_columns([one[role] for one in self.first]) for role in self.first[0]}
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
    labels: tuple[Any, ...] = ()
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
        about = self.spec.positive, self.spec.higher_is_positive
        return of_table(summary, facts, options, limit, self.labels, *about)

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
    frame: Lazy | None = None, summed: bool = True,
) -> Split:  # fmt: skip
    """The parts that the columns of an argument, "by" or "fold", make of the cases, which are read once.

    The sample is None where only sums are held. frame: that of an engine, where it was opened before; summed:
    whether sums are enough. Raises InputError.
    """
    form = form_of(spec, data is None)
    refuse(form, spec, options, threshold)
    if form == "several labels per case":
        return _of_sample(read_sample(data, spec, progress), OF_ARRAY[argument], options, {})
    cases = read(data, spec, progress, frame)
    limits = limits_of(threshold, cases.models)
    added = summed and form in ("scores", "labels") and spec.units is None
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


def without_model_name(spec: CaseSpec, threshold: Any) -> tuple[CaseSpec, Any]:
    """The same description and threshold, of a mapping of one model without its name. Raises InputError."""
    given = by_name(spec.given.get(spec.kind))
    if len(given) != 1:
        return spec, threshold
    [(name, column)] = given.items()
    return spec.of_columns({spec.kind: column}), thresholds_of(threshold, [name])[name]


RESAMPLED = "bootstrap"  # in the names of methods
R = TypeVar("R")


@dataclass(frozen=True, slots=True, repr=False)
class GroupDifference(Contrast):
    """The value of a group less that of the reference.

    Attributes
    ----------
    measure, group : str
        Their names.
    reference : str or None
        The other group; None for all cases.
    estimate : Estimate
        The difference. Its level is that of the single interval, so that all of them hold together.
    """

    PLAIN = "measure group reference *estimate"

    measure: str
    group: str
    reference: str | None
    estimate: Estimate


@dataclass(frozen=True, eq=False, repr=False)
class GroupDifferences(Tabular, Sequence[GroupDifference]):
    """Differences between groups, with intervals that hold together.

    Attributes
    ----------
    found : tuple of GroupDifference
        The differences.
    level : float
        The confidence that all intervals contain their differences.
    level_of_each : float
        The level of each of them, level ** (1 / number): Sidak's adjustment.

    Notes
    -----
    With two-sided intervals of values that are jointly normal the confidence is at least `level`, whatever
    their correlation (Sidak, 1967, Journal of the American Statistical Association 62, 626-633).
    """

    FORM = "groups.group_differences"
    METHOD = "sidak"

    found: tuple[GroupDifference, ...]
    level: float
    level_of_each: float

    def __getitem__(self, place: Any) -> Any:
        return self.found[place]

    def __len__(self) -> int:
        return len(self.found)

    @property
    def table(self) -> list[dict[str, Any]]:
        """One row per difference, as plain values."""
        return rows_of(Result.to_dict(one) | one.estimate.plain for one in self.found)

    def to_dict(self) -> dict[str, Any]:
        """Strict JSON values: how the intervals are simultaneous, and the differences."""
        return {
            "simultaneous": {
                "method": self.METHOD,
                "comparisons": len(self),
                "level": self.level,
                "level_of_each": self.level_of_each,
            },
            "found": [one.to_dict() for one in self.found],
        }

    def __repr__(self) -> str:
        return f"<GroupDifferences: {len(self)}, simultaneous at {self.level:g} ({self.METHOD})>"


@dataclass(frozen=True, eq=False)
class Compared:
    """Groups and all cases, at the level of a single interval.

    groups: by name the evaluation; whole: that of all cases; level: of each interval; influences: of the
    groups and, by None, of all cases.
    """

    groups: Mapping[str, Evaluation]
    whole: Evaluation
    level: float
    influences: Influences
    _found: dict[tuple[str | None, str], Estimate] = field(default_factory=dict)
    _variances: dict[str, float] = field(default_factory=dict)  # of a measure in all cases

    def difference(self, name: str, reference: str | None, measure: str) -> Estimate:
        """The value of a group less that of another, or of all cases."""
        one, other = self.estimate(name, measure), self.estimate(reference, measure)
        ends = span(self.whole.entry(measure).range)
        crossed = self.influences.crossed
        if one.undefined or other.undefined or (reference is not None and not crossed):
            return independent(one, other, ends)
        if self.influences.units:
            known = float(self.influences.correlations(measure, (name, reference))[0, 1])
        else:
            known = self._of_part(measure, name)
        if np.isnan(known) and not crossed:  # as of a mean of a part with that of all
            share = self.groups[name].data.rows / self.whole.data.rows
            widths = one.high - one.low, other.high - other.low
            usable = widths[1] > 0 and np.isfinite(widths[0] * widths[1])
            known = min(share * (widths[0] / widths[1]) if usable else np.sqrt(share), 1.0)
        method = "mover-part-of-whole" if reference is None else "mover-correlated"
        return independent(one, other, ends, correlation=float(np.clip(known, -1, 1)), method=method)

    def _of_part(self, measure: str, name: str) -> float:
        """The correlation of a measure in a group of independent cases and in all; NaN where it is not known.

        It is from the covariance of the influence values of the cases of the group on both values.
        """
        one, other = (self.influences.of(part, measure) for part in (name, None))
        by_class = measure == "roc_auc"
        if one is None or other is None:
            return np.nan
        (values, table, sampling), (of_all, whole, among) = one, other
        if isinstance(table, RankingTable):
            places = np.searchsorted(-whole.score, -table.score)
            there = of_all.reshape(2, -1)[:, places].ravel()
        elif isinstance(table, (Counts, ConfusionMatrix)):
            there = of_all
        else:
            return np.nan
        v = covariance(np.stack([values, there]), sampling, by_class, unbiased=False)[0]
        if measure not in self._variances:
            self._variances[measure] = covariance(of_all[None], among, by_class, unbiased=False)[0][0, 0]
        with np.errstate(divide="ignore", invalid="ignore"):
            scale = np.sqrt(v[0, 0] * self._variances[measure])
            return float(v[0, 1] * (sampling.total / among.total) / scale)

    def prepare(self, names: Iterable[str], measure: str) -> None:
        """Makes the estimates of these groups at once, where that is possible."""
        found = _at_once({name: self.groups[name] for name in names}, measure, self.level)
        self._found.update({(name, measure): one for name, one in found.items()})

    def estimate(self, name: str | None, measure: str) -> Estimate:
        """The value of a group, or of all cases, with its interval at the level."""
        if (name, measure) not in self._found:
            e = self.whole if name is None else self.groups[name]
            if e.settings.level != self.level:
                e = replace(e, settings=replace(e.settings, level=self.level))
            self._found[name, measure] = e[measure]
        return self._found[name, measure]


def _at_once(every: Mapping[str, Evaluation], measure: str, level: float) -> dict[str, Estimate]:
    """A measure of counts of these groups, from one call for all; without those that are estimated alone."""
    simple = {  # at the threshold they follow from the counts alone
        name: one
        for name, one in every.items()
        if isinstance(one, BinaryEvaluation)
        and one.clusters is None
        and (one.threshold is None or not one.threshold.chosen)
    }
    first = next(iter(simple.values()), None)
    entry = None if first is None else first.entry(measure)
    if first is None or entry is None or entry.summary is not Counts:
        return {}
    given = first.parameters_of(entry)
    alike = {name: one for name, one in simple.items() if one.parameters_of(entry) == given}
    counts = [one.counts for one in alike.values()]
    if len({one.squares is None for one in counts}) > 1 or _is_resampled(first[measure]):
        return {}
    found = estimate_each(entry, _stacked(counts), replace(first.settings, level=level), **given)
    return {
        name: replace(one, threshold=first.limit)
        for name, one in zip(alike, found, strict=True)
        if not _is_resampled(one)
    }


def _is_resampled(found: Estimate) -> bool:
    """Whether the interval is from random numbers, which would be others for each number of groups."""
    of_none = any(note.code == "standard-error-zero" for note in found.notes)
    return of_none or (found.method is not None and found.method.endswith(RESAMPLED))


def _stacked(every: Sequence[Counts]) -> Counts:
    """Counts with an entry for each of these."""
    squares = None if every[0].squares is None else _stacked([one.squares or one for one in every])
    cells = np.array([[one.tp, one.fp, one.fn, one.tn] for one in every], float).T
    return Counts.of(*cells, squares=squares)


def differences(
    pairs: Sequence[tuple[str, str | None]],
    measures: Sequence[str],
    level: float,
    compared_at: Callable[[float], Compared],
) -> GroupDifferences:
    """The differences of these groups in these measures.

    pairs: of a group and its reference, None for all cases; compared_at: the groups, by the level of a single
    interval.
    """
    number = len(pairs) * len(measures)
    each = level ** (1 / number) if number else level
    compared = compared_at(each)
    names = dict.fromkeys(name for pair in pairs for name in pair if name is not None)
    found: list[GroupDifference] = []
    for measure in measures:
        compared.prepare(names, measure)

        def difference(i: int, measure: str = measure) -> GroupDifference:
            return GroupDifference(measure, *pairs[i], compared.difference(*pairs[i], measure))

        found += of_parts(difference, len(pairs), compared.whole)
    return GroupDifferences(tuple(found), level, each)


def of_parts(work: Callable[[int], R], number: int, whole: Evaluation) -> list[R]:
    """The results for so many parts: the first alone, with what all of them need, then on all processors."""
    first = [work(0)] if number else []
    return first + kernels.each(lambda i: work(i + 1), number - 1, whole.data.rows > kernels.MANY)


METHOD = "sidak-pairs"
IN_THE_LARGE = "calibration_in_the_large"
CALIBRATION = (IN_THE_LARGE, "calibration_slope", "expected_calibration_error")
CRITERIA: Mapping[str, tuple[str, ...]] = {
    "demographic_parity": ("predicted_prevalence",),
    "equalised_odds": ("sensitivity", "false_positive_rate"),
    "equal_opportunity": ("sensitivity",),
    "predictive_parity": ("precision",),
    "calibration_within_groups": (IN_THE_LARGE,),
}
SPELLED = {"equalized_odds": "equalised_odds", "statistical_parity": "demographic_parity"}


@dataclass(frozen=True, eq=False, repr=False)
class Disparity(Result):
    """How far groups are apart by one criterion.

    Attributes
    ----------
    criterion : str
        Its name.
    measures : tuple of str
        The measures that should be equal in all groups.
    difference : Estimate
        The highest value of a group less the lowest; of several measures the largest such difference.
    ratio : Estimate
        The lowest value divided by the highest; of several measures the smallest such ratio. Of
        `calibration_within_groups`, whose measure is a logarithm of odds, the ratio of the odds.
    measure, lowest, highest : str or None
        The measure with the largest difference, and the groups with its lowest and highest value; None where
        there is none.
    """

    PLAIN = "measures measure lowest highest difference ratio"

    criterion: str
    measures: tuple[str, ...]
    difference: Estimate
    ratio: Estimate
    measure: str | None
    lowest: str | None
    highest: str | None


@dataclass(frozen=True, eq=False, repr=False)
class Fairness(ByName, Answer, Tabular, Mapping[str, Disparity]):
    """Criteria of fairness between groups, by name.

    Attributes
    ----------
    criteria : mapping of str to Disparity
        "demographic_parity" (of the share that is predicted positive), "equalised_odds" (of sensitivity and
        of the false positive rate), "equal_opportunity" (of sensitivity), "predictive_parity" (of precision),
        and of probabilities "calibration_within_groups" (of calibration in the large).
    by : tuple of str
        The columns of the groups.
    groups : tuple of str
        The groups that are compared.
    left_out : tuple of str
        Those with fewer than 10 cases of a class, which are not.
    level : float
        The confidence level of each interval.
    calibration : mapping of str to mapping of str to Estimate
        Of probabilities, by measure ("calibration_in_the_large", "calibration_slope",
        "expected_calibration_error") and group, the values within the group, with intervals that hold
        together (Sidak). A group is calibrated where they are 0, 1 and 0.
    notices : tuple of Notice
        On the data.

    Notes
    -----
    The largest difference of several estimates is biased upwards, and its interval allows for that: it goes
    from the largest lower to the largest upper bound of the differences of each two groups, whose intervals
    hold together (Sidak, 1967); likewise that of the smallest ratio. It contains the true value with a
    confidence of at least `level`.
    """

    ANSWER = "fairness"
    FORM = "groups.fairness"
    PARTS, PART = "criteria", "a criterion"

    criteria: Mapping[str, Disparity]
    by: tuple[str, ...]
    groups: tuple[str, ...]
    left_out: tuple[str, ...]
    level: float
    calibration: Mapping[str, Mapping[str, Estimate]] = field(default_factory=dict)
    notices: tuple[Notice, ...] = ()

    def _name_of(self, name: Any) -> Any:
        return SPELLED.get(name, name)

    @classmethod
    def entries_in(cls, plain: Mapping[str, Any]) -> Iterator[Entry]:
        """By criterion and kind, a row each; and those of calibration by measure and group."""
        for name, one in plain["criteria"].items():
            about = {key: one[key] for key in ABOUT}
            for kind in KINDS:
                yield (name, kind), one[kind], [{"criterion": name, "kind": kind, **about, **one[kind]}]
        for name, every in plain.get("calibration", {}).items():
            for group, found in every.items():
                yield (name, group), found, []

    def to_dict(self) -> dict[str, Any]:
        """Plain values: the groups, how the intervals are made, and the criteria."""
        return {
            **self._begin(),
            "by": list(self.by),
            "groups": list(self.groups),
            "left_out": list(self.left_out),
            "level": self.level,
            "method": METHOD,
            "criteria": plain(self.criteria),
            "calibration": plain(self.calibration),
        }

    def __repr__(self) -> str:
        return f"<Fairness of {len(self.groups)} groups by {', '.join(self.by)}: {', '.join(self)}>"


KINDS, ABOUT = ("difference", "ratio"), ("measure", "lowest", "highest")
UNDEFINED = Note("undefined-in-a-group")


def disparity(
    criterion: str, groups: Sequence[str], level: float, compared_at: Callable[[float], Compared]
) -> Disparity:
    """How far these groups are apart by a criterion.

    compared_at: the groups, by the level of a single interval.
    """
    measures = CRITERIA[criterion]
    pairs = len(groups) * (len(groups) - 1) // 2 * len(measures)
    if not pairs:
        gone = Estimate(nan, level=level, undefined=Note("fewer-than-two-groups"))
        return Disparity(criterion, measures, gone, gone, None, None, None)
    compared = compared_at(level ** (1 / pairs))
    spreads = [Spread.of(name, groups, compared) for name in measures]
    reason = next((one.no_interval for one in spreads if one.no_interval), ())
    difference = _together([one.gap for one in spreads], max, level, reason)
    if criterion == "calibration_within_groups":
        ratio = _ratio_of_odds(difference)
    else:
        ratio = _together([one.ratio for one in spreads], min, level, reason)
    if difference.undefined:
        return Disparity(criterion, measures, difference, ratio, None, None, None)
    widest = max(spreads, key=lambda one: one.gap[0])
    lowest, highest = (groups[int(at)] for at in (widest.value.argmin(), widest.value.argmax()))
    return Disparity(criterion, measures, difference, ratio, widest.measure, lowest, highest)


Bounds = tuple[float, float, float]  # value, low and high


def _together(
    found: Sequence[Bounds], extreme: Callable[..., float], level: float, reason: Sequence[Note]
) -> Estimate:
    """The extreme of several values, and of their bounds."""
    value, low, high = (extreme(one[i] for one in found) for i in range(3))
    if any(isnan(one[0]) for one in found):
        return Estimate(nan, level=level, undefined=UNDEFINED)
    if reason or isnan(low) or isnan(high):
        return Estimate(value, level=level, notes=joined(*reason))
    return Estimate(value, low, high, level, METHOD)


def _ratio_of_odds(found: Estimate) -> Estimate:
    """The ratio of odds of a difference of their logarithms."""
    if found.undefined or not found.has_interval:
        value = nan if found.undefined else exp(-found.value)
        return Estimate(value, level=found.level, undefined=found.undefined, notes=found.notes)
    return Estimate(exp(-found.value), exp(-found.high), exp(-found.low), found.level, METHOD)


@dataclass(frozen=True, eq=False)
class Spread:
    """The values of a measure in several groups, with intervals that hold together for their differences.

    value, low, high: by group; correlation: of each two; no_interval: why there is none.
    """

    measure: str
    value: Array
    low: Array
    high: Array
    correlation: Array
    no_interval: tuple[Note, ...]

    @classmethod
    def of(cls, measure: str, groups: Sequence[str], compared: Compared) -> Spread:
        found = [compared.estimate(name, measure) for name in groups]
        value, low, high = np.array([(one.value, one.low, one.high) for one in found]).T
        reasons = [
            Note("value-without-interval", model=name, because=one.notes)
            for name, one in zip(groups, found, strict=True)
            if not one.has_interval and not one.undefined
        ]
        r = np.zeros((len(groups), len(groups)))
        if compared.influences.crossed and not reasons:
            r = compared.influences.correlations(measure, groups)
            reasons = [CROSSED] * bool(np.isnan(r).any())
        return cls(measure, value, low, high, r, tuple(reasons[:1]))

    @property
    def gap(self) -> Bounds:
        """The highest value less the lowest, with the largest bounds of the differences of each two."""
        apart, low, high = self._pairs(self.value, self.low, self.high)
        np.fill_diagonal(low, -np.inf)
        np.fill_diagonal(high, -np.inf)
        return float(apart.max()), max(float(low.max()), 0.0), float(high.max())

    def _pairs(self, value: Array, low: Array, high: Array) -> tuple[Array, Array, Array]:
        """(groups, groups): the value of each less that of each other, and its bounds."""
        below, above, apart = value - low, high - value, value[:, None] - value
        lower = apart - side(below[:, None], above, self.correlation)
        return apart, lower, apart + side(above[:, None], below, self.correlation)

    @property
    def ratio(self) -> Bounds:
        """The lowest value divided by the highest, with the smallest bounds of the ratios of each two.

        The bounds combine the two intervals on the logarithmic scale; those of 0 have the lower bound 0.
        """
        if np.isnan(self.value).any() or not self.value.max() > 0:
            return nan, nan, nan
        with np.errstate(divide="ignore", invalid="ignore"):
            _, lower, upper = np.exp(self._pairs(*np.log((self.value, self.low, self.high))))
            of_zero = (self.value == 0)[:, None] & (self.value > 0)
            upper = np.where(of_zero, self.high[:, None] / self.low, upper)
        lower, upper = np.where(of_zero, 0.0, lower), np.where(np.isnan(upper) & ~of_zero, np.inf, upper)
        usable = (self.value > 0)[None, :] & ~np.eye(len(self.value), dtype=bool)
        found = float(self.value.min() / self.value.max())
        least, most = (float(np.where(usable, part, np.inf).min()) for part in (lower, upper))
        return found, min(least, found), min(max(most, found), 1.0)


def refuse_other_tasks(task: str) -> None:
    """Raises InputError for anything but two classes."""
    if task != "binary":
        problem = f"the criteria are of two classes, and this is {task}"
        raise InputError("unsupported", "fairness", problem, "take one class against the rest")


FEWEST = 10  # cases of each class; a group with fewer is not ranked
MOST_PAIRS = 2_000  # of groups


T = TypeVar("T", bound=EvaluationTable)


class OfParts:
    """A mapping from the names of parts to their evaluations; a part is known by its label, too."""

    table = Tabular.table  # of the plain values, not of each evaluation

    if TYPE_CHECKING:
        OF: ClassVar[str]
        MOST: ClassVar[int]
        evaluations: Mapping[str, Evaluation]
        whole: Evaluation
        groups: Index
        selected: tuple[str, ...] | None
        _names: Callable[[], str]

        def __iter__(self) -> Any: ...

    def __getitem__(self, name: Any) -> Evaluation:
        """The evaluation of a part, by its name or its label. Raises InputError for an unknown one."""
        found = self.evaluations[self._known(name)]
        return found if self.selected is None else found[list(self.selected)]

    def _known(self, name: Any) -> str:
        known = name if name in self.evaluations else self._by_label.get(_key(name))
        if known is None:
            raise NoSuchEntry(
                "unknown-name",
                None,
                f"{shown(name)} is not a {self.OF} here{nearest(name, self.evaluations)}",
                f"there are {self._names()}",
                value=name,
            )
        return known

    def place_of(self, name: Any) -> int:
        """The index of a part, by its name or its label. Raises InputError for an unknown one."""
        return list(self.evaluations).index(self._known(name))

    def __contains__(self, name: object) -> bool:
        return name in self.evaluations or _key(name) in self._by_label

    @cached_property
    def _by_label(self) -> dict[Any, str]:
        return dict(zip(self.groups.labels, self.groups.names, strict=True))

    @cached_property
    def sizes(self) -> dict[str, int]:
        """The number of cases of each part."""
        return dict(zip(self.groups.names, self.groups.numbers.tolist(), strict=True))

    @cached_property
    def measures(self) -> tuple[str, ...]:
        """The measures of a row: those that were chosen, or some of the first screen."""
        return columns_of([self.whole], self.MOST) if self.selected is None else self.selected

    def choose(self, measures: str | Sequence[str]) -> Self:
        """The same parts with these measures only. Raises InputError where the data do not allow one."""
        names = [measures] if isinstance(measures, str) else list(measures)
        chosen = self.whole[names].selected
        return replace(self, selected=chosen)  # type: ignore[type-var]  # its classes are dataclasses

    def named(self, name: str) -> Self:
        """The same parts with a name, which texts and pages show."""
        return replace(self, whole=self.whole.named(name))  # type: ignore[type-var]

    def _plain(self, name: str, labels: Sequence[Any], **more: Any) -> dict[str, Any]:
        """The plain values of a part: its labels, sizes and measures."""
        e = self.evaluations[name]
        sizes = {"rows": e.data.rows, "positives": e.data.positives, "negatives": e.data.negatives}
        return {
            "labels": [json_label(label) for label in labels],
            **{key: size for key, size in sizes.items() if size is not None},
            **more,
            "measures": {measure: e[measure].to_dict() for measure in self.measures},
        }


@dataclass(frozen=True, eq=False, repr=False)
class GroupTable(OfParts, EvaluationTable):
    """The evaluations of the groups of some cases, by the name of the group, in ascending order.

    Attributes
    ----------
    evaluations : mapping of str to Evaluation
        By group; each is made when it is asked for, with the classes and the threshold of all cases.
    whole : Evaluation
        That of all cases.
    groups : Index
        The columns, the labels of each group in these, and the group of each case.
    reference : str or None
        The group from which the differences are; None for differences from all cases.
    selected : tuple of str or None
        The measures that were chosen; None for three of the first screen.

    Notes
    -----
    `table` has a row for each group and measure. A group with fewer than 10 cases of a class is not ranked,
    nor compared with others as the highest or the lowest.
    """

    ANSWER = "groups"
    FORM = "groups.groups"
    OF = "group"
    MOST = 3

    whole: Evaluation
    groups: Index
    _parts: Partition = field(repr=False)
    selected: tuple[str, ...] | None = None

    @property
    def by(self) -> tuple[str, ...]:
        """The names of the columns."""
        return self.groups.columns

    def is_small(self, name: str) -> bool:
        """Whether a group has fewer than 10 cases of a class, so that it is not ranked."""
        return smallest_class(self[name]) < FEWEST

    def regrouped(self, columns: Sequence[str]) -> GroupTable:
        """The groups by some of the columns only, of the same cases."""
        places = [self.by.index(name) for name in columns]
        labels = [tuple(one[i] for i in places) for one in self.groups.labels]
        distinct = sorted(set(labels))
        codes = np.array([distinct.index(one) for one in labels])[self.groups.codes]
        groups = Index(codes, distinct, tuple(columns), self.groups.cases)
        return table_of(replace(self._parts, groups=groups, known={}), None)

    # Differences
    # ----------------------------------------------------------------------------------------------

    @cached_property
    def differences(self) -> GroupDifferences:
        """Of each group from all cases, or from the reference, with simultaneous intervals."""
        return self.differences_of(list(self))

    def differences_of(self, groups: Sequence[str]) -> GroupDifferences:
        """The same of some groups: the intervals are simultaneous for these."""
        self._measure(groups)
        pairs = [(name, self.reference) for name in groups if name != self.reference]
        return differences(pairs, self.measures, self.whole.settings.level, self._compared)

    @cached_property
    def pairs(self) -> GroupDifferences:
        """The differences between each two groups that are not small, with simultaneous intervals."""
        names = [name for name in self if not self.is_small(name)]
        pairs: list[tuple[str, str | None]] = list(combinations(names, 2))
        if len(pairs) > MOST_PAIRS:
            raise InputError(
                "unsupported",
                "pairs",
                f"{len(names)} groups have {len(pairs):,} pairs, more than {MOST_PAIRS:,}",
                f"use .differences, or evaluate with {option('reference', names[0])}",
            )
        return differences(pairs, self.measures, self.whole.settings.level, self._compared)

    def _measure(self, groups: Sequence[str]) -> None:
        """Estimates the measures of these groups, several groups at once."""
        of_parts(lambda i: [self[groups[i]][one] for one in self.measures], len(groups), self.whole)

    def _compared(self, level: float) -> Compared:
        return Compared(self.evaluations, self.whole, level, self._influences)

    @cached_property
    def _influences(self) -> Influences:
        return Influences(self._evaluation, self._parts.units)

    def _evaluation(self, name: str | None) -> Evaluation:
        return self.whole if name is None else self.evaluations[name]

    @cached_property
    def fairness(self) -> Fairness:
        """The criteria of fairness between groups that are not small, as differences and ratios.

        Raises InputError for more than two classes, and for amounts.
        """
        refuse_other_tasks(self.whole.task)
        small = tuple(name for name in self if self.is_small(name))
        groups, level = tuple(name for name in self if name not in small), self.whole.settings.level
        found = {
            name: disparity(name, groups, level, self._compared)
            for name, measures in CRITERIA.items()
            if all(measure in self.whole.estimates for measure in measures)
        }
        measures = [name for name in CALIBRATION if name in self.whole.estimates] if groups else []
        compared = self._compared(level ** (1 / max(len(groups) * len(measures), 1)))
        within = {one: {name: compared.estimate(name, one) for name in groups} for one in measures}
        return Fairness(found, self.by, groups, small, level, within, self.whole.notices_of_data)

    # As other results
    # ----------------------------------------------------------------------------------------------

    @property
    def notices(self) -> tuple[Notice, ...]:
        """What to consider when reading the results of all cases."""
        return tuple(self.whole.notices)

    @classmethod
    def entries_in(cls, plain: Mapping[str, Any]) -> Iterator[Entry]:
        """By measure and group, with the labels of the group."""
        for name, one in plain["groups"].items():
            about = {"group": name, **_labelled(plain["by"], one["labels"]), "cases": one["rows"]}
            for measure, found in one["measures"].items():
                yield (measure, name), found, [{**about, "measure": measure, **found}]

    def to_dict(self) -> dict[str, Any]:
        """Plain values: of each group its labels, sizes and measures; all cases; and the differences."""
        self._measure(list(self))
        return {
            **head(self.ANSWER),
            "by": list(self.by),
            "reference": self.reference,
            "selected": list(self.measures),
            "whole": self.whole[list(self.measures)].to_dict(),
            "groups": {
                name: self._plain(name, labels, ranked=not self.is_small(name))
                for name, labels in zip(self.groups.names, self.groups.labels, strict=True)
            },
            "differences": self.differences.to_dict(),
            "notices": [notice.to_dict() for notice in self.notices],
        }

    @property
    def instead(self) -> str:
        """What to pass where cases or an evaluation are taken."""
        return (
            f"it holds evaluations of {len(self)} group{'s' * (len(self) != 1)}; pass one of them by its"
            " name, as table['name'], or .whole"
        )

    def __repr__(self) -> str:
        return (
            f"<GroupTable of {len(self)} group{'s' * (len(self) != 1)} by {', '.join(self.by)}:"
            f" {text.label(self._names(), 2 * LONGEST)}>"
        )


def table_of(parts: Partition, reference: str | None) -> GroupTable:
    """The table of these groups. Raises InputError for a reference that is not one of them."""
    groups = parts.groups
    if reference is not None and reference not in parts.places:
        problem = f"{shown(reference)} is not a group here{nearest(reference, parts.places)}"
        way_out = f"there are {', '.join(map(shown, groups.names[:6]))}"
        raise InputError("unknown-name", "reference", problem, way_out, value=reference)
    return GroupTable(parts.each, parts.whole, groups, parts, reference=reference)


def smallest_class(e: Evaluation) -> float:
    """The number of cases of the smallest class, of those with importance weights the effective number."""
    sizes = [float(e.data.rows)]
    if isinstance(e, BinaryEvaluation):
        sizes = [float(e.data.positives or 0), float(e.data.negatives or 0)]
    elif isinstance(e, MulticlassEvaluation):
        sizes = e.matrix.class_sizes.tolist()
    effective = e.data.effective_rows
    return min(sizes) if effective is None else min(sizes) * effective / (sum(sizes) or 1.0)


def _labelled(columns: Sequence[str], labels: Sequence[Any]) -> dict[str, Any]:
    """The labels by column; a column with the name of another entry gets "by " before its own."""
    taken = {"group", "cases", "measure", "value", "low", "high", "level", "method", "undefined", "note"}
    return {
        f"by {name}" if name in taken else name: label for name, label in zip(columns, labels, strict=True)
    }


def _key(name: Any) -> Any:
    """The labels of a part, of which one alone may stand for itself."""
    try:
        hash(name)
    except TypeError:
        return None
    return name if isinstance(name, tuple) else (name,)


# Several models
# -------------------------------------------------------------------------------------------------------


class TablesOfModels(ByModel[T]):
    """What tables of parts of the cases have in common that there are of several models, by their names."""

    PARTS = "tables"
    MOST: ClassVar[int] = GroupTable.MOST  # measures of a row, where none are chosen

    tables: Mapping[str, T]

    def __getattr__(self, name: str) -> Any:
        if name[0] != "_" and hasattr(self.KIND, name) and not hasattr(type(self), name):
            problem, example = "each model has its own", f"table[{next(iter(self))!r}].{name}"
            raise NotOfTask("unsupported", name, problem, f"take one by its name, as {example}")
        return super().__getattr__(name)  # type: ignore[misc]

    @property
    def first(self) -> T:
        """The table of the first model."""
        return next(iter(self.tables.values()))

    @cached_property
    def measures(self) -> tuple[str, ...]:
        """The measures of a row: those that were chosen, or some of the first screen that all models have."""
        return self.first.selected or columns_of([one.whole for one in self.values()], self.MOST)

    def choose(self, measures: str | Sequence[str]) -> Self:
        """The same models with these measures only. Raises InputError where the data do not allow one."""
        return self._with(lambda one: one.choose(measures))

    @property
    def instead(self) -> str:
        """What to pass where cases or an evaluation are taken."""
        return f"it holds tables of {len(self)} models; pass one evaluation of them, as table['name'].whole"

    def __repr__(self) -> str:
        names = text.label(", ".join(map(shown, self)), 2 * LONGEST)
        return f"<{type(self).__name__} of {len(self)} models, {len(self.first)} {self.KIND.OF}s: {names}>"


@dataclass(frozen=True, eq=False, repr=False)
class GroupTables(TablesOfModels[GroupTable]):
    """Several models on the groups of some cases: by the name of the model its table of the groups.

    Attributes
    ----------
    tables : mapping of str to GroupTable
        By model, in the order given; all have the same groups.

    Notes
    -----
    `table` has a row for each model, group and measure. Differences between groups hold together for each
    model. The paired differences of the models are those of `whole`, and within a group of `of_group`.
    """

    ANSWER = "group_tables"
    FORM = "groups.group_tables"
    KIND = GroupTable

    tables: Mapping[str, GroupTable]
    _sample: Sample | None = field(repr=False)
    _options: EvaluationOptions = field(repr=False)

    @property
    def by(self) -> tuple[str, ...]:
        """The names of the columns of the groups."""
        return self.first.by

    @cached_property
    def whole(self) -> EvaluationTable:
        """The models on all cases, with their paired differences."""
        return self._table({name: one.whole for name, one in self.items()}, None)

    def of_group(self, name: Any) -> EvaluationTable:
        """The models on the cases of a group, by its name or label, with their paired differences there.

        Raises InputError for an unknown one.
        """
        rows = self.first.groups.rows(self.first.place_of(name))
        return self._table({model: one[name] for model, one in self.items()}, rows)

    def _table(self, evaluations: Mapping[str, Evaluation], rows: Array | None) -> EvaluationTable:
        """The models on these rows, or on all; without differences where a class has no case."""
        sample, kept = self._sample, None
        whole = all(one.task == "regression" or smallest_class(one) > 0 for one in evaluations.values())
        if sample is not None and whole:
            make = partial(sample.take, np.arange(len(sample)) if rows is None else rows)
            kept = KeptCases(make, self._options, evaluations)
        found = EvaluationTable(evaluations, _cases=kept)
        return found if self.first.selected is None else found.choose(list(self.first.selected))

    @cached_property
    def _paired(self) -> EvaluationTable:
        return self.whole.choose(list(self.measures))


# From cases
# -------------------------------------------------------------------------------------------------------


def of_groups(
    data: Any, spec: CaseSpec, options: EvaluationOptions, threshold: Any, reference: str | None,
    progress: Progress,
) -> GroupTable | GroupTables:  # fmt: skip
    """The evaluations of the groups of cases, read once. Raises InputError."""
    spec, threshold = without_model_name(spec, threshold)
    form = form_of(spec, data is None)
    refuse(form, spec, options, threshold)
    engine = Engine.of(data, spec) if form == "scores" and spec.units is None else None
    if engine is None or engine.few:
        parts, sample = split_by(BY, data, spec, options, threshold, progress, engine)
    else:
        engine.edges = limits_of(threshold, by_name(spec.score))
        parts, sample = _in_engine(engine, spec, options), None
    tables = {name: table_of(one, reference) for name, one in parts.items()}
    if None in tables:
        return tables[None]
    return GroupTables({str(name): table for name, table in tables.items()}, sample, options)


def _in_engine(engine: Engine, spec: CaseSpec, options: EvaluationOptions) -> dict[str | None, Partition]:
    """The groups of cases that are counted in an engine."""
    labels = BinaryLabels(spec.positive, spec.classes)
    cases, tables = engine.tables(labels)
    parts, limits = engine.parts, engine.edges
    groups = replace(engine.groups, codes=np.arange(len(parts)), cases=[one.rows for one in parts])
    source = partial(Summaries, spec, cases.data, parts=parts, labels=labels.pair())
    return {
        name: Partition(groups, source(summaries=one), options, limits[name]) for name, one in tables.items()
    }


# The result of `evaluate` with `fold`: each fold, the means, and all folds pooled, by model
# --------------------------------------------------------------------------------------------------

MEAN, POOLED = "mean", "pooled"  # what a row of the table is of
POOLED_CASES = "pooled"  # the name of all test cases together
PARTS = (MEAN, POOLED)
CASE, TRUTH = "case", "truth"


@dataclass(frozen=True, eq=False, repr=False)
class Predictions(Tabular):
    """The predictions for each test case, in the order of the folds, as from `evaluate_estimator`.

    Attributes
    ----------
    columns : mapping of str to array
        "case", the row of the data, counted from 0; "fold"; "truth"; and "score", a "score LABEL" for each
        class, or "predicted". `to_frame` and `save` write them.
    cases : int
        The number of cases of the data, tested or not.
    """

    columns: Mapping[str, Array]
    cases: int

    @property
    def answers(self) -> Array:
        """The score, the scores of all classes, or the predicted label or amount, by case of the data.

        In the order of the data, as scikit-learn's cross_val_predict returns them. Raises InputError unless
        every case is tested once.
        """
        case = self.columns[CASE]
        if len(case) != self.cases or len(np.unique(case)) != self.cases:
            problem = "not every case is tested once, so that the cases have no order"
            raise InputError("unsupported", "answers", problem, "use columns, where a case is a row")
        order = np.argsort(case)
        found = [one[order] for name, one in self.columns.items() if name not in (CASE, FOLD, TRUTH)]
        return found[0] if len(found) == 1 else np.column_stack(found)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, by column."""
        return {
            name: [text.json_label(one) for one in values.tolist()] for name, values in self.columns.items()
        }

    @property
    def _columns(self) -> Mapping[str, Any]:
        return self.columns

    def __repr__(self) -> str:
        return f"<Predictions of {len(self.columns[CASE])} test cases: {', '.join(self.columns)}>"


@dataclass(frozen=True, eq=False, repr=False)
class FoldTable(OfParts, EvaluationTable):
    """The evaluations of the folds of a cross-validation, by name, with their means and all cases pooled.

    Attributes
    ----------
    evaluations : mapping of str to Evaluation
        By fold, of its test cases; each is made when it is asked for, with the classes and the threshold of
        all cases. Its intervals are those of the one model that was tested on these cases.
    whole : Evaluation
        Of all test cases together, as if one model had scored them: its values are those of `pooled`, its
        intervals take the models of the folds as one, as a note of each says.
    groups : Index
        The columns, the labels of each fold in these, and the fold of each case.
    trained : array of int
        The number of training cases of each fold.
    repeated : bool
        Whether cases are tested in several folds, as by repeated cross-validation.
    reference : None
        Folds are not compared with one of them.
    selected : tuple of str or None
        The measures that were chosen; None for up to six of the first screen.
    untested : int
        The number of cases that are in no test set.
    differing : int
        The number of test cases whose label, predicted by the estimator, is not that by score and threshold.
    was_fitted : bool
        Whether the estimator was fitted before; clones of it were fitted for the folds.

    Notes
    -----
    `means` and `pooled` have an `Estimate` of each measure. `table` has a row for each measure of these and
    of each fold.
    """

    ANSWER = "folds"
    FORM = "groups.folds"
    OF = "fold"

    whole: Evaluation
    groups: Index
    _parts: Partition = field(repr=False)
    trained: Array
    repeated: bool = False
    selected: tuple[str, ...] | None = None
    untested: int = 0
    differing: int = 0
    was_fitted: bool = False
    _predictions: Predictions | None = field(default=None, repr=False)

    @property
    def predictions(self) -> Predictions:
        """The predictions of `evaluate_estimator`. Raises InputError where they were given to `evaluate`."""
        if self._predictions is None:
            problem = "the predictions were given to evaluate, which does not keep them"
            raise InputError("unsupported", "predictions", problem, "use the data that it was given")
        return self._predictions

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns of the folds."""
        return self.groups.columns

    # The means, and the values of all folds pooled
    # ----------------------------------------------------------------------------------------------

    @cached_property
    def means(self) -> OnDemand[str, Estimate]:
        """By measure the mean over the folds, with the interval of the corrected resampled t."""
        return OnDemand(self._names_of_measures, self._mean, self._known_as)

    @cached_property
    def pooled(self) -> OnDemand[str, Estimate]:
        """By measure the value of all test cases together, with an interval from the values without a fold.

        A note says which measures are of the order or the calibration of scores from different models.
        """
        return OnDemand(self._names_of_measures, self._pool, self._known_as)

    def values_of(self, measure: str) -> Array:
        """The values of a measure, by fold; NaN where it is undefined."""
        name = self._known_as(measure)
        return np.array([value_of(one, name) for one in self.evaluations.values()])

    @property
    def _names_of_measures(self) -> Any:
        return self.whole.estimates if self.selected is None else self.selected

    def _known_as(self, name: str) -> str:
        """The measure's own name. Raises InputError where the data do not allow it."""
        chosen = self.whole[[name]].selected
        return name if chosen is None else chosen[0]

    @cached_property
    def shares(self) -> Array:
        """The ratio of test to training cases of each fold."""
        return self.groups.numbers / self.trained

    def _mean(self, name: str) -> Estimate:
        values = self.values_of(name)
        gone = np.isnan(values)
        first = list(self.evaluations.values())[int(gone.argmax())]
        reason = why_undefined(first, name) if gone.any() else None
        found = mean_over_folds(values, self.shares).estimate(
            self.whole.entry(name).range, self.whole.settings.level, reason or NO_VALUE
        )
        left_out = Note("folds-left-out", folds=int(gone.sum()), because=reason) if reason else None
        return found if found.undefined else self._of_chosen(name, found, left_out)

    def _pool(self, name: str) -> Estimate:
        entry, level, value = self.whole.entry(name), self.whole.settings.level, value_of(self.whole, name)
        if np.isnan(value):
            return Estimate(value, level=level, undefined=why_undefined(self.whole, name))
        pooled = pooled_over_folds(value, self.values_without(name), self.groups.numbers, self.shares)
        found = pooled.estimate(entry.range, level)
        of_models = None if is_sum_over_cases(entry) else Note("scores-of-several-models")
        return self._of_chosen(name, found, of_models)

    @cached_property
    def _without_each(self) -> list[Evaluation]:
        codes = self.groups.codes
        return [self._parts.part(np.flatnonzero(codes != i)) for i in range(len(self))]

    def values_without(self, measure: str) -> Array:
        """The value of a measure for the test cases of all other folds, by fold."""
        return np.array([value_of(one, measure) for one in self._without_each])

    def _of_chosen(self, name: str, found: Estimate, note: Note | None) -> Estimate:
        """The estimate with a note; without its interval where the threshold was chosen on the test cases."""
        at = self.whole.threshold if isinstance(self.whole, BinaryEvaluation) else None
        if at is None or not at.chosen or self.whole.entry(name).summary is not Counts:
            return replace(found, notes=joined(found.notes, note))
        notes = joined(Note("chosen-on-all-folds"), found.notes, note)
        return Estimate(found.value, level=found.level, notes=notes)

    # As other results
    # ----------------------------------------------------------------------------------------------

    @cached_property
    def notices(self) -> tuple[Notice, ...]:
        """What to consider when reading the results: on the folds, and on all cases."""
        ranks = any(not is_sum_over_cases(self.whole.entry(name)) for name in self.measures)
        crossed, of = self._clusters_in_several_folds, self.whole.clusters
        on_folds = (
            (
                crossed,
                Notice("clusters-in-several-folds", clusters=crossed, of="" if of is None else of.what),
            ),
            (self.was_fitted, Notice("fitted-model-refitted")),
            (self.differing, Notice("labels-not-by-threshold", cases=self.differing)),
            (ranks, Notice("pooled-scores")),
            (self.repeated, Notice("cases-repeated")),
            (self.untested, Notice("cases-untested", cases=self.untested)),
        )
        applying = (notice for applies, notice in on_folds if applies)
        return (*applying, *(of_model(POOLED_CASES, one) for one in self.whole.notices))

    @cached_property
    def _clusters_in_several_folds(self) -> int:
        """The number of clusters with cases in several folds of one repeat."""
        return in_several_folds(self._parts.units.get(None), self.groups)

    @classmethod
    def entries_in(cls, plain: Mapping[str, Any]) -> Iterator[Entry]:
        """By measure and what they are of ("mean", "pooled", or the fold), with the number of cases."""
        cases = plain["data"]["rows"]
        parts = [(part, None, cases, plain[part]) for part in (MEAN, POOLED)]
        parts += [(FOLD, name, one["rows"], one["measures"]) for name, one in plain["folds"].items()]
        for part, name, number, measures in parts:
            for measure, found in measures.items():
                row = {"part": part, "fold": name, "cases": number, "measure": measure, **found}
                yield (measure, name or part), found, [row]

    def to_dict(self) -> dict[str, Any]:
        """Plain values: the means, all cases pooled, and of each fold its sizes and measures."""
        return {
            **head(self.ANSWER),
            "task": self.whole.task,
            "data": self.whole.data.to_dict(),
            "fold": list(self.columns),
            "repeated": self.repeated,
            "untested": self.untested,
            "selected": list(self.measures),
            "mean": {name: self.means[name].to_dict() for name in self.measures},
            "pooled": {name: self.pooled[name].to_dict() for name in self.measures},
            "folds": {
                name: self._plain(name, labels, trained=int(trained))
                for name, labels, trained in zip(
                    self.groups.names, self.groups.labels, self.trained, strict=True
                )
            },
            "notices": [notice.to_dict() for notice in self.notices],
        }

    @property
    def instead(self) -> str:
        """What to pass where cases or an evaluation are taken."""
        return f"it holds evaluations of {len(self)} folds; pass one of them, as table['name'], or .whole"

    def __repr__(self) -> str:
        means = ", ".join(f"{name} {self.means[name].value:.4g}" for name in self.measures[:2])
        return f"<FoldTable of {len(self)} folds, {text.label(means, LONGEST)}>"


def in_several_folds(units: Array | None, folds: Index) -> int:
    """The number of units with cases in several folds of one repeat."""
    if units is None:
        return 0
    each = [
        np.stack([repeats_of(folds)[folds.codes], numbers, folds.codes]) for numbers in np.atleast_2d(units)
    ]
    pairs = np.unique(np.hstack(each), axis=1)
    found, times = np.unique(pairs[:2], axis=1, return_counts=True)
    return len(np.unique(found[1][times > 1]))


# Values without intervals, which repeated computations do not need
# -------------------------------------------------------------------------------------------------------


def value_of(e: Evaluation, name: str) -> float:
    """The value of an estimate, NaN where the measure is undefined, or only bounds of it are known."""
    found = _value(e, name)
    return nan if isinstance(found, Note) else found


def why_undefined(e: Evaluation, name: str) -> Note | None:
    """Why the value is NaN."""
    found = _value(e, name)
    return found if isinstance(found, Note) else e.entry(name).why_undefined(e.summary_of(name))


def _value(e: Evaluation, name: str) -> float | Note:
    entry, summary = e.entry(name), e.summary_of(name)
    binned = e.binned if isinstance(e, BinaryEvaluation) else None
    if binned is not None and isinstance(summary, RankingTable) and not binned.single:
        found = entry.bounds_of(binned.as_cases, **e.parameters_of(entry))
        if isinstance(found, Note) or found[0] < found[1]:
            return Note("value-in-bins", bins=len(binned))
        return found[0]
    if isinstance(summary, (Counts, RankingTable)):  # some measures depend on the number of cases
        summary = as_cases(summary)
    with np.errstate(divide="ignore", invalid="ignore"):
        return float(entry.function(summary, **e.parameters_of(entry)))


def is_sum_over_cases(entry: Measure) -> bool:
    """Whether each case counts by itself, not by its score among others, so that folds may be pooled.

    So are measures of predicted labels or amounts, and means of a loss of each case.
    """
    return entry.loss is not None or not issubclass(entry.summary, (RankingTable, ClassScores))


# Several models
# -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, repr=False)
class FoldDifference(Contrast):
    """The difference of two models on the same folds, in one measure.

    Attributes
    ----------
    measure, model, reference : str
        Their names.
    part : {"mean", "pooled"}
        Of the means over the folds, or of the values of all test cases together.
    estimate : Estimate
        The value of the model less that of the reference, with its interval.
    statistic, df, p_value : float, int and float
        Those of the two-sided corrected resampled t-test, or of that of the jackknife over folds.
    adjusted : float
        The p-value adjusted for all differences of this part.
    """

    PLAIN = "measure part model reference *estimate statistic df p_value adjusted_p_value=adjusted"

    measure: str
    part: str
    model: str
    reference: str
    estimate: Estimate
    statistic: float
    df: int
    p_value: float
    adjusted: float

    __eq__ = equal_as_tuples


@dataclass(frozen=True, eq=False, repr=False)
class FoldTables(TablesOfModels[FoldTable]):
    """Several models on the folds of a cross-validation: by the name of the model its table of the folds.

    Attributes
    ----------
    tables : mapping of str to FoldTable
        By model, in the order given; all have the same folds.
    reference : str or None
        The model from which the differences are; None for the one that is best in the first measure.

    Notes
    -----
    `table` has the rows of the `FoldTable` of each model: the means over the folds, the values pooled, and
    those of each fold.
    """

    ANSWER = "fold_tables"
    FORM = "groups.fold_tables"
    KIND = FoldTable

    tables: Mapping[str, FoldTable]
    reference: str | None = None

    @cached_property
    def compared_with(self) -> str:
        """The model from which the differences are: the reference, or the best mean of the first measure."""
        if self.reference is not None or not self.measures:
            return self.reference or next(iter(self))
        name = self.measures[0]
        values = {model: one.means[name].value for model, one in self.items()}
        return best_of(values, self.first.whole.entry(name))

    @cached_property
    def differences(self) -> tuple[FoldDifference, ...]:
        """The paired differences from one of the models, by part, measure and model.

        Of the means by the corrected resampled t-test of Nadeau and Bengio, as in `cross_validate`; of the
        pooled values by the jackknife over folds with the same correction. The p-values of each part are
        adjusted by Holm. Those from the best of three models or more, and their intervals, allow for its
        choice by Bonferroni's adjustment for all pairs of models.
        """
        others, reference = [name for name in self if name != self.compared_with], self[self.compared_with]
        differences: list[FoldDifference] = []
        for part in PARTS:
            pairs = [(measure, model) for measure in self.measures for model in others]
            tests = [self._less(part, *pair, reference) for pair in pairs]
            together = [measure for measure, _ in pairs] if self._pairs > 1 else None
            p_values = adjusted([one.p_value for one in tests], together=together).tolist()
            differences += [
                FoldDifference(measure, part, model, self.compared_with, *test, p)
                for (measure, model), test, p in zip(pairs, tests, p_values, strict=True)
            ]
        return tuple(differences)

    def _less(self, part: str, measure: str, model: str, reference: FoldTable) -> Tested:
        """The difference of a model from the reference in one measure, with its test."""
        one = self[model]
        if part != POOLED:
            found = mean_over_folds(less(one.values_of(measure), reference.values_of(measure)), one.shares)
        else:
            value = value_of(one.whole, measure) - value_of(reference.whole, measure)
            without = less(one.values_without(measure), reference.values_without(measure))
            found = pooled_over_folds(value, without, one.groups.numbers, one.shares)
        return found.tested(span(one.whole.entry(measure).range), one.whole.settings.level, self._pairs)

    @property
    def is_chosen(self) -> bool:
        """Whether the model that others are compared with was chosen as the best in the first measure."""
        return self.reference is None and self.first.whole.entry(self.measures[0]).better is not None

    @property
    def _pairs(self) -> int:
        """The number of pairs of models from which one was chosen by its value."""
        return len(self) * (len(self) - 1) // 2 if self.is_chosen else 1

    @property
    def not_worse(self) -> tuple[str, ...]:
        """The models whose mean in the first measure is not shown to be worse than the best of them."""
        found = [one for one in self.differences if one.part == MEAN] if self.measures else []
        return not_shown_worse(found) if found and self.is_chosen else ()


def tables_of(tables: Mapping[str, FoldTable], reference: str | None) -> FoldTables:
    """The tables of several models. Raises InputError for a reference that is not one of them."""
    if reference is not None:
        choice(reference, list(tables), "reference")
    return FoldTables(tables, reference)


# From cases
# -------------------------------------------------------------------------------------------------------


def of_folds(
    data: Any,
    spec: CaseSpec,
    options: EvaluationOptions,
    threshold: Any,
    reference: str | None,
    progress: Callable[[int], None] | None,
) -> FoldTable | FoldTables:
    """The evaluations of the folds of cases, read once.

    Each model is taken as trained on the cases of all other folds, with two columns on those of its repeat.
    Raises InputError.
    """
    check_options(options)
    unnamed, limit = without_model_name(spec, threshold)
    models, _ = split_by(FOLD, data, unnamed, options, limit, progress)
    groups = next(iter(models.values())).groups
    trained, repeated = trained_of(groups), bool(repeats_of(groups).max() > 0)
    tables = {name: _table(one, trained, repeated) for name, one in models.items()}
    if None in tables:
        if reference is not None:
            choice(reference, [str(name) for name in by_name(spec.given.get(spec.kind))], "reference")
        return tables[None]
    return tables_of({str(name): table for name, table in tables.items()}, reference)


def trained_of(folds: Index) -> Array:
    """The number of training cases of each fold: those of the other folds of its repeat.

    Raises InputError where there are none.
    """
    repeats, sizes = repeats_of(folds), folds.numbers
    trained = np.bincount(repeats, weights=sizes).astype(np.int64)[repeats] - sizes
    if not trained.all():
        name = folds.names[int((trained == 0).argmax())]
        problem = f"{name!r} is the only fold" + " of its repeat" * bool(repeats.max() > 0)
        raise InputError("invalid-value", FOLD, problem, "name the column of the fold of each case")
    return trained


def _table(parts: Partition, trained: Array, repeated: bool) -> FoldTable:
    whole = replace(parts.whole, data=replace(parts.whole.data, folds=len(parts.places)))
    return FoldTable(parts.each, whole, parts.groups, parts, trained, repeated)


def of_splits(
    spec: CaseSpec, options: EvaluationOptions, threshold: Any, trained: Array, repeated: bool
) -> FoldTable:
    """The evaluations of the test cases of splits, which are numbered from 0 as the fold of each case.

    trained: the number of training cases of each; repeated: whether cases are tested in several.
    """
    parts = split_by(FOLD, None, spec, options, threshold, None)[0][None]
    return _table(parts, trained[[label[0] for label in parts.groups.labels]], repeated)


def check_options(options: EvaluationOptions) -> None:
    """Raises InputError for a rule that chooses the threshold on the test cases, and for fixed classes."""
    if options.rule is not None:
        problem = "it would choose the threshold on the test cases of all folds"
        way_out = f"give {option('threshold')}, or choose it in training, as TunedThresholdClassifierCV does"
        raise InputError("conflict", "rule", problem, way_out)
    if options.settings.design != Settings().design:
        problem = "the intervals of folds let the class mix vary, as it varies from fold to fold"
        raise InputError("unsupported", "design", problem, f"leave it out, or {option(FOLD)}")


def repeats_of(groups: Index) -> Array:
    """The number of the repeat of each fold: of several columns all but the last name it."""
    names: Sequence[Any] = sorted({label[:-1] for label in groups.labels})
    return np.array([names.index(label[:-1]) for label in groups.labels])
