"""The models of a cross-validation: each trained on some cases of an estimator, and tested on others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from ..evaluation.folds.predictions import CASE, FOLD, TRUTH
from ..input import columns, validate
from ..input.errors import InputError
from ..input.labels import usual_positive
from ..input.options import ScoreKind
from ..input.validate import shown
from ..studies.retraining import estimators as retraining
from ..studies.retraining.estimators import HALF, Cases, predicted_of, said_of, score_of, scores_of

Method = Literal["auto", "predict_proba", "decision_function", "predict"]
METHODS: tuple[Method, ...] = get_args(Method)
Array = np.ndarray[Any, np.dtype[Any]]
Split = tuple[Array, Array]  # the training cases and the test cases


@dataclass(frozen=True, slots=True)
class Tested:
    """The answers of a model for its test cases, and the method that gave them.

    differing: how many labels of a classifier are not those by its score.
    """

    answers: Array
    method: str
    differing: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Task:
    """An estimator and its cases. known: the cases of a classifier; None for amounts."""

    estimator: Any
    X: Any
    y: Array
    known: Cases | None
    params: Mapping[str, Any]
    method: Method

    @classmethod
    def of(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        regression: bool | None,
        params: Any,
        method: Method,
        positive: Any,
        classes: Sequence[Any] | None = None,
    ) -> Task:
        """The same, checked. Raises InputError. classes: those of estimators that are fitted."""
        if params is not None and not isinstance(params, Mapping):
            problem = f"{shown(params)} is not understood"
            raise InputError("invalid-value", "params", problem, 'as {"sample_weight": w}', value=params)
        given = dict(params or {})
        if (
            not _is_regressor(estimator)
            if regression is None
            else not validate.flag(regression, "regression")
        ):
            found, _ = retraining.read(X, y, positive, classes=classes)
            return cls(estimator, found.X, found.y, found, given, method)
        if positive is not None:
            raise InputError("conflict", "positive", "amounts have no positive label", "leave it out")
        column = columns.read(y, "y")
        validate.no_gaps(column)
        amounts = column.values
        return cls(estimator, retraining.readable(X, column, "X", "y"), amounts, None, given, "predict")

    def __len__(self) -> int:
        return len(self.y)

    @property
    def regression(self) -> bool:
        """Whether amounts are predicted."""
        return self.known is None

    @property
    def positive(self) -> Any:
        """The positive label of two classes."""
        if self.known is None or self.known.positive is None:
            return None
        return self.known.labels.tolist()[self.known.positive]

    def answers(self, model: Any, test: Array | None = None) -> Tested:
        """The answers of a trained model for these cases, by default for all."""
        if self.known is None:
            amounts = np.asarray(
                model.predict(self.X if test is None else retraining.rows(self.X, test)), np.float64
            )
            return Tested(amounts.reshape(len(amounts), -1)[:, 0], "predict")
        cases = self.known if test is None else self.known.take(test)
        name = self.method
        if name == "auto":
            name = next((one for one in METHODS[1:] if hasattr(model, one)), "predict")
        if name == "predict":
            return Tested(cases.labels[predicted_of(model, cases)], name)
        if cases.positive is None:
            return Tested(scores_of(model, cases, (name,)), name)
        score = score_of(model, cases, (name,))
        return Tested(score, name, _differing(model, cases, score, HALF if name == METHODS[1] else 0.0))

    def kind_of(self, made: Sequence[Tested]) -> str:
        """Whether the answers are scores."""
        return "predicted" if made[0].method == "predict" else "score"

    def score_kind(self, made: Sequence[Tested]) -> ScoreKind | None:
        """That of a decision function of two classes."""
        return "margin" if made[0].method == "decision_function" and self.positive is not None else None

    def classes(self, kind: str) -> list[Any] | None:
        """The classes of scores per class."""
        many = self.known is not None and self.known.positive is None and kind == "score"
        return self.known.labels.tolist() if many and self.known is not None else None

    def needed_classes(self, kind: str) -> list[Any] | None:
        """The classes of scores per class, or all where one does not occur that would not be known."""
        absent = self.known is not None and len(np.unique(self.known.truth)) < len(self.known.labels)
        if self.known is None or not absent or usual_positive(self.known.labels.tolist()):
            return self.classes(kind)
        return list(self.known.labels.tolist())

    def columns(self, kind: str, tests: Array, fold: Array, answers: Array) -> Mapping[str, Array]:
        """The predictions by column."""
        names = [kind] if answers.ndim == 1 else [f"{kind} {label}" for label in self.classes(kind) or ()]
        parts = answers.reshape(len(answers), -1).T
        found = dict(zip(names, parts, strict=True))
        return {CASE: tests, FOLD: fold, TRUTH: self.y[tests], **found}


def tested(task: Task, fold: tuple[int, Split]) -> Tested:
    """The answers for the test cases of a fold. Raises InputError where the fit fails."""
    from sklearn.base import clone

    number, (train, test) = fold
    model = clone(task.estimator, safe=False)
    params = {name: _part(value, train, len(task)) for name, value in task.params.items()}
    try:
        model.fit(retraining.rows(task.X, train), task.y[train], **params)
        return task.answers(model, test)
    except InputError:
        raise
    except Exception as reason:  # any error of a foreign estimator
        problem = f"in fold {number} it cannot be trained, or cannot predict ({said_of(reason)})"
        raise InputError("estimator", "estimator", problem) from reason


def tested_as_it_is(task: Task) -> Tested:
    """The answers of an estimator that is fitted already. Raises InputError where it cannot predict."""
    try:
        return task.answers(task.estimator)
    except InputError:
        raise
    except Exception as reason:  # any error of a foreign estimator
        raise InputError("estimator", "estimator", f"it cannot predict ({said_of(reason)})") from reason


def is_fitted(estimator: Any, by_folds: bool = False) -> bool:
    """Whether an estimator is fitted, as far as it shows: by scikit-learn's check, or by its attributes.

    by_folds: whether its clones are not, which those of a FrozenEstimator are.
    """
    from sklearn.base import clone
    from sklearn.exceptions import NotFittedError
    from sklearn.utils.validation import check_is_fitted

    if by_folds and clone(estimator, safe=False) is estimator:
        return False
    try:
        check_is_fitted(estimator)
    except NotFittedError:
        return False
    except Exception:  # of an estimator without the tags of scikit-learn
        return any(
            name.endswith("_") and not name.startswith("_") for name in getattr(estimator, "__dict__", ())
        )
    return True


def _part(value: Any, rows: Array, cases: int) -> Any:
    """These rows of an argument of fit that has an entry per case."""
    if isinstance(value, str) or not hasattr(value, "__len__") or len(value) != cases:
        return value
    return retraining.rows(value, rows)


def _differing(model: Any, cases: Cases, score: Array, limit: float) -> int:
    """The number of cases whose predicted label is not that by the score; at the limit it may be either."""
    if not hasattr(model, "predict"):
        return 0
    positive = predicted_of(model, cases) == cases.positive
    return int((((score >= limit) != positive) & (score != limit)).sum())


def installed() -> None:
    """Raises InputError without scikit-learn."""
    try:
        import sklearn.base  # noqa: F401
    except ImportError:
        raise InputError(
            "not-installed", None, "evaluate_estimator needs scikit-learn", "pip install scikit-learn"
        ) from None


def _is_regressor(estimator: Any) -> bool:
    """Whether it predicts amounts. Raises InputError without scikit-learn."""
    installed()
    from sklearn.base import is_regressor

    try:
        return bool(is_regressor(estimator))
    except AttributeError:  # an estimator of another library, without tags
        return getattr(estimator, "_estimator_type", None) == "regressor"
