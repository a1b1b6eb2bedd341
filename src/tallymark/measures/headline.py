"""Which measures the first screen shows, in which order, and under which name."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Headline:
    """The place of a measure on the first screen.

    Attributes
    ----------
    place : int
        The smaller, the higher it stands.
    label : str
        The name under which the literature knows it, as "ROC AUC".
    next_to : tuple of str, optional
        A second number in the same line: its name there, and the measure, as ("skill", "brier_skill_score").
    averages : tuple of str
        Of many classes: which averages of it stand there, of "macro", "weighted" and "micro".
    labels_only : bool
        Whether it is left out where there are scores.
    column : int, optional
        The place among the columns of a table with a row per model or group; None where it is not there.
    """

    place: int
    label: str
    next_to: tuple[str, str] | None = None
    averages: tuple[str, ...] = ()
    labels_only: bool = False
    column: int | None = None
