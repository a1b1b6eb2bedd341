"""The bootstrap: intervals of any measure from resampled cases, clusters of cases, or persons."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np

from ... import kernels
from ...inference import Estimate, Settings, influence, replicates as limits, with_parameters
from ...inference.clustered import DependentCases, DependentTables
from ...inference.covariance import Units, about, sampling_of, skewness, units_of
from ...inference.interval import GIVEN_MIX, GIVEN_WEIGHTS, ROUNDING, fixed_by_weights
from ...inference.replicates import (
    METHODS,
    MOST_THREADS,
    SAME,
    Draws,
    Replicates,
    Statistic,
    interval,
    kind_of,
    other_mixes,
    replicates as values_of,
    standard_errors,
)
from ...inference.resampled import thinned
from ...inference.results import Interval, no_interval, with_interval
from ...input import CaseSpec, validate
from ...input.arguments import (
    OF_UNITS,
    BootstrapMethod,
    CaseResampling,
    Design,
    Missing,
    ScoreKind,
    WeightKind,
)
from ...input.calls import public
from ...input.errors import option
from ...input.messages import Note, joined, of_code
from ...input.results import Answer, ByName, Plotted, Tabular
from ...input.sample import DataInfo, Sample, conditions, name_of_units, named
from ...input.score_columns import of_one_model
from ...input.validate import InputError
from ...measures import registry
from ...measures.registry import Measure
from ...summaries import Counts, RankingTable
from ...summaries.ranking import Squares
from ...summaries.samples import ScoredCases, cells_of, content_order, read_sample, scored_cases
from ...summaries.value import Summary
from ..evaluate import (
    EvaluationOptions,
    checked_parameters,
    evaluate,
    evaluate_sample,
    form_of,
    names_of_measures,
    refuse,
    refuse_arguments,
)
from ..notices import Notice, of_data
from ..results import BinaryEvaluation, Evaluation, MulticlassEvaluation, RegressionEvaluation, refuse_answers
from ..thresholds import depends_on_threshold

SUMS = (
    "some cases are alike, and of importance weights the evaluation holds their sum, not the weight of each"
    " case"
)
PAIRS_OF_LABELS = "of several labels an evaluation holds how often each two occur together, not the cases"
NO_SCORES = "it is for scores of two classes, which these cases do not have"
NO_CLASSES = "'case-control' fixes the class sizes, and these cases have no classes"


@dataclass(frozen=True, eq=False)
class Sampled:
    """Cases with the units that are drawn.

    model: the cases, of two classes highest score first; units: the cluster of each case, or in two rows the
    persons of each comparison, None where cases are drawn; evaluation: of all cases.
    """

    model: Any
    units: np.ndarray | None
    evaluation: Evaluation

    @property
    def data(self) -> DataInfo:
        """The facts about the cases."""
        return self.evaluation.data

    @property
    def scored(self) -> bool:
        """Whether the cases are of two classes and have scores."""
        return isinstance(self.evaluation, BinaryEvaluation) and self.evaluation.ranking is not None

    @property
    def sign(self) -> int:
        """-1 where scores are held negated, since a lower one means positive."""
        lower = isinstance(self.evaluation, BinaryEvaluation) and not self.evaluation.higher_is_positive
        return -1 if lower else 1

    def at(self, threshold: Any) -> Sampled:
        """The same at another threshold. Raises InputError without scores of two classes."""
        if not isinstance(self.evaluation, BinaryEvaluation) or not self.scored:
            raise InputError("unsupported", "threshold", NO_SCORES, "leave it out")
        return replace(self, evaluation=self.evaluation.at(validate.threshold(threshold)))

    @property
    def limit(self) -> float:
        """The threshold on the scores as they are stored."""
        return self.evaluation.held_threshold

    @property
    def chosen(self) -> bool:
        """Whether the threshold was chosen on these cases."""
        at = self.evaluation.threshold if isinstance(self.evaluation, BinaryEvaluation) else None
        return at is not None and at.chosen

    @property
    def what(self) -> str:
        """The name of the units."""
        return "cases" if self.units is None else name_of_units(self.units)

    @property
    def cluster_count(self) -> int:
        """The number of units; 0 if there are none."""
        return 0 if self.units is None else int(self.units.max()) + 1


def sampled(data: Any, spec: CaseSpec, design: Any, parameters: Mapping[str, Mapping[str, Any]]) -> Sampled:
    """The cases. Raises InputError for fixed class sizes where there are no classes."""
    refuse_answers(data)
    if isinstance(data, Evaluation):
        refuse_arguments(_given(spec))
        return _of_evaluation(data, design)
    if isinstance(data, Summary):
        found = _of_summary(data, spec, parameters)
        return _of_evaluation(found, found.settings.design, sums=False)
    cases = _of_cases(
        data, spec, EvaluationOptions(Settings(design=design), parameters, score_kind=spec.score_kind)
    )
    if design == "case-control" and getattr(cases.model, "task", "") in ("regression", "multilabel"):
        raise InputError("conflict", "design", NO_CLASSES, f"use {option('design', 'cohort')}")
    return cases


# From columns
# -------------------------------------------------------------------------------------------------------


def _of_cases(data: Any, spec: CaseSpec, options: EvaluationOptions) -> Sampled:
    independent = spec.of_columns(dict.fromkeys(OF_UNITS))
    refuse(form_of(spec, data is None), independent, options)
    sample = read_sample(data, spec)
    evaluation = evaluate_sample(replace(sample, index={}), 0, options)
    if sample.task != "binary":
        found = in_order(sample.one_by_one() if sample.units is None else sample)
        return Sampled(found, found.units, evaluation)
    model, order = scored_cases(sample)
    return Sampled(model, None if sample.units is None else sample.units[..., order], evaluation)


def in_order(sample: Sample) -> Sample:
    """The cases in an order of their own; of amounts in that of the errors."""
    truth, output = sample.truth, sample.output[0]
    keys = [output - truth] if sample.task == "regression" else [*output.T] if output.ndim > 1 else [output]
    classes = [*truth.T] if truth.ndim > 1 else [truth]
    units = () if sample.units is None else np.atleast_2d(sample.units)
    return sample.take(content_order(*keys, *classes, sample.weight, *units))


# From a summary or an evaluation
# -------------------------------------------------------------------------------------------------------


def _of_summary(data: Any, spec: CaseSpec, parameters: Mapping[str, Mapping[str, Any]]) -> Evaluation:
    """Its evaluation. Raises InputError for arguments that do not apply to a summary."""
    return evaluate(
        data, **spec.given, weight_kind=spec.weight_kind, positive=spec.positive, classes=spec.classes,
        higher_is_positive=spec.higher_is_positive, score_kind=spec.score_kind, parameters=parameters,
    )  # fmt: skip


def _given(spec: CaseSpec) -> dict[str, Any]:
    """The arguments given in addition to the evaluation, with None for those that have their default."""
    options = {name: getattr(spec, name) for name in ("weight_kind", "positive", "classes", "score_kind")}
    usual = {
        "higher_is_positive": None if spec.higher_is_positive else False,
        "missing": None if spec.missing == "reject" else "drop",
        "regression": spec.regression or None,
    }
    return {**spec.given, **options, **usual}


def _of_evaluation(e: Evaluation, design: str, sums: bool = True) -> Sampled:
    """The cases of an evaluation. sums: whether importance weights may be sums over cases with equal scores.

    Raises InputError for a design other than theirs, for importance weights that are only known as sums over
    cases, and for several labels.
    """
    if e.settings.design != design:
        way_out = f"pass {option('design', e.settings.design)}, or the cases"
        raise InputError(
            "mismatch", "design", f"{design!r}, but the evaluation has {e.settings.design!r}", way_out
        )
    held: Any = e.clusters
    units = None if held is None else held.units
    about: dict[str, Any]
    each: tuple[Any, ...]
    if isinstance(e, BinaryEvaluation):
        if e.ranking is not None:
            e.need_each_score("bootstrap")
        table = e.ranking if e.ranking is not None else _of_counts(e)
        apart = np.count_nonzero(table.positive) + np.count_nonzero(table.negative)
        if held is None and sums and table.weighted and apart < e.data.rows - e.data.weightless:
            raise InputError("unsupported", "data", SUMS, "pass the cases")
        model = held.cases if isinstance(held, DependentCases) else ScoredCases.from_table(table)
        return Sampled(model, units, e)
    if isinstance(e, MulticlassEvaluation) and e.scores is not None:
        s: Any = e.scores
        each = s.truth, s.score, s.weight
        about = {"task": "multiclass", "kind": "score", "score_kind": e.score_kind, "affix": s.affix}
    elif isinstance(e, MulticlassEvaluation):
        s = e.matrix
        places = np.indices(s.weights.shape).reshape(2, -1)
        each = *places, s.weights.ravel()
        about = {"task": "multiclass", "kind": "predicted", "no_answer": (s.unanswered is not None,)}
    elif isinstance(e, RegressionEvaluation):
        s = e.residuals
        truth = np.zeros(len(s)) if s.truth is None else s.truth
        each = truth, truth + s.error, s.weight
        about = {"task": "regression", "kind": "predicted"}
    else:
        raise InputError("unsupported", "data", PAIRS_OF_LABELS, "pass the cases")
    if isinstance(e, MulticlassEvaluation):
        about |= {"labels": e.matrix.labels, "ordered": e.matrix.ordered}
    rows = np.flatnonzero(each[2]) if held is None else held.cells[type(s)]
    truth, output, weight = (one[rows] for one in each)
    if held is not None:
        weight, squares = held.weight, np.square(held.weight)
    else:
        squares = weight if s.squares is None else s.squares.ravel()[rows]
    if squares is not weight and not np.allclose(squares, np.square(weight), rtol=1e-9):
        raise InputError("unsupported", "data", SUMS, "pass the cases")
    sample = Sample(
        truth=truth, output=(output,), weight=weight, squares=squares, **{"labels": (), **about},
        models=(None,), index={}, info=e.data,
    )  # fmt: skip
    return Sampled(sample if held is not None else in_order(sample.one_by_one()), units, e)


def _of_counts(e: BinaryEvaluation) -> RankingTable:
    """The predicted labels as scores, 1 if positive."""
    c, s = e.counts, e.counts.squares
    kind = np.int64 if s is None else np.float64
    positive, negative = (np.array(part, kind) for part in ([c.tp, c.fn], [c.fp, c.tn]))
    squares = None if s is None else Squares(np.array([s.tp, s.fn], float), np.array([s.fp, s.tn], float))
    return RankingTable.of(np.array([1.0, 0.0]), positive, negative, squares)


SHARED = ("_errors", "_mixes", "_dependent")  # used by the intervals of all methods, computed once
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
        validate.choice(method, METHODS, "method")
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
        skewed = self._skewness(entry, given) if method == "bca" else 0.0
        sample = Replicates(value, self.values[i], entry.range, self.level, skewed, clusters=clusters)
        if method == "studentised":
            sample = replace(sample, error=float(self._errors[i, 0]), errors=self._errors[i, 1:])
        found = interval(sample, method)
        mixed = self.how.keeps_classes and _differ(self._mixes[i, 2], value)
        if not found.method:
            why = OF_WEIGHTS if self.how.keeps_weights else MIX
            return no_interval(why) if mixed and of_code(found.notes, SAME.code) else found
        given_mix = GIVEN_WEIGHTS if self.how.keeps_weights else GIVEN_MIX
        doubt, mix = limits.doubt(*of_table, rests.effective, rests.text), given_mix if mixed else None
        return replace(found, notes=joined(other, found.notes, doubt, mix))

    def _skewness(self, entry: Measure, given: Mapping[str, Any]) -> float:
        """That of the sum of the influence values of cases, or of units; 0 where there are none."""
        design: Design = "case-control" if self.how.keeps_classes else "cohort"
        table, units = self._summary(entry), self._dependent
        if units is not None:
            table, sampling = units.sampled(entry, table, Settings(design=design), self.threshold)
        else:
            table = thinned(table) if isinstance(table, RankingTable) else table
            sampling = sampling_of(table, self.how.keeps_classes)
        values = influence.by_case(entry, entry.defaults | dict(given), table)
        if values is None or not np.isfinite(values).all():
            return 0.0
        return float(np.nan_to_num(skewness(about(values[None], sampling)[0], sampling)))

    @cached_property
    def _dependent(self) -> DependentCases | DependentTables | None:
        """The units that are drawn; each case is one where it has several labels."""
        model, units = self.model, self.cases.units
        if isinstance(model, ScoredCases):
            return None if units is None else DependentCases(model, units)
        if units is None and model.task == "multilabel":
            units = np.arange(len(model))
        return None if units is None else DependentTables(units, cells_of(model, 0), model.weight)

    @cached_property
    def _mixes(self) -> np.ndarray:
        return other_mixes(self.asked, self.model, self.threshold)

    def _resting(self, i: int, value: float) -> Units:
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
            every = sizes or {"cases": len(strata)}
            return min(Units(size, size, name) for name, size in every.items())
        return units_of(units, weight, classes, self.cases.what)

    @cached_property
    def _errors(self) -> np.ndarray:
        return standard_errors(self.asked, self.model, self.how, self.threshold, self.cases.units)

    def _number(self, name: str) -> int:
        result = self._place(name)
        if result is None:
            raise InputError("unknown-name", name, "it was not asked for", f"name it in {option('measures')}")
        return result

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


__all__ = ["Bootstrap", "bootstrap"]

USUAL = ("roc_auc", "average_precision", "kolmogorov_smirnov", "brier_score", "log_loss")
SIDE_BY_SIDE = 'compare(..., method="bootstrap") resamples several together, for their differences'
SLOW = ("smooth-deviations",)  # kinds without an interval, of which each resample is fitted anew
AT_A_THRESHOLD = ("accuracy", "sensitivity", "specificity", "precision", "f1", "matthews_correlation")


@public()
def bootstrap(
    data: Any = None,
    /,
    *,
    truth: Any = None,
    score: Any = None,
    predicted: Any = None,
    weight: Any = None,
    weight_kind: WeightKind | None = None,
    clusters: Any = None,
    persons: Any = None,
    regression: bool = False,
    positive: Any = None,
    predicted_positive: Any = None,
    not_an_answer: Sequence[Any] | None = None,
    classes: Sequence[Any] | None = None,
    ordered: bool = False,
    higher_is_positive: bool = True,
    missing: Missing = "reject",
    where: str | None = None,
    memory: str | int | None = None,
    score_kind: ScoreKind | None = None,
    threshold: float | None = None,
    measures: str | Sequence[str] | None = None,
    parameters: Mapping[str, Mapping[str, Any]] | None = None,
    method: BootstrapMethod = "bca",
    design: Design = "cohort",
    resampling: CaseResampling = "bootstrap",
    replicates: int = 1000,
    level: float = 0.95,
    rng: int | np.random.Generator = 0,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Bootstrap:
    """Compute measures with confidence intervals from bootstrap resamples of the cases.

    Parameters
    ----------
    data : data frame, file, mapping of columns, summary or evaluation, optional
        As for `evaluate`; from an evaluation the cases, the threshold and the parameters are taken.
    truth, score, predicted, weight, weight_kind, positive, predicted_positive, not_an_answer, classes
        As for `evaluate`: of one model with scores of two classes or a score per class, predicted labels, or
        several labels per case.
    ordered, higher_is_positive, missing, where, memory, score_kind, regression, threshold, parameters
        As for `evaluate`.
    clusters : array of shape (n,) or name of a column, optional
        The cluster of each case, as its patient or site. Whole clusters are resampled (the cluster
        bootstrap).
    persons : two columns or two arrays, optional
        The two persons of each comparison, as for `biometric`. Persons are resampled, and a comparison counts
        as often as one of them is drawn times as often as the other is.
    measures : str or list of str, optional
        Names of measures that `evaluate` has for these cases; "all" for every measure but the deviations from
        a smooth curve (ICI, E50, E90), which have no interval and take most of the time. By default a
        selection of common ones.
    method : {"bca", "percentile", "basic", "studentised"}, default "bca"
        "bca" is bias-corrected and accelerated. "studentised" needs a standard error for every resample, and
        exists for roc_auc, proportions and mean losses of independent cases; for other measures "bca" is used
        then, as their `method` states.
    design : {"cohort", "case-control"}, default "cohort"
        "cohort": all cases are resampled together, so that the class mix varies; "case-control": the class
        sizes are fixed. Each class is resampled separately; with clusters, persons, weights and Poisson draws
        the cases drawn of each class are reweighted to its size.
    resampling : {"bootstrap", "poisson-bootstrap"}, default "bootstrap"
        "poisson-bootstrap" draws every case a Poisson(1) number of times; it is faster and nearly the same
        for many cases.
    replicates : int, default 1000
        Number of resamples, from 50 to 10^7.
    level : float, default 0.95
        Confidence level of the intervals, above 0 and below 1.
    rng : int or numpy.random.Generator, default 0
        Seed of the resampling; the result does not depend on the number of threads.
    threads : int, optional
        Number of threads; by default one per processor.
    progress : callable, optional
        Called with the number of resamples done.

    Returns
    -------
    Bootstrap
        By the name of the measure an `Estimate`.

    Raises
    ------
    InputError
        For whatever `evaluate` refuses, for unknown measures and methods, for design="case-control" where
        there are no classes, and for measures of probabilities where the scores are not probabilities.

    Notes
    -----
    In a case-control design, intervals of measures that depend on the class mix, as precision or log_loss,
    are "given this class mix". The same holds for class weights that are computed from the sample so that all
    classes have the same total weight: each resample is reweighted in the same way.

    A case with a count of 2 is two cases, one with weight 0 is none. A case with an importance weight is
    drawn as one case and keeps its weight. Cases, clusters or persons are taken as independent. Intervals by
    persons are wider than needed where comparisons of the same two persons vary much by themselves: their
    variance counts three times instead of once.

    The number of resamples on which a measure is undefined, as those without positives, is in its note. Where
    no bootstrap interval is valid, as for calibration errors or with a single positive, there is none, and
    the reason is given. docs/intervals.md lists the coverage of the others.

    Examples
    --------
    >>> import tallymark as tm
    >>> truth, score = [0, 0, 1, 0, 1, 0, 1, 1], [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.9]
    >>> result = tm.bootstrap(truth=truth, score=score, measures="roc_auc", replicates=200)
    >>> result["roc_auc"].value
    0.8125
    """
    validate.choice(method, METHODS, "method")
    level, progress = validate.level(level), validate.function(progress, "progress")
    number = validate.whole(replicates, "replicates", 50, 1e7)
    threads = None if threads is None else validate.whole(threads, "threads", 1, MOST_THREADS)
    how = Draws(number, design, resampling, validate.seed(rng), threads)
    models = of_one_model("bootstrap", {"score": score, "predicted": predicted}, SIDE_BY_SIDE)
    spec = CaseSpec(
        truth=truth, **models, weight=weight, weight_kind=weight_kind, clusters=clusters, persons=persons,
        positive=positive, predicted_positive=predicted_positive, not_an_answer=not_an_answer,
        classes=classes, ordered=ordered, higher_is_positive=higher_is_positive,
        score_kind=score_kind, regression=regression, missing=missing, where=where, memory=memory,
    )  # fmt: skip
    wanted: Mapping[str, Mapping[str, Any]] = checked_parameters(parameters)
    with kernels.at_most(threads):
        cases = sampled(data, spec, design, wanted)
    if threshold is not None:
        cases = cases.at(threshold)
    statistics = _statistics(cases.evaluation, measures, wanted)
    if isinstance(cases.model, ScoredCases):
        how = replace(how, keeps_weights=cases.units is None and fixed_by_weights(cases.model.table))
    limit = cases.limit
    (found,) = values_of(
        statistics, [cases.model], how, thresholds=[limit], clusters=cases.units, progress=progress
    )
    return Bootstrap(cases, how, tuple(statistics), limit, found, method, level, cases.chosen)


def _statistics(e: Evaluation, measures: Any, parameters: Mapping[str, Mapping[str, Any]]) -> list[Statistic]:
    """The measures with their parameters. Raises InputError for those that the cases do not have."""
    if measures is None and isinstance(e, BinaryEvaluation):
        names = [name for name in (*USUAL, *AT_A_THRESHOLD) if name in e]
    elif measures is None:
        names = [name for name in e.estimates if e.entry(name).headline is not None]
    elif isinstance(measures, str) and measures == "all":
        names = [name for name in e.estimates if kind_of(e.entry(name)) not in SLOW]
    else:
        names = names_of_measures(measures)
    entries = dict.fromkeys(map(e.entry, names))
    return [(one, {**e.parameters_of(one), **parameters.get(one.base.name, {})}) for one in entries]
