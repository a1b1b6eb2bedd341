"""Resampling with retraining: cross-validation, the out-of-bag bootstrap, and a permutation test."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import KW_ONLY, dataclass, field, replace
from functools import partial
from itertools import combinations
from math import isnan, nan
from typing import Any, Literal, get_args

import numpy as np

from ..evaluation.advice import guessing
from ..evaluation.notices import Notice, number_of
from ..inference import Estimate, interval
from ..inference.interval import percentiles
from ..inference.over_folds import NO_VALUE, less, mean_over_folds
from ..inference.replicates import WORD, Draws, draws
from ..input import CaseSpec, columns, read as read_cases, validate
from ..input.calls import public
from ..input.columns import Column
from ..input.errors import option
from ..input.labels import BinaryLabels, brief, distinct, kind_of, look_like_amounts, places, positive_of
from ..input.messages import Note, Notes, joined, text_of
from ..input.names import listed
from ..input.results import Answer, ByName, Entry, Result, Tabular, equal_as_tuples, head, plain
from ..input.score_columns import is_indicator, matched
from ..input.terminal import progress_bar
from ..input.validate import InputError, shown, some
from ..measures import registry
from ..measures.registry import Measure
from ..summaries import ClassScores, ConfusionMatrix, Counts, RankingTable

# Cases with their features, an estimator of any library that is trained on some, and measured on others
# --------------------------------------------------------------------------------------------------
#
# Features are arrays, lists, data frames or sparse matrices. The predictions become the summary that the
# measure is computed from. Errors of an estimator are recorded.


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
            f"y has {len(labels)} classes ({brief(labels)}), not two",
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
            f"{shown(values[:1].tolist()[0])} is none of the labels of y, {brief(labels.tolist())}",
        )
    place = places(values, labels.tolist())
    strange = place < 0
    if strange.any():
        row = int(strange.argmax())
        value = shown(values[row : row + 1].tolist()[0])
        raise InputError(
            "unknown-name",
            column,
            f"{value} in {column.row(row)} is none of the labels of y, {brief(labels.tolist())}",
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
            f"its columns are named {brief(names)}, and classes_ is {brief(classes)}",
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


# Resampling with retraining: an estimator is trained and measured on many splits of the cases
# --------------------------------------------------------------------------------------------------
#
# Cross-validation, the out-of-bag bootstrap and the permutation test are three ways to split; everything else
# is the same: the arguments, the fits, in one process or several with the same result either way, and the
# count of those that failed. Each fit has its own random stream.

MOST_FITS, MOST_FOLDS = 1e7, 1e6
NEW = 0.632  # the proportion of cases in a bootstrap set, 1 - 1/e
ROUNDING = 1e-12  # relative difference of sums in another order
Counting = Literal["with-observed", "permuted-only"]
COUNTINGS = get_args(Counting)
NO_INTERVAL = Note("point-estimate")
NO_JOBLIB = Notice("joblib-missing")

# a split of the cases: those to train on, those to measure, and the random numbers of the fits
Split = tuple[Cases, Cases, np.random.Generator]


# Estimators, cases and a measure
# --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, repr=False)
class Lost(Result):
    """The fits that failed, and the values that are undefined, each with the first reason."""

    failed: int = 0
    first_error: str | None = None
    undefined: int = 0
    first_reason: Note | None = None

    @property
    def notices(self) -> tuple[Notice, ...]:
        """The notices on these."""
        return self.notices_of(None)

    def notices_of(self, estimator: str | None) -> tuple[Notice, ...]:
        """The notices on one estimator of several."""
        of = {} if estimator is None else {"model": estimator}
        failed = Notice("fits-failed", fits=self.failed, error=self.first_error, **of)
        undefined = Notice("values-undefined", values=self.undefined, because=self.first_reason, **of)
        return (failed,) * bool(self.failed) + (undefined,) * bool(self.undefined)


@dataclass(frozen=True, slots=True, eq=False)
class Resampled(Answer):
    """What the three results have: the measure, its direction, and how the fits went.

    lost: of one estimator, or of each of several; rows: the number of cases, or of training and test cases.
    """

    measure: str
    better: str | None
    _: KW_ONLY
    level: float = 0.95
    seed: int = 0
    lost: Any = field(default_factory=Lost)
    rows: Any = 0
    notes: tuple[Notice, ...] = ()

    @property
    def notices(self) -> tuple[Notice, ...]:
        """What failed, and how it was run."""
        return (*self.lost.notices, *self.notes)


@dataclass(frozen=True, slots=True)
class Refits:
    """What all fits gave: values by estimator, the ratio of test to training cases, and what was lost."""

    values: np.ndarray
    ratios: np.ndarray
    lost: tuple[Lost, ...]
    notes: tuple[Notice, ...]


@dataclass(frozen=True, slots=True)
class Refitting:
    """Estimators to train again and again on splits of some cases, and the measure of what they predict.

    cluster: for each case the number of its cluster or block, None without any.
    """

    fittings: dict[str, Fitting]
    cases: Cases
    cluster: np.ndarray | None
    scorer: Scorer
    level: float
    jobs: int
    seed: int
    progress: Any

    @classmethod
    def of(
        cls,
        estimators: dict[str, Any],
        X: Any,
        y: Any,
        clusters: Any,
        *,
        measure: str,
        parameters: Mapping[str, Any] | None,
        positive: Any,
        threshold: float | None,
        level: float,
        jobs: int,
        rng: int | np.random.Generator,
        seed_estimator: bool,
        progress: Any,
        role: str = "clusters",
    ) -> Refitting:
        """From the arguments of the public functions, checked."""
        cases, cluster = read(X, y, positive, clusters, role)
        scorer = scorer_of(measure, cases, parameters, threshold)
        seeded = validate.flag(seed_estimator, "seed_estimator")
        return cls(
            {name: Fitting(each, scorer, seeded) for name, each in estimators.items()},
            cases,
            cluster,
            scorer,
            validate.level(level),
            checked_jobs(jobs),
            validate.seed(rng),
            checked_progress(progress),
        )

    def whole(self, stream: np.random.SeedSequence, test: Cases) -> tuple[Any, float, Note | None]:
        """The model trained on the cases as they are, its value on others, and why that is undefined.

        Raises InputError where that fails: no resample is worth a fit then.
        """
        (fitting,) = self.fittings.values()
        with foreign("it cannot be trained on these cases"):
            model = fitting.model(self.cases, np.random.default_rng(stream))
        with foreign("it was trained, but cannot predict"):
            return model, *self.scorer.value(model, test)

    def strata(self, stratified: Any) -> np.ndarray | None:
        """The classes of the cases where these are kept apart: by default, if there are no clusters.

        Raises InputError for both.
        """
        if stratified is None:
            return self.cases.truth if self.cluster is None else None
        if validate.flag(stratified, "stratified") and self.cluster is not None:
            raise InputError(
                "conflict",
                "stratified",
                "clusters are drawn whatever their classes",
                "leave out one of the two",
            )
        return self.cases.truth if stratified else None

    def streams(self, number: int) -> list[np.random.SeedSequence]:
        """Independent random streams, one per fit, so that the order of the fits does not matter."""
        return np.random.SeedSequence(self.seed).spawn(number)

    def run(self, split: Callable[..., Split], tasks: Sequence[Any]) -> Refits:
        """Every estimator trained and measured on the split of each task.

        Raises InputError where all fits fail.
        """
        work = partial(_refit, list(self.fittings.values()), split)
        results, notes = run(work, tasks, self.jobs, self.progress)
        by_estimator = list(zip(*(outcomes for outcomes, _ in results), strict=True))
        return Refits(
            validate.frozen(np.array([[fit.value for fit in outcomes] for outcomes in by_estimator], float)),
            np.array([ratio for _, ratio in results]),
            tuple(map(lost, by_estimator)),
            tuple(notes),
        )


def _refit(fittings: list[Fitting], split: Callable[..., Split], task: Any) -> tuple[list[Outcome], float]:
    """The outcome of every estimator, all from the same random numbers, and the ratio of test to training."""
    train, test, rng = split(task)
    outcomes = [fitting.outcome(train, test, copy.deepcopy(rng)) for fitting in fittings]
    return outcomes, len(test) / len(train)


def lost(outcomes: Sequence[Outcome]) -> Lost:
    """The failures among these outcomes. Raises InputError where every fit failed."""
    failed = [each.error for each in outcomes if each.error is not None]
    undefined = [each.reason for each in outcomes if each.reason is not None]
    if failed and len(failed) == len(outcomes):
        raise InputError(
            "estimator",
            "estimator",
            f"every one of {number_of(len(failed), 'fit')} failed, the first with {failed[0]}",
        )
    return Lost(len(failed), next(iter(failed), None), len(undefined), next(iter(undefined), None))


def run(
    work: Callable[[Any], Any], tasks: Sequence[Any], jobs: int, progress: Any
) -> tuple[list[Any], list[Notice]]:
    """The results of the work on every task, in order, and notices on how it was done."""
    results, notes = map(work, tasks), []
    if jobs != 1:
        try:
            import joblib
        except ImportError:
            notes = [NO_JOBLIB]
        else:
            parallel = joblib.Parallel(n_jobs=jobs, return_as="generator")
            results = parallel(joblib.delayed(work)(task) for task in tasks)
    done = []
    # the caller's function; by default a progress bar on a terminal, and nothing in a pipe
    told = progress_bar("fits", len(tasks)) if progress is None else nullcontext(progress or None)
    with told as tell:
        for result in results:
            done.append(result)
            if tell:
                tell(len(done))
    return done, notes


def checked_jobs(jobs: Any) -> int:
    """The number of processes: 1, more, or -1 for one per core."""
    if validate.whole(jobs, "jobs", -1, 4096) == 0:
        raise InputError(
            "invalid-value",
            "jobs",
            "0 is not possible",
            "give a whole number from 1 on, or -1 for one process per core",
        )
    return int(jobs)


def checked_progress(progress: Any) -> Any:
    """None, False or a function."""
    if progress is not None and progress is not False and not callable(progress):
        raise InputError(
            "invalid-value",
            "progress",
            f"{shown(progress)} is not understood",
            "pass a function of the number of fits done, or False",
            value=progress,
        )
    return progress


# Cross-validation
# --------------------------------------------------------------------------------------------------


@public()
def cross_validate(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    measure: str = "roc_auc",
    folds: int = 10,
    repeats: int = 10,
    level: float = 0.95,
    stratified: bool | None = None,
    clusters: Any = None,
    parameters: Mapping[str, Any] | None = None,
    positive: Any = None,
    threshold: float | None = None,
    jobs: int = 1,
    rng: int | np.random.Generator = 0,
    seed_estimator: bool = False,
    progress: Any = None,
) -> CrossValidation:
    """Estimate performance by repeated cross-validation, with corrected intervals and tests.

    Intervals and tests are those of Nadeau and Bengio.

    Parameters
    ----------
    estimator : object, or list or dict of several
        One as for `permutation_test`, or several, as a dict with their names: all are trained and measured on
        the same folds.
    X : array, list, data frame or sparse matrix
        Features, a row per case.
    y : array
        Labels, two classes or more.
    measure : str, default "roc_auc"
        Name of a measure of classifiers.
    folds, repeats : int, default 10
        Number of folds, and of repeats, each with a new assignment of the cases to folds.
    level : float, default 0.95
        Confidence level of the intervals, above 0 and below 1.
    stratified : bool, optional
        Whether each class is spread evenly over the folds, by default True without clusters.
    clusters : array, optional
        The cluster of each case; all cases of a cluster are in one fold.
    parameters : mapping, optional
        Parameters of the measure, as {"beta": 2}.
    positive : label, optional
        The positive label, where labels are not 0/1, -1/1, false/true or no/yes.
    threshold : float, optional
        Score from which on cases are predicted positive, for measures of counts. By default as the estimator
        predicts; without predict a probability of 0.5 or a decision function of 0.
    jobs : int, default 1
        Number of processes (joblib), -1 for one per core. The result does not depend on it.
    rng : int or numpy.random.Generator, default 0
        Seed of the resampling.
    seed_estimator : bool, default False
        Whether random_state of the estimator is set to another value for each fit. With random_state=None it
        draws its own.
    progress : callable or False, optional
        Called with the number of fits done. By default a progress bar on a terminal, with False none.

    Returns
    -------
    CrossValidation
        With the estimates by estimator, their differences, and the values.

    Raises
    ------
    InputError
        Where every fit fails, and for input that is wrong.

    Notes
    -----
    The mean of the J = folds x repeats values has the interval mean +- t(J - 1) x sqrt((1/J + n_test/n_train)
    s^2), where s^2 is their variance. The second term allows for the training cases that folds share; without
    it the interval would shrink as repeats are added, and tests would reject too often. It is clipped to the
    range of the measure. It applies to models trained on (folds - 1)/folds of the cases, and is an
    approximation without a proof. Two estimators are compared by the same formula for the differences of
    their values; p-values of several pairs are not adjusted. Fits that fail, and values that are undefined,
    as where a fold lacks a class, are counted and omitted.

    Differs: scikit-learn's cross_val_score returns the values alone; their standard deviation over the square
    root of J is too small by a factor of about sqrt(1 + J/(folds - 1)).

    References
    ----------
    Nadeau and Bengio (2003), Machine Learning 52, 239-281; for repeated cross-validation Bouckaert and Frank
    (2004).

    Examples
    --------
    >>> import tallymark as tm
    >>> from sklearn.linear_model import LogisticRegression
    >>> X, y = [[0, 1], [1, 3], [2, 0], [3, 2], [4, 4], [5, 1], [6, 3], [7, 0]], [0, 0, 0, 0, 1, 1, 1, 1]
    >>> tm.cross_validate(LogisticRegression(), X, y, folds=2, repeats=2, progress=False).estimate.value
    1.0
    """
    study = Refitting.of(
        estimators_by_name(estimator), X, y, clusters, measure=measure, parameters=parameters,
        positive=positive, threshold=threshold, level=level, jobs=jobs, rng=rng,
        seed_estimator=seed_estimator, progress=progress,
    )  # fmt: skip
    strata = study.strata(stratified)
    most, what = (
        (len(study.cases), "cases") if study.cluster is None else (int(study.cluster.max()) + 1, "clusters")
    )
    number = validate.whole(folds, "folds", 2, MOST_FOLDS)
    if number > most:
        raise InputError(
            "invalid-value",
            "folds",
            f"{number} of {most} {what} is not possible, since every fold needs one",
            "give fewer",
        )
    times = validate.whole(repeats, "repeats", 1, MOST_FOLDS)
    tasks = [(deal, fit, i) for deal in study.streams(times) for i, fit in enumerate(deal.spawn(number))]
    refits = study.run(partial(_fold, study.cases, number, strata, study.cluster), tasks)
    return CrossValidation(
        measure=study.scorer.entry.name, better=study.scorer.entry.better, names=tuple(study.fittings),
        values=refits.values, shares=refits.ratios, range=study.scorer.entry.range, folds=number,
        repeats=times, level=study.level, seed=study.seed, rows=len(study.cases), lost=refits.lost,
        notes=refits.notes,
    )  # fmt: skip


def estimators_by_name(estimator: Any) -> dict[str, Any]:
    """Estimators by name. Raises InputError for none, and for objects that cannot be trained."""
    if isinstance(estimator, Mapping):
        named = {str(name): one for name, one in estimator.items()}
    elif isinstance(estimator, Sequence) and not isinstance(estimator, str) and not hasattr(estimator, "fit"):
        given = some(estimator, "estimator", "estimators")
        kinds = [type(one).__name__ for one in given]
        named = {
            kind if kinds.count(kind) == 1 else f"{kind} {i + 1}": one
            for i, (kind, one) in enumerate(zip(kinds, given, strict=True))
        }
    else:
        named = {type(estimator).__name__: estimator}
    if not named:
        raise InputError(
            "needed",
            "estimator",
            "there is none",
            "pass one, or several as a list or a dict with their names",
        )
    for each in named.values():
        check(each)
    return named


def _fold(cases: Cases, number: int, strata: Any, cluster: Any, task: Any) -> Split:
    """All folds but one, and that one.

    Every worker assigns the cases of a repeat to folds itself, from the same random stream.
    """
    deal, fit, i = task
    inside = assign_folds(np.random.default_rng(deal), number, strata, cluster, len(cases)) == i
    return (
        cases.take(np.flatnonzero(~inside)),
        cases.take(np.flatnonzero(inside)),
        np.random.default_rng(fit),
    )


def assign_folds(
    rng: np.random.Generator, number: int, strata: np.ndarray | None, clusters: np.ndarray | None, size: int
) -> np.ndarray:
    """The fold of each case, 0 to number - 1, assigned at random, by stratum or by cluster."""
    if clusters is not None:
        return np.asarray(assign_folds(rng, number, None, None, int(clusters.max()) + 1)[clusters])
    order = rng.permutation(size)
    if strata is not None:
        order = order[np.argsort(strata[order], kind="stable")]
    dealt = np.empty(size, np.int64)
    dealt[order] = np.arange(size) % number
    return dealt


@dataclass(frozen=True, slots=True, repr=False)
class Difference(Result):
    """The difference of two estimators on the same folds, first less second.

    Attributes
    ----------
    first, second : str
        The names of the estimators.
    estimate : Estimate
        The mean difference with its interval.
    statistic, df, p_value : float, int and float
        Those of the two-sided corrected resampled t-test.
    """

    first: str
    second: str
    estimate: Estimate
    statistic: float
    df: int
    p_value: float

    __eq__ = equal_as_tuples

    @property
    def note(self) -> str | None:
        """The sentences of the estimate: why there is no difference, and its notes."""
        return text_of(joined(self.estimate.undefined, self.estimate.notes))


@dataclass(frozen=True, slots=True, eq=False)
class CrossValidation(ByName, Resampled, Tabular):
    """Cross-validated estimates of one estimator or several.

    Attributes
    ----------
    measure : str
        Its name.
    better : str or None
        Which values of the measure are better, "higher" or "lower"; None where neither is.
    names : tuple of str
        Names of the estimators.
    values : array of float, shape (estimators, folds x repeats)
        A row for each estimator, a column per fold and repeat, NaN where there is none.
    shares : array of float, shape (folds x repeats,)
        The ratio of test to training cases of each fold.
    range : pair of float
        Range of the measure.
    folds, repeats : int
        Number of folds, and of repeats.
    level : float
        The confidence level, above 0 and below 1.
    seed : int
        Seed of the random numbers.
    rows : int
        Number of cases.
    lost : tuple of Lost
        Fits that failed, and values that are undefined, by estimator.
    notes : tuple of Notice
        Notices on how it was run.
    """

    ANSWER = "cross_validation"
    FORM = "studies.cross_validation"
    HOLDS, ROW, PART = "estimates", "estimator", "an estimator"

    names: tuple[str, ...]
    values: np.ndarray
    shares: np.ndarray
    range: tuple[float, float]
    folds: int
    repeats: int

    @property
    def estimate(self) -> Estimate:
        """The estimate of a single estimator. Raises InputError where there are several."""
        if len(self.names) > 1:
            raise InputError(
                "needed",
                None,
                f"There are {len(self.names)} estimators",
                f"ask for one by its name, as result[{self.names[0]!r}]",
            )
        return self.estimates[self.names[0]]

    @property
    def estimates(self) -> dict[str, Estimate]:
        """By estimator the mean with its interval."""
        every = zip(self.names, self.values, self.lost, strict=True)
        return {
            name: mean_over_folds(values, self.shares).estimate(
                self.range, self.level, gone.first_reason or NO_VALUE
            )
            for name, values, gone in every
        }

    @property
    def differences(self) -> tuple[Difference, ...]:
        """The difference of every two estimators, first less second."""
        pairs = combinations(zip(self.names, self.values, strict=True), 2)
        low, high = self.range
        ends = (low - high, high - low)
        return tuple(
            Difference(
                first,
                second,
                *mean_over_folds(less(of_first, of_second), self.shares).tested(ends, self.level),
            )
            for (first, of_first), (second, of_second) in pairs
        )

    @property
    def notices(self) -> tuple[Notice, ...]:
        """What failed, by estimator, and how it was run."""
        of_fits = zip(self.names, self.lost, strict=True)
        return (*(notice for name, gone in of_fits for notice in gone.notices_of(name)), *self.notes)

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        return {
            **head(self.ANSWER),
            "measure": self.measure,
            "better": self.better,
            "folds": self.folds,
            "repeats": self.repeats,
            "cases": self.rows,
            "seed": self.seed,
            "estimates": {name: estimate.to_dict() for name, estimate in self.estimates.items()},
            "lost": {name: gone.to_dict() for name, gone in zip(self.names, self.lost, strict=True)},
            "differences": [one.to_dict() for one in self.differences],
            "values": {
                name: [plain(value, infinite=True) for value in row]
                for name, row in zip(self.names, self.values.tolist(), strict=True)
            },
            "notices": [notice.to_dict() for notice in self.notices],
        }

    def __repr__(self) -> str:
        values = ", ".join(f"{name} {mean.value:.4g}" for name, mean in self.estimates.items())
        return f"<CrossValidation {self.measure}: {values}>"


# The out-of-bag bootstrap
# --------------------------------------------------------------------------------------------------


@listed(
    "interval",
    "tm.bootstrap_out_of_bag(estimator, X, y)",
    aka=(
        "bootstrap_by_retraining",
        "out_of_bag_bootstrap",
        "out_of_bag",
        "oob",
        "bootstrap_632",
        "bootstrap_632_plus",
    ),
)
@public()
def bootstrap_out_of_bag(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    measure: str = "roc_auc",
    replicates: int = 200,
    level: float = 0.95,
    stratified: bool | None = None,
    clusters: Any = None,
    parameters: Mapping[str, Any] | None = None,
    positive: Any = None,
    threshold: float | None = None,
    jobs: int = 1,
    rng: int | np.random.Generator = 0,
    seed_estimator: bool = False,
    progress: Any = None,
) -> OutOfBag:
    """Estimate the expected performance of an estimator by the out-of-bag bootstrap.

    It is trained on bootstrap sets, and each time measured on the cases left out.

    Parameters
    ----------
    estimator : object
        An object with fit(X, y) and the method that the measure needs: predict_proba, else decision_function
        for scores (predict_proba alone for measures of probabilities), predict for labels. It is cloned for
        each fit.
    X : array, list, data frame or sparse matrix
        Features, a row per case.
    y : array
        Labels, two classes or more.
    measure : str, default "roc_auc"
        Name of a measure of classifiers.
    replicates : int, default 200
        Number of bootstrap sets, each as large as the data.
    level : float, default 0.95
        Proportion of the values between the percentiles.
    stratified : bool, optional
        True: each set holds as many cases of each class as the data, the default without clusters. False: the
        cases are drawn uniformly, as in Berrar, Definition 38.
    clusters : array, optional
        The cluster of each case, as its patient. Whole clusters are drawn, and left out.
    parameters : mapping, optional
        Parameters of the measure, as {"beta": 2}.
    positive : label, optional
        The positive label, where labels are not 0/1, -1/1, false/true or no/yes.
    threshold : float, optional
        Score from which on cases are predicted positive, for measures of counts. By default as the estimator
        predicts; without predict a probability of 0.5 or a decision function of 0.
    jobs : int, default 1
        Number of processes (joblib), -1 for one per core. The result does not depend on it.
    rng : int or numpy.random.Generator, default 0
        Seed of the resampling.
    seed_estimator : bool, default False
        Whether random_state of the estimator is set to another value for each fit. With random_state=None it
        draws its own.
    progress : callable or False, optional
        Called with the number of fits done. By default a progress bar on a terminal, with False none.

    Returns
    -------
    OutOfBag
        With out_of_bag, the mean over the bootstrap sets with the percentiles of their values; apparent, the
        value of a model trained and measured on all cases; estimate_632 and estimate_632_plus.

    Raises
    ------
    InputError
        Where the estimator fails on all cases, where every fit fails, and for input that is wrong.

    Notes
    -----
    The .632 estimate is 0.368 apparent + 0.632 out-of-bag. The .632+ estimate gives the out-of-bag value more
    weight the more the model overfits, which is measured by the value for every prediction combined with
    every actual label (`no_information`). For a measure of which a higher value is better the signs are
    reversed. The percentiles show the variation between models trained on some 63 % of the cases and measured
    on 37 %, which is not a confidence interval in the strict sense (see the page on retraining). Fits that
    fail, and values that are undefined, as where a class was not left out, are counted and omitted.

    Differs: mlxtend uses the training error, and the weight of .632+, of each bootstrap model separately;
    Efron and Tibshirani average first over the sets that leave a case out, then over cases.

    References
    ----------
    Berrar, Definition 38 and Eq. 48. Efron (1983). Efron and Tibshirani (1997).

    Examples
    --------
    >>> import tallymark as tm
    >>> from sklearn.linear_model import LogisticRegression
    >>> X, y = [[0, 1], [1, 3], [2, 0], [3, 2], [4, 4], [5, 1], [6, 3], [7, 0]], [0, 0, 0, 0, 1, 1, 1, 1]
    >>> tm.bootstrap_out_of_bag(LogisticRegression(), X, y, replicates=20, progress=False).apparent.value
    1.0
    """
    check(estimator)
    study = Refitting.of(
        {"": estimator}, X, y, clusters, measure=measure, parameters=parameters, positive=positive,
        threshold=threshold, level=level, jobs=jobs, rng=rng, seed_estimator=seed_estimator,
        progress=progress,
    )  # fmt: skip
    size = validate.whole(replicates, "replicates", 2, MOST_FITS)
    strata = study.strata(stratified)
    first, *others = study.streams(size + 1)
    model, value, reason = study.whole(first, study.cases)
    chance, none = study.scorer.of(by_chance(study.scorer.summary(model, study.cases)))
    refits = study.run(partial(_left_out, study.cases, strata, study.cluster), others)
    return OutOfBag(
        measure=study.scorer.entry.name, better=study.scorer.entry.better, values=refits.values[0],
        out_of_bag=_mean(refits.values[0], study.level, refits.lost[0]),
        apparent=Estimate(value, undefined=reason, notes=(Note("of-training-cases"),)),
        no_information=Estimate(chance, undefined=none), level=study.level, seed=study.seed,
        lost=refits.lost[0], rows=len(study.cases), notes=refits.notes,
    )  # fmt: skip


def _left_out(
    cases: Cases, strata: np.ndarray | None, cluster: np.ndarray | None, stream: np.random.SeedSequence
) -> Split:
    """A bootstrap set, and the cases that are not in it."""
    rng = np.random.default_rng(stream)
    times = bootstrap_set(rng, len(cases), strata, cluster)
    drawn = np.repeat(np.arange(len(cases)), times)
    return cases.take(drawn), cases.take(np.flatnonzero(times == 0)), rng


def bootstrap_set(
    rng: np.random.Generator, size: int, strata: np.ndarray | None, clusters: np.ndarray | None
) -> np.ndarray:
    """How often each case is drawn: as many of each stratum, or as many clusters, as there are."""
    how = Draws(1, "cohort" if strata is None else "case-control", seed=int(rng.integers(WORD >> 1)))
    (times,) = next(draws(how, np.zeros(size, np.uint8) if strata is None else strata, clusters))
    return np.asarray(times)


def _mean(values: np.ndarray, level: float, gone: Lost) -> Estimate:
    """The mean of the values that are not NaN, with percentiles unless all are equal."""
    values = values[~np.isnan(values)]
    if not len(values):
        return Estimate(
            nan, level=level, undefined=gone.first_reason or Note("no-value-of", unit="replicate")
        )
    if not np.isfinite(values).all():
        return Estimate(float(values[np.isinf(values)][0]), level=level, notes=(Note("replicates-infinite"),))
    mean = float(values.mean())
    if values.min() == values.max():
        return Estimate(mean, level=level, notes=(Note("replicates-alike"),))
    low, high = (float(end) for end in percentiles(values, level))
    few = len(values) * (1 - level) / 2 < 1
    notes = joined(Note("too-few-replicates", replicates=len(values)) if few else None)
    return Estimate(mean, low, high, level, "out-of-bag percentile", notes=notes)


def plus(apparent: float, out_of_bag: float, by_chance: float, sign: int) -> tuple[float, float]:
    """The .632+ estimate and the relative overfitting rate R, from 0 to 1.

    Source: Efron and Tibshirani (1997), Eqs. 24-32. sign: 1 where higher values are better, -1 for losses. R
    = (out-of-bag - apparent) / (by chance - apparent), the out-of-bag value being no worse than chance; 0
    where there is no overfitting, or chance is no worse than the apparent value. Differs: Eq. 32 takes an
    out-of-bag value worse than chance unchanged in its .632 part, so that the estimate is worse than chance,
    too.
    """
    error, outside, chance = (-sign * value for value in (apparent, out_of_bag, by_chance))
    outside = min(outside, chance)
    rate = (outside - error) / (chance - error) if outside > error and chance > error else 0.0
    weight = NEW / (1 - (1 - NEW) * rate)
    return -sign * ((1 - weight) * error + weight * outside) + 0.0, rate


@dataclass(frozen=True, slots=True, eq=False)
class OutOfBag(Resampled, Tabular):
    """The performance of an estimator on the cases that bootstrap sets left out.

    Attributes
    ----------
    measure : str
        Its name.
    better : str or None
        Which values of the measure are better, "higher" or "lower"; None where neither is.
    values : array of float, shape (replicates,)
        The value on the cases left out by each bootstrap set, NaN where there is none.
    out_of_bag : Estimate
        The mean of these, with their percentiles.
    apparent : Estimate
        The value of a model trained and measured on all cases.
    no_information : Estimate
        The value for every prediction combined with every actual label.
    level : float
        Proportion of the values between the percentiles, above 0 and below 1.
    seed : int
        Seed of the random numbers.
    lost : Lost
        Fits that failed, and values that are undefined.
    rows : int
        Number of cases.
    notes : tuple of Notice
        Notices on how it was run.
    """

    ANSWER = "out_of_bag"
    FORM = "studies.out_of_bag"
    HOLDS, ROW = "estimates", "estimate"
    PLAIN = "measure better estimates overfitting replicates=values.size lost cases=rows seed values notices"
    INFINITE = True

    values: np.ndarray
    out_of_bag: Estimate
    apparent: Estimate
    no_information: Estimate

    @property
    def estimate_632(self) -> Estimate:
        """0.368 apparent + 0.632 out-of-bag."""
        gap = self._gap(self.apparent, self.out_of_bag)
        if gap:
            return Estimate(nan, undefined=gap)
        return Estimate((1 - NEW) * self.apparent.value + NEW * self.out_of_bag.value, notes=(NO_INTERVAL,))

    @property
    def estimate_632_plus(self) -> Estimate:
        """The .632+ estimate, whose weight of out-of-bag increases with overfitting."""
        gap = self._gap(self.apparent, self.out_of_bag, self.no_information)
        if gap:
            return Estimate(nan, undefined=gap)
        return Estimate(self._plus()[0], notes=(NO_INTERVAL,))

    @property
    def overfitting(self) -> float:
        """The relative overfitting rate R, from 0 to 1; NaN if unknown.

        It is 0 for none, and 1 where the out-of-bag value is no better than chance.
        """
        return nan if self._gap(self.apparent, self.out_of_bag, self.no_information) else self._plus()[1]

    def _plus(self) -> tuple[float, float]:
        sign = 1 if self.better == "higher" else -1
        return plus(self.apparent.value, self.out_of_bag.value, self.no_information.value, sign)

    def _gap(self, *parts: Estimate) -> Note | None:
        """The reason why there is no estimate."""
        if len(parts) > 2 and self.better is None:
            return Note("no-better-side", measure=self.measure)
        gap = next((part.undefined for part in parts if isnan(part.value)), None)
        return gap or (Note("part-infinite") if any(np.isinf(part.value) for part in parts) else None)

    @property
    def estimates(self) -> dict[str, Estimate]:
        """All estimates by name."""
        return {
            "out_of_bag": self.out_of_bag,
            "632": self.estimate_632,
            "632_plus": self.estimate_632_plus,
            "apparent": self.apparent,
            "no_information": self.no_information,
        }

    def __repr__(self) -> str:
        mean = self.out_of_bag
        return (
            f"<OutOfBag {self.measure} {mean.value:.4g} [{mean.low:.4g}, {mean.high:.4g}],"
            f" {len(self.values)} replicates>"
        )


# The permutation test
# --------------------------------------------------------------------------------------------------


@listed(
    "test",
    "tm.permutation_test(estimator, X, y)",
    aka=("permutation_test_score", "randomisation_test", "permuted_labels", "label_permutation"),
    terms=(
        "empirical_p_value",
        "null_hypothesis",
        "significance_testing_with_random_permutations",
    ),
)
@public()
def permutation_test(
    estimator: Any,
    X: Any,
    y: Any,
    X_test: Any,
    y_test: Any,
    *,
    measure: str = "roc_auc",
    permutations: int = 1_000,
    counting: Counting = "with-observed",
    parameters: Mapping[str, Any] | None = None,
    positive: Any = None,
    threshold: float | None = None,
    clusters: Any = None,
    blocks: Any = None,
    level: float = 0.95,
    jobs: int = 1,
    rng: int | np.random.Generator = 0,
    seed_estimator: bool = False,
    progress: Any = None,
) -> PermutationResult:
    """Test whether an estimator learns more than chance, by permuting the training labels.

    Parameters
    ----------
    estimator : object
        An object with fit(X, y) and the method that the measure needs: predict_proba, else decision_function
        for scores (predict_proba alone for measures of probabilities), predict for labels. It is cloned for
        each fit.
    X, X_test : array, list, data frame or sparse matrix
        Features, a row per case.
    y, y_test : array
        Labels, two classes or more.
    measure : str, default "roc_auc"
        Name of a measure of classifiers.
    permutations : int, default 1000
        Number of permutations k.
    counting : {"with-observed", "permuted-only"}, default "with-observed"
        "with-observed": p = (b + 1) / (k + 1) where b of k permutations are as good, which is an exact test
        (Phipson and Smyth 2010). "permuted-only": p = b / k (Berrar, Section 5.1), which may be 0 and rejects
        too often where k is small.
    parameters : mapping, optional
        Parameters of the measure, as {"beta": 2}.
    positive : label, optional
        The positive label, where labels are not 0/1, -1/1, false/true or no/yes.
    threshold : float, optional
        Score from which on cases are predicted positive, for measures of counts. By default as the estimator
        predicts; without predict a probability of 0.5 or a decision function of 0.
    clusters : array, optional
        The cluster of each case, as its patient, all of whose cases have one label: the labels of clusters
        are permuted.
    blocks : array, optional
        The block of each case, as its site: labels are permuted within blocks.
    level : float, default 0.95
        Confidence level of the interval of the p-value, which allows for the limited number of permutations.
    jobs : int, default 1
        Number of processes (joblib), -1 for one per core. The result does not depend on it.
    rng : int or numpy.random.Generator, default 0
        Seed of the resampling.
    seed_estimator : bool, default False
        Whether random_state of the estimator is set to another value for each fit. With random_state=None it
        draws its own.
    progress : callable or False, optional
        Called with the number of fits done. By default a progress bar on a terminal, with False none.

    Returns
    -------
    PermutationResult
        With the actual value, the permuted values and the p-value.

    Raises
    ------
    InputError
        Where the estimator fails on the actual labels, where the measure is undefined or has no direction,
        where every permutation fails, and for input that is wrong.

    Notes
    -----
    The estimator is trained on permuted labels of the training cases; the labels of the test cases are not
    permuted. The p-value is one-sided: how often a value is at least as good as with the actual labels, a
    lower one being better for a loss. Fits that fail, and values that are undefined, do not count in k. Each
    permutation has its own random stream.

    The features are not permuted. Where they have one dominant direction, as a single feature has, half of
    the models find it by chance, and the test cases are ranked as well in one permutation of two, however
    strong the actual model is. Measures of probabilities (log_loss, brier_score) are often still
    informative.

    Differs: scikit-learn's permutation_test_score permutes all cases and cross-validates; here the test set
    is separate.

    References
    ----------
    Phipson and Smyth (2010). Berrar, Section 5.1.

    Examples
    --------
    >>> import tallymark as tm
    >>> from sklearn.linear_model import LogisticRegression
    >>> X, y = [[0, 1], [1, 3], [2, 0], [3, 2], [4, 4], [5, 1], [6, 3], [7, 0]], [0, 0, 0, 0, 1, 1, 1, 1]
    >>> apart = X[::2], y[::2], X[1::2], y[1::2]
    >>> tm.permutation_test(LogisticRegression(), *apart, permutations=20, progress=False).value
    1.0
    """
    if clusters is not None and blocks is not None:
        raise InputError(
            "conflict",
            "clusters, blocks",
            "labels move between clusters, or within blocks",
            "give one of the two",
        )
    role, index = ("clusters", clusters) if blocks is None else ("blocks", blocks)
    check(estimator)
    study = Refitting.of(
        {"": estimator}, X, y, index, role=role, measure=measure, parameters=parameters, positive=positive,
        threshold=threshold, level=level, jobs=jobs, rng=rng, seed_estimator=seed_estimator,
        progress=progress,
    )  # fmt: skip
    train, entry = study.cases, study.scorer.entry
    test = read_more(X_test, y_test, train)
    if not entry.sign:
        raise InputError(
            "no-result",
            "measure",
            f"of {entry.name} neither a higher nor a lower value is better",
        )
    validate.choice(counting, COUNTINGS, "counting")
    size = validate.whole(permutations, "permutations", 1, MOST_FITS)
    check_exchangeable(train.truth, study.cluster, index, role)
    first, *others = study.streams(size + 1)
    _, value, reason = study.whole(first, test)
    if reason:
        raise InputError(
            "no-result",
            "measure",
            f"{entry.name} is undefined on the test cases: {reason}",
            "choose another, or add cases",
        )
    refits = study.run(partial(_permuted, train, test, study.cluster, role), others)
    return PermutationResult(
        measure=entry.name, better=entry.better or "", value=value, permuted=refits.values[0],
        counting=counting, level=study.level, seed=study.seed, lost=refits.lost[0],
        rows=(len(train), len(test)), notes=refits.notes,
    )  # fmt: skip


def _permuted(
    train: Cases, test: Cases, number: np.ndarray | None, role: str, stream: np.random.SeedSequence
) -> Split:
    """The training cases with their labels permuted: of all, of clusters, or within blocks."""
    rng, truth = np.random.default_rng(stream), train.truth
    if number is None:
        labels = rng.permutation(truth)
    elif role == "clusters":
        first = np.unique(number, return_index=True)[1]
        labels = rng.permutation(truth[first])[number]
    else:
        labels = np.empty_like(truth)
        labels[np.argsort(number, kind="stable")] = truth[np.lexsort((rng.random(len(truth)), number))]
    return replace(train, truth=labels), test, rng


def check_exchangeable(truth: np.ndarray, number: np.ndarray | None, given: Any, role: str) -> None:
    """Raises InputError for a cluster with labels of several classes, and for blocks with none such.

    given: the argument by that role.
    """
    if number is None:
        return
    first = np.unique(number, return_index=True)[1]
    mixed = truth != truth[first][number]
    if role == "clusters" and mixed.any():
        where = shown(np.asarray(given)[number == number[mixed].min()].tolist()[0])
        raise InputError(
            "labels",
            "clusters",
            f"cluster {where} has labels of several classes",
            "to permute within clusters pass them as blocks=",
        )
    if role == "blocks" and not mixed.any():
        raise InputError(
            "no-result",
            "blocks",
            "every block has labels of one class, so that nothing changes within them",
            f"pass them as {option('clusters')}",
        )


@dataclass(frozen=True, slots=True, eq=False)
class PermutationResult(Resampled):
    """The value of a measure with the actual labels, and with permuted ones.

    Attributes
    ----------
    measure : str
        Its name.
    better : str
        Which values of the measure are better, "higher" or "lower".
    value : float
        With the actual labels.
    permuted : array of float, shape (permutations,)
        With permuted ones, NaN where a fit failed or the measure was undefined.
    counting : str
        "with-observed", where the p-value is (b + 1) / (k + 1), or "permuted-only", where it is b / k.
    level : float
        The confidence level of the interval of the p-value, above 0 and below 1.
    seed : int
        Seed of the random numbers.
    lost : Lost
        Fits that failed, and values that are undefined.
    rows : pair of int
        Number of training and of test cases.
    notes : tuple of Notice
        Notices on how it was run.
    """

    ANSWER = "permutation"
    FORM = "studies.permutation"

    value: float
    permuted: np.ndarray
    counting: str = "with-observed"

    @property
    def used(self) -> int:
        """The number k of permutations that have a value."""
        return int((~np.isnan(self.permuted)).sum())

    @property
    def as_good(self) -> int:
        """The number b of these that are at least as good as the actual one."""
        slack = ROUNDING * max(1.0, abs(self.value)) if np.isfinite(self.value) else 0.0
        reached = (
            self.permuted >= self.value - slack
            if self.better == "higher"
            else self.permuted <= self.value + slack
        )
        return int(reached.sum())

    @property
    def p_value(self) -> float:
        """(b + 1) / (k + 1), or b / k for counting="permuted-only"; NaN without any value."""
        if self.counting == COUNTINGS[0]:
            return (self.as_good + 1) / (self.used + 1) if self.used else float("nan")
        return self.as_good / self.used if self.used else float("nan")

    @property
    def p(self) -> Estimate:
        """The p-value with its Clopper-Pearson interval, which is for all possible permutations."""
        if not self.used:
            return Estimate(float("nan"), level=self.level, undefined=Note("no-value-of", unit="permutation"))
        low, high = interval.clopper_pearson(float(self.as_good), float(self.used), self.level)
        notes: Notes = ()
        if not self.p_value:
            notes = (Note("none-as-good", used=self.used, p=1 / (self.used + 1)),)
        return Estimate(self.p_value, float(low), float(high), self.level, "clopper-pearson", notes=notes)

    @classmethod
    def entries_in(cls, plain: Mapping[str, Any]) -> Iterator[Entry]:
        """The p-value, by that name."""
        yield "p_value", plain["p_value"], [{"measure": plain["measure"], **plain["p_value"]}]

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        return {
            **head(self.ANSWER),
            "measure": self.measure,
            "better": self.better,
            "value": plain(self.value, infinite=True),
            "p_value": self.p.to_dict(),
            "counting": self.counting,
            "as_good": self.as_good,
            "permutations": len(self.permuted),
            "used": self.used,
            "lost": self.lost.to_dict(),
            "training_cases": self.rows[0],
            "test_cases": self.rows[1],
            "seed": self.seed,
            "permuted": [plain(value, infinite=True) for value in self.permuted.tolist()],
            "notices": [notice.to_dict() for notice in self.notices],
        }

    def __repr__(self) -> str:
        return (
            f"<PermutationResult {self.measure} {self.value:.4g}: p = {self.p_value:.4g}, {self.used}"
            " permutations>"
        )


# Resampling with retraining: cross-validation, the out-of-bag bootstrap, and a permutation test
# --------------------------------------------------------------------------------------------------
#
# Each of these trains the estimator again for every resample, so that the time needed is that of as many
# fits. For a trained model and its scores use `evaluate` and `compare`.

__all__ = [
    "CrossValidation",
    "Difference",
    "OutOfBag",
    "PermutationResult",
    "bootstrap_out_of_bag",
    "cross_validate",
    "permutation_test",
]
