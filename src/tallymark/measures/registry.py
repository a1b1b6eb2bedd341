"""The catalogue of measures: `@measure` enters a function, `get` and `find` look it up.

A measure is written as a plain function of one summary, and other measures call it as such. Users see it as a
`Measure`: it builds the summary from arrays, says why a value is undefined, and reads the docstring. No list
of measures is kept anywhere else; a search is cached until the catalogue changes.

Only scikit-learn's scorers may pass arrays by position, the truth first; of other callers the order is not
known.
"""

from __future__ import annotations

import inspect
import re
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from math import isinf, isnan, nan
from numbers import Real
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeVar

import numpy as np

from ..input import columns
from ..input.calls import ARRAYS, is_array, named, public, unknown
from ..input.columns import levels_of
from ..input.errors import UndefinedMeasureWarning, either, option
from ..input.labels import brief, distinct, kind_of, not_scores, places, positive_of
from ..input.messages import Note
from ..input.names import plain as as_name
from ..input.score_columns import is_indicator, several_columns
from ..input.spec import no_order
from ..input.validate import (
    OF_MODELS,
    InputError,
    labels as labels_of,
    names_of_models,
    nearest,
    no_gaps,
    number,
    real,
    shown,
    whole,
)
from ..summaries import (
    BinnedTable,
    ClassScores,
    ConfusionMatrix,
    Counts,
    IndicatorTable,
    RankingTable,
    Residuals,
)
from ..summaries.passes import Sum
from ..summaries.ranking import table_for_pairs

_measures: dict[tuple[str, type], Measure] = {}  # by name and summary: a name has one form per summary
_names: dict[str, dict[str, None]] = {}  # names of measures by name or alias: several if of other summaries
_titles: dict[str, str] = {}  # names of measures by the title under which they are printed


def enter(entry: Measure) -> None:
    """Enters a measure under its name and its aliases. Raises ValueError where one is taken."""
    for name in entry.names:
        other = next((one for one in forms_of(name) if one.summary is entry.summary), None)
        if other is not None:
            raise ValueError(f"{name} is already a name of {other.name}")
    for name in entry.names:
        _names.setdefault(name, {})[entry.name] = None
    if entry.headline is not None:
        _titles[as_name(entry.headline.label)] = entry.name
    _measures[entry.name, entry.summary] = entry
    forget_searches()


def of_name(name: str, summary: type) -> Measure | None:
    """The measure of exactly this name and summary."""
    return _measures.get((name, summary))


def listed_as(name: str) -> list[Measure]:
    """Those of the catalogue with this name, alias or title, as it is spelled."""
    wanted = _names.get(name) or ([_titles[name]] if name in _titles else ())
    return [entry for entry in _measures.values() if entry.name in wanted]


@cache
def forms_of(name: str) -> tuple[Measure, ...]:
    """All measures of this name, alias or title as it is spelled, each of another summary."""
    found = listed_as(name)
    # a measure with this name comes before those with this alias, and one that the others are forms of first
    named = {entry.name: {one.name for one in found if entry.name in one.names} for entry in found}
    found.sort(key=lambda entry: (entry.name != name, -len(named[entry.name])))
    return (*found, *_named(name))


@cache
def _of(summary: type) -> tuple[Measure, ...]:
    return tuple(entry for entry in _measures.values() if entry.fits(summary))


@cache
def _allowed(summary: type, scores: frozenset[str | None], ordered: bool) -> tuple[Measure, ...]:
    return tuple(entry for entry in _of(summary) if entry.scores in scores and (ordered or not entry.ordered))


@cache
def measured_on(
    summaries: tuple[type, ...], scores: frozenset[str | None], ordered: bool
) -> dict[str, tuple[Measure, int]]:
    """By name the measures that any of these summaries allows, each with the place of its summary.

    scores: the kinds of scores that the summaries may hold; ordered: whether the classes have an order.
    """
    result: dict[str, tuple[Measure, int]] = {}
    for place, one in enumerate(summaries):
        every = (*_allowed(one, scores, ordered), *_on_screen(one))
        result |= {entry.name: (entry, place) for entry in every}
    return result


def forget_searches() -> None:
    """Clears the caches, as after a change of the catalogue."""
    for search in (forms_of, _of, _allowed, measured_on):
        search.cache_clear()


def all_measures() -> tuple[Measure, ...]:
    """Every measure, family by family, in the order of definition."""
    return tuple(_measures.values())


def is_listed(entry: Measure) -> bool:
    """Whether the catalogue lists the measure; it does not follow from another one by its name."""
    return _measures.get((entry.name, entry.summary)) is entry


def ends_a_name(name: str) -> bool:
    """Whether this is the end of a name or alias, as weighted_kappa, which is linear or quadratic."""
    return any(one.endswith(f"_{name}") for one in _names)


def known(name: Any) -> bool:
    """Whether a measure has this name, alias or title."""
    return isinstance(name, str) and bool(forms_of(as_name(name)))


def all_listed() -> str:
    """Where all measures are listed, in messages."""
    return either("list(tm.measures) are all of them", "`tallymark measures` lists them")


def get(name: str, summary: type | None = None) -> Measure:
    """The measure of this name, alias or title, in any spelling.

    summary: where there are several forms, the type of summary of the one wanted. Raises InputError with the
    nearest name.
    """
    key = as_name(name if isinstance(name, str) else shown(name))
    if not forms_of(key):
        raise InputError(
            "unknown-name",
            None,
            f"{shown(name)} is not a measure in the catalogue{nearest(key, _names)}",
            all_listed(),
            value=name,
        )
    return next((entry for entry in forms_of(key) if entry.fits(summary)), forms_of(key)[0])


