"""Comparison of models: the difference of each measure, with an interval and a p-value, and named tests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import chain, combinations, pairwise
from math import exp, inf, isclose, isnan, nan
from operator import itemgetter
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np

from .. import kernels
from ..curves import Band, Curve, plain
from ..curves.curve import POINTWISE, SIMULTANEOUS
from ..curves.kinds import decision_thresholds
from ..evaluation.case_sums import CaseSums, only_measured, opened
from ..evaluation.evaluate import (
    SUMMARIES as TABLES,
    EvaluationOptions,
    checked_parameters,
    evaluate_summary,
    evaluate_sums,
    form_of,
    refuse,
)
from ..evaluation.groups import check_options, in_several_folds, trained_of, value_of
from ..evaluation.notices import Notice, of_data, of_model
from ..evaluation.paired import (
    FEW_DISCORDANT,
    MANY,
    METHODS,
    REPLICATES,
    Agreement,
    ComparisonMethod,
    ComparisonOptions,
    Decision,
    Difference,
    Model,
    ModelContrasts,
    chosen_here,
    differences_of,
    influences_of,
    is_best,
    margins_of,
    measures_of,
    mid_ranks,
    models_of,
    pairs_of,
)
from ..evaluation.results import (
    BinaryEvaluation,
    ClasswiseEvaluation,
    Evaluation,
    MulticlassEvaluation,
    MultilabelEvaluation,
    RegressionEvaluation,
    not_shown_worse,
    refuse_answers,
)
from ..inference import Estimate, Settings, resampled
from ..inference.clustered import DependentCases
from ..inference.contrast import (
    CROSSED,
    Evidence,
    Normal,
    Ratio,
    Unknown,
    contrast,
    equal,
    independent,
    independent_ratio,
    normal_draws,
    span,
)
from ..inference.covariance import Sampling, correlations, covariance, pooled_freedom
from ..inference.hypothesis import (
    METHODS as ADJUSTMENTS,
    CochranQResult,
    McNemarResult,
    Test,
    adjusted,
    cochran_q_of_right,
    mcnemar_of_counts,
    not_made,
)
from ..inference.influence import of_matrix
from ..inference.interval import (
    GIVEN_MIX,
    HALF_A_CASE,
    HELD,
    ROUNDING,
    Question,
    normal_quantile,
    student_quantile,
)
from ..inference.linear import proportion_of, smooth, without_mistakes
from ..inference.over_folds import NO_DIFFERENCE, less, mean_over_folds
from ..inference.rank_correlation import kendall_tau_b
from ..inference.replicates import Draws
from ..inference.results import Interval, no_interval, with_interval
from ..input import Cases, CaseSpec, read, text, validate, weighting
from ..input.arguments import OF_UNITS, Adjustment, Design, McNemarMethod, Missing, ScoreKind, WeightKind
from ..input.calls import public
from ..input.cases import DROPPED, WEIGHTLESS
from ..input.columns import Column
from ..input.errors import IN_FORMATS, assigned, by_position, either, option
from ..input.labels import differ, not_scores, same_kind
from ..input.messages import Note, Noted, joined, of_code
from ..input.names import listed
from ..input.results import Answer, ByName, Entry, Plotted, Result, Tabular, equal_as_tuples, head, rows_of
from ..input.sample import Array, DataInfo, Index, Sample, kind_of_weights, name_of_units, named, of_several
from ..input.score_columns import NAMES, several_columns, thresholds_of
from ..input.sources import tally
from ..input.spec import no_truth, only_two_classes
from ..input.validate import InputError, LabelError, shown
from ..input.weighting import are_ones, ones
from ..measures import registry
from ..measures.registry import forms, get
from ..summaries import BinnedTable, ConfusionMatrix, Counts, LogitTable, RankingTable
from ..summaries.ranking import Squares, sigmoid
from ..summaries.samples import collect, index_of_parts, sample_of, several_labels

# The models that `compare` reads: on the same cases, each on its own, or as summaries
# --------------------------------------------------------------------------------------------------
#
# Summaries, or data sets, may be of the same cases where they have as many of each class, or the same labels
# row by row. On different cases many measures depend on the shares of the classes: such a difference is one
# of the samples as much as one of the models. At a common mix the cases of each class have a common weight,
# so that the classes have the same shares in every sample; intervals are then for fixed class sizes.

SUMMARIES = (*TABLES, CaseSums, Evaluation)
Read = tuple[list[Model], DataInfo, bool]


def read_models(
    data: tuple[Any, ...], spec: CaseSpec, paired: bool | None, threshold: Any, options: EvaluationOptions
) -> Read:
    """The models, the facts, and whether they share their cases."""
    data = _sources(data)
    if any(isinstance(one, SUMMARIES) for one in data):
        return _of_summaries(data, spec, paired, threshold, options)
    if spec.truth is None:
        raise no_truth()
    if len(data) > 1:
        return _of_data_sets(data, spec, paired, threshold, options)
    source, kind = data[0] if data else None, spec.kind
    if spec.sample is not None:
        if paired:
            way_out = f"leave out {option('paired', True)}, or {option('sample')}"
            problem = "it divides the cases, so that the models have different ones"
            raise InputError("conflict", "sample", problem, way_out)
        return _of_samples(source, spec, threshold, options)
    if paired is not None and not validate.flag(paired, "paired"):
        return _of_lists(source, spec, threshold, options)
    named = names_of(spec.given[kind], kind, source is not None)
    if len(named) < 2:
        other = either("a second data set", "a second file with --unpaired")
        ways = f"as {option(kind, ['a', 'b'])}, {other}, or {option('sample')}"
        way_out = f"give the columns or arrays of two or more, {ways}"
        raise InputError("needed", kind, "one model only", way_out)
    _, sample = _read_cases(source, spec.of_columns({kind: named}), threshold, options)
    return models_of(sample, options, thresholds_of(threshold, list(named))), sample.info, True


def _sources(data: tuple[Any, ...]) -> tuple[Any, ...]:
    """The sources, or the summaries of models, taken out of a list. Raises InputError for others."""
    listed = data[0] if len(data) == 1 and isinstance(data[0], (list, tuple)) else None
    if listed is not None and (all(map(tally.is_file, listed)) or isinstance(listed[0], SUMMARIES)):
        data = tuple(listed)  # of a model each, and not parts of the sums of one
    data = tuple(one if (sums := opened(one)) is None else sums for one in data)
    for one in data:
        names = isinstance(one, (list, tuple)) and (not one or isinstance(one[0], (str, Path)))
        if isinstance(one, (np.ndarray, list, tuple)) and not names:
            raise by_position("truth", "score")
        held = one.values() if isinstance(one, Mapping) else ()
        if any(isinstance(part, SUMMARIES) or hasattr(part, "columns") for part in held):
            problem = "a mapping of evaluations, tables or data sets is not a data set"
            way_out = "pass them one by one, as compare(ev_a, ev_b) or compare(data_a, data_b)"
            raise InputError("invalid-value", "data", problem, way_out)
        refuse_answers(one)
    return data


def _read_cases(
    data: Any, spec: CaseSpec, threshold: Any, options: EvaluationOptions
) -> tuple[Cases, Sample]:
    """The cases of models. Raises InputError for arguments that do not apply to them."""
    form = form_of(spec, data is None)
    refuse(form, spec, options, threshold)
    if form == "several labels per case":
        return several_labels(spec)
    cases = read(data, spec)
    columns = cases.columns()
    sample = sample_of(columns, spec, cases.models, cases.data)
    index = index_of_parts(columns, spec, data is None)
    return cases, replace(sample, index={**sample.index, **index})


# Each on its own cases
# -------------------------------------------------------------------------------------------------------


def _independent(source: str, models: list[Model], dropped: int = 0) -> Read:
    """Models on different cases. Raises InputError where their classes differ."""
    refuse_other_classes({model.name: model.evaluation for model in models})
    return models, of_several([model.evaluation.data for model in models], source, dropped), False


def _of_parts(
    parts: Mapping[str, tuple[Any, CaseSpec]], threshold: Any, options: EvaluationOptions, differ: bool
) -> Read:
    """The models, each on the cases of its source. differ: whether these may have one truth."""
    limits = thresholds_of(threshold, list(parts))
    samples = {
        name: replace(_read_cases(source, spec, threshold, options)[1], models=(name,))
        for name, (source, spec) in parts.items()
    }
    if not differ:
        refuse_same_labels(samples)
    models = [model for sample in samples.values() for model in models_of(sample, options, limits)]
    of_arrays = all(source is None for source, _ in parts.values())
    source = "arrays" if of_arrays else ", ".join(sample.info.source for sample in samples.values())
    return _independent(source, models)


def _of_data_sets(
    data: tuple[Any, ...], spec: CaseSpec, paired: bool | None, threshold: Any, options: EvaluationOptions
) -> Read:
    """The models, each on its own data set."""
    kind, columns = spec.kind, spec.given[spec.kind]
    if spec.sample is not None:
        way_out = f"leave out {option('sample')}, or give one data set"
        raise InputError("conflict", "sample", "two data sets hold different cases already", way_out)
    if paired:
        way_out = "leave it out, or join them row by row"
        raise InputError("conflict", "paired", "two data sets hold different cases", way_out)
    if isinstance(columns, Mapping):
        if len(columns) != len(data):
            problem = f"{len(columns)} models are named for {len(data)} data sets"
            raise InputError("mismatch", kind, problem, "name one for each, in their order")
        spec = spec.of_columns({kind: list(columns.values())})
    parts = {}
    for i, (name, one) in enumerate(zip(_names_of_sets(data, columns), data, strict=True)):
        roles = {
            role: values[i] if _one_for_each(role, values, len(data)) else values
            for role, values in spec.given.items()
        }
        parts[name] = one, spec.of_columns({**roles, kind: {name: roles[kind]}})
    differ = paired is not None and not validate.flag(paired, "paired")
    return _of_parts(parts, threshold, options, differ)


def _one_for_each(role: str, values: Any, number: int) -> bool:
    """Whether an argument is a list for as many data sets, not that of the columns of each, as persons."""
    if not isinstance(values, (list, tuple)) or len(values) != number:
        return False
    return len(OF_UNITS.get(role, ())) < 2 or isinstance(values[0], (list, tuple))


def _names_of_sets(data: Sequence[Any], columns: Any) -> list[str]:
    if isinstance(columns, Mapping):
        return list(columns)
    for names in (list(columns) if isinstance(columns, (list, tuple)) else [], list(data)):
        if all(isinstance(one, str) for one in names) and len(set(names)) == len(data):
            return names
    return [f"model {i + 1}" for i in range(len(data))]


def _of_lists(source: Any, spec: CaseSpec, threshold: Any, options: EvaluationOptions) -> Read:
    """The models, each on its own arrays, given as lists or mappings of the same models."""
    arrays, kind = spec.given, spec.kind
    if source is not None:
        problem = f"of one data set, say with {option('sample')} which sample a case is of"
        raise InputError("needed", "paired", problem, "or give a data set per model")
    sizes = {
        role: len(values) for role, values in arrays.items() if isinstance(values, (list, tuple, Mapping))
    }
    if len(sizes) < len(arrays) or len(set(sizes.values())) > 1 or sizes[kind] < 2:
        problem = f"without it, give a list with one array per model each to {', '.join(map(option, arrays))}"
        raise InputError("needed", "paired", problem)
    parts = {}
    for i, (name, array) in enumerate(names_of(arrays[kind], kind, False).items()):
        others = {role: _of_model(role, values, name, i) for role, values in arrays.items() if role != kind}
        parts[name] = None, spec.of_columns({kind: {name: array}, **others})
    return _of_parts(parts, threshold, options, True)


def _of_model(role: str, values: Any, name: str, place: int) -> Any:
    if not isinstance(values, Mapping):
        return values[place]
    by_name = {str(model): one for model, one in values.items()}
    if name not in by_name:
        problem = f"there is none for the model {shown(name)}"
        raise InputError("unknown-name", role, problem, "name the models alike in all arguments", value=name)
    return by_name[name]


def _of_samples(source: Any, spec: CaseSpec, threshold: Any, options: EvaluationOptions) -> Read:
    """The models, each on the cases of one value of a column."""
    kind, column = spec.kind, spec.given[spec.kind]
    named = isinstance(column, Mapping)
    if named and len(column) == 1:
        spec = spec.of_columns({kind: next(iter(column.values()))})
    elif named or (source is not None and not isinstance(column, str)):
        problem = f"with {option('sample')} there is one column for all models"
        raise InputError("conflict", kind, problem, "name that one")
    cases, sample = _read_cases(source, spec, threshold, options)
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
        models += models_of(replace(part, info=info, models=(str(label),)), options, limits)
    if sample.task == "multiclass" and cases.spec.classes is None:
        _refuse_absent(models)
    return _independent(cases.source.name, models, cases.dropped)


def _refuse_absent(models: Sequence[Model]) -> None:
    """Raises InputError where a class occurs in some samples only, unless the classes are named."""
    numbers = [len(np.unique(model.truth)) for model in models]
    if len({tuple(np.unique(model.truth)) for model in models}) > 1:
        few, many = int(np.argmin(numbers)), int(np.argmax(numbers))
        (first, n), (name, m) = ((models[i].name, numbers[i]) for i in (few, many))
        problem = f"{first} has cases of {n} classes and {name} of {m}, whose measures cannot be compared"
        way_out = f"name all classes with {option('classes')}, or compare samples with cases of each"
        raise InputError("mismatch", "sample", problem, way_out)


# Summaries
# -------------------------------------------------------------------------------------------------------


def _of_summaries(
    data: tuple[Any, ...], spec: CaseSpec, paired: bool | None, threshold: Any, options: EvaluationOptions
) -> Read:
    """The models, taken as on different cases, since a summary does not record which case is which."""
    if paired is not None and validate.flag(paired, "paired"):
        way_out = f"pass the cases with {option('score', ...)}, or leave it out"
        raise InputError("conflict", "paired", "summaries do not hold which case is which", way_out)
    column = next(iter(spec.given), None)
    if column:
        problem = f"summaries hold all that is measured, so {column} has no meaning with them"
        raise InputError("conflict", column, problem, "leave it out")
    if len(data) < 2:
        raise InputError("needed", "data", "one summary only", "give those of two models or more")
    names, called = [f"model {i + 1}" for i in range(len(data))], []
    for one, name in zip(data, names, strict=True):
        info = one.cases.data(None, None) if isinstance(one, CaseSums) else getattr(one, "data", None)
        called.append(info.called or name if isinstance(info, DataInfo) else name)
    names = called if len(set(called)) == len(called) else names
    limits, models = thresholds_of(threshold, names), []
    for name, one in zip(names, data, strict=True):
        e = _evaluated(one, limits[name], spec, options)
        models.append(Model(name, e))
    alike = of_equal_sizes([model.evaluation for model in models]) if paired is None else None
    if alike:
        first, second = (models[i] for i in alike)
        of_amounts = isinstance(first.evaluation, RegressionEvaluation)
        cases = "as many cases" if of_amounts else "as many cases of each class"
        problem = f"{first.name} and {second.name} have {cases} ({cases_of(first.evaluation)})"
        way_out = (
            f"{paired_instead(first.evaluation)}, or {option('paired', False)} if they are different ones"
        )
        raise InputError("ambiguous", "paired", f"{problem}, which may be the same cases", way_out)
    return _independent("summaries", models)


def _evaluated(one: Any, limit: Any, spec: CaseSpec, options: EvaluationOptions) -> Evaluation:
    if not isinstance(one, SUMMARIES):
        problem = f"a {type(one).__name__} cannot be compared with summaries"
        raise InputError("unsupported", "data", problem, "give evaluations, tables, counts or matrices")
    if isinstance(one, CaseSums):
        only_measured(spec, None)
        kind = one.cases.spec.score_kind
        of_each = evaluate_sums(one, replace(options, score_kind=kind), limit)
        if None not in of_each:
            problem = f"it holds {len(of_each)} models ({', '.join(map(shown, of_each))})"
            raise InputError("unsupported", "data", problem, "sum each of them in a file of its own")
        return of_each[None]
    if isinstance(one, Evaluation):
        design, wanted = one.settings.design, options.settings.design
        if design != wanted:
            problem = f"{wanted!r}, but an evaluation holds {design!r}"
            way_out = f"pass {option('design', design)}, or evaluate both alike"
            raise InputError("mismatch", "design", problem, way_out)
        held: Any = replace(one, settings=replace(one.settings, level=options.settings.level))
        return held if limit is None else held.at(limit)  # raises InputError without scores
    validate.only(one, classes=spec.classes, ordered=spec.ordered or None)
    higher = spec.higher_is_positive or not isinstance(one, (RankingTable, BinnedTable))
    return evaluate_summary(one, options, spec.positive, limit, higher)


# Names
# -------------------------------------------------------------------------------------------------------


def names_of(values: Any, role: str, of_data: bool) -> dict[str, Any]:
    """By name of the model, the name of its column, or its array."""
    if isinstance(values, Mapping):
        return dict(zip(_different(map(str, values), role), values.values(), strict=True))
    if isinstance(values, str):
        return {values: values}
    if not of_data and isinstance(getattr(values, "shape", None), tuple) and hasattr(values, "columns"):
        columns = getattr(
            values, "column_names", values.columns
        )  # Arrow's `columns` are the arrays themselves
        return {
            name: values[column]
            for name, column in zip(_different(map(str, columns), role), columns, strict=True)
        }
    if isinstance(values, np.ndarray) and values.ndim == 2:
        return {f"model {i + 1}": values[:, i] for i in range(values.shape[1])}
    if not isinstance(values, (list, tuple)):
        return {"model": values}
    if of_data:
        return dict(zip(_different(values, role), values, strict=True))
    if any(isinstance(one, str) or not hasattr(one, "__len__") for one in values):
        return {"model": values}
    return {f"model {i + 1}": one for i, one in enumerate(values)}


def _different(values: Iterable[Any], role: str) -> list[str]:
    given = list(values)
    odd = next((one for one in given if not isinstance(one, NAMES) or several_columns(one, False)), None)
    names = list(map(str, given))
    if odd is not None:
        if role == "score" and several_columns(odd, False):
            example = '{"a": ["a_1", "a_2", "a_3"], "b": [...]}'
            problem = f"of scores per class name the models, as {assigned('score', example)}"
            raise InputError("needed", "score", problem)
        raise InputError(
            "conflict",
            role,
            f"with data given, name its columns, not a {type(odd).__name__}",
            "or leave data out",
        )
    if len(set(names)) < len(names):
        raise InputError("repeated", role, f"{shown(names)} names a column twice", "name each model once")
    return names


Sizes = dict[str, float]
ROUNDING_OF_SUMS = 1e-9  # of a sum of weights
SHOWN = 5  # numbers in a message: of all cases, and of four classes


def of_equal_sizes(evaluations: Sequence[Evaluation]) -> tuple[int, int] | None:
    """The indices of the first two that have as many cases of each class; None if there are none.

    Equal up to rounding, since a sum of weights depends on their order.
    """
    sizes = [_sizes(one) for one in evaluations]
    for i, j in combinations(range(len(sizes)), 2):
        one, other = sizes[i], sizes[j]
        if one.keys() == other.keys() and all(
            isclose(one[of], other[of], rel_tol=ROUNDING_OF_SUMS) for of in one
        ):
            return i, j
    return None


def refuse_same_labels(samples: Mapping[str, Sample]) -> None:
    """Raises InputError where two data sets, by name, have the same labels in the same order.

    Such data sets are probably of the same cases.
    """
    for (first, one), (second, other) in combinations(samples.items(), 2):
        if one.labels == other.labels and one_truth(one.truth, other.truth):
            kind = one.kind
            raise InputError(
                "ambiguous",
                "paired",
                f"{first} and {second} have the same truth in each of {len(one):,} rows, so that they seem"
                " the same cases",
                f"put both in one data set and pass {kind}=[...] for the paired comparison, or "
                f"{option('paired', False)} if they differ",
            )


def refuse_other_classes(evaluations: Mapping[str, Evaluation]) -> None:
    """Raises InputError where two evaluations, by name of the model, have different classes.

    Evaluations of amounts have none.
    """
    of_classes = {name: e for name, e in evaluations.items() if not isinstance(e, RegressionEvaluation)}
    for (first, one), (name, other) in pairwise(of_classes.items()):
        if one.task != other.task or _labels(one) != _labels(other):
            problem = (
                f"{first} is of {_classes(one)} and {name} is of {_classes(other)}, whose measures cannot be"
                " compared"
            )
            way_out = (
                "evaluate both on the same classes, and name those that do not occur with"
                f" {option('classes')}"
            )
            raise InputError("mismatch", "data", problem, way_out)


def _labels(e: Evaluation) -> set[Any]:
    """The labels, where there are more than two classes."""
    return {*e.class_counts} if isinstance(e, ClasswiseEvaluation) else set()


def _classes(e: Evaluation) -> str:
    """The classes in words."""
    if not isinstance(e, ClasswiseEvaluation):
        return "two classes"
    labels = list(e.class_counts)
    some = ", ".join(map(shown, labels[:SHOWN])) + ", ..." * (len(labels) > SHOWN)
    return f"{len(labels)} {'labels per case' if isinstance(e, MultilabelEvaluation) else 'classes'} ({some})"


def paired_instead(e: Evaluation) -> str:
    """How to pass the cases of such evaluations, so that they are compared case by case."""
    if isinstance(e, RegressionEvaluation):
        return (
            f"pass the cases with {option('predicted', ...)}, {option('regression', True)} for the paired"
            " comparison"
        )
    scored = isinstance(e, BinaryEvaluation) and e.ranking is not None
    return f"pass the cases with {option('score' if scored else 'predicted', ...)} for the paired comparison"


def one_truth(one: np.ndarray, other: np.ndarray) -> bool:
    """Whether two data sets have the same labels in the same order."""
    comparable = len(one) == len(other) and (one.dtype.kind == "O") == (other.dtype.kind == "O")
    return comparable and not differ(one, other).any()


def cases_of(e: Evaluation) -> str:
    """The number of cases of each class, in words."""
    words = [f"{text.count(number)} {of}" for of, number in _sizes(e).items()]
    return ", ".join(words[1:SHOWN]) + ", ..." * (len(words) > SHOWN) if len(words) > 1 else words[0]


def _sizes(e: Evaluation) -> Sizes:
    """The number of rows, and the weight of each class."""
    sizes = {"cases": float(e.data.rows)}
    if isinstance(e, BinaryEvaluation):
        sizes |= {"positive": float(e.data.positives or 0.0), "negative": float(e.data.negatives or 0.0)}
    if isinstance(e, ClasswiseEvaluation):
        sizes |= {f"of {shown(label)}": float(one.positives) for label, one in e.class_counts.items()}
    return sizes


ALARMS = 0.02  # at most so many samples of one class mix are said to differ
SAME = 1e-9  # relative difference of a value that the mix does not change


class CommonMix:
    """Evaluations by the name of their sample: whether class mixes differ, and values at a common one."""

    def __init__(self, evaluations: Mapping[str, Evaluation]):
        self.evaluations = evaluations

    @cached_property
    def shares(self) -> dict[str, dict[Any, float]]:
        """By sample the share of each class; empty where the samples do not have the same classes."""
        found = {name: _shares(e) for name, e in self.evaluations.items()}
        return found if len({frozenset(one) for one in found.values()}) == 1 and all(found.values()) else {}

    @cached_property
    def common(self) -> dict[Any, float]:
        """The share of each class at the common mix: that of all cases together."""
        rows = [e.data.rows for e in self.evaluations.values()]
        labels = next(iter(self.shares.values()))
        return {
            label: float(np.average([one[label] for one in self.shares.values()], weights=rows))
            for label in labels
        }

    @cached_property
    def label(self) -> Any:
        """The class whose share differs most, by intervals that together are wrong in 2 % of samples.

        None where none differs.
        """
        if not self.shares:
            return None
        labels, pairs = list(self.common), list(combinations(self.evaluations, 2))
        labels = labels[-1:] if len(labels) == 2 else labels
        level = 1 - ALARMS / (len(labels) * len(pairs))
        differ = {label: max(self._apart(label, *pair, level) for pair in pairs) for label in labels}
        label = max(differ, key=lambda one: differ[one])
        return label if differ[label] > 0 else None

    def _apart(self, label: Any, first: str, second: str, level: float) -> float:
        """The difference of the shares of a class where its interval excludes 0, else 0."""
        one, other = (_share(self.evaluations[name], label, level) for name in (first, second))
        found = independent(one, other, (-1.0, 1.0))
        return abs(found.value) if found.has_interval and not found.low <= 0 <= found.high else 0.0

    @cached_property
    def _at_common_mix(self) -> dict[str, Evaluation]:
        factors = {
            name: {label: self.common[label] / share for label, share in one.items()}
            for name, one in self.shares.items()
        }
        return {name: _weighted(e, factors[name]) for name, e in self.evaluations.items()}

    def note(
        self, one: str, other: str, difference: float, ends: tuple[float, float],
        measured: Callable[[Evaluation], Estimate], ratio: bool = False,
    ) -> Note | None:  # fmt: skip
        """What the difference would be at the common mix; None where the mix does not change the measure.

        measured: the estimate of an evaluation; ratio: whether the difference is a ratio.
        """
        if self.label is None:
            return None
        first, second = (measured(self._at_common_mix[name]) for name in (one, other))
        found = independent_ratio(first, second) if ratio else independent(first, second, ends)
        if any(self.evaluations[name].clusters is not None for name in (one, other)):
            found = Estimate(found.value, level=found.level, undefined=found.undefined)
        if found.undefined or np.isclose(found.value, difference, rtol=SAME, atol=SAME):
            return None
        interval = {"low": found.low, "high": found.high, "level": found.level} if found.has_interval else {}
        return Note(
            "at-common-mix",
            label=self.label,
            share=self.common[self.label],
            value=found.value,
            **interval,
            **({"ratio": True} if ratio else {}),
        )

    def notice(self, measures: Sequence[str]) -> Notice:
        """What is said of all measures that depend on the mix."""
        return Notice(
            "class-mix-differs",
            label=self.label,
            samples=tuple(self.shares),
            shares=tuple(one[self.label] for one in self.shares.values()),
            common=self.common[self.label],
            measures=tuple(measures),
        )


def common_mix_note(found: Estimate) -> Note | None:
    """The note on a difference of a measure that depends on a class mix that differs; None of others."""
    return next(iter(of_code(found.notes, "at-common-mix")), None)


def with_common_mix(
    differences: tuple[Difference, ...], evaluations: Mapping[str, Evaluation]
) -> tuple[tuple[Difference, ...], tuple[Notice, ...]]:
    """Differences of models on different cases, with notes on those that depend on an unlike class mix."""
    mix = CommonMix(evaluations)
    notes = [
        mix.note(
            one.model,
            one.reference,
            one.value,
            _ends(one.measure, evaluations),
            itemgetter(one.measure),
            one.scale == "ratio",
        )
        for one in differences
    ]
    found = tuple(
        one
        if note is None
        else replace(one, estimate=replace(one.estimate, notes=joined(note, one.estimate.notes)))
        for one, note in zip(differences, notes, strict=True)
    )
    named = dict.fromkeys(one.measure for one, note in zip(differences, notes, strict=True) if note)
    return found, (mix.notice(list(named)),) if named else ()


def _ends(measure: str, evaluations: Mapping[str, Evaluation]) -> tuple[float, float]:
    return span(next(iter(evaluations.values())).entry(measure).range)


def _shares(e: Evaluation) -> dict[Any, float]:
    """The share of each class; empty for amounts, for several labels, and where a class has no cases."""
    if isinstance(e, BinaryEvaluation):
        sizes = dict(zip(e.labels, (e.data.negatives or 0.0, e.data.positives or 0.0), strict=True))
    elif isinstance(e, MulticlassEvaluation):
        sizes = dict(zip(e.matrix.labels, e.matrix.weights.sum(1).tolist(), strict=True))
    else:
        return {}
    total = sum(sizes.values())
    return {label: size / total for label, size in sizes.items()} if all(sizes.values()) else {}


def _share(e: Evaluation, label: Any, level: float) -> Estimate:
    """The share of a class with its interval; without one where class weights fix it."""
    if e.mix_fixed_by_weights:
        value = _shares(e)[label]
        return Estimate(value, value, value, level, "fixed by weights")
    e = replace(e, settings=replace(e.settings, level=level, design="cohort"))
    return e.classes[label]["prevalence"] if isinstance(e, MulticlassEvaluation) else e["prevalence"]


def _weighted(e: Evaluation, factors: Mapping[Any, float]) -> Evaluation:
    """The evaluation with the weights of each class times a factor, for fixed class sizes.

    Of clusters, which a table does not hold, values alone.
    """
    changes: dict[str, Any] = {"settings": replace(e.settings, design="case-control"), "clusters": None}
    if isinstance(e, BinaryEvaluation):
        n, p = (factors[label] for label in e.labels)
        counts = replace(e.counts, squares=e.counts.squares or e.counts)
        changes["counts"] = counts.with_class_sizes(counts.positives * p, counts.negatives * n)
        if e.binned is not None:
            changes["binned"] = e.binned.scaled(p, n)
            changes["ranking"] = changes["binned"].ranking
        elif e.ranking is not None:
            t, (yes, no) = e.ranking, e.ranking.squared
            changes["ranking"] = type(t).of(
                t.score, t.positive * p, t.negative * n, Squares(yes * p**2, no * n**2)
            )
        data = e.data.of_classes((e.data.positives or 0) * p, (e.data.negatives or 0) * n)
        return replace(e, data=replace(data, weighted=True, weight_kind="importance"), **changes)
    assert isinstance(e, MulticlassEvaluation)
    of_row = np.array([factors[label] for label in e.matrix.labels])[:, None]
    changes["matrix"] = e.matrix.with_weights(e.matrix.weights * of_row, e.matrix.squared * of_row**2)
    if e.scores is not None:
        s = e.scores
        of_case = np.array([factors[label] for label in s.labels])[s.truth]
        changes["scores"] = type(s)(s.labels, s.truth, s.score, s.weight * of_case, s.affix, "importance")
    return replace(e, data=replace(e.data, weighted=True, weight_kind="importance"), **changes)


# Differences of models in groups of the cases and over folds, and whether they are the same in all groups
# --------------------------------------------------------------------------------------------------
#
# Groups have other cases, so that the intervals of their differences hold together by Sidak's level. That a
# difference is the same in all groups is tested by Welch's test for unequal variances (1951), and where some
# units have cases in several groups by Wald's test with F, from the covariance of the influence values by
# unit.

FEW_GROUPS = Note("interaction-of-one-group")
MOST_FREEDOM = 1e9  # of Student's t, which is then normal
Pairs = Sequence[tuple[int, int]]


class FoldContrasts(ModelContrasts):
    """Models in the mean over folds, with the error of Nadeau and Bengio (2003), and their differences.

    Ratios are of geometric means.
    """

    folds: Index
    shares: Array
    part: Callable[[Array], ModelContrasts]

    @classmethod
    def of(
        cls, study: ModelContrasts, folds: Index, shares: Array, part: Callable[[Array], ModelContrasts]
    ) -> FoldContrasts:
        """The same models and measures. shares: of each fold the ratio of test to training cases."""
        found = cls(study.models, study.names, study.options)
        found.folds, found.shares, found.part = folds, shares, part
        found.assumes = f"{study.assumes}; each model trained on the cases of the other folds"
        return found

    @cached_property
    def values(self) -> dict[str, Array]:
        """By measure the value of each model in each fold, NaN where it is not defined."""
        found = {name: np.full((len(self.models), len(self.folds.labels)), nan) for name in self.names}
        for i in np.unique(self.folds.codes):
            models = self.part(np.flatnonzero(self.folds.codes == i)).models
            for name, values in found.items():
                values[:, i] = [value_of(model.evaluation, name) for model in models]
        return found

    def estimate(self, name: str, model: int) -> Estimate:
        mean = mean_over_folds(self.values[name][model], self.shares)
        return mean.estimate(self.models[model].evaluation.entry(name).range, self.options.level)

    def apart(self, name: str, model: int, reference: int) -> float:
        return float(self.evidence(name, model, reference).value)

    def evidence(self, name: str, model: int, reference: int) -> Evidence:
        first, second = (self.values[name][i] for i in (model, reference))
        ends, ratio = span(self.models[model].evaluation.entry(name).range), self.options.scale
        if ratio:
            ends = (-inf, inf)
            with np.errstate(divide="ignore", invalid="ignore"):
                first, second = np.log(first), np.log(second)
        found = mean_over_folds(less(first, second), self.shares)
        if found.value != found.value:
            return Unknown((NO_DIFFERENCE,))
        estimate = found.estimate(ends, self.options.level, NO_DIFFERENCE, True)
        if not estimate.has_interval:
            return Unknown(estimate.notes, value=exp(found.value) if ratio else found.value)
        evidence = Normal(found.value, found.error, found.method, ends, found.df, estimate.notes)
        return Ratio(evidence) if ratio else evidence

    def _between(self, name: str) -> Any:
        return None


class Parts:
    """The groups and the folds of the cases of a comparison, and the differences of the models there."""

    def __init__(self, study: ModelContrasts, options: EvaluationOptions):
        self.whole, self.options = study, replace(options, rule=None)
        sample = study.models[0].sample
        assert sample is not None
        self.sample: Sample = sample
        self.groups, self.folds = sample.index.get("group"), sample.index.get("fold")
        self.shares: Array | None = None
        if self.folds is not None:
            check_options(self.options)
            if study.options.method != "auto":
                problem = "means over folds have the corrected resampled t"
                raise InputError("unsupported", "method", problem, f"leave it, or {option('fold')}, out")
            self.shares = self.folds.numbers / trained_of(self.folds)
        self.limits = {one.name: one.limit if one.ranking is not None else None for one in study.models}

    @property
    def notices(self) -> tuple[Notice, ...]:
        """That clusters, or persons, have cases in several folds."""
        units = self.sample.units
        crossed = 0 if self.folds is None else in_several_folds(units, self.folds)
        if units is None or not crossed:
            return ()
        return (Notice("clusters-in-several-folds", clusters=crossed, of=name_of_units(units)),)

    @cached_property
    def units(self) -> dict[str, Array]:
        """By group the units of its cases; empty where none has cases in several groups, and over folds."""
        units = self.sample.units
        if units is None or self.groups is None or self.folds is not None:
            return {}
        found = {name: units[..., self.groups.rows(i)] for i, name in enumerate(self.groups.names)}
        each = [np.unique(some) for some in found.values()]
        return found if sum(map(len, each)) > len(np.unique(np.concatenate(each))) else {}

    def study(self, rows: Array | None, options: ComparisonOptions, by_folds: bool = True) -> ModelContrasts:
        """The models on these cases, or on all; in the mean over folds where there are any."""
        if rows is None:
            found = self.whole
        else:
            models = models_of(self.sample.take(rows), self.options, self.limits)
            models = [replace(m, source=w.source) for m, w in zip(models, self.whole.models, strict=True)]
            found = ModelContrasts(models, self.whole.names, options)
        if self.folds is None or self.shares is None or not by_folds:
            return found
        every = np.arange(len(self.sample)) if rows is None else rows
        folds = replace(self.folds, codes=self.folds.codes[every])
        return FoldContrasts.of(found, folds, self.shares, partial(self._of_fold, every, options))

    def _of_fold(self, every: Array, options: ComparisonOptions, rows: Array) -> ModelContrasts:
        """The models on some of these cases."""
        return self.study(every[rows], options, by_folds=False)

    def differences(
        self, index: Index, key: str, pairs: Pairs, adjust: Adjustment, chosen: bool
    ) -> tuple[tuple[Difference, ...], list[ModelContrasts]]:
        """The differences in each group, or fold, with intervals that hold together, and their studies.

        key: "group" or "fold".
        """
        level = self.whole.options.level ** (1 / len(index.labels))
        options = replace(self.whole.options, level=level)
        studies = [
            self.study(index.rows(i), options, by_folds=key == "group") for i in range(len(index.labels))
        ]
        each = [differences_of(one, pairs, None, {}, adjust, chosen) for one in studies]
        found = [
            replace(one, group=name) if key == "group" else replace(one, fold=name)
            for name, some in zip(index.names, each, strict=True)
            for one in some
        ]
        together = None
        if chosen and len(self.whole.models) > 2:
            together = [f"{one.measure} {getattr(one, key)}" for one in found]
        p_values = adjusted([one.p_value for one in found], adjust, together).tolist()
        return tuple(replace(one, adjusted=p) for one, p in zip(found, p_values, strict=True)), studies


@listed(
    "test",
    "tm.compare(..., by='site').tests",
    name="interaction",
    aka=("welch_anova", "effect_modification"),
    command="tallymark compare --by site",
)
def interactions(
    found: Sequence[Difference], studies: Mapping[str, ModelContrasts], units: Mapping[str, Array]
) -> tuple[Test, ...]:
    """By measure and pair of models the test that their difference is the same in all groups.

    studies: by group; units: by group the units of its cases, where some have cases in several groups.
    """
    by_row: dict[tuple[str, str, str], list[Difference]] = {}
    for one in found:
        by_row.setdefault((one.measure, one.model, one.reference), []).append(one)
    return tuple(
        _interaction(f"interaction, {measure}: {model} - {reference}", some, studies, units)
        for (measure, model, reference), some in by_row.items()
    )


def _interaction(
    name: str, found: Sequence[Difference], studies: Mapping[str, ModelContrasts], units: Mapping[str, Array]
) -> Test:
    from scipy.special import fdtrc

    known = [(one, evidence) for one in found if (evidence := _additive(one.evidence)).standard_error]
    if len(known) < 2:
        return not_made(name, FEW_GROUPS)
    value, error, freedom = np.array([(e.value, e.standard_error, e.df) for _, e in known]).T
    freedom = np.minimum(freedom, MOST_FREEDOM)
    left = len(found) - len(known)
    note = Note("groups-left-out", groups=left) if left else None
    if units:
        rows = [_influence(one, studies[str(one.group)], units[str(one.group)]) for one, _ in known]
        if any(one is None for one in rows):
            return not_made(name, Note("clusters-in-several-groups"))
        between = correlations(rows, by_class=found[0].measure == "roc_auc")
        chi, df = equal(value, between * np.outer(error, error))
        if isnan(chi):
            return not_made(name, FEW_GROUPS)
        p = float(fdtrc(df, freedom.min(), chi / df)) if df else 1.0
        return Test(name, chi, p, df, joined(note))
    weight = error**-2
    share = weight / weight.sum()
    chi, k = float((weight * (value - share @ value) ** 2).sum()), len(value) - 1
    spread = float(((1 - share) ** 2 / freedom).sum()) / (k * (k + 2))
    f = chi / k / (1 + 2 * (k - 1) * spread)
    return Test(name, chi, float(fdtrc(k, 1 / (3 * spread), f)), k, joined(note))


def _additive(evidence: Any) -> Any:
    """The evidence on the scale on which values are subtracted, with its standard error."""
    while hasattr(evidence, "of"):
        evidence = evidence.of
    return evidence


def _influence(one: Difference, study: ModelContrasts, units: Array) -> Any:
    """The influence values of the cases on a difference, their sampling and the numbers of their units."""
    names = [model.name for model in study.models]
    both: list[Any] = [study.influence(one.measure, names.index(name)) for name in (one.model, one.reference)]
    if any(values is None for values in both):
        return None
    if one.scale:
        both = [v / e.value for v, e in zip(both, one.models, strict=True)]
    return both[0] - both[1], study.sampling, np.unique(units)


# Difference curves of net benefit between two models, with pointwise and simultaneous bands
# --------------------------------------------------------------------------------------------------
#
# Sources: Vickers, Cronin, Elkin and Gonen (2008), BMC Medical Informatics and Decision Making 8, 53
# (intervals, and the paired difference); Kerr, Brown, Zhu and Janes (2016), Journal of Clinical Oncology 34,
# 2534-2540. The simultaneous band is the sup-t band of Montiel Olea and Plagborg-Moller (2019), Journal of
# Applied Econometrics 34, 1-17.

KINDS = POINTWISE, SIMULTANEOUS
REGULAR = np.arange(1, 100) / 100  # default thresholds


def difference_curve(
    models: Sequence[Model], paired: bool, settings: Settings, band: str | None, thresholds: Any
) -> Curve:
    """The net benefit of the first of two models less that of the second, by falling threshold.

    band: "pointwise", "simultaneous" or None. Raises InputError where scores are not probabilities.
    """
    if band is not None:
        validate.choice(band, KINDS, "band")
    at = REGULAR if thresholds is None else decision_thresholds(thresholds)
    models = [model if paired else model.one_by_one for model in models]
    for model in models:
        _check(model)
    fixed = settings.design == HELD or all(model.evaluation.mix_fixed_by_weights for model in models)
    samples = (
        [Benefits.of(models, at, fixed)] if paired else [Benefits.of([model], at, fixed) for model in models]
    )
    value = np.subtract(*np.concatenate([one.value for one in samples]))
    first, second = (model.name for model in models)
    drawn: dict[str, Any] = {}
    if band is not None:
        drawn = _banded(samples, value, at, models, settings, band, fixed)
        kinds = kind_of_weights([model.evaluation.data.weight_kind for model in models])
        drawn["about"] = replace(drawn["about"], design=settings.design, weight_kind=kinds)
    names = "threshold", f"difference of net benefit, {first} - {second}"
    every = _every_threshold(models, at)
    y, falls = (a - b for a, b in zip(*(_benefit(model, every) for model in models), strict=True))
    fine = Curve("decision_difference", every, y, every, *names, baseline=(0.0, 0.0), falls=falls)
    return replace(fine, x=at[::-1], y=value[::-1], threshold=at[::-1], falls=None, between=fine, **drawn)


def _every_threshold(models: Sequence[Model], at: np.ndarray) -> np.ndarray:
    """The thresholds of both models within the range of these, and these, descending."""
    every = np.unique(
        np.concatenate([at, *(_table_of_benefits(model).score.astype(float) for model in models)])
    )
    return every[(every >= at[0]) & (every <= at[-1])][::-1]


def _benefit(model: Model, at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The net benefit at these thresholds, and by what it falls with the odds of a threshold just below."""
    table = _table_of_benefits(model)
    counts = table.sweep()[np.searchsorted(-table.thresholds.astype(float), -at, side="right") - 1]
    falls = counts.fp / counts.total
    return counts.tp / counts.total - falls * at / (1 - at), falls


