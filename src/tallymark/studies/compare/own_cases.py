"""Models that have different cases: data sets, arrays of each model, or samples of one data set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ...evaluation.arguments import Asked
from ...evaluation.paired.class_scores import models_of_class_scores
from ...evaluation.paired.estimating import models_of_columns
from ...evaluation.paired.models import Model
from ...evaluation.paired.shared_cases import codes_of, ordered
from ...input import Cases, CaseSpec, validate
from ...input.cases import DROPPED, WEIGHTLESS, facts_of
from ...input.columns import Column
from ...input.data_info import DataInfo
from ...input.models import thresholds_of
from ...input.spelling import option
from ...input.validate import InputError
from .alike import refuse_one_truth
from .model_names import names_of
from .reading import Found, facts_of_models, read_as_asked, with_models

TOGETHER = "of all models"  # in the name of the column that sample= divides


def _of_own_cases(cases: Cases, found: dict[str, Column], asked: Asked, name: str, limit: Any) -> list[Model]:
    """A model on its own cases. found: their columns, collected."""
    if cases.per_class:
        return models_of_class_scores(cases.by_model(found), cases.data, cases.spec, asked)
    models = models_of_columns(found, cases.data, cases.spec, asked, {name: limit})
    return models if cases.spec.regression else ordered(models)  # amounts have an order of their own


def of_data_sets(
    data: tuple[Any, ...], spec: CaseSpec, paired: bool | None, threshold: Any, asked: Asked
) -> Found:
    """The models, each on its own data set."""
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
        cases = read_as_asked(one, with_models(spec, {name: given.pop(spec.kind)}, **given), threshold, asked)
        found = cases.columns()
        models += _of_own_cases(cases, found, asked, name, limits[name])
        abouts.append(cases.data(None, None))
        truths[name] = found["truth"].values
    if paired is None or validate.flag(paired, "paired"):
        refuse_one_truth(truths, spec.kind)
    return models, facts_of_models(", ".join(about.source for about in abouts), models), False


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


def of_lists(source: Any, spec: CaseSpec, threshold: Any, asked: Asked) -> Found:
    """The models, each on its own arrays, given as lists or mappings of the same models."""
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
        cases = read_as_asked(None, with_models(spec, {name: array}, **others), threshold, asked)
        models += _of_own_cases(cases, cases.columns(), asked, name, limits[name])
    return models, facts_of_models("arrays", models), False


def _of_model(role: str, values: Any, name: str, place: int) -> Any:
    if not isinstance(values, Mapping):
        return values[place]
    found = {str(of): one for of, one in values.items()}
    if name not in found:
        raise InputError(
            "unknown-name",
            role,
            f"there is none for the model {validate.shown(name)}",
            "name the models alike in all arguments",
            value=name,
        )
    return found[name]


def of_samples(source: Any, spec: CaseSpec, threshold: Any, asked: Asked) -> Found:
    """The models, each on the cases of one value of a column."""
    kind = spec.kind
    spec, named = _only_model(spec), isinstance(spec.given[kind], Mapping)
    if isinstance(spec.given[kind], Mapping) or (
        source is not None and not named and not isinstance(spec.given[kind], str)
    ):
        raise InputError(
            "conflict", kind, f"with {option('sample')} there is one column for all models", "name that one"
        )
    cases = read_as_asked(source, with_models(spec, {TOGETHER: spec.given[kind]}), threshold, asked)
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
    return models, facts_of_models(cases.source.name, models, cases.dropped), False


def _of_one_sample(
    part: dict[str, Column], cases: Cases, label: Any, asked: Asked, limit: Any
) -> list[Model]:
    """The model of the cases of one sample."""
    data, name = _of_sample(label, part, cases).of_classes, str(label)
    if cases.per_class:
        return models_of_class_scores({name: cases.by_model(part)[TOGETHER]}, data, cases.spec, asked)
    named = {role.replace(TOGETHER, name): column for role, column in part.items()}
    models = models_of_columns(named, data, cases.spec, asked, {name: limit})
    return models if cases.spec.regression else ordered(models)


def _only_model(spec: CaseSpec) -> CaseSpec:
    """The spec with the columns of the only model in place of a mapping."""
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
