"""Requirements of a release gate: a quantity, a number of its estimate, and the limit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ...evaluation.thresholds import Rule, RuleSpec
from ...input import spelling
from ...input.validate import InputError

PARTS = ("value", "low", "high", "width")
SIZES = {"n": "rows", "rows": "rows", "positives": "positives", "negatives": "negatives"}
MISSING = "missing"  # the share of the rows that are left out for a missing value
UNANSWERED = "unanswered"  # the share of the cases whose predicted label names no class
SHARES = (MISSING, UNANSWERED)
OF_ROWS = SIZES | dict(zip(SHARES, SHARES, strict=True))  # quantities that do not depend on the model
OPERATORS = (">=", ">", "<=", "<")
ROOM = 72  # characters of a requirement that an error shows


class RequirementError(InputError):
    """A requirement that is wrong, with the position shown below the sentence.

    position: of the character, from 0.
    """

    def __init__(self, text: str, position: int, what: str, where: str = "require"):
        self.text, self.position = text, position
        start = max(0, min(position - ROOM // 2, len(text) - ROOM))
        line = "".join(
            character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text
        )
        caret = " " * (position - start) + "^"
        below = f"\n  {line[start : start + ROOM]}\n  {caret}"
        super().__init__(
            "invalid-value",
            f"{spelling.name(where)}, character {position + 1}",
            what,
            value=text,
            below=below,
        )


@dataclass(frozen=True, slots=True)
class Condition:
    """The threshold: a number, or a rule of `choose_threshold` that is applied to these cases."""

    threshold: float | None = None
    rule: RuleSpec | None = None
    by: Rule | None = field(default=None, compare=False, repr=False)  # the rule object, where known

    @property
    def is_bound(self) -> bool:
        """Whether the rule is a bound on a measure, as "specificity >= 0.95".

        Other rules look for the best value of something.
        """
        return self.rule is not None and self.rule.is_limit

    def __str__(self) -> str:
        if self.rule is None:
            assert self.threshold is not None
            return f"at threshold {plain(self.threshold)}"
        return f"at {self.rule.requested}" if self.is_bound else f"at rule {self.rule.requested}"


@dataclass(frozen=True, slots=True)
class Quantity:
    """A measure with its parameters, or a number of cases.

    A measure may be of a class, or averaged over the classes, and at a threshold.
    """

    name: str
    parameters: tuple[tuple[str, float], ...] = ()
    label: str | None = None
    average: str | None = None
    at: Condition | None = None

    @property
    def is_size(self) -> bool:
        return self.name in SIZES.values()

    @property
    def is_of_rows(self) -> bool:
        return self.name in OF_ROWS.values()

    def __str__(self) -> str:
        return " ".join(str(part) for part in (self.front(), self.at) if part)

    def front(self, part: str = "") -> str:
        """The quantity as it is written before the comparison."""
        given = ", ".join(f"{name}={plain(value)}" for name, value in self.parameters)
        average = f"{self.average} " if self.average else ""
        label = f"[class {quoted(self.label)}]" if self.label is not None else ""
        return f"{average}{self.name}{f'({given})' if given else ''}{label}{f'.{part}' if part else ''}"


@dataclass(frozen=True, slots=True)
class Requirement:
    """One requirement of a gate.

    part: "value", "low", "high" or "width", or "" for the value by default; text: as it was written; where:
    its origin, as "require" or "gate.txt, line 3"; places: positions of its parts in the text; by: the
    columns of the groups, each of which has to meet it, empty for all cases together.
    """

    quantity: Quantity
    part: str
    operator: str
    limit: float
    text: str = field(default="", compare=False)
    where: str = field(default="require", compare=False)
    places: Mapping[str, int] = field(default_factory=dict, compare=False)
    by: tuple[str, ...] = ()

    def __str__(self) -> str:
        asked = f"{self.quantity.front(self.part)} {self.operator} {plain(self.limit)}"
        columns = f"by {', '.join(map(quoted, self.by))}" if self.by else ""
        return " ".join(str(part) for part in (asked, self.quantity.at, columns) if part)

    def wrong(self, what: str, place: str = "name") -> RequirementError:
        """The error with this sentence, at the position of a part."""
        return RequirementError(self.text, self.places.get(place, 0), what, self.where)


def plain(number: float) -> str:
    """The shortest text that is read as the same number."""
    return repr(float(number)).removesuffix(".0")


def quoted(label: str) -> str:
    """A label as the grammar reads it."""
    escaped = label.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
