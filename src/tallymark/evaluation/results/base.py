"""What the evaluations of all tasks share: the estimates, notices, text, rows and plain values."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import InitVar, dataclass, field, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Self, overload

from ... import kernels
from ...inference import Estimate, Settings, measured
from ...inference.clustered import DependentCases, DependentTables
from ...inference.effective import as_cases
from ...inference.fixed_sizes import HELD, fixed_by_weights
from ...inference.sums import add_up
from ...input.data_info import DataInfo, Task, conditions, named
from ...input.messages import Note, joined
from ...input.names import listed
from ...input.results import Answer, ByName, InFull, Plotted, Tabular, head
from ...input.validate import InputError
from ...measures import registry
from ...summaries import BinnedTable, ClassScores, ConfusionMatrix, Counts, IndicatorTable, RankingTable
from ...summaries.cases import POSITIVE_FROM
from ...summaries.value import fingerprint_of, once_for_all_threads
from .. import notices
from ..availability import NotMeasuredError, why_unmeasured
from ..class_measures import ManyClasses, OnDemand
from ..headline import Headline, headline_of
from .lacking import AT, NotOfTask, why_lacking

MOST_HELD = 1 << 26  # scores of the tables that are measured at once, one for each thread: some 3 GB


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Evaluation(ByName, Answer, Tabular, Plotted, ABC):
    """A mapping with an `Estimate` of every measure that the data allow; the base of all evaluations.

    `evaluate` returns the type of the task: `BinaryEvaluation`, `MulticlassEvaluation`,
    `MultilabelEvaluation` or `RegressionEvaluation`. An attribute that only another task has raises
    NotOfTask, an InputError that says what to use.

    Attributes
    ----------
    task : str
        "binary", "multiclass", "multilabel" or "regression".
    summary_types : tuple of types
        The types of summary of which the measures are computed.
    data : DataInfo
        The facts about the cases: their number, their weights, rows left out.
    settings : Settings
        How intervals are made.
    parameters : mapping of str to mapping
        Parameters by measure and name, as {"f_beta": {"beta": 0.5}}.
    clusters : DependentCases, DependentTables or None
        The clusters, or the persons, of the cases; None where they are independent.
    unanswered : Estimate or None
        The proportion of cases whose predicted label is no class (`not_an_answer`); None where no such value
        was named.
    selected : tuple of str or None
        The measures that were chosen, by `measures=` or `ev[["roc_auc", "f1"]]`: `ev` holds, prints and
        writes these. None for all that the data allow.
    estimates : mapping of str to Estimate
        By measure all that the data allow, each worked out when it is asked for; `ev["roc_auc"]` takes any
        name of a measure.
    """

    ANSWER = "evaluation"
    PARTS = "shown"
    FORM = "evaluations.evaluation"
    HIDDEN = Answer.HIDDEN | {
        "add_up", "as_cases", "both_classes", "check_path", "entry", "held_threshold", "in_bins", "many",
        "mix_fixed_by_weights", "mix_is_fixed", "need_each_score", "notices_of_data", "parameters_of",
        "scored", "shown", "summaries", "summary_of", "summary_types", "table_of_classes", "unanswered",
        "both", "units", "usual_figure", "why_no_probabilities", "why_not",
    }  # fmt: skip

    task: ClassVar[Task]
    summary_types: ClassVar[tuple[type, ...]]

    data: DataInfo
    settings: Settings
    parameters: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    clusters: DependentCases | DependentTables | None = None
    unanswered: Estimate | None = None
    selected: tuple[str, ...] | None = None
    estimates: OnDemand[str, Estimate] = field(init=False)
    _measured: dict[str, tuple[registry.Measure, int]] = field(init=False)
    _found: dict[str, Estimate] = field(init=False)
    _shared: InitVar[dict[str, Estimate] | None] = field(default=None, kw_only=True)

    def __post_init__(self, _shared: dict[str, Estimate] | None) -> None:
        kinds = tuple(map(type, self.summaries))
        measured = registry.measured_on(kinds, self._kinds_of_scores, self._has_order)
        object.__setattr__(self, "_measured", dict(measured))  # and those derived from them, when named
        object.__setattr__(self, "_found", {} if _shared is None else _shared)
        object.__setattr__(self, "estimates", OnDemand(measured, self._estimated, before_all=self.add_up))

    def __reduce__(self) -> tuple[Any, ...]:
        return _made, (type(self), {one.name: getattr(self, one.name) for one in fields(self) if one.init})

    if not TYPE_CHECKING:  # a type checker knows the attributes of the task

        def __getattr__(self, name: str) -> Any:
            why = None if hasattr(type(self), name) else why_lacking(self, name)
            if why is None:
                return super().__getattr__(name)
            raise NotOfTask("unsupported", "threshold" if name == AT else name, why)

    @property
    @abstractmethod
    def summaries(self) -> tuple[Any, ...]:
        """The tables from which measures are computed, in the order of the measures."""

    @property
    def notices_of_data(self) -> tuple[notices.Notice, ...]:
        """Those that follow from the facts of the data alone, as rows that are left out."""
        return notices.of_data(self.data)

    @cached_property
    def notices(self) -> tuple[notices.Notice, ...]:
        """What to consider when reading the results; computed on demand."""
        differing = self.data.differing
        of_labels = (notices.Notice("labels-not-by-threshold", cases=differing),) if differing else ()
        return notices.review(self) + of_labels

    @cached_property
    def headline(self) -> Headline | None:
        """The headline: the measure that leads, with what it is compared with and what is uncertain.

        `str` of it is one sentence; None where there is no measure.
        """
        return headline_of(self)

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 in hexadecimal digits, by which one sees that two evaluations are of the same data.

        Of files that were read it is that of their bytes, as `sha256sum` gives it; else that of the table
        that the cases were summed up in, which does not depend on their order, but for the rounding of
        fractional weights. It is worked out when read.
        """
        return self.data.sha256 or fingerprint_of(self.summaries[0])

    @property
    def conditions(self) -> str:
        """The conditions of the intervals, as a line of text: the design, and the kind of the weights."""
        return conditions(self.design, self.data.weight_kind, fixed_by_weights=self.mix_fixed_by_weights)

    @property
    def units(self) -> tuple[str, int] | None:
        """What the cases belong to and how many there are of these, as ("clusters", 40); None for no such."""
        return (self.clusters.what, self.clusters.number) if self.clusters else None

    @property
    def design(self) -> str | None:
        """What varies from sample to sample, "cohort" or "case-control"; None for a regression."""
        return self.settings.design

    @property
    def mix_fixed_by_weights(self) -> bool:
        """Whether class weights fix the class mix, so that intervals are for this mix in any design.

        Always False with clusters.
        """
        return self.clusters is None and any(map(fixed_by_weights, self.summaries))

    @property
    def mix_is_fixed(self) -> bool:
        """Whether intervals are for this class mix, by the design or by class weights."""
        return self.settings.design == HELD or self.mix_fixed_by_weights

    @property
    def probabilities(self) -> bool:
        """Whether there are scores that may be probabilities."""
        return False

    @property
    def baselines(self) -> dict[str, float]:
        """The accuracy of classifiers that ignore the cases, "random" and "largest class".

        "random" predicts all classes equally often, "largest class" always that one; empty where there is no
        such accuracy, as with one class.
        """
        return {}

    # The mapping
    # --------------------------------------------------------------------------------------------------------

    @overload
    def __getitem__(self, name: str) -> Estimate: ...

    @overload
    def __getitem__(self, name: list[str] | tuple[str, ...]) -> Self: ...

    def __getitem__(self, name: str | list[str] | tuple[str, ...]) -> Estimate | Self:
        """The estimate of a measure, by any of its names; of a list of names the evaluation with these only.

        Raises InputError where the data do not allow one.
        """
        if isinstance(name, (list, tuple)):
            return self._with_measures(name)
        if name == "unanswered" and self.unanswered is not None:
            return self.unanswered
        return self._estimated(self._name_of(name))

    def _with_measures(self, names: Sequence[str]) -> Self:
        if not names:
            raise InputError("needed", "measures", "none is named", 'as ["roc_auc", "f1"]')
        return self._with(selected=tuple(dict.fromkeys(map(self._name_of, names))))

    def named(self, name: str) -> Self:
        """The same evaluation with a name, which texts and pages show."""
        return self._with(data=replace(self.data, name=name))

    def _with(self, **changed: Any) -> Self:
        """The same cases, shown otherwise: estimates are computed once for both."""
        return replace(self, _shared=self._found, **changed)

    def _name_of(self, name: str) -> str:
        """The measure's own name. Raises InputError where the data do not allow it."""
        forms = registry.forms(name)
        entry = next((form for form in forms if form.name in self.estimates), None)
        if entry is None:
            fitting = (
                (form, place)
                for form in forms
                for place, one in enumerate(self.summaries)
                if form.fits(type(one))
            )
            entry, place = next(fitting, (forms[0], 0))
            if registry.is_listed(entry) or not entry.fits(type(self.summaries[place])):
                raise NotMeasuredError(entry.name, self.why_not(entry))
            self._measured[entry.name] = entry, place
        return entry.name

    @property
    def shown(self) -> Mapping[str, Estimate]:
        """The estimates of the measures that were chosen, or of all."""
        return (
            self.estimates
            if self.selected is None
            else OnDemand(self.selected, self._estimated, before_all=self.add_up)
        )

    @property
    def all(self) -> InFull:
        """The evaluation as it prints in full: every measure, with methods and notes."""
        return InFull(self if self.selected is None else self._with(selected=None))

    def entry(self, name: str) -> registry.Measure:
        """The measure behind an estimate, in the form that was computed."""
        return self._placed(name)[0]

    def _placed(self, name: str) -> tuple[registry.Measure, int]:
        """The measure, and the place of its table among the summaries."""
        return self._measured[name if name in self._measured else self._name_of(name)]

    def summary_of(self, name: str) -> Any:
        """The table that an estimate is measured on."""
        return self.summaries[self._placed(name)[1]]

    def __contains__(self, name: object) -> bool:
        try:
            return isinstance(name, str) and bool(self._name_of(name))
        except InputError:
            return False

    def values(self) -> Iterable[Estimate]:
        """The estimates."""
        return self.shown.values()

    def items(self) -> Iterable[tuple[str, Estimate]]:
        """The names with the estimates."""
        return self.shown.items()

    # The estimates
    # ------------------------------------------------------------------------------------------------------

    def why_not(self, entry: registry.Measure) -> Note:
        """Why a measure is not available, and how to get it."""
        return why_unmeasured(entry)

    @property
    def unavailable(self) -> dict[str, Note]:
        """The measures of the task that are not available, with the reasons."""
        every = (entry for table in self.summary_types for entry in registry.find(table))
        return {entry.name: self.why_not(entry) for entry in every if entry.name not in self.estimates}

    def parameters_of(self, entry: registry.Measure) -> dict[str, Any]:
        """The parameters that the measure is computed with."""
        return dict(self.parameters.get(entry.base.name, {}))

    def as_cases(self, summary: Any) -> Any:
        """The summary with weights that add up to the effective number of cases; None if they already do."""
        return None if (found := as_cases(summary)) is summary else found

    @property
    def _kinds_of_scores(self) -> frozenset[str | None]:
        """The kinds of scores that a measure may require, None for no requirement."""
        return frozenset((None, "probability"))

    @property
    def _has_order(self) -> bool:
        """Whether measures of ordered classes are possible."""
        return True

    def add_up(self, names: Iterable[str]) -> None:
        """Estimates these measures where there are many scores: one pass over them, then all processors."""
        new = [] if self.clusters is not None else [name for name in names if name not in self._found]
        for table in self.summaries:
            entries = [self.entry(name) for name in new if self.summary_of(name) is table]
            add_up(table, {entry: self.parameters_of(entry) for entry in entries})
        scores = max((len(one) for one in self.summaries if isinstance(one, RankingTable)), default=0)
        if scores > kernels.MANY and len(new) > 1:
            with once_for_all_threads():
                kernels.each(lambda i: self._estimated(new[i]), len(new), at_once=MOST_HELD // scores)

    def _estimated(self, name: str) -> Estimate:
        if name not in self._found:
            self.add_up([name])
            found = self._estimate(self.entry(name), self.summary_of(name))
            if self.data.folds and found.has_interval:
                folds = Note("cases-of-several-models", folds=self.data.folds)
                found = replace(found, notes=joined(found.notes, folds))
            self._found[name] = found
        return self._found[name]

    def _estimate(self, entry: registry.Measure, summary: Any) -> Estimate:
        given = self.parameters_of(entry)
        return measured(entry, summary, self.settings, given, self.clusters, self.held_threshold)

    @property
    def held_threshold(self) -> float:
        """The threshold on the stored scores of cases in clusters; predicted labels are stored as 0 and 1."""
        return POSITIVE_FROM

    # Plain values, text and page
    # ----------------------------------------------------------------------------------------

    @property
    def table(self) -> list[dict[str, Any]]:
        """One row per measure, as plain values."""
        return self.rows_in({"measures": {name: found.to_dict() for name, found in self.shown.items()}})

    @property
    def instead(self) -> None:
        """None: an evaluation can be passed itself."""

    def to_dict(self) -> dict[str, Any]:
        """Plain values, in the layout of docs/json.md (version 2)."""
        measures = {name: found.to_dict() for name, found in self.shown.items()}
        headline = None if self.headline is None else self.headline.to_dict()
        answer = self._head() | {"headline": headline, "measures": measures}
        answer["selected"] = "all" if self.selected is None else list(self.selected)
        answer["unavailable"] = {name: why.to_dict() for name, why in self.unavailable.items()}
        if self.unanswered is not None:
            answer["unanswered"] = self.unanswered.to_dict()
        answer["notices"] = [notice.to_dict() for notice in self.notices]
        if self.baselines:
            answer["baselines"] = self.baselines
        return answer | self._more()

    def _head(self) -> dict[str, Any]:
        """The entries before the measures; a task fills in those that it has."""
        units = dict([self.units] if self.units else ())
        data = self.data.to_dict() | units | {"sha256": self.fingerprint}
        about = {"task": self.task, "data": data}
        return head(self.ANSWER) | about | named(self.design, self.mix_fixed_by_weights)

    def _more(self) -> dict[str, Any]:
        """The entries of a task after those that all have."""
        return {}

    def __repr__(self) -> str:
        found = f"{len(self.shown)} measures, {len(self.notices)} notices"
        return f"<{type(self).__name__} of {self.data.rows} cases: {found}>"


def guessed(sizes: Sequence[float | None]) -> dict[str, float]:
    """The accuracy of classifiers that ignore the cases, from the class sizes; empty for one class."""
    occurring = [size for size in sizes if size]
    return (
        {"random": 1 / len(occurring), "largest class": max(occurring) / sum(occurring)}
        if len(occurring) > 1
        else {}
    )


def _made(kind: type[Evaluation], given: dict[str, Any]) -> Evaluation:
    """The evaluation with these fields, for unpickling."""
    return kind(**given)


if TYPE_CHECKING:

    class SomeEvaluation(Evaluation):
        """The evaluation of a task that a type checker does not know: any attribute may be there."""

        def __getattr__(self, name: str) -> Any: ...

else:
    SomeEvaluation = Evaluation


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ScoredEvaluation(Evaluation):
    """An evaluation of cases that may have scores.

    Attributes
    ----------
    score_kind : str or None
        The stated kind of the scores, as "logit" or "llr"; None if none is stated.
    """

    score_kind: str | None = None

    @property
    @abstractmethod
    def scored(self) -> RankingTable | ClassScores | None:
        """The table of the scores; None where only labels or counts were given."""

    @property
    def probabilities(self) -> bool:
        """Whether the scores are stated to be logits, or may be probabilities.

        They may be where all lie in [0, 1] and no other kind is stated.
        """
        if self.score_kind not in (None, "probability", "logit"):
            return False
        return self.scored is not None and bool(self.scored.in_unit_interval)

    @property
    def in_bins(self) -> BinnedTable | None:
        """The bins, where scores are known only as bins of several of them."""
        return None

    @cached_property
    def left_out(self) -> tuple[str, ...]:
        """The measures that need probabilities, where the scores are not probabilities."""
        if self.probabilities or self.scored is None:
            return ()
        return tuple(entry.name for entry in registry.find(type(self.scored)) if entry.needs_probabilities)

    @property
    def _kinds_of_scores(self) -> frozenset[str | None]:
        kinds = {None, self.score_kind}
        return frozenset(kinds - {"probability"} if self.left_out else kinds | {"probability"})


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ClasswiseEvaluation(Evaluation):
    """An evaluation with the measures of two classes for each class against the rest, and their averages."""

    clusters: DependentTables | None = None

    @property
    @abstractmethod
    def table_of_classes(self) -> ConfusionMatrix | IndicatorTable:
        """The table in which each class is counted against the rest."""

    @cached_property
    def many(self) -> ManyClasses:
        """Every measure of every class."""
        return ManyClasses(self.table_of_classes, self.settings, self.parameters, self.clusters)

    @property
    def classes(self) -> OnDemand[Any, OnDemand[str, Estimate]]:
        """By label, the estimates of the class against the rest."""
        return self.many.classes

    @property
    @listed(
        "function",
        "tm.evaluate(...).averages",
        aka=(
            "averages_over_classes",
            "macro_average",
            "macro_averaging",
            "micro_average",
            "micro_averaging",
            "weighted_average",
        ),
        command="tallymark evaluate",
        terms=(
            "one_versus_rest",
            "binary_metrics_for_multiclass_classification",
        ),
    )
    def averages(self) -> OnDemand[str, OnDemand[str, Estimate]]:
        """By kind ("macro", "weighted", "micro"), the averages of the measures over the classes.

        Source: Flemming.
        """
        return self.many.averages

    @property
    def class_counts(self) -> dict[Any, Counts]:
        """By label, the four counts of the class against the rest."""
        return {label: self.many.counts[i] for i, label in enumerate(self.table_of_classes.labels)}

    def _estimate(self, entry: registry.Measure, summary: Any) -> Estimate:
        if isinstance(entry, registry.Average):
            return self.averages[entry.kind_of_average][entry.base.name]
        return super()._estimate(entry, summary)

    def why_not(self, entry: registry.Measure) -> Note:
        """Why a measure is not available, and how to get it."""
        of_classes = Note("of-single-classes", several_labels=self.task == "multilabel", measure=entry.name)
        return of_classes if entry.summary is Counts else super().why_not(entry)

    def _more(self) -> dict[str, Any]:
        counts = {str(label): counts.to_dict() for label, counts in self.class_counts.items()}
        groups = {"classes": self.classes, "averages": self.averages}
        return {**{name: self._plain(group) for name, group in groups.items()}, "class_counts": counts}

    def _plain(self, groups: Mapping[Any, Mapping[str, Estimate]]) -> dict[str, dict[str, Any]]:
        """The estimates of each class, or average: of all measures, or those that were chosen."""
        names = [name for name in self.many.names if self.selected is None or name in self.selected]
        return {str(key): {name: group[name].to_dict() for name in names} for key, group in groups.items()}
