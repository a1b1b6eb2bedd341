"""The verdict of a gate: a finding per requirement, and the formats in which it can be written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import isfinite, isnan
from statistics import stdev
from typing import Any, ClassVar

from ...evaluation.notices import Notice
from ...evaluation.results import Evaluation
from ...inference import Estimate
from ...input import text
from ...input.data_info import named
from ...input.messages import Note
from ...input.results import Answer, Result, Tabular, Writers, equal_as_tuples, head, rows_of
from ...input.text import count


def shared(e: Evaluation, uses: int | None) -> Evaluation:
    """The evaluation with its intervals at 1 - (1 - level) / uses; unchanged without a number of uses."""
    if uses is None:
        return e
    return replace(e, settings=replace(e.settings, level=1 - (1 - e.settings.level) / uses))


def overall(level: float, uses: int) -> float:
    """The level of all decisions together, from that of each."""
    return round(1 - (1 - level) * uses, 12)


def sentence(level: float, uses: int | None) -> str:
    """What the level of the intervals means for a test set that is used again."""
    rate = f"{50 * (1 - overall(level, uses or 1)):.4g}%"
    if uses is None:
        return (
            f"First use of these cases: a model at a limit passes in about {rate} of samples; further uses"
            " add to that (uses)"
        )
    many = f"{count(uses)} uses of these cases in all" if uses > 1 else "a single use of these cases"
    return (
        f"Intervals at {100 * level:.6g}%, for {many}: models at a limit pass in about {rate} of samples at"
        " most (Bonferroni)"
    )


PASSED, FAILED, UNDEFINED = "passed", "failed", "undefined"
GIVEN = 4  # digits after the point of the values next to the one compared
MOST_DIGITS = 17
LONGEST = 200  # characters of a requirement in the short form
ROUNDING = 1e-12  # relative difference at which a number still equals a limit
NOT = {">=": "<", ">": "<=", "<=": ">", "<": ">="}


def met(number: float, operator: str, limit: float) -> bool:
    """Whether the comparison holds; numbers that differ by rounding only are equal."""
    equal = abs(number - limit) <= ROUNDING * max(1.0, abs(limit))
    above = number > limit
    return {
        ">=": above or equal,
        ">": above and not equal,
        "<=": not above or equal,
        "<": not (above or equal),
    }[operator]


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
        The number of the estimate that is compared: "value", "low", "high" or "width".
    compared : float
        This number, NaN where there is none.
    operator, limit : str and float
        Those of the requirement.
    outcome : str
        "passed", "failed", or "undefined" without a number to compare, which does not pass.
    reason : Note or None
        Why there is no number.
    how : str or None
        The threshold, and the values compared.
    of_size : bool
        Whether a number of cases is compared.
    nominal : bool
        Whether the interval keeps its level: neither at a threshold that is the best on these cases, nor
        approximate.
    other_seeds : tuple of float
        The number compared with other seeds, where these could change the outcome.
    """

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

    __eq__ = equal_as_tuples

    @property
    def passed(self) -> bool:
        return self.outcome == PASSED

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
        return "; ".join(filter(None, (self._found(), self.remarks)))

    @property
    def remarks(self) -> str:
        """What is to say of the number; empty where nothing is."""
        note = None if self.reason else self.estimate.note
        return "; ".join(part for part in (self._chance(), self.how, note, self._simulated()) if part)

    @property
    def comparison(self) -> str:
        """As "low 0.7936 < 0.8", or why there is nothing to compare."""
        part = "" if self.part == "value" else f"{self.part} "
        return self.reason.text if self.reason else f"{part}{self.number} {self._limit}"

    @property
    def _limit(self) -> str:
        return f"{self.operator if self.passed else NOT[self.operator]} {text.exact(self.limit)}"

    def _simulated(self) -> str | None:
        """The simulation error, where other random numbers could change the outcome."""
        if not self.other_seeds:
            return None
        drawn = (self.compared, *self.other_seeds)
        differ = len({met(number, self.operator, self.limit) for number in drawn}) > 1
        return (
            f"simulation error {stdev(drawn):.2g}: {len(self.other_seeds)} other seeds give"
            f" {text.number(min(self.other_seeds))} to {text.number(max(self.other_seeds))}"
            + ", on both sides of the limit"
            * differ
        )

    def _found(self) -> str:
        e = self.estimate
        if self.reason:
            return self.comparison
        places = text.digits_of(e.low, e.high, usual=GIVEN)
        ends = f" {text.interval(e.low, e.high, places)}" if e.has_interval else ""
        way = f" ({100 * e.level:.4g}%, {e.method})" if e.has_interval else ""
        if self.part == "value":
            return f"{self.number}{ends} {self._limit}{way}"
        return f"{self.comparison}; {text.rounded(e.centre, places)}{ends}{way}"

    def _chance(self) -> str | None:
        """A warning where the value meets the limit and the interval does not."""
        e = self.estimate
        lucky = self.passed and self.part == "value" and e.has_interval
        lucky = lucky and not all(met(end, self.operator, self.limit) for end in (e.low, e.high))
        return "met by the value alone, not by the whole interval" if lucky else None

    def to_dict(self) -> dict[str, Any]:
        """Plain values; NaN and infinity as null, with the reason in `reason` or in the estimate."""
        return {
            "requirement": self.requirement,
            "outcome": self.outcome,
            "measured": self.measured,
            "part": self.part,
            "compared": self.compared if isfinite(self.compared) else None,
            "operator": self.operator,
            "limit": self.limit,
            "estimate": self.estimate.to_dict(),
            "reason": self.reason and self.reason.to_dict(),
            "how": self.how,
            "other_seeds": list(self.other_seeds),
        }


