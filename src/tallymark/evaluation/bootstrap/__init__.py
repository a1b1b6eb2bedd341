"""The bootstrap: intervals of any measure from resampled cases, or resampled clusters of cases."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ... import kernels
from ...inference.bootstrap import intervals
from ...inference.bootstrap.draws import RESAMPLINGS, Draws, check_design
from ...inference.bootstrap.limits import kind_of
from ...inference.bootstrap.replicates import Asked, replicates
from ...inference.weighted_mix import fixed_by_weights
from ...input import CaseSpec, read, text, validate
from ...input.calls import public
from ...input.data_info import DataInfo, kind_of_summary
from ...input.models import of_one_model
from ...input.options import BootstrapMethod, CaseResampling, Design, Missing, ScoreKind, WeightKind
from ...input.spec import no_truth, only_two_classes
from ...input.spelling import option
from ...input.validate import InputError
from ...measures import registry
from ...measures.registry import Measure
from ...summaries import (
    BinnedTable,
    ClassScores,
    ConfusionMatrix,
    Counts,
    IndicatorTable,
    RankingTable,
    Residuals,
)
from ...summaries.cases import ScoredCases
from ...summaries.collected import TwoClassCases, collect
from ..arguments import checked_parameters
from ..evaluate import evaluate
from ..from_summaries import score_kind_of
from ..results import BinaryEvaluation, Evaluation, in_unit_interval, refuse_answers
from ..thresholds import DEFAULT, Threshold, default_threshold
from .answer import Bootstrap
from .from_evaluation import cases_of

__all__ = ["Bootstrap", "bootstrap"]

USUAL = ("roc_auc", "average_precision", "kolmogorov_smirnov", "brier_score", "log_loss")
NO_SCORES = (
    "bootstrap resamples cases of two classes with a score, and predicted labels, more classes and amounts"
    " are not supported; use evaluate, which has intervals for them"
)
SIDE_BY_SIDE = 'compare(..., method="bootstrap") resamples several together, for their differences'
SLOW = ("smooth-deviations",)  # kinds without an interval, of which each resample is fitted anew
AT_A_THRESHOLD = ("accuracy", "sensitivity", "specificity", "precision", "f1", "matthews_correlation")


@public(instead={name: NO_SCORES for name in ("predicted", "regression")})
def bootstrap(
    data: Any = None,
    /,
    *,
    truth: Any = None,
    score: Any = None,
    weight: Any = None,
    weight_kind: WeightKind | None = None,
    clusters: Any = None,
    positive: Any = None,
    classes: Sequence[Any] | None = None,
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
    data : data frame, file, mapping of columns, RankingTable or evaluation, optional
        As for `evaluate`; from an evaluation the cases, the threshold and the parameters are taken.
    score : array of shape (n,) or (n, 2), name of a column, or list of two names
        One score per case, or two columns of probabilities, one per class.
    classes : list of two labels, optional
        The labels of the columns of score.
    truth, weight, weight_kind, positive, higher_is_positive, missing, where, memory, score_kind
        As for `evaluate`.
    threshold, parameters
        As for `evaluate`.
    clusters : array of shape (n,) or name of a column, optional
        The cluster of each case, as its patient or site. Whole clusters are resampled (the cluster
        bootstrap).
    measures : str or list of str, optional
        Names of measures of scores, or of counts at the threshold; "all" for every measure but the deviations
        from a smooth curve (ICI, E50, E90), which have no interval and take most of the time. By default a
        selection of common ones.
    method : {"bca", "percentile", "basic", "studentised"}, default "bca"
        "bca" is bias-corrected and accelerated. "studentised" needs a standard error for every resample, and
        exists for roc_auc, proportions and mean losses of independent cases; for other measures "bca" is used
        then, as their `method` states.
    design : {"cohort", "case-control"}, default "cohort"
        "cohort": all cases are resampled together, so that the class mix varies; "case-control": each class
        is resampled separately, so that the class sizes are fixed.
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
        For whatever `evaluate` refuses, for unknown measures and methods, for clusters with
        design="case-control", and for measures of probabilities where the scores are not probabilities.

    Notes
    -----
    In a case-control design, intervals of measures that depend on the class mix, as precision or log_loss,
    are "given this class mix". The same holds for class weights that are computed from the sample so that all
    classes have the same total weight: each resample is reweighted in the same way.

    A case with a count of 2 is two cases, one with weight 0 is none. A case with an importance weight is
    drawn as one case and keeps its weight. Cases, or clusters, are taken as independent.

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
    level = validate.level(level)
    how = _draws(replicates, design, resampling, rng, threads, clusters)
    score = of_one_model("bootstrap", {"score": score}, SIDE_BY_SIDE)["score"]
    spec = CaseSpec(
        truth=truth, score=score, weight=weight, weight_kind=weight_kind, clusters=clusters,
        positive=positive, classes=classes, higher_is_positive=higher_is_positive, score_kind=score_kind,
        missing=missing,
        where=where,
        memory=memory,
    )  # fmt: skip
    with kernels.at_most(threads):
        cases, kind_of_scores = _cases(data, spec, design)
    model, held = cases.model, data if isinstance(data, BinaryEvaluation) else None
    how = replace(how, keeps_weights=cases.clusters is None and fixed_by_weights(model.table))
    limit, chosen = _threshold(
        model, threshold, cases.sign, kind_of_scores, None if held is None else held.threshold
    )
    wanted = {**({} if held is None else held.parameters), **checked_parameters(parameters)}
    asked = _asked(model, measures, wanted, kind_of_scores, cases.sign)
    found = _replicated(asked, model, how, limit, cases.clusters, progress)
    return Bootstrap(cases, how, tuple(asked), limit, found, method, level, chosen)


def _draws(
    replicates: Any, design: Any, resampling: Any, rng: Any, threads: int | None, clusters: Any
) -> Draws:
    validate.choice(resampling, RESAMPLINGS, "resampling")
    check_design(design, clusters, resampling)
    return Draws(
        validate.whole(replicates, "replicates", 50, 1e7), design, resampling, validate.seed(rng), threads
    )


def _cases(data: Any, spec: CaseSpec, design: str) -> tuple[TwoClassCases, str | None]:
    """The cases one by one, and the kind of their scores."""
    if isinstance(data, (Evaluation, BinnedTable)):
        return cases_of(data if isinstance(data, Evaluation) else evaluate(data), spec, design)
    if not isinstance(data, RankingTable):
        _check(data, spec)
        return collect(read(data, spec)), spec.score_kind
    score_kind = score_kind_of(data, spec.score_kind, spec.higher_is_positive)
    validate.only(
        data, **spec.given, weight_kind=spec.weight_kind, positive=spec.positive, classes=spec.classes
    )
    validate.some_rows(bool(data.total))
    return _of_table(data, spec.higher_is_positive), score_kind


def _check(data: Any, spec: CaseSpec) -> None:
    refuse_answers(data)
    if isinstance(data, (Counts, ConfusionMatrix, ClassScores, IndicatorTable, Residuals)):
        raise InputError(
            "unsupported",
            "data",
            f"a {type(data).__name__} holds no scores of two classes",
            "pass the cases, or a RankingTable",
        )
    if spec.truth is None:
        raise no_truth()
    if spec.score is None:
        raise InputError("needed", "score", "the scores are missing", f"pass {option('score')}")
    only_two_classes(
        "bootstrap",
        spec.truth,
        [spec.score],
        data is not None,
        "use evaluate, which has intervals for many classes",
    )


def _replicated(
    asked: Sequence[Asked],
    model: ScoredCases,
    how: Draws,
    limit: float,
    clusters: np.ndarray | None,
    progress: Any,
) -> np.ndarray:
    progress = validate.function(progress, "progress")
    found: np.ndarray = replicates(
        asked, [model], how, thresholds=[limit], clusters=clusters, progress=progress
    )[0]
    return found


def _of_table(table: RankingTable, higher_is_positive: bool) -> TwoClassCases:
    model = ScoredCases.from_table(table if higher_is_positive else table.turned())
    kind = kind_of_summary(table.weighted)
    data = DataInfo(
        text.whole(table.total),
        table.positives,
        table.negatives,
        table.weighted,
        type(table).__name__,
        weight_kind=kind,
    )
    return TwoClassCases(model, None, data, ("negative", "positive"), 1 if higher_is_positive else -1)


def _threshold(
    model: ScoredCases, given: float | None, sign: int, score_kind: str | None, held: Threshold | None
) -> tuple[float, bool]:
    """The threshold on the scores as they are stored, and whether it was chosen on these cases.

    held: the threshold of an evaluation, if one is given; else it is chosen as by `evaluate`.
    """
    if given is not None:
        return sign * validate.threshold(given), False
    if held is not None:
        assert held.value is not None  # without labels there are scores
        return sign * held.value, held.chosen
    chosen = default_threshold(model.table, in_unit_interval(model.table, sign > 0), score_kind)
    assert chosen.value is not None
    return sign * chosen.value if chosen.rule == DEFAULT else chosen.value, chosen.chosen


def _asked(
    model: ScoredCases,
    measures: Any,
    parameters: Mapping[str, Mapping[str, Any]],
    score_kind: str | None,
    sign: int,
) -> list[Asked]:
    probabilities = sign > 0 and score_kind in (None, "probability", "logit") and model.table.in_unit_interval
    if measures is None:
        names: Sequence[str] = [
            name for name in USUAL if probabilities or not registry.get(name).needs_probabilities
        ]
        names = [*names, *AT_A_THRESHOLD]
    elif isinstance(measures, str) and measures == "all":
        names = [entry.name for entry in registry.all_measures() if entry.summary in (RankingTable, Counts)]
        names = [
            name
            for name in names
            if _fits(_entry(name), probabilities, score_kind) and kind_of(_entry(name)) not in SLOW
        ]
    else:
        names = _named(measures)
    entries = list(dict.fromkeys(_entry(name) for name in names))
    for entry in entries:
        if not _fits(entry, probabilities, score_kind):
            need = "probabilities" if entry.needs_probabilities else option("score_kind", entry.scores)
            raise InputError(
                "unsupported",
                "measures",
                f"{entry.name} needs {need}, which the scores are not",
                "leave it out, or say what they are",
            )
    return [(entry, parameters.get(entry.name, {})) for entry in entries]


def _named(measures: Any) -> Sequence[str]:
    names = [measures] if isinstance(measures, str) else validate.some(measures, "measures", "names")
    if not names:
        raise InputError(
            "needed",
            "measures",
            f"{validate.shown(measures)} names no measure",
            'as "roc_auc", ["roc_auc", "f1"], or "all"',
            value=measures,
        )
    return names


def _entry(name: str) -> Measure:
    forms = [form for form in registry.forms(name) if form.summary in (RankingTable, Counts)]
    if not forms:
        raise InputError(
            "unsupported", "measures", f"{name} is measured neither on scores nor on counts", "leave it out"
        )
    return forms[0]


def _fits(entry: Measure, probabilities: bool, score_kind: str | None) -> bool:
    if entry.needs_probabilities:
        return probabilities
    return entry.scores in (None, score_kind)
