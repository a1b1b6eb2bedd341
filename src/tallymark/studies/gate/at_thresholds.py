"""Measures at a threshold that a rule chooses on the cases measured.

Their intervals allow for this choice.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

import numpy as np

from ...evaluation import thresholds
from ...evaluation.results import BinaryEvaluation, Evaluation
from ...inference import Estimate
from ...inference.intervals.kinds import Question, interval_of
from ...inference.results import with_interval
from ...measures.registry import IntervalSpec, Measure
from ...summaries import Counts, RankingTable

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
    table: RankingTable = e.as_cases(e.ranking) or e.ranking
    return table


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
