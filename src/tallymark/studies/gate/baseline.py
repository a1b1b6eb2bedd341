"""Comparison with a baseline, whose cases may be matched by a column that names them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from numbers import Real
from pathlib import Path
from typing import Any

import numpy as np

from ...evaluation.applicable import form_of, refuse
from ...evaluation.arguments import EvaluationOptions, describe
from ...evaluation.evaluate import SUMMARIES
from ...evaluation.paired.comparison import automatic_differences
from ...evaluation.paired.models import Model, models_of
from ...evaluation.results import Evaluation
from ...inference import Estimate, Settings
from ...inference.intervals.differences import independent, span
from ...input import Cases, CaseSpec, columns, read, text, validate
from ...input import read as read_cases
from ...input.columns import Column
from ...input.labels import differ, plain, together
from ...input.messages import Note, joined
from ...input.persons import ROLES
from ...input.score_columns import several_columns, thresholds_of
from ...input.sources import Batch
from ...input.spec import only_two_classes
from ...input.spelling import option
from ...input.validate import InputError, shown
from ...measures import registry
from ...measures.registry import Measure
from ...summaries.samples import sample_of
from ..compare.common_mix import CommonMix
from ..compare.reading import cases_of, of_equal_sizes, one_truth
from .grammar import Requirement, parse_quantity, shortest
from .measuring import chosen_here, compare, entry_of, measured, ready
from .results import Finding

USUAL = "roc_auc"  # the measure compared by default


SHOWN = 4  # measures that a message names


def several(given: Any, role: str) -> list[Any]:
    """One or several texts or requirements, as a list."""
    if isinstance(given, (str, Requirement)):
        return [given]
    if not isinstance(given, Iterable) or isinstance(given, (bytes, Mapping)):
        raise InputError(
            "invalid-value", role, f"{validate.shown(given)} is not a string", "write one, or a list of them"
        )
    return validate.some(given, role, "texts")


def against(
    same_data: bool,
    baseline: Any,
    baseline_score: Any,
    pair_by: Any,
    paired: bool | None,
    no_worse_than: float | None,
    measures: str | Sequence[str] | None,
) -> tuple[float | None, list[Requirement]]:
    """The margin, None where there is no baseline, and the measures that were asked for."""
    given = {
        "baseline_score": baseline_score,
        "pair_by": pair_by,
        "paired": paired,
        "no_worse_than": no_worse_than,
        "measures": measures,
    }
    if baseline is None and baseline_score is None:
        for name, value in given.items():
            if value is not None:
                raise InputError(
                    "conflict",
                    name,
                    "it is for a baseline, and there is none",
                    f"pass {option('baseline')}, or leave it out",
                )
        return None, []
    if no_worse_than is None:
        raise InputError(
            "needed",
            "no_worse_than",
            f"by how much may the new model be worse? As {option('no_worse_than', 0.01)}, or 0 for not"
            " at all",
        )
    _check_paired(paired, pair_by is not None or baseline is None)
    if pair_by is None and same_data:
        raise InputError(
            "conflict",
            "baseline",
            "it is the data itself",
            f"leave it out, and pass {option('baseline_score')} to compare two scores there",
        )
    margin = validate.number(no_worse_than, "no_worse_than", 0.0, float("inf"))
    return margin, [
        parse_quantity(one) for one in ([] if measures is None else several(measures, "measures"))
    ]


def _check_paired(paired: bool | None, same_cases: bool) -> None:
    """Raises InputError where `paired` contradicts how the baseline is given."""
    if paired is None or validate.flag(paired, "paired") == same_cases:
        return
    how = (
        f"name the column of the cases with {option('pair_by')}"
        if paired
        else f"leave out {option('paired', False)}, or pass other cases as {option('baseline')}"
    )
    raise InputError("mismatch", "paired", f"{paired} does not fit how the baseline is given", how)


def same_source(data: Any, baseline: Any) -> bool:
    """Whether the baseline is the data that are checked: the same object, or the same path."""
    if data is None or isinstance(baseline, Evaluation):
        return False
    return data is baseline or (
        isinstance(data, (str, Path)) and isinstance(baseline, (str, Path)) and str(data) == str(baseline)
    )


def by_default(requirements: list[Requirement], e: Evaluation) -> list[Requirement]:
    """The measures that the requirements name, once each."""
    wanted = {
        one.quantity: one
        for one in reversed(requirements)
        if not one.quantity.is_of_rows and any(form.better for form in registry.forms(one.quantity.name))
    }
    if wanted:
        return list(wanted.values())[::-1]
    if USUAL not in e:
        known = ", ".join(list(e.estimates)[:SHOWN])
        raise InputError(
            "needed",
            "measures",
            f"say what is to be no worse, of {known}, ...",
            "roc_auc, the usual one, needs one score per case",
        )
    return [parse_quantity(USUAL)]


SAME = ("truth", "weight", "clusters", *ROLES)  # columns in which both must agree


def paired(new: Any, old: Any, spec: CaseSpec) -> tuple[Cases, dict[str, Column]]:
    """The cases of the new model, and the columns of both models in the same order.

    The columns are what both have in common, the scores, or labels, of the new model, and those of the
    baseline as "baseline_score". spec: of the cases; without baseline_score both have the same column. Raises
    InputError where a case occurs twice, is in one of the two only, or has two true labels.
    """
    if not isinstance(spec.pair_by, str) or new is None or old is None:
        raise InputError(
            "needed",
            "pair_by",
            "it names a column that both the data and the baseline have",
            "pass both as files or frames",
        )
    kind, named = spec.kind, spec.baseline_score is not None
    cases, mine = _read(new, spec.of_columns({"baseline_score": None}), "the data")
    _, other = _read(old, spec.of_columns({kind: None}) if named else spec, "the baseline")
    places = _places(mine["pair_by"], other["pair_by"])
    for role in SAME:
        if role in mine:
            _agree(mine, other, role, places)
    answers = {kind: mine[kind], "baseline_score": _moved(other["baseline_score" if named else kind], places)}
    return cases, {role: mine[role] for role in SAME if role in mine} | answers


def refuse_one_truth(new: Column, old: Column) -> None:
    """Raises InputError where two data sets that were read have the same labels in the same order.

    Such data sets are probably of the same cases.
    """
    one, other = new.values, old.values
    if one_truth(one, other):
        raise InputError(
            "ambiguous",
            "baseline",
            f"it has the same truth as the data in each of {len(one):,} rows, so that they seem the same"
            " cases",
            f"pass {option('pair_by')} for the paired comparison, or {option('paired', False)} if they are"
            " different ones",
        )


def _moved(column: Column, places: np.ndarray) -> Column:
    """A column of the baseline with its values in another order.

    Messages still state the original row of a value.
    """
    kept = places if column.kept is None else column.kept[places]
    return replace(
        column, values=column.values[places], kept=kept, file=column.file or "the baseline", index=None
    )


def _read(data: Any, spec: CaseSpec, where: str) -> tuple[Cases, Batch]:
    cases = read_cases(data, spec)
    batches = cases.sum(lambda batch: [_complete(batch, where)])
    return cases, {role: columns.joined([batch[role] for batch in batches]) for role in batches[0]}


def _complete(batch: Batch, where: str) -> Batch:
    for column in batch.values():
        gaps = column.gaps()
        if gaps.any():
            row = int(gaps.argmax())
            problem = f"the value in {column.row(row)} of {where} is missing"
            raise InputError(
                "missing-value",
                column,
                problem,
                "paired cases need all values, so leave it out of both",
                row=row,
            )
    return batch


def _places(mine: Column, other: Column) -> np.ndarray:
    """For each case of mine its row in the other."""
    if (mine.values.dtype.kind == "O") != (other.values.dtype.kind == "O"):
        raise InputError(
            "mismatch",
            mine,
            "it holds numbers in one of data and baseline and text in the other",
            "make both the same",
        )
    order, of_other = _order(mine, "the data"), _order(other, "the baseline")
    if len(order) != len(of_other) or differ(mine.values[order], other.values[of_other]).any():
        raise _alone(mine, other)
    places = np.empty(len(order), np.intp)
    places[order] = of_other
    return places


def _order(column: Column, where: str) -> np.ndarray:
    """The rows in the order of the cases' names. Raises InputError for a name that occurs twice."""
    order = np.argsort(column.values, kind="stable")
    again = np.flatnonzero(column.values[order][1:] == column.values[order][:-1])
    if len(again):
        first, second = (column.row(int(order[again[0] + step])) for step in (0, 1))
        name = shown(plain(column.values[order[again[0]]]))
        problem, row = f"{name} names two cases of {where}, in {first} and {second}", int(order[again[0] + 1])
        raise InputError("repeated", column, problem, "give each case its own name", row=row)
    return order


