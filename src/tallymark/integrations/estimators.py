"""The models of a cross-validation: each trained on some cases of an estimator, and tested on others."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args, overload

import numpy as np

from ..evaluation.evaluate import describe, evaluate, names_of_measures
from ..evaluation.groups import CASE, TRUTH, FoldTable, FoldTables, Predictions, of_splits, tables_of
from ..evaluation.results import Evaluation, EvaluationTable, SomeEvaluation
from ..input import columns, validate
from ..input.arguments import ScoreKind, WeightKind
from ..input.calls import public
from ..input.errors import InputError
from ..input.labels import usual_positive
from ..input.sample import FOLD
from ..input.validate import shown
from ..measures.registry import classes_of
from ..studies import retraining
from ..studies.retraining import (
    HALF,
    Cases,
    checked_jobs,
    checked_progress,
    estimators_by_name,
    foreign,
    predicted_of,
    run,
    score_of,
    scores_of,
)

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
            raise InputError(
                "invalid-value",
                "params",
                f"{shown(params)} is not understood",
                'as {"sample_weight": w}',
                value=params,
            )
        given = dict(params or {})
        if regression is not None:
            amounts_predicted = validate.flag(regression, "regression")
        else:
            from sklearn.base import is_regressor

            try:
                amounts_predicted = bool(is_regressor(estimator))
            except AttributeError:  # an estimator of another library, without tags
                amounts_predicted = getattr(estimator, "_estimator_type", None) == "regressor"
        if not amounts_predicted:
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
        score, limit = score_of(model, cases, (name,)), HALF if name == METHODS[1] else 0.0
        differing = 0
        if hasattr(model, "predict"):  # at the limit it may be either label
            positive = predicted_of(model, cases) == cases.positive
            differing = int((((score >= limit) != positive) & (score != limit)).sum())
        return Tested(score, name, differing)

    def kind_of(self, made: Sequence[Tested]) -> str:
        """Whether the answers are scores."""
        return "predicted" if made[0].method == "predict" else "score"

    def score_kind(self, made: Sequence[Tested]) -> ScoreKind | None:
        """That of a decision function of two classes."""
        return "margin" if made[0].method == "decision_function" and self.positive is not None else None

    def classes(self, kind: str) -> list[Any] | None:
        """The classes of scores per class, or all where one does not occur that would not be known."""
        if self.known is None:
            return None
        labels = self.known.labels.tolist()
        absent = len(np.unique(self.known.truth)) < len(labels) and not usual_positive(labels)
        return labels if absent or (self.known.positive is None and kind == "score") else None

    def columns(self, kind: str, tests: Array, fold: Array, answers: Array) -> Mapping[str, Array]:
        """The predictions by column."""
        names = [kind] if answers.ndim == 1 else [f"{kind} {label}" for label in self.classes(kind) or ()]
        parts = answers.reshape(len(answers), -1).T
        found = dict(zip(names, parts, strict=True))
        return {CASE: tests, FOLD: fold, TRUTH: self.y[tests], **found}


def tested(job: tuple[Task, tuple[int, Split] | None]) -> Tested:
    """The answers for the test cases of a fold; without one those of the fitted estimator, for all cases.

    Raises InputError where the fit fails, or the model cannot predict.
    """
    task, fold = job
    told = "" if fold is None else f"in fold {fold[0]} it cannot be trained, or cannot predict"
    with foreign(told or "it cannot predict"):
        if fold is None:
            return task.answers(task.estimator)
        from sklearn.base import clone

        _, (train, test) = fold
        model = clone(task.estimator, safe=False)
        params = {
            name: value
            if isinstance(value, str) or not hasattr(value, "__len__") or len(value) != len(task)
            else retraining.rows(value, train)
            for name, value in task.params.items()
        }
        model.fit(retraining.rows(task.X, train), task.y[train], **params)
        return task.answers(model, test)


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


def installed() -> None:
    """Raises InputError without scikit-learn."""
    try:
        import sklearn.base  # noqa: F401
    except ImportError:
        raise InputError(
            "not-installed", None, "evaluate_estimator needs scikit-learn", "pip install scikit-learn"
        ) from None


def fold_table(
    task: Task,
    splits: Sequence[Split],
    results: Sequence[Tested],
    weight: Any,
    clusters: Any,
    threshold: float | None,
    **options: Any,
) -> FoldTable:
    """The folds of a model."""
    tests = np.concatenate([test for _, test in splits])
    sizes = np.array([(len(train), len(test)) for train, test in splits])
    fold = np.repeat(np.arange(len(splits)), sizes[:, 1])
    kind, answers = task.kind_of(results), np.concatenate([each.answers for each in results])
    y = columns.read(task.y, "y")
    spec, evaluating = describe(
        truth=task.y[tests], score=answers if kind == "score" else None,
        predicted=None if kind == "score" else answers,
        clusters=of_cases(clusters, "clusters", y, tests),
        weight=of_cases(weight, "weight", y, tests), positive=task.positive,
        classes=task.classes(kind), regression=task.regression, score_kind=task.score_kind(results),
        **options,
    )  # fmt: skip
    times = np.bincount(tests, minlength=len(task))
    repeated = bool(times.max() > 1)
    table = of_splits(spec.of_columns({FOLD: fold}), evaluating, threshold, sizes[:, 0], repeated)
    return replace(
        table,
        untested=int((times == 0).sum()),
        differing=sum(each.differing for each in results) if threshold is None else 0,
        was_fitted=is_fitted(task.estimator, by_folds=True),
        _predictions=Predictions(task.columns(kind, tests, fold, answers), len(task)),
    )


def of_cases(values: Any, role: str, y: columns.Column, rows: Array) -> Any:
    """The entries of these rows. Raises InputError where there is not one for each case."""
    if values is None:
        return None
    column = columns.read(values, role)
    validate.same_length(y, column)
    return column.values[rows]


@overload
def evaluate_estimator(
    estimator: Mapping[str, Any] | list[Any],
    X: Any,
    y: Any,
    *,
    cv: Literal["prefit"] | None = None,
    **given: Any,
) -> EvaluationTable: ...


@overload
def evaluate_estimator(
    estimator: Mapping[str, Any] | list[Any], X: Any, y: Any, *, cv: Any, **given: Any
) -> FoldTables: ...


@overload
def evaluate_estimator(
    estimator: Any, X: Any, y: Any, *, cv: Literal["prefit"] | None = None, **given: Any
) -> SomeEvaluation: ...


@overload
def evaluate_estimator(estimator: Any, X: Any, y: Any, *, cv: Any, **given: Any) -> FoldTable: ...


@public()  # type: ignore[misc]  # it takes the arguments of its signature only
def evaluate_estimator(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    cv: Any = None,
    measures: str | Sequence[str] | None = None,
    groups: Any = None,
    clusters: Any = None,
    weight: Any = None,
    weight_kind: WeightKind | None = None,
    params: Mapping[str, Any] | None = None,
    method: Method = "auto",
    positive: Any = None,
    threshold: float | None = None,
    regression: bool | None = None,
    level: float = 0.95,
    parameters: Mapping[str, Mapping[str, Any]] | None = None,
    jobs: int = 1,
    rng: int | np.random.Generator = 0,
    reference: str | None = None,
    progress: Callable[[int], Any] | Literal[False] | None = None,
) -> Evaluation | EvaluationTable | FoldTable | FoldTables:
    """Evaluate an estimator: a fitted one as it is, or with `cv` any one by cross-validation.

    Parameters
    ----------
    estimator : object, or dict or list of several
        A classifier or regressor of scikit-learn, or a pipeline of it. Several, as a dict with their names,
        are tested on the same cases, with `cv` trained and tested on the same folds.
    X : array, list, data frame or sparse matrix
        Features, a row per case: without `cv` of cases that the estimator was not fitted on.
    y : array
        Labels of two classes or more, or amounts.
    cv : int, splitter, iterable of splits, or "prefit", optional
        By default, and with "prefit", the estimator is measured as it is, and must be fitted. Else a clone is
        fitted for each fold, as in scikit-learn's cross_validate: of a number of folds, which are stratified
        for classifiers; of a splitter, as RepeatedStratifiedKFold; or of pairs of training and test indices.
        A fitted estimator is then not measured, which a notice says.
    measures : str or list of str, optional
        The measures that the result shows, by any of their names. By default up to six.
    groups : array, optional
        The group of each case, for splitters as GroupKFold. Where cases of a group depend on each other, pass
        it as clusters, too.
    clusters : array, optional
        The cluster of each case, for intervals of the measures of a fold; two classes only.
    weight : array, optional
        The weight of each case in the measures. For weights in training see params.
    weight_kind : {"count", "importance"}, optional
        As in `evaluate`.
    params : mapping, optional
        Arguments of `fit`, as {"sample_weight": w}; arrays with an entry per case are split.
    method : {"auto", "predict_proba", "decision_function", "predict"}, default "auto"
        The method of a classifier: by default the first of these that it has.
    positive : label, optional
        The positive label, where labels are not 0/1, -1/1, false/true or no/yes.
    threshold : float, optional
        A case is predicted positive where score >= threshold, by default 0.5 for probabilities and 0 for a
        decision function.
    regression : bool, optional
        Whether y are amounts, by default for regressors.
    level : float, default 0.95
        Confidence level of the intervals, above 0 and below 1.
    parameters : mapping of mappings, optional
        Parameters of measures by their names, as {"f_beta": {"beta": 0.5}}.
    jobs : int, default 1
        Number of processes (joblib), -1 for one per core.
    rng : int or numpy.random.Generator, default 0
        Seed of intervals by resampling.
    reference : str, optional
        Of several estimators the one from which the differences are, by default the one with the best mean of
        the first measure.
    progress : callable or False, optional
        Called with the number of fits done. By default a progress bar on a terminal, with False none.

    Returns
    -------
    Evaluation, EvaluationTable, FoldTable or FoldTables
        Of a fitted estimator, measured as it is, its evaluation, as `evaluate` returns it; of several a table
        with their paired differences. With `cv` a `FoldTable`: `means` and `pooled` have an estimate of each
        measure, and table[fold] is the evaluation of a fold. `predictions` has the predictions of the test
        cases. Of several estimators `FoldTables`: by name the `FoldTable` of each, and `differences`.

    Raises
    ------
    InputError
        Without scikit-learn, without `cv` where the estimator is not fitted, where a fit fails, and for input
        that is wrong.

    Notes
    -----
    The interval of a mean is that of Nadeau and Bengio (2003), mean +- t(J - 1) x sqrt((1/J + n_test/n_train)
    s^2), for J folds whose values have the variance s^2. The second term allows for the training cases that
    folds share. It is approximate, since the variance of a cross-validation has no unbiased estimate (Bengio
    and Grandvalet 2004), and for models trained on as many cases as those of the folds. The interval of a
    pooled value has the variance of a jackknife that leaves out one fold at a time, with the same correction.

    Pooled, the test cases of all folds are measured together. Measures of the order of the scores then
    compare scores of different models, which may be on different scales: read their mean. Measures of counts,
    as F1, are better pooled, since the ratio of a small fold is biased (Forman and Scholz 2010). Where folds
    are repeated, a case counts as often as it is tested.

    References
    ----------
    Nadeau and Bengio (2003), Machine Learning 52, 239-281. Bengio and Grandvalet (2004), Journal of Machine
    Learning Research 5, 1089-1105. Forman and Scholz (2010), SIGKDD Explorations 12(1), 49-57. Bates, Hastie
    and Tibshirani (2024), Journal of the American Statistical Association 119, 1434-1445, on intervals that
    do not know the folds.

    Examples
    --------
    >>> import tallymark as tm
    >>> from sklearn.linear_model import LogisticRegression
    >>> X, y = [[0], [9], [1], [8], [2], [7], [3], [6]], [0, 1, 0, 1, 0, 1, 0, 1]
    >>> result = tm.evaluate_estimator(LogisticRegression(), X, y, cv=2, measures=["roc_auc", "f1"])
    >>> result.means["roc_auc"].value
    1.0
    >>> result.values_of("f1").tolist()
    [1.0, 1.0]
    >>> both = {"one": LogisticRegression(), "other": LogisticRegression(C=0.1)}
    >>> result = tm.evaluate_estimator(both, X, y, cv=2, measures=["roc_auc", "f1"], reference="one")
    >>> result.differences[0].value
    0.0
    >>> fitted = LogisticRegression().fit(X, y)
    >>> tm.evaluate_estimator(fitted, [[0], [9], [4]], [0, 1, 1])["accuracy"].value
    0.6666666666666666
    """
    validate.choice(method, METHODS, "method")
    named = estimators_by_name(estimator)
    installed()
    if cv is None or isinstance(cv, str):
        if cv is not None:
            validate.choice(cv, ["prefit"], "cv")
        unfitted = next((name for name, each in named.items() if cv is None and not is_fitted(each)), None)
        if unfitted is not None:
            raise InputError(
                "needed",
                "cv",
                f"{unfitted} is not fitted, so that it can be measured by cross-validation only",
                "pass cv=5, or fit it first (cv='prefit' if it is)",
            )
        for name, value in {"groups": groups, "params": params}.items():
            if value is not None:
                raise InputError(
                    "conflict",
                    name,
                    "a fitted estimator is measured as it is, without splits or training",
                    "leave it out, or pass cv=5 to train clones of it",
                )
        return _as_they_are(
            named, X, y, method, positive, regression,
            measures=measures, clusters=clusters, weight=weight, weight_kind=weight_kind,
            threshold=threshold, level=level, parameters=parameters, rng=rng, reference=reference,
        )  # fmt: skip
    tasks = {name: Task.of(one, X, y, regression, params, method, positive) for name, one in named.items()}
    if reference is not None:
        validate.choice(reference, list(tasks), "reference")
    splits = _splits(cv, _alike(tasks), groups)
    chosen = None if measures is None else names_of_measures(measures)
    jobs = checked_jobs(jobs)
    checked_progress(progress)
    jobs_of_folds = [(task, fold) for task in tasks.values() for fold in enumerate(splits)]
    results, _ = run(tested, jobs_of_folds, jobs, progress)
    tables = {
        name: fold_table(
            task, splits, results[k * len(splits) : (k + 1) * len(splits)], weight, clusters, threshold,
            weight_kind=weight_kind, level=level, rng=rng, parameters=parameters,
        )
        for k, (name, task) in enumerate(tasks.items())
    }  # fmt: skip
    of_folds = tables_of(tables, reference) if len(tables) > 1 else next(iter(tables.values()))
    return of_folds if chosen is None else of_folds.choose(chosen)


def _alike(tasks: Mapping[str, Task]) -> Task:
    """One of the tasks. Raises InputError where some are of classes and some of amounts."""
    kinds = {task.regression: name for name, task in tasks.items()}
    if len(kinds) > 1:
        raise InputError(
            "mismatch",
            "estimator",
            f"{kinds[False]!r} is a classifier, and {kinds[True]!r} a regressor",
            "evaluate them apart",
        )
    return next(iter(tasks.values()))


# Fitted estimators as they are
# --------------------------------------------------------------------------------------------------


def _as_they_are(
    named: Mapping[str, Any], X: Any, y: Any, method: Method, positive: Any, regression: Any, **given: Any
) -> Any:
    """The evaluation of fitted estimators, all of which have the classes that any of them has."""
    known = [classes_of(one) for one in named.values()]
    classes = None if None in known else sorted({label for some in known for label in some or ()})
    tasks = {
        name: Task.of(one, X, y, regression, None, method, positive, classes) for name, one in named.items()
    }
    task = _alike(tasks)
    results = {name: tested((one, None)) for name, one in tasks.items()}
    if len({task.kind_of([one]) for one in results.values()}) > 1:  # one has labels only
        tasks = {name: replace(one, method="predict") for name, one in tasks.items()}
        results = {name: tested((one, None)) for name, one in tasks.items()}
    kind = task.kind_of([*results.values()])
    methods = {one.method for one in results.values()}
    chosen = given["threshold"]
    if len(methods) > 1 and chosen is None and task.positive is not None:
        given["threshold"] = {name: 0.0 for name, one in results.items() if one.method == "decision_function"}
    answers = {name: one.answers for name, one in results.items()}
    evaluation: Any = evaluate(
        truth=task.y,
        **{kind: answers if len(answers) > 1 else next(iter(answers.values()))},
        positive=task.positive,
        classes=task.classes(kind),
        regression=task.regression,
        score_kind=task.score_kind([*results.values()]) if len(methods) == 1 else None,
        **given,
    )
    differing = {name: each.differing for name, each in results.items() if chosen is None}

    def marked(e: Any, name: str) -> Any:
        return replace(e, data=replace(e.data, differing=differing[name]))

    if not any(differing.values()):
        return evaluation
    if len(results) == 1:
        return marked(evaluation, *differing)
    return replace(evaluation, evaluations={name: marked(each, name) for name, each in evaluation.items()})


# Splits
# --------------------------------------------------------------------------------------------------


def _splits(cv: Any, task: Task, groups: Any) -> list[Split]:
    """The training and test cases of each fold. Raises InputError for what scikit-learn refuses.

    Also for an empty part, cases that do not exist, and cases in both parts.
    """
    from sklearn.model_selection import check_cv

    with foreign("it cannot split these cases", "invalid-value", "cv"):
        splitter = check_cv(cv, task.y, classifier=not task.regression)
        parts = [tuple(map(np.asarray, split)) for split in splitter.split(task.X, task.y, groups)]
        splits: list[Any] = [
            tuple(np.flatnonzero(part) if part.dtype.kind == "b" else part.astype(np.int64) for part in split)
            for split in parts
        ]
    if not splits:
        raise InputError("empty", "cv", "it gives no split", "give a number of folds, or a splitter")
    for fold, split in enumerate(splits):
        for part, name in zip(split, ("training", "test"), strict=True):
            if part.ndim != 1:
                raise InputError(
                    "wrong-shape",
                    "cv",
                    f"fold {fold} has {part.ndim} dimensions of {name} cases",
                    "give a list of rows for each part",
                )
            if not len(part):
                raise InputError("empty", "cv", f"fold {fold} has no {name} case", "give every fold some")
            if part.min() < 0 or part.max() >= len(task):
                raise InputError(
                    "invalid-value",
                    "cv",
                    f"fold {fold} names a case that does not exist, of {len(task)}",
                    "give indices of the rows, from 0 on",
                )
        both = np.intersect1d(*split)
        if len(both):
            raise InputError(
                "conflict",
                "cv",
                f"in fold {fold} case {both[0]} is both a training and a test case",
                "let each fold be tested on other cases",
            )
    return splits
