"""The result of `bootstrap`: the values of the measures on the resamples, and intervals made of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np

from ...inference import Estimate, with_parameters
from ...inference.bootstrap import intervals, limits
from ...inference.bootstrap.draws import Draws
from ...inference.bootstrap.intervals import Sample
from ...inference.bootstrap.replicates import Asked, influences, other_mixes, standard_errors
from ...inference.effective_units import Resting, resting_clusters
from ...inference.fixed_sizes import GIVEN_MIX, GIVEN_WEIGHTS
from ...inference.intervals.kinds import ROUNDING
from ...inference.results import Interval, no_interval, with_interval
from ...input import validate
from ...input.by_name import ByName
from ...input.data_info import conditions, named
from ...input.messages.notes import Note, joined, of_code
from ...input.options import BootstrapMethod
from ...input.plotted import Plotted
from ...input.results import Answer, Tabular
from ...input.spelling import option
from ...input.validate import InputError
from ...measures import registry
from ...measures.registry import Measure
from ...summaries import Counts, RankingTable
from ...summaries.cases import ScoredCases
from ...summaries.collected import TwoClassCases
from ..notices import Notice, of_data
from ..thresholds import depends_on_threshold

SHARED = ("_influences", "_errors", "_mixes")  # used by the intervals of all methods, computed once
CHOSEN = Note("chosen-here")
MIX = Note("depends-on-fixed-mix")
OF_WEIGHTS = Note("depends-on-weighted-mix")


@dataclass(frozen=True, eq=False)
class Bootstrap(ByName, Answer, Tabular, Plotted):
    """Measures of cases and of their resamples; `["roc_auc"]` is an `Estimate`.

    Attributes
    ----------
    cases : TwoClassCases
        The cases.
    how : Draws
        How resamples were drawn.
    asked : tuple of pairs (Measure, mapping)
        The measures with their parameters.
    threshold : float
        Cases with score >= threshold are predicted positive; on the scores as they are stored.
    values : array of float, shape (measures, replicates)
        The measures on resamples, NaN where undefined.
    method : str
        Of the intervals: "percentile", "basic", "bca" or "studentised".
    level : float
        The confidence level of the intervals, above 0 and below 1.
    chosen : bool
        Whether the threshold was chosen on these cases.
    """

    ANSWER = "bootstrap"
    FORM = "measures.bootstrap"
    FIGURE = "resamples"

    cases: TwoClassCases
    how: Draws
    asked: tuple[Asked, ...]
    threshold: float
    values: np.ndarray
    method: str = "bca"
    level: float = 0.95
    chosen: bool = False

    @property
    def model(self) -> ScoredCases:
        """The cases with their scores."""
        return self.cases.model

    @property
    def notices(self) -> tuple[Notice, ...]:
        """On the data."""
        return of_data(self.cases.data)

    @property
    def conditions(self) -> str:
        """The design and the kind of the weights, as a line of text."""
        how = self.how
        return conditions(how.design, self.cases.data.weight_kind, fixed_by_weights=how.keeps_weights)

    def keys(self) -> list[str]:
        """The names of the measures."""
        return [entry.name for entry, _ in self.asked]

    def __getitem__(self, name: str) -> Estimate:
        """The estimate of a measure, by any of its names.

        Raises InputError for a measure that was not requested.
        """
        return self._estimates[self._number(name)]

    def replicates(self, name: str) -> np.ndarray:
        """The values of a measure on all resamples, NaN where undefined."""
        found: np.ndarray = self.values[self._number(name)]
        return found

    def by(self, method: BootstrapMethod, level: float | None = None) -> Bootstrap:
        """The same resamples with intervals by another method, or at another level."""
        validate.choice(method, intervals.METHODS, "method")
        new = replace(self, method=method, level=self.level if level is None else validate.level(level))
        new.__dict__.update({name: self.__dict__[name] for name in SHARED if name in self.__dict__})
        return new

    @cached_property
    def _estimates(self) -> list[Estimate]:
        return [self._estimate(i, entry, given) for i, (entry, given) in enumerate(self.asked)]

    def _estimate(self, i: int, entry: Measure, given: Mapping[str, Any]) -> Estimate:
        summary = self.model.table if entry.summary is RankingTable else self._counts
        with np.errstate(divide="ignore", invalid="ignore"):
            value = float(entry.function(summary, **given))
        if value != value:
            return Estimate(value, level=self.level, undefined=entry.why_undefined(summary))
        if not np.isfinite(value):
            return Estimate(value, level=self.level, notes=(Note("infinite"),))
        found = self._interval(i, entry, given, value)
        return with_interval(value, found, self.level, with_parameters(entry, found.notes, given))

    @cached_property
    def _counts(self) -> Counts:
        counts: Counts = self.model.table.counts_at(self.threshold)
        return counts

    def _interval(self, i: int, entry: Measure, given: Mapping[str, Any], value: float) -> Interval:
        of_table, rests = (entry, given, self.model.table), self._resting(i, value)
        reason = limits.why_none(*of_table, rests.number, rests.name)
        if (
            self.chosen
            and entry.summary is Counts
            and depends_on_threshold(partial(entry.function, **given), self._counts)
        ):
            reason = CHOSEN
        if reason:
            return no_interval(reason)
        method, other = self.method, None
        if method == "studentised" and not np.isfinite(self._errors[i, 0]):
            method, other = "bca", Note("not-studentised")
        clusters = np.inf if self.cases.clusters is None else rests.effective
        influences = self._influences[i] if method == "bca" else None
        sample = Sample(value, self.values[i], entry.range, self.level, influences, clusters=clusters)
        if method == "studentised":
            sample = replace(sample, error=float(self._errors[i, 0]), errors=self._errors[i, 1:])
        found = intervals.interval(sample, method)
        mixed = self.how.keeps_classes and _differ(self._mixes[i, 2], value)
        if not found.method:
            why = OF_WEIGHTS if self.how.keeps_weights else MIX
            return no_interval(why) if mixed and of_code(found.notes, intervals.SAME.code) else found
        given_mix = GIVEN_WEIGHTS if self.how.keeps_weights else GIVEN_MIX
        doubt, mix = limits.doubt(*of_table, rests.effective, rests.text), given_mix if mixed else None
        return replace(found, notes=joined(other, found.notes, doubt, mix))

    @cached_property
    def _influences(self) -> np.ndarray:
        return influences(self.asked, self.model, self.how, self.threshold, self.cases.clusters)

    @cached_property
    def _mixes(self) -> np.ndarray:
        return other_mixes(self.asked, self.model, self.threshold)

    def _resting(self, i: int, value: float) -> Resting:
        """The cases, or clusters, of the rarer class among those on which the measure depends."""
        positive, clusters = self.model.positive, self.cases.clusters
        classes = {"positives": (positive, self._mixes[i, 1]), "negatives": (~positive, self._mixes[i, 0])}
        found = {name: some for name, (some, without) in classes.items() if _differ(without, value)}
        if clusters is None:
            number, name = min(
                ((int(some.sum()), name) for name, some in found.items()), default=(len(positive), "cases")
            )
            return Resting(number, number, name)
        return resting_clusters(clusters, self.model.weight, found)

    @cached_property
    def _errors(self) -> np.ndarray:
        return standard_errors(self.asked, self.model, self.how, self.threshold, self.cases.clusters)

    def _number(self, name: str) -> int:
        found = self._place(name)
        if found is None:
            raise InputError("unknown-name", name, "it was not asked for", f"name it in {option('measures')}")
        return found

    def _place(self, name: str) -> int | None:
        wanted = {form.name for form in registry.forms(name)}
        return next((i for i, (entry, _) in enumerate(self.asked) if entry.name in wanted), None)

    @property
    def table(self) -> list[dict[str, Any]]:
        """One row per measure, as plain values."""
        return self.rows_in({"measures": {name: self[name].to_dict() for name in self}})

    def to_dict(self) -> dict[str, Any]:
        """Plain values; of the resamples only the number."""
        sizes = {"clusters": self.cases.cluster_count} if self.cases.clusters is not None else {}
        return {
            **self._begin(),
            "data": self.cases.data.to_dict() | sizes,
            "threshold": self.cases.sign * self.threshold + 0.0 if np.isfinite(self.threshold) else None,
            "replicates": self.how.replicates,
            **named(self.how.design, self.how.keeps_weights),
            "resampling": self.how.resampling,
            "seed": self.how.seed,
            "selected": list(self),
            "measures": {name: self[name].to_dict() for name in self},
        }

    def __repr__(self) -> str:
        rows, measures = self.cases.data.rows, f"{len(self)} measure{'s' * (len(self) != 1)}"
        return f"<Bootstrap of {rows} cases: {measures}, {self.how.replicates:,} resamples>"


def _differ(one: float, other: float) -> bool:
    return not abs(one - other) <= ROUNDING * max(1.0, abs(other))