def _table_of_benefits(model: Model) -> RankingTable:
    assert isinstance(model.evaluation, BinaryEvaluation)
    assert model.evaluation.ranking is not None
    return model.evaluation.ranking.as_probabilities()


def _check(model: Model) -> None:
    e = model.evaluation
    if model.cases is None or not isinstance(e, BinaryEvaluation) or e.ranking is None:
        raise InputError(
            "unsupported",
            "curve",
            "a decision curve needs probabilities of being positive, of two classes",
            "compare scores",
        )
    if not e.probabilities:
        raise InputError(
            "unsupported",
            "curve",
            "'decision' needs probabilities",
            f"{model.name}: {e.why_no_probabilities}",
        )


# Bands
# --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Benefits:
    """The net benefit of one model, or of two on the same cases, at T ascending thresholds t.

    A positive predicted positive adds 1, and a negative predicted positive -t / (1 - t). Cells hold the cases
    of a class that reach the same thresholds by each model; those at the ends may be empty.

    value: (models, T); values: (models, T, cells), the influence values; reached: (models, cells), the number
    of thresholds that they reach; sampling: how their cases were sampled.
    """

    value: np.ndarray
    values: np.ndarray
    reached: np.ndarray
    sampling: Sampling

    @classmethod
    def of(cls, models: Sequence[Model], at: np.ndarray, fixed: bool) -> Benefits:
        one, size = models[0], len(at) + 1
        truth = one.truth.astype(np.int64)
        cases = np.stack([truth, *(_reached(model, at) for model in models)])
        ends = np.stack(np.meshgrid([0, 1], *([[0, size - 1]] * len(models)))).reshape(len(cases), -1)
        shape = (2, *([size] * len(models)))
        codes, cell = np.unique(np.ravel_multi_index(np.hstack([cases, ends]), shape), return_inverse=True)
        cell = cell[: len(truth)]
        stratum, *reached = np.unravel_index(codes, shape)
        sampling = replace(one.sampling, fixed=fixed).in_cells(cell, stratum)
        called = np.stack(reached)[:, None] > np.arange(len(at))[:, None]
        added = np.where(stratum == 1, 1.0, -(at / (1 - at))[:, None]) * called
        value = added @ sampling.weight / sampling.total
        return cls(value, added - value[..., None], np.stack(reached), sampling)

    def half_a_case(self, at: np.ndarray) -> np.ndarray:
        """The variance by half a case of each class that is predicted positive, which may not be sampled."""
        s = self.sampling
        return HALF_A_CASE * s.squares.sum() / s.total**3 * (1 + (at / (1 - at)) ** 2)

    def difference(self, k: int, level: float) -> Evidence:
        """That of two models at the k-th threshold."""
        one, other = (Estimate(float(one[k]), level=level) for one in self.value)
        apart = np.not_equal(*(self.reached > k))
        return contrast(
            list(self.values[:, k]), self.sampling, (one, other), "paired-mean", (-inf, inf),
            differing=apart, counted=True, mean=True,
        )  # fmt: skip

    def apart(self, number: int) -> np.ndarray:
        """(T,): the effective number of cases that two models predict differently."""
        low, high = self.reached.min(0), self.reached.max(0)
        return np.array(
            [float(self.sampling.effective(1.0 * ((low <= k) & (k < high)))) for k in range(number)]
        )


