"""Cross-validation of an estimator in the manner of scikit-learn: several measures, any splitter.

scikit-learn is imported when an estimator is evaluated.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, overload

import numpy as np

from ..evaluation.arguments import names_of_measures
from ..evaluation.folds.of_models import FoldTables, tables_of
from ..evaluation.folds.table import FoldTable
from ..input import validate
from ..input.calls import public
from ..input.errors import InputError
from ..input.options import WeightKind
from ..studies.retraining.cross_validation import estimators_by_name
from ..studies.retraining.fitting import said_of
from ..studies.retraining.running import checked_jobs, checked_progress, run
from .fold_models import METHODS, Array, Method, Split, Task, Tested, tested
from .fold_tables import Measuring


@overload
def evaluate_estimator(
    estimator: Mapping[str, Any] | list[Any], X: Any, y: Any, **given: Any
) -> FoldTables: ...


@overload
def evaluate_estimator(estimator: Any, X: Any, y: Any, **given: Any) -> FoldTable: ...


@public()  # type: ignore[misc]  # it takes the arguments of its signature only
def evaluate_estimator(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    cv: Any = 5,
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
) -> FoldTable | FoldTables:
    """Evaluate an estimator by cross-validation: every measure, by fold, their mean, and pooled.

    Parameters
    ----------
    estimator : object, or dict or list of several
        A classifier or regressor of scikit-learn, or a pipeline of it; it is cloned for each fold. Several,
        as a dict with their names, are trained and tested on the same folds.
    X : array, list, data frame or sparse matrix
        Features, a row per case.
    y : array
        Labels of two classes or more, or amounts.
    cv : int, splitter or iterable of splits, default 5
        As in scikit-learn's cross_validate: a number of folds, which are stratified for classifiers; a
        splitter, as RepeatedStratifiedKFold; or pairs of training and test indices.
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
        What is asked of a classifier: by default the first of these that it has.
    positive : label, optional
        The positive label, where labels are not 0/1, -1/1 or false/true.
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
    FoldTable or FoldTables
        `means` and `pooled` have an estimate of each measure, and table[fold] is the evaluation of a fold.
        `predictions` has the predictions of the test cases. Of several estimators `FoldTables`: by name the
        `FoldTable` of each, and `differences`.

    Raises
    ------
    InputError
        Without scikit-learn, where a fit fails, and for input that is wrong.

    Notes
    -----
    The interval of a mean is that of Nadeau and Bengio (2003), mean +- t(J - 1) x sqrt((1/J +
    n_test/n_train) s^2), for J folds whose values have the variance s^2. The second term allows for the
    training cases that folds share. It is for models trained on so many cases. The interval of a pooled value
    has the variance of a jackknife that leaves out one fold at a time, with the same correction.

    Pooled, the test cases of all folds are measured together. Measures of the order of the scores then
    compare scores of different models, which may be on different scales: read their mean. Measures of counts,
    as F1, are better pooled, since the ratio of a small fold is biased (Forman and Scholz 2010). Where folds
    are repeated, a case counts as often as it is tested.

    References
    ----------
    Nadeau and Bengio (2003), Machine Learning 52, 239-281. Forman and Scholz (2010), SIGKDD Explorations
    12(1), 49-57. Bates, Hastie and Tibshirani (2024), Journal of the American Statistical Association 119,
    1434-1445, on intervals that do not know the folds.

    Examples
    --------
    >>> import tallymark as tm
    >>> from sklearn.linear_model import LogisticRegression
    >>> X, y = [[0], [9], [1], [8], [2], [7], [3], [6]], [0, 1, 0, 1, 0, 1, 0, 1]
    >>> found = tm.evaluate_estimator(LogisticRegression(), X, y, cv=2, measures=["roc_auc", "f1"])
    >>> found.means["roc_auc"].value
    1.0
    >>> found.values_of("f1").tolist()
    [1.0, 1.0]
    >>> both = {"one": LogisticRegression(), "other": LogisticRegression(C=0.1)}
    >>> found = tm.evaluate_estimator(both, X, y, cv=2, measures=["roc_auc", "f1"], reference="one")
    >>> found.differences[0].value
    0.0
    """
    validate.choice(method, METHODS, "method")
    named = estimators_by_name(estimator)
    tasks = {name: Task.of(one, X, y, regression, params, method, positive) for name, one in named.items()}
    if reference is not None:
        validate.choice(reference, list(tasks), "reference")
    splits = _splits(cv, _alike(tasks), groups)
    chosen = None if measures is None else names_of_measures(measures)
    jobs = checked_jobs(jobs)
    checked_progress(progress)
    todo = [(task, fold) for task in tasks.values() for fold in enumerate(splits)]
    made, _ = run(_tested, todo, jobs, progress)
    parts = [made[i : i + len(splits)] for i in range(0, len(made), len(splits))]
    how = Measuring(weight, weight_kind, clusters, threshold, level, rng, parameters)
    tables = {
        name: how.table(task, splits, part) for (name, task), part in zip(tasks.items(), parts, strict=True)
    }
    found = tables_of(tables, reference) if len(tables) > 1 else next(iter(tables.values()))
    return found if chosen is None else found.choose(chosen)


def _tested(task: tuple[Task, tuple[int, Split]]) -> Tested:
    return tested(*task)


def _alike(tasks: Mapping[str, Task]) -> Task:
    """One of the tasks. Raises InputError where some are of classes and some of amounts."""
    kinds = {task.regression: name for name, task in tasks.items()}
    if len(kinds) > 1:
        problem = f"{kinds[False]!r} is a classifier, and {kinds[True]!r} a regressor"
        raise InputError("mismatch", "estimator", problem, "evaluate them apart")
    return next(iter(tasks.values()))


# Splits
# --------------------------------------------------------------------------------------------------


def _splits(cv: Any, task: Task, groups: Any) -> list[Split]:
    """The training and test cases of each fold. Raises InputError for what scikit-learn refuses."""
    from sklearn.model_selection import check_cv

    try:
        splitter = check_cv(cv, task.y, classifier=not task.regression)
        found = [(_indices(train), _indices(test)) for train, test in splitter.split(task.X, task.y, groups)]
    except Exception as reason:  # any error of a foreign splitter
        raise InputError(
            "invalid-value", "cv", f"it cannot split these cases ({said_of(reason)})"
        ) from reason
    if not found:
        raise InputError("empty", "cv", "it gives no split", "give a number of folds, or a splitter")
    for i, split in enumerate(found):
        _check_split(i, *split, len(task))
    return found


def _indices(given: Any) -> Array:
    """Indices, also of a mask."""
    found = np.asarray(given)
    return np.flatnonzero(found) if found.dtype.kind == "b" else found.astype(np.int64)


def _check_split(fold: int, train: Array, test: Array, cases: int) -> None:
    """Raises InputError for an empty part, cases that do not exist, and cases in both parts."""
    for part, name in ((train, "training"), (test, "test")):
        if not len(part):
            raise InputError("empty", "cv", f"fold {fold} has no {name} case", "give every fold some")
        if part.min() < 0 or part.max() >= cases:
            problem = f"fold {fold} names a case that does not exist, of {cases}"
            raise InputError("invalid-value", "cv", problem, "give indices of the rows, from 0 on")
    both = np.intersect1d(train, test)
    if len(both):
        problem = f"in fold {fold} case {both[0]} is both a training and a test case"
        raise InputError("conflict", "cv", problem, "let each fold be tested on other cases")
