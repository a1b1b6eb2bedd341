"""Comparison of models: the difference of each measure, with an interval and a p-value, and other tests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import chain
from math import isnan
from typing import Any, Literal, get_args

import numpy as np

from ... import kernels
from ...curves import Curve, plain
from ...evaluation.arguments import EvaluationOptions, checked_parameters, refuse
from ...evaluation.notices import Notice, of_model
from ...evaluation.paired.comparison import (
    METHODS,
    REPLICATES,
    Agreement,
    ComparisonMethod,
    ComparisonOptions,
    Decision,
    Difference,
    ModelContrasts,
    differences_of,
    is_best,
    margins_of,
    measures_of,
    pairs_of,
)
from ...evaluation.paired.models import MANY, Model
from ...evaluation.results import Evaluation, RegressionEvaluation
from ...evaluation.results.table import not_shown_worse
from ...inference import Estimate, Settings
from ...inference.clustered import DependentCases
from ...inference.hypothesis import METHODS as ADJUSTMENTS, Test
from ...inference.replicates import Draws
from ...input import CaseSpec, validate, weighting
from ...input.calls import public
from ...input.data_info import DataInfo, named
from ...input.options import Adjustment, Design, Missing, ScoreKind, WeightKind
from ...input.results import Answer, ByName, Entry, Plotted, Result, Tabular, equal_as_tuples, head
from ...input.sample import name_of_units
from ...input.spelling import option
from ...input.validate import InputError, shown
from ...measures import registry
from ...measures.registry import forms
from ...summaries import Counts
from .decision_difference import difference_curve
from .named_tests import AREAS_EQUAL, NAMED, OF_ALL, agreements, tests_of
from .parts import Parts, interactions
from .reading import common_mix_note, read_models, with_common_mix

Reading = Literal["better", "worse", "higher", "lower", "unclear", "class mix"]


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class ComparisonHeadline(Result):
    """What a comparison shows: its first difference, or of more than two models the range and the joint test.

    Attributes
    ----------
    difference : Difference
        The first difference, with its models and its interval.
    cases : float
        The number of cases; for a rate of one class those of this class.
    level : float
        The confidence level.
    p_value : float
        The p-value, adjusted where there are several.
    adjusted : bool
        Whether it is adjusted.
    of_class : str or None
        The class that the measure is a rate of, "positive" or "negative".
    groups : tuple of str and int, or None
        What these cases belong to and how many there are of these, as ("clusters", 40).
    opposite : Difference or None
        The difference of the rate of the other class, where both are shown and go apart.
    values : dict of str to Estimate
        The measure by model, of more than two models.
    joint : Test or None
        The test that all models are equal, of more than two.
    shown : int
        Of how many differences in this measure the p-value shows a difference.
    differences : int
        The number of differences in this measure.
    not_worse : tuple of str
        Of more than two models those not shown to be worse than the best in this measure, the best first.
    folds : int
        The number of folds of which the values are means; 0 without any.
    """

    FORM = "headlines.headline"

    difference: Difference
    cases: float
    level: float
    p_value: float
    adjusted: bool
    of_class: str | None = None
    groups: tuple[str, int] | None = None
    opposite: Difference | None = None
    values: dict[str, Estimate] = field(default_factory=dict)
    joint: Test | None = None
    shown: int = 0
    differences: int = 1
    not_worse: tuple[str, ...] = ()
    folds: int = 0

    __eq__ = equal_as_tuples

    @property
    def reading(self) -> Reading | None:
        """Whether the model is "better" or "worse" than the reference; "unclear" if no difference is shown.

        "higher" or "lower" of a measure of which no value is better, and of a rate of one class; "class mix"
        where it depends on a class mix that differs; None for an undefined difference, and for one without a
        test.
        """
        one = self.difference
        if one.estimate.undefined or isnan(self.p_value):
            return None
        if common_mix_note(one.estimate):
            return "class mix"
        if not self.p_value < 1 - self.level:
            return "unclear"
        form = next((form for form in registry.forms(one.measure) if form.better is not None), None)
        if form is None or self.of_class is not None:
            return "higher" if one.value > one.null else "lower"
        return "better" if (one.value > one.null) == (form.better == "higher") else "worse"

    def to_dict(self) -> dict[str, Any]:
        """Plain values, with the sentence as `text`."""
        one = self.difference
        several = {
            "values": {name: found.to_dict() for name, found in self.values.items()},
            "joint": None if self.joint is None else self.joint.to_dict(),
            "shown": self.shown,
            "differences": self.differences,
            "not_worse": list(self.not_worse),
        }
        return {
            "text": str(self),
            "measure": one.measure,
            "model": one.model,
            "reference": one.reference,
            "difference": one.estimate.to_dict(),
            "p_value": None if isnan(self.p_value) else self.p_value,
            "adjusted": self.adjusted,
            "reading": self.reading,
            "cases": self.cases,
            "of_class": self.of_class,
            "opposite": None if self.opposite is None else self.opposite.measure,
            **({"folds": self.folds} if self.folds else {}),
            **(several if self.values else {}),
        }


def headline_of(c: Comparison) -> ComparisonHeadline:
    """The headline of a comparison."""
    first = c.differences[0]
    adjusted = c.adjust != "none" and len(c.differences) > 1

    def p(one: Difference) -> float:
        return one.adjusted if adjusted else one.p_value

    same = [one for one in c.differences if one.measure == first.measure]
    positive, alpha = OF_ALL.get(first.measure), 1 - c.level
    other = next((one for one in c.differences if _go_apart(first, one)), None)
    several = len(c.models) > 2
    return ComparisonHeadline(
        difference=first,
        cases=c.data.rows if positive is None else _size(c, positive),
        level=c.level,
        p_value=p(first),
        adjusted=adjusted,
        of_class=None if positive is None else ("positive" if positive else "negative"),
        groups=_groups(c, positive),
        opposite=other if other and p(first) < alpha and p(other) < alpha else None,
        values={name: c.value(first.measure, name) for name in c.models} if several else {},
        joint=_joint(c, first.measure),
        shown=sum(p(one) < alpha for one in same),
        differences=len(same),
        not_worse=_not_worse(c, first.measure) if several else (),
        folds=len({one.fold for one in c.in_folds}),
    )


def _not_worse(c: Comparison, measure: str) -> tuple[str, ...]:
    """The models not shown to be worse than the best; none where the samples differ in class mix."""
    mixed = any(common_mix_note(one.estimate) for one in c.differences if one.measure == measure)
    return () if mixed and not c.from_best else c.not_worse(measure)


def _size(c: Comparison, positive: int) -> float:
    """The number of cases of the class, of all models together on different cases."""
    size = c.data.positives if positive else c.data.negatives
    return c.data.rows if size is None else size


def _groups(c: Comparison, positive: int | None) -> tuple[str, int] | None:
    """The clusters of the cases that count; None without clusters, and on different cases."""
    clusters = next(iter(c.evaluations.values())).clusters
    if clusters is None or not c.paired:
        return None
    if positive is None or not isinstance(clusters, DependentCases):
        return clusters.what, clusters.number
    return clusters.what, len(np.unique(clusters.units[..., clusters.cases.positive == bool(positive)]))


def _go_apart(one: Difference, other: Difference) -> bool:
    """Whether they are rates of the two classes, of the same models, of which one is better, one worse."""
    classes = OF_ALL.get(one.measure), OF_ALL.get(other.measure)
    if (
        None in classes
        or classes[0] == classes[1]
        or (one.model, one.reference) != (other.model, other.reference)
    ):
        return False
    better = [
        (each.value > each.null) == (registry.get(each.measure, Counts).better == "higher")
        for each in (one, other)
    ]
    return better[0] != better[1]


def _joint(c: Comparison, measure: str) -> Test | None:
    """The test that all of more than two models are equal in this measure."""
    if len(c.models) < 3:
        return None
    of = NAMED[OF_ALL[measure]] if measure in OF_ALL else None
    name = AREAS_EQUAL if measure == "roc_auc" else f"cochran q, {of}"
    return next((test for test in c.tests if test.name == name and not isnan(test.p_value)), None)


Scale = Literal["difference", "ratio"]
SCALES = get_args(Scale)
RATIOS = ("auto", "bootstrap", "basic-bootstrap")  # methods
BENEFIT = ("decision", "net_benefit")  # names of the curve with a difference


@dataclass(frozen=True, eq=False)
class Comparison(ByName, Answer, Tabular, Plotted):
    """A comparison of two models or more.

    Attributes
    ----------
    data : DataInfo
        The facts about the cases.
    paired : bool
        Whether the models were measured on the same cases.
    evaluations : mapping of str to Evaluation
        By model.
    differences : tuple of Difference
        Of every measure and pair of models.
    tests : tuple of Test
        McNemar's of every pair, Cochran's Q and DeLong's overall test where there are more than two models.
    agreement : tuple of Agreement
        Of every pair on the same cases.
    assumes : str
        The assumptions, in words.
    adjust : str
        The adjustment of the p-values, as "holm".
    level : float
        The confidence level, above 0 and below 1.
    replicates, seed : int
        Number of resamples, and the seed of the random numbers.
    notices : tuple of Notice
        What to consider when the numbers are read.
    design : str
        "cohort", the class mix varies from sample to sample, or "case-control", the class sizes are fixed,
        and every interval and p-value is conditional on them.
    from_best : bool
        Whether the reference was chosen as the best in the first measure. All pairs of models are then tested
        together in each measure, so that p-values and intervals allow for the choice.
    in_groups, in_folds : tuple of Difference
        Those in each group, and in each fold, with intervals that hold together for each measure and pair;
        their p-values are adjusted for all of them.
    """

    ANSWER = "comparison"
    FORM = "studies.comparison"
    FIGURE = "differences"

    data: DataInfo
    paired: bool
    evaluations: Mapping[str, Evaluation]
    differences: tuple[Difference, ...]
    tests: tuple[Test, ...]
    agreement: tuple[Agreement, ...]
    assumes: str
    adjust: str
    level: float
    replicates: int
    seed: int
    notices: tuple[Notice, ...] = ()
    design: Design = "cohort"
    from_best: bool = False
    in_groups: tuple[Difference, ...] = ()
    in_folds: tuple[Difference, ...] = ()
    _study: ModelContrasts = field(kw_only=True, repr=False)

    @property
    def models(self) -> tuple[str, ...]:
        return tuple(self.evaluations)

    @property
    def scale(self) -> Scale:
        """Whether values are subtracted ("difference") or divided ("ratio")."""
        return self.differences[0].scale or "difference"

    @property
    def of_amounts(self) -> bool:
        """Whether predicted amounts are compared; these have no classes, so that no design is named."""
        return any(isinstance(one, RegressionEvaluation) for one in self.evaluations.values())

    @property
    def mix_fixed_by_weights(self) -> bool:
        """Whether class weights fix the class mix in all models.

        Differences are then for this class mix, in either design.
        """
        return all(one.mix_fixed_by_weights for one in self.evaluations.values())

    @property
    def measures(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(one.measure for one in self.differences))

    @cached_property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Model and reference of each pair."""
        return tuple(dict.fromkeys((one.model, one.reference) for one in self.differences))

    @property
    def headline(self) -> ComparisonHeadline:
        """The first difference, and what it shows; `str` of it is one sentence."""
        return headline_of(self)

    def value(self, measure: str, model: str) -> Estimate:
        """A measure of a model; with folds its mean over these."""
        return self._study.estimate(measure, self.models.index(model))

    def keys(self) -> tuple[str, ...]:
        """The names of the measures."""
        return self.measures

    @public()
    def not_worse(self, measure: str | None = None) -> tuple[str, ...]:
        """The models not shown to be worse than the best in a measure, the best first.

        Parameters
        ----------
        measure : str, optional
            Its name; by default the first.

        Returns
        -------
        tuple of str
            Empty where no value of the measure is better.

        Raises
        ------
        InputError
            For a measure that is not compared.

        Notes
        -----
        All pairs of models are tested together, so that every model whose true value is the best is among
        them with a probability of at least `level`, also where several are equally good. In the first measure
        of a comparison with the best it is by the adjusted p-values, as in the headline.
        """
        first = self.measures[0]
        name = self._measured(measure) if measure is not None else first
        if not (self.from_best and name == first):
            return self._study.not_worse(name)
        values = {model: self.value(name, model).value for model in not_shown_worse(self.differences)}
        return tuple(model for model, value in values.items() if value == value)

    def __getitem__(self, asked: str | tuple[Any, ...]) -> Difference:
        """The difference of a measure, as comparison["roc_auc"].

        With more than two models name one or both, as comparison["roc_auc", "b"] or comparison["roc_auc",
        "b", "a"].

        Raises InputError for a measure or a model that is not compared, and where there are several pairs to
        choose from.
        """
        measure, *pair = (asked if isinstance(asked, tuple) else (asked,)) or (None,)
        name = self._measured(measure)
        key = name, *self._pair(measure, pair, measure, "[{}]")
        return next(one for one in self.differences if (one.measure, one.model, one.reference) == key)

    def _measured(self, measure: Any) -> str:
        """The name of a measure as it is compared. Raises InputError for others."""
        names = {form.name for form in forms(measure)}
        name = next((one for one in self.measures if one in names), None)
        if name is None:
            raise InputError(
                "unknown-name",
                None,
                f"{shown(measure)} is not compared here",
                f"compared are {', '.join(self.measures)}",
                value=measure,
            )
        return name

    def _pair(self, name: Any, named: Sequence[str], argument: Any, example: str) -> tuple[str, str]:
        """Model and reference, of which one or both are named. Raises InputError unless there is one pair."""
        found = [pair for pair in self.pairs if list(pair[: len(named)]) == list(named)]
        if len(found) != 1:
            problem = "several models are compared" if found else f"{shown(list(named))} is not a pair here"
            known = ", ".join(example.format(", ".join(map(repr, (name, *pair)))) for pair in self.pairs[:3])
            raise InputError("needed", argument, problem, f"say which, as {known}")
        return found[0]

    @public()
    def confidence_curve(self, *asked: str) -> Curve:
        """The confidence curve of a difference: its p-value as a function of the effect.

        As confidence_curve("roc_auc"), or with more than two models as confidence_curve("roc_auc", "b").
        """
        return self[asked].curve

    @public()
    def curve(
        self,
        name: str,
        *pair: str,
        band: Literal["pointwise", "simultaneous"] | None = None,
        level: float | None = None,
        thresholds: Sequence[float] | None = None,
    ) -> Curve:
        """The difference of two models' decision curves.

        Parameters
        ----------
        name : str
            "decision" (or "net_benefit").
        *pair : str
            Model and reference, where more than two models are compared: curve("decision", "b", "a") is that
            of b - a.
        band : str or None
            "pointwise" covers the true difference at each single threshold with the probability `level`,
            "simultaneous" at all thresholds at once; from the influence values of the cases, with weights,
            clusters and design as in the comparison.
        level : float or None
            Confidence level of the band; by default that of the comparison.
        thresholds : sequence of float, or None
            Above 0 and below 1; by default 0.01, 0.02, ..., 0.99.

        Returns
        -------
        Curve
            The difference in net benefit at each threshold.

        Raises
        ------
        InputError
            For another name, for models that are not compared, and where scores are not probabilities.

        References
        ----------
        Vickers and Elkin (2006); Vickers and others (2008); Kerr and others (2016).
        """
        if plain(name) not in BENEFIT:
            raise InputError(
                "unknown-name",
                "curve",
                f"{shown(name)} has no curve of a difference",
                "take 'decision', or the curves of .evaluations",
                value=name,
            )
        chosen = self._pair("decision", pair, "curve", "({})")
        known = {model.name: model for model in self._study.models}
        asked = Settings(level=self.level if level is None else level, seed=self.seed, design=self.design)
        return difference_curve([known[one] for one in chosen], self.paired, asked, band, thresholds)

    @property
    def table(self) -> list[dict[str, Any]]:
        """One row per difference, as plain values.

        shown: whether the difference lies within the margin, where one was given.
        """
        every = *self.differences, *self.in_groups, *self.in_folds
        return self.rows_in({"differences": [one.to_dict() for one in every]})

    @classmethod
    def entries_in(cls, plain: Mapping[str, Any]) -> Iterator[Entry]:
        """The differences by measure, of several pairs with model and reference, in parts with their name."""
        several = len({(one["model"], one["reference"]) for one in plain["differences"]}) > 1
        for one in chain(*(plain.get(rows, ()) for rows in ("differences", "in_groups", "in_folds"))):
            name = (one["measure"], one["model"], one["reference"]) if several else one["measure"]
            part = one.get("group") or one.get("fold")
            if part is not None:
                name = (*name, part) if several else (name, part)
            yield name, one, [{**one, "decision": {}, "shown": one["decision"] and one["decision"]["shown"]}]

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        return {
            **head(self.ANSWER),
            "data": self.data.to_dict(),
            "paired": self.paired,
            "assumes": self.assumes,
            "models": list(self.models),
            "scale": self.scale,
            "adjust": self.adjust,
            "from_best": self.from_best,
            "level": self.level,
            "replicates": self.replicates,
            "seed": self.seed,
            **named(None if self.of_amounts else self.design, self.mix_fixed_by_weights),
            "headline": self.headline.to_dict(),
            "selected": list(self.measures),
            "differences": [one.to_dict() for one in self.differences],
            **{
                name: [one.to_dict() for one in found]
                for name, found in (("in_groups", self.in_groups), ("in_folds", self.in_folds))
                if found
            },
            "tests": [test.to_dict() for test in self.tests],
            "agreement": [one.to_dict() for one in self.agreement],
            "notices": [notice.to_dict() for notice in self.notices],
        }

    def __repr__(self) -> str:
        if len(self.models) > 2:
            return f"<Comparison of {len(self.models)} models: {', '.join(self.measures)}>"
        one = self.differences[0]
        p = "" if isnan(one.p_value) else f", p {one.p_value:.3g}"
        sign = "/" if one.scale else "-"
        return (
            f"<Comparison of 2 models: {one.measure} {one.model} {sign} {one.reference} {one.value:.4g}{p}>"
        )


