"""The models of a comparison, each with its evaluation and, where known, its cases one by one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import chain, product
from math import exp, inf, isfinite, isinf, isnan, nan, sqrt
from typing import Any, Literal, get_args

import numpy as np

from .. import kernels
from ..curves import Curve
from ..inference import Estimate, Settings, influence
from ..inference.clustered import DependentCases
from ..inference.contrast import (  # fmt: skip
    DIGITS,
    NO_WIDTH,
    AllPairs,
    Contrast,
    Covariance,
    Discordant,
    Evidence,
    Normal,
    Permuted,
    Ratio,
    Unknown,
    contrast,
    identical,
    independent,
    largest_differences,
    logarithm,
    of_estimate,
    of_replicates,
    one_reason,
    span,
    why_undefined,
)
from ..inference.covariance import (
    LEAST,
    ONE_CASE,
    Dependence,
    Sampling,
    correlations,
    covariance,
    deciding as few_deciding,
    of_one_case,
    pooled_freedom,
    sampling_of,
    units_of,
)
from ..inference.hypothesis import adjusted
from ..inference.influence import Influence, of_summary
from ..inference.interval import GIVEN_MIX, ROUNDING, depends_on_mix
from ..inference.linear import SEVERAL, one_case_decides, parts_of
from ..inference.replicates import MEANS, Draws, Resampled, replicates
from ..inference.results import known_error
from ..input import validate
from ..input.arguments import CLUSTERS, Adjustment
from ..input.cases import KeepingTruth
from ..input.errors import InputError, option
from ..input.messages import Note, Notes, SomeNotes, joined, of_kind
from ..input.names import listed
from ..input.results import Result, equal_as_tuples, plain
from ..input.sample import Array, Sample, name_of_units
from ..input.spec import COLUMNS, CaseSpec
from ..input.weighting import are_ones, effective
from ..measures import registry
from ..measures.registry import Measure, forms
from ..summaries import ClassScores, ConfusionMatrix, Counts, IndicatorTable, RankingTable
from ..summaries.samples import (
    POSITIVE_FROM,
    ScoredCases,
    cells_of,
    content_order,
    read_sample,
    sample_of,
    sample_of_cases,
    scores_of,
)
from ..summaries.value import cached, once_for_all_threads
from .evaluate import EvaluationOptions, evaluate_sample, form_of
from .results import BinaryEvaluation, Evaluation, best_of

MANY = 50_000  # cases, from which a thread takes less time to start than it saves


class Influences:
    """Influence values of evaluations, by name, whose cases may be in the same units.

    evaluation: by name; units: by name the numbers of the units of its cases, those of all cases under None;
    empty where cases are independent.
    """

    def __init__(self, evaluation: Callable[[Any], Evaluation], units: Mapping[Any, Array]):
        self.evaluation, self.units = evaluation, units
        self._known: dict[tuple[Any, str], tuple[Array, Any, Sampling] | None] = {}

    @cached_property
    def crossed(self) -> bool:
        """Whether some units have cases in several evaluations."""
        each = [np.unique(units) for name, units in self.units.items() if name is not None]
        return bool(each) and sum(map(len, each)) > len(np.unique(np.concatenate(each)))

    def of(self, name: Any, measure: str) -> tuple[Array, Any, Sampling] | None:
        """The influence values of the cells on a measure, the summary, and how its cases were sampled.

        None where they are not known.
        """
        if (name, measure) not in self._known:
            e = self.evaluation(name)
            entry, table, held = e.entry(measure), e.summary_of(measure), e.clusters
            if held is not None:
                table, sampling = held.sampled(entry, table, e.settings, e.held_threshold)
            else:
                sampling = sampling_of(table)
            given = {**entry.defaults, **e.parameters_of(entry)}
            values = of_summary(entry, given, table, partial(e.__getitem__, measure))
            self._known[name, measure] = None if values is None else (values.ravel(), table, sampling)
        return self._known[name, measure]

    def correlations(self, measure: str, names: Sequence[Any]) -> Array:
        """(k, k): of a measure in evaluations whose cases are in units; NaN where they are not known."""
        known = [(self.of(name, measure), np.unique(self.units[name])) for name in names]
        if any(one is None for one, _ in known):
            return np.full((len(names), len(names)), np.nan)
        found = [(one[0], one[2], units) for one, units in known if one is not None]
        return correlations(found, by_class=measure == "roc_auc")


@dataclass(frozen=True, eq=False)
class Model:
    """A model with its evaluation, and its cases.

    sample: the cases of all models, each with the weight 1 where weights are numbers of cases; place: of the
    model among its outputs; rows: of each case the row in the tables of the evaluation that hold every case,
    None where they are the same; source: the place of the scores or predictions in memory, the same for
    models with the same column or array. All are None where only a summary is known.
    """

    name: str
    evaluation: Evaluation
    sample: Sample | None = None
    place: int = 0
    rows: Array | None = None
    source: Any = None

    @property
    def clusters(self) -> Array | None:
        """The units of the cases, as `Sample.units`."""
        if self.sample is not None:
            return self.sample.units
        held = self.evaluation.clusters
        return None if held is None else held.units

    @property
    def weight(self) -> Any:
        return None if self.sample is None else self.sample.weight

    @property
    def ranking(self) -> RankingTable | None:
        """The table of scores; None without scores of two classes."""
        return self.evaluation.ranking if isinstance(self.evaluation, BinaryEvaluation) else None

    @property
    def limit(self) -> float:
        """The threshold of the scores, as they are stored."""
        return POSITIVE_FROM if self.ranking is None else self.evaluation.held_threshold

    @cached_property
    def truth(self) -> Any:
        """The codes of the true classes; 0 where there are none."""
        sample = self.sample
        if sample is None:
            return None
        if sample.task == "binary":
            return sample.truth.view(np.int8)
        return sample.truth if sample.task == "multiclass" else np.zeros(len(sample), np.int8)

    @cached_property
    def answers(self) -> Any:
        """The codes of the predicted classes; None where there are none."""
        sample = self.sample
        if sample is None or sample.task in ("regression", "multilabel"):
            return None
        if sample.task == "binary":
            return self.cases.called(self.limit).view(np.int8)
        if not self.per_class:
            return sample.output[self.place]
        table: ClassScores = self.evaluation.scores  # type: ignore[attr-defined]
        among = np.array([*map(sample.labels.index, table.labels)])
        return among[table.predicted()[0]][self._rows]

    @property
    def cases(self) -> Any:
        """The cases with their scores, or with the predictions as scores; None but for two classes."""
        if self.sample is None or self.sample.task != "binary":
            return None
        return scores_of(self.sample, self.place)

    @property
    def resampled(self) -> ScoredCases:
        """The cases that are resampled, of a score per class with the highest one: positive where right."""
        if self.cases is not None:
            return self.cases
        table: ClassScores = self.evaluation.scores  # type: ignore[attr-defined]
        return ScoredCases(
            self.right, table.highest[self._rows], self.weight, table.kind_of_table, "importance"
        )

    @property
    def _rows(self) -> Any:
        return slice(None) if self.rows is None else self.rows

    @cached_property
    def sampling(self) -> Sampling:
        """How the cases were sampled, each a cell, with a class mix that varies."""
        sample = self.sample
        assert sample is not None
        units = None if sample.units is None else Dependence.of_cases(sample.units, sample.weight, self.truth)
        return Sampling(sample.weight, sample.squares, self.truth, units=units)

    def influence(self, entry: Measure, parameters: Mapping[str, Any]) -> np.ndarray | None:
        """The influence value of each case on a measure; None where it is not known.

        parameters: all that the measure has.
        """
        e = self.evaluation
        summary = self.cases.table if entry.summary is RankingTable else e.summary_of(entry.name)
        values = of_summary(entry, parameters, summary, partial(e.__getitem__, entry.name))
        if values is None or isinstance(summary, RankingTable):
            return values if values is None else self._at_scores(values, len(summary))
        if isinstance(summary, ClassScores):
            return np.asarray(values[self._rows])
        cells = self._cells_of(summary) if isinstance(summary, ConfusionMatrix) else self._cells
        return np.asarray(values[cells] if cells.ndim == 1 else cells @ values)

    @cached_property
    def _cells(self) -> Array:
        """The cell of each case of two classes or with an amount, or whether it counts in each of labels."""
        assert self.sample is not None
        if self.sample.task == "binary":  # of true and false positives, false and true negatives
            return np.asarray(3 - 2 * self.answers - self.truth)
        return next(iter(cells_of(self.sample, self.place).values()))

    def _cells_of(self, matrix: ConfusionMatrix) -> Array:
        """The cell of each case in the matrix of the evaluation, which may lack classes of other models."""
        assert self.sample is not None
        place = {label: i for i, label in enumerate(matrix.labels)}
        known = np.array([*(place.get(label, 0) for label in self.sample.labels), len(place)])
        return np.asarray(known[self.truth] * len(matrix.weights) + known[self.answers])

    def _at_scores(self, values: np.ndarray, size: int) -> np.ndarray:
        """The values of positives, then of negatives, at each of so many scores, by case."""
        at_scores, place, positive = values.ravel(), self.cases.place, self.cases.positive
        of_cases = np.empty(len(positive))

        def of_rows(rows: slice) -> None:
            at = place[rows] + size * ~positive[rows]
            np.take(at_scores, at, out=of_cases[rows], mode="clip")  # other modes copy

        kernels.stretches(of_rows, len(of_cases), kernels.BLOCK)
        return of_cases

    def differing(self, other: Model, entry: Measure) -> np.ndarray:
        """Which cases have another prediction, or another score or amount, of the other model."""
        if entry.summary in (Counts, ConfusionMatrix):
            return np.asarray(self.answers != other.answers)
        assert self.sample is not None
        assert other.sample is not None
        first, second = self.sample.output[self.place], other.sample.output[other.place]
        apart = first != second
        if first.ndim == 1:
            return np.asarray(apart)
        return np.asarray((apart & ~(np.isnan(first) & np.isnan(second))).any(axis=1))

    @property
    def per_class(self) -> bool:
        """Whether the cases have a score per class."""
        sample = self.sample
        return sample is not None and sample.task == "multiclass" and sample.kind == "score"

    def at(self, threshold: float) -> Model:
        """The model with the predictions at another threshold."""
        assert isinstance(self.evaluation, BinaryEvaluation)
        return replace(self, evaluation=self.evaluation.at(threshold))

    @property
    def one_by_one(self) -> Model:
        """The model with the cases of its ranking table, or of its evaluation with clusters, where known."""
        held, table = self.evaluation.clusters, self.ranking
        if self.sample is None and isinstance(held, DependentCases):
            cases, units = held.cases, held.units
        elif self.sample is None and table is not None:
            cases, units = ScoredCases.from_table(table), None
        else:
            return self
        return replace(self, sample=sample_of_cases(cases, units, self.evaluation.data).one_by_one())

    @cached_property
    def sizes(self) -> np.ndarray:
        """The effective number of cases of each class."""
        codes, s = self.truth, self.sampling
        size = int(codes.max(initial=1)) + 1
        return np.asarray(effective(*(kernels.sums(codes, part, size) for part in (s.weight, s.squares))))

    @property
    def right(self) -> np.ndarray:
        """Whether each prediction is the true class."""
        return np.asarray(self.answers == self.truth)


def influences_of(models: Sequence[Model]) -> Influences:
    """The influence values of models on different cases, with their units where these are of one data set."""
    evaluations = {model.name: model.evaluation for model in models}
    columns = {model.name: model.sample.columns_of_units for model in models if model.sample is not None}
    labels = {id(one.labels) for each in columns.values() for one in each}
    units = {}
    if len(labels) == 1 and len(columns) == len(models):
        units = {name: np.stack([one.codes for one in each]) for name, each in columns.items()}
    return Influences(evaluations.__getitem__, units)


def ordered(models: Sequence[Model]) -> list[Model]:
    """The models with their cases in an order that follows from their values alone, for resampling.

    It depends neither on the order of the rows nor on that of the models.
    """
    sample = models[0].sample
    assert sample is not None
    outputs = [sample.output[model.place] if model.cases is None else model.cases.score for model in models]
    outputs.sort(key=lambda output: (-np.sort(-output, axis=0)).tobytes())
    columns = [-column for output in outputs for column in output.reshape(len(output), -1).T]
    units = () if sample.units is None else np.atleast_2d(sample.units)
    order = content_order(*columns, -models[0].truth, sample.weight, *units)
    rows = order if models[0].rows is None else models[0].rows[order]
    same = sample.reordered(order)
    return [replace(model, sample=same, rows=rows) for model in models]


def models_of(
    sample: Sample, options: EvaluationOptions, thresholds: Mapping[Any, float | None]
) -> list[Model]:
    """A model for each output of the sample; all are measured on the same cases.

    A case with a count of 2 is two cases.
    """
    evaluations = [
        evaluate_sample(sample, i, options, thresholds.get(name)) for i, name in enumerate(sample.models)
    ]
    cases = sample.one_by_one()
    rows = None if cases is sample else sample.each_case
    return [
        Model(str(name), evaluation, cases, i, rows, sample.output[i].__array_interface__["data"])
        for i, (name, evaluation) in enumerate(zip(sample.models, evaluations, strict=True))
    ]


# Differences of models: contrasts of influence values by case, or of two independent estimates
# --------------------------------------------------------------------------------------------------
#
# Under the hypothesis of no difference, which permutations test, the labels "first model" and "second model"
# are exchangeable.

POINTS = 401  # of a confidence curve
# level that it reaches, or, of few resamples, the first of these
WIDEST, LEVELS = 0.999, (0.99, 0.95, 0.9, 0.5)
NON_INFERIORITY, EQUIVALENCE = "non-inferiority", "equivalence"


@dataclass(frozen=True, slots=True, repr=False)
class Decision(Result):
    """Whether a difference lies within a margin.

    Attributes
    ----------
    hypothesis : str
        "non-inferiority" or "equivalence".
    margin : float
        The margin, above 0.
    shown : bool
        Whether the difference is shown to lie within the margin. False does not show the contrary.
    reason : Note
        How it was decided, or why it could not be.
    p_value : float
        One-sided, of the hypothesis that the difference lies beyond the margin.
    low, high, level : float
        The interval that decides, and its level.
    """

    hypothesis: str
    margin: float
    shown: bool
    reason: Note
    p_value: float
    low: float
    high: float
    level: float

    __eq__ = equal_as_tuples

    @property
    def text(self) -> str:
        """The sentence of the reason."""
        return self.reason.text


@dataclass(frozen=True, eq=False, repr=False)
class Difference(Contrast):
    """The value of a model less that of the reference, or divided by it.

    Attributes
    ----------
    measure, model, reference : str
        Their names.
    estimate : Estimate
        The difference with its interval and, where the method has one, its standard error.
    p_value : float
        Two-sided, of the hypothesis of no difference.
    adjusted : float
        The p-value adjusted for all differences of the comparison.
    test : str
        The name of the test.
    models : pair of Estimate
        The values of the model and of the reference.
    evidence : Evidence
        Intervals at any level, and p-values for any effect.
    decision : Decision or None
        On a margin, where one was given.
    scale : "ratio" or None
        "ratio": the value is divided by that of the reference; the interval and the test are on the scale of
        the logarithm.
    group, fold : str or None
        The group, or the fold, in whose cases it is; None for all.
    """

    PLAIN = (
        "measure model reference group? fold? scale? *estimate p_value adjusted_p_value=adjusted test"
        " statistic df covariance? decision"
    )

    measure: str
    model: str
    reference: str
    estimate: Estimate
    p_value: float
    adjusted: float
    test: str
    models: tuple[Estimate, Estimate]
    evidence: Evidence = field(repr=False)
    decision: Decision | None = None
    scale: Literal["ratio"] | None = None
    group: str | None = None
    fold: str | None = None

    @property
    def null(self) -> float:
        """The value without a difference: 0, of a ratio 1."""
        return 1.0 if self.scale else 0.0

    @property
    def standard_error(self) -> float | None:
        """The standard error of the difference, in the unit of the measure.

        None where the method has none, as a score or a permutation test, and for ratios.
        """
        return self.estimate.standard_error

    @property
    def statistic(self) -> float | None:
        """The statistic of the test of no difference, above 0 where the model has the higher value.

        It is z, or Student's t with `df`. None where resamples or permutations are counted, and where there
        is no test.

        Where there is a standard error, it is the value divided by that. For the method "mover", whose
        interval is not symmetric, it is the value divided by its distance to the bound on the side of 0,
        times the normal quantile of the level, so that the test rejects where the interval excludes 0.
        """
        return self.evidence.statistic

    @property
    def df(self) -> float | None:
        """The degrees of freedom of the statistic; None where it is normal, or there is none."""
        return self.evidence.df if isfinite(self.evidence.df) else None

    @property
    def covariance(self) -> Covariance | None:
        """The 2 x 2 covariance of the two areas, that of the model first, by DeLong's method.

        None for other methods.
        """
        return self.evidence.covariance

    def p_at(self, effect: Any) -> Any:
        """Two-sided p-values of the hypotheses that the true difference equals each of these effects.

        For a number it is a number.
        """
        found = self.evidence.p_at(effect)
        return found if np.ndim(found) else float(found)

    def interval(self, level: float) -> tuple[float, float]:
        """The interval at another level."""
        low, high = self.evidence.bounds(level)
        return float(low), float(high)

    @property
    def curve(self) -> Curve:
        """The confidence curve: the p-value of every possible effect, with its maximum at the value.

        At height p it is as wide as the interval at level 1 - p, and `threshold` holds these levels, so that
        the intervals of all levels can be read from it. Source: Birnbaum (1961); Schweder and Hjort (2016).
        Raises InputError without an interval.
        """
        title = f"{self.scale or 'difference'} of {self.measure}, {self.model}"
        title += f" {'/' if self.scale else '-'} {self.reference}"
        if isinstance(self.evidence, Unknown) and self.evidence.certain:
            x = np.array([self.null])
        else:
            low, high = self._widest
            if isnan(low):
                raise InputError(
                    "no-result",
                    "confidence_curve",
                    f"{self.measure} has none",
                    f"{self.estimate.note or self.estimate.undefined}",
                )
            x = np.unique(
                np.append(np.linspace(min(low, self.value), max(high, self.value), POINTS), self.value)
            )
        p = np.asarray(self.evidence.p_at(x), float)
        return Curve("confidence", x, p, 1 - p, title, "p-value", dots=len(x) == 1)

    @property
    def _widest(self) -> tuple[float, float]:
        """The interval at the highest of some levels that has one.

        With few resamples the highest levels have none.
        """
        found = (self.interval(level) for level in (WIDEST, *LEVELS))
        return next((one for one in found if not isnan(one[0])), (nan, nan))

    def to_dict(self) -> dict[str, Any]:
        """Strict JSON values, with those of both models."""
        of_model, of_reference = plain(self.models)
        return {**super().to_dict(), "of_model": of_model, "of_reference": of_reference}


@dataclass(frozen=True, slots=True, repr=False)
class Agreement(Result):
    """The agreement of two models on the same cases.

    Attributes
    ----------
    first, second : str
        The names of the models.
    same : Estimate
        The proportion of cases with the same prediction.
    kappa : Estimate
        Cohen's kappa of the predictions.
    spearman, kendall : float or None
        Rank correlations of the scores, NaN where one is constant, None without scores.
    right : mapping of str to float
        The number of cases that "both", "first only", "second only" and "neither" have right.
    """

    first: str
    second: str
    same: Estimate
    kappa: Estimate
    spearman: float | None
    kendall: float | None
    right: Mapping[str, float]

    __eq__ = equal_as_tuples


def margins_of(
    non_inferior_by: Any, equivalent_within: Any, names: Sequence[str], level: float
) -> tuple[str | None, dict[str, float]]:
    """The hypothesis, and the margin by measure.

    Raises InputError for both hypotheses at once, and for margins that are not above 0.
    """
    given = {NON_INFERIORITY: non_inferior_by, EQUIVALENCE: equivalent_within}
    wanted = [name for name, value in given.items() if value is not None]
    if len(wanted) > 1:
        raise InputError(
            "conflict", "equivalent_within", "non_inferior_by is given already", "ask for one of the two"
        )
    if not wanted:
        return None, {}
    if wanted == [EQUIVALENCE] and not level > 0.5:
        raise InputError(
            "invalid-value",
            "level",
            f"{level:g} is too low for equivalence, which is judged at 2 level - 1",
            "give more than 0.5",
        )
    role = "non_inferior_by" if wanted == [NON_INFERIORITY] else "equivalent_within"
    value = given[wanted[0]]
    found = value if isinstance(value, Mapping) else dict.fromkeys(names, value)
    compared = {_compared(name, names, role): one for name, one in found.items()}
    return wanted[0], {form.name: _margin(one, role, form) for form, one in compared.items()}


def _compared(name: Any, names: Sequence[str], role: str) -> Measure:
    """The measure that is compared."""
    called = next((form for form in forms(name) if form.name in names), None)
    if called is None:
        raise InputError(
            "unknown-name",
            role,
            f"{validate.shown(name)} is not compared here",
            f"compared are {', '.join(names)}",
            value=name,
        )
    return called


def _margin(value: Any, role: str, measure: Measure) -> float:
    result = validate.positive(value, role, "give the smallest difference that matters, a number above 0")
    largest = span(measure.range)[1]
    if result >= largest:
        problem = f"no values of {measure.name} differ by more than {largest:g}"
        raise InputError(
            "invalid-value",
            role,
            f"{problem}, so that {result:g} excludes nothing",
            f"give a number below {largest:g}",
            value=value,
        )
    return result


def decision_of(
    hypothesis: str, margin: float, better: str | None, found: Estimate, evidence: Evidence, level: float
) -> Decision:
    """The decision whether the interval lies within the margin.

    For non-inferiority it is the two-sided interval at the level, so that the one-sided error is (1 - level)
    / 2, on the side where the model is worse. For equivalence it is the interval at 2 level - 1, on both
    sides: two one-sided tests at 1 - level each (Schuirmann 1987). The p-value is that of the one-sided test,
    or the larger one of the two.
    """
    both_sides = hypothesis == EQUIVALENCE
    level = 2 * level - 1 if both_sides else level
    low, high = map(float, evidence.bounds(level))
    unknown = Note("without-better-side") if better is None and not both_sides else None
    if unknown is not None or isnan(low):
        why = joined(unknown) if unknown is not None else joined(found.undefined, found.notes)
        reason = Note("undecided", because=why)
        return Decision(hypothesis, margin, False, reason, nan, nan, nan, level)
    sides = {"low": (low, -margin), "high": (high, margin)}  # the end of each, and its limit
    if not both_sides:
        sides.pop("high" if better == "higher" else "low")
    shown = all(end > limit if limit < 0 else end < limit for end, limit in sides.values())
    p = max(one_sided(found, evidence, limit) for _, limit in sides.values())
    if both_sides:
        reason = Note("equivalent", shown=shown, low=low, high=high, margin=margin, level=level)
    else:
        [(side, (end, limit))] = sides.items()
        reason = Note("non-inferior", shown=shown, side=side, end=end, limit=limit, level=level)
    return Decision(hypothesis, margin, shown, reason, p, low, high, level)


def one_sided(found: Estimate, evidence: Evidence, limit: float) -> float:
    """The one-sided p-value of the hypothesis that the difference lies beyond the limit."""
    half = float(evidence.p_at(limit)) / 2
    inside = found.value > limit if limit < 0 else found.value < limit
    return half if inside else 1 - half


# so many permutations: 1 where a case is of the first model, else 0
Drawn = Callable[[np.random.Generator, int], np.ndarray]
Progress = Callable[[int], None]  # takes the number of permutations done
AT_ONCE = 1 << 22  # random numbers per chunk


@listed(
    "test",
    "tm.compare(..., method='permutation')",
    name="paired-permutation",
    aka=("swapped_scores", "permutation_of_two_models"),
    command="tallymark compare --method permutation",
)
def swapped(
    entry: Measure,
    parameters: dict[str, Any],
    one: Model,
    other: Model,
    how: Draws,
    progress: Progress | None = None,
) -> Evidence:
    """A permutation test on the same cases: the scores of the two models are swapped at random, by case.

    With clusters they are swapped for all cases of a cluster together. For measures of the order of the
    scores these are replaced by mid-ranks, since the scores of two models need not have the same scale
    (Venkatraman and Begg 1996; Bandos, Rockette and Gur 2005); other measures use the scores, or the
    predictions, themselves. A permutation that leaves the measure undefined counts as infinitely far from 0.
    """
    if one.clusters is not None and one.clusters.ndim > 1:
        what = name_of_units(one.clusters)
        problem = f"it swaps the models for whole independent units, and cases that share {what} are in none"
        raise InputError("unsupported", what, problem, "take another method")
    pooled = _pooled(entry, parameters, one, other)
    n = len(one.cases)
    units = n if one.clusters is None else int(one.clusters.max()) + 1

    def drawn(random: np.random.Generator, number: int) -> np.ndarray:
        swap = random.integers(0, 2, (number, units), np.uint8)
        of_case = swap if one.clusters is None else swap[:, one.clusters]
        return np.hstack([1 - of_case, of_case])

    first = np.repeat(np.array([[1, 0]], np.uint8), n, axis=1)
    return _permuted(entry, parameters, pooled, first, drawn, how, progress)


def shuffled(
    entry: Measure,
    parameters: dict[str, Any],
    one: Model,
    other: Model,
    how: Draws,
    progress: Progress | None = None,
) -> Evidence:
    """A permutation test on different cases: the models are reassigned at random within each class.

    The scores, or predictions, are used as they are, so that models whose scores have different scales differ
    in any case.
    """
    counted = entry.summary is Counts
    score = np.concatenate([(m.answers if counted else m.cases.score) for m in (one, other)]).astype(float)
    positive = np.concatenate([one.cases.positive, other.cases.positive])
    weight = np.concatenate([one.cases.weight, other.cases.weight])
    first = (np.arange(len(positive)) < len(one.cases)).astype(np.uint8)[None]

    def drawn(random: np.random.Generator, number: int) -> np.ndarray:
        times = np.repeat(first, number, axis=0)
        for of_class in (np.flatnonzero(positive), np.flatnonzero(~positive)):
            times[:, of_class] = random.permuted(times[:, of_class], axis=1)
        return times

    pooled = ScoredCases(positive, score, weight, one.cases.kind)
    return _permuted(entry, parameters, pooled, first, drawn, how, progress)


def _permuted(
    entry: Measure,
    parameters: dict[str, Any],
    pooled: ScoredCases,
    first: np.ndarray,
    drawn: Drawn,
    how: Draws,
    progress: Progress | None,
) -> Evidence:
    # the threshold for predictions 0 and 1
    measured = Resampled(pooled, [(entry, parameters)], POSITIVE_FROM, how.threads)

    def difference(times: np.ndarray) -> np.ndarray:
        return measured.measure(times)[0] - measured.measure(1 - times)[0]

    observed = float(difference(first)[0])
    if not np.isfinite(observed):
        return Unknown((Note("difference-undefined"),))
    parts: list[np.ndarray] = []
    random, done = np.random.default_rng(how.seed), 0
    while done < how.replicates:
        number = max(1, min(how.replicates - done, AT_ONCE // len(pooled)))
        parts.append(np.abs(difference(np.ascontiguousarray(drawn(random, number)))))
        done += number
        if progress is not None:
            progress(done)
    far = np.nan_to_num(np.concatenate(parts), nan=np.inf)
    return Permuted(observed, np.sort(far + ROUNDING * np.maximum(1.0, far)), span(entry.range))


def _pooled(entry: Measure, parameters: dict[str, Any], one: Model, other: Model) -> ScoredCases:
    """The cases twice, once with the scores of each model."""
    kind: type = RankingTable
    if entry.summary is Counts:
        scores = [model.answers.astype(float) for model in (one, other)]
    elif uses_ranks_alone(entry, parameters, one.cases):
        scores = [mid_ranks(model.cases) for model in (one, other)]
    else:
        scores, kind = [model.cases.score for model in (one, other)], one.cases.kind
    positive, weight = np.tile(one.cases.positive, 2), np.tile(one.cases.weight, 2)
    return ScoredCases(positive, np.concatenate(scores), weight, kind)


def mid_ranks(cases: ScoredCases) -> np.ndarray:
    """Ranks of the scores, ascending, divided by the number of cases; ties get their mean rank."""
    if len(cases.table) == len(cases):  # no score occurs twice
        return (len(cases) - cases.place.astype(np.float64)) / len(cases)
    number = np.bincount(cases.place)
    ranks = (len(cases) - np.cumsum(number) + (number + 1) / 2) / len(cases)
    return kernels.taken(ranks, cases.place)


def uses_ranks_alone(entry: Measure, parameters: dict[str, Any], cases: ScoredCases) -> bool:
    """Whether the measure depends on the order of the scores alone.

    It is computed once more from the ranks.
    """
    if entry.scores is not None:
        return False
    ordered = ScoredCases(cases.positive, mid_ranks(cases), cases.weight)
    of_scores, of_order = (float(entry.function(one.table, **parameters)) for one in (cases, ordered))
    return bool(np.isclose(of_scores, of_order, rtol=1e-9, atol=1e-12))


ComparisonMethod = Literal["auto", "delong", "score", "bootstrap", "basic-bootstrap", "permutation"]
METHODS = get_args(ComparisonMethod)
RANKING, OF_PROBABILITIES = ("roc_auc", "average_precision"), ("brier_score", "log_loss")
PER_CLASS = ("macro_roc_auc", *OF_PROBABILITIES, "accuracy")
OF_TASK = {
    "binary": ("accuracy", "sensitivity", "specificity", "f1"),
    "multiclass": ("accuracy", "balanced_accuracy", "matthews_correlation", "cohen_kappa"),
    "multilabel": ("exact_match", "macro_f1", "weighted_f1"),
    "regression": ("mean_squared_error", "mean_absolute_error"),
}


REPLICATES = 2_000
ALL, BEST = "all", "best"
FEW_DISCORDANT, FEW_UNITS = 10, 8
GROWING = (
    "largest", "bins", "bins-of-equal-mass", "bins-of-answers", "bins-of-answers-of-equal-mass",
    "bins-between", "miscalibration", "discrimination",
)  # kinds of intervals of measures that few cases make larger on average  # fmt: skip
AS_INDEPENDENT = Note("as-independent")
AREA_OF_ONE = Note("area-of-one")
SAME_COLUMN = Note("same-column")
NOT_KEPT = Note("resamples-of-two-classes")
GROWS = Note("bias-of-both")
SAME_WHATEVER_IS_PREDICTED = Note("same-whatever-is-predicted")
NOT_KNOWN = Note("no-influence-values")
CELLS_OF_PAIR = np.array(
    [3 - 2 * (np.arange(8) // 2 % 2) - np.arange(8) // 4, 3 - 2 * (np.arange(8) % 2) - np.arange(8) // 4]
)  # of 4 truth + 2 prediction of the one + prediction of the other, the place among the counts of each model


@dataclass(frozen=True)
class ComparisonOptions:
    """The options of a comparison."""

    method: str
    level: float
    draws: Draws
    progress: Callable[[int], None] | None = None
    scale: Literal["ratio"] | None = None

    @property
    def null(self) -> float:
        """The value without a difference."""
        return 1.0 if self.scale else 0.0

    @property
    def resampling(self) -> str | None:
        """The kind of bootstrap, where one is asked for."""
        return self.method if self.method.endswith("bootstrap") else None

    @property
    def fixed(self) -> bool:
        """Whether the class sizes are fixed, or weights fix the class mix."""
        return self.draws.keeps_classes


def measures_of(
    wanted: Any, models: Sequence[Model], options: ComparisonOptions, labels_too: bool
) -> list[str]:
    """The names of the measures, in the form that all models have.

    Raises InputError for one that some model does not have, and for a ratio of one that may be below 0.
    """
    method = options.method
    if wanted is None:
        return _usual(models, method, labels_too)
    names = [wanted] if isinstance(wanted, str) else validate.some(wanted, "measures", "names")
    if not names:
        raise InputError(
            "needed",
            "measures",
            "none is named",
            f"leave it out for the usual ones, or name some, as {option('measures', ['roc_auc'])}",
        )
    chosen: dict[str, None] = {}
    for name, model in product(names, models):
        entry = model.evaluation.entry(name)  # raises InputError with the reason
        own = entry.name
        if options.scale and entry.range[0] != 0:
            problem = f"{own} has no ratios, since its values start at {entry.range[0]:g}, not at 0"
            raise InputError("unsupported", "scale", problem, f"leave {own} or {option('scale')} out")
        if own not in OF_METHOD.get(method, (own,)):
            problem = f"{method!r} compares {', '.join(OF_METHOD[method])}, not {own}"
            raise InputError("unsupported", "method", problem, "leave it out")
        chosen[own] = None
    return list(chosen)


PROPORTIONS = (
    "accuracy",
    "error_rate",
    "sensitivity",
    "false_negative_rate",
    "specificity",
    "false_positive_rate",
)
OF_METHOD = {"delong": ("roc_auc",), "score": PROPORTIONS}


def _usual(models: Sequence[Model], method: str, labels_too: bool) -> list[str]:
    evaluations = [model.evaluation for model in models]
    tasks = {e.task for e in evaluations}
    if "regression" in tasks and len(tasks) > 1:
        raise InputError(
            "unsupported",
            "data",
            "some models predict amounts and others classes, which have no measure in common",
            "compare them separately",
        )
    wanted: list[str] = []
    if all(model.ranking is not None for model in models):
        wanted += RANKING
        wanted += OF_PROBABILITIES if all(e.probabilities for e in evaluations) else ()
    if all(model.per_class for model in models):
        wanted += PER_CLASS
    elif labels_too or not wanted:
        wanted += OF_TASK[tasks.pop() if len(tasks) == 1 else "multiclass"]
    wanted = [name for name in wanted if all(name in e.estimates for e in evaluations)]
    if method in OF_METHOD:
        wanted = [name for name in wanted if name in OF_METHOD[method]]
    if not wanted:
        raise InputError(
            "unsupported",
            "measures",
            f"the models have none of the usual ones for method {method!r}",
            f"name some with {option('measures')}",
        )
    return wanted


def entry_of(model: Model, name: str) -> tuple[Measure, dict[str, Any]]:
    """The measure, with its parameters for that model."""
    entry = model.evaluation.entry(name)
    return entry, {**entry.defaults, **model.evaluation.parameters_of(entry)}


def undefined(first: Model, second: Model, name: str, ratio: bool = False) -> Notes:
    """Why there is no difference in a measure, or no ratio, or no interval by any method."""
    both = [({"model": model.name}, model.evaluation[name]) for model in (first, second)]
    endless = [Note("infinite-value", **about) for about, one in both if isinf(one.value)]
    if ratio:
        endless = [Note("no-ratio", **about, value=e.value) for about, e in both if e.value in (0.0, inf)]
    return why_undefined(both) or joined(*endless[:1])


def chosen_here(*models: Model) -> Note | None:
    """Why nothing at the thresholds of these models is tested; None where none was chosen on their cases."""
    thresholds = {model.name: getattr(model.evaluation, "threshold", None) for model in models}
    chosen = sorted(name for name, threshold in thresholds.items() if threshold and threshold.chosen)
    several = {} if len(chosen) == 1 else {"several": True}
    return Note("chosen-here-by-models", models=" and ".join(chosen), **several) if chosen else None


def _shows_no_spread(model: Model, name: str) -> bool:
    """Whether one case has nearly all the weight in what the measure depends on; of ranks, in a class."""
    if model.truth is None or model.clusters is not None or are_ones(model.weight):
        return False
    entry, summary = model.evaluation.entry(name), model.evaluation.summary_of(name)
    if isinstance(summary, Counts):
        return bool(one_case_decides(entry.function, summary).any())
    ranks = isinstance(summary, RankingTable) and summary.weighted and entry.loss is None
    if ranks and min(summary.effective_positives, summary.effective_negatives) < LEAST:
        return True
    return of_one_case(summary)


def estimate_of(value: float, evidence: Evidence, level: float, ends: tuple[float, float]) -> Estimate:
    """The difference with its interval, clipped to `ends`, or with the reason why there is none."""
    if isnan(value):
        return Estimate(value, level=level, undefined=one_reason(evidence.notes))
    if isinstance(evidence, Unknown) and evidence.certain:
        same = evidence.value
        return Estimate(same, same, same, level, evidence.method, notes=evidence.notes)
    low, high = evidence.bounds(level)
    if isnan(low):
        few = Note("too-few-resamples-for-level", level=level)
        return Estimate(value, level=level, notes=evidence.notes if isinstance(evidence, Unknown) else (few,))
    low, high = min(max(float(low), ends[0]), value), max(min(float(high), ends[1]), value)
    error = known_error(evidence.standard_error)
    return Estimate(
        value,
        low,
        high,
        level,
        evidence.method,
        notes=evidence.notes,
        standard_error=error,
        bounds=evidence.between,
    )


def with_width(evidence: Evidence, value: float, level: float) -> Evidence:
    """The evidence; none where its interval has no width."""
    low, high = evidence.bounds(level)
    if isinstance(evidence, Unknown) or isnan(low) or high - low > NO_WIDTH:
        return evidence
    return Unknown((Note("resamples-of-difference-nearly-alike"),), value=value)


def with_notes(evidence: Evidence, notes: SomeNotes) -> Evidence:
    """The evidence with more notes, if there is an interval."""
    if isinstance(evidence, Unknown) and not evidence.certain:
        return evidence
    return replace(evidence, notes=joined(evidence.notes, notes))  # type: ignore[type-var]  # all evidence is a dataclass


def deciding(model: Model) -> float:
    """The effective number of cases of the smaller class, or of units if that is smaller."""
    cases = float(model.sizes[model.sizes > 0].min())
    if model.clusters is None:
        return cases
    return min(cases, units_of(model.clusters, model.weight, {}).effective)


class ModelContrasts:
    """Two models or more, on the same cases (`paired`) or each on its own, and their differences."""

    def __init__(
        self, models: Sequence[Model], names: Sequence[str], options: ComparisonOptions, paired: bool = True
    ):
        one_by_one = options.resampling is not None or options.method == "permutation"
        grouped = next((model.clusters for model in models if model.clusters is not None), None)
        what = "cases" if grouped is None else name_of_units(grouped)
        if not paired:
            for model in models:
                if (one_by_one or options.method == "delong") and isinstance(
                    model.evaluation, BinaryEvaluation
                ):
                    model.evaluation.need_each_score(f"the method {options.method!r}")
            models = [model.one_by_one if one_by_one else model for model in models]
            if grouped is not None and options.method in ("delong", "permutation"):
                problem = f"{options.method!r} does not allow for {option(what)} on different cases"
                raise InputError("unsupported", "method", problem, "leave it out")
        if one_by_one and any(model.cases is None for model in models):
            problem = f"{options.method!r} needs two classes, and the cases one by one"
            raise InputError("unsupported", "method", problem, "leave it out")
        by_weights = grouped is None and all(model.evaluation.mix_fixed_by_weights for model in models)
        self.options = replace(options, draws=replace(options.draws, keeps_weights=by_weights))
        self.models, self.names, self.paired = models, names, paired
        if not paired and options.resampling is not None and self.shared_units.crossed:
            problem = f"some {what} have cases in several samples, which {options.method!r} draws one by one"
            raise InputError("unsupported", "method", problem, "leave it out")
        self.assumes = f"{what} independent of one another; " + (
            "the same cases for all models" if paired else "different cases for each model"
        )
        self._of_reference: dict[str, tuple[int, np.ndarray | None]] = {}
        self._of_pairs: dict[tuple[str, str], Sampling] = {}
        self._largest: dict[str, np.ndarray] = {}

    @cached
    def shared_units(self) -> Influences:
        """The influence values of models on different cases, of which several may be in the same units."""
        return influences_of(self.models)

    @cached
    def sampling(self) -> Sampling:
        """How the cases were sampled."""
        return replace(self.models[0].sampling, fixed=self.options.fixed)

    def _pair(self, one: Model, other: Model) -> Sampling:
        """How the cases were sampled, by class and the predictions of both models."""
        names = one.name, other.name
        if names not in self._of_pairs:
            cell = 4 * one.truth.astype(np.int64) + 2 * one.answers + other.answers
            self._of_pairs[names] = self.sampling.in_cells(cell, np.arange(8) // 4)
        return self._of_pairs[names]

    def evidence(self, name: str, model: int, reference: int) -> Evidence:
        """The evidence on the difference of two models, or on their ratio."""
        found = self._evidence(name, model, reference)
        if not self.options.scale:
            return found
        return replace(found, value=exp(found.value)) if isinstance(found, Unknown) else Ratio(found)

    def _on_scale(self, model: Model, name: str) -> Estimate:
        """A measure of a model; of ratios its logarithm, so that all that follows is of differences."""
        found = model.evaluation[name]
        return logarithm(found) if self.options.scale else found

    def _evidence(self, name: str, model: int, reference: int) -> Evidence:
        one, other = self.models[model], self.models[reference]
        entry, parameters = entry_of(one, name)
        counted, method = entry.summary is Counts, self.options.method
        reason = undefined(one, other, name, self.options.scale is not None)
        same = self.paired and one.source is not None and one.source == other.source
        if same and not reason and (not counted or one.limit == other.limit):
            return identical(SAME_COLUMN)
        chosen = chosen_here(one, other) if counted else None
        single = ONE_CASE if any(_shows_no_spread(each, name) for each in (one, other)) else None
        held = SEVERAL if self.options.fixed and entry.summary is IndicatorTable else None
        reason = reason or joined(chosen or single or held)
        if reason:
            return Unknown(reason)
        alike = self.paired and not one.differing(other, entry).any()
        if method == "permutation" and not alike:
            test = swapped if self.paired else shuffled
            pair = self._ordered[model], self._ordered[reference]
            return test(entry, parameters, *pair, self.options.draws, self.options.progress)
        evidence: Evidence | None = None
        if self.options.resampling is None or alike:
            evidence = (self._contrast if self.paired else self._independent)(entry, name, model, reference)
        if evidence is None and alike:
            return Unknown(self._notes(entry, name, one, other), value=0.0)
        return evidence or self._bootstrap(name, model, reference)

    # By influence values
    # ----------------------------------------------------------------------------------------------

    def _contrast(self, entry: Measure, name: str, model: int, reference: int) -> Evidence | None:
        """The evidence from the influence values of both models; None where they are not known.

        Sources: DeLong, DeLong and Clarke-Pearson (1988) of areas; Diebold and Mariano (1995) of means.
        """
        one, other = self.models[model], self.models[reference]
        if self.options.method == "score" and one.clusters is None and are_ones(one.weight):
            return self._shares(entry, one, other)
        first, second = self._on_scale(one, name), self._on_scale(other, name)
        ends = (-inf, inf) if self.options.scale else span(entry.range)
        single = [note for each in (first, second) for note in each.notes if note.code == "one-in-a-class"]
        if single:
            return Unknown(joined(single[0]))
        counted, area = entry.summary is Counts, entry.name == "roc_auc"
        differing = one.differing(other, entry)
        if counted:
            sampling, differing = self._pair(one, other), CELLS_OF_PAIR[0] != CELLS_OF_PAIR[1]
            values: Any = []
            for each, cells in zip((one, other), CELLS_OF_PAIR, strict=True):
                found = _of_counts(partial(entry.function, **entry_of(each, name)[1]), sampling, cells)
                values.append(found.values[cells] / (found.value if self.options.scale else 1.0))
        else:
            sampling, values = self.sampling, self._influences(name, model, reference)
            if values is None:
                return None
            if self.options.scale:
                values = [
                    v / each.evaluation[name].value for v, each in zip(values, (one, other), strict=True)
                ]
        mean = entry.interval is not None and entry.interval.kind in MEANS
        method = "delong" if area else "paired-mean" if mean else "paired-delta"
        if one.clusters is not None:
            what = name_of_units(one.clusters)
            method += "-clustered" if what == CLUSTERS else f"-by-{what}"
        method += "-log" * (self.options.scale is not None)
        table_of_labels = entry.summary in (ConfusionMatrix, IndicatorTable)
        difference = contrast(
            values,
            sampling,
            (first, second),
            method,
            ends,
            differing=differing,
            counted=counted or mean or table_of_labels,
            by_class=area,
            mean=mean,
            notes=self._notes(entry, name, one, other),
        )
        if isinstance(difference, Unknown) and difference.value == difference.value:  # nothing varies
            if counted and abs(difference.value) <= ROUNDING * abs(one.evaluation[name].value):
                return identical(SAME_WHATEVER_IS_PREDICTED)
            apart = independent(first, second, ends)
            return of_estimate(apart, (AS_INDEPENDENT,)) if apart.has_interval else difference
        if not isinstance(difference, Normal):
            return difference
        if area and not self.options.scale:
            return self._of_areas(difference, one)
        return replace(difference, covariance=None)

    @listed(
        "test",
        "tm.compare(..., method='delong')",
        name="delong",
        aka=("roc_test", "comparison_of_areas", "delong_test_of_two_areas"),
        command="tallymark compare --method delong",
    )
    def _of_areas(self, difference: Normal, one: Model) -> Evidence:
        """The difference of two areas on the same cases; the published test for the method "delong".

        Source: DeLong, DeLong and Clarke-Pearson (1988).
        """
        assert difference.covariance is not None
        (a, b), (_, d) = difference.covariance
        plain = self.options.method == "delong" and one.clusters is None and a + d - 2 * b > 0
        return (
            replace(difference, standard_error=float(np.sqrt(a + d - 2 * b)), df=np.inf, sides=None)
            if plain
            else difference
        )

    def _influences(self, name: str, model: int, reference: int) -> list[np.ndarray] | None:
        """The influence values of each case on both models' measures; None where they are not known."""
        if name != "roc_auc" and self._of_reference.get(name, (None,))[0] != reference:
            self._of_reference[name] = reference, self.influence(name, reference)
        first, second = self.influence(name, model), self.influence(name, reference)
        return None if first is None or second is None else [first, second]

    def influence(self, name: str, model: int) -> np.ndarray | None:
        """The influence value of each case on a measure of a model; None where they are not known."""
        if name == "roc_auc":
            return self.influences_of_areas[model]
        of, values = self._of_reference.get(name, (None, None))
        return values if of == model else self.models[model].influence(*entry_of(self.models[model], name))

    @cached
    def influences_of_areas(self) -> np.ndarray:
        """The influence values on the areas of all models, which are also tested together."""
        values: Any = kernels.each(
            lambda i: self.models[i].influence(*entry_of(self.models[i], "roc_auc")), len(self.models)
        )
        return np.stack(values)

    def _notes(self, entry: Measure, name: str, one: Model, other: Model) -> Notes:
        apart = int(np.count_nonzero(one.differing(other, entry)))
        few = Note("few-differ", cases=apart, of=len(one.truth)) if apart < FEW_DISCORDANT else None
        of_classes = [
            note
            for each in (one, other)
            for note in each.evaluation[name].notes
            if note.code in ("undefined-classes", *["few-deciding"] * (entry.summary is ClassScores))
        ]
        highest = max(each.evaluation[name].value for each in (one, other))
        ranked = entry.summary in (RankingTable, ClassScores) and entry.range == (0.0, 1.0)
        best = AREA_OF_ONE if ranked and entry.better == "higher" and highest == 1 else None
        return joined(few, best, *dict.fromkeys(of_classes))

    # All pairs together
    # ----------------------------------------------------------------------------------------------

    def estimate(self, name: str, model: int) -> Estimate:
        """A measure of a model."""
        return self.models[model].evaluation[name]

    def apart(self, name: str, model: int, reference: int) -> float:
        """The difference of two models, or their ratio."""
        first, second = self.estimate(name, model).value, self.estimate(name, reference).value
        if not self.options.scale:
            return first - second
        return first / second if 0 < first < inf and 0 < second < inf else nan

    def best(self, name: str) -> int:
        """The place of the model with the best value of a measure."""
        values = {i: self.estimate(name, i).value for i in range(len(self.models))}
        return best_of(values, self.models[0].evaluation.entry(name))

    def not_worse(self, name: str) -> tuple[str, ...]:
        """The models not shown to be worse than the best in a measure, the best first.

        They contain every model whose true value is the best with a probability of at least the level. Empty
        where no value is better.
        """
        if self.models[0].evaluation.entry(name).better is None:
            return ()
        best, alpha = self.best(name), round(1 - self.options.level, DIGITS)
        value = [self.estimate(name, i).value for i in range(len(self.models))]
        alike = [
            i
            for i in range(len(value))
            if i == best or not self.together(name, i, best).p_at(self.options.null) < alpha
        ]
        order = sorted(alike, key=lambda i: abs(value[i] - value[best]))
        return tuple(self.models[i].name for i in order if value[i] == value[i])

    @listed(
        "test",
        "tm.compare(..., reference='best')",
        name="from-the-best",
        aka=("tukey_hsd", "multiple_comparisons_with_the_best", "model_confidence_set"),
        command="tallymark compare --reference best",
    )
    def together(self, name: str, model: int, reference: int) -> Evidence:
        """The evidence on a difference of two of the models, all pairs of which are tested together."""
        evidence, number = self.evidence(name, model, reference), len(self.models)
        if isinstance(evidence, Unknown) or number < 3:
            return evidence
        if name not in self._largest:
            between, seed = self._between(name), self.options.draws.seed
            known = between is not None and np.isfinite(between).all()
            self._largest[name] = largest_differences(between, seed) if known else np.full(1, np.inf)
        return AllPairs(evidence, self._largest[name], number * (number - 1) // 2)

    def _between(self, name: str) -> Any:
        """The covariance of a measure of the models, without those that have no value; None if not known."""
        models = [i for i, m in enumerate(self.models) if isfinite(self._on_scale(m, name).value)]
        scale = np.array([self.models[i].evaluation[name].value for i in models])
        if not self.options.scale:
            scale = np.ones(len(models))
        if not self.paired:
            if self.shared_units.crossed:
                names = [self.models[i].name for i in models]
                found = self.shared_units.correlations(name, names)
            else:
                found = np.eye(len(models))
            each = [self.models[i].evaluation[name] for i in models]
            width = np.array([one.high - one.low for one in each])
            return found * np.outer(width / scale, width / scale)
        values: Any = [self.influence(name, i) for i in models]
        if all(one is not None for one in values):
            between = covariance(np.stack(values), self.sampling, by_class=name == "roc_auc")[0]
            return between / np.outer(scale, scale)
        if self.models[0].cases is None or self.options.method == "permutation":
            return None
        drawn = self._replicates[name][models]
        return np.cov(drawn[:, np.isfinite(drawn).all(axis=0)] / scale[:, None])

    # By the number of discordant cases
    # ----------------------------------------------------------------------------------------------

    def _shares(self, entry: Measure, one: Model, other: Model) -> Evidence:
        """Tango's interval, for measures that are proportions of the same cases for both models."""
        if entry.summary is ConfusionMatrix:
            first, second = (each.right == (entry.name == "accuracy") for each in (one, other))
            code, weight = one.truth, np.ones(len(one.truth))
        else:
            above, below = parts_of(entry.function)
            first, second = (above[cells] for cells in CELLS_OF_PAIR)
            code, weight = np.arange(8) // 4, self._pair(one, other).weight * below[CELLS_OF_PAIR[0]]
        parts = [weight * (first > second), weight * (first < second), weight]
        b, c, n = (np.bincount(code, part) for part in parts)
        b, c, n = (part[n > 0] for part in (b, c, n))
        apart, number = int(b.sum() + c.sum()), int(n.sum())
        few = joined(Note("few-differ", cases=apart, of=number) if apart < FEW_DISCORDANT else None)
        if self.options.fixed and len(n) > 1:
            return Discordant(b, c, n, few)
        return Discordant(int(b.sum()), int(c.sum()), number, few)

    # Of independent estimates
    # ----------------------------------------------------------------------------------------------

    def _independent(self, entry: Measure, name: str, model: int, reference: int) -> Evidence | None:
        """The evidence on the difference of models on different cases, whose estimates are independent.

        None where one has no interval, and resamples have. The method "delong" adds the variances of the
        areas, with Satterthwaite's degrees of freedom, which Student's t has for the number of cases.
        """
        one, other = self.models[model], self.models[reference]
        first, second = self._on_scale(one, name), self._on_scale(other, name)
        if self.options.method == "delong" and first.standard_error and second.standard_error:
            v, w = first.standard_error**2, second.standard_error**2
            tables: list[Any] = [one.ranking, other.ranking]
            n, m = (table.effective_positives + table.effective_negatives for table in tables)
            df = pooled_freedom((v, w), (n - 1, m - 1))
            value, error = first.value - second.value, sqrt(v + w)
            return Normal(value, error, "delong", df=df, covariance=((v, 0.0), (0.0, w)))
        names, method, known = (one.name, other.name), "mover", None
        if self.shared_units.crossed:
            method, known = "mover-correlated", float(self.shared_units.correlations(name, names)[0, 1])
        ends = (-inf, inf) if self.options.scale else span(entry.range)
        method += "-log" * (self.options.scale is not None)
        found = independent(first, second, ends, names, known, method)
        if found.has_interval:
            return of_estimate(
                found, tuple(dict.fromkeys(of_kind(joined(first.notes, second.notes), "approximate")))
            )
        drawn = all(each.cases is not None for each in (one, other)) and entry.summary is not ConfusionMatrix
        return None if drawn and known is None else Unknown(found.notes)

    # By resamples
    # ----------------------------------------------------------------------------------------------

    @cached
    def _ordered(self) -> list[Model]:
        """The models with their cases in the order in which they are drawn."""
        return ordered(self.models) if self.paired else [ordered([model])[0] for model in self.models]

    @cached
    def _replicates(self) -> dict[str, np.ndarray]:
        """By measure, (models, replicates): the values in resamples, on the same cases the same for all."""
        models = self._ordered
        names = [name for name in self.names if _resampled(models[0].evaluation.entry(name), models[0])]
        statistics: Any = [
            [
                (_resampled(entry, model), parameters)
                for entry, parameters in (entry_of(model, n) for n in names)
            ]
            for model in models
        ]
        same = self.paired and all(part == statistics[0] for part in statistics)
        values = []
        for i, model in enumerate(models[: 1 if same else None]):
            every, draws = models if same else [model], self.options.draws
            if not self.paired:
                seed = np.random.SeedSequence([draws.seed, i]).generate_state(1, np.uint64)[0]
                draws = replace(draws, seed=int(seed >> 1))
            limits = [None if each.cases is None else each.limit for each in every]
            cases, progress = [each.resampled for each in every], self.options.progress
            values.append(
                replicates(
                    statistics[i], cases, draws, thresholds=limits, clusters=model.clusters, progress=progress
                )
            )
        return {name: np.concatenate(values)[:, i] for i, name in enumerate(names)}

    def _bootstrap(self, name: str, model: int, reference: int) -> Evidence:
        one, other = self.models[model], self.models[reference]
        entry = entry_of(one, name)[0]
        value = self._on_scale(one, name).value - self._on_scale(other, name).value
        if _resampled(entry, one) is None:
            known = [each.evaluation[name].notes for each in (one, other)]
            return Unknown(next((notes for notes in known if notes), (NOT_KNOWN,)))
        if one.cases is None and self.options.fixed:
            return Unknown((NOT_KEPT,))
        drawn, kind = (
            self._replicates[name][[model, reference]],
            entry.interval.kind if entry.interval is not None else None,
        )
        units = min(map(deciding, (one, other)))
        method = self.options.resampling or "bootstrap"
        if self.options.scale:
            with np.errstate(divide="ignore", invalid="ignore"):
                drawn = np.log(drawn)
        evidence = of_replicates(value, drawn[0], drawn[1], method, units)
        few, grows = None, GROWS if self.paired and kind in GROWING else None
        if one.clusters is not None and units <= FEW_UNITS:
            few = few_deciding(units - 1, name_of_units(one.clusters))
        return with_notes(evidence, joined(few, grows))


def _of_counts(function: Any, sampling: Sampling, cells: np.ndarray) -> Influence:
    """The influence values of a measure of four counts of a model, from the cells of a pair.

    Half a case is added to each count where one is empty.
    """
    counts = np.bincount(cells, sampling.weight, 4)
    if not counts.all():
        counts += sampling.squares.sum() / sampling.total / 2
    return influence.of_counts(function, counts)


def _resampled(entry: Measure, model: Model) -> Measure | None:
    """The measure of the scores that are resampled; None if there is none.

    For a score per class that of the highest one.
    """
    if model.cases is not None:
        return None if entry.summary is ConfusionMatrix else entry
    growing = entry.interval is not None and entry.interval.kind in GROWING
    if not model.per_class or entry.summary is not ClassScores or not growing:
        return None
    return next((one for one in registry.find(RankingTable) if one.interval == entry.interval), None)


def pairs_of(study: ModelContrasts, reference: Any) -> list[tuple[int, int]]:
    """The indices of model and reference in each pair.

    Raises InputError for an unknown reference, and for the best in a measure of which no value is better.
    """
    names = [model.name for model in study.models]
    if reference is None:
        return [(i, 0) for i in range(1, len(names))]
    # the label of a sample may be a number
    known = reference if isinstance(reference, str) else str(reference)
    if known == ALL and ALL not in names:
        return [(j, i) for i in range(len(names)) for j in range(i + 1, len(names))]
    if is_best(known, names):
        first = study.names[0]
        if study.models[0].evaluation.entry(first).better is None:
            problem = f"no value of {first} is better than others"
            raise InputError("unsupported", "reference", problem, "name a model, or another measure first")
        place = study.best(first)
    else:
        place = names.index(validate.choice(known, names, "reference"))
    return [(i, place) for i in range(len(names)) if i != place]


def is_best(reference: Any, names: Sequence[str]) -> bool:
    """Whether the models are compared with the best of them, and none has this name."""
    return reference == BEST and BEST not in names


def differences_of(
    study: ModelContrasts,
    pairs: Sequence[tuple[int, int]],
    hypothesis: str | None,
    margins: Mapping[str, float],
    adjust: Adjustment,
    chosen: bool = False,
) -> tuple[Difference, ...]:
    """The differences of all measures in these pairs.

    chosen: whether the reference was chosen by its value, so that all pairs are tested together.
    """
    models, names, options = study.models, study.names, study.options
    kernels.each(lambda i: models[i].evaluation.add_up(names), len(models))

    def of_measure(i: int) -> list[Difference]:
        return [_difference(study, names[i], pair, hypothesis, margins, chosen) for pair in pairs]

    with once_for_all_threads():
        # resamples and permutations are those of all measures, and report their progress
        several = models[0].evaluation.data.rows > kernels.MANY and not (
            options.resampling or options.method == "permutation"
        )
        differences = list(chain.from_iterable(kernels.each(of_measure, len(names), several)))
    together = [one.measure for one in differences] if chosen and len(models) > 2 else None
    p_values = adjusted([difference.p_value for difference in differences], adjust, together).tolist()
    return tuple(replace(each, adjusted=p) for each, p in zip(differences, p_values, strict=True))


def _difference(
    study: ModelContrasts,
    name: str,
    pair: tuple[int, int],
    hypothesis: str | None,
    margins: Mapping[str, float],
    chosen: bool,
) -> Difference:
    model, reference = pair
    one, other, options = study.models[model], study.models[reference], study.options
    values = study.estimate(name, model), study.estimate(name, reference)
    entry, value = one.evaluation.entry(name), study.apart(name, model, reference)
    ends = (0.0, inf) if options.scale else span(entry.range)
    test_of = study.together if chosen else study.evidence
    evidence = with_width(test_of(name, model, reference), value, options.level)
    if options.fixed and any(
        depends_on_mix(partial(entry.function, **entry_of(each, name)[1]), each.evaluation.summary_of(name))
        for each in (one, other)
    ):
        evidence = with_notes(evidence, GIVEN_MIX)
    estimate = estimate_of(value, evidence, options.level, ends)
    p, test = float(evidence.p_at(options.null)), evidence.method
    decision = None
    if hypothesis is not None and name in margins:
        decision = decision_of(hypothesis, margins[name], entry.better, estimate, evidence, options.level)
    return Difference(
        name, one.name, other.name, estimate, p, p, test, values, evidence, decision, options.scale
    )


def automatic_differences(
    models: list[Model], names: Sequence[str], reference: str, settings: Settings, chosen: bool = False
) -> tuple[Difference, ...]:
    """The differences from one of the models on the same cases, by the method "auto".

    chosen: whether it was chosen by its value.
    """
    draws = Draws(REPLICATES, settings.design, seed=settings.seed)
    study = ModelContrasts(models, names, ComparisonOptions("auto", settings.level, draws))
    return differences_of(study, pairs_of(study, reference), None, {}, "holm", chosen)


@dataclass(frozen=True, eq=False)
class KeptCases:
    """The sample of several models, made when their differences are needed; evaluations: by model."""

    make: Callable[[], Sample]
    options: EvaluationOptions
    evaluations: Mapping[str, Evaluation]

    @cached_property
    def models(self) -> list[Model]:
        """The models with their cases, and with the evaluations that are shown."""
        limits = {
            name: e.limit
            for name, e in self.evaluations.items()
            if isinstance(e, BinaryEvaluation) and e.ranking is not None
        }
        models = models_of(self.make(), replace(self.options, rule=None), limits)
        return [replace(model, evaluation=self.evaluations[model.name]) for model in models]

    def differences(self, names: Sequence[str], reference: str, chosen: bool) -> tuple[Difference, ...]:
        """The differences of these measures from the reference, by the method "auto" of `compare`.

        chosen: whether it was chosen by its value.
        """
        return automatic_differences(self.models, names, reference, self.options.settings, chosen)


def kept_cases(
    data: KeepingTruth, spec: CaseSpec, options: EvaluationOptions, evaluations: Mapping[str, Evaluation]
) -> KeptCases | None:
    """The cases that were read for these evaluations; None where there are no differences between them."""
    cases = data.cases
    if len(evaluations) > 1 and form_of(spec, data.data is None) == "several labels per case":
        return KeptCases(partial(read_sample, None, spec), options, evaluations)
    if cases is None or cases.held is None or len(evaluations) < 2:
        return None  # they were counted in an engine, or are more than memory holds
    columns, info = data.columns, cases.data(None, None)
    rankings = {name: getattr(e, "ranking", None) for name, e in evaluations.items()}
    tables = {name: table for name, table in rankings.items() if isinstance(table, RankingTable)}
    spec = cases.spec.of_columns({**dict.fromkeys(COLUMNS), "truth": "", cases.spec.kind: ""})
    make = partial(sample_of, columns, spec, cases.models, info.of_classes, tables)
    return KeptCases(make, options, evaluations)
