"""Models that are given as evaluations, tables or counts instead of cases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ...evaluation.arguments import EvaluationOptions
from ...evaluation.case_sums import CaseSums, only_measured
from ...evaluation.evaluations import evaluate_summary, evaluate_sums
from ...evaluation.paired.models import Model
from ...evaluation.results import Evaluation, RegressionEvaluation
from ...input import CaseSpec, validate
from ...input.data_info import DataInfo
from ...input.models import thresholds_of
from ...input.spelling import option
from ...input.validate import InputError
from ...input.values import shown
from ...summaries import (
    BinnedTable,
    ClassScores,
    ConfusionMatrix,
    Counts,
    IndicatorTable,
    RankingTable,
    Residuals,
)
from .alike import alike, cases_of, paired_instead
from .different_cases import model_of
from .reading import Found, facts_of_models

SUMMARIES = (BinnedTable, CaseSums, Evaluation, Counts, ConfusionMatrix, RankingTable)


OTHERS = (ClassScores, IndicatorTable, Residuals)


def of_summaries(
    data: tuple[Any, ...], spec: CaseSpec, paired: bool | None, threshold: Any, options: EvaluationOptions
) -> Found:
    """The models, taken as on different cases, since a summary does not record which case is which."""
    if paired is not None and validate.flag(paired, "paired"):
        raise InputError(
            "conflict",
            "paired",
            "summaries do not hold which case is which",
            f"pass the cases with {option('score', ...)}, or leave it out",
        )
    given = next(iter(spec.given), None)
    if given:
        raise InputError(
            "conflict",
            given,
            f"summaries hold all that is measured, so {given} has no meaning with them",
            "leave it out",
        )
    if len(data) < 2:
        raise InputError("needed", "data", "one summary only", "give those of two models or more")
    names = _names_of(data)
    limits = thresholds_of(threshold, names)
    models = [
        model_of(name, _evaluated(one, limits[name], spec, options))
        for name, one in zip(names, data, strict=True)
    ]
    if paired is None:
        _refuse_alike(models)
    return models, facts_of_models("summaries", models), False


def _names_of(data: Sequence[Any]) -> list[str]:
    """What the evaluations are called, where no two have the same name."""
    numbered = [f"model {i + 1}" for i in range(len(data))]
    called = [
        (_facts(one).called if isinstance(one, (CaseSums, Evaluation)) else "") or name
        for one, name in zip(data, numbered, strict=True)
    ]
    return called if len(set(called)) == len(called) else numbered


def _facts(one: CaseSums | Evaluation) -> DataInfo:
    return one.cases.data(None, None) if isinstance(one, CaseSums) else one.data


def _refuse_alike(models: Sequence[Model]) -> None:
    found = alike([model.evaluation for model in models])
    if found:
        first, second = (models[i] for i in found)
        of_amounts = isinstance(first.evaluation, RegressionEvaluation)
        alike_in = "as many cases" if of_amounts else "as many cases of each class"
        way_out = f"{paired_instead(first.evaluation)}, or"
        raise InputError(
            "ambiguous",
            "paired",
            f"{first.name} and {second.name} have {alike_in} ({cases_of(first.evaluation)}), which may be the"
            " same cases",
            f"{way_out} {option('paired', False)} if they are different ones",
        )


def _same_design(held: str, asked: str) -> None:
    if held != asked:
        raise InputError(
            "mismatch",
            "design",
            f"{asked!r}, but an evaluation holds {held!r}",
            f"pass {option('design', held)}, or evaluate both alike",
        )


def _evaluated(one: Any, limit: Any, spec: CaseSpec, options: EvaluationOptions) -> Evaluation:
    if isinstance(one, OTHERS) or not isinstance(one, SUMMARIES):
        raise InputError(
            "unsupported",
            "data",
            f"a {type(one).__name__} cannot be compared",
            "give evaluations, ranking tables, counts or matrices",
        )
    if isinstance(one, CaseSums):
        only_measured(spec, None)
        kind = one.cases.spec.score_kind
        of_each = evaluate_sums(one, replace(options, score_kind=kind), limit)
        if None not in of_each:
            problem = f"it holds {len(of_each)} models ({', '.join(map(shown, of_each))})"
            raise InputError("unsupported", "data", problem, "sum each of them in a file of its own")
        return of_each[None]
    if isinstance(one, Evaluation):
        _same_design(one.settings.design, options.settings.design)
        held: Any = replace(one, settings=replace(one.settings, level=options.settings.level))
        found: Evaluation = held if limit is None else held.at(limit)  # raises InputError without scores
        return found
    validate.only(one, classes=spec.classes, ordered=spec.ordered or None)
    higher = spec.higher_is_positive or not isinstance(one, (RankingTable, BinnedTable))
    return evaluate_summary(one, options, spec.positive, limit, higher)