def _reached(model: Model, at: np.ndarray) -> np.ndarray:
    cases = model.cases
    score = sigmoid(cases.score.astype(float)) if issubclass(cases.kind, LogitTable) else cases.score
    return np.searchsorted(at.astype(score.dtype), score, side="right")


def _banded(
    samples: Sequence[Benefits], value: np.ndarray, at: np.ndarray, models: Sequence[Model],
    settings: Settings, band: str, fixed: bool,
) -> dict[str, Any]:  # fmt: skip
    """The fields of a curve that hold the band and its description."""
    level, paired = settings.level, len(samples) == 1
    for name, code in (("positives", 1), ("negatives", 0)):
        if not all((model.truth == code).any() for model in models):
            return {"about": Band(band, level, None, (Note("no-cases-of-a-class", missing=name),))}
    few = 0
    if not paired and influences_of(models).crossed:
        return {"about": Band(band, level, None, (CROSSED,))}
    if paired:
        (both,) = samples
        evidence = [both.difference(k, level) for k in range(len(at))]
        error = np.array([one.standard_error or nan for one in evidence])
        df = np.array([one.df for one in evidence])
        between = covariance(both.values[0] - both.values[1], both.sampling)[0]
        few = int((both.apart(len(at)) < FEW_DISCORDANT).sum())
    else:
        parts = [covariance(one.values[0], one.sampling) for one in samples]
        halves = [one.half_a_case(at) for one in samples]
        variance = [np.diagonal(v) + half for (v, _), half in zip(parts, halves, strict=True)]
        error, between = np.sqrt(np.add(*variance)), np.add(*(v for v, _ in parts))
        df = pooled_freedom(variance, [free for _, free in parts])
    if not np.isfinite(error).all():
        return {"about": Band(band, level, None, (Note("no-spread-of-band"),))}
    if band == SIMULTANEOUS:
        own = np.sqrt(np.maximum(np.diagonal(between), np.finfo(float).tiny))
        level = _sup_t(between / np.outer(own, own), level, settings.seed)
    reach = np.array([student_quantile(level, free) for free in df.tolist()]) * error
    largest = np.maximum(1.0, at / (1 - at))
    low, high = np.maximum(value - reach, -largest), np.minimum(value + reach, largest)
    method = (
        f"{'paired' if paired else 'independent'} influence values{', sup-t' if band == SIMULTANEOUS else ''}"
    )
    where = Note("few-answered-differently-at-thresholds", thresholds=few, of=len(at), limit=FEW_DISCORDANT)
    notes = joined(where if few else None, GIVEN_MIX if fixed else None)
    return {"band": (low[::-1], high[::-1]), "about": Band(band, settings.level, method, notes)}


