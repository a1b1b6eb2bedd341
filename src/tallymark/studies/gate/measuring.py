"""Estimates of the quantities in requirements, at any threshold, and the findings on them.

A rule may choose the threshold on the cases measured: the intervals allow for this choice.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from math import isnan, nan
from typing import Any, TypeVar

import numpy as np

from ...evaluation import thresholds
from ...evaluation.results import BinaryEvaluation, ClasswiseEvaluation, Evaluation, MulticlassEvaluation
from ...inference import Estimate, estimate
from ...inference.intervals.kinds import Question, interval_of
from ...inference.results import with_interval
from ...input import text
from ...input.labels import known_as
from ...input.messages import Note, without_codes
from ...input.spelling import option
from ...input.validate import InputError, nearest, shown
from ...measures import registry
from ...measures.registry import IntervalSpec, Measure
from ...summaries import Counts, RankingTable
from .grammar import MISSING, UNANSWERED, Condition, Requirement, RequirementError
from .results import FAILED, PASSED, UNDEFINED, Finding, met, number_of, undefined

E = TypeVar("E", bound=Evaluation)

# Measures of the catalogue at a bound on another one, and the parameter that holds the bound.
READY = {
    ("sensitivity", "specificity", ">="): ("sensitivity_at_specificity", "specificity"),
    ("specificity", "sensitivity", ">="): ("specificity_at_sensitivity", "sensitivity"),
    ("sensitivity", "precision", ">="): ("recall_at_precision", "precision"),
    ("false_negative_rate", "false_positive_rate", "<="): ("fnmr_at_fmr", "fmr"),
    ("false_positive_rate", "false_negative_rate", "<="): ("fmr_at_fnmr", "fnmr"),
}
COMPLEMENTS = (("specificity", "false_positive_rate"), ("sensitivity", "false_negative_rate"))


def ready(name: str, rule: thresholds.RuleSpec) -> tuple[str, dict[str, float]] | None:
    """The measure of the catalogue that combines a measure and a rule, and its parameter.

    As sensitivity at "specificity >= 0.95"; None if there is none.
    """
    if rule.code != "constraint":
        return None
    bounded, operator, limit = rule["measure"], rule["sign"], rule["limit"]
    other = next(({a: b, b: a}[bounded] for a, b in COMPLEMENTS if bounded in (a, b)), None)
    turned = (name, other, "<=" if operator == ">=" else ">=")
    for key, bound in (((name, bounded, operator), limit), (turned, 1 - limit)):
        if key in READY:
            measure, parameter = READY[key]
            return measure, {parameter: bound}
    return None


def read_at_bound(
    e: BinaryEvaluation, entry: Measure, rule: thresholds.Rule, parameters: Mapping[str, float]
) -> Estimate:
    """The measure at the threshold where the model keeps the bound.

    In every resample the threshold is chosen again, as for the measures in `READY`.
    """
    value_of = partial(entry.function, **parameters)

    def read_there(t: RankingTable) -> Any:
        return value_of(_counts_by(rule, t))

    there = Measure(read_there, range=entry.range, best=None, interval=IntervalSpec("at-a-threshold"))
    table = _table(e)
    value = float(read_there(table))
    if np.isnan(value):
        return Estimate(value, level=e.settings.level, undefined=entry.why_undefined(_counts_by(rule, table)))
    found = interval_of(Question(there, read_there, table, value, e.settings))
    return with_interval(value, found, e.settings.level, found.notes)


def read_at_best(
    e: BinaryEvaluation, entry: Measure, rule: thresholds.Rule, parameters: Mapping[str, float]
) -> Estimate:
    """The measure at the threshold that the rule chooses here, on other cases.

    It is the estimate of `evaluate` at a threshold chosen by the rule.
    """
    there = e.at(threshold_by(e, rule)).chosen_by(rule)
    assert e.threshold is not None
    assert there.threshold is not None
    there = replace(there, threshold=replace(there.threshold, splits=e.threshold.splits))
    return with_parameters(there, entry, parameters)[entry.name]


def _table(e: BinaryEvaluation) -> RankingTable:
    """The scores, with weights that add up to the effective number of cases."""
    assert e.ranking is not None
    return e.as_cases(e.ranking) or e.ranking


def _counts_by(rule: thresholds.Rule, table: RankingTable) -> Counts:
    """The counts at the threshold that the rule chooses, in every resample; NaN where it finds none."""
    counts, (good, index) = table.sweep(), thresholds.pick(rule, table)
    taken = index[..., None]
    at = np.where(good.any(-1), 1.0, np.nan)
    cells = (np.broadcast_to(cell, good.shape) for cell in (counts.tp, counts.fp, counts.fn, counts.tn))
    return Counts.of(*(at * np.take_along_axis(cell, taken, -1)[..., 0] for cell in cells))


def threshold_by(e: BinaryEvaluation, rule: thresholds.Rule) -> float:
    """The threshold that the rule chooses, on the scale of the input."""
    sign = 1 if e.higher_is_positive else -1
    assert e.ranking is not None
    found = thresholds.by_rule(e.ranking, rule).value
    assert found is not None
    return sign * found + 0.0


def with_parameters(e: E, entry: Measure, parameters: Mapping[str, float]) -> E:
    """The evaluation with these parameters of the measure."""
    if not parameters:
        return e
    return replace(
        e, parameters={**e.parameters, entry.name: {**e.parameters.get(entry.name, {}), **parameters}}
    )


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
        found = with_parameters(e, there, known[1])[there.name]  # the quantity states its parameters already
        found = replace(found, notes=without_codes(found.notes, "parameters"))
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


NEAR = 0.05  # of the interval's width from the limit: as far as other random numbers may move a number
SEEDS = 4


def decide(e: Evaluation, requirement: Requirement) -> Finding:
    """The finding: an undefined value, or a missing interval where its end is required, never passes."""
    return with_other_seeds(e, lambda again: _decided(again, requirement))


def _decided(e: Evaluation, requirement: Requirement) -> Finding:
    found, part = measured(e, requirement), requirement.part or "value"
    done = compare(
        requirement.text,
        str(requirement.quantity),
        found.estimate,
        part,
        requirement.operator,
        requirement.limit,
        found.how,
    )
    return replace(done, of_size=requirement.quantity.is_size, nominal=done.nominal and not found.at_best)


def with_other_seeds(e: Evaluation, finding: Callable[[Evaluation], Finding]) -> Finding:
    """The finding, with its number for other seeds where it is near the limit and depends on the seed."""
    found, others = finding(e), list[float]()
    width = found.estimate.high - found.estimate.low
    if abs(found.compared - found.limit) < NEAR * width:
        for seed in range(e.settings.seed + 1, e.settings.seed + 1 + SEEDS):
            others.append(finding(replace(e, settings=replace(e.settings, seed=seed))).compared)
            if others == [found.compared]:
                return found
    return replace(found, other_seeds=tuple(others))


def compare(
    requirement: str,
    quantity: str,
    estimate: Estimate,
    part: str,
    operator: str,
    limit: float,
    how: str | None = None,
) -> Finding:
    """The finding on one number of an estimate: of a value between bounds on that which meets it less."""
    reason = undefined(estimate, part)
    compared = number_of(estimate, part)
    if part == "value" and estimate.bounds is not None:
        compared = estimate.bounds[operator.startswith("<")]
    outcome = UNDEFINED if isnan(compared) else PASSED if met(compared, operator, limit) else FAILED
    written = " ".join(requirement.split())
    nominal = not any(note.kind == "approximate" for note in estimate.notes)
    return Finding(
        written, quantity, estimate, part, compared, operator, limit, outcome, reason, how, nominal=nominal
    )
