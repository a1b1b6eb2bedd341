"""Measures as scikit-learn's scorers call them: the truth and the answers of an estimator by position.

Only its scorers may do so, which pass the truth first; of other callers the order is not known.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from math import isinf, isnan, nan
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from ..input import columns
from ..input.errors import UndefinedMeasureWarning
from ..input.labels import distinct, kind_of, listed, places, positive_of
from ..input.validate import InputError, no_gaps, shown
from ..input.validate import labels as labels_of
from ..summaries import ClassScores, ConfusionMatrix, Counts, IndicatorTable, RankingTable, Residuals
from .search import forms_of

if TYPE_CHECKING:
    from .registry import Measure

MODULE = "sklearn.metrics._scorer"
PREDICTED = (Counts, ConfusionMatrix, IndicatorTable)  # summaries of predicted labels
TWO = 2


@dataclass(frozen=True)
class ScoreFunction:
    """A measure as the function of truth and answers that a scorer of scikit-learn calls.

    Attributes
    ----------
    measure : Measure
        The measure; of more than two classes its form for these is taken.
    parameters : mapping
        Its parameters.
    average : str or None
        Of a measure of single classes, how these are averaged.
    classes : tuple or None
        All classes, in their order; None for those of the estimator.
    undefined : float or None
        What an undefined value counts as; None as in scikit-learn.
    """

    measure: Measure
    parameters: Mapping[str, Any] = field(default_factory=dict)
    average: str | None = None
    classes: tuple[Any, ...] | None = None
    undefined: float | None = None

    @property
    def __name__(self) -> str:
        """The name of the measure."""
        return self.measure.name

    def __call__(
        self,
        y_true: Any,
        y_pred: Any,
        *,
        pos_label: Any = None,
        sample_weight: Any = None,
        known: Sequence[Any] | None = None,
    ) -> float:
        """The value of the measure.

        y_pred: labels, amounts, scores of the positive class, or scores with a column per class in the order
        of `known`, the classes of the estimator.
        """
        weight: dict[str, Any] = {} if sample_weight is None else {"weight": np.asarray(sample_weight)}
        answers = np.asarray(y_pred)
        several = np.ndim(y_true) == TWO and np.shape(y_true)[1] > 1
        truth = np.asarray(y_true)[:, 0] if np.ndim(y_true) == TWO and not several else y_true
        if self.measure.summary is Residuals or several:
            kind: Any = IndicatorTable if several and self.measure.summary is not Residuals else Residuals
            return self._value(kind.from_arrays(truth=truth, predicted=answers, **weight))
        actual = columns.read(truth, "y")
        if self.classes is None and self.measure.ordered and actual.levels and actual.levels.ordered:
            own = replace(self, classes=actual.levels.labels)
            return own(actual, y_pred, pos_label=pos_label, sample_weight=sample_weight, known=known)
        predicted = columns.read(answers, "predict") if self.measure.summary in PREDICTED else None
        found = {column.role: _distinct(column) for column in (actual, predicted) if column is not None}
        labels = self._labels(known, found)
        form = self._form(labels, pos_label)
        if len(labels) == 1 and pos_label is not None and pos_label not in labels:
            labels.append(pos_label)
        codes, numbers = places(actual.values, labels, found["y"]), list(range(len(labels)))
        called = None if predicted is None else places(predicted.values, labels, found["predict"])
        dependent = self.average is None and form.summary in (Counts, RankingTable)
        positive = labels[-1]
        if dependent or (pos_label is not None and len(labels) <= TWO):
            positive = self._positive(form, labels, pos_label)
        if form.summary is ConfusionMatrix and len(labels) == TWO == len(found["y"]):
            # either class may be the positive one of a measure with both forms
            form = next((one for one in forms_of(form.name) if one.summary is Counts), form)
        if self.average is None and form.summary in (Counts, RankingTable):
            place = labels.index(positive) if positive in labels else -1
            given = {"score": answers} if called is None else {"predicted": called == place}
            return self._value({"truth": codes == place, **given, **weight}, form)
        if called is not None:
            matrix = ConfusionMatrix.from_arrays(truth=codes, predicted=called, classes=numbers, **weight)
            return self._value(matrix, form)
        score = _by_class(answers, known or labels, labels, pos_label)
        return self._value(ClassScores.from_arrays(truth=codes, score=score, classes=numbers, **weight), form)

    # Classes
    # ----------------------------------------------------------------------------------------------

    def positive(self, known: Sequence[Any] | None, pos_label: Any) -> Any:
        """Of two classes the positive one, for a measure of a score per case."""
        if known is None or len(known) != TWO or self.measure.summary is not RankingTable:
            return None
        return self._positive(self.measure, known, pos_label)

    def _positive(self, form: Measure, labels: Sequence[Any], pos_label: Any) -> Any:
        """The positive class, as scikit-learn the last one where the measure treats both alike.

        Raises InputError where it is not clear which.
        """
        try:
            return positive_of(labels, pos_label)
        except InputError:
            parameters = tuple(self.parameters.items())
            if pos_label is None and len(labels) == TWO and treats_both_alike(form, parameters):
                return labels[-1]
            raise

    def _labels(self, known: Sequence[Any] | None, found: Mapping[str, Sequence[Any]]) -> list[Any]:
        """All classes in their order. Raises InputError where `classes` lacks one.

        Without `classes` those of the estimator, and of the cases those that it was not trained on.
        found: the labels that occur.
        """
        occurring = {label for labels in found.values() for label in labels}
        if self.classes is None:
            labels = list(known or ())
            return labels + sorted(occurring.difference(labels))
        strange = next((one for one in (*(known or ()), *occurring) if one not in self.classes), None)
        if strange is not None:
            whose = "the estimator was trained on" if strange in (known or ()) else "the cases have"
            problem = f"{whose} {shown(strange)}, which is not among {listed(self.classes)}"
            raise InputError("conflict", "classes", problem, "name all classes", value=strange)
        return list(self.classes)

    def _form(self, labels: Sequence[Any], pos_label: Any) -> Measure:
        """The form of the measure for so many classes. Raises InputError where there is none."""
        own, many = self.measure.summary, len(labels) > TWO
        forms = {one.summary: one for one in forms_of(self.measure.name)}
        if self.average is not None:
            return self.measure
        if many and pos_label is not None:
            problem = f"there are {len(labels)} classes ({listed(labels)}), not two"
            raise InputError("conflict", "positive", problem, "leave it out")
        wanted = (ConfusionMatrix,) if own in PREDICTED else (ClassScores,) if many else ()
        form = next((forms[kind] for kind in wanted if kind in forms), self.measure)
        if many and form.summary in (Counts, RankingTable):
            problem = (
                f"{form.name} is a measure of two classes, and there are {len(labels)} ({listed(labels)})"
            )
            way_out = "pass average='macro', 'weighted' or 'micro'" if own is Counts else "choose another"
            raise InputError("unsupported", None, problem, way_out)
        if form.ordered and self.classes is None and any(isinstance(one, str) for one in labels):
            problem = f"{form.name} needs the order of the classes, and text has none"
            raise InputError("needed", "classes", problem, "name them in their order")
        return form

    # Values
    # ----------------------------------------------------------------------------------------------

    def _value(self, measured: Any, form: Measure | None = None) -> float:
        """The value for a summary, or for arrays."""
        if self.average is not None:
            return self._averaged(measured)
        entry = form or self.measure
        arrays = measured if isinstance(measured, dict) else {}
        sizes = getattr(measured, "sizes", np.ones(1)) if entry.family == "multiclass_ranking" else np.ones(1)
        if entry.name == "balanced_accuracy" and not arrays:
            sizes = measured.weights.sum(1)
        if (sizes == 0).any():
            _warn(f"{entry.name} leaves out {int((sizes == 0).sum())} of {len(sizes)} classes without cases")
        try:
            summary = () if arrays else (measured,)
            return float(entry(*summary, undefined="raise", **arrays, **entry.checked(dict(self.parameters))))
        except InputError as reason:
            if reason.code != "no-result":
                raise
            _warn(f"{reason.clause}; here it counts as {self._instead:g}")
            return self._instead

    @property
    def _instead(self) -> float:
        """What an undefined value counts as.

        That of labels as in scikit-learn as 0, or as the highest loss; so do measures of precision and
        recall. Others of scores, as the area under the ROC curve, are NaN there.
        """
        if self.undefined is not None:
            return self.undefined
        entry = self.measure
        if entry.summary not in PREDICTED and entry.family != "precision_recall":
            return nan
        worst = 0.0 if entry.better == "higher" else entry.range[1]
        return nan if isinf(worst) else worst

    def _averaged(self, table: ConfusionMatrix | IndicatorTable) -> float:
        """The average over the classes that occur among the actual or the predicted labels."""
        counts, function = table.one_vs_rest(), partial(self.measure.function, **self.parameters)
        if self.average == "micro":
            value = float(function(counts.sum()))
            return self._instead if isnan(value) else value
        with np.errstate(divide="ignore", invalid="ignore"):
            values = np.asarray(function(counts), float)
        there = (counts.tp + counts.fp + counts.fn > 0) | isinstance(table, IndicatorTable)
        gaps = there & np.isnan(values)
        name, share = f"the {self.average} average of {self.measure.name}", f"of {len(values)} classes"
        if not there.all():
            _warn(f"{name} leaves out {int((~there).sum())} {share}, which do not occur")
        if gaps.any():
            _warn(f"{name} is undefined for {int(gaps.sum())} {share}; they count as {self._instead:g}")
        values = np.where(gaps, self._instead, values)[there]
        weight = counts.positives[there] if self.average == "weighted" else np.ones(len(values))
        return float((weight[weight > 0] * values[weight > 0]).sum() / weight.sum())


@cache
def treats_both_alike(form: Measure, parameters: tuple[tuple[str, Any], ...] = ()) -> bool:
    """Whether the value stays the same where the other class is the positive one, in examples."""
    return all(_alike(partial(form.function, **dict(parameters)), form, part / 8) for part in range(9))


def _alike(function: Any, form: Measure, separation: float) -> bool:
    """Whether it does so of cases whose classes are so far apart."""
    random = np.random.default_rng(0)
    truth = random.random(200) < 0.3
    score = np.round(separation * 0.6 * truth + (1 - separation * 0.6) * random.random(200), 2)
    turned = -score if form.scores == "margin" else 1 - score
    if form.summary is Counts:
        counts: Any = Counts.from_arrays(truth=truth, predicted=score >= 0.5)
        both = [counts, counts.swap_classes()]
    else:
        both = [RankingTable.from_arrays(truth=y, score=s) for y, s in ((truth, score), (~truth, turned))]
    with np.errstate(divide="ignore", invalid="ignore"):
        one, other = map(function, both)
        return bool(np.isclose(one, other, rtol=1e-9, atol=0, equal_nan=True))


def _distinct(column: columns.Column) -> list[Any]:
    """The labels that occur. Raises InputError for missing ones, and for what is no label."""
    no_gaps(column)
    kind_of(column)
    return distinct(column.values)


def _warn(text: str) -> None:
    warnings.warn(f"{text}.", UndefinedMeasureWarning, stacklevel=4)


def _by_class(answers: np.ndarray, known: Sequence[Any], labels: Sequence[Any], pos_label: Any) -> np.ndarray:
    """The columns in the order of the labels, with probability 0 for a class that was absent in training."""
    if answers.ndim == 1:  # of two classes, that of the positive one, by default the last
        last = known.index(pos_label) if pos_label in known else len(known) - 1
        answers = np.column_stack([1 - answers, answers] if last else [answers, 1 - answers])
    if answers.shape[1] != len(known):
        problem = f"there are scores of {answers.shape[1]} classes, and labels of {len(known)}"
        raise InputError("needed", "classes", problem, "name all classes, in the order of the columns")
    full = np.zeros((len(answers), len(labels)), answers.dtype)
    full[:, [labels.index(label) for label in known]] = answers
    return full


def classes_of(estimator: Any) -> list[Any] | None:
    """The classes of a fitted estimator; None where it has none, or those of several outputs."""
    classes = getattr(estimator, "classes_", None)
    if classes is None or (isinstance(classes, list) and any(np.ndim(one) for one in classes)):
        return None
    return list(np.asarray(classes).tolist())


# make_scorer of a measure
# --------------------------------------------------------------------------------------------------


def scorer_that_calls() -> tuple[Any, Any] | None:
    """The scorer of scikit-learn that called the function that calls this one, and its estimator.

    None for another caller.
    """
    local = sys._getframe(2).f_locals  # in a comprehension, too
    scorer = local.get("self")
    return (scorer, local.get("estimator")) if type(scorer).__module__ == MODULE else None


def value_for(
    entry: Measure,
    scorer: Any,
    estimator: Any,
    truth: Any,
    answers: Any,
    undefined: Any,
    given: dict[str, Any],
) -> float:
    """The value for a scorer made of the measure. Raises InputError where it does not fit the measure."""
    _check_sign(entry, scorer._sign)
    # with thresholds, as in TunedThresholdClassifierCV, it passes labels made of scores
    labels = hasattr(scorer, "_thresholds") or scorer._response_method == "predict"
    role = "predicted" if labels else "score"
    form = next((one for one in forms_of(entry.name) if role in one.takes), None)
    if form is None:
        raise _wrong_answers(entry, labels)
    if not labels and "positive" in given:  # scikit-learn chooses the column of scores
        problem = "scikit-learn chooses the scores of the positive class by pos_label"
        raise InputError("conflict", "positive", problem, "pass pos_label to make_scorer")
    call = {}
    for theirs, ours in {"pos_label": "positive", "sample_weight": "weight"}.items():
        call[theirs] = given.pop(theirs, given.pop(ours, None))
    classes = given.pop("classes", None)
    named = None if classes is None else labels_of(classes, "classes")
    number = float(undefined) if isinstance(undefined, Real) else None
    function = ScoreFunction(form, form.checked(given), classes=named, undefined=number)
    return function(truth, answers, known=classes_of(estimator), **call)


def check_direction(entry: Measure) -> None:
    """Raises InputError for a measure of which no value is better."""
    if entry.better is None:
        problem = f"of {entry.name} neither higher nor lower values are better, so that it ranks no models"
        raise InputError("unsupported", "measure", problem, "choose another (tallymark measures)")


def _check_sign(entry: Measure, sign: int) -> None:
    """Raises InputError where the scorer takes the worse values for better."""
    check_direction(entry)
    if entry.sign == sign:
        return
    problem = f"of {entry.name} {entry.better} values are better, and the scorer takes the others for better"
    way_out = f"pass greater_is_better={entry.better == 'higher'} to make_scorer, or {_ours(entry)}"
    raise InputError("conflict", "greater_is_better", problem, way_out)


def _wrong_answers(entry: Measure, labels: bool) -> InputError:
    """The error for predicted labels where a measure needs scores, or the reverse."""
    needs, has, method = (
        ("scores", "labels", '("decision_function", "predict_proba")')
        if labels
        else ("labels", "scores", '"predict"')
    )
    problem = f"{entry.name} needs {needs}, and the scorer asks for {has}"
    way_out = f"pass response_method={method} to make_scorer, or {_ours(entry)}"
    return InputError("conflict", "response_method", problem, way_out)


def _ours(entry: Measure) -> str:
    return f"take tallymark.scorer({entry.name!r})"