def forms(name: str) -> tuple[Measure, ...]:
    """All measures of this name or alias, in any spelling. Raises InputError with the nearest name."""
    get(name)  # refuses an unknown name
    return forms_of(as_name(name))


def find(wanted: Any) -> tuple[Measure, ...]:
    """The measures that are computed from a summary, or from summaries of a type."""
    return _of(wanted if isinstance(wanted, type) else type(wanted))


# Calls with arrays: the summary that they make, or why there is none
# --------------------------------------------------------------------------------------------------


def not_two_classes(
    name: str, labels: Sequence[Any], given: Mapping[str, Any], has_form_for_many: bool
) -> InputError:
    """The error for arrays with three classes or more, or with several labels per case.

    given: arrays by role; has_form_for_many: whether the measure takes many classes if no positive one is
    named.
    """
    by_class = f"evaluate({option('truth')}, {option('predicted')}) has it for every"
    if is_indicator(given.get("truth")):
        return InputError(
            "unsupported",
            "truth",
            f"{name} is a measure of two classes, and a case has several labels: {by_class} label in .classes"
            " and its averages in .averages",
            "or pass one label at a time, as truth[:, 0], predicted[:, 0]",
        )
    head = f"{name} is a measure of two classes, and there are {len(labels)} ({brief(labels)})"
    rest = f"pass one class against the rest, as truth == {shown(labels[0])}"
    if given.get("predicted") is None:
        return InputError(
            "unsupported",
            None,
            f"{head}: with a score per class evaluate({option('truth')}, {option('score')}) has measures of"
            " all classes and .one_vs_rest(label)",
            f"or {rest} with the score of that class",
        )
    rest += f" and predicted == {shown(labels[0])}"
    if has_form_for_many and given.get("positive") is not None:
        return InputError(
            "conflict",
            "positive",
            f"with it {head}",
            f"leave it out to measure all classes together, or {rest}",
        )
    return InputError(
        "unsupported",
        None,
        f"{head}: {by_class} class in .classes and its averages in .averages",
        f"or {rest}",
    )


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


def _labels(given: Mapping[str, Any]) -> Sequence[Any]:
    """The labels of truth and predicted together; empty where they cannot be read, and for amounts."""
    try:
        if given.get("predicted") is None:
            return _distinct(columns.read(given["truth"], "truth"))
        roles = ("truth", "predicted", "not_an_answer")
        labels = ConfusionMatrix.from_arrays(**{role: given[role] for role in roles if role in given}).labels
        not_scores("predicted", labels)
        return labels
    except InputError:
        return ()


def of_each_model(given: Mapping[str, Any]) -> dict[str, dict[str, Any]] | None:
    """The arguments of each model, where one of them is a mapping of models.

    Raises InputError for names that are not valid.
    """
    kind = next((one for one in OF_MODELS if isinstance(given.get(one), Mapping)), None)
    if kind is None:
        return None
    names_of_models(kind, given[kind])
    read = _with_role if given.get("not_an_answer") is None else lambda column, role: column
    return {name: {**given, kind: read(column, f"{kind} {name}")} for name, column in given[kind].items()}


