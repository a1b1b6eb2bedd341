"""The models that `compare` is given: on the same cases, on data sets or arrays of their own, parted by a
column, or summaries."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from ...evaluation.arguments import Asked
from ...evaluation.from_cases import only_per_class
from ...evaluation.from_summaries import of_summary
from ...evaluation.results import Evaluation, RegressionEvaluation, refuse_answers
from ...input import Cases, CaseSpec, validate
from ...input.cases import DROPPED, WEIGHTLESS, facts_of
from ...input.columns import Column
from ...input.data_info import DataInfo, of_several
from ...input.errors import by_position
from ...input.models import thresholds_of
from ...input.spec import no_truth
from ...input.spelling import option
from ...input.validate import InputError
from ...summaries import ClassScores, ConfusionMatrix, Counts, IndicatorTable, RankingTable, Residuals
from .alike import alike, cases_of, paired_instead, refuse_one_truth, refuse_other_classes
from .amounts import models_of_amounts
from .class_scores import models_of_class_scores
from .different_cases import model_of
from .models import Model, codes_of, models_of, names_of, read, several

SUMMARIES = (Evaluation, Counts, ConfusionMatrix, RankingTable)
OTHERS = (ClassScores, IndicatorTable, Residuals)
Found = tuple[list[Model], DataInfo, bool]
TOGETHER = "of all models"  # in the name of a column that sample= parts


def read_models(
    data: tuple[Any, ...], spec: CaseSpec, paired: bool | None, threshold: Any, asked: Asked
) -> Found:
    """The models, the facts, and whether they share their cases."""
    data = _checked(data)
    if any(isinstance(one, (*SUMMARIES, *OTHERS)) for one in data):
        return _of_summaries(data, spec, paired, threshold, asked)
    if spec.truth is None:
        raise no_truth()
    _check_of_scores(spec, threshold)
    if len(data) > 1:
        _check_sets(spec, paired)
        return _of_sets(data, spec, paired, threshold, asked)
    source = data[0] if data else None
    if spec.sample is not None:
        _check_sample(paired)
        return _samples(source, spec, threshold, asked)
    if paired is False or (paired is not None and not validate.flag(paired, "paired")):
        return _of_lists(source, spec, threshold, asked)
    kind = spec.kind
    named = names_of(spec.given[kind], kind, source is not None)
    several(named, kind)
    cases = _read(source, of_models(spec, named), threshold, asked)
    found = cases.columns()
    if cases.per_class:
        return (
            models_of_class_scores(cases.by_model(found), cases.data, cases.spec, asked),
            cases.data(None, None),
            True,
        )
    return *models_together(found, cases.data, cases.spec, threshold, asked), True


def _checked(data: tuple[Any, ...]) -> tuple[Any, ...]:
    """The sources, or the summaries of models, without the list that they may stand in. Raises InputError for
    others."""
    for one in data:
        known = isinstance(one, (list, tuple)) and (not one or isinstance(one[0], (str, Path, *SUMMARIES)))
        if isinstance(one, (np.ndarray, list, tuple)) and not known:
            raise by_position("truth", "score")
    if (
        len(data) == 1
        and isinstance(data[0], (list, tuple))
        and data[0]
        and isinstance(data[0][0], SUMMARIES)
    ):
        data = tuple(data[0])
    if any(
        isinstance(one, Mapping) and any(isinstance(part, (*SUMMARIES, *OTHERS)) for part in one.values())
        for one in data
    ):
        problem = "a mapping of evaluations or tables is no data set"
        raise InputError("invalid-value", "data", problem, "pass them one by one, as compare(ev_a, ev_b)")
    for one in data:
        refuse_answers(one)
    return data


def _check_of_scores(spec: CaseSpec, threshold: Any) -> None:
    """Raises InputError for what is of scores, where labels are compared."""
    of_scores = threshold is not None or not spec.higher_is_positive or spec.score_kind is not None
    if spec.kind == "predicted" and not spec.regression and of_scores:
        problem = "threshold, higher_is_positive and score_kind are for scores"
        raise InputError("unsupported", None, problem, "predicted labels are answers already")


def _check_sets(spec: CaseSpec, paired: bool | None) -> None:
    """Raises InputError for what two data sets leave no room for."""
    if spec.sample is not None:
        way_out = f"leave out {option('sample')}, or give one data set"
        raise InputError("conflict", "sample", "two data sets hold different cases already", way_out)
    if paired:
        raise InputError(
            "conflict",
            "paired",
            "two data sets hold different cases",
            "leave it out, or join them row by row",
        )


def _check_sample(paired: bool | None) -> None:
    """Raises InputError where models on different cases are to be compared in pairs."""
    if paired:
        way_out = f"leave out {option('paired', True)}, or {option('sample')}"
        raise InputError(
            "conflict", "sample", "it parts the cases, so that models have different ones", way_out
        )


def models_together(
    found: Mapping[str, Column], data: Callable[..., DataInfo], spec: CaseSpec, threshold: Any, asked: Asked
) -> tuple[list[Model], DataInfo]:
    """Models on the same cases, and the facts.

    found: the columns, collected; data: the facts, by the weight of positives and of negatives; spec: with
    the columns by model.
    """
    names = list(spec.given[spec.kind])
    models = _models_of(found, data, spec, asked, thresholds_of(threshold, names))
    sizes = models[0].evaluation.data
    return models, data(sizes.positives, sizes.negatives)


def _read(data: Any, spec: CaseSpec, threshold: Any, asked: Asked) -> Cases:
    """The cases. Raises InputError where they have a score per class, and something is given that is for one
    score."""
    cases = read(data, spec)
    if cases.per_class:
        only_per_class(spec, asked, threshold)
    return cases


def _of_own_cases(cases: Cases, found: dict[str, Column], asked: Asked, name: str, limit: Any) -> list[Model]:
    """A model with cases of its own. found: their columns, collected."""
    if cases.per_class:
        return models_of_class_scores(cases.by_model(found), cases.data, cases.spec, asked)
    return _models_of(found, cases.data, cases.spec, asked, {name: limit})


def _models_of(
    found: Mapping[str, Column],
    data: Callable[..., DataInfo],
    spec: CaseSpec,
    asked: Asked,
    thresholds: Mapping[Any, Any],
) -> list[Model]:
    """Of amounts, or of classes."""
    return (models_of_amounts if spec.regression else models_of)(found, data, spec, asked, thresholds)


def of_models(spec: CaseSpec, named: Mapping[str, Any], **others: Any) -> CaseSpec:
    """The same cases with these scores, or labels, by model. others: columns in the place of those of the
    cases."""
    return spec.of_columns({spec.kind: dict(named), **others})


def _of_summaries(
    data: tuple[Any, ...], spec: CaseSpec, paired: bool | None, threshold: Any, asked: Asked
) -> Found:
    """Of what was summarised before: of different cases, since a summary does not hold which case is
    which."""
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
    names = [f"model {i + 1}" for i in range(len(data))]
    limits = thresholds_of(threshold, names)
    models = [
        model_of(name, _evaluated(one, limits[name], spec, asked))
        for name, one in zip(names, data, strict=True)
    ]
    if paired is None:
        _refuse_alike(models)
    return models, _facts("summaries", models), False


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


def _evaluated(one: Any, limit: Any, spec: CaseSpec, asked: Asked) -> Evaluation:
    if isinstance(one, OTHERS) or not isinstance(one, SUMMARIES):
        raise InputError(
            "unsupported",
            "data",
            f"a {type(one).__name__} cannot be compared",
            "give evaluations, ranking tables, counts or matrices",
        )
    if isinstance(one, Evaluation):
        _same_design(one.settings.design, asked.settings.design)
        held: Any = replace(one, settings=replace(one.settings, level=asked.settings.level))
        found: Evaluation = held if limit is None else held.at(limit)  # one that takes no threshold says why
        return found
    validate.only(one, classes=spec.classes)
    higher = spec.higher_is_positive or not isinstance(one, RankingTable)
    return of_summary(one, asked, spec.positive, limit, higher)


def _of_sets(
    data: tuple[Any, ...], spec: CaseSpec, paired: bool | None, threshold: Any, asked: Asked
) -> Found:
    """Each model on a data set of its own."""
    given = spec.given[spec.kind]
    if isinstance(given, Mapping):
        _one_each(given, len(data), spec.kind)
        spec = spec.of_columns({spec.kind: list(given.values())})
    names = list(given) if isinstance(given, Mapping) else _names_of_sets(data, given)
    limits = thresholds_of(threshold, names)
    models: list[Model] = []
    abouts: list[DataInfo] = []
    truths: dict[str, np.ndarray] = {}
    for i, (name, one) in enumerate(zip(names, data, strict=True)):
        given = {role: _ith(values, i, len(data)) for role, values in spec.given.items()}
        cases = _read(one, of_models(spec, {name: given.pop(spec.kind)}, **given), threshold, asked)
        found = cases.columns()
        models += _of_own_cases(cases, found, asked, name, limits[name])
        abouts.append(cases.data(None, None))
        truths[name] = found["truth"].values
    if paired is None or validate.flag(paired, "paired"):
        refuse_one_truth(truths, spec.kind)
    return models, _facts(", ".join(about.source for about in abouts), models), False


def _ith(values: Any, i: int, number: int) -> Any:
    return values[i] if isinstance(values, (list, tuple)) and len(values) == number else values


def _one_each(models: Mapping[str, Any], number: int, kind: str) -> None:
    if len(models) != number:
        raise InputError(
            "mismatch",
            kind,
            f"{len(models)} models are named for {number} data sets",
            "name one for each, in their order",
        )


def _names_of_sets(data: Sequence[Any], columns: Any) -> list[str]:
    if (
        isinstance(columns, (list, tuple))
        and all(isinstance(one, str) for one in columns)
        and len(set(columns)) == len(data)
    ):
        return list(columns)
    if all(isinstance(one, str) for one in data) and len(set(data)) == len(data):
        return list(data)
    return [f"model {i + 1}" for i in range(len(data))]


def _of_lists(source: Any, spec: CaseSpec, threshold: Any, asked: Asked) -> Found:
    """Arrays of each model, in lists or mappings that go side by side."""
    parts, kind = spec.given, spec.kind
    if source is not None:
        raise InputError(
            "needed",
            "paired",
            f"of one data set, say with {option('sample')} which sample a case is of",
            "or give a data set per model",
        )
    sizes = {
        role: len(values) for role, values in parts.items() if isinstance(values, (list, tuple, Mapping))
    }
    if len(sizes) < len(parts) or len(set(sizes.values())) > 1 or sizes[kind] < 2:
        raise InputError(
            "needed",
            "paired",
            f"without it, give a list with one array per model each to {', '.join(map(option, parts))}",
        )
    named = names_of(parts[kind], kind, False)
    models: list[Model] = []
    limits = thresholds_of(threshold, list(named))
    for i, (name, array) in enumerate(named.items()):
        others = {role: _of_model(role, values, name, i) for role, values in parts.items() if role != kind}
        cases = _read(None, of_models(spec, {name: array}, **others), threshold, asked)
        models += _of_own_cases(cases, cases.columns(), asked, name, limits[name])
    return models, _facts("arrays", models), False


def _of_model(role: str, values: Any, name: str, place: int) -> Any:
    if not isinstance(values, Mapping):
        return values[place]
    found = {str(of): one for of, one in values.items()}
    if name not in found:
        raise InputError(
            "unknown-name",
            role,
            f"it has nothing for the model {validate.shown(name)}",
            "name the models alike in all arguments",
            value=name,
        )
    return found[name]


def _samples(source: Any, spec: CaseSpec, threshold: Any, asked: Asked) -> Found:
    """The cases parted by a column."""
    kind = spec.kind
    spec, named = _only_model(spec), isinstance(spec.given[kind], Mapping)
    if isinstance(spec.given[kind], Mapping) or (
        source is not None and not named and not isinstance(spec.given[kind], str)
    ):
        raise InputError(
            "conflict", kind, f"with {option('sample')} there is one column for all models", "name that one"
        )
    cases = _read(source, of_models(spec, {TOGETHER: spec.given[kind]}), threshold, asked)
    found = cases.columns()
    labels, codes = codes_of(found.pop("sample"))
    if len(labels) < 2:
        raise InputError(
            "conflict",
            "sample",
            "all cases are of one sample",
            f"give cases of two or more, or leave {option('sample')} out",
        )
    models: list[Model] = []
    limits = thresholds_of(threshold, [str(label) for label in labels])
    for code, label in enumerate(labels):
        part = {role: column.keep(codes == code) for role, column in found.items()}
        models += _of_one_sample(part, cases, label, asked, limits[str(label)])
    return models, _facts(cases.source.name, models, cases.dropped), False


def _of_one_sample(
    part: dict[str, Column], cases: Cases, label: Any, asked: Asked, limit: Any
) -> list[Model]:
    """A model of the cases of one sample."""
    data, name = _of_sample(label, part, cases).of_classes, str(label)
    if cases.per_class:
        return models_of_class_scores({name: cases.by_model(part)[TOGETHER]}, data, cases.spec, asked)
    named = {role.replace(TOGETHER, name): column for role, column in part.items()}
    return _models_of(named, data, cases.spec, asked, {name: limit})


def _only_model(spec: CaseSpec) -> CaseSpec:
    """With the columns of the only model of a mapping in its place."""
    given = spec.given[spec.kind]
    return (
        spec.of_columns({spec.kind: next(iter(given.values()))})
        if isinstance(given, Mapping) and len(given) == 1
        else spec
    )


def _of_sample(label: Any, part: Mapping[str, Column], cases: Cases) -> DataInfo:
    """The facts about the cases of one sample."""
    dropped, weightless = (cases.left_out[why, label] for why in (DROPPED, WEIGHTLESS))
    found = facts_of(part.get("weight"), len(part["truth"]) + weightless, cases.source.name)
    return replace(found, dropped=dropped)


def _facts(source: str, models: Sequence[Model], dropped: int = 0) -> DataInfo:
    """The facts about different cases of models. Raises InputError where these have other classes."""
    refuse_other_classes({model.name: model.evaluation for model in models})
    return of_several([model.evaluation.data for model in models], source, dropped)
