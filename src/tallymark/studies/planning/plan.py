"""The result of a plan: the number of cases, what they achieve, and what was assumed."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from math import inf
from typing import Any, get_args, get_origin, get_type_hints

from ...input import text, validate
from ...input.results import Readable, head
from ...input.validate import InputError

POWER, ASSURANCE = 0.8, 0.95
LONGEST = 80  # characters of the goal in the short form
INDEPENDENT = "Cases are assumed to be independent; several of one patient or site count for less"


@dataclass(frozen=True, repr=False)
class Plan(Readable):
    """The number of cases that a goal needs.

    Attributes
    ----------
    goal : str
        The goal in words.
    n : int
        Number of cases of the class in question, or of both classes.
    positives, negatives : int or None
        Number of cases of each class, None for a class that is not in question.
    power : float or None
        Probability to reach the goal with them, None where it is reached on expectation.
    interval : pair of float
        The interval to expect.
    level : float
        Its confidence level, above 0 and below 1.
    method : str
        Its method.
    assumptions : tuple of str
        What must hold.
    prevalence : float or None
        Proportion of positives, or of the class in question, where cases are taken as they come.
    on_average : int or None
        Number of cases that holds the numbers above on average.
    cases : int or None
        Number of cases that holds them with the probability `assurance`.
    assurance : float or None
        This probability.
    design_effect, clusters : float and int, or None
        The factor on the number of cases, and the number of clusters, where cases come in clusters.
    sets : int
        Number of data sets that each have the numbers above: 2 where two models score different cases.
    design : str
        "cohort", cases are taken as they come, or "case-control", the class sizes are fixed.
    """

    ANSWER = "plan"
    FORM = "studies.plan"

    goal: str
    n: int
    level: float
    method: str
    positives: int | None = None
    negatives: int | None = None
    power: float | None = None
    interval: tuple[float, float] | None = None
    prevalence: float | None = None
    on_average: int | None = None
    cases: int | None = None
    assurance: float | None = None
    design_effect: float | None = None
    clusters: int | None = None
    sets: int = 1
    design: str = "cohort"
    assumptions: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        found = asdict(self)
        found["interval"] = None if self.interval is None else list(self.interval)
        return {**head(self.ANSWER), **found, "assumptions": list(self.assumptions)}

    @classmethod
    def from_dict(cls, plain: dict[str, Any]) -> Plan:
        """The plan of a mapping that `to_dict` returned. Raises TypeError for values of other types."""
        tuples = {
            name: None if plain[name] is None else tuple(plain[name]) for name in ("interval", "assumptions")
        }
        found = cls(**{one.name: plain[one.name] for one in fields(cls)} | tuples)
        kinds = get_type_hints(cls)
        odd = [one.name for one in fields(cls) if not _is_of(getattr(found, one.name), kinds[one.name])]
        if odd:
            raise TypeError(odd[0])
        return found

    def __repr__(self) -> str:
        return (
            f"<Plan of {text.count(self.n if self.cases is None else self.cases)} cases:"
            f" {text.label(self.goal, LONGEST)}>"
        )


def _is_of(value: Any, kind: Any) -> bool:
    """Whether it is of a type of a field above; a number must be finite, and a whole one positive."""
    parts = get_args(kind)
    if get_origin(kind) is tuple:
        of_each = [parts[0]] * len(value) if parts[-1] is ... else parts
        return isinstance(value, tuple) and len(value) == len(of_each) and all(map(_is_of, value, of_each))
    if parts:  # a union
        return any(_is_of(value, part) for part in parts)
    if kind is int:
        return type(value) is int and 0 < value < 2**63
    if kind is float:
        return type(value) in (int, float) and abs(value) < inf
    return isinstance(value, kind)


def share_of(value: float | None, role: str, most: float = 1.0) -> float:
    """A proportion above 0 and below 1."""
    found = validate.number(value, role, 0.0, most)
    if found < validate.SMALLEST or found == 1.0:
        raise InputError(
            "invalid-value", role, f"{found:g} leaves nothing to plan", "give a share between 0 and 1"
        )
    return found


def power_of(value: float | None) -> float:
    """The power asked for, checked."""
    return POWER if value is None else share_of(value, "power")


def not_beyond(limit: float, expected: float, role: str, below: bool) -> None:
    """Raises InputError where the expected value does not lie beyond the limit."""
    if (expected <= limit) if below else (expected >= limit):
        side = "above" if below else "below"
        raise InputError(
            "no-result",
            role,
            f"no number of cases can show it, since {expected:g} is expected, not {side} {limit:g}",
            "change one of them",
        )
