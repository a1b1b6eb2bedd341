"""The permutation test: labels are permuted, the estimator is trained again and measured."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal, get_args

import numpy as np

from ...evaluation.notices import Notice
from ...inference import Estimate
from ...inference.intervals import proportion
from ...input import validate
from ...input.calls import public
from ...input.listed import listed
from ...input.messages.notes import Note, Notes
from ...input.plain_values import rows_of
from ...input.results import Answer, head
from ...input.validate import InputError
from .cases import Cases, read, read_more
from .fitting import Fitting, Outcome, check
from .measuring import scorer_of
from .relabelling import Exchangeable, exchangeable
from .running import Lost, checked_jobs, checked_progress, lost, plain, run, streams, values_of

MOST = 1e7
ROUNDING = 1e-12  # relative difference of sums in another order
Counting = Literal["with-observed", "permuted-only"]
COUNTINGS = get_args(Counting)


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
    check(estimator)
    together, role = _together(clusters, blocks)
    train, number = read(X, y, positive, together, role)
    test = read_more(X_test, y_test, train)
    scorer = scorer_of(measure, train, parameters, threshold)
    if not scorer.entry.sign:
        raise InputError(
            "no-result",
            "measure",
            f"of {scorer.entry.name} neither a higher nor a lower value is better",
        )
    validate.choice(counting, COUNTINGS, "counting")
    size, jobs, seed = (
        validate.whole(permutations, "permutations", 1, MOST),
        checked_jobs(jobs),
        validate.seed(rng),
    )
    level = validate.level(level)
    order = exchangeable(train, number, together, role)
    fitting = Fitting(estimator, scorer, validate.flag(seed_estimator, "seed_estimator"))
    checked_progress(progress)
    first, *others = streams(seed, size + 1)
    value = _of_real_labels(fitting, train, test, first)
    outcomes, notes = run(partial(_permuted, fitting, train, test, order), others, jobs, progress)
    found = values_of(outcomes)
    return PermutationResult(
        measure=scorer.entry.name, better=scorer.entry.better or "", value=value, permuted=found,
        counting=counting, level=level, seed=seed, lost=lost(outcomes), rows=(len(train), len(test)),
        notes=tuple(notes),
    )  # fmt: skip


def _together(clusters: Any, blocks: Any) -> tuple[Any, str]:
    """The groups of cases, and the argument's name. Raises InputError where both are given."""
    if clusters is not None and blocks is not None:
        raise InputError(
            "conflict",
            "clusters, blocks",
            "labels move between clusters, or within blocks",
            "give one of the two",
        )
    return (clusters, "clusters") if blocks is None else (blocks, "blocks")


def _of_real_labels(fitting: Fitting, train: Cases, test: Cases, stream: np.random.SeedSequence) -> float:
    """The value of the measure. Raises InputError where it is undefined."""
    value, reason = fitting.whole_value(fitting.on_the_whole(train, np.random.default_rng(stream)), test)
    if reason:
        name = fitting.scorer.entry.name
        raise InputError(
            "no-result",
            "measure",
            f"{name} is undefined on the test cases: {reason}",
            "choose another, or add cases",
        )
    return value


def _permuted(
    fitting: Fitting, train: Cases, test: Cases, order: Exchangeable, stream: np.random.SeedSequence
) -> Outcome:
    rng = np.random.default_rng(stream)
    return fitting.outcome(train.relabelled(order.labels(rng)), test, rng)


# The result
# --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class PermutationResult(Answer):
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
    FORM = "comparisons.permutation"

    measure: str
    better: str
    value: float
    permuted: np.ndarray
    counting: str = "with-observed"
    level: float = 0.95
    seed: int = 0
    lost: Lost = field(default_factory=Lost)
    rows: tuple[int, int] = (0, 0)
    notes: tuple[Notice, ...] = ()

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
        low, high = proportion.clopper_pearson(float(self.as_good), float(self.used), self.level)
        notes: Notes = ()
        if not self.p_value:
            notes = (Note("none-as-good", used=self.used, p=1 / (self.used + 1)),)
        return Estimate(self.p_value, float(low), float(high), self.level, "clopper-pearson", notes=notes)

    @property
    def notices(self) -> tuple[Notice, ...]:
        """What failed, and how it was run."""
        return (*self.lost.notices, *self.notes)

    @classmethod
    def rows_in(cls, plain: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The rows of `table`, of the plain values."""
        return rows_of([{"measure": plain["measure"], **plain["p_value"]}])

    @classmethod
    def estimates_in(cls, plain: Mapping[str, Any]) -> Mapping[Any, Mapping[str, Any]]:
        """The p-value, by that name."""
        return {"p_value": plain["p_value"]}

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        return {
            **head(self.ANSWER),
            "measure": self.measure,
            "better": self.better,
            "value": plain(self.value),
            "p_value": self.p.to_dict(),
            "counting": self.counting,
            "as_good": self.as_good,
            "permutations": len(self.permuted),
            "used": self.used,
            "lost": self.lost.to_dict(),
            "training_cases": self.rows[0],
            "test_cases": self.rows[1],
            "seed": self.seed,
            "permuted": [plain(value) for value in self.permuted.tolist()],
            "notices": [notice.to_dict() for notice in self.notices],
        }

    def __repr__(self) -> str:
        return (
            f"<PermutationResult {self.measure} {self.value:.4g}: p = {self.p_value:.4g}, {self.used}"
            " permutations>"
        )
