"""Calls of measures with arrays: the summary that they make, or why there is none, and those of scorers.

Only scikit-learn's scorers may pass arrays by position, the truth first; of other callers the order is not
known.
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
from ..input.answers import NotAnAnswer, of_answers, with_actual
from ..input.arrays import levels_of
from ..input.calls import unknown
from ..input.columns import Column
from ..input.errors import UndefinedMeasureWarning
from ..input.labels import distinct, kind_of, listed, not_scores, places, positive_of
from ..input.score_columns import is_indicator, number_of_columns, several_columns
from ..input.spec import no_order
from ..input.spelling import option
from ..input.validate import OF_MODELS, InputError, names_of_models, no_gaps, shown
from ..input.validate import labels as labels_of
from ..summaries import ClassScores, ConfusionMatrix, Counts, IndicatorTable, RankingTable, Residuals
from ..summaries.ranking import table_for_pairs
from .search import forms_of

if TYPE_CHECKING:
    from .registry import Measure

OF_ONE = "pass one class against the rest, as"


def no_two_classes(name: str, given: Mapping[str, Any], has_form_for_many: bool) -> InputError | None:
    """The error for arrays with three classes or more; None if there are fewer, or another error applies.

    given: arrays by role; has_form_for_many: whether the measure takes many classes if no positive one is
    named.
    """
    if is_indicator(given.get("truth")):
        return InputError(
            "unsupported",
            "truth",
            f"{name} is a measure of two classes, and a case has several labels: evaluate({option('truth')}, "
            f"{option('predicted')}) has it for every "
            "label in .classes and its averages in .averages",
            "or pass one label at a time, as truth[:, 0], predicted[:, 0]",
        )
    labels = _labels(given)
    if len(labels) < 3:
        return None
    head, one = (
        f"{name} is a measure of two classes, and there are {len(labels)} ({listed(labels)})",
        shown(labels[0]),
    )
    if given.get("predicted") is None:
        elsewhere = (
            f"with a score per class evaluate({option('truth')}, {option('score')}) has measures of all "
            "classes and .one_vs_rest(label)"
        )
        return InputError(
            "unsupported",
            None,
            f"{head}: {elsewhere}",
            f"or {OF_ONE} truth == {one} with the score of that class",
        )
    rest = f"{OF_ONE} truth == {one} and predicted == {one}"
    if has_form_for_many and given.get("positive") is not None:
        return InputError(
            "conflict",
            "positive",
            f"with it {head}",
            f"leave it out to measure all classes together, or {rest}",
        )
    elsewhere = (
        f"evaluate({option('truth')}, {option('predicted')}) has it for every class in .classes and its"
        " averages in .averages"
    )
    return InputError("unsupported", None, f"{head}: {elsewhere}", f"or {rest}")


def no_summary_of_two(name: str, summary: Any) -> InputError | None:
    """The error for a summary of many classes; None for others."""
    if isinstance(summary, ClassScores):
        label = shown(summary.labels[0]) if summary.labels else "label"
        problem = f"{name} is a measure of two classes, and these are the scores of {len(summary)}"
        return InputError("unsupported", None, f"{problem}: take .one_vs_rest({label})")
    if isinstance(summary, ConfusionMatrix) and len(summary) > 2:
        problem = f"{name} is a measure of two classes, and the matrix has {len(summary)}"
        elsewhere = (
            ".one_vs_rest() gives the counts of every class, and evaluate(matrix) averages over the classes"
        )
        return InputError("unsupported", None, f"{problem}: {elsewhere}")
    return None


def _labels(given: Mapping[str, Any]) -> list[Any]:
    """The labels of truth and predicted together.

    Empty where these columns cannot be read, or scores are passed as labels.
    """
    try:
        words = NotAnAnswer.of(given.get("not_an_answer"))
        read = [
            columns.read(given[role], role, not_an_answer=of_answers(role, words))
            for role in ("truth", "predicted")
            if given.get(role) is not None
        ]
        read = [with_actual(column, read[0]) for column in read]
        if given.get("predicted") is not None:
            not_scores(read[-1], read[-1].values, read[0].values)
        elif (
            number_of_columns(given.get("score"), True) < 2
            and len(_distinct_values(columns.read(given.get("score"), "score"))) < 3
        ):
            return []  # swapped with truth
        if any(column.gaps().any() for column in read) or len({kind_of(column) for column in read}) > 1:
            return []
        return sorted({label for column in read for label in distinct(column.values)})
    except InputError:
        return []


def _distinct_values(column: Column) -> list[Any]:
    """The distinct values of a column of numbers or text without gaps."""
    kind_of(column)
    return distinct(column.values)


def of_each_model(given: Mapping[str, Any]) -> dict[str, dict[str, Any]] | None:
    """The arguments of each model, where one of them is a mapping of models.

    Raises InputError for names that are not valid.
    """
    kind = next((one for one in OF_MODELS if isinstance(given.get(one), Mapping)), None)
    if kind is None:
        return None
    names_of_models(kind, given[kind])
    read = _named if given.get("not_an_answer") is None else lambda column, role: column
    return {name: {**given, kind: read(column, f"{kind} {name}")} for name, column in given[kind].items()}


def _named(values: Any, role: str) -> Any:
    """A column with its role for messages; a table, also with one column, unchanged."""
    rows = values if isinstance(values, (list, tuple)) else ()
    of_rows = bool(rows) and isinstance(rows[0], (list, tuple, np.ndarray))
    return values if of_rows or len(getattr(values, "shape", (1,))) > 1 else columns.read(values, role)


def summary_of(entry: Measure, forms: Sequence[Measure], given: Mapping[str, Any]) -> Any:
    """The summary for the form of the measure that takes these arrays.

    They are a column of scores, scores per class, or predictions. Raises InputError.
    """
    form = _form(entry, forms, given)
    if "predicted" in given and "predicted" not in form.takes and "score" in form.takes:
        problem = f"{entry.name} is measured on scores, and predicted labels are none"
        raise InputError("unsupported", "predicted", problem, f"pass {option('score')}")
    if not given.keys() <= form.taken:
        raise unknown(entry.name, given, (*entry.takes, *entry.parameters))
    lacking = [name for name in form.required if name not in given]
    if lacking:
        kind = form.summary.__name__
        problem = f"{entry.name} is measured on arrays or on a {kind}"
        raise InputError(
            "unsupported", lacking[0], problem, f"pass {' and '.join(map(option, lacking))}, or the {kind}"
        )
    summary = _summarised(form, given)
    if form.needs_probabilities:
        summary.check_probabilities(given["score"])
    return summary


def _form(entry: Measure, forms: Sequence[Measure], given: Mapping[str, Any]) -> Measure:
    labels = IndicatorTable if is_indicator(given.get("truth")) else None
    if labels and not entry.fits(labels):
        return next((one for one in forms if one.fits(labels)), entry)
    per_class = entry.summary is RankingTable and entry.scores and several_columns(given.get("score"), True)
    if given.keys() <= entry.taken and not per_class:
        return entry
    return next((one for one in forms if one is not entry and given.keys() <= one.taken), entry)


def _in_order(form: Measure, given: Mapping[str, Any]) -> Any:
    """The summary for a measure of ordered classes."""
    if form.summary is ConfusionMatrix:
        matrix = ConfusionMatrix.from_arrays(**given)
        if not matrix.has_order and given.get("classes") is not None:
            matrix = ConfusionMatrix.from_arrays(**{**given, "ordered": True})
        if matrix.has_order:
            return matrix
        raise no_order()
    scores, declared = form.summary.from_arrays(**given), levels_of(given["truth"])
    known = given.get("classes") is not None or (declared is not None and declared.ordered)
    if not known and isinstance(scores.labels[0], str):
        raise no_order()
    return scores


def _summarised(form: Measure, given: Mapping[str, Any]) -> Any:
    """The matrix of more than two classes, or of two without a positive one, where the measure has a form.

    A measure of ordered classes takes these in the order of `classes`. Raises InputError where there is none.
    """
    if form.ordered:
        return _in_order(form, given)
    try:
        alone = form.needs is not None and form.needs.pairs_alone
        return (table_for_pairs if alone else form.summary.from_arrays)(**given)
    except InputError as wrong:
        if wrong.argument == "predicted_positive":
            raise
        many = form.for_many_classes is not None and given.get("predicted") is not None
        if many and given.keys() <= {"truth", "predicted", "weight", "not_an_answer"}:
            return ConfusionMatrix.from_arrays(**given)
        why = no_two_classes(form.name, given, many) if form.summary in (Counts, RankingTable) else None
        if why is None:
            raise
    raise why


# scikit-learn's scorers: the truth and the answers of an estimator by position
# --------------------------------------------------------------------------------------------------


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
