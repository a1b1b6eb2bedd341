"""Scorers of scikit-learn: any measure of the catalogue, where scikit-learn takes `scoring=`.

scikit-learn is imported when a scorer is made.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal

import numpy as np

from ..inference.intervals.averages import average_of
from ..input import validate
from ..input.calls import public
from ..input.errors import InputError
from ..input.validate import shown
from ..input.values import label_of
from ..measures import registry
from ..measures.entry import Measure
from ..studies.retraining.measuring import ANY_SCORES, NEEDED
from ..summaries import ClassScores, ConfusionMatrix, Counts, IndicatorTable, RankingTable, Residuals

Average = Literal["macro", "weighted", "micro"]
AVERAGES: tuple[Average, ...] = ("macro", "weighted", "micro")
LABELS = (Counts, ConfusionMatrix, Residuals, IndicatorTable)  # of predictions, not of scores


@dataclass(frozen=True)
class ScoreFunction:
    """A measure as the function of truth and predictions that a scorer of scikit-learn calls.

    Attributes
    ----------
    measure : Measure
        The measure.
    parameters : mapping
        Its parameters.
    average : str or None
        Of a measure of single classes, how these are averaged.
    classes : tuple or None
        The classes of the columns of scores; None for the sorted labels of the cases.
    """

    measure: Measure
    parameters: Mapping[str, Any] = field(default_factory=dict)
    average: Average | None = None
    classes: tuple[Any, ...] | None = None

    @property
    def __name__(self) -> str:
        """The name of the measure."""
        return self.measure.name

    def __call__(
        self, y_true: Any, y_pred: Any, *, pos_label: Any = None, sample_weight: Any = None
    ) -> float:
        """The value of the measure."""
        truth, answers, weight = np.asarray(y_true), np.asarray(y_pred), {}
        if sample_weight is not None:
            weight = {"weight": np.asarray(sample_weight)}
        if self.average is not None:
            return self._averaged(truth, answers, weight)
        role = "predicted" if self.measure.summary in LABELS else "score"
        given = {"truth": truth, role: answers, **weight, **self.parameters}
        if answers.ndim == 2 and role == "score":
            given["classes"] = self._columns(truth, answers)
        elif pos_label is not None:
            given["positive"] = pos_label
        return float(self.measure(**given))

    def _averaged(self, truth: np.ndarray, answers: np.ndarray, weight: dict[str, np.ndarray]) -> float:
        kind: Any = IndicatorTable if answers.ndim == 2 else ConfusionMatrix
        table = kind.from_arrays(truth=truth, predicted=answers, **weight)
        return average_of(str(self.average), partial(self.measure.function, **self.parameters), table)

    def _columns(self, truth: np.ndarray, answers: np.ndarray) -> tuple[Any, ...]:
        """The class of each column. Raises InputError where the cases do not show them."""
        known = self.classes or tuple(np.unique(truth).tolist())
        if len(known) != answers.shape[1]:
            problem = f"there are scores of {answers.shape[1]} classes, and labels of {len(known)}"
            raise InputError("needed", "classes", problem, "name all classes, in sorted order")
        return known


@public()
def scorer(
    measure: str | Measure,
    /,
    *,
    positive: Any = None,
    average: Average | None = None,
    classes: Sequence[Any] | None = None,
    parameters: Mapping[str, Any] | None = None,
    regression: bool = False,
) -> Any:
    """A scorer of scikit-learn for a measure of the catalogue.

    Parameters
    ----------
    measure : str or Measure
        The measure, by any of its names, or as `tallymark.measures.f1`.
    positive : label, optional
        The positive label, where labels are not 0/1, -1/1 or false/true.
    average : {"macro", "weighted", "micro"}, optional
        Of a measure of two classes, as "f1", the average over the classes, each against the rest.
    classes : sequence of labels, optional
        For scores per class, all classes in sorted order; by default the labels of the cases scored.
    parameters : mapping, optional
        Parameters of the measure, as {"beta": 2}.
    regression : bool, default False
        Whether amounts are predicted, for a measure that there is of probabilities, too, as
        "mean_absolute_error".

    Returns
    -------
    callable
        What scikit-learn's make_scorer returns, for `scoring=` of cross_val_score, cross_validate,
        GridSearchCV, TunedThresholdClassifierCV and others. Its method set_score_request requests
        sample_weight.

    Raises
    ------
    InputError
        Without scikit-learn, for an unknown measure, and for one of which no value is better.

    Notes
    -----
    A measure of which lower values are better has the opposite sign, as in scikit-learn. Measures of labels
    ask the estimator for predict, measures of probabilities for predict_proba, others of scores for
    decision_function or predict_proba. A value that is undefined on a fold is NaN, with an
    UndefinedMeasureWarning.

    Examples
    --------
    >>> import tallymark as tm
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.model_selection import cross_val_score
    >>> X, y = [[0], [9], [1], [8], [0], [9], [1], [8]], [0, 1, 0, 1, 0, 1, 0, 1]
    >>> cross_val_score(LogisticRegression(), X, y, cv=2, scoring=tm.scorer("mcc")).tolist()
    [1.0, 1.0]
    """
    entry = _entry(measure, average, validate.flag(regression, "regression"))
    if average is not None:
        validate.choice(average, AVERAGES, "average")
    if parameters is not None and not isinstance(parameters, Mapping):
        problem = f"{shown(parameters)} is not understood"
        raise InputError("invalid-value", "parameters", problem, 'as {"beta": 0.5}', value=parameters)
    listed = isinstance(classes, Sequence) or (isinstance(classes, np.ndarray) and classes.ndim > 0)
    if classes is not None and (isinstance(classes, str) or not listed):
        problem = f"{shown(classes)} is no sequence of labels"
        raise InputError("invalid-value", "classes", problem, "as [0, 1, 2]", value=classes)
    columns = None if classes is None else tuple(np.asarray(classes).tolist())
    made = ScoreFunction(entry, entry.checked(dict(parameters or {})), average, columns)
    label = {} if positive is None else {"pos_label": label_of(positive, "positive")}
    return _make_scorer()(
        made, response_method=_methods(entry), greater_is_better=entry.better == "higher", **label
    )


def _entry(measure: Any, average: Any, regression: bool) -> Measure:
    """The form of the measure that is asked for. Raises InputError where no value is better."""
    forms = registry.forms(measure.name if isinstance(measure, Measure) else measure)
    own = measure if isinstance(measure, Measure) else forms[0]
    kind = Residuals if regression else Counts if average is not None else own.summary
    entry = next((one for one in forms if one.summary is kind), None)
    if entry is None:
        what = "predicted amounts" if regression else "single classes"
        argument = "regression" if regression else "average"
        raise InputError("conflict", argument, f"{own.name} is not a measure of {what}", "leave it out")
    if entry.better is None:
        problem = f"of {entry.name} neither higher nor lower values are better, so that it ranks no models"
        raise InputError("unsupported", "measure", problem, "choose another (tallymark measures)")
    if entry.scores == "llr":
        problem = f"{entry.name} needs likelihood ratios, which no estimator gives"
        raise InputError("unsupported", "measure", problem, "choose another, as log_loss")
    return entry


def _methods(entry: Measure) -> str | list[str]:
    """The methods of an estimator that give what the measure needs, the first that it has."""
    if entry.summary in LABELS:
        return "predict"
    if entry.summary is ClassScores:
        return "predict_proba"
    assert entry.summary is RankingTable, shown(entry.summary)
    return list(NEEDED.get(entry.scores or "", reversed(ANY_SCORES)))


def _make_scorer() -> Any:
    """The function of scikit-learn. Raises InputError where it is not installed."""
    try:
        from sklearn.metrics import make_scorer
    except ImportError:
        raise InputError(
            "not-installed", None, "a scorer needs scikit-learn", "pip install scikit-learn"
        ) from None
    return make_scorer