def _sup_t(correlation: np.ndarray, level: float, seed: int) -> float:
    """The level of the pointwise intervals of a simultaneous band.

    All values of a normal process with this correlation lie within these quantiles with probability `level`.
    """
    from scipy.special import ndtr

    draws = normal_draws(correlation, resampled.replicates(level), seed)
    furthest = np.quantile(np.abs(draws).max(axis=0), level)
    return float(2 * ndtr(max(float(furthest), normal_quantile(level))) - 1)


# Tests of models on the same cases by name (McNemar, Cochran, DeLong), agreement and reclassification
# --------------------------------------------------------------------------------------------------

OF_ALL = {
    "accuracy": None,
    "error_rate": None,
    "sensitivity": 1,
    "false_negative_rate": 1,
    "specificity": 0,
    "false_positive_rate": 0,
}
NAMED = {None: "accuracy", 1: "sensitivity", 0: "specificity"}
AREAS_EQUAL = "delong, all areas equal"
FEW = 30  # cases of a class, below which it rejects up to 18 % (docs/compare.md)
NOT_COUNTED = Note("no-independent-trials")


def tests_of(study: ModelContrasts, differences: Sequence[Difference]) -> tuple[Test, ...]:
    """DeLong's overall test, McNemar's tests and Cochran's Q, for the measures compared."""
    if not study.paired:
        return ()
    found = [_overall(study)] if "roc_auc" in study.names and len(study.models) > 2 else []
    classes = list(dict.fromkeys(OF_ALL[name] for name in study.names if name in OF_ALL))
    if classes and (study.models[0].clusters is not None or not are_ones(study.models[0].weight)):
        return (*found, not_made("mcnemar", NOT_COUNTED))
    pairs = list(dict.fromkeys((one.model, one.reference) for one in differences))
    return (*found, *(test for of in classes for test in _of_answers(study.models, of, pairs)))


