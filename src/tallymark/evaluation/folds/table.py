"""The result of `evaluate` with `fold`: each fold, the means, and all folds pooled, by model."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import nan
from typing import Any

import numpy as np

from ...inference import Estimate, Settings
from ...inference.contrast import Contrast, span
from ...inference.effective import as_cases
from ...inference.hypothesis import adjusted
from ...inference.over_folds import NO_VALUE, Tested, less, mean_over_folds, pooled_over_folds
from ...input import CaseSpec, text
from ...input.grouping import FOLD
from ...input.messages import Note, joined
from ...input.results import Entry, Tabular, equal_as_tuples, head
from ...input.sample import Index
from ...input.score_columns import by_name
from ...input.spelling import option
from ...input.validate import InputError, choice
from ...measures.registry import Measure
from ...summaries import ClassScores, Counts, RankingTable
from ..arguments import EvaluationOptions
from ..class_measures import OnDemand
from ..groups.table import OfParts, Partition, TablesOfModels, split_by, without_model_name
from ..notices import Notice, of_model
from ..results import BinaryEvaluation, Evaluation, EvaluationTable
from ..results.table import LONGEST, best_of, not_shown_worse

MEAN, POOLED = "mean", "pooled"  # what a row of the table is of
POOLED_CASES = "pooled"  # the name of all test cases together
Array = np.ndarray[Any, np.dtype[Any]]
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
