"""The answer of a plan: how many cases, what they are good for, and what was assumed."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any

from ...input import text, validate
from ...input.results import Readable, head
from ...input.validate import InputError

POWER, ASSURANCE = 0.8, 0.95
LONGEST = 80  # characters of the goal in the short form
DESIGN = {
    "cohort": "Design: cohort, so that the class mix varies from sample to sample",
    "case-control": "Design: case-control, so that the class sizes are fixed",
}
INDEPENDENT = "Cases are taken to be independent; several of one patient or site count for less"


@dataclass(frozen=True, repr=False)
class Plan(Readable):
    """How many cases a goal needs.

    goal: in words; n: cases of the class in question, or of both; positives, negatives: those of each, None for a class that is not
    in question; power: the chance to reach the goal with them, None where it is met on expectation; interval:
    what it should be about, at `level`, by `method`.
    prevalence: of positives (or share of the class) where cases are taken as they come, and then on_average: how many hold the
    numbers above on average; cases: how many do with the probability `assurance`. design_effect, clusters: how many times as many
    cases as independent ones, and in how many clusters, where cases come in clusters. sets: of different cases that each have the
    numbers above, one unless two models are to score different cases. design: "cohort", cases are taken as they come, or
    "case-control", as many of each class as the numbers say. assumptions: what must hold.
    """

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
        tuples = {name: None if plain[name] is None else tuple(plain[name]) for name in ("interval", "assumptions")}
        return cls(**{one.name: plain[one.name] for one in fields(cls)} | tuples)

    def __repr__(self) -> str:
        return f"<Plan of {text.count(self.n if self.cases is None else self.cases)} cases: {text.label(self.goal, LONGEST)}>"

    def __str__(self) -> str:
        needed = text.table(["needed", "number", ""], self._rows(), right=(1,))
        said = [text.paragraph(f"{one}.", "  ", "* ") for one in (*self._about(), DESIGN[self.design], *self.assumptions)]
        return "\n\n".join([text.paragraph(self.goal, first=""), needed, "\n".join(said)])

    def _rows(self) -> list[list[str]]:
        power = "" if self.power is None else f"power {floored(self.power)}"
        sizes = [(name, getattr(self, name)) for name in ("positives", "negatives")]
        sizes = [(name, size) for name, size in sizes if size is not None] or [("cases", self.n)]
        remarks = [power, "" if self.sets == 1 else f"in each of {self.sets} sets"]
        rows = [[name, text.count(size), more] for (name, size), more in zip(sizes, remarks, strict=False)]
        if self.cases is not None and self.assurance is None:
            rows.append(["cases", text.count(self.cases), f"hold them, at a fixed share of {self.prevalence:g}"])
        elif self.cases is not None and self.on_average is not None:
            rows.append(["cases", text.count(self.on_average), f"hold them on average, at a share of {self.prevalence:g}"])
            rows.append(["cases", text.count(self.cases), f"hold enough with a probability of {self.assurance:g}"])
        return rows if self.clusters is None else [*rows, ["clusters", text.count(self.clusters), "that hold these cases"]]

    def _about(self) -> list[str]:
        if self.interval is None:
            return []
        low, high = (text.number(end) for end in self.interval)
        return [f"The {100 * self.level:.4g}% interval should be about {low} to {high} ({self.method})"]


def floored(power: float) -> str:
    """Four decimals, cut: a power is not made larger by rounding."""
    return f"{int(power * 10_000) / 10_000:.4f}"


def share_of(value: float | None, role: str, most: float = 1.0) -> float:
    """A share above 0 and below 1."""
    found = validate.number(value, role, 0.0, most)
    if found < validate.SMALLEST or found == 1.0:
        raise InputError("invalid-value", role, f"{found:g} leaves nothing to plan", "give a share between 0 and 1")
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
