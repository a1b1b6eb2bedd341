"""Cross-validation of one estimator or several.

Intervals and tests allow for the training cases that folds have in common.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np

from ...evaluation.folds.differences import Difference, difference_of, less
from ...evaluation.notices import Notice
from ...inference import Estimate
from ...inference.over_folds import mean_over_folds
from ...input import validate
from ...input.by_name import ByName
from ...input.calls import public
from ...input.results import Answer, Tabular, head
from ...input.validate import InputError, shown, some
from .cases import Cases, read
from .fitting import Fitting, Outcome, check
from .measuring import scorer_of
from .running import Lost, checked_jobs, checked_progress, lost, plain, run, streams, values_of
from .splits import by_class
from .splits import folds as dealt

MOST_FOLDS, MOST_REPEATS = 1e6, 1e6


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
    named = estimators_by_name(estimator)
    cases, cluster = read(X, y, positive, clusters)
    scorer = scorer_of(measure, cases, parameters, threshold)
    strata = cases.truth if by_class(stratified, cluster) else None
    most = len(cases) if cluster is None else int(cluster.max()) + 1
    number = _folds(folds, most, "cases" if cluster is None else "clusters")
    times, jobs, seed = (
        validate.whole(repeats, "repeats", 1, MOST_REPEATS),
        checked_jobs(jobs),
        validate.seed(rng),
    )
    level = validate.level(level)
    fittings = [
        Fitting(one, scorer, validate.flag(seed_estimator, "seed_estimator")) for one in named.values()
    ]
    checked_progress(progress)
    tasks = [(deal, fit, i) for deal in streams(seed, times) for i, fit in enumerate(deal.spawn(number))]
    made, notes = run(partial(_fold, fittings, cases, number, strata, cluster), tasks, jobs, progress)
    outcomes = [list(of_one) for of_one in zip(*(one for one, _ in made), strict=True)]
    return CrossValidation(
        measure=scorer.entry.name, better=scorer.entry.better, names=tuple(named),
        values=validate.frozen(np.array([values_of(one) for one in outcomes])),
        shares=np.array([share for _, share in made]), range=scorer.entry.range, folds=number, repeats=times,
        level=level, seed=seed, rows=len(cases), lost=tuple(lost(one) for one in outcomes),
        notes=tuple(notes),
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
    for one in named.values():
        check(one)
    return named


def _folds(folds: Any, most: int, what: str) -> int:
    number = validate.whole(folds, "folds", 2, MOST_FOLDS)
    if number > most:
        raise InputError(
            "invalid-value",
            "folds",
            f"{number} of {most} {what} is not possible, since every fold needs one",
            "give fewer",
        )
    return number


def _fold(
    fittings: list[Fitting], cases: Cases, number: int, strata: Any, cluster: Any, task: Any
) -> tuple[list[Outcome], float]:
    """The outcome of every estimator for one fold, and the ratio of its test to its training cases.

    Every worker assigns the cases of a repeat to folds itself, from the same random stream. Every estimator
    starts with the same random stream.
    """
    deal, fit, i = task
    fold = dealt(np.random.default_rng(deal), number, strata, cluster, len(cases))
    inside = fold == i
    train, test = cases.take(np.flatnonzero(~inside)), cases.take(np.flatnonzero(inside))
    return [one.outcome(train, test, np.random.default_rng(fit)) for one in fittings], len(test) / len(train)


# The result
# --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class CrossValidation(ByName, Answer, Tabular):
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
    FORM = "comparisons.cross_validation"
    HOLDS, ROW = "estimates", "estimator"

    measure: str
    better: str | None
    names: tuple[str, ...]
    values: np.ndarray
    shares: np.ndarray
    range: tuple[float, float]
    folds: int
    repeats: int
    level: float
    seed: int
    rows: int
    lost: tuple[Lost, ...]
    notes: tuple[Notice, ...] = ()

    def __getitem__(self, name: str) -> Estimate:
        """The estimate of an estimator. Raises InputError for an unknown one."""
        if name not in self.names:
            raise InputError(
                "unknown-name",
                None,
                f"{shown(name)} is none of the estimators, {', '.join(self.names)}",
                value=name,
            )
        return self.estimates[name]

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
            name: mean_over_folds(values, self.shares, self.range, self.level, gone.first_reason)
            for name, values, gone in every
        }

    @property
    def differences(self) -> tuple[Difference, ...]:
        """The difference of every two estimators, first less second."""
        pairs = combinations(zip(self.names, self.values, strict=True), 2)
        low, high = self.range
        ends = (low - high, high - low)
        return tuple(
            difference_of(first, second, less(of_first, of_second), self.shares, ends, self.level)
            for (first, of_first), (second, of_second) in pairs
        )

    @property
    def notices(self) -> tuple[Notice, ...]:
        """What failed, by estimator, and how it was run."""
        of_fits = zip(self.names, self.lost, strict=True)
        return (*(notice for name, gone in of_fits for notice in gone.notices_of(name)), *self.notes)

    @property
    def table(self) -> list[dict[str, Any]]:
        """One row per estimator, as plain values."""
        return self.rows_in({"estimates": {name: found.to_dict() for name, found in self.estimates.items()}})

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
            "estimates": {name: found.to_dict() for name, found in self.estimates.items()},
            "lost": {name: gone.to_dict() for name, gone in zip(self.names, self.lost, strict=True)},
            "differences": [one.to_dict() for one in self.differences],
            "values": {
                name: [plain(value) for value in row]
                for name, row in zip(self.names, self.values.tolist(), strict=True)
            },
            "notices": [notice.to_dict() for notice in self.notices],
        }

    def __repr__(self) -> str:
        said = ", ".join(f"{name} {found.value:.4g}" for name, found in self.estimates.items())
        return f"<CrossValidation {self.measure}: {said}>"