def _overall(study: ModelContrasts) -> Test:
    from scipy.special import chdtrc

    spread = covariance(study.influences_of_areas, study.sampling, by_class=True)[0]
    chi, df = equal(np.array([model.evaluation["roc_auc"].value for model in study.models]), spread)
    name = AREAS_EQUAL
    if isnan(chi):
        alone = np.isnan(spread).any()
        return not_made(name, Note("single-case" if alone else "areas-without-spread"))
    if not df:
        return Test(name, 0.0, 1.0, 0, (Note("models-rank-alike"),))
    few = Note("few-in-a-class", limit=FEW) if study.models[0].sizes.min() < FEW else None
    return Test(name, chi, float(chdtrc(df, chi)), df, joined(few))


def _of_answers(models: Sequence[Model], of: int | None, pairs: Sequence[tuple[str, str]]) -> list[Test]:
    first = models[0]
    if of is not None and first.evaluation.task != "binary":
        return []
    there = np.ones(len(first.truth), bool) if of is None else first.truth == of
    if not there.any():
        return [not_made(f"mcnemar, {NAMED[of]}", Note("no-case-of-the-class"))]
    by_name = {model.name: model for model in models}
    result = [_mcnemar(by_name[model], by_name[reference], there, NAMED[of]) for model, reference in pairs]
    if len(models) > 2:
        name, why = f"cochran q, {NAMED[of]}", chosen_here(*models)
        right = [model.right[there] for model in models]
        result.append(replace(cochran_q_of_right(right), name=name) if why is None else not_made(name, why))
    return result


def _mcnemar(one: Model, other: Model, there: np.ndarray, of: str) -> Test:
    """Of the cases that one of two models alone has right, unless its threshold was chosen on these cases."""
    name, why = f"mcnemar mid-p, {of}: {one.name} - {other.name}", chosen_here(one, other)
    if why is not None:
        return not_made(name, why)
    right, wanted = one.right[there], other.right[there]
    return replace(mcnemar_of_counts(int((right & ~wanted).sum()), int((~right & wanted).sum())), name=name)


# Agreement
# -------------------------------------------------------------------------------------------------------


def agreements(
    models: Sequence[Model], pairs: Sequence[tuple[int, int]], settings: Settings
) -> tuple[Agreement, ...]:
    """The agreement of each pair of a model and a reference, which are given by their numbers."""
    return tuple(
        kernels.each(
            lambda i: _agreement(models[pairs[i][1]], models[pairs[i][0]], settings),
            len(pairs),
            models[0].evaluation.data.rows > kernels.MANY,
        )
    )


def _agreement(first: Model, second: Model, settings: Settings) -> Agreement:
    share, kappa = _estimates(first, second, settings)
    why = chosen_here(first, second)
    if why is not None:
        share, kappa = (
            Estimate(one.value, level=one.level, undefined=one.undefined, notes=(why,))
            for one in (share, kappa)
        )
    spearman = kendall = None
    if first.ranking is not None:
        spearman, kendall = _correlations(first, second)
    a, b = first.right, second.right
    kinds = {"both": a & b, "first only": a & ~b, "second only": ~a & b, "neither": ~a & ~b}
    right = {name: float(first.weight[cases].sum()) for name, cases in kinds.items()}
    return Agreement(first.name, second.name, share, kappa, spearman, kendall, right)


def _estimates(first: Model, second: Model, settings: Settings) -> list[Estimate]:
    """The proportion of cases with the same prediction, and Cohen's kappa of the predictions."""
    fixed = settings.design == HELD or bool(first.evaluation.mix_fixed_by_weights)
    size, level = int(max(first.answers.max(), second.answers.max(), 1)) + 1, settings.level
    sampling, cells = _sampling(first, first.answers * size + second.answers, size * size, fixed)
    weights = np.bincount(cells, sampling.weight, size * size).reshape(size, size)
    matrix, estimates = ConfusionMatrix(tuple(range(size)), weights), []
    for entry in (get("accuracy", ConfusionMatrix), get("cohen_kappa", ConfusionMatrix)):
        value = float(entry.function(matrix))
        if isnan(value):
            estimates.append(Estimate(nan, level=level, undefined=entry.why_undefined(matrix)))
            continue
        q = Question(entry, entry.function, matrix, value, settings)
        values = of_matrix(entry, entry.function, matrix)[cells]
        if entry.name == "accuracy":
            found = proportion_of(q, values, sampling, np.ones(len(cells)))
        else:
            found = smooth(q, values, sampling)
        if isnan(found.low):
            found = without_mistakes(q, sampling) or found
        notes = joined(found.notes, GIVEN_MIX if fixed else None)
        estimates.append(with_interval(value, found, level, notes))
    return estimates


def _sampling(first: Model, place: np.ndarray, size: int, fixed: bool) -> tuple[Sampling, np.ndarray]:
    """How the cases were sampled, by class and place, and the place of each cell."""
    code = first.truth.astype(np.int64) * size + place
    if code.max() < kernels.MANY:
        occur = np.bincount(code) > 0  # in less time than by sorting
        codes, cell = np.flatnonzero(occur), (np.cumsum(occur) - 1)[code]
    else:
        codes, cell = np.unique(code, return_inverse=True)
    stratum, at = np.divmod(codes, size)
    return replace(first.sampling, fixed=fixed).in_cells(cell, stratum), at


def _correlations(first: Model, second: Model) -> tuple[float, float]:
    """Spearman's rho and Kendall's tau-b of the scores, each case counting once."""
    if min(len(model.cases.table) for model in (first, second)) < 2:
        return nan, nan
    rho, tau = kernels.together(
        lambda: _spearman(first, second),
        lambda: kendall_tau_b(first.cases.place, second.cases.place),
        when=len(first.cases) > kernels.MANY,
    )
    return rho, tau


def _spearman(first: Model, second: Model) -> float:
    """In two arrays of the cases; `corrcoef` takes four."""
    a, b = mid_ranks(first.cases), mid_ranks(second.cases)
    a -= a.mean()
    b -= b.mean()
    return float(a @ b / np.sqrt((a @ a) * (b @ b)))


# From cases or counts
# -------------------------------------------------------------------------------------------------------

FORMS = (
    "pass {option[truth]} and {option[predicted]} with two models, or {option[table]}, or"
    " {option[first_only]} and {option[second_only]}"
)


@listed("test", "tm.mcnemar(truth=y, predicted=[a, b])")
@public()
def mcnemar(
    data: Any = None,
    *,
    truth: Any = None,
    predicted: Any = None,
    table: Any = None,
    first_only: float | None = None,
    second_only: float | None = None,
    method: McNemarMethod = "mid-p",
    missing: Missing = "reject",
) -> McNemarResult:
    """McNemar's test of whether two models are correct equally often on the same cases.

    It uses the discordant cases, which only one of the models has right.

    Parameters
    ----------
    data : data frame, file or mapping of columns, optional
        As for `compare`; truth and predicted then name columns.
    truth : array or name of a column
        The true label of each case.
    predicted : two arrays or names, as a list, a mapping from names or a table of shape (cases, 2)
        The predicted labels of the two models, for the same cases in the same order; of two classes or of
        more.
    table : array of shape (2, 2)
        In place of the cases: ``[[both right, first only], [second only, neither]]``, whole numbers.
    first_only, second_only : int
        In place of the cases: the numbers of discordant cases, which the first model alone, and the second
        model alone, has right. The concordant cases do not matter.
    method : {"mid-p", "exact", "chi-square", "corrected"}, default "mid-p"
        "exact": binomial, twice the smaller tail, which never exceeds its level. "mid-p": the same with half
        the probability of the observed count; less conservative, it hardly ever exceeds its level.
        "chi-square": (b - c)^2 / (b + c), and "corrected": max(|b - c| - 1, 0)^2 / (b + c), close to the
        exact one; b and c are the numbers of discordant cases.
    missing : {"reject", "drop"}, default "reject"
        Cases that lack a value are an error, or left out for both models.

    Returns
    -------
    McNemarResult
        With statistic, p_value, df, method, first_only, second_only and note. Without discordant cases p = 1.

    Raises
    ------
    InputError
        For none or several of the three forms, numbers that are not whole, labels of different types and
        missing values.

    Notes
    -----
    Cases are assumed to be independent, each counting once. With clusters or weights use `compare`, whose
    difference of `accuracy` allows for them.

    Differs: statsmodels' corrected statistic is (0 - 1)^2 / (b + c) where b = c, and its chi-square gives p =
    0 without discordant cases; R gives NaN there.

    References
    ----------
    McNemar (1947), Psychometrika 12, 153-157. Edwards (1948), Psychometrika 13, 185-187. Fagerland, Lydersen
    and Laake (2013), BMC Medical Research Methodology 13, 91.

    Examples
    --------
    >>> import tallymark as tm
    >>> tm.mcnemar(table=[[101, 121], [59, 33]], method="exact").p_value < 0.001
    True
    """
    _no_array(data)
    given = [predicted is not None, table is not None, first_only is not None or second_only is not None]
    if sum(given) != 1:
        problem = "several forms are given" if any(given) else "no cases are given"
        raise InputError(
            "conflict" if any(given) else "needed", "mcnemar", problem, FORMS.format(**IN_FORMATS)
        )
    if given[0]:
        (first, second), said = _right(data, truth, predicted, missing, 2)
        discordant = int((first & ~second).sum()), int((~first & second).sum())
        return replace(mcnemar_of_counts(*discordant, method), notices=said)
    if data is not None or truth is not None:
        raise InputError(
            "unsupported",
            "truth" if data is None else "data",
            "counts cannot be combined with cases",
            FORMS.format(**IN_FORMATS),
        )
    if table is not None:
        return mcnemar_of_counts(*_discordant(table), method)
    if first_only is None or second_only is None:
        lacking = "first_only" if first_only is None else "second_only"
        raise InputError(
            "needed", lacking, "both numbers of discordant cases are needed", FORMS.format(**IN_FORMATS)
        )
    return mcnemar_of_counts(first_only, second_only, method)


