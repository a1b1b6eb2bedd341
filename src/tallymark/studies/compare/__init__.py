"""Comparison of models: the difference of each measure, with an interval and a p-value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Any

import numpy as np

from ... import kernels
from ...evaluation.applicable import refuse
from ...evaluation.arguments import EvaluationOptions, checked_parameters
from ...evaluation.notices import Notice, of_model
from ...evaluation.paired.comparison import (
    METHODS,
    REPLICATES,
    ComparisonMethod,
    ComparisonOptions,
    ModelContrasts,
    differences_of,
    measures_of,
    pairs_of,
)
from ...evaluation.paired.differences import Agreement, Decision, Difference, margins_of
from ...evaluation.paired.models import MANY, Model
from ...inference import Settings
from ...inference.hypothesis import METHODS as ADJUSTMENTS
from ...inference.replicates import Draws
from ...input import CaseSpec, validate, weighting
from ...input.calls import public
from ...input.options import Adjustment, Design, Missing, ScoreKind, WeightKind
from ...input.sample import name_of_units
from .answer import Comparison
from .common_mix import with_common_mix
from .named_tests import agreements, tests_of
from .reading import read_models

__all__ = ["Agreement", "Comparison", "Difference", "Decision", "compare"]


@public()
def compare(
    *data: Any,
    truth: Any = None,
    score: Any = None,
    predicted: Any = None,
    weight: Any = None,
    weight_kind: WeightKind | None = None,
    positive: Any = None,
    predicted_positive: Any = None,
    not_an_answer: Sequence[Any] | None = None,
    sample: Any = None,
    clusters: Any = None,
    persons: Any = None,
    paired: bool | None = None,
    classes: Sequence[Any] | None = None,
    ordered: bool = False,
    measures: Sequence[str] | str | None = None,
    threshold: Any = None,
    reference: str | None = None,
    method: ComparisonMethod = "auto",
    adjust: Adjustment = "holm",
    non_inferior_by: float | Mapping[str, float] | None = None,
    equivalent_within: float | Mapping[str, float] | None = None,
    level: float = 0.95,
    replicates: int = REPLICATES,
    design: Design = "cohort",
    rng: int | np.random.Generator = 0,
    missing: Missing = "reject",
    where: str | None = None,
    memory: str | int | None = None,
    higher_is_positive: bool = True,
    score_kind: ScoreKind | None = None,
    regression: bool = False,
    parameters: Mapping[str, Mapping[str, Any]] | None = None,
    progress: Callable[[int], None] | None = None,
) -> Comparison:
    """Compare two models or more: the difference of any measure, with a confidence interval and a p-value.

    Parameters
    ----------
    *data : data frames, files or summaries, optional
        As for `evaluate`; the other arguments then name columns. Two data sets or more, or summaries such as
        evaluations or ranking tables, are models on different cases.
    truth : array of shape (n,), or name of a column
        Actual labels; with paired=False a list of arrays.
    score, predicted : list, mapping from names of models, or table of shape (cases, models)
        One column or array per model on the same cases. With a score per class a mapping from names to lists
        of columns, or to arrays of two dimensions; with several labels per case predicted has arrays of
        indicators, as truth. With sample one score for all; with paired=False a list of arrays.
    weight, weight_kind, positive, predicted_positive, not_an_answer, classes, ordered, missing, where, memory
        As for `evaluate`.
    higher_is_positive, score_kind, parameters
        As for `evaluate`.
    sample : array or name of a column, optional
        The independent sample of each case, as a site or a model: models on different cases in one data set.
    clusters : array of shape (n,) or name of a column, optional
        The cluster of each case, as its patient or site. Resampling draws whole clusters.
    persons : two columns or two arrays, optional
        The two persons of each case, as for `evaluate`.
    paired : bool, optional
        False: different cases. It is required where summaries have as many cases of each class, since these
        do not record which case is which and may be of the same cases, and where two data sets have the same
        labels in the same order.
    measures : str or list of str, optional
        Names of measures; by default a few usual ones.
    threshold : float, list or mapping from names of models, optional
        One, or one per model, for measures at a threshold; by default as for `evaluate`.
    reference : str, optional
        The model that the others are compared with, the first by default; "all" compares every pair.
    method : {"auto", "delong", "score", "bootstrap", "basic-bootstrap", "permutation"}, default "auto"
        "auto": see the notes. "delong": as published, with the normal distribution. "bootstrap": percentiles.
    adjust : {"holm", "benjamini-hochberg", "none"}, default "holm"
        Adjustment of the p-values, over all differences.
    non_inferior_by, equivalent_within : float or mapping from measures, optional
        A margin, or one per measure, on the side where the model is worse, or on both sides.
    level : float, default 0.95
        Confidence level of the intervals, above 0 and below 1.
    replicates : int, default 2000
        Number of resamples, from 100 to 10^6.
    design : {"cohort", "case-control"}, default "cohort"
        "cohort": the class mix varies from sample to sample; "case-control": the class sizes are fixed, in
        every interval and test.
    rng : int or numpy.random.Generator, default 0
        Seed of the resampling.
    regression : bool, default False
        Whether truth and predicted are amounts; their losses are then compared.
    progress : callable, optional
        Called with the number of resamples done, or of permutations of the present measure.

    Returns
    -------
    Comparison
        With the evaluation of each model, and the differences, each model less the reference.

    Raises
    ------
    InputError
        For input that is wrong. With a score per class also for clusters, thresholds, and the methods
        "bootstrap", "basic-bootstrap" and "permutation"; with regression=True for clusters, design,
        thresholds and methods, which are for classes.

    Notes
    -----
    On the same cases the method "auto" uses the variance of the differences of the influence values of each
    case, which is DeLong's for roc_auc and that of the differences of the losses for means of losses, with
    Student's t and the asymmetry of the intervals of both models. Where models differ on few cases, the
    interval allows for others that were not sampled. Measures without influence values take the bootstrap
    with common resamples. On different cases the two intervals are combined.

    Examples
    --------
    >>> import tallymark as tm
    >>> scores = {"old": [0.1, 0.6, 0.4, 0.3, 0.7, 0.9], "new": [0.2, 0.3, 0.4, 0.1, 0.7, 0.8]}
    >>> comparison = tm.compare(truth=[0, 0, 1, 0, 1, 1], score=scores, measures="roc_auc")
    >>> round(comparison.differences[0].value, 4)
    0.1111
    """
    draws = Draws(validate.whole(replicates, "replicates", 100, 1e6), design, seed=validate.seed(rng))
    compared = ComparisonOptions(
        validate.choice(method, METHODS, "method"),
        validate.level(level),
        draws,
        validate.function(progress, "progress"),
    )
    validate.choice(adjust, ADJUSTMENTS, "adjust")
    spec = CaseSpec(
        truth=truth, score=score, predicted=predicted, weight=weight, weight_kind=weight_kind,
        clusters=clusters, persons=persons, sample=sample, positive=positive,
        predicted_positive=predicted_positive, not_an_answer=not_an_answer, classes=classes, ordered=ordered,
        higher_is_positive=higher_is_positive, score_kind=score_kind, missing=missing, where=where,
        memory=memory, regression=regression,
    )  # fmt: skip
    weighting.weight_kind(weight_kind, weight)
    settings = Settings(level=compared.level, seed=draws.seed, design=design)
    options = EvaluationOptions(settings, checked_parameters(parameters), score_kind=score_kind)
    if spec.regression:
        refuse("amounts", spec, options, threshold, None if method == "auto" else method)
    models, about, same = read_models(data, spec, paired, threshold, options)
    names = measures_of(measures, models, compared.method, threshold is not None)
    study = ModelContrasts(models, names, compared, same)
    hypothesis, margins = margins_of(non_inferior_by, equivalent_within, names, level)
    pairs = pairs_of([one.name for one in models], reference)
    classes_of_pairs = pairs if same and models[0].answers is not None else []
    differences, agreement = kernels.together(
        partial(differences_of, study, pairs, hypothesis, margins, adjust),
        partial(agreements, models, classes_of_pairs, settings),
        when=about.rows > MANY,
    )
    evaluations = {model.name: model.evaluation for model in models}
    mix: tuple[Notice, ...] = ()
    if not same:
        differences, mix = with_common_mix(differences, evaluations)
    return Comparison(
        data=about,
        paired=same,
        evaluations=evaluations,
        differences=differences,
        tests=tests_of(study, differences),
        agreement=agreement,
        assumes=study.assumes,
        adjust=adjust,
        level=compared.level,
        replicates=draws.replicates,
        seed=draws.seed,
        notices=(*mix, *_notices(models), *_same_names(models)),
        design=design,
        compared=tuple(models),
    )


def _same_names(models: Sequence[Model]) -> tuple[Notice, ...]:
    """The fact that units have the same names in several data sets, which are taken as different ones."""
    units = models[0].clusters
    if units is None:
        return ()
    columns = [model.sample.columns_of_units[:1] for model in models if model.sample is not None]
    labels = {id(one.labels): {*one.labels} for each in columns for one in each}
    times = Counter(chain.from_iterable(labels.values()))
    shared = sum(number > 1 for number in times.values())
    return (Notice("same-names-of-units", units=shared, of=name_of_units(units)),) if shared else ()


def _notices(models: Sequence[Model]) -> tuple[Notice, ...]:
    """The severe notices on the evaluations, and that on weights; those on all models only once."""
    found = [
        [
            notice
            for notice in model.evaluation.notices
            if notice.severe or notice.code == "importance-weights"
        ]
        for model in models
    ]
    shared = [notice for notice in found[0] if all(notice in one for one in found)]
    each = zip(models, found, strict=True)
    own = [of_model(model.name, notice) for model, one in each for notice in one if notice not in shared]
    return (*shared, *own)
