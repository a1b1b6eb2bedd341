"""Comparison with a baseline: whether the new model is no worse than by a margin."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from numbers import Real
from typing import Any

from ...evaluation.applicable import form_of, refuse
from ...evaluation.arguments import EvaluationOptions, describe
from ...evaluation.evaluate import SUMMARIES
from ...evaluation.paired.comparison import automatic_differences
from ...evaluation.paired.models import Model, models_of
from ...evaluation.results import Evaluation
from ...inference import Estimate, Settings
from ...inference.intervals.differences import independent, span
from ...input import CaseSpec, read, text
from ...input.errors import InputError
from ...input.messages import Note, joined
from ...input.score_columns import several_columns, thresholds_of
from ...input.spec import only_two_classes
from ...input.spelling import option
from ...measures.registry import Measure
from ...summaries.samples import sample_of
from ..compare.common_mix import CommonMix
from ..compare.overlap import cases_of, of_equal_sizes
from .at_thresholds import ready
from .deciding import compare
from .measuring import chosen_here, entry_of, measured
from .pairing import paired
from .requirement import Requirement, plain
from .results import Finding

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
    return compare(f"({said}).{part} {operator} {plain(limit)}", said, difference, part, operator, limit, how)