@listed("test", "tm.cochran_q(truth=y, predicted=[a, b, c])", aka=("cochrans_q", "cochran"))
@public()
def cochran_q(data: Any = None, *, truth: Any, predicted: Any, missing: Missing = "reject") -> CochranQResult:
    """Cochran's Q test of whether two or more models are correct equally often on the same cases.

    For two models it is McNemar's chi-square test.

    Parameters
    ----------
    data : data frame, file or mapping of columns, optional
        As for `compare`; truth and predicted then name columns.
    truth : array or name of a column
        The true label of each case.
    predicted : arrays or names, as a list, a mapping from names or a table of shape (cases, models)
        The predicted labels of each model, for the same cases in the same order; of two classes or of more.
    missing : {"reject", "drop"}, default "reject"
        Cases that lack a value are an error, or left out for all models.

    Returns
    -------
    CochranQResult
        With statistic, p_value, df, right, discordant and note. Where every case is right for all models or
        wrong for all, p = 1.

    Raises
    ------
    InputError
        For fewer than two models, labels of different types and missing values.

    Notes
    -----
    Q = (k - 1) (k sum of C^2 - T^2) / (k T - sum of R^2), with k models, C correct predictions per model, R
    per case and T in total; chi-square with k - 1 degrees of freedom, which is conservative where models
    coincide. Cases are assumed to be independent, each counting once.

    References
    ----------
    Cochran (1950), Biometrika 37, 256-266. Tate and Brown (1970), Journal of the American Statistical
    Association 65, 155-160, on how many cases the chi-square distribution needs.

    Examples
    --------
    >>> import tallymark as tm
    >>> predicted = [[1, 1, 0, 0, 1, 0], [1, 0, 0, 1, 1, 0], [0, 0, 0, 1, 1, 1]]
    >>> round(tm.cochran_q(truth=[1, 1, 0, 0, 1, 0], predicted=predicted).statistic, 4)
    6.0
    """
    right, said = _right(data, truth, predicted, missing)
    return replace(cochran_q_of_right(right), notices=said)


def _right(
    data: Any, truth: Any, predicted: Any, missing: Missing, number: int | None = None
) -> tuple[list[np.ndarray], tuple[Notice, ...]]:
    """For each model, which cases it has right; and the notices on the data.

    number: how many models there must be, two or more where None.
    """
    _no_array(data)
    if truth is None:
        raise no_truth()
    named: Mapping[str, Any] = names_of(predicted, "predicted", data is not None)
    if len(named) != number if number else len(named) < 2:
        wanted = "two" if number else "two or more"
        raise InputError(
            "needed",
            "predicted",
            f"{len(named)} {'model is' if len(named) == 1 else 'models are'} given, and {wanted} are needed",
        )
    only_two_classes("a comparison", truth, (), data is not None)
    cases = read(data, CaseSpec(truth=truth, predicted=named, missing=missing))
    found = cases.columns()
    columns = [found[f"predicted {name}"] for name in named]
    for column in columns:
        same_kind(found["truth"], column)
        _labels_of_classes(column, found["truth"])
    right = [~differ(found["truth"].values, column.values) for column in columns]
    return right, of_data(cases.data(None, None))


def _no_array(data: Any) -> None:
    if isinstance(data, (np.ndarray, list, tuple)):
        raise by_position("truth", "predicted")


def _labels_of_classes(column: Column, truth: Column) -> None:
    try:
        not_scores(column, column.values, truth.values)
    except LabelError:
        raise InputError(
            "ambiguous",
            column,
            "these fractional numbers look like scores",
            "give labels, such as score >= 0.5",
        ) from None


def _discordant(table: Any) -> tuple[Any, Any]:
    """The two numbers of discordant cases in a table.

    Raises InputError unless it is a 2 x 2 table of whole numbers.
    """
    cells = np.asarray(table, object)
    if cells.shape != (2, 2):
        raise InputError(
            "invalid-value",
            "table",
            "give [[both right, first only], [second only, neither]], four numbers of cases",
        )
    names = "both right", "first only", "second only", "neither"
    _, first, second, _ = (
        validate.whole(cell, f"table, {name}", 0, 2.0**53)
        for name, cell in zip(names, cells.ravel().tolist(), strict=True)
    )
    return first, second


WARNING = Note("reclassification-misleads")
UNCHANGED = Note("changes-all-alike")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Reclassification(Noted, Tabular):
    """What a model changes against a reference on the same cases.

    Attributes
    ----------
    model, reference : str
        Their names.
    cutoffs : tuple of float
        The limits of the risk categories; empty for the category-free improvement, where every change counts.
    nri : Estimate
        Net reclassification improvement, the sum of the two parts; from -2 to 2.
    nri_positives, nri_negatives : Estimate
        Share of the positives that move up less that which moves down, and of the negatives that move down
        less that which moves up; each from -1 to 1.
    idi : Estimate
        Integrated discrimination improvement: the difference of the discrimination slopes.
    positives, negatives : array of shape (categories, categories)
        Cases by category of the reference (rows) and of the model (columns); without cutoffs of shape (0, 0).
    notes : tuple of Note
        The warning of the literature.
    notices : tuple of Notice
        On the data.
    """

    FORM = "studies.reclassification"

    model: str
    reference: str
    cutoffs: tuple[float, ...]
    nri: Estimate
    nri_positives: Estimate
    nri_negatives: Estimate
    idi: Estimate
    positives: np.ndarray
    negatives: np.ndarray
    notes: tuple[Note, ...] = (WARNING,)
    notices: tuple[Notice, ...] = ()

    __eq__ = equal_as_tuples

    def __hash__(self) -> int:
        return hash((self.model, self.reference, self.cutoffs))

    @property
    def table(self) -> list[dict[str, Any]]:
        """A row for each improvement, as plain values."""
        return rows_of({"measure": name, **getattr(self, name).to_dict()} for name in ESTIMATES)


ESTIMATES = ("nri", "nri_positives", "nri_negatives", "idi")


@listed(
    "test",
    "tm.reclassification(truth=y, score={'old': p, 'new': q})",
    name="net_reclassification_improvement",
    aka=("nri", "net_reclassification_index", "reclassification", "net_reclassification"),
)
@public()
def reclassification(
    data: Any = None,
    *,
    truth: Any = None,
    score: Any = None,
    positive: Any = None,
    cutoffs: Sequence[float] | None = None,
    level: float = 0.95,
    missing: Missing = "reject",
) -> Reclassification:
    """Net reclassification improvement and integrated discrimination improvement of a model over another one.

    Parameters
    ----------
    data : data frame, file or mapping of columns, optional
        As for `compare`; truth and score then name columns.
    truth : array of shape (n,), or name of a column
        Actual labels of two classes.
    score : two arrays or names, as a list, a mapping from names or a table of shape (n, 2)
        Predicted probabilities of the reference and of the model, in this order, for the same cases.
    positive : object, optional
        The label of the positive class.
    cutoffs : sequence of float, optional
        Limits of risk categories, ascending between 0 and 1. A case moves where its category changes. By
        default every change of the probability counts (category-free).
    level : float, default 0.95
        Confidence level of the intervals.
    missing : {"reject", "drop"}, default "reject"
        Cases that lack a value are an error, or left out.

    Returns
    -------
    Reclassification
        With `nri`, its parts for positives and negatives, and `idi`.

    Raises
    ------
    InputError
        For other than two models, scores that are not probabilities, cutoffs out of order, and one class.

    Notes
    -----
    Standard errors are those of means of paired differences within each class; the classes are independent.
    Intervals are symmetric, by the normal distribution, within the range. The category-free improvement and
    the sum of both parts weight the classes equally, whatever the prevalence: report the parts.

    The improvement can be far above 0 for a predictor without information if the model is miscalibrated
    (Hilden and Gerds 2014; Pepe and others 2015); the difference of proper scores, as log_loss by `compare`,
    cannot.

    References
    ----------
    Pencina, D'Agostino, D'Agostino and Vasan (2008), Statistics in Medicine 27, 157-172; Pencina, D'Agostino
    and Steyerberg (2011), Statistics in Medicine 30, 11-21, category-free and its variance. Hilden and Gerds
    (2014), Statistics in Medicine 33, 3405-3414. Pepe, Fan, Feng, Gerds and Hilden (2015), Statistics in
    Biosciences 7, 282-295.

    Examples
    --------
    >>> import tallymark as tm
    >>> old, new = [0.2, 0.4, 0.6, 0.3, 0.5, 0.7], [0.1, 0.3, 0.7, 0.4, 0.4, 0.8]
    >>> result = tm.reclassification(truth=[0, 0, 0, 1, 1, 1], score={"old": old, "new": new})
    >>> round(result.nri.value, 4), round(result.idi.value, 4)
    (0.6667, 0.0667)
    """
    level, limits = validate.level(level), _limits(cutoffs)
    names, actual, before, after, said = _cases(data, truth, score, positive, missing)
    up, change = _moved(before, after, limits), after - before
    of_classes = {"positives": actual, "negatives": ~actual}
    moves = {"positives": up[actual], "negatives": -up[~actual]}
    parts = {name: _sum((one,), level, 1.0) for name, one in moves.items()}
    tables = {name: _table(before[rows], after[rows], limits) for name, rows in of_classes.items()}
    return Reclassification(
        model=names[1],
        reference=names[0],
        cutoffs=limits,
        nri=_sum(moves.values(), level),
        nri_positives=parts["positives"],
        nri_negatives=parts["negatives"],
        idi=discrimination_improvement(change[actual], change[~actual], level),
        positives=tables["positives"],
        negatives=tables["negatives"],
        notices=said,
    )


@listed(
    "test",
    "tm.reclassification(truth=y, score={'old': p, 'new': q}).idi",
    name="integrated_discrimination_improvement",
    aka=("idi", "integrated_discrimination_index"),
    command="tallymark compare --measure discrimination_slope",
)
def discrimination_improvement(positives: np.ndarray, negatives: np.ndarray, level: float) -> Estimate:
    """Integrated discrimination improvement: the mean change of the positives less that of the negatives.

    Source: Pencina and others (2008), Statistics in Medicine 27, 157-172.
    """
    return _sum((positives, -negatives), level)


def _limits(cutoffs: Any) -> tuple[float, ...]:
    if cutoffs is None:
        return ()
    given = validate.some(cutoffs, "cutoffs", "numbers")
    result = tuple(validate.number(one, "cutoffs", 0.0, 1.0) for one in given)
    if not result or any(a >= b for a, b in pairwise(result)):
        raise InputError("invalid-value", "cutoffs", "they must be ascending numbers between 0 and 1")
    return result


