"""Models that have different cases: data sets, arrays of each model, or samples of one data set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ...evaluation.arguments import EvaluationOptions
from ...evaluation.paired.models import Model, models_of, ordered
from ...input import CaseSpec, validate
from ...input.cases import DROPPED, WEIGHTLESS
from ...input.models import thresholds_of
from ...input.sample import Sample
from ...input.spelling import option
from ...input.validate import InputError
from ...summaries.samples import collect, sample_of
from .alike import refuse_one_truth
from .model_names import names_of
from .reading import Found, facts_of_models, read_cases, with_models


def _models(sample: Sample, options: EvaluationOptions, name: str, limit: Any) -> list[Model]:
    """A model on its own cases, in an order of their own."""
    models = models_of(replace(sample, models=(name,)), options, {name: limit})
    in_order = sample.task == "regression" or (sample.task == "multiclass" and sample.kind == "score")
    return models if in_order else ordered(models)


def _apart(
    parts: Mapping[str, tuple[Any, CaseSpec]], threshold: Any, options: EvaluationOptions
) -> tuple[list[Model], dict[str, np.ndarray], list[str]]:
    """The models, each on the cases of its source; the truth by model, and the names of the sources."""
    limits = thresholds_of(threshold, list(parts))
    models: list[Model] = []
    truths, sources = {}, []
    for name, (source, spec) in parts.items():
        cases = read_cases(source, spec, threshold, options)
        columns = cases.columns()
        sample = sample_of(columns, spec, cases.models, cases.data)
        models += _models(sample, options, name, limits[name])
        truths[name] = columns["truth"].values
        sources.append(sample.info.source)
    return models, truths, sources


def of_data_sets(
    data: tuple[Any, ...], spec: CaseSpec, paired: bool | None, threshold: Any, options: EvaluationOptions
) -> Found:
    """The models, each on its own data set."""
    given = spec.given[spec.kind]
    if isinstance(given, Mapping):
        _one_each(given, len(data), spec.kind)
        spec = spec.of_columns({spec.kind: list(given.values())})
    names = list(given) if isinstance(given, Mapping) else _names_of_sets(data, given)
    parts = {}
    for i, (name, one) in enumerate(zip(names, data, strict=True)):
        given = {role: _ith(values, i, len(data)) for role, values in spec.given.items()}
        parts[name] = one, with_models(spec, {name: given.pop(spec.kind)}, **given)
    models, truths, sources = _apart(parts, threshold, options)
    if paired is None or validate.flag(paired, "paired"):
        refuse_one_truth(truths, spec.kind)
    return models, facts_of_models(", ".join(sources), models), False


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


def of_lists(source: Any, spec: CaseSpec, threshold: Any, options: EvaluationOptions) -> Found:
    """The models, each on its own arrays, given as lists or mappings of the same models."""
    given, kind = spec.given, spec.kind
    if source is not None:
        raise InputError(
            "needed",
            "paired",
            f"of one data set, say with {option('sample')} which sample a case is of",
            "or give a data set per model",
        )
    sizes = {
        role: len(values) for role, values in given.items() if isinstance(values, (list, tuple, Mapping))
    }
    if len(sizes) < len(given) or len(set(sizes.values())) > 1 or sizes[kind] < 2:
        raise InputError(
            "needed",
            "paired",
            f"without it, give a list with one array per model each to {', '.join(map(option, given))}",
        )
    named = names_of(given[kind], kind, False)
    parts = {}
    for i, (name, array) in enumerate(named.items()):
        others = {role: _of_model(role, values, name, i) for role, values in given.items() if role != kind}
        parts[name] = None, with_models(spec, {name: array}, **others)
    models, *_ = _apart(parts, threshold, options)
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


def of_samples(source: Any, spec: CaseSpec, threshold: Any, options: EvaluationOptions) -> Found:
    """The models, each on the cases of one value of a column."""
    kind = spec.kind
    spec, named = _only_model(spec), isinstance(spec.given[kind], Mapping)
    if isinstance(spec.given[kind], Mapping) or (
        source is not None and not named and not isinstance(spec.given[kind], str)
    ):
        raise InputError(
            "conflict", kind, f"with {option('sample')} there is one column for all models", "name that one"
        )
    cases = read_cases(source, spec, threshold, options)
    sample = collect(cases)
    labels = sample.index["sample"].labels
    if len(labels) < 2:
        way_out = f"give cases of two or more, or leave {option('sample')} out"
        raise InputError("conflict", "sample", "all cases are of one sample", way_out)
    models: list[Model] = []
    limits = thresholds_of(threshold, [str(label) for label in labels])
    for code, label in enumerate(labels):
        dropped, weightless = (cases.left_out[why, label] for why in (DROPPED, WEIGHTLESS))
        part = sample.where(sample=code)
        info = replace(part.info, rows=part.info.rows + weightless, weightless=weightless, dropped=dropped)
        models += _models(replace(part, info=info), options, str(label), limits[str(label)])
    if sample.task == "multiclass" and cases.spec.classes is None:
        _refuse_absent(models)
    return models, facts_of_models(cases.source.name, models, cases.dropped), False


def _refuse_absent(models: Sequence[Model]) -> None:
    """Raises InputError where a class occurs in some samples only, unless the classes are named."""
    numbers = [len(np.unique(model.truth)) for model in models]
    if len({tuple(np.unique(model.truth)) for model in models}) > 1:
        few, many = int(np.argmin(numbers)), int(np.argmax(numbers))
        (first, n), (name, m) = ((models[i].name, numbers[i]) for i in (few, many))
        problem = f"{first} has cases of {n} classes and {name} of {m}, whose measures cannot be compared"
        way_out = f"name all classes with {option('classes')}, or compare samples with cases of each"
        raise InputError("mismatch", "sample", problem, way_out)


def _only_model(spec: CaseSpec) -> CaseSpec:
    """The spec with the columns of the only model in place of a mapping."""
    given = spec.given[spec.kind]
    return (
        spec.of_columns({spec.kind: next(iter(given.values()))})
        if isinstance(given, Mapping) and len(given) == 1
        else spec
    )