def _alone(mine: Column, other: Column) -> InputError:
    """The message on the first name that is in one of the two only."""
    _, (of_data, of_baseline) = together(mine.values, other.values)
    in_data, in_baseline = ~np.isin(of_data, of_baseline), ~np.isin(of_baseline, of_data)
    column, alone = (mine, in_data) if in_data.any() else (other, in_baseline)
    where, elsewhere = ("the data", "the baseline") if column is mine else ("the baseline", "the data")
    name, more = shown(plain(column.values[int(alone.argmax())])), int(alone.sum()) - 1
    others = f" (and {more:,} more)" if more else ""
    problem = f"{name}{others} is in {where} and not in {elsewhere}"
    return InputError(
        "mismatch", column, problem, "pair the same cases, or leave pair_by out", row=int(alone.argmax())
    )


def _agree(mine: Batch, other: Batch, role: str, places: np.ndarray) -> None:
    apart = differ(mine[role].values, other[role].values[places])
    if apart.any():
        row = int(apart.argmax())
        values = [shown(plain(one)) for one in (mine[role].values[row], other[role].values[places[row]])]
        raise InputError(
            "mismatch",
            mine[role],
            f"case {shown(plain(mine['pair_by'].values[row]))} has {values[0]} in the data and {values[1]} in"
            " the baseline",
            f"the same case has one {role}",
        )