__all__ = ["Agreement", "Comparison", "Difference", "Decision", "compare"]


@public()
def compare(
    *data: Any,
    truth: Any = None,
    score: Any = None,
    predicted: Any = None,
    weight: Any = None,
    weight_kind: WeightKind | None = None,
    positive: Any = None,
    predicted_positive: Any = None,
    not_an_answer: Sequence[Any] | None = None,
    sample: Any = None,
    clusters: Any = None,
    persons: Any = None,
    by: Any = None,
    fold: Any = None,
    paired: bool | None = None,
    classes: Sequence[Any] | None = None,
    ordered: bool = False,
    measures: Sequence[str] | str | None = None,
    threshold: Any = None,
    reference: str | None = None,
    method: ComparisonMethod = "auto",
    scale: Scale = "difference",
    adjust: Adjustment = "holm",
    non_inferior_by: float | Mapping[str, float] | None = None,
    equivalent_within: float | Mapping[str, float] | None = None,
    level: float = 0.95,
    replicates: int = REPLICATES,
    design: Design = "cohort",
    rng: int | np.random.Generator = 0,
    missing: Missing = "reject",
    where: str | None = None,
    memory: str | int | None = None,
    higher_is_positive: bool = True,
    score_kind: ScoreKind | None = None,
    regression: bool = False,
    parameters: Mapping[str, Mapping[str, Any]] | None = None,
    progress: Callable[[int], None] | None = None,
) -> Comparison:
    """Compare two models or more: the difference of any measure, with a confidence interval and a p-value.

    Parameters
    ----------
    *data : data frames, files or summaries, optional
        As for `evaluate`; the other arguments then name columns. Two data sets or more, or summaries such as
        evaluations or ranking tables, are models on different cases.
    truth : array of shape (n,), or name of a column
        Actual labels; with paired=False a list of arrays.
    score, predicted : list, mapping from names of models, or table of shape (cases, models)
        One column or array per model on the same cases. With a score per class a mapping from names to lists
        of columns, or to arrays of two dimensions; with several labels per case predicted has arrays of
        indicators, as truth. With sample one score for all; with paired=False a list of arrays.
    weight, weight_kind, positive, predicted_positive, not_an_answer, classes, ordered, missing, where, memory
        As for `evaluate`.
    higher_is_positive, score_kind, parameters
        As for `evaluate`.
    sample : array or name of a column, optional
        The independent sample of each case, as a site or a model: models on different cases in one data set.
    clusters : array of shape (n,) or name of a column, optional
        The cluster of each case, as its patient or site. Resampling draws whole clusters.
    persons : two columns or two arrays, optional
        The two persons of each case, as for `evaluate`.
    by, fold : columns or arrays, optional
        The group of each case, and the fold whose model was tested on it, as for `evaluate`. With groups
        there are the differences in each, `in_groups`, and tests whether a difference is the same in all.
        With folds differences are of the means over the folds, and `in_folds` has those in each.
    paired : bool, optional
        False: different cases. It is required where summaries have as many cases of each class, since these
        do not record which case is which and may be of the same cases, and where two data sets have the same
        labels in the same order.
    measures : str or list of str, optional
        Names of measures; by default a few usual ones.
    threshold : float, list or mapping from names of models, optional
        One, or one per model, for measures at a threshold; by default as for `evaluate`.
    reference : str, optional
        The model that the others are compared with, the first by default; "all" compares every pair, "best"
        is the best in the first measure, for whose choice p-values and intervals allow, as all pairs of
        models are then tested together.
    method : {"auto", "delong", "score", "bootstrap", "basic-bootstrap", "permutation"}, default "auto"
        "auto": see the notes. "delong": as published, with the normal distribution. "bootstrap": percentiles.
    scale : {"difference", "ratio"}, default "difference"
        "ratio": the value of each model divided by that of the reference, as a relative sensitivity or a
        ratio of likelihood ratios, with the interval and the test on the scale of the logarithm.
    adjust : {"holm", "benjamini-hochberg", "none"}, default "holm"
        Adjustment of the p-values, over all differences.
    non_inferior_by, equivalent_within : float or mapping from measures, optional
        A margin, or one per measure, on the side where the model is worse, or on both sides.
    level : float, default 0.95
        Confidence level of the intervals, above 0 and below 1.
    replicates : int, default 2000
        Number of resamples, from 100 to 10^6.
    design : {"cohort", "case-control"}, default "cohort"
        "cohort": the class mix varies from sample to sample; "case-control": the class sizes are fixed, in
        every interval and test.
    rng : int or numpy.random.Generator, default 0
        Seed of the resampling.
    regression : bool, default False
        Whether truth and predicted are amounts; their losses are then compared.
    progress : callable, optional
        Called with the number of resamples done, or of permutations of the present measure.

    Returns
    -------
    Comparison
        With the evaluation of each model, and the differences, each model less the reference.

    Raises
    ------
    InputError
        For input that is wrong. With a score per class also for clusters, thresholds, and the methods
        "bootstrap", "basic-bootstrap" and "permutation"; with regression=True for clusters, design,
        thresholds and methods, which are for classes.

    Notes
    -----
    On the same cases the method "auto" uses the variance of the differences of the influence values of each
    case, which is DeLong's for roc_auc and that of the differences of the losses for means of losses, with
    Student's t and the asymmetry of the intervals of both models. Where models differ on few cases, the
    interval allows for others that were not sampled. Measures without influence values take the bootstrap
    with common resamples. On different cases the two intervals are combined.

    Examples
    --------
    >>> import tallymark as tm
    >>> scores = {"old": [0.1, 0.6, 0.4, 0.3, 0.7, 0.9], "new": [0.2, 0.3, 0.4, 0.1, 0.7, 0.8]}
    >>> comparison = tm.compare(truth=[0, 0, 1, 0, 1, 1], score=scores, measures="roc_auc")
    >>> round(comparison.differences[0].value, 4)
    0.1111
    """
    draws = Draws(validate.whole(replicates, "replicates", 100, 1e6), design, seed=validate.seed(rng))
    compared = ComparisonOptions(
        validate.choice(method, METHODS, "method"),
        validate.level(level),
        draws,
        validate.function(progress, "progress"),
        "ratio" if validate.choice(scale, SCALES, "scale") == "ratio" else None,
    )
    validate.choice(adjust, ADJUSTMENTS, "adjust")
    if compared.scale:
        _refuse_with_ratios(method, non_inferior_by, equivalent_within)
    spec = CaseSpec(
        truth=truth, score=score, predicted=predicted, weight=weight, weight_kind=weight_kind,
        clusters=clusters, persons=persons, sample=sample, by=by, fold=fold, positive=positive,
        predicted_positive=predicted_positive, not_an_answer=not_an_answer, classes=classes, ordered=ordered,
        higher_is_positive=higher_is_positive, score_kind=score_kind, missing=missing, where=where,
        memory=memory, regression=regression,
    )  # fmt: skip
    weighting.weight_kind(weight_kind, weight)
    settings = Settings(level=compared.level, seed=draws.seed, design=design)
    options = EvaluationOptions(settings, checked_parameters(parameters), score_kind=score_kind)
    if spec.regression:
        refuse("amounts", spec, options, threshold, None if method == "auto" else method)
    models, about, same = read_models(data, spec, paired, threshold, options)
    names = measures_of(measures, models, compared, threshold is not None)
    study = ModelContrasts(models, names, compared, same)
    parts = None
    if by is not None or fold is not None:
        if not same:
            argument = "fold" if by is None else "by"
            problem = "it needs models on the same cases"
            raise InputError("unsupported", argument, problem, "leave it out")
        parts = Parts(study, options)
        study = parts.study(None, compared)
    hypothesis, margins = margins_of(non_inferior_by, equivalent_within, names, level)
    pairs, chosen = pairs_of(study, reference), is_best(reference, [one.name for one in models])
    classes_of_pairs = pairs if same and fold is None and models[0].answers is not None else []
    differences, agreement = kernels.together(
        partial(differences_of, study, pairs, hypothesis, margins, adjust, chosen),
        partial(agreements, models, classes_of_pairs, settings),
        when=about.rows > MANY,
    )
    in_groups: tuple[Difference, ...] = ()
    in_folds: tuple[Difference, ...] = ()
    tests = () if fold is not None else tests_of(study, differences)
    if parts is not None and parts.folds is not None:
        in_folds = parts.differences(parts.folds, "fold", pairs, adjust, chosen)[0]
    if parts is not None and parts.groups is not None:
        in_groups, studies = parts.differences(parts.groups, "group", pairs, adjust, chosen)
        tests += interactions(
            in_groups,
            dict(zip(parts.groups.names, studies, strict=True)),
            parts.units,
        )
    evaluations = {model.name: model.evaluation for model in models}
    mix: tuple[Notice, ...] = ()
    if not same:
        differences, mix = with_common_mix(differences, evaluations)
    return Comparison(
        data=about,
        paired=same,
        evaluations=evaluations,
        differences=differences,
        tests=tests,
        agreement=agreement,
        assumes=study.assumes,
        adjust=adjust,
        level=compared.level,
        replicates=draws.replicates,
        seed=draws.seed,
        notices=(*mix, *(parts.notices if parts else ()), *_notices(models), *_same_names(models)),
        design=design,
        from_best=chosen,
        in_groups=in_groups,
        in_folds=in_folds,
        _study=study,
    )


