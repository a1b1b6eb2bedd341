"""Estimates of the quantities in requirements."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import nan
from typing import Any

from ...evaluation import thresholds
from ...evaluation.results import BinaryEvaluation, ClasswiseEvaluation, Evaluation, MulticlassEvaluation
from ...inference import Estimate, estimate
from ...input import text
from ...input.labels import known_as
from ...input.messages import Note, without_codes
from ...input.spelling import option
from ...input.validate import InputError, nearest, shown
from ...measures import registry
from ...measures.registry import Measure
from ...summaries import Counts, RankingTable
from .at_thresholds import read_at_best, read_at_bound, ready, threshold_by, with_parameters
from .requirement import MISSING, UNANSWERED, Condition, Requirement, RequirementError

SHOWN = 6  # labels that a message lists
CLUSTERED = Note("in-clusters")


@dataclass(frozen=True, slots=True)
class Measured:
    """The estimate of a quantity.

    entry: the measure, None for a number of cases; at: the threshold in words; chosen: by which rule;
    at_best: whether by the best value of something on these cases.
    """

    estimate: Estimate
    entry: Measure | None = None
    at: str | None = None
    chosen: str | None = None
    at_best: bool = False

    @property
    def how(self) -> str | None:
        """The threshold and its rule, in words."""
        return ", ".join(part for part in (self.at, self.chosen) if part) or None


def measured(e: Evaluation, requirement: Requirement) -> Measured:
    """The estimate of a requirement's quantity. Raises RequirementError where there is none."""
    quantity = requirement.quantity
    try:
        if quantity.is_size:
            return Measured(Estimate(_size(e, requirement), level=e.settings.level))
        if quantity.name == MISSING:
            return Measured(_missing(e))
        if quantity.name == UNANSWERED:
            return Measured(_unanswered(e, requirement))
        if quantity.label is not None:
            return _of_class(e, requirement)
        if quantity.average:
            return _average(e, requirement)
        return _of_all(e, requirement)
    except RequirementError:
        raise
    except InputError as reason:
        raise requirement.wrong(reason.clause) from None


def _missing(e: Evaluation) -> Estimate:
    """The share of the rows that are left out for a missing value; without an interval where cases depend."""
    dropped, rows = e.data.dropped, e.data.rows
    found = estimate("sensitivity", Counts(tp=dropped, fp=0, fn=rows, tn=0), e.settings)
    return Estimate(found.value, level=found.level, notes=(CLUSTERED,)) if e.clusters else found


def _unanswered(e: Evaluation, requirement: Requirement) -> Estimate:
    if e.unanswered is None:
        raise requirement.wrong(f"no value is named that is no answer; pass {option('not_an_answer')}")
    return e.unanswered


def _size(e: Any, requirement: Requirement) -> float:
    quantity = requirement.quantity
    if quantity.label is not None:
        label = _label(e, requirement)
        return float(e.class_counts[label].positives)
    size = getattr(e.data, quantity.name)
    if size is None:
        raise requirement.wrong(
            'there are not two classes here; ask for rows, or for a class, as positives[class "cat"]'
        )
    return float(size)


def _label(e: Evaluation, requirement: Requirement) -> Any:
    """The label of a class with the type that it has in the data, as a number."""
    if not isinstance(e, ClasswiseEvaluation):
        raise requirement.wrong(
            "there are two classes; leave out [class ...], and say which is positive", "label"
        )
    known, wanted = list(e.class_counts), requirement.quantity.label
    found = known_as(wanted, known)
    if found is None:
        some = ", ".join(list(text.labels(known, 20).values())[:SHOWN])
        more = f" and {len(known) - SHOWN} more" if len(known) > SHOWN else ""
        raise requirement.wrong(
            f"{shown(wanted)} is not a class here{nearest(wanted, known)}; there are {some}{more}", "label"
        )
    return found


def _of_class(e: Any, requirement: Requirement) -> Measured:
    """One class against the others.

    By the predicted labels, or by the score of the class where a threshold or a ranking is asked for.
    """
    quantity, label = requirement.quantity, _label(e, requirement)
    entry = registry.get(quantity.name, Counts)
    if quantity.at is None and entry.summary is Counts:
        return Measured(
            with_parameters(e, entry, dict(quantity.parameters)).classes[label][entry.name], entry
        )
    if not isinstance(e, MulticlassEvaluation) or e.scores is None:
        raise requirement.wrong(f"{quantity} needs a score per class, and there are none here")
    return measured(e.one_vs_rest(label), replace(requirement, quantity=replace(quantity, label=None)))