def _cases(
    data: Any, truth: Any, score: Any, positive: Any, missing: Missing
) -> tuple[list[str], np.ndarray, np.ndarray, np.ndarray, tuple[Notice, ...]]:
    """The names of the models, which cases are positive, and the probabilities of both models; notices."""
    if truth is None:
        raise no_truth()
    named: Mapping[str, Any] = names_of(score, "score", data is not None)
    if len(named) != 2:
        raise InputError("needed", "score", f"two models are compared, and {len(named)} are given")
    only_two_classes("a comparison", truth, named.values(), data is not None)
    given: dict[str, Any] = {"truth": truth, "score": named, "positive": positive, "missing": missing}
    sample = collect(read(data, CaseSpec(**given, score_kind="probability")))
    actual = sample.truth
    if actual.all() or not actual.any():
        raise InputError("empty", "truth", "there is one class only, and cases of both are needed")
    before, after = (one.astype(float) for one in sample.output)
    return list(named), actual, before, after, of_data(sample.info)


def _moved(before: np.ndarray, after: np.ndarray, limits: tuple[float, ...]) -> np.ndarray:
    """1 where the risk moves up, -1 where it moves down."""
    if limits:
        before, after = _categories(before, limits), _categories(after, limits)
    return np.sign(after - before)


def _categories(p: np.ndarray, limits: tuple[float, ...]) -> np.ndarray:
    """The category of each probability; a limit belongs to the upper one."""
    return np.searchsorted(limits, p, side="right")


def _table(before: np.ndarray, after: np.ndarray, limits: tuple[float, ...]) -> np.ndarray:
    size = len(limits) + 1 if limits else 0
    table = np.zeros((size, size), int)
    if limits:
        np.add.at(table, (_categories(before, limits), _categories(after, limits)), 1)
    return table


def _sum(parts: Any, level: float, most: float = 2.0) -> Estimate:
    """The sum of the means of independent samples, with its interval."""
    parts = tuple(parts)
    value = float(sum(part.mean() for part in parts))
    total = sum(map(len, parts))
    values = np.concatenate([part * (total / len(part)) for part in parts])
    each, of_part = ones(total), np.repeat(np.arange(len(parts)), [*map(len, parts)])
    variance = covariance(values[None], Sampling(each, each, of_part, fixed=True))[0]
    error = float(np.sqrt(variance[0, 0]))
    if not error > ROUNDING:
        return with_interval(value, no_interval(UNCHANGED), level, UNCHANGED)
    step = normal_quantile(level) * error
    bounds = max(value - step, -most), min(value + step, most)
    return with_interval(value, Interval(*bounds, "normal", standard_error=error), level, None)


# Comparison of models: the difference of each measure, with an interval and a p-value, and other tests
# --------------------------------------------------------------------------------------------------

Reading = Literal["better", "worse", "higher", "lower", "unclear", "class mix"]


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class ComparisonHeadline(Result):
    """What a comparison shows: its first difference, or of more than two models the range and the joint test.

    Attributes
    ----------
    difference : Difference
        The first difference, with its models and its interval.
    cases : float
        The number of cases; for a rate of one class those of this class.
    level : float
        The confidence level.
    p_value : float
        The p-value, adjusted where there are several.
    adjusted : bool
        Whether it is adjusted.
    of_class : str or None
        The class that the measure is a rate of, "positive" or "negative".
    groups : tuple of str and int, or None
        What these cases belong to and how many there are of these, as ("clusters", 40).
    opposite : Difference or None
        The difference of the rate of the other class, where both are shown and go apart.
    values : dict of str to Estimate
        The measure by model, of more than two models.
    joint : Test or None
        The test that all models are equal, of more than two.
    shown : int
        Of how many differences in this measure the p-value shows a difference.
    differences : int
        The number of differences in this measure.
    not_worse : tuple of str
        Of more than two models those not shown to be worse than the best in this measure, the best first.
    folds : int
        The number of folds of which the values are means; 0 without any.
    """

    FORM = "headlines.headline"

    difference: Difference
    cases: float
    level: float
    p_value: float
    adjusted: bool
    of_class: str | None = None
    groups: tuple[str, int] | None = None
    opposite: Difference | None = None
    values: dict[str, Estimate] = field(default_factory=dict)
    joint: Test | None = None
    shown: int = 0
    differences: int = 1
    not_worse: tuple[str, ...] = ()
    folds: int = 0

    __eq__ = equal_as_tuples

    @property
    def reading(self) -> Reading | None:
        """Whether the model is "better" or "worse" than the reference; "unclear" if no difference is shown.

        "higher" or "lower" of a measure of which no value is better, and of a rate of one class; "class mix"
        where it depends on a class mix that differs; None for an undefined difference, and for one without a
        test.
        """
        one = self.difference
        if one.estimate.undefined or isnan(self.p_value):
            return None
        if common_mix_note(one.estimate):
            return "class mix"
        if not self.p_value < 1 - self.level:
            return "unclear"
        form = next((form for form in registry.forms(one.measure) if form.better is not None), None)
        if form is None or self.of_class is not None:
            return "higher" if one.value > one.null else "lower"
        return "better" if (one.value > one.null) == (form.better == "higher") else "worse"

    def to_dict(self) -> dict[str, Any]:
        """Plain values, with the sentence as `text`."""
        one = self.difference
        several = {
            "values": {name: found.to_dict() for name, found in self.values.items()},
            "joint": None if self.joint is None else self.joint.to_dict(),
            "shown": self.shown,
            "differences": self.differences,
            "not_worse": list(self.not_worse),
        }
        return {
            "text": str(self),
            "measure": one.measure,
            "model": one.model,
            "reference": one.reference,
            "difference": one.estimate.to_dict(),
            "p_value": None if isnan(self.p_value) else self.p_value,
            "adjusted": self.adjusted,
            "reading": self.reading,
            "cases": self.cases,
            "of_class": self.of_class,
            "opposite": None if self.opposite is None else self.opposite.measure,
            **({"folds": self.folds} if self.folds else {}),
            **(several if self.values else {}),
        }


def headline_of(c: Comparison) -> ComparisonHeadline:
    """The headline of a comparison."""
    first = c.differences[0]
    adjusted = c.adjust != "none" and len(c.differences) > 1

    def p(one: Difference) -> float:
        return one.adjusted if adjusted else one.p_value

    same = [one for one in c.differences if one.measure == first.measure]
    positive, alpha = OF_ALL.get(first.measure), 1 - c.level
    other = next((one for one in c.differences if _go_apart(first, one)), None)
    several = len(c.models) > 2
    return ComparisonHeadline(
        difference=first,
        cases=c.data.rows if positive is None else _size(c, positive),
        level=c.level,
        p_value=p(first),
        adjusted=adjusted,
        of_class=None if positive is None else ("positive" if positive else "negative"),
        groups=_groups(c, positive),
        opposite=other if other and p(first) < alpha and p(other) < alpha else None,
        values={name: c.value(first.measure, name) for name in c.models} if several else {},
        joint=_joint(c, first.measure),
        shown=sum(p(one) < alpha for one in same),
        differences=len(same),
        not_worse=_not_worse(c, first.measure) if several else (),
        folds=len({one.fold for one in c.in_folds}),
    )


def _not_worse(c: Comparison, measure: str) -> tuple[str, ...]:
    """The models not shown to be worse than the best; none where the samples differ in class mix."""
    mixed = any(common_mix_note(one.estimate) for one in c.differences if one.measure == measure)
    return () if mixed and not c.from_best else c.not_worse(measure)


def _size(c: Comparison, positive: int) -> float:
    """The number of cases of the class, of all models together on different cases."""
    size = c.data.positives if positive else c.data.negatives
    return c.data.rows if size is None else size


def _groups(c: Comparison, positive: int | None) -> tuple[str, int] | None:
    """The clusters of the cases that count; None without clusters, and on different cases."""
    clusters = next(iter(c.evaluations.values())).clusters
    if clusters is None or not c.paired:
        return None
    if positive is None or not isinstance(clusters, DependentCases):
        return clusters.what, clusters.number
    return clusters.what, len(np.unique(clusters.units[..., clusters.cases.positive == bool(positive)]))


def _go_apart(one: Difference, other: Difference) -> bool:
    """Whether they are rates of the two classes, of the same models, of which one is better, one worse."""
    classes = OF_ALL.get(one.measure), OF_ALL.get(other.measure)
    if (
        None in classes
        or classes[0] == classes[1]
        or (one.model, one.reference) != (other.model, other.reference)
    ):
        return False
    better = [
        (each.value > each.null) == (registry.get(each.measure, Counts).better == "higher")
        for each in (one, other)
    ]
    return better[0] != better[1]


def _joint(c: Comparison, measure: str) -> Test | None:
    """The test that all of more than two models are equal in this measure."""
    if len(c.models) < 3:
        return None
    of = NAMED[OF_ALL[measure]] if measure in OF_ALL else None
    name = AREAS_EQUAL if measure == "roc_auc" else f"cochran q, {of}"
    return next((test for test in c.tests if test.name == name and not isnan(test.p_value)), None)


Scale = Literal["difference", "ratio"]
SCALES = get_args(Scale)
RATIOS = ("auto", "bootstrap", "basic-bootstrap")  # methods
BENEFIT = ("decision", "net_benefit")  # names of the curve with a difference