def _refuse_with_ratios(method: str, *margins: Any) -> None:
    """Raises InputError for methods and margins that are of differences."""
    if method not in RATIOS:
        raise InputError("unsupported", "scale", f"{method!r} is of differences", f"take {', '.join(RATIOS)}")
    if any(margin is not None for margin in margins):
        problem = "margins are of differences"
        raise InputError("conflict", "scale", problem, f"leave the margin or {option('scale')} out")


def _same_names(models: Sequence[Model]) -> tuple[Notice, ...]:
    """The fact that units have the same names in several data sets, which are taken as different ones."""
    units = models[0].clusters
    if units is None:
        return ()
    columns = [model.sample.columns_of_units[:1] for model in models if model.sample is not None]
    labels = {id(one.labels): {*one.labels} for each in columns for one in each}
    times = Counter(chain.from_iterable(labels.values()))
    shared = sum(number > 1 for number in times.values())
    return (Notice("same-names-of-units", units=shared, of=name_of_units(units)),) if shared else ()


def _notices(models: Sequence[Model]) -> tuple[Notice, ...]:
    """The severe notices on the evaluations, and that on weights; those on all models only once."""
    found = [
        [
            notice
            for notice in model.evaluation.notices
            if notice.severe or notice.code == "importance-weights"
        ]
        for model in models
    ]
    shared = [notice for notice in found[0] if all(notice in one for one in found)]
    each = zip(models, found, strict=True)
    own = [of_model(model.name, notice) for model, one in each for notice in one if notice not in shared]
    return (*shared, *own)
