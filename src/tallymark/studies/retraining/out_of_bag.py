"""The out-of-bag bootstrap: training on bootstrap sets, measuring on the cases left out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from math import isnan, nan
from typing import Any

import numpy as np

from ...evaluation.notices import Notice
from ...inference import Estimate
from ...inference.bootstrap.percentiles import percentiles
from ...input import validate
from ...input.calls import public
from ...input.listed import listed
from ...input.messages.notes import Note, joined
from ...input.results import Answer, Tabular, head
from .cases import Cases, read
from .fitting import Fitting, Outcome, check
from .measuring import by_chance, scorer_of
from .running import Lost, checked_jobs, checked_progress, lost, plain, run, streams, values_of
from .splits import bootstrap_set, by_class

MOST = 1e7
NEW = 0.632  # the proportion of cases in a bootstrap set, 1 - 1/e
METHOD = "out-of-bag percentile"
NO_INTERVAL = Note("point-estimate")


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
    cases, cluster = read(X, y, positive, clusters)
    scorer = scorer_of(measure, cases, parameters, threshold)
    size, jobs, seed = (
        validate.whole(replicates, "replicates", 2, MOST),
        checked_jobs(jobs),
        validate.seed(rng),
    )
    level = validate.level(level)
    strata = cases.truth if by_class(stratified, cluster) else None
    fitting = Fitting(estimator, scorer, validate.flag(seed_estimator, "seed_estimator"))
    checked_progress(progress)
    first, *others = streams(seed, size + 1)
    apparent, gamma = _on_the_whole(fitting, cases, first)
    outcomes, notes = run(partial(_left_out, fitting, cases, strata, cluster), others, jobs, progress)
    values = values_of(outcomes)
    return OutOfBag(
        measure=scorer.entry.name, better=scorer.entry.better, values=values,
        out_of_bag=_mean(values, level, lost(outcomes)), apparent=apparent, no_information=gamma, level=level,
        seed=seed, lost=lost(outcomes), rows=len(cases), notes=tuple(notes),
    )  # fmt: skip


def _left_out(
    fitting: Fitting,
    cases: Cases,
    strata: np.ndarray | None,
    cluster: np.ndarray | None,
    stream: np.random.SeedSequence,
) -> Outcome:
    rng = np.random.default_rng(stream)
    times = bootstrap_set(rng, len(cases), strata, cluster)
    drawn = np.repeat(np.arange(len(cases)), times)
    return fitting.outcome(cases.take(drawn), cases.take(np.flatnonzero(times == 0)), rng)


def _on_the_whole(
    fitting: Fitting, cases: Cases, stream: np.random.SeedSequence
) -> tuple[Estimate, Estimate]:
    """The apparent value, and that of predictions that are independent of the labels."""
    model = fitting.on_the_whole(cases, np.random.default_rng(stream))
    value, reason = fitting.whole_value(model, cases)
    chance, none = fitting.scorer.of(by_chance(fitting.scorer.summary(model, cases)))
    notes = (Note("of-training-cases"),)
    return Estimate(value, undefined=reason, notes=notes), Estimate(chance, undefined=none)


def _mean(values: np.ndarray, level: float, gone: Lost) -> Estimate:
    """The mean of the values that are not NaN, with percentiles unless all are equal."""
    there = values[~np.isnan(values)]
    if not len(there):
        return Estimate(
            nan, level=level, undefined=gone.first_reason or Note("no-value-of", unit="replicate")
        )
    if not np.isfinite(there).all():
        return Estimate(float(there[np.isinf(there)][0]), level=level, notes=(Note("replicates-infinite"),))
    mean = float(there.mean())
    if there.min() == there.max():
        return Estimate(mean, level=level, notes=(Note("replicates-alike"),))
    low, high = (float(end) for end in percentiles(there, level))
    few = len(there) * (1 - level) / 2 < 1
    notes = joined(Note("too-few-replicates", replicates=len(there)) if few else None)
    return Estimate(mean, low, high, level, METHOD, notes=notes)


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
class OutOfBag(Answer, Tabular):
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
    FORM = "comparisons.out_of_bag"
    HOLDS, ROW = "estimates", "estimate"

    measure: str
    better: str | None
    values: np.ndarray
    out_of_bag: Estimate
    apparent: Estimate
    no_information: Estimate
    level: float = 0.95
    seed: int = 0
    lost: Lost = field(default_factory=Lost)
    rows: int = 0
    notes: tuple[Notice, ...] = ()

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

    @property
    def notices(self) -> tuple[Notice, ...]:
        """What failed, and how it was run."""
        return (*self.lost.notices, *self.notes)

    @property
    def table(self) -> list[dict[str, Any]]:
        """One row per estimate, as plain values."""
        return self.rows_in({"estimates": {name: found.to_dict() for name, found in self.estimates.items()}})

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        return {
            **head(self.ANSWER),
            "measure": self.measure,
            "better": self.better,
            "estimates": {name: found.to_dict() for name, found in self.estimates.items()},
            "overfitting": None if isnan(self.overfitting) else self.overfitting,
            "replicates": len(self.values),
            "lost": self.lost.to_dict(),
            "cases": self.rows,
            "seed": self.seed,
            "values": [plain(value) for value in self.values.tolist()],
            "notices": [notice.to_dict() for notice in self.notices],
        }

    def __repr__(self) -> str:
        found = self.out_of_bag
        return (
            f"<OutOfBag {self.measure} {found.value:.4g} [{found.low:.4g}, {found.high:.4g}],"
            f" {len(self.values)} replicates>"
        )
