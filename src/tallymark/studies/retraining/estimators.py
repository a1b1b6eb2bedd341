"""Cases with their features, an estimator of any library that is trained on some, and measured on others.

Features are arrays, lists, data frames or sparse matrices. The predictions become the summary that the
measure is computed from. Errors of an estimator are recorded.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from math import isnan
from typing import Any

import numpy as np

from ...evaluation.advice import guessing
from ...input import CaseSpec, columns, read as read_cases, validate
from ...input.columns import Column
from ...input.labels import BinaryLabels, distinct, kind_of, listed, look_like_amounts, places, positive_of
from ...input.messages import Note
from ...input.score_columns import is_indicator, matched
from ...input.validate import InputError, shown
from ...measures import registry
from ...measures.registry import Measure
from ...summaries import ClassScores, ConfusionMatrix, Counts, RankingTable


@dataclass(frozen=True, slots=True, eq=False)
class Cases:
    """Features and labels of cases.

    X: the features, a row per case; labels: the distinct labels, sorted; truth: for each case the index of
    its label; positive: the index of the positive label, None for more than two.
    """

    X: Any
    truth: np.ndarray
    labels: np.ndarray
    positive: int | None

    @property
    def y(self) -> np.ndarray:
        """The labels of the cases, as they are passed to an estimator."""
        return np.asarray(self.labels[self.truth])

    def take(self, index: np.ndarray) -> Cases:
        """Some rows, in this order."""
        return replace(self, X=rows(self.X, index), truth=self.truth[index])

    def __len__(self) -> int:
        return len(self.truth)


def read(
    X: Any,
    y: Any,
    positive: Any = None,
    clusters: Any = None,
    role: str = "clusters",
    classes: Sequence[Any] | None = None,
) -> tuple[Cases, np.ndarray | None]:
    """The cases, and for each one the number of its cluster, counted from 0; None without clusters.

    role: the argument that clusters were given as; classes: those of an estimator that is fitted already, of
    which some may not occur. Raises InputError for lengths that differ, missing values,
    one class only, and two classes that are not named.
    """
    if is_indicator(y):
        raise InputError(
            "unsupported",
            "y",
            "several labels per case are not supported here",
            "take one label at a time, as y[:, 0]",
        )
    index = None if clusters is None else columns.read(clusters, role)
    batch = read_cases(
        None, CaseSpec(truth=columns.read(y, "y"), clusters=index, positive=positive)
    ).columns()
    kind_of(batch["truth"])
    numbered = None if index is None else np.unique(batch["clusters"].values, return_inverse=True)[1]
    return _cases(X, batch["truth"], positive, classes), numbered


def _cases(X: Any, column: Column, positive: Any, classes: Sequence[Any] | None) -> Cases:
    features = readable(X, column, "X", "y")
    labels = distinct(column.values)
    if classes is not None and isinstance(labels[0], str) == any(isinstance(each, str) for each in classes):
        labels = sorted({*labels, *classes})
        place = None if len(labels) > 2 else labels.index(positive_of(labels, positive))
        return Cases(features, places(column.values, labels), np.array(labels), place)
    if len(labels) < 2:
        raise InputError(
            "empty",
            "y",
            f"every label is {shown(labels[0])}, and a classifier needs two classes",
            "add cases of another",
            value=labels[0],
        )
    if look_like_amounts(labels, len(column)):
        raise InputError(
            "ambiguous",
            "y",
            f"{len(labels)} different numbers in {len(column)} cases look like amounts, and estimators of"
            " amounts are not supported here",
            "pass labels of classes",
        )
    place = None
    if len(labels) == 2:
        two = BinaryLabels(positive)
        # raises InputError for wrong labels
        RankingTable.from_columns(two, column, columns.read(np.zeros(len(column)), "X"))
        two.judge(column)
        place = labels.index(two.pair()[1])
    elif positive is not None:
        raise InputError(
            "labels",
            "positive",
            f"y has {len(labels)} classes ({listed(labels)}), not two",
            "leave it out or correct the labels",
        )
    every = np.array(labels, dtype=column.values.dtype)
    return Cases(features, np.searchsorted(every, column.values), every, place)


def read_more(X: Any, y: Any, like: Cases) -> Cases:
    """Test cases for the training cases `like`. Raises InputError for labels that do not occur there."""
    column = read_cases(None, CaseSpec(truth=columns.read(y, "y_test"))).columns()["truth"]
    kind_of(column)
    return replace(like, X=readable(X, column, "X_test", "y_test"), truth=codes_of(column, like.labels))


def codes_of(column: Column, labels: np.ndarray) -> np.ndarray:
    """The index of each label. Raises InputError with the first that is none of these."""
    values = column.values
    if (values.dtype.kind in "OU") != (labels.dtype.kind in "OU"):
        raise InputError(
            "unknown-name",
            column,
            f"{shown(values[:1].tolist()[0])} is none of the labels of y, {listed(labels.tolist())}",
        )
    place = places(values, labels.tolist())
    strange = place < 0
    if strange.any():
        row = int(strange.argmax())
        value = shown(values[row : row + 1].tolist()[0])
        raise InputError(
            "unknown-name",
            column,
            f"{value} in {column.row(row)} is none of the labels of y, {listed(labels.tolist())}",
            row=row,
        )
    return place


# Rows
# --------------------------------------------------------------------------------------------------


def readable(X: Any, y: Column, role: str, labels: str) -> Any:
    """X in a form whose rows can be taken. Raises InputError.

    A sparse matrix by columns or coordinates is converted to one by rows.
    """
    if isinstance(X, (str, bytes, dict)) or not (hasattr(X, "shape") or hasattr(X, "__len__")):
        raise InputError(
            "invalid-value",
            role,
            f"features are an array, a list, a data frame or a sparse matrix, not {shown(X)}",
        )
    try:
        number = int(X.shape[0] if len(getattr(X, "shape", ())) else len(X))
    except Exception as reason:  # any error of a foreign type
        raise InputError(
            "invalid-value",
            role,
            f"the rows of a {type(X).__name__} cannot be counted ({shown(reason)})",
            "give a row per case",
        ) from None
    if number != len(y):
        raise InputError(
            "wrong-shape",
            None,
            f"{role} has {number} rows and {labels} has {len(y)}",
            "give one row and one label per case",
        )
    validate.same_order({role: validate.index_of(X), labels: y.index})
    return X.tocsr() if hasattr(X, "tocsr") else X


def rows(X: Any, index: np.ndarray) -> Any:
    """Some rows of X, of any of these types."""
    if hasattr(X, "iloc"):  # pandas
        return X.iloc[index]
    if isinstance(X, (list, tuple)):
        return [X[i] for i in index.tolist()]
    if hasattr(X, "column_names") and hasattr(X, "take"):  # pyarrow
        return X.take(index)
    return X[index]


OF_TWO = (Counts, RankingTable, ConfusionMatrix, ClassScores)
OF_MANY = (ConfusionMatrix, ClassScores)
NEEDED = {"probability": ("predict_proba",), "margin": ("decision_function",)}
ANY_SCORES = ("predict_proba", "decision_function")
HALF = 0.5


class Unable(InputError):  # noqa: N818  # like InputError, it names what is wrong
    """The estimator lacks the method that the measure needs, for every fit."""


@dataclass(frozen=True, slots=True)
class Scorer:
    """A measure, its parameters, and the threshold (None: as the estimator predicts)."""

    entry: Measure
    parameters: Mapping[str, Any]
    threshold: float | None = None

    def value(self, model: Any, cases: Cases) -> tuple[float, Note | None]:
        """The value for a trained model, and the reason where it is NaN."""
        return self.of(self.summary(model, cases))

    def of(self, summary: Any) -> tuple[float, Note | None]:
        """The value for a summary, and the reason where it is NaN."""
        self.entry.check(summary)
        with np.errstate(divide="ignore", invalid="ignore"):
            value = float(self.entry.function(summary, **self.parameters))
        return value, self.entry.why_undefined(summary) if isnan(value) else None

    def summary(self, model: Any, cases: Cases) -> Any:
        """Counts, a ranking table, a matrix or scores per class, as the measure needs it."""
        kind = self.entry.summary
        if kind is RankingTable:
            return RankingTable.from_arrays(
                truth=cases.truth == cases.positive, score=score_of(model, cases, self._methods)
            )
        if kind is ClassScores:
            score = scores_of(model, cases, self._methods)
            labels, weight = tuple(cases.labels.tolist()), np.ones(len(cases))
            return ClassScores(labels, cases.truth.copy(), score, weight)
        if kind is Counts:
            if self.threshold is None and hasattr(model, "predict"):
                called = predicted_of(model, cases) == cases.positive
            else:
                usual = HALF if hasattr(model, "predict_proba") else 0.0
                limit = usual if self.threshold is None else self.threshold
                called = score_of(model, cases, ANY_SCORES) >= limit
            return Counts.from_arrays(truth=cases.truth == cases.positive, predicted=called)
        called, numbers = predicted_of(model, cases), range(len(cases.labels))
        return ConfusionMatrix.from_arrays(truth=cases.truth, predicted=called, classes=numbers)

    @property
    def _methods(self) -> tuple[str, ...]:
        return NEEDED.get(self.entry.scores or "", ANY_SCORES)


def scorer_of(measure: Any, cases: Cases, parameters: Mapping[str, Any] | None, threshold: Any) -> Scorer:
    """A measure in the form that fits the classes, checked. Raises InputError where there is none."""
    name = measure if isinstance(measure, str) else getattr(measure, "name", measure)
    forms, kinds = registry.forms(name), OF_MANY if cases.positive is None else OF_TWO
    entry = next((form for kind in kinds for form in forms if form.summary is kind), None)
    if entry is None:
        known = any(form.summary in OF_TWO for form in forms)
        why = (
            f"y has {len(cases.labels)} classes, and it is for two"
            if known
            else "it is not of classifiers with one label a case"
        )
        raise InputError(
            "unsupported",
            "measure",
            f"{forms[0].name} cannot be taken here, since {why}",
            f"choose another; {registry.all_listed()}",
        )
    check_scores(entry)
    if threshold is not None and entry.summary is not Counts:
        raise InputError(
            "conflict",
            "threshold",
            f"{entry.name} does not use one",
            "leave it out, or choose a measure of counts",
        )
    limit = None if threshold is None else validate.threshold(threshold)
    return Scorer(entry, entry.checked(parameters_of(parameters)), limit)


def parameters_of(given: Mapping[str, Any] | None) -> dict[str, Any]:
    """The parameters that are passed as a mapping. Raises InputError for anything else."""
    if given is not None and not isinstance(given, Mapping):
        raise InputError(
            "invalid-value",
            "parameters",
            f"{shown(given)} is not understood",
            'as {"beta": 0.5}',
            value=given,
        )
    return dict(given or {})


def check_scores(entry: Measure) -> None:
    """Raises InputError for a measure of scores that no estimator gives."""
    if entry.scores == "llr":
        raise InputError(
            "unsupported",
            "measure",
            f"{entry.name} needs likelihood ratios, which no estimator gives",
            "choose another, as log_loss",
        )


def by_chance(summary: Any) -> Any:
    """The summary of every prediction combined with every true label, each pair with weight 1/n.

    Efron and Tibshirani (1997, Section 5) define the no-information error rate in this way.
    """
    if not isinstance(summary, ClassScores):
        return guessing(summary)
    size, cases = len(summary.labels), len(summary.truth)
    truth = np.repeat(np.arange(size), cases)
    weight = np.repeat(summary.sizes / summary.total, cases) * np.tile(summary.weight, size)
    return ClassScores(summary.labels, truth, np.tile(summary.score, (size, 1)), weight)


# Predictions and scores
# --------------------------------------------------------------------------------------------------


def predicted_of(model: Any, cases: Cases) -> np.ndarray:
    """The index of the predicted label of each case."""
    if not hasattr(model, "predict"):
        raise Unable(
            "estimator",
            "estimator",
            "it has no method predict, which the measure needs",
            "add one, or choose a measure of scores",
        )
    answers = np.asarray(model.predict(cases.X))
    column = columns.read(
        answers[:, 0] if answers.ndim == 2 and answers.shape[1] == 1 else answers, "predict"
    )
    validate.same_length(columns.read(cases.truth, "X"), column)
    validate.no_gaps(column)
    return codes_of(column, cases.labels)


def score_of(model: Any, cases: Cases, methods: tuple[str, ...]) -> np.ndarray:
    """One score per case; higher scores are for positives."""
    return scores_of(model, cases, methods)[:, cases.positive]


def scores_of(model: Any, cases: Cases, methods: tuple[str, ...]) -> np.ndarray:
    """A score per case and class; for two classes with one score, p and 1 - p, or s and -s."""
    name, answers = _answers_of(model, cases, methods)
    if answers.ndim == 1:
        other = 1 - answers if name == "predict_proba" else -answers
        return np.column_stack([other, answers])
    # a support vector machine may have columns for pairs of classes; three classes have as many pairs
    settings = model.get_params(deep=True) if hasattr(model, "get_params") else {}
    if name == "decision_function" and any(
        each.rpartition("__")[2] == "decision_function_shape" and value == "ovo"
        for each, value in settings.items()
    ):
        raise Unable(
            "estimator",
            "estimator",
            "its decision_function compares pairs of classes",
            "pass decision_function_shape='ovr' to it",
        )
    return _by_class(name, answers, model, cases)


def _answers_of(model: Any, cases: Cases, methods: tuple[str, ...]) -> tuple[str, np.ndarray]:
    name = next((name for name in methods if hasattr(model, name)), None)
    if name is None:
        needed = " or ".join(methods)
        raise Unable(
            "estimator",
            "estimator",
            f"it has no method {needed}, which the measure needs",
            "wrap it so that it has one, or choose another",
        )
    frame = getattr(model, name)(cases.X)
    _check_names(name, list(getattr(frame, "column_names", getattr(frame, "columns", ()))), model)
    answers = np.asarray(frame, np.float64)
    if answers.ndim not in (1, 2) or len(answers) != len(cases):
        raise InputError(
            "estimator", name, f"shape {answers.shape} for {len(cases)} cases", "one row per case is needed"
        )
    if np.isnan(answers).any():
        row = int(np.isnan(answers.reshape(len(answers), -1)).any(axis=1).argmax())
        raise InputError(
            "estimator",
            name,
            f"NaN in {validate.row_at(row)}, which cannot be ranked",
            "correct the estimator",
        )
    if answers.ndim == 1 and len(cases.labels) > 2:
        raise InputError(
            "estimator",
            name,
            f"one number per case for {len(cases.labels)} classes",
            "one per class is needed",
        )
    if answers.ndim == 1 and len(getattr(model, "classes_", cases.labels)) < 2:
        raise InputError("estimator", name, f"the estimator was trained on 1 of {len(cases.labels)} classes")
    return name, answers


def _check_names(name: str, names: list[Any], model: Any) -> None:
    """Raises InputError where a frame names its columns after the classes in another order than classes_."""
    if len(names) < 2 or not hasattr(model, "classes_"):
        return
    classes = np.asarray(model.classes_).tolist()
    if len(names) != len(classes):
        return
    order = matched(columns.read(classes, "classes_"), classes, [str(one) for one in names], classes).order
    if order != list(range(len(order))):
        raise InputError(
            "estimator",
            name,
            f"its columns are named {listed(names)}, and classes_ is {listed(classes)}",
            "correct the estimator: both have the same order",
        )


def _by_class(name: str, answers: np.ndarray, model: Any, cases: Cases) -> np.ndarray:
    """The columns in the order of the labels, with probability 0 for a class absent in training."""
    known = columns.read(np.asarray(getattr(model, "classes_", cases.labels)), "classes_")
    if answers.shape[1] != len(known):
        raise InputError(
            "estimator",
            name,
            f"{answers.shape[1]} columns for {len(known)} classes",
            "one per class is needed",
        )
    place = codes_of(known, cases.labels)
    if len(place) < len(cases.labels) and name != "predict_proba":
        raise InputError(
            "estimator", name, f"the estimator was trained on {len(place)} of {len(cases.labels)} classes"
        )
    full = np.zeros((len(answers), len(cases.labels)))
    full[:, place] = answers
    return full


LARGEST_STATE = 2**31 - 1  # accepted as random_state by every library
NO_CASE = Note("no-case-left")
LONGEST = 300  # characters of an exception's text


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of one fit.

    value: NaN with the reason where it is undefined, or with the error where the fit failed.
    """

    value: float
    reason: Note | None = None
    error: str | None = None


