"""The given prevalence: known, estimated from counts, or an estimate with an interval."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..inference import Estimate, Settings
from ..inference.intervals.proportion import METHODS
from ..input import validate
from ..input.results import Result
from ..input.spelling import option

HALF_A_CASE = 0.5  # added to both cells: Jeffreys' prior of each rate


@dataclass(frozen=True)
class Share(Result):
    """A prevalence: known, or estimated, from counts or as an estimate with an interval."""

    value: float
    events: float | None = None
    cases: float | None = None
    estimate: Estimate | None = None

    @property
    def known(self) -> bool:
        """Whether it is taken as known, without uncertainty."""
        return self.cases is None and self.estimate is None

    def interval(self, settings: Settings) -> Estimate:
        """The estimate of the prevalence itself."""
        if self.cases is None or self.events is None:
            assert self.estimate is not None
            return self.estimate
        low, high = METHODS[settings.proportion](self.events, self.cases, settings.level)
        return Estimate(self.value, float(low), float(high), settings.level, settings.proportion)

    def to_dict(self) -> dict[str, Any]:
        """Plain values; the value alone where it is known."""
        return {
            "value": self.value,
            "events": self.events,
            "cases": self.cases,
            "estimate": self.estimate.to_dict() if self.estimate else None,
        }


def share_of(prevalence: Any, npr: Any) -> Share:
    """The prevalence, from the arguments of `at_prevalence`. Raises InputError."""
    if (prevalence is None) == (npr is None):
        raise validate.InputError(
            "conflict",
            "prevalence",
            f"give either {option('prevalence')}, a share between 0 and 1, or {option('npr')}, negatives per"
            " positive",
        )
    if npr is not None:
        return Share(1 / (1 + validate.number(npr, "npr", 1e-12, 1e12)))
    if isinstance(prevalence, Estimate):
        return _estimated(prevalence)
    if isinstance(prevalence, (tuple, list)):
        return _counted(prevalence)
    share = validate.number(prevalence, "prevalence", 0.0, 1.0)
    if share < validate.SMALLEST or share == 1.0:
        raise validate.InputError(
            "invalid-value", "prevalence", f"{share:g} leaves one class only", "give a share between 0 and 1"
        )
    return Share(share)


def _counted(given: Sequence[Any]) -> Share:
    """A prevalence from (positives, cases)."""
    numbers = [validate.real(one) for one in given]
    if len(numbers) != 2 or not 0 <= numbers[0] <= numbers[1] < 2.0**53 or numbers[1] < 1:
        raise validate.InputError(
            "invalid-value",
            "prevalence",
            f"{validate.shown(given)} is not (positives, cases)",
            "give both as (12, 340), or one number between 0 and 1",
        )
    events, cases = numbers
    if events in (0.0, cases):
        raise validate.InputError(
            "empty",
            "prevalence",
            f"{events:g} positives of {cases:g} cases leave one class only",
            "give a sample that has both, or a number",
        )
    return Share(events / cases, events, cases)


def _estimated(given: Estimate) -> Share:
    """A prevalence from an estimate with an interval inside (0, 1)."""
    if not (given.has_interval and 0 < given.low <= given.value <= given.high < 1):
        raise validate.InputError(
            "no-result",
            "prevalence",
            f"{given} has no interval between 0 and 1",
            "give another estimate, or (positives, cases)",
        )
    return Share(given.value, estimate=given)
