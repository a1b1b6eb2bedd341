"""What the cases of a gate can show: how many more would decide, and how often a requirement is met.

All of it follows from the standard errors at the present value and at the limit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil, inf, isfinite, log, nan, sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

from ...evaluation.notices import Notice
from ...inference import Estimate
from ...inference.interval import Scale, detectable, normal_quantile
from ...inference.linear import SEQUENTIAL
from ...input import text, validate
from ...input.errors import InputError
from ...input.results import Answer, Result, Tabular, rows_of
from ...input.sample import DataInfo
from .grammar import parse_quantity

if TYPE_CHECKING:
    from .checking import Verdict

POWER = 0.8  # the probability with which further cases decide
MOST_CASES = 10**9
ROUNDING = 1e-12  # relative difference at which a number still equals a limit
DIGITS = 4  # of a probability
COMPARED = {
    "interval": "all of the {level:.4g}% interval of {quantity}",
    "low": "the low end of the {level:.4g}% interval of {quantity}",
    "high": "the high end of the {level:.4g}% interval of {quantity}",
    "width": "the width of the {level:.4g}% interval of {quantity}",
    "value": "{quantity} of these cases",
}
RELATIONS = {">=": "at least", ">": "above", "<=": "at most", "<": "below"}


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


def errors_of(
    estimate: Estimate, value: float, limit: float, ends: tuple[float, float]
) -> tuple[float, float]:
    """The standard errors if a value were the true one, and if the limit were.

    From the interval on the scale of a measure with this range; it varies as that of a proportion. An
    interval that is valid at every number of cases is wider than follows from the error of the value.
    """
    own = estimate.standard_error if estimate.method in SEQUENTIAL else None
    z, scale = normal_quantile(estimate.level), Scale(ends)
    centre, low, high = estimate.centre, estimate.low, estimate.high
    if own is None and all(map(scale.inside, (centre, low, high, value, limit))):
        error = (scale.to(high) - scale.to(low)) / (2 * z * scale.slope(centre))
        at = (error * sqrt(scale.slope(centre) / scale.slope(one)) for one in (value, limit))
        return next(at), next(at)
    end = low if centre > limit else high
    half = abs(centre - end) / z
    if own is not None and all(map(scale.inside, (end, limit))):
        half *= sqrt(scale.slope(end) / scale.slope(limit))
    return 0.0 if value in ends else own or half, inf if limit in ends else half


def further(
    value: float, estimate: Estimate, limit: float, cases: float, ends: tuple[float, float]
) -> int | None:
    """How many more cases such as these put the whole interval on the side of its value, with `POWER`.

    None where there is no such number, or none below 10^9.
    """
    distance = abs(value - limit)
    own, at_limit = errors_of(estimate, value, limit, ends)
    enough = detectable(own, at_limit, estimate.level, POWER)
    if estimate.method in SEQUENTIAL and 0 < distance < enough < inf:  # whose width falls more slowly
        squared = (normal_quantile(estimate.level) * at_limit / own) ** 2
        wider = sqrt(1 + 2 * log(enough / distance) / squared)
        enough = detectable(own, at_limit * wider, estimate.level, POWER)
    if not isfinite(enough) or distance <= ROUNDING * max(1.0, abs(limit)):
        return None
    more = cases * ((enough / distance) ** 2 - 1)
    return ceil(more) if 0 < more < MOST_CASES else None


@dataclass(frozen=True, slots=True, repr=False)
class Chance(Result):
    """What a requirement means, and how often it is met on other cases such as these.

    Attributes
    ----------
    requirement : str
        As it was written.
    meaning : str
        The same in words.
    expected : float
        The true value that is assumed; of a number of cases that number.
    passes, undecided, fails : float
        The probabilities; NaN where there is no interval.
    """

    requirement: str
    meaning: str
    expected: float
    passes: float = nan
    undecided: float = nan
    fails: float = nan


@dataclass(frozen=True, repr=False)
class Explanation(Answer, Tabular):
    """What the requirements of a gate mean, and how often a model of some quality passes, fails or neither.

    Attributes
    ----------
    chances : tuple of Chance
        One per requirement, in the order of the findings.
    data : DataInfo
        The facts about the cases.
    level : float
        The level of the intervals.
    notices : tuple of Notice
        The severe notices on the gate.
    budget : str or None
        What the level means where the cases are used several times.
    """

    ANSWER = "explanation"
    FORM = "studies.explanation"
    HOLDS = None
    PLAIN = "notices? level data requirements=chances"

    chances: tuple[Chance, ...]
    data: DataInfo
    level: float
    notices: tuple[Notice, ...] = ()
    budget: str | None = None

    @classmethod
    def rows_in(cls, plain: Mapping[str, Any]) -> list[dict[str, Any]]:
        """One row per requirement, as plain values."""
        return rows_of(plain["requirements"])


def explained(verdict: Verdict, expected: Mapping[str, float] | None) -> Explanation:
    """The explanation of a verdict's requirements. Raises InputError for a value of none of them."""
    known, values = [finding.measured for finding in verdict.findings], dict[str, float]()
    for written, value in (expected or {}).items():
        name = _canonical(written)
        if not any(_is_of(name, measured) for measured in known):
            hint = validate.nearest(name, known)
            raise InputError(
                "unknown-name",
                "expected",
                f"{validate.shown(name)} is not required{hint}",
                f"there are {', '.join(dict.fromkeys(known))}",
            )
        low, high = next(one.range for one in verdict.findings if _is_of(name, one.measured))
        values[name] = validate.number(value, "expected", low, high)
    chances = []
    for finding in verdict.findings:
        mine = (value for name, value in values.items() if _is_of(name, finding.measured))
        chances.append(_chance(finding, next(mine, None)))
    e, severe = verdict.evaluation, tuple(one for one in verdict.notices if one.severe)
    budget = None if verdict.of_uses.is_first else verdict.budget
    return Explanation(tuple(chances), e.data, e.settings.level, severe, budget)


