"""The results of `evaluate`: a type for each task, a mapping of estimates; the table of several models."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import InitVar, dataclass, field, fields, replace
from functools import cached_property, partial
from math import nan
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, Self, TypeVar, overload

import numpy as np

from .. import kernels
from ..inference import Estimate, Settings, estimate, measured
from ..inference.binned import estimate_binned
from ..inference.clustered import DependentCases, DependentTables
from ..inference.covariance import as_cases
from ..inference.interval import HELD, fixed_by_weights, with_fixed_mix
from ..inference.sums import add_up
from ..input import text, validate
from ..input.arguments import Band, Ties
from ..input.calls import public
from ..input.errors import IN_FORMATS, InputError
from ..input.messages import Note, joined
from ..input.names import listed
from ..input.results import Answer, ByName, Entry, InColumns, InFull, Plotted, Result, Tabular, head, rows_of
from ..input.sample import DataInfo, Task, conditions, named
from ..input.score_columns import TWO
from ..input.text import whole
from ..input.validate import shown
from ..measures import registry
from ..measures.families.multiclass_ranking import against_the_rest
from ..measures.registry import Average, Leading, Measure
from ..summaries import (
    BinnedTable,
    ClassScores,
    ConfusionMatrix,
    Counts,
    IndicatorTable,
    LogitTable,
    RankingTable,
    Residuals,
)
from ..summaries.engines import EachNeeded
from ..summaries.ranking import sigmoid
from ..summaries.samples import POSITIVE_FROM
from ..summaries.value import fingerprint_of, once_for_all_threads
from . import notices
from .class_measures import WITHHELD, ManyClasses, OnDemand
from .headline import Headline, headline_of
from .notices import Notice, of_model
from .thresholds import (
    GIVEN,
    HIGHEST_SCORE,
    PREDICTED,
    Optimism,
    Rule,
    RuleSpec,
    Threshold,
    default_threshold,
    depends_on_threshold,
    estimate_at_chosen,
    highest_of_the_best,
    optimism_of,
    parameters_of,
)

if TYPE_CHECKING:
    from ..curves import Curve
    from ..curves.curve import Crossings


# Why a measure is not available: what the data of an evaluation lack
# --------------------------------------------------------------------------------------------------

NEEDED: dict[Any, Note] = {
    Residuals: Note("needs-amounts"),
    ClassScores: Note("needs-class-scores"),
    RankingTable: Note("needs-scores"),
}
LOWER_IS_POSITIVE = Note("lower-is-positive")
NO_PROBABILITIES = Note("no-probabilities-of-two")


class NotMeasuredError(InputError):
    """A measure is not available. why: what the data lack for it."""

    def __init__(self, name: str, why: Note):
        self.why = why
        super().__init__("unsupported", None, f"{name} is not measured here: {why}", value=name)


def why_unmeasured(entry: Measure) -> Note:
    """Why the table that a measure needs is missing, and how to get it."""
    if isinstance(entry, Average):
        return Note("of-several-classes", measure=entry.base.name)
    return NEEDED.get(entry.summary) or why_not_in_order(entry)


def why_not_in_order(entry: Measure) -> Note:
    """Why a measure is not available, although its table is."""
    return Note("needs-order" if entry.ordered else "not-of-these-data")


def kind_needed(entry: Measure) -> Note | None:
    """The kind that the scores must be stated to be, where a measure requires it."""
    return (
        Note("needs-score-kind", score_kind=entry.scores)
        if entry.scores not in (None, "probability")
        else None
    )


# Attributes that only evaluations of another task have: why they are missing, and what to use
# --------------------------------------------------------------------------------------------------

LABELS = "labels or counts"
AT = "at"
OF_ONE_SCORE = (
    "ranking", "binned", "threshold", "limit", "higher_is_positive", "chosen_by", "optimism_of_choice",
    "curve", "operating_points", "pairs_matrix", "need_each_score", "why_no_probabilities",
)  # fmt: skip
NO_CLASS_SCORES = "it needs a score per class; evaluate with {option[score]} an array of one column per class"


class NotOfTask(InputError, AttributeError):  # noqa: N818  # like InputError, it names what is wrong
    """An attribute that only evaluations of another task have."""


def no_scores(here: str, what: str = "it") -> str:
    """Why measures and methods that need a score per case are missing."""
    return f"{what} needs scores; there are only {here} here"


def no_threshold(here: str) -> str:
    """Why no threshold can be set."""
    return f"there are no scores here, only {here}; evaluate with {{option[score]}} to choose one"


def _reasons(groups: dict[str, str], scores: str | None) -> dict[str, str]:
    """The reason by name, from names with one reason. scores: what there is in place of these."""
    every = OF_ALL | groups
    if scores is not None:
        names = f"{' '.join(OF_ONE_SCORE)} score_kind scored in_bins left_out"
        every |= {names: no_scores(scores), AT: no_threshold(scores)}
    return {name: why for names, why in every.items() for name in names.split()}


OF_TWO_CLASSES, CELLS = "counts labels two_by_two both both_classes", "tp fp fn tn"
OF_CLASSES, OF_CLASS_SCORES = (
    "many classes averages class_counts table_of_classes",
    "scores class_areas one_vs_rest",
)
ONE_TABLE = (
    "and one table of two classes is needed; take one of them against the rest, as ev.class_counts[label]"
)
OF_ALL = {  # unless the task has them
    "matrix": "it needs more than two classes, and one label per case",
    "indicators": (
        "it needs cases with several labels; evaluate with {option[truth]} and {option[predicted]} of one"
        " column of 0 and 1 per label"
    ),
    "residuals": "it needs predicted amounts; evaluate with {option[regression=True]}",
}
REASONS: dict[str, dict[str, str]] = {
    "binary": _reasons(
        {
            OF_CLASS_SCORES: NO_CLASS_SCORES,
            f"{OF_CLASSES} matrix confusion_matrix confusion": (
                'there are two classes here; see .counts, .two_by_two and plot("confusion")'
            ),
            CELLS: "write ev.counts.tp, .fp, .fn or .tn",
        },
        None,
    ),
    "multiclass": _reasons(
        {
            f"{OF_TWO_CLASSES} {CELLS}": f"there are more than two classes, {ONE_TABLE}",
            "confusion_matrix confusion": 'write ev.matrix, or ev.plot("confusion")',
        },
        LABELS,
    ),
    "multilabel": _reasons(
        {
            OF_TWO_CLASSES: f"there are several labels per case, {ONE_TABLE}",
            OF_CLASS_SCORES: NO_CLASS_SCORES,
        },
        LABELS,
    ),
    "regression": _reasons(
        {
            f"{OF_TWO_CLASSES} {OF_CLASSES}": "predicted amounts have no classes; evaluate labels or scores",
            OF_CLASS_SCORES: NO_CLASS_SCORES,
        },
        "predicted amounts",
    ),
}


def why_lacking(e: Any, name: str) -> str | None:
    """Why an evaluation lacks an attribute of another task; None for names that no task has."""
    why = REASONS[e.task].get(name)
    if name in (*OF_ONE_SCORE, AT) and e.task == "multiclass" and e.scores is not None:
        why = (
            "there is a score per class; take one class against the rest,"
            " {either[one_vs_rest(label)|tallymark curve --class]}"
        )
    return why and why.format(**IN_FORMATS)


# What the evaluations of all tasks share: the estimates, notices, text, rows and plain values
# --------------------------------------------------------------------------------------------------

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


# The two-by-two table: the counts with their margins, and the eight ratios in four complementary pairs
# --------------------------------------------------------------------------------------------------
#
# Actual classes are the rows and predictions the columns, the positive class first, as in every table and
# picture here. Wikipedia and Berrar, Fig. 3, transpose it.

# Ratios of a row are of one actual class, so that they do not depend on the prevalence. Ratios of a column
# are of both classes, with the prevalence of these cases.
OF_ROWS = (("sensitivity", "false_negative_rate"), ("specificity", "false_positive_rate"))
OF_COLUMNS = (("precision", "false_discovery_rate"), ("negative_predictive_value", "false_omission_rate"))
LONGEST_LABEL = 11  # so that the table fits into 80 columns
Pairs = tuple[tuple[str, str], ...]  # of measures that add up to 1
Ratios = list[tuple[str, Estimate, str, Estimate]]


@listed(
    "function",
    "tm.evaluate(...).two_by_two",
    name="contingency_table",
    aka=("two_by_two_table", "table_of_confusion", "2x2_contingency_table"),
    terms=(
        "confusion_matrix",
        "cross_tabulation",
        "eight_ratios",
    ),
    command="tallymark counts",
)
@dataclass(frozen=True, slots=True, repr=False)
class Contingency(Result):
    """A two-by-two table with its ratios: rows are actual classes, columns predicted ones, positive first.

    The actual class is that of the gold standard: positive where the condition is present.

    Parameters
    ----------
    counts : Counts
        The cells must be numbers, not arrays.
    labels : tuple of two labels
        The negative and the positive one.
    settings : Settings
        Of the intervals.
    known : mapping of str to Estimate, or None
        Estimates by measure, where they do not follow from the counts alone.
    """

    FORM = "evaluations.contingency"

    counts: Counts
    labels: tuple[Any, ...] = ("negative", "positive")
    settings: Settings = field(default_factory=Settings)
    known: Mapping[str, Estimate] | None = None

    def __post_init__(self) -> None:
        validate.of_type(self.counts, Counts, "counts")
        if np.ndim(self.counts.tp):
            raise InputError("wrong-shape", "counts", "one table is needed, not an array of them")
        validate.of_type(self.settings, Settings, "settings")
        if len(validate.labels(self.labels, "labels")) != TWO:
            raise InputError("wrong-shape", "labels", f"{shown(self.labels)} are not two labels")

    @property
    def rows(self) -> list[list[float]]:
        """Actual positive, actual negative, total; in each: predicted positive, predicted negative, total."""
        c = self.counts
        positive, negative = [c.tp, c.fn, c.tp + c.fn], [c.fp, c.tn, c.fp + c.tn]
        return [positive, negative, [a + b for a, b in zip(positive, negative, strict=True)]]

    def ratios(self, pairs: Pairs) -> Ratios:
        """The names and estimates of each pair."""
        return [(a, self._estimate(a), b, self._estimate(b)) for a, b in pairs]

    def _estimate(self, name: str) -> Estimate:
        return estimate(name, self.counts, self.settings) if self.known is None else self.known[name]

    def to_dict(self) -> dict[str, Any]:
        """Plain values, strict JSON."""
        cells = self.counts.to_dict()
        totals = Counts.of(*self.rows[2][:2], *(self.rows[i][2] for i in (0, 1))).to_dict().values()
        names = ("predicted_positive", "predicted_negative", "positive", "negative")
        pairs = [(pair, of == OF_COLUMNS) for of in (OF_ROWS, OF_COLUMNS) for pair in self.ratios(of)]
        return {
            "labels": {
                "positive": text.json_label(self.labels[1]),
                "negative": text.json_label(self.labels[0]),
            },
            "cells": cells,
            "margins": dict(zip(names, totals, strict=True)) | {"total": text.whole(self.counts.total)},
            "ratios": [
                {
                    "measure": a,
                    **x.to_dict(),
                    "complement": b,
                    "complement_value": y.to_dict()["value"],
                    **({} if y.corrected is None else {"complement_corrected": y.to_dict()["corrected"]}),
                    "depends_on_prevalence": depends,
                }
                for (a, x, b, y), depends in pairs
            ],
        }

    def __repr__(self) -> str:
        names = ", ".join(text.labels(self.labels[::-1], LONGEST_LABEL).values())
        return f"<Contingency of {text.count(self.counts.total)} cases: {names}>"


# The ranking table as a table to read, and the pairs of positives and negatives as a picture
# --------------------------------------------------------------------------------------------------

USUAL = ("sensitivity", "false_positive_rate", "precision", "lift")  # the measures of Berrar's Figure 2
MOST_PAIRS = 40  # the most cases of a class whose pairs are drawn


@listed(
    "function",
    "tm.evaluate(...).operating_points()",
    name="ranking_table",
    aka=("operating_points",),
    command="tallymark curve table",
)
class OperatingPoints(InColumns, Mapping[str, np.ndarray]):
    """Counts and measures at all thresholds, in columns by name; the first row has no predicted positives.

    What a ranker, a classifier whose scores only order the cases, achieves at each place of the order.

    Parameters
    ----------
    table : RankingTable
        The scores.
    *measures : str
        Measures of counts to show; by default sensitivity, false_positive_rate, precision and lift.
    sign : int
        -1 where the table stores negated scores; else 1.
    parameters : mapping of str to mapping, or None
        Parameters of the measures, by measure and name.
    notices : tuple of Notice
        On the data.

    Attributes
    ----------
    columns : dict of str to array
        threshold (infinity first), positives and negatives with that score, tp, fp, fn, tn at the threshold,
        and measures of counts.

    Raises
    ------
    InputError
        For a measure that is not computed from counts.

    Notes
    -----
    dict(points) can be passed to the data frame of any library.

    References
    ----------
    Berrar, Fig. 2; Tharwat, Table 1.
    """

    ANSWER = "operating_points"
    FORM = "evaluations.operating_points"

    def __init__(
        self,
        table: RankingTable,
        *measures: str,
        sign: int = 1,
        parameters: Mapping[str, Mapping[str, Any]] | None = None,
        notices: tuple[Notice, ...] = (),
    ) -> None:
        self._notices = notices
        counts = table.sweep()
        here = {"positives": np.append(0, table.positive), "negatives": np.append(0, table.negative)}
        entries = [registry.get(name, Counts) for name in measures or USUAL]
        for entry in entries:
            entry.check(counts)
        cells = {name: getattr(counts, name) for name in ("tp", "fp", "fn", "tn")}
        given = parameters or {}
        found = {
            entry.name: np.asarray(entry.function(counts, **given.get(entry.name, {})), float)
            for entry in entries
        }
        self.columns: dict[str, np.ndarray] = {
            "threshold": sign * table.thresholds + 0.0,
            **here,
            **cells,
            **found,
        }

    @property
    def notices(self) -> tuple[Notice, ...]:
        """On the data."""
        return self._notices

    def __getitem__(self, name: str) -> np.ndarray:
        if not validate.hashable(name) or name not in self.columns:
            hint = validate.nearest(name, self.columns)
            raise validate.NoSuchEntry(
                "unknown-name",
                "column",
                f"{validate.shown(name)} is not known{hint}",
                f"there are {', '.join(self.columns)}",
                value=name,
            )
        return self.columns[name]

    def __eq__(self, other: object) -> bool:
        """Whether all columns are the same; undefined values count as equal."""
        return (
            isinstance(other, OperatingPoints)
            and list(self) == list(other)
            and all(np.array_equal(self[name], other[name], equal_nan=True) for name in self)
        )

    __hash__ = None  # type: ignore[assignment]  # the arrays may be changed

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def __len__(self) -> int:
        """The number of columns."""
        return len(self.columns)

    def __repr__(self) -> str:
        return f"<OperatingPoints: {len(self.columns['threshold'])} thresholds, {len(self)} columns>"


@listed(
    "function",
    "tm.evaluate(...).pairs_matrix",
    name="pairs_matrix",
    aka=("matrix_of_pairs", "pairs_table"),
    command="tallymark curve pairs",
)
class PairsMatrix(Tabular, Plotted):
    """Every pair of a positive and a negative, as a picture of the area under the ROC curve.

    Rows are positives, the highest score first; columns are negatives, the lowest score first. cells: 1 where
    the positive has the higher score, 0.5 in a tie, else 0; their mean is the area under the ROC curve.
    Raises InputError for more than 40 cases of a class, and for weights that are not whole. Source: QuData;
    Flemming.
    """

    FORM = "evaluations.pairs_matrix"
    FIGURE = "pairs"
    PLAIN = "positives negatives cells"
    INFINITE = True

    def __init__(self, table: RankingTable, sign: int = 1) -> None:
        if table.weighted or max(table.positives, table.negatives) > MOST_PAIRS:
            raise validate.InputError(
                "unsupported",
                "pairs",
                f"they are drawn for up to {MOST_PAIRS} positives and negatives of whole weights",
                f"there are {text.count(table.positives)} and {text.count(table.negatives)}",
            )
        positives, negatives = (
            np.repeat(table.score, table.positive),
            np.repeat(table.score, table.negative)[::-1],
        )
        self.positives, self.negatives = sign * positives + 0.0, sign * negatives + 0.0
        higher, tied = positives[:, None] > negatives[None, :], positives[:, None] == negatives[None, :]
        self.cells = higher + tied / 2

    @property
    def _columns(self) -> dict[str, np.ndarray]:
        """One row per pair: both scores, and the cell."""
        positive, negative = np.meshgrid(self.positives, self.negatives, indexing="ij")
        return {"positive": positive.ravel(), "negative": negative.ravel(), "cell": self.cells.ravel()}

    def __repr__(self) -> str:
        area = f", {self.cells.mean():.4g} in the right order" if self.cells.size else ""
        return f"<PairsMatrix of {len(self.positives)} positives and {len(self.negatives)} negatives{area}>"


# The evaluations of two classes, of several classes, of several labels, and of predicted amounts
# --------------------------------------------------------------------------------------------------

# at the threshold of the decisions, where this is a probability
BENEFITS = ("net_benefit", "standardised_net_benefit", "interventions_avoided")


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class BinaryEvaluation(ScoredEvaluation):
    """Every measure of two classes.

    Attributes
    ----------
    counts : Counts
        True and false positives and negatives, at the threshold or of predicted labels.
    ranking : RankingTable or None
        The table of scores; None where only labels or counts were given.
    binned : BinnedTable or None
        The bins of the scores, where these alone are known; `ranking` then has a row for each bin.
    threshold : Threshold or None
        The threshold and how it was chosen; its value is None for predicted labels. None where counts were
        given.
    labels : tuple
        The negative and the positive one.
    higher_is_positive : bool
        The direction of the scores.
    score_kind : str or None
        The stated kind of the scores, as "logit" or "llr".

    The other attributes are as in `Evaluation`.
    """

    FIGURE = "roc"

    task = "binary"
    AGAIN = (
        "keep the summary with ev.ranking.to_json(), of labels with ev.counts.to_json(), or evaluate again"
    )
    summary_types = (RankingTable, Counts)

    counts: Counts
    ranking: RankingTable | None = None
    binned: BinnedTable | None = None
    threshold: Threshold | None = None
    labels: tuple[Any, Any] = ("negative", "positive")
    higher_is_positive: bool = True
    clusters: DependentCases | None = None

    @property
    def summaries(self) -> tuple[Any, ...]:
        """The table of scores, where there is one, and the counts."""
        return tuple(one for one in (self.ranking, self.counts) if one is not None)

    @property
    def scored(self) -> RankingTable | None:
        """The table of scores; None where only labels or counts were given."""
        return self.ranking

    @property
    def two_by_two(self) -> Contingency:
        """The counts with their margins and the eight ratios."""
        return Contingency(self.counts, self.labels, self.settings, self.estimates)

    @property
    def both(self) -> ManyClasses:
        """Every measure of both classes, each against the other."""
        clusters = None
        if isinstance(self.clusters, DependentCases):
            cases = self.clusters.cases
            called = cases.score >= cases.score.dtype.type(self.held_threshold)
            cells: dict[type, np.ndarray] = {ConfusionMatrix: 2 * cases.positive + called}
            clusters = DependentTables(self.clusters.units, cells, cases.weight)
        weights, squared = (
            None if one is None else np.array([[one.tn, one.fp], [one.fn, one.tp]], float)
            for one in (self.counts, self.counts.squares)
        )
        assert weights is not None
        matrix = ConfusionMatrix(self.labels, weights, squared, ordered=True)
        chosen = self.threshold is not None and self.threshold.chosen
        return ManyClasses(matrix, self.settings, self.parameters, clusters, WITHHELD if chosen else None)

    @property
    def usual_figure(self) -> str:
        """The ROC curve, or the confusion matrix where there are no scores, or only one class."""
        return self.FIGURE if self.ranking is not None and self.both_classes else "confusion"

    @property
    def both_classes(self) -> bool:
        """Whether there are cases of both classes."""
        return bool(self.data.positives and self.data.negatives)

    @property
    def limit(self) -> float | None:
        """The threshold as a number; None where labels were predicted, or counts were given."""
        return None if self.threshold is None else self.threshold.value

    @property
    def probabilities(self) -> bool:
        """Whether the scores are stated to be logits, or may be probabilities.

        They may be where all lie in [0, 1] and no other kind is stated.
        """
        inside = self.binned is None or self.binned.in_unit_interval
        return self.higher_is_positive and inside and super().probabilities

    @property
    def in_bins(self) -> BinnedTable | None:
        """The bins, where scores are known only as bins of several of them."""
        return None if self.binned is None or self.binned.single else self.binned

    def need_each_score(self, what: str) -> None:
        """Raises InputError where scores are in bins. what: what then cannot be done."""
        if self.in_bins:
            raise InputError(
                "unsupported",
                "data",
                f"{what} needs the score of each case, and these are in {len(self.in_bins):,} bins",
                "pass the cases, or a RankingTable of them",
            )

    @property
    def baselines(self) -> dict[str, float]:
        """The accuracy of classifiers that ignore the cases, "random" and "largest class".

        "random" predicts all classes equally often, "largest class" always that one.
        """
        return guessed([self.data.positives, self.data.negatives])

    # Thresholds and curves
    # ----------------------------------------------------------------------------------------------

    @public()
    def at(self, threshold: float) -> BinaryEvaluation:
        """The evaluation of the same scores at another threshold.

        Parameters
        ----------
        threshold : float
            Cases with score >= threshold are predicted positive; with higher_is_positive=False those with
            score <= threshold.

        Raises
        ------
        InputError
            Without scores, for a threshold that is not a number, and for one inside a bin of scores.
        """
        if self.ranking is None:
            raise InputError("unsupported", "threshold", no_threshold(LABELS).format(**IN_FORMATS))
        limit = validate.threshold(threshold)
        known = self.ranking if self.binned is None else self.binned
        counts = counts_at(known, limit, self.higher_is_positive)
        at = replace(self.threshold or Threshold(limit, GIVEN), value=limit, rule=GIVEN, by=None)
        return replace(self, threshold=at, counts=counts)

    @public()
    def chosen_by(self, rule: str | Rule) -> BinaryEvaluation:
        """The same evaluation, with the rule by which the threshold was chosen on these cases.

        Parameters
        ----------
        rule : str or Rule
            With a rule, the intervals of measures of counts allow for the choice. With a description in words
            there are none, since the choice cannot be repeated on other cases.

        Raises
        ------
        InputError
            Where counts were given, which have no threshold.
        """
        if self.threshold is None:
            raise InputError("unsupported", "threshold", no_threshold(LABELS).format(**IN_FORMATS))
        spec, by = (rule.spec, rule) if isinstance(rule, Rule) else (RuleSpec("stated", words=rule), None)
        return replace(self, threshold=replace(self.threshold, rule=spec, by=by))

    @public()
    def operating_points(self, *measures: str) -> OperatingPoints:
        """The ranking table: every threshold with its counts; prints as a table.

        Parameters
        ----------
        *measures : str
            Measures of counts to show in further columns, as "f1".

        Raises
        ------
        InputError
            Without scores, and for a measure that is not computed from counts.
        """
        return OperatingPoints(
            self._ranking("operating_points"),
            *measures,
            sign=self._sign,
            parameters=self.parameters,
            notices=self.notices_of_data,
        )

    @property
    def pairs_matrix(self) -> PairsMatrix:
        """Every pair of a positive and a negative, as a picture.

        Raises InputError without scores, or for many cases.
        """
        return PairsMatrix(self._ranking("pairs_matrix"), sign=self._sign)

    @public()
    def curve(
        self, name: str, *, ties: Ties = "together", band: Band | None = None, **parameters: Any
    ) -> Curve:
        """A curve over all thresholds.

        Parameters
        ----------
        name : str
            "roc", "pr", "det", "gain", ..., or any measure of counts, as "f1".
        ties : {"together", "optimistic", "pessimistic"}, default "together"
            How tied scores are drawn.
        band : {"pointwise", "simultaneous", "kolmogorov-smirnov"}, optional
            Add a confidence band, at level=; see `curves.curve`.
        **parameters
            Parameters of the measure, as beta=2, and of the decision curve thresholds=[0.05, 0.1], above 0
            and below 1: those for which a simultaneous band holds; by default all.

        Raises
        ------
        InputError
            For an unknown name, for a band that the curve does not have, and without scores.
        """
        from .. import curves  # not loaded by a first call that draws none: 4 of 85 ms

        ranking, plain = self._ranking("curve", repr(name)), curves.plain(name)
        if plain in curves.OF_PROBABILITIES and not self.probabilities:
            raise InputError(
                "unsupported",
                "curve",
                f"{plain!r} needs probabilities of being positive: {self.why_no_probabilities}",
            )
        if plain not in curves.CURVES and registry.known(name):
            parameters = {**self.parameters.get(registry.get(name).name, {}), **parameters}
        drawn = curves.curve(
            name, ranking, ties=ties, band=band, settings=self.settings, clusters=self.clusters,
            weight_kind=self.data.weight_kind, **parameters,
        )  # fmt: skip
        drawn = replace(drawn, origin=self)
        return drawn if self.higher_is_positive else drawn.turned()

    def _ranking(self, argument: str, what: str = "it") -> RankingTable:
        if self.ranking is None:
            raise InputError("unsupported", argument, no_scores(LABELS, what))
        return self.ranking

    @property
    def _sign(self) -> int:
        return 1 if self.higher_is_positive else -1

    # The estimates
    # ------------------------------------------------------------------------------------------------------

    def why_not(self, entry: registry.Measure) -> Note:
        """Why a measure is not available, and how to get it."""
        if self.ranking is None or entry.summary is not RankingTable:
            return super().why_not(entry)
        if entry.needs_probabilities:
            return self.why_no_probabilities
        return kind_needed(entry) or why_not_in_order(entry)

    @property
    def why_no_probabilities(self) -> Note:
        """Why the scores are not taken as probabilities."""
        if not self.higher_is_positive:
            return LOWER_IS_POSITIVE
        if self.score_kind not in (None, "probability", "logit"):
            return Note("other-score-kind", score_kind=self.score_kind)
        return NO_PROBABILITIES

    @cached_property
    def optimism_of_choice(self) -> Optimism | Note | None:
        """The optimism of the threshold chosen on these cases, or why it is unknown.

        None where the threshold was not chosen on these cases.
        """
        if self.threshold is None or not self.threshold.chosen or self.ranking is None:
            return None
        return optimism_of(self.threshold, self.ranking, self.settings.seed, self.clusters is not None)

    def _estimate(self, entry: registry.Measure, summary: Any) -> Estimate:
        if entry.summary is not Counts:
            if self.in_bins:
                result = estimate_binned(entry, self.in_bins, self.settings, **self.parameters_of(entry))
            else:
                result = super()._estimate(entry, summary)
            known = entry.attained is not None and result.bounds is None
            return replace(result, threshold=self._attained(entry)) if known else result
        parameters = self.parameters_of(entry)
        probability = parameters.get("threshold", 0.5) if entry.name in BENEFITS else 0.5
        if not 0 <= probability <= 1 or (probability == 1 and entry.name in BENEFITS[:2] and not summary.fp):
            why = Note("threshold-no-probability", threshold=probability)
            return Estimate(nan, level=self.settings.level, undefined=why, threshold=self.limit)
        gained = self.optimism_of_choice
        if gained is None or (self.clusters is not None and not self._moves(entry)):
            result = super()._estimate(entry, summary)
        else:
            result = estimate_at_chosen(entry, summary, gained, self.settings, **parameters)
        return replace(result, threshold=self.limit)

    def add_up(self, names: Iterable[str]) -> None:
        """Collects the sums that these measures need, unless scores are in bins."""
        if not self.in_bins:
            super().add_up(names)

    def _attained(self, entry: registry.Measure) -> float | None:
        """The threshold of a maximum, the highest of equally good ones; None where it is undefined."""
        if self.ranking is None or entry.attained is None or not self.both_classes:
            return None
        at = highest_of_the_best(entry.attained(self.ranking.sweep()))
        return self._sign * float(self.ranking.score[at])

    def _moves(self, entry: registry.Measure) -> bool:
        return depends_on_threshold(partial(entry.function, **self.parameters_of(entry)), self.counts)

    def parameters_of(self, entry: registry.Measure) -> dict[str, Any]:
        """The parameters that the measure is computed with.

        Those given; else those of the rule that chose the threshold, as its costs; for the net benefit and
        what derives from it else the threshold itself, where the scores are probabilities.
        """
        name = "net_benefit" if entry.name in BENEFITS else entry.name
        own = {} if self.threshold is None else parameters_of(self.threshold.rule).get(name, {})
        if name == "net_benefit" and not own and (limit := self._probability) is not None:
            own = {"threshold": limit}
        return {**own, **super().parameters_of(entry)}

    @property
    def _probability(self) -> float | None:
        """The threshold as a probability; None where the scores are none."""
        if self.limit is None or not self.probabilities:
            return None
        return float(sigmoid(self.limit)) if isinstance(self.ranking, LogitTable) else self.limit

    @property
    def held_threshold(self) -> float:
        """The threshold on the scores as they are stored.

        They are negated where a lower one means positive; predicted labels are stored as 0 and 1.
        """
        return super().held_threshold if self.limit is None else self._sign * self.limit

    # Plain values
    # -------------------------------------------------------------------------------------------------------

    def _head(self) -> dict[str, Any]:
        threshold = {} if self.threshold is None else {"threshold": self.threshold.to_dict()}
        bins = self.binned
        binned = {} if bins is None else {"binned": {"bins": len(bins), "exact": bins.single}}
        about = {"score_kind": self.score_kind, **binned, **threshold}
        return super()._head() | about | {"counts": self.counts.to_dict()}

    def _more(self) -> dict[str, Any]:
        pairs = (
            {}
            if self.ranking is None or self.in_bins
            else {"pairs": {name: whole(n) for name, n in self.ranking.pairs._asdict().items()}}
        )
        return pairs if self.selected is not None else pairs | {"table": self.two_by_two.to_dict()}


def counts_at(ranking: RankingTable | BinnedTable, threshold: float, higher_is_positive: bool) -> Counts:
    """The counts at a threshold in the units of the user; a table of reversed scores stores them negated."""
    if isinstance(ranking, BinnedTable):
        return ranking.counts_at(threshold, 1 if higher_is_positive else -1)
    return ranking.counts_at(threshold if higher_is_positive else -threshold)


def in_unit_interval(table: RankingTable | BinnedTable, higher_is_positive: bool) -> bool:
    """Whether every score, in the units of the user, lies in [0, 1]."""
    if higher_is_positive:
        return bool(table.in_unit_interval)
    highest, lowest = (
        (table.score[0], table.score[-1])
        if isinstance(table, RankingTable)
        else (table.high[0], table.ranking.score[-1])
    )
    return bool(highest <= 0 and lowest >= -1)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class MulticlassEvaluation(ScoredEvaluation, ClasswiseEvaluation):
    """Every measure of more than two classes.

    Attributes
    ----------
    matrix : ConfusionMatrix
        The K x K matrix of the predicted labels, or of the classes with the highest score.
    scores : ClassScores or None
        The scores of every class; None where only labels were given.
    score_kind : str or None
        The stated kind of the scores, as "logit".

    The other attributes are as in `Evaluation`.
    """

    FIGURE = "confusion"

    task = "multiclass"
    AGAIN = (
        "keep the summary with ev.matrix.to_json(), of a score per class with ev.scores.to_json(), or"
        " evaluate again"
    )
    summary_types = (ClassScores, ConfusionMatrix)

    matrix: ConfusionMatrix
    scores: ClassScores | None = None

    @property
    def summaries(self) -> tuple[Any, ...]:
        """The table of scores, where there is one, and the matrix."""
        return tuple(one for one in (self.scores, self.matrix) if one is not None)

    @property
    def scored(self) -> ClassScores | None:
        """The table of the scores; None where only labels were given."""
        return self.scores

    @property
    def table_of_classes(self) -> ConfusionMatrix:
        """The matrix."""
        return self.matrix

    @property
    def baselines(self) -> dict[str, float]:
        """The accuracy of classifiers that ignore the cases, "random" and "largest class".

        "random" predicts all classes equally often, "largest class" always that one.
        """
        return guessed(self.many.counts.positives.tolist())

    @property
    def class_areas(self) -> dict[Any, float]:
        """By label, the roc_auc of the class against all others by its own score; empty without scores."""
        if self.scores is None:
            return {}
        return dict(zip(self.scores.labels, against_the_rest(self.scores).value.tolist(), strict=True))

    @public()
    def one_vs_rest(self, label: Any) -> BinaryEvaluation:
        """The evaluation of one class against all others, by the score of that class.

        Parameters
        ----------
        label : object
            One of the labels of the scores.

        Returns
        -------
        BinaryEvaluation
            At the threshold 0.5 for scores in [0, 1], else at that of the largest Youden index.

        Raises
        ------
        InputError
            Without a score per class, and for an unknown label.
        """
        if self.scores is None:
            raise InputError("unsupported", "one_vs_rest", NO_CLASS_SCORES.format(**IN_FORMATS))
        if not validate.hashable(label) or label not in self.scores.labels:
            known = ", ".join(map(str, self.scores.labels))
            raise InputError(
                "unknown-name",
                "label",
                f"{validate.shown(label)} is not a class here",
                f"the classes are {known}",
                value=label,
            )
        ranking = self.scores.one_vs_rest(label)
        kind = "logit" if isinstance(ranking, LogitTable) else None
        chosen = default_threshold(ranking, ranking.in_unit_interval, kind)
        return BinaryEvaluation(
            data=replace(self.data, positives=ranking.positives, negatives=ranking.negatives),
            settings=with_fixed_mix(self.settings, self.scores),
            parameters=self.parameters,
            threshold=chosen,
            counts=ranking.counts_at(chosen.value if chosen.value is not None else 0.5),
            ranking=ranking,
            labels=("other", label),
            score_kind=kind,
        )

    def why_not(self, entry: registry.Measure) -> Note:
        """Why a measure is not available, and how to get it."""
        if entry.ordered and self.matrix.unanswered is not None:
            return Note("answers-without-order")
        if self.scores is not None and entry.summary is RankingTable:
            return Note("needs-two-classes")
        if self.scores is None or entry.summary is not ClassScores:
            return super().why_not(entry)
        if entry.name in self.left_out:
            return Note("no-probabilities", because=self.scores.why_no_probabilities)
        return kind_needed(entry) or why_not_in_order(entry)

    @property
    def _has_order(self) -> bool:
        return bool(self.matrix.has_order)

    def _head(self) -> dict[str, Any]:
        rule = PREDICTED if self.scores is None else HIGHEST_SCORE
        return super()._head() | {"score_kind": self.score_kind, "rule": rule.to_dict()}

    def _more(self) -> dict[str, Any]:
        return super()._more() | {"matrix": self.matrix.to_dict()}


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class MultilabelEvaluation(ClasswiseEvaluation):
    """Every measure of cases that may have several labels.

    Attributes
    ----------
    indicators : IndicatorTable
        How often each of the labels is right, wrong and missed.

    The other attributes are as in `Evaluation`.
    """

    task = "multilabel"
    AGAIN = "keep the summary with ev.indicators.to_json(), or evaluate again"
    summary_types = (IndicatorTable,)

    indicators: IndicatorTable

    @property
    def summaries(self) -> tuple[IndicatorTable]:
        """The table of labels."""
        return (self.indicators,)

    @property
    def table_of_classes(self) -> IndicatorTable:
        """The table of labels."""
        return self.indicators


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class RegressionEvaluation(Evaluation):
    """Every measure of predicted amounts.

    Attributes
    ----------
    residuals : Residuals
        The differences from the true amounts, with their weights.

    The other attributes are as in `Evaluation`.
    """

    FIGURE = "predicted"

    task = "regression"
    AGAIN = "keep the summary with ev.residuals.to_json(), or evaluate again"
    summary_types = (Residuals,)

    residuals: Residuals

    @property
    def summaries(self) -> tuple[Residuals]:
        """The residuals."""
        return (self.residuals,)

    def _estimate(self, entry: Measure, summary: Residuals) -> Estimate:
        try:
            return super()._estimate(entry, summary)
        except EachNeeded:
            return Estimate(nan, level=self.settings.level, undefined=Note("needs-each-amount"))

    def why_not(self, entry: Measure) -> Note:
        """Why a measure is not available: all measures of amounts are."""
        return Note("needs-classes")

    @property
    def design(self) -> None:
        """None: amounts have no classes."""
        return None


# The result of `evaluate` for several models: an evaluation of each, and one table
# --------------------------------------------------------------------------------------------------

SHOWN = 6  # number of models that a message, or the short form, lists
T = TypeVar("T")
K = TypeVar("K")


class ByModel(ByName, Answer, Tabular, Plotted, Mapping[str, T], Generic[T]):
    """By the name of a model its evaluation, or its table."""

    HOLDS: ClassVar[str | None] = "models"
    PART = "a model"
    KIND: ClassVar[type[Any]]  # the type of an evaluation, or a table

    def _with(self, change: Callable[[Any], Any]) -> Self:
        changed = {name: change(one) for name, one in self.items()}
        return replace(self, **{self.PARTS: changed})  # type: ignore[type-var]  # its classes are dataclasses

    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        return self is other

    def named(self, name: str) -> Self:
        """The same with a name, which texts and pages show."""
        return self._with(lambda one: one.named(name))

    @property
    def notices(self) -> tuple[Notice, ...]:
        """What to consider when reading the results, for each model under its name."""
        every: Mapping[str, Any] = self
        return tuple(of_model(name, notice) for name, one in every.items() for notice in one.notices)

    @property
    def table(self) -> list[dict[str, Any]]:
        """The rows of each model, as plain values."""
        every: Mapping[str, Any] = self
        return rows_of({"model": name, **row} for name, one in every.items() for row in one.table)

    @classmethod
    def entries_in(cls, plain: Mapping[str, Any]) -> Iterator[Entry]:
        """The plain values and the rows of each model by its name."""
        for name, one in plain["models"].items():
            yield name, one, [{"model": name, **row} for row in cls.KIND.rows_in(one)]

    def to_dict(self) -> dict[str, Any]:
        """Plain values: those of each model by its name, as "models", and the differences."""
        every: Mapping[str, Any] = self
        return {
            **head(self.ANSWER),
            "models": {name: one.to_dict() for name, one in every.items()},
            "reference": self._paired.compared_with,
            "differences": [one.to_dict() for one in self._paired.differences],
        }

    @property
    def _paired(self) -> Any:
        """What has the differences of the models."""
        return self

    def _names(self) -> str:
        some = ", ".join(map(shown, list(self)[:SHOWN]))
        return some if len(self) <= SHOWN else f"{some} and {len(self) - SHOWN} more"


LONGEST = 60  # characters of a name in a heading


def refuse_answers(data: Any, argument: str = "data") -> None:
    """Raises InputError for a result that is not an evaluation, as the one for several models."""
    if isinstance(data, Result) and data.instead is not None:
        raise InputError("unsupported", argument, data.instead)


class PairedCases(Protocol):
    """The cases of several models, from which their differences are estimated."""

    def differences(self, names: Sequence[str], reference: str, chosen: bool) -> Sequence[Any]: ...


@dataclass(frozen=True, eq=False, repr=False)
class EvaluationTable(ByModel[Evaluation]):
    """The evaluations of several models on the same cases, by the name of the model, in the order given.

    Attributes
    ----------
    evaluations : mapping of str to Evaluation
        By model.
    reference : str or None
        The model from which the differences are; None for the one that is best in the first measure.

    Notes
    -----
    `table` has a row for each measure of each model, with "model" as its first column. `notices` has those of
    all models, each with the name of its model.
    """

    ANSWER = "evaluations"
    FORM = "evaluations.models"
    PARTS = "evaluations"
    KIND = Evaluation
    OF: ClassVar[str] = "model"  # what a row is
    MOST: ClassVar[int] = 6  # measures of a row, where none are chosen

    evaluations: Mapping[str, Evaluation]
    reference: str | None = field(default=None, kw_only=True)
    _cases: PairedCases | None = field(default=None, kw_only=True, repr=False)

    @property
    def usual_figure(self) -> str:
        """The ROC curves, or a forest where not all evaluations have one."""
        return "roc" if {one.usual_figure for one in self.values()} == {"roc"} else self.FIGURE

    def __getattr__(self, name: str) -> Any:
        if not hasattr(type(self), name) and any(name in lacking for lacking in REASONS.values()):
            raise NotOfTask(
                "unsupported",
                name,
                "each model has its own",
                f"take one by its name, as table[{next(iter(self))!r}].{name}",
            )
        return super().__getattr__(name)  # type: ignore[misc]

    @cached_property
    def measures(self) -> tuple[str, ...]:
        """The measures of a row: those that were chosen, or up to six of the first screen."""
        first = next(iter(self.values()))
        return first.selected or columns_of(list(self.values()), self.MOST)

    @cached_property
    def compared_with(self) -> str:
        """The model from which the differences are: the reference, or the best in the first measure."""
        if self.reference is not None or not self.measures:
            return self.reference or next(iter(self))
        measure = self.measures[0]
        values = {name: one[measure].value for name, one in self.items()}
        return best_of(values, next(iter(self.values())).entry(measure))

    @cached_property
    def differences(self) -> Any:
        """The paired differences of the models from one of them, by measure and model; empty for one model.

        By the method "auto" of `compare`, with p-values adjusted by Holm. Those from the best of three models
        or more allow for its choice: all pairs of models are tested together in each measure.
        """
        if self._cases is None or not self.measures:
            return ()
        return self._cases.differences(self.measures, self.compared_with, self.is_chosen)

    @property
    def is_chosen(self) -> bool:
        """Whether the model that others are compared with was chosen as the best in the first measure."""
        if self.reference is not None or not self.measures:
            return False
        return next(iter(self.values())).entry(self.measures[0]).better is not None

    @property
    def not_worse(self) -> tuple[str, ...]:
        """The models not shown to be worse than the best in the first measure, that one first.

        Empty where no value is better, where the differences are from another model, and without differences.
        """
        return not_shown_worse(self.differences) if self.is_chosen else ()

    def choose(self, measures: str | Sequence[str]) -> EvaluationTable:
        """The same models with these measures only. Raises InputError where the data do not allow one."""
        names = [measures] if isinstance(measures, str) else list(measures)
        return self._with(lambda one: one[names])

    @public()
    def crossings(self, first: str | None = None, second: str | None = None) -> Crossings:
        """Where the ROC curves of two models cross, and where each of them is higher.

        Parameters
        ----------
        first, second : str, optional
            The names of the models; needed unless there are two.

        Returns
        -------
        Crossings
            `x` and `y`, the false positive rates and sensitivities of the crossings, and `regions`, each the
            lowest and the highest false positive rate and the name of the model that is higher there.

        Raises
        ------
        InputError
            For names that are no models here, and for models without scores of two classes.
        """
        from ..curves.curve import crossings

        both = list(self) if first is None and second is None else [first, second]
        if len(both) != 2:
            raise InputError("needed", "first", f"there are {len(both)} models", "name two of them")
        one, other = (validate.choice(name, list(self), "first, second") for name in both)
        models: list[Any] = [self[one], self[other]]
        return crossings(models[0].curve("roc"), models[1].curve("roc"), (one, other))

    @property
    def instead(self) -> str:
        """What to pass where cases or an evaluation are taken."""
        return (
            f"it holds evaluations of {len(self)} model{'s' * (len(self) != 1)}; pass one of them by its"
            " name, as table['name']"
        )

    def __repr__(self) -> str:
        return (
            f"<EvaluationTable of {len(self)} model{'s' * (len(self) != 1)}:"
            f" {text.label(self._names(), 2 * LONGEST)}>"
        )


def best_of(values: Mapping[K, float], entry: Measure) -> K:
    """The model with the best value of a measure, of those that have one; the first if no value is better."""
    if entry.better is None:
        return next(iter(values))
    known = {name: value for name, value in values.items() if value == value}
    return (min if entry.better == "lower" else max)(known or values, key=values.__getitem__)


def not_shown_worse(found: Sequence[Any]) -> tuple[str, ...]:
    """The reference, and the models without a difference from it in the first measure by the adjusted p."""
    of_first = [one for one in found if one.measure == found[0].measure]
    alike = (one.model for one in of_first if not one.adjusted < 1 - one.estimate.level)
    return (found[0].reference, *alike) if found else ()


def columns_of(evaluations: Sequence[Evaluation], most: int) -> tuple[str, ...]:
    """The measures of a table with a row per evaluation: those with a column that all of them have."""
    first, *others = evaluations
    heads = ((first.entry(name).headline, name) for name in first.estimates)
    placed = sorted((_place(head), name) for head, name in heads if head is not None and head.column)
    return tuple(name for _, name in placed if all(name in one.estimates for one in others))[:most]


def _place(head: Leading) -> int:
    return head.column or 0


# The results of `evaluate`: a type for each task, each a mapping of estimates
# --------------------------------------------------------------------------------------------------

__all__ = [
    "BinaryEvaluation", "ClasswiseEvaluation", "Evaluation", "EvaluationTable",
    "MulticlassEvaluation", "MultilabelEvaluation", "NotOfTask", "RegressionEvaluation", "ScoredEvaluation",
    "SomeEvaluation", "counts_at", "in_unit_interval", "refuse_answers",
]  # fmt: skip
