"""The models that `compare` reads: on the same cases, on different ones, or as summaries."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ...evaluation.arguments import EvaluationOptions
from ...evaluation.case_sums import opened
from ...evaluation.paired.models import models_of
from ...evaluation.results import refuse_answers
from ...input import CaseSpec, validate
from ...input.errors import by_position
from ...input.models import thresholds_of
from ...input.sources import tally
from ...input.spec import no_truth
from ...input.spelling import option
from ...input.validate import InputError
from ...summaries.samples import collect
from .model_names import names_of, several
from .own_cases import of_data_sets, of_lists, of_samples
from .reading import Found, read_cases, with_models
from .summarised import OTHERS, SUMMARIES, of_summaries


def read_models(
    data: tuple[Any, ...], spec: CaseSpec, paired: bool | None, threshold: Any, options: EvaluationOptions
) -> Found:
    """The models, the facts, and whether they share their cases."""
    if len(data) == 1 and isinstance(data[0], (list, tuple)) and all(map(tally.is_file, data[0])):
        data = tuple(data[0])  # of a model each, and not parts of the sums of one
    data = _checked(tuple(one if (sums := opened(one)) is None else sums for one in data))
    if any(isinstance(one, (*SUMMARIES, *OTHERS)) for one in data):
        return of_summaries(data, spec, paired, threshold, options)
    if spec.truth is None:
        raise no_truth()
    if len(data) > 1:
        _check_sets(spec, paired)
        return of_data_sets(data, spec, paired, threshold, options)
    source = data[0] if data else None
    if spec.sample is not None:
        _check_sample(paired)
        return of_samples(source, spec, threshold, options)
    if paired is False or (paired is not None and not validate.flag(paired, "paired")):
        return of_lists(source, spec, threshold, options)
    kind = spec.kind
    named = names_of(spec.given[kind], kind, source is not None)
    several(named, kind)
    sample = collect(read_cases(source, with_models(spec, named), threshold, options))
    return models_of(sample, options, thresholds_of(threshold, list(named))), sample.info, True


def _checked(data: tuple[Any, ...]) -> tuple[Any, ...]:
    """The sources, or the summaries of models, taken out of a list. Raises InputError for others."""
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
        problem = "a mapping of evaluations or tables is not a data set"
        raise InputError("invalid-value", "data", problem, "pass them one by one, as compare(ev_a, ev_b)")
    for one in data:
        refuse_answers(one)
    return data


def _check_sets(spec: CaseSpec, paired: bool | None) -> None:
    """Raises InputError for options that do not apply to two data sets."""
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
            "conflict", "sample", "it divides the cases, so that the models have different ones", way_out
        )
