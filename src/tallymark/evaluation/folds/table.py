"""The result of `evaluate` with `fold`: an evaluation of each fold, the means, and all folds pooled."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from ...inference import Estimate
from ...inference.over_folds import mean_over_folds, pooled_over_folds
from ...input import text
from ...input.messages import Note, joined
from ...input.results import head, rows_of
from ...input.sample import Index
from ...input.validate import InputError
from ...measures import registry
from ...summaries import Counts
from ..class_measures import OnDemand
from ..groups.parts import OfParts
from ..groups.splitting import Splitting
from ..notices import Notice, of_model
from ..results import BinaryEvaluation, Evaluation, EvaluationTable
from ..results.table import LONGEST
from .predictions import Predictions
from .values import is_sum_over_cases, value_of, why_undefined

MEAN, POOLED, FOLD = "mean", "pooled", "fold"  # what a row of the table is of
POOLED_CASES = "pooled"  # the name of all test cases together
Array = np.ndarray[Any, np.dtype[Any]]


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
    HOLDS = None
    OF = "fold"

    whole: Evaluation
    groups: Index
    _splitting: Splitting = field(repr=False)
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
        values, entry = self.values_of(name), self.whole.entry(name)
        gone = np.isnan(values)
        reason = self._why_undefined(name, gone) if gone.any() else None
        found = mean_over_folds(values, self.shares, entry.range, self._level, reason)
        if found.undefined:
            return found
        left_out = Note("folds-left-out", folds=int(gone.sum()), because=reason) if reason else None
        return self._of_chosen(entry, replace(found, notes=joined(found.notes, left_out)))

    def _why_undefined(self, name: str, gone: Array) -> Note | None:
        first = list(self.evaluations.values())[int(gone.argmax())]
        return why_undefined(first, name)

    def _pool(self, name: str) -> Estimate:
        entry, value = self.whole.entry(name), value_of(self.whole, name)
        if np.isnan(value):
            return Estimate(value, level=self._level, undefined=why_undefined(self.whole, name))
        without = np.array([value_of(one, name) for one in self.without_each])
        found = pooled_over_folds(value, without, self.groups.numbers, self.shares, entry.range, self._level)
        of_models = None if is_sum_over_cases(entry) else Note("scores-of-several-models")
        return self._of_chosen(entry, replace(found, notes=joined(found.notes, of_models)))

    @cached_property
    def without_each(self) -> list[Evaluation]:
        """The evaluation of the test cases of all folds but one, for each fold."""
        codes = self.groups.codes
        return [self._splitting.part(np.flatnonzero(codes != i)) for i in range(len(self))]

    def _of_chosen(self, entry: registry.Measure, found: Estimate) -> Estimate:
        """The estimate without its interval where the threshold was chosen on the test cases."""
        at = self.whole.threshold if isinstance(self.whole, BinaryEvaluation) else None
        if at is None or not at.chosen or entry.summary is not Counts:
            return found
        notes = joined(Note("chosen-on-all-folds"), found.notes)
        return Estimate(found.value, level=found.level, notes=notes)

    @property
    def _level(self) -> float:
        return self.whole.settings.level

    # As other results
    # ----------------------------------------------------------------------------------------------

    @cached_property
    def notices(self) -> tuple[Notice, ...]:
        """What to consider when reading the results: on the folds, and on all cases."""
        return (*self._of_folds, *(of_model(POOLED_CASES, one) for one in self.whole.notices))

    @property
    def _of_folds(self) -> Iterator[Notice]:
        if self._clusters_in_several_folds:
            of = self.whole.clusters
            assert of is not None
            yield Notice("clusters-in-several-folds", clusters=self._clusters_in_several_folds, of=of.what)
        if self.was_fitted:
            yield Notice("fitted-model-refitted")
        if self.differing:
            yield Notice("labels-not-by-threshold", cases=self.differing)
        if any(not is_sum_over_cases(self.whole.entry(name)) for name in self.measures):
            yield Notice("pooled-scores")
        if self.repeated:
            yield Notice("cases-repeated")
        if self.untested:
            yield Notice("cases-untested", cases=self.untested)

    @cached_property
    def _clusters_in_several_folds(self) -> int:
        """The number of clusters with cases in several folds of one repeat."""
        units, folds = self._splitting.units, self.groups.codes
        if units is None:
            return 0
        repeats = sorted({label[:-1] for label in self.groups.labels})
        repeat = np.array([repeats.index(label[:-1]) for label in self.groups.labels])[folds]
        each = [np.stack([repeat, numbers, folds]) for numbers in np.atleast_2d(units)]
        pairs = np.unique(np.hstack(each), axis=1)
        found, times = np.unique(pairs[:2], axis=1, return_counts=True)
        return len(np.unique(found[1][times > 1]))

    @property
    def table(self) -> list[dict[str, Any]]:
        """One row per measure of the means, of all cases pooled, and of each fold, as plain values."""
        return self.rows_in(self.to_dict())

    @classmethod
    def rows_in(cls, plain: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The rows of `table`, made from the plain values."""
        cases = plain["data"]["rows"]
        parts = [(part, None, cases, plain[part]) for part in (MEAN, POOLED)]
        parts += [(FOLD, name, one["rows"], one["measures"]) for name, one in plain["folds"].items()]
        return rows_of(
            {"part": part, "fold": name, "cases": number, "measure": measure, **found}
            for part, name, number, measures in parts
            for measure, found in measures.items()
        )

    @classmethod
    def estimates_in(cls, plain: Mapping[str, Any]) -> Mapping[Any, Mapping[str, Any]]:
        """The estimates by measure and what they are of: "mean", "pooled", or the fold."""
        of_folds = {
            (measure, name): found
            for name, one in plain["folds"].items()
            for measure, found in one["measures"].items()
        }
        whole = {(measure, part): plain[part][measure] for part in (MEAN, POOLED) for measure in plain[part]}
        return of_folds | whole

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