OTHER_CASES, SAME_CASES = "on different cases", "on the same cases"
NEW, BASELINE = "new", "baseline"
SCORES = "a comparison of scores on the same cases"
REFUSED = ("rule", "counts", "regression")  # all other arguments are for the intervals of a single model


def unpaired_finding(
    new: Evaluation, old: Evaluation, mix: CommonMix, requirement: Requirement, margin: float
) -> Finding:
    """The finding on non-inferiority for a baseline on other cases: the two intervals are combined."""
    mine, other = measured(new, requirement), measured(old, requirement)
    assert mine.entry
    ends = span(mine.entry.range)
    difference = independent(mine.estimate, other.estimate, ends)
    notes = [_of(name, one.estimate.notes) for name, one in ((NEW, mine), (BASELINE, other))]
    at_mix = mix.note(NEW, BASELINE, difference.value, ends, lambda e: measured(e, requirement).estimate)
    difference = replace(difference, notes=joined(difference.notes, *notes, at_mix))
    where = [f" {one.at}" if one.at else "" for one in (mine, other)]
    how = (
        f"new {text.number(mine.estimate.value)}{where[0]}, baseline"
        f" {text.number(other.estimate.value)}{where[1]}, {OTHER_CASES}"
    )
    return not_inferior(requirement, mine.entry, difference, margin, how)


def _of(name: str, notes: Any) -> Note | None:
    return Note("of-a-model", model=name, what=notes) if notes else None


def refuse_alike(new: Evaluation, old: Evaluation) -> None:
    """Raises InputError where both have as many cases of each class, which may be the same cases."""
    if of_equal_sizes([new, old]):
        raise InputError(
            "ambiguous",
            "baseline",
            f"it has as many cases of each class as the data ({cases_of(new)}), which may be the same cases",
            f"pass both as files or frames with {option('pair_by')} for the paired comparison, or "
            f"{option('paired', False)} if they are different ones",
        )


def read_together(data: Any, cases: Mapping[str, Any]) -> bool:
    """Whether one pass can give both the evaluation of the new model and the comparison.

    That is so for one column of scores, or two, without missing values. Otherwise rows without a value of the
    baseline, and labels that only the baseline predicts, would change the evaluation of the new model.
    """
    score, limit = cases.get("score"), cases.get("threshold")
    binary = score is not None and not isinstance(score, Mapping) and not several_columns(score, data is None)
    plain = binary and (limit is None or isinstance(limit, Real)) and getattr(score, "ndim", 1) <= 2
    others = any(cases.get(name) is not None and cases[name] is not False for name in ("predicted", *REFUSED))
    whole = cases.get("missing", "reject") == "reject" and cases.get("truth") is not None
    return plain and whole and not others and not isinstance(data, (Evaluation, *SUMMARIES))