def _with_role(values: Any, role: str) -> Any:
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
        raise InputError(
            "unsupported",
            "predicted",
            f"{entry.name} is measured on scores, and predicted labels are none",
            f"pass {option('score')}",
        )
    if not given.keys() <= {*form.takes}:
        raise unknown(entry.name, given, (*entry.takes, *entry.parameters))
    lacking = [name for name in form.required if name not in given]
    if lacking:
        kind = form.summary.__name__
        raise InputError(
            "unsupported",
            lacking[0],
            f"{entry.name} is measured on arrays or on a {kind}",
            f"pass {' and '.join(map(option, lacking))}, or the {kind}",
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
    if given.keys() <= {*entry.takes} and not per_class:
        return entry
    return next((one for one in forms if one is not entry and given.keys() <= {*one.takes}), entry)


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
        labels = () if wrong.code == "ambiguous" else _labels(given)
        known = len(labels) > TWO or is_indicator(given.get("truth"))
        if form.summary not in (Counts, RankingTable) or not known:
            raise
    raise not_two_classes(form.name, labels, given, many)


# scikit-learn's scorers: the truth and the answers of an estimator by position
# --------------------------------------------------------------------------------------------------


MODULE = "sklearn.metrics._scorer"
PREDICTED = (Counts, ConfusionMatrix, IndicatorTable)  # summaries of predicted labels


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
            raise InputError(
                "conflict",
                "classes",
                f"{whose} {shown(strange)}, which is not among {brief(self.classes)}",
                "name all classes",
                value=strange,
            )
        return list(self.classes)

    def _form(self, labels: Sequence[Any], pos_label: Any) -> Measure:
        """The form of the measure for so many classes. Raises InputError where there is none."""
        own, many = self.measure.summary, len(labels) > TWO
        forms = {one.summary: one for one in forms_of(self.measure.name)}
        if self.average is not None:
            return self.measure
        if many and pos_label is not None:
            raise InputError(
                "conflict",
                "positive",
                f"there are {len(labels)} classes ({brief(labels)}), not two",
                "leave it out",
            )
        wanted = (ConfusionMatrix,) if own in PREDICTED else (ClassScores,) if many else ()
        form = next((forms[kind] for kind in wanted if kind in forms), self.measure)
        if many and form.summary in (Counts, RankingTable):
            raise InputError(
                "unsupported",
                None,
                f"{form.name} is a measure of two classes, and there are {len(labels)} ({brief(labels)})",
                "pass average='macro', 'weighted' or 'micro'" if own is Counts else "choose another",
            )
        if form.ordered and self.classes is None and any(isinstance(one, str) for one in labels):
            raise InputError(
                "needed",
                "classes",
                f"{form.name} needs the order of the classes, and text has none",
                "name them in their order",
            )
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
        raise InputError(
            "needed",
            "classes",
            f"there are scores of {answers.shape[1]} classes, and labels of {len(known)}",
            "name all classes, in the order of the columns",
        )
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
        raise InputError(
            "conflict",
            "positive",
            "scikit-learn chooses the scores of the positive class by pos_label",
            "pass pos_label to make_scorer",
        )
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
        raise InputError(
            "unsupported",
            "measure",
            f"of {entry.name} neither higher nor lower values are better, so that it ranks no models",
            f"choose another; {all_listed()}",
        )


def _check_sign(entry: Measure, sign: int) -> None:
    """Raises InputError where the scorer takes the worse values for better."""
    check_direction(entry)
    if entry.sign == sign:
        return
    raise InputError(
        "conflict",
        "greater_is_better",
        f"of {entry.name} {entry.better} values are better, and the scorer takes the others for better",
        f"pass greater_is_better={entry.better == 'higher'} to make_scorer, or {_ours(entry)}",
    )


def _wrong_answers(entry: Measure, labels: bool) -> InputError:
    """The error for predicted labels where a measure needs scores, or the reverse."""
    needs, has, method = (
        ("scores", "labels", '("decision_function", "predict_proba")')
        if labels
        else ("labels", "scores", '"predict"')
    )
    return InputError(
        "conflict",
        "response_method",
        f"{entry.name} needs {needs}, and the scorer asks for {has}",
        f"pass response_method={method} to make_scorer, or {_ours(entry)}",
    )


def _ours(entry: Measure) -> str:
    return f"take tallymark.scorer({entry.name!r})"


# A measure
# --------------------------------------------------------------------------------------------------


def ratio(numerator: Any, denominator: Any) -> Any:
    """Division where 0/0 is NaN and a positive number over 0 infinity, without warnings."""
    if isinstance(denominator, float):
        if denominator:
            return numerator / denominator
        if not np.ndim(numerator):
            return np.nan if not numerator or numerator != numerator else np.inf if numerator > 0 else -np.inf
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.divide(numerator, denominator)


def within(value: Any, low: float, high: float) -> Any:
    """The value clipped to its range against rounding errors; NaN stays NaN."""
    if isinstance(value, float):
        return min(max(value, low), high)
    return np.minimum(np.maximum(value, low), high)


def plain(value: Any) -> Any:
    """A number as a Python float, an array as it is."""
    return value if np.ndim(value) else float(value)


@dataclass(frozen=True, slots=True)
class Leading:
    """The title of a measure, and its place on the first screen.

    Attributes
    ----------
    place : int or None
        The smaller, the higher it stands; None where it is not there.
    label : str
        The name under which the literature knows it, as "ROC AUC".
    next_to : tuple of str, optional
        A second number in the same line: its name there, and the measure, as ("skill", "brier_skill_score").
    averages : tuple of str
        Of many classes: which averages of it stand there, of "macro", "weighted" and "micro".
    labels_only : bool
        Whether it is left out where there are scores.
    column : int, optional
        The place among the columns of a table with a row per model or group; None where it is not there.
    """

    place: int | None
    label: str
    next_to: tuple[str, str] | None = None
    averages: tuple[str, ...] = ()
    labels_only: bool = False
    column: int | None = None

    @property
    def short(self) -> str:
        """The label in the middle of a name: "precision" of "Precision (PPV)", but "F1"."""
        word = self.label.split(" (")[0]
        return word[0].lower() + word[1:] if word[1:].islower() else word


@dataclass(frozen=True, slots=True)
class IntervalSpec:
    """How an interval is made.

    Parameters
    ----------
    kind : str
        The name of the method.
    of : tuple of callable
        The measures or the slopes that the interval is made from.
    transform : callable or None
        The function that turns their interval into that of the measure.
    """

    kind: str
    of: tuple[Callable[..., Any], ...] = ()
    transform: Callable[..., Any] | None = None

    def __str__(self) -> str:
        names = " and ".join(function.__name__ for function in self.of)
        return f"{self.kind} of {names}" if names and not names.startswith(("_", "<")) else self.kind


def difference_of(first: Callable[..., Any], second: Callable[..., Any]) -> IntervalSpec:
    """The interval of first - second, two proportions of different cases."""
    return IntervalSpec("difference", (first, second))


def function_of(inner: Callable[..., Any], transform: Callable[..., Any]) -> IntervalSpec:
    """The interval of transform(inner), a monotone function of another measure."""
    return IntervalSpec("function", (inner,), transform)


def mapped(inner: Callable[..., Any], transform: Callable[..., Any]) -> IntervalSpec:
    """The interval of a measure that is a function of another one and of the class sizes.

    transform(inner, table, **parameters) is its value; it depends on the class sizes of the table alone.
    """
    return IntervalSpec("mapped", (inner,), transform)


def smaller_of(first: Callable[..., Any], second: Callable[..., Any]) -> IntervalSpec:
    """The interval of the smaller of two functions of the counts, which has a kink where they cross."""
    return IntervalSpec("smaller", (first, second))


def delta(slope: Callable[..., Any], kind: str = "delta") -> IntervalSpec:
    """The interval by the delta method, or by a kind that uses it.

    slope: the derivative of the measure by each proportion, as a function of a matrix of proportions and of
    the parameters of the measure.
    """
    return IntervalSpec(kind, (slope,))


def jackknife(of_sums: Callable[..., Any]) -> IntervalSpec:
    """The interval by leaving out each case. of_sums: the measure as a function of `Residuals.sums`."""
    return IntervalSpec("jackknife", (of_sums,))


@dataclass(frozen=True, slots=True)
class Needs:
    """Sums over the rows of a table.

    Parameters
    ----------
    sums : tuple of Sum
        Those that depend on no parameter.
    of_bins : callable or None
        A function of the parameter `bins` of the measure that returns another sum.
    answers : bool
        Whether the rows are those of the table of predicted classes (`RankingTable.confidence`).
    pairs_alone : bool
        Whether the value of cases without weights follows from `positives`, `negatives` and
        `twice_concordant`, so that arrays need no rows.
    """

    sums: tuple[Sum, ...] = ()
    of_bins: Callable[[int], Sum] | None = None
    answers: bool = False
    pairs_alone: bool = False

    def wanted(self, bins: int) -> tuple[Sum, ...]:
        """The sums, for this number of bins."""
        return self.sums if self.of_bins is None else (*self.sums, self.of_bins(bins))


NARROWEST = 1e-10  # range of a rate


Better = Literal["higher", "lower"]
Bounds = Literal["roc"] | Callable[..., Any]
Undefined = Literal["warn", "raise"] | float
ScoresOfMeasure = Literal["probability", "llr", "margin"]
SUMMARIES = {
    kind.__name__: kind
    for kind in (Counts, RankingTable, ConfusionMatrix, IndicatorTable, ClassScores, Residuals)
}
UNIT = (0.0, 1.0)
TWO = 2


@dataclass(frozen=True, eq=False)
class Measure:
    """A measure of the catalogue, which is called with a summary or with arrays.

    Parameters
    ----------
    function : callable
        The formula: a function of one summary, which the annotation of its first argument names, and of
        keyword-only parameters.
    aliases : tuple of str
        Other names.
    range : pair of float
        The lowest and the highest value.
    best : float or None
        The value of a perfect classifier; None if it depends on the data, or if no value is better.
    interval : IntervalSpec or None
        How the interval is made; None for a measure without one.
    loss : callable or None
        For a mean over the cases: the loss of each case.
    limits : dict of str to pair of float
        The lowest and the highest value of each parameter.
    better : {"higher", "lower"} or None
        Which values are better; None if neither.
    ordered : bool
        Whether the classes must have an order.
    scores : {"probability", "llr", "margin"} or None
        What the scores must be: probabilities, natural logarithms of likelihood ratios, or signed distances
        from a decision boundary. None if any scores will do.
    of_mean : callable or None
        The value as a function of the mean loss and the prevalence, if it is not the mean loss itself.
    effective_n : callable or None
        The number of cases that determine the value, as a function of the table and the parameters, if it is
        much smaller than the number of all cases.
    headline : Headline or None
        Its place on the first screen; None if it is not there.
    terms : tuple of str
        Words under which `find` shows it that are also names of other measures.
    attained : callable or None
        For a maximum over the thresholds: the function of the counts whose largest value it is.
    needs : Needs or None
        The sums over the rows of a ranking table that it is computed from.
    names_of_averages : dict of str to tuple of str
        Names of its averages over several labels, by kind, as {"micro": ("hamming_loss",)}.
    presets : dict of str to dict of str to float
        Names that set its parameters, as {"f2": {"beta": 2}}.
    bounds : {"roc"}, callable or None
        Its bounds where scores are known to lie in bins only.

    Attributes
    ----------
    name : str
        The name of the function.
    summary : type
        The type of the summary.

    Raises
    ------
    InputError
        When called: for a summary of another type, for scores that are not probabilities where the measure
        needs them, for parameters outside their limits, for what `from_arrays` of the summary refuses, and
        for an undefined value with undefined="raise".

    Notes
    -----
    Call it with a summary, or with arrays by name, which `from_arrays` of the summary takes. If the cells of
    the summary are arrays, so is the value. `undefined=` says what is returned for 0/0: with "warn" NaN, and
    an `UndefinedMeasureWarning` names the part that is empty; with "raise" an `InputError`; else that number.

    Examples
    --------
    >>> import tallymark as tm
    >>> tm.measures.sensitivity(tm.Counts(tp=40, fp=5, fn=10, tn=45))
    0.8
    >>> tm.measures.sensitivity(truth=[1, 1, 0], predicted=[1, 0, 0])
    0.5
    >>> tm.measures.precision(tm.Counts(tp=0, fp=0, fn=1, tn=2), undefined=0.0)
    0.0
    """

    function: Callable[..., Any]
    aliases: tuple[str, ...] = ()
    range: tuple[float, float] = UNIT
    best: float | None = 1.0
    interval: IntervalSpec | None = None
    loss: Callable[..., Any] | None = None
    limits: dict[str, tuple[float, float]] = field(default_factory=dict)
    better: Better | None = None
    ordered: bool = False
    scores: ScoresOfMeasure | None = None
    of_mean: Callable[..., Any] | None = None
    effective_n: Callable[..., Any] | None = None
    headline: Leading | None = None
    terms: tuple[str, ...] = ()
    attained: Callable[..., Any] | None = None
    needs: Needs | None = None
    names_of_averages: dict[str, tuple[str, ...]] = field(default_factory=dict)
    presets: dict[str, dict[str, float]] = field(default_factory=dict)
    bounds: Bounds | None = None
    name: str = field(init=False)
    summary: Any = field(init=False)
    kind: ClassVar[str] = "measure"  # in the catalogue

    def __post_init__(self) -> None:
        first = next(iter(inspect.signature(self.function).parameters.values()))
        kind = first.annotation if isinstance(first.annotation, str) else first.annotation.__name__
        kind = kind.rpartition(".")[2]  # of "tm.Counts"
        object.__setattr__(self, "name", self.function.__name__)
        object.__setattr__(self, "summary", SUMMARIES[kind])
        object.__setattr__(self, "__doc__", f"{inspect.getdoc(self.function)}\n\n{self._calls}")  # for `help`
        if self.best is not None:
            object.__setattr__(
                self, "better", {self.range[0]: "lower", self.range[1]: "higher"}.get(self.best)
            )

    if TYPE_CHECKING:  # what an editor shows; `__signature__` has the arguments of the one measure

        def __call__(
            self,
            summary: Any = None,
            /,
            *,
            truth: Any = None,
            predicted: Any = None,
            score: Any = None,
            weight: Any = None,
            undefined: Undefined = "warn",
            **given: Any,
        ) -> float: ...

    else:

        def __call__(self, *arrays: Any, undefined: Undefined = "warn", **given: Any) -> Any:
            scorer = scorer_that_calls() if len(arrays) == TWO else None
            if scorer is not None:
                return value_for(self, *scorer, *arrays, undefined, given)
            if len(arrays) > 1 or (arrays and is_array(arrays[0])):
                raise self._by_position(len(arrays))
            return self._called(arrays[0] if arrays else None, undefined, given)

    def _called(self, summary: Any, undefined: Any, given: dict[str, Any]) -> Any:
        if not isinstance(undefined, Real) and not (
            isinstance(undefined, str) and undefined in ("warn", "raise")
        ):
            raise InputError(
                "unknown-name",
                "undefined",
                f"{shown(undefined)} is not known",
                "pass 'warn', 'raise' or a number to take its place",
                value=undefined,
            )
        models = of_each_model(given) if summary is None else None
        if models is not None:
            return dict(zip(models, map(partial(self._value, None, undefined), models.values()), strict=True))
        return self._value(summary, undefined, given)

    def _value(self, summary: Any, undefined: Any, given: dict[str, Any]) -> Any:
        if summary is None:
            parameters = {name: given[name] for name in self.parameters if name in given}
            if parameters:
                given = {
                    name: value
                    for name, value in given.items()
                    if name in self.takes or name not in parameters
                }
            summary, given = summary_of(self, forms_of(self.name), given), parameters
        fit = (
            (self,)
            if type(summary) is self.summary or isinstance(summary, self.summary)
            else (one for one in forms_of(self.name) if one.fits(type(summary)))
        )
        form = next(iter(fit), self)
        form.check(summary)
        value = form.function(summary, **form.checked(given)) if given else form.function(summary)
        if type(value) is float and value == value:
            return value
        return form._settle(value, summary, undefined)

    def _by_position(self, number: int) -> InputError:
        """The error for arrays by position; scikit-learn passes three where `scoring` is the measure."""
        arrays = f"{option('truth')} and {option(self.takes[1])}"
        return InputError(
            "by-position",
            None,
            f"Pass arrays by name, as {arrays}, so that they cannot be swapped",
            f"in scikit-learn take tallymark.scorer({self.name!r})" if number > TWO else "",
        )

    def check(self, summary: Any) -> None:
        """Raises InputError for a summary of another type, or one that needs to hold probabilities."""
        if type(summary) is not self.summary and not isinstance(summary, self.summary):
            why = no_summary_of_two(self.name, summary) if self.summary in (Counts, RankingTable) else None
            if why is not None:
                raise why
            kind = type(summary).__name__
            problem = f"{self.name} is measured on {self.summary.__name__}, not on {kind}"
            bins = isinstance(summary, BinnedTable) and self.summary is RankingTable
            raise InputError(
                "unsupported",
                None,
                problem,
                f"take its bounds, {self.name}.bounds_of(table)" if bins else "or pass arrays by name",
            )
        if self.needs_probabilities and not summary.in_unit_interval:
            raise InputError(
                "unsupported", self.name, f"probabilities are needed, but {summary.why_no_probabilities}"
            )

    def checked(self, parameters: dict[str, Any]) -> dict[str, Any]:
        """The parameters as numbers. Raises InputError for one that is unknown or outside its limits."""
        checked = {}
        for name, value in parameters.items():
            if name not in self.parameters:
                if not self.parameters:
                    way_out = either(f"leave out {name}=", "leave it out of --set")
                    raise InputError("unknown-name", None, f"{self.name} has no parameters", way_out)
                raise unknown(self.name, [name], self.parameters)
            if value is not None or self.defaults[name] is not None:
                as_it_must = whole if self._signature[name].annotation in ("int", int) else number
                checked[name] = as_it_must(
                    value, f"{self.name}: {name}", *self.limits.get(name, (-np.inf, np.inf))
                )
        ends = self.defaults | checked
        if "low" in ends and not ends["high"] - ends["low"] >= NARROWEST:
            raise InputError(
                "invalid-value",
                self.name,
                f"low {ends['low']:g} is not below high {ends['high']:g}",
                "give both ends of a range",
            )
        return checked

    def _settle(self, value: Any, summary: Any, undefined: Any) -> Any:
        gaps = np.isnan(value)
        if gaps.any():
            text = f"{self.name} is undefined: {self.why_undefined(summary)}"
            if undefined == "raise":
                raise InputError("no-result", None, text)
            if undefined == "warn":
                warnings.warn(f"{text}.", UndefinedMeasureWarning, stacklevel=5)
            else:
                value = np.where(gaps, real(+undefined), value)
        return value if np.ndim(value) else float(value)

    def bounds_of(self, binned: BinnedTable, **parameters: Any) -> tuple[float, float] | Note:
        """The lowest and the highest value that cases with scores in these bins can have.

        Parameters
        ----------
        binned : BinnedTable
            The bins.
        **parameters
            Parameters of the measure.

        Returns
        -------
        tuple of float, or Note
            Both are the value where it is exact, and NaN where it is undefined. A note says why there are no
            bounds.

        Raises
        ------
        InputError
            Where a call of the measure with a `RankingTable` does.
        """
        parameters = self.checked(parameters)
        self.check(binned.ranking)
        if binned.single or (self.loss and binned.sums_of(partial(self.loss, **parameters))):
            values = [self.function(binned.ranking, **parameters)]
        elif self.bounds == "roc":
            values = self.at_ends(binned, **parameters)
        elif self.bounds is None:
            why = self.section("Bounds").removeprefix("none, ").removesuffix(".")
            return Note("no-bounds", bins=len(binned), why=why or "since it depends on each score")
        else:
            values = self.bounds(binned, **parameters)
        return values if isinstance(values, Note) else (float(min(values)), float(max(values)))

    def at_ends(self, binned: BinnedTable, **parameters: Any) -> list[float]:
        """The values on the least and on the most favourable table.

        An end of the range takes the place of one that is undefined, unless both are.
        """
        for table in binned.bracket():
            self.check(table)
        least, most = (self.function(table, **parameters) for table in binned.bracket())
        if (least == least) is not (most == most):
            worst, best = self.range[:: self.sign or 1]
            return [least if least == least else worst, most if most == most else best]
        return [least, most]

    @property
    def for_many_classes(self) -> Measure | None:
        """The form of the measure for a confusion matrix, if it has one."""
        return of_name(self.name, ConfusionMatrix) if self.summary is Counts else None

    @cached_property
    def takes(self) -> tuple[str, ...]:
        """The names of the arguments of the summary's `from_arrays`."""
        return tuple(inspect.signature(self.summary.from_arrays).parameters)

    @cached_property
    def required(self) -> tuple[str, ...]:
        """Those of them without a default."""
        parameters = inspect.signature(inspect.unwrap(self.summary.from_arrays)).parameters.values()
        by_name = (one for one in parameters if one.kind is one.KEYWORD_ONLY)
        return tuple(one.name for one in by_name if one.default is one.empty)

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """The names of the parameters, such as `base` of log_loss."""
        return tuple(self._signature)[1:]

    @cached_property
    def defaults(self) -> dict[str, Any]:
        """The default values of the parameters."""
        return {name: self._signature[name].default for name in self.parameters}

    @property
    def signature_of_parameters(self) -> list[inspect.Parameter]:
        """The parameters, as the function has them."""
        return list(self._signature.values())[1:]

    @cached_property
    def _signature(self) -> Mapping[str, inspect.Parameter]:
        return inspect.signature(self.function).parameters

    @property
    def use(self) -> str:
        """How it is called in Python."""
        arrays = ", ".join(f"{name}={ARRAYS[name]}" for name in named(self.summary.from_arrays)[:TWO])
        return f'tm.measures.{self.name}({arrays}), or tm.evaluate({arrays})["{self.name}"]'

    @property
    def _calls(self) -> str:
        """How it is called, for `help`."""
        kind, takes = self.summary.__name__, ", ".join(named(self.summary.from_arrays))
        return (
            f"Call: {self.use.replace(', or ', chr(10) + '   or ')}\n"
            f"   or tm.measures.{self.name}({kind.lower()}), of a tm.{kind}.\n"
            f"Arguments of tm.{kind}.from_arrays: {takes};\n"
            "the parameters of the measure; and undefined: 'warn' (NaN with a warning), 'raise' or a number\n"
            "in its place."
        )

    @property
    def __signature__(self) -> inspect.Signature:
        """What the call takes: a summary, or arrays by name."""
        one, by_name = inspect.Parameter, inspect.Parameter.KEYWORD_ONLY
        arrays = inspect.signature(self.summary.from_arrays).parameters.values()
        keywords = {each.name: each.replace(default=None, kind=by_name) for each in arrays}
        keywords |= {each.name: each.replace(kind=by_name) for each in self.signature_of_parameters}
        keywords["undefined"] = one("undefined", by_name, default="warn", annotation=Undefined)
        summary = one("summary", one.POSITIONAL_ONLY, default=None, annotation=self.summary)
        return inspect.Signature([summary, *keywords.values()], return_annotation=float)

    @property
    def base(self) -> Measure:
        """The measure whose parameters it has; of an average over classes that of one class."""
        return self

    @property
    def sign(self) -> int:
        """1 where a higher value is better, -1 where a lower one is, 0 where neither is."""
        return {"higher": 1, "lower": -1}.get(self.better or "", 0)

    @property
    def names(self) -> tuple[str, ...]:
        """The name and the aliases."""
        return (self.name, *self.aliases)

    def fits(self, summary: type | None) -> bool:
        """Whether the measure is computed from summaries of this type."""
        return summary is not None and issubclass(summary, self.summary)

    @property
    def needs_probabilities(self) -> bool:
        """Whether the scores must be probabilities."""
        return self.scores == "probability"

    @property
    def family(self) -> str:
        return self.function.__module__.rpartition(".")[2]

    @property
    def where(self) -> str:
        """The file and the line of the definition."""
        code = self.function.__code__
        path = code.co_filename.replace("\\", "/")
        inside = path.rfind("tallymark/measures/")
        return f"{path[max(inside, 0) :]}:{code.co_firstlineno}"

    @property
    def __name__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"<measure {self.name}: {self.title}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return get, (self.name, self.summary)

    @property
    def title(self) -> str:
        """The first line of the docstring."""
        return self._doc.split("\n\n")[0].replace("\n", " ")

    @property
    def formula(self) -> str:
        return " ".join(self._doc.split("\n\n")[1].split())

    @property
    def remarks(self) -> str:
        """The text between the formula and the headings: parameters, limits, ranges in words."""
        middle = self._doc.split("\n\n")[2:]
        return " ".join(
            " ".join(part.split())
            for part in middle
            if not re.match(r"(Undefined|Source|Differs|Bounds): ", part)
        )

    def section(self, heading: str) -> str:
        """The text under a heading (Undefined, Source, Differs or Bounds); empty if there is none."""
        found = re.search(rf"^{heading}: (.*?)(?=^\w+: |\Z)", self._doc, re.S | re.M)
        return " ".join(found[1].split()) if found else ""

    @property
    def source(self) -> str:
        return self.section("Source")

    @cached_property
    def conditions(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """The documented cases in which the measure is undefined, and the parts whose sum is then 0."""
        found = re.findall(r"(?:, )?(?:or )?([^()]+) \(([\w +]+) = 0\)", self.section("Undefined"))
        return tuple((what, tuple(parts.split(" + "))) for what, parts in found)

    def why_undefined(self, summary: Any) -> Note:
        """Which parts of the summary are empty, in the words of the docstring."""
        empty = [
            (what, parts)
            for what, parts in self.conditions
            if np.any(sum(getattr(summary, part) for part in parts) == 0)
        ]
        if not empty:
            return Note("zero-over-zero")
        return Note(
            "empty",
            what=tuple(what for what, _ in empty),
            parts=tuple(" + ".join(parts) for _, parts in empty),
        )

    @property
    def _doc(self) -> str:
        return inspect.getdoc(self.function) or ""


AVERAGES = ("macro", "weighted", "micro")
TITLES = {
    "macro": ("Unweighted mean over the classes", "sum over the classes of {} / classes"),
    "weighted": ("Mean over the classes weighted by their actual cases", "sum of share of the class * {}"),
    "micro": ("Measure of the counts of all classes together", "{} of the sum of the counts"),
}  # and formula
BOTH_ENDS = Note("infinite-at-both-ends")
NO_CLASS = Note("undefined-for-every-class")


@dataclass(frozen=True, eq=False, repr=False)
class Average(Measure):
    """The average over classes, or labels, of a measure of each against the rest.

    Attributes
    ----------
    kind_of_average : {"macro", "weighted", "micro"}
        The unweighted mean, the mean weighted by the actual cases of each class, or the measure of the sum of
        the counts.
    of : Measure
        The measure of one class.
    """

    kind_of_average: str = "macro"
    of: Any = None

    @property
    def base(self) -> Measure:
        """The measure whose parameters it has."""
        return self.of

    def why_undefined(self, summary: Any) -> Note:
        """That no class has a value, or that values of classes are infinite of either sign."""
        with np.errstate(divide="ignore", invalid="ignore"):
            each = np.asarray(self.of.function(summary.one_vs_rest()), float)
        return BOTH_ENDS if np.isinf(each).any() and self.kind_of_average != "micro" else NO_CLASS


def average_of(kind: str, function: Callable[..., Any], table: ConfusionMatrix | IndicatorTable) -> Any:
    """The value without an interval, over the classes for which the measure is defined."""
    counts = table.one_vs_rest()
    if kind == "micro":
        return plain(function(counts.sum()))
    with np.errstate(divide="ignore", invalid="ignore"):
        values = np.asarray(function(counts), float)
        weight = np.where(np.isnan(values), 0.0, counts.positives if kind == "weighted" else 1.0)
        return plain(np.where(weight > 0, weight * values, 0.0).sum(-1) / weight.sum(-1))


def averages_of(entry: Measure, kind: str, name: str = "") -> Iterator[Average]:
    """Its average over the classes of a matrix, and over several labels.

    name: in place of that of the kind and the measure.
    """
    title, formula = (words.format(entry.name) for words in TITLES[kind])
    head = entry.headline
    for summary in (ConfusionMatrix, IndicatorTable):

        def function(table: Any, **parameters: Any) -> Any:
            return average_of(kind, partial(entry.function, **parameters), table)

        _dressed(function, name or f"{kind}_{entry.name}", entry, summary.__name__)
        function.__doc__ = (
            f"{title}: {entry.name}.\n\n{formula}\n\nA class for which it is undefined is left out.\n\n"
            f"Undefined: every class is left out.\nSource: {entry.source or 'Flemming.'}"
        )
        yield Average(
            function,
            () if name else tuple(f"{kind}_{other}" for other in entry.aliases),
            entry.range,
            entry.best,
            limits=entry.limits,
            better=entry.better,
            headline=None if head is None else Leading(head.place, f"{kind.capitalize()} {head.short}"),
            kind_of_average=kind,
            of=entry,
        )


def preset(entry: Measure, name: str) -> Measure:
    """The measure under the name that sets its parameters, as "f2"."""
    given = entry.presets[name]

    def function(table: Any) -> Any:
        return entry.function(table, **given)

    _dressed(function, name, entry, entry.summary.__name__, without=given)
    function.__doc__ = inspect.getdoc(entry.function)
    return replace(entry, function=function, aliases=(), limits={}, presets={}, headline=None)


def _dressed(function: Any, name: str, entry: Measure, summary: str, without: Iterable[str] = ()) -> None:
    """Gives the function what `Measure` reads: its name, its file, and the parameters of the measure."""
    table = inspect.Parameter("table", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=summary)
    more = [one for one in entry.signature_of_parameters if one.name not in without]
    function.__name__, function.__module__ = name, entry.function.__module__
    function.__signature__ = inspect.Signature([table, *more])


def _named(name: str) -> Iterator[Measure]:
    """The measures that follow from others and have this name."""
    of_counts = find(Counts)
    for entry in all_measures():
        if name in entry.presets:
            yield preset(entry, name)
        for kind, names in entry.names_of_averages.items():
            if name in names:
                yield from (one for one in averages_of(entry, kind, name) if one.summary is IndicatorTable)
    kind, _, rest = name.partition("_")
    if kind in AVERAGES and not ends_a_name(name):
        listed = {one.summary for one in listed_as(name)}  # macro_recall of one label per case
        for entry in [one for one in forms_of(rest) if one in of_counts][:1]:
            yield from (one for one in averages_of(entry, kind) if one.summary not in listed)


def _on_screen(summary: type) -> tuple[Measure, ...]:
    """The averages that have a place on the first screen."""
    return tuple(
        one
        for entry in find(Counts)
        if entry.headline is not None
        for kind in entry.headline.averages
        for one in forms_of(f"{kind}_{entry.name}")
        if one.fits(summary)
    )


F = TypeVar("F", bound=Callable[..., Any])


@public()
def measure(
    *,
    aka: tuple[str, ...] = (),
    range: tuple[float, float] = UNIT,
    best: float | None = 1.0,
    interval: IntervalSpec | str | None = None,
    loss: Callable[..., Any] | None = None,
    limits: dict[str, tuple[float, float]] | None = None,
    better: Better | None = None,
    ordered: bool = False,
    scores: ScoresOfMeasure | None = None,
    of_mean: Callable[..., Any] | None = None,
    effective_n: Callable[..., Any] | None = None,
    headline: Leading | None = None,
    terms: tuple[str, ...] = (),
    attained: Callable[..., Any] | None = None,
    needs: Needs | None = None,
    names_of_averages: dict[str, tuple[str, ...]] | None = None,
    presets: dict[str, dict[str, float]] | None = None,
    bounds: Bounds | None = None,
) -> Callable[[F], F]:
    """Enter a function into the catalogue of measures.

    Parameters
    ----------
    aka : tuple of str
        Other names of the measure.
    range : pair of float, default (0, 1)
        The lowest and the highest value.
    best : float or None, default 1
        The value of a perfect classifier; None if it depends on the data, or if no value is better.
    interval : IntervalSpec, str or None
        How the interval is made: a kind, such as "proportion", "mean" or "inverted", or what
        `difference_of`, `function_of` and the other functions of `tallymark.measures.registry` return.
        None for a measure without an interval.
    loss : callable, optional
        For a mean over the cases: the loss of each case, which is averaged.
    limits : dict of str to pair of float, optional
        The lowest and the highest value of each parameter of the function.
    better : {"higher", "lower"}, optional
        Which values are better, if `best` is not an end of the range.
    ordered : bool, default False
        Whether the measure needs classes in an order.
    scores : {"probability", "llr", "margin"}, optional
        What the scores must be: probabilities, natural logarithms of likelihood ratios, or signed distances
        from a decision boundary.
    of_mean : callable, optional
        The value as a function of the mean loss and the prevalence, if it is not the mean loss itself.
    effective_n : callable, optional
        The number of cases that determine the value, as a function of the table and the parameters, if it is
        much smaller than the number of all cases.
    headline : Headline, optional
        Its place on the first screen.
    terms : tuple of str
        Words under which `find` shows it that are also names of other measures, as "likelihood ratio".
    attained : callable, optional
        For a maximum over the thresholds: the function of the counts whose largest value it is, by which the
        estimate of an evaluation has its threshold.
    needs : Needs, optional
        The sums over the rows of a ranking table that it is computed from, other than those of its loss and
        of its interval: they are then collected together with those of other measures.
    names_of_averages : dict of str to tuple of str, optional
        Names of its averages over several labels, by kind, as {"micro": ("hamming_loss",)}.
    presets : dict of str to dict of str to float, optional
        Names that set its parameters, as {"f2": {"beta": 2}}.
    bounds : {"roc"} or callable, optional
        Its bounds where scores are known to lie in bins only. "roc" of a measure of a `RankingTable` that
        never falls (or never rises) where a positive scores higher or a negative lower: those are its values
        on the tables of `BinnedTable.bracket`. Else a function of a `BinnedTable` and the parameters that
        returns both bounds, or a `Note`. None: no bounds are proven.

    Returns
    -------
    callable
        A decorator that returns the function unchanged. The measure is then available as
        `tallymark.measures.NAME`, in `find`, and wherever measures are named.

    Raises
    ------
    InputError
        For an argument with another name.
    ValueError
        When a function is decorated whose name or alias is that of another measure of the same summary.

    Notes
    -----
    The annotation of the first argument of the function names the summary: `Counts`, `RankingTable`,
    `ConfusionMatrix`, `IndicatorTable`, `ClassScores` or `Residuals`. Further arguments are keyword-only
    parameters with defaults. The cells may hold arrays, so that the function must work entry by entry. The
    first paragraph of the docstring is the title, the second one the formula; `Undefined:` lists the cases of
    0/0 with the sum that is 0, such as *no actual positives (tp + fn = 0)*.

    Examples
    --------
    >>> import tallymark as tm
    >>> @tm.measure(aka=("hits_per_case",), interval="proportion")
    ... def hit_proportion(c: tm.Counts):
    ...     '''Proportion of the cases that are true positives.
    ...
    ...     tp / (tp + fp + fn + tn)
    ...
    ...     Undefined: no cases (total = 0).
    ...     '''
    ...     return c.tp / c.total
    >>> tm.measures.hit_proportion(tm.Counts(tp=40, fp=5, fn=10, tn=45))
    0.4
    >>> tm.find("hits per case")
    (<measure hit_proportion: Proportion of the cases that are true positives.>,)
    """

    def entered(function: F) -> F:
        made = IntervalSpec(interval) if isinstance(interval, str) else interval
        entry = Measure(
            function,
            aka,
            range,
            best,
            made,
            loss,
            limits or {},
            better,
            ordered,
            scores,
            of_mean,
            effective_n,
            headline,
            terms,
            attained,
            needs,
            names_of_averages or {},
            presets or {},
            bounds,
        )
        enter(entry)
        return function

    return entered