@dataclass(frozen=True, eq=False)
class Comparison(ByName, Answer, Tabular, Plotted):
    """A comparison of two models or more.

    Attributes
    ----------
    data : DataInfo
        The facts about the cases.
    paired : bool
        Whether the models were measured on the same cases.
    evaluations : mapping of str to Evaluation
        By model.
    differences : tuple of Difference
        Of every measure and pair of models.
    tests : tuple of Test
        McNemar's of every pair, Cochran's Q and DeLong's overall test where there are more than two models.
    agreement : tuple of Agreement
        Of every pair on the same cases.
    assumes : str
        The assumptions, in words.
    adjust : str
        The adjustment of the p-values, as "holm".
    level : float
        The confidence level, above 0 and below 1.
    replicates, seed : int
        Number of resamples, and the seed of the random numbers.
    notices : tuple of Notice
        What to consider when the numbers are read.
    design : str
        "cohort", the class mix varies from sample to sample, or "case-control", the class sizes are fixed,
        and every interval and p-value is conditional on them.
    from_best : bool
        Whether the reference was chosen as the best in the first measure. All pairs of models are then tested
        together in each measure, so that p-values and intervals allow for the choice.
    in_groups, in_folds : tuple of Difference
        Those in each group, and in each fold, with intervals that hold together for each measure and pair;
        their p-values are adjusted for all of them.
    """

    ANSWER = "comparison"
    FORM = "studies.comparison"
    FIGURE = "differences"

    data: DataInfo
    paired: bool
    evaluations: Mapping[str, Evaluation]
    differences: tuple[Difference, ...]
    tests: tuple[Test, ...]
    agreement: tuple[Agreement, ...]
    assumes: str
    adjust: str
    level: float
    replicates: int
    seed: int
    notices: tuple[Notice, ...] = ()
    design: Design = "cohort"
    from_best: bool = False
    in_groups: tuple[Difference, ...] = ()
    in_folds: tuple[Difference, ...] = ()
    _study: ModelContrasts = field(kw_only=True, repr=False)

    @property
    def models(self) -> tuple[str, ...]:
        return tuple(self.evaluations)

    @property
    def scale(self) -> Scale:
        """Whether values are subtracted ("difference") or divided ("ratio")."""
        return self.differences[0].scale or "difference"

    @property
    def of_amounts(self) -> bool:
        """Whether predicted amounts are compared; these have no classes, so that no design is named."""
        return any(isinstance(one, RegressionEvaluation) for one in self.evaluations.values())

    @property
    def mix_fixed_by_weights(self) -> bool:
        """Whether class weights fix the class mix in all models.

        Differences are then for this class mix, in either design.
        """
        return all(one.mix_fixed_by_weights for one in self.evaluations.values())

    @property
    def measures(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(one.measure for one in self.differences))

    @cached_property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Model and reference of each pair."""
        return tuple(dict.fromkeys((one.model, one.reference) for one in self.differences))

    @property
    def headline(self) -> ComparisonHeadline:
        """The first difference, and what it shows; `str` of it is one sentence."""
        return headline_of(self)

    def value(self, measure: str, model: str) -> Estimate:
        """A measure of a model; with folds its mean over these."""
        return self._study.estimate(measure, self.models.index(model))

    def keys(self) -> tuple[str, ...]:
        """The names of the measures."""
        return self.measures

    @public()
    def not_worse(self, measure: str | None = None) -> tuple[str, ...]:
        """The models not shown to be worse than the best in a measure, the best first.

        Parameters
        ----------
        measure : str, optional
            Its name; by default the first.

        Returns
        -------
        tuple of str
            Empty where no value of the measure is better.

        Raises
        ------
        InputError
            For a measure that is not compared.

        Notes
        -----
        All pairs of models are tested together, so that every model whose true value is the best is among
        them with a probability of at least `level`, also where several are equally good. In the first measure
        of a comparison with the best it is by the adjusted p-values, as in the headline.
        """
        first = self.measures[0]
        name = self._measured(measure) if measure is not None else first
        if not (self.from_best and name == first):
            return self._study.not_worse(name)
        values = {model: self.value(name, model).value for model in not_shown_worse(self.differences)}
        return tuple(model for model, value in values.items() if value == value)

    def __getitem__(self, asked: str | tuple[Any, ...]) -> Difference:
        """The difference of a measure, as comparison["roc_auc"].

        With more than two models name one or both, as comparison["roc_auc", "b"] or comparison["roc_auc",
        "b", "a"].

        Raises InputError for a measure or a model that is not compared, and where there are several pairs to
        choose from.
        """
        measure, *pair = (asked if isinstance(asked, tuple) else (asked,)) or (None,)
        name = self._measured(measure)
        key = name, *self._pair(measure, pair, measure, "[{}]")
        return next(one for one in self.differences if (one.measure, one.model, one.reference) == key)

    def _measured(self, measure: Any) -> str:
        """The name of a measure as it is compared. Raises InputError for others."""
        names = {form.name for form in forms(measure)}
        name = next((one for one in self.measures if one in names), None)
        if name is None:
            raise InputError(
                "unknown-name",
                None,
                f"{shown(measure)} is not compared here",
                f"compared are {', '.join(self.measures)}",
                value=measure,
            )
        return name

    def _pair(self, name: Any, named: Sequence[str], argument: Any, example: str) -> tuple[str, str]:
        """Model and reference, of which one or both are named. Raises InputError unless there is one pair."""
        found = [pair for pair in self.pairs if list(pair[: len(named)]) == list(named)]
        if len(found) != 1:
            problem = "several models are compared" if found else f"{shown(list(named))} is not a pair here"
            known = ", ".join(example.format(", ".join(map(repr, (name, *pair)))) for pair in self.pairs[:3])
            raise InputError("needed", argument, problem, f"say which, as {known}")
        return found[0]

    @public()
    def confidence_curve(self, *asked: str) -> Curve:
        """The confidence curve of a difference: its p-value as a function of the effect.

        As confidence_curve("roc_auc"), or with more than two models as confidence_curve("roc_auc", "b").
        """
        return self[asked].curve

    @public()
    def curve(
        self,
        name: str,
        *pair: str,
        band: Literal["pointwise", "simultaneous"] | None = None,
        level: float | None = None,
        thresholds: Sequence[float] | None = None,
    ) -> Curve:
        """The difference of two models' decision curves.

        Parameters
        ----------
        name : str
            "decision" (or "net_benefit").
        *pair : str
            Model and reference, where more than two models are compared: curve("decision", "b", "a") is that
            of b - a.
        band : str or None
            "pointwise" covers the true difference at each single threshold with the probability `level`,
            "simultaneous" at all thresholds at once; from the influence values of the cases, with weights,
            clusters and design as in the comparison.
        level : float or None
            Confidence level of the band; by default that of the comparison.
        thresholds : sequence of float, or None
            Above 0 and below 1; by default 0.01, 0.02, ..., 0.99.

        Returns
        -------
        Curve
            The difference in net benefit at each threshold.

        Raises
        ------
        InputError
            For another name, for models that are not compared, and where scores are not probabilities.

        References
        ----------
        Vickers and Elkin (2006); Vickers and others (2008); Kerr and others (2016).
        """
        if plain(name) not in BENEFIT:
            raise InputError(
                "unknown-name",
                "curve",
                f"{shown(name)} has no curve of a difference",
                "take 'decision', or the curves of .evaluations",
                value=name,
            )
        chosen = self._pair("decision", pair, "curve", "({})")
        known = {model.name: model for model in self._study.models}
        asked = Settings(level=self.level if level is None else level, seed=self.seed, design=self.design)
        return difference_curve([known[one] for one in chosen], self.paired, asked, band, thresholds)

    @property
    def table(self) -> list[dict[str, Any]]:
        """One row per difference, as plain values.

        shown: whether the difference lies within the margin, where one was given.
        """
        every = *self.differences, *self.in_groups, *self.in_folds
        return self.rows_in({"differences": [one.to_dict() for one in every]})

    @classmethod
    def entries_in(cls, plain: Mapping[str, Any]) -> Iterator[Entry]:
        """The differences by measure, of several pairs with model and reference, in parts with their name."""
        several = len({(one["model"], one["reference"]) for one in plain["differences"]}) > 1
        for one in chain(*(plain.get(rows, ()) for rows in ("differences", "in_groups", "in_folds"))):
            name = (one["measure"], one["model"], one["reference"]) if several else one["measure"]
            part = one.get("group") or one.get("fold")
            if part is not None:
                name = (*name, part) if several else (name, part)
            yield name, one, [{**one, "decision": {}, "shown": one["decision"] and one["decision"]["shown"]}]

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        return {
            **head(self.ANSWER),
            "data": self.data.to_dict(),
            "paired": self.paired,
            "assumes": self.assumes,
            "models": list(self.models),
            "scale": self.scale,
            "adjust": self.adjust,
            "from_best": self.from_best,
            "level": self.level,
            "replicates": self.replicates,
            "seed": self.seed,
            **named(None if self.of_amounts else self.design, self.mix_fixed_by_weights),
            "headline": self.headline.to_dict(),
            "selected": list(self.measures),
            "differences": [one.to_dict() for one in self.differences],
            **{
                name: [one.to_dict() for one in found]
                for name, found in (("in_groups", self.in_groups), ("in_folds", self.in_folds))
                if found
            },
            "tests": [test.to_dict() for test in self.tests],
            "agreement": [one.to_dict() for one in self.agreement],
            "notices": [notice.to_dict() for notice in self.notices],
        }

    def __repr__(self) -> str:
        if len(self.models) > 2:
            return f"<Comparison of {len(self.models)} models: {', '.join(self.measures)}>"
        one = self.differences[0]
        p = "" if isnan(one.p_value) else f", p {one.p_value:.3g}"
        sign = "/" if one.scale else "-"
        return (
            f"<Comparison of 2 models: {one.measure} {one.model} {sign} {one.reference} {one.value:.4g}{p}>"
        )


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
    by: Any = None,
    fold: Any = None,
    paired: bool | None = None,
    classes: Sequence[Any] | None = None,
    ordered: bool = False,
    measures: Sequence[str] | str | None = None,
    threshold: Any = None,
    reference: str | None = None,
    method: ComparisonMethod = "auto",
    scale: Scale = "difference",
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
    by, fold : columns or arrays, optional
        The group of each case, and the fold whose model was tested on it, as for `evaluate`. With groups
        there are the differences in each, `in_groups`, and tests whether a difference is the same in all.
        With folds differences are of the means over the folds, and `in_folds` has those in each.
    paired : bool, optional
        False: different cases. It is required where summaries have as many cases of each class, since these
        do not record which case is which and may be of the same cases, and where two data sets have the same
        labels in the same order.
    measures : str or list of str, optional
        Names of measures; by default a few usual ones.
    threshold : float, list or mapping from names of models, optional
        One, or one per model, for measures at a threshold; by default as for `evaluate`.
    reference : str, optional
        The model that the others are compared with, the first by default; "all" compares every pair, "best"
        is the best in the first measure, for whose choice p-values and intervals allow, as all pairs of
        models are then tested together.
    method : {"auto", "delong", "score", "bootstrap", "basic-bootstrap", "permutation"}, default "auto"
        "auto": see the notes. "delong": as published, with the normal distribution. "bootstrap": percentiles.
    scale : {"difference", "ratio"}, default "difference"
        "ratio": the value of each model divided by that of the reference, as a relative sensitivity or a
        ratio of likelihood ratios, with the interval and the test on the scale of the logarithm.
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
        "ratio" if validate.choice(scale, SCALES, "scale") == "ratio" else None,
    )
    validate.choice(adjust, ADJUSTMENTS, "adjust")
    if compared.scale:
        _refuse_with_ratios(method, non_inferior_by, equivalent_within)
    spec = CaseSpec(
        truth=truth, score=score, predicted=predicted, weight=weight, weight_kind=weight_kind,
        clusters=clusters, persons=persons, sample=sample, by=by, fold=fold, positive=positive,
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
    names = measures_of(measures, models, compared, threshold is not None)
    study = ModelContrasts(models, names, compared, same)
    parts = None
    if by is not None or fold is not None:
        if not same:
            argument = "fold" if by is None else "by"
            problem = "it needs models on the same cases"
            raise InputError("unsupported", argument, problem, "leave it out")
        parts = Parts(study, options)
        study = parts.study(None, compared)
    hypothesis, margins = margins_of(non_inferior_by, equivalent_within, names, level)
    pairs, chosen = pairs_of(study, reference), is_best(reference, [one.name for one in models])
    classes_of_pairs = pairs if same and fold is None and models[0].answers is not None else []
    differences, agreement = kernels.together(
        partial(differences_of, study, pairs, hypothesis, margins, adjust, chosen),
        partial(agreements, models, classes_of_pairs, settings),
        when=about.rows > MANY,
    )
    in_groups: tuple[Difference, ...] = ()
    in_folds: tuple[Difference, ...] = ()
    tests = () if fold is not None else tests_of(study, differences)
    if parts is not None and parts.folds is not None:
        in_folds = parts.differences(parts.folds, "fold", pairs, adjust, chosen)[0]
    if parts is not None and parts.groups is not None:
        in_groups, studies = parts.differences(parts.groups, "group", pairs, adjust, chosen)
        tests += interactions(
            in_groups,
            dict(zip(parts.groups.names, studies, strict=True)),
            parts.units,
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
        tests=tests,
        agreement=agreement,
        assumes=study.assumes,
        adjust=adjust,
        level=compared.level,
        replicates=draws.replicates,
        seed=draws.seed,
        notices=(*mix, *(parts.notices if parts else ()), *_notices(models), *_same_names(models)),
        design=design,
        from_best=chosen,
        in_groups=in_groups,
        in_folds=in_folds,
        _study=study,
    )


def _refuse_with_ratios(method: str, *margins: Any) -> None:
    """Raises InputError for methods and margins that are of differences."""
    if method not in RATIOS:
        raise InputError("unsupported", "scale", f"{method!r} is of differences", f"take {', '.join(RATIOS)}")
    if any(margin is not None for margin in margins):
        problem = "margins are of differences"
        raise InputError("conflict", "scale", problem, f"leave the margin or {option('scale')} out")


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
