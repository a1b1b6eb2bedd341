"""The result of `bootstrap`: the values of the measures on the resamples, and intervals made of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np

from ...inference import Estimate, with_parameters
from ...inference.bootstrap import intervals, limits
from ...inference.bootstrap.intervals import Sample
from ...inference.effective_units import Resting, resting_units
from ...inference.fixed_sizes import GIVEN_MIX, GIVEN_WEIGHTS
from ...inference.intervals.kinds import ROUNDING
from ...inference.replicates import Draws, Statistic, influences, other_mixes, standard_errors
from ...inference.results import Interval, no_interval, with_interval
from ...input import validate
from ...input.data_info import conditions, named
from ...input.messages import Note, joined, of_code
from ...input.options import BootstrapMethod
from ...input.results import Answer, ByName, Plotted, Tabular
from ...input.spelling import option
from ...input.validate import InputError
from ...measures import registry
from ...measures.registry import Measure
from ...summaries import Counts
from ...summaries.cases import ScoredCases
from ..notices import Notice, of_data
from ..thresholds import depends_on_threshold
from .reading import Sampled

SHARED = ("_influences", "_errors", "_mixes")  # used by the intervals of all methods, computed once
CLASSES = ("positives", "negatives")
CHOSEN = Note("chosen-here")
MIX = Note("depends-on-fixed-mix")
OF_WEIGHTS = Note("depends-on-weighted-mix")


@dataclass(frozen=True, eq=False)
class Bootstrap(ByName, Answer, Tabular, Plotted):
    """Measures of cases and of their resamples; `["roc_auc"]` is an `Estimate`.

    Attributes
    ----------
    cases : Sampled
        The cases.
    how : Draws
        How resamples were drawn.
    asked : tuple of pairs (Measure, mapping)
        The measures with their parameters.
    threshold : float
        Of scores of two classes: cases with score >= threshold are predicted positive; on the scores as they
        are stored.
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

    cases: Sampled
    how: Draws
    asked: tuple[Statistic, ...]
    threshold: float
    values: np.ndarray
    method: str = "bca"
    level: float = 0.95
    chosen: bool = False

    @property
    def model(self) -> Any:
        """The cases one by one."""
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
        return self.values[self._number(name)]

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
        summary = self._summary(entry)
        with np.errstate(divide="ignore", invalid="ignore"):
            value = float(entry.function(summary, **given))
        if value != value:
            return Estimate(value, level=self.level, undefined=entry.why_undefined(summary))
        if not np.isfinite(value):
            return Estimate(value, level=self.level, notes=(Note("infinite"),))
        found = self._interval(i, entry, given, value)
        return with_interval(value, found, self.level, with_parameters(entry, found.notes, given))

    def _summary(self, entry: Measure) -> Any:
        """The summary of all cases that the measure is of."""
        if isinstance(self.model, ScoredCases):
            return self._counts if entry.summary is Counts else self.model.table
        return next(one for one in self.cases.evaluation.summaries if entry.fits(type(one)))

    @cached_property
    def _counts(self) -> Counts:
        return self.model.table.counts_at(self.threshold)

    def _interval(self, i: int, entry: Measure, given: Mapping[str, Any], value: float) -> Interval:
        of_table, rests = (entry, given, self._summary(entry)), self._resting(i, value)
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
        clusters = np.inf if self.cases.units is None else rests.effective
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
        return influences(self.asked, self.model, self.how, self.threshold, self.cases.units)

    @cached_property
    def _mixes(self) -> np.ndarray:
        return other_mixes(self.asked, self.model, self.threshold)

    def _resting(self, i: int, value: float) -> Resting:
        """The cases, or units, of a class that the measure depends on, where they are fewest in effect.

        Of several classes that is the smallest one for measures that do not change with the class mix, as
        means over the classes; others depend on all cases.
        """
        strata, two, alone = self.model.strata, isinstance(self.model, ScoredCases), self._mixes[i]
        codes = np.flatnonzero(np.bincount(strata))
        rarest = min(codes, key=lambda c: (np.count_nonzero(strata == c), c))
        depends = [_differ(alone[1], value), _differ(alone[0], value)]  # on the rarest class, on the others
        if not two:
            depends = [len(codes) > 1 and not _differ(alone[2], value), False]
        classes = {
            CLASSES[c] if two else "cases of the smallest class": strata == c
            for c in codes
            if depends[int(c != rarest)] and (two or c == rarest)
        }
        units, weight = self.cases.units, self.model.weight
        if units is None:
            sizes = {name: int(np.count_nonzero(some)) for name, some in classes.items()}
            number, name = min(((size, name) for name, size in sizes.items()), default=(len(strata), "cases"))
            return Resting(number, number, name)
        return resting_units(units, weight, classes, self.cases.what)

    @cached_property
    def _errors(self) -> np.ndarray:
        return standard_errors(self.asked, self.model, self.how, self.threshold, self.cases.units)

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
        sizes = {self.cases.what: self.cases.cluster_count} if self.cases.units is not None else {}
        limit = self.cases.sign * self.threshold + 0.0
        return {
            **self._begin(),
            "data": self.cases.data.to_dict() | sizes,
            "threshold": limit if self.cases.scored and np.isfinite(limit) else None,
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