def check(estimator: Any) -> None:
    """Raises InputError for an object that cannot be trained."""
    if isinstance(estimator, type):
        name = estimator.__name__
        raise InputError(
            "estimator", "estimator", f"{name} is a class", f"pass an instance of it, as {name}()"
        )
    if not callable(getattr(estimator, "fit", None)):
        raise InputError(
            "estimator",
            "estimator",
            f"{shown(estimator)} has no method fit(X, y), so that it cannot be trained",
            value=estimator,
        )


def fresh(estimator: Any) -> Any:
    """An untrained copy.

    By the conventions of scikit-learn, without it from the parameters if there are any, else a deep copy.
    """
    if isinstance(estimator, (list, tuple)) and type(estimator) in (list, tuple):
        return type(estimator)(fresh(one) for one in estimator)
    if isinstance(estimator, type) or not hasattr(estimator, "get_params"):
        return copy.deepcopy(estimator)
    if hasattr(estimator, "__sklearn_clone__"):
        return estimator.__sklearn_clone__()
    return type(estimator)(**{name: fresh(value) for name, value in estimator.get_params(deep=False).items()})


def seed(estimator: Any, rng: np.random.Generator) -> None:
    """Sets every parameter that is named random_state, also those of nested estimators."""
    if not hasattr(estimator, "get_params"):
        raise Unable(
            "estimator",
            "seed_estimator",
            "the estimator has no get_params, so that its random_state cannot be set",
            "leave it out",
        )
    names = [name for name in estimator.get_params(deep=True) if name.rpartition("__")[2] == "random_state"]
    if names:
        estimator.set_params(**{name: int(rng.integers(LARGEST_STATE)) for name in names})