def _canonical(quantity: str) -> str:
    """A quantity as findings write it, "specificity >= 0.9" for "specificity 0.9"; another text as it is."""
    try:
        return str(parse_quantity(quantity).quantity)
    except InputError:
        return quantity


def _is_of(name: str, measured: str) -> bool:
    """Whether a quantity has this name, also of a group; a difference from a baseline has its own."""
    in_group = measured.startswith(f"{name}, ") and not measured.endswith(", new - baseline")
    return measured == name or in_group


def _chance(finding: Any, expected: float | None) -> Chance:
    """The probabilities from the normal distribution around the expected value."""
    estimate, limit = finding.estimate, finding.limit
    value = finding.compared if finding.part in ("value", "interval") else estimate.centre
    value = value if expected is None else expected
    subject = COMPARED[finding.part].format(level=100 * estimate.level, quantity=finding.measured)
    if finding.of_size:
        subject = f"the number of {finding.measured}"
    meaning = f"{subject} is {RELATIONS[finding.operator]} {text.exact(limit)}"
    always = all(met(end, finding.operator, limit) for end in finding.range)
    if always or not estimate.has_interval or finding.part == "width":
        sure = nan if finding.reason else float(finding.passed)
        return Chance(finding.requirement, meaning, value, sure, 0 * sure, 1 - sure)
    error, at_limit = errors_of(estimate, value, limit, finding.range)
    reach = normal_quantile(estimate.level) * at_limit
    above, below = (
        _beyond(side * (value - limit) - (reach if finding.part in ("interval", end) else 0.0), error)
        for side, end in ((1, "low"), (-1, "high"))
    )
    if finding.part in ("low", "value"):
        below = 1 - above
    elif finding.part == "high":
        above = 1 - below
    passes, fails = (above, below) if finding.operator.startswith(">") else (below, above)
    passes, fails = round(passes, DIGITS), round(fails, DIGITS)
    return Chance(
        finding.requirement, meaning, value, passes, max(0.0, round(1 - passes - fails, DIGITS)), fails
    )


def _beyond(distance: float, error: float) -> float:
    """The probability of a normal number above minus this distance."""
    return NormalDist().cdf(distance / error) if error > 0 else float(distance >= 0)
