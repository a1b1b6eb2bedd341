"""The verdict of a gate: a finding per requirement, and the formats in which it can be written.

A rule may choose the threshold on the cases measured: the intervals allow for this choice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import inf, isfinite, isnan, nan
from numbers import Real
from pathlib import Path
from statistics import stdev
from typing import Any, ClassVar, TypeVar, Unpack, get_args

import numpy as np

from ...evaluation import thresholds
from ...evaluation.case_sums import SETTINGS, CaseSums, opened
from ...evaluation.evaluate import (
    SUMMARIES,
    EvaluateArguments,
    describe,
    evaluate,
    evaluated,
    form_of,
    of_json,
    of_sums,
    refuse,
)
from ...evaluation.notices import Notice, of_model
from ...evaluation.paired import Model, automatic_differences, models_of
from ...evaluation.releases import hashed
from ...evaluation.results import (
    BinaryEvaluation,
    ClasswiseEvaluation,
    Evaluation,
    MulticlassEvaluation,
    refuse_answers,
)
from ...inference import Estimate, Settings, estimate
from ...inference.contrast import independent, span
from ...inference.covariance import as_cases
from ...inference.interval import NO_SEQUENCE, Question, interval_of
from ...inference.linear import SEQUENTIAL
from ...inference.results import with_interval
from ...input import Cases, CaseSpec, KeepingTruth, columns, read, read as read_cases, text, validate
from ...input.arguments import Undecided, Validity
from ...input.calls import public
from ...input.columns import Column
from ...input.errors import IN_FORMATS, assigned, option
from ...input.hashed import Hashing, refuse_repeated
from ...input.labels import differ, known_as, plain, together
from ...input.messages import Note, joined, without_codes
from ...input.results import Answer, Entry, Result, Tabular, Writers, equal_as_tuples, head
from ...input.sample import ROLES, named
from ...input.score_columns import of_one_model, several_columns, thresholds_of
from ...input.sources import Batch
from ...input.validate import InputError, nearest, shown
from ...measures import registry
from ...measures.registry import IntervalSpec, Measure
from ...summaries import Counts, RankingTable
from ...summaries.samples import Roles, sample_of, several_labels
from ..compare import SUMMARIES as COMPARED, CommonMix, cases_of, common_mix_note, of_equal_sizes, one_truth
from .file import with_gate_file
from .grammar import (
    MISSING,
    UNANSWERED,
    Condition,
    Quantity,
    Requirement,
    RequirementError,
    parse,
    parse_quantity,
)
from .power import POWER, Explanation, explained, further, met
from .uses import FIRST_USE, Uses, counted


def at_level_of_use(e: Evaluation, uses: Uses) -> Evaluation:
    """The evaluation with its intervals at the level of this use; unchanged for a single one."""
    if uses.shares == 1:
        return e
    return replace(e, settings=replace(e.settings, level=uses.level(e.settings.level)))


PASSED, FAILED, UNDECIDED = "passed", "failed", "undecided"
TREATED = {"pass": PASSED, "fail": FAILED}  # what undecided counts as, where that is passed
INTERVAL = "interval"  # the part of a requirement that names none: both ends have to lie on one side
GIVEN = 4  # digits after the point of the values next to the one compared
MOST_DIGITS = 17
SHORT = 60  # characters of a requirement in the short form
NOT = {">=": "<", ">": "<=", "<=": ">", "<": ">="}


@dataclass(frozen=True, slots=True, repr=False)
class Finding(Result):
    """The result for one requirement.

    Attributes
    ----------
    requirement : str
        As it was written.
    measured : str
        The quantity, as "roc_auc", or "roc_auc, new - baseline".
    estimate : Estimate
        The estimate of the quantity.
    part : str
        What is compared: the "interval", of which both ends have to meet the limit, or one number of the
        estimate: "value", "low", "high" or "width".
    compared : float
        This number, of an interval the value; NaN where there is none.
    operator, limit : str and float
        Those of the requirement. Against a baseline the limit is one of the difference, new - baseline.
    outcome : str
        "passed" or "failed"; "undecided" where the limit lies within the interval, and where there is nothing
        to compare.
    reason : Note or None
        Why there is nothing to compare.
    more : int or None
        About how many more cases such as these would decide, with a probability of 0.8 if the present value
        is the true one, where the limit lies within the interval; None where no number would, and elsewhere.
    how : str or None
        The threshold, and the values compared.
    of_size : bool
        Whether a number of cases is compared.
    nominal : bool
        Whether the interval keeps its level: neither at a threshold that is the best on these cases, nor
        approximate.
    range : tuple of two floats
        The lowest and the highest value of the quantity.
    other_seeds : tuple of float
        The number compared with other seeds, where these could change the outcome.
    """

    PLAIN = "requirement outcome measured part compared operator limit estimate reason more how other_seeds"

    requirement: str
    measured: str
    estimate: Estimate
    part: str
    compared: float
    operator: str
    limit: float
    outcome: str
    reason: Note | None = None
    how: str | None = None
    of_size: bool = False
    nominal: bool = True
    other_seeds: tuple[float, ...] = ()
    more: int | None = None
    range: tuple[float, float] = (-inf, inf)

    __eq__ = equal_as_tuples

    @property
    def passed(self) -> bool:
        return self.outcome == PASSED

    @property
    def nearest(self) -> float:
        """Of the numbers that decide that which is nearest to the limit."""
        return min(numbers(self.estimate, self.part, self.operator), key=lambda one: abs(one - self.limit))

    @property
    def number(self) -> str:
        """The number compared, with enough digits to distinguish it from the limit."""
        shortest = (
            text.exact(self.compared)
            if self.of_size and self.compared.is_integer()
            else text.number(self.compared)
        )
        digits = 4
        while (
            float(shortest if isfinite(self.compared) else "nan") == self.limit != self.compared
            and digits < MOST_DIGITS
        ):
            digits += 1
            shortest = f"{self.compared:.{digits}g}"
        return shortest

    @property
    def sentence(self) -> str:
        """The result on one line."""
        e = self.estimate
        way = f" ({100 * e.level:.4g}%, {e.method})" if e.has_interval and not self.reason else ""
        return "; ".join(filter(None, (self.found + way, self.remarks)))

    @property
    def remarks(self) -> str:
        """What is to say of the number; empty where nothing is."""
        note = None if self.reason else self.estimate.note
        parts = (self._chance(), self._more(), self.how, note, self._simulated())
        return "; ".join(part for part in parts if part)

    @property
    def comparison(self) -> str:
        """As "low 0.7936 < 0.8" or "interval includes 0.8", or why there is nothing to compare."""
        if self.reason:
            value = "" if isnan(self.compared) else f"; value {self.number}"
            return f"{self.reason.text}{value}"
        if self.outcome == UNDECIDED:
            return f"interval {self._limit}"
        part = "" if self.part in ("value", INTERVAL) else f"{self.part} "
        return f"{part}{self.number} {self._limit}"

    @property
    def _limit(self) -> str:
        relation = {PASSED: self.operator, FAILED: NOT[self.operator], UNDECIDED: "includes"}
        return f"{relation[self.outcome]} {text.exact(self.limit)}"

    def _simulated(self) -> str | None:
        """The simulation error, where other random numbers could change the outcome."""
        if not self.other_seeds:
            return None
        drawn = (self.nearest, *self.other_seeds)
        differ = len({met(number, self.operator, self.limit) for number in drawn}) > 1
        return (
            f"simulation error {stdev(drawn):.2g}: {len(self.other_seeds)} other seeds give"
            f" {text.number(min(self.other_seeds))} to {text.number(max(self.other_seeds))}"
            + ", on both sides of the limit"
            * differ
        )

    @property
    def found(self) -> str:
        """The number, its interval and the limit."""
        e = self.estimate
        if self.reason:
            return self.comparison
        places = text.digits_of(e.low, e.high, usual=GIVEN)
        ends = f" {text.interval(e.low, e.high, places)}" if e.has_interval else ""
        if self.part in ("value", INTERVAL):
            return f"{self.number}{ends} {self._limit}"
        return f"{self.comparison}; {text.rounded(e.centre, places)}{ends}"

    def _chance(self) -> str | None:
        """A warning where the value meets the limit and the interval does not."""
        e = self.estimate
        lucky = self.passed and self.part == "value" and e.has_interval
        lucky = lucky and not all(met(end, self.operator, self.limit) for end in (e.low, e.high))
        return "met by the value alone, not by the whole interval" if lucky else None

    def _more(self) -> str | None:
        """How many more cases would decide."""
        if self.outcome != UNDECIDED or self.reason:
            return None
        if self.more is None:
            return "no number of cases decides it at this value"
        side = "" if met(self.compared, self.operator, self.limit) else "not "
        return (
            f"about {float(f'{self.more:.2g}'):,.0f} more cases such as these would show, with probability"
            f" {POWER:g}, that it is {side}met"
        )


@dataclass(frozen=True, eq=False)
class Verdict(Answer, Tabular):
    """Whether a model passes: where every requirement is met. In a condition it is what `passed` is.

    Attributes
    ----------
    findings : tuple of Finding
        One per requirement, in the order in which these were given, those against a baseline last.
    evaluation : Evaluation
        The evaluation of the new model.
    baseline : str or None
        The baseline and how it was compared, in words; None without one.
    of_uses : Uses
        For which of how many decisions these cases are used, and whether at every number of cases.
    gate_notices : tuple of Notice
        The severe notices on the baseline, on the comparison with it, and on groups that are left out.
    undecided : str or None
        What undecided counts as: "pass", "fail", or None for neither.
    """

    ANSWER = "check"
    FORM = "studies.verdict"

    findings: tuple[Finding, ...]
    evaluation: Evaluation
    baseline: str | None = None
    of_uses: Uses = FIRST_USE
    gate_notices: tuple[Notice, ...] = ()
    undecided: Undecided | None = None

    @property
    def uses(self) -> int | None:
        """Number of decisions in total for which these cases are used."""
        return self.of_uses.planned

    @property
    def use(self) -> int | None:
        """Which of them this is, by the file that counts them."""
        return self.of_uses.number

    @property
    def design(self) -> str | None:
        """The design: "cohort", or "case-control" where the class sizes are fixed; None for amounts."""
        return self.evaluation.design

    @property
    def outcome(self) -> str:
        """The least of the outcomes: a requirement that failed outranks one that is undecided."""
        outcomes = {finding.outcome for finding in self.findings}
        return next(one for one in (FAILED, UNDECIDED, PASSED) if one in outcomes)

    def decided(self, outcome: str) -> str:
        """What an outcome counts as: undecided as what was passed for it."""
        return TREATED.get(self.undecided or "", outcome) if outcome == UNDECIDED else outcome

    @property
    def passed(self) -> bool:
        """Whether every requirement is met; an undecided one is where undecided is "pass"."""
        return self.decided(self.outcome) == PASSED

    def __bool__(self) -> bool:
        return self.passed

    @property
    def summary(self) -> str:
        """The verdict in a sentence."""
        outcomes = [finding.outcome for finding in self.findings]
        met, open_ = outcomes.count(PASSED), outcomes.count(UNDECIDED)
        outcome = self.outcome if self.outcome == PASSED else self.outcome.upper()
        if len(outcomes) == 1:
            said = {
                PASSED: "the requirement is met",
                FAILED: "the requirement is not met",
                UNDECIDED: "these cases do not show whether the requirement is met",
            }[self.outcome]
        else:
            said = f"{met} of {len(outcomes)} requirements met" + f", {open_} undecided" * (open_ > 0)
        counted = f" (counts as {self.undecided})" if self.outcome == UNDECIDED and self.undecided else ""
        return f"{outcome}{counted}: {said}"

    @property
    def budget(self) -> str | None:
        """What the intervals mean where the cases are used again.

        None where no requirement is on an end of an interval that keeps its level.
        """
        ends = [finding for finding in self.findings if finding.part in ("low", "high", INTERVAL)]
        others = sum(not finding.nominal for finding in ends)
        if len(ends) == others:
            return None
        said = self.of_uses.sentence(self.evaluation.settings.level)
        return (
            f"{said}; this does not hold for {others} of the {len(ends)} requirements on an interval, which"
            " is approximate, or at the best threshold on these cases"
            if others
            else said
        )

    @property
    def condition(self) -> str:
        """What the intervals depend on: the design, and the kind of the weights."""
        return self.evaluation.conditions

    WRITERS: ClassVar[Writers] = {**Tabular.WRITERS, ".xml": "junit"}

    @property
    def notices(self) -> tuple[Notice, ...]:
        """The notices of the evaluation and of the gate, severe ones first."""
        return tuple(
            sorted((*self.gate_notices, *self.evaluation.notices), key=lambda notice: not notice.severe)
        )

    @property
    def table(self) -> list[dict[str, Any]]:
        """One row per requirement, as plain values; `value`, `low` and `high` are those of the estimate."""
        return self.rows_in({"findings": [one.to_dict() for one in self.findings]})

    @classmethod
    def entries_in(cls, plain: Mapping[str, Any]) -> Iterator[Entry]:
        """By requirement."""
        for one in plain["findings"]:
            yield one["requirement"], one["estimate"], [{**one, **one["estimate"]}]

    def to_dict(self) -> dict[str, Any]:
        """Plain values, in the layout of docs/check.md (version 1)."""
        level = self.evaluation.settings.level
        return {
            **head(self.ANSWER),
            "outcome": self.outcome,
            "passed": self.passed,
            "undecided": self.undecided,
            "notices": [notice.to_dict() for notice in self.notices],
            "data": self.evaluation.data.to_dict(),
            "level": level,
            "uses": self.uses,
            "use": self.use,
            "valid": self.of_uses.valid,
            "overall_level": None if self.of_uses.is_first else self.of_uses.overall(level),
            "budget": self.budget,
            "seed": self.evaluation.settings.seed,
            **named(self.design),
            "baseline": self.baseline,
            "findings": [finding.to_dict() for finding in self.findings],
        }

    @public()
    def explain(self, *, expected: Mapping[str, float] | None = None) -> Explanation:
        """What each requirement means, and how often a model of some quality meets it on as many cases.

        Parameters
        ----------
        expected : mapping from quantities to numbers, optional
            The true values that are assumed, as {"roc_auc": 0.85}, of all groups; by default those of these
            cases. That of a difference is {"roc_auc, new - baseline": 0.0}.

        Returns
        -------
        Explanation
            By requirement the probabilities to pass, to fail and to be undecided.
        """
        return explained(self, expected)

    def to_junit(self) -> str:
        """JUnit XML, which CI systems show as tests: a test case per requirement."""
        from ...report.ci import as_junit

        return as_junit(self)

    def to_annotations(self) -> str:
        """Workflow commands of GitHub Actions: a line for each requirement that is not met."""
        from ...report.ci import as_annotations

        return as_annotations(self)

    def unmet(self, brief: bool = False) -> list[str]:
        """A line for each requirement that is not met or undecided. brief: the numbers alone."""
        return [
            f"{text.label(one.requirement, SHORT)}: {one.found}"
            if brief
            else f"{one.requirement}: {one.sentence}"
            for one in sorted(self.findings, key=lambda one: one.outcome != FAILED)
            if not one.passed
        ]

    def __repr__(self) -> str:
        """The verdict, and the requirements that are not met, as `assert` shows it."""
        return f"<Verdict {' | '.join([self.summary, *self.unmet(brief=True)])}>"


def numbers(estimate: Estimate, part: str, operator: str) -> tuple[float, ...]:
    """What has to meet a limit: both ends of the interval, or a number; NaN where there is none.

    Of a value between bounds it is that which meets the limit less.
    """
    if part == INTERVAL:
        return estimate.low, estimate.high
    if part == "width":
        return (estimate.high - estimate.low,)
    if part == "value":
        return (estimate.bounds[operator.startswith("<")] if estimate.bounds else estimate.centre,)
    return (getattr(estimate, part),)


# Estimates of the quantities in requirements, at any threshold, and the findings on them
# --------------------------------------------------------------------------------------------------


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
    table = as_cases(e._ranking("rule"))
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
    return with_parameters(there, entry, parameters)[entry.name]


def _counts_by(rule: thresholds.Rule, table: RankingTable) -> Counts:
    """The counts at the threshold that the rule chooses, in every resample; NaN where it finds none."""
    counts, (good, index) = table.sweep(), thresholds.pick(rule, table)
    taken = index[..., None]
    at = np.where(good.any(-1), 1.0, np.nan)
    cells = (np.broadcast_to(cell, good.shape) for cell in (counts.tp, counts.fp, counts.fn, counts.tn))
    return Counts.of(*(at * np.take_along_axis(cell, taken, -1)[..., 0] for cell in cells))


def threshold_by(e: BinaryEvaluation, rule: thresholds.Rule) -> float:
    """The threshold that the rule chooses, on the scale of the input."""
    chosen = thresholds.by_rule(e._ranking("rule"), rule).value
    assert chosen is not None
    return chosen if e.higher_is_positive else 0.0 - chosen


def with_parameters(e: E, entry: Measure, parameters: Mapping[str, float]) -> E:
    """The evaluation with these parameters of the measure."""
    if not parameters:
        return e
    own = {**e.parameters_of(entry), **parameters}
    return replace(e, parameters={**e.parameters, entry.base.name: own})


OF_TWO_CLASSES = "there are two classes; leave out [class ...], and say which is positive"
MOST_LABELS = 6  # labels that a message lists
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
        if quantity.is_of_rows:
            return Measured(_of_rows(e, requirement))
        if quantity.label is not None:
            return _of_class(e, requirement)
        return _of_all(e, requirement)
    except RequirementError:
        raise
    except InputError as reason:
        raise requirement.wrong(reason.clause) from None


def _of_rows(e: Any, requirement: Requirement) -> Estimate:
    """A number of cases, or the share of the rows without a value, or of the cases without an answer.

    Where cases depend on each other, the share of the rows has no interval.
    """
    quantity = requirement.quantity
    if quantity.name == UNANSWERED:
        if e.unanswered is None:
            raise requirement.wrong(f"no value is named that is no answer; pass {option('not_an_answer')}")
        return e.unanswered
    if quantity.name == MISSING:
        found = estimate("sensitivity", Counts(tp=e.data.dropped, fp=0, fn=e.data.rows, tn=0), e.settings)
        return Estimate(found.value, level=found.level, notes=(CLUSTERED,)) if e.clusters else found
    if quantity.label is not None:
        label = _label(e, requirement)
        size = e.class_counts[label].positives
    else:
        size = getattr(e.data, quantity.name)
    if size is None:
        raise requirement.wrong(
            'there are not two classes here; ask for rows, or for a class, as positives[class "cat"]'
        )
    return Estimate(float(size), level=e.settings.level)


def _label(e: Evaluation, requirement: Requirement) -> Any:
    """The label of a class with the type that it has in the data, as a number."""
    if not isinstance(e, ClasswiseEvaluation):
        raise requirement.wrong(OF_TWO_CLASSES, "label")
    known, wanted = list(e.class_counts), requirement.quantity.label
    result = known_as(wanted, known)
    if result is None:
        some = ", ".join(list(text.labels(known, 20).values())[:MOST_LABELS])
        more = f" and {len(known) - MOST_LABELS} more" if len(known) > MOST_LABELS else ""
        raise requirement.wrong(
            f"{shown(wanted)} is not a class here{nearest(wanted, known)}; there are {some}{more}", "label"
        )
    return result


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
    try:
        return e.entry(name)
    except InputError as reason:
        why = reason.clause
    if isinstance(e, ClasswiseEvaluation) and registry.get(name, Counts).summary is Counts:
        why = f'of several classes ask for one, as {name}[class "cat"], or for an average, as macro {name}'
    elif (
        isinstance(e, MulticlassEvaluation)
        and e.scores is not None
        and registry.get(name).summary is RankingTable
    ):
        why = f'it is a measure of two classes; ask for one class against the rest, as {name}[class "cat"]'
    raise requirement.wrong(why)


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
    rule = condition.by or thresholds.read_rule(condition.rule.requested, e.parameters, e.settings.level)
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


def decide(e: Evaluation, requirement: Requirement, valid: Validity = "fixed") -> Finding:
    """The finding; a number of cases, and what is left out of the rows, are facts without an interval.

    valid: "anytime" for intervals that hold at all numbers of cases together.
    """
    part = requirement.part or ("value" if requirement.quantity.is_of_data else INTERVAL)
    if valid == "anytime" and part != "value":
        e = replace(e, settings=replace(e.settings, valid=valid))

    def decided(e: Evaluation) -> Finding:
        found = measured(e, requirement)
        if e.settings.valid == "anytime":
            _refuse_fixed(requirement, found.estimate)
        ends = found.entry.range if found.entry else (0.0, 1.0)
        done = finding_of(requirement, found.estimate, e.data.rows, ends, found.how)
        return replace(done, nominal=done.nominal and not found.at_best)

    return with_other_seeds(e, decided)


def _refuse_fixed(requirement: Requirement, estimate: Estimate) -> None:
    """Raises InputError for an interval that does not hold at all numbers of cases together."""
    if estimate.method in SEQUENTIAL if estimate.has_interval else NO_SEQUENCE not in estimate.notes:
        return
    raise requirement.wrong(
        f"no interval of {requirement.quantity} is valid at every number of cases here: only those of"
        " proportions, and of means of bounded losses, of independent cases of equal weight in a cohort, at a"
        f" threshold that is given; leave out {option('valid')}, or require its .value"
    )


def with_other_seeds(e: Evaluation, finding: Callable[[Evaluation], Finding]) -> Finding:
    """The finding, with its number for other seeds where it is near the limit and depends on the seed."""
    result, others = finding(e), list[float]()
    width = result.estimate.high - result.estimate.low
    if abs(result.nearest - result.limit) < NEAR * width:
        for seed in range(e.settings.seed + 1, e.settings.seed + 1 + SEEDS):
            others.append(finding(replace(e, settings=replace(e.settings, seed=seed))).nearest)
            if others == [result.nearest]:
                return result
    return replace(result, other_seeds=tuple(others))


def finding_of(
    requirement: Requirement,
    estimate: Estimate,
    cases: float,
    ends: tuple[float, float] = (0.0, 1.0),
    how: str | None = None,
) -> Finding:
    """The finding of an estimate, or of a difference from the baseline.

    cases: of how many it is; ends: the range of the quantity.
    """
    quantity, operator, limit = requirement.quantity, requirement.operator, requirement.limit
    part = requirement.part or ("value" if quantity.is_of_data else INTERVAL)
    deciding = numbers(estimate, part, operator)
    value = numbers(estimate, "value", operator) if part == INTERVAL else deciding
    reason, outcome, more = None, UNDECIDED, None
    if any(map(isnan, deciding)):
        reason = (
            Note("no-number", because=estimate.undefined)
            if estimate.undefined
            else Note("no-number-of-interval", because=estimate.notes)
        )
    elif len(met_by := {met(number, operator, limit) for number in deciding}) == 1:
        outcome = PASSED if met_by == {True} else FAILED
    else:
        more = further(value[0], estimate, limit, cases, ends)
    return Finding(
        " ".join((requirement.text or str(requirement)).split()),
        f"{quantity}, new - baseline" if requirement.of_baseline else str(quantity),
        estimate,
        part,
        value[0],
        operator,
        limit,
        outcome,
        reason,
        how,
        of_size=quantity.is_size,
        nominal=not any(note.kind == "approximate" for note in estimate.notes),
        more=more,
        range=ends,
    )


# Comparison with a baseline, whose cases may be matched by a column that names them
# --------------------------------------------------------------------------------------------------


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


def requirements_of(require: Any) -> list[Requirement]:
    """The requirements of the argument; errors name the place of one of several."""
    return [
        one
        if isinstance(one, Requirement)
        else parse(one, "require" if one is require else f"require[{place}]")
        for place, one in enumerate(several(require, "require"))
    ]


def against(
    required: Sequence[Requirement],
    same_data: bool,
    baseline: Any,
    baseline_score: Any,
    pair_by: Any,
    key: Any,
    paired: bool | None,
    no_worse_than: float | None,
    measures: str | Sequence[str] | None,
) -> tuple[float | None, list[Requirement]]:
    """The margin, None where none is passed, and the measures that are compared with it."""
    relative = next((one for one in required if one.of_baseline), None)
    given = {
        "baseline_score": baseline_score,
        "pair_by": pair_by,
        "key": key,
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
        if relative is not None:
            raise relative.wrong(f"there is no baseline; pass {option('baseline')}", "limit")
        return None, []
    if no_worse_than is None and (relative is None or measures is not None):
        raise InputError(
            "needed",
            "no_worse_than",
            f"by how much may the new model be worse? As {option('no_worse_than', 0.01)}, or 0 for not"
            " at all",
        )
    same_cases = pair_by is not None or baseline is None
    if paired is not None and validate.flag(paired, "paired") != same_cases:
        raise InputError(
            "mismatch",
            "paired",
            f"{paired} does not fit how the baseline is given",
            f"name the column of the cases with {option('pair_by')}"
            if paired
            else f"leave out {option('paired', False)}, or pass other cases as {option('baseline')}",
        )
    if pair_by is None and same_data:
        raise InputError(
            "conflict",
            "baseline",
            "it is the data itself",
            f"leave it out, and pass {option('baseline_score')} to compare two scores there",
        )
    if no_worse_than is None:
        return None, []
    margin = validate.number(no_worse_than, "no_worse_than", 0.0, float("inf"))
    return margin, [
        parse_quantity(one) for one in ([] if measures is None else several(measures, "measures"))
    ]


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
APPLIED = ("missing", "predicted_positive", "not_an_answer")  # settings that a release has followed
# of the larger sample: pairs of a share s of the cases are narrower than two samples where r > 1 - s
LEAST_SHARED = 0.5


@dataclass(frozen=True, slots=True)
class Pairs:
    """The cases of both models.

    cases: the facts about those in both; columns: what these have in common, the scores, labels or amounts of
    the new model, and those of the baseline as "baseline_score 1", ...; sizes: how many cases there are in
    both, in the data and in the baseline; name: of the baseline.
    """

    cases: Cases
    columns: Batch
    sizes: tuple[int, int, int]
    name: str | None = None

    @property
    def whole(self) -> bool:
        """Whether both have the same cases."""
        return len({*self.sizes}) == 1

    @property
    def where(self) -> str:
        """On which cases both are compared."""
        return SAME_CASES if self.whole else f"on the {text.count(self.sizes[0])} cases that are in both"

    @property
    def words(self) -> str:
        """The baseline and how it is compared."""
        _, new, old = map(text.count, self.sizes)
        sizes = "" if self.whole else f" ({new} in the data, {old} in the baseline)"
        name = "" if self.name is None else f"{self.name}, "
        return f"baseline: {name}{self.where}{sizes}, compared case by case"

    @property
    def notice(self) -> Notice | None:
        """What is said where cases of the baseline are not in the data."""
        shared, _, old = self.sizes
        return Notice("cases-left-out", lost=old - shared, old=old, shared=shared) if shared < old else None


def paired(new: Any, old: Any, spec: CaseSpec, key: Any = None) -> Pairs:
    """The cases of both models that have the same names, in the order of the data.

    spec: of the cases; without baseline_score both have the same column; key: of a release. Raises InputError
    where a case occurs twice, or has two true labels, and where few cases are in both.
    """
    kept = old.release if isinstance(old, CaseSums) else None
    if kept is None and (not isinstance(spec.pair_by, str) or new is None or old is None):
        raise InputError(
            "needed",
            "pair_by",
            "it names a column that both the data and the baseline have",
            "pass both as files or frames",
        )
    kind, named = spec.kind, spec.baseline_score is not None
    where = "the baseline" if kept is None else old.cases.source.name
    hashing = None if kept is None else Hashing.again(kept.salt, kept.check, key, where)
    cases, mine = _read(new, spec.of_columns({"baseline_score": None}), "the data")
    if hashing is None:
        _, other = _read(old, spec.of_columns({kind: None}) if named else spec, where)
        known = mine
    else:
        other = released(old, spec, mine)
        known = {**mine, **hashed(mine, hashing)}
    rows, places = _matched_rows(mine["pair_by"], known["pair_by"], other["pair_by"], where)
    for role in SAME:
        if role in mine and role in other:
            _agree(mine, role, known[role].values[rows], other[role].values[places], rows, where)
    sizes = len(rows), len(mine["pair_by"]), len(other["pair_by"])
    if sizes[0] < sizes[1]:
        mine = {role: column.those(rows) for role, column in mine.items()}
        each = mine["weight"].values.astype(float) if "weight" in mine else np.zeros(0)
        weight, squares = float(each.sum()), float((each**2).sum())
        cases = replace(cases, rows=len(rows), weight=weight, weight_squares=squares)
    there = roles_in("baseline_score" if named else kind, other)
    answers = {f"baseline_score {i}": _moved(other[role], places) for i, role in enumerate(there, 1)}
    columns_of_both = {role: mine[role] for role in (*SAME, *roles_in(kind, mine)) if role in mine} | answers
    return Pairs(cases, columns_of_both, sizes, None if kept is None else Path(where).name)


def released(old: CaseSums, spec: CaseSpec, mine: Batch) -> Batch:
    """The columns of a release, by role. Raises InputError where the data are described in another way."""
    assert old.release is not None
    theirs, where = old.cases.spec, old.cases.source.name
    found = {column.role: column for column in old.release.columns.values()}
    if spec.baseline_score is not None:
        problem = f"{where} has the scores of one model"
        raise InputError("conflict", "baseline_score", problem, "leave it out")
    if not roles_in(spec.kind, found):
        holds = ", ".join(old.release.columns)
        raise InputError("mismatch", spec.kind, f"{where} has no such column; it holds {holds}")
    for name in (one for one in SETTINGS if one not in APPLIED):
        here, there = (_said(getattr(one, name)) for one in (spec, theirs))
        if here != there:
            problem = f"{shown(here)} here, and {shown(there)} where {where} was made"
            raise InputError("mismatch", name, problem, "describe both in one way")
    lacking = next((role for role in SAME if role in found and role not in mine), None)
    if lacking is not None:
        problem = f"{where} holds that of each case"
        raise InputError("needed", lacking.split("[")[0], problem, "name the column of the data, too")
    return found


def _said(value: Any) -> Any:
    """A setting as it is typed in a shell."""
    if value is None or np.ndim(value):
        return None if value is None else [str(plain(one)) for one in value]
    return str(plain(value))


def roles_in(kind: str, batch: Batch) -> list[str]:
    """The roles of a model: one, or one per class. kind: score, predicted or baseline_score."""
    return [role for role in batch if role.split()[0] == kind]


def _moved(column: Column, places: np.ndarray) -> Column:
    """A column of the baseline with its values in another order.

    Messages still state the original row of a value.
    """
    kept = places if column.kept is None else column.kept[places]
    return replace(
        column,
        values=column.values[places],
        unanswered=None if column.unanswered is None else column.unanswered[places],
        kept=kept,
        file=column.file or "the baseline",
        index=None,
    )


def _read(data: Any, spec: CaseSpec, where: str) -> tuple[Cases, Batch]:
    cases = read_cases(data, spec)
    batches = cases.sum(lambda batch: [_complete(batch, where)])
    return cases, {role: columns.joined([batch[role] for batch in batches]) for role in batches[0]}


def _complete(batch: Batch, where: str) -> Batch:
    for column in batch.values():
        problem = f"the value in {{row}} of {where} is missing"
        way_out = "paired cases need all values, so leave it out of both"
        validate.refuse_rows(column, column.gaps(), problem, way_out, code="missing-value")
    return batch


def _matched_rows(mine: Column, own: Column, other: Column, where: str) -> tuple[np.ndarray, np.ndarray]:
    """The rows of mine, and those of the other, of the cases that are in both, in the order of mine.

    own: the names of mine as the other has them; where: what the other is. Raises InputError for the name of
    two cases, and for few shared ones.
    """
    _of_one_kind(mine, own.values, other.values)
    names, (here, there) = together(own.values, other.values)
    refuse_repeated(mine, here, "the data")
    refuse_repeated(other, there, where)
    place = np.full(len(names), -1)
    place[there] = np.arange(len(there))
    rows = np.flatnonzero(place[here] >= 0)
    if len(rows) < LEAST_SHARED * max(len(here), len(there)):
        shared = f"{text.count(len(rows))} of them are" if len(rows) else "none of them is"
        problem = f"of {text.count(len(here))} cases, {shared} among the {text.count(len(there))} of {where}"
        few = ", less than half of the larger test set" * bool(len(rows))
        apart = f"leave {option('pair_by')} out to take them as different cases"
        raise InputError("mismatch", mine, f"{problem}{few}", f"compare both on one test set, or {apart}")
    return rows, place[here][rows]


TEXT = "OUTM"  # kinds of arrays that hold text, or dates, which are compared as text


def _of_one_kind(column: Column, own: np.ndarray, others: np.ndarray) -> None:
    """Raises InputError for numbers in one source and text in the other."""
    if (own.dtype.kind in TEXT) != (others.dtype.kind in TEXT):
        problem = "it holds numbers in one of data and baseline and text in the other"
        raise InputError("mismatch", column, problem, "make both the same")


def _agree(mine: Batch, role: str, own: np.ndarray, others: np.ndarray, rows: np.ndarray, where: str) -> None:
    """Raises InputError where cases have another value in the baseline, which may hold hashes of values.

    own, others: the values of both as the baseline has them; rows: those of the data.
    """
    _of_one_kind(mine[role], own, others)
    apart = np.flatnonzero(differ(own, others))
    if not len(apart):
        return
    row, more = int(rows[apart[0]]), len(apart) - 1
    case, value = (shown(plain(mine[name].values[row])) for name in ("pair_by", role))
    there = "another one" if own[apart[0]] != mine[role].values[row] else shown(plain(others[apart[0]]))
    several = f", and {text.count(more)} more {'case differs' if more == 1 else 'cases differ'}" * bool(more)
    raise InputError(
        "mismatch",
        mine[role],
        f"case {case} has {value} in the data and {there} in {where}{several}",
        f"the same case has one {role}",
    )


OTHER_CASES, SAME_CASES = "on different cases", "on the same cases"
NEW, BASELINE = "new", "baseline"
REFUSED = ("rule", "counts")  # all other arguments are for the intervals of a single model


def unpaired_finding(new: Evaluation, old: Evaluation, mix: CommonMix, requirement: Requirement) -> Finding:
    """The finding against a baseline on other cases: the two intervals are combined."""
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
    return finding_of(requirement, difference, new.data.rows + old.data.rows, ends, how)


def _of(name: str, notes: Any) -> Note | None:
    return Note("of-a-model", model=name, what=notes) if notes else None


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


def _paired_models(
    data: Any, cases: Mapping[str, Any], baseline: Any, baseline_score: Any, pair_by: Any, key: Any
) -> tuple[list[Model], Pairs | None]:
    """The two models on the same cases, read once, and the pairs where there are two sources.

    cases: as `check` takes them.
    """
    for name in REFUSED:
        if cases.get(name) is not None and cases[name] is not False:
            raise InputError(
                "conflict",
                name,
                "two models on the same cases are not compared with it",
                "leave it out, or pair_by",
            )
    threshold, progress = cases.get("threshold"), cases.get("progress")
    spec, options = describe(
        **{name: one for name, one in cases.items() if name not in ("progress", *REFUSED)}
    )
    if baseline is not None and spec.missing == "drop":
        raise InputError(
            "missing-value",
            "missing",
            "paired cases need all values",
            "leave those with a gap out of both, then pair them",
        )
    kind = "predicted" if spec.predicted is not None else "score"
    summaries = (Evaluation, *SUMMARIES)
    held = opened(data) is not None or any(isinstance(one, summaries) for one in (data, baseline))
    summed = isinstance(baseline, CaseSums) and baseline.release is None
    if held or summed or spec.given.get(kind) is None:
        raise InputError(
            "unsupported",
            "pair_by",
            "a summary does not record which case is which",
            "pass the cases of both, or none",
        )
    form = form_of(spec, data is None)
    refuse(form, spec, options, threshold)
    if form == "several labels per case" and baseline is None:
        _, sample = several_labels(spec.of_columns({kind: {NEW: spec.predicted, BASELINE: baseline_score}}))
        return models_of(sample, options, {}), None
    numbers = ("baseline_score",) if kind == "score" or spec.regression else ()
    spec = replace(spec, baseline_score=baseline_score, numbers=numbers)
    pairs = None if baseline is None else paired(data, baseline, replace(spec, pair_by=pair_by), key)
    if pairs is None:
        read_as = read(data, spec, progress)
        found = read_as.columns()
    else:
        read_as, found = pairs.cases, pairs.columns
    roles: Roles = {NEW: roles_in(kind, found), BASELINE: roles_in("baseline_score", found)}
    sample = sample_of(found, spec, roles, read_as.data)
    return models_of(sample, options, thresholds_of(threshold, [NEW, BASELINE])), pairs


def paired_finding(models: Sequence[Model], where: str, new: Evaluation, requirement: Requirement) -> Finding:
    """The finding against a baseline on the same cases, from the paired interval.

    where: which cases these are, in words; new: the evaluation of the new model at the level of the gate.
    """
    entry, threshold, parameters = _named(new, requirement)
    settings = Settings(level=new.settings.level, seed=new.settings.seed, design=new.settings.design)
    models = [_as_asked(model, settings, threshold, parameters) for model in models]
    (difference,) = automatic_differences(models, [entry.name], BASELINE, settings)
    values = [text.number(estimate.value) for estimate in difference.models]
    how = f"new {values[0]}, baseline {values[1]}, {where}"
    rows = models[0].evaluation.data.rows
    return finding_of(requirement, difference.estimate, rows, span(entry.range), how)


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
    if quantity.label is not None:
        raise requirement.wrong(
            "models on the same cases are not compared class by class; leave that out, or name other measures"
        )
    entry, at = entry_of(new, requirement), quantity.at
    if at is None and chosen_here(new, entry):
        raise requirement.wrong(
            "the threshold would be chosen anew for each model; put it, as 'at threshold 0.5'"
        )
    if at is None or at.threshold is not None:
        parameters = {entry.base.name: dict(quantity.parameters)} if quantity.parameters else {}
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


def no_worse(requirement: Requirement, margin: float) -> Requirement:
    """The requirement that the quantity is not worse than that of the baseline by more than the margin."""
    better = {form.better for form in registry.forms(requirement.quantity.name)} - {None}
    if not better:
        raise requirement.wrong(
            f"{requirement.quantity.name} is neither better high nor better low, so that no model is worse by"
            " it; leave it out"
        )
    operator, limit = (">=", 0.0 - margin) if "higher" in better else ("<=", margin)
    return replace(requirement, part="", operator=operator, limit=limit, of_baseline=True, by=(), text="")


# `check`: the release gate
# --------------------------------------------------------------------------------------------------


def of_requirements(
    data: Any,
    cases: Mapping[str, Any],
    by: Mapping[str, Any] | None,
    required: Sequence[Requirement],
    uses: Uses,
) -> Verdict:
    """The verdict without a baseline; the cases are read once, also where requirements are of groups."""
    columns = list(dict.fromkeys(name for one in required for name in one.by))
    if not columns:
        e = at_level_of_use(evaluated(data, cases), uses)
        return Verdict(all_findings(e, required, uses), e, of_uses=uses)
    if isinstance(data, Evaluation):
        first = next(one.text for one in required if one.by)
        raise InputError(
            "unsupported",
            "require",
            f"an evaluation does not hold the group of each case, which {first!r} needs",
            "pass the cases",
        )
    given, lacking = by or {}, [name for name in columns if name not in (by or {})]
    if data is None and lacking:
        raise InputError(
            "needed",
            "by",
            f"without data, pass the column {lacking[0]!r} that a requirement names",
            "as by={'site': site}",
        )
    groups: Any = columns if data is not None else {name: given[name] for name in columns}
    try:
        table = evaluate(data, **cases, by=groups)
    except InputError as reason:
        lacking_it = [one for one in required if reason.value in one.by]
        if reason.code != "unknown-name" or not lacking_it:
            raise
        raise lacking_it[0].wrong(reason.problem, "by") from None
    whole = at_level_of_use(table.whole, uses)
    findings, notices = list[Finding](), list[Notice]()
    for one in required:
        groups = table if one.by == table.by or not one.by else table.regrouped(one.by)
        small = {name: size for name in groups if (size := too_small(groups[name], one)) is not None}
        if small:
            at_least = dict(zip(("of", "limit"), one.least or (), strict=True))
            notices.append(
                Notice("groups-left-out", by=one.by, **at_least, groups=(*small,), sizes=(*small.values(),))
            )
        large = {name: at_level_of_use(groups[name], uses) for name in groups if name not in small}
        findings += _findings(one, large, whole, uses)
    return Verdict(tuple(findings), whole, of_uses=uses, gate_notices=tuple(notices))


def all_findings(e: Evaluation, required: Iterable[Requirement], uses: Uses) -> tuple[Finding, ...]:
    """Of requirements on all cases, one for each class where they are of every class."""
    return tuple(decide(e, each, uses.valid) for one in required for each in by_class(e, one))


def too_small(group: Evaluation, requirement: Requirement) -> float | None:
    """The number of cases of a group that has too few; None of others."""
    if not requirement.by or requirement.least is None:
        return None
    name, least = requirement.least
    size = _of_rows(group, replace(requirement, quantity=Quantity(name))).value
    return size if size < least else None


def _findings(
    requirement: Requirement, groups: Mapping[str, Evaluation], whole: Evaluation, uses: Uses
) -> Iterator[Finding]:
    """The findings of all cases, or of each group."""
    if not requirement.by:
        yield from all_findings(whole, [requirement], uses)
    elif not groups:
        yield finding_of(requirement, Estimate(nan, level=whole.settings.level, undefined=NO_GROUP), 0)
    else:
        for name, group in groups.items():
            for one in by_class(group, requirement):
                found = decide(group, one, uses.valid)
                yield replace(
                    found, requirement=f"{found.requirement}: {name}", measured=f"{found.measured}, {name}"
                )


def by_class(e: Evaluation, requirement: Requirement) -> list[Requirement]:
    """The requirement, or where it is of every class one for each."""
    quantity = requirement.quantity
    if not quantity.every_class:
        return [requirement]
    if not isinstance(e, ClasswiseEvaluation):
        raise requirement.wrong(OF_TWO_CLASSES, "label")
    return [
        replace(
            requirement,
            quantity=replace(quantity, label=str(label), every_class=False),
            text=f"{requirement.text}: {label}",
        )
        for label in e.class_counts
    ]


NO_GROUP = Note("no-group-of-size")
OF_TWO = "two are compared with {option[baseline_score]}, or {option[baseline]}"
NOTHING = "as {required}, or a {option[baseline]} with {margin}"
REQUIRED = '["roc_auc >= 0.80"]'


@with_gate_file
@counted
@public(also=evaluate, but=("reference", "fold", "class_weight", "bins", "tolerance"))
def check(
    data: Any = None,
    /,
    *,
    require: str | Requirement | Sequence[str | Requirement] = (),
    gate: str | None = None,
    baseline: Any = None,
    baseline_score: Any = None,
    pair_by: Any = None,
    key: str | Path | bytes | None = None,
    paired: bool | None = None,
    no_worse_than: float | None = None,
    measures: str | Sequence[str] | None = None,
    uses: int | None = None,
    undecided: Undecided | None = None,
    state: str | None = None,
    valid: Validity = "fixed",
    by: Mapping[str, Any] | None = None,
    **cases: Unpack[EvaluateArguments],
) -> Verdict:
    """Check whether a model meets requirements, as "roc_auc >= 0.80".

    Parameters
    ----------
    data : data frame, file, mapping of columns, summary or evaluation, optional
        As for `evaluate`, or an `Evaluation`; or the gate file.
    require : str, Requirement, or list of these
        As "roc_auc >= 0.80" or "sensitivity >= 0.9 at specificity 0.95"; docs/check.md has the grammar. It is
        met where the whole interval, two-sided at `level`, meets the limit, not met where no part of it does,
        and else undecided. `.value`, `.low` and `.high` compare the value or an end alone. "f1 >= baseline -
        0.01" is on the difference from the baseline. With "by site" each group of cases with the same value
        of that column has to meet it.
    gate : str, optional
        A gate file: TOML whose keys are the arguments of this function, and data (docs/check.md). Arguments
        of the call come before those of the file.
    baseline : data frame, file, mapping of columns, summary, evaluation or release, optional
        The cases of the model in use, with columns of the same names as data, or an `Evaluation`; or what
        `release` keeps of them, or its file.
    baseline_score : name of a column or array, optional
        The score of the baseline, where its column has another name. Without baseline both scores are of the
        same cases, in data.
    pair_by : name of a column, optional
        The column that identifies the cases, where both models were applied to the same; with a release also
        an array. Compared are the cases in both, which are half of the larger test set at least. Without it
        the cases are taken as different and independent.
    key : path or bytes, optional
        The key of a release, or its file; by default the value of the environment variable TALLYMARK_KEY.
    paired : bool, optional
        False is required where a baseline on other cases seems to be on the same: see the notes.
    no_worse_than : float, optional
        Margin, 0 or more, in units of the measure, for each of `measures`: as the requirement "roc_auc >=
        baseline - 0.01".
    measures : str or list of str, optional
        The measures that are compared, as "roc_auc"; by default those named in require of which a higher or
        lower value is better, else roc_auc.
    uses : int, optional
        Number of decisions in total for which these cases are used, this one included, as 5 for five
        releases.
    undecided : {"pass", "fail"}, optional
        What an undecided verdict counts as in `passed`, in the exit status and in JUnit XML. By default it is
        not passed, and tools that know three states show it as neither.
    state : str, optional
        A file that counts the uses of these cases, which is begun where there is none. With uses it ends
        with the last of them; without, use k is at 1 - (1 - level) / (k (k + 1)). The level is that of the
        first use. A call with the same files and arguments is the same use. Not with valid="anytime".
    valid : {"fixed", "anytime"}, default "fixed"
        "anytime": the requirements may be checked again whenever cases have arrived. They are then on
        proportions, or on means of bounded losses (docs/intervals.md).
    by : mapping from names to arrays, optional
        Without data, the columns of the groups that requirements name, as "sensitivity >= 0.9 by site".
    truth, score, predicted, weight, weight_kind, counts, positive, classes, ordered, regression
        As for `evaluate`.
    clusters, persons, predicted_positive, not_an_answer, higher_is_positive, score_kind, missing
        As for `evaluate`.
    where, memory, threshold, rule, replicates
        As for `evaluate`.
    level, proportion, auc_interval, design, rng, parameters, name, progress
        As for `evaluate`.

    Returns
    -------
    Verdict
        With passed, which is also its truth value, and a finding per requirement.

    Raises
    ------
    RequirementError
        An InputError that shows the position, for a requirement that cannot be parsed or does not fit the
        data.
    InputError
        As for `evaluate`. A requirement that is not met is not an error.

    Notes
    -----
    A model whose true roc_auc is 0.80 meets "roc_auc >= 0.80" with a probability of about (1 - level) / 2,
    and fails it as often; else it is undecided. A value that is undefined, or has no interval, is undecided,
    too. A failed requirement outranks an undecided one. There is no correction for the number of
    requirements.

    With uses every interval is at 1 - (1 - level) / uses (Bonferroni), so that the probability that any of so
    many models at a limit passes is at most about (1 - level) / 2. This holds where the developers of the
    next model see only whether the previous one passed (docs/check.md).

    A baseline that is an `Evaluation`, or another summary, with as many cases of each class as the new
    model's may be of the same cases, and needs paired=False if it is not; so does a data set with the same
    labels in the same order.

    Examples
    --------
    >>> import tallymark as tm
    >>> verdict = tm.check(
    ...     counts=tm.Counts(tp=45, fp=5, fn=5, tn=45),
    ...     require=["sensitivity >= 0.7", "specificity >= 0.8"],
    ... )
    >>> verdict.passed, [finding.outcome for finding in verdict.findings]
    (False, ['passed', 'undecided'])
    >>> verdict.findings[1].more
    102
    """
    cases = of_one_model("check", cases, OF_TWO.format(**IN_FORMATS))
    baseline_score = of_one_model("check", {"baseline_score": baseline_score}, OF_TWO.format(**IN_FORMATS))[
        "baseline_score"
    ]
    refuse_answers(data)
    refuse_answers(baseline, "baseline")
    required = requirements_of(require)
    budget = Uses.of(uses, valid)
    if undecided is not None:
        validate.choice(undecided, get_args(Undecided), "undecided")
    margin, compared = against(
        required,
        same_source(data, baseline),
        baseline,
        baseline_score,
        pair_by,
        key,
        paired,
        no_worse_than,
        measures,
    )
    summed = opened(baseline)
    baseline = of_json(baseline, "baseline") if summed is None else summed
    if key is not None and (summed is None or summed.release is None):
        problem = "it is for a baseline of hashed cases, as `tallymark release save` writes it"
        raise InputError("conflict", "key", problem, "leave it out")
    if margin is None and not required:
        ways = {"required": assigned("require", REQUIRED), "margin": option("no_worse_than", 0.01)}
        way_out = NOTHING.format(**ways, **IN_FORMATS)
        raise InputError("needed", "require", "nothing is required", way_out)
    if valid == "anytime" and not (baseline is None and baseline_score is None):
        raise InputError(
            "conflict",
            "valid",
            "no interval of a difference from a baseline is valid at every number of cases",
            "leave one of the two out",
        )
    in_groups = any(one.by for one in required)
    if by is not None and (data is not None or not in_groups):
        raise InputError(
            "conflict",
            "by",
            'the groups are named in requirements, as "sensitivity >= 0.9 by site"',
            f"leave {option('by')} out; it is for arrays without data",
        )
    own = [one for one in required if not one.of_baseline]
    if baseline is None and baseline_score is None:
        return replace(of_requirements(data, cases, by, own, budget), undecided=undecided)
    how = _on_same_cases if pair_by is not None or baseline is None else _on_other_cases
    e, old, finding, assumes, mix, severe = how(
        data, cases, baseline, baseline_score, pair_by, key, paired, budget
    )
    wanted = [each for one in required if one.of_baseline for each in by_class(e, one)]
    if margin is not None:
        named = compared or by_default(required, e)
        wanted += [no_worse(each, margin) for one in named for each in by_class(e, one)]
    differences = tuple(with_other_seeds(e, partial(finding, requirement=one)) for one in wanted)
    verdict = (
        of_requirements(data, cases, by, own, budget)
        if in_groups
        else Verdict(all_findings(e, own, budget), e, of_uses=budget)
    )
    both = zip(wanted, differences, strict=True)
    depend = [str(one.quantity) for one, found in both if common_mix_note(found.estimate)]
    return replace(
        verdict,
        findings=verdict.findings + differences,
        evaluation=e,
        baseline=assumes,
        gate_notices=(
            *verdict.gate_notices,
            *severe,
            *((mix.notice(depend),) if mix and depend else ()),
            *(of_model(BASELINE, one) for one in old.notices if one.severe and one not in e.notices),
        ),
        undecided=undecided,
    )


# the evaluation of the new model and of the baseline, the finding on one measure of both, how they were
# compared, the class mix that both can have, and severe notices
Both = tuple[Evaluation, Evaluation, Callable[..., Finding], str, CommonMix | None, tuple[Notice, ...]]


def _on_same_cases(
    data: Any,
    cases: Mapping[str, Any],
    baseline: Any,
    baseline_score: Any,
    pair_by: Any,
    key: Any,
    paired: bool | None,
    uses: Uses,
) -> Both:
    """Where the baseline has the same cases, which are then compared case by case."""
    new = None if read_together(data, cases) else evaluated(data, cases)
    models, pairs = _paired_models(data, cases, baseline, baseline_score, pair_by, key)
    if new is None and pairs is not None and not pairs.whole:
        new = evaluated(data, cases)
    of_both = {model.name: model.evaluation for model in models}
    where = SAME_CASES if pairs is None else pairs.where
    words = f"baseline: {where}, compared case by case" if pairs is None else pairs.words
    notices = () if pairs is None or pairs.notice is None else (pairs.notice,)
    e = at_level_of_use(new or of_both[NEW], uses)
    return e, of_both[BASELINE], partial(paired_finding, models, where), words, None, notices


def _on_other_cases(
    data: Any,
    cases: Mapping[str, Any],
    baseline: Any,
    baseline_score: Any,
    pair_by: Any,
    key: Any,
    paired: bool | None,
    uses: Uses,
) -> Both:
    """Where the baseline has different cases, which are taken as independent."""
    named_cases = isinstance(baseline, CaseSums) and baseline.release is not None
    baseline = of_sums(baseline, cases)
    data = data if isinstance(baseline, Evaluation) else of_sums(data, cases)
    keep = (
        paired is None
        and data is not None
        and not any(isinstance(one, (Evaluation, *SUMMARIES)) for one in (data, baseline))
    )
    if keep:  # the order of the labels, which shows whether the cases are different ones
        data, baseline = KeepingTruth(data), KeepingTruth(baseline)
    # what describes the cases is not meant for an evaluation, but for the other model
    of_new = {} if isinstance(data, Evaluation) and not isinstance(baseline, Evaluation) else cases
    e = at_level_of_use(evaluated(data, of_new), uses)
    of_old = cases if baseline_score is None else {**cases, "score": baseline_score}
    old = at_level_of_use(evaluated(baseline, {} if isinstance(baseline, Evaluation) else of_old), uses)
    if paired is None:
        _refuse_same(data, baseline, e, old, named_cases)
    mix = CommonMix({NEW: e, BASELINE: old})
    words = f"baseline: {old.data.source}, {old.data.rows:,} other cases, taken as independent"
    return e, old, partial(unpaired_finding, old=old, mix=mix), words, mix, ()


def _refuse_same(data: Any, baseline: Any, new: Evaluation, old: Evaluation, released: bool) -> None:
    """Raises InputError where both may be, or seem to be, of the same cases.

    So are data sets with the same labels in the same order, and summaries with as many cases of each class.
    released: whether the baseline names its cases.
    """
    read_here = isinstance(data, KeepingTruth)
    of_summaries = any(isinstance(one, COMPARED) for one in (data, baseline))
    if not (read_here or of_summaries) or not of_equal_sizes([new, old]):
        return
    columns: list[Any] = [None if of_summaries else one.truth for one in (data, baseline)]
    if any(column is None for column in columns):
        problem = (
            f"it has as many cases of each class as the data ({cases_of(new)}), which may be the same cases"
        )
        way_out = f"pass {'' if released else 'both as files or frames with '}{option('pair_by')}"
    elif one_truth(*(column.values for column in columns)):
        rows = f"{len(columns[0]):,} rows"
        problem = f"it has the same truth as the data in each of {rows}, so that they seem the same cases"
        way_out = f"pass {option('pair_by')}"
    else:
        return
    apart = f"for the paired comparison, or {option('paired', False)} if they are different ones"
    raise InputError("ambiguous", "baseline", problem, f"{way_out} {apart}")