@dataclass(frozen=True, eq=False)
class Verdict(Answer, Tabular):
    """Whether a model passes: `passed` is True where every requirement is met.

    In a condition a verdict has the truth value of `passed`.

    Attributes
    ----------
    findings : tuple of Finding
        One per requirement, in the order in which these were given, those against a baseline last.
    evaluation : Evaluation
        The evaluation of the new model.
    baseline : str or None
        The baseline and how it was compared, in words; None without one.
    uses : int or None
        Number of decisions in total for which these cases are used.
    of_baseline : tuple of Notice
        The severe notices on the baseline, and on the comparison with it.
    """

    ANSWER = "check"
    FORM = "studies.verdict"

    findings: tuple[Finding, ...]
    evaluation: Evaluation
    baseline: str | None = None
    uses: int | None = None
    of_baseline: tuple[Notice, ...] = ()

    @property
    def design(self) -> str | None:
        """The design: "cohort", or "case-control" where the class sizes are fixed; None for amounts."""
        return self.evaluation.design

    @property
    def passed(self) -> bool:
        return all(finding.passed for finding in self.findings)

    def __bool__(self) -> bool:
        return self.passed

    @property
    def summary(self) -> str:
        """The verdict in a sentence."""
        all_of, met = len(self.findings), sum(finding.passed for finding in self.findings)
        said = (
            f"{met} of {all_of} requirements met"
            if all_of > 1
            else f"the requirement is {'' if met else 'not '}met"
        )
        return f"{'passed' if self.passed else 'FAILED'}: {said}"

    @property
    def budget(self) -> str | None:
        """What the intervals mean where the cases are used again.

        None where no requirement is on an end of an interval that keeps its level.
        """
        ends = [finding for finding in self.findings if finding.part in ("low", "high")]
        others = sum(not finding.nominal for finding in ends)
        if len(ends) == others:
            return None
        said = sentence(self.evaluation.settings.level, self.uses)
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
        """The notices of the evaluation and of the baseline, severe ones first."""
        return tuple(
            sorted((*self.of_baseline, *self.evaluation.notices), key=lambda notice: not notice.severe)
        )

    @property
    def table(self) -> list[dict[str, Any]]:
        """One row per requirement, as plain values; `value`, `low` and `high` are those of the estimate."""
        return self.rows_in({"findings": [one.to_dict() for one in self.findings]})

    @classmethod
    def rows_in(cls, plain: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The rows of `table`, of the plain values."""
        return rows_of({**one, **one["estimate"]} for one in plain["findings"])

    @classmethod
    def estimates_in(cls, plain: Mapping[str, Any]) -> Mapping[Any, Mapping[str, Any]]:
        """The estimates by requirement."""
        return {one["requirement"]: one["estimate"] for one in plain["findings"]}

    def to_dict(self) -> dict[str, Any]:
        """Plain values, in the layout of docs/check.md (version 1)."""
        level = self.evaluation.settings.level
        return {
            **head(self.ANSWER),
            "passed": self.passed,
            "notices": [notice.to_dict() for notice in self.notices],
            "data": self.evaluation.data.to_dict(),
            "level": level,
            "uses": self.uses,
            "overall_level": None if self.uses is None else overall(level, self.uses),
            "budget": self.budget,
            "seed": self.evaluation.settings.seed,
            **named(self.design),
            "baseline": self.baseline,
            "findings": [finding.to_dict() for finding in self.findings],
        }

    def to_junit(self) -> str:
        """JUnit XML, which CI systems show as tests: a test case per requirement."""
        from ...report.ci import as_junit

        return as_junit(self)

    def to_annotations(self) -> str:
        """Workflow commands of GitHub Actions: a line `::error` for each requirement that is not met."""
        from ...report.ci import as_annotations

        return as_annotations(self)

    def __repr__(self) -> str:
        """The verdict, and the requirements that are not met, as `assert` shows it."""
        failed = (one for one in self.findings if not one.passed)
        said = [f"{text.label(one.requirement, LONGEST)}: {one.sentence}" for one in failed]
        return f"<Verdict {' | '.join([self.summary, *said])}>"


def number_of(estimate: Estimate, part: str) -> float:
    """The value, an end of the interval, or its width; NaN where there is none."""
    if part == "width":
        return estimate.high - estimate.low
    return estimate.centre if part == "value" else getattr(estimate, part)


def undefined(estimate: Estimate, part: str) -> Note | None:
    """Why an estimate has no such number; None where it has one."""
    if not isnan(number_of(estimate, part)):
        return None
    if estimate.undefined:
        return Note("no-number", because=estimate.undefined)
    return Note("no-number-of-interval", because=estimate.notes)
