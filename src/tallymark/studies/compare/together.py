"""Results on all models together: overall tests, and the agreement of pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import isnan

import numpy as np

from ... import kernels
from ...evaluation.paired.amounts import SameAmounts
from ...evaluation.paired.differences import Agreement, Difference
from ...evaluation.paired.models import Model
from ...evaluation.paired.same_cases import SameCases
from ...evaluation.paired.study import few_of
from ...evaluation.paired.swapping import mid_ranks
from ...inference import Estimate, Settings, estimate
from ...inference.hypothesis.calibration import Test
from ...inference.hypothesis.paired import cochran_q_of_right, mcnemar_of_counts, not_made
from ...inference.intervals import proportion
from ...inference.rank_correlation import kendall_tau_b
from ...input.messages.notes import Note
from ...summaries import ConfusionMatrix, Counts
from .different_cases import DifferentCases

Study = SameCases | SameAmounts | DifferentCases
OF_ALL = {
    "accuracy": None,
    "error_rate": None,
    "sensitivity": 1,
    "false_negative_rate": 1,
    "specificity": 0,
    "false_positive_rate": 0,
}
NAMED = {None: "accuracy", 1: "sensitivity", 0: "specificity"}
IN_CLUSTERS = Note("in-clusters")
NOT_COUNTED = Note("no-independent-trials")


def tests_of(study: Study, names: Sequence[str], differences: Sequence[Difference]) -> tuple[Test, ...]:
    """DeLong's overall test, McNemar's tests and Cochran's Q, for the measures compared."""
    if not isinstance(study, SameCases):
        return ()
    found = [_overall(study)] if "roc_auc" in names and len(study.models) > 2 else []
    asked = list(dict.fromkeys(OF_ALL[name] for name in names if name in OF_ALL))
    if asked and (study.models[0].clusters is not None or study.models[0].weight is not None):
        return (*found, not_made("mcnemar", NOT_COUNTED))
    pairs = list(dict.fromkeys((one.model, one.reference) for one in differences))
    return (*found, *(test for of in asked for test in _of_answers(study.models, of, pairs)))


def _overall(study: SameCases) -> Test:
    from scipy.special import chdtrc

    chi, df = study.areas.overall()
    name = "delong, all areas equal"
    if isnan(chi):
        alone = np.isnan(study.areas.covariance).any()
        return not_made(name, Note("single-case" if alone else "areas-without-spread"))
    if not df:
        return Test(name, 0.0, 1.0, 0, (Note("models-rank-alike"),))
    return Test(name, chi, float(chdtrc(df, chi)), df, few_of(study.models[0]))


def _of_answers(models: Sequence[Model], of: int | None, pairs: Sequence[tuple[str, str]]) -> list[Test]:
    first = models[0]
    if of is not None and not first.two_classes:
        return []
    there = np.ones(len(first.truth), bool) if of is None else first.truth == of
    if not there.any():
        return [not_made(f"mcnemar, {NAMED[of]}", Note("no-case-of-the-class"))]
    right = {model.name: model.right[there] for model in models}
    found: list[Test] = [
        replace(
            mcnemar_of_counts(
                int((right[model] & ~right[reference]).sum()), int((~right[model] & right[reference]).sum())
            ),
            name=f"mcnemar mid-p, {NAMED[of]}: {model} - {reference}",
        )
        for model, reference in pairs
    ]
    if len(models) > 2:
        found.append(replace(cochran_q_of_right(list(right.values())), name=f"cochran q, {NAMED[of]}"))
    return found


def agreements(
    models: Sequence[Model], pairs: Sequence[tuple[int, int]], level: float
) -> tuple[Agreement, ...]:
    """The agreement of each pair of a model and a reference, which are given by their numbers."""
    return tuple(_agreement(models[reference], models[model], level) for model, reference in pairs)


def _agreement(first: Model, second: Model, level: float) -> Agreement:
    weight = np.ones(len(first.truth)) if first.weight is None else first.weight
    scale = 1.0 if first.weight is None else weight.sum() / kernels.dot(weight, weight)
    a, b = first.right, second.right
    kinds = {"both": a & b, "first only": a & ~b, "second only": ~a & b, "neither": ~a & ~b}
    right = {name: float(weight[cases].sum()) for name, cases in kinds.items()}
    same, n = float(weight[first.answers == second.answers].sum() * scale), float(weight.sum() * scale)
    low, high = proportion.wilson(same, n, level)
    share = Estimate(same / n, float(low), float(high), level, "wilson")
    kappa = _kappa(first, second, weight * scale, level)
    if first.clusters is not None:
        share, kappa = (
            Estimate(one.value, level=level, undefined=one.undefined, notes=(IN_CLUSTERS,))
            for one in (share, kappa)
        )
    spearman = kendall = None
    if first.ranking is not None:
        spearman, kendall = _correlations(first, second)
    return Agreement(first.name, second.name, share, kappa, spearman, kendall, right)


def _kappa(first: Model, second: Model, weight: np.ndarray, level: float) -> Estimate:
    """Cohen's kappa of the predictions of two models."""
    size = int(max(first.answers.max(), second.answers.max(), 1)) + 1
    cells = np.bincount(first.answers * size + second.answers, weight, size * size).reshape(size, size)
    if size == 2:
        return estimate(
            "cohen_kappa",
            Counts.of(*map(float, (cells[1, 1], cells[0, 1], cells[1, 0], cells[0, 0]))),
            Settings(level),
        )
    return estimate("cohen_kappa", ConfusionMatrix(tuple(range(size)), cells), Settings(level))


def _correlations(first: Model, second: Model) -> tuple[float, float]:
    """Spearman's rho and Kendall's tau-b of the scores, each case counting once."""
    one, other = (mid_ranks(model.cases) for model in (first, second))
    if np.ptp(one) == 0 or np.ptp(other) == 0:
        return float("nan"), float("nan")
    return float(np.corrcoef(one, other)[0, 1]), kendall_tau_b(first.cases.place, second.cases.place)
