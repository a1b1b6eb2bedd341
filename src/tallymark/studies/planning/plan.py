"""The answer of a plan: how many cases, what they are good for, and what was assumed."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any

from ...input import text, validate
from ...input.results import Readable, head
from ...input.validate import InputError

POWER, ASSURANCE = 0.8, 0.95
LONGEST = 80  # characters of the goal in the short form
INDEPENDENT = "Cases are taken to be independent; several of one patient or site count for less"


@dataclass(frozen=True, repr=False)
class Plan(Readable):
    """How many cases a goal needs.

    goal: in words; n: cases of the class in question, or of both; positives, negatives: those of each, None
    for a class that is not in question; power: the chance to reach the goal with them, None where it is met
    on expectation; interval: what it should be about, at `level`, by `method`. prevalence: of positives (or
    share of the class) where cases are taken as they come, and then on_average: how many hold the numbers
    above on average; cases: how many do with the probability `assurance`. design_effect, clusters: how many
    times as many cases as independent ones, and in how many clusters, where cases come in clusters. sets: of
    different cases that each have the numbers above, one unless two models are to score different cases.
    design: "cohort", cases are taken as they come, or "case-control", as many of each class as the numbers
    say. assumptions: what must hold.
    """

    FORM = "plan"

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
        return {**head("plan"), **found, "assumptions": list(self.assumptions)}

    @classmethod
    def from_dict(cls, plain: dict[str, Any]) -> Plan:
        """What `to_dict` gave."""
        tuples = {
            name: None if plain[name] is None else tuple(plain[name]) for name in ("interval", "assumptions")
        }
        return cls(**{one.name: plain[one.name] for one in fields(cls)} | tuples)

    def __repr__(self) -> str:
        return (
            f"<Plan of {text.count(self.n if self.cases is None else self.cases)} cases:"
            f" {text.label(self.goal, LONGEST)}>"
        )


def share_of(value: float | None, role: str, most: float = 1.0) -> float:
    """A share above 0 and below 1."""
    found = validate.number(value, role, 0.0, most)
    if found < validate.SMALLEST or found == 1.0:
        raise InputError(
            "invalid-value", role, f"{found:g} leaves nothing to plan", "give a share between 0 and 1"
        )
    return found


def power_of(value: float | None) -> float:
    """Of a goal that is reached or missed."""
    return POWER if value is None else share_of(value, "power")


def not_beyond(limit: float, expected: float, role: str, below: bool) -> None:
    """Raises InputError where what is expected does not lie beyond the limit, so that nothing can show it."""
    if (expected <= limit) if below else (expected >= limit):
        side = "above" if below else "below"
        raise InputError(
            "no-result",
            role,
            f"no number of cases can show it, since {expected:g} is expected, not {side} {limit:g}",
            "change one of them",
        )