def _average(e: Evaluation, requirement: Requirement) -> Measured:
    quantity, entry = requirement.quantity, registry.get(requirement.quantity.name, Counts)
    if not isinstance(e, ClasswiseEvaluation):
        raise requirement.wrong(
            f"there are two classes, and no {quantity.average} average of them; leave out the word"
        )
    return Measured(
        with_parameters(e, entry, dict(quantity.parameters)).averages[quantity.average][entry.name], entry
    )


def _of_all(e: Any, requirement: Requirement) -> Measured:
    quantity, entry = requirement.quantity, entry_of(e, requirement)
    condition = quantity.at or chosen_here(e, entry)
    if condition is not None and not (isinstance(e, BinaryEvaluation) and e.ranking is not None):
        raise requirement.wrong(
            "a threshold is put among scores, and there are none here; leave out 'at ..'", "at"
        )
    if condition is not None and condition.rule is not None:
        return _by_rule(e, entry, condition, dict(quantity.parameters))
    if condition is not None:
        e = e.at(condition.threshold)
    of_counts = entry.summary is Counts and e.limit is not None
    at = f"at threshold {text.exact(e.limit)} ({e.threshold.rule})" if of_counts else None
    return Measured(with_parameters(e, entry, dict(quantity.parameters))[entry.name], entry, at)


def entry_of(e: Evaluation, requirement: Requirement) -> Measure:
    """The form of the measure for these cases."""
    name = requirement.quantity.name
    found = next((form.name for form in registry.forms(name) if form.name in e.estimates), None)
    if found is not None:
        return e.entry(found)
    if isinstance(e, ClasswiseEvaluation) and registry.get(name, Counts).summary is Counts:
        raise requirement.wrong(
            f'of several classes ask for one, as {name}[class "cat"], or for an average, as macro {name}'
        )
    if (
        isinstance(e, MulticlassEvaluation)
        and e.scores is not None
        and registry.get(name).summary is RankingTable
    ):
        raise requirement.wrong(
            f'it is a measure of two classes; ask for one class against the rest, as {name}[class "cat"]'
        )
    raise requirement.wrong(_why_not(e, name))


def _why_not(e: Evaluation, name: str) -> str:
    try:
        return str(e[name])
    except InputError as reason:
        return reason.clause


def chosen_here(e: Evaluation, entry: Measure) -> Condition | None:
    """The rule by which the evaluation chose its threshold on these cases.

    The interval must allow for this choice.
    """
    if (
        not isinstance(e, BinaryEvaluation)
        or entry.summary is not Counts
        or e.threshold is None
        or not e.threshold.chosen
    ):
        return None
    # None where only its name is known: the measure then has no interval, with a note
    by = e.threshold.by
    return None if by is None else Condition(rule=by.spec, by=by)


def _by_rule(
    e: BinaryEvaluation, entry: Measure, condition: Condition, parameters: dict[str, Any]
) -> Measured:
    assert condition.rule is not None
    assert e.threshold is not None
    rule = condition.by or thresholds.read(condition.rule.requested, e.parameters, e.settings.level)
    try:
        threshold = threshold_by(e, rule)
    except thresholds.RuleError as reason:
        if not isinstance(reason.why, Note):  # the rule is wrong for any cases
            raise
        return Measured(Estimate(nan, level=e.settings.level, undefined=reason.why), entry)
    known = ready(entry.name, condition.rule) if condition.is_bound else None
    is_bound = condition.is_bound and not rule.of_bound
    there, parameters = entry, {**e.at(threshold).parameters_of(entry), **parameters}
    if known is not None:
        there = registry.get(known[0])
        found = _without_parameters(with_parameters(e, there, known[1])[there.name])
    elif is_bound and (e.clusters is not None or not e.threshold.splits):
        value = with_parameters(e.at(threshold), entry, parameters)[entry.name].value
        why = thresholds.NOT_REPEATED if e.clusters is None else thresholds.GROUPED
        found = Estimate(value, level=e.settings.level, notes=(why,))
    else:
        found = (read_at_bound if is_bound else read_at_best)(e, entry, rule, parameters)
    counted = ", which the interval counts in" if found.has_interval else ""
    return Measured(
        found,
        there,
        f"at threshold {threshold:.6g}",
        f"chosen on these cases by {condition.rule.requested}{counted}",
        not condition.is_bound,
    )


def _without_parameters(found: Estimate) -> Estimate:
    """The estimate without notes on the parameters, which the quantity states already."""
    return replace(found, notes=without_codes(found.notes, "parameters"))
