"""Labels made of probabilities, and which of them are ambiguous."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from ..input import validate
from ..input.results import Tabular
from ..input.spelling import option
from ..input.validate import InputError, shown

Ambiguous = Literal["keep", "raise"]
ROUNDING = 4  # times the precision of the type: the rounding error of a difference of two decimals


@dataclass(frozen=True, slots=True, eq=False)
class Decisions(Tabular):
    """A label for every case, and which cases are ambiguous.

    Parameters
    ----------
    labels : array, shape (n,)
        The label of each case.
    ambiguous : array of bool, shape (n,)
        True where the case is within the margin.
    why : str
        When a case is ambiguous, in words.
    """

    labels: np.ndarray
    ambiguous: np.ndarray
    why: str

    @property
    def number(self) -> int:
        """The number of ambiguous cases."""
        return int(np.count_nonzero(self.ambiguous))

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def _columns(self) -> dict[str, np.ndarray]:
        """One row per case."""
        return {"label": self.labels, "ambiguous": self.ambiguous}

    def to_dict(self) -> dict[str, Any]:
        """Lists of the labels and of which are ambiguous, and when a case is."""
        return {"labels": self.labels.tolist(), "ambiguous": self.ambiguous.tolist(), "why": self.why}

    def __repr__(self) -> str:
        first = f", the first in {validate.row_at(int(self.ambiguous.argmax()))}" if self.number else ""
        return f"Decisions({len(self)} cases, {self.number} ambiguous: {self.why}{first})"


def decided(
    codes: np.ndarray, names: list[Any], close: np.ndarray, why: str, ambiguous: str, ambiguous_label: Any
) -> Decisions:
    """The labels of these codes. close: which cases are ambiguous. Raises InputError with "raise"."""
    validate.choice(ambiguous, get_args(Ambiguous), "ambiguous")
    decisions = Decisions(_array(names)[codes], close, why)
    if ambiguous == "raise" and decisions.number:
        first = validate.row_at(int(close.argmax()))
        raise InputError(
            "ambiguous",
            None,
            f"{decisions.number} of {len(decisions)} cases are ambiguous ({why}), the first in {first}",
            f"pass {option('ambiguous', 'keep')} to let the rule decide, or give them an ambiguous_label",
        )
    if ambiguous_label is None:
        return decisions
    (ambiguous_label,) = validate.labels([ambiguous_label], "ambiguous_label")
    return Decisions(_array([*names, ambiguous_label])[np.where(close, len(names), codes)], close, why)


def with_rounding(margin: float, values: np.ndarray, scale: Any) -> Any:
    """The margin with the rounding error of a difference: 0.55 lies within 0.05 of 0.5."""
    return margin + ROUNDING * float(np.finfo(values.dtype).eps) * scale if margin else 0.0


def _array(labels: Sequence[Any]) -> np.ndarray:
    """An array of numbers or of text; of objects where both are mixed, which NumPy would turn into text."""
    text = [isinstance(label, (str, bytes)) for label in labels]
    return np.array(labels, object if any(text) and not all(text) else None)


def distinct(labels: Any, role: str, size: int) -> list[Any]:
    """The labels as a list. Raises InputError unless they are `size` different ones."""
    names = list(validate.labels(labels, role))
    if len(names) != size or len(set(map(str, names))) < size:
        raise InputError(
            "repeated", role, f"{shown(names)} are not {size} different labels", "give one for each class"
        )
    return names
