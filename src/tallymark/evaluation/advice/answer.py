"""The result of `advise`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from math import isfinite
from typing import Any

from ...inference import Estimate
from ...input import text
from ...input.data_info import conditions, named
from ...input.messages.notes import Note
from ...input.results import Answer, Result, Tabular
from ..notices import Notice

LONGEST = 60  # characters of a list of measures in the short form
LISTS = ("use", "avoid", "within_mix")
Costs = tuple[float, float] | None  # of one false positive and of one false negative


@dataclass(frozen=True, slots=True, repr=False)
class Item(Result):
    """One piece of advice.

    use, avoid: names of measures; source: where the advice comes from; within_mix: measures whose values are
    comparable within one class mix only; disagreement: what another source says instead, empty if none does.
    """

    FORM = "measures.advice_item"

    code: str
    text: str
    use: tuple[str, ...]
    avoid: tuple[str, ...]
    source: str
    within_mix: tuple[str, ...] = ()
    disagreement: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        return asdict(self) | {name: list(getattr(self, name)) for name in LISTS}


@dataclass(frozen=True, eq=False)
class Advice(Answer, Tabular):
    """The measures to use and those that mislead on these data, with reasons.

    Attributes
    ----------
    items : tuple of Item
        The pieces of advice, each with its code, text, source, the measures to use, to avoid and to compare
        within one class mix only, and what another source says instead.
    need : str or None
        "decision" (the predicted labels are used), "ranking" (the order of the scores is used),
        "early_retrieval" (the highest scores only are used), "probabilities" (the scores are used as
        probabilities), or None for decision, ranking and probabilities.
    costs : pair of float, or None
        Of one false positive and of one false negative.
    estimates : dict of str to Estimate or Note
        For each measure that is named, its value on these data with the interval, or a note that says why
        there is none.
    shifts : dict of str to pair of float
        By measure, its value here and with classes of equal size.
    design : {"cohort", "case-control"} or None
        What the intervals assume; None without classes.
    weight_kind : {"count", "importance"} or None
        The kind of the weights; None without weights.
    notices : tuple of Notice
        On the data.
    """

    ANSWER = "advice"
    FORM = "measures.advice"

    items: tuple[Item, ...]
    need: str | None = None
    costs: Costs = None
    estimates: dict[str, Estimate | Note] = field(default_factory=dict, repr=False)
    shifts: dict[str, tuple[float, float]] = field(default_factory=dict, repr=False)
    design: str | None = None
    weight_kind: str | None = None
    notices: tuple[Notice, ...] = ()

    @property
    def conditions(self) -> str:
        """The design and the kind of the weights, as a line of text."""
        return conditions(self.design, self.weight_kind)

    @property
    def use(self) -> tuple[str, ...]:
        """The measures to use, in the order of the items."""
        return tuple(dict.fromkeys(name for item in self.items for name in item.use))

    @property
    def avoid(self) -> tuple[str, ...]:
        """The measures that mislead on these data; none of them is in `use`."""
        return tuple(dict.fromkeys(name for item in self.items for name in item.avoid))

    @property
    def within_mix(self) -> tuple[str, ...]:
        """The measures whose values hold for the class mix of these data only; the others are not in it."""
        return tuple(dict.fromkeys(name for item in self.items for name in item.within_mix))

    @property
    def table(self) -> list[dict[str, Any]]:
        """One row per piece of advice, as plain values.

        Names of measures are separated by commas.
        """
        return self.rows_in({"items": [one.to_dict() for one in self.items]})

    @classmethod
    def rows_in(cls, plain: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The rows of `table`, made from the plain values."""
        return [{**one, **{name: ", ".join(one[name]) for name in LISTS}} for one in plain["items"]]

    def __repr__(self) -> str:
        use, avoid = (text.label(", ".join(names) or "nothing", LONGEST) for names in (self.use, self.avoid))
        return f"<Advice: use {use}; avoid {avoid}>"

    def to_dict(self) -> dict[str, Any]:
        """Plain values for strict JSON: None for what is undefined or infinite."""
        every = self.estimates.items()
        own, missing = (
            {name: one.to_dict() for name, one in every if isinstance(one, kind)} for kind in (Estimate, Note)
        )
        moves = {
            name: [value if isfinite(value) else None for value in pair] for name, pair in self.shifts.items()
        }
        asked = {
            "need": self.need,
            "costs": dict(zip(("cost_fp", "cost_fn"), self.costs, strict=True)) if self.costs else None,
        }
        said = {
            "use": list(self.use),
            "avoid": list(self.avoid),
            "within_mix": list(self.within_mix),
            "items": [item.to_dict() for item in self.items],
        }
        found = {"measures": own, "unavailable": missing, "equal_classes": moves}
        return {**self._begin(), **asked, **named(self.design), **said, **found}
