"""Scorers of scikit-learn: any measure of the catalogue, where scikit-learn takes `scoring=`.

scikit-learn is imported when a scorer is made.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, overload

from ..evaluation.evaluate import names_of_measures
from ..input import validate
from ..input.calls import public, unknown
from ..input.errors import InputError
from ..input.validate import label_of
from ..measures import registry
from ..measures.registry import Measure, ScoreFunction, check_direction
from ..studies.retraining import ANY_SCORES, NEEDED, check_scores, parameters_of
from ..summaries import ClassScores, Counts, RankingTable, Residuals

Average = Literal["macro", "weighted", "micro"]


@overload
def scorer(measure: list[str], /, **given: Any) -> dict[str, Any]: ...


@overload
def scorer(measure: str | Measure, /, **given: Any) -> Any: ...


@public()  # which names are parameters depends on the measure
def scorer(
    measure: str | Measure | Sequence[str | Measure],
    /,
    *,
    positive: Any = None,
    average: Average | None = None,
    classes: Sequence[Any] | None = None,
    parameters: Mapping[str, Any] | None = None,
    regression: bool = False,
    undefined: float | None = None,
    **named_parameters: Any,
) -> Any:
    """A scorer of scikit-learn for a measure of the catalogue, or one for each of several.

    Parameters
    ----------
    measure : str, Measure or list of these
        The measure, by any of its names, or as `tallymark.measures.f1`. Of a list a dict of scorers by name.
    positive : label, optional
        The positive label, where it is not known by itself, as 1 of 0 and 1. Measures that treat both classes
        alike, as accuracy, MCC, roc_auc and log_loss, do not need it.
    average : {"macro", "weighted", "micro"}, optional
        Of a measure of two classes, as "f1", the average over the classes, each against the rest.
    classes : sequence of labels, optional
        All classes, for measures of ordered classes in their order. By default those of the estimator, its
        `classes_`, to which the columns of predict_proba belong in any case.
    parameters : mapping, optional
        Parameters of the measure, as {"beta": 2}.
    regression : bool, default False
        Whether amounts are predicted, for a measure that there is of probabilities, too, as
        "mean_absolute_error".
    undefined : float, optional
        What the value counts as on a fold where it is undefined. By default as in scikit-learn: 0 for
        measures of predicted labels and of precision (1, the highest loss, where lower is better), NaN for
        others.
    **named_parameters
        Parameters of the measure, as beta=2.

    Returns
    -------
    callable, or dict of callables
        A scorer as from scikit-learn's make_scorer, for `scoring=` of cross_val_score, cross_validate,
        GridSearchCV, TunedThresholdClassifierCV and others. Its method set_score_request requests
        sample_weight.

    Raises
    ------
    InputError
        Without scikit-learn, for an unknown measure, and for one of which no value is better. When the scorer
        is called: where `classes` lacks a class of the estimator or of the cases, for text without an order
        where the measure needs one, and where it is not clear which class is positive.

    Notes
    -----
    A measure of which lower values are better has the opposite sign, as in scikit-learn. Measures of labels
    ask the estimator for predict, measures of probabilities for predict_proba, others of scores for
    decision_function or predict_proba.

    The classes are those of the estimator, whatever classes a fold has. A class that was absent in training
    has probability 0. An undefined value, and an average that leaves out a class which does not occur, give
    an UndefinedMeasureWarning. In an average a class for which the measure is undefined, as the precision of
    one that is never predicted, counts like an undefined value: without it the average would be too high.

    Examples
    --------
    >>> import tallymark as tm
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.model_selection import cross_val_score, cross_validate
    >>> X, y = [[0], [9], [1], [8], [0], [9], [1], [8]], [0, 1, 0, 1, 0, 1, 0, 1]
    >>> cross_val_score(LogisticRegression(), X, y, cv=2, scoring=tm.scorer("mcc")).tolist()
    [1.0, 1.0]
    >>> result = cross_validate(LogisticRegression(), X, y, cv=2, scoring=tm.scorer(["mcc", "f1"]))
    >>> result["test_f1"].tolist()
    [1.0, 1.0]
    """
    if isinstance(measure, (list, tuple)):
        names = names_of_measures([getattr(one, "name", one) for one in measure])
        own = {one: set(registry.get(one).parameters) for one in names}
        every = {**parameters_of(parameters), **named_parameters}
        _check_names(every, set().union(*own.values()))
        common = {
            "positive": positive,
            "average": average,
            "classes": classes,
            "regression": regression,
            "undefined": undefined,
        }
        return {
            one: scorer(one, **common, parameters={key: every[key] for key in every if key in own[one]})
            for one in names
        }
    named = registry.get(measure) if isinstance(measure, str) else measure
    if average is None and isinstance(named, registry.Average):  # "macro_f1"
        average, measure = named.kind_of_average, named.base  # type: ignore[assignment]
    entry = _entry(measure, average, validate.flag(regression, "regression"))
    if average is not None:
        validate.choice(average, registry.AVERAGES, "average")
    further = parameters_of(parameters)
    _check_names(named_parameters, set(entry.parameters))
    labels = None if classes is None else validate.labels(classes, "classes")
    worth = None if undefined is None else validate.real(undefined)
    checked = entry.checked({**further, **named_parameters})
    function = ScoreFunction(entry, checked, average, labels, worth)
    pos_label = {} if positive is None else {"pos_label": label_of(positive, "positive")}
    return _kind()(
        function,
        sign=entry.sign,
        kwargs=pos_label,
        response_method=_methods(entry),
    )


def _check_names(given: Mapping[str, Any], parameters: set[str]) -> None:
    """Raises InputError for an argument that is no parameter of the measure."""
    if not given.keys() <= parameters:
        raise unknown("scorer", given, (*scorer.takes, *sorted(parameters)))  # type: ignore[attr-defined]


def _entry(measure: Any, average: Any, regression: bool) -> Measure:
    """The form of the measure. Raises InputError where no value is better."""
    forms = registry.forms(measure.name if isinstance(measure, Measure) else measure)
    own = measure if isinstance(measure, Measure) else forms[0]
    kind = Residuals if regression else Counts if average is not None else own.summary
    entry = next((one for one in forms if one.summary is kind), None)
    if entry is None:
        what = "predicted amounts" if regression else "single classes"
        raise InputError(
            "conflict",
            "regression" if regression else "average",
            f"{own.name} is not a measure of {what}",
            "leave it out",
        )
    check_direction(entry)
    check_scores(entry)
    return entry


def _methods(entry: Measure) -> str | list[str]:
    """The methods of an estimator that give what the measure needs, the first that it has."""
    if entry.summary is ClassScores:
        return "predict_proba"
    if entry.summary is RankingTable:
        return list(NEEDED.get(entry.scores or "", reversed(ANY_SCORES)))
    return "predict"


def _kind() -> Any:
    """The class of scorers. Raises InputError where scikit-learn is not installed."""
    try:
        from .scoring import Scorer
    except ImportError:
        raise InputError(
            "not-installed", None, "a scorer needs scikit-learn", "pip install scikit-learn"
        ) from None
    return Scorer
