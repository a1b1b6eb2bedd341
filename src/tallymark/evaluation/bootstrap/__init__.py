"""The bootstrap: intervals of any measure from resampled cases, clusters of cases, or persons."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ... import kernels
from ...inference.bootstrap import intervals
from ...inference.bootstrap.limits import kind_of
from ...inference.replicates import MOST_THREADS, Draws, Statistic
from ...inference.replicates import replicates as values_of
from ...inference.weighted_mix import fixed_by_weights
from ...input import CaseSpec, validate
from ...input.calls import public
from ...input.options import BootstrapMethod, CaseResampling, Design, Missing, ScoreKind, WeightKind
from ...input.score_columns import of_one_model
from ...summaries.cases import ScoredCases
from ..arguments import checked_parameters, names_of_measures
from ..results import BinaryEvaluation, Evaluation
from .answer import Bootstrap
from .reading import sampled

__all__ = ["Bootstrap", "bootstrap"]

USUAL = ("roc_auc", "average_precision", "kolmogorov_smirnov", "brier_score", "log_loss")
SIDE_BY_SIDE = 'compare(..., method="bootstrap") resamples several together, for their differences'
SLOW = ("smooth-deviations",)  # kinds without an interval, of which each resample is fitted anew
AT_A_THRESHOLD = ("accuracy", "sensitivity", "specificity", "precision", "f1", "matthews_correlation")


@public()
def bootstrap(
    data: Any = None,
    /,
    *,
    truth: Any = None,
    score: Any = None,
    predicted: Any = None,
    weight: Any = None,
    weight_kind: WeightKind | None = None,
    clusters: Any = None,
    persons: Any = None,
    regression: bool = False,
    positive: Any = None,
    predicted_positive: Any = None,
    not_an_answer: Sequence[Any] | None = None,
    classes: Sequence[Any] | None = None,
    ordered: bool = False,
    higher_is_positive: bool = True,
    missing: Missing = "reject",
    where: str | None = None,
    memory: str | int | None = None,
    score_kind: ScoreKind | None = None,
    threshold: float | None = None,
    measures: str | Sequence[str] | None = None,
    parameters: Mapping[str, Mapping[str, Any]] | None = None,
    method: BootstrapMethod = "bca",
    design: Design = "cohort",
    resampling: CaseResampling = "bootstrap",
    replicates: int = 1000,
    level: float = 0.95,
    rng: int | np.random.Generator = 0,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Bootstrap:
    """Compute measures with confidence intervals from bootstrap resamples of the cases.

    Parameters
    ----------
    data : data frame, file, mapping of columns, summary or evaluation, optional
        As for `evaluate`; from an evaluation the cases, the threshold and the parameters are taken.
    truth, score, predicted, weight, weight_kind, positive, predicted_positive, not_an_answer, classes
        As for `evaluate`: of one model with scores of two classes or a score per class, predicted labels, or
        several labels per case.
    ordered, higher_is_positive, missing, where, memory, score_kind, regression, threshold, parameters
        As for `evaluate`.
    clusters : array of shape (n,) or name of a column, optional
        The cluster of each case, as its patient or site. Whole clusters are resampled (the cluster
        bootstrap).
    persons : two columns or two arrays, optional
        The two persons of each comparison, as for `biometric`. Persons are resampled, and a comparison counts
        as often as one of them is drawn times as often as the other is.
    measures : str or list of str, optional
        Names of measures that `evaluate` has for these cases; "all" for every measure but the deviations from
        a smooth curve (ICI, E50, E90), which have no interval and take most of the time. By default a
        selection of common ones.
    method : {"bca", "percentile", "basic", "studentised"}, default "bca"
        "bca" is bias-corrected and accelerated. "studentised" needs a standard error for every resample, and
        exists for roc_auc, proportions and mean losses of independent cases; for other measures "bca" is used
        then, as their `method` states.
    design : {"cohort", "case-control"}, default "cohort"
        "cohort": all cases are resampled together, so that the class mix varies; "case-control": the class
        sizes are fixed. Each class is resampled separately; with clusters, persons, weights and Poisson draws
        the cases drawn of each class are reweighted to its size.
    resampling : {"bootstrap", "poisson-bootstrap"}, default "bootstrap"
        "poisson-bootstrap" draws every case a Poisson(1) number of times; it is faster and nearly the same
        for many cases.
    replicates : int, default 1000
        Number of resamples, from 50 to 10^7.
    level : float, default 0.95
        Confidence level of the intervals, above 0 and below 1.
    rng : int or numpy.random.Generator, default 0
        Seed of the resampling; the result does not depend on the number of threads.
    threads : int, optional
        Number of threads; by default one per processor.
    progress : callable, optional
        Called with the number of resamples done.

    Returns
    -------
    Bootstrap
        By the name of the measure an `Estimate`.

    Raises
    ------
    InputError
        For whatever `evaluate` refuses, for unknown measures and methods, for design="case-control" where
        there are no classes, and for measures of probabilities where the scores are not probabilities.

    Notes
    -----
    In a case-control design, intervals of measures that depend on the class mix, as precision or log_loss,
    are "given this class mix". The same holds for class weights that are computed from the sample so that all
    classes have the same total weight: each resample is reweighted in the same way.

    A case with a count of 2 is two cases, one with weight 0 is none. A case with an importance weight is
    drawn as one case and keeps its weight. Cases, clusters or persons are taken as independent. Intervals by
    persons are wider than needed where comparisons of the same two persons vary much by themselves: their
    variance counts three times instead of once.

    The number of resamples on which a measure is undefined, as those without positives, is in its note. Where
    no bootstrap interval is valid, as for calibration errors or with a single positive, there is none, and
    the reason is given. docs/intervals.md lists the coverage of the others.

    Examples
    --------
    >>> import tallymark as tm
    >>> truth, score = [0, 0, 1, 0, 1, 0, 1, 1], [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.9]
    >>> found = tm.bootstrap(truth=truth, score=score, measures="roc_auc", replicates=200)
    >>> found["roc_auc"].value
    0.8125
    """
    validate.choice(method, intervals.METHODS, "method")
    level, progress = validate.level(level), validate.function(progress, "progress")
    number = validate.whole(replicates, "replicates", 50, 1e7)
    threads = None if threads is None else validate.whole(threads, "threads", 1, MOST_THREADS)
    how = Draws(number, design, resampling, validate.seed(rng), threads)
    models = of_one_model("bootstrap", {"score": score, "predicted": predicted}, SIDE_BY_SIDE)
    spec = CaseSpec(
        truth=truth, **models, weight=weight, weight_kind=weight_kind, clusters=clusters, persons=persons,
        positive=positive, predicted_positive=predicted_positive, not_an_answer=not_an_answer,
        classes=classes, ordered=ordered, higher_is_positive=higher_is_positive,
        score_kind=score_kind, regression=regression, missing=missing, where=where, memory=memory,
    )  # fmt: skip
    wanted: Mapping[str, Mapping[str, Any]] = checked_parameters(parameters)
    with kernels.at_most(threads):
        cases = sampled(data, spec, design, wanted)
    if threshold is not None:
        cases = cases.at(threshold)
    statistics = _statistics(cases.evaluation, measures, wanted)
    if isinstance(cases.model, ScoredCases):
        how = replace(how, keeps_weights=cases.units is None and fixed_by_weights(cases.model.table))
    limit = cases.limit
    (found,) = values_of(
        statistics, [cases.model], how, thresholds=[limit], clusters=cases.units, progress=progress
    )
    return Bootstrap(cases, how, tuple(statistics), limit, found, method, level, cases.chosen)


def _statistics(e: Evaluation, measures: Any, parameters: Mapping[str, Mapping[str, Any]]) -> list[Statistic]:
    """The measures with their parameters. Raises InputError for those that the cases do not have."""
    if measures is None and isinstance(e, BinaryEvaluation):
        names = [name for name in (*USUAL, *AT_A_THRESHOLD) if name in e]
    elif measures is None:
        names = [name for name in e.estimates if e.entry(name).headline is not None]
    elif isinstance(measures, str) and measures == "all":
        names = [name for name in e.estimates if kind_of(e.entry(name)) not in SLOW]
    else:
        names = names_of_measures(measures)
    entries = dict.fromkeys(map(e.entry, names))
    return [(one, {**e.parameters_of(one), **parameters.get(one.base.name, {})}) for one in entries]