class SameCases:
    """The two models on the same cases, read once.

    cases: as `check` takes them; baseline, baseline_score, pair_by: of the baseline.
    """

    def __init__(self, data: Any, cases: Mapping[str, Any], baseline: Any, baseline_score: Any, pair_by: Any):
        for name in REFUSED:
            if cases.get(name) is not None and cases[name] is not False:
                raise InputError(
                    "conflict",
                    name,
                    "two models on the same cases are not compared with it",
                    "leave it out, or pair_by",
                )
        given = {name: one for name, one in cases.items() if name not in ("progress", *REFUSED)}
        spec, options = describe(**given)
        if baseline is not None and spec.missing == "drop":
            raise InputError(
                "missing-value",
                "missing",
                "paired cases need all values",
                "leave those with a gap out of both, then pair them",
            )
        kind = "predicted" if spec.predicted is not None else "score"
        if isinstance(data, Evaluation) or isinstance(baseline, Evaluation) or spec.given.get(kind) is None:
            raise InputError(
                "unsupported",
                "pair_by",
                "a summary does not record which case is which",
                "pass the cases of both, or none",
            )
        spec = replace(
            spec, baseline_score=baseline_score, numbers=("baseline_score",) if kind == "score" else ()
        )
        _check(data, spec, options, cases.get("threshold"))
        if baseline is None:
            read_as = read(data, spec, cases.get("progress"))
            found = read_as.columns()
        else:
            read_as, found = paired(data, baseline, replace(spec, pair_by=pair_by))
        roles: dict[str | None, list[str]] = {NEW: [spec.kind], BASELINE: ["baseline_score"]}
        sample = sample_of(found, spec, roles, read_as.data)
        self.models = models_of(sample, options, thresholds_of(cases.get("threshold"), [NEW, BASELINE]))

    @property
    def new(self) -> Evaluation:
        """The evaluation of the new model."""
        return next(model.evaluation for model in self.models if model.name == NEW)

    @property
    def old(self) -> Evaluation:
        """The evaluation of the baseline."""
        return next(model.evaluation for model in self.models if model.name == BASELINE)

    def finding(self, new: Evaluation, requirement: Requirement, margin: float) -> Finding:
        """The finding on non-inferiority, from the paired interval.

        new: the evaluation of the new model at the level of the gate.
        """
        entry, threshold, parameters = _named(new, requirement)
        settings = Settings(level=new.settings.level, seed=new.settings.seed, design=new.settings.design)
        models = [_as_asked(model, settings, threshold, parameters) for model in self.models]
        (difference,) = automatic_differences(models, [entry.name], BASELINE, settings)
        values = [text.number(estimate.value) for estimate in difference.models]
        how = f"new {values[0]}, baseline {values[1]}, {SAME_CASES}"
        return not_inferior(requirement, entry, difference.estimate, margin, how)


def _check(data: Any, spec: CaseSpec, options: EvaluationOptions, threshold: Any) -> None:
    refuse(form_of(spec, data is None), spec, options, threshold)
    if spec.kind == "score":
        way_out = f"check predicted labels with {option('predicted')}, of any number of classes"
        scores = [spec.score, spec.baseline_score]
        only_two_classes(SCORES, spec.truth, scores, data is not None, way_out)


def _as_asked(
    model: Model, settings: Settings, threshold: float | None, parameters: Mapping[str, Any]
) -> Model:
    """The model at the threshold, and with the parameters, of a requirement."""
    evaluation = replace(
        model.evaluation, settings=settings, parameters={**model.evaluation.parameters, **parameters}
    )
    model = replace(model, evaluation=evaluation)
    return model if threshold is None else model.at(threshold)


def _named(new: Evaluation, requirement: Requirement) -> tuple[Measure, float | None, dict[str, Any]]:
    """The measure by which two models on the same cases are compared, the threshold, and parameters."""
    quantity = requirement.quantity
    if quantity.label is not None or quantity.average:
        raise requirement.wrong(
            "models on the same cases are not compared class by class; leave that out, or name other measures"
        )
    entry, at = entry_of(new, requirement), quantity.at
    if at is None and chosen_here(new, entry):
        raise requirement.wrong(
            "the threshold would be chosen anew for each model; put it, as 'at threshold 0.5'"
        )
    if at is None or at.threshold is not None:
        parameters = {entry.name: dict(quantity.parameters)} if quantity.parameters else {}
        return entry, None if at is None else at.threshold, parameters
    known = ready(entry.name, at.rule) if at.rule is not None and at.is_bound else None
    if known is None:
        raise requirement.wrong(
            f"{quantity} is not compared on the same cases; put a threshold, as 'at threshold 0.5'", "at"
        )
    return (
        entry_of(new, replace(requirement, quantity=replace(quantity, name=known[0], at=None))),
        None,
        {known[0]: known[1]},
    )


def not_inferior(
    requirement: Requirement, entry: Measure, difference: Estimate, margin: float, how: str
) -> Finding:
    """The finding on whether the interval of new - baseline lies within the margin.

    Its worse end must not lie further than the margin on the worse side of 0.
    """
    if entry.better is None:
        raise requirement.wrong(
            f"{entry.name} is neither better high nor better low, so that no model is worse by it; leave"
            " it out"
        )
    part, operator, limit = (
        ("low", ">=", 0.0 - margin) if entry.better == "higher" else ("high", "<=", margin)
    )
    said = f"{requirement.quantity}, new - baseline"
    written = f"({said}).{part} {operator} {shortest(limit)}"
    return compare(written, said, difference, part, operator, limit, how)