@dataclass(frozen=True, slots=True)
class Fitting:
    """An estimator, a measure, and whether random_state is set for each fit."""

    estimator: Any
    scorer: Scorer
    seed_estimator: bool = False

    def model(self, train: Cases, rng: np.random.Generator) -> Any:
        """A trained copy."""
        model = fresh(self.estimator)
        if self.seed_estimator:
            seed(model, rng)
        model.fit(train.X, train.y)
        return model

    def outcome(self, train: Cases, test: Cases, rng: np.random.Generator) -> Outcome:
        """The outcome of a copy trained on some cases and measured on others."""
        if not len(test.truth):
            return Outcome(np.nan, NO_CASE)
        try:
            return Outcome(*self.scorer.value(self.model(train, rng), test))
        except Unable:
            raise  # the call is wrong, for every fit
        except Exception as reason:  # any error of a foreign estimator is counted and reported
            return Outcome(np.nan, error=said_of(reason))


@contextmanager
def foreign(problem: str, code: str = "estimator", argument: str = "estimator") -> Iterator[None]:
    """Raises any error of foreign code as an InputError."""
    try:
        yield
    except InputError:
        raise
    except Exception as reason:
        raise InputError(code, argument, f"{problem} ({said_of(reason)})") from reason


def said_of(reason: Exception) -> str:
    """The type of an exception, and its text on one line."""
    text = " ".join(str(reason).split())
    short = text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
    return f"{type(reason).__name__}: {short}" if short else type(reason).__name__
