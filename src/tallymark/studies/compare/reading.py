"""The models that `compare` reads: on the same cases, each on its own, or as summaries.

Summaries, or data sets, may be of the same cases where they have as many of each class, or the same labels
row by row. On different cases many measures depend on the shares of the classes: such a difference is one of
the samples as much as one of the models. At a common mix the cases of each class have a common weight, so
that the classes have the same shares in every sample; intervals are then for fixed class sizes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import combinations, pairwise
from math import isclose
from operator import itemgetter
from pathlib import Path
from typing import Any

import numpy as np

from ...evaluation.arguments import EvaluationOptions, form_of, refuse
from ...evaluation.case_sums import CaseSums, only_measured, opened
from ...evaluation.evaluate import SUMMARIES as TABLES
from ...evaluation.evaluations import evaluate_summary, evaluate_sums
from ...evaluation.notices import Notice
from ...evaluation.paired.comparison import Difference
from ...evaluation.paired.models import Model, models_of
from ...evaluation.results import (
    BinaryEvaluation,
    ClasswiseEvaluation,
    Evaluation,
    MulticlassEvaluation,
    MultilabelEvaluation,
    RegressionEvaluation,
    refuse_answers,
)
from ...inference import Estimate
from ...inference.contrast import independent, independent_ratio, span
from ...input import Cases, CaseSpec, read, text, validate
from ...input.arguments import OF_UNITS
from ...input.cases import DROPPED, WEIGHTLESS
from ...input.data_info import DataInfo, of_several
from ...input.errors import by_position
from ...input.labels import differ
from ...input.messages import Note, joined, of_code
from ...input.sample import Sample
from ...input.score_columns import NAMES, several_columns, thresholds_of
from ...input.sources import tally
from ...input.spec import no_truth
from ...input.spelling import assigned, either, option
from ...input.validate import InputError, shown
from ...summaries import (
    BinnedTable,
    RankingTable,
)
from ...summaries.ranking import Squares
from ...summaries.samples import index_of_parts, sample_of, several_labels

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
ROUNDING = 1e-9  # of a sum of weights
SHOWN = 5  # numbers in a message: of all cases, and of four classes


def of_equal_sizes(evaluations: Sequence[Evaluation]) -> tuple[int, int] | None:
    """The indices of the first two that have as many cases of each class; None if there are none.

    Equal up to rounding, since a sum of weights depends on their order.
    """
    sizes = [_sizes(one) for one in evaluations]
    for i, j in combinations(range(len(sizes)), 2):
        one, other = sizes[i], sizes[j]
        if one.keys() == other.keys() and all(isclose(one[of], other[of], rel_tol=ROUNDING) for of in one):
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
